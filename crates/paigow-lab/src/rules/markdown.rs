//! A page as Markdown with tables, as GitHub and most other programs read it.

use super::page::{ColumnAlignment, DefinedName, SheetBlock, SheetPage, SheetTable};

/// Writes a page as Markdown.
pub(super) fn markdown(page: &SheetPage) -> String {
    let mut text = format!("# {}\n", escaped(&page.title));
    for section in &page.sections {
        let marks = "#".repeat(usize::from(section.level) + 1);
        text += &format!("\n{marks} {}\n", escaped(&section.title));
        for block in &section.blocks {
            text.push('\n');
            match block {
                SheetBlock::Paragraph(words) => text += &format!("{}\n", escaped(words)),
                SheetBlock::Points(points) => {
                    for point in points {
                        text += &format!("- {}\n", escaped(point));
                    }
                }
                SheetBlock::Defined { heads, items } => text += &defined(heads, items),
                SheetBlock::Table(table) => text += &rows_of(table),
            }
        }
    }
    text
}

fn defined(heads: &[&str; 2], items: &[(DefinedName, String)]) -> String {
    let [name, words] = heads;
    let has_titles = items.iter().any(|(name, _)| name.title.is_some());
    let mut text = if has_titles {
        format!("| Id | {name} | {words} |\n|---|---|---|\n")
    } else {
        format!("| {name} | {words} |\n|---|---|\n")
    };
    for (name, words) in items {
        let title = match &name.title {
            Some(title) => format!(" {} |", escaped(title)),
            None if has_titles => " |".to_owned(),
            None => String::new(),
        };
        text += &format!("| {} |{title} {} |\n", escaped(&name.id), escaped(words));
    }
    text
}

fn rows_of(table: &SheetTable) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = row(table.columns.iter().map(|column| escaped(&column.title)).collect());
    let rule = |align| match align {
        ColumnAlignment::Left => "---|",
        ColumnAlignment::Right => "---:|",
    };
    text.push('|');
    text.extend(table.columns.iter().map(|column| rule(column.align)));
    text.push('\n');
    for cells in &table.rows {
        text += &row(cells.iter().map(|cell| escaped(cell)).collect());
    }
    text
}

/// Escapes words: a backslash precedes every character that could be a mark.
pub(crate) fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    let letters: Vec<char> = words.chars().collect();
    let is_word = |place: Option<usize>| {
        place.and_then(|place| letters.get(place)).is_some_and(|letter| letter.is_alphanumeric())
    };
    for (place, &letter) in letters.iter().enumerate() {
        let is_mark = match letter {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '#' => true,
            // Between letters it is not a mark, and many names contain it.
            '_' => !(is_word(place.checked_sub(1)) && is_word(place.checked_add(1))),
            _ => false,
        };
        if is_mark {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_escaped_and_names_are_left_as_they_are() {
        assert_eq!(escaped("*A|B* <i> [x] `y` #1"), "\\*A\\|B\\* \\<i\\> \\[x\\] \\`y\\` \\#1");
        assert_eq!(escaped("table_max_minor"), "table_max_minor");
        assert_eq!(escaped("_x_"), "\\_x\\_");
    }
}
