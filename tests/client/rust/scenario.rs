//! Plays tests/client/scenario.json with the Rust client, from the step that an earlier process reached.
//!
//!     client_scenario --scenario FILE --server ADDRESS --ledger-key FILE --root FILE --database FILE
//!         --transcript FILE [--die-after N] [--postgres ADDRESS]
//!
//! With --die-after the process is killed (SIGKILL) when the N-th answer has come, before it is looked at.
//!
//! Before a round with a rotation it prints the number of the rotation, and waits for a line on standard input.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use paigow_client::v1::{self as pb, Currency, Decision, LowHand, Wager, WagerSheet, decision};
use paigow_client::{
    ClientError, Engine, EngineSettings, FileSigner, Ledger, LedgerStore, Opening, Place, Root,
    Round, SeatKey, Table, commitment,
};
use rustix::process::{Signal, getpid, kill_process};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Kills this process when an answer has come: the client traces each.
#[derive(Debug)]
struct DyingAfter(AtomicUsize);

impl Subscriber for DyingAfter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "paigow_client::answers"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        if self.0.fetch_sub(1, Ordering::SeqCst) == 1 {
            kill_process(getpid(), Signal::KILL).unwrap();
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Returns 32 bytes of a word of the scenario.
fn bytes_of(word: &Value) -> [u8; 32] {
    Sha256::digest(word.as_str().unwrap()).into()
}

/// Returns a sheet of the wagers of each seat, in the order of bets.
fn sheet_of(seats: &BTreeMap<i32, &Value>) -> WagerSheet {
    let mut sheet = WagerSheet {
        currency: Some(Currency { code: "USD".to_owned(), exponent: 2 }),
        ..WagerSheet::default()
    };
    for (&seat, wagers) in seats {
        for (bet, amount) in wagers.as_object().unwrap() {
            let (bet, amount_minor) = (bet.clone(), amount.as_i64().unwrap());
            sheet.wagers.push(Wager { seat, bet, amount_minor, ..Wager::default() });
        }
    }
    sheet
}

async fn open(
    round: &Round,
    seeds: &BTreeMap<i32, [u8; 32]>,
    keys: &BTreeMap<i32, SeatKey>,
    absent: &[i32],
) {
    if round.ticket().await.unwrap().is_none() {
        let commits = BTreeMap::from([(1, "no commitment".to_owned())]);
        // Unless an earlier process has asked for the right one.
        match round.open(Opening { commits, ..Opening::default() }).await {
            Ok(_) => {}
            Err(ClientError::Refused(refused))
                if refused.code == tonic::Code::InvalidArgument && !refused.fields.is_empty() => {}
            Err(error) => panic!("{error}"),
        }
    }
    if round.ticket().await.unwrap().is_none() {
        let prefixes =
            if seeds.is_empty() { BTreeMap::new() } else { round.commit_prefixes().await.unwrap() };
        let commit = |(seat, seed): (&i32, &[u8; 32])| (*seat, commitment(&prefixes[seat], seed));
        let opening = Opening {
            commits: seeds.iter().map(commit).collect(),
            seat_keys: keys.iter().map(|(&seat, key)| (seat, key.public_key())).collect(),
            house_way_if_absent: absent.iter().copied().collect::<BTreeSet<i32>>(),
        };
        round.open(opening).await.unwrap();
    }
}

async fn play(round: &Round, plan: &Value) {
    let seats: BTreeMap<i32, &Value> = plan["seats"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(seat, facts)| (seat.parse().unwrap(), facts))
        .collect();
    let of = |member: &'static str| {
        seats.iter().filter_map(move |(&seat, facts)| facts.get(member).map(|value| (seat, value)))
    };
    let seeds: BTreeMap<i32, [u8; 32]> =
        of("seed").map(|(seat, word)| (seat, bytes_of(word))).collect();
    let keys: BTreeMap<i32, SeatKey> =
        of("key").map(|(seat, word)| (seat, SeatKey::from_secret(&bytes_of(word)))).collect();
    // They decide, and go before they sign.
    let absent: Vec<i32> = of("absent").map(|(seat, _)| seat).collect();
    open(round, &seeds, &keys, &absent).await;
    if plan["end"] == "void_opened" {
        round.void(pb::VoidReason::Operator).await.unwrap();
        return;
    }
    if let Some(refused) = plan.get("refused")
        && round.sheet().await.unwrap().is_none()
    {
        let seat = *seats.keys().next().unwrap();
        let sheet = sheet_of(&BTreeMap::from([(seat, &refused["wagers"])]));
        match round.deal(Some(sheet), &BTreeMap::new()).await {
            Err(ClientError::Refused(told))
                if refused["reason"] == told.reason && !told.fields.is_empty() => {}
            other => panic!("the wagers are not refused: {other:?}"),
        }
    }
    let dealt = round.deal(Some(sheet_of(&of("wagers").collect())), &seeds).await.unwrap();
    if plan["end"] == "void_dealt" {
        round.void(pb::VoidReason::Operator).await.unwrap();
        return;
    }
    if round.is_locked().await.unwrap() {
        round.settle(&[]).await.unwrap();
        return;
    }
    for (&seat, facts) in &seats {
        let hand = dealt.hands.iter().find(|hand| hand.seat == seat).unwrap();
        let setting = if facts["decision"] == "house_way" {
            decision::Setting::HouseWay(true)
        } else {
            decision::Setting::Low(LowHand { cards: hand.cards[..2].to_vec() })
        };
        let decision = Decision { seat, setting: Some(setting), double_down: false };
        let to_sign = round.decide(decision).await.unwrap();
        if let Some(key) = keys.get(&seat).filter(|_| !absent.contains(&seat)) {
            let early = round.settle(&[]).await;
            assert!(matches!(early, Err(ClientError::WrongStep(_))), "{early:?}");
            let wrong = round.sign(seat, &[0; 64]).await;
            assert!(matches!(wrong, Err(ClientError::BadSignature { .. })), "{wrong:?}");
            round.sign(seat, &key.sign(&to_sign)).await.unwrap();
        }
    }
    round.settle(&absent).await.unwrap();
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options: BTreeMap<&str, &str> = arguments
        .chunks_exact(2)
        .map(|pair| (pair[0].strip_prefix("--").unwrap(), &pair[1][..]))
        .collect();
    if let Some(after) = options.get("die-after") {
        let dying = DyingAfter(AtomicUsize::new(after.parse().unwrap()));
        tracing::subscriber::set_global_default(dying).unwrap();
    }
    let scenario: Value = serde_json::from_slice(&fs::read(options["scenario"]).unwrap()).unwrap();
    let settings = EngineSettings::plaintext(options["server"])
        .deadline(Duration::from_secs(10))
        .patience(Duration::from_secs(60));
    let engine = Engine::connect(settings).unwrap();
    let database = options["database"];
    let store = match options.get("postgres") {
        Some(address) => LedgerStore::postgres(address, database).await,
        None => LedgerStore::sqlite(database, format!("{database}.mark")).await,
    };
    let ledger = Ledger::new(FileSigner::read(options["ledger-key"]).unwrap(), store.unwrap());
    let (name, ruleset) =
        (scenario["table"].as_str().unwrap(), scenario["ruleset"].as_str().unwrap());
    let root = Root::read(options["root"]).unwrap();
    let table = Table::open(&engine, &ledger, name, ruleset, Some(root)).await.unwrap();
    // A development server begins with epoch 1.
    let (mut epoch, mut round_no, mut rotations) = (1, 0, 0);
    let mut rounds = Vec::new();
    for plan in scenario["rounds"].as_array().unwrap() {
        if plan["rotation"].is_string() {
            rotations += 1;
        }
        if plan["rotation"] == "epoch" {
            (epoch, round_no) = (epoch + 1, 0);
        }
        round_no += 1;
        let round = table.round(Place { table: name.to_owned(), epoch, round_no });
        rounds.push(round.clone());
        if round.is_closed().await.unwrap() {
            continue;
        }
        if plan["rotation"].is_string() {
            println!("rotation {rotations}");
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
        let next = table.next_round().await.unwrap();
        assert_eq!(next.place, round.place, "the next round");
        play(&next, plan).await;
    }
    fs::write(options["transcript"], table.transcript(&rounds).await.unwrap()).unwrap();
}
