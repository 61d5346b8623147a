//! What makes a row of a pay table hold: one vocabulary, which ruleset files name.

use super::{
    BetSubject, ColourCondition, DealtHand, HandCondition, OneColour, PushCondition, Showdown,
    ThreeCardCondition, ThreeCards,
};
use crate::game::sheet::ColourChoice;

/// What makes a row hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Condition {
    /// What the cards of the seat or of the dealer hold.
    Hand(HandCondition),
    /// What the first three cards of the seat hold.
    ThreeCards(ThreeCardCondition),
    /// How many cards are of the colour that the player names.
    Colour(ColourCondition),
    /// The hands of the seat and of the dealer or banker, set by the house way.
    Push(PushCondition),
}

impl Condition {
    /// Returns the name that a ruleset calls the condition by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hand(hand) => hand.name(),
            Self::ThreeCards(three) => three.name(),
            Self::Colour(colour) => colour.name(),
            Self::Push(push) => push.name(),
        }
    }

    /// Returns the reading of a one-colour condition.
    #[must_use]
    pub const fn reading(self) -> Option<OneColour> {
        match self {
            Self::Hand(hand) => hand.reading(),
            Self::ThreeCards(_) | Self::Colour(_) | Self::Push(_) => None,
        }
    }

    /// Returns the conditions that a ruleset may name for a bet that looks at
    /// `looks_at` where each hand is dealt `hand_cards` cards, 6 or 7.
    ///
    /// Conditions that no hand of so many cards can meet are not among them. The
    /// one-colour conditions are there only under a reading of them.
    #[must_use]
    pub fn all_for(
        looks_at: BetSubject,
        hand_cards: usize,
        one_colour: Option<OneColour>,
    ) -> Vec<Self> {
        match looks_at {
            BetSubject::SeatHand | BetSubject::DealerHand => HandCondition::all(one_colour)
                .filter(|hand| hand.least_cards() <= hand_cards)
                .map(Self::Hand)
                .collect(),
            BetSubject::FirstThree => ThreeCardCondition::ALL.map(Self::ThreeCards).to_vec(),
            BetSubject::Colour => ColourCondition::ALL
                .into_iter()
                .filter(|colour| colour.cards() <= hand_cards)
                .map(Self::Colour)
                .collect(),
            BetSubject::Showdown => PushCondition::ALL
                .into_iter()
                // A low hand of one card is no pair.
                .filter(|push| hand_cards == 7 || *push == PushCondition::Push)
                .map(Self::Push)
                .collect(),
        }
    }

    /// Whether the condition holds, as a bet that looks at `looks_at` sees it.
    ///
    /// Without the evidence it asks for it does not.
    pub(in crate::game) fn holds(self, looks_at: BetSubject, evidence: &BetEvidence) -> bool {
        match (looks_at, self) {
            (BetSubject::SeatHand, Self::Hand(condition)) => {
                evidence.hand.is_some_and(|hand| condition.holds(&hand))
            }
            (BetSubject::DealerHand, Self::Hand(condition)) => {
                evidence.dealer.is_some_and(|hand| condition.holds(&hand))
            }
            (BetSubject::FirstThree, Self::ThreeCards(condition)) => {
                evidence.first_three.is_some_and(|three| condition.holds(&three))
            }
            (BetSubject::Colour, Self::Colour(condition)) => evidence
                .hand
                .zip(evidence.choice)
                .is_some_and(|(hand, choice)| condition.holds(&hand, choice)),
            (BetSubject::Showdown, Self::Push(condition)) => {
                evidence.showdown.is_some_and(|showdown| condition.holds(&showdown))
            }
            // No bet has a condition on what it does not look at.
            (_, Self::Hand(_) | Self::ThreeCards(_) | Self::Colour(_) | Self::Push(_)) => false,
        }
    }
}

/// All that one bonus wager is judged on. No row holds whose evidence is not there.
#[derive(Clone, Copy, Debug)]
pub struct BetEvidence {
    /// The cards dealt to the seat.
    pub hand: Option<DealtHand>,
    /// The cards dealt to the dealer.
    pub dealer: Option<DealtHand>,
    /// The first three cards dealt to the seat.
    pub first_three: Option<ThreeCards>,
    /// The colour that the player named with the wager.
    pub choice: Option<ColourChoice>,
    /// The seat against the dealer or banker, both set by the house way.
    pub showdown: Option<Showdown>,
}

impl BetEvidence {
    /// Returns evidence of nothing, by which every wager loses.
    #[must_use]
    pub const fn none() -> Self {
        Self { hand: None, dealer: None, first_three: None, choice: None, showdown: None }
    }
}
