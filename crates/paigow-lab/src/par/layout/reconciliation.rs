//! Published figures on a page.

use super::super::page::{ParBlock, ParRowKind, ParSection, ParTable, ParTableRow, figures, words};
use super::super::reconcile::{ReconciledFigure, Reconciliation, ReconciliationVerdict};
use super::none;

pub(super) fn section(told: &Reconciliation) -> ParSection {
    let section = ParSection::new("reconciliation", "Published figures");
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
    let differing: Vec<&ReconciledFigure> =
        told.figures.iter().filter(|one| one.verdict != ReconciliationVerdict::Matches).collect();
    if !differing.is_empty() {
        section = section.with(ParBlock::Table(reasons(&differing)));
    }
    for figures in told.figures.chunk_by(|a, b| (&a.source, &a.table) == (&b.source, &b.table)) {
        section = section.with(ParBlock::Table(table(figures)));
    }
    section
}

fn line(one: &ReconciledFigure, cells: Vec<String>) -> ParTableRow {
    let kind = match one.verdict {
        ReconciliationVerdict::Matches => ParRowKind::Plain,
        ReconciliationVerdict::Explained => ParRowKind::Marked,
        ReconciliationVerdict::Differs => ParRowKind::Wrong,
    };
    ParTableRow { cells, kind }
}

fn exact(one: &ReconciledFigure) -> String {
    one.as_printed.clone().unwrap_or_else(none)
}

fn reasons(differing: &[&ReconciledFigure]) -> ParTable {
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
    ParTable {
        caption: "Figures that differ, and why".to_owned(),
        columns: vec![words("Figure"), figures("Printed"), figures("Exactly"), words("Why")],
        rows: rows.collect(),
    }
}

fn table(all: &[ReconciledFigure]) -> ParTable {
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
    ParTable {
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
