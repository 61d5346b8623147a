//! Mistakes in settings, each with its message, by the real binary: it exits with 78.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Settings as a file says them, and the whole message of the one mistake in them.
const MISTAKES: &[(&str, &str)] = &[
    ("[server]\nprofile = \"prod\"", "server.profile: must be `development` or `production`"),
    ("[server]\nlisten = \"here\"", "server.listen: `here` is not an address and port"),
    (
        "[server]\nlisten = \"localhost:1\"",
        "server.listen: `localhost:1` is not an address and port",
    ),
    (
        "[server]\nlisten = \"0.0.0.0:1\"",
        "server.listen: 0.0.0.0:1 is not a loopback address, and there is no certificate: set \
         tls.certificate_file, or server.allow_plaintext = true behind a proxy that encrypts",
    ),
    ("[server]\nhealth_listen = \"1\"", "server.health_listen: `1` is not an address and port"),
    (
        "[server]\nverifier_listen = \":80\"",
        "server.verifier_listen: `:80` is not an address and port",
    ),
    (
        "[server]\nverifier_listen = \"127.0.0.1:50051\"",
        "server.verifier_listen: `127.0.0.1:50051` is taken by server.listen",
    ),
    (
        "[server]\nhealth_listen = \"127.0.0.1:1\"\nverifier_listen = \"0.0.0.0:1\"",
        "server.verifier_listen: `0.0.0.0:1` is taken by server.health_listen",
    ),
    (
        "[server]\nverifier_listen = \"[::]:1\"\n[telemetry]\nprometheus_listen = \"0.0.0.0:1\"",
        "telemetry.prometheus_listen: `0.0.0.0:1` is taken by server.verifier_listen",
    ),
    ("[server]\nworkers = 1025", "server.workers: must be 0 to 1024"),
    ("[server]\nmax_connections = 0", "server.max_connections: must be 1 to 1000000"),
    (
        "[server]\nmax_connections_per_peer = 1000001",
        "server.max_connections_per_peer: must be 0 to 1000000",
    ),
    (
        "[server]\nproxies = \"10.0.0.0/8 proxy.example\"",
        "server.proxies: `proxy.example` is not an address or network, as 10.0.0.0/8",
    ),
    (
        "[server]\nproxies = \"10.0.0.0/33\"",
        "server.proxies: `10.0.0.0/33` is not an address or network, as 10.0.0.0/8",
    ),
    ("[server]\nhandshake_timeout_ms = 0", "server.handshake_timeout_ms: must be 1 to 60000"),
    ("[server]\nmax_concurrent_calls = 0", "server.max_concurrent_calls: must be 1 to 1000000"),
    ("[server]\nrequest_timeout_ms = 0", "server.request_timeout_ms: must be 1 to 60000"),
    (
        "[server]\nrequest_timeout_ms = 10001",
        "server.request_timeout_ms: must be at most server.grace_ms, or calls are cut off at the end",
    ),
    (
        "[server]\naudit_stream_timeout_ms = 0",
        "server.audit_stream_timeout_ms: must be 1 to 86400000",
    ),
    ("[server]\ndrain_ms = 300001", "server.drain_ms: must be 0 to 300000"),
    ("[server]\ngrace_ms = 300001", "server.grace_ms: must be 0 to 300000"),
    ("[server]\nmax_connection_age_s = 0", "server.max_connection_age_s: must be 1 to 86400"),
    ("[server]\nkeepalive_s = 3601", "server.keepalive_s: must be 1 to 3600"),
    ("[server]\nmax_concurrent_streams = 0", "server.max_concurrent_streams: must be 1 to 65536"),
    ("[server]\nplay_message_bytes = 1", "server.play_message_bytes: must be 1024 to 67108864"),
    ("[server]\naudit_message_bytes = 1", "server.audit_message_bytes: must be 1024 to 67108864"),
    (
        "[server]\naudit_held_bytes = 8388607",
        "server.audit_held_bytes: must be at least twice server.audit_message_bytes",
    ),
    ("[server]\naudit_verifications = 0", "server.audit_verifications: must be 1 to 1000000000"),
    ("[server]\naudit_rounds = 0", "server.audit_rounds: must be 1 to 1000000"),
    (
        "[server]\ntenant = \"a b\"",
        "server.tenant: must be 1 to 64 characters of A-Z a-z 0-9 . _ : -",
    ),
    ("[tls]\ncertificate_file = \"a\"", "tls.key_file: is needed with tls.certificate_file"),
    ("[tls]\nkey_file = \"a\"", "tls.certificate_file: is needed with tls.key_file"),
    (
        "[tls]\ncertificate_file = \"a\"\nkey_file = \"b\"\nclient_certificates = \"always\"",
        "tls.client_certificates: must be `off` or `optional` or `required`",
    ),
    (
        "[tls]\ncertificate_file = \"a\"\nkey_file = \"b\"\nclient_certificates = \"required\"",
        "tls.client_ca_file: is needed to ask for client certificates",
    ),
    (
        "[tls]\ncertificate_file = \"a\"\nkey_file = \"b\"\nclient_ca_file = \"c\"",
        "tls.client_certificates: must be `optional` or `required` with tls.client_ca_file",
    ),
    (
        "[tls]\nclient_ca_file = \"c\"\nclient_certificates = \"required\"",
        "tls.client_certificates: needs tls.certificate_file: a plaintext connection shows no \
         certificate",
    ),
    ("[keyring]\ndirectory = \"\"", "keyring.directory: must not be empty"),
    ("[keyring]\nthreshold = 2", "keyring.threshold: must be 1 to 1"),
    (
        "[keyring]\nmanifests = \"manifests\"",
        "keyring.manifests: a development keyring has its own: leave it empty, or set \
         keyring.generate to false",
    ),
    (
        "[verification]\nrelease_file = \"r\u{e9}lease\"",
        "verification.release_file: must be of printable ASCII characters",
    ),
    (
        "[keyring]\ngenerate = false\nroot_keys = [\"00\"]",
        "keyring.root_keys: key 0: not an Ed25519 public key: 32 bytes, a canonical point, not of \
         small order",
    ),
    (
        "[keyring]\nroot_keys = [\"c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f\"]",
        "keyring.root_keys: a development keyring has its own: leave it empty, or set \
         keyring.generate to false",
    ),
    ("[evidence]\ntarget = \"disk\"", "evidence.target: must be `off` or `file` or `stdout`"),
    (
        "[evidence]\ntarget = \"file\"",
        "evidence.directory: is needed for evidence.target = \"file\"",
    ),
    ("[evidence]\ndirectory = \"a\"", "evidence.directory: is only for evidence.target = \"file\""),
    (
        "[evidence]\nfsync = \"sometimes\"",
        "evidence.fsync: must be `always` or `interval` or `never`",
    ),
    ("[evidence]\nfsync_interval_ms = 0", "evidence.fsync_interval_ms: must be 1 to 60000"),
    ("[evidence]\nrotate_bytes = 1", "evidence.rotate_bytes: must be 65536 to 1099511627776"),
    ("[evidence]\nstall_ms = 9", "evidence.stall_ms: must be 10 to 60000"),
    ("[log]\nlines_per_second = 0", "log.lines_per_second: must be 1 to 1000000"),
    ("[verification]\ninterval_s = 86401", "verification.interval_s: must be 1 to 86400"),
    (
        "[telemetry]\notlp_endpoint = \"collector:4317\"",
        "telemetry.otlp_endpoint: `collector:4317` is not http://host:port or https://host:port",
    ),
    (
        "[telemetry]\notlp_endpoint = \"https://collector:4317\"",
        "telemetry.otlp_ca_file: goes with an https endpoint, and an https endpoint needs it",
    ),
    ("[telemetry]\notlp_timeout_ms = 0", "telemetry.otlp_timeout_ms: must be 1 to 60000"),
    (
        "[telemetry]\nmetrics_interval_ms = 1",
        "telemetry.metrics_interval_ms: must be 100 to 3600000",
    ),
    ("[telemetry]\nsample_ratio_ppm = 1000001", "telemetry.sample_ratio_ppm: must be 0 to 1000000"),
    (
        "[telemetry]\nprometheus_listen = \"9464\"",
        "telemetry.prometheus_listen: `9464` is not an address and port",
    ),
    (
        "[telemetry]\nenvironment = \"a b\"",
        "telemetry.environment: must be at most 128 visible characters of ASCII",
    ),
    (
        "[telemetry]\ninstance = \"a\\tb\"",
        "telemetry.instance: must be at most 128 visible characters of ASCII",
    ),
    ("[log]\nformat = \"xml\"", "log.format: must be `json` or `text`"),
    ("[log]\nfilter = \"paigow=loud\"", "log.filter: "),
];

/// Runs the check of a file, and returns the exit status and what it says.
fn checked(file: &str) -> (Option<i32>, String) {
    run("--check-config", |path| std::fs::write(path, file).unwrap())
}

#[test]
fn every_mistake_has_its_message_and_ends_with_78() {
    let mut wrong = String::new();
    for (file, message) in MISTAKES {
        let (status, told) = checked(file);
        let expected = format!("paigow-server: bad configuration:\n  {message}");
        // The reason of a bad filter is its library's.
        let whole = message.ends_with(": ") || told == format!("{expected}\n");
        if status != Some(78) || !told.starts_with(&expected) || !whole {
            writeln!(wrong, "{file}\n  wanted {message}\n  got {status:?} {told}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Runs the server with an argument and the settings file that `make` makes, and returns the
/// exit status and what it says, with its folder as `<folder>`.
fn run(argument: &str, make: impl FnOnce(&Path)) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.toml");
    make(&path);
    let output = Command::new(paigow_testkit::programs::server())
        .arg(argument)
        .arg(&path)
        .env_clear()
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), told.replace(folder.path().to_str().unwrap(), "<folder>"))
}

#[test]
fn a_settings_file_that_cannot_be_read_is_named_with_the_reason() {
    let file = "paigow-server: cannot read the configuration: <folder>/settings.toml: ";
    let told = |reason: &str| (Some(78), format!("{file}{reason}\n"));
    let missing = run("--check-config", |_| ());
    assert_eq!(missing, told("No such file or directory (os error 2)"));
    let folder = run("--check-config", |path| std::fs::create_dir(path).unwrap());
    assert_eq!(folder, told("Is a directory (os error 21)"));
    let no_text = run("--check-config", |path| std::fs::write(path, b"\xff").unwrap());
    assert_eq!(no_text, told("stream did not contain valid UTF-8"));
}

#[test]
fn another_file_is_never_taken_for_one_that_is_not_there() {
    let beside = |path: &Path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        std::fs::write(path.with_file_name(format!("{name}.toml")), "[server]\n").unwrap();
    };
    let (status, told) = run("--check-config", beside);
    assert_eq!(status, Some(78), "{told}");
}

#[test]
fn a_keyring_folder_that_cannot_be_made_is_told_with_its_setting() {
    // No user can make a folder below a file.
    let settings = "[keyring]\ndirectory = \"settings.toml/keys\"\n";
    for argument in ["--config", "--check-config"] {
        let (status, told) = run(argument, |path| std::fs::write(path, settings).unwrap());
        let fault = "keyring.directory: settings.toml/keys: Not a directory (os error 20)";
        let told_at_start = format!("paigow-server: cannot start:\n  {fault}\n");
        assert_eq!((status, told), (Some(78), told_at_start), "{argument}");
    }
}

#[test]
fn an_address_for_health_that_is_taken_is_told_with_its_setting() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let settings = format!("[server]\nlisten = \"127.0.0.1:0\"\nhealth_listen = \"{address}\"\n");
    let (status, told) = run("--config", |path| std::fs::write(path, settings).unwrap());
    let fault = format!("server.health_listen: cannot listen on {address}: Address already in use");
    assert_eq!((status, told), (Some(1), format!("paigow-server: {fault} (os error 98)\n")));
}

#[test]
fn what_cannot_be_read_at_all_ends_with_78_too() {
    for (file, part) in [
        ("[server", "settings.toml"),
        ("[server]\nlistem = 1", "listem"),
        ("[serve]\nlisten = 1", "serve"),
        ("[server]\nworkers = \"many\"", "workers"),
        ("[server]\nworkers = -1", "workers"),
        ("[tls]\ncertificate_file = 1\nkey_file = []", "key_file"),
        ("[access]\nfiles = \"a\"", "files"),
    ] {
        let (status, told) = checked(file);
        assert_eq!(status, Some(78), "{file}: {told}");
        assert!(told.starts_with("paigow-server: cannot read the configuration: "), "{told}");
        assert!(told.contains(part), "{file}: {told}");
    }
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_named_and_not_waited_for() {
    let settings = "[tls]\ncertificate_file = \"pipe\"\nkey_file = \"pipe\"\n\
                    [access]\nfile = \"pipe\"\n";
    let (status, told) = run("--config", |path| {
        std::fs::write(path, settings).unwrap();
        let pipe = path.with_file_name("pipe");
        assert!(Command::new("mkfifo").args(["-m", "600"]).arg(pipe).status().unwrap().success());
    });
    assert_eq!(status, Some(78), "{told}");
    for setting in ["tls.certificate_file", "tls.key_file", "access.file"] {
        assert!(told.contains(&format!("\n  {setting}: pipe: not a regular file\n")), "{told}");
    }
}

#[test]
fn settings_may_come_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(paigow_testkit::programs::server())
        .args(["--check-config", "/dev/stdin"])
        .env_clear()
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"[server]\nworkers = 3\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.lines().any(|line| line == "server.workers = 3"), "{told}");
}
