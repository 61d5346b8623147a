//! The base game at a table: each seat's hands against the dealer's or banker's, and
//! the lines of base wager and double down.

use super::bets::{Asked, BetId, DealtHand, SetHand};
use super::comparison::LaidHand;
use super::coverage::{BankCover, WagerVerdict};
use super::ruleset::{Commission, Ruleset};
use super::settlement::{BaseOutcome, BaseResult, BetLine, SettleError};
use super::table::WagerTable;
use super::wager_line::{JudgedWager, line};
use crate::cards::{BySeat, Card, Hand, Rank, Seat, Suit};
use crate::hands::{HighHand, Ranking};

/// The base game of one round.
#[derive(Clone, Copy, Debug)]
pub(super) struct BaseSettlement<'a> {
    ruleset: &'a Ruleset,
    table: &'a WagerTable,
    dealer: Opponent<'a>,
    /// The player who banks, against whom all other seats play.
    banker: Option<(Seat, Opponent<'a>)>,
    /// Whether the dealer holds the hand on which base wagers push.
    is_push: bool,
}

/// The hand that a seat plays against.
#[derive(Clone, Copy, Debug)]
struct Opponent<'a> {
    laid: &'a LaidHand<'a>,
    /// Whether double downs against it are in action.
    qualifies: bool,
}

impl<'a> BaseSettlement<'a> {
    pub(super) fn new(
        ruleset: &'a Ruleset,
        table: &'a WagerTable,
        hands: &BySeat<Hand>,
        dealer: &'a LaidHand<'a>,
        banker: Option<(Seat, &'a LaidHand<'a>)>,
    ) -> Result<Self, SettleError> {
        let foreign = || SettleError::Foreign { part: "deal" };
        let cards = |seat: Seat| hands.get(seat).ok_or_else(foreign);
        let opponent = |seat: Seat, laid: &'a LaidHand<'a>| {
            Ok(Opponent { laid, qualifies: qualifies(ruleset, cards(seat)?) })
        };
        let banker = match banker {
            Some((seat, laid)) => Some((seat, opponent(seat, laid)?)),
            None => None,
        };
        let is_push = pushes(ruleset, cards(Seat::DEALER)?, dealer.set_hand());
        Ok(Self { ruleset, table, dealer: opponent(Seat::DEALER, dealer)?, banker, is_push })
    }

    /// Returns how the hand of `seat`, which has a base wager, came out.
    #[inline(always)]
    pub(super) fn result(&self, seat: Seat, laid: &LaidHand<'_>) -> BaseResult {
        let (high_result, low_result) = laid.compare_with(self.opponent(seat).laid);
        let foul = laid.is_foul;
        let beats_foul = self.ruleset.base().push.as_ref().is_some_and(|push| push.beats_foul);
        let outcome = if self.is_push && (!foul || beats_foul) {
            BaseOutcome::Push
        } else {
            BaseOutcome::of(high_result, low_result)
        };
        BaseResult { shown: laid.shown(), foul, high_result, low_result, outcome }
    }

    /// Adds the line of the base wager and, if the seat doubled, that of the second wager. The
    /// second wager is as large, and is in action only if the opponent qualifies.
    ///
    /// Both wins together have one commission. The first line shows the commission of its own win,
    /// the second the rest.
    #[inline(always)]
    pub(super) fn add_lines(
        &self,
        seat: Seat,
        stake: i64,
        doubled: bool,
        outcome: BaseOutcome,
        cover: &mut BankCover,
        lines: &mut Vec<BetLine>,
    ) -> Result<(), SettleError> {
        let first = self.judged(seat, stake, outcome, 0);
        let first_win = match first.verdict {
            WagerVerdict::Won(win) => win,
            WagerVerdict::Lost | WagerVerdict::Push => 0,
        };
        lines.push(line(BetId::BASE, stake, first, cover)?);
        if doubled {
            let second = if self.opponent(seat).qualifies {
                self.judged(seat, stake, outcome, first_win)
            } else {
                JudgedWager::plain(WagerVerdict::Push)
            };
            lines.push(line(BetId::DOUBLE_DOWN, stake, second, cover)?);
        }
        Ok(())
    }

    /// Judges one wager. `won_before` is the amount that the seat won on the wager before it.
    #[inline(always)]
    fn judged(
        &self,
        seat: Seat,
        stake: i64,
        outcome: BaseOutcome,
        won_before: i128,
    ) -> JudgedWager {
        let rules = self.ruleset.base();
        match outcome {
            BaseOutcome::Win => {
                let win = rules.pays.win(stake, rules.rounding);
                let chip = self.table.facts().chip_minor;
                let due = |win| self.commission(seat).map_or(0, |terms| terms.due(win, chip));
                JudgedWager {
                    verdict: WagerVerdict::Won(win),
                    pays: Some(rules.pays),
                    row: None,
                    commission: due(won_before + win) - due(won_before),
                }
            }
            BaseOutcome::Lose => JudgedWager::plain(WagerVerdict::Lost),
            BaseOutcome::Push => JudgedWager::plain(WagerVerdict::Push),
        }
    }

    /// Returns the commission on a win of `seat`. A player who banks pays his commission on the
    /// round as a whole.
    #[inline(always)]
    fn commission(&self, seat: Seat) -> Option<Commission> {
        match self.banker {
            Some((banker, _)) if banker == seat => None,
            Some(_) => self.ruleset.banking().map(|terms| terms.commission),
            None => self.ruleset.base().commission,
        }
    }

    #[inline(always)]
    fn opponent(&self, seat: Seat) -> Opponent<'a> {
        match self.banker {
            Some((banker, opponent)) if banker != seat => opponent,
            Some(_) | None => self.dealer,
        }
    }
}

/// Returns whether base wagers push on the dealer's `cards`, which are set as `set`.
pub(super) fn pushes(ruleset: &Ruleset, dealer: &[Card], set: SetHand) -> bool {
    ruleset.base().push.as_ref().is_some_and(|push| {
        let dealt = DealtHand::of(dealer, ruleset.joker());
        push.condition.holds_by(|asked| match asked {
            Asked::Cards(term) => dealt.is_some_and(|dealt| term.holds(&dealt, None)),
            Asked::Set(term) => term.holds(set),
            Asked::Showdown(_) => false,
        })
    })
}

/// Returns whether the best five of an opponent's cards put double downs in action. Always true if
/// the game has none.
pub(super) fn qualifies(ruleset: &Ruleset, cards: &[Card]) -> bool {
    let Some(terms) = ruleset.double_down() else { return true };
    let best = HighHand::best_of(cards, ruleset.ranking());
    best.is_some_and(|best| best >= lowest_with_pair(terms.qualifying_pair, ruleset.ranking()))
}

/// Returns the lowest hand that holds a pair of `rank`.
fn lowest_with_pair(rank: Rank, ranking: Ranking) -> HighHand {
    let pair = [Suit::Clubs, Suit::Diamonds].map(|suit| Card::new(rank, suit));
    let others = Rank::ALL.into_iter().filter(|other| *other != rank);
    let mut others = others.map(|other| Card::new(other, Suit::Hearts));
    // Three low cards: no straight, since a rank is held twice, and two suits at least.
    let five = [(); 3].map(|()| others.next().unwrap_or(Card::JOKER));
    let [a, b] = pair;
    let [c, d, e] = five;
    HighHand::of(&[a, b, c, d, e], ranking)
}
