//! The void of a stranded ticket.
//!
//! A void follows the latest record of its round. A void over the ticket of a dealt round would be
//! a fork. So nothing is voided before every replica has returned its part of the round.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;
use tonic::{Code, Status};

use super::replicas::{Replica, timed};
use super::tickets::{self, ReplicaTickets, StrandedTicket};
use crate::play::caller::AuthenticatedClient;
use crate::play::ledger;
use crate::play::table::{manifests, refused};
use crate::{CommandError, CommandOutcome, counted, read_file};
use paigow_engine::SecretKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;
use paigow_files::{system, utc};
use paigow_proto::v1 as pb;

/// The request of `paigow-lab admin void`.
#[derive(Clone, Debug)]
pub struct VoidOrder {
    /// The id of the round, 64 hexadecimal digits.
    pub round: String,
    /// The reason: a word of the protocol, as `operator`.
    pub reason: String,
    /// The least age of the ticket, in seconds. A younger ticket may be in play.
    pub minimum_age: u32,
    /// The key of the tenant's ledger, if its policy demands locks.
    pub ledger: Option<SecretKey>,
    /// The file with the ticket, and with lock and deal as far as they exist. [`None`]: the records
    /// of the replicas.
    pub records: Option<PathBuf>,
    /// The file for the transcript of the round.
    pub transcript: PathBuf,
}

/// Returns the value of the contract for the word of a reason.
fn reason_of(word: &str) -> Option<pb::VoidReason> {
    let name = format!("VOID_REASON_{}", word.to_uppercase());
    pb::VoidReason::from_str_name(&name).filter(|reason| *reason != pb::VoidReason::Unspecified)
}

/// Voids a round that no replica has closed, and writes its transcript.
pub(super) async fn void(
    replicas: &mut [Replica],
    order: &VoidOrder,
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let usage = |what: String| CommandError::Usage(what);
    let round_id: Hash =
        order.round.parse().map_err(|error| usage(format!("--round {}: {error}", order.round)))?;
    let reason = reason_of(&order.reason)
        .ok_or_else(|| usage(format!("--reason {}: not a reason of a void", order.reason)))?;
    let tickets = tickets::gather(replicas, 0).await?;
    let records = match &order.records {
        None => records_of_replicas(&tickets, round_id, order.minimum_age)?,
        Some(path) => records_of_file(&tickets, round_id, path)?,
    };
    let prepare = pb::PrepareVoidRequest {
        records: records.clone(),
        reason: reason.into(),
        ..pb::PrepareVoidRequest::default()
    };
    let client = replicas.iter_mut().filter_map(|replica| replica.client.as_mut().ok());
    let mut last = None;
    for client in client {
        match client.prepare_void(timed(prepare.clone())).await {
            Ok(prepared) => {
                let lock = prepared.into_inner().lock.unwrap_or_default();
                let lock = order.ledger.as_ref().map(|key| ledger::signed(key, lock));
                let request = pb::VoidRoundRequest {
                    records,
                    reason: reason.into(),
                    lock,
                    ..pb::VoidRoundRequest::default()
                };
                return carry_out(client, request, order, json, out).await;
            }
            // Another replica may hold the keys.
            Err(status) if status.code() == Code::Unavailable => last = Some(status),
            Err(status) => return Err(refused(&status)),
        }
    }
    Err(refused(&last.unwrap_or_else(|| Status::unavailable("no replica can be reached"))))
}

/// Voids the round, and writes the transcript.
async fn carry_out(
    client: &mut AuthenticatedClient,
    request: pb::VoidRoundRequest,
    order: &VoidOrder,
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let engine = client.get_engine(timed(pb::GetEngineRequest {})).await;
    let engine = engine.map_err(|status| refused(&status))?.into_inner();
    let before = [manifests(client).await?, request.records.clone()].concat();
    let path = order.transcript.display();
    let failed = |error: std::io::Error| CommandError::CannotCreate(format!("{path}: {error}"));
    // A file that cannot be made is an error before the void, not after it.
    let mut file = File::create(&order.transcript).map_err(failed)?;
    let voided = client.void_round(timed(request)).await.map_err(|status| refused(&status))?;
    let voided = voided.into_inner();
    for record in before.iter().chain(&voided.records) {
        file.write_all(&record.envelope).and_then(|()| file.write_all(b"\n")).map_err(failed)?;
    }
    file.sync_all().map_err(failed)?;
    if json {
        let back =
            |back: &pb::VoidReturn| json!({ "seat": back.seat, "amount_minor": back.amount_minor });
        let returns: Vec<serde_json::Value> = voided.returns.iter().map(back).collect();
        let told = json!({
            "round_id": voided.round_id, "reason": order.reason, "returns": returns,
            "transcript": order.transcript,
        });
        writeln!(out, "{told}")?;
        return Ok(CommandOutcome::Well);
    }
    writeln!(out, "voided round {}, reason {}", voided.round_id, order.reason)?;
    for back in &voided.returns {
        writeln!(out, "  seat {} gets back {} minor units", back.seat, back.amount_minor)?;
    }
    writeln!(out, "wrote {path}: close the round in the platform's ledger with it")?;
    let roots: String = engine.root_keys.iter().map(|key| format!(" --root {key}")).collect();
    let threshold = match engine.root_threshold {
        1 => String::new(),
        more => format!(" --threshold {more}"),
    };
    writeln!(out, "Check it with root keys that you trust; the server says:")?;
    writeln!(out, "  paigow-lab audit {path}{roots}{threshold}")?;
    Ok(CommandOutcome::Well)
}

fn data(what: impl Into<String>) -> CommandError {
    CommandError::Data(what.into())
}

/// Refuses a round that a replica has closed.
fn refuse_closed(tickets: &ReplicaTickets, round_id: &Hash) -> Result<(), CommandError> {
    if tickets.has_closed(round_id) {
        return Err(data(format!(
            "round {round_id} is closed: `paigow-lab sink transcript` writes its records"
        )));
    }
    Ok(())
}

/// Returns the records of a round that its void follows, from the replicas.
fn records_of_replicas(
    tickets: &ReplicaTickets,
    round_id: Hash,
    minimum_age: u32,
) -> Result<Vec<pb::Record>, CommandError> {
    const ELSEWHERE: &str = "give its records with --records FILE, as `paigow-lab sink transcript` \
                             writes them from the evidence of all replicas";
    refuse_closed(tickets, &round_id)?;
    let stranded = tickets.stranded().into_iter().find(|stranded| stranded.round_id == round_id);
    let Some(stranded) = stranded else {
        return Err(data(format!(
            "no replica has an open ticket of round {round_id}: {ELSEWHERE}"
        )));
    };
    if stranded.is_forked {
        return Err(data(format!(
            "round {round_id} was dealt over two tickets, which is a fork: see `paigow-lab sink verify`"
        )));
    }
    if !stranded.is_whole() {
        let what = missing(&stranded);
        return Err(data(format!("round {round_id} {what}: {ELSEWHERE}")));
    }
    let mut since = tickets.complete_since.iter();
    let late = |(_, since): &&(String, i64)| *since > stranded.ticket.opened_at_ms;
    if let Some((replica, since)) = since.find(late) {
        let since = utc::text(u64::try_from(since / 1000).unwrap_or(0));
        return Err(data(format!(
            "round {round_id} was opened before {since}, and {replica} has no older evidence, so it \
             may have been dealt or closed there: {ELSEWHERE}"
        )));
    }
    let age = system::now().saturating_sub(stranded.opened_at());
    if age < minimum_age.into() {
        let age = counted(age, "second");
        return Err(data(format!(
            "the ticket of round {round_id} is {age} old and may be in play; --minimum-age is \
             {minimum_age}"
        )));
    }
    Ok(stranded.ticket.records)
}

/// Returns the name of the missing part of a ticket.
const fn missing(stranded: &StrandedTicket) -> &'static str {
    match (stranded.ticket.dealt, stranded.ticket.records.len()) {
        (true, 2..) => "was dealt, and no replica has its ticket",
        (true, _) => "was dealt, and no replica has the record of the deal",
        (false, _) => "has a ticket that cannot be read",
    }
}

/// Returns the records of a round that its void follows, from a file.
fn records_of_file(
    tickets: &ReplicaTickets,
    round_id: Hash,
    path: &Path,
) -> Result<Vec<pb::Record>, CommandError> {
    refuse_closed(tickets, &round_id)?;
    let told = |what: &dyn std::fmt::Display| data(format!("{}: {what}", path.display()));
    let text = read_file(path)?;
    let mut records = Vec::new();
    let mut is_dealt = false;
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let record = RecordEnvelope::parse(line).map_err(|error| told(&error))?;
        match record.kind() {
            RecordKind::Ticket => {
                let ticket = record.json().ok().and_then(|json| Ticket::parse(json).ok());
                if ticket.is_none_or(|ticket| ticket.round_id != round_id) {
                    return Err(told(&format!("it has a ticket that is not of round {round_id}")));
                }
            }
            RecordKind::Lock => {}
            RecordKind::Deal => is_dealt = true,
            RecordKind::Settle => return Err(told(&format!("round {round_id} is closed in it"))),
            RecordKind::Manifest
            | RecordKind::Action
            | RecordKind::EpochReveal
            | RecordKind::EpochClose
            | RecordKind::LogProof => continue,
        }
        records.push(pb::Record { envelope: line.to_vec(), signatures: Vec::new() });
    }
    if records.is_empty() {
        return Err(told(&"there is no record of the round in it"));
    }
    let known = tickets.stranded().into_iter().find(|stranded| stranded.round_id == round_id);
    if known.is_some_and(|known| known.ticket.dealt) && !is_dealt {
        return Err(told(&format!("round {round_id} was dealt, and the deal is not in the file")));
    }
    Ok(records)
}
