//! A locked, chained round with client seeds and signed decisions: the code that a platform writes.
//!
//!     cargo run --example locked_round ADDRESS CA LEDGER_KEY ROOT TOKEN

use paigow_client::v1::{Currency, Decision, Wager, WagerSheet, decision::Setting};
use paigow_client::{
    Engine, EngineSettings, FileSigner, Ledger, LedgerStore, Opening, Root, SeatKey, Table,
    commitment, new_seed,
};
use std::collections::BTreeMap;

fn wager(seat: i32, bet: &str, amount_minor: i64) -> Wager {
    Wager { seat, bet: bet.into(), amount_minor, ..Wager::default() }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [address, ca, ledger_key, root, token] =
        [1, 2, 3, 4, 5].map(|place| std::env::args().nth(place).expect("five arguments"));
    let engine =
        Engine::connect(EngineSettings::tls(&address).ca(std::fs::read(ca)?).token(&token))?;
    let store = LedgerStore::sqlite("ledger.db", "mark").await?;
    let ledger = Ledger::new(FileSigner::read(ledger_key)?, store);
    let table = Table::open(&engine, &ledger, "T1", "express", Some(Root::read(root)?)).await?;

    // Each player's browser makes these.
    let seeds = BTreeMap::from([1, 4].map(|seat| (seat, new_seed())));
    let keys = BTreeMap::from([1, 4].map(|seat| (seat, SeatKey::generate())));

    let round = table.next_round().await?;
    let prefixes = round.commit_prefixes().await?;
    let commits = seeds.iter().map(|(at, seed)| (*at, commitment(&prefixes[at], seed))).collect();
    let seat_keys = keys.iter().map(|(seat, key)| (*seat, key.public_key())).collect();
    round.open(Opening { commits, seat_keys, ..Opening::default() }).await?;
    let currency = Some(Currency { code: "USD".into(), exponent: 2 });
    let wagers = vec![wager(1, "base", 2_500), wager(1, "dynasty", 500), wager(4, "base", 10_000)];
    let sheet = WagerSheet { currency, wagers, ..WagerSheet::default() };
    for hand in round.deal(Some(sheet), &seeds).await?.hands {
        println!("seat {} {}", hand.seat, hand.cards.join(" "));
        let (seat, setting) = (hand.seat, Some(Setting::HouseWay(true)));
        let to_sign = round.decide(Decision { seat, setting, double_down: false }).await?;
        round.sign(seat, &keys[&seat].sign(&to_sign)).await?;
    }
    for seat in round.settle(&[]).await?.seats {
        println!("seat {} net {}", seat.seat, seat.net_minor);
    }
    Ok(())
}
