//! The exact returns of the base game, by how it is played.

use super::grid::{COMPARISONS, Grid};
use super::mark::Mark;
use super::pair_counts::PairCounts;
use super::returns::Returns;
use paigow_rules::game::{BaseOutcome, Comparison, Fraction, Odds, Ruleset};

/// The commission in the readings of games that keep none: 5 %.
const USUAL_COMMISSION: (i64, i64) = (1, 20);

/// The base game of a ruleset with a pair of house ways.
#[derive(Clone, Debug)]
pub struct BaseGame {
    /// The counts that all figures are made from.
    pub counts: PairCounts,
    /// The outcomes under the ruleset: win, push and lose of the base wager, a push on a hand of
    /// the dealer included.
    pub outcomes: Outcomes,
    /// The returns of the wager under each reading. The first reading is the ruleset's own.
    pub readings: Vec<Reading>,
}

/// How many pairs of hands have each outcome, from the player's side.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Outcomes {
    /// The player wins.
    pub win: u128,
    /// Nobody does.
    pub push: u128,
    /// The player loses.
    pub lose: u128,
}

impl Outcomes {
    /// Counts the outcomes of the comparisons of a grid.
    #[must_use]
    pub fn of(grid: &Grid<u128>) -> Self {
        let mut outcomes = Self::default();
        for high in COMPARISONS {
            for low in COMPARISONS {
                *match BaseOutcome::of(high, low) {
                    BaseOutcome::Win => &mut outcomes.win,
                    BaseOutcome::Push => &mut outcomes.push,
                    BaseOutcome::Lose => &mut outcomes.lose,
                } += grid[(high, low)];
            }
        }
        outcomes
    }

    /// Returns how many pairs there are.
    #[must_use]
    pub const fn pairs(&self) -> u128 {
        self.win + self.push + self.lose
    }

    /// Returns the outcomes if all of `pushed`, which are some of these, push.
    const fn with_push(self, pushed: Self) -> Self {
        let (win, lose) = (self.win - pushed.win, self.lose - pushed.lose);
        Self { win, push: self.pairs() - win - lose, lose }
    }
}

/// One way to play the base game, and its returns.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reading {
    /// A stable name: see [`base_game`](super::base_game).
    pub id: &'static str,
    /// Whether the wager is that of the player who banks, and who wins copies.
    pub is_banker: bool,
    /// The share of each win that the house keeps, without rounding.
    pub commission: Fraction,
    /// When the player doubles down; [`None`] if the game has no double down.
    pub doubling: Option<Doubling>,
    /// The share of hands that are doubled on.
    pub doubled: Fraction,
    /// The returns, per unit of the base stake.
    pub returns: Returns,
}

/// When a player doubles down.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Doubling {
    /// On no hand.
    Never,
    /// On every hand.
    Always,
    /// On the hands on which doubling pays, weighed against all cards that are left.
    Optimal,
}

impl BaseGame {
    /// Works out the base game of a ruleset from the counts of a pair of house ways.
    ///
    /// Returns [`None`] if the counts are for other games than the ruleset's: with another rank of
    /// A-2-3-4-5, or with other hands marked. Also returns [`None`] if a figure does not fit a
    /// fraction.
    #[must_use]
    pub fn of(ruleset: &Ruleset, counts: &PairCounts) -> Option<Self> {
        if counts.ranking != ruleset.ranking() || Mark::of(ruleset).as_ref() != Ok(&counts.mark) {
            return None;
        }
        let worked = SharedTerms {
            counts,
            pays: ruleset.base().pays,
            all: Outcomes::of(&counts.grids.all),
            marked: Outcomes::of(&counts.grids.marked),
        };
        let outcomes = match ruleset.base().push {
            Some(_) => worked.all.with_push(worked.marked),
            None => worked.all,
        };
        let readings = if ruleset.double_down().is_some() {
            worked.doubled_readings(ruleset)?
        } else {
            worked.readings(ruleset, outcomes)?
        };
        Some(Self { counts: counts.clone(), outcomes, readings })
    }

    /// Returns how many pairs of hands compare so: high hand, low hand.
    #[must_use]
    pub fn compared(&self, high: Comparison, low: Comparison) -> u128 {
        self.counts.grids.all[(high, low)]
    }

    /// Returns the reading of a name, if there is one.
    #[must_use]
    pub fn reading(&self, id: &str) -> Option<&Reading> {
        self.readings.iter().find(|reading| reading.id == id)
    }
}

fn rate(odds: Odds) -> Option<Fraction> {
    Fraction::new(odds.num().into(), odds.den().into())
}

/// Returns the share of a win of the base wager that the house keeps.
fn own_commission(ruleset: &Ruleset) -> Option<Fraction> {
    ruleset.base().commission.map_or(Some(Fraction::ZERO), |commission| rate(commission.rate))
}

fn usual_commission() -> Option<Fraction> {
    Fraction::new(USUAL_COMMISSION.0.into(), USUAL_COMMISSION.1.into())
}

/// The terms that the readings of one ruleset share.
struct SharedTerms<'a> {
    counts: &'a PairCounts,
    pays: Odds,
    /// Without a push on a hand of the dealer.
    all: Outcomes,
    marked: Outcomes,
}

/// The pairs that win and lose at twice the stake, among all.
#[derive(Clone, Copy, Debug, Default)]
struct DoubledPairs {
    won: u128,
    lost: u128,
}

impl SharedTerms<'_> {
    fn readings(&self, ruleset: &Ruleset, outcomes: Outcomes) -> Option<Vec<Reading>> {
        let own = own_commission(ruleset)?;
        let usual = usual_commission()?;
        let pushed = self.all.with_push(self.marked);
        let player = |id, outcomes, commission| {
            self.reading(id, false, outcomes, commission, DoubledPairs::default())
        };
        let bank =
            |id, commission| self.reading(id, true, self.all, commission, DoubledPairs::default());
        Some(vec![
            player("as-played", outcomes, own)?,
            player("no-commission", self.all, Fraction::ZERO)?,
            player("commission", self.all, usual)?,
            player("push", pushed, Fraction::ZERO)?,
            bank("banker", Fraction::ZERO)?,
            bank("banker-commission", usual)?,
        ])
    }

    fn doubled_readings(&self, ruleset: &Ruleset) -> Option<Vec<Reading>> {
        let own = own_commission(ruleset)?;
        let mut all = vec![(["as-played", "never-doubled", "always-doubled"], false, own)];
        if let Some(terms) = ruleset.banking() {
            let rate = rate(terms.commission.rate)?;
            let seat = ["banked", "banked-never-doubled", "banked-always-doubled"];
            let bank = ["banker", "banker-never-doubled", "banker-always-doubled"];
            all.extend([(seat, false, rate), (bank, true, rate)]);
        }
        let mut readings = Vec::new();
        for (ids, is_banker, commission) in all {
            let doubling = [Doubling::Optimal, Doubling::Never, Doubling::Always];
            let is_counted = self.counts.doubled.iter().any(|best| best.commission == commission);
            for (id, doubling) in ids.into_iter().zip(doubling) {
                // The ruleset's own reading is never skipped: if it is not counted, there are no
                // readings at all.
                if doubling == Doubling::Optimal && !is_counted && id != "as-played" {
                    continue;
                }
                readings.push(self.doubled(id, doubling, is_banker, commission)?);
            }
        }
        Some(readings)
    }

    /// Returns the reading with a double down. It is against the dealer or a player who banks, or
    /// of the player who banks against such a seat.
    fn doubled(
        &self,
        id: &'static str,
        doubling: Doubling,
        is_banker: bool,
        commission: Fraction,
    ) -> Option<Reading> {
        let hands = self.hands()?;
        let (doubled, twice) = match doubling {
            Doubling::Never => (0, DoubledPairs::default()),
            Doubling::Always => {
                (hands, DoubledPairs { won: self.marked.win, lost: self.marked.lose })
            }
            Doubling::Optimal => {
                let best = self.counts.doubled.iter().find(|best| best.commission == commission)?;
                (best.hands, DoubledPairs { won: best.won, lost: best.lost })
            }
        };
        let reading = self.reading(id, is_banker, self.all, commission, twice)?;
        let doubled = Fraction::new(doubled.into(), hands.into())?;
        Some(Reading { doubling: Some(doubling), doubled, ..reading })
    }

    /// Returns how many hands a player may hold.
    fn hands(&self) -> Option<u64> {
        // Each plays against every hand of the 47 cards that are left.
        let left = (42..=47).product::<u128>() / 720;
        u64::try_from(self.all.pairs() / left).ok()
    }

    fn reading(
        &self,
        id: &'static str,
        is_banker: bool,
        outcomes: Outcomes,
        commission: Fraction,
        twice: DoubledPairs,
    ) -> Option<Reading> {
        let pays = rate(self.pays)?;
        let kept = Fraction::ONE.minus(commission)?;
        // The amounts of a win and of a loss, for the owner of the wager. A push moves no money.
        let (win, lose) = if is_banker {
            (Fraction::ZERO.minus(pays)?, kept)
        } else {
            (pays.times(kept)?, Fraction::from(-1))
        };
        let unit = win.den().checked_mul(lose.den())?;
        let (win, lose) = (win.num() * (unit / win.den()), lose.num() * (unit / lose.den()));
        let results = [
            (win, outcomes.win - twice.won),
            (2 * win, twice.won),
            (0, outcomes.push),
            (lose, outcomes.lose - twice.lost),
            (2 * lose, twice.lost),
        ];
        Some(Reading {
            id,
            is_banker,
            commission,
            doubling: None,
            doubled: Fraction::ZERO,
            returns: Returns::new(results, unit, outcomes.pairs())?,
        })
    }
}
