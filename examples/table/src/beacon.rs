//! A beacon for a demonstration: it signs as drand does, with a key of its own.
//!
//! Many parties run a real beacon, and nobody knows its values early. The holder of this one's key knows all of its values
//! at any time.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bls12_381::hash_to_curve::{ExpandMsgXmd, HashToCurve};
use bls12_381::{G1Affine, G1Projective, G2Affine, G2Projective, Scalar};
use paigow_client::{BeaconFailure, BeaconSettings};
use sha2::{Digest as _, Sha256};

/// The time of round 1, as a description of a manifest spells it.
pub(crate) const GENESIS: &str = "2025-01-01T00:00:00Z";

/// The time of round 1, in seconds since 1970.
const GENESIS_SECOND: u64 = 1_735_689_600;

/// The seconds between two rounds.
pub(crate) const PERIOD: u64 = 1;

/// The seconds from the opening of a round to its value. The engine takes 10 or more.
const LEAD: u32 = 12;

/// The name of the chain.
pub(crate) const ID: &str = "table-demonstration";

/// The domain of the hashes of this scheme in drand.
const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/// A beacon whose key lies in a file.
#[derive(Clone)]
pub(crate) struct DemonstrationBeacon {
    secret: Scalar,
}

impl std::fmt::Debug for DemonstrationBeacon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DemonstrationBeacon").finish_non_exhaustive()
    }
}

impl DemonstrationBeacon {
    /// Reads the beacon of a file; [`None`] if there is no file.
    pub(crate) fn read(file: &Path) -> std::io::Result<Option<Self>> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let read = || {
            let wide: [u8; 64] = hex::decode(text.trim()).ok()?.try_into().ok()?;
            Some(Self { secret: Scalar::from_bytes_wide(&wide) })
        };
        let sentence = || format!("{}: not the key of a beacon", file.display());
        read().ok_or_else(|| std::io::Error::other(sentence())).map(Some)
    }

    /// Reads the beacon of a file, or makes it.
    pub(crate) fn open(file: &Path) -> std::io::Result<Self> {
        if let Some(beacon) = Self::read(file)? {
            return Ok(beacon);
        }
        let mut wide = [0; 64];
        getrandom::fill(&mut wide).map_err(std::io::Error::other)?;
        let new = file.with_extension("new");
        let mut options = std::fs::File::options();
        let mut written = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        writeln!(written, "{}", hex::encode(wide))?;
        written.sync_all()?;
        std::fs::rename(&new, file)?;
        Self::read(file)?.ok_or_else(|| std::io::Error::other("the key of the beacon is gone"))
    }

    /// Returns the public key, a compressed point of G2.
    pub(crate) fn public(&self) -> [u8; 96] {
        G2Affine::from(G2Projective::generator() * self.secret).to_compressed()
    }

    /// Returns the hash of the group. This beacon has one node: its public key stands for the group.
    pub(crate) fn group(&self) -> [u8; 32] {
        Sha256::digest(self.public()).into()
    }

    /// Returns the hash of the chain, as drand computes it.
    pub(crate) fn chain(&self) -> String {
        let period = u32::try_from(PERIOD).unwrap_or(u32::MAX).to_be_bytes();
        let mut hash = Sha256::new();
        hash.update(period);
        hash.update(GENESIS_SECOND.to_be_bytes());
        hash.update(self.public());
        hash.update(self.group());
        hash.update(ID);
        hex::encode(hash.finalize())
    }

    /// Returns the settings by which a table takes this beacon's values. Each comes at its time and not before.
    pub(crate) fn settings(&self, locks: &Path) -> BeaconSettings {
        let beacon = self.clone();
        let signature = move |round| {
            let beacon = beacon.clone();
            async move { beacon.signature(round).await }
        };
        BeaconSettings::new(signature).lead(LEAD).records(locks)
    }

    async fn signature(&self, round: i64) -> Result<String, BeaconFailure> {
        let round = u64::try_from(round)?;
        let published = GENESIS_SECOND + round.saturating_sub(1) * PERIOD;
        while let Some(left) = published.checked_sub(now()).filter(|left| *left > 0) {
            tokio::time::sleep(Duration::from_secs(left)).await;
        }
        Ok(hex::encode(self.sign(round)))
    }

    /// Returns the signature of a round, in the scheme `bls-unchained-g1-rfc9380`.
    fn sign(&self, round: u64) -> [u8; 48] {
        let message = Sha256::digest(round.to_be_bytes());
        let point = <G1Projective as HashToCurve<ExpandMsgXmd<sha2_of_bls::Sha256>>>::hash_to_curve(
            message, DOMAIN,
        );
        G1Affine::from(point * self.secret).to_compressed()
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock of a demonstration beacon")]
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
