//! Follows the evidence of replicas: reads every line once, while boots write.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use paigow_evidence::files::{self, MAX_LINE};
use paigow_evidence::{EvidenceLine, LineBody};
use paigow_fairness::record::RecordEnvelope;
use serde::{Deserialize, Serialize};

use crate::LogError;

/// The place up to which the lines of a boot were read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BootPlace {
    /// The number of the file.
    file: u32,
    /// The bytes of it that were read: whole lines.
    offset: u64,
}

/// Reads the new lines, and passes the records of each to `take`, which can end the reading after
/// any line. A line that cannot be read becomes a finding, and is skipped.
///
/// The last line of a file may be in the making. It waits until it has an end, or the boot has
/// begun another file.
///
/// # Errors
///
/// If a folder or a file in it cannot be read.
pub(crate) fn follow(
    folders: &[PathBuf],
    places: &mut BTreeMap<String, BootPlace>,
    findings: &mut Vec<String>,
    take: &mut dyn FnMut(Vec<RecordEnvelope>) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, LogError> {
    let cannot = |path: &Path, error: &io::Error| {
        LogError::Unavailable(format!("{}: {error}", path.display()))
    };
    let mut boots: BTreeMap<String, BTreeMap<u32, PathBuf>> = BTreeMap::new();
    for folder in folders {
        let listed = files::list(std::slice::from_ref(folder));
        for path in listed.map_err(|error| cannot(folder, &error))? {
            let name = path.file_name().and_then(|name| name.to_str());
            if let Some((boot, number)) = name.and_then(files::place) {
                boots.entry(boot).or_default().entry(number).or_insert(path);
            }
        }
    }
    for (boot, files) in boots {
        let start = BootPlace { file: 1, offset: 0 };
        let mut place = places.get(&boot).copied().unwrap_or(start);
        let last = files.last_key_value().map_or(0, |(number, _)| *number);
        for (&number, path) in files.range(place.file..) {
            if number > place.file {
                if !files.contains_key(&place.file) || number - place.file > 1 {
                    let BootPlace { file, offset } = place;
                    findings.push(format!(
                        "boot {boot}: lines between byte {offset} of file {file} and file {number} \
                         are gone: they were not read"
                    ));
                }
                place = BootPlace { file: number, offset: 0 };
            }
            let is_over = number < last;
            let taken = read_file(path, &mut place, is_over, findings, take)
                .map_err(|error| cannot(path, &error))?;
            places.insert(boot.clone(), place);
            if taken.is_break() {
                return Ok(taken);
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Reads the lines of a file from a place on.
fn read_file(
    path: &Path,
    place: &mut BootPlace,
    is_over: bool,
    findings: &mut Vec<String>,
    take: &mut dyn FnMut(Vec<RecordEnvelope>) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut finding =
        |at: u64, what: &str| findings.push(format!("{}: byte {at}: {what}", path.display()));
    if length < place.offset {
        finding(length, "the file ends before what was read of it");
        return Ok(ControlFlow::Continue(()));
    }
    file.seek(SeekFrom::Start(place.offset))?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
        let at = place.offset;
        let Some(line) = bytes.strip_suffix(b"\n") else {
            if read > MAX_LINE {
                finding(at, "not a line of evidence: it is too long");
            } else if read > 0 && is_over {
                finding(at, "a line without an end");
            } else {
                return Ok(ControlFlow::Continue(()));
            }
            place.offset += read as u64;
            continue;
        };
        place.offset += read as u64;
        let records = match EvidenceLine::parse(line) {
            Ok(EvidenceLine { body: LineBody::Record(entry), .. }) => entry.records,
            Ok(EvidenceLine { body: LineBody::Manifest(records), .. }) => records,
            Ok(EvidenceLine {
                body: LineBody::Start(_) | LineBody::Event(_) | LineBody::Stop,
                ..
            }) => Vec::new(),
            Err(error) => {
                finding(at, &format!("not a line of evidence: {error}"));
                Vec::new()
            }
        };
        let taken = take(records);
        if taken.is_break() {
            return Ok(taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use paigow_evidence::{Event, RecordEntry, Significant};
    use paigow_fairness::encoding::Hash;
    use paigow_fairness::json::Json;
    use paigow_fairness::record::RecordKind;

    use super::*;

    const BOOT: &str = "1800000000-0123456789abcdef";

    fn record(number: u64) -> RecordEnvelope {
        RecordEnvelope::unsigned(RecordKind::Ticket, &Json::obj([("n", Json::Int(number))]))
    }

    fn line(body: LineBody) -> String {
        let (boot, prev) = (BOOT.to_owned(), Hash::ZERO);
        let line = EvidenceLine { boot, seq: 0, prev, time: 1_800_000_000_000, body };
        String::from_utf8(line.to_bytes()).unwrap() + "\n"
    }

    fn records(numbers: &[u64]) -> String {
        line(LineBody::Record(RecordEntry {
            rpc: "Deal".into(),
            tenant: "acme".parse().unwrap(),
            round_id: Hash::ZERO,
            trace_id: None,
            records: numbers.iter().map(|number| record(*number)).collect(),
            kept: Vec::new(),
        }))
    }

    struct Reading {
        folder: tempfile::TempDir,
        places: BTreeMap<String, BootPlace>,
        findings: Vec<String>,
    }

    impl Reading {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            Self { folder, places: BTreeMap::new(), findings: Vec::new() }
        }

        fn path(&self, number: u32) -> PathBuf {
            self.folder.path().join(format!("{BOOT}-{number:06}.jsonl"))
        }

        fn append(&self, number: u32, text: &str) {
            let file = fs::OpenOptions::new().create(true).append(true).open(self.path(number));
            file.unwrap().write_all(text.as_bytes()).unwrap();
        }

        /// Reads at most so many lines, and returns the records.
        fn read(&mut self, most: usize) -> Vec<RecordEnvelope> {
            let (mut found, mut lines) = (Vec::new(), 0);
            let folders = [self.folder.path().to_owned()];
            let followed = follow(&folders, &mut self.places, &mut self.findings, &mut |records| {
                found.extend(records);
                lines += 1;
                if lines == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(followed.unwrap().is_break(), lines == most);
            found
        }
    }

    #[test]
    fn every_line_is_read_once_while_files_grow() {
        let mut reading = Reading::new();
        let event = line(LineBody::Event(Event::new(Significant::Started)));
        reading.append(1, &(records(&[1, 2]) + &event + &records(&[3])));
        assert_eq!(reading.read(1), [record(1), record(2)]);
        assert_eq!(reading.read(9), [record(3)]);
        assert!(reading.read(9).is_empty());
        // A line in the making is not read, nor forgotten.
        let four = records(&[4]);
        let (head, tail) = four.split_at(40);
        reading.append(1, head);
        assert!(reading.read(9).is_empty());
        reading.append(1, tail);
        reading.append(2, &records(&[5]));
        fs::write(reading.folder.path().join("manifests.jsonl"), "not evidence\n").unwrap();
        assert_eq!(reading.read(9), [record(4), record(5)]);
        // Shipped and pruned.
        fs::remove_file(reading.path(1)).unwrap();
        reading.append(2, &records(&[6]));
        assert_eq!(reading.read(9), [record(6)]);
        assert_eq!(reading.findings, Vec::<String>::new());
    }

    #[test]
    fn what_cannot_be_read_is_named_and_passed_over() {
        let mut reading = Reading::new();
        let good = records(&[1]);
        reading.append(1, &(good.clone() + "{\"boot\":1}\n" + &records(&[2]) + "torn"));
        reading.append(2, &records(&[3]));
        assert_eq!(reading.read(9), [record(1), record(2), record(3)]);
        let path = reading.path(1).display().to_string();
        let [unreadable, torn] = &reading.findings[..] else { panic!("{:?}", reading.findings) };
        let at = good.len();
        assert!(unreadable.starts_with(&format!("{path}: byte {at}: not a line of evidence: ")));
        assert!(torn.ends_with(": a line without an end"), "{torn}");
        reading.findings.clear();
        assert!(reading.read(9).is_empty() && reading.findings.is_empty());

        fs::write(reading.path(2), "").unwrap();
        reading.append(3, &records(&[4]));
        assert_eq!(reading.read(9), [record(4)]);
        let [shorter] = &reading.findings[..] else { panic!("{:?}", reading.findings) };
        assert!(shorter.ends_with("byte 0: the file ends before what was read of it"), "{shorter}");
    }

    #[test]
    fn a_file_that_went_unread_is_named() {
        let mut reading = Reading::new();
        reading.append(1, &records(&[1]));
        assert_eq!(reading.read(9), [record(1)]);
        fs::remove_file(reading.path(1)).unwrap();
        reading.append(2, &records(&[2]));
        reading.append(4, &records(&[4]));
        assert_eq!(reading.read(9), [record(2), record(4)]);
        let bytes = records(&[1]).len();
        assert_eq!(
            reading.findings,
            [(bytes, 1, 2), (bytes, 2, 4)].map(|(offset, file, next)| format!(
                "boot {BOOT}: lines between byte {offset} of file {file} and file {next} are gone: \
                 they were not read"
            ))
        );
    }
}
