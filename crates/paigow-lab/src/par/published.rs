//! The figures that the sources print, as printed: files of this folder.
//!
//! A file has a `source` and `tables`. In a table, `title` is the place of the figures, `rulesets`
//! are the rulesets that they were printed for, and `bet` is the bet. In a figure, `printed` is the
//! printed text, to the letter. If that is known to be wrong, `exact` is the right value and `why`
//! explains it. `of` and `figure` state the subject:
//!
//! | `of` | hands |
//! |---|---|
//! | the id of a row | that the row pays |
//! | `all` | all |
//! | `losing` | that lose |
//! | `losing <condition>` | that lose and meet a condition |
//! | `losing rest` | that lose and meet none of those named in this way in the table |
//! | `no_others` | that win other seats nothing |
//!
//! | `figure` | value |
//! |---|---|
//! | `hands` | how many |
//! | `probability` | their share of all |
//! | `return_with_stake` | what they hand back per unit staked, the stake included |
//! | `net` | what they win per unit staked, and lose |
//! | `to_others` | what they win another seat per unit of the least stake that qualifies |
//! | `edge` | what the house keeps per unit staked |
//! | `edge_of_players <n>` | the same beside the hands of n - 1 other seats |
//!
//! Figures of the bet `base` other than `edge` are of a house way that sets both hands. `of` is its
//! id, with ` lowest` behind it if A-2-3-4-5 is the lowest straight. `figure` is `win`, `push`,
//! `lose`, or `edge_with_commission` of 5 % on wins. All are without a push on the dealer's hand.

use std::sync::LazyLock;

use serde::Deserialize;

/// One source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedSource {
    pub(super) source: String,
    pub(super) tables: Vec<PublishedTable>,
}

/// Figures in one table of a source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedTable {
    pub(super) title: String,
    pub(super) rulesets: Vec<String>,
    pub(super) bet: String,
    pub(super) figures: Vec<PublishedFigure>,
}

/// One figure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedFigure {
    pub(super) of: String,
    pub(super) figure: String,
    pub(super) printed: String,
    pub(super) exact: Option<String>,
    pub(super) why: Option<String>,
}

/// Returns all sources.
pub(super) fn sources() -> &'static [PublishedSource] {
    const FILES: [&str; 3] = [
        include_str!("published/pai-gow-express.toml"),
        include_str!("published/analysis.toml"),
        include_str!("published/house-ways.toml"),
    ];
    static READ: LazyLock<Vec<PublishedSource>> = LazyLock::new(|| {
        let read = |file: &&str| toml::from_str(file).expect("a test reads every shipped file");
        FILES.iter().map(read).collect()
    });
    &READ
}
