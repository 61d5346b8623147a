//! The addresses that are listened on: no two may be the same.

use std::net::SocketAddr;

use super::Config;
use super::faults::ConfigFaults;

/// Notes every address that stands before it already.
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
    // Port 0 is whichever is free.
    let is_same_port = one.port() == other.port() && one.port() != 0;
    // `[::]` is every address of both families.
    let covers =
        |a: SocketAddr, b: SocketAddr| a.ip().is_unspecified() && (a.is_ipv6() || b.is_ipv4());
    is_same_port && (one.ip() == other.ip() || covers(one, other) || covers(other, one))
}
