//! A seat's high and low hand, set by the house way or by its own decision, compared with the
//! dealer's.

use std::cmp::Ordering;

use super::bets::{SetHand, Showdown};
use super::decisions;
use super::ruleset::Ruleset;
use super::settlement::{Comparison, DecisionRule, SettingChoice, ShownHand, SplitHand};
use crate::cards::Card;
use crate::hands::{HighHand, LowHand, Ranking, is_foul};
use crate::house_way::{CitedClause, HouseWay, LowCards, Setting};

/// A hand laid down in two.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaidHand<'a> {
    low_cards: LowCards,
    /// In the order of the fresh deck.
    high_cards: [Card; 5],
    /// The clause that decided, if the house way set the hand.
    clause: Option<CitedClause<'a>>,
    pub(super) low: LowHand,
    pub(super) high: HighHand,
    /// Whether the low hand outranks the high hand.
    pub(super) is_foul: bool,
}

impl<'a> LaidHand<'a> {
    /// Lays down `hand` by the house way, which ranks hands as the ruleset does. Returns [`None`]
    /// if the way does not set such a hand.
    #[inline(always)]
    pub(super) fn by_house_way(house_way: &'a HouseWay, hand: &[Card]) -> Option<Self> {
        let Setting { low, high, low_value, high_value, clause } = house_way.set(hand)?;
        Some(Self::new((low, low_value), (high, high_value), Some(clause)))
    }

    /// Lays down `hand` as its seat decided. Returns [`None`] if the house way does not set such a
    /// hand, or if the decision has one of the [faults](super::decisions::faults).
    #[inline]
    pub(super) fn as_decided(
        house_way: &'a HouseWay,
        hand: &[Card],
        setting: &SettingChoice,
    ) -> Option<Self> {
        match setting {
            SettingChoice::HouseWay => Self::by_house_way(house_way, hand),
            SettingChoice::Low(low) => Self::as_chosen(hand, low, house_way.ranking()),
        }
    }

    /// Lays down the low hand that a player chose, and the other cards behind it.
    fn as_chosen(hand: &[Card], low: &[Card], ranking: Ranking) -> Option<Self> {
        let mut high = decisions::split(hand, low).ok()?;
        high.sort_unstable();
        let low = LowCards::of(low)?;
        Some(Self::new((low, low.value(ranking)), (high, HighHand::of(&high, ranking)), None))
    }

    /// Returns the setting by itself.
    const fn split(&self) -> SplitHand {
        let Self { low_cards, high_cards, low, high, is_foul, .. } = *self;
        SplitHand { low: low_cards, high: high_cards, low_hand: low, high_hand: high, is_foul }
    }

    #[inline(always)]
    fn new(
        (low_cards, low): (LowCards, LowHand),
        (high_cards, high): ([Card; 5], HighHand),
        clause: Option<CitedClause<'a>>,
    ) -> Self {
        Self { low_cards, high_cards, clause, low, high, is_foul: is_foul(low, high) }
    }

    /// Compares the high and the low hand with those of the dealer or banker, who
    /// wins copies. A foul hand loses both.
    #[inline(always)]
    pub(super) fn compare_with(&self, dealer: &LaidHand<'_>) -> (Comparison, Comparison) {
        if self.is_foul {
            return (Comparison::Lose, Comparison::Lose);
        }
        (comparison(self.high.cmp(&dealer.high)), comparison(self.low.cmp(&dealer.low)))
    }

    /// Returns the values of both hands.
    pub(super) const fn set_hand(&self) -> SetHand {
        SetHand { high: self.high, low: self.low }
    }

    /// Returns the evidence for a bet on both hands, which the house way sets.
    pub(super) fn showdown(&self, dealer: &LaidHand<'_>) -> Showdown {
        let (high, low) = self.compare_with(dealer);
        Showdown { high, low, seat: self.set_hand(), dealer: dealer.set_hand() }
    }

    #[inline(always)]
    pub(super) fn shown(&self) -> ShownHand {
        ShownHand {
            low: self.low_cards,
            high: self.high_cards,
            low_category: self.low.category(),
            high_category: self.high.category(),
            clause: self.clause.map(|clause| clause.id()),
            by_house_way: self.clause.is_some(),
        }
    }
}

/// Lays down `low` of `hand`, as a decision of a seat would.
///
/// # Errors
///
/// Returns the rule that such a decision breaks.
pub(super) fn split(
    ruleset: &Ruleset,
    hand: &[Card],
    low: &[Card],
) -> Result<SplitHand, DecisionRule> {
    if let Some(rule) = decisions::low_fault(ruleset, hand, low) {
        return Err(rule);
    }
    let laid = LaidHand::as_chosen(hand, low, ruleset.ranking());
    laid.map(|laid| laid.split()).ok_or(DecisionRule::LowNotDealt)
}

/// Lays down every low hand of `hand`, in the order of the fresh deck.
pub(super) fn every_split(ruleset: &Ruleset, hand: &[Card]) -> Vec<SplitHand> {
    let mut cards = hand.to_vec();
    cards.sort_unstable();
    if cards.windows(2).any(|pair| pair[0] == pair[1]) {
        return Vec::new();
    }
    let lows: Vec<Vec<Card>> = match ruleset.low_cards() {
        1 => cards.iter().map(|card| vec![*card]).collect(),
        _ => cards
            .iter()
            .enumerate()
            .flat_map(|(place, a)| cards[place + 1..].iter().map(|b| vec![*a, *b]))
            .collect(),
    };
    lows.iter().filter_map(|low| split(ruleset, hand, low).ok()).collect()
}

const fn comparison(order: Ordering) -> Comparison {
    match order {
        Ordering::Greater => Comparison::Win,
        Ordering::Equal => Comparison::Copy,
        Ordering::Less => Comparison::Lose,
    }
}
