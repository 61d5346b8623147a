//! The result as JSON and for people, with the only numbers that are not whole.
#![expect(clippy::float_arithmetic, reason = "statistics for people; no outcome rests on them")]

use std::io::{self, Write};

use serde::Serialize;

use super::RuinRequest;
use super::sums::{PairSums, RuinSums};
use crate::simulate::seeds;
use paigow_round::{ENGINE_ID, ListedGame};

/// An estimate with its standard error.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RuinEstimate {
    pub(super) value: String,
    /// Absent with a single session.
    pub(super) standard_error: Option<String>,
}

impl RuinEstimate {
    fn of((value, error): (f64, Option<f64>)) -> Self {
        let standard_error = error.map(|error| format!("{error:.6}"));
        Self { value: format!("{value:.6}"), standard_error }
    }

    fn text(&self) -> String {
        self.standard_error
            .as_ref()
            .map_or_else(|| self.value.clone(), |error| format!("{} +- {error}", self.value))
    }
}

/// The result of all sessions.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RuinDocument {
    format: String,
    engine: String,
    ruleset: String,
    ruleset_hash: String,
    house_way: String,
    house_way_hash: String,
    /// The owner of the bankroll.
    of: String,
    bankroll_minor: i64,
    /// `bet=minor`, of each seat.
    wagers: Vec<String>,
    seats: u8,
    sessions: u64,
    /// How many rounds a session has at most.
    rounds: u64,
    /// 64 hexadecimal digits.
    seed: String,
    seeds: String,
    pub(super) ruined_sessions: u64,
    pub(super) played_rounds: String,
    /// The share of the sessions that end in ruin.
    pub(super) risk_of_ruin: RuinEstimate,
    /// If no session ends in ruin: with 95 % confidence the risk is at most this.
    pub(super) risk_at_most: Option<String>,
    /// The average number of rounds of the sessions that end in ruin; absent if none does.
    pub(super) rounds_to_ruin: Option<String>,
    /// Minor units.
    pub(super) net_a_round: RuinEstimate,
    pub(super) net_per_unit_wagered: RuinEstimate,
    /// The part of the wagers, or of their wins, that a limited bank did not cover.
    pub(super) uncovered_per_unit_wagered: RuinEstimate,
}

impl RuinDocument {
    pub(super) fn new(game: &ListedGame, request: &RuinRequest, sums: &RuinSums) -> Self {
        let RuinRequest { sessions, rounds, .. } = *request;
        let wagers =
            request.wagers.iter().map(|wager| format!("{}={}", wager.bet, wager.stake_minor));
        let to_ruin = (sums.ruined > 0)
            .then(|| format!("{:.3}", real(sums.rounds_to_ruin) / real(sums.ruined.into())));
        Self {
            format: "paigow-ruin/1".to_owned(),
            engine: ENGINE_ID.to_owned(),
            ruleset: game.ruleset.id().to_owned(),
            ruleset_hash: game.hash.to_string(),
            house_way: game.house_way.id().to_owned(),
            house_way_hash: game.house_way_hash.to_string(),
            of: request.of.name().to_owned(),
            bankroll_minor: request.bankroll_minor,
            wagers: wagers.collect(),
            seats: request.seats,
            sessions,
            rounds,
            seed: hex::encode(request.seed),
            seeds: format!(
                "round r of session s, both from 0, is simulated round s * {rounds} + r: {}",
                seeds::DERIVATION
            ),
            ruined_sessions: sums.ruined,
            played_rounds: sums.net_by_round.by.to_string(),
            risk_of_ruin: RuinEstimate::of(share(sums.ruined, sums.sessions)),
            risk_at_most: (sums.ruined == 0).then(|| format!("{:.6}", at_most(sums.sessions))),
            rounds_to_ruin: to_ruin,
            net_a_round: RuinEstimate::of(ratio(&sums.net_by_round, sums.sessions)),
            net_per_unit_wagered: RuinEstimate::of(ratio(&sums.net_by_wagered, sums.sessions)),
            uncovered_per_unit_wagered: RuinEstimate::of(ratio(
                &sums.uncovered_by_wagered,
                sums.sessions,
            )),
        }
    }

    /// Writes the result as text.
    pub(super) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let seats = if self.seats == 1 { "seat" } else { "seats" };
        writeln!(
            out,
            "{}, house way {}: {} sessions of at most {} rounds, {} {seats} with {} each",
            self.ruleset,
            self.house_way,
            self.sessions,
            self.rounds,
            self.seats,
            self.wagers.join(" ")
        )?;
        writeln!(out, "bankroll of the {}: {} at the start", self.of, self.bankroll_minor)?;
        writeln!(out, "seed {}, {}", self.seed, self.seeds)?;
        writeln!(out)?;
        let mut row = |name: &str, value: &str| writeln!(out, "{name:<28} {value}");
        row("risk of ruin", &self.risk_of_ruin.text())?;
        if let Some(bound) = &self.risk_at_most {
            row("at most, 95 % confidence", bound)?;
        }
        row("sessions ruined", &self.ruined_sessions.to_string())?;
        if let Some(rounds) = &self.rounds_to_ruin {
            row("rounds to ruin, on average", rounds)?;
        }
        row("rounds played", &self.played_rounds)?;
        row("net a round, minor units", &self.net_a_round.text())?;
        row("net per unit wagered", &self.net_per_unit_wagered.text())?;
        row("not covered, per unit", &self.uncovered_per_unit_wagered.text())
    }
}

/// Returns the largest share for which no hit in so many sessions has a probability of 5 %.
fn at_most(sessions: u64) -> f64 {
    1.0 - libm::pow(0.05, 1.0 / real(sessions.into()))
}

/// Returns a share of the sessions, with the standard error of a proportion. It has no standard
/// error if no session counts, or if all do.
fn share(part: u64, of: u64) -> (f64, Option<f64>) {
    let (part, of) = (real(part.into()), real(of.into()));
    let share = part / of;
    (share, (part > 0.0 && part < of).then(|| (share * (1.0 - share) / (of - 1.0)).sqrt()))
}

/// Returns the ratio of two sums over the sessions, with the standard error of a ratio estimate.
/// The rounds of a session depend on each other through its end; sessions do not.
fn ratio(sums: &PairSums, sessions: u64) -> (f64, Option<f64>) {
    let by = real(sums.by);
    if by <= 0.0 {
        return (0.0, None);
    }
    let n = real(sessions.into());
    let ratio = real(sums.of) / by;
    let squares = real(sums.of_squares) - 2.0 * ratio * real(sums.products)
        + ratio * ratio * real(sums.by_squares);
    let error = (squares.max(0.0) * n / (n - 1.0)).sqrt() / by;
    (ratio, (n > 1.0).then_some(error))
}

#[expect(clippy::cast_precision_loss, reason = "an estimate has no more digits")]
const fn real(number: i128) -> f64 {
    number as f64
}
