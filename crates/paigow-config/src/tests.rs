use std::io::Write as _;
use std::time::Duration;

use super::*;

mod kinds;

/// Two public keys of the published vectors.
const KEYS: [&str; 2] = [
    "c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f",
    "2b82cff2bc9c9698eb005106a2584dc6811a72e5b709441cef673fa7c8289f1b",
];

fn load(file: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let mut written = tempfile::NamedTempFile::new().unwrap();
    written.write_all(file.as_bytes()).unwrap();
    let map = environment.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let file = ConfigInput::read(written.path())?;
    Config::from_sources(Some(file), map.collect())
}

fn faults(file: &str, environment: &[(&str, &str)]) -> Vec<String> {
    match load(file, environment).unwrap_err() {
        ConfigError::Invalid(faults) => faults,
        error @ (ConfigError::NoFile { .. } | ConfigError::Unreadable(_)) => panic!("{error}"),
    }
}

fn unreadable(file: &str, environment: &[(&str, &str)]) -> String {
    match load(file, environment).unwrap_err() {
        error @ ConfigError::Unreadable(_) => error.to_string(),
        error @ (ConfigError::NoFile { .. } | ConfigError::Invalid(_)) => panic!("{error}"),
    }
}

#[test]
fn the_defaults_are_what_their_file_says() {
    let config = load("", &[]).unwrap();
    assert_eq!(config.server.listen, "127.0.0.1:50051".parse().unwrap());
    assert_eq!(config.server.play_message_bytes, 256 * 1024);
    assert_eq!(config.server.audit_message_bytes, 4 * 1024 * 1024);
    assert_eq!(config.server.max_connections_per_peer.unwrap().get(), 2000);
    assert!(config.server.proxies.is_empty());
    assert_eq!(config.server.tenant.as_str(), "dev");
    assert!(config.keyring.generate && config.keyring.root.is_none());
    assert!(!config.server.allow_dev_policy && !config.log.json);
}

#[test]
fn the_environment_wins_over_the_file_and_the_file_over_the_defaults() {
    let file = "[server]\ndrain_ms = 1\ngrace_ms = 20000";
    let config = load(file, &[("PAIGOW__SERVER__DRAIN_MS", "2")]).unwrap();
    assert_eq!(config.server.drain, Duration::from_millis(2));
    assert_eq!(config.server.grace, Duration::from_secs(20));
    assert_eq!(config.server.request_timeout, Duration::from_secs(10));
}

#[test]
fn unknown_keys_are_refused_in_the_file_and_in_the_environment() {
    assert!(unreadable("[server]\nlistem = 1", &[]).contains("listem"));
    assert!(unreadable("[serve]\nlisten = 1", &[]).contains("serve"));
    let environment = [
        ("PAIGOW__SERVER__LISTEM", "x"),
        ("PAIGOW_SERVER__LISTEN", "x"),
        ("PAIGOW__KEYS__X", "x"),
        ("paigow__server__drain_ms", "1"),
        ("HOME", "/root"),
        // Kubernetes sets it for a Service named `paigow`, unless the pod has `enableServiceLinks:
        // false`.
        ("PAIGOW_PORT", "tcp://10.0.0.1:50051"),
    ];
    let no_setting = "no setting has this variable of the environment";
    // Beside every other fault.
    assert_eq!(
        faults("[server]\ntenant = \"\"", &environment)[..4],
        [
            format!("PAIGOW_PORT: {no_setting}"),
            format!(
                "PAIGOW_SERVER__LISTEN: {no_setting}, did you mean \"PAIGOW__SERVER__LISTEN\"?"
            ),
            format!("PAIGOW__KEYS__X: {no_setting}"),
            format!(
                "PAIGOW__SERVER__LISTEM: {no_setting}, did you mean \"PAIGOW__SERVER__LISTEN\"?"
            ),
        ]
    );
    assert!(faults("[server]\ntenant = \"\"", &environment)[4].starts_with("server.tenant: "));
}

#[test]
fn values_of_the_wrong_type_are_refused() {
    let error = unreadable("[server]\ndrain_ms = \"soon\"", &[]);
    assert!(error.contains("drain_ms"), "{error}");
    assert!(!unreadable("", &[("PAIGOW__KEYRING__GENERATE", "perhaps")]).is_empty());
}

#[test]
fn every_fault_is_listed_at_once() {
    let file = "
        [server]
        listen = \"here\"
        request_timeout_ms = 0
        audit_stream_timeout_ms = 0
        drain_ms = 300001
        grace_ms = 300001
        max_connection_age_s = 0
        keepalive_s = 0
        max_concurrent_streams = 0
        play_message_bytes = 1023
        audit_message_bytes = 67108865
        tenant = \"a b\"
        [keyring]
        directory = \"\"
        root_keys = [\"00\"]
        threshold = 2
        [log]
        filter = \"paigow=loud\"
        format = \"xml\"";
    let keys: Vec<String> = faults(file, &[])
        .iter()
        .map(|fault| fault.split(':').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(
        keys,
        [
            "server.listen",
            "server.request_timeout_ms",
            "server.audit_stream_timeout_ms",
            "server.drain_ms",
            "server.grace_ms",
            "server.max_connection_age_s",
            "server.keepalive_s",
            "server.max_concurrent_streams",
            "server.play_message_bytes",
            "server.audit_message_bytes",
            "server.audit_held_bytes",
            "server.unread_answer_bytes",
            "server.tenant",
            "keyring.directory",
            "keyring.root_keys",
            "keyring.root_keys",
            "keyring.threshold",
            "log.filter",
            "log.format",
        ]
    );
}

#[test]
fn listeners_may_share_a_port_on_other_addresses_and_the_port_that_is_free() {
    let apart = "[server]\nlisten = \"127.0.0.1:9\"\nhealth_listen = \"127.0.0.2:9\"\n\
                 verifier_listen = \"[::1]:9\"";
    let config = load(apart, &[]).unwrap();
    assert_eq!(config.server.verifier_listen, "[::1]:9".parse().ok());
    let free = "[server]\nlisten = \"127.0.0.1:0\"\nhealth_listen = \"127.0.0.1:0\"\n\
                verifier_listen = \"127.0.0.1:0\"";
    assert!(load(free, &[]).is_ok());
    assert_eq!(load("", &[]).unwrap().server.verifier_listen, None);
}

#[test]
fn a_call_may_not_take_longer_than_the_grace() {
    let file = "[server]\nrequest_timeout_ms = 500\ngrace_ms = 499";
    assert_eq!(
        faults(file, &[]),
        [
            "server.request_timeout_ms: must be at most server.grace_ms, or calls are cut off at the end"
        ]
    );
}

#[test]
fn root_keys_are_a_list_in_a_file_and_have_commas_in_the_environment() {
    let file = format!("[keyring]\ngenerate = false\nthreshold = 2\nroot_keys = {KEYS:?}");
    let from_file = load(&file, &[]).unwrap().keyring.root.unwrap();
    let joined = KEYS.join(", ");
    let environment = [
        ("PAIGOW__KEYRING__GENERATE", "false"),
        ("PAIGOW__KEYRING__THRESHOLD", "2"),
        ("PAIGOW__KEYRING__ROOT_KEYS", joined.as_str()),
    ];
    let root = load("", &environment).unwrap().keyring.root.unwrap();
    assert_eq!(root, from_file);
    assert_eq!((root.threshold, root.keys.len()), (2, 2));
    let twice = [KEYS[0], KEYS[0]].join(",");
    let faults = faults("[keyring]\ngenerate = false", &[("PAIGOW__KEYRING__ROOT_KEYS", &twice)]);
    assert_eq!(faults, ["keyring.root_keys: key 1 is there twice"]);
}

#[test]
fn a_generated_keyring_has_no_root_from_outside() {
    let faults = faults("", &[("PAIGOW__KEYRING__ROOT_KEYS", KEYS[0])]);
    assert!(faults.len() == 1 && faults[0].contains("keyring.generate"), "{faults:?}");
}

#[test]
fn the_settings_in_effect_are_a_line_for_every_key_of_the_default_file() {
    let config = load("", &[]).unwrap();
    let mut section = "";
    let mut expected = String::new();
    for line in DEFAULT.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[') {
            Some(name) => section = name.trim_end_matches(']'),
            None => expected += &format!("{section}.{line}\n"),
        }
    }
    assert_eq!(config.to_string(), expected);
}

#[test]
fn only_what_was_changed_is_told_at_start() {
    assert_eq!(load("", &[]).unwrap().changed(), Vec::<String>::new());
    let config = load("[log]\nfilter = \"warn\"", &[("PAIGOW__SERVER__DRAIN_MS", "2")]).unwrap();
    assert_eq!(config.changed(), ["server.drain_ms = 2", "log.filter = \"warn\""]);
}

#[test]
fn an_origin_is_what_a_browser_sends() {
    let config =
        load("[server]\ngrpc_web_origins = \"https://play.example http://127.0.0.1:8080\"", &[]);
    let origins = config.unwrap().server.grpc_web_origins;
    assert_eq!(origins, ["https://play.example", "http://127.0.0.1:8080"]);
    assert!(load("", &[]).unwrap().server.grpc_web_origins.is_empty());
    for bad in [
        "play.example",
        "https://play.example/",
        "https://Play.example",
        "https://play.example:443",
        "ftp://play.example",
        "https://a@play.example",
        "*",
        "null",
    ] {
        let faults = faults(&format!("[server]\ngrpc_web_origins = {bad:?}"), &[]);
        let told =
            format!("server.grpc_web_origins: `{bad}` is not an origin, as https://play.example");
        assert_eq!(faults, [told]);
    }
}
