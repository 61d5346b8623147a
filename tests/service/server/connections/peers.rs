//! How many connections one peer address may hold, on a real process.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use crate::server::certificates::Authority;
use crate::server::logged::Logged;
use crate::server::running::eventually;

/// The first bytes of an HTTP/2 client (RFC 9113, section 3.4), and empty SETTINGS.
const HELLO: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

const ONE: Ipv4Addr = Ipv4Addr::LOCALHOST;
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

async fn open(server: &Logged, from: Ipv4Addr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    socket.connect(server.address.parse().unwrap()).await.unwrap()
}

/// Connects and says hello. Returns [`None`] if the server closes without a byte.
async fn greeted(server: &Logged, from: Ipv4Addr) -> Option<TcpStream> {
    let mut stream = open(server, from).await;
    // The server may have closed it already.
    drop(stream.write_all(HELLO).await);
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.ok().map(|_| stream)
}

fn above_the_limit(server: &Logged) -> u64 {
    let series = "paigow_connections_failed_total{paigow_reason=\"PEER_LIMIT\"}";
    server.figure(series).unwrap()
}

#[tokio::test]
async fn one_address_holds_so_many_connections_and_another_its_own() {
    let home = tempfile::tempdir().unwrap();
    let server = Logged::start(
        home.path(),
        &[
            ("PAIGOW__SERVER__MAX_CONNECTIONS_PER_PEER", Path::new("2")),
            ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", Path::new("127.0.0.1:0")),
        ],
    );
    let first = greeted(&server, ONE).await.unwrap();
    let _second = greeted(&server, ONE).await.unwrap();
    for refused in 1..=3 {
        assert!(greeted(&server, ONE).await.is_none());
        assert_eq!(above_the_limit(&server), refused);
    }
    let _others = [greeted(&server, OTHER).await.unwrap(), greeted(&server, OTHER).await.unwrap()];
    assert!(greeted(&server, OTHER).await.is_none());
    // One that ends makes room for one more, and only one.
    drop(first);
    let _third = eventually(async || greeted(&server, ONE).await).await;
    assert!(greeted(&server, ONE).await.is_none());
}

#[tokio::test]
async fn a_proxy_holds_as_many_connections_as_it_likes() {
    let home = tempfile::tempdir().unwrap();
    let server = Logged::start(
        home.path(),
        &[
            ("PAIGOW__SERVER__MAX_CONNECTIONS_PER_PEER", Path::new("1")),
            ("PAIGOW__SERVER__PROXIES", Path::new("10.0.0.0/8 127.0.0.2")),
            ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", Path::new("127.0.0.1:0")),
        ],
    );
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(greeted(&server, OTHER).await.unwrap());
    }
    open.push(greeted(&server, ONE).await.unwrap());
    assert!(greeted(&server, ONE).await.is_none());
    assert_eq!(above_the_limit(&server), 1);
}

#[tokio::test]
async fn a_connection_above_the_limit_gets_no_handshake() {
    let home = tempfile::tempdir().unwrap();
    let [certificate, key] = Authority::new("authority").sign(&["localhost"]).write(home.path());
    let server = Logged::start(
        home.path(),
        &[
            ("PAIGOW__SERVER__MAX_CONNECTIONS_PER_PEER", Path::new("1")),
            ("PAIGOW__TLS__CERTIFICATE_FILE", &certificate),
            ("PAIGOW__TLS__KEY_FILE", &key),
            ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", Path::new("127.0.0.1:0")),
        ],
    );
    // It has not begun its handshake, and counts.
    let _silent = open(&server, ONE).await;
    let mut refused = open(&server, ONE).await;
    let mut byte = [0];
    assert_eq!(refused.read(&mut byte).await.unwrap_or(0), 0);
    assert_eq!(above_the_limit(&server), 1);
    // No handshake has failed of it.
    let series = "paigow_connections_failed_total{paigow_reason=\"LEFT\"}";
    assert_eq!(server.figure(series), Some(0));
}
