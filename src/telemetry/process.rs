//! The process as the operating system sees it: processor time, memory, threads, descriptors.

use opentelemetry::KeyValue;
use opentelemetry::metrics::Meter;
use procfs::process::{Process, Stat};

use super::names::{self, Metric};

/// States the figures of this process from here on, whenever metrics are read. A figure that the
/// system does not report is left out.
pub(super) fn watch(meter: &Meter) {
    for (metric, read) in FIGURES {
        // It belongs to the meter, and lives as long.
        let _gauge = meter
            .u64_observable_gauge(metric.name)
            .with_unit(metric.unit)
            .with_description(metric.description)
            .with_callback(move |gauge| {
                if let Some(now) = read() {
                    gauge.observe(now, &[]);
                }
            })
            .build();
    }
    let metric = names::PROCESS_CPU_TIME;
    let _counter = meter
        .f64_observable_counter(metric.name)
        .with_unit(metric.unit)
        .with_description(metric.description)
        .with_callback(|counter| {
            let Some(stat) = stat() else { return };
            for (mode, ticks) in [("user", stat.utime), ("system", stat.stime)] {
                counter.observe(seconds(ticks), &[KeyValue::new(names::CPU_MODE, mode)]);
            }
        })
        .build();
}

/// Reads a figure of this process, if the system reports it.
type ReadFigure = fn() -> Option<u64>;

/// The figures of the process, each with the function that reads it.
const FIGURES: [(Metric, ReadFigure); 3] = [
    (names::PROCESS_MEMORY, || stat()?.rss.checked_mul(procfs::page_size())),
    (names::PROCESS_THREADS, || u64::try_from(stat()?.num_threads).ok()),
    (names::PROCESS_DESCRIPTORS, || {
        let count = Process::myself().and_then(|process| process.fd_count()).ok()?;
        u64::try_from(count).ok()
    }),
];

fn stat() -> Option<Stat> {
    Process::myself().and_then(|process| process.stat()).ok()
}

/// Converts ticks of the system's clock to seconds.
#[expect(clippy::float_arithmetic, reason = "metrics of durations are doubles")]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / procfs::ticks_per_second() as f64
}
