//! The arguments of `paigow-lab`; groups of commands have theirs in files of their own.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use paigow_lab::monitor::MonitorRequest;
use paigow_lab::replay_all::DEFAULT_SAMPLES;
use paigow_lab::ruin::{BankrollOwner, SessionWager};
use paigow_lab::shard::Shard;

use paigow_fairness::encoding::Identifier;
use paigow_files::command::{RootArguments, TrustArguments, utc_second};
use paigow_log::WitnessKey;
use paigow_round::audit::MySeat;
use paigow_rules::game::MAX_BANK;

use crate::admin::AdminArguments;
use crate::audit::{LogCopyArguments, ProofArguments, RequireArgument, my_seat};
use crate::release::ReleaseCommand;
use crate::rng::RngCommand;
use crate::sink::SinkCommand;

/// The exit codes, as the help shows them.
const EXIT_CODES: &str = "\
Exit codes:
   0  success
   1  the command found a fault: an invalid line, an audit that does not match
   2  the audit is incomplete, or a required claim is not shown
   3  the audit waits for the secret of an epoch
  64  an argument is wrong
  65  a file has invalid content: not a rules file, or an unknown key
  66  a file cannot be read
  69  the server did not respond
  73  a file cannot be written
  74  standard input or output failed";

/// Sets and judges hands of Pai Gow Poker, writes its rules, replays, audits and plays
/// rounds.
#[derive(Parser)]
#[command(name = "paigow-lab", version, after_help = EXIT_CODES)]
pub(crate) struct LabArguments {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
}

#[derive(Subcommand)]
pub(crate) enum LabCommand {
    /// Sets hands by a house way: JSON Lines in, JSON Lines out.
    ///
    /// Reads `{"cards":["Ah",...]}` with six or seven codes, as the way sets; writes
    /// `{"low":[...],"high":[...],"clause":"...","text":"..."}`, or
    /// `{"error":"...","line":n}` for an invalid line.
    Set {
        /// The id of a house way, or the path of a file.
        house_way: String,
    },
    /// Checks a house way: lists every fault of its file, or shows its title, hash and
    /// clauses and proves that it sets every hand correctly.
    ///
    /// The proof covers a sample, or with --every-hand all hands. It shows that the way sets
    /// each hand with the cards of that hand and never foul. It also shows that the suits
    /// change neither the values of both hands nor the clause. Exit code 1: there is a fault.
    HouseWay {
        /// The id of a house way, or the path of a file.
        house_way: String,
        /// Proves it over all 154,143,080 hands (22,957,480 for six cards). Takes minutes.
        #[arg(long)]
        every_hand: bool,
    },
    /// Judges hands by every bonus bet of a ruleset: JSON Lines in, JSON Lines out.
    ///
    /// Reads `{"cards":["Ah",...],"choice":"red","dealer":["Kc",...]}`, one hand a line.
    /// `cards` has all cards of a position in the order dealt, or only the first three if the
    /// ruleset has a bet on them. `choice` (red or black) and `dealer` (a whole hand) are
    /// optional.
    ///
    /// Writes `{"bets":[...]}`, one member for each bonus bet:
    /// `{"bet":"dynasty","row":"five-aces","title":"Five Aces","pays":{"num":500,"den":1},
    /// "result":"won","to_others_minor":"10000"}`; `"result":"push"` without `pays`;
    /// `{"bet":"protection","result":"lost"}`; or `{"bet":"red_black","skipped":"..."}`
    /// where the line lacks the cards or the choice that the bet needs. The answer to an
    /// invalid line is `{"error":"...","line":n}`.
    ///
    /// A bet on the dealer's hand uses `dealer`, or `cards` if there is no `dealer`. A bet on
    /// both hands needs `dealer`, and the house way sets both hands.
    Judge {
        #[command(flatten)]
        game: GameArguments,
    },
    /// Writes the rules of a game for players and regulators.
    ///
    /// The output describes the cards, the deal, the ranking of hands, the limits and the
    /// whole house way. For every wager it states what it pays, costs and returns. For every
    /// row of a pay table it states the exact count of hands. Everything comes from the
    /// ruleset that the engine plays by.
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
    /// For every row of a bet: exact combinations, probability and contribution. For every bet:
    /// return and house edge as fractions and decimals, standard deviation, hit rate, envy and
    /// community by seats played, and the stakes for which rounding is worst. Every figure
    /// that the sources print stands beside the exact one. The default
    /// format is Markdown. Exit code 1: a published figure differs without an explanation.
    Par {
        /// The id or content hash of a ruleset, the path of a ruleset file, or `all` that
        /// are compiled in.
        #[arg(required_unless_present = "schema")]
        ruleset: Option<String>,
        /// An additional house-way file. Repeatable.
        #[arg(long = "house-way", value_name = "FILE")]
        house_ways: Vec<PathBuf>,
        /// Counts the pairs of hands if no counts for the house way are compiled in. Takes
        /// seconds, or a minute for a game with a double down.
        #[arg(long)]
        count: bool,
        #[command(flatten)]
        form: ParForm,
    },
    /// Counts the base game exactly: every pair of a player's and a dealer's hand.
    ///
    /// Writes how often the high and the low hands win, tie and lose, and the return of the
    /// base wager under the ruleset. For comparison, it also writes the return with and
    /// without a commission, with a push on a queen-high pai gow, as banker, and with and
    /// without double down. It includes Wrangler Push. Seconds for seven cards, a minute where hands are weighed for the
    /// double down. Exit code 1: the compiled-in counts differ.
    BaseGame {
        #[command(flatten)]
        game: GameArguments,
        /// The house way of the player, by id or path. Default: that of the ruleset.
        #[arg(long, value_name = "WAY")]
        player: Option<String>,
        /// The house way of the dealer or banker. Default: that of the ruleset.
        #[arg(long, value_name = "WAY")]
        dealer: Option<String>,
        /// The number of threads. Default: the number of cores.
        #[arg(long, value_name = "N")]
        threads: Option<NonZero<usize>>,
        /// Writes only the counts, in the format of the counts files.
        #[arg(long)]
        counts: bool,
    },
    /// Counts the base game of a player who sets every hand as it is worth most.
    ///
    /// The player knows his own cards, and the dealer's house way. Writes what best play and the
    /// house way return, the commission unrounded and bonus bets left out, and where both differ, by
    /// clause. It takes about a minute of one processor for seven cards, and some hundreds of megabytes
    /// for each thread. Exit code 1: the compiled-in counts differ, or the sample does.
    Best(BestArguments),
    /// Counts what a few rules that a person can learn are worth, from the simplest to the finest.
    ///
    /// Each rule is added to those before it. Writes the house edge, what the rule is worth, and by
    /// how much best play is still better, over every pair of hands. It takes as long as `best`.
    Strategy {
        #[command(flatten)]
        game: GameArguments,
        /// The number of threads. Default: the number of cores.
        #[arg(long, value_name = "N")]
        threads: Option<NonZero<usize>>,
    },
    /// Replays seeds, decks and dice from published inputs: JSON Lines in and out.
    ///
    /// A line has `round_seed`, or the members of a round as in the published vectors. These are
    /// suite, epoch, tenant, table, round_no, ruleset_hash, engine, cards, client_seeds and
    /// external. Add epoch_secret with epoch_salt, or server_seed. `round_no` is a string of decimal
    /// digits, `epoch` a number.
    Replay,
    /// Audits a transcript offline: recomputes everything and trusts only the keys given.
    ///
    /// Exit codes: 0: everything matches. 1: something does not match. 2: nothing is wrong,
    /// but a record or a rule file is missing, or a required claim is not shown. 3: nothing is
    /// wrong, but the secret of an epoch is not in the file.
    Audit {
        /// The transcript in JSON Lines; `-` is standard input.
        file: PathBuf,
        #[command(flatten)]
        trust: TrustArguments,
        /// Your own seat, and the public key with which its decisions are signed.
        #[arg(long, value_name = "N[=KEY]", value_parser = my_seat)]
        my_seat: Option<MySeat>,
        #[command(flatten)]
        proofs: ProofArguments,
        #[command(flatten)]
        log_copies: LogCopyArguments,
        #[command(flatten)]
        required: RequireArgument,
        /// An additional ruleset file. Repeatable.
        #[arg(long = "ruleset", value_name = "FILE")]
        rulesets: Vec<PathBuf>,
        /// An additional house-way file. Repeatable.
        #[arg(long = "house-way", value_name = "FILE")]
        house_ways: Vec<PathBuf>,
        /// Writes JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Audits any number of rounds from transcripts, on all processors.
    ///
    /// The files form one input of JSON Lines: plain, gzip or zstd, detected from the first
    /// bytes. The summary counts how often each check passed, failed and was skipped.
    /// --failures writes every failure, one JSON object a line. Unlike in `audit`, an invalid
    /// line fails only its own round, and GENESIS and NO_FORK cover the last 65,536 rounds.
    /// Memory grows up to 65,536 rounds, to about 550 MiB.
    ///
    /// Exit codes: 0: everything matches. 1: something does not match. 2: nothing is wrong,
    /// but a record or a rule file is missing, or a required claim is not shown. 3: nothing is
    /// wrong, but the secret of an epoch is not in the files.
    ReplayAll(ReplayAllArguments),
    /// Plays rounds with the code of the engine, and compares the returns with the exact
    /// values.
    ///
    /// Every seat has every bet of the ruleset, and the house way sets its hand. The seed of
    /// each round follows from the master seed and the number of the round, so any
    /// round can be replayed. Shards can run on different machines. `merge` combines them:
    /// all shards merged equal the whole run, byte for byte.
    ///
    /// Exit code 1: an average or a row is more than six standard errors from its exact value.
    Simulate(SimulateArguments),
    /// Estimates the risk of ruin of a player, the house or a player-dealer.
    ///
    /// Plays sessions with the code of the engine. Each seat places the same wagers in each round, and
    /// the house way sets its hand. A session ends in ruin when the bankroll does not cover the wagers
    /// of the next round (player; fees are not counted), or when nothing is left (house,
    /// player-dealer). The command also estimates the net result of a round. With --rounds 1 that is
    /// the return of a player-dealer with exactly this bank. Every figure has its standard error.
    ///
    /// The seed of round r of session s is that of round s * N + r of `simulate`.
    Ruin(RuinArguments),
    /// Plays rounds against a server and shows them.
    ///
    /// The program derives wagers and decisions from --seed-of-choices and the round number.
    /// Cards and dice come from the server. For more than 20 rounds, the program shows only a
    /// progress bar and a summary.
    Play(PlayArguments),
    /// Finds rounds that pay each row of each pay table, and plays them on a server.
    ///
    /// No card is forced. The command deals the first round of many tables offline, under the secret
    /// of a development keyring, and takes the first that pays each row. It plays these rounds by the
    /// calls that every caller uses. Every seat wagers on every bet, and the house way sets every hand.
    /// Without --server it only finds the rounds.
    ///
    /// A keyring for production is refused. Exit code 1: a row was not found, or the server paid
    /// another one, or an audit does not match.
    EveryRow(EveryRowArguments),
    /// Writes the verifier page, in which players check rounds in a browser, to a folder.
    ///
    /// The page opens from disk, and any web server can serve the folder. `verifier.html` is the whole
    /// page in one file. Node runs the program for the command line, `cli.mjs`.
    Page {
        /// A new or an empty folder.
        folder: PathBuf,
    },
    /// Collects and tests the output of the random number generator.
    #[command(subcommand)]
    Rng(RngCommand),
    /// Makes, signs, shows and verifies the record of a release.
    #[command(subcommand)]
    Release(ReleaseCommand),
    /// Verifies the evidence that servers keep, and extracts rounds from it.
    #[command(subcommand)]
    Sink(SinkCommand),
    /// Follows a public log, and reports what its operator should not have done or has left out.
    ///
    /// It verifies each checkpoint, that each tree goes on from the one before, and every entry. It
    /// counts voids against what they would have paid, once the seeds of their epoch are public.
    Monitor(MonitorArguments),
    /// Asks the replicas of a service how they do, and voids rounds that were left open.
    ///
    /// Needs a client with the role `ops`. It sees what concerns its own tenant, on each replica that
    /// --server names.
    Admin(AdminArguments),
}

/// A ruleset and where its house way may be.
#[derive(clap::Args)]
pub(crate) struct GameArguments {
    /// The id or content hash of a ruleset, or the path of a ruleset file.
    pub(crate) ruleset: String,
    /// An additional house-way file. Repeatable.
    #[arg(long = "house-way", value_name = "FILE")]
    pub(crate) house_ways: Vec<PathBuf>,
}

/// How a PAR sheet is written.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(crate) struct ParForm {
    /// Writes Markdown (the default).
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Writes one self-contained HTML page with plots.
    #[arg(long)]
    pub(crate) html: bool,
    /// Writes one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Writes every table as a CSV file into this folder: `<ruleset>-<section>.csv`.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) csv: Option<PathBuf>,
    /// Writes every table as a worksheet of this Excel workbook.
    #[arg(long, value_name = "FILE")]
    pub(crate) xlsx: Option<PathBuf>,
    /// Writes the JSON Schema of that object instead of a sheet.
    #[arg(long, conflicts_with_all = ["ruleset", "house_ways"])]
    pub(crate) schema: bool,
}

#[derive(clap::Args)]
pub(crate) struct MonitorArguments {
    /// Where the log is: `https://host/prefix`, `s3://bucket/prefix` or `file:///folder`.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) log: String,
    /// Where somebody else sees the same log. Repeatable.
    #[arg(long = "view", value_name = "ADDRESS")]
    pub(crate) views: Vec<String>,
    /// The manifests, all of them. The newest lists the log.
    #[arg(long, value_name = "FILE")]
    pub(crate) manifests: PathBuf,
    #[command(flatten)]
    pub(crate) root: RootArguments,
    /// A witness that is trusted: its name and its public key. Repeatable.
    #[arg(long = "witness", value_name = "NAME+KEY")]
    pub(crate) witnesses: Vec<WitnessKey>,
    /// How many of these witnesses have to sign a checkpoint.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) wanted: usize,
    /// How many seconds may pass without a signature of a witness.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(crate) stale: u64,
    /// How many seconds after the end of settling the reveal and the closes of an epoch may come.
    #[arg(long, value_name = "SECONDS", default_value_t = 86_400)]
    pub(crate) grace: u64,
    /// The file of the last checkpoint that was seen, so that a later run finds a log that goes back.
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Continues until SIGTERM, with this many seconds between two looks.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// With --every: where Prometheus asks for the figures, as 127.0.0.1:9190.
    #[arg(long, value_name = "ADDRESS", requires = "every")]
    pub(crate) listen: Option<SocketAddr>,
    /// The time of the looks in UTC, as 2026-11-25T00:00:00Z. Default: now.
    #[arg(long = "as-of", value_name = "TIME", value_parser = utc_second)]
    pub(crate) as_of: Option<u64>,
    /// How many other deals of the same wagers each void is compared with.
    #[arg(long, value_name = "NUMBER", default_value_t = MonitorRequest::SAMPLES)]
    pub(crate) samples: u32,
    /// An additional ruleset file. Repeatable.
    #[arg(long = "ruleset", value_name = "FILE")]
    pub(crate) rulesets: Vec<PathBuf>,
    /// An additional house-way file. Repeatable.
    #[arg(long = "house-way", value_name = "FILE")]
    pub(crate) house_ways: Vec<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct ReplayAllArguments {
    /// Transcripts. `-` is standard input and must be last.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) trust: TrustArguments,
    #[command(flatten)]
    pub(crate) proofs: ProofArguments,
    #[command(flatten)]
    pub(crate) required: RequireArgument,
    /// An additional ruleset file. Repeatable.
    #[arg(long = "ruleset", value_name = "FILE")]
    pub(crate) rulesets: Vec<PathBuf>,
    /// An additional house-way file. Repeatable.
    #[arg(long = "house-way", value_name = "FILE")]
    pub(crate) house_ways: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: ThreadsArgument,
    /// Counts the rounds with locked wagers and no settlement, and what the house would have won in
    /// them. Needs the reveal of their epoch.
    #[arg(long)]
    pub(crate) voids: bool,
    /// With --voids: how many other deals of the same wagers each round is compared with.
    #[arg(long, value_name = "NUMBER", requires = "voids", default_value_t = DEFAULT_SAMPLES)]
    pub(crate) voids_samples: u32,
    /// With --voids: a file with the beacon's signatures of rounds that no deal has.
    /// A line has a round and its signature in hexadecimal, as a relay of drand serves them.
    #[arg(long, value_name = "FILE", requires = "voids")]
    pub(crate) beacon_rounds: Option<PathBuf>,
    /// Audits only shard i of n, into the file that --part names. Every shard reads all files.
    ///
    /// A run that was stopped goes on from its part. The findings of all shards are put together
    /// with --parts, under the same files and options. Both need --as-of.
    #[arg(long, value_name = "i/n", requires_all = ["part", "as_of"], value_parser = Shard::parse)]
    #[arg(conflicts_with_all = ["parts", "voids", "failures", "json", "rounds", "claims"])]
    pub(crate) shard: Option<Shard>,
    /// With --shard: the part. The command creates it or continues it.
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub(crate) part: Option<PathBuf>,
    /// The parts of all shards, in any order. Their findings take the place of an audit.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "as_of")]
    pub(crate) parts: Vec<PathBuf>,
    /// Writes the verdict of every round to this new file, as a Parquet table.
    #[arg(long, value_name = "FILE")]
    pub(crate) rounds: Option<PathBuf>,
    /// Writes every failure to this file, one JSON object a line; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) failures: Option<PathBuf>,
    /// Writes the summary in JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct BestArguments {
    #[command(flatten)]
    pub(crate) game: GameArguments,
    /// The house way of the dealer, by id or path. Default: that of the ruleset.
    #[arg(long, value_name = "WAY")]
    pub(crate) dealer: Option<String>,
    /// The number of threads. Default: the number of cores.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,
    /// Writes the counts into a file in this folder, `<hash of the dealer's way>.best`.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["hand", "sample"])]
    pub(crate) write: Option<PathBuf>,
    /// Shows every legal setting of these cards with its exact expectation, the best first.
    #[arg(long, value_name = "CARDS", conflicts_with = "sample")]
    pub(crate) hand: Option<String>,
    /// The dealer's cards, of a ruleset that exposes them: `--hand` needs them there.
    #[arg(long, value_name = "CARDS", requires = "hand")]
    pub(crate) dealer_hand: Option<String>,
    /// Weighs this many random hands, each by itself, and compares the averages with the
    /// compiled-in counts.
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<NonZero<u32>>,
    /// The seed of the random hands, 64 hex digits. Default: random, from the operating system.
    #[arg(long, value_name = "HEX", requires = "sample")]
    pub(crate) seed: Option<String>,
    /// Compares the sample with the file in this folder.
    #[arg(long, value_name = "FOLDER", requires = "sample")]
    pub(crate) counts: Option<PathBuf>,
}

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SimulateArguments {
    #[command(subcommand)]
    pub(crate) merge: Option<MergeCommand>,
    /// The id or content hash of a ruleset, or the path of a ruleset file.
    #[arg(required = true)]
    pub(crate) ruleset: Option<String>,
    /// An additional house-way file. Repeatable.
    #[arg(long = "house-way", value_name = "FILE")]
    pub(crate) house_ways: Vec<PathBuf>,
    /// The number of rounds of all shards together.
    #[arg(long, value_name = "N", default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000_000))]
    pub(crate) rounds: u64,
    /// The number of seats that play.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) seats: u8,
    /// Every seat doubles down. Default: no seat does.
    #[arg(long)]
    pub(crate) double_down: bool,
    /// Deals two hands a round, of one seat and the dealer, and looks up their result. Tens of
    /// times as fast. A test compares it with the settlement of the engine.
    #[arg(long, conflicts_with_all = ["seats", "double_down"])]
    pub(crate) two_hands: bool,
    /// The master seed, 64 hex digits. Default: random, from the operating system. The result
    /// states it.
    #[arg(long, value_name = "HEX")]
    pub(crate) seed: Option<String>,
    /// Plays only part i of n, with i from 0 to n - 1.
    #[arg(long, value_name = "i/n", requires = "seed", value_parser = Shard::parse)]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) threads: ThreadsArgument,
    /// Writes JSON for `merge` instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct RuinArguments {
    #[command(flatten)]
    pub(crate) game: GameArguments,
    /// The owner of the bankroll.
    #[arg(long, value_name = "OWNER", value_enum, default_value_t = BankrollOwner::Player)]
    pub(crate) of: BankrollOwner,
    /// The bankroll at the start of each session, in minor units.
    #[arg(long, value_name = "MINOR", value_parser = clap::value_parser!(i64).range(1..=MAX_BANK))]
    pub(crate) bankroll: i64,
    /// A bet of each seat and its stake in minor units, as `base=2500`. Repeatable.
    #[arg(long = "wager", value_name = "BET=MINOR", required = true, value_parser = SessionWager::parse)]
    pub(crate) wagers: Vec<SessionWager>,
    /// The number of seats that play.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) seats: u8,
    /// The number of sessions.
    #[arg(long, value_name = "S", default_value_t = 10_000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) sessions: u64,
    /// The largest number of rounds in a session.
    #[arg(long, value_name = "N", default_value_t = 1_000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) rounds: u64,
    /// The master seed, 64 hex digits. Default: random, from the operating system. The result
    /// states it.
    #[arg(long, value_name = "HEX")]
    pub(crate) seed: Option<String>,
    #[command(flatten)]
    pub(crate) threads: ThreadsArgument,
    /// Writes JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum MergeCommand {
    /// Combines the results of shards.
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
pub(crate) struct ThreadsArgument {
    /// The number of threads. The result does not depend on it [default: one per processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgument {
    /// Returns the number given.
    pub(crate) fn given(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

#[derive(clap::Args)]
pub(crate) struct EveryRowArguments {
    #[command(flatten)]
    pub(crate) game: GameArguments,
    /// The folder of the development keyring that the server uses.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keyring: PathBuf,
    /// The address of the server, as http://127.0.0.1:50051.
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// The tenant that the server takes a caller without credentials for.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) tenant: Identifier,
    /// The beginning of the names of the tables, as `every-row-17`. Each table has one round.
    #[arg(long, value_name = "NAME", default_value = "every-row")]
    pub(crate) tables: Identifier,
    /// How many rounds are dealt offline at most.
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = clap::value_parser!(u64).range(1..1 << 63))]
    pub(crate) limit: u64,
    #[command(flatten)]
    pub(crate) threads: ThreadsArgument,
    /// Writes the manifests and all records to a file for an audit.
    #[arg(long, value_name = "FILE", requires = "server")]
    pub(crate) transcript: Option<PathBuf>,
    /// Writes JSON, one object for each row.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct PlayArguments {
    /// The address of the server.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:50051")]
    pub(crate) server: String,
    /// The CA certificate of the server (PEM), for https.
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    /// The client certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) certificate: Option<PathBuf>,
    /// The private key of the client certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "certificate")]
    pub(crate) key: Option<PathBuf>,
    /// A file with the bearer token.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// How many rounds.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) rounds: u64,
    /// The ruleset, by id or hash. Default: the first that the server lists.
    #[arg(long, value_name = "ID")]
    pub(crate) ruleset: Option<String>,
    /// The name of the table. Default: a new name.
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// The number of the first round at the table.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) first_round: u64,
    /// The seed of wagers and decisions: the same seed gives the same choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed_of_choices: u64,
    /// The ledger key file of the tenant. Required if the policy requires locks.
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger_key: Option<PathBuf>,
    /// Writes the manifests and all records to a file for an audit.
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    /// Writes the summary only.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Writes the server's answers in canonical proto JSON, one object a round.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,
}
