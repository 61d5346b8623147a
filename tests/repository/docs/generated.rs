//! The pages that are written from the code: settings, reasons, metrics, commands.
//!
//! `WRITE_DOCS=1 cargo test --test repository` writes them; without it the tests compare
//! each page with the tree, byte for byte.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use paigow::telemetry::names::{METRICS, MetricKind};
use paigow_proto::v1::ErrorReason;
use paigow_round::{Reason, RefusalClass};

use crate::docs::commands::help;
use crate::docs::{read, root};

/// Compares a page with the file in the tree, or writes the file.
pub(crate) fn hold(path: &str, page: &str) {
    if std::env::var_os("WRITE_DOCS").is_some_and(|value| value == "1") {
        std::fs::write(root().join(path), page).unwrap();
        return;
    }
    let tree = read(path);
    if let Some((at, (is, should))) =
        tree.lines().zip(page.lines()).enumerate().find(|(_, (is, should))| is != should)
    {
        panic!(
            "{path}:{}: run WRITE_DOCS=1 cargo test --test repository\n  is     {is}\n  should {should}",
            at + 1
        );
    }
    assert!(tree == page, "{path} has another end: run WRITE_DOCS=1 cargo test --test repository");
}

/// The line below the title of a generated page.
pub(crate) fn origin(source: &str) -> String {
    format!(
        "<!-- Written from {source}. Do not edit: WRITE_DOCS=1 cargo test --test repository -->"
    )
}

/// Escapes a text for a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A setting of `deploy/config/default.toml`.
struct Setting {
    section: String,
    key: String,
    default: String,
    /// `attested` or `operational`: the last line of the comment states it.
    kind: String,
    comment: String,
}

/// Reads the settings in their order.
fn settings(toml: &str) -> Vec<Setting> {
    let (mut settings, mut section, mut comment) = (Vec::new(), String::new(), Vec::new());
    for line in toml.lines() {
        if let Some(text) = line.strip_prefix('#') {
            comment.push(text.trim());
        } else if let Some(name) = line.strip_prefix('[') {
            name.trim_end_matches(']').clone_into(&mut section);
            comment.clear();
        } else if let Some((key, value)) = line.split_once(" = ") {
            let stated = comment.pop().unwrap_or_default();
            let kind = stated.strip_prefix("Kind: ").and_then(|kind| kind.strip_suffix('.'));
            let kind = kind.filter(|kind| ["attested", "operational"].contains(kind));
            settings.push(Setting {
                section: section.clone(),
                key: key.to_owned(),
                default: value.to_owned(),
                kind: kind.unwrap_or_else(|| panic!("{key} has no kind: {stated}")).to_owned(),
                comment: comment.join(" "),
            });
            comment.clear();
        } else {
            assert!(line.is_empty(), "no setting: {line}");
            comment.clear();
        }
    }
    settings
}

#[test]
fn every_setting_is_listed_with_its_default() {
    let source = "deploy/config/default.toml";
    let settings = settings(&read(source));
    assert!(settings.len() > 40, "{} settings", settings.len());
    let mut page = format!(
        "# Settings\n\n{}\n\n\
         Every setting of `paigow-server`, its default, its kind and its meaning. The defaults are compiled\n\
         in from [`{source}`](../../{source}).\n\
         A release record lists the digest of the attested settings, and\n\
         [Releases](releases.md#the-digest-of-the-settings) says how. Operational ones change without a record.\n\
         [Configuration](configuration.md) says how to change one. In the environment `server.listen` is\n\
         `PAIGOW__SERVER__LISTEN`.\n",
        origin(source)
    );
    let mut section = "";
    for setting in &settings {
        assert!(!setting.comment.is_empty(), "{} has no comment", setting.key);
        if setting.section != section {
            section = &setting.section;
            write!(
                page,
                "\n## {section}\n\n| Key | Default | Kind | Meaning |\n|---|---|---|---|\n"
            )
            .unwrap();
        }
        let Setting { key, default, kind, comment, .. } = setting;
        let (default, comment) = (cell(default), cell(comment));
        writeln!(page, "| `{section}.{key}` | `{default}` | {kind} | {comment} |").unwrap();
    }
    hold("docs/operate/settings.md", &page);
}

/// Reads the values of `ErrorReason` in their order, each with the paragraphs of its comment.
fn reasons(proto: &str) -> Vec<(String, Vec<String>)> {
    let (_, values) = proto.split_once("enum ErrorReason {").unwrap();
    let (mut reasons, mut comment) = (Vec::new(), vec![String::new()]);
    for line in values.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("//") {
            let text = text.trim();
            if text.is_empty() {
                comment.push(String::new());
                continue;
            }
            let paragraph = comment.last_mut().unwrap();
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(text);
        } else if let Some(value) = line.strip_prefix("ERROR_REASON_") {
            let (name, _) = value.split_once(" = ").unwrap();
            reasons.push((name.to_owned(), std::mem::replace(&mut comment, vec![String::new()])));
        }
    }
    assert_eq!(reasons.remove(0).0, "UNSPECIFIED");
    reasons
}

#[test]
fn every_reason_is_listed_with_its_status() {
    let source = "proto/paigow/v1/error_reason.proto";
    let statuses = Reason::ALL.iter().map(|reason| {
        let status = match reason.class() {
            RefusalClass::InvalidArgument => "INVALID_ARGUMENT",
            RefusalClass::FailedPrecondition => "FAILED_PRECONDITION",
            RefusalClass::PermissionDenied => "PERMISSION_DENIED",
            RefusalClass::Unavailable => "UNAVAILABLE",
            RefusalClass::Internal => "INTERNAL",
        };
        (reason.as_str(), status)
    });
    let mut of_the_engine: BTreeMap<&str, &str> = statuses.collect();
    let mut page = format!(
        "# Reasons\n\n{}\n\n\
         Every error of the service carries `google.rpc.ErrorInfo` with the domain `paigow.v1` and one of\n\
         these values in `reason`. The contract lists them in\n\
         [`{source}`](../../{source}).\n\
         [The API](api.md) says when to retry.\n\n\
         The keys of `metadata` carry the facts of the sentence. A key in brackets is present only if the\n\
         fact is known. An `INVALID_ARGUMENT` also has `omittedViolations` if violations were left out.\n\n\
         | Reason | Status | Keys of `metadata` | Meaning |\n|---|---|---|---|\n",
        origin(&format!("{source} and the engine's reasons"))
    );
    let reasons = reasons(&read(source));
    assert!(reasons.len() > 50, "{} reasons", reasons.len());
    for (name, paragraphs) in &reasons {
        let (meaning, status) = paragraphs[0]
            .strip_suffix("`.")
            .and_then(|text| text.rsplit_once(" `"))
            .unwrap_or_else(|| panic!("the comment of {name} does not end with its status"));
        if let Some(expected) = of_the_engine.remove(name.as_str()) {
            assert_eq!(status, expected, "{name}");
        }
        let meaning = [&[meaning.to_owned()], &paragraphs[1..]].concat().join(" ");
        let reason = ErrorReason::from_str_name(&format!("ERROR_REASON_{name}")).unwrap();
        let (always, at_times) = reason.metadata();
        let always = always.iter().map(|key| format!("`{key}`"));
        let keys: Vec<String> =
            always.chain(at_times.iter().map(|key| format!("(`{key}`)"))).collect();
        let keys = if keys.is_empty() { "–".to_owned() } else { keys.join(", ") };
        writeln!(page, "| `{name}` | `{status}` | {keys} | {} |", cell(&meaning)).unwrap();
    }
    assert!(of_the_engine.is_empty(), "the contract lacks {of_the_engine:?}");
    hold("docs/integrate/reasons.md", &page);
}

#[test]
fn every_metric_is_listed_as_it_is_exported() {
    let mut page = format!(
        "# Metrics\n\n{}\n\n\
         Every metric of `paigow-server`. [Telemetry](telemetry.md) says how to export them. In Prometheus\n\
         a name has underscores for dots, a counter ends with `_total`, and a metric in seconds has\n\
         `_seconds` in its name.\n\n\
         | Metric | Kind | Unit | Attributes | Description |\n|---|---|---|---|---|\n",
        origin("src/telemetry/names.rs")
    );
    for metric in &METRICS {
        let kind = match metric.kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        };
        let attributes: Vec<String> =
            metric.attributes.iter().map(|attribute| format!("`{attribute}`")).collect();
        let attributes =
            if attributes.is_empty() { "–".to_owned() } else { attributes.join(", ") };
        let (name, unit) = (metric.name, metric.unit);
        let description = cell(metric.description);
        writeln!(page, "| `{name}` | {kind} | `{unit}` | {attributes} | {description} |").unwrap();
    }
    hold("docs/operate/metrics.md", &page);
}

/// The programs of the workspace that people call.
const PROGRAMS: [&str; 7] = [
    "paigow-server",
    "paigow-keys",
    "paigow-witness",
    "paigow-pkcs11",
    "paigow-log",
    "paigow-log-witness",
    "paigow-lab",
];

/// Appends the help of a command and of the commands below it.
fn write_help(program: &str, subcommands: &[String], page: &mut String) {
    let text = help(program, subcommands);
    let name = [&[program.to_owned()], subcommands].concat().join(" ");
    writeln!(page, "\n## {name}\n\n```text\n{}\n```", text.trim_end()).unwrap();
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    // The names of commands are indented by two, their descriptions by more.
    let names = listed.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?;
        name.split_whitespace().next()
    });
    for name in names.filter(|name| *name != "help") {
        write_help(program, &[subcommands, &[name.to_owned()]].concat(), page);
    }
}

#[test]
fn every_command_is_listed_as_its_help_says() {
    let mut page = format!("# Commands\n\n{}\n", origin("the programs' own help"));
    page.push_str("\nThe help of every program and command. Exit codes stand at the end of each program's help.\n");
    for program in PROGRAMS {
        write_help(program, &[], &mut page);
    }
    assert!(page.matches("\n## ").count() > 50);
    hold("docs/commands.md", &page);
}
