//! `paigow-lab house-way`: the content of a house way, and the proof that it sets every hand.

use std::io::Write;
use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::load_house_way;
use super::{CommandError, CommandOutcome, counted};
use paigow_fairness::seed::house_way_hash;
use paigow_rules::hands::{JokerUse, Wheel};
use paigow_rules::house_way::{HouseWay, Proof, Refutation};

/// The quick proof checks one hand of so many, up to a renaming of suits.
const SAMPLE: usize = 101;
/// How many hands of six and of seven of 53 cards there are.
const HANDS_OF_SIX: u64 = 22_957_480;
const HANDS_OF_SEVEN: u64 = 154_143_080;
/// The number of hands after which the progress bar moves.
const TOLD_HANDS: u64 = 1 << 16;

/// Loads a house way and writes a report. `name` is the id of a compiled-in way or the path of a
/// file.
///
/// For a faulty file the report lists every fault. Otherwise it has title, source, content hash and
/// clauses. It then has the result of the proof over a sample of all hands or, with `every_hand`,
/// over all.
///
/// # Errors
///
/// If there is no such way and no such file, the file cannot be read, or output fails.
pub fn run(
    name: &str,
    every_hand: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let way = match load_house_way(name)? {
        Ok(way) => way,
        Err(faults) => {
            for fault in &faults {
                writeln!(out, "{name}: {fault}")?;
            }
            writeln!(out, "{name}: {}; not a house way", counted(faults.len(), "fault"))?;
            return Ok(CommandOutcome::WithFindings);
        }
    };
    describe(&way, out)?;
    out.flush()?;

    let start = Instant::now();
    Ok(match prove(&way, every_hand) {
        Ok(proof) => {
            tell(&way, &proof, every_hand, start.elapsed(), out)?;
            CommandOutcome::Well
        }
        Err(refutation) => {
            writeln!(out, "refuted   {refutation}")?;
            CommandOutcome::WithFindings
        }
    })
}

fn describe(way: &HouseWay, out: &mut dyn Write) -> Result<(), CommandError> {
    let wheel = match way.wheel() {
        Wheel::Second => "second highest",
        Wheel::Lowest => "lowest",
    };
    let joker = match way.joker() {
        JokerUse::SemiWild => "semi-wild",
        JokerUse::Wild => "wild",
    };
    writeln!(out, "id        {}", way.id())?;
    writeln!(out, "title     {}", way.title())?;
    writeln!(out, "source    {}", way.source())?;
    writeln!(out, "hash      {}", house_way_hash(way.id(), way.text().as_bytes()))?;
    writeln!(out, "cards     {}, A-2-3-4-5 the {wheel} straight", way.cards())?;
    writeln!(out, "joker     {joker}")?;
    writeln!(out, "clauses   {}", way.clauses().len())?;
    let width = way.clauses().iter().map(|clause| clause.id.len()).max().unwrap_or(0);
    for clause in way.clauses() {
        writeln!(out, "  {:width$}  {}", clause.id, clause.text)?;
    }
    Ok(())
}

/// Proves the way over its share of all hands on every core.
fn prove(way: &HouseWay, every_hand: bool) -> Result<Proof, Refutation> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let sample = if every_hand { 1 } else { SAMPLE };
    let progress = if every_hand { progress_bar(way) } else { ProgressBar::hidden() };
    let share = |worker: usize| {
        let mut untold = 0;
        way.prove(worker * sample, workers * sample, |hands| {
            untold += hands;
            if untold >= TOLD_HANDS {
                progress.inc(untold);
                untold = 0;
            }
        })
    };
    let shares: Vec<Result<Proof, Refutation>> = thread::scope(|scope| {
        let share = &share;
        let threads: Vec<_> =
            (0..workers).map(|worker| scope.spawn(move || share(worker))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    progress.finish_and_clear();
    let mut proof = Proof::default();
    for share in shares {
        proof.add(share?);
    }
    Ok(proof)
}

/// Writes the result of the proof. For a proof of all hands, also how many each clause decides.
fn tell(
    way: &HouseWay,
    proof: &Proof,
    every_hand: bool,
    took: Duration,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let every = if every_hand { "all " } else { "a sample of " };
    writeln!(
        out,
        "proved    {every}{} hands, {} up to a renaming of suits, in {}.{} s: each is set, with \
         its own cards, never foul, alike whatever its suits",
        grouped(proof.hands),
        grouped(proof.canonical_hands),
        took.as_secs(),
        took.subsec_millis() / 100,
    )?;
    if !every_hand {
        writeln!(out, "          --every-hand proves all of them")?;
        return Ok(());
    }
    writeln!(out, "decided   by")?;
    for (cited, hands) in &proof.decided {
        writeln!(out, "  {:>11}  {cited}", grouped(*hands))?;
    }
    let cited: Vec<&str> = proof.decided.keys().flat_map(|cited| cited.split('/')).collect();
    for clause in way.clauses().iter().filter(|clause| !cited.contains(&clause.id.as_str())) {
        writeln!(out, "  {:>11}  {}", "none", clause.id)?;
    }
    Ok(())
}

/// Writes a number with a comma after every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn progress_bar(way: &HouseWay) -> ProgressBar {
    let template = "{wide_bar} {human_pos}/{human_len} hands, {eta} to go";
    let style = ProgressStyle::with_template(template).expect("a constant that a test draws");
    let hands = if way.cards() == 6 { HANDS_OF_SIX } else { HANDS_OF_SEVEN };
    ProgressBar::new(hands).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_rules::house_way::shipped;

    #[test]
    fn the_bar_is_drawn() {
        for way in shipped() {
            assert!(progress_bar(way).length().is_some());
        }
    }

    #[test]
    fn numbers_are_grouped_by_three_digits() {
        for (number, text) in [(7, "7"), (999, "999"), (1_000, "1,000"), (22_957_480, "22,957,480")]
        {
            assert_eq!(grouped(number), text);
        }
    }
}
