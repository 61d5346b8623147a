//! Bets on the seat's hands as they are set.

use super::deck::SymmetricDeck;
use super::holders::each_holder;
use super::lookup::ClassLookup;
use super::showdowns::set;
use crate::best::legal_settings;
use paigow_rules::cards::{Card, Suit};
use paigow_rules::game::{Asked, BetSubject, BonusBet, RowCounts, Ruleset, SetHand};
use paigow_rules::hands::{HandClasses, Ranking};
use paigow_rules::house_way::HouseWay;
use std::sync::{LazyLock, Mutex, PoisonError};

/// How many hands each row of a bet on the seat's set hands pays, as the house way and as the
/// player sets them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetBetCounts {
    /// The house way sets every hand.
    pub house_way: RowCounts,
    /// A player sets every hand for this bet alone. No player gets more from it, whatever else he
    /// has staked.
    pub for_it_alone: RowCounts,
}

impl SetBetCounts {
    /// Counts the hands that each row of a bet pays. A process does so once, in about a second.
    ///
    /// Returns [`None`] for a bet that does not look at the seat's set hands alone. Also returns
    /// [`None`] if the way sets another number of cards than the ruleset deals.
    #[must_use]
    pub fn of(bet: &BonusBet, ruleset: &Ruleset, way: &HouseWay) -> Option<Self> {
        type Counted = Vec<((String, Ranking, BonusBet), SetBetCounts)>;
        static COUNTED: LazyLock<Mutex<Counted>> = LazyLock::new(Mutex::default);
        if bet.looks_at != BetSubject::SeatSetHands {
            return None;
        }
        let key = (way.text().to_owned(), ruleset.ranking(), bet.clone());
        let mut counted = COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = counted.iter().find(|(known, _)| *known == key) {
            return Some(known.clone());
        }
        let deck = SymmetricDeck::full();
        let counts = if ruleset.hand_cards() == 6 {
            Self::counted(&deck, HandClasses::<6>::get(), bet, (way, ruleset.ranking()))
        } else {
            Self::counted(&deck, HandClasses::<7>::get(), bet, (way, ruleset.ranking()))
        }?;
        counted.push((key, counts.clone()));
        Some(counts)
    }

    /// Counts the hands of a deck.
    pub(super) fn counted<const N: usize>(
        deck: &SymmetricDeck,
        classes: &'static HandClasses<N>,
        bet: &BonusBet,
        (way, ranking): (&HouseWay, Ranking),
    ) -> Option<Self> {
        // A row by its number from 1; 0 if none holds. The index combines the rows under the house
        // way and at best.
        let rows = bet.rows.len() + 1;
        let number = |row: Option<usize>| row.map_or(0, |row| row + 1);
        let of_class = |cards: [Card; N]| {
            let by_way = number(row_of(bet, set(way, &cards, ranking)?));
            let best = best_row(bet, &cards, ranking);
            u32::try_from(by_way * rows + number(best)).ok()
        };
        let numbers = classes.all().map(|class| of_class(classes.hand(class, Suit::ALL)));
        let lookup = ClassLookup::new(classes, numbers.collect::<Option<_>>()?);
        let mut hands = vec![0_u32; rows * rows];
        each_holder(deck, deck.set_of([0; 4], false), N, &lookup, &mut |spot, more| {
            let sum = &mut hands[spot as usize];
            *sum = sum.wrapping_add(more);
        });
        let sum = |is_in: &dyn Fn(usize, usize) -> bool| -> u64 {
            let all = hands.iter().enumerate();
            let taken = all.filter(|(spot, _)| is_in(spot / rows, spot % rows));
            taken.map(|(_, hands)| u64::from(*hands)).sum()
        };
        let counts = |of: &dyn Fn(usize) -> u64| RowCounts {
            rows: (1..rows).map(of).collect(),
            losing: of(0),
            total: sum(&|_, _| true),
        };
        Some(Self {
            house_way: counts(&|row| sum(&|by_way, _| by_way == row)),
            for_it_alone: counts(&|row| sum(&|_, best| best == row)),
        })
    }
}

/// Returns the row that pays hands as they are set, of a bet on the seat's.
pub(super) fn row_of(bet: &BonusBet, set: SetHand) -> Option<usize> {
    let holds = |asked| matches!(asked, Asked::Set(term) if term.holds(set));
    bet.rows.iter().position(|row| row.condition.holds_by(holds))
}

/// Returns the row of the legal setting that the bet pays most for.
fn best_row<const N: usize>(bet: &BonusBet, cards: &[Card; N], ranking: Ranking) -> Option<usize> {
    let rows = legal_settings(cards, ranking)
        .filter_map(|(_, low, high)| row_of(bet, SetHand { high, low }));
    // Rows are in paying order.
    rows.min()
}
