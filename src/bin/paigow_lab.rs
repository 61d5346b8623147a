//! `paigow-lab`: what a test laboratory, a key ceremony or a curious player runs
//! offline. Arguments and exit codes only; the commands are in `paigow::lab`.

use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use paigow::lab::{self, Ended, LabError};

/// Sets, replays, audits and plays rounds of Pai Gow Poker; makes and signs keys.
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
        /// The id of a house way, or the path of a chart file.
        house_way: String,
    },
    /// Replays seeds, decks and dice from published inputs: JSON Lines in and out.
    ///
    /// A line has `round_seed`, or the members of a round as in the published vectors:
    /// suite, epoch, tenant, table, round_no, ruleset_hash, engine, cards,
    /// client_seeds, external, and epoch_secret with epoch_salt, or server_seed.
    Replay,
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
    let input = &mut BufReader::with_capacity(1 << 16, io::stdin().lock());
    let out = &mut BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match command {
        Command::Set { house_way } => {
            lab::set::run(&lab::set::find_house_way(&house_way)?, input, out)
        }
        Command::Replay => lab::replay::run(input, out),
    }
}
