//! Conditions of rows, and what they hold of.

use super::{cards, confirm, number, text};
use paigow_rules::game::{
    self, BetEvidence, BetId, BetSubject, BonusBet, ColourChoice, Condition, DealtHand, Odds,
    PayRow, Rounding, RowPayment, StakeLimits, Term, Titles,
};
use paigow_rules::house_way;
use serde_json::{Value, json};

#[test]
fn conditions_hold_and_are_refused_as_the_kit_says() {
    confirm("bonus-rows", &[("condition", 433), ("holds", 1654), ("row", 1568)], answer);
}

fn answer(op: &str, input: &Value) -> Option<Value> {
    let subject = |name| BetSubject::ALL.into_iter().find(|subject| subject.name() == name);
    match op {
        "condition" => {
            let looks_at = subject(text(input, "looks_at")).unwrap();
            let read = condition(&input["condition"], looks_at, number(&input["hand"]));
            Some(json!({ "valid": read.is_some() }))
        }
        "holds" => {
            Some(json!({ "holds": holds(input, subject(text(input, "looks_at")).unwrap()) }))
        }
        // The program is asked for these (tests/system/verifiers.rs).
        _ => None,
    }
}

/// Reads a condition as a ruleset has it: a term, a list of terms, or a list of such lists.
fn condition(value: &Value, looks_at: BetSubject, hand: u8) -> Option<Condition> {
    let term = |value: &Value| Term::parse(value.as_str()?, looks_at, hand);
    let group = |value: &Value| value.as_array()?.iter().map(term).collect::<Option<Vec<Term>>>();
    let groups = match value.as_array() {
        None => vec![vec![term(value)?]],
        Some(items) if items.first().is_some_and(Value::is_array) => {
            items.iter().map(group).collect::<Option<Vec<Vec<Term>>>>()?
        }
        Some(_) => vec![group(value)?],
    };
    Condition::new(groups)
}

/// Whether the one row of a bet is paid that asks for the condition of a case.
fn holds(input: &Value, looks_at: BetSubject) -> bool {
    let dealt = cards(&input["cards"]);
    let hand =
        if looks_at == BetSubject::FirstThree { 7 } else { u8::try_from(dealt.len()).unwrap() };
    let bet = BonusBet {
        id: BetId::from_name("asked").unwrap(),
        title: "Asked".to_owned(),
        titles: Titles::new(),
        looks_at,
        limits: StakeLimits { minimum: 1, maximum: 1 },
        needs_base: false,
        rows: vec![PayRow {
            id: "row".to_owned(),
            title: "Row".to_owned(),
            titles: Titles::new(),
            pays: RowPayment::Odds(Odds::parse("1/1").unwrap()),
            condition: condition(&input["condition"], looks_at, hand)
                .unwrap_or_else(|| panic!("no condition: {input}")),
            to_others: None,
            notify_floor: false,
        }],
        rounding: Rounding::Down,
        to_others: None,
    };
    let showdown = input["dealer"].is_array().then(|| {
        let way = house_way::shipped().iter().find(|way| way.id() == text(input, "house_way"));
        let rules = game::shipped().iter().find(|rules| rules.hand_cards() == dealt.len()).unwrap();
        rules.showdown(way.unwrap(), &dealt, &cards(&input["dealer"])).unwrap()
    });
    let evidence = BetEvidence {
        hand: DealtHand::of(&dealt),
        dealer: DealtHand::of(&dealt),
        first_three: DealtHand::of(&dealt[..3]),
        choice: input["choice"].as_str().map(|colour| match colour {
            "red" => ColourChoice::Red,
            _ => ColourChoice::Black,
        }),
        showdown,
    };
    bet.judge(&evidence).is_some()
}
