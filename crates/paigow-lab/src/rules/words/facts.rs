//! Limits, table facts, void rounds, and sentences on the whole game.

use crate::rules::figures::{grouped, in_units, money};
use paigow_rules::game::{Coverage, MAX_BANK, MAX_STAKE, Ruleset, TableFact};

/// Returns the sentences on the accepted wagers.
pub(in crate::rules) fn limits(ruleset: &Ruleset) -> Vec<String> {
    let currency = ruleset.currency();
    let mut words = vec!["A wager is a whole number of minor units.".to_owned()];
    let bonus_limits = ruleset.bonus_bets().iter().map(|bet| bet.limits);
    let mut limits = std::iter::once(ruleset.base().limits).chain(bonus_limits);
    if limits.any(|limits| limits.maximum == MAX_STAKE) {
        words.push(format!(
            "Where no maximum is named a wager is at most {}.",
            money(MAX_STAKE, currency)
        ));
    }
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
    let most = ruleset.payout_limits();
    if let Some(most) = most.wager {
        words.push(format!(
            "A wager that could win more than {} at the highest odds of its bet is refused.",
            money(most, currency)
        ));
    }
    words.extend(together(ruleset));
    if ruleset.meter().is_some() {
        words.push(
            "A wager on the progressive bet counts there at its largest share of the meter that the \
             table states."
                .to_owned(),
        );
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

/// The bounds of the wins of a seat and of a round, in a sentence.
fn together(ruleset: &Ruleset) -> Option<String> {
    let most = ruleset.payout_limits();
    let bound = |whose: &str, most: i64| {
        let most = money(most, ruleset.currency());
        format!("wagers of {whose} that could together win more than {most}")
    };
    let bounds = [("one seat", most.seat), ("a round", most.round)];
    let bounds: Vec<String> =
        bounds.iter().filter_map(|(whose, most)| Some(bound(whose, (*most)?))).collect();
    if bounds.is_empty() {
        return None;
    }
    let doubled = match ruleset.double_down() {
        Some(_) => " The base wager counts twice, as it may be doubled.",
        None => "",
    };
    let others = if ruleset.bonus_bets().iter().any(|bet| bet.to_others.is_some()) {
        " What the hands of all other seats could pay counts too."
    } else {
        ""
    };
    let bounds = bounds.join(", and ");
    Some(format!(
        "Refused are {bounds}. Each wager counts at the highest odds of its bet.{doubled}{others}"
    ))
}

/// Returns the sentence that describes a table fact.
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
        TableFact::MeterMinor => {
            let range = ruleset.fact_range(fact);
            format!(
                "What the meter of the progressive bet holds, in minor units: {} to {}.",
                grouped(*range.start()),
                grouped(*range.end())
            )
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

/// Returns the sentences on a round that cannot be finished.
pub(in crate::rules) fn void() -> Vec<String> {
    vec![
        "A void round returns every stake, those of double downs and of bets that the deal made \
         final included, and refunds the fees. Nothing is won for the hands of others, and every \
         net is 0."
            .to_owned(),
    ]
}

/// Returns the sentences that hold for the whole game.
pub(in crate::rules) fn general(ruleset: &Ruleset) -> Vec<String> {
    let currency = match ruleset.currency() {
        Some(currency) => format!(
            "All amounts are in {}, whose minor unit is {}. Wagers in another currency are \
             refused.",
            currency.code(),
            in_units(1, currency)
        ),
        None => {
            "The rules take any currency with 0 to 4 decimal places. What they name at most is \
                 in its minor units."
                .to_owned()
        }
    };
    vec![
        "Each seat places each bet at most once; position 0 never wagers. Backline bets are not \
         modelled: each betting circle is a seat of its own."
            .to_owned(),
        currency,
    ]
}
