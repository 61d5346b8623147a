//! `WeighSettings`: explicit cards in, the value of each legal setting out. It is a pure function,
//! as `SetHouseWay`.

use super::evaluate_hands::hand_fault;
use super::refusal::{FactKey, Reason, Refusal, Refusals};
use super::request::WeighSettings;
use super::{ListedGame, RoundContext};
use paigow_exact::{HandWorths, SettingWorth};
use paigow_rules::cards::Card;
use paigow_rules::game::{Fraction, SplitHand};
use paigow_rules::house_way::LowCards;

/// A setting, and the return of a base wager on it.
#[derive(Clone)]
pub struct WeighedSetting {
    /// The setting.
    pub split: SplitHand,
    /// The average return of a base wager per unit of its stake, stake included.
    pub returned: Fraction,
    /// The number of the dealer's hands against which the wager wins.
    pub won: u64,
    /// The number of the dealer's hands against which it loses.
    pub lost: u64,
    /// The number of the dealer's hands against which it pushes.
    pub pushed: u64,
    /// Whether a double down raises the return.
    pub double_down: bool,
    /// Whether the ruleset's house way sets the hand so.
    pub by_house_way: bool,
}

impl std::fmt::Debug for WeighedSetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WeighedSetting(..)")
    }
}

impl ListedGame {
    /// Returns the values of hands of this game, or [`None`] if its terms cannot be counted.
    ///
    /// The first call prepares them, which takes about half a second. Clones of the game share
    /// them.
    #[must_use]
    pub fn hand_worths(&self) -> Option<&HandWorths> {
        self.worths.get_or_init(|| HandWorths::new(&self.ruleset, &self.house_way)).as_ref()
    }
}

impl RoundContext {
    /// Weighs the legal settings of a hand of a ruleset that any manifest lists, and returns them
    /// with the best one first.
    ///
    /// # Errors
    ///
    /// Returns a refusal for an unknown ruleset, and for one whose returns cannot be counted. Also
    /// for every hand that is not as many distinct cards as the game deals. The dealer's cards must
    /// be present exactly if the ruleset exposes them.
    pub fn weigh_settings(&self, request: &WeighSettings) -> Result<Vec<WeighedSetting>, Refusal> {
        let game = self.game_of_chain(&request.ruleset).map_err(|error| error.refusal())?;
        let mut refusals = Refusals::default();
        if let Some(message) = hand_fault(&game.ruleset, &request.cards) {
            refusals.absorb(hand_refusal(game, "cards", message));
        }
        let (exposes, shown) = (game.ruleset.exposes_dealer(), &request.dealer_cards);
        if exposes && shown.is_empty() {
            let message = "required: the ruleset exposes the dealer's hand";
            refusals.add(Reason::FieldMissing, "dealer_cards", message);
        } else if exposes {
            let is_own = |card: &Card| request.cards.contains(card);
            let fault = hand_fault(&game.ruleset, shown)
                .or_else(|| shown.iter().any(is_own).then(|| "a card of the hand".to_owned()));
            if let Some(message) = fault {
                refusals.absorb(hand_refusal(game, "dealer_cards", message));
            }
        } else if !shown.is_empty() {
            let message = "the ruleset does not expose the dealer's hand: leave it empty";
            refusals.add(Reason::FieldInvalid, "dealer_cards", message);
        }
        refusals.finish(())?;
        let not_counted = || {
            let message = "the returns of this ruleset's base wager cannot be counted";
            Refusal::of(Reason::NotCounted, message).with(FactKey::Ruleset, game.hash)
        };
        let worths = game.hand_worths().ok_or_else(not_counted)?;
        let settings = if exposes {
            worths.settings_against(&request.cards, shown)
        } else {
            worths.settings(&request.cards)
        };
        let weighed = settings.and_then(|settings| {
            let of_way = LowCards::of(&game.house_way.set(&request.cards)?.low)?;
            let weigh = |worth: &SettingWorth| weighed(game, &request.cards, worth, of_way);
            settings.iter().map(weigh).collect()
        });
        weighed.ok_or_else(not_counted)
    }
}

fn hand_refusal(game: &ListedGame, field: &str, message: String) -> Refusal {
    let refusal = Refusal::at(Reason::Hand, field, message);
    refusal.with(FactKey::Expected, game.ruleset.hand_cards())
}

fn weighed(
    game: &ListedGame,
    cards: &[Card],
    worth: &SettingWorth,
    of_way: LowCards,
) -> Option<WeighedSetting> {
    let split = game.ruleset.split(cards, &worth.low).ok()?;
    Some(WeighedSetting {
        returned: Fraction::ONE.plus(worth.expectation)?,
        won: worth.won,
        lost: worth.lost,
        pushed: worth.pushed,
        double_down: worth.doubled.is_some(),
        by_house_way: of_way == split.low,
        split,
    })
}
