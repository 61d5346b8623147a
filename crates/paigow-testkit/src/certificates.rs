//! An authority of a test's own, and certificates that it signs.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    SanType, date_time_ymd,
};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// Signs certificates.
pub struct Authority {
    /// Its own certificate, PEM.
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its key, both PEM.
#[derive(Clone, Debug)]
pub struct Signed {
    pub certificate: String,
    pub key: String,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    /// Signs a certificate with these names, URIs among them, valid from the first of January of one
    /// year until that of another.
    pub fn sign_between(&self, names: &[&str], [from, until]: [i32; 2]) -> Signed {
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.subject_alt_names = names
            .iter()
            .map(|name| match (name.contains("://"), name.parse()) {
                (true, _) => SanType::URI((*name).try_into().unwrap()),
                (false, Ok(address)) => SanType::IpAddress(address),
                (false, Err(_)) => SanType::DnsName((*name).try_into().unwrap()),
            })
            .collect();
        params.not_before = date_time_ymd(from, 1, 1);
        params.not_after = date_time_ymd(until, 1, 1);
        let usages = [ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        params.extended_key_usages = usages.to_vec();
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().pem();
        Signed { certificate, key: key.serialize_pem() }
    }

    /// Signs a certificate that is valid until the first of January of a year.
    pub fn sign_until(&self, names: &[&str], year: i32) -> Signed {
        self.sign_between(names, [2020, year])
    }

    /// Signs a certificate that stays valid while this test is in use.
    pub fn sign(&self, names: &[&str]) -> Signed {
        self.sign_until(names, 2099)
    }

    /// Returns the TLS settings of a client that trusts this authority, with or without a certificate
    /// of its own.
    pub fn trusted(&self, own: Option<&Signed>) -> ClientTlsConfig {
        let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(&self.pem));
        let tls = tls.domain_name("localhost");
        match own {
            Some(own) => tls.identity(Identity::from_pem(&own.certificate, &own.key)),
            None => tls,
        }
    }
}

impl Signed {
    /// Writes certificate and key into a folder, as `server.pem` and `server.key`.
    pub fn write(&self, folder: &Path) -> [PathBuf; 2] {
        let paths = [folder.join("server.pem"), folder.join("server.key")];
        std::fs::write(&paths[0], &self.certificate).unwrap();
        // A new secret file must be readable by its owner alone from the first byte on.
        drop(std::fs::remove_file(&paths[1]));
        let mut key = std::fs::OpenOptions::new();
        let mut key = key.write(true).create_new(true).mode(0o600).open(&paths[1]).unwrap();
        key.write_all(self.key.as_bytes()).unwrap();
        paths
    }
}
