//! `paigow-lab sink`: its arguments, and the functions that they call.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use paigow_files::command::TrustArguments;
use paigow_lab::sink::{
    self, DisputedRound, SinkClose, SinkCloseOutput, SinkDispute, SinkProof, SinkShipment,
    SinkVerification,
};
use paigow_lab::{CommandError, CommandOutcome, audit};

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
        /// Files of the sink, folders with `*.jsonl` files, or addresses that files were shipped to
        /// (`s3://bucket/prefix`); `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR|ADDRESS")]
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
    /// Writes rounds, wagers and money as Parquet tables, for a data team.
    ///
    /// Makes `rounds.parquet`, `wagers.parquet` and `money.parquet`. Amounts are in minor units. A round
    /// that is not closed has the disposition `open`. Exit code 1: a round has two closes, and the
    /// first was taken.
    Export {
        /// A new or an empty folder.
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
        /// Files of the sink, folders with `*.jsonl` files, or addresses that files were shipped to
        /// (`s3://bucket/prefix`); `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR|ADDRESS")]
        paths: Vec<PathBuf>,
    },
    /// Ships files of evidence that are not written any more to object storage.
    ///
    /// Each file is compressed, put there, read back and compared. A marker (`*.shipped`) beside the
    /// file says so. A file that is there already counts as shipped if it is the same. Exit code
    /// 1: a file could not be shipped.
    Ship {
        /// The folder of the evidence of one replica.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Where the files go: `s3://bucket/prefix` or `file:///folder`. Credentials, region and
        /// endpoint of S3 come from the environment: `AWS_ACCESS_KEY_ID`,
        /// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`, and `AWS_ALLOW_HTTP=true` for an
        /// endpoint without TLS.
        #[arg(long, value_name = "ADDRESS")]
        to: String,
        /// Looks again every so many seconds, until it is stopped. Default: one look.
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
        every: Option<u64>,
        /// Deletes each file so many hours after it was shipped, as `paigow-lab sink prune` does.
        #[arg(long, value_name = "HOURS")]
        prune_after_hours: Option<u64>,
    },
    /// Deletes files of evidence that were shipped some time ago.
    ///
    /// Before a file is deleted, its copy in object storage is read back and compared again. The
    /// newest file of the folder stays. Exit code 1: a copy is not there or is not the same.
    Prune {
        /// The folder of the evidence of one replica.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Where the files were shipped to.
        #[arg(long, value_name = "ADDRESS")]
        to: String,
        /// How many hours ago a file was shipped at least.
        #[arg(long, value_name = "HOURS")]
        after_hours: u64,
    },
    /// Writes shipped files of evidence to a folder, as they were before they were shipped.
    Restore {
        /// Where the files were shipped to.
        #[arg(value_name = "ADDRESS")]
        from: String,
        /// The folder.
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
        /// Writes the rounds that have a lock of the wagers and no settlement, and not the record.
        #[arg(long, conflicts_with = "seed_proofs")]
        unsettled: bool,
        /// In the vrf suite: the proofs of the seeds of these rounds, from `paigow-keys prove-seeds`.
        #[arg(long, value_name = "FILE")]
        seed_proofs: Option<PathBuf>,
        /// Files of the sink, folders with `*.jsonl` files, or addresses that files were shipped to
        /// (`s3://bucket/prefix`); `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR|ADDRESS")]
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
        /// Files of the sink, folders with `*.jsonl` files, or addresses that files were shipped to
        /// (`s3://bucket/prefix`); `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR|ADDRESS")]
        paths: Vec<PathBuf>,
    },
    /// Describes one round in a player's words, and audits its records.
    ///
    /// The round is named by its id, or by table and number. --write makes a new folder. The folder has
    /// the text (`round.txt`), the transcript, the findings of the audit with its claims, and the
    /// verifier page. Exit codes as those of `paigow-lab audit`.
    Dispute(Box<DisputeArguments>),
    /// Writes the transcript of one round, as input for `paigow-lab audit`.
    ///
    /// Exit code 1: the round has more than one answer. The command writes all of them.
    Transcript {
        /// The round, 64 hexadecimal digits.
        #[arg(long, value_name = "ID")]
        round: String,
        /// Files of the sink, folders with `*.jsonl` files, or addresses that files were shipped to
        /// (`s3://bucket/prefix`); `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR|ADDRESS")]
        paths: Vec<PathBuf>,
    },
}

/// The arguments of `paigow-lab sink dispute`.
#[derive(clap::Args)]
pub(crate) struct DisputeArguments {
    /// The round, 64 hexadecimal digits.
    #[arg(long, value_name = "ID", required_unless_present = "table")]
    round: Option<String>,
    /// The tenant. Default: any.
    #[arg(long, value_name = "NAME", conflicts_with = "round")]
    tenant: Option<String>,
    /// The table.
    #[arg(long, value_name = "NAME", conflicts_with = "round", requires = "number")]
    table: Option<String>,
    /// The number of the round at the table.
    #[arg(long, value_name = "NUMBER", requires = "table")]
    number: Option<u64>,
    #[command(flatten)]
    trust: TrustArguments,
    /// A new or an empty folder for the files.
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// An additional ruleset file. Repeatable.
    #[arg(long = "ruleset", value_name = "FILE")]
    rulesets: Vec<PathBuf>,
    /// An additional house-way file. Repeatable.
    #[arg(long = "house-way", value_name = "FILE")]
    house_ways: Vec<PathBuf>,
    /// Files of the sink, folders with `*.jsonl` files, or addresses that files were shipped to
    /// (`s3://bucket/prefix`); `-` is standard input.
    #[arg(required = true, value_name = "FILE|DIR|ADDRESS")]
    paths: Vec<PathBuf>,
}

impl DisputeArguments {
    fn run(self, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
        let Self { round, tenant, table, number, trust, write, rulesets, house_ways, paths } = self;
        let round = match (round, table.zip(number)) {
            (Some(round), _) => DisputedRound::Id(round),
            (None, Some((table, number))) => DisputedRound::Place { tenant, table, number },
            (None, None) => return Err(CommandError::Usage("--table needs --number".to_owned())),
        };
        let catalogue = audit::catalogue(&rulesets, &house_ways)?;
        let terms = trust.terms()?;
        sink::dispute(&SinkDispute { round, terms, write, paths }, &catalogue, out)
    }
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
        SinkCommand::Export { to, paths } => sink::export(&to, &paths, out),
        SinkCommand::Ship { folder, to, every, prune_after_hours } => {
            let (every, prune_after) = (every.map(Duration::from_secs), prune_after_hours);
            sink::ship(&SinkShipment { folder, to, every, prune_after }, out)
        }
        SinkCommand::Prune { folder, to, after_hours } => {
            sink::prune(&folder, &to, after_hours, out)
        }
        SinkCommand::Restore { from, folder } => sink::restore(&from, &folder, out),
        SinkCommand::Proof { close, table, rounds, paths } => {
            sink::proof(&SinkProof { close, table, rounds, paths }, out)
        }
        SinkCommand::Close { epoch, tenant, now, unsettled, seed_proofs, paths } => {
            let now = now.unwrap_or_else(paigow_files::system::now);
            let record = SinkCloseOutput::Record(seed_proofs);
            let output = if unsettled { SinkCloseOutput::Unsettled } else { record };
            sink::close(&SinkClose { epoch, tenant, paths, now, output }, out)
        }
        SinkCommand::Dispute(arguments) => arguments.run(out),
        SinkCommand::Transcript { round, paths } => sink::transcript(&round, &paths, out),
    }
}
