//! The metrics, as the rest of the crate sees them: one method an event, with plain values.
//!
//! Nothing is sampled. Every value of an attribute is from a bounded set: values that are compiled
//! in, names of the manifest and the loaded rules, and at most [`CURRENCIES`] currencies.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Gauge, Histogram, Meter, UpDownCounter};

use super::exemplars::Exemplars;
use super::names::{self, Metric};
use super::process;
use crate::recent::RecentRecords;
use paigow_rules::game::BetId;

/// How many currencies have series of their own; further ones share one, `_OTHER`.
const CURRENCIES: usize = 64;

/// An exact ratio: numerator, and denominator above 0.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ratio(pub i128, pub i128);

impl Ratio {
    /// Returns the nearest double, or one beside it.
    #[expect(clippy::float_arithmetic, reason = "metrics are doubles; nothing is paid by this one")]
    fn double(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

/// The sums of the wagers of one settled round on one bet, in minor units.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WagerFigures {
    /// The ruleset's id.
    pub ruleset: String,
    /// The bet's id.
    pub bet: BetId,
    /// The setter of the hands, for a bet that the hands as set decide.
    pub set_by: Option<SetBy>,
    /// The currency's code.
    pub currency: String,
    /// How many decimal digits its minor unit stands for.
    pub exponent: u8,
    /// How many wagers were in action.
    pub wagers: u64,
    /// Their stakes, as far as they were in action.
    pub stake: i64,
    /// The sum of the squares of the stakes that win or lose together. The seats of a round share the
    /// dealer's hand, so all stakes of a bet on set hands count as one.
    pub squares: i128,
    /// The amounts handed back on the stakes in action, and wins without a stake.
    pub returned: i64,
    /// The commission kept.
    pub commission: i64,
    /// The amount that a player-dealer could not cover.
    pub uncovered: i64,
}

/// The setter of a hand.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum SetBy {
    /// The house way of the round.
    HouseWay,
    /// The player.
    Player,
}

impl SetBy {
    /// Returns the value of [`names::SET_BY`].
    const fn as_str(self) -> &'static str {
        match self {
            Self::HouseWay => "house_way",
            Self::Player => "player",
        }
    }
}

/// The metrics of a process. Clones are the same metrics.
#[derive(Clone, Debug)]
pub struct Meters(Option<Arc<Instruments>>);

/// Why a connection was refused or cut off.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ConnectionFailed {
    /// The system had no descriptor for it.
    Accept,
    /// Its worker could not keep up with new ones.
    Busy,
    /// The TLS handshake failed, because of either side.
    Tls,
    /// Its handshake or the preface of HTTP/2 did not come in time.
    Timeout,
    /// The peer left within the handshake.
    Left,
    /// Its peer address held as many connections as it may.
    PeerLimit,
    /// It sent more control frames than its calls explain.
    Flood,
}

impl ConnectionFailed {
    /// Every reason.
    pub const ALL: [Self; 7] = [
        Self::Accept,
        Self::Busy,
        Self::Tls,
        Self::Timeout,
        Self::Left,
        Self::PeerLimit,
        Self::Flood,
    ];

    /// Returns the value of `paigow.reason`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "ACCEPT",
            Self::Busy => "BUSY",
            Self::Tls => "TLS",
            Self::Timeout => "TIMEOUT",
            Self::Left => "LEFT",
            Self::PeerLimit => "PEER_LIMIT",
            Self::Flood => "FLOOD",
        }
    }
}

#[derive(Debug)]
struct Instruments {
    meter: Meter,
    call_duration: Histogram<f64>,
    rounds: Counter<u64>,
    deals: Counter<u64>,
    settlements: Counter<u64>,
    wagers: Counter<u64>,
    stake: Counter<u64>,
    returned: Counter<u64>,
    commission: Counter<u64>,
    tenant_stake: Counter<u64>,
    tenant_return: Counter<u64>,
    tenant_commission: Counter<u64>,
    stake_squares: Counter<f64>,
    uncovered: Counter<u64>,
    return_expected: Gauge<f64>,
    return_best_play: Gauge<f64>,
    return_deviation: Gauge<f64>,
    settings: Counter<u64>,
    audits: Counter<u64>,
    refused: Counter<u64>,
    manifest_sequence: Gauge<u64>,
    verification_passed: Gauge<u64>,
    verification_runs: Counter<u64>,
    verification_passed_timestamp: Gauge<u64>,
    evidence_lines: Counter<u64>,
    evidence_dropped: Counter<u64>,
    evidence_failing: Gauge<u64>,
    evidence_queue: UpDownCounter<i64>,
    evidence_sync_duration: Histogram<f64>,
    evidence_lost_unacknowledged: Gauge<u64>,
    evidence_volume_free: Gauge<u64>,
    evidence_volume_size: Gauge<u64>,
    evidence_unshipped_files: Gauge<u64>,
    evidence_unshipped_age: Gauge<u64>,
    reloads: Counter<u64>,
    reload_refused: Gauge<u64>,
    reload_waits: Gauge<u64>,
    reload_succeeded_timestamp: Gauge<u64>,
    connections: UpDownCounter<i64>,
    connections_failed: Counter<u64>,
    in_flight: UpDownCounter<i64>,
    shed: Counter<u64>,
    /// The currencies that came, each with its exponent.
    currencies: Mutex<BTreeMap<String, u8>>,
    recent: Mutex<RecentRecords>,
    exemplars: Exemplars,
}

/// Makes an instrument by its entry in [`names`].
macro_rules! instrument {
    ($meter:expr, $builder:ident, $metric:expr) => {
        $meter
            .$builder($metric.name)
            .with_unit($metric.unit)
            .with_description($metric.description)
            .build()
    };
}

impl Instruments {
    fn new(meter: Meter) -> Self {
        let counter = |metric: Metric| -> Counter<u64> { instrument!(meter, u64_counter, metric) };
        let level = |metric: Metric| -> UpDownCounter<i64> {
            instrument!(meter, i64_up_down_counter, metric)
        };
        let gauge = |metric: Metric| -> Gauge<u64> { instrument!(meter, u64_gauge, metric) };
        let double = |metric: Metric| -> Gauge<f64> { instrument!(meter, f64_gauge, metric) };
        let duration = |metric: Metric| -> Histogram<f64> {
            meter
                .f64_histogram(metric.name)
                .with_unit(metric.unit)
                .with_description(metric.description)
                .with_boundaries(names::DURATION_BOUNDS.to_vec())
                .build()
        };
        Self {
            call_duration: duration(names::CALL_DURATION),
            rounds: counter(names::ROUNDS),
            deals: counter(names::DEALS),
            settlements: counter(names::SETTLEMENTS),
            wagers: counter(names::WAGERS),
            stake: counter(names::STAKE),
            returned: counter(names::RETURN),
            commission: counter(names::COMMISSION),
            tenant_stake: counter(names::TENANT_STAKE),
            tenant_return: counter(names::TENANT_RETURN),
            tenant_commission: counter(names::TENANT_COMMISSION),
            stake_squares: instrument!(meter, f64_counter, names::STAKE_SQUARES),
            uncovered: counter(names::UNCOVERED),
            return_expected: double(names::RETURN_EXPECTED),
            return_deviation: double(names::RETURN_DEVIATION),
            return_best_play: double(names::RETURN_BEST_PLAY),
            settings: counter(names::SETTINGS),
            audits: counter(names::AUDITS),
            refused: counter(names::REFUSED),
            manifest_sequence: gauge(names::MANIFEST_SEQUENCE),
            verification_passed: gauge(names::VERIFICATION_PASSED),
            verification_runs: counter(names::VERIFICATION_RUNS),
            verification_passed_timestamp: gauge(names::VERIFICATION_PASSED_TIMESTAMP),
            evidence_lines: counter(names::EVIDENCE_LINES),
            evidence_dropped: counter(names::EVIDENCE_DROPPED),
            evidence_failing: gauge(names::EVIDENCE_FAILING),
            evidence_queue: level(names::EVIDENCE_QUEUE),
            evidence_sync_duration: duration(names::EVIDENCE_SYNC_DURATION),
            evidence_lost_unacknowledged: gauge(names::EVIDENCE_LOST_UNACKNOWLEDGED),
            evidence_volume_free: gauge(names::EVIDENCE_VOLUME_FREE),
            evidence_volume_size: gauge(names::EVIDENCE_VOLUME_SIZE),
            evidence_unshipped_files: gauge(names::EVIDENCE_UNSHIPPED_FILES),
            evidence_unshipped_age: gauge(names::EVIDENCE_UNSHIPPED_AGE),
            reloads: counter(names::RELOADS),
            reload_refused: gauge(names::RELOAD_REFUSED),
            reload_waits: gauge(names::RELOAD_WAITS),
            reload_succeeded_timestamp: gauge(names::RELOAD_SUCCEEDED_TIMESTAMP),
            connections: level(names::CONNECTIONS),
            connections_failed: counter(names::CONNECTIONS_FAILED),
            in_flight: level(names::IN_FLIGHT),
            shed: counter(names::SHED),
            currencies: Mutex::default(),
            recent: Mutex::default(),
            exemplars: Exemplars::default(),
            meter,
        }
    }

    /// Adds 0 to counters of rare events that must not be missed: a rate sees a first event only if
    /// the series existed before.
    fn begin(&self) {
        for counter in [&self.evidence_lines, &self.evidence_dropped] {
            counter.add(0, &[]);
        }
        for reason in [
            "SERVER",
            "DECK_MISMATCH",
            "CONSERVATION",
            "ENTROPY",
            "NOT_RECORDED",
            "ENGINE_UNVERIFIED",
        ] {
            self.refused.add(0, &[KeyValue::new(names::REASON, reason)]);
        }
        for failed in ConnectionFailed::ALL {
            self.connections_failed.add(0, &[KeyValue::new(names::REASON, failed.as_str())]);
        }
        for level in [&self.evidence_queue, &self.connections, &self.in_flight] {
            level.add(0, &[]);
        }
        for verdict in ["passed", "failed"] {
            let attributes = [KeyValue::new(names::VERIFICATION_VERDICT, verdict)];
            self.verification_runs.add(0, &attributes);
        }
        for part in ["keyring", "access", "tls", "log"] {
            for outcome in ["taken", "refused", "unchanged"] {
                let attributes = [
                    KeyValue::new(names::RELOAD_PART, part),
                    KeyValue::new(names::RELOAD_OUTCOME, outcome),
                ];
                self.reloads.add(0, &attributes);
            }
        }
        let waits = [
            KeyValue::new(names::RELOAD_PART, "keyring"),
            KeyValue::new(names::RELOAD_OUTCOME, "waits"),
        ];
        self.reloads.add(0, &waits);
        self.reload_waits.record(0, &waits[..1]);
    }

    /// Returns the currency. Returns `_OTHER` if too many other currencies came before, or the same
    /// currency with another minor unit: such amounts cannot be added.
    fn currency(&self, code: &str, exponent: u8) -> KeyValue {
        let mut known = self.currencies.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < CURRENCIES {
            known.entry(code.to_owned()).or_insert(exponent);
        }
        if known.get(code) == Some(&exponent) {
            KeyValue::new(names::CURRENCY, code.to_owned())
        } else {
            KeyValue::new(names::CURRENCY, names::OTHER)
        }
    }
}

fn text(key: &'static str, value: &str) -> KeyValue {
    KeyValue::new(key, value.to_owned())
}

/// Returns an amount as a counter takes it. Counted amounts are never below 0.
fn amount(minor: i64) -> u64 {
    u64::try_from(minor).unwrap_or(0)
}

impl Meters {
    /// Makes the metrics of `meter`.
    pub(super) fn new(meter: Meter) -> Self {
        let on = Instruments::new(meter);
        on.begin();
        Self(Some(Arc::new(on)))
    }

    /// Makes metrics that are not exported.
    #[must_use]
    pub const fn off() -> Self {
        Self(None)
    }

    /// Returns whether a record, by its mark, was not seen here lately. A repeated call gets the
    /// same record, and must not be counted again.
    ///
    /// This process remembers only its own last 65,536 records: a retry that another replica answers
    /// counts on both.
    #[must_use]
    pub fn is_new(&self, record: [u8; 32]) -> bool {
        let Some(on) = &self.0 else { return false };
        on.recent.lock().unwrap_or_else(PoisonError::into_inner).is_new(record)
    }

    /// Counts a call that has ended after `seconds`; `attributes` are those of
    /// [`names::CALL_DURATION`].
    pub(super) fn call(&self, seconds: f64, attributes: &[KeyValue]) {
        if let Some(on) = &self.0 {
            on.call_duration.record(seconds, attributes);
        }
    }

    /// Returns the sampled calls for the buckets of the duration of calls, if metrics are exported.
    pub(super) fn exemplars(&self) -> Option<&Exemplars> {
        self.0.as_ref().map(|on| &on.exemplars)
    }

    /// States the figures of this process from here on, whenever metrics are read.
    pub(super) fn watch_process(&self) {
        if let Some(on) = &self.0 {
            process::watch(&on.meter);
        }
    }

    /// Counts a round that was dealt.
    pub fn deal(&self, ruleset: &str, suite: &str) {
        if let Some(on) = &self.0 {
            on.deals.add(1, &[text(names::RULESET, ruleset), text(names::SUITE, suite)]);
        }
    }

    /// Counts a round that was closed: `settled` or `void`.
    pub fn round(&self, ruleset: &str, disposition: &'static str, tenant: &str) {
        if let Some(on) = &self.0 {
            let attributes = [
                text(names::RULESET, ruleset),
                KeyValue::new(names::DISPOSITION, disposition),
                text(names::TENANT, tenant),
            ];
            on.rounds.add(1, &attributes);
        }
    }

    /// Counts a base wager by the outcome of its hands: `win`, `lose` or `push`.
    pub fn settlement(&self, ruleset: &str, outcome: &'static str) {
        if let Some(on) = &self.0 {
            let attributes =
                [text(names::RULESET, ruleset), KeyValue::new(names::OUTCOME, outcome)];
            on.settlements.add(1, &attributes);
        }
    }

    /// Counts the wagers of a settled round on one bet.
    pub fn wagers(&self, tenant: &str, figures: &WagerFigures) {
        let Some(on) = &self.0 else { return };
        let currency = on.currency(&figures.currency, figures.exponent);
        let account = [text(names::TENANT, tenant), currency.clone()];
        on.tenant_stake.add(amount(figures.stake), &account);
        on.tenant_return.add(amount(figures.returned), &account);
        on.tenant_commission.add(amount(figures.commission), &account);
        let mut attributes = vec![
            text(names::RULESET, &figures.ruleset),
            text(names::BET, figures.bet.name()),
            currency,
        ];
        let set_by = figures.set_by.map(|set_by| KeyValue::new(names::SET_BY, set_by.as_str()));
        attributes.extend(set_by);
        on.wagers.add(figures.wagers, &attributes);
        on.stake.add(amount(figures.stake), &attributes);
        on.returned.add(amount(figures.returned), &attributes);
        on.commission.add(amount(figures.commission), &attributes);
        on.stake_squares.add(figures.squares as f64, &attributes);
        if figures.uncovered > 0 {
            on.uncovered.add(amount(figures.uncovered), &attributes);
        }
    }

    /// States the average return of a bet of a ruleset per unit staked, and its standard deviation.
    pub fn expected(&self, ruleset: &str, bet: BetId, expected: Ratio, deviation: Ratio) {
        if let Some(on) = &self.0 {
            let attributes = [text(names::RULESET, ruleset), text(names::BET, bet.name())];
            on.return_expected.record(expected.double(), &attributes);
            on.return_deviation.record(deviation.double(), &attributes);
        }
    }

    /// States the average return of a bet of a ruleset per unit staked to a player who sets every hand
    /// for the highest return.
    pub fn expected_by_best_play(&self, ruleset: &str, bet: BetId, expected: Ratio) {
        if let Some(on) = &self.0 {
            let attributes = [text(names::RULESET, ruleset), text(names::BET, bet.name())];
            on.return_best_play.record(expected.double(), &attributes);
        }
    }

    /// Counts `hands` that `clause` of a house way set.
    pub fn settings(&self, house_way: &str, clause: &str, hands: u64) {
        if let Some(on) = &self.0 {
            let attributes = [text(names::HOUSE_WAY, house_way), text(names::CLAUSE, clause)];
            on.settings.add(hands, &attributes);
        }
    }

    /// Counts an audit.
    pub fn audit(&self, verdict: &'static str) {
        if let Some(on) = &self.0 {
            on.audits.add(1, &[KeyValue::new(names::AUDIT_VERDICT, verdict)]);
        }
    }

    /// Counts a refused request. `reason` is a reason of the contract.
    pub fn refused(&self, reason: &str) {
        if let Some(on) = &self.0 {
            on.refused.add(1, &[text(names::REASON, reason)]);
        }
    }

    /// States from here on, whenever metrics are read, for how many more seconds each epoch accepts
    /// new rounds, or will accept them. `read` returns the numbers of the epochs and the seconds.
    pub fn watch_epochs(&self, read: impl Fn() -> Vec<(u64, u64)> + Send + Sync + 'static) {
        self.watch(names::EPOCH_REMAINING, move || {
            let figure = |(epoch, seconds): (u64, u64)| {
                (seconds, vec![KeyValue::new(names::EPOCH, epoch.to_string())])
            };
            read().into_iter().map(figure).collect()
        });
    }

    /// States from here on, whenever metrics are read, for how many seconds new rounds can
    /// begin without a gap.
    pub fn watch_new_rounds(&self, read: impl Fn() -> Option<u64> + Send + Sync + 'static) {
        self.watch_one(names::NEW_ROUNDS_REMAINING, read);
    }

    /// States from here on, whenever metrics are read, the seconds until the first epoch opens whose
    /// secret is not held here.
    pub fn watch_missing_secret(&self, read: impl Fn() -> Option<u64> + Send + Sync + 'static) {
        self.watch_one(names::EPOCH_SECRET_MISSING, read);
    }

    /// States from here on, whenever metrics are read, whether the key store of the receipt key
    /// fails to sign.
    pub fn watch_key_store(&self, failing: impl Fn() -> Option<bool> + Send + Sync + 'static) {
        self.watch_one(names::KEY_STORE_FAILING, move || failing().map(u64::from));
    }

    /// States from here on, whenever metrics are read, for how many more seconds the server's
    /// certificate is valid.
    pub fn watch_certificate(&self, read: impl Fn() -> Option<u64> + Send + Sync + 'static) {
        self.watch_one(names::CERTIFICATE_REMAINING, read);
    }

    fn watch_one(&self, metric: Metric, read: impl Fn() -> Option<u64> + Send + Sync + 'static) {
        self.watch(metric, move || read().map(|figure| (figure, Vec::new())).into_iter().collect());
    }

    /// States figures with their attributes from here on, whenever metrics are read.
    fn watch(
        &self,
        metric: Metric,
        read: impl Fn() -> Vec<(u64, Vec<KeyValue>)> + Send + Sync + 'static,
    ) {
        let Some(on) = &self.0 else { return };
        on.meter
            .u64_observable_gauge(metric.name)
            .with_unit(metric.unit)
            .with_description(metric.description)
            .with_callback(move |gauge| {
                for (figure, attributes) in read() {
                    gauge.observe(figure, &attributes);
                }
            })
            .build();
    }

    /// States the sequence number of the manifest in force.
    pub fn manifest(&self, sequence: u64) {
        if let Some(on) = &self.0 {
            on.manifest_sequence.record(sequence, &[]);
        }
    }

    /// Counts a self-verification of the process at `now`, in seconds since 1970, and states its
    /// result.
    pub fn verification(&self, passed: bool, now: u64) {
        if let Some(on) = &self.0 {
            let verdict = if passed { "passed" } else { "failed" };
            on.verification_passed.record(u64::from(passed), &[]);
            if passed {
                on.verification_passed_timestamp.record(now, &[]);
            }
            on.verification_runs.add(1, &[KeyValue::new(names::VERIFICATION_VERDICT, verdict)]);
        }
    }

    /// Counts lines of evidence that were kept.
    pub fn evidence_kept(&self, lines: u64) {
        if let Some(on) = &self.0 {
            on.evidence_lines.add(lines, &[]);
        }
    }

    /// Counts lines of evidence that no call waited for and that could not be kept.
    pub fn evidence_dropped(&self, lines: u64) {
        if let Some(on) = &self.0 {
            on.evidence_dropped.add(lines, &[]);
        }
    }

    /// States whether evidence cannot be written now.
    pub fn evidence_failing(&self, failing: bool) {
        if let Some(on) = &self.0 {
            on.evidence_failing.record(failing.into(), &[]);
        }
    }

    /// Notes that `lines` further lines of evidence wait to be kept; fewer if below 0.
    pub fn evidence_waiting(&self, lines: i64) {
        if let Some(on) = &self.0 {
            on.evidence_queue.add(lines, &[]);
        }
    }

    /// Counts a sync of the file of evidence, and its duration.
    pub fn evidence_synced(&self, took: Duration) {
        if let Some(on) = &self.0 {
            on.evidence_sync_duration.record(took.as_secs_f64(), &[]);
        }
    }

    /// States how many files of evidence were lost that no operator has acknowledged.
    pub fn evidence_lost_unacknowledged(&self, files: usize) {
        if let Some(on) = &self.0 {
            on.evidence_lost_unacknowledged.record(files as u64, &[]);
        }
    }

    /// States how many bytes are free on the volume of the evidence, and how many it has.
    pub fn evidence_volume(&self, free: u64, size: u64) {
        if let Some(on) = &self.0 {
            on.evidence_volume_free.record(free, &[]);
            on.evidence_volume_size.record(size, &[]);
        }
    }

    /// States how many files of evidence are not in object storage, and how long ago the oldest was
    /// written last.
    pub fn evidence_unshipped(&self, files: u64, age: Duration) {
        if let Some(on) = &self.0 {
            on.evidence_unshipped_files.record(files, &[]);
            on.evidence_unshipped_age.record(age.as_secs(), &[]);
        }
    }

    /// Counts that the server has read the files of `part` (`keyring`, `access`, `tls` or `log`)
    /// again: the outcome is `taken`, `refused`, `unchanged`, or `waits` for a key.
    pub fn reload(&self, part: &'static str, outcome: &'static str) {
        if let Some(on) = &self.0 {
            let attributes = [
                KeyValue::new(names::RELOAD_PART, part),
                KeyValue::new(names::RELOAD_OUTCOME, outcome),
            ];
            on.reloads.add(1, &attributes);
        }
    }

    /// States that the files of a part were accepted at this time, in seconds since 1970. [`None`]
    /// states that the files in place are refused.
    pub fn reload_succeeded(&self, part: &'static str, at: Option<u64>) {
        if let Some(on) = &self.0 {
            let part = [KeyValue::new(names::RELOAD_PART, part)];
            on.reload_refused.record(at.is_none().into(), &part);
            if let Some(at) = at {
                on.reload_succeeded_timestamp.record(at, &part);
            }
        }
    }

    /// States whether the files in place of a part wait for a key. Then they are not refused.
    pub fn reload_waits(&self, part: &'static str, waits: bool) {
        if let Some(on) = &self.0 {
            let part = [KeyValue::new(names::RELOAD_PART, part)];
            on.reload_waits.record(waits.into(), &part);
            if waits {
                on.reload_refused.record(0, &part);
            }
        }
    }

    /// Counts a call that was rejected because of load. `tenant` is empty if it is not known yet.
    pub fn shed(&self, reason: &'static str, tenant: &str) {
        if let Some(on) = &self.0 {
            on.shed.add(1, &[KeyValue::new(names::REASON, reason), text(names::TENANT, tenant)]);
        }
    }

    /// Notes that `more` further connections are open; fewer if below 0.
    pub fn connections(&self, more: i64) {
        if let Some(on) = &self.0 {
            on.connections.add(more, &[]);
        }
    }

    /// Counts a connection that was refused or cut off.
    pub fn connection_failed(&self, why: ConnectionFailed) {
        if let Some(on) = &self.0 {
            on.connections_failed.add(1, &[KeyValue::new(names::REASON, why.as_str())]);
        }
    }

    /// Notes that `more` further calls are open; fewer if below 0. [`CallLayer`] calls it.
    ///
    /// [`CallLayer`]: super::CallLayer
    pub(super) fn in_flight(&self, more: i64) {
        if let Some(on) = &self.0 {
            on.in_flight.add(more, &[]);
        }
    }
}

#[cfg(test)]
mod tests;
