//! The findings of a verification as text, as JSON and as figures for Prometheus.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{EvidenceReport, EvidenceVerdict};
use crate::counted;
use paigow_evidence::ChainHead;
use paigow_evidence::verify::{
    BootEnding, BootReport, EvidenceFault, Fork, LinePlace, MissingRecord, OpenTicket, RecordClass,
    Reopening, Sighting, ToldLoss,
};
use paigow_fairness::encoding::Hash;

/// How many findings of a kind are written as text; JSON has all.
const TOLD: usize = 100;

/// Writes findings for people.
pub(super) fn text(report: &EvidenceReport, out: &mut dyn Write) -> io::Result<()> {
    list(out, "boots", &report.boots, |boot| {
        let BootReport { boot, instance, version, lines, ending, .. } = boot;
        let (instance, version) =
            (instance.as_deref().unwrap_or("?"), version.as_deref().unwrap_or("?"));
        format!("{boot}  {instance}, version {version}, {lines} lines, {}", ending_words(*ending))
    })?;
    list(out, "faults", &report.faults, fault_words)?;
    list(out, "files that a server lost while it wrote to them", &report.losses, |loss| {
        let ToldLoss { boot, file, found, first, last, place } = loss;
        format!("{file}  {found}, lines {first} to {last} of boot {boot}\n    {place}")
    })?;
    let pair = |round_id: &Hash, class: RecordClass, first: &Sighting, second: &Sighting| {
        let (first, second) = (sighting_words(first), sighting_words(second));
        format!("{round_id}  {}\n    {first}\n    {second}", class.name())
    };
    list(out, "forks: two different records of one class for one round", &report.forks, |fork| {
        let Fork { round_id, class, first, second } = fork;
        pair(round_id, *class, first, second)
    })?;
    let title = "re-opens: a round opened again before a lock, or a lock superseded; no fault";
    list(out, title, &report.reopenings, |one| {
        let Reopening { round_id, class, first, second } = one;
        pair(round_id, *class, first, second)
    })?;
    list(out, "tickets without a close", &report.open_tickets, |ticket| {
        let OpenTicket { round_id, tenant, table, round_no, dealt, time, sighting } = ticket;
        let Sighting { boot, seq, place, .. } = sighting;
        let dealt = if *dealt { "dealt" } else { "not dealt" };
        format!(
            "{round_id}  tenant {tenant}, table {table}, round {round_no}, {dealt}, open since Unix \
             time {}\n    {place}: boot {boot} seq {seq}",
            time / 1000
        )
    })?;
    let title = "records that a line names, and that no line in these files has";
    list(out, title, &report.missing_records, |missing| {
        let MissingRecord { round_id, named, .. } = missing;
        format!("{}  of round {round_id}\n    named {}", named.hash, place_words(named))
    })?;
    list(
        out,
        "missing: known from a link or a report, not in the files",
        &report.absent,
        |head| format!("boot {} up to line {}", head.boot, head.seq),
    )?;
    list(out, "empty files", &report.empty, |file| (**file).to_owned())?;
    let EvidenceReport { lines, records, rounds, .. } = report;
    writeln!(out, "{lines} lines, {records} records, {rounds} rounds")?;
    let (faults, forks) = (report.faults.len(), report.forks.len());
    let because = match report.verdict() {
        EvidenceVerdict::Sound => "every line is present and unaltered".to_owned(),
        EvidenceVerdict::Broken => {
            format!("{}, {}", counted(faults, "fault"), counted(forks, "fork"))
        }
        EvidenceVerdict::Open if *lines == 0 => "the files have no line".to_owned(),
        EvidenceVerdict::Open => {
            "no fault, but a boot has no end, a ticket has no close, or files are missing"
                .to_owned()
        }
    };
    writeln!(out, "verdict: {}: {because}", report.verdict().name())
}

fn list<T>(
    out: &mut dyn Write,
    title: &str,
    items: &[T],
    words: impl Fn(&T) -> String,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}")?;
    for item in items.iter().take(TOLD) {
        writeln!(out, "  {}", words(item))?;
    }
    if let Some(more) = items.len().checked_sub(TOLD + 1) {
        writeln!(out, "  and {} more; --json has all", more + 1)?;
    }
    writeln!(out)
}

const fn ending_words(ending: BootEnding) -> &'static str {
    match ending {
        BootEnding::Stopped => "stopped",
        BootEnding::Open => "open: no last line",
        BootEnding::Torn => "open: ends in a part of a line",
    }
}

fn fault_words(fault: &EvidenceFault) -> String {
    let EvidenceFault { kind, place, boot, seq, what } = fault;
    let place = place.as_ref().map_or_else(String::new, |place| format!("{place}: "));
    let boot = boot.as_ref().map_or_else(String::new, |boot| format!("boot {boot} "));
    let seq = seq.map_or_else(String::new, |seq| format!("seq {seq}"));
    format!("{:<12} {place}{boot}{seq}\n    {what}", kind.name())
}

fn sighting_words(sighting: &Sighting) -> String {
    format!("{} {}", sighting.hash, place_words(sighting))
}

fn place_words(sighting: &Sighting) -> String {
    let Sighting { boot, seq, place, .. } = sighting;
    format!("at {place}: boot {boot} seq {seq}")
}

/// Returns findings for programs, in the form that `--known` of a later verification reads.
pub(super) fn json(report: &EvidenceReport) -> Value {
    let boot = |boot: &BootReport| {
        let BootReport { head, boot, instance, version, lines, ending } = boot;
        json!({
            "boot": boot, "instance": instance, "version": version, "lines": lines,
            "ending": ending.name(), "seq": head.as_ref().map(|head| head.seq),
            "hash": head.as_ref().map(|head| head.hash.to_string()),
        })
    };
    let fault = |fault: &EvidenceFault| {
        let EvidenceFault { kind, place, boot, seq, what } = fault;
        let (file, line) = place_json(place.as_ref());
        json!({
            "kind": kind.name(), "file": file, "line": line, "boot": boot, "seq": seq,
            "what": what,
        })
    };
    let pair = |round_id: &Hash, class: RecordClass, first: &Sighting, second: &Sighting| {
        json!({
            "round_id": round_id.to_string(), "class": class.name(),
            "first": sighting_json(first), "second": sighting_json(second),
        })
    };
    let fork = |fork: &Fork| pair(&fork.round_id, fork.class, &fork.first, &fork.second);
    let reopen = |one: &Reopening| pair(&one.round_id, one.class, &one.first, &one.second);
    let loss = |loss: &ToldLoss| {
        let ToldLoss { boot, file, found, first, last, place } = loss;
        json!({
            "boot": boot, "file": file, "found": found, "first_seq": first, "last_seq": last,
            "told_in": place.to_string(),
        })
    };
    let ticket = |ticket: &OpenTicket| {
        let OpenTicket { round_id, tenant, table, round_no, dealt, time, sighting } = ticket;
        json!({
            "round_id": round_id.to_string(), "tenant": tenant, "table": table,
            "round_no": round_no, "dealt": dealt, "time": time,
            "ticket": sighting_json(sighting),
        })
    };
    let missing = |missing: &MissingRecord| {
        let MissingRecord { round_id, named, time } = missing;
        json!({
            "round_id": round_id.to_string(), "record": named.hash.to_string(), "time": time,
            "named": sighting_json(named),
        })
    };
    let head = |head: &ChainHead| json!({ "boot": head.boot, "seq": head.seq, "hash": head.hash.to_string() });
    json!({
        "verdict": report.verdict().name(),
        "lines": report.lines, "records": report.records, "rounds": report.rounds,
        "boots": report.boots.iter().map(boot).collect::<Vec<_>>(),
        "faults": report.faults.iter().map(fault).collect::<Vec<_>>(),
        "losses": report.losses.iter().map(loss).collect::<Vec<_>>(),
        "forks": report.forks.iter().map(fork).collect::<Vec<_>>(),
        "reopens": report.reopenings.iter().map(reopen).collect::<Vec<_>>(),
        "open_tickets": report.open_tickets.iter().map(ticket).collect::<Vec<_>>(),
        "missing_records": report.missing_records.iter().map(missing).collect::<Vec<_>>(),
        "absent": report.absent.iter().map(head).collect::<Vec<_>>(),
        "empty": report.empty.iter().map(|file| &**file).collect::<Vec<_>>(),
    })
}

fn place_json(place: Option<&LinePlace>) -> (Option<&str>, Option<u64>) {
    (place.map(|place| &*place.file), place.map(|place| place.line))
}

fn sighting_json(sighting: &Sighting) -> Value {
    let Sighting { hash, boot, seq, place } = sighting;
    json!({
        "hash": hash.to_string(), "boot": &**boot, "seq": seq, "file": &*place.file,
        "line": place.line,
    })
}

/// Returns figures in the text format of Prometheus; `now` is in Unix seconds.
pub(super) fn prometheus(report: &EvidenceReport, now: u64) -> String {
    let open = |boot: &&BootReport| boot.ending != BootEnding::Stopped;
    let old = report.old_tickets(now).count() as u64;
    let missing = report.old_missing_records(now).count() as u64;
    // Heads are sorted by their boots.
    let absent = report.absent.chunk_by(|one, other| one.boot == other.boot).count() as u64;
    let figures = [
        ("lines", "Lines of the evidence that were read.", report.lines),
        ("faults", "Lines dropped, doubled, moved or altered.", report.faults.len() as u64),
        ("forks", "Second records of one class for one round.", report.forks.len() as u64),
        (
            "reopens",
            "Rounds opened again, locks superseded: no fork.",
            report.reopenings.len() as u64,
        ),
        ("open_tickets", "Tickets without a close.", report.open_tickets.len() as u64),
        ("old_tickets", "Tickets without a close of more than a day.", old),
        ("missing_records", "Records named more than an hour ago that no line has.", missing),
        ("open_boots", "Boots without an end.", report.boots.iter().filter(open).count() as u64),
        ("absent_boots", "Boots that were seen or named before, and have no line.", absent),
        ("verified_timestamp_seconds", "When the evidence was verified.", now),
    ];
    let figure = |(name, help, value): (&str, &str, u64)| {
        format!(
            "# HELP paigow_sink_{name} {help}\n# TYPE paigow_sink_{name} gauge\n\
             paigow_sink_{name} {value}\n"
        )
    };
    figures.into_iter().map(figure).collect()
}
