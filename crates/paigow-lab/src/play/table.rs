//! The calls of one table.

use std::error::Error as _;

use tonic::Status;
use tonic_types::StatusExt;

use super::PlayRequest;
use super::caller::{self, AuthenticatedClient};
use super::choices::PlayerChoices;
use super::ledger;
use crate::CommandError;
use paigow_engine::SecretKey;
use paigow_proto::v1 as pb;

/// A table at a server.
pub(crate) struct PlayTable {
    client: AuthenticatedClient,
    /// The description of the engine by the server.
    pub(crate) engine: pb::GetEngineResponse,
    /// The manifests of the server, oldest first.
    pub(crate) manifests: Vec<pb::Record>,
    /// The ruleset that is played.
    pub(super) ruleset: pb::Ruleset,
    name: String,
    seed_of_choices: u64,
    /// The key that signs locks, if they are demanded.
    ledger: Option<SecretKey>,
    /// The epoch that is open.
    epoch: i32,
    /// The close of the round before.
    prev: Option<pb::Record>,
}

/// One round as the server answered it.
pub(crate) struct PlayedRound {
    /// The number of the round.
    pub(super) round_no: u64,
    /// The wagers.
    pub(super) sheet: pb::WagerSheet,
    /// The answer of `Deal`.
    pub(crate) deal: pb::DealResponse,
    /// The answer of `Settle`.
    pub(crate) settle: pb::SettleResponse,
}

/// Settings by house way with their clauses: the bank's, then those of `seats`.
pub(super) struct ClauseSettings {
    /// As `SetHouseWay` answers, one for each position asked for.
    pub(super) settings: Vec<(i32, pb::HouseWaySetting)>,
}

impl ClauseSettings {
    /// Returns the sentence of the clause that set the hand of a position.
    pub(super) fn sentence(&self, position: i32, clause_id: &str) -> Option<&str> {
        self.settings
            .iter()
            .find(|(at, setting)| *at == position && setting.clause_id == clause_id)
            .map(|(_, setting)| setting.clause_text.as_str())
    }
}

impl PlayTable {
    /// Connects, asks the server for its terms, and opens a table.
    pub(crate) async fn open(play: &PlayRequest) -> Result<Self, CommandError> {
        let mut client = caller::connect(&play.server, &play.credentials).await?;
        let request = pb::GetEngineRequest::default();
        let engine = client.get_engine(request).await;
        let engine = engine.map_err(|s| refused_at_first(&s, &play.server))?.into_inner();
        let Some(epoch) = engine.open_epochs.first().map(|epoch| epoch.epoch) else {
            let what = "the server lists no epoch that is open for the tenant now".to_owned();
            return Err(CommandError::Unavailable(what));
        };
        let wanted = |ruleset: &&pb::Ruleset| {
            play.ruleset.as_ref().is_none_or(|id| *id == ruleset.id || *id == ruleset.hash)
        };
        let manifests = manifests(&mut client).await?;
        let rulesets = open_rulesets(&mut client).await?;
        let Some(ruleset) = rulesets.iter().find(wanted).cloned() else {
            let ids: Vec<&str> = rulesets.iter().map(|r| r.id.as_str()).collect();
            let what = format!(
                "the server opens no new round of this ruleset; open for new rounds: {}",
                ids.join(", ")
            );
            return Err(CommandError::Usage(what));
        };
        Ok(Self {
            client,
            ruleset,
            name: play.table.clone(),
            seed_of_choices: play.seed_of_choices,
            ledger: play.ledger.clone(),
            epoch,
            prev: None,
            manifests,
            engine,
        })
    }

    /// Plays one round: a deal, decisions, a settlement.
    pub(super) async fn round(&mut self, round_no: u64) -> Result<PlayedRound, CommandError> {
        let mut choices = PlayerChoices::of_round(self.seed_of_choices, round_no);
        let sheet = choices.sheet(&self.ruleset);
        let (ruleset, wagers) = (self.ruleset.clone(), sheet.clone());
        self.play_sheet(round_no, sheet, |deal| choices.decisions(&ruleset, &wagers, deal)).await
    }

    /// Moves to a table at which no round was played.
    pub(crate) fn move_to(&mut self, name: String) {
        self.name = name;
        self.prev = None;
    }

    /// Plays one round with these wagers, and with the decisions that `decide` makes of the deal.
    pub(crate) async fn play_sheet(
        &mut self,
        round_no: u64,
        sheet: pb::WagerSheet,
        decide: impl FnOnce(&pb::DealResponse) -> Vec<pb::Decision>,
    ) -> Result<PlayedRound, CommandError> {
        let open = pb::OpenRoundRequest {
            epoch: Some(self.epoch),
            manifest: self.engine.manifest.clone(),
            manifest_sequence: self.engine.manifest_sequence,
            table: self.name.clone(),
            round_no: i64::try_from(round_no)
                .map_err(|_| CommandError::Usage("the round number exceeds 2^63 - 1".to_owned()))?,
            ruleset: self.ruleset.hash.clone(),
            prev: self.prev.take(),
            ..pb::OpenRoundRequest::default()
        };
        let request = self.start(open, &sheet).await?;
        let deal = self.client.deal(request).await.map_err(|s| refused(&s))?.into_inner();
        let decisions = decide(&deal);
        let request = self.settlement(&deal, decisions).await?;
        let settle = self.client.settle(request).await.map_err(|s| refused(&s))?.into_inner();
        self.prev = settle.records.last().cloned();
        Ok(PlayedRound { round_no, sheet, deal, settle })
    }

    /// Returns the start of a round: the opening and the sheet inline. With a ledger, requests the
    /// ticket first, and returns the ticket and the lock over the sheet.
    async fn start(
        &mut self,
        open: pb::OpenRoundRequest,
        sheet: &pb::WagerSheet,
    ) -> Result<pb::DealRequest, CommandError> {
        use pb::deal_request::{Start, Wagers};
        let (start, wagers) = match &self.ledger {
            None => (Start::Open(open), Wagers::Sheet(sheet.clone())),
            Some(key) => {
                let opened = self.client.open_round(open).await;
                let opened = opened.map_err(|s| refused(&s))?.into_inner();
                let ticket = opened.ticket.unwrap_or_default();
                let prepare = pb::PrepareDealRequest {
                    ticket: Some(ticket.clone()),
                    sheet: Some(sheet.clone()),
                };
                let prepared = self.client.prepare_deal(prepare).await;
                let lock = prepared.map_err(|s| refused(&s))?.into_inner().lock;
                (Start::Ticket(ticket), Wagers::Lock(ledger::signed(key, lock.unwrap_or_default())))
            }
        };
        let beacon_signature = String::new();
        Ok(pb::DealRequest { start: Some(start), wagers: Some(wagers), beacon_signature })
    }

    /// Returns the settlement of a round: the decisions unchanged. With a ledger, the actions and
    /// the lock over them.
    async fn settlement(
        &mut self,
        deal: &pb::DealResponse,
        decisions: Vec<pb::Decision>,
    ) -> Result<pb::SettleRequest, CommandError> {
        let records = deal.records.clone();
        let Some(key) = &self.ledger else {
            return Ok(pb::SettleRequest { records, decisions, ..pb::SettleRequest::default() });
        };
        let prepare = pb::PrepareSettleRequest {
            records: records.clone(),
            decisions,
            ..pb::PrepareSettleRequest::default()
        };
        let prepared = self.client.prepare_settle(prepare).await;
        let prepared = prepared.map_err(|s| refused(&s))?.into_inner();
        let actions = prepared.actions.into_iter().filter_map(|one| one.action?.record).collect();
        let lock = ledger::signed(key, prepared.lock.unwrap_or_default());
        let lock = Some(lock);
        Ok(pb::SettleRequest { records, actions, lock, ..pb::SettleRequest::default() })
    }

    /// Asks for the sentences that set the hands of a round.
    pub(super) async fn clauses(
        &mut self,
        played: &PlayedRound,
    ) -> Result<ClauseSettings, CommandError> {
        let bank = played.settle.bank.as_ref().map(|bank| (0, bank.cards.clone()));
        let by_house_way = played.settle.seats.iter().filter_map(|seat| {
            let setting = seat.base.as_ref()?.setting.as_ref()?;
            let hand = played.deal.hands.iter().find(|hand| hand.seat == seat.seat)?;
            setting.house_way.then(|| (seat.seat, hand.cards.clone()))
        });
        let (positions, hands): (Vec<i32>, Vec<pb::Hand>) = bank
            .into_iter()
            .chain(by_house_way)
            .map(|(position, cards)| (position, pb::Hand { cards }))
            .unzip();
        let by = pb::set_house_way_request::By::Ruleset(self.ruleset.hash.clone());
        let request = pb::SetHouseWayRequest { hands, by: Some(by) };
        let answer =
            self.client.set_house_way(request).await.map_err(|s| refused(&s))?.into_inner();
        Ok(ClauseSettings { settings: positions.into_iter().zip(answer.settings).collect() })
    }
}

/// Asks for every manifest, page by page.
pub(crate) async fn manifests(
    client: &mut AuthenticatedClient,
) -> Result<Vec<pb::Record>, CommandError> {
    let mut manifests = Vec::new();
    let mut request = pb::ListManifestsRequest::default();
    loop {
        let page = client.list_manifests(request).await.map_err(|s| refused(&s))?.into_inner();
        manifests.extend(page.manifests);
        if page.next_after_sequence == 0 {
            return Ok(manifests);
        }
        request.after_sequence = page.next_after_sequence;
    }
}

/// Asks for every ruleset that is open for new rounds, page by page.
async fn open_rulesets(client: &mut AuthenticatedClient) -> Result<Vec<pb::Ruleset>, CommandError> {
    let mut rulesets = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = pb::ListRulesetsRequest { page_size: 0, page_token };
        let page = client.list_rulesets(request).await.map_err(|s| refused(&s))?.into_inner();
        rulesets.extend(page.rulesets.into_iter().filter(|one| one.open_for_new_rounds));
        if page.next_page_token.is_empty() {
            return Ok(rulesets);
        }
        page_token = page.next_page_token;
    }
}

/// Returns the error of a failed first call. A server with TLS gives the same answer to every call
/// without TLS.
fn refused_at_first(status: &Status, server: &str) -> CommandError {
    let error = refused(status);
    if status.source().is_some() && server.starts_with("http://") {
        return CommandError::Unavailable(format!(
            "{error}; if the server requires TLS, give an https:// address"
        ));
    }
    error
}

/// Returns the error of a server's refusal, each further violation on a line of its own. Also the
/// error of a server that did not answer.
pub(crate) fn refused(status: &Status) -> CommandError {
    // An error from a server has no source. The error of a failed connection has one.
    if let Some(source) = status.source() {
        return CommandError::Unavailable(format!("no response: {}", caller::with_causes(source)));
    }
    let details = status.get_error_details();
    let reason = details.error_info().map_or_else(String::new, |info| format!(" {}", info.reason));
    let mut text = format!("the server answers {:?}{reason}: {}", status.code(), status.message());
    // The message already has the first violation.
    for violation in details.bad_request().iter().flat_map(|bad| &bad.field_violations).skip(1) {
        text += &format!("\n  {}: {}", violation.field, violation.description);
    }
    CommandError::Unavailable(text)
}
