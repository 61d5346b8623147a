//! `paigow-lab sink close`: the public close of an epoch, made from the evidence.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{SinkFileEvent, each_file};
use crate::{CommandError, CommandOutcome, read_file};
use paigow_evidence::{EvidenceLine, LineBody};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{Epoch, EpochStatus, Manifest, Suite};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::seed::Coordinates;
use paigow_fairness::ticket::Ticket;
use paigow_fairness::transcript;
use paigow_files::command::read_text;
use paigow_files::utc;
use paigow_round::record::{EpochClose, EpochRounds, LeafRecord, SeedPlace, SeedProof};

/// The request of `paigow-lab sink close`.
#[derive(Clone, Debug)]
pub struct SinkClose {
    /// The epoch.
    pub epoch: u32,
    /// The tenant.
    pub tenant: String,
    /// Files of the evidence, and folders with files.
    pub paths: Vec<PathBuf>,
    /// The time, in Unix seconds.
    pub now: u64,
    /// The output.
    pub output: SinkCloseOutput,
}

/// The output of `paigow-lab sink close`.
#[derive(Clone, Debug)]
pub enum SinkCloseOutput {
    /// The record. In the vrf suite the file has the proofs of the seeds of all rounds without a
    /// settlement.
    Record(Option<PathBuf>),
    /// The list of rounds without a settlement, whose seeds are to be proven.
    Unsettled,
}

/// Writes the epoch-close record of a tenant, without a signature. Or it lists the rounds that have a
/// lock of the wagers and no settled close.
///
/// # Errors
///
/// - In the vrf suite the seed of such a round has no proof that verifies.
/// - There are proofs, and the suite is another.
/// - The tenant is no identifier.
/// - No manifest in the evidence lists the epoch, or its rounds can still be settled.
/// - There is no round, or a record of a round is missing.
/// - A file cannot be read, or output fails.
pub fn close(request: &SinkClose, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let SinkClose { epoch, tenant, paths, now, output } = request;
    let tenant: Identifier = tenant
        .parse()
        .map_err(|error| CommandError::Usage(format!("--tenant {tenant}: {error}")))?;
    let Evidence { newest, rounds } = Evidence::read(paths)?;
    let listed = newest.as_ref().and_then(|manifest| manifest.epoch(*epoch));
    let Some(listed) = listed else {
        let what = format!("epoch {epoch}: no manifest in these files lists it");
        return Err(CommandError::Data(what));
    };
    if listed.status == EpochStatus::Active && *now < listed.settle_until {
        let until = utc::text(listed.settle_until);
        let what = format!("epoch {epoch}: rounds can be settled until {until}: close it later");
        return Err(CommandError::Usage(what));
    }
    let own = rounds_of(&rounds, *epoch, &tenant);
    let Some(mut close) = own.close() else {
        let what = format!("no round of tenant {tenant} in epoch {epoch} in these files");
        return Err(CommandError::Data(what));
    };
    let unsettled = own.without_settlement();
    match output {
        SinkCloseOutput::Unsettled => {
            for place in unsettled {
                out.write_all(&place.to_json().to_bytes())?;
                writeln!(out)?;
            }
            return Ok(CommandOutcome::Well);
        }
        SinkCloseOutput::Record(proofs) if listed.suite == Suite::Vrf => {
            let proofs = proofs.as_deref();
            close.seed_proofs = seed_proofs(proofs, &unsettled, &close, listed)?;
        }
        SinkCloseOutput::Record(None) => {}
        SinkCloseOutput::Record(Some(_)) => {
            let what = format!("epoch {epoch}: only the vrf suite has proofs of seeds");
            return Err(CommandError::Usage(what));
        }
    }
    let record = RecordEnvelope::unsigned(RecordKind::EpochClose, &close.to_json());
    writeln!(out, "{}", record.to_line())?;
    Ok(CommandOutcome::Well)
}

/// Reads the proofs of the seeds of all `unsettled` rounds, and verifies each.
fn seed_proofs(
    path: Option<&Path>,
    unsettled: &[SeedPlace],
    close: &EpochClose,
    listed: &Epoch,
) -> Result<Vec<SeedProof>, CommandError> {
    let Some(path) = path else {
        if unsettled.is_empty() {
            return Ok(Vec::new());
        }
        let what = "rounds have a lock of the wagers and no settlement: list them with --unsettled, \
                    prove their seeds with `paigow-keys prove-seeds`, and give the file with \
                    --seed-proofs";
        return Err(CommandError::Usage(format!("{} {what}", unsettled.len())));
    };
    let bad = |what: String| CommandError::Data(format!("{}: {what}", path.display()));
    let text = read_text(path)?;
    let proofs = text.lines().map(|line| SeedProof::parse(line.as_bytes()));
    let proofs = proofs.collect::<Result<Vec<_>, _>>().map_err(|error| bad(error.to_string()))?;
    let places = proofs.iter().map(|one| (&one.table, one.round_no));
    if !places.eq(unsettled.iter().map(|one| (&one.table, one.round_no))) {
        let what = "not the proofs of exactly the rounds that --unsettled lists, in its order";
        return Err(bad(what.to_owned()));
    }
    let (Some(key), Some(salt)) = (listed.vrf_key, listed.salt) else {
        return Err(CommandError::Data(format!("epoch {}: it has no salt", listed.epoch)));
    };
    for one in &proofs {
        let place = Coordinates {
            epoch: close.epoch,
            tenant: close.tenant.clone(),
            table: one.table.clone(),
            round_no: one.round_no,
        };
        if place.proven_server_seed(&key, &salt, &one.proof).is_none() {
            let what = "the proof does not verify under the key of the epoch";
            return Err(bad(format!("round {} of table {}: {what}", one.round_no, one.table)));
        }
    }
    Ok(proofs)
}

/// The request of `paigow-lab sink proof`.
#[derive(Clone, Debug)]
pub struct SinkProof {
    /// The file with the epoch close.
    pub close: PathBuf,
    /// The table; [`None`]: all tables.
    pub table: Option<String>,
    /// The numbers of rounds; empty: all rounds.
    pub rounds: Vec<u64>,
    /// Files of the evidence, and folders with files.
    pub paths: Vec<PathBuf>,
}

/// Writes inclusion proofs, one a line.
///
/// # Errors
///
/// If the file does not hold one epoch close, the evidence does not make its tree, there is no
/// round as requested, a file cannot be read, or output fails.
pub fn proof(request: &SinkProof, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let SinkProof { close: file, table, rounds: numbers, paths } = request;
    let text = read_file(file)?;
    let bad = |what: &dyn Display| CommandError::Data(format!("{}: {what}", file.display()));
    let records = transcript::parse(&text).map_err(|error| bad(&error.error))?;
    let [record] = &records[..] else { return Err(bad(&"not one epoch close")) };
    let json = record.json().map_err(PayloadError::from);
    let close = json.and_then(EpochClose::parse).map_err(|error| bad(&error))?;
    let Evidence { rounds, .. } = Evidence::read(paths)?;
    let own = rounds_of(&rounds, close.epoch, &close.tenant);
    if own.root() != Some(close.root) {
        let what = "the rounds in the evidence do not make the tree of this close";
        return Err(bad(&what));
    }
    let proofs = own.proofs(|at, number| {
        table.as_ref().is_none_or(|table| at.as_str() == table)
            && (numbers.is_empty() || numbers.contains(&number))
    });
    if proofs.is_empty() {
        return Err(bad(&"no such round in this close"));
    }
    for proof in &proofs {
        out.write_all(&proof.to_json().to_bytes())?;
        writeln!(out)?;
    }
    Ok(CommandOutcome::Well)
}

/// Collects the rounds of a tenant in an epoch.
fn rounds_of(
    rounds: &BTreeMap<Hash, EvidenceRound>,
    epoch: u32,
    tenant: &Identifier,
) -> EpochRounds {
    let mut own = EpochRounds::new(epoch, tenant.clone());
    for round in rounds.values() {
        let Some(place) = &round.place else { continue };
        if place.epoch == epoch && place.tenant == *tenant {
            let records = round.records.iter();
            records.for_each(|record| own.add(&place.table, place.round_no, *record));
        }
    }
    own
}

/// The evidence of rounds.
struct Evidence {
    newest: Option<Manifest>,
    rounds: BTreeMap<Hash, EvidenceRound>,
}

impl Evidence {
    fn read(paths: &[PathBuf]) -> Result<Self, CommandError> {
        let mut newest: Option<Manifest> = None;
        let mut rounds: BTreeMap<Hash, EvidenceRound> = BTreeMap::new();
        each_file(paths, &mut |event| {
            let SinkFileEvent::Line { bytes, whole: true } = event else { return };
            // The verification finds damage.
            let Ok(line) = EvidenceLine::parse(bytes) else { return };
            match line.body {
                LineBody::Manifest(found) => {
                    let read =
                        found.iter().filter_map(|one| Manifest::parse(one.json().ok()?).ok());
                    newest = newest.take().into_iter().chain(read).max_by_key(|one| one.seq);
                }
                LineBody::Record(entry) => {
                    let round = rounds.entry(entry.round_id).or_default();
                    entry.records.iter().for_each(|record| round.add(record));
                    round.named.extend(entry.kept);
                }
                LineBody::Start(_) | LineBody::Event(_) | LineBody::Stop => {}
            }
        })?;
        // Without its ticket a round may be of any epoch, and a record that is missing is no leaf.
        let incomplete = rounds.iter().find(|(_, round)| !round.is_complete());
        if let Some((round_id, _)) = incomplete {
            return Err(CommandError::Data(format!(
                "round {round_id}: a record of it is in no line of these files: give the evidence of all \
                 replicas"
            )));
        }
        Ok(Self { newest, rounds })
    }
}

/// The records of a round in the evidence.
#[derive(Default)]
struct EvidenceRound {
    /// Where the round stands, once a ticket of it was met.
    place: Option<Coordinates>,
    records: Vec<LeafRecord>,
    seen: BTreeSet<Hash>,
    /// The records that lines name as those of an earlier line.
    named: BTreeSet<Hash>,
}

impl EvidenceRound {
    /// Whether its ticket was met, and every record that a line names.
    fn is_complete(&self) -> bool {
        self.place.is_some() && self.named.is_subset(&self.seen)
    }

    fn add(&mut self, record: &RecordEnvelope) {
        if record.kind() == RecordKind::Ticket && self.place.is_none() {
            let ticket = record.json().ok().and_then(|json| Ticket::parse(json).ok());
            self.place = ticket.map(|ticket| ticket.coordinates);
        }
        self.seen.insert(record.hash());
        let record = LeafRecord::of(record);
        self.records.extend(record.filter(|record| !self.records.contains(record)));
    }
}
