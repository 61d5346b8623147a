//! What a regulated service owes besides its answers: records are kept, events told, the
//! process verified.

use std::sync::Arc;

use tokio::time::Instant;
use tonic::Status;

use super::{Caller, Method, ServiceState, status};
use crate::telemetry::span;
use paigow_evidence::{Event, RecordEntry, Significant};
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::RecordEnvelope;
use paigow_files::release::{self, Check};
use paigow_round::{Refusal, RefusalClass};

impl ServiceState {
    /// Keeps what a call has signed, before its answer leaves.
    ///
    /// # Errors
    ///
    /// `NOT_RECORDED` where it is not kept and there is to be no answer without.
    pub(super) async fn keep(
        &self,
        method: Method,
        caller: &Caller,
        round_id: Hash,
        records: &[RecordEnvelope],
    ) -> Result<(), Status> {
        let entry = || RecordEntry {
            rpc: method.name().into(),
            tenant: caller.client.tenant.tenant.clone(),
            round_id,
            trace_id: span::trace_id(),
            records: records.to_vec(),
        };
        if self.sink.is_off() {
            return Ok(());
        }
        self.sink.keep(entry()).await.map_err(|_| status::not_recorded())
    }

    /// Keeps and logs a significant event.
    pub fn tell(&self, event: Event) {
        log_event(&event);
        self.sink.event(event);
    }

    /// Tells of a refusal that is this engine's own fault.
    pub(super) fn note(&self, refusal: &Refusal) {
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

    /// Verifies the process, and closes or opens new rounds by what is found. One runs at a
    /// time; who asks while one runs gets the result of the next, whoever asked for it.
    ///
    /// Returns nothing if the verification itself has failed; then no new round begins.
    pub async fn verify(self: &Arc<Self>) -> Option<Vec<Check>> {
        let asked = Instant::now();
        let mut last = Arc::clone(&self.verified).lock_owned().await;
        if let Some(last) = last.as_ref().filter(|last| last.begun >= asked) {
            return Some(last.checks.clone());
        }
        let state = Arc::clone(self);
        // It runs to its end though nobody may wait for it any more, and nobody runs beside.
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
        self.meters.verification(failed.is_empty(), (self.clock)());
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

/// Logs a significant event, its facts as a JSON object of texts if it has any.
pub fn log_event(event: &Event) {
    let name = event.event.as_ref();
    let facts = (!event.facts.is_empty())
        .then(|| tracing::field::display(serde_json::to_string(&event.facts).unwrap_or_default()));
    match Significant::is_trouble(name) {
        true => tracing::error!(event = name, facts, "significant event"),
        false => tracing::info!(event = name, facts, "significant event"),
    }
}
