//! A replica that keeps its answers, and what a verification of its files finds.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use paigow_engine::DealAnswer;
use paigow_evidence::verify::{EvidenceReport, EvidenceVerifier};
use paigow_evidence::{
    Boot, ChainHead, Event, Fsync, RecordEntry, Significant, Sink, SinkSettings, SinkTarget, files,
};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::ticket::Ticket;
use paigow_round::VoidReason;

use crate::evidence::casino::{Casino, RoundPlan, id};

pub(crate) fn clock() -> u64 {
    1_800_000_000_123
}

pub(crate) fn settings(directory: &Path) -> SinkSettings {
    SinkSettings {
        target: SinkTarget::Directory(directory.to_owned()),
        fail_closed: true,
        // Other tests, on a disk that records its syncs, cover the loss of power.
        fsync: Fsync::Never,
        rotate_bytes: 1 << 30,
        rotate_after: Duration::MAX,
        folder_bytes: u64::MAX,
        queue: 1000,
        stall: Duration::from_secs(600),
    }
}

/// The id of the n-th boot.
pub(crate) fn boot_id(number: u8) -> String {
    Boot::make_id(1_800_000_000 + u64::from(number), [number; 8])
}

pub(crate) fn boot(number: u8, instance: &str) -> Boot {
    Boot {
        id: boot_id(number),
        instance: instance.to_owned(),
        version: "0.1.0".into(),
        executable: None,
    }
}

/// A replica: its engine, and the sink of one boot.
pub(crate) struct Replica {
    pub(crate) casino: Casino,
    sink: Sink,
}

impl Replica {
    /// Starts a boot in a folder.
    pub(crate) fn start(casino: Casino, number: u8, settings: SinkSettings) -> Self {
        let sink = Sink::open(settings, boot(number, "replica"), clock).unwrap();
        sink.event(Event::new(Significant::Started));
        sink.manifest(&casino.manifests);
        Self { casino, sink }
    }

    /// Keeps the records of an answer.
    pub(crate) async fn keep(&self, rpc: &'static str, tenant: &str, records: &[RecordEnvelope]) {
        let Some(ticket) = records
            .iter()
            .find_map(|record| record.json().ok().and_then(|json| Ticket::parse(json).ok()))
        else {
            panic!("an answer without its ticket")
        };
        self.keep_of(rpc, tenant, &ticket, records).await;
    }

    pub(crate) async fn keep_of(
        &self,
        rpc: &'static str,
        tenant: &str,
        ticket: &Ticket,
        records: &[RecordEnvelope],
    ) {
        let entry = RecordEntry {
            rpc: rpc.into(),
            tenant: id(tenant),
            round_id: ticket.round_id,
            trace_id: None,
            records: records.to_vec(),
            kept: Vec::new(),
        };
        self.sink.keep(entry).await.unwrap();
    }

    /// Deals a round and keeps the answer.
    pub(crate) async fn deal(&self, plan: &RoundPlan) -> DealAnswer {
        let dealt = self.casino.deal(plan);
        self.keep("Deal", &plan.tenant, &dealt.records).await;
        dealt
    }

    /// Settles a round and keeps the answer; returns its records.
    pub(crate) async fn settle(&self, plan: &RoundPlan, dealt: &DealAnswer) -> Vec<RecordEnvelope> {
        let settled = self.casino.settle(plan, dealt);
        self.keep_close(plan, dealt, &settled.records).await;
        settled.records
    }

    /// Voids a round and keeps the answer.
    pub(crate) async fn void(&self, plan: &RoundPlan, dealt: &DealAnswer) {
        let casino = &self.casino;
        let request = casino.void_request(plan, &dealt.records, VoidReason::Operator);
        let call = casino.call(&plan.tenant);
        let voided =
            paigow_engine::void_round(&casino.context, &casino.keys, &call, &request).unwrap();
        self.keep_close(plan, dealt, &voided.records).await;
    }

    pub(crate) async fn keep_close(
        &self,
        plan: &RoundPlan,
        dealt: &DealAnswer,
        records: &[RecordEnvelope],
    ) {
        let ticket = Ticket::parse(dealt.records[0].json().unwrap()).unwrap();
        self.keep_of("Settle", &plan.tenant, &ticket, records).await;
    }

    /// Ends the boot in order.
    pub(crate) async fn stop(self) {
        self.sink.close().await;
    }
}

/// Verifies files, as `paigow-lab` does.
pub(crate) fn verified(paths: &[&Path]) -> EvidenceReport {
    verified_knowing(paths, &[])
}

pub(crate) fn verified_knowing(paths: &[&Path], known: &[ChainHead]) -> EvidenceReport {
    let mut verifier = EvidenceVerifier::new(known);
    let paths: Vec<PathBuf> = paths.iter().map(|path| (*path).to_owned()).collect();
    for path in files::list(&paths).unwrap() {
        verifier.begin_file(path.to_str().unwrap());
        let file = File::open(&path).unwrap();
        files::each_line(file, |bytes, whole| verifier.line(bytes, whole)).unwrap();
    }
    verifier.finish()
}

/// The files of a folder in order.
pub(crate) fn files_in(directory: &Path) -> Vec<PathBuf> {
    files::list(&[directory.to_owned()]).unwrap()
}

/// The lines of a file, each with its end.
pub(crate) fn lines_of(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}
