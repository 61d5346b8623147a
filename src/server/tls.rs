//! Reads and checks certificates, and prepares them for handshakes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::RootCertStore;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use webpki::{EndEntityCert, Error, KeyUsage};

use super::host;
use paigow_config::{ClientCertificates, TlsConfig};
use paigow_files::keys::{read_regular, read_secret};
use paigow_files::utc;

/// How many bytes a file of certificates or of a key has at most: the authorities of a whole
/// operating system take a quarter of it.
pub(super) const PEM_BYTES: usize = 1 << 20;

/// The certificates and the key for handshakes.
pub(super) struct Certificates {
    pub(super) handshake: Arc<rustls::ServerConfig>,
    /// When the first certificate of the chain expires, in Unix seconds, if one states it.
    pub(super) good_until: Option<u64>,
}

/// Reads certificates and key.
///
/// # Errors
///
/// Every fault as `tls.key: what`; none quotes a file.
pub(super) fn load(config: &TlsConfig) -> Result<Arc<Certificates>, Vec<String>> {
    let mut faults = Vec::new();
    let chain = certificates("tls.certificate_file", &config.certificate_file, &mut faults);
    let out_of_date = chain.iter().filter_map(|certificate| out_of_date(certificate));
    faults.extend(out_of_date.map(|what| {
        format!("tls.certificate_file: {}: {what}", config.certificate_file.display())
    }));
    let key = private_key(&config.key_file, &mut faults);
    let verifier = client_verifier(config, &mut faults);
    let (Some(key), Some(verifier), true) = (key, verifier, faults.is_empty()) else {
        return Err(faults);
    };
    let good_until = chain.iter().filter_map(good_until).min();
    let provider = Arc::new(aws_lc_rs::default_provider());
    let made = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map(|builder| builder.with_client_cert_verifier(verifier))
        .and_then(|builder| builder.with_single_cert(chain, key));
    match made {
        Ok(mut made) => {
            made.alpn_protocols = vec![b"h2".to_vec()];
            // A resumed session would not check the client's certificate again, which may have
            // expired since.
            made.session_storage = Arc::new(NoServerSessionStorage {});
            made.send_tls13_tickets = 0;
            Ok(Arc::new(Certificates { handshake: Arc::new(made), good_until }))
        }
        Err(error) => Err(vec![format!("tls.certificate_file: {error}")]),
    }
}

fn certificates(key: &str, path: &Path, faults: &mut Vec<String>) -> Vec<CertificateDer<'static>> {
    let text = match read_regular(path, PEM_BYTES) {
        Ok(text) => text,
        Err(error) => {
            faults.push(format!("{key}: {}: {error}", path.display()));
            return Vec::new();
        }
    };
    match CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>() {
        Ok(chain) if chain.is_empty() => {
            faults.push(format!("{key}: {}: no certificate in it", path.display()));
            Vec::new()
        }
        Ok(chain) => chain,
        Err(error) => {
            faults.push(format!("{key}: {}: {}", path.display(), pem_fault(&error)));
            Vec::new()
        }
    }
}

/// Returns a fault if a certificate has expired or is not yet valid, with the time. No caller would
/// accept it.
fn out_of_date(certificate: &CertificateDer<'_>) -> Option<String> {
    let now = UnixTime::since_unix_epoch(Duration::from_secs(host::now()));
    let fault = fault_at(certificate, now)?;
    if let Error::CertExpired { not_after, .. } = fault {
        Some(format!("a certificate that expired at {}", utc::text(not_after.as_secs())))
    } else if let Error::CertNotValidYet { not_before, .. } = fault {
        let time = utc::text(not_before.as_secs());
        Some(format!("a certificate that is not valid before {time}"))
    } else if let Error::InvalidCertValidity = fault {
        Some("a certificate that ends before it begins".to_owned())
    } else {
        None
    }
}

/// Returns when a certificate expires, in Unix seconds.
fn good_until(certificate: &CertificateDer<'_>) -> Option<u64> {
    // No certificate is valid at the end of time, and the error states since when it is not.
    let end = UnixTime::since_unix_epoch(Duration::from_secs(u64::MAX));
    let Error::CertExpired { not_after, .. } = fault_at(certificate, end)? else { return None };
    Some(not_after.as_secs())
}

/// Returns what is wrong with a certificate at a time, if it can be read.
fn fault_at(certificate: &CertificateDer<'_>, time: UnixTime) -> Option<Error> {
    let certificate = EndEntityCert::try_from(certificate).ok()?;
    // The time is checked before the issuer, so no authority has to be trusted for it.
    let usage = KeyUsage::server_auth();
    certificate.verify_for_usage(&[], &[], &[], time, usage, None, None).err()
}

fn private_key(path: &Path, faults: &mut Vec<String>) -> Option<PrivateKeyDer<'static>> {
    let mut fault = |what: String| {
        faults.push(format!("tls.key_file: {}: {what}", path.display()));
    };
    let text = read_secret(path, PEM_BYTES).map_err(|error| fault(error.to_string())).ok()?;
    PrivateKeyDer::from_pem_slice(&text).map_err(|error| fault(pem_fault(&error))).ok()
}

/// Describes the fault of a PEM file without quoting the file.
fn pem_fault(error: &pem::Error) -> String {
    if let pem::Error::Io(error) = error {
        error.to_string()
    } else if matches!(error, pem::Error::NoItemsFound) {
        "it has no such item".to_owned()
    } else {
        "not well-formed PEM".to_owned()
    }
}

fn client_verifier(
    config: &TlsConfig,
    faults: &mut Vec<String>,
) -> Option<Arc<dyn ClientCertVerifier>> {
    let Some(path) = &config.client_ca_file else {
        return Some(WebPkiClientVerifier::no_client_auth());
    };
    let mut roots = RootCertStore::empty();
    for certificate in certificates("tls.client_ca_file", path, faults) {
        if let Err(error) = roots.add(certificate) {
            faults.push(format!("tls.client_ca_file: {}: {error}", path.display()));
        }
    }
    if roots.is_empty() {
        return None;
    }
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
    let builder = match config.client_certificates {
        ClientCertificates::Required => builder,
        ClientCertificates::Optional | ClientCertificates::Off => builder.allow_unauthenticated(),
    };
    builder
        .build()
        .map_err(|error| faults.push(format!("tls.client_ca_file: {}: {error}", path.display())))
        .ok()
}

/// Returns the DNS names, in lower case, and the URIs among the names of a certificate
/// that has been verified.
pub(super) fn names(certificate: &CertificateDer<'_>) -> Vec<String> {
    let Ok(certificate) = EndEntityCert::try_from(certificate) else { return Vec::new() };
    let dns = certificate.valid_dns_names().map(str::to_ascii_lowercase);
    // A URI that could be taken for a DNS name has no scheme, so it is not a URI.
    let uris = certificate.valid_uri_names().filter(|name| name.contains(':'));
    dns.chain(uris.map(str::to_owned)).collect()
}
