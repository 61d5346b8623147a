//! Pages of sections, tables and plots, before they are Markdown or HTML.

use super::plots::Plot;

/// All pages: the parts of every sheet, then one page each.
#[derive(Debug)]
pub(super) struct ParPages {
    pub(super) title: String,
    /// The heading above all pages.
    pub(super) heading: String,
    pub(super) program: String,
    pub(super) method: Vec<String>,
    pub(super) overview: Option<ParTable>,
    pub(super) pages: Vec<ParPage>,
}

/// The page of one ruleset.
#[derive(Debug)]
pub(super) struct ParPage {
    /// The id of the ruleset, which anchors begin with.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) about: Vec<(&'static str, String)>,
    pub(super) sections: Vec<ParSection>,
}

/// A part of a page under a heading.
#[derive(Debug)]
pub(super) struct ParSection {
    /// The suffix of anchors of the page.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) blocks: Vec<ParBlock>,
}

/// A block of a section.
#[derive(Debug)]
pub(super) enum ParBlock {
    /// Sentences.
    Paragraph(String),
    /// Rows of cells.
    Table(ParTable),
    /// A picture of figures that the tables have too.
    Plot(Plot),
}

/// A table; the first cell of each row is the subject of the row.
#[derive(Debug)]
pub(super) struct ParTable {
    pub(super) caption: String,
    pub(super) columns: Vec<ParColumn>,
    /// Each row has as many cells as there are columns.
    pub(super) rows: Vec<ParTableRow>,
}

/// A row of a table.
#[derive(Debug)]
pub(super) struct ParTableRow {
    pub(super) cells: Vec<String>,
    pub(super) kind: ParRowKind,
}

/// The kind of a table row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ParRowKind {
    /// One of many.
    Plain,
    /// A sum of those above.
    Total,
    /// One that needs a look.
    Marked,
    /// One that is wrong.
    Wrong,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParColumn {
    pub(super) title: &'static str,
    pub(super) is_figure: bool,
}

/// Returns a column of words.
pub(super) const fn words(title: &'static str) -> ParColumn {
    ParColumn { title, is_figure: false }
}

/// Returns a column of figures.
pub(super) const fn figures(title: &'static str) -> ParColumn {
    ParColumn { title, is_figure: true }
}

impl ParTableRow {
    pub(super) const fn plain(cells: Vec<String>) -> Self {
        Self { cells, kind: ParRowKind::Plain }
    }

    pub(super) const fn total(cells: Vec<String>) -> Self {
        Self { cells, kind: ParRowKind::Total }
    }
}

impl ParSection {
    pub(super) fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), blocks: Vec::new() }
    }

    /// Adds a block.
    pub(super) fn with(mut self, block: ParBlock) -> Self {
        self.blocks.push(block);
        self
    }

    /// Adds a paragraph.
    pub(super) fn say(self, words: impl Into<String>) -> Self {
        self.with(ParBlock::Paragraph(words.into()))
    }
}
