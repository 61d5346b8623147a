//! `VoidRound` and `PrepareVoid`.

use super::fields::{At, Fields, Noted, read};
use super::open_round::opening;
use super::settle::{MAX_RECORDS, spent_locks};
use paigow_proto::v1 as pb;
use paigow_round::{Reason, Refusal, VoidReason, VoidRound, VoidStart};

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn void_round(request: &pb::VoidRoundRequest) -> Result<VoidRound, Refusal> {
    read(|fields, at| {
        let void = void(fields, at, request);
        if request.lock.is_none() && request.reason == 0 {
            fields.missing(at.then("reason"));
        }
        void
    })
}

/// Reads the request as a void without a lock.
///
/// # Errors
///
/// Every fault of its fields.
pub fn prepare_void(request: pb::PrepareVoidRequest) -> Result<VoidRound, Refusal> {
    let pb::PrepareVoidRequest { records, open, reason, spent, revoking_manifest } = request;
    let lock = None;
    void_round(&pb::VoidRoundRequest { records, open, reason, lock, spent, revoking_manifest })
}

fn void(
    fields: &mut Fields,
    at: At<'_>,
    request: &pb::VoidRoundRequest,
) -> Result<VoidRound, Noted> {
    let start = start(fields, at, request);
    let reason = fields.optional_enum(at.then("reason"), request.reason);
    let lock = fields.optional_record(at.then("lock"), request.lock.as_ref());
    let spent = spent_locks(fields, at.then("spent"), &request.spent);
    let at_manifest = at.then("revoking_manifest");
    let manifest = fields.optional_record(at_manifest, request.revoking_manifest.as_ref());
    if request.revoking_manifest.is_some() && request.spent.is_empty() {
        let message = "only a void that supersedes a lock names a revoking manifest";
        fields.refuse(Reason::FieldInvalid, at.then("revoking_manifest"), message);
    }
    Ok(VoidRound {
        start: start?,
        reason: reason?.and_then(void_reason),
        lock: lock?,
        spent: spent?,
        revoking_manifest: manifest?,
    })
}

fn start(
    fields: &mut Fields,
    at: At<'_>,
    request: &pb::VoidRoundRequest,
) -> Result<VoidStart, Noted> {
    let at_records = at.then("records");
    match &request.open {
        None if request.records.is_empty() => Err(fields.missing(at_records)),
        None => {
            let most = (MAX_RECORDS, Reason::Phase);
            fields.list(at_records, &request.records, most, Fields::record).map(VoidStart::Records)
        }
        Some(open) if request.records.is_empty() => {
            opening(fields, at.then("open"), open).map(|open| VoidStart::Open(Box::new(open)))
        }
        Some(_) => {
            let message = "give either open or records, not both";
            Err(fields.refuse(Reason::FieldInvalid, at.then("open"), message))
        }
    }
}

const fn void_reason(reason: pb::VoidReason) -> Option<VoidReason> {
    match reason {
        pb::VoidReason::Unspecified => None,
        pb::VoidReason::ClientSeed => Some(VoidReason::ClientSeed),
        pb::VoidReason::PlayerLeft => Some(VoidReason::PlayerLeft),
        pb::VoidReason::Equipment => Some(VoidReason::Equipment),
        pb::VoidReason::Operator => Some(VoidReason::Operator),
        pb::VoidReason::EpochRevoked => Some(VoidReason::EpochRevoked),
        pb::VoidReason::Misdeal => Some(VoidReason::Misdeal),
    }
}
