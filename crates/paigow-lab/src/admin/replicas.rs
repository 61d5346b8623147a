//! The replicas of a service: their addresses, and a connection to each.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::join_all;
use tonic::Request;
use url::{Host, Url};

use crate::CommandError;
use crate::play::Credentials;
use crate::play::caller::{self, AuthenticatedClient};

/// How long a replica may take for an answer that needs no work.
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

/// A replica, and its connection or the connection error.
pub(super) struct Replica {
    /// Its address, as the operator gave it. For a name with several addresses, the address
    /// follows.
    pub(super) name: String,
    pub(super) client: Result<AuthenticatedClient, String>,
}

/// Makes a request with a deadline.
pub(super) fn timed<M>(message: M) -> Request<M> {
    let mut request = Request::new(message);
    request.set_timeout(ANSWERED_WITHIN);
    request
}

/// Connects to every replica.
///
/// # Errors
///
/// If an address or a credential is unusable, a name has no address, or no replica can be reached.
pub(super) async fn connect(
    servers: &[String],
    credentials: &Credentials,
) -> Result<Vec<Replica>, CommandError> {
    let mut places = Vec::new();
    for server in servers {
        places.extend(places_of(server).await?);
    }
    let connecting = places.iter().map(|place| async {
        let ReplicaPlace { server, host, address, name } = place;
        let client = caller::connect_to(server, host, *address, credentials).await;
        (name.clone(), client)
    });
    let mut replicas = Vec::new();
    let mut first = None;
    for (name, client) in join_all(connecting).await {
        let client = match client {
            Ok(client) => Ok(client),
            Err(CommandError::Unavailable(why)) => {
                first.get_or_insert_with(|| why.clone());
                Err(why)
            }
            Err(error) => return Err(error),
        };
        replicas.push(Replica { name, client });
    }
    match first {
        Some(why) if replicas.iter().all(|replica| replica.client.is_err()) => {
            Err(CommandError::Unavailable(why))
        }
        Some(_) | None => Ok(replicas),
    }
}

/// Where a replica is.
struct ReplicaPlace {
    server: String,
    host: String,
    address: SocketAddr,
    name: String,
}

/// Returns the places of the replicas behind an address. If a name has addresses of both families,
/// those of IPv4 count, because a replica has one of each.
async fn places_of(server: &str) -> Result<Vec<ReplicaPlace>, CommandError> {
    let usage = |what: &str| CommandError::Usage(format!("--server {server}: {what}"));
    let url = Url::parse(server).map_err(|error| usage(&error.to_string()))?;
    if !["http", "https"].contains(&url.scheme()) {
        return Err(usage("not an http:// or https:// address"));
    }
    let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
        return Err(usage("an address without a host"));
    };
    let found: Vec<SocketAddr> = match host {
        Host::Ipv4(ip) => vec![(ip, port).into()],
        Host::Ipv6(ip) => vec![(ip, port).into()],
        Host::Domain(name) => {
            let found = tokio::net::lookup_host((name, port)).await;
            found
                .map_err(|error| CommandError::Unavailable(format!("{server}: {error}")))?
                .collect()
        }
    };
    let mut addresses: Vec<SocketAddr> =
        found.iter().copied().filter(SocketAddr::is_ipv4).collect();
    if addresses.is_empty() {
        addresses = found;
    }
    addresses.sort_unstable();
    addresses.dedup();
    let is_one = addresses.len() == 1;
    let host = match host {
        Host::Domain(name) => name.to_owned(),
        Host::Ipv4(ip) => ip.to_string(),
        Host::Ipv6(ip) => ip.to_string(),
    };
    let place = |address: SocketAddr| ReplicaPlace {
        server: server.to_owned(),
        host: host.clone(),
        address,
        name: if is_one { server.to_owned() } else { format!("{server} ({})", address.ip()) },
    };
    Ok(addresses.into_iter().map(place).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn names(server: &str) -> Result<Vec<(String, String)>, String> {
        let places = places_of(server).await.map_err(|error| error.to_string())?;
        Ok(places.into_iter().map(|place| (place.name, place.address.to_string())).collect())
    }

    #[tokio::test]
    async fn an_address_is_one_replica_and_a_name_has_those_of_ipv4() {
        for (server, address) in [
            ("http://127.0.0.1:50051", "127.0.0.1:50051"),
            ("https://[::1]:7", "[::1]:7"),
            ("https://192.0.2.1", "192.0.2.1:443"),
            ("http://localhost:7", "127.0.0.1:7"),
        ] {
            let expected = vec![(server.to_owned(), address.to_owned())];
            assert_eq!(names(server).await, Ok(expected), "{server}");
        }
    }

    #[tokio::test]
    async fn what_is_no_address_is_refused_by_name() {
        for (server, what) in [
            ("127.0.0.1:50051", "--server 127.0.0.1:50051: "),
            ("ftp://localhost", "not an http:// or https:// address"),
        ] {
            let refused = names(server).await.unwrap_err();
            assert!(refused.contains(what), "{refused}");
        }
    }
}
