//! Every hand that holds some cards, by its spot.
//!
//! The spot of a hand depends on its ranks and on the cards of a flush. So the hands are taken by
//! their ranks. Each choice of ranks has the number of ways to choose its suits. Then the hands
//! with a flush are moved from the spot of their ranks to their own spot.

use std::iter;

use super::deck::{RepresentativeSet, SymmetricDeck};
use super::lookup::SpotLookup;
use paigow_rules::cards::{Card, Rank, Suit};

/// The cards of a flush, the joker included.
const FLUSH: usize = 5;

/// Calls `visit` with a spot and a number of hands, many times.
///
/// The numbers of each spot add up to the number of hands of `hand` cards that hold all of `set`. A
/// negative number is written in two's complement of 32 bits.
pub(super) fn each_holder<L: SpotLookup>(
    deck: &SymmetricDeck,
    set: RepresentativeSet,
    hand: usize,
    lookup: &L,
    visit: &mut impl FnMut(u32, u32),
) {
    let joker_left = deck.holds(Card::JOKER) && !set.holds(Card::JOKER);
    let left = Suit::ALL.map(|suit| deck.ranks_of(suit) & !set.ranks_of(suit));
    each_hand_from(left, joker_left, set, hand, lookup, visit);
}

/// Calls `visit` in the same way for the hands of `hand` cards that hold none of `others`.
pub(super) fn each_hand_without<L: SpotLookup>(
    deck: &SymmetricDeck,
    others: RepresentativeSet,
    hand: usize,
    lookup: &L,
    visit: &mut impl FnMut(u32, u32),
) {
    let joker_left = deck.holds(Card::JOKER) && !others.holds(Card::JOKER);
    let left = Suit::ALL.map(|suit| deck.ranks_of(suit) & !others.ranks_of(suit));
    each_hand_from(left, joker_left, deck.set_of([0; 4], false), hand, lookup, visit);
}

/// Calls `visit` in the same way for the hands of a set and of the remaining cards.
fn each_hand_from<L: SpotLookup>(
    left: [u16; 4],
    joker_left: bool,
    set: RepresentativeSet,
    hand: usize,
    lookup: &L,
    visit: &mut impl FnMut(u32, u32),
) {
    let jokers = if joker_left { 0..=1 } else { 0..=0 };
    let left_of_ranks = HolderRanks::of(left);
    for joker in jokers {
        let Some(more) = (hand - set.len()).checked_sub(joker) else { continue };
        let jokers = joker + usize::from(set.holds(Card::JOKER));
        let start =
            if jokers == 1 { lookup.plus(lookup.nothing(), Card::JOKER) } else { lookup.nothing() };
        let key = set_key(lookup, start, set, None);
        let by_rank = |key, rank| lookup.plus_rank(key, rank);
        each_choice(key, &by_rank, left_of_ranks.as_slice(), more, 1, &mut |key, hands| {
            visit(lookup.spot(key), hands);
        });
        for (suit, left_of_suit) in Suit::ALL.into_iter().zip(left) {
            let held = set.ranks_of(suit).count_ones() as usize + jokers;
            let needed = FLUSH.saturating_sub(held);
            if needed > more {
                continue;
            }
            let mut others = left;
            others[suit as usize] = 0;
            let others = HolderRanks::of(others);
            let keys = (set_key(lookup, start, set, Some(suit)), key);
            let both = |(suited, plain), rank| {
                (lookup.plus_rank(suited, rank), lookup.plus_rank(plain, rank))
            };
            for taken in needed..=more {
                each_subset(lookup, keys, suit, left_of_suit, taken, &mut |keys| {
                    each_choice(
                        keys,
                        &both,
                        others.as_slice(),
                        more - taken,
                        1,
                        &mut |keys, hands| {
                            let (suited, plain) = keys;
                            visit(lookup.spot(suited), hands);
                            visit(lookup.spot(plain), hands.wrapping_neg());
                        },
                    );
                });
            }
        }
    }
}

/// Adds the cards of a set except the joker to a key: those of the flush by card, the others by
/// rank.
fn set_key<L: SpotLookup>(
    lookup: &L,
    start: L::Key,
    set: RepresentativeSet,
    flush: Option<Suit>,
) -> L::Key {
    Suit::ALL.into_iter().fold(start, |key, suit| {
        ranks_in(set.ranks_of(suit)).fold(key, |key, rank| {
            if flush == Some(suit) {
                lookup.plus(key, Card::new(rank, suit))
            } else {
                lookup.plus_rank(key, rank)
            }
        })
    })
}

fn ranks_in(mut ranks: u16) -> impl Iterator<Item = Rank> {
    iter::from_fn(move || {
        let rank = Rank::ALL.get(ranks.trailing_zeros() as usize)?;
        ranks &= ranks - 1;
        Some(*rank)
    })
}

/// How many cards there are of each rank, without ranks that have none.
struct HolderRanks {
    counts: [(Rank, u32); 13],
    len: usize,
}

impl HolderRanks {
    fn of(suits: [u16; 4]) -> Self {
        let mut ranks = Self { counts: [(Rank::Two, 0); 13], len: 0 };
        let any = suits.into_iter().fold(0, |any, held| any | held);
        for rank in ranks_in(any) {
            let held = |suit: &u16| u32::from(suit >> rank.index() & 1);
            ranks.counts[ranks.len] = (rank, suits.iter().map(held).sum());
            ranks.len += 1;
        }
        ranks
    }

    fn as_slice(&self) -> &[(Rank, u32)] {
        &self.counts[..self.len]
    }
}

/// Calls `visit` with every key that `more` of the cards make of `key`. Multiplies `hands` by the
/// number of ways to choose their suits.
fn each_choice<K: Copy>(
    key: K,
    plus: &impl Fn(K, Rank) -> K,
    left: &[(Rank, u32)],
    more: usize,
    hands: u32,
    visit: &mut impl FnMut(K, u32),
) {
    if more == 0 {
        return visit(key, hands);
    }
    for (place, (rank, count)) in left.iter().enumerate() {
        let (mut key, mut ways) = (key, hands);
        for (taken, (of_rank, left_of_rank)) in (1..=more).zip((1..).zip((1..=*count).rev())) {
            key = plus(key, *rank);
            // Of each rank, at most four, `count` choose `taken` ways.
            ways = ways * left_of_rank / of_rank;
            each_choice(key, plus, &left[place + 1..], more - taken, ways, visit);
        }
    }
}

/// Calls `visit` with every pair of keys that `taken` of the cards of a suit make of
/// `keys`.
fn each_subset<L: SpotLookup>(
    lookup: &L,
    keys: (L::Key, L::Key),
    suit: Suit,
    ranks: u16,
    taken: usize,
    visit: &mut impl FnMut((L::Key, L::Key)),
) {
    if taken == 0 {
        return visit(keys);
    }
    for rank in ranks_in(ranks) {
        let (suited, plain) = keys;
        let keys = (lookup.plus(suited, Card::new(rank, suit)), lookup.plus_rank(plain, rank));
        // The ranks above this one.
        let rest = ranks & !(1 << rank.index()) & (u16::MAX << rank.index());
        each_subset(lookup, keys, suit, rest, taken - 1, visit);
    }
}
