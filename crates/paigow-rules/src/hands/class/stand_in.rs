//! A hand for each class, and how many hands it stands for.

use super::key::JOKER_BIT;
use super::shapes::{self, CountsByRank};
use super::{HandClass, HandClasses};
use crate::cards::{Card, Rank, Suit};

/// The facts about the cards of its hands that a class decides.
struct StandInRanks {
    counts: CountsByRank,
    joker: bool,
    /// The ranks held of the suit of the flush, if there is one.
    suited: Option<u16>,
}

impl<const N: usize> HandClasses<N> {
    fn ranks(&self, class: HandClass) -> StandInRanks {
        let HandClass(number) = class;
        if class.index() < self.rank_shapes() {
            let place = self.shapes.lower.partition_point(|(first, ..)| *first <= number) - 1;
            let (first, lower, joker) = self.shapes.lower[place];
            let left = N - usize::from(shapes::cards(&lower)) - usize::from(joker);
            let higher = self.shapes.higher[left][(number - first) as usize];
            StandInRanks { counts: shapes::plus(lower, higher), joker, suited: None }
        } else {
            let place = self.shapes.suited.partition_point(|(first, _)| *first <= number) - 1;
            let (first, held) = self.shapes.suited[place];
            let left = N - held.count_ones() as usize;
            let others = self.shapes.others[left][(number - first) as usize];
            let ranks = held & !JOKER_BIT;
            StandInRanks {
                counts: shapes::plus(shapes::of_set(ranks), others),
                joker: held != ranks,
                suited: Some(ranks),
            }
        }
    }

    /// Returns a hand of the class. The flush has the first of the suits, and the others the next
    /// ones. The cards are in no order.
    ///
    /// # Panics
    ///
    /// For a class of another table that this table does not have.
    #[must_use]
    pub fn hand(&self, class: HandClass, suits: [Suit; 4]) -> [Card; N] {
        let StandInRanks { counts, joker, suited } = self.ranks(class);
        // How many cards of each suit there are; those of the flush are dealt out first.
        let mut held = [0_u32; 4];
        if let Some(ranks) = suited {
            // No other card may have its suit.
            held[0] = 13 + ranks.count_ones();
        }
        let mut cards = [Card::JOKER; N];
        let mut places = cards.iter_mut().skip(usize::from(joker));
        for (rank, count) in Rank::ALL.into_iter().zip(counts) {
            let mut left = count;
            let mut used = [false; 4];
            if suited.is_some_and(|ranks| ranks >> rank.index() & 1 == 1) {
                used[0] = true;
                left -= 1;
                if let Some(card) = places.next() {
                    *card = Card::new(rank, suits[0]);
                }
            }
            // The suits held least often: none of them reaches five.
            for _ in 0..left {
                let least = (0..4).filter(|suit| !used[*suit]).min_by_key(|suit| held[*suit]);
                if let (Some(suit), Some(card)) = (least, places.next()) {
                    used[suit] = true;
                    held[suit] += 1;
                    *card = Card::new(rank, suits[suit]);
                }
            }
        }
        cards
    }

    /// Returns how many hands are of the class.
    ///
    /// # Panics
    ///
    /// For a class of another table that this table does not have.
    #[must_use]
    pub fn multiplicity(&self, class: HandClass) -> u64 {
        let StandInRanks { counts, joker, suited } = self.ranks(class);
        let product = |ways: [u64; 5]| -> u64 {
            counts.iter().map(|count| ways[usize::from(*count)]).product()
        };
        if let Some(ranks) = suited {
            // Four suits for the flush; the others have the three that are left.
            let others =
                counts.iter().zip(shapes::of_set(ranks)).map(|(all, of_suit)| all - of_suit);
            return 4 * others.map(|count| [1, 3, 3, 1][usize::from(count)]).product::<u64>();
        }
        // Place `n`: in how many ways `n` of the cards are of one suit.
        let mut of_one_suit = [1_u64, 0, 0, 0, 0, 0, 0, 0];
        for count in counts.iter().filter(|count| **count > 0) {
            let place = usize::from(*count);
            let (without, with) = ([1, 3, 3, 1, 0][place], [0, 1, 3, 3, 1][place]);
            for n in (0..8).rev() {
                let below = if n > 0 { of_one_suit[n - 1] } else { 0 };
                of_one_suit[n] = of_one_suit[n] * without + below * with;
            }
        }
        let flushes: u64 = of_one_suit.iter().skip(5 - usize::from(joker)).sum();
        // No two suits have a flush at once.
        product([1, 4, 6, 4, 1]) - 4 * flushes
    }
}
