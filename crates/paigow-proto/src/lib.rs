//! The messages of the gRPC contract, as the build script generates them from `proto/`.
//!
//! The contract marks each field that may hold a card, a seed, a record, a wager or an amount
//! with `debug_redact`. The generated `Debug` of its message prints:
//!
//! | field | printed |
//! |---|---|
//! | without the mark | its value |
//! | marked, repeated | its number of elements |
//! | marked, singular | nothing |
//! | a marked member of a `oneof` | the name of the member, then `(..)` |

/// The messages of `paigow.v1`.
#[expect(
    clippy::large_enum_variant,
    clippy::must_use_candidate,
    reason = "generated code, documented in the contract"
)]
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/paigow.v1.rs"));
    include!(concat!(env!("OUT_DIR"), "/debug.rs"));
    include!(concat!(env!("OUT_DIR"), "/metadata.rs"));
}

/// The compiled contract, in the form that the reflection service uses.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/paigow_v1.bin"));

impl From<v1::AuditStreamRequest> for v1::AuditRequest {
    fn from(request: v1::AuditStreamRequest) -> Self {
        use v1::audit_request::Subject as Unary;
        use v1::audit_stream_request::Subject as Streamed;
        let subject = request.subject.map(|subject| match subject {
            Streamed::Transcript(text) => Unary::Transcript(text),
            Streamed::Replay(replay) => Unary::Replay(replay),
        });
        Self {
            label: request.label,
            subject,
            root_keys: request.root_keys,
            threshold: request.threshold,
            witness_keys: request.witness_keys,
            first_manifest: request.first_manifest,
            after: request.after,
            as_of: request.as_of,
            my_seat: request.my_seat,
            my_seat_key: request.my_seat_key,
            beacon_chains: request.beacon_chains,
        }
    }
}

impl From<v1::AuditResponse> for v1::AuditStreamResponse {
    fn from(answer: v1::AuditResponse) -> Self {
        Self {
            label: answer.label,
            verdict: answer.verdict,
            code: answer.code,
            checks: answer.checks,
            rounds: answer.rounds,
            root_keys: answer.root_keys,
            threshold: answer.threshold,
            because: answer.because,
            claims: answer.claims,
            witness_keys: answer.witness_keys,
            beacon_chains: answer.beacon_chains,
        }
    }
}

#[cfg(test)]
mod tests;
