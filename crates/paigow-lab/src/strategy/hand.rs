//! A hand as the rules of a strategy see it.

use paigow_rules::cards::{Card, Rank};
use paigow_rules::game::{Ruleset, SplitHand};
use paigow_rules::house_way::{HouseWay, LowCards};

/// Six or seven cards, grouped by rank. The joker is an ace.
#[derive(Debug)]
pub(super) struct StrategyHand {
    /// The sizes of the groups of equal rank, the largest first.
    pub(super) sizes: Vec<usize>,
    /// The ranks of the groups of two or more, the largest group first, of equal ones the higher.
    pub(super) groups: Vec<Rank>,
    /// The ranks held once, the highest first.
    pub(super) singles: Vec<Rank>,
    /// The low hand by house way.
    pub(super) by_house_way: LowCards,
    /// The legal settings.
    legal: Vec<SplitHand>,
}

impl StrategyHand {
    /// Groups some distinct cards; [`None`] unless their number is that of the ruleset.
    pub(super) fn of(ruleset: &Ruleset, house_way: &HouseWay, cards: &[Card]) -> Option<Self> {
        let held = |rank: Rank| cards.iter().filter(|card| card.rank_or_ace() == rank).count();
        let mut groups: Vec<(usize, Rank)> =
            Rank::ALL.into_iter().map(|rank| (held(rank), rank)).collect();
        groups.retain(|(size, _)| *size > 0);
        groups.sort_unstable_by(|a, b| b.cmp(a));
        let ranks = |is_single: bool| {
            let of = groups.iter().filter(move |(size, _)| (*size == 1) == is_single);
            of.map(|(_, rank)| *rank).collect()
        };
        let mut legal = ruleset.every_split(cards);
        legal.retain(|split| !split.is_foul);
        Some(Self {
            sizes: groups.iter().map(|(size, _)| *size).collect(),
            groups: ranks(false),
            singles: ranks(true),
            by_house_way: LowCards::of(&house_way.set(cards)?.low)?,
            legal,
        })
    }

    /// Returns the low hand of cards of these ranks that leaves the highest high hand; [`None`] if
    /// there is no such legal setting.
    pub(super) fn low(&self, ranks: &[Rank]) -> Option<LowCards> {
        let mut wanted = ranks.to_vec();
        wanted.sort_unstable();
        let is_wanted = |split: &&SplitHand| {
            let mut ranks: Vec<Rank> = split.low.iter().map(|card| card.rank_or_ace()).collect();
            ranks.sort_unstable();
            ranks == wanted
        };
        let fitting = self.legal.iter().filter(is_wanted);
        fitting.max_by_key(|split| (split.high_hand, split.low_hand)).map(|split| split.low)
    }

    /// Returns the highest low hand that leaves a straight or better.
    pub(super) fn beside_complete(&self) -> Option<LowCards> {
        self.highest_beside_complete(|_| true)
    }

    /// Returns the highest pair in front of a straight or better.
    pub(super) fn pair_beside_complete(&self) -> Option<LowCards> {
        self.highest_beside_complete(|split| split.low_hand.pair_rank().is_some())
    }

    fn highest_beside_complete(&self, is_wanted: fn(&SplitHand) -> bool) -> Option<LowCards> {
        let complete = self.legal.iter().filter(|split| split.high_hand.is_complete());
        let wanted = complete.filter(|split| is_wanted(split));
        wanted.max_by_key(|split| (split.low_hand, split.high_hand)).map(|split| split.low)
    }

    /// Returns the setting with a low hand.
    pub(super) fn split(&self, low: LowCards) -> Option<&SplitHand> {
        self.legal.iter().find(|split| split.low == low)
    }
}
