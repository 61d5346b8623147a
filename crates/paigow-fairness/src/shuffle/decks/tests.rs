use super::super::{residue, shuffled};
use super::*;
use proptest::prelude::*;

/// Written words, then zeros. At most five words can be read ahead.
struct Written {
    words: Vec<[u8; 4]>,
    used: usize,
}

impl Written {
    fn of(words: &[u32]) -> Self {
        Self { words: words.iter().map(|word| word.to_le_bytes()).collect(), used: 0 }
    }
}

impl Words for Written {
    fn at_hand(&mut self) -> &[[u8; 4]] {
        match self.words.get(self.used..) {
            Some(rest) if !rest.is_empty() => &rest[..rest.len().min(5)],
            _ => &[[0; 4]; 5],
        }
    }

    fn pass(&mut self, count: usize) {
        self.used += count;
    }
}

#[test]
fn the_residue_without_a_division_is_the_residue() {
    for draw in DRAWS {
        let about = (0..=u64::from(u32::MAX) / draw.bound).step_by(40_009);
        let multiples = about.map(|times| times * draw.bound);
        let edges = [0, u64::from(draw.last), u64::from(u32::MAX)];
        for word in multiples.chain(edges).flat_map(|word| word.saturating_sub(2)..word + 3) {
            let Ok(word) = u32::try_from(word) else { continue };
            let ours = draw.of(word).map(u64::from);
            assert_eq!(ours, residue(u64::from(word), draw.bound, WORD_RANGE), "{word}");
        }
    }
}

#[test]
fn decks_passed_over_are_as_if_dealt() {
    let seed = RoundSeed::new([4; 32]);
    let (mut dealt, mut skipped) = (KeystreamDecks::new(&seed), KeystreamDecks::new(&seed));
    let seventh: [Card; 14] = [(); 7].map(|()| dealt.deal())[6];
    skipped.skip::<14>(6);
    assert_eq!(skipped.deal(), seventh);
}

#[test]
fn decks_follow_one_another_in_one_stream() {
    let seed = RoundSeed::new([3; 32]);
    let mut decks = KeystreamDecks::new(&seed);
    let mut words = Keystream::new(&seed, DECK_STREAM);
    for _ in 0..100 {
        let ours: [Card; 52] = decks.deal();
        assert_eq!(ours, shuffled(&mut words, DECK_LEN)[..52]);
    }
}

proptest! {
    #[test]
    fn the_first_cards_are_those_of_the_whole_shuffle(
        words in prop::collection::vec(prop_oneof![any::<u32>(), u32::MAX - 60..=u32::MAX], 80)
    ) {
        let (mut some, mut all) = (Written::of(&words), Written::of(&words));
        let first: [Card; 14] = first_cards(&mut some);
        let whole = shuffled(&mut all, DECK_LEN);
        prop_assert_eq!(&first[..], &whole[..14]);
        let mut again = Written::of(&words);
        prop_assert_eq!(&shuffled_to(DECK_LEN, &mut again)[..], whole);
        prop_assert_eq!(again.used, all.used);
        // As many words as draws and refusals: the next deck begins after them.
        let refused = words[..some.used]
            .iter()
            .scan(0, |i, word| {
                let is_refused = *word > DRAWS[*i].last;
                *i += usize::from(!is_refused);
                Some(is_refused)
            })
            .filter(|is_refused| *is_refused)
            .count();
        prop_assert_eq!(some.used, 14 + refused);
    }
}
