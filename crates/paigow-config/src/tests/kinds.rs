//! Attested and operational settings: the kind of each, and the content of the digest.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;
use crate::kind::SettingKind;

/// Makes settings of a production deployment in which every setting has a replaceable value.
fn full() -> BTreeMap<String, String> {
    let keys = format!("{KEYS:?}");
    [
        ("server.profile", "\"production\""),
        ("server.listen", "\"127.0.0.1:1\""),
        ("server.reflection", "false"),
        ("tls.certificate_file", "\"chain.pem\""),
        ("tls.key_file", "\"key.pem\""),
        ("tls.client_ca_file", "\"ca.pem\""),
        ("tls.client_certificates", "\"required\""),
        ("access.file", "\"access.toml\""),
        ("keyring.directory", "\"keys\""),
        ("keyring.generate", "false"),
        ("keyring.root_keys", keys.as_str()),
        ("evidence.target", "\"file\""),
        ("evidence.directory", "\"evidence\""),
        ("evidence.folder_bytes", "1048576"),
        ("verification.release_file", "\"release.jsonl\""),
        ("telemetry.otlp_endpoint", "\"https://127.0.0.1:1\""),
        ("telemetry.otlp_ca_file", "\"collector.pem\""),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .collect()
}

/// Writes settings as a file: a line for each, as `server.listen = "127.0.0.1:1"`.
fn file(settings: &BTreeMap<String, String>) -> String {
    settings.iter().fold(String::new(), |mut file, (name, value)| {
        writeln!(file, "{name} = {value}").unwrap();
        file
    })
}

/// Returns values in TOML that a setting may take in the place of `value`. Most are refused.
fn alternatives(value: &serde_json::Value) -> Vec<String> {
    if let Some(value) = value.as_bool() {
        return vec![(!value).to_string()];
    }
    if let Some(value) = value.as_u64() {
        let others = [value + 1, value.saturating_sub(1), value * 2, 1 << 20];
        return others.iter().map(ToString::to_string).collect();
    }
    if value.is_array() {
        return vec![format!("[{:?}]", KEYS[0]), format!("{KEYS:?}")];
    }
    [
        "elsewhere",
        "production",
        "development",
        "127.0.0.1:2",
        "10.0.0.0/8",
        "https://127.0.0.1:2",
        "optional",
        "required",
        "stdout",
        "interval",
        "json",
        "warn",
    ]
    .map(|text| format!("{text:?}"))
    .to_vec()
}

#[test]
fn the_default_file_states_one_kind_beside_each_setting() {
    let settings = kind::settings();
    assert!(settings.len() > 60, "{}", settings.len());
    for setting in &settings {
        assert!(setting.stated.is_some(), "{} has no kind", setting.name);
    }
    // Only the last line before a setting states a kind.
    let lines: Vec<&str> = DEFAULT.lines().collect();
    let stated = lines.windows(2).filter(|pair| pair[0].starts_with("# Kind:"));
    let beside = stated.filter(|pair| pair[1].contains(" = ") && !pair[1].starts_with('#'));
    assert_eq!(beside.count(), settings.len());
    assert_eq!(DEFAULT.matches("Kind:").count(), settings.len());
}

#[test]
fn every_attested_setting_changes_the_digest_and_no_operational_one_does() {
    let bases = [BTreeMap::new(), full()];
    for setting in kind::settings() {
        let changed = bases.iter().find_map(|base| {
            let before = load(&file(base), &[]).unwrap();
            let (section, key) = setting.name.split_once('.').unwrap();
            let value = said_values(&before.said)[section][key].clone();
            alternatives(&value).into_iter().find_map(|other| {
                let mut settings = base.clone();
                settings.insert(setting.name.clone(), other);
                let after = load(&file(&settings), &[]).ok()?;
                let differing = after.said_differently(&before);
                (!differing.is_empty()).then_some((before.clone(), after, differing))
            })
        });
        let (before, after, differing) =
            changed.unwrap_or_else(|| panic!("{} has another value", setting.name));
        assert_eq!(differing.len(), 1, "{differing:?}");
        assert!(differing[0].starts_with(&format!("{} = ", setting.name)), "{differing:?}");
        let is_attested = setting.stated == Some(SettingKind::Attested);
        assert_eq!(before.digest() != after.digest(), is_attested, "{}", setting.name);
        assert_eq!(before.attested() != after.attested(), is_attested, "{}", setting.name);
    }
}

#[test]
fn the_digest_is_of_the_values_and_not_of_how_they_are_written() {
    let [first, second] = KEYS;
    let plain = format!(
        "[keyring]\ngenerate = false\nthreshold = 2\nroot_keys = [\"{first}\", \"{second}\"]\n\
         [evidence]\ntarget = \"file\"\ndirectory = \"here\"\nfsync_interval_ms = 2000\n"
    );
    let digest = load(&plain, &[]).unwrap().digest();
    assert_ne!(digest, load("", &[]).unwrap().digest());
    for same in [
        // Comments, blank lines, and another order of sections, settings and keys.
        format!(
            "# A deployment.\n[evidence] # of it\nfsync_interval_ms = 2000\n\ndirectory = \"here\"\n\
             target = \"file\"\n[keyring]\nroot_keys = [\n  \"{second}\", # eve\n  \"{first}\",\n]\n\
             threshold = 2\ngenerate = false\n"
        ),
        // Quotes, dotted keys, other forms of integers, Booleans and lists, and a repeated default.
        format!(
            "evidence.target = '''file'''\nevidence.directory = 'here'\n\
             evidence.fsync_interval_ms = 0x7d0\nevidence.fail_closed = \"true\"\n\
             keyring.generate = \"no\"\nkeyring.threshold = \"2\"\n\
             keyring.root_keys = '{first},{second}'\n"
        ),
        format!(
            "keyring = {{ generate = false, threshold = 0b10, root_keys = ['{second}', '{first}'] }}\n\
             evidence = {{ target = \"\\u0066ile\", directory = \"here\", fsync_interval_ms = 2_000 }}\n"
        ),
    ] {
        assert_eq!(load(&same, &[]).unwrap().digest(), digest, "{same}");
    }
    let keys = format!(" {second} ,{first}");
    let environment = [
        ("PAIGOW__KEYRING__GENERATE", "FALSE"),
        ("PAIGOW__KEYRING__THRESHOLD", "2"),
        ("PAIGOW__KEYRING__ROOT_KEYS", keys.as_str()),
        ("PAIGOW__EVIDENCE__TARGET", "file"),
        ("PAIGOW__EVIDENCE__DIRECTORY", "elsewhere"),
        ("PAIGOW__EVIDENCE__FSYNC_INTERVAL_MS", "2000"),
    ];
    assert_eq!(load("", &environment).unwrap().digest(), digest);
}

/// The lines are typed here, and their hash is that of `sha256sum`:
///
/// ```sh
/// { echo pge/v1/attested-settings; cat lines; } | sha256sum
/// ```
#[test]
fn the_digest_is_that_of_the_documented_lines() {
    let lines = r#"evidence.fail_closed = true
evidence.fsync = "always"
evidence.fsync_interval_ms = 1000
evidence.target = "file"
keyring.generate = false
keyring.root_keys = ["2b82cff2bc9c9698eb005106a2584dc6811a72e5b709441cef673fa7c8289f1b","c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f"]
keyring.threshold = 1
rules.directory = "C:\\house \"rules\""
rules.low_edge_basis_points = 50
server.allow_dev_policy = false
server.allow_plaintext = false
server.profile = "production"
server.tenant = "dev"
tls.client_certificates = "required"
verification.interval_s = 86400
verification.release_file = "release.jsonl"
"#;
    let mut settings = full();
    settings.insert("rules.directory".to_owned(), "'C:\\house \"rules\"'".to_owned());
    let config = load(&file(&settings), &[]).unwrap();
    assert_eq!(config.attested(), lines);
    let digest = "dd539fb1723d41ffe0f1b9a6e0e2dab96daedcc30cb2f55f637969d3c0fcf8b5";
    assert_eq!(config.digest().to_string(), digest);

    let told = config.by_kind();
    let head = "# Attested settings: a release record lists their digest.\n";
    let (attested, rest) = told.strip_prefix(head).unwrap().split_once("# Digest: ").unwrap();
    assert_eq!(attested, lines);
    let (told_digest, operational) = rest.split_once('\n').unwrap();
    assert_eq!(told_digest, digest);
    // The printed text is a settings file with the same settings.
    let again = load(&told, &[]).unwrap();
    assert_eq!(again.to_string(), config.to_string());
    let names = operational.lines().skip(1).chain(attested.lines());
    assert_eq!(names.count(), kind::settings().len());
}

#[test]
fn an_attested_text_that_no_record_can_hold_is_refused() {
    for (file, key) in [
        ("[rules]\ndirectory = \"r\\u00e8gles\"", "rules.directory"),
        ("[verification]\nrelease_file = \"a\\nevidence.target\"", "verification.release_file"),
    ] {
        let told = format!("{key}: must be of printable ASCII characters");
        assert_eq!(faults(file, &[]), [told]);
    }
    // Only the operator relies on this one.
    load("[keyring]\ndirectory = \"cl\\u00e9s\"", &[]).unwrap();
}
