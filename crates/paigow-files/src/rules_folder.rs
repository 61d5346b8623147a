//! An operator's folder of rules: `rulesets/*.toml` and `house-ways/*.toml`. Beside a house way,
//! `house-ways/<its hash>.best` has the counts of best play against it.
//!
//! The folder is read once, completely, and strictly. A file that does not belong there is a fault
//! like one that cannot be read. Hidden entries are ignored, since a mounted configuration map has
//! some.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use paigow_exact::BestPlay;
use paigow_fairness::encoding::Hash;
use paigow_round::Catalogue;
use paigow_rules::game::{self, Ruleset};
use paigow_rules::house_way::{self, HouseWay, RulesFault};

/// The subfolder of rulesets.
const RULESETS: &str = "rulesets";
/// The subfolder of house ways.
const HOUSE_WAYS: &str = "house-ways";
/// The extension of counts of best play.
const BEST: &str = "best";
/// The largest file that is read, in bytes: a hundred times the largest that is shipped.
const LARGEST: u64 = 4 << 20;

/// Returns all rules that can be dealt or set: the compiled-in rules and those in `folder`.
///
/// # Errors
///
/// Returns every fault with its file. A file can be unreadable, or not a ruleset or house way. A
/// ruleset can name a house way that is in neither place.
pub fn catalogue(folder: &Path) -> Result<Catalogue, Vec<String>> {
    let mut faults = Vec::new();
    let mut ways = house_way::shipped().to_vec();
    let mut rulesets = game::shipped().to_vec();
    let mut best_plays = BTreeMap::new();
    for path in entries(folder, &mut faults) {
        match path.file_name().and_then(|name| name.to_str()) {
            Some(HOUSE_WAYS) => {
                let (counts, files) = entries(&path, &mut faults)
                    .into_iter()
                    .partition(|path| path.extension().is_some_and(|extension| extension == BEST));
                ways.extend(read_all(files, HouseWay::parse, &mut faults));
                best_plays.extend(read_best_plays(counts, &mut faults));
            }
            Some(RULESETS) => {
                let files = entries(&path, &mut faults);
                rulesets.extend(read_all(files, Ruleset::parse, &mut faults));
            }
            Some(_) | None => {
                let what = format!("expected only {RULESETS} and {HOUSE_WAYS} here");
                faults.push(at(&path, what));
            }
        }
    }
    // A ruleset would be blamed if the file of its house way could not be read.
    if !faults.is_empty() {
        return Err(faults);
    }
    Catalogue::with_best_plays(ways, rulesets, best_plays)
        .map_err(|faults| faults.iter().map(|fault| at(folder, fault)).collect())
}

fn at(path: &Path, what: impl std::fmt::Display) -> String {
    format!("{}: {what}", path.display())
}

/// Returns the visible entries of a folder, by name.
fn entries(folder: &Path, faults: &mut Vec<String>) -> Vec<PathBuf> {
    let read = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>());
    let mut paths = read.unwrap_or_else(|error| {
        faults.push(at(folder, error));
        Vec::new()
    });
    let is_hidden = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    paths.retain(|path| !is_hidden(path));
    paths.sort();
    paths
}

/// Reads the counts of best play of each of these files, by the hash in its name.
fn read_best_plays(files: Vec<PathBuf>, faults: &mut Vec<String>) -> BTreeMap<Hash, Vec<BestPlay>> {
    let mut all = BTreeMap::new();
    for path in files {
        let name = path.file_stem().and_then(|name| name.to_str());
        let Some(hash) = name.and_then(|name| name.parse().ok()) else {
            faults.push(at(&path, "not named by the hash of a house way"));
            continue;
        };
        match read(&path).map(|text| BestPlay::parse_all(&text)) {
            Ok(Some(plays)) => drop(all.insert(hash, plays)),
            Ok(None) => faults.push(at(&path, "not counts of best play")),
            Err(what) => faults.push(at(&path, what)),
        }
    }
    all
}

/// Reads every one of these files.
fn read_all<T>(
    files: Vec<PathBuf>,
    parse: impl Fn(&str) -> Result<T, Vec<RulesFault>>,
    faults: &mut Vec<String>,
) -> Vec<T> {
    let mut all = Vec::new();
    for path in files {
        if path.extension().is_none_or(|extension| extension != "toml") {
            faults.push(at(&path, "not a .toml file"));
            continue;
        }
        match read(&path).map(|text| parse(&text)) {
            Ok(Ok(rules)) => all.push(rules),
            Ok(Err(found)) => faults.extend(found.iter().map(|fault| at(&path, fault))),
            Err(what) => faults.push(at(&path, what)),
        }
    }
    all
}

fn read(path: &Path) -> Result<String, String> {
    let told = |error: io::Error| error.to_string();
    if !fs::metadata(path).map_err(told)?.is_file() {
        return Err("not a file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(told)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(told)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > LARGEST) {
        return Err(format!("larger than {LARGEST} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "not UTF-8 text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHART: &str = include_str!("../../paigow-rules/src/house_way/charts/mikes.toml");
    const RULES: &str = include_str!("../../paigow-rules/src/game/rulesets/mikes.toml");

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// Returns the faults without the name of the temporary folder.
    fn faults(files: &[(&str, &str)]) -> Vec<String> {
        let folder = folder(files);
        let name = folder.path().display().to_string();
        let faults = catalogue(folder.path()).err().unwrap_or_default();
        faults.iter().map(|fault| fault.replace(&name, "")).collect()
    }

    #[test]
    fn an_operators_ruleset_and_house_way_stand_beside_the_shipped_ones() {
        let chart = CHART.replace("id = \"mikes\"", "id = \"ours\"");
        let way = HouseWay::parse(&chart).unwrap();
        let hash = paigow_fairness::seed::house_way_hash(way.id(), chart.as_bytes()).to_string();
        let shipped = HouseWay::parse(CHART).unwrap();
        let shipped = paigow_fairness::seed::house_way_hash(shipped.id(), CHART.as_bytes());
        let rules = RULES
            .replace("id = \"mikes\", hash", "id = \"ours\", hash")
            .replace(&shipped.to_string(), &hash)
            .replacen("id = \"mikes\"", "id = \"our-game\"", 1);
        let folder = folder(&[
            ("house-ways/ours.toml", &chart),
            ("rulesets/our-game.toml", &rules),
            ("..data", "a mounted configuration map has such a link"),
        ]);
        let catalogue = catalogue(folder.path()).unwrap();
        assert_eq!(catalogue.games().len(), game::shipped().len() + 1);
        assert_eq!(catalogue.house_ways().len(), house_way::shipped().len() + 1);
        assert_eq!(catalogue.game_named("our-game").unwrap().house_way.id(), "ours");
    }

    #[test]
    fn the_same_file_again_is_the_same_rules() {
        let folder = folder(&[("rulesets/mikes.toml", RULES)]);
        assert_eq!(catalogue(folder.path()).unwrap().games().len(), game::shipped().len());
    }

    #[test]
    fn counts_of_best_play_stand_beside_the_house_way_and_their_faults_are_told() {
        let way = HouseWay::parse(CHART).unwrap();
        let hash = paigow_fairness::seed::house_way_hash(way.id(), CHART.as_bytes());
        let known = paigow_exact::best_plays(&way).next().unwrap().to_string();
        let file = format!("house-ways/{hash}.best");
        let loaded = folder(&[(&file, &known)]);
        let catalogue = catalogue(loaded.path()).unwrap();
        assert_eq!(catalogue.game_named("mikes").unwrap().best_plays.len(), 1);
        let stray = format!("house-ways/{}.best", "0".repeat(64));
        assert_eq!(
            faults(&[("house-ways/mikes.best", &known), (&file, "second")]),
            [
                format!("/{file}: not counts of best play"),
                "/house-ways/mikes.best: not named by the hash of a house way".to_owned(),
            ]
        );
        let told = faults(&[(&stray, &known)]);
        assert!(told[0].ends_with(".best: no house way with this hash is loaded"), "{told:?}");
    }

    #[test]
    fn every_fault_is_told_with_its_file() {
        let broken = RULES.replace("seats = 6", "seats = 9\nseat = 6");
        assert_eq!(
            faults(&[
                ("house-ways/a.toml", "id ="),
                ("house-ways/notes.txt", ""),
                ("rulesets/b.toml", &broken),
                ("rulesets/folder.toml/d.toml", RULES),
                ("else/c.toml", RULES),
            ]),
            [
                "/else: expected only rulesets and house-ways here",
                "/house-ways/a.toml: line 1: string values must be quoted, expected literal string",
                "/house-ways/notes.txt: not a .toml file",
                "/rulesets/b.toml: seats: must be a whole number 1 to 6, not 9",
                "/rulesets/b.toml: seat: unknown key",
                "/rulesets/folder.toml: not a file",
            ]
        );
        let missing = tempfile::tempdir().unwrap().path().join("none");
        assert_eq!(catalogue(&missing).unwrap_err().len(), 1);
    }
}
