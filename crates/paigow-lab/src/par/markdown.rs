//! Pages as Markdown with tables, as GitHub and most other programs read it. Plots are left out,
//! because the tables have their figures.

use super::page::{ParBlock, ParColumn, ParPage, ParPages, ParRowKind, ParTable};
use crate::rules::markdown::escaped;

/// Writes pages as Markdown.
pub(super) fn markdown(pages: &ParPages) -> String {
    let mut text = format!("# {}\n\n{}\n\n", escaped(&pages.heading), escaped(&pages.program));
    for words in &pages.method {
        text += &format!("- {}\n", escaped(words));
    }
    if let Some(overview) = &pages.overview {
        text.push('\n');
        text += &table(overview);
    }
    for page in &pages.pages {
        text += &one(page);
    }
    text
}

fn one(page: &ParPage) -> String {
    let mut text = format!("\n## {}\n\n| Of | Value |\n|---|---|\n", escaped(&page.title));
    for (name, value) in &page.about {
        text += &format!("| {} | {} |\n", escaped(name), escaped(value));
    }
    for section in &page.sections {
        text += &format!("\n### {}\n", escaped(&section.title));
        for block in &section.blocks {
            match block {
                ParBlock::Paragraph(words) => text += &format!("\n{}\n", escaped(words)),
                ParBlock::Table(of) => {
                    text.push('\n');
                    text += &table(of);
                }
                ParBlock::Plot(_) => {}
            }
        }
    }
    text
}

fn table(table: &ParTable) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = format!("**{}**\n\n", escaped(&table.caption));
    text += &row(table.columns.iter().map(|column| escaped(column.title)).collect());
    let rule = |column: &ParColumn| if column.is_figure { "---:|" } else { "---|" };
    text.push('|');
    text.extend(table.columns.iter().map(rule));
    text.push('\n');
    for line in &table.rows {
        let mark = |cell: &String| match line.kind {
            ParRowKind::Plain | ParRowKind::Marked => escaped(cell),
            ParRowKind::Total | ParRowKind::Wrong => format!("**{}**", escaped(cell)),
        };
        text += &row(line.cells.iter().map(mark).collect());
    }
    text
}
