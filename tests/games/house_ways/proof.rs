//! Every way over a sample of hands, and in the long form over all of them. Each hand is set
//! with its own cards and is never foul. Swapping suits does not change how it is set.

use std::thread;

use paigow_rules::cards::{Card, Suit};
use paigow_rules::hands::canonical_hands;
use paigow_rules::house_way::{HouseWay, Proof, shipped};

/// 53 choose 7 and 53 choose 6.
const HANDS: [(usize, u64); 2] = [(7, 154_143_080), (6, 22_957_480)];

fn count<const N: usize>() -> (u64, u64, u64) {
    let (mut canonical, mut with_joker, mut hands) = (0, 0, 0);
    for hand in canonical_hands::<N>() {
        canonical += 1;
        with_joker += u64::from(hand.has_joker());
        hands += hand.multiplicity();
    }
    (canonical, with_joker, hands)
}

#[test]
fn the_canonical_hands_are_all_the_hands() {
    // Orbits of the 24 renamings of suits, counted by Burnside's lemma; 53 choose 7.
    assert_eq!(count::<7>(), (6_972_147, 962_988, 154_143_080));
    let (_, _, hands) = count::<6>();
    assert_eq!(hands, 22_957_480);
}

#[test]
fn the_namings_of_a_canonical_hand_are_as_many_as_it_stands_for() {
    for hand in canonical_hands::<7>().step_by(10_007) {
        let mut namings: Vec<[Card; 7]> = hand.namings().collect();
        assert_eq!(namings.len() as u64, hand.multiplicity());
        assert_eq!(namings[0], hand.cards(Suit::ALL));
        for cards in &mut namings {
            cards.sort_unstable();
        }
        namings.sort_unstable();
        namings.dedup();
        assert_eq!(namings.len() as u64, hand.multiplicity(), "all different");
    }
}

#[test]
fn a_sample_of_hands_is_set_legally_whatever_their_suits() {
    thread::scope(|scope| {
        for way in shipped() {
            let step = if way.cards() == 6 { 31 } else { 211 };
            scope.spawn(move || way.prove(step / 2, step, |_| {}).unwrap());
        }
    });
}

/// The clauses that no hand reaches.
fn undecided<'a>(way: &'a HouseWay, proof: &Proof) -> Vec<&'a str> {
    let cited: Vec<&str> = proof.decided.keys().flat_map(|id| id.split('/')).collect();
    let ids = way.clauses().iter().map(|clause| clause.id.as_str());
    ids.filter(|id| !cited.contains(id)).collect()
}

#[test]
#[ignore = "long form: cargo test --release --test games house_ways -- --ignored"]
fn every_hand_is_set_legally_whatever_its_suits() {
    for way in shipped() {
        let workers = 4;
        let mut proof = Proof::default();
        thread::scope(|scope| {
            let shares: Vec<_> = (0..workers)
                .map(|worker| scope.spawn(move || way.prove(worker, workers, |_| {}).unwrap()))
                .collect();
            shares.into_iter().for_each(|share| proof.add(share.join().unwrap()));
        });
        assert!(HANDS.contains(&(way.cards(), proof.hands)), "{}", way.id());
        let expected: &[&str] = match way.id() {
            // The joker's straights that begin and end with it, and a foul split that
            // never comes about.
            "online" => &["O4ex", "S7AJ", "S7J7"],
            _ => &[],
        };
        assert_eq!(undecided(way, &proof), expected, "{}", way.id());
        if let Some(hands) = proof.decided.get("ballys-ac.one-pair-complete.aces") {
            // The joker, an ace, three of K-Q-J-T and two of 2 to 8 (a nine makes a lower
            // straight). There are 21 pairs of ranks beside each three, less 8-7 beside K-J-T
            // and 8 with any beside Q-J-T. Of 4^6 suits 616 hold four of one. If these are the
            // ace and the three alone, they make a royal flush: 4 x 3 x 3.
            assert_eq!(*hands, (21 + 21 + 20 + 15) * (4_096 - 616 + 36));
        }
    }
}
