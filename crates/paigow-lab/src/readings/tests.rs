//! That the register is whole, and its figures are exact.

use super::*;
use paigow_rules::game::{BetId, Fraction, Ruleset, shipped};
use paigow_rules::house_way;

fn edge(ruleset: &Ruleset, bet: &str) -> String {
    let bet = ruleset.bonus_bet(BetId::from_name(bet).unwrap()).unwrap();
    let kept = Fraction::ONE.minus(bet.exact_return(ruleset.hand_cards()).unwrap()).unwrap();
    format!("{} %", kept.times(Fraction::from(100)).unwrap().decimal(6))
}

#[test]
fn the_figures_of_both_readings_are_exact() {
    let mut worked_out = 0;
    for one in register() {
        let (Some(own), Some(other)) = (&one.house_edge, &one.other_house_edge) else {
            assert!(one.change.is_empty() && one.no_figure.is_some(), "{}", one.text);
            continue;
        };
        assert!(one.no_figure.is_none(), "{}", one.text);
        let ruleset = shipped().iter().find(|known| known.id() == one.rulesets[0]).unwrap();
        let mut file = ruleset.text().replacen(
            "allow_player_advantage = false",
            "allow_player_advantage = true",
            1,
        );
        assert!(!one.change.is_empty(), "{}", one.text);
        for (from, to) in &one.change {
            assert_eq!(file.matches(from.as_str()).count(), 1, "{from}");
            file = file.replace(from, to);
        }
        let bet = one.bet.as_deref().unwrap();
        for id in &one.rulesets {
            let shipped = shipped().iter().find(|known| known.id() == id).unwrap();
            assert_eq!(&edge(shipped, bet), own, "{id}: {}", one.text);
        }
        assert_eq!(&edge(&Ruleset::parse(&file).unwrap(), bet), other, "{}", one.text);
        worked_out += 1;
    }
    assert_eq!(worked_out, 7);
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
    // Of the cards of one colour the edge itself is published.
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
