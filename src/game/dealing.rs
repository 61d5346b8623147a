//! The deal: which card of the deck goes to which position, and the fees taken first.

use std::collections::BTreeMap;
use std::fmt;

use super::ruleset::Ruleset;
use super::table::{DealTerms, Table};
use crate::cards::{Card, DECK_LEN, Seat};

/// How many positions a seven-card game deals to.
const POSITIONS: u8 = 7;

/// A round after the deal. Its `Debug` prints no card: most of them are hidden.
#[derive(Clone, Eq, PartialEq)]
pub struct Dealt {
    /// The three dice.
    pub dice: [u8; 3],
    /// The position, 0 to 6, that the dice name.
    pub first: u8,
    /// Where settlement begins: the position the dice name, or seat 1 if they name
    /// position 0.
    pub action_seat: Seat,
    /// The cards of every position, 0 and seats without a wager included, in the
    /// order in which they were dealt.
    pub hands: BTreeMap<Seat, Vec<Card>>,
    /// The fees taken, in minor units; only those above 0, position 0 included.
    pub fees: BTreeMap<Seat, i64>,
    wagered: Vec<Seat>,
}

impl fmt::Debug for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dealt(action at seat {})", self.action_seat)
    }
}

impl Dealt {
    /// Returns the hands that players may see before they set them: those of the
    /// seats with a wager, ascending.
    pub fn visible(&self) -> impl Iterator<Item = (Seat, &[Card])> {
        let hands = self.hands.iter().map(|(&seat, cards)| (seat, cards.as_slice()));
        hands.filter(|(seat, _)| self.wagered.contains(seat))
    }
}

/// Deals `deck` to the positions.
pub(super) fn deal(
    ruleset: &Ruleset,
    table: &Table,
    deck: &[Card; DECK_LEN],
    dice: [u8; 3],
) -> Dealt {
    let first = first_position(dice);
    let hands = match table.deal {
        DealTerms::Zigzag { action_pile } => zigzag(deck, first, action_pile),
    };
    let action = if first == 0 { 1 } else { first };
    Dealt {
        dice,
        first,
        action_seat: position(action),
        hands,
        fees: fees(ruleset, table),
        wagered: table.seats.keys().copied().collect(),
    }
}

/// Returns the position that three dice name: 1, 8 and 15 are position 0, and the
/// others follow clockwise.
fn first_position(dice: [u8; 3]) -> u8 {
    let sum: u16 = dice.into_iter().map(u16::from).sum();
    let place = (sum + u16::from(POSITIONS) - 1) % u16::from(POSITIONS);
    u8::try_from(place).expect("a remainder of 7 fits a byte")
}

/// Deals seven piles row by row, the even rows from left to right and the odd ones
/// from right to left, and hands them out clockwise from `first`, beginning with
/// `action_pile`. The last four cards are discarded.
fn zigzag(deck: &[Card; DECK_LEN], first: u8, action_pile: u8) -> BTreeMap<Seat, Vec<Card>> {
    let hand = |q: u8| {
        let pile = usize::from((action_pile + q + POSITIONS - first) % POSITIONS);
        let (rows, _discarded) = deck.as_chunks::<7>();
        let card = |(r, row): (usize, &[Card; 7])| {
            if r % 2 == 0 { row[pile] } else { row[6 - pile] }
        };
        (position(q), rows.iter().enumerate().map(card).collect())
    };
    (0..POSITIONS).map(hand).collect()
}

fn position(number: u8) -> Seat {
    Seat::new(number).expect("positions are 0 to 6, and seats go to 7")
}

pub(super) fn fees(ruleset: &Ruleset, table: &Table) -> BTreeMap<Seat, i64> {
    let stakes = table.seats.keys().filter_map(|&seat| Some((seat, table.base_stake(seat)?)));
    let players = stakes.map(|(seat, stake)| (seat, ruleset.player_fees.due(i128::from(stake))));
    let dealer = (Seat::DEALER, ruleset.player_dealer_fees.due(table.base_total()));
    players.chain([dealer]).filter(|&(_, fee)| fee > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh_deck() -> [Card; DECK_LEN] {
        let cards: Vec<Card> = Card::all().collect();
        cards.try_into().unwrap()
    }

    fn numbers(cards: &[Card]) -> Vec<u8> {
        cards.iter().map(|card| card.number()).collect()
    }

    #[test]
    fn one_eight_and_fifteen_name_the_player_dealer() {
        // The source: "The player-dealer's position is always one, eight, and
        // fifteen." Three dice never show one.
        for (dice, position) in [
            ([1, 1, 1], 2),
            ([1, 1, 2], 3),
            ([2, 2, 3], 6),
            ([2, 3, 3], 0),
            ([3, 3, 3], 1),
            ([4, 5, 5], 6),
            ([5, 5, 5], 0),
            ([6, 6, 6], 3),
        ] {
            assert_eq!(first_position(dice), position, "{dice:?}");
        }
    }

    #[test]
    fn rows_go_left_to_right_and_right_to_left_in_turn() {
        // Pile 0 of the fresh deck: 0; 7 + 6; 14; 21 + 6; 28; 35 + 6; 42.
        let hands = zigzag(&fresh_deck(), 0, 0);
        assert_eq!(numbers(&hands[&Seat::DEALER]), [0, 13, 14, 27, 28, 41, 42]);
        // Pile 3 is the middle, the same from both sides.
        let three = Seat::new(3).unwrap();
        assert_eq!(numbers(&hands[&three]), [3, 10, 17, 24, 31, 38, 45]);
    }

    #[test]
    fn the_action_pile_goes_to_the_first_position_and_the_others_follow_clockwise() {
        let hands = zigzag(&fresh_deck(), 5, 2);
        // Position 5 gets pile 2, position 6 pile 3, position 0 pile 4.
        let pile = |number: u8| hands[&Seat::new(number).unwrap()][0].number();
        assert_eq!([5, 6, 0, 1, 2, 3, 4].map(pile), [2, 3, 4, 5, 6, 0, 1]);
    }

    #[test]
    fn every_card_but_the_last_four_is_dealt_once_whatever_the_dice_and_the_pile() {
        for first in 0..7 {
            for action_pile in 0..7 {
                let hands = zigzag(&fresh_deck(), first, action_pile);
                assert!(hands.values().all(|hand| hand.len() == 7));
                let mut dealt: Vec<u8> = hands.values().flat_map(|hand| numbers(hand)).collect();
                dealt.sort_unstable();
                assert_eq!(dealt, (0..49).collect::<Vec<u8>>());
            }
        }
    }
}
