//! The `Prepare` calls: records to be signed.

use super::round::returns;
use super::{epoch_number, number, record};
use paigow_engine::{PreparedOpening, PreparedSettlement, PreparedVoid};
use paigow_fairness::record::RecordEnvelope;
use paigow_proto::v1 as pb;

/// Writes the answer of `PrepareOpen`.
#[must_use]
pub fn prepared_open(answer: PreparedOpening) -> pb::PrepareOpenResponse {
    let prefixes = answer
        .commit_prefixes
        .iter()
        .map(|(seat, prefix)| pb::CommitPrefix { seat: number(seat), prefix: prefix.clone() });
    pb::PrepareOpenResponse {
        epoch: epoch_number(answer.epoch),
        manifest: answer.manifest.to_hex(),
        round_id: answer.round_id.to_hex(),
        prefixes: prefixes.collect(),
    }
}

/// Writes the answer of `PrepareDeal`.
#[must_use]
pub fn prepared_deal(lock: &RecordEnvelope) -> pb::PrepareDealResponse {
    pb::PrepareDealResponse { lock: Some(unsigned(lock)) }
}

/// Writes the answer of `PrepareSettle`.
#[must_use]
pub fn prepared_settle(answer: &PreparedSettlement) -> pb::PrepareSettleResponse {
    let actions = answer.actions.iter().map(|(seat, action)| pb::SeatAction {
        seat: number(seat),
        action: Some(unsigned(action)),
    });
    pb::PrepareSettleResponse {
        actions: actions.collect(),
        lock: answer.lock.as_ref().map(unsigned),
        undecided_seats: answer.undecided_seats.iter().map(|seat| number(*seat)).collect(),
    }
}

/// Writes the answer of `PrepareVoid`.
#[must_use]
pub fn prepared_void(answer: &PreparedVoid) -> pb::PrepareVoidResponse {
    pb::PrepareVoidResponse {
        lock: Some(unsigned(&answer.lock)),
        returns: returns(&answer.returns),
    }
}

fn unsigned(envelope: &RecordEnvelope) -> pb::UnsignedRecord {
    pb::UnsignedRecord {
        record: Some(record(envelope)),
        to_sign: envelope.to_sign().to_vec(),
        hash: envelope.hash().to_hex(),
    }
}
