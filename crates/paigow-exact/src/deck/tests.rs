use super::*;

fn choose(all: u64, taken: u64) -> u64 {
    (0..taken).fold(1, |ways, place| ways * (all - place) / (place + 1))
}

#[test]
fn the_sets_of_the_full_deck_are_as_many_as_known() {
    // Known numbers; each orbit is counted whole.
    for (len, known) in (0..).zip([1, 14, 182, 1_924, 18_187]) {
        let sets = SymmetricDeck::full().sets(len);
        assert_eq!(sets.len(), known, "{len} cards");
        let all: u64 = sets.iter().map(|set| set.multiplicity()).sum();
        assert_eq!(all, choose(53, len as u64), "{len} cards");
    }
}

#[test]
fn a_reduced_deck_has_its_cards_and_every_set_of_them_once() {
    let ranks = [Rank::Two, Rank::Nine, Rank::Ace];
    let deck = SymmetricDeck::reduced(&ranks, 3, true);
    let codes: Vec<String> = deck.cards().map(|card| card.to_string()).collect();
    assert_eq!(codes.join(" "), "2c 9c Ac 2d 9d Ad 2h 9h Ah Jk");
    for len in 0..=7_u64 {
        let sets = deck.sets(usize::try_from(len).unwrap());
        let all: u64 = sets.iter().map(|set| set.multiplicity()).sum();
        assert_eq!(all, choose(10, len), "{len} cards");
        for set in sets {
            assert_eq!(deck.cards().filter(|card| set.holds(*card)).count() as u64, len);
        }
    }
    assert_eq!(SymmetricDeck::reduced(&ranks, 2, false).cards().count(), 6);
}
