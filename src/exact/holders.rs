//! Every hand that holds some cards, by what they come to.
//!
//! What a hand comes to is a matter of its ranks and of the cards of a flush. So the hands
//! are taken by their ranks, each choice of ranks with the number of ways to choose their
//! suits; and then those with a flush are moved from where their ranks put them to where
//! they belong.

use super::count::Lookup;
use super::deck::{CardSet, Deck};
use crate::cards::{Card, Rank, Suit};

/// The cards of a flush, the joker included.
const FLUSH: usize = 5;

/// Calls `visit` with a spot and a number of hands, time after time, so that the numbers
/// of each spot add up to how many hands of `hand` cards hold all of `set`. Numbers below
/// 0 are as of 32 bits in two's complement.
pub(super) fn each_holder<L: Lookup>(
    deck: &Deck,
    set: CardSet,
    hand: usize,
    lookup: &L,
    visit: &mut impl FnMut(u32, u32),
) {
    let (held, left): (Vec<Card>, Vec<Card>) = deck.cards().partition(|card| set.holds(*card));
    let jokers = if left.contains(&Card::JOKER) { 0..=1 } else { 0..=0 };
    for joker in jokers {
        let Some(more) = (hand - held.len()).checked_sub(joker) else { continue };
        let held: Vec<Card> =
            held.iter().copied().chain((joker == 1).then_some(Card::JOKER)).collect();
        let by_ranks = |key, rank| lookup.plus_rank(key, rank);
        let key = held.iter().fold(lookup.nothing(), |key, card| match card.rank() {
            Some(rank) => lookup.plus_rank(key, rank),
            None => lookup.plus(key, *card),
        });
        each_choice(key, &by_ranks, &by_rank(&left, None), more, 1, &mut |key, hands| {
            visit(lookup.spot(key), hands);
        });
        for suit in Suit::ALL {
            let keys = held.iter().fold((lookup.nothing(), lookup.nothing()), |keys, card| {
                plus_card(lookup, keys, *card, suit)
            });
            let others = |card: &&Card| card.suit().is_some_and(|other| other != suit);
            let needed = (FLUSH + held.iter().filter(others).count()).saturating_sub(held.len());
            let suited: Vec<Card> =
                left.iter().copied().filter(|card| card.suit() == Some(suit)).collect();
            let others = by_rank(&left, Some(suit));
            let both = |(suited, plain), rank| {
                (lookup.plus_rank(suited, rank), lookup.plus_rank(plain, rank))
            };
            for taken in needed..=more {
                each_subset(lookup, keys, &suited, taken, &mut |keys| {
                    each_choice(keys, &both, &others, more - taken, 1, &mut |keys, hands| {
                        let (suited, plain) = keys;
                        visit(lookup.spot(suited), hands);
                        visit(lookup.spot(plain), hands.wrapping_neg());
                    });
                });
            }
        }
    }
}

/// Adds a card to the key that tells the cards of `suit`, and to that which tells ranks
/// alone.
fn plus_card<L: Lookup>(
    lookup: &L,
    (suited, plain): (L::Key, L::Key),
    card: Card,
    suit: Suit,
) -> (L::Key, L::Key) {
    match card.rank() {
        None => (lookup.plus(suited, card), lookup.plus(plain, card)),
        Some(rank) if card.suit() == Some(suit) => {
            (lookup.plus(suited, card), lookup.plus_rank(plain, rank))
        }
        Some(rank) => (lookup.plus_rank(suited, rank), lookup.plus_rank(plain, rank)),
    }
}

/// Returns how many of the cards there are of each rank, those of a suit and the joker
/// aside; only ranks of which there are any.
fn by_rank(cards: &[Card], aside: Option<Suit>) -> Vec<(Rank, u32)> {
    let of = |rank| {
        let is_of = |card: &&Card| card.rank() == Some(rank) && card.suit() != aside;
        (rank, cards.iter().filter(is_of).fold(0, |count, _| count + 1))
    };
    Rank::ALL.into_iter().map(of).filter(|(_, count)| *count > 0).collect()
}

/// Calls `visit` with every key that `more` of the cards make of `key`, and with `hands`
/// times the number of ways to choose their suits.
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
        for taken in 1..=(*count).min(more as u32) {
            key = plus(key, *rank);
            ways = ways * (count + 1 - taken) / taken;
            each_choice(key, plus, &left[place + 1..], more - taken as usize, ways, visit);
        }
    }
}

/// Calls `visit` with every pair of keys that `taken` of the cards, all of one suit, make
/// of `keys`.
fn each_subset<L: Lookup>(
    lookup: &L,
    keys: (L::Key, L::Key),
    cards: &[Card],
    taken: usize,
    visit: &mut impl FnMut((L::Key, L::Key)),
) {
    if taken == 0 {
        return visit(keys);
    }
    for (place, card) in cards.iter().enumerate() {
        if let (Some(rank), (suited, plain)) = (card.rank(), keys) {
            let keys = (lookup.plus(suited, *card), lookup.plus_rank(plain, rank));
            each_subset(lookup, keys, &cards[place + 1..], taken - 1, visit);
        }
    }
}
