//! The game-outcome engine for Pai Gow Poker.
//!
//! The domain is pure: `cards`, `hands`, `house_way`, `game`, `fairness` and
//! `engine` read no clock, no file and no random number, and know nothing of gRPC.
//! Around it stand `rpc` (the contract), `server` (the process), `lab` (what a
//! test laboratory runs offline), `telemetry` and `config`.
//!
//! Imports run one way: `server -> rpc -> engine -> game -> house_way -> hands ->
//! cards`, `engine -> fairness -> cards`; a test keeps it so.

pub mod cards;
pub mod config;
pub mod engine;
pub mod fairness;
pub mod game;
pub mod hands;
pub mod house_way;
pub mod keys;
pub mod lab;
pub mod rpc;
pub mod server;
pub mod telemetry;
