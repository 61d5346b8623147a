use super::*;

#[test]
fn there_are_eight_positions_and_the_first_is_the_dealers() {
    assert_eq!(Seat::new(0), Some(Seat::DEALER));
    assert!((0..=7).all(|number| Seat::new(number).is_some_and(|s| s.number() == number)));
    assert_eq!(Seat::new(8), None);
    assert!(Seat::ALL.iter().enumerate().all(|(place, seat)| seat.index() == place));
}

#[test]
fn a_table_of_six_has_seats_one_to_six() {
    let seats: Vec<String> = Seat::players(6).map(|seat| seat.to_string()).collect();
    assert_eq!(seats, ["1", "2", "3", "4", "5", "6"]);
}
