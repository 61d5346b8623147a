//! Every name that leaves the process, in the one place where a rename is made.
//!
//! Spans and the duration of calls follow the OpenTelemetry conventions for RPCs. Their
//! v1.44 is a release candidate in which the status is still `rpc.response.status_code`.
//! The conventions have since renamed it to [`STATUS_CODE`] (their pull request 3921), which
//! is the name here. Until a version with that name is out, no schema is declared: it would
//! promise the old name.
//!
//! An attribute or a metric that is not listed here is not exported.

/// `service.name`, and the name of the instrumentation scope.
pub const SERVICE: &str = "paigow";

/// `rpc.system.name` of every call.
pub(super) const GRPC: &str = "grpc";

/// The value that replaces values which a peer could invent without limit: a method that is not ours,
/// or one currency too many.
pub(super) const OTHER: &str = "_OTHER";

/// Which system of calls it is: `grpc`.
pub const SYSTEM: &str = "rpc.system.name";
/// The full name of the method, or `_OTHER`.
pub const METHOD: &str = "rpc.method";
/// How the call ended, as `INVALID_ARGUMENT`.
pub const STATUS_CODE: &str = "rpc.status_code";
/// The same status, if it is a fault of the server.
pub const ERROR_TYPE: &str = "error.type";
/// A ruleset's id.
pub const RULESET: &str = "paigow.ruleset.id";
/// A bet's id, as in the rulesets.
pub const BET: &str = "paigow.bet";
/// A currency's code.
pub const CURRENCY: &str = "paigow.currency";
/// A tenant of the manifest.
pub const TENANT: &str = "paigow.tenant";
/// A client of the access file.
pub const CLIENT: &str = "paigow.client";
/// The address of the other side of a connection; that of a proxy where one stands between.
pub const PEER_ADDRESS: &str = "network.peer.address";
/// `house_way` or `player`: the setter of the hands, for a bet that the hands as set decide.
pub const SET_BY: &str = "paigow.set_by";
/// `user` or `system`.
pub const CPU_MODE: &str = "cpu.mode";
/// `settled` or `void`.
pub const DISPOSITION: &str = "paigow.disposition";
/// `win`, `lose` or `push`.
pub const OUTCOME: &str = "paigow.outcome";
/// A seed suite.
pub const SUITE: &str = "paigow.suite.id";
/// A house way's id.
pub const HOUSE_WAY: &str = "paigow.house_way.id";
/// The id of the clause of a house way that decided.
pub const CLAUSE: &str = "paigow.house_way.clause";
/// The verdict of an audit.
pub const AUDIT_VERDICT: &str = "paigow.audit.verdict";
/// How many rounds an audit replayed.
pub const AUDIT_ROUNDS: &str = "paigow.audit.round.count";
/// `ErrorInfo.reason` of a refusal.
pub const REASON: &str = "paigow.reason";
/// An epoch's number.
pub const EPOCH: &str = "paigow.epoch";
/// `passed` or `failed`.
pub const VERIFICATION_VERDICT: &str = "paigow.verification.verdict";
/// `keyring`, `access`, `tls` or `log`.
pub const RELOAD_PART: &str = "paigow.reload.part";
/// `taken`, `refused`, `unchanged`, or `waits` for a key.
pub const RELOAD_OUTCOME: &str = "paigow.reload.outcome";
/// How many seats a call is about.
pub const SEATS: &str = "paigow.seat.count";
/// The public id of a round; only where the settings ask for it.
pub const ROUND: &str = "paigow.round.id";

/// The attributes of the span of a call.
pub const SPAN_ATTRIBUTES: [&str; 13] = [
    SYSTEM,
    METHOD,
    STATUS_CODE,
    ERROR_TYPE,
    SUITE,
    HOUSE_WAY,
    SEATS,
    AUDIT_VERDICT,
    AUDIT_ROUNDS,
    ROUND,
    TENANT,
    CLIENT,
    PEER_ADDRESS,
];

/// The fields of an event that an exported log record has, each with its attribute. Other fields
/// stay in the log lines of this machine.
pub const LOG_ATTRIBUTES: [(&str, &str); 10] = [
    (METHOD, METHOD),
    (STATUS_CODE, STATUS_CODE),
    ("reason", REASON),
    ("ruleset", RULESET),
    ("house_way", HOUSE_WAY),
    ("tenant", TENANT),
    ("client", CLIENT),
    ("peer", PEER_ADDRESS),
    ("part", RELOAD_PART),
    ("outcome", RELOAD_OUTCOME),
];

/// The significant events by their names in the log and in the evidence, each with the name of its
/// log record.
pub const EVENTS: [(&str, &str); 19] = [
    ("started", "paigow.started"),
    ("stopped", "paigow.stopped"),
    ("draining", "paigow.draining"),
    ("verified", "paigow.verified"),
    ("verification_failed", "paigow.verification_failed"),
    ("manifest_loaded", "paigow.manifest_loaded"),
    ("reload_refused", "paigow.reload_refused"),
    ("key_awaited", "paigow.key_awaited"),
    ("access_changed", "paigow.access_changed"),
    ("tls_changed", "paigow.tls_changed"),
    ("switches_changed", "paigow.switches_changed"),
    ("log_filter_changed", "paigow.log_filter_changed"),
    ("evidence_failed", "paigow.evidence_failed"),
    ("evidence_lost", "paigow.evidence_lost"),
    ("evidence_loss_acknowledged", "paigow.evidence_loss_acknowledged"),
    ("entropy_failed", "paigow.entropy_failed"),
    ("key_store_failed", "paigow.key_store_failed"),
    ("key_store_recovered", "paigow.key_store_recovered"),
    ("invariant_broken", "paigow.invariant_broken"),
];

/// The beginning of the attribute of a fact of a significant event; the name of the fact follows.
pub const EVENT_FACT: &str = "paigow.event.";

/// The attributes of the resource, which describe the running instance.
pub const RESOURCE_ATTRIBUTES: [&str; 9] = [
    "service.name",
    "service.namespace",
    "service.version",
    "service.instance.id",
    "deployment.environment.name",
    "vcs.ref.head.revision",
    "telemetry.sdk.name",
    "telemetry.sdk.language",
    "telemetry.sdk.version",
];

/// The kind of a metric.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MetricKind {
    /// It only grows.
    Counter,
    /// The current value.
    Gauge,
    /// Counts of values in buckets.
    Histogram,
}

/// A metric that is exported.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Metric {
    /// Its name by the OpenTelemetry rules: with dots, without `_total`.
    pub name: &'static str,
    /// Its kind.
    pub kind: MetricKind,
    /// Its unit by UCUM. A word in braces names what is counted, without a unit.
    pub unit: &'static str,
    /// Its description, for people.
    pub description: &'static str,
    /// The attributes that it may have.
    pub attributes: &'static [&'static str],
}

const fn counter(
    name: &'static str,
    unit: &'static str,
    attributes: &'static [&'static str],
    description: &'static str,
) -> Metric {
    Metric { name, kind: MetricKind::Counter, unit, description, attributes }
}

const fn gauge(
    name: &'static str,
    unit: &'static str,
    attributes: &'static [&'static str],
    description: &'static str,
) -> Metric {
    Metric { name, kind: MetricKind::Gauge, unit, description, attributes }
}

/// The upper bounds of the buckets of the duration of calls, in seconds. The first ones are below
/// those of the convention, whose first bucket ends at 5 ms: all of our calls would be in that one.
pub const DURATION_BOUNDS: [f64; 17] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0,
    7.5, 10.0,
];

/// `rpc.server.call.duration`.
pub const CALL_DURATION: Metric = Metric {
    name: "rpc.server.call.duration",
    kind: MetricKind::Histogram,
    unit: "s",
    description: "Duration of calls; of a stream, until it ended",
    attributes: &[SYSTEM, METHOD, STATUS_CODE, ERROR_TYPE],
};
/// `paigow.rounds`.
pub const ROUNDS: Metric = counter(
    "paigow.rounds",
    "{round}",
    &[RULESET, DISPOSITION, TENANT],
    "Rounds that were settled or voided",
);
/// `paigow.deals`.
pub const DEALS: Metric =
    counter("paigow.deals", "{deal}", &[RULESET, SUITE], "Rounds that were dealt");
/// `paigow.settlements`.
pub const SETTLEMENTS: Metric = counter(
    "paigow.settlements",
    "{settlement}",
    &[RULESET, OUTCOME],
    "Base wagers by the outcome of their hands",
);

/// The attributes of every metric of money. Only bets that the hands as set decide have the last
/// one.
const MONEY: &[&str] = &[RULESET, BET, CURRENCY, SET_BY];

/// The attributes of the money of a tenant.
const TENANT_MONEY: &[&str] = &[TENANT, CURRENCY];

/// `paigow.wagers`.
pub const WAGERS: Metric =
    counter("paigow.wagers", "{wager}", MONEY, "Wagers in action in settled rounds");
/// `paigow.stake`.
pub const STAKE: Metric =
    counter("paigow.stake", "{minor_unit}", MONEY, "Stakes in action in settled rounds");
/// `paigow.return`.
pub const RETURN: Metric = counter(
    "paigow.return",
    "{minor_unit}",
    MONEY,
    "Amounts handed back on the stakes in action, the stakes of wins and pushes included",
);
/// `paigow.commission`.
pub const COMMISSION: Metric =
    counter("paigow.commission", "{minor_unit}", MONEY, "Commission kept of wins");
/// `paigow.tenant.stake`.
pub const TENANT_STAKE: Metric = counter(
    "paigow.tenant.stake",
    "{minor_unit}",
    TENANT_MONEY,
    "Stakes in action in settled rounds of a tenant",
);
/// `paigow.tenant.return`.
pub const TENANT_RETURN: Metric = counter(
    "paigow.tenant.return",
    "{minor_unit}",
    TENANT_MONEY,
    "Amounts handed back on the stakes in action, the stakes of wins and pushes included",
);
/// `paigow.tenant.commission`.
pub const TENANT_COMMISSION: Metric = counter(
    "paigow.tenant.commission",
    "{minor_unit}",
    TENANT_MONEY,
    "Commission kept of wins of a tenant's players",
);
/// `paigow.stake.squares`.
pub const STAKE_SQUARES: Metric = counter(
    "paigow.stake.squares",
    "{minor_unit_squared}",
    MONEY,
    "Squares of the stakes that win or lose together, for the confidence band of the return",
);
/// `paigow.uncovered`.
pub const UNCOVERED: Metric = counter(
    "paigow.uncovered",
    "{minor_unit}",
    MONEY,
    "Amounts of stakes and wins that a player-dealer could not cover",
);
/// `paigow.bet.return.expected`.
pub const RETURN_EXPECTED: Metric = gauge(
    "paigow.bet.return.expected",
    "{stake}",
    &[RULESET, BET],
    "The exact average return of a bet per unit staked, by house way",
);
/// `paigow.bet.return.deviation`.
pub const RETURN_DEVIATION: Metric = gauge(
    "paigow.bet.return.deviation",
    "{stake}",
    &[RULESET, BET],
    "The standard deviation of the return of a bet per unit staked",
);
/// `paigow.bet.return.best_play`.
pub const RETURN_BEST_PLAY: Metric = gauge(
    "paigow.bet.return.best_play",
    "{stake}",
    &[RULESET, BET],
    "The exact average return of the base wager per unit staked, by best play",
);
/// `paigow.house_way.settings`.
pub const SETTINGS: Metric = counter(
    "paigow.house_way.settings",
    "{setting}",
    &[HOUSE_WAY, CLAUSE],
    "Hands that a house way set, by the clause that decided",
);
/// `paigow.audits`.
pub const AUDITS: Metric =
    counter("paigow.audits", "{audit}", &[AUDIT_VERDICT], "Audits by their verdict");
/// `paigow.requests.refused`.
pub const REFUSED: Metric = counter(
    "paigow.requests.refused",
    "{request}",
    &[REASON],
    "Requests that were refused, by the reason in the answer",
);
/// `paigow.epoch.remaining`.
pub const EPOCH_REMAINING: Metric = gauge(
    "paigow.epoch.remaining",
    "s",
    &[EPOCH],
    "How much longer an epoch that can be played accepts new rounds, or will accept them",
);
/// `paigow.new_rounds.remaining`.
pub const NEW_ROUNDS_REMAINING: Metric = gauge(
    "paigow.new_rounds.remaining",
    "s",
    &[],
    "How much longer new rounds can begin without a gap between epochs, 0 while none is open; a missing secret counts as present until 12 hours before its epoch opens",
);
/// `paigow.epoch.secret_missing`.
pub const EPOCH_SECRET_MISSING: Metric = gauge(
    "paigow.epoch.secret_missing",
    "s",
    &[],
    "How long until the first epoch opens whose secret this replica lacks, 0 once one is open; absent if it lacks none",
);
/// `paigow.key_store.failing`.
pub const KEY_STORE_FAILING: Metric = gauge(
    "paigow.key_store.failing",
    "{store}",
    &[],
    "1 while the key store of the receipt key does not sign, else 0",
);
/// `paigow.manifest.sequence`.
pub const MANIFEST_SEQUENCE: Metric = gauge(
    "paigow.manifest.sequence",
    "{manifest}",
    &[],
    "The sequence number of the manifest in force",
);
/// `paigow.verification.passed`.
pub const VERIFICATION_PASSED: Metric = gauge(
    "paigow.verification.passed",
    "{verification}",
    &[],
    "1 if the last self-verification passed, 0 if it failed",
);
/// `paigow.verification.runs`.
pub const VERIFICATION_RUNS: Metric = counter(
    "paigow.verification.runs",
    "{verification}",
    &[VERIFICATION_VERDICT],
    "Self-verifications of the process",
);
/// `paigow.verification.passed_timestamp`.
pub const VERIFICATION_PASSED_TIMESTAMP: Metric = gauge(
    "paigow.verification.passed_timestamp",
    "s",
    &[],
    "When a self-verification last passed, since 1970; absent until then",
);
/// `paigow.evidence.lines`.
pub const EVIDENCE_LINES: Metric =
    counter("paigow.evidence.lines", "{line}", &[], "Lines of evidence that were kept");
/// `paigow.evidence.dropped`.
pub const EVIDENCE_DROPPED: Metric = counter(
    "paigow.evidence.dropped",
    "{line}",
    &[],
    "Lines of evidence that are not kept, and that no call waited for",
);
/// `paigow.evidence.failing`.
pub const EVIDENCE_FAILING: Metric =
    gauge("paigow.evidence.failing", "{sink}", &[], "1 while evidence cannot be written, else 0");
/// `paigow.evidence.queue`.
pub const EVIDENCE_QUEUE: Metric =
    gauge("paigow.evidence.queue", "{line}", &[], "Lines of evidence that wait to be kept");
/// `paigow.evidence.sync.duration`.
pub const EVIDENCE_SYNC_DURATION: Metric = Metric {
    name: "paigow.evidence.sync.duration",
    kind: MetricKind::Histogram,
    unit: "s",
    description: "Duration of a sync of the file of evidence to the disk",
    attributes: &[],
};
/// `paigow.evidence.lost_unacknowledged`.
pub const EVIDENCE_LOST_UNACKNOWLEDGED: Metric = gauge(
    "paigow.evidence.lost_unacknowledged",
    "{file}",
    &[],
    "Files of evidence that were lost while they were written, and that no operator has acknowledged",
);
/// `paigow.evidence.volume.free`.
pub const EVIDENCE_VOLUME_FREE: Metric = gauge(
    "paigow.evidence.volume.free",
    "By",
    &[],
    "Bytes that are free for evidence on the volume of its folder",
);
/// `paigow.evidence.volume.size`.
pub const EVIDENCE_VOLUME_SIZE: Metric =
    gauge("paigow.evidence.volume.size", "By", &[], "Bytes of the volume of the evidence folder");
/// `paigow.evidence.unshipped.files`.
pub const EVIDENCE_UNSHIPPED_FILES: Metric = gauge(
    "paigow.evidence.unshipped.files",
    "{file}",
    &[],
    "Closed files of evidence that are not in object storage; only with evidence.shipped",
);
/// `paigow.evidence.unshipped.age`.
pub const EVIDENCE_UNSHIPPED_AGE: Metric = gauge(
    "paigow.evidence.unshipped.age",
    "s",
    &[],
    "Time since the last write to the oldest closed file of evidence that is not in object storage, 0 if all are; only with evidence.shipped",
);
/// `paigow.reloads`.
pub const RELOADS: Metric = counter(
    "paigow.reloads",
    "{reload}",
    &[RELOAD_PART, RELOAD_OUTCOME],
    "Reloads of the files of a part, by outcome",
);
/// `paigow.reload.refused`.
pub const RELOAD_REFUSED: Metric = gauge(
    "paigow.reload.refused",
    "{part}",
    &[RELOAD_PART],
    "1 while the files in place are refused and the previous ones are in force, else 0",
);
/// `paigow.reload.waits`.
pub const RELOAD_WAITS: Metric = gauge(
    "paigow.reload.waits",
    "{part}",
    &[RELOAD_PART],
    "1 while a manifest waits for the receipt key that signs under it and the previous one is in force, else 0",
);
/// `paigow.reload.succeeded_timestamp`.
pub const RELOAD_SUCCEEDED_TIMESTAMP: Metric = gauge(
    "paigow.reload.succeeded_timestamp",
    "s",
    &[RELOAD_PART],
    "When the files of a part were last read and accepted, since 1970",
);
/// `paigow.certificate.remaining`.
pub const CERTIFICATE_REMAINING: Metric = gauge(
    "paigow.certificate.remaining",
    "s",
    &[],
    "How much longer the server's certificate, and those that sign it, are valid; absent without TLS",
);
/// `paigow.connections`.
pub const CONNECTIONS: Metric =
    gauge("paigow.connections", "{connection}", &[], "Connections that are open");
/// `paigow.connections.failed`.
pub const CONNECTIONS_FAILED: Metric = counter(
    "paigow.connections.failed",
    "{connection}",
    &[REASON],
    "Connections that were refused, failed before a call, or were closed for a flood of control frames",
);
/// `paigow.calls.in_flight`.
pub const IN_FLIGHT: Metric =
    gauge("paigow.calls.in_flight", "{call}", &[], "Calls of the service that are open");
/// `paigow.calls.shed`.
pub const SHED: Metric = counter(
    "paigow.calls.shed",
    "{call}",
    &[REASON, TENANT],
    "Calls that were rejected because of load",
);

/// `paigow.log.dropped`.
pub const LOG_DROPPED: Metric = counter(
    "paigow.log.dropped",
    "{line}",
    &[],
    "Log lines that were dropped: their output was too slow, or they exceeded log.lines_per_second",
);

/// `process.cpu.time`.
pub const PROCESS_CPU_TIME: Metric = Metric {
    name: "process.cpu.time",
    kind: MetricKind::Counter,
    unit: "s",
    description: "Processor time that the process has used",
    attributes: &[CPU_MODE],
};
/// `process.memory.usage`.
pub const PROCESS_MEMORY: Metric =
    gauge("process.memory.usage", "By", &[], "Physical memory that the process holds");
/// `process.thread.count`.
pub const PROCESS_THREADS: Metric =
    gauge("process.thread.count", "{thread}", &[], "Threads of the process");
/// `process.unix.file_descriptor.count`.
pub const PROCESS_DESCRIPTORS: Metric = gauge(
    "process.unix.file_descriptor.count",
    "{file_descriptor}",
    &[],
    "File descriptors that the process has open",
);

/// All metrics.
pub const METRICS: [Metric; 51] = [
    CALL_DURATION,
    ROUNDS,
    DEALS,
    SETTLEMENTS,
    WAGERS,
    STAKE,
    RETURN,
    COMMISSION,
    TENANT_STAKE,
    TENANT_RETURN,
    TENANT_COMMISSION,
    STAKE_SQUARES,
    UNCOVERED,
    RETURN_EXPECTED,
    RETURN_DEVIATION,
    RETURN_BEST_PLAY,
    SETTINGS,
    AUDITS,
    REFUSED,
    EPOCH_REMAINING,
    NEW_ROUNDS_REMAINING,
    EPOCH_SECRET_MISSING,
    KEY_STORE_FAILING,
    MANIFEST_SEQUENCE,
    VERIFICATION_PASSED,
    VERIFICATION_RUNS,
    VERIFICATION_PASSED_TIMESTAMP,
    EVIDENCE_LINES,
    EVIDENCE_DROPPED,
    EVIDENCE_FAILING,
    EVIDENCE_QUEUE,
    EVIDENCE_SYNC_DURATION,
    EVIDENCE_LOST_UNACKNOWLEDGED,
    EVIDENCE_VOLUME_FREE,
    EVIDENCE_VOLUME_SIZE,
    EVIDENCE_UNSHIPPED_FILES,
    EVIDENCE_UNSHIPPED_AGE,
    RELOADS,
    RELOAD_REFUSED,
    RELOAD_WAITS,
    RELOAD_SUCCEEDED_TIMESTAMP,
    CERTIFICATE_REMAINING,
    CONNECTIONS,
    CONNECTIONS_FAILED,
    IN_FLIGHT,
    SHED,
    LOG_DROPPED,
    PROCESS_CPU_TIME,
    PROCESS_MEMORY,
    PROCESS_THREADS,
    PROCESS_DESCRIPTORS,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use opentelemetry_semantic_conventions::{SCHEMA_URL, attribute, metric, resource};

    use super::*;

    #[test]
    fn names_of_the_conventions_are_spelt_as_their_crate_spells_them() {
        assert_eq!(
            [CALL_DURATION.name, SYSTEM, METHOD, ERROR_TYPE, CPU_MODE],
            [
                metric::RPC_SERVER_CALL_DURATION,
                attribute::RPC_SYSTEM_NAME,
                attribute::RPC_METHOD,
                attribute::ERROR_TYPE,
                attribute::CPU_MODE,
            ]
        );
        assert_eq!(
            [PROCESS_CPU_TIME, PROCESS_MEMORY, PROCESS_THREADS, PROCESS_DESCRIPTORS]
                .map(|metric| metric.name),
            [
                metric::PROCESS_CPU_TIME,
                metric::PROCESS_MEMORY_USAGE,
                metric::PROCESS_THREAD_COUNT,
                metric::PROCESS_UNIX_FILE_DESCRIPTOR_COUNT,
            ]
        );
        assert_eq!(
            RESOURCE_ATTRIBUTES,
            [
                resource::SERVICE_NAME,
                resource::SERVICE_NAMESPACE,
                resource::SERVICE_VERSION,
                resource::SERVICE_INSTANCE_ID,
                resource::DEPLOYMENT_ENVIRONMENT_NAME,
                resource::VCS_REF_HEAD_REVISION,
                resource::TELEMETRY_SDK_NAME,
                resource::TELEMETRY_SDK_LANGUAGE,
                resource::TELEMETRY_SDK_VERSION,
            ]
        );
        // The one name that this version of the crate does not have yet. Once it has, both of these
        // fail, and the comparison above replaces them.
        assert_eq!(attribute::RPC_RESPONSE_STATUS_CODE, "rpc.response.status_code");
        assert_eq!(SCHEMA_URL, "https://opentelemetry.io/schemas/1.42.0");
        assert_eq!(STATUS_CODE, "rpc.status_code");
    }

    #[test]
    fn every_metric_is_described_and_named_once_by_the_rules_of_names() {
        let names: BTreeSet<&str> = METRICS.iter().map(|metric| metric.name).collect();
        assert_eq!(names.len(), METRICS.len());
        let dotted = |name: &str| {
            name.split('.').all(|part| {
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            })
        };
        for metric in METRICS {
            assert!(dotted(metric.name) && metric.name.contains('.'), "{}", metric.name);
            assert!(!metric.name.ends_with("total"), "{}: that is Prometheus'", metric.name);
            assert!(metric.description.len() > 10, "{}", metric.name);
            assert!(
                ["s", "By"].contains(&metric.unit)
                    || metric.unit.starts_with('{') && metric.unit.ends_with('}'),
                "{}: {} would become a suffix",
                metric.name,
                metric.unit
            );
            for key in metric.attributes {
                assert!(dotted(key), "{key}");
            }
        }
    }
}
