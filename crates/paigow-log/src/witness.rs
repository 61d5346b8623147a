//! A witness of logs (C2SP `tlog-witness`): it signs a checkpoint only if the tree goes on from the
//! one that it signed before.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use paigow_engine::SecretKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::log_proof::{PublicLog, checkpoint_text};
use serde::{Deserialize, Serialize};
use signed_note::Note;
use tlog_tiles::{Checkpoint, Hash as TileHash, check_tree};

use crate::{LogError, SignedCheckpoint, StateFile, WitnessKey};

/// The most hashes of a proof.
const MOST_HASHES: usize = 63;

/// The tree of a log that a witness signed last.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WitnessedTree {
    size: u64,
    root: Hash,
    /// The checkpoint with the signatures of the log and of the witness.
    checkpoint: String,
}

/// An answer of a witness.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WitnessAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The content type.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}

impl WitnessAnswer {
    fn text(status: u16, body: impl Into<String>) -> Self {
        Self { status, content_type: "text/plain; charset=utf-8", body: body.into() }
    }

    fn refusal(status: u16, what: &str) -> Self {
        Self::text(status, format!("{what}\n"))
    }
}

/// A witness: its key, the logs that it knows, and what it has signed of each.
#[derive(Debug)]
pub struct LogWitness {
    key: WitnessKey,
    secret: SecretKey,
    logs: Vec<PublicLog>,
    file: StateFile,
    /// By the origin of the log.
    signed: BTreeMap<String, WitnessedTree>,
}

impl LogWitness {
    /// Reads the state of a witness, or makes it if `is_new`.
    ///
    /// # Errors
    ///
    /// - Another process has the state open.
    /// - The state exists for a new witness, or does not exist for another. A witness that forgets
    ///   can be shown two trees.
    /// - Two logs have one origin.
    pub fn open(
        key: WitnessKey,
        secret: SecretKey,
        logs: Vec<PublicLog>,
        file: StateFile,
        is_new: bool,
    ) -> Result<Self, LogError> {
        let told = |what: &str| LogError::Broken(format!("{}: {what}", file.path().display()));
        for (at, log) in logs.iter().enumerate() {
            if logs[..at].iter().any(|other| other.origin == log.origin) {
                return Err(LogError::Usage(format!("--log {}: given twice", log.origin)));
            }
        }
        let signed = match (file.read()?, is_new) {
            (Some(_), true) => return Err(told("there is a state: leave out --new")),
            (None, false) => return Err(told("no state: a new witness needs --new")),
            (None, true) => {
                file.write(b"{}")?;
                BTreeMap::new()
            }
            (Some(bytes), false) => serde_json::from_slice(&bytes)
                .map_err(|error| told(&format!("not the state of a witness: {error}")))?,
        };
        Ok(Self { key, secret, logs, file, signed })
    }

    /// Returns the name and the public key.
    #[must_use]
    pub const fn key(&self) -> &WitnessKey {
        &self.key
    }

    /// Answers `GET /<hash of the origin>/checkpoint`: the checkpoint that was signed last.
    #[must_use]
    pub fn checkpoint(&self, origin_hash: &str) -> WitnessAnswer {
        let is_asked = |origin: &str| Hash::of(origin.as_bytes()).to_string() == origin_hash;
        let found = self.signed.iter().find(|(origin, _)| is_asked(origin));
        found.map_or_else(
            || WitnessAnswer::refusal(404, "no checkpoint of such a log was signed"),
            |(_, signed)| WitnessAnswer::text(200, &signed.checkpoint),
        )
    }

    /// Answers `POST /add-checkpoint` at a time, in Unix seconds. The state is durable before the
    /// answer has a signature.
    pub fn add_checkpoint(&mut self, body: &[u8], now: u64) -> WitnessAnswer {
        self.cosign(body, now).unwrap_or_else(|refusal| refusal)
    }

    fn cosign(&mut self, body: &[u8], now: u64) -> Result<WitnessAnswer, WitnessAnswer> {
        let refuse = |status, what: &str| WitnessAnswer::refusal(status, what);
        let malformed = |what: &str| refuse(400, what);
        let (old, proof, note) =
            parse_request(body).ok_or_else(|| malformed("not a request of this call"))?;
        let parsed = Note::from_bytes(note).map_err(|_| malformed("not a signed note"))?;
        let read = Checkpoint::from_bytes(parsed.text()).map_err(|_| malformed("no checkpoint"))?;
        let log = self.logs.iter().find(|log| log.origin.as_str() == read.origin());
        let log = log.ok_or_else(|| refuse(404, "not a log that this witness knows"))?;
        let (size, root) = (read.size(), Hash::from_bytes(read.hash().0));
        if checkpoint_text(&log.origin, size, &root).as_bytes() != parsed.text() {
            return Err(malformed("a checkpoint has three lines here"));
        }
        let mut checkpoint = SignedCheckpoint::parse(note, log, &[])
            .map_err(|error| refuse(403, &error.to_string()))?;
        if old > size {
            return Err(malformed("the old size is above the size of the checkpoint"));
        }
        let origin = log.origin.to_string();
        let (known, known_root) =
            self.signed.get(&origin).map_or((0, Hash::of(b"")), |tree| (tree.size, tree.root));
        if old != known {
            let content_type = "text/x.tlog.size";
            return Err(WitnessAnswer { status: 409, content_type, body: format!("{known}\n") });
        }
        let goes_on = match (known, size) {
            (_, 0) => proof.is_empty() && root == known_root,
            (0, _) => proof.is_empty(),
            (_, _) => {
                let [root, known_root] = [root, known_root].map(|hash| TileHash(*hash.as_bytes()));
                check_tree(&proof, size, root, known, known_root).is_ok()
            }
        };
        if !goes_on {
            return Err(refuse(422, "the tree does not go on from the one that was signed"));
        }
        if now == 0 {
            return Err(refuse(500, "the clock of the witness does not go"));
        }
        let cosignature = self.key.cosign(&self.secret, now, &checkpoint.text());
        let line = cosignature.to_line();
        checkpoint.cosignatures.push(cosignature);
        let tree = WitnessedTree { size, root, checkpoint: checkpoint.to_note() };
        let mut signed = self.signed.clone();
        signed.insert(origin, tree);
        let text = serde_json::to_vec(&signed).map_err(|error| refuse(500, &error.to_string()))?;
        // The file has the tree before a signature of it leaves.
        self.file.write(&text).map_err(|_| refuse(500, "the state cannot be written"))?;
        self.signed = signed;
        Ok(WitnessAnswer::text(200, line))
    }
}

/// Reads a request: the old size, the proof, and the note.
fn parse_request(body: &[u8]) -> Option<(u64, Vec<TileHash>, &[u8])> {
    let text = str::from_utf8(body).ok()?;
    let (head, note) = text.split_once("\n\n")?;
    let mut lines = head.split('\n');
    let old = lines.next()?.strip_prefix("old ")?;
    let size: u64 = old.parse().ok().filter(|size: &u64| size.to_string() == old)?;
    let hash = |line: &str| Some(TileHash(STANDARD.decode(line).ok()?.try_into().ok()?));
    let proof: Vec<TileHash> = lines.map(hash).collect::<Option<_>>()?;
    (proof.len() <= MOST_HASHES).then_some((size, proof, note.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use paigow_fairness::merkle::{leaf_hash, tree_hash};

    use super::*;

    const NOW: u64 = 1_790_000_000;

    fn key(secret: u8) -> SecretKey {
        SecretKey::from_bytes(&[secret; 32])
    }

    fn log() -> PublicLog {
        PublicLog { origin: "log.example/paigow".parse().unwrap(), key: key(1).public() }
    }

    fn open(path: &Path, is_new: bool) -> Result<LogWitness, LogError> {
        let name = WitnessKey { name: "w.example".to_owned(), key: key(2).public() };
        LogWitness::open(name, key(2), vec![log()], StateFile::open(path)?, is_new)
    }

    fn leaves(first: u8, count: u8) -> Vec<Hash> {
        (0..count).map(|n| leaf_hash(&[first, n])).collect()
    }

    /// The proof of RFC 9162, section 2.1.4.1, by its definition.
    fn subproof(old: usize, leaves: &[Hash], is_whole: bool) -> Vec<Hash> {
        if old == leaves.len() {
            return if is_whole { Vec::new() } else { tree_hash(leaves).into_iter().collect() };
        }
        let split = leaves.len().next_power_of_two() / 2;
        let (left, right) = leaves.split_at(split);
        let (mut proof, other) = if old <= split {
            (subproof(old, left, is_whole), right)
        } else {
            (subproof(old - split, right, false), left)
        };
        proof.extend(tree_hash(other));
        proof
    }

    fn request(old: u64, proof: &[Hash], signed: &SignedCheckpoint) -> Vec<u8> {
        let lines: String =
            proof.iter().map(|hash| STANDARD.encode(hash.as_bytes()) + "\n").collect();
        format!("old {old}\n{lines}\n{}", signed.to_note()).into_bytes()
    }

    fn checkpoint(leaves: &[Hash]) -> SignedCheckpoint {
        let root = tree_hash(leaves).unwrap_or(Hash::of(b""));
        SignedCheckpoint::sign(&log(), &key(1), leaves.len().try_into().unwrap(), root)
    }

    #[test]
    fn a_tree_that_goes_on_is_signed_at_every_size() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let leaves = leaves(0, 24);
        for old in 0..leaves.len() {
            for size in old.max(1)..leaves.len() {
                let mut witness = open(&path, true).unwrap();
                if old > 0 {
                    let first = request(0, &[], &checkpoint(&leaves[..old]));
                    assert_eq!(witness.add_checkpoint(&first, NOW).status, 200);
                }
                let proof =
                    if old == 0 { Vec::new() } else { subproof(old, &leaves[..size], true) };
                let next = checkpoint(&leaves[..size]);
                let body = request(old.try_into().unwrap(), &proof, &next);
                let answer = witness.add_checkpoint(&body, NOW + 1);
                assert_eq!(answer.status, 200, "{old} to {size}: {}", answer.body);
                let note = next.to_note() + &answer.body;
                let keys = [witness.key().clone()];
                let read = SignedCheckpoint::parse(note.as_bytes(), &log(), &keys).unwrap();
                let [one] = &read.cosignatures[..] else { panic!("one signature") };
                assert!(one.cosignature.verifies(&next.text()) && one.cosignature.time == NOW + 1);
                drop(witness);
                std::fs::remove_file(&path).unwrap();
            }
        }
    }

    #[test]
    fn a_fork_and_a_rollback_are_refused_also_after_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let (ours, other) = (leaves(0, 20), leaves(1, 20));
        let forked = [&ours[..9], &other[..]].concat();
        let mut witness = open(&path, true).unwrap();
        let first = request(0, &[], &checkpoint(&ours[..10]));
        assert_eq!(witness.add_checkpoint(&first, NOW).status, 200);
        drop(witness);
        let mut witness = open(&path, false).unwrap();
        let size_of = |answer: &WitnessAnswer| {
            (answer.content_type == "text/x.tlog.size").then(|| answer.body.clone())
        };
        let proof = |size: usize| subproof(10, &forked[..size], true);
        for (body, status) in [
            // Another tree of the same size, with every old size.
            (request(10, &[], &checkpoint(&forked[..10])), 422),
            (request(0, &[], &checkpoint(&forked[..10])), 409),
            (request(9, &subproof(9, &forked[..10], true), &checkpoint(&forked[..10])), 409),
            // A larger tree that does not go on.
            (request(10, &proof(15), &checkpoint(&forked[..15])), 422),
            (request(10, &[], &checkpoint(&forked[..15])), 422),
            (request(0, &[], &checkpoint(&forked[..15])), 409),
            // A smaller tree of ours.
            (request(0, &[], &checkpoint(&ours[..5])), 409),
            (request(5, &[], &checkpoint(&ours[..5])), 409),
            (request(10, &[], &checkpoint(&ours[..5])), 400),
            (request(0, &[], &checkpoint(&[])), 409),
        ] {
            let answer = witness.add_checkpoint(&body, NOW + 5);
            assert_eq!(answer.status, status, "{}", answer.body);
            assert_eq!(size_of(&answer), (status == 409).then(|| "10\n".to_owned()));
        }
        // The same again is signed again, and then goes on.
        let again = witness.add_checkpoint(&request(10, &[], &checkpoint(&ours[..10])), NOW + 6);
        assert_eq!(again.status, 200);
        let proof = subproof(10, &ours, true);
        let on = witness.add_checkpoint(&request(10, &proof, &checkpoint(&ours)), NOW + 7);
        assert_eq!(on.status, 200);
        let kept = witness.checkpoint(&Hash::of(b"log.example/paigow").to_string());
        assert_eq!((kept.status, kept.body), (200, checkpoint(&ours).to_note() + &on.body));
        assert_eq!(witness.checkpoint(&Hash::of(b"other").to_string()).status, 404);
    }

    #[test]
    fn a_signature_leaves_only_when_the_state_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("sub");
        std::fs::create_dir(&folder).unwrap();
        let path = folder.join("state");
        let mut witness = open(&path, true).unwrap();
        let (ours, other) = (leaves(0, 4), leaves(1, 4));
        std::fs::remove_dir_all(&folder).unwrap();
        let answer = witness.add_checkpoint(&request(0, &[], &checkpoint(&ours)), NOW);
        assert_eq!(answer.status, 500, "{}", answer.body);
        std::fs::create_dir(&folder).unwrap();
        let answer = witness.add_checkpoint(&request(0, &[], &checkpoint(&other)), NOW);
        assert_eq!(answer.status, 200);
        drop(witness);
        let mut witness = open(&path, false).unwrap();
        let answer = witness.add_checkpoint(&request(4, &[], &checkpoint(&ours)), NOW);
        assert_eq!(answer.status, 422);
    }

    #[test]
    fn other_requests_are_refused_by_their_status() {
        let dir = tempfile::tempdir().unwrap();
        let mut witness = open(&dir.path().join("state"), true).unwrap();
        let ours = leaves(0, 4);
        let good = String::from_utf8(request(0, &[], &checkpoint(&ours))).unwrap();
        let unknown = PublicLog { origin: "log.example/other".parse().unwrap(), ..log() };
        let root = tree_hash(&ours).unwrap();
        let unknown = SignedCheckpoint::sign(&unknown, &key(1), 4, root);
        let forged = SignedCheckpoint::sign(&log(), &key(9), 4, root);
        let by_other = PublicLog { key: key(9).public(), ..log() };
        let by_other = SignedCheckpoint::sign(&by_other, &key(9), 4, root);
        let wrong_empty = SignedCheckpoint::sign(&log(), &key(1), 0, root);
        let line = STANDARD.encode(root.as_bytes()) + "\n";
        for (body, status) in [
            (String::new(), 400),
            (good.replacen("old 0", "old 00", 1), 400),
            (good.replacen("old 0", "new 0", 1), 400),
            (good.replacen("old 0\n", "old 0\nAAAA\n", 1), 400),
            (good.replacen("old 0\n", &format!("old 0\n{}", line.repeat(64)), 1), 400),
            (good.replacen("old 0\n", &format!("old 0\n{line}"), 1), 422),
            (good.replacen("\n4\n", "\n04\n", 1), 400),
            (good.replacen("\n4\n", "\n5\n", 1), 403),
            (String::from_utf8(request(0, &[], &unknown)).unwrap(), 404),
            (String::from_utf8(request(0, &[], &forged)).unwrap(), 403),
            (String::from_utf8(request(0, &[], &by_other)).unwrap(), 403),
            (String::from_utf8(request(0, &[], &wrong_empty)).unwrap(), 422),
            (good.clone(), 200),
        ] {
            let answer = witness.add_checkpoint(body.as_bytes(), NOW);
            assert_eq!(answer.status, status, "{body}: {}", answer.body);
        }
    }

    #[test]
    fn a_witness_neither_forgets_nor_begins_twice() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        assert!(open(&path, false).unwrap_err().to_string().contains("--new"));
        drop(open(&path, true).unwrap());
        assert!(open(&path, true).unwrap_err().to_string().contains("leave out --new"));
        let witness = open(&path, false).unwrap();
        assert!(open(&path, false).unwrap_err().to_string().contains("another process"));
        drop(witness);
        std::fs::write(&path, "{\"log.example/paigow\":{}}").unwrap();
        assert!(open(&path, false).unwrap_err().to_string().contains("not the state"));
    }
}
