//! Faulted rounds. A world of replicas, platforms, an operator and object storage is a function of its seed.
//!
//! The handlers, the writer of the evidence, the reload of files, the client and its ledger are those of production.
//! Simulated are the clock, the network, chance, and what fails of a disk.
//!
//! Faults come between any two steps:
//!
//! - A process is killed or paused. A clock jumps. A version changes.
//! - A disk fills up, tears a write, fails a sync or loses power. A file is deleted.
//! - An answer is lost, or comes twice or late.
//! - The value of a beacon does not come, comes late, or is another one.
//! - Keys rotate. A second process takes a table over.
//!
//! At last the faults stop. Then these promises have to hold:
//!
//! - No question has two answers. No round has two deals or two closes.
//! - The evidence has every record that was answered, or a replica has raised that it lost a file.
//! - Every round is closed.
//! - No wagers are locked after the value that their round waits for is public.
//! - The amounts of a round add up to zero. They are the same in wallets and in audited transcripts.
//! - Every transcript audits.
//!
//! `SIMULATED_ROUNDS` is the number of rounds, `SIMULATION_FIRST_SEED` the first seed. With `SIMULATION_STOPS`, no world
//! is begun once a promise is broken. `SIMULATION_SEED` and `one_seed` play one world again; `SIMULATION_LOG` is a file
//! for its log. `tests/planted` plants bugs, and counts the rounds until each is found.
#![allow(clippy::unwrap_used)]

mod answers;
mod beacon;
mod disk;
mod machine;
mod network;
mod operator;
mod planted;
mod platform;
mod production;
mod replica;
mod storage;
mod world;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

// As the server: a world spends a fifth of its time in what allocates.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The rounds of a world.
const ROUNDS: usize = 200;

/// The rounds of the short form.
const SHORT: u64 = 20_000;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// Runs the worlds of seeds on every processor. Returns the number of rounds, and what was broken by seed. With `stops`,
/// no world is begun once a promise is broken.
fn run_worlds(first: u64, count: u64, stops: bool) -> (usize, Vec<(u64, Vec<String>)>) {
    let is_over = AtomicBool::new(false);
    let (next, workers) = (AtomicU64::new(0), std::thread::available_parallelism().unwrap().get());
    let work = || {
        let (mut rounds, mut broken) = (0, Vec::new());
        loop {
            let seed = next.fetch_add(1, Ordering::SeqCst);
            if seed >= count || (stops && is_over.load(Ordering::SeqCst)) {
                return (rounds, broken);
            }
            let outcome = world::run(first + seed, ROUNDS);
            rounds += outcome.rounds;
            if !outcome.broken.is_empty() {
                is_over.store(true, Ordering::SeqCst);
                broken.push((first + seed, outcome.broken));
            }
        }
    };
    let done: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a world does not panic")).collect()
    });
    let rounds = done.iter().map(|(rounds, _)| rounds).sum();
    let mut broken: Vec<_> = done.into_iter().flat_map(|(_, broken)| broken).collect();
    broken.sort();
    (rounds, broken)
}

#[test]
fn faulted_rounds_keep_every_promise() {
    let rounds = setting("SIMULATED_ROUNDS").unwrap_or(SHORT);
    let first = setting("SIMULATION_FIRST_SEED").unwrap_or(1);
    let began = Instant::now();
    let stops = setting("SIMULATION_STOPS").is_some();
    let (played, broken) = run_worlds(first, rounds.div_ceil(ROUNDS as u64), stops);
    let seconds = began.elapsed().as_secs_f64();
    println!("{played} faulted rounds in {seconds:.0} s");
    if let Some((seed, _)) = broken.first() {
        println!("found in the first {} rounds", (seed - first + 1) * ROUNDS as u64);
    }
    for (seed, broken) in &broken {
        println!("seed {seed}: {} promises broken, first {}", broken.len(), broken[0]);
        println!(
            "replay: SIMULATION_SEED={seed} cargo test --locked --workspace --test simulation one_seed"
        );
    }
    assert!(broken.is_empty(), "{} seeds have broken a promise", broken.len());
}

#[test]
fn one_seed_gives_the_same_bytes_twice() {
    // The rounds of the second world wait for a beacon, and take longer.
    let short = || vec![(7, ROUNDS), (8, ROUNDS / 4)];
    for (seed, rounds) in setting("SIMULATION_SEED").map_or_else(short, |seed| vec![(seed, ROUNDS)])
    {
        let first = world::run(seed, rounds);
        if let Ok(path) = std::env::var("SIMULATION_LOG") {
            std::fs::write(path, &first.log).unwrap();
        }
        let second = world::run(seed, rounds);
        if let Ok(path) = std::env::var("SIMULATION_LOG") {
            std::fs::write(path + ".again", &second.log).unwrap();
        }
        if let Some((one, other)) =
            first.log.lines().zip(second.log.lines()).find(|(one, other)| one != other)
        {
            panic!("seed {seed} has two stories:\n  {one}\n  {other}");
        }
        assert_eq!(first.log.len(), second.log.len(), "seed {seed}");
        assert!(first.broken.is_empty(), "seed {seed}: {:#?}", first.broken);
    }
}
