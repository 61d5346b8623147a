//! A ruleset and a house way of an operator's own: files that are not shipped.

use std::fs;
use std::path::PathBuf;

use paigow_fairness::seed::house_way_hash;
use tempfile::TempDir;

const EXPRESS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../crates/paigow-rules/src/game/rulesets/express-2.toml"
));
const MIKES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../crates/paigow-rules/src/house_way/charts/mikes.toml"
));

/// Two files in a temporary folder, which is removed when this is dropped.
pub(crate) struct Own {
    pub(crate) ruleset: PathBuf,
    pub(crate) house_way: PathBuf,
    _folder: TempDir,
}

/// Writes Express with table 2 under another id, with edits. Writes also the house way that it
/// names: a copy of Mike's.
pub(crate) fn own(edits: &[(&str, &str)]) -> Own {
    own_with(edits, "")
}

/// Does the same, with further clauses at the end of the chart.
pub(crate) fn own_with(edits: &[(&str, &str)], clauses: &str) -> Own {
    let folder = tempfile::tempdir().unwrap();
    let way = MIKES.replacen("id = \"mikes\"", "id = \"ours\"", 1) + clauses;
    let hash = house_way_hash("ours", way.as_bytes()).to_string();
    let named = EXPRESS.lines().find(|line| line.starts_with("house_way = ")).unwrap();
    let mut file = EXPRESS
        .replacen("id = \"express-2\"", "id = \"ours\"", 1)
        .replace(named, &format!("house_way = {{ id = \"ours\", hash = \"{hash}\" }}"));
    for (from, to) in edits {
        assert!(file.contains(from), "{from}");
        file = file.replacen(from, to, 1);
    }
    let (ruleset, house_way) = (folder.path().join("game.toml"), folder.path().join("way.toml"));
    fs::write(&ruleset, file).unwrap();
    fs::write(&house_way, way).unwrap();
    Own { ruleset, house_way, _folder: folder }
}
