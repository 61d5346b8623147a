//! Each `Prepare` call refuses what its call refuses, and what it prepares is taken once it is signed.
//!
//! Random rounds with random mistakes, as [`paigow_testkit::prepared_rounds`] plays them.

use paigow_testkit::prepared_rounds::{Tally, play};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn prepare_refuses_what_its_call_refuses_and_no_more(seed in any::<u64>()) {
        play(seed, &mut Tally::default());
    }
}

#[test]
fn the_rounds_of_the_property_meet_every_side() {
    let mut tally = Tally::default();
    for seed in 0..400 {
        play(seed, &mut tally);
    }
    for call in ["OpenRound", "Deal", "Settle", "VoidRound"] {
        let reasons = tally.0.keys().filter(|(of, _)| *of == call).count();
        assert!(tally.0.get(&(call, "prepared")).is_some_and(|n| *n > 100), "{tally:?}");
        assert!(reasons > 4, "{call}: {tally:?}");
    }
    for met in [
        ("Settle", "DECISION_DROPPED"),
        ("Settle", "LOCK_NOT_SPENT"),
        ("Settle", "ABSENT_SEAT"),
        ("Settle", "undecided"),
        ("VoidRound", "LOCK_NOT_SPENT"),
    ] {
        assert!(tally.0.contains_key(&met), "{met:?}: {tally:?}");
    }
}

#[test]
#[ignore = "some minutes: the long form"]
fn fifty_thousand_prepared_rounds() {
    let mut tally = Tally::default();
    for seed in 0..10_000 {
        play(seed ^ 0x5eed_0000, &mut tally);
    }
    println!("{tally:?}");
}
