//! Which rows of a bet on set hands pay some hand.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Asked, BetEvidence, BetSubject, BonusBet, PayRow, SetHand, SetTerm, Showdown, ShowdownTerm,
};
use crate::cards::{Card, Rank, Suit};
use crate::game::settlement::Comparison;
use crate::hands::{Category, HighHand, JokerUse, LowHand, Ranking, every_low_hand, is_foul};

/// The facts of a high hand that terms test: its category, and its highest rank if it has no
/// category.
type HighKind = (Category, Option<Rank>);

/// The hands of some kind of high hand, which meet the same terms on one side.
#[derive(Debug)]
struct AlikeHands {
    kind: HighKind,
    high: HighHand,
    lows: BTreeSet<LowHand>,
}

impl BonusBet {
    /// Returns for each row whether it pays some hands that are not foul. `low_cards` is the number
    /// of cards of a low hand, 1 or 2. The rows of a bet that looks at dealt cards pay none.
    ///
    /// Combinations that no deck allows, or that no house way makes, count too.
    pub(in crate::game) fn reachable_rows(&self, low_cards: usize, ranking: Ranking) -> Vec<bool> {
        let mut paid = vec![false; self.rows.len()];
        let mut judge = |evidence: BetEvidence| {
            let holds = |row: &PayRow| row.condition.holds(self.looks_at, &evidence);
            if let Some(place) = self.rows.iter().position(holds) {
                paid[place] = true;
            }
        };
        if self.looks_at == BetSubject::SeatSetHands {
            for set in every_set_hand(low_cards, ranking) {
                judge(BetEvidence { set: Some(set), ..BetEvidence::none() });
            }
            return paid;
        }
        let seats = self.alike(low_cards, ranking, ShowdownTerm::of_seat);
        let dealers = self.alike(low_cards, ranking, ShowdownTerm::of_dealer);
        for (seat, dealer) in
            seats.iter().flat_map(|seat| dealers.iter().map(move |dealer| (seat, dealer)))
        {
            for high in compared_highs(seat, dealer) {
                for (seat_low, dealer_low, low) in compared_lows(seat, dealer) {
                    let showdown = Showdown {
                        high,
                        low,
                        seat: SetHand { high: seat.high, low: seat_low },
                        dealer: SetHand { high: dealer.high, low: dealer_low },
                    };
                    judge(BetEvidence { showdown: Some(showdown), ..BetEvidence::none() });
                }
            }
        }
        paid
    }

    /// Returns all hands in groups. The terms on one side do not distinguish the hands of a group.
    fn alike(
        &self,
        low_cards: usize,
        ranking: Ranking,
        of_side: impl Fn(ShowdownTerm) -> Option<SetTerm>,
    ) -> Vec<AlikeHands> {
        let asked = self.rows.iter().flat_map(|row| row.condition.terms());
        let terms: Vec<SetTerm> = asked
            .filter_map(|term| match term.asked {
                Asked::Showdown(term) => of_side(term),
                Asked::Cards(_) | Asked::Set(_) => None,
            })
            .collect();
        let mut alike: BTreeMap<(HighKind, Vec<bool>), AlikeHands> = BTreeMap::new();
        for set in every_set_hand(low_cards, ranking) {
            let kind = (set.high.category(), set.high.high_card_rank());
            let met = terms.iter().map(|term| term.holds(set)).collect();
            let hands = alike.entry((kind, met)).or_insert_with(|| AlikeHands {
                kind,
                high: set.high,
                lows: BTreeSet::new(),
            });
            hands.lows.insert(set.low);
        }
        alike.into_values().collect()
    }
}

/// Returns how the high hands can compare. Those of one kind can compare in every way.
fn compared_highs(seat: &AlikeHands, dealer: &AlikeHands) -> Vec<Comparison> {
    if seat.kind == dealer.kind {
        vec![Comparison::Win, Comparison::Copy, Comparison::Lose]
    } else if seat.high > dealer.high {
        vec![Comparison::Win]
    } else {
        vec![Comparison::Lose]
    }
}

/// Returns two low hands for each way in which the low hands can compare.
fn compared_lows(
    seat: &AlikeHands,
    dealer: &AlikeHands,
) -> impl Iterator<Item = (LowHand, LowHand, Comparison)> {
    let ends = |lows: &BTreeSet<LowHand>| Some((*lows.first()?, *lows.last()?));
    let (seat_ends, dealer_ends) = (ends(&seat.lows), ends(&dealer.lows));
    let both = seat_ends.zip(dealer_ends);
    let won = both.filter(|(seat, dealer)| seat.1 > dealer.0);
    let lost = both.filter(|(seat, dealer)| seat.0 < dealer.1);
    let copied = seat.lows.intersection(&dealer.lows).next();
    [
        won.map(|(seat, dealer)| (seat.1, dealer.0, Comparison::Win)),
        copied.map(|low| (*low, *low, Comparison::Copy)),
        lost.map(|(seat, dealer)| (seat.0, dealer.1, Comparison::Lose)),
    ]
    .into_iter()
    .flatten()
}

/// Returns hands of every kind of high hand with every low hand, foul ones left out.
fn every_set_hand(low_cards: usize, ranking: Ranking) -> Vec<SetHand> {
    let lows = every_low_hand(low_cards);
    let mut kinds = every_kind();
    if ranking.joker == JokerUse::Wild {
        kinds.push(five_kings());
    }
    let highs = kinds.into_iter().map(|cards| HighHand::of(&cards, ranking));
    let set = highs.flat_map(|high| lows.iter().map(move |low| SetHand { high, low: *low }));
    set.filter(|set| !is_foul(set.low, set.high)).collect()
}

/// Returns the four kings and the joker, the highest five of a kind below five aces.
fn five_kings() -> [Card; 5] {
    let [a, b, c, d] = Suit::ALL.map(|suit| Card::new(Rank::King, suit));
    [a, b, c, d, Card::JOKER]
}

/// Returns the highest five cards of each category that exists for every use of the joker. For
/// hands without a category, returns the highest five cards of each height.
fn every_kind() -> Vec<[Card; 5]> {
    use Rank::{Ace, Eight, Five, Four, Jack, King, Nine, Queen, Seven, Six, Ten, Three, Two};
    let of = |ranks: [Rank; 5], suits: [usize; 5]| {
        std::array::from_fn(|place| Card::new(ranks[place], Suit::ALL[suits[place]]))
    };
    let mixed = [0, 1, 2, 3, 0];
    let mut kinds: Vec<[Card; 5]> = [
        [Seven, Six, Five, Four, Two],
        [Eight, Seven, Six, Five, Three],
        [Nine, Eight, Seven, Six, Four],
        [Ten, Nine, Eight, Seven, Five],
        [Jack, Ten, Nine, Eight, Six],
        [Queen, Jack, Ten, Nine, Seven],
        [King, Queen, Jack, Ten, Eight],
        [Ace, King, Queen, Jack, Nine],
        [Ace, Ace, King, Queen, Jack],
        [Ace, Ace, King, King, Queen],
        [Ace, Ace, Ace, King, Queen],
        [Ace, King, Queen, Jack, Ten],
        [Ace, Ace, Ace, King, King],
        [Ace, Ace, Ace, Ace, King],
    ]
    .map(|ranks| of(ranks, mixed))
    .to_vec();
    kinds.push(of([Ace, King, Queen, Jack, Nine], [0; 5]));
    kinds.push(of([King, Queen, Jack, Ten, Nine], [0; 5]));
    kinds.push(of([Ace, King, Queen, Jack, Ten], [0; 5]));
    let mut five_aces = of([Ace; 5], mixed);
    five_aces[4] = Card::JOKER;
    kinds.push(five_aces);
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hands::Wheel;

    #[test]
    fn every_kind_of_high_hand_is_there_once() {
        let wild = Ranking { wheel: Wheel::Second, joker: JokerUse::Wild };
        let mut found: Vec<HighKind> = every_kind()
            .iter()
            .chain([&five_kings()])
            .map(|cards| HighHand::of(cards, wild))
            .map(|high| (high.category(), high.high_card_rank()))
            .collect();
        let without_any = Rank::ALL[5..].iter().map(|rank| (Category::HighCard, Some(*rank)));
        let others = Category::ALL.into_iter().filter(|category| *category != Category::HighCard);
        let mut all: Vec<HighKind> = without_any.chain(others.map(|kind| (kind, None))).collect();
        all.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, all);
    }
}
