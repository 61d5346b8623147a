//! `Settle` with the disposition void: everything goes back, nothing is revealed (D13).

use super::settle::{Close, SettleAnswer, decision_terms};
use super::signing;
use super::spent::SpentLocks;
use crate::KeyRing;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::RoundContext;
use paigow_round::manifest_conditions::{self, EpochPurpose};
use paigow_round::record::{CloseLock, Lock, SettleRecord, VoidedRecord, WagerLock};
use paigow_round::refusal::{Reason, Refusal};
use paigow_round::request::{CallContext, Settle, VoidReason};
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
    request: &Settle,
    (reason, void_lock): (Option<VoidReason>, Option<&RecordEnvelope>),
) -> Result<SettleAnswer, Refusal> {
    let (wagers, deal) = match rest {
        [] => (None, None),
        [lock] => (verify_undealt(round, lock)?, None),
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
    let spent = match (&wagers, &deal, rest) {
        (Some(wagers), Some(dealt), [lock, deal]) if !request.spent.is_empty() => {
            let (game, wagers) = (round.game()?, wagers.clone());
            let locked = round.check_lock(game, wagers, lock.clone(), "records[1]")?;
            let terms = decision_terms(round, &locked, deal, dealt);
            SpentLocks::verify(round, &terms, &request.spent)?
        }
        _ if request.spent.is_empty() => SpentLocks::default(),
        _ => {
            let what = "a final lock follows a deal: records lacks it";
            return Err(Refusal::at(Reason::Phase, "spent", what));
        }
    };
    spent.pass_void(context, round, rest.get(1), request.revoking_manifest.as_ref())?;
    let last = rest.last().unwrap_or(&round.ticket_envelope).hash();
    let (lock, reason) = match void_lock {
        Some(envelope) => {
            let Lock::Close(CloseLock::Void { prev, reason: locked, supersedes, .. }) =
                round.verify_lock(envelope, "lock")?
            else {
                return Err(Refusal::at(
                    Reason::Phase,
                    "lock",
                    "the step of this lock is not void",
                ));
            };
            expect_link(prev == last, "lock", "the lock does not follow the last record")?;
            spent.expect(&supersedes, "lock")?;
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
            let (round_id, supersedes) = (round.ticket.round_id, spent.hashes().to_vec());
            let lock = CloseLock::Void { prev: last, reason, round_id, supersedes };
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
        records: [spent.into_records(), vec![lock, settle]].concat(),
        close: Close::Voided(voided),
    })
}

/// Verifies a lock that was not dealt to; [`None`] if its payload cannot be read. The ledger signed
/// it all the same, so it can only be voided.
fn verify_undealt(round: &Round<'_>, lock: &RecordEnvelope) -> Result<Option<WagerLock>, Refusal> {
    let read = round.verify_wager_lock(lock, "records[1]");
    let is_unreadable = read.as_ref().is_err_and(|refusal| refusal.reason == Reason::Record);
    if is_unreadable && lock.is_signed() && lock.all_verify(&round.tenant.ledger_keys) {
        return Ok(None);
    }
    read.map(Some)
}
