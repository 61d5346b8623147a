//! `Settle` and `PrepareSettle`.

use super::fields::{At, Fields, MAX_SEATS, Noted, read};
use paigow_fairness::record::RecordEnvelope;
use paigow_proto::v1 as pb;
use paigow_proto::v1::decision::Setting;
use paigow_round::record::MAX_SUPERSEDED;
use paigow_round::{PrepareSettle, Reason, Refusal, SeatDecisions, Settle, SpentLock};
use paigow_rules::cards::Seat;
use paigow_rules::game::{Decision, SettingChoice};

/// Ticket, lock and deal.
pub(super) const MAX_RECORDS: usize = 3;

/// More actions than seats, because one too many may be why the lock is spent.
const MAX_SPENT_ACTIONS: usize = 64;

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn settle(request: &pb::SettleRequest) -> Result<Settle, Refusal> {
    read(|fields, at| {
        let records = dealt_records(fields, at.then("records"), &request.records);
        let decisions = seat_decisions(fields, at, request);
        let spent = spent_locks(fields, at.then("spent"), &request.spent);
        Ok(Settle { records: records?, decisions: decisions?, spent: spent? })
    })
}

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn prepare_settle(request: &pb::PrepareSettleRequest) -> Result<PrepareSettle, Refusal> {
    read(|fields, at| {
        let records = dealt_records(fields, at.then("records"), &request.records);
        let decisions = decisions(fields, at.then("decisions"), &request.decisions);
        // One more than there are seats, so that the engine can name the seat that occurs twice.
        let most = (MAX_SEATS + 1, Reason::TwoActionsOneSeat);
        let absent_seats = fields.list(
            at.then("absent_seats"),
            &request.absent_seats,
            most,
            |fields, at, seat| fields.seat(at, *seat),
        );
        let spent = spent_locks(fields, at.then("spent"), &request.spent);
        Ok(PrepareSettle {
            records: records?,
            decisions: decisions?,
            absent_seats: absent_seats?,
            spent: spent?,
        })
    })
}

fn dealt_records(
    fields: &mut Fields,
    at: At<'_>,
    records: &[pb::Record],
) -> Result<Vec<RecordEnvelope>, Noted> {
    if records.is_empty() {
        return Err(fields.missing(at));
    }
    fields.list(at, records, (MAX_RECORDS, Reason::Phase), Fields::record)
}

/// Reads the spent locks at `at`.
pub(super) fn spent_locks(
    fields: &mut Fields,
    at: At<'_>,
    spent: &[pb::SpentLock],
) -> Result<Vec<SpentLock>, Noted> {
    fields.list(at, spent, (MAX_SUPERSEDED, Reason::Supersedes), |fields, at, spent| {
        let most = (MAX_SPENT_ACTIONS, Reason::Phase);
        let actions = fields.list(at.then("actions"), &spent.actions, most, Fields::record);
        let lock = fields.required_record(at.then("lock"), spent.lock.as_ref());
        Ok(SpentLock { actions: actions?, lock: lock? })
    })
}

fn seat_decisions(
    fields: &mut Fields,
    at: At<'_>,
    request: &pb::SettleRequest,
) -> Result<SeatDecisions, Noted> {
    let most = (MAX_SEATS, Reason::DecisionUnexpected);
    let typed = decisions(fields, at.then("decisions"), &request.decisions);
    let actions = fields.list(at.then("actions"), &request.actions, most, Fields::record);
    let lock = fields.optional_record(at.then("lock"), request.lock.as_ref());
    let (typed, actions, lock) = (typed?, actions?, lock?);
    match lock {
        Some(_) if !typed.is_empty() => {
            let message = "decisions are typed, or signed and locked, not both";
            Err(fields.refuse(Reason::FieldInvalid, at.then("decisions"), message))
        }
        Some(lock) => Ok(SeatDecisions::Locked { actions, lock }),
        None if actions.is_empty() => Ok(SeatDecisions::Typed(typed)),
        None => {
            let message = "required with actions: the final lock covers them";
            Err(fields.refuse(Reason::FieldMissing, at.then("lock"), message))
        }
    }
}

/// Reads the decisions at `at`.
pub(super) fn decisions(
    fields: &mut Fields,
    at: At<'_>,
    decisions: &[pb::Decision],
) -> Result<Vec<(Seat, Decision)>, Noted> {
    // One more than there are seats, so that the engine can name the seat that occurs twice.
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
