//! Shuffled decks and dice: patterns that a player could notice.

use super::classes::{CLASSES, hands_of_classes};
use super::dealt::{DeckTally, PACKETS, PAIRS, PreviousDeck, positions_of};
use super::goodness::{ExpectedCounts, goodness, permutation_table};
use super::plan::{CheckRun, CheckTest, pieces, rounds_of};
use super::start::{positions_of_dice, throws_of_positions};
use crate::CommandError;
use paigow_rules::cards::DECK_LEN;

/// How many decks are one piece of work.
const PIECE: u64 = 10_000;

const SQUARE: usize = DECK_LEN * DECK_LEN;

/// Returns the number of pieces of work of the tests.
pub(super) fn work(decks: u64) -> usize {
    pieces(decks, PIECE)
}

/// Deals the decks of table `decks` and tests them.
pub(super) fn tests(run: &CheckRun<'_>) -> Result<Vec<CheckTest>, CommandError> {
    let tally = deal(run);
    Ok(of_decks(&tally).into_iter().chain(of_dice(&tally)?).collect())
}

/// Tests counts of decks, whatever has dealt them.
pub(super) fn of_decks(tally: &DeckTally) -> Vec<CheckTest> {
    let positions =
        tally.table.chunks(DECK_LEN).enumerate().map(|(position, observed)| CheckTest {
            group: "position",
            name: format!("card at position {position}"),
            result: goodness(observed, ExpectedCounts::Equal),
        });
    let table = CheckTest {
        group: "table",
        name: "positions by cards".to_owned(),
        result: permutation_table(&tally.table, 53),
    };
    let pairs = tally.pairs.chunks(SQUARE).take(PAIRS).enumerate().map(|(pair, observed)| {
        let (first, second) = positions_of(pair);
        CheckTest {
            group: "pair",
            name: format!("cards at positions {first} and {second}"),
            result: goodness(observed, ExpectedCounts::Weights(&all_different::<2>())),
        }
    });
    let triples = CheckTest {
        group: "first three",
        name: "cards at positions 0, 1 and 2".to_owned(),
        result: goodness(&tally.triples, ExpectedCounts::Weights(&all_different::<3>())),
    };
    let steps = tally.steps.chunks(DECK_LEN).enumerate().map(|(position, observed)| CheckTest {
        group: "step",
        name: format!("from deck to deck at position {position}"),
        result: goodness(observed, ExpectedCounts::Equal),
    });
    let matches = CheckTest {
        group: "matches",
        name: "cards that stay from deck to deck".to_owned(),
        result: goodness(&tally.matches, ExpectedCounts::Weights(&permutations_by_matches())),
    };
    let classes = tally.classes.chunks(CLASSES).take(PACKETS).enumerate();
    let classes = classes.map(|(packet, observed)| CheckTest {
        group: "class",
        name: format!("hand of packet {packet}"),
        result: goodness(observed, ExpectedCounts::Weights(hands_of_classes())),
    });
    let of_each = hands_of_classes();
    let both: Vec<u64> =
        of_each.iter().flat_map(|one| of_each.iter().map(move |other| one * other)).collect();
    let successive = CheckTest {
        group: "successive classes",
        name: "hands of packet 0 of two decks".to_owned(),
        result: goodness(&tally.successive, ExpectedCounts::Weights(&both)),
    };
    positions
        .chain([table])
        .chain(pairs)
        .chain([triples])
        .chain(steps)
        .chain([matches])
        .chain(classes)
        .chain([successive])
        .collect()
}

fn of_dice(tally: &DeckTally) -> Result<[CheckTest; 3], CommandError> {
    let mut started = [0; 7];
    for (throw, position) in positions_of_dice()?.into_iter().enumerate() {
        started[usize::from(position)] += tally.dice[throw];
    }
    Ok([
        CheckTest {
            group: "dice",
            name: "three dice".to_owned(),
            result: goodness(&tally.dice, ExpectedCounts::Equal),
        },
        CheckTest {
            group: "start",
            name: "position dealt to first".to_owned(),
            result: goodness(&started, ExpectedCounts::Weights(&throws_of_positions())),
        },
        CheckTest {
            group: "dice and deck",
            name: "first die by first card".to_owned(),
            result: goodness(&tally.die_and_card, ExpectedCounts::Equal),
        },
    ])
}

fn deal(run: &CheckRun<'_>) -> DeckTally {
    let seeds = run.seeds("decks");
    let gathered = run.gather(work(run.plan.decks), |piece, tally: &mut DeckTally| {
        let mut before: Option<PreviousDeck> = None;
        rounds_of(piece, PIECE, run.plan.decks, &seeds, |round, seed| {
            if before.is_none() && round > 0 {
                // Rounds are numbered from 1, so this is the one before.
                before = Some(PreviousDeck::of(run.generator, &seeds.seed(round)));
            }
            before = Some(tally.count(run.generator, round, seed, before.as_ref()));
        });
    });
    let mut all = DeckTally::default();
    for tally in &gathered {
        all.add(tally);
    }
    all
}

/// Returns the weights of tuples of `N` cards, in the order of their numbers: 1 if all differ, 0
/// otherwise.
fn all_different<const N: usize>() -> Vec<u64> {
    let tuples = (0..N).fold(1, |cells, _| cells * DECK_LEN);
    let cards = |mut tuple: usize| {
        [(); N].map(|()| {
            let card = tuple % DECK_LEN;
            tuple /= DECK_LEN;
            card
        })
    };
    let differ = |cards: [usize; N]| (1..N).all(|n| !cards[..n].contains(&cards[n]));
    (0..tuples).map(|tuple| u64::from(differ(cards(tuple)))).collect()
}

/// Returns the number of permutations of twenty items by how many items they leave in place.
///
/// A random permutation leads from one deck to the next, so this is the distribution of matches.
/// For 53 items it differs by less than 10^-14 for every number of matches, but its terms do not
/// fit 64 bits.
fn permutations_by_matches() -> Vec<u64> {
    const ITEMS: usize = 20;
    // Derangements: D(n) = (n - 1) (D(n - 1) + D(n - 2)).
    let mut derangements = vec![1_u64, 0];
    for n in 2..=ITEMS {
        let before = derangements[n - 1] + derangements[n - 2];
        derangements.push(u64::try_from(n - 1).expect("below 20") * before);
    }
    let mut weights = vec![0; DECK_LEN + 1];
    let mut ways = 1_u64;
    for stay in 0..=ITEMS {
        weights[stay] = ways * derangements[ITEMS - stay];
        // 20 choose `stay + 1`
        let (left, next) = (ITEMS - stay, stay + 1);
        ways = ways * u64::try_from(left).expect("at most 20")
            / u64::try_from(next).expect("at most 21");
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_of_different_cards_are_as_many_as_known() {
        // 53 x 52 and 53 x 52 x 51.
        assert_eq!(all_different::<2>().iter().sum::<u64>(), 2_756);
        assert_eq!(all_different::<3>().iter().sum::<u64>(), 140_556);
    }

    #[test]
    fn matches_add_up_to_all_permutations() {
        let weights = permutations_by_matches();
        // 20!, and the derangements of 20 items (OEIS A000166).
        assert_eq!(weights.iter().sum::<u64>(), 2_432_902_008_176_640_000);
        assert_eq!(weights[0], 895_014_631_192_902_121);
        assert_eq!((weights[19], weights[20], weights.len()), (0, 1, 54));
    }
}
