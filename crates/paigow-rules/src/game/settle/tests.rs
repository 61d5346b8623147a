use super::*;

fn seats(nets: &[i64]) -> BySeat<Box<SeatResult>> {
    let result = |net| Box::new(SeatResult { net, ..SeatResult::of(None, Vec::new()) });
    Seat::players(6).zip(nets).map(|(seat, net)| (seat, result(*net))).collect()
}

/// No input can raise this alarm, so the test calls its terms directly.
#[test]
fn money_that_comes_from_nowhere_or_goes_there_is_told_to_the_minor_unit() {
    assert_eq!(conserve(&seats(&[]), 0, 0), Ok(()));
    assert_eq!(conserve(&seats(&[500, -200]), -320, 20), Ok(()));
    let off = |off_by_minor| Err(SettleError::Conservation { off_by_minor });
    assert_eq!(conserve(&seats(&[500, -200]), -300, 20), off(20));
    assert_eq!(conserve(&seats(&[500, -200]), -320, 19), off(-1));
    assert_eq!(conserve(&seats(&[500, -199]), -320, 20), off(1));
    // Sums that overflow 64 bits are reported in full.
    let most = i128::from(i64::MAX);
    assert_eq!(conserve(&seats(&[i64::MAX, i64::MAX]), -2 * most, 0), Ok(()));
    assert_eq!(conserve(&seats(&[i64::MAX, i64::MAX]), 0, 1), off(2 * most + 1));
}
