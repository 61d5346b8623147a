//! `paigow-lab rng rounds`: the final outcome, dealt, set and compared by the code of production.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::json;

use super::{CollectionFormat, Seeds};
use crate::{CommandError, CommandOutcome};
use paigow_fairness::secret::RoundSeed;
use paigow_fairness::shuffle;
use paigow_round::ListedGame;
use paigow_rules::cards::{BySeat, Card, Deck, Seat};
use paigow_rules::game::{
    BaseOutcome, BaseResult, BetId, Currency, Decision, SettingChoice, Settlement, TableDeal,
    TableFact, TableFacts, Wager, WagerSheet, WagerTable,
};

/// The request of `rng rounds`.
#[derive(Clone, Debug)]
pub struct RoundCollection {
    /// The ruleset with its house way.
    pub game: ListedGame,
    /// How many; as many as there are seeds if absent.
    pub count: Option<u64>,
    /// As bytes or as text.
    pub format: CollectionFormat,
}

/// Writes one round for each seed.
///
/// Every seat of the ruleset has the same base wager, and the house way sets it. A table fact that
/// the ruleset requires is the same in every round (action pile 0). For a ruleset without dice, the
/// text has none, and the binary form has zeros.
///
/// Binary: `5 + n * h + s` bytes a round, with no mark between rounds. There are `n` positions (the
/// dealer's among them), `h` cards a hand and `s` seats. The bytes are, in this order:
///
/// - the three dice;
/// - the position dealt to first;
/// - the seat at which settlement begins;
/// - the hands of the positions, ascending, `h` card numbers each in the order dealt;
/// - for seats 1 to `s`, 0 if the seat loses, 1 if it pushes, 2 if it wins.
///
/// The outcome is that of the comparison of hands, before any rule by which a dealer's hand makes
/// all wagers push.
///
/// Text, one JSON object a line: `{"seed":"...","dice":[1,2,3],"first":0,"action_seat":1,
/// "hands":{"0":["Ah",...],...},"low":{"0":["Ah","Kd"],...},"outcomes":{"1":"win",...}}`.
///
/// # Errors
///
/// If the ruleset cannot be played with these wagers, if a seed cannot be obtained, or if output
/// fails.
pub fn rounds(
    wanted: &RoundCollection,
    mut seeds: Seeds,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let layout = RoundSetup::new(&wanted.game)?;
    let mut left = wanted.count;
    while left != Some(0) {
        let Some(seed) = seeds.next_of(wanted.count)? else { break };
        let played = layout.play(&seed)?;
        match wanted.format {
            CollectionFormat::Binary => out.write_all(&played.bytes())?,
            CollectionFormat::Text => writeln!(out, "{}", played.line(&seed))?,
        }
        left = left.map(|left| left - 1);
    }
    seeds.finish()?;
    Ok(CommandOutcome::Well)
}

/// The wagers and decisions of every round.
pub(super) struct RoundSetup<'g> {
    game: &'g ListedGame,
    table: WagerTable,
    decisions: BySeat<Decision>,
}

/// One round with its results.
struct CollectedRound {
    draws_dice: bool,
    dealt: TableDeal,
    settlement: Settlement,
}

impl<'g> RoundSetup<'g> {
    pub(super) fn new(game: &'g ListedGame) -> Result<Self, CommandError> {
        let ruleset = &game.ruleset;
        let sheet = sheet(game);
        let table = ruleset.check(&sheet).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            CommandError::Data(format!("{}: {}", ruleset.id(), faults.join("\n")))
        })?;
        let by_house_way = || Decision { setting: SettingChoice::HouseWay, double_down: false };
        let decisions = Seat::players(ruleset.seats()).map(|seat| (seat, by_house_way())).collect();
        Ok(Self { game, table, decisions })
    }

    /// Returns the number of the position that these dice name.
    pub(super) fn first(&self, dice: [u8; 3]) -> u8 {
        self.game.ruleset.deal(&self.table, &Deck::FRESH, dice).first.number()
    }

    fn play(&self, seed: &RoundSeed) -> Result<CollectedRound, CommandError> {
        let ruleset = &self.game.ruleset;
        let dealt = ruleset.deal(&self.table, &shuffle::full_deck(seed), shuffle::dice(seed));
        let settlement = ruleset
            .settle(&self.game.house_way, &self.table, &dealt, &self.decisions)
            .map_err(|error| CommandError::Data(format!("{}: {error}", ruleset.id())))?;
        Ok(CollectedRound { draws_dice: ruleset.draws_dice(), dealt, settlement })
    }
}

/// Makes the sheet of every round: a base wager at every seat, and the required facts.
fn sheet(game: &ListedGame) -> WagerSheet {
    let ruleset = &game.ruleset;
    let limits = ruleset.base().limits;
    let stake = limits.minimum.max(100).min(limits.maximum);
    let wagers = Seat::players(ruleset.seats()).map(|seat| Wager {
        seat,
        bet: BetId::BASE.name().into(),
        amount_minor: stake,
        choice: None,
    });
    let mut facts = TableFacts::default();
    for fact in ruleset.required_facts() {
        match fact {
            TableFact::ActionPile => facts.action_pile = Some(0),
            // Enough for every seat.
            TableFact::BankMinor => facts.bank_minor = Some(stake.saturating_mul(100)),
            TableFact::BankerSeat => facts.banker_seat = Seat::new(1),
            TableFact::ChipMinor => facts.chip_minor = Some(stake),
            TableFact::MeterMinor => facts.meter_minor = ruleset.meter().map(|meter| meter.seed),
            TableFact::TableMaxMinor => facts.table_max_minor = Some(limits.maximum),
            TableFact::TableMinMinor => facts.table_min_minor = Some(stake),
        }
    }
    let any = || Currency::new("USD", 2).expect("a constant that a test reads");
    let currency = ruleset.currency().cloned().unwrap_or_else(any);
    WagerSheet { currency, wagers: wagers.collect(), facts }
}

impl CollectedRound {
    fn dice(&self) -> &[u8] {
        if self.draws_dice { &self.dealt.dice } else { &[] }
    }

    /// Returns the outcomes of the comparisons of both hands of each seat. A base wager can end
    /// otherwise, if the dealer's cards make it push.
    fn outcomes(&self) -> impl Iterator<Item = (Seat, BaseOutcome)> {
        let compared = |base: &BaseResult| BaseOutcome::of(base.high_result, base.low_result);
        let seats = self.settlement.seats.iter();
        seats.filter_map(move |(seat, result)| Some((seat, compared(result.base.as_ref()?))))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = if self.draws_dice { self.dealt.dice.to_vec() } else { vec![0; 3] };
        bytes.push(self.dealt.first.number());
        bytes.push(self.dealt.action_seat.number());
        bytes.extend(self.dealt.hands().values().flatten().map(|card| card.number()));
        bytes.extend(self.outcomes().map(|(_, outcome)| match outcome {
            BaseOutcome::Lose => 0,
            BaseOutcome::Push => 1,
            BaseOutcome::Win => 2,
        }));
        bytes
    }

    fn line(&self, seed: &RoundSeed) -> serde_json::Value {
        let codes = |cards: &[Card]| cards.iter().map(ToString::to_string).collect::<Vec<_>>();
        let dealt = &self.dealt;
        let hands: BTreeMap<String, _> =
            dealt.hands().iter().map(|(seat, cards)| (seat.to_string(), codes(cards))).collect();
        let dealer = (Seat::DEALER.to_string(), codes(&self.settlement.bank.setting.low));
        let low: BTreeMap<String, _> = std::iter::once(dealer)
            .chain(self.settlement.seats.iter().filter_map(|(seat, result)| {
                Some((seat.to_string(), codes(&result.base.as_ref()?.shown.low)))
            }))
            .collect();
        let outcomes: BTreeMap<String, _> =
            self.outcomes().map(|(seat, outcome)| (seat.to_string(), outcome.name())).collect();
        json!({
            "seed": hex::encode(seed.expose()),
            "dice": self.dice(),
            "first": dealt.first.number(),
            "action_seat": dealt.action_seat.number(),
            "hands": hands,
            "low": low,
            "outcomes": outcomes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find_game;
    use paigow_rules::cards::Rank;
    use paigow_rules::game::DealtHand;
    use paigow_rules::hands::{HighHand, JokerUse, LowHand, Wheel};

    /// Sets the cards by the low hand that the line states.
    fn set(line: &serde_json::Value, seat: &str) -> (HighHand, LowHand) {
        let cards = |field: &str| -> Vec<Card> {
            let codes = line[field][seat].as_array().unwrap();
            codes.iter().map(|code| code.as_str().unwrap().parse().unwrap()).collect()
        };
        let low = cards("low");
        let high: Vec<Card> =
            cards("hands").into_iter().filter(|card| !low.contains(card)).collect();
        let high = HighHand::of(&high.try_into().unwrap(), Wheel::Second);
        (high, LowHand::of_cards(&low, Wheel::Second).unwrap())
    }

    #[test]
    fn hands_that_win_are_told_to_win_where_the_dealer_makes_all_wagers_push() {
        let game = find_game("express", &[]).unwrap();
        let layout = RoundSetup::new(&game).unwrap();
        let mut words = BTreeMap::<&str, u32>::new();
        // One dealer in 57 has a queen-high pai gow.
        for byte in 0..=255 {
            let seed = RoundSeed::new([byte; 32]);
            let played = layout.play(&seed).unwrap();
            let dealer =
                DealtHand::of(&played.dealt.hands()[Seat::DEALER], JokerUse::SemiWild).unwrap();
            if !(dealer.is_pai_gow() && dealer.is_highest(Rank::Queen)) {
                continue;
            }
            let line = played.line(&seed);
            let (high, low) = set(&line, "0");
            for seat in 1..=6 {
                let own = set(&line, &seat.to_string());
                // A copy is the dealer's.
                let word = match (own.0 > high, own.1 > low) {
                    (true, true) => "win",
                    (false, false) => "lose",
                    (true, false) | (false, true) => "push",
                };
                assert_eq!(line["outcomes"][seat.to_string()], word, "{line}");
                *words.entry(word).or_default() += 1;
            }
            let last = played.bytes()[54..].to_vec();
            let told = (1..=6).map(|seat| line["outcomes"][seat.to_string()].clone());
            let named = last.iter().map(|byte| ["lose", "push", "win"][usize::from(*byte)]);
            assert!(told.eq(named), "{last:?}: {line}");
        }
        assert!(words.contains_key("win"), "{words:?}");
    }
}
