//! The results of best play, and the cost of a house way against it.

use super::{BestPlayPart, BestPlayTerms, Count, Sight};
use crate::returns::Returns;
use paigow_rules::game::Fraction;
use std::cmp::Reverse;
use std::ops::AddAssign;

/// How many pairs of hands a way to play wins and loses.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Played {
    /// The player's hands.
    pub hands: u64,
    /// The pairs that win.
    pub won: u128,
    /// The pairs that lose.
    pub lost: u128,
    /// The player's hands that are doubled on.
    pub doubled: u64,
    /// The pairs of those hands that win twice.
    pub doubled_won: u128,
    /// The pairs of those hands that lose twice.
    pub doubled_lost: u128,
}

impl AddAssign for Played {
    fn add_assign(&mut self, other: Self) {
        self.hands += other.hands;
        self.won += other.won;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.doubled_won += other.doubled_won;
        self.doubled_lost += other.doubled_lost;
    }
}

/// The hands that a clause of the house way sets otherwise than best play.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ClauseDifference {
    /// The id of the clause.
    pub clause: String,
    /// How many hands the clause sets.
    pub hands: u64,
    /// The result of the hands that differ, as the way sets them.
    pub way: Played,
    /// The result of the same hands, as best play sets them.
    pub best: Played,
}

/// The counts of best play.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BestPlay {
    /// The terms of the base game that they are of.
    pub terms: BestPlayTerms,
    /// How many pairs of hands there are.
    pub pairs: u128,
    /// The result if every hand is set as it is worth most.
    pub best: Played,
    /// The result if the house way sets every hand; [`None`] if the player sees the dealer's hand.
    pub way: Option<Played>,
    /// The hands on which both differ, by clause, in the order in which the clauses set a hand.
    pub differences: Vec<ClauseDifference>,
}

impl BestPlay {
    /// Returns the returns of a wager that is played so, or [`None`] if a figure overflows.
    #[must_use]
    pub fn returns(&self, played: &Played) -> Option<Returns> {
        let (win, unit) = (self.terms.pays.num(), self.terms.pays.den());
        let once = |all: u128, twice: u128| all.checked_sub(twice);
        let results = [
            (win, once(played.won, played.doubled_won)?),
            (2 * win, played.doubled_won),
            (0, self.pairs.checked_sub(played.won)?.checked_sub(played.lost)?),
            (-unit, once(played.lost, played.doubled_lost)?),
            (-2 * unit, played.doubled_lost),
        ];
        Returns::new(results, unit, self.pairs)
    }

    /// Returns the cost of the house way on the hands of a difference, per unit of the stake on
    /// average over all hands. Returns [`None`] if a figure overflows.
    #[must_use]
    pub fn cost(&self, difference: &ClauseDifference) -> Option<Fraction> {
        let net = |played: &Played| {
            let signed = |count: u128| i128::try_from(count).ok();
            let won =
                signed(played.won + played.doubled_won)?.checked_mul(self.terms.pays.num())?;
            won.checked_sub(
                signed(played.lost + played.doubled_lost)?.checked_mul(self.terms.pays.den())?,
            )
        };
        let all = i128::try_from(self.pairs).ok()?.checked_mul(self.terms.pays.den())?;
        Fraction::new(net(&difference.best)?.checked_sub(net(&difference.way)?)?, all)
    }
}

/// The wins and losses of one setting of a hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighed {
    pub(super) won: i64,
    lost: i64,
    doubled: Option<(i64, i64)>,
}

impl<const N: usize> Count<N> {
    /// Reads the sums of a setting. Doubles as `doubles` says, or if doubling pays.
    pub(super) fn weighed(&self, sums: &[i32], doubles: Option<bool>) -> Weighed {
        let at = |place: usize| sums.get(place).map_or(0, |sum| i64::from(*sum));
        let doubled = (at(2), at(3));
        let is_worth_it = || self.terms.worth(doubled.0, doubled.1) > 0;
        let doubles = self.terms.doubles() && doubles.unwrap_or_else(is_worth_it);
        Weighed { won: at(0), lost: at(1), doubled: doubles.then_some(doubled) }
    }

    /// Calls `visit` for every hand up to a renaming of suits. The arguments are the place of its
    /// class, how many hands it stands for, and the sums of all its settings.
    pub(super) fn each_hand(&self, sum: &BestPlayPart, mut visit: impl FnMut(usize, u64, &[i32])) {
        let mut whole = Vec::new();
        for (place, class) in self.player.classes.iter().enumerate() {
            let itself = self.against_itself(class);
            let hands = &self.player.hands[class.first..][..class.len];
            let sums =
                sum.0[class.first_sum..][..class.len * class.width].chunks_exact(class.width);
            for ((_, hands), sums) in hands.iter().zip(sums) {
                whole.clear();
                whole.extend(sums.iter().zip(&itself).map(|(sum, more)| sum.wrapping_add(*more)));
                visit(place, u64::from(*hands), &whole);
            }
        }
    }

    /// Returns the result of each of the strategies, from the sum of all parts.
    pub(super) fn strategies(&self, sum: &BestPlayPart) -> Vec<Played> {
        let strategies = self.player.classes.first().map_or(0, |_| self.player.choices_of(0).len());
        let mut played = vec![Played::default(); strategies];
        let each = self.terms.sums();
        self.each_hand(sum, |class, hands, sums| {
            for (played, choice) in played.iter_mut().zip(self.player.choices_of(class)) {
                let of_setting = &sums[choice.setting * each..][..each];
                *played += self.weighed(of_setting, choice.doubles).tally(hands);
            }
        });
        played
    }

    pub(super) fn worth_of(&self, weighed: &Weighed) -> i128 {
        let doubled = weighed.doubled.map_or(0, |(won, lost)| self.terms.worth(won, lost));
        self.terms.worth(weighed.won, weighed.lost) + doubled
    }

    /// Returns the key that settings are chosen by. Of settings of equal worth, the one that wins
    /// least moves the least money.
    fn merit(&self, weighed: &Weighed) -> (i128, Reverse<i64>) {
        let doubled = weighed.doubled.map_or(0, |(won, _)| won);
        (self.worth_of(weighed), Reverse(weighed.won + doubled))
    }

    /// Returns the counts from the sum of all parts.
    pub(super) fn finish(&self, sum: &BestPlayPart) -> BestPlay {
        let mut best = Played::default();
        let mut way = Played::default();
        let none = |clause: &String| ClauseDifference {
            clause: clause.clone(),
            hands: 0,
            way: Played::default(),
            best: Played::default(),
        };
        let mut differences: Vec<ClauseDifference> = self.player.clauses.iter().map(none).collect();
        let each = self.terms.sums();
        self.each_hand(sum, |class, hands, sums| {
            let settings: Vec<Weighed> =
                sums.chunks_exact(each).map(|sums| self.weighed(sums, None)).collect();
            let tally = |weighed: &Weighed| weighed.tally(hands);
            if self.terms.sight == Sight::BothHands {
                settings.iter().for_each(|weighed| best += tally(weighed));
                return;
            }
            let class = &self.player.classes[class];
            let of_way = settings[class.of_way];
            let best_of = settings.iter().max_by_key(|weighed| self.merit(weighed));
            let chosen = best_of.copied().unwrap_or(of_way);
            best += tally(&chosen);
            way += tally(&of_way);
            let difference = &mut differences[class.clause];
            difference.hands += hands;
            if self.worth_of(&chosen) > self.worth_of(&of_way) {
                difference.way += tally(&of_way);
                difference.best += tally(&chosen);
            }
        });
        differences.retain(|difference| difference.best.hands > 0);
        let pairs = u128::from(best.hands) * choose(self.deck.len() - N, N);
        let way = (self.terms.sight == Sight::OwnCards).then_some(way);
        BestPlay { terms: self.terms.clone(), pairs, best, way, differences }
    }
}

impl Weighed {
    /// Returns the result of that many such hands.
    pub(super) fn tally(&self, hands: u64) -> Played {
        // These are counts of hands, because all parts are summed.
        let pairs = |count: i64| u128::from(hands) * u128::from(count.unsigned_abs());
        let (doubled_won, doubled_lost) = self.doubled.unwrap_or_default();
        Played {
            hands,
            won: pairs(self.won),
            lost: pairs(self.lost),
            doubled: if self.doubled.is_some() { hands } else { 0 },
            doubled_won: pairs(doubled_won),
            doubled_lost: pairs(doubled_lost),
        }
    }
}

pub(super) fn choose(all: usize, taken: usize) -> u128 {
    (0..taken as u128).fold(1, |ways, place| ways * (all as u128 - place) / (place + 1))
}
