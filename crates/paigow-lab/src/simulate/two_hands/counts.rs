//! The counts over two hands, and their results in money.

use super::super::sheet::SimulationTable;
use super::super::sums::{BetSums, SimulatedBets, SimulationSums, ninth};
use paigow_rules::game::{BaseOutcome, BetId, Comparison, RowPayment, Ruleset};

/// The most rows of a bet, and one more for a loss.
pub(super) const ROWS: usize = 32;

/// How often each result occurred.
#[derive(Clone, Debug)]
pub(in super::super) struct TwoHandCounts {
    /// By the comparison of both hands, without and with the dealer's hand on which base
    /// wagers push.
    pub(super) base: [[u64; 9]; 2],
    /// For each bonus bet: by row, from 1; a loss at 0.
    pub(super) rows: Vec<[u64; ROWS]>,
}

impl TwoHandCounts {
    pub(in super::super) fn new(ruleset: &Ruleset) -> Self {
        Self { base: [[0; 9]; 2], rows: vec![[0; ROWS]; ruleset.bonus_bets().len()] }
    }

    /// Returns the sums that the same number of settled rounds of one seat would have.
    pub(in super::super) fn sums(
        &self,
        ruleset: &Ruleset,
        layout: &SimulationTable,
        bets: &SimulatedBets,
    ) -> SimulationSums {
        let mut sums = SimulationSums::of(bets);
        sums.rounds = self.base.iter().flatten().sum();
        for ((bet, _), sums) in bets.0.iter().zip(&mut sums.bets) {
            let stake = layout.stakes.iter().find(|(of, _)| of == bet).map(|(_, stake)| *stake);
            let Some(stake) = stake else { continue };
            if *bet == BetId::BASE {
                self.base_sums(ruleset, layout, stake, sums);
            }
            let place = ruleset.bonus_bets().iter().position(|bonus| bonus.id == *bet);
            let Some(place) = place else { continue };
            let bonus = &ruleset.bonus_bets()[place];
            for (row, hits) in self.rows[place].iter().enumerate() {
                let row = row.checked_sub(1).and_then(|row| Some((row, bonus.rows.get(row)?)));
                let (won, returned) = match row.map(|(_, row)| row.pays) {
                    None => (BaseOutcome::Lose, 0),
                    Some(RowPayment::Push) => (BaseOutcome::Push, i128::from(stake)),
                    Some(RowPayment::Odds(odds)) => {
                        (BaseOutcome::Win, i128::from(stake) + odds.win(stake, bonus.rounding))
                    }
                    Some(RowPayment::Meter(share)) => {
                        let meter = layout.table.facts().meter_minor.unwrap_or(0);
                        (BaseOutcome::Win, i128::from(stake) + share.of(meter))
                    }
                };
                add(sums, won, stake, returned, *hits);
                if let Some((row, _)) = row {
                    sums.rows[row] += hits;
                }
            }
        }
        sums
    }

    fn base_sums(
        &self,
        ruleset: &Ruleset,
        layout: &SimulationTable,
        stake: i64,
        sums: &mut BetSums,
    ) {
        let base = ruleset.base();
        let win = base.pays.win(stake, base.rounding);
        let chip = layout.table.facts().chip_minor;
        let commission = base.commission.map_or(0, |terms| terms.due(win, chip));
        for (is_push, counts) in [false, true].into_iter().zip(&self.base) {
            for ((high, low), hits) in every_comparison().zip(counts) {
                let outcome = if is_push { BaseOutcome::Push } else { BaseOutcome::of(high, low) };
                let returned = match outcome {
                    BaseOutcome::Win => i128::from(stake) + win - commission,
                    BaseOutcome::Push => i128::from(stake),
                    BaseOutcome::Lose => 0,
                };
                add(sums, outcome, stake, returned, *hits);
                sums.rows[ninth(high, low)] += hits;
            }
        }
    }

    pub(in super::super) fn rounds(&self) -> u64 {
        self.base.iter().flatten().sum()
    }

    /// Adds other rounds.
    pub(in super::super) fn add(&mut self, other: &Self) {
        let ours = self.base.as_flattened_mut().iter_mut().chain(self.rows.as_flattened_mut());
        let theirs = other.base.as_flattened().iter().chain(other.rows.as_flattened());
        for (ours, theirs) in ours.zip(theirs) {
            *ours += theirs;
        }
    }
}

fn add(sums: &mut BetSums, outcome: BaseOutcome, stake: i64, returned: i128, hits: u64) {
    let times = i128::from(hits);
    sums.lines += hits;
    sums.staked += i128::from(stake) * times;
    sums.returned += returned * times;
    sums.squares += returned * returned * times;
    match outcome {
        BaseOutcome::Win => sums.won += hits,
        BaseOutcome::Push => sums.push += hits,
        BaseOutcome::Lose => sums.lost += hits,
    }
}

/// Every comparison of the high and the low hand, in the order of [`ninth`].
pub(super) fn every_comparison() -> impl Iterator<Item = (Comparison, Comparison)> {
    let all = [Comparison::Win, Comparison::Copy, Comparison::Lose];
    all.into_iter().flat_map(move |high| all.into_iter().map(move |low| (high, low)))
}
