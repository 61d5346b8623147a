//! `[tls]`: certificates.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::faults::{ConfigFaults, path};

/// Whether callers need certificates.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ClientCertificates {
    /// The server requests no certificate: callers use tokens.
    Off,
    /// The server requests one. A caller without one may use a token.
    Optional,
    /// The server refuses a connection without one.
    Required,
}

/// Settings of TLS.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TlsConfig {
    /// The server's certificate chain, PEM.
    pub certificate_file: PathBuf,
    /// The key of the certificate, PEM.
    pub key_file: PathBuf,
    /// The authorities of callers' certificates, PEM; [`None`] if the server requests no
    /// certificates.
    pub client_ca_file: Option<PathBuf>,
    /// Whether callers need certificates.
    pub client_certificates: ClientCertificates,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTls {
    certificate_file: String,
    key_file: String,
    client_ca_file: String,
    client_certificates: String,
}

impl RawTls {
    /// Returns whether no certificate is configured.
    pub(super) fn is_plaintext(&self) -> bool {
        self.certificate_file.is_empty() && self.key_file.is_empty()
    }

    /// Returns the settings of TLS, or [`None`] for plaintext.
    pub(super) fn check(&self, faults: &mut ConfigFaults) -> Option<TlsConfig> {
        let choices = [
            ("off", ClientCertificates::Off),
            ("optional", ClientCertificates::Optional),
            ("required", ClientCertificates::Required),
        ];
        let asked = faults.one_of("tls.client_certificates", &self.client_certificates, &choices);
        let [certificate, key, client_ca] =
            [&self.certificate_file, &self.key_file, &self.client_ca_file].map(|text| path(text));
        match (&certificate, &key) {
            (Some(_), None) => {
                faults.add("tls.key_file", "is needed with tls.certificate_file");
            }
            (None, Some(_)) => {
                faults.add("tls.certificate_file", "is needed with tls.key_file");
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
        if asked != ClientCertificates::Off && client_ca.is_none() {
            faults.add("tls.client_ca_file", "is needed to ask for client certificates");
        }
        if asked == ClientCertificates::Off && client_ca.is_some() {
            let what = "must be `optional` or `required` with tls.client_ca_file";
            faults.add("tls.client_certificates", what);
        }
        if asked != ClientCertificates::Off && certificate.is_none() {
            let what = "needs tls.certificate_file: a plaintext connection shows no certificate";
            faults.add("tls.client_certificates", what);
        }
        Some(TlsConfig {
            certificate_file: certificate?,
            key_file: key?,
            client_ca_file: client_ca,
            client_certificates: asked,
        })
    }
}
