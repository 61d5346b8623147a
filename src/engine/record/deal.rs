//! The deal record: what players may see before they decide (D5).

use std::collections::BTreeMap;

use crate::cards::{Card, Seat};
use crate::fairness::encoding::Hash;
use crate::fairness::json::Json;
use crate::fairness::payload::{Members, PayloadError, card_list, seat_map};

/// The payload of a deal record.
#[derive(Clone)]
pub struct DealRecord {
    /// The commitment to the deck.
    pub deck_commit: Hash,
    /// The dice in the order drawn; empty where the ruleset has none.
    pub dice: Vec<u8>,
    /// The fees due, by position; the published example leaves them out.
    pub fees: Option<BTreeMap<Seat, i64>>,
    /// The lines of bets that the deal makes final, each with its seat; absent where
    /// there are none.
    pub lines: Option<Json>,
    /// The record before: the lock.
    pub prev: Hash,
    /// The round.
    pub round_id: Hash,
    /// The ticket.
    pub ticket: Hash,
    /// The cards of every seat with a wager, in dealt order.
    pub visible: BTreeMap<Seat, Vec<Card>>,
}

impl std::fmt::Debug for DealRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DealRecord({})", self.round_id)
    }
}

impl DealRecord {
    /// Returns the payload as it is signed.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let fees = self.fees.as_ref();
        Json::obj([
            ("deck_commit", Json::hex(self.deck_commit.as_bytes())),
            ("dice", Json::arr(self.dice.iter().map(|die| Json::Int(u64::from(*die))))),
            ("phase", Json::Int(1)),
            ("prev", Json::hex(self.prev.as_bytes())),
            ("round_id", Json::hex(self.round_id.as_bytes())),
            ("ticket", Json::hex(self.ticket.as_bytes())),
            ("visible", seat_map(&self.visible, |cards| card_list(cards))),
        ])
        .with("fees", fees.map(|fees| seat_map(fees, Json::str)))
        .with("lines", self.lines.clone())
    }

    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        if members.int("phase", u64::MAX)? != 1 {
            return Err(members.blame("phase", "a deal is phase 1"));
        }
        let deal = Self {
            deck_commit: members.hash("deck_commit")?,
            dice: members.list("dice", |item| match item {
                Json::Int(n @ 1..=6) => u8::try_from(n).map_err(|_| "not a die"),
                Json::Int(_) | Json::Bool(_) | Json::Str(_) | Json::Arr(_) | Json::Obj(_) => {
                    Err("not a die")
                }
            })?,
            fees: members.optional("fees", |m, k| m.by_seat(k, Members::amount))?,
            lines: members.optional("lines", Members::value)?,
            prev: members.hash("prev")?,
            round_id: members.hash("round_id")?,
            ticket: members.hash("ticket")?,
            visible: members.by_seat("visible", Members::cards)?,
        };
        members.finish()?;
        Ok(deal)
    }
}
