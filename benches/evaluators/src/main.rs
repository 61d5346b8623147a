//! Look-ups a second of the class table and of public evaluators, measured in turns in one
//! run on one thread. Compare the ratios.
//!
//! The evaluators rank seven of 52 cards. The class table has the joker. Beside the best five it gives
//! the facts of the bets, the values of both hands as a house way sets them, and the number of its
//! split. In sequence, every hand is visited once, with a card added to six. At random, hands are dealt
//! beforehand and their sums are known.


mod measured;
mod ours;
mod pokers_crate;
mod rs_poker_crate;

use measured::{Measured, median};

/// How many hands are dealt at random.
const DEALT: usize = 1 << 20;
/// How often all hands are looked up in one measurement. It is more than once because processor time
/// is counted in steps of some milliseconds.
const ROUNDS: u64 = 48;
/// How often each is measured.
const TURNS: usize = 5;

/// A subject of measurement: a name, and a function that returns how many look-ups it made.
type Subject<'a> = (&'static str, Box<dyn Fn() -> u64 + 'a>);

fn main() {
    let ours = ours::Table::make("trump-plaza");
    let dealt = ours::deal(DEALT);
    let of_52 = pokers_crate::deal(DEALT);
    let rs_of_52 = rs_poker_crate::deal(DEALT);
    let in_sequence: [Subject<'_>; 3] = [
        ("paigow", Box::new(|| ours.in_sequence())),
        ("pokers 0.10.0", Box::new(pokers_crate::in_sequence)),
        ("rs_poker 5.0.0", Box::new(rs_poker_crate::in_sequence)),
    ];
    let at_random: [Subject<'_>; 4] = [
        ("paigow", Box::new(|| ours.at_random(&dealt))),
        ("paigow, class alone", Box::new(|| ours.classes_at_random(&dealt))),
        ("pokers 0.10.0", Box::new(|| pokers_crate::at_random(&of_52))),
        ("rs_poker 5.0.0", Box::new(|| rs_poker_crate::at_random(&rs_of_52))),
    ];
    tell("in sequence", 1, &in_sequence);
    tell("at random", ROUNDS, &at_random);
}

/// Measures the subjects in turns and writes the median of each, and its ratio to the
/// first one.
fn tell(how: &str, rounds: u64, subjects: &[Subject<'_>]) {
    let mut measured: Vec<Vec<Measured>> = vec![Vec::new(); subjects.len()];
    for _ in 0..TURNS {
        for ((_, run), measured) in subjects.iter().zip(&mut measured) {
            measured.push(Measured::of(|| (0..rounds).map(|_| run()).sum()));
        }
    }
    let rates: Vec<u64> = measured.iter().map(|measured| median(measured)).collect();
    for ((name, _), rate) in subjects.iter().zip(&rates) {
        let percent = 100 * rates[0] / rate.max(&1);
        println!("{how:<12} {name:<20} {rate:>6} M/s   paigow is {percent:>4} % of it");
    }
}
