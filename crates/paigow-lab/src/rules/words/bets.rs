//! The bonus bets in words: the cards that they look at, their further payments, and their returns.

use super::{dealer, rounded};
use crate::rules::figures::{in_words, money, share};
use paigow_rules::game::{
    Asked, BetSubject, BonusBet, CardTerm, Meter, Odds, OtherSeatTerms, PokerHand, RowPayment,
    Ruleset, Term,
};
use paigow_rules::hands::JokerUse;

/// Returns the sentences that hold for all bonus bets of a ruleset.
pub(in crate::rules) fn all_bonus_bets(ruleset: &Ruleset) -> Vec<String> {
    let cards = in_words(ruleset.hand_cards());
    let looks_at = |what| ruleset.bonus_bets().iter().any(|bet| bet.looks_at == what);
    let mut words = vec![
        "The rows of a pay table stand in paying order, and the first that holds is the one that \
         is paid: one row a wager. A hand of which no row holds loses."
            .to_owned(),
        "X to 1 wins X times the stake, and the stake is returned. A push returns the stake."
            .to_owned(),
    ];
    if looks_at(BetSubject::SeatHand) || looks_at(BetSubject::DealerHand) {
        words.push(format!(
            "A row asks of all {cards} cards, however they are set: any five of them may make a \
             poker hand. The joker is used anew for each sentence of a row, and all of them must \
             hold."
        ));
    }
    let joker = match ruleset.joker() {
        JokerUse::SemiWild => {
            "The joker is an ace, or a card not among the others that completes a straight, a \
             flush, a straight flush or a royal flush."
        }
        JokerUse::Wild => "The joker is any card not among the others, or the fifth of a rank.",
    };
    words.push(format!(
        "{joker} Natural means without the joker. No straight runs on past the ace, and A-2-3-4-5 \
         of one suit is no royal flush."
    ));
    if ruleset.bonus_bets().iter().any(|bet| bet.row_counts(ruleset.hand_cards()).is_some()) {
        words.push(
            "Beside each row stands how many hands it pays, exactly, of all different hands that \
             the deck can make, which are equally likely; \"1 in\" says of how many it pays one. \
             The return is what is handed back on average per unit staked, the stake of a win and \
             of a push included."
                .to_owned(),
        );
    }
    words
}

/// Returns the sentences on the cards that one bonus bet looks at, and on the seats that may bet
/// it.
pub(in crate::rules) fn bonus_bet(bet: &BonusBet, ruleset: &Ruleset) -> Vec<String> {
    let mut words = vec![looks_at(bet.looks_at, ruleset)];
    if bet.asks_colour() {
        words.push(
            "With the wager the player names a colour, red (diamonds and hearts) or black (clubs \
             and spades). The joker is of neither colour."
                .to_owned(),
        );
    }
    words.push(
        if bet.needs_base {
            "It may be bet only beside a base wager at the same seat."
        } else {
            "It may be bet without a base wager."
        }
        .to_owned(),
    );
    let place = |made| {
        let term = Term { asked: Asked::Cards(CardTerm::Made(made)), is_negated: false };
        bet.rows.iter().position(|row| row.condition.terms().eq([term]))
    };
    if bet.looks_at != BetSubject::FirstThree
        && let Some(three) = place(PokerHand::ThreeOfAKind)
        && let Some(straight) = place(PokerHand::Straight)
        && three < straight
    {
        words.push(
            "Three of a kind stands above the straight here, unlike in play: a hand that holds \
             both is paid as three of a kind."
                .to_owned(),
        );
    }
    if let Some(meter) = bet.meter {
        words.extend(of_meter(meter, bet, ruleset));
    }
    let is_whole = |pays: RowPayment| pays.odds().is_none_or(Odds::is_whole);
    if !bet.rows.iter().all(|row| is_whole(row.pays)) {
        words.push(format!("A win is {}.", rounded(bet.rounding, "minor unit")));
    }
    words
}

/// Returns the sentences on a meter and on its shares.
fn of_meter(meter: Meter, bet: &BonusBet, ruleset: &Ruleset) -> Vec<String> {
    let currency = ruleset.currency();
    vec![
        format!(
            "The stake is {}. The casino adds {} of it to a meter. The table states what the meter \
             holds before the cards are dealt, at least its seed of {}.",
            money(bet.limits.minimum, currency),
            share(meter.contribution),
            money(meter.seed, currency)
        ),
        "A row that pays a share of the meter pays that share of what the table stated, a fraction of a \
         minor unit dropped, and the stake is returned. The wagers of one row in a round divide it \
         equally. The row that pays least is paid first, and all together never win more than the meter."
            .to_owned(),
    ]
}

fn looks_at(what: BetSubject, ruleset: &Ruleset) -> String {
    let (cards, dealer) = (in_words(ruleset.hand_cards()), dealer(ruleset));
    match what {
        BetSubject::SeatHand => {
            format!("It is judged on all {cards} cards dealt to the seat, however they are set.")
        }
        BetSubject::DealerHand => format!(
            "It is judged on all {cards} cards dealt to the {dealer}, however they are set: it \
             wins or loses for all seats alike."
        ),
        BetSubject::FirstThree => {
            "It is judged on the first three cards dealt to the seat, and final before any others \
             are dealt."
                .to_owned()
        }
        BetSubject::SeatSetHands => {
            "It is judged on the two hands of the seat as they are set, by the player or by the house \
             way. A foul hand loses."
                .to_owned()
        }
        BetSubject::Showdown => format!(
            "It is judged on the hands of the seat and of the {dealer}, both set by the house \
             way, however the player sets his; the {dealer} wins copies."
        ),
    }
}

/// Returns the sentences on the wins of a bet by the hands of other seats.
pub(in crate::rules) fn to_others(
    terms: &OtherSeatTerms,
    bet: &BonusBet,
    ruleset: &Ruleset,
) -> Vec<String> {
    let mut words = vec![
        format!(
            "{} ({}): a wager of at least {} on this bet also wins the fixed amount that the \
             table names, for the hand of each other player that is of such a row. Several hands \
             each pay.",
            terms.title,
            terms.bet,
            money(terms.threshold, ruleset.currency())
        ),
        format!(
            "Another player is another seat with a base wager in the round, whether or not it \
             bets {}. One's own hand, the {}'s and dead hands never count.",
            bet.title,
            dealer(ruleset)
        ),
    ];
    if ruleset.banking().is_some() {
        words.push("The seat of a player who banks counts as any other.".to_owned());
    }
    words
}

/// Returns the sentence on why a bet has no figures.
pub(in crate::rules) fn without_figures() -> String {
    "How often it wins depends on both hands and on the house way, whose pairs of hands are not \
     counted here."
        .to_owned()
}
