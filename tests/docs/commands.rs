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

/// What stands between commands of a line.
const ENDS: [&str; 9] = ["|", ";", "&", "&&", ">", ">>", "<", "2>", "2>&1"];

/// A command of `paigow-lab` with its subcommands, and the flags that it is given.
type LabCommand = (Vec<String>, Vec<String>);

/// The commands of `paigow-lab` in the console blocks of a text.
fn lab_commands(text: &str) -> Vec<LabCommand> {
    let blocks = text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let joined =
        |block: &str| block.replace("\\\n> ", " ").replace("\\\n", " ").replace(';', " ; ");
    blocks.flat_map(|block| joined(block).lines().flat_map(of_line).collect::<Vec<_>>()).collect()
}

fn of_line(line: &str) -> Vec<LabCommand> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_program = |at: usize| {
        // Behind another flag it is a file.
        let is_value = at > 0 && words[at - 1].starts_with("--") && words[at - 1] != "--bin";
        words[at].rsplit(['/', '(']).next() == Some("paigow-lab") && !is_value
    };
    (0..words.len())
        .filter(|at| is_program(*at))
        .map(|at| {
            let own = words[at + 1..].iter().skip_while(|word| **word == "--");
            let own: Vec<&str> = own.take_while(|word| !ENDS.contains(word)).copied().collect();
            let depth = match own[..] {
                ["keys", "manifest", ..] => 3,
                ["keys" | "sink" | "release" | "rng", ..] => 2,
                _ => 1,
            };
            let flags = own.iter().filter(|word| word.starts_with("--"));
            let flags = flags.map(|flag| flag.split('=').next().unwrap().to_owned());
            (own[..depth].iter().map(|&word| word.to_owned()).collect(), flags.collect())
        })
        .collect()
}

/// What a command says of itself.
fn lab_help(command: &[String]) -> String {
    let lab = env!("CARGO_BIN_EXE_paigow-lab");
    let help = Command::new(lab).args(command).arg("--help").output().unwrap();
    assert!(help.status.success(), "paigow-lab {}", command.join(" "));
    String::from_utf8(help.stdout).unwrap()
}

#[test]
fn the_commands_that_it_names_are_there() {
    let commands = lab_commands(&read("README.md"));
    assert!(commands.len() > 40, "{} commands", commands.len());
    let shown: BTreeSet<&str> = commands.iter().map(|(command, _)| command[0].as_str()).collect();
    for command in [
        "play",
        "audit",
        "set",
        "judge",
        "rules",
        "house-way",
        "replay",
        "keys",
        "sink",
        "release",
        "par",
        "rng",
    ] {
        lab_help(&[command.to_owned()]);
        // These two only read lines, and are told of in the text; so is the check of a file.
        let is_told = ["set", "replay", "house-way"].contains(&command);
        assert!(is_told || shown.contains(command), "no block shows {command}");
    }
    for (command, flags) in &commands {
        let help = lab_help(command);
        let known: BTreeSet<&str> =
            help.split_whitespace().map(|word| word.trim_end_matches([',', '.', ']'])).collect();
        for flag in flags {
            assert!(known.contains(flag.as_str()), "paigow-lab {} {flag}", command.join(" "));
        }
    }
}

#[test]
fn commands_are_found_wherever_a_line_has_them() {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let text = "```console\n$ for x in a; do dist/paigow-lab keys root --out $x; done --no > file\n\
                $ paigow-lab release make --binary dist/paigow-lab \\\n    --prev last | cat --not\n\
                $ cargo run --bin paigow-lab -- play --rounds=3\npaigow-lab: fails\n```\n";
    let expected = [
        (words(&["keys", "root"]), words(&["--out"])),
        (words(&["release", "make"]), words(&["--binary", "--prev"])),
        (words(&["play"]), words(&["--rounds"])),
    ];
    assert_eq!(lab_commands(text), expected);
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
