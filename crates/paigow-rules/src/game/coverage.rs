//! Coverage: the payments from and to a player-dealer's money, wager by wager.

/// The result of a wager by the cards alone, before coverage.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum WagerVerdict {
    /// It wins this amount of minor units.
    Won(i128),
    /// It loses its stake.
    Lost,
    /// Neither.
    Push,
}

/// The money that one wager moves. All amounts are in minor units.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct CoveredWager {
    /// Whether the bank covered any part of the wager.
    pub(super) is_covered: bool,
    /// The amount paid, without the stake.
    pub(super) win: i128,
    /// The whole amount that goes back to the seat.
    pub(super) returned: i128,
    /// The amount that the bank could not pay or may not collect.
    ///
    /// [`None`] if all of it was moved, and for a push.
    pub(super) uncovered: Option<i128>,
}

/// The player-dealer's money in the course of a settlement.
///
/// He "may not win or lose more than the original amount wagered". So his money stays between 0 and
/// twice the amount that he put up. At either end every later wager is returned, whatever its
/// result.
#[derive(Clone, Copy, Debug)]
pub(super) struct BankPool {
    put_up: i128,
    holds: i128,
}

impl BankPool {
    /// Opens a pool with the money put up, above 0.
    pub(super) fn new(put_up: i64) -> Self {
        Self { put_up: i128::from(put_up), holds: i128::from(put_up) }
    }

    /// Returns the player-dealer's net win, below 0 for a loss.
    pub(super) const fn net(&self) -> i128 {
        self.holds - self.put_up
    }

    /// Settles the next wager in the order of settlement.
    pub(super) fn settle(&mut self, stake: i64, verdict: WagerVerdict) -> CoveredWager {
        let stake = i128::from(stake);
        let room = 2 * self.put_up - self.holds;
        if self.holds == 0 || room == 0 {
            let uncovered = match verdict {
                WagerVerdict::Won(win) => Some(win),
                WagerVerdict::Lost => Some(stake),
                WagerVerdict::Push => None,
            };
            return CoveredWager { is_covered: false, win: 0, returned: stake, uncovered };
        }
        let (win, returned, short) = match verdict {
            WagerVerdict::Won(win) => {
                let paid = win.min(self.holds);
                self.holds -= paid;
                (paid, stake + paid, win - paid)
            }
            WagerVerdict::Lost => {
                let collected = stake.min(room);
                self.holds += collected;
                (0, stake - collected, stake - collected)
            }
            WagerVerdict::Push => (0, stake, 0),
        };
        CoveredWager { is_covered: true, win, returned, uncovered: (short > 0).then_some(short) }
    }
}

/// The money that covers the wagers in the course of a settlement.
#[derive(Clone, Copy, Debug)]
pub(super) enum BankCover {
    /// Money without a bound: everything is paid and collected in full.
    House,
    /// A player-dealer's money.
    Pool(BankPool),
}

impl BankCover {
    /// Settles the next wager in the order of settlement.
    pub(super) fn settle(&mut self, stake: i64, verdict: WagerVerdict) -> CoveredWager {
        let stake_back = i128::from(stake);
        let (win, returned) = match (self, verdict) {
            (Self::Pool(pool), _) => return pool.settle(stake, verdict),
            (Self::House, WagerVerdict::Won(win)) => (win, stake_back + win),
            (Self::House, WagerVerdict::Lost) => (0, 0),
            (Self::House, WagerVerdict::Push) => (0, stake_back),
        };
        CoveredWager { is_covered: true, win, returned, uncovered: None }
    }
}

#[cfg(test)]
mod tests;
