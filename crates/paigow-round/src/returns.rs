//! What the bets of a game return, and that none returns more than it takes.

use super::ListedGame;
use paigow_exact::{self, BaseGame, BestPlay, BestPlayTerms, Mark, Returns, ShowdownCounts};
use paigow_rules::game::{BetId, BetSubject, BonusBet, Fraction, Odds, RowCounts, Ruleset};
use paigow_rules::house_way::{HouseWay, RulesFault};

/// Why no return of a bet on two hands is told.
const UNCOUNTED_LOW_HANDS: &str = "asks more of the low hands than is counted: how they compare, and \
    whether one of the two is a pair of threes or higher, low_pair:3 or dealer_low_pair:3 with the same \
    other terms. Change its terms, or say allow_player_advantage = true if that is meant: it then has \
    no exact return";

impl ListedGame {
    /// Returns what a wager on `bet` is handed back on average per unit staked, stake
    /// included, what hands of other seats pay not included and before any rounding.
    ///
    /// Of the base wager and of bets on both hands it is that of the house way on both
    /// sides; with a double down, per unit of the base stake, doubled on the hands on which
    /// it pays. Returns nothing for a bet that the ruleset does not have or that has no
    /// wager of its own, and for bets on both hands if the pairs of hands under this house
    /// way and these rules are not among the counts that are compiled in.
    #[must_use]
    pub fn exact_return(&self, bet: BetId) -> Option<Fraction> {
        match self.of_one_hand(bet) {
            Some(bonus) => bonus.exact_return(self.ruleset.hand_cards()),
            None => Fraction::ONE.minus(self.two_hands(bet)?.edge()?),
        }
    }

    /// Returns the variance of what [`Self::exact_return`] is the average of, per unit
    /// staked squared; nothing where that says nothing.
    #[must_use]
    pub fn exact_variance(&self, bet: BetId) -> Option<Fraction> {
        match self.of_one_hand(bet) {
            Some(bonus) => bonus.exact_variance(self.ruleset.hand_cards()),
            None => self.two_hands(bet)?.variance(),
        }
    }

    /// Returns a bonus bet that one hand decides.
    fn of_one_hand(&self, bet: BetId) -> Option<&BonusBet> {
        self.ruleset.bonus_bet(bet).filter(|bonus| bonus.looks_at != BetSubject::Showdown)
    }

    /// Returns what a bet on two hands comes to, the house way on both sides.
    fn two_hands(&self, bet: BetId) -> Option<Returns> {
        if bet == BetId::BASE {
            return Some(self.base_game()?.readings.first()?.returns.clone());
        }
        let bonus = self.ruleset.bonus_bet(bet)?;
        ShowdownCounts::of(bonus, &self.pairs_of_hands()?.counts)?.returns(bonus)
    }

    /// Returns the base game, the house way on both sides; [`None`] where it is not counted, as
    /// where the player sees the dealer's hand (see [`base_game`]).
    #[must_use]
    pub fn base_game(&self) -> Option<BaseGame> {
        base_game(&self.ruleset, &self.house_way, &self.house_way)
    }

    /// Returns the counts of all pairs of hands, the house way on both sides.
    ///
    /// Bets on both hands need them whatever the player sees: the house way sets both.
    fn pairs_of_hands(&self) -> Option<BaseGame> {
        paigow_exact::base_game(&self.ruleset, &self.house_way, &self.house_way)
    }

    /// Returns what the base wager returns to a player who sets every hand, and doubles down, as it
    /// is worth most; nothing where that is not counted.
    #[must_use]
    pub fn best_play(&self) -> Option<&BestPlay> {
        let terms = BestPlayTerms::of(&self.ruleset)?;
        self.known_best_plays().find(|play| play.terms == terms)
    }

    /// Returns the house edge of the base wager by best play, commission unrounded; nothing where it
    /// is not counted.
    #[must_use]
    pub fn best_play_edge(&self) -> Option<Fraction> {
        let play = self.best_play()?;
        play.returns(&play.best)?.edge()
    }

    /// Returns what the base wager is handed back on average by best play, per unit of the base stake,
    /// stake included and commission unrounded; [`None`] where it is not counted.
    #[must_use]
    pub fn best_play_return(&self) -> Option<Fraction> {
        Fraction::ONE.minus(self.best_play_edge()?)
    }

    /// Returns the counts of best play against the house way, on whatever terms.
    fn known_best_plays(&self) -> impl Iterator<Item = &BestPlay> {
        let compiled_in: Vec<&BestPlay> = paigow_exact::best_plays(&self.house_way).collect();
        self.best_plays.iter().chain(compiled_in)
    }

    /// Returns the most that a base wager is handed back on average by best play, per unit of it; nothing
    /// where that is not counted. What rounding adds to a win is in it where a count of such a win
    /// is known.
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

    /// Returns the counts of the rows of a bet on both hands, nothing for another bet or
    /// where they are not counted.
    #[must_use]
    pub fn showdown_counts(&self, bet: &BonusBet) -> Option<RowCounts> {
        showdown_counts(bet, &self.pairs_of_hands()?)
    }

    /// Returns every bet on two hands that returns more than it takes at some stake, unless
    /// the ruleset allows it. Where no counts are compiled in and any may be, the pairs of
    /// hands are counted here, in seconds; a ruleset of which they cannot be is faulty for
    /// that. The base game of a ruleset that exposes the dealer's hand is judged by best play alone.
    pub(super) fn advantages(&self) -> Vec<RulesFault> {
        if self.ruleset.allows_player_advantage() {
            return Vec::new();
        }
        if let Some(fault) = self.advantage_by_best_play() {
            return vec![fault];
        }
        if self.ruleset.exposes_dealer() {
            let mut faults = self.uncounted_odds();
            if faults.is_empty() && self.needs_counts() {
                faults = self.counted_advantages();
            }
            return faults;
        }
        self.counted_advantages()
    }

    /// Says that the base wager returns more than it takes by best play, if it does.
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

    /// Refuses odds above even money against a hand that the player sees: what they return is not
    /// counted. At even money or less nothing is judged.
    fn uncounted_odds(&self) -> Vec<RulesFault> {
        if self.best_play().is_some() || Odds::EVEN.pays_at_least(self.ruleset.base().pays) {
            return Vec::new();
        }
        let message = "not counted: what the base wager returns to a player who sees the dealer's \
                       hand. Pay at most 1/1, or say allow_player_advantage = true if it is meant";
        vec![RulesFault { path: "base.pays".to_owned(), message: message.to_owned() }]
    }

    /// The same by the counts of all pairs of hands.
    fn counted_advantages(&self) -> Vec<RulesFault> {
        if let Err(RulesFault { path, message }) = Mark::of(&self.ruleset) {
            let message = format!(
                "{message}, so that nobody knows what the base wager returns: change it, or say \
                 allow_player_advantage = true if it is meant"
            );
            return vec![RulesFault { path, message }];
        }
        if !self.needs_counts() {
            return Vec::new();
        }
        let Some(base) = self.pairs_of_hands().or_else(|| self.counted()) else {
            let message = "has odds or a commission by which its return cannot be told".to_owned();
            return vec![RulesFault { path: "base.pays".to_owned(), message }];
        };
        let (mut faults, mut uncounted) = (Vec::new(), Vec::new());
        let mut judge = |path: String, name: &str, returned: Option<Fraction>| {
            let message = match returned {
                Some(returned) if returned <= Fraction::ONE => return,
                Some(returned) => format!(
                    "{name} returns up to {} times the stake ({returned}) under the house way {}: \
                     more than it takes. Lower what it pays, or say allow_player_advantage = \
                     true if that is meant",
                    returned.decimal(6),
                    self.house_way.id(),
                ),
                None => format!("{name} has odds by which its return cannot be told"),
            };
            faults.push(RulesFault { path, message });
        };
        // Not counted against a player who sees the dealer's hand: nothing is judged then.
        if !self.ruleset.exposes_dealer() {
            judge("base.pays".to_owned(), BetId::BASE.name(), self.highest_base(&base));
        }
        for (index, bet) in self.ruleset.bonus_bets().iter().enumerate() {
            if bet.looks_at == BetSubject::Showdown {
                let path = format!("bets[{index}].rows");
                match showdown_counts(bet, &base) {
                    Some(counts) => {
                        judge(path, bet.id.name(), bet.highest_return_of(&counts));
                    }
                    None => uncounted.push(RulesFault {
                        path,
                        message: format!("{} {UNCOUNTED_LOW_HANDS}", bet.id.name()),
                    }),
                }
            }
        }
        faults.append(&mut uncounted);
        faults
    }

    /// Whether a bet on two hands may return more than it takes under some house way.
    ///
    /// A base wager alone does not at even money or less: a pair of hands that wins loses
    /// when the hands change sides, both being set alike, and a copy loses on either side.
    fn needs_counts(&self) -> bool {
        let base = self.ruleset.base();
        if self.ruleset.exposes_dealer() {
            return self
                .ruleset
                .bonus_bets()
                .iter()
                .any(|bet| bet.looks_at == BetSubject::Showdown);
        }
        !Odds::EVEN.pays_at_least(base.pays)
            || base.push.is_some()
            || self.ruleset.double_down().is_some()
            || self.ruleset.bonus_bets().iter().any(|bet| bet.looks_at == BetSubject::Showdown)
    }

    /// Returns the base game by a count of all pairs of hands.
    fn counted(&self) -> Option<BaseGame> {
        BaseGame::of(&self.ruleset, &paigow_exact::make_counts(&self.ruleset, &self.house_way)?)
    }

    /// Returns the most that a base wager of any stake is handed back on average, per unit
    /// of it.
    fn highest_base(&self, base: &BaseGame) -> Option<Fraction> {
        let rules = self.ruleset.base();
        let own = base.readings.first()?;
        let pays = Fraction::new(rules.pays.num().into(), rules.pays.den().into())?;
        // What the reading counts a win as, and what it can come to.
        let counted = pays.times(Fraction::ONE.minus(own.commission)?)?;
        let most = rules.most_won()?;
        let pairs = i128::try_from(own.returns.pairs()).ok()?;
        let mut sum = Fraction::ONE;
        for (net, of) in own.returns.results() {
            let net = if net > Fraction::ZERO {
                // Twice as much where it is doubled.
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

/// Returns the base game of a ruleset under two house ways; [`None`] where no counts are compiled
/// in, or where the ruleset exposes the dealer's hand.
///
/// The counts that are compiled in are of a player who sets his hand without seeing the dealer's.
/// They are not those of a game that exposes it. Every sheet, answer and metric asks here.
#[must_use]
pub fn base_game(ruleset: &Ruleset, dealer: &HouseWay, player: &HouseWay) -> Option<BaseGame> {
    if ruleset.exposes_dealer() {
        return None;
    }
    paigow_exact::base_game(ruleset, dealer, player)
}

/// Returns the counts of the rows of a bet on both hands.
fn showdown_counts(bet: &BonusBet, base: &BaseGame) -> Option<RowCounts> {
    ShowdownCounts::of(bet, &base.counts)?.to_counts()
}

#[cfg(test)]
mod tests;
