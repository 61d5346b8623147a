//! `paigow-lab sink`: its arguments, and what they call.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use paigow_lab::sink::{self, Verify};
use paigow_lab::{CommandError, CommandOutcome};

#[derive(Subcommand)]
pub(crate) enum Sink {
    /// Verifies the evidence of one or many replicas: that no line was dropped, doubled,
    /// moved or altered, and that no round was answered in two ways.
    ///
    /// Lists tickets without a close too. Exit code 0 where all is sound, 1 where something
    /// is broken, 2 where nothing is wrong but something is open: a boot without an end
    /// or without any line, a ticket without a close, files from before that were not given;
    /// or there is no line at all.
    Verify {
        /// Files of the sink, or folders with `*.jsonl` files; `-` is standard input.
        #[arg(required = true, value_name = "FILE|DIR")]
        paths: Vec<PathBuf>,
        /// An earlier report written with --json, kept where the sink cannot be written
        /// from: what it saw has to be there still. May be repeated.
        #[arg(long, value_name = "FILE")]
        known: Vec<PathBuf>,
        /// A report that is kept from one verification to the next, where the sink cannot be
        /// written from: what it saw has to be there still. Made if it is not there, and made
        /// anew, with what is missing of the one before, where nothing is wrong.
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
        /// Writes JSON instead of text.
        #[arg(long)]
        json: bool,
        /// Writes figures besides, in the text format of Prometheus. What is open is one
        /// of them then, and no exit code: a job that looks every night has done its work.
        #[arg(long, value_name = "FILE")]
        prometheus: Option<PathBuf>,
    },
    /// Writes the transcript of one round, as `paigow-lab audit` takes it.
    ///
    /// Exit code 1 where the round was answered in two ways; all of them are written.
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
pub(crate) fn run(command: Sink, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    match command {
        Sink::Verify { paths, known, report, json, prometheus } => {
            let now = paigow_files::system::now();
            sink::verify(&Verify { paths, known, report, json, prometheus, now }, out)
        }
        Sink::Transcript { round, paths } => sink::transcript(&round, &paths, out),
    }
}
