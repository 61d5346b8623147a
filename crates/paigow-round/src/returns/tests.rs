use super::*;
use crate::Catalogue;
use paigow_fairness::seed::house_way_hash;
use paigow_rules::game::{self, Ruleset};
use paigow_rules::house_way::{self, HouseWay};

fn edited(id: &str, edits: &[(&str, &str)]) -> Ruleset {
    let shipped = game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap();
    let mut text = shipped.text().to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    Ruleset::parse(&text).unwrap()
}

fn told(ways: Vec<HouseWay>, ruleset: Ruleset) -> Vec<String> {
    match Catalogue::new(ways, vec![ruleset]) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

fn faults(id: &str, edits: &[(&str, &str)]) -> Vec<String> {
    told(house_way::shipped().to_vec(), edited(id, edits))
}

#[test]
fn what_two_hands_decide_may_return_all_that_it_takes_and_no_more() {
    let down =
        ("coverage = \"player-dealer\"", "coverage = \"player-dealer\"\nrounding = \"down\"");
    let wrangler = |pays: &str| {
        let pair = |pays: &str| format!("pays = \"{pays}\"\ncondition = [[\"push");
        faults("mikes", &[(&pair("2/1"), &pair(pays)), down])
    };
    // By the counts, of 8,250,459,031,214,400 pairs 963,391,160,428,028 push with a pair.
    // 2,433,915,132,264,776 push without one. So 2 to 1 returns 94.03 %, 5 to 2 99.87 %, and 3 to 1
    // 105.71 %.
    assert_eq!(wrangler("5/2"), Vec::<String>::new());
    let found = wrangler("3/1");
    assert_eq!(found.len(), 1, "{found:?}");
    let told = "mikes.bets[0].rows: wrangler_push returns up to 1.057080 times the stake";
    assert!(found[0].starts_with(told), "{found:?}");
    let base = |pays: &str| {
        faults("mikes", &[("[base]\npays = \"1/1\"", &format!("[base]\npays = \"{pays}\"")), down])
    };
    // Won are 28.773190 % and lost 30.049631 %: 26/25 returns 99.87 %, 21/20 100.16 %.
    assert_eq!(base("26/25"), Vec::<String>::new());
    let found = base("21/20");
    let told = "mikes.base.pays: base returns up to 1.001622 times the stake";
    assert!(found[0].starts_with(told), "{found:?}");
    let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
    let wide = ("[base]\npays = \"1/1\"", "[base]\npays = \"2/1\"");
    assert_eq!(faults("mikes", &[wide, allowed]), Vec::<String>::new());
}

#[test]
fn a_base_game_that_cannot_be_counted_is_refused() {
    let push = "push_on_dealer = [\"pai_gow\", \"highest:Q\"]";
    let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
    for hand in ["red:4", "natural_two_pair", "royal_flush"] {
        let other = format!("push_on_dealer = \"{hand}\"");
        let found = faults("express", &[(push, &other)]);
        let told = format!(
            "express.base.push_on_dealer: {hand} is not counted: it depends on suits, or on which cards \
             are real"
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(&told), "{found:?}");
        assert!(found[0].ends_with("or say allow_player_advantage = true if it is meant"));
        assert_eq!(faults("express", &[(push, &other), allowed]), Vec::<String>::new());
    }
    let double = "pays = \"2/1\"";
    let bank = ("bank_per_base = 2", "bank_per_base = 4");
    let found = faults("mini", &[("pays = \"1/1\"", double), bank]);
    let told = "mini.base.pays: beside a double down only even money is counted";
    assert!(found.len() == 1 && found[0].starts_with(told), "{found:?}");
    assert_eq!(faults("mini", &[("pays = \"1/1\"", double), bank, allowed]), Vec::<String>::new());
}

/// Mike's rules with Wrangler Push and a house way of one's own: his, which puts other
/// cards in front wherever he puts the two highest singletons.
fn own_way(edits: &[(&str, &str)]) -> Vec<String> {
    let shipped = |id: &str| house_way::shipped().iter().find(|way| way.id() == id).unwrap();
    let hash = |way: &HouseWay| house_way_hash(way.id(), way.text().as_bytes()).to_string();
    let chart = shipped("mikes").text().replace("\"two-highest\"", "\"second-and-third\"");
    let way = HouseWay::parse(&chart).unwrap();
    let named = (hash(shipped("mikes")), hash(&way));
    let edits = [&[(named.0.as_str(), named.1.as_str())], edits].concat();
    told(vec![way], edited("mikes", &edits))
}

#[test]
fn a_house_way_of_ones_own_is_counted_before_it_is_loaded() {
    // The engine settled 100,000 rounds of six seats. They returned 1.0610 of each stake, with a
    // standard error of 0.0018.
    let found = own_way(&[]);
    assert_eq!(found.len(), 1, "{found:?}");
    let told = "mikes.bets[0].rows: wrangler_push returns up to 1.06";
    assert!(found[0].starts_with(told), "{found:?}");
    assert!(found[0].contains("under the house way mikes: more than it takes"), "{found:?}");
    // 11.778 % of those stakes won on the pair. A pay of 1 to 1 for it lowers the return by as
    // much.
    let lower = ("pays = \"2/1\"\ncondition = [[\"push", "pays = \"1/1\"\ncondition = [[\"push");
    assert_eq!(own_way(&[lower]), Vec::<String>::new());
    let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
    assert_eq!(own_way(&[allowed]), Vec::<String>::new());
}

#[test]
fn even_money_needs_no_count() {
    let needs = |id: &str, edits: &[(&str, &str)]| {
        let game = Catalogue::shipped().game_named(id).unwrap().clone();
        ListedGame { ruleset: edited(id, edits), ..game }.base_needs_counts()
    };
    // A push, a double down or odds can favour the player. Bets are judged one by one.
    for (id, expected) in
        [("online", false), ("mania", false), ("express", true), ("mini", true), ("mikes", false)]
    {
        assert_eq!(needs(id, &[]), expected, "{id}");
    }
    let odds = |pays: &str| needs("online", &[("pays = \"1/1\"", &format!("pays = \"{pays}\""))]);
    assert!(odds("2/1"));
}

#[test]
fn the_returns_of_all_wagers_are_known() {
    let shipped = Catalogue::shipped();
    for game in shipped.games() {
        let bonus = game.ruleset.bonus_bets().iter().map(|bet| bet.id);
        for bet in std::iter::once(BetId::BASE).chain(bonus) {
            let returned = game.exact_return(bet);
            if bet == BetId::BASE && game.ruleset.exposes_dealer() {
                assert_eq!(returned, None, "{}", game.ruleset.id());
                continue;
            }
            let returned = returned.unwrap();
            assert!(returned < Fraction::ONE, "{} {}", game.ruleset.id(), bet.name());
        }
        assert_eq!(game.exact_return(BetId::from_name("envy").unwrap()), None);
    }
    // 3 x 963,391,160,428,028 and 2 x 2,433,915,132,264,776 of all pairs.
    let mikes = shipped.game_named("mikes").unwrap();
    let back = 3 * 963_391_160_428_028 + 2 * 2_433_915_132_264_776;
    assert_eq!(
        mikes.exact_return(BetId::from_name("wrangler_push").unwrap()),
        Fraction::new(back, 8_250_459_031_214_400)
    );
}

#[test]
fn best_play_decides_where_the_house_way_would_let_a_ruleset_pass() {
    let mikes = |edits| vec![edited("mikes", edits)];
    let way = house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap();
    let hash = house_way_hash(way.id(), way.text().as_bytes());
    let terms = BestPlayTerms::of(&mikes(&[])[0]).unwrap();
    let known = paigow_exact::best_play(&terms, way).unwrap();
    let load = |won: u128, edits| {
        let mut play = known.clone();
        play.best.won += won;
        let ways = house_way::shipped().to_vec();
        Catalogue::with_best_plays(ways, mikes(edits), [(hash, vec![play])].into())
    };
    // At even money the wager returns the stake if equally many pairs win and lose.
    let margin = known.best.lost - known.best.won;
    assert!(load(margin, &[]).is_ok());
    let faults = load(margin + 1, &[]).unwrap_err();
    let told = "mikes.base.pays: base returns up to 1.000000 times the stake (";
    assert!(faults[0].to_string().starts_with(told), "{faults:?}");
    assert!(faults[0].message.contains("a player who sets every hand as it is worth most"));
    let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
    assert!(load(margin + 1, &[allowed]).is_ok());
}

/// Makes `mikes` with this bet as its only bet.
fn with_bet(looks_at: &str, rows: &[(&str, &str)]) -> Ruleset {
    let text = edited("mikes", &[]).text().to_owned();
    let rows = rows.iter().enumerate().map(|(place, (pays, condition))| {
        format!(
            "[[bets.rows]]\nid = \"r{place}\"\ntitle = \"R\"\npays = \"{pays}\"\ncondition = {condition}\n"
        )
    });
    let bet = format!(
        "[[bets]]\nid = \"own\"\ntitle = \"Own\"\nlooks_at = \"{looks_at}\"\nneeds_base = true\n\
         minimum_minor = 100\n{}",
        rows.collect::<String>()
    );
    let head = &text[..text.find("[[bets]]").unwrap()];
    Ruleset::parse(&format!("{head}{bet}")).unwrap()
}

#[test]
fn a_bet_on_set_hands_is_judged_by_a_player_who_sets_for_it_alone() {
    let load = |rows: &[(&str, &str)]| {
        let rules = vec![with_bet("seat-set-hands", rows)];
        Catalogue::new(house_way::shipped().to_vec(), rules)
    };
    // A player can put aces in front more often than the house way does.
    let fair = load(&[("15/1", "\"low_pair:A\"")]).unwrap();
    let game = fair.game_named("mikes").unwrap();
    let own = BetId::from_name("own").unwrap();
    let counts = game.set_bet_counts(game.ruleset.bonus_bet(own).unwrap()).unwrap();
    assert_eq!(
        game.exact_return(own),
        Fraction::new(16 * i128::from(counts.house_way.rows[0]), 154_143_080)
    );
    let alone = i128::from(counts.for_it_alone.rows[0]);
    assert!(16 * alone <= 154_143_080, "{alone}");
    // At these odds the bet returns more than it takes to the player, and not to the house way.
    let odds = 154_143_080 / alone;
    let found = load(&[(&format!("{odds}/1"), "\"low_pair:A\"")]).unwrap_err();
    assert_eq!(found.len(), 1, "{found:?}");
    let told = "mikes.bets[0].rows: own returns up to 1.0";
    assert!(found[0].to_string().starts_with(told), "{found:?}");
    assert!(found[0].message.contains("to a player who sets his hands for it alone: more than it"));
    assert!((odds + 1) * i128::from(counts.house_way.rows[0]) < 154_143_080);
}

#[test]
fn a_bet_on_both_hands_has_an_exact_return_whatever_its_terms() {
    let load = |rows: &[(&str, &str)]| {
        let rules = vec![with_bet("house-way-hands", rows)];
        Catalogue::new(house_way::shipped().to_vec(), rules)
    };
    // Either the dealer's hand behind is a straight or better, or it is not: each pair of hands is
    // in one row.
    let high = [
        "straight",
        "flush",
        "full_house",
        "four_of_a_kind",
        "straight_flush",
        "royal_flush",
        "five_aces",
    ];
    let lists: Vec<String> = high.iter().map(|word| format!("[\"dealer_high:{word}\"]")).collect();
    let complete = format!("[{}]", lists.join(", "));
    let loaded = load(&[("2/1", &complete)]).unwrap();
    let game = loaded.game_named("mikes").unwrap();
    let bet = &game.ruleset.bonus_bets()[0];
    let counts = game.row_counts(bet).unwrap();
    // The dealer's hand alone decides the bet, so its return is that of a bet on one set hand.
    let one = with_bet("seat-set-hands", &[("2/1", &complete.replace("dealer_", ""))]);
    let one = SetBetCounts::of(&one.bonus_bets()[0], &one, &game.house_way).unwrap().house_way;
    let others = 53_524_680;
    assert_eq!(counts.total, one.total * others);
    assert_eq!(counts.rows[0], one.rows[0] * others);
    assert!(bet.is_alike_for_all_seats());
    // Three times the stake for as many more.
    let found = load(&[("9/1", &complete)]).unwrap_err();
    assert!(
        found[0].message.contains("under the house way mikes: more than it takes"),
        "{found:?}"
    );
}

#[test]
fn counts_for_a_house_way_that_is_not_loaded_are_a_fault() {
    let none = paigow_fairness::encoding::Hash::from_bytes([7; 32]);
    let loaded = Catalogue::with_best_plays(Vec::new(), Vec::new(), [(none, Vec::new())].into());
    let faults = loaded.unwrap_err();
    assert_eq!(faults[0].path, format!("{none}.best"));
}

#[test]
fn best_play_of_every_shipped_ruleset_is_known_and_better_than_the_house_way() {
    for game in Catalogue::shipped().games() {
        let edge = game.best_play_edge().unwrap();
        assert!(edge > Fraction::ZERO, "{}", game.ruleset.id());
        if let Some(returned) = game.exact_return(BetId::BASE) {
            assert!(edge < Fraction::ONE.minus(returned).unwrap(), "{}", game.ruleset.id());
        }
    }
}

#[test]
fn the_base_game_against_an_exposed_hand_has_no_figure() {
    let expose = ("coverage = \"house\"", "coverage = \"house\"\nexpose = \"dealer\"");
    let ruleset = edited("express", &[expose]);
    let catalogue = Catalogue::new(house_way::shipped().to_vec(), vec![ruleset]).unwrap();
    let game = catalogue.game_named("express").unwrap();
    assert!(game.base_game().is_none());
    assert_eq!(game.exact_return(BetId::BASE), None);
    assert_eq!(game.exact_variance(BetId::BASE), None);
    // One hand decides a bonus bet, whether the player sees the dealer's hand or not.
    let (own, shipped) =
        (game.exact_return(BetId::from_name("dynasty").unwrap()), Catalogue::shipped());
    assert_eq!(
        own,
        shipped.game_named("express").unwrap().exact_return(BetId::from_name("dynasty").unwrap())
    );
    assert!(crate::theory(&catalogue).iter().all(|theory| theory.bet != BetId::BASE));
    // No push is counted, so any push is accepted. Odds above even money are refused.
    let push = ("[\"pai_gow\", \"highest:Q\"]", "\"two_pair\"");
    assert_eq!(faults("express", &[expose, push]), Vec::<String>::new());
    let wide = ("[base]\npays = \"1/1\"", "[base]\npays = \"2/1\"");
    let found = faults("express", &[expose, wide]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("express.base.pays: not counted: "), "{found:?}");
    let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
    assert_eq!(faults("express", &[expose, wide, allowed]), Vec::<String>::new());
}
