//! The verdict of each round of a bulk audit, as a Parquet table.
//!
//! A row has the result of the round by itself. It does not state facts that other rounds decide:
//! whether another telling has the close, and whether every round of a table is present.

use std::fs;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

use crate::CommandError;
use crate::parquet_table::{Cell, ParquetTable};
use paigow_round::audit::{
    CheckCode, CheckStatus, ClaimNeed, ClaimStatus, RoundConclusion, RoundEnding, RoundFindings,
    VerdictReason,
};

const ROUNDS: &str = "message audited_rounds {
    REQUIRED BINARY file (UTF8);
    REQUIRED INT64 line;
    OPTIONAL BINARY round_id (UTF8);
    REQUIRED BINARY disposition (UTF8);
    OPTIONAL BINARY verdict (UTF8);
    OPTIONAL BINARY because (UTF8);
    OPTIONAL BINARY failed_checks (UTF8);
    OPTIONAL BINARY skipped_checks (UTF8);
    OPTIONAL BINARY claims_not_shown (UTF8);
}";

/// A table that is being written. An unfinished table is removed.
pub(super) struct RoundsTable {
    path: PathBuf,
    table: Option<ParquetTable>,
}

impl Drop for RoundsTable {
    fn drop(&mut self) {
        if self.table.take().is_some() {
            // If the file stays, the next run refuses it, since it needs a new one.
            drop(fs::remove_file(&self.path));
        }
    }
}

fn cannot(path: &Path, error: &ParquetError) -> CommandError {
    CommandError::CannotCreate(format!("{}: {error}", path.display()))
}

impl RoundsTable {
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        let table = ParquetTable::create(path, ROUNDS).map_err(|error| cannot(path, &error))?;
        Ok(Self { path: path.to_owned(), table: Some(table) })
    }

    /// Adds a round, which begins in a line of a file.
    pub(super) fn add(
        &mut self,
        round: &RoundFindings,
        conclusion: &RoundConclusion,
        (file, line): (&str, usize),
    ) -> Result<(), CommandError> {
        let names = |names: Vec<&str>| match names.as_slice() {
            [] => Cell::Null,
            names => Cell::from(names.join(" ")),
        };
        let waits = |code| conclusion.waits_for_tree && code == CheckCode::EpochClose;
        let checks = |status: CheckStatus| {
            let found = round.found.iter().filter(|found| found.status == status);
            names(
                found
                    .map(|found| found.code)
                    .filter(|code| !waits(*code))
                    .map(CheckCode::name)
                    .collect(),
            )
        };
        let claims = conclusion
            .claims
            .iter()
            .filter(|one| one.status != ClaimStatus::Shown)
            .filter(|one| !one.claim.needs.contains(&ClaimNeed::EveryRound));
        let disposition = match round.ending {
            Some(RoundEnding::Settled) => "settled",
            Some(RoundEnding::Void) => "void",
            None if round.round_id.is_none() => "unreadable",
            None => "open",
        };
        let reason = Some(&conclusion.reason);
        let reason = reason.filter(|reason| **reason != VerdictReason::ClosedElsewhere);
        let of_reason = |text: &dyn Fn(&VerdictReason) -> String| {
            reason.map_or(Cell::Null, |reason| Cell::from(text(reason)))
        };
        let row = vec![
            Cell::from(file.to_owned()),
            i64::try_from(line).map_or(Cell::Null, Cell::Number),
            round.round_id.map_or(Cell::Null, |id| Cell::from(id.to_string())),
            Cell::word(disposition),
            of_reason(&|reason| reason.verdict().name().to_owned()),
            of_reason(&VerdictReason::to_string),
            checks(CheckStatus::Failed),
            checks(CheckStatus::Skipped),
            names(claims.map(|found| found.claim.name.as_str()).collect()),
        ];
        let added = self.table.as_mut().map_or(Ok(()), |table| table.add(row));
        added.map_err(|error| cannot(&self.path, &error))
    }

    pub(super) fn end(mut self) -> Result<(), CommandError> {
        let closed = self.table.take().map_or(Ok(0), ParquetTable::close);
        closed.map(drop).map_err(|error| cannot(&self.path, &error))
    }
}
