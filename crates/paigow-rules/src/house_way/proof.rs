//! The proof of a house way over every hand that can be dealt.

use std::collections::BTreeMap;
use std::fmt;

use super::{HouseWay, Setting};
use crate::cards::{Card, codes};
use crate::hands::{HighHand, LowHand, Ranking, canonical_hands, is_foul};

/// The hands that a proof has checked and found good.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Proof {
    /// How many hands up to a renaming of suits.
    pub canonical_hands: u64,
    /// How many hands in all, each as it is dealt.
    pub hands: u64,
    /// How many hands each clause decided, by the id that a setting cites.
    pub decided: BTreeMap<String, u64>,
}

impl Proof {
    /// Adds the result of another share of the hands.
    pub fn add(&mut self, other: Self) {
        self.canonical_hands += other.canonical_hands;
        self.hands += other.hands;
        for (clause, hands) in other.decided {
            *self.decided.entry(clause).or_default() += hands;
        }
    }
}

/// A hand that a house way does not set as it must.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Refutation {
    /// The hand, in the order of the fresh deck.
    pub cards: Vec<Card>,
    /// The fault of its setting.
    pub breach: Breach,
}

/// A fault of a setting.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Breach {
    /// The way does not set the hand.
    Unset,
    /// The two hands are not the cards of the hand, each in the order of the fresh deck.
    OtherCards,
    /// The low hand is higher than the high hand; by this clause.
    Foul(String),
    /// With these suits instead the hands have other values or another clause decides.
    DependsOnSuits(Vec<Card>),
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", codes(&self.cards))?;
        match &self.breach {
            Breach::Unset => f.write_str("is not set"),
            Breach::OtherCards => f.write_str("is set with other cards"),
            Breach::Foul(clause) => write!(f, "is set foul by {clause}"),
            Breach::DependsOnSuits(other) => write!(f, "is set unlike {}", codes(other)),
        }
    }
}

impl std::error::Error for Refutation {}

impl HouseWay {
    /// Proves that hands are set correctly.
    ///
    /// Each card of a hand is in one of the two hands. The setting is not foul. Neither the values
    /// of the hands nor the clause depend on suits.
    ///
    /// The proof takes the hand at `first` and every `step`th after it, up to a renaming of suits,
    /// and checks it in every naming. All shares of a step together, `first` from 0 to `step - 1`,
    /// cover every hand that can be dealt. `progress` receives the number of good hands from time
    /// to time.
    ///
    /// # Errors
    ///
    /// The first hand that is not set as it must be.
    pub fn prove(
        &self,
        first: usize,
        step: usize,
        progress: impl FnMut(u64),
    ) -> Result<Proof, Refutation> {
        let set = |cards: &[Card]| self.interpret(cards);
        if self.cards() == 6 {
            prove_hands_of::<6>(set, self.ranking(), first, step, progress)
        } else {
            prove_hands_of::<7>(set, self.ranking(), first, step, progress)
        }
    }
}

fn prove_hands_of<'a, const N: usize>(
    set: impl Fn(&[Card]) -> Option<Setting<'a>>,
    ranking: Ranking,
    first: usize,
    step: usize,
    mut progress: impl FnMut(u64),
) -> Result<Proof, Refutation> {
    let mut proof = Proof::default();
    for hand in canonical_hands::<N>().skip(first).step_by(step.max(1)) {
        let mut before: Option<([Card; N], HandValues)> = None;
        let mut hands = 0;
        for cards in hand.namings() {
            let setting = set(&cards).ok_or_else(|| refute(&cards, Breach::Unset))?;
            let values = values(&cards, &setting, ranking)?;
            match &before {
                None => before = Some((cards, values)),
                Some((other, known)) if *known != values => {
                    return Err(refute(&cards, Breach::DependsOnSuits(sorted(other))));
                }
                Some(_) => {}
            }
            hands += 1;
        }
        if let Some((_, values)) = before {
            *proof.decided.entry(values.clause).or_default() += hands;
        }
        proof.canonical_hands += 1;
        proof.hands += hands;
        progress(hands);
    }
    Ok(proof)
}

/// Returns the values of the setting of a hand, or the fault of an invalid setting.
fn values(
    cards: &[Card],
    setting: &Setting<'_>,
    ranking: Ranking,
) -> Result<HandValues, Refutation> {
    let mut set: Vec<Card> = setting.low.iter().copied().chain(setting.high).collect();
    set.sort_unstable();
    let in_order = setting.low.is_sorted() && setting.high.is_sorted();
    let low = LowHand::of_cards(&setting.low, ranking).filter(|_| in_order && set == sorted(cards));
    let low = low.ok_or_else(|| refute(cards, Breach::OtherCards))?;
    let high = HighHand::of(&setting.high, ranking);
    if is_foul(low, high) {
        return Err(refute(cards, Breach::Foul(setting.clause.id())));
    }
    Ok(HandValues { low, high, clause: setting.clause.id() })
}

/// The values that must not depend on suits.
#[derive(Clone, Debug, Eq, PartialEq)]
struct HandValues {
    low: LowHand,
    high: HighHand,
    clause: String,
}

fn refute(cards: &[Card], breach: Breach) -> Refutation {
    Refutation { cards: sorted(cards), breach }
}

fn sorted(cards: &[Card]) -> Vec<Card> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

#[cfg(test)]
mod tests;
