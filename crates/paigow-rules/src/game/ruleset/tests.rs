//! The faults for which a ruleset file is refused, each with the path of its key.

use super::*;
use crate::house_way;

const MIKES: &str = include_str!("../rulesets/mikes.toml");

/// Parses Mike's with `from` replaced, and returns the faults as `path: message`.
fn faults(replacements: &[(&str, &str)]) -> Vec<String> {
    let mut file = MIKES.to_owned();
    for (from, to) in replacements {
        assert!(file.contains(from), "{from}");
        file = file.replacen(from, to, 1);
    }
    match Ruleset::parse(&file) {
        Ok(_) => Vec::new(),
        Err(faults) => {
            faults.iter().map(|fault| format!("{}: {}", fault.path, fault.message)).collect()
        }
    }
}

#[test]
fn every_shipped_file_is_read_and_names_a_house_way_that_is_shipped() {
    assert!(shipped().iter().map(Ruleset::id).is_sorted());
    for ruleset in shipped() {
        let named = &ruleset.house_way().id;
        assert!(house_way::shipped().iter().any(|way| way.id() == named), "{named}");
    }
}

#[test]
fn mikes_is_as_its_source_says() {
    let mikes = Ruleset::parse(MIKES).unwrap();
    assert_eq!((mikes.id(), mikes.seats(), mikes.cards()), ("mikes", 6, 53));
    assert_eq!(mikes.currency().map(|own| (own.code(), own.exponent())), Some(("USD", 2)));
    assert!(mikes.draws_dice() && !mikes.allows_player_advantage());
    assert_eq!(mikes.required_facts(), [TableFact::ActionPile, TableFact::BankMinor]);
    assert_eq!(mikes.optional_facts(), [TableFact::TableMaxMinor, TableFact::TableMinMinor]);
    assert_eq!(mikes.base().limits.minimum, 1_000);
    let bets: Vec<BetId> = mikes.bonus_bets().iter().map(|bet| bet.id).collect();
    assert_eq!(
        bets,
        [BetId::from_name("wrangler_push").unwrap(), BetId::from_name("outlaw_9").unwrap()]
    );
    assert_eq!(mikes.fee_schedules().unwrap().player.bands().len(), 2);
    assert_eq!(mikes.fee_schedules().unwrap().player_dealer.bands().len(), 5);
}

#[test]
fn one_mistake_is_one_fault_with_its_path() {
    let straight = "pays = \"2/1\"\ncondition = \"straight\"";
    let odds = "must be odds as \"8/1\", in lowest terms and at most 9000/1, not";
    for (from, to, fault) in [
        ("schema = 1", "schema = 2", "schema: must be a whole number 1 to 1, not 2"),
        ("cards = 53", "cards = 54", "cards: must be a whole number 53 to 53, not 54"),
        ("seats = 6", "seats = 7", "seats: must be a whole number 1 to 6, not 7"),
        ("seats = 6", "", "seats: missing"),
        ("seats = 6", "seats = 6\nseat = 6", "seat: unknown key"),
        (
            "wheel = \"second\"",
            "wheel = \"low\"",
            "wheel: must be one of: second, lowest, not \"low\"",
        ),
        (
            "joker = \"semi-wild\"",
            "joker = \"natural\"",
            "joker: must be one of: semi-wild, wild, not \"natural\"",
        ),
        (
            "id = \"mikes\"",
            "id = \"Mike's\"",
            "id: must be at most 64 lower-case letters and digits, parts joined by '-'",
        ),
        (
            "title = \"Mike",
            "title = \" \" # \"",
            "title: must be a text that is not empty, not \" \"",
        ),
        ("hash = \"", "hash = \"F", "house_way.hash: must be 64 lower-case hexadecimal digits"),
        (
            "code = \"USD\"",
            "code = \"usd\"",
            "currency.code: a currency code is 3 to 8 capital letters A to Z",
        ),
        ("exponent = 2", "exponent = 5", "currency.exponent: must be a whole number 0 to 4, not 5"),
        (
            "allow_player_advantage = false",
            "allow_player_advantage = \"no\"",
            "allow_player_advantage: must be true or false, not \"no\"",
        ),
        (
            "procedure = \"zigzag\"",
            "procedure = \"packets\"",
            "facts.required: contains action_pile, which no rule uses",
        ),
        (
            "dice = \"three\"",
            "dice = \"none\"",
            "dealing.procedure: zigzag deals hands of seven, clockwise, by three dice, to all positions",
        ),
        (
            "[\"action_pile\", ",
            "[\"action_pill\", ",
            "facts.required[0]: must be one of: action_pile, bank_minor, banker_seat, chip_minor, meter_minor, table_max_minor, table_min_minor, not \"action_pill\"",
        ),
        (
            "[\"action_pile\", ",
            "[",
            "facts.required: must contain action_pile, which the rules use",
        ),
        (
            "\"bank_minor\"]",
            "\"bank_minor\", \"bank_minor\"]",
            "facts.required[2]: is in the list already",
        ),
        (
            "[\"table_max_minor\", ",
            "[\"bank_minor\", ",
            "facts.optional: contains bank_minor, which is required",
        ),
        (
            "[\"table_max_minor\", ",
            "[\"chip_minor\", ",
            "facts.optional: contains chip_minor, which no rule uses",
        ),
        (
            "minimum_minor = 1000",
            "minimum_minor = 0",
            "base.minimum_minor: must be a whole number 1 to 1000000000000000, not 0",
        ),
        (
            "maximum_minor = 10000000",
            "maximum_minor = 999",
            "base.maximum_minor: must be a whole number 1000 to 1000000000000000, not 999",
        ),
        ("fee_minor = 200 }", "fee_percent = 1 }", "fees.player[1].fee_minor: missing"),
        (
            "fee_minor = 200 }",
            "fee_minor = 2.5 }",
            "fees.player[1].fee_minor: must be a whole number 0 to 1000000000000000, not a fraction",
        ),
        (
            "up_to_minor = 30000",
            "up_to_minor = 20000",
            "fees.player_dealer: up_to_minor must be present and grow from band to band, except in the last",
        ),
        (
            "{ fee_minor = 500 }",
            "{ up_to_minor = 50000, fee_minor = 500 }",
            "fees.player_dealer: the last band must have no up_to_minor",
        ),
        (
            "{ fee_minor = 500 }",
            "{ up_to_minor = 50000, fee_minor = 500 }, { fee_minor = 600 }",
            "fees.player_dealer: 6 bands; 1 to 5 are allowed",
        ),
        (
            "id = \"wrangler_push\"",
            "id = \"Wrangler\"",
            "bets[0].id: must be at most 32 lower-case letters and digits, parts joined by '_', a letter first",
        ),
        ("id = \"wrangler_push\"", "id = \"double_down\"", "bets[0].id: is another bet's already"),
        (
            "title = \"Wrangler Push\"",
            "title = \"Wrangler Push\"\ntitles = { Spanish = \"Empate\" }",
            "bets[0].titles: must be texts that are not empty by language tag, as { es = \"Bono\" }, not a table",
        ),
        (
            "looks_at = \"house-way-hands\"",
            "looks_at = \"both-hands\"",
            "bets[0].looks_at: must be one of: seat-hand, dealer-hand, first-three, seat-set-hands, house-way-hands, not \"both-hands\"",
        ),
        ("looks_at = \"house-way-hands\"", "", "bets[0].looks_at: missing"),
        (
            "looks_at = \"house-way-hands\"",
            "looks_at = \"house-way-hands\"\none_colour = \"any\"",
            "bets[0].one_colour: unknown key",
        ),
        ("needs_base = false", "", "bets[0].needs_base: missing"),
        (
            "condition = \"push\"",
            "condition = \"dealer_high:pairs\"",
            "bets[0].rows[1].condition: must be a term that the cards of house-way-hands can meet, not \"dealer_high:pairs\": dealer_high takes a category: high_card, pair, two_pair, three_of_a_kind, straight, flush, full_house, four_of_a_kind, straight_flush, royal_flush, five_of_a_kind, five_aces",
        ),
        // The seat's low hand is higher than an equal one of the dealer's.
        (
            "condition = \"push\"",
            "condition = [\"low_win\", \"low_highest:9\", \"dealer_low_highest:T\"]",
            "bets[0].rows[1].condition: no hand is paid by this row: none meets it, or each that does meets a row above",
        ),
        (
            "condition = \"push\"",
            "condition = \"push\"\nnotify_floor = \"yes\"",
            "bets[0].rows[1].notify_floor: must be true or false, not \"yes\"",
        ),
        (
            "condition = \"push\"",
            "condition = \"flush\"",
            "bets[0].rows[1].condition: must be a term that the cards of house-way-hands can meet, not \"flush\". The terms, each with no_ before it or without: win, push, lose, high_win, high_copy, high_lose, low_win, low_copy, low_lose, high:CATEGORY, high_highest:R, low_highest:R, low_pair:R, dealer_high:CATEGORY, dealer_high_highest:R, dealer_low_highest:R, dealer_low_pair:R",
        ),
        (
            "condition = \"straight\"",
            "condition = \"flush\"",
            "bets[1].rows[14].condition: is another row's already",
        ),
        ("id = \"straight\"", "id = \"flush\"", "bets[1].rows[14].id: is another row's already"),
        (
            "pays = \"40/1\"",
            "pays = \"20/1\"",
            "bets[1].rows[6].pays: 25/1 is more than the row above pays, 20/1: rows stand in paying order, so that the first that holds pays most",
        ),
        (
            straight,
            "pays = \"3/2\"\ncondition = \"straight\"",
            "bets[1].rows[14].pays: is not whole, and the ruleset names no rounding",
        ),
    ] {
        let found = faults(&[(from, to)]);
        assert!(found.iter().any(|found| found == fault), "{to}: {found:?}");
        // A renamed key causes two faults: one missing key and one unknown key.
        assert!(found.len() == 1 || to.contains("percent"), "{to}: {found:?}");
    }
    for text in ["8/0", "0/1", "2:1", "4/2", "9001/1", "-2/1"] {
        let found = faults(&[("pays = \"2/1\"", &format!("pays = \"{text}\""))]);
        assert_eq!(found, [format!("bets[0].rows[0].pays: {odds} {text:?}")]);
    }
}

#[test]
fn every_fault_of_a_file_comes_at_once() {
    let found = faults(&[
        ("seats = 6", "seats = 0"),
        ("exponent = 2", "exponent = 2\nsymbol = \"$\""),
        ("pays = \"2/1\"", "pays = \"1/2\""),
        (
            "condition = [\"pairs:3\", \"no_three_of_a_kind\", \"no_straight\", \"no_flush\"]",
            "condition = \"three_pairs\"",
        ),
    ]);
    let paths: Vec<&str> =
        found.iter().filter_map(|fault| fault.split_once(": ").map(|(path, _)| path)).collect();
    assert_eq!(
        paths,
        [
            "seats",
            "currency.symbol",
            "bets[0].rows[0].pays",
            "bets[0].rows[1].pays",
            "bets[1].rows[15].condition"
        ]
    );
}

#[test]
fn odds_that_are_not_whole_need_a_rounding() {
    let named = ("cards = 53", "cards = 53\nrounding = \"down\"");
    assert_eq!(faults(&[named, ("pays = \"2/1\"", "pays = \"3/2\"")]), Vec::<String>::new());
    let unknown = ("cards = 53", "cards = 53\nrounding = \"nearest\"");
    assert_eq!(
        faults(&[unknown]),
        ["rounding: must be one of: down, half-up, up, not \"nearest\""]
    );
}

/// The faults of `mikes` with one bet on the seat's set hands, whose row has this condition.
fn faults_on_set_hands(needs_base: bool, condition: &str) -> Vec<String> {
    let head = &MIKES[..MIKES.find("[[bets]]").unwrap()];
    let bet = format!(
        "[[bets]]\nid = \"front\"\ntitle = \"Front\"\nlooks_at = \"seat-set-hands\"\n\
         needs_base = {needs_base}\nminimum_minor = 1\n\
         [[bets.rows]]\nid = \"row\"\ntitle = \"Row\"\npays = \"1/1\"\ncondition = {condition}\n"
    );
    let faults = Ruleset::parse(&format!("{head}{bet}")).err().unwrap_or_default();
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_bet_on_the_set_hands_of_a_seat_needs_a_base_wager_and_terms_on_set_hands() {
    for condition in ["\"low_pair:A\"", "[\"high:flush\", \"low_highest:9\"]", "\"no_high:pair\""] {
        assert_eq!(faults_on_set_hands(true, condition), Vec::<String>::new(), "{condition}");
    }
    assert_eq!(
        faults_on_set_hands(false, "\"low_pair:A\""),
        [
            "bets[0].needs_base: must be true beside looks_at \"seat-set-hands\": a seat without a base \
             wager sets no hands"
        ]
    );
    for (condition, told) in [
        ("\"flush\"", "must be a term that the cards of seat-set-hands can meet, not \"flush\""),
        (
            "\"low_win\"",
            "must be a term that the cards of seat-set-hands can meet, not \"low_win\"",
        ),
        ("\"dealer_high:pair\"", "must be a term that the cards of seat-set-hands can meet"),
        ("\"low_pair:10\"", "low_pair takes the letter of a rank"),
        // Foul: a pair in front of no pair.
        ("[\"low_pair:2\", \"high:high_card\"]", "no hand is paid by this row"),
        // Foul: an ace in front of a hand of king high.
        ("[\"low_highest:A\", \"high_highest:K\"]", "no hand is paid by this row"),
    ] {
        let found = faults_on_set_hands(true, condition);
        assert!(found.len() == 1 && found[0].contains(told), "{condition}: {found:?}");
    }
}

#[test]
fn a_bet_twice_or_without_rows_is_refused() {
    assert_eq!(
        faults(&[("id = \"outlaw_9\"", "id = \"wrangler_push\"")])[0],
        "bets[1].id: is another bet's already"
    );
    let head = &MIKES[..MIKES.find("[[bets]]").unwrap()];
    let bet = "[[bets]]\nid = \"wrangler_push\"\ntitle = \"Push\"\n\
               looks_at = \"house-way-hands\"\nneeds_base = false\n\
               minimum_minor = 1\nrows = []\n";
    let found = Ruleset::parse(&format!("{head}{bet}")).unwrap_err();
    assert_eq!((found[0].path.as_str(), found.len()), ("bets[0].rows", 1));
}

#[test]
fn a_file_that_is_not_toml_names_its_line() {
    let found = Ruleset::parse("schema = 1\nid = mikes\n").unwrap_err();
    assert_eq!((found[0].path.as_str(), found.len()), ("line 2", 1));
    let found = Ruleset::parse(&MIKES.replace('\n', "\r\n")).unwrap_err();
    assert_eq!((found[0].path.as_str(), found.len()), ("line 1", 1));
    // An empty file lacks every key, and the faults name all of them.
    assert!(Ruleset::parse("").unwrap_err().len() >= 15);
}

/// Returns the faults of a shipped file with texts replaced, each once.
fn faults_of(id: &str, replacements: &[(&str, &str)]) -> Vec<String> {
    let ruleset = shipped().iter().find(|ruleset| ruleset.id() == id).unwrap();
    let mut file = ruleset.text().to_owned();
    for (from, to) in replacements {
        assert!(file.contains(from), "{from}");
        file = file.replacen(from, to, 1);
    }
    let faults = Ruleset::parse(&file).err().unwrap_or_default();
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_commission_keeps_at_most_the_whole_win() {
    for (id, path) in [("mania", "base.commission.rate"), ("mini", "banking.commission.rate")] {
        let with = |rate: &str| faults_of(id, &[("\"1/20\"", &format!("\"{rate}\""))]);
        assert_eq!(with("19/20"), Vec::<String>::new());
        assert_eq!(with("1/1"), Vec::<String>::new());
        for rate in ["21/20", "2/1"] {
            let message = format!(
                "{path}: must be a fraction of at most 1 in lowest terms, as \"1/20\" for 5 %, \
                 not \"{rate}\""
            );
            assert_eq!(with(rate), [message]);
        }
    }
}

#[test]
fn the_bank_covers_a_win_that_is_rounded_up() {
    let double = "[double_down]\n\
                  # \"The dealer must qualify with a recommended pair of 5s or higher.\"\n\
                  dealer_qualifies = \"55\"\n";
    // At 3 to 2 one minor unit wins 1.5, which is paid as 2. At 4 to 3 it wins 1.33, paid as 2. At
    // 5 to 2 it wins 2.5, paid as 3. A doubled wager counts as two such wagers.
    for (odds, once) in [("1/1", 1), ("3/2", 2), ("4/3", 2), ("2/1", 2), ("5/2", 3)] {
        for (wagers, least) in [(1, once), (2, 2 * once)] {
            let with = |bank: i64| {
                let pays = format!("pays = \"{odds}\"");
                let bank = format!("bank_per_base = {bank}");
                let mut changes = vec![
                    ("cards = 53", "cards = 53\nrounding = \"up\""),
                    ("pays = \"1/1\"", pays.as_str()),
                    ("bank_per_base = 2", bank.as_str()),
                ];
                if wagers == 1 {
                    changes.push((double, ""));
                }
                faults_of("mini", &changes)
            };
            assert_eq!(with(least), Vec::<String>::new(), "{odds} for {wagers}");
            if least > 1 {
                let message = format!(
                    "banking.bank_per_base: must be at least {least}: a seat may win that many \
                     times its base wager"
                );
                assert_eq!(with(least - 1), [message], "{odds} for {wagers}");
            }
        }
    }
}
