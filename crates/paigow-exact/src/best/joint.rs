//! The results of the base wager and of a bet on the seat's set hands, if the player sets for both.

use super::counts::{BestPlay, Played, choose};
use super::{BestPlayPart, Count};
use paigow_rules::game::{BonusBet, Fraction, RowCounts};
use std::cmp::Reverse;

/// The results of a player who sets every hand as it is worth most for two wagers together.
///
/// The wagers are the base wager and a bet on his set hands, both of one stake.
///
/// Of settings of equal worth, he takes the one that the bet pays most for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct JointPlay {
    /// The base wager.
    pub base: Played,
    /// How many pairs of hands there are.
    pub pairs: u128,
    /// The bet: how many of his hands each row pays.
    pub rows: RowCounts,
}

impl<const N: usize> Count<N> {
    /// Returns the results of base wager and bet, from the sum of all parts.
    pub(super) fn joint_play(&self, sum: &BestPlayPart, bet: &BonusBet) -> Option<JointPlay> {
        let back = bet.rows.iter().map(|row| row.pays.handed_back()).collect::<Option<Vec<_>>>()?;
        let unit = back.iter().try_fold(1_i128, |unit, back| unit.checked_mul(back.den()))?;
        // The return of one stake is worth as much as a win of the stake against each hand of the
        // dealer.
        let against = i128::try_from(choose(self.deck.len() - N, N)).ok()?;
        let stake = against.checked_mul(self.terms.pays.den())?;
        let paid = |back: &Fraction| back.num().checked_mul(unit / back.den())?.checked_mul(stake);
        let paid: Vec<i128> = back.iter().map(paid).collect::<Option<_>>()?;
        let paid = |row: Option<usize>| row.map_or(0, |row| paid[row]);
        let mut base = Played::default();
        let mut rows = RowCounts { rows: vec![0; bet.rows.len()], losing: 0, total: 0 };
        let each = self.terms.sums();
        self.each_hand(sum, |class, hands, sums| {
            let of_setting = self.player.rows_of(&self.player.classes[class]);
            let settings = sums.chunks_exact(each).map(|sums| self.weighed(sums, None));
            let best = settings.zip(of_setting).max_by_key(|(weighed, row)| {
                let paid = paid(**row);
                (self.worth_of(weighed) * unit + paid, paid, Reverse(weighed.won))
            });
            if let Some((weighed, row)) = best {
                base += weighed.tally(hands);
                *row.map_or(&mut rows.losing, |row| &mut rows.rows[row]) += hands;
                rows.total += hands;
            }
        });
        let pairs = u128::from(base.hands) * choose(self.deck.len() - N, N);
        Some(JointPlay { base, pairs, rows })
    }
}

impl JointPlay {
    /// Returns the average amount that the base wager hands back for each unit of the stake, or
    /// [`None`] if a figure overflows.
    #[must_use]
    pub fn base_return(&self, terms: &super::BestPlayTerms) -> Option<Fraction> {
        let play = BestPlay {
            terms: terms.clone(),
            pairs: self.pairs,
            best: self.base,
            way: None,
            differences: Vec::new(),
        };
        Fraction::ONE.minus(play.returns(&play.best)?.edge()?)
    }
}
