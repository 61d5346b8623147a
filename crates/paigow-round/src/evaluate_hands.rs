//! `EvaluateHands`: explicit cards in, the rank of each setting out. A pure function, as
//! `SetHouseWay` is.

use std::collections::BTreeSet;

use super::refusal::{FactKey, Reason, Refusal, Refusals};
use super::request::EvaluateHands;
use super::set_house_way::batch_limit;
use super::{MAX_HANDS, RoundContext};
use paigow_rules::cards::Card;
use paigow_rules::game::{DecisionRule, Ruleset, SplitHand};

/// A hand, ranked.
#[derive(Clone)]
pub struct EvaluatedHand {
    /// The setting with the low hand of the request, if it has one.
    pub setting: Option<SplitHand>,
    /// Every setting, if the request asks for them.
    pub all_settings: Vec<SplitHand>,
}

impl std::fmt::Debug for EvaluatedHand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EvaluatedHand({} settings)", self.all_settings.len())
    }
}

impl RoundContext {
    /// Ranks hands by a ruleset that any manifest lists.
    ///
    /// # Errors
    ///
    /// Returns a refusal for an unknown ruleset. Also for every hand that is not as many distinct
    /// cards as the game deals, and every low hand that a decision could not name.
    pub fn evaluate_hands(&self, request: &EvaluateHands) -> Result<Vec<EvaluatedHand>, Refusal> {
        let game = self.game_of_chain(&request.ruleset).map_err(|error| error.refusal())?;
        if request.hands.is_empty() || request.hands.len() > MAX_HANDS {
            return Err(batch_limit());
        }
        let mut refusals = Refusals::default();
        let mut out = Vec::new();
        for (i, hand) in request.hands.iter().enumerate() {
            let path = |member: &str| format!("hands[{i}].{member}");
            if let Some(message) = hand_fault(&game.ruleset, &hand.cards) {
                let refusal = Refusal::at(Reason::Hand, path("cards"), message);
                refusals.absorb(refusal.with(FactKey::Expected, game.ruleset.hand_cards()));
                continue;
            }
            let split = |low: &Vec<Card>| game.ruleset.split(&hand.cards, low);
            match hand.low.as_ref().map(split).transpose() {
                Ok(setting) => {
                    let all_settings = if request.all_settings {
                        game.ruleset.every_split(&hand.cards)
                    } else {
                        Vec::new()
                    };
                    out.push(EvaluatedHand { setting, all_settings });
                }
                Err(rule) => {
                    let refusal =
                        Refusal::at(Reason::LowCards, path("low.cards"), low_message(rule));
                    let expected = game.ruleset.low_cards();
                    refusals.absorb(refusal.with(FactKey::Expected, expected));
                }
            }
        }
        refusals.finish(out)
    }
}

/// Returns the fault of the cards of a hand, if there is one.
pub(super) fn hand_fault(ruleset: &Ruleset, cards: &[Card]) -> Option<String> {
    if cards.len() != ruleset.hand_cards() {
        return Some(format!("the ruleset deals {} cards", ruleset.hand_cards()));
    }
    let distinct: BTreeSet<&Card> = cards.iter().collect();
    (distinct.len() < cards.len()).then(|| "a card twice".to_owned())
}

/// Returns the sentence of a rule, for cards that were dealt to no seat.
fn low_message(rule: DecisionRule) -> String {
    if rule == DecisionRule::LowNotDealt {
        "a card of the low hand is not in the hand".to_owned()
    } else {
        rule.to_string()
    }
}
