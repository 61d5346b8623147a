//! Bets on how the seat's hand and the dealer's compare, both set by the house way:
//! Wrangler Push.

use super::grid::COMPARISONS;
use super::pair_counts::PairCounts;
use super::returns::Returns;
use paigow_rules::cards::Rank;
use paigow_rules::game::{
    Asked, BetSubject, BonusBet, Comparison, Fraction, RowCounts, RowPayment, Showdown,
};
use paigow_rules::hands::{LowHand, every_low_hand};
use std::cmp::Ordering;

/// How many pairs of hands each row of such a bet pays.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ShowdownCounts {
    /// For each row, how many pairs it pays: those of which it is the first to hold.
    pub rows: Vec<u128>,
    /// How many pairs lose.
    pub losing: u128,
    /// How many pairs there are: the sum of the others.
    pub total: u128,
}

/// Returns the row that pays all pairs of hands that compare so, of which either low hand is a pair of
/// threes or higher, or none is; [`None`] if they are not all paid by one row.
fn alike(
    bet: &BonusBet,
    high: Comparison,
    low: Comparison,
    has_pair: bool,
) -> Option<Option<usize>> {
    let is_pair = |low: LowHand| low.pair_rank().is_some_and(|rank| rank >= Rank::Three);
    let lows = every_low_hand(2);
    let mut paid = None;
    for (seat_low, dealer_low) in
        lows.iter().flat_map(|seat| lows.iter().map(move |dealer| (*seat, *dealer)))
    {
        let compared = match seat_low.cmp(&dealer_low) {
            Ordering::Greater => Comparison::Win,
            Ordering::Equal => Comparison::Copy,
            Ordering::Less => Comparison::Lose,
        };
        if compared != low || (is_pair(seat_low) || is_pair(dealer_low)) != has_pair {
            continue;
        }
        let showdown = Showdown { high, low, seat_low, dealer_low };
        let holds = |asked| matches!(asked, Asked::Showdown(term) if term.holds(&showdown));
        let row = bet.rows.iter().position(|row| row.condition.holds_by(holds));
        if *paid.get_or_insert(row) != row {
            return None;
        }
    }
    // Where no two hands compare so, no pair is counted either.
    Some(paid.flatten())
}

impl ShowdownCounts {
    /// Counts the pairs that each row of `bet` pays; [`None`] for a bet that looks at anything else,
    /// and for one that asks more of the low hands than whether one is a pair of threes or higher. The
    /// counts are of the house way against itself.
    #[must_use]
    pub fn of(bet: &BonusBet, counts: &PairCounts) -> Option<Self> {
        if bet.looks_at != BetSubject::Showdown || counts.player != counts.dealer {
            return None;
        }
        let mut rows = vec![0; bet.rows.len()];
        let mut losing = 0;
        for high in COMPARISONS {
            for low in COMPARISONS {
                let aside = counts.grids.low_pairs_aside[(high, low)];
                let with_pair = counts.grids.all[(high, low)] - aside;
                for (has_pair, pairs) in [(true, with_pair), (false, aside)] {
                    let row = alike(bet, high, low, has_pair)?;
                    *row.map_or(&mut losing, |row| &mut rows[row]) += pairs;
                }
            }
        }
        Some(Self { rows, losing, total: counts.pairs() })
    }

    /// Returns the counts in the form of a bet on one hand; nothing if they do not fit it.
    #[must_use]
    pub fn to_counts(&self) -> Option<RowCounts> {
        let pairs = |pairs: &u128| u64::try_from(*pairs).ok();
        Some(RowCounts {
            rows: self.rows.iter().map(pairs).collect::<Option<_>>()?,
            losing: pairs(&self.losing)?,
            total: pairs(&self.total)?,
        })
    }

    /// Returns what the bet returns, per unit staked and before any rounding.
    #[must_use]
    pub fn returns(&self, bet: &BonusBet) -> Option<Returns> {
        let net = |pays: RowPayment| match pays {
            RowPayment::Odds(odds) => Fraction::new(odds.num().into(), odds.den().into()),
            RowPayment::Push => Some(Fraction::ZERO),
        };
        let nets = bet.rows.iter().map(|row| net(row.pays)).collect::<Option<Vec<Fraction>>>()?;
        let unit = nets.iter().try_fold(1_i128, |unit, net| unit.checked_mul(net.den()))?;
        let won =
            nets.iter().map(|net| net.num() * (unit / net.den())).zip(self.rows.iter().copied());
        Returns::new(won.chain([(-unit, self.losing)]), unit, self.total)
    }
}
