//! The terms of a ruleset: commissions, fees, pushes, table facts.

use super::{count, fraction};
use paigow_proto::v1 as pb;
use paigow_rules::game::{
    Banking, BetSubject, BonusBet, Commission, Condition, Coverage, DeadHands, DealDirection,
    DealProcedure, DoubleDown, FeeSchedule, Fees, HandCondition, Increment, OneColour, PushEvent,
    Rounding, Ruleset, TableFact,
};
use paigow_rules::hands::Wheel;

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

/// Writes what decides a bet.
pub(super) const fn bet_subject(subject: BetSubject) -> pb::BetSubject {
    match subject {
        BetSubject::SeatHand => pb::BetSubject::SeatHand,
        BetSubject::DealerHand => pb::BetSubject::DealerHand,
        BetSubject::FirstThree => pb::BetSubject::FirstThree,
        BetSubject::Colour => pb::BetSubject::NamedColour,
        BetSubject::Showdown => pb::BetSubject::HouseWayHands,
    }
}

/// Returns how a bet reads its rows for hands of one colour.
pub(super) fn one_colour(bet: &BonusBet) -> pb::OneColourReading {
    match bet.rows.iter().find_map(|row| row.condition.reading()) {
        Some(OneColour::Any) => pb::OneColourReading::Any,
        Some(OneColour::NoPair) => pb::OneColourReading::NoPair,
        None => pb::OneColourReading::Unspecified,
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

/// Writes a push rule; [`None`] for a condition that no ruleset may name for the dealer.
pub(super) fn push_rule(push: &PushEvent) -> Option<pb::PushRule> {
    let Condition::Hand(hand) = push.condition else { return None };
    Some(pb::PushRule { condition: hand_condition(hand)?.into(), foul_pushes: push.beats_foul })
}

const fn hand_condition(condition: HandCondition) -> Option<pb::HandCondition> {
    use pb::HandCondition as Written;
    Some(match condition {
        HandCondition::LuhnTaoWheelWithAceQueen => Written::LuhnTaoWheelWithAceQueen,
        HandCondition::NaturalSevenCardStraightFlush => Written::NaturalSevenCardStraightFlush,
        HandCondition::RoyalFlushWithAceQueen => Written::RoyalFlushWithAceQueen,
        HandCondition::RoyalMatch => Written::RoyalMatch,
        HandCondition::JokerSevenCardStraightFlush => Written::JokerSevenCardStraightFlush,
        HandCondition::FiveAces => Written::FiveAces,
        HandCondition::LuhnTaoWheel => Written::LuhnTaoWheel,
        HandCondition::NaturalAceToFiveStraightFlush => Written::NaturalAceToFiveStraightFlush,
        HandCondition::RoyalFlush => Written::RoyalFlush,
        HandCondition::StraightFlush => Written::StraightFlush,
        HandCondition::FourOfAKind => Written::FourOfAKind,
        HandCondition::NineHigh => Written::NineHigh,
        HandCondition::TenHigh => Written::TenHigh,
        HandCondition::JackHigh => Written::JackHigh,
        HandCondition::QueenHigh => Written::QueenHigh,
        HandCondition::KingHigh => Written::KingHigh,
        HandCondition::AceHigh => Written::AceHigh,
        HandCondition::FullHouse => Written::FullHouse,
        HandCondition::Flush => Written::Flush,
        HandCondition::ThreeOfAKind => Written::ThreeOfAKind,
        HandCondition::Straight => Written::Straight,
        HandCondition::ThreePair => Written::ThreePair,
        HandCondition::TwoPair => Written::TwoPair,
        // A bet names how it reads these; a push has no bet.
        HandCondition::OneColour(_) | HandCondition::OneColourWithJoker(_) => return None,
    })
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
        TableFact::TableMaxMinor => pb::TableFactName::TableMaxMinor,
        TableFact::TableMinMinor => pb::TableFactName::TableMinMinor,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_that_a_push_may_name_is_written_by_its_name() {
        let mut seen = std::collections::BTreeSet::new();
        for cards in [6, 7] {
            // As the loader of rulesets takes them.
            for condition in Condition::all_for(BetSubject::DealerHand, cards, None) {
                let push = PushEvent { condition, beats_foul: true };
                let written = push_rule(&push).unwrap();
                let name = format!("HAND_CONDITION_{}", condition.name().to_uppercase());
                assert_eq!(written.condition().as_str_name(), name);
                assert!(written.foul_pushes);
                seen.insert(written.condition);
            }
        }
        assert_eq!(seen.len(), 23);
    }
}
