//! The public close of an epoch: whether the file has every round that it counts.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::AuditContext;
use super::file::TranscriptLine;
use super::report::{CheckCode, Finding, Findings, joined};
use super::round::RoundAudit;
use super::standing::VerdictReason;
use crate::record::{
    ClosedTable, EpochClose, EpochRounds, InclusionProof, LeafRecord, SettleRecord,
};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{SaltSource, Suite};
use paigow_fairness::seed::Coordinates;
use paigow_fairness::signature::PublicKey;

/// The reason why `EPOCH_CLOSE` is skipped if rounds are audited one by one. Its result is known
/// only after the last of them.
pub(super) const ONE_BY_ONE: &str = "the rounds were audited one by one";

/// A close that counts: its signatures are good, and the manifests list its epoch and tenant.
pub(super) struct CountedClose {
    pub(super) line: usize,
    pub(super) hash: Hash,
    pub(super) close: EpochClose,
    /// Whether a witness that the caller named has signed it.
    is_witnessed: bool,
    /// Where the leaves of each of its tables begin, if no number before them is missing.
    starts: Vec<u128>,
    /// How many numbers up to the last of each table have no leaf.
    missing: u128,
}

impl CountedClose {
    fn new(line: &TranscriptLine, close: EpochClose, is_witnessed: bool) -> Self {
        let mut numbers = 0_u128;
        let mut start = |table: &ClosedTable| {
            let before = numbers;
            numbers += u128::from(table.last);
            before
        };
        let starts = close.tables.iter().map(&mut start).collect();
        let missing = numbers.saturating_sub(u128::from(close.leaves));
        Self { line: line.number, hash: line.hash, close, is_witnessed, starts, missing }
    }

    /// Returns the proof of the round at a place among the given proofs. Its path leads to the
    /// tree, and its leaf is in the place that the tables of the close give it. So a round has one
    /// leaf.
    ///
    /// # Errors
    ///
    /// Returns a finding if a path leads to the tree from a place where no honest tree has the
    /// leaf.
    pub(super) fn proven<'p>(
        &self,
        place: &Coordinates,
        given: &'p [InclusionProof],
    ) -> Result<Option<&'p InclusionProof>, Finding> {
        let at = self.close.tables.binary_search_by(|one| one.table.cmp(&place.table));
        let Ok(at) = at else { return Ok(None) };
        let wanted = self.starts[at] + u128::from(place.round_no.saturating_sub(1));
        let least = wanted.saturating_sub(self.missing);
        let mut found = None;
        for proof in given.iter().filter(|proof| proof.leads_to(&self.close)) {
            let index = u128::from(proof.index);
            if !(least..=wanted).contains(&index) {
                let expected = format!("the leaf of the round at place {wanted} of the tree");
                return Err(Finding::failed(self.line, expected, format!("place {index}")));
            }
            if index == wanted {
                found = Some(proof);
            }
        }
        Ok(found)
    }
}

/// The rounds of the file in the epoch and of the tenant of each close.
#[derive(Default)]
pub(super) struct ClosedEpochs(BTreeMap<(u32, Identifier), FileRounds>);

struct FileRounds {
    /// The rounds of the file, how many there are, and the hash of their tree.
    rounds: EpochRounds,
    count: usize,
    root: Option<Hash>,
    /// The tables of the close that have a ticket in the file.
    tables: BTreeMap<Identifier, FileTable>,
}

/// The rounds of one table, beside the last round that the close names.
struct FileTable {
    /// Whether the caller named the close of the round before the first of the file.
    is_continued: bool,
    /// The first rounds that are missing.
    missing: Option<VerdictReason>,
}

/// Verifies the signatures of a close by the keys that may sign a reveal of its epoch, and by
/// witnesses.
pub(super) fn counted(
    context: &AuditContext<'_>,
    line: &TranscriptLine,
    close: EpochClose,
    findings: &mut Findings,
) -> Option<CountedClose> {
    let sources = context.manifests.iter().flat_map(|(_, signed)| &signed.manifest.epochs);
    let listed = sources.filter_map(|epoch| match &epoch.salt_source {
        Some(SaltSource::Party { key, .. }) => Some(key),
        Some(SaltSource::None | SaltSource::Drand { .. }) | None => None,
    });
    let witnesses: BTreeSet<&PublicKey> = listed.chain(&context.terms.witnesses).collect();
    let (effort, envelope) = (&context.effort, &line.envelope);
    let others = OnceCell::new();
    let revealers = context.revealers_of(close.epoch, envelope, &others);
    let keys = revealers.clone().chain(witnesses.iter().copied());
    let is_signed = envelope.any_verifies(effort.tried_with_all(envelope, revealers))
        && envelope.all_verify(effort.tried(keys));
    if !is_signed {
        let expected = "signatures by a receipt or root key, and by witnesses";
        let failed = Finding::failed(line.number, expected, "another, or none");
        findings.note(CheckCode::Signatures, failed);
        return None;
    }
    let is_listed = context.manifests.iter().any(|(_, signed)| {
        let tenants = &signed.manifest.tenants;
        signed.manifest.epoch(close.epoch).is_some()
            && tenants.iter().any(|tenant| tenant.tenant == close.tenant)
    });
    let is_witnessed =
        envelope.any_verifies(effort.tried_with_all(envelope, &context.terms.witnesses));
    is_listed.then(|| CountedClose::new(line, close, is_witnessed))
}

/// `NO_FORK` of closes: one for each epoch and tenant.
pub(super) fn fork(closes: &[CountedClose]) -> Option<Finding> {
    let place = |one: &CountedClose| (one.close.epoch, one.close.tenant.clone());
    closes.iter().enumerate().find_map(|(at, one)| {
        let mut before = closes[..at].iter().filter(|before| place(before) == place(one));
        let other = before.find(|before| before.hash != one.hash)?;
        let expected =
            format!("one epoch-close of epoch {} and tenant {}", one.close.epoch, one.close.tenant);
        Some(Finding::failed(one.line, expected, format!("{} and {}", other.hash, one.hash)))
    })
}

impl ClosedEpochs {
    /// Collects the rounds of the file whose epoch and tenant have a close.
    pub(super) fn of(context: &AuditContext<'_>, rounds: &[RoundAudit<'_>]) -> Self {
        let mut closed = BTreeMap::new();
        for CountedClose { close, .. } in &context.closes {
            let place = (close.epoch, close.tenant.clone());
            let rounds = EpochRounds::new(close.epoch, close.tenant.clone());
            let numbers: BTreeMap<Identifier, BTreeSet<u64>> = BTreeMap::new();
            closed.entry(place).or_insert((rounds, numbers));
        }
        for round in rounds {
            let Some(ticket) = &round.ticket else { continue };
            let Coordinates { epoch, tenant, table, round_no } = &ticket.coordinates;
            let place = (*epoch, tenant.clone());
            let Some((all, numbers)) = closed.get_mut(&place) else { continue };
            numbers.entry(table.clone()).or_default().insert(*round_no);
            if round.is_readable {
                let records = round.lines.all().filter_map(|line| LeafRecord::of(&line.envelope));
                records.for_each(|record| all.add(table, *round_no, record));
            }
        }
        let file = |place: (u32, Identifier), (all, numbers): (EpochRounds, BTreeMap<_, _>)| {
            let close = close_of(context, place.0, &place.1)?;
            let tables = close.close.tables.iter().filter_map(|table| {
                let numbers: &BTreeSet<u64> = numbers.get(&table.table)?;
                Some((table.table.clone(), FileTable::of(context, &place, table, numbers)))
            });
            let tables = tables.collect();
            let (count, root) = (all.len(), all.root());
            Some((place, FileRounds { rounds: all, count, root, tables }))
        };
        Self(closed.into_iter().filter_map(|(place, rounds)| file(place, rounds)).collect())
    }
}

impl FileTable {
    /// Compares the round numbers of the file, at least one, with the last round of the table.
    fn of(
        context: &AuditContext<'_>,
        (epoch, tenant): &(u32, Identifier),
        closed: &ClosedTable,
        numbers: &BTreeSet<u64>,
    ) -> Self {
        let before = numbers.first().map_or(0, |lowest| lowest - 1);
        let place = Coordinates {
            epoch: *epoch,
            tenant: tenant.clone(),
            table: closed.table.clone(),
            round_no: before,
        };
        let is_continued = before > 0 && context.terms.after.contains_key(&place.round_id());
        let after = if is_continued { before } else { 0 };
        Self { is_continued, missing: first_missing(closed, numbers, after) }
    }
}

/// The rounds that a whole input has of a table whose epoch is closed.
pub(super) struct ProvenTable<'a> {
    /// The numbers of the rounds of the table, at least one.
    pub(super) numbers: &'a BTreeSet<u64>,
    /// The number of rounds of the epoch and tenant, and the hash of their tree.
    pub(super) count: usize,
    pub(super) root: Option<Hash>,
    /// Whether the caller gave a proof of each round of the table.
    pub(super) is_proven: bool,
}

impl ProvenTable<'_> {
    /// Returns the reason why rounds of the table are missing, or are not those of the tree.
    pub(super) fn missing(
        &self,
        context: &AuditContext<'_>,
        place: &(u32, Identifier),
        close: &EpochClose,
        listed: &ClosedTable,
    ) -> Result<(), String> {
        let table = FileTable::of(context, place, listed, self.numbers);
        if let Some(missing) = table.missing {
            return Err(missing.to_string());
        }
        let has_all = !table.is_continued && u64::try_from(self.count) == Ok(close.leaves);
        if has_all && self.root == Some(close.root) || self.is_proven {
            return Ok(());
        }
        Err(if has_all { OTHER_TREE.to_owned() } else { needs_proof(self.count, close.leaves) })
    }
}

const OTHER_PLACE: &str = "the inclusion proof does not lead to the round's place in the tree";
const OTHER_TREE: &str = "the rounds of the file do not make the tree of the close";

fn needs_proof(have: usize, all: u64) -> String {
    format!("the file has {have} of the {all} rounds of the epoch: an inclusion proof is needed")
}

/// Returns the first close of an epoch and tenant: the one that counts.
pub(super) fn close_of<'a>(
    context: &'a AuditContext<'_>,
    epoch: u32,
    tenant: &Identifier,
) -> Option<&'a CountedClose> {
    context.closes.iter().find(|one| one.close.epoch == epoch && one.close.tenant == *tenant)
}

/// Returns the close of the epoch of a round, if it has one that counts.
///
/// # Errors
///
/// Returns a finding if an earlier check of the round has refused that close.
pub(super) fn usable_close<'r>(
    round: &'r RoundAudit<'_>,
    place: &Coordinates,
) -> Result<Option<&'r CountedClose>, Finding> {
    match close_of(round.context, place.epoch, &place.tenant) {
        Some(counted) if round.refused.contains(&counted.line) => {
            Err(Finding::skipped("the close of the epoch was refused by an earlier check"))
        }
        counted => Ok(counted),
    }
}

/// `EPOCH_CLOSE`: the file has every round that the public close of the epoch counts.
pub(super) fn check(round: &RoundAudit<'_>, closed: &ClosedEpochs) -> Finding {
    Finding::or_skip(|| {
        let (ticket, _) = round.grounds()?;
        let place = &ticket.coordinates;
        let counted = usable_close(round, place)?
            .ok_or_else(|| Finding::skipped("the close of the epoch is not in the file"))?;
        let tables = &counted.close.tables;
        let at = tables.binary_search_by(|one| one.table.cmp(&place.table));
        let table = at.ok().map(|at| &tables[at]);
        let Some(table) = table.filter(|table| place.round_no <= table.last) else {
            let expected = "a round that the close of its epoch counts";
            let found = format!("round {} of table {}", place.round_no, place.table);
            return Ok(Finding::failed(round.lines.ticket.number, expected, found));
        };
        if let (true, Some(head), Ok((line, _)), Some(settle)) =
            (place.round_no == table.last, table.head, round.closed(), &round.lines.settle)
            && settle.hash != head
        {
            let what = "the close of the table's last round,";
            return Ok(Finding::equal(line, &head, &settle.hash, what));
        }
        if let Some(failed) = seed_proofs_fault(round, counted, place) {
            return Ok(failed);
        }
        let given = round.context.terms.proofs.of(place);
        let proof = match counted.proven(place, given) {
            Ok(proof) => proof,
            Err(failed) => return Ok(failed),
        };
        if let (Some(proof), Ok((line, _)), Some(settle)) =
            (proof, round.closed(), &round.lines.settle)
            && !proof.closes.is_empty()
            && !proof.closes.contains(&settle.hash)
        {
            let expected = format!("a close that the leaf lists: {}", joined(&proof.closes));
            return Ok(Finding::failed(line, expected, settle.hash.to_string()));
        }
        if !counted.is_witnessed {
            let why = "no witness that you named has signed the close of the epoch";
            return Err(Finding::skipped(why));
        }
        let one_by_one = || Finding::skipped(ONE_BY_ONE);
        let file = closed.0.get(&(place.epoch, place.tenant.clone())).ok_or_else(one_by_one)?;
        let rounds = file.tables.get(&place.table).ok_or_else(one_by_one)?;
        if let Some(missing) = &rounds.missing {
            let proven = proof.map_or("", |_| "; this round is in the tree");
            return Err(Finding::skipped(format!("{missing}{proven}")));
        }
        let (have, all) = (file.count, counted.close.leaves);
        let has_all = !rounds.is_continued && u64::try_from(have) == Ok(all);
        if has_all && file.root == Some(counted.close.root) {
            return Ok(Finding::Passed);
        }
        let Some(proof) = proof else {
            return Err(Finding::skipped(match (given.is_empty(), has_all) {
                (false, _) => OTHER_PLACE.to_owned(),
                (true, true) => OTHER_TREE.to_owned(),
                (true, false) => needs_proof(have, all),
            }));
        };
        if file.rounds.leaf_of(&place.table, place.round_no).as_ref() != Some(&proof.leaf) {
            let why = "the leaf of the round lists other records than the file";
            return Err(Finding::skipped(why));
        }
        Ok(Finding::Passed)
    })
}

/// Returns the fault in the seed proofs of a close. In the vrf suite it has one for each round that is
/// void behind a lock of the wagers. In another suite it has none.
fn seed_proofs_fault(
    round: &RoundAudit<'_>,
    counted: &CountedClose,
    place: &Coordinates,
) -> Option<Finding> {
    let (_, world) = round.grounds().ok()?;
    let fault = |expected: &str, found| Some(Finding::failed(counted.line, expected, found));
    if world.epoch.suite != Suite::Vrf {
        let has_some = !counted.close.seed_proofs.is_empty();
        return has_some.then(|| fault("no proofs of seeds in this suite", "proofs")).flatten();
    }
    let is_void = matches!(round.closed(), Ok((_, SettleRecord::Void(_))));
    // A lock that cannot be read is not in the evidence, and its wins are unknown.
    let lock = round.usable(round.lines.wager_lock.as_ref(), "lock of the wagers");
    let is_locked = lock.is_ok() && round.wager_lock.is_some();
    if is_void && is_locked && counted.close.seed_proof(&place.table, place.round_no).is_none() {
        return fault("a proof of the seed of a void behind a lock of the wagers", "none");
    }
    None
}

/// Returns the first rounds of a table, later than the round `after`, that are not in `numbers`.
fn first_missing(
    table: &ClosedTable,
    numbers: &BTreeSet<u64>,
    after: u64,
) -> Option<VerdictReason> {
    let mut next = after + 1;
    let gap = |first, last| VerdictReason::Gap { table: table.table.clone(), first, last };
    for number in numbers.range(next..=table.last) {
        if *number > next {
            return Some(gap(next, number - 1));
        }
        next = number + 1;
    }
    (next <= table.last).then(|| gap(next, table.last))
}
