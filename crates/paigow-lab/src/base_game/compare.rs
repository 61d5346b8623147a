//! Compares counts with the compiled-in counts.

use paigow_exact::{DoubledHands, PairCounts};

/// Returns whether counts differ from the compiled-in counts, where both count the same.
pub(super) fn differ(counted: &PairCounts, known: &PairCounts) -> bool {
    let of_all = |counts: &PairCounts| (counts.grids.all, counts.grids.low_pairs_aside);
    let is_other = |one: &DoubledHands| {
        known.doubled.iter().any(|other| one.commission == other.commission && one != other)
    };
    let of_marked =
        || counted.grids.marked != known.grids.marked || counted.doubled.iter().any(is_other);
    of_all(counted) != of_all(known) || (counted.mark == known.mark && of_marked())
}

/// Returns the counts that are not among the compiled-in counts.
pub(super) fn not_compared(counted: &PairCounts, known: &PairCounts) -> Vec<String> {
    if counted.mark != known.mark {
        return vec![format!("the hands in which the dealer holds {}", counted.mark)];
    }
    let is_known =
        |one: &&DoubledHands| known.doubled.iter().any(|x| x.commission == one.commission);
    let unknown = counted.doubled.iter().filter(|one| !is_known(one));
    unknown.map(|one| format!("doubling down with a commission of {}", one.commission)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_exact::{Mark, stored_counts};
    use paigow_rules::cards::Rank;
    use paigow_rules::game::{Comparison, Fraction};

    #[test]
    fn counts_are_compared_as_far_as_both_are_of_the_same() {
        let stored = |player: &str| {
            let is_it =
                |counts: &&PairCounts| (&*counts.player, &*counts.dealer) == (player, player);
            stored_counts().iter().find(is_it).unwrap()
        };
        type Change = fn(&mut PairCounts);
        let changes: [Change; 3] = [
            |counts| counts.grids.all[(Comparison::Win, Comparison::Win)] += 1,
            |counts| counts.grids.low_pairs_aside[(Comparison::Copy, Comparison::Lose)] += 1,
            |counts| counts.grids.marked[(Comparison::Lose, Comparison::Win)] += 1,
        ];
        for player in ["mikes", "mini"] {
            let known = stored(player);
            let other_mark = Mark::Pair(Rank::Ace);
            for (change, found_on_other_mark) in changes.into_iter().zip([true, true, false]) {
                let mut counts = known.clone();
                assert!(!differ(&counts, known) && not_compared(&counts, known).is_empty());
                change(&mut counts);
                assert!(differ(&counts, known), "{player}");
                counts.mark = other_mark.clone();
                assert_eq!(differ(&counts, known), found_on_other_mark, "{player}");
                let told = ["the hands in which the dealer holds pair_A"];
                assert_eq!(not_compared(&counts, known), told);
            }
        }
        // Doubling is compared by commission, and one commission is enough for a difference.
        let known = stored("mini");
        for place in 0..known.doubled.len() {
            let mut counts = known.clone();
            counts.doubled[place].won += 1;
            assert!(differ(&counts, known));
            counts.doubled[place].commission = Fraction::new(1, 25).unwrap();
            assert!(!differ(&counts, known));
            let told = ["doubling down with a commission of 1/25"];
            assert_eq!(not_compared(&counts, known), told);
        }
        assert!(!known.doubled.is_empty());
    }
}
