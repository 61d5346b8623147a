//! The public log of records: entries, checkpoints and inclusion proofs (PGE-FAIR-1, section 6.6).
//!
//! The log is a tree as of RFC 9162 in the form of C2SP `tlog-tiles`. Its checkpoints are those of C2SP
//! `tlog-checkpoint`, and witnesses sign them as C2SP `tlog-cosignature` says.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::encoding::{Hash, enc, hex_bytes};
use crate::json::{Json, ValueWriter, WriteJson};
use crate::merkle::{MAX_PATH, leaf_hash, root_of_path};
use crate::payload::{Members, PayloadError};
use crate::record::{RecordEnvelope, RecordKind};
use crate::signature::PublicKey;

/// The longest entry of a log, in bytes: a bundle of entries writes its length in 16 bits.
pub const MAX_ENTRY: usize = 65_535;

/// How many cosignatures a checkpoint in a proof or a copy may have.
pub const MAX_COSIGNATURES: usize = 16;

/// Returns the entry of a record in the log: the signed bytes of the record (its PAE). If they are
/// longer than [`MAX_ENTRY`], it is `enc("pge/v1/log-entry", record_hash)`.
#[must_use]
pub fn log_entry(envelope: &RecordEnvelope) -> Cow<'_, [u8]> {
    let signed = envelope.to_sign();
    if signed.len() <= MAX_ENTRY {
        Cow::Borrowed(signed)
    } else {
        Cow::Owned(long_log_entry(&envelope.hash()))
    }
}

/// Returns the entry of a record whose PAE is longer than [`MAX_ENTRY`], by the hash of the record.
#[must_use]
pub fn long_log_entry(record: &Hash) -> Vec<u8> {
    enc("pge/v1/log-entry", &[record.as_bytes()])
}

/// Returns the record of an entry, without signatures, or [`None`] if the entry is not the PAE of a record
/// with a canonical payload.
#[must_use]
pub fn record_of_entry(entry: &[u8]) -> Option<RecordEnvelope> {
    let rest = entry.strip_prefix(b"DSSEv1 ")?;
    let mut parts = rest.splitn(2, |byte| *byte == b' ');
    let len: usize = std::str::from_utf8(parts.next()?).ok()?.parse().ok()?;
    let rest = parts.next()?;
    let kind = std::str::from_utf8(rest.get(..len)?).ok()?;
    let kind = RecordKind::ALL.into_iter().find(|one| one.payload_type() == kind)?;
    let rest = rest.get(len + 1..)?;
    let (_, payload) = rest.split_at(rest.iter().position(|byte| *byte == b' ')? + 1);
    let json = Json::parse_canonical(payload).ok()?;
    let record = RecordEnvelope::unsigned(kind, &json);
    // The lengths, too, are those that were signed.
    (record.to_sign() == entry).then_some(record)
}

/// Returns the hash of a record's leaf in the log: `SHA-256(00 || entry)`.
#[must_use]
pub fn log_leaf(envelope: &RecordEnvelope) -> Hash {
    leaf_hash(&log_entry(envelope))
}

/// The name of a log, the first line of its checkpoints: 1 to 128 characters of `A-Za-z0-9._:/-`.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct LogOrigin(String);

/// A text that is not the name of a log.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not 1 to 128 characters of A-Za-z0-9._:/-")]
pub struct ParseLogOriginError;

impl FromStr for LogOrigin {
    type Err = ParseLogOriginError;

    fn from_str(text: &str) -> Result<Self, ParseLogOriginError> {
        let is_one = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/-".contains(&byte);
        if (1..=128).contains(&text.len()) && text.bytes().all(is_one) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseLogOriginError)
        }
    }
}

impl LogOrigin {
    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for LogOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The log that a manifest lists: the operator publishes its records there, and in no other.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PublicLog {
    /// Its name.
    pub origin: LogOrigin,
    /// The key that signs its checkpoints.
    pub key: PublicKey,
}

impl PublicLog {
    pub(crate) fn to_json(&self) -> Json<'static> {
        Json::obj([("origin", Json::str(&self.origin)), ("pk", Json::str(self.key))])
    }

    pub(crate) fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        Ok(Self { origin: members.parsed("origin")?, key: members.key("pk")? })
    }
}

/// Returns the text of a checkpoint, which the log signs: origin, size and root, a line each.
///
/// # Examples
///
/// ```
/// use paigow_fairness::encoding::Hash;
/// use paigow_fairness::log_proof::{checkpoint_text, cosigned_bytes};
///
/// let text = checkpoint_text(&"log.example/paigow".parse()?, 1, &Hash::ZERO);
/// assert_eq!(text, "log.example/paigow\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n");
/// let signed = cosigned_bytes(1_790_000_000, &text);
/// assert!(signed.starts_with(b"cosignature/v1\ntime 1790000000\nlog.example/paigow\n"));
/// # Ok::<(), paigow_fairness::log_proof::ParseLogOriginError>(())
/// ```
#[must_use]
pub fn checkpoint_text(origin: &LogOrigin, size: u64, root: &Hash) -> String {
    format!("{origin}\n{size}\n{}\n", STANDARD.encode(root.as_bytes()))
}

/// Returns the bytes that a witness signs at a time, in Unix seconds, for the text of a checkpoint.
#[must_use]
pub fn cosigned_bytes(time: u64, text: &str) -> Vec<u8> {
    format!("cosignature/v1\ntime {time}\n{text}").into_bytes()
}

/// The signature of a witness for a checkpoint, with the time of its clock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Cosignature {
    /// The key of the witness.
    pub key: PublicKey,
    /// The signature over [`cosigned_bytes`].
    pub sig: [u8; 64],
    /// When the witness signed, in Unix seconds.
    pub time: u64,
}

/// A checkpoint of a log: how many entries it has, and the hash of their tree; with signatures.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogCheckpoint {
    /// The witnesses' signatures, each of another key.
    pub cosignatures: Vec<Cosignature>,
    /// The name of the log.
    pub origin: LogOrigin,
    /// The hash of the tree.
    pub root: Hash,
    /// The log's signature.
    pub sig: [u8; 64],
    /// How many leaves the tree has, at least 1.
    pub size: u64,
}

/// The checkpoint as the first line of a [`LogCopy`](crate::log_copy::LogCopy) has it.
impl WriteJson for LogCheckpoint {
    fn write_json(&self, out: ValueWriter<'_>) {
        out.obj(|o| {
            self.write_cosignatures(o.member("cosignatures"));
            o.member("origin").str(self.origin.as_str());
            o.member("root").hash(&self.root);
            o.member("sig").hex(&self.sig);
            o.member("size").decimal(self.size);
        });
    }
}

impl LogCheckpoint {
    fn write_cosignatures(&self, out: ValueWriter<'_>) {
        out.arr(&self.cosignatures, |one, out| {
            out.obj(|o| {
                o.member("pk").hex(&one.key.to_bytes());
                o.member("sig").hex(&one.sig);
                o.member("time").decimal(one.time);
            });
        });
    }

    /// Reads the members of a checkpoint.
    ///
    /// # Errors
    ///
    /// If one of them is missing or malformed.
    pub(crate) fn take(members: &mut Members) -> Result<Self, PayloadError> {
        fn signature(members: &mut Members, key: &str) -> Result<[u8; 64], PayloadError> {
            hex_bytes(&members.text(key)?)
                .map_err(|_| members.blame(key, "not 64 bytes in hexadecimal"))
        }
        let checkpoint = Self {
            cosignatures: members.objects("cosignatures", |m| {
                Ok(Cosignature {
                    key: m.key("pk")?,
                    sig: signature(m, "sig")?,
                    time: m.decimal("time")?,
                })
            })?,
            origin: members.parsed("origin")?,
            root: members.hash("root")?,
            sig: signature(members, "sig")?,
            size: members.decimal("size")?,
        };
        let witnesses = &checkpoint.cosignatures;
        let keys: BTreeSet<&PublicKey> = witnesses.iter().map(|one| &one.key).collect();
        if witnesses.len() > MAX_COSIGNATURES || keys.len() < witnesses.len() {
            return Err(members.blame("cosignatures", "at most 16, each of another key"));
        }
        if checkpoint.size == 0 {
            return Err(members.blame("size", "a log with a record has a size of at least 1"));
        }
        Ok(checkpoint)
    }

    /// Returns the text that the log signs.
    #[must_use]
    pub fn text(&self) -> String {
        checkpoint_text(&self.origin, self.size, &self.root)
    }

    /// Whether the log's signature is that of `log`.
    #[must_use]
    pub fn is_of(&self, log: &PublicLog) -> bool {
        self.origin == log.origin && log.key.verifies(self.text().as_bytes(), &self.sig)
    }
}

/// The payload of a log-proof record: one record is in the log, by a path to a signed checkpoint.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogProof {
    /// The checkpoint.
    pub checkpoint: LogCheckpoint,
    /// The place of the leaf in the tree, from 0.
    pub index: u64,
    /// The hashes of the subtrees on the way to the root, the lowest first.
    pub path: Vec<Hash>,
    /// The hash of the record.
    pub record: Hash,
}

/// The payload as it is written.
impl WriteJson for LogProof {
    fn write_json(&self, out: ValueWriter<'_>) {
        let checkpoint = &self.checkpoint;
        out.obj(|o| {
            checkpoint.write_cosignatures(o.member("cosignatures"));
            o.member("index").decimal(self.index);
            o.member("origin").str(checkpoint.origin.as_str());
            o.member("path").arr(&self.path, |hash, out| out.hash(hash));
            o.member("record").hash(&self.record);
            o.member("root").hash(&checkpoint.root);
            o.member("sig").hex(&checkpoint.sig);
            o.member("size").decimal(checkpoint.size);
        });
    }
}

impl LogProof {
    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        let proof = Self {
            checkpoint: LogCheckpoint::take(&mut members)?,
            index: members.decimal("index")?,
            path: members.list("path", |item| match item {
                Json::Str(text) => text.parse().map_err(|_| "not a hash"),
                Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a hash"),
            })?,
            record: members.hash("record")?,
        };
        if proof.path.len() > MAX_PATH {
            return Err(members.blame("path", "more than 63 hashes"));
        }
        members.finish()?;
        Ok(proof)
    }

    /// Whether the path leads from the leaf to the root of the checkpoint.
    #[must_use]
    pub fn leads_to_root(&self, leaf: Hash) -> bool {
        let LogCheckpoint { root, size, .. } = self.checkpoint;
        root_of_path(leaf, self.index, size, &self.path) == Some(root)
    }
}

impl Cosignature {
    /// Whether the signature is for the text of a checkpoint.
    #[must_use]
    pub fn verifies(&self, checkpoint: &str) -> bool {
        self.key.verifies(&cosigned_bytes(self.time, checkpoint), &self.sig)
    }
}
