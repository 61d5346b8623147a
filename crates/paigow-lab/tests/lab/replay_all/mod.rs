//! `paigow-lab replay-all` has the same findings as the audit of one file.
#![allow(clippy::unwrap_used)]

use crate::binary;
use paigow_testkit::casino;

mod command;
mod parts;
mod same;
mod voids;

use casino::{Casino, RoundPlan, policy};
use paigow_fairness::record::RecordEnvelope;

/// Plays rounds 1 to `rounds` of one table, and returns the records of each.
fn play(casino: &Casino, tenant: &str, rounds: u64, seed: u64) -> Vec<Vec<RecordEnvelope>> {
    let mut played: Vec<Vec<RecordEnvelope>> = Vec::new();
    for round_no in 1..=rounds {
        let prev = played.last().filter(|_| policy(tenant).chain_required);
        let prev = prev.map(|round| round.last().unwrap().clone());
        let plan = RoundPlan::random_of_all(tenant, round_no, prev, seed);
        played.push(casino.play(&plan));
    }
    played
}
