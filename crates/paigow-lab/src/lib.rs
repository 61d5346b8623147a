//! The offline commands for test laboratories and players.
//!
//! Every command of `paigow-lab` is a function here that reads lines and writes lines;
//! the binary adds arguments and the exit code.

pub mod admin;
pub mod audit;
pub mod base_game;
pub mod best;
pub mod every_row;
mod games;
pub mod house_way;
mod in_order;
mod in_parts;
mod json_line;
pub mod judge;
pub mod monitor;
pub mod page;
pub mod par;
mod parquet_table;
pub mod play;
pub mod readings;
pub mod release;
pub mod replay;
pub mod replay_all;
pub mod rng;
pub mod ruin;
pub mod rules;
pub mod set;
pub mod shard;
pub mod simulate;
pub mod sink;
pub mod strategy;

use std::fmt;
use std::io::{BufRead, Write};

pub use games::find_game;
pub use paigow_files::command::{
    CommandError, CommandOutcome, find_house_way, parse_root, read_file, read_text,
};
use paigow_files::command::{load_house_way, parse_rules};

/// Returns a count with its noun: `1 fault`, `2 faults`.
fn counted<N: fmt::Display + From<u8> + PartialEq>(count: N, what: &str) -> String {
    let end = if count == N::from(1) { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// Answers every line of `input` with one line on `out`: the text of `answer`, or
/// `{"error":"...","line":n}` with the number of the line from 1.
fn answer_lines(
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    mut answer: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), String>,
) -> Result<CommandOutcome, CommandError> {
    let mut ended = CommandOutcome::Well;
    let (mut line, mut text) = (Vec::new(), Vec::new());
    for number in 1_u64.. {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        text.clear();
        if let Err(error) = answer(line.trim_ascii_end(), &mut text) {
            ended = CommandOutcome::WithFindings;
            text.clear();
            let fault = serde_json::json!({ "error": error, "line": number });
            text.extend_from_slice(fault.to_string().as_bytes());
        }
        text.push(b'\n');
        out.write_all(&text)?;
    }
    Ok(ended)
}
