//! How hands are laid down: by the house way or by a seat's own decision.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::settlement::{
    Comparison, Decision, DecisionFault, DecisionRule, Outcome, SettingChoice, Shown,
};
use super::table::Table;
use crate::cards::{Card, Seat};
use crate::hands::{HighHand, LowHand, Wheel, is_foul};
use crate::house_way::HouseWay;

/// The cards of one position.
pub(super) type Hand = [Card; 7];

/// A hand laid down in two.
#[derive(Clone, Debug)]
pub(super) struct Laid {
    low_cards: [Card; 2],
    high_cards: [Card; 5],
    clause: Option<String>,
    pub(super) low: LowHand,
    pub(super) high: HighHand,
}

impl Laid {
    /// Lays down `hand` by the house way.
    pub(super) fn by_house_way(house_way: &HouseWay, hand: &Hand, wheel: Wheel) -> Self {
        let set = house_way.set(hand).expect("the way sets seven cards, and a deal has none twice");
        let low = <[Card; 2]>::try_from(&set.low[..]).expect("seven less five are two");
        Self::new(low, set.high, Some(set.clause.id()), wheel)
    }

    fn new(
        mut low_cards: [Card; 2],
        mut high_cards: [Card; 5],
        clause: Option<String>,
        wheel: Wheel,
    ) -> Self {
        low_cards.sort_unstable();
        high_cards.sort_unstable();
        let (low, high) = (LowHand::of(&low_cards), HighHand::of(&high_cards, wheel));
        Self { low_cards, high_cards, clause, low, high }
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

    pub(super) fn shown(&self) -> Shown {
        Shown {
            low: self.low_cards.to_vec(),
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

/// Returns what two comparisons come to: a win needs both hands, a push one.
pub(super) const fn outcome(high: Comparison, low: Comparison) -> Outcome {
    match (high, low) {
        (Comparison::Win, Comparison::Win) => Outcome::Win,
        (Comparison::Win, Comparison::Lose | Comparison::Copy)
        | (Comparison::Lose | Comparison::Copy, Comparison::Win) => Outcome::Push,
        (Comparison::Lose | Comparison::Copy, Comparison::Lose | Comparison::Copy) => Outcome::Lose,
    }
}

/// Lays down the hands of all seats with a base wager as they decided.
///
/// # Errors
///
/// If any decision is missing, is one too many, or names cards that cannot be a low
/// hand: every fault, by seat.
pub(super) fn lay_down(
    table: &Table,
    hands: &BTreeMap<Seat, Hand>,
    decisions: &BTreeMap<Seat, Decision>,
    house_way: &HouseWay,
    wheel: Wheel,
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
        if decision.double_down {
            faults.push(DecisionFault { seat, rule: DecisionRule::DoubleDownUnexpected });
        }
        let set = match &decision.setting {
            SettingChoice::HouseWay => Ok(Laid::by_house_way(house_way, hand, wheel)),
            SettingChoice::Low(low) => split(hand, low)
                .map(|(low_cards, high_cards)| Laid::new(low_cards, high_cards, None, wheel)),
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

/// Splits `hand` in the two cards of `low` and the five others.
fn split(hand: &Hand, low: &[Card]) -> Result<([Card; 2], [Card; 5]), DecisionRule> {
    let &[first, second] = low else {
        return Err(DecisionRule::LowCount);
    };
    if first == second {
        return Err(DecisionRule::LowRepeated);
    }
    let rest: Vec<Card> = hand.iter().copied().filter(|card| !low.contains(card)).collect();
    // Two different cards are gone from seven only if both were there.
    let high: [Card; 5] = rest.try_into().map_err(|_| DecisionRule::LowNotDealt)?;
    Ok(([first, second], high))
}
