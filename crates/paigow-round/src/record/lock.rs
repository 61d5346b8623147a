//! Locks and actions: signed statements of decisions (D1, D5).

use std::collections::BTreeMap;

use crate::request::VoidReason;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::{Json, ObjectWriter, ValueWriter, WriteJson};
use paigow_fairness::payload::{Members, PayloadError, card_list};
use paigow_fairness::seed::is_client_seed;
use paigow_rules::cards::{BySeat, Card, Seat};
use paigow_rules::game::{
    BetLimit, ColourChoice, Currency, Decision, MAX_STAKE, SettingChoice, TableFacts, Wager,
    WagerSheet, WagerTable,
};

/// The payload of a lock with step `wagers`: phase 1.
#[derive(Clone)]
pub struct WagerLock {
    /// The previous record: the ticket.
    pub prev: Hash,
    /// The round.
    pub round_id: Hash,
    /// The client seeds revealed.
    pub client_seeds: BTreeMap<Seat, Vec<u8>>,
    /// The seats that the lock lists.
    pub seats: BySeat<()>,
    /// The wagers, ascending by seat, each seat's in the lock's order.
    pub wagers: Vec<Wager>,
    /// Their currency.
    pub currency: Currency,
    /// The table facts.
    pub facts: TableFacts,
}

impl std::fmt::Debug for WagerLock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WagerLock({})", self.round_id)
    }
}

/// The payload as it is signed.
impl WriteJson for WagerLock {
    fn write_json(&self, out: ValueWriter<'_>) {
        out.obj(|o| {
            let limits = &self.facts.bet_limits;
            if !limits.is_empty() {
                o.member("bet_limits").arr(limits, |limit, out| {
                    out.obj(|o| {
                        o.member("bet").str(&limit.bet);
                        o.member("max").decimal(limit.max_minor);
                    });
                });
            }
            o.member("currency").obj(|o| {
                o.member("code").str(self.currency.code());
                o.member("exponent").int(self.currency.exponent());
            });
            write_facts(&self.facts, o.member("facts"));
            o.member("prev").hash(&self.prev);
            o.member("round_id").hash(&self.round_id);
            o.member("seats").obj(|o| {
                for seat in self.seats.seats() {
                    self.write_seat(seat, o.seat(seat));
                }
            });
            o.member("step").str("wagers");
        });
    }
}

impl WagerLock {
    fn write_seat(&self, seat: Seat, out: ValueWriter<'_>) {
        out.obj(|o| {
            if let Some(seed) = self.client_seeds.get(&seat) {
                o.member("client_seed").hex(seed);
            }
            let wagers = self.wagers.iter().filter(|wager| wager.seat == seat);
            o.member("wagers").arr(wagers, |wager, out| {
                out.obj(|o| {
                    o.member("amount").decimal(wager.amount_minor);
                    o.member("bet").str(&wager.bet);
                    if let Some(choice) = wager.choice {
                        o.member("choice").str(choice_name(choice));
                    }
                });
            });
        });
    }

    /// Writes the lock that states a table: seats ascending, wagers in the ruleset's order
    /// of bets.
    #[must_use]
    pub fn of_table(
        prev: Hash,
        round_id: Hash,
        table: &WagerTable,
        client_seeds: BTreeMap<Seat, Vec<u8>>,
    ) -> Self {
        let wagers = table.seats().flat_map(|(seat, placed)| {
            placed.iter().map(move |placed| Wager {
                seat,
                bet: placed.bet.name().to_owned().into(),
                amount_minor: placed.stake,
                choice: placed.choice,
            })
        });
        Self {
            prev,
            round_id,
            client_seeds,
            seats: table.seats().map(|(seat, _)| (seat, ())).collect(),
            wagers: wagers.collect(),
            currency: table.currency().clone(),
            facts: table.facts().clone(),
        }
    }

    /// Returns the sheet that the lock states.
    #[must_use]
    pub fn sheet(&self) -> WagerSheet {
        WagerSheet {
            currency: self.currency.clone(),
            wagers: self.wagers.clone(),
            facts: self.facts.clone(),
        }
    }

    fn parse(mut members: Members) -> Result<Self, PayloadError> {
        let currency = members.object("currency", |m| {
            let (code, exponent) = (m.text("code")?, m.byte("exponent", u8::MAX)?);
            Currency::new(&code, exponent).map_err(|_| m.blame("code", "not a currency"))
        })?;
        let bet_limits = members.optional("bet_limits", |m, key| {
            let limits = m.objects(key, |m| {
                let bet = m.text("bet")?.into_owned().into();
                Ok(BetLimit { bet, max_minor: m.amount("max")? })
            })?;
            if limits.is_empty() { Err(m.blame(key, "one limit or more")) } else { Ok(limits) }
        })?;
        let facts = TableFacts {
            bet_limits: bet_limits.unwrap_or_default(),
            ..members.object("facts", parse_facts)?
        };
        let by_seat: BTreeMap<Seat, _> = members.by_seat("seats", |m, key| {
            m.object(key, |m| {
                let seed = m.optional("client_seed", |m, k| {
                    let seed = m.any_bytes(k)?;
                    if is_client_seed(&seed) { Ok(seed) } else { Err(m.blame(k, "16 to 64 bytes")) }
                })?;
                let wagers = m.objects("wagers", |m| {
                    let choice = match m.optional("choice", Members::text)?.as_deref() {
                        None => None,
                        Some("red") => Some(ColourChoice::Red),
                        Some("black") => Some(ColourChoice::Black),
                        Some(_) => return Err(m.blame("choice", "red or black")),
                    };
                    let amount = m.amount("amount")?;
                    if !(1..=MAX_STAKE).contains(&amount) {
                        return Err(m.blame("amount", "not a stake, 1 to 10^15"));
                    }
                    Ok((m.text("bet")?.into_owned().into(), amount, choice))
                })?;
                Ok((seed, wagers))
            })
        })?;
        if by_seat.contains_key(&Seat::DEALER) {
            return Err(members.blame("seats.0", "seats are 1 to 7"));
        }
        let lock = Self {
            prev: members.hash("prev")?,
            round_id: members.hash("round_id")?,
            client_seeds: by_seat
                .iter()
                .filter_map(|(seat, (seed, _))| Some((*seat, seed.clone()?)))
                .collect(),
            seats: by_seat.keys().map(|seat| (*seat, ())).collect(),
            currency,
            facts,
            wagers: by_seat
                .into_iter()
                .flat_map(|(seat, (_, wagers))| {
                    wagers.into_iter().map(move |(bet, amount_minor, choice)| Wager {
                        seat,
                        bet,
                        amount_minor,
                        choice,
                    })
                })
                .collect(),
        };
        members.finish()?;
        Ok(lock)
    }
}

/// The payload of a lock that closes a round: phase 2.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CloseLock {
    /// Exactly these actions are final.
    Final {
        /// The seats whose players are absent, ascending: the house way sets their hands.
        absent: Vec<Seat>,
        /// The action records' hashes, ascending by seat.
        actions: Vec<Hash>,
        /// The previous record: the deal.
        prev: Hash,
        /// The round.
        round_id: Hash,
        /// The spent locks before it, in order: at most [`MAX_SUPERSEDED`].
        supersedes: Vec<Hash>,
    },
    /// The round is void.
    Void {
        /// The latest of ticket, lock of the wagers and deal.
        prev: Hash,
        /// Why.
        reason: VoidReason,
        /// The round.
        round_id: Hash,
        /// The final locks before it, in order: at most [`MAX_SUPERSEDED`].
        supersedes: Vec<Hash>,
    },
}

/// The most locks that a lock supersedes. After that many spent locks only a void lock counts.
pub const MAX_SUPERSEDED: usize = 8;

/// The payload as it is signed.
impl WriteJson for CloseLock {
    fn write_json(&self, out: ValueWriter<'_>) {
        out.obj(|o| match self {
            Self::Final { absent, actions, prev, round_id, supersedes } => {
                if !absent.is_empty() {
                    o.member("absent").arr(absent, |seat, out| out.int(seat.number()));
                }
                o.member("actions").arr(actions, |action, out| out.hash(action));
                o.member("prev").hash(prev);
                o.member("round_id").hash(round_id);
                o.member("step").str("final");
                write_superseded(o, supersedes);
            }
            Self::Void { prev, reason, round_id, supersedes } => {
                o.member("prev").hash(prev);
                o.member("reason").str(reason.name());
                o.member("round_id").hash(round_id);
                o.member("step").str("void");
                write_superseded(o, supersedes);
            }
        });
    }
}

impl CloseLock {
    /// Returns the locks that it supersedes, in order.
    #[must_use]
    pub fn supersedes(&self) -> &[Hash] {
        match self {
            Self::Final { supersedes, .. } | Self::Void { supersedes, .. } => supersedes,
        }
    }

    /// Whether it voids the round.
    #[must_use]
    pub const fn is_void(&self) -> bool {
        matches!(self, Self::Void { .. })
    }
}

fn write_superseded(o: &mut ObjectWriter<'_>, locks: &[Hash]) {
    if !locks.is_empty() {
        o.member("supersedes").arr(locks, |lock, out| out.hash(lock));
    }
}

fn hashes(members: &mut Members<'_>, key: &str) -> Result<Vec<Hash>, PayloadError> {
    members.list(key, |item| match item {
        Json::Str(text) => text.parse().map_err(|_| "not a hash"),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a hash"),
    })
}

/// Reads the superseded locks. The member is absent if the list is empty.
fn superseded(members: &mut Members<'_>) -> Result<Vec<Hash>, PayloadError> {
    let locks = members.optional("supersedes", hashes)?;
    let Some(locks) = locks else { return Ok(Vec::new()) };
    let is_distinct = locks.iter().enumerate().all(|(i, lock)| !locks[..i].contains(lock));
    if (1..=MAX_SUPERSEDED).contains(&locks.len()) && is_distinct {
        Ok(locks)
    } else {
        Err(members.blame("supersedes", "1 to 8 locks, no two alike"))
    }
}

/// Reads the absent seats. The member is absent if the list is empty.
fn absent_seats(members: &mut Members<'_>) -> Result<Vec<Seat>, PayloadError> {
    let seats = members.optional("absent", |members, key| {
        members.list(key, |item| {
            let Json::Int(number) = item else { return Err("not a seat, 1 to 7") };
            let seat = u8::try_from(number).ok().and_then(Seat::new);
            seat.filter(|seat| !seat.is_dealer()).ok_or("not a seat, 1 to 7")
        })
    })?;
    let Some(seats) = seats else { return Ok(Vec::new()) };
    if !seats.is_empty() && seats.is_sorted_by(|a, b| a < b) {
        Ok(seats)
    } else {
        Err(members.blame("absent", "one seat or more, ascending"))
    }
}

/// The payload of any lock.
#[derive(Clone, Debug)]
pub enum Lock {
    /// Phase 1.
    Wagers(WagerLock),
    /// Phase 2.
    Close(CloseLock),
}

impl Lock {
    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        match &*members.text("step")? {
            "wagers" => WagerLock::parse(members).map(Self::Wagers),
            "final" => {
                let lock = CloseLock::Final {
                    absent: absent_seats(&mut members)?,
                    actions: hashes(&mut members, "actions")?,
                    prev: members.hash("prev")?,
                    round_id: members.hash("round_id")?,
                    supersedes: superseded(&mut members)?,
                };
                members.finish()?;
                Ok(Self::Close(lock))
            }
            "void" => {
                let reason = VoidReason::from_name(&members.text("reason")?)
                    .ok_or_else(|| members.blame("reason", "not a reason for a void"))?;
                let lock = CloseLock::Void {
                    prev: members.hash("prev")?,
                    reason,
                    round_id: members.hash("round_id")?,
                    supersedes: superseded(&mut members)?,
                };
                members.finish()?;
                Ok(Self::Close(lock))
            }
            _ => Err(members.blame("step", "wagers, final or void")),
        }
    }

    /// Returns the round.
    #[must_use]
    pub const fn round_id(&self) -> &Hash {
        match self {
            Self::Wagers(lock) => &lock.round_id,
            Self::Close(CloseLock::Final { round_id, .. } | CloseLock::Void { round_id, .. }) => {
                round_id
            }
        }
    }

    /// Returns the link to the record before.
    #[must_use]
    pub const fn prev(&self) -> &Hash {
        match self {
            Self::Wagers(lock) => &lock.prev,
            Self::Close(CloseLock::Final { prev, .. } | CloseLock::Void { prev, .. }) => prev,
        }
    }
}

const fn choice_name(choice: ColourChoice) -> &'static str {
    match choice {
        ColourChoice::Red => "red",
        ColourChoice::Black => "black",
    }
}

fn write_facts(facts: &TableFacts, out: ValueWriter<'_>) {
    out.obj(|o| {
        if let Some(pile) = facts.action_pile {
            o.member("action_pile").int(pile);
        }
        let money = |o: &mut ObjectWriter<'_>, key, amount: Option<i64>| {
            if let Some(amount) = amount {
                o.member(key).decimal(amount);
            }
        };
        money(o, "bank_minor", facts.bank_minor);
        if let Some(seat) = facts.banker_seat {
            o.member("banker_seat").int(seat.number());
        }
        money(o, "chip_minor", facts.chip_minor);
        money(o, "meter_minor", facts.meter_minor);
        money(o, "table_max_minor", facts.table_max_minor);
        money(o, "table_min_minor", facts.table_min_minor);
    });
}

/// The last of the seven piles of a zigzag deal, counted from 0 (PGE-FAIR-1, D5).
const LAST_PILE: u8 = 6;

fn parse_facts(members: &mut Members) -> Result<TableFacts, PayloadError> {
    Ok(TableFacts {
        action_pile: members.optional("action_pile", |m, k| m.byte(k, LAST_PILE))?,
        bank_minor: members.optional("bank_minor", Members::amount)?,
        banker_seat: members.optional("banker_seat", |m, k| {
            let number = m.byte(k, u8::MAX)?;
            let seat = Seat::new(number).filter(|seat| !seat.is_dealer());
            seat.ok_or_else(|| m.blame(k, "not a seat, 1 to 7"))
        })?,
        chip_minor: members.optional("chip_minor", Members::amount)?,
        meter_minor: members.optional("meter_minor", Members::amount)?,
        table_max_minor: members.optional("table_max_minor", Members::amount)?,
        table_min_minor: members.optional("table_min_minor", Members::amount)?,
        bet_limits: Vec::new(),
    })
}

/// The payload of an action: one seat's decision.
#[derive(Clone)]
pub struct Action {
    /// The decision of the seat.
    pub decision: Decision,
    /// The previous record: the deal.
    pub prev: Hash,
    /// The seat.
    pub seat: Seat,
}

impl std::fmt::Debug for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Action(seat {})", self.seat)
    }
}

impl Action {
    /// Returns the payload as it is signed. `house_way` is the content hash of the ruleset's house
    /// way.
    #[must_use]
    pub fn to_json(&self, house_way: &Hash) -> Json<'static> {
        let base = Json::obj([
            ("prev", Json::hex(self.prev.as_bytes())),
            ("seat", Json::Int(u64::from(self.seat.number()))),
        ])
        .with("double_down", self.decision.double_down.then_some(Json::Bool(true)));
        match &self.decision.setting {
            SettingChoice::Low(cards) => {
                let mut cards = cards.clone();
                cards.sort();
                base.with("low", Some(card_list(&cards)))
            }
            SettingChoice::HouseWay => {
                base.with("house_way", Some(Json::hex(house_way.as_bytes())))
            }
        }
    }

    /// Reads a payload. Also returns the hash of the house way, if the seat leaves the setting to
    /// one.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed.
    pub fn parse(value: Json) -> Result<(Self, Option<Hash>), PayloadError> {
        let mut members = Members::of(value)?;
        let house_way = members.optional("house_way", Members::hash)?;
        let low: Option<Vec<Card>> = members.optional("low", Members::cards)?;
        let setting = match (low, house_way) {
            (Some(low), None) => {
                if !low.is_sorted() {
                    return Err(members.blame("low", "card sets ascend"));
                }
                SettingChoice::Low(low)
            }
            (None, Some(_)) => SettingChoice::HouseWay,
            (None, None) | (Some(_), Some(_)) => {
                return Err(members.blame("low", "either low or house_way"));
            }
        };
        let number = members.byte("seat", u8::MAX)?;
        let seat = Seat::new(number)
            .filter(|seat| !seat.is_dealer())
            .ok_or_else(|| members.blame("seat", "not a seat that decides"))?;
        let double_down = members.flag("double_down")?;
        let action =
            Self { decision: Decision { setting, double_down }, prev: members.hash("prev")?, seat };
        members.finish()?;
        Ok((action, house_way))
    }
}
