//! No session is resumed: a certificate is looked at in every handshake.

use std::net::SocketAddr;
use std::sync::Arc;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, HandshakeKind, RootCertStore, ServerConfig, SupportedProtocolVersion};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::Guarded;
use crate::server::certificates::Authority;

/// The first bytes of an HTTP/2 client (RFC 9113, section 3.4), and empty SETTINGS.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// A client of one version of TLS that remembers its sessions, as rustls does by itself.
fn client(authority: &Authority, version: &'static SupportedProtocolVersion) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.pem.as_bytes()).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
    let config = config.with_protocol_versions(&[version]).unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    TlsConnector::from(Arc::new(config))
}

/// Connects, and reads the first frame of the server: what TLS would send for another
/// session comes before it.
async fn handshake(client: &TlsConnector, address: SocketAddr) -> HandshakeKind {
    let stream = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut tls = client.connect(name, stream).await.unwrap();
    tls.write_all(PREFACE).await.unwrap();
    let mut head = [0; 9];
    tls.read_exact(&mut head).await.unwrap();
    assert_eq!(head[3], 4, "SETTINGS");
    tls.get_ref().1.handshake_kind().unwrap()
}

#[tokio::test]
async fn every_handshake_is_a_full_one() {
    let guarded = Guarded::with("optional").await;
    for version in [&TLS12, &TLS13] {
        let client = client(&guarded.authority, version);
        for _ in 0..3 {
            let kind = handshake(&client, guarded.server.address).await;
            assert_eq!(kind, HandshakeKind::Full, "{version:?}");
        }
    }
}

/// The same client resumes where a server lets it: else the test above would prove nothing.
#[tokio::test]
async fn the_client_of_this_test_would_resume() {
    let authority = Authority::new("test authority");
    let own = authority.sign(&["localhost"]);
    let certificate = CertificateDer::from_pem_slice(own.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(own.key.as_bytes()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let mut config = config.with_single_cert(vec![certificate], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let acceptor = TlsAcceptor::from(Arc::new(config));
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let mut tls = acceptor.accept(stream).await.unwrap();
            let mut preface = [0; PREFACE.len()];
            tls.read_exact(&mut preface).await.unwrap();
            tls.write_all(b"\0\0\0\x04\0\0\0\0\0").await.unwrap();
        }
    });
    for version in [&TLS12, &TLS13] {
        let client = client(&authority, version);
        assert_eq!(handshake(&client, address).await, HandshakeKind::Full, "{version:?}");
        assert_eq!(handshake(&client, address).await, HandshakeKind::Resumed, "{version:?}");
    }
    server.abort();
}
