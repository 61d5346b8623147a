//! Properties of every round, for any wagers, cards and decisions.

use paigow_rules::cards::{BySeat, Card, Deck, Hand, Seat, Suit};
use paigow_rules::game::{
    BaseOutcome, BetLimit, ColourChoice, Currency, Decision, LineStatus, MAX_STAKE, SettingChoice,
    Settlement, TableFacts, Wager, WagerSheet, WagerTable,
};
use proptest::prelude::*;

use crate::settlement::table::{house_way, house_way_for_all, mikes, seat, sheet, sum_of_nets};

const BETS: [&str; 3] = ["base", "wrangler_push", "outlaw_9"];

fn decks() -> impl Strategy<Value = Deck> {
    Just(Card::all().collect::<Vec<_>>()).prop_shuffle().prop_map(|cards| Deck::of(&cards).unwrap())
}

fn dice() -> impl Strategy<Value = [u8; 3]> {
    [1..=6_u8, 1..=6_u8, 1..=6_u8]
}

/// Wagers that Mike's takes: each circle is empty or holds an amount.
fn good_wagers() -> impl Strategy<Value = Vec<(u8, &'static str, i64)>> {
    let amount = prop_oneof![1_000..50_000_i64, Just(1_000), Just(MAX_STAKE)];
    let circles: Vec<_> = (1..=6).flat_map(|number| BETS.map(|bet| (number, bet))).collect();
    let amounts = prop::collection::vec(prop::option::weighted(0.6, amount), circles.len());
    amounts
        .prop_map(move |amounts| {
            let placed = circles.iter().zip(amounts);
            placed
                .filter_map(|(&(number, bet), amount)| Some((number, bet, amount?)))
                .collect::<Vec<_>>()
        })
        .prop_filter("a round needs a wager", |wagers| !wagers.is_empty())
}

fn banks() -> impl Strategy<Value = i64> {
    prop_oneof![1..200_000_i64, Just(1), Just(1_000_000_000_000_000_000)]
}

/// Any sheet at all, most of them bad.
fn any_sheets() -> impl Strategy<Value = WagerSheet> {
    let bet = prop_oneof![prop::sample::select(BETS.to_vec()), Just("dynasty"), Just("")];
    let choice =
        prop::option::of(prop::sample::select(vec![ColourChoice::Red, ColourChoice::Black]));
    let limit = (bet.clone(), any::<i64>())
        .prop_map(|(bet, max_minor)| BetLimit { bet: bet.into(), max_minor });
    let wager = (0..=7_u8, bet, any::<i64>(), choice).prop_map(|(number, bet, amount, choice)| {
        Wager { seat: seat(number), bet: bet.to_owned().into(), amount_minor: amount, choice }
    });
    let number = || prop::option::of(any::<i64>());
    let facts = (
        prop::collection::vec(number(), 5),
        prop::option::of(0..=7_u8),
        any::<Option<u8>>(),
        prop::collection::vec(limit, 0..3),
    );
    let facts = facts.prop_map(|(amounts, banker, action_pile, bet_limits)| TableFacts {
        chip_minor: amounts[0],
        table_min_minor: amounts[1],
        table_max_minor: amounts[2],
        bank_minor: amounts[3],
        meter_minor: amounts[4],
        banker_seat: banker.map(seat),
        action_pile,
        bet_limits,
    });
    let currency = prop::sample::select(vec![("USD", 2), ("USD", 0), ("EUR", 2)]);
    (currency, prop::collection::vec(wager, 0..30), facts).prop_map(
        |((code, exponent), wagers, facts)| WagerSheet {
            currency: Currency::new(code, exponent).unwrap(),
            wagers,
            facts,
        },
    )
}

/// Splits each hand as `picks` says: two of its cards, or the house way.
fn decisions(
    table: &WagerTable,
    hands: &BySeat<Hand>,
    picks: &[Option<(usize, usize)>],
) -> BySeat<Decision> {
    let mut decisions = house_way_for_all(table);
    for (seat, pick) in Seat::ALL.into_iter().zip(picks) {
        if let (Some(decision), Some((first, step))) = (decisions.get_mut(seat), pick) {
            let hand = &hands[seat];
            let low = vec![hand[*first], hand[(first + step) % 7]];
            decision.setting = SettingChoice::Low(low);
        }
    }
    decisions
}

fn settle_by_house_way(sheet: &WagerSheet, deck: &Deck, dice: [u8; 3]) -> Settlement {
    let table = mikes().check(sheet).unwrap();
    let dealt = mikes().deal(&table, deck, dice);
    mikes().settle(house_way(), &table, &dealt, &house_way_for_all(&table)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn money_is_conserved_and_the_bank_is_never_outrun(
        wagers in good_wagers(),
        bank in banks(),
        deck in decks(),
        dice in dice(),
        pile in 0..7_u8,
        picks in prop::collection::vec(prop::option::of((0..7_usize, 1..7_usize)), 8),
    ) {
        let mut sheet = sheet(bank, &wagers);
        sheet.facts.action_pile = Some(pile);
        let table = mikes().check(&sheet).unwrap();
        let dealt = mikes().deal(&table, &deck, dice);
        let decisions = decisions(&table, dealt.hands(), &picks);
        let round = mikes().settle(house_way(), &table, &dealt, &decisions).unwrap();

        prop_assert_eq!(sum_of_nets(&round), 0);
        // "May not win or lose more than the original amount wagered."
        let own_fee = dealt.fees.get(Seat::DEALER).copied().unwrap_or(0);
        prop_assert!((-bank..=bank).contains(&(round.bank.net + own_fee)));
        prop_assert_eq!(round.fees, dealt.fees.values().sum::<i64>());

        prop_assert_eq!(round.seats.len(), table.seats().count());
        for (number, result) in &round.seats {
            for line in &result.lines {
                prop_assert!(line.win >= 0 && line.returned >= 0);
                let short = line.uncovered.unwrap_or(0);
                match line.status {
                    LineStatus::Won => {
                        let odds = line.pays.unwrap();
                        prop_assert_eq!(line.win + short, line.stake * odds.num());
                        prop_assert_eq!(line.returned, line.stake + line.win);
                    }
                    LineStatus::Lost => {
                        prop_assert!(line.pays.is_none());
                        prop_assert_eq!((line.win, line.returned), (0, short));
                    }
                    LineStatus::Push | LineStatus::Uncovered => {
                        prop_assert_eq!((line.win, line.returned), (0, line.stake));
                    }
                }
            }
            let lines: i64 = result.lines.iter().map(|line| line.returned - line.stake).sum();
            let fee = dealt.fees.get(number).copied().unwrap_or(0);
            prop_assert_eq!(result.net, lines - fee);
            if let Some(base) = &result.base {
                prop_assert!(!base.foul || base.outcome == BaseOutcome::Lose);
            }
        }
    }

    #[test]
    fn any_sheet_is_taken_or_refused_with_a_reason(sheet in any_sheets()) {
        match mikes().check(&sheet) {
            Ok(table) => prop_assert!(table.seats().count() > 0),
            Err(faults) => {
                prop_assert!(!faults.is_empty());
                for fault in faults {
                    prop_assert!(!fault.message.is_empty() && !fault.message.ends_with('.'));
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_wagers_in_the_sheet_is_nothing(
        (wagers, shuffled) in good_wagers().prop_flat_map(|wagers| {
            (Just(wagers.clone()), Just(wagers).prop_shuffle())
        }),
    ) {
        let one = mikes().check(&sheet(1_000, &wagers)).unwrap();
        prop_assert_eq!(one, mikes().check(&sheet(1_000, &shuffled)).unwrap());
    }

    #[test]
    fn who_sits_where_is_nothing_while_the_bank_covers_all(
        wagers in good_wagers(),
        deck in decks(),
        turn in 1..6_u8,
    ) {
        // Every wager at most 4,000 times 500.00.
        let small: Vec<_> =
            wagers.into_iter().map(|(number, bet, stake)| (number, bet, stake.min(50_000))).collect();
        let bank = 100_000_000_000;
        let round = settle_by_house_way(&sheet(bank, &small), &deck, [2, 3, 3]);

        // Each seat's wagers and cards move on by `turn` seats; position 0 stays.
        let moved = |number: u8| if number == 0 { 0 } else { (number - 1 + turn) % 6 + 1 };
        let wagers: Vec<_> =
            small.iter().map(|&(number, bet, stake)| (moved(number), bet, stake)).collect();
        let mut moved_deck = *deck;
        for row in 0..7 {
            for position in 0..7_u8 {
                let place = |pile: u8| {
                    let pile = usize::from(pile);
                    7 * row + if row % 2 == 0 { pile } else { 6 - pile }
                };
                moved_deck[place(moved(position))] = deck[place(position)];
            }
        }
        let moved_deck = Deck::of(&moved_deck).unwrap();
        let moved_round = settle_by_house_way(&sheet(bank, &wagers), &moved_deck, [2, 3, 3]);
        prop_assert_eq!(&round.bank, &moved_round.bank);
        for (number, result) in &round.seats {
            prop_assert_eq!(result, &moved_round.seats[seat(moved(number.number()))]);
        }
    }

    #[test]
    fn suits_of_one_colour_may_be_exchanged(
        wagers in good_wagers(),
        bank in banks(),
        deck in decks(),
        dice in dice(),
    ) {
        let exchanged = deck.map(|card| match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => Card::new(rank, match suit {
                Suit::Clubs => Suit::Spades,
                Suit::Diamonds => Suit::Hearts,
                Suit::Hearts => Suit::Diamonds,
                Suit::Spades => Suit::Clubs,
            }),
            (None, _) | (_, None) => card,
        });
        let exchanged = Deck::of(&exchanged).unwrap();
        let one = settle_by_house_way(&sheet(bank, &wagers), &deck, dice);
        let other = settle_by_house_way(&sheet(bank, &wagers), &exchanged, dice);
        prop_assert_eq!(one.bank.net, other.bank.net);
        for (number, result) in &one.seats {
            prop_assert_eq!(&result.lines, &other.seats[number].lines);
        }
    }
}
