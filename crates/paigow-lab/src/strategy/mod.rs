//! `paigow-lab strategy`: a few rules that a person can learn, and the worth of each.

mod hand;
mod seven;
mod six;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use super::base_game::check;
use super::best::{percent, summed_on, with_progress};
use super::{CommandError, CommandOutcome, find_game};
use hand::StrategyHand;
use paigow_exact::{BestPlayCount, Played, PlayerStrategy};
use paigow_files::system;
use paigow_rules::cards::Card;
use paigow_rules::game::{Fraction, Ruleset};
use paigow_rules::hands::JokerUse;
use paigow_rules::house_way::{HouseWay, LowCards};

/// The request of `paigow-lab strategy`.
#[derive(Debug)]
pub struct StrategyRequest {
    /// The id or hash of a ruleset, or the path of its file.
    pub ruleset: String,
    /// House-way files in addition to those compiled in.
    pub house_ways: Vec<PathBuf>,
    /// How many threads; as many as there are cores if absent.
    pub threads: Option<NonZero<usize>>,
}

/// One rule of a strategy.
#[derive(Debug)]
struct StrategyStep {
    /// The rule in words.
    text: &'static str,
    /// Returns the low hand of a hand that the rule covers, if the setting is legal.
    low: fn(&StrategyHand) -> Option<LowCards>,
    /// Returns whether to double down, if the rule decides that.
    doubles: Option<fn(&StrategyHand, LowCards) -> bool>,
}

/// The first rules of a strategy. The last of them that covers a hand decides it.
#[derive(Debug)]
struct FirstSteps<'a> {
    ruleset: &'a Ruleset,
    house_way: &'a HouseWay,
    steps: &'static [StrategyStep],
}

impl PlayerStrategy for FirstSteps<'_> {
    fn low(&self, cards: &[Card]) -> Option<LowCards> {
        let hand = StrategyHand::of(self.ruleset, self.house_way, cards)?;
        self.steps.iter().rev().find_map(|step| (step.low)(&hand))
    }

    fn doubles(&self, cards: &[Card], low: LowCards) -> Option<bool> {
        let doubles = self.steps.iter().rev().find_map(|step| step.doubles)?;
        Some(doubles(&StrategyHand::of(self.ruleset, self.house_way, cards)?, low))
    }
}

fn steps(ruleset: &Ruleset) -> &'static [StrategyStep] {
    if ruleset.hand_cards() == 6 { &six::STEPS } else { &seven::STEPS }
}

/// Counts the worth of each rule of the strategy, and how much better best play still is, over
/// every pair of hands. The output is the same for any number of threads.
///
/// # Errors
///
/// - A ruleset or a house way is not found or is malformed.
/// - The ruleset exposes the dealer's hand, its joker is wild, or its base game cannot be counted.
/// - Output fails.
pub fn run(asked: &StrategyRequest, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let game = find_game(&asked.ruleset, &asked.house_ways)?;
    let (ruleset, house_way) = (&game.ruleset, &game.house_way);
    let data = |what: &str| CommandError::Data(format!("{}: {what}", ruleset.id()));
    if ruleset.exposes_dealer() {
        return Err(data(
            "the player sees the dealer's hand: these rules are for one who does not",
        ));
    }
    if ruleset.joker() == JokerUse::Wild {
        return Err(data("the joker is wild: these rules are for one that is semi-wild"));
    }
    check(ruleset, &[house_way])?;
    let steps = steps(ruleset);
    let first: Vec<FirstSteps<'_>> = (1..=steps.len())
        .map(|len| FirstSteps { ruleset, house_way, steps: &steps[..len] })
        .collect();
    let first: Vec<&dyn PlayerStrategy> = first.iter().map(|one| one as _).collect();
    let unfit = || data("a result is out of range");
    let count = BestPlayCount::with_strategies(ruleset, house_way, house_way, &first);
    let count = count.ok_or_else(unfit)?;
    let threads = asked.threads.map_or_else(system::processors, NonZero::get);
    let sum = with_progress(&count, |progress| summed_on(&count, threads, progress));
    let play = count.finish(&sum);
    let edge =
        |played: &Played| play.returns(played).and_then(|returns| returns.edge()).ok_or_else(unfit);
    let best = edge(&play.best)?;
    writeln!(out, "ruleset   {}", ruleset.id())?;
    writeln!(out, "dealer    sets by {}", house_way.id())?;
    if let Some(way) = &play.way {
        writeln!(out, "edge      {} % by house way", percent(edge(way)?))?;
    }
    writeln!(out, "          {} % by best play", percent(best))?;
    writeln!(out, "\nrule  house edge %  worth %    left to best play %")?;
    let mut before: Option<Fraction> = None;
    for (number, played) in (1..).zip(count.strategies(&sum)) {
        let after = edge(&played)?;
        let worth = before.and_then(|before| before.minus(after)).map_or_else(String::new, percent);
        let left = after.minus(best).map_or_else(String::new, percent);
        writeln!(out, "{number:<4}  {:<12}  {worth:<9}  {left}", percent(after))?;
        before = Some(after);
    }
    writeln!(out)?;
    for (number, step) in (1..).zip(steps) {
        writeln!(out, "{number}. {}", step.text)?;
    }
    Ok(CommandOutcome::Well)
}
