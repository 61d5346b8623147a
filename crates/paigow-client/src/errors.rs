//! The errors of the client.

use std::collections::BTreeMap;
use std::time::Duration;

use paigow_proto::v1::{Record, WagerSheet};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// The domain of the reasons of the engine.
const DOMAIN: &str = "paigow.v1";

/// A call that the engine refuses.
///
/// Another call with the same request is refused again, unless the reason says that something
/// outside the request has to change.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RefusedCall {
    /// The status.
    pub code: Code,
    /// The machine-readable reason, `ErrorInfo.reason`; empty where the answer has none.
    pub reason: String,
    /// The sentence of the engine.
    pub message: String,
    /// The faulty fields of the request: path and description.
    pub fields: Vec<(String, String)>,
    /// The values of the reason.
    pub metadata: BTreeMap<String, String>,
    /// How long to wait, where the engine says so.
    pub retry_after: Option<Duration>,
}

impl std::fmt::Display for RefusedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}: {}", self.code, self.reason, self.message)?;
        for (path, description) in &self.fields {
            write!(f, "\n  {path}: {description}")?;
        }
        Ok(())
    }
}

impl RefusedCall {
    pub(crate) fn of(status: &Status) -> Self {
        let details = status.get_error_details();
        let info = details.error_info().filter(|info| info.domain == DOMAIN);
        Self {
            code: status.code(),
            reason: info.map(|info| info.reason.clone()).unwrap_or_default(),
            message: status.message().to_owned(),
            fields: details
                .bad_request()
                .iter()
                .flat_map(|bad| &bad.field_violations)
                .map(|violation| (violation.field.clone(), violation.description.clone()))
                .collect(),
            metadata: info
                .map(|info| info.metadata.clone().into_iter().collect())
                .unwrap_or_default(),
            retry_after: details.retry_info().and_then(|retry| retry.retry_delay),
        }
    }
}

/// An error of the client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The engine refuses a call.
    #[error("{0}")]
    Refused(Box<RefusedCall>),
    /// No replica has answered in time. The call may have been carried out: repeat the step.
    #[error("no answer: {0}")]
    NoAnswer(String),
    /// The settings of the connection or of the table are wrong.
    #[error("{0}")]
    Settings(String),
    /// The round is not at this step.
    #[error("{0}")]
    WrongStep(String),
    /// The key of the seat has not made this signature.
    #[error("the key of seat {seat} has not made this signature")]
    BadSignature {
        /// The seat.
        seat: i32,
    },
    /// A settlement is not what ticket, locks and cards make of it. Do not pay it, and keep the records.
    #[error("{message}")]
    NotVerified {
        /// The check, and what it found.
        message: String,
        /// The records of the round, with the settlement.
        records: Vec<Record>,
    },
    /// The bytes to sign are not the record that was asked for. Nothing was signed.
    #[error("{0}")]
    NotTheRecord(String),
    /// The ledger has locked this step of the round already, with other content, or a step that excludes it. The message
    /// says what to do. Other wagers: call [`Round::deal`](crate::Round::deal) without a sheet.
    #[error("{message}")]
    SignedOtherwise {
        /// The lock, in words.
        message: String,
        /// The wagers that are locked, if they are what excludes the step.
        locked: Option<Box<WagerSheet>>,
    },
    /// The database of the ledger, or its mark, cannot be used. Nothing was signed.
    #[error("the ledger's database: {0}")]
    LedgerUnavailable(String),
    /// The database is older than the ledger's mark: it was restored, and may lack locks. See
    /// `LedgerStore::accept_restored_sqlite` and `LedgerStore::accept_restored_postgres`.
    #[error("{0}")]
    Restored(String),
    /// The ledger does not sign.
    #[error("{0}")]
    Ledger(String),
    /// The source has no signature of the beacon's round yet, or a wrong one. The wagers are locked: call
    /// [`Round::deal`](crate::Round::deal) again, or void the round.
    #[error("no signature of the beacon's round {round}: {message}")]
    BeaconUnavailable {
        /// The round of the beacon.
        round: i64,
        /// The failure of the source.
        message: String,
    },
    /// The beacon has published its round, and no wagers are locked: the ledger signs none any more. Void the round.
    #[error("the beacon has published its round {round}, and no wagers are locked: void the round")]
    TooLate {
        /// The round of the beacon.
        round: i64,
    },
    /// A file cannot be read, or is not the one that is needed.
    #[error("{0}")]
    File(String),
    /// The engine's answer lacks what its contract promises.
    #[error("the answer of the engine is not that of its contract: {0}")]
    Contract(&'static str),
}
