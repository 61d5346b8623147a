//! How many file descriptors the process has, and how many of them connections may take.
//!
//! Connections that leave none for anything else would stop the replica: no file of evidence
//! could be begun, no probe answered, and the executable not be read to be verified.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{health, page};
use paigow_config::ServerConfig;

/// What is kept for the process itself: files of evidence and those that are read again,
/// watched folders, exporters, listeners, the 16 connections of those who read the metrics,
/// and a connection that is accepted only to be closed.
const FILES: u64 = 64;

/// What the runtime of a worker has open besides its connections: two to wait on, one that
/// wakes it, and one for signals.
const EACH_WORKER: u64 = 4;

/// Takes all the descriptors that the system allows, and returns how many connections may be
/// open: as many as the settings say, or as there are descriptors for.
pub(super) fn connections(config: &ServerConfig) -> usize {
    let limit = raised();
    let possible = left(limit, reserve(config), config.max_connections);
    if possible < config.max_connections {
        tracing::warn!(
            "server.max_connections" = config.max_connections,
            possible,
            descriptors = limit,
            "the system has too few file descriptors for so many connections"
        );
    }
    possible
}

/// Raises the limit of the process as far as it may, and returns it; nothing is no limit.
fn raised() -> Option<u64> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // A system that refuses leaves the limit as it is, which is what counts.
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap_or_default();
    getrlimit(Resource::Nofile).current
}

/// Returns how many descriptors no connection of a caller may take.
fn reserve(config: &ServerConfig) -> u64 {
    let workers = u64::try_from(config.workers.get()).unwrap_or(u64::MAX);
    let probes = config.health_listen.map_or(0, |_| health::PROBES);
    let readers = config.verifier_listen.map_or(0, |_| page::LIMITS.connections);
    let aside = FILES + u64::try_from(probes).unwrap_or(u64::MAX) + u64::from(readers);
    workers.saturating_mul(EACH_WORKER).saturating_add(aside)
}

/// Returns how many of `wanted` connections are possible. One always is: a replica without
/// any could not even be asked what is wrong.
fn left(limit: Option<u64>, reserve: u64, wanted: usize) -> usize {
    let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(reserve).max(1));
    usize::try_from(left).map_or(wanted, |left| left.min(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_config::Config;

    #[test]
    fn connections_get_what_the_reserve_leaves_and_never_more_than_is_set() {
        assert_eq!(left(Some(1024), 100, 20_000), 924);
        assert_eq!(left(Some(20_100), 100, 20_000), 20_000);
        assert_eq!(left(Some(20_099), 100, 20_000), 19_999);
        assert_eq!(left(Some(1 << 20), 100, 20_000), 20_000);
        assert_eq!(left(None, 100, 20_000), 20_000);
    }

    #[test]
    fn a_limit_below_the_reserve_leaves_one_connection() {
        assert_eq!(left(Some(100), 100, 20_000), 1);
        assert_eq!(left(Some(0), 100, 20_000), 1);
        assert_eq!(left(Some(101), 100, 1), 1);
    }

    #[test]
    fn workers_probes_and_readers_of_the_page_have_descriptors_of_their_own() {
        let mut config = Config::load(None).unwrap().server;
        config.workers = 3.try_into().unwrap();
        assert_eq!(reserve(&config), 64 + 3 * 4);
        config.health_listen = Some(config.listen);
        assert_eq!(reserve(&config), 64 + 3 * 4 + 64);
        config.verifier_listen = Some(config.listen);
        assert_eq!(reserve(&config), 64 + 3 * 4 + 64 + 256);
    }
}
