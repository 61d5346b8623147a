//! `paigow-lab release`: makes the release record from a source tree and binaries, and verifies it.
//!
//! Root holders sign it one after the other with `paigow-keys sign-release`.

mod changes;
mod inputs;
mod list;
mod make;
mod show;
mod tree;
mod verify;

use std::path::Path;

pub use inputs::{hash, inputs};
pub use list::{What, list};
pub use make::{Make, make};
pub use show::show;
pub use verify::{Verify, verify};

use super::{CommandError, read_file};
use paigow_config::Config;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::seed::{house_way_hash, ruleset_hash};
use paigow_files::release::{self, Binary, BuildSettings, Envelope, Named, Release, ReleasedPage};
use paigow_files::rules_folder;
use paigow_round::Catalogue;

/// Reads a release record, whatever its signatures.
fn read(path: &Path) -> Result<(Envelope, Release), CommandError> {
    release::read(&read_file(path)?).map_err(|error| at(path, error))
}

fn at(path: &Path, what: impl std::fmt::Display) -> CommandError {
    CommandError::Data(format!("{}: {what}", path.display()))
}

/// Returns the last part of a path, which names the file in a record.
fn name_of(path: &Path) -> Result<Identifier, CommandError> {
    let name = path.file_name().and_then(|name| name.to_str()).map(str::parse);
    name.and_then(Result::ok).ok_or_else(|| {
        let what = "the name of a file in a release has 1 to 64 characters of A-Z a-z 0-9 . _ : -";
        at(path, what)
    })
}

fn binary(path: &Path) -> Result<Binary, CommandError> {
    let bytes = read_file(path)?;
    let size = u64::try_from(bytes.len()).map_err(|error| at(path, error))?;
    let build = BuildSettings::find(&bytes);
    Ok(Binary { name: name_of(path)?, sha256: Hash::of(&bytes), size, build })
}

/// Returns the entry of a record for the page for players, whose file has these bytes.
fn page(bytes: &[u8]) -> Result<ReleasedPage, CommandError> {
    let size = u64::try_from(bytes.len()).map_err(|error| CommandError::Data(error.to_string()))?;
    Ok(ReleasedPage { sha256: Hash::of(bytes), size })
}

/// Returns the settings in effect of a file: with the defaults, and with the `PAIGOW__` variables
/// of this process.
fn configuration(path: &Path) -> Result<Named, CommandError> {
    let config = Config::load(Some(path)).map_err(|error| at(path, error))?;
    Ok(Named { name: name_of(path)?, hash: config.digest() })
}

/// Rulesets and house ways by name.
struct Rules {
    rulesets: Vec<Named>,
    house_ways: Vec<Named>,
}

impl Rules {
    /// Returns the compiled-in rules and those in an operator's folder of rules.
    fn load(folder: Option<&Path>) -> Result<Self, CommandError> {
        let catalogue = match folder {
            None => Catalogue::shipped(),
            Some(folder) => rules_folder::catalogue(folder)
                .map_err(|faults| CommandError::Data(faults.join("\n")))?,
        };
        let named = |id: &str, hash: Hash| -> Result<Named, CommandError> {
            let name =
                id.parse().map_err(|_| CommandError::Data(format!("{id}: no identifier")))?;
            Ok(Named { name, hash })
        };
        let ruleset = |game: &paigow_round::ListedGame| {
            let (id, text) = (game.ruleset.id(), game.ruleset.text());
            named(id, ruleset_hash(id, text.as_bytes()))
        };
        let way = |(_, way): (Hash, &paigow_rules::house_way::HouseWay)| {
            named(way.id(), house_way_hash(way.id(), way.text().as_bytes()))
        };
        Ok(Self {
            rulesets: by_name(
                catalogue.games().into_iter().map(ruleset).collect::<Result<_, _>>()?,
            )?,
            house_ways: by_name(
                catalogue.house_ways().into_iter().map(way).collect::<Result<_, _>>()?,
            )?,
        })
    }
}

/// Sorts by name, and refuses a name that occurs twice.
fn by_name(mut named: Vec<Named>) -> Result<Vec<Named>, CommandError> {
    named.sort();
    match named.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => {
            let what = format!("{}: a release lists a name once", pair[0].name);
            Err(CommandError::Data(what))
        }
        None => Ok(named),
    }
}

/// Sorts by name, and refuses a name that two files have.
fn files_by_name(paths: &[std::path::PathBuf]) -> Result<Vec<Binary>, CommandError> {
    let mut files = paths.iter().map(|path| binary(path)).collect::<Result<Vec<_>, _>>()?;
    files.sort_by(|a, b| a.name.cmp(&b.name));
    match files.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => {
            let what = format!("{}: a release lists a name once", pair[0].name);
            Err(CommandError::Data(what))
        }
        None => Ok(files),
    }
}
