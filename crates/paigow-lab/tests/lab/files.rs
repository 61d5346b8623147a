//! The shipped files, read as plain TOML without the engine, and the forms in which people read
//! their figures.

use paigow_fairness::seed::house_way_hash;
use toml::Table;

use crate::written::one_line;

/// The id of a shipped file and its text.
macro_rules! file {
    ($folder:literal, $id:literal) => {
        (
            $id,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../crates/paigow-rules/src/",
                $folder,
                "/",
                $id,
                ".toml"
            )),
        )
    };
}

pub(crate) const RULESETS: [(&str, &str); 25] = [
    file!("game/rulesets", "classic"),
    file!("game/rulesets", "classic-challenge"),
    file!("game/rulesets", "classic-progressive"),
    file!("game/rulesets", "express"),
    file!("game/rulesets", "express-2"),
    file!("game/rulesets", "express-3"),
    file!("game/rulesets", "express-4"),
    file!("game/rulesets", "express-5"),
    file!("game/rulesets", "express-6"),
    file!("game/rulesets", "express-7"),
    file!("game/rulesets", "express-active"),
    file!("game/rulesets", "express-wild"),
    file!("game/rulesets", "face-up"),
    file!("game/rulesets", "face-up-bonus"),
    file!("game/rulesets", "mania"),
    file!("game/rulesets", "mikes"),
    file!("game/rulesets", "mini"),
    file!("game/rulesets", "mini-active"),
    file!("game/rulesets", "mini-b"),
    file!("game/rulesets", "mini-c"),
    file!("game/rulesets", "mini-community"),
    file!("game/rulesets", "mini-six"),
    file!("game/rulesets", "nine-push"),
    file!("game/rulesets", "online"),
    file!("game/rulesets", "queen-push"),
];

pub(crate) const HOUSE_WAYS: [(&str, &str); 5] = [
    file!("house_way/charts", "mikes"),
    file!("house_way/charts", "mini"),
    file!("house_way/coded", "online"),
    file!("house_way/charts", "trump-plaza"),
    file!("house_way/charts", "trump-plaza-wild"),
];

pub(crate) fn str_of<'a>(table: &'a Table, key: &str) -> &'a str {
    table[key].as_str().unwrap()
}

pub(crate) fn tables_of<'a>(table: &'a Table, key: &str) -> Vec<&'a Table> {
    let list = table.get(key).and_then(toml::Value::as_array);
    list.into_iter().flatten().map(|value| value.as_table().unwrap()).collect()
}

pub(crate) fn number(table: &Table, key: &str) -> Option<i64> {
    table.get(key).and_then(toml::Value::as_integer)
}

/// `1234567` as `1,234,567`.
pub(crate) fn with_commas(number: i64) -> String {
    let digits: Vec<u8> = number.to_string().into_bytes();
    let groups: Vec<&str> =
        digits.rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

/// An amount as `12.34 USD`; the shipped files have amounts in cents or none.
pub(crate) fn dollars(minor: i64) -> String {
    format!("{}.{:02} USD", with_commas(minor / 100), minor % 100)
}

/// An amount in both ways, as tables of limits have it.
pub(crate) fn amount(minor: i64, file: &Table) -> String {
    if file.contains_key("currency") {
        format!("{} ({})", dollars(minor), with_commas(minor))
    } else if minor == 1 {
        "1 minor unit".to_owned()
    } else {
        format!("{} minor units", with_commas(minor))
    }
}

pub(crate) fn odds(pays: &str) -> String {
    if pays == "push" {
        return pays.to_owned();
    }
    if let Some(share) = pays.strip_prefix("meter:") {
        let whole = share == "1/1";
        return if whole { "the whole meter".to_owned() } else { format!("{share} of the meter") };
    }
    let (num, den) = pays.split_once('/').unwrap();
    format!("{} to {}", with_commas(num.parse().unwrap()), with_commas(den.parse().unwrap()))
}

/// The pay table of a bet as people read it: title, odds, and what others win.
pub(crate) fn pay_table(bet: &Table) -> Vec<Vec<String>> {
    let has_others = bet.contains_key("others");
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in tables_of(bet, "rows") {
        let mut cells = vec![str_of(row, "title").to_owned(), odds(str_of(row, "pays"))];
        if has_others {
            cells.push(number(row, "others_minor").map_or_else(String::new, dollars));
        }
        rows.push(cells);
    }
    let mut others = vec!["All other hands".to_owned(), "lose".to_owned()];
    others.extend(has_others.then(String::new));
    rows.push(others);
    rows
}

pub(crate) fn limits(file: &Table) -> Vec<Vec<String>> {
    let limit = |title: String, bet: &Table| {
        let minimum = amount(number(bet, "minimum_minor").unwrap_or(1), file);
        let maximum = number(bet, "maximum_minor").map(|most| amount(most, file));
        vec![title, minimum, maximum.unwrap_or_else(|| "none".to_owned())]
    };
    let mut rows = vec![limit("Base wager (base)".to_owned(), file["base"].as_table().unwrap())];
    for bet in tables_of(file, "bets") {
        rows.push(limit(format!("{} ({})", str_of(bet, "title"), str_of(bet, "id")), bet));
    }
    rows
}

pub(crate) fn fees(file: &Table, key: &str) -> Vec<Vec<String>> {
    let Some(fees) = file.get("fees").and_then(toml::Value::as_table) else { return Vec::new() };
    let band = |band: &Table| {
        let end = number(band, "up_to_minor")
            .map_or_else(|| "any above".to_owned(), |end| format!("up to {}", amount(end, file)));
        vec![end, amount(number(band, "fee_minor").unwrap(), file)]
    };
    tables_of(fees, key).into_iter().map(band).collect()
}

pub(crate) fn clauses(id: &str) -> Vec<(String, String)> {
    let file: Table = RULESETS.iter().find(|(known, _)| *known == id).unwrap().1.parse().unwrap();
    let named = file["house_way"].as_table().unwrap();
    let (way, text) = HOUSE_WAYS.iter().find(|(way, _)| *way == str_of(named, "id")).unwrap();
    assert_eq!(house_way_hash(way, text.as_bytes()).to_string(), str_of(named, "hash"));
    let way: Table = text.parse().unwrap();
    let clauses = tables_of(&way, "clause");
    assert!(clauses.len() > 10);
    let clause =
        |clause: &Table| (str_of(clause, "id").to_owned(), one_line(str_of(clause, "text")));
    clauses.into_iter().map(clause).collect()
}
