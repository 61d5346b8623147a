//! The compiled-in counts, against published figures and against each other.

use super::*;
use paigow_rules::game::{self, Fraction, Ruleset};
use paigow_rules::hands::JokerUse;

fn ruleset(id: &str) -> &'static Ruleset {
    game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap()
}

fn stored(id: &str, wheel: Wheel) -> &'static PairCounts {
    let is_it = |counts: &&PairCounts| {
        (counts.player.as_str(), counts.dealer.as_str(), counts.ranking) == (id, id, wheel.into())
    };
    stored_counts().iter().find(is_it).unwrap()
}

fn percent(part: u128, of: u128, places: usize) -> String {
    let part = i128::try_from(part * 100).unwrap();
    Fraction::new(part, i128::try_from(of).unwrap()).unwrap().decimal(places)
}

/// The edge with 5 % of each win kept: what is lost less 19/20 of what is won.
fn edge(counts: &PairCounts) -> String {
    let outcomes = Outcomes::of(&counts.grids.all);
    let lost = 20 * i128::try_from(outcomes.lose).unwrap();
    let won = 19 * i128::try_from(outcomes.win).unwrap();
    let pairs = i128::try_from(counts.pairs()).unwrap();
    Fraction::new(100 * (lost - won), 20 * pairs).unwrap().decimal(4)
}

#[test]
fn the_published_percentages_are_reproduced_to_the_last_digit() {
    // Wizard of Odds, as the rules of the charted house ways quote it. Its Foxwoods edge is that
    // with A-2-3-4-5 the lowest straight. Its edge of Trump Plaza, 2.7305 %, is computed from the
    // rounded percentages, 29.91 - 0.95 x 28.61.
    for (id, wheel, win, push, lose, house_edge) in [
        ("foxwoods", Wheel::Second, "29.12", "40.50", "30.38", "2.7211"),
        ("foxwoods", Wheel::Lowest, "29.12", "40.50", "30.38", "2.7212"),
        ("trump-plaza", Wheel::Second, "28.61", "41.48", "29.91", "2.7246"),
    ] {
        let counts = stored(id, wheel);
        let outcomes = Outcomes::of(&counts.grids.all);
        let shares = [outcomes.win, outcomes.push, outcomes.lose];
        assert_eq!(
            shares.map(|pairs| percent(pairs, counts.pairs(), 2)),
            [win, push, lose],
            "{id}"
        );
        assert_eq!(edge(counts), house_edge, "{id}");
    }
}

/// Returns the file of the base game of a ruleset, without its bets, with a wild joker.
fn base_game_with_a_wild_joker(ruleset: &Ruleset) -> String {
    let base = ruleset.text().split("[[bets]]").next().unwrap();
    let (before, dealers) = base.rsplit_once("\n#").unwrap();
    assert!(dealers.contains("dealer's seven cards"), "{dealers}");
    before.replacen("joker = \"semi-wild\"", "joker = \"wild\"", 1) + "\n"
}

#[test]
fn every_pair_of_ways_is_compiled_in_with_all_deals() {
    let express = ruleset("express");
    let wild = Ruleset::parse(&base_game_with_a_wild_joker(express)).unwrap();
    for player in shipped() {
        let of_one_game = |dealer: &&HouseWay| {
            (dealer.cards(), dealer.joker()) == (player.cards(), player.joker())
        };
        for dealer in shipped().iter().filter(of_one_game) {
            let six = player.cards() == 6;
            let ruleset = match player.joker() {
                _ if six => ruleset("mini"),
                JokerUse::SemiWild => express,
                JokerUse::Wild => &wild,
            };
            let counts = counts_of(ruleset, dealer, player);
            let counts = counts.unwrap_or_else(|| panic!("{} {}", player.id(), dealer.id()));
            // 53 choose 6 times 47 choose 6; 53 choose 7 times 46 choose 7.
            let pairs = if six { 22_957_480 * 10_737_573 } else { 154_143_080_u128 * 53_524_680 };
            assert_eq!(counts.pairs(), pairs);
            let marked: u128 = counts.grids.marked.iter().sum();
            if !six {
                // The queen-high pai gow hands of the Queen's Dragon bet: 2,719,500.
                assert_eq!(marked, 2_719_500 * 53_524_680);
            }
        }
    }
}

#[test]
fn a_pair_of_ways_mirrors_the_pair_exchanged() {
    use Comparison::{Copy, Lose, Win};
    let mirror = |result: Comparison| match result {
        Win => Lose,
        Copy => Copy,
        Lose => Win,
    };
    for counts in stored_counts() {
        let exchanged = stored_counts().iter().find(|other| {
            (&other.player, &other.dealer, other.ranking)
                == (&counts.dealer, &counts.player, counts.ranking)
        });
        let exchanged = exchanged.unwrap();
        for high in COMPARISONS {
            for low in COMPARISONS {
                let (as_is, mirrored) = ((high, low), (mirror(high), mirror(low)));
                let grids = (&counts.grids, &exchanged.grids);
                assert_eq!(grids.0.all[as_is], grids.1.all[mirrored]);
                assert_eq!(grids.0.low_pairs_aside[as_is], grids.1.low_pairs_aside[mirrored]);
            }
        }
    }
}

#[test]
fn counts_are_read_as_they_are_written() {
    for counts in stored_counts() {
        assert_eq!(PairCounts::parse_all(&counts.to_string()), Some(vec![counts.clone()]));
    }
    let written = stored_counts()[0].to_string();
    for (from, to) in [("all", "al"), (" 1", " x"), ("second", "third"), ("pair_5", "pair_1")] {
        assert_eq!(PairCounts::parse_all(&written.replacen(from, to, 1)), None, "{from}");
    }
}

/// The reading of a shipped ruleset with its own house way on both sides.
fn reading(ruleset: &Ruleset, id: &str) -> Reading {
    let way = way(&ruleset.house_way().id);
    let base = base_game(ruleset, way, way).unwrap();
    base.reading(id).unwrap_or_else(|| panic!("{} {id}", ruleset.id())).clone()
}

#[test]
fn no_shipped_base_game_returns_more_than_it_takes() {
    // The counts are for a player who does not see the dealer's hand.
    for ruleset in game::shipped().iter().filter(|ruleset| !ruleset.exposes_dealer()) {
        let own = reading(ruleset, "as-played");
        assert!(own.returns.edge().unwrap() > Fraction::ZERO, "{}", ruleset.id());
        let way = way(&ruleset.house_way().id);
        let base = base_game(ruleset, way, way).unwrap();
        assert_eq!(base.readings[0], own);
        assert_eq!(base.outcomes.pairs(), base.counts.pairs());
    }
}

#[test]
fn the_edge_of_a_way_against_itself_is_in_the_copies() {
    // Both sides play alike and no commission is kept. Then the copies that lose make the whole
    // difference of wins and losses: both hands are copies, or one is a copy and the other hand
    // loses too.
    use Comparison::{Copy, Lose};
    for id in ["mikes", "online", "mania"] {
        let way = way(&ruleset(id).house_way().id);
        let base = base_game(ruleset(id), way, way).unwrap();
        let copies = [(Copy, Copy), (Copy, Lose), (Lose, Copy)];
        let copies: u128 = copies.map(|(high, low)| base.compared(high, low)).into_iter().sum();
        let pairs = i128::try_from(base.counts.pairs()).unwrap();
        let expected = Fraction::new(i128::try_from(copies).unwrap(), pairs);
        assert_eq!(reading(ruleset(id), "no-commission").returns.edge(), expected);
        let banker = reading(ruleset(id), "banker").returns.average();
        assert_eq!(banker, expected, "what the player loses the banker wins");
    }
}

#[test]
fn commission_and_push_are_what_the_rulesets_say() {
    let edge = |id: &str, reading_id: &str| reading(ruleset(id), reading_id).returns.edge();
    for (id, same) in [
        ("mania", "commission"),
        ("online", "commission"),
        ("mikes", "no-commission"),
        ("express", "push"),
    ] {
        assert_eq!(edge(id, "as-played"), edge(id, same), "{id}");
        assert!(edge(id, "as-played").is_some());
    }
    assert_ne!(edge("express", "push"), edge("express", "no-commission"));
    // 5 % of the share of wins.
    let mania = edge("mania", "commission").unwrap().minus(edge("mania", "no-commission").unwrap());
    let way = way("trump-plaza");
    let win = base_game(ruleset("mania"), way, way).unwrap().outcomes.win;
    let pairs = i128::try_from(stored("trump-plaza", Wheel::Second).pairs()).unwrap();
    assert_eq!(mania, Fraction::new(i128::try_from(win).unwrap(), 20 * pairs));
}

#[test]
fn doubling_down_where_it_pays_is_better_than_always_and_never() {
    let mini = ruleset("mini");
    for (best, others) in [
        ("as-played", ["never-doubled", "always-doubled"]),
        ("banked", ["banked-never-doubled", "banked-always-doubled"]),
    ] {
        let edge = |id: &str| reading(mini, id).returns.edge().unwrap();
        for other in others {
            assert!(edge(best) < edge(other), "{best} {other}");
        }
    }
    for id in ["banker", "banker-never-doubled", "banker-always-doubled"] {
        let banker = reading(mini, id);
        let seat = reading(mini, &id.replace("banker", "banked"));
        // The house keeps the commissions of both: 1/20 of all wins.
        let won = |reading: &Reading| {
            let wins = reading.returns.results().filter(|(net, _)| *net > Fraction::ZERO);
            wins.fold(Fraction::ZERO, |sum, (net, pairs)| {
                let pairs = Fraction::new(i128::try_from(pairs).unwrap(), 246_507_617_396_040);
                sum.plus(net.times(pairs.unwrap()).unwrap()).unwrap()
            })
        };
        let kept = Fraction::new(1, 19).unwrap();
        let house = won(&banker).plus(won(&seat)).unwrap().times(kept).unwrap();
        let net = banker.returns.average().unwrap().plus(seat.returns.average().unwrap());
        assert_eq!(net.unwrap().plus(house), Some(Fraction::ZERO), "{id}");
    }
}

#[test]
fn a_commission_that_is_not_counted_leaves_the_other_readings() {
    let mini = ruleset("mini");
    let other = mini.text().replacen("rate = \"1/20\"", "rate = \"1/25\"", 1);
    let other = Ruleset::parse(&other).unwrap();
    let way = way("mini");
    let base = base_game(&other, way, way).unwrap();
    for id in ["as-played", "never-doubled", "always-doubled"] {
        assert_eq!(base.reading(id), Some(&reading(mini, id)), "{id}");
    }
    assert_eq!((base.reading("banked"), base.reading("banker")), (None, None));
    let rate = base.reading("banked-never-doubled").unwrap().commission;
    assert_eq!(Some(rate), Fraction::new(1, 25));
    assert!(!base.counts.serve(&other) && base.counts.serve(mini));
    // Of the ruleset's own reading there is no leaving out.
    let own = mini.text().replacen(
        "[double_down]",
        "commission = { rate = \"1/25\", rounding = \"half-up\", increment = \"minor-unit\" }\n\
         [double_down]",
        1,
    );
    let (start, end) = (own.find("[banking]").unwrap(), own.find("[[bets]]").unwrap());
    let own = (own[..start].to_owned() + &own[end..]).replacen(
        "\"bank_minor\", \"banker_seat\", ",
        "",
        1,
    );
    assert!(base_game(&Ruleset::parse(&own).unwrap(), way, way).is_none());
}

#[test]
fn every_pair_is_paid_by_one_row_of_wrangler_push_or_loses() {
    use paigow_rules::game::BetId;
    let mikes = ruleset("mikes");
    let bet = mikes.bonus_bet(BetId::from_name("wrangler_push").unwrap()).unwrap();
    let counts = stored("mikes", Wheel::Second);
    let rows = ShowdownCounts::of(bet, counts).unwrap();
    assert_eq!(rows.rows.iter().sum::<u128>() + rows.losing, rows.total);
    assert_eq!(rows.total, counts.pairs());
    assert_eq!(rows.rows.iter().sum::<u128>(), Outcomes::of(&counts.grids.all).push);
    assert_eq!(rows.rows[1], Outcomes::of(&counts.grids.low_pairs_aside).push);
    let outlaw = mikes.bonus_bet(BetId::from_name("outlaw_9").unwrap()).unwrap();
    assert_eq!(ShowdownCounts::of(outlaw, counts), None);
}

#[test]
fn the_hands_of_six_cards_are_counted_again() {
    let (rules, mini) = (ruleset("mini"), way("mini"));
    let is_marked = |cards: &[Card; 6], _| rules.qualifies(cards);
    let classes = HandClasses::<6>::get();
    let showdowns = Showdowns::of(classes, mini, mini, Wheel::Second.into(), is_marked).unwrap();
    let counted = counted(&SymmetricDeck::full(), &showdowns);
    let known = counts_of(rules, mini, mini).unwrap();
    assert_eq!(counted.map(|count| u128::try_from(count).unwrap()), known.grids);
}

#[test]
#[ignore = "long: every pair of all ways anew, minutes optimised"]
fn the_counts_that_are_compiled_in_are_counted_again() {
    for known in stored_counts() {
        let six = known.player == "mini";
        let id = match known.mark {
            _ if six => "mini",
            Mark::Push(_) => "nine-push",
            Mark::PaiGow(_) | Mark::Pair(_) => "express",
        };
        let lowest = |text: &str| text.replace("wheel = \"second\"", "wheel = \"lowest\"");
        let (mut rules, mut ways) =
            (ruleset(id).clone(), [&known.player, &known.dealer].map(|id| way(id).clone()));
        if known.ranking.wheel == Wheel::Lowest {
            rules = Ruleset::parse(&lowest(rules.text())).unwrap();
            ways = ways.map(|way| HouseWay::parse(&lowest(way.text())).unwrap());
        }
        let [player, dealer] = &ways;
        let count = GameCount::new(&rules, player, dealer).unwrap();
        let mut sum = count.nothing();
        for task in count.tasks() {
            count.run(task, &mut sum);
        }
        assert_eq!(count.finish(&sum).as_ref(), Some(known));
    }
}
