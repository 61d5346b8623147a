//! The arguments of `paigow-lab`; groups of commands have theirs in files of their own.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use paigow_lab::simulate::Shard;

use paigow_files::command::RootArguments;

use crate::release::Release;
use crate::rng::Rng;
use crate::sink::Sink;

/// Sets and judges hands of Pai Gow Poker, writes its rules, replays, audits and plays
/// rounds.
///
/// Exit codes: 0 as asked; 1 with findings (a bad line, an audit that does not match);
/// 2 an audit that is incomplete; 64 wrong arguments; 65 unusable data; 66 a file that
/// cannot be read; 69 no answer from the server; 73 a file that cannot be written;
/// 74 input or output failed.
#[derive(Parser)]
#[command(name = "paigow-lab", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Sets hands by a house way: JSON Lines in, JSON Lines out.
    ///
    /// Reads `{"cards":["Ah",...]}` with seven codes a line; writes
    /// `{"low":[...],"high":[...],"clause":"...","text":"..."}`, or
    /// `{"error":"...","line":n}` for a line that is no hand.
    Set {
        /// The id of a house way, or the path of a file.
        house_way: String,
    },
    /// Checks a house way: tells every fault of its file, or its title, hash and clauses,
    /// and proves that it sets hands as it must.
    ///
    /// Proved is that every hand is set, with its own cards, never foul, and that neither
    /// the values of the hands nor the clause depend on which suits are held: over a
    /// sample, or over every hand that can be dealt. Exit code 1 where there is a fault.
    HouseWay {
        /// The id of a house way, or the path of a file.
        house_way: String,
        /// Proves it over all 154,143,080 hands (22,957,480 of six cards), in minutes.
        #[arg(long)]
        every_hand: bool,
    },
    /// Judges hands by every bonus bet of a ruleset: JSON Lines in, JSON Lines out.
    ///
    /// Reads `{"cards":["Ah",...],"choice":"red","dealer":["Kc",...]}`, one hand a line:
    /// as many codes as the ruleset deals to a position, or the first three alone where it
    /// has a bet on them, in the order in which they are dealt. `choice` (red or black)
    /// and `dealer` (a whole hand) may be left out.
    ///
    /// Writes `{"bets":[...]}`, one member for each bonus bet:
    /// `{"bet":"dynasty","row":"five-aces","title":"Five Aces","pays":{"num":500,"den":1},
    /// "result":"won","to_others_minor":"10000"}`; `"result":"push"` without `pays`;
    /// `{"bet":"protection","result":"lost"}`; or `{"bet":"red_black","skipped":"..."}`
    /// where the line does not say what the bet looks at. A line that is no hand is
    /// answered `{"error":"...","line":n}`.
    ///
    /// A bet on the dealer's hand looks at `dealer`, or at `cards` without it; a bet on
    /// both hands needs `dealer`, and the house way sets both.
    Judge {
        #[command(flatten)]
        game: GameArguments,
    },
    /// Writes the rules of a game for players and regulators.
    ///
    /// The cards, the deal, the ranking of hands, all wagers with what they pay, cost and
    /// return, every row of every pay table in words and with its exact count of hands, the
    /// limits, and the whole house way: all from the ruleset that the engine plays by.
    /// `--json` has the same figures under stable names.
    Rules {
        #[command(flatten)]
        game: GameArguments,
        /// Writes Markdown instead of text of 80 columns.
        #[arg(long, conflicts_with = "json")]
        markdown: bool,
        /// Writes JSON instead.
        #[arg(long)]
        json: bool,
    },
    /// Writes the mathematics of a game: the PAR sheet that a laboratory asks for.
    ///
    /// For every bet: each row's exact combinations, probability and contribution, return
    /// and house edge as fractions and decimals, standard deviation, hit rate, envy and
    /// community by seats played, the stakes that rounding serves worst; and every figure
    /// that the sources print beside the exact one. Markdown where nothing else is asked
    /// for. Exit code 1 where a published figure differs and nobody has said why.
    Par {
        /// The id or content hash of a ruleset, the path of a ruleset file, or `all` that
        /// are compiled in.
        #[arg(required_unless_present = "schema")]
        ruleset: Option<String>,
        /// A house-way file besides those compiled in; may be repeated.
        #[arg(long = "house-way", value_name = "FILE")]
        house_ways: Vec<PathBuf>,
        /// Counts the pairs of hands under a house way that no counts are compiled in of:
        /// seconds, or a minute for a game with a double down.
        #[arg(long)]
        count: bool,
        #[command(flatten)]
        form: ParForm,
    },
    /// Counts the base game exactly: every pair of a player's and a dealer's hand.
    ///
    /// Writes how often the high and the low hands win, tie and lose, and what the base
    /// wager returns as the ruleset plays it and otherwise: with a commission, without,
    /// with a push on a queen-high pai gow, as banker, with and without doubling down; and
    /// Wrangler Push. Seconds for seven cards, a minute where hands are weighed for the
    /// double down. Exit code 1 if the counts that are compiled in are other ones.
    BaseGame {
        #[command(flatten)]
        game: GameArguments,
        /// The house way of the player, by id or path; the ruleset's if absent.
        #[arg(long, value_name = "WAY")]
        player: Option<String>,
        /// The house way of the dealer or banker; the ruleset's if absent.
        #[arg(long, value_name = "WAY")]
        dealer: Option<String>,
        /// How many threads count; as many as there are cores if absent.
        #[arg(long, value_name = "N")]
        threads: Option<NonZero<usize>>,
        /// Writes the counts only, as the files of counts have them.
        #[arg(long)]
        counts: bool,
    },
    /// Replays seeds, decks and dice from published inputs: JSON Lines in and out.
    ///
    /// A line has `round_seed`, or the members of a round as in the published vectors:
    /// suite, epoch, tenant, table, round_no, ruleset_hash, engine, cards,
    /// client_seeds, external, and epoch_secret with epoch_salt, or server_seed.
    Replay,
    /// Audits a transcript offline: everything is recomputed, only the root is trusted.
    ///
    /// Exit code 0 where everything matches, 1 where something does not, 2 where nothing
    /// is wrong but not all could be checked.
    Audit {
        /// The transcript in JSON Lines; `-` is standard input.
        file: PathBuf,
        #[command(flatten)]
        root: RootArguments,
        /// A ruleset file besides those compiled in; may be repeated.
        #[arg(long = "ruleset", value_name = "FILE")]
        rulesets: Vec<PathBuf>,
        /// A house-way file besides those compiled in; may be repeated.
        #[arg(long = "house-way", value_name = "FILE")]
        house_ways: Vec<PathBuf>,
        /// Writes JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Audits any number of rounds from transcripts, by all processors.
    ///
    /// The files are one input: JSON Lines, plain, gzip or zstd, told by their first bytes.
    /// A summary has how often each check passed, failed and was skipped; --failures writes
    /// every failure, one JSON object a line. Beside `audit`, a line that is no record
    /// refuses its own round only, and GENESIS and NO_FORK look back over the last 65,536
    /// rounds. Memory does not grow with the input.
    ///
    /// Exit code 0 where everything matches, 1 where something does not, 2 where nothing
    /// is wrong but not all could be checked.
    ReplayAll(ReplayAllArguments),
    /// Plays rounds by the engine's own code, and holds what they return against the exact
    /// figures.
    ///
    /// Every seat has every bet of the ruleset, and the house way sets its hand. The seed of
    /// each round follows from the master seed and the number of the round, so that any of
    /// them can be replayed. Shards may be played anywhere and put together by `merge`:
    /// all shards merged are the whole run, byte for byte.
    ///
    /// Exit code 1 where an average or a row is more than six standard errors from its exact
    /// value.
    Simulate(SimulateArguments),
    /// Plays rounds against a server and shows them.
    ///
    /// Wagers and decisions are made up, from --seed-of-choices and the number of the
    /// round; cards and dice are the server's. More than 20 rounds get a progress bar and
    /// a summary only.
    Play(PlayArguments),
    /// Writes the verifier page to a folder: players check rounds in their browser with it.
    ///
    /// The page opens from disk, and any web server can serve the folder. Node runs its
    /// program for the command line, `cli.mjs`.
    Page {
        /// A new or an empty folder.
        folder: PathBuf,
    },
    /// Collects what the random number generator puts out, and tests it.
    #[command(subcommand)]
    Rng(Rng),
    /// Makes, signs, shows and verifies the record of a release.
    #[command(subcommand)]
    Release(Release),
    /// Verifies the evidence that servers keep, and takes rounds out of it.
    #[command(subcommand)]
    Sink(Sink),
}

/// A ruleset and where its house way may be.
#[derive(clap::Args)]
pub(crate) struct GameArguments {
    /// The id or content hash of a ruleset, or the path of a ruleset file.
    pub(crate) ruleset: String,
    /// A house-way file besides those compiled in; may be repeated.
    #[arg(long = "house-way", value_name = "FILE")]
    pub(crate) house_ways: Vec<PathBuf>,
}

/// How a PAR sheet is written.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(crate) struct ParForm {
    /// Writes Markdown: so too if nothing is asked for.
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Writes one page of HTML with plots, which needs nothing else.
    #[arg(long)]
    pub(crate) html: bool,
    /// Writes one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Writes the JSON Schema of that object, and no sheet.
    #[arg(long, conflicts_with_all = ["ruleset", "house_ways"])]
    pub(crate) schema: bool,
}

#[derive(clap::Args)]
pub(crate) struct ReplayAllArguments {
    /// Transcripts; `-` is standard input, and stands last.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) root: RootArguments,
    /// A ruleset file besides those compiled in; may be repeated.
    #[arg(long = "ruleset", value_name = "FILE")]
    pub(crate) rulesets: Vec<PathBuf>,
    /// A house-way file besides those compiled in; may be repeated.
    #[arg(long = "house-way", value_name = "FILE")]
    pub(crate) house_ways: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Writes every failure to this file, one JSON object a line; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) failures: Option<PathBuf>,
    /// Writes the summary in JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SimulateArguments {
    #[command(subcommand)]
    pub(crate) merge: Option<Merge>,
    /// The id or content hash of a ruleset, or the path of a ruleset file.
    #[arg(required = true)]
    pub(crate) ruleset: Option<String>,
    /// A house-way file besides those compiled in; may be repeated.
    #[arg(long = "house-way", value_name = "FILE")]
    pub(crate) house_ways: Vec<PathBuf>,
    /// How many rounds, of all shards together.
    #[arg(long, value_name = "N", default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000_000))]
    pub(crate) rounds: u64,
    /// How many seats play.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) seats: u8,
    /// Every seat doubles down; never, without this.
    #[arg(long)]
    pub(crate) double_down: bool,
    /// Deals two hands a round, one seat's and the dealer's, and looks up what they come to:
    /// tens of times as fast. A test holds it against the engine's settlement.
    #[arg(long, conflicts_with_all = ["seats", "double_down"])]
    pub(crate) two_hands: bool,
    /// The master seed, 64 hex digits; from the operating system if absent. The result
    /// names it.
    #[arg(long, value_name = "HEX")]
    pub(crate) seed: Option<String>,
    /// Plays part i of n only, i from 0 to n - 1.
    #[arg(long, value_name = "i/n", requires = "seed", value_parser = Shard::parse)]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Writes JSON, as `merge` reads it, instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum Merge {
    /// Puts the results of shards together.
    Merge {
        /// Results in JSON; `-` is standard input.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Writes JSON instead of text.
        #[arg(long)]
        json: bool,
    },
}

/// How many threads work.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// How many threads work; the result does not depend on it [default: one a processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// Returns the number given.
    pub(crate) fn given(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

#[derive(clap::Args)]
pub(crate) struct PlayArguments {
    /// The address of the server.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:50051")]
    pub(crate) server: String,
    /// Who signs the server's certificate (PEM), for https.
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    /// The caller's certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) certificate: Option<PathBuf>,
    /// The key of that certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "certificate")]
    pub(crate) key: Option<PathBuf>,
    /// A file with the caller's bearer token.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// How many rounds.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) rounds: u64,
    /// The ruleset, by id or hash; the server's first if absent.
    #[arg(long, value_name = "ID")]
    pub(crate) ruleset: Option<String>,
    /// The name of the table; a new one if absent.
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// The number of the first round at the table.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) first_round: u64,
    /// What wagers and decisions are made from: the same number, the same choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed_of_choices: u64,
    /// The key file of the tenant's ledger, where its policy demands locks.
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger_key: Option<PathBuf>,
    /// Writes the manifests and all records to a file, for an audit.
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    /// Writes the summary only.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Writes the server's answers in canonical proto JSON, one object a round.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,
}
