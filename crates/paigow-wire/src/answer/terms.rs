//! The terms of a ruleset: commissions, fees, pushes, table facts.

use super::{count, fraction};
use paigow_proto::v1 as pb;
use paigow_rules::game::{
    Banking, BetSubject, Commission, Condition, Coverage, DeadHands, DealDirection, DealProcedure,
    DoubleDown, FeeSchedule, Fees, Increment, PushEvent, Rounding, Ruleset, TableFact,
};
use paigow_rules::hands::{JokerUse, Wheel};

pub(super) const fn joker(joker: JokerUse) -> pb::JokerUse {
    match joker {
        JokerUse::SemiWild => pb::JokerUse::SemiWild,
        JokerUse::Wild => pb::JokerUse::Wild,
    }
}

pub(super) const fn wheel(wheel: Wheel) -> pb::Wheel {
    match wheel {
        Wheel::Second => pb::Wheel::Second,
        Wheel::Lowest => pb::Wheel::Lowest,
    }
}

pub(super) const fn coverage(coverage: Coverage) -> pb::Coverage {
    match coverage {
        Coverage::House => pb::Coverage::House,
        Coverage::PlayerDealer => pb::Coverage::PlayerDealer,
    }
}

pub(super) fn dealing(rules: &Ruleset) -> pb::Dealing {
    let terms = rules.dealing();
    let (procedure, street_cards) = match &terms.procedure {
        DealProcedure::Zigzag => (pb::DealProcedure::Zigzag, vec![count(rules.hand_cards())]),
        DealProcedure::Packets => (pb::DealProcedure::Packets, vec![count(rules.hand_cards())]),
        DealProcedure::Streets(streets) => {
            (pb::DealProcedure::Streets, streets.iter().map(|&cards| i32::from(cards)).collect())
        }
    };
    pb::Dealing {
        procedure: procedure.into(),
        street_cards,
        direction: match terms.direction {
            DealDirection::Clockwise => pb::DealDirection::Clockwise,
            DealDirection::CounterClockwise => pb::DealDirection::CounterClockwise,
        }
        .into(),
        dice: if terms.dice { 3 } else { 0 },
        dead_hands: match terms.dead_hands {
            DeadHands::AllPositions => pb::DeadHands::AllPositions,
            DeadHands::ActiveOnly => pb::DeadHands::ActiveOnly,
        }
        .into(),
    }
}

/// Writes the subject of a bet.
pub(super) const fn bet_subject(subject: BetSubject) -> pb::BetSubject {
    match subject {
        BetSubject::SeatHand => pb::BetSubject::SeatHand,
        BetSubject::DealerHand => pb::BetSubject::DealerHand,
        BetSubject::FirstThree => pb::BetSubject::FirstThree,
        BetSubject::SeatSetHands => pb::BetSubject::SeatSetHands,
        BetSubject::Showdown => pb::BetSubject::HouseWayHands,
    }
}

pub(super) const fn rounding(rounding: Rounding) -> pb::Rounding {
    match rounding {
        Rounding::Down => pb::Rounding::Down,
        Rounding::HalfUp => pb::Rounding::HalfUp,
        Rounding::Up => pb::Rounding::Up,
    }
}

pub(super) fn commission(commission: &Commission) -> pb::Commission {
    pb::Commission {
        rate: Some(fraction(commission.rate)),
        rounding: rounding(commission.rounding).into(),
        increment: match commission.increment {
            Increment::MinorUnit => pb::CommissionIncrement::MinorUnit,
            Increment::QuarterChip => pb::CommissionIncrement::QuarterChip,
        }
        .into(),
    }
}

pub(super) fn push_rule(push: &PushEvent) -> pb::PushRule {
    pb::PushRule { condition: Some(condition(&push.condition)), foul_pushes: push.beats_foul }
}

/// Writes a condition, group by group.
pub(super) fn condition(condition: &Condition) -> pb::Condition {
    let groups = condition
        .groups()
        .map(|group| pb::TermGroup { terms: group.iter().map(ToString::to_string).collect() });
    pb::Condition { any_of: groups.collect() }
}

pub(super) fn double_down(terms: &DoubleDown) -> pb::DoubleDown {
    pb::DoubleDown { qualifying_pair: terms.qualifying_pair.letter().to_string() }
}

pub(super) fn banking(terms: &Banking) -> pb::Banking {
    pb::Banking {
        commission: Some(commission(&terms.commission)),
        bank_per_base: terms.bank_per_base,
    }
}

pub(super) fn fees(fees: &Fees) -> pb::Fees {
    let bands = |schedule: &FeeSchedule| {
        let bands = schedule.bands().iter();
        bands.map(|band| pb::FeeBand { up_to_minor: band.up_to, fee_minor: band.fee }).collect()
    };
    pb::Fees { player: bands(&fees.player), player_dealer: bands(&fees.player_dealer) }
}

/// Writes the facts that a sheet must or may have, by name.
pub(super) fn table_facts(rules: &Ruleset) -> Vec<pb::TableFact> {
    let (required, optional) = (rules.required_facts(), rules.optional_facts());
    let taken = |fact: &TableFact| required.contains(fact) || optional.contains(fact);
    let written = |fact: TableFact| {
        let range = rules.fact_range(fact);
        pb::TableFact {
            name: fact_name(fact).into(),
            required: required.contains(&fact),
            minimum: *range.start(),
            maximum: *range.end(),
        }
    };
    TableFact::ALL.into_iter().filter(taken).map(written).collect()
}

const fn fact_name(fact: TableFact) -> pb::TableFactName {
    match fact {
        TableFact::ActionPile => pb::TableFactName::ActionPile,
        TableFact::BankMinor => pb::TableFactName::BankMinor,
        TableFact::BankerSeat => pb::TableFactName::BankerSeat,
        TableFact::ChipMinor => pb::TableFactName::ChipMinor,
        TableFact::MeterMinor => pb::TableFactName::MeterMinor,
        TableFact::TableMaxMinor => pb::TableFactName::TableMaxMinor,
        TableFact::TableMinMinor => pb::TableFactName::TableMinMinor,
    }
}
