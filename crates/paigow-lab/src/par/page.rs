//! Pages of sections, tables and plots, before they are Markdown or HTML.

use super::plots::Plot;

/// All pages: what holds for every sheet, then one page each.
#[derive(Debug)]
pub(super) struct Pages {
    pub(super) title: String,
    /// What stands above all pages.
    pub(super) heading: String,
    pub(super) program: String,
    pub(super) method: Vec<String>,
    pub(super) overview: Option<Table>,
    pub(super) pages: Vec<Page>,
}

/// The page of one ruleset.
#[derive(Debug)]
pub(super) struct Page {
    /// The id of the ruleset, which anchors begin with.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) about: Vec<(&'static str, String)>,
    pub(super) sections: Vec<Section>,
}

/// A part of a page under a heading.
#[derive(Debug)]
pub(super) struct Section {
    /// What anchors of the page end with.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
}

/// What stands under a heading.
#[derive(Debug)]
pub(super) enum Block {
    /// Sentences.
    Paragraph(String),
    /// Rows of cells.
    Table(Table),
    /// A picture of figures that stand in the tables.
    Plot(Plot),
}

/// A table; the first cell of each row is what the row is about.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) columns: Vec<Column>,
    /// As many cells in each as there are columns.
    pub(super) rows: Vec<Line>,
}

/// A row of a table.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) cells: Vec<String>,
    pub(super) kind: Kind,
}

/// What a row of a table is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
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
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) is_figure: bool,
}

/// Returns a column of words.
pub(super) const fn words(title: &'static str) -> Column {
    Column { title, is_figure: false }
}

/// Returns a column of figures.
pub(super) const fn figures(title: &'static str) -> Column {
    Column { title, is_figure: true }
}

impl Line {
    pub(super) const fn plain(cells: Vec<String>) -> Self {
        Self { cells, kind: Kind::Plain }
    }

    pub(super) const fn total(cells: Vec<String>) -> Self {
        Self { cells, kind: Kind::Total }
    }
}

impl Section {
    pub(super) fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), blocks: Vec::new() }
    }

    /// Adds a block.
    pub(super) fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// Adds a paragraph.
    pub(super) fn say(self, words: impl Into<String>) -> Self {
        self.with(Block::Paragraph(words.into()))
    }
}
