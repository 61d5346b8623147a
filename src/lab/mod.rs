//! What a test laboratory, a key ceremony or a curious player runs offline.
//!
//! Every command of `paigow-lab` is a function here that reads lines and writes lines;
//! the binary adds arguments and the exit code.

pub mod audit;
pub mod base_game;
#[cfg(feature = "ceremony")]
pub mod ceremony;
mod games;
pub mod house_way;
mod in_order;
mod json_line;
pub mod judge;
pub mod page;
pub mod par;
pub mod play;
pub mod proto_json;
pub mod release;
pub mod replay;
pub mod replay_all;
pub mod rng;
pub mod rules;
pub mod set;
pub mod simulate;
pub mod sink;
pub mod system;

use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::Path;

use crate::fairness::manifest::Root;
use crate::fairness::signature::PublicKey;
use crate::house_way::Fault;
use crate::keys;

pub use games::find_game;

/// Returns a count with what is counted: `1 fault`, `2 faults`.
fn counted<N: fmt::Display + From<u8> + PartialEq>(count: N, what: &str) -> String {
    let end = if count == N::from(1) { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// How a command ends when it could be carried out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended {
    /// As asked. Exit code 0.
    Well,
    /// Carried out, with findings: a bad input line, an audit that does not match. 1.
    WithFindings,
    /// An audit without a fault that could not make every check. 2.
    Incomplete,
}

impl Ended {
    /// Returns the exit code.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Well => 0,
            Self::WithFindings => 1,
            Self::Incomplete => 2,
        }
    }
}

/// Why a command could not be carried out. The codes are those of `sysexits.h`.
#[derive(Debug)]
pub enum LabError {
    /// The arguments contradict one another or name something unknown. Exit code 64.
    Usage(String),
    /// A file or a line is not what it has to be. 65.
    Data(String),
    /// A file cannot be read. 66.
    NoInput(String),
    /// The server cannot be reached or refused. 69.
    Unavailable(String),
    /// A file cannot be written. 73.
    CannotCreate(String),
    /// Standard input or output failed. 74.
    Io(io::Error),
}

impl LabError {
    /// Returns the exit code.
    #[must_use]
    pub const fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 64,
            Self::Data(_) => 65,
            Self::NoInput(_) => 66,
            Self::Unavailable(_) => 69,
            Self::CannotCreate(_) => 73,
            Self::Io(_) => 74,
        }
    }

    /// Whether the reader of our output has gone, which needs no message.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(what)
            | Self::Data(what)
            | Self::NoInput(what)
            | Self::Unavailable(what)
            | Self::CannotCreate(what) => f.write_str(what),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for LabError {}

impl From<io::Error> for LabError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads a whole file; `-` is standard input.
///
/// # Errors
///
/// If it cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, LabError> {
    let read = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    read.map_err(|error| LabError::NoInput(format!("{}: {error}", path.display())))
}

/// Reads a whole file of text.
///
/// # Errors
///
/// If it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, LabError> {
    String::from_utf8(read_file(path)?)
        .map_err(|_| LabError::Data(format!("{}: not UTF-8 text", path.display())))
}

/// Reads a root of trust from the command line: public keys, or the one path of a
/// `root.json`. Nothing where none is given; one signature is enough where no
/// `threshold` is.
///
/// # Errors
///
/// If a key is none, a file cannot be read or is no root, or the threshold is not 1 to
/// the number of distinct keys.
pub fn parse_root(given: &[String], threshold: Option<usize>) -> Result<Option<Root>, LabError> {
    let root = match given {
        [] => return Ok(None),
        [path] if path.ends_with(".json") => keys::parse_root(&read_file(Path::new(path))?)
            .map_err(|error| LabError::Data(format!("{path}: {error}")))?,
        given => {
            let key = |text: &String| {
                PublicKey::from_hex(text)
                    .map_err(|error| LabError::Usage(format!("--root {text}: {error}")))
            };
            let mut keys = given.iter().map(key).collect::<Result<Vec<_>, LabError>>()?;
            keys.sort();
            keys.dedup();
            Root { keys, threshold: 1 }
        }
    };
    let threshold = threshold.unwrap_or(root.threshold);
    if !(1..=root.keys.len()).contains(&threshold) {
        let what = format!("--threshold {threshold}: 1 to the number of distinct root keys");
        return Err(LabError::Usage(what));
    }
    Ok(Some(Root { threshold, ..root }))
}

/// Reads a file of rules and tells every fault of it.
fn parse_rules<T>(
    path: &Path,
    parse: impl Fn(&str) -> Result<T, Vec<Fault>>,
) -> Result<T, LabError> {
    parse(&read_text(path)?).map_err(|faults| unusable(path, &faults))
}

/// Tells every fault of a file of rules.
fn unusable(path: &Path, faults: &[Fault]) -> LabError {
    let lines: Vec<String> =
        faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
    LabError::Data(lines.join("\n"))
}

/// Answers every line of `input` with one line on `out`: what `answer` writes, or
/// `{"error":"...","line":n}` with the number of the line from 1.
fn answer_lines(
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    mut answer: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), String>,
) -> Result<Ended, LabError> {
    let mut ended = Ended::Well;
    let (mut line, mut text) = (Vec::new(), Vec::new());
    for number in 1_u64.. {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        text.clear();
        if let Err(error) = answer(line.trim_ascii_end(), &mut text) {
            ended = Ended::WithFindings;
            text.clear();
            let fault = serde_json::json!({ "error": error, "line": number });
            text.extend_from_slice(fault.to_string().as_bytes());
        }
        text.push(b'\n');
        out.write_all(&text)?;
    }
    Ok(ended)
}
