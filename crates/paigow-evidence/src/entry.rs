//! The entries of the sink: the writer, the records that a call signed, and events.

use std::borrow::Cow;
use std::collections::BTreeMap;

use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::record::RecordEnvelope;

/// One run of the process.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Boot {
    /// Its id, as [`Boot::make_id`] makes it.
    pub id: String,
    /// The name of the replica.
    pub instance: String,
    /// The version of the software.
    pub version: Cow<'static, str>,
    /// SHA-256 of the executable, if it could be read.
    pub executable: Option<Hash>,
}

impl Boot {
    /// Makes the id of a boot: `<Unix seconds, 10 digits>-<16 hexadecimal digits>`. So boots sort
    /// by time, and two that start in one second differ.
    #[must_use]
    pub fn make_id(unix_seconds: u64, random: [u8; 8]) -> String {
        format!("{:010}-{}", unix_seconds.min(9_999_999_999), hex::encode(random))
    }

    /// Whether a text is the id of a boot.
    #[must_use]
    pub fn is_id(text: &str) -> bool {
        text.split_once('-').is_some_and(|(time, random)| {
            let hexadecimal = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
            time.len() == 10
                && random.len() == 16
                && time.bytes().all(|b| b.is_ascii_digit())
                && random.bytes().all(hexadecimal)
        })
    }
}

/// The records that one call has signed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RecordEntry {
    /// The method: `OpenRound`, `Deal`, `Settle`.
    pub rpc: Cow<'static, str>,
    /// The caller's tenant.
    pub tenant: Identifier,
    /// The round.
    pub round_id: Hash,
    /// The trace that the call belongs to: 32 hexadecimal digits.
    pub trace_id: Option<String>,
    /// The records of the answer that no earlier line has, in order. A void also has the lock of
    /// the wagers that the request brought, if no deal follows that lock.
    pub records: Vec<RecordEnvelope>,
    /// The hashes of the other records of the answer, without actions. An earlier line has each, of
    /// this replica or of the one that answered the previous call. A lock names its actions itself.
    pub kept: Vec<Hash>,
}

/// An event that a regulator wants to know of.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Significant {
    /// The process serves.
    Started,
    /// The process has stopped serving.
    Stopped,
    /// The process drains, because it is about to stop.
    Draining,
    /// The self-verification found everything as released.
    Verified,
    /// The self-verification has found a difference.
    VerificationFailed,
    /// Manifests came into force.
    ManifestLoaded,
    /// A new file was refused; the old one stays.
    ReloadRefused,
    /// A manifest waits for the receipt key that signs under it. The previous one stays in force.
    KeyAwaited,
    /// Tenants, clients, roles or limits have changed.
    AccessChanged,
    /// The certificate or the authority of clients has changed.
    TlsChanged,
    /// New rounds were switched off or on.
    SwitchesChanged,
    /// Another filter of the log is in force.
    LogFilterChanged,
    /// The sink could not be written to.
    EvidenceFailed,
    /// The file that the sink wrote to was deleted, replaced or cut off.
    EvidenceLost,
    /// An operator has acknowledged the loss of files.
    EvidenceLossAcknowledged,
    /// The operating system had no random numbers.
    EntropyFailed,
    /// The key store of the receipt key does not sign.
    KeyStoreFailed,
    /// The key store of the receipt key signs again.
    KeyStoreRecovered,
    /// The engine found an error of its own: money or cards that do not add up.
    InvariantBroken,
}

impl Significant {
    /// All of them.
    pub const ALL: [Self; 19] = [
        Self::Started,
        Self::Stopped,
        Self::Draining,
        Self::Verified,
        Self::VerificationFailed,
        Self::ManifestLoaded,
        Self::ReloadRefused,
        Self::KeyAwaited,
        Self::AccessChanged,
        Self::TlsChanged,
        Self::SwitchesChanged,
        Self::LogFilterChanged,
        Self::EvidenceFailed,
        Self::EvidenceLost,
        Self::EvidenceLossAcknowledged,
        Self::EntropyFailed,
        Self::KeyStoreFailed,
        Self::KeyStoreRecovered,
        Self::InvariantBroken,
    ];

    /// Returns the name in the sink and in logs: `verification_failed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Stopped => "stopped",
            Self::Draining => "draining",
            Self::Verified => "verified",
            Self::VerificationFailed => "verification_failed",
            Self::ManifestLoaded => "manifest_loaded",
            Self::ReloadRefused => "reload_refused",
            Self::KeyAwaited => "key_awaited",
            Self::AccessChanged => "access_changed",
            Self::TlsChanged => "tls_changed",
            Self::SwitchesChanged => "switches_changed",
            Self::LogFilterChanged => "log_filter_changed",
            Self::EvidenceFailed => "evidence_failed",
            Self::EvidenceLost => "evidence_lost",
            Self::EvidenceLossAcknowledged => "evidence_loss_acknowledged",
            Self::EntropyFailed => "entropy_failed",
            Self::KeyStoreFailed => "key_store_failed",
            Self::KeyStoreRecovered => "key_store_recovered",
            Self::InvariantBroken => "invariant_broken",
        }
    }
}

impl Significant {
    /// Returns whether an event of this name reports a fault.
    #[must_use]
    pub fn is_trouble(name: &str) -> bool {
        let trouble = [
            Self::VerificationFailed,
            Self::ReloadRefused,
            Self::EvidenceFailed,
            Self::EvidenceLost,
            Self::EntropyFailed,
            Self::KeyStoreFailed,
            Self::InvariantBroken,
        ];
        trouble.iter().any(|event| event.name() == name)
    }
}

/// A significant event with its facts. If something has changed, they have the values before and
/// after.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Event {
    /// The name. A reader accepts any name.
    pub event: Cow<'static, str>,
    /// The facts. They never contain a secret, since others read the sink.
    pub facts: BTreeMap<String, String>,
}

impl Event {
    /// Makes an event without facts.
    #[must_use]
    pub const fn new(event: Significant) -> Self {
        Self { event: Cow::Borrowed(event.name()), facts: BTreeMap::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.facts.insert(key.to_owned(), value.to_string());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boots_sort_by_time_and_are_told_from_other_names() {
        let earlier = Boot::make_id(999_999_999, [0xff; 8]);
        let later = Boot::make_id(1_000_000_000, [0; 8]);
        assert_eq!(earlier, "0999999999-ffffffffffffffff");
        assert!(earlier < later && Boot::is_id(&earlier) && Boot::is_id(&later));
        for other in ["", "-", "1000000000-00000000000000G0", "1000000000_0000000000000000"] {
            assert!(!Boot::is_id(other), "{other}");
        }
    }
}
