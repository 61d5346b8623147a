use super::*;
use paigow_rules::house_way;

fn of(theory: &[Theory], ruleset: &str, bet: BetId) -> Option<ReturnTheory> {
    theory.iter().find(|one| one.ruleset == ruleset && one.bet == bet)?.by_house_way
}

#[test]
fn queens_dragon_is_known_exactly() {
    let theory = theory(&Catalogue::shipped());
    let queens = of(&theory, "express", BetId::from_name("queens_dragon").unwrap()).unwrap();
    // It pays 50 to 1 on 2,719,500 of 154,143,080 hands: p = 0.0176426...
    let p = Fraction::new(2_719_500, 154_143_080).unwrap();
    assert_eq!(queens.expected, p.times(Fraction::from(51)).unwrap());
    // 51^2 p (1 - p) = 45.0790..., whose root is 6.714...
    let variance = Fraction::ONE
        .minus(p)
        .and_then(|q| p.times(q))
        .and_then(|pq| pq.times(Fraction::from(51 * 51)))
        .unwrap();
    let root = queens.deviation;
    let next = root.plus(Fraction::new(1, 10_i128.pow(12)).unwrap()).unwrap();
    assert!(root.times(root).unwrap() <= variance && variance < next.times(next).unwrap());
}

#[test]
fn what_two_hands_decide_is_known_by_the_house_way_on_both_sides() {
    let theory = theory(&Catalogue::shipped());
    // Of 8,250,459,031,214,400 pairs, 963,391,160,428,028 push with a pair, which pays 2 to 1.
    // Others, 2,433,915,132,264,776, push without one, which pays even money. Else the stake is
    // lost. The counts are compiled in, and `exact` verifies them.
    let (with, without, pairs) =
        (963_391_160_428_028, 2_433_915_132_264_776, 8_250_459_031_214_400);
    let wrangler = of(&theory, "mikes", BetId::from_name("wrangler_push").unwrap()).unwrap();
    let sum: i128 = 3 * with + 2 * without;
    assert_eq!(wrangler.expected, Fraction::new(sum, pairs).unwrap());
    let squares = 9 * with + 4 * without;
    let variance = Fraction::new(squares * pairs - sum * sum, pairs * pairs).unwrap();
    assert_eq!(wrangler.deviation, variance.square_root(PLACES).unwrap());
    // By the same counts 28.773190 % of base wagers are won, at even money and without
    // commission, and 30.049631 % are lost.
    let base = of(&theory, "mikes", BetId::BASE).unwrap();
    assert_eq!(Fraction::ONE.minus(base.expected).unwrap().decimal(6), "0.012764");
    // The mean square is the share of wagers that do not push, 58.822821 %. The variance is smaller
    // by the square of 1.276441 %.
    let square = base.deviation.times(base.deviation).unwrap();
    assert_eq!(square.decimal(6), "0.588065");
    assert_eq!(of(&theory, "mini", BetId::BASE), None, "it can be doubled");
    for ruleset in ["mania", "express"] {
        assert!(of(&theory, ruleset, BetId::BASE).is_some());
        assert_eq!(
            of(&theory, ruleset, BetId::from_name("envy").unwrap()),
            None,
            "it has no wager"
        );
    }
}

#[test]
fn best_play_of_every_base_wager_is_known_a_doubled_stake_counted_twice() {
    let theory = theory(&Catalogue::shipped());
    let edge = |ruleset: &str| {
        let base = theory.iter().find(|one| one.ruleset == ruleset && one.bet == BetId::BASE);
        Fraction::ONE.minus(base.unwrap().by_best_play.unwrap()).unwrap().decimal(6)
    };
    // The edges of docs/certify/par-sheets.md.
    assert_eq!(edge("mikes"), "0.010427");
    assert_eq!(edge("face-up"), "0.018219");
    // Of 22,957,480 hands of mini 5,684,706 are doubled on: 0.0854 % of 1.2476 stakes.
    assert_eq!(edge("mini"), "0.000685");
}

#[test]
fn nothing_is_said_of_a_bet_whose_return_moves_with_a_meter() {
    let theory = theory(&Catalogue::shipped());
    let progressive = BetId::from_name("progressive").unwrap();
    assert_eq!(of(&theory, "classic-progressive", progressive), None);
    assert!(of(&theory, "classic-progressive", BetId::BASE).is_some());
}

#[test]
fn nothing_is_said_of_a_bet_on_which_two_rulesets_of_one_id_differ() {
    let shipped = paigow_rules::game::shipped();
    let express = shipped.iter().find(|ruleset| ruleset.id() == "express").unwrap();
    let other = express.text().replacen("pays = \"50/1\"", "pays = \"49/1\"", 1);
    assert_ne!(other, express.text());
    let other = paigow_rules::game::Ruleset::parse(&other).unwrap();
    let both = Catalogue::new(house_way::shipped().to_vec(), vec![express.clone(), other]);
    let both = theory(&both.unwrap());
    assert_eq!(of(&both, "express", BetId::from_name("queens_dragon").unwrap()), None);
    assert!(of(&both, "express", BetId::from_name("dynasty").unwrap()).is_some());
}
