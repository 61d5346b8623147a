//! `SetHouseWay`.

use super::fields::read;
use paigow_proto::v1 as pb;
use paigow_proto::v1::set_house_way_request::By;
use paigow_round::{HandSetter, MAX_HANDS, Reason, Refusal, SetHouseWay};
use paigow_rules::cards::DECK_LEN;

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn set_house_way(request: &pb::SetHouseWayRequest) -> Result<SetHouseWay, Refusal> {
    read(|fields, at| {
        let most = (MAX_HANDS, Reason::BatchLimit);
        let hands = fields.list(at.then("hands"), &request.hands, most, |fields, at, hand| {
            fields.cards(at.then("cards"), &hand.cards, (DECK_LEN, Reason::Hand))
        });
        let by = match &request.by {
            Some(By::HouseWay(name)) => {
                fields.text(at.then("house_way"), name).map(HandSetter::HouseWay)
            }
            Some(By::Ruleset(name)) => {
                fields.text(at.then("ruleset"), name).map(HandSetter::Ruleset)
            }
            None => {
                let message = "one of house_way and ruleset is required";
                Err(fields.refuse(Reason::FieldMissing, at.then("by"), message))
            }
        };
        Ok(SetHouseWay { hands: hands?, by: by? })
    })
}
