//! Records: DSSE envelopes over canonical JSON (PGE-FAIR-1, section 6.2).

use super::dsse::{Dsse, PayloadType};

pub use super::dsse::{
    AttachSignatureError, EnvelopeSignature, MAX_SIGNATURES, ParseEnvelopeError,
};

/// The kind of a record. Its DSSE type is `application/vnd.pge.<kind>.v1+json`.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum RecordKind {
    /// The root's list of epochs, keys, tenants, rulesets and house ways.
    Manifest,
    /// The engine's commitment to a round.
    Ticket,
    /// The ledger's statement of decisions: wagers, final or void.
    Lock,
    /// The engine's statement of the cards dealt to players.
    Deal,
    /// A seat's decision.
    Action,
    /// The engine's close of a round.
    Settle,
    /// The publication of an epoch's secret.
    EpochReveal,
    /// The publication of the number of rounds of an epoch, and of their tree.
    EpochClose,
    /// A proof that a record is in the public log. The record has no signature: the checkpoint in
    /// it has.
    LogProof,
}

impl RecordKind {
    /// Every kind of this release.
    pub const ALL: [Self; 9] = [
        Self::Manifest,
        Self::Ticket,
        Self::Lock,
        Self::Deal,
        Self::Action,
        Self::Settle,
        Self::EpochReveal,
        Self::EpochClose,
        Self::LogProof,
    ];

    /// Returns the word of the kind: `epoch-reveal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Ticket => "ticket",
            Self::Lock => "lock",
            Self::Deal => "deal",
            Self::Action => "action",
            Self::Settle => "settle",
            Self::EpochReveal => "epoch-reveal",
            Self::EpochClose => "epoch-close",
            Self::LogProof => "log-proof",
        }
    }

    /// Returns the DSSE payload type.
    #[must_use]
    pub const fn payload_type(self) -> &'static str {
        match self {
            Self::Manifest => "application/vnd.pge.manifest.v1+json",
            Self::Ticket => "application/vnd.pge.ticket.v1+json",
            Self::Lock => "application/vnd.pge.lock.v1+json",
            Self::Deal => "application/vnd.pge.deal.v1+json",
            Self::Action => "application/vnd.pge.action.v1+json",
            Self::Settle => "application/vnd.pge.settle.v1+json",
            Self::EpochReveal => "application/vnd.pge.epoch-reveal.v1+json",
            Self::EpochClose => "application/vnd.pge.epoch-close.v1+json",
            Self::LogProof => "application/vnd.pge.log-proof.v1+json",
        }
    }
}

impl PayloadType for RecordKind {
    fn payload_type(self) -> &'static str {
        Self::payload_type(self)
    }

    fn from_payload_type(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.payload_type() == text)
    }
}

/// A record of a round or of the root.
pub type RecordEnvelope = Dsse<RecordKind>;

#[cfg(test)]
mod tests;
