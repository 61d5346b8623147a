//! Settlements worked out by hand from the source documents, as data: `tests/golden/`.
//!
//! A case names the hands of all positions in dealt order, what is wagered and decided,
//! and every figure that must come out. It is played on the shipped ruleset, or on a copy
//! of it in another currency or with one field changed.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use paigow_fairness::seed::house_way_hash;
use paigow_round::results::void_returns;
use paigow_rules::cards::{BySeat, Card, DECK_LEN, Deck, Seat, codes};
use paigow_rules::game::{
    BaseOutcome, BetLimit, BetLine, ColourChoice, Comparison, Currency, Decision, LineStatus,
    Ruleset, SettingChoice, SettleError, Settlement, SheetPlace, ShownHand, TableDeal, TableFacts,
    Wager, WagerSheet, WagerTable, shipped,
};
use paigow_rules::house_way::{self, HouseWay};
use paigow_testkit::casino::sheets::without_limits;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    ruleset: String,
    /// How the ruleset of a case is altered that does not say so itself.
    #[serde(default)]
    copy: Copy,
    case: Vec<Case>,
}

/// One round. Amounts are minor units; what is left out is empty or 0.
///
/// - `source`: the place in the source or in the rules that decides it.
/// - `ruleset`, `copy`: another ruleset than the file's. It is a shipped one or an example, played on a copy of it in
///   another `currency`, `without_limits`, or with texts of its file replaced.
/// - `currency`, `facts`, `limits` by bet, `wagers` ("seat bet amount [colour]"): the sheet.
/// - `dice`, `hands`: the dice thrown, and the cards of each position, in dealt order.
/// - `decisions`: "seat house_way" or "seat low CARDS", optionally followed by "double_down".
/// - `refused`, `decisions_refused`: exactly the faults, if there is no settlement.
/// - `dealer`: "low CARDS [clause ID]", how position 0 is set.
/// - `exposed`: "low CARDS high CARDS", the hand of position 0 that the deal shows; none without it.
/// - `void_returns`: the amounts that go back by seat if the round is void after the deal.
/// - `lines`: "seat bet status stake", then those of row, pays, win, commission,
///   return, uncovered, from that exist; seats ascending, each in the order of settlement.
/// - `outcomes`: "seat outcome high RESULT low RESULT [foul]" of each base wager.
/// - `nets`, `bank`, `house`, `commission`, `fees`: the net amounts of all parties.
/// - `final_in_deal`: the lines that the deal alone makes final.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(rename = "source")]
    _source: String,
    ruleset: Option<String>,
    copy: Option<Copy>,
    currency: String,
    #[serde(default = "dice")]
    dice: [u8; 3],
    #[serde(default)]
    facts: BTreeMap<String, i64>,
    #[serde(default)]
    limits: BTreeMap<String, i64>,
    #[serde(default)]
    hands: BTreeMap<String, String>,
    wagers: Vec<String>,
    #[serde(default)]
    decisions: Vec<String>,
    dealer: Option<String>,
    exposed: Option<String>,
    void_returns: Option<BTreeMap<String, i64>>,
    #[serde(default)]
    lines: Vec<String>,
    #[serde(default)]
    outcomes: Vec<String>,
    #[serde(default)]
    nets: BTreeMap<String, i64>,
    #[serde(default)]
    bank: i64,
    #[serde(default)]
    house: i64,
    #[serde(default)]
    commission: i64,
    #[serde(default)]
    fees: BTreeMap<String, i64>,
    #[serde(default)]
    final_in_deal: Vec<String>,
    refused: Option<Vec<String>>,
    decisions_refused: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Copy {
    currency: Option<String>,
    without_limits: bool,
    replace: Vec<(String, String)>,
}

/// Three dice that name position 6.
const fn dice() -> [u8; 3] {
    [1, 1, 5]
}

impl Case {
    fn ruleset(&self, file: &File) -> Ruleset {
        let id = self.ruleset.as_deref().unwrap_or(&file.ruleset);
        let shipped = shipped().iter().find(|ruleset| ruleset.id() == id);
        let mut text = match shipped {
            Some(ruleset) => ruleset.text().to_owned(),
            None => fs::read_to_string(root().join(format!("examples/rules/rulesets/{id}.toml")))
                .unwrap_or_else(|_| panic!("no ruleset {id}")),
        };
        let copy = self.copy.as_ref().unwrap_or(&file.copy);
        if let Some((code, exponent)) = copy.currency.as_deref().map(split_currency) {
            let own = "[currency]\ncode = \"USD\"\nexponent = 2\n";
            assert!(text.contains(own), "{id} names no currency");
            let other = format!("[currency]\ncode = \"{code}\"\nexponent = {exponent}\n");
            text = text.replace(own, &other);
        }
        for (old, new) in &copy.replace {
            assert_eq!(text.matches(old.as_str()).count(), 1, "{old}");
            text = text.replace(old, new);
        }
        let altered = Ruleset::parse(&text);
        let altered = altered.unwrap_or_else(|faults| panic!("{}: {faults:?}", self.name));
        if copy.without_limits { without_limits(&altered) } else { altered }
    }

    fn sheet(&self) -> WagerSheet {
        let (code, exponent) = split_currency(&self.currency);
        let mut facts = TableFacts::default();
        for (name, value) in &self.facts {
            let small = || u8::try_from(*value).unwrap();
            match name.as_str() {
                "chip_minor" => facts.chip_minor = Some(*value),
                "table_min_minor" => facts.table_min_minor = Some(*value),
                "table_max_minor" => facts.table_max_minor = Some(*value),
                "meter_minor" => facts.meter_minor = Some(*value),
                "bank_minor" => facts.bank_minor = Some(*value),
                "banker_seat" => facts.banker_seat = Seat::new(small()),
                "action_pile" => facts.action_pile = Some(small()),
                other => panic!("{}: no fact {other}", self.name),
            }
        }
        let limits = self.limits.iter();
        let limits = limits
            .map(|(bet, max_minor)| BetLimit { bet: bet.clone().into(), max_minor: *max_minor });
        facts.bet_limits = limits.collect();
        let wagers = self.wagers.iter().map(|wager| {
            let words: Vec<&str> = wager.split_whitespace().collect();
            let choice = words.get(3).map(|colour| match *colour {
                "red" => ColourChoice::Red,
                "black" => ColourChoice::Black,
                other => panic!("{}: no colour {other}", self.name),
            });
            let amount_minor = words[2].parse().unwrap();
            Wager { seat: seat(words[0]), bet: words[1].to_owned().into(), amount_minor, choice }
        });
        let currency = Currency::new(code, exponent).unwrap();
        WagerSheet { currency, wagers: wagers.collect(), facts }
    }

    fn decisions(&self) -> BySeat<Decision> {
        let decision = |text: &String| {
            let mut words = text.split_whitespace();
            let seat = seat(words.next().unwrap());
            let rest: Vec<&str> = words.collect();
            let double_down = rest.contains(&"double_down");
            let setting = if rest[0] == "house_way" {
                SettingChoice::HouseWay
            } else {
                assert_eq!(rest[0], "low", "{text}");
                let low = rest[1..].iter().filter(|word| **word != "double_down");
                SettingChoice::Low(low.map(|code| code.parse().unwrap()).collect())
            };
            (seat, Decision { setting, double_down })
        };
        self.decisions.iter().map(decision).collect()
    }

    /// Returns a deck from which the ruleset deals the hands of the case: where each card
    /// goes is seen by dealing the fresh deck.
    fn deck(&self, ruleset: &Ruleset, table: &WagerTable) -> Deck {
        let dealt = ruleset.deal(table, &Deck::FRESH, self.dice);
        let mut deck = [None; DECK_LEN];
        let mut used = BTreeSet::new();
        for (position, cards) in &self.hands {
            let cards: Vec<Card> = parse(cards);
            let places = &dealt.hands()[seat(position)];
            assert_eq!(cards.len(), places.len(), "{}: hand {position}", self.name);
            for (card, place) in cards.into_iter().zip(places) {
                assert!(used.insert(card), "{}: {card} is dealt twice", self.name);
                deck[usize::from(place.number())] = Some(card);
            }
        }
        let mut rest = Card::all().filter(|card| !used.contains(card));
        Deck::of(&deck.map(|place| place.unwrap_or_else(|| rest.next().unwrap()))).unwrap()
    }

    fn play(&self, file: &File) -> Result<(), String> {
        let ruleset = self.ruleset(file);
        let table = match (ruleset.check(&self.sheet()), &self.refused) {
            (Ok(table), None) => table,
            (Err(faults), Some(refused)) => {
                let found: BTreeSet<String> = faults
                    .iter()
                    .map(|fault| format!("{}: {}", place(fault.place), shouted(fault.rule)))
                    .collect();
                return same("refusal", &found, &refused.iter().cloned().collect());
            }
            (Ok(_), Some(_)) => return Err("the sheet is taken".to_owned()),
            (Err(faults), None) => return Err(format!("the sheet is refused: {faults:?}")),
        };
        let way = &*house_way(&ruleset);
        let dealt = ruleset.deal(&table, &self.deck(&ruleset, &table), self.dice);
        let early = ruleset.final_lines(&table, &dealt).unwrap();
        let early =
            early.iter().flat_map(|(seat, lines)| lines.iter().map(move |l| shown(seat, l)));
        self.compare_exposed(&ruleset.exposed_hand(way, &dealt).unwrap())?;
        self.compare_void(&table, &dealt)?;
        let settled = ruleset.settle(way, &table, &dealt, &self.decisions());
        let settlement = match (settled, &self.decisions_refused) {
            (Ok(settlement), None) => settlement,
            (Err(SettleError::Decisions { faults }), Some(refused)) => {
                let found = faults.iter().map(|f| format!("{}: {}", f.seat, shouted(f.rule)));
                let found: BTreeSet<String> = found.collect();
                return same("refusal", &found, &refused.iter().cloned().collect());
            }
            (other, _) => return Err(format!("{other:?}")),
        };
        let again = ruleset.settle(way, &table, &dealt, &self.decisions()).unwrap();
        assert_eq!(settlement, again, "the same round settles alike");
        same("final lines", &early.collect(), &sorted(&self.final_in_deal))?;
        let fees = dealt.fees.iter().map(|(seat, fee)| (seat.to_string(), *fee));
        same("fees by position", &fees.collect(), &self.fees)?;
        self.compare(&settlement)
    }

    /// Compares the hand of the dealer that the deal shows.
    fn compare_exposed(&self, found: &Option<ShownHand>) -> Result<(), String> {
        let found = found.as_ref().map(|hand| (codes(&hand.low), codes(&hand.high)));
        let wanted = self.exposed.as_ref().map(|exposed| {
            let cards = exposed.strip_prefix("low ").and_then(|rest| rest.split_once(" high "));
            let (low, high) = cards.unwrap_or_else(|| panic!("{exposed}"));
            let sorted = |text: &str| {
                let mut cards = parse(text);
                cards.sort_unstable();
                codes(&cards)
            };
            (sorted(low), sorted(high))
        });
        same("the dealer's hand at the deal", &found, &wanted)
    }

    /// Compares what goes back by seat if the round is void after the deal.
    fn compare_void(&self, table: &WagerTable, dealt: &TableDeal) -> Result<(), String> {
        let Some(wanted) = &self.void_returns else { return Ok(()) };
        let stakes = table.seats().map(|(seat, _)| (seat, table.staked(seat).try_into().unwrap()));
        let found = void_returns(stakes, Some(&dealt.fees)).unwrap();
        let found = found.iter().map(|(seat, amount)| (seat.to_string(), *amount)).collect();
        same("what a void returns", &found, wanted)
    }

    /// Compares each seat's part of fees and commission. With its lines they make its net. The
    /// commission of the lines and that of the banker make the whole commission of the case.
    fn compare_seats(&self, settlement: &Settlement) -> Result<(), String> {
        let mut of_lines = 0;
        for (seat, result) in settlement.seats.iter() {
            let won: i128 = result.lines.iter().map(BetLine::net).sum();
            let due = i128::from(result.fee) + i128::from(result.bank_commission);
            same("net of a seat's amounts", &(won - due), &i128::from(result.net))?;
            let fee = self.fees.get(&seat.to_string()).copied().unwrap_or(0);
            same("a seat's fee", &result.fee, &fee)?;
            of_lines += result.lines.iter().map(|line| line.commission).sum::<i64>();
        }
        let banker = settlement.seats.get(settlement.bank.seat);
        let of_banker = banker.map_or(0, |banker| banker.bank_commission);
        same("the banker's commission", &of_banker, &(self.commission - of_lines))
    }

    fn compare(&self, settlement: &Settlement) -> Result<(), String> {
        let lines = settlement.seats.iter().flat_map(|(seat, result)| {
            result.lines.iter().map(|line| shown(seat, line)).collect::<Vec<_>>()
        });
        let lines: Vec<String> = lines.collect();
        let wanted: Vec<String> = self.lines.iter().map(|line| normal(line)).collect();
        same("lines", &lines, &wanted)?;
        let outcomes = settlement.seats.iter().filter_map(|(seat, result)| {
            let base = result.base.as_ref()?;
            let foul = if base.foul { " foul" } else { "" };
            let (high, low) = (compared(base.high_result), compared(base.low_result));
            Some(format!("{seat} {} high {high} low {low}{foul}", outcome(base.outcome)))
        });
        same("outcomes", &outcomes.collect::<Vec<_>>(), &self.outcomes)?;
        let nets = settlement.seats.iter().map(|(seat, result)| (seat.to_string(), result.net));
        same("nets", &nets.collect(), &self.nets)?;
        same("bank", &settlement.bank.net, &self.bank)?;
        same("house", &settlement.house_net, &self.house)?;
        same("commission", &settlement.commission, &self.commission)?;
        same("fees", &settlement.fees, &self.fees.values().sum())?;
        self.compare_seats(settlement)?;
        if let Some(dealer) = &self.dealer {
            let words: Vec<&str> = dealer.split_whitespace().collect();
            let clause = words.iter().position(|word| *word == "clause");
            let low = &words[1..clause.unwrap_or(words.len())];
            let set = &settlement.bank.setting;
            let mut low: Vec<Card> = low.iter().map(|code| code.parse().unwrap()).collect();
            low.sort_unstable();
            same("the dealer's low hand", &codes(&set.low), &codes(&low))?;
            if let Some(clause) = clause {
                same(
                    "the dealer's clause",
                    &set.clause.as_deref(),
                    &words.get(clause + 1).copied(),
                )?;
            }
        }
        Ok(())
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, wanted: &T) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{what}:\n  found  {found:#?}\n  wanted {wanted:#?}"))
}

fn sorted(lines: &[String]) -> BTreeSet<String> {
    lines.iter().map(|line| normal(line)).collect()
}

fn split_currency(text: &str) -> (&str, u8) {
    let (code, exponent) = text.split_once('/').unwrap();
    (code, exponent.parse().unwrap())
}

fn parse(cards: &str) -> Vec<Card> {
    cards.split_whitespace().map(|code| code.parse().unwrap()).collect()
}

fn seat(number: &str) -> Seat {
    Seat::new(number.parse().unwrap()).unwrap()
}

/// Returns the house way of a ruleset: a shipped one or an example.
fn house_way(ruleset: &Ruleset) -> Cow<'static, HouseWay> {
    let named = ruleset.house_way();
    if let Some(way) = house_way::shipped().iter().find(|way| way.id() == named.id) {
        return Cow::Borrowed(way);
    }
    let text =
        fs::read_to_string(root().join(format!("examples/rules/house-ways/{}.toml", named.id)));
    let way = HouseWay::parse(&text.unwrap()).unwrap();
    let hash = house_way_hash(&named.id, way.text().as_bytes()).to_hex();
    assert_eq!(hash, named.hash.to_string(), "{}", named.id);
    Cow::Owned(way)
}

fn place(place: SheetPlace) -> String {
    match place {
        SheetPlace::Currency => "currency".to_owned(),
        SheetPlace::Fact(name) => format!("facts.{name}"),
        SheetPlace::BetLimit { index, member } => format!("bet_limits[{index}].{member}"),
        SheetPlace::Wager { index, member } => format!("wagers[{index}].{member}"),
        SheetPlace::Seat(seat) => format!("seat {seat}"),
        SheetPlace::Sheet => "sheet".to_owned(),
    }
}

/// Returns the name of a rule as `BELOW_MINIMUM`.
fn shouted(rule: impl std::fmt::Debug) -> String {
    let name = format!("{rule:?}");
    let name = name.split(' ').next().unwrap();
    let mut out = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            out.push('_');
        }
        out.extend(letter.to_uppercase());
    }
    out
}

const fn outcome(outcome: BaseOutcome) -> &'static str {
    match outcome {
        BaseOutcome::Win => "win",
        BaseOutcome::Lose => "lose",
        BaseOutcome::Push => "push",
    }
}

const fn compared(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Win => "win",
        Comparison::Lose => "lose",
        Comparison::Copy => "copy",
    }
}

/// Writes a line with every part that says something.
fn shown(seat: Seat, line: &BetLine) -> String {
    let status = match line.status {
        LineStatus::Won => "won",
        LineStatus::Lost => "lost",
        LineStatus::Push => "push",
        LineStatus::Uncovered => "uncovered",
    };
    let mut text = format!("{seat} {} {status} {}", line.bet.name(), line.stake);
    let mut part = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text.push_str(&format!(" {name} {value}"));
        }
    };
    part("row", line.row.clone());
    part("pays", line.pays.map(|odds| odds.to_string()));
    part("win", (line.win != 0).then(|| line.win.to_string()));
    part("commission", (line.commission != 0).then(|| line.commission.to_string()));
    part("return", Some(line.returned.to_string()));
    part("uncovered", line.uncovered.map(|amount| amount.to_string()));
    part("from", line.caused_by.map(|seat| seat.to_string()));
    text
}

/// Returns a line of a case in the order of [`shown`], its zeros left out.
fn normal(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut text = words[..4].join(" ");
    let (parts, rest) = words[4..].as_chunks::<2>();
    assert!(rest.is_empty(), "{line}");
    for name in ["row", "pays", "win", "commission", "return", "uncovered", "from"] {
        if let Some([_, value]) = parts.iter().find(|[key, _]| *key == name)
            && !(*value == "0" && ["win", "commission"].contains(&name))
        {
            text.push_str(&format!(" {name} {value}"));
        }
    }
    text
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Plays every case of a file and shows all that differ.
fn play(game: &str, at_least: usize) {
    let path = root().join(format!("tests/golden/{game}.toml"));
    let file: File = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.case.len() >= at_least, "{} cases", file.case.len());
    let names: BTreeSet<&str> = file.case.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), file.case.len(), "a case is named twice");
    let mut wrong = Vec::new();
    for case in &file.case {
        if let Err(error) = case.play(&file) {
            wrong.push(format!("{}: {error}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), file.case.len(), wrong.join("\n"));
}

#[test]
fn mini_settles_as_worked_out_by_hand() {
    play("mini", 30);
}

#[test]
fn mania_settles_as_worked_out_by_hand() {
    play("mania", 30);
}

#[test]
fn mikes_settles_as_worked_out_by_hand() {
    play("mikes", 30);
}

#[test]
fn online_settles_as_worked_out_by_hand() {
    play("online", 30);
}

#[test]
fn express_settles_as_worked_out_by_hand() {
    play("express", 30);
}

#[test]
fn face_up_settles_as_worked_out_by_hand() {
    play("face-up", 40);
}

#[test]
fn classic_settles_as_worked_out_by_hand() {
    play("classic", 16);
}

#[test]
fn classic_challenge_settles_as_worked_out_by_hand() {
    play("classic-challenge", 16);
}

#[test]
fn bets_on_set_hands_settle_as_worked_out_by_hand() {
    play("set-bets", 30);
}

#[test]
fn bets_on_the_dealers_cards_settle_as_worked_out_by_hand() {
    play("dealer-bets", 30);
}

#[test]
fn bets_on_both_hands_settle_as_worked_out_by_hand() {
    play("comparison-bets", 30);
}

#[test]
fn a_chart_for_six_cards_settles_as_worked_out_by_hand() {
    play("six-card-charts", 30);
}

#[test]
fn shares_of_a_meter_settle_as_worked_out_by_hand() {
    play("meter-rows", 30);
}

#[test]
fn a_joker_that_is_wild_settles_as_worked_out_by_hand() {
    play("wild-joker", 30);
}
