//! How many bytes a ledger signs at most: some key management services sign no more than 4,096.

use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::Catalogue;
use paigow_round::record::WagerLock;
use paigow_rules::cards::Seat;
use paigow_rules::game::{BetLimit, ColourChoice, Currency, MAX_STAKE, Ruleset, TableFacts, Wager};

/// The figures of docs/operate/custody.md.
const PAGE: &str = include_str!("../../docs/operate/custody.md");

/// The lock of a table where every seat has every bet at `amount`, with a client seed, and a limit
/// is posted for every bet.
fn full_table(ruleset: &Ruleset, amount: i64) -> WagerLock {
    let bonus = ruleset.bonus_bets().iter();
    let bonus = bonus.map(|bet| (bet.id.name(), bet.asks_colour().then_some(ColourChoice::Black)));
    let bets: Vec<(&str, Option<ColourChoice>)> =
        [("base", None)].into_iter().chain(bonus).collect();
    let seats: Vec<Seat> = Seat::players(ruleset.seats()).collect();
    let wager = |seat, (bet, choice): (&str, _)| Wager {
        seat,
        bet: bet.to_owned().into(),
        amount_minor: amount,
        choice,
    };
    let limit =
        |(bet, _): &(&str, _)| BetLimit { bet: (*bet).to_owned().into(), max_minor: amount };
    WagerLock {
        prev: Hash::ZERO,
        round_id: Hash::ZERO,
        client_seeds: seats.iter().map(|seat| (*seat, vec![0xff; 64])).collect(),
        seats: seats.iter().map(|seat| (*seat, ())).collect(),
        wagers: seats.iter().flat_map(|seat| bets.iter().map(|bet| wager(*seat, *bet))).collect(),
        currency: Currency::new("USD", 2).unwrap(),
        facts: TableFacts {
            bet_limits: bets.iter().map(limit).collect(),
            chip_minor: Some(amount),
            table_min_minor: Some(amount),
            table_max_minor: Some(amount),
            action_pile: Some(7),
            meter_minor: Some(amount),
            bank_minor: Some(amount),
            banker_seat: seats.last().copied(),
        },
    }
}

#[test]
fn what_a_ledger_signs_is_as_long_as_documented() {
    let signed =
        |lock: &WagerLock| RecordEnvelope::unsigned(RecordKind::Lock, lock).to_sign().len();
    let games = Catalogue::shipped();
    let longest =
        games.games().into_iter().map(|game| signed(&full_table(&game.ruleset, MAX_STAKE)));
    let longest = longest.max().unwrap();
    assert!(longest < 4096, "{longest}");
    let (thousands, rest) = (longest / 1000, longest % 1000);
    let sentence = format!("has {thousands},{rest:03} bytes at most");
    assert!(PAGE.replace('\n', " ").contains(&sentence), "{sentence}");
}
