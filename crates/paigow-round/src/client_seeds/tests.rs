use super::*;

const ROUND: Hash = Hash::ZERO;

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn seed_of(number: u8) -> Vec<u8> {
    vec![number; 16]
}

/// Returns the seats at fault. The seats `committed` have committed to seeds of their own, and
/// `wagered` have wagers. Each pair of `revealed` is a seat, and the number whose seed it shows.
fn at_fault(
    policy: ClientPolicy,
    committed: &[u8],
    wagered: &[u8],
    revealed: &[(u8, u8)],
) -> Vec<u8> {
    let commit =
        |number: &u8| (seat(*number), client_commit(&ROUND, seat(*number), &seed_of(*number)));
    let committed = committed.iter().map(commit).collect();
    let revealed = revealed.iter().map(|(at, of)| (seat(*at), seed_of(*of))).collect();
    let wagered = wagered.iter().copied().map(seat);
    let faults = check(policy, &ROUND, &committed, wagered, &revealed);
    faults.iter().map(|fault| fault.seat.number()).collect()
}

#[test]
fn each_seat_whose_seed_does_not_fit_is_named_and_no_other() {
    use ClientPolicy::{Committed, None, Optional};
    for (policy, committed, wagered, revealed, wanted) in [
        // none: C = R = {}.
        (None, &[][..], &[1, 2][..], &[][..], &[][..]),
        (None, &[], &[1, 2], &[(2, 2)], &[2]),
        (None, &[1], &[1, 2], &[], &[1]),
        // optional: R = C, C within W.
        (Optional, &[], &[1, 2], &[], &[]),
        (Optional, &[2], &[1, 2], &[(2, 2)], &[]),
        (Optional, &[2], &[1, 2], &[], &[2]),
        (Optional, &[2], &[1, 2], &[(1, 1), (2, 2)], &[1]),
        (Optional, &[2, 3], &[1, 2], &[(2, 2), (3, 3)], &[3]),
        (Optional, &[1, 2], &[1, 2], &[(1, 2), (2, 1)], &[1, 2]),
        // committed: R = C = W.
        (Committed, &[1, 2], &[1, 2], &[(1, 1), (2, 2)], &[]),
        (Committed, &[1, 2], &[1, 2], &[(1, 1), (2, 3)], &[2]),
        (Committed, &[1], &[1, 2], &[(1, 1)], &[2]),
        (Committed, &[1, 2, 3], &[1, 2], &[(1, 1), (2, 2), (3, 3)], &[3]),
        (Committed, &[1, 2], &[1, 2], &[(2, 2)], &[1]),
    ] {
        let found = at_fault(policy, committed, wagered, revealed);
        assert_eq!(found, wanted, "{policy:?} {committed:?} {wagered:?} {revealed:?}");
    }
}
