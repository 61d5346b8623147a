//! Amounts, odds and fractions, and how JSON writes them.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::game::{Fraction, Odds};

/// An amount of minor units; in JSON a text.
#[derive(Clone, Copy, Debug)]
pub struct Minor(pub i64);

impl Serialize for Minor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// What a win pays; in JSON `num` won for `den` staked.
#[derive(Clone, Copy, Debug)]
pub struct ToOne(pub Odds);

impl Serialize for ToOne {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("ToOne", 2)?;
        members.serialize_field("num", &self.0.num())?;
        members.serialize_field("den", &self.0.den())?;
        members.end()
    }
}

/// An exact fraction; in JSON `num`, `den` and `decimal`, all of them texts, the last
/// with ten decimal places.
#[derive(Clone, Copy, Debug)]
pub struct Exact(pub Fraction);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Exact", 3)?;
        members.serialize_field("num", &self.0.num().to_string())?;
        members.serialize_field("den", &self.0.den().to_string())?;
        members.serialize_field("decimal", &self.0.decimal(10))?;
        members.end()
    }
}
