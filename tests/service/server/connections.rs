//! Connections on which no call can be made, as a real process counts them.

mod floods;
mod peers;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use tonic::transport::Channel;

use crate::server::certificates::Authority;
use crate::server::logged::Logged;

/// How many connections have failed so, of each reason.
fn failed(server: &Logged) -> [u64; 5] {
    ["ACCEPT", "BUSY", "TLS", "TIMEOUT", "LEFT"].map(|reason| {
        let series = format!("paigow_connections_failed_total{{paigow_reason=\"{reason}\"}}");
        server.figure(&series).unwrap()
    })
}

#[tokio::test]
async fn a_handshake_that_fails_is_counted_by_its_reason() {
    let home = tempfile::tempdir().unwrap();
    let authority = Authority::new("authority");
    let [certificate, key] = authority.sign(&["localhost"]).write(home.path());
    let server = Logged::start(
        home.path(),
        &[
            ("PAIGOW__TLS__CERTIFICATE_FILE", &certificate),
            ("PAIGOW__TLS__KEY_FILE", &key),
            ("PAIGOW__SERVER__HANDSHAKE_TIMEOUT_MS", Path::new("3000")),
            ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", Path::new("127.0.0.1:0")),
        ],
    );
    let has_failed = || drop(server.line(|line| line["message"] == "a TLS handshake has failed"));
    assert_eq!(failed(&server), [0; 5]);

    let other = Authority::new("another authority");
    for trusted in [&authority, &other] {
        let endpoint = Channel::from_shared(format!("https://{}", server.address)).unwrap();
        let connected = endpoint.tls_config(trusted.trusted(None)).unwrap().connect().await;
        assert_eq!(connected.is_ok(), std::ptr::eq(trusted, &authority));
    }
    has_failed();
    assert_eq!(failed(&server), [0, 0, 1, 0, 0]);

    TcpStream::connect(&server.address).unwrap().write_all(b"PRI * HTTP/2.0\r\n\r\n").unwrap();
    has_failed();
    assert_eq!(failed(&server), [0, 0, 2, 0, 0]);

    drop(TcpStream::connect(&server.address).unwrap());
    has_failed();
    assert_eq!(failed(&server), [0, 0, 2, 0, 1]);

    let _silent = TcpStream::connect(&server.address).unwrap();
    server.line(|line| line["message"] == "a TLS handshake took too long");
    assert_eq!(failed(&server), [0, 0, 2, 1, 1]);
}

#[test]
fn a_peer_that_says_nothing_is_counted_without_tls_too() {
    let home = tempfile::tempdir().unwrap();
    let server = Logged::start(
        home.path(),
        &[
            ("PAIGOW__SERVER__HANDSHAKE_TIMEOUT_MS", Path::new("100")),
            ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", Path::new("127.0.0.1:0")),
        ],
    );
    let mut silent = TcpStream::connect(&server.address).unwrap();
    // Until it is closed: a server of HTTP/2 says its settings unasked.
    silent.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(failed(&server), [0, 0, 0, 1, 0]);
}
