//! `paigow-lab judge` against the worked examples in the definitions of the bonus bets.

use serde_json::{Value, json};

use crate::binary::{lines, run, text};
use crate::own::own;

/// The hands of section 4 of the definitions: the rows of Dynasty table 1, of table 2, of
/// Protection and of Outlaw 9; a dash where the bet loses.
const WORKED_OUT: [[&str; 5]; 22] = [
    [
        "As Ks Qs Js Jk Ah Qh",
        "natural-royal-flush-with-aq-suited",
        "royal-flush-a-qs",
        "-",
        "royal-flush",
    ],
    ["As Ks Qs Js Ts Jk Qh", "royal-flush", "royal-flush", "-", "royal-flush"],
    ["As Ks Qs Js Ts Kh Qh", "royal-flush", "royal-flush", "-", "royal-flush-and-royal-match"],
    ["As 2s 3s 4s 5s Jk 9d", "straight-flush", "straight-flush", "-", "straight-flush"],
    [
        "As 2s 3s 4s 5s 6s Kd",
        "luhn-tao-wheel",
        "straight-flush",
        "a-5-natural-straight-flush",
        "straight-flush",
    ],
    [
        "As 2s 3s 4s 5s Ah Qh",
        "natural-luhn-tao-wheel-with-aq-suited",
        "straight-flush",
        "a-5-natural-straight-flush",
        "straight-flush",
    ],
    [
        "As 2s 3s 4s 5s 6s 7s",
        "seven-card-natural-straight-flush",
        "natural-7-card-s-f",
        "-",
        "7-card-straight-flush",
    ],
    [
        "As 2s 3s 4s 5s 6s Jk",
        "seven-card-wild-straight-flush",
        "wild-7-card-s-f",
        "-",
        "7-card-straight-flush-with-joker",
    ],
    [
        "8s 9s Ts Js Qs Ks As",
        "seven-card-natural-straight-flush",
        "natural-7-card-s-f",
        "-",
        "7-card-straight-flush",
    ],
    ["5s 5h 5d 6c 7s 8d 9c", "three-of-a-kind", "3-of-a-kind", "-", "three-of-a-kind"],
    ["As Jk Kc Kh 4c 4d 9s", "-", "three-pair", "-", "three-pairs"],
    ["Kc Kd 7c 7d 3h 3s Jk", "-", "three-pair", "-", "three-pairs"],
    ["Ac Jk 2c 2d 3h 3s 4h", "straight", "straight", "-", "straight"],
    ["Jk 2s 4h 6d 8c Ts Qh", "-", "-", "ace-high", "-"],
    ["Jk Ac Ad Kc Kd 7h 7d", "full-house", "full-house", "-", "full-house"],
    ["Jk Ah Ad Kh Kd 7d 6h", "full-house", "full-house", "-", "full-house"],
    ["2h 3h 4d 5d 7h 8h 9d", "-", "-", "9-high-pai-gow", "9-high-seven-cards"],
    ["2h 3d 4d 5h 7h 8d Td", "-", "-", "ten-high", "10-high-seven-cards"],
    ["2h 2d 9h 9d Kh Kd 4d", "-", "three-pair", "-", "three-pairs"],
    ["2h 3h 4h 5d 6d 7d Kd", "straight", "straight", "-", "straight"],
    ["Jk 3h 4h 5h 9d Td Kd", "-", "-", "ace-high", "seven-cards-all-red-or-black-with-a-joker"],
    ["Jk Ah 4h 5h 9d Td 2d", "straight", "straight", "-", "straight"],
];

fn line(members: &Value) -> String {
    format!("{members}\n")
}

fn cards(codes: &str) -> Vec<&str> {
    codes.split(' ').collect()
}

/// The answers to lines of cards alone.
fn judged(ruleset: &str, hands: &[&str]) -> Vec<Value> {
    let input: String = hands.iter().map(|hand| line(&json!({ "cards": cards(hand) }))).collect();
    let output = run(&["judge", ruleset], input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    lines(&output)
}

fn one(ruleset: &str, members: &Value) -> Value {
    let output = run(&["judge", ruleset], line(members).as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    lines(&output).remove(0)
}

fn of<'a>(answer: &'a Value, bet: &str) -> &'a Value {
    answer["bets"].as_array().unwrap().iter().find(|answer| answer["bet"] == bet).unwrap()
}

/// The row of a bet; a dash if it lost.
fn row<'a>(answer: &'a Value, bet: &str) -> &'a str {
    let answer = of(answer, bet);
    match answer["result"].as_str().unwrap() {
        "lost" => {
            assert_eq!(answer["row"], Value::Null);
            "-"
        }
        result => {
            assert_eq!(result == "won", answer["pays"].is_object(), "{answer}");
            answer["row"].as_str().unwrap()
        }
    }
}

#[test]
fn every_hand_worked_out_is_paid_as_worked_out() {
    let hands = WORKED_OUT.map(|worked_out| worked_out[0]);
    for (ruleset, bet, column) in [
        ("express", "dynasty", 1),
        ("express-2", "dynasty", 2),
        ("express", "protection", 3),
        ("mikes", "outlaw_9", 4),
    ] {
        let answers = judged(ruleset, &hands);
        assert_eq!(answers.len(), hands.len());
        for (worked_out, answer) in WORKED_OUT.iter().zip(&answers) {
            assert_eq!(row(answer, bet), worked_out[column], "{bet}: {}", worked_out[0]);
        }
    }
}

#[test]
fn an_answer_has_its_members_in_the_documented_order() {
    // Seven diamonds and hearts, a full house: 5 to 1; four aces: 25 to 1 and $5 of envy.
    let input = line(&json!({ "cards": cards("9h 9d Kh Kd 4d 4h 2d") }))
        + &line(&json!({ "choice": "black", "cards": cards("As Ac Ad Jk 3h 8s 9c") }));
    let output = run(&["judge", "express"], input.as_bytes());
    let expected = concat!(
        r#"{"bets":[{"bet":"queens_dragon","result":"lost"},{"bet":"dynasty","result":"lost"},"#,
        r#"{"bet":"protection","result":"lost"},"#,
        r#"{"bet":"red_black","skipped":"needs a choice, red or black"}]}"#,
        "\n",
        r#"{"bets":[{"bet":"queens_dragon","result":"lost"},"#,
        r#"{"bet":"dynasty","row":"four-of-a-kind","title":"Four of a Kind","#,
        r#""pays":{"num":25,"den":1},"result":"won","to_others_minor":"500"},"#,
        r#"{"bet":"protection","result":"lost"},"#,
        r#"{"bet":"red_black","row":"4-cards-of-the-chosen-color","title":"4 cards of the chosen color","#,
        r#""pays":{"num":1,"den":1},"result":"won"}]}"#,
        "\n",
    );
    assert_eq!(text(&output), expected);
}

#[test]
fn a_push_pays_nothing_and_is_not_lost() {
    let answer = &judged("express-2", &["As Jk Kc Kh 4c 4d 9s"])[0];
    let push =
        json!({"bet": "dynasty", "row": "three-pair", "title": "Three Pair", "result": "push"});
    assert_eq!(of(answer, "dynasty"), &push);
}

#[test]
fn the_colour_named_decides_and_the_joker_is_of_neither() {
    for (hand, red, black) in [
        ("2h 3d 5h 7d 9h Jd Kh", "7-cards-of-the-chosen-color", "-"),
        ("2h 3d 5h 7d 9h Jd Kc", "6-cards-of-the-chosen-color", "-"),
        ("2h 3d 5h 7d 9s Js Kc", "4-cards-of-the-chosen-color", "-"),
        ("2h 3d 5h 7s 9s Js Kc", "-", "4-cards-of-the-chosen-color"),
        ("2h 3d 5h 7s 9s Js Jk", "-", "-"),
    ] {
        for (choice, expected) in [("red", red), ("black", black)] {
            let answer = one("express", &json!({ "cards": cards(hand), "choice": choice }));
            assert_eq!(row(&answer, "red_black"), expected, "{choice}: {hand}");
        }
    }
}

#[test]
fn the_three_card_bet_looks_at_the_first_three_as_given() {
    for (three, expected) in [
        ("Qs Ks As", "st-flush-no-joker"),
        ("Ac As Jk", "3-of-a-kind"),
        ("Qs Jk As", "straight-flush"),
        // A pair of aces, too; the straight pays more.
        ("Jk Ac Kd", "straight"),
        ("2c 9c Jk", "flush"),
        ("Kc Kd Jk", "one-pair"),
        ("Kc Ad 2h", "-"),
    ] {
        let [alone, whole] = [three.to_owned(), format!("{three} 3d 5s 8h Td")]
            .map(|hand| one("mania", &json!({ "cards": cards(&hand) })));
        assert_eq!(row(&alone, "three_card"), expected, "{three}");
        assert_eq!(of(&whole, "three_card"), of(&alone, "three_card"), "{three}");
        let skipped = json!({ "bet": "pai_gow_bonus", "skipped": "needs all 7 cards" });
        assert_eq!(of(&alone, "pai_gow_bonus"), &skipped);
    }
    let turned = one("mania", &json!({ "cards": cards("3d 5s 8h Td Qs Ks As") }));
    assert_eq!(row(&turned, "three_card"), "-");
    // The seven-card straight flush to the ace holds a royal flush.
    let royal = &judged("mania", &["8s 9s Ts Js Qs Ks As"])[0];
    assert_eq!(row(royal, "pai_gow_bonus"), "royal-flush");
    assert_eq!(row(royal, "three_card"), "st-flush-no-joker");
}

#[test]
fn six_cards_are_judged_by_their_best_five() {
    let hands = [
        ("As Ah Ad Ac Jk 2d", "five-aces", Some("100000")),
        ("Ts Js Qs Jk As 2d", "royal-flush", Some("20000")),
        ("2s 3s 4s 5s 6s 7s", "straight-flush", Some("5000")),
        ("As Ah Ad Jk 2c 2d", "four-of-a-kind", Some("1500")),
        ("5s 5h 5d 6s 6h 6d", "full-house", Some("500")),
        ("As Jk 5d 5c 5h 6d", "full-house", Some("500")),
        ("2s 5s 9s Ks Jk Kd", "flush", None),
        ("As 2d 3c 4h Jk Kd", "straight", None),
        ("5s 5h 5d 6s 8h Td", "three-of-a-kind", None),
        ("5s 5h 6d 6s 8h 8d", "two-pair", None),
        ("As Jk 6d 6s 8h Td", "two-pair", None),
        ("As Jk 6d 7s 8h Jd", "-", None),
    ];
    for ruleset in ["mini", "mini-community"] {
        let answers = judged(ruleset, &hands.map(|(hand, ..)| hand));
        for ((hand, expected, to_others), answer) in hands.into_iter().zip(&answers) {
            assert_eq!(row(answer, "bonus"), expected, "{hand}");
            let to_others = to_others.filter(|_| ruleset == "mini-community");
            assert_eq!(of(answer, "bonus")["to_others_minor"].as_str(), to_others, "{hand}");
        }
    }
}

#[test]
fn a_bet_on_the_dealers_hand_looks_at_the_dealer_if_there_is_one() {
    let (queen_high, pair) = ("Qc Jd 9h 7s 5c 3d 2h", "Kc Kd Ah Qs 8c 6d 3h");
    for (hand, dealer, dragon) in [
        (queen_high, None, "dealer-queens-dragon"),
        (pair, None, "-"),
        (pair, Some(queen_high), "dealer-queens-dragon"),
        (queen_high, Some(pair), "-"),
    ] {
        let mut members = json!({ "cards": cards(hand) });
        if let Some(dealer) = dealer {
            members["dealer"] = json!(cards(dealer));
        }
        let answer = one("express", &members);
        assert_eq!(row(&answer, "queens_dragon"), dragon, "{hand}");
        let protection = if hand == queen_high { "queen-high" } else { "-" };
        assert_eq!(row(&answer, "protection"), protection, "{hand}");
    }
}

#[test]
fn wrangler_push_sets_both_hands_by_the_house_way() {
    for (seat, dealer, expected) in [
        // Kings behind and A-Q in front, against queens behind and A-K in front.
        ("Kc Kd Ah Qs 9c 7d 2h", "Qc Qd Ac Kh 8c 6d 3h", "push"),
        // Aces behind and fives in front, against kings behind and queens in front.
        ("Ac Ad 5c 5d Jh 9s 2h", "Kc Kd Qh Qs 8c 6d 3h", "push-with-2-card-hand-of-3s-or-higher"),
        // Kings behind and twos in front, against aces behind and K-Q: twos are not enough.
        ("Kc Kd 2c 2d Jh 9s 7h", "Ac Ad Kh Qs 8c 6d 3h", "push"),
        // Aces behind and twos in front, against kings behind and A-Q: the seat wins both.
        ("Ac Ad 2c 2d Jh 9s 7h", "Kc Kd Ah Qs 8c 6d 3h", "-"),
        // And the dealer wins both.
        ("Kc Kd Ah Qs 8c 6d 3h", "Ac Ad 2c 2d Jh 9s 7h", "-"),
    ] {
        let answer = one("mikes", &json!({ "cards": cards(seat), "dealer": cards(dealer) }));
        assert_eq!(row(&answer, "wrangler_push"), expected, "{seat} against {dealer}");
    }
    let alone = &judged("mikes", &["Kc Kd Ah Qs 9c 7d 2h"])[0];
    let skipped = json!({ "bet": "wrangler_push", "skipped": "needs the cards of the dealer" });
    assert_eq!(of(alone, "wrangler_push"), &skipped);
}

#[test]
fn what_is_no_hand_is_answered_in_its_place_and_in_the_exit_code() {
    let good = r#"{"cards":["As","Ks","Qs","Js","Ts","Kh","Qh"]}"#;
    for (ruleset, bad, what) in [
        ("mikes", "", "EOF"),
        ("mikes", "{}", "missing field `cards`"),
        ("mikes", r#"[["As","Ks","Qs","Js","Ts","Kh","Qh"],"red",[]]"#, "expected an object"),
        ("mikes", "7", "invalid type"),
        ("mikes", r#"{"cards":["As"]}"#, "1 cards; mikes judges 7"),
        ("mikes", r#"{"cards":["As","Ks","Qs"]}"#, "3 cards; mikes judges 7"),
        ("mania", r#"{"cards":["As","Ks"]}"#, "2 cards; mania judges 7, or the first 3 of them"),
        ("mikes", &good.replace("Kh", "1h"), "not a card code"),
        ("mikes", &good.replace("Kh", "As"), "the card As is there twice"),
        ("mikes", &good.replace("\"Kh\"", "7"), "expected a card code"),
        ("mikes", &good.replace('}', ",\"choice\":\"blue\"}"), "unknown variant `blue`"),
        ("mikes", &good.replace('}', ",\"choice\":null}"), "column"),
        ("mikes", &good.replace('}', ",\"dealer\":null}"), "column"),
        ("mikes", &good.replace('}', ",\"seat\":1}"), "unknown field `seat`"),
        ("mikes", &good.replace('}', ",\"cards\":[]}"), "duplicate field `cards`"),
        ("mikes", &good.replace('}', ",\"dealer\":[\"2c\"]}"), "dealer: 1 cards; mikes deals 7"),
        (
            "mikes",
            &good.replace('}', r#","dealer":["As","2c","3d","5h","7s","9c","Jd"]}"#),
            "the card As is there twice",
        ),
    ] {
        let output = run(&["judge", ruleset], format!("{good}\n{bad}\n{good}\n").as_bytes());
        assert_eq!(output.status.code(), Some(1));
        let answers = lines(&output);
        assert_eq!((answers.len(), answers[1]["line"].as_u64()), (3, Some(2)), "{bad}");
        assert!(answers[1]["error"].as_str().unwrap().contains(what), "{}", answers[1]);
        assert!(answers[0]["bets"].is_array() && answers[0] == answers[2]);
    }
}

#[test]
fn a_game_without_bonus_bets_judges_nothing() {
    assert_eq!(judged("online", &["As Ks Qs Js Ts Kh Qh"]), [json!({ "bets": [] })]);
}

#[test]
fn a_ruleset_of_ones_own_is_a_file_beside_its_house_way() {
    // Three pairs lose by our table; every other row is as in table 2.
    let three_pair = concat!(
        "[[bets.rows]]\nid = \"three-pair\"\ntitle = \"Three Pair\"\npays = \"push\"\n",
        "condition = [\"pairs:3\", \"no_three_of_a_kind\", \"no_straight\", \"no_flush\"]\n",
    );
    let files = own(&[(three_pair, "")]);
    let [ruleset, way] = [&files.ruleset, &files.house_way].map(|path| path.to_str().unwrap());
    let input = line(&json!({ "cards": cards("As Jk Kc Kh 4c 4d 9s") }))
        + &line(&json!({ "cards": cards("As Ks Qs Js Ts Jk Qh") }));
    let output = run(&["judge", ruleset, "--house-way", way], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answers = lines(&output);
    assert_eq!(row(&answers[0], "dynasty"), "-");
    assert_eq!(row(&answers[1], "dynasty"), "royal-flush");
}
