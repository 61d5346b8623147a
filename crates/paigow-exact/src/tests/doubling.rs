//! The double down, against weighing each hand one by one.

use super::*;
use paigow_rules::game::{BaseOutcome, Fraction};

/// Weighs every hand against every other, one by one.
fn one_by_one(small: &Small, commission: Fraction) -> DoubledHands {
    let mut doubled = DoubledHands { commission, hands: 0, won: 0, lost: 0 };
    for (ours, held) in small.hands() {
        let player = held.player;
        let (mut won, mut lost) = (0, 0);
        small.each_other(0, ours, 0, &mut |theirs| {
            let other = small.held[theirs as usize].unwrap();
            if other.is_marked {
                let high = result(player.high, other.dealer.high);
                let low = result(player.low, other.dealer.low);
                match BaseOutcome::of(high, low) {
                    BaseOutcome::Win => won += 1,
                    BaseOutcome::Lose => lost += 1,
                    BaseOutcome::Push => {}
                }
            }
        });
        let kept = Fraction::ONE.minus(commission).unwrap();
        let wins = kept.times(Fraction::from(won)).unwrap();
        if wins > Fraction::from(lost) {
            doubled.hands += 1;
            doubled.won += u128::from(won.unsigned_abs());
            doubled.lost += u128::from(lost.unsigned_abs());
        }
    }
    doubled
}

fn check(deck: &SymmetricDeck, marked: fn(&[Card], SetHand) -> bool) {
    let mini = way("mini");
    let small = Small::new(deck, 6, |cards| {
        let hand = set(mini, cards);
        HeldHands { player: hand, dealer: hand, is_marked: marked(cards, hand) }
    });
    let classes = HandClasses::<6>::get();
    let showdowns =
        Showdowns::of(classes, mini, mini, Wheel::Second.into(), |c, set| marked(c, set)).unwrap();
    let plan = CountPlan::new(deck, 6).unwrap();
    let hands = PlayerHands::of(&plan);
    let mut weighed = hands.unweighed();
    for task in plan.tasks() {
        plan.weigh(task, showdowns.spots(), showdowns.lookup(), &hands, &mut weighed);
    }
    let rates = [Fraction::ZERO, Fraction::new(1, 20).unwrap(), Fraction::new(1, 2).unwrap()];
    let found = rates.map(|rate| hands.doubled(&weighed, rate));
    assert_eq!(found, rates.map(|rate| one_by_one(&small, rate)));
    // The player doubles on some hands and not on all. With commission there are fewer.
    assert!(0 < found[2].hands && found[2].hands < found[0].hands, "{found:?}");
    assert!(found[0].hands < small.hands().count() as u64, "{found:?}");
}

#[test]
fn each_hand_is_weighed_as_one_by_one() {
    check(&SymmetricDeck::reduced(&ranks("235KA"), 3, true), natural);
    check(&SymmetricDeck::reduced(&ranks("2567JQA"), 2, true), fives);
}

#[test]
#[ignore = "long: hundreds of millions of pairs"]
fn each_hand_of_larger_decks_is_weighed_as_one_by_one() {
    check(&SymmetricDeck::reduced(&ranks("2345679JQA"), 2, true), fives);
    check(&SymmetricDeck::reduced(&ranks("24678JK"), 3, true), fives);
    check(&SymmetricDeck::reduced(&ranks("2359A"), 4, true), natural);
}
