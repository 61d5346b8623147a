use super::*;

#[test]
fn hands_are_chosen_in_as_many_ways_as_known() {
    for (all, taken, ways) in
        [(53, 7, 154_143_080), (53, 6, 22_957_480), (53, 3, 23_426), (26, 7, 657_800), (27, 0, 1)]
    {
        assert_eq!(choose(all, taken), ways);
    }
    assert_eq!(every_three().count(), 23_426);
}
