use super::*;

fn covered(win: i128, returned: i128, uncovered: Option<i128>) -> CoveredWager {
    CoveredWager { is_covered: true, win, returned, uncovered }
}

fn returned(stake: i128, uncovered: Option<i128>) -> CoveredWager {
    CoveredWager { is_covered: false, win: 0, returned: stake, uncovered }
}

#[test]
fn a_win_beyond_the_bank_is_paid_in_part_and_what_follows_is_returned() {
    let mut pool = BankPool::new(100);
    assert_eq!(pool.settle(60, WagerVerdict::Won(60)), covered(60, 120, None));
    // 40 are left of 100.
    assert_eq!(pool.settle(50, WagerVerdict::Won(100)), covered(40, 90, Some(60)));
    assert_eq!(pool.settle(10, WagerVerdict::Won(80)), returned(10, Some(80)));
    assert_eq!(pool.settle(10, WagerVerdict::Lost), returned(10, Some(10)));
    assert_eq!(pool.settle(10, WagerVerdict::Push), returned(10, None));
    assert_eq!(pool.net(), -100);
}

#[test]
fn a_loss_beyond_twice_the_bank_is_collected_in_part_and_what_follows_is_returned() {
    let mut pool = BankPool::new(100);
    assert_eq!(pool.settle(70, WagerVerdict::Lost), covered(0, 0, None));
    // He holds 170 and may hold 200.
    assert_eq!(pool.settle(50, WagerVerdict::Lost), covered(0, 20, Some(20)));
    assert_eq!(pool.settle(50, WagerVerdict::Won(50)), returned(50, Some(50)));
    assert_eq!(pool.net(), 100);
}

#[test]
fn the_last_unit_is_covered_in_full() {
    let mut pool = BankPool::new(100);
    assert_eq!(pool.settle(100, WagerVerdict::Won(100)), covered(100, 200, None));
    let mut pool = BankPool::new(100);
    assert_eq!(pool.settle(100, WagerVerdict::Lost), covered(0, 0, None));
}

#[test]
fn what_was_won_pays_later_wins() {
    let mut pool = BankPool::new(100);
    assert_eq!(pool.settle(50, WagerVerdict::Lost), covered(0, 0, None));
    assert_eq!(pool.settle(150, WagerVerdict::Won(150)), covered(150, 300, None));
    assert_eq!(pool.net(), -100);
}
