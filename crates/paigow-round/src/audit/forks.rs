//! `NO_FORK`: two tellings of one round that contradict each other are evidence (D1, D22).

use std::collections::{BTreeMap, BTreeSet};

use super::file::TranscriptLine;
use super::report::Finding;
use super::round::RoundAudit;
use super::{outcome, supersedes};
use crate::record::CloseLock;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{EpochStatus, Suite};

/// A record of a telling: its line and its hash.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
struct ToldRecord {
    line: usize,
    hash: Hash,
}

/// The ticket of a telling.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
struct ToldTicket {
    record: ToldRecord,
    /// Whether it may be replaced by another while it is not locked.
    may_reopen: bool,
    /// Whether the ledger, or an engine under `lock: off`, relied on it in this telling.
    is_locked: bool,
}

/// A lock of phase 2.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
struct ToldLock {
    record: ToldRecord,
    supersedes: Vec<Hash>,
}

/// How far a telling goes before its lock of phase 2.
#[derive(
    Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, serde::Deserialize, serde::Serialize,
)]
enum Stage {
    Ticket,
    Wagers,
    Dealt,
}

/// One telling of a round. Only records that no check refused count: a forged record is no evidence
/// against its supposed signer.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
pub(super) struct Telling {
    round_id: Hash,
    ticket: Option<ToldTicket>,
    wager_lock: Option<ToldRecord>,
    deal: Option<ToldRecord>,
    /// The locks of phase 2, in order.
    locks: Vec<ToldLock>,
    settle: Option<ToldRecord>,
    stage: Stage,
    /// The void lock, and whether a later manifest had closed `Deal` for the lock of its wagers.
    void: Option<(ToldRecord, bool)>,
    /// The actions with a countersignature that are legal by themselves.
    accepted: Vec<Hash>,
    /// A final lock that can be settled, with the actions that it lists.
    final_lock: Option<(ToldRecord, Vec<Hash>)>,
}

impl Telling {
    /// Reads the telling of a round of the file; [`None`] if its ticket cannot be read.
    pub(super) fn of(round: &RoundAudit<'_>) -> Option<Self> {
        let ticket = round.ticket.as_ref()?;
        let lines = round.lines;
        let counts = |line: &TranscriptLine| {
            let counts = !round.refused.contains(&line.number);
            counts.then_some(ToldRecord { line: line.number, hash: line.hash })
        };
        let (wager_lock, deal, settle) = (
            lines.wager_lock.as_ref().and_then(counts),
            lines.deal.as_ref().and_then(counts),
            lines.settle.as_ref().and_then(counts),
        );
        let close_lock = lines.close_lock.as_ref().and_then(counts);
        let spent = lines.spent.iter().map(|spent| counts(&spent.lock));
        let payloads = round.spent.iter().chain(&round.close_lock);
        let locks = spent.chain([close_lock]).zip(payloads).filter_map(|(record, lock)| {
            Some(ToldLock { record: record?, supersedes: lock.supersedes().to_vec() })
        });
        let locks: Vec<ToldLock> = locks.collect();
        let is_signed = |line: &TranscriptLine| counts(line).is_some() && line.envelope.is_signed();
        let is_locked = if ticket.policy.lock_required {
            wager_lock.is_some() || !locks.is_empty()
        } else {
            let spent = lines.spent.iter().map(|spent| &spent.lock);
            let mut locks = lines.wager_lock.iter().chain(spent).chain(&lines.close_lock);
            deal.is_some() || settle.is_some() || locks.any(is_signed)
        };
        let told_ticket = |record| ToldTicket {
            record,
            may_reopen: ticket.suite == Suite::Fresh || ticket.client.is_empty(),
            is_locked,
        };
        let stage = match (&deal, &wager_lock) {
            (Some(_), _) => Stage::Dealt,
            (None, Some(_)) => Stage::Wagers,
            (None, None) => Stage::Ticket,
        };
        let void = close_lock
            .filter(|_| round.close_lock.as_ref().is_some_and(CloseLock::is_void))
            .map(|record| (record, stage == Stage::Wagers && closed_deal(round)));
        let final_lock = match &round.close_lock {
            Some(CloseLock::Final { actions, .. }) => close_lock
                .filter(|_| {
                    // A round that was settled over its only final lock needs no second check.
                    let settled = round.replayed.as_ref();
                    let is_settled = settled.is_some_and(|replayed| replayed.settlement.is_some());
                    (is_settled && round.spent.is_empty())
                        || supersedes::stands(round) == Some(true)
                })
                .map(|record| (record, actions.clone())),
            Some(CloseLock::Void { .. }) | None => None,
        };
        Some(Self {
            round_id: ticket.round_id,
            ticket: counts(&lines.ticket).map(told_ticket),
            wager_lock,
            deal,
            locks,
            settle,
            stage,
            void,
            accepted: accepted(round),
            final_lock,
        })
    }

    /// Returns the id of the round.
    pub(super) const fn round_id(&self) -> Hash {
        self.round_id
    }

    /// Whether both tellings are of one ticket.
    fn has_ticket_of(&self, other: &Self) -> bool {
        let hash = |telling: &Self| telling.ticket.as_ref().map(|ticket| ticket.record.hash);
        self.ticket.is_some() && hash(self) == hash(other)
    }

    /// Returns its facts without line numbers. A telling with the same facts adds nothing.
    fn facts(&self) -> TellingFacts {
        let hash = |record: &Option<ToldRecord>| record.map(|record| record.hash);
        let ticket = self.ticket.as_ref();
        let locks = self.locks.iter().map(|lock| (lock.record.hash, lock.supersedes.clone()));
        TellingFacts {
            ticket: ticket.map(|ticket| (ticket.record.hash, ticket.is_locked)),
            records: [hash(&self.wager_lock), hash(&self.deal), hash(&self.settle)],
            locks: locks.collect(),
            void: self.void.map(|(record, closed)| (record.hash, closed)),
            accepted: self.accepted.clone(),
            final_lock: self.final_lock.as_ref().map(|(record, _)| record.hash),
        }
    }
}

/// The facts of a telling, without its line numbers.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct TellingFacts {
    ticket: Option<(Hash, bool)>,
    records: [Option<Hash>; 3],
    locks: Vec<(Hash, Vec<Hash>)>,
    void: Option<(Hash, bool)>,
    accepted: Vec<Hash>,
    final_lock: Option<Hash>,
}

/// Returns whether a later manifest of the file stopped the engine from dealing to the lock of the
/// wagers.
///
/// It does so if it revokes the epoch, or no longer lists a ledger key that signed the lock.
fn closed_deal(round: &RoundAudit<'_>) -> bool {
    let (Some(ticket), Some(world)) = (&round.ticket, round.world) else { return false };
    let Some(lock) = &round.lines.wager_lock else { return false };
    let later = round.context.manifests.iter().map(|(_, signed)| &signed.manifest);
    let mut later = later.filter(|manifest| manifest.seq > world.signed.manifest.seq);
    later.any(|manifest| {
        let epoch = manifest.epoch(ticket.coordinates.epoch);
        let tenant = manifest.tenant(&ticket.coordinates.tenant);
        let listed = tenant.map_or(&[][..], |tenant| &tenant.ledger_keys);
        let keys = world.tenant.ledger_keys.iter();
        let dropped: Vec<_> = keys.filter(|key| !listed.contains(key)).copied().collect();
        epoch.is_some_and(|epoch| epoch.status == EpochStatus::Revoked)
            || lock.envelope.any_verifies(&dropped)
    })
}

/// Returns the actions of the last group that the ledger countersigned and that are legal by
/// themselves; empty if that cannot be judged.
fn accepted(round: &RoundAudit<'_>) -> Vec<Hash> {
    let Some(world) = round.world else { return Vec::new() };
    let ledger_keys = &world.tenant.ledger_keys;
    let actions = round.lines.actions.iter().zip(&round.actions);
    let countersigned: Vec<_> = actions
        .filter(|(line, _)| {
            !round.refused.contains(&line.number) && line.envelope.any_verifies(ledger_keys)
        })
        .collect();
    if countersigned.is_empty() {
        return Vec::new();
    }
    let judged = outcome::with_decision_terms(round, |terms| {
        let legal = countersigned.iter().filter(|(_, (action, way))| terms.is_legal(action, *way));
        legal.map(|(line, _)| line.hash).collect()
    });
    judged.unwrap_or_default()
}

/// The tellings of one round.
#[derive(Clone, Debug, Default)]
pub(super) struct Tellings {
    told: Vec<Telling>,
    facts: BTreeSet<TellingFacts>,
    /// The tickets that are locked in one of them.
    locked: BTreeSet<Hash>,
}

impl Tellings {
    /// Adds a telling. Returns the fork that it makes with those before it.
    pub(super) fn add(&mut self, now: Telling) -> Option<Finding> {
        let locked = now.ticket.as_ref().filter(|ticket| ticket.is_locked);
        self.locked.extend(locked.map(|ticket| ticket.record.hash));
        let found = self.fork(&now);
        if self.facts.insert(now.facts()) {
            self.told.push(now);
        }
        found
    }

    fn fork(&self, now: &Telling) -> Option<Finding> {
        let each = |of: &dyn Fn(&Telling) -> Option<Finding>| self.told.iter().find_map(of);
        each(&|before| self.other_tickets(before, now))
            .or_else(|| each(&|before| one(now, "phase 1 lock", before.wager_lock, now.wager_lock)))
            .or_else(|| each(&|before| one(now, "deal", before.deal, now.deal)))
            .or_else(|| each(&|before| other_locks(before, now)))
            .or_else(|| each(&|before| one(now, "close", before.settle, now.settle)))
            .or_else(|| each(&|before| early_void(before, now).or_else(|| early_void(now, before))))
            .or_else(|| each(&|before| dropped(before, now).or_else(|| dropped(now, before))))
    }

    /// Compares two tickets of one round.
    ///
    /// The second opens the round again if no client commitment prevents that. At most one of them
    /// is locked.
    fn other_tickets(&self, before: &Telling, now: &Telling) -> Option<Finding> {
        let (before, ticket) = (before.ticket.as_ref()?, now.ticket.as_ref()?);
        if before.record.hash == ticket.record.hash {
            return None;
        }
        let both = [before.record.hash, ticket.record.hash].iter().all(|t| self.locked.contains(t));
        if before.may_reopen && ticket.may_reopen && !both {
            return None;
        }
        one(now, "ticket", Some(before.record), Some(ticket.record))
    }
}

/// Returns the fault of a second record of a class.
fn one(
    now: &Telling,
    class: &str,
    before: Option<ToldRecord>,
    record: Option<ToldRecord>,
) -> Option<Finding> {
    let (before, record) = (before?, record?);
    let differs = before.hash != record.hash;
    differs.then(|| {
        let expected = format!("one {class} for round {}", now.round_id);
        Finding::failed(record.line, expected, format!("{} and {}", before.hash, record.hash))
    })
}

/// Finds two locks of phase 2 if neither supersedes the other.
fn other_locks(before: &Telling, now: &Telling) -> Option<Finding> {
    now.locks.iter().find_map(|lock| {
        let is_apart = |other: &&ToldLock| {
            let (one, two) = (&other.record.hash, &lock.record.hash);
            one != two && !lock.supersedes.contains(one) && !other.supersedes.contains(two)
        };
        let other = before.locks.iter().find(is_apart)?;
        one(now, "phase 2 lock", Some(other.record), Some(lock.record))
    })
}

/// Finds a void over less than another telling of the same ticket shows.
fn early_void(void: &Telling, other: &Telling) -> Option<Finding> {
    let (record, closed_deal) = void.void?;
    if other.stage <= void.stage || !void.has_ticket_of(other) {
        return None;
    }
    let hash = |lock: Option<ToldRecord>| lock.map(|lock| lock.hash);
    if closed_deal && hash(void.wager_lock) == hash(other.wager_lock) {
        return None;
    }
    let expected = format!("a void over the latest record of round {}", void.round_id);
    let latest = other.deal.or(other.wager_lock)?;
    Some(Finding::failed(record.line, expected, format!("another telling has {}", latest.hash)))
}

/// Finds an action that the ledger accepted in one telling, and that a final lock in another
/// telling lacks.
fn dropped(accepted: &Telling, locked: &Telling) -> Option<Finding> {
    let (lock, actions) = locked.final_lock.as_ref()?;
    if accepted.deal?.hash != locked.deal?.hash {
        return None;
    }
    let missing = accepted.accepted.iter().find(|hash| !actions.contains(hash))?;
    let expected = format!("a final lock over the countersigned action {missing}");
    Some(Finding::failed(lock.line, expected, format!("lock {}", lock.hash)))
}

/// Looks for forks over all rounds of the call.
pub(super) fn check(rounds: &[RoundAudit<'_>]) -> Finding {
    let mut tellings: BTreeMap<Hash, Tellings> = BTreeMap::new();
    let mut forks = rounds
        .iter()
        .filter_map(Telling::of)
        .filter_map(|telling| tellings.entry(telling.round_id).or_default().add(telling));
    let first = forks.next();
    match first {
        Some(fork) => fork,
        None if rounds.is_empty() => Finding::skipped("no round in the file"),
        None => Finding::Passed,
    }
}
