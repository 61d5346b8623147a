//! Finds the game of a command: one that is compiled in, or an operator's own.

use std::path::{Path, PathBuf};

use super::{CommandError, parse_rules};
use paigow_round::{Catalogue, ListedGame};
use paigow_rules::game::{self, Ruleset};
use paigow_rules::house_way::{self, HouseWay};

/// Finds a ruleset with its house way.
///
/// `ruleset` is the id or content hash of a compiled-in ruleset, or the path of a ruleset file. The
/// ruleset names its house way by content hash. It can be compiled in or among the given files.
///
/// # Errors
///
/// If there is no such ruleset, or its house way is not found. Also if a file cannot be read or is
/// malformed. The error then lists every fault of the file.
///
/// # Panics
///
/// Never: a catalogue has every ruleset it is made of.
pub fn find_game(ruleset: &str, house_ways: &[PathBuf]) -> Result<ListedGame, CommandError> {
    let mut ways = house_way::shipped().to_vec();
    for path in house_ways {
        ways.push(parse_rules(path, HouseWay::parse)?);
    }
    let file = Path::new(ruleset);
    match Catalogue::shipped().game_named(ruleset) {
        Ok(game) => return Ok(game.clone()),
        Err(_) if !file.exists() => {
            let ids: Vec<&str> = game::shipped().iter().map(Ruleset::id).collect();
            let ids = ids.join(", ");
            let what = format!("unknown ruleset {ruleset:?} (and no such file); available: {ids}");
            return Err(CommandError::Usage(what));
        }
        Err(_) => {}
    }
    let ruleset = parse_rules(file, Ruleset::parse)?;
    let catalogue = Catalogue::new(ways, vec![ruleset]).map_err(|faults| {
        let lines: Vec<String> =
            faults.iter().map(|fault| format!("{}: {fault}", file.display())).collect();
        CommandError::Data(lines.join("\n"))
    })?;
    let mut games = catalogue.games();
    Ok(games.pop().expect("a catalogue has every ruleset it is made of").clone())
}
