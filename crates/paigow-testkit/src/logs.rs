//! A public log to test with: a tree over records, its checkpoint, and proofs from it.

use crate::casino::{key, witness_key};
use paigow_engine::SecretKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::log_copy::{CopiedEntry, LogCopy};
use paigow_fairness::log_proof::{
    Cosignature, LogCheckpoint, LogProof, PublicLog, cosigned_bytes, log_leaf,
};
use paigow_fairness::merkle::{MerkleTree, tree_hash};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::signature::Signer as _;

/// The key of the log.
pub fn log_key() -> SecretKey {
    key(6)
}

/// The log as a manifest lists it.
pub fn public_log() -> PublicLog {
    PublicLog { origin: "log.example/test".parse().unwrap(), key: log_key().public() }
}

/// Returns the proofs of records from a log that has them, in this order. The witness of the casino
/// signs the checkpoint at `time`.
pub fn log_proofs(records: &[RecordEnvelope], time: u64) -> Vec<LogProof> {
    let leaves: Vec<_> = records.iter().map(log_leaf).collect();
    let (root, tree) = (tree_hash(&leaves).unwrap(), MerkleTree::new(leaves));
    let proof = |(index, record): (usize, &RecordEnvelope)| {
        let mut checkpoint = checkpoint_of(root, records.len());
        sign_checkpoint(&mut checkpoint, &witness_key(), time);
        let (path, record) = (tree.path(index).unwrap(), record.hash());
        LogProof { checkpoint, index: u64::try_from(index).unwrap(), path, record }
    };
    records.iter().enumerate().map(proof).collect()
}

/// Returns a copy of a log that has the records, in this order. The witness of the casino signs its
/// checkpoint at `time`.
pub fn log_copy(records: &[RecordEnvelope], time: u64) -> LogCopy {
    let leaves: Vec<_> = records.iter().map(log_leaf).collect();
    let mut checkpoint = checkpoint_of(tree_hash(&leaves).unwrap(), records.len());
    sign_checkpoint(&mut checkpoint, &witness_key(), time);
    let unsigned =
        |record: &RecordEnvelope| RecordEnvelope::unsigned(record.kind(), &record.json().unwrap());
    let entries = records.iter().map(|record| CopiedEntry::Record(Box::new(unsigned(record))));
    LogCopy::new(checkpoint, entries.collect()).unwrap()
}

fn checkpoint_of(root: Hash, size: usize) -> LogCheckpoint {
    let (cosignatures, origin) = (Vec::new(), public_log().origin);
    LogCheckpoint { cosignatures, origin, root, sig: [0; 64], size: u64::try_from(size).unwrap() }
}

/// Signs a checkpoint with the key of the log, and with that of a witness.
pub fn sign_checkpoint(checkpoint: &mut LogCheckpoint, witness: &SecretKey, time: u64) {
    let text = checkpoint.text();
    checkpoint.sig = log_key().sign(text.as_bytes());
    let sig = witness.sign(&cosigned_bytes(time, &text));
    checkpoint.cosignatures = vec![Cosignature { key: witness.public(), sig, time }];
}

/// Returns proofs as lines of a transcript.
pub fn proof_records(proofs: &[LogProof]) -> Vec<RecordEnvelope> {
    let record = |proof| RecordEnvelope::unsigned(RecordKind::LogProof, proof);
    proofs.iter().map(record).collect()
}
