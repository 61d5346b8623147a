//! Generators with a planted flaw: the battery has to find each of them.

use std::collections::BTreeSet;
use std::sync::Mutex;

use indicatif::ProgressBar;

use super::generator::{Generator, Production};
use super::plan::{CheckPlan, CheckRun, CheckTest};
use super::verdict::{TestFailure, judge};
use super::{decks, raw, scaled};
use paigow_fairness::secret::RoundSeed;
use paigow_fairness::shuffle;
use paigow_rules::cards::{Card, DECK_LEN};

/// A generator of production with some functions replaced.
#[derive(Default)]
struct Flawed {
    block: Option<fn(&RoundSeed) -> [u32; 16]>,
    draw: Option<fn(&RoundSeed, u64, usize) -> u64>,
    deck: Option<fn(&RoundSeed) -> Vec<usize>>,
    dice: Option<fn(&RoundSeed) -> [u8; 3]>,
}

impl Generator for Flawed {
    fn block(&self, seed: &RoundSeed) -> [u32; 16] {
        self.block.map_or_else(|| Production.block(seed), |block| block(seed))
    }

    fn draws(&self, seed: &RoundSeed, bound: u64, draws: &mut [usize]) {
        let Some(one) = self.draw else { return Production.draws(seed, bound, draws) };
        for (place, draw) in draws.iter_mut().enumerate() {
            *draw = usize::try_from(one(seed, bound, place)).unwrap();
        }
    }

    fn deck(&self, seed: &RoundSeed) -> [Card; DECK_LEN] {
        self.deck.map_or_else(|| Production.deck(seed), |deck| cards(&deck(seed)))
    }

    fn dice(&self, seed: &RoundSeed) -> [u8; 3] {
        self.dice.map_or_else(|| Production.dice(seed), |dice| dice(seed))
    }
}

fn cards(numbers: &[usize]) -> [Card; DECK_LEN] {
    let card = |number: &usize| Card::from_number(u8::try_from(*number).unwrap()).unwrap();
    numbers.iter().map(card).collect::<Vec<Card>>().try_into().unwrap()
}

/// Swaps item `i` with item `with(i, word)` for each `i` and word.
fn swapped(seed: &RoundSeed, steps: usize, with: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    let mut deck: Vec<usize> = (0..DECK_LEN).collect();
    for (i, word) in shuffle::deck_words(seed, steps).enumerate() {
        deck.swap(i, with(i, usize::try_from(word).unwrap()));
    }
    deck
}

fn failures(
    generator: &dyn Generator,
    tests: impl Fn(&CheckRun<'_>) -> Vec<CheckTest>,
) -> BTreeSet<(&'static str, bool)> {
    let plan = CheckPlan { secret: [9; 32], decks: 16_000, draws: 30_000, threads: 1 };
    let run = CheckRun { plan: &plan, generator, progress: &ProgressBar::hidden() };
    let tests = tests(&run);
    let judged = tests.iter().zip(judge(&tests));
    judged
        .filter_map(|(test, failure)| Some((test.group, failure? == TestFailure::TooEven)))
        .collect()
}

fn of_decks(generator: &dyn Generator) -> BTreeSet<(&'static str, bool)> {
    failures(generator, |run| decks::tests(run).unwrap())
}

fn uneven(groups: &[&'static str]) -> BTreeSet<(&'static str, bool)> {
    groups.iter().map(|group| (*group, false)).collect()
}

#[test]
fn the_generator_of_production_has_no_flaw() {
    assert_eq!(of_decks(&Production), uneven(&[]));
    assert_eq!(failures(&Production, raw::tests), uneven(&[]));
    assert_eq!(failures(&Production, scaled::tests), uneven(&[]));
}

#[test]
fn a_sound_shuffle_written_otherwise_has_no_flaw() {
    let deck = |seed: &RoundSeed| swapped(seed, 52, |i, word| i + word % (53 - i));
    assert_eq!(of_decks(&Flawed { deck: Some(deck), ..Flawed::default() }), uneven(&[]));
}

#[test]
fn a_swap_with_any_position_is_seen() {
    let deck = |seed: &RoundSeed| swapped(seed, 53, |_, word| word % 53);
    let found = of_decks(&Flawed { deck: Some(deck), ..Flawed::default() });
    assert!(found.is_superset(&uneven(&["position", "table"])), "{found:?}");
}

#[test]
fn a_swap_that_never_keeps_a_card_is_seen() {
    // Off by one: Sattolo's algorithm, which makes cycles only.
    let deck = |seed: &RoundSeed| swapped(seed, 52, |i, word| i + 1 + word % (52 - i));
    let found = of_decks(&Flawed { deck: Some(deck), ..Flawed::default() });
    assert!(found.is_superset(&uneven(&["position", "table"])), "{found:?}");
}

#[test]
fn a_shuffle_that_ends_one_swap_early_is_seen() {
    let deck = |seed: &RoundSeed| swapped(seed, 51, |i, word| i + word % (53 - i));
    let found = of_decks(&Flawed { deck: Some(deck), ..Flawed::default() });
    assert!(found.is_superset(&uneven(&["position", "table", "pair"])), "{found:?}");
}

#[test]
fn the_remainder_of_a_byte_is_seen() {
    let deck = |seed: &RoundSeed| swapped(seed, 52, |i, word| i + (word & 0xff) % (53 - i));
    let draw = |seed: &RoundSeed, bound: u64, place: usize| {
        // One word for each draw, from a stream as long as a seed is drawn from.
        thread_words(seed, place) % 256 % bound
    };
    let flawed = Flawed { deck: Some(deck), draw: Some(draw), ..Flawed::default() };
    let found = of_decks(&flawed);
    assert!(found.is_superset(&uneven(&["position", "table", "pair"])), "{found:?}");
    let found = failures(&flawed, scaled::tests);
    assert!(found.contains(&("uniform", false)), "{found:?}");
}

/// Word `place` of the deck's stream, gathered a seed at a time.
fn thread_words(seed: &RoundSeed, place: usize) -> u64 {
    static GATHERED: Mutex<([u8; 32], Vec<u32>)> = Mutex::new(([0; 32], Vec::new()));
    let mut gathered = GATHERED.lock().unwrap();
    if gathered.1.is_empty() || gathered.0 != *seed.expose() {
        *gathered = (*seed.expose(), shuffle::deck_words(seed, 4096).collect());
    }
    u64::from(gathered.1[place])
}

#[test]
fn numbers_that_take_turns_are_seen_as_too_even() {
    let draw = |_: &RoundSeed, bound: u64, place: usize| u64::try_from(place).unwrap() % bound;
    let found = failures(&Flawed { draw: Some(draw), ..Flawed::default() }, scaled::tests);
    assert!(found.contains(&("uniform", true)), "{found:?}");
    assert!(found.contains(&("serial", false)), "{found:?}");
}

#[test]
fn a_seed_cut_down_to_a_byte_is_seen() {
    let deck = |seed: &RoundSeed| {
        let seed = RoundSeed::new([seed.expose()[0]; 32]);
        shuffle::deck(&seed, 53).iter().map(|card| usize::from(card.number())).collect()
    };
    let found = of_decks(&Flawed { deck: Some(deck), ..Flawed::default() });
    assert!(found.is_superset(&uneven(&["pair", "class", "step"])), "{found:?}");
}

#[test]
fn dice_that_the_first_card_decides_are_seen() {
    let dice = |seed: &RoundSeed| {
        let [_, second, third] = shuffle::dice(seed);
        [1 + shuffle::deck(seed, 53)[0].number() % 6, second, third]
    };
    let found = of_decks(&Flawed { dice: Some(dice), ..Flawed::default() });
    assert!(found.contains(&("dice and deck", false)), "{found:?}");
}

#[test]
fn loaded_dice_are_seen() {
    // Five of 256 words give three sixes. For the other words the dice are fair.
    let dice = |seed: &RoundSeed| {
        let sixes = shuffle::deck_words(seed, 1).next().unwrap() % 256 < 5;
        if sixes { [6; 3] } else { shuffle::dice(seed) }
    };
    let found = of_decks(&Flawed { dice: Some(dice), ..Flawed::default() });
    assert!(found.is_superset(&uneven(&["dice", "start"])), "{found:?}");
}

#[test]
fn a_word_without_its_highest_byte_is_seen() {
    let block = |seed: &RoundSeed| Production.block(seed).map(|word| word & 0x00ff_ffff);
    let found = failures(&Flawed { block: Some(block), ..Flawed::default() }, raw::tests);
    assert!(found.is_superset(&uneven(&["byte", "one bit apart"])), "{found:?}");
}

#[test]
fn a_bit_of_the_seed_that_decides_nothing_is_seen() {
    let block = |seed: &RoundSeed| {
        let mut key = *seed.expose();
        key[17] &= 0x7f;
        Production.block(&RoundSeed::new(key))
    };
    let found = failures(&Flawed { block: Some(block), ..Flawed::default() }, raw::tests);
    assert_eq!(found, uneven(&["one bit apart"]));
}

/// Shuffles the previous deck again, with too few swaps.
struct Stirred(Mutex<Vec<usize>>);

impl Generator for Stirred {
    fn block(&self, seed: &RoundSeed) -> [u32; 16] {
        Production.block(seed)
    }

    fn draws(&self, seed: &RoundSeed, bound: u64, draws: &mut [usize]) {
        Production.draws(seed, bound, draws);
    }

    fn deck(&self, seed: &RoundSeed) -> [Card; DECK_LEN] {
        let mut deck = self.0.lock().unwrap();
        let words: Vec<u32> = shuffle::deck_words(seed, 120).collect();
        for [one, other] in words.as_chunks().0 {
            deck.swap(usize::try_from(one % 53).unwrap(), usize::try_from(other % 53).unwrap());
        }
        cards(&deck)
    }

    fn dice(&self, seed: &RoundSeed) -> [u8; 3] {
        shuffle::dice(seed)
    }
}

#[test]
fn a_deck_that_remembers_the_one_before_is_seen() {
    // After sixty swaps one card in ten is in its old place. It should be one in 53.
    let found = of_decks(&Stirred(Mutex::new((0..DECK_LEN).collect())));
    assert!(found.is_superset(&uneven(&["step", "matches"])), "{found:?}");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let told = |threads| {
        let plan = CheckPlan { secret: [3; 32], decks: 25_000, draws: 5_000, threads };
        let mut out = Vec::new();
        super::check(&plan, true, &mut out).unwrap();
        out
    };
    assert_eq!(told(1), told(3));
}

#[test]
fn the_secret_where_none_is_given_is_a_hash_that_anyone_can_make() {
    let hash = paigow_fairness::encoding::Hash::of(b"paigow-lab rng check");
    assert_eq!(super::DEFAULT_SECRET, *hash.as_bytes());
}

#[test]
fn the_progress_bar_can_be_drawn() {
    super::progress_bar(3).finish();
}
