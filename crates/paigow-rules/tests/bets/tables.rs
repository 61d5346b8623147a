//! The published pay tables and their figures, and bets made of them.

use paigow_rules::game::{
    BetId, BetSubject, BonusBet, Condition, Odds, OneColour, OtherSeatTerms, PayRow, Rounding,
    RowPayment, StakeLimits, Titles,
};
use serde::Deserialize;

/// A pay table and what is published of it; the file says what each member means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) bet: String,
    pub(crate) cards: usize,
    pub(crate) one_colour: Option<String>,
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
    pub(crate) condition: String,
    pub(crate) hands: Option<u64>,
    pub(crate) printed: Option<String>,
    pub(crate) corrected: Option<String>,
    pub(crate) to_others: Option<i64>,
    pub(crate) printed_to_others: Option<String>,
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

impl Table {
    /// Returns the bet with these rows, from one minor unit up.
    /// The cards that decide the bet, by the sources.
    fn looks_at(&self) -> BetSubject {
        match self.bet.as_str() {
            "queens_dragon" => BetSubject::DealerHand,
            "three_card" => BetSubject::FirstThree,
            "red_black" => BetSubject::Colour,
            "bonus" | "pai_gow_bonus" | "outlaw_9" | "dynasty" | "protection" => {
                BetSubject::SeatHand
            }
            other => panic!("{other} has no published table"),
        }
    }

    pub(crate) fn bonus_bet(&self) -> BonusBet {
        let id = BetId::from_name(&self.bet).unwrap();
        let reading = |name: &String| OneColour::ALL.into_iter().find(|one| one.name() == name);
        let reading = self.one_colour.as_ref().map(|name| reading(name).unwrap());
        let conditions = Condition::all_for(self.looks_at(), self.cards, reading);
        let row = |row: &TableRow| PayRow {
            id: row.id.clone(),
            title: row.title.clone(),
            titles: Titles::new(),
            pays: match row.pays.as_str() {
                "push" => RowPayment::Push,
                odds => RowPayment::Odds(Odds::parse(odds).unwrap()),
            },
            condition: *conditions.iter().find(|one| one.name() == row.condition).unwrap(),
            to_others: row.to_others,
        };
        BonusBet {
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
        }
    }
}
