//! The returns of the bets of a game, and the check that none returns more than it takes.

use super::ListedGame;
use paigow_exact::{BaseGame, BestPlay, BestPlayTerms, Mark, SetBetCounts, ShowdownCounts};
use paigow_rules::game::{BetId, BetSubject, BonusBet, Fraction, Odds, RowCounts, Ruleset};
use paigow_rules::house_way::{HouseWay, RulesFault};

impl ListedGame {
    /// Returns the average amount that a wager on `bet` gets back per unit staked, before any
    /// rounding.
    ///
    /// The stake is included. Payments for hands of other seats are not. For the base wager and for
    /// bets on set hands, the house way sets both hands. With a double down, the amount is per unit
    /// of the base stake, doubled on the hands on which doubling pays.
    ///
    /// Returns [`None`] for a bet that the ruleset does not have, and for one without a wager of
    /// its own. Also for the base wager, if the compiled-in counts lack this house way and these
    /// rules.
    #[must_use]
    pub fn exact_return(&self, bet: BetId) -> Option<Fraction> {
        if bet == BetId::BASE {
            return Fraction::ONE.minus(self.base_game()?.readings.first()?.returns.edge()?);
        }
        let bonus = self.ruleset.bonus_bet(bet)?;
        bonus.return_of(&self.row_counts(bonus)?)
    }

    /// Returns the variance of the return whose average is [`Self::exact_return`], per unit staked
    /// squared. Returns [`None`] where that function does.
    #[must_use]
    pub fn exact_variance(&self, bet: BetId) -> Option<Fraction> {
        if bet == BetId::BASE {
            return self.base_game()?.readings.first()?.returns.variance();
        }
        let bonus = self.ruleset.bonus_bet(bet)?;
        bonus.variance_of(&self.row_counts(bonus)?)
    }

    /// Returns the number of hands, or of pairs of hands, that each row of a bet pays.
    ///
    /// The house way sets the hands of a bet on set hands. Counts that are not compiled in are
    /// computed once in a process, which takes seconds for a bet on both hands.
    #[must_use]
    pub fn row_counts(&self, bet: &BonusBet) -> Option<RowCounts> {
        match bet.looks_at {
            BetSubject::SeatHand | BetSubject::DealerHand | BetSubject::FirstThree => {
                bet.row_counts(self.ruleset.hand_cards())
            }
            BetSubject::SeatSetHands => Some(self.set_bet_counts(bet)?.house_way),
            BetSubject::Showdown => {
                ShowdownCounts::made(bet, &self.ruleset, &self.house_way)?.to_counts()
            }
        }
    }

    /// Returns how many hands each row of a bet on the seat's set hands pays, as the house way and
    /// as the player sets them; [`None`] for another bet.
    #[must_use]
    pub fn set_bet_counts(&self, bet: &BonusBet) -> Option<SetBetCounts> {
        SetBetCounts::of(bet, &self.ruleset, &self.house_way)
    }

    /// Returns the base game, with the house way on both sides. Returns [`None`] if it is not
    /// counted, for example if the player sees the dealer's hand (see [`base_game`]).
    #[must_use]
    pub fn base_game(&self) -> Option<BaseGame> {
        base_game(&self.ruleset, &self.house_way, &self.house_way)
    }

    /// Returns the results of the base wager for a player who sets every hand, and doubles down, as
    /// it is worth most; [`None`] if they are not counted.
    #[must_use]
    pub fn best_play(&self) -> Option<&BestPlay> {
        let terms = BestPlayTerms::of(&self.ruleset)?;
        self.known_best_plays().find(|play| play.terms == terms)
    }

    /// Returns the house edge of the base wager by best play, commission unrounded; [`None`] if it
    /// is not counted.
    #[must_use]
    pub fn best_play_edge(&self) -> Option<Fraction> {
        let play = self.best_play()?;
        play.returns(&play.best)?.edge()
    }

    /// Returns the average amount that the base wager gets back by best play, per unit of the base
    /// stake, the stake included and commission unrounded. Returns [`None`] if it is not counted.
    #[must_use]
    pub fn best_play_return(&self) -> Option<Fraction> {
        Fraction::ONE.minus(self.best_play_edge()?)
    }

    /// Returns the counts of best play against the house way, on any terms.
    fn known_best_plays(&self) -> impl Iterator<Item = &BestPlay> {
        let compiled_in: Vec<&BestPlay> = paigow_exact::best_plays(&self.house_way).collect();
        self.best_plays.iter().chain(compiled_in)
    }

    /// Returns the highest average return of a base wager by best play, per unit of it.
    ///
    /// Returns [`None`] if best play is not counted. The most that rounding adds to a win is
    /// included, if a count of such a win is known.
    fn highest_by_best_play(&self) -> Option<Fraction> {
        let own = BestPlayTerms::of(&self.ruleset)?;
        let most = self.ruleset.base().most_won()?;
        let alike = self
            .known_best_plays()
            .filter(|play| (BestPlayTerms { pays: own.pays, ..play.terms.clone() }) == own);
        // A win that pays more never returns less.
        let above = alike.filter(|play| play.terms.pays >= most);
        let play = above.min_by_key(|play| play.terms.pays).or_else(|| self.best_play())?;
        Fraction::ONE.minus(play.returns(&play.best)?.edge()?)
    }

    /// Returns every bet that depends on the house way and returns more than it takes at some
    /// stake.
    ///
    /// The list is empty if the ruleset allows that. If counts are needed and not compiled in, this
    /// function counts the pairs of hands, in seconds. A ruleset whose pairs cannot be counted is
    /// faulty for that. The base game of a ruleset that exposes the dealer's hand is judged by best
    /// play alone.
    pub(super) fn advantages(&self) -> Vec<RulesFault> {
        if self.ruleset.allows_player_advantage() {
            return Vec::new();
        }
        let mut faults = match self.advantage_by_best_play() {
            Some(fault) => vec![fault],
            None if self.ruleset.exposes_dealer() => self.uncounted_odds(),
            None => self.counted_base_advantage(),
        };
        faults.extend(self.set_bet_advantages());
        faults
    }

    /// Returns a fault if the base wager returns more than it takes by best play.
    fn advantage_by_best_play(&self) -> Option<RulesFault> {
        let returned = self.highest_by_best_play().filter(|returned| *returned > Fraction::ONE)?;
        let message = format!(
            "base returns up to {} times the stake ({returned}) to a player who sets every hand as it \
             is worth most: more than it takes. Lower what it pays, or say allow_player_advantage = \
             true if that is meant",
            returned.decimal(6)
        );
        Some(RulesFault { path: "base.pays".to_owned(), message })
    }

    /// Refuses odds above even money against a hand that the player sees, since their return is not
    /// counted. At even money or less nothing is judged.
    fn uncounted_odds(&self) -> Vec<RulesFault> {
        if self.best_play().is_some() || Odds::EVEN.pays_at_least(self.ruleset.base().pays) {
            return Vec::new();
        }
        let message = "not counted: what the base wager returns to a player who sees the dealer's \
                       hand. Pay at most 1/1, or say allow_player_advantage = true if it is meant";
        vec![RulesFault { path: "base.pays".to_owned(), message: message.to_owned() }]
    }

    /// Returns a fault if the base wager returns more than it takes by the counts of all pairs of
    /// hands, with the house way on both sides.
    fn counted_base_advantage(&self) -> Vec<RulesFault> {
        if let Err(RulesFault { path, message }) = Mark::of(&self.ruleset) {
            let message = format!(
                "{message}, so that nobody knows what the base wager returns: change it, or say \
                 allow_player_advantage = true if it is meant"
            );
            return vec![RulesFault { path, message }];
        }
        if !self.base_needs_counts() {
            return Vec::new();
        }
        let base = paigow_exact::base_game(&self.ruleset, &self.house_way, &self.house_way);
        let Some(base) = base.or_else(|| self.counted()) else {
            let message =
                "has odds or a commission by which its return cannot be computed".to_owned();
            return vec![RulesFault { path: "base.pays".to_owned(), message }];
        };
        let returned = self.highest_base(&base);
        self.advantage("base.pays".to_owned(), BetId::BASE.name(), returned, &self.by_house_way())
            .into_iter()
            .collect()
    }

    /// Returns a fault for each bet on set hands that returns more than it takes.
    ///
    /// Judges the bet as the house way sets hands, and as a player sets them for that bet alone.
    fn set_bet_advantages(&self) -> Vec<RulesFault> {
        let bets = self.ruleset.bonus_bets().iter().enumerate();
        let fault = |(index, bet): (usize, &BonusBet)| {
            let (counts, by_whom) = match bet.looks_at {
                BetSubject::SeatHand | BetSubject::DealerHand | BetSubject::FirstThree => {
                    return None;
                }
                // A player cannot get more from it by setting for other wagers too.
                BetSubject::SeatSetHands => (
                    self.set_bet_counts(bet).map(|counts| counts.for_it_alone),
                    "to a player who sets his hands for it alone".to_owned(),
                ),
                BetSubject::Showdown => (self.row_counts(bet), self.by_house_way()),
            };
            let returned = counts.and_then(|counts| bet.highest_return_of(&counts));
            self.advantage(format!("bets[{index}].rows"), bet.id.name(), returned, &by_whom)
        };
        bets.filter_map(fault).collect()
    }

    fn by_house_way(&self) -> String {
        format!("under the house way {}", self.house_way.id())
    }

    fn advantage(
        &self,
        path: String,
        name: &str,
        returned: Option<Fraction>,
        by_whom: &str,
    ) -> Option<RulesFault> {
        let message = match returned {
            Some(returned) if returned <= Fraction::ONE => return None,
            Some(returned) => format!(
                "{name} returns up to {} times the stake ({returned}) {by_whom}: more than it takes. \
                 Lower what it pays, or say allow_player_advantage = true if that is meant",
                returned.decimal(6),
            ),
            None => format!("{name} has odds by which its return cannot be computed"),
        };
        Some(RulesFault { path, message })
    }

    /// Returns whether a base wager may return more than it takes under some house way.
    ///
    /// It does not at even money or less. Both sides are set alike, so a pair of hands that wins
    /// loses when the hands change sides. A copy loses on either side.
    fn base_needs_counts(&self) -> bool {
        let base = self.ruleset.base();
        !Odds::EVEN.pays_at_least(base.pays)
            || base.push.is_some()
            || self.ruleset.double_down().is_some()
    }

    /// Returns the base game by a count of all pairs of hands.
    fn counted(&self) -> Option<BaseGame> {
        BaseGame::of(&self.ruleset, &paigow_exact::make_counts(&self.ruleset, &self.house_way)?)
    }

    /// Returns the highest average amount that a base wager of any stake gets back, per unit of it.
    fn highest_base(&self, base: &BaseGame) -> Option<Fraction> {
        let rules = self.ruleset.base();
        let own = base.readings.first()?;
        let pays = Fraction::new(rules.pays.num().into(), rules.pays.den().into())?;
        // The amount that the reading counts a win as, and the most that a win can pay.
        let counted = pays.times(Fraction::ONE.minus(own.commission)?)?;
        let most = rules.most_won()?;
        let pairs = i128::try_from(own.returns.pairs()).ok()?;
        let mut sum = Fraction::ONE;
        for (net, of) in own.returns.results() {
            let net = if net > Fraction::ZERO {
                // Twice as much if it is doubled.
                let times = net.times(Fraction::new(counted.den(), counted.num())?)?;
                times.times(most)?
            } else {
                net
            };
            sum = sum.plus(net.times(Fraction::new(i128::try_from(of).ok()?, pairs)?)?)?;
        }
        Some(sum)
    }
}

/// Returns the base game of a ruleset under two house ways. Returns [`None`] if no counts are
/// compiled in, or if the ruleset exposes the dealer's hand.
///
/// The compiled-in counts are of a player who does not see the dealer's hand. They do not hold for
/// a game that exposes it. Every sheet, answer and metric calls this function.
#[must_use]
pub fn base_game(ruleset: &Ruleset, dealer: &HouseWay, player: &HouseWay) -> Option<BaseGame> {
    if ruleset.exposes_dealer() {
        return None;
    }
    paigow_exact::base_game(ruleset, dealer, player)
}

#[cfg(test)]
mod tests;
