//! `VoidRound`: all stakes go back, and no secret is revealed (D13). `PrepareVoid`: writes its
//! lock.

use std::collections::BTreeMap;

use super::open_round::{Opening, OpeningPurpose};
use super::settle::decision_terms;
use super::signing;
use super::spent::SpentLocks;
use crate::KeyRing;
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::RoundContext;
use paigow_round::manifest_conditions::{self, EpochPurpose};
use paigow_round::record::{CloseLock, Lock, SettleRecord, VoidedRecord, WagerLock};
use paigow_round::refusal::{Reason, Refusal};
use paigow_round::request::{CallContext, NoEntropy, VoidReason, VoidRound, VoidStart};
use paigow_round::results::void_returns;
use paigow_round::round::{Round, RoundFacts, expect_link};
use paigow_rules::cards::Seat;

/// A voided round.
#[derive(Clone, Debug)]
pub struct VoidAnswer {
    /// The public id of the round.
    pub round_id: Hash,
    /// The public facts of the round, for metrics.
    pub facts: RoundFacts,
    /// The reason for the void.
    pub reason: VoidReason,
    /// The lock of the request's wagers, if no deal follows it. Perhaps no engine has ever returned
    /// such a lock.
    pub undealt: Option<RecordEnvelope>,
    /// If the request has the opening, the ticket. Then each spent lock behind its actions. Last
    /// the lock and the settle record.
    pub records: Vec<RecordEnvelope>,
    /// The amount that goes back to each seat, in minor units.
    pub returns: BTreeMap<Seat, i64>,
}

/// The lock that voids a round, for the ledger to sign.
#[derive(Clone, Debug)]
pub struct PreparedVoid {
    /// The lock with step `void`, unsigned.
    pub lock: RecordEnvelope,
    /// The amount that would go back to each seat, in minor units.
    pub returns: BTreeMap<Seat, i64>,
}

/// A round that may be voided.
struct VoidableRound<'c> {
    round: Round<'c>,
    /// The latest of ticket, lock of the wagers and deal.
    last: Hash,
    undealt: Option<RecordEnvelope>,
    spent: SpentLocks,
    returns: BTreeMap<Seat, i64>,
}

/// Voids a round from the lock and the deal, as far as they exist.
///
/// No round seed is derived. Client seeds are not checked, since a round whose seeds do not
/// fit can only be voided (D10).
///
/// # Errors
///
/// Returns a fault of the request, a closed gate, or a key that this replica does not hold.
pub fn void_round(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &VoidRound,
) -> Result<VoidAnswer, Refusal> {
    let voidable = VoidableRound::read(context, keys, call, request)?;
    let (lock, reason) = match &request.lock {
        Some(envelope) => (envelope.clone(), voidable.verify_lock(envelope, request.reason)?),
        None if voidable.round.policy().lock_required => {
            return Err(Refusal::of(
                Reason::LockRequired,
                "the tenant's policy requires a void lock signed by the ledger",
            ));
        }
        None => voidable.write_lock(request.reason)?,
    };
    let VoidableRound { round, undealt, spent, returns, .. } = voidable;
    let record = SettleRecord::Void(VoidedRecord {
        prev: lock.hash(),
        reason,
        returns: returns.clone(),
        round_id: round.ticket.round_id,
        ticket: round.ticket_hash,
    });
    let settle = signing::sign(keys, round.manifest(), RecordKind::Settle, &record)?;
    let mut records = spent.into_records();
    records.extend([lock, settle]);
    if matches!(request.start, VoidStart::Open(_)) {
        records.insert(0, round.ticket_envelope.clone());
    }
    let (round_id, facts) = (round.ticket.round_id, round.facts(None));
    Ok(VoidAnswer { round_id, facts, reason, undealt, records, returns })
}

/// Returns the lock that voids a round, for the ledger to sign. A lock in the request is ignored.
///
/// It needs keys only if the request has the opening in place of the ticket. The lock follows the
/// ticket, which commits to the server seed.
///
/// # Errors
///
/// Returns a fault of the request or a closed gate, as [`void_round`].
pub fn prepare_void(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &VoidRound,
) -> Result<PreparedVoid, Refusal> {
    let voidable = VoidableRound::read(context, keys, call, request)?;
    let (lock, _) = voidable.write_lock(request.reason)?;
    Ok(PreparedVoid { lock, returns: voidable.returns })
}

impl<'c> VoidableRound<'c> {
    /// Verifies the records of a round and its spent locks, and passes the gates of a void.
    fn read(
        context: &'c RoundContext,
        keys: &'c KeyRing,
        call: &CallContext,
        request: &VoidRound,
    ) -> Result<Self, Refusal> {
        let (round, rest) = match &request.start {
            VoidStart::Records(records) => {
                let Some((ticket, rest)) = records.split_first() else {
                    let what = "the ticket, or open in its place, is required";
                    return Err(Refusal::at(Reason::FieldMissing, "records", what));
                };
                (Round::of_ticket(context, keys, call, ticket, "records[0]")?, rest)
            }
            VoidStart::Open(open) => {
                // The suite is derived, so nothing is drawn.
                let opened = Opening::read(context, keys, call, open, OpeningPurpose::Void)
                    .and_then(|opening| opening.commit(keys, &mut || Err(NoEntropy)));
                (opened.map_err(|refusal| refusal.under("open"))?, &[][..])
            }
        };
        let (wagers, deal) = match rest {
            [] => (None, None),
            [lock] => (verify_undealt(&round, lock)?, None),
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
                let terms = decision_terms(&round, &locked, deal, dealt);
                SpentLocks::verify(&round, &terms, &request.spent)?
            }
            _ if request.spent.is_empty() => SpentLocks::default(),
            _ => {
                let what = "a final lock follows a deal: records lacks it";
                return Err(Refusal::at(Reason::Phase, "spent", what));
            }
        };
        spent.pass_void(context, &round, rest.get(1), request.revoking_manifest.as_ref())?;
        manifest_conditions::pass(&context.manifests, round.epoch, call.now, EpochPurpose::Void)?;
        let stakes = wagers.iter().flat_map(|lock| &lock.wagers).map(|w| (w.seat, w.amount_minor));
        let fees = deal.as_ref().map(|deal| &deal.fees);
        let returns = void_returns(stakes, fees).ok_or_else(|| {
            Refusal::at(Reason::AmountLimit, "records[1]", "the stakes do not fit 64 bits")
        })?;
        let last = rest.last().unwrap_or(&round.ticket_envelope).hash();
        let undealt = match (rest, &wagers) {
            ([lock], Some(_)) => Some(lock.clone()),
            _ => None,
        };
        Ok(Self { round, last, undealt, spent, returns })
    }

    /// Verifies the ledger's lock, and returns the reason that it states.
    fn verify_lock(
        &self,
        envelope: &RecordEnvelope,
        expected: Option<VoidReason>,
    ) -> Result<VoidReason, Refusal> {
        let Lock::Close(CloseLock::Void { prev, reason, supersedes, .. }) =
            self.round.verify_lock(envelope, "lock")?
        else {
            return Err(Refusal::at(Reason::Phase, "lock", "the step of this lock is not void"));
        };
        expect_link(&self.last, &prev, "lock", "the lock does not follow the last record")?;
        self.spent.expect(&supersedes, "lock")?;
        if expected.is_some_and(|expected| expected != reason) {
            let what = "not the reason that the lock states";
            return Err(Refusal::at(Reason::FieldInvalid, "reason", what));
        }
        Ok(reason)
    }

    /// Writes the lock, unsigned.
    fn write_lock(
        &self,
        reason: Option<VoidReason>,
    ) -> Result<(RecordEnvelope, VoidReason), Refusal> {
        let reason = reason
            .ok_or_else(|| Refusal::at(Reason::FieldMissing, "reason", "a void needs a reason"))?;
        let lock = CloseLock::Void {
            prev: self.last,
            reason,
            round_id: self.round.ticket.round_id,
            supersedes: self.spent.hashes().to_vec(),
        };
        Ok((RecordEnvelope::unsigned(RecordKind::Lock, &lock), reason))
    }
}

/// Verifies a lock that no deal follows; returns [`None`] if its payload cannot be read. The ledger
/// signed it all the same, so it can only be voided.
fn verify_undealt(round: &Round<'_>, lock: &RecordEnvelope) -> Result<Option<WagerLock>, Refusal> {
    let read = round.verify_wager_lock(lock, "records[1]");
    let is_unreadable = read.as_ref().is_err_and(|refusal| refusal.reason == Reason::Record);
    if is_unreadable && lock.is_signed() && lock.all_verify(&round.tenant.ledger_keys) {
        return Ok(None);
    }
    read.map(Some)
}
