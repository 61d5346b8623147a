//! The count over all pairs of disjoint hands, by inclusion and exclusion.
//!
//! Two hands are disjoint unless they share a card. So the count takes all pairs, subtracts those
//! that share a given card, for each card, and so on. It is a sum over all sets of cards S:
//! `(-1)^|S|` times the pairs of hands that both hold all of S. No outcome depends on suits, so
//! sets that differ by a renaming of suits have the same pairs. One of them is counted and
//! weighted. The parts of the sum are independent of each other.

use super::deck::{RepresentativeSet, SymmetricDeck};
use super::few::{FewSpots, each_with_each, each_with_each_other};
use super::grid::{Grid, Grids};
use super::histogram::Histogram;
use super::holders::each_holder;
use super::lookup::SpotLookup;
use super::place::SweepPoint;
use super::spots::{Spot, Spots};
use super::sweep::{SweepCounts, sweep};

/// About how many hands a [`CountTask`] visits; a larger part has one set.
const TASK_HANDS: u64 = 4_000_000;

/// A count cut in parts.
#[derive(Clone, Debug)]
pub struct CountPlan {
    pub(super) deck: SymmetricDeck,
    pub(super) hand: usize,
    /// The sets of cards that both hands hold, by their number of cards.
    sets: Vec<Vec<RepresentativeSet>>,
    tasks: Vec<CountTask>,
}

/// A part of a count: some sets of the same number of cards.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CountTask {
    pub(super) shared: usize,
    first: usize,
    end: usize,
    hands: u64,
}

impl CountTask {
    /// Returns how many hands the part visits, by which parts of a count compare.
    #[must_use]
    pub const fn hands(&self) -> u64 {
        self.hands
    }
}

impl CountPlan {
    /// Plans the count over all pairs of hands of `hand` cards, the largest parts first.
    ///
    /// Returns [`None`] for hands of other than six or seven cards, or of more than half the deck.
    #[must_use]
    pub fn new(deck: &SymmetricDeck, hand: usize) -> Option<Self> {
        if !(6..=7).contains(&hand) || deck.len() < 2 * hand {
            return None;
        }
        // The pairs that share all cards follow from the others: the pairs of equal hands are
        // counted with the empty set.
        let sets: Vec<Vec<RepresentativeSet>> = (0..hand).map(|len| deck.sets(len)).collect();
        let mut tasks = Vec::new();
        for (shared, sets) in sets.iter().enumerate() {
            let each = choose(deck.len() - shared, hand - shared);
            let share = usize::try_from(TASK_HANDS / each).unwrap_or(1).max(1);
            for first in (0..sets.len()).step_by(share) {
                let end = sets.len().min(first + share);
                tasks.push(CountTask { shared, first, end, hands: each * (end - first) as u64 });
            }
        }
        Some(Self { deck: deck.clone(), hand, sets, tasks })
    }

    /// Returns the parts; their counts add up, in any order.
    #[must_use]
    pub fn tasks(&self) -> &[CountTask] {
        &self.tasks
    }

    /// Returns how many ordered pairs of disjoint hands there are.
    #[must_use]
    pub fn pairs(&self) -> i128 {
        let second = choose(self.deck.len() - self.hand, self.hand);
        i128::from(choose(self.deck.len(), self.hand)) * i128::from(second)
    }

    pub(super) fn sets_of(&self, task: &CountTask) -> &[RepresentativeSet] {
        &self.sets[task.shared][task.first..task.end]
    }

    /// Counts one part: the pairs of hands, with the signs of the parts, by how player and dealer
    /// compare.
    #[must_use]
    pub fn count<L: SpotLookup>(&self, task: &CountTask, spots: &Spots, lookup: &L) -> Grids<i128> {
        let mut sum = Grids::default();
        let mut histogram = Histogram::new(spots.len());
        let mut held = Vec::new();
        for set in self.sets_of(task) {
            each_holder(&self.deck, *set, self.hand, lookup, &mut |spot, hands| {
                histogram.add(spot, hands);
            });
            histogram.take(&mut held);
            let mut counted =
                if task.shared + 1 == self.hand { few(&held, spots) } else { many(&held, spots) };
            if task.shared == 0 {
                counted += signed(equal(&held, spots), self.hand, 1);
            }
            sum += signed(counted, task.shared, set.multiplicity());
        }
        sum
    }
}

fn signed(grids: Grids<i128>, shared: usize, multiplicity: u64) -> Grids<i128> {
    let sign = if shared.is_multiple_of(2) { 1 } else { -1 };
    grids.map(|count| count * sign * i128::from(multiplicity))
}

fn choose(all: usize, taken: usize) -> u64 {
    (0..taken as u64).fold(1, |ways, place| ways * (all as u64 - place) / (place + 1))
}

/// Counts the pairs of hands, so many of each spot.
fn many(held: &[(u32, u32)], spots: &Spots) -> Grids<i128> {
    let player = as_player(held, spots);
    let swept = if spots.is_one_way {
        sweep(&player, &player, spots.low_bound)
    } else {
        sweep(&player, &as_dealer(held, spots, |_| true), spots.low_bound)
    };
    let marked = as_dealer(held, spots, |spot| spot.is_marked);
    let marked = if marked.is_empty() {
        Grid::default()
    } else {
        sweep(&player, &marked, spots.low_bound).all
    };
    grids(swept, marked)
}

/// Returns the hands as the player sets them, in order.
pub(super) fn as_player(held: &[(u32, u32)], spots: &Spots) -> Vec<SweepPoint> {
    let point = |(spot, hands): &(u32, u32)| spots.spots[*spot as usize].player.point(*hands);
    added_up(held.iter().map(point).collect())
}

/// Returns the hands for which `is_in` is true, as the dealer sets them, in order.
pub(super) fn as_dealer(
    held: &[(u32, u32)],
    spots: &Spots,
    is_in: impl Fn(&Spot) -> bool,
) -> Vec<SweepPoint> {
    let spot = |(spot, hands): &(u32, u32)| (&spots.spots[*spot as usize], *hands);
    let held = held.iter().map(spot).filter(|(spot, _)| is_in(spot));
    let mut points: Vec<SweepPoint> = held.map(|(spot, hands)| spot.dealer.point(hands)).collect();
    if !spots.is_one_way {
        points.sort_unstable_by_key(SweepPoint::place);
    }
    added_up(points)
}

/// Adds up the hands of equal points, which are neighbours.
fn added_up(mut points: Vec<SweepPoint>) -> Vec<SweepPoint> {
    points.dedup_by(|next, last| {
        let is_same = next.place() == last.place();
        if is_same {
            last.hands += next.hands;
        }
        is_same
    });
    points
}

/// Counts the pairs of hands that share all cards except one.
fn few(held: &[(u32, u32)], spots: &Spots) -> Grids<i128> {
    let (mut player, mut dealer, mut marked) = (FewSpots::new(), FewSpots::new(), FewSpots::new());
    for (spot, hands) in held {
        let spot = &spots.spots[*spot as usize];
        player.push(spot.player, *hands);
        dealer.push(spot.dealer, *hands);
        if spot.is_marked {
            marked.push(spot.dealer, *hands);
        }
    }
    let counted = if spots.is_one_way {
        each_with_each_other(&player, spots.low_bound)
    } else {
        each_with_each(&player, &dealer, spots.low_bound)
    };
    let marked =
        if marked.is_empty() { Grid::default() } else { each_with_each(&player, &marked, 0).all };
    grids(counted, marked)
}

/// Counts the pairs of a hand and itself.
fn equal(held: &[(u32, u32)], spots: &Spots) -> Grids<i128> {
    let mut sum: Grids<i128> = Grids::default();
    for (spot, hands) in held {
        let spot = spots.spots[*spot as usize];
        let compared = spot.compared();
        let hands = i128::from(*hands);
        sum.all[compared] += hands;
        if spot.player.low.max(spot.dealer.low) < spots.low_bound {
            sum.low_pairs_aside[compared] += hands;
        }
        if spot.is_marked {
            sum.marked[compared] += hands;
        }
    }
    sum
}

fn grids(swept: SweepCounts, marked: Grid<u64>) -> Grids<i128> {
    Grids { all: swept.all, low_pairs_aside: swept.low_below, marked }.map(i128::from)
}
