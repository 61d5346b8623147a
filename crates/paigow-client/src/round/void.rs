//! The void of a round, and what it follows.

use std::collections::BTreeMap;

use paigow_proto::v1::{
    ClientPolicy, OpenRoundRequest, PrepareVoidRequest, VoidReason, VoidRoundRequest,
    VoidRoundResponse,
};
use prost::Message;
use serde_json::json;

use super::{Round, RoundClose, parsed, signed_otherwise, wrong_step};
use crate::errors::ClientError;
use crate::ledger::Ledger;
use crate::records::{self, body, record_hash};
use crate::store::{LockStep, StepColumn, StoredLock};

impl Round {
    /// Voids the round: stakes and fees go back, nothing is revealed. If the wagers are locked, it deals first, so that
    /// the void names the deal that another process may have.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::LedgerUnavailable`] of the database.
    /// - [`ClientError::Restored`], [`ClientError::NotTheRecord`] or [`ClientError::Ledger`] if the ledger does not sign.
    /// - [`ClientError::SignedOtherwise`] if the decisions are locked, or if the wagers were locked meanwhile: then a
    ///   second void is over ticket and wagers.
    /// - [`ClientError::WrongStep`] if the round is settled.
    pub async fn void(&self, reason: VoidReason) -> Result<VoidRoundResponse, ClientError> {
        match self.close().await? {
            Some(RoundClose::Voided(voided)) => return Ok(*voided),
            Some(RoundClose::Settled(_)) => return wrong_step("the round is settled"),
            None => {}
        }
        let mut request = VoidRoundRequest {
            reason: reason.into(),
            spent: self.spent().await?,
            ..VoidRoundRequest::default()
        };
        if self.ticket().await?.is_some() {
            self.deal_locked_wagers().await?;
            request.records = self.so_far().await?;
        } else {
            request.open = match self.get(StepColumn::Opened).await? {
                Some(opened) => Some(opened),
                None => Some(self.unopened().await?),
            };
        }
        if self.table.policy().lock_required {
            let lock = match self.ledger().stored(&self.place, LockStep::Close).await? {
                Some(lock) => lock,
                None => self.void_lock(&request, reason).await?,
            };
            if body(&lock.envelope)?["step"] != "void" {
                return signed_otherwise("the decisions of the round are locked: settle it");
            }
            request.reason = parsed::<VoidRoundRequest>(&lock.content)?.reason;
            request.lock = Some(Ledger::record(&lock)?);
        }
        let voided = self.table.0.engine.void_round(request).await?;
        match self.put_close(b'V', &voided.encode_to_vec()).await? {
            RoundClose::Voided(voided) => Ok(*voided),
            RoundClose::Settled(_) => wrong_step("the round is settled"),
        }
    }

    /// Returns the opening of a round without a ticket. One that names a round of the beacon is stored: the void
    /// names the ticket that the engine makes of it. The engine opens no round without commitments where the policy
    /// wants them: then nothing is stored.
    async fn unopened(&self) -> Result<OpenRoundRequest, ClientError> {
        let mut request = self.place_request().await?;
        let policy = self.table.policy();
        let needs_commitments = policy.client == i32::from(ClientPolicy::Committed);
        if !self.table.waits_for_beacon() || needs_commitments {
            return Ok(request);
        }
        let (beacon, settings) = self.table.beacon()?;
        request.beacon_round = settings.round(&beacon);
        let bytes = request.encode_to_vec();
        parsed(&self.store().put(&self.place, StepColumn::Opened, bytes).await?)
    }

    /// Deals if the wagers are locked and the close is not. Another process may have received the deal already, and the
    /// void has to name it. If the engine refuses the deal, or its value does not come, no record names one.
    async fn deal_locked_wagers(&self) -> Result<(), ClientError> {
        let wagers = self.store().lock(&self.place, LockStep::Wagers).await?;
        if wagers.is_none() || self.dealt().await?.is_some() || self.is_locked().await? {
            return Ok(());
        }
        match self.deal(None, &BTreeMap::new()).await {
            Ok(_) | Err(ClientError::Refused(_) | ClientError::BeaconUnavailable { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn void_lock(
        &self,
        request: &VoidRoundRequest,
        reason: VoidReason,
    ) -> Result<StoredLock, ClientError> {
        let VoidRoundRequest { records, open, spent, .. } = request.clone();
        let prepared = self
            .table
            .0
            .engine
            .prepare_void(PrepareVoidRequest {
                records,
                open,
                reason: reason.into(),
                spent,
                ..PrepareVoidRequest::default()
            })
            .await?;
        let unsigned = prepared.lock.ok_or(ClientError::Contract("no lock to sign"))?;
        let (prev, round_id) = match &request.records[..] {
            [first, .., last] => {
                (record_hash(&last.envelope)?.into(), body(&first.envelope)?["round_id"].clone())
            }
            [ticket] => {
                (record_hash(&ticket.envelope)?.into(), body(&ticket.envelope)?["round_id"].clone())
            }
            // The ticket is lost, and only the engine can make it again.
            [] => {
                let written = body(&records::envelope_of(&unsigned)?)?;
                (written["prev"].clone(), written["round_id"].clone())
            }
        };
        let mut expected = json!({"prev": prev, "reason": reason_name(reason), "round_id": round_id, "step": "void"});
        self.add_superseded(&mut expected).await?;
        let content = VoidRoundRequest { reason: reason.into(), ..VoidRoundRequest::default() }
            .encode_to_vec();
        self.ledger().lock(&self.place, LockStep::Close, &unsigned, &expected, content).await
    }
}

const fn reason_name(reason: VoidReason) -> &'static str {
    match reason {
        VoidReason::Unspecified => "",
        VoidReason::ClientSeed => "client_seed",
        VoidReason::PlayerLeft => "player_left",
        VoidReason::Equipment => "equipment",
        VoidReason::Operator => "operator",
        VoidReason::EpochRevoked => "epoch_revoked",
        VoidReason::Misdeal => "misdeal",
    }
}
