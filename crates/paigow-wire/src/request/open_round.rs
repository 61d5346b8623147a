//! `OpenRound`, as a call of its own and inline in `Deal`.

use super::fields::{At, Fields, MAX_SEATS, Noted, read};
use paigow_fairness::ticket::SeatKey;
use paigow_proto::v1 as pb;
use paigow_round::{OpenRound, Reason, Refusal};

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn open_round(request: &pb::OpenRoundRequest) -> Result<OpenRound, Refusal> {
    read(|fields, at| opening(fields, at, request))
}

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn prepare_open(request: &pb::PrepareOpenRequest) -> Result<OpenRound, Refusal> {
    read(|fields, at| match &request.open {
        Some(open) => opening(fields, at.then("open"), open),
        None => Err(fields.missing(at.then("open"))),
    })
}

/// Reads the opening at `at`.
pub(super) fn opening(
    fields: &mut Fields,
    at: At<'_>,
    request: &pb::OpenRoundRequest,
) -> Result<OpenRound, Noted> {
    let epoch = request.epoch.map(|epoch| fields.epoch(at.then("epoch"), epoch)).transpose();
    let manifest = Some(request.manifest.as_str())
        .filter(|hash| !hash.is_empty())
        .map(|hash| fields.hash(at.then("manifest"), hash))
        .transpose();
    let manifest_sequence = match u64::try_from(request.manifest_sequence) {
        Ok(0) => Ok(None),
        Ok(sequence) => Ok(Some(sequence)),
        Err(_) => Err(fields.out_of_range(at.then("manifest_sequence"), 0..=i64::MAX)),
    };
    let table = fields.identifier(at.then("table"), &request.table);
    let round_no = fields.round_no(at.then("round_no"), request.round_no);
    let ruleset = fields.text(at.then("ruleset"), &request.ruleset);
    let most = (MAX_SEATS, Reason::Seat);
    let client_commits =
        fields.list(at.then("client_commits"), &request.client_commits, most, |fields, at, one| {
            let seat = fields.seat(at.then("seat"), one.seat);
            let commit = fields.hash(at.then("commit"), &one.commit);
            Ok((seat?, commit?))
        });
    let seat_keys =
        fields.list(at.then("seat_keys"), &request.seat_keys, most, |fields, at, one| {
            let seat = fields.seat(at.then("seat"), one.seat);
            let key = fields.public_key(at.then("public_key"), &one.public_key);
            let house_way_if_absent = one.house_way_if_absent;
            Ok((seat?, SeatKey { key: key?, house_way_if_absent }))
        });
    let prev = fields.optional_record(at.then("prev"), request.prev.as_ref());
    let beacon_round = match u64::try_from(request.beacon_round) {
        Ok(0) => Ok(None),
        Ok(round) => Ok(Some(round)),
        Err(_) => Err(fields.out_of_range(at.then("beacon_round"), 0..=i64::MAX)),
    };
    Ok(OpenRound {
        epoch: epoch?,
        manifest: manifest?,
        manifest_sequence: manifest_sequence?,
        table: table?,
        round_no: round_no?,
        ruleset: ruleset?,
        client_commits: client_commits?,
        seat_keys: seat_keys?,
        prev: prev?,
        beacon_round: beacon_round?,
    })
}
