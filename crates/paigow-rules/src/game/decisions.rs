//! The decisions that the rules accept.

use super::ruleset::Ruleset;
use super::settlement::{Decision, DecisionFault, DecisionRule, SettingChoice};
use super::table::WagerTable;
use crate::cards::{BySeat, Card, Seat};

/// Returns every fault of the decisions, by seat. A decision can be missing or needless, or name
/// cards that cannot be a low hand.
pub(super) fn faults<'h>(
    ruleset: &Ruleset,
    table: &WagerTable,
    hand: impl Fn(Seat) -> Option<&'h [Card]>,
    decisions: &BySeat<Decision>,
) -> Vec<DecisionFault> {
    let mut faults = Vec::new();
    for seat in Seat::ALL {
        let has_base = table.base_stake(seat).is_some();
        let mut add = |rule| faults.push(DecisionFault { seat, rule });
        let (decision, hand) = match (decisions.get(seat), hand(seat)) {
            (Some(decision), Some(hand)) if has_base => (decision, hand),
            (Some(_), _) => {
                add(DecisionRule::Unexpected);
                continue;
            }
            (None, _) => {
                if has_base {
                    add(DecisionRule::Missing);
                }
                continue;
            }
        };
        if decision.double_down && ruleset.double_down.is_none() {
            add(DecisionRule::DoubleDownUnexpected);
        }
        if let SettingChoice::Low(low) = &decision.setting {
            if table.banker() == Some(seat) {
                add(DecisionRule::BankerSetsByHouseWay);
            } else if let Some(rule) = low_fault(ruleset, hand, low) {
                add(rule);
            }
        }
    }
    faults
}

/// Returns why `low` cannot be the low hand of `hand`, if it cannot.
pub(super) fn low_fault(ruleset: &Ruleset, hand: &[Card], low: &[Card]) -> Option<DecisionRule> {
    if low.len() == ruleset.low_cards() {
        split(hand, low).err()
    } else {
        Some(DecisionRule::LowCount { cards: ruleset.low_cards() })
    }
}

/// Returns the five cards of `hand` that are not in `low`. `low` has as many cards as the game puts
/// there.
pub(super) fn split(hand: &[Card], low: &[Card]) -> Result<[Card; 5], DecisionRule> {
    if low.iter().enumerate().any(|(place, card)| low[..place].contains(card)) {
        return Err(DecisionRule::LowRepeated);
    }
    let mut rest = hand.iter().copied().filter(|card| !low.contains(card));
    // Five cards are left only if every card of the low hand was in the hand.
    match [(); 5].map(|()| rest.next()) {
        [Some(a), Some(b), Some(c), Some(d), Some(e)] if rest.next().is_none() => {
            Ok([a, b, c, d, e])
        }
        _ => Err(DecisionRule::LowNotDealt),
    }
}
