//! How many connections each peer address holds.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use paigow_config::{AddressRange, ServerConfig};

/// How many connections each address holds.
type HeldConnections = Mutex<BTreeMap<IpAddr, usize>>;

/// The limit of connections for each peer address, and what each holds.
#[derive(Clone, Debug)]
pub(super) struct PeerLimit {
    /// How many connections one address may hold; [`None`] for no limit.
    most: Option<NonZeroUsize>,
    /// The proxies, for which there is no limit.
    proxies: Arc<[AddressRange]>,
    held: Arc<HeldConnections>,
}

impl PeerLimit {
    /// Creates the limit of the settings.
    pub(super) fn new(config: &ServerConfig) -> Self {
        let most = config.max_connections_per_peer;
        Self { most, proxies: config.proxies.clone().into(), held: Arc::default() }
    }

    /// Counts one more connection of a peer. Returns [`None`] if the peer holds as many as it may.
    pub(super) fn acquire(&self, peer: IpAddr) -> Option<PeerSlot> {
        let peer = peer.to_canonical();
        let most = self.most.filter(|_| !self.proxies.iter().any(|range| range.contains(peer)));
        let Some(most) = most else { return Some(PeerSlot(None)) };
        let peer = counted_as(peer);
        let mut held = lock(&self.held);
        let count = held.entry(peer).or_default();
        if *count >= most.get() {
            return None;
        }
        *count += 1;
        Some(PeerSlot(Some((peer, Arc::clone(&self.held)))))
    }
}

/// Returns the address that a peer is counted by. One IPv6 host has a /64 to itself.
fn counted_as(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            Ipv6Addr::from_bits(network).into()
        }
    }
}

/// A connection that a peer holds. Dropping it frees its place.
#[derive(Debug)]
pub(super) struct PeerSlot(Option<(IpAddr, Arc<HeldConnections>)>);

impl Drop for PeerSlot {
    fn drop(&mut self) {
        let Some((peer, held)) = &self.0 else { return };
        let mut held = lock(held);
        if let Some(count) = held.get_mut(peer) {
            *count -= 1;
            // An address that holds nothing takes no memory.
            if *count == 0 {
                held.remove(peer);
            }
        }
    }
}

fn lock(held: &HeldConnections) -> MutexGuard<'_, BTreeMap<IpAddr, usize>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(most: usize, proxies: &[&str]) -> PeerLimit {
        let proxies = proxies.iter().map(|range| range.parse().unwrap()).collect();
        PeerLimit { most: NonZeroUsize::new(most), proxies, held: Arc::default() }
    }

    #[test]
    fn addresses_of_one_64_share_a_limit_and_a_mapped_address_is_its_ipv4_address() {
        let limit = limit(1, &["10.0.0.0/8"]);
        let acquire = |peer: &str| limit.acquire(peer.parse().unwrap());
        let held = [acquire("2001:db8::1"), acquire("2001:db8:0:1::1"), acquire("192.0.2.1")];
        assert!(held.iter().all(Option::is_some));
        assert!(acquire("2001:db8::ffff:ffff:ffff:ffff").is_none());
        assert!(acquire("::ffff:192.0.2.1").is_none());
        let proxied = ["10.1.2.3", "10.1.2.3", "::ffff:10.1.2.3"].map(acquire);
        assert!(proxied.iter().all(Option::is_some));
        assert_eq!(lock(&limit.held).len(), 3);
        drop(held);
        assert!(lock(&limit.held).is_empty());
    }

    #[test]
    fn without_a_limit_nothing_is_counted() {
        let limit = limit(0, &[]);
        let _slots: Vec<_> =
            (0..3).map(|_| limit.acquire([192, 0, 2, 1].into()).unwrap()).collect();
        assert!(lock(&limit.held).is_empty());
    }
}
