//! `GetEngine`.

use super::fields::read;
use paigow_proto::v1 as pb;
use paigow_round::{Reason, Refusal};

/// Reads the request: the sequence number after which manifests are wanted, if not all are.
///
/// # Errors
///
/// `NUMBER_RANGE` for one below 0.
pub fn get_engine(request: &pb::GetEngineRequest) -> Result<Option<u64>, Refusal> {
    read(|fields, at| {
        let after = request.manifests_after.map(u64::try_from).transpose();
        after.map_err(|_| {
            let message = "must be 0 to 9223372036854775807";
            fields.refuse(Reason::NumberRange, at.then("manifests_after"), message)
        })
    })
}
