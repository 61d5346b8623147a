//! A ruleset: one immutable file with everything in a game that decides about money.

mod load;
mod reader;
mod shipped;
mod terms;

use std::ops::RangeInclusive;

use super::base_lines;
use super::bets::{BetId, BetSubject, BonusBet, Meter, SetHand, Showdown};
use super::comparison::{self, LaidHand};
use super::dealing::{self, TableDeal};
use super::decisions;
use super::early;
use super::fees::FeeSchedule;
use super::money::{Currency, MAX_BANK, MAX_STAKE};
use super::settlement::{
    BetLine, Decision, DecisionFault, DecisionRule, SettleError, Settlement, ShownHand, SplitHand,
};
use super::sheet::{SheetFault, TableFact, WagerSheet};
use super::table::WagerTable;
use super::{check, settle};
use crate::cards::{BySeat, Card, DECK_LEN, Deck, Seat};
use crate::hands::{JokerUse, Ranking, Wheel};
use crate::house_way::{HouseWay, RulesFault};

pub use shipped::shipped;
pub use terms::{
    Banking, BaseTerms, Commission, Coverage, DeadHands, DealDirection, DealProcedure, DealTerms,
    DoubleDown, HouseWayName, Increment, PushEvent,
};

/// A game with all its rules, read from one file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ruleset {
    pub(super) file: String,
    pub(super) id: String,
    pub(super) family: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) notes: Vec<String>,
    /// Cards dealt to a position: six or seven.
    pub(super) hand: usize,
    /// Players' seats, 1 to 6, or to 7 with hands of six.
    pub(super) seats: u8,
    pub(super) ranking: Ranking,
    pub(super) house_way: HouseWayName,
    pub(super) coverage: Coverage,
    pub(super) exposes_dealer: bool,
    pub(super) allow_player_advantage: bool,
    pub(super) currency: Option<Currency>,
    pub(super) dealing: DealTerms,
    pub(super) required_facts: Vec<TableFact>,
    pub(super) optional_facts: Vec<TableFact>,
    pub(super) payout_limits: PayoutLimits,
    pub(super) base: BaseTerms,
    pub(super) double_down: Option<DoubleDown>,
    pub(super) banking: Option<Banking>,
    pub(super) fees: Option<Fees>,
    /// In the order in which a seat's bets are settled.
    pub(super) bonus_bets: Vec<BonusBet>,
}

/// The most that wagers may win, in minor units. A sheet whose wagers could win more is refused.
///
/// The highest win of a wager is that of the first row of its bet. It is the highest odds, or the
/// share of the meter that the table states.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PayoutLimits {
    /// For one wager, without wins by the hands of other seats; [`None`]: no bound.
    pub wager: Option<i64>,
    /// For all wagers of one seat together, with its double down and wins by the hands of all other
    /// seats; [`None`]: no bound.
    pub seat: Option<i64>,
    /// For all wagers of the round together, counted as those of a seat; [`None`]: no bound.
    pub round: Option<i64>,
}

/// Flat fees, taken before the deal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fees {
    /// The fees of each player, by his base wager.
    pub player: FeeSchedule,
    /// The fees of the player-dealer, by the sum of all base wagers.
    pub player_dealer: FeeSchedule,
}

impl Ruleset {
    /// Reads a ruleset file.
    ///
    /// # Errors
    ///
    /// Returns every fault with the path of its key, if the file is not a complete ruleset of this
    /// schema. A bet on one hand that returns more than it takes is a fault, unless the file says
    /// `allow_player_advantage = true`. A bet on two hands is checked with the house way.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_rules::game::{self, Ruleset};
    ///
    /// let text = game::shipped().iter().find(|ruleset| ruleset.id() == "mikes").unwrap().text();
    /// let ruleset = Ruleset::parse(text).unwrap();
    /// assert_eq!((ruleset.id(), ruleset.hand_cards()), ("mikes", 7));
    ///
    /// let faults = Ruleset::parse(&text.replace("seats = 6", "seat = 6")).unwrap_err();
    /// let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    /// assert_eq!(faults, ["seats: missing", "seat: unknown key"]);
    /// ```
    pub fn parse(file: &str) -> Result<Self, Vec<RulesFault>> {
        load::ruleset(file)
    }

    /// Returns the file as it was read. The ruleset hash covers its bytes.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.file
    }

    /// Returns the id, as `mikes`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the game that the ruleset is a configuration of, as `express`. It is a name for
    /// people, and no rule depends on it.
    #[must_use]
    pub fn family(&self) -> &str {
        &self.family
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

    /// Returns further sentences for players and regulators, which are not rules.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns how many cards the deck holds, the joker included.
    #[must_use]
    pub const fn cards(&self) -> usize {
        DECK_LEN
    }

    /// Returns how many cards each position is dealt: six or seven.
    #[must_use]
    pub const fn hand_cards(&self) -> usize {
        self.hand
    }

    /// Returns how many cards the low hand holds: one of six, two of seven.
    #[must_use]
    pub const fn low_cards(&self) -> usize {
        self.hand - 5
    }

    /// Returns how many players' seats there are; they are numbered from 1.
    #[must_use]
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the number of positions that the cards go to, the dealer's included. With hands of
    /// seven it is seven, whatever the seats. With hands of six it is one more than the seats.
    #[must_use]
    pub const fn positions(&self) -> u8 {
        if self.hand == 7 { 7 } else { self.seats + 1 }
    }

    /// Returns where A-2-3-4-5 ranks among straights.
    #[must_use]
    pub const fn wheel(&self) -> Wheel {
        self.ranking.wheel
    }

    /// Returns the cards that the joker can replace.
    #[must_use]
    pub const fn joker(&self) -> JokerUse {
        self.ranking.joker
    }

    /// Returns the rules by which hands rank.
    #[must_use]
    pub const fn ranking(&self) -> Ranking {
        self.ranking
    }

    /// Returns the house way that the ruleset names.
    #[must_use]
    pub const fn house_way(&self) -> &HouseWayName {
        &self.house_way
    }

    /// Returns the owner of the money that covers the wagers.
    #[must_use]
    pub const fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// Whether the deal shows the dealer's hand as set, before the players decide.
    ///
    /// The compiled-in counts are of a player who does not see that hand. So no figure of the base
    /// game is given for such a ruleset. [`Self::exposed_hand`] returns the hand.
    #[must_use]
    pub const fn exposes_dealer(&self) -> bool {
        self.exposes_dealer
    }

    /// Whether a bet of the ruleset may favour the player.
    #[must_use]
    pub const fn allows_player_advantage(&self) -> bool {
        self.allow_player_advantage
    }

    /// Returns the currency of the amounts in the ruleset, the only one that it takes.
    ///
    /// Returns [`None`] if the ruleset has no amounts and takes any currency.
    #[must_use]
    pub const fn currency(&self) -> Option<&Currency> {
        self.currency.as_ref()
    }

    /// Returns how the cards go to the positions.
    #[must_use]
    pub const fn dealing(&self) -> &DealTerms {
        &self.dealing
    }

    /// Returns the facts that every sheet must state.
    #[must_use]
    pub fn required_facts(&self) -> &[TableFact] {
        &self.required_facts
    }

    /// Returns the facts that a sheet may state.
    #[must_use]
    pub fn optional_facts(&self) -> &[TableFact] {
        &self.optional_facts
    }

    /// Returns the least and the largest value of a fact of a sheet.
    #[must_use]
    pub fn fact_range(&self, fact: TableFact) -> RangeInclusive<i64> {
        match fact {
            TableFact::ActionPile => 0..=6,
            TableFact::BankMinor => 1..=MAX_BANK,
            TableFact::BankerSeat => 1..=i64::from(self.seats),
            TableFact::MeterMinor => self.meter().map_or(1, |meter| meter.seed)..=MAX_STAKE,
            TableFact::ChipMinor | TableFact::TableMaxMinor | TableFact::TableMinMinor => {
                1..=MAX_STAKE
            }
        }
    }

    /// Returns the most that wagers may win.
    #[must_use]
    pub const fn payout_limits(&self) -> PayoutLimits {
        self.payout_limits
    }

    /// Returns the base bet.
    #[must_use]
    pub const fn base(&self) -> &BaseTerms {
        &self.base
    }

    /// Returns the terms of the double down, if the game has one.
    #[must_use]
    pub const fn double_down(&self) -> Option<&DoubleDown> {
        self.double_down.as_ref()
    }

    /// Returns the terms of a player who banks, if the game lets a player bank.
    #[must_use]
    pub const fn banking(&self) -> Option<&Banking> {
        self.banking.as_ref()
    }

    /// Returns the bonus bets, in the order in which a seat's bets are settled.
    #[must_use]
    pub fn bonus_bets(&self) -> &[BonusBet] {
        &self.bonus_bets
    }

    /// Returns the bonus bet of this id, or [`None`] if the ruleset has no such bet.
    #[must_use]
    pub fn bonus_bet(&self, bet: BetId) -> Option<&BonusBet> {
        self.bonus_bets.iter().find(|bonus| bonus.id == bet)
    }

    /// Returns the meter that a bonus bet pays of, if there is one.
    #[must_use]
    pub fn meter(&self) -> Option<Meter> {
        self.bonus_bets.iter().find_map(|bonus| bonus.meter)
    }

    /// Returns the flat fees, if the game has them.
    #[must_use]
    pub const fn fee_schedules(&self) -> Option<&Fees> {
        self.fees.as_ref()
    }

    /// Whether dice name the position that is dealt to first.
    #[must_use]
    pub const fn draws_dice(&self) -> bool {
        self.dealing.dice
    }

    /// Makes a table of the wagers that a caller states.
    ///
    /// # Errors
    ///
    /// Returns every fault of the sheet, in the order of currency, facts by name, wagers, sheet.
    pub fn check(&self, sheet: &WagerSheet) -> Result<WagerTable, Vec<SheetFault>> {
        check::check(self, sheet)
    }

    /// Deals a shuffled deck, and takes the fees.
    ///
    /// The three `dice` show 1 to 6 each. They are ignored if the ruleset draws none.
    #[must_use]
    pub fn deal(&self, table: &WagerTable, deck: &Deck, dice: [u8; 3]) -> TableDeal {
        dealing::deal(self, table, deck, dice)
    }

    /// Returns the dealer's hand as the deal shows it, set by the house way, or [`None`] if the
    /// ruleset does not expose it.
    ///
    /// `dealt` is the result of [`Self::deal`], and `house_way` the way that the ruleset names.
    /// [`Self::settle`] sets the same hand.
    ///
    /// # Errors
    ///
    /// If the house way or the deal is of another ruleset.
    pub fn exposed_hand(
        &self,
        house_way: &HouseWay,
        dealt: &TableDeal,
    ) -> Result<Option<ShownHand>, SettleError> {
        if !self.exposes_dealer {
            return Ok(None);
        }
        if house_way.id() != self.house_way.id {
            return Err(SettleError::Foreign { part: "house way" });
        }
        let laid = LaidHand::by_house_way(house_way, &dealt.dealer());
        laid.map(|laid| Some(laid.shown())).ok_or(SettleError::Foreign { part: "deal" })
    }

    /// Returns the lines that the deal alone makes final, by seat: those of bets on the first cards
    /// dealt. [`Self::settle`] returns the same lines.
    ///
    /// # Errors
    ///
    /// If the table is of another ruleset, or if the engine itself is at fault. [`Self::settle`]
    /// checks whether the deal is that of the table.
    pub fn final_lines(
        &self,
        table: &WagerTable,
        dealt: &TableDeal,
    ) -> Result<BySeat<Vec<BetLine>>, SettleError> {
        early::final_lines(self, table, dealt)
    }

    /// Returns the faults of decisions, by seat.
    ///
    /// Faults are a missing or needless decision, a double down that is not offered, and an illegal
    /// low hand.
    ///
    /// `visible` has the cards of the seats with a wager, as dealt. A seat that is not in it has no
    /// cards. No card of the dealer is needed.
    #[must_use]
    pub fn decision_faults(
        &self,
        table: &WagerTable,
        visible: &BySeat<Vec<Card>>,
        decisions: &BySeat<Decision>,
    ) -> Vec<DecisionFault> {
        let hand = |seat: Seat| Some(visible.get(seat).map_or(&[][..], Vec::as_slice));
        decisions::faults(self, table, hand, decisions)
    }

    /// Settles the round: every wager clockwise from the action seat, then every net.
    ///
    /// `dealt` is the result of [`Self::deal`] for `table`, and `house_way` the way that the
    /// ruleset names.
    ///
    /// # Errors
    ///
    /// If the decisions do not fit wagers and cards, if an argument is of another ruleset, or if
    /// the engine itself is at fault.
    pub fn settle(
        &self,
        house_way: &HouseWay,
        table: &WagerTable,
        dealt: &TableDeal,
        decisions: &BySeat<Decision>,
    ) -> Result<Settlement, SettleError> {
        settle::settle(self, house_way, table, dealt, decisions)
    }

    /// Splits `hand`, of distinct cards, into the low hand `low` and the cards behind it. Ranks
    /// both as [`Self::settle`] does.
    ///
    /// # Errors
    ///
    /// Returns the rule that a decision for this low hand breaks.
    pub fn split(&self, hand: &[Card], low: &[Card]) -> Result<SplitHand, DecisionRule> {
        comparison::split(self, hand, low)
    }

    /// Splits `hand` in every way, the low cards in the order of the fresh deck: 21 settings of
    /// seven cards, 6 of six.
    ///
    /// The list is empty if the game deals another number of cards, or if a card occurs twice.
    #[must_use]
    pub fn every_split(&self, hand: &[Card]) -> Vec<SplitHand> {
        comparison::every_split(self, hand)
    }

    /// Sets the cards of a seat and of the dealer or banker by the house way, and compares them.
    ///
    /// Returns [`None`] if the way sets another number of cards, or if a hand has a card twice.
    #[must_use]
    pub fn showdown(
        &self,
        house_way: &HouseWay,
        seat: &[Card],
        dealer: &[Card],
    ) -> Option<Showdown> {
        let laid = |cards| LaidHand::by_house_way(house_way, cards);
        Some(laid(seat)?.showdown(&laid(dealer)?))
    }

    /// Returns whether every base wager pushes on these cards of the dealer, as the house way sets
    /// them.
    #[must_use]
    pub fn pushes_on(&self, dealer: &[Card], set: SetHand) -> bool {
        base_lines::pushes(self, dealer, set)
    }

    /// Returns whether double downs are in action against these cards of the dealer or banker.
    /// Always true if the game has none.
    #[must_use]
    pub fn qualifies(&self, opponent: &[Card]) -> bool {
        base_lines::qualifies(self, opponent)
    }

    /// Returns the fees that a table owes before the deal, by position, in minor units. Only fees
    /// above 0 are in it.
    #[must_use]
    pub fn fees(&self, table: &WagerTable) -> BySeat<i64> {
        dealing::fees(self, table)
    }

    /// Returns the place of `bet` in the order of settlement: the base bet first,
    /// then the bonus bets as the file lists them.
    pub(super) fn place_of(&self, bet: BetId) -> usize {
        self.bonus_bets.iter().position(|bonus| bonus.id == bet).map_or(0, |place| place + 1)
    }

    /// Whether `bet` is final as soon as the cards are dealt.
    pub(super) fn is_final_in_deal(&self, bet: BetId) -> bool {
        self.bonus_bet(bet).is_some_and(|bonus| bonus.looks_at == BetSubject::FirstThree)
    }
}

#[cfg(test)]
mod tests;
