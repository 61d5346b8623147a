use super::*;
use paigow_fairness::encoding::Hash;

fn record(class: LeafClass, byte: u8) -> LeafRecord {
    LeafRecord { class, hash: Hash::of(&[byte]) }
}

fn id(text: &str) -> Identifier {
    text.parse().unwrap()
}

#[test]
fn a_close_counts_every_round_and_its_tree_has_a_leaf_for_each() {
    let mut rounds = EpochRounds::new(7, id("acme"));
    assert!(rounds.is_empty() && rounds.close().is_none());
    // Table b comes after table a, and round 10 after round 9, whatever the order here.
    for (table, number, classes) in [
        (
            "b",
            1,
            &[LeafClass::Ticket, LeafClass::WagerLock, LeafClass::Deal, LeafClass::Settled][..],
        ),
        ("a", 10, &[LeafClass::Ticket]),
        ("a", 9, &[LeafClass::Ticket, LeafClass::Ticket, LeafClass::WagerLock, LeafClass::Void]),
    ] {
        for (byte, class) in (0..).zip(classes) {
            rounds.add(&id(table), number, record(*class, byte));
            rounds.add(&id(table), number, record(*class, byte));
        }
    }
    // A lock of phase 2 alone has no wagers. A settled round reveals its seed itself.
    let unsettled = rounds.without_settlement();
    assert_eq!(unsettled, [SeedPlace { table: id("a"), round_no: 9 }]);
    let close = rounds.close().unwrap();
    let counts = RoundCounts { never_closed: 1, opened_again: 1, settled: 1, voided: 1 };
    assert_eq!((close.leaves, close.rounds), (3, counts));
    let tables = [
        ClosedTable { table: id("a"), last: 10, head: None },
        ClosedTable { table: id("b"), last: 1, head: Some(Hash::of(&[3])) },
    ];
    assert_eq!(close.tables, tables);
    // A Python program computed the root: SHA-256 of the three leaves and two nodes.
    assert_eq!(
        close.root.to_string(),
        "d3ce38daf394dcac57c95a45e114000c1bcb43504a74d7f0b8d0e4f7dbcadc17"
    );
    assert_eq!(EpochClose::parse(close.to_json()).unwrap(), close);
}

#[test]
fn a_close_whose_counts_or_tables_are_wrong_is_none() {
    let mut rounds = EpochRounds::new(7, id("acme"));
    for table in ["a", "b"] {
        rounds.add(&id(table), 1, record(LeafClass::Ticket, 1));
    }
    let good = rounds.close().unwrap();
    assert!(EpochClose::parse(good.to_json()).is_ok());
    let bad = |edit: &dyn Fn(&mut EpochClose)| {
        let mut close = good.clone();
        edit(&mut close);
        assert!(EpochClose::parse(close.to_json()).is_err(), "{close:?}");
    };
    bad(&|close| close.leaves = 3);
    // Two tables with one round number each have no third leaf.
    bad(&|close| {
        close.leaves = 3;
        close.rounds.settled = 1;
    });
    bad(&|close| close.rounds.settled = 1);
    bad(&|close| close.tables.reverse());
    bad(&|close| close.tables[1] = close.tables[0].clone());
    bad(&|close| close.tables.clear());
    bad(&|close| close.tables[0].last = 0);
    bad(&|close| {
        close.leaves = 0;
        close.rounds.never_closed = 0;
    });
}
