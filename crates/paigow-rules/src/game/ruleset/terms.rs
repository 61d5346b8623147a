//! The terms that a ruleset is made of, each a named field of its file.

use crate::cards::Rank;
use crate::game::bets::{Condition, StakeLimits};
use crate::game::fraction::Fraction;
use crate::game::money::{Odds, Rounding, rounded};

/// How the cards go to the positions.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DealTerms {
    /// In piles, packets or streets.
    pub procedure: DealProcedure,
    /// Which way round from the first position.
    pub direction: DealDirection,
    /// Whether three dice name the first position. Without them seat 1 is the first,
    /// and position 0 the last.
    pub dice: bool,
    /// The positions that are dealt cards.
    pub dead_hands: DeadHands,
}

/// In which portions the cards are dealt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum DealProcedure {
    /// Seven piles, row by row, the rows in alternating direction.
    Zigzag,
    /// Each position its whole hand.
    Packets,
    /// Each position so many cards in turn, then each so many more.
    Streets(Vec<u8>),
}

/// The way round the table, seen from above.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DealDirection {
    /// From position 1 to 2.
    Clockwise,
    /// From position 2 to 1.
    CounterClockwise,
}

/// Which positions are dealt to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DeadHands {
    /// All, whether anybody plays there or not.
    AllPositions,
    /// Position 0 and the seats with a base wager.
    ActiveOnly,
}

/// The owner of the money that covers the wagers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Coverage {
    /// The house, without a bound.
    House,
    /// A player, who can win or lose no more than the money that he put up.
    PlayerDealer,
}

/// The house way that a ruleset sets hands by, as its file names it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HouseWayName {
    /// The id of the house way.
    pub id: String,
    /// The content hash of its file, 64 lower-case hexadecimal digits. The code that loads both
    /// files compares it.
    pub hash: String,
}

/// The base bet: both hands against those of the dealer or banker.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BaseTerms {
    /// The payment of a win.
    pub pays: Odds,
    /// The limits of the wager.
    pub limits: StakeLimits,
    /// The rounding of a fraction of a minor unit.
    pub rounding: Rounding,
    /// The commission that the house keeps of a win, if any.
    pub commission: Option<Commission>,
    /// A hand of the dealer that makes every base wager push, if there is one.
    pub push: Option<PushEvent>,
}

impl BaseTerms {
    /// Returns the most that a win of any stake can pay per unit staked, after commission.
    ///
    /// The most that rounding can add and leave at the least stake is counted in full.
    #[must_use]
    pub fn most_won(&self) -> Option<Fraction> {
        let least = Fraction::new(1, self.limits.minimum.max(1).into())?;
        let rate = |odds: Odds| Fraction::new(odds.num().into(), odds.den().into());
        let won = self.pays.most_rounded_up(self.rounding)?.times(least)?.plus(rate(self.pays)?)?;
        let Some(commission) = self.commission else { return Some(won) };
        let kept = Fraction::ONE.minus(rate(commission.rate)?)?;
        let left = match (commission.rounding, commission.increment) {
            (Rounding::Up, Increment::MinorUnit | Increment::QuarterChip) => Fraction::ZERO,
            (Rounding::HalfUp, Increment::MinorUnit) => least.times(Fraction::new(1, 2)?)?,
            (Rounding::Down, Increment::MinorUnit) => least,
            // A quarter of a chip weighs as much as the chip, however large that is.
            (Rounding::HalfUp | Rounding::Down, Increment::QuarterChip) => return Some(won),
        };
        Some(won.times(kept)?.plus(left)?.min(won))
    }
}

/// A share of a win that the house keeps.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Commission {
    /// The share, at most 1.
    pub rate: Odds,
    /// The rounding of a fraction of the increment.
    pub rounding: Rounding,
    /// The amount that the commission is a multiple of.
    pub increment: Increment,
}

/// The amount that a commission is a multiple of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Increment {
    /// The minor unit.
    MinorUnit,
    /// A quarter of the lowest chip. If that is no whole number, the next whole minor unit.
    QuarterChip,
}

impl Increment {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::MinorUnit, Self::QuarterChip];

    /// Returns its word in rulesets and sheets: `minor-unit` or `quarter-chip`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MinorUnit => "minor-unit",
            Self::QuarterChip => "quarter-chip",
        }
    }
}

impl Commission {
    /// Returns the commission on `win`, never more than all of it; both in minor units. `chip` is
    /// the lowest chip, which [`Increment::QuarterChip`] needs.
    #[must_use]
    pub fn due(&self, win: i128, chip: Option<i64>) -> i128 {
        let increment = match self.increment {
            Increment::MinorUnit => 1,
            Increment::QuarterChip => rounded(i128::from(chip.unwrap_or(1)), 4, Rounding::Up),
        };
        let share = win * i128::from(self.rate.num());
        let increments = rounded(share, i128::from(self.rate.den()) * increment, self.rounding);
        (increments * increment).min(win)
    }
}

/// A hand of the dealer that makes every base wager push.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PushEvent {
    /// The condition on the cards dealt to the dealer.
    pub condition: Condition,
    /// Whether a foul hand pushes too instead of losing.
    pub beats_foul: bool,
}

/// A second wager equal to the base wager, placed after the hand is seen.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DoubleDown {
    /// It is in action only if the best five cards of the dealer or banker are at
    /// least a pair of this rank.
    pub qualifying_pair: Rank,
}

/// A player who banks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Banking {
    /// The share that the house keeps. It is taken of each other seat's win on base and double down
    /// together. It is also taken of the banker's net win outside the bonus bets.
    pub commission: Commission,
    /// How many times the sum of the other seats' base wagers the bank must hold.
    pub bank_per_base: i64,
}

#[cfg(test)]
mod tests;
