//! How hands are laid down: by the house way or by a seat's own decision.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::bets::Showdown;
use super::ruleset::Ruleset;
use super::settlement::{
    Comparison, Decision, DecisionFault, DecisionRule, Outcome, SettingChoice, Shown,
};
use super::table::Table;
use crate::cards::{Card, Seat};
use crate::hands::{HighHand, LowHand, Wheel, is_foul};
use crate::house_way::HouseWay;

/// A hand laid down in two.
#[derive(Clone, Debug)]
pub(super) struct Laid {
    low_cards: Vec<Card>,
    high_cards: [Card; 5],
    clause: Option<String>,
    pub(super) low: LowHand,
    pub(super) high: HighHand,
}

impl Laid {
    /// Lays down `hand` by the house way; nothing if the way sets no such hand.
    pub(super) fn by_house_way(house_way: &HouseWay, hand: &[Card], wheel: Wheel) -> Option<Self> {
        let set = house_way.set(hand)?;
        Self::new(set.low.to_vec(), set.high, Some(set.clause.id()), wheel)
    }

    fn new(
        mut low_cards: Vec<Card>,
        mut high_cards: [Card; 5],
        clause: Option<String>,
        wheel: Wheel,
    ) -> Option<Self> {
        low_cards.sort_unstable();
        high_cards.sort_unstable();
        let low = LowHand::of_cards(&low_cards)?;
        Some(Self { low, high: HighHand::of(&high_cards, wheel), low_cards, high_cards, clause })
    }

    /// Whether the low hand outranks the high hand.
    pub(super) fn is_foul(&self) -> bool {
        is_foul(self.low, self.high)
    }

    /// Compares the high and the low hand with those of the dealer or banker, who
    /// wins copies. A foul hand loses both.
    pub(super) fn against(&self, dealer: &Self) -> (Comparison, Comparison) {
        if self.is_foul() {
            return (Comparison::Lose, Comparison::Lose);
        }
        (comparison(self.high.cmp(&dealer.high)), comparison(self.low.cmp(&dealer.low)))
    }

    /// Returns what a bet on both hands, set by the house way, is judged on.
    pub(super) fn showdown(&self, dealer: &Self) -> Showdown {
        let (high, low) = self.against(dealer);
        Showdown { outcome: Outcome::of(high, low), seat_low: self.low, dealer_low: dealer.low }
    }

    pub(super) fn shown(&self) -> Shown {
        Shown {
            low: self.low_cards.clone(),
            high: self.high_cards.to_vec(),
            low_category: self.low.category(),
            high_category: self.high.category(),
            clause: self.clause.clone(),
            by_house_way: self.clause.is_some(),
        }
    }
}

const fn comparison(order: Ordering) -> Comparison {
    match order {
        Ordering::Greater => Comparison::Win,
        Ordering::Equal => Comparison::Copy,
        Ordering::Less => Comparison::Lose,
    }
}

/// Lays down the hands of all seats with a base wager as they decided.
///
/// # Errors
///
/// If any decision is missing, is one too many, or names cards that cannot be a low
/// hand: every fault, by seat.
pub(super) fn lay_down(
    ruleset: &Ruleset,
    table: &Table,
    hands: &BTreeMap<Seat, Vec<Card>>,
    decisions: &BTreeMap<Seat, Decision>,
    house_way: &HouseWay,
) -> Result<BTreeMap<Seat, Laid>, Vec<DecisionFault>> {
    let mut faults = Vec::new();
    let mut laid = BTreeMap::new();
    for seat in (0..=7).filter_map(Seat::new) {
        let has_base = table.base_stake(seat).is_some();
        let (decision, hand) = match (decisions.get(&seat), hands.get(&seat)) {
            (Some(decision), Some(hand)) if has_base => (decision, hand),
            (Some(_), _) => {
                faults.push(DecisionFault { seat, rule: DecisionRule::Unexpected });
                continue;
            }
            (None, _) => {
                if has_base {
                    faults.push(DecisionFault { seat, rule: DecisionRule::Missing });
                }
                continue;
            }
        };
        if decision.double_down && ruleset.double_down.is_none() {
            faults.push(DecisionFault { seat, rule: DecisionRule::DoubleDownUnexpected });
        }
        let low_count = DecisionRule::LowCount { cards: ruleset.low_cards() };
        let set = match &decision.setting {
            SettingChoice::HouseWay => {
                Laid::by_house_way(house_way, hand, ruleset.wheel).ok_or(low_count)
            }
            SettingChoice::Low(_) if table.banker() == Some(seat) => {
                Err(DecisionRule::BankerSetsByHouseWay)
            }
            SettingChoice::Low(low) if low.len() != ruleset.low_cards() => Err(low_count),
            SettingChoice::Low(low) => split(hand, low).and_then(|high| {
                Laid::new(low.clone(), high, None, ruleset.wheel).ok_or(low_count)
            }),
        };
        match set {
            Ok(set) => {
                laid.insert(seat, set);
            }
            Err(rule) => faults.push(DecisionFault { seat, rule }),
        }
    }
    if faults.is_empty() { Ok(laid) } else { Err(faults) }
}

/// Returns the five cards of `hand` that are not in `low`, which has as many as the
/// game puts there.
fn split(hand: &[Card], low: &[Card]) -> Result<[Card; 5], DecisionRule> {
    if low.iter().enumerate().any(|(place, card)| low[..place].contains(card)) {
        return Err(DecisionRule::LowRepeated);
    }
    let rest: Vec<Card> = hand.iter().copied().filter(|card| !low.contains(card)).collect();
    // So many different cards are gone only if all of them were there.
    rest.try_into().map_err(|_| DecisionRule::LowNotDealt)
}
