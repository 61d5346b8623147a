//! A house way and a ruleset of an operator's own.

use std::path::{Path, PathBuf};

use paigow_fairness::seed::house_way_hash;
use paigow_rules::{game, house_way};

/// Writes a house way and a ruleset that names it into a folder as an operator would, and
/// returns their files.
pub fn write(folder: &Path) -> (PathBuf, PathBuf) {
    let named = |id: &str| {
        house_way::shipped().iter().find(|way| way.id() == id).unwrap().text().to_owned()
    };
    let hash = |id: &str, text: &str| house_way_hash(id, text.as_bytes()).to_string();
    let old = hash("trump-plaza", &named("trump-plaza"));
    let chart = named("foxwoods").replace("id = \"foxwoods\"", "id = \"ours\"");
    let rules = game::shipped().iter().find(|ruleset| ruleset.id() == "express-3").unwrap();
    let rules = rules
        .text()
        .replace("id = \"express-3\"", "id = \"our-express\"")
        .replace("id = \"trump-plaza\"", "id = \"ours\"")
        .replace(&old, &hash("ours", &chart))
        // An approved pay table of its own, in its own currency.
        .replace("code = \"USD\"", "code = \"EUR\"")
        .replace("pays = \"8000/1\"", "pays = \"7000/1\"");
    let files = (folder.join("house-ways/ours.toml"), folder.join("rulesets/our-express.toml"));
    for (file, text) in [(&files.0, chart), (&files.1, rules)] {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    files
}
