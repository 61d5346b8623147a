//! The calls that replicas refused.

use std::io::Write;

use futures_util::StreamExt as _;
use futures_util::stream::select_all;
use serde_json::json;
use tonic::Request;

use super::replicas::Replica;
use crate::play::table::refused;
use crate::{CommandError, CommandOutcome};
use paigow_files::utc;
use paigow_proto::v1 as pb;
use paigow_wire::proto_json::to_json;

/// Writes the calls that each replica refused recently, and those that follow.
pub(super) async fn tail(
    replicas: &mut [Replica],
    (past, follow): (u16, bool),
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let mut outcome = CommandOutcome::Well;
    let mut streams = Vec::new();
    for replica in replicas {
        let name = replica.name.clone();
        let client = match &mut replica.client {
            Ok(client) => client,
            Err(why) => {
                outcome = CommandOutcome::WithFindings;
                match json {
                    true => writeln!(out, "{}", json!({ "server": name, "error": why }))?,
                    false => writeln!(out, "{name}: {why}")?,
                }
                continue;
            }
        };
        let request = Request::new(pb::TailRefusalsRequest { past: past.into(), follow });
        let stream = client.tail_refusals(request).await.map_err(|status| refused(&status))?;
        streams.push(stream.into_inner().map(move |answer| (name.clone(), answer)).boxed());
    }
    let mut answers = select_all(streams);
    while let Some((name, answer)) = answers.next().await {
        let answer = answer.map_err(|status| refused(&status))?;
        if json {
            let told = json!({
                "server": name, "refusal": to_json("TailRefusalsResponse", &answer),
            });
            writeln!(out, "{told}")?;
        } else {
            write_refusal(&name, &answer, out)?;
        }
        // Somebody watches.
        out.flush()?;
    }
    Ok(outcome)
}

fn write_refusal(
    name: &str,
    answer: &pb::TailRefusalsResponse,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    if answer.missed > 0 {
        writeln!(out, "{name}: {} refused calls were missed here", answer.missed)?;
    }
    let call = answer.call.clone().unwrap_or_default();
    let time = utc::text(u64::try_from(call.time_ms / 1000).unwrap_or(0));
    let method = call.method.rsplit('/').next().unwrap_or_default();
    let mut line = format!("{time}  {name}  {method}  {} {}", call.code, call.reason);
    for (key, value) in [
        ("field", &call.field),
        ("tenant", &call.tenant),
        ("client", &call.client),
        ("peer", &call.peer),
        ("request", &call.request_id),
    ] {
        if !value.is_empty() {
            line += &format!("  {key} {value}");
        }
    }
    Ok(writeln!(out, "{line}")?)
}
