//! The binary itself: exit codes, what it prints, signals.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};

use crate::server::child::KilledOnDrop;
use crate::server::logged::Logged;
use crate::server::ports::ReservedPort;

/// The binary, in a folder of its own and with no setting of the environment.
fn paigow_server(folder: &Path) -> Command {
    let mut command = Command::new(paigow_testkit::programs::server());
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn run(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let environment = environment.iter().copied();
    paigow_server(folder.path()).args(arguments).envs(environment).output().unwrap()
}

/// Waits until the server that listens on `address` says that it serves.
fn wait_until_healthy(address: &str) {
    let ends = Instant::now() + Duration::from_secs(60);
    while run(&["--healthcheck"], &[("PAIGOW__SERVER__LISTEN", address)]).status.code() != Some(0) {
        assert!(Instant::now() < ends, "healthy within a minute");
    }
}

#[test]
fn faults_of_the_configuration_end_with_78_and_all_of_them() {
    let output = run(&[], &[("PAIGOW__SERVER__LISTEN", "here"), ("PAIGOW__LOG__FORMAT", "xml")]);
    assert_eq!(output.status.code(), Some(78));
    assert_eq!(
        text(&output.stderr),
        "paigow-server: bad configuration:\n  \
         server.listen: `here` is not an address and port\n  \
         log.format: must be `json` or `text`\n"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn unknown_settings_and_missing_files_end_with_78() {
    let output = run(&[], &[("PAIGOW__SERVER__LISTEM", "x")]);
    assert_eq!(output.status.code(), Some(78));
    assert_eq!(
        text(&output.stderr),
        "paigow-server: bad configuration:\n  \
         PAIGOW__SERVER__LISTEM: no setting has this variable of the environment, did you mean \
         \"PAIGOW__SERVER__LISTEN\"?\n"
    );
    assert_eq!(run(&["--config", "not-there.toml"], &[]).status.code(), Some(78));
}

#[test]
fn faults_of_the_operators_rules_end_with_78_and_all_of_them() {
    let rules = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("house-ways/ours.toml", "id = \"ours\"\ncards = 8\n"),
        ("rulesets/ours.toml", "id = \"ours\"\n"),
        ("rulesets/notes.md", "what is this?"),
    ] {
        let path = rules.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let folder = rules.path().to_str().unwrap();
    let set = [("PAIGOW__RULES__DIRECTORY", folder)];
    let output = run(&[], &set);
    assert_eq!(output.status.code(), Some(78));
    let checked = run(&["--check-config"], &set);
    assert_eq!((checked.status.code(), &checked.stderr), (Some(78), &output.stderr));
    let told = String::from_utf8(output.stderr).unwrap();
    for file in ["house-ways/ours.toml: ", "rulesets/ours.toml: ", "rulesets/notes.md: "] {
        assert!(told.contains(&format!("rules.directory: {folder}/{file}")), "{told}");
    }
    assert!(told.lines().count() > 20, "every missing key of a ruleset is told: {told}");
}

#[test]
fn a_keyring_that_is_not_there_ends_with_78() {
    let output = run(&[], &[("PAIGOW__KEYRING__GENERATE", "false")]);
    assert_eq!(output.status.code(), Some(78));
    assert!(text(&output.stderr).contains("root.json"), "{}", text(&output.stderr));
}

#[test]
fn an_address_in_use_ends_with_1() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(&[], &[("PAIGOW__SERVER__LISTEN", &address)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains(&address), "{}", text(&output.stderr));
}

#[test]
fn a_checked_configuration_is_printed_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), "[server]\ndrain_ms = 7\n").unwrap();
    let output = paigow_server(folder.path()).args(["--check-config", "mine.toml"]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("server.drain_ms = 7\n"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(run(&["--check-config"], &[]).status.code(), Some(0));
}

#[test]
fn a_start_without_settings_says_what_to_try_and_sigterm_ends_it_with_0() {
    let folder = tempfile::tempdir().unwrap();
    // Another port than the usual one, which may be taken here, and no drain.
    let port = ReservedPort::new();
    let mut child = paigow_server(folder.path())
        .env("PAIGOW__SERVER__LISTEN", port.address.to_string())
        .env("PAIGOW__SERVER__DRAIN_MS", "0")
        .stdout(Stdio::piped())
        .spawn()
        .map(KilledOnDrop)
        .unwrap();
    let mut printed = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    while !printed.contains("\nTry: ") && lines.read_line(&mut printed).unwrap() > 0 {}
    for part in ["listens on  127.0.0.1:", "root key    ", "NOT FOR PRODUCTION", "mikes"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    let address = printed.split("listens on  ").nth(1).unwrap().lines().next().unwrap();
    assert!(printed.contains(&format!("play --rounds 3 --server http://{address}")));

    // It is healthy when it has looked at itself, which is after it has said all that.
    wait_until_healthy(address);
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let listen = ("PAIGOW__SERVER__LISTEN", address);
    assert_eq!(run(&["--healthcheck"], &[listen]).status.code(), Some(1));
    assert!(folder.path().join(".paigow-dev/manifests.jsonl").exists());
}

/// A device that takes no byte: every write to it fails as on a full disk.
fn full() -> Stdio {
    std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn a_standard_output_that_takes_nothing_stops_no_server() {
    let (closed, reader_gone) = std::io::pipe().unwrap();
    drop(closed);
    for (output, errors) in [(full(), full()), (reader_gone.into(), Stdio::null())] {
        let folder = tempfile::tempdir().unwrap();
        let port = ReservedPort::new();
        let address = port.address.to_string();
        let mut child = paigow_server(folder.path())
            .env("PAIGOW__SERVER__LISTEN", &address)
            .env("PAIGOW__SERVER__DRAIN_MS", "0")
            .stdout(output)
            .stderr(errors)
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        wait_until_healthy(&address);
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn what_only_prints_ends_with_1_where_nothing_can_be_printed() {
    let folder = tempfile::tempdir().unwrap();
    for mode in ["--check-config", "--help", "--version"] {
        let output = paigow_server(folder.path())
            .arg(mode)
            .stdout(full())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{mode}");
        let told = text(&output.stderr);
        assert!(told.starts_with("paigow-server: standard output: "), "{mode}: {told}");
        assert_eq!(run(&[mode], &[]).status.code(), Some(0), "{mode}");
    }
}

#[test]
fn wrong_arguments_end_with_64_whoever_hears_it() {
    for arguments in [
        &["--confg"][..],
        &["--config"],
        &["--check-config", "--healthcheck"],
        &["--settings-only"],
    ] {
        let output = run(arguments, &[]);
        assert_eq!(output.status.code(), Some(64), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    let folder = tempfile::tempdir().unwrap();
    let status = paigow_server(folder.path()).arg("--confg").stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(64));
}

#[test]
fn faults_end_with_their_code_whoever_hears_them() {
    let folder = tempfile::tempdir().unwrap();
    let listen = ("PAIGOW__SERVER__LISTEN", "here");
    let status = paigow_server(folder.path()).envs([listen]).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(78));
}

#[test]
fn the_process_leaves_no_core_dump() {
    let home = tempfile::tempdir().unwrap();
    // The process inherits as high a limit as there is.
    let Rlimit { maximum, .. } = getrlimit(Resource::Core);
    setrlimit(Resource::Core, Rlimit { current: maximum, maximum }).unwrap();
    let server = Logged::start(home.path(), &[]);
    let id = server.id();
    let limits = std::fs::read_to_string(format!("/proc/{id}/limits")).unwrap();
    let core = limits.lines().find_map(|line| line.strip_prefix("Max core file size")).unwrap();
    let core: Vec<&str> = core.split_whitespace().collect();
    assert_eq!(core, ["0", "0", "bytes"]);

    // Where the system lets this test raise the limit, it is the process that allows no dump.
    let unlimited = Rlimit { current: None, maximum: None };
    let process = Pid::from_raw(i32::try_from(id).unwrap());
    prlimit(process, Resource::Core, unlimited).ok();
    let ended = server.abort();
    assert_eq!(ended.signal(), Some(6));
    assert!(!ended.core_dumped());
    let files = std::fs::read_dir(home.path()).unwrap();
    let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, [".paigow-dev"]);
}
