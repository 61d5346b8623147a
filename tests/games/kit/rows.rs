//! Conditions of rows, and what they hold of.

use super::{cards, confirm, number, text};
use paigow_rules::game::{
    self, Asked, BetEvidence, BetId, BetSubject, BonusBet, ColourChoice, Condition, DealtHand,
    Odds, PayRow, Rounding, RowPayment, Ruleset, SetHand, StakeLimits, Term, Titles,
};
use paigow_rules::hands::JokerUse;
use paigow_rules::house_way;
use serde_json::{Value, json};

#[test]
fn conditions_hold_and_are_refused_as_the_kit_says() {
    confirm("bonus-rows", &[("condition", 542), ("holds", 3226), ("row", 2048)], answer);
}

fn answer(op: &str, input: &Value) -> Option<Value> {
    let subject = |name| BetSubject::ALL.into_iter().find(|subject| subject.name() == name);
    match op {
        _ if input["looks_at"] == "push_on_dealer" => of_push(op, input),
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

/// Answers a case of a condition on which base wagers push.
fn of_push(op: &str, input: &Value) -> Option<Value> {
    let read = |hand| read(&input["condition"], |text| Term::parse_of_push(text, hand));
    match op {
        "condition" => Some(json!({ "valid": read(number(&input["hand"])).is_some() })),
        "holds" => {
            let dealt = cards(&input["cards"]);
            let condition = read(u8::try_from(dealt.len()).unwrap()).unwrap();
            let way = house_way::shipped().iter().find(|way| way.id() == text(input, "house_way"));
            let set = way.unwrap().set(&dealt).unwrap();
            let set = SetHand { high: set.high_value, low: set.low_value };
            let hand = DealtHand::of(&dealt, joker(input)).unwrap();
            let holds = condition.holds_by(|asked| match asked {
                Asked::Cards(term) => term.holds(&hand, None),
                Asked::Set(term) => term.holds(set),
                Asked::Showdown(_) => panic!("{input}"),
            });
            Some(json!({ "holds": holds }))
        }
        _ => None,
    }
}

/// The joker of the case: semi-wild, where it does not say.
fn joker(input: &Value) -> JokerUse {
    match input["joker"].as_str() {
        Some("wild") => JokerUse::Wild,
        _ => JokerUse::SemiWild,
    }
}

fn condition(value: &Value, looks_at: BetSubject, hand: u8) -> Option<Condition> {
    read(value, |text| Term::parse(text, looks_at, hand))
}

/// Reads a condition as a ruleset has it: a term, a list of terms, or a list of such lists.
fn read(value: &Value, term: impl Fn(&str) -> Option<Term>) -> Option<Condition> {
    let term = |value: &Value| term(value.as_str()?);
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
        joker: joker(input),
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
        meter: None,
    };
    let showdown = input["dealer"].is_array().then(|| {
        let way = house_way::shipped().iter().find(|way| way.id() == text(input, "house_way"));
        let fits =
            |rules: &&Ruleset| (rules.hand_cards(), rules.joker()) == (dealt.len(), joker(input));
        let rules = game::shipped().iter().find(fits).unwrap();
        rules.showdown(way.unwrap(), &dealt, &cards(&input["dealer"])).unwrap()
    });
    let evidence = BetEvidence {
        hand: DealtHand::of(&dealt, joker(input)),
        dealer: DealtHand::of(&dealt, joker(input)),
        first_three: DealtHand::of(&dealt[..3], joker(input)),
        choice: input["choice"].as_str().map(|colour| match colour {
            "red" => ColourChoice::Red,
            _ => ColourChoice::Black,
        }),
        set: looks_at.eq(&BetSubject::SeatSetHands).then(|| {
            let way = house_way::shipped().iter().find(|way| way.id() == text(input, "house_way"));
            let setting = way.unwrap().set(&dealt).unwrap();
            SetHand { high: setting.high_value, low: setting.low_value }
        }),
        showdown,
    };
    bet.judge(&evidence).is_some()
}
