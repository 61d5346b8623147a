//! `SetHouseWay`.

use super::super::pb;
use super::codes;
use crate::engine::HandSet;

/// Writes the settings, in the order of the hands.
pub(in super::super) fn settings(hands: &[HandSet]) -> pb::SetHouseWayResponse {
    pb::SetHouseWayResponse { settings: hands.iter().map(pb::HouseWaySetting::from).collect() }
}

impl From<&HandSet> for pb::HouseWaySetting {
    fn from(set: &HandSet) -> Self {
        Self {
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
}
