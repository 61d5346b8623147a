//! A public log to test with: a tree over records, its checkpoint, and proofs from it.

use crate::casino::{key, witness_key};
use paigow_engine::SecretKey;
use paigow_fairness::log_proof::{Cosignature, LogProof, PublicLog, cosigned_bytes, log_leaf};
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
        let mut proof = LogProof {
            cosignatures: Vec::new(),
            index: u64::try_from(index).unwrap(),
            origin: public_log().origin,
            path: tree.path(index).unwrap(),
            record: record.hash(),
            root,
            sig: [0; 64],
            size: u64::try_from(records.len()).unwrap(),
        };
        sign_proof(&mut proof, &witness_key(), time);
        proof
    };
    records.iter().enumerate().map(proof).collect()
}

/// Signs the checkpoint of a proof with the key of the log, and with that of a witness.
pub fn sign_proof(proof: &mut LogProof, witness: &SecretKey, time: u64) {
    let checkpoint = proof.checkpoint();
    proof.sig = log_key().sign(checkpoint.as_bytes());
    let sig = witness.sign(&cosigned_bytes(time, &checkpoint));
    proof.cosignatures = vec![Cosignature { key: witness.public(), sig, time }];
}

/// Returns proofs as lines of a transcript.
pub fn proof_records(proofs: &[LogProof]) -> Vec<RecordEnvelope> {
    let record = |proof| RecordEnvelope::unsigned(RecordKind::LogProof, proof);
    proofs.iter().map(record).collect()
}
