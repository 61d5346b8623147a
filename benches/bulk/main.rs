//! How many rounds a second one processor simulates, and replays from their seeds.
//!
//! ```console
//! $ cargo bench --bench bulk
//! $ cargo bench --bench bulk -- online 4 replay
//! ```
//!
//! A name is the ruleset, `express` if absent, and a number how many million rounds of two
//! hands are simulated in a turn; whole rounds are a hundredth of that. Processor time of
//! the whole process with one thread of work, medians of turns; the tables are made before.

#![expect(clippy::float_arithmetic, reason = "rates are shown with decimals")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io;

use paigow::cards::Seat;
use paigow::engine::audit::{ReplayRequest, ReplaySeed, replay};
use paigow::engine::{Catalogue, ListedGame};
use paigow::fairness::secret::RoundSeed;
use paigow::fairness::shuffle;
use paigow::game::{
    Coverage, Currency, Decision, Fact, Facts, MAX_BANK, SettingChoice, Wager, WagerSheet,
};
use paigow::lab::simulate::{Shard, Simulate, run};

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
    Ok(())
}

/// What a run can be about.
const SUBJECTS: [&str; 2] = ["simulate", "replay"];

fn simulate(game: &ListedGame, many: u64) -> Result<(), Box<dyn Error>> {
    let request = |rounds, seats, two_hands| Simulate {
        rounds,
        seats,
        double_down: false,
        two_hands,
        seed: [7; 32],
        shard: Shard::WHOLE,
        threads: Some(1),
        json: true,
    };
    let simulated = |request: &Simulate| -> Result<(), Box<dyn Error>> {
        run(game, request, &mut io::sink())?;
        Ok(())
    };
    // Without what it takes to make the tables of the two hands.
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

/// Rounds recomputed from their seeds, and what of it is cards and dice alone.
fn replays(catalogue: &Catalogue, game: &ListedGame, many: u64) -> Result<(), Box<dyn Error>> {
    let time = median(many, || {
        for number in 0..many {
            let seed = round_seed(number);
            black_box((shuffle::full_deck(&seed), shuffle::dice(&seed)));
        }
        Ok(())
    })?;
    show("cards and dice from a seed", many, time);
    for seats in [1, game.ruleset.seats()] {
        let (rounds, request) = (many / u64::from(seats), replay_request(game, seats));
        let time = median(rounds, || {
            let mut request = request.clone();
            for number in 0..rounds {
                request.seed = ReplaySeed::Round(round_seed(number));
                black_box(replay(catalogue, &request)).map_err(|refusal| refusal.message)?;
            }
            Ok(())
        })?;
        show(&format!("replay from a seed, base wagers, settled, seats: {seats}"), rounds, time);
    }
    Ok(())
}

fn round_seed(number: u64) -> RoundSeed {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    RoundSeed::new(seed)
}

fn replay_request(game: &ListedGame, seats: u8) -> ReplayRequest {
    let seats = || Seat::players(seats);
    let asks = |fact: Fact| game.ruleset.required_facts().contains(&fact);
    let wager = |seat| Wager { seat, bet: "base".to_owned(), amount_minor: 10_000, choice: None };
    let currency = game.ruleset.currency().cloned();
    let any = || Currency::new("XXX", 2).expect("three letters and two places");
    let decision = Decision { setting: SettingChoice::HouseWay, double_down: false };
    ReplayRequest {
        seed: ReplaySeed::Round(RoundSeed::new([0; 32])),
        ruleset: game.ruleset.id().to_owned(),
        sheet: WagerSheet {
            currency: currency.unwrap_or_else(any),
            wagers: seats().map(wager).collect(),
            facts: Facts {
                chip_minor: asks(Fact::ChipMinor).then_some(1),
                action_pile: asks(Fact::ActionPile).then_some(0),
                bank_minor: (game.ruleset.coverage() == Coverage::PlayerDealer).then_some(MAX_BANK),
                ..Facts::default()
            },
        },
        client_seeds: BTreeMap::new(),
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

/// Returns the nanoseconds that the threads of this process have run, those that have ended
/// too, as Linux counts them.
fn processor_time() -> Result<u64, Box<dyn Error>> {
    // utime and stime, in ticks of ten milliseconds, are fields 14 and 15.
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
    Ok(ticks.sum::<Result<u64, _>>()? * 10_000_000)
}
