//! Counts of settlements that were computed by hand.

use super::*;
use paigow_rules::cards::{Card, Rank, Suit};
use paigow_rules::game::{self, BankResult, BaseOutcome, BaseResult, Comparison, SeatResult};
use paigow_rules::hands::Category;
use paigow_rules::house_way::LowCards;

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn line(bet: BetId, stake: i64, status: LineStatus, returned: i64) -> BetLine {
    BetLine {
        bet,
        stake,
        status,
        row: None,
        pays: None,
        win: (returned - stake).max(0),
        commission: 0,
        returned,
        uncovered: None,
        caused_by: None,
    }
}

fn shown() -> ShownHand {
    ShownHand {
        low: LowCards::of(&[Card::JOKER]).unwrap(),
        high: [Rank::Two, Rank::Three, Rank::Four, Rank::Five, Rank::Seven]
            .map(|rank| Card::new(rank, Suit::Clubs)),
        low_category: Category::HighCard,
        high_category: Category::HighCard,
        clause: Some("K1".to_owned()),
        by_house_way: true,
    }
}

fn settlement(seats: &[(u8, Vec<BetLine>)]) -> Settlement {
    let result = |lines: &[BetLine]| SeatResult {
        base: Some(BaseResult {
            shown: shown(),
            foul: false,
            high_result: Comparison::Win,
            low_result: Comparison::Win,
            outcome: BaseOutcome::Win,
        }),
        lines: lines.to_vec(),
        net: 0,
        fee: 0,
        bank_commission: 0,
    };
    Settlement {
        bank: BankResult { seat: Seat::DEALER, setting: shown(), net: 0 },
        seats: seats
            .iter()
            .map(|(number, lines)| (seat(*number), Box::new(result(lines))))
            .collect(),
        commission: 0,
        fees: 0,
        house_net: 0,
    }
}

/// Returns wagers, stake, squares, return, commission and the uncovered amount, by bet.
fn sums(seats: &[(u8, Vec<BetLine>)]) -> BTreeMap<String, [i128; 6]> {
    let dollars = Currency::new("USD", 2).unwrap();
    let express = game::shipped().iter().find(|ruleset| ruleset.id() == "express").unwrap();
    let figures = wagers(express, &dollars, &settlement(seats));
    let sums = figures.iter().map(|one| {
        assert_eq!((&*one.ruleset, &*one.currency, one.exponent), ("express", "USD", 2));
        let sums = [
            one.wagers.into(),
            one.stake.into(),
            one.squares,
            one.returned.into(),
            one.commission.into(),
            one.uncovered.into(),
        ];
        (one.bet.to_string(), sums)
    });
    sums.collect()
}

#[test]
fn seats_are_summed_and_their_stakes_on_set_hands_squared_together() {
    let won = BetLine { commission: 50, ..line(BetId::BASE, 1000, LineStatus::Won, 1950) };
    let sums = sums(&[
        (1, vec![won, line(BetId::from_name("dynasty").unwrap(), 300, LineStatus::Lost, 0)]),
        (
            2,
            vec![
                line(BetId::BASE, 500, LineStatus::Push, 500),
                line(BetId::DOUBLE_DOWN, 500, LineStatus::Lost, 0),
                line(BetId::from_name("dynasty").unwrap(), 400, LineStatus::Won, 2000),
            ],
        ),
    ]);
    // (1000 + 500)^2, as the seats share the dealer's hand; 300^2 + 400^2.
    assert_eq!(sums["base"], [2, 1500, 2_250_000, 2450, 50, 0]);
    assert_eq!(sums["double_down"], [1, 500, 250_000, 0, 0, 0]);
    assert_eq!(sums["dynasty"], [2, 700, 250_000, 2000, 0, 0]);
    assert_eq!(sums.len(), 3);
}

#[test]
fn wagers_on_the_dealers_hand_win_together_and_are_squared_together() {
    let queens =
        |stake| vec![line(BetId::from_name("queens_dragon").unwrap(), stake, LineStatus::Lost, 0)];
    let sums = sums(&[(1, queens(300)), (4, queens(400))]);
    // 700^2, not 300^2 + 400^2.
    assert_eq!(sums["queens_dragon"], [2, 700, 490_000, 0, 0, 0]);
}

#[test]
fn what_other_hands_won_is_a_return_without_a_stake() {
    let envy = BetLine {
        caused_by: Some(seat(2)),
        ..line(BetId::from_name("envy").unwrap(), 0, LineStatus::Won, 5000)
    };
    let sums = sums(&[(
        1,
        vec![line(BetId::from_name("dynasty").unwrap(), 500, LineStatus::Lost, 0), envy],
    )]);
    assert_eq!(sums["dynasty"], [1, 500, 250_000, 0, 0, 0]);
    assert_eq!(sums["envy"], [0, 0, 0, 5000, 0, 0]);
}

#[test]
fn what_a_player_dealer_could_not_cover_was_not_in_action() {
    let short = |status, stake, returned, uncovered| BetLine {
        uncovered: Some(uncovered),
        ..line(BetId::BASE, stake, status, returned)
    };
    let sums = sums(&[
        // 60 of 100 were collected; 30 of a win of 200 were paid; the bank had nothing for the last.
        (1, vec![short(LineStatus::Lost, 100, 40, 40)]),
        (2, vec![short(LineStatus::Won, 200, 230, 170)]),
        (3, vec![short(LineStatus::Uncovered, 70, 70, 70)]),
    ]);
    // 60^2 + 200^2 and nothing for the last.
    assert_eq!(sums["base"], [2, 260, 67_600, 230, 0, 280]);
}
