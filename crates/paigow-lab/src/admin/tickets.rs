//! The tickets that no replica has closed.
//!
//! Replicas share no files: one opens a round, another deals it, a third closes it. A repeated call
//! leaves the same ticket with two of them. So every replica lists its part of each round. A round
//! is closed if any of them has its close.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use serde_json::json;
use tonic::Request;

use super::replicas::Replica;
use crate::play::table::refused;
use crate::{CommandError, CommandOutcome, counted};
use paigow_fairness::encoding::Hash;
use paigow_files::{system, utc};
use paigow_proto::v1 as pb;

/// How long a replica may read its files.
const READ_WITHIN: Duration = Duration::from_secs(600);

/// The rounds of a tenant in the files of all replicas.
#[derive(Default)]
pub(super) struct ReplicaTickets {
    parts: BTreeMap<Hash, Vec<TicketPart>>,
    closed: BTreeSet<Hash>,
    /// The time since which the files of each replica are complete, in Unix milliseconds.
    pub(super) complete_since: Vec<(String, i64)>,
}

/// A ticket in the files of one replica.
struct TicketPart {
    replica: String,
    ticket: pb::OpenTicket,
}

/// A ticket without a close at any replica.
#[derive(Clone, Debug)]
pub(super) struct StrandedTicket {
    pub(super) round_id: Hash,
    /// The ticket, merged over all replicas.
    pub(super) ticket: pb::OpenTicket,
    /// The replicas that have a part of it.
    pub(super) replicas: Vec<String>,
    /// Whether the round was dealt over two tickets.
    pub(super) is_forked: bool,
}

impl StrandedTicket {
    /// Returns whether all records are present that a void of the round needs.
    pub(super) fn is_whole(&self) -> bool {
        self.ticket.records.len() == if self.ticket.dealt { 3 } else { 1 }
    }

    /// Returns when it was opened, in Unix seconds.
    pub(super) fn opened_at(&self) -> u64 {
        u64::try_from(self.ticket.opened_at_ms / 1000).unwrap_or(0)
    }
}

impl ReplicaTickets {
    /// Whether a replica has closed a round.
    pub(super) fn has_closed(&self, round_id: &Hash) -> bool {
        self.closed.contains(round_id)
    }

    fn take(&mut self, replica: &str, answer: pb::ListOpenTicketsResponse) -> Result<(), String> {
        use pb::list_open_tickets_response::Item;
        let hash = |text: &str| text.parse::<Hash>().map_err(|error| error.to_string());
        match answer.item {
            Some(Item::Coverage(coverage)) => {
                self.complete_since.push((replica.to_owned(), coverage.complete_since_ms));
            }
            Some(Item::Open(ticket)) => {
                let parts = self.parts.entry(hash(&ticket.round_id)?).or_default();
                parts.push(TicketPart { replica: replica.to_owned(), ticket });
            }
            Some(Item::Closed(rounds)) => {
                for round_id in &rounds.round_ids {
                    self.closed.insert(hash(round_id)?);
                }
            }
            None => return Err("a part of a list without an item".to_owned()),
        }
        Ok(())
    }

    /// Returns the tickets without a close, the oldest first.
    pub(super) fn stranded(&self) -> Vec<StrandedTicket> {
        let open = self.parts.iter().filter(|(round_id, _)| !self.closed.contains(round_id));
        let mut stranded: Vec<StrandedTicket> =
            open.map(|(round_id, parts)| merged(*round_id, parts)).collect();
        stranded.sort_by_key(|stranded| stranded.ticket.opened_at_ms);
        stranded
    }
}

/// Merges the parts of a round: takes the ticket that was dealt, or the newest.
fn merged(round_id: Hash, parts: &[TicketPart]) -> StrandedTicket {
    let dealt = parts.iter().find(|part| part.ticket.dealt);
    let newest = || parts.iter().max_by_key(|part| part.ticket.opened_at_ms);
    let hash = dealt.or_else(newest).map(|part| part.ticket.ticket.clone()).unwrap_or_default();
    let is_forked = parts.iter().any(|part| part.ticket.dealt && part.ticket.ticket != hash);
    let own = || parts.iter().filter(|part| part.ticket.ticket == hash);
    // If a replica has only the deal, another one has the ticket.
    let opened = own().find(|part| part.ticket.round_no != 0);
    let mut ticket = opened.or(dealt).map(|part| part.ticket.clone()).unwrap_or_default();
    ticket.opened_at_ms = own().map(|part| part.ticket.opened_at_ms).min().unwrap_or(0);
    ticket.dealt = dealt.is_some();
    ticket.records =
        opened.and_then(|part| part.ticket.records.first().cloned()).into_iter().collect();
    if let Some(TicketPart { ticket: dealt, .. }) = dealt {
        ticket.records.extend(dealt.records.iter().skip(usize::from(dealt.round_no != 0)).cloned());
    }
    let mut replicas: Vec<String> = parts.iter().map(|part| part.replica.clone()).collect();
    replicas.dedup();
    StrandedTicket { round_id, ticket, replicas, is_forked }
}

/// Asks every replica for its tickets that have at least this age, in seconds.
///
/// # Errors
///
/// If one of them does not answer completely: it may have closed rounds that are open elsewhere.
pub(super) async fn gather(
    replicas: &mut [Replica],
    minimum_age: u32,
) -> Result<ReplicaTickets, CommandError> {
    let answers = replicas.iter_mut().map(|replica| {
        let name = replica.name.clone();
        async move {
            let told = |why: &dyn std::fmt::Display| {
                CommandError::Unavailable(format!(
                    "{name}: {why}\nevery replica has to answer: a ticket may be closed at this one"
                ))
            };
            let client = replica.client.as_mut().map_err(|why| told(why))?;
            let mut request = Request::new(pb::ListOpenTicketsRequest {
                minimum_age_seconds: minimum_age.into(),
            });
            request.set_timeout(READ_WITHIN);
            let answer = client.list_open_tickets(request).await;
            let mut parts = answer.map_err(|status| told(&refused(&status)))?.into_inner();
            let mut tickets = ReplicaTickets::default();
            while let Some(part) = parts.next().await {
                let part = part.map_err(|status| told(&refused(&status)))?;
                tickets.take(&name, part).map_err(|why| told(&why))?;
            }
            Ok::<_, CommandError>(tickets)
        }
    });
    let mut all = ReplicaTickets::default();
    for tickets in join_all(answers).await {
        let ReplicaTickets { parts, closed, complete_since } = tickets?;
        for (round_id, parts) in parts {
            all.parts.entry(round_id).or_default().extend(parts);
        }
        all.closed.extend(closed);
        all.complete_since.extend(complete_since);
    }
    Ok(all)
}

/// Writes the tickets that no replica has closed.
pub(super) async fn list(
    replicas: &mut [Replica],
    minimum_age: u32,
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let tickets = gather(replicas, minimum_age).await?;
    let oldest_allowed = system::now().saturating_sub(minimum_age.into());
    // A deal is listed whatever its age.
    let stranded = tickets.stranded();
    let stranded: Vec<&StrandedTicket> = stranded
        .iter()
        .filter(|ticket| minimum_age == 0 || ticket.opened_at() <= oldest_allowed)
        .collect();
    if json {
        for stranded in &stranded {
            writeln!(out, "{}", to_json(stranded))?;
        }
    } else {
        for (replica, since) in tickets.complete_since.iter().filter(|(_, since)| *since != 0) {
            let since = utc::text(u64::try_from(since / 1000).unwrap_or(0));
            writeln!(
                out,
                "{replica} has evidence since {since} only: older files were taken away"
            )?;
        }
        let count = counted(stranded.len() as u64, "open ticket");
        writeln!(out, "{count} at {}", counted(replicas.len() as u64, "replica"))?;
        for stranded in &stranded {
            let pb::OpenTicket { tenant, table, round_no, epoch, dealt, .. } = &stranded.ticket;
            let opened = utc::text(stranded.opened_at());
            let state = if *dealt { "dealt" } else { "not dealt" };
            let round_id = stranded.round_id;
            writeln!(
                out,
                "  {round_id}  tenant {tenant}, table {table}, round {round_no}, epoch {epoch}, \
                 {state}, opened {opened}"
            )?;
        }
    }
    Ok(if stranded.is_empty() { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

fn to_json(stranded: &StrandedTicket) -> serde_json::Value {
    let pb::OpenTicket { ticket, tenant, table, round_no, epoch, opened_at_ms, dealt, .. } =
        &stranded.ticket;
    json!({
        "round_id": stranded.round_id.to_string(), "ticket": ticket, "tenant": tenant,
        "table": table, "round_no": round_no, "epoch": epoch, "opened_at_ms": opened_at_ms,
        "dealt": dealt, "can_be_voided": stranded.is_whole() && !stranded.is_forked,
        "replicas": stranded.replicas,
    })
}
