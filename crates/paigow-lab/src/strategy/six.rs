//! A strategy for Mini Pai Gow: six cards, one of them low, and a double down.

use super::StrategyStep;
use super::hand::StrategyHand;
use paigow_rules::cards::{Card, Rank};
use paigow_rules::hands::Category;
use paigow_rules::house_way::LowCards;

/// From the simplest to the finest.
pub(super) const STEPS: [StrategyStep; 7] = [
    StrategyStep {
        text: "Set every hand by the house way, and never double down.",
        low: |hand| Some(hand.by_house_way),
        doubles: Some(|_, _| false),
    },
    StrategyStep {
        text: "Double down with two pair, a pair of aces or better high, and a queen or better low.",
        low: |_| None,
        doubles: Some(doubles_simply),
    },
    StrategyStep {
        text: "Put an ace low: one of three, of a full house or of two pair, and one of a pair if no \
               king or queen can go low.",
        low: aces,
        doubles: None,
    },
    StrategyStep {
        text: "Double down also with three of a kind or better high and a ten or jack low, with queens \
               or better and a king, nines or better and an ace, fives or better and the joker.",
        low: |_| None,
        doubles: Some(doubles_finely),
    },
    StrategyStep {
        text: "A pair and a straight or flush that leaves a nine or lower: the pair high, if an ace \
               or a king goes low.",
        low: pair_beside_complete,
        doubles: None,
    },
    StrategyStep {
        text: "Two pair, kings without a queen or ace, or queens without a ten or better beside them: \
               one of the higher pair low. Likewise three kings without a jack or better.",
        low: kings,
        doubles: None,
    },
    StrategyStep {
        text: "Full house: a card of the higher rank low, if that is a ten or better and no single \
               card is higher.",
        low: full_house,
        doubles: None,
    },
];

fn is_complete(hand: &StrategyHand) -> bool {
    hand.beside_complete().is_some()
}

fn aces(hand: &StrategyHand) -> Option<LowCards> {
    if hand.groups.first() != Some(&Rank::Ace) {
        return None;
    }
    let applies = match hand.sizes[..] {
        [3, 2, 1] => true,
        [3, 1, 1, 1] => !is_complete(hand),
        [2, 2, 1, 1] => !is_complete(hand) && hand.singles[0] != Rank::King,
        [2, 1, 1, 1, 1] => !is_complete(hand) && hand.singles[0] < Rank::Queen,
        _ => false,
    };
    applies.then(|| hand.low(&[Rank::Ace])).flatten()
}

fn kings(hand: &StrategyHand) -> Option<LowCards> {
    let group = *hand.groups.first()?;
    let single = *hand.singles.first()?;
    let applies = match (&hand.sizes[..], group) {
        ([2, 2, 1, 1], Rank::King) => single < Rank::Queen,
        ([2, 2, 1, 1], Rank::Queen) => single < Rank::Ten,
        ([3, 1, 1, 1], Rank::King) => single < Rank::Jack,
        _ => false,
    };
    (applies && !is_complete(hand)).then(|| hand.low(&[group])).flatten()
}

fn full_house(hand: &StrategyHand) -> Option<LowCards> {
    if hand.sizes != [3, 2, 1] {
        return None;
    }
    let higher = hand.groups[0].max(hand.groups[1]);
    let applies = higher >= Rank::Ten && higher > hand.singles[0];
    applies.then(|| hand.low(&[higher])).flatten()
}

fn pair_beside_complete(hand: &StrategyHand) -> Option<LowCards> {
    let left = *hand.beside_complete()?.first()?;
    if !matches!(hand.sizes[..], [2 | 3, ..]) || left.rank_or_ace() >= Rank::Ten {
        return None;
    }
    let ace = (hand.groups[0] == Rank::Ace).then_some(Rank::Ace);
    let front = hand.singles.first().copied().filter(|rank| *rank >= Rank::King).or(ace)?;
    hand.low(&[front])
}

/// Returns the facts that decide a double down: the category of the high hand, its highest pair, and
/// the low card.
fn doubles_simply(hand: &StrategyHand, low: LowCards) -> bool {
    let Some((category, pair, card)) = parts(hand, low) else { return false };
    let is_high = category >= Category::TwoPair || pair == Some(Rank::Ace);
    is_high && card.rank_or_ace() >= Rank::Queen
}

fn doubles_finely(hand: &StrategyHand, low: LowCards) -> bool {
    let Some((category, pair, card)) = parts(hand, low) else { return false };
    let least = match (card.is_joker(), card.rank_or_ace()) {
        (true, _) => Rank::Five,
        (false, Rank::Ace) => Rank::Nine,
        (false, Rank::King) => Rank::Queen,
        (false, Rank::Queen) => Rank::Ace,
        (false, Rank::Ten | Rank::Jack) => return category >= Category::ThreeOfAKind,
        (false, _) => return false,
    };
    category >= Category::TwoPair || pair >= Some(least)
}

fn parts(hand: &StrategyHand, low: LowCards) -> Option<(Category, Option<Rank>, Card)> {
    let split = hand.split(low)?;
    let ranks = Rank::ALL.into_iter().rev();
    let held = |rank: &Rank| split.high.iter().filter(|card| card.rank_or_ace() == *rank).count();
    let pair = ranks.filter(|rank| held(rank) >= 2).max();
    Some((split.high_hand.category(), pair, *low.first()?))
}
