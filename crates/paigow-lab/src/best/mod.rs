//! `paigow-lab best`: the return of the base game for a player who sets every hand as it is worth
//! most.

mod sample;
mod show;
mod write;

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::base_game::check;
use super::in_parts::in_parts;
use super::{CommandError, CommandOutcome, find_game, find_house_way};
use paigow_exact::{
    BestPlay, BestPlayCount, BestPlayPart, BestPlayTerms, HandWorths, JointPlay, SettingWorth,
    best_play,
};
use paigow_files::system;
use paigow_round::ListedGame;
use paigow_rules::cards::Card;
use paigow_rules::game::{BonusBet, Ruleset};
use paigow_rules::house_way::HouseWay;

/// The request of `paigow-lab best`.
#[derive(Debug)]
pub struct BestRequest {
    /// The id or hash of a ruleset, or the path of its file.
    pub ruleset: String,
    /// House-way files in addition to those compiled in.
    pub house_ways: Vec<PathBuf>,
    /// The dealer's way, an id or a file; the ruleset's if absent. Best play is compared with it.
    pub dealer: Option<String>,
    /// How many threads; as many as there are cores if absent.
    pub threads: Option<NonZero<usize>>,
    /// The task of the command.
    pub task: BestTask,
}

/// A task of `paigow-lab best`.
#[derive(Debug)]
pub enum BestTask {
    /// Counts best play and shows it.
    Count,
    /// Counts best play and writes it into the file of the dealer's way in this folder.
    Write(PathBuf),
    /// Weighs every legal setting of a hand.
    Hand {
        /// Its cards.
        cards: String,
        /// The dealer's cards, if the player sees them.
        dealer: Option<String>,
    },
    /// Compares so many random hands with counts: those in the folder, or those compiled in.
    Sample {
        /// How many hands.
        hands: NonZero<u32>,
        /// The seed of the random hands.
        seed: [u8; 32],
        /// The folder of the file.
        folder: Option<PathBuf>,
    },
}

/// Does the requested task. The output is the same for any number of threads.
///
/// Ends with findings if the counts differ from the compiled-in counts, or from those that a sample
/// is compared with.
///
/// # Errors
///
/// If a ruleset or a house way is not found or malformed. Also if the way sets another number of
/// cards than the ruleset deals, or if a file or output fails.
pub fn run(asked: &BestRequest, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let game = find_game(&asked.ruleset, &asked.house_ways)?;
    let dealer = match &asked.dealer {
        Some(name) => find_house_way(name)?,
        None => game.house_way.clone(),
    };
    let ruleset = &game.ruleset;
    check(ruleset, &[&dealer])?;
    let terms = BestPlayTerms::of(ruleset).ok_or_else(|| out_of_range(ruleset))?;
    match &asked.task {
        BestTask::Count => {
            let play = counted(ruleset, &dealer, asked.threads)?;
            show::play(ruleset, &dealer, &play, out)?;
            let known = best_play(&terms, &dealer);
            let told = match known {
                None => "no counts of best play for these terms are compiled in",
                Some(known) if *known == play => "the counts that are compiled in are the same",
                Some(_) => "NOT the counts that are compiled in",
            };
            writeln!(out, "\n{told}")?;
            let is_well = known.is_none_or(|known| *known == play);
            Ok(if is_well { CommandOutcome::Well } else { CommandOutcome::WithFindings })
        }
        BestTask::Write(folder) => {
            if !folder.is_dir() {
                return Err(CommandError::CannotCreate(format!(
                    "{}: no such folder",
                    folder.display()
                )));
            }
            let play = counted(ruleset, &dealer, asked.threads)?;
            let path = write::write(folder, &dealer, play)?;
            writeln!(out, "{}", path.display())?;
            Ok(CommandOutcome::Well)
        }
        BestTask::Hand { cards, dealer: shown } => {
            let hand = cards_of("--hand", cards)?;
            let settings = settings(ruleset, &dealer, &hand, shown.as_deref())?;
            show::hand(&hand, &settings, &dealer, out)?;
            Ok(CommandOutcome::Well)
        }
        BestTask::Sample { hands, seed, folder } => {
            let held = match folder {
                Some(folder) => write::read(folder, &dealer, ruleset)?,
                None => best_play(&terms, &dealer).cloned().ok_or_else(|| {
                    let what = "no counts of best play for these terms are compiled in";
                    CommandError::Data(format!("{}: {what}", ruleset.id()))
                })?,
            };
            sample::run(ruleset, &dealer, &held, (hands.get(), seed), out)
        }
    }
}

/// Reads the cards of an option.
fn cards_of(option: &str, cards: &str) -> Result<Vec<Card>, CommandError> {
    let unknown = |code: &str| CommandError::Usage(format!("{option}: `{code}` is not a card"));
    cards.split_whitespace().map(|code| code.parse().map_err(|_| unknown(code))).collect()
}

/// Weighs every legal setting of a hand. If the ruleset exposes the dealer's hand, it weighs
/// against that hand, and otherwise against all hands of the other cards.
fn settings(
    ruleset: &Ruleset,
    dealer: &HouseWay,
    hand: &[Card],
    shown: Option<&str>,
) -> Result<Vec<SettingWorth>, CommandError> {
    let worths = HandWorths::new(ruleset, dealer).ok_or_else(|| out_of_range(ruleset))?;
    let usage = |what: String| CommandError::Usage(what);
    let (id, len) = (ruleset.id(), ruleset.hand_cards());
    match (ruleset.exposes_dealer(), shown) {
        (false, None) => worths
            .settings(hand)
            .ok_or_else(|| usage(format!("--hand: {id} deals {len} distinct cards"))),
        (true, Some(cards)) => {
            worths.settings_against(hand, &cards_of("--dealer-hand", cards)?).ok_or_else(|| {
                usage(format!("--hand, --dealer-hand: {id} deals {len} distinct cards to each"))
            })
        }
        (true, None) => Err(usage(format!(
            "missing --dealer-hand: {id} exposes the dealer's hand, so give its {len} cards"
        ))),
        (false, Some(_)) => {
            Err(usage(format!("--dealer-hand: {id} does not expose the dealer's hand")))
        }
    }
}

pub(crate) use show::percent;

fn out_of_range(ruleset: &Ruleset) -> CommandError {
    CommandError::Data(format!("{}: a result is out of range", ruleset.id()))
}

fn counted(
    ruleset: &Ruleset,
    dealer: &HouseWay,
    threads: Option<NonZero<usize>>,
) -> Result<BestPlay, CommandError> {
    let count = BestPlayCount::new(ruleset, dealer, dealer).ok_or_else(|| out_of_range(ruleset))?;
    let threads = threads.map_or_else(system::processors, NonZero::get);
    Ok(with_progress(&count, |progress| count_on(&count, threads, progress)))
}

/// Counts the results of the base wager and of `bet`, both of one stake, for a player who sets
/// every hand as both are worth most.
///
/// Returns [`None`] for a bet that does not look at the seat's set hands alone. Also returns
/// [`None`] if the player sees the dealer's hand.
pub(crate) fn joint_on(game: &ListedGame, bet: &BonusBet) -> Option<JointPlay> {
    let count = BestPlayCount::with_bet(&game.ruleset, &game.house_way, bet)?;
    let threads = system::processors();
    let sum = with_progress(&count, |progress| summed_on(&count, threads, progress));
    count.joint_play(&sum, bet)
}

/// Runs a count, and draws its progress meanwhile.
pub(crate) fn with_progress<T>(
    count: &BestPlayCount,
    work: impl FnOnce(&(dyn Fn() + Sync)) -> T,
) -> T {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} parts, {eta} to go");
    let style = style.expect("a constant that a test draws");
    let bar = ProgressBar::new(count.tasks().len() as u64).with_style(style);
    let done = work(&|| bar.inc(1));
    bar.finish_and_clear();
    done
}

/// Runs every task of a count on so many threads, and reports each finished task to `progress`.
/// Each thread needs some hundreds of megabytes. The result is the same for any number of threads.
pub fn count_on(count: &BestPlayCount, threads: usize, progress: impl Fn() + Sync) -> BestPlay {
    count.finish(&summed_on(count, threads, progress))
}

/// Runs every task of a count in the same way, and returns the sum of the results.
pub(crate) fn summed_on(
    count: &BestPlayCount,
    threads: usize,
    progress: impl Fn() + Sync,
) -> BestPlayPart {
    let parts = in_parts(
        &count.tasks(),
        threads,
        || count.nothing(),
        |task, part| {
            count.run(task, part);
            progress();
        },
    );
    let mut sum = count.nothing();
    for part in &parts {
        sum.add(part);
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn asked(ruleset: &str, task: BestTask) -> BestRequest {
        let (house_ways, dealer, threads) = (Vec::new(), None, None);
        BestRequest { ruleset: ruleset.to_owned(), house_ways, dealer, threads, task }
    }

    fn said(ruleset: &str, task: BestTask) -> (CommandOutcome, String) {
        let mut out = Vec::new();
        let ended = run(&asked(ruleset, task), &mut out).unwrap();
        (ended, String::from_utf8(out).unwrap())
    }

    #[test]
    fn six_cards_are_counted_as_compiled_in_on_any_number_of_threads() {
        let game = find_game("mini", &[]).unwrap();
        let (ruleset, way) = (&game.ruleset, &game.house_way);
        let terms = BestPlayTerms::of(ruleset).unwrap();
        let count = BestPlayCount::new(ruleset, way, way).unwrap();
        let (done, tasks) = (AtomicUsize::new(0), count.tasks().len());
        let on_three = count_on(&count, 3, || {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), tasks);
        assert_eq!(Some(&on_three), best_play(&terms, way));
        let (ended, text) = said("mini", BestTask::Count);
        assert_eq!(ended, CommandOutcome::Well, "{text}");
        assert!(text.ends_with("\nthe counts that are compiled in are the same\n"), "{text}");
    }

    fn hand(cards: &str, dealer: Option<&str>) -> BestTask {
        BestTask::Hand { cards: cards.to_owned(), dealer: dealer.map(str::to_owned) }
    }

    #[test]
    fn the_settings_of_a_hand_are_shown_best_first() {
        let (_, text) = said("mikes", hand("Ah Ad Kc Kd 7s 4c 2h", None));
        let first = text.lines().nth(1).unwrap();
        assert!(first.starts_with("Kc Kd"), "{text}");
        // Queens below and aces above beat queen jack and kings.
        let shown = Some("Kc Kd Qh Js 9c 5d 3h");
        let (_, text) = said("face-up", hand("As Ac Ad Qc Qd 8s 2h", shown));
        let first: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(first[..3], ["Qc", "Qd", "1.00000000"], "{text}");
        for (ruleset, cards, dealer, why) in [
            ("mikes", "Ah Ad", None, "--hand: mikes deals 7 distinct cards"),
            ("mikes", "Ah Ah Kc Kd 7s 4c 2h", None, "--hand: mikes deals 7 distinct cards"),
            ("mikes", "1h", None, "--hand: `1h` is not a card"),
            (
                "mikes",
                "Ah Ad Kc Kd 7s 4c 2h",
                shown,
                "--dealer-hand: mikes does not expose the dealer's hand",
            ),
            (
                "face-up",
                "Ah Ad Kc Kd 7s 4c 2h",
                None,
                "missing --dealer-hand: face-up exposes the dealer's hand, so give its 7 cards",
            ),
            (
                "face-up",
                "Ah Ad Kc Kd 7s 4c 2h",
                shown,
                "--hand, --dealer-hand: face-up deals 7 distinct cards to each",
            ),
        ] {
            let refused = run(&asked(ruleset, hand(cards, dealer)), &mut Vec::new());
            assert_eq!(refused.unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn a_sample_agrees_with_the_counts_and_not_with_wrong_ones() {
        let game = find_game("mini", &[]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let terms = BestPlayTerms::of(&game.ruleset).unwrap();
        let mut play = best_play(&terms, &game.house_way).unwrap().clone();
        let sample = |hands| BestTask::Sample {
            hands: NonZero::new(hands).unwrap(),
            seed: [1; 32],
            folder: Some(folder.path().to_owned()),
        };
        write::write(folder.path(), &game.house_way, play.clone()).unwrap();
        let (ended, text) = said("mini", sample(2000));
        assert_eq!(ended, CommandOutcome::Well, "{text}");
        assert!(text.contains("\nthe counts and the sample agree, at "), "{text}");
        // One hand has no spread.
        let (ended, text) = said("mini", sample(1));
        assert_eq!(ended, CommandOutcome::Well, "{text}");
        assert_eq!(text.matches("too few hands").count(), 5, "{text}");
        assert!(text.contains("agree where the sample has hands enough"), "{text}");
        // One pair in five that best play loses is called a push.
        play.best.lost -= play.best.lost / 5;
        write::write(folder.path(), &game.house_way, play).unwrap();
        let (ended, text) = said("mini", sample(2000));
        assert_eq!(ended, CommandOutcome::WithFindings, "{text}");
    }

    #[test]
    fn a_folder_that_is_missing_is_refused_before_anything_is_counted() {
        let folder = tempfile::tempdir().unwrap().path().join("absent");
        // Seven cards take minutes to count.
        let write = asked("express", BestTask::Write(folder));
        let refused = run(&write, &mut Vec::new()).unwrap_err().to_string();
        assert!(refused.ends_with("absent: no such folder"), "{refused}");
    }

    #[test]
    fn a_folder_without_counts_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let sample = BestTask::Sample {
            hands: NonZero::new(1).unwrap(),
            seed: [1; 32],
            folder: Some(folder.path().to_owned()),
        };
        let refused = run(&asked("mini", sample), &mut Vec::new()).unwrap_err().to_string();
        assert!(refused.contains(".best"), "{refused}");
    }
}
