//! `paigow-lab sink`: its arguments, and what they call.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use paigow_lab::sink::{self, SinkClose, SinkProof, SinkVerification};
use paigow_lab::{CommandError, CommandOutcome};

#[derive(Subcommand)]
pub(crate) enum SinkCommand {
    /// Verifies the evidence of one or more replicas: no line was dropped, doubled, moved or
    /// altered, and no round has two different answers.
    ///
    /// Also lists tickets without a close, and re-opens: rounds opened again before a lock named
    /// their ticket, and locks superseded by another. The protocol allows both; they do not change
    /// the exit code. Exit codes: 0: sound. 1: there is a fault or a fork.
    /// 2: there is no fault, but the evidence is open. Open means: a boot has no end or no
    /// line, a ticket has no close, earlier files are missing, or there is no line at all.
    Verify {
        /// Files of the sink, or folders with `*.jsonl` files; `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR")]
        paths: Vec<PathBuf>,
        /// An earlier report, written with --json. Keep it where the servers cannot write.
        /// Everything in it must still be in the files. Repeatable.
        #[arg(long, value_name = "FILE")]
        known: Vec<PathBuf>,
        /// A report to keep from one verification to the next. Keep it where the servers cannot
        /// write. Everything in it must still be in the files. The command creates it if it
        /// does not exist, and updates it if there is no fault. Missing boots stay in it.
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
        /// Writes JSON instead of text.
        #[arg(long)]
        json: bool,
        /// Also writes metrics in the text format of Prometheus. Open items are then a metric
        /// and do not change the exit code, so a nightly job succeeds.
        #[arg(long, value_name = "FILE")]
        prometheus: Option<PathBuf>,
    },
    /// Acknowledges the loss of files that a server noticed while it wrote to them: prints what
    /// was lost, and removes the marker from the folder. The server notices that within a second.
    ///
    /// The files do not come back: keep what `paigow-lab sink verify` says of them.
    Acknowledge {
        /// The folder of the evidence of one replica.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Writes the public close of an epoch for one tenant, without a signature.
    ///
    /// It counts the rounds that reached the evidence and has the hash of a tree with one leaf for
    /// each. `paigow-keys sign-close` signs it: the operator with a receipt or root key, and the
    /// witness with its own. Give the evidence of all replicas.
    Close {
        /// The epoch.
        #[arg(long)]
        epoch: u32,
        /// The tenant.
        #[arg(long, value_name = "NAME")]
        tenant: String,
        /// The time in Unix seconds. Default: the system clock.
        #[arg(long, value_name = "SECONDS")]
        now: Option<u64>,
        /// Files of the sink, or folders with `*.jsonl` files; `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR")]
        paths: Vec<PathBuf>,
    },
    /// Writes an inclusion proof for each round of an epoch and tenant, or for some of them, as
    /// input for `paigow-lab audit --proof`.
    ///
    /// The evidence has to make the tree of the close. A proof shows no more than the hashes of
    /// the records of one round.
    Proof {
        /// The epoch close, signed or not.
        #[arg(long, value_name = "FILE")]
        close: PathBuf,
        /// The table. Default: all tables.
        #[arg(long, value_name = "NAME")]
        table: Option<String>,
        /// The number of a round. Default: all rounds. Repeatable.
        #[arg(long = "round", value_name = "NUMBER")]
        rounds: Vec<u64>,
        /// Files of the sink, or folders with `*.jsonl` files; `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR")]
        paths: Vec<PathBuf>,
    },
    /// Writes the transcript of one round, as input for `paigow-lab audit`.
    ///
    /// Exit code 1: the round has more than one answer. The command writes all of them.
    Transcript {
        /// The round, 64 hexadecimal digits.
        #[arg(long, value_name = "ID")]
        round: String,
        /// Files of the sink, or folders with `*.jsonl` files; `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR")]
        paths: Vec<PathBuf>,
    },
}

/// Runs a command on the evidence.
pub(crate) fn run(
    command: SinkCommand,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    match command {
        SinkCommand::Verify { paths, known, report, json, prometheus } => {
            let now = paigow_files::system::now();
            sink::verify(&SinkVerification { paths, known, report, json, prometheus, now }, out)
        }
        SinkCommand::Acknowledge { folder } => sink::acknowledge(&folder, out),
        SinkCommand::Proof { close, table, rounds, paths } => {
            sink::proof(&SinkProof { close, table, rounds, paths }, out)
        }
        SinkCommand::Close { epoch, tenant, now, paths } => {
            let now = now.unwrap_or_else(paigow_files::system::now);
            sink::close(&SinkClose { epoch, tenant, paths, now }, out)
        }
        SinkCommand::Transcript { round, paths } => sink::transcript(&round, &paths, out),
    }
}
