//! The rounds of a public log: each with its tickets, locks of wagers and closes.

use std::collections::{BTreeMap, BTreeSet};

use super::{FindingCode, MonitorFinding};
use crate::replay_all::OpenStakes;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::log_copy::CopiedEntry;
use paigow_fairness::manifest::{ManifestChain, Suite};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::seed::Coordinates;
use paigow_fairness::ticket::Ticket;
use paigow_round::record::{EpochClose, EpochReveal, Lock, SettleRecord, WagerLock};

/// The rounds, as the entries of a log show them.
#[derive(Debug, Default)]
pub(super) struct LoggedRounds {
    rounds: BTreeMap<Coordinates, LoggedRound>,
    /// Locks and closes whose ticket was not read yet: a log has its entries in no order.
    early: BTreeMap<Hash, Vec<RecordEnvelope>>,
    /// The place of the ticket of each hash.
    places: BTreeMap<Hash, Coordinates>,
    manifests: BTreeSet<Hash>,
    reveals: BTreeMap<u32, RecordEnvelope>,
    /// The closes of each epoch and tenant.
    closes: BTreeMap<(u32, Identifier), Vec<LoggedClose>>,
    /// Entries that are the hash of a longer record.
    long: u64,
    /// Findings about single entries.
    found: Vec<MonitorFinding>,
}

#[derive(Debug)]
struct LoggedClose {
    close: EpochClose,
    record: RecordEnvelope,
}

#[derive(Debug, Default)]
struct LoggedRound {
    tickets: BTreeMap<Hash, Ticket>,
    /// The locks of wagers, each with the ticket that it follows.
    locks: BTreeMap<Hash, (Hash, WagerLock)>,
    closes: BTreeMap<Hash, RoundEnd>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum RoundEnd {
    Settled,
    Void,
}

/// How many rounds are in which state.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct LoggedRoundCounts {
    pub(super) open: u64,
    pub(super) settled: u64,
    pub(super) void: u64,
}

impl LoggedRounds {
    /// Adds an entry.
    pub(super) fn add(&mut self, index: u64, entry: &[u8], manifests: &ManifestChain) {
        match CopiedEntry::of_entry(entry) {
            Some(CopiedEntry::Record(record)) => {
                if let Err(error) = self.add_record(&record, manifests) {
                    self.note(FindingCode::Entry, format!("entry {index}: {error}"));
                }
            }
            Some(CopiedEntry::Long(_)) => self.long += 1,
            None => self.note(FindingCode::Entry, format!("entry {index} is not a record")),
        }
    }

    fn note(&mut self, code: FindingCode, what: String) {
        self.found.push(MonitorFinding { code, what });
    }

    fn add_record(
        &mut self,
        record: &RecordEnvelope,
        manifests: &ManifestChain,
    ) -> Result<(), PayloadError> {
        let (hash, json) = (record.hash(), record.json().map_err(PayloadError::from)?);
        match record.kind() {
            RecordKind::Manifest => {
                if self.manifests.insert(hash) && manifests.by_hash(&hash).is_none() {
                    let what = format!("manifest {hash} is not in the given chain");
                    self.note(FindingCode::ManifestUnknown, what);
                }
            }
            RecordKind::Ticket => {
                let ticket = Ticket::parse(json)?;
                self.places.insert(hash, ticket.coordinates.clone());
                let round = self.rounds.entry(ticket.coordinates.clone()).or_default();
                round.tickets.insert(hash, ticket);
                for waiting in self.early.remove(&hash).unwrap_or_default() {
                    self.add_record(&waiting, manifests)?;
                }
            }
            RecordKind::Lock => {
                if let Lock::Wagers(lock) = Lock::parse(json)? {
                    let ticket = lock.prev;
                    if let Some(round) = self.round_of(&ticket, record) {
                        round.locks.insert(hash, (ticket, lock));
                    }
                }
            }
            RecordKind::Settle => {
                let (ticket, end) = match SettleRecord::parse(json)? {
                    SettleRecord::Settled(settled) => (settled.ticket, RoundEnd::Settled),
                    SettleRecord::Void(voided) => (voided.ticket, RoundEnd::Void),
                };
                if let Some(round) = self.round_of(&ticket, record) {
                    round.closes.insert(hash, end);
                }
            }
            RecordKind::EpochReveal => {
                let reveal = EpochReveal::parse(json)?;
                self.reveals.insert(reveal.epoch, record.clone());
            }
            RecordKind::EpochClose => {
                let close = EpochClose::parse(json)?;
                let told = self.closes.entry((close.epoch, close.tenant.clone())).or_default();
                if told.iter().all(|known| known.record.hash() != hash) {
                    told.push(LoggedClose { close, record: record.clone() });
                }
            }
            RecordKind::Deal | RecordKind::Action | RecordKind::LogProof => {}
        }
        Ok(())
    }

    /// Returns the round of a ticket, or keeps the record until the ticket comes.
    fn round_of(&mut self, ticket: &Hash, record: &RecordEnvelope) -> Option<&mut LoggedRound> {
        if let Some(place) = self.places.get(ticket) {
            return self.rounds.get_mut(place);
        }
        self.early.entry(*ticket).or_default().push(record.clone());
        None
    }

    /// Returns how many rounds are in which state.
    pub(super) fn counts(&self) -> LoggedRoundCounts {
        let mut counts = LoggedRoundCounts::default();
        for round in self.rounds.values() {
            *(match round.closes.values().next() {
                None => &mut counts.open,
                Some(RoundEnd::Settled) => &mut counts.settled,
                Some(RoundEnd::Void) => &mut counts.void,
            }) += 1;
        }
        counts
    }

    /// Returns how many entries are the hash of a record that is too long for an entry.
    pub(super) const fn long(&self) -> u64 {
        self.long
    }

    /// Returns the rounds with locked wagers and no settlement, and the records that open their
    /// seeds.
    pub(super) fn stakes(&self) -> (OpenStakes, Vec<(usize, RecordEnvelope)>) {
        let mut stakes = OpenStakes::default();
        for round in self.rounds.values() {
            let is_settled = round.closes.values().any(|end| *end == RoundEnd::Settled);
            let Some((ticket, lock)) = round.locks.values().next().filter(|_| !is_settled) else {
                continue;
            };
            let Some(ticket) = round.tickets.get(ticket) else { continue };
            stakes.insert(ticket.clone(), lock.clone(), !round.closes.is_empty());
        }
        let closes = self.closes.values().flatten().map(|one| one.record.clone());
        let known = self.reveals.values().cloned().chain(closes);
        (stakes, known.map(|record| (0, record)).collect())
    }

    /// Returns all findings about the rounds at a time. A record that is due at the end of settling
    /// may come `grace` seconds later.
    pub(super) fn findings(
        &self,
        manifests: &ManifestChain,
        now: u64,
        grace: u64,
    ) -> Vec<MonitorFinding> {
        let mut found = self.found.clone();
        let mut note = |code, what: String| found.push(MonitorFinding { code, what });
        for (ticket, records) in &self.early {
            for record in records {
                let kind = record.kind().name();
                let what = format!("a {kind} record follows ticket {ticket}, which the log lacks");
                note(FindingCode::TicketMissing, what);
            }
        }
        for (place, round) in &self.rounds {
            let at = place_text(place);
            let locked: BTreeSet<&Hash> = round.locks.values().map(|(ticket, _)| ticket).collect();
            if round.locks.len() > 1 || locked.len() > 1 {
                note(FindingCode::Fork, format!("{at} has two locks of its wagers"));
            }
            if round.closes.len() > 1 {
                note(FindingCode::Fork, format!("{at} has two closes"));
            }
            let has_commitments = |ticket: &Ticket| !ticket.client.is_empty();
            if round.tickets.len() > 1 && round.tickets.values().any(has_commitments) {
                let what = format!("{at} was opened twice, with commitments of players");
                note(FindingCode::Fork, what);
            }
        }
        for (table, numbers) in self.numbers() {
            let (mut missing, mut before) = (Vec::new(), 0);
            for number in numbers {
                if number > before + 1 {
                    missing.push((before + 1, number - 1));
                }
                before = number;
            }
            for (first, last) in missing {
                let what =
                    format!("rounds {first} to {last} of {} are missing", table_text(&table));
                note(FindingCode::Gap, what);
            }
        }
        for (key, closes) in &self.closes {
            if closes.len() > 1 {
                let (epoch, tenant) = key;
                note(FindingCode::Fork, format!("epoch {epoch} of {tenant} has two closes"));
            }
            if let Some(first) = closes.first() {
                self.check_close(&first.close, &mut note);
            }
        }
        self.check_due(manifests, now, grace, &mut note);
        found
    }

    /// The numbers of the rounds of each table.
    fn numbers(&self) -> BTreeMap<(u32, Identifier, Identifier), BTreeSet<u64>> {
        let mut tables: BTreeMap<_, BTreeSet<u64>> = BTreeMap::new();
        for place in self.rounds.keys() {
            let table = (place.epoch, place.tenant.clone(), place.table.clone());
            tables.entry(table).or_default().insert(place.round_no);
        }
        tables
    }

    /// Checks that a public close counts every round of the log.
    fn check_close(&self, close: &EpochClose, note: &mut impl FnMut(FindingCode, String)) {
        let rounds = self.rounds.keys();
        let own = rounds.filter(|one| one.epoch == close.epoch && one.tenant == close.tenant);
        let mut count = 0_u64;
        for place in own {
            count += 1;
            let listed = close.tables.iter().find(|table| table.table == place.table);
            if listed.is_none_or(|table| table.last < place.round_no) {
                let what = format!("the close leaves {} out", place_text(place));
                note(FindingCode::CloseDiffers, what);
            }
        }
        if count != close.leaves {
            let (epoch, tenant, leaves) = (close.epoch, &close.tenant, close.leaves);
            let what = format!(
                "the close of epoch {epoch} of {tenant} counts {leaves} rounds, and the log has {count}"
            );
            note(FindingCode::CloseDiffers, what);
        }
    }

    /// Checks reveals and closes of epochs, and rounds without a close, after the end of settling.
    fn check_due(
        &self,
        manifests: &ManifestChain,
        now: u64,
        grace: u64,
        note: &mut impl FnMut(FindingCode, String),
    ) {
        let mut epochs = BTreeMap::new();
        for signed in manifests.all() {
            epochs.extend(signed.manifest.epochs.iter().map(|epoch| (epoch.epoch, epoch)));
        }
        let is_over = |epoch: u32| {
            epochs.get(&epoch).is_some_and(|epoch| now > epoch.settle_until.saturating_add(grace))
        };
        let mut tenants: BTreeSet<(u32, Identifier)> = BTreeSet::new();
        for (place, round) in self.rounds.iter().filter(|(place, _)| is_over(place.epoch)) {
            tenants.insert((place.epoch, place.tenant.clone()));
            if round.closes.is_empty() {
                note(FindingCode::NotClosed, format!("{} was never closed", place_text(place)));
            }
        }
        let played: BTreeSet<u32> = tenants.iter().map(|(epoch, _)| *epoch).collect();
        for epoch in played {
            let is_derived = epochs.get(&epoch).is_some_and(|one| one.suite == Suite::Derived);
            if is_derived && !self.reveals.contains_key(&epoch) {
                note(FindingCode::RevealOverdue, format!("the secret of epoch {epoch} is overdue"));
            }
        }
        for (epoch, tenant) in tenants {
            if !self.closes.contains_key(&(epoch, tenant.clone())) {
                let what = format!("the close of epoch {epoch} of {tenant} is overdue");
                note(FindingCode::CloseOverdue, what);
            }
        }
    }
}

fn table_text((epoch, tenant, table): &(u32, Identifier, Identifier)) -> String {
    format!("table {table} of {tenant} in epoch {epoch}")
}

fn place_text(place: &Coordinates) -> String {
    let table = (place.epoch, place.tenant.clone(), place.table.clone());
    format!("round {} of {}", place.round_no, table_text(&table))
}
