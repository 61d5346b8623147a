//! Amounts, odds and fractions, and how JSON writes them.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use paigow_rules::game::{Fraction, Increment, Odds, Rounding};

/// An amount of minor units; in JSON a text.
#[derive(Clone, Copy, Debug)]
pub struct MinorUnits(pub i64);

impl Serialize for MinorUnits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// The odds of a win; in JSON `num` won for `den` staked.
#[derive(Clone, Copy, Debug)]
pub struct PayOdds(pub Odds);

impl Serialize for PayOdds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("PayOdds", 2)?;
        members.serialize_field("num", &self.0.num())?;
        members.serialize_field("den", &self.0.den())?;
        members.end()
    }
}

/// An exact fraction. In JSON it has `num`, `den` and `decimal`, all of them texts. `decimal` has
/// ten places.
#[derive(Clone, Copy, Debug)]
pub struct SheetFraction(pub Fraction);

impl Serialize for SheetFraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("SheetFraction", 3)?;
        members.serialize_field("num", &self.0.num().to_string())?;
        members.serialize_field("den", &self.0.den().to_string())?;
        members.serialize_field("decimal", &self.0.decimal(10))?;
        members.end()
    }
}

/// Writes a rounding as its word.
pub(crate) fn rounding<S: Serializer>(
    rounding: &Rounding,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rounding.name())
}

/// Writes an increment as its word.
pub(crate) fn increment<S: Serializer>(
    increment: &Increment,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(increment.name())
}

/// The deals over which the figures of a bet are counted.
#[derive(Clone, Copy, Debug, Serialize)]
pub enum CountedDeals {
    /// The hands of a seat.
    #[serde(rename = "hands")]
    Hands,
    /// The pairs of hands of seat and dealer, both set by the house way.
    #[serde(rename = "pairs of hands")]
    Pairs,
}

impl CountedDeals {
    /// Returns the unit of the counts, for a bet that is judged on the showdown or for another.
    pub(crate) const fn of(is_showdown: bool) -> Self {
        if is_showdown { Self::Pairs } else { Self::Hands }
    }

    /// Returns the word for the head of a column.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Hands => "Hands",
            Self::Pairs => "Pairs of hands",
        }
    }

    /// Returns the word for use in a sentence.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hands => "hands",
            Self::Pairs => "pairs of hands",
        }
    }
}
