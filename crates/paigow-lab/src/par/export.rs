//! The tables of the sheets for a spreadsheet: CSV (RFC 4180) or one XLSX workbook.
//!
//! Figures lose their commas. A column of shares has plain numbers, and its title has the `%`.
//! Fractions are text, because no spreadsheet holds them exactly.

use std::fs;
use std::path::Path;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};

use super::page::{ParBlock, ParPages, ParTable};
use crate::CommandError;

/// The longest name of a worksheet.
const LONGEST_NAME: usize = 31;

/// A table with its place.
struct ExportedTable<'a> {
    /// The id of the ruleset; `all` for the table of all rulesets.
    ruleset: &'a str,
    /// The id of the section, with a number behind it from its second table on.
    section: String,
    caption: &'a str,
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
}

fn tables(pages: &ParPages) -> Vec<ExportedTable<'_>> {
    let overview = pages.overview.iter().map(|table| exported("all", "overview".to_owned(), table));
    let mut all: Vec<ExportedTable<'_>> = overview.collect();
    for page in &pages.pages {
        for section in &page.sections {
            let tables = section.blocks.iter().filter_map(|block| match block {
                ParBlock::Table(table) => Some(table),
                ParBlock::Paragraph(_) | ParBlock::Plot(_) => None,
            });
            for (number, table) in (1..).zip(tables) {
                let id = &section.id;
                let section = if number == 1 { id.clone() } else { format!("{id}-{number}") };
                all.push(exported(&page.id, section, table));
            }
        }
    }
    all
}

fn exported<'a>(ruleset: &'a str, section: String, table: &'a ParTable) -> ExportedTable<'a> {
    const SHARE: &str = " %";
    let mut rows: Vec<Vec<String>> = table.rows.iter().map(|row| row.cells.clone()).collect();
    let mut titles = Vec::new();
    for (place, column) in table.columns.iter().enumerate() {
        let mut title = column.title.to_owned();
        if column.is_figure {
            let plain = |cell: &str| cell.replace(',', "");
            let numbers =
                rows.iter().map(|row| plain(&row[place])).filter(|cell| cell != "\u{2013}");
            let numbers: Vec<String> = numbers.collect();
            let is_share = |cell: &String| {
                cell.strip_suffix(SHARE).is_some_and(|number| number.parse::<f64>().is_ok())
            };
            let are_shares = !numbers.is_empty() && numbers.iter().all(is_share);
            if are_shares {
                title.push_str(SHARE);
            }
            for row in &mut rows {
                let cell = plain(&row[place]);
                let cell = if cell == "\u{2013}" { String::new() } else { cell };
                let number = cell.strip_suffix(SHARE).filter(|_| are_shares);
                row[place] = number.unwrap_or(&cell).to_owned();
            }
        }
        titles.push(title);
    }
    ExportedTable { ruleset, section, caption: &table.caption, titles, rows }
}

/// Writes each table to a file of the folder, which is made if it does not exist:
/// `<ruleset>-<section>.csv`. Returns the number of tables.
pub(super) fn csv(pages: &ParPages, folder: &Path) -> Result<usize, CommandError> {
    let failed =
        |error: String| CommandError::CannotCreate(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
    let tables = tables(pages);
    for table in &tables {
        let path = folder.join(format!("{}-{}.csv", table.ruleset, table.section));
        let failed =
            |error: csv::Error| CommandError::CannotCreate(format!("{}: {error}", path.display()));
        let mut builder = csv::WriterBuilder::new();
        let builder = builder.terminator(csv::Terminator::CRLF);
        let mut writer = builder.from_path(&path).map_err(failed)?;
        writer.write_record(&table.titles).map_err(failed)?;
        for row in &table.rows {
            writer.write_record(row).map_err(failed)?;
        }
        writer.flush().map_err(|error| failed(error.into()))?;
    }
    Ok(tables.len())
}

/// Writes a workbook: a list of the tables, then a worksheet for each. Its bytes are the same each
/// time. Returns the number of tables.
pub(super) fn xlsx(pages: &ParPages, file: &Path) -> Result<usize, CommandError> {
    let tables = tables(pages);
    let failed =
        |error: XlsxError| CommandError::CannotCreate(format!("{}: {error}", file.display()));
    workbook(&pages.title, &tables).and_then(|mut book| book.save(file)).map_err(failed)?;
    Ok(tables.len())
}

fn workbook(title: &str, tables: &[ExportedTable<'_>]) -> Result<Workbook, XlsxError> {
    let mut book = Workbook::new();
    // The time of writing would change the bytes.
    let unchanging = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_title(title).set_creation_datetime(&unchanging));
    let bold = Format::new().set_bold();
    let names: Vec<String> = (1..).zip(tables).map(|(number, table)| name(number, table)).collect();
    let contents = book.add_worksheet().set_name("Contents")?;
    for (column, title) in (0..).zip(["Worksheet", "Ruleset", "Section", "Table"]) {
        contents.write_with_format(0, column, title, &bold)?;
    }
    for (row, (name, table)) in (1..).zip(names.iter().zip(tables)) {
        let cells = [name, table.ruleset, &table.section, table.caption];
        for (column, cell) in (0..).zip(cells) {
            contents.write_string(row, column, cell)?;
        }
    }
    contents.autofit();
    for (name, table) in names.iter().zip(tables) {
        let sheet = book.add_worksheet().set_name(name)?;
        for (column, title) in (0..).zip(&table.titles) {
            sheet.write_with_format(0, column, title, &bold)?;
        }
        for (row, cells) in (1..).zip(&table.rows) {
            for (column, cell) in (0..).zip(cells) {
                match number(cell) {
                    Some(number) => sheet.write_number(row, column, number)?,
                    None => sheet.write_string(row, column, cell)?,
                };
            }
        }
        sheet.set_freeze_panes(1, 0)?;
        sheet.autofit();
    }
    Ok(book)
}

/// Returns the name of a worksheet: a number, since names must be different, and the section.
fn name(number: usize, table: &ExportedTable<'_>) -> String {
    let name = format!("{number} {} {}", table.ruleset, table.section);
    name.chars().take(LONGEST_NAME).collect()
}

/// Returns a cell as a number, if a spreadsheet holds all of its digits.
fn number(cell: &str) -> Option<f64> {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let is_number = cell.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-');
    (is_number && digits <= 15).then(|| cell.parse().ok()).flatten()
}
