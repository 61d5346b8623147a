//! The spot of every hand of the full deck under a pair of house ways.

use super::lookup::ClassLookup;
use super::spots::{HeldHands, Spots};
use paigow_rules::cards::{Card, Suit};
use paigow_rules::game::SetHand;
use paigow_rules::hands::{HandClasses, HighHand, LowHand, Ranking};
use paigow_rules::house_way::HouseWay;

/// The hands of `N` cards, six or seven, as a player and the dealer set them.
///
/// A house way tests ranks and the suit of a flush only, as its proof shows. So the spot of a hand
/// depends on its class alone.
#[derive(Debug)]
pub struct Showdowns<const N: usize> {
    lookup: ClassLookup<N>,
    spots: Spots,
}

impl<const N: usize> Showdowns<N> {
    /// Sets a hand of every class by the ways of the player and of the dealer. The hands compare by
    /// `ranking`. The dealer's hands for which `is_marked` returns true are marked. It may test
    /// ranks and flushes only.
    ///
    /// Returns [`None`] if one of the ways does not set `N` cards.
    #[must_use]
    pub fn of(
        classes: &'static HandClasses<N>,
        player: &HouseWay,
        dealer: &HouseWay,
        ranking: Ranking,
        is_marked: impl Fn(&[Card; N], SetHand) -> bool,
    ) -> Option<Self> {
        let is_one_way = player.text() == dealer.text();
        let held = classes.all().map(|class| {
            let cards = classes.hand(class, Suit::ALL);
            let player = set(player, &cards, ranking)?;
            let dealer = if is_one_way { player } else { set(dealer, &cards, ranking)? };
            Some(HeldHands { player, dealer, is_marked: is_marked(&cards, dealer) })
        });
        let held: Vec<HeldHands> = held.collect::<Option<_>>()?;
        let (spots, numbers) = Spots::of(&held)?;
        Some(Self { lookup: ClassLookup::new(classes, numbers), spots })
    }

    /// Returns the spots of the hands.
    #[must_use]
    pub const fn spots(&self) -> &Spots {
        &self.spots
    }

    /// Returns the look-up from cards to their spot.
    #[must_use]
    pub const fn lookup(&self) -> &ClassLookup<N> {
        &self.lookup
    }
}

/// Returns the hands that a way sets some cards in.
pub(super) fn set(way: &HouseWay, cards: &[Card], ranking: Ranking) -> Option<SetHand> {
    let setting = way.set(cards)?;
    let high = HighHand::of(&setting.high, ranking);
    Some(SetHand { high, low: LowHand::of_cards(&setting.low, ranking)? })
}
