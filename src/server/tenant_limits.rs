//! Limits the open calls of the process, and the rate and the open calls of each tenant.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::capacity::SharedCapacity;
use paigow_config::access::{Rate, TenantAccess};
use paigow_fairness::encoding::Identifier;

/// How long a caller should wait before it tries again when there is no capacity.
const PAUSE: Duration = Duration::from_millis(100);

/// The limit that a call exceeds, and how long its caller should wait before it tries again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum LimitExceeded {
    /// The tenant exceeds its rate.
    TenantRate(Duration),
    /// The tenant has its maximum of open calls.
    TenantConcurrency(Duration),
    /// The process has no capacity left for this tenant.
    Overloaded(Duration),
}

/// Counts the open calls of the process and of each tenant.
///
/// Any tenant may use half of the capacity. The other half is divided equally among the
/// tenants. Each share is reserved for its tenant, also while the tenant has no calls open. Streams
/// may stay open for long, so they use at most a quarter of the capacity. That quarter is
/// divided in the same way. Therefore audits never block play.
#[derive(Debug)]
pub(super) struct TenantLimits {
    most: usize,
    open: Mutex<TenantUsages>,
}

/// The usage of each tenant.
type TenantUsages = BTreeMap<Identifier, TenantUsage>;

/// The open calls of one tenant, and its rate.
#[derive(Debug, Default)]
struct TenantUsage {
    open: usize,
    /// How many of them are streams.
    streams: usize,
    /// When the tenant would have made all its calls so far at its rate.
    due: Option<Instant>,
}

/// The slot of one open call. Dropping it frees the slot.
#[derive(Debug)]
pub(super) struct CallSlot {
    limits: Arc<TenantLimits>,
    tenant: Identifier,
    streams: bool,
}

impl TenantLimits {
    /// Creates limits for a process that holds at most `most` open calls.
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, open: Mutex::default() })
    }

    /// Returns how many calls are open.
    #[cfg(test)]
    pub(super) fn open(&self) -> usize {
        self.lock().values().map(|usage| usage.open).sum()
    }

    /// Acquires the slot of a call of `tenant`, one of `tenants` configured tenants, at the time
    /// `now`.
    ///
    /// # Errors
    ///
    /// The limit that the call exceeds.
    pub(super) fn acquire(
        self: &Arc<Self>,
        tenant: &TenantAccess,
        tenants: usize,
        streams: bool,
        now: Instant,
    ) -> Result<CallSlot, LimitExceeded> {
        let mut open = self.lock();
        let has_room = |most, of: fn(&TenantUsage) -> usize| {
            let mine = open.get(&tenant.tenant).map_or(0, of);
            SharedCapacity::new(most, tenants).has_room(1, mine, open.values().map(of))
        };
        let free = has_room(self.most, |usage| usage.open)
            && (!streams || has_room((self.most / 4).max(1), |usage| usage.streams));
        if !free {
            return Err(LimitExceeded::Overloaded(PAUSE));
        }
        let usage = open.entry(tenant.tenant.clone()).or_default();
        let most = tenant.concurrent_calls.and_then(|most| usize::try_from(most).ok());
        if most.is_some_and(|most| usage.open >= most) {
            return Err(LimitExceeded::TenantConcurrency(PAUSE));
        }
        if let Some(rate) = tenant.rate {
            take_from_rate(rate, &mut usage.due, now).map_err(LimitExceeded::TenantRate)?;
        }
        usage.open += 1;
        usage.streams += usize::from(streams);
        Ok(CallSlot { limits: Arc::clone(self), tenant: tenant.tenant.clone(), streams })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, TenantUsages> {
        // No code under the lock can panic halfway.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes one call from a rate limit and advances `due` (the generic cell rate algorithm).
///
/// # Errors
///
/// How long the caller waits until the rate allows the call.
fn take_from_rate(rate: Rate, due: &mut Option<Instant>, now: Instant) -> Result<(), Duration> {
    let each = Duration::from_secs(1) / rate.per_second.max(1);
    let ahead = each * rate.burst.saturating_sub(1);
    // At most as late as this rate can have made it: a slower rate may have been in force before.
    let due = due.insert(due.map_or(now, |due| due.clamp(now, now + ahead + each)));
    match due.duration_since(now).checked_sub(ahead) {
        Some(early) if !early.is_zero() => Err(early),
        Some(_) | None => {
            *due += each;
            Ok(())
        }
    }
}

impl Drop for CallSlot {
    fn drop(&mut self) {
        let mut open = self.limits.lock();
        if let Some(usage) = open.get_mut(&self.tenant) {
            usage.open = usage.open.saturating_sub(1);
            usage.streams = usage.streams.saturating_sub(usize::from(self.streams));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> TenantAccess {
        TenantAccess {
            tenant: name.parse().unwrap(),
            jurisdiction: None,
            rulesets: None,
            currencies: None,
            minimum_beacon_lead: 10,
            rate: None,
            concurrent_calls: None,
        }
    }

    /// Acquires slots for a tenant until there is no capacity left.
    fn flood(limits: &Arc<TenantLimits>, name: &str, tenants: usize) -> Vec<CallSlot> {
        let acquire = || limits.acquire(&tenant(name), tenants, false, Instant::now()).ok();
        std::iter::from_fn(acquire).collect()
    }

    #[test]
    fn one_tenant_alone_may_have_all_the_room_and_not_more() {
        let limits = TenantLimits::new(9);
        let held = flood(&limits, "a", 1);
        assert_eq!((held.len(), limits.open()), (9, 9));
        let more = limits.acquire(&tenant("a"), 1, false, Instant::now());
        assert!(matches!(more, Err(LimitExceeded::Overloaded(_))));
        drop(held);
        assert_eq!(limits.open(), 0);
        assert!(limits.acquire(&tenant("a"), 1, false, Instant::now()).is_ok());
    }

    #[test]
    fn floods_of_others_leave_a_tenant_its_part_though_it_had_no_call_open() {
        // Twelve: six for any tenant, and two for each of three tenants.
        let limits = TenantLimits::new(12);
        let first = flood(&limits, "a", 3);
        assert_eq!(first.len(), 8);
        let second = flood(&limits, "b", 3);
        assert_eq!(second.len(), 2);
        let quiet = flood(&limits, "quiet", 3);
        assert_eq!(quiet.len(), 2);
        // Any tenant can use the slots that the first one gives back.
        drop(first);
        assert_eq!(flood(&limits, "b", 3).len(), 6);
        drop((second, quiet));
        assert_eq!(limits.open(), 0);
    }

    #[test]
    fn streams_leave_room_for_play() {
        let limits = TenantLimits::new(8);
        let acquire = || limits.acquire(&tenant("a"), 1, true, Instant::now()).ok();
        let streams: Vec<CallSlot> = std::iter::from_fn(acquire).collect();
        assert_eq!(streams.len(), 2);
        assert_eq!(flood(&limits, "a", 1).len(), 6);
        drop(streams);
        assert!(limits.acquire(&tenant("a"), 1, true, Instant::now()).is_ok());
    }

    #[test]
    fn streams_of_one_tenant_leave_another_its_part_of_their_room() {
        // Sixteen for streams: eight for any tenant, and four for each of two tenants.
        let limits = TenantLimits::new(64);
        let stream = |name: &str| limits.acquire(&tenant(name), 2, true, Instant::now()).ok();
        let flood: Vec<CallSlot> = std::iter::from_fn(|| stream("a")).collect();
        assert_eq!(flood.len(), 12);
        let quiet: Vec<CallSlot> = std::iter::from_fn(|| stream("quiet")).collect();
        assert_eq!(quiet.len(), 4);
        drop(flood);
        assert!(stream("quiet").is_some());
    }

    #[test]
    fn more_tenants_than_places_share_them_as_they_come() {
        let limits = TenantLimits::new(2);
        assert_eq!(flood(&limits, "a", 5).len(), 2);
        assert_eq!(flood(&limits, "b", 5).len(), 2);
    }

    #[test]
    fn a_tenant_has_no_more_calls_open_than_its_own_limit() {
        let limits = TenantLimits::new(100);
        let limited = TenantAccess { concurrent_calls: Some(2), ..tenant("a") };
        let now = Instant::now();
        let held = [
            limits.acquire(&limited, 2, false, now).unwrap(),
            limits.acquire(&limited, 2, false, now).unwrap(),
        ];
        assert!(matches!(
            limits.acquire(&limited, 2, false, now),
            Err(LimitExceeded::TenantConcurrency(_))
        ));
        assert!(limits.acquire(&tenant("b"), 2, false, now).is_ok());
        drop(held);
        assert!(limits.acquire(&limited, 2, false, now).is_ok());
    }

    #[test]
    fn a_rate_lets_a_burst_through_and_then_one_call_at_a_time() {
        let rate = Rate { per_second: 10, burst: 3 };
        let begin = Instant::now();
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        let mut due = None;
        for _ in 0..3 {
            take_from_rate(rate, &mut due, begin).unwrap();
        }
        assert_eq!(take_from_rate(rate, &mut due, begin), Err(Duration::from_millis(100)));
        assert_eq!(take_from_rate(rate, &mut due, at(40)), Err(Duration::from_millis(60)));
        take_from_rate(rate, &mut due, at(100)).unwrap();
        assert_eq!(take_from_rate(rate, &mut due, at(100)), Err(Duration::from_millis(100)));
        // After a rest the whole burst is free again, and no more than it.
        for _ in 0..3 {
            take_from_rate(rate, &mut due, at(5000)).unwrap();
        }
        assert_eq!(take_from_rate(rate, &mut due, at(5000)), Err(Duration::from_millis(100)));
    }

    #[test]
    fn a_rate_that_is_raised_counts_at_once() {
        let begin = Instant::now();
        let slow = Rate { per_second: 1, burst: 600 };
        let mut due = None;
        for _ in 0..600 {
            take_from_rate(slow, &mut due, begin).unwrap();
        }
        // Ten minutes of the slow rate are used up. Of the quick rate, the whole burst is used up.
        let quick = Rate { per_second: 100, burst: 100 };
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        assert_eq!(take_from_rate(quick, &mut due, begin), Err(Duration::from_millis(10)));
        assert_eq!(take_from_rate(quick, &mut due, at(10)), Ok(()));
        assert_eq!(take_from_rate(quick, &mut due, at(10)), Err(Duration::from_millis(10)));
    }
}
