//! `DECK_MISMATCH`: a record with a good signature that this replica does not reproduce. Its facts
//! distinguish a fault of the engine or the machine from a record that someone else has signed.

use paigow_fairness::encoding::Hash;
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::record::RecordEnvelope;
use paigow_round::record::DealRecord;
use paigow_round::refusal::{Reason, Refusal};
use paigow_round::round::Round;

/// Returns the refusal of a deal. `again` is the payload that this replica computes the second
/// time.
pub(super) fn of_deal(
    round: &Round<'_>,
    signed: &RecordEnvelope,
    computed: &DealRecord,
    again: Option<Vec<u8>>,
) -> Refusal {
    let message = "the deal recomputed is not the deal that was signed";
    let refusal = of_record(round, message, "deal", signed)
        .with_alarm("computed_deck_commit", computed.deck_commit)
        .with_alarm("computed_twice", twice(again == Some(computed.to_bytes())));
    let recorded = signed.json().ok().and_then(|payload| DealRecord::parse(payload).ok());
    let Some(recorded) = recorded else { return refusal.with_alarm("differs", "form") };
    let differs: Vec<&str> = [
        ("dealer", recorded.dealer != computed.dealer),
        ("deck_commit", recorded.deck_commit != computed.deck_commit),
        ("dice", recorded.dice != computed.dice),
        ("fees", recorded.fees != computed.fees),
        ("lines", recorded.lines != computed.lines),
        ("prev", recorded.prev != computed.prev),
        ("round_id", recorded.round_id != computed.round_id),
        ("ticket", recorded.ticket != computed.ticket),
        ("visible", recorded.visible != computed.visible),
    ]
    .into_iter()
    .filter_map(|(member, differs)| differs.then_some(member))
    .collect();
    refusal
        .with_alarm("recorded_deck_commit", recorded.deck_commit)
        .with_alarm("differs", differs.join(","))
}

/// Returns the refusal of a ticket whose commitment is not that of its seed. `computed` are the two
/// commitments that this replica computes, one after the other.
pub(super) fn of_commitment(round: &Round<'_>, computed: [Hash; 2]) -> Refusal {
    of_ticket(round)
        .with_alarm("computed_commit", computed[0])
        .with_alarm("computed_twice", twice(computed[0] == computed[1]))
}

/// Returns the refusal of a ticket whose sealed seed cannot be opened.
pub(super) fn of_seal(round: &Round<'_>, token_key: Option<[u8; 8]>) -> Refusal {
    let token_key = token_key.map_or_else(|| "none".to_owned(), hex::encode);
    of_ticket(round).with_alarm("token_key", token_key)
}

fn of_ticket(round: &Round<'_>) -> Refusal {
    let message = "the seed does not open the commitment";
    of_record(round, message, "ticket", &round.ticket_envelope)
        .with_alarm("recorded_commit", round.ticket.commit)
}

/// Returns the refusal of a record, with the facts of the record and of its round.
fn of_record(
    round: &Round<'_>,
    message: &str,
    kind: &'static str,
    record: &RecordEnvelope,
) -> Refusal {
    // The key id beside a signature is not signed. The key that verifies the signature counts.
    let listed = round.manifest().receipt_public_keys().into_iter();
    let signers = listed.filter(|key| record.any_verifies([key]));
    let signers: Vec<String> = signers.map(|key| key.kid()).collect();
    Refusal::of(Reason::DeckMismatch, message)
        .with_alarm("record", kind)
        .with_alarm("record_hash", record.hash())
        .with_alarm("signed_by", signers.join(","))
        .with_alarm("round_id", round.ticket.round_id)
        .with_alarm("epoch", round.ticket.coordinates.epoch)
        .with_alarm("suite", round.ticket.suite.name())
        .with_alarm("ruleset", round.ticket.ruleset)
        .with_alarm("manifest", round.ticket.manifest)
}

/// Returns the word for whether a replica computed the same twice.
const fn twice(is_same: bool) -> &'static str {
    if is_same { "same" } else { "different" }
}
