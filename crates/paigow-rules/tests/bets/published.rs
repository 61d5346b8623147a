//! Tests every published figure of a bonus bet.

use paigow_rules::game::{
    BetId, BetSubject, BonusBet, Fraction, PayRow, RowCounts, RowPayment, Ruleset, shipped,
};

use super::tables::{Table, table, tables};

fn counts(table: &Table) -> RowCounts {
    table.bonus_bet().row_counts(table.cards).unwrap()
}

fn share(hands: u64, counts: &RowCounts) -> Fraction {
    Fraction::new(hands.into(), counts.total.into()).unwrap()
}

fn product(a: Fraction, b: Fraction) -> Fraction {
    a.times(b).unwrap()
}

fn less(a: Fraction, b: Fraction) -> Fraction {
    a.minus(b).unwrap()
}

/// Returns the payment of a row, without the stake.
fn profit(pays: RowPayment) -> Fraction {
    match pays.odds() {
        Some(odds) => Fraction::new(odds.num().into(), odds.den().into()).unwrap(),
        None => Fraction::ZERO,
    }
}

/// Writes a value with the number of places of its figure, and as a percentage if the figure is
/// one.
fn as_printed(value: Fraction, figure: &str) -> String {
    let percent = figure.strip_suffix('%');
    let (_, decimals) = percent.unwrap_or(figure).split_once('.').unwrap();
    if percent.is_some() {
        format!("{}%", product(value, Fraction::from(100)).decimal(decimals.len()))
    } else {
        value.decimal(decimals.len())
    }
}

/// Checks the figures of one table, and counts them.
struct Figures<'a> {
    table: &'a Table,
    checked: usize,
}

impl Figures<'_> {
    fn check(&mut self, value: Fraction, figure: &str) {
        assert_eq!(as_printed(value, figure), figure, "{}", self.table.id);
        self.checked += 1;
    }

    /// Checks a figure whose last digit is wrong in the document.
    fn check_misprint(&mut self, value: Fraction, printed: &str, corrected: &str) {
        assert_eq!(as_printed(value, corrected), corrected, "{}", self.table.id);
        assert_ne!(printed, corrected);
        self.checked += 1;
    }

    fn check_all(&mut self) {
        let table = self.table;
        let (bet, counts) = (table.bonus_bet(), counts(table));
        let returned = bet.exact_return(table.cards).unwrap();
        let edge = less(Fraction::ONE, returned);
        for ((row, published), &hands) in bet.rows.iter().zip(&table.rows).zip(&counts.rows) {
            let chance = share(hands, &counts);
            let stake = if table.printed.as_deref() == Some("with stake") { 1 } else { 0 };
            let paid = profit(row.pays).plus(Fraction::from(stake)).unwrap();
            match (&published.printed, &published.corrected) {
                (Some(printed), None) => self.check(product(paid, chance), printed),
                (Some(printed), Some(corrected)) => {
                    self.check_misprint(product(paid, chance), printed, corrected);
                }
                (None, _) => {}
            }
            if let Some(printed) = &published.printed_to_others {
                self.check(product(to_five_dollars(row.to_others), chance), printed);
            }
        }
        for losing in &table.printed_losing {
            self.check(less(Fraction::ZERO, share(losing.hands, &counts)), &losing.printed);
        }
        if let Some(printed) = &table.printed_total {
            self.check(less(returned, Fraction::ONE), printed);
        }
        match (&table.edge, &table.corrected_edge) {
            (Some(printed), None) => self.check(edge, printed),
            (Some(printed), Some(corrected)) => self.check_misprint(edge, printed, corrected),
            (None, _) => {}
        }
        let envy = product(bet.exact_to_others(table.cards).unwrap(), to_five_dollars(Some(1)));
        if let Some(printed) = &table.printed_total_to_others {
            self.check(envy, printed);
        }
        // With one player there are no others, with six there are five.
        for (others, printed) in (0..).zip(&table.edge_by_players) {
            let highest = bet.highest_return(table.cards, others).unwrap();
            self.check(less(Fraction::ONE, highest), printed);
            let others = product(envy, Fraction::from(i64::from(others)));
            assert_eq!(highest, returned.plus(others).unwrap());
        }
        self.check_details(&counts, returned);
    }

    /// The long tables of table 3: hands, probability and return, and their totals.
    fn check_details(&mut self, counts: &RowCounts, returned: Fraction) {
        let table = self.table;
        let bet = table.bonus_bet();
        for (place, (hands, probability, printed)) in table.detail.iter().enumerate() {
            let value = match bet.rows.get(place) {
                Some(row) => {
                    assert_eq!(counts.rows[place], *hands, "{}", row.id);
                    profit(row.pays)
                }
                None => Fraction::from(-1),
            };
            self.checked += 1;
            self.check(share(*hands, counts), probability);
            self.check(product(value, share(*hands, counts)), printed);
        }
        if let Some((one, total)) = &table.detail_total {
            self.check(Fraction::ONE, one);
            self.check(less(returned, Fraction::ONE), total);
        }
        for (place, (hands, probability, printed)) in table.detail_to_others.iter().enumerate() {
            let amount = bet.rows[place].to_others;
            let counted = match amount {
                Some(_) => counts.rows[place],
                None => counts.rows[place..].iter().sum::<u64>() + counts.losing,
            };
            assert_eq!(counted, *hands);
            self.checked += 1;
            self.check(share(*hands, counts), probability);
            self.check(product(to_five_dollars(amount), share(*hands, counts)), printed);
        }
        if let Some((hands, one, total)) = &table.detail_total_to_others {
            assert_eq!(counts.total, *hands);
            self.checked += 1;
            self.check(Fraction::ONE, one);
            let envy = bet.exact_to_others(table.cards).unwrap();
            self.check(product(envy, to_five_dollars(Some(1))), total);
        }
    }
}

/// Converts an amount in cents to that of a stake of $5, as the document prints it.
fn to_five_dollars(cents: Option<i64>) -> Fraction {
    Fraction::new(cents.unwrap_or(0).into(), 500).unwrap()
}

#[test]
fn every_row_pays_as_many_hands_as_published() {
    let mut published = 0;
    for table in tables() {
        let counts = counts(&table);
        for (row, counted) in table.rows.iter().zip(&counts.rows) {
            if let Some(hands) = row.hands {
                assert_eq!(*counted, hands, "{} {}", table.id, row.id);
                published += 1;
            }
            assert!(*counted > 0, "{} {}", table.id, row.id);
        }
        if let Some(losing) = table.losing {
            assert_eq!(counts.losing, losing, "{}", table.id);
        }
        let looks_at_three = table.bonus_bet().looks_at == BetSubject::FirstThree;
        let hands = match (looks_at_three, table.cards) {
            (true, _) => 23_426,
            (false, 6) => 22_957_480,
            (false, _) => 154_143_080,
        };
        assert_eq!(counts.rows.iter().sum::<u64>() + counts.losing, hands);
        assert_eq!(counts.total, hands);
    }
    // mania: 6 + 8. mikes: 16. express: 1 + 13 + 12 + 5 x 11 + 7 + 4. The challenge bonus: 13. The
    // insurance: 6. The ace-high bonus: 2.
    assert_eq!(published, 143);
}

#[test]
fn every_printed_figure_follows_from_the_counts() {
    let mut express = 0;
    for table in tables() {
        let mut figures = Figures { table: &table, checked: 0 };
        figures.check_all();
        if table.id.starts_with("express-") {
            express += figures.checked;
        }
        if let Some(exact) = &table.exact_edge {
            figures.check(less(Fraction::ONE, table.bonus_bet().exact_return(7).unwrap()), exact);
        }
    }
    // The document prints this many figures.
    assert_eq!(express, 270);
}

#[test]
fn hands_that_lose_by_name_are_counted_with_those_that_lose() {
    for table in tables().iter().filter(|table| !table.printed_losing.is_empty()) {
        let losing: u64 = table.printed_losing.iter().map(|losing| losing.hands).sum();
        assert_eq!(losing, counts(table).losing, "{}", table.id);
    }
    let three_pair = counts(&table("express-dynasty-2")).rows[11];
    for number in 3..=7 {
        let table = table(&format!("express-dynasty-{number}"));
        assert_eq!(table.printed_losing[0].hands, three_pair);
    }
}

#[test]
fn poker_order_would_move_hands_from_the_trips_to_the_straights() {
    // Section 5, item 1: 201,824 hands hold both, and the table pays the trips.
    let mut bet = table("mania-pai-gow-bonus").bonus_bet();
    bet.rows.swap(6, 7);
    let counts = bet.row_counts(7).unwrap();
    assert_eq!(counts.rows[6..], [11_236_028, 7_470_676]);
    let edge = less(Fraction::ONE, bet.exact_return(7).unwrap());
    assert_eq!(as_printed(edge, "6.131784%"), "6.131784%");
}

/// Returns the id of the published table that a bet of a shipped ruleset has. Returns [`None`] for
/// Wrangler Push, whose rows need both hands, and for the progressive bet, for which no source
/// prints amounts.
fn table_of(ruleset: &str, bet: BetId) -> Option<String> {
    let number = ruleset.strip_prefix("express-").unwrap_or("1");
    Some(match (bet.name(), ruleset) {
        ("bonus", "mini" | "mini-active" | "mini-six") => "mini-a".to_owned(),
        ("bonus", mini) => mini.to_owned(),
        ("three_card", _) => "mania-three-card".to_owned(),
        ("pai_gow_bonus", _) => "mania-pai-gow-bonus".to_owned(),
        ("outlaw_9", _) => "mikes-outlaw-9".to_owned(),
        ("queens_dragon", _) => "express-queens-dragon".to_owned(),
        ("dynasty", "express-active") => "express-dynasty-1".to_owned(),
        ("dynasty", _) => format!("express-dynasty-{number}"),
        ("protection", _) => "express-protection".to_owned(),
        ("red_black", _) => "express-red-black".to_owned(),
        ("challenge", _) => "classic-challenge".to_owned(),
        ("insurance", _) => "queen-push-insurance".to_owned(),
        ("ace_high", _) => "face-up-ace-high".to_owned(),
        ("wrangler_push" | "progressive", _) => return None,
        (other, _) => panic!("{other} has no pay table"),
    })
}

#[test]
fn the_shipped_tables_are_the_published_ones() {
    let mut compared = std::collections::BTreeSet::new();
    for ruleset in shipped() {
        for bet in ruleset.bonus_bets() {
            let Some(id) = table_of(ruleset.id(), bet.id) else { continue };
            let published = table(&id).bonus_bet();
            let rows = |rows: &[PayRow]| -> Vec<_> {
                rows.iter()
                    .map(|row| (row.id.clone(), row.pays, row.condition.clone(), row.to_others))
                    .collect()
            };
            assert_eq!(rows(&bet.rows), rows(&published.rows), "{}", ruleset.id());
            let others =
                |bet: &BonusBet| bet.to_others.as_ref().map(|terms| (terms.bet, terms.threshold));
            assert_eq!(bet.looks_at, published.looks_at, "{}", ruleset.id());
            assert_eq!(others(bet), others(&published), "{}", ruleset.id());
            compared.insert(id);
        }
    }
    // No shipped ruleset uses the other reading of the one-colour rows.
    let all = tables().into_iter().map(|table| table.id);
    let shipped: std::collections::BTreeSet<String> =
        all.filter(|id| id != "mikes-outlaw-9-any").collect();
    assert_eq!(compared, shipped);
}

/// Compares counts by the row that pays with independent counts for a wild joker.
#[test]
fn a_wild_joker_pays_the_dynasty_rows_as_often_as_was_counted_apart() {
    let express = shipped().iter().find(|ruleset| ruleset.id() == "express-3").unwrap();
    let wild = express.text().replacen("joker = \"semi-wild\"", "joker = \"wild\"", 1).replacen(
        "condition = \"five_aces\"",
        "condition = \"five_of_a_kind\"",
        1,
    );
    // The envy bonus of other seats' hands adds to the 32 %.
    let faults = Ruleset::parse(&wild).unwrap_err();
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(
        matches!(&told[..], [one] if one.starts_with("bets[1]: dynasty returns 1.4")),
        "{told:?}"
    );
    let open = wild.replacen("allow_player_advantage = false", "allow_player_advantage = true", 1);
    let open = Ruleset::parse(&open).unwrap();
    let dynasty = &open.bonus_bets()[1];
    let counts = dynasty.row_counts(7).unwrap();
    // The pay table, made for a joker that is semi-wild, favours the player by 32 %.
    assert_eq!(dynasty.return_of(&counts).unwrap().decimal(2), "1.32");
    let hands = |id: &str| {
        let row = dynasty.rows.iter().position(|row| row.id == id);
        counts.rows[row.unwrap_or_else(|| panic!("{id}: {dynasty:?}"))]
    };
    assert_eq!(
        ["5-aces", "4-of-a-kind", "full-house", "flush", "3-of-a-kind", "straight"].map(hands),
        [14_664, 1_121_024, 5_997_144, 6_027_224, 15_315_300, 9_083_940]
    );
    assert_eq!(counts.total, 154_143_080);
}
