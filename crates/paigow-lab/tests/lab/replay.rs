//! `paigow-lab replay` against every published case, member by member.

use serde_json::{Map, Value};

use crate::binary::{lines, run};

fn vectors() -> Value {
    serde_json::from_str(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/fairness.json"
    )))
    .unwrap()
}

fn cases<'a>(vectors: &'a Value, list: &str) -> &'a Vec<Value> {
    vectors[list].as_array().unwrap()
}

#[test]
fn every_published_round_comes_out_exactly() {
    let vectors = vectors();
    let rounds = cases(&vectors, "rounds");
    let input: String = rounds.iter().map(|case| format!("{}\n", case["in"])).collect();
    let output = run(&["replay"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answers = lines(&output);
    assert_eq!(answers.len(), rounds.len());
    for (case, answer) in rounds.iter().zip(&answers) {
        assert_eq!(answer, &case["out"], "{}", case["title"]);
    }
}

#[test]
fn every_published_round_seed_comes_out_exactly() {
    let vectors = vectors();
    let replays = cases(&vectors, "lab_replay");
    for whole in [true, false] {
        let line = |case: &Value| {
            let seed = serde_json::json!({ "round_seed": case["round_seed"] });
            format!("{}\n", if whole { case } else { &seed })
        };
        let output = run(&["replay"], replays.iter().map(line).collect::<String>().as_bytes());
        assert_eq!(output.status.code(), Some(0));
        let answers = lines(&output);
        assert_eq!(answers.len(), replays.len());
        for (case, answer) in replays.iter().zip(&answers) {
            let given = ["title", "round_seed"];
            let expected: Map<String, Value> = case
                .as_object()
                .unwrap()
                .iter()
                .filter(|(member, _)| !given.contains(&member.as_str()))
                .map(|(member, value)| (member.clone(), value.clone()))
                .collect();
            assert_eq!(answer, &Value::Object(expected), "{}", case["title"]);
        }
    }
}

#[test]
fn a_line_that_is_no_round_says_which_member_is_at_fault() {
    let vectors = vectors();
    let good = &cases(&vectors, "rounds")[0]["in"];
    let mut input = String::new();
    let faults = [
        ("suite", Value::from("beacon"), "suite: derived, vrf or fresh"),
        ("tenant", Value::from("a b"), "tenant: malformed"),
        ("round_no", Value::from(1), "round_no: not a string"),
        ("cards", Value::from(54), "cards: not an integer in range"),
        ("cards", Value::from(51), "cards: 53, or 52 without the joker"),
        ("client_seeds", serde_json::json!({"0": "00".repeat(16)}), "position 0 has no seed"),
        ("client_seeds", serde_json::json!({"1": "00".repeat(15)}), "a seed is 16 to 64 bytes"),
        ("client_seed", Value::from(""), "client_seed: an unknown member"),
    ];
    for (member, value, _) in &faults {
        let mut bad = good.clone();
        bad[member] = value.clone();
        input += &format!("{bad}\n");
    }
    let output = run(&["replay"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    for (answer, (place, (_, _, what))) in lines(&output).iter().zip((1..).zip(&faults)) {
        assert_eq!(answer["line"], place);
        assert!(answer["error"].as_str().unwrap().contains(what), "{answer}");
    }
}
