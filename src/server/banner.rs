//! What a newcomer reads first: where the server listens, what it serves, what to try.

use std::net::SocketAddr;

use super::Service;
use crate::fairness::manifest::{EpochStatus, Manifest};

/// The address that `paigow-lab play` calls where it is told no other.
const USUAL: &str = "127.0.0.1:50051";

/// Returns the lines that a start prints.
#[must_use]
pub fn banner(service: &Service, listening: SocketAddr) -> String {
    let world = service.state.world.load();
    let newest = world.engine.manifests.newest();
    let manifest = &newest.manifest;
    let mut lines = String::new();
    let mut line = |name: &str, value: &str| lines += &format!("  {name:<12}{value}\n");
    line("listens on", &listening.to_string());
    let doors = service.doors.load();
    let tenants = doors.access().tenants().map(|tenant| {
        let listed = manifest.tenant(&tenant.tenant);
        let is_dev = listed.is_some_and(|listed| listed.policy.is_dev());
        format!("{}{}", tenant.tenant, if is_dev { " (development)" } else { "" })
    });
    line("tenant", &tenants.collect::<Vec<_>>().join(", "));
    let games = world.engine.catalogue.games();
    let listed = games.iter().filter(|game| manifest.ruleset(&game.hash).is_some());
    line("rulesets", &joined(listed.map(|game| game.ruleset.id())));
    let ways = world.engine.catalogue.house_ways();
    line("house ways", &joined(ways.iter().map(|(_, way)| way.id())));
    line("epochs", &epochs(manifest));
    line("manifest", &format!("{} {}", manifest.seq, newest.hash));
    for key in &world.engine.root.keys {
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
    text + "\nTry: cargo run --release --bin paigow-lab -- play --rounds 3" + &server + "\n"
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn epochs(manifest: &Manifest) -> String {
    let active = manifest.epochs.iter().filter(|epoch| epoch.status == EpochStatus::Active);
    let windows: Vec<String> = active
        .map(|epoch| {
            let (from, until) = (utc(epoch.open_from), utc(epoch.open_until));
            format!("{} open from {from} until {until}", epoch.epoch)
        })
        .collect();
    windows.join("; ")
}

/// Writes Unix seconds as a date and time of the Gregorian calendar in UTC.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March put the leap day last; 719468 days lie between 0000-03-01
    // and 1970-01-01, and 400 years have 146097.
    let day = days + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, carried) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carried;
    format!("{year:04}-{month:02}-{of_month:02} {:02}:{:02} UTC", rest / 3600, rest / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_date_writes_them() {
        // `date -u -d @SECONDS '+%F %H:%M UTC'`
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_795_132_800, "2026-11-20 00:00 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
            (253_402_300_799, "9999-12-31 23:59 UTC"),
        ] {
            assert_eq!(utc(seconds), text);
        }
    }
}
