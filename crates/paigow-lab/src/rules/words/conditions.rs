//! The conditions of the rows of pay tables, each in one sentence that a laboratory can
//! check a hand by. Definitions of the bonus bets, sections 2 and 3.

use crate::rules::figures::in_words;
use paigow_rules::cards::Rank;
use paigow_rules::game::{
    ColourCondition, Condition, HandCondition, OneColour, PushCondition, ThreeCardCondition,
};

/// Returns the sentence of a condition where each hand is dealt `cards` cards.
pub(in crate::rules) fn condition(condition: Condition, cards: usize) -> String {
    match condition {
        Condition::Hand(hand) => of_hand(hand, cards),
        Condition::ThreeCards(three) => of_three_cards(three).to_owned(),
        Condition::Colour(colour) => of_colour(colour, cards),
        Condition::Push(push) => of_push(push).to_owned(),
    }
}

fn of_hand(condition: HandCondition, cards: usize) -> String {
    let all = in_words(cards);
    let plain = match condition {
        HandCondition::LuhnTaoWheelWithAceQueen => {
            "Ace, 2, 3, 4 and 5 of one suit and an ace and a queen of one other suit; no joker in \
             the hand."
        }
        HandCondition::NaturalSevenCardStraightFlush => {
            "Seven cards of one suit in seven successive ranks, from A-2-3-4-5-6-7 up to \
             8-9-10-J-Q-K-A; no joker."
        }
        HandCondition::RoyalFlushWithAceQueen => {
            "Five of the cards are 10, jack, queen, king and ace of one suit, of which the joker \
             may stand for one; the other two are a real ace and a real queen of one suit."
        }
        HandCondition::RoyalMatch => {
            "Five of the cards are 10, jack, queen, king and ace of one suit, of which the joker \
             may stand for one; the other two are a real king and a real queen of one suit."
        }
        HandCondition::JokerSevenCardStraightFlush => {
            "The joker and six cards of one suit that fit into one run of seven successive ranks, \
             from A-2-3-4-5-6-7 up to 8-9-10-J-Q-K-A."
        }
        HandCondition::FiveAces => "Four aces and the joker.",
        HandCondition::LuhnTaoWheel => {
            return format!(
                "Ace, 2, 3, 4 and 5 of one suit; no joker anywhere among the {all} cards."
            );
        }
        HandCondition::NaturalAceToFiveStraightFlush => {
            return format!(
                "Ace, 2, 3, 4 and 5 of one suit and no joker anywhere among the {all} cards, \
                 unless all seven are one straight flush, A-2-3-4-5-6-7 of one suit."
            );
        }
        HandCondition::RoyalFlush => {
            "10, jack, queen, king and ace of one suit; the joker may stand for one of them."
        }
        HandCondition::StraightFlush => {
            "Five successive ranks of one suit, A-2-3-4-5 among them; the joker may stand for one \
             of the five."
        }
        HandCondition::FourOfAKind => {
            "Four cards of one rank; the joker is an ace, so that three aces and the joker are \
             four of a kind."
        }
        HandCondition::NineHigh => return pai_gow(Rank::Nine, cards),
        HandCondition::TenHigh => return pai_gow(Rank::Ten, cards),
        HandCondition::JackHigh => return pai_gow(Rank::Jack, cards),
        HandCondition::QueenHigh => return pai_gow(Rank::Queen, cards),
        HandCondition::KingHigh => return pai_gow(Rank::King, cards),
        HandCondition::AceHigh => return pai_gow(Rank::Ace, cards),
        HandCondition::OneColour(reading) => return one_colour(reading, cards),
        HandCondition::OneColourWithJoker(reading) => {
            return one_colour_with_joker(reading, cards);
        }
        HandCondition::FullHouse => {
            "Three cards of one rank and two, or three, of another; the joker is an ace."
        }
        HandCondition::Flush => "Five cards of one suit; the joker may be one of them.",
        HandCondition::ThreeOfAKind => {
            "Three cards of one rank; the joker is an ace, so that two aces and the joker are \
             three of a kind."
        }
        HandCondition::Straight => {
            "Five successive ranks, from A-2-3-4-5 up to 10-J-Q-K-A; the joker may stand for one \
             of the five."
        }
        HandCondition::ThreePair => {
            return format!(
                "Three ranks are held twice, the joker counting as an ace, and the {all} cards \
                 hold no three of a kind, no straight and no flush, those that the joker \
                 completes included."
            );
        }
        HandCondition::TwoPair => {
            "Two ranks, or three, are each held at least twice, the joker counting as an ace."
        }
    };
    plain.to_owned()
}

/// A hand without anything, by its highest card.
fn pai_gow(highest: Rank, cards: usize) -> String {
    let joker = if highest == Rank::Ace {
        "the joker counting as an ace"
    } else {
        "so that there is no higher card and no joker"
    };
    format!(
        "A pai gow hand, {} high: {} different ranks, the highest of them the {}, {joker}; no \
         five of the cards are a straight or a flush, those that the joker completes included.",
        highest.name(),
        in_words(cards),
        highest.name(),
    )
}

fn one_colour(reading: OneColour, cards: usize) -> String {
    let ranks = match reading {
        OneColour::Any => "pairs are allowed".to_owned(),
        OneColour::NoPair => format!("{} different ranks", in_words(cards)),
    };
    format!(
        "All {} cards are red (diamonds and hearts) or all are black (clubs and spades); no \
         joker, no straight and no flush; {ranks}.",
        in_words(cards)
    )
}

fn one_colour_with_joker(reading: OneColour, cards: usize) -> String {
    let ranks = match reading {
        OneColour::Any => "pairs and better are allowed".to_owned(),
        OneColour::NoPair => {
            format!("{} different ranks, the joker counting as an ace", in_words(cards))
        }
    };
    format!(
        "The joker and {} cards that are all red (diamonds and hearts) or all black (clubs and \
         spades); no straight and no flush, even with the joker completing one; {ranks}.",
        in_words(cards - 1)
    )
}

const fn of_three_cards(condition: ThreeCardCondition) -> &'static str {
    match condition {
        ThreeCardCondition::NaturalStraightFlush => {
            "Three successive ranks of one suit, from A-2-3 up to Q-K-A; no joker among the three."
        }
        ThreeCardCondition::ThreeOfAKind => {
            "Three cards of one rank; the joker is an ace, so that two aces and the joker are \
             three of a kind."
        }
        ThreeCardCondition::StraightFlush => {
            "Three successive ranks of one suit, from A-2-3 up to Q-K-A; the joker may stand for \
             one of the three."
        }
        ThreeCardCondition::Straight => {
            "Three successive ranks, from A-2-3 up to Q-K-A; the joker may stand for one of the \
             three."
        }
        ThreeCardCondition::Flush => "Three cards of one suit; the joker may be one of them.",
        ThreeCardCondition::Pair => {
            "Two cards of one rank; the joker is an ace, so that an ace and the joker are a pair."
        }
    }
}

fn of_colour(condition: ColourCondition, cards: usize) -> String {
    let held = condition.cards();
    if held == cards {
        return format!("All {} cards are of the colour named.", in_words(cards));
    }
    format!("Exactly {} of the {} cards are of the colour named.", in_words(held), in_words(cards))
}

const fn of_push(condition: PushCondition) -> &'static str {
    match condition {
        PushCondition::WithThreesOrBetter => {
            "One of the two hands is won and the other is not, and the low hand of either side is \
             a pair of threes or higher."
        }
        PushCondition::Push => "One of the two hands is won and the other is not.",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use paigow_rules::game::BetSubject;

    #[test]
    fn every_condition_has_a_sentence_of_its_own() {
        for cards in [6, 7] {
            for looks_at in [
                BetSubject::SeatHand,
                BetSubject::FirstThree,
                BetSubject::Colour,
                BetSubject::Showdown,
            ] {
                for reading in OneColour::ALL {
                    let conditions = Condition::all_for(looks_at, cards, Some(reading));
                    let sentences: BTreeSet<String> =
                        conditions.iter().map(|&named| condition(named, cards)).collect();
                    assert_eq!(sentences.len(), conditions.len());
                    let whole = |sentence: &String| sentence.ends_with('.');
                    assert!(sentences.iter().all(whole), "{sentences:?}");
                }
            }
        }
    }
}
