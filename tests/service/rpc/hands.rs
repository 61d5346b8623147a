//! `EvaluateHands`: categories, words and fouls are those of the shared vectors.

use paigow_proto::v1 as pb;
use serde_json::Value;
use tonic::Code;

use crate::rpc::casino::Casino;
use crate::rpc::desk::{Desk, ask, blamed, service};

/// Cases that an independent implementation answered, or a source printed.
const HANDS: &str = include_str!("../../../verifiers/conformance/hands.jsonl");
const HOUSE_WAYS: &str = include_str!("../../../verifiers/conformance/house-ways.jsonl");

/// The cases whose joker is semi-wild, as in the rulesets that are asked.
fn cases(file: &str) -> impl Iterator<Item = Value> {
    let is_wild = |case: &Value| {
        let (joker, way) = (&case["input"]["joker"], &case["input"]["house_way"]);
        joker == "wild" || way == "trump-plaza-wild"
    };
    file.lines().map(|line| serde_json::from_str(line).unwrap()).filter(move |case| !is_wild(case))
}

fn codes(cards: &Value) -> Vec<String> {
    cards.as_array().unwrap().iter().map(|card| card.as_str().unwrap().to_owned()).collect()
}

fn split(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn hand(low: &[String], high: &[String]) -> pb::HandToEvaluate {
    let low_hand = pb::LowHand { cards: low.to_vec() };
    pb::HandToEvaluate { cards: [high, low].concat(), low: Some(low_hand) }
}

/// The ruleset of a hand: `mini` deals six cards, `mikes` seven.
fn ruleset_of(cards: usize) -> String {
    if cards == 6 { "mini" } else { "mikes" }.to_owned()
}

/// Whether the name of an enum's value is that of the category in words.
fn is_category(category: pb::HandCategory, words: &Value) -> bool {
    let words = words.as_str().unwrap().to_uppercase().replace(' ', "_");
    category.as_str_name() == format!("HAND_CATEGORY_{words}")
}

async fn evaluate(
    service: &Desk,
    ruleset: &str,
    hands: Vec<pb::HandToEvaluate>,
    all_settings: bool,
) -> Vec<pb::EvaluatedHand> {
    let request = pb::EvaluateHandsRequest { ruleset: ruleset.to_owned(), hands, all_settings };
    service.evaluate_hands(ask(request)).await.unwrap().into_inner().hands
}

#[tokio::test]
async fn fouls_are_those_of_the_shared_vectors() {
    let service = service(&Casino::new(), "dev");
    let mut seen = [0, 0];
    for case in cases(HANDS).filter(|case| case["op"] == "foul") {
        let (low, high) = (codes(&case["input"]["low"]), codes(&case["input"]["high"]));
        let ruleset = ruleset_of(low.len() + high.len());
        let answer = evaluate(&service, &ruleset, vec![hand(&low, &high)], true).await;
        let setting = answer[0].setting.as_ref().unwrap();
        let expected = case["expect"]["foul"].as_bool().unwrap();
        assert_eq!(setting.foul, expected, "{case}");
        seen[usize::from(expected)] += 1;
        // The same setting is among all of them, once.
        let same = answer[0].all_settings.iter().filter(|one| *one == setting).count();
        assert_eq!(same, 1, "{case}");
        assert_eq!(answer[0].all_settings.len(), if low.len() == 1 { 6 } else { 21 });
    }
    assert_eq!(seen, [6, 5]);
}

#[tokio::test]
async fn high_categories_are_those_of_the_shared_vectors() {
    let service = service(&Casino::new(), "dev");
    let mut seen = 0;
    for case in cases(HANDS).filter(|case| case["op"] == "high") {
        let high = codes(&case["input"]["cards"]);
        // Two cards that the case does not have: they do not change what the five make.
        let others = split("3c 3d 6s 7h");
        let low: Vec<String> =
            others.into_iter().filter(|card| !high.contains(card)).take(2).collect();
        let answer = evaluate(&service, "mikes", vec![hand(&low, &high)], false).await;
        let setting = answer[0].setting.as_ref().unwrap();
        assert!(is_category(setting.high_category(), &case["expect"]["category"]), "{case}");
        assert!(answer[0].all_settings.is_empty());
        seen += 1;
    }
    assert_eq!(seen, 16);
}

#[tokio::test]
async fn settings_of_house_ways_have_their_categories_and_are_never_foul() {
    let service = service(&Casino::new(), "dev");
    let all: Vec<Value> = cases(HOUSE_WAYS).collect();
    for size in [6, 7] {
        let own = |case: &&Value| case["input"]["cards"].as_array().unwrap().len() == size;
        let own: Vec<&Value> = all.iter().filter(own).collect();
        assert!(own.len() > 64, "{} hands of {size}", own.len());
        for batch in own.chunks(64) {
            let hands = batch.iter().map(|case| {
                let low = pb::LowHand { cards: codes(&case["expect"]["low"]) };
                pb::HandToEvaluate { cards: codes(&case["input"]["cards"]), low: Some(low) }
            });
            let answers = evaluate(&service, &ruleset_of(size), hands.collect(), false).await;
            assert_eq!(answers.len(), batch.len());
            for (case, answer) in batch.iter().zip(answers) {
                let (setting, expected) = (answer.setting.unwrap(), &case["expect"]);
                let sorted = |mut cards: Vec<String>| {
                    cards.sort();
                    cards
                };
                assert_eq!(sorted(setting.low.clone()), sorted(codes(&expected["low"])), "{case}");
                assert_eq!(sorted(setting.high.clone()), sorted(codes(&expected["high"])));
                assert!(is_category(setting.low_category(), &expected["low_category"]), "{case}");
                assert!(is_category(setting.high_category(), &expected["high_category"]), "{case}");
                assert!(!setting.foul, "{case}");
            }
        }
    }
}

#[tokio::test]
async fn every_setting_of_a_hand_is_listed_and_the_foul_ones_are_marked() {
    let service = service(&Casino::new(), "dev");
    // By hand: with both deuces behind, ten settings, none of them foul. With one deuce in
    // front, the high hand has no pair: foul only beside the ace, in front of a king. Both
    // deuces in front of ace high are foul.
    let cards = split("2c 2d 5h 9s Jc Kd Ah");
    let hands = vec![pb::HandToEvaluate { cards, low: None }];
    let answer = evaluate(&service, "mikes", hands, true).await;
    let [hand] = &answer[..] else { panic!("one hand") };
    assert_eq!(hand.setting, None);
    let lows: Vec<String> = hand.all_settings.iter().map(|one| one.low.join(" ")).collect();
    assert_eq!(lows.len(), 21);
    let foul = hand.all_settings.iter().filter(|one| one.foul).map(|one| one.low.join(" "));
    let mut foul: Vec<String> = foul.collect();
    foul.sort();
    assert_eq!(foul, ["2c 2d", "2c Ah", "2d Ah"]);
    let best = hand.all_settings.iter().find(|one| one.low == ["Kd", "Ah"]).unwrap();
    assert_eq!(
        (best.low_name.as_str(), best.low_category()),
        ("ace king", pb::HandCategory::HighCard)
    );
    assert_eq!(best.high_name, "pair of twos, jack nine five");
    assert_eq!(best.high_category(), pb::HandCategory::Pair);
    assert_eq!(best.high, ["2c", "Jc", "2d", "5h", "9s"], "in the order of the fresh deck");
}

#[tokio::test]
async fn a_hand_that_cannot_be_ranked_is_refused_by_its_path() {
    let service = service(&Casino::new(), "dev");
    let seven = split("2c 2d 5h 9s Jc Kd Ah");
    let of = |cards: Vec<String>, low: &str| pb::HandToEvaluate {
        cards,
        low: Some(pb::LowHand { cards: split(low) }),
    };
    let refusal = async |ruleset: &str, hands: Vec<pb::HandToEvaluate>| {
        let ruleset = ruleset.to_owned();
        let request = pb::EvaluateHandsRequest { ruleset, hands, all_settings: false };
        let (code, reason, fields) =
            blamed(&service.evaluate_hands(ask(request)).await.unwrap_err());
        assert_eq!(code, Code::InvalidArgument);
        (reason, fields.join(" "))
    };
    let good = || of(seven.clone(), "2c 2d");
    let told = |reason: &str, fields: &str| (reason.to_owned(), fields.to_owned());
    assert_eq!(refusal("mikes", vec![]).await, told("BATCH_LIMIT", "hands"));
    assert_eq!(refusal("mikes", vec![good(); 65]).await, told("BATCH_LIMIT", "hands"));
    assert_eq!(refusal("nosuch", vec![good()]).await, told("RULESET", "ruleset"));
    assert_eq!(refusal("", vec![good()]).await, told("FIELD_MISSING", "ruleset"));
    let short = of(split("2c 2d 5h 9s Jc Kd"), "2c 2d");
    assert_eq!(refusal("mikes", vec![good(), short]).await, told("HAND", "hands[1].cards"));
    let twice = of(split("2c 2c 5h 9s Jc Kd Ah"), "5h 9s");
    assert_eq!(refusal("mikes", vec![twice]).await, told("HAND", "hands[0].cards"));
    let unknown = of(split("2c 2x 5h 9s Jc Kd Ah"), "2c 1d");
    let fields = "hands[0].cards[1] hands[0].low.cards[1]";
    assert_eq!(refusal("mikes", vec![unknown]).await, told("UNKNOWN_CARD", fields));
    for low in ["", "2c", "2c 2d 5h", "2c 2c", "2c 3c"] {
        let answer = refusal("mikes", vec![of(seven.clone(), low)]).await;
        assert_eq!(answer, told("LOW_CARDS", "hands[0].low.cards"), "{low:?}");
    }
    assert_eq!(refusal("mini", vec![good()]).await, told("HAND", "hands[0].cards"));
    let without = pb::HandToEvaluate { cards: seven.clone(), low: None };
    assert_eq!(refusal("mikes", vec![without]).await, told("FIELD_MISSING", "hands[0].low"));
}
