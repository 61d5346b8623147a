//! `paigow-lab judge`: judges millions of hands by the bonus bets of a ruleset.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use serde::de::{Deserialize, Deserializer};
use serde_json::json;

use super::json_line::{self, CardCode};
use super::{CommandError, CommandOutcome, answer_lines};
use paigow_round::ListedGame;
use paigow_rules::cards::Card;
use paigow_rules::game::{
    BetEvidence, BetSubject, BonusBet, ColourChoice, DealtHand, PayRow, RowPayment, SetHand,
};

/// Judges the cards of every line by every bonus bet of the ruleset.
///
/// A line is `{"cards":["Ah",...],"choice":"red","low":[...],"dealer":[...]}`.
///
/// - `cards` has as many codes as the ruleset deals to a position. If the ruleset has a bet on the
///   first three cards, three codes are enough. The order is that of the deal.
/// - `choice` is `red` or `black`; it may be absent.
/// - `low` is the low hand that the player sets; it may be absent.
/// - `dealer` has as many cards as a hand; it may be absent.
///
/// The answer is `{"bets":[...]}`, the bets in the order of the ruleset, each with `bet` and
///
/// - `row`, `title`, `pays` with `num` and `den`, or `meter_share` likewise, `result` `won`, and
///   `to_others_minor` if such a hand wins the wagers of other seats a fixed amount;
/// - `row`, `title`, `result` `push`, and `to_others_minor` likewise;
/// - `result` `lost`; or
/// - `skipped`, and the reason, if the line lacks something that the bet needs.
///
/// `cards` is judged as the hand of a seat. A bet on the dealer's hand judges it as the dealer's
/// hand, unless the line has `dealer`. Without `low` the house way sets the hand of the seat. A bet
/// on both hands needs `dealer`; the house way of the ruleset sets both. The answer to any other
/// line is `{"error":"...","line":n}`.
///
/// # Errors
///
/// If input or output fails.
pub fn run(
    game: &ListedGame,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let judges: Vec<PreparedBet<'_>> =
        game.ruleset.bonus_bets().iter().map(PreparedBet::new).collect();
    answer_lines(input, out, |line, text| {
        let seen = LineEvidence::of(game, json_line::parse(line)?)?;
        text.extend_from_slice(b"{\"bets\":[");
        for (place, judge) in judges.iter().enumerate() {
            if place > 0 {
                text.push(b',');
            }
            match seen.lacks(judge.bet) {
                Some(why) => {
                    let skipped = json!({ "bet": judge.bet.id.name(), "skipped": why });
                    text.extend_from_slice(skipped.to_string().as_bytes());
                }
                None => text.extend_from_slice(judge.answer(&seen.evidence).as_bytes()),
            }
        }
        text.extend_from_slice(b"]}");
        Ok(())
    })
}

/// One line of input.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct BonusLine {
    cards: Vec<CardCode>,
    #[serde(default, deserialize_with = "not_null")]
    choice: Option<ColourName>,
    #[serde(default, deserialize_with = "not_null")]
    low: Option<Vec<CardCode>>,
    #[serde(default, deserialize_with = "not_null")]
    dealer: Option<Vec<CardCode>>,
}

/// A colour as a line names it.
#[derive(Clone, Copy, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum ColourName {
    Red,
    Black,
}

/// Reads a member that may be left out, but not be null.
fn not_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// The cards and the choice of an input line.
struct LineEvidence {
    evidence: BetEvidence,
    /// How many cards make a whole hand.
    hand_cards: usize,
}

impl LineEvidence {
    fn of(game: &ListedGame, line: BonusLine) -> Result<Self, String> {
        let ruleset = &game.ruleset;
        let (id, hand_cards) = (ruleset.id(), ruleset.hand_cards());
        let cards = |codes: Vec<CardCode>| codes.into_iter().map(|code| code.0).collect();
        let seat: Vec<Card> = cards(line.cards);
        let dealer: Option<Vec<Card>> = line.dealer.map(cards);
        let looks_at = |what| ruleset.bonus_bets().iter().any(|bet| bet.looks_at == what);
        let on_three = looks_at(BetSubject::FirstThree);
        let count = seat.len();
        if count != hand_cards && !(on_three && count == 3) {
            let or_three = if on_three { ", or the first 3 of them" } else { "" };
            return Err(format!("{count} cards; {id} judges {hand_cards}{or_three}"));
        }
        if let Some(dealer) = dealer.as_ref().filter(|dealer| dealer.len() != hand_cards) {
            return Err(format!("dealer: {} cards; {id} deals {hand_cards}", dealer.len()));
        }
        json_line::all_differ(seat.iter().chain(dealer.iter().flatten()))?;
        let showdown = match &dealer {
            Some(dealer) if looks_at(BetSubject::Showdown) => {
                ruleset.showdown(&game.house_way, &seat, dealer)
            }
            Some(_) | None => None,
        };
        let low: Option<Vec<Card>> = line.low.map(cards);
        let set = match &low {
            _ if count != hand_cards => None,
            None => game
                .house_way
                .set(&seat)
                .map(|set| SetHand { high: set.high_value, low: set.low_value }),
            Some(low) => {
                let split = ruleset.split(&seat, low).map_err(|rule| format!("low: {rule}"))?;
                (!split.is_foul).then_some(SetHand { high: split.high_hand, low: split.low_hand })
            }
        };
        let joker = ruleset.joker();
        let hand = if count == hand_cards { DealtHand::of(&seat, joker) } else { None };
        let evidence = BetEvidence {
            hand,
            dealer: dealer.as_ref().map_or(hand, |dealer| DealtHand::of(dealer, joker)),
            first_three: seat.get(..3).and_then(|three| DealtHand::of(three, joker)),
            choice: line.choice.map(|named| match named {
                ColourName::Red => ColourChoice::Red,
                ColourName::Black => ColourChoice::Black,
            }),
            set,
            showdown,
        };
        Ok(Self { evidence, hand_cards })
    }

    /// Returns the missing evidence of a bet, if any.
    fn lacks(&self, bet: &BonusBet) -> Option<String> {
        let BetEvidence { hand, dealer, first_three, choice, showdown, set: _ } = &self.evidence;
        let all_cards = || format!("needs all {} cards", self.hand_cards);
        match bet.looks_at {
            BetSubject::SeatHand if bet.asks_colour() && hand.is_some() => {
                choice.is_none().then(|| "needs a choice, red or black".to_owned())
            }
            BetSubject::SeatHand => hand.is_none().then(all_cards),
            BetSubject::DealerHand => dealer.is_none().then(all_cards),
            BetSubject::FirstThree => {
                first_three.is_none().then(|| "needs the first 3 cards".to_owned())
            }
            // A foul hand is not set, and loses.
            BetSubject::SeatSetHands => hand.is_none().then(all_cards),
            BetSubject::Showdown if hand.is_none() => Some(all_cards()),
            BetSubject::Showdown => {
                showdown.is_none().then(|| "needs the cards of the dealer".to_owned())
            }
        }
    }
}

/// A bonus bet with its possible answers, written in advance.
struct PreparedBet<'a> {
    bet: &'a BonusBet,
    /// The answers for its rows, by their ids.
    rows: BTreeMap<&'a str, String>,
    lost: String,
}

impl<'a> PreparedBet<'a> {
    fn new(bet: &'a BonusBet) -> Self {
        let name = bet.id.name();
        Self {
            bet,
            rows: bet.rows.iter().map(|row| (row.id.as_str(), written(name, row))).collect(),
            lost: format!("{{\"bet\":\"{name}\",\"result\":\"lost\"}}"),
        }
    }

    fn answer(&self, evidence: &BetEvidence) -> &str {
        let row = self.bet.judge(evidence);
        row.and_then(|row| self.rows.get(row.id.as_str())).unwrap_or(&self.lost)
    }
}

fn written(bet: &str, row: &PayRow) -> String {
    // Written member by member: a map of the parser would sort them alphabetically.
    let mut text = format!(
        "{{\"bet\":\"{bet}\",\"row\":\"{}\",\"title\":{}",
        row.id,
        serde_json::Value::from(row.title.as_str())
    );
    text += &match row.pays {
        RowPayment::Odds(odds) => format!(
            ",\"pays\":{{\"num\":{},\"den\":{}}},\"result\":\"won\"",
            odds.num(),
            odds.den()
        ),
        RowPayment::Meter(share) => format!(
            ",\"meter_share\":{{\"num\":{},\"den\":{}}},\"result\":\"won\"",
            share.share().num(),
            share.share().den()
        ),
        RowPayment::Push => ",\"result\":\"push\"".to_owned(),
    };
    if let Some(amount) = row.to_others {
        text += &format!(",\"to_others_minor\":\"{amount}\"");
    }
    text + "}"
}
