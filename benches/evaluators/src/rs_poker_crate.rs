//! `rs_poker`: its evaluator of up to seven cards.

use std::hint::black_box;

use rs_poker::core::{Card, Rank, SevenCardAccum as Hand};

use crate::measured::Numbers;

/// Deals hands of seven of 52 cards.
pub fn deal(hands: usize) -> Vec<Hand> {
    let deck = deck();
    let mut numbers = Numbers::new();
    let hand = |cards: [u64; 7]| {
        cards.into_iter().fold(Hand::new(), |hand, card| hand + deck[card as usize])
    };
    (0..hands).map(|_| hand(numbers.seven(52))).collect()
}

pub fn at_random(dealt: &[Hand]) -> u64 {
    black_box(dealt.iter().fold(some(), |best, hand| best.max(hand.rank())));
    dealt.len() as u64
}

/// Returns the value of some hand.
fn some() -> Rank {
    deck().into_iter().take(7).fold(Hand::new(), |hand, card| hand + card).rank()
}

fn deck() -> Vec<Card> {
    (0..52).map(Card::from).collect()
}

/// Visits all 133,784,560 hands.
pub fn in_sequence() -> u64 {
    let (look_ups, best) = visit();
    black_box(best);
    look_ups
}

#[inline(never)]
fn visit() -> (u64, Rank) {
    let deck = deck();
    let (mut look_ups, mut best) = (0, some());
    for a in 0..deck.len() {
        let one = Hand::new() + deck[a];
        for b in 0..a {
            let two = one + deck[b];
            for c in 0..b {
                let three = two + deck[c];
                for d in 0..c {
                    let four = three + deck[d];
                    for e in 0..d {
                        let five = four + deck[e];
                        for f in 0..e {
                            let six = five + deck[f];
                            for card in &deck[..f] {
                                best = best.max((six + *card).rank());
                                look_ups += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    (look_ups, best)
}
