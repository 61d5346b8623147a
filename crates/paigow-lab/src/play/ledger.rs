//! A ledger for tables whose policy demands one.
//!
//! A platform's ledger keeps a database, reads what it signs, and signs one lock a phase of a
//! round, ever. This one has no memory: it is for trying a deployment out.

use paigow_engine::SecretKey;
use paigow_fairness::signature::Signer as _;
use paigow_proto::v1 as pb;

/// Signs a lock that the engine has prepared.
pub(crate) fn signed(key: &SecretKey, prepared: pb::UnsignedRecord) -> pb::Record {
    let signature = pb::Signature {
        public_key: key.public().to_string(),
        signature: key.sign(&prepared.to_sign).to_vec(),
    };
    let record = prepared.record.unwrap_or_default();
    pb::Record { signatures: vec![signature], ..record }
}
