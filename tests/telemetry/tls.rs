//! A collector with TLS, whose authority the settings name.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tonic::transport::{Identity, ServerTlsConfig};

use super::collector::Collector;
use super::running::deal;
use super::server::Process;

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_is_trusted_by_its_authority_and_another_is_not() {
    let (ours, theirs) = (authority(), authority());
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &ours).unwrap();
    let identity = Identity::from_pem(certificate.pem(), key.serialize_pem());
    let collector = Collector::start(Some(ServerTlsConfig::new().identity(identity))).await;
    let endpoint = format!("https://localhost:{}", collector.address.port());
    let home = tempfile::tempdir().unwrap();
    for (authority, arrives) in [(&theirs, false), (&ours, true)] {
        let file = home.path().join("authority.pem");
        std::fs::write(&file, authority.pem()).unwrap();
        let process = Process::start(&[
            ("PAIGOW__TELEMETRY__OTLP_ENDPOINT", &endpoint),
            ("PAIGOW__TELEMETRY__OTLP_CA_FILE", file.to_str().unwrap()),
            ("PAIGOW__TELEMETRY__OTLP_TIMEOUT_MS", if arrives { "30000" } else { "1000" }),
        ]);
        process.client().await.deal(deal(1)).await.unwrap();
        process.stopped().await;
        let received = collector.received();
        assert_eq!(received.spans().len(), usize::from(arrives));
        assert_eq!(!received.metrics.is_empty(), arrives);
    }
}

#[test]
fn an_authority_that_cannot_be_read_ends_the_start_with_78() {
    let home = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(paigow_testkit::programs::server())
        .env_clear()
        .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
        .env("PAIGOW__TELEMETRY__OTLP_ENDPOINT", "https://localhost:4317")
        .env("PAIGOW__TELEMETRY__OTLP_CA_FILE", "not-there.pem")
        .current_dir(home.path())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{told}");
    let expected = "paigow-server: telemetry.otlp_ca_file: cannot read not-there.pem: ";
    assert!(told.starts_with(expected), "{told}");
}
