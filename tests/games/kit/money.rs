//! `settlements.jsonl`: settings, lines and every amount of a round.

use std::collections::{BTreeMap, BTreeSet};

use paigow_fairness::seed::house_way_hash;
use paigow_round::Catalogue;
use paigow_rules::cards::{BySeat, Card, DECK_LEN, Deck, Seat};
use paigow_rules::game::{
    BaseOutcome, BetLine, ColourChoice, Comparison, Currency, Decision, LineStatus, Ruleset,
    SeatResult, SettingChoice, ShownHand, TableFacts, Wager, WagerSheet, WagerTable,
};
use paigow_rules::house_way::HouseWay;
use serde_json::{Value, json};

use super::{cards, confirm, dice, number, numbers, seat, text};

/// Reads the facts of a case.
pub(super) fn facts(said: &Value) -> TableFacts {
    let amount = |name: &str| said.get(name).map(|_| text(said, name).parse().unwrap());
    TableFacts {
        chip_minor: amount("chip_minor"),
        table_min_minor: amount("table_min_minor"),
        table_max_minor: amount("table_max_minor"),
        bank_minor: amount("bank_minor"),
        meter_minor: amount("meter_minor"),
        banker_seat: said.get("banker_seat").map(|one| Seat::new(number(one)).unwrap()),
        action_pile: said.get("action_pile").map(number),
        bet_limits: Vec::new(),
    }
}

fn sheet(input: &Value) -> WagerSheet {
    let wager = |seat: Seat, wager: &Value| Wager {
        seat,
        bet: text(wager, "bet").to_owned().into(),
        amount_minor: text(wager, "amount").parse().unwrap(),
        choice: wager.get("choice").map(|colour| match colour.as_str().unwrap() {
            "red" => ColourChoice::Red,
            _ => ColourChoice::Black,
        }),
    };
    let seats = input["seats"].as_object().unwrap().iter();
    let wagers = seats.flat_map(|(number, entry)| {
        entry["wagers"].as_array().unwrap().iter().map(|one| wager(seat(number), one))
    });
    let currency = &input["currency"];
    WagerSheet {
        currency: Currency::new(text(currency, "code"), number(&currency["exponent"])).unwrap(),
        wagers: wagers.collect(),
        facts: facts(&input["facts"]),
    }
}

fn decisions(input: &Value) -> BySeat<Decision> {
    let decided = input["decisions"].as_object().unwrap().iter();
    let decided = decided.map(|(number, said)| {
        let setting = match said.get("low") {
            Some(low) => SettingChoice::Low(cards(low)),
            None => SettingChoice::HouseWay,
        };
        (seat(number), Decision { setting, double_down: said.get("double_down").is_some() })
    });
    decided.collect()
}

/// Returns a deck from which the ruleset deals the hands of the case: where each card goes
/// is seen by dealing the fresh deck.
fn deck(ruleset: &Ruleset, table: &WagerTable, input: &Value) -> Deck {
    let dealt = ruleset.deal(table, &Deck::FRESH, dice(input));
    let (mut deck, mut used) = ([None; DECK_LEN], BTreeSet::new());
    for (position, hand) in input["hands"].as_object().unwrap() {
        for (card, place) in cards(hand).into_iter().zip(&dealt.hands()[seat(position)]) {
            assert!(used.insert(card), "{card} is dealt twice");
            deck[usize::from(place.number())] = Some(card);
        }
    }
    let mut rest = Card::all().filter(|card| !used.contains(card));
    Deck::of(&deck.map(|place| place.unwrap_or_else(|| rest.next().unwrap()))).unwrap()
}

/// A ruleset and its house way.
#[derive(Clone)]
struct Rules {
    ruleset: Ruleset,
    house_way: HouseWay,
    house_way_hash: String,
}

/// The rules of the cases: the shipped ones, and those of each text that a case brings.
struct RulesOfCases {
    shipped: Catalogue,
    own: BTreeMap<String, Rules>,
}

impl RulesOfCases {
    fn of(&mut self, input: &Value) -> Rules {
        let Some(own) = input.get("rulesets") else {
            let game = self.shipped.game_named(text(input, "ruleset")).unwrap();
            return Rules {
                ruleset: game.ruleset.clone(),
                house_way: game.house_way.clone(),
                house_way_hash: game.house_way_hash.to_hex(),
            };
        };
        let parsed = self.own.entry(own.to_string()).or_insert_with(|| {
            let ruleset = Ruleset::parse(own[0].as_str().unwrap()).unwrap();
            let named = ruleset.house_way();
            let house_way = match input["house_ways"].as_array().unwrap().as_slice() {
                [] => self.shipped.house_way_named(&named.id).unwrap().1.clone(),
                ways => HouseWay::parse(ways[0].as_str().unwrap()).unwrap(),
            };
            let hash = house_way_hash(house_way.id(), house_way.text().as_bytes()).to_hex();
            assert_eq!(hash, named.hash.to_string());
            Rules { ruleset, house_way, house_way_hash: hash }
        });
        parsed.clone()
    }
}

fn settle(rules: &Rules, input: &Value) -> Value {
    let Rules { ruleset, house_way, house_way_hash } = rules;
    let table = ruleset.check(&sheet(input)).unwrap();
    let dealt = ruleset.deal(&table, &deck(ruleset, &table, input), dice(input));
    let early = ruleset.final_lines(&table, &dealt).unwrap();
    let settled = ruleset.settle(house_way, &table, &dealt, &decisions(input)).unwrap();
    let shown = |shown: &ShownHand| set(shown, house_way_hash);
    let seats: serde_json::Map<_, _> = settled
        .seats
        .iter()
        .map(|(seat, result)| (seat.to_string(), of_seat(result, shown)))
        .collect();
    let mut bank = shown(&settled.bank.setting);
    bank["net"] = settled.bank.net.to_string().into();
    let fees: serde_json::Map<_, _> =
        dealt.fees.iter().map(|(seat, fee)| (seat.to_string(), fee.to_string().into())).collect();
    let lines: Vec<Value> = early
        .iter()
        .flat_map(|(seat, lines)| lines.iter().map(move |one| (seat, one)))
        .map(|(seat, one)| {
            let mut line = of_line(one);
            line["seat"] = seat.number().into();
            line
        })
        .collect();
    let mut answer = json!({
        "results": {
            "bank": bank,
            "commission": settled.commission.to_string(),
            "fees": settled.fees.to_string(),
            "house_net": settled.house_net.to_string(),
            "seats": seats,
        },
        "fees": fees,
    });
    if !lines.is_empty() {
        answer["lines"] = lines.into();
    }
    answer
}

fn set(shown: &ShownHand, house_way: &str) -> Value {
    let mut members = json!({
        "low": numbers(&shown.low),
        "high": numbers(&shown.high),
        "low_category": shown.low_category.name(),
        "high_category": shown.high_category.name(),
    });
    if shown.by_house_way {
        members["house_way"] = house_way.into();
        members["clause"] = shown.clause.clone().into();
    }
    members
}

fn of_seat(result: &SeatResult, set: impl Fn(&ShownHand) -> Value) -> Value {
    let compared = |comparison| match comparison {
        Comparison::Win => "win",
        Comparison::Lose => "lose",
        Comparison::Copy => "copy",
    };
    let mut members = result.base.as_ref().map_or_else(
        || json!({}),
        |base| {
            let mut members = set(&base.shown);
            members["foul"] = base.foul.into();
            members["high_result"] = compared(base.high_result).into();
            members["low_result"] = compared(base.low_result).into();
            members["outcome"] = match base.outcome {
                BaseOutcome::Win => "win",
                BaseOutcome::Lose => "lose",
                BaseOutcome::Push => "push",
            }
            .into();
            members
        },
    );
    members["lines"] = result.lines.iter().map(of_line).collect();
    members["net"] = result.net.to_string().into();
    members
}

fn of_line(line: &BetLine) -> Value {
    let mut members = json!({
        "bet": line.bet.name(),
        "stake": line.stake.to_string(),
        "status": match line.status {
            LineStatus::Won => "won",
            LineStatus::Lost => "lost",
            LineStatus::Push => "push",
            LineStatus::Uncovered => "uncovered",
        },
        "win": line.win.to_string(),
        "commission": line.commission.to_string(),
        "return": line.returned.to_string(),
    });
    let absent_or = [
        ("row", line.row.clone().map(Value::from)),
        ("pays", line.pays.map(|odds| json!({ "num": odds.num(), "den": odds.den() }))),
        ("uncovered", line.uncovered.map(|amount| amount.to_string().into())),
        ("caused_by_seat", line.caused_by.map(|seat| seat.number().into())),
    ];
    for (member, value) in absent_or {
        if let Some(value) = value {
            members[member] = value;
        }
    }
    members
}

#[test]
fn rounds_settle_as_the_kit_says_to_the_last_amount() {
    let mut rules = RulesOfCases { shipped: Catalogue::shipped(), own: BTreeMap::new() };
    confirm("settlements", &[("settle", 549)], |_, input| Some(settle(&rules.of(input), input)));
}
