//! The cards, the ranking of hands, how hands are set and what is foul.

use super::dealer;
use crate::rules::figures::{counted, in_words};
use paigow_rules::game::Ruleset;
use paigow_rules::hands::{Category, JokerUse, Wheel};

/// Returns the sentences on the deck and the joker.
pub(in crate::rules) fn deck(ruleset: &Ruleset) -> Vec<String> {
    let (joker, low) = match ruleset.joker() {
        JokerUse::Wild => (
            "The joker is wild: any card that is not among those of the hand, or the fifth of a \
             rank.",
            "In a low hand it is a card of the rank of the other one: the two are a pair.",
        ),
        JokerUse::SemiWild => (
            "The joker is semi-wild: an ace, or any card that completes a straight, a flush, a \
             straight flush or a royal flush. It pairs only aces; with four aces it makes five \
             aces.",
            if ruleset.low_cards() == 1 {
                "As a low hand of one card the joker ranks above the ace."
            } else {
                "In a low hand the joker is an ace."
            },
        ),
    };
    vec![
        format!(
            "One deck of {} cards: 2 to 10, jack, queen, king and ace of clubs, diamonds, hearts \
             and spades, and one joker. It is shuffled for every round.",
            ruleset.cards()
        ),
        joker.to_owned(),
        "In a high hand it stands for whatever makes the hand highest. In a flush it is the \
         highest rank that the other four cards of the flush lack."
            .to_owned(),
        low.to_owned(),
    ]
}

/// Returns the sentence that describes a category of high hands.
pub(in crate::rules) const fn category(category: Category) -> &'static str {
    match category {
        Category::FiveAces => "Four aces and the joker.",
        Category::FiveOfAKind => "Four cards of one rank below the ace, and the joker.",
        Category::RoyalFlush => "10, jack, queen, king and ace of one suit.",
        Category::StraightFlush => "Five successive ranks of one suit.",
        Category::FourOfAKind => "Four cards of one rank.",
        Category::FullHouse => "Three cards of one rank and two of another.",
        Category::Flush => "Five cards of one suit.",
        Category::Straight => "Five successive ranks.",
        Category::ThreeOfAKind => "Three cards of one rank.",
        Category::TwoPair => "Two cards of one rank and two of another.",
        Category::Pair => "Two cards of one rank.",
        Category::HighCard => "None of these.",
    }
}

/// How hands compare.
pub(in crate::rules) fn ranking(ruleset: &Ruleset) -> Vec<String> {
    let wheel = match ruleset.wheel() {
        Wheel::Second => {
            "A-2-3-4-5 is the second-highest straight, and of one suit the second-highest \
             straight flush: above K-Q-J-10-9 and below A-K-Q-J-10, which of one suit is the \
             royal flush. No straight runs on past the ace."
        }
        Wheel::Lowest => {
            "A-2-3-4-5 is the lowest straight, and of one suit the lowest straight flush. No \
             straight runs on past the ace."
        }
    };
    let low = if ruleset.low_cards() == 1 {
        "Low hands of one card compare by rank, 2 lowest, then up to king, ace, and the joker \
         highest of all."
    } else {
        "Low hands: any pair is above any two cards without a pair. Pairs compare by rank, other \
         hands by the higher card and then by the lower. The highest low hand is a pair of aces."
    };
    vec![
        wheel.to_owned(),
        "Hands of one category compare as in poker: by the rank held most often, then by the \
         next, down to the lowest single card; straights by their highest card, but for \
         A-2-3-4-5. The joker has the rank that it stands for. Suits never decide."
            .to_owned(),
        low.to_owned(),
    ]
}

/// How hands are set.
pub(in crate::rules) fn setting(ruleset: &Ruleset) -> Vec<String> {
    let dealer = dealer(ruleset);
    let mut words = vec![
        format!(
            "Each player sets his {} cards in two: five in the high hand and {} in the low hand. \
             Or he asks for the house way of these rules, which then sets them.",
            in_words(ruleset.hand_cards()),
            in_words(ruleset.low_cards())
        ),
        format!("The hand of the {dealer} is always set by the house way."),
    ];
    words.extend(foul(ruleset));
    words.push(
        "A foul hand is a result of the game, not an error: it loses both hands, and with them \
         the base wager. The bonus bets are judged as usual."
            .to_owned(),
    );
    words.push(format!(
        "Every seat with a base wager makes one decision. One that does not name {} dealt to the \
         seat for the low hand is refused as malformed.",
        counted(ruleset.low_cards(), "card")
    ));
    words
}

fn foul(ruleset: &Ruleset) -> [String; 2] {
    let rule = "A setting is foul if the low hand is higher than the high hand as far as its cards \
                go: ";
    let (cases, legal) = if ruleset.low_cards() == 1 {
        (
            "one card in front of a high hand without a pair whose highest card is of lower rank. \
             The joker counts as an ace here.",
            "Equal ranks are legal: the joker in front of ace high is, and in front of king high \
             it is foul. In front of a pair or better nothing is foul.",
        )
    } else {
        (
            "a pair in front of a high hand without a pair, or of a lower pair; or two cards of \
             different ranks in front of a high hand without a pair whose two highest cards are \
             lower, the higher of the two compared first.",
            "Equal is legal: Q-Q in front of Q-Q and three other cards is. In front of two pair \
             or better nothing is foul.",
        )
    };
    [format!("{rule}{cases}"), legal.to_owned()]
}
