use super::*;
use crate::hands::JokerUse;

#[test]
fn every_three_cards_come_once() {
    assert_eq!(every_three().count(), 23_426);
}

#[test]
fn counts_that_are_compiled_in_are_those_of_a_count_by_terms() {
    let term = |text| CardTerm::parse(text, BetSubject::SeatHand, 6).unwrap();
    let mut terms = ["full_house", "joker", "named_colour:3"].map(term).to_vec();
    terms.sort_unstable();
    let stored = TermCounts::of((6, JokerUse::SemiWild), &terms).unwrap();
    assert_eq!(*stored, TermCounts::counted((6, JokerUse::SemiWild), &terms).unwrap());
    // A term whose counts are not compiled in is counted once.
    terms.push(term("ranks:K"));
    terms.sort_unstable();
    let counted = TermCounts::of((6, JokerUse::SemiWild), &terms).unwrap();
    assert_eq!(counted.hands.values().sum::<u64>(), 22_957_480);
    assert!(std::sync::Arc::ptr_eq(
        &counted,
        &TermCounts::of((6, JokerUse::SemiWild), &terms).unwrap()
    ));
}
