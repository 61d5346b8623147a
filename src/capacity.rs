//! Capacity that tenants share, so that no tenant can take all of it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::telemetry::Meters;
use paigow_fairness::encoding::Identifier;

/// A capacity of which half is common, and half is reserved in equal shares for the tenants.
#[derive(Clone, Copy)]
pub(crate) struct SharedCapacity {
    most: usize,
    /// The reserved share of each tenant.
    part: usize,
    /// The capacity without the reserved shares.
    common: usize,
}

impl SharedCapacity {
    pub(crate) fn new(most: usize, tenants: usize) -> Self {
        let part = most / 2 / tenants.max(1);
        Self { most, part, common: most - part * tenants.max(1) }
    }

    /// Returns whether a tenant that holds `mine` may take `more`, while the tenants hold
    /// `all`, its own included.
    pub(crate) fn has_room(
        self,
        more: usize,
        mine: usize,
        all: impl Iterator<Item = usize> + Clone,
    ) -> bool {
        let beyond_part = |held: usize| held.saturating_sub(self.part);
        let wanted = mine.saturating_add(more);
        let beyond: usize = all.clone().map(beyond_part).sum();
        let beyond = (beyond - beyond_part(mine)).saturating_add(beyond_part(wanted));
        all.sum::<usize>().saturating_add(more) <= self.most
            && (wanted <= self.part || beyond <= self.common)
    }
}

/// Bytes that the process holds for its tenants: of the requests of audits, or of answers that wait
/// to be written. They are paid for before they are held.
#[derive(Debug)]
pub(crate) struct HeldBytes {
    most: usize,
    meters: Meters,
    held: Mutex<BTreeMap<Identifier, usize>>,
}

impl HeldBytes {
    pub(crate) fn new(most: usize, meters: Meters) -> Arc<Self> {
        Arc::new(Self { most, meters, held: Mutex::default() })
    }

    /// Returns the account of a call of `tenant`, one of `tenants` configured tenants.
    pub(crate) fn call(self: &Arc<Self>, tenant: &Identifier, tenants: usize) -> Arc<CallBytes> {
        let (all, tenant) = (Arc::clone(self), tenant.clone());
        Arc::new(CallBytes { all, tenant, tenants, messages: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Identifier, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes that one call holds, of one message or more. Dropping it gives them back.
#[derive(Debug)]
pub(crate) struct CallBytes {
    all: Arc<HeldBytes>,
    tenant: Identifier,
    tenants: usize,
    /// The size of each message, oldest first.
    messages: Mutex<VecDeque<usize>>,
}

impl CallBytes {
    /// Takes the bytes of the next message; false where there is no room for them.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let mut held = self.all.lock();
        let mine = held.get(&self.tenant).copied().unwrap_or(0);
        let capacity = SharedCapacity::new(self.all.most, self.tenants);
        let has_room = capacity.has_room(bytes, mine, held.values().copied());
        if has_room {
            held.insert(self.tenant.clone(), mine + bytes);
            drop(held);
            self.messages().push_back(bytes);
        } else {
            self.all.meters.shed("OVERLOADED", self.tenant.as_str());
        }
        has_room
    }

    /// Gives back the bytes of the oldest message.
    pub(crate) fn give_back_oldest(&self) {
        let oldest = self.messages().pop_front();
        self.give_back(oldest.unwrap_or(0));
    }

    fn give_back(&self, bytes: usize) {
        let mut held = self.all.lock();
        if let Some(mine) = held.get_mut(&self.tenant) {
            *mine = mine.saturating_sub(bytes);
        }
    }

    fn messages(&self) -> MutexGuard<'_, VecDeque<usize>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CallBytes {
    fn drop(&mut self) {
        let rest = self.messages().drain(..).sum();
        self.give_back(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tenant_leaves_another_its_part() {
        // Twelve: six for any tenant, and three for each of two tenants.
        let bytes = HeldBytes::new(12, Meters::off());
        let flood = bytes.call(&"a".parse().unwrap(), 2);
        assert!(flood.take(5) && flood.take(4));
        assert!(!flood.take(1));
        let quiet = bytes.call(&"b".parse().unwrap(), 2);
        assert!(quiet.take(2));
        assert!(!quiet.take(2));
        // The first request of the flood has its answer.
        flood.give_back_oldest();
        assert!(quiet.take(2));
        drop((flood, quiet));
        assert!(bytes.lock().values().all(|held| *held == 0));
    }

    #[test]
    fn a_request_larger_than_a_part_takes_from_what_is_common() {
        let bytes = HeldBytes::new(8, Meters::off());
        let call = bytes.call(&"a".parse().unwrap(), 100);
        assert!(call.take(4));
        assert!(call.take(4));
        assert!(!call.take(1));
        call.give_back_oldest();
        assert!(call.take(4));
    }
}
