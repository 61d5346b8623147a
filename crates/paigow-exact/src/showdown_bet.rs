//! Bets on how the seat's hand and the dealer's compare, both set by the house way:
//! Wrangler Push.

use super::grid::COMPARISONS;
use super::pair_counts::PairCounts;
use super::returns::Returns;
use paigow_rules::cards::{Card, Rank, Suit};
use paigow_rules::game::{
    BaseOutcome, BetSubject, BonusBet, Condition, Fraction, RowCounts, RowPayment, Showdown,
};
use paigow_rules::hands::LowHand;

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

impl ShowdownCounts {
    /// Counts the pairs that each row of `bet` pays; nothing for a bet that looks at
    /// anything else. The counts are of the house way against itself.
    #[must_use]
    pub fn of(bet: &BonusBet, counts: &PairCounts) -> Option<Self> {
        if bet.looks_at != BetSubject::Showdown || counts.player != counts.dealer {
            return None;
        }
        let card = |rank, suit| Card::new(rank, suit);
        let threes =
            LowHand::of(&[card(Rank::Three, Suit::Clubs), card(Rank::Three, Suit::Hearts)]);
        let no_pair = LowHand::of(&[card(Rank::Three, Suit::Clubs), card(Rank::Two, Suit::Hearts)]);
        let mut rows = vec![0; bet.rows.len()];
        let mut losing = 0;
        for high in COMPARISONS {
            for low in COMPARISONS {
                let aside = counts.grids.low_pairs_aside[(high, low)];
                let with_pair = counts.grids.all[(high, low)] - aside;
                for (seat_low, pairs) in [(threes, with_pair), (no_pair, aside)] {
                    let outcome = BaseOutcome::of(high, low);
                    let showdown = Showdown { outcome, seat_low, dealer_low: no_pair };
                    let pays = bet.rows.iter().position(|row| match row.condition {
                        Condition::Push(push) => push.holds(&showdown),
                        Condition::Hand(_) | Condition::ThreeCards(_) | Condition::Colour(_) => {
                            false
                        }
                    });
                    *pays.map_or(&mut losing, |row| &mut rows[row]) += pairs;
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
