//! The calls that were refused lately, for operators: in memory, and bounded.
//!
//! Each tenant has a memory of its own, so that the calls of one tenant do not displace those of
//! another. A remembered call has the facts of its line in the log, and the path of a field.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// The most refused calls that are remembered of a tenant.
pub(crate) const REMEMBERED: usize = 1000;

/// A call that was refused.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct RefusedCall {
    /// When it ended, in Unix milliseconds.
    pub(crate) time: u64,
    pub(crate) method: &'static str,
    pub(crate) code: &'static str,
    pub(crate) reason: String,
    /// The path of the first field that the status blames.
    pub(crate) field: String,
    /// The tenant, if the caller was identified.
    pub(crate) tenant: Option<String>,
    pub(crate) client: Option<String>,
    pub(crate) peer: Option<String>,
    pub(crate) request_id: String,
}

/// The calls that were refused lately. Clones remember the same.
#[derive(Clone, Debug)]
pub(crate) struct RecentRefusals {
    memory: Arc<Mutex<Memory>>,
    /// How many calls were refused.
    count: Arc<watch::Sender<u64>>,
}

#[derive(Debug, Default)]
struct Memory {
    count: u64,
    by_tenant: BTreeMap<Option<String>, TenantMemory>,
}

#[derive(Debug, Default)]
struct TenantMemory {
    /// How many calls were forgotten.
    forgotten: u64,
    /// The newest calls, each with its number among those of all tenants.
    calls: VecDeque<(u64, Arc<RefusedCall>)>,
}

impl Default for RecentRefusals {
    fn default() -> Self {
        Self { memory: Arc::default(), count: Arc::new(watch::Sender::new(0)) }
    }
}

impl RecentRefusals {
    fn lock(&self) -> MutexGuard<'_, Memory> {
        // Nothing under the lock can panic between two halves of a change.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers a call. When its tenant has too many, the oldest is forgotten.
    pub(crate) fn remember(&self, call: RefusedCall) {
        let mut memory = self.lock();
        memory.count += 1;
        let count = memory.count;
        let tenant = memory.by_tenant.entry(call.tenant.clone()).or_default();
        tenant.calls.push_back((count, Arc::new(call)));
        if tenant.calls.len() > REMEMBERED {
            tenant.calls.pop_front();
            tenant.forgotten += 1;
        }
        drop(memory);
        self.count.send_replace(count);
    }

    /// Returns a reader of the calls of these tenants that begins with the newest `past` of them.
    pub(crate) fn tail(&self, tenants: Vec<Option<String>>, past: usize) -> RefusalTail {
        let memory = self.lock();
        let known = |tenant: &Option<String>| memory.by_tenant.get(tenant);
        let mut numbers: Vec<u64> = tenants
            .iter()
            .filter_map(known)
            .flat_map(|tenant| tenant.calls.iter().map(|(number, _)| *number))
            .collect();
        numbers.sort_unstable();
        let first = numbers.len().checked_sub(past).and_then(|skipped| numbers.get(skipped));
        let first = match first {
            Some(first) => *first,
            None if past >= numbers.len() => 0,
            None => memory.count + 1,
        };
        let places = tenants.iter().map(|tenant| {
            known(tenant).map_or(0, |tenant| {
                let skipped = tenant.calls.iter().filter(|(number, _)| *number < first).count();
                tenant.forgotten + skipped as u64
            })
        });
        let places = places.collect();
        RefusalTail { refusals: self.clone(), tenants, places, changes: self.count.subscribe() }
    }
}

/// A reader of refused calls. One that reads too slowly misses the oldest.
#[derive(Debug)]
pub(crate) struct RefusalTail {
    refusals: RecentRefusals,
    tenants: Vec<Option<String>>,
    /// How many calls of each tenant were read, or missed.
    places: Vec<u64>,
    changes: watch::Receiver<u64>,
}

impl RefusalTail {
    /// Returns the next call, and how many before it were missed; [`None`] before there is one.
    pub(crate) fn next(&mut self) -> Option<(Arc<RefusedCall>, u64)> {
        self.changes.mark_unchanged();
        let memory = self.refusals.lock();
        let mut missed = 0;
        let mut next: Option<(u64, usize, &Arc<RefusedCall>)> = None;
        for (i, tenant) in self.tenants.iter().enumerate() {
            let Some(tenant) = memory.by_tenant.get(tenant) else { continue };
            let place = &mut self.places[i];
            missed += tenant.forgotten.saturating_sub(*place);
            *place = tenant.forgotten.max(*place);
            let at = usize::try_from(*place - tenant.forgotten).unwrap_or(usize::MAX);
            if let Some((number, call)) = tenant.calls.get(at)
                && next.is_none_or(|(first, ..)| *number < first)
            {
                next = Some((*number, i, call));
            }
        }
        let (_, i, call) = next?;
        let call = Arc::clone(call);
        drop(memory);
        self.places[i] += 1;
        Some((call, missed))
    }

    /// Returns when there may be another call.
    pub(crate) async fn changed(&mut self) {
        // The sender lives as long as this.
        drop(self.changes.changed().await);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn call(tenant: Option<&str>, time: u64) -> RefusedCall {
        RefusedCall { time, tenant: tenant.map(str::to_owned), ..RefusedCall::default() }
    }

    fn of(tenant: &str) -> Vec<Option<String>> {
        vec![Some(tenant.to_owned())]
    }

    /// The times of all calls there are, each with how many were missed before it.
    fn read(tail: &mut RefusalTail) -> Vec<(u64, u64)> {
        std::iter::from_fn(|| tail.next().map(|(call, missed)| (call.time, missed))).collect()
    }

    #[test]
    fn a_tail_begins_with_the_newest_of_its_tenant_and_goes_on() {
        let refusals = RecentRefusals::default();
        for (tenant, time) in [("a", 1), ("b", 2), ("a", 3), ("a", 4)] {
            refusals.remember(call(Some(tenant), time));
        }
        refusals.remember(call(None, 5));
        let mut none = refusals.tail(of("a"), 0);
        let mut two = refusals.tail(of("a"), 2);
        let mut all = refusals.tail(of("a"), 1000);
        let mut both = refusals.tail([of("a"), vec![None]].concat(), 2);
        let mut unknown = refusals.tail(of("c"), 10);
        assert_eq!(read(&mut none), []);
        assert_eq!(read(&mut two), [(3, 0), (4, 0)]);
        assert_eq!(read(&mut all), [(1, 0), (3, 0), (4, 0)]);
        assert_eq!(read(&mut both), [(4, 0), (5, 0)]);
        assert_eq!(read(&mut unknown), []);
        refusals.remember(call(Some("b"), 6));
        refusals.remember(call(Some("a"), 7));
        refusals.remember(call(Some("c"), 8));
        for tail in [&mut none, &mut two, &mut all, &mut both] {
            assert_eq!(read(tail), [(7, 0)]);
        }
        assert_eq!(read(&mut unknown), [(8, 0)]);
    }

    #[test]
    fn a_slow_reader_is_told_how_many_it_missed_and_another_tenant_costs_it_none() {
        let refusals = RecentRefusals::default();
        let mut tail = refusals.tail(of("a"), 0);
        refusals.remember(call(Some("a"), 0));
        for time in 1..=1500 {
            refusals.remember(call(Some("b"), time));
        }
        assert_eq!(read(&mut tail), [(0, 0)]);
        for time in 1..=1003 {
            refusals.remember(call(Some("a"), time));
        }
        let read = read(&mut tail);
        assert_eq!(read.len(), 1000);
        assert_eq!((read[0], read[1], read[999]), ((4, 3), (5, 0), (1003, 0)));
    }

    #[tokio::test]
    async fn a_reader_wakes_for_a_call_that_comes_after_it_has_looked() {
        let refusals = RecentRefusals::default();
        let mut tail = refusals.tail(of("a"), 10);
        assert_eq!(tail.next(), None);
        assert!(tail.changed().now_or_never().is_none());
        assert_eq!(tail.next(), None);
        refusals.remember(call(Some("a"), 1));
        tail.changed().await;
        assert_eq!(read(&mut tail), [(1, 0)]);
    }
}
