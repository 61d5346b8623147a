//! How many file descriptors the process has, and how many of them connections may take.
//!
//! If connections took all descriptors, the replica would stop. It could not begin a file of
//! evidence, answer a probe, or read the executable to verify it.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{health, page};
use paigow_config::ServerConfig;

/// The descriptors that are kept for the process itself. They are for files of evidence, files that
/// are read again, watched folders, exporters and listeners. Also for the 16 connections that read
/// the metrics, and for a connection that is accepted only to be closed.
const FILES: u64 = 64;

/// The descriptors of a worker's runtime, without its connections: two to wait on, one that
/// wakes it, and one for signals.
const EACH_WORKER: u64 = 4;

/// Raises the descriptor limit as far as the system allows, and returns how many connections may be
/// open. It is the number in the settings, or fewer if there are fewer descriptors.
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

/// Raises the limit of the process as far as it may, and returns it; [`None`] means no limit.
fn raised() -> Option<u64> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // If the system refuses, the limit stays as it is. The limit that is read here counts.
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

/// Returns how many of `wanted` connections are possible, at least one. Without any connection, an
/// operator could not even ask the replica what is wrong.
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
