//! Players who bank: the banker, the player-dealer and the flat fees.

use super::base::commission;
use crate::rules::figures::{in_words, listed};
use paigow_rules::game::{Banking, Ruleset};
use paigow_rules::hands::plural;

/// A player who banks against the other seats.
pub(in crate::rules) fn banking(terms: &Banking, ruleset: &Ruleset) -> Vec<String> {
    let cards = in_words(ruleset.hand_cards());
    let times = usize::try_from(terms.bank_per_base).map_or_else(|_| String::new(), in_words);
    let mut words = vec![
        format!(
            "A player with a base wager may bank (the table facts banker_seat and bank_minor). \
             His bank must hold at least {times} times the sum of the other seats' base wagers. \
             His hand is set by the house way."
        ),
        "First the dealer's hand plays against the banker's: the base wager of the banker, and \
         his double down, are settled as those of any seat."
            .to_owned(),
        "Then the dealer's hand is dead, and the base wagers and double downs of every other seat \
         are settled against the banker's hand, who wins copies."
            .to_owned(),
        "Bonus bets stay with the house, and so does what they win for other seats' hands."
            .to_owned(),
    ];
    if let Some(double_down) = ruleset.double_down() {
        words.insert(
            3,
            format!(
                "Against the banker a double down is in action if the best five of the banker's \
                 {cards} cards are a pair of {} or better.",
                plural(double_down.qualifying_pair)
            ),
        );
    }
    words.push(commission(
        &terms.commission,
        "what each other seat wins from the banker, on its base wager and double down together",
    ));
    words.push(commission(
        &terms.commission,
        "what the banker wins in all outside the bonus bets, against the dealer and as banker \
         together, if that is above 0",
    ));
    words
}

/// A player-dealer with a limited bank.
pub(in crate::rules) fn player_dealer(ruleset: &Ruleset) -> Vec<String> {
    let mut bets = vec!["the base wager".to_owned()];
    bets.extend(ruleset.bonus_bets().iter().map(|bet| bet.title.clone()));
    vec![
        "A player sits at position 0 as player-dealer. He collects losing wagers and pays winning \
         ones out of the money that he puts up (the table fact bank_minor), and can neither win \
         nor lose more than that. The house takes no part in the outcome."
            .to_owned(),
        format!(
            "Wagers are settled one by one, clockwise from the action seat, at each seat in the \
             order {}.",
            listed(&bets)
        ),
        "The player-dealer holds p, at first his bank. If p is 0 or twice the bank, this wager \
         and every later one is returned whole, whatever its result: it is uncovered."
            .to_owned(),
        "Otherwise a push is returned. Of a losing stake s the smaller of s and twice the bank \
         less p is collected and added to p; the rest is returned. Of a win w, the stake times \
         the odds, the smaller of w and p is paid out of p, and the stake is returned whole. What \
         is not collected or not paid is uncovered, and the answer names it."
            .to_owned(),
        "The player-dealer wins or loses p less his bank. Fees are not paid out of p.".to_owned(),
    ]
}

/// Flat fees.
pub(in crate::rules) fn fees() -> Vec<String> {
    vec![
        "Flat fees are taken before the deal, whatever the outcome. None is a percentage, and \
         they are refunded only if the round is void."
            .to_owned(),
        "A player pays by his base wager, the player-dealer by the sum of all base wagers of the \
         round. Bonus bets neither pay nor count; nothing is due for nothing. An amount at the \
         end of a band belongs to it, the next minor unit to the next."
            .to_owned(),
    ]
}
