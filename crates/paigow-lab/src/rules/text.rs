//! A page as plain text: at most 80 columns, tables aligned.

use super::page::{ColumnAlignment, DefinedName, SheetBlock, SheetPage, SheetSection, SheetTable};

/// The widest line.
const WIDTH: usize = 80;
/// The number of spaces between two columns of a table.
const GAP: usize = 2;

/// Writes a page as text.
pub(super) fn text(page: &SheetPage) -> String {
    let mut lines = Vec::new();
    heading(&page.title, '=', &mut lines);
    for section in &page.sections {
        lines.push(String::new());
        section_lines(section, &mut lines);
    }
    lines.push(String::new());
    lines.join("\n")
}

fn section_lines(section: &SheetSection, lines: &mut Vec<String>) {
    let line = if section.level == 1 { '-' } else { '.' };
    heading(&section.title, line, lines);
    for block in &section.blocks {
        lines.push(String::new());
        match block {
            SheetBlock::Paragraph(words) => lines.extend(wrapped(words, WIDTH)),
            SheetBlock::Points(points) => {
                for point in points {
                    hanging("- ", point, "  ", lines);
                }
            }
            SheetBlock::Defined { items, .. } => defined(items, lines),
            SheetBlock::Table(table) => table_lines(table, lines),
        }
    }
}

fn heading(title: &str, line: char, lines: &mut Vec<String>) {
    let title = wrapped(title, WIDTH);
    let width = title.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    lines.extend(title);
    lines.push(line.to_string().repeat(width));
}

/// Writes `words` after `first`, and on every later line after `others`.
fn hanging(first: &str, words: &str, others: &str, lines: &mut Vec<String>) {
    let mut before = first;
    for line in wrapped(words, WIDTH - others.len()) {
        lines.push(format!("{before}{line}"));
        before = others;
    }
}

fn defined(items: &[(DefinedName, String)], lines: &mut Vec<String>) {
    let mut rows = Vec::new();
    for (name, words) in items {
        match &name.title {
            Some(title) => {
                lines.extend(wrapped(&format!("{title} ({})", name.id), WIDTH));
                hanging("    ", words, "    ", lines);
            }
            None => rows.push(vec![name.id.clone(), words.clone()]),
        }
    }
    if !rows.is_empty() {
        let widths = widths(&rows, 2);
        let aligns = [ColumnAlignment::Left; 2];
        lines.extend(rows.iter().flat_map(|row| row_lines(row, &widths, &aligns)));
    }
}

fn table_lines(table: &SheetTable, lines: &mut Vec<String>) {
    let titles: Vec<String> = table.columns.iter().map(|column| column.title.clone()).collect();
    let aligns: Vec<ColumnAlignment> = table.columns.iter().map(|column| column.align).collect();
    let has_titles = titles.iter().any(|title| !title.is_empty());
    let mut rows = table.rows.clone();
    rows.push(titles);
    let widths = widths(&rows, table.columns.len());
    if let Some(titles) = rows.pop().filter(|_| has_titles) {
        lines.extend(row_lines(&titles, &widths, &aligns));
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        lines.push(rules.join(&" ".repeat(GAP)));
    }
    lines.extend(rows.iter().flat_map(|row| row_lines(row, &widths, &aligns)));
}

/// Returns the width of each of `columns`: that of its widest cell. If they do not fit, the widest
/// column becomes narrower. A column that would break a word is narrowed last.
fn widths(rows: &[Vec<String>], columns: usize) -> Vec<usize> {
    let longest = |column: usize, length: &dyn Fn(&str) -> usize| {
        rows.iter().filter_map(|row| Some(length(row.get(column)?))).max().unwrap_or(0)
    };
    let cell = |text: &str| text.chars().count();
    let word = |text: &str| text.split_whitespace().map(cell).max().unwrap_or(0);
    let mut widths: Vec<(usize, usize)> =
        (0..columns).map(|column| (longest(column, &cell), longest(column, &word))).collect();
    let room = WIDTH - GAP * columns.saturating_sub(1);
    while widths.iter().map(|(width, _)| width).sum::<usize>() > room {
        let widest = |(width, word): &&mut (usize, usize)| (*width > *word, *width);
        let Some((width, _)) = widths.iter_mut().max_by_key(widest) else { break };
        *width -= 1;
    }
    widths.into_iter().map(|(width, _)| width).collect()
}

/// Returns the lines of a row, as many as its longest cell has.
fn row_lines(row: &[String], widths: &[usize], aligns: &[ColumnAlignment]) -> Vec<String> {
    let cells: Vec<Vec<String>> =
        row.iter().zip(widths).map(|(cell, width)| wrapped(cell, *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |place: usize| {
        let parts: Vec<String> = cells
            .iter()
            .zip(widths)
            .zip(aligns)
            .map(|((cell, &width), align)| {
                let part = cell.get(place).map_or("", String::as_str);
                match align {
                    ColumnAlignment::Left => format!("{part:<width$}"),
                    ColumnAlignment::Right => format!("{part:>width$}"),
                }
            })
            .collect();
        parts.join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

/// Breaks words into lines of at most `width` columns, between words where it can.
fn wrapped(words: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length <= width {
            line.push(' ');
            line.push_str(word);
            used += 1 + length;
            continue;
        }
        if used > 0 {
            lines.push(std::mem::take(&mut line));
        }
        // A word that is longer than a line is broken wherever the line ends.
        let letters: Vec<char> = word.chars().collect();
        let mut parts = letters.chunks(width).map(|part| part.iter().collect::<String>());
        let mut part = parts.next().unwrap_or_default();
        for next in parts {
            lines.push(std::mem::replace(&mut part, next));
        }
        used = part.chars().count();
        line = part;
    }
    if used > 0 || lines.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_between_words_and_long_ones_anywhere() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 80), ["one two three"]);
        assert_eq!(wrapped("a abcdefgh i", 3), ["a", "abc", "def", "gh", "i"]);
        assert_eq!(wrapped("", 3), [""]);
    }

    #[test]
    fn the_widest_column_gives_way_until_a_row_fits() {
        let rows = vec![vec!["x".repeat(100), "y".repeat(10)], vec![String::new(), "z".repeat(12)]];
        assert_eq!(widths(&rows, 2), [66, 12]);
    }

    #[test]
    fn figures_stand_on_the_right_and_words_on_the_left() {
        let row = ["one two".to_owned(), "7".to_owned()];
        let lines = row_lines(&row, &[3, 3], &[ColumnAlignment::Left, ColumnAlignment::Right]);
        assert_eq!(lines, ["one    7", "two"]);
    }
}
