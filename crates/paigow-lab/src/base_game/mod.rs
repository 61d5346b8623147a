//! `paigow-lab base-game`: counts every pair of hands again, with the returns of the base game.

mod compare;
mod show;

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

use super::find_house_way;
use super::in_parts::in_parts;
use super::{CommandError, CommandOutcome, find_game};
use compare::{differ, not_compared};
use paigow_exact::{BaseGame, GameCount, Mark, PairCounts, ShowdownCounts, counts_of};
use paigow_files::system;
use paigow_round::ListedGame;
use paigow_rules::game::{BetSubject, Ruleset};
use paigow_rules::house_way::HouseWay;

/// The request of `paigow-lab base-game`.
#[derive(Debug)]
pub struct BaseGameRequest {
    /// The id or hash of a ruleset, or the path of its file.
    pub ruleset: String,
    /// House-way files in addition to those compiled in.
    pub house_ways: Vec<PathBuf>,
    /// The player's way, an id or a file; the ruleset's if absent.
    pub player: Option<String>,
    /// The way of the dealer or banker; the ruleset's if absent.
    pub dealer: Option<String>,
    /// How many threads; as many as there are cores if absent.
    pub threads: Option<NonZero<usize>>,
    /// Whether only the counts are written, in the form of the files of counts.
    pub counts: bool,
}

/// Counts every pair of hands of a ruleset's base game, and writes the counts and the returns. The
/// output is the same for any number of threads.
///
/// Ends with findings if the compiled-in counts differ. It compares those of the same marked hands,
/// and of the same commission on a double down.
///
/// # Errors
///
/// - A ruleset or a house way is not found or is malformed.
/// - The ways set another number of cards than the ruleset deals.
/// - The ruleset exposes the dealer's hand.
/// - Output fails.
pub fn run(asked: &BaseGameRequest, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let game = find_game(&asked.ruleset, &asked.house_ways)?;
    if game.ruleset.exposes_dealer() {
        return Err(CommandError::Data(blind(&game.ruleset)));
    }
    let way = |name: &Option<String>| match name {
        Some(name) => find_house_way(name),
        None => Ok(game.house_way.clone()),
    };
    let (player, dealer) = (way(&asked.player)?, way(&asked.dealer)?);
    let count = prepared(&game.ruleset, &player, &dealer)?;
    let threads = asked.threads.map_or_else(system::processors, NonZero::get);
    let bar = progress_bar(&count);
    let counts = count_on(&count, threads, |hands| bar.inc(hands));
    bar.finish_and_clear();
    let unfit = || CommandError::Data(format!("{}: a result is out of range", asked.ruleset));
    let counts = counts.ok_or_else(unfit)?;
    let known = counts_of(&game.ruleset, &dealer, &player);
    let differ = known.is_some_and(|known| differ(&counts, known));
    if asked.counts {
        write!(out, "{counts}")?;
    } else {
        let base = BaseGame::of(&game.ruleset, &counts).ok_or_else(unfit)?;
        show::base_game(&game.ruleset, &base, out)?;
        for bet in game.ruleset.bonus_bets() {
            if bet.looks_at == BetSubject::Showdown
                && let Some(counts) = ShowdownCounts::of(bet, &counts)
            {
                show::showdown(bet, &counts, out)?;
            }
        }
        let compiled_in = match known {
            None => "no counts of this pair are compiled in",
            Some(_) if differ => "NOT the counts that are compiled in",
            Some(_) => "the counts that are compiled in are the same",
        };
        writeln!(out, "\n{compiled_in}")?;
        if let Some(known) = known {
            for what in not_compared(&counts, known) {
                writeln!(out, "none are compiled in of {what}")?;
            }
        }
    }
    Ok(if differ { CommandOutcome::WithFindings } else { CommandOutcome::Well })
}

/// Returns the reason why a ruleset that exposes the dealer's hand has no figure.
fn blind(ruleset: &Ruleset) -> String {
    format!(
        "{}: the deal shows the dealer's hand, and base-game counts a player who does not see it: \
         the blind figure is not that of this game",
        ruleset.id()
    )
}

/// Counts every pair of hands of a game with its house way on both sides, on as many threads as
/// there are cores.
///
/// Returns [`None`] if its base game cannot be counted.
pub(crate) fn counted(game: &ListedGame) -> Option<PairCounts> {
    let count = prepared(&game.ruleset, &game.house_way, &game.house_way).ok()?;
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let bar = progress_bar(&count);
    let counts = count_on(&count, threads, |hands| bar.inc(hands));
    bar.finish_and_clear();
    counts
}

fn prepared(
    ruleset: &Ruleset,
    player: &HouseWay,
    dealer: &HouseWay,
) -> Result<GameCount, CommandError> {
    check(ruleset, &[player, dealer])?;
    GameCount::new(ruleset, player, dealer)
        .ok_or_else(|| CommandError::Data(format!("{}: a result is out of range", ruleset.id())))
}

/// Checks that the base game of a ruleset can be counted with these ways.
pub(crate) fn check(ruleset: &Ruleset, ways: &[&HouseWay]) -> Result<(), CommandError> {
    for way in ways {
        if way.cards() != ruleset.hand_cards() {
            let what = format!(
                "house way {} sets {} cards, but ruleset {} deals {}",
                way.id(),
                way.cards(),
                ruleset.id(),
                ruleset.hand_cards()
            );
            return Err(CommandError::Usage(what));
        }
        if way.ranking() != ruleset.ranking() {
            let what = format!(
                "house way {} ranks A-2-3-4-5 or the joker differently from ruleset {}",
                way.id(),
                ruleset.id()
            );
            return Err(CommandError::Usage(what));
        }
    }
    Mark::of(ruleset)
        .map(drop)
        .map_err(|fault| CommandError::Data(format!("{}.{fault}", ruleset.id())))
}

/// Runs every task of a count on so many threads, and reports the number of finished hands to
/// `progress` from time to time. The result is the same for any number of threads. Returns [`None`]
/// if it is not that of all pairs.
pub fn count_on(
    count: &GameCount,
    threads: usize,
    progress: impl Fn(u64) + Sync,
) -> Option<PairCounts> {
    let parts = in_parts(
        count.tasks(),
        threads,
        || count.nothing(),
        |task, part| {
            count.run(task, part);
            progress(task.hands());
        },
    );
    let mut sum = count.nothing();
    for part in &parts {
        sum.add(part);
    }
    count.finish(&sum)
}

fn progress_bar(count: &GameCount) -> ProgressBar {
    let template = "{wide_bar} {human_pos}/{human_len} hands, {eta} to go";
    let style = ProgressStyle::with_template(template).expect("a constant that a test draws");
    let hands = count.tasks().iter().map(|task| task.hands()).sum();
    ProgressBar::new(hands).with_style(style)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use paigow_rules::game;

    /// Writes Express with another push to a file, whatever it returns.
    fn express_pushing_on(hand: &str) -> tempfile::NamedTempFile {
        let express = game::shipped().iter().find(|rules| rules.id() == "express").unwrap();
        let push = |hand: &str| format!("push_on_dealer = {hand}");
        let queens = "[\"pai_gow\", \"highest:Q\"]";
        let text = express.text().replacen(&push(queens), &push(hand), 1);
        let text = text.replacen("_advantage = false", "_advantage = true", 1);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    fn asked(ruleset: &str, player: Option<&str>) -> BaseGameRequest {
        BaseGameRequest {
            ruleset: ruleset.to_owned(),
            house_ways: Vec::new(),
            player: player.map(str::to_owned),
            dealer: None,
            threads: None,
            counts: false,
        }
    }

    #[test]
    fn the_bar_is_drawn() {
        let mini = find_game("mini", &[]).unwrap();
        let count = prepared(&mini.ruleset, &mini.house_way, &mini.house_way).unwrap();
        // Every hand that holds all of a set, over all sets up to a renaming of suits. There are at
        // least those that hold the empty set.
        assert!(progress_bar(&count).length() > Some(22_957_480));
    }

    #[test]
    #[ignore = "long: every pair of hands of six cards twice"]
    fn the_number_of_threads_changes_nothing() {
        let mini = find_game("mini", &[]).unwrap();
        let count = prepared(&mini.ruleset, &mini.house_way, &mini.house_way).unwrap();
        let hands = AtomicUsize::new(0);
        let told = |done: u64| {
            hands.fetch_add(usize::try_from(done).unwrap(), Ordering::Relaxed);
        };
        let on_three = count_on(&count, 3, told).unwrap();
        assert_eq!(Some(hands.into_inner() as u64), progress_bar(&count).length());
        assert_eq!(count_on(&count, 1, |_| {}), Some(on_three));
    }

    #[test]
    fn ways_for_other_games_are_refused() {
        let refused = |player: &str| {
            run(&asked("mikes", Some(player)), &mut Vec::new()).unwrap_err().to_string()
        };
        assert_eq!(refused("mini"), "house way mini sets 6 cards, but ruleset mikes deals 7");
        assert!(refused("nobody").starts_with("nobody: neither a file nor one of: "));
    }

    #[test]
    fn a_ruleset_with_another_push_ends_well() {
        let file = express_pushing_on("[\"pai_gow\", \"highest:J\"]");
        let mut out = Vec::new();
        let ended = run(&asked(file.path().to_str().unwrap(), None), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(ended, CommandOutcome::Well, "{text}");
        let end = "\nthe counts that are compiled in are the same\n\
                   none are compiled in of the hands in which the dealer holds jack_high\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn a_ruleset_that_exposes_the_dealers_hand_is_refused() {
        let express = game::shipped().iter().find(|one| one.id() == "express");
        let own = express.unwrap().text().replacen(
            "coverage = \"house\"",
            "coverage = \"house\"\nexpose = \"dealer\"",
            1,
        );
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), own).unwrap();
        let asked = asked(file.path().to_str().unwrap(), None);
        assert_eq!(
            run(&asked, &mut Vec::new()).unwrap_err().to_string(),
            "express: the deal shows the dealer's hand, and base-game counts a player who does not \
             see it: the blind figure is not that of this game"
        );
    }

    #[test]
    fn a_push_that_is_not_counted_is_told() {
        let file = express_pushing_on("\"red:4\"");
        let asked = asked(file.path().to_str().unwrap(), None);
        assert_eq!(
            run(&asked, &mut Vec::new()).unwrap_err().to_string(),
            "express.base.push_on_dealer: red:4 is not counted: it depends on suits, or on which cards are \
             real"
        );
    }
}
