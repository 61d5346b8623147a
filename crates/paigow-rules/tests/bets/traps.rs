//! Difficult hands: those of section 4 of the definitions, and the decisions of section 5.

use paigow_rules::cards::Card;
use paigow_rules::game::{
    Asked, BetEvidence, BetSubject, BonusBet, ColourChoice, DealtHand, TermCounts, TermsMet,
};
use paigow_rules::hands::JokerUse;

use super::tables::{condition, table};

fn cards(codes: &str) -> Vec<Card> {
    codes.split(' ').map(|code| code.parse().unwrap()).collect()
}

/// Returns the row that pays for these cards as the hand of the seat and of the dealer, or "" if no
/// row pays.
fn row<'a>(bet: &'a BonusBet, cards: &[Card]) -> &'a str {
    let hand = DealtHand::of(cards, JokerUse::SemiWild).unwrap();
    let evidence = BetEvidence { hand: Some(hand), dealer: Some(hand), ..BetEvidence::none() };
    bet.judge(&evidence).map_or("", |row| row.id.as_str())
}

/// A hand of section 4 and the rows that pay for it.
///
/// The rows are those of Dynasty table 1, of tables 2 to 7, of Protection, and of Outlaw 9 under
/// either reading of its one-colour rows.
type Trap = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// "three-pair" pushes in table 2 and loses in tables 3 to 7.
#[rustfmt::skip]
const TRAPS: [Trap; 22] = [
    ("As Ks Qs Js Jk Ah Qh", "natural-royal-flush-with-aq-suited", "royal-flush-a-qs", "", "royal-flush", "royal-flush"),
    // The joker is not the ace of A-Q.
    ("As Ks Qs Js Ts Jk Qh", "royal-flush", "royal-flush", "", "royal-flush", "royal-flush"),
    ("As Ks Qs Js Ts Kh Qh", "royal-flush", "royal-flush", "", "royal-flush-and-royal-match", "royal-flush-and-royal-match"),
    // The joker beside a wheel, which is then no Luhn Tao.
    ("As 2s 3s 4s 5s Jk 9d", "straight-flush", "straight-flush", "", "straight-flush", "straight-flush"),
    ("As 2s 3s 4s 5s 6s Kd", "luhn-tao-wheel", "straight-flush", "a-5-natural-straight-flush", "straight-flush", "straight-flush"),
    ("As 2s 3s 4s 5s Ah Qh", "natural-luhn-tao-wheel-with-aq-suited", "straight-flush", "a-5-natural-straight-flush", "straight-flush", "straight-flush"),
    ("As 2s 3s 4s 5s 6s 7s", "seven-card-natural-straight-flush", "natural-7-card-s-f", "", "7-card-straight-flush", "7-card-straight-flush"),
    ("As 2s 3s 4s 5s 6s Jk", "seven-card-wild-straight-flush", "wild-7-card-s-f", "", "7-card-straight-flush-with-joker", "7-card-straight-flush-with-joker"),
    // Also a royal flush, which pays less.
    ("8s 9s Ts Js Qs Ks As", "seven-card-natural-straight-flush", "natural-7-card-s-f", "", "7-card-straight-flush", "7-card-straight-flush"),
    // Also a straight, which pays less though it is the higher hand.
    ("5s 5h 5d 6c 7s 8d 9c", "three-of-a-kind", "3-of-a-kind", "", "three-of-a-kind", "three-of-a-kind"),
    ("As Jk Kc Kh 4c 4d 9s", "", "three-pair", "", "three-pairs", "three-pairs"),
    // The joker is a single ace beside three pairs.
    ("Kc Kd 7c 7d 3h 3s Jk", "", "three-pair", "", "three-pairs", "three-pairs"),
    ("Ac Jk 2c 2d 3h 3s 4h", "straight", "straight", "", "straight", "straight"),
    ("Jk 2s 4h 6d 8c Ts Qh", "", "", "ace-high", "", ""),
    ("Jk Ac Ad Kc Kd 7h 7d", "full-house", "full-house", "", "full-house", "full-house"),
    ("Jk Ah Ad Kh Kd 7d 6h", "full-house", "full-house", "", "full-house", "seven-cards-all-red-or-black-with-a-joker"),
    // All red: nine high pays 12 and ten high 10, the colour only 8.
    ("2h 3h 4d 5d 7h 8h 9d", "", "", "9-high-pai-gow", "9-high-seven-cards", "9-high-seven-cards"),
    ("2h 3d 4d 5h 7h 8d Td", "", "", "ten-high", "10-high-seven-cards", "10-high-seven-cards"),
    ("2h 2d 9h 9d Kh Kd 4d", "", "three-pair", "", "three-pairs", "seven-cards-all-red-or-black"),
    // All red, but with a straight.
    ("2h 3h 4h 5d 6d 7d Kd", "straight", "straight", "", "straight", "straight"),
    ("Jk 3h 4h 5h 9d Td Kd", "", "", "ace-high", "seven-cards-all-red-or-black-with-a-joker", "seven-cards-all-red-or-black-with-a-joker"),
    // All red with the joker, but it completes a straight.
    ("Jk Ah 4h 5h 9d Td 2d", "straight", "straight", "", "straight", "straight"),
];

#[test]
fn every_hand_that_traps_is_paid_as_published() {
    let bet = |id: &str| table(id).bonus_bet();
    let (first, second) = (bet("express-dynasty-1"), bet("express-dynasty-2"));
    let others: Vec<BonusBet> =
        (3..=7).map(|number| bet(&format!("express-dynasty-{number}"))).collect();
    let protection = bet("express-protection");
    let (no_pair, any) = (bet("mikes-outlaw-9"), bet("mikes-outlaw-9-any"));
    for (codes, of_first, of_others, of_protection, of_no_pair, of_any) in TRAPS {
        let mut cards = cards(codes);
        for _ in 0..7 {
            // The order of the cards does not matter.
            cards.rotate_left(1);
            assert_eq!(row(&first, &cards), of_first, "{codes}");
            assert_eq!(row(&second, &cards), of_others, "{codes}");
            for bet in &others {
                let paid = if of_others == "three-pair" { "" } else { of_others };
                assert_eq!(row(bet, &cards), paid, "{codes} {}", bet.title);
            }
            assert_eq!(row(&protection, &cards), of_protection, "{codes}");
            assert_eq!(row(&no_pair, &cards), of_no_pair, "{codes}");
            assert_eq!(row(&any, &cards), of_any, "{codes}, any");
        }
    }
}

#[test]
fn more_hands_trap_in_outlaw_9() {
    let no_pair = table("mikes-outlaw-9").bonus_bet();
    let any = table("mikes-outlaw-9-any").bonus_bet();
    for (codes, of_no_pair, of_any) in [
        // The joker can be in the royal flush, but not in the match.
        ("As Jk Qs Js Ts Kh Qh", "royal-flush-and-royal-match", "royal-flush-and-royal-match"),
        ("As Ks Qs Js Ts Jk Kh", "royal-flush", "royal-flush"),
        // King and queen, but of two suits.
        ("As Ks Qs Js Ts Kh Qd", "royal-flush", "royal-flush"),
        // Black cards, the joker and an ace are a pair, so no row pays unless pairs are allowed.
        ("Jk As 4s 6c 9c Tc Ks", "", "seven-cards-all-red-or-black-with-a-joker"),
    ] {
        assert_eq!(row(&no_pair, &cards(codes)), of_no_pair, "{codes}");
        assert_eq!(row(&any, &cards(codes)), of_any, "{codes}, any");
    }
}

#[test]
fn the_best_five_of_pai_gow_bonus_may_lie_in_a_longer_straight_flush() {
    let bet = table("mania-pai-gow-bonus").bonus_bet();
    for (codes, paid) in [
        ("8s 9s Ts Js Qs Ks As", "royal-flush"),
        ("As 2s 3s 4s 5s 6s 7s", "straight-flush"),
        ("5s 5h 5d 6c 7s 8d 9c", "three-of-a-kind"),
        // Four aces and the joker beside a pair.
        ("Ac Ad Ah As Jk 2c 2d", "five-aces"),
        // The joker is an ace, so there are four aces.
        ("Ac Ad Ah Jk 2c 3d 9h", "four-of-a-kind"),
        // It pairs no king.
        ("Kc Kd Jk 9c 7d 4h 2s", ""),
    ] {
        assert_eq!(row(&bet, &cards(codes)), paid, "{codes}");
    }
}

#[test]
fn queens_dragon_looks_at_the_dealer_alone() {
    let bet = table("express-queens-dragon").bonus_bet();
    let queen_high = DealtHand::of(&cards("2c 3d 4h 6s 8c Td Qh"), JokerUse::SemiWild);
    let king_high = DealtHand::of(&cards("2c 3d 4h 6s 8c Td Kh"), JokerUse::SemiWild);
    let judged = |hand, dealer| {
        bet.judge(&BetEvidence { hand, dealer, ..BetEvidence::none() }).map(|row| row.id.as_str())
    };
    assert_eq!(judged(king_high, queen_high), Some("dealer-queens-dragon"));
    assert_eq!(judged(queen_high, king_high), None);
    assert_eq!(judged(queen_high, None), None);
    // Queen high, with the joker as an ace; queen high with a straight; queen high with a flush.
    for codes in ["2c 3d Jk 6s 8c Td Qh", "2c 3d 4h 5s 6c Td Qh", "2c 3c 4c 6c 8c Td Qh"] {
        assert_eq!(row(&bet, &cards(codes)), "", "{codes}");
    }
}

#[test]
fn the_joker_is_of_neither_colour() {
    let bet = table("express-red-black").bonus_bet();
    let judged = |codes, choice| {
        let hand = DealtHand::of(&cards(codes), JokerUse::SemiWild);
        let evidence = BetEvidence { hand, choice, ..BetEvidence::none() };
        bet.judge(&evidence).map_or("", |row| row.id.as_str())
    };
    for (codes, red, black) in [
        ("2h 3h 4h 5h 7d 9d Kd", "7-cards-of-the-chosen-color", ""),
        ("2h 3h 4h 5h 7d 9d Jk", "6-cards-of-the-chosen-color", ""),
        ("2h 3h 4h 5h 7d 9c Ks", "5-cards-of-the-chosen-color", ""),
        ("2h 3h 4h 5h 7c 9c Ks", "4-cards-of-the-chosen-color", ""),
        ("2h 3h 4d 5c 7c 9s Jk", "", ""),
        ("2h 3h 4d 5c 7c 9s Ks", "", "4-cards-of-the-chosen-color"),
    ] {
        assert_eq!(judged(codes, Some(ColourChoice::Red)), red, "{codes}");
        assert_eq!(judged(codes, Some(ColourChoice::Black)), black, "{codes}");
        assert_eq!(judged(codes, None), "", "{codes}, no colour named");
    }
}

#[test]
fn three_cards_are_paid_by_the_best_row() {
    let bet = table("mania-three-card").bonus_bet();
    for (codes, paid) in [
        ("As 2s 3s", "st-flush-no-joker"),
        ("Qs Ks As", "st-flush-no-joker"),
        // No straight has the ace between the king and the two.
        ("Ks As 2s", "flush"),
        ("Ks Ad 2s", ""),
        ("7c 7d 7s", "3-of-a-kind"),
        ("Ac Ad Jk", "3-of-a-kind"),
        // The joker completes three of a kind only with aces: this is a pair of kings.
        ("Kc Kd Jk", "one-pair"),
        ("Qs Ks Jk", "straight-flush"),
        ("As 3s Jk", "straight-flush"),
        // A pair of aces, a flush, or a straight: the straight, or the straight flush.
        ("Jk Ad Kc", "straight"),
        ("Jk Ad Kd", "straight-flush"),
        ("Jk 2c 4d", "straight"),
        ("Jk Ac 9c", "flush"),
        ("Jk Ac 9d", "one-pair"),
        ("Jk 2c 9d", ""),
        ("9c 9d 2h", "one-pair"),
        ("4c 9c Kc", "flush"),
        ("4c 5d 6h", "straight"),
    ] {
        let three: [Card; 3] = cards(codes).try_into().unwrap();
        for three in [three, [three[2], three[0], three[1]], [three[1], three[2], three[0]]] {
            let first_three = DealtHand::of(&three, JokerUse::SemiWild);
            let evidence = BetEvidence { first_three, ..BetEvidence::none() };
            assert_eq!(bet.judge(&evidence).map_or("", |row| row.id.as_str()), paid, "{codes}");
        }
    }
}

#[test]
fn six_cards_are_paid_in_the_order_of_poker() {
    for id in ["mini-a", "mini-b", "mini-c", "mini-community"] {
        let bet = table(id).bonus_bet();
        for (codes, paid) in [
            ("Ac Ad Ah As Jk 9c", "five-aces"),
            ("As Ks Qs Js Ts 2d", "royal-flush"),
            ("As Ks Qs Jk Ts 9s", "royal-flush"),
            ("As 2s 3s 4s 5s 9d", "straight-flush"),
            ("Jk 2s 3s 4s 5s 9d", "straight-flush"),
            ("Ac Ad Ah Jk 9c 9d", "four-of-a-kind"),
            // Two threes of a kind; a pair with three aces, one of them the joker.
            ("7c 7d 7h 9c 9d 9h", "full-house"),
            ("Ac Ad Jk 9c 9d 2h", "full-house"),
            // The hand has three aces too, which rank lower.
            ("As 3s 7s 9s Jk Ah", "flush"),
            // Also three aces.
            ("Ac Ad Jk 2c 3d 4h", "straight"),
            ("7c 7d 7h 9c Jd 2h", "three-of-a-kind"),
            ("Kc Kd 7c 7d 3h 3s", "two-pair"),
            ("Kc Kd Jk Ad 3h 9s", "two-pair"),
            // One pair: the joker is an ace and pairs no king.
            ("Kc Kd Jk 9d 7h 2s", ""),
            ("2c 4d 6h 8s Tc Qd", ""),
        ] {
            assert_eq!(row(&bet, &cards(codes)), paid, "{codes} {id}");
        }
    }
}

#[test]
fn six_or_seven_different_cards_are_a_hand() {
    assert!(DealtHand::of(&cards("2c 4d 6h 8s Tc Qd"), JokerUse::SemiWild).is_some());
    assert!(DealtHand::of(&cards("2c 4d 6h 8s Tc Qd Jk"), JokerUse::SemiWild).is_some());
    for codes in
        ["2c 4d 6h 8s Tc", "2c 4d 6h 8s Tc Qd Kh Ac", "2c 4d 6h 8s Tc Tc", "2c 4d 6h 8s Jk Jk"]
    {
        assert!(DealtHand::of(&cards(codes), JokerUse::SemiWild).is_none(), "{codes}");
    }
}

/// Counts the hands of seven cards that meet a condition.
fn hands(terms: &[&str]) -> u64 {
    let asked = condition(&terms.into(), BetSubject::SeatHand, 7);
    let counts = TermCounts::of(
        (7, JokerUse::SemiWild),
        &asked.card_terms().into_iter().collect::<Vec<_>>(),
    )
    .unwrap();
    let holds = |met: TermsMet| {
        asked.holds_by(|one| {
            let place = |term| counts.terms.binary_search(&term).unwrap();
            matches!(one, Asked::Cards(term) if met >> place(term) & 1 == 1)
        })
    };
    counts.hands.iter().filter(|(met, _)| holds(**met)).map(|(_, hands)| hands).sum()
}

#[test]
fn conditions_hold_for_as_many_hands_as_settled() {
    // Items 1, 3, 4 and 6: trips with a straight, no better hand; Luhn Tao wheels, 4 of
    // them A-7; what Protection's figure leaves of them; three pairs.
    let trips = ["three_of_a_kind", "straight", "no_flush", "no_four_of_a_kind", "no_full_house"];
    assert_eq!(hands(&trips), 201_824);
    assert_eq!(hands(&["one_suit:A2345", "no_joker"]), 4_324);
    assert_eq!(hands(&["one_suit:A2345+AQ", "no_joker"]), 12);
    assert_eq!(hands(&["one_suit:A2345", "no_joker", "no_suited_run:7"]), 4_320);
    assert_eq!(hands(&["royal_flush_beside:AQ"]), 72);
    assert_eq!(hands(&["royal_flush_beside:KQ"]), 72);
    assert_eq!(hands(&["pairs:3", "no_three_of_a_kind", "no_straight", "no_flush"]), 2_862_000);
    assert_eq!(hands(&["pai_gow", "highest:A"]), 14_430_780);
}

#[test]
fn terms_that_are_not_compiled_in_are_counted_by_hand() {
    // C(4, 3) x C(49, 4) hands of three sevens, and C(49, 3) of four.
    assert_eq!(hands(&["ranks:777"]), 4 * 211_876 + 18_424);
    // Of each colour C(26, 3) x C(27, 4).
    assert_eq!(hands(&["red:3"]), 2_600 * 17_550);
    assert_eq!(hands(&["black:3"]), 2_600 * 17_550);
    // Deuces and treys alone make a pair below the four in all hands without another.
    assert_eq!(hands(&["pair", "no_pair:2"]), 0);
}

#[test]
fn a_bet_is_judged_on_what_it_looks_at_alone() {
    // A straight of seven cards does not count in the first three.
    let mut bet = table("mania-three-card").bonus_bet();
    let hand = DealtHand::of(&cards("2c 3d 4h 5s 6c 9d Kh"), JokerUse::SemiWild);
    assert!(bet.judge(&BetEvidence { hand, ..BetEvidence::none() }).is_none());
    // A row whose condition is about other cards than the bet's holds for no hand.
    bet.looks_at = BetSubject::Showdown;
    let first_three = DealtHand::of(&cards("2c 3c 4c"), JokerUse::SemiWild);
    assert!(bet.judge(&BetEvidence { first_three, hand, ..BetEvidence::none() }).is_none());
    assert!(bet.row_counts(7).is_none());
}
