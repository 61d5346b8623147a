//! The files of counts against every existing hand.
//!
//! This command writes the files again, into `target/tmp`: `cargo test --release -p paigow-rules
//! --test bets -- --ignored the_files_of_counts_are_written`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use paigow_rules::cards::{Card, Suit};
use paigow_rules::game::{
    BetSubject, CardTerm, ColourChoice, DealtHand, TermCounts, TermsMet, shipped,
};
use paigow_rules::hands::JokerUse;

const SIX: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/game/bets/counts/six.txt"));
const SEVEN: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/game/bets/counts/seven.txt"));

const SEVEN_WILD: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/game/bets/counts/seven-wild.txt"));

/// The three ways to colour four suits two and two, each with one naming.
pub(crate) const COLOURINGS: [[Suit; 4]; 3] = [
    [Suit::Clubs, Suit::Spades, Suit::Diamonds, Suit::Hearts],
    [Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts],
    [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades],
];

/// The terms whose counts are compiled in. Bets use these most often.
const TERMS: &str = "five_aces royal_flush straight_flush four_of_a_kind full_house flush straight \
    three_of_a_kind two_pair pair natural_royal_flush natural_straight_flush pai_gow joker \
    one_colour highest:7 highest:8 highest:9 highest:T highest:J highest:Q highest:K highest:A \
    pairs:0 pairs:1 pairs:2 pairs:3 suited:6 suited:7 run:6 run:7 suited_run:6 suited_run:7 \
    one_suit:A2345 one_suit:A2345+AQ royal_flush_beside:AQ royal_flush_beside:KQ \
    named_colour:0 named_colour:1 named_colour:2 named_colour:3 named_colour:4 named_colour:5 \
    named_colour:6 named_colour:7";

/// Returns the terms that a hand of so many cards can meet, in the order of a file.
pub(crate) fn terms(hand_cards: u8) -> Vec<CardTerm> {
    let parse = |text| CardTerm::parse(text, BetSubject::SeatHand, hand_cards);
    let mut terms: Vec<CardTerm> = TERMS.split(' ').filter_map(parse).collect();
    terms.sort_unstable();
    terms
}

/// Returns the terms of the file for a wild joker, which can make five of any rank.
fn wild_terms() -> Vec<CardTerm> {
    let five = CardTerm::parse("five_of_a_kind", BetSubject::SeatHand, 7);
    let mut terms: Vec<CardTerm> = terms(7).into_iter().chain(five).collect();
    terms.sort_unstable();
    terms
}

/// Counts the hands of this many cards one by one.
fn one_by_one(hand_cards: u8) -> BTreeMap<TermsMet, u64> {
    let terms = terms(hand_cards);
    let mut census = BTreeMap::new();
    every_hand(hand_cards.into(), |hand| {
        let hand = DealtHand::of(hand, JokerUse::SemiWild).unwrap();
        let holds = |term: &CardTerm| term.holds(&hand, Some(ColourChoice::Red));
        let bits = terms.iter().enumerate();
        let met = bits.fold(0, |met, (bit, term)| met | TermsMet::from(holds(term)) << bit);
        *census.entry(met).or_default() += 1;
    });
    census
}

/// Calls `visit` with every hand of this many cards. The cards are in the order of the deck.
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

/// Writes a file in the form that the game reads.
fn file(cards: &str, counts: &TermCounts) -> String {
    let hands: u64 = counts.hands.values().sum();
    let (millions, thousands, rest) = (hands / 1_000_000, hands / 1_000 % 1_000, hands % 1_000);
    format!(
        "# Which terms of conditions the hands of {cards} cards meet together, and how many of all\n\
         # {millions},{thousands:03},{rest:03} hands meet just these. First the terms; then a line for each set of them,\n\
         # with the number of hands and the set in hexadecimal digits. Bit 0 is the first term.\n\
         #\n\
         # crates/paigow-rules/tests/bets/census.rs wrote this file and checks it against every hand.\n{}",
        counts.text()
    )
}

#[test]
fn the_file_for_seven_cards_counts_every_hand() {
    let counts = TermCounts::counted((7, JokerUse::SemiWild), &terms(7)).unwrap();
    assert_eq!(counts.hands.values().sum::<u64>(), 154_143_080);
    assert_eq!(TermCounts::stored((7, JokerUse::SemiWild)), Some(&counts));
    assert!(SEVEN == file("seven", &counts));
}

#[test]
fn the_file_for_a_wild_joker_counts_every_hand() {
    let counts = TermCounts::counted((7, JokerUse::Wild), &wild_terms()).unwrap();
    assert_eq!(counts.hands.values().sum::<u64>(), 154_143_080);
    assert_eq!(TermCounts::stored((7, JokerUse::Wild)), Some(&counts));
    assert!(SEVEN_WILD == file("seven", &counts));
}

#[test]
fn the_file_for_six_cards_counts_every_hand() {
    let counts = TermCounts::counted((6, JokerUse::SemiWild), &terms(6)).unwrap();
    assert_eq!(counts.hands.values().sum::<u64>(), 22_957_480);
    assert_eq!(counts.hands, one_by_one(6));
    assert_eq!(TermCounts::stored((6, JokerUse::SemiWild)), Some(&counts));
    assert!(SIX == file("six", &counts));
}

#[test]
#[ignore = "looks at all 154,143,080 hands: minutes"]
fn the_file_for_seven_cards_counts_every_hand_one_by_one() {
    assert!(TermCounts::stored((7, JokerUse::SemiWild)).unwrap().hands == one_by_one(7));
}

#[test]
#[ignore = "writes what the other tests check"]
fn the_files_of_counts_are_written() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let files = [
        ("six", "six", (6, JokerUse::SemiWild), terms(6)),
        ("seven", "seven", (7, JokerUse::SemiWild), terms(7)),
        ("seven-wild", "seven", (7, JokerUse::Wild), wild_terms()),
    ];
    for (name, cards, deal, terms) in files {
        let counts = TermCounts::counted(deal, &terms).unwrap();
        fs::write(dir.join(format!("{name}.txt")), file(cards, &counts)).unwrap();
    }
}

#[test]
fn there_are_counts_for_six_and_seven_cards_only() {
    for cards in [0, 5, 8] {
        assert!(TermCounts::of((cards, JokerUse::SemiWild), &[CardTerm::Joker]).is_none());
    }
}

#[test]
fn no_shipped_bet_is_counted_at_the_start() {
    for ruleset in shipped() {
        let deal = (ruleset.hand_cards(), ruleset.ranking().joker);
        let stored = TermCounts::stored(deal).unwrap();
        for row in ruleset.bonus_bets().iter().flat_map(|bet| &bet.rows) {
            let terms = row.condition.card_terms();
            let missing = terms.iter().find(|term| stored.terms.binary_search(term).is_err());
            assert_eq!(missing, None, "{} {}", ruleset.id(), row.id);
        }
    }
}
