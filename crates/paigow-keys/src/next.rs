//! `paigow-keys manifest next`: the description of the next manifest, written from the newest one.
//! An operator edits it instead of typing it again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::manifest::parse;
use super::records;
use paigow_fairness::encoding::{Hash, hex_bytes};
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::manifest::{
    Epoch, EpochStatus, ExternalPolicy, Manifest, ManifestTenant, Policy, SaltSource,
};
use paigow_fairness::payload::Members;
use paigow_fairness::seed::{house_way_hash, ruleset_hash};
use paigow_files::command::{CommandError, parse_rules, read_text};
use paigow_files::utc;
use paigow_rules::game::{self, Ruleset};
use paigow_rules::house_way::{self, HouseWay};
use serde::Deserialize;

/// Writes the description that would sign the newest manifest of `chain` again, with the next
/// number and hash. The operator then edits it by hand.
///
/// Names compiled-in rulesets and house ways by id, and others by the path of their file among
/// `files`. Epochs that wait for a salt get it from the file `salts`, as `paigow-witness` writes
/// it.
///
/// # Errors
///
/// Returns [`CommandError`] if the file is not a chain of manifests. Also if it lists rules that
/// are neither compiled in nor among the files. Also if the file of salts has a salt for which no
/// epoch waits.
pub fn next(
    chain: &Path,
    rulesets: &[PathBuf],
    house_ways: &[PathBuf],
    salts: Option<&Path>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let newest = records(chain)?.pop();
    let Some(mut manifest) = newest.as_ref().map(parse).transpose()? else {
        return Err(CommandError::Data(format!("{}: the file has no record", chain.display())));
    };
    if let Some(path) = salts {
        let fault = |what: String| CommandError::Data(format!("{}: {what}", path.display()));
        salt(&mut manifest, &read_text(path)?).map_err(fault)?;
    }
    let at_hand = KnownRules::load(rulesets, house_ways)?;
    out.write_all(describe(&manifest, &at_hand)?.as_bytes())?;
    Ok(())
}

/// A salt in the file of a witness.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WitnessSalt {
    party: String,
    value: String,
    signature: String,
}

/// Puts the salts of a witness into the epochs that wait for them.
fn salt(manifest: &mut Manifest, text: &str) -> Result<(), String> {
    let salts: BTreeMap<String, WitnessSalt> =
        toml::from_str(text).map_err(|error| error.message().to_owned())?;
    for (number, given) in salts {
        let waits = |epoch: &&mut Epoch| epoch.epoch.to_string() == number;
        let epoch = manifest.epochs.iter_mut().find(waits);
        let Some(SaltSource::Party { key, value: value @ None }) =
            epoch.and_then(|epoch| epoch.salt_source.as_mut())
        else {
            return Err(format!("no epoch {number} of the newest manifest waits for a salt"));
        };
        if given.party != key.to_string() {
            return Err(format!("epoch {number} waits for a salt of another witness, {key}"));
        }
        let bytes = |what: &str| format!("epoch {number}: {what}");
        *value = Some((
            hex_bytes(&given.value).map_err(|_| bytes("a value is 64 hex digits"))?,
            hex_bytes(&given.signature).map_err(|_| bytes("a signature is 128 hex digits"))?,
        ));
    }
    Ok(())
}

/// The name that a description uses for rules, by content hash.
struct KnownRules(BTreeMap<Hash, String>);

impl KnownRules {
    fn load(rulesets: &[PathBuf], house_ways: &[PathBuf]) -> Result<Self, CommandError> {
        let of_ruleset = |ruleset: &Ruleset| ruleset_hash(ruleset.id(), ruleset.text().as_bytes());
        let of_way = |way: &HouseWay| house_way_hash(way.id(), way.text().as_bytes());
        let mut names = BTreeMap::new();
        for path in rulesets {
            let hash = of_ruleset(&parse_rules(path, Ruleset::parse)?);
            names.insert(hash, path.display().to_string());
        }
        for path in house_ways {
            let hash = of_way(&parse_rules(path, HouseWay::parse)?);
            names.insert(hash, path.display().to_string());
        }
        // Compiled-in rules need no file.
        names.extend(game::shipped().iter().map(|r| (of_ruleset(r), r.id().to_owned())));
        names.extend(house_way::shipped().iter().map(|w| (of_way(w), w.id().to_owned())));
        Ok(Self(names))
    }

    fn name(&self, what: &str, id: &impl ToString, hash: &Hash) -> Result<&str, CommandError> {
        self.0.get(hash).map(String::as_str).ok_or_else(|| {
            let id = id.to_string();
            CommandError::Usage(format!(
                "{what} {id} (hash {hash}) is not compiled in: give its file with --ruleset or --house-way"
            ))
        })
    }
}

/// A member of a TOML table on a line of its own.
fn member(out: &mut String, key: &str, value: impl std::fmt::Debug) {
    writeln!(out, "{key} = {value:?}").expect("a string takes all text");
}

fn describe(manifest: &Manifest, at_hand: &KnownRules) -> Result<String, CommandError> {
    let mut out = format!(
        "# The content of manifest {}. Change it for manifest {}.\n\n",
        manifest.seq,
        manifest.seq + 1
    );
    member(&mut out, "engine", manifest.engine.as_str());
    let rulesets = manifest.rulesets.iter();
    let rulesets = rulesets.map(|listed| at_hand.name("ruleset", &listed.name, &listed.hash));
    member(&mut out, "rulesets", rulesets.collect::<Result<Vec<_>, _>>()?);
    let ways = manifest.house_ways.iter();
    let ways = ways.map(|listed| at_hand.name("house way", &listed.name, &listed.hash));
    member(&mut out, "house_ways", ways.collect::<Result<Vec<_>, _>>()?);
    out += "\n[root]\n";
    member(&mut out, "threshold", manifest.root.threshold);
    member(&mut out, "keys", texts(&manifest.root.keys));
    if let Some(beacon) = &manifest.beacon {
        out += "\n[beacon]\n";
        member(&mut out, "id", beacon.id.as_str());
        out += &format!("genesis = {}\n", utc::toml(beacon.genesis));
        member(&mut out, "group", beacon.group.to_string());
        member(&mut out, "period", beacon.period);
        member(&mut out, "public", hex::encode(beacon.key));
    }
    if let Some(log) = &manifest.log {
        out += "\n[log]\n";
        member(&mut out, "origin", log.origin.as_str());
        member(&mut out, "public", log.key.to_string());
    }
    for listed in &manifest.receipt_keys {
        out += "\n[[receipt_keys]]\n";
        member(&mut out, "public", listed.key.to_string());
        if listed.revoked {
            member(&mut out, "revoked", true);
        }
    }
    for listed in &manifest.epochs {
        epoch(&mut out, listed);
    }
    for listed in &manifest.tenants {
        tenant(&mut out, listed)?;
    }
    for build in manifest.builds.iter().flatten() {
        out += "\n[[builds]]\n";
        member(&mut out, "name", build.name.as_str());
        member(&mut out, "digest", build.digest.to_string());
    }
    Ok(out)
}

fn texts(items: &[impl ToString]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

fn epoch(out: &mut String, listed: &Epoch) {
    *out += "\n[[epochs]]\n";
    member(out, "epoch", listed.epoch);
    member(out, "suite", listed.suite.name());
    if let Some(commit) = &listed.commit {
        member(out, "commit", commit.to_string());
    }
    if let Some(key) = &listed.vrf_key {
        member(out, "vrf_key", key.to_string());
    }
    for (key, seconds) in [
        ("open_from", listed.open_from),
        ("open_until", listed.open_until),
        ("settle_until", listed.settle_until),
    ] {
        *out += &format!("{key} = {}\n", utc::toml(seconds));
    }
    match listed.status {
        EpochStatus::Active => {}
        EpochStatus::Revoked => member(out, "status", "revoked"),
        EpochStatus::Revealed => member(out, "status", "revealed"),
    }
    match &listed.salt_source {
        None => {}
        Some(SaltSource::None) => member(out, "salt", "none"),
        Some(SaltSource::Party { key, value: None }) => {
            *out += &format!("salt = {{ party = \"{key}\" }}\n");
        }
        Some(SaltSource::Party { key, value: Some((value, signature)) }) => {
            let (value, signature) = (hex::encode(value), hex::encode(signature));
            *out += &format!(
                "salt = {{ party = \"{key}\", value = \"{value}\", signature = \"{signature}\" }}\n"
            );
        }
        Some(SaltSource::Drand { named, signature }) => {
            let signature = signature.map(|one| format!(", signature = \"{}\"", hex::encode(one)));
            let (round, signature) = (named.round, signature.unwrap_or_default());
            *out += &format!("salt = {{ beacon_round = {round}{signature} }}\n");
        }
    }
}

fn tenant(out: &mut String, listed: &ManifestTenant) -> Result<(), CommandError> {
    *out += "\n[[tenants]]\n";
    member(out, "tenant", listed.tenant.as_str());
    policy(out, listed.policy)?;
    member(out, "ledger_keys", texts(&listed.ledger_keys));
    if let Some(tables) = &listed.tables {
        member(out, "tables", texts(tables));
    }
    Ok(())
}

/// Writes the switches by the words that records have for them.
fn policy(out: &mut String, policy: Policy) -> Result<(), CommandError> {
    let unreadable = |error| CommandError::Data(format!("policy: {error}"));
    let mut members = Members::of(policy.to_json()).map_err(unreadable)?;
    for key in ["lock", "chain", "client", "seat_auth"] {
        member(out, key, members.text(key).map_err(unreadable)?);
    }
    if let Some(absent) = members.optional("absent", Members::text).map_err(unreadable)? {
        member(out, "absent", absent);
    }
    if policy.external != ExternalPolicy::None {
        member(out, "external", members.text("external").map_err(unreadable)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::ManifestDescription;
    use paigow_engine::SecretKey;
    use paigow_fairness::beacon::{Beacon, BeaconRound};
    use paigow_fairness::log_proof::PublicLog;
    use paigow_fairness::manifest::{
        AbsentPolicy, Build, ClientPolicy, ReceiptKey, Root, SeatAuth, Suite,
    };
    use paigow_fairness::signature::PublicKey;
    use paigow_fairness::signature::Signer;

    fn key(byte: u8) -> PublicKey {
        SecretKey::from_bytes(&[byte; 32]).public()
    }

    fn quicknet() -> Beacon {
        Beacon {
            genesis: 1_692_803_367,
            group: "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"
                .parse()
                .unwrap(),
            id: "quicknet".parse().unwrap(),
            period: 3,
            key: Beacon::QUICKNET_KEY,
        }
    }

    /// A manifest with everything that a description can say.
    fn manifest() -> Manifest {
        let witness = SecretKey::from_bytes(&[9; 32]);
        let commit = Hash::of(b"commit");
        let announcement = Hash::of(b"announcement");
        let statement =
            paigow_fairness::seed::epoch_salt_statement(1, &announcement, &commit, &[5; 32]);
        let value = Some(([5; 32], witness.sign(&statement)));
        let source = |value| Some(SaltSource::Party { key: witness.public(), value });
        let epoch = |epoch: u32, salt_source: Option<SaltSource>, status| Epoch {
            epoch,
            suite: Suite::Derived,
            commit: Some(commit),
            salt: salt_source
                .as_ref()
                .and_then(|source| source.salt(epoch, None, &commit, Some(&quicknet())).unwrap()),
            vrf_key: None,
            salt_source,
            open_from: 1_796_104_800 + 86_400 * u64::from(epoch),
            open_until: 1_796_191_200 + 86_400 * u64::from(epoch),
            settle_until: 1_799_999_999,
            status,
        };
        let tenant = |tenant: &str, policy, tables| ManifestTenant {
            ledger_keys: vec![key(6), key(7)],
            policy,
            tables,
            tenant: tenant.parse().unwrap(),
        };
        let strict = Policy {
            client: ClientPolicy::Committed,
            lock_required: true,
            chain_required: true,
            seat_auth: SeatAuth::Required,
            absent: AbsentPolicy::Optional,
            external: ExternalPolicy::Drand,
        };
        let shipped = paigow_round::Catalogue::shipped();
        let named = BeaconRound { chain: Beacon::QUICKNET, round: 123 };
        // https://api3.drand.sh/CHAIN/public/123
        let signature = hex_bytes(
            "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0\
             dfc92",
        );
        let drand = |signature| Some(SaltSource::Drand { named, signature });
        Manifest {
            beacon: Some(quicknet()),
            log: Some(PublicLog { origin: "log.example/acme".parse().unwrap(), key: key(8) }),
            builds: Some(vec![Build { digest: Hash::of(b"x"), name: "a-1".parse().unwrap() }]),
            engine: "pge-1".parse().unwrap(),
            epochs: vec![
                epoch(1, source(value), EpochStatus::Revoked),
                epoch(2, source(None), EpochStatus::Active),
                epoch(3, Some(SaltSource::None), EpochStatus::Revealed),
                epoch(4, drand(signature.ok()), EpochStatus::Active),
                epoch(5, drand(None), EpochStatus::Active),
            ],
            house_ways: paigow_files::keys::listed_house_ways(&shipped).unwrap(),
            prev: Hash::of(b"before"),
            receipt_keys: vec![
                ReceiptKey { key: key(4), revoked: false },
                ReceiptKey { key: key(5), revoked: true },
            ],
            root: Root { keys: vec![key(1), key(2), key(3)], threshold: 2 },
            rulesets: paigow_files::keys::listed_rulesets(&shipped).unwrap(),
            seq: 41,
            tenants: vec![
                tenant("acme", strict, Some(vec!["T1".parse().unwrap()])),
                tenant("dev", Policy::DEV, None),
            ],
        }
    }

    #[test]
    fn the_description_of_a_manifest_makes_the_same_manifest() {
        let at_hand = KnownRules::load(&[], &[]).unwrap();
        let text = describe(&manifest(), &at_hand).unwrap();
        assert!(text.starts_with("# The content of manifest 41. Change it for manifest 42.\n"));
        let again =
            ManifestDescription::parse(&text).unwrap().manifest(41, Hash::of(b"before")).unwrap();
        assert_eq!(again, manifest());
        // A fresh epoch has neither commitment nor salt; no build is no list of builds.
        let mut fresh = manifest();
        fresh.builds = None;
        fresh.epochs.truncate(1);
        let epoch = &mut fresh.epochs[0];
        (epoch.suite, epoch.commit, epoch.salt_source, epoch.salt) =
            (Suite::Fresh, None, None, None);
        let text = describe(&fresh, &at_hand).unwrap();
        let again =
            ManifestDescription::parse(&text).unwrap().manifest(41, Hash::of(b"before")).unwrap();
        assert_eq!(again, fresh);
    }

    #[test]
    fn rules_that_are_not_at_hand_are_not_left_out() {
        let mut manifest = manifest();
        manifest.rulesets[0].hash = Hash::of(b"an operator's own");
        let at_hand = KnownRules::load(&[], &[]).unwrap();
        let told = describe(&manifest, &at_hand).unwrap_err().to_string();
        assert!(told.contains("is not compiled in: give its file"), "{told}");
    }
}
