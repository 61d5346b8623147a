//! The rules between the terms of a ruleset file, and the stakes that its limits allow.
#![allow(clippy::unwrap_used)]

use paigow_testkit::literals;

use paigow_rules::cards::Seat;
use paigow_rules::game::{
    self, Currency, Ruleset, SheetPlace, SheetRule, TableFacts, Wager, WagerSheet,
};

fn text(id: &str) -> String {
    game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap().text().to_owned()
}

/// A shipped file with texts replaced, each once.
fn changed(id: &str, replacements: &[(&str, &str)]) -> String {
    let mut file = text(id);
    for (from, to) in replacements {
        assert!(file.contains(from), "{id}: {from}");
        file = file.replacen(from, to, 1);
    }
    file
}

/// A file without the lines that begin with `start`.
fn without_lines(file: &str, start: &str) -> String {
    let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with(start)).collect();
    assert!(lines.len() < file.lines().count(), "{start}");
    lines.join("\n") + "\n"
}

fn faults(file: &str) -> Vec<String> {
    let faults = Ruleset::parse(file).err().unwrap_or_default();
    faults.iter().map(ToString::to_string).collect()
}

const ZIGZAG: &str = "dealing.procedure: zigzag deals hands of seven, clockwise, by three dice, \
                      to all positions";
const FEES: &str = "fees: a game with a player-dealer has collection fees, and no other has";
const NO_PILE: &str = "facts.required: must contain action_pile, which the rules use";
const NO_BANK: &str = "facts.required: must contain bank_minor, which the rules use";
const BANK_OF_A_PLAYER: &str =
    "facts.optional: must contain bank_minor: a player can bank, but need not";
const SEAT_OF_A_PLAYER: &str =
    "facts.optional: must contain banker_seat: a player can bank, but need not";
const BANKING_ALONE: &str = "banking: does not go with a commission or a push of its own in base";
const BANK_OF_TWO: &str = "banking.bank_per_base: must be at least 2: a seat may win that many \
                           times its base wager";
const BANK_OF_FOUR: &str = "banking.bank_per_base: must be at least 4: a seat may win that many \
                            times its base wager";
const COMMISSION: &str =
    "commission = { rate = \"1/20\", rounding = \"half-up\", increment = \"minor-unit\" }\n";
const FULL_HOUSE_PUSHES: &str = "push_on_dealer = \"full_house\"\npush_beats_foul = false\n";
const DYNASTY: &str = "needs_base = true\nmaximum_minor = 1000000\nothers";

/// A game with a changed file, and what is said of it: all of it, each from its beginning.
type Row = (&'static str, String, Vec<&'static str>);

/// Hands, streets, dice and seats.
fn dealing() -> Vec<Row> {
    let packets =
        [("procedure = \"zigzag\"", "procedure = \"packets\""), ("\"action_pile\", ", "")];
    let active = ("\"all-positions\"", "\"active-only\"");
    let not_dealt = |index| match index {
        0 => "bets[0].needs_base: must be true where only seats with a base wager are dealt to",
        _ => "bets[1].needs_base: must be true where only seats with a base wager are dealt to",
    };
    let counter = ("\"clockwise\"", "\"counter-clockwise\"");
    let direction = "dealing.direction: must be \"clockwise\" without dice: from seat 1 on, the \
                     dealer last";
    let zigzag = ("\"packets\"", "\"zigzag\"");
    let pile = ("required = []", "required = [\"action_pile\"]");
    vec![
        (
            "a wild joker in hands of six",
            changed(
                "mini",
                &[
                    ("\"semi-wild\"", "\"wild\""),
                    ("allow_player_advantage = false", "allow_player_advantage = true"),
                ],
            ),
            vec!["joker: must be semi-wild with hands of six"],
        ),
        ("zigzag the other way", changed("mikes", &[counter]), vec![ZIGZAG]),
        ("zigzag by no dice", changed("mikes", &[("\"three\"", "\"none\"")]), vec![ZIGZAG]),
        (
            "zigzag of six",
            changed("mini", &[zigzag, pile, ("\"none\"", "\"three\"")]),
            vec![ZIGZAG],
        ),
        ("zigzag to some", changed("mikes", &[active]), vec![ZIGZAG, not_dealt(0), not_dealt(1)]),
        (
            "packets to some",
            changed("mikes", &[packets[0], packets[1], active]),
            vec![not_dealt(0), not_dealt(1)],
        ),
        (
            "streets of six",
            changed("mania", &[("[3, 4]", "[3, 3]")]),
            vec!["dealing.streets: must add up to 7, the cards of a hand"],
        ),
        ("no dice the other way", changed("mini", &[counter]), vec![direction]),
        (
            "four cards first",
            changed("mania", &[("[3, 4]", "[4, 3]")]),
            vec!["bets[0].looks_at: three_card needs a first street of three cards"],
        ),
        (
            "three cards of packets",
            changed("mania", &[("\"streets\"\nstreets = [3, 4]", "\"packets\"")]),
            vec!["bets[0].looks_at: three_card needs a first street of three cards"],
        ),
    ]
}

/// The facts that a sheet must and may have.
fn facts() -> Vec<Row> {
    let optional = "[\"table_max_minor\", ";
    vec![
        ("no pile", changed("mikes", &[("\"action_pile\", ", "")]), vec![NO_PILE]),
        ("no bank", changed("mikes", &[(", \"bank_minor\"]", "]")]), vec![NO_BANK]),
        (
            "no chip",
            changed("online", &[("[\"chip_minor\"]", "[]")]),
            vec!["facts.required: must contain chip_minor, which the rules use"],
        ),
        (
            "a pile for nothing",
            changed("online", &[("[\"chip_minor\"]", "[\"chip_minor\", \"action_pile\"]")]),
            vec!["facts.required: contains action_pile, which no rule uses"],
        ),
        (
            "a banker for nothing",
            changed("online", &[(optional, "[\"banker_seat\", \"table_max_minor\", ")]),
            vec!["facts.optional: contains banker_seat, which no rule uses"],
        ),
        (
            "a bank for nothing",
            changed("online", &[(optional, "[\"bank_minor\", \"table_max_minor\", ")]),
            vec!["facts.optional: contains bank_minor, which no rule uses"],
        ),
        (
            "asked for twice",
            changed("online", &[(optional, "[\"chip_minor\", \"table_max_minor\", ")]),
            vec!["facts.optional: contains chip_minor, which is required"],
        ),
        ("no player's bank", changed("mini", &[("\"bank_minor\", ", "")]), vec![BANK_OF_A_PLAYER]),
        ("no player's seat", changed("mini", &[("\"banker_seat\", ", "")]), vec![SEAT_OF_A_PLAYER]),
    ]
}

/// The meter of a progressive bet.
fn meter() -> Vec<Row> {
    let name = "classic-progressive";
    let all = "meter = { seed_minor = 5000000, contribution = \"1/5\" }\n";
    let fixed = format!(
        "needs_base = false\nminimum_minor = 100\nmaximum_minor = 100\n{}# The printed",
        all.replace("1/5", "1/100")
    );
    let second = format!(
        "[[bets]]\nid = \"other\"\ntitle = \"Other\"\nlooks_at = \"seat-hand\"\nneeds_base = true\n\
         minimum_minor = 100\nmaximum_minor = 100\n{all}\n[[bets.rows]]\nid = \"aces\"\ntitle = \"Aces\"\n\
         pays = \"meter:1/1\"\ncondition = \"five_aces\"\n\n# The seven cards of the seat"
    );
    let whole = "pays = \"meter:1/1\"";
    let tenth = "pays = \"meter:1/10\"";
    vec![
        (
            "a meter that the sheet does not state",
            changed(name, &[("[\"meter_minor\"]", "[]")]),
            vec!["facts.required: must contain meter_minor, which the rules use"],
        ),
        (
            "a stated meter that no row pays of",
            changed("classic", &[("required = []", "required = [\"meter_minor\"]")]),
            vec!["facts.required: contains meter_minor, which no rule uses"],
        ),
        (
            "no seed",
            changed(name, &[("seed_minor = 5000000, ", "")]),
            vec!["bets[0].meter.seed_minor: missing"],
        ),
        (
            "all of the stake",
            changed(name, &[("\"1/5\"", "\"1/1\"")]),
            vec![
                "bets[0].meter.contribution: must be a part of the stake below 1 in lowest terms, as \
                 \"1/10\" for 10 %, not \"1/1\"",
            ],
        ),
        (
            "a stake that is not fixed",
            changed(name, &[("maximum_minor = 100\n", "maximum_minor = 200\n")]),
            vec![
                "bets[0].meter: goes with a fixed stake: minimum_minor and maximum_minor must be the \
                 same",
            ],
        ),
        (
            "a share without a meter",
            changed(name, &[(all, ""), (tenth, "pays = \"600/1\""), ("[\"meter_minor\"]", "[]")]),
            vec!["bets[0].rows[0].pays: pays of a meter, and the bet has no meter"],
        ),
        (
            "more than the meter",
            changed(name, &[(whole, "pays = \"meter:3/2\"")]),
            vec![
                "bets[0].rows[0].pays: must be a share of at most 1 in lowest terms, as \
                 \"meter:1/10\", and at least one minor unit of the seed, not \"meter:3/2\"",
            ],
        ),
        (
            "less than a minor unit of the seed",
            changed(name, &[(tenth, "pays = \"meter:1/5000001\"")]),
            vec![
                "bets[0].rows[1].pays: must be a share of at most 1 in lowest terms, as \
                 \"meter:1/10\", and at least one minor unit of the seed, not \"meter:1/5000001\"",
            ],
        ),
        (
            "odds above a share",
            changed(name, &[(whole, "pays = \"5000/1\"")]),
            vec![
                "bets[0].rows[1].pays: meter:1/10 is more than the row above pays, 5000/1: rows stand \
                 in paying order, so that the first that holds pays most",
            ],
        ),
        (
            "odds that the seed does not reach",
            changed(name, &[(tenth, "pays = \"meter:1/101\"")]),
            vec![
                "bets[0].rows[2].pays: 500/1 is more than the row above pays, meter:1/101: rows stand \
                 in paying order, so that the first that holds pays most",
            ],
        ),
        (
            "a meter that no row pays of",
            changed(name, &[(whole, "pays = \"9000/1\""), (tenth, "pays = \"600/1\"")]),
            vec!["bets[0].meter: no row pays of it: a row does by pays = \"meter:1/1\""],
        ),
        (
            "two meters",
            changed(name, &[("# The seven cards of the seat", second.as_str())]),
            vec!["bets[1].meter: is the second: a sheet states one meter"],
        ),
        (
            "the hand of the dealer",
            changed(name, &[("\"seat-hand\"", "\"dealer-hand\"")]),
            vec!["bets[0].meter: goes with looks_at \"seat-hand\" alone"],
        ),
        (
            "a named colour",
            changed(name, &[("condition = \"full_house\"", "condition = \"named_colour:7\"")]),
            vec!["bets[0].meter: does not go with named_colour"],
        ),
        (
            "a return above 100 % in the long run",
            changed(name, &[("\"1/5\"", "\"2/3\"")]),
            vec![
                "bets[0]: progressive returns 1.233886 times the stake (142646293/115607310): more than it \
                 takes. Lower what its rows pay, or say allow_player_advantage = true if that is meant",
            ],
        ),
        (
            "a bound that the seed is above",
            changed(name, &[("max_payout_minor = 1000000000", "max_payout_minor = 4999999")]),
            vec![
                "max_payout_minor: is below what the least stake of 100 may win, 5000000: no wager of \
                 progressive could be placed",
            ],
        ),
        (
            "a limited bank",
            changed(
                "mikes",
                &[
                    ("\"bank_minor\"]", "\"bank_minor\", \"meter_minor\"]"),
                    ("needs_base = false\nmaximum_minor = 1000000\n# The printed", fixed.as_str()),
                    ("pays = \"4000/1\"", whole),
                ],
            ),
            vec!["bets[1].meter: does not go with a limited bank"],
        ),
    ]
}

/// The coverage, and the part that the house takes.
fn money() -> Vec<Row> {
    let base = "minimum_minor = 1000\n";
    let mikes = text("mikes");
    let fees = &mikes[mikes.find("[fees]").unwrap()..mikes.find("# The bets").unwrap()];
    let before = |sections: &str| format!("{sections}[fees]");
    let doubling = before("[double_down]\ndealer_qualifies = \"55\"\n");
    let banking =
        before(&format!("[banking]\nbanker_sets = \"house-way\"\nbank_per_base = 2\n{COMMISSION}"));
    let flat =
        "[fees]\nplayer = [{ fee_minor = 1 }]\nplayer_dealer = [{ fee_minor = 1 }]\n[banking]";
    let no_base = |index| match index {
        0 => "bets[0].needs_base: must be true where the house banks",
        _ => "bets[1].needs_base: must be true where the house banks",
    };
    let player_dealer = ("coverage = \"house\"", "coverage = \"player-dealer\"");
    vec![
        ("no fees", changed("mikes", &[(fees, "")]), vec![FEES]),
        ("fees of the house", changed("mini", &[("[banking]", flat)]), vec![FEES]),
        (
            "the house for a player",
            changed("mikes", &[("\"player-dealer\"", "\"house\"")]),
            vec![
                "facts.required: contains bank_minor, which no rule uses",
                FEES,
                no_base(0),
                no_base(1),
            ],
        ),
        (
            "a player-dealer's commission",
            changed("mikes", &[(base, &format!("{base}{COMMISSION}"))]),
            vec!["base.commission: does not go with coverage \"player-dealer\""],
        ),
        (
            "a player-dealer's exposed hand",
            changed("mikes", &[("[currency]", "expose = \"dealer\"\n[currency]")]),
            vec!["expose: does not go with coverage \"player-dealer\""],
        ),
        (
            "an exposed hand beside a banker and a double down",
            changed("mini", &[("[currency]", "expose = \"dealer\"\n[currency]")]),
            vec![
                "expose: does not go with a player who banks",
                "expose: does not go with a double down",
            ],
        ),
        (
            "an exposed hand of the player",
            changed("express", &[("[currency]", "expose = \"player\"\n[currency]")]),
            vec!["expose: must be one of: dealer, not \"player\""],
        ),
        (
            "a player-dealer's push",
            changed("mikes", &[(base, &format!("{base}{FULL_HOUSE_PUSHES}"))]),
            vec!["base.push_on_dealer: does not go with coverage \"player-dealer\""],
        ),
        (
            "double down against a player-dealer",
            changed("mikes", &[("[fees]", &doubling)]),
            vec!["double_down: does not go with coverage \"player-dealer\""],
        ),
        (
            "a banker beside a player-dealer",
            changed("mikes", &[("[fees]", &banking)]),
            vec![
                BANK_OF_A_PLAYER,
                SEAT_OF_A_PLAYER,
                "banking: does not go with coverage \"player-dealer\"",
            ],
        ),
        (
            "two commissions",
            changed("mini", &[("[double_down]", &format!("{COMMISSION}[double_down]"))]),
            vec![BANKING_ALONE],
        ),
        (
            "a banker's push",
            changed("mini", &[("[double_down]", &format!("{FULL_HOUSE_PUSHES}[double_down]"))]),
            vec![BANKING_ALONE],
        ),
        (
            "a bank for no double",
            changed("mini", &[("bank_per_base = 2", "bank_per_base = 1")]),
            vec![BANK_OF_TWO],
        ),
        (
            "a bank for higher odds",
            changed("mini", &[("pays = \"1/1\"", "pays = \"2/1\"")]),
            vec![BANK_OF_FOUR],
        ),
        (
            "a banker's quarter chip",
            changed("mini", &[("\"minor-unit\"", "\"quarter-chip\"")]),
            vec!["banking.commission.increment: must be \"minor-unit\""],
        ),
        (
            "three cards against a limited bank",
            changed("mania", &[player_dealer]),
            vec![
                NO_BANK,
                FEES,
                "base.commission: does not go with coverage \"player-dealer\"",
                "bets[0].looks_at: three_card does not go with a limited bank",
            ],
        ),
        (
            "envy of a limited bank",
            changed("express", &[player_dealer]),
            vec![
                NO_BANK,
                FEES,
                "base.push_on_dealer: does not go with coverage \"player-dealer\"",
                "bets[1].others: does not go with a limited bank",
            ],
        ),
    ]
}

/// Limits and pay tables.
fn bets() -> Vec<Row> {
    let capped = |most: &str| {
        let cap = format!("max_payout_minor = {most}");
        changed("mikes", &[("max_payout_minor = 500000000", &cap)])
    };
    let at_most = |most: &str| {
        let other = format!("maximum_minor = {most}\nothers = {{");
        changed("express", &[("maximum_minor = 1000000\nothers = {", &other)])
    };
    let pushes = [
        ("pays = \"2/1\"", "pays = \"push\""),
        ("pays = \"1/1\"\ncondition", "pays = \"push\"\ncondition"),
    ];
    let push = "condition = \"push\"";
    let threes = "condition = [[\"push\", \"low_pair:3\"], [\"push\", \"dealer_low_pair:3\"]]";
    let swapped = [(threes, "condition = \"x\""), (push, threes), ("condition = \"x\"", push)];
    let full_house = "condition = \"full_house\"";
    let with_pairs = (", \"pai_gow\"]", ", \"no_straight\", \"no_flush\"]");
    let three_ranks = |first: char| {
        let ranks = "23456789TJQKA".chars();
        ranks.clone().flat_map(move |second| {
            ranks.clone().map(move |third| format!("[\"ranks:{first}{second}{third}\"]"))
        })
    };
    let many: Vec<String> = ['2', '3'].into_iter().flat_map(three_ranks).collect();
    let many = format!("condition = [{}]", many.join(", "));
    // Four denominators of nine digits, three of them primes: in one sum they need 117 bits and
    // more, besides the 27 of the number of hands.
    let odds = [
        ("7", "5/1", "999999998/199999999"),
        ("6", "1/1", "999999936/999999937"),
        ("5", "1/1", "999999928/999999929"),
        ("4", "1/1", "999999892/999999893"),
    ];
    let of = |odds: &str, cards: &str| {
        format!("pays = \"{odds}\"\ncondition = \"named_colour:{cards}\"")
    };
    let odds = odds.map(|(cards, from, to)| (of(from, cards), of(to, cards)));
    let mut large = vec![("cards = 53\n", "cards = 53\nrounding = \"down\"\n")];
    large.extend(odds.iter().map(|(from, to)| (from.as_str(), to.as_str())));
    vec![
        (
            "no base wager could win",
            capped("999"),
            vec![
                "max_payout_minor: is below what the least stake of 1000 may win, 1000: no wager \
                 of base could be placed",
                "max_payout_minor: is below what the least stake of 1 may win, 4000: no wager of \
                 outlaw_9 could be placed",
            ],
        ),
        (
            "one bonus wager could not win",
            capped("3999"),
            vec![
                "max_payout_minor: is below what the least stake of 1 may win, 4000: no wager of \
                 outlaw_9 could be placed",
            ],
        ),
        ("all can win", capped("4000"), Vec::new()),
        (
            "no seat and no round could win",
            changed(
                "mikes",
                &[
                    ("max_seat_payout_minor = 600000000", "max_seat_payout_minor = 3999"),
                    ("max_round_payout_minor = 3000000000", "max_round_payout_minor = 3998"),
                ],
            ),
            vec![
                "max_seat_payout_minor: is below what the least stake of 1 may win, 4000: no \
                 wager of outlaw_9 could be placed",
                "max_round_payout_minor: is below what the least stake of 1 may win, 4000: no \
                 wager of outlaw_9 could be placed",
            ],
        ),
        (
            "envy above the maximum",
            at_most("499"),
            vec!["bets[1].others.threshold_minor: is above the maximum of the bet, 499"],
        ),
        ("envy at the maximum", at_most("500"), Vec::new()),
        (
            "envy alone",
            changed("express", &[(DYNASTY, "needs_base = false\nothers")]),
            vec![
                "bets[1].needs_base: must be true where the house banks",
                "bets[1].needs_base: must be true beside others",
            ],
        ),
        (
            "envy of nothing",
            without_lines(&text("express"), "others_minor"),
            vec!["bets[1].others: no row has an others_minor, so no envy is ever paid"],
        ),
        (
            "envy of the dealer's hand",
            changed("express", &[("\"seat-hand\"", "\"dealer-hand\"")]),
            vec!["bets[1].others: goes with looks_at \"seat-hand\" alone"],
        ),
        (
            "a bet that never wins",
            changed("mikes", &pushes),
            vec!["bets[0].rows: must have a row that wins"],
        ),
        (
            "a row below every push",
            changed("mikes", &swapped),
            vec![
                "bets[0].rows[1].condition: no hand is paid by this row: none meets it, or each that does \
                 meets a row above",
            ],
        ),
        (
            "envy of hands for which nobody named a colour",
            changed("express", &[(full_house, "condition = \"named_colour:7\"")]),
            vec!["bets[1].others: does not go with named_colour: another seat has named no colour"],
        ),
        (
            "a colour that is named beside one that is not",
            changed("express", &[("\"named_colour:5\"", "\"red:5\"")]),
            vec![
                "bets[3].rows: have both named_colour and red or black: what returns most would \
                 depend on the colour that the player names",
            ],
        ),
        (
            "so many terms that no count tells them apart",
            changed("mikes", &[("condition = \"straight\"", &many)]),
            vec!["bets[1].rows: have more than 128 different terms together"],
        ),
        (
            "odds that no fraction holds",
            changed("express", &large),
            vec!["bets[3].rows: has odds whose denominators are too large to compute its return"],
        ),
        (
            "a bet for the player",
            changed("mikes", &[with_pairs, with_pairs]),
            vec!["bets[1]: outlaw_9 returns 1.006550 times the stake ("],
        ),
        (
            "a bet for the other players",
            changed("express-3", &[(full_house, &format!("{full_house}\nothers_minor = 500"))]),
            vec!["bets[1]: dynasty returns 1.10"],
        ),
        (
            "set hands without a base wager",
            changed(
                "mikes",
                &[
                    ("looks_at = \"house-way-hands\"", "looks_at = \"seat-set-hands\""),
                    (threes, "condition = \"low_pair:3\""),
                    (push, "condition = \"low_pair:2\""),
                ],
            ),
            vec![
                "bets[0].needs_base: must be true beside looks_at \"seat-set-hands\": a seat without a \
                 base wager sets no hands",
            ],
        ),
    ]
}

#[test]
fn every_contradiction_of_terms_is_told() {
    let mut told = Vec::new();
    for (what, file, mut due) in [dealing(), facts(), meter(), money(), bets()].concat() {
        let mut found = faults(&file);
        told.extend(found.clone());
        found.sort();
        due.sort_unstable();
        let same = found.len() == due.len()
            && found.iter().zip(&due).all(|(found, due)| found.starts_with(due));
        assert!(same, "{what}: {found:#?}, but due are {due:#?}");
    }
    // Without a row nothing would notice that a fault was lost.
    let source = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/paigow-rules/src/game/ruleset/load/consistency.rs"
    ));
    let messages = literals::messages(source);
    assert!(messages.len() > 30, "{messages:#?}");
    for message in messages {
        // The bounds of seats and hand leave no ruleset that deals more cards than there are.
        if message == " cards would be dealt of " {
            continue;
        }
        assert!(told.iter().any(|fault| fault.contains(&message)), "no row tells {message:?}");
    }
}

fn wager(bet: &str, amount_minor: i64) -> Wager {
    let seat = Seat::new(1).unwrap();
    Wager { seat, bet: bet.to_owned().into(), amount_minor, choice: None }
}

/// Returns the faults of a wager alone on its sheet, at a table with a maximum.
fn refused(ruleset: &Ruleset, bet: &str, amount: i64, table: Option<i64>) -> Vec<String> {
    let facts = TableFacts {
        bank_minor: Some(50_000),
        action_pile: Some(6),
        table_max_minor: table,
        ..TableFacts::default()
    };
    let currency = Currency::new("USD", 2).unwrap();
    let sheet = WagerSheet { currency, wagers: vec![wager(bet, amount)], facts };
    let faults = ruleset.check(&sheet).err().unwrap_or_default();
    for fault in &faults {
        assert_eq!(fault.rule, SheetRule::AboveMaximum);
        assert_eq!(fault.place, SheetPlace::Wager { index: 0, member: "amount_minor" });
    }
    faults.into_iter().map(|fault| fault.message).collect()
}

#[test]
fn a_stake_is_at_most_the_maximum_of_its_bet() {
    let file = changed(
        "mikes",
        &[
            ("maximum_minor = 10000000\n", "maximum_minor = 5000\n"),
            ("maximum_minor = 1000000\n# The printed", "maximum_minor = 300\n# The printed"),
        ],
    );
    let ruleset = Ruleset::parse(&file).unwrap();
    let above = |most: i64| vec![format!("is above the maximum of {most} minor units")];
    for (bet, most) in [("base", 5_000), ("outlaw_9", 300)] {
        for table in [None, Some(most), Some(most + 1_000)] {
            assert_eq!(refused(&ruleset, bet, most, table), [""; 0], "{bet}, {table:?}");
            assert_eq!(refused(&ruleset, bet, most + 1, table), above(most), "{bet}, {table:?}");
        }
        // The table's narrows it.
        let narrower = Some(most - 1);
        assert_eq!(refused(&ruleset, bet, most - 1, narrower), [""; 0], "{bet}");
        assert_eq!(refused(&ruleset, bet, most, narrower), above(most - 1), "{bet}");
    }
    // The other bet has its own.
    assert_eq!(refused(&ruleset, "wrangler_push", 1_000_000, None), [""; 0]);
    assert_eq!(refused(&ruleset, "wrangler_push", 1_000_001, None), above(1_000_000));
}
