//! Measures how many rounds a second one processor simulates, and replays from their seeds, and how
//! long it takes to count the hands of the bonus bets.
//!
//! ```console
//! $ cargo bench --bench bulk
//! $ cargo bench --bench bulk -- online 4 replay
//! ```
//!
//! A name is the ruleset; `express` if absent. A number is how many million rounds of two hands are
//! simulated in a turn; 20 if absent. Whole rounds are a hundredth of that, and replays a twentieth.
//! The subjects are all of these, or those that are named:
//!
//! - `simulate`: two hands looked up with every bet. Then whole rounds dealt, set and settled
//!   with every bet at one seat and at all, the decks from one stream.
//! - `replay`: rounds of base wagers from the seed of each, at one seat and at all, as
//!   `Audit` replays a round without records. It checks wagers, shuffles the deck, throws dice, deals
//!   cards, sets hands by the house way and settles everything, without a signature. The same with
//!   the seed derived from the secret of an epoch. Then, with the wagers checked before, from
//!   the server seed in a settlement, with the commitment of the round, of the deck or
//!   both recomputed. Beside it the time of the deck and the dice alone.
//! - `bets`: the rows of all bonus bets of all rulesets, exactly. Then every hand of seven
//!   cards looked up one by one, whose counts are compared with those.
//!
//! All figures are processor time of the whole process, user and system, with one worker thread. They
//! are the median of five turns. Tables are made before.

#![expect(clippy::float_arithmetic, reason = "rates are shown with decimals")]

mod bets;

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io;

use paigow_fairness::encoding::Hash;
use paigow_fairness::secret::{EpochSecret, RoundSeed, ServerSeed};
use paigow_fairness::seed::{self, Coordinates};
use paigow_fairness::shuffle;
use paigow_lab::shard::Shard;
use paigow_lab::simulate::{SimulationRequest, run};
use paigow_round::audit::{ReplayRequest, ReplaySeed, replay};
use paigow_round::{Catalogue, ListedGame};
use paigow_rules::cards::Seat;
use paigow_rules::game::{
    Coverage, Currency, Decision, MAX_BANK, SettingChoice, TableFact, TableFacts, Wager, WagerSheet,
};

/// The servers' allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How often each is measured; the median is shown.
const TURNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let millions: u64 = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(20);
    let words = arguments.iter().filter(|argument| argument.parse::<u64>().is_err());
    let (subjects, names): (Vec<&String>, Vec<&String>) =
        words.partition(|word| SUBJECTS.contains(&word.as_str()));
    let wanted = |subject| subjects.is_empty() || subjects.iter().any(|word| *word == subject);
    let catalogue = Catalogue::shipped();
    let game = catalogue.game_named(names.first().map_or("express", |name| name.as_str()))?;
    let many = millions * 1_000_000;
    game.house_way.compile_now();
    println!("{}: rounds a second, one thread", game.ruleset.id());
    if wanted("simulate") {
        simulate(game, many)?;
    }
    if wanted("replay") {
        replays(&catalogue, game, many / 20)?;
    }
    if wanted("bets") {
        println!("all rulesets");
        bets::measure(&catalogue)?;
    }
    Ok(())
}

/// The subjects of a run.
const SUBJECTS: [&str; 3] = ["simulate", "replay", "bets"];

fn simulate(game: &ListedGame, many: u64) -> Result<(), Box<dyn Error>> {
    let request = |rounds, seats, two_hands| SimulationRequest {
        rounds,
        seats,
        double_down: false,
        two_hands,
        seed: [7; 32],
        shard: Shard::WHOLE,
        threads: Some(1),
        json: true,
    };
    let simulated = |request: &SimulationRequest| -> Result<(), Box<dyn Error>> {
        run(game, request, &mut io::sink())?;
        Ok(())
    };
    // Without the time to make the tables of the two hands.
    let tables = median(1, || simulated(&request(1, 1, true)))?;
    let two_hands = median(many, || simulated(&request(many, 1, true)))?;
    show("simulate, two hands, every bet", many, two_hands - tables);
    let seats = game.ruleset.seats();
    for seats in [1, seats] {
        let rounds = many / 100 / u64::from(seats);
        let time = median(rounds, || simulated(&request(rounds, seats, false)))?;
        show(&format!("simulate, whole rounds, every bet, seats: {seats}"), rounds, time);
    }
    Ok(())
}

/// Measures rounds recomputed from their seeds, and the part of deck and dice alone.
fn replays(catalogue: &Catalogue, game: &ListedGame, many: u64) -> Result<(), Box<dyn Error>> {
    let time = median(many, || {
        for number in 0..many {
            let seed = round_seed(number);
            black_box((shuffle::full_deck(&seed), shuffle::dice(&seed)));
        }
        Ok(())
    })?;
    show("deck and dice from a seed", many, time);
    for seats in [1, game.ruleset.seats()] {
        let rounds = many / u64::from(seats);
        let time = replay_each(catalogue, &replay_request(game, seats), rounds, |seed, number| {
            *seed = ReplaySeed::Round(round_seed(number));
        })?;
        show(&format!("replay from a seed, base wagers, settled, seats: {seats}"), rounds, time);
    }
    let coordinates =
        Coordinates { epoch: 1, tenant: "acme".parse()?, table: "T1".parse()?, round_no: 1 };
    let seed =
        ReplaySeed::Epoch { secret: EpochSecret::new([7; 32]), salt: Hash::ZERO, coordinates };
    let request = ReplayRequest { seed, ..replay_request(game, 1) };
    let time = replay_each(catalogue, &request, many, |seed, number| {
        if let ReplaySeed::Epoch { coordinates, .. } = seed {
            coordinates.round_no = number;
        }
    })?;
    show("replay from an epoch's secret, seats: 1", many, time);
    for (name, of) in [
        ("its commitment", Commitments { round: true, deck: false }),
        ("the deck's commitment", Commitments { round: false, deck: true }),
        ("both commitments", Commitments { round: true, deck: true }),
    ] {
        let time = settled_each(game, many, of)?;
        show(&format!("settled round with {name}, seats: 1"), many, time);
    }
    Ok(())
}

/// Which commitments are recomputed.
#[derive(Clone, Copy)]
struct Commitments {
    /// That of the round, in the ticket.
    round: bool,
    /// That of the deck, in the deal.
    deck: bool,
}

/// Returns the nanoseconds for this many settled rounds with a known server seed and checked wagers.
/// It derives the round seed, shuffles the deck, throws dice, recomputes commitments, deals cards,
/// sets hands and settles wagers.
fn settled_each(
    game: &ListedGame,
    rounds: u64,
    commitments: Commitments,
) -> Result<u64, Box<dyn Error>> {
    let request = replay_request(game, 1);
    let table = game.ruleset.check(&request.sheet).map_err(|faults| format!("{faults:?}"))?;
    let decisions = request.decisions.into_iter().collect();
    let (block, engine) = (seed::client_block([]), "paigow-1".parse()?);
    median(rounds, || {
        for number in 1..=rounds {
            let mut id = [0; 32];
            id[..8].copy_from_slice(&number.to_le_bytes());
            let (server, id) = (ServerSeed::new(id), Hash::from_bytes(id));
            let seed = seed::round_seed(&server, &id, &block, &[]);
            let (deck, dice) = (shuffle::full_deck(&seed), shuffle::dice(&seed));
            if commitments.round {
                black_box(seed::round_commit(&server, &id, &game.hash, &engine));
            }
            if commitments.deck {
                black_box(seed::deck_commit(&seed, &deck[..]));
            }
            let dealt = game.ruleset.deal(&table, &deck, dice);
            let settled = game.ruleset.settle(&game.house_way, &table, &dealt, &decisions);
            if let Err(error) = black_box(&settled) {
                return Err(error.to_string().into());
            }
        }
        Ok(())
    })
}

/// Returns the nanoseconds for this many replays, each with its own seed.
fn replay_each(
    catalogue: &Catalogue,
    request: &ReplayRequest,
    rounds: u64,
    seed: impl Fn(&mut ReplaySeed, u64),
) -> Result<u64, Box<dyn Error>> {
    median(rounds, || {
        let mut request = request.clone();
        for number in 1..=rounds {
            seed(&mut request.seed, number);
            let replayed = replay(catalogue, &request);
            if let Err(refusal) = black_box(&replayed) {
                return Err(refusal.message.clone().into());
            }
        }
        Ok(())
    })
}

fn round_seed(number: u64) -> RoundSeed {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    RoundSeed::new(seed)
}

fn replay_request(game: &ListedGame, seats: u8) -> ReplayRequest {
    let seats = || Seat::players(seats);
    let asks = |fact: TableFact| game.ruleset.required_facts().contains(&fact);
    let wager = |seat| Wager { seat, bet: "base".into(), amount_minor: 10_000, choice: None };
    let currency = game.ruleset.currency().cloned();
    let any = || Currency::new("XXX", 2).expect("three letters and two places");
    let decision = Decision { setting: SettingChoice::HouseWay, double_down: false };
    ReplayRequest {
        seed: ReplaySeed::Round(RoundSeed::new([0; 32])),
        ruleset: game.ruleset.id().to_owned(),
        sheet: WagerSheet {
            currency: currency.unwrap_or_else(any),
            wagers: seats().map(wager).collect(),
            facts: TableFacts {
                chip_minor: asks(TableFact::ChipMinor).then_some(1),
                action_pile: asks(TableFact::ActionPile).then_some(0),
                bank_minor: (game.ruleset.coverage() == Coverage::PlayerDealer).then_some(MAX_BANK),
                ..TableFacts::default()
            },
        },
        client_seeds: Vec::new(),
        decisions: seats().map(|seat| (seat, decision.clone())).collect(),
    }
}

/// Returns the median of the nanoseconds of processor time that `work` takes.
fn median(
    rounds: u64,
    work: impl Fn() -> Result<(), Box<dyn Error>>,
) -> Result<u64, Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..if rounds > 1 { TURNS } else { 1 } {
        let before = processor_time()?;
        work()?;
        times.push(processor_time()? - before);
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}

#[expect(clippy::cast_precision_loss, reason = "a rate is shown with three digits")]
fn show(what: &str, rounds: u64, nanoseconds: u64) {
    let rate = rounds as f64 * 1000.0 / nanoseconds as f64;
    println!("  {what:<52} {rate:>8.3} million, {:>6} ns each", nanoseconds / rounds);
}

#[expect(clippy::cast_precision_loss, reason = "a time is shown with one digit")]
fn milliseconds(what: &str, nanoseconds: u64) {
    println!("  {what:<52} {:>8.1} ms", nanoseconds as f64 / 1e6);
}

/// Returns the nanoseconds that the threads of this process have run, those that have ended
/// too, as Linux counts them.
fn processor_time() -> Result<u64, Box<dyn Error>> {
    // utime and stime, in ticks of ten milliseconds, are fields 14 and 15.
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
    Ok(ticks.sum::<Result<u64, _>>()? * 10_000_000)
}
