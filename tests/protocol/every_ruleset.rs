//! Properties of every round of every shipped ruleset, for any wagers, cards and
//! decisions.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use casino::SeededChoices;
use casino::sheets::{pick, random_decision, random_sheet_of, without_limits};
use paigow_rules::cards::{BySeat, Card, DECK_LEN, Deck, Seat};
use paigow_rules::game::{
    BaseOutcome, BetId, BetLimit, BetLine, ColourChoice, Currency, DeadHands, Decision, LineStatus,
    MAX_STAKE, Ruleset, Settlement, SheetPlace, SheetRule, TableFacts, Wager, WagerSheet,
    WagerTable, shipped,
};
use paigow_rules::house_way::{self, HouseWay};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

fn house_way(ruleset: &Ruleset) -> &'static HouseWay {
    house_way::shipped().iter().find(|way| way.id() == ruleset.house_way().id).unwrap()
}

fn random_deck(choices: &mut SeededChoices) -> Deck {
    let mut deck = Deck::FRESH;
    for place in 0..DECK_LEN - 1 {
        deck.swap(place, place + pick(choices, DECK_LEN - place));
    }
    deck
}

/// A round of `ruleset`: everything in it follows from `seed`.
struct Round {
    table: WagerTable,
    dealt: paigow_rules::game::TableDeal,
    decisions: BySeat<Decision>,
    settlement: Settlement,
}

fn play(ruleset: &Ruleset, sheet: &WagerSheet, choices: &mut SeededChoices) -> Round {
    let table = ruleset.check(sheet).unwrap_or_else(|faults| panic!("{faults:?}"));
    let dice = [(); 3].map(|()| 1 + u8::try_from(choices.below(6)).unwrap());
    let dealt = ruleset.deal(&table, &random_deck(choices), dice);
    let seats: Vec<Seat> = table.seats().map(|(seat, _)| seat).collect();
    let with_base = seats.into_iter().filter(|seat| table.base_stake(*seat).is_some());
    let decide =
        |seat: Seat| (seat, random_decision(ruleset, &table, seat, &dealt.hands()[seat], choices));
    let decisions: BySeat<Decision> = with_base.map(decide).collect();
    let settlement = ruleset.settle(house_way(ruleset), &table, &dealt, &decisions).unwrap();
    Round { table, dealt, decisions, settlement }
}

fn sum_of_nets(settlement: &Settlement) -> i128 {
    let seats: i128 = settlement.seats.values().map(|seat| i128::from(seat.net)).sum();
    seats + i128::from(settlement.bank.net) + i128::from(settlement.house_net)
}

fn check_line(line: &BetLine) -> Result<(), TestCaseError> {
    prop_assert!(line.win >= 0 && line.returned >= 0 && line.commission >= 0);
    prop_assert!(line.commission <= line.win);
    let short = line.uncovered.unwrap_or(0);
    match line.status {
        LineStatus::Won => {
            prop_assert_eq!(line.returned, line.stake + line.win - line.commission);
            if line.caused_by.is_some() {
                prop_assert!(line.stake == 0 && line.pays.is_none() && line.win > 0);
            } else {
                prop_assert_eq!(line.win + short, line.stake * line.pays.unwrap().num());
            }
        }
        LineStatus::Lost => {
            prop_assert!(line.pays.is_none() && line.row.is_none());
            prop_assert_eq!((line.win, line.commission, line.returned), (0, 0, short));
        }
        LineStatus::Push | LineStatus::Uncovered => {
            prop_assert_eq!((line.win, line.commission, line.returned), (0, 0, line.stake));
        }
    }
    Ok(())
}

fn check_round(ruleset: &Ruleset, round: &Round) -> Result<(), TestCaseError> {
    let Round { table, dealt, decisions, settlement } = round;
    prop_assert_eq!(sum_of_nets(settlement), 0);
    prop_assert_eq!(settlement.fees, dealt.fees.values().sum::<i64>());
    prop_assert!(settlement.seats.seats().eq(table.seats().map(|(seat, _)| seat)));
    let mut commission = 0;
    for (seat, result) in &settlement.seats {
        let staked: Vec<&BetLine> =
            result.lines.iter().filter(|line| line.caused_by.is_none()).collect();
        let doubled = decisions.get(seat).is_some_and(|decision| decision.double_down);
        let placed = table.seats().find(|(other, _)| *other == seat).unwrap().1;
        prop_assert_eq!(staked.len(), placed.len() + usize::from(doubled));
        for line in &result.lines {
            check_line(line)?;
            commission += line.commission;
            prop_assert!(line.caused_by != Some(seat), "never for one's own hand");
        }
        let lines: i64 = result.lines.iter().map(|line| line.returned - line.stake).sum();
        let fee = dealt.fees.get(seat).copied().unwrap_or(0);
        if table.banker() == Some(seat) {
            // No line has the commission on the banker's net win.
            let own = settlement.commission
                - settlement
                    .seats
                    .values()
                    .flat_map(|seat| &seat.lines)
                    .map(|line| line.commission)
                    .sum::<i64>();
            prop_assert!(own >= 0);
            prop_assert_eq!(result.net, lines - fee - own);
        } else {
            prop_assert_eq!(result.net, lines - fee);
        }
        if let Some(base) = &result.base {
            let pushes = base.outcome == BaseOutcome::Push && ruleset.base().push.is_some();
            prop_assert!(!base.foul || base.outcome == BaseOutcome::Lose || pushes);
        }
    }
    if table.banker().is_none() {
        prop_assert_eq!(settlement.commission, commission);
    }
    check_bank_and_house(table, dealt, settlement)?;
    // The settlement repeats the lines that the deal made final.
    for (seat, lines) in ruleset.final_lines(table, dealt).unwrap() {
        for line in lines {
            prop_assert!(settlement.seats[seat].lines.contains(&line));
        }
    }
    Ok(())
}

/// The bank's and the house's nets, added up from the lines once more.
fn check_bank_and_house(
    table: &WagerTable,
    dealt: &paigow_rules::game::TableDeal,
    settlement: &Settlement,
) -> Result<(), TestCaseError> {
    // The other side pays what a seat wins by a line before commission.
    let mut against_dealer = 0;
    let mut against_banker = 0;
    for (seat, result) in &settlement.seats {
        for line in &result.lines {
            let won = line.returned + line.commission - line.stake;
            let base_game = [BetId::BASE, BetId::DOUBLE_DOWN].contains(&line.bet);
            if base_game && table.banker().is_some_and(|banker| banker != seat) {
                against_banker += won;
            } else {
                against_dealer += won;
            }
        }
    }
    let own_fee = dealt.fees.get(Seat::DEALER).copied().unwrap_or(0);
    let taken = settlement.commission + settlement.fees;
    match table.banker() {
        Some(banker) => {
            prop_assert_eq!(settlement.bank.seat, banker);
            prop_assert_eq!(settlement.bank.net, -against_banker);
            prop_assert_eq!(settlement.house_net, taken - against_dealer);
        }
        None => {
            prop_assert_eq!(settlement.bank.seat, Seat::DEALER);
            prop_assert_eq!(settlement.bank.net, -against_dealer - own_fee);
            prop_assert_eq!(settlement.house_net, taken);
        }
    }
    Ok(())
}

/// A copy of a shipped ruleset with texts replaced.
fn copy(id: &str, replacements: &[(&str, &str)]) -> Ruleset {
    let shipped = shipped().iter().find(|ruleset| ruleset.id() == id).unwrap();
    let mut text = shipped.text().to_owned();
    for (from, to) in replacements {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    Ruleset::parse(&text).unwrap()
}

/// Any sheet at all, most of them bad.
fn any_sheets() -> impl Strategy<Value = WagerSheet> {
    let rulesets = shipped().iter();
    let ids = rulesets.flat_map(|ruleset| {
        let others =
            ruleset.bonus_bets().iter().filter_map(|bet| Some(bet.to_others.as_ref()?.bet));
        ruleset.bonus_bets().iter().map(|bet| bet.id).chain(others).collect::<Vec<_>>()
    });
    let ids: BTreeSet<BetId> = ids.chain([BetId::BASE, BetId::DOUBLE_DOWN]).collect();
    let names = ids.iter().map(ToString::to_string).chain(["".to_owned(), "base ".to_owned()]);
    let names: Vec<String> = names.collect();
    let choice =
        prop::option::of(prop::sample::select(vec![ColourChoice::Red, ColourChoice::Black]));
    let amount = prop_oneof![any::<i64>(), 1..100_000_i64, Just(MAX_STAKE), Just(MAX_STAKE + 1)];
    let names = prop::sample::select(names);
    let limit = (names.clone(), amount.clone())
        .prop_map(|(bet, max_minor)| BetLimit { bet: bet.into(), max_minor });
    let wager =
        (0..=7_u8, names, amount, choice).prop_map(|(number, bet, amount_minor, choice)| Wager {
            seat: Seat::new(number).unwrap(),
            bet: bet.into(),
            amount_minor,
            choice,
        });
    let number = || prop::option::of(prop_oneof![any::<i64>(), 1..100_000_i64]);
    let facts = (
        prop::collection::vec(number(), 5),
        prop::option::of(0..=7_u8),
        any::<Option<u8>>(),
        prop::collection::vec(limit, 0..3),
    );
    let facts = facts.prop_map(|(amounts, banker, action_pile, bet_limits)| TableFacts {
        chip_minor: amounts[0],
        table_min_minor: amounts[1],
        table_max_minor: amounts[2],
        bank_minor: amounts[3],
        meter_minor: amounts[4],
        banker_seat: banker.and_then(Seat::new),
        action_pile,
        bet_limits,
    });
    let currency = prop::sample::select(vec![("USD", 2), ("USD", 0), ("EUR", 3)]);
    (currency, prop::collection::vec(wager, 0..40), facts).prop_map(
        |((code, exponent), wagers, facts)| WagerSheet {
            currency: Currency::new(code, exponent).unwrap(),
            wagers,
            facts,
        },
    )
}

/// Changes one thing of a sheet to what it is in another, or to what no sheet should have.
fn disturb(sheet: &mut WagerSheet, other: &WagerSheet, choices: &mut SeededChoices) {
    let mut one = |list: &[Wager]| (!list.is_empty()).then(|| pick(choices, list.len()));
    let (ours, theirs) = (one(&sheet.wagers), one(&other.wagers));
    let theirs = theirs.map(|at| other.wagers[at].clone());
    match (choices.below(8), ours, theirs) {
        (0, _, Some(wager)) => sheet.wagers.push(wager),
        (1, Some(at), Some(wager)) => sheet.wagers[at].amount_minor = wager.amount_minor,
        (2, Some(at), Some(wager)) => sheet.wagers[at].seat = wager.seat,
        (3, Some(at), Some(wager)) => sheet.wagers[at].choice = wager.choice,
        (4, Some(at), _) => drop(sheet.wagers.remove(at)),
        (5, Some(at), _) => sheet.wagers.push(sheet.wagers[at].clone()),
        (6, _, _) => sheet.currency = other.currency.clone(),
        (_, _, _) => {
            let (facts, others) = (&mut sheet.facts, &other.facts);
            match choices.below(8) {
                0 => facts.chip_minor = others.chip_minor,
                1 => facts.action_pile = others.action_pile,
                2 => facts.bank_minor = others.bank_minor,
                3 => facts.banker_seat = others.banker_seat,
                4 => facts.meter_minor = others.meter_minor,
                5 => facts.table_min_minor = others.table_min_minor,
                6 => facts.bet_limits.clone_from(&others.bet_limits),
                _ => facts.table_max_minor = others.table_max_minor,
            }
        }
    }
}

#[test]
fn any_sheet_is_taken_or_refused_with_a_reason() {
    // By how many things were changed of a good sheet, nine for a sheet of chance alone.
    let tally: RefCell<BTreeMap<u64, [u32; 2]>> = RefCell::default();
    let check = |ruleset: &Ruleset,
                 sheet: &WagerSheet,
                 changes: u64,
                 seed: u64|
     -> Result<(), TestCaseError> {
        let faults = match ruleset.check(sheet) {
            Ok(_) => {
                let round = play(ruleset, sheet, &mut SeededChoices(seed));
                check_round(ruleset, &round)?;
                Vec::new()
            }
            Err(faults) => {
                prop_assert!(!faults.is_empty());
                faults
            }
        };
        for fault in &faults {
            prop_assert!(!fault.message.is_empty() && !fault.message.ends_with('.'));
        }
        prop_assert!(changes > 0 || faults.is_empty(), "a good sheet: {:?}", faults);
        tally.borrow_mut().entry(changes).or_default()[usize::from(!faults.is_empty())] += 1;
        Ok(())
    };
    // A fixed number, independent of the environment: the counts below depend on it.
    let config =
        ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    let ran = TestRunner::new(config).run(&(any_sheets(), any::<u64>()), |(other, seed)| {
        for ruleset in shipped() {
            check(ruleset, &other, 9, seed)?;
            let choices = &mut SeededChoices(seed);
            let mut sheet = random_sheet_of(ruleset, choices);
            let changes = choices.below(4);
            for _ in 0..changes {
                disturb(&mut sheet, &other, choices);
            }
            check(ruleset, &sheet, changes, seed)?;
        }
        Ok(())
    });
    ran.unwrap_or_else(|failed| panic!("{failed}"));
    // Some changes of a good sheet leave it good, and some do not.
    let tally = tally.into_inner();
    let sum = |at: usize| (1..4).map(|changes| tally[&changes][at]).sum::<u32>();
    assert!(sum(0) > 200 && sum(1) > 1000, "{tally:?}");
    assert!(tally[&0][0] > 100 && tally[&9][1] > 1000, "{tally:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn money_is_conserved_and_the_same_round_settles_alike(seed in any::<u64>()) {
        for ruleset in shipped() {
            let choices = &mut SeededChoices(seed);
            let sheet = random_sheet_of(ruleset, choices);
            let round = play(ruleset, &sheet, &mut choices.clone());
            check_round(ruleset, &round)?;
            let again = play(ruleset, &sheet, &mut choices.clone());
            prop_assert_eq!(&round.settlement, &again.settlement);
            prop_assert_eq!(round.dealt.hands(), again.dealt.hands());
            // The order of the sheet is nothing.
            let mut turned = sheet;
            turned.wagers.reverse();
            let turned = play(ruleset, &turned, &mut choices.clone());
            prop_assert_eq!(round.settlement, turned.settlement);
        }
    }

    #[test]
    fn amounts_near_the_limits_settle_or_are_refused(
        seed in any::<u64>(),
        below in prop::collection::vec(0..3_i64, 64),
    ) {
        for ruleset in &shipped().iter().map(without_limits).collect::<Vec<_>>() {
            let choices = &mut SeededChoices(seed);
            let mut sheet = random_sheet_of(ruleset, choices);
            sheet.facts.chip_minor = sheet.facts.chip_minor.map(|_| 1);
            let amounts = below.iter().cycle();
            for (wager, below) in sheet.wagers.iter_mut().zip(amounts) {
                let bet = BetId::from_name(&wager.bet).and_then(|bet| ruleset.bonus_bet(bet));
                let limits = bet.map_or(ruleset.base().limits, |bet| bet.limits);
                wager.amount_minor = (limits.maximum - below).max(limits.minimum);
            }
            if sheet.facts.banker_seat.is_some() {
                sheet.facts.bank_minor = Some(14 * MAX_STAKE);
            }
            match ruleset.check(&sheet) {
                Ok(_) => check_round(ruleset, &play(ruleset, &sheet, choices))?,
                Err(faults) => {
                    let rules: Vec<_> = faults.iter().map(|fault| (fault.place, fault.rule)).collect();
                    prop_assert_eq!(rules, [(SheetPlace::Sheet, SheetRule::AmountRange)]);
                }
            }
        }
    }

    #[test]
    fn a_round_that_skips_the_seats_without_a_wager_settles(seed in any::<u64>()) {
        let ruleset =
            copy("express", &[("dead_hands = \"all-positions\"", "dead_hands = \"active-only\"")]);
        let choices = &mut SeededChoices(seed);
        let sheet = random_sheet_of(&ruleset, choices);
        let round = play(&ruleset, &sheet, choices);
        check_round(&ruleset, &round)?;
        let dealt: Vec<Seat> = round.dealt.hands().seats().collect();
        let seats = round.table.seats().map(|(seat, _)| seat);
        prop_assert_eq!(dealt, std::iter::once(Seat::DEALER).chain(seats).collect::<Vec<_>>());
        prop_assert!(round.table.has_wager(round.dealt.action_seat));
    }

    #[test]
    fn odds_that_are_not_whole_are_rounded_as_the_ruleset_says(seed in any::<u64>()) {
        for (rounding, up) in [("down", 0), ("half-up", 1), ("up", 1)] {
            let ruleset = copy("express", &[
                ("joker = ", &format!("rounding = \"{rounding}\"\njoker = ")),
                ("[base]\npays = \"1/1\"", "[base]\npays = \"1/2\""),
            ]);
            let choices = &mut SeededChoices(seed);
            let sheet = random_sheet_of(&ruleset, choices);
            let round = play(&ruleset, &sheet, choices);
            prop_assert_eq!(sum_of_nets(&round.settlement), 0);
            let lines = round.settlement.seats.values().flat_map(|seat| &seat.lines);
            for line in lines.filter(|line| line.bet == BetId::BASE) {
                if line.status == LineStatus::Won {
                    // A stake of an odd number of units wins a half.
                    prop_assert_eq!(line.win, line.stake / 2 + line.stake % 2 * up);
                }
            }
        }
    }

    #[test]
    fn every_card_is_dealt_once_and_every_active_seat_has_a_hand(seed in any::<u64>()) {
        for ruleset in shipped() {
            let choices = &mut SeededChoices(seed);
            let sheet = random_sheet_of(ruleset, choices);
            let round = play(ruleset, &sheet, choices);
            let cards: Vec<Card> = round.dealt.hands().values().flatten().copied().collect();
            prop_assert_eq!(cards.iter().collect::<BTreeSet<_>>().len(), cards.len());
            prop_assert!(round.dealt.hands().values().all(|hand| hand.len() == ruleset.hand_cards()));
            // The dealer and the seats with a base wager, or all positions.
            let bases = sheet.wagers.iter().filter(|wager| wager.bet == BetId::BASE.name());
            let positions = match ruleset.dealing().dead_hands {
                DeadHands::ActiveOnly => 1 + bases.count(),
                DeadHands::AllPositions => 1 + usize::from(ruleset.seats()),
            };
            prop_assert_eq!(round.dealt.hands().len(), positions);
            let ends = ruleset.street_ends();
            prop_assert_eq!(ends.last().copied().map(usize::from), Some(ruleset.hand_cards()));
        }
    }
}
