//! A ruleset: one immutable file that says everything of a game that money hangs on.

mod load;
mod reader;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::bets::{BetId, BonusBet, Limits};
use super::dealing::{self, Dealt};
use super::fees::FeeSchedule;
use super::money::{Currency, Odds, Rounding};
use super::settlement::{Decision, SettleError, Settlement};
use super::sheet::{Fact, SheetFault, WagerSheet};
use super::table::Table;
use super::{check, settle};
use crate::cards::{Card, DECK_LEN, Seat};
use crate::hands::Wheel;
use crate::house_way::{Fault, HouseWay};

/// The rulesets that are compiled in, as files.
const SHIPPED: [&str; 1] = [include_str!("../rulesets/mikes.toml")];

/// Returns the rulesets that are compiled in.
#[must_use]
pub fn shipped() -> &'static [Ruleset] {
    static RULESETS: LazyLock<Vec<Ruleset>> = LazyLock::new(|| {
        let parse = |file: &&str| Ruleset::parse(file).expect("a test parses every shipped file");
        SHIPPED.iter().map(parse).collect()
    });
    &RULESETS
}

/// How the cards go to the positions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Procedure {
    /// Seven piles, row by row, the rows in alternating direction.
    Zigzag,
}

/// Whose money stands behind the wagers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Coverage {
    /// A player's, who may win or lose no more than he put up.
    PlayerDealer,
}

/// The house way that a ruleset sets hands by, as its file names it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HouseWayName {
    /// The id of the house way.
    pub id: String,
    /// The content hash of its file, 64 lower-case hexadecimal digits. Who loads both
    /// files compares it.
    pub hash: String,
}

/// The base bet: both hands against those of the dealer or banker.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Base {
    /// What a win pays.
    pub pays: Odds,
    /// The limits of the wager.
    pub limits: Limits,
    /// What a fraction of a minor unit becomes.
    pub rounding: Rounding,
}

/// A game with all its rules, read from one file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ruleset {
    pub(super) file: String,
    pub(super) id: String,
    pub(super) title: String,
    pub(super) source: String,
    /// Players' seats, 1 to 6.
    pub(super) seats: u8,
    pub(super) wheel: Wheel,
    pub(super) house_way: HouseWayName,
    pub(super) coverage: Coverage,
    pub(super) allow_player_advantage: bool,
    pub(super) currency: Currency,
    pub(super) procedure: Procedure,
    pub(super) required_facts: Vec<Fact>,
    pub(super) optional_facts: Vec<Fact>,
    pub(super) max_payout: Option<i64>,
    pub(super) base: Base,
    pub(super) player_fees: FeeSchedule,
    pub(super) player_dealer_fees: FeeSchedule,
    /// In the order in which a seat's bets are settled.
    pub(super) bonus_bets: Vec<BonusBet>,
}

impl Ruleset {
    /// Reads a ruleset file.
    ///
    /// # Errors
    ///
    /// If the file is not a complete ruleset of this schema: every fault with the
    /// path of its key.
    pub fn parse(file: &str) -> Result<Self, Vec<Fault>> {
        load::ruleset(file)
    }

    /// Returns the file as it was read; its bytes are what a ruleset hash covers.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.file
    }

    /// Returns the id, as `mikes`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name of the game.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the document that the rules come from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns how many cards the deck holds, the joker included.
    #[must_use]
    pub const fn cards(&self) -> usize {
        DECK_LEN
    }

    /// Returns how many players' seats there are; they are numbered from 1.
    #[must_use]
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns where A-2-3-4-5 ranks among straights.
    #[must_use]
    pub const fn wheel(&self) -> Wheel {
        self.wheel
    }

    /// Returns the house way that the ruleset names.
    #[must_use]
    pub const fn house_way(&self) -> &HouseWayName {
        &self.house_way
    }

    /// Whether a bet of the ruleset may favour the player.
    #[must_use]
    pub const fn allows_player_advantage(&self) -> bool {
        self.allow_player_advantage
    }

    /// Returns the currency of the amounts in the ruleset, the only one it takes.
    #[must_use]
    pub const fn currency(&self) -> &Currency {
        &self.currency
    }

    /// Returns the facts that every sheet must tell.
    #[must_use]
    pub fn required_facts(&self) -> &[Fact] {
        &self.required_facts
    }

    /// Returns the facts that a sheet may tell.
    #[must_use]
    pub fn optional_facts(&self) -> &[Fact] {
        &self.optional_facts
    }

    /// Returns the base bet.
    #[must_use]
    pub const fn base(&self) -> &Base {
        &self.base
    }

    /// Returns the bonus bets, in the order in which a seat's bets are settled.
    #[must_use]
    pub fn bonus_bets(&self) -> &[BonusBet] {
        &self.bonus_bets
    }

    /// Returns the bonus bet of this id, or nothing.
    #[must_use]
    pub fn bonus_bet(&self, bet: BetId) -> Option<&BonusBet> {
        self.bonus_bets.iter().find(|bonus| bonus.id == bet)
    }

    /// Returns the fees of players, by their base wagers.
    #[must_use]
    pub const fn player_fees(&self) -> &FeeSchedule {
        &self.player_fees
    }

    /// Returns the fees of the player-dealer, by the sum of all base wagers.
    #[must_use]
    pub const fn player_dealer_fees(&self) -> &FeeSchedule {
        &self.player_dealer_fees
    }

    /// Whether dice name the position that is dealt to first.
    #[must_use]
    pub const fn draws_dice(&self) -> bool {
        match self.procedure {
            Procedure::Zigzag => true,
        }
    }

    /// Makes a table of what a caller says is on the layout.
    ///
    /// # Errors
    ///
    /// If the sheet breaks any rule: every fault, in the order of currency, facts by
    /// name, wagers, sheet.
    pub fn check(&self, sheet: &WagerSheet) -> Result<Table, Vec<SheetFault>> {
        check::check(self, sheet)
    }

    /// Deals a shuffled deck, and takes the fees.
    ///
    /// The three `dice` show 1 to 6 each; they are ignored where the ruleset draws
    /// none.
    #[must_use]
    pub fn deal(&self, table: &Table, deck: &[Card; DECK_LEN], dice: [u8; 3]) -> Dealt {
        dealing::deal(self, table, deck, dice)
    }

    /// Settles the round: every wager clockwise from the action seat, then every net.
    ///
    /// `dealt` is what [`Self::deal`] made of `table`, `house_way` the one that the
    /// ruleset names.
    ///
    /// # Errors
    ///
    /// If the decisions do not fit wagers and cards, if an argument is another
    /// ruleset's, or if the engine itself is at fault.
    pub fn settle(
        &self,
        house_way: &HouseWay,
        table: &Table,
        dealt: &Dealt,
        decisions: &BTreeMap<Seat, Decision>,
    ) -> Result<Settlement, SettleError> {
        settle::settle(self, house_way, table, dealt, decisions)
    }

    /// Returns the fees that a table owes before the deal, by position, in minor units;
    /// only those above 0.
    #[must_use]
    pub fn fees(&self, table: &Table) -> BTreeMap<Seat, i64> {
        dealing::fees(self, table)
    }

    /// Returns the place of `bet` in the order of settlement: the base bet first,
    /// then the bonus bets as the file lists them.
    pub(super) fn place_of(&self, bet: BetId) -> usize {
        self.bonus_bets.iter().position(|bonus| bonus.id == bet).map_or(0, |place| place + 1)
    }
}

#[cfg(test)]
mod tests;
