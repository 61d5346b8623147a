//! `OpenRound`, `Deal`, `Settle` and `VoidRound`.

use std::collections::BTreeMap;

use super::settlement::{bank, line, seat_results, setting};
use super::{codes, dice, number, record, records};
use paigow_engine::{DealAnswer, OpenAnswer, SettleAnswer, VoidAnswer};
use paigow_fairness::encoding::hex_text;
use paigow_proto::v1 as pb;
use paigow_rules::cards::Seat;

/// Writes the answer of `OpenRound`.
#[must_use]
pub fn opened(answer: OpenAnswer) -> pb::OpenRoundResponse {
    pb::OpenRoundResponse {
        ticket: Some(record(&answer.ticket)),
        round_id: answer.round_id.to_hex(),
        commit: answer.commit.to_hex(),
    }
}

/// Writes the answer of `Deal`.
#[must_use]
pub fn dealt(answer: DealAnswer) -> pb::DealResponse {
    let hands = answer.hands.iter().map(|(seat, cards)| pb::DealtHand {
        seat: number(seat),
        cards: codes(cards),
        street_ends: answer.street_ends.iter().map(|end| i32::from(*end)).collect(),
    });
    let fees = answer.fees.iter().filter(|(_, fee)| **fee > 0);
    pb::DealResponse {
        records: records(&answer.records),
        round_id: answer.round_id.to_hex(),
        commit: answer.commit.to_hex(),
        dice: dice(&answer.dice),
        action_seat: number(answer.action_seat),
        hands: hands.collect(),
        dealer: answer.dealer.as_ref().map(setting),
        deck_commit: answer.deck_commit.to_hex(),
        fees: fees.map(|(seat, fee)| pb::Fee { seat: number(seat), amount_minor: *fee }).collect(),
        final_lines: answer
            .final_lines
            .iter()
            .map(|(seat, lines)| pb::SeatLines {
                seat: number(seat),
                lines: lines.iter().map(line).collect(),
            })
            .collect(),
    }
}

/// Writes the answer of `Settle`.
#[must_use]
pub fn settled(answer: SettleAnswer) -> pb::SettleResponse {
    let round = answer.settled;
    pb::SettleResponse {
        records: records(&answer.records),
        round_id: answer.round_id.to_hex(),
        bank: Some(bank(&round.settlement, &round.dealer)),
        seats: seat_results(&round.settlement),
        commission_minor: round.settlement.commission,
        fees_minor: round.settlement.fees,
        house_net_minor: round.settlement.house_net,
        server_seed: hex_text(round.server_seed.expose()),
        round_seed: hex_text(round.round_seed.expose()),
        seed_proof: round.seed_proof.map_or_else(String::new, |proof| hex_text(&proof.to_bytes())),
        deck: codes(&round.deck),
    }
}

/// Writes the answer of `VoidRound`.
#[must_use]
pub fn voided(answer: VoidAnswer) -> pb::VoidRoundResponse {
    pb::VoidRoundResponse {
        records: records(&answer.records),
        round_id: answer.round_id.to_hex(),
        returns: returns(&answer.returns),
    }
}

pub(super) fn returns(returns: &BTreeMap<Seat, i64>) -> Vec<pb::VoidReturn> {
    let one = |(seat, amount): (&Seat, &i64)| pb::VoidReturn {
        seat: number(*seat),
        amount_minor: *amount,
    };
    returns.iter().map(one).collect()
}
