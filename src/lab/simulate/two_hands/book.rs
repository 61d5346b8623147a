//! What is looked up of two hands.

use super::counts::{Counts, ROWS, every_comparison, outcome};
use crate::cards::{Card, DECK_LEN};
use crate::engine::ListedGame;
use crate::game::{
    BonusBet, Condition, DealtHand, Evidence, HandCondition, LooksAt, OneColour, Ruleset, Showdown,
    ThreeCards,
};
use crate::hands::{Class, Classes, HandKey, LowHand, every_low_hand};

/// A row that a class does not decide: the cards have to be asked.
const ASK: u64 = ROWS as u64 - 1;

/// From bit 0 the place of the high hand, from bit 13 that of the low hand, at bit 20
/// whether base wagers push if the dealer holds it, and from bit 21 on five bits for each
/// bonus bet: its row, from 1, or 0 for none.
type Entry = u64;
const LOW_AT: u32 = 13;
const PUSH_AT: u32 = 20;
const ROWS_AT: u32 = 21;
const ROW_BITS: u32 = 5;
/// So many bets have room.
const BETS: usize = ((u64::BITS - ROWS_AT) / ROW_BITS) as usize;

/// Everything that two hands of `N` cards are looked up in.
#[derive(Debug)]
pub(super) struct Book<const N: usize> {
    classes: &'static Classes<N>,
    entries: Vec<Entry>,
    /// The bets that look at the seat's cards, and those that look at the dealer's.
    of_seat: Vec<usize>,
    of_dealer: Vec<usize>,
    /// Whether a bet asks for a colour of the whole hand.
    asks_one_colour: bool,
    others: Vec<(usize, Other)>,
    lows: usize,
}

/// A bet that looks at something else than all cards of one hand.
#[derive(Debug)]
enum Other {
    /// The row by the first three cards as dealt.
    FirstThree(Box<[u8]>),
    /// The row by the number of red cards.
    Colour([u8; 8]),
    /// The row by the comparison of the hands and the places of both low hands.
    Showdown(Box<[u8]>),
}

impl<const N: usize> Book<N>
where
    Classes<N>: Get,
{
    pub(super) fn new(game: &ListedGame) -> Result<Self, String> {
        let ruleset = &game.ruleset;
        let compiled = game.house_way.compiled();
        let bonus = ruleset.bonus_bets();
        if compiled.undecided() > 0 || game.house_way.wheel() != ruleset.wheel() {
            return Err(format!("classes do not decide the hands of {}", game.house_way.id()));
        }
        if bonus.len() > BETS || bonus.iter().any(|bet| bet.rows.len() + 1 >= ROWS) {
            return Err(format!("{} has too many bets or rows", ruleset.id()));
        }
        let classes = <Classes<N> as Get>::get();
        let looks = |at: LooksAt| -> Vec<usize> {
            let at = |place: &usize| bonus[*place].id.looks_at() == Some(at);
            (0..bonus.len()).filter(at).collect()
        };
        let (of_seat, of_dealer) = (looks(LooksAt::SeatHand), looks(LooksAt::DealerHand));
        let lows = every_low_hand(ruleset.low_cards());
        let others = bonus.iter().enumerate().filter_map(|(place, bet)| {
            Some((place, Other::of(bet, &lows)?))
        });
        let entry = |class: Class| {
            let answer = compiled.answers()[class.index()];
            let hand = classes.hand(class, crate::cards::Suit::ALL);
            let mut entry = u64::from(answer.high_id()) | u64::from(answer.low_id()) << LOW_AT;
            let facts = classes.facts(class);
            // The rows that ask for two cards of one suit beside five of another.
            let depends_on_suits =
                N == 7 && (facts.has_royal_flush() || facts.has_luhn_tao_wheel());
            for place in of_seat.iter().chain(&of_dealer) {
                let row = if depends_on_suits { ASK } else { row_of(&bonus[*place], &hand) };
                entry |= row << (ROWS_AT + ROW_BITS * shift(*place));
            }
            entry | u64::from(ruleset.pushes_on(&hand)) << PUSH_AT
        };
        Ok(Self {
            classes,
            entries: classes.all().map(entry).collect(),
            asks_one_colour: of_seat.iter().chain(&of_dealer).any(|bet| asks_one_colour(&bonus[*bet])),
            others: others.collect(),
            lows: lows.len(),
            of_seat,
            of_dealer,
        })
    }

    /// Counts what two hands come to.
    #[inline]
    pub(super) fn look_up(
        &self,
        ruleset: &Ruleset,
        seat: &[Card; N],
        dealer: &[Card; N],
        counts: &mut Counts,
    ) {
        let [ours, theirs] =
            [seat, dealer].map(|cards| self.entries[self.classes.class(HandKey::of(cards)).index()]);
        let (high, low) = (compare(ours, theirs, 0, LOW_AT), compare(ours, theirs, LOW_AT, PUSH_AT));
        let ninth = 3 * high + low;
        counts.base[usize::from(theirs >> PUSH_AT & 1 == 1)][ninth] += 1;
        for (bets, cards, entry) in [(&self.of_seat, seat, ours), (&self.of_dealer, dealer, theirs)] {
            let ask = self.asks_one_colour && is_one_colour(cards);
            for place in bets {
                let row = entry >> (ROWS_AT + ROW_BITS * shift(*place)) & (ROWS as u64 - 1);
                let row = if ask || row == ASK { row_of(&ruleset.bonus_bets()[*place], cards) } else { row };
                counts.rows[*place][index(row)] += 1;
            }
        }
        for (place, other) in &self.others {
            let row = match other {
                Other::FirstThree(rows) => rows[three(seat)],
                Other::Colour(rows) => rows[red(seat)],
                Other::Showdown(rows) => {
                    let [ours, theirs] = [ours, theirs].map(|entry| index(entry >> LOW_AT & 0x7f));
                    rows[(ninth * self.lows + ours) * self.lows + theirs]
                }
            };
            counts.rows[*place][usize::from(row)] += 1;
        }
    }
}
