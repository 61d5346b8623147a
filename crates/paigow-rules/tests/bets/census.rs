//! The files of counts against every hand there is.
//!
//! To write the files anew: `cargo test --release -p paigow-rules --test bets -- --ignored
//! the_files_of_counts_are_written`, which leaves them in `target/tmp`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use paigow_rules::cards::{Card, Suit};
use paigow_rules::game::{ConditionsMet, DealtHand, hands_by_conditions};

use paigow_rules::hands::canonical_hands;

type Census = BTreeMap<ConditionsMet, u64>;

const SIX: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/game/bets/counts/six.txt"));
const SEVEN: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/game/bets/counts/seven.txt"));

/// The three ways to colour four suits two and two, each by one naming.
pub(crate) const COLOURINGS: [[Suit; 4]; 3] = [
    [Suit::Clubs, Suit::Spades, Suit::Diamonds, Suit::Hearts],
    [Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts],
    [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades],
];

fn met(cards: &[Card]) -> ConditionsMet {
    ConditionsMet::by(&DealtHand::of(cards).unwrap())
}

/// Counts the hands of seven cards, one for all that differ by a renaming of suits.
fn seven_by_canonical() -> Census {
    let mut thrice = Census::new();
    for canonical in canonical_hands::<7>() {
        // The 24 renamings of suits are 8 of each colouring, so each colouring stands
        // for a third of the hands.
        for names in COLOURINGS {
            *thrice.entry(met(&canonical.cards(names))).or_default() += canonical.multiplicity();
        }
    }
    assert!(thrice.values().all(|hands| hands % 3 == 0));
    thrice.into_iter().map(|(met, hands)| (met, hands / 3)).collect()
}

/// Counts the hands of so many cards one by one.
fn one_by_one(hand_cards: usize) -> Census {
    let mut census = Census::new();
    every_hand(hand_cards, |hand| *census.entry(met(hand)).or_default() += 1);
    census
}

/// Calls `visit` with every hand of so many cards, the cards in the order of the deck.
pub(crate) fn every_hand(hand_cards: usize, mut visit: impl FnMut(&[Card])) {
    fn longer(hand: &mut Vec<Card>, left: usize, visit: &mut impl FnMut(&[Card])) {
        if left == 0 {
            visit(hand);
            return;
        }
        let from = hand.last().map_or(0, |last| last.number() + 1);
        for card in (from..=52).filter_map(Card::from_number) {
            hand.push(card);
            longer(hand, left - 1, visit);
            hand.pop();
        }
    }
    longer(&mut Vec::new(), hand_cards, &mut visit);
}

/// Writes a file as the game reads it.
fn file(cards: &str, census: &Census) -> String {
    let hands: u64 = census.values().sum();
    let (millions, thousands, rest) = (hands / 1_000_000, hands / 1_000 % 1_000, hands % 1_000);
    let mut file = format!(
        "# Which conditions of pay tables the hands of {cards} cards meet together, and how many\n\
         # of all {millions},{thousands:03},{rest:03} hands meet just these. The rarest conditions first.\n\
         #\n\
         # crates/paigow-rules/tests/bets/census.rs wrote this file and checks it against every hand.\n"
    );
    for (met, hands) in census.iter().rev() {
        writeln!(file, "{}", format!("{hands} {met}").trim_end()).unwrap();
    }
    file
}

#[test]
fn the_file_for_seven_cards_counts_every_hand() {
    let census = seven_by_canonical();
    assert_eq!(census.values().sum::<u64>(), 154_143_080);
    assert_eq!(*hands_by_conditions(7).unwrap(), census);
    assert_eq!(SEVEN, file("seven", &census));
}

#[test]
fn the_file_for_six_cards_counts_every_hand() {
    let census = one_by_one(6);
    assert_eq!(census.values().sum::<u64>(), 22_957_480);
    assert_eq!(*hands_by_conditions(6).unwrap(), census);
    assert_eq!(SIX, file("six", &census));
}

#[test]
#[ignore = "looks at all 154,143,080 hands: minutes"]
fn the_file_for_seven_cards_counts_every_hand_one_by_one() {
    assert_eq!(*hands_by_conditions(7).unwrap(), one_by_one(7));
}

#[test]
#[ignore = "writes what the other tests check"]
fn the_files_of_counts_are_written() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::write(dir.join("six.txt"), file("six", &one_by_one(6))).unwrap();
    fs::write(dir.join("seven.txt"), file("seven", &seven_by_canonical())).unwrap();
}

#[test]
fn there_are_counts_for_six_and_seven_cards_only() {
    for cards in [0, 5, 8] {
        assert!(hands_by_conditions(cards).is_none());
    }
}
