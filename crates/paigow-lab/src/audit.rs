//! `paigow-lab audit`: a transcript recomputed offline, with nothing trusted but the
//! root keys.

use std::io::Write;
use std::path::PathBuf;

use super::{CommandError, CommandOutcome, parse_rules};
use paigow_fairness::manifest::Root;
use paigow_round::Catalogue;
use paigow_round::audit::{
    self, AuditCheck, AuditReport, AuditVerdict, CheckCode, CheckStatus, RoundEnding,
};
use paigow_rules::cards::codes;
use paigow_rules::game::{self, Ruleset};
use paigow_rules::house_way::{self, HouseWay};
use paigow_wire::audited;
use paigow_wire::proto_json::to_json;

/// How findings are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AuditFormat {
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
pub fn catalogue(rulesets: &[PathBuf], house_ways: &[PathBuf]) -> Result<Catalogue, CommandError> {
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
        CommandError::Data(lines.join("\n"))
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
    format: AuditFormat,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let report = audit::audit(transcript, root, catalogue);
    match format {
        AuditFormat::Table => write_table(&report, out)?,
        AuditFormat::Json => {
            let answer = audited(String::new(), &report, root);
            writeln!(out, "{}", to_json("AuditResponse", &answer))?;
        }
    }
    Ok(match report.verdict {
        AuditVerdict::Match => CommandOutcome::Well,
        AuditVerdict::Mismatch => CommandOutcome::WithFindings,
        AuditVerdict::Incomplete => CommandOutcome::Incomplete,
    })
}

fn write_table(report: &AuditReport, out: &mut dyn Write) -> Result<(), CommandError> {
    for (place, round) in (1..).zip(&report.rounds) {
        let ending = match round.ending {
            Some(RoundEnding::Settled) => "settled",
            Some(RoundEnding::Void) => "void",
            None => "without a close",
        };
        writeln!(out, "round {place}: table {}, number {}, {ending}", round.table, round.round_no)?;
        writeln!(out, "  id    {}", round.round_id)?;
        if let Some(replayed) = &round.replayed {
            writeln!(out, "  deck  {}", codes(&replayed.deck))?;
            if let Some([first, second, third]) = replayed.dice {
                writeln!(out, "  dice  {first} {second} {third}")?;
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
        (AuditVerdict::Mismatch, Some(code)) => format!(": {} failed first", code.name()),
        (AuditVerdict::Mismatch, None) => String::new(),
        (AuditVerdict::Match, _) => ": everything was recomputed and is as recorded".to_owned(),
        (AuditVerdict::Incomplete, _) => {
            ": nothing is wrong, but a round has no close or its results were not recomputed"
                .to_owned()
        }
    };
    writeln!(out, "\nverdict: {}{because}", report.verdict.name())?;
    Ok(())
}

/// What a person needs to know of a check.
fn note(check: &AuditCheck) -> String {
    let place = if check.place.is_empty() { String::new() } else { format!("{}: ", check.place) };
    match check.status {
        CheckStatus::Passed => meaning(check.code).to_owned(),
        CheckStatus::Skipped => format!("{place}{}", check.found),
        CheckStatus::Failed if check.expected.is_empty() => format!("{place}{}", check.found),
        CheckStatus::Failed => format!("{place}expected {}, found {}", check.expected, check.found),
    }
}

/// What has been shown where the check passes.
const fn meaning(code: CheckCode) -> &'static str {
    match code {
        CheckCode::Format => "every line is a record, in its order, each at most once a round",
        CheckCode::Canonical => "every payload is in the one form that is signed",
        CheckCode::ManifestSig => "enough of the trusted root keys signed the manifests",
        CheckCode::ManifestRules => "the manifests keep the rules by which a server loads them",
        CheckCode::ManifestLink => {
            "the manifest lists epoch, tenant, ruleset and engine of each round"
        }
        CheckCode::Signatures => "every record is signed by a key that the manifest gives its role",
        CheckCode::Chain => "the records of each round link to one another",
        CheckCode::Policy => "what the tenant's policy demands is there",
        CheckCode::RoundId => "each round's id follows from its place",
        CheckCode::Genesis => "each round follows the close of the one before, or the manifest",
        CheckCode::ClientCommit => "the client seeds are those committed to before the deal",
        CheckCode::LockCoversActions => "the final lock covers exactly the players' decisions",
        CheckCode::Commit => "the server seed is the one committed to before the deal",
        CheckCode::Replay => "seed, deck and dice follow from the revealed seeds",
        CheckCode::DeckCommit => "the deck was fixed when the first cards were shown",
        CheckCode::CardsShown => "the cards shown are those that the deck deals",
        CheckCode::Results => "hands, wins and money follow from the rules",
        CheckCode::EpochCommit => "the epoch's secret is the one committed to",
        CheckCode::EpochSalt => "the epoch's salt is what its source gives",
        CheckCode::SaltAfterCommit => "the salt came after the commitment",
        CheckCode::SeedWasNotChosen => "each server seed was derived, not chosen",
        CheckCode::NoFork => "no round has two different records of one kind",
    }
}
