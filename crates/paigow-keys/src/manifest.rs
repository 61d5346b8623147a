//! `paigow-keys manifest`: from a description to a record with enough signatures.

use std::io::Write;
use std::path::Path;

use super::description::{EXAMPLE, ManifestDescription};
use super::signing::{CeremonyKey, add_signature as attach};
use super::{SigningArguments, records};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::manifest::{
    Epoch, EpochStatus, Manifest, Root, SaltSource, rule_faults, verify_chain,
};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::command::{CommandError, CommandOutcome, read_text};
use paigow_files::keys::KeyRole;
use paigow_files::utc;

/// Writes a description with every member, to be copied and filled in.
///
/// # Errors
///
/// If output fails.
pub fn example(out: &mut dyn Write) -> Result<(), CommandError> {
    out.write_all(EXAMPLE.as_bytes())?;
    Ok(())
}

/// Makes the manifest of a description, signs it with every key of `keys`, and writes
/// the record as one line.
///
/// `chain` has all manifests before, oldest first; without it the manifest is the first.
/// The keys have to be of the root that the manifest names, or of the one before it.
///
/// # Errors
///
/// Returns [`CommandError`] in these cases:
///
/// - The description is malformed.
/// - `chain` is not a chain from the first manifest on.
/// - The engine could not work with the chain and the new manifest. Every fault is reported.
/// - A key is not the root's.
pub fn sign(
    description: &Path,
    chain: Option<&Path>,
    keys: &SigningArguments,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let before = chain.map(linked).transpose()?.unwrap_or_default();
    let (seq, prev) = next_link(&before);
    let described = |error: CommandError| match error {
        CommandError::Data(what) => {
            CommandError::Data(format!("{}: {what}", description.display()))
        }
        other @ (CommandError::Usage(_)
        | CommandError::NoInput(_)
        | CommandError::Unavailable(_)
        | CommandError::CannotCreate(_)
        | CommandError::Io(_)) => other,
    };
    let manifest = ManifestDescription::parse(&read_text(description)?)
        .and_then(|description| description.manifest(seq, prev))
        .map_err(described)?;
    let mut record = RecordEnvelope::unsigned(RecordKind::Manifest, &manifest.to_json());
    // Read back as a server reads it, which refuses lists above its bounds.
    let manifest = parse(&record).map_err(described)?;
    check_content(&before, &manifest).map_err(described)?;
    for key in keys.open(&[KeyRole::Root])? {
        if !add(&mut record, &manifest, &before, key)? {
            return Ok(());
        }
    }
    writeln!(out, "{}", record.to_line())?;
    Ok(())
}

/// Adds the signature of one more root holder to a manifest record, the last line of
/// the file `record`, and writes it as one line.
///
/// `chain` has all manifests before, oldest first; the first manifest has none. The
/// function makes all checks again: no holder signs on trust.
///
/// # Errors
///
/// Returns [`CommandError`] in these cases:
///
/// - The file is not a manifest, or does not follow the last of `chain`.
/// - The engine could not work with it. Every fault is reported.
/// - The key is not the root's, or has signed already.
/// - The record has as many signatures as an envelope can have.
pub fn add_signature(
    record: &Path,
    chain: Option<&Path>,
    key: &SigningArguments,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let refuse = |what: String| CommandError::Data(format!("{}: {what}", record.display()));
    let mut signed =
        records(record)?.pop().ok_or_else(|| refuse("the file has no record".to_owned()))?;
    let manifest = parse(&signed)?;
    let before = chain.map(linked).transpose()?.unwrap_or_default();
    if chain.is_none() && manifest.seq > 1 {
        let what = "give the earlier manifests with --chain";
        return Err(CommandError::Usage(format!("manifest {}: {what}", manifest.seq)));
    }
    if (manifest.seq, manifest.prev) != next_link(&before) {
        let after = before.len();
        return Err(refuse(format!(
            "manifest {} does not follow the {after} manifests of the chain",
            manifest.seq
        )));
    }
    check_content(&before, &manifest).map_err(|error| refuse(error.to_string()))?;
    if add(&mut signed, &manifest, &before, key.open_one(&[KeyRole::Root])?)? {
        writeln!(out, "{}", signed.to_line())?;
    }
    Ok(())
}

/// Returns `seq` and `prev` of the manifest that follows a chain.
fn next_link(before: &[(RecordEnvelope, Manifest)]) -> (u64, Hash) {
    before.last().map_or((1, Hash::ZERO), |(record, manifest)| (manifest.seq + 1, record.hash()))
}

/// Fails with every fault that would keep a server from using `before` and `manifest`.
fn check_content(
    before: &[(RecordEnvelope, Manifest)],
    manifest: &Manifest,
) -> Result<(), CommandError> {
    let whole: Vec<&Manifest> =
        before.iter().map(|(_, manifest)| manifest).chain([manifest]).collect();
    let faults: Vec<String> = rule_faults(&whole)
        .into_iter()
        .map(|fault| if fault.index < before.len() { fault.to_string() } else { fault.what })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(CommandError::Data(faults.join("\n"))) }
}

/// Adds the signature of a root key. Returns whether the record has it, as [`attach`] does.
fn add(
    record: &mut RecordEnvelope,
    manifest: &Manifest,
    before: &[(RecordEnvelope, Manifest)],
    mut key: CeremonyKey,
) -> Result<bool, CommandError> {
    let refuse = |what: &str| Err(CommandError::Usage(format!("{key}: {what}")));
    let roots = [Some(manifest), before.last().map(|(_, manifest)| manifest)];
    let may_sign =
        roots.iter().flatten().any(|manifest| manifest.root.keys.contains(&key.public()));
    if !may_sign {
        return refuse("not a root key of the manifest");
    }
    if record.count_signers(&[key.public()]) > 0 {
        return refuse("this key has already signed the record");
    }
    if record.is_full() {
        return refuse("the record already has the maximum of 16 signatures");
    }
    attach(record, &mut key)
}

/// Shows a chain of manifests for people, and with a `root` verifies it.
///
/// # Errors
///
/// If the file is not a chain of manifests, has none, or output fails. A chain that does not
/// verify is a finding, and the fault is shown.
pub fn show(
    path: &Path,
    root: Option<&Root>,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let chain = records(path)?;
    if chain.is_empty() {
        return Err(CommandError::Data(format!("{}: the file has no record", path.display())));
    }
    for (place, record) in chain.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        show_one(&parse(record)?, record, out)?;
    }
    writeln!(out)?;
    let Some(root) = root else {
        writeln!(out, "signatures  not verified: give the trusted keys with --root")?;
        return Ok(CommandOutcome::Well);
    };
    match verify_chain(root, &chain) {
        Ok(_) => {
            writeln!(out, "signatures  good: every manifest is signed by the trusted root")?;
            Ok(CommandOutcome::Well)
        }
        Err(fault) => {
            writeln!(out, "signatures  BAD: {fault}")?;
            Ok(CommandOutcome::WithFindings)
        }
    }
}

fn show_one(
    manifest: &Manifest,
    record: &RecordEnvelope,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut row = |name: &str, value: String| writeln!(out, "{name:<11} {value}");
    row("manifest", manifest.seq.to_string())?;
    row("hash", record.hash().to_string())?;
    row("prev", manifest.prev.to_string())?;
    row("engine", manifest.engine.to_string())?;
    let root = &manifest.root;
    row("root", format!("{} of {} keys sign", root.threshold, root.keys.len()))?;
    for key in &root.keys {
        let signed = if record.count_signers(&[*key]) > 0 { "signed" } else { "has not signed" };
        row("", format!("{} {key} {signed}", key.kid()))?;
    }
    for listed in &manifest.receipt_keys {
        let note = if listed.revoked { " REVOKED" } else { "" };
        row("receipt key", format!("{} {}{note}", listed.key.kid(), listed.key))?;
    }
    if let Some(beacon) = &manifest.beacon {
        row("beacon", format!("{}, chain {}", beacon.id, beacon.chain()))?;
    }
    if let Some(log) = &manifest.log {
        row("log", format!("{} {}", log.origin, log.key))?;
    }
    for epoch in &manifest.epochs {
        row("epoch", format!("{}, {}", epoch.epoch, state(epoch)))?;
        row(
            "",
            format!("open    {} to {}", utc::text(epoch.open_from), utc::text(epoch.open_until)),
        )?;
        row("", format!("settle  until {}", utc::text(epoch.settle_until)))?;
        if let Some(commit) = epoch.commit {
            row("", format!("commit  {commit}"))?;
        }
        if let Some(key) = epoch.vrf_key {
            row("", format!("vrf key {key}"))?;
        }
        if let Some(source) = &epoch.salt_source {
            row("", format!("salt    {}", source_text(source)))?;
        }
    }
    for tenant in &manifest.tenants {
        let json = tenant.policy.to_bytes();
        let policy = String::from_utf8_lossy(&json).replace(['{', '}', '"'], "");
        row("tenant", format!("{}  {}", tenant.tenant, policy.replace(',', "  ")))?;
        for key in &tenant.ledger_keys {
            row("", format!("ledger  {} {key}", key.kid()))?;
        }
        for table in tenant.tables.iter().flatten() {
            row("", format!("table   {table}"))?;
        }
    }
    for ruleset in &manifest.rulesets {
        row("ruleset", format!("{}, {} cards, {}", ruleset.name, ruleset.cards, ruleset.hash))?;
    }
    for way in &manifest.house_ways {
        row("house way", format!("{}, {}", way.name, way.hash))?;
    }
    for build in manifest.builds.iter().flatten() {
        row("build", format!("{}, {}", build.name, build.digest))?;
    }
    Ok(())
}

fn state(epoch: &Epoch) -> String {
    let status = match epoch.status {
        EpochStatus::Active => "active",
        EpochStatus::Revoked => "REVOKED",
        EpochStatus::Revealed => "revealed",
    };
    let salted = if epoch.is_complete() { "complete" } else { "announced, salt to come" };
    format!("{}, {status}, {salted}", epoch.suite.name())
}

fn source_text(source: &SaltSource) -> String {
    match source {
        SaltSource::None => "none: development only".to_owned(),
        SaltSource::Party { key, value: None } => format!("to come from party {key}"),
        SaltSource::Party { key, value: Some((value, _)) } => {
            format!("{} from party {key}", hex::encode(value))
        }
        SaltSource::Drand { named, signature } => {
            let state = if signature.is_some() { "from" } else { "to come from" };
            format!("{state} round {} of the beacon", named.round)
        }
    }
}

/// Reads a file with all manifests, oldest first, whatever their signatures.
fn linked(path: &Path) -> Result<Vec<(RecordEnvelope, Manifest)>, CommandError> {
    let mut chain: Vec<(RecordEnvelope, Manifest)> = Vec::new();
    for (seq, record) in (1..).zip(records(path)?) {
        let manifest = parse(&record)?;
        let prev = chain.last().map_or(Hash::ZERO, |(before, _)| before.hash());
        if (manifest.seq, manifest.prev) != (seq, prev) {
            let what = format!(
                "manifest {seq} is missing from the chain, or does not follow the one before"
            );
            return Err(CommandError::Data(format!("{}: {what}", path.display())));
        }
        chain.push((record, manifest));
    }
    Ok(chain)
}

/// Reads a manifest record, whatever its signatures.
pub(super) fn parse(record: &RecordEnvelope) -> Result<Manifest, CommandError> {
    if record.kind() != RecordKind::Manifest {
        return Err(CommandError::Data(format!(
            "not a manifest: a {} record",
            record.kind().name()
        )));
    }
    record
        .json()
        .map_err(PayloadError::from)
        .and_then(Manifest::parse)
        .map_err(|error| CommandError::Data(format!("not a manifest: {error}")))
}
