//! The banner for people who start the server: where it listens, what it serves, what to try.

use std::net::SocketAddr;

use super::Service;
use paigow_fairness::manifest::{EpochStatus, Manifest};
use paigow_files::utc;

/// The default address of `paigow-lab play`.
const USUAL: &str = "127.0.0.1:50051";

/// Returns the lines that a start prints.
#[must_use]
pub fn banner(service: &Service, listening: SocketAddr) -> String {
    let world = service.state.world.load();
    let newest = world.context.manifests.newest();
    let manifest = &newest.manifest;
    let mut lines = String::new();
    let mut line = |name: &str, value: &str| lines += &format!("  {name:<12}{value}\n");
    line("listens on", &listening.to_string());
    let callers = service.callers.load();
    let tenants = callers.access().tenants().map(|tenant| {
        let listed = manifest.tenant(&tenant.tenant);
        let is_dev = listed.is_some_and(|listed| listed.policy.is_dev());
        format!("{}{}", tenant.tenant, if is_dev { " (development)" } else { "" })
    });
    line("tenant", &tenants.collect::<Vec<_>>().join(", "));
    let games = world.context.catalogue.games();
    let listed = games.iter().filter(|game| manifest.ruleset(&game.hash).is_some());
    line("rulesets", &joined(listed.map(|game| game.ruleset.id())));
    let ways = world.context.catalogue.house_ways();
    line("house ways", &joined(ways.iter().map(|(_, way)| way.id())));
    line("epochs", &epochs(manifest));
    line("manifest", &format!("{} {}", manifest.seq, newest.hash));
    for key in &world.context.root.keys {
        line("root key", &key.to_string());
    }
    let mut text = format!("paigow-server {}\n{lines}", service.state.build.version);
    if manifest.tenants.iter().any(|tenant| tenant.policy.is_dev()) {
        text += "\nNOT FOR PRODUCTION: under a development policy a caller can learn every deck\n\
                 before play.\n";
    }
    let server = match (listening.to_string(), service.tls.is_some()) {
        (usual, false) if usual == USUAL => String::new(),
        (other, false) => format!(" --server http://{other}"),
        (other, true) => format!(" --server https://{other} --ca FILE"),
    };
    let serves_locked = callers.access().tenants().any(|tenant| {
        manifest.tenant(&tenant.tenant).is_some_and(|listed| listed.policy.lock_required)
    });
    let ledger = if serves_locked { " --ledger-key FILE" } else { "" };
    format!(
        "{text}\nTry: cargo run --release --bin paigow-lab -- play --rounds 3{server}{ledger}\n"
    )
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn epochs(manifest: &Manifest) -> String {
    let active = manifest.epochs.iter().filter(|epoch| epoch.status == EpochStatus::Active);
    let windows: Vec<String> = active
        .map(|epoch| {
            let (from, until) = (utc::minutes(epoch.open_from), utc::minutes(epoch.open_until));
            format!("{} open from {from} until {until}", epoch.epoch)
        })
        .collect();
    windows.join("; ")
}
