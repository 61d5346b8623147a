//! The result of a simulation as JSON, whole or of a shard, and the merge of shards.

use serde::{Deserialize, Serialize};

use super::estimate::{
    Estimate, RowEstimate, TwoSeatEstimate, estimate, is_far, row_estimate, two_seats,
};
use super::sums::BetSums;

/// The name and version of the form.
const FORMAT: &str = "paigow-simulation/1";

/// The result over some ranges of rounds.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct SimulationDocument {
    pub(super) format: String,
    #[serde(flatten)]
    pub(super) run: SimulationRun,
    /// The rounds that were played. Each range is from its first to before its second number.
    /// Ranges ascend, and no two of them touch.
    pub(super) ranges: Vec<[u64; 2]>,
    pub(super) bets: Vec<SimulatedBet>,
}

/// The inputs of a simulation, which are the same for all its shards.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct SimulationRun {
    pub(super) engine: String,
    pub(super) ruleset: String,
    pub(super) ruleset_hash: String,
    pub(super) house_way: String,
    pub(super) house_way_hash: String,
    /// The kind of deal: whole rounds by the engine.
    pub(super) dealt: String,
    pub(super) seats: u8,
    pub(super) double_down: bool,
    /// 64 hexadecimal digits.
    pub(super) seed: String,
    pub(super) seeds: String,
    /// How many rounds all shards have together.
    pub(super) rounds: u64,
}

/// The result of one bet.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SimulatedBet {
    pub(super) bet: String,
    /// The stake of each seat; absent if nothing is staked.
    pub(super) stake_minor: Option<i64>,
    pub(super) lines: u64,
    pub(super) won: u64,
    pub(super) push: u64,
    pub(super) lost: u64,
    pub(super) uncovered: u64,
    #[serde(with = "text")]
    pub(super) staked_minor: i128,
    #[serde(with = "text")]
    pub(super) returned_minor: i128,
    /// The sum of the squares of the bet's returns in each round.
    #[serde(with = "text")]
    pub(super) squares: i128,
    /// The sum over all rounds of the product of the returns of each two seats in the round. Each
    /// pair of seats counts twice.
    #[serde(with = "text")]
    pub(super) products: i128,
    /// The sum over all rounds of the squares of the terms of `products`.
    #[serde(with = "text")]
    pub(super) product_squares: i128,
    pub(super) exact: Option<ExactBetReturn>,
    pub(super) estimate: Option<Estimate>,
    /// Absent with one seat, and for wins by the hands of others.
    pub(super) two_seats: Option<TwoSeatEstimate>,
    pub(super) rows: Vec<SimulatedRow>,
}

/// The exact average return of a bet.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExactBetReturn {
    /// Per minor unit staked; of a win by the hands of others, minor units for each of them.
    #[serde(rename = "return")]
    pub(super) mean: String,
    /// The variance of the same; absent if it is not known.
    pub(super) variance: Option<String>,
}

/// How often a row came up.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SimulatedRow {
    pub(super) row: String,
    pub(super) hits: u64,
    /// Its exact probability, as `num/den`.
    pub(super) exact: Option<String>,
    pub(super) estimate: Option<RowEstimate>,
}

/// Numbers beyond 2^53 as text.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &i128, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i128, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl SimulatedBet {
    /// Adds the results of other rounds.
    fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.won += other.won;
        self.push += other.push;
        self.lost += other.lost;
        self.uncovered += other.uncovered;
        self.staked_minor += other.staked_minor;
        self.returned_minor += other.returned_minor;
        self.squares += other.squares;
        self.products += other.products;
        self.product_squares += other.product_squares;
        for (ours, theirs) in self.rows.iter_mut().zip(&other.rows) {
            ours.hits += theirs.hits;
        }
    }

    /// Takes over sums.
    pub(super) fn set(&mut self, sums: &BetSums) {
        self.lines = sums.lines;
        self.won = sums.won;
        self.push = sums.push;
        self.lost = sums.lost;
        self.uncovered = sums.uncovered;
        self.staked_minor = sums.staked;
        self.returned_minor = sums.returned;
        self.squares = sums.squares;
        self.products = sums.products;
        self.product_squares = sums.product_squares;
        for (row, hits) in self.rows.iter_mut().zip(&sums.rows) {
            row.hits = *hits;
        }
    }

    /// Whether the exact values and the names are the same.
    fn is_alike(&self, other: &Self) -> bool {
        let rows = |bet: &Self| -> Vec<(String, Option<String>)> {
            bet.rows.iter().map(|row| (row.row.clone(), row.exact.clone())).collect()
        };
        (&self.bet, self.stake_minor, &self.exact) == (&other.bet, other.stake_minor, &other.exact)
            && rows(self) == rows(other)
    }
}

impl SimulationDocument {
    pub(super) fn new(run: SimulationRun, ranges: Vec<[u64; 2]>, bets: Vec<SimulatedBet>) -> Self {
        Self { format: FORMAT.to_owned(), run, ranges, bets }
    }

    /// Reads a document, or returns its fault.
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        let document: Self = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if document.format != FORMAT {
            return Err(format!("unsupported format {}; expected {FORMAT}", document.format));
        }
        let rising = document.ranges.is_sorted_by(|a, b| a[1] < b[0]);
        if !rising
            || document.ranges.iter().any(|[from, to]| from >= to || *to > document.run.rounds)
        {
            return Err(
                "the round ranges are not ascending, or exceed the number of rounds".to_owned()
            );
        }
        Ok(document)
    }

    /// How many rounds were played.
    pub(super) fn played(&self) -> u64 {
        self.ranges.iter().map(|[from, to]| to - from).sum()
    }

    /// Adds another part of the same simulation, or returns the reason why it does not fit.
    pub(super) fn add(&mut self, other: &Self) -> Result<(), String> {
        if self.run != other.run {
            return Err(
                "not of the same simulation: ruleset, seats, seed or rounds differ".to_owned()
            );
        }
        let alike = self.bets.len() == other.bets.len()
            && self.bets.iter().zip(&other.bets).all(|(ours, theirs)| ours.is_alike(theirs));
        if !alike {
            return Err("not of the same simulation: bets, rows or exact values differ".to_owned());
        }
        let mut ranges = [self.ranges.clone(), other.ranges.clone()].concat();
        ranges.sort_unstable();
        let mut joined: Vec<[u64; 2]> = Vec::new();
        for [from, to] in ranges {
            match joined.last_mut() {
                Some([_, end]) if from < *end => {
                    return Err(format!(
                        "rounds {from} to {} are in two results",
                        to.min(*end) - 1
                    ));
                }
                Some([_, end]) if from == *end => *end = to,
                Some(_) | None => joined.push([from, to]),
            }
        }
        self.ranges = joined;
        for (ours, theirs) in self.bets.iter_mut().zip(&other.bets) {
            ours.add(theirs);
        }
        Ok(())
    }

    /// Estimates everything again from the sums.
    pub(super) fn estimate(&mut self) {
        let (rounds, seats) = (self.played(), self.run.seats);
        for bet in &mut self.bets {
            bet.estimate = estimate(bet, rounds, seats);
            bet.two_seats = two_seats(bet, rounds, seats);
            let lines = bet.lines;
            for row in &mut bet.rows {
                row.estimate = row_estimate(row, lines, seats);
            }
        }
    }

    /// Returns whether chance does not explain the distance of some z-score from 0.
    pub(super) fn is_far(&self) -> bool {
        let of_bets = self.bets.iter().filter_map(|bet| bet.estimate.as_ref()?.z.as_ref());
        let rows = self.bets.iter().flat_map(|bet| &bet.rows);
        let of_rows = rows.filter_map(|row| row.estimate.as_ref()?.z.as_ref());
        of_bets.chain(of_rows).any(|z| is_far(z))
    }
}
