//! The file of the counts of best play against one house way.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::CommandError;
use paigow_exact::{BestPlay, BestPlayTerms};
use paigow_fairness::seed::house_way_hash;
use paigow_rules::game::Ruleset;
use paigow_rules::house_way::HouseWay;

/// Returns the path of the file for a way: its hash.
fn path(folder: &Path, way: &HouseWay) -> PathBuf {
    folder.join(format!("{}.best", house_way_hash(way.id(), way.text().as_bytes())))
}

fn read_all(path: &Path) -> Result<Option<Vec<BestPlay>>, CommandError> {
    match fs::read_to_string(path) {
        Ok(text) => BestPlay::parse_all(&text).map(Some).ok_or_else(|| {
            CommandError::Data(format!("{}: not counts of best play", path.display()))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CommandError::NoInput(format!("{}: {error}", path.display()))),
    }
}

/// Writes counts into the file of a way, beside those of other terms. Returns its path.
pub(super) fn write(
    folder: &Path,
    way: &HouseWay,
    play: BestPlay,
) -> Result<PathBuf, CommandError> {
    let path = path(folder, way);
    let mut all = read_all(&path)?.unwrap_or_default();
    all.retain(|known| known.terms != play.terms);
    all.push(play);
    all.sort_by_key(|play| play.terms.to_string());
    let mut text = format!(
        "# Best play against the house way {}, counted by `paigow-lab best`. A paragraph has the\n\
         # terms of a base game, the pairs of hands, and for best play and the house way: the\n\
         # player's hands, the pairs won and lost, the hands doubled on, the pairs of those won\n\
         # and lost. A clause has the hands that it sets, and the same six numbers of the hands\n\
         # that best play sets otherwise: as the way sets them, and as best play does.\n",
        way.id()
    );
    for play in &all {
        text.push_str(&format!("\n{play}"));
    }
    fs::write(&path, text)
        .map_err(|error| CommandError::CannotCreate(format!("{}: {error}", path.display())))?;
    Ok(path)
}

/// Reads the counts for a ruleset from the file of a way.
pub(super) fn read(
    folder: &Path,
    way: &HouseWay,
    ruleset: &Ruleset,
) -> Result<BestPlay, CommandError> {
    let path = path(folder, way);
    let missing = |what: &str| CommandError::NoInput(format!("{}: {what}", path.display()));
    let all = read_all(&path)?.ok_or_else(|| missing("no such file"))?;
    let terms = BestPlayTerms::of(ruleset);
    all.into_iter()
        .find(|play| Some(&play.terms) == terms.as_ref())
        .ok_or_else(|| missing("has no counts for the terms of this ruleset"))
}
