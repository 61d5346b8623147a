//! The chart file: its faults, and the meaning of each of its terms.

use super::*;
use crate::cards::codes;

const MIKES: &str = include_str!("charts/mikes.toml");
const MINI: &str = include_str!("charts/mini.toml");

/// Returns the chart of Mike's with `clauses` tried before its own.
fn with(clauses: &str) -> HouseWay {
    HouseWay::parse(&MIKES.replacen("[[clause]]", &format!("{clauses}\n[[clause]]"), 1)).unwrap()
}

/// Returns a clause with the id `X` and these keys.
fn clause(keys: &str) -> String {
    format!("[[clause]]\nid = \"X\"\ntext = \"A sentence.\"\n{keys}\n")
}

/// Sets a hand and returns the clause and the low hand.
fn set(way: &HouseWay, cards: &str) -> (String, String) {
    let cards: Vec<Card> = cards.split(' ').map(|code| code.parse().unwrap()).collect();
    let setting = way.set(&cards).unwrap();
    (setting.clause.id(), codes(&setting.low))
}

fn faults(file: &str) -> Vec<String> {
    let faults = HouseWay::parse(file).unwrap_err();
    faults.iter().map(ToString::to_string).collect()
}

fn expected(clause: &str, low: &str) -> (String, String) {
    (clause.to_owned(), low.to_owned())
}

#[test]
fn the_ways_that_are_compiled_in_are_sorted_by_id() {
    assert!(shipped().is_sorted_by(|way, next| way.id() < next.id()));
    assert!(shipped().iter().map(HouseWay::text).eq(SHIPPED));
}

#[test]
fn the_clauses_of_a_casino_begin_with_the_name_of_its_chart() {
    // The three ways of the sources are older. Their clauses have the numbers of the rules there.
    for way in shipped().iter().filter(|way| !["mikes", "mini", "online"].contains(&way.id())) {
        let prefix = format!("{}.", way.id());
        assert!(way.clauses().iter().all(|clause| clause.id.starts_with(&prefix)), "{prefix}");
    }
}

#[test]
fn every_fault_of_a_chart_is_listed_by_its_path() {
    let file = MIKES
        .replace("wheel = \"second\"", "wheel = \"first\"\nspeed = 3")
        .replace("cards = 7", "cards = 8")
        .replace("id = \"K5\"", "id = \"K4\"")
        .replace("groups = [\"5+2\", \"5+1+1\"]", "groups = [\"5+2\", \"6+1\", 7, \"5+2\"]")
        .replace("first_rank = \"AKQ\"", "first_rank = \"AK1\"")
        .replace("front = \"second-and-third\"", "front = \"first-group\"\nbest = []")
        .replace("singletons_at_least = \"K\"\n", "singletons_at_least = \"QKA\"\n");
    assert_eq!(
        faults(&file),
        [
            "cards: must be 6 or 7",
            "wheel: `first` is not one of `second`, `lowest`",
            "clause[0].groups[1]: `6+1` is not one of `5+2`, `5+1+1`, `4+3`, `4+2+1`, `4+1+1+1`, \
             `3+3+1`, `3+2+2`, `3+2+1+1`, `3+1+1+1+1`, `2+2+2+1`, `2+2+1+1+1`, `2+1+1+1+1+1`, \
             `1+1+1+1+1+1+1`",
            "clause[0].groups[2]: must be a string",
            "clause[0].groups[3]: is there twice",
            "clause[1].first_rank: `AK1` is not a string of rank letters",
            "clause[5].first_rank: `AK1` is not a string of rank letters",
            "clause[6].singletons_at_least: must be one or two ranks, none above the one before",
            "clause[12].id: `K4` is there twice",
            "clause[21].first_rank: `AK1` is not a string of rank letters",
            "clause[24].singletons_at_least: must be one or two ranks, none above the one before",
            "clause[28].first_rank: `AK1` is not a string of rank letters",
            "clause[31].singletons_at_least: must be one or two ranks, none above the one before",
            "clause[39].best: must be a list of one or more strings",
            "clause[39].front: a hand of 1+1+1+1+1+1+1 has no such cards",
            "speed: is not a key here; those are `cards`, `clause`, `code`, `id`, `joker`, `source`, \
             `title`, `wheel`",
        ]
    );
}

#[test]
fn what_is_missing_is_named() {
    assert_eq!(
        faults("[[clause]]\nfrom = 1"),
        [
            "id: is missing",
            "title: is missing",
            "source: is missing",
            "cards: must be 6 or 7",
            "wheel: is missing",
            "clause[0].id: is missing",
            "clause[0].text: is missing",
            "clause[0].groups: is missing",
            "clause[0].front: is missing",
            "clause[0].from: is not a key here; those are `best`, `first_rank`, `front`, \
             `front_at_least`, `front_beats`, `groups`, `id`, `second_rank`, \
             `singletons_at_least`, `straight_or_flush`, `text`",
        ]
    );
}

#[test]
fn a_misspelt_front_is_told_the_fronts_that_there_are() {
    let told = faults(&MIKES.replace("front = \"second-and-third\"", "front = \"2nd-and-3rd\""));
    assert_eq!(
        told,
        ["clause[39].front: `2nd-and-3rd` is not one of `first-group`, `second-group`, \
          `first-group-and-highest`, `two-highest`, `second-and-third`, \
          `pair-leaving-complete`, `highest-leaving-complete`, `highest-leaving-best`, \
          `highest-leaving-listed`, `lowest-leaving-listed`"]
    );
}

#[test]
fn the_groups_of_a_chart_are_those_of_its_cards() {
    let told = faults(&MIKES.replace("[\"4+1+1+1\"]", "[\"4+1+1\"]"));
    assert!(told.iter().all(|fault| fault.contains("groups[0]: `4+1+1` is not one of `5+2`, ")));
    // One fault for each clause. The four of a kind that no clause sets is not reported.
    assert_eq!(told.len(), 6);

    let told = faults(&MINI.replace("[\"4+1+1\"]", "[\"4+1+1+1\"]"));
    assert_eq!(
        told,
        ["clause[2].groups[0]: `4+1+1+1` is not one of `5+1`, `4+2`, `4+1+1`, `3+3`, `3+2+1`, \
          `3+1+1+1`, `2+2+2`, `2+2+1+1`, `2+1+1+1+1`, `1+1+1+1+1+1`"]
    );
}

#[test]
fn a_chart_for_six_cards_puts_one_in_front() {
    let told = |old: &str, new: &str| faults(&MINI.replacen(old, new, 1));
    assert_eq!(
        told("\"second-highest\"", "\"second-and-third\""),
        ["clause[15].front: `second-and-third` is not one of `first-group`, `second-group`, \
          `highest`, `second-highest`, `highest-leaving-complete`, `highest-leaving-best`, \
          `highest-leaving-listed`, `lowest-leaving-listed`"]
    );
    assert_eq!(
        told("\"second-highest\"", "\"second-highest\"\nfront_at_least = \"AK\""),
        ["clause[15].front_at_least: is more ranks than cards go in front"]
    );
    assert_eq!(
        told("[\"4+2\"]\nfront = \"second-group\"", "[\"4+2\"]\nfront = \"highest\""),
        ["clause[1].front: a hand of 4+2 has no such cards"]
    );
    assert_eq!(
        told("best = [\"flush\"]\n", ""),
        [
            "clause[8].front: needs `best`, which lists the categories",
            "clause[8].front_beats: needs `best`, which lists the categories",
        ]
    );
    // A hand of one pair may have to keep it together. Then this clause does not set it, and no
    // other clause is sure to.
    assert_eq!(
        told("[\"2+1+1+1+1\"]\nfront = \"highest\"", "[\"2+1+1+1+1\"]\nfront = \"first-group\""),
        ["clause: no clause is sure to set 2+1+1+1+1 of A without a straight or flush"]
    );
}

#[test]
fn a_chart_for_six_cards_sets_by_the_first_clause_that_applies() {
    let way = HouseWay::parse(&MINI.replacen(
        "[[clause]]",
        &(clause("groups = [\"2+2+1+1\"]\nfirst_rank = \"AKQ\"\nfront = \"first-group\"\nfront_at_least = \"K\"\n")
            + &clause("groups = [\"3+1+1+1\"]\nstraight_or_flush = \"held\"\nfront = \"highest-leaving-complete\"")
                .replace("\"X\"", "\"Y\"")
            + "[[clause]]"),
        1,
    ))
    .unwrap();
    assert_eq!(way.cards(), 6);
    assert_eq!(set(&way, "Kc Kd 9h 9s 4c 2d"), expected("X", "Kc"));
    // Of two aces in front the joker is the higher.
    assert_eq!(set(&way, "Ac Jk 9h 9s 4c 2d"), expected("X", "Jk"));
    assert_eq!(set(&way, "Qc Qd 9h 9s 4c 2d"), expected("M11", "4c"));
    assert_eq!(set(&way, "9c 9d 9h 8c 7c 2c"), expected("M10", "8c"));
    assert_eq!(set(&way, "Ac Ad Jk Kh Qc Js"), expected("Y", "Ac"));
    assert_eq!(set(&way, "9c 9d 9h 8c Jc 2c"), expected("M10", "Jc"));
    assert_eq!(set(&way, "9c 9d Jk 8h Tc Js"), expected("M9b", "9c"));
    assert_eq!(set(&way, "Kc Qd Jh Ts 9c 8d"), expected("M9a", "Kc"));
    assert_eq!(set(&way, "Kc Qd Jh 9s 5c 2d"), expected("M13", "Qd"));
}

#[test]
fn a_file_that_is_not_toml_is_refused_by_its_line() {
    let faults = HouseWay::parse("id = \"x\"\n\ntitle = ?\n").unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].path, "line 3");
}

#[test]
fn a_chart_that_leaves_a_kind_of_hand_unset_is_refused() {
    let without = |id: &str| {
        let mut clauses: Vec<&str> = MIKES.split("[[clause]]").collect();
        clauses.retain(|clause| !clause.contains(&format!("id = \"{id}\"\n")));
        clauses.join("[[clause]]")
    };
    for (id, unset) in [
        ("K1", "5+2 of A beside K without"),
        ("K2b", "4+3 of J beside A without"),
        ("K3e", "4+1+1+1 of 8 without"),
        ("K8b", "3+1+1+1+1 of K without"),
        ("K9", "2+2+2+1 of A beside K without"),
        ("K10e", "2+2+1+1+1 of 8 beside 7 without"),
        ("K14", "1+1+1+1+1+1+1 of A without"),
    ] {
        let expected = format!("clause: no clause is sure to set {unset} a straight or flush");
        assert!(faults(&without(id)).contains(&expected), "{id}");
    }
    // These clauses only refine hands that another clause sets in every case.
    for id in ["K3b", "K6a", "K7a", "K9s", "K10b", "K11a", "K11b"] {
        assert!(HouseWay::parse(&without(id)).is_ok(), "{id}");
    }
}

#[test]
fn a_clause_that_asks_only_for_foul_splits_gives_way_to_the_next() {
    let way = with(&clause("groups = [\"2+1+1+1+1+1\"]\nfront = \"first-group\""));
    assert_eq!(set(&way, "9c 9d Ah Js 5c 3d 2h"), expected("K12", "Ah Js"));
    assert_eq!(set(&way, "9c 9d 6h 5s 4c 3d 2h"), expected("X", "9c 9d"));
}

#[test]
fn a_front_may_have_to_beat_another() {
    // Foxwoods: "ace and a pair of K, Q, J or T: pair high and ace low if the low
    // hand is improved".
    let way = with(&clause(
        "groups = [\"2+1+1+1+1+1\"]\nstraight_or_flush = \"held\"\nfirst_rank = \"KQJT\"\n\
         singletons_at_least = \"A\"\nfront = \"two-highest\"\n\
         front_beats = \"highest-leaving-complete\"",
    ));
    assert_eq!(set(&way, "Kh Kd Ah Qh 7h 4h 2c"), expected("X", "Qh Ah"));
    assert_eq!(set(&way, "Kh Kd Ah 2h 3c 4d 5s"), expected("K11a", "Kd Kh"));
    assert_eq!(set(&way, "Kh Kd Qh Jh 7h 4h 2c"), expected("K11b", "2c Kd"));
}

#[test]
fn an_ace_high_straight_by_the_joker_may_be_played_as_aces() {
    // Bally's: "an ace-high straight or SF made with the joker is played as a pair
    // of aces, unless A-2-3-4-5 or a lower straight can be played".
    let way = with(&clause(
        "groups = [\"2+1+1+1+1+1\"]\nstraight_or_flush = \"ace-high-by-joker-only\"\n\
         front = \"two-highest\"",
    ));
    assert_eq!(set(&way, "Ac Jk Kd Qh Js 5c 3d"), expected("X", "Kd Qh"));
    assert_eq!(set(&way, "As Jk Kd Qd Jd Td 3c").0, "K11b", "a natural straight");
    assert_eq!(set(&way, "Ac Jk 2d Kd Qh Td 9c").0, "K11b", "a king-high straight");
    assert_eq!(set(&way, "Ac Jk 2d 3h 4s 8c Td").0, "K11b", "ace to five");
    assert_eq!(set(&way, "Kc Jk Qd Jh Ts 8c 2d").0, "K13", "no natural ace");
    assert_eq!(set(&way, "Kc Ac Jc Jk Qd 3c 7h").0, "K11b", "a flush");
}

#[test]
fn a_straight_flush_may_be_given_up_for_a_threshold() {
    // Golden Nugget: "SF is given up for a straight/flush if that puts J+ low".
    let groups = "groups = [\"1+1+1+1+1+1+1\"]\nstraight_or_flush = \"held\"\n\
                  best = [\"straight flush\"]";
    let way = with(
        &(clause(&format!(
            "{groups}\nfront = \"highest-leaving-complete\"\n\
             front_beats = \"highest-leaving-best\"\nfront_at_least = \"J\""
        )) + &clause(&format!("{groups}\nfront = \"highest-leaving-best\""))
            .replace("\"X\"", "\"Y\"")),
    );
    assert_eq!(set(&way, "Qh Jh Th 9h 8h 7c 6c"), expected("X", "Jh Qh"));
    assert_eq!(set(&way, "9h 8h 7h 6h 5h 4c 3c"), expected("Y", "3c 4c"));
    assert_eq!(set(&way, "9h 8h 7h 6h 5h Kc 3c"), expected("Y", "3c Kc"));
    assert_eq!(set(&way, "9h 8h 7h 6c 5h Kc 3c").0, "K13");
}

#[test]
fn a_pair_meets_every_threshold_of_the_front() {
    // Flamingo: "ace + face or a pair low".
    let way = with(
        &(clause(
            "groups = [\"2+1+1+1+1+1\"]\nstraight_or_flush = \"not-held\"\n\
             front = \"two-highest\"\nfront_at_least = \"AJ\"",
        ) + &clause("groups = [\"3+2+1+1\"]\nfront = \"second-group\"\nfront_at_least = \"AJ\"")
            .replace("\"X\"", "\"Y\"")),
    );
    assert_eq!(set(&way, "9c 9d Ah Js 5c 3d 2h"), expected("X", "Ah Js"));
    assert_eq!(set(&way, "9c 9d Ah Ts 5c 3d 2h"), expected("K12", "Ah Ts"));
    assert_eq!(set(&way, "9c 9d Kh Qs 5c 3d 2h"), expected("K12", "Kh Qs"));
    assert_eq!(set(&way, "9c 9d 9h 2s 2c Kd 5h"), expected("Y", "2c 2s"));
}

#[test]
fn a_full_house_may_keep_its_pair_behind_ace_king() {
    // Trump Plaza: "pair low, unless the pair is twos and A-K can go low".
    let way = with(&clause(
        "groups = [\"3+2+1+1\"]\nsecond_rank = \"2\"\nsingletons_at_least = \"AK\"\n\
         front = \"two-highest\"",
    ));
    assert_eq!(set(&way, "9c 9d 9h 2s 2c Ad Kh"), expected("X", "Ad Kh"));
    assert_eq!(set(&way, "9c 9d 9h 3s 3c Ad Kh"), expected("K6b", "3c 3s"));
    assert_eq!(set(&way, "9c 9d 9h 2s 2c Ad Qh"), expected("K6b", "2c 2s"));
    assert_eq!(set(&way, "9c 9d 9h 2s 2c Jk Kh"), expected("X", "Kh Jk"));
}

#[test]
fn equal_fronts_keep_the_joker_behind_and_then_the_lowest_suits_in_front() {
    let way = with("");
    assert_eq!(set(&way, "As Ah Ad Ac Jk 7c 2d"), expected("K1", "Ac Ad"));
    assert_eq!(set(&way, "Ah Ac Jk 9s 7c 3d 2h"), expected("K8a", "Ac 9s"));
    assert_eq!(set(&way, "Ks Kh Kd Kc 9s 7c 2d"), expected("K3a", "Kc Kd"));
}

#[test]
fn a_file_has_one_kind_of_line_ending_and_ids_that_a_manifest_takes() {
    let way = shipped().iter().find(|way| way.id() == "mikes").unwrap();
    let dos = way.text().replace('\n', "\r\n");
    let faults = HouseWay::parse(&dos).unwrap_err();
    assert_eq!((faults[0].path.as_str(), faults.len()), ("line 1", 1));
    let long =
        |letters| way.text().replacen("\"mikes\"", &format!("\"{}\"", "m".repeat(letters)), 1);
    assert!(HouseWay::parse(&long(64)).is_ok());
    assert_eq!(HouseWay::parse(&long(65)).unwrap_err()[0].path, "id");
}
