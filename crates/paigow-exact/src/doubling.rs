//! The hands on which doubling down pays, exactly.
//!
//! The player who doubles knows his own cards. So each hand is weighed against all hands of the
//! cards that are left. That is the same inclusion and exclusion as for the pairs, hand by hand.
//! Each set S of cards of the hand adds `(-1)^|S|` times the hands with all of S that it beats, or
//! loses to. Hands that differ by a renaming of suits are weighed as one.

use std::fmt;
use std::ops::AddAssign;

use super::count::{CountPlan, CountTask, as_dealer, as_player};
use super::deck::RepresentativeSet;
use super::histogram::Histogram;
use super::holders::each_holder;
use super::lookup::SpotLookup;
use super::spots::Spots;
use super::sweep::beaten;
use paigow_rules::cards::Card;
use paigow_rules::game::{BaseOutcome, Fraction};

/// The hands on which doubling down pays, if a share of each win is kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DoubledHands {
    /// The share of a win that the house keeps.
    pub commission: Fraction,
    /// How many hands are doubled on.
    pub hands: u64,
    /// How many pairs of such a hand and one that puts the double down in action win.
    pub won: u128,
    /// How many such pairs lose.
    pub lost: u128,
}

impl DoubledHands {
    pub(super) fn parse(line: &str) -> Option<Self> {
        let ["doubled", commission, hands, won, lost] = line.split(' ').collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let (num, den) = commission.split_once('/')?;
        Some(Self {
            commission: Fraction::new(num.parse().ok()?, den.parse().ok()?)?,
            hands: hands.parse().ok()?,
            won: won.parse().ok()?,
            lost: lost.parse().ok()?,
        })
    }
}

impl fmt::Display for DoubledHands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commission, hands, won, lost } = self;
        write!(f, "doubled {commission} {hands} {won} {lost}")
    }
}

/// The player's hands up to a renaming of suits, with their numbers.
#[derive(Debug)]
pub struct PlayerHands {
    /// The ranks of each suit and the joker, and how many hands each stands for, in order.
    hands: Vec<(u64, u64)>,
    /// By the ranks of the first suit: the place of the first hand with them or higher.
    starts: Vec<usize>,
}

/// The bits below the ranks of the first suit.
const BELOW_FIRST: u32 = 3 * 13 + 1;

/// Packs a hand, a bit for each card by its number, so that renaming suits changes nothing.
fn packed(cards: u64) -> u64 {
    let mut suits = [0, 13, 26, 39].map(|first| cards >> first & 0x1fff);
    suits.sort_unstable_by(|a, b| b.cmp(a));
    suits.into_iter().fold(0, |bits, held| bits << 13 | held) << 1 | cards >> 52
}

impl PlayerHands {
    /// Lists the hands of a plan.
    pub(super) fn of(plan: &CountPlan) -> Self {
        let each = |set: RepresentativeSet| (packed(set.cards()), set.multiplicity());
        let mut hands: Vec<_> = plan.deck.sets(plan.hand).into_iter().map(each).collect();
        hands.sort_unstable();
        let starts = (0..=1 << 13)
            .map(|first| hands.partition_point(|(bits, _)| bits >> BELOW_FIRST < first))
            .collect();
        Self { hands, starts }
    }

    /// Returns the place of a hand, which is of the deck.
    fn place(&self, cards: u64) -> Option<usize> {
        let bits = packed(cards);
        let first = usize::try_from(bits >> BELOW_FIRST).ok()?;
        let (start, end) = (self.starts[first], self.starts[first + 1]);
        let among = self.hands[start..end].binary_search_by_key(&bits, |(bits, _)| *bits);
        among.ok().map(|place| start + place)
    }

    /// Returns empty sums for all hands.
    #[must_use]
    pub fn unweighed(&self) -> WeighedHands {
        WeighedHands(vec![(0, 0); self.hands.len()])
    }

    /// Finds the hands on which doubling down pays, from the sums of all tasks of the plan. A share
    /// of each win is kept.
    #[must_use]
    pub fn doubled(&self, weighed: &WeighedHands, commission: Fraction) -> DoubledHands {
        let mut doubled = DoubledHands { commission, hands: 0, won: 0, lost: 0 };
        for ((_, count), (won, lost)) in self.hands.iter().zip(&weighed.0) {
            let kept = commission.den() - commission.num();
            if i128::from(*won) * kept > i128::from(*lost) * commission.den() {
                doubled.hands += count;
                doubled.won += u128::from(won.unsigned_abs());
                doubled.lost += u128::from(lost.unsigned_abs());
            }
        }
        doubled
    }
}

/// The wins and losses of the player's hands against marked hands of the dealer.
///
/// They are summed over all hands that each stands for, with the signs of the parts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WeighedHands(Vec<(i64, i64)>);

impl AddAssign<&Self> for WeighedHands {
    fn add_assign(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(&other.0) {
            sum.0 += more.0;
            sum.1 += more.1;
        }
    }
}

impl CountPlan {
    /// Adds the results of one part for each hand to `weighed`.
    pub(super) fn weigh<L: SpotLookup>(
        &self,
        task: &CountTask,
        spots: &Spots,
        lookup: &L,
        hands: &PlayerHands,
        weighed: &mut WeighedHands,
    ) {
        let mut histogram = Histogram::new(spots.len());
        let mut held = Vec::new();
        let mut by_spot = vec![(0, 0); spots.len()];
        for set in self.sets_of(task) {
            each_holder(&self.deck, *set, self.hand, lookup, &mut |spot, hands| {
                histogram.add(spot, hands);
            });
            histogram.take(&mut held);
            let marked = as_dealer(&held, spots, |spot| spot.is_marked);
            if marked.is_empty() {
                continue;
            }
            let player = as_player(&held, spots);
            let mut results = player.iter().zip(beaten(&player, &marked)).peekable();
            for (spot, _) in &held {
                let place = spots.spots[*spot as usize].player;
                while results.next_if(|(point, _)| point.place() < place).is_some() {}
                if let Some((_, result)) = results.peek() {
                    by_spot[*spot as usize] = *result;
                }
            }
            let sign = if task.shared.is_multiple_of(2) { 1 } else { -1 };
            let weight = sign * set.multiplicity().cast_signed();
            let start = Holding::of(set, lookup);
            let cards: Vec<Card> = self.deck.cards().filter(|card| !set.holds(*card)).collect();
            let each = &mut |holding: &Holding<L::Key>| {
                let (won, lost) = by_spot[lookup.spot(holding.key) as usize];
                if let Some(place) = hands.place(holding.cards) {
                    weighed.0[place].0 += weight * i64::from(won);
                    weighed.0[place].1 += weight * i64::from(lost);
                }
            };
            each_hand(lookup, start, &cards, self.hand - task.shared, each);
        }
        if task.shared == 0 {
            self.weigh_themselves(spots, lookup, hands, weighed);
        }
    }

    /// Adds the result of each hand against itself: the part in which all cards are shared.
    fn weigh_themselves<L: SpotLookup>(
        &self,
        spots: &Spots,
        lookup: &L,
        hands: &PlayerHands,
        weighed: &mut WeighedHands,
    ) {
        let sign = if self.hand.is_multiple_of(2) { 1 } else { -1 };
        for set in self.deck.sets(self.hand) {
            let holding = Holding::of(&set, lookup);
            let spot = spots.spots[lookup.spot(holding.key) as usize];
            if let (true, Some(place)) = (spot.is_marked, hands.place(holding.cards)) {
                let weight = sign * set.multiplicity().cast_signed();
                match spot.outcome() {
                    BaseOutcome::Win => weighed.0[place].0 += weight,
                    BaseOutcome::Lose => weighed.0[place].1 += weight,
                    BaseOutcome::Push => {}
                }
            }
        }
    }
}

/// Some cards of a hand.
#[derive(Clone, Copy, Debug)]
struct Holding<K> {
    key: K,
    /// A bit for each card, by its number.
    cards: u64,
}

impl<K: Copy> Holding<K> {
    fn of<L: SpotLookup<Key = K>>(set: &RepresentativeSet, lookup: &L) -> Self {
        let cards = Card::all().filter(|card| set.holds(*card));
        let key = cards.fold(lookup.nothing(), |key, card| lookup.plus(key, card));
        Self { key, cards: set.cards() }
    }

    fn plus<L: SpotLookup<Key = K>>(self, lookup: &L, card: Card) -> Self {
        Self { key: lookup.plus(self.key, card), cards: self.cards | 1 << card.number() }
    }
}

/// Calls `visit` with every hand of what is held and `more` of the cards.
fn each_hand<L: SpotLookup>(
    lookup: &L,
    holding: Holding<L::Key>,
    cards: &[Card],
    more: usize,
    visit: &mut impl FnMut(&Holding<L::Key>),
) {
    if more == 0 {
        return visit(&holding);
    }
    for (place, card) in cards.iter().enumerate() {
        each_hand(lookup, holding.plus(lookup, *card), &cards[place + 1..], more - 1, visit);
    }
}
