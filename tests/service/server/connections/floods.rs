//! Floods of control frames on one connection of a real process, frame by frame.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use crate::server::logged::Logged;
use crate::server::running::eventually;

/// The first bytes of an HTTP/2 client (RFC 9113, section 3.4), and empty SETTINGS.
const HELLO: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// How many frames a flood has.
const FLOOD: usize = 200_000;

/// The payload of the ping after a flood.
const HEARD: &[u8] = b"heard me";

const PRIORITY: u8 = 2;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;
/// A type that HTTP/2 does not define, which a server ignores.
const UNKNOWN: u8 = 0xbb;

fn frame(kind: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, 0], &stream.to_be_bytes(), payload].concat()
}

fn started(home: &Path) -> Logged {
    let metrics = Path::new("127.0.0.1:0");
    Logged::start(home, &[("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", metrics)])
}

fn closed_as_floods(server: &Logged) -> u64 {
    server.figure("paigow_connections_failed_total{paigow_reason=\"FLOOD\"}").unwrap()
}

/// Reads frames until the server closes the connection or answers the ping of [`is_cut_off`].
/// Returns whether it closes.
fn is_closed(mut stream: TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    loop {
        let mut head = [0; 9];
        let read = stream.read_exact(&mut head).and_then(|()| {
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
            let mut payload = vec![0; usize::try_from(length).unwrap()];
            stream.read_exact(&mut payload).map(|()| payload)
        });
        match read {
            Ok(payload) if head[3] == PING && payload == HEARD => return false,
            Ok(_) => {}
            Err(error) => {
                let closed = [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset];
                assert!(closed.contains(&error.kind()), "{error}");
                return true;
            }
        }
    }
}

/// Sends a frame again and again, then a ping. Returns whether the server closes the connection
/// instead of an answer to the ping.
fn is_cut_off(server: &Logged, flood: &[u8]) -> bool {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(HELLO).unwrap();
    let answers = stream.try_clone().unwrap();
    let reading = std::thread::spawn(move || is_closed(answers));
    let hundred = flood.repeat(100);
    let mut sent = (0..FLOOD / 100).map(|_| stream.write_all(&hundred));
    if sent.all(|sent| sent.is_ok()) {
        drop(stream.write_all(&frame(PING, 0, HEARD)));
    }
    reading.join().unwrap()
}

#[tokio::test]
async fn a_flood_of_control_frames_of_any_kind_is_cut_off() {
    let home = tempfile::tempdir().unwrap();
    let server = started(home.path());
    let mut client = server.client().await;
    let floods = [
        ("SETTINGS", frame(SETTINGS, 0, &[0, 4, 0, 0, 0xff, 0xff])),
        ("empty SETTINGS", frame(SETTINGS, 0, &[])),
        ("PING", frame(PING, 0, b"pingpong")),
        ("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, &[0, 0, 0, 1])),
        ("PRIORITY", frame(PRIORITY, 1, &[0, 0, 0, 0, 16])),
        ("frames of an unknown type", frame(UNKNOWN, 0, &[])),
    ];
    for (closed, (name, frame)) in (1..).zip(&floods) {
        assert!(is_cut_off(&server, frame), "a flood of {name}");
        assert_eq!(closed_as_floods(&server), closed, "a flood of {name}");
    }
    // Another connection does not notice.
    client.get_engine(paigow_proto::v1::GetEngineRequest {}).await.unwrap();
    // h2 itself ends a connection that resets a stream which it has not begun.
    assert!(is_cut_off(&server, &frame(RST_STREAM, 1, &[0, 0, 0, 8])));
    let open = "paigow_connections";
    eventually(async || server.figure(open).filter(|open| *open == 1)).await;
}
