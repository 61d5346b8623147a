//! `WeighSettings`.

use super::fields::read;
use paigow_proto::v1 as pb;
use paigow_round::{Reason, Refusal, WeighSettings};
use paigow_rules::cards::DECK_LEN;

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn weigh_settings(request: &pb::WeighSettingsRequest) -> Result<WeighSettings, Refusal> {
    read(|fields, at| {
        let most = (DECK_LEN, Reason::Hand);
        let ruleset = fields.text(at.then("ruleset"), &request.ruleset);
        let cards = fields.cards(at.then("cards"), &request.cards, most);
        let dealer_cards = fields.cards(at.then("dealer_cards"), &request.dealer_cards, most);
        Ok(WeighSettings { ruleset: ruleset?, cards: cards?, dealer_cards: dealer_cards? })
    })
}
