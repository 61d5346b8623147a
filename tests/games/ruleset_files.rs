//! Rules files and the hashes by which they name one another.
#![allow(clippy::unwrap_used)]

use paigow_rules::game::{self, Ruleset};
use paigow_rules::house_way;
use sha2::{Digest, Sha256};

/// A tuple as PGE-FAIR-1 encodes it: each part after its length.
fn tuple(label: &str, fields: [&[u8]; 2]) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(label.len()).unwrap()];
    bytes.extend(label.as_bytes());
    bytes.push(2);
    for field in fields {
        bytes.extend(u32::try_from(field.len()).unwrap().to_le_bytes());
        bytes.extend(field);
    }
    bytes
}

#[test]
fn a_ruleset_names_its_house_way_by_the_hash_of_the_file() {
    for ruleset in game::shipped() {
        let named = ruleset.house_way();
        let way = house_way::shipped().iter().find(|way| way.id() == named.id).unwrap();
        // D9: SHA-256(enc("pge/v1/house-way", id, file_bytes)).
        let bytes = tuple("pge/v1/house-way", [way.id().as_bytes(), way.text().as_bytes()]);
        assert_eq!(hex::encode(Sha256::digest(bytes)), named.hash, "{}", ruleset.id());
    }
}

/// Parses a shipped file with texts replaced, and returns the messages of the faults.
fn faults(id: &str, replacements: &[(&str, &str)]) -> Vec<String> {
    let shipped = game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap();
    let mut file = shipped.text().to_owned();
    for (from, to) in replacements {
        assert!(file.contains(from), "{id}: {from}");
        file = file.replacen(from, to, 1);
    }
    let faults = Ruleset::parse(&file).err().unwrap_or_default();
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_mistake_in_a_file_is_told_with_what_to_change() {
    let queens = "push_on_dealer = [\"pai_gow\", \"highest:Q\"]";
    for (id, from, to, told) in [
        // A row misspelt.
        (
            "mini",
            "condition = \"full_house\"",
            "condition = \"fullhouse\"",
            "bets[0].rows[4].condition: must be a term that the cards of seat-hand can meet, not \
             \"fullhouse\" (did you mean \"full_house\"?). The terms, each with no_ before it or \
             without: five_aces, pai_gow, ",
        ),
        (
            "express",
            queens,
            "push_on_dealer = \"queen-high\"",
            "base.push_on_dealer: must be a term that the cards of the dealer can meet, not ",
        ),
        // Odds swapped: 25 and 5.
        (
            "express",
            "pays = \"25/1\"\ncondition = \"four_of_a_kind\"",
            "pays = \"5/1\"\ncondition = \"four_of_a_kind\"",
            "",
        ),
        (
            "express",
            "pays = \"5/1\"\ncondition = \"full_house\"",
            "pays = \"26/1\"\ncondition = \"full_house\"",
            "bets[1].rows[9].pays: 26/1 is more than the row above pays, 25/1: rows stand in \
             paying order, so that the first that holds pays most",
        ),
        // A row that a row above takes all hands of.
        (
            "mania",
            "condition = \"flush\"\n\n[[bets.rows]]\nid = \"one-pair\"",
            "condition = \"flush\"\n\n[[bets.rows]]\nid = \"wild\"\ntitle = \"Wild\"\n\
             pays = \"2/1\"\ncondition = \"natural_straight_flush\"\n\n\
             [[bets.rows]]\nid = \"one-pair\"",
            "bets[0].rows[5].condition: is another row's already",
        ),
        (
            "mania",
            "condition = \"straight_flush\"\n\n[[bets.rows]]\nid = \"four-of-a-kind\"",
            "condition = \"straight_flush\"\n\n[[bets.rows]]\nid = \"steel-wheel\"\n\
             title = \"Steel Wheel\"\npays = \"50/1\"\n\
             condition = [\"one_suit:A2345\", \"no_joker\"]\n\n\
             [[bets.rows]]\nid = \"four-of-a-kind\"",
            "bets[1].rows[3].condition: no hand is paid by this row: none meets it, or each that \
                 does meets a row above",
        ),
        // Terms for seven cards, in a game of six.
        (
            "mini",
            "condition = \"royal_flush\"",
            "condition = \"royal_flush_beside:KQ\"",
            "bets[0].rows[1].condition: must be a term that the cards of seat-hand can meet, not ",
        ),
        // Hands, seats and streets that the deck does not give.
        ("express", "seats = 6", "seats = 7", "seats: must be a whole number 1 to 6, not 7"),
        ("mini", "hand = 6", "hand = 7", "seats: must be a whole number 1 to 6, not 7"),
        (
            "mania",
            "streets = [3, 4]",
            "streets = [3, 3]",
            "dealing.streets: must add up to 7, the cards of a hand",
        ),
        (
            "mania",
            "streets = [3, 4]",
            "streets = [4, 3]",
            "bets[0].looks_at: three_card needs a first street of three cards",
        ),
        // Amounts without a currency.
        (
            "mania",
            "pays = \"1/1\"",
            "pays = \"1/1\"\nminimum_minor = 500",
            "base.minimum_minor: is an amount, and the ruleset names no currency",
        ),
        (
            "online",
            "rate = \"1/20\"",
            "rate = \"5/100\"",
            "base.commission.rate: must be a fraction of at most 1 in lowest terms, as \"1/20\" \
             for 5 %, not \"5/100\"",
        ),
        (
            "online",
            "required = [\"chip_minor\"]",
            "required = []",
            "facts.required: must contain chip_minor, which the rules use",
        ),
        (
            "mini",
            "dealer_qualifies = \"55\"",
            "dealer_qualifies = \"5\"",
            "double_down.dealer_qualifies: must be a pair as \"55\" or \"TT\", not \"5\"",
        ),
        (
            "mini",
            "\"bank_minor\", ",
            "",
            "facts.optional: must contain bank_minor: a player can bank, but need not",
        ),
        (
            "mini-community",
            ", threshold_minor = 500",
            "",
            "bets[0].others.threshold_minor: missing",
        ),
        // Seats that would play but get no cards, or have no opponent.
        (
            "express",
            "needs_base = true",
            "needs_base = false",
            "bets[0].needs_base: must be true where the house banks",
        ),
        (
            "mini",
            "direction = \"clockwise\"",
            "direction = \"counter-clockwise\"",
            "dealing.direction: must be \"clockwise\" without dice",
        ),
        // The family is a name for people.
        ("online", "family = \"online\"", "family = \"mini\"", ""),
        // Limits that contradict one another.
        (
            "express",
            "max_payout_minor = 500000000",
            "max_payout_minor = 100",
            "max_payout_minor: is below what the least stake of 1 may win, 2000: no wager of \
             dynasty could be placed",
        ),
        (
            "express",
            "maximum_minor = 1000000\nothers = { bet",
            "maximum_minor = 100\nothers = { bet",
            "bets[1].others.threshold_minor: is above the maximum of the bet, 100",
        ),
        // A row that takes what the next one pays.
        (
            "mikes",
            "condition = [[\"push\", \"low_pair:3\"], [\"push\", \"dealer_low_pair:3\"]]\n\n[[bets.rows]]\nid = \"push\"\n\
             title = \"Push\"\npays = \"1/1\"\ncondition = \"push\"",
            "condition = \"push\"\n\n[[bets.rows]]\nid = \"push\"\ntitle = \"Push\"\n\
             pays = \"1/1\"\ncondition = [[\"push\", \"low_pair:3\"], [\"push\", \"dealer_low_pair:3\"]]",
            "bets[0].rows[1].condition: no hand is paid by this row",
        ),
        (
            "mini",
            "condition = \"full_house\"",
            "condition = \"full_house\"\nothers_minor = 500",
            "bets[0].rows[4].others_minor: unknown key",
        ),
    ] {
        let found = faults(id, &[(from, to)]);
        if told.is_empty() {
            // Lower odds alone are legal: the rows are still in paying order.
            assert_eq!(found, Vec::<String>::new(), "{to}");
        } else {
            assert!(found.iter().any(|fault| fault.starts_with(told)), "{to}: {found:?}");
        }
    }
}

#[test]
fn no_bonus_bet_returns_more_than_it_takes_unless_the_file_says_so() {
    let of = |last: &str| format!("[\"one_colour\", {last}]");
    let readings = ["\"no_joker\"", "\"joker\""].map(|joker| {
        (
            of(&format!("{joker}, \"pai_gow\"")),
            of(&format!("{joker}, \"no_straight\", \"no_flush\"")),
        )
    });
    let reading = readings.each_ref().map(|(from, to)| (from.as_str(), to.as_str()));
    let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
    let found = faults("mikes", &reading);
    // The literal reading favours the player by 0.655023 %.
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("bets[1]: outlaw_9 returns 1.006550 times the stake ("));
    assert!(found[0].ends_with("or say allow_player_advantage = true if that is meant"));
    assert_eq!(faults("mikes", &[reading[0], reading[1], allowed]), Vec::<String>::new());

    // 50 to 1 on 2,719,500 of 154,143,080 hands returns 0.8998; 56 to 1 returns 1.0056.
    let dragon = "pays = \"50/1\"\ncondition = [\"pai_gow\", \"highest:Q\"]";
    let at = |odds: &str| faults("express", &[(dragon, &dragon.replace("50/1", odds))]);
    assert_eq!(at("55/1"), Vec::<String>::new());
    assert!(at("56/1")[0].starts_with("bets[0]: queens_dragon returns 1.0056"));

    // The envy of five other hands counts: a full house, 2.7173 %, that pays others 5.00
    // for 5.00 staked adds five times as much to 0.922344.
    let envy = "condition = \"full_house\"";
    let found = faults("express-3", &[(envy, &format!("{envy}\nothers_minor = 500"))]);
    assert!(found[0].starts_with("bets[1]: dynasty returns 1.10"), "{found:?}");
    assert!(found[0].contains("with 5 other seats"), "{found:?}");
}
