//! `SetHouseWay`: explicit cards in, a setting and its clause out. It is a pure function that
//! refuses only bad cards (D20).

use super::RoundContext;
use super::refusal::{FactKey, Reason, Refusal, Refusals};
use super::request::{HandSetter, SetHouseWay};
use paigow_fairness::encoding::Hash;
use paigow_rules::cards::Card;
use paigow_rules::hands::{HighHand, LowHand};

/// The most hands of one call.
pub const MAX_HANDS: usize = 64;

/// Refuses a batch that is empty or holds more than [`MAX_HANDS`].
pub(super) fn batch_limit() -> Refusal {
    let message = format!("1 to {MAX_HANDS} hands a call");
    Refusal::at(Reason::BatchLimit, "hands", message).within(1, MAX_HANDS)
}

/// A hand set by a house way.
#[derive(Clone)]
pub struct HandSet {
    /// The low hand, ascending.
    pub low: Vec<Card>,
    /// The high hand, ascending.
    pub high: Vec<Card>,
    /// The value of the low hand.
    pub low_hand: LowHand,
    /// The value of the high hand.
    pub high_hand: HighHand,
    /// The id of the clause that decided.
    pub clause_id: String,
    /// The sentence of the clause.
    pub clause_text: String,
    /// The content hash of the house way.
    pub house_way: Hash,
}

impl std::fmt::Debug for HandSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HandSet({})", self.clause_id)
    }
}

impl RoundContext {
    /// Sets hands by a house way.
    ///
    /// # Errors
    ///
    /// Returns a refusal for an unknown house way or ruleset, and for every hand that is not as
    /// many distinct cards as the way sets.
    pub fn set_house_way(&self, request: &SetHouseWay) -> Result<Vec<HandSet>, Refusal> {
        let manifest = &self.manifests.newest().manifest;
        let (hash, way) = match &request.by {
            HandSetter::HouseWay(name) => self
                .catalogue
                .house_way_listed(manifest, name)
                .map_err(|error| Refusal::at(Reason::HouseWay, "house_way", error.to_string()))?,
            HandSetter::Ruleset(name) => self
                .catalogue
                .game_listed(manifest, name)
                .map(|game| (game.house_way_hash, &game.house_way))
                .map_err(|error| error.refusal())?,
        };
        if request.hands.is_empty() || request.hands.len() > MAX_HANDS {
            return Err(batch_limit());
        }
        let mut refusals = Refusals::default();
        let mut out = Vec::new();
        for (i, cards) in request.hands.iter().enumerate() {
            let path = format!("hands[{i}].cards");
            if cards.len() != way.cards() {
                let message = format!("the house way sets {} cards", way.cards());
                let refusal = Refusal::at(Reason::Hand, path, message);
                refusals.absorb(refusal.with(FactKey::Expected, way.cards()));
                continue;
            }
            let Some((set, low_hand)) = way
                .set(cards)
                .and_then(|set| Some((set, LowHand::of_cards(&set.low, way.ranking())?)))
            else {
                refusals.add(Reason::Hand, path, "a card twice");
                continue;
            };
            out.push(HandSet {
                low: set.low.to_vec(),
                high: set.high.to_vec(),
                low_hand,
                high_hand: HighHand::of(&set.high, way.ranking()),
                clause_id: set.clause.id(),
                clause_text: set.clause.text(),
                house_way: hash,
            });
        }
        refusals.finish(out)
    }
}
