//! The tables of this casino: which ruleset each plays, within which limits, and its rules as the page shows them.

use paigow_proto::v1::{self as pb, Bet, JokerUse, Ruleset, TableFactName, Wheel};
use serde::Serialize;
use serde_json::{Value, json};

use crate::state::{Colour, PlacedWager};

/// The currency of every table.
pub(crate) const CURRENCY: &str = "USD";
pub(crate) const EXPONENT: i32 = 2;

/// The least base wager of a table, if its ruleset does not require more, and the most of any wager, in minor units.
const TABLE_MINIMUM: i64 = 500;
const TABLE_MAXIMUM: i64 = 50_000;
/// The most of a wager that is not the base wager.
const BONUS_MAXIMUM: i64 = 10_000;
/// The lowest chip.
const CHIP: i64 = 100;
/// The money of the player-dealer of Mike's Card Room, whom the casino plays here.
const BANK: i64 = 1_000_000_000;

/// The tables: ruleset and name of the game.
pub(crate) const TABLES: [(&str, &str); 6] = [
    ("express", "Pai Gow Express"),
    ("face-up", "Face-Up Pai Gow Poker"),
    ("mini-community", "Mini Pai Gow"),
    ("mania", "Pai Gow Mania"),
    ("mikes", "Mike's Card Room"),
    ("online", "Online Pai Gow Poker"),
];

/// The rules of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableRules {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) game: String,
    pub(crate) seats: i32,
    pub(crate) ruleset: Ruleset,
}

/// A wager that the table does not take, in a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WagerRefused(String);

impl TableRules {
    pub(crate) fn new(game: &str, ruleset: Ruleset) -> Self {
        Self {
            id: ruleset.id.clone(),
            title: ruleset.title.clone(),
            game: game.to_owned(),
            seats: ruleset.seats,
            ruleset,
        }
    }

    /// Returns the least and the most of a bet at this table.
    fn limits(&self, bet: &Bet) -> (i64, i64) {
        let is_base = bet.id == "base";
        let least = if is_base {
            bet.minimum_minor.max(TABLE_MINIMUM)
        } else {
            bet.minimum_minor.max(CHIP)
        };
        let most = bet.maximum_minor.min(if is_base { TABLE_MAXIMUM } else { BONUS_MAXIMUM });
        (least, most)
    }

    /// Checks the wagers of a seat as the engine will.
    pub(crate) fn check(&self, wagers: &[PlacedWager]) -> Result<(), WagerRefused> {
        let refused = |sentence: String| Err(WagerRefused(sentence));
        if wagers.is_empty() {
            return refused("Place a wager first.".to_owned());
        }
        for (at, wager) in wagers.iter().enumerate() {
            let Some(bet) = self.ruleset.bets.iter().find(|bet| bet.id == wager.bet) else {
                return refused(format!("This table has no bet {}.", wager.bet));
            };
            if wagers[..at].iter().any(|other| other.bet == wager.bet) {
                return refused(format!("{} is there twice.", bet.title));
            }
            let (least, most) = self.limits(bet);
            if !(least..=most).contains(&wager.amount_minor) {
                return refused(format!(
                    "{} takes {} to {}.",
                    bet.title,
                    amount(least),
                    amount(most)
                ));
            }
            if wager.amount_minor % CHIP != 0 {
                return refused(format!("{}: the lowest chip is {}.", bet.title, amount(CHIP)));
            }
            if bet.asks_choice != wager.choice.is_some() {
                return refused(format!(
                    "{}: name a colour where the bet asks for one.",
                    bet.title
                ));
            }
            if bet.needs_base && !wagers.iter().any(|other| other.bet == "base") {
                return refused(format!("{} needs a base wager.", bet.title));
            }
        }
        Ok(())
    }

    /// Returns the fee of a seat with a base wager.
    pub(crate) fn fee(&self, base_minor: i64) -> i64 {
        let bands = self.ruleset.fees.iter().flat_map(|fees| &fees.player);
        let mut holding = bands.filter(|band| band.up_to_minor.is_none_or(|end| base_minor <= end));
        if base_minor == 0 { 0 } else { holding.next().map_or(0, |band| band.fee_minor) }
    }

    /// Returns the sheet of a round.
    pub(crate) fn sheet<'a>(
        &self,
        hands: impl Iterator<Item = (i32, &'a [PlacedWager])>,
    ) -> pb::WagerSheet {
        let takes = |name: TableFactName| self.ruleset.facts.iter().any(|fact| fact.name() == name);
        let fact = |name, value| takes(name).then_some(value);
        let needed = |name, value| {
            let is_needed =
                self.ruleset.facts.iter().any(|fact| fact.name() == name && fact.required);
            is_needed.then_some(value)
        };
        pb::WagerSheet {
            currency: Some(pb::Currency { code: CURRENCY.to_owned(), exponent: EXPONENT }),
            wagers: hands
                .flat_map(|(seat, wagers)| {
                    wagers.iter().map(move |wager| engine_wager(seat, wager))
                })
                .collect(),
            chip_minor: needed(TableFactName::ChipMinor, CHIP),
            table_max_minor: fact(TableFactName::TableMaxMinor, TABLE_MAXIMUM),
            bank_minor: needed(TableFactName::BankMinor, BANK),
            action_pile: needed(TableFactName::ActionPile, 0)
                .map(|pile| i32::try_from(pile).unwrap_or(0)),
            bet_limits: self
                .ruleset
                .bets
                .iter()
                .filter(|bet| bet.id != "base")
                .map(|bet| pb::BetLimit { bet: bet.id.clone(), max_minor: self.limits(bet).1 })
                .collect(),
            ..pb::WagerSheet::default()
        }
    }

    /// Returns the title of a bet, or of the wins by hands of other seats.
    pub(crate) fn bet_title<'a>(&'a self, id: &'a str) -> &'a str {
        let own = self.ruleset.bets.iter().find(|bet| bet.id == id).map(|bet| bet.title.as_str());
        let others = || self.ruleset.bets.iter().filter_map(|bet| bet.other_seats.as_ref());
        own.or_else(|| others().find(|other| other.bet == id).map(|other| other.title.as_str()))
            .unwrap_or(id)
    }

    /// Returns the title of a row of a pay table.
    pub(crate) fn row_title<'a>(&'a self, row: &'a str) -> &'a str {
        let rows = self.ruleset.bets.iter().flat_map(|bet| &bet.rows);
        rows.into_iter().find(|one| one.id == row).map_or(row, |one| one.title.as_str())
    }

    /// Returns the rules as the page shows them. `verify` is what the page checks a round by.
    pub(crate) fn to_json(&self, verify: &Value) -> Value {
        let ruleset = &self.ruleset;
        let low_cards = ruleset.hand_cards - 5;
        let bets: Vec<Value> = ruleset
            .bets
            .iter()
            .map(|bet| {
                let (least, most) = self.limits(bet);
                json!({
                    "id": bet.id,
                    "title": bet.title,
                    "minimum_minor": least,
                    "maximum_minor": most,
                    "needs_base": bet.needs_base,
                    "asks_choice": bet.asks_choice,
                    "others": bet.other_seats.as_ref().map(|others| {
                        json!({"title": others.title, "threshold_minor": others.threshold_minor})
                    }),
                    "rows": bet.rows.iter().map(|row| json!({
                        "title": row.title,
                        "pays": row.pays.as_ref().map_or_else(|| "push".to_owned(), odds),
                        "others_minor": row.others_minor,
                    })).collect::<Vec<_>>(),
                })
            })
            .collect();
        let fees: Vec<ShownFee> = ruleset
            .fees
            .iter()
            .flat_map(|fees| &fees.player)
            .map(|band| ShownFee { up_to_minor: band.up_to_minor, fee_minor: band.fee_minor })
            .collect();
        json!({
            "id": self.id,
            "title": self.title,
            "game": self.game,
            "ruleset": ruleset.id,
            "ruleset_hash": ruleset.hash,
            "seats": ruleset.seats,
            "hand_cards": ruleset.hand_cards,
            "low_cards": low_cards,
            "wheel": if ruleset.wheel() == Wheel::Lowest { "lowest" } else { "second" },
            "joker": if ruleset.joker() == JokerUse::Wild { "wild" } else { "semi-wild" },
            "exposes_dealer": ruleset.exposes_dealer,
            "double_down": ruleset.double_down.as_ref().map(|terms| {
                json!({"qualifying_pair": terms.qualifying_pair})
            }),
            "currency": {"code": CURRENCY, "exponent": EXPONENT},
            "house_way": ruleset.house_way,
            "bets": bets,
            "fees": fees,
            "verify": verify,
        })
    }
}

#[derive(Serialize)]
struct ShownFee {
    up_to_minor: Option<i64>,
    fee_minor: i64,
}

fn engine_wager(seat: i32, wager: &PlacedWager) -> pb::Wager {
    let choice = match wager.choice {
        None => pb::Choice::Unspecified,
        Some(Colour::Red) => pb::Choice::Red,
        Some(Colour::Black) => pb::Choice::Black,
    };
    pb::Wager {
        seat,
        bet: wager.bet.clone(),
        amount_minor: wager.amount_minor,
        choice: choice.into(),
        client_seed: String::new(),
    }
}

/// Returns odds as a layout prints them.
pub(crate) fn odds(pays: &pb::Fraction) -> String {
    format!("{} to {}", pays.num, pays.den)
}

/// Returns an amount in words for a sentence.
pub(crate) fn amount(minor: i64) -> String {
    format!("{}.{:02} {CURRENCY}", minor / 100, minor % 100)
}
