//! The duties of a regulated service beyond its answers: it keeps records, reports events and
//! verifies its own process.

use std::sync::{Arc, MutexGuard, PoisonError};

use tokio::time::Instant;
use tonic::Status;

use super::{Caller, Method, ServiceState, status};
use crate::recent::RecentRecords;
use crate::telemetry::span;
use paigow_evidence::{Event, RecordEntry, Significant};
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::release::{self, Check};
use paigow_round::{Reason, Refusal, RefusalClass};

impl ServiceState {
    /// Keeps the records of an answer before it leaves.
    ///
    /// The line names a record by its hash if an earlier line has the record. That holds for the
    /// first `brought` records: the caller has them from an engine, which kept them before its answer
    /// left. It also holds for all records of an answer that this replica kept lately. If answers do
    /// not wait for their lines, no record is known to be kept. Then the line has all records.
    ///
    /// # Errors
    ///
    /// `NOT_RECORDED` if the line is not kept and an answer must wait for it.
    pub(super) async fn keep(
        &self,
        method: Method,
        caller: &Caller,
        round_id: Hash,
        records: &[RecordEnvelope],
        brought: usize,
    ) -> Result<(), Status> {
        if self.sink.is_off() {
            return Ok(());
        }
        // Each record names the one before it, so the last one stands for all of the answer.
        let last = records.last().filter(|_| self.sink.is_fail_closed()).map(RecordEnvelope::hash);
        let is_kept = last.is_some_and(|last| self.kept_lately().contains(last.as_bytes()));
        let first = match last {
            Some(_) if is_kept => records.len(),
            Some(_) => brought,
            None => 0,
        };
        let (before, full) = records.split_at(first);
        let before = before.iter().filter(|record| record.kind() != RecordKind::Action);
        let entry = RecordEntry {
            rpc: method.name().into(),
            tenant: caller.client.tenant.tenant.clone(),
            round_id,
            trace_id: span::trace_id(),
            records: full.to_vec(),
            kept: before.map(RecordEnvelope::hash).collect(),
        };
        self.sink.keep(entry).await.map_err(|_| status::not_recorded())?;
        if let Some(last) = last {
            self.kept_lately().is_new(*last.as_bytes());
        }
        Ok(())
    }

    fn kept_lately(&self) -> MutexGuard<'_, RecentRecords> {
        // Nothing under the lock can panic between two halves of a change.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets which records this replica has kept, because a file of its evidence was lost. Later
    /// lines have all records again.
    pub fn forget_kept(&self) {
        *self.kept_lately() = RecentRecords::default();
    }

    /// Keeps and logs a significant event.
    pub fn tell(&self, event: Event) {
        log_event(&event);
        self.sink.event(event);
    }

    /// Records a refusal that is this engine's own fault, or that of its key store.
    pub(super) fn note(&self, refusal: &Refusal) {
        if refusal.reason == Reason::KeyStoreUnavailable
            && self.standing.set(|now| now.no_key_store = true)
        {
            let event = Event::new(Significant::KeyStoreFailed);
            let facts = refusal.alarm.iter();
            self.tell(facts.fold(event, |event, (name, value)| event.with(name, value)));
        }
        if refusal.reason.class() == RefusalClass::Internal {
            let event = Event::new(Significant::InvariantBroken);
            let mut event = event
                .with("reason", refusal.reason.as_str())
                .with("version", self.build.version)
                .with("revision", self.build.git_revision);
            if let Some(executable) = self.build.executable_sha256 {
                event = event.with("executable", executable);
            }
            let alarm = refusal.alarm.iter();
            self.tell(alarm.fold(event, |event, (name, value)| event.with(name, value)));
        }
    }

    /// Verifies the process, and closes or opens new rounds by the result. One verification runs at a
    /// time. A caller that asks during one gets the result of the next, which all such callers share.
    ///
    /// Returns [`None`] if the verification itself failed. Then no new round begins.
    pub async fn verify(self: &Arc<Self>) -> Option<Vec<Check>> {
        let asked = Instant::now();
        let mut last = Arc::clone(&self.verified).lock_owned().await;
        if let Some(last) = last.as_ref().filter(|last| last.begun >= asked) {
            return Some(last.checks.clone());
        }
        let state = Arc::clone(self);
        // It runs to its end even if no caller waits any more, and no other runs at the same time.
        let running = tokio::task::spawn_blocking(move || {
            let begun = Instant::now();
            let checks = state.verify_now();
            *last = Some(LastVerification { begun, checks: checks.clone() });
            checks
        });
        let checks = running.await.ok();
        if checks.is_none() {
            self.standing.set(|now| now.unverified = true);
            self.tell(Event::new(Significant::VerificationFailed).with("cause", "a panic"));
        }
        checks
    }

    fn verify_now(&self) -> Vec<Check> {
        let world = self.world.load_full();
        let checks = (self.verify)(&world.context);
        let failed: Vec<&Check> =
            checks.iter().filter(|check| check.status == release::Status::Failed).collect();
        self.note_verification(failed.is_empty());
        self.standing.set(|now| now.unverified = !failed.is_empty());
        if failed.is_empty() {
            self.tell(Event::new(Significant::Verified).with("checks", checks.len()));
        } else {
            let mut event = Event::new(Significant::VerificationFailed);
            for check in failed {
                event = event.with(check.code.name(), check);
            }
            self.tell(event);
        }
        checks
    }
}

/// The result of the last verification, and when it began.
#[derive(Debug)]
pub(super) struct LastVerification {
    begun: Instant,
    checks: Vec<Check>,
}

/// Logs a significant event, with its facts, if any, as a JSON object of texts.
pub fn log_event(event: &Event) {
    let name = event.event.as_ref();
    let facts = (!event.facts.is_empty())
        .then(|| tracing::field::display(serde_json::to_string(&event.facts).unwrap_or_default()));
    match Significant::is_trouble(name) {
        true => tracing::error!(event = name, facts, "significant event"),
        false => tracing::info!(event = name, facts, "significant event"),
    }
}
