//! A page: headings, paragraphs, lists and tables, before it is text or Markdown.

/// A page of rules.
#[derive(Debug)]
pub(super) struct SheetPage {
    pub(super) title: String,
    pub(super) sections: Vec<SheetSection>,
}

/// A part of a page under a heading.
#[derive(Debug)]
pub(super) struct SheetSection {
    pub(super) title: String,
    /// 1 for a part of the page, 2 for a part of such a part.
    pub(super) level: u8,
    pub(super) blocks: Vec<SheetBlock>,
}

/// A block of a section.
#[derive(Debug)]
pub(super) enum SheetBlock {
    /// Sentences, each as a point of its own.
    Points(Vec<String>),
    /// A sentence by itself.
    Paragraph(String),
    /// Names, each with its meaning.
    Defined {
        /// The headings of the names and of the words.
        heads: [&'static str; 2],
        /// The names and the words.
        items: Vec<(DefinedName, String)>,
    },
    /// Rows of cells.
    Table(SheetTable),
}

/// A name that is defined.
#[derive(Debug)]
pub(super) struct DefinedName {
    /// The name in files and answers.
    pub(super) id: String,
    /// The name for people, if it is another.
    pub(super) title: Option<String>,
}

/// A table.
#[derive(Debug)]
pub(super) struct SheetTable {
    pub(super) columns: Vec<SheetColumn>,
    /// Each row has as many cells as there are columns.
    pub(super) rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Debug)]
pub(super) struct SheetColumn {
    pub(super) title: String,
    pub(super) align: ColumnAlignment,
}

/// The alignment of a cell in its column.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ColumnAlignment {
    /// Words.
    Left,
    /// Figures.
    Right,
}

impl SheetColumn {
    pub(super) fn words(title: &str) -> Self {
        Self { title: title.to_owned(), align: ColumnAlignment::Left }
    }

    pub(super) fn figures(title: &str) -> Self {
        Self { title: title.to_owned(), align: ColumnAlignment::Right }
    }
}

impl SheetSection {
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), level: 1, blocks: Vec::new() }
    }

    pub(super) fn part(title: impl Into<String>) -> Self {
        Self { level: 2, ..Self::new(title) }
    }

    /// Adds a block.
    pub(super) fn with(mut self, block: SheetBlock) -> Self {
        self.blocks.push(block);
        self
    }

    /// Adds sentences, if there are any.
    pub(super) fn with_points(self, points: &[String]) -> Self {
        if points.is_empty() { self } else { self.with(SheetBlock::Points(points.to_vec())) }
    }
}

/// Returns a text of a file in one line, without control characters, which could hide text.
pub(super) fn clean(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "\u{fffd}")
}
