//! One round, step by step. Every step may be repeated: after a lost answer, a crash, in another process.

use std::collections::{BTreeMap, BTreeSet};

use paigow_proto::v1::{
    self as pb, DealRequest, DealResponse, Decision, OpenRoundRequest, PrepareDealRequest,
    PrepareOpenRequest, PrepareOpenResponse, PrepareSettleRequest, PrepareSettleResponse, Record,
    SettleRequest, SettleResponse, Signature, UnsignedRecord, VoidRoundResponse, WagerSheet,
    deal_request, decision,
};
use prost::Message;
use serde_json::json;
use tonic::Code;

use crate::beacon;
use crate::errors::ClientError;
use crate::keys::is_signed_by;
use crate::ledger::Ledger;
use crate::records::{self, ACTION, ReadRecord, TICKET, body, record_hash};
use crate::store::{LedgerStore, LockStep, Place, StepColumn, StoredLock};
use crate::table::Table;

mod settle;
mod void;

/// The seats' part of the opening of a round.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Opening {
    /// The commitments to client seeds by seat, 64 hexadecimal digits each.
    pub commits: BTreeMap<i32, String>,
    /// The public keys by seat, 64 hexadecimal digits each.
    pub seat_keys: BTreeMap<i32, String>,
    /// The seats with a key whose hands the house way sets if their players are gone.
    pub house_way_if_absent: BTreeSet<i32>,
}

/// The end of a round, as the engine has answered it.
#[derive(Clone, Debug, PartialEq)]
pub enum RoundClose {
    /// It was settled.
    Settled(Box<SettleResponse>),
    /// It was voided.
    Voided(Box<VoidRoundResponse>),
}

impl RoundClose {
    pub(crate) fn read(stored: &[u8]) -> Result<Self, ClientError> {
        match stored.split_first() {
            Some((b'S', bytes)) => Ok(Self::Settled(Box::new(parsed(bytes)?))),
            Some((b'V', bytes)) => Ok(Self::Voided(Box::new(parsed(bytes)?))),
            _ => Err(unreadable()),
        }
    }

    pub(crate) fn records(&self) -> &[Record] {
        match self {
            Self::Settled(settled) => &settled.records,
            Self::Voided(voided) => &voided.records,
        }
    }
}

/// The step that comes next in a round.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NextStep {
    /// [`Round::open`].
    Open,
    /// [`Round::deal`].
    Deal,
    /// [`Round::decide`] and [`Round::settle`].
    Settle,
    /// None: the round is closed.
    Closed,
}

/// A round at a table, made by [`Table::next_round`].
///
/// The steps come in this order:
///
/// 1. [`open`](Self::open)
/// 2. [`deal`](Self::deal)
/// 3. [`decide`](Self::decide) for each seat, and [`sign`](Self::sign) where the seat has a key
/// 4. [`settle`](Self::settle)
///
/// [`void`](Self::void) ends a round at any step before its decisions are locked. A step that was done returns its
/// result again.
#[derive(Clone, Debug)]
pub struct Round {
    pub(crate) table: Table,
    /// The place of the round.
    pub place: Place,
}

fn unreadable() -> ClientError {
    ClientError::LedgerUnavailable("a stored message cannot be read".to_owned())
}

fn parsed<M: Message + Default>(bytes: &[u8]) -> Result<M, ClientError> {
    M::decode(bytes).map_err(|_| unreadable())
}

fn wrong_step<T>(sentence: impl Into<String>) -> Result<T, ClientError> {
    Err(ClientError::WrongStep(sentence.into()))
}

fn signed_otherwise<T>(message: &str) -> Result<T, ClientError> {
    Err(ClientError::SignedOtherwise { message: message.to_owned(), locked: None })
}

fn needs<T>(value: Option<T>, step: &str) -> Result<T, ClientError> {
    value.ok_or_else(|| ClientError::WrongStep(format!("first: {step}")))
}

fn seat_of(action: &Record) -> Result<i32, ClientError> {
    let seat = body(&action.envelope)?["seat"].as_i64();
    seat.and_then(|seat| i32::try_from(seat).ok())
        .ok_or(ClientError::Contract("an action names no seat"))
}

/// Returns the deal among the records of `Deal`.
fn deal_of(dealt: &DealResponse) -> Result<&[u8], ClientError> {
    let record = dealt.records.get(2).ok_or(ClientError::Contract("a deal has three records"))?;
    Ok(&record.envelope)
}

impl Round {
    fn ledger(&self) -> &Ledger {
        &self.table.0.ledger
    }

    fn store(&self) -> &LedgerStore {
        &self.ledger().store
    }

    async fn get<M: Message + Default>(
        &self,
        column: StepColumn,
    ) -> Result<Option<M>, ClientError> {
        self.store().get(&self.place, column).await?.map(|bytes| parsed(&bytes)).transpose()
    }

    // The results of the steps

    /// Returns the ticket, once the round is open.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`], as of every question to the database.
    pub async fn ticket(&self) -> Result<Option<Record>, ClientError> {
        self.get(StepColumn::Ticket).await
    }

    /// Returns the answer of the deal, once there is one.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn dealt(&self) -> Result<Option<DealResponse>, ClientError> {
        self.get(StepColumn::Dealt).await
    }

    /// Returns the wagers, once they are final.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn sheet(&self) -> Result<Option<WagerSheet>, ClientError> {
        match self.store().lock(&self.place, LockStep::Wagers).await? {
            Some(lock) => parsed(&lock.content).map(Some),
            None => self.get(StepColumn::Sheet).await,
        }
    }

    /// Returns how the round has ended, once it has.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn close(&self) -> Result<Option<RoundClose>, ClientError> {
        let closed = self.store().get(&self.place, StepColumn::Closed).await?;
        closed.map(|bytes| RoundClose::read(&bytes)).transpose()
    }

    /// Whether the round is settled or void.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn is_closed(&self) -> Result<bool, ClientError> {
        Ok(self.store().get(&self.place, StepColumn::Closed).await?.is_some())
    }

    /// Whether the ledger has locked the decisions or the void: [`settle`](Self::settle) or [`void`](Self::void) is all
    /// that is left.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn is_locked(&self) -> Result<bool, ClientError> {
        Ok(self.store().lock(&self.place, LockStep::Close).await?.is_some())
    }

    /// Returns the step that comes next.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn step(&self) -> Result<NextStep, ClientError> {
        Ok(if self.is_closed().await? {
            NextStep::Closed
        } else if self.dealt().await?.is_some() {
            NextStep::Settle
        } else if self.ticket().await?.is_some() {
            NextStep::Deal
        } else {
            NextStep::Open
        })
    }

    // Open

    async fn place_request(&self) -> Result<OpenRoundRequest, ClientError> {
        needs(self.get(StepColumn::Place).await?, "Table::next_round")
    }

    /// Returns the prefix of each seat's commitment: a player commits to SHA-256(prefix, seed).
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::LedgerUnavailable`] of the database.
    pub async fn commit_prefixes(&self) -> Result<BTreeMap<i32, Vec<u8>>, ClientError> {
        let (_, prepared) = self.prepare_open(self.place_request().await?).await?;
        Ok(prepared.prefixes.into_iter().map(|one| (one.seat, one.prefix)).collect())
    }

    /// Has the engine check an opening. Returns it with a round of the beacon that the engine takes, where the policy wants
    /// one.
    async fn prepare_open(
        &self,
        mut open: OpenRoundRequest,
    ) -> Result<(OpenRoundRequest, PrepareOpenResponse), ClientError> {
        let engine = &self.table.0.engine;
        let prepare = |open: &OpenRoundRequest| {
            engine.prepare_open(PrepareOpenRequest { open: Some(open.clone()) })
        };
        if self.table.waits_for_beacon() {
            let (beacon, settings) = self.table.beacon()?;
            open.beacon_round = settings.round(&beacon);
        }
        let prepared = match prepare(&open).await {
            Err(ClientError::Refused(refused)) => match beacon::permitted(&refused) {
                Some(round) => {
                    open.beacon_round = round;
                    prepare(&open).await?
                }
                None => return Err(ClientError::Refused(refused)),
            },
            prepared => prepared?,
        };
        Ok((open, prepared))
    }

    /// Opens the round. Returns the ticket.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::LedgerUnavailable`] of the database.
    ///
    /// An opening that is refused as malformed is forgotten, and another one may follow.
    pub async fn open(&self, opening: Opening) -> Result<Record, ClientError> {
        if let Some(ticket) = self.ticket().await? {
            return Ok(ticket);
        }
        let mut request = self.place_request().await?;
        let commits = opening.commits.into_iter();
        request.client_commits =
            commits.map(|(seat, commit)| pb::ClientCommit { seat, commit }).collect();
        let absent = opening.house_way_if_absent;
        request.seat_keys = opening
            .seat_keys
            .into_iter()
            .map(|(seat, public_key)| pb::SeatKey {
                seat,
                public_key,
                house_way_if_absent: absent.contains(&seat),
            })
            .collect();
        if self.table.waits_for_beacon()
            && self.store().get(&self.place, StepColumn::Opened).await?.is_none()
        {
            request = self.prepare_open(request).await?.0;
        }
        // Before it is asked: another opening with commitments would be another story of the round.
        let stored =
            self.store().put(&self.place, StepColumn::Opened, request.encode_to_vec()).await?;
        let opened = match self.table.0.engine.open_round(parsed(&stored)?).await {
            Err(ClientError::Refused(refused)) if refused.code == Code::InvalidArgument => {
                self.store().forget_opening(&self.place).await?;
                return Err(ClientError::Refused(refused));
            }
            opened => opened?,
        };
        let ticket = opened.ticket.ok_or(ClientError::Contract("an opening has no ticket"))?;
        parsed(&self.store().put(&self.place, StepColumn::Ticket, ticket.encode_to_vec()).await?)
    }

    // Deal

    /// Locks the wagers and deals. `seeds` are the client seeds by seat. Without a sheet it goes on with the wagers
    /// that were locked. Returns the answer with the players' cards.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::LedgerUnavailable`] of the database.
    /// - [`ClientError::Restored`], [`ClientError::NotTheRecord`] or [`ClientError::Ledger`] if the ledger does not sign.
    /// - [`ClientError::SignedOtherwise`] if other wagers are final, or a void is locked.
    /// - [`ClientError::WrongStep`] if the round is not open, or no wagers are given and none are locked.
    /// - [`ClientError::BeaconUnavailable`] if the round waits for a beacon whose signature is not there.
    /// - [`ClientError::TooLate`] if its value is public, and no wagers are locked.
    /// - [`ClientError::File`] if the lock cannot be given to the log.
    pub async fn deal(
        &self,
        sheet: Option<WagerSheet>,
        seeds: &BTreeMap<i32, [u8; 32]>,
    ) -> Result<DealResponse, ClientError> {
        let sheet = sheet.map(|sheet| with_seeds(sheet, seeds));
        if let Some(dealt) = self.dealt().await? {
            self.is_same_sheet(sheet.as_ref()).await?;
            return Ok(dealt);
        }
        let ticket = needs(self.ticket().await?, "open")?;
        let beacon_round = beacon::round_of(&ticket)?;
        let mut beacon_signature = String::new();
        let wagers = if self.table.policy().lock_required {
            let lock = Ledger::record(&self.wager_lock(&ticket, sheet).await?)?;
            if let Some(round) = beacon_round {
                let (_, settings) = self.table.beacon()?;
                settings.give_lock(&lock).await?;
                beacon_signature = settings.signature(round).await?;
            }
            deal_request::Wagers::Lock(lock)
        } else {
            let sheet = match sheet {
                Some(sheet) => sheet,
                None => needs(self.sheet().await?, "deal with a sheet")?,
            };
            self.store().put(&self.place, StepColumn::Sheet, sheet.encode_to_vec()).await?;
            self.is_same_sheet(Some(&sheet)).await?;
            deal_request::Wagers::Sheet(sheet)
        };
        if self.is_locked().await? {
            return signed_otherwise("the void of the round is locked: void it");
        }
        let start = Some(deal_request::Start::Ticket(ticket));
        let request = DealRequest { start, wagers: Some(wagers), beacon_signature };
        let dealt = match (self.table.0.engine.deal(request).await, beacon_round) {
            (Err(ClientError::Refused(refused)), Some(round))
                if refused.reason == "BEACON_SIGNATURE" =>
            {
                let message = refused.message;
                return Err(ClientError::BeaconUnavailable { round, message });
            }
            (dealt, _) => dealt?,
        };
        parsed(&self.store().put(&self.place, StepColumn::Dealt, dealt.encode_to_vec()).await?)
    }

    async fn wager_lock(
        &self,
        ticket: &Record,
        sheet: Option<WagerSheet>,
    ) -> Result<StoredLock, ClientError> {
        if let Some(lock) = self.ledger().stored(&self.place, LockStep::Wagers).await? {
            self.is_same_sheet(sheet.as_ref()).await?;
            return Ok(lock);
        }
        let sheet = needs(sheet, "deal with a sheet")?;
        let request =
            PrepareDealRequest { ticket: Some(ticket.clone()), sheet: Some(sheet.clone()) };
        let prepared = self.table.0.engine.prepare_deal(request).await?;
        let unsigned = prepared.lock.ok_or(ClientError::Contract("no lock to sign"))?;
        let mut expected = records::wagers_of(&sheet);
        expected.insert("prev".to_owned(), record_hash(&ticket.envelope)?.into());
        expected.insert("round_id".to_owned(), body(&ticket.envelope)?["round_id"].clone());
        expected.insert("step".to_owned(), "wagers".into());
        if let Some(round) = beacon::round_of(ticket)? {
            let (beacon, settings) = self.table.beacon()?;
            if settings.is_published(&beacon, round) {
                return Err(ClientError::TooLate { round });
            }
        }
        let content = sheet.encode_to_vec();
        self.ledger()
            .lock(&self.place, LockStep::Wagers, &unsigned, &expected.into(), content)
            .await
    }

    async fn is_same_sheet(&self, sheet: Option<&WagerSheet>) -> Result<(), ClientError> {
        match (sheet, self.sheet().await?) {
            (Some(sheet), Some(locked)) if *sheet != locked => {
                let message = "the wagers of the round are final, and others".to_owned();
                Err(ClientError::SignedOtherwise { message, locked: Some(Box::new(locked)) })
            }
            _ => Ok(()),
        }
    }

    // Decide

    async fn decided(&self) -> Result<SettleRequest, ClientError> {
        Ok(self.get(StepColumn::Decisions).await?.unwrap_or_default())
    }

    /// Takes the decision of a seat. Returns the bytes that the player signs, if the seat has a key: hand the
    /// signature to [`sign`](Self::sign). A later decision of a seat takes the place of an earlier one.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::LedgerUnavailable`] of the database.
    /// - [`ClientError::WrongStep`] if the decisions are locked.
    /// - [`ClientError::NotTheRecord`] if the engine has written another action.
    pub async fn decide(&self, decision: Decision) -> Result<Vec<u8>, ClientError> {
        let dealt = needs(self.dealt().await?, "deal")?;
        if self.is_locked().await? {
            return wrong_step("the decisions are locked");
        }
        let seat = decision.seat;
        let mut decided = self.decided().await?;
        decided.decisions.retain(|one| one.seat != seat);
        decided.decisions.push(decision.clone());
        let prepared = self.prepare_settle(&dealt, &decided.decisions, &[]).await?;
        let action =
            prepared.actions.into_iter().find(|one| one.seat == seat).and_then(|one| one.action);
        let action = action.ok_or(ClientError::Contract("no action for a decision"))?;
        check_action(&dealt, &action, &decision)?;
        let mut kept = Vec::new();
        for other in decided.actions {
            if seat_of(&other)? != seat {
                kept.push(other);
            }
        }
        kept.extend(action.record.clone());
        decided.actions = kept;
        self.store().replace_decisions(&self.place, decided.encode_to_vec()).await?;
        Ok(action.to_sign.to_vec())
    }

    /// Takes the signature of a seat's decision, 64 bytes.
    ///
    /// # Errors
    ///
    /// [`ClientError::BadSignature`] if the key of the seat has not made it, as a lock over it could not settle;
    /// [`ClientError::WrongStep`] if the seat has no key or has not decided.
    pub async fn sign(&self, seat: i32, signature: &[u8]) -> Result<(), ClientError> {
        let mut decided = self.decided().await?;
        let mut found = None;
        for action in &mut decided.actions {
            if seat_of(action)? == seat {
                found = Some(action);
            }
        }
        let Some(action) = found else { return wrong_step(format!("seat {seat} has not decided")) };
        let keys = self.seat_keys().await?;
        let Some(public_key) = keys.get(&seat) else {
            return wrong_step(format!("seat {seat} has no key"));
        };
        if !is_signed_by(public_key, &ReadRecord::of(&action.envelope)?.to_sign(), signature) {
            return Err(ClientError::BadSignature { seat });
        }
        let signature = Signature { public_key: public_key.clone(), signature: signature.to_vec() };
        action.signatures = vec![signature];
        self.store().replace_decisions(&self.place, decided.encode_to_vec()).await
    }

    /// Returns the seats whose decisions are signed.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn signed_seats(&self) -> Result<BTreeSet<i32>, ClientError> {
        let decided = self.decided().await?;
        decided.actions.iter().filter(|action| !action.signatures.is_empty()).map(seat_of).collect()
    }

    async fn seat_keys(&self) -> Result<BTreeMap<i32, String>, ClientError> {
        let opened: OpenRoundRequest = needs(self.get(StepColumn::Opened).await?, "open")?;
        Ok(opened.seat_keys.into_iter().map(|key| (key.seat, key.public_key)).collect())
    }

    async fn prepare_settle(
        &self,
        dealt: &DealResponse,
        decisions: &[Decision],
        absent: &[i32],
    ) -> Result<PrepareSettleResponse, ClientError> {
        let mut decisions = decisions.to_vec();
        decisions.sort_by_key(|decision| decision.seat);
        let request = PrepareSettleRequest {
            records: dealt.records.clone(),
            decisions,
            absent_seats: sorted(absent),
            spent: self.spent().await?,
        };
        self.table.0.engine.prepare_settle(request).await
    }

    // Records

    /// Returns the ticket, and what follows it: the lock of the wagers, the deal.
    async fn so_far(&self) -> Result<Vec<Record>, ClientError> {
        if let Some(dealt) = self.dealt().await? {
            return Ok(dealt.records);
        }
        let lock = self.ledger().stored(&self.place, LockStep::Wagers).await?;
        let lock = lock.as_ref().map(Ledger::record).transpose()?;
        Ok(self.ticket().await?.into_iter().chain(lock).collect())
    }

    /// Returns the records of the round, in the order of a transcript. Of a closed round these are the records that its
    /// close follows.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn records(&self) -> Result<Vec<Record>, ClientError> {
        let Some(close) = self.close().await? else { return self.so_far().await };
        let answered = close.records();
        let first = answered.first().ok_or(ClientError::Contract("a close has no records"))?;
        // The answer to a void of a lost ticket has the ticket.
        if ReadRecord::of(&first.envelope)?.kind == TICKET {
            return Ok(answered.to_vec());
        }
        let follows = body(&first.envelope)?["prev"].clone();
        let mut before = self.so_far().await?;
        for (at, record) in before.iter().enumerate() {
            if follows == record_hash(&record.envelope)? {
                // A deal that another process got after the void was locked is no part of the round.
                before.truncate(at + 1);
                break;
            }
        }
        Ok([&before[..], answered].concat())
    }
}

fn sorted(seats: &[i32]) -> Vec<i32> {
    let mut seats = seats.to_vec();
    seats.sort_unstable();
    seats
}

/// Returns a sheet with the seeds. A seed stands with the first wager of its seat.
fn with_seeds(mut sheet: WagerSheet, seeds: &BTreeMap<i32, [u8; 32]>) -> WagerSheet {
    let mut left = seeds.clone();
    for wager in &mut sheet.wagers {
        if let Some(seed) = left.remove(&wager.seat) {
            wager.client_seed = hex::encode(seed);
        }
    }
    sheet
}

/// The player signs these bytes: they are the decision of the player, and nothing else.
fn check_action(
    dealt: &DealResponse,
    action: &UnsignedRecord,
    decision: &Decision,
) -> Result<(), ClientError> {
    let deal = deal_of(dealt)?;
    let mut expected = json!({"prev": record_hash(deal)?, "seat": decision.seat});
    if decision.double_down {
        expected["double_down"] = true.into();
    }
    match &decision.setting {
        Some(decision::Setting::Low(low)) => {
            let dealt_hand = dealt.hands.iter().find(|hand| hand.seat == decision.seat);
            let hand =
                dealt_hand.ok_or(ClientError::Contract("a seat that decides has no cards"))?;
            // The deal lists the card numbers in the order in which the answer lists the card codes.
            let visible = &body(deal)?["visible"][decision.seat.to_string()];
            let numbers = visible
                .as_array()
                .ok_or(ClientError::Contract("a deal lists no cards of a seat"))?;
            let number = |card: &String| {
                hand.cards.iter().position(|one| one == card).and_then(|at| numbers.get(at))
            };
            let mut low: Vec<u64> =
                low.cards.iter().filter_map(|card| number(card)?.as_u64()).collect();
            low.sort_unstable();
            expected["low"] = json!(low);
        }
        Some(decision::Setting::HouseWay(_)) | None => {
            let written = body(&records::envelope_of(action)?)?;
            expected["house_way"] = written.get("house_way").cloned().unwrap_or_default();
        }
    }
    records::check_to_sign(action, ACTION, &expected)
}
