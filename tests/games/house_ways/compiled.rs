//! The tables of the house ways against their clauses: the same cards, in the same order,
//! by the same clause, whatever the suits are called.

use std::thread;

use paigow_rules::cards::Card;
use paigow_rules::hands::{
    CanonicalHand, HandClass, HandClasses, HighHand, LowHand, canonical_hands,
};
use paigow_rules::house_way::{CompiledWay, HouseWay, shipped};

/// Asserts that the table sets a hand as the clauses do, in every naming of its suits.
fn assert_set_alike<const N: usize>(
    way: &HouseWay,
    table: &CompiledWay,
    hand: CanonicalHand<N>,
    class_of: impl Fn(&[Card; N]) -> HandClass,
) {
    for cards in hand.namings() {
        let by_clauses = way.interpret(&cards).unwrap();
        let looked_up = table.set(way, &cards).unwrap();
        let context = || format!("{} sets {cards:?}: {by_clauses:?} {looked_up:?}", way.id());
        assert_eq!(looked_up.low, by_clauses.low, "{}", context());
        assert_eq!(looked_up.high, by_clauses.high, "{}", context());
        // An id of a clause is there once, and a row has an id that no clause has.
        assert_eq!(looked_up.clause.id(), by_clauses.clause.id(), "{}", context());
        let low = LowHand::of_cards(&by_clauses.low, way.ranking()).unwrap();
        let high = HighHand::of(&by_clauses.high, way.ranking());
        assert_eq!(table.values(class_of(&cards)), (low, high), "{}", context());
    }
}

/// Asserts it for the hand at `first` and every `step`th after it, up to a renaming of
/// suits.
fn assert_agrees(way: &HouseWay, first: usize, step: usize) {
    let table = way.compile();
    assert_eq!(table.undecided(), 0, "{}", way.id());
    if way.cards() == 6 {
        for hand in canonical_hands::<6>().skip(first).step_by(step) {
            assert_set_alike(way, &table, hand, |cards| HandClasses::<6>::get().class_of(cards));
        }
    } else {
        for hand in canonical_hands::<7>().skip(first).step_by(step) {
            assert_set_alike(way, &table, hand, |cards| HandClasses::<7>::get().class_of(cards));
        }
    }
}

#[test]
fn a_table_sets_a_sample_of_hands_as_the_clauses_do_whatever_their_suits() {
    thread::scope(|scope| {
        for way in shipped() {
            let step = if way.cards() == 6 { 101 } else { 1_009 };
            scope.spawn(move || assert_agrees(way, step / 2, step));
        }
    });
}

#[test]
#[ignore = "long: every hand that can be dealt, by every way, twice"]
fn a_table_sets_every_hand_as_the_clauses_do() {
    thread::scope(|scope| {
        for way in shipped() {
            scope.spawn(move || assert_agrees(way, 0, 1));
        }
    });
}

#[test]
fn the_places_of_the_values_are_in_their_order() {
    let way = shipped().iter().find(|way| way.id() == "mini").unwrap();
    let table = way.compile();
    let classes = HandClasses::<6>::get();
    let ids = |class: HandClass| (table.low_ids()[class.index()], table.high_ids()[class.index()]);
    assert_eq!((table.low_ids().len(), table.high_ids().len()), (classes.len(), classes.len()));
    let some: Vec<HandClass> = classes.all().step_by(101).collect();
    for (a, b) in some.iter().zip(some.iter().skip(1).step_by(3)) {
        let ((low_a, high_a), (low_b, high_b)) = (table.values(*a), table.values(*b));
        let ((low_id_a, high_id_a), (low_id_b, high_id_b)) = (ids(*a), ids(*b));
        assert_eq!(low_id_a.cmp(&low_id_b), low_a.cmp(&low_b));
        assert_eq!(high_id_a.cmp(&high_id_b), high_a.cmp(&high_b));
    }
}

#[test]
fn a_way_and_its_clones_share_the_table_that_one_makes() {
    let file = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/paigow-rules/src/house_way/charts/mini.toml"
    ));
    let way = HouseWay::parse(file).unwrap();
    let clone = way.clone();
    let hand: Vec<Card> = "Jk Ah 4c 4d 9s 2h".split(' ').flat_map(str::parse).collect();
    let before = clone.set(&hand).unwrap().clause.id();
    way.compile_now();
    assert!(std::ptr::eq(way.compiled(), clone.compiled()));
    assert_eq!(clone.set(&hand).unwrap().clause.id(), before);
    // The table does not set an invalid hand either.
    assert!(way.set(&hand[1..]).is_none());
    assert!(way.set(&[hand[0]; 6]).is_none());
}
