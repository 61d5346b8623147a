//! The parts of a service that are read from files, at start and again when they change:
//! keyring and manifests, access, certificates. Each is taken whole or refused whole.

use std::path::Path;
use std::sync::Arc;

use super::host;
use paigow_config::access::{self, Access};
use paigow_config::{Config, KeyringConfig, Profile, RulesConfig, ServerConfig};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{EpochStatus, Manifest, ManifestChain, SaltSource, Suite};
use paigow_files::keys::{self, KeyAccess, LoadedKeys, Passphrase, SocketSigner, read_regular};
use paigow_files::rules_folder;
use paigow_round::{Catalogue, ENGINE_ID, ListedGame, NamingFault};
use paigow_rules::game::Fraction;

/// How many bytes an access file has at most: many thousands of clients.
const ACCESS_BYTES: usize = 16 << 20;

/// Loads what is compiled in and the operator's folder of rules.
///
/// # Errors
///
/// Every fault.
pub(super) fn catalogue(config: &RulesConfig) -> Result<Catalogue, Vec<String>> {
    let Some(folder) = &config.directory else { return Ok(Catalogue::shipped()) };
    rules_folder::catalogue(folder).map_err(|faults| {
        faults.into_iter().map(|fault| format!("rules.directory: {fault}")).collect()
    })
}

/// Reads the keyring for a start, and writes nothing. If the settings ask for a development keyring
/// and it does not exist, it is made in memory.
///
/// # Errors
///
/// Every fault; also that the keyring lacks the key that signs.
pub(super) fn keyring_for_start(
    config: &KeyringConfig,
    catalogue: &Catalogue,
) -> Result<LoadedKeys, Vec<String>> {
    if config.generate {
        let directory = &config.directory;
        let loaded = keys::preview_dev(directory, catalogue, host::now(), &mut host::entropy);
        return loaded.map_err(told_of_keyring);
    }
    let signing = keyring(config)?.that_signs(&config.directory);
    signing.map_err(told_of_keyring)
}

/// Opens the development keyring, and makes it first if it does not exist.
///
/// # Errors
///
/// Every fault.
pub(super) fn make_dev_keyring(
    config: &KeyringConfig,
    catalogue: &Catalogue,
) -> Result<LoadedKeys, Vec<String>> {
    let loaded = keys::open_dev(&config.directory, catalogue, host::now(), &mut host::entropy);
    loaded.map_err(told_of_keyring)
}

/// Reads the existing keyring.
///
/// # Errors
///
/// Every fault, except that it lacks the key that signs.
pub(super) fn keyring(config: &KeyringConfig) -> Result<LoadedKeys, Vec<String>> {
    let passphrase = config.passphrase_file.as_deref().map(Passphrase::read).transpose();
    let passphrase =
        passphrase.map_err(|fault| vec![format!("keyring.passphrase_file: {fault}")])?;
    let signer_path = config.signer.as_deref();
    let signer = signer_path.map(|path| Arc::new(SocketSigner::new(path, config.signer_timeout)));
    let access = KeyAccess { passphrase, signer };
    let (directory, manifests) = (&config.directory, config.manifests.as_deref());
    let loaded = keys::load_with(directory, manifests, config.root.clone(), &access);
    loaded.map_err(|faults| {
        let is_signer = |fault: &keys::KeyFault| {
            signer_path.is_some_and(|path| fault.path == path.display().to_string())
        };
        let told = |fault: keys::KeyFault| {
            let key = if is_signer(&fault) { "signer" } else { "directory" };
            format!("keyring.{key}: {fault}")
        };
        faults.into_iter().map(told).collect()
    })
}

fn told_of_keyring(faults: Vec<keys::KeyFault>) -> Vec<String> {
    faults.iter().map(|fault| format!("keyring.directory: {fault}")).collect()
}

/// Reads the access file, which lists the callers.
///
/// # Errors
///
/// Every fault.
pub(super) fn access(config: &Config) -> Result<Access, Vec<String>> {
    let Some(path) = &config.access.file else {
        return Ok(Access::of_everybody(config.server.tenant.clone()));
    };
    let told = |what: &str| format!("access.file: {}: {what}", path.display());
    let read = read_regular(path, ACCESS_BYTES);
    let bytes = read.map_err(|error| vec![told(&error.to_string())])?;
    let text = std::str::from_utf8(&bytes).map_err(|_| vec![told("not UTF-8 text")])?;
    access::parse(text).map_err(|faults| faults.iter().map(|fault| told(fault)).collect())
}

/// Returns every name in an access file that neither the manifest nor the rules have. A ruleset that
/// the manifest lists counts as known even if it is not loaded. In a rolling update the manifest lists
/// rules that older replicas lack.
pub(super) fn access_faults(
    config: &Config,
    access: &Access,
    manifest: &Manifest,
    catalogue: &Catalogue,
) -> Vec<String> {
    let Some(path) = &config.access.file else { return Vec::new() };
    let told = |what: &str| format!("access.file: {}: {what}", path.display());
    let mut faults = Vec::new();
    for tenant in access.tenants() {
        let name = &tenant.tenant;
        if manifest.tenant(name).is_none() {
            faults.push(told(&format!("the manifest lists no tenant {name}")));
        }
        for ruleset in tenant.rulesets.iter().flatten() {
            if let Err(error) = catalogue.game_listed(manifest, ruleset)
                && !matches!(error, NamingFault::NotLoaded { .. })
            {
                faults.push(told(&format!("tenant {name}: {error}")));
            }
        }
    }
    let switches = access.switches.named().into_iter();
    for (name, ruleset) in
        switches.flat_map(|(name, switch)| switch.rulesets.iter().map(move |one| (name, one)))
    {
        let listed = catalogue.game_listed(manifest, ruleset);
        if let Err(error) = catalogue.game_named(ruleset)
            && !matches!(listed, Err(NamingFault::NotLoaded { .. }))
        {
            faults.push(told(&format!("{name}.rulesets: {error}")));
        }
    }
    faults
}

/// Returns every conflict between the settings and the manifests.
pub(super) fn faults(
    config: &Config,
    manifests: &ManifestChain,
    catalogue: &Catalogue,
) -> Vec<String> {
    let manifest = &manifests.newest().manifest;
    let server = &config.server;
    let mut faults = Vec::new();
    if manifest.engine.as_str() != ENGINE_ID {
        faults.push(format!(
            "the manifest is for engine {}, this build is {ENGINE_ID}",
            manifest.engine
        ));
    }
    if config.access.file.is_none() && manifest.tenant(&server.tenant).is_none() {
        faults.push(format!("server.tenant: the manifest lists no tenant {}", server.tenant));
    }
    if !manifest.rulesets.iter().any(|listed| catalogue.game(&listed.hash).is_some()) {
        faults.push("this build has none of the rulesets that the manifest lists".to_owned());
    }
    for listed in &manifest.rulesets {
        let game = catalogue.game(&listed.hash);
        if let Some(what) = game.and_then(|game| game.listing_fault(manifest)) {
            faults.push(format!("the manifest lists ruleset {} with a fault: {what}", listed.name));
        }
    }
    faults.extend(dev_policy_fault(server, manifests));
    if server.profile == Profile::Production {
        production_faults(config, manifests, catalogue, &mut faults);
    }
    faults
}

/// Returns a fault if development policies are served to other machines.
fn dev_policy_fault(server: &ServerConfig, manifests: &ManifestChain) -> Option<String> {
    // Rounds that were opened under an older manifest go on under its policy.
    let mut tenants = manifests.all().iter().flat_map(|signed| &signed.manifest.tenants);
    let dev = tenants.find(|tenant| tenant.policy.is_dev())?;
    if server.listen.ip().is_loopback() || server.allow_dev_policy {
        return None;
    }
    Some(format!(
        "server.listen: {} is not a loopback address, and under the policy of tenant {} a caller \
         can learn every deck before play; server.allow_dev_policy = true serves it all the same",
        server.listen, dev.tenant
    ))
}

/// Notes the faults of a keyring in production, where play is for money.
fn production_faults(
    config: &Config,
    manifests: &ManifestChain,
    catalogue: &Catalogue,
    faults: &mut Vec<String>,
) {
    let manifest = &manifests.newest().manifest;
    let mut fault = |what: String| {
        faults.push(format!("{what} (server.profile = \"production\")"));
    };
    let folder = &config.keyring.directory;
    for kind in ["root-", "ledger-", "witness-"] {
        if holds_key(folder, kind) {
            fault(format!(
                "keyring.directory: {} holds a {}key: that is a development keyring, or one \
                 person with every key",
                folder.display(),
                kind.replace('-', " ")
            ));
        }
    }
    for tenant in &manifest.tenants {
        for what in tenant.production_faults() {
            fault(format!("tenant {} {what}", tenant.tenant));
        }
    }
    for epoch in &manifest.epochs {
        let unsalted = matches!(epoch.salt_source, Some(SaltSource::None));
        if epoch.suite != Suite::Fresh && epoch.status == EpochStatus::Active && unsalted {
            fault(format!("epoch {} has no salt: its operator could choose it", epoch.epoch));
        }
    }
    for what in unlisted(catalogue, manifest) {
        fault(what);
    }
    for game in listed_games(catalogue, manifest).filter(|game| game.best_play().is_none()) {
        let (ruleset, way) = (game.ruleset.id(), game.house_way.id());
        fault(format!(
            "ruleset {ruleset}: best play against the house way {way} is not counted: `paigow-lab \
             best {ruleset} --write` makes the file beside the house way"
        ));
    }
}

/// Returns the games that a manifest lists and that are loaded.
fn listed_games<'a>(
    catalogue: &'a Catalogue,
    manifest: &'a Manifest,
) -> impl Iterator<Item = &'a ListedGame> {
    manifest.rulesets.iter().filter_map(|listed| catalogue.game(&listed.hash))
}

/// Logs the rulesets where best play takes most or all of the house edge, and those for which that is
/// not known.
pub(super) fn warn_of_best_play(config: &RulesConfig, catalogue: &Catalogue, manifest: &Manifest) {
    let low = Fraction::new(config.low_edge_basis_points.into(), 10_000);
    let mut low_edges = Vec::new();
    for game in listed_games(catalogue, manifest) {
        let ruleset = game.ruleset.id();
        let Some(edge) = game.best_play_edge() else {
            let house_way = game.house_way.id();
            tracing::warn!(
                ruleset,
                house_way,
                "best play is not counted: the guard knows the return by house way alone"
            );
            continue;
        };
        if low.is_some_and(|low| edge < low) {
            let percent = edge.times(Fraction::from(100)).unwrap_or(edge).decimal(4);
            low_edges.push(format!("{ruleset} {percent} %"));
        }
    }
    if !low_edges.is_empty() {
        let rulesets = low_edges.join(", ");
        tracing::warn!(rulesets, "best play leaves the house a low edge");
    }
}

/// Returns the operator's rules that the manifest does not list, each as a fault.
fn unlisted(catalogue: &Catalogue, manifest: &Manifest) -> Vec<String> {
    let shipped = Catalogue::shipped();
    let told = |kind: &str, id: &str, hash: &Hash| {
        format!("rules.directory: the manifest does not list {kind} {id} ({hash})")
    };
    let games = catalogue.games().into_iter().filter(|game| {
        shipped.game(&game.hash).is_none() && manifest.ruleset(&game.hash).is_none()
    });
    let ways = catalogue.house_ways().into_iter().filter(|(hash, _)| {
        let is_listed = manifest.house_ways.iter().any(|way| way.hash == *hash);
        shipped.house_way(hash).is_none() && !is_listed
    });
    games
        .map(|game| told("ruleset", game.ruleset.id(), &game.hash))
        .chain(ways.map(|(hash, way)| told("house way", way.id(), &hash)))
        .collect()
}

fn holds_key(folder: &Path, kind: &str) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            name.to_str().is_some_and(|name| name.starts_with(kind) && name.ends_with(".key"))
        })
    })
}
