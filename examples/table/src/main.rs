//! A table in the browser: an engine, a game server on the Rust client, and the page that players open.
//!
//! It shows how a platform uses the client, and it shows the product to a newcomer. It is not a casino: anyone
//! who can reach it can play, with play money.

mod beacon;
mod dealer;
mod engine;
mod http;
mod process;
mod public_log;
mod rules;
mod settlement;
mod state;
mod wallet;

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use paigow_client::{
    Engine, EngineSettings, FileSigner, Ledger, LedgerStore, Root, Table, TableTerms,
};
use paigow_proto::v1::GetRulesetRequest;
use tokio::sync::mpsc;

use crate::beacon::DemonstrationBeacon;
use crate::dealer::{Dealer, TableClock};
use crate::engine::EngineProcess;
use crate::http::{CasinoFloor, OpenTable};
use crate::public_log::{PublicLog, key_file};
use crate::rules::{TABLES, TableRules};
use crate::state::SharedTable;
use crate::wallet::Wallets;

/// How many moves of players may wait for a dealer.
const WAITING_MOVES: usize = 64;

/// Opens a table in the browser, with an engine of its own.
#[derive(Parser)]
#[command(name = "paigow-table", version)]
struct TableArguments {
    /// The address and port of the page. Browsers make keys only for pages of this machine, or behind TLS.
    #[arg(long, default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The folder with keys, evidence, public log, ledger and wallets.
    #[arg(long, default_value = ".paigow-table", value_name = "FOLDER")]
    data: PathBuf,
    /// The port of the engine, on 127.0.0.1. Without it the last one is taken again, or a free one.
    #[arg(long, value_name = "PORT")]
    engine_port: Option<u16>,
    /// Has each round wait for the value of a beacon for a demonstration. The holder of its key, a file in the folder, knows
    /// the values early.
    #[arg(long)]
    beacon: bool,
    /// A PostgreSQL database for ledger and wallets, as postgres://user@host/database, in place of SQLite files.
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
    /// How long the table waits for the other bets, in seconds.
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    bet_seconds: u64,
    /// How long the table waits for the seeds of the browsers, in seconds.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    seed_seconds: u64,
    /// How long a player may take to set the hand, in seconds.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    set_seconds: u64,
    /// How long the table waits for a player whose page is closed, when all others have set their hands, in seconds.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    gone_seconds: u64,
}

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .init();
    match serve(TableArguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("paigow-table: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(arguments: TableArguments) -> Result<(), Box<dyn Error>> {
    let listener = tokio::net::TcpListener::bind(arguments.listen)
        .await
        .map_err(|error| format!("{}: {error}", arguments.listen))?;
    std::fs::create_dir_all(&arguments.data)?;
    let process = EngineProcess::prepare(&arguments.data, arguments.engine_port).await?;
    let engine = Engine::connect(EngineSettings::plaintext(&process.address))?;
    let supervised = process.clone().supervise();
    tokio::pin!(supervised);
    let floor = tokio::select! {
        floor = open(&arguments, engine, &process) => floor?,
        ended = &mut supervised => return Ok(ended?),
    };
    let logged = (*floor.log).clone().supervise();
    println!("The tables are open: http://{}", listener.local_addr()?);
    let serving = axum::serve(listener, http::routes(Arc::new(floor))).into_future();
    tokio::select! {
        served = serving => Ok(served?),
        ended = supervised => Ok(ended?),
        ended = logged => Ok(ended?),
        // Pages stay connected for ever, and every round goes on from where it stands.
        () = asked_to_stop() => Ok(()),
    }
}

/// Opens every table, and seats a dealer at each.
async fn open(
    arguments: &TableArguments,
    engine: Engine,
    process: &EngineProcess,
) -> Result<CasinoFloor, Box<dyn Error>> {
    // The engine makes its development keys when it starts.
    process.ready().await;
    let keyring = &process.keyring;
    // Without --beacon, a round that was opened with it still waits for its value.
    let key = arguments.data.join("beacon.key");
    let beacon = if arguments.beacon {
        Some(DemonstrationBeacon::open(&key)?)
    } else {
        DemonstrationBeacon::read(&key)?
    };
    if arguments.beacon {
        let key = key.display();
        println!("The beacon is a demonstration: the holder of {key} knows its values early.");
    }
    let folder = arguments.data.join("public-log");
    let log =
        PublicLog::prepare(folder, &engine, process, beacon.as_ref(), arguments.beacon).await?;
    let log = Arc::new(log);
    let root = Root::read(keyring.join("root.json"))?;
    let file = |name: &str| arguments.data.join(name);
    let (store, wallets) = match &arguments.postgres {
        Some(url) => (LedgerStore::postgres(url, file("mark")).await?, url.clone()),
        None => {
            let wallets = format!("sqlite:{}?mode=rwc", file("wallets.db").display());
            (LedgerStore::sqlite(file("ledger.db"), file("mark")).await?, wallets)
        }
    };
    let wallets = Wallets::open(&wallets).await?;
    let ledger = Ledger::new(FileSigner::read(key_file(keyring, "ledger")?)?, store);
    let clock = TableClock {
        betting: Duration::from_secs(arguments.bet_seconds),
        seeds: Duration::from_secs(arguments.seed_seconds),
        setting: Duration::from_secs(arguments.set_seconds),
        gone: Duration::from_secs(arguments.gone_seconds),
    };
    let mut tables = Vec::new();
    for (id, game) in TABLES {
        let ruleset = engine.get_ruleset(GetRulesetRequest { ruleset: id.to_owned() }).await?;
        let ruleset = ruleset.ruleset.ok_or("the engine returns no ruleset")?;
        let beacon = beacon.as_ref().map(|beacon| beacon.settings(&log.locks()));
        let terms = TableTerms { beacon, ..TableTerms::default() };
        let hash = &ruleset.hash;
        let table =
            Table::open_with_terms(&engine, &ledger, id, hash, Some(root.clone()), terms).await?;
        let shared = Arc::new(SharedTable::new(TableRules::new(game, ruleset)));
        let (sender, moves) = mpsc::channel(WAITING_MOVES);
        let dealer = Dealer {
            engine: engine.clone(),
            table: table.clone(),
            wallets: wallets.clone(),
            shared: Arc::clone(&shared),
            log: Arc::clone(&log),
            waits_for_beacon: arguments.beacon,
            moves,
            clock,
        };
        tokio::spawn(dealer.run());
        tables.push(OpenTable { shared, table, moves: sender });
    }
    let chain = beacon.as_ref().map(DemonstrationBeacon::chain);
    Ok(CasinoFloor { engine, root, log, chain, wallets, tables })
}

/// Completes when the process is asked to stop.
async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut term) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! {
        _ = term.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
