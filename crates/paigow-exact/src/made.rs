//! Counts that are not compiled in, made when a ruleset is loaded.

use std::sync::{Mutex, PoisonError};

use super::game_count::GameCount;
use super::pair_counts::PairCounts;
use paigow_rules::game::Ruleset;
use paigow_rules::house_way::HouseWay;

/// Counts every pair of hands of a ruleset that names `way`, on both sides.
///
/// The count takes seconds, or a minute with a double down. A process makes it once for all
/// rulesets that it serves.
///
/// Returns [`None`] if [`Mark::of`](super::Mark::of) refuses the ruleset.
pub fn make_counts(ruleset: &Ruleset, way: &HouseWay) -> Option<PairCounts> {
    static MADE: Mutex<Vec<(HouseWay, PairCounts)>> = Mutex::new(Vec::new());
    // Each entry of the list is complete, even after another thread panicked.
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let is_of =
        |(of, counts): &&(HouseWay, PairCounts)| of.decides_as(way) && counts.serve(ruleset);
    if let Some((_, counts)) = made.iter().find(is_of) {
        return Some(counts.clone());
    }
    let count = GameCount::new(ruleset, way, way)?;
    let mut sum = count.nothing();
    for task in count.tasks() {
        count.run(task, &mut sum);
    }
    let counts = count.finish(&sum)?;
    made.push((way.clone(), counts.clone()));
    Some(counts)
}
