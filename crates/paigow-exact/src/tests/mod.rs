//! The count, against counting one by one on decks that are small enough.

mod doubling;
mod figures;

use super::*;
use paigow_rules::cards::{Card, Rank};
use paigow_rules::game::{
    self, Asked, BetSubject, BonusBet, Comparison, Condition, DealtHand, PayRow, SetHand, Term,
};
use paigow_rules::hands::{Category, HandClasses, HighHand, JokerUse, LowHand, Wheel};
use paigow_rules::house_way::{HouseWay, shipped};

/// The hands of a small deck by the sets of their cards. Bit `n` is the card at place `n` of the
/// deck.
struct Small {
    cards: Vec<Card>,
    hand: usize,
    /// The hands that the bits make; [`None`] if the bits are not a hand.
    held: Vec<Option<HeldHands>>,
}

impl Small {
    fn new(deck: &SymmetricDeck, hand: usize, held: impl Fn(&[Card]) -> HeldHands) -> Self {
        let cards: Vec<Card> = deck.cards().collect();
        let of = |bits: u32| {
            (bits.count_ones() as usize == hand).then(|| {
                let held_cards: Vec<Card> = (0..cards.len())
                    .filter(|place| bits >> place & 1 == 1)
                    .map(|place| cards[place])
                    .collect();
                held(&held_cards)
            })
        };
        let held = (0..1 << cards.len()).map(of).collect();
        Self { cards, hand, held }
    }

    fn hands(&self) -> impl Iterator<Item = (u32, &HeldHands)> {
        (0_u32..).zip(&self.held).filter_map(|(bits, held)| Some((bits, held.as_ref()?)))
    }

    /// Counts every pair one by one.
    fn one_by_one(&self) -> Grids<i128> {
        let mut sum: Grids<i128> = Grids::default();
        let threes = |set: SetHand| set.low.pair_rank().is_some_and(|rank| rank >= Rank::Three);
        for (ours, held) in self.hands() {
            let player = held.player;
            self.each_other(0, ours, 0, &mut |theirs| {
                let other = self.held[theirs as usize].unwrap();
                let dealer = other.dealer;
                let compared = (result(player.high, dealer.high), result(player.low, dealer.low));
                sum.all[compared] += 1;
                if !threes(player) && !threes(dealer) {
                    sum.low_pairs_aside[compared] += 1;
                }
                if other.is_marked {
                    sum.marked[compared] += 1;
                }
            });
        }
        sum
    }

    /// Calls `visit` with every hand that consists of `theirs` and of cards from `place` on that
    /// are not in `ours`.
    fn each_other(&self, theirs: u32, ours: u32, place: usize, visit: &mut impl FnMut(u32)) {
        if theirs.count_ones() as usize == self.hand {
            return visit(theirs);
        }
        for next in place..self.cards.len() {
            if ours >> next & 1 == 0 {
                self.each_other(theirs | 1 << next, ours, next + 1, visit);
            }
        }
    }
}

fn counted<const N: usize>(deck: &SymmetricDeck, showdowns: &Showdowns<N>) -> Grids<i128> {
    let plan = CountPlan::new(deck, N).unwrap();
    let mut sum = Grids::default();
    for task in plan.tasks() {
        sum += plan.count(task, showdowns.spots(), showdowns.lookup());
    }
    sum
}

fn result<T: Ord>(ours: T, theirs: T) -> Comparison {
    if ours > theirs {
        Comparison::Win
    } else if ours == theirs {
        Comparison::Copy
    } else {
        Comparison::Lose
    }
}

fn way(id: &str) -> &'static HouseWay {
    shipped().iter().find(|way| way.id() == id).unwrap()
}

fn set(way: &HouseWay, cards: &[Card]) -> SetHand {
    let setting = way.set(cards).unwrap();
    SetHand {
        high: HighHand::of(&setting.high, Wheel::Second),
        low: LowHand::of_cards(&setting.low, Wheel::Second).unwrap(),
    }
}

fn ranks(letters: &str) -> Vec<Rank> {
    letters.chars().map(|letter| Rank::from_letter(letter).unwrap()).collect()
}

/// A queen-high pai gow.
fn queen_high(cards: &[Card], _: SetHand) -> bool {
    let highest = cards.iter().map(|card| card.rank_or_ace()).max();
    let best = HighHand::best_of(cards, Wheel::Second).unwrap();
    best.category() == Category::HighCard && highest == Some(Rank::Queen)
}

/// A pair of fives or better.
fn fives(cards: &[Card], _: SetHand) -> bool {
    let fives: Vec<Card> = "5c 5d 2h 3h 4h".split(' ').flat_map(str::parse).collect();
    let fives = HighHand::of(&fives.try_into().unwrap(), Wheel::Second);
    HighHand::best_of(cards, Wheel::Second).unwrap() >= fives
}

/// No joker.
fn natural(cards: &[Card], _: SetHand) -> bool {
    !cards.contains(&Card::JOKER)
}

/// A low hand of nine high.
fn nine_high_low(_: &[Card], set: SetHand) -> bool {
    set.low.category() == Category::HighCard && set.low.top_rank() == Rank::Nine
}

/// Whether an odd number of terms hold, of those that a counted push may have.
fn an_odd_number_of_terms(cards: &[Card], set: SetHand) -> bool {
    let terms = "five_aces four_of_a_kind full_house flush straight three_of_a_kind two_pair pair \
                 pai_gow joker highest:Q pair:9 pairs:1 pairs:2 run:4 run:6 ranks:33 low_highest:9 \
                 low_pair:3 high_highest:Q high:pair high:straight high:flush high:full_house \
                 high:straight_flush";
    let hand = DealtHand::of(cards, JokerUse::SemiWild).unwrap();
    let holds = |text: &&str| match Term::parse_of_push(text, 7).unwrap().asked {
        Asked::Cards(term) => term.holds(&hand, None),
        Asked::Set(term) => term.holds(set),
        Asked::Showdown(_) => false,
    };
    terms.split_whitespace().filter(holds).count() % 2 == 1
}

/// Checks a count of every pair on a deck. The hands `marked` are counted separately.
fn check(deck: &SymmetricDeck, [player, dealer]: [&str; 2], marked: fn(&[Card], SetHand) -> bool) {
    let (player, dealer) = (way(player), way(dealer));
    let small = Small::new(deck, player.cards(), |cards| {
        let (player, dealer) = (set(player, cards), set(dealer, cards));
        HeldHands { player, dealer, is_marked: marked(cards, dealer) }
    });
    let slow = small.one_by_one();
    // Counts that are all zero would prove nothing.
    assert!(slow.all.iter().filter(|count| **count > 0).count() >= 7, "{slow:?}");
    assert!(slow.marked.iter().any(|count| *count > 0), "{slow:?}");
    assert_ne!(slow.marked, slow.all);
    if player.cards() == 7 {
        assert_ne!(slow.all, slow.low_pairs_aside);
    }
    let counted = if player.cards() == 7 {
        let of = Showdowns::of(
            HandClasses::<7>::get(),
            player,
            dealer,
            Wheel::Second.into(),
            |c, set| marked(c, set),
        );
        counted(deck, &of.unwrap())
    } else {
        let of = Showdowns::of(
            HandClasses::<6>::get(),
            player,
            dealer,
            Wheel::Second.into(),
            |c, set| marked(c, set),
        );
        counted(deck, &of.unwrap())
    };
    assert_eq!(counted, slow);
}

/// Makes a bet on both hands as the house way sets them, with terms of every kind on either side.
fn bet_on_both_hands() -> BonusBet {
    let mikes = game::shipped().iter().find(|rules| rules.id() == "mikes").unwrap();
    let mut bet = mikes.bonus_bets()[0].clone();
    let row = |terms: &[&str]| {
        let term = |text: &&str| Term::parse(text, BetSubject::Showdown, 7).unwrap();
        let condition = Condition::new([terms.iter().map(term).collect()]).unwrap();
        PayRow { condition, ..bet.rows[0].clone() }
    };
    bet.rows = vec![
        row(&["win", "low_pair:Q", "no_dealer_low_pair:2"]),
        row(&["high_lose", "dealer_high:straight", "low_win"]),
        row(&["push", "low_highest:Q"]),
        row(&["no_win", "dealer_low_highest:J", "high:two_pair"]),
        row(&["low_copy"]),
        row(&["high_highest:Q", "no_dealer_high_highest:Q"]),
    ];
    bet
}

/// The row of [`bet_on_both_hands`] that pays, from the values of the hands.
fn row_by_hand(seat: SetHand, dealer: SetHand) -> Option<usize> {
    let (high, low) = (seat.high > dealer.high, seat.low > dealer.low);
    let category = |set: SetHand, category| set.high.category() == category;
    let tops = |set: SetHand, rank| set.low.pair_rank().is_none() && set.low.top_rank() == rank;
    let rows = [
        high && low
            && seat.low.pair_rank().is_some_and(|rank| rank >= Rank::Queen)
            && dealer.low.pair_rank().is_none(),
        seat.high < dealer.high && category(dealer, Category::Straight) && low,
        high != low && tops(seat, Rank::Queen),
        !(high && low) && tops(dealer, Rank::Jack) && category(seat, Category::TwoPair),
        seat.low == dealer.low,
        seat.high.high_card_rank() == Some(Rank::Queen)
            && dealer.high.high_card_rank() != Some(Rank::Queen),
    ];
    rows.iter().position(|holds| *holds)
}

#[test]
fn a_bet_on_both_hands_is_counted_as_one_by_one() {
    let bet = bet_on_both_hands();
    let mut reached = [false; 6];
    for (deck, way) in [(two_suits(), way("trump-plaza")), (four_suits(), way("mikes"))] {
        let small = Small::new(&deck, 7, |cards| {
            let set = set(way, cards);
            HeldHands { player: set, dealer: set, is_marked: false }
        });
        let mut slow = ShowdownCounts { rows: vec![0; 6], losing: 0, total: 0 };
        for (ours, held) in small.hands() {
            small.each_other(0, ours, 0, &mut |theirs| {
                let dealer = small.held[theirs as usize].unwrap().dealer;
                let row = row_by_hand(held.player, dealer);
                *row.map_or(&mut slow.losing, |row| &mut slow.rows[row]) += 1;
                slow.total += 1;
            });
        }
        let ways = (way, Wheel::Second.into());
        let counted = ShowdownCounts::counted(&deck, HandClasses::<7>::get(), &bet, ways);
        assert_eq!(counted.unwrap(), slow);
        for (reached, pairs) in reached.iter_mut().zip(&slow.rows) {
            *reached |= *pairs > 0;
        }
    }
    assert_eq!(reached, [true; 6]);
}

#[test]
#[ignore = "long: every pair of hands of the full deck, seconds optimised"]
fn a_bet_that_is_compiled_in_is_counted_again_by_its_cells() {
    let mikes = game::shipped().iter().find(|rules| rules.id() == "mikes").unwrap();
    let (bet, way) = (&mikes.bonus_bets()[0], way("mikes"));
    let known = ShowdownCounts::of(bet, counts_of(mikes, way, way).unwrap());
    let ways = (way, mikes.ranking());
    let deck = SymmetricDeck::full();
    let counted = ShowdownCounts::counted(&deck, HandClasses::<7>::get(), bet, ways);
    assert!(known.is_some());
    assert_eq!(counted, known);
}

/// Nineteen cards: straights, flushes, the joker and queen-high pai gow hands.
fn two_suits() -> SymmetricDeck {
    SymmetricDeck::reduced(&ranks("2356789JQ"), 2, true)
}

/// Seventeen cards of four suits: every group of ranks, and flushes of four with the
/// joker.
fn four_suits() -> SymmetricDeck {
    SymmetricDeck::reduced(&ranks("23QA"), 4, true)
}

#[test]
fn hands_of_two_suits_are_counted_as_one_by_one() {
    check(&two_suits(), ["foxwoods", "foxwoods"], queen_high);
    check(&two_suits(), ["flamingo-lv", "online"], queen_high);
    check(&two_suits(), ["foxwoods", "trump-plaza"], nine_high_low);
    check(&two_suits(), ["trump-plaza", "trump-plaza"], an_odd_number_of_terms);
}

#[test]
fn hands_of_four_suits_are_counted_as_one_by_one() {
    check(&four_suits(), ["mikes", "mikes"], natural);
    check(&four_suits(), ["foxwoods", "golden-nugget-lv"], natural);
    check(&four_suits(), ["trump-plaza", "trump-plaza"], an_odd_number_of_terms);
}

#[test]
fn hands_of_six_cards_are_counted_as_one_by_one() {
    check(&four_suits(), ["mini", "mini"], natural);
    check(&SymmetricDeck::reduced(&ranks("23567"), 3, true), ["mini", "mini"], fives);
}

#[test]
#[ignore = "long: billions of pairs, minutes optimised"]
fn hands_of_larger_decks_are_counted_as_one_by_one() {
    let two_suits = SymmetricDeck::reduced(&ranks("2356789JQA"), 2, true);
    let three_suits = SymmetricDeck::reduced(&ranks("235789Q"), 3, true);
    let four_suits = SymmetricDeck::reduced(&ranks("23QKA"), 4, true);
    for ways in [["trump-plaza", "trump-plaza"], ["foxwoods", "mikes"]] {
        check(&two_suits, ways, queen_high);
        check(&three_suits, ways, queen_high);
        check(&four_suits, ways, natural);
    }
    for deck in [two_suits, three_suits, four_suits] {
        check(&deck, ["mini", "mini"], fives);
    }
}

#[test]
fn a_plan_knows_how_many_pairs_there_are() {
    let ranks = [Rank::Ace, Rank::King, Rank::Queen, Rank::Jack, Rank::Ten];
    let deck = SymmetricDeck::reduced(&ranks, 4, false);
    // C(20, 7) times C(13, 7), and C(20, 6) times C(14, 6).
    let pairs = |hand| CountPlan::new(&deck, hand).unwrap().pairs();
    assert_eq!((pairs(7), pairs(6)), (77_520 * 1_716, 38_760 * 3_003));
}
