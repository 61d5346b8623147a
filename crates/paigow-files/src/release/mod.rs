//! The release record: the binaries, their sources, and the rules and settings that they may run
//! with.
//!
//! It is a signed list of binaries with the settings of their builds, and the critical hash with
//! its inputs. It also lists rulesets, house ways, configurations, the page for players and the
//! digest of the known answers. The root signs it like a manifest. A server checks itself against
//! it ([`check`]). Anyone can do so with `paigow-lab release verify` or `sha256sum -c`.
//!
//! It is an envelope like the records of a round, but with a payload type of its own. A transcript
//! does not accept it, and a release file does not accept a record of a round.

mod build_settings;
mod check;
pub mod critical;
mod payload;

pub use build_settings::BuildSettings;
pub use check::{Check, Code, Configuration, File, Found, InUse, Recorded, Status, check};
pub use payload::{Binary, Named, Release, ReleasedPage, is_plain_path, sum_line};

use paigow_engine::SecretKey;
use paigow_fairness::dsse::{Dsse, ParseEnvelopeError, PayloadType};
use paigow_fairness::manifest::Root;
use paigow_fairness::payload::PayloadError;

/// The only type that the envelope of a release record has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReleaseType;

impl PayloadType for ReleaseType {
    fn payload_type(self) -> &'static str {
        "application/vnd.pge.release.v1+json"
    }

    fn from_payload_type(text: &str) -> Option<Self> {
        (text == Self.payload_type()).then_some(Self)
    }
}

/// A release record with its signatures.
pub type Envelope = Dsse<ReleaseType>;

/// The reason why a release record is not relied on.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ReleaseError {
    /// The file does not hold exactly one line.
    #[error("not one line with one record")]
    Lines,
    /// The line is not an envelope of a release.
    #[error("{0}")]
    Envelope(#[from] ParseEnvelopeError),
    /// The payload is not that of a release.
    #[error("not a release record: {0}")]
    Payload(#[from] PayloadError),
    /// Too few of the trusted root keys have signed.
    #[error("not signed by {threshold} of the {keys} trusted root keys")]
    Unsigned {
        /// How many have to.
        threshold: usize,
        /// How many there are.
        keys: usize,
    },
}

/// Writes a release record and signs it with each of `keys`.
#[must_use]
pub fn seal(release: &Release, keys: &[&SecretKey]) -> Envelope {
    Envelope::seal(ReleaseType, &release.to_json(), keys)
}

/// Reads a file with one release record, whatever its signatures.
///
/// # Errors
///
/// If the file is not one line with an envelope of a release.
pub fn read(file: &[u8]) -> Result<(Envelope, Release), ReleaseError> {
    let line = file.strip_suffix(b"\n").unwrap_or(file);
    if line.is_empty() || line.contains(&b'\n') {
        return Err(ReleaseError::Lines);
    }
    let envelope = Envelope::parse(line)?;
    let release = envelope.json().map_err(PayloadError::from).and_then(Release::parse)?;
    Ok((envelope, release))
}

/// Reads a file with one release record that enough keys of `root` have signed.
///
/// # Errors
///
/// As [`read`]. Also if too few have signed.
pub fn read_signed(file: &[u8], root: &Root) -> Result<Release, ReleaseError> {
    let (envelope, release) = read(file)?;
    if root.accepts(&envelope) {
        Ok(release)
    } else {
        Err(ReleaseError::Unsigned { threshold: root.threshold, keys: root.keys.len() })
    }
}

#[cfg(test)]
mod tests;
