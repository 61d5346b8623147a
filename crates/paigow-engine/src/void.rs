//! `Settle` with the disposition void: everything goes back, nothing is revealed (D13).

use super::settle::{Close, SettleAnswer};
use super::signing;
use crate::KeyRing;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::RoundContext;
use paigow_round::manifest_conditions::{self, EpochPurpose};
use paigow_round::record::{CloseLock, Lock, SettleRecord, VoidedRecord};
use paigow_round::refusal::{Reason, Refusal};
use paigow_round::request::{CallContext, VoidReason};
use paigow_round::results::void_returns;
use paigow_round::round::{Round, expect_link};

/// Voids a round from whatever of lock and deal exists.
///
/// No seed is derived. Client seeds are not checked, since a round whose seeds do not
/// fit can only be voided (D10).
pub(super) fn void(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    round: &Round<'_>,
    rest: &[RecordEnvelope],
    reason: Option<VoidReason>,
    void_lock: Option<&RecordEnvelope>,
) -> Result<SettleAnswer, Refusal> {
    let (wagers, deal) = match rest {
        [] => (None, None),
        [lock] => (Some(round.verify_wager_lock(lock, "records[1]")?), None),
        [lock, deal] => {
            let wagers = round.verify_wager_lock(lock, "records[1]")?;
            (Some(wagers), Some(round.verify_deal(deal, lock, "records[2]")?))
        }
        [_, _, _, ..] => {
            return Err(Refusal::at(
                Reason::Phase,
                "records",
                "a void takes ticket, lock and deal at most, in this order",
            ));
        }
    };
    let last = rest.last().unwrap_or(&round.ticket_envelope).hash();
    let (lock, reason) = match void_lock {
        Some(envelope) => {
            let Lock::Close(CloseLock::Void { prev, reason: locked, .. }) =
                round.verify_lock(envelope, "lock")?
            else {
                return Err(Refusal::at(
                    Reason::Phase,
                    "lock",
                    "the step of this lock is not void",
                ));
            };
            expect_link(prev == last, "lock", "the lock does not follow the last record")?;
            if reason.is_some_and(|reason| reason != locked) {
                return Err(Refusal::at(
                    Reason::FieldInvalid,
                    "void_reason",
                    "not the reason that the lock states",
                ));
            }
            (envelope.clone(), locked)
        }
        None if round.policy().lock_required => {
            return Err(Refusal::of(
                Reason::LockRequired,
                "the tenant's policy requires a void lock signed by the ledger",
            ));
        }
        None => {
            let reason = reason.ok_or_else(|| {
                Refusal::at(Reason::FieldMissing, "void_reason", "a void needs a reason")
            })?;
            let round_id = round.ticket.round_id;
            let lock = CloseLock::Void { prev: last, reason, round_id };
            (RecordEnvelope::unsigned(RecordKind::Lock, &lock), reason)
        }
    };
    manifest_conditions::pass(&context.manifests, round.epoch, call.now, EpochPurpose::Void)?;
    let stakes = wagers.iter().flat_map(|lock| &lock.wagers).map(|w| (w.seat, w.amount_minor));
    let fees = deal.as_ref().map(|deal| &deal.fees);
    let returns = void_returns(stakes, fees).ok_or_else(|| {
        Refusal::at(Reason::AmountLimit, "records[1]", "the stakes do not fit 64 bits")
    })?;
    let voided = VoidedRecord {
        prev: lock.hash(),
        reason,
        returns,
        round_id: round.ticket.round_id,
        ticket: round.ticket_hash,
    };
    let record = SettleRecord::Void(voided.clone());
    let settle = signing::sign(keys, round.manifest(), RecordKind::Settle, &record)?;
    Ok(SettleAnswer {
        facts: round.facts(None),
        round_id: round.ticket.round_id,
        records: vec![lock, settle],
        close: Close::Voided(voided),
    })
}
