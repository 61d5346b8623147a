//! The wins and losses of a round, in `Settle` and in `Audit`.

use super::hands::category;
use super::{codes, fraction, number};
use paigow_proto::v1 as pb;
use paigow_rules::cards::Card;
use paigow_rules::game::{
    BaseOutcome, BaseResult, BetLine, Comparison, LineStatus, SeatResult, Settlement, ShownHand,
};

/// Writes the side of position 0, which was dealt `cards`.
pub(super) fn bank(settlement: &Settlement, cards: &[Card]) -> pb::Bank {
    pb::Bank {
        cards: codes(cards),
        setting: Some(setting(&settlement.bank.setting)),
        net_minor: settlement.bank.net,
        seat: number(settlement.bank.seat),
    }
}

/// Writes the seats, ascending.
pub(super) fn seat_results(settlement: &Settlement) -> Vec<pb::SeatResult> {
    let seat = |seat, result: &SeatResult| pb::SeatResult {
        seat: number(seat),
        base: result.base.as_ref().map(base_result),
        lines: result.lines.iter().map(line).collect(),
        net_minor: result.net,
        fee_minor: result.fee,
        bank_commission_minor: result.bank_commission,
    };
    settlement.seats.iter().map(|(number, result)| seat(number, result)).collect()
}

pub(super) fn setting(shown: &ShownHand) -> pb::Setting {
    pb::Setting {
        low: codes(&shown.low),
        high: codes(&shown.high),
        low_category: category(shown.low_category).into(),
        high_category: category(shown.high_category).into(),
        clause_id: shown.clause.clone().unwrap_or_default(),
        house_way: shown.by_house_way,
    }
}

pub(super) fn base_result(base: &BaseResult) -> pb::BaseResult {
    pb::BaseResult {
        setting: Some(setting(&base.shown)),
        foul: base.foul,
        high: comparison(base.high_result).into(),
        low: comparison(base.low_result).into(),
        outcome: outcome(base.outcome).into(),
    }
}

pub(super) fn line(line: &BetLine) -> pb::Line {
    pb::Line {
        bet: line.bet.name().to_owned(),
        stake_minor: line.stake,
        status: line_status(line.status).into(),
        row: line.row.clone().unwrap_or_default(),
        pays: line.pays.map(fraction),
        win_minor: line.win,
        commission_minor: line.commission,
        return_minor: line.returned,
        uncovered_minor: line.uncovered,
        caused_by_seat: line.caused_by.map(number),
    }
}

fn comparison(comparison: Comparison) -> pb::Comparison {
    match comparison {
        Comparison::Win => pb::Comparison::Win,
        Comparison::Lose => pb::Comparison::Lose,
        Comparison::Copy => pb::Comparison::Copy,
    }
}

fn outcome(outcome: BaseOutcome) -> pb::Outcome {
    match outcome {
        BaseOutcome::Win => pb::Outcome::Win,
        BaseOutcome::Lose => pb::Outcome::Lose,
        BaseOutcome::Push => pb::Outcome::Push,
    }
}

fn line_status(status: LineStatus) -> pb::LineStatus {
    match status {
        LineStatus::Won => pb::LineStatus::Won,
        LineStatus::Lost => pb::LineStatus::Lost,
        LineStatus::Push => pb::LineStatus::Push,
        LineStatus::Uncovered => pb::LineStatus::Uncovered,
    }
}
