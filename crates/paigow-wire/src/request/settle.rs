//! `Settle`: a settlement by typed or by signed decisions, or a void.

use super::fields::{At, Fields, MAX_SEATS, Noted, read};
use paigow_proto::v1 as pb;
use paigow_proto::v1::decision::Setting;
use paigow_round::record::MAX_SUPERSEDED;
use paigow_round::{Disposition, Reason, Refusal, Settle, SpentLock, VoidReason};
use paigow_rules::cards::Seat;
use paigow_rules::game::{Decision, SettingChoice};

/// Ticket, lock and deal.
const MAX_RECORDS: usize = 3;

/// More actions than seats: one too many may be why the lock is spent.
const MAX_SPENT_ACTIONS: usize = 64;

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn settle(request: &pb::SettleRequest) -> Result<Settle, Refusal> {
    read(|fields, at| {
        let records = if request.records.is_empty() {
            Err(fields.missing(at.then("records")))
        } else {
            let most = (MAX_RECORDS, Reason::Phase);
            fields.list(at.then("records"), &request.records, most, Fields::record)
        };
        let disposition = fields.optional_enum(at.then("disposition"), request.disposition);
        let disposition = match disposition {
            Ok(Some(pb::Disposition::Settle)) => settlement(fields, at, request),
            Ok(Some(pb::Disposition::Void)) => void(fields, at, request),
            Ok(Some(pb::Disposition::Unspecified) | None) => {
                Err(fields.missing(at.then("disposition")))
            }
            Err(noted) => Err(noted),
        };
        let most = (MAX_SUPERSEDED, Reason::Supersedes);
        let spent = fields.list(at.then("spent"), &request.spent, most, spent_lock);
        let at_manifest = at.then("revoking_manifest");
        let manifest = fields.optional_record(at_manifest, request.revoking_manifest.as_ref());
        if request.revoking_manifest.is_some()
            && (request.disposition() != pb::Disposition::Void || request.spent.is_empty())
        {
            let message = "only a void that supersedes a lock names a revoking manifest";
            fields.refuse(Reason::FieldInvalid, at.then("revoking_manifest"), message);
        }
        Ok(Settle {
            records: records?,
            disposition: disposition?,
            spent: spent?,
            revoking_manifest: manifest?,
        })
    })
}

fn spent_lock(fields: &mut Fields, at: At<'_>, spent: &pb::SpentLock) -> Result<SpentLock, Noted> {
    let most = (MAX_SPENT_ACTIONS, Reason::Phase);
    let actions = fields.list(at.then("actions"), &spent.actions, most, Fields::record);
    let lock = match fields.optional_record(at.then("lock"), spent.lock.as_ref()) {
        Ok(None) => Err(fields.missing(at.then("lock"))),
        Ok(Some(lock)) => Ok(lock),
        Err(noted) => Err(noted),
    };
    Ok(SpentLock { actions: actions?, lock: lock? })
}

fn settlement(
    fields: &mut Fields,
    at: At<'_>,
    request: &pb::SettleRequest,
) -> Result<Disposition, Noted> {
    let most = (MAX_SEATS, Reason::DecisionUnexpected);
    let typed = decisions(fields, at.then("decisions"), &request.decisions);
    let actions = fields.list(at.then("actions"), &request.actions, most, Fields::record);
    let lock = fields.optional_record(at.then("lock"), request.lock.as_ref());
    if request.void_reason != 0 {
        let message = "only a void has a reason";
        fields.refuse(Reason::FieldInvalid, at.then("void_reason"), message);
    }
    let (typed, actions, lock) = (typed?, actions?, lock?);
    match lock {
        Some(_) if !typed.is_empty() => {
            let message = "decisions are typed, or signed and locked, not both";
            Err(fields.refuse(Reason::FieldInvalid, at.then("decisions"), message))
        }
        Some(lock) => Ok(Disposition::Locked { actions, lock }),
        None if actions.is_empty() => Ok(Disposition::Decided(typed)),
        None => {
            let message = "required with actions: the final lock covers them";
            Err(fields.refuse(Reason::FieldMissing, at.then("lock"), message))
        }
    }
}

/// Reads the decisions that stand at `at`.
pub(super) fn decisions(
    fields: &mut Fields,
    at: At<'_>,
    decisions: &[pb::Decision],
) -> Result<Vec<(Seat, Decision)>, Noted> {
    // One more than seats: the engine says which of them is named twice.
    let most = (MAX_SEATS + 1, Reason::TwoActionsOneSeat);
    fields.list(at, decisions, most, |fields, at, decision| {
        let seat = fields.seat(at.then("seat"), decision.seat);
        let setting = match &decision.setting {
            Some(Setting::Low(low)) => {
                let most = (MAX_SEATS, Reason::LowCards);
                let at = at.then("low");
                fields.cards(at.then("cards"), &low.cards, most).map(SettingChoice::Low)
            }
            Some(Setting::HouseWay(true)) => Ok(SettingChoice::HouseWay),
            Some(Setting::HouseWay(false)) => {
                Err(fields.refuse(Reason::FieldInvalid, at.then("house_way"), "must be true"))
            }
            None => {
                let message = "one of low and house_way is required";
                Err(fields.refuse(Reason::FieldMissing, at.then("setting"), message))
            }
        };
        Ok((seat?, Decision { setting: setting?, double_down: decision.double_down }))
    })
}

fn void(
    fields: &mut Fields,
    at: At<'_>,
    request: &pb::SettleRequest,
) -> Result<Disposition, Noted> {
    for (is_empty, name) in
        [(request.decisions.is_empty(), "decisions"), (request.actions.is_empty(), "actions")]
    {
        if !is_empty {
            fields.refuse(Reason::FieldInvalid, at.then(name), "a void decides nothing");
        }
    }
    let lock = fields.optional_record(at.then("lock"), request.lock.as_ref());
    let named = fields.optional_enum(at.then("void_reason"), request.void_reason);
    let (lock, reason) = (lock?, named?.and_then(void_reason));
    if lock.is_none() && reason.is_none() {
        return Err(fields.missing(at.then("void_reason")));
    }
    Ok(Disposition::Void { reason, lock })
}

const fn void_reason(reason: pb::VoidReason) -> Option<VoidReason> {
    match reason {
        pb::VoidReason::Unspecified => None,
        pb::VoidReason::ClientSeed => Some(VoidReason::ClientSeed),
        pb::VoidReason::PlayerLeft => Some(VoidReason::PlayerLeft),
        pb::VoidReason::Equipment => Some(VoidReason::Equipment),
        pb::VoidReason::Operator => Some(VoidReason::Operator),
        pb::VoidReason::EpochRevoked => Some(VoidReason::EpochRevoked),
    }
}
