//! Tests that the register is complete and its figures are exact.

use super::*;
use crate::base_game;
use paigow_exact::BaseGame;
use paigow_fairness::seed::house_way_hash;
use paigow_round::Catalogue;
use paigow_rules::game::{BetId, Fraction, Ruleset, shipped};
use paigow_rules::house_way::{self, HouseWay};

/// Returns the house edge of a bet of a game, or of its base wager, both hands set by the house way.
fn edge(game: &ListedGame, bet: BetId, base: impl Fn(&ListedGame) -> Option<BaseGame>) -> String {
    let kept = match game.ruleset.bonus_bet(bet) {
        None => base(game).unwrap().readings[0].returns.edge().unwrap(),
        Some(bonus) => {
            let counts = game.row_counts(bonus).unwrap();
            Fraction::ONE.minus(bonus.return_of(&counts).unwrap()).unwrap()
        }
    };
    format!("{} %", kept.times(Fraction::from(100)).unwrap().decimal(6))
}

/// The base game of a game whose counts are not compiled in.
fn counted(game: &ListedGame) -> Option<BaseGame> {
    BaseGame::of(&game.ruleset, &base_game::counted(game)?)
}

/// Returns the shipped games of a reading.
fn games(one: &RegisteredReading) -> Vec<&'static ListedGame> {
    static SHIPPED: LazyLock<Catalogue> = LazyLock::new(Catalogue::shipped);
    let named = one.rulesets.iter().map(|id| SHIPPED.game_named(id).unwrap());
    let of_way = SHIPPED
        .games()
        .into_iter()
        .filter(|game| one.house_ways.iter().any(|way| way == game.house_way.id()));
    named.chain(of_way).collect()
}

/// The first game of a reading with the file of its ruleset, its house way or both changed to the other.
fn other_game(one: &RegisteredReading) -> ListedGame {
    let game = games(one)[0];
    let (of_way, of_ruleset) = match one.rulesets.is_empty() {
        true => (&one.change, &Vec::new()),
        false => (&one.house_way_change, &one.change),
    };
    assert!(!one.change.is_empty(), "{}", one.text);
    let changed = |file: &str, change: &[(String, String)]| {
        change.iter().fold(file.to_owned(), |file, (from, to)| {
            assert_eq!(file.matches(from.as_str()).count(), 1, "{from}");
            file.replace(from, to)
        })
    };
    let way = HouseWay::parse(&changed(game.house_way.text(), of_way)).unwrap();
    let hash = house_way_hash(way.id(), way.text().as_bytes()).to_hex();
    let file = changed(game.ruleset.text(), of_ruleset)
        .replace(&game.house_way_hash.to_hex(), &hash)
        .replace("allow_player_advantage = false", "allow_player_advantage = true");
    let ruleset = Ruleset::parse(&file).unwrap();
    let catalogue = Catalogue::new(vec![way], vec![ruleset]).unwrap();
    catalogue.game_named(game.ruleset.id()).unwrap().clone()
}

/// Computes the figures of the readings that `is_asked` selects, and returns their number.
fn work_out(is_asked: impl Fn(&RegisteredReading) -> bool) -> usize {
    let mut worked_out = 0;
    for one in register().iter().filter(|one| one.no_figure.is_none() && is_asked(one)) {
        let bet = BetId::from_name(one.bet.as_deref().unwrap_or("base")).unwrap();
        for game in games(one) {
            let own = edge(game, bet, ListedGame::base_game);
            assert_eq!(Some(own), one.house_edge, "{}: {}", game.ruleset.id(), one.text);
        }
        let other = edge(&other_game(one), bet, counted);
        assert_eq!(Some(other), one.other_house_edge, "{}", one.text);
        worked_out += 1;
    }
    worked_out
}

/// Whether the base wager of a reading may be doubled. Its count takes the longest.
fn is_doubled(one: &RegisteredReading) -> bool {
    let is_base = one.bet.as_deref().is_none_or(|bet| bet == "base");
    is_base && games(one)[0].ruleset.double_down().is_some()
}

#[test]
fn the_figures_of_both_readings_are_exact() {
    for one in register() {
        let edges = [&one.house_edge, &one.other_house_edge].map(Option::is_some);
        assert_eq!(edges, [one.no_figure.is_none(); 2], "{}", one.text);
        assert!(one.no_figure.is_none() || one.change.is_empty(), "{}", one.text);
    }
    assert_eq!(work_out(|one| !is_doubled(one)), 12);
}

#[test]
#[ignore = "counts every pair of hands with a double down: a minute"]
fn the_figures_of_both_readings_are_exact_with_a_double_down() {
    assert_eq!(work_out(is_doubled), 2);
}

/// Hands of seven cards.
const HANDS: i64 = 154_143_080;

#[test]
fn the_other_edges_follow_from_counts_that_are_published_of_both_readings() {
    // The bet, the hands on which the readings differ, and what these pay here and by the other
    // reading; -1 is a loss.
    for (ruleset, bet, hands, here, there) in [
        // 72 royal flushes beside a royal match with the joker allowed, 12 without.
        ("mikes", "outlaw_9", 60, 2_000, 100),
        // 7,672,500 three of a kind as printed, 7,470,676 in the order of poker.
        ("mania", "pai_gow_bonus", 201_824, 3, 2),
        // 72 as printed, 12 natural.
        ("express", "dynasty", 60, 1_000, 120),
        // 4,308 as printed, 4,488 with the joker beside.
        ("express", "dynasty", 180, 50, 120),
        // 4,320 as printed, 4,324 with ace to seven.
        ("express", "protection", 4, -1, 120),
        // 14,430,780 as printed, 12,944,820 natural.
        ("express", "protection", 1_485_960, 3, -1),
    ] {
        let ruleset = shipped().iter().find(|known| known.id() == ruleset).unwrap();
        let bonus = ruleset.bonus_bet(BetId::from_name(bet).unwrap()).unwrap();
        let moved = Fraction::new(hands * (here - there), HANDS.into()).unwrap();
        let kept = Fraction::ONE.minus(bonus.exact_return(ruleset.hand_cards()).unwrap()).unwrap();
        let percent = kept.plus(moved).unwrap().times(Fraction::from(100)).unwrap();
        let other = format!("{} %", percent.decimal(6));
        let is_told = |one: &RegisteredReading| {
            one.bet.as_deref() == Some(bet) && one.other_house_edge.as_ref() == Some(&other)
        };
        assert!(register().iter().any(is_told), "{bet}: {other}");
    }
    // For the cards of one colour the edge itself is published.
    let is_published =
        |one: &RegisteredReading| one.other_house_edge.as_deref() == Some("-0.655023 %");
    assert!(register().iter().any(is_published));
}

#[test]
fn every_reading_names_rules_that_are_shipped_and_a_bet_of_theirs() {
    for one in register() {
        assert!(one.rulesets.is_empty() != one.house_ways.is_empty(), "{}", one.text);
        for id in &one.rulesets {
            let ruleset = shipped().iter().find(|known| known.id() == id).unwrap();
            let bet = BetId::from_name(one.bet.as_deref().unwrap()).unwrap();
            assert!(bet == BetId::BASE || ruleset.bonus_bet(bet).is_some(), "{id} {bet}");
        }
        for id in &one.house_ways {
            assert!(house_way::shipped().iter().any(|known| known.id() == id), "{id}");
            assert!(one.bet.is_none(), "{}", one.text);
        }
        for words in [&one.text, &one.here, &one.other, &one.key, &one.settled_by] {
            assert!(!words.is_empty(), "{}", one.text);
        }
    }
}
