//! The count of all pairs of hands by the terms that set hands meet on either side.

use super::count::CountPlan;
use super::deck::SymmetricDeck;
use super::few::{FewSpots, each_with_each};
use super::grid::Grid;
use super::histogram::Histogram;
use super::holders::each_holder;
use super::lookup::{ClassLookup, SpotLookup};
use super::place::{SpotPlace, SweepPoint};
use super::showdowns::set;
use super::spots::in_order;
use super::sweep::sweep;
use paigow_rules::cards::Suit;
use paigow_rules::game::{Comparison, SetHand};
use paigow_rules::hands::{HandClasses, Ranking};
use paigow_rules::house_way::HouseWay;

/// The hands of one side that are counted together, each group by one of them.
pub(super) type Cells = Vec<SetHand>;

/// How many pairs of hands each cell of the seat and each cell of the dealer have, by how they
/// compare.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct CellCounts {
    pub(super) seat: Cells,
    pub(super) dealer: Cells,
    /// By the cell of the seat, then by that of the dealer.
    pub(super) grids: Vec<Grid<i128>>,
}

/// A hand as it is set, by its place, and the cells that it is in.
#[derive(Clone, Copy, Debug)]
struct CellSpot {
    place: SpotPlace,
    seat: usize,
    dealer: usize,
}

/// Counts all pairs of hands of a deck that `way` sets on both sides. Two hands are in one cell of
/// the seat if `seat` returns the same for both, and in one of the dealer if `dealer` does.
///
/// Returns [`None`] if the way does not set `N` cards.
pub(super) fn count<const N: usize, K: Ord>(
    deck: &SymmetricDeck,
    classes: &'static HandClasses<N>,
    (way, ranking): (&HouseWay, Ranking),
    seat: impl Fn(SetHand) -> K,
    dealer: impl Fn(SetHand) -> K,
) -> Option<CellCounts> {
    let held = classes.all().map(|class| set(way, &classes.hand(class, Suit::ALL), ranking));
    let held: Vec<SetHand> = held.collect::<Option<_>>()?;
    let sets = in_order(held.iter().copied());
    let highs = in_order(sets.iter().map(|set| set.high));
    let lows = in_order(sets.iter().map(|set| set.low));
    let (seats, seat_of) = cells(&sets, seat);
    let (dealers, dealer_of) = cells(&sets, dealer);
    let spot = |(number, set): (usize, &SetHand)| {
        let high = highs.binary_search(&set.high).ok()?.try_into().ok()?;
        let low = lows.binary_search(&set.low).ok()?.try_into().ok()?;
        let place = SpotPlace { high, low };
        Some(CellSpot { place, seat: seat_of[number], dealer: dealer_of[number] })
    };
    let spots: Vec<CellSpot> = sets.iter().enumerate().map(spot).collect::<Option<_>>()?;
    let number = |set| u32::try_from(sets.binary_search(set).ok()?).ok();
    let numbers = held.iter().map(number).collect::<Option<_>>()?;
    let lookup = ClassLookup::new(classes, numbers);
    let plan = CountPlan::new(deck, N)?;
    let mut counts = CellCounts {
        grids: vec![Grid::default(); seats.len() * dealers.len()],
        seat: seats,
        dealer: dealers,
    };
    counts.add_all(&plan, &spots, &lookup);
    Some(counts)
}

/// Returns a hand of each cell, and the number of the cell of each hand.
fn cells<K: Ord>(sets: &[SetHand], of: impl Fn(SetHand) -> K) -> (Cells, Vec<usize>) {
    let keys: Vec<K> = sets.iter().map(|set| of(*set)).collect();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|place| &keys[*place]);
    let mut cell_of = vec![0; keys.len()];
    let mut cells = Cells::new();
    for alike in order.chunk_by(|a, b| keys[*a] == keys[*b]) {
        for place in alike {
            cell_of[*place] = cells.len();
        }
        cells.push(sets[alike[0]]);
    }
    (cells, cell_of)
}

impl CellCounts {
    fn add_all(&mut self, plan: &CountPlan, spots: &[CellSpot], lookup: &impl SpotLookup) {
        let mut histogram = Histogram::new(spots.len());
        let mut held = Vec::new();
        for task in plan.tasks() {
            for set in plan.sets_of(task) {
                each_holder(&plan.deck, *set, plan.hand, lookup, &mut |spot, hands| {
                    histogram.add(spot, hands);
                });
                histogram.take(&mut held);
                let sign = if task.shared.is_multiple_of(2) { 1 } else { -1 };
                let times = sign * i128::from(set.multiplicity());
                if task.shared + 1 == plan.hand {
                    self.add_few(&held, spots, times);
                } else {
                    self.add_many(&held, spots, times);
                }
                if task.shared == 0 {
                    self.add_equal(&held, spots, if plan.hand.is_multiple_of(2) { 1 } else { -1 });
                }
            }
        }
    }

    fn grid(&mut self, seat: usize, dealer: usize) -> &mut Grid<i128> {
        &mut self.grids[seat * self.dealer.len() + dealer]
    }

    /// Adds the pairs of hands, so many of each spot.
    fn add_many(&mut self, held: &[(u32, u32)], spots: &[CellSpot], times: i128) {
        let mut ours: Vec<Vec<SweepPoint>> = vec![Vec::new(); self.seat.len()];
        let mut theirs: Vec<Vec<SweepPoint>> = vec![Vec::new(); self.dealer.len()];
        for (spot, hands) in held {
            let CellSpot { place, seat, dealer } = spots[*spot as usize];
            ours[seat].push(place.point(*hands));
            theirs[dealer].push(place.point(*hands));
        }
        for (seat, ours) in ours.iter().enumerate().filter(|(_, points)| !points.is_empty()) {
            for (dealer, theirs) in
                theirs.iter().enumerate().filter(|(_, points)| !points.is_empty())
            {
                let swept = sweep(ours, theirs, 0).all;
                *self.grid(seat, dealer) += swept.map(|pairs| i128::from(pairs) * times);
            }
        }
    }

    /// Adds the pairs of hands that share all cards except one.
    fn add_few(&mut self, held: &[(u32, u32)], spots: &[CellSpot], times: i128) {
        let mut ours = vec![FewSpots::new(); self.seat.len()];
        let mut theirs = vec![FewSpots::new(); self.dealer.len()];
        for (spot, hands) in held {
            let CellSpot { place, seat, dealer } = spots[*spot as usize];
            ours[seat].push(place, *hands);
            theirs[dealer].push(place, *hands);
        }
        for (seat, ours) in ours.iter().enumerate().filter(|(_, spots)| !spots.is_empty()) {
            for (dealer, theirs) in theirs.iter().enumerate().filter(|(_, spots)| !spots.is_empty())
            {
                let counted = each_with_each(ours, theirs, 0).all;
                *self.grid(seat, dealer) += counted.map(|pairs| i128::from(pairs) * times);
            }
        }
    }

    /// Adds the pairs of a hand and itself.
    fn add_equal(&mut self, held: &[(u32, u32)], spots: &[CellSpot], sign: i128) {
        for (spot, hands) in held {
            let CellSpot { seat, dealer, .. } = spots[*spot as usize];
            self.grid(seat, dealer)[(Comparison::Copy, Comparison::Copy)] +=
                sign * i128::from(*hands);
        }
    }
}
