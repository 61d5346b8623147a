//! The answers of the engine, in the messages of the contract.

mod audit;
mod engine;
mod hands;
mod policy;
mod prepare;
mod round;
mod rulesets;
mod settlement;
mod terms;

pub use audit::{audited, replayed};
pub use engine::{BuildFacts, engine, manifests};
pub use hands::{evaluated, settings, weighed};
pub use prepare::{prepared_deal, prepared_open, prepared_settle, prepared_void};
pub use round::{dealt, opened, settled, voided};
pub use rulesets::{DescribedRulesets, RulesetReader, house_ways};

use paigow_fairness::record::RecordEnvelope;
use paigow_proto::v1 as pb;
use paigow_rules::cards::{Card, Seat};
use paigow_rules::game::{Currency, Odds};

fn record(envelope: &RecordEnvelope) -> pb::Record {
    pb::Record { envelope: envelope.to_line_bytes(), signatures: Vec::new() }
}

fn fraction(odds: Odds) -> pb::Fraction {
    pb::Fraction { num: odds.num(), den: odds.den() }
}

fn currency(currency: &Currency) -> pb::Currency {
    pb::Currency { code: currency.code().to_owned(), exponent: i32::from(currency.exponent()) }
}

fn records<'e>(envelopes: impl IntoIterator<Item = &'e RecordEnvelope>) -> Vec<pb::Record> {
    envelopes.into_iter().map(record).collect()
}

fn codes(cards: &[Card]) -> Vec<String> {
    cards.iter().map(|card| card.code().to_owned()).collect()
}

fn number(seat: Seat) -> i32 {
    i32::from(seat.number())
}

/// Returns the number of an epoch in the type of the contract. No epoch has a larger number.
fn epoch_number(epoch: u32) -> i32 {
    i32::try_from(epoch).unwrap_or(i32::MAX)
}

fn dice(dice: &[u8]) -> Vec<i32> {
    dice.iter().map(|die| i32::from(*die)).collect()
}

/// Returns a count in the type of the contract. A count that overflows is not a real one.
fn count(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
