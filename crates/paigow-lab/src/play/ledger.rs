//! A ledger for tables whose policy demands one.
//!
//! A platform's ledger has a database, reads each record before it signs it, and signs one lock for
//! each phase of a round. This ledger has no memory. Use it only to try a deployment out.

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
