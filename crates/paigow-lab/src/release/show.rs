//! `paigow-lab release show`: a record for people.

use std::io::Write;
use std::path::Path;

use super::read;
use crate::{CommandError, CommandOutcome};
use paigow_files::release::{Envelope, Release};
use paigow_verifier_page::SINGLE_FILE;

/// Shows a record without verifying it.
///
/// # Errors
///
/// If the file is not a release record, or output fails.
pub fn show(path: &Path, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let (envelope, release) = read(path)?;
    summary(&envelope, &release, out)?;
    for (what, list) in [
        ("setting", &release.configurations),
        ("ruleset", &release.rulesets),
        ("house way", &release.house_ways),
    ] {
        for named in list {
            writeln!(out, "{what:<10} {} {}", named.hash, named.name)?;
        }
    }
    writeln!(out, "signatures {}, not verified here", envelope.signatures().len())?;
    Ok(CommandOutcome::Well)
}

/// Writes the summary of a record, and its binaries.
pub(super) fn summary(
    envelope: &Envelope,
    release: &Release,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut row = |name: &str, value: String| writeln!(out, "{name:<10} {value}");
    row("release", format!("{}, engine {}", release.version, release.engine))?;
    row("record", envelope.hash().to_string())?;
    if let Some(prev) = &release.prev {
        row("prev", prev.to_string())?;
    }
    if let Some(created) = &release.created {
        row("created", created.clone())?;
    }
    row("revision", release.revision.clone())?;
    row("self-test", release.self_test.to_string())?;
    let critical = &release.critical;
    row("critical", format!("{} {} inputs", critical.hash(), critical.inputs().len()))?;
    for (name, hash) in critical.parts() {
        row("part", format!("{hash} {name}"))?;
    }
    for binary in &release.binaries {
        row("binary", format!("{} {}, {} bytes", binary.sha256, binary.name, binary.size))?;
        if let Some(build) = &binary.build {
            row("build", build.to_string())?;
        }
    }
    for binary in &release.libraries {
        row("library", format!("{} {}, {} bytes", binary.sha256, binary.name, binary.size))?;
    }
    let page = release.page;
    row("page", format!("{} {SINGLE_FILE}, {} bytes", page.sha256, page.size))?;
    let (rulesets, ways) = (release.rulesets.len(), release.house_ways.len());
    let settings = release.configurations.len();
    row("lists", format!("{rulesets} rulesets, {ways} house ways, {settings} settings"))?;
    Ok(())
}
