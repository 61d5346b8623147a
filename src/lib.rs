//! The game-outcome engine for Pai Gow Poker.
//!
//! The domain is pure: `cards`, `hands`, `house_way`, `game`, `exact`, `fairness` and
//! `engine` read no clock, no file and no random number, and know nothing of gRPC.
//! Around it stand `rpc` (the contract), `server` (the process), `lab` (what a
//! test laboratory runs offline), `evidence` (what is kept of every call), `telemetry`,
//! and what is read from files: `config`, `access` (who may call), `keys` (secrets and
//! manifests), `release` (what the program should be) and `rules_folder` (an operator's
//! own rules). The chapters for laboratories are in `docs/`.
//!
//! ```
//! use paigow::cards::{Card, codes};
//! use paigow::house_way;
//!
//! let cards: Vec<Card> = "9c 2h Js 2d 2c 9d Jh".split(' ').flat_map(str::parse).collect();
//! let way = house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap();
//! let setting = way.set(&cards).unwrap();
//! // "Full House: Put the pair in front and keep the three of a kind behind."
//! assert_eq!((setting.clause.id(), codes(&setting.low)), ("K4".into(), "Jh Js".into()));
//! ```
//!
//! Imports run one way: `server -> rpc -> engine -> game -> house_way -> hands ->
//! cards`, `engine -> exact -> game`, `engine -> fairness -> cards`; a test keeps it so.

pub mod access;
pub mod cards;
pub mod config;
pub mod engine;
pub mod evidence;
pub mod exact;
pub mod fairness;
pub mod game;
pub mod hands;
pub mod house_way;
mod http1;
pub mod keys;
pub mod lab;
pub mod release;
pub mod rpc;
pub mod rules_folder;
pub mod server;
pub mod telemetry;
mod utc;

/// The Rust example of the chapter on records, run with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/protocol/records.md")]
struct RecordsChapter;
