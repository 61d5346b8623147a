//! Bonus bets at a table: judges each wager on its evidence, and adds the payments for other seats'
//! hands.

use super::bets::{
    BetEvidence, BetSubject, BonusBet, DealtHand, PayRow, RowPayment, SetHand, Showdown,
};
use super::comparison::LaidHand;
use super::coverage::WagerVerdict;
use super::ruleset::Ruleset;
use super::settlement::{BetLine, LineStatus, SettleError};
use super::table::{PlacedWager, WagerTable};
use super::wager_line::JudgedWager;
use crate::cards::{BySeat, Card, Hand, Seat};
use crate::house_way::HouseWay;

/// Judges bonus bets by the hands of a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct BonusJudge<'a> {
    ruleset: &'a Ruleset,
    hands: &'a BySeat<Hand>,
    /// The house way and the dealer's hand as it sets it, once hands are set.
    dealer: Option<(&'a HouseWay, &'a LaidHand<'a>)>,
}

impl<'a> BonusJudge<'a> {
    /// Judges the bets that need no set hand.
    pub(super) const fn before_settlement(ruleset: &'a Ruleset, hands: &'a BySeat<Hand>) -> Self {
        Self { ruleset, hands, dealer: None }
    }

    /// Judges everything.
    pub(super) const fn at_settlement(
        ruleset: &'a Ruleset,
        hands: &'a BySeat<Hand>,
        house_way: &'a HouseWay,
        dealer: &'a LaidHand<'a>,
    ) -> Self {
        Self { ruleset, hands, dealer: Some((house_way, dealer)) }
    }

    /// Returns the result of a bonus wager of `seat`. `set` is its hand as set, if it is set.
    pub(super) fn bonus(
        &self,
        seat: Seat,
        wager: &PlacedWager,
        set: Option<SetHand>,
        table: &WagerTable,
    ) -> Result<JudgedWager, SettleError> {
        let bonus = self.bet(wager)?;
        let mut evidence = self.evidence(bonus, seat)?;
        (evidence.choice, evidence.set) = (wager.choice, set);
        Ok(match bonus.judge(&evidence) {
            Some(row) => match row.pays {
                RowPayment::Odds(odds) => JudgedWager {
                    verdict: WagerVerdict::Won(odds.win(wager.stake, bonus.rounding)),
                    pays: Some(odds),
                    row: Some(row.id.clone()),
                    commission: 0,
                },
                RowPayment::Meter(_) => JudgedWager {
                    row: Some(row.id.clone()),
                    ..JudgedWager::plain(WagerVerdict::Won(self.paid_of_meter(bonus, row, table)?))
                },
                RowPayment::Push => JudgedWager {
                    row: Some(row.id.clone()),
                    ..JudgedWager::plain(WagerVerdict::Push)
                },
            },
            None => JudgedWager::plain(WagerVerdict::Lost),
        })
    }

    /// Returns the win of the meter for each wager that `row` pays.
    ///
    /// The wagers of one row share what it pays equally, and a fraction of a minor unit is dropped. The
    /// row that pays least is paid first. So all of them together never win more than the meter holds.
    fn paid_of_meter(
        &self,
        bonus: &BonusBet,
        row: &PayRow,
        table: &WagerTable,
    ) -> Result<i128, SettleError> {
        let meter = table.facts().meter_minor.ok_or(SettleError::Foreign { part: "table" })?;
        let mut paid = Vec::new();
        for (seat, placed) in table.seats() {
            if placed.iter().any(|wager| wager.bet == bonus.id) {
                paid.extend(bonus.judge(&self.evidence(bonus, seat)?).map(|row| &row.id));
            }
        }
        let mut left = i128::from(meter);
        for other in bonus.rows.iter().rev() {
            let Some(share) = other.pays.meter_share() else { continue };
            let wagers: i128 = paid.iter().filter(|id| **id == &other.id).map(|_| 1).sum();
            if wagers == 0 {
                continue;
            }
            let each = share.of(meter).min(left) / wagers;
            if other.id == row.id {
                return Ok(each);
            }
            left -= each * wagers;
        }
        Ok(0)
    }

    /// Returns the payments to a bonus wager of `seat` for the hands of other seats with a base
    /// wager, by seat. Whether those seats bet the bonus does not matter.
    pub(super) fn others(
        &self,
        seat: Seat,
        wager: &PlacedWager,
        table: &WagerTable,
    ) -> Result<Vec<BetLine>, SettleError> {
        let bonus = self.bet(wager)?;
        let to_others = bonus.to_others.as_ref();
        let Some(to_others) = to_others.filter(|terms| wager.stake >= terms.threshold) else {
            return Ok(Vec::new());
        };
        let mut lines = Vec::new();
        let others = table.seats().map(|(other, _)| other).filter(|other| *other != seat);
        for other in others.filter(|other| table.base_stake(*other).is_some()) {
            let row = bonus.judge(&self.evidence(bonus, other)?);
            let Some((row, win)) = row.and_then(|row| Some((row, row.to_others?))) else {
                continue;
            };
            lines.push(BetLine {
                bet: to_others.bet,
                stake: 0,
                status: LineStatus::Won,
                row: Some(row.id.clone()),
                pays: None,
                win,
                commission: 0,
                returned: win,
                uncovered: None,
                caused_by: Some(other),
            });
        }
        Ok(lines)
    }

    fn bet(&self, wager: &PlacedWager) -> Result<&'a BonusBet, SettleError> {
        self.ruleset.bonus_bet(wager.bet).ok_or(SettleError::Foreign { part: "table" })
    }

    /// Returns the evidence that the bet looks at, and no more.
    fn evidence(&self, bonus: &BonusBet, seat: Seat) -> Result<BetEvidence, SettleError> {
        let foreign = || SettleError::Foreign { part: "deal" };
        let cards = |seat: Seat| self.hands.get(seat).ok_or_else(foreign);
        let dealt = |seat: Seat| DealtHand::of(cards(seat)?, bonus.joker).ok_or_else(foreign);
        let mut evidence = BetEvidence::none();
        match bonus.looks_at {
            BetSubject::SeatHand => evidence.hand = Some(dealt(seat)?),
            BetSubject::DealerHand => evidence.dealer = Some(dealt(Seat::DEALER)?),
            BetSubject::FirstThree => {
                let three: &[Card; 3] = cards(seat)?.first_chunk().ok_or_else(foreign)?;
                evidence.first_three = Some(DealtHand::of(three, bonus.joker).ok_or_else(foreign)?);
            }
            // The caller adds the set hands of the seat.
            BetSubject::SeatSetHands => {}
            BetSubject::Showdown => evidence.showdown = self.showdown(cards(seat)?),
        }
        Ok(evidence)
    }

    /// Compares both hands as the house way sets them, whatever the player's own setting is.
    fn showdown(&self, cards: &[Card]) -> Option<Showdown> {
        let (house_way, dealer) = self.dealer?;
        let seat = LaidHand::by_house_way(house_way, cards)?;
        Some(seat.showdown(dealer))
    }
}
