//! The addresses that the process listens on, of which no two may be the same. Also ranges of peer
//! addresses.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use super::Config;
use super::faults::ConfigFaults;

/// An address, or a network as `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AddressRange {
    first: IpAddr,
    prefix: u32,
}

/// The error of a text that is not an [`AddressRange`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NotAnAddressRange;

impl AddressRange {
    /// Whether an address is in the range.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        // The bits in which the addresses differ are all behind the prefix.
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                (first.to_bits() ^ address.to_bits()).leading_zeros() >= self.prefix
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                (first.to_bits() ^ address.to_bits()).leading_zeros() >= self.prefix
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

impl FromStr for AddressRange {
    type Err = NotAnAddressRange;

    fn from_str(text: &str) -> Result<Self, NotAnAddressRange> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let first: IpAddr = address.parse().map_err(|_| NotAnAddressRange)?;
        let bits = if first.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(bits), str::parse).map_err(|_| NotAnAddressRange)?;
        if prefix > bits { Err(NotAnAddressRange) } else { Ok(Self { first, prefix }) }
    }
}

/// Notes every address that an earlier setting already has.
pub(super) fn check(config: &Config, faults: &mut ConfigFaults) {
    let Config { server, telemetry, .. } = config;
    let said = [
        ("server.listen", Some(server.listen)),
        ("server.health_listen", server.health_listen),
        ("server.verifier_listen", server.verifier_listen),
        ("telemetry.prometheus_listen", telemetry.prometheus_listen),
    ];
    let said: Vec<_> = said.into_iter().filter_map(|(key, one)| Some((key, one?))).collect();
    for (place, (key, address)) in said.iter().enumerate() {
        if let Some((other, _)) = said[..place].iter().find(|(_, other)| clash(*other, *address)) {
            faults.add(key, format_args!("`{address}` is taken by {other}"));
        }
    }
}

/// Whether the system lets only one of two addresses be listened on.
fn clash(one: SocketAddr, other: SocketAddr) -> bool {
    // Port 0 is any free port.
    let is_same_port = one.port() == other.port() && one.port() != 0;
    // `[::]` is every address of both families.
    let covers =
        |a: SocketAddr, b: SocketAddr| a.ip().is_unspecified() && (a.is_ipv6() || b.is_ipv4());
    is_same_port && (one.ip() == other.ip() || covers(one, other) || covers(other, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_addresses_of_its_network_and_no_other() {
        for (range, inside, outside) in [
            ("10.0.0.0/8", "10.255.1.2", "11.0.0.0"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.6"),
            ("192.0.2.4/31", "192.0.2.5", "192.0.2.6"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
            ("0.0.0.0/0", "203.0.113.1", "::1"),
            ("::/0", "::1", "127.0.0.1"),
        ] {
            let range: AddressRange = range.parse().unwrap();
            assert!(range.contains(inside.parse().unwrap()), "{range:?}");
            assert!(!range.contains(outside.parse().unwrap()), "{range:?}");
        }
        for bad in ["", "10.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "proxy"] {
            assert_eq!(bad.parse::<AddressRange>(), Err(NotAnAddressRange), "{bad:?}");
        }
    }
}
