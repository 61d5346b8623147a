//! The exact value of each legal setting of one hand.
//!
//! This is another way to the counts of best play. It uses no inclusion and exclusion, but all
//! hands of the dealer that the other cards make.

use std::cmp::Reverse;

use super::dealer::{DealerHands, DealerSpot};
use super::player::legal_settings;
use super::tables::DealerTable;
use super::{BestPlayTerms, Mark};
use crate::deck::SymmetricDeck;
use crate::histogram::Histogram;
use crate::holders::each_hand_without;
use paigow_rules::cards::{Card, CardSet};
use paigow_rules::game::{Fraction, Ruleset};
use paigow_rules::hands::{HandClasses, HighHand, LowHand};
use paigow_rules::house_way::HouseWay;

/// One legal setting of a hand, and how many hands of the dealer it wins and loses against.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SettingWorth {
    /// The cards of the low hand, in the order of the fresh deck.
    pub low: Vec<Card>,
    /// The value of the low hand.
    pub low_value: LowHand,
    /// The value of the high hand.
    pub high_value: HighHand,
    /// How many of the dealer's hands it wins against.
    pub won: u64,
    /// How many of them it loses against.
    pub lost: u64,
    /// How many of them it pushes against.
    pub pushed: u64,
    /// The same for those that put a double down in action, if doubling pays.
    pub doubled: Option<(u64, u64)>,
    /// The average net result for each unit of the stake.
    pub expectation: Fraction,
}

/// Weighs hands against all hands that the dealer can hold.
#[derive(Debug)]
pub struct HandWorths(WeighedCards);

#[derive(Debug)]
enum WeighedCards {
    Six(OneHand<6>),
    Seven(OneHand<7>),
}

impl HandWorths {
    /// Prepares to weigh hands of a ruleset's base game against `dealer`.
    ///
    /// Returns [`None`] if the way sets another number of cards than the ruleset deals, or if
    /// [`Mark::of`] refuses the ruleset.
    #[must_use]
    pub fn new(ruleset: &Ruleset, dealer: &HouseWay) -> Option<Self> {
        let (mark, terms) = (Mark::of(ruleset).ok()?, BestPlayTerms::of(ruleset)?);
        let deck = SymmetricDeck::full();
        Some(Self(if ruleset.hand_cards() == 6 {
            let is_marked = |cards: &[_; 6], set| mark.is_on(ruleset, cards, set);
            let classes = HandClasses::<6>::get();
            let dealer = DealerHands::of(classes, dealer, terms.ranking, is_marked)?;
            WeighedCards::Six(OneHand { deck, dealer, terms })
        } else {
            let is_marked = |cards: &[_; 7], set| mark.is_on(ruleset, cards, set);
            let classes = HandClasses::<7>::get();
            let dealer = DealerHands::of(classes, dealer, terms.ranking, is_marked)?;
            WeighedCards::Seven(OneHand { deck, dealer, terms })
        }))
    }

    /// Returns every legal setting of a hand against all hands of the dealer that the other cards
    /// make. The setting that is worth most comes first. Of two settings of equal worth, the one
    /// with the higher low hand comes first.
    ///
    /// Returns [`None`] unless the cards are distinct and as many as the ruleset deals.
    #[must_use]
    pub fn settings(&self, cards: &[Card]) -> Option<Vec<SettingWorth>> {
        CardSet::of(cards)?;
        match &self.0 {
            WeighedCards::Six(hand) => hand.settings(cards.try_into().ok()?),
            WeighedCards::Seven(hand) => hand.settings(cards.try_into().ok()?),
        }
    }

    /// Returns every legal setting of a hand against one hand of the dealer that the player sees, in
    /// the order of [`HandWorths::settings`].
    ///
    /// Returns [`None`] unless the cards of both hands are distinct and each hand has as many as the
    /// ruleset deals.
    #[must_use]
    pub fn settings_against(&self, cards: &[Card], dealer: &[Card]) -> Option<Vec<SettingWorth>> {
        CardSet::of(&[cards, dealer].concat())?;
        let (own, shown) = (cards, dealer);
        match &self.0 {
            WeighedCards::Six(hand) => {
                hand.settings_against(own.try_into().ok()?, shown.try_into().ok()?)
            }
            WeighedCards::Seven(hand) => {
                hand.settings_against(own.try_into().ok()?, shown.try_into().ok()?)
            }
        }
    }
}

/// The data that one hand of `N` cards is weighed with.
#[derive(Debug)]
pub(super) struct OneHand<const N: usize> {
    pub(super) deck: SymmetricDeck,
    pub(super) dealer: DealerHands<N>,
    pub(super) terms: BestPlayTerms,
}

impl<const N: usize> OneHand<N> {
    /// Returns every legal setting of distinct cards, the one that is worth most first.
    pub(super) fn settings(&self, cards: &[Card; N]) -> Option<Vec<SettingWorth>> {
        let mut ranks = [0_u16; 4];
        for card in cards {
            if let (Some(rank), Some(suit)) = (card.rank(), card.suit()) {
                ranks[suit as usize] |= 1 << rank.index();
            }
        }
        let held = self.deck.set_of(ranks, cards.contains(&Card::JOKER));
        let mut histogram = Histogram::new(self.dealer.spots.len());
        each_hand_without(&self.deck, held, N, &self.dealer.lookup, &mut |spot, hands| {
            histogram.add(spot, hands);
        });
        let mut others = Vec::new();
        histogram.take(&mut others);
        let spot = |(spot, hands): &(u32, u32)| (self.dealer.spots[*spot as usize], *hands);
        let others: Vec<(DealerSpot, u32)> = others.iter().map(spot).collect();
        self.weighed(cards, &others)
    }

    /// Returns every legal setting of a hand against a hand of the dealer, the best one first.
    fn settings_against(&self, cards: &[Card; N], dealer: &[Card; N]) -> Option<Vec<SettingWorth>> {
        self.weighed(cards, &[(self.dealer.of_cards(dealer), 1)])
    }

    /// Returns every legal setting of a hand against so many hands of each of some spots.
    fn weighed(
        &self,
        cards: &[Card; N],
        others: &[(DealerSpot, u32)],
    ) -> Option<Vec<SettingWorth>> {
        let all: i128 = others.iter().map(|(_, hands)| i128::from(*hands)).sum();
        let of = |is_in: &dyn Fn(&DealerSpot) -> bool| {
            let hands: Vec<_> = others.iter().filter(|(spot, _)| is_in(spot)).copied().collect();
            DealerTable::of(&hands, self.dealer.sizes())
        };
        let settled = of(&|spot| !(self.terms.pushes() && spot.is_marked));
        let marked = of(&|spot| spot.is_marked);
        let weigh = |(mut low, low_value, high_value): (Vec<Card>, _, _)| {
            let place = self.dealer.place(high_value, low_value);
            let (won, lost) = settled.weigh(place);
            let mut worth = self.terms.worth(won.into(), lost.into());
            let doubled = marked.weigh(place);
            let more = self.terms.worth(doubled.0.into(), doubled.1.into());
            let is_doubled = self.terms.doubles() && more > 0;
            if is_doubled {
                worth += more;
            }
            low.sort_unstable();
            Some(SettingWorth {
                low,
                low_value,
                high_value,
                won: won.into(),
                lost: lost.into(),
                pushed: u64::try_from(all - i128::from(won) - i128::from(lost)).ok()?,
                doubled: is_doubled.then_some((doubled.0.into(), doubled.1.into())),
                expectation: Fraction::new(worth, all.checked_mul(self.terms.pays.den())?)?,
            })
        };
        let mut settings: Vec<SettingWorth> =
            legal_settings(cards, self.terms.ranking).map(weigh).collect::<Option<_>>()?;
        settings.sort_by_key(|setting| Reverse((setting.expectation, setting.low_value)));
        Some(settings)
    }
}
