//! A table of Mike's to play at: sheets in a line, decks that deal chosen hands.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use paigow_rules::cards::{BySeat, Card, DECK_LEN, Deck, Seat};
use paigow_rules::game::{
    Currency, Decision, Ruleset, SettingChoice, Settlement, TableFacts, Wager, WagerSheet,
    WagerTable, shipped,
};
use paigow_rules::house_way::{self, HouseWay};
use paigow_testkit::casino::sheets::without_limits;

/// Mike's without its limits: it takes the largest amounts of all.
pub(crate) fn mikes() -> &'static Ruleset {
    static MIKES: LazyLock<Ruleset> = LazyLock::new(|| {
        without_limits(shipped().iter().find(|ruleset| ruleset.id() == "mikes").unwrap())
    });
    &MIKES
}

pub(crate) fn house_way() -> &'static HouseWay {
    house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap()
}

pub(crate) fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

pub(crate) fn cards(codes: &str) -> Vec<Card> {
    codes.split_whitespace().map(|code| code.parse().unwrap()).collect()
}

/// A sheet in dollars, its wagers as (seat, bet, cents).
pub(crate) fn sheet(bank: i64, wagers: &[(u8, &str, i64)]) -> WagerSheet {
    let wager = |&(number, bet, amount_minor): &(u8, &str, i64)| Wager {
        seat: seat(number),
        bet: bet.to_owned().into(),
        amount_minor,
        choice: None,
    };
    WagerSheet {
        currency: Currency::new("USD", 2).unwrap(),
        wagers: wagers.iter().map(wager).collect(),
        facts: TableFacts { bank_minor: Some(bank), action_pile: Some(0), ..TableFacts::default() },
    }
}

/// Returns a deck from which the zigzag deals these hands, action pile 0. Position q
/// gets pile (q - first) mod 7. Its card of row r is `7r + pile` or `7r + 6 - pile`.
pub(crate) fn deck(first: usize, hands: &[(u8, &str)]) -> Deck {
    let mut places: [Option<Card>; DECK_LEN] = [None; DECK_LEN];
    let mut used = BTreeSet::new();
    for &(position, codes) in hands {
        let pile = (usize::from(position) + 7 - first) % 7;
        let hand = cards(codes);
        assert_eq!(hand.len(), 7, "{codes}");
        for (row, card) in hand.into_iter().enumerate() {
            let column = if row % 2 == 0 { pile } else { 6 - pile };
            assert!(used.insert(card), "{card} is dealt twice");
            places[7 * row + column] = Some(card);
        }
    }
    let mut rest = Card::all().filter(|card| !used.contains(card));
    Deck::of(&places.map(|place| place.unwrap_or_else(|| rest.next().unwrap()))).unwrap()
}

/// Every seat with a base wager leaves its hand to the house way.
pub(crate) fn house_way_for_all(table: &WagerTable) -> BySeat<Decision> {
    let setting = SettingChoice::HouseWay;
    let decision = Decision { setting, double_down: false };
    let seats = table.seats().map(|(seat, _)| seat);
    seats
        .filter(|&seat| table.base_stake(seat).is_some())
        .map(|seat| (seat, decision.clone()))
        .collect()
}

/// The nets of seats, bank and house together: 0 in every sound settlement.
pub(crate) fn sum_of_nets(settlement: &Settlement) -> i128 {
    let seats = settlement.seats.values().map(|seat| i128::from(seat.net));
    seats.sum::<i128>() + i128::from(settlement.bank.net) + i128::from(settlement.house_net)
}
