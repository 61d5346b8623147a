//! The class table and a compiled house way.

use std::hint::black_box;

use paigow_rules::cards::Card;
use paigow_rules::hands::{CardKey, HandClasses, HandKey};
use paigow_rules::house_way::{self, CompiledSetting, CompiledWay};
use crate::measured::Numbers;

pub struct Table {
    classes: &'static HandClasses<7>,
    way: CompiledWay,
}

impl Table {
    pub fn make(way: &str) -> Self {
        let way = paigow_rules::house_way::shipped().iter().find(|shipped| shipped.id() == way);
        Self { classes: HandClasses::<7>::get(), way: way.expect("a shipped way").compile() }
    }

    /// Visits all 154,143,080 hands.
    pub fn in_sequence(&self) -> u64 {
        let (look_ups, sum) = visit(self.classes, self.way.answers());
        black_box(sum);
        look_ups
    }

    /// Looks up hands that are dealt.
    pub fn at_random(&self, dealt: &[HandKey]) -> u64 {
        let answers = self.way.answers();
        let answer = |key: &HandKey| answers[self.classes.class(*key).index()].bits();
        black_box(dealt.iter().fold(0_u64, |sum, key| sum.wrapping_add(answer(key))));
        dealt.len() as u64
    }

    /// Looks up only their classes, without the facts of these.
    pub fn classes_at_random(&self, dealt: &[HandKey]) -> u64 {
        let class = |key: &HandKey| self.classes.class(*key).index();
        black_box(dealt.iter().fold(0_usize, |sum, key| sum.wrapping_add(class(key))));
        dealt.len() as u64
    }
}

/// Deals hands of seven of 53 cards.
pub fn deal(hands: usize) -> Vec<HandKey> {
    let deck: Vec<Card> = Card::all().collect();
    let mut numbers = Numbers::new();
    (0..hands).map(|_| HandKey::of(&numbers.seven(53).map(|card| deck[card as usize]))).collect()
}

#[inline(never)]
fn visit(classes: &HandClasses<7>, answers: &[CompiledSetting]) -> (u64, u64) {
    let deck: Vec<CardKey> = Card::all().map(CardKey::of).collect();
    let (mut look_ups, mut sum) = (0, 0_u64);
    for a in 0..deck.len() {
        let one = HandKey::EMPTY.plus_key(deck[a]);
        for b in 0..a {
            let two = one.plus_key(deck[b]);
            for c in 0..b {
                let three = two.plus_key(deck[c]);
                for d in 0..c {
                    let four = three.plus_key(deck[d]);
                    for e in 0..d {
                        let five = four.plus_key(deck[e]);
                        for f in 0..e {
                            let six = five.plus_key(deck[f]);
                            let answer = |card: &CardKey| {
                                answers[classes.class(six.plus_key(*card)).index()].bits()
                            };
                            sum = deck[..f].iter().map(answer).fold(sum, u64::wrapping_add);
                            look_ups += f as u64;
                        }
                    }
                }
            }
        }
    }
    (look_ups, sum)
}
