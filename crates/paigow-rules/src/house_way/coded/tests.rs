//! The files of the ways that are written in code: what they must have.

use super::super::{HouseWay, shipped};

const MINI: &str = include_str!("mini.toml");
const ONLINE: &str = include_str!("online.toml");

fn faults(file: &str) -> Vec<String> {
    let faults = HouseWay::parse(file).unwrap_err();
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_way_in_code_has_the_id_of_its_code() {
    for (file, id, cards) in [(MINI, "mini", 6), (ONLINE, "online", 7)] {
        let way = HouseWay::parse(file).unwrap();
        assert_eq!((way.id(), way.cards()), (id, cards));
        assert_eq!(
            faults(&file.replacen(&format!("id = \"{id}\""), "id = \"ours\"", 1)),
            [format!("id: must be `{id}`: a way in code is frozen under its id")]
        );
    }
}

#[test]
fn an_unknown_code_is_told_the_codes_that_there_are() {
    assert_eq!(
        faults(&ONLINE.replace("code = \"online\"", "code = \"on-line\""))[0],
        "code: `on-line` is none of `mini`, `online`"
    );
}

#[test]
fn the_clauses_of_the_file_are_those_of_the_code() {
    let rest = |from: &str| MINI[MINI.find(from).unwrap()..].to_owned();
    let without_m3 = MINI.replace(&rest("[[clause]]\nid = \"M3\""), &rest("# Before the"));
    assert_eq!(faults(&without_m3), ["clause: `M3` is missing"]);

    let with_another = format!("{MINI}\n[[clause]]\nid = \"M14\"\ntext = \"As you like it.\"\n");
    assert_eq!(faults(&with_another), ["clause[16].id: the code has no clause `M14`"]);

    let exchanged =
        MINI.replace("\"M10\"", "\"?\"").replace("\"M11\"", "\"M10\"").replace("\"?\"", "\"M11\"");
    assert_eq!(faults(&exchanged), ["clause[12].id: must be `M10`: the order is that of the code"]);

    let twice = MINI.replace("id = \"M2\"", "id = \"M1\"");
    assert_eq!(faults(&twice), ["clause[1].id: `M1` is there twice", "clause: `M2` is missing"]);
}

#[test]
fn what_the_code_decides_is_not_in_the_file() {
    assert_eq!(
        faults(&MINI.replace("cards = 6", "cards = 7").replace("\"second\"", "\"lowest\"")),
        [
            "cards: must be 6: the code sets that many",
            "wheel: must be `second`, as the code has it",
        ]
    );
    assert_eq!(
        faults(&MINI.replace("id = \"M1\"", "id = \"M1\"\nfront = \"first-group\"")),
        ["clause[0].front: is not a key here; those are `id`, `text`"]
    );
}

#[test]
fn a_chart_is_for_seven_cards() {
    let six = MINI.replace("code = \"mini\"\n", "");
    let told = "cards: must be 7 in a chart; the way for six cards is `code = \"mini\"`";
    assert!(faults(&six).contains(&told.to_owned()));
}

#[test]
fn what_is_cited_is_the_sentence_of_the_rule_and_of_the_row() {
    let way = shipped().iter().find(|way| way.id() == "online").unwrap();
    let cards: Vec<_> = "Ac Kc 9c 7c 4c 3c Kd".split(' ').flat_map(str::parse).collect();
    let clause = way.set(&cards).unwrap().clause;
    assert_eq!(clause.id(), "O25f/F6");
    assert_eq!(
        clause.text(),
        "Flush and Pair: Any other One Pair and flush: Follow the steps described for \
         \"Flush and 3-of-a-kind\". 6-card Flush without Joker: The two cards will be the \
         highest card in the flush and the non-flush."
    );
}
