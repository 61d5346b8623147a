//! The places of set hands in the order of all hands.

use std::cmp::Ordering;

use super::place::SpotPlace;
use super::sweep::LOW_HANDS;
use paigow_rules::cards::Rank;
use paigow_rules::game::{BaseOutcome, Comparison, SetHand};
use paigow_rules::hands::LowHand;

/// The hands that some cards make for a player and for the dealer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct HeldHands {
    /// As the player sets them.
    pub player: SetHand,
    /// As the dealer sets them.
    pub dealer: SetHand,
    /// Whether pairs are counted separately if the dealer holds them.
    pub is_marked: bool,
}

/// The places of the hands that some cards make.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Spot {
    pub(super) player: SpotPlace,
    pub(super) dealer: SpotPlace,
    pub(super) is_marked: bool,
}

impl Spot {
    /// Compares the player's hands with the dealer's if both hold the same cards.
    pub(super) fn compared(&self) -> (Comparison, Comparison) {
        let of = |order| match order {
            Ordering::Greater => Comparison::Win,
            Ordering::Equal => Comparison::Copy,
            Ordering::Less => Comparison::Lose,
        };
        let Self { player, dealer, .. } = self;
        (of(player.high.cmp(&dealer.high)), of(player.low.cmp(&dealer.low)))
    }

    /// Returns the outcome of that comparison.
    pub(super) fn outcome(&self) -> BaseOutcome {
        let (high, low) = self.compared();
        BaseOutcome::of(high, low)
    }
}

/// All spots that cards can have under a pair of house ways, numbered by rising hands of the
/// player.
#[derive(Clone, Debug)]
pub struct Spots {
    pub(super) spots: Vec<Spot>,
    /// The place of the lowest low hand that is counted separately: a pair of threes.
    pub(super) low_bound: u8,
    /// Whether player and dealer set every hand alike.
    pub(super) is_one_way: bool,
}

impl Spots {
    /// Numbers the hands, each as `held` has them. Returns the numbering, and the number of each in
    /// the order of `held`.
    ///
    /// Returns [`None`] if there are more high or low hands than the games have.
    #[must_use]
    pub fn of(held: &[HeldHands]) -> Option<(Self, Vec<u32>)> {
        let set = || held.iter().flat_map(|held| [held.player, held.dealer]);
        let highs = in_order(set().map(|set| set.high));
        let lows = in_order(set().map(|set| set.low));
        if lows.len() > LOW_HANDS || highs.len() > usize::from(i16::MAX.cast_unsigned()) {
            return None;
        }
        let place = |set: SetHand| {
            let high = highs.binary_search(&set.high).ok()?;
            let low = lows.binary_search(&set.low).ok()?;
            Some(SpotPlace { high: high.try_into().ok()?, low: low.try_into().ok()? })
        };
        let spot = |held: &HeldHands| {
            let (player, dealer) = (place(held.player)?, place(held.dealer)?);
            Some(Spot { player, dealer, is_marked: held.is_marked })
        };
        let each: Vec<Spot> = held.iter().map(spot).collect::<Option<_>>()?;
        let spots = in_order(each.iter().copied());
        let number = |spot| u32::try_from(spots.binary_search(spot).ok()?).ok();
        let numbers = each.iter().map(number).collect::<Option<_>>()?;
        let is_below = |low: &LowHand| low.pair_rank().is_none_or(|rank| rank < Rank::Three);
        let low_bound = u8::try_from(lows.partition_point(is_below)).ok()?;
        let is_one_way = each.iter().all(|spot| spot.player == spot.dealer);
        Some((Self { spots, low_bound, is_one_way }, numbers))
    }

    /// Returns how many spots there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    /// Returns whether there are no spots.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }
}

/// Returns each of some values once, the lowest first.
pub(super) fn in_order<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}
