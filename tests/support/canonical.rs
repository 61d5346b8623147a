//! Every hand of seven up to a renaming of suits, with how many hands it stands for.

use paigow::cards::{Card, Rank, Suit};

/// A hand up to a renaming of suits: one mask of ranks per suit, never rising, and
/// whether the joker is there.
#[derive(Clone, Copy)]
pub(crate) struct Canonical {
    suits: [u16; 4],
    pub(crate) joker: bool,
}

impl Canonical {
    /// The cards of the hand, its four masks in the suits named.
    pub(crate) fn cards(self, names: [Suit; 4]) -> [Card; 7] {
        let mut cards = [Card::JOKER; 7];
        let mut len = 0;
        for (mask, suit) in self.suits.into_iter().zip(names) {
            for rank in Rank::ALL {
                if mask >> rank.index() & 1 == 1 {
                    cards[len] = Card::new(rank, suit);
                    len += 1;
                }
            }
        }
        assert_eq!(len + usize::from(self.joker), 7);
        cards
    }

    /// How many hands are this one with suits renamed: 24 over the renamings that
    /// change nothing, which permute suits with equal masks.
    pub(crate) fn multiplicity(self) -> u64 {
        let mut unchanged = 1;
        let mut run = 1;
        for pair in self.suits.windows(2) {
            run = if pair[0] == pair[1] { run + 1 } else { 1 };
            unchanged *= run;
        }
        24 / unchanged
    }
}

/// Calls `visit` with every canonical hand and its number.
pub(crate) fn every_canonical(mut visit: impl FnMut(usize, Canonical)) {
    let mut by_len = vec![Vec::new(); 14];
    for mask in 0..1_u16 << 13 {
        by_len[mask.count_ones() as usize].push(mask);
    }
    let mut number = 0;
    for joker in [false, true] {
        let cards = 7 - u32::from(joker);
        for highest in (0..1_u16 << 13).rev() {
            let Some(left) = cards.checked_sub(highest.count_ones()) else { continue };
            for second in (0..=highest).rev() {
                let Some(left) = left.checked_sub(second.count_ones()) else { continue };
                for third_len in 0..=left {
                    for &third in by_len[third_len as usize].iter().rev() {
                        if third > second {
                            continue;
                        }
                        for &fourth in &by_len[(left - third_len) as usize] {
                            if fourth > third {
                                break;
                            }
                            let suits = [highest, second, third, fourth];
                            visit(number, Canonical { suits, joker });
                            number += 1;
                        }
                    }
                }
            }
        }
    }
}
