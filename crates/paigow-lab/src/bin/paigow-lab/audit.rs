//! The arguments of an audit beside the keys that it trusts: proofs, copies of logs, claims, the caller's seat.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use paigow_fairness::json::Json;
use paigow_fairness::log_copy::LogCopy;
use paigow_fairness::payload::PayloadError;
use paigow_fairness::signature::PublicKey;
use paigow_lab::CommandError;
use paigow_round::audit::{CLAIMS, MySeat};
use paigow_round::record::{InclusionProof, InclusionProofs};
use paigow_rules::cards::Seat;

/// The proofs that rounds are in the tree of the close of their epoch.
#[derive(clap::Args)]
pub(crate) struct ProofArguments {
    /// A file of inclusion proofs, one a line, as `paigow-lab sink proof` writes them. Repeatable.
    #[arg(long = "proof", value_name = "FILE")]
    proofs: Vec<PathBuf>,
}

impl ProofArguments {
    /// Reads the proofs.
    pub(crate) fn proofs(&self) -> Result<InclusionProofs, CommandError> {
        let mut proofs: Vec<InclusionProof> = Vec::new();
        for file in &self.proofs {
            let text = paigow_lab::read_file(file)?;
            let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
            for (number, line) in (1..).zip(lines) {
                let read = Json::parse_canonical(line).map_err(PayloadError::from);
                let proof = read.and_then(InclusionProof::parse).map_err(|error| {
                    let file = file.display();
                    CommandError::Data(format!(
                        "{file}, line {number}: no inclusion proof: {error}"
                    ))
                });
                proofs.push(proof?);
            }
        }
        Ok(proofs.into_iter().collect())
    }
}

/// Copies of the public log.
#[derive(clap::Args)]
pub(crate) struct LogCopyArguments {
    /// A copy of the public log, as `paigow-log copy` writes it. With it the audit says whether the
    /// transcript has every round that the log has. Repeatable.
    #[arg(long = "log-copy", value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl LogCopyArguments {
    /// Reads the copies.
    pub(crate) fn copies(&self) -> Result<Vec<LogCopy>, CommandError> {
        let read = |file: &PathBuf| {
            LogCopy::parse(&paigow_lab::read_file(file)?).map_err(|error| {
                CommandError::Data(format!("{}: not a copy of a log: {error}", file.display()))
            })
        };
        self.files.iter().map(read).collect()
    }
}

/// The claims that have to be shown.
#[derive(clap::Args)]
pub(crate) struct RequireArgument {
    /// A claim that has to be shown, as nothing_left_out; may be repeated. The exit code is 2 if
    /// it is not shown, and 3 if it waits for the secret of an epoch.
    #[arg(long = "require", value_name = "CLAIM", value_parser = claim_name())]
    pub(crate) claims: Vec<String>,
}

fn claim_name() -> PossibleValuesParser {
    PossibleValuesParser::new(CLAIMS.iter().map(|claim| claim.name.as_str()))
}

/// Reads `N` or `N=KEY`.
pub(crate) fn my_seat(text: &str) -> Result<MySeat, String> {
    let (seat, key) = match text.split_once('=') {
        Some((seat, key)) => (seat, Some(key)),
        None => (text, None),
    };
    let number = seat.parse().ok().and_then(Seat::new).filter(|seat| !seat.is_dealer());
    let key = key.map(|key| PublicKey::from_hex(key).map_err(|error| error.to_string()));
    Ok(MySeat { seat: number.ok_or("a seat is 1 to 7")?, key: key.transpose()? })
}
