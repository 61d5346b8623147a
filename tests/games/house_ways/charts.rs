//! The charts of six casinos, by hands set by hand from their published answers.

use paigow_rules::cards::{Card, Rank, Suit};
use paigow_rules::hands::{
    HighHand, LowHand, Wheel, canonical_hands, holds_straight_or_flush, is_foul,
};

use super::{cards, way};

/// A hand, the clause without the name of the chart, and the low hand.
type Row = (&'static str, &'static str, &'static str);

const CHARTS: [&str; 6] =
    ["ballys-ac", "claridge", "flamingo-lv", "foxwoods", "golden-nugget-lv", "trump-plaza"];

#[track_caller]
fn assert_set(chart: &str, rows: &[Row]) {
    let way = way(chart);
    for (hand, clause, low) in rows {
        let setting = way.set(&cards(hand.split(' '))).unwrap();
        assert_eq!(setting.clause.id(), format!("{chart}.{clause}"), "{hand}");
        assert_eq!(setting.low[..], cards(low.split(' '))[..], "{hand} by {chart}");
    }
}

#[test]
fn the_charts_agree_on_these() {
    for chart in CHARTS {
        assert_set(
            chart,
            &[
                ("Ac Ad Ah As Jk Kc Kd", "five-aces.kings", "Kc Kd"),
                ("Ac Ad Ah As Jk Qc Qd", "five-aces", "Ac Ad"),
                ("Ac Ad Ah As Jk Kc Qd", "five-aces", "Ac Ad"),
                ("9c 9d 9h 4c 4d 4h As", "two-threes", "9c 9d"),
                ("9c 9d 9h 4c 4d 2h 2s", "full-house-and-pair", "4c 4d"),
                ("9c 9d 9h 3s 3c Ad Kh", "full-house", "3c 3s"),
                ("9c 9d 9h 2s 2c Ad Qh", "full-house", "2c 2s"),
                // A full house with a flush is a full house.
                ("Kc Kd Kh Ac Jk 7c 4c", "full-house", "Ac Jk"),
                ("9c 9d 9h 8s 7h 6c 5d", "three.complete-pair-low", "9c 9d"),
                // The straight needs both an ace and the joker.
                ("Ac Ad Jk Kh Qs Jd 3c", "three.complete", "Ac 3c"),
                ("Ac Ad Ah Ks 9h 7c 3d", "three.aces", "Ac Ks"),
                ("Kc Kd Kh As 9h 7c 3d", "three", "As 9h"),
                ("9c 9d 7h 7s 4c 4d Ah", "three-pair", "9c 9d"),
                ("Ac Jk Kc Kd Qc Qd Jc", "three-pair", "Ac Jk"),
                ("9c 9d Ah Js 5c 3d 2h", "one-pair", "Ah Js"),
                ("Ac Jk Qh 9s 7c 4d 2h", "one-pair", "Qh 9s"),
                ("Ah Kd 9h 7c 5h 3s 2c", "no-pair", "Kd 9h"),
                // Six hearts: the ace can go in front of the five others.
                ("Ah Kh 9h 7h 5h 3h 2c", flush_without_pair(chart), "Ah 2c"),
            ],
        );
    }
}

/// The clause for a flush without a pair: one chart has a threshold for giving it up.
fn flush_without_pair(chart: &str) -> &'static str {
    if chart == "flamingo-lv" { "no-pair-complete.flush" } else { "no-pair-complete" }
}

#[test]
fn foxwoods_improves_an_ace_in_front_of_a_high_pair() {
    assert_set(
        "foxwoods",
        &[
            ("Jc Jd Jh Js Ac Kd 2h", "quads.aces-to-jacks", "Jc Jd"),
            ("Ac Ad Ah Jk Kc Qd 2h", "quads.aces-to-jacks", "Ac Ad"),
            ("Tc Td Th Ts Kc 5d 2h", "quads.tens-to-sevens-kept", "Kc 5d"),
            ("Tc Td Th Ts Qc 5d 2h", "quads.tens-to-sevens", "Tc Td"),
            ("7c 7d 7h 7s Qc 5d 2h", "quads.tens-to-sevens", "7c 7d"),
            ("6c 6d 6h 6s 5c 3d 2h", "quads.sixes-or-lower", "5c 3d"),
            ("Ac Ad Ah As 2c 2d 7h", "quads-and-pair", "2c 2d"),
            ("Ac Ad Ah As 2c 2d 2h", "quads-and-three", "2c 2d"),
            ("9c 9d 9h 2s 2c Ad Kh", "full-house", "2c 2s"),
            // The pair of kings behind would be kept elsewhere: king and deuce in front.
            ("Kh Kd Ah Qh 7h 4h 2c", "one-pair-complete.ace", "Ah Qh"),
            ("Th Td Jk Qh 7h 4h 2c", "one-pair-complete.ace", "Qh Jk"),
            // A pair in front of a straight is better still.
            ("Kh Kd Ah 2h 3c 4d 5s", "one-pair-complete", "Kd Kh"),
            // The exception is of tens and better, and of an ace.
            ("9h 9d Ah Qh 7h 4h 2c", "one-pair-complete", "9d 2c"),
            ("Kh Kd Jh Qh 7h 4h 2c", "one-pair-complete", "Kd 2c"),
            ("Jc Jd 2c 2d Ah 9s 5h", "two-pair.aces-to-jacks", "2c 2d"),
            ("Tc Td 2c 2d Ah 9s 5h", "two-pair.tens-to-sevens-kept", "Ah 9s"),
            ("Tc Td 2c 2d Kh 9s 5h", "two-pair.tens-to-sevens", "2c 2d"),
            ("6c 6d 2c 2d Kh 9s 8h", "two-pair.sixes-or-lower-kept", "Kh 9s"),
            ("6c 6d 2c 2d Qh 9s 8h", "two-pair.sixes-or-lower", "2c 2d"),
            // Two pairs with a flush are two pairs.
            ("Kh Kd 7h 7d Ah 4h 2h", "two-pair.aces-to-jacks", "7d 7h"),
        ],
    );
}

/// Whether the cards are three, two and two alone, by rank.
fn is_full_house_and_two(cards: &[Card; 7]) -> bool {
    let mut held = [0; 13];
    for card in cards {
        held[usize::from(card.rank_or_ace().index())] += 1;
    }
    held.sort_unstable();
    held[9..] == [1, 1, 2, 3]
}

#[test]
fn foxwoods_puts_the_highest_pair_that_is_not_foul_in_front_of_a_full_house() {
    // The chart asks for the pair: the row says "highest permissible pair".
    let hands = canonical_hands::<7>().step_by(3).map(|hand| hand.cards(Suit::ALL));
    for cards in hands.filter(is_full_house_and_two) {
        let mut highest = None;
        for i in 0..7 {
            for j in i + 1..7 {
                let low = LowHand::of(&[cards[i], cards[j]], Wheel::Second);
                let mut behind = (0..7).filter(|place| *place != i && *place != j);
                let five = [(); 5].map(|()| cards[behind.next().unwrap()]);
                if low.pair_rank().is_some() && !is_foul(low, HighHand::of(&five, Wheel::Second)) {
                    highest = highest.max(Some(low));
                }
            }
        }
        let setting = way("foxwoods").set(&cards).unwrap();
        assert_eq!(LowHand::of_cards(&setting.low, Wheel::Second), highest, "{cards:?}");
    }
}

const TRUMP_PLAZA_TWO_PAIR: [Row; 11] = [
    ("Kc Kd 6c 6d Ah 9s 2h", "two-pair.high-low-kept", "Ah 9s"),
    ("Qc Qd 6c 6d Kh 9s 2h", "two-pair.high-low", "6c 6d"),
    ("Tc Td 7c 7d Ah 9s 2h", "two-pair.middle-middle-kept", "Ah 9s"),
    ("Tc Td 7c 7d Kh 9s 2h", "two-pair.middle-middle", "7c 7d"),
    ("Jc Jd 7c 7d Ah 9s 2h", "two-pair.high", "7c 7d"),
    ("Ac Ad 2c 2d Kh 9s 7h", "two-pair.aces", "2c 2d"),
    ("7c 7d 6c 6d Kh 9s 2h", "two-pair.low-kept", "Kh 9s"),
    ("7c 7d 6c 6d Qh 9s 2h", "two-pair.low", "6c 6d"),
    ("6c 6d 2c 2d Kh 9s 8h", "two-pair.low-kept", "Kh 9s"),
    // Two pairs with a straight or a flush are two pairs.
    ("Kh Kd 7h 7d Ah 4h 2h", "two-pair.high", "7d 7h"),
    ("7c 7d 6c 6d 5h 4s 3h", "two-pair.low", "6c 6d"),
];

const ONE_PAIR_COMPLETE: [Row; 3] = [
    ("Kh Kd Ah 2h 3c 4d 5s", "one-pair-complete.pair-low", "Kd Kh"),
    ("Ac Jk Kd Qh Js Td 9c", "one-pair-complete.pair-low", "Ac Jk"),
    ("Kh Kd Ah Qh 7h 4h 2c", "one-pair-complete", "Kd 2c"),
];

const TWOS_BEHIND_ACE_KING: [Row; 2] = [
    ("9c 9d 9h 2s 2c Ad Kh", "full-house.ace-king", "Ad Kh"),
    ("9c 9d 9h 2s 2c Jk Kh", "full-house.ace-king", "Kh Jk"),
];

#[test]
fn trump_plaza_keeps_deuces_behind_ace_king() {
    assert_set("trump-plaza", &TWOS_BEHIND_ACE_KING);
    assert_set("trump-plaza", &TRUMP_PLAZA_TWO_PAIR);
    assert_set("trump-plaza", &ONE_PAIR_COMPLETE);
    assert_set(
        "trump-plaza",
        &[
            ("Ac Ad Ah As Kc Qd 2h", "quads.aces", "Ac Ad"),
            ("Kc Kd Kh Ks Ac 7d 2h", "quads.kings-to-jacks-kept", "Ac 7d"),
            ("Jc Jd Jh Js Kc 7d 2h", "quads.kings-to-jacks", "Jc Jd"),
            ("Tc Td Th Ts Kc 5d 2h", "quads.tens-to-sevens-kept", "Kc 5d"),
            ("Tc Td Th Ts Qc 5d 2h", "quads.tens-to-sevens", "Tc Td"),
            ("6c 6d 6h 6s 5c 3d 2h", "quads.sixes-or-lower", "5c 3d"),
            ("Ac Ad Ah As 2c 2d 7h", "quads-and-pair", "2c 2d"),
            ("Ac Ad Ah As 2c 2d 2h", "quads-and-three", "2c 2d"),
            ("Ac Jk Kd Qh Js 5c 3d", "one-pair-complete", "5c 3d"),
        ],
    );
}

#[test]
fn claridge_always_plays_the_pair_of_a_full_house_in_front() {
    assert_set("claridge", &TRUMP_PLAZA_TWO_PAIR);
    assert_set("claridge", &ONE_PAIR_COMPLETE);
    assert_set(
        "claridge",
        &[
            ("9c 9d 9h 2s 2c Ad Kh", "full-house", "2c 2s"),
            ("9c 9d 9h 2s 2c Jk Kh", "full-house", "2c 2s"),
            ("Kc Kd Kh Ks Ac 7d 2h", "quads.aces-to-jacks", "Kc Kd"),
            ("Tc Td Th Ts Ac 5d 2h", "quads.tens-to-sevens-kept", "Ac 5d"),
            ("Tc Td Th Ts Kc 5d 2h", "quads.tens-to-sevens", "Tc Td"),
            ("7c 7d 7h 7s Jk 5d 2h", "quads.tens-to-sevens-kept", "Jk 5d"),
            ("6c 6d 6h 6s 5c 3d 2h", "quads.sixes-or-lower", "5c 3d"),
            ("Ac Ad Ah As 2c 2d 7h", "quads-and-pair", "2c 2d"),
            ("Qc Qd Qh Qs Ac Ad Ah", "quads-and-three", "Ac Ad"),
        ],
    );
}

#[test]
fn ballys_plays_an_ace_high_straight_by_the_joker_as_aces() {
    assert_set("ballys-ac", &TWOS_BEHIND_ACE_KING);
    assert_set("ballys-ac", &TRUMP_PLAZA_TWO_PAIR);
    assert_set("ballys-ac", &ONE_PAIR_COMPLETE);
    assert_set(
        "ballys-ac",
        &[
            ("Ac Jk Kd Qh Js 5c 3d", "one-pair-complete.aces", "Kd Qh"),
            // A royal flush by the joker too.
            ("Ac Jk Kc Qc Jc 5d 3h", "one-pair-complete.aces", "Kc Qc"),
            // A natural straight beside it: the ace in front of a royal flush.
            ("As Jk Kd Qd Jd Td 3c", "one-pair-complete", "As 3c"),
            // A-2-3-4-5.
            ("Ac Jk 2d 3h 4s 8c Td", "one-pair-complete", "8c Td"),
            // Another flush.
            ("Kc Ac Jc Jk Qd 3c 7h", "one-pair-complete", "Qd 7h"),
            // No natural ace, and so no pair: the queen-high straight is kept.
            ("Kc Jk Qd Jh Ts 8c 2d", "no-pair-complete", "Kc 2d"),
            ("Ac Ad Ah As Kc Kd 7h", "quads-and-pair", "Kc Kd"),
            ("Ac Ad Ah As Qc Qd 7h", "quads-and-pair.aces", "Ac Ad"),
            ("Kc Kd Kh Ks 2c 2d 7h", "quads-and-pair", "2c 2d"),
            ("Ac Ad Ah As Kc Kd Kh", "quads-and-three", "Kc Kd"),
            ("Ac Ad Ah As Qc Qd Qh", "quads-and-three.aces", "Ac Ad"),
            ("Qc Qd Qh Qs Ac Ad Ah", "quads-and-three", "Ac Ad"),
            ("Ac Ad Ah As Kc Qd 2h", "quads.aces", "Ac Ad"),
            ("Tc Td Th Ts Ac 5d 2h", "quads.kings-to-tens-kept", "Ac 5d"),
            ("Tc Td Th Ts Kc 5d 2h", "quads.kings-to-tens", "Tc Td"),
            ("9c 9d 9h 9s 5c 3d 2h", "quads.nines-or-lower", "5c 3d"),
        ],
    );
}

#[test]
fn golden_nugget_gives_up_a_straight_flush_for_a_jack() {
    assert_set("golden-nugget-lv", &TWOS_BEHIND_ACE_KING);
    assert_set(
        "golden-nugget-lv",
        &[
            ("Ac Ad Ah As 7c 7d 2h", "quads-and-pair.aces-kept", "7c 7d"),
            ("Ac Ad Ah As 6c 6d 2h", "quads-and-pair.aces", "Ac Ad"),
            ("Kc Kd Kh Ks Tc Td 2h", "quads-and-pair.kings-to-jacks-kept", "Tc Td"),
            ("Kc Kd Kh Ks 9c 9d 2h", "quads-and-pair.kings-to-jacks", "Kc Kd"),
            ("7c 7d 7h 7s 2c 2d Kh", "quads-and-pair.tens-to-sevens", "2c 2d"),
            ("Ac Ad Ah As 6c 6d 6h", "quads-and-three.aces", "Ac Ad"),
            ("Qc Qd Qh Qs Ac Ad Ah", "quads-and-three.kings-to-jacks-kept", "Ac Ad"),
            ("5c 5d 5h 5s 9c 9d 9h", "quads-and-three.sixes-or-lower", "9c 9d"),
            ("Ac Ad Ah As Kc Qd 2h", "quads.aces", "Ac Ad"),
            ("Kc Kd Kh Ks Ac 7d 2h", "quads.kings-to-jacks", "Kc Kd"),
            ("8c 8d 8h 8s Ac 7d 2h", "quads.tens-to-sevens-kept", "Ac 7d"),
            ("8c 8d 8h 8s Kc 7d 2h", "quads.tens-to-sevens", "8c 8d"),
            ("6c 6d 2c 2d 5h 9s 8h", "two-pair.sixes-or-lower", "9s 8h"),
            ("7c 7d 2c 2d Kh 9s 5h", "two-pair.sevens-or-better", "2c 2d"),
            ("Kc Kd 5c 5d Ah 9s 8h", "two-pair.ace-singleton", "Ah 9s"),
            ("Kc Kd 6c 6d Ah 9s 8h", "two-pair.jacks-and-sixes", "6c 6d"),
            ("Ac Ad 2c 2d Kh 9s 7h", "two-pair.aces", "2c 2d"),
            // A straight is kept, but not with such pairs, nor with an ace singleton.
            ("9c 9d 8c 8d 7h 6s 5h", "two-pair-complete", "9c 8c"),
            ("Jc Jd Tc Td 9h 8s 7h", "two-pair.jacks-and-sixes", "Tc Td"),
            ("Th Td 4h 4d Ah 7h 2h", "two-pair.ace-singleton", "Ah 7h"),
            // Only queen and deuce in front of a flush fit: a straight leaves 3-2.
            ("Kh Qd Jh Th 9h 3h 2c", "no-pair-complete", "Qd 2c"),
            // Jack and ten in front of the flush, queen and three in front of a straight.
            ("Qh Jc Td 9h 8h 7h 3h", "no-pair-complete", "Qh 3h"),
            ("Qh Jh Th 9h 8h 7c 6c", "no-pair-complete.straight-flush-given-up", "Qh Jh"),
            ("9h 8h 7h 6h 5h 4c 3c", "no-pair-complete.straight-flush", "4c 3c"),
            ("9h 8h 7h 6h 5h Kc 3c", "no-pair-complete.straight-flush", "Kc 3c"),
            ("Ah 2h 3h 4h 5h 6c Td", "no-pair-complete.straight-flush-given-up", "Ah Td"),
            ("Ah Kh Qh Jh Th 9c 8c", "no-pair-complete.royal-flush-given-up", "Ah Kh"),
            ("Ah Kh Qh Jh Th 4c 3d", "no-pair-complete.royal-flush", "4c 3d"),
            // With one pair too; a pair in front is above every threshold.
            ("Qh Jh Th 9h 8h Qd 7c", "one-pair-complete.straight-flush-given-up", "Qd Qh"),
            ("7h 6h 5h 4h 3h 7d Kc", "one-pair-complete.straight-flush", "Kc 7d"),
            ("Kh Kd Ah Qh 7h 4h 2c", "one-pair-complete", "Kd 2c"),
        ],
    );
}

#[test]
fn flamingo_gives_up_a_flush_for_a_king_and_a_straight_flush_for_an_ace_with_a_face() {
    assert_set("flamingo-lv", &TWOS_BEHIND_ACE_KING);
    assert_set(
        "flamingo-lv",
        &[
            ("Ac Ad Ah As 7c 7d 2h", "quads-and-pair.aces-kept", "7c 7d"),
            ("Ac Ad Ah As 6c 6d 2h", "quads-and-pair.aces", "Ac Ad"),
            ("Kc Kd Kh Ks 9c 9d 9h", "quads-and-three.kings-to-jacks", "Kc Kd"),
            ("8c 8d 8h 8s 2c 2d 2h", "quads-and-three.tens-to-sevens", "2c 2d"),
            ("Ac Ad Ah As Kc Qd 2h", "quads.aces", "Ac Ad"),
            ("8c 8d 8h 8s Ac Jd 2h", "quads.tens-to-sevens-kept", "Ac Jd"),
            ("8c 8d 8h 8s Jk Qd 2h", "quads.tens-to-sevens-kept", "Qd Jk"),
            ("8c 8d 8h 8s Ac Td 2h", "quads.tens-to-sevens", "8c 8d"),
            ("6c 6d 6h 6s 5c 3d 2h", "quads.sixes-or-lower", "5c 3d"),
            ("6c 6d 5c 5d 9h 8s 2h", "two-pair.sixes-or-lower-kept", "9h 8s"),
            ("Tc Td 9c 9d Ah 5s 3h", "two-pair.tens-or-lower-kept", "Ah 5s"),
            ("Tc Td 9c 9d Kh 5s 3h", "two-pair", "9c 9d"),
            ("Kc Kd 5c 5d Ah 9s 8h", "two-pair.face-and-low-kept", "Ah 9s"),
            ("Kc Kd 5c 5d Qh 9s 8h", "two-pair", "5c 5d"),
            ("Kc Kd 6c 6d Ah 9s 8h", "two-pair", "6c 6d"),
            ("Qc Qd Tc Td Ah 5s 3h", "two-pair.tens-or-higher", "Tc Td"),
            ("Ac Ad 2c 2d Kh 9s 7h", "two-pair.aces", "2c 2d"),
            // A flush is kept with king, nine and an ace; not with ten, nine and an ace.
            ("Kh Kd 9h 9d Ah 4h 2h", "two-pair-complete", "Kd 9d"),
            ("Th Td 9h 9d Ah 4h 2h", "two-pair.tens-or-lower-kept", "Ah 4h"),
            ("9c 9d 8c 8d 7h 6s 5h", "two-pair-complete", "9c 8c"),
            ("Jc Jd Tc Td 9h 8s 7h", "two-pair.tens-or-higher", "Tc Td"),
            // King and queen in front of the flush, ace and three in front of a straight.
            ("Ah Kd Qc Jh Th 9h 3h", "no-pair-complete.flush-given-up", "Ah 3h"),
            // Queen and three in front of a straight are higher, but less than a king.
            ("Qh Jc Td 9h 8h 7h 3h", "no-pair-complete.flush", "Jc Td"),
            ("Kh Qd Jh Th 9h 3h 2c", "no-pair-complete.flush", "Qd 2c"),
            ("Qh Jh Th 9h 8h 7c 6c", "no-pair-complete.straight-flush", "7c 6c"),
            ("Ah 2h 3h 4h 5h 6c Kd", "no-pair-complete.straight-flush-given-up", "Ah Kd"),
            ("Ah 2h 3h 4h 5h 6c Td", "no-pair-complete.straight-flush", "6c Td"),
            ("Ah Kh Qh Jh Th 9c 3d", "no-pair-complete.royal-flush-given-up", "Ah 3d"),
            ("Ah Kh Qh Jh Th 4c 3d", "no-pair-complete.royal-flush", "4c 3d"),
            ("Qc Jd Th 9s 8c 7d 2h", "no-pair-complete", "Qc 2h"),
            ("Kh Kd Jh Th 9h 8c 7h", "one-pair-complete.flush-given-up", "Kd Kh"),
            ("Qh Qd Jh Th 9h 8c 3h", "one-pair-complete.flush", "Qd 8c"),
        ],
    );
}

/// The condition on the highest singleton for both pairs to stay behind.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Keep {
    Never,
    From(Rank),
    Always,
}

/// The published table of each chart, in its own words.
fn two_pair(chart: &str, big: Rank, small: Rank) -> Keep {
    use Rank::{Ace, Eight, Five, Jack, King, Queen, Seven, Six, Ten};
    let low = |rank| rank <= Six;
    let middle = |rank| rank >= Seven && rank <= Ten;
    let high = |rank| rank >= Jack && rank <= King;
    match chart {
        "foxwoods" if big >= Jack => Keep::Never,
        "foxwoods" if big >= Seven => Keep::From(Ace),
        "foxwoods" => Keep::From(King),
        "mikes" if big >= Queen => Keep::Never,
        "mikes" if big > Eight => Keep::From(Ace),
        "mikes" if big >= Six => Keep::From(King),
        "mikes" => Keep::From(Queen),
        "golden-nugget-lv" if big == Ace => Keep::Never,
        "golden-nugget-lv" if big >= Jack && small >= Six => Keep::Never,
        "golden-nugget-lv" if big >= Seven => Keep::From(Ace),
        "golden-nugget-lv" => Keep::Always,
        "flamingo-lv" if big <= Six => Keep::Always,
        "flamingo-lv" if big <= Ten => Keep::From(Ace),
        "flamingo-lv" if high(big) && small <= Five => Keep::From(Ace),
        "flamingo-lv" => Keep::Never,
        _ if big == Ace => Keep::Never,
        _ if low(small) && (low(big) || middle(big)) => Keep::From(King),
        _ if low(small) && high(big) || middle(small) && middle(big) => Keep::From(Ace),
        _ => Keep::Never,
    }
}

#[test]
fn two_pairs_are_kept_as_the_tables_say() {
    let mut tried = 0;
    for chart in CHARTS.into_iter().chain(["mikes"]) {
        for big in Rank::ALL {
            for small in Rank::ALL.into_iter().filter(|small| *small < big) {
                for top in Rank::ALL.into_iter().filter(|top| *top != big && *top != small) {
                    tried += u32::from(assert_two_pair(chart, big, small, top));
                }
            }
        }
    }
    // 78 pairs of ranks and up to 11 singletons above them, for seven charts.
    assert!(tried > 7 * 78 * 7, "{tried}");
}

/// Sets two pairs beside `top` and two lower singletons, if there are such without a
/// straight. Returns whether there are.
fn assert_two_pair(chart: &str, big: Rank, small: Rank, top: Rank) -> bool {
    let mut below = Rank::ALL.into_iter().filter(|rank| *rank != big && *rank != small);
    let (Some(a), Some(b)) = (below.next(), below.next()) else { return false };
    let hand: Vec<_> = [(big, 'c'), (big, 'd'), (small, 'c'), (small, 'h'), (top, 's')]
        .into_iter()
        .chain([(b, 'd'), (a, 'h')])
        .map(|(rank, suit)| format!("{}{suit}", rank.letter()).parse().unwrap())
        .collect();
    if top <= b || holds_straight_or_flush(&hand) {
        return false;
    }
    let is_kept = match two_pair(chart, big, small) {
        Keep::Never => false,
        Keep::From(least) => top >= least,
        Keep::Always => true,
    };
    let expected = if is_kept {
        LowHand::of(&[hand[4], hand[5]], Wheel::Second)
    } else {
        LowHand::of(&[hand[2], hand[3]], Wheel::Second)
    };
    let setting = way(chart).set(&hand).unwrap();
    assert_eq!(LowHand::of_cards(&setting.low, Wheel::Second), Some(expected), "{chart} {hand:?}");
    true
}
