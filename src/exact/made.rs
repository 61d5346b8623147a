//! The counts that none are compiled in of, made where a ruleset is loaded.

use std::sync::{Mutex, PoisonError};

use super::game_count::{Count, commissions};
use super::mark::Mark;
use super::pair_counts::PairCounts;
use crate::game::Ruleset;
use crate::house_way::HouseWay;

/// Counts every pair of hands of a ruleset that names `way`, on both sides. That is
/// seconds of work, or a minute with a double down, once a process for all rulesets that
/// it serves.
///
/// Returns nothing for a ruleset that [`Mark::of`] refuses.
pub(crate) fn make_counts(ruleset: &Ruleset, way: &HouseWay) -> Option<PairCounts> {
    static MADE: Mutex<Vec<(HouseWay, PairCounts)>> = Mutex::new(Vec::new());
    let (mark, commissions) = (Mark::of(ruleset).ok()?, commissions(ruleset)?);
    // What is in the list is whole, whoever panicked.
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let known = made.iter().find(|(of, counts)| {
        let doubled = counts.doubled.iter().map(|doubled| doubled.commission);
        of.decides_as(way)
            && (counts.wheel, counts.mark) == (ruleset.wheel(), mark)
            && doubled.eq(commissions.iter().copied())
    });
    if let Some((_, counts)) = known {
        return Some(counts.clone());
    }
    let count = Count::new(ruleset, way, way)?;
    let mut sum = count.nothing();
    for task in count.tasks() {
        count.run(task, &mut sum);
    }
    let counts = count.finish(&sum)?;
    made.push((way.clone(), counts.clone()));
    Some(counts)
}
