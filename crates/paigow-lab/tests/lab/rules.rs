//! `paigow-lab rules`: every form has every figure of every shipped file, as the TOML has it.

use std::collections::BTreeSet;

use serde_json::Value;
use toml::Table;

use paigow_fairness::seed::ruleset_hash;

use crate::binary::{run, text};
use crate::files::{RULESETS, amount, clauses, fees, limits, number, pay_table, str_of, tables_of};
use crate::own::own;
use crate::written::{markdown_tables, one_line, text_tables};

fn flags(format: &str) -> &'static [&'static str] {
    match format {
        "text" => &[],
        "markdown" => &["--markdown"],
        "json" => &["--json"],
        other => panic!("no format {other}"),
    }
}

fn rules(ruleset: &str, format: &str) -> String {
    let output = run(&[&["rules", ruleset], flags(format)].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    text(&output)
}

fn json(ruleset: &str) -> Value {
    serde_json::from_str(&rules(ruleset, "json")).unwrap()
}

/// Whether one of `tables` has these rows, in these columns at least.
fn has_rows(tables: &[Vec<Vec<String>>], rows: &[Vec<String>]) -> bool {
    tables.iter().any(|table| {
        let body = table.iter().rev().take(rows.len()).rev();
        table.len() >= rows.len() && body.zip(rows).all(|(cells, row)| cells.starts_with(row))
    })
}

/// Checks the content that every form for people must have, with its sentences in one line and its
/// tables parsed.
fn check_for_people(id: &str, words: &str, tables: &[Vec<Vec<String>>]) {
    let file: Table = RULESETS.iter().find(|(known, _)| *known == id).unwrap().1.parse().unwrap();
    let named = file["house_way"].as_table().unwrap();
    for key in ["title", "source"] {
        assert!(words.contains(str_of(&file, key)), "{id}: {key}");
    }
    for note in file.get("notes").and_then(toml::Value::as_array).into_iter().flatten() {
        assert!(words.contains(note.as_str().unwrap()), "{id}: {note:?}");
    }
    let text = RULESETS.iter().find(|(known, _)| *known == id).unwrap().1;
    let hash = ruleset_hash(id, text.as_bytes()).to_string();
    let about = [("Ruleset", id), ("Ruleset hash", &hash), ("House way", str_of(named, "id"))];
    for (name, value) in about.into_iter().chain([("House way hash", str_of(named, "hash"))]) {
        let row = [name.to_owned(), value.to_owned()];
        assert!(tables.iter().flatten().any(|cells| *cells == row), "{id}: {row:?}");
    }
    for bet in tables_of(&file, "bets") {
        let expected = pay_table(bet);
        assert!(has_rows(tables, &expected), "{id}: {expected:?}\n{tables:?}");
        if let Some(others) = bet.get("others").and_then(toml::Value::as_table) {
            let threshold = amount(number(others, "threshold_minor").unwrap(), &file);
            assert!(words.contains(&format!("at least {threshold} on this bet")), "{id}");
        }
    }
    assert!(has_rows(tables, &limits(&file)), "{id}: {:?}\n{tables:?}", limits(&file));
    for key in ["player", "player_dealer"] {
        assert!(has_rows(tables, &fees(&file, key)), "{id}: {key}");
    }
    let facts = file["facts"].as_table().unwrap();
    for (key, required) in [("required", "yes"), ("optional", "no")] {
        for fact in facts[key].as_array().unwrap() {
            let row = [fact.as_str().unwrap(), required];
            let is_told = |cells: &Vec<String>| cells.len() == 3 && cells[..2] == row;
            assert!(tables.iter().flatten().any(is_told), "{id}: {fact:?}");
        }
    }
}

#[test]
fn text_has_every_figure_and_no_line_above_80_columns() {
    for (id, file) in RULESETS {
        let text = rules(id, "text");
        let longest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(longest.chars().count() <= 80, "{id}: {longest}");
        assert!(text.lines().all(|line| line.trim_end() == line), "{id}");
        let words = one_line(&text);
        check_for_people(id, &words, &text_tables(&text));
        for bet in tables_of(&file.parse().unwrap(), "bets") {
            for row in tables_of(bet, "rows") {
                let named = format!("{} ({})", str_of(row, "title"), str_of(row, "id"));
                assert!(words.contains(&named), "{id}: {named}");
            }
        }
        for (clause, sentence) in clauses(id) {
            assert!(words.contains(&format!("{clause} {sentence}")), "{id}: {clause}");
        }
    }
}

#[test]
fn markdown_has_every_figure_in_tables_of_equal_rows() {
    for (id, file) in RULESETS {
        let markdown = rules(id, "markdown");
        let tables = markdown_tables(&markdown);
        for table in &tables {
            assert!(table.iter().all(|cells| cells.len() == table[0].len()), "{id}: {table:?}");
        }
        // An escaped character stands for itself.
        let words = one_line(&markdown.replace('\\', ""));
        check_for_people(id, &words, &tables);
        let has = |row: &[String]| tables.iter().flatten().any(|cells| cells.starts_with(row));
        for bet in tables_of(&file.parse().unwrap(), "bets") {
            for row in tables_of(bet, "rows") {
                let named = [str_of(row, "id").to_owned(), str_of(row, "title").to_owned()];
                assert!(has(&named), "{id}: {named:?}");
            }
        }
        for (clause, sentence) in clauses(id) {
            assert!(has(&[clause.clone(), sentence]), "{id}: {clause}");
        }
    }
}

/// Returns a term with the letters of its ranks in order. The file may have them in any order.
fn in_order(term: &str) -> String {
    let Some((word, letters)) = term.split_once(':') else { return term.to_owned() };
    let sorted = letters.split('+').map(|letters| {
        let mut letters: Vec<char> = letters.chars().collect();
        letters.sort_unstable();
        letters.into_iter().collect::<String>()
    });
    format!("{word}:{}", sorted.collect::<Vec<String>>().join("+"))
}

/// Returns the lists of terms of a condition, as the sheet prints them.
fn groups(told: &str) -> BTreeSet<BTreeSet<String>> {
    let terms = |group: &str| group.split(" and ").map(in_order).collect();
    told.split(" or ").map(terms).collect()
}

/// Returns the same, as the file has them: a term, a list of terms, or a list of such lists.
fn groups_of(condition: &toml::Value) -> BTreeSet<BTreeSet<String>> {
    let terms = |group: &toml::Value| match group.as_array() {
        Some(terms) => terms.iter().map(|term| in_order(term.as_str().unwrap())).collect(),
        None => BTreeSet::from([in_order(group.as_str().unwrap())]),
    };
    match condition.as_array() {
        Some(items) if items[0].is_array() => items.iter().map(terms).collect(),
        Some(_) | None => BTreeSet::from([terms(condition)]),
    }
}

/// Odds as the file writes them; `push` where a row has none.
fn fraction(value: &Value) -> String {
    format!("{}/{}", value["num"], value["den"])
}

/// Returns the payment of a row, as the file writes it.
fn payment_of(row: &Value) -> String {
    let (odds, share) = (&row["pays"], &row["meter_share"]);
    match (odds.is_null(), share.is_null()) {
        (true, true) => "push".to_owned(),
        (false, true) => fraction(odds),
        (true, false) => format!("meter:{}", fraction(share)),
        (false, false) => panic!("two payments: {row}"),
    }
}

/// An amount as the file writes it.
fn minor(value: &Value) -> Option<i64> {
    value.as_str().map(|text| text.parse().unwrap())
}

#[test]
fn json_has_every_figure_as_the_file_has_it() {
    for (id, text) in RULESETS {
        let (sheet, file): (Value, Table) = (json(id), text.parse().unwrap());
        let named = file["house_way"].as_table().unwrap();
        assert_eq!(sheet["schema"], 1);
        assert_eq!(sheet["ruleset"]["id"], id);
        assert_eq!(sheet["ruleset"]["hash"], ruleset_hash(id, text.as_bytes()).to_string());
        for key in ["title", "source", "family"] {
            assert_eq!(sheet["ruleset"][key], str_of(&file, key), "{id}");
        }
        assert_eq!(sheet["house_way"]["id"], str_of(named, "id"));
        assert_eq!(sheet["house_way"]["hash"], str_of(named, "hash"));
        let told: Vec<(String, String)> = sheet["house_way"]["clauses"]
            .as_array()
            .unwrap()
            .iter()
            .map(|clause| {
                (
                    clause["id"].as_str().unwrap().to_owned(),
                    one_line(clause["text"].as_str().unwrap()),
                )
            })
            .collect();
        assert_eq!(told, clauses(id));

        let base = file["base"].as_table().unwrap();
        assert_eq!(fraction(&sheet["base"]["pays"]), str_of(base, "pays"));
        let push = sheet["base"]["push_on_dealer"]["condition"].as_str();
        assert_eq!(push.map(groups), base.get("push_on_dealer").map(groups_of));
        let commission = base.get("commission").and_then(toml::Value::as_table);
        assert_eq!(sheet["base"]["commission"].is_object(), commission.is_some());
        if let Some(commission) = commission {
            let told = &sheet["base"]["commission"];
            assert_eq!(fraction(&told["rate"]), str_of(commission, "rate"));
            assert_eq!(told["rounding"], str_of(commission, "rounding"));
            assert_eq!(told["increment"], str_of(commission, "increment"));
        }
        for key in ["double_down", "banking", "fees"] {
            assert_eq!(sheet[key].is_object(), file.contains_key(key), "{id}: {key}");
        }
        let dealing = file["dealing"].as_table().unwrap();
        for key in ["procedure", "direction", "dead_hands"] {
            assert_eq!(sheet["dealing"][key], str_of(dealing, key), "{id}: {key}");
        }
        check_bets_in_json(id, &sheet, &file);
    }
}

fn check_bets_in_json(id: &str, sheet: &Value, file: &Table) {
    let bets = tables_of(file, "bets");
    let told = sheet["bonus_bets"].as_array().unwrap();
    let limits = sheet["limits"]["bets"].as_array().unwrap();
    assert_eq!((told.len(), limits.len()), (bets.len(), bets.len() + 1), "{id}");
    let all = std::iter::once(file["base"].as_table().unwrap()).chain(bets.iter().copied());
    for (limit, bet) in limits.iter().zip(all) {
        assert_eq!(minor(&limit["minimum_minor"]), number(bet, "minimum_minor").or(Some(1)));
        assert_eq!(minor(&limit["maximum_minor"]), number(bet, "maximum_minor"));
    }
    for (told, bet) in told.iter().zip(bets) {
        assert_eq!(told["bet"], str_of(bet, "id"));
        assert_eq!(told["title"], str_of(bet, "title"));
        let others = bet.get("others").and_then(toml::Value::as_table);
        let threshold = others.and_then(|others| number(others, "threshold_minor"));
        assert_eq!(minor(&told["to_others"]["threshold_minor"]), threshold);
        let rows = tables_of(bet, "rows");
        assert_eq!(told["rows"].as_array().unwrap().len(), rows.len());
        for (told, row) in told["rows"].as_array().unwrap().iter().zip(rows) {
            for key in ["id", "title"] {
                assert_eq!(told[key], str_of(row, key));
            }
            assert_eq!(groups(told["condition"].as_str().unwrap()), groups_of(&row["condition"]));
            assert_eq!(payment_of(told), str_of(row, "pays"));
            assert_eq!(minor(&told["to_others_minor"]), number(row, "others_minor"));
            assert!(told["words"].as_str().unwrap().ends_with('.'));
        }
    }
}

#[test]
fn hits_and_returns_are_the_published_ones() {
    // Counts of the definitions of the bonus bets, section 3, and the house edges there.
    let table_1: [u64; 13] = [
        12, 32, 72, 196, 1_128, 4_308, 26_020, 180_324, 307_472, 4_188_528, 6_172_088, 7_672_500,
        11_034_204,
    ];
    let three_card: [u64; 6] = [48, 58, 100, 1_020, 1_308, 3_912];
    for (id, bet, hands, losing, returned) in [
        ("express", "dynasty", &table_1[..], 124_556_196, None),
        ("express", "queens_dragon", &[2_719_500], 151_423_580, Some("0.8997776")),
        ("mania", "three_card", &three_card, 16_980, None),
        ("mikes", "outlaw_9", &[], 121_190_056, Some("0.9700120")),
    ] {
        let sheet = json(id);
        let told = sheet["bonus_bets"].as_array().unwrap();
        let told = told.iter().find(|told| told["bet"] == bet).unwrap();
        let rows = told["rows"].as_array().unwrap();
        for (row, hands) in rows.iter().zip(hands) {
            assert_eq!(row["hands"].as_u64(), Some(*hands), "{id}: {}", row["id"]);
        }
        assert_eq!(told["figures"]["losing"].as_u64(), Some(losing), "{id}: {bet}");
        let decimal = told["figures"]["return_of_table"]["decimal"].as_str().unwrap();
        assert!(returned.is_none_or(|returned| decimal.starts_with(returned)), "{decimal}");
    }
    // With five other players: the printed edge of table 2 for six players, 5.30 %.
    let text = one_line(&rules("express-2", "text"));
    assert!(text.contains("the house keeps 8.000785 %"));
    assert!(text.contains("The highest return of any stake is 94.698201 %"));
    assert!(text.contains("4,816,971.3"), "154,143,080 of 32");
    // Both hands set by the house way: all 53 choose 7 times 46 choose 7 pairs.
    let pairs = 154_143_080_u64 * 53_524_680;
    let wrangler = json("mikes")["bonus_bets"][0].clone();
    let of_row = |row: usize| wrangler["rows"][row]["hands"].as_u64().unwrap();
    let figures = &wrangler["figures"];
    assert_eq!(
        (&figures["counted"], figures["hands"].as_u64()),
        (&"pairs of hands".into(), Some(pairs))
    );
    assert_eq!(of_row(0) + of_row(1) + figures["losing"].as_u64().unwrap(), pairs);
    // The published figures of the Trump Plaza house way, by which Mania is played: 28.61 %, 41.48
    // % and 29.91 %.
    let mania = one_line(&rules("mania", "text"));
    let base = &json("mania")["base"]["figures"];
    for (key, published) in [("win", 2_861), ("push", 4_148), ("lose", 2_991)] {
        let twice = u128::from(base[key].as_u64().unwrap()) * 20_000 / u128::from(pairs);
        assert_eq!(twice.div_ceil(2), published, "{key}");
    }
    // Each as 28.61.., 41.47.. and 29.90.., with six places.
    for told in ["it wins 28.61", "pushes 41.47", "loses 29.90"] {
        assert!(mania.contains(told), "{told} in {mania}");
    }
    let sum: u64 = ["win", "push", "lose"].iter().map(|key| base[key].as_u64().unwrap()).sum();
    assert_eq!((sum, base["pairs"].as_u64()), (pairs, Some(pairs)));
}

#[test]
fn the_terms_of_each_game_are_told_in_words() {
    for (id, sentence) in [
        (
            "express",
            "Every base wager pushes, whatever the hands, if the seven cards of the dealer",
        ),
        ("express", "A foul hand loses all the same."),
        ("express", "in counter-clockwise order from the first position"),
        ("online", "rounded up to a whole multiple of a quarter of the lowest chip in play"),
        ("online", "Every wager is a multiple of the lowest chip in play."),
        ("mania", "1/20 (5 %) of what a seat wins on its base wager, rounded to the nearest minor"),
        ("mania", "three cards to each position, then four cards to each position"),
        ("mikes", "If p is 0 or twice the bank, this wager and every later one is returned whole"),
        ("mikes", "the base wager, Wrangler Push and Outlaw 9 High or Better"),
        ("mikes", "It may be bet without a base wager."),
        ("mikes", "The table of collection fees was read from a damaged copy of the source."),
        (
            "mikes",
            "Seven Different Ranks all Red or Black, with no straights, flushes, pairs or Joker",
        ),
        (
            "mikes",
            "Seven Different Ranks all Red or Black with a Joker, with no straights, flushes or",
        ),
        ("face-up", "shown together with the players' cards, before the players set theirs."),
        (
            "face-up",
            "By house way not counted: a player sees the dealer's hand before he sets his own",
        ),
        ("mini", "dealt to first, or seat 1 if that is position 0"),
        ("mini", "A wager outside the limits is refused before the deal. Nothing is cut"),
        ("mini", "are a pair of fives or better"),
        ("mini", "at least two times the sum of the other seats' base wagers"),
        ("mini", "the joker in front of ace high is, and in front of king high it is foul"),
        ("mini", "Backline bets are not modelled"),
        ("mini-community", "wins a qualifying wager 8.570453 minor units on average"),
    ] {
        assert!(one_line(&rules(id, "text")).contains(sentence), "{id}: {sentence}");
    }
    // The bank of a player-dealer can be too small for a win.
    assert!(!one_line(&rules("mikes", "text")).contains("Nothing is cut"));
}

#[test]
fn a_ruleset_of_ones_own_is_told_whatever_its_file_says() {
    let title = "Our | *odd* <game> with_a_word_".to_owned() + &"x".repeat(100);
    let files = own(&[
        (
            "title = \"Commission Free Pai Gow Express, Dynasty pay table 2\"",
            &format!("title = {title:?}"),
        ),
        ("coverage = \"house\"", "coverage = \"house\"\nrounding = \"half-up\""),
        ("max_payout_minor = 500000000", "max_payout_minor = 5000000"),
        ("dead_hands = \"all-positions\"", "dead_hands = \"active-only\""),
        (
            "[base]\npays = \"1/1\"\nmaximum_minor = 10000000",
            "[base]\npays = \"19/20\"\nminimum_minor = 100\nmaximum_minor = 123456",
        ),
    ]);
    let [ruleset, way] = [&files.ruleset, &files.house_way].map(|path| path.to_str().unwrap());
    let written = |format| {
        let output = run(&[&["rules", ruleset, "--house-way", way], flags(format)].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        text(&output)
    };
    let told = written("text");
    assert!(told.lines().all(|line| line.chars().count() <= 80));
    let words = one_line(&told);
    for sentence in [
        "is paid 19 to 20",
        "A win is rounded to the nearest minor unit, halves up.",
        "Only the dealer and the seats with a base wager are dealt to",
        "dealt to first, or the lowest seat dealt to if that is position 0",
        "A wager that could win more than 50,000.00 USD (5,000,000) at the highest odds",
        "Refused are wagers of one seat that could together win more than 6,000,000.00 USD \
         (600,000,000), and wagers of a round that could together win more than 30,000,000.00 USD \
         (3,000,000,000). Each wager counts at the highest odds of its bet. What the hands of all \
         other seats could pay counts too.",
        "Base wager (base) 1.00 USD (100) 1,234.56 USD (123,456)",
    ] {
        assert!(words.contains(sentence), "{sentence}\n{told}");
    }
    let markdown = written("markdown");
    assert!(markdown.starts_with(r"# Our \| \*odd\* \<game\> with_a_word_xxx"), "{markdown}");
    for table in markdown_tables(&markdown) {
        assert!(table.iter().all(|cells| cells.len() == table[0].len()));
    }
    let sheet: Value = serde_json::from_str(&written("json")).unwrap();
    assert_eq!(sheet["ruleset"]["title"], title);
    assert_eq!(sheet["limits"]["max_payout_minor"], "5000000");
    assert_eq!(sheet["base"]["pays"], serde_json::json!({ "num": 19, "den": 20 }));
}

#[test]
fn what_is_no_ruleset_or_has_no_house_way_is_refused() {
    let files = own(&[]);
    let ruleset = files.ruleset.to_str().unwrap();
    for (arguments, code, what) in [
        (vec!["rules", "nobodys"], 64, "express"),
        (vec!["rules", "express", "--markdown", "--json"], 64, "--markdown"),
        (vec!["rules", ruleset], 65, "house way"),
        (vec!["rules", ruleset, "--house-way", ruleset], 65, "is not a key here"),
        (vec!["rules", ruleset, "--house-way", "nowhere.toml"], 66, "nowhere.toml"),
        (vec!["judge", "nobodys"], 64, "express"),
        (vec!["judge", ruleset], 65, "house way"),
    ] {
        let output = run(&arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(what), "{told}");
    }
}
