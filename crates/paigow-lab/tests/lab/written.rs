//! Tables read back from text and from Markdown.

/// Joins words with one space between them.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The tables of a text, cell by cell.
///
/// A table is below a line of dashes, and the words of that line show the columns. Lines of two
/// words with a wide gap between are one table too. A row with an empty second column continues the
/// row above.
pub(crate) fn text_tables(text: &str) -> Vec<Vec<Vec<String>>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut tables = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let is_rule = line.contains("  ") && line.chars().all(|c| c == '-' || c == ' ');
        if is_rule && line.starts_with('-') {
            tables.push(table_below(line, &lines[place + 1..]));
        }
        if let Some((name, value)) = line.split_once("  ") {
            tables.push(vec![vec![name.trim().to_owned(), value.trim().to_owned()]]);
        }
    }
    tables
}

fn table_below(rule: &str, lines: &[&str]) -> Vec<Vec<String>> {
    let mut columns = Vec::new();
    let mut start = 0;
    for width in rule.split("  ").map(str::len) {
        columns.push(start..start + width);
        start += width + 2;
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in lines.iter().take_while(|line| !line.is_empty()) {
        let letters: Vec<char> = line.chars().collect();
        let cell = |column: &std::ops::Range<usize>| -> String {
            let cell: String =
                letters.iter().skip(column.start).take(column.end - column.start).collect();
            cell.trim().to_owned()
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        match rows.last_mut() {
            Some(above) if cells[1].is_empty() => {
                for (above, cell) in above.iter_mut().zip(cells) {
                    *above = one_line(&format!("{above} {cell}"));
                }
            }
            Some(_) | None => rows.push(cells),
        }
    }
    rows
}

/// The tables of a Markdown page, cell by cell, without the line of dashes.
pub(crate) fn markdown_tables(markdown: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut was_row = false;
    for line in markdown.lines() {
        let is_row = line.starts_with('|') && line.ends_with('|');
        if is_row && !was_row {
            tables.push(Vec::new());
        }
        was_row = is_row;
        let is_rule = line.chars().all(|c| "|-:".contains(c));
        if is_row && is_rule {
            let columns = line.matches('|').count() - 1;
            assert_eq!(tables.last().unwrap()[0].len(), columns, "{line}");
        } else if is_row {
            tables.last_mut().unwrap().push(cells_of(line));
        }
    }
    tables
}

/// Returns the cells between the bars of a line. A character after a backslash stands for itself.
fn cells_of(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut letters = line.strip_prefix('|').unwrap().strip_suffix('|').unwrap().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '|' => cells.push(String::new()),
            '\\' => cells.last_mut().unwrap().extend(letters.next()),
            _ => cells.last_mut().unwrap().push(letter),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}
