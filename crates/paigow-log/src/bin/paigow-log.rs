//! `paigow-log`: writes the public log of records, and proves from it. Arguments and exit codes; the
//! commands are in the library.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use paigow_fairness::log_proof::LogOrigin;
use paigow_files::command::{passphrase, run_program, signing_key};
use paigow_files::keys::KeyRole;
use paigow_log::{AskedWitness, LogCopying, LogProving, LogStart, LogWriting, copy, prove, write};

/// The exit codes, as the help shows them.
const EXIT_CODES: &str = "\
Exit codes:
   0  success
   1  findings: a line that cannot be read, a record without a proof, too few cosignatures
  64  an argument is wrong
  65  the log, its state and its checkpoint do not fit, or another process writes the log
  66  a file cannot be read
  69  the store, the evidence or the state cannot be read or written
  73  a file cannot be written
  74  standard output failed";

/// Writes the public log of records, and proves from it.
#[derive(Parser)]
#[command(name = "paigow-log", version, after_help = EXIT_CODES)]
struct LogArguments {
    #[command(subcommand)]
    command: LogCommand,
}

#[derive(Subcommand)]
enum LogCommand {
    /// Follows the evidence of replicas, appends to the log, and publishes its checkpoint.
    ///
    /// The log takes manifests, tickets, locks of wagers, closes of rounds, reveals and closes of
    /// epochs. The log reports a line of evidence that it cannot read, and skips it.
    Write {
        /// Where the log is: `s3://bucket/prefix`, with credentials, region and endpoint from the
        /// environment, or `file:///folder` with an existing folder.
        #[arg(long, value_name = "ADDRESS")]
        log: String,
        /// The name of the log, as the manifest lists it.
        #[arg(long)]
        origin: LogOrigin,
        /// The key file of the log, as `paigow-keys log` makes it.
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
        /// The file whose first line is the passphrase of the key file. `-` is standard input.
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
        /// The file of the state: how far the log goes, and where evidence was read to.
        #[arg(long, value_name = "FILE")]
        state: PathBuf,
        /// The folders of the evidence, one of each replica.
        #[arg(required = true, value_name = "FOLDER")]
        evidence: Vec<PathBuf>,
        /// A file, or a folder with files, of manifests, reveals and closes of epochs. Repeatable.
        #[arg(long = "records", value_name = "PATH")]
        records: Vec<PathBuf>,
        /// A witness to ask: the address of its server, its name and its public key. Repeatable.
        #[arg(long = "witness", value_name = "URL=NAME+KEY")]
        witnesses: Vec<AskedWitness>,
        /// How many witnesses have to sign a checkpoint. 0 needs no witness.
        #[arg(long, value_name = "N", default_value_t = 1)]
        wanted: usize,
        /// How many seconds the witnesses have to answer.
        #[arg(long, value_name = "SECONDS", default_value_t = 5)]
        witness_limit: u64,
        /// Goes on until SIGTERM, with so many seconds between two passes.
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
        every: Option<u64>,
        /// Makes the log and its state.
        #[arg(long)]
        new: bool,
        /// Makes a lost state again: reads all evidence, and appends the entries that the log
        /// lacks.
        #[arg(long, conflicts_with = "new")]
        recover: bool,
    },
    /// Writes a proof for each record of a transcript that the log has.
    ///
    /// The manifests of the transcript list the log and its key. A record without a proof is named
    /// on standard error.
    Prove {
        /// Where the log is: `s3://bucket/prefix` or `file:///folder`.
        #[arg(long, value_name = "ADDRESS")]
        log: String,
        /// The transcript. `-` is standard input.
        #[arg(long, value_name = "FILE")]
        transcript: PathBuf,
        /// How many witnesses have to have signed the checkpoint of a proof.
        #[arg(long, value_name = "N", default_value_t = 1)]
        wanted: usize,
        /// The file for the transcript with its proofs. Default: the proofs alone, on standard output.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Copies the newest checkpoint and every entry, for an audit with `--log-copy`.
    ///
    /// The copy has who wagered how much, as the entries have it.
    Copy {
        /// Where the log is: `s3://bucket/prefix`, `file:///folder` or `https://host/folder`.
        #[arg(long, value_name = "ADDRESS")]
        log: String,
        /// A transcript, or a file of manifests, which list the log and its key. `-` is standard input.
        #[arg(long, value_name = "FILE")]
        transcript: PathBuf,
        /// How many witnesses have to have signed the newest checkpoint.
        #[arg(long, value_name = "N", default_value_t = 1)]
        wanted: usize,
        /// The file for the copy. Default: standard output.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    run_program("paigow-log", |arguments: LogArguments, out| match arguments.command {
        LogCommand::Write {
            log,
            origin,
            key,
            passphrase_file,
            state,
            evidence,
            records,
            witnesses,
            wanted,
            witness_limit,
            every,
            new,
            recover,
        } => {
            let passphrase = passphrase_file.as_deref().map(passphrase).transpose()?;
            let key = signing_key(&key, &[KeyRole::Log], passphrase.as_ref())?;
            let start = match (new, recover) {
                (true, _) => LogStart::New,
                (_, true) => LogStart::Recover,
                (false, false) => LogStart::Continue,
            };
            let limit = Duration::from_secs(witness_limit);
            let every = every.map(Duration::from_secs);
            let request = LogWriting {
                log,
                origin,
                key,
                state,
                start,
                evidence,
                records,
                witnesses,
                wanted,
                limit,
                every,
            };
            write(&request, out)
        }
        LogCommand::Prove { log, transcript, wanted, out: to } => {
            prove(&LogProving { log, transcript, wanted, to }, out)
        }
        LogCommand::Copy { log, transcript, wanted, out: to } => {
            copy(&LogCopying { log, transcript, wanted, to }, out)
        }
    })
}
