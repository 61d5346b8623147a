//! How many calls there is room for, and for whom.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::access::{Rate, Tenant};
use crate::fairness::encoding::Identifier;

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
/// As long as less than half of the room is taken, anyone may have what is free. Beyond
/// that a tenant gets in only while it has less than its share: the room divided by the
/// tenants that have calls open. So one tenant's flood leaves the others their half.
#[derive(Debug)]
pub(super) struct Admission {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    tenants: BTreeMap<Identifier, Usage>,
}

#[derive(Debug, Default)]
struct Usage {
    open: usize,
    /// When the tenant would have made all its calls so far at its rate.
    due: Option<Instant>,
}

/// A call that was let in; its place is free when this is dropped.
#[derive(Debug)]
pub(super) struct Admitted {
    admission: Arc<Admission>,
    tenant: Identifier,
}

impl Admission {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, open: Mutex::default() })
    }

    /// Returns how many calls are open.
    #[cfg(test)]
    pub(super) fn open(&self) -> usize {
        self.lock().all
    }

    /// Lets a call of `tenant` in, at the time `now`.
    pub(super) fn admit(
        self: &Arc<Self>,
        tenant: &Tenant,
        now: Instant,
    ) -> Result<Admitted, Turned> {
        let mut open = self.lock();
        let others =
            open.tenants.iter().filter(|(name, usage)| usage.open > 0 && **name != tenant.tenant);
        let share = self.most / (others.count() + 1);
        let all = open.all;
        let usage = open.tenants.entry(tenant.tenant.clone()).or_default();
        if all >= self.most || (all >= self.most / 2 && usage.open >= share) {
            return Err(Turned::Overloaded(PAUSE));
        }
        let most = tenant.concurrent_calls.and_then(|most| usize::try_from(most).ok());
        if most.is_some_and(|most| usage.open >= most) {
            return Err(Turned::TenantConcurrency(PAUSE));
        }
        if let Some(rate) = tenant.rate {
            usage.due = Some(pass(rate, usage.due, now).map_err(Turned::TenantRate)?);
        }
        usage.open += 1;
        open.all += 1;
        Ok(Admitted { admission: Arc::clone(self), tenant: tenant.tenant.clone() })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        // Nothing in here can panic half way.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets a call through that keeps to a rate, and returns when the next one is due; or how
/// long it is until it would keep to it (the generic cell rate algorithm).
fn pass(rate: Rate, due: Option<Instant>, now: Instant) -> Result<Instant, Duration> {
    let each = Duration::from_secs(1) / rate.per_second.max(1);
    let ahead = each * rate.burst.saturating_sub(1);
    let due = due.map_or(now, |due| due.max(now));
    match due.duration_since(now).checked_sub(ahead) {
        Some(early) if !early.is_zero() => Err(early),
        Some(_) | None => Ok(due + each),
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut open = self.admission.lock();
        open.all = open.all.saturating_sub(1);
        if let Some(usage) = open.tenants.get_mut(&self.tenant) {
            usage.open = usage.open.saturating_sub(1);
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

    #[test]
    fn one_tenant_alone_may_have_all_the_room_and_not_more() {
        let admission = Admission::new(8);
        let now = Instant::now();
        let held: Vec<_> = (0..8).map(|_| admission.admit(&tenant("a"), now).unwrap()).collect();
        assert!(matches!(admission.admit(&tenant("a"), now), Err(Turned::Overloaded(_))));
        assert_eq!(admission.open(), 8);
        drop(held);
        assert_eq!(admission.open(), 0);
        assert!(admission.admit(&tenant("a"), now).is_ok());
    }

    #[test]
    fn a_flood_of_one_tenant_leaves_the_others_their_share() {
        let admission = Admission::new(12);
        let now = Instant::now();
        let quiet = admission.admit(&tenant("quiet"), now).unwrap();
        let mut flood = Vec::new();
        while let Ok(admitted) = admission.admit(&tenant("flood"), now) {
            flood.push(admitted);
        }
        // Two tenants have calls open: six each.
        assert_eq!(flood.len(), 6);
        let mut more = Vec::new();
        while let Ok(admitted) = admission.admit(&tenant("quiet"), now) {
            more.push(admitted);
        }
        assert_eq!(more.len(), 5);
        drop((quiet, more, flood));
        assert_eq!(admission.open(), 0);
    }

    #[test]
    fn a_tenant_has_no_more_calls_open_than_its_own_limit() {
        let admission = Admission::new(100);
        let limited = Tenant { concurrent_calls: Some(2), ..tenant("a") };
        let now = Instant::now();
        let held =
            [admission.admit(&limited, now).unwrap(), admission.admit(&limited, now).unwrap()];
        assert!(matches!(admission.admit(&limited, now), Err(Turned::TenantConcurrency(_))));
        assert!(admission.admit(&tenant("b"), now).is_ok());
        drop(held);
        assert!(admission.admit(&limited, now).is_ok());
    }

    #[test]
    fn a_rate_lets_a_burst_through_and_then_one_call_at_a_time() {
        let rate = Rate { per_second: 10, burst: 3 };
        let begin = Instant::now();
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        let mut due = None;
        for _ in 0..3 {
            due = Some(pass(rate, due, begin).unwrap());
        }
        assert_eq!(pass(rate, due, begin), Err(Duration::from_millis(100)));
        assert_eq!(pass(rate, due, at(40)), Err(Duration::from_millis(60)));
        due = Some(pass(rate, due, at(100)).unwrap());
        assert_eq!(pass(rate, due, at(100)), Err(Duration::from_millis(100)));
        // After a rest the whole burst is free again, and no more than it.
        for _ in 0..3 {
            due = Some(pass(rate, due, at(5000)).unwrap());
        }
        assert_eq!(pass(rate, due, at(5000)), Err(Duration::from_millis(100)));
    }
}
