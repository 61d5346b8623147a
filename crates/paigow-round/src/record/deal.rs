//! The deal record: the cards that players may see before they decide (D5).

use paigow_fairness::beacon::BeaconSignature;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::{Json, ValueWriter, WriteJson};
use paigow_fairness::payload::{Members, PayloadError};
use paigow_rules::cards::{BySeat, Card, Seat};
use paigow_rules::game::ShownHand;

/// The dealer's hand as a deal shows it, set by the house way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ExposedDealer {
    /// The cards of the high hand, ascending.
    pub high: Vec<Card>,
    /// The cards of the low hand, ascending.
    pub low: Vec<Card>,
}

impl ExposedDealer {
    /// Takes the cards of a hand that the house way has set.
    #[must_use]
    pub fn of(shown: &ShownHand) -> Self {
        Self { high: shown.high.to_vec(), low: shown.low.to_vec() }
    }

    fn parse(members: &mut Members<'_>) -> Result<Self, PayloadError> {
        let mut ascending = |key: &str| {
            let cards = members.cards(key)?;
            if cards.is_sorted() { Ok(cards) } else { Err(members.blame(key, "card sets ascend")) }
        };
        Ok(Self { high: ascending("high")?, low: ascending("low")? })
    }
}

/// The payload of a deal record.
#[derive(Clone)]
pub struct DealRecord {
    /// The beacon's signature of the round that the ticket names, under `external: drand`.
    pub beacon: Option<BeaconSignature>,
    /// The dealer's hand as set; absent if the ruleset does not expose it.
    pub dealer: Option<ExposedDealer>,
    /// The commitment to the deck.
    pub deck_commit: Hash,
    /// The dice in the order drawn; empty if the ruleset has none.
    pub dice: Vec<u8>,
    /// The fees due, by position.
    pub fees: BySeat<i64>,
    /// The lines of bets that the deal makes final, each with its seat; absent if no bet is final.
    pub lines: Option<Json<'static>>,
    /// The previous record: the lock.
    pub prev: Hash,
    /// The round.
    pub round_id: Hash,
    /// The ticket.
    pub ticket: Hash,
    /// The cards of every seat with a wager, in dealt order.
    pub visible: BySeat<Vec<Card>>,
}

impl std::fmt::Debug for DealRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DealRecord({})", self.round_id)
    }
}

/// The payload as it is signed.
impl WriteJson for DealRecord {
    fn write_json(&self, out: ValueWriter<'_>) {
        out.obj(|o| {
            if let Some(signature) = &self.beacon {
                o.member("beacon").hex(signature);
            }
            if let Some(dealer) = &self.dealer {
                o.member("dealer").obj(|o| {
                    o.member("high").cards(&dealer.high);
                    o.member("low").cards(&dealer.low);
                });
            }
            o.member("deck_commit").hash(&self.deck_commit);
            o.member("dice").arr(&self.dice, |die, out| out.int(*die));
            o.member("fees").seats(&self.fees, |fee, out| out.decimal(*fee));
            if let Some(lines) = &self.lines {
                lines.write_json(o.member("lines"));
            }
            o.member("phase").int(1_u8);
            o.member("prev").hash(&self.prev);
            o.member("round_id").hash(&self.round_id);
            o.member("ticket").hash(&self.ticket);
            o.member("visible").seats(&self.visible, |cards, out| out.cards(cards));
        });
    }
}

impl DealRecord {
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
            beacon: members.optional("beacon", Members::bytes)?,
            dealer: members
                .optional("dealer", |members, key| members.object(key, ExposedDealer::parse))?,
            deck_commit: members.hash("deck_commit")?,
            dice: members.list("dice", |item| match item {
                Json::Int(n @ 1..=6) => u8::try_from(n).map_err(|_| "not a die"),
                Json::Int(_) | Json::Bool(_) | Json::Str(_) | Json::Arr(_) | Json::Obj(_) => {
                    Err("not a die")
                }
            })?,
            fees: members.by_seat("fees", Members::amount)?,
            lines: members.optional("lines", Members::value)?.map(Json::into_owned),
            prev: members.hash("prev")?,
            round_id: members.hash("round_id")?,
            ticket: members.hash("ticket")?,
            visible: members.by_seat("visible", Members::cards)?,
        };
        if deal.visible.seats().any(Seat::is_dealer) {
            return Err(members.blame("visible.0", "seats are 1 to 7"));
        }
        members.finish()?;
        Ok(deal)
    }
}
