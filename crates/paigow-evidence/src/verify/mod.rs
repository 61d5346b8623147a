//! Verification of the sink, line by line over the files of many replicas.
//!
//! The module is pure: files are read by [`super::files`]. Each boot's lines have to be numbered
//! without gaps and chained. Each boot has to name the last line of the boot before. Over all boots
//! a round has at most one record of each class, except for rounds that were opened again.

mod boot;
mod place;
mod report;
mod rounds;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::boot::BootChain;
use self::rounds::{EvidenceRounds, Rounds};
use super::files::MAX_LINE;
use super::line::{ChainHead, EvidenceLine, LineBody};
use super::names::parse_name;
use paigow_fairness::encoding::Hash;

pub use place::LinePlace;
pub use report::{
    BootEnding, BootReport, EvidenceFault, EvidenceFaultKind, EvidenceReport, EvidenceVerdict,
    ToldLoss,
};
pub use rounds::{Fork, MissingRecord, OpenTicket, RecordClass, Reopening, Sighting};

/// Takes the lines of a sink and finds their faults.
///
/// The files of one boot must come in their order, which [`super::files::list`] returns. Memory
/// grows by less than 800 bytes for each round, by more for a round that was opened again, and by 8
/// bytes for each line.
#[derive(Debug, Default)]
pub struct EvidenceVerifier {
    known: BTreeMap<String, Vec<ChainHead>>,
    file: FileProgress,
    /// The files without a line, and the boots in their names.
    empty: Vec<Arc<str>>,
    emptied: BTreeSet<String>,
    boots: BTreeMap<String, BootChain>,
    rounds: Rounds,
    lines: u64,
    records: u64,
    faults: Vec<EvidenceFault>,
}

/// The file that is read now.
#[derive(Debug)]
struct FileProgress {
    path: Arc<str>,
    /// The boot in its name, if it has such a name.
    named: Option<String>,
    /// The boot of the last line, or else the one in its name.
    boot: Option<String>,
    line: u64,
}

impl Default for FileProgress {
    fn default() -> Self {
        Self { path: Arc::from(""), named: None, boot: None, line: 0 }
    }
}

impl EvidenceVerifier {
    /// Makes a verifier that knows heads of earlier reports. Each must be among the lines of its
    /// boot, or just before them.
    #[must_use]
    pub fn new(known: &[ChainHead]) -> Self {
        let mut by_boot: BTreeMap<String, Vec<ChainHead>> = BTreeMap::new();
        for head in known {
            by_boot.entry(head.boot.clone()).or_default().push(head.clone());
        }
        Self { known: by_boot, ..Self::default() }
    }

    /// Begins a file. Faults name it by `path`.
    pub fn begin_file(&mut self, path: &str) {
        self.end_file();
        let name = path.rsplit('/').next().unwrap_or(path);
        let named = parse_name(name).map(|(boot, _)| boot.to_owned());
        self.file = FileProgress { path: Arc::from(path), boot: named.clone(), named, line: 0 };
    }

    /// Notes the previous file, if it had no line.
    fn end_file(&mut self) {
        let FileProgress { path, named, line, .. } = std::mem::take(&mut self.file);
        // Without a path no file has begun.
        if line == 0 && !path.is_empty() {
            self.empty.push(path);
            self.emptied.extend(named);
        }
    }

    /// Takes the next line of the file, without the line end. `whole` is whether it had one.
    pub fn line(&mut self, bytes: &[u8], whole: bool) {
        self.file.line += 1;
        let place = LinePlace { file: Arc::clone(&self.file.path), line: self.file.line };
        if !whole && bytes.len() <= MAX_LINE && self.file.boot.is_some() {
            self.chain_of_file().torn(place);
            return;
        }
        let parsed = if whole {
            EvidenceLine::parse(bytes).map_err(|error| error.to_string())
        } else {
            Err("without an end".to_owned())
        };
        let elsewhere =
            |line: &EvidenceLine| self.file.named.as_ref().is_some_and(|b| *b != line.boot);
        let line = match parsed {
            Ok(line) if elsewhere(&line) => Err("it names another boot than its file".to_owned()),
            parsed => parsed,
        };
        match line {
            Ok(line) => self.take(&line, Hash::of(bytes), &place),
            Err(why) => self.unreadable(place, &why),
        }
    }

    /// Returns what was found.
    #[must_use]
    pub fn finish(mut self) -> EvidenceReport {
        self.end_file();
        let mut boots = Vec::new();
        let mut losses = Vec::new();
        for (boot, chain) in &mut self.boots {
            boots.push(chain.finish(boot, &mut self.faults));
            losses.extend(chain.take_losses());
        }
        // The boot was killed before the first line of the file, or its lines are gone.
        let only_empty = self.emptied.iter().filter(|boot| !self.boots.contains_key(*boot));
        boots.extend(only_empty.map(|boot| BootReport::without_a_line(boot)));
        boots.sort_by(|one, other| one.boot.cmp(&other.boot));
        let mut absent = boot::hold_against_before(&self.boots, &mut self.faults);
        for heads in self.known.values() {
            absent.extend(heads.iter().filter(|h| !self.boots.contains_key(&h.boot)).cloned());
        }
        absent.sort();
        absent.dedup();
        let EvidenceRounds { rounds, forks, reopenings, open_tickets, missing_records } =
            self.rounds.finish();
        EvidenceReport {
            lines: self.lines,
            records: self.records,
            rounds,
            boots,
            faults: self.faults,
            losses,
            forks,
            reopenings,
            open_tickets,
            missing_records,
            absent,
            empty: self.empty,
        }
    }

    fn take(&mut self, line: &EvidenceLine, hash: Hash, place: &LinePlace) {
        self.lines += 1;
        let boot = &line.boot;
        let known = self.known.get(boot);
        let chain = self.boots.entry(boot.clone()).or_insert_with(|| BootChain::new(boot, known));
        chain.take(line, hash, place, &mut self.faults);
        if let LineBody::Record(entry) = &line.body {
            self.records += entry.records.len() as u64;
            let name = chain.name();
            let sighting = |hash| {
                let (boot, place) = (Arc::clone(name), place.clone());
                Sighting { hash, boot, seq: line.seq, place }
            };
            for record in &entry.records {
                if let Err(what) = self.rounds.take(record, &entry.round_id, line.time, sighting) {
                    let (kind, seq, what) =
                        (EvidenceFaultKind::Record, Some(line.seq), what.to_owned());
                    let (boot, place) = (Some(boot.clone()), Some(place.clone()));
                    self.faults.push(EvidenceFault { kind, place, boot, seq, what });
                }
            }
            for kept in &entry.kept {
                self.rounds.name(entry.round_id, sighting(*kept), line.time);
            }
        }
        if self.file.boot.as_ref() != Some(boot) {
            self.file.boot = Some(boot.clone());
        }
    }

    fn unreadable(&mut self, place: LinePlace, why: &str) {
        let boot = self.file.boot.clone();
        let seq = boot.is_some().then(|| self.chain_of_file().spoil());
        let what = format!("this is not a line of a sink: {why}");
        let kind = EvidenceFaultKind::Unreadable;
        self.faults.push(EvidenceFault { kind, place: Some(place), boot, seq, what });
    }

    /// Returns the chain that the file belongs to, as far as is known.
    fn chain_of_file(&mut self) -> &mut BootChain {
        let boot = self.file.boot.clone().unwrap_or_default();
        let known = self.known.get(&boot);
        self.boots.entry(boot.clone()).or_insert_with(|| BootChain::new(&boot, known))
    }
}
