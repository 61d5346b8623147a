use super::*;
use crate::self_test::words_by_rand_chacha;
use std::collections::BTreeMap;

/// Written words, so that a test can reach the rejection branch.
pub(crate) struct Script {
    words: Vec<[u8; 4]>,
    pub(crate) used: usize,
}

impl Script {
    pub(crate) fn of(words: &[u32]) -> Self {
        Self { words: words.iter().map(|word| word.to_le_bytes()).collect(), used: 0 }
    }
}

impl Words for Script {
    fn at_hand(&mut self) -> &[[u8; 4]] {
        &self.words[self.used..]
    }

    fn pass(&mut self, count: usize) {
        self.used += count;
    }
}

pub(crate) fn scripted_uniform(words: &[u32], bound: u64) -> (u64, usize) {
    let mut script = Script::of(words);
    let value = uniform(&mut script, bound);
    (value, script.used)
}

#[test]
fn a_word_of_the_incomplete_block_is_rejected() {
    // 2^32 mod 53 is 42: the last 42 words are refused.
    assert_eq!(scripted_uniform(&[u32::MAX, u32::MAX - 41, u32::MAX - 42], 53), (52, 3));
}

#[test]
fn scripted_words_draw_what_the_conformance_kit_says() {
    let kit = include_str!("../../../../verifiers/conformance/shuffle.jsonl");
    let mut cases = 0;
    for line in kit.lines().filter(|line| line.contains("\"op\":\"uniform\"")) {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let (input, expected) = (&case["input"], &case["expect"]);
        let words: Vec<u32> = serde_json::from_value(input["words"].clone()).unwrap();
        let (value, used) = scripted_uniform(&words, input["bound"].as_u64().unwrap());
        let found = serde_json::json!({ "value": value, "words_used": used });
        assert_eq!(&found, expected, "{}", case["case"]);
        cases += 1;
    }
    assert_eq!(cases, 32);
}

#[test]
fn a_bound_of_two_to_the_32_takes_every_word() {
    assert_eq!(scripted_uniform(&[u32::MAX], 1 << 32), (u64::from(u32::MAX), 1));
}

#[test]
fn a_rejected_word_shifts_the_whole_shuffle_by_one() {
    // The first draw rejects one word; afterwards each word w < 53 - i picks i + w.
    let mut words = vec![u32::MAX, 52];
    words.extend(std::iter::repeat_n(0, 51));
    let mut script = Script::of(&words);
    let deck = shuffled(&mut script, 53);
    assert_eq!(script.used, 53, "52 draws and one rejection");
    // Swap 0 and 52, then identity.
    let mut expected: Vec<Card> = Card::all().collect();
    expected.swap(0, 52);
    assert_eq!(deck, expected);
}

/// Counts how often each permutation of `cards` results from *every* tuple of `bits`-bit words that
/// `map` accepts.
fn enumerate(
    bits: u32,
    cards: u64,
    map: impl Fn(u64, u64, u64) -> Option<u64>,
) -> BTreeMap<Vec<u64>, u64> {
    let range = 1u64 << bits;
    let mut tuples: Vec<Vec<u64>> = vec![vec![]];
    for bound in (2..=cards).rev() {
        let accepted: Vec<u64> = (0..range).filter_map(|word| map(word, bound, range)).collect();
        tuples = tuples
            .iter()
            .flat_map(|t| accepted.iter().map(move |&v| [t.as_slice(), &[v]].concat()))
            .collect();
    }
    let mut counts = BTreeMap::new();
    for tuple in tuples {
        let mut deck: Vec<u64> = (0..cards).collect();
        let mut draws = tuple.into_iter();
        permute(&mut deck, |_| draws.next().unwrap());
        *counts.entry(deck).or_default() += 1;
    }
    counts
}

#[test]
fn every_permutation_has_equally_many_words_at_every_toy_size() {
    for (bits, most) in [(3, 5), (4, 5), (5, 4)] {
        for cards in 3..=most {
            let counts = enumerate(bits, cards, residue);
            let factorial: u64 = (1..=cards).product();
            assert_eq!(counts.len() as u64, factorial, "{bits} bits, {cards} cards");
            let first = counts.values().next().unwrap();
            assert!(counts.values().all(|n| n == first), "{bits} bits, {cards} cards");
        }
    }
}

#[test]
fn the_same_enumeration_catches_plain_modulo() {
    for (bits, cards) in [(3, 3), (4, 5), (5, 3)] {
        let counts = enumerate(bits, cards, |word, bound, _| Some(word % bound));
        let first = counts.values().next().unwrap();
        assert!(counts.values().any(|n| n != first), "{bits} bits, {cards} cards");
    }
}

#[test]
fn an_independent_chacha20_gives_the_same_words() {
    for byte in [0, 1, 0x7f, 0xff] {
        let seed = RoundSeed::new([byte; 32]);
        for stream in [DECK_STREAM, DICE_STREAM] {
            let ours = words(&seed, stream).take(1000);
            assert!(ours.eq(words_by_rand_chacha(&seed, stream).take(1000)), "{byte}");
        }
    }
}
