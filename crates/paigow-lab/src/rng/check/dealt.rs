//! The counts over decks and dice.

use super::classes::{CLASSES, class};
use super::generator::Generator;
use super::plan::add;
use paigow_fairness::secret::RoundSeed;
use paigow_rules::cards::{Card, DECK_LEN};

/// How many packets of seven a deck has.
pub(super) const PACKETS: usize = 7;

/// The pairs of positions that are counted: each with the next, and the first with the
/// last.
pub(super) const PAIRS: usize = DECK_LEN;

/// The positions of a pair, by its place.
pub(super) const fn positions_of(pair: usize) -> (usize, usize) {
    if pair + 1 < DECK_LEN { (pair, pair + 1) } else { (0, DECK_LEN - 1) }
}

/// Cards as numbers 0 to 52.
type CardNumbers = [usize; DECK_LEN];

/// Counts of decks. They are the same in any order of addition.
pub(super) struct DeckTally {
    /// Position by card.
    pub(super) table: Vec<u64>,
    /// Pair of positions by ordered pair of cards.
    pub(super) pairs: Vec<u64>,
    /// The first three cards.
    pub(super) triples: Vec<u64>,
    /// For each position, how much higher its card's number is than in the deck before, modulo 53.
    pub(super) steps: Vec<u64>,
    /// How many positions have the card that they had in the deck before.
    pub(super) matches: Vec<u64>,
    /// Packet by class of the hand.
    pub(super) classes: Vec<u64>,
    /// The class of the first packet in the even deck by that in the odd deck after it.
    pub(super) successive: Vec<u64>,
    /// Three dice.
    pub(super) dice: Vec<u64>,
    /// The first die by the first card.
    pub(super) die_and_card: Vec<u64>,
}

impl Default for DeckTally {
    fn default() -> Self {
        let cells = |count| vec![0; count];
        Self {
            table: cells(DECK_LEN * DECK_LEN),
            pairs: cells(PAIRS * DECK_LEN * DECK_LEN),
            triples: cells(DECK_LEN * DECK_LEN * DECK_LEN),
            steps: cells(DECK_LEN * DECK_LEN),
            matches: cells(DECK_LEN + 1),
            classes: cells(PACKETS * CLASSES),
            successive: cells(CLASSES * CLASSES),
            dice: cells(216),
            die_and_card: cells(6 * DECK_LEN),
        }
    }
}

/// A deck that has been counted, for the one after it.
pub(super) struct PreviousDeck {
    numbers: CardNumbers,
    class: usize,
}

impl PreviousDeck {
    /// Draws the deck before the first of a piece.
    pub(super) fn of(generator: &dyn Generator, seed: &RoundSeed) -> Self {
        let deck = generator.deck(seed);
        Self { numbers: numbers(&deck), class: class(&deck[..7]) }
    }
}

fn numbers(deck: &[Card; DECK_LEN]) -> CardNumbers {
    deck.map(|card| usize::from(card.number()))
}

impl DeckTally {
    /// Counts the deck and the dice of a seed. `round` is its place from 0, and `before` the
    /// previous deck; the first deck has none.
    pub(super) fn count(
        &mut self,
        generator: &dyn Generator,
        round: u64,
        seed: &RoundSeed,
        before: Option<&PreviousDeck>,
    ) -> PreviousDeck {
        let counted = self.count_deck(&generator.deck(seed), round, before);
        self.count_dice(generator.dice(seed), counted.numbers[0]);
        counted
    }

    /// Counts a deck alone, as [`Self::count`] does with its dice.
    pub(super) fn count_deck(
        &mut self,
        deck: &[Card; DECK_LEN],
        round: u64,
        before: Option<&PreviousDeck>,
    ) -> PreviousDeck {
        let now = numbers(deck);
        for (position, card) in now.iter().enumerate() {
            self.table[DECK_LEN * position + card] += 1;
        }
        for pair in 0..PAIRS {
            let (first, second) = positions_of(pair);
            self.pairs[(DECK_LEN * pair + now[first]) * DECK_LEN + now[second]] += 1;
        }
        self.triples[(now[0] * DECK_LEN + now[1]) * DECK_LEN + now[2]] += 1;
        let mut class_of_first = 0;
        for (packet, hand) in deck.as_chunks::<7>().0.iter().enumerate() {
            let class = class(hand);
            self.classes[CLASSES * packet + class] += 1;
            if packet == 0 {
                class_of_first = class;
            }
        }
        if let Some(before) = before {
            self.count_steps(&before.numbers, &now);
            if round % 2 == 1 {
                self.successive[CLASSES * before.class + class_of_first] += 1;
            }
        }
        PreviousDeck { numbers: now, class: class_of_first }
    }

    fn count_dice(&mut self, dice: [u8; 3], first_card: usize) {
        let [first, second, third] = dice.map(|die| usize::from(die) - 1);
        self.dice[36 * first + 6 * second + third] += 1;
        self.die_and_card[DECK_LEN * first + first_card] += 1;
    }

    fn count_steps(&mut self, before: &CardNumbers, now: &CardNumbers) {
        let mut matches = 0;
        for (position, (before, now)) in before.iter().zip(now).enumerate() {
            self.steps[DECK_LEN * position + (now + DECK_LEN - before) % DECK_LEN] += 1;
            matches += usize::from(before == now);
        }
        self.matches[matches] += 1;
    }

    /// Adds the counts of another tally.
    pub(super) fn add(&mut self, other: &Self) {
        add(&mut self.table, &other.table);
        add(&mut self.pairs, &other.pairs);
        add(&mut self.triples, &other.triples);
        add(&mut self.steps, &other.steps);
        add(&mut self.matches, &other.matches);
        add(&mut self.classes, &other.classes);
        add(&mut self.successive, &other.successive);
        add(&mut self.dice, &other.dice);
        add(&mut self.die_and_card, &other.die_and_card);
    }
}
