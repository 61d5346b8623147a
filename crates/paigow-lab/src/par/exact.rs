//! The form of exact figures in the JSON of a sheet, which has no floating numbers.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use paigow_rules::game::Fraction;

/// The number of decimal places beside a fraction.
pub(super) const PLACES: usize = 12;

/// How many decimal places a standard deviation has.
const ROOT_PLACES: u32 = 12;

/// An exact fraction. In JSON it has `num`, `den` and `decimal`, all of them texts. `decimal` has
/// twelve places, rounded to the nearest, halves away from 0.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ParFraction(pub Fraction);

impl Serialize for ParFraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("ParFraction", 3)?;
        members.serialize_field("num", &self.0.num().to_string())?;
        members.serialize_field("den", &self.0.den().to_string())?;
        members.serialize_field("decimal", &self.0.decimal(PLACES))?;
        members.end()
    }
}

/// A number of hands, of pairs of hands or of deals; in JSON a text.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ParCount(pub i128);

impl Serialize for ParCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl ParCount {
    /// Returns this share of `total`, or [`None`] if `total` is 0 or either is too large.
    pub(super) fn of(self, total: Self) -> Option<Fraction> {
        Fraction::new(self.0, total.0)
    }
}

/// The spread of results around their average, per unit staked.
#[derive(Clone, Debug, Eq, PartialEq, serde::Serialize)]
pub struct ResultSpread {
    /// The average of the squared distance from the average result.
    pub variance: ParFraction,
    /// The square root of the variance, cut off after twelve decimal places.
    pub deviation: String,
}

impl ResultSpread {
    /// Returns the spread of a variance, or [`None`] if it is too large for a root.
    pub(super) fn of(variance: Fraction) -> Option<Self> {
        let root = variance.square_root(ROOT_PLACES)?;
        Some(Self { variance: ParFraction(variance), deviation: root.decimal(PLACES) })
    }
}
