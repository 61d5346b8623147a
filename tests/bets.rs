//! Outlaw 9 High or Better: hands that trap, a second opinion, and every hand.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use paigow::cards::{Card, Suit};
use paigow::game::{BetId, BonusBet, Evidence, Odds, Ruleset, SevenCards, shipped};
use paigow::hands::canonical_hands;

/// 53 choose 7.
const HANDS: i64 = 154_143_080;

fn mikes() -> &'static Ruleset {
    shipped().iter().find(|ruleset| ruleset.id() == "mikes").unwrap()
}

/// Mike's with the printed words for the one-colour rows.
fn with_any_colour() -> Ruleset {
    let file = mikes().text();
    let any = file.replace("one_colour = \"no_pair\"", "one_colour = \"any\"");
    assert_ne!(file, any);
    Ruleset::parse(&any).unwrap()
}

fn hand(codes: &str) -> [Card; 7] {
    let cards: Vec<Card> = codes.split(' ').map(|code| code.parse().unwrap()).collect();
    cards.try_into().unwrap()
}

fn outlaw(ruleset: &Ruleset) -> &BonusBet {
    ruleset.bonus_bet(BetId::Outlaw9).unwrap()
}

fn row<'a>(bet: &'a BonusBet, cards: &[Card; 7]) -> Option<&'a str> {
    let evidence = Evidence { cards: SevenCards::of(cards), showdown: None };
    bet.judge(&evidence).map(|row| row.id.as_str())
}

/// The hands of section 4 of the definitions, column 002, and what the one-colour
/// rows pay for them when they are read literally.
const TRAPS: [(&str, &str, &str); 26] = [
    // The joker is needed for the royal; ace and queen are no royal match.
    ("As Ks Qs Js Jk Ah Qh", "royal-flush", "royal-flush"),
    ("As Ks Qs Js Ts Jk Qh", "royal-flush", "royal-flush"),
    ("As Ks Qs Js Ts Kh Qh", "royal-flush-and-royal-match", "royal-flush-and-royal-match"),
    // The joker may stand in the royal flush, never in the match.
    ("As Jk Qs Js Ts Kh Qh", "royal-flush-and-royal-match", "royal-flush-and-royal-match"),
    ("As Ks Qs Js Ts Jk Kh", "royal-flush", "royal-flush"),
    // King and queen, but of two suits.
    ("As Ks Qs Js Ts Kh Qd", "royal-flush", "royal-flush"),
    ("As 2s 3s 4s 5s Jk 9d", "straight-flush", "straight-flush"),
    ("As 2s 3s 4s 5s 6s Kd", "straight-flush", "straight-flush"),
    ("As 2s 3s 4s 5s Ah Qh", "straight-flush", "straight-flush"),
    ("As 2s 3s 4s 5s 6s 7s", "7-card-straight-flush", "7-card-straight-flush"),
    (
        "As 2s 3s 4s 5s 6s Jk",
        "7-card-straight-flush-with-joker",
        "7-card-straight-flush-with-joker",
    ),
    // A royal flush besides, which pays less.
    ("8s 9s Ts Js Qs Ks As", "7-card-straight-flush", "7-card-straight-flush"),
    // A straight besides, which pays less though it is the lower hand.
    ("5s 5h 5d 6c 7s 8d 9c", "three-of-a-kind", "three-of-a-kind"),
    ("As Jk Kc Kh 4c 4d 9s", "three-pairs", "three-pairs"),
    // The joker is a single ace beside three pairs.
    ("Kc Kd 7c 7d 3h 3s Jk", "three-pairs", "three-pairs"),
    ("Ac Jk 2c 2d 3h 3s 4h", "straight", "straight"),
    // An ace-high pai gow.
    ("Jk 2s 4h 6d 8c Ts Qh", "", ""),
    ("Jk Ac Ad Kc Kd 7h 7d", "full-house", "full-house"),
    ("Jk Ah Ad Kh Kd 7d 6h", "full-house", "seven-cards-all-red-or-black-with-a-joker"),
    // All red: nine high pays 12 and ten high 10, the colour only 8.
    ("2h 3h 4d 5d 7h 8h 9d", "9-high-seven-cards", "9-high-seven-cards"),
    ("2h 3d 4d 5h 7h 8d Td", "10-high-seven-cards", "10-high-seven-cards"),
    ("2h 2d 9h 9d Kh Kd 4d", "three-pairs", "seven-cards-all-red-or-black"),
    // All red, but with a straight.
    ("2h 3h 4h 5d 6d 7d Kd", "straight", "straight"),
    (
        "Jk 3h 4h 5h 9d Td Kd",
        "seven-cards-all-red-or-black-with-a-joker",
        "seven-cards-all-red-or-black-with-a-joker",
    ),
    // All red with the joker, but it completes a straight.
    ("Jk Ah 4h 5h 9d Td 2d", "straight", "straight"),
    // Black, joker and ace: a pair, so no row unless pairs are allowed.
    ("Jk As 4s 6c 9c Tc Ks", "", "seven-cards-all-red-or-black-with-a-joker"),
];

#[test]
fn every_hand_that_traps_is_paid_as_published() {
    let any = with_any_colour();
    for (codes, no_pair_row, any_row) in TRAPS {
        let cards = hand(codes);
        assert_eq!(row(outlaw(mikes()), &cards).unwrap_or(""), no_pair_row, "{codes}");
        assert_eq!(row(outlaw(&any), &cards).unwrap_or(""), any_row, "{codes}, any");
    }
}

#[test]
fn the_order_of_the_cards_is_nothing() {
    for (codes, expected, _) in TRAPS {
        let mut cards = hand(codes);
        for _ in 0..7 {
            cards.rotate_left(1);
            assert_eq!(row(outlaw(mikes()), &cards).unwrap_or(""), expected, "{codes}");
        }
    }
}

/// A second implementation that shares nothing with the first: it tries every five
/// cards of the seven and every card that the joker may be.
mod naive {
    use paigow::cards::Card;

    /// Rank 2 to 14 and suit 0 to 3.
    type Plain = (u8, u8);

    fn plain(card: Card) -> Plain {
        (card.number() % 13 + 2, card.number() / 13)
    }

    fn is_flush(cards: &[Plain]) -> bool {
        cards.iter().all(|card| card.1 == cards[0].1)
    }

    fn is_straight(cards: &[Plain]) -> bool {
        let mut ranks: Vec<u8> = cards.iter().map(|card| card.0).collect();
        let is_run = |ranks: &mut Vec<u8>| {
            ranks.sort_unstable();
            ranks.windows(2).all(|pair| pair[1] == pair[0] + 1)
        };
        if is_run(&mut ranks) {
            return true;
        }
        for rank in &mut ranks {
            if *rank == 14 {
                *rank = 1;
            }
        }
        is_run(&mut ranks)
    }

    fn is_royal(cards: &[Plain]) -> bool {
        is_flush(cards) && is_straight(cards) && cards.iter().map(|card| card.0).min() == Some(10)
    }

    /// Whether the group passes, its joker being some card that is not in the group.
    fn passes(group: &[Card], test: impl Fn(&[Plain]) -> bool) -> bool {
        let real: Vec<Plain> =
            group.iter().copied().filter(|card| !card.is_joker()).map(plain).collect();
        if real.len() == group.len() {
            return test(&real);
        }
        Card::all().filter(|card| !card.is_joker()).map(plain).any(|stands_for| {
            let mut group = real.clone();
            group.push(stands_for);
            !real.contains(&stands_for) && test(&group)
        })
    }

    fn fives(cards: &[Card; 7]) -> Vec<(Vec<Card>, [Card; 2])> {
        let mut fives = Vec::new();
        for i in 0..7 {
            for j in i + 1..7 {
                let rest = (0..7).filter(|place| *place != i && *place != j);
                fives.push((rest.map(|place| cards[place]).collect(), [cards[i], cards[j]]));
            }
        }
        fives
    }

    /// All rows that hold, with what each pays.
    pub(super) fn rows(cards: &[Card; 7], pairs_of_one_colour: bool) -> Vec<(u32, &'static str)> {
        let fives = fives(cards);
        let some_five =
            |test: fn(&[Plain]) -> bool| fives.iter().any(|(five, _)| passes(five, test));
        let joker = cards.iter().any(|card| card.is_joker());
        // Groups of equal ranks, largest first, the joker an ace.
        let mut held = [0; 15];
        for card in cards {
            held[if card.is_joker() { 14 } else { usize::from(plain(*card).0) }] += 1;
        }
        let highest = held.iter().rposition(|count| *count > 0).unwrap();
        let mut groups = held.to_vec();
        groups.sort_unstable_by(|a, b| b.cmp(a));

        let seven_straight_flush = passes(cards, |all| is_flush(all) && is_straight(all));
        let match_of = |[a, b]: &[Card; 2]| {
            let pair = [plain(*a), plain(*b)];
            !a.is_joker()
                && !b.is_joker()
                && pair[0].1 == pair[1].1
                && pair[0].0.min(pair[1].0) == 12
                && pair[0].0.max(pair[1].0) == 13
        };
        let royal_match =
            fives.iter().any(|(five, others)| passes(five, is_royal) && match_of(others));
        let flush = some_five(is_flush);
        let straight = some_five(is_straight);
        let all_differ = groups[0] == 1;
        let pai_gow = all_differ && !flush && !straight;
        let colours: Vec<bool> = cards
            .iter()
            .filter(|card| !card.is_joker())
            .map(|card| matches!(plain(*card).1, 1 | 2))
            .collect();
        let one_colour = colours.iter().all(|red| *red == colours[0])
            && !flush
            && !straight
            && (pairs_of_one_colour || all_differ);
        let table = [
            (4000, "7-card-straight-flush", seven_straight_flush && !joker),
            (2000, "royal-flush-and-royal-match", royal_match),
            (1000, "7-card-straight-flush-with-joker", seven_straight_flush && joker),
            (200, "5-aces", groups[0] == 5),
            (100, "royal-flush", some_five(is_royal)),
            (40, "straight-flush", some_five(|five| is_flush(five) && is_straight(five))),
            (25, "four-of-a-kind", groups[0] >= 4),
            (12, "9-high-seven-cards", pai_gow && highest == 9),
            (10, "10-high-seven-cards", pai_gow && highest == 10),
            (8, "seven-cards-all-red-or-black", one_colour && !joker),
            (6, "seven-cards-all-red-or-black-with-a-joker", one_colour && joker),
            (5, "full-house", groups[0] >= 3 && groups[1] >= 2),
            (4, "flush", flush),
            (3, "three-of-a-kind", groups[0] >= 3),
            (2, "straight", straight),
            (1, "three-pairs", groups[..3] == [2, 2, 2] && !flush && !straight),
        ];
        table.into_iter().filter(|row| row.2).map(|row| (row.0, row.1)).collect()
    }
}

/// The three ways to colour four suits two and two, each by one naming.
const COLOURINGS: [[Suit; 4]; 3] = [
    [Suit::Clubs, Suit::Spades, Suit::Diamonds, Suit::Hearts],
    [Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts],
    [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades],
];

#[test]
fn a_second_implementation_agrees_on_a_sample_of_hands() {
    let any = with_any_colour();
    let mut tried = 0;
    // A prime stride, so that no pattern of the enumeration is passed over.
    for (number, canonical) in canonical_hands::<7>().enumerate().step_by(499) {
        let cards = canonical.cards(COLOURINGS[number % 3]);
        for (bet, pairs) in [(outlaw(mikes()), false), (outlaw(&any), true)] {
            let best = naive::rows(&cards, pairs).into_iter().max().map(|(_, id)| id);
            assert_eq!(row(bet, &cards), best, "{cards:?}");
        }
        tried += 1;
    }
    assert_eq!(tried, 6_972_147 / 499 + 1);
}

/// Counts the hands of every row; "" is the losing hands.
fn census(bet: &BonusBet) -> BTreeMap<&str, i64> {
    let mut thrice: BTreeMap<&str, i64> = BTreeMap::new();
    for canonical in canonical_hands::<7>() {
        let hands = i64::try_from(canonical.multiplicity()).unwrap();
        // The 24 renamings of suits are 8 of each colouring, so each colouring stands
        // for a third of the hands.
        for names in COLOURINGS {
            *thrice.entry(row(bet, &canonical.cards(names)).unwrap_or("")).or_default() += hands;
        }
    }
    assert!(thrice.values().all(|hands| hands % 3 == 0));
    thrice.into_iter().map(|(row, hands)| (row, hands / 3)).collect()
}

/// What the house keeps of a stake, in millionths of a per cent, to the nearest.
fn house_edge(bet: &BonusBet, census: &BTreeMap<&str, i64>) -> i64 {
    let won: i64 = bet
        .rows
        .iter()
        .map(|row| {
            assert!(row.pays.is_whole());
            row.pays.num() * census.get(row.id.as_str()).copied().unwrap_or(0)
        })
        .sum();
    let kept = i128::from(census[""] - won);
    let hands = i128::from(HANDS);
    i64::try_from((kept * 100_000_000 * 2 + hands).div_euclid(hands * 2)).unwrap()
}

#[test]
fn every_row_holds_for_as_many_hands_as_published() {
    let bet = outlaw(mikes());
    let counted = census(bet);
    // Section 3 of the definitions: the counts of tables 2 to 7 of Dynasty, which share
    // these rows; 9 high and 10 high from Protection. Seven different ranks of one
    // colour: 1,499 sets of ranks without a straight, 2 colours, and 70 of 2^7 suits
    // without five of one, less the 18 sets of 9 and 10 high: 1,481 x 140. With the
    // joker: 427 sets of six ranks, 2 colours, the suits three and three: 427 x 40.
    let published = [
        ("7-card-straight-flush", 32),
        ("royal-flush-and-royal-match", 72),
        ("7-card-straight-flush-with-joker", 196),
        ("5-aces", 1_128),
        ("royal-flush", 26_020),
        ("straight-flush", 184_644),
        ("four-of-a-kind", 307_472),
        ("9-high-seven-cards", 31_080),
        ("10-high-seven-cards", 248_640),
        ("seven-cards-all-red-or-black", 207_340),
        ("seven-cards-all-red-or-black-with-a-joker", 17_080),
        ("full-house", 4_188_528),
        ("flush", 6_172_088),
        ("three-of-a-kind", 7_672_500),
        ("straight", 11_034_204),
        ("three-pairs", 2_862_000),
    ];
    for (row, hands) in published {
        assert_eq!(counted[row], hands, "{row}");
    }
    assert_eq!(counted.values().sum::<i64>(), HANDS);
    // 2.998796 % for the house.
    assert_eq!(house_edge(bet, &counted), 2_998_796);
}

#[test]
fn the_printed_words_for_one_colour_favour_the_player_as_published() {
    let any = with_any_colour();
    let bet = outlaw(&any);
    // 0.655023 % for the player.
    assert_eq!(house_edge(bet, &census(bet)), -655_023);
}

#[test]
fn the_published_edge_follows_from_the_published_counts() {
    // The pay table of the file against the published counts alone: no hand is judged.
    let counts = [
        32, 72, 196, 1_128, 26_020, 184_644, 307_472, 31_080, 248_640, 207_340, 17_080, 4_188_528,
        6_172_088, 7_672_500, 11_034_204, 2_862_000,
    ];
    let bet = outlaw(mikes());
    let mut census: BTreeMap<&str, i64> =
        bet.rows.iter().map(|row| row.id.as_str()).zip(counts).collect();
    assert_eq!(census.len(), counts.len());
    census.insert("", HANDS - counts.iter().sum::<i64>());
    assert_eq!(house_edge(bet, &census), 2_998_796);
}

#[test]
fn the_pay_tables_are_those_of_the_source() {
    let pays = |bet| -> Vec<String> {
        mikes().bonus_bet(bet).unwrap().rows.iter().map(|row| row.pays.to_string()).collect()
    };
    assert_eq!(
        pays(BetId::Outlaw9),
        [
            "4000/1", "2000/1", "1000/1", "200/1", "100/1", "40/1", "25/1", "12/1", "10/1", "8/1",
            "6/1", "5/1", "4/1", "3/1", "2/1", "1/1"
        ]
    );
    assert_eq!(pays(BetId::WranglerPush), ["2/1", "1/1"]);
    assert_eq!(mikes().base().pays, Odds::EVEN);
}
