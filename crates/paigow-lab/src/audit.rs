//! `paigow-lab audit`: recomputes a transcript offline, and trusts only the given keys.

use std::io::Write;
use std::path::PathBuf;

use super::{CommandError, CommandOutcome, parse_rules};
use paigow_round::Catalogue;
use paigow_round::audit::{
    self, AuditCheck, AuditReport, AuditTerms, AuditVerdict, CheckCode, CheckStatus, ClaimFinding,
    ClaimStatus, RoundEnding,
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

/// The request of `paigow-lab audit`.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// The terms of the audit.
    pub terms: AuditTerms,
    /// The names of claims that have to be shown.
    pub required: Vec<String>,
    /// How findings are written.
    pub format: AuditFormat,
}

/// Makes the catalogue of the compiled-in rules and of the given files.
///
/// # Errors
///
/// If a file cannot be read or is malformed. The error lists every fault of the file.
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

/// Audits a transcript and writes every check, every claim and the verdict.
///
/// # Errors
///
/// If output fails. A malformed transcript is no error but a verdict.
pub fn run(
    transcript: &[u8],
    request: &AuditRequest,
    catalogue: &Catalogue,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let report = audit::audit(transcript, &request.terms, catalogue);
    match request.format {
        AuditFormat::Table => write_table(&report, out)?,
        AuditFormat::Json => {
            let answer = audited(String::new(), &report, &request.terms);
            writeln!(out, "{}", to_json("AuditResponse", &answer))?;
        }
    }
    Ok(outcome(report.verdict(), &report.claims, &request.required))
}

/// Returns the outcome of an audit, from its verdict and the required claims.
pub(crate) fn outcome(
    verdict: AuditVerdict,
    claims: &[ClaimFinding],
    required: &[String],
) -> CommandOutcome {
    let of_verdict = match verdict {
        AuditVerdict::Match => CommandOutcome::Well,
        AuditVerdict::Mismatch => CommandOutcome::WithFindings,
        AuditVerdict::Incomplete => CommandOutcome::Incomplete,
        AuditVerdict::Pending => CommandOutcome::Pending,
    };
    let required = claims.iter().filter(|found| required.contains(&found.claim.name));
    let of_claims = required.map(|found| match found.status {
        ClaimStatus::Shown => CommandOutcome::Well,
        ClaimStatus::Pending => CommandOutcome::Pending,
        ClaimStatus::NotShown => CommandOutcome::Incomplete,
    });
    // The first of 1, 2, 3, 0.
    let rank = |outcome: &CommandOutcome| match outcome.code() {
        0 => u8::MAX,
        code => code,
    };
    of_claims.chain([of_verdict]).min_by_key(rank).unwrap_or(of_verdict)
}

/// Writes the claims for people.
pub(crate) fn write_claims(claims: &[ClaimFinding], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "\n{:<25} {:<10} note", "claim", "status")?;
    for found in claims {
        let note = match found.status {
            ClaimStatus::Shown if found.why.is_empty() => found.claim.shows.clone(),
            ClaimStatus::Shown => format!("{} ({})", found.claim.shows, found.why),
            ClaimStatus::Pending | ClaimStatus::NotShown => found.why.clone(),
        };
        let status = found.status.name().replace('_', " ");
        writeln!(out, "{:<25} {status:<10} {note}", found.claim.name)?;
    }
    Ok(())
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
    write_claims(&report.claims, out)?;
    writeln!(out, "\nverdict: {}: {}", report.verdict().name(), report.because())?;
    Ok(())
}

/// Returns the note that a person needs about a check.
fn note(check: &AuditCheck) -> String {
    let place = if check.place.is_empty() { String::new() } else { format!("{}: ", check.place) };
    match check.status {
        CheckStatus::Passed => meaning(check.code).to_owned(),
        CheckStatus::Skipped => format!("{place}{}", check.found),
        CheckStatus::Failed if check.expected.is_empty() => format!("{place}{}", check.found),
        CheckStatus::Failed => format!("{place}expected {}, found {}", check.expected, check.found),
    }
}

/// Returns the fact that a check shows if it passes.
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
        CheckCode::Supersedes => "each lock supersedes exactly the spent locks before it",
        CheckCode::Commit => "the server seed is the one committed to before the deal",
        CheckCode::Replay => "seed, deck and dice follow from the revealed seeds",
        CheckCode::DeckCommit => "the deck was fixed when the first cards were shown",
        CheckCode::CardsShown => "the cards shown are those that the deck deals",
        CheckCode::DealerShown => "the dealer's hand is shown as set, where the ruleset exposes it",
        CheckCode::Results => "hands, wins and money follow from the rules",
        CheckCode::Beacon => "each deal has the beacon's signature that its ticket waits for",
        CheckCode::EpochCommit => "the epoch's secret is the one committed to",
        CheckCode::EpochSalt => "the epoch's salt is what its source gives",
        CheckCode::SaltAfterCommit => "the salt came after the commitment",
        CheckCode::SeedProof => "each server seed is the one that its proof shows",
        CheckCode::SeedWasNotChosen => "each server seed was derived, not chosen",
        CheckCode::PlaceListed => "the table was listed before the salt was known",
        CheckCode::PlaceNotChosen => "your seat's seed is in the deck and in no other round",
        CheckCode::Logged => "the public log has ticket, wagers and close, as your witness signed",
        CheckCode::LockedBeforeBeacon => "your witness dated the wagers before the beacon's round",
        CheckCode::EpochClose => "the file has every round that the close of the epoch counts",
        CheckCode::NoFork => "no round has two different records of one kind",
    }
}
