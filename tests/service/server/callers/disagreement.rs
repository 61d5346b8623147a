//! Credentials that disagree, over real mTLS with a real process: no call is made for either client.

use std::path::Path;

use paigow_client::PaiGowServiceClient;
use paigow_proto::v1 as pb;
use tempfile::TempDir;
use tonic::transport::Channel;
use tonic::{Code, Request};

use super::{ACCESS, assert_is, with_token, write_access};
use crate::server::certificates::Authority;
use crate::server::logged::Logged;

const TOKEN: &str = "the auditor's token";

/// A server process that asks callers for certificates, and the authority of these.
struct GuardedProcess {
    server: Logged,
    authority: Authority,
    _home: TempDir,
}

impl GuardedProcess {
    fn start() -> Self {
        let home = tempfile::tempdir().unwrap();
        let authority = Authority::new("test authority");
        let [certificate, key] = authority.sign(&["localhost"]).write(home.path());
        let ca = home.path().join("ca.pem");
        std::fs::write(&ca, &authority.pem).unwrap();
        let environment = [
            ("PAIGOW__TLS__CERTIFICATE_FILE", certificate.as_path()),
            ("PAIGOW__TLS__KEY_FILE", &key),
            ("PAIGOW__TLS__CLIENT_CA_FILE", &ca),
            ("PAIGOW__TLS__CLIENT_CERTIFICATES", Path::new("optional")),
            ("PAIGOW__ACCESS__FILE", &write_access(home.path(), ACCESS)),
        ];
        let server = Logged::start(home.path(), &environment);
        Self { server, authority, _home: home }
    }

    /// Connects with a certificate of these names.
    async fn named(&self, names: &[&str]) -> PaiGowServiceClient<Channel> {
        let own = self.authority.sign(names);
        let endpoint = Channel::from_shared(format!("https://{}", self.server.address)).unwrap();
        let endpoint = endpoint.tls_config(self.authority.trusted(Some(&own))).unwrap();
        PaiGowServiceClient::new(endpoint.connect().await.unwrap())
    }
}

const ASK: pb::GetEngineRequest = pb::GetEngineRequest {};

async fn refused(
    client: &mut PaiGowServiceClient<Channel>,
    request: Request<pb::GetEngineRequest>,
    sentence: &str,
) {
    match client.get_engine(request).await {
        Ok(answer) => panic!("answered as tenant {}", answer.into_inner().tenant),
        Err(status) => {
            assert_is(&status, Code::Unauthenticated, "CREDENTIALS");
            assert_eq!(status.message(), sentence);
        }
    }
}

#[tokio::test]
async fn a_token_beside_the_certificate_of_another_client_is_refused() {
    let guarded = GuardedProcess::start();
    // The token is of the same tenant as the first certificate, and of another than the second.
    for name in ["tables.dev.example", "tables.locked.example"] {
        let mut client = guarded.named(&[name]).await;
        let sentence = "the certificate names one client and the bearer token another: send one \
                        of the two";
        refused(&mut client, with_token(ASK, TOKEN), sentence).await;
        client.get_engine(ASK).await.unwrap();
    }
}

#[tokio::test]
async fn an_unknown_token_beside_a_known_certificate_is_refused() {
    let guarded = GuardedProcess::start();
    let mut client = guarded.named(&["tables.dev.example"]).await;
    let sentence = "the certificate names a client, and the bearer token beside it is not known \
                    here: send the certificate alone";
    refused(&mut client, with_token(ASK, "a guess"), sentence).await;
    client.get_engine(ASK).await.unwrap();
}

#[tokio::test]
async fn a_certificate_with_names_of_two_clients_is_refused() {
    let guarded = GuardedProcess::start();
    let mut client = guarded.named(&["tables.dev.example", "tables.locked.example"]).await;
    let sentence = "the certificate has names of different clients: it must name one client";
    refused(&mut client, Request::new(ASK), sentence).await;
    refused(&mut client, with_token(ASK, TOKEN), sentence).await;
}

#[tokio::test]
async fn a_name_that_no_client_has_decides_nothing() {
    let guarded = GuardedProcess::start();
    let mut client = guarded.named(&["pod-7.example", "tables.locked.example"]).await;
    assert_eq!(client.get_engine(ASK).await.unwrap().into_inner().tenant, "dev-locked");
    let mut client = guarded.named(&["pod-7.example"]).await;
    let engine = client.get_engine(with_token(ASK, TOKEN)).await.unwrap();
    assert_eq!(engine.into_inner().tenant, "dev");
}
