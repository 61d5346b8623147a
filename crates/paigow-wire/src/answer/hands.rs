//! `SetHouseWay`, `EvaluateHands` and `WeighSettings`.

use super::codes;
use super::rulesets::exact_return;
use paigow_proto::v1 as pb;
use paigow_round::{EvaluatedHand, HandSet, WeighedSetting};
use paigow_rules::game::SplitHand;
use paigow_rules::hands::Category;

/// Writes the settings, in the order of the hands.
pub fn settings(hands: &[HandSet]) -> pb::SetHouseWayResponse {
    pb::SetHouseWayResponse { settings: hands.iter().map(house_way_setting).collect() }
}

fn house_way_setting(set: &HandSet) -> pb::HouseWaySetting {
    pb::HouseWaySetting {
        low: codes(&set.low),
        high: codes(&set.high),
        low_category: category(set.low_hand.category()).into(),
        high_category: category(set.high_hand.category()).into(),
        low_name: set.low_hand.to_string(),
        high_name: set.high_hand.to_string(),
        clause_id: set.clause_id.clone(),
        clause_text: set.clause_text.clone(),
        house_way: set.house_way.to_hex(),
    }
}

/// Writes ranked hands, in the order of the request.
#[must_use]
pub fn evaluated(hands: &[EvaluatedHand]) -> pb::EvaluateHandsResponse {
    let hand = |hand: &EvaluatedHand| pb::EvaluatedHand {
        setting: hand.setting.as_ref().map(split),
        all_settings: hand.all_settings.iter().map(split).collect(),
    };
    pb::EvaluateHandsResponse { hands: hands.iter().map(hand).collect() }
}

/// Writes the weighed settings of a hand, the best one first.
#[must_use]
pub fn weighed(settings: &[WeighedSetting]) -> pb::WeighSettingsResponse {
    let setting = |weighed: &WeighedSetting| pb::WeighedSetting {
        setting: Some(split(&weighed.split)),
        exact_return: Some(exact_return(weighed.returned)),
        won: hands_of_dealer(weighed.won),
        lost: hands_of_dealer(weighed.lost),
        pushed: hands_of_dealer(weighed.pushed),
        double_down: weighed.double_down,
        by_house_way: weighed.by_house_way,
    };
    pb::WeighSettingsResponse { settings: settings.iter().map(setting).collect() }
}

fn split(split: &SplitHand) -> pb::EvaluatedSetting {
    pb::EvaluatedSetting {
        low: codes(&split.low),
        high: codes(&split.high),
        low_category: category(split.low_hand.category()).into(),
        high_category: category(split.high_hand.category()).into(),
        low_name: split.low_hand.to_string(),
        high_name: split.high_hand.to_string(),
        foul: split.is_foul,
    }
}

/// Returns a number of the dealer's hands in the type of the contract: at most 53,524,680.
fn hands_of_dealer(hands: u64) -> i64 {
    i64::try_from(hands).unwrap_or(i64::MAX)
}

pub(super) const fn category(category: Category) -> pb::HandCategory {
    match category {
        Category::HighCard => pb::HandCategory::HighCard,
        Category::Pair => pb::HandCategory::Pair,
        Category::TwoPair => pb::HandCategory::TwoPair,
        Category::ThreeOfAKind => pb::HandCategory::ThreeOfAKind,
        Category::Straight => pb::HandCategory::Straight,
        Category::Flush => pb::HandCategory::Flush,
        Category::FullHouse => pb::HandCategory::FullHouse,
        Category::FourOfAKind => pb::HandCategory::FourOfAKind,
        Category::StraightFlush => pb::HandCategory::StraightFlush,
        Category::RoyalFlush => pb::HandCategory::RoyalFlush,
        Category::FiveOfAKind => pb::HandCategory::FiveOfAKind,
        Category::FiveAces => pb::HandCategory::FiveAces,
    }
}
