//! One line of the sink: canonical JSON, chained to the line before.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::entry::{Boot, Event, RecordEntry};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::payload::{Members, PayloadError};
use paigow_fairness::record::RecordEnvelope;

/// The form of the lines, which the first line of every boot names. A reader refuses any other
/// form.
pub const FORMAT: &str = "paigow-sink-1";

/// A line of the sink.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EvidenceLine {
    /// The run of the process that has written it.
    pub boot: String,
    /// Its number within the boot, from 0 and without gaps.
    pub seq: u64,
    /// The hash of the line before, [`Hash::ZERO`] for the first.
    pub prev: Hash,
    /// The time of the event, in Unix milliseconds by the clock of the machine.
    pub time: u64,
    /// The content of the line.
    pub body: LineBody,
}

/// The content of a line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum LineBody {
    /// A boot begins.
    Start(BootStart),
    /// A call has signed records.
    Record(RecordEntry),
    /// An event that a regulator wants to know of.
    Event(Event),
    /// These manifests are part of the chain from here on, oldest first. The sink writes one in a
    /// line.
    Manifest(Vec<RecordEnvelope>),
    /// The boot ends in order. No line follows.
    Stop,
}

/// The first line of a boot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BootStart {
    /// The process that has started.
    pub boot: Boot,
    /// The last line that an earlier boot has left in the same folder, if there was one.
    pub before: Option<ChainHead>,
}

/// The name of a line: its place and its hash.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ChainHead {
    /// The boot.
    pub boot: String,
    /// The number within the boot.
    pub seq: u64,
    /// The hash of the line.
    pub hash: Hash,
}

impl ChainHead {
    /// Returns the head as a value.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        Json::obj([
            ("boot", Json::str(&self.boot)),
            ("hash", Json::str(self.hash)),
            ("seq", Json::Int(self.seq)),
        ])
    }

    fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        Ok(Self {
            boot: boot(members)?,
            hash: members.hash("hash")?,
            seq: members.int("seq", u64::MAX)?,
        })
    }
}

impl EvidenceLine {
    /// Returns the bytes of the line, without the line end.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.body.in_line(&self.boot, self.seq, self.prev, self.time)
    }

    /// Reads the bytes of a line, without the line end.
    ///
    /// # Errors
    ///
    /// If they are not exactly the output of [`EvidenceLine::to_bytes`] for some line.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let mut members = Members::of(Json::parse_canonical(bytes)?)?;
        let boot = boot(&mut members)?;
        let seq = members.int("seq", u64::MAX)?;
        let prev = members.hash("prev")?;
        let time = members.decimal("time")?;
        let body = match &*members.text("kind")? {
            "start" => LineBody::Start(start(&mut members, &boot)?),
            "record" => LineBody::Record(RecordEntry {
                rpc: members.text("rpc")?.into_owned().into(),
                tenant: members.parsed("tenant")?,
                round_id: members.hash("round_id")?,
                trace_id: members.optional("trace_id", Members::text)?.map(Cow::into_owned),
                records: envelopes(&mut members)?,
                kept: members.optional("kept", kept)?.unwrap_or_default(),
            }),
            "event" => {
                let event = members.text("event")?.into_owned().into();
                LineBody::Event(Event { event, facts: facts(&mut members)? })
            }
            "manifest" => LineBody::Manifest(envelopes(&mut members)?),
            "stop" => LineBody::Stop,
            _ => return Err(members.blame("kind", "not a kind of line")),
        };
        members.finish()?;
        Ok(Self { boot, seq, prev, time, body })
    }
}

impl LineBody {
    /// Returns the bytes of the line with this body, as [`EvidenceLine::to_bytes`].
    pub(super) fn in_line(&self, boot: &str, seq: u64, prev: Hash, time: u64) -> Vec<u8> {
        let head = Json::obj([
            ("boot", Json::str(boot)),
            ("prev", Json::str(prev)),
            ("seq", Json::Int(seq)),
            ("time", Json::str(time)),
        ]);
        let text = |text: &str| Some(Json::Str(printable(text).into()));
        let kind = |kind| Some(Json::text(kind));
        let json = match self {
            LineBody::Start(BootStart { boot, before }) => head
                .with("kind", kind("start"))
                .with("format", kind(FORMAT))
                .with("instance", text(&boot.instance))
                .with("version", text(&boot.version))
                .with("executable", boot.executable.map(Json::str))
                .with("before", before.as_ref().map(ChainHead::to_json)),
            LineBody::Record(entry) => head
                .with("kind", kind("record"))
                .with("rpc", text(&entry.rpc))
                .with("tenant", Some(Json::str(&entry.tenant)))
                .with("round_id", Some(Json::str(entry.round_id)))
                .with("trace_id", entry.trace_id.as_deref().and_then(text))
                .with("records", records(&entry.records))
                .with("kept", hashes(&entry.kept)),
            LineBody::Event(event) => {
                let fact = |(key, value): (&String, &String)| {
                    (printable(key), Json::Str(printable(value).into()))
                };
                head.with("kind", kind("event"))
                    .with("event", text(&event.event))
                    .with("facts", Some(Json::Obj(event.facts.iter().map(fact).collect())))
            }
            LineBody::Manifest(manifests) => {
                head.with("kind", kind("manifest")).with("records", records(manifests))
            }
            LineBody::Stop => head.with("kind", kind("stop")),
        };
        json.to_bytes()
    }
}

fn start(members: &mut Members, boot: &str) -> Result<BootStart, PayloadError> {
    if members.text("format")? != FORMAT {
        return Err(members.blame("format", "not the form of this release"));
    }
    Ok(BootStart {
        boot: Boot {
            id: boot.to_owned(),
            instance: members.text("instance")?.into_owned(),
            version: members.text("version")?.into_owned().into(),
            executable: members.optional("executable", Members::hash)?,
        },
        before: members.optional("before", |m, key| m.object(key, ChainHead::parse))?,
    })
}

fn boot(members: &mut Members) -> Result<String, PayloadError> {
    let boot = members.text("boot")?;
    if !Boot::is_id(&boot) {
        return Err(members.blame("boot", "not the id of a boot"));
    }
    Ok(boot.into_owned())
}

fn records(records: &[RecordEnvelope]) -> Option<Json<'_>> {
    Some(Json::arr(records.iter().map(RecordEnvelope::to_json)))
}

/// Takes the hashes of records in other lines: a list that is absent if it is empty.
fn kept(members: &mut Members, key: &str) -> Result<Vec<Hash>, PayloadError> {
    let hashes = hash_list(members, key)?;
    if hashes.is_empty() { Err(members.blame(key, "absent, or not empty")) } else { Ok(hashes) }
}

fn hash_list(members: &mut Members, key: &str) -> Result<Vec<Hash>, PayloadError> {
    members.list(key, |item| match item {
        Json::Str(text) => text.parse().map_err(|_| "not a hash"),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a hash"),
    })
}

/// Returns a list of hashes; [`None`] if it is empty.
fn hashes(hashes: &[Hash]) -> Option<Json<'static>> {
    (!hashes.is_empty()).then(|| Json::arr(hashes.iter().map(Json::str)))
}

fn envelopes(members: &mut Members) -> Result<Vec<RecordEnvelope>, PayloadError> {
    members.list("records", |item| RecordEnvelope::from_json(item).map_err(|_| "not a record"))
}

fn facts(members: &mut Members) -> Result<BTreeMap<String, String>, PayloadError> {
    let Json::Obj(facts) = members.value("facts")? else {
        return Err(members.blame("facts", "not an object"));
    };
    let fact = |(key, value): (Cow<'_, str>, Json<'_>)| match value {
        Json::Str(text) => Ok((key.into_owned(), text.into_owned())),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => {
            Err(members.blame("facts", "not all strings"))
        }
    };
    facts.into_iter().map(fact).collect()
}

/// Writes each character that canonical JSON does not hold as `\u{..}`.
///
/// A message of the system or a name may have any character. A line feed in one would forge a line.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ' '..='~') {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Significant;
    use paigow_fairness::record::RecordKind;

    const BOOT: &str = "1800000000-0123456789abcdef";

    fn line(body: LineBody) -> EvidenceLine {
        EvidenceLine {
            boot: BOOT.to_owned(),
            seq: 3,
            prev: Hash::of(b"x"),
            time: 1_800_000_000_123,
            body,
        }
    }

    fn envelope() -> RecordEnvelope {
        RecordEnvelope::unsigned(RecordKind::Ticket, &Json::obj([("a", Json::Int(1))]))
    }

    fn bodies() -> [LineBody; 6] {
        let boot = Boot {
            id: BOOT.to_owned(),
            instance: "a".to_owned(),
            version: "1.2.3".into(),
            executable: Some(Hash::of(b"e")),
        };
        let head = ChainHead { boot: BOOT.to_owned(), seq: 9, hash: Hash::of(b"h") };
        [
            LineBody::Start(BootStart { boot: boot.clone(), before: Some(head) }),
            LineBody::Start(BootStart { boot: Boot { executable: None, ..boot }, before: None }),
            LineBody::Record(RecordEntry {
                rpc: "Deal".into(),
                tenant: "acme".parse().unwrap(),
                round_id: Hash::of(b"r"),
                trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned()),
                records: vec![envelope(), envelope()],
                kept: vec![Hash::of(b"k")],
            }),
            LineBody::Event(Event::new(Significant::Draining).with("after", "5 s")),
            LineBody::Manifest(vec![envelope()]),
            LineBody::Stop,
        ]
    }

    #[test]
    fn every_kind_of_line_reads_back_as_itself() {
        for body in bodies() {
            let line = line(body);
            assert_eq!(EvidenceLine::parse(&line.to_bytes()), Ok(line));
        }
    }

    #[test]
    fn a_line_is_written_as_documented() {
        let event = line(LineBody::Event(Event::new(Significant::Draining).with("after", "5 s")));
        let expected = format!(
            "{{\"boot\":\"{BOOT}\",\"event\":\"draining\",\"facts\":{{\"after\":\"5 s\"}},\
             \"kind\":\"event\",\"prev\":\"{}\",\"seq\":3,\"time\":\"1800000000123\"}}",
            // printf x | sha256sum
            "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
        );
        assert_eq!(String::from_utf8(event.to_bytes()).unwrap(), expected);
    }

    #[test]
    fn the_records_of_a_line_are_recovered_to_the_byte() {
        let [_, _, record, ..] = bodies();
        let bytes = line(record).to_bytes();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(&envelope().to_line()), "a record stands in it as published");
        let LineBody::Record(entry) = EvidenceLine::parse(&bytes).unwrap().body else {
            panic!("a record")
        };
        assert_eq!(entry.records[0].to_line(), envelope().to_line());
    }

    #[test]
    fn no_text_can_begin_a_line_of_its_own() {
        let event = Event::new(Significant::EvidenceFailed).with("error", "full\n{\"kind\":\u{e9}");
        let bytes = line(LineBody::Event(event)).to_bytes();
        assert!(bytes.iter().all(|byte| (0x20..0x7f).contains(byte)));
        let LineBody::Event(event) = EvidenceLine::parse(&bytes).unwrap().body else {
            panic!("an event")
        };
        assert_eq!(event.facts["error"], "full\\u{a}{\"kind\":\\u{e9}");
    }

    #[test]
    fn a_line_without_records_kept_elsewhere_has_no_list_of_them() {
        let [_, _, record, ..] = bodies();
        let line = String::from_utf8(line(record).to_bytes()).unwrap();
        let member = format!("\"kept\":[\"{}\"],", Hash::of(b"k"));
        assert!(EvidenceLine::parse(line.replace(&member, "").as_bytes()).is_ok());
        let empty = line.replace(&member, "\"kept\":[],");
        assert_ne!(empty, line);
        let error = EvidenceLine::parse(empty.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("kept"), "{error}");
    }

    #[test]
    fn what_is_no_line_of_this_form_is_refused() {
        let good = String::from_utf8(line(bodies()[0].clone()).to_bytes()).unwrap();
        for (from, to) in [
            ("paigow-sink-1", "paigow-sink-2"),
            ("\"kind\":\"start\"", "\"kind\":\"begin\""),
            ("\"seq\":3", "\"seq\":\"3\""),
            ("\"seq\":3", "\"seq\":3,\"spare\":1"),
            ("\"boot\":\"1800000000-", "\"boot\":\"../etc/"),
            (":", ": "),
        ] {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good);
            assert!(EvidenceLine::parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
