//! Bets on how the seat's hand and the dealer's compare, if the house way sets both: Wrangler Push.

use super::cells;
use super::deck::SymmetricDeck;
use super::grid::COMPARISONS;
use super::pair_counts::PairCounts;
use super::returns::Returns;
use super::stored::counts_of;
use paigow_rules::cards::Rank;
use paigow_rules::game::{
    Asked, BetSubject, BonusBet, Comparison, Fraction, RowCounts, Ruleset, SetHand, SetTerm,
    Showdown, ShowdownTerm,
};
use paigow_rules::hands::{HandClasses, Ranking};
use paigow_rules::house_way::HouseWay;
use std::sync::{LazyLock, Mutex, PoisonError};

/// How many pairs of hands each row of such a bet pays.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ShowdownCounts {
    /// For each row, how many pairs it pays: those of which it is the first to hold.
    pub rows: Vec<u128>,
    /// How many pairs lose.
    pub losing: u128,
    /// How many pairs there are: the sum of the others.
    pub total: u128,
}

/// Returns the row that pays all pairs of hands that compare so.
///
/// `has_pair` is whether either low hand is a pair of threes or higher. The bet tests nothing else
/// of one hand alone: [`asks_for_threes_alone`]. Returns [`None`] if one row does not pay all of
/// the pairs.
fn alike(
    bet: &BonusBet,
    high: Comparison,
    low: Comparison,
    has_pair: bool,
) -> Option<Option<usize>> {
    let mut paid = None;
    for (seat, dealer) in [(false, false), (false, true), (true, false), (true, true)] {
        // A pair is higher than no pair.
        let is_impossible = match low {
            Comparison::Win => dealer && !seat,
            Comparison::Copy => seat != dealer,
            Comparison::Lose => seat && !dealer,
        };
        if (seat || dealer) != has_pair || is_impossible {
            continue;
        }
        let holds = |asked| match asked {
            Asked::Showdown(ShowdownTerm::Seat(_)) => seat,
            Asked::Showdown(ShowdownTerm::Dealer(_)) => dealer,
            Asked::Showdown(term) => term.compares(high, low),
            Asked::Cards(_) | Asked::Set(_) => false,
        };
        let row = bet.rows.iter().position(|row| row.condition.holds_by(holds));
        if *paid.get_or_insert(row) != row {
            return None;
        }
    }
    paid
}

/// Returns whether the bet tests nothing of one of the hands alone except whether its low hand is a
/// pair of threes or higher.
fn asks_for_threes_alone(bet: &BonusBet) -> bool {
    let threes = SetTerm::LowPair(Rank::Three);
    let mut terms = bet.rows.iter().flat_map(|row| row.condition.terms());
    terms.all(|term| match term.asked {
        Asked::Showdown(ShowdownTerm::Seat(term) | ShowdownTerm::Dealer(term)) => term == threes,
        Asked::Showdown(_) => true,
        Asked::Cards(_) | Asked::Set(_) => false,
    })
}

impl ShowdownCounts {
    /// Counts the pairs that each row of `bet` pays, if `way` sets both hands.
    ///
    /// Takes compiled-in counts if there are any. Otherwise counts all pairs of hands once in a
    /// process, which takes seconds or more.
    ///
    /// Returns [`None`] for a bet that does not look at the showdown. Also returns [`None`] if the
    /// way sets another number of cards than the ruleset deals.
    #[must_use]
    pub fn made(bet: &BonusBet, ruleset: &Ruleset, way: &HouseWay) -> Option<Self> {
        type Made = Vec<((String, Ranking, BonusBet), ShowdownCounts)>;
        static MADE: LazyLock<Mutex<Made>> = LazyLock::new(Mutex::default);
        if bet.looks_at != BetSubject::Showdown {
            return None;
        }
        let stored = counts_of(ruleset, way, way).and_then(|counts| Self::of(bet, counts));
        if stored.is_some() {
            return stored;
        }
        let key = (way.text().to_owned(), ruleset.ranking(), bet.clone());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = made.iter().find(|(known, _)| *known == key) {
            return Some(known.clone());
        }
        let deck = SymmetricDeck::full();
        let counts = if ruleset.hand_cards() == 6 {
            Self::counted(&deck, HandClasses::<6>::get(), bet, (way, ruleset.ranking()))
        } else {
            Self::counted(&deck, HandClasses::<7>::get(), bet, (way, ruleset.ranking()))
        }?;
        made.push((key, counts.clone()));
        Some(counts)
    }

    /// Counts all pairs of hands of a deck that each row pays, by the facts that the terms
    /// distinguish.
    pub(super) fn counted<const N: usize>(
        deck: &SymmetricDeck,
        classes: &'static HandClasses<N>,
        bet: &BonusBet,
        way: (&HouseWay, Ranking),
    ) -> Option<Self> {
        let terms = |of: fn(ShowdownTerm) -> Option<SetTerm>| -> Vec<SetTerm> {
            let asked = bet.rows.iter().flat_map(|row| row.condition.terms());
            asked
                .filter_map(|term| match term.asked {
                    Asked::Showdown(term) => of(term),
                    Asked::Cards(_) | Asked::Set(_) => None,
                })
                .collect()
        };
        let met = |terms: Vec<SetTerm>| {
            move |set: SetHand| -> Vec<bool> { terms.iter().map(|term| term.holds(set)).collect() }
        };
        let seat = met(terms(ShowdownTerm::of_seat));
        let dealer = met(terms(ShowdownTerm::of_dealer));
        let cells = cells::count(deck, classes, way, seat, dealer)?;
        let mut rows = vec![0; bet.rows.len()];
        let (mut losing, mut total) = (0, 0);
        let both = cells
            .seat
            .iter()
            .flat_map(|seat| cells.dealer.iter().map(move |dealer| (seat, dealer)));
        for ((seat, dealer), grid) in both.zip(&cells.grids) {
            for high in COMPARISONS {
                for low in COMPARISONS {
                    let pairs = u128::try_from(grid[(high, low)]).ok()?;
                    let showdown = Showdown { high, low, seat: *seat, dealer: *dealer };
                    let holds =
                        |asked| matches!(asked, Asked::Showdown(term) if term.holds(&showdown));
                    let row = bet.rows.iter().position(|row| row.condition.holds_by(holds));
                    *row.map_or(&mut losing, |row| &mut rows[row]) += pairs;
                    total += pairs;
                }
            }
        }
        Some(Self { rows, losing, total })
    }

    /// Counts the pairs that each row of `bet` pays. The counts are of the house way against
    /// itself.
    ///
    /// Returns [`None`] for a bet that does not look at the showdown. Also for one that tests more
    /// of one hand alone than whether its low hand is a pair of threes or higher.
    #[must_use]
    pub fn of(bet: &BonusBet, counts: &PairCounts) -> Option<Self> {
        let is_counted = bet.looks_at == BetSubject::Showdown && asks_for_threes_alone(bet);
        if !is_counted || counts.player != counts.dealer {
            return None;
        }
        let mut rows = vec![0; bet.rows.len()];
        let mut losing = 0;
        for high in COMPARISONS {
            for low in COMPARISONS {
                let aside = counts.grids.low_pairs_aside[(high, low)];
                let with_pair = counts.grids.all[(high, low)] - aside;
                for (has_pair, pairs) in [(true, with_pair), (false, aside)] {
                    let row = alike(bet, high, low, has_pair)?;
                    *row.map_or(&mut losing, |row| &mut rows[row]) += pairs;
                }
            }
        }
        Some(Self { rows, losing, total: counts.pairs() })
    }

    /// Returns the counts in the form of a bet on one hand, or [`None`] if they overflow.
    #[must_use]
    pub fn to_counts(&self) -> Option<RowCounts> {
        let pairs = |pairs: &u128| u64::try_from(*pairs).ok();
        Some(RowCounts {
            rows: self.rows.iter().map(pairs).collect::<Option<_>>()?,
            losing: pairs(&self.losing)?,
            total: pairs(&self.total)?,
        })
    }

    /// Returns the results of the bet, per unit staked and before any rounding.
    #[must_use]
    pub fn returns(&self, bet: &BonusBet) -> Option<Returns> {
        let nets = bet.rows.iter().map(|row| row.pays.won()).collect::<Option<Vec<Fraction>>>()?;
        let unit = nets.iter().try_fold(1_i128, |unit, net| unit.checked_mul(net.den()))?;
        let won =
            nets.iter().map(|net| net.num() * (unit / net.den())).zip(self.rows.iter().copied());
        Returns::new(won.chain([(-unit, self.losing)]), unit, self.total)
    }
}
