//! `EvaluateHands`.

use super::fields::{At, Fields, Noted, read};
use paigow_proto::v1 as pb;
use paigow_round::{EvaluateHands, HandToEvaluate, MAX_HANDS, Reason, Refusal};
use paigow_rules::cards::DECK_LEN;

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn evaluate_hands(request: &pb::EvaluateHandsRequest) -> Result<EvaluateHands, Refusal> {
    read(|fields, at| {
        let ruleset = fields.text(at.then("ruleset"), &request.ruleset);
        let most = (MAX_HANDS, Reason::BatchLimit);
        let all_settings = request.all_settings;
        let hands = fields.list(at.then("hands"), &request.hands, most, |fields, at, hand| {
            read_hand(fields, at, hand, all_settings)
        });
        Ok(EvaluateHands { ruleset: ruleset?, hands: hands?, all_settings })
    })
}

fn read_hand(
    fields: &mut Fields,
    at: At<'_>,
    hand: &pb::HandToEvaluate,
    all_settings: bool,
) -> Result<HandToEvaluate, Noted> {
    let cards = fields.cards(at.then("cards"), &hand.cards, (DECK_LEN, Reason::Hand));
    let low_at = at.then("low");
    let low = match &hand.low {
        Some(low) => {
            fields.cards(low_at.then("cards"), &low.cards, (DECK_LEN, Reason::LowCards)).map(Some)
        }
        None if all_settings => Ok(None),
        None => {
            Err(fields.refuse(Reason::FieldMissing, low_at, "required unless all_settings is set"))
        }
    };
    Ok(HandToEvaluate { cards: cards?, low: low? })
}
