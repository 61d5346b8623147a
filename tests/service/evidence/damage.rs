//! Every kind of damage is found, and named with file, line, boot and number.

use std::fs;
use std::path::{Path, PathBuf};

use paigow_evidence::verify::{BootEnding, EvidenceFaultKind, EvidenceReport, EvidenceVerdict};
use paigow_evidence::{ChainHead, Event, EvidenceLine, LineBody, Significant};
use paigow_fairness::encoding::Hash;

use crate::evidence::casino::Casino;
use crate::evidence::replica::{
    Replica, boot_id, files_in, lines_of, settings, verified, verified_knowing,
};
use crate::evidence::two_boots::{At, Evidence, LAST};

/// The one fault of a report: its kind, file, line, boot, number.
fn the_fault(report: &EvidenceReport) -> (EvidenceFaultKind, PathBuf, u64, String, u64) {
    let [fault] = report.faults.as_slice() else { panic!("one fault: {:#?}", report.faults) };
    assert_eq!(report.verdict(), EvidenceVerdict::Broken);
    let place = fault.place.clone().unwrap();
    let boot = fault.boot.clone().unwrap();
    (fault.kind, PathBuf::from(&*place.file), place.line, boot, fault.seq.unwrap())
}

fn expected(
    kind: EvidenceFaultKind,
    at: &At,
    line: usize,
) -> (EvidenceFaultKind, PathBuf, u64, String, u64) {
    (kind, at.file.clone(), line as u64, boot_id(1), at.seq)
}

/// The number of a line that has others before and after it in its file.
const INNER: u64 = 4;

#[test]
fn what_nobody_has_touched_is_sound() {
    let evidence = Evidence::new();
    assert!(evidence.files_of(1).len() > 2, "lines go on from file to file");
    let report = evidence.report();
    assert_eq!((report.faults.clone(), report.verdict()), (vec![], EvidenceVerdict::Sound));
    assert_eq!(report.rounds, 12);
    // Start, event, two manifests, twelve answers, stop; twice.
    assert_eq!((report.lines, report.boots.len()), (34, 2));
    for (boot, number) in report.boots.iter().zip([1, 2]) {
        assert_eq!((&boot.boot, boot.lines), (&boot_id(number), 17));
        assert_eq!((boot.instance.as_deref(), boot.ending), (Some("replica"), BootEnding::Stopped));
    }
}

#[test]
fn a_dropped_line_is_a_gap() {
    let evidence = Evidence::new();
    let at = evidence.change(INNER, |lines, i| drop(lines.remove(i)));
    assert_eq!(the_fault(&evidence.report()), expected(EvidenceFaultKind::Gap, &at, at.line));
}

#[test]
fn a_dropped_file_is_a_gap() {
    let evidence = Evidence::new();
    let (gone, next) = (evidence.files_of(1)[1].clone(), evidence.files_of(1)[2].clone());
    let seq = lines_of(&evidence.files_of(1)[0]).len() as u64;
    fs::remove_file(gone).unwrap();
    let found = the_fault(&evidence.report());
    assert_eq!(found, (EvidenceFaultKind::Gap, next, 1, boot_id(1), seq));
}

#[test]
fn files_that_were_all_emptied_are_never_sound() {
    let evidence = Evidence::new();
    let files = files_in(evidence.path());
    for file in &files {
        fs::write(file, "").unwrap();
    }
    let report = evidence.report();
    assert_eq!((report.lines, report.verdict()), (0, EvidenceVerdict::Open));
    let boots: Vec<_> = report.boots.iter().map(|b| (b.boot.clone(), b.lines, b.ending)).collect();
    assert_eq!(boots, [1, 2].map(|number| (boot_id(number), 0, BootEnding::Open)));
    let paths: Vec<PathBuf> = report.empty.iter().map(|path| PathBuf::from(&**path)).collect();
    assert_eq!((paths, report.faults), (files, vec![]));
}

#[test]
fn a_boot_whose_files_were_emptied_is_open_though_no_other_names_it() {
    let evidence = Evidence::new();
    for file in evidence.files_of(2) {
        fs::write(file, "").unwrap();
    }
    let report = evidence.report();
    assert_eq!((report.faults.clone(), report.verdict()), (vec![], EvidenceVerdict::Open));
    let ended: Vec<_> = report.boots.iter().map(|b| (b.boot.clone(), b.lines, b.ending)).collect();
    assert_eq!(ended, [(boot_id(1), 17, BootEnding::Stopped), (boot_id(2), 0, BootEnding::Open)]);
}

#[test]
fn input_without_a_line_is_never_sound() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines.jsonl");
    fs::write(&file, "").unwrap();
    let report = verified(&[folder.path()]);
    assert_eq!((report.verdict(), report.boots.len()), (EvidenceVerdict::Open, 0));
    assert_eq!(report.empty, [file.to_str().unwrap().into()]);
}

#[test]
fn a_file_that_was_just_begun_is_told_and_is_no_fault() {
    let evidence = Evidence::new();
    // As a boot leaves it that is looked at between the file and its first line.
    let newest = evidence.files_of(2).pop().unwrap();
    let name = newest.to_str().unwrap().rsplit_once('-').unwrap().0;
    let begun = PathBuf::from(format!("{name}-000999.jsonl"));
    fs::write(&begun, "").unwrap();
    let report = evidence.report();
    assert_eq!((report.faults.clone(), report.verdict()), (vec![], EvidenceVerdict::Sound));
    assert_eq!(report.empty, [begun.to_str().unwrap().into()]);
    assert_eq!(report.boots.len(), 2);
}

#[test]
fn a_dropped_first_file_is_a_gap() {
    let evidence = Evidence::new();
    let (gone, next) = (evidence.files_of(1)[0].clone(), evidence.files_of(1)[1].clone());
    fs::remove_file(gone).unwrap();
    assert_eq!(the_fault(&evidence.report()), (EvidenceFaultKind::Gap, next, 1, boot_id(1), 0));
}

#[test]
fn a_duplicated_line_is_found_beside_the_first_and_far_from_it() {
    for distance in [1, 3] {
        let evidence = Evidence::new();
        let at = evidence.change(INNER, |lines, i| {
            lines.insert((i + distance).min(lines.len()), lines[i].clone());
        });
        let lines = lines_of(&at.file);
        let again = (at.line..lines.len()).find(|i| lines[*i] == lines[at.line - 1]).unwrap();
        let found = the_fault(&evidence.report());
        assert_eq!(found, expected(EvidenceFaultKind::Duplicate, &at, again + 1));
    }
}

#[test]
fn two_lines_in_the_wrong_order_are_found() {
    let evidence = Evidence::new();
    let at = evidence.change(INNER, |lines, i| lines.swap(i, i + 1));
    let found = the_fault(&evidence.report());
    assert_eq!(found, expected(EvidenceFaultKind::Reordered, &at, at.line + 1));
}

#[test]
fn an_altered_line_is_the_one_that_is_named() {
    let time = "\"time\":\"1800000000123\"";
    for (from, to) in [
        (time, "\"time\":\"1800000000124\""),
        ("\"prev\":\"", "\"prev\":\"0000"),
        ("\"seq\":4", "\"seq\":3"),
        ("\"seq\":4", "\"seq\":9"),
    ] {
        let evidence = Evidence::new();
        let at = if from.contains("prev") {
            evidence.change(INNER, |lines, i| {
                let line = String::from_utf8(lines[i].clone()).unwrap();
                let digits = line.find(from).unwrap() + from.len();
                let other = if line[digits..].starts_with('0') { "1" } else { "0" };
                lines[i] = format!("{}{other}{}", &line[..digits], &line[digits + 1..]).into();
            })
        } else {
            evidence.replace(INNER, from, to)
        };
        let found = the_fault(&evidence.report());
        assert_eq!(found, expected(EvidenceFaultKind::Altered, &at, at.line), "{from}");
    }
}

#[test]
fn what_is_no_line_is_named_and_is_not_a_gap_besides() {
    for (from, to) in
        [("\"kind\"", "\"kinds\""), ("\"boot\":\"18", "\"boot\":\"19"), ("{", "{ "), ("{", "")]
    {
        let evidence = Evidence::new();
        let at = evidence.replace(INNER, from, to);
        let found = the_fault(&evidence.report());
        assert_eq!(found, expected(EvidenceFaultKind::Unreadable, &at, at.line), "{to}");
    }
}

#[test]
fn lines_that_are_put_in_are_found() {
    let evidence = Evidence::new();
    let at = evidence.change(INNER, |lines, i| lines.insert(i, b"{}\n".to_vec()));
    assert_eq!(
        the_fault(&evidence.report()),
        expected(EvidenceFaultKind::Unreadable, &at, at.line)
    );
}

/// Cuts the end of the first boot off, in bytes from the end of the line given.
fn cut(evidence: &Evidence, seq: u64, bytes: usize) {
    let at = evidence.at(seq);
    let rest = lines_of(&at.file)[..at.line].concat();
    fs::write(&at.file, &rest[..rest.len() - bytes]).unwrap();
    let files = evidence.files_of(1);
    let after = files.iter().position(|file| *file == at.file).unwrap() + 1;
    files[after..].iter().for_each(|file| fs::remove_file(file).unwrap());
}

#[test]
fn a_tail_that_a_later_boot_has_seen_is_missed() {
    // Between lines, in a line, and just before a line's end.
    for (bytes, ending, first) in
        [(0, BootEnding::Open, 11), (40, BootEnding::Torn, 10), (1, BootEnding::Torn, 10)]
    {
        let evidence = Evidence::new();
        cut(&evidence, 10, bytes);
        let report = evidence.report();
        let (kind, file, line, boot, seq) = the_fault(&report);
        assert_eq!((kind, boot, seq), (EvidenceFaultKind::TailDropped, boot_id(1), first));
        assert_eq!((file, line), (evidence.files_of(2)[0].clone(), 1), "where it is named");
        assert_eq!(report.boots[0].ending, ending);
    }
}

#[test]
fn a_boot_without_an_end_is_open_and_not_broken() {
    for (bytes, ending) in [(0, BootEnding::Open), (40, BootEnding::Torn)] {
        let evidence = Evidence::new();
        evidence.files_of(2).iter().for_each(|file| fs::remove_file(file).unwrap());
        cut(&evidence, 10, bytes);
        let report = evidence.report();
        assert_eq!((report.faults.len(), report.verdict()), (0, EvidenceVerdict::Open));
        assert_eq!(report.boots[0].ending, ending);
    }
}

#[test]
fn a_boot_that_was_altered_to_its_last_line_is_found_by_the_next() {
    let evidence = Evidence::new();
    evidence.replace(LAST, "\"time\":\"1800000000123\"", "\"time\":\"1800000000124\"");
    let (kind, file, line, boot, seq) = the_fault(&evidence.report());
    assert_eq!((kind, boot, seq), (EvidenceFaultKind::Altered, boot_id(1), LAST));
    assert_eq!((file, line), (evidence.files_of(2)[0].clone(), 1));
}

#[test]
fn a_boot_that_is_missing_is_told_from_one_that_was_put_away() {
    let evidence = Evidence::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(Replica::start(Casino::new(), 3, settings(evidence.path())).stop());
    assert_eq!(evidence.report().verdict(), EvidenceVerdict::Sound);
    let first = evidence.files_of(1);
    // Put away: nothing of this replica is older.
    let later: Vec<PathBuf> = [2, 3].iter().flat_map(|n| evidence.files_of(*n)).collect();
    let later: Vec<&Path> = later.iter().map(PathBuf::as_path).collect();
    let report = verified(&later);
    assert_eq!((report.faults.len(), report.verdict()), (0, EvidenceVerdict::Open));
    assert_eq!(
        report.absent.iter().map(|head| head.boot.clone()).collect::<Vec<_>>(),
        [boot_id(1)]
    );
    // Missing: the first is there and the second is not.
    evidence.files_of(2).iter().for_each(|file| fs::remove_file(file).unwrap());
    assert!(first.iter().all(|file| file.exists()));
    let (kind, file, line, boot, seq) = the_fault(&evidence.report());
    assert_eq!((kind, boot, seq), (EvidenceFaultKind::BootMissing, boot_id(2), LAST));
    assert_eq!((file, line), (evidence.files_of(3)[0].clone(), 1));
}

/// Writes the lines of a boot anew from one on, each chained to the one before, after a
/// change of their contents.
fn rewrite(evidence: &Evidence, from: u64, change: impl Fn(&mut EvidenceLine)) {
    let mut prev = None;
    for file in evidence.files_of(1) {
        let mut out = Vec::new();
        for bytes in lines_of(&file) {
            let mut line = EvidenceLine::parse(&bytes[..bytes.len() - 1]).unwrap();
            if line.seq >= from {
                change(&mut line);
                line.prev = prev.unwrap();
            }
            let bytes = line.to_bytes();
            prev = Some(Hash::of(&bytes));
            out.extend(bytes);
            out.push(b'\n');
        }
        fs::write(file, out).unwrap();
    }
}

#[test]
fn a_chain_written_anew_is_found_by_who_has_kept_an_earlier_report() {
    let evidence = Evidence::new();
    evidence.files_of(2).iter().for_each(|file| fs::remove_file(file).unwrap());
    cut(&evidence, 8, 0);
    let known: Vec<ChainHead> =
        evidence.report().boots.into_iter().filter_map(|b| b.head).collect();
    assert_eq!(known.len(), 1);
    let knowing = || verified_knowing(&[evidence.path()], &known);
    assert_eq!((knowing().faults.len(), knowing().verdict()), (0, EvidenceVerdict::Open));
    rewrite(&evidence, 5, |line| line.time += 1);
    assert_eq!(
        evidence.report().verdict(),
        EvidenceVerdict::Open,
        "the files alone do not show it"
    );
    let at = evidence.at(8);
    assert_eq!(the_fault(&knowing()), expected(EvidenceFaultKind::Altered, &at, at.line));
    // Nor is a tail missed without.
    cut(&evidence, 6, 0);
    assert_eq!(evidence.report().verdict(), EvidenceVerdict::Open);
    let at = At { seq: 7, ..evidence.at(6) };
    assert_eq!(the_fault(&knowing()), expected(EvidenceFaultKind::TailDropped, &at, at.line));
}

#[test]
fn a_boot_written_anew_is_found_by_the_next_though_it_goes_on_behind_the_line_named() {
    let evidence = Evidence::new();
    // The line that the second boot names is the stop.
    rewrite(&evidence, 5, |line| line.time += 1);
    let last = evidence.at(LAST);
    evidence.change(LAST, |lines, i| {
        let stop = EvidenceLine::parse(&lines[i][..lines[i].len() - 1]).unwrap();
        assert_eq!(stop.body, LineBody::Stop);
        let event = LineBody::Event(Event::new(Significant::Verified));
        let added = EvidenceLine { body: event, ..stop.clone() }.to_bytes();
        let stop = EvidenceLine { seq: LAST + 1, prev: Hash::of(&added), ..stop }.to_bytes();
        lines.truncate(i);
        lines.extend([added, stop].map(|line| [line, b"\n".to_vec()].concat()));
    });
    let (kind, file, line, boot, seq) = the_fault(&evidence.report());
    assert_eq!((kind, boot, seq), (EvidenceFaultKind::Altered, boot_id(1), last.seq));
    assert_eq!((file, line), (evidence.files_of(2)[0].clone(), 1));
}

#[test]
fn a_boot_that_goes_on_while_the_next_one_writes_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let first = Replica::start(Casino::new(), 1, settings(folder.path()));
        let second = Replica::start(Casino::new(), 2, settings(folder.path()));
        first.stop().await;
        second.stop().await;
    });
    let report = verified(&[folder.path()]);
    assert_eq!((report.faults.clone(), report.verdict()), (vec![], EvidenceVerdict::Sound));
}

#[test]
fn later_files_go_on_from_an_earlier_report() {
    let evidence = Evidence::new();
    let all = evidence.files_of(1);
    let earlier = verified(&[all[0].as_path(), all[1].as_path()]);
    let known: Vec<ChainHead> = earlier.boots.into_iter().filter_map(|boot| boot.head).collect();
    let mut rest: Vec<PathBuf> = all[2..].to_vec();
    rest.extend(evidence.files_of(2));
    let rest: Vec<&Path> = rest.iter().map(PathBuf::as_path).collect();
    assert_eq!(verified_knowing(&rest, &known).faults, []);
    assert_eq!(the_fault(&verified(&rest)).0, EvidenceFaultKind::Gap);
    let other = ChainHead { hash: Hash::of(b"another"), ..known[0].clone() };
    assert_eq!(the_fault(&verified_knowing(&rest, &[other])).0, EvidenceFaultKind::Gap);
}

#[test]
fn nothing_follows_a_stop_and_nothing_begins_twice() {
    let evidence = Evidence::new();
    evidence.files_of(2).iter().for_each(|file| fs::remove_file(file).unwrap());
    let last = evidence.at(LAST);
    let stop = lines_of(&last.file)[last.line - 1].clone();
    let stop = EvidenceLine::parse(&stop[..stop.len() - 1]).unwrap();
    assert_eq!(stop.body, LineBody::Stop);
    let prev = Hash::of(&stop.to_bytes());
    let start = evidence.at(0);
    let start = lines_of(&start.file)[start.line - 1].clone();
    let start = EvidenceLine::parse(&start[..start.len() - 1]).unwrap();
    let again = EvidenceLine { seq: LAST + 1, prev, ..start };
    evidence.change(LAST, |lines, _| lines.push([again.to_bytes(), b"\n".to_vec()].concat()));
    let report = evidence.report();
    let kinds: Vec<EvidenceFaultKind> = report.faults.iter().map(|fault| fault.kind).collect();
    assert_eq!(kinds, [EvidenceFaultKind::Misplaced, EvidenceFaultKind::Misplaced]);
}
