//! The deal: which card of the deck goes to which position, and the fees taken first.

use std::fmt;

use super::ruleset::{DeadHands, DealDirection, DealProcedure, Ruleset};
use super::table::WagerTable;
use crate::cards::{BySeat, Card, Deck, Hand, Seat};

/// A round after the deal. Its `Debug` prints no card: most of them are hidden.
#[derive(Clone, Eq, PartialEq)]
pub struct TableDeal {
    /// The three dice. They have no meaning if the ruleset draws none.
    pub dice: [u8; 3],
    /// The position that is dealt to first. The dice name it; without dice it is seat 1. If that
    /// position is not dealt to, it is the next one that is.
    pub first: Seat,
    /// The seat at which settlement begins: the position dealt to first. If that is position 0, it
    /// is the next seat clockwise.
    pub action_seat: Seat,
    hands: BySeat<Hand>,
    /// The fees taken, in minor units; only those above 0, position 0 included.
    pub fees: BySeat<i64>,
    wagered: BySeat<()>,
}

impl fmt::Debug for TableDeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dealt(action at seat {})", self.action_seat)
    }
}

impl TableDeal {
    /// Returns the cards of every position dealt to, 0 and dead hands included, in the order in
    /// which they were dealt. They come from one deck, so no card occurs twice.
    #[must_use]
    pub const fn hands(&self) -> &BySeat<Hand> {
        &self.hands
    }

    /// Returns the cards of position 0.
    #[must_use]
    pub fn dealer(&self) -> Hand {
        self.hands.get(Seat::DEALER).copied().unwrap_or(Hand::EMPTY)
    }

    /// Returns the hands that players may see before they set them: those of the
    /// seats with a wager, ascending.
    pub fn visible(&self) -> impl Iterator<Item = (Seat, &[Card])> {
        let hands = self.hands.iter().map(|(seat, hand)| (seat, &hand[..]));
        hands.filter(|(seat, _)| self.wagered.contains(*seat))
    }

    /// Whether the hand of `seat` is one that [`Self::visible`] returns.
    pub(super) const fn shows(&self, seat: Seat) -> bool {
        self.hands.contains(seat) && self.wagered.contains(seat)
    }
}

impl Ruleset {
    /// Returns how many cards a hand has at the end of each street. This is `[7]` for one packet of
    /// seven, and `[3, 7]` for three cards and then four.
    #[must_use]
    pub fn street_ends(&self) -> Vec<u8> {
        let DealProcedure::Streets(each) = &self.dealing.procedure else {
            return vec![self.packet()];
        };
        let end = |sum: &mut u8, street: &u8| {
            *sum += street;
            Some(*sum)
        };
        each.iter().scan(0, end).collect()
    }

    /// Returns the number of cards of a whole hand.
    fn packet(&self) -> u8 {
        u8::try_from(self.hand).expect("a hand is six or seven cards")
    }
}

/// Deals `deck` to the positions.
pub(super) fn deal(ruleset: &Ruleset, table: &WagerTable, deck: &Deck, dice: [u8; 3]) -> TableDeal {
    let named = if ruleset.dealing.dice { first_position(dice, ruleset.positions()) } else { 1 };
    let order = order(ruleset, table, named);
    let hands = match &ruleset.dealing.procedure {
        DealProcedure::Zigzag => zigzag(deck, named, table.action_pile),
        DealProcedure::Packets => streets(deck, &order, &[ruleset.packet()]),
        DealProcedure::Streets(each) => streets(deck, &order, each),
    };
    let first = order.first().copied().unwrap_or(Seat::DEALER);
    let next = || order.iter().copied().filter(|seat| !seat.is_dealer()).min();
    TableDeal {
        dice,
        first,
        action_seat: if first.is_dealer() { next().unwrap_or(position(1)) } else { first },
        hands,
        fees: fees(ruleset, table),
        wagered: table.seats.seats().map(|seat| (seat, ())).collect(),
    }
}

/// Returns the position that three dice name among `positions`, counted from 0. Of seven, 1, 8 and
/// 15 are position 0, and the others follow clockwise.
fn first_position(dice: [u8; 3], positions: u8) -> u8 {
    let sum: u16 = dice.into_iter().map(u16::from).sum();
    let place = (sum + u16::from(positions) - 1) % u16::from(positions);
    u8::try_from(place).expect("a remainder of at most 8 fits a byte")
}

/// Returns the positions that are dealt to, in order.
///
/// With dice the first is the one that they name, and the others follow in the ruleset's direction.
/// Without dice the seats are dealt to from 1 on, and the dealer last. If the named seat is passed
/// over, the next seat that is dealt to is the first, but never the dealer (Pai Gow Express, step
/// 8b).
fn order(ruleset: &Ruleset, table: &WagerTable, first: u8) -> Vec<Seat> {
    let positions = ruleset.positions();
    let round = (0..positions).map(move |place| match ruleset.dealing.direction {
        DealDirection::Clockwise => (first + place) % positions,
        DealDirection::CounterClockwise => (first + positions - place) % positions,
    });
    let is_active = move |seat: &Seat| match ruleset.dealing.dead_hands {
        DeadHands::AllPositions => true,
        DeadHands::ActiveOnly => seat.is_dealer() || table.base_stake(*seat).is_some(),
    };
    let mut order: Vec<Seat> = round.map(position).filter(is_active).collect();
    if first != 0 && order.first().is_some_and(|seat| seat.is_dealer()) {
        order.rotate_left(1);
    }
    order
}

/// Deals street by street. Each position of `order` gets the cards of the street in turn.
fn streets(deck: &Deck, order: &[Seat], sizes: &[u8]) -> BySeat<Hand> {
    let mut rest = &deck[..];
    let mut hands = BySeat::new();
    for &size in sizes {
        for &seat in order {
            let (packet, behind) = rest.split_at(usize::from(size));
            let hand: &mut Hand = hands.get_or_insert_with(seat, || Hand::EMPTY);
            *hand = hand.with(packet).expect("the streets of a ruleset make one hand");
            rest = behind;
        }
    }
    hands
}

/// Deals seven piles row by row: even rows from left to right, odd rows from right to left.
///
/// Hands the piles out clockwise from `first`, beginning with `action_pile`. Discards the last four
/// cards.
fn zigzag(deck: &Deck, first: u8, action_pile: u8) -> BySeat<Hand> {
    const PILES: u8 = 7;
    let hand = |q: u8| {
        let pile = usize::from((action_pile + q + PILES - first) % PILES);
        let (rows, _discarded) = deck.as_chunks::<7>();
        let card = |r: usize| if r.is_multiple_of(2) { rows[r][pile] } else { rows[r][6 - pile] };
        let hand = Hand::of(&[0, 1, 2, 3, 4, 5, 6].map(card));
        (position(q), hand.expect("seven cards"))
    };
    (0..PILES).map(hand).collect()
}

fn position(number: u8) -> Seat {
    Seat::new(number).expect("positions are 0 to 7")
}

pub(super) fn fees(ruleset: &Ruleset, table: &WagerTable) -> BySeat<i64> {
    let Some(schedules) = &ruleset.fees else { return BySeat::new() };
    let stakes = table.seats.seats().filter_map(|seat| Some((seat, table.base_stake(seat)?)));
    let players = stakes.map(|(seat, stake)| (seat, schedules.player.due(i128::from(stake))));
    let dealer = (Seat::DEALER, schedules.player_dealer.due(table.base_total()));
    players.chain([dealer]).filter(|&(_, fee)| fee > 0).collect()
}

#[cfg(test)]
mod tests;
