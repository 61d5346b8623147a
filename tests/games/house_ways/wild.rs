//! The page on the joker that is wild, `docs/certify/wild-joker.md`.

use std::collections::BTreeMap;
use std::path::Path;

use super::{cards, way};

/// How many of the four cards of a rank can be held, by how many they are.
const OF_A_RANK: [u64; 5] = [1, 4, 6, 4, 1];

/// Counts the hands of `left` cards from `ranks` ranks, by the sizes of their groups of equal ranks,
/// the largest first.
fn by_groups(ranks: u8, left: usize) -> BTreeMap<Vec<usize>, u64> {
    if ranks == 0 {
        return if left == 0 { [(Vec::new(), 1)].into() } else { BTreeMap::new() };
    }
    let mut counts = BTreeMap::new();
    for (size, of_a_rank) in OF_A_RANK.into_iter().enumerate().take(left + 1) {
        for (mut groups, hands) in by_groups(ranks - 1, left - size) {
            groups.extend((size > 0).then_some(size));
            groups.sort_unstable_by(|a, b| b.cmp(a));
            *counts.entry(groups).or_default() += hands * of_a_rank;
        }
    }
    counts
}

#[test]
fn the_page_lists_every_hand_with_the_joker() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/certify/wild-joker.md");
    let page = std::fs::read_to_string(page).unwrap();
    let way = way("trump-plaza-wild");
    let mut listed = BTreeMap::new();
    for row in page.lines().filter(|line| line.contains("| Jk ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let hand = cards(cells[5].split_whitespace());
        let low = way.set(&hand).unwrap().low;
        assert_eq!(low[..], cards(cells[6].split_whitespace()), "{row}");
        let mut groups: BTreeMap<_, usize> = BTreeMap::new();
        for card in hand.iter().filter(|card| !card.is_joker()) {
            *groups.entry(card.rank()).or_default() += 1;
        }
        let mut sizes: Vec<usize> = groups.into_values().collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        listed.insert(sizes, cells[2].replace(',', "").parse().unwrap());
    }
    assert_eq!(listed, by_groups(13, 6));
    // 52 choose 6.
    assert_eq!(listed.values().sum::<u64>(), 20_358_520);
}
