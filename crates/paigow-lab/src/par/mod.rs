//! `paigow-lab par`: the mathematics of a game. Every number is a fraction, beside the figures that
//! the sources print.

mod assembly;
mod base;
mod base_sheet;
mod bonus;
mod commission;
mod counted;
mod exact;
mod export;
mod extremes;
mod html;
mod layout;
mod many_rounds;
mod markdown;
mod page;
mod plots;
mod published;
mod reconcile;
pub mod sheet;

use std::io::Write;
use std::path::PathBuf;

pub use exact::{ParCount, ParFraction, ResultSpread};

use super::{CommandError, CommandOutcome, find_game};
use counted::SheetCounts;
use paigow_round::{Catalogue, ListedGame};
use sheet::ParDocument;

/// The schema of the JSON of a sheet, in the form of JSON Schema 2020-12.
pub const SCHEMA: &str = include_str!("par.schema.json");

/// How a sheet is written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ParFormat {
    /// Markdown with tables.
    Markdown,
    /// One page of HTML.
    Html,
    /// One JSON object, a [`ParDocument`], which [`SCHEMA`] describes.
    Json,
    /// Every table as a file of CSV in this folder.
    Csv(PathBuf),
    /// Every table as a worksheet of this workbook.
    Xlsx(PathBuf),
}

/// Finds the games of a command: one as [`find_game`] does, or with `all` every one that
/// is compiled in, by id.
///
/// # Errors
///
/// Those of [`find_game`]. Also if files of house ways are given with `all`, which needs none.
pub fn find_games(ruleset: &str, house_ways: &[PathBuf]) -> Result<Vec<ListedGame>, CommandError> {
    if ruleset == "all" {
        if !house_ways.is_empty() {
            let what = "--house-way: the rulesets that are compiled in have theirs";
            return Err(CommandError::Usage(what.to_owned()));
        }
        return Ok(Catalogue::shipped().games().into_iter().cloned().collect());
    }
    find_game(ruleset, house_ways).map(|game| vec![game])
}

/// Writes the mathematics of games.
///
/// With `counts`, counts are made that are not compiled in. The pairs of hands under a house way
/// take seconds, or a minute for a game with a double down. Each bet on the seat's set hands beside
/// a base wager takes a minute.
///
/// Ends with findings if a published figure differs from the exact one and no explanation is
/// recorded.
///
/// # Errors
///
/// If output fails.
pub fn run(
    games: &[ListedGame],
    format: &ParFormat,
    counts: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let games: Vec<&ListedGame> = games.iter().collect();
    let document = ParDocument::with(&games, |game| {
        if counts { SheetCounts::of(game) } else { SheetCounts::default() }
    });
    match format {
        ParFormat::Markdown => {
            out.write_all(markdown::markdown(&layout::pages(&document)).as_bytes())?;
        }
        ParFormat::Html => {
            out.write_all(html::html(&layout::pages(&document), &document).as_bytes())?;
        }
        ParFormat::Json => {
            let json = serde_json::to_string_pretty(&document).map_err(std::io::Error::from)?;
            writeln!(out, "{json}")?;
        }
        ParFormat::Csv(folder) => {
            let tables = export::csv(&layout::pages(&document), folder)?;
            writeln!(out, "{}: {tables} tables", folder.display())?;
        }
        ParFormat::Xlsx(file) => {
            let tables = export::xlsx(&layout::pages(&document), file)?;
            writeln!(out, "{}: {tables} tables", file.display())?;
        }
    }
    Ok(if document.has_differences() { CommandOutcome::WithFindings } else { CommandOutcome::Well })
}
