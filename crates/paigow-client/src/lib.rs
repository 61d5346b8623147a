//! Plays rounds of Pai Gow Poker against the paigow engine: locked, chained and checked.
//!
//! A first round under a policy of production:
//!
//! ```no_run
//! # use std::collections::BTreeMap;
//! use paigow_client::{Engine, EngineSettings, FileSigner, Ledger, LedgerStore, Opening, Root, Table, v1 as pb};
//! # async fn first_round() -> Result<(), paigow_client::ClientError> {
//! let engine = Engine::connect(EngineSettings::tls("paigow.example:50051").token("..."))?;
//! let store = LedgerStore::sqlite("ledger.db", "mark").await?;
//! let ledger = Ledger::new(FileSigner::read("ledger.key")?, store);
//! let table = Table::open(&engine, &ledger, "T1", "express", Some(Root::read("root.json")?)).await?;
//!
//! let round = table.next_round().await?;
//! round.open(Opening::default()).await?;
//! let base = pb::Wager { seat: 1, bet: "base".into(), amount_minor: 2_500, ..Default::default() };
//! let currency = Some(pb::Currency { code: "USD".into(), exponent: 2 });
//! let sheet = pb::WagerSheet { currency, wagers: vec![base], ..Default::default() };
//! let dealt = round.deal(Some(sheet), &BTreeMap::new()).await?;
//! println!("{:?}", dealt.hands[0].cards);
//! let setting = Some(pb::decision::Setting::HouseWay(true));
//! round.decide(pb::Decision { seat: 1, setting, double_down: false }).await?;
//! let settled = round.settle(&[]).await?;    // checked against ticket, locks and cards
//! println!("{}", settled.seats[0].net_minor);
//! # Ok(())
//! # }
//! ```
//!
//! Every step may be repeated after a crash or a lost answer: [`Table::next_round`] returns the round that is not
//! closed, with what its steps have come to.

#[cfg(feature = "platform")]
mod beacon;
#[cfg(feature = "platform")]
mod connection;
#[cfg(feature = "platform")]
mod database;
#[cfg(feature = "platform")]
mod errors;
#[cfg(feature = "platform")]
mod keys;
#[cfg(feature = "platform")]
mod ledger;
#[cfg(feature = "platform")]
mod mark;
#[cfg(feature = "platform")]
mod players;
#[cfg(feature = "platform")]
mod records;
#[cfg(feature = "platform")]
mod round;
#[cfg(feature = "platform")]
mod store;
#[cfg(feature = "platform")]
mod table;
#[cfg(feature = "platform")]
mod transport;
#[cfg(feature = "platform")]
mod verify;

#[expect(
    unreachable_pub,
    unused_qualifications,
    clippy::missing_errors_doc,
    reason = "generated code, documented in the contract"
)]
mod stubs {
    tonic::include_proto!("paigow.v1");
}

#[cfg(feature = "platform")]
pub use beacon::{BeaconFailure, BeaconSettings};
#[cfg(feature = "platform")]
pub use connection::{Engine, EngineSettings};
#[cfg(feature = "platform")]
pub use errors::{ClientError, RefusedCall};
#[cfg(feature = "platform")]
pub use ledger::{FileSigner, KeySigner, Ledger, LedgerSigner, SignatureFuture, SignerFailure};
pub use paigow_proto::v1;
#[cfg(feature = "platform")]
pub use players::{SeatKey, commitment, new_seed};
#[cfg(feature = "platform")]
pub use round::{NextStep, Opening, Round, RoundClose};
#[cfg(feature = "platform")]
pub use store::{LedgerStore, LockStep, Place, StepColumn, StoredLock};
pub use stubs::pai_gow_service_client::PaiGowServiceClient;
#[cfg(feature = "platform")]
pub use table::{Table, TableTerms};
#[cfg(feature = "platform")]
pub use transport::CallService;
#[cfg(feature = "platform")]
pub use verify::Root;

/// The first round of the README compiles.
#[cfg(all(doctest, feature = "sqlite"))]
#[doc = include_str!("../README.md")]
struct Readme;
