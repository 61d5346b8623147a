//! The faults of a wager sheet: each is found, and all are reported.

use super::*;
use crate::game::money::{MAX_BANK, MAX_STAKE};
use crate::game::sheet::{BetLimit, TableFacts, Wager};
use crate::game::{ColourChoice, Currency, shipped};

/// Returns a shipped ruleset without its limits, so that it takes the largest amounts.
fn game(id: &str) -> Ruleset {
    let shipped = shipped().iter().find(|ruleset| ruleset.id() == id).unwrap();
    let is_kept = |line: &&str| !line.starts_with("max");
    let file: String = shipped.text().split_inclusive('\n').filter(is_kept).collect();
    Ruleset::parse(&file).unwrap()
}

fn mikes() -> Ruleset {
    game("mikes")
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn wager(number: u8, bet: &str, amount_minor: i64) -> Wager {
    Wager { seat: seat(number), bet: bet.to_owned().into(), amount_minor, choice: None }
}

fn sheet(wagers: Vec<Wager>) -> WagerSheet {
    let facts =
        TableFacts { bank_minor: Some(50_000), action_pile: Some(6), ..TableFacts::default() };
    WagerSheet { currency: Currency::new("USD", 2).unwrap(), wagers, facts }
}

fn faults_of(ruleset: &Ruleset, sheet: &WagerSheet) -> Vec<(SheetPlace, SheetRule)> {
    let faults = check(ruleset, sheet).err().unwrap_or_default();
    faults.into_iter().map(|fault| (fault.place, fault.rule)).collect()
}

fn faults(sheet: &WagerSheet) -> Vec<(SheetPlace, SheetRule)> {
    faults_of(&mikes(), sheet)
}

/// Returns the faults of a sheet that has one wager.
fn faults_of_wager(wager: Wager) -> Vec<(SheetPlace, SheetRule)> {
    faults(&sheet(vec![wager]))
}

fn at(index: usize, member: &'static str) -> SheetPlace {
    SheetPlace::Wager { index, member }
}

#[test]
fn a_good_sheet_is_a_table_in_the_order_of_settlement() {
    let wagers = vec![
        wager(2, "outlaw_9", 1),
        wager(1, "base", 1_000),
        wager(2, "base", MAX_STAKE),
        wager(2, "wrangler_push", 5),
    ];
    let table = check(&mikes(), &sheet(wagers)).unwrap();
    let placed = |bet, stake| PlacedWager { bet, stake, choice: None };
    let seats: Vec<_> = table.seats().map(|(seat, placed)| (seat, placed.to_vec())).collect();
    assert_eq!(
        seats,
        [
            (seat(1), vec![placed(BetId::BASE, 1_000)]),
            (
                seat(2),
                vec![
                    placed(BetId::BASE, MAX_STAKE),
                    placed(BetId::from_name("wrangler_push").unwrap(), 5),
                    placed(BetId::from_name("outlaw_9").unwrap(), 1)
                ]
            ),
        ]
    );
    assert_eq!(table.base_total(), i128::from(MAX_STAKE) + 1_000);
    assert_eq!((table.staked(seat(2)), table.staked(seat(3))), (i128::from(MAX_STAKE) + 6, 0));
    assert!(table.has_wager(seat(2)) && !table.has_wager(seat(3)));
}

#[test]
fn seat_zero_and_seats_beyond_the_table_never_wager() {
    for number in [0, 7] {
        assert_eq!(
            faults_of_wager(wager(number, "base", 1_000)),
            [(at(0, "seat"), SheetRule::SeatRange)]
        );
    }
    assert_eq!(faults_of_wager(wager(6, "base", 1_000)), []);
}

#[test]
fn a_bet_is_one_of_the_ruleset_once_a_seat() {
    assert_eq!(
        faults_of_wager(wager(1, "dynasty", 1_000)),
        [(at(0, "bet"), SheetRule::UnknownBet)]
    );
    let twice = vec![wager(1, "base", 1_000), wager(2, "base", 1_000), wager(1, "base", 1_000)];
    assert_eq!(faults(&sheet(twice)), [(at(2, "bet"), SheetRule::DuplicateWager)]);
    let mut coloured = wager(1, "base", 1_000);
    coloured.choice = Some(ColourChoice::Red);
    assert_eq!(faults_of_wager(coloured), [(at(0, "choice"), SheetRule::ChoiceUnexpected)]);
}

#[test]
fn a_stake_is_one_minor_unit_to_the_largest() {
    for amount in [i64::MIN, -1, 0, MAX_STAKE + 1, i64::MAX] {
        assert_eq!(
            faults_of_wager(wager(1, "outlaw_9", amount)),
            [(at(0, "amount_minor"), SheetRule::AmountRange)]
        );
    }
    assert_eq!(faults_of_wager(wager(1, "outlaw_9", 1)), []);
    assert_eq!(faults_of_wager(wager(1, "outlaw_9", MAX_STAKE)), []);
}

#[test]
fn the_base_minimum_is_ten_dollars() {
    let below = [(at(0, "amount_minor"), SheetRule::BelowMinimum)];
    assert_eq!(faults_of_wager(wager(1, "base", 999)), below);
    assert_eq!(faults_of_wager(wager(1, "base", 1_000)), []);
}

#[test]
fn the_limits_of_the_table_narrow_and_never_widen() {
    let limited = |least, most, wager| {
        let mut sheet = sheet(vec![wager]);
        (sheet.facts.table_min_minor, sheet.facts.table_max_minor) = (least, most);
        faults(&sheet).into_iter().map(|(_, rule)| rule).collect::<Vec<_>>()
    };
    let least = Some(2_500);
    assert_eq!(limited(least, None, wager(1, "base", 2_499)), [SheetRule::BelowMinimum]);
    assert_eq!(limited(least, None, wager(1, "base", 2_500)), []);
    // The minimum of the table is for the base wager only.
    assert_eq!(limited(least, None, wager(1, "outlaw_9", 1)), []);
    // A lower minimum does not undo that of the ruleset.
    assert_eq!(limited(Some(1), None, wager(1, "base", 999)), [SheetRule::BelowMinimum]);
    for bet in ["base", "wrangler_push", "outlaw_9"] {
        let most = Some(5_000);
        assert_eq!(limited(None, most, wager(1, bet, 5_001)), [SheetRule::AboveMaximum]);
        assert_eq!(limited(None, most, wager(1, bet, 5_000)), []);
    }
}

#[test]
fn facts_are_exactly_those_that_the_ruleset_asks_for_and_within_range() {
    let with = |set: &dyn Fn(&mut TableFacts)| {
        let mut sheet = sheet(vec![wager(1, "base", 1_000)]);
        set(&mut sheet.facts);
        faults(&sheet)
    };
    let fault = |name, rule| vec![(SheetPlace::Fact(name), rule)];
    assert_eq!(with(&|f| f.bank_minor = None), fault("bank_minor", SheetRule::FactMissing));
    assert_eq!(with(&|f| f.action_pile = None), fault("action_pile", SheetRule::FactMissing));
    assert_eq!(with(&|f| f.action_pile = Some(7)), fault("action_pile", SheetRule::FactRange));
    for bank in [i64::MIN, 0, MAX_BANK + 1] {
        let found = with(&|f| f.bank_minor = Some(bank));
        assert_eq!(found, fault("bank_minor", SheetRule::FactRange));
    }
    assert_eq!(with(&|f| f.bank_minor = Some(MAX_BANK)), []);
    assert_eq!(with(&|f| f.chip_minor = Some(1)), fault("chip_minor", SheetRule::FactUnexpected));
    assert_eq!(
        with(&|f| f.banker_seat = Some(seat(1))),
        fault("banker_seat", SheetRule::FactUnexpected)
    );
    assert_eq!(
        with(&|f| f.table_max_minor = Some(0)),
        [
            (SheetPlace::Fact("table_max_minor"), SheetRule::FactRange),
            (at(0, "amount_minor"), SheetRule::AboveMaximum)
        ]
    );
    assert_eq!(
        with(&|f| (f.table_min_minor, f.table_max_minor) = (Some(1_001), Some(1_000))),
        [
            (SheetPlace::Fact("table_min_minor"), SheetRule::FactRange),
            (at(0, "amount_minor"), SheetRule::BelowMinimum)
        ]
    );
}

#[test]
fn a_posted_limit_narrows_one_bet_or_takes_it_off_the_table() {
    let limited = |limits: &[(&'static str, i64)], amount| {
        let mut sheet = sheet(vec![wager(1, "base", 1_000), wager(1, "outlaw_9", amount)]);
        let limit = |&(bet, max_minor): &(&'static str, _)| BetLimit { bet: bet.into(), max_minor };
        sheet.facts.bet_limits = limits.iter().map(limit).collect();
        check(&mikes(), &sheet)
    };
    let refused = |limits: &[(&'static str, i64)], amount| {
        let faults = limited(limits, amount).unwrap_err();
        let told =
            |fault: SheetFault| (fault.place, fault.rule, fault.message, fault.limits.maximum);
        faults.into_iter().map(told).collect::<Vec<_>>()
    };
    let above = |message: &str, most| {
        vec![(at(1, "amount_minor"), SheetRule::AboveMaximum, message.to_owned(), Some(most))]
    };
    assert_eq!(
        refused(&[("outlaw_9", 500)], 501),
        above("is above the maximum of 500 minor units", 500)
    );
    assert_eq!(refused(&[("outlaw_9", 0)], 500), above("the table does not offer the bet", 0));
    // The records have the limits in the ruleset's order of bets.
    let table = limited(&[("outlaw_9", 500), ("base", MAX_STAKE)], 500).unwrap();
    let limits = table.facts().bet_limits.iter().map(|limit| (&*limit.bet, limit.max_minor));
    assert_eq!(limits.collect::<Vec<_>>(), [("base", MAX_STAKE), ("outlaw_9", 500)]);

    let of_limit = |index, member, rule, message: &str, most| {
        vec![(SheetPlace::BetLimit { index, member }, rule, message.to_owned(), most)]
    };
    let unknown = "the ruleset has no such bet";
    for bet in ["dynasty", "envy", "", "Base"] {
        let found = of_limit(0, "bet", SheetRule::UnknownBet, unknown, None);
        assert_eq!(refused(&[(bet, 500)], 1), found);
    }
    let twice = of_limit(1, "bet", SheetRule::DuplicateWager, "the bet has a limit already", None);
    assert_eq!(refused(&[("base", 1_000), ("base", 1_000)], 1), twice);
    for most in [i64::MIN, -1, MAX_STAKE + 1] {
        let range = "must be 0 to 1000000000000000";
        let range = of_limit(0, "max_minor", SheetRule::FactRange, range, Some(MAX_STAKE.into()));
        assert_eq!(refused(&[("wrangler_push", most)], 1), range);
    }
}

#[test]
fn another_currency_or_exponent_is_refused() {
    for (code, exponent) in [("EUR", 2), ("USD", 0)] {
        let mut sheet = sheet(vec![wager(1, "base", 1_000)]);
        sheet.currency = Currency::new(code, exponent).unwrap();
        assert_eq!(faults(&sheet), [(SheetPlace::Currency, SheetRule::CurrencyMismatch)]);
    }
}

#[test]
fn a_round_needs_a_wager() {
    assert_eq!(faults(&sheet(vec![])), [(SheetPlace::Sheet, SheetRule::NoWagers)]);
}

#[test]
fn every_fault_comes_at_once_and_says_where() {
    let mut sheet = sheet(vec![wager(0, "envy", 1), wager(1, "base", 999), wager(7, "base", 0)]);
    sheet.facts.bank_minor = None;
    let faults = check(&mikes(), &sheet).unwrap_err();
    let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "bank_minor: the ruleset needs it",
            "wagers[0].seat: wagers are for seats 1 to 6",
            "wagers[0].bet: the ruleset has no such bet",
            "wagers[1].amount_minor: is below the minimum of 1000 minor units",
            "wagers[2].seat: wagers are for seats 1 to 6",
            "wagers[2].amount_minor: must be 1 to 1000000000000000 minor units",
        ]
    );
}

/// Returns Mike's ruleset with a text of its file replaced.
fn changed(from: &str, to: &str) -> Ruleset {
    let mikes = mikes();
    let file = mikes.text();
    assert!(file.contains(from));
    Ruleset::parse(&file.replacen(from, to, 1)).unwrap()
}

#[test]
fn a_ruleset_may_want_a_base_wager_beside_a_bonus_wager() {
    let strict = changed("needs_base = false", "needs_base = true");
    let lone = sheet(vec![wager(1, "base", 1_000), wager(2, "wrangler_push", 100)]);
    assert_eq!(faults_of(&strict, &lone), [(at(1, "bet"), SheetRule::BaseMissing)]);
    let beside = sheet(vec![wager(1, "wrangler_push", 100), wager(1, "base", 1_000)]);
    assert_eq!(faults_of(&strict, &beside), []);
}

#[test]
fn a_ruleset_may_cap_what_a_wager_can_win() {
    let capped = changed("cards = 53", "cards = 53\nmax_payout_minor = 400000");
    // 4,000 to 1 on 1.00 is 4,000.00.
    assert_eq!(faults_of(&capped, &sheet(vec![wager(1, "outlaw_9", 100)])), []);
    assert_eq!(
        faults_of(&capped, &sheet(vec![wager(1, "outlaw_9", 101)])),
        [(at(0, "amount_minor"), SheetRule::MaxPayout)]
    );
    assert_eq!(faults_of(&capped, &sheet(vec![wager(1, "base", 400_000)])), []);
}

#[test]
fn a_ruleset_may_cap_what_the_wagers_of_a_seat_and_of_a_round_can_win_together() {
    let limits = "cards = 53\nmax_seat_payout_minor = 402000\nmax_round_payout_minor = 803000";
    let capped = changed("cards = 53", limits);
    let with = |wagers: &[(u8, &str, i64)]| {
        let wagers = wagers.iter().map(|(seat, bet, stake)| wager(*seat, bet, *stake));
        faults_of(&capped, &sheet(wagers.collect()))
    };
    // 4,000 to 1 on 1.00 and even money on 20.00: 4,020.00.
    let (outlaw, base) = ((1, "outlaw_9", 100), (1, "base", 2_000));
    assert_eq!(with(&[outlaw, base]), []);
    // One cent more, which adds a cent of win.
    let above = (1, "base", 2_001);
    let of_seat = (SheetPlace::Seat(seat(1)), SheetRule::MaxPayout);
    assert_eq!(with(&[outlaw, above]), [of_seat]);
    // Three seats: 4,000.00 twice and 30.00, 8,030.00 in all.
    let others = [(2, "outlaw_9", 100), (3, "base", 3_000)];
    assert_eq!(with(&[&[outlaw], &others[..]].concat()), []);
    let of_round = (SheetPlace::Sheet, SheetRule::MaxPayout);
    assert_eq!(with(&[&[outlaw, (4, "base", 1_000)], &others[..]].concat()), [of_round]);
    assert_eq!(with(&[&[outlaw, above], &others[..]].concat()), [of_seat, of_round]);
}

#[test]
fn a_win_of_a_seat_is_held_to_include_a_double_down_and_all_that_others_pay() {
    let win = |game: Ruleset, wager: Wager| {
        let rules = rules_of(&game, BetId::from_name(&wager.bet).unwrap()).unwrap();
        Reach::of(&game, &TableFacts::default(), &rules, wager.amount_minor).won
    };
    // Even money, and again for the double down.
    assert_eq!(win(game("mini"), wager(1, "base", 700)), 1_400);
    // 2,000 times 5.00, and 500.00 for the hand of each of five other seats.
    assert_eq!(win(game("express"), wager(1, "dynasty", 500)), 1_000_000 + 5 * 50_000);
    // Below the threshold of 5.00 the hands of others pay nothing.
    assert_eq!(win(game("express"), wager(1, "dynasty", 499)), 998_000);
}

/// Makes a sheet of a game that needs no fact.
fn plain(wagers: Vec<Wager>) -> WagerSheet {
    WagerSheet { facts: TableFacts::default(), ..sheet(wagers) }
}

/// Returns the most that `stake` on `bet` can move.
fn most(ruleset: &Ruleset, bet: BetId, stake: i64) -> i128 {
    Reach::of(ruleset, &TableFacts::default(), &rules_of(ruleset, bet).unwrap(), stake).moved
}

#[test]
fn a_wager_can_move_its_stake_and_its_win_and_both_again_if_it_is_doubled() {
    // At even money 100 lost or won: 100 + 100.
    assert_eq!(most(&mikes(), BetId::BASE, 100), 200);
    // Mini's double down is a second wager like it: 2 x (100 + 100).
    assert_eq!(most(&game("mini"), BetId::BASE, 100), 400);
    // No bonus bet is doubled: 100 and five aces at 1,000 to 1.
    assert_eq!(most(&game("mini"), BetId::from_name("bonus").unwrap(), 100), 100_100);
}

#[test]
fn a_wager_can_move_what_the_hands_of_all_others_pay_it() {
    // Dynasty, 5.00: 5.00 and 2,000 times it, 10,005.00. The highest envy bonus is that of
    // the natural Luhn Tao wheel with AQ suited, 500.00, for five other seats at most 2,500.00.
    assert_eq!(
        most(&game("express"), BetId::from_name("dynasty").unwrap(), 500),
        1_000_500 + 250_000
    );
    // Protection pays for no other seat's hand: 5.00 and 120 times it.
    assert_eq!(most(&game("express"), BetId::from_name("protection").unwrap(), 500), 60_500);
}

#[test]
fn the_wagers_may_together_move_all_that_64_bits_hold_and_no_more() {
    let of_sum = |ruleset: &Ruleset, moved: i128| {
        let mut faults = Vec::new();
        amounts::check_sum(ruleset, Reach { moved, won: 0 }, &mut faults);
        faults.into_iter().map(|fault| (fault.place, fault.rule)).collect::<Vec<_>>()
    };
    let most = i128::from(i64::MAX);
    assert_eq!(of_sum(&game("express"), most), []);
    assert_eq!(of_sum(&game("express"), most + 1), [(SheetPlace::Sheet, SheetRule::AmountRange)]);
    // A limited bank bounds what is moved.
    assert_eq!(of_sum(&mikes(), most + 1), []);
}

/// The largest base and Dynasty wagers at seats 1 to `seats`.
///
/// Each seat can move 2 and 2,001 times the largest stake and a small envy bonus: 2.003e18 minor
/// units. Four times that, 8.012e18, fits 64 bits. Five times that, 10.015e18, does not fit.
fn largest(seats: u8) -> Vec<Wager> {
    let of_seat = |number| ["base", "dynasty"].map(|bet| wager(number, bet, MAX_STAKE));
    (1..=seats).flat_map(of_seat).collect()
}

#[test]
fn wagers_that_are_good_one_by_one_may_be_too_much_together() {
    assert_eq!(faults_of(&game("express"), &plain(largest(4))), []);
    assert_eq!(
        faults_of(&game("express"), &plain(largest(5))),
        [(SheetPlace::Sheet, SheetRule::AmountRange)]
    );
}

#[test]
fn the_sum_of_the_wagers_is_not_told_beside_another_fault() {
    // The eleventh wager is at fault, and the ten wagers before it are too large together.
    for (bad, place, rule) in [
        (wager(6, "outlaw_9", 100), at(10, "bet"), SheetRule::UnknownBet),
        (wager(6, "base", 0), at(10, "amount_minor"), SheetRule::AmountRange),
        (wager(7, "base", 100), at(10, "seat"), SheetRule::SeatRange),
    ] {
        let mut wagers = largest(5);
        wagers.push(bad);
        assert_eq!(faults_of(&game("express"), &plain(wagers)), [(place, rule)]);
    }
}

/// Makes a sheet of mini at which `banker` banks with twice the base wager of another seat.
fn banked(banker: u8, wagers: Vec<Wager>) -> WagerSheet {
    let facts = TableFacts {
        banker_seat: Some(seat(banker)),
        bank_minor: Some(2_000),
        ..TableFacts::default()
    };
    WagerSheet { facts, ..sheet(wagers) }
}

#[test]
fn a_banker_sits_at_a_seat_of_the_ruleset() {
    let six = Ruleset::parse(&game("mini").text().replacen("seats = 7", "seats = 6", 1)).unwrap();
    assert_eq!(six.seats(), 6);
    let banks = |ruleset: &Ruleset, number| {
        let wagers = vec![wager(1, "base", 1_000), wager(number, "base", 1_000)];
        faults_of(ruleset, &banked(number, wagers))
    };
    let beyond = [
        (SheetPlace::Fact("banker_seat"), SheetRule::FactRange),
        (at(1, "seat"), SheetRule::SeatRange),
    ];
    assert_eq!(banks(&six, 0), beyond);
    assert_eq!(banks(&six, 6), []);
    assert_eq!(banks(&six, 7), beyond);
    assert_eq!(banks(&game("mini"), 7), []);
}

#[test]
fn a_banker_has_a_base_wager_of_his_own() {
    let mini = game("mini");
    let no_base = (SheetPlace::Fact("banker_seat"), SheetRule::FactRange);
    let absent = banked(2, vec![wager(1, "base", 1_000)]);
    assert_eq!(faults_of(&mini, &absent), [no_base]);
    assert_eq!(
        check(&mini, &absent).unwrap_err()[0].to_string(),
        "banker_seat: seat 2 banks and has no base wager"
    );
    let bonus_alone = vec![wager(1, "base", 1_000), wager(2, "bonus", 100)];
    assert_eq!(
        faults_of(&mini, &banked(2, bonus_alone)),
        [no_base, (at(1, "bet"), SheetRule::BaseMissing)]
    );
    let plays = vec![wager(1, "base", 1_000), wager(2, "base", 1_000)];
    assert_eq!(faults_of(&mini, &banked(2, plays)), []);
}
