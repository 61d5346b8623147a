//! The kinds of hands of seven cards, with how many hands are of each.

use std::sync::LazyLock;

use paigow_rules::cards::Card;
use paigow_rules::game::{Asked, BetSubject, CardTerm, Condition, DealtHand, Term, TermCounts};
use paigow_rules::hands::JokerUse;

/// The terms of the classes. The first class whose terms all hold decides. A hand that meets none
/// has one pair.
const KINDS: [&str; 16] = [
    "five_aces",
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "pairs:3",
    "two_pair",
    "pai_gow highest:A",
    "pai_gow highest:K",
    "pai_gow highest:Q",
    "pai_gow highest:J",
    "pai_gow highest:T",
    "pai_gow highest:9",
];

static CONDITIONS: LazyLock<[Condition; KINDS.len()]> = LazyLock::new(|| {
    KINDS.map(|kind| {
        let term = |text| Term::parse(text, BetSubject::SeatHand, 7).expect("a term of cards");
        Condition::new([kind.split(' ').map(term).collect()]).expect("a group of terms")
    })
});

/// How many classes there are.
pub(super) const CLASSES: usize = KINDS.len() + 1;

/// Returns the class of seven different cards, 0 to 16.
pub(super) fn class(hand: &[Card]) -> usize {
    let hand = DealtHand::of(hand, JokerUse::SemiWild).expect("a packet is seven different cards");
    let holds = |asked| matches!(asked, Asked::Cards(term) if term.holds(&hand, None));
    first(|condition| condition.holds_by(holds))
}

/// Returns how many of the 154,143,080 hands of seven cards are of each class.
pub(super) fn hands_of_classes() -> &'static [u64; CLASSES] {
    static COUNTS: LazyLock<[u64; CLASSES]> = LazyLock::new(|| {
        let mut counts = [0; CLASSES];
        let terms: Vec<CardTerm> = CONDITIONS.iter().flat_map(Condition::card_terms).collect();
        let known =
            TermCounts::of((7, JokerUse::SemiWild), &terms).expect("seven cards are counted");
        for (&met, hands) in &known.hands {
            counts[first(|condition| known.holds(condition, met))] += hands;
        }
        counts
    });
    &COUNTS
}

fn first(holds: impl Fn(&Condition) -> bool) -> usize {
    CONDITIONS.iter().position(holds).unwrap_or(KINDS.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_rules::hands::canonical_hands;

    fn of(codes: &str) -> usize {
        class(&codes.split(' ').map(|code| code.parse().unwrap()).collect::<Vec<Card>>())
    }

    #[test]
    fn hands_are_of_the_class_that_people_would_name() {
        for (codes, class) in [
            ("Ac Ad Ah As Jk 2c 3d", 0),
            ("Tc Jc Qc Kc Ac 2d 2h", 1),
            ("Tc Jc Qc Kc 9c 2d Jk", 1),
            ("2c 3c 4c 5c 6c 9d 9h", 2),
            ("9c 9d 9h 9s 2c 2d 3h", 3),
            ("9c 9d 9h 8s 8c 2d 3h", 4),
            ("2c 4c 6c 8c Jk Kd Qh", 5),
            ("2c 3d 4h 5s 6c 6d 9h", 6),
            ("9c 9d 9h 2s 4c 6d Kh", 7),
            ("9c 9d 4h 4s 6c 6d Kh", 8),
            ("9c 9d 4h 4s 6c 7d Kh", 9),
            ("Ac Kd 9h 7s 5c 3d 2h", 10),
            ("9c 8d 7h 5s 4c 3d 2h", 15),
            ("9c 9d 7h 5s 4c Kd 2h", 16),
        ] {
            assert_eq!(of(codes), class, "{codes}");
        }
    }

    #[test]
    fn the_counts_are_the_published_ones() {
        let counts = hands_of_classes();
        assert_eq!(counts.iter().sum::<u64>(), 154_143_080, "53 choose 7");
        // The counts that the sources of the shipped games print or that follow from their
        // percentages. Straights and threes of a kind are those of a game that ranks them as poker
        // does.
        assert_eq!(
            counts[..9],
            [
                1_128, 26_132, 184_832, 307_472, 4_188_528, 6_172_088, 11_236_028, 7_470_676,
                2_862_000
            ]
        );
        // Ace high, 37.4478 % printed, and queen high, the "queen's dragon".
        assert_eq!((counts[10], counts[12]), (14_430_780, 2_719_500));
    }

    #[test]
    #[ignore = "long: every hand up to a renaming of suits"]
    fn the_counts_are_those_of_every_hand() {
        let mut counts = [0; CLASSES];
        for hand in canonical_hands::<7>() {
            counts[class(&hand.cards(paigow_rules::cards::Suit::ALL))] += hand.multiplicity();
        }
        assert_eq!(&counts, hands_of_classes());
    }
}
