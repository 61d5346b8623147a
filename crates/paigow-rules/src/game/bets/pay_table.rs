//! A bonus bet as its ruleset has it: rows in paying order, limits, rounding.

use std::collections::BTreeMap;
use std::fmt;

use super::{Asked, BetEvidence, BetId, BetSubject, Condition, ShowdownTerm, Term};
use super::{Meter, MeterShare};
use crate::game::fraction::Fraction;
use crate::game::money::{Odds, Rounding};
use crate::hands::JokerUse;

/// The payment of a row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RowPayment {
    /// The stake times the odds. The stake is returned too.
    Odds(Odds),
    /// A share of the meter that the table states. The stake is returned too.
    Meter(MeterShare),
    /// No win: the stake is returned.
    Push,
}

impl RowPayment {
    /// Returns the odds, or [`None`] for a push and for a share of a meter.
    #[must_use]
    pub const fn odds(self) -> Option<Odds> {
        match self {
            Self::Odds(odds) => Some(odds),
            Self::Meter(_) | Self::Push => None,
        }
    }

    /// Returns the share of the meter, or [`None`] for odds and for a push.
    #[must_use]
    pub const fn meter_share(self) -> Option<MeterShare> {
        match self {
            Self::Meter(share) => Some(share),
            Self::Odds(_) | Self::Push => None,
        }
    }

    /// Returns the win per unit staked, before any rounding. It is 0 for a push. For a meter it is
    /// the win while the meter holds its seed.
    ///
    /// Returns [`None`] if the fraction is too large to be held.
    #[must_use]
    pub fn won(self) -> Option<Fraction> {
        match self {
            Self::Odds(odds) => Fraction::new(odds.num().into(), odds.den().into()),
            Self::Meter(share) => Some(share.won_at_seed()),
            Self::Push => Some(Fraction::ZERO),
        }
    }

    /// Returns the amount handed back per unit staked: [`won`](Self::won) and the stake.
    #[must_use]
    pub fn handed_back(self) -> Option<Fraction> {
        self.won()?.plus(Fraction::ONE)
    }

    /// Returns the win of `stake`, in minor units. `meter` is the amount that the table states.
    pub(in crate::game) fn win(self, stake: i64, rounding: Rounding, meter: i64) -> i128 {
        match self {
            Self::Odds(odds) => odds.win(stake, rounding),
            Self::Meter(share) => share.of(meter),
            Self::Push => 0,
        }
    }

    /// Returns the status of a line that is paid so: `won` or `push`.
    #[must_use]
    pub const fn status(self) -> &'static str {
        match self {
            Self::Odds(_) | Self::Meter(_) => "won",
            Self::Push => "push",
        }
    }

    /// Whether this pays at least as much as `other`, whatever a meter holds; a push pays least.
    #[must_use]
    pub fn pays_at_least(self, other: Self) -> bool {
        match (self, other) {
            (Self::Odds(ours), Self::Odds(theirs)) => ours.pays_at_least(theirs),
            (Self::Meter(ours), Self::Meter(theirs)) => ours.share().pays_at_least(theirs.share()),
            // A meter never holds less than its seed, and has no upper bound.
            (Self::Meter(_), Self::Odds(_)) => self.won() >= other.won(),
            (_, Self::Push) => true,
            (Self::Odds(_), Self::Meter(_)) | (Self::Push, Self::Odds(_) | Self::Meter(_)) => false,
        }
    }
}

impl fmt::Display for RowPayment {
    /// Writes it as a ruleset does: `25/1`, `meter:1/10` or `push`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Odds(odds) => odds.fmt(f),
            Self::Meter(share) => write!(f, "meter:{}", share.share()),
            Self::Push => f.write_str("push"),
        }
    }
}

/// One row of a pay table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PayRow {
    /// Its id in answers and records, as `full-house`.
    pub id: String,
    /// The row as the source prints it.
    pub title: String,
    /// The same in other languages, by language tag.
    pub titles: Titles,
    /// The payment of the row.
    pub pays: RowPayment,
    /// The condition under which the row holds.
    pub condition: Condition,
    /// The amount that such a hand wins each qualifying wager of another seat.
    ///
    /// In minor units, at least 1; [`None`] if the hand wins them no amount.
    pub to_others: Option<i64>,
    /// Whether a floor person is called for such a hand before it is paid. This moves no money.
    pub notify_floor: bool,
}

/// A title in languages beside that of the file, by language tag (BCP 47), as `es` or `zh-Hant`.
pub type Titles = BTreeMap<String, String>;

/// The terms on which a wager wins fixed amounts for the hands of other seats.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OtherSeatTerms {
    /// The bet that their lines name, as `envy`; nobody stakes on it.
    pub bet: BetId,
    /// Its name on the layout.
    pub title: String,
    /// The same in other languages, by language tag.
    pub titles: Titles,
    /// The least stake on the bonus bet that qualifies, in minor units, at least 1.
    pub threshold: i64,
}

/// The least and the most that may be staked on a bet, in minor units.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct StakeLimits {
    /// The least stake, at least 1.
    pub minimum: i64,
    /// The largest stake, at most [`MAX_STAKE`](crate::game::MAX_STAKE).
    pub maximum: i64,
}

/// A bonus bet of a ruleset.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BonusBet {
    /// Which bet it is.
    pub id: BetId,
    /// Its name on the layout.
    pub title: String,
    /// The same in other languages, by language tag.
    pub titles: Titles,
    /// The cards that decide it.
    pub looks_at: BetSubject,
    /// The cards that the joker can replace, by the ruleset.
    pub joker: JokerUse,
    /// Its limits.
    pub limits: StakeLimits,
    /// Whether a seat may bet it only beside a base wager.
    pub needs_base: bool,
    /// The rows in paying order; never empty.
    pub rows: Vec<PayRow>,
    /// The rounding of a fraction of a minor unit.
    pub rounding: Rounding,
    /// The terms on which hands of other seats win; [`None`] if they do not win.
    pub to_others: Option<OtherSeatTerms>,
    /// The meter that rows pay shares of; [`None`] if no row does.
    pub meter: Option<Meter>,
}

impl BonusBet {
    /// Returns the payment of the first row, which is the highest.
    pub(in crate::game) fn top_payment(&self) -> RowPayment {
        self.rows.first().expect("a pay table without rows is not loaded").pays
    }

    /// Whether a wager on it names a colour.
    #[must_use]
    pub fn asks_colour(&self) -> bool {
        self.rows.iter().any(|row| row.condition.terms().any(Term::asks_colour))
    }

    /// Returns whether the dealer's hand alone decides it, so that it wins or loses for all seats
    /// alike.
    #[must_use]
    pub fn is_alike_for_all_seats(&self) -> bool {
        let mut terms = self.rows.iter().flat_map(|row| row.condition.terms());
        match self.looks_at {
            BetSubject::DealerHand => true,
            BetSubject::Showdown => {
                terms.all(|term| matches!(term.asked, Asked::Showdown(ShowdownTerm::Dealer(_))))
            }
            BetSubject::SeatHand | BetSubject::FirstThree | BetSubject::SeatSetHands => false,
        }
    }

    /// Returns the first row that holds, which pays the most, or [`None`] if the wager loses.
    #[must_use]
    pub fn judge(&self, evidence: &BetEvidence) -> Option<&PayRow> {
        self.rows.iter().find(|row| row.condition.holds(self.looks_at, evidence))
    }
}
