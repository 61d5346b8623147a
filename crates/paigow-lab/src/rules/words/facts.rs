//! Limits, table facts, void rounds, and what holds for the whole game.

use crate::rules::figures::{grouped, in_units, money};
use paigow_rules::game::{Coverage, MAX_BANK, MAX_STAKE, Ruleset, TableFact};

/// What wagers are taken.
pub(in crate::rules) fn limits(ruleset: &Ruleset) -> Vec<String> {
    let currency = ruleset.currency();
    let mut words = vec![format!(
        "A wager is a whole number of minor units. Where no maximum is named it is at most {}.",
        money(MAX_STAKE, currency)
    )];
    let facts = || ruleset.required_facts().iter().chain(ruleset.optional_facts());
    if facts().any(|fact| matches!(fact, TableFact::TableMinMinor | TableFact::TableMaxMinor)) {
        words.push(
            "A table may narrow these limits and never widen them: its minimum is for the base \
             wager, its maximum for every wager."
                .to_owned(),
        );
    }
    if facts().any(|fact| *fact == TableFact::ChipMinor) {
        words.push("Every wager is a multiple of the lowest chip in play.".to_owned());
    }
    if let Some(most) = ruleset.max_payout() {
        words.push(format!(
            "A wager that could win more than {} at the highest odds of its bet is refused.",
            money(most, currency)
        ));
    }
    if ruleset.coverage() == Coverage::House {
        words.push(format!(
            "All that the wagers of a round could move together is at most {} minor units.",
            grouped(i64::MAX)
        ));
    }
    // A player-dealer's bank may be too small for a win.
    let uncut = match ruleset.coverage() {
        Coverage::House => " Nothing is cut at settlement.",
        Coverage::PlayerDealer => "",
    };
    words.push(format!("A wager outside the limits is refused before the deal.{uncut}"));
    words
}

/// What a table fact is.
pub(in crate::rules) fn fact(fact: TableFact, ruleset: &Ruleset) -> String {
    match fact {
        TableFact::ActionPile => {
            "The pile that the player-dealer names for the first position, 0 to 6.".to_owned()
        }
        TableFact::BankMinor => {
            let who = match ruleset.coverage() {
                Coverage::House => "the player who banks",
                Coverage::PlayerDealer => "the player-dealer",
            };
            format!("The money that {who} puts up, in minor units: 1 to {}.", grouped(MAX_BANK))
        }
        TableFact::BankerSeat => {
            format!("The seat of the player who banks, 1 to {}; nobody if absent.", ruleset.seats())
        }
        TableFact::ChipMinor => {
            format!("The lowest chip in play, in minor units: 1 to {}.", grouped(MAX_STAKE))
        }
        TableFact::TableMaxMinor => format!(
            "The table's maximum for any wager, in minor units: 1 to {}.",
            grouped(MAX_STAKE)
        ),
        TableFact::TableMinMinor => format!(
            "The table's minimum for a base wager, in minor units: 1 to {}, and at most its maximum.",
            grouped(MAX_STAKE)
        ),
    }
}

/// What becomes of a round that cannot be finished.
pub(in crate::rules) fn void() -> Vec<String> {
    vec![
        "A void round returns every stake, those of double downs and of bets that the deal made \
         final included, and refunds the fees. Nothing is won for the hands of others, and every \
         net is 0."
            .to_owned(),
    ]
}

/// What holds for the whole game.
pub(in crate::rules) fn general(ruleset: &Ruleset) -> Vec<String> {
    let currency = match ruleset.currency() {
        Some(currency) => format!(
            "All amounts are in {}, whose minor unit is {}. Wagers in another currency are \
             refused.",
            currency.code(),
            in_units(1, currency)
        ),
        None => "The rules name no amounts, and take any currency with 0 to 4 decimal places."
            .to_owned(),
    };
    vec![
        "Each seat places each bet at most once; position 0 never wagers. Backline bets are not \
         modelled: each betting circle is a seat of its own."
            .to_owned(),
        currency,
    ]
}
