//! The verdict of each round of a bulk audit, as a Parquet table.

use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

use crate::CommandError;
use crate::parquet_table::{Cell, ParquetTable};
use paigow_round::audit::{CheckStatus, ClaimStatus, RoundConclusion, RoundEnding, RoundFindings};

const ROUNDS: &str = "message audited_rounds {
    REQUIRED BINARY file (UTF8);
    REQUIRED INT64 line;
    OPTIONAL BINARY round_id (UTF8);
    REQUIRED BINARY disposition (UTF8);
    REQUIRED BINARY verdict (UTF8);
    REQUIRED BINARY because (UTF8);
    OPTIONAL BINARY failed_checks (UTF8);
    OPTIONAL BINARY skipped_checks (UTF8);
    OPTIONAL BINARY claims_not_shown (UTF8);
}";

/// A table that is written.
pub(super) struct RoundsTable {
    path: PathBuf,
    table: ParquetTable,
}

fn cannot(path: &Path, error: &ParquetError) -> CommandError {
    CommandError::CannotCreate(format!("{}: {error}", path.display()))
}

impl RoundsTable {
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        let table = ParquetTable::create(path, ROUNDS).map_err(|error| cannot(path, &error))?;
        Ok(Self { path: path.to_owned(), table })
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
        let checks = |status: CheckStatus| {
            let found = round.found.iter().filter(|found| found.status == status);
            names(found.map(|found| found.code.name()).collect())
        };
        let claims = conclusion.claims.iter().filter(|one| one.status != ClaimStatus::Shown);
        let disposition = match round.ending {
            Some(RoundEnding::Settled) => "settled",
            Some(RoundEnding::Void) => "void",
            None => "open",
        };
        let row = vec![
            Cell::from(file.to_owned()),
            i64::try_from(line).map_or(Cell::Null, Cell::Number),
            round.round_id.map_or(Cell::Null, |id| Cell::from(id.to_string())),
            Cell::word(disposition),
            Cell::word(conclusion.reason.verdict().name()),
            Cell::from(conclusion.reason.to_string()),
            checks(CheckStatus::Failed),
            checks(CheckStatus::Skipped),
            names(claims.map(|found| found.claim.name.as_str()).collect()),
        ];
        self.table.add(row).map_err(|error| cannot(&self.path, &error))
    }

    pub(super) fn end(self) -> Result<(), CommandError> {
        self.table.close().map(drop).map_err(|error| cannot(&self.path, &error))
    }
}
