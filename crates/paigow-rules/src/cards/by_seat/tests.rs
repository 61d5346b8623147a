use super::*;

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

#[test]
fn positions_come_in_their_order_whatever_the_order_they_went_in() {
    let map: BySeat<char> = [(seat(7), 'a'), (seat(0), 'b'), (seat(3), 'c')].into_iter().collect();
    let by_seat = [(seat(0), 'b'), (seat(3), 'c'), (seat(7), 'a')];
    assert!(map.iter().map(|(seat, letter)| (seat, *letter)).eq(by_seat));
    assert!(map.into_iter().eq(by_seat));
    assert!(map.values().eq(&['b', 'c', 'a']));
    assert!(map.seats().eq([0, 3, 7].map(seat)));
    assert_eq!((map.len(), map.is_empty()), (3, false));
    assert_eq!(format!("{map:?}"), "{Seat(0): 'b', Seat(3): 'c', Seat(7): 'a'}");
}

#[test]
fn a_position_has_what_it_was_given_last() {
    let mut map = BySeat::new();
    assert_eq!((map.get(seat(2)), map.len(), map.is_empty()), (None, 0, true));
    assert_eq!(map.insert(seat(2), 'a'), None);
    assert_eq!(map.insert(seat(2), 'b'), Some('a'));
    assert_eq!(*map.get_or_insert_with(seat(2), || 'c'), 'b');
    assert_eq!(*map.get_or_insert_with(seat(1), || 'c'), 'c');
    map.values_mut().for_each(|letter| letter.make_ascii_uppercase());
    assert_eq!((map[seat(1)], map.get(seat(2)), map.get(seat(0))), ('C', Some(&'B'), None));
    assert!(map.contains(seat(1)) && !map.contains(seat(0)));
}
