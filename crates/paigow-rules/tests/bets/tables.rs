//! The published pay tables with their figures, and bets that are made from them.

use paigow_rules::game::{
    BetId, BetSubject, BonusBet, Condition, Odds, OtherSeatTerms, PayRow, Rounding, RowPayment,
    StakeLimits, Term, Titles,
};
use paigow_rules::hands::JokerUse;
use serde::Deserialize;
use serde_json::Value;

/// A pay table and its published figures. The file explains each member.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) bet: String,
    pub(crate) cards: usize,
    pub(crate) printed: Option<String>,
    pub(crate) to_others: Option<TableToOthers>,
    pub(crate) losing: Option<u64>,
    pub(crate) edge: Option<String>,
    pub(crate) corrected_edge: Option<String>,
    pub(crate) exact_edge: Option<String>,
    #[serde(default)]
    pub(crate) printed_losing: Vec<Losing>,
    pub(crate) printed_total: Option<String>,
    pub(crate) printed_total_to_others: Option<String>,
    #[serde(default)]
    pub(crate) edge_by_players: Vec<String>,
    #[serde(default)]
    pub(crate) detail: Vec<(u64, String, String)>,
    pub(crate) detail_total: Option<(String, String)>,
    #[serde(default)]
    pub(crate) detail_to_others: Vec<(u64, String, String)>,
    pub(crate) detail_total_to_others: Option<(u64, String, String)>,
    pub(crate) rows: Vec<TableRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableRow {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) pays: String,
    pub(crate) condition: Value,
    pub(crate) hands: Option<u64>,
    pub(crate) printed: Option<String>,
    pub(crate) corrected: Option<String>,
    pub(crate) to_others: Option<i64>,
    pub(crate) printed_to_others: Option<String>,
    #[serde(default)]
    pub(crate) notify_floor: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableToOthers {
    bet: String,
    threshold: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Losing {
    pub(crate) hands: u64,
    pub(crate) printed: String,
}

/// Returns all tables of the file.
pub(crate) fn tables() -> Vec<Table> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        about: Vec<String>,
        tables: Vec<Table>,
    }
    let file: File = serde_json::from_str(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/published-bets.json"
    )))
    .unwrap();
    assert!(!file.about.is_empty());
    file.tables
}

/// Returns the table with this id.
pub(crate) fn table(id: &str) -> Table {
    tables().into_iter().find(|table| table.id == id).unwrap()
}

/// Reads a condition as a ruleset has it.
pub(crate) fn condition(value: &Value, looks_at: BetSubject, cards: usize) -> Condition {
    let cards = u8::try_from(cards).unwrap();
    let term = |text: &Value| Term::parse(text.as_str().unwrap(), looks_at, cards).unwrap();
    let group = |group: &Value| match group.as_array() {
        Some(terms) => terms.iter().map(term).collect(),
        None => vec![term(group)],
    };
    let groups = match value.as_array() {
        Some(groups) if groups.iter().any(Value::is_array) => groups.iter().map(group).collect(),
        Some(_) | None => vec![group(value)],
    };
    Condition::new(groups).unwrap()
}

impl Table {
    /// Returns the cards that decide the bet according to the sources.
    fn looks_at(&self) -> BetSubject {
        match self.bet.as_str() {
            "queens_dragon" | "ace_high" => BetSubject::DealerHand,
            "three_card" => BetSubject::FirstThree,
            "bonus" | "challenge" | "pai_gow_bonus" | "outlaw_9" | "dynasty" | "protection"
            | "red_black" | "insurance" => BetSubject::SeatHand,
            other => panic!("{other} has no published table"),
        }
    }

    /// Returns the bet with these rows. Its lowest stake is one minor unit.
    pub(crate) fn bonus_bet(&self) -> BonusBet {
        let id = BetId::from_name(&self.bet).unwrap();
        let looks_at = self.looks_at();
        let row = |row: &TableRow| PayRow {
            id: row.id.clone(),
            title: row.title.clone(),
            titles: Titles::new(),
            pays: match row.pays.as_str() {
                "push" => RowPayment::Push,
                odds => RowPayment::Odds(Odds::parse(odds).unwrap()),
            },
            condition: condition(&row.condition, looks_at, self.cards),
            to_others: row.to_others,
            notify_floor: row.notify_floor,
        };
        BonusBet {
            joker: JokerUse::SemiWild,
            id,
            title: self.id.clone(),
            titles: Titles::new(),
            looks_at: self.looks_at(),
            limits: StakeLimits { minimum: 1, maximum: 1_000_000 },
            needs_base: true,
            rows: self.rows.iter().map(row).collect(),
            rounding: Rounding::Down,
            to_others: self.to_others.as_ref().map(|to_others| OtherSeatTerms {
                bet: BetId::from_name(&to_others.bet).unwrap(),
                title: to_others.bet.clone(),
                titles: Titles::new(),
                threshold: to_others.threshold,
            }),
            meter: None,
        }
    }
}
