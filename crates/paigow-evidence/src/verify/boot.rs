//! The lines of one boot: numbered without gaps, each chained to the one before.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use super::place::LinePlace;
use super::report::{BootEnding, BootReport, EvidenceFault, EvidenceFaultKind, ToldLoss};
use crate::entry::{Event, Significant};
use crate::line::{ChainHead, EvidenceLine, LineBody};
use paigow_fairness::encoding::Hash;

/// A line as its neighbours know it.
#[derive(Clone, Debug)]
struct LineLink {
    seq: u64,
    hash: Hash,
    place: LinePlace,
    /// Whether a fault of this line was reported: a broken link is reported once.
    blamed: bool,
}

/// Missing lines, with the hashes that their neighbours state.
#[derive(Clone, Debug)]
struct MissingLines {
    first: u64,
    last: u64,
    /// The hash of the line before the first.
    before: Option<Hash>,
    /// The `prev` of the line after the last.
    after: Option<Hash>,
    /// The line after the last.
    place: LinePlace,
}

/// The most lines of a run, so that a growing list reserves little memory in vain.
const RUN: usize = 4096;

/// Consecutive lines, each by 8 bytes of its hash. A key that is drawn for this verification makes
/// them, so that nobody can aim at them.
#[derive(Debug)]
struct LineRun {
    first: u64,
    marks: Vec<u64>,
}

impl LineRun {
    /// Returns the number of the line after the last.
    const fn next(&self) -> u64 {
        self.first.saturating_add(self.marks.len() as u64)
    }

    /// Returns the mark of a line by its number.
    fn mark(&self, seq: u64) -> Option<u64> {
        self.marks.get(usize::try_from(seq.checked_sub(self.first)?).ok()?).copied()
    }
}

/// The facts known of a boot so far.
#[derive(Debug)]
pub(super) struct BootChain {
    name: Arc<str>,
    known: Vec<ChainHead>,
    instance: Option<String>,
    version: Option<String>,
    /// The line that the first line names as the line before, and its place.
    before: Option<(ChainHead, LinePlace)>,
    /// The folder of the first line.
    folder: Option<String>,
    /// The line with the highest number.
    top: Option<LineLink>,
    /// All lines, since it is not known in advance which of them a later boot names.
    runs: Vec<LineRun>,
    key: RandomState,
    /// A line that the next one is not chained to. Either this line or the next was altered.
    suspect: Option<LineLink>,
    missing: Vec<MissingLines>,
    /// The files that the boot reports as lost.
    losses: Vec<ToldLoss>,
    /// How many lines since the top could not be read.
    spoilt: u64,
    torn: Option<LinePlace>,
    stopped: bool,
    lines: u64,
}

impl BootChain {
    pub(super) fn new(boot: &str, known: Option<&Vec<ChainHead>>) -> Self {
        Self {
            name: Arc::from(boot),
            known: known.cloned().unwrap_or_default(),
            instance: None,
            version: None,
            before: None,
            folder: None,
            top: None,
            runs: Vec::new(),
            key: RandomState::new(),
            suspect: None,
            missing: Vec::new(),
            losses: Vec::new(),
            spoilt: 0,
            torn: None,
            stopped: false,
            lines: 0,
        }
    }

    /// Returns the id of the boot.
    pub(super) const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Notes a line that could not be read. Returns the number that it must have had.
    pub(super) fn spoil(&mut self) -> u64 {
        self.spoilt += 1;
        self.top.as_ref().map_or(0, |top| top.seq + 1) + self.spoilt - 1
    }

    /// Notes a partial line at the end of a file.
    pub(super) fn torn(&mut self, place: LinePlace) {
        self.torn = Some(place);
    }

    pub(super) fn take(
        &mut self,
        line: &EvidenceLine,
        hash: Hash,
        place: &LinePlace,
        faults: &mut Vec<EvidenceFault>,
    ) {
        self.lines += 1;
        let mut fault = |kind, place: &LinePlace, seq, what: String| {
            let (place, boot) = (Some(place.clone()), Some(line.boot.clone()));
            faults.push(EvidenceFault { kind, place, boot, seq: Some(seq), what });
        };
        let loss = told_loss(line, place);
        // The rest of a line before a loss is part of that loss.
        if let Some(torn) = self.torn.take().filter(|_| loss.is_none()) {
            let what = "a part of a line, and the boot goes on behind it".to_owned();
            fault(EvidenceFaultKind::Unreadable, &torn, line.seq, what);
        }
        self.losses.extend(loss);
        let next = self.top.as_ref().map_or(0, |top| top.seq + 1);
        let mut seq = line.seq;
        let mut blamed = false;
        let chained = self.top.as_ref().is_some_and(|top| top.hash == line.prev);
        if chained && seq != next {
            // Its link fits its place, so only the number was changed.
            let what = format!("its number is {seq} where {next} follows");
            fault(EvidenceFaultKind::Altered, place, next, what);
            (seq, blamed) = (next, true);
        }
        self.note(seq, hash);
        if seq < next {
            self.take_late(line, hash, place, &mut fault);
            return;
        }
        if seq > next {
            self.skip(next, line, place);
        } else if self.top.is_none() && line.prev != Hash::ZERO {
            let what = "the first line of a boot is chained to nothing".to_owned();
            fault(EvidenceFaultKind::Altered, place, seq, what);
            blamed = true;
        }
        if seq == next && !chained && self.top.is_some() {
            self.not_chained(&mut fault);
        } else {
            self.settle_suspect(&mut fault);
        }
        if let Some(head) = self.known.iter().find(|head| head.seq == seq)
            && head.hash != hash
        {
            let what = format!("an earlier verification read {}", head.hash);
            fault(EvidenceFaultKind::Altered, place, seq, what);
            blamed = true;
        }
        self.look_into(line, place, &mut fault);
        self.spoilt = 0;
        self.top = Some(LineLink { seq, hash, place: place.clone(), blamed });
    }

    fn note(&mut self, seq: u64, hash: Hash) {
        let mark = self.key.hash_one(hash);
        match self.runs.last_mut() {
            Some(run) if run.next() == seq && run.marks.len() < RUN => run.marks.push(mark),
            Some(_) | None => self.runs.push(LineRun { first: seq, marks: vec![mark] }),
        }
    }

    /// Whether there are lines of this number and none has this hash.
    fn differs_from(&self, head: &ChainHead) -> bool {
        let named = self.key.hash_one(head.hash);
        let mut marks = self.runs.iter().filter_map(|run| run.mark(head.seq)).peekable();
        marks.peek().is_some() && marks.all(|mark| mark != named)
    }

    /// Notes that lines are missing before `line`, unless they were reported as unreadable or were
    /// verified before.
    fn skip(&mut self, next: u64, line: &EvidenceLine, place: &LinePlace) {
        let unreadable = self.spoilt >= line.seq - next;
        let before = line.seq - 1;
        let looked_at = self.top.is_none()
            && self
                .known
                .iter()
                .any(|head| head.seq > before || (head.seq == before && head.hash == line.prev));
        if !unreadable && !looked_at {
            self.missing.push(MissingLines {
                first: next,
                last: before,
                before: self.top.as_ref().map(|top| top.hash),
                after: Some(line.prev),
                place: place.clone(),
            });
        }
    }

    /// Finds which of two lines was altered, the top or the one that should be chained to
    /// it.
    ///
    /// If the line after them is chained to the second, the first was altered. If it is not
    /// chained to it either, it was the second.
    fn not_chained(&mut self, fault: &mut impl FnMut(EvidenceFaultKind, &LinePlace, u64, String)) {
        let Some(top) = self.top.clone().filter(|top| !top.blamed) else { return };
        if self.suspect.take().is_some() {
            let what = "neither the line before nor the one after it fits to it".to_owned();
            fault(EvidenceFaultKind::Altered, &top.place, top.seq, what);
        } else {
            self.suspect = Some(top);
        }
    }

    fn settle_suspect(
        &mut self,
        fault: &mut impl FnMut(EvidenceFaultKind, &LinePlace, u64, String),
    ) {
        if let Some(suspect) = self.suspect.take() {
            let what = "the next line was chained to another".to_owned();
            fault(EvidenceFaultKind::Altered, &suspect.place, suspect.seq, what);
        }
    }

    /// Takes a line whose number is not above the highest: a line that was missing, or one too
    /// many.
    fn take_late(
        &mut self,
        line: &EvidenceLine,
        hash: Hash,
        place: &LinePlace,
        fault: &mut impl FnMut(EvidenceFaultKind, &LinePlace, u64, String),
    ) {
        let seq = line.seq;
        let within = |missing: &MissingLines| (missing.first..=missing.last).contains(&seq);
        let Some(at) = self.missing.iter().position(within) else {
            let same = self.top.as_ref().is_some_and(|top| top.hash == hash);
            let what = if same { "the line before, again" } else { "a line of this number again" };
            fault(EvidenceFaultKind::Duplicate, place, seq, what.to_owned());
            return;
        };
        let gap = self.missing.swap_remove(at);
        fault(EvidenceFaultKind::Reordered, place, seq, format!("it belongs before {}", gap.place));
        let fits = (seq != gap.first || gap.before.is_none_or(|before| before == line.prev))
            && (seq != gap.last || gap.after.is_none_or(|after| after == hash));
        if !fits {
            let what = "its neighbours were chained to another".to_owned();
            fault(EvidenceFaultKind::Altered, place, seq, what);
        }
        if gap.first < seq {
            let (last, after) = (seq - 1, Some(line.prev));
            let place = place.clone();
            self.missing.push(MissingLines { last, after, place, ..gap.clone() });
        }
        if seq < gap.last {
            self.missing.push(MissingLines { first: seq + 1, before: Some(hash), ..gap });
        }
    }

    /// Checks the lines that begin and end a boot.
    fn look_into(
        &mut self,
        line: &EvidenceLine,
        place: &LinePlace,
        fault: &mut impl FnMut(EvidenceFaultKind, &LinePlace, u64, String),
    ) {
        let mut misplaced =
            |what: &str| fault(EvidenceFaultKind::Misplaced, place, line.seq, what.to_owned());
        if std::mem::replace(&mut self.stopped, matches!(line.body, LineBody::Stop)) {
            misplaced("the boot was over");
        }
        match (&line.body, line.seq) {
            (LineBody::Start(start), 0) => {
                self.instance = Some(start.boot.instance.clone());
                self.version = Some(start.boot.version.to_string());
                self.before = start.before.clone().map(|head| (head, place.clone()));
                self.folder = Some(folder(place).to_owned());
            }
            (LineBody::Start(_), _) => misplaced("the boot has begun before"),
            (_, 0) => misplaced("a boot begins with another line"),
            (
                LineBody::Record(_) | LineBody::Event(_) | LineBody::Manifest(_) | LineBody::Stop,
                _,
            ) => {}
        }
    }

    /// Returns the files that the boot reports as lost.
    pub(super) fn take_losses(&mut self) -> Vec<ToldLoss> {
        std::mem::take(&mut self.losses)
    }

    /// Reports the lines that are still missing, and sums up.
    pub(super) fn finish(&mut self, boot: &str, faults: &mut Vec<EvidenceFault>) -> BootReport {
        let mut fault = |kind, place: &LinePlace, seq, what: String| {
            let (place, boot) = (Some(place.clone()), Some(boot.to_owned()));
            faults.push(EvidenceFault { kind, place, boot, seq: Some(seq), what });
        };
        self.settle_suspect(&mut fault);
        self.missing.sort_by_key(|missing| missing.first);
        for missing in &self.missing {
            let MissingLines { first, last, place, .. } = missing;
            let told = self.losses.iter().find(|loss| loss.first <= *last && *first <= loss.last);
            // An earlier loss was reported in the file that is lost now.
            let lost = told.map_or(*last + 1, |loss| loss.first.max(*first));
            if *first < lost {
                fault(EvidenceFaultKind::Gap, place, *first, missing_words(*first, lost - 1));
            }
            if let Some(ToldLoss { file, found, first, last: to, .. }) = told {
                let what = missing_words(lost, *last)
                    + &format!(
                        ": the boot found {file} {found}, which had its lines {first} to {to}"
                    );
                fault(EvidenceFaultKind::Lost, place, lost, what);
            }
        }
        if let Some(top) = &self.top
            && let Some(head) = self.known.iter().filter(|head| head.seq > top.seq).max()
        {
            let what = format!("an earlier verification read this boot to line {}", head.seq);
            fault(EvidenceFaultKind::TailDropped, &top.place, top.seq + 1, what);
        }
        let head =
            |top: &LineLink| ChainHead { boot: boot.to_owned(), seq: top.seq, hash: top.hash };
        BootReport {
            head: self.top.as_ref().map(head),
            boot: boot.to_owned(),
            instance: self.instance.clone(),
            version: self.version.clone(),
            lines: self.lines,
            ending: match (&self.torn, self.stopped) {
                (Some(_), _) => BootEnding::Torn,
                (None, true) => BootEnding::Stopped,
                (None, false) => BootEnding::Open,
            },
        }
    }
}

fn missing_words(first: u64, last: u64) -> String {
    match first == last {
        true => format!("line {first} of the boot is missing before this one"),
        false => format!("lines {first} to {last} of the boot are missing before this one"),
    }
}

/// Returns the loss that a line reports, if it reports one.
fn told_loss(line: &EvidenceLine, place: &LinePlace) -> Option<ToldLoss> {
    let LineBody::Event(Event { event, facts }) = &line.body else { return None };
    if *event != Significant::EvidenceLost.name() {
        return None;
    }
    let seq = |fact| facts.get(fact)?.parse().ok();
    Some(ToldLoss {
        boot: line.boot.clone(),
        file: facts.get("file")?.clone(),
        found: facts.get("found")?.clone(),
        first: seq("first_seq")?,
        last: seq("last_seq")?,
        place: place.clone(),
    })
}

fn folder(place: &LinePlace) -> &str {
    place.file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Compares every boot with the line that a later boot names as the one before it. Returns the
/// named lines that cannot be checked, because no older file of the same replica or folder was
/// given.
pub(super) fn hold_against_before(
    boots: &BTreeMap<String, BootChain>,
    faults: &mut Vec<EvidenceFault>,
) -> Vec<ChainHead> {
    let mut absent = Vec::new();
    for (boot, chain) in boots {
        let Some((head, place)) = &chain.before else { continue };
        let mut fault = |kind, boot: &str, seq, what| {
            let (place, boot) = (Some(place.clone()), Some(boot.to_owned()));
            faults.push(EvidenceFault { kind, place, boot, seq: Some(seq), what });
        };
        let Some(earlier) = boots.get(&head.boot) else {
            let related = |other: &BootChain| {
                (other.folder.is_some() && other.folder == chain.folder)
                    || (other.instance.is_some() && other.instance == chain.instance)
            };
            let looked_at = chain.known.iter().any(|known| known == head);
            if boots.range(..head.boot.clone()).any(|(_, other)| related(other)) {
                let what = format!("boot {boot} found a boot before it that is not there");
                fault(EvidenceFaultKind::BootMissing, &head.boot, head.seq, what);
            } else if !looked_at {
                absent.push(head.clone());
            }
            continue;
        };
        match &earlier.top {
            // Also if the earlier boot has continued: an attacker that rewrites it can add lines.
            Some(_) if earlier.differs_from(head) => {
                let what = format!("boot {boot} found another line: {}", head.hash);
                fault(EvidenceFaultKind::Altered, &head.boot, head.seq, what);
            }
            Some(top) if top.seq >= head.seq => {}
            top => {
                let first = top.as_ref().map_or(0, |top| top.seq + 1);
                let what = format!("boot {boot} found the boot up to line {}", head.seq);
                fault(EvidenceFaultKind::TailDropped, &head.boot, first, what);
            }
        }
    }
    absent
}
