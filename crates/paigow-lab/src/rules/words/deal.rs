//! How the cards go to the positions.

use super::dealer;
use crate::rules::figures::{in_words, listed};
use paigow_rules::game::{DeadHands, DealDirection, DealProcedure, Ruleset};

/// How a round is dealt.
pub(in crate::rules) fn dealing(ruleset: &Ruleset) -> Vec<String> {
    let dealer = dealer(ruleset);
    let mut words = vec![format!(
        "There are {} seats, numbered clockwise from 1, and position 0, the {dealer}'s.",
        in_words(ruleset.seats().into())
    )];
    words.push(first(ruleset));
    words.extend(procedure(ruleset));
    words.push(who_is_dealt_to(ruleset));
    if ruleset.exposes_dealer() {
        words.push(
            "The dealer's hand is set by the house way and shown together with the players' \
             cards, before the players set theirs. No wager can be placed or changed after that."
                .to_owned(),
        );
    }
    let after_position_0 = match ruleset.dealing().dead_hands {
        DeadHands::AllPositions => "seat 1",
        DeadHands::ActiveOnly => "the lowest seat dealt to",
    };
    words.push(format!(
        "Wagers are settled clockwise from the action seat: the position dealt to first, or \
         {after_position_0} if that is position 0, which is skipped, as are seats without wagers."
    ));
    words
}

/// Which position is dealt to first.
fn first(ruleset: &Ruleset) -> String {
    let positions = usize::from(ruleset.positions());
    if !ruleset.draws_dice() {
        return "Seat 1 is dealt to first. There are no dice.".to_owned();
    }
    let sums = |position: usize| -> Vec<String> {
        let names = |sum: &usize| (sum - 1) % positions == position;
        (3..=18).filter(names).map(|sum| sum.to_string()).collect()
    };
    format!(
        "Three dice name the position that is dealt to first: their sum, less 1, is divided by \
         {positions}, and the remainder is the position. So position 0 is first on a sum of {}, \
         position 1 on {}, and so on clockwise.",
        or_listed(&sums(0)),
        or_listed(&sums(1))
    )
}

fn or_listed(items: &[String]) -> String {
    items.join(" or ")
}

/// Returns the positions in the order in which they are dealt to from `first`.
fn order(ruleset: &Ruleset, first: u8) -> Vec<String> {
    let positions = ruleset.positions();
    let place = |k| match ruleset.dealing().direction {
        DealDirection::Clockwise => (first + k) % positions,
        DealDirection::CounterClockwise => (first + positions - k) % positions,
    };
    (0..positions).map(|k| place(k).to_string()).collect()
}

/// In which portions and which way round.
fn procedure(ruleset: &Ruleset) -> Vec<String> {
    let hand = in_words(ruleset.hand_cards());
    let way_round = match ruleset.dealing().direction {
        DealDirection::Clockwise => "clockwise",
        DealDirection::CounterClockwise => "counter-clockwise",
    };
    let example = order(ruleset, 1);
    let in_order = if ruleset.draws_dice() {
        format!(
            "in {way_round} order from the first position; from position 1 that is {}",
            listed(&example)
        )
    } else {
        format!("in the order of positions {}", listed(&example))
    };
    match &ruleset.dealing().procedure {
        DealProcedure::Packets => {
            vec![format!("Each position is dealt its {hand} cards together, {in_order}.")]
        }
        DealProcedure::Streets(streets) => {
            let streets: Vec<String> = streets
                .iter()
                .map(|&street| {
                    let cards = if street == 1 { "card" } else { "cards" };
                    format!("{} {cards} to each position", in_words(street.into()))
                })
                .collect();
            vec![
                format!("The cards are dealt in streets, {in_order}: {}.", streets.join(", then ")),
                "What the first street makes final is final before the next one is dealt."
                    .to_owned(),
            ]
        }
        DealProcedure::Zigzag => vec![
            "Seven piles are dealt row by row, a card to each pile: the first row from left to \
             right, the second from right to left, and so on in turn, until each pile has seven \
             cards."
                .to_owned(),
            "The player-dealer names one of the piles beforehand, 0 the leftmost to 6 the \
             rightmost. It goes to the first position; the piles to its right, and after pile 6 \
             pile 0, go to the next positions clockwise."
                .to_owned(),
        ],
    }
}

fn who_is_dealt_to(ruleset: &Ruleset) -> String {
    let positions = usize::from(ruleset.positions());
    let left = ruleset.cards() - positions * ruleset.hand_cards();
    match ruleset.dealing().dead_hands {
        DeadHands::AllPositions => format!(
            "All {} positions are dealt to, whether anybody plays there or not. The last {} cards \
             of the deck are not dealt. A hand without a wager is dead.",
            in_words(positions),
            in_words(left)
        ),
        DeadHands::ActiveOnly => format!(
            "Only the {0} and the seats with a base wager are dealt to; the others are passed over \
             in the same order. Where the first of them is passed over, the next seat with a base \
             wager is dealt to first, and the {0} is not. The rest of the deck is not dealt.",
            dealer(ruleset)
        ),
    }
}
