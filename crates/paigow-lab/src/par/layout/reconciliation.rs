//! Published figures on a page.

use super::super::page::{Block, Kind, Line, Section, Table, figures, words};
use super::super::reconcile::{Reconciled, Reconciliation, Verdict};
use super::none;

pub(super) fn section(told: &Reconciliation) -> Section {
    let section = Section::new("reconciliation", "Published figures");
    if told.figures.is_empty() {
        return section.say("No figures are published of this ruleset.");
    }
    let mut section = section.say(format!(
        "Of {} published figures {} equal the exact ones to the last digit, {} differ for a known \
         reason, and {} differ for none.",
        told.figures.len(),
        told.matching,
        told.explained,
        told.differing
    ));
    let differing: Vec<&Reconciled> =
        told.figures.iter().filter(|one| one.verdict != Verdict::Matches).collect();
    if !differing.is_empty() {
        section = section.with(Block::Table(reasons(&differing)));
    }
    for figures in told.figures.chunk_by(|a, b| (&a.source, &a.table) == (&b.source, &b.table)) {
        section = section.with(Block::Table(table(figures)));
    }
    section
}

fn line(one: &Reconciled, cells: Vec<String>) -> Line {
    let kind = match one.verdict {
        Verdict::Matches => Kind::Plain,
        Verdict::Explained => Kind::Marked,
        Verdict::Differs => Kind::Wrong,
    };
    Line { cells, kind }
}

fn exact(one: &Reconciled) -> String {
    one.as_printed.clone().unwrap_or_else(none)
}

fn reasons(differing: &[&Reconciled]) -> Table {
    let rows = differing.iter().map(|one| {
        let why = one.why.clone().unwrap_or_else(|| "not known".to_owned());
        let cells = vec![
            format!("{}: {}, {}", one.table, one.of, one.figure.replace('_', " ")),
            one.printed.clone(),
            exact(one),
            why,
        ];
        line(one, cells)
    });
    Table {
        caption: "Figures that differ, and why".to_owned(),
        columns: vec![words("Figure"), figures("Printed"), figures("Exactly"), words("Why")],
        rows: rows.collect(),
    }
}

fn table(all: &[Reconciled]) -> Table {
    let rows = all.iter().map(|one| {
        let value = one.exact.map_or_else(none, |exact| {
            if exact.0.den() == 1 { exact.0.num().to_string() } else { exact.0.to_string() }
        });
        let cells = vec![
            one.of.clone(),
            one.figure.replace('_', " "),
            one.printed.clone(),
            exact(one),
            value,
            one.verdict.name().to_owned(),
        ];
        line(one, cells)
    });
    let place =
        all.first().map_or_else(String::new, |one| format!("{}. {}", one.table, one.source));
    Table {
        caption: place,
        columns: vec![
            words("Of"),
            words("Figure"),
            figures("Printed"),
            figures("Rounded as printed"),
            figures("Exactly"),
            words("Verdict"),
        ],
        rows: rows.collect(),
    }
}
