//! `Audit`, and each request of `AuditStream`.

use std::collections::{BTreeMap, BTreeSet};

use super::deal::wager_sheet;
use super::fields::{At, Fields, Noted, read};
use super::settle::decisions;
use paigow_fairness::encoding::{Hash, hex_bytes};
use paigow_fairness::manifest::Root;
use paigow_fairness::secret::{EpochSecret, RoundSeed, ServerSeed};
use paigow_fairness::seed::Coordinates;
use paigow_proto::v1 as pb;
use paigow_proto::v1::{audit_request, replay};
use paigow_round::audit::{AuditTerms, MySeat, ReplayRequest, ReplaySeed};
use paigow_round::record::InclusionProofs;
use paigow_round::{Reason, Refusal};

/// The most characters of a label.
const MAX_LABEL: usize = 256;

/// The most closes that a request names.
const MAX_CLOSES: usize = 1024;

/// A request that has passed every check.
#[derive(Debug)]
pub struct Audit {
    /// The caller's label, which the answer repeats unchanged.
    pub label: String,
    /// The records or the round to audit.
    pub subject: Subject,
    /// The terms of the audit: everything that the caller trusts.
    pub terms: AuditTerms,
}

/// The records or the round to audit.
pub enum Subject {
    /// Records in JSON Lines.
    Transcript(Vec<u8>),
    /// A round to compute from its seeds.
    Replay(Box<ReplayRequest>),
}

impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Transcript(text) => write!(f, "Transcript({} bytes)", text.len()),
            Self::Replay(replay) => write!(f, "{replay:?}"),
        }
    }
}

/// Reads the request. `own_root` is trusted if it names no root.
///
/// # Errors
///
/// Returns every fault of its fields. Returns `TRANSCRIPT` if there is nothing to audit.
pub fn audit(request: pb::AuditRequest, own_root: &Root) -> Result<Audit, Refusal> {
    read(|fields, at| {
        let label = if request.label.chars().count() > MAX_LABEL {
            let message = format!("at most {MAX_LABEL} characters");
            Err(fields.refuse(Reason::FieldInvalid, at.then("label"), message))
        } else {
            Ok(request.label)
        };
        let subject = match request.subject {
            Some(audit_request::Subject::Transcript(text)) if text.is_empty() => {
                Err(fields.refuse(Reason::Transcript, at.then("transcript"), "holds no record"))
            }
            Some(audit_request::Subject::Transcript(text)) => Ok(Subject::Transcript(text)),
            Some(audit_request::Subject::Replay(replay)) => {
                replay_request(fields, at.then("replay"), &replay)
                    .map(|replay| Subject::Replay(Box::new(replay)))
            }
            None => {
                let message = "one of transcript and replay is required";
                Err(fields.refuse(Reason::FieldMissing, at.then("subject"), message))
            }
        };
        let root = root(fields, at, &request.root_keys, request.threshold);
        let witnesses = fields.keys(at.then("witness_keys"), &request.witness_keys);
        let beacons = fields.hashes(at.then("beacon_chains"), &request.beacon_chains);
        let first_manifest = match &*request.first_manifest {
            "" => Ok(None),
            hash => fields.hash(at.then("first_manifest"), hash).map(Some),
        };
        let after = after(fields, at.then("after"), &request.after);
        let as_of = u64::try_from(request.as_of)
            .map_err(|_| fields.out_of_range(at.then("as_of"), 0..=i64::MAX));
        let my_seat = my_seat(fields, at, request.my_seat, &request.my_seat_key);
        let terms = AuditTerms {
            root: root?.unwrap_or_else(|| own_root.clone()),
            witnesses: witnesses?.into_iter().collect(),
            beacons: beacons?.into_iter().collect(),
            first_manifest: first_manifest?,
            after: after?,
            as_of: Some(as_of?).filter(|second| *second > 0),
            my_seat: my_seat?,
            proofs: InclusionProofs::new(),
            log_copies: Vec::new(),
        };
        Ok(Audit { label: label?, subject: subject?, terms })
    })
}

fn after(
    fields: &mut Fields,
    at: At<'_>,
    closes: &[pb::AuditedClose],
) -> Result<BTreeMap<Hash, Hash>, Noted> {
    let most = (MAX_CLOSES, Reason::FieldInvalid);
    let mut seen = BTreeSet::new();
    let read = fields.list(at, closes, most, |fields, at, one| {
        let round_id = fields.hash(at.then("round_id"), &one.round_id);
        let close = fields.hash(at.then("close"), &one.close);
        let round_id = round_id?;
        if !seen.insert(round_id) {
            let message = "the round is there twice";
            return Err(fields.refuse(Reason::FieldInvalid, at.then("round_id"), message));
        }
        Ok((round_id, close?))
    });
    read.map(|closes| closes.into_iter().collect())
}

fn my_seat(fields: &mut Fields, at: At<'_>, seat: i32, key: &str) -> Result<Option<MySeat>, Noted> {
    if seat == 0 {
        return if key.is_empty() {
            Ok(None)
        } else {
            let message = "only with my_seat";
            Err(fields.refuse(Reason::FieldInvalid, at.then("my_seat_key"), message))
        };
    }
    let seat = fields.seat(at.then("my_seat"), seat);
    let key = match key {
        "" => Ok(None),
        key => fields.public_key(at.then("my_seat_key"), key).map(Some),
    };
    Ok(Some(MySeat { seat: seat?, key: key? }))
}

fn root(
    fields: &mut Fields,
    at: At<'_>,
    keys: &[String],
    threshold: i32,
) -> Result<Option<Root>, Noted> {
    if keys.is_empty() {
        return if threshold == 0 {
            Ok(None)
        } else {
            let message = "only with root_keys";
            Err(fields.refuse(Reason::FieldInvalid, at.then("threshold"), message))
        };
    }
    let read = fields.keys(at.then("root_keys"), keys);
    // No threshold means one key.
    let named = usize::try_from(threshold.max(0)).unwrap_or(usize::MAX).max(1);
    let threshold = if threshold >= 0 && named <= keys.len() {
        Ok(named)
    } else {
        let most = i64::try_from(keys.len()).unwrap_or(i64::MAX);
        Err(fields.out_of_range(at.then("threshold"), 1..=most))
    };
    Ok(Some(Root { keys: read?, threshold: threshold? }))
}

fn replay_request(
    fields: &mut Fields,
    at: At<'_>,
    request: &pb::Replay,
) -> Result<ReplayRequest, Noted> {
    let seed = match &request.seed {
        Some(replay::Seed::RoundSeed(text)) => secret(fields, at.then("round_seed"), text)
            .map(|bytes| ReplaySeed::Round(RoundSeed::new(bytes))),
        Some(replay::Seed::Epoch(epoch)) => epoch_seed(fields, at.then("epoch"), epoch),
        Some(replay::Seed::ServerSeed(server)) => {
            server_seed(fields, at.then("server_seed"), server)
        }
        None => {
            let message = "one of round_seed, epoch and server_seed is required";
            Err(fields.refuse(Reason::FieldMissing, at.then("seed"), message))
        }
    };
    let ruleset = fields.text(at.then("ruleset"), &request.ruleset);
    let sheet = match &request.sheet {
        Some(sheet) => wager_sheet(fields, at.then("sheet"), sheet),
        None => Err(fields.missing(at.then("sheet"))),
    };
    let decisions = decisions(fields, at.then("decisions"), &request.decisions);
    let (sheet, client_seeds) = sheet?;
    Ok(ReplayRequest { seed: seed?, ruleset: ruleset?, sheet, client_seeds, decisions: decisions? })
}

fn epoch_seed(
    fields: &mut Fields,
    at: At<'_>,
    epoch: &pb::EpochReplay,
) -> Result<ReplaySeed, Noted> {
    let bytes = secret(fields, at.then("epoch_secret"), &epoch.epoch_secret);
    let salt = if epoch.epoch_salt.is_empty() {
        Ok(Hash::ZERO)
    } else {
        fields.hash(at.then("epoch_salt"), &epoch.epoch_salt)
    };
    let number = fields.epoch(at.then("epoch"), epoch.epoch);
    let tenant = fields.identifier(at.then("tenant"), &epoch.tenant);
    let table = fields.identifier(at.then("table"), &epoch.table);
    let round_no = fields.round_no(at.then("round_no"), epoch.round_no);
    Ok(ReplaySeed::Epoch {
        secret: EpochSecret::new(bytes?),
        salt: salt?,
        coordinates: Coordinates {
            epoch: number?,
            tenant: tenant?,
            table: table?,
            round_no: round_no?,
        },
    })
}

fn server_seed(
    fields: &mut Fields,
    at: At<'_>,
    server: &pb::ServerSeedReplay,
) -> Result<ReplaySeed, Noted> {
    let bytes = secret(fields, at.then("server_seed"), &server.server_seed);
    let round_id = fields.hash(at.then("round_id"), &server.round_id);
    Ok(ReplaySeed::Server { seed: ServerSeed::new(bytes?), round_id: round_id? })
}

/// Reads 32 secret bytes. The message never quotes them.
fn secret(fields: &mut Fields, at: At<'_>, text: &str) -> Result<[u8; 32], Noted> {
    let text = fields.text(at, text)?;
    hex_bytes(&text).map_err(|error| fields.refuse(Reason::FieldInvalid, at, error.to_string()))
}
