//! Settlements worked out by hand, to the cent.
//!
//! Amounts are cents. By default the dealer holds K K 9 8 5 3 2, which the house way
//! sets as 9 8 in front of K K 5 3 2. The dice name position 0 by default, so the
//! action begins at seat 1.

use crate::settlement::table::{
    cards, deck, house_way, house_way_for_all, mikes, seat, sheet, sum_of_nets,
};
use paigow_rules::cards::{BySeat, Deck};
use paigow_rules::game::{
    BaseOutcome, BetId, BetLine, Comparison, Decision, DecisionFault, DecisionRule, LineStatus,
    Ruleset, SettingChoice, SettleError, Settlement, TableFacts, WagerSheet, shipped,
};
use paigow_rules::house_way as ways;

/// 9 8 in front of K K 5 3 2.
const DEALER: &str = "Kc Kd 9h 8s 5c 3d 2h";
/// Q J in front of A A 7 6 4: wins both.
const BOTH_WIN: &str = "Ac Ad Qh Jd 7c 6s 4h";
/// 7 6 in front of Q Q 4 3 2: loses both.
const BOTH_LOSE: &str = "Qc Qs 7d 6h 4s 3c 2c";
/// A 7 in front of Q Q 6 4 2: wins in front, loses behind.
const LOW_WINS: &str = "Qd Qh Ah 7h 6c 4c 2s";
/// 4 4 in front of Q Q T 7 2: wins in front with a pair, loses behind.
const PAIR_IN_FRONT: &str = "Qd Qh 4c 4d Ts 7s 2s";
/// 2 2 in front of Q Q T 7 6: a push, but with less than threes.
const TWOS_IN_FRONT: &str = "Qd Qc 2c 2s Ts 7s 6d";
/// Q 2 in front of a jack-high flush: wins both.
const FLUSH: &str = "3h 6h 7h Th Jh Qs 2d";

/// Three dice that name position 0: 2 + 3 + 3 = 8.
const EIGHT: [u8; 3] = [2, 3, 3];
/// Three dice that name position 2: 1 + 1 + 1 = 3.
const THREE: [u8; 3] = [1, 1, 1];

fn low(codes: &str) -> Decision {
    Decision { setting: SettingChoice::Low(cards(codes)), double_down: false }
}

/// Plays a round and checks that it conserves money.
fn play(
    sheet: &WagerSheet,
    dice: [u8; 3],
    hands: &[(u8, &str)],
    decisions: Option<BySeat<Decision>>,
) -> Settlement {
    let table = mikes().check(sheet).unwrap();
    let first = (dice.into_iter().map(usize::from).sum::<usize>() - 1) % 7;
    let dealt = mikes().deal(&table, &deck(first, hands), dice);
    let decisions = decisions.unwrap_or_else(|| house_way_for_all(&table));
    let settlement = mikes().settle(house_way(), &table, &dealt, &decisions).unwrap();
    assert_eq!(sum_of_nets(&settlement), 0);
    assert_eq!(settlement.commission, 0);
    settlement
}

/// One seat against the usual dealer, set by the house way.
fn alone(bank: i64, wagers: &[(u8, &str, i64)], hand: &str) -> Settlement {
    play(&sheet(bank, wagers), EIGHT, &[(0, DEALER), (1, hand)], None)
}

/// A line in one row: bet, stake, status, row, odds, win, return, uncovered.
type Row<'a> = (BetId, i64, LineStatus, Option<&'a str>, Option<(i64, i64)>, i64, i64, Option<i64>);

fn row(line: &BetLine) -> Row<'_> {
    assert_eq!(line.commission, 0);
    let pays = line.pays.map(|odds| (odds.num(), odds.den()));
    let row = line.row.as_deref();
    (line.bet, line.stake, line.status, row, pays, line.win, line.returned, line.uncovered)
}

fn lines(settlement: &Settlement, number: u8) -> Vec<Row<'_>> {
    settlement.seats[seat(number)].lines.iter().map(row).collect()
}

fn net(settlement: &Settlement, number: u8) -> i64 {
    settlement.seats[seat(number)].net
}

fn results(settlement: &Settlement, number: u8) -> (Comparison, Comparison, BaseOutcome) {
    let base = settlement.seats[seat(number)].base.as_ref().unwrap();
    (base.high_result, base.low_result, base.outcome)
}

const BASE: BetId = BetId::BASE;
const PUSH: BetId = BetId::from_name("wrangler_push").unwrap();
const OUTLAW: BetId = BetId::from_name("outlaw_9").unwrap();
const THREES: &str = "push-with-2-card-hand-of-3s-or-higher";

#[test]
fn both_hands_higher_win_even_money() {
    let round = alone(50_000, &[(1, "base", 10_000)], BOTH_WIN);
    assert_eq!(results(&round, 1), (Comparison::Win, Comparison::Win, BaseOutcome::Win));
    assert_eq!(
        lines(&round, 1),
        [(BASE, 10_000, LineStatus::Won, None, Some((1, 1)), 10_000, 20_000, None)]
    );
    // 100.00 won less a fee of 1.00; the dealer pays 100.00 and a fee of 1.00.
    assert_eq!((net(&round, 1), round.bank.net), (9_900, -10_100));
    assert_eq!((round.fees, round.house_net), (200, 200));
}

#[test]
fn both_hands_lower_lose_the_stake() {
    let round = alone(50_000, &[(1, "base", 10_000)], BOTH_LOSE);
    assert_eq!(results(&round, 1), (Comparison::Lose, Comparison::Lose, BaseOutcome::Lose));
    assert_eq!(lines(&round, 1), [(BASE, 10_000, LineStatus::Lost, None, None, 0, 0, None)]);
    assert_eq!((net(&round, 1), round.bank.net, round.house_net), (-10_100, 9_900, 200));
}

#[test]
fn one_hand_each_is_a_push() {
    let round = alone(50_000, &[(1, "base", 10_000)], LOW_WINS);
    assert_eq!(results(&round, 1), (Comparison::Lose, Comparison::Win, BaseOutcome::Push));
    assert_eq!(lines(&round, 1), [(BASE, 10_000, LineStatus::Push, None, None, 0, 10_000, None)]);
    assert_eq!((net(&round, 1), round.bank.net, round.house_net), (-100, -100, 200));
}

#[test]
fn the_dealer_wins_a_copy_in_front() {
    // 9 8 in front of A A 6 4 3.
    let round = alone(50_000, &[(1, "base", 10_000)], "As Ah 9c 8d 6s 4d 3c");
    assert_eq!(results(&round, 1), (Comparison::Win, Comparison::Copy, BaseOutcome::Push));
    assert_eq!(net(&round, 1), -100);
}

#[test]
fn the_dealer_wins_a_copy_behind() {
    // Q J in front of K K 5 3 2.
    let round = alone(50_000, &[(1, "base", 10_000)], "Kh Ks Qc Jc 5d 3h 2s");
    assert_eq!(results(&round, 1), (Comparison::Copy, Comparison::Win, BaseOutcome::Push));
    assert_eq!(net(&round, 1), -100);
}

#[test]
fn two_copies_lose() {
    // 9 8 in front of K K 5 3 2.
    let round = alone(50_000, &[(1, "base", 10_000)], "Kh Ks 9d 8c 5h 3s 2c");
    assert_eq!(results(&round, 1), (Comparison::Copy, Comparison::Copy, BaseOutcome::Lose));
    assert_eq!(net(&round, 1), -10_100);
}

#[test]
fn a_foul_hand_loses_whatever_it_holds() {
    // A A in front of Q J 7 6 4. Set by the house way it would have won both, which is
    // no push; the seven cards hold no row of Outlaw 9.
    let wagers = [(1, "base", 10_000), (1, "wrangler_push", 1_000), (1, "outlaw_9", 500)];
    let decisions = BySeat::from_iter([(seat(1), low("Ac Ad"))]);
    let hands = [(0, DEALER), (1, BOTH_WIN)];
    let round = play(&sheet(50_000, &wagers), EIGHT, &hands, Some(decisions));
    let base = round.seats[seat(1)].base.as_ref().unwrap();
    assert!(base.foul && !base.shown.by_house_way && base.shown.clause.is_none());
    assert_eq!(base.shown.low[..], cards("Ac Ad"));
    assert_eq!(base.shown.high[..], cards("7c Jd 4h Qh 6s"));
    assert_eq!(results(&round, 1), (Comparison::Lose, Comparison::Lose, BaseOutcome::Lose));
    // 100.00 + 10.00 + 5.00 lost and 1.00 of fee.
    assert_eq!((net(&round, 1), round.bank.net), (-11_600, 11_400));
}

#[test]
fn bonus_bets_of_a_foul_hand_are_judged_as_usual() {
    // Q J in front of T 7 6 3 2: no pair behind a higher front.
    let wagers = [(1, "base", 10_000), (1, "outlaw_9", 500)];
    let decisions = BySeat::from_iter([(seat(1), low("Qs Jh"))]);
    let hands = [(0, DEALER), (1, FLUSH)];
    let round = play(&sheet(50_000, &wagers), EIGHT, &hands, Some(decisions));
    assert!(round.seats[seat(1)].base.as_ref().unwrap().foul);
    assert_eq!(
        lines(&round, 1),
        [
            (BASE, 10_000, LineStatus::Lost, None, None, 0, 0, None),
            (OUTLAW, 500, LineStatus::Won, Some("flush"), Some((4, 1)), 2_000, 2_500, None),
        ]
    );
    // 20.00 won, 100.00 lost, 1.00 of fee.
    assert_eq!(net(&round, 1), -8_100);
}

#[test]
fn wrangler_push_pays_even_money_for_a_push() {
    let round = alone(50_000, &[(1, "wrangler_push", 700), (1, "base", 1_000)], LOW_WINS);
    assert_eq!(
        lines(&round, 1),
        [
            (BASE, 1_000, LineStatus::Push, None, None, 0, 1_000, None),
            (PUSH, 700, LineStatus::Won, Some("push"), Some((1, 1)), 700, 1_400, None),
        ]
    );
    assert_eq!((net(&round, 1), round.bank.net), (600, -800));
}

#[test]
fn wrangler_push_pays_two_to_one_for_threes_or_better_in_front() {
    let round = alone(50_000, &[(1, "base", 1_000), (1, "wrangler_push", 700)], PAIR_IN_FRONT);
    assert_eq!(
        lines(&round, 1)[1],
        (PUSH, 700, LineStatus::Won, Some(THREES), Some((2, 1)), 1_400, 2_100, None)
    );
    // 14.00 won less 1.00 of fee.
    assert_eq!((net(&round, 1), round.bank.net), (1_300, -1_500));
}

#[test]
fn wrangler_push_pays_even_money_for_twos_in_front() {
    let round = alone(50_000, &[(1, "wrangler_push", 700)], TWOS_IN_FRONT);
    assert_eq!(
        lines(&round, 1),
        [(PUSH, 700, LineStatus::Won, Some("push"), Some((1, 1)), 700, 1_400, None)]
    );
}

#[test]
fn a_pair_in_front_of_the_dealer_counts_for_wrangler_push() {
    // The dealer sets 5 5 in front of K K T 8 2; the player Q 9 in front of A A 7 4 3.
    let hands = [(0, "Kc Kd 5h 5s Ts 8d 2c"), (1, "As Ah Qc 9d 7h 4c 3d")];
    let round = play(&sheet(50_000, &[(1, "wrangler_push", 700)]), EIGHT, &hands, None);
    assert_eq!(round.bank.setting.low[..], cards("5h 5s"));
    assert_eq!(
        lines(&round, 1),
        [(PUSH, 700, LineStatus::Won, Some(THREES), Some((2, 1)), 1_400, 2_100, None)]
    );
}

#[test]
fn wrangler_push_loses_when_both_hands_win() {
    let round = alone(50_000, &[(1, "wrangler_push", 700)], BOTH_WIN);
    assert_eq!(lines(&round, 1), [(PUSH, 700, LineStatus::Lost, None, None, 0, 0, None)]);
    assert_eq!((net(&round, 1), round.bank.net, round.fees), (-700, 700, 0));
}

#[test]
fn wrangler_push_sets_the_hand_by_the_house_way_however_the_player_does() {
    // The player keeps Q Q and 4 4 behind T 7: two pair beat K K, T 7 beat 9 8.
    let wagers = [(1, "base", 10_000), (1, "wrangler_push", 700)];
    let decisions = BySeat::from_iter([(seat(1), low("7s Ts"))]);
    let hands = [(0, DEALER), (1, PAIR_IN_FRONT)];
    let round = play(&sheet(50_000, &wagers), EIGHT, &hands, Some(decisions));
    assert_eq!(
        lines(&round, 1),
        [
            (BASE, 10_000, LineStatus::Won, None, Some((1, 1)), 10_000, 20_000, None),
            (PUSH, 700, LineStatus::Won, Some(THREES), Some((2, 1)), 1_400, 2_100, None),
        ]
    );
    assert_eq!((net(&round, 1), round.bank.net), (11_300, -11_500));
}

#[test]
fn a_seat_with_bonus_wagers_only_decides_nothing_and_pays_no_fee() {
    let wagers = [(4, "outlaw_9", 250), (4, "wrangler_push", 500)];
    let hands = [(0, DEALER), (4, FLUSH)];
    let round = play(&sheet(50_000, &wagers), EIGHT, &hands, Some(BySeat::new()));
    assert!(round.seats[seat(4)].base.is_none());
    assert_eq!(
        lines(&round, 4),
        [
            (PUSH, 500, LineStatus::Lost, None, None, 0, 0, None),
            (OUTLAW, 250, LineStatus::Won, Some("flush"), Some((4, 1)), 1_000, 1_250, None),
        ]
    );
    assert_eq!((net(&round, 4), round.bank.net, round.fees), (500, -500, 0));
}

#[test]
fn a_win_beyond_the_bank_is_paid_as_far_as_the_bank_goes() {
    // 4,000 to 1 on 1.00 is 4,000.00; the player-dealer has 1,000.00.
    let round = alone(100_000, &[(1, "outlaw_9", 100)], "6c 7c 8c 9c Tc Jc Qc");
    assert_eq!(
        lines(&round, 1),
        [(
            OUTLAW,
            100,
            LineStatus::Won,
            Some("7-card-straight-flush"),
            Some((4_000, 1)),
            100_000,
            100_100,
            Some(300_000)
        )]
    );
    assert_eq!((net(&round, 1), round.bank.net), (100_000, -100_000));
}

#[test]
fn when_the_bank_is_exhausted_every_later_wager_is_returned() {
    let wagers = [
        (1, "base", 10_000),
        (2, "base", 10_000),
        (2, "wrangler_push", 1_000),
        (2, "outlaw_9", 1_000),
        (3, "base", 2_000),
        (3, "wrangler_push", 500),
    ];
    let hands = [(0, DEALER), (1, BOTH_WIN), (2, FLUSH), (3, TWOS_IN_FRONT)];
    let round = play(&sheet(15_000, &wagers), EIGHT, &hands, None);
    // 150.00 - 100.00 to seat 1 leaves 50.00 for the 100.00 that seat 2 wins.
    assert_eq!(lines(&round, 1)[0].7, None);
    assert_eq!(
        lines(&round, 2),
        [
            (BASE, 10_000, LineStatus::Won, None, Some((1, 1)), 5_000, 15_000, Some(5_000)),
            // Lost, won four times, and neither: returned in each case.
            (PUSH, 1_000, LineStatus::Uncovered, None, None, 0, 1_000, Some(1_000)),
            (
                OUTLAW,
                1_000,
                LineStatus::Uncovered,
                Some("flush"),
                Some((4, 1)),
                0,
                1_000,
                Some(4_000)
            ),
        ]
    );
    assert_eq!(
        lines(&round, 3),
        [
            (BASE, 2_000, LineStatus::Uncovered, None, None, 0, 2_000, None),
            (PUSH, 500, LineStatus::Uncovered, Some("push"), Some((1, 1)), 0, 500, Some(500)),
        ]
    );
    // Fees: 1.00 each, and 3.00 of the dealer for 220.00 of action.
    assert_eq!([1, 2, 3].map(|number| net(&round, number)), [9_900, 4_900, -100]);
    assert_eq!((round.bank.net, round.fees), (-15_300, 600));
}

#[test]
fn when_the_bank_is_doubled_every_later_wager_is_returned() {
    let wagers = [(1, "base", 8_000), (1, "outlaw_9", 5_000), (2, "base", 1_000)];
    let hands = [(0, DEALER), (1, BOTH_LOSE), (2, BOTH_WIN)];
    let round = play(&sheet(10_000, &wagers), EIGHT, &hands, None);
    // 100.00 + 80.00 leaves 20.00 of room for the 50.00 lost; then 200.00 are full.
    assert_eq!(
        lines(&round, 1),
        [
            (BASE, 8_000, LineStatus::Lost, None, None, 0, 0, None),
            (OUTLAW, 5_000, LineStatus::Lost, None, None, 0, 3_000, Some(3_000)),
        ]
    );
    assert_eq!(
        lines(&round, 2),
        [(BASE, 1_000, LineStatus::Uncovered, None, Some((1, 1)), 0, 1_000, Some(1_000))]
    );
    assert_eq!((net(&round, 1), net(&round, 2)), (-10_100, -100));
    assert_eq!((round.bank.net, round.fees), (9_900, 300));
}

#[test]
fn settlement_begins_at_the_action_seat_and_goes_round_clockwise() {
    // The round above, but the dice name seat 2, which is paid 10.00 first. So the room
    // is 200.00 - 90.00 = 110.00, and 30.00 after the 80.00 of seat 1.
    let wagers = [(1, "base", 8_000), (1, "outlaw_9", 5_000), (2, "base", 1_000)];
    let hands = [(0, DEALER), (1, BOTH_LOSE), (2, BOTH_WIN)];
    let round = play(&sheet(10_000, &wagers), THREE, &hands, None);
    assert_eq!(
        lines(&round, 2),
        [(BASE, 1_000, LineStatus::Won, None, Some((1, 1)), 1_000, 2_000, None)]
    );
    assert_eq!(
        lines(&round, 1)[1],
        (OUTLAW, 5_000, LineStatus::Lost, None, None, 0, 2_000, Some(2_000))
    );
    assert_eq!((net(&round, 1), net(&round, 2)), (-11_100, 900));
    assert_eq!((round.bank.net, round.fees), (9_900, 300));
}

#[test]
fn a_bank_that_is_just_enough_covers_everything() {
    // 100.00 to pay, 100.00 put up; and the same to collect.
    let round = alone(10_000, &[(1, "base", 10_000)], BOTH_WIN);
    assert_eq!((lines(&round, 1)[0].5, lines(&round, 1)[0].7), (10_000, None));
    let round = alone(10_000, &[(1, "base", 10_000)], BOTH_LOSE);
    assert_eq!((lines(&round, 1)[0].6, lines(&round, 1)[0].7), (0, None));
}

#[test]
fn what_the_bank_collects_pays_later_wins() {
    // Seat 1 loses 10.00, then seat 2 wins 20.00.
    let wagers = [(1, "base", 1_000), (2, "base", 2_000)];
    let hands = [(0, DEALER), (1, BOTH_LOSE), (2, BOTH_WIN)];
    let round = play(&sheet(1_000, &wagers), EIGHT, &hands, None);
    // 10.00 put up + 10.00 collected = twice the bank: seat 2 is returned.
    assert_eq!(lines(&round, 2)[0].2, LineStatus::Uncovered);
    let round = play(&sheet(1_500, &wagers), EIGHT, &hands, None);
    // 15.00 + 10.00 pay the 20.00 of seat 2, and 5.00 are left.
    assert_eq!(lines(&round, 2)[0].5, 2_000);
    assert_eq!(round.bank.net, -1_000 - 100);
}

#[test]
fn the_house_way_names_its_clause_and_cards_ascend() {
    let round = alone(50_000, &[(1, "base", 10_000)], PAIR_IN_FRONT);
    let dealer = &round.bank.setting;
    assert_eq!(dealer.clause.as_deref(), Some("K12"));
    assert_eq!(dealer.low[..], cards("9h 8s"));
    assert_eq!(dealer.high[..], cards("5c Kc 3d Kd 2h"));
    assert_eq!((dealer.low_category.name(), dealer.high_category.name()), ("high card", "pair"));
    let shown = &round.seats[seat(1)].base.as_ref().unwrap().shown;
    assert_eq!(shown.clause.as_deref(), Some("K10a"));
    assert!(shown.by_house_way);
    assert_eq!((shown.low_category.name(), shown.high_category.name()), ("pair", "pair"));
}

#[test]
fn fees_step_at_the_end_of_each_band() {
    // Player: to 200.00 1.00, above 2.00. Player-dealer, by all base wagers: to 100.00
    // 1.00, to 200.00 2.00, to 300.00 3.00, to 400.00 4.00, above 5.00.
    for (stake, player, dealer) in [
        (1_000, 100, 100),
        (10_000, 100, 100),
        (10_001, 100, 200),
        (20_000, 100, 200),
        (20_001, 200, 300),
        (30_000, 200, 300),
        (30_001, 200, 400),
        (40_000, 200, 400),
        (40_001, 200, 500),
        (1_000_000_000_000_000, 200, 500),
    ] {
        let table = mikes().check(&sheet(1, &[(3, "base", stake)])).unwrap();
        let dealt = mikes().deal(&table, &deck(0, &[]), EIGHT);
        let fees = BySeat::from_iter([(seat(0), dealer), (seat(3), player)]);
        assert_eq!(dealt.fees, fees, "{stake}");
    }
}

#[test]
fn the_player_dealer_pays_for_the_sum_of_base_wagers_and_bonus_wagers_do_not_count() {
    let wagers = [
        (1, "base", 5_000),
        (2, "base", 5_001),
        (2, "outlaw_9", 90_000),
        (6, "wrangler_push", 90_000),
    ];
    let table = mikes().check(&sheet(1, &wagers)).unwrap();
    let dealt = mikes().deal(&table, &deck(0, &[]), EIGHT);
    // 100.01 in all is in the second band.
    assert_eq!(dealt.fees, BySeat::from_iter([(seat(0), 200), (seat(1), 100), (seat(2), 100)]));
}

#[test]
fn only_seats_with_a_wager_are_visible() {
    let table = mikes().check(&sheet(1, &[(2, "base", 1_000), (5, "outlaw_9", 1)])).unwrap();
    let dealt = mikes().deal(&table, &deck(2, &[(2, FLUSH), (5, DEALER)]), THREE);
    assert_eq!((dealt.first, dealt.action_seat), (seat(2), seat(2)));
    let visible: Vec<_> = dealt.visible().collect();
    // In the order in which they were dealt.
    assert_eq!(visible, [(seat(2), &cards(FLUSH)[..]), (seat(5), &cards(DEALER)[..])]);
    assert_eq!(dealt.hands().len(), 7);
}

#[test]
fn every_decision_that_cannot_stand_is_reported() {
    let wagers = [
        (1, "base", 1_000),
        (2, "base", 1_000),
        (3, "base", 1_000),
        (4, "base", 1_000),
        (5, "outlaw_9", 100),
        (6, "base", 1_000),
    ];
    let table = mikes().check(&sheet(10_000, &wagers)).unwrap();
    let hands = [(0, DEALER), (1, BOTH_WIN), (2, FLUSH), (3, TWOS_IN_FRONT)];
    let dealt = mikes().deal(&table, &deck(0, &hands), EIGHT);
    let house = Decision { setting: SettingChoice::HouseWay, double_down: false };
    let decisions = BySeat::from_iter([
        (seat(0), house.clone()),
        (seat(1), low("Ac")),
        (seat(2), low("3h 3h")),
        (seat(3), low("Qd Ac")),
        (seat(5), house.clone()),
        (seat(6), Decision { double_down: true, ..house.clone() }),
        (seat(7), house),
    ]);
    let error = mikes().settle(house_way(), &table, &dealt, &decisions).unwrap_err();
    let faults = [
        (0, DecisionRule::Unexpected),
        (1, DecisionRule::LowCount { cards: 2 }),
        (2, DecisionRule::LowRepeated),
        (3, DecisionRule::LowNotDealt),
        (4, DecisionRule::Missing),
        (5, DecisionRule::Unexpected),
        (6, DecisionRule::DoubleDownUnexpected),
        (7, DecisionRule::Unexpected),
    ];
    let fault = |(number, rule)| DecisionFault { seat: seat(number), rule };
    assert_eq!(error, SettleError::Decisions { faults: faults.map(fault).to_vec() });
}

#[test]
fn a_deal_of_other_wagers_is_not_settled() {
    let one = mikes().check(&sheet(10_000, &[(1, "outlaw_9", 100)])).unwrap();
    let other = mikes().check(&sheet(10_000, &[(2, "outlaw_9", 100)])).unwrap();
    let dealt = mikes().deal(&one, &deck(0, &[]), EIGHT);
    let none = BySeat::new();
    let settle = |table, dealt: &_| mikes().settle(house_way(), table, dealt, &none);
    assert!(settle(&one, &dealt).is_ok());
    assert_eq!(settle(&other, &dealt), Err(SettleError::Foreign { part: "deal" }));
}

/// Mike's with a text of its file replaced.
fn changed(from: &str, to: &str) -> Ruleset {
    let file = mikes().text();
    assert!(file.contains(from), "{from}");
    Ruleset::parse(&file.replacen(from, to, 1)).unwrap()
}

#[test]
fn a_table_of_another_ruleset_is_not_settled() {
    // The same game in all but its id.
    let other = changed("\nid = \"mikes\"", "\nid = \"other\"");
    let sheet = sheet(10_000, &[(1, "base", 1_000)]);
    let (own, foreign) = (other.check(&sheet).unwrap(), mikes().check(&sheet).unwrap());
    let dealt = other.deal(&own, &deck(0, &[]), EIGHT);
    let settle = |table| other.settle(house_way(), table, &dealt, &house_way_for_all(table));
    assert!(settle(&own).is_ok());
    assert_eq!(settle(&foreign), Err(SettleError::Foreign { part: "table" }));
    // Nor is any line of it final before.
    assert_eq!(other.final_lines(&own, &dealt), Ok(BySeat::new()));
    assert_eq!(other.final_lines(&foreign, &dealt), Err(SettleError::Foreign { part: "table" }));
}

#[test]
fn a_house_way_that_the_ruleset_does_not_name_does_not_settle() {
    let table = mikes().check(&sheet(10_000, &[(1, "base", 1_000)])).unwrap();
    let dealt = mikes().deal(&table, &deck(0, &[]), EIGHT);
    let decisions = house_way_for_all(&table);
    // Of those that set hands of seven with the wheel where Mike's has it, its own alone.
    let like_it = |way: &&ways::HouseWay| way.wheel() == mikes().wheel() && way.id() != "mini";
    for way in ways::shipped().iter().filter(like_it) {
        let settled = mikes().settle(way, &table, &dealt, &decisions);
        match way.id() {
            "mikes" => assert!(settled.is_ok()),
            id => assert_eq!(settled, Err(SettleError::Foreign { part: "house way" }), "{id}"),
        }
    }
    assert!(ways::shipped().iter().filter(like_it).count() > 1);
}

#[test]
fn a_house_way_with_the_wheel_elsewhere_does_not_settle() {
    let lowest = changed("wheel = \"second\"", "wheel = \"lowest\"");
    let table = lowest.check(&sheet(10_000, &[(1, "base", 1_000)])).unwrap();
    let dealt = lowest.deal(&table, &deck(0, &[]), EIGHT);
    assert_eq!(house_way().id(), lowest.house_way().id);
    assert_eq!(
        lowest.settle(house_way(), &table, &dealt, &house_way_for_all(&table)),
        Err(SettleError::Foreign { part: "house way" })
    );
}

#[test]
fn a_deal_of_hands_of_another_size_is_not_settled() {
    let mini = shipped().iter().find(|ruleset| ruleset.id() == "mini").unwrap();
    let sheet = sheet(10_000, &[(1, "base", 1_000)]);
    let table = mikes().check(&sheet).unwrap();
    let of_six = mini.check(&WagerSheet { facts: TableFacts::default(), ..sheet }).unwrap();
    let dealt = mini.deal(&of_six, &Deck::FRESH, EIGHT);
    assert_eq!(
        mikes().settle(house_way(), &table, &dealt, &house_way_for_all(&table)),
        Err(SettleError::Foreign { part: "deal" })
    );
}
