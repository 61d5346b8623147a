//! `paigow-lab audit`: a transcript recomputed offline, with nothing trusted but the
//! root keys.

use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Ended, LabError, parse_rules};
use crate::cards::Card;
use crate::engine::Catalogue;
use crate::engine::audit::{self, Check, Code, Ending, Report, RoundReport, Status, Verdict};
use crate::fairness::manifest::Root;
use crate::game::{self, Ruleset};
use crate::house_way::{self, HouseWay};

/// How findings are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// A table for people.
    Table,
    /// One JSON object, as the answer of the RPC `Audit` in canonical proto JSON.
    Json,
}

/// Makes the catalogue of what is compiled in and of the files given.
///
/// # Errors
///
/// If a file cannot be read or is not what it has to be; every fault of it is told.
pub fn catalogue(rulesets: &[PathBuf], house_ways: &[PathBuf]) -> Result<Catalogue, LabError> {
    let mut ways = house_way::shipped().to_vec();
    let mut games = game::shipped().to_vec();
    for path in house_ways {
        ways.push(parse_rules(path, HouseWay::parse)?);
    }
    for path in rulesets {
        games.push(parse_rules(path, Ruleset::parse)?);
    }
    Catalogue::new(ways, games).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        LabError::Data(lines.join("\n"))
    })
}

/// Audits a transcript and writes every check and the verdict.
///
/// # Errors
///
/// If output fails. A transcript of nonsense is no error but a mismatch.
pub fn run(
    transcript: &[u8],
    root: &Root,
    catalogue: &Catalogue,
    format: Format,
    out: &mut dyn Write,
) -> Result<Ended, LabError> {
    let report = audit::audit(transcript, root, catalogue);
    match format {
        Format::Table => write_table(&report, out)?,
        Format::Json => writeln!(out, "{}", to_json(&report, root))?,
    }
    out.flush()?;
    Ok(match report.verdict {
        Verdict::Match => Ended::Well,
        Verdict::Mismatch => Ended::WithFindings,
        Verdict::Incomplete => Ended::Incomplete,
    })
}

fn write_table(report: &Report, out: &mut dyn Write) -> Result<(), LabError> {
    for (place, round) in (1..).zip(&report.rounds) {
        let ending = match round.ending {
            Some(Ending::Settled) => "settled",
            Some(Ending::Void) => "void",
            None => "without a close",
        };
        writeln!(out, "round {place}: table {}, number {}, {ending}", round.table, round.round_no)?;
        writeln!(out, "  id    {}", round.round_id)?;
        if let Some(replayed) = &round.replayed {
            writeln!(out, "  deck  {}", crate::cards::codes(&replayed.deck))?;
            if !replayed.dice.is_empty() {
                let dice: Vec<String> = replayed.dice.iter().map(ToString::to_string).collect();
                writeln!(out, "  dice  {}", dice.join(" "))?;
            }
        }
    }
    if !report.rounds.is_empty() {
        writeln!(out)?;
    }
    writeln!(out, "{:<20} {:<8} note", "check", "status")?;
    for check in &report.checks {
        writeln!(out, "{:<20} {:<8} {}", check.code.name(), check.status.name(), note(check))?;
    }
    let because = match (report.verdict, report.code()) {
        (Verdict::Mismatch, Some(code)) => format!(": {} failed first", code.name()),
        (Verdict::Mismatch, None) => String::new(),
        (Verdict::Match, _) => ": everything was recomputed and is as recorded".to_owned(),
        (Verdict::Incomplete, _) => {
            ": nothing is wrong, but a round has no close or its results were not recomputed"
                .to_owned()
        }
    };
    writeln!(out, "\nverdict: {}{because}", report.verdict.name())?;
    Ok(())
}

/// What a person needs to know of a check.
fn note(check: &Check) -> String {
    let place = if check.place.is_empty() { String::new() } else { format!("{}: ", check.place) };
    match check.status {
        Status::Passed => meaning(check.code).to_owned(),
        Status::Skipped => format!("{place}{}", check.found),
        Status::Failed if check.expected.is_empty() => format!("{place}{}", check.found),
        Status::Failed => format!("{place}expected {}, found {}", check.expected, check.found),
    }
}

/// What has been shown where the check passes.
const fn meaning(code: Code) -> &'static str {
    match code {
        Code::Format => "every line is a record, in its order, each at most once a round",
        Code::Canonical => "every payload is in the one form that is signed",
        Code::ManifestSig => "enough of the trusted root keys signed the manifests",
        Code::ManifestLink => "the manifest lists epoch, tenant, ruleset and engine of each round",
        Code::Signatures => "every record is signed by a key that the manifest gives its role",
        Code::Chain => "the records of each round link to one another",
        Code::Policy => "what the tenant's policy demands is there",
        Code::RoundId => "each round's id follows from its place",
        Code::Genesis => "each round follows the close of the one before, or the manifest",
        Code::ClientCommit => "the client seeds are those committed to before the deal",
        Code::LockCoversActions => "the final lock covers exactly the players' decisions",
        Code::Commit => "the server seed is the one committed to before the deal",
        Code::Replay => "seed, deck and dice follow from the revealed seeds",
        Code::DeckCommit => "the deck was fixed when the first cards were shown",
        Code::CardsShown => "the cards shown are those that the deck deals",
        Code::Results => "hands, wins and money follow from the rules",
        Code::EpochCommit => "the epoch's secret is the one committed to",
        Code::EpochSalt => "the epoch's salt is what its source gives",
        Code::SaltAfterCommit => "the salt came after the commitment",
        Code::SeedWasNotChosen => "each server seed was derived, not chosen",
        Code::NoFork => "no round has two different records of one kind",
    }
}

/// The report as the answer of the RPC `Audit`, in canonical proto JSON.
fn to_json(report: &Report, root: &Root) -> Value {
    let upper = |prefix: &str, word: &str| format!("{prefix}_{}", word.to_uppercase());
    let check = |check: &Check| {
        without_defaults(json!({
            "code": check.code.name(),
            "status": upper("CHECK_STATUS", check.status.name()),
            "expected": check.expected,
            "found": check.found,
            "where": check.place,
        }))
    };
    let keys: Vec<String> = root.keys.iter().map(ToString::to_string).collect();
    without_defaults(json!({
        "verdict": upper("VERDICT", report.verdict.name()),
        "code": report.code().map_or("", Code::name),
        "checks": report.checks.iter().map(check).collect::<Vec<_>>(),
        "rounds": report.rounds.iter().map(round_json).collect::<Vec<_>>(),
        "rootKeys": keys,
        "threshold": root.threshold,
    }))
}

fn round_json(round: &RoundReport) -> Value {
    let cards = |cards: &[Card]| cards.iter().map(ToString::to_string).collect::<Vec<_>>();
    let replayed = round.replayed.as_ref();
    without_defaults(json!({
        "roundId": round.round_id.to_string(),
        "table": round.table.as_str(),
        "roundNo": round.round_no.to_string(),
        "disposition": match round.ending {
            Some(Ending::Settled) => "DISPOSITION_SETTLE",
            Some(Ending::Void) => "DISPOSITION_VOID",
            None => "",
        },
        "roundSeed": replayed.map_or(String::new(), |r| hex::encode(r.round_seed.expose())),
        "dice": replayed.map_or(&[][..], |r| &r.dice),
        "deck": replayed.map_or(Vec::new(), |r| cards(&r.deck)),
    }))
}

/// Leaves out empty strings and lists, as canonical proto JSON does.
fn without_defaults(mut value: Value) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, value| *value != json!("") && *value != json!([]));
    }
    value
}
