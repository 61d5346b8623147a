//! `SetHouseWay`.

use super::codes;
use paigow_proto::v1 as pb;
use paigow_round::HandSet;

/// Writes the settings, in the order of the hands.
pub fn settings(hands: &[HandSet]) -> pb::SetHouseWayResponse {
    pb::SetHouseWayResponse { settings: hands.iter().map(house_way_setting).collect() }
}

fn house_way_setting(set: &HandSet) -> pb::HouseWaySetting {
    pb::HouseWaySetting {
        low: codes(&set.low),
        high: codes(&set.high),
        low_category: set.low_hand.category().name().to_owned(),
        high_category: set.high_hand.category().name().to_owned(),
        low_name: set.low_hand.to_string(),
        high_name: set.high_hand.to_string(),
        clause_id: set.clause_id.clone(),
        clause_text: set.clause_text.clone(),
        house_way: set.house_way.to_hex(),
    }
}
