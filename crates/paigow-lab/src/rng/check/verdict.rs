//! The joint verdict of many p-values.

#![expect(clippy::float_arithmetic, reason = "a significance is shared out")]

use super::gamma::as_float;
use super::goodness::{ExpectedCounts, goodness};
use super::plan::CheckTest;

/// The chance that a sound generator fails the battery.
///
/// Half of it is for counts that are too uneven, half for counts that are too even. Only tests with
/// ten degrees of freedom or more can fail as too even.
pub(super) const SIGNIFICANCE: f64 = 0.01;

/// Returns which of the hypotheses with these p-values Holm's procedure rejects, at `significance`
/// for the family (Holm 1979).
///
/// It goes through the `m` p-values from the smallest on. The `k`th is rejected if it is at most
/// `significance / (m - k + 1)`. The first that is not rejected ends the procedure.
pub(super) fn rejected(p_values: &[f64], significance: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut rejected = vec![false; p_values.len()];
    let left = (1..=u64::try_from(order.len()).unwrap_or(u64::MAX)).rev();
    for (place, left) in order.into_iter().zip(left) {
        if p_values[place] > significance / as_float(left) {
            break;
        }
        rejected[place] = true;
    }
    rejected
}

/// Why a test failed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum TestFailure {
    /// The counts differ more from their expectations than chance allows.
    TooUneven,
    /// They differ less than chance allows, as if they were made to fit.
    TooEven,
}

/// The least degrees of freedom of a test that can be too even. With fewer, the statistic takes few
/// values near 0. Of 10,000 coins, exactly half fall heads once in 125 times, which proves nothing.
const LEAST_DOF_TO_BE_EVEN: u64 = 10;

/// Judges tests together. Returns the failure of each, in their order. Tests without a result do
/// not count.
pub(super) fn judge(tests: &[CheckTest]) -> Vec<Option<TestFailure>> {
    let mut failures = vec![None; tests.len()];
    let fits = tests.iter().enumerate();
    let fits = fits.filter_map(|(place, test)| Some((place, test.result.as_ref().ok()?)));
    let (places, upper): (Vec<usize>, Vec<f64>) =
        fits.clone().map(|(place, fit)| (place, fit.tails.upper)).unzip();
    mark(&mut failures, &places, &upper, TestFailure::TooUneven);
    let fits = fits.filter(|(_, fit)| fit.dof >= LEAST_DOF_TO_BE_EVEN);
    let (places, lower): (Vec<usize>, Vec<f64>) =
        fits.map(|(place, fit)| (place, fit.tails.lower)).unzip();
    mark(&mut failures, &places, &lower, TestFailure::TooEven);
    failures
}

/// Marks those that Holm's procedure rejects at half of the significance.
fn mark(
    failures: &mut [Option<TestFailure>],
    places: &[usize],
    p_values: &[f64],
    as_what: TestFailure,
) {
    for (place, rejected) in places.iter().zip(rejected(p_values, SIGNIFICANCE / 2.0)) {
        if rejected {
            failures[*place] = Some(as_what);
        }
    }
}

/// Tests the p-values of independent tests: each tenth of the range from 0 to 1 should have the
/// same number. A battery whose p-values are all unsuspicious is suspicious itself.
pub(super) fn p_values(tests: &[CheckTest]) -> CheckTest {
    let mut observed = [0; 10];
    for fit in tests.iter().filter_map(|test| test.result.as_ref().ok()) {
        let tenth = (1_u8..10).filter(|n| fit.tails.upper >= f64::from(*n) / 10.0).count();
        observed[tenth] += 1;
    }
    CheckTest {
        group: "p-values",
        name: "of uniform and serial, by tenths".to_owned(),
        result: goodness(&observed, ExpectedCounts::Equal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holms_procedure_stops_at_the_first_that_it_keeps() {
        // The worked example of Holm's procedure at 0.05. In order, the values are 0.005, 0.01,
        // 0.03, 0.04. The first two hold: 0.005 <= 0.05 / 4 and 0.01 <= 0.05 / 3. The third is
        // above 0.05 / 2, so it and all after it are not rejected.
        assert_eq!(rejected(&[0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
        // If the largest is rejected, all are.
        assert_eq!(rejected(&[0.01, 0.04, 0.02, 0.005], 0.05), [true; 4]);
        // Without the rule for many tests 0.04 would fall alone.
        assert_eq!(rejected(&[0.04, 0.5], 0.05), [false, false]);
        assert_eq!(rejected(&[], 0.05), [false; 0]);
    }

    #[test]
    fn coins_may_fall_evenly() {
        assert_eq!(judge(&[of(&[5000, 5000])]), [None]);
        assert_eq!(judge(&[of(&[5000; 11])]), [Some(TestFailure::TooEven)]);
        assert_eq!(judge(&[of(&[5000; 10])]), [None], "nine degrees of freedom");
    }

    fn of(observed: &[u64]) -> CheckTest {
        let result = goodness(observed, ExpectedCounts::Equal);
        CheckTest { group: "uniform", name: String::new(), result }
    }

    #[test]
    fn too_uneven_and_too_even_both_fail_and_the_untested_does_not() {
        let even: Vec<u64> = vec![1000; 53];
        // About one standard deviation off, to either side.
        let ordinary: Vec<u64> = (0..52).map(|n| if n % 2 == 0 { 968 } else { 1032 }).collect();
        let tests = [of(&[900, 1100]), of(&ordinary), of(&[1, 2]), of(&even)];
        let failures = [Some(TestFailure::TooUneven), None, None, Some(TestFailure::TooEven)];
        assert_eq!(judge(&tests), failures);
    }
}
