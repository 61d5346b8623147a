//! From a document to its pages.

mod base;
mod bonus;
mod many_rounds;
mod money;
mod reconciliation;

use super::exact::ParFraction;
use super::page::{ParBlock, ParPage, ParPages, ParSection, ParTable, ParTableRow, figures, words};
use super::plots::{BarPart, Plot, PlotShape, ReturnBar};
use super::sheet::{BetPar, Par, ParDocument, ReadingPar};
use crate::readings::ReadingEntry;
use crate::rules::figures::is_low;

/// Lays out a document.
pub(super) fn pages(document: &ParDocument) -> ParPages {
    let (title, heading) = match &document.sheets[..] {
        [only] => (format!("PAR sheet: {}", only.ruleset.title), "PAR sheet"),
        _ => ("PAR sheets of Pai Gow Poker".to_owned(), "PAR sheets of Pai Gow Poker"),
    };
    ParPages {
        title,
        heading: heading.to_owned(),
        program: document.program.clone(),
        method: document.method.iter().map(|&words| words.to_owned()).collect(),
        overview: (document.sheets.len() > 1).then(|| overview(&document.sheets)),
        pages: document.sheets.iter().map(page).collect(),
    }
}

fn page(sheet: &Par) -> ParPage {
    let mut sections = vec![bets(sheet), base::section(sheet)];
    sections.extend(sheet.bonus_bets.iter().map(|bet| bonus::section(bet, sheet)));
    sections.push(many_rounds::section(sheet));
    sections.extend(money::sections(sheet));
    sections.push(reconciliation::section(&sheet.reconciliation));
    sections.extend(readings(&sheet.readings));
    ParPage {
        id: sheet.ruleset.id.clone(),
        title: sheet.ruleset.title.clone(),
        about: about(sheet),
        sections,
    }
}

/// The open readings; [`None`] if the list is empty.
fn readings(all: &[ReadingEntry]) -> Option<ParSection> {
    if all.is_empty() {
        return None;
    }
    let row = |one: &ReadingEntry| {
        ParTableRow::plain(vec![
            one.bet.clone().unwrap_or_else(|| "house way".to_owned()),
            one.text.clone(),
            one.here.clone(),
            one.other.clone(),
            one.effect(),
            one.key.clone(),
            one.settled_by.clone(),
        ])
    };
    let table = ParTable {
        caption: "Sentences that can be read in two ways, and what the other reading pays"
            .to_owned(),
        columns: vec![
            words("Of"),
            words("Sentence"),
            words("Here"),
            words("Other reading"),
            words("Effect"),
            words("Key"),
            words("Could be settled by"),
        ],
        rows: all.iter().map(row).collect(),
    };
    let section = ParSection::new("readings", "Open readings of the sources");
    Some(section.with(ParBlock::Table(table)))
}

fn about(sheet: &Par) -> Vec<(&'static str, String)> {
    let currency = match (&sheet.currency, sheet.exponent) {
        (Some(code), Some(exponent)) => format!("{code}, {exponent} decimal places"),
        _ => "any".to_owned(),
    };
    vec![
        ("Ruleset", sheet.ruleset.id.clone()),
        ("Ruleset hash", sheet.ruleset.hash.clone()),
        ("Source", sheet.ruleset.source.clone()),
        ("House way", sheet.house_way.id.clone()),
        ("House way hash", sheet.house_way.hash.clone()),
        ("Currency", currency),
        ("Cards of a hand", sheet.hand_cards.to_string()),
        ("Players' seats", sheet.seats.to_string()),
    ]
}

/// All games, a line each.
fn overview(sheets: &[Par]) -> ParTable {
    let line = |sheet: &Par| {
        let own = sheet.base.own.as_ref();
        let edge = |reading: Option<&ReadingPar>| {
            reading.map_or_else(none, |reading| percent(reading.house_edge, 4))
        };
        let bets = sheet.bonus_bets.iter().filter_map(|bet| {
            let figures = bet.figures.as_ref()?;
            Some(format!("{} {}", bet.title, percent(figures.house_edge, 4)))
        });
        let told = &sheet.reconciliation;
        ParTableRow::plain(vec![
            sheet.ruleset.id.clone(),
            sheet.house_way.id.clone(),
            edge(own.and_then(|way| way.readings.first())),
            edge(sheet.base.best_play.as_ref()),
            bets.collect::<Vec<_>>().join("; "),
            match told.figures.len() {
                0 => none(),
                all => format!("{} of {all}", told.matching),
            },
        ])
    };
    ParTable {
        caption:
            "House edges of all bets, and how many published figures equal the exact ones to the \
                  last digit"
                .to_owned(),
        columns: vec![
            words("Ruleset"),
            words("House way"),
            figures("Base game by house way"),
            figures("by best play"),
            words("Bonus bets"),
            figures("Figures"),
        ],
        rows: sheets.iter().map(line).collect(),
    }
}

fn base_line(name: &str, reading: &ReadingPar) -> ParTableRow {
    ParTableRow::plain(vec![
        name.to_owned(),
        percent(reading.returned, 6),
        percent(reading.house_edge, 6),
        percent(reading.win_rate, 6),
        percent(reading.push_rate, 6),
        shortened(&reading.spread.deviation),
        none(),
    ])
}

/// All bets of a game, a line each.
fn bets(sheet: &Par) -> ParSection {
    let mut rows = Vec::new();
    let mut bars = Vec::new();
    if let Some(own) = sheet.base.own.as_ref().and_then(|way| way.readings.first()) {
        rows.push(base_line("Base wager by house way", own));
        let part = |label: &str, value| BarPart { label: label.to_owned(), value };
        // The results of a double down count with the wins.
        let win = if own.doubling.is_some() { "Win, doubles included" } else { "Win" };
        let pushed = own.push_rate.0;
        if let Some(won) = own.returned.0.minus(pushed) {
            bars.push(ReturnBar {
                label: "Base wager".to_owned(),
                parts: vec![part(win, won), part("Push", pushed)],
                figure: percent(own.returned, 2),
            });
        }
    }
    let best = sheet.base.best_play.as_ref();
    rows.extend(best.map(|best| base_line("Base wager by best play", best)));
    for bet in &sheet.bonus_bets {
        rows.push(ParTableRow::plain(bet_line(bet)));
        bars.extend(return_bar(bet));
    }
    let most = sheet.seats;
    let table = ParTable {
        caption: format!(
            "All bets, per unit staked. The last column is the house edge with all {most} seats \
             played, for the least stake that qualifies."
        ),
        columns: vec![
            words("Bet"),
            figures("Return"),
            figures("House edge"),
            figures("Hit rate"),
            figures("Push rate"),
            figures("Standard deviation"),
            figures("House edge, all seats"),
        ],
        rows,
    };
    let section = ParSection::new("bets", "All bets").with(ParBlock::Table(table));
    let section = match best {
        None => section.say("What the base wager returns by best play is not counted."),
        Some(best) if is_low(best.house_edge.0) => section.say(format!(
            "Note: best play leaves the house {} of the base wager, which is less than 0.5 %.",
            percent(best.house_edge, 6)
        )),
        Some(_) => section,
    };
    if bars.is_empty() {
        return section;
    }
    let told: Vec<String> =
        bars.iter().map(|bar| format!("{} {}", bar.label, bar.figure)).collect();
    section.with(ParBlock::Plot(Plot {
        id: "returns".to_owned(),
        title: "What each bet hands back of a stake, by the rows that pay it".to_owned(),
        description: format!("Returns: {}. What is left is the house edge.", told.join(", ")),
        drawn: PlotShape::Returns(bars),
    }))
}

fn bet_line(bet: &BetPar) -> Vec<String> {
    let figure = |of: fn(&super::sheet::BetFigures) -> ParFraction| {
        bet.figures.as_ref().map_or_else(none, |figures| percent(of(figures), 6))
    };
    let beside = bet.to_others.as_ref().and_then(|others| others.by_players.last());
    vec![
        bet.title.clone(),
        figure(|figures| figures.returned),
        figure(|figures| figures.house_edge),
        figure(|figures| figures.hit_rate),
        figure(|figures| figures.push_rate),
        bet.figures.as_ref().map_or_else(none, |figures| shortened(&figures.spread.deviation)),
        beside.map_or_else(none, |beside| percent(beside.house_edge, 6)),
    ]
}

fn return_bar(bet: &BetPar) -> Option<ReturnBar> {
    let figures = bet.figures.as_ref()?;
    let part = |row: &super::sheet::RowPar| {
        Some(BarPart { label: row.title.clone(), value: row.figures?.returned.0 })
    };
    Some(ReturnBar {
        label: bet.title.clone(),
        parts: bet.rows.iter().filter_map(part).collect(),
        figure: percent(figures.returned, 2),
    })
}

/// Returns a share in per cent with so many decimal places, `92.67 %`.
fn percent(exact: ParFraction, places: usize) -> String {
    let hundred = paigow_rules::game::Fraction::from(100);
    exact.0.times(hundred).map_or_else(none, |percent| format!("{} %", percent.decimal(places)))
}

/// Returns a decimal of twelve places with six.
fn shortened(decimal: &str) -> String {
    let end = decimal.find('.').map_or(decimal.len(), |point| decimal.len().min(point + 7));
    decimal[..end].to_owned()
}

/// The text in place of a missing figure.
fn none() -> String {
    "\u{2013}".to_owned()
}

/// Returns lines of names, fractions and decimals.
fn exact_line(name: &str, exact: ParFraction) -> ParTableRow {
    ParTableRow::plain(vec![
        name.to_owned(),
        exact.0.to_string(),
        exact.0.decimal(super::exact::PLACES),
    ])
}

/// Returns a table of fractions.
fn exact_table(caption: &str, rows: Vec<ParTableRow>) -> ParTable {
    ParTable {
        caption: caption.to_owned(),
        columns: vec![words("Figure"), figures("Exactly"), figures("Decimal")],
        rows,
    }
}
