//! Runs the ceremonies of docs/operate as the pages print them: every command and its output.

use std::path::Path;
use std::process::{Command, Stdio};

use paigow_testkit::ports::ReservedPort;
use paigow_testkit::{programs, tools};

/// The port that the pages serve on.
const PORT: &str = "50061";
/// The mark before the output of each command. No command writes such a byte.
const MARK: char = '\u{1}';

/// A command with the output that the page shows.
struct Step {
    command: String,
    written: String,
}

/// The steps of the console blocks of a page, from a heading up to another.
fn steps(page: &str, heading: &str, end: &str) -> Vec<Step> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operate").join(page);
    let page = std::fs::read_to_string(page).unwrap();
    let section = page.split(heading).nth(1).unwrap_or_else(|| panic!("no section {heading}"));
    let section = section.split(end).next().unwrap();
    let mut steps: Vec<Step> = Vec::new();
    for block in section.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut in_command = false;
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push(Step { command: format!("{command}\n"), written: String::new() });
                in_command = true;
            } else if let Some(more) = line.strip_prefix("> ").filter(|_| in_command) {
                steps.last_mut().unwrap().command += &format!("{more}\n");
            } else {
                steps.last_mut().unwrap().written += &format!("{line}\n");
                in_command = false;
            }
        }
    }
    steps
}

/// Replaces the parts that differ from run to run: keys, hashes and dates.
fn masked(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for character in text.chars().chain(['\n']) {
        if character.is_ascii_alphanumeric() {
            word.push(character);
            continue;
        }
        let is_hex = word.len() >= 16 && word.chars().all(|c| c.is_ascii_hexdigit());
        out += if is_hex { "<hex>" } else { &word };
        word.clear();
        out.push(character);
    }
    // A date is four, two and two digits.
    let parts: Vec<&str> = out.trim_end_matches('\n').split_inclusive([' ', '\n']).collect();
    let is_date = |part: &str| {
        let lengths: Vec<usize> = part.split('-').map(str::len).collect();
        lengths == [4, 2, 2] && part.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    let dated = parts.iter().map(|part| {
        let word = part.trim_end_matches([' ', '\n']);
        if is_date(word) { part.replace(word, "<date>") } else { (*part).to_owned() }
    });
    dated.collect()
}

/// Runs the steps in an empty folder. Each step has to write the output that the page shows.
fn walk(steps: &[Step]) {
    let commands: String =
        steps.iter().map(|step| format!("printf '\\1'\n{}", step.command)).collect();
    let port = ReservedPort::new();
    let script = "exec 2>&1\ntrap 'kill $server $signer 2>/dev/null' EXIT\n".to_owned()
        + &commands
            .replace(PORT, &port.address.port().to_string())
            .replace("/usr/lib/softhsm", softhsm().to_str().unwrap());

    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join(".script"), script).unwrap();
    // The pages run all five programs. The test refuses a program that is missing or stale.
    let programs = [
        programs::keys(),
        programs::witness(),
        programs::lab(),
        programs::server(),
        programs::pkcs11(),
    ];
    let binaries = Path::new(programs[0]).parent().unwrap().to_str().unwrap();
    let path = format!("{binaries}:{}", tools::path().to_str().unwrap());
    // `timeout` ends a server that never answers, and so the test.
    let output = Command::new("timeout")
        .args(["120", "bash", ".script"])
        .current_dir(home.path())
        .env("PATH", path)
        .env("source", tools::root())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let written: Vec<&str> = told.split(MARK).skip(1).collect();
    for (step, written) in steps.iter().zip(&written) {
        assert_eq!(masked(written), masked(&step.written), "$ {}{written}", step.command);
    }
    assert_eq!(written.len(), steps.len(), "the last that ran wrote {:?}", written.last());
    no_secret_leaves(home.path(), &told);
}

/// Checks that no program has written the PINs or the passphrase of the pages.
fn no_secret_leaves(home: &Path, told: &str) {
    let logs = std::fs::read_dir(home).unwrap().map(|entry| entry.unwrap().path());
    let logs = logs.filter(|path| path.extension().is_some_and(|ending| ending == "log"));
    let logs = logs.map(|path| std::fs::read_to_string(path).unwrap());
    for text in logs.chain([told.to_owned()]) {
        for secret in ["pin of ", "correct horse"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}

/// The folder of the module of SoftHSM.
fn softhsm() -> std::path::PathBuf {
    tools::root().join("target/tools/debian/usr/lib/softhsm")
}

#[test]
fn the_documented_ceremony_goes_as_it_says() {
    let steps = steps("keys.md", "## A ceremony, step by step\n", "\n## ");
    assert!(steps.len() > 40, "{} steps", steps.len());
    walk(&steps);
}

#[test]
fn the_documented_epoch_of_the_vrf_suite_goes_as_it_says() {
    let steps = steps("vrf.md", "# The vrf suite\n", "\n## How the key is kept");
    assert!(steps.len() > 30, "{} steps", steps.len());
    walk(&steps);
}

#[test]
fn the_documented_ceremony_with_keys_in_tokens_goes_as_it_says() {
    let steps = steps("custody.md", "## Root keys in tokens\n", "\n## ");
    assert!(steps.len() > 40, "{} steps", steps.len());
    walk(&steps);
}

#[test]
fn bytes_signed_elsewhere_by_a_program_or_under_a_passphrase_go_as_documented() {
    let steps = steps("custody.md", "## Signing elsewhere\n", "\n## Nothing below");
    assert!(steps.len() > 15, "{} steps", steps.len());
    walk(&steps);
}

#[test]
fn only_keys_hashes_and_dates_are_masked() {
    let text = "key 0123456789abcdef at 2026-12-01 00:00:00, 2 of 3 cafe verdict: match\n";
    assert_eq!(masked(text), "key <hex> at <date> 00:00:00, 2 of 3 cafe verdict: match");
}
