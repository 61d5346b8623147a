//! What was won and lost, in `Settle` and in `Audit`.

use super::super::pb;
use super::{codes, number};
use crate::cards::Card;
use crate::game::{
    BaseResult, Comparison, Line, LineStatus, Outcome, SeatResult, Settlement, Shown,
};

/// Writes the side of position 0, which was dealt `cards`.
pub(super) fn bank(settlement: &Settlement, cards: &[Card]) -> pb::Bank {
    pb::Bank {
        cards: codes(cards),
        setting: Some((&settlement.bank.setting).into()),
        net_minor: settlement.bank.net,
        seat: number(settlement.bank.seat),
    }
}

/// Writes the seats, ascending.
pub(super) fn seat_results(settlement: &Settlement) -> Vec<pb::SeatResult> {
    let seat = |seat, result: &SeatResult| pb::SeatResult {
        seat: number(seat),
        base: result.base.as_ref().map(pb::BaseResult::from),
        lines: result.lines.iter().map(pb::Line::from).collect(),
        net_minor: result.net,
        fee_minor: result.fee,
        bank_commission_minor: result.bank_commission,
    };
    settlement.seats.iter().map(|(number, result)| seat(number, result)).collect()
}

impl From<&Shown> for pb::Setting {
    fn from(shown: &Shown) -> Self {
        Self {
            low: codes(&shown.low),
            high: codes(&shown.high),
            low_category: shown.low_category.name().to_owned(),
            high_category: shown.high_category.name().to_owned(),
            clause_id: shown.clause.clone().unwrap_or_default(),
            house_way: shown.by_house_way,
        }
    }
}

impl From<&BaseResult> for pb::BaseResult {
    fn from(base: &BaseResult) -> Self {
        Self {
            setting: Some((&base.shown).into()),
            foul: base.foul,
            high: pb::Comparison::from(base.high_result).into(),
            low: pb::Comparison::from(base.low_result).into(),
            outcome: pb::Outcome::from(base.outcome).into(),
        }
    }
}

impl From<&Line> for pb::Line {
    fn from(line: &Line) -> Self {
        Self {
            bet: line.bet.name().to_owned(),
            stake_minor: line.stake,
            status: pb::LineStatus::from(line.status).into(),
            row: line.row.clone().unwrap_or_default(),
            pays: line.pays.map(pb::Fraction::from),
            win_minor: line.win,
            commission_minor: line.commission,
            return_minor: line.returned,
            uncovered_minor: line.uncovered,
            caused_by_seat: line.caused_by.map(number),
        }
    }
}

impl From<Comparison> for pb::Comparison {
    fn from(comparison: Comparison) -> Self {
        match comparison {
            Comparison::Win => Self::Win,
            Comparison::Lose => Self::Lose,
            Comparison::Copy => Self::Copy,
        }
    }
}

impl From<Outcome> for pb::Outcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::Win,
            Outcome::Lose => Self::Lose,
            Outcome::Push => Self::Push,
        }
    }
}

impl From<LineStatus> for pb::LineStatus {
    fn from(status: LineStatus) -> Self {
        match status {
            LineStatus::Won => Self::Won,
            LineStatus::Lost => Self::Lost,
            LineStatus::Push => Self::Push,
            LineStatus::Uncovered => Self::Uncovered,
        }
    }
}
