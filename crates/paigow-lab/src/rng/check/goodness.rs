//! Pearson's chi-square test of counts against exact expectations.

#![expect(clippy::float_arithmetic, reason = "the statistic is a float from its last sum on")]

use super::gamma::{TailProbabilities, as_float, chi_square_tails};

/// The least expected count of a cell. Below it the statistic no longer follows its distribution
/// (Cochran's rule).
pub(super) const LEAST_EXPECTED: u64 = 5;

/// The relative probability of each cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExpectedCounts<'w> {
    /// Every cell is as likely as any other.
    Equal,
    /// A cell is as likely as its weight in the sum of all. A cell of weight 0 is impossible.
    Weights(&'w [u64]),
}

/// How well counts fit their expectations.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Goodness {
    /// How many samples were counted.
    pub(super) samples: u64,
    /// How many cells there are after pooling.
    pub(super) cells: u64,
    /// The degrees of freedom.
    pub(super) dof: u64,
    /// The statistic; infinite if an impossible value was counted.
    pub(super) statistic: f64,
    /// The chance of a statistic as small or as large as that.
    pub(super) tails: TailProbabilities,
}

/// How many samples a test needs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct SampleShortage {
    pub(super) needed: u64,
}

/// Tests counts against their expectations.
///
/// The statistic is the sum of `(O - E)^2 / E`. For a cell of weight `w` in a sum of weights `T`,
/// `E = N w / T` of `N` samples. `O T - N w` is exact; only its square's share is a float. Cells
/// that are expected fewer than five times are pooled. The least likely of the others join them
/// until the pool is expected five times.
///
/// # Errors
///
/// If fewer than two cells are left, or if equally likely cells are expected too rarely.
pub(super) fn goodness(
    observed: &[u64],
    expected: ExpectedCounts<'_>,
) -> Result<Goodness, SampleShortage> {
    let samples: u64 = observed.iter().sum();
    let equal;
    let weights = match expected {
        ExpectedCounts::Weights(weights) => weights,
        ExpectedCounts::Equal => {
            equal = vec![1; observed.len()];
            let needed = LEAST_EXPECTED * length(observed);
            if samples < needed {
                return Err(SampleShortage { needed });
            }
            &equal
        }
    };
    assert_eq!(observed.len(), weights.len(), "each cell has its weight");
    let impossible = observed.iter().zip(weights).any(|(count, weight)| *count > 0 && *weight == 0);
    let total: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    let cells = pooled(observed, weights, samples, total);
    if cells.len() < 2 {
        return Err(SampleShortage { needed: needed_for_two(weights, total) });
    }
    let statistic = if impossible { f64::INFINITY } else { statistic(&cells, samples, total) };
    let cells = length(&cells);
    let tails = chi_square_tails(cells - 1, statistic);
    Ok(Goodness { samples, cells, dof: cells - 1, statistic, tails })
}

/// Tests a table of which items are where, `items` by `items` in `observed`, row by row:
/// each row a position, each column an item, of so many permutations.
///
/// A permutation has every item once, so rows and columns add up and the plain statistic
/// is too large: its mean is `items (items - 1)`. Times `(items - 1) / items` it follows the
/// distribution with `(items - 1)^2` degrees of freedom.
///
/// # Errors
///
/// If the cells are expected too rarely.
pub(super) fn permutation_table(observed: &[u64], items: u64) -> Result<Goodness, SampleShortage> {
    let plain = goodness(observed, ExpectedCounts::Equal)?;
    let statistic = plain.statistic * as_float(items - 1) / as_float(items);
    let dof = (items - 1) * (items - 1);
    Ok(Goodness { statistic, dof, tails: chi_square_tails(dof, statistic), ..plain })
}

fn length<T>(items: &[T]) -> u64 {
    u64::try_from(items.len()).expect("tables fit in memory")
}

/// Returns counts with weights, the rare cells pooled, in the order of the cells.
fn pooled(observed: &[u64], weights: &[u64], samples: u64, total: u128) -> Vec<(u64, u128)> {
    let often = |weight: u128| weight * u128::from(samples) >= u128::from(LEAST_EXPECTED) * total;
    let mut possible: Vec<(usize, u128)> = weights
        .iter()
        .map(|weight| u128::from(*weight))
        .enumerate()
        .filter(|(_, weight)| *weight > 0)
        .collect();
    possible.sort_by_key(|(cell, weight)| (*weight, *cell));
    let mut pool = (0, 0);
    let mut taken = 0;
    for (cell, weight) in &possible {
        if often(*weight) && (taken == 0 || often(pool.1)) {
            break;
        }
        pool = (pool.0 + observed[*cell], pool.1 + weight);
        taken += 1;
    }
    let mut rest = possible.split_off(taken);
    rest.sort_unstable();
    let rest = rest.into_iter().map(|(cell, weight)| (observed[cell], weight));
    (taken > 0).then_some(pool).into_iter().chain(rest).collect()
}

/// Returns how many samples two cells need to be expected often enough: the likeliest one, and the
/// pool of all others.
fn needed_for_two(weights: &[u64], total: u128) -> u64 {
    let likeliest = weights.iter().copied().max().map_or(0, u128::from);
    let rarer = likeliest.min(total - likeliest).max(1);
    u64::try_from((u128::from(LEAST_EXPECTED) * total).div_ceil(rarer)).unwrap_or(u64::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "rounded once, from an exact numerator")]
fn statistic(cells: &[(u64, u128)], samples: u64, total: u128) -> f64 {
    let terms = cells.iter().map(|(count, weight)| {
        let observed = u128::from(*count) * total;
        let expected = u128::from(samples) * weight;
        let distance = observed.abs_diff(expected) as f64;
        distance * distance / (expected as f64 * total as f64)
    });
    terms.fold(0.0, |sum, term| sum + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statistic_of_mendels_peas_is_the_published_one() {
        // Mendel's 556 peas against 9 : 3 : 3 : 1, as textbooks have them: 0.470, 3 degrees
        // of freedom, p = 0.925.
        let fit = goodness(&[315, 101, 108, 32], ExpectedCounts::Weights(&[9, 3, 3, 1])).unwrap();
        assert_eq!((fit.samples, fit.cells, fit.dof), (556, 4, 3));
        assert!((fit.statistic - 0.470).abs() < 5e-4, "{}", fit.statistic);
        assert!((fit.tails.upper - 0.925).abs() < 5e-4, "{:?}", fit.tails);
    }

    #[test]
    fn equal_cells_have_the_statistic_of_equal_weights() {
        // 16 heads of 20: (16 - 10)^2 / 10 twice.
        let fit = goodness(&[16, 4], ExpectedCounts::Equal).unwrap();
        assert_eq!((fit.statistic, fit.dof), (7.2, 1));
        assert_eq!(goodness(&[16, 4], ExpectedCounts::Weights(&[3, 3])), Ok(fit));
    }

    #[test]
    fn rare_cells_are_pooled_until_they_are_expected_five_times() {
        // Of 100 samples the weights expect 1, 2, 47, 50: the first two make 3, so the third
        // joins them.
        let fit = goodness(&[0, 0, 40, 60], ExpectedCounts::Weights(&[1, 2, 47, 50])).unwrap();
        // (40 - 50)^2 / 50 + (60 - 50)^2 / 50
        assert_eq!((fit.cells, fit.statistic), (2, 4.0));
        // Expected 1, 4, 45, 50: the first two make 5 together.
        let fit = goodness(&[0, 10, 40, 50], ExpectedCounts::Weights(&[1, 4, 45, 50])).unwrap();
        assert_eq!(fit.cells, 3);
        assert!((fit.statistic - (5.0 + 25.0 / 45.0)).abs() < 1e-12);
    }

    #[test]
    fn too_few_samples_are_refused() {
        assert_eq!(goodness(&[4, 5], ExpectedCounts::Equal), Err(SampleShortage { needed: 10 }));
        assert!(goodness(&[3, 1], ExpectedCounts::Weights(&[1, 1])).is_err());
        assert!(goodness(&[0, 0], ExpectedCounts::Weights(&[1, 1])).is_err());
    }

    #[test]
    fn the_impossible_cannot_be_explained() {
        let fit = goodness(&[50, 49, 1], ExpectedCounts::Weights(&[1, 1, 0])).unwrap();
        assert_eq!((fit.statistic, fit.tails.upper), (f64::INFINITY, 0.0));
        let fit = goodness(&[50, 50, 0], ExpectedCounts::Weights(&[1, 1, 0])).unwrap();
        assert_eq!((fit.dof, fit.statistic), (1, 0.0));
    }

    #[test]
    fn a_table_of_permutations_is_scaled_by_its_items() {
        // One permutation of three 15 times. Each row: (15 - 5)^2 / 5 + 2 x 5^2 / 5 = 30.
        let table = permutation_table(&[15, 0, 0, 0, 15, 0, 0, 0, 15], 3).unwrap();
        assert_eq!((table.statistic, table.dof), (60.0, 4));
    }

    #[test]
    fn tables_of_permutations_have_the_mean_and_the_variance_of_their_distribution() {
        // 600 tables of 320 random permutations of 8 items: mean 49, variance 98, and the
        // means of so many vary by 0.4 and by 5.8. The plain statistic has a mean of 56.
        const ITEMS: u64 = 8;
        let (mut sum, mut squares) = (0.0, 0.0);
        for table in 0..600_u16 {
            let mut key = [0; 32];
            key[..2].copy_from_slice(&table.to_le_bytes());
            let seed = paigow_fairness::secret::RoundSeed::new(key);
            let mut words = paigow_fairness::shuffle::deck_words(&seed, 320 * 8);
            let mut observed = [0; 64];
            for _ in 0..320 {
                // Sorting random words makes a permutation; two are equal once in 2^27.
                let mut items: Vec<(u32, usize)> = words.by_ref().zip(0..8).take(8).collect();
                items.sort_unstable();
                for (position, (_, item)) in items.iter().enumerate() {
                    observed[8 * position + item] += 1;
                }
            }
            let statistic = permutation_table(&observed, ITEMS).unwrap().statistic;
            sum += statistic;
            squares += statistic * statistic;
        }
        let mean = sum / 600.0;
        let variance = squares / 600.0 - mean * mean;
        assert!((mean - 49.0).abs() < 1.6, "{mean}");
        assert!((variance - 98.0).abs() < 23.0, "{variance}");
    }
}
