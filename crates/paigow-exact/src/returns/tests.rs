use super::*;

#[test]
fn the_average_and_the_variance_are_those_of_the_results() {
    // A win of 19/20 twice, a push three times, a loss five times. The average is -3.1/10, the mean
    // square 6.805/10, the variance 0.6805 - 0.0961.
    let returns = Returns::new([(19, 1), (-20, 5), (0, 3), (19, 1)], 20, 10).unwrap();
    assert_eq!(returns.average(), Fraction::new(-31, 100));
    assert_eq!(returns.edge(), Fraction::new(31, 100));
    assert_eq!(returns.variance(), Fraction::new(5_844, 10_000));
    let results: Vec<(String, u128)> =
        returns.results().map(|(net, pairs)| (net.to_string(), pairs)).collect();
    let expected = [("-1/1", 5), ("0/1", 3), ("19/20", 2)];
    assert_eq!(results, expected.map(|(net, pairs)| (net.to_owned(), pairs)));
}

#[test]
fn results_that_are_not_of_all_pairs_are_refused() {
    assert_eq!(Returns::new([(1, 1)], 1, 2), None);
    assert_eq!(Returns::new([(1, 2)], 0, 2), None);
    assert_eq!(Returns::new([], 1, 0), None);
}

#[test]
fn the_largest_counts_of_the_games_fit() {
    // All deals of seven cards, with a commission of 5 %.
    let pairs: u128 = 154_143_080 * 53_524_680;
    let returns = Returns::new([(38, 1), (19, pairs / 2), (-40, pairs - pairs / 2 - 1)], 20, pairs);
    assert!(returns.unwrap().variance().is_some());
}
