//! The README against what it describes.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use paigow::engine::{Class, Reason};
use paigow::telemetry::names::{Kind, METRICS, Metric};

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The rows of the README's table below a header.
fn table(header: &str) -> Vec<Vec<String>> {
    let readme = read("README.md");
    let (_, below) = readme.split_once(header).unwrap_or_else(|| panic!("no table {header}"));
    below
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells = line.trim_matches('|').split(" | ");
            cells.map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
        })
        .collect()
}

#[test]
fn every_setting_stands_in_the_table_with_its_default() {
    let mut section = String::new();
    let mut settings = Vec::new();
    for line in read("deploy/config/default.toml").lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
        } else if let Some((key, value)) = line.split_once(" = ").filter(|_| !line.starts_with('#'))
        {
            settings.push((format!("{section}.{key}"), value.to_owned()));
        }
    }
    assert!(settings.len() > 10);
    let rows: Vec<(String, String)> = table("| Key | Default | Meaning |")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    assert_eq!(rows, settings);
}

#[test]
fn every_reason_stands_in_the_table_with_its_status() {
    let rows: BTreeSet<(String, String)> = table("| Reason | Status | Means |")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    for reason in Reason::ALL {
        let status = match reason.class() {
            Class::InvalidArgument => "INVALID_ARGUMENT",
            Class::FailedPrecondition => "FAILED_PRECONDITION",
            Class::PermissionDenied => "PERMISSION_DENIED",
            Class::Unavailable => "UNAVAILABLE",
            Class::Internal => "INTERNAL",
        };
        let row = (reason.as_str().to_owned(), status.to_owned());
        assert!(rows.contains(&row), "{row:?}");
    }
    let proto = read("proto/paigow/v1/error_reason.proto");
    for (reason, _) in &rows {
        assert!(proto.contains(&format!(" ERROR_REASON_{reason} = ")), "{reason}");
    }
    let in_proto = proto.matches(" ERROR_REASON_").count() - 1;
    assert_eq!(rows.len(), in_proto, "all but UNSPECIFIED");
}

#[test]
fn the_worked_example_is_the_published_round() {
    let vectors: serde_json::Value =
        serde_json::from_str(&read("tests/vectors/fairness.json")).unwrap();
    let round = &vectors["rounds"][0]["out"];
    let readme = read("README.md");
    for member in ["round_id", "server_seed", "round_seed", "deck_commit"] {
        let value = round[member].as_str().unwrap();
        assert!(readme.contains(&format!("{value}\n")), "{member}");
    }
    assert!(readme.contains(&round["deck_cards"].as_str().unwrap()[..74]));
}

#[test]
fn the_files_that_it_names_are_there() {
    let readme = read("README.md");
    for part in readme.split("](").skip(1) {
        let path = part.split(')').next().unwrap();
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists(), "{path}");
    }
}

#[test]
fn the_commands_that_it_names_are_there() {
    for command in
        ["play", "audit", "set", "judge", "rules", "house-way", "replay", "keys", "release"]
    {
        let help =
            Command::new(env!("CARGO_BIN_EXE_paigow-lab")).args([command, "--help"]).output();
        assert!(help.unwrap().status.success(), "{command}");
    }
    for line in read("README.md").lines().filter(|line| line.contains("--bin paigow-lab -- ")) {
        let arguments = line.split(" -- ").nth(1).unwrap().split(' ');
        let flags: Vec<&str> = arguments.clone().filter(|word| word.starts_with("--")).collect();
        let command = arguments.clone().next().unwrap();
        let help =
            Command::new(env!("CARGO_BIN_EXE_paigow-lab")).args([command, "--help"]).output();
        let help = String::from_utf8(help.unwrap().stdout).unwrap();
        for flag in flags {
            assert!(help.contains(flag), "{command} {flag}");
        }
    }
}

#[test]
fn every_metric_stands_in_the_table_as_it_is_exported() {
    let row = |metric: &Metric| {
        let kind = match metric.kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        };
        let attributes = metric.attributes.join("`, `");
        let attributes = if attributes.is_empty() { "–".to_owned() } else { attributes };
        let (name, unit) = (metric.name.to_owned(), format!("{kind}, `{}", metric.unit));
        vec![name, unit, attributes, metric.description.to_owned()]
    };
    let exported: Vec<Vec<String>> = METRICS.iter().map(row).collect();
    assert_eq!(table("| metric | kind, unit | attributes | |"), exported);
}
