//! `paigow-lab`: what a test laboratory, a key ceremony or a curious player runs
//! offline. Arguments and exit codes only; the commands are in `paigow::lab`.

#[cfg(feature = "ceremony")]
use std::io::Write;
use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
#[cfg(feature = "ceremony")]
use paigow::keys::Role;
use paigow::lab::audit::Format;
#[cfg(feature = "ceremony")]
use paigow::lab::ceremony::{self, NewKey};
use paigow::lab::play::{Play, Told};
use paigow::lab::{self, Ended, LabError, rules};

/// Sets and judges hands of Pai Gow Poker, writes its rules, replays, audits and plays
/// rounds; makes and signs keys.
///
/// Exit codes: 0 as asked; 1 with findings (a bad line, an audit that does not match);
/// 2 an audit that is incomplete; 64 wrong arguments; 65 unusable data; 66 a file that
/// cannot be read; 69 no answer from the server; 73 a file that cannot be written;
/// 74 input or output failed.
#[derive(Parser)]
#[command(name = "paigow-lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
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
    /// Plays rounds against a server and shows them.
    ///
    /// Wagers and decisions are made up, from --seed-of-choices and the number of the
    /// round; cards and dice are the server's. More than 20 rounds get a progress bar and
    /// a summary only.
    Play(PlayArguments),
    /// Makes keys, signs manifests, witnesses salts, reveals epochs: offline, with files.
    #[cfg(feature = "ceremony")]
    #[command(subcommand)]
    Keys(Keys),
}

/// A ruleset and where its house way may be.
#[derive(clap::Args)]
struct GameArguments {
    /// The id or content hash of a ruleset, or the path of a ruleset file.
    ruleset: String,
    /// A house-way file besides those compiled in; may be repeated.
    #[arg(long = "house-way", value_name = "FILE")]
    house_ways: Vec<PathBuf>,
}

#[derive(clap::Args)]
struct PlayArguments {
    /// The address of the server.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:50051")]
    server: String,
    /// How many rounds.
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: u64,
    /// The ruleset, by id or hash; the server's first if absent.
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
    /// The name of the table; a new one if absent.
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// The number of the first round at the table.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    first_round: u64,
    /// What wagers and decisions are made from: the same number, the same choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed_of_choices: u64,
    /// Writes the manifests and all records to a file, for an audit.
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Writes the summary only.
    #[arg(long)]
    quiet: bool,
    /// Writes the server's answers in canonical proto JSON, one object a round.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

/// The root of trust, given out of band.
#[derive(clap::Args)]
struct RootArguments {
    /// A trusted root public key, 64 hex digits; may be repeated. Or one path of a
    /// root.json.
    #[arg(long = "root", value_name = "KEY")]
    roots: Vec<String>,
    /// How many distinct root keys must have signed: 1, or what root.json says.
    #[arg(long, value_name = "N")]
    threshold: Option<usize>,
}

#[cfg(feature = "ceremony")]
#[derive(Subcommand)]
enum Keys {
    /// Makes a root key: signs manifests, kept offline.
    Root(Out),
    /// Makes a receipt key: signs the engine's records.
    Receipt(Out),
    /// Makes a ledger key: signs a tenant's locks.
    Ledger(Out),
    /// Makes a witness key: signs epoch salts, held by a party that is not the operator.
    Witness(Out),
    /// Makes the secret of an epoch.
    Epoch {
        /// The epoch, 0 to 2147483647.
        #[arg(long, value_parser = clap::value_parser!(u32).range(..=2_147_483_647))]
        epoch: u32,
        #[command(flatten)]
        out: Out,
    },
    /// Makes a token key of the fresh suite.
    Token {
        /// Its number: of several, the highest seals new tickets.
        #[arg(long, default_value_t = 1)]
        serial: u32,
        #[command(flatten)]
        out: Out,
    },
    /// Signs and shows manifests.
    #[command(subcommand)]
    Manifest(ManifestCommand),
    /// Draws and signs the salt of an announced epoch: for the witness.
    Salt {
        /// The published manifests, `manifests.jsonl`.
        #[arg(long, value_name = "FILE")]
        chain: PathBuf,
        /// The epoch.
        #[arg(long)]
        epoch: u32,
        /// The witness's key file.
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
    },
    /// Publishes the secret of an epoch whose rounds can no longer be settled.
    Reveal {
        /// The keyring folder.
        #[arg(long, value_name = "DIR")]
        keyring: PathBuf,
        /// The epoch.
        #[arg(long)]
        epoch: u32,
        /// A receipt or root key file; the folder's receipt key if absent.
        #[arg(long, value_name = "FILE")]
        key: Option<PathBuf>,
        /// The time in Unix seconds; the clock's if absent.
        #[arg(long, value_name = "SECONDS")]
        now: Option<u64>,
    },
}

#[cfg(feature = "ceremony")]
#[derive(clap::Args)]
struct Out {
    /// The folder that the key file is written into; it has to be there.
    #[arg(long = "out", value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

#[cfg(feature = "ceremony")]
#[derive(Subcommand)]
enum ManifestCommand {
    /// Writes an example of a description, to be copied and filled in.
    Example,
    /// Makes the manifest of a description, signs it, and writes the record.
    Sign {
        /// The description, a TOML file like the example.
        description: PathBuf,
        /// The manifests before, `manifests.jsonl`; none for the first.
        #[arg(long, value_name = "FILE")]
        chain: Option<PathBuf>,
        /// A root key file; may be repeated.
        #[arg(long = "key", value_name = "FILE", required = true)]
        keys: Vec<PathBuf>,
    },
    /// Adds the signature of one more root holder and writes the record.
    AddSignature {
        /// The file with the record.
        record: PathBuf,
        /// The root key file.
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
        /// The manifests before, where the root changes.
        #[arg(long, value_name = "FILE")]
        chain: Option<PathBuf>,
    },
    /// Shows manifests for people, and with --root verifies them.
    Show {
        /// The manifests, `manifests.jsonl`.
        file: PathBuf,
        #[command(flatten)]
        root: RootArguments,
    },
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors; wrong arguments are.
            let code = if error.use_stderr() { 64 } else { 0 };
            drop(error.print());
            return ExitCode::from(code);
        }
    };
    match run(arguments.command) {
        Ok(ended) => ExitCode::from(ended.code()),
        Err(error) => {
            if !error.is_closed_pipe() {
                eprintln!("paigow-lab: {error}");
            }
            ExitCode::from(error.code())
        }
    }
}

fn run(command: Command) -> Result<Ended, LabError> {
    // Locked where it is read: `audit -` reads it by itself.
    let input = || BufReader::with_capacity(1 << 16, io::stdin().lock());
    let out = &mut BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match command {
        Command::Set { house_way } => {
            lab::set::run(&lab::set::find_house_way(&house_way)?, &mut input(), out)
        }
        Command::HouseWay { house_way, every_hand } => {
            lab::house_way::run(&house_way, every_hand, out)
        }
        Command::Judge { game } => {
            let game = lab::find_game(&game.ruleset, &game.house_ways)?;
            lab::judge::run(&game, &mut input(), out)
        }
        Command::Rules { game, markdown, json } => {
            let format = match (markdown, json) {
                (true, _) => rules::Format::Markdown,
                (false, true) => rules::Format::Json,
                (false, false) => rules::Format::Text,
            };
            let game = lab::find_game(&game.ruleset, &game.house_ways)?;
            rules::run(&game, format, out)
        }
        Command::Replay => lab::replay::run(&mut input(), out),
        Command::Audit { file, root, rulesets, house_ways, json } => {
            let root = lab::parse_root(&root.roots, root.threshold)?
                .ok_or_else(|| LabError::Usage("--root: what is trusted?".to_owned()))?;
            let catalogue = lab::audit::catalogue(&rulesets, &house_ways)?;
            let format = if json { Format::Json } else { Format::Table };
            lab::audit::run(&lab::read_file(&file)?, &root, &catalogue, format, out)
        }
        Command::Play(arguments) => lab::play::run(&play(arguments)?, out),
        #[cfg(feature = "ceremony")]
        Command::Keys(command) => {
            let ended = keys(command, out)?;
            out.flush()?;
            Ok(ended)
        }
    }
}

fn play(arguments: PlayArguments) -> Result<Play, LabError> {
    Ok(Play {
        server: arguments.server,
        rounds: arguments.rounds,
        ruleset: arguments.ruleset,
        table: match arguments.table {
            Some(table) => table,
            None => lab::system::new_table()?,
        },
        first_round: arguments.first_round,
        seed_of_choices: arguments.seed_of_choices,
        transcript: arguments.transcript,
        told: match (arguments.json, arguments.quiet) {
            (true, _) => Told::Json,
            (false, true) => Told::Quietly,
            (false, false) => Told::Readably,
        },
    })
}

#[cfg(feature = "ceremony")]
fn keys(command: Keys, out: &mut dyn Write) -> Result<Ended, LabError> {
    let entropy = &mut lab::system::entropy;
    let mut make = |new, dir: Out| ceremony::new_key(new, &dir.dir, entropy, out);
    match command {
        Keys::Root(dir) => make(NewKey::Signing(Role::Root), dir)?,
        Keys::Receipt(dir) => make(NewKey::Signing(Role::Receipt), dir)?,
        Keys::Ledger(dir) => make(NewKey::Signing(Role::Ledger), dir)?,
        Keys::Witness(dir) => make(NewKey::Signing(Role::Witness), dir)?,
        Keys::Epoch { epoch, out: dir } => make(NewKey::Epoch(epoch), dir)?,
        Keys::Token { serial, out: dir } => make(NewKey::Token(serial), dir)?,
        Keys::Manifest(command) => return manifest(command, out),
        Keys::Salt { chain, epoch, key } => ceremony::salt(&chain, epoch, &key, entropy, out)?,
        Keys::Reveal { keyring, epoch, key, now } => {
            let now = now.unwrap_or_else(lab::system::now);
            ceremony::reveal(&keyring, epoch, key.as_deref(), now, out)?;
        }
    }
    Ok(Ended::Well)
}

#[cfg(feature = "ceremony")]
fn manifest(command: ManifestCommand, out: &mut dyn Write) -> Result<Ended, LabError> {
    match command {
        ManifestCommand::Example => ceremony::manifest::example(out)?,
        ManifestCommand::Sign { description, chain, keys } => {
            ceremony::manifest::sign(&description, chain.as_deref(), &keys, out)?;
        }
        ManifestCommand::AddSignature { record, key, chain } => {
            ceremony::manifest::add_signature(&record, chain.as_deref(), &key, out)?;
        }
        ManifestCommand::Show { file, root } => {
            let root = lab::parse_root(&root.roots, root.threshold)?;
            return ceremony::manifest::show(&file, root.as_ref(), out);
        }
    }
    Ok(Ended::Well)
}
