//! How many bytes a ledger signs at most: some key management services sign no more than 4,096.

use std::collections::BTreeMap;

use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::Catalogue;
use paigow_round::record::{CloseLock, MAX_SUPERSEDED, WagerLock};
use paigow_round::request::VoidReason;
use paigow_rules::cards::Seat;
use paigow_rules::game::{BetLimit, Currency, MAX_STAKE, Ruleset, TableFacts, Wager};

/// The figures of docs/operate/custody.md.
const PAGE: &str = include_str!("../../docs/operate/custody.md");

/// The lock of a table where every seat has every bet at `amount`, with a client seed, and a limit
/// is posted for every bet.
fn full_table(ruleset: &Ruleset, amount: i64) -> WagerLock {
    let bonus = ruleset.bonus_bets().iter().map(|bet| bet.id.to_string());
    let bets: Vec<String> = [ruleset.base().id.to_string()].into_iter().chain(bonus).collect();
    let seats: Vec<Seat> = Seat::players(ruleset.seats()).collect();
    let wager = |seat, bet: &String| Wager {
        seat,
        bet: bet.clone().into(),
        amount_minor: amount,
        choice: None,
    };
    let limit = |bet: &String| BetLimit { bet: bet.clone().into(), max_minor: amount };
    WagerLock {
        prev: Hash::ZERO,
        round_id: Hash::ZERO,
        client_seeds: seats.iter().map(|seat| (*seat, vec![0xff; 64])).collect(),
        seats: seats.iter().map(|seat| (*seat, ())).collect(),
        wagers: seats.iter().flat_map(|seat| bets.iter().map(|bet| wager(*seat, bet))).collect(),
        currency: Currency::new("USD", 2).unwrap(),
        facts: TableFacts {
            bet_limits: bets.iter().map(limit).collect(),
            chip_minor: Some(amount),
            action_pile: Some(7),
            meter_minor: Some(amount),
            bank_minor: Some(amount),
            banker_seat: seats.last().copied(),
            ..TableFacts::default()
        },
    }
}

#[test]
fn what_a_ledger_signs_is_as_long_as_documented() {
    let signed = |lock: &WagerLock| RecordEnvelope::unsigned(RecordKind::Lock, lock).to_sign().len();
    let catalogue = Catalogue::shipped();
    let longest = catalogue.games().map(|game| signed(&full_table(&game.ruleset, MAX_STAKE))).max();
    println!("{longest:?} {:?} {}", catalogue.games().map(|g| (g.ruleset.id().to_string(), signed(&full_table(&g.ruleset, MAX_STAKE)))).collect::<BTreeMap<_,_>>(), MAX_STAKE);
    panic!();
}
