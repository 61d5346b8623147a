//! The ways to hold ranks: how often each, and the joker.

/// How often each rank is held, by its index.
pub(super) type CountsByRank = [u8; 13];

/// The first rank of the higher ones, which are counted apart: the eight.
pub(super) const HIGHER: usize = 6;

/// Returns every way to hold `cards` cards of the ranks with these indices, no rank more
/// than `most` times.
pub(super) fn ways(first: usize, end: usize, cards: u8, most: u8) -> Vec<CountsByRank> {
    let mut found = Vec::new();
    extend(first, end, cards, most, [0; 13], &mut found);
    found
}

fn extend(
    next: usize,
    end: usize,
    left: u8,
    most: u8,
    counts: CountsByRank,
    found: &mut Vec<CountsByRank>,
) {
    if left == 0 {
        found.push(counts);
    } else if next < end {
        for held in 0..=left.min(most) {
            let mut counts = counts;
            counts[next] = held;
            extend(next + 1, end, left - held, most, counts, found);
        }
    }
}

/// Returns both together.
pub(super) fn plus(a: CountsByRank, b: CountsByRank) -> CountsByRank {
    let mut sum = a;
    for (count, more) in sum.iter_mut().zip(b) {
        *count += more;
    }
    sum
}

/// Returns how many cards there are.
pub(super) fn cards(counts: &CountsByRank) -> u8 {
    counts.iter().sum()
}

/// Returns the ranks of a set, bit `n` the rank with index `n`, once each.
pub(super) fn of_set(ranks: u16) -> CountsByRank {
    std::array::from_fn(|rank| u8::from(ranks >> rank & 1 == 1))
}
