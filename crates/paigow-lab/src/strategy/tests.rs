use super::*;
use paigow_exact::{BestPlayTerms, best_play};

/// Returns the ranks of the low hand by the first rules, the higher first, and whether they double.
fn low_by(ruleset: &str, steps: usize, cards: &str) -> (String, Option<bool>) {
    let game = find_game(ruleset, &[]).unwrap();
    let (ruleset, house_way) = (&game.ruleset, &game.house_way);
    let first = FirstSteps { ruleset, house_way, steps: &super::steps(ruleset)[..steps] };
    let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
    let low = first.low(&cards).unwrap();
    let mut ranks: Vec<_> = low.iter().map(|card| card.rank_or_ace()).collect();
    ranks.sort_unstable();
    (ranks.iter().rev().map(|rank| rank.letter()).collect(), first.doubles(&cards, low))
}

/// Checks the low hands before a rule and with it. Hands that only the first rule decides are in
/// `left`.
fn check(ruleset: &str, decided: &[(usize, &str, &str, &str)], left: &[(&str, &str)]) {
    let low = |rules, cards| low_by(ruleset, rules, cards).0;
    for (rule, cards, before, after) in decided {
        assert_eq!([low(rule - 1, cards), low(*rule, cards)], [*before, *after], "{cards}");
    }
    let game = find_game(ruleset, &[]).unwrap();
    for (cards, by_all) in left {
        let all = steps(&game.ruleset).len();
        assert_eq!([low(1, cards), low(all, cards)], [*by_all, *by_all], "{cards}");
    }
}

#[test]
fn each_rule_for_seven_cards_sets_what_its_sentence_says() {
    let decided = [
        (2, "Th Td 4s 4c Ah Js 8d", "44", "AJ"),
        (2, "Jh Jd 4s 4c Ah Ts 8d", "44", "AT"),
        (3, "Ah Ad As Kc 9d 5h 3s", "K9", "AK"),
        (4, "9h 9d 9s Th Jh Qh 2h", "QJ", "99"),
        (5, "9h 9d 9s 9c Qh 7d 2s", "Q7", "99"),
        (6, "Ah Kd Tc 8s 6d 4c 2h", "KT", "K8"),
        (7, "Qh Qd Kh 9h 7h 3h 2s", "Q2", "K9"),
        (8, "8h 8d 5s 5c Kh 9s 3d", "55", "K9"),
    ];
    let left = [
        ("Ah Kd Qc 8s 6d 4c 2h", "KQ"),
        ("Jh Jd 8s 8c Ah 9s 3d", "88"),
        ("Kh Kd 4s 4c Ah Js 8d", "44"),
        ("6h 6d 6s 6c Qh 7d 2s", "Q7"),
        ("9h 9d 9s 9c Kh 7d 2s", "K7"),
        ("9h 9d Kh Qh 7h 3h 2s", "92"),
        ("Kc Kd 7h 7d 7s 4c 2h", "KK"),
        ("Kc Kd 7h 7d 4s 4c 2h", "KK"),
    ];
    check("mikes", &decided, &left);
}

#[test]
fn each_rule_for_six_cards_sets_what_its_sentence_says() {
    let decided = [
        (3, "Ah Ad Qc Qd 9s 3h", "9", "A"),
        (3, "Ah Ad As Kc 9d 5h", "K", "A"),
        (3, "Ah Ad Jc 9d 5h 3s", "J", "A"),
        (3, "Ah Ad As 9c 9d 5h", "5", "A"),
        (5, "9h 9d Kh 8h 5h 2h", "9", "K"),
        (6, "Kh Kd 4s 4c 9h 7d", "9", "K"),
        (6, "Kh Kd Ks 4c 9h 7d", "9", "K"),
        (7, "Qh Qd Qs 4c 4d 9h", "9", "Q"),
    ];
    let left = [
        ("Kh Kd 4s 4c Qh 7d", "Q"),
        ("Ah Ad Qc 9d 5h 3s", "Q"),
        ("Ah Ad Kc 9d 5h 3s", "K"),
        ("Qh Qd Qs 4c 4d Ah", "A"),
        ("Jh Jd Kh 8h 5h 2h", "J"),
    ];
    check("mini", &decided, &left);
}

#[test]
fn double_downs_are_what_the_sentences_say() {
    let doubles = |steps, cards| low_by("mini", steps, cards).1.unwrap();
    let pair_and_king = "Qh Qd Kc 9d 5h 3s";
    assert!(!doubles(1, "Ah Ad Kc 9d 5h 3s"));
    assert!(doubles(2, "Ah Ad Kc 9d 5h 3s"));
    assert!(!doubles(2, pair_and_king) && doubles(4, pair_and_king));
    // Jacks and a king, eights and an ace, fives and the joker, fours and the joker.
    assert!(!doubles(7, "Jh Jd Kc 9d 5h 3s"));
    assert!(doubles(7, "9h 9d Ac Jd 5h 3s") && !doubles(7, "8h 8d Ac Jd 5h 3s"));
    assert!(doubles(7, "5h 5d Jk Jd 9h 3s") && !doubles(7, "4h 4d Jk Jd 9h 3s"));
    // Three sevens and a ten, then two pair and a jack.
    assert!(doubles(7, "7h 7d 7s Tc 5h 3s") && !doubles(7, "7h 7d 4s 4c Jh 3s"));
}

#[test]
fn what_mini_leaves_is_counted_and_falls_with_each_rule() {
    let mut out = Vec::new();
    let request =
        StrategyRequest { ruleset: "mini".to_owned(), house_ways: Vec::new(), threads: None };
    assert_eq!(run(&request, &mut out).unwrap(), CommandOutcome::Well);
    let text = String::from_utf8(out).unwrap();
    let edges: Vec<f64> = text
        .lines()
        .skip_while(|line| !line.starts_with("rule "))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap())
        .collect();
    // Without a double down the house way leaves 6.2100 % (docs/certify/par-sheets.md).
    assert!((edges[0] - 6.2100).abs() < 0.00005, "{text}");
    assert!(edges.len() == 7 && edges.is_sorted_by(|a, b| a > b), "{text}");
    // Best play leaves less than any strategy.
    let game = find_game("mini", &[]).unwrap();
    let play = best_play(&BestPlayTerms::of(&game.ruleset).unwrap(), &game.house_way).unwrap();
    let best = percent(play.returns(&play.best).unwrap().edge().unwrap());
    assert!(edges[6] > best.parse().unwrap(), "{text}");
}

#[test]
fn a_game_that_shows_the_dealers_hand_has_no_such_strategy() {
    let request =
        StrategyRequest { ruleset: "face-up".to_owned(), house_ways: Vec::new(), threads: None };
    let refused = run(&request, &mut Vec::new()).unwrap_err().to_string();
    assert!(refused.contains("the player sees the dealer's hand"), "{refused}");
}
