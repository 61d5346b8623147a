//! The exact counts of the bonus bets, and every hand of seven cards looked up to check them.

use std::error::Error;
use std::hint::black_box;

use paigow_round::Catalogue;
use paigow_rules::cards::Card;
use paigow_rules::game::{BetSubject, CardTerm, Condition, Term, TermCounts};
use paigow_rules::hands::{HandClasses, HandFacts, HandKey, JokerUse};

use super::{median, milliseconds};

/// How many hands of seven of 53 cards there are.
const HANDS: u64 = 154_143_080;

pub(super) fn measure(catalogue: &Catalogue) -> Result<(), Box<dyn Error>> {
    let games = catalogue.games();
    let mut bets = 0;
    for game in &games {
        bets += game.ruleset.bonus_bets().len();
    }
    let time = median(10, || {
        for _ in 0..10 {
            for game in &games {
                let cards = game.ruleset.hand_cards();
                for bet in game.ruleset.bonus_bets() {
                    black_box(bet.row_counts(cards));
                }
            }
        }
        Ok(())
    })?;
    milliseconds(&format!("the rows of {bets} bonus bets on one hand, exact"), time / 10);
    let classes = HandClasses::<7>::get();
    let time = median(HANDS, || {
        black_box(every_hand(classes));
        Ok(())
    })?;
    milliseconds("every hand of seven cards to its class, one by one", time);
    check(classes, &every_hand(classes))
}

/// Counts the hands of each class, hand by hand.
fn every_hand(classes: &HandClasses<7>) -> Vec<u32> {
    let mut counts = vec![0; classes.len()];
    let deck: Vec<Card> = Card::all().collect();
    longer(classes, HandKey::EMPTY, &deck, 7, &mut counts);
    counts
}

fn longer(
    classes: &HandClasses<7>,
    held: HandKey,
    behind: &[Card],
    missing: usize,
    counts: &mut [u32],
) {
    for (place, card) in behind.iter().enumerate() {
        let held = held.plus(*card);
        if missing == 1 {
            counts[classes.class(held).index()] += 1;
        } else {
            longer(classes, held, &behind[place + 1..], missing - 1, counts);
        }
    }
}

/// Compares how many hands meet a condition by their classes and by the counts that the bets
/// are computed from.
fn check(classes: &HandClasses<7>, counts: &[u32]) -> Result<(), Box<dyn Error>> {
    type Holds = fn(HandFacts) -> bool;
    let conditions: [(&[&str], Holds); 7] = [
        (&["royal_flush"], HandFacts::has_royal_flush),
        (&["straight_flush"], HandFacts::has_straight_flush),
        (&["four_of_a_kind"], HandFacts::has_four_of_a_kind),
        (&["full_house"], HandFacts::has_full_house),
        (&["flush"], HandFacts::has_flush),
        (&["straight"], HandFacts::has_straight),
        (&["pairs:3", "no_three_of_a_kind", "no_straight", "no_flush"], HandFacts::is_three_pair),
    ];
    for (terms, holds) in conditions {
        let found = classes.all().zip(counts).filter(|(class, _)| holds(classes.facts(*class)));
        let found: u64 = found.map(|(_, hands)| u64::from(*hands)).sum();
        let term = |text: &&str| Term::parse(text, BetSubject::SeatHand, 7);
        let terms: Option<Vec<Term>> = terms.iter().map(term).collect();
        let condition = terms.and_then(|terms| Condition::new([terms])).ok_or("no condition")?;
        let asked: Vec<CardTerm> = condition.card_terms().into_iter().collect();
        let known =
            TermCounts::of((7, JokerUse::SemiWild), &asked).ok_or("seven cards are counted")?;
        let met = known.hands.iter().filter(|(met, _)| known.holds(&condition, **met));
        let expected: u64 = met.map(|(_, hands)| hands).sum();
        if found != expected {
            return Err(format!("{condition}: {found} hands, not {expected}").into());
        }
    }
    Ok(())
}
