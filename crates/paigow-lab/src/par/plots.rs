//! The pictures of a sheet. The tables have their figures too.

use paigow_rules::game::{BaseOutcome, Fraction};

/// A picture.
#[derive(Debug)]
pub(super) struct Plot {
    /// The suffix of anchors of the page.
    pub(super) id: String,
    pub(super) title: String,
    /// The picture in words, for readers who do not see it.
    pub(super) description: String,
    pub(super) drawn: PlotShape,
}

/// The bars of a plot.
#[derive(Debug)]
pub(super) enum PlotShape {
    /// The returns of wagers, each as one bar cut into the parts of its rows. The rest up to the
    /// stake is the house's.
    Returns(Vec<ReturnBar>),
    /// How likely each result of a wager is, on a scale of powers of ten.
    Results(Vec<ResultBar>),
    /// The house edges, each bar from 0.
    Edges(Vec<EdgeBar>),
    /// Shares of one whole, each bar cut in parts.
    Shares(Vec<ReturnBar>),
}

/// A bar cut in parts.
#[derive(Debug)]
pub(super) struct ReturnBar {
    pub(super) label: String,
    pub(super) parts: Vec<BarPart>,
    /// The figure that is written behind it.
    pub(super) figure: String,
}

/// A part of a bar.
#[derive(Debug)]
pub(super) struct BarPart {
    pub(super) label: String,
    pub(super) value: Fraction,
}

/// A bar of one probability.
#[derive(Debug)]
pub(super) struct ResultBar {
    pub(super) label: String,
    pub(super) probability: Fraction,
    pub(super) outcome: BaseOutcome,
}

/// A bar of one edge.
#[derive(Debug)]
pub(super) struct EdgeBar {
    pub(super) label: String,
    pub(super) edge: Fraction,
    /// Whether it is the one that the page is about.
    pub(super) is_own: bool,
}
