//! How many calls there is room for, and for whom.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::access::{Rate, Tenant};
use paigow_fairness::encoding::Identifier;

/// When one who was sent away for want of room may try again.
const PAUSE: Duration = Duration::from_millis(100);

/// Why a call is not let in, and when it may try again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Turned {
    /// The tenant calls more often than it may.
    TenantRate(Duration),
    /// The tenant has as many calls open as it may have.
    TenantConcurrency(Duration),
    /// The process has no room, or none left for this tenant.
    Overloaded(Duration),
}

/// Counts the open calls of the process and of each tenant.
///
/// Half of the room is for whoever comes. The other half is parted among the tenants that
/// there are, and a part is its tenant's alone, whether it has calls open or not: no flood
/// of others ever leaves it without. Streams, which may stay open for long, have a quarter
/// of the room at most, so that audits never stand in the way of play; that quarter is parted
/// in the same way.
#[derive(Debug)]
pub(super) struct Admission {
    most: usize,
    open: Mutex<Open>,
}

/// What the tenants have open.
type Open = BTreeMap<Identifier, Usage>;

#[derive(Debug, Default)]
struct Usage {
    open: usize,
    /// How many of them are streams, which may stay open for long.
    streams: usize,
    /// When the tenant would have made all its calls so far at its rate.
    due: Option<Instant>,
}

/// A call that was let in; its place is free when this is dropped.
#[derive(Debug)]
pub(super) struct Admitted {
    admission: Arc<Admission>,
    tenant: Identifier,
    streams: bool,
}

impl Admission {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, open: Mutex::default() })
    }

    /// Returns how many calls are open.
    #[cfg(test)]
    pub(super) fn open(&self) -> usize {
        self.lock().values().map(|usage| usage.open).sum()
    }

    /// Lets a call of `tenant` in, one of `tenants` that there are, at the time `now`.
    pub(super) fn admit(
        self: &Arc<Self>,
        tenant: &Tenant,
        tenants: usize,
        streams: bool,
        now: Instant,
    ) -> Result<Admitted, Turned> {
        let mut open = self.lock();
        let has_room = |most, of: fn(&Usage) -> usize| {
            let mine = open.get(&tenant.tenant).map_or(0, of);
            Parted::new(most, tenants).has_room(mine, open.values().map(of))
        };
        let free = has_room(self.most, |usage| usage.open)
            && (!streams || has_room((self.most / 4).max(1), |usage| usage.streams));
        if !free {
            return Err(Turned::Overloaded(PAUSE));
        }
        let usage = open.entry(tenant.tenant.clone()).or_default();
        let most = tenant.concurrent_calls.and_then(|most| usize::try_from(most).ok());
        if most.is_some_and(|most| usage.open >= most) {
            return Err(Turned::TenantConcurrency(PAUSE));
        }
        if let Some(rate) = tenant.rate {
            pass(rate, &mut usage.due, now).map_err(Turned::TenantRate)?;
        }
        usage.open += 1;
        usage.streams += usize::from(streams);
        Ok(Admitted { admission: Arc::clone(self), tenant: tenant.tenant.clone(), streams })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        // Nothing in here can panic half way.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Room of which half is for whoever comes, and half is parted among tenants.
#[derive(Clone, Copy)]
struct Parted {
    most: usize,
    /// What each tenant has for itself.
    part: usize,
    /// What is left of the room without the parts.
    common: usize,
}

impl Parted {
    fn new(most: usize, tenants: usize) -> Self {
        let part = most / 2 / tenants.max(1);
        Self { most, part, common: most - part * tenants.max(1) }
    }

    /// Whether one who has `mine` places may have one more, where `all` have theirs.
    fn has_room(self, mine: usize, all: impl Iterator<Item = usize> + Clone) -> bool {
        let beyond: usize = all.clone().map(|places| places.saturating_sub(self.part)).sum();
        all.sum::<usize>() < self.most && (mine < self.part || beyond < self.common)
    }
}

/// Lets a call through that keeps to a rate, and moves on when the next one is `due`; or
/// returns how long it is until it would keep to it (the generic cell rate algorithm).
fn pass(rate: Rate, due: &mut Option<Instant>, now: Instant) -> Result<(), Duration> {
    let each = Duration::from_secs(1) / rate.per_second.max(1);
    let ahead = each * rate.burst.saturating_sub(1);
    // No later than this rate can have brought it: a slower one may have been in force.
    let due = due.insert(due.map_or(now, |due| due.clamp(now, now + ahead + each)));
    match due.duration_since(now).checked_sub(ahead) {
        Some(early) if !early.is_zero() => Err(early),
        Some(_) | None => {
            *due += each;
            Ok(())
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut open = self.admission.lock();
        if let Some(usage) = open.get_mut(&self.tenant) {
            usage.open = usage.open.saturating_sub(1);
            usage.streams = usage.streams.saturating_sub(usize::from(self.streams));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> Tenant {
        Tenant {
            tenant: name.parse().unwrap(),
            jurisdiction: None,
            rulesets: None,
            currencies: None,
            rate: None,
            concurrent_calls: None,
        }
    }

    /// Lets calls of a tenant in until there is no room for more.
    fn flood(admission: &Arc<Admission>, name: &str, tenants: usize) -> Vec<Admitted> {
        let admit = || admission.admit(&tenant(name), tenants, false, Instant::now()).ok();
        std::iter::from_fn(admit).collect()
    }

    #[test]
    fn one_tenant_alone_may_have_all_the_room_and_not_more() {
        let admission = Admission::new(9);
        let held = flood(&admission, "a", 1);
        assert_eq!((held.len(), admission.open()), (9, 9));
        let more = admission.admit(&tenant("a"), 1, false, Instant::now());
        assert!(matches!(more, Err(Turned::Overloaded(_))));
        drop(held);
        assert_eq!(admission.open(), 0);
        assert!(admission.admit(&tenant("a"), 1, false, Instant::now()).is_ok());
    }

    #[test]
    fn floods_of_others_leave_a_tenant_its_part_though_it_had_no_call_open() {
        // Twelve: six for whoever comes, and two for each of three.
        let admission = Admission::new(12);
        let first = flood(&admission, "a", 3);
        assert_eq!(first.len(), 8);
        let second = flood(&admission, "b", 3);
        assert_eq!(second.len(), 2);
        let quiet = flood(&admission, "quiet", 3);
        assert_eq!(quiet.len(), 2);
        // What the first gives back is anyone's.
        drop(first);
        assert_eq!(flood(&admission, "b", 3).len(), 6);
        drop((second, quiet));
        assert_eq!(admission.open(), 0);
    }

    #[test]
    fn streams_leave_room_for_play() {
        let admission = Admission::new(8);
        let admit = || admission.admit(&tenant("a"), 1, true, Instant::now()).ok();
        let streams: Vec<Admitted> = std::iter::from_fn(admit).collect();
        assert_eq!(streams.len(), 2);
        assert_eq!(flood(&admission, "a", 1).len(), 6);
        drop(streams);
        assert!(admission.admit(&tenant("a"), 1, true, Instant::now()).is_ok());
    }

    #[test]
    fn streams_of_one_tenant_leave_another_its_part_of_their_room() {
        // Sixteen for streams: eight for whoever comes, and four for each of two.
        let admission = Admission::new(64);
        let stream = |name: &str| admission.admit(&tenant(name), 2, true, Instant::now()).ok();
        let flood: Vec<Admitted> = std::iter::from_fn(|| stream("a")).collect();
        assert_eq!(flood.len(), 12);
        let quiet: Vec<Admitted> = std::iter::from_fn(|| stream("quiet")).collect();
        assert_eq!(quiet.len(), 4);
        drop(flood);
        assert!(stream("quiet").is_some());
    }

    #[test]
    fn more_tenants_than_places_share_them_as_they_come() {
        let admission = Admission::new(2);
        assert_eq!(flood(&admission, "a", 5).len(), 2);
        assert_eq!(flood(&admission, "b", 5).len(), 2);
    }

    #[test]
    fn a_tenant_has_no_more_calls_open_than_its_own_limit() {
        let admission = Admission::new(100);
        let limited = Tenant { concurrent_calls: Some(2), ..tenant("a") };
        let now = Instant::now();
        let held = [
            admission.admit(&limited, 2, false, now).unwrap(),
            admission.admit(&limited, 2, false, now).unwrap(),
        ];
        assert!(matches!(
            admission.admit(&limited, 2, false, now),
            Err(Turned::TenantConcurrency(_))
        ));
        assert!(admission.admit(&tenant("b"), 2, false, now).is_ok());
        drop(held);
        assert!(admission.admit(&limited, 2, false, now).is_ok());
    }

    #[test]
    fn a_rate_lets_a_burst_through_and_then_one_call_at_a_time() {
        let rate = Rate { per_second: 10, burst: 3 };
        let begin = Instant::now();
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        let mut due = None;
        for _ in 0..3 {
            pass(rate, &mut due, begin).unwrap();
        }
        assert_eq!(pass(rate, &mut due, begin), Err(Duration::from_millis(100)));
        assert_eq!(pass(rate, &mut due, at(40)), Err(Duration::from_millis(60)));
        pass(rate, &mut due, at(100)).unwrap();
        assert_eq!(pass(rate, &mut due, at(100)), Err(Duration::from_millis(100)));
        // After a rest the whole burst is free again, and no more than it.
        for _ in 0..3 {
            pass(rate, &mut due, at(5000)).unwrap();
        }
        assert_eq!(pass(rate, &mut due, at(5000)), Err(Duration::from_millis(100)));
    }

    #[test]
    fn a_rate_that_is_raised_counts_at_once() {
        let begin = Instant::now();
        let slow = Rate { per_second: 1, burst: 600 };
        let mut due = None;
        for _ in 0..600 {
            pass(slow, &mut due, begin).unwrap();
        }
        // Ten minutes of the slow rate are used up; of the quick one, the whole burst.
        let quick = Rate { per_second: 100, burst: 100 };
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        assert_eq!(pass(quick, &mut due, begin), Err(Duration::from_millis(10)));
        assert_eq!(pass(quick, &mut due, at(10)), Ok(()));
        assert_eq!(pass(quick, &mut due, at(10)), Err(Duration::from_millis(10)));
    }
}
