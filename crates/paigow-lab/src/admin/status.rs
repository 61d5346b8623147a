//! The status of replicas, their verification, and their switches.

use std::io::Write;

use serde_json::{Value, json};

use super::replicas::{Replica, timed};
use crate::play::table::refused;
use crate::{CommandError, CommandOutcome, counted};
use paigow_files::utc;
use paigow_proto::v1 as pb;
use paigow_wire::proto_json::to_json;

/// Returns the outcome of a command with or without findings.
const fn outcome(found: bool) -> CommandOutcome {
    if found { CommandOutcome::WithFindings } else { CommandOutcome::Well }
}

/// Asks a replica for its status. An error is a finding.
async fn asked(replica: &mut Replica) -> Result<pb::GetStatusResponse, String> {
    let client = replica.client.as_mut().map_err(|why| why.clone())?;
    let answer = client.get_status(timed(pb::GetStatusRequest {})).await;
    answer.map(tonic::Response::into_inner).map_err(|status| refused(&status).to_string())
}

/// Writes the status of each replica.
pub(super) async fn status(
    replicas: &mut [Replica],
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let mut found = false;
    for replica in replicas {
        let answer = asked(replica).await;
        found |= answer.as_ref().map_or(true, is_in_trouble);
        match &answer {
            _ if json => {
                let answer = answer.map(|status| to_json("GetStatusResponse", &status));
                write_json(&replica.name, "status", answer, out)?;
            }
            Ok(status) => write_status(&replica.name, status, out)?,
            Err(why) => writeln!(out, "{}\n  no status      {why}", replica.name)?,
        }
    }
    Ok(outcome(found))
}

/// Lets each replica verify itself.
pub(super) async fn verify(
    replicas: &mut [Replica],
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let mut found = false;
    for replica in replicas {
        let answer = match &mut replica.client {
            Err(why) => Err(why.clone()),
            Ok(client) => {
                let answer = client.verify_engine(timed(pb::VerifyEngineRequest {})).await;
                let answer = answer.map(tonic::Response::into_inner);
                answer.map_err(|status| refused(&status).to_string())
            }
        };
        found |= answer.as_ref().map_or(true, |answer| !answer.passed);
        match &answer {
            _ if json => {
                let answer = answer.map(|answer| to_json("VerifyEngineResponse", &answer));
                write_json(&replica.name, "verification", answer, out)?;
            }
            Ok(answer) => {
                let verdict = if answer.passed { "passed" } else { "FAILED" };
                writeln!(out, "{}\n  verification   {verdict}", replica.name)?;
                for check in &answer.checks {
                    let told = match check.status() {
                        pb::CheckStatus::Passed => "passed".to_owned(),
                        pb::CheckStatus::Skipped => "skipped".to_owned(),
                        pb::CheckStatus::Failed | pb::CheckStatus::Unspecified => {
                            format!("FAILED: expected {}, found {}", check.expected, check.found)
                        }
                    };
                    writeln!(out, "  {:<14} {told}", check.code.to_lowercase())?;
                }
            }
            Err(why) => writeln!(out, "{}\n  no answer      {why}", replica.name)?,
        }
    }
    Ok(outcome(found))
}

/// Writes the switches of each replica, and whether they differ.
pub(super) async fn switches(
    replicas: &mut [Replica],
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let mut found = false;
    let mut first: Option<Vec<pb::SwitchInForce>> = None;
    for replica in replicas {
        let answer = asked(replica).await.map(|status| status.switches);
        match &answer {
            Err(_) => found = true,
            Ok(switches) => found |= first.get_or_insert_with(|| switches.clone()) != switches,
        }
        match &answer {
            _ if json => {
                let all = |all: Vec<pb::SwitchInForce>| -> Value {
                    all.iter().map(|one| to_json("SwitchInForce", one)).collect()
                };
                write_json(&replica.name, "switches", answer.map(all), out)?;
            }
            Ok(switches) => {
                writeln!(out, "{}", replica.name)?;
                write_switches(switches, out)?;
            }
            Err(why) => writeln!(out, "{}\n  no status      {why}", replica.name)?,
        }
    }
    if found && !json {
        writeln!(out, "the replicas differ, or one does not answer: compare their access files")?;
    }
    Ok(outcome(found))
}

/// Writes an answer as one line of JSON, under a name of its own.
fn write_json(
    server: &str,
    name: &str,
    answer: Result<Value, String>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let told = match answer {
        Ok(answer) => json!({ "server": server, name: answer }),
        Err(why) => json!({ "server": server, "error": why }),
    };
    Ok(writeln!(out, "{told}")?)
}

/// Returns whether a replica needs an operator.
fn is_in_trouble(status: &pb::GetStatusResponse) -> bool {
    let evidence = status.evidence.unwrap_or_default();
    !status.obstacles.is_empty()
        || evidence.failing_since_ms != 0
        || evidence.unacknowledged_losses != 0
        || status.verification.is_some_and(|last| !last.passed)
}

fn time(seconds: i64) -> String {
    utc::text(u64::try_from(seconds).unwrap_or(0))
}

/// Returns a name of an enum as words, without the prefix that all of its names share.
fn words(name: &str, prefix: &str) -> String {
    name.trim_start_matches(prefix).to_lowercase().replace('_', " ")
}

fn write_status(
    name: &str,
    status: &pb::GetStatusResponse,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut row = |key: &str, value: &str| writeln!(out, "  {key:<14} {value}");
    let obstacles: Vec<String> = status
        .obstacles()
        .map(|obstacle| words(obstacle.as_str_name(), "NEW_ROUNDS_OBSTACLE_"))
        .collect();
    let begin = match &obstacles[..] {
        [] => "begin".to_owned(),
        obstacles => format!("DO NOT BEGIN: {}", obstacles.join(", ")),
    };
    row("replica", &format!("{} at {name}", status.instance))?;
    row("version", &format!("{} ({})", status.version, status.git_revision))?;
    row("executable", &status.executable_sha256)?;
    row("started", &format!("{}; now {}", time(status.started_at), time(status.now)))?;
    row("new rounds", &begin)?;
    row("manifest", &format!("{} {}", status.manifest_sequence, status.manifest))?;
    for epoch in &status.epochs {
        let state = match (epoch.held, epoch.open) {
            (true, true) => "secret held, open",
            (true, false) => "secret held, not open",
            (false, _) => "SECRET NOT HELD",
        };
        let [from, until, settled] =
            [epoch.open_from, epoch.open_until, epoch.settle_until].map(time);
        let number = epoch.epoch;
        row("epoch", &format!("{number}: {state}; {from} to {until}, settled until {settled}"))?;
    }
    for key in &status.receipt_keys {
        let facts = [(key.signs, "signs"), (key.revoked, "revoked")];
        let facts: String =
            facts.iter().filter(|(holds, _)| *holds).map(|(_, word)| format!(", {word}")).collect();
        let held = if key.held { "held" } else { "NOT HELD" };
        row("receipt key", &format!("{}: {held}{facts}", key.public_key))?;
    }
    let verification = match &status.verification {
        None => "none yet".to_owned(),
        Some(last) => {
            let verdict = if last.passed { "passed" } else { "FAILED" };
            format!("{verdict} at {}", time(last.time))
        }
    };
    row("verification", &verification)?;
    row("evidence", &evidence(&status.evidence.unwrap_or_default()))?;
    for setting in &status.changed_settings {
        row("setting", setting)?;
    }
    write_switches(&status.switches, out)
}

fn evidence(evidence: &pb::EvidenceStatus) -> String {
    let mut told = words(evidence.target().as_str_name(), "EVIDENCE_TARGET_");
    if evidence.fail_closed {
        told += ", fail closed";
    }
    if evidence.failing_since_ms != 0 {
        told += &format!(", FAILING since {}", time(evidence.failing_since_ms / 1000));
    }
    told += &format!(", {} waiting", counted(evidence.waiting_lines, "line"));
    if evidence.unacknowledged_losses != 0 {
        let losses = i64::from(evidence.unacknowledged_losses);
        told += &format!(", {} LOST OR DAMAGED", counted(losses, "file"));
    }
    if let Some(files) = evidence.unshipped_files {
        let age = evidence.oldest_unshipped_seconds;
        told += &format!(", {} unshipped, the oldest for {age} s", counted(files, "file"));
    }
    told
}

fn write_switches(switches: &[pb::SwitchInForce], out: &mut dyn Write) -> Result<(), CommandError> {
    for switch in switches {
        let rulesets = if switch.rulesets.is_empty() {
            String::new()
        } else {
            format!(" ({})", switch.rulesets.join(", "))
        };
        let (name, scope, reason) = (&switch.name, &switch.scope, &switch.reason);
        writeln!(out, "  {:<14} {name}: {scope}{rulesets}: {reason}", "switch")?;
    }
    if switches.is_empty() {
        writeln!(out, "  {:<14} none", "switch")?;
    }
    Ok(())
}
