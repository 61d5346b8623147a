//! `paigow-keys`: the key ceremony. Arguments and exit codes; the commands are in the library.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use paigow_fairness::signature::PublicKey;
use paigow_files::command::{
    CommandError, CommandOutcome, RootArguments, passphrase, public_key, run_program, utc_second,
};
use paigow_files::keys::KeyRole;
use paigow_files::system;
use paigow_keys::{
    self as ceremony, EpochPlan, KeyOutput, NewKey, PlannedSuite, SeedsToProve, SigningArguments,
};

/// The exit codes, as the help shows them.
const EXIT_CODES: &str = "\
Exit codes:
   0  success
   1  the command found a fault
  64  an argument is wrong
  65  a file has invalid content
  66  a file cannot be read
  69  a signer gives no signature
  73  a file cannot be written
  74  standard input, output or the system's random numbers failed";

/// Makes keys, signs manifests and release records, and reveals epochs.
///
/// The program works offline on files and links no network code.
#[derive(Parser)]
#[command(name = "paigow-keys", version, after_help = EXIT_CODES)]
struct KeysArguments {
    #[command(subcommand)]
    command: KeysCommand,
}

fn main() -> ExitCode {
    run_program("paigow-keys", |arguments: KeysArguments, out| run(arguments.command, out))
}

#[derive(Subcommand)]
enum KeysCommand {
    /// Makes a root key: signs manifests, kept offline.
    Root(OutputFolder),
    /// Makes a receipt key: signs the engine's records.
    Receipt(OutputFolder),
    /// Makes a ledger key: signs a tenant's locks.
    Ledger(OutputFolder),
    /// Makes a witness key: signs epoch salts and checkpoints of logs, held by a party that is not
    /// the operator.
    Witness(OutputFolder),
    /// Makes a log key: signs the checkpoints of a public log.
    Log(OutputFolder),
    /// Makes the secrets of epochs to come, and writes the epochs as a description lists them.
    ///
    /// Each epoch opens when the one before it closes.
    Epochs {
        /// The number of the first epoch.
        #[arg(long, value_name = "EPOCH")]
        first: u32,
        /// The number of epochs.
        #[arg(long)]
        count: u32,
        /// The time from which rounds of the first epoch can begin, as 2026-12-01T00:00:00Z.
        #[arg(long, value_name = "TIME", value_parser = utc_second)]
        from: u64,
        /// The hours in which rounds of an epoch can begin.
        #[arg(long, default_value_t = 48)]
        hours: u32,
        /// The days after that in which rounds of an epoch can be settled.
        #[arg(long, default_value_t = 7)]
        settle_days: u32,
        /// The public key of the witness that gives the salts.
        #[arg(long, value_name = "KEY", value_parser = public_key)]
        witness: PublicKey,
        /// How server seeds come about.
        #[arg(long, value_enum, default_value_t = SuiteArgument::Derived)]
        suite: SuiteArgument,
        #[command(flatten)]
        out: OutputFolder,
    },
    /// Makes the secret of an epoch.
    Epoch {
        /// The epoch, 0 to 2147483647.
        #[arg(long, value_parser = clap::value_parser!(u32).range(..=2_147_483_647))]
        epoch: u32,
        #[command(flatten)]
        out: OutputFolder,
    },
    /// Makes a token key of the fresh suite.
    Token {
        /// The serial number. The key with the highest number seals new tickets.
        #[arg(long, default_value_t = 1)]
        serial: u32,
        #[command(flatten)]
        out: OutputFolder,
    },
    /// Signs and shows manifests.
    #[command(subcommand)]
    Manifest(ManifestCommand),
    /// Adds the signature of a root holder to a release record and writes the record.
    SignRelease {
        /// The file with the record.
        record: PathBuf,
        #[command(flatten)]
        keys: SigningArguments,
    },
    /// Adds a signature to the close of an epoch and writes the record. The operator runs this with
    /// a receipt or root key, and the witness with its own.
    SignClose {
        /// The file with the record, as `paigow-lab sink close` writes it.
        record: PathBuf,
        #[command(flatten)]
        key: SigningArguments,
    },
    /// Publishes the secret of an epoch whose rounds can no longer be settled.
    ///
    /// A receipt or root key signs. Without one it is the receipt key in the keyring folder.
    Reveal {
        /// The keyring folder.
        #[arg(long, value_name = "DIR")]
        keyring: PathBuf,
        /// The epoch.
        #[arg(long)]
        epoch: u32,
        #[command(flatten)]
        key: SigningArguments,
        /// The time in Unix seconds. Default: the system clock.
        #[arg(long, value_name = "SECONDS")]
        now: Option<u64>,
    },
    /// Proves the server seeds of the rounds of an epoch that have no settlement, in the vrf suite.
    ///
    /// `paigow-lab sink close --unsettled` lists the rounds, and `--seed-proofs` takes the proofs.
    ProveSeeds {
        /// The keyring folder.
        #[arg(long, value_name = "DIR")]
        keyring: PathBuf,
        /// The epoch.
        #[arg(long)]
        epoch: u32,
        /// The tenant.
        #[arg(long)]
        tenant: String,
        /// The rounds, one a line.
        rounds: PathBuf,
        /// The first line of this file is the passphrase of the secret. `-` is standard input.
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
        /// The time in Unix seconds. Default: the system clock.
        #[arg(long, value_name = "SECONDS")]
        now: Option<u64>,
    },
    /// Reveals and closes the epoch of a development keyring, and appends both records to
    /// transcripts. Then their audit is a match.
    ///
    /// Only for development: it refuses any keyring that a production server could serve. After it
    /// every deck of the epoch is known, so no further round of that epoch proves anything. The
    /// keyring goes on with a new epoch: a running server reads it, and a later start as well.
    /// Rounds that are open are lost.
    ///
    /// The close counts the rounds of these transcripts and no others, so give all of the epoch at
    /// once. Nobody witnesses it: the claim nothing_left_out stays not shown. A second call appends
    /// the same records again to files that lack them.
    DevClose {
        /// The keyring folder.
        #[arg(long, value_name = "DIR", default_value = ".paigow-dev")]
        keyring: PathBuf,
        /// Transcripts of rounds of the epoch, as `paigow-lab play --transcript` writes them.
        #[arg(required = true, value_name = "FILE")]
        transcripts: Vec<PathBuf>,
    },
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SuiteArgument {
    /// From the secret of the epoch, which is published after it.
    Derived,
    /// From a verifiable random function: each settlement proves its seed.
    Vrf,
}

#[derive(clap::Args)]
struct OutputFolder {
    /// The existing folder to write the key file to.
    #[arg(long = "out", value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// A second source of random bytes: dice, a hardware generator. At least 32 bytes.
    #[arg(long, value_name = "FILE")]
    mix: Option<PathBuf>,
    /// Protects the secret in the file with a passphrase: the first line of this file, at least 12
    /// bytes. `-` is standard input.
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl OutputFolder {
    fn open(self) -> Result<KeyOutput, CommandError> {
        let passphrase = self.passphrase_file.as_deref().map(passphrase).transpose()?;
        Ok(KeyOutput { dir: self.dir, mix: self.mix, passphrase })
    }
}

#[derive(Subcommand)]
enum ManifestCommand {
    /// Writes an example description. Copy it and fill it in.
    Example,
    /// Writes the newest manifest as a description. Change it and sign it as the next one.
    Next {
        /// The manifests, `manifests.jsonl`.
        #[arg(long, value_name = "FILE")]
        chain: PathBuf,
        /// A ruleset file that is not compiled in. Repeatable.
        #[arg(long = "ruleset", value_name = "FILE")]
        rulesets: Vec<PathBuf>,
        /// A house-way file that is not compiled in. Repeatable.
        #[arg(long = "house-way", value_name = "FILE")]
        house_ways: Vec<PathBuf>,
        /// The salts of a witness, as `paigow-witness` writes them.
        #[arg(long, value_name = "FILE")]
        salts: Option<PathBuf>,
    },
    /// Makes a manifest from a description, signs it, and writes the record.
    Sign {
        /// The description, a TOML file like the example.
        description: PathBuf,
        /// The earlier manifests, `manifests.jsonl`. Omit it for the first manifest.
        #[arg(long, value_name = "FILE")]
        chain: Option<PathBuf>,
        #[command(flatten)]
        keys: SigningArguments,
    },
    /// Adds the signature of one more root holder and writes the record.
    AddSignature {
        /// The file with the record.
        record: PathBuf,
        #[command(flatten)]
        key: SigningArguments,
        /// The earlier manifests. Required unless this is the first manifest.
        #[arg(long, value_name = "FILE")]
        chain: Option<PathBuf>,
    },
    /// Shows manifests as text. With --root, also verifies them.
    Show {
        /// The manifests, `manifests.jsonl`.
        file: PathBuf,
        #[command(flatten)]
        root: RootArguments,
    },
}

/// Runs a command of the ceremony.
fn run(command: KeysCommand, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let entropy = &mut system::entropy;
    let mut make = |new, to: OutputFolder| ceremony::new_key(new, &to.open()?, entropy, out);
    match command {
        KeysCommand::Root(dir) => make(NewKey::Signing(KeyRole::Root), dir)?,
        KeysCommand::Receipt(dir) => make(NewKey::Signing(KeyRole::Receipt), dir)?,
        KeysCommand::Ledger(dir) => make(NewKey::Signing(KeyRole::Ledger), dir)?,
        KeysCommand::Witness(dir) => make(NewKey::Signing(KeyRole::Witness), dir)?,
        KeysCommand::Log(dir) => make(NewKey::Signing(KeyRole::Log), dir)?,
        KeysCommand::Epochs {
            first,
            count,
            from,
            hours,
            settle_days,
            witness,
            suite,
            out: dir,
        } => {
            let suite = match suite {
                SuiteArgument::Derived => PlannedSuite::Derived,
                SuiteArgument::Vrf => PlannedSuite::Vrf,
            };
            let open_from = from;
            let plan = EpochPlan { first, count, open_from, hours, settle_days, witness, suite };
            ceremony::epochs(&plan, &dir.open()?, entropy, out)?;
        }
        KeysCommand::Epoch { epoch, out: dir } => make(NewKey::Epoch(epoch), dir)?,
        KeysCommand::Token { serial, out: dir } => make(NewKey::Token(serial), dir)?,
        KeysCommand::Manifest(command) => return manifest(command, out),
        KeysCommand::SignRelease { record, keys } => {
            return ceremony::sign_release(&record, &keys, out);
        }
        KeysCommand::SignClose { record, key } => ceremony::sign_close(&record, &key, out)?,
        KeysCommand::Reveal { keyring, epoch, key, now } => {
            let now = now.unwrap_or_else(system::now);
            ceremony::reveal(&keyring, epoch, &key, now, out)?;
        }
        KeysCommand::ProveSeeds { keyring, epoch, tenant, rounds, passphrase_file, now } => {
            let now = now.unwrap_or_else(system::now);
            let passphrase = passphrase_file.as_deref().map(passphrase).transpose()?;
            let wanted = SeedsToProve { dir: keyring, epoch, tenant, rounds, passphrase };
            ceremony::prove_seeds(&wanted, now, out)?;
        }
        KeysCommand::DevClose { keyring, transcripts } => {
            ceremony::dev_close(&keyring, &transcripts, system::now(), entropy, out)?;
        }
    }
    Ok(CommandOutcome::Well)
}

fn manifest(command: ManifestCommand, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    match command {
        ManifestCommand::Example => ceremony::manifest::example(out)?,
        ManifestCommand::Next { chain, rulesets, house_ways, salts } => {
            ceremony::next(&chain, &rulesets, &house_ways, salts.as_deref(), out)?;
        }
        ManifestCommand::Sign { description, chain, keys } => {
            ceremony::manifest::sign(&description, chain.as_deref(), &keys, out)?;
        }
        ManifestCommand::AddSignature { record, key, chain } => {
            ceremony::manifest::add_signature(&record, chain.as_deref(), &key, out)?;
        }
        ManifestCommand::Show { file, root } => {
            let root = root.root()?;
            return ceremony::manifest::show(&file, root.as_ref(), out);
        }
    }
    Ok(CommandOutcome::Well)
}
