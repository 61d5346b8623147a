//! What the engine answers, as the contract writes it.

mod audit;
mod engine;
mod house_way;
mod round;
mod settlement;
mod verification;

pub use audit::audited;
pub(super) use audit::replayed;
pub(super) use engine::{Described, describe};
pub(super) use house_way::settings;
pub(super) use verification::verified;

use super::pb;
use crate::cards::{Card, Seat};
use crate::fairness::record::Envelope;
use crate::game::{Currency, Odds};

impl From<&Envelope> for pb::Record {
    fn from(envelope: &Envelope) -> Self {
        Self { envelope: envelope.to_line_bytes() }
    }
}

impl From<Odds> for pb::Fraction {
    fn from(odds: Odds) -> Self {
        Self { num: odds.num(), den: odds.den() }
    }
}

impl From<&Currency> for pb::Currency {
    fn from(currency: &Currency) -> Self {
        Self { code: currency.code().to_owned(), exponent: i32::from(currency.exponent()) }
    }
}

fn records<'e>(envelopes: impl IntoIterator<Item = &'e Envelope>) -> Vec<pb::Record> {
    envelopes.into_iter().map(pb::Record::from).collect()
}

fn codes(cards: &[Card]) -> Vec<String> {
    cards.iter().map(|card| card.code().to_owned()).collect()
}

fn number(seat: Seat) -> i32 {
    i32::from(seat.number())
}

fn dice(dice: &[u8]) -> Vec<i32> {
    dice.iter().map(|die| i32::from(*die)).collect()
}

/// Returns a count as the contract writes it; what does not fit is not a real count.
fn count(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
