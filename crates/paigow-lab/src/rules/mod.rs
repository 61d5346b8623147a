//! `paigow-lab rules`: the rules of a game for players and regulators, made from the data that the
//! engine plays by. So artwork and mathematics have one source.

pub(crate) mod figures;
mod layout;
pub(crate) mod markdown;
mod page;
pub mod sheet;
mod text;
mod words;

use std::io::Write;

use super::{CommandError, CommandOutcome};
use paigow_round::ListedGame;
use sheet::Sheet;

pub(super) use figures::grouped;

/// The form of the rules.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SheetFormat {
    /// Plain text of at most 80 columns.
    Text,
    /// Markdown with tables.
    Markdown,
    /// One JSON object, a [`Sheet`].
    Json,
}

/// Writes the rules of a game: the cards, the deal, the hands, and the whole house way. For all
/// wagers it writes payments, returns and costs.
///
/// # Errors
///
/// If output fails.
pub fn run(
    game: &ListedGame,
    format: SheetFormat,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let sheet = Sheet::of(game);
    let page = || layout::page(&sheet, game.ruleset.currency());
    match format {
        SheetFormat::Text => out.write_all(text::text(&page()).as_bytes())?,
        SheetFormat::Markdown => out.write_all(markdown::markdown(&page()).as_bytes())?,
        SheetFormat::Json => {
            let json = serde_json::to_string_pretty(&sheet).map_err(std::io::Error::from)?;
            writeln!(out, "{json}")?;
        }
    }
    Ok(CommandOutcome::Well)
}
