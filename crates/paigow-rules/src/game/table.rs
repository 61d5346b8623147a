//! The table before the deal: wagers that have passed every check.

use super::bets::BetId;
use super::money::Currency;
use super::sheet::{ColourChoice, TableFacts};
use crate::cards::{BySeat, Seat};

/// One wager that its ruleset accepts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PlacedWager {
    /// The bet.
    pub bet: BetId,
    /// The stake in minor units.
    pub stake: i64,
    /// The colour named, for bets that ask for one.
    pub choice: Option<ColourChoice>,
}

/// All wagers of a round, checked by [`Ruleset::check`](super::Ruleset::check).
///
/// Two sheets with the same content in another order make the same table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WagerTable {
    pub(super) ruleset: String,
    pub(super) currency: Currency,
    pub(super) facts: TableFacts,
    /// The pile, 0 to 6, that goes to the first position; 0 if no pile is named.
    pub(super) action_pile: u8,
    pub(super) bank: BankTerms,
    /// Each in the ruleset's order of bets, and never empty.
    pub(super) seats: BySeat<Vec<PlacedWager>>,
}

/// The money that covers the wagers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum BankTerms {
    /// The house's money, without a bound.
    House,
    /// A player's money at position 0, 1 to [`MAX_BANK`](super::MAX_BANK) minor units.
    PlayerDealer { bank: i64 },
    /// The money of a player who banks at his seat. The house covers his own wagers and all bonus
    /// bets.
    Banker { seat: Seat },
}

impl WagerTable {
    /// Returns the id of the ruleset that checked the table.
    #[must_use]
    pub fn ruleset(&self) -> &str {
        &self.ruleset
    }

    /// Returns the currency of every amount.
    #[must_use]
    pub const fn currency(&self) -> &Currency {
        &self.currency
    }

    /// Returns the table facts: those that the ruleset takes and no others.
    #[must_use]
    pub const fn facts(&self) -> &TableFacts {
        &self.facts
    }

    /// Returns the seats with a wager, ascending, each with its wagers in the
    /// ruleset's order of bets.
    pub fn seats(&self) -> impl Iterator<Item = (Seat, &[PlacedWager])> + Clone {
        self.seats.iter().map(|(seat, placed)| (seat, placed.as_slice()))
    }

    /// Whether `seat` has any wager.
    #[must_use]
    pub fn has_wager(&self, seat: Seat) -> bool {
        self.seats.contains(seat)
    }

    /// Returns the base wager of `seat` in minor units, or [`None`] if it has none.
    #[must_use]
    pub fn base_stake(&self, seat: Seat) -> Option<i64> {
        let placed = self.seats.get(seat)?;
        placed.iter().find(|placed| placed.bet == BetId::BASE).map(|placed| placed.stake)
    }

    /// Returns the player who banks at his seat, if one does.
    #[must_use]
    pub const fn banker(&self) -> Option<Seat> {
        match self.bank {
            BankTerms::Banker { seat } => Some(seat),
            BankTerms::House | BankTerms::PlayerDealer { .. } => None,
        }
    }

    /// Returns the sum of all base wagers in minor units.
    #[must_use]
    pub fn base_total(&self) -> i128 {
        self.seats.seats().filter_map(|seat| self.base_stake(seat)).map(i128::from).sum()
    }

    /// Returns the whole amount that `seat` has staked, in minor units; 0 without a wager.
    #[must_use]
    pub fn staked(&self, seat: Seat) -> i128 {
        let placed = self.seats.get(seat).map_or(&[][..], Vec::as_slice);
        placed.iter().map(|placed| i128::from(placed.stake)).sum()
    }
}
