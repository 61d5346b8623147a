//! The base wager and the double down.

use super::{dealer, rounded};
use crate::rules::figures::{in_words, odds, share};
use crate::rules::words::condition;
use paigow_rules::game::{
    Asked, BetSubject, Commission, DoubleDown, Increment, PushEvent, Ruleset,
};
use paigow_rules::hands::plural;

/// When the base wager wins, loses and pushes, and what it pays.
pub(in crate::rules) fn base(ruleset: &Ruleset) -> Vec<String> {
    let dealer = dealer(ruleset);
    let base = ruleset.base();
    let mut words = vec![
        format!(
            "The player's high hand is compared with the {dealer}'s high hand, and the low hand \
             with the low hand. The higher one wins. A copy, two hands of equal value, is won by \
             the {dealer}."
        ),
        format!(
            "The player wins both hands: the base wager wins and is paid {}. He loses both: it \
             loses. He wins one and loses the other: it is a push, and the stake is returned.",
            odds(base.pays)
        ),
    ];
    if ruleset.low_cards() == 1 {
        words.push(format!(
            "In the low hand a player's joker beats the {dealer}'s ace; an ace loses to a joker. \
             Any other equal rank is a copy."
        ));
    }
    if !base.pays.is_whole() {
        words.push(format!("A win is {}.", rounded(base.rounding, "minor unit")));
    }
    words.push(match &base.commission {
        Some(terms) if ruleset.double_down().is_some() => {
            commission(terms, "what a seat wins on its base wager and double down together")
        }
        Some(terms) => commission(terms, "what a seat wins on its base wager"),
        None if ruleset.banking().is_some() => {
            "There is no commission unless a player banks.".to_owned()
        }
        None => "There is no commission.".to_owned(),
    });
    if let Some(push) = &base.push {
        words.push(push_event(push, ruleset));
    }
    words
}

/// Returns the sentence on the commission that the house keeps of `what`.
pub(super) fn commission(terms: &Commission, what: &str) -> String {
    let share = share(terms.rate);
    match terms.increment {
        Increment::MinorUnit => format!(
            "The house keeps a commission of {share} of {what}, {}.",
            rounded(terms.rounding, "minor unit")
        ),
        Increment::QuarterChip => format!(
            "The house keeps a commission of {share} of {what}, {} (the table fact chip_minor). \
             If a quarter of the chip is no whole number of minor units, the next whole number \
             above counts for it. The commission is never more than the win.",
            rounded(terms.rounding, "multiple of a quarter of the lowest chip in play")
        ),
    }
}

fn push_event(push: &PushEvent, ruleset: &Ruleset) -> String {
    let dealer = dealer(ruleset);
    let hand = condition(&push.condition, BetSubject::DealerHand, ruleset);
    let foul =
        if push.beats_foul { "A foul hand pushes too." } else { "A foul hand loses all the same." };
    let is_set = push.condition.terms().any(|term| matches!(term.asked, Asked::Set(_)));
    let set = if is_set { "as the house way sets them" } else { "however they are set" };
    format!(
        "Every base wager pushes, whatever the hands, if the {} cards of the {dealer} are this, \
         {set}: {hand} {foul}",
        in_words(ruleset.hand_cards())
    )
}

/// The second wager after the hand is seen.
pub(in crate::rules) fn double_down(terms: &DoubleDown, ruleset: &Ruleset) -> Vec<String> {
    let rank = terms.qualifying_pair;
    let cards = in_words(ruleset.hand_cards());
    vec![
        "With the decision, having seen his hand, a player with a base wager may place a second \
         wager (double_down) of the same amount. Neither the maximum of the table nor any other \
         limit applies to it."
            .to_owned(),
        format!(
            "It is in action if the best five of the dealer's {cards} cards, the joker semi-wild, \
             are a pair of {} or better. Then it wins, loses and pushes with the base wager and \
             is paid {}.",
            plural(rank),
            odds(ruleset.base().pays)
        ),
        "If they are less, it pushes, whatever becomes of the base wager, also behind a foul hand."
            .to_owned(),
    ]
}
