//! The last step of a round: its decisions are locked, and it is settled.

use std::collections::BTreeMap;

use paigow_proto::v1::{
    DealResponse, Decision, Record, SeatAction, SettleRequest, SettleResponse, SpentLock,
};
use prost::Message;
use serde_json::{Value, json};

use super::{
    Round, RoundClose, deal_of, needs, parsed, seat_of, signed_otherwise, sorted, wrong_step,
};
use crate::errors::ClientError;
use crate::ledger::Ledger;
use crate::records::{body, record_hash};
use crate::store::{LockStep, StepColumn, StoredLock};

impl Round {
    /// Locks the decisions, settles, and checks the settlement. `absent` are the seats of players who are gone.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::LedgerUnavailable`] of the database.
    /// - [`ClientError::Restored`], [`ClientError::NotTheRecord`] or [`ClientError::Ledger`] if the ledger does not sign.
    /// - [`ClientError::NotVerified`] if the settlement must not be paid.
    /// - [`ClientError::WrongStep`] if a seat has not decided or not signed, or is absent and has signed.
    /// - [`ClientError::WrongStep`] if the round is void.
    pub async fn settle(&self, absent: &[i32]) -> Result<SettleResponse, ClientError> {
        match self.close().await? {
            Some(RoundClose::Settled(settled)) => return Ok(*settled),
            Some(RoundClose::Voided(_)) => return wrong_step("the round is void"),
            None => {}
        }
        let dealt = needs(self.dealt().await?, "deal")?;
        let mut request = SettleRequest {
            records: dealt.records.clone(),
            spent: self.spent().await?,
            ..SettleRequest::default()
        };
        if self.table.policy().lock_required {
            let (lock, actions) = self.final_lock(&dealt, absent).await?;
            request.actions = actions;
            request.lock = Some(Ledger::record(&lock)?);
        } else {
            let decided = self.final_decisions(absent).await?;
            if decided.actions.iter().any(|action| !action.signatures.is_empty()) {
                request.actions = decided.actions;
            } else {
                request.decisions = decided.decisions;
            }
        }
        let settled = self.table.0.engine.settle(request).await?;
        self.table.check(&[&dealt.records[..], &settled.records[..]].concat()).await?;
        let stored = self.put_close(b'S', &settled.encode_to_vec()).await?;
        match stored {
            RoundClose::Settled(settled) => Ok(*settled),
            RoundClose::Voided(_) => wrong_step("the round is void"),
        }
    }

    pub(super) async fn put_close(
        &self,
        kind: u8,
        answer: &[u8],
    ) -> Result<RoundClose, ClientError> {
        let bytes = [&[kind], answer].concat();
        let close = self.store().put(&self.place, StepColumn::Closed, bytes).await?;
        if let Some(settings) = self.table.beacon_settings()
            && let Some(lock) = self.store().lock(&self.place, LockStep::Wagers).await?
        {
            settings.forget_lock(&lock).await?;
        }
        RoundClose::read(&close)
    }

    /// Returns the decisions without those that absent seats have begun and not signed.
    async fn final_decisions(&self, absent: &[i32]) -> Result<SettleRequest, ClientError> {
        let mut decided = self.decided().await?;
        let keys = self.seat_keys().await?;
        let mut actions = Vec::new();
        for action in decided.actions {
            let seat = seat_of(&action)?;
            let (is_absent, is_signed) = (absent.contains(&seat), !action.signatures.is_empty());
            if is_absent && is_signed {
                return wrong_step(format!(
                    "seat {seat} has signed its decision: it is not absent"
                ));
            }
            if !is_absent && !is_signed && keys.contains_key(&seat) {
                // The lock would cover an action that nobody can settle.
                return wrong_step(format!("seat {seat} has not signed its decision"));
            }
            if !is_absent {
                actions.push(action);
            }
        }
        decided.decisions.retain(|decision| !absent.contains(&decision.seat));
        Ok(SettleRequest { actions, decisions: decided.decisions, ..SettleRequest::default() })
    }

    async fn final_lock(
        &self,
        dealt: &DealResponse,
        absent: &[i32],
    ) -> Result<(StoredLock, Vec<Record>), ClientError> {
        if let Some(lock) = self.ledger().stored(&self.place, LockStep::Close).await? {
            if body(&lock.envelope)?["step"] == "void" {
                return signed_otherwise("the void of the round is locked: void it");
            }
            let actions = parsed::<SettleRequest>(&lock.content)?.actions;
            return Ok((lock, actions));
        }
        let decided = self.final_decisions(absent).await?;
        let prepared = self.prepare_settle(dealt, &decided.decisions, absent).await?;
        if !prepared.undecided_seats.is_empty() {
            return wrong_step(format!(
                "seats that have not decided: {:?}",
                prepared.undecided_seats
            ));
        }
        let mut own = BTreeMap::new();
        for action in decided.actions {
            own.insert(record_hash(&action.envelope)?, action);
        }
        let (mut hashes, mut actions) = (Vec::new(), Vec::new());
        // The engine writes the action of an absent seat. All others are those that were decided.
        for SeatAction { seat, action } in prepared.actions {
            let record = action
                .and_then(|action| action.record)
                .ok_or(ClientError::Contract("no action"))?;
            let hash = record_hash(&record.envelope)?;
            let found = own.remove(&hash);
            if found.is_none() && decided.decisions.iter().any(|decision| decision.seat == seat) {
                return wrong_step(format!(
                    "the decision of seat {seat} has changed: decide again"
                ));
            }
            hashes.push(Value::from(hash));
            actions.push(found.unwrap_or(record));
        }
        let deal = deal_of(dealt)?;
        let mut expected = json!({
            "actions": hashes, "prev": record_hash(deal)?, "round_id": body(deal)?["round_id"], "step": "final"});
        if !absent.is_empty() {
            expected["absent"] = json!(sorted(absent));
        }
        self.add_superseded(&mut expected).await?;
        let content =
            SettleRequest { actions: actions.clone(), ..SettleRequest::default() }.encode_to_vec();
        let unsigned = prepared.lock.ok_or(ClientError::Contract("no lock to sign"))?;
        let lock =
            self.ledger().lock(&self.place, LockStep::Close, &unsigned, &expected, content).await?;
        Ok((lock, actions))
    }

    /// Decides again after the engine has refused a locked decision: the lock is spent then, and the next one
    /// supersedes it. Returns what [`decide`](Self::decide) returns.
    ///
    /// # Errors
    ///
    /// Those of [`decide`](Self::decide).
    pub async fn mend(&self, decision: Decision) -> Result<Vec<u8>, ClientError> {
        self.store().spend(&self.place, LockStep::Close).await?;
        self.decide(decision).await
    }

    pub(super) async fn spent(&self) -> Result<Vec<SpentLock>, ClientError> {
        let locks = self.store().spent(&self.place, LockStep::Close).await?;
        locks
            .iter()
            .map(|lock| {
                let actions = parsed::<SettleRequest>(&lock.content)?.actions;
                Ok(SpentLock { actions, lock: Some(Ledger::record(lock)?) })
            })
            .collect()
    }

    pub(super) async fn add_superseded(&self, expected: &mut Value) -> Result<(), ClientError> {
        let spent = self.store().spent(&self.place, LockStep::Close).await?;
        if !spent.is_empty() {
            let hashes: Result<Vec<String>, _> =
                spent.iter().map(|lock| record_hash(&lock.envelope)).collect();
            expected["supersedes"] = json!(hashes?);
        }
        Ok(())
    }
}
