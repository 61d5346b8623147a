//! Conditions of rows: terms of one vocabulary, which ruleset files combine.

use std::collections::BTreeSet;
use std::fmt;

use super::{BetSubject, CardTerm, DealtHand, SetHand, SetTerm, Showdown, ShowdownTerm};
use crate::game::sheet::ColourChoice;

/// The question of a term.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Asked {
    /// Something of dealt cards.
    Cards(CardTerm),
    /// Something of the two hands that some cards are set in.
    Set(SetTerm),
    /// Something of two hands that the house way has set.
    Showdown(ShowdownTerm),
}

/// A term of a condition.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Term {
    /// Its question.
    pub asked: Asked,
    /// Whether the term is negated: `no_` precedes it.
    pub is_negated: bool,
}

impl Term {
    /// Reads a term of a bet that looks at `subject`, where each hand is dealt `hand_cards` cards.
    ///
    /// Returns [`None`] for a text that such a bet cannot have.
    #[must_use]
    pub fn parse(text: &str, subject: BetSubject, hand_cards: u8) -> Option<Self> {
        Self::parse_by(text, |word| match subject {
            BetSubject::SeatHand | BetSubject::DealerHand => {
                CardTerm::parse(word, subject, hand_cards).map(Asked::Cards)
            }
            BetSubject::FirstThree => CardTerm::parse(word, subject, 3).map(Asked::Cards),
            BetSubject::SeatSetHands => SetTerm::parse(word).map(Asked::Set),
            BetSubject::Showdown => ShowdownTerm::parse(word).map(Asked::Showdown),
        })
    }

    /// Reads a term of a push of the base wager, where the dealer is dealt `hand_cards` cards.
    ///
    /// Returns [`None`] for a text that is not such a term.
    ///
    /// The term is on the dealer's cards, or on the hands that the house way sets them in.
    #[must_use]
    pub fn parse_of_push(text: &str, hand_cards: u8) -> Option<Self> {
        Self::parse_by(text, |word| {
            let of_cards = CardTerm::parse(word, BetSubject::DealerHand, hand_cards);
            of_cards.map(Asked::Cards).or_else(|| SetTerm::parse(word).map(Asked::Set))
        })
    }

    fn parse_by(text: &str, asked: impl Fn(&str) -> Option<Asked>) -> Option<Self> {
        let (word, is_negated) = match text.strip_prefix("no_") {
            Some(word) => (word, true),
            None => (text, false),
        };
        asked(word).map(|asked| Self { asked, is_negated })
    }

    /// Whether it asks for a colour that the wager names.
    #[must_use]
    pub const fn asks_colour(self) -> bool {
        matches!(self.asked, Asked::Cards(CardTerm::NamedColour(_)))
    }

    fn holds(self, looks_at: BetSubject, evidence: &BetEvidence) -> Option<bool> {
        let holds = match self.asked {
            Asked::Cards(term) => {
                let cards = match looks_at {
                    BetSubject::SeatHand => evidence.hand,
                    BetSubject::DealerHand => evidence.dealer,
                    BetSubject::FirstThree => evidence.first_three,
                    BetSubject::SeatSetHands | BetSubject::Showdown => None,
                };
                term.holds(&cards?, evidence.choice)
            }
            Asked::Set(term) => term.holds(evidence.set?),
            Asked::Showdown(term) => term.holds(evidence.showdown.as_ref()?),
        };
        Some(holds != self.is_negated)
    }
}

impl fmt::Display for Term {
    /// Writes the term as a ruleset does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_negated {
            f.write_str("no_")?;
        }
        match self.asked {
            Asked::Cards(term) => term.fmt(f),
            Asked::Set(term) => term.fmt(f),
            Asked::Showdown(term) => term.fmt(f),
        }
    }
}

/// A condition of a row. It holds if all terms of one of its groups do.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Condition {
    groups: BTreeSet<BTreeSet<Term>>,
}

impl Condition {
    /// Makes a condition of groups of terms; returns [`None`] if there is no group, or an empty one.
    #[must_use]
    pub fn new(groups: impl IntoIterator<Item = Vec<Term>>) -> Option<Self> {
        let groups: BTreeSet<BTreeSet<Term>> =
            groups.into_iter().map(|group| group.into_iter().collect()).collect();
        let is_sound = !groups.is_empty() && groups.iter().all(|group| !group.is_empty());
        is_sound.then_some(Self { groups })
    }

    /// Returns the groups: the condition holds if all terms of one of them do.
    pub fn groups(&self) -> impl Iterator<Item = &BTreeSet<Term>> {
        self.groups.iter()
    }

    /// Returns every term, once for each group that has it.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.groups.iter().flatten().copied()
    }

    /// Returns the facts of dealt cards that the terms test, each once.
    #[must_use]
    pub fn card_terms(&self) -> BTreeSet<CardTerm> {
        let of_cards = |term: Term| match term.asked {
            Asked::Cards(term) => Some(term),
            Asked::Set(_) | Asked::Showdown(_) => None,
        };
        self.terms().filter_map(of_cards).collect()
    }

    /// Returns whether the condition holds, if `holds` answers for each tested fact.
    pub fn holds_by(&self, holds: impl Fn(Asked) -> bool) -> bool {
        let is_met = |term: &Term| holds(term.asked) != term.is_negated;
        self.groups.iter().any(|group| group.iter().all(is_met))
    }

    /// Returns whether the condition holds for a bet that looks at `looks_at`.
    ///
    /// It does not hold if the evidence that it needs is missing.
    pub(in crate::game) fn holds(&self, looks_at: BetSubject, evidence: &BetEvidence) -> bool {
        let is_met = |term: &Term| term.holds(looks_at, evidence) == Some(true);
        self.groups.iter().any(|group| group.iter().all(is_met))
    }
}

impl fmt::Display for Condition {
    /// Writes the terms of a group with ` and ` between, and the groups with ` or ` between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, group) in self.groups.iter().enumerate() {
            if place > 0 {
                f.write_str(" or ")?;
            }
            for (place, term) in group.iter().enumerate() {
                if place > 0 {
                    f.write_str(" and ")?;
                }
                term.fmt(f)?;
            }
        }
        Ok(())
    }
}

/// The evidence that one bonus wager is judged on. A row does not hold if its evidence is missing.
#[derive(Clone, Copy, Debug)]
pub struct BetEvidence {
    /// The cards dealt to the seat.
    pub hand: Option<DealtHand>,
    /// The cards dealt to the dealer.
    pub dealer: Option<DealtHand>,
    /// The first three cards dealt to the seat.
    pub first_three: Option<DealtHand>,
    /// The colour that the player named with the wager.
    pub choice: Option<ColourChoice>,
    /// The hands of the seat as they are set, unless they are foul.
    pub set: Option<SetHand>,
    /// The seat against the dealer or banker, both set by the house way.
    pub showdown: Option<Showdown>,
}

impl BetEvidence {
    /// Returns empty evidence, by which every wager loses.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            hand: None,
            dealer: None,
            first_three: None,
            choice: None,
            set: None,
            showdown: None,
        }
    }
}
