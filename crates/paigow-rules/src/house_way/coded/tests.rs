//! The file of the way that is written in code: its required content.

use super::super::{HouseWay, shipped};

const ONLINE: &str = include_str!("online.toml");

fn faults(file: &str) -> Vec<String> {
    let faults = HouseWay::parse(file).unwrap_err();
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_way_in_code_has_the_id_of_its_code() {
    let way = HouseWay::parse(ONLINE).unwrap();
    assert_eq!((way.id(), way.cards()), ("online", 7));
    assert_eq!(
        faults(&ONLINE.replacen("id = \"online\"", "id = \"ours\"", 1)),
        ["id: must be `online`: a way in code is frozen under its id"]
    );
}

#[test]
fn an_unknown_code_is_told_the_code_that_there_is() {
    assert_eq!(
        faults(&ONLINE.replace("code = \"online\"", "code = \"on-line\""))[0],
        "code: `on-line` is not one of `online`"
    );
}

#[test]
fn the_clauses_of_the_file_are_those_of_the_code() {
    let clauses: Vec<&str> = ONLINE.split("[[clause]]").collect();
    let place = clauses.iter().position(|clause| clause.contains("id = \"O3\"")).unwrap();
    let mut without_o3 = clauses.clone();
    without_o3.remove(place);
    assert_eq!(faults(&without_o3.join("[[clause]]")), ["clause: `O3` is missing"]);

    let last = clauses.len() - 1;
    let with_another = format!("{ONLINE}\n[[clause]]\nid = \"O99\"\ntext = \"As you like it.\"\n");
    assert_eq!(faults(&with_another), [format!("clause[{last}].id: the code has no clause `O99`")]);

    let exchanged =
        ONLINE.replace("\"O1\"", "\"?\"").replace("\"O2\"", "\"O1\"").replace("\"?\"", "\"O2\"");
    assert_eq!(faults(&exchanged), ["clause[0].id: must be `O1`: the order is that of the code"]);

    let twice = ONLINE.replace("id = \"O2\"", "id = \"O1\"");
    assert_eq!(faults(&twice), ["clause[1].id: `O1` is there twice", "clause: `O2` is missing"]);
}

#[test]
fn what_the_code_decides_is_not_in_the_file() {
    assert_eq!(
        faults(&ONLINE.replace("cards = 7", "cards = 6").replace("\"second\"", "\"lowest\"")),
        [
            "cards: must be 7: the code sets that many",
            "wheel: must be `second`, as the code has it",
        ]
    );
    assert_eq!(
        faults(&ONLINE.replace("id = \"O1\"", "id = \"O1\"\nfront = \"first-group\"")),
        ["clause[0].front: is not a key here; those are `id`, `text`"]
    );
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
