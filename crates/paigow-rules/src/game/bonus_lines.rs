//! Bonus bets at a table: each wager judged on its evidence, and what other seats'
//! hands pay besides.

use super::bets::{BonusBet, DealtHand, Evidence, LooksAt, Pays, Showdown, ThreeCards};
use super::coverage::{Cover, Verdict};
use super::laying::Laid;
use super::money::Odds;
use super::ruleset::Ruleset;
use super::settlement::{Line, LineStatus, SettleError};
use super::table::{Placed, Table};
use crate::cards::{BySeat, Card, Hand, Seat};
use crate::house_way::HouseWay;

/// What the cards say of one wager.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) pays: Option<Odds>,
    pub(super) row: Option<String>,
    pub(super) commission: i128,
}

impl Judged {
    /// A verdict that no row of a pay table is behind.
    pub(super) const fn plain(verdict: Verdict) -> Self {
        Self { verdict, pays: None, row: None, commission: 0 }
    }
}

/// Judges bonus bets by the hands of a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge<'a> {
    ruleset: &'a Ruleset,
    hands: &'a BySeat<Hand>,
    /// The house way and the dealer's hand as it sets it, once hands are set.
    dealer: Option<(&'a HouseWay, &'a Laid<'a>)>,
}

impl<'a> Judge<'a> {
    /// Judges what needs no hand to be set.
    pub(super) const fn before_settlement(ruleset: &'a Ruleset, hands: &'a BySeat<Hand>) -> Self {
        Self { ruleset, hands, dealer: None }
    }

    /// Judges everything.
    pub(super) const fn at_settlement(
        ruleset: &'a Ruleset,
        hands: &'a BySeat<Hand>,
        house_way: &'a HouseWay,
        dealer: &'a Laid<'a>,
    ) -> Self {
        Self { ruleset, hands, dealer: Some((house_way, dealer)) }
    }

    /// Returns what becomes of a bonus wager of `seat`.
    pub(super) fn bonus(&self, seat: Seat, wager: &Placed) -> Result<Judged, SettleError> {
        let bonus = self.bet(wager)?;
        let mut evidence = self.evidence(bonus, seat)?;
        evidence.choice = wager.choice;
        Ok(match bonus.judge(&evidence) {
            Some(row) => match row.pays {
                Pays::Odds(odds) => Judged {
                    verdict: Verdict::Won(odds.win(wager.stake, bonus.rounding)),
                    pays: Some(odds),
                    row: Some(row.id.clone()),
                    commission: 0,
                },
                Pays::Push => Judged { row: Some(row.id.clone()), ..Judged::plain(Verdict::Push) },
            },
            None => Judged::plain(Verdict::Lost),
        })
    }

    /// Returns what a bonus wager of `seat` is paid for the hands of other seats with a
    /// base wager, by seat: whether those bet the bonus does not matter.
    pub(super) fn others(
        &self,
        seat: Seat,
        wager: &Placed,
        table: &Table,
    ) -> Result<Vec<Line>, SettleError> {
        let bonus = self.bet(wager)?;
        let Some(to_others) = bonus.to_others.filter(|terms| wager.stake >= terms.threshold) else {
            return Ok(Vec::new());
        };
        let mut lines = Vec::new();
        let others = table.seats().map(|(other, _)| other).filter(|other| *other != seat);
        for other in others.filter(|other| table.base_stake(*other).is_some()) {
            let row = bonus.judge(&self.evidence(bonus, other)?);
            let Some((row, win)) = row.and_then(|row| Some((row, row.to_others?))) else {
                continue;
            };
            lines.push(Line {
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

    fn bet(&self, wager: &Placed) -> Result<&'a BonusBet, SettleError> {
        self.ruleset.bonus_bet(wager.bet).ok_or(SettleError::Foreign { part: "table" })
    }

    /// Returns what the bet looks at, and no more.
    fn evidence(&self, bonus: &BonusBet, seat: Seat) -> Result<Evidence, SettleError> {
        let foreign = || SettleError::Foreign { part: "deal" };
        let cards = |seat: Seat| self.hands.get(seat).ok_or_else(foreign);
        let dealt = |seat: Seat| DealtHand::of(cards(seat)?).ok_or_else(foreign);
        let mut evidence = Evidence::none();
        match bonus.id.looks_at().ok_or(SettleError::Foreign { part: "table" })? {
            LooksAt::SeatHand | LooksAt::Colour => evidence.hand = Some(dealt(seat)?),
            LooksAt::DealerHand => evidence.dealer = Some(dealt(Seat::DEALER)?),
            LooksAt::FirstThree => {
                let three: &[Card; 3] = cards(seat)?.first_chunk().ok_or_else(foreign)?;
                evidence.first_three = Some(ThreeCards::of(three));
            }
            LooksAt::Showdown => evidence.showdown = self.showdown(cards(seat)?),
        }
        Ok(evidence)
    }

    /// Both hands set by the house way, however the player sets his.
    fn showdown(&self, cards: &[Card]) -> Option<Showdown> {
        let (house_way, dealer) = self.dealer?;
        let seat = Laid::by_house_way(house_way, cards)?;
        Some(seat.showdown(dealer))
    }
}

/// Returns the line of a wager of `stake` on `bet`, as far as the bank covers it.
#[inline(always)]
pub(super) fn line(
    bet: super::bets::BetId,
    stake: i64,
    judged: Judged,
    cover: &mut Cover,
) -> Result<Line, SettleError> {
    let covered = cover.settle(stake, judged.verdict);
    let status = if covered.is_covered {
        match judged.verdict {
            Verdict::Won(_) => LineStatus::Won,
            Verdict::Lost => LineStatus::Lost,
            Verdict::Push => LineStatus::Push,
        }
    } else {
        LineStatus::Uncovered
    };
    Ok(Line {
        bet,
        stake,
        status,
        row: judged.row,
        pays: judged.pays,
        win: minor(covered.win)?,
        commission: minor(judged.commission)?,
        returned: minor(covered.returned - judged.commission)?,
        uncovered: covered.uncovered.map(minor).transpose()?,
        caused_by: None,
    })
}

/// Returns an amount as 64 bits; the checks before the deal rule out what does not fit.
#[inline(always)]
pub(super) fn minor(amount: i128) -> Result<i64, SettleError> {
    i64::try_from(amount).map_err(|_| SettleError::Overflow)
}
