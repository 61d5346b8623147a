//! `paigow-lab simulate`: rounds dealt and settled by the engine's own code. They check the exact
//! figures independently.

mod document;
mod estimate;
mod exact;
mod report;
pub(crate) mod seeds;
pub(crate) mod sheet;
mod sums;
mod two_hands;

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use self::document::{SimulationDocument, SimulationRun};
use self::sheet::SimulationTable;
use self::sums::{SimulatedBets, SimulationSums};
use self::two_hands::{TwoHandCounts, TwoHandSimulation};
use super::in_order::in_order;
use super::shard::Shard;
use super::{CommandError, CommandOutcome, read_file};
use paigow_fairness::shuffle;
use paigow_round::{ENGINE_ID, ListedGame};

/// How many rounds a thread plays at a time.
const ROUNDS_OF_A_JOB: u64 = 1024;
/// How many blocks of two hands a thread plays at a time.
const BLOCKS_OF_A_JOB: u64 = 64;

/// The number of rounds from which the table of the house way is worth making.
const COMPILES: u64 = 50_000;

/// The request of `paigow-lab simulate`.
#[derive(Clone, Debug)]
pub struct SimulationRequest {
    /// How many rounds all shards have together.
    pub rounds: u64,
    /// How many seats play; each has every bet.
    pub seats: u8,
    /// Whether every seat doubles down, if the game has double downs.
    pub double_down: bool,
    /// Whether only two hands a round are dealt, and looked up: many times as fast.
    pub two_hands: bool,
    /// The seed that all round seeds follow from.
    pub seed: [u8; 32],
    /// The part of the rounds that is played.
    pub shard: Shard,
    /// The number of threads; [`None`] is one for each processor.
    pub threads: Option<usize>,
    /// Writes JSON, which `merge` takes, instead of a table.
    pub json: bool,
}

/// Plays the rounds of a shard and writes the result.
///
/// # Errors
///
/// If the ruleset has no such seats or double down, or output fails.
pub fn run(
    game: &ListedGame,
    request: &SimulationRequest,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let layout = sheet::layout(game, request.seats, request.double_down)?;
    let bets = SimulatedBets::of(&game.ruleset);
    let range = request.shard.range(request.rounds);
    let sums = if request.two_hands {
        play_two_hands(game, &layout, &bets, request, range)?
    } else {
        play(game, &layout, &bets, request, range)?
    };
    let (dealt, seeds) = if request.two_hands {
        ("two hands a round, looked up by class", two_hands::DERIVATION)
    } else {
        ("whole rounds, settled by the engine", seeds::DERIVATION)
    };
    let blind = if game.ruleset.exposes_dealer() {
        "; no seat looks at the dealer's hand, so the returns are not those of this game's players"
    } else {
        ""
    };
    let run = SimulationRun {
        engine: ENGINE_ID.to_owned(),
        ruleset: game.ruleset.id().to_owned(),
        ruleset_hash: game.hash.to_string(),
        house_way: game.house_way.id().to_owned(),
        house_way_hash: game.house_way_hash.to_string(),
        dealt: format!("{dealt}{blind}"),
        seats: request.seats,
        double_down: request.double_down,
        seed: hex::encode(request.seed),
        seeds: seeds.to_owned(),
        rounds: request.rounds,
    };
    let ranges = if range[0] < range[1] { vec![range] } else { Vec::new() };
    let mut bets = exact::bets(game, &bets, &layout.stakes);
    for (bet, sums) in bets.iter_mut().zip(&sums.bets) {
        bet.set(sums);
    }
    tell(SimulationDocument::new(run, ranges, bets), request.json, out)
}

/// Merges the results of shards, in JSON as `run` writes it.
///
/// # Errors
///
/// If a file cannot be read or is not such a result. Also if two are of different simulations or
/// have rounds in common, or if output fails.
pub fn merge(
    files: &[PathBuf],
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let mut merged: Option<SimulationDocument> = None;
    for path in files {
        let data = |what: String| CommandError::Data(format!("{}: {what}", path.display()));
        let next = SimulationDocument::parse(&read_file(path)?).map_err(data)?;
        match &mut merged {
            Some(merged) => merged.add(&next).map_err(data)?,
            None => merged = Some(next),
        }
    }
    let merged = merged
        .ok_or_else(|| CommandError::Usage("merge: give at least one result file".to_owned()))?;
    tell(merged, json, out)
}

fn tell(
    mut document: SimulationDocument,
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    document.estimate();
    if json {
        let text = serde_json::to_string_pretty(&document).map_err(std::io::Error::other)?;
        writeln!(out, "{text}")?;
    } else {
        report::text(&document, out)?;
    }
    Ok(if document.is_far() { CommandOutcome::WithFindings } else { CommandOutcome::Well })
}

fn play(
    game: &ListedGame,
    layout: &SimulationTable,
    bets: &SimulatedBets,
    request: &SimulationRequest,
    [from, to]: [u64; 2],
) -> Result<SimulationSums, CommandError> {
    let threads = request.threads.unwrap_or_else(paigow_files::system::processors);
    if to - from >= COMPILES {
        game.house_way.compile_now();
    }
    let bar = progress_bar(to - from, "rounds");
    let mut sums = SimulationSums::of(bets);
    let round = |sums: &mut SimulationSums, number: u64| -> Result<(), CommandError> {
        let seed = seeds::round(&request.seed, number);
        let (deck, dice) = (shuffle::full_deck(&seed), shuffle::dice(&seed));
        let dealt = game.ruleset.deal(&layout.table, &deck, dice);
        let settlement = game
            .ruleset
            .settle(&game.house_way, &layout.table, &dealt, &layout.decisions)
            .map_err(|error| CommandError::Data(format!("round {number}: {error}")))?;
        sums.add_round(bets, &settlement);
        Ok(())
    };
    in_order(
        threads,
        |rounds: Range<u64>| {
            let mut sums = SimulationSums::of(bets);
            rounds.into_iter().try_for_each(|number| round(&mut sums, number)).map(|()| sums)
        },
        |part: Result<SimulationSums, CommandError>| {
            let part = part?;
            bar.inc(part.rounds);
            sums.add(&part);
            Ok::<(), CommandError>(())
        },
        |give| in_parts(from..to, ROUNDS_OF_A_JOB, give),
    )?;
    bar.finish_and_clear();
    Ok(sums)
}

/// Plays two hands a round.
fn play_two_hands(
    game: &ListedGame,
    layout: &SimulationTable,
    bets: &SimulatedBets,
    request: &SimulationRequest,
    [from, to]: [u64; 2],
) -> Result<SimulationSums, CommandError> {
    if request.seats != 1 || request.double_down {
        let what = "--two-hands plays one seat and never doubles down";
        return Err(CommandError::Usage(what.to_owned()));
    }
    let threads = request.threads.unwrap_or_else(paigow_files::system::processors);
    let two_hands = TwoHandSimulation::new(game).map_err(CommandError::Data)?;
    let bar = progress_bar(to - from, "rounds");
    let mut counts = TwoHandCounts::new(&game.ruleset);
    in_order(
        threads,
        |rounds: Range<u64>| {
            let mut part = TwoHandCounts::new(&game.ruleset);
            in_parts(rounds, two_hands::BLOCK, &mut |rounds| {
                part.add(&two_hands.play(game, &request.seed, rounds));
                Ok::<(), CommandError>(())
            })
            .map(|()| part)
        },
        |part: Result<TwoHandCounts, CommandError>| {
            let part = part?;
            bar.inc(part.rounds());
            counts.add(&part);
            Ok::<(), CommandError>(())
        },
        |give| in_parts(from..to, two_hands::BLOCK * BLOCKS_OF_A_JOB, give),
    )?;
    bar.finish_and_clear();
    Ok(counts.sums(&game.ruleset, layout, bets))
}

/// Cuts a range of numbers at the multiples of `size`.
pub(crate) fn in_parts<E>(
    numbers: Range<u64>,
    size: u64,
    give: &mut dyn FnMut(Range<u64>) -> Result<(), E>,
) -> Result<(), E> {
    let mut next = numbers.start;
    while next < numbers.end {
        let end = numbers.end.min(next - next % size + size);
        give(next..end)?;
        next = end;
    }
    Ok(())
}

/// A bar for so many rounds or sessions.
pub(crate) fn progress_bar(count: u64, of: &'static str) -> ProgressBar {
    let template = "{wide_bar} {human_pos}/{human_len} {msg}, {per_sec}, {eta} to go";
    let style = ProgressStyle::with_template(template).expect("a constant that a test draws");
    ProgressBar::new(count).with_style(style).with_message(of)
}

#[cfg(test)]
mod tests;
