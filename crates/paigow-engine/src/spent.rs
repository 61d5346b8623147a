//! Spent locks in a request: they are verified before the lock that supersedes them.

use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::EpochStatus;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::RoundContext;
use paigow_round::record::{CloseLock, Lock, MAX_SUPERSEDED};
use paigow_round::refusal::{FactKey, Reason, Refusal};
use paigow_round::request::SpentLock;
use paigow_round::round::{Round, expect_link};
use paigow_round::spent::{DecisionTerms, KeptActions, ListedAction};
use paigow_rules::cards::Seat;

/// The locks that the next lock of a round supersedes.
#[derive(Debug, Default)]
pub(super) struct SpentLocks {
    hashes: Vec<Hash>,
    kept: KeptActions,
    /// The last of them, if it can still be settled.
    unspent: Option<Hash>,
    records: Vec<RecordEnvelope>,
}

impl SpentLocks {
    /// Verifies the spent locks of a request. The ledger signed each. Each follows the deal and
    /// supersedes those before it. Its own actions prove that it can never settle.
    ///
    /// The last one may be unspent; [`Self::all_spent`] or [`Self::pass_void`] decides on it.
    pub(super) fn verify(
        round: &Round<'_>,
        terms: &DecisionTerms<'_>,
        shown: &[SpentLock],
    ) -> Result<Self, Refusal> {
        let mut all = Self::default();
        for (i, spent) in shown.iter().enumerate() {
            let field = format!("spent[{i}].lock");
            all.all_spent(i)?;
            let Lock::Close(CloseLock::Final { absent, actions, prev, supersedes, .. }) =
                round.verify_lock(&spent.lock, &field)?
            else {
                let what = "the step of this lock is not final";
                return Err(Refusal::at(Reason::Phase, field, what));
            };
            if !spent.lock.is_signed() {
                let what = "not signed by a ledger key of the tenant";
                return Err(Refusal::at(Reason::BadSignature, field, what));
            }
            expect_link(&terms.deal, &prev, &field, "the lock does not follow the deal")?;
            all.expect(&supersedes, &field)?;
            let listed = listed_actions(spent, &actions, i)?;
            if terms.spent_cause(&absent, &listed, &all.kept).is_none() {
                all.unspent = Some(spent.lock.hash());
            }
            terms.keep(&listed, &mut all.kept);
            all.hashes.push(spent.lock.hash());
            all.records.extend(spent.actions.iter().cloned());
            all.records.push(spent.lock.clone());
        }
        Ok(all)
    }

    /// Checks that a final lock may follow: every lock before it is spent, and fewer than eight
    /// are.
    pub(super) fn pass_count(&self) -> Result<(), Refusal> {
        self.all_spent(self.hashes.len())?;
        if self.hashes.len() == MAX_SUPERSEDED {
            let what = "after 8 spent locks only a void lock counts";
            let refusal = Refusal::at(Reason::Supersedes, "spent", what);
            return Err(refusal.with(FactKey::Maximum, MAX_SUPERSEDED - 1));
        }
        Ok(())
    }

    /// Refuses a final lock that leaves out an action of a spent lock that was legal by itself.
    /// `is_kept` returns whether such an action stays, `path` the path of its seat's decision.
    pub(super) fn pass_kept(
        &self,
        is_kept: impl Fn(Seat, &Hash) -> bool,
        path: impl Fn(Seat) -> String,
    ) -> Result<(), Refusal> {
        match self.kept.dropped(is_kept) {
            None => Ok(()),
            Some((seat, hash)) => Err(Refusal::at(
                Reason::DecisionDropped,
                path(seat),
                format!("the legal action {hash} of seat {seat} in a spent lock is left out"),
            )
            .with(FactKey::Seat, seat)
            .with(FactKey::Action, hash)),
        }
    }

    /// Checks that a void lock may follow.
    ///
    /// Every lock before it must be spent, unless the last one cannot be settled any more. That is
    /// so if `revoking` revokes the epoch or the receipt key of the round.
    pub(super) fn pass_void(
        &self,
        context: &RoundContext,
        round: &Round<'_>,
        deal: Option<&RecordEnvelope>,
        revoking: Option<&RecordEnvelope>,
    ) -> Result<(), Refusal> {
        let (Some(revoking), Some(_)) = (revoking, self.unspent) else {
            return self.all_spent(self.hashes.len());
        };
        let signed = context.manifests.by_hash(&revoking.hash()).ok_or_else(|| {
            let what = "the revoking manifest is not loaded here";
            Refusal::at(Reason::ManifestUnknown, "revoking_manifest", what)
                .with_newest(&context.manifests)
        })?;
        let epoch = signed.manifest.epoch(round.ticket.coordinates.epoch);
        let revoked = signed.manifest.receipt_keys.iter().filter(|listed| listed.revoked);
        let keys: Vec<_> = revoked.map(|listed| listed.key).collect();
        let mut records = [Some(&round.ticket_envelope), deal].into_iter().flatten();
        if epoch.is_some_and(|epoch| epoch.status == EpochStatus::Revoked)
            || records.any(|record| record.any_verifies(&keys))
        {
            return Ok(());
        }
        let what = "it revokes neither the epoch of the round nor its receipt key";
        Err(Refusal::at(Reason::FieldInvalid, "revoking_manifest", what))
    }

    /// Refuses a lock that does not supersede exactly these, in order.
    pub(super) fn expect(&self, supersedes: &[Hash], field: &str) -> Result<(), Refusal> {
        if supersedes == self.hashes {
            return Ok(());
        }
        let what = "supersedes is not the hashes of the locks in spent, in their order";
        Err(Refusal::at(Reason::Supersedes, field, what))
    }

    /// Returns the hashes of the locks, in order.
    pub(super) fn hashes(&self) -> &[Hash] {
        &self.hashes
    }

    /// Returns actions and locks, in the order of a transcript.
    pub(super) fn into_records(self) -> Vec<RecordEnvelope> {
        self.records
    }

    /// Refuses a lock after one that can still be settled. `next` is the lock that would follow.
    fn all_spent(&self, next: usize) -> Result<(), Refusal> {
        match self.unspent {
            None => Ok(()),
            Some(hash) => Err(Refusal::at(
                Reason::LockNotSpent,
                format!("spent[{}].lock", next.saturating_sub(1)),
                format!("lock {hash} is not spent: settle the round under it"),
            )
            .with(FactKey::Lock, hash)),
        }
    }
}

/// Returns the actions of a spent lock in the order of its list.
fn listed_actions(
    spent: &SpentLock,
    listed: &[Hash],
    place: usize,
) -> Result<Vec<ListedAction>, Refusal> {
    for (j, action) in spent.actions.iter().enumerate() {
        if action.kind() != RecordKind::Action {
            let field = format!("spent[{place}].actions[{j}]");
            return Err(Refusal::at(Reason::Phase, field, "not an action record"));
        }
    }
    let once = listed.iter().enumerate().filter(|(i, hash)| !listed[..*i].contains(hash));
    let covers = once.map(|(_, hash)| *hash).eq(spent.actions.iter().map(RecordEnvelope::hash));
    covers.then(|| ListedAction::in_order(listed, spent.actions.iter())).flatten().ok_or_else(
        || {
            let what = "the lock does not cover exactly the actions shown";
            Refusal::at(Reason::LockCoversActions, format!("spent[{place}].lock"), what)
        },
    )
}
