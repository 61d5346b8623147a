use super::super::sheet::layout;
use super::super::sums::{SimulatedBets, SimulationSums};
use super::*;
use paigow_round::Catalogue;
use paigow_rules::cards::{DECK_LEN, Deck, Seat};

/// Makes a deck from which seat 1 and the dealer get these hands. The other cards have any order.
fn deck_of(
    game: &ListedGame,
    table: &paigow_rules::game::WagerTable,
    seat: &[Card],
    dealer: &[Card],
) -> Deck {
    // Where each card goes is read from the deal of the fresh deck.
    let dealt = game.ruleset.deal(table, &Deck::FRESH, [1, 1, 1]);
    let mut rest = Card::all().filter(|card| !seat.contains(card) && !dealer.contains(card));
    let mut deck = [None; DECK_LEN];
    for (of, hand) in [(Seat::new(1).unwrap(), seat), (Seat::DEALER, dealer)] {
        for (place, card) in dealt.hands()[of].iter().zip(hand) {
            deck[usize::from(place.number())] = Some(*card);
        }
    }
    Deck::of(&deck.map(|card| card.unwrap_or_else(|| rest.next().unwrap()))).unwrap()
}

/// Settles the same hands by the engine, one by one.
fn settled<const N: usize, const BOTH: usize>(
    game: &ListedGame,
    master: &[u8; 32],
    rounds: u64,
) -> SimulationSums {
    let (layout, bets) = (layout(game, 1, false).unwrap(), SimulatedBets::of(&game.ruleset));
    let (mut sums, mut decks) = (SimulationSums::of(&bets), decks(master, 0));
    for _ in 0..rounds {
        let cards: [Card; BOTH] = decks.deal();
        let (seat, dealer) = halves::<N>(&cards);
        let deck = deck_of(game, &layout.table, seat, dealer);
        let dealt = game.ruleset.deal(&layout.table, &deck, [1, 1, 1]);
        assert_eq!(dealt.hands()[Seat::DEALER][..], *dealer);
        let settlement =
            game.ruleset.settle(&game.house_way, &layout.table, &dealt, &layout.decisions);
        sums.add_round(&bets, &settlement.unwrap());
    }
    sums
}

fn compare(id: &str, rounds: u64) {
    let catalogue = Catalogue::shipped();
    let game = catalogue.game_named(id).unwrap();
    let (master, bets) = ([9; 32], SimulatedBets::of(&game.ruleset));
    let looked_up = TwoHandSimulation::new(game).unwrap().play(game, &master, 0..rounds);
    let ours = looked_up.sums(&game.ruleset, &layout(game, 1, false).unwrap(), &bets);
    let theirs = if game.ruleset.hand_cards() == 6 {
        settled::<6, 12>(game, &master, rounds)
    } else {
        settled::<7, 14>(game, &master, rounds)
    };
    assert_eq!(ours, theirs, "{id}");
}

#[test]
fn what_is_looked_up_is_what_the_engine_settles() {
    // Together these rulesets have all kinds of bets, and hands of seven and of six cards.
    for id in ["express", "mania", "mikes", "mini"] {
        compare(id, 1500);
    }
}

#[test]
#[ignore = "long: every ruleset"]
fn what_is_looked_up_is_what_the_engine_settles_in_every_ruleset() {
    for game in Catalogue::shipped().games() {
        game.house_way.compile_now();
        compare(game.ruleset.id(), BLOCK.min(4000));
    }
}

#[test]
fn rare_hands_whose_suits_matter_are_asked_for() {
    // Every hand with a royal flush, and every hand of one colour, for a few representative suits.
    // The looked-up row is the row that the bet itself names.
    let catalogue = Catalogue::shipped();
    let hands = [
        "Th Jh Qh Kh Ah As Qs",
        "Th Jh Qh Kh Ah As Qd",
        "Th Jh Qh Kh Jk As Qs",
        "Th Jh Qh Kh Ah Ks Qs",
        "Ah 2h 3h 4h 5h As Qs",
        "Ah 2h 3h 4h 5h Ad Qs",
        "Ah 2h 3h 4h 5h 6h 7h",
        "2h 4d 6h 8d Th Qd Kh",
        "2h 4d 6h 8d Th Qd Jk",
        "2c 4s 6c 8s Tc Qs Kc",
        "2c 4s 6c 8s Tc Qs Kd",
        "2h 2d 6h 8d Th Qd Kh",
    ];
    let parse = |text: &str| -> [Card; 7] {
        let cards: Vec<Card> = text.split(' ').map(|code| code.parse().unwrap()).collect();
        cards.try_into().unwrap()
    };
    let dealer = |seat: &[Card; 7]| -> [Card; 7] {
        let rest: Vec<Card> = Card::all().filter(|card| !seat.contains(card)).take(7).collect();
        rest.try_into().unwrap()
    };
    for id in ["express", "mikes"] {
        let game = catalogue.game_named(id).unwrap();
        let book = TwoHandBook::new(game, HandClasses::<7>::get()).unwrap();
        let (layout, bets) = (layout(game, 1, false).unwrap(), SimulatedBets::of(&game.ruleset));
        for text in hands {
            let seat = parse(text);
            for (seat, dealer) in [(seat, dealer(&seat)), (dealer(&seat), seat)] {
                let mut counts = TwoHandCounts::new(&game.ruleset);
                let both: [Card; 14] =
                    std::array::from_fn(|i| if i < 7 { seat[i] } else { dealer[i - 7] });
                book.look_up(&game.ruleset, &[both], &mut counts);
                let deck = deck_of(game, &layout.table, &seat, &dealer);
                let dealt = game.ruleset.deal(&layout.table, &deck, [1, 1, 1]);
                let settlement = game
                    .ruleset
                    .settle(&game.house_way, &layout.table, &dealt, &layout.decisions)
                    .unwrap();
                let mut sums = SimulationSums::of(&bets);
                sums.add_round(&bets, &settlement);
                assert_eq!(counts.sums(&game.ruleset, &layout, &bets), sums, "{id}: {text}");
            }
        }
    }
}
