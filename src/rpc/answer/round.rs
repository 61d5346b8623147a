//! `OpenRound`, `Deal` and `Settle`.

use super::super::pb;
use super::settlement::{bank, seat_results};
use super::{codes, dice, number, records};
use crate::engine::{DealAnswer, OpenAnswer, SettleAnswer};
use crate::fairness::encoding::hex_text;

impl From<OpenAnswer> for pb::OpenRoundResponse {
    fn from(answer: OpenAnswer) -> Self {
        Self {
            ticket: Some((&answer.ticket).into()),
            round_id: answer.round_id.to_hex(),
            commit: answer.commit.to_hex(),
        }
    }
}

impl From<DealAnswer> for pb::DealResponse {
    fn from(answer: DealAnswer) -> Self {
        let hands = answer.hands.iter().map(|(seat, cards)| pb::DealtHand {
            seat: number(seat),
            cards: codes(cards),
            street_ends: answer.street_ends.iter().map(|end| i32::from(*end)).collect(),
        });
        let fees = answer.fees.iter().filter(|(_, fee)| **fee > 0);
        Self {
            records: records(&answer.records),
            round_id: answer.round_id.to_hex(),
            commit: answer.commit.to_hex(),
            dice: dice(&answer.dice),
            action_seat: number(answer.action_seat),
            hands: hands.collect(),
            deck_commit: answer.deck_commit.to_hex(),
            fees: fees
                .map(|(seat, fee)| pb::Fee { seat: number(seat), amount_minor: *fee })
                .collect(),
            final_lines: answer
                .final_lines
                .iter()
                .map(|(seat, lines)| pb::SeatLines {
                    seat: number(seat),
                    lines: lines.iter().map(pb::Line::from).collect(),
                })
                .collect(),
        }
    }
}

impl From<SettleAnswer> for pb::SettleResponse {
    fn from(answer: SettleAnswer) -> Self {
        let records = records(&answer.records);
        let round_id = answer.round_id.to_hex();
        match answer.close {
            Ok(round) => Self {
                records,
                round_id,
                disposition: pb::Disposition::Settle.into(),
                bank: Some(bank(&round.settlement, &round.dealer)),
                seats: seat_results(&round.settlement),
                commission_minor: round.settlement.commission,
                fees_minor: round.settlement.fees,
                house_net_minor: round.settlement.house_net,
                server_seed: hex_text(round.server_seed.expose()),
                round_seed: hex_text(round.round_seed.expose()),
                deck: codes(&round.deck),
                returns: Vec::new(),
            },
            Err(voided) => {
                let returns = voided.returns.iter().map(|(seat, amount)| pb::VoidReturn {
                    seat: number(*seat),
                    amount_minor: *amount,
                });
                Self {
                    records,
                    round_id,
                    disposition: pb::Disposition::Void.into(),
                    returns: returns.collect(),
                    ..Self::default()
                }
            }
        }
    }
}
