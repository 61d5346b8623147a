//! `pokers`: the evaluator of OMPEval in Rust.

use std::hint::black_box;

use pokers::{CARDS, Hand};

use crate::measured::Numbers;

/// Deals hands of seven of 52 cards.
pub fn deal(hands: usize) -> Vec<Hand> {
    let mut numbers = Numbers::new();
    let hand = |cards: [u64; 7]| {
        cards.into_iter().fold(Hand::default(), |hand, card| hand + CARDS[card as usize])
    };
    (0..hands).map(|_| hand(numbers.seven(52))).collect()
}

pub fn at_random(dealt: &[Hand]) -> u64 {
    black_box(dealt.iter().fold(0_u64, |sum, hand| sum.wrapping_add(hand.evaluate().into())));
    dealt.len() as u64
}

/// Visits all 133,784,560 hands.
pub fn in_sequence() -> u64 {
    let (look_ups, sum) = visit();
    black_box(sum);
    look_ups
}

#[inline(never)]
fn visit() -> (u64, u64) {
    let deck = &CARDS;
    let (mut look_ups, mut sum) = (0, 0_u64);
    for a in 0..deck.len() {
        let one = Hand::default() + deck[a];
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
                                let value = (six + *card).evaluate();
                                sum = sum.wrapping_add(value.into());
                                look_ups += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    (look_ups, sum)
}
