//! `paigow-keys`: a whole ceremony with three root holders, an operator and a
//! laboratory, each with a folder of his own.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::Root;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::signature::PublicKey;
use paigow_files::keys;
use paigow_testkit::operator_rules;

use crate::{run_keys, text};

/// 2026-12-09 06:00:00 UTC, `date -u +%s -d`: the end of the description's epoch.
const SETTLE_UNTIL: u64 = 1_796_796_000;

/// Runs `paigow-keys` and returns what it wrote.
pub(crate) fn keys(arguments: &[&str]) -> String {
    let output = run_keys(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    text(&output)
}

/// Runs `paigow-keys`, which has to refuse, and returns the exit code and the message.
pub(crate) fn refused(arguments: &[&str]) -> (i32, String) {
    let output = run_keys(arguments);
    assert!(output.stdout.is_empty());
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Returns the value after `name` in the lines that a new key writes.
pub(crate) fn value(lines: &str, name: &str) -> String {
    let line = lines.lines().find(|line| line.starts_with(name)).unwrap();
    line[name.len()..].trim().to_owned()
}

/// The folders, keys and public halves of a ceremony.
pub(crate) struct Ceremony {
    home: tempfile::TempDir,
    pub(crate) roots: Vec<(String, PathBuf)>,
    pub(crate) witness: (String, PathBuf),
    receipt: String,
    ledger: String,
    pub(crate) commit: String,
}

impl Ceremony {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let path = home.path().join(name);
            fs::create_dir(&path).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let keyring = folder("keyring");
        let made = |role: &str, dir: &str| {
            let lines = keys(&[role, "--out", dir]);
            (value(&lines, "public"), PathBuf::from(value(&lines, "file")))
        };
        let roots = ["ann", "bob", "eve"].map(|holder| made("root", &folder(holder))).to_vec();
        let witness = made("witness", &folder("laboratory"));
        let (ledger, _) = made("ledger", &folder("wallet"));
        let (receipt, _) = made("receipt", &keyring);
        let commit = value(&keys(&["epoch", "--epoch", "1", "--out", &keyring]), "commit");
        Self { roots, witness, receipt, ledger, commit, home }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn keyring(&self) -> PathBuf {
        self.path("keyring")
    }

    pub(crate) fn chain(&self) -> PathBuf {
        self.path("keyring/manifests.jsonl")
    }

    /// Writes a description with the salt and the status given.
    pub(crate) fn describe(&self, salt: &str, status: &str) -> PathBuf {
        let path = self.path("manifest.toml");
        let roots: Vec<&str> = self.roots.iter().map(|(public, _)| public.as_str()).collect();
        let text = format!(
            r#"
            [root]
            threshold = 2
            keys = {roots:?}

            [[receipt_keys]]
            public = "{}"

            [[epochs]]
            epoch = 1
            suite = "derived"
            commit = "{}"
            open_from = 2026-12-01T06:00:00Z
            open_until = 2026-12-02T06:00:00Z
            settle_until = 2026-12-09T06:00:00Z
            status = "{status}"
            {salt}

            [[tenants]]
            tenant = "acme"
            lock = "required"
            chain = "required"
            client = "committed"
            seat_auth = "optional"
            ledger_keys = ["{}"]
            "#,
            self.receipt, self.commit, self.ledger
        );
        fs::write(&path, text).unwrap();
        path
    }

    /// Signs a description by Ann and then Bob and appends the record to the chain.
    pub(crate) fn publish(&self, description: &Path) {
        let (ann, bob) = (text_of(&self.roots[0].1), text_of(&self.roots[1].1));
        let (chain, draft) = (self.chain(), self.path("draft.jsonl"));
        let follows: &[&str] = if chain.exists() { &["--chain", text_of(&chain)] } else { &[] };
        let sign = ["manifest", "sign", text_of(description), "--key", ann];
        fs::write(&draft, keys(&[&sign, follows].concat())).unwrap();
        let add = ["manifest", "add-signature", text_of(&draft), "--key", bob];
        let signed = keys(&[&add, follows].concat());
        let before = fs::read_to_string(&chain).unwrap_or_default();
        fs::write(&chain, before + &signed).unwrap();
    }

    pub(crate) fn announce(&self) {
        let party = format!("salt = {{ party = \"{}\" }}", self.witness.0);
        self.publish(&self.describe(&party, "active"));
    }

    pub(crate) fn salt(&self) -> String {
        let output = self.ask_for_salt();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let line = text(&output);
        format!("salt = {}", line.strip_prefix("1 = ").unwrap())
    }

    fn reveal<'a>(&self, keyring: &'a str, now: &'a str) -> [&'a str; 7] {
        ["reveal", "--keyring", keyring, "--epoch", "1", "--now", now]
    }
}

pub(crate) fn text_of(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn an_epoch_is_announced_salted_completed_and_revealed() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    ceremony.publish(&ceremony.describe(&ceremony.salt(), "active"));

    // The keyring loads under the three root keys, two of which have signed.
    let public = |(text, _): &(String, PathBuf)| PublicKey::from_hex(text).unwrap();
    let root = Root { keys: ceremony.roots.iter().map(public).collect(), threshold: 2 };
    let loaded = keys::load(&ceremony.keyring(), None, Some(root)).unwrap();
    let [announced, completed] = loaded.manifests.all() else { panic!("two manifests") };
    assert_eq!(completed.manifest.prev, announced.hash);
    let [before, after] = [announced, completed].map(|m| m.manifest.epoch(1).unwrap());
    assert_eq!((before.salt, before.is_complete(), after.is_complete()), (None, false, true));
    assert_ne!(after.salt, Some(Hash::ZERO));
    assert!(loaded.keys.epoch(1).is_some());

    // The reveal is refused before the last round can be settled. Later the keyring's receipt key
    // signs it.
    let keyring = ceremony.keyring();
    let early = (SETTLE_UNTIL - 1).to_string();
    let (code, message) = refused(&ceremony.reveal(text_of(&keyring), &early));
    assert_eq!(code, 64);
    assert!(message.contains("until 2026-12-09 06:00:00 UTC"), "{message}");
    let line = keys(&ceremony.reveal(text_of(&keyring), &SETTLE_UNTIL.to_string()));
    let record = RecordEnvelope::parse(line.trim_end().as_bytes()).unwrap();
    assert_eq!(record.kind(), RecordKind::EpochReveal);
    assert_eq!(record.count_signers(&[PublicKey::from_hex(&ceremony.receipt).unwrap()]), 1);
    let payload: serde_json::Value = serde_json::from_slice(record.payload()).unwrap();
    let secret = loaded.keys.epoch(1).unwrap().0.expose();
    let expected = serde_json::json!({ "epoch": 1, "epoch_secret": hex::encode(secret) });
    assert_eq!(payload, expected);
}

#[test]
fn the_close_of_an_epoch_is_signed_by_operator_and_witness_and_by_nobody_twice() {
    let ceremony = Ceremony::new();
    let payload = serde_json::json!({
        "epoch": 1, "leaves": "1", "root": "ab".repeat(32), "tenant": "acme",
        "rounds": { "never_closed": "1", "opened_again": "0", "settled": "0", "voided": "0" },
        "tables": [{ "last": "1", "table": "T1" }],
    });
    let json = payload.to_string();
    let json = Json::parse(json.as_bytes()).unwrap();
    let file = ceremony.keyring().join("close");
    let unsigned = RecordEnvelope::unsigned(RecordKind::EpochClose, &json).to_line();
    fs::write(&file, unsigned).unwrap();
    let public = |text: &str| PublicKey::from_hex(text).unwrap();
    let kid = public(&ceremony.receipt).kid();
    let receipt = ceremony.keyring().join(format!("receipt-{kid}.key"));
    let witness = ceremony.witness.1.clone();
    for key in [&receipt, &witness] {
        let line = keys(&["sign-close", text_of(&file), "--key", text_of(key)]);
        fs::write(&file, &line).unwrap();
        let (code, message) = refused(&["sign-close", text_of(&file), "--key", text_of(key)]);
        assert_eq!(code, 65, "{message}");
    }
    let signed = fs::read(&file).unwrap();
    let signed = RecordEnvelope::parse(signed.trim_ascii_end()).unwrap();
    let signers = [public(&ceremony.receipt), public(&ceremony.witness.0)];
    assert_eq!((signed.signatures().len(), signed.count_signers(&signers)), (2, 2));
    // Another record, and a line that is not a record.
    let reveal = Json::obj([]);
    let other = RecordEnvelope::unsigned(RecordKind::EpochReveal, &reveal).to_line();
    for text in [other.as_str(), "no record"] {
        fs::write(&file, text).unwrap();
        let (code, _) = refused(&["sign-close", text_of(&file), "--key", text_of(&witness)]);
        assert_eq!(code, 65, "{text}");
    }
}

#[test]
fn a_revoked_epoch_is_revealed_at_once() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let salt = ceremony.salt();
    ceremony.publish(&ceremony.describe(&salt, "active"));
    ceremony.publish(&ceremony.describe(&salt, "revoked"));
    let line = keys(&ceremony.reveal(text_of(&ceremony.keyring()), "0"));
    assert!(line.contains("epoch-reveal"));
}

#[test]
fn no_secret_is_ever_printed_and_every_file_is_its_owners_alone() {
    let home = tempfile::tempdir().unwrap();
    let dir = text_of(home.path());
    for arguments in [
        &["root"][..],
        &["receipt"],
        &["ledger"],
        &["witness"],
        &["epoch", "--epoch", "7"],
        &["token", "--serial", "2"],
    ] {
        let lines = keys(&[arguments, &["--out", dir]].concat());
        let path = value(&lines, "file");
        let file = fs::read_to_string(&path).unwrap();
        let secret = value(&file, "secret");
        assert_eq!(secret.len(), 64);
        assert!(!lines.contains(&secret), "{arguments:?}");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600, "{path}");
    }
    // The secret of an epoch is made once and never replaced.
    let (code, _) = refused(&["epoch", "--epoch", "7", "--out", dir]);
    assert_eq!(code, 73);
}

#[test]
fn one_signature_of_two_does_not_load_and_the_same_key_does_not_count_twice() {
    let ceremony = Ceremony::new();
    let party = format!("salt = {{ party = \"{}\" }}", ceremony.witness.0);
    let description = ceremony.describe(&party, "active");
    let (ann, chain) = (text_of(&ceremony.roots[0].1), ceremony.chain());
    let signed = keys(&["manifest", "sign", text_of(&description), "--key", ann]);
    fs::write(&chain, signed).unwrap();

    let roots: Vec<&str> =
        ceremony.roots.iter().flat_map(|(public, _)| ["--root", public.as_str()]).collect();
    let show = [&["manifest", "show", text_of(&chain), "--threshold", "2"], &roots[..]];
    let output = run_keys(&show.concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("not signed by 2 of the 3 trusted root keys"));

    let again = ["manifest", "add-signature", text_of(&chain), "--key", ann];
    assert!(refused(&again).1.contains("this key has already signed the record"));
    let witness = text_of(&ceremony.witness.1);
    let stranger = ["manifest", "add-signature", text_of(&chain), "--key", witness];
    assert!(refused(&stranger).1.contains("not a root key"));

    let bob = text_of(&ceremony.roots[1].1);
    let both = keys(&["manifest", "add-signature", text_of(&chain), "--key", bob]);
    fs::write(&chain, both).unwrap();
    let output = run_keys(&show.concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(text(&output).matches(" has not signed").count(), 1);
}

#[test]
fn a_description_the_engine_could_not_work_from_is_not_signed() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let chain = ceremony.chain();
    let (salt, ann) = (ceremony.salt(), text_of(&ceremony.roots[0].1));
    for (good, bad, what) in [
        ("2026-12-02T06", "2026-12-03T06", "only its completion and its status may change"),
        ("2026-12-02T06", "2026-11-02T06", "open_from < open_until"),
        ("epoch = 1", "epoch = 2", "an epoch is listed until it is revealed"),
        ("value = \"", "value = \"00", "not 32 bytes in lower-case hexadecimal"),
        ("signature = \"", "signature = \"00", "not 64 bytes in lower-case hexadecimal"),
    ] {
        let path = ceremony.describe(salt.trim_end(), "active");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(good));
        fs::write(&path, text.replacen(good, bad, 1)).unwrap();
        let sign = ["manifest", "sign", text_of(&path), "--chain", text_of(&chain), "--key", ann];
        let (code, message) = refused(&sign);
        assert_eq!(code, 65, "{message}");
        assert!(message.contains(what), "{bad}: {message}");
    }
}

#[test]
fn a_record_that_no_server_could_work_from_gets_no_second_signature() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let chain = ceremony.chain();
    let (ann, bob) = (text_of(&ceremony.roots[0].1), text_of(&ceremony.roots[1].1));
    let completed = ceremony.describe(ceremony.salt().trim_end(), "active");
    let sign = ["manifest", "sign", text_of(&completed), "--chain", text_of(&chain), "--key", ann];
    let draft = ceremony.path("draft.jsonl");
    let good = keys(&sign);
    fs::write(&draft, &good).unwrap();
    let add = ["manifest", "add-signature", text_of(&draft), "--key", bob];
    let follows = ["--chain", text_of(&chain)];

    let (code, message) = refused(&add);
    assert_eq!(code, 64, "{message}");
    assert!(message.contains("manifest 2: give the earlier manifests with --chain"), "{message}");

    // A record that Ann signs with another program.
    let mut record: serde_json::Value = serde_json::from_str(&good).unwrap();
    let payload = BASE64.decode(record["payload"].as_str().unwrap()).unwrap();
    let payload = String::from_utf8(payload).unwrap();
    let until = "\"settle_until\":\"";
    assert!(payload.contains(until));
    let bad = payload.replace(until, &format!("{until}9"));
    record["payload"] = BASE64.encode(bad).into();
    fs::write(&draft, record.to_string()).unwrap();
    let (code, message) = refused(&[&add[..], &follows].concat());
    assert_eq!(code, 65, "{message}");
    assert!(message.contains("only its completion and its status may change"), "{message}");

    // Another manifest 2 was published meanwhile.
    fs::write(&draft, &good).unwrap();
    ceremony.announce();
    let (code, message) = refused(&[&add[..], &follows].concat());
    assert_eq!(code, 65, "{message}");
    assert!(
        message.contains("manifest 2 does not follow the 2 manifests of the chain"),
        "{message}"
    );
}

#[test]
fn a_root_of_many_signs_no_more_often_than_a_record_can_carry() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let chain = ceremony.chain();
    let (mut files, mut publics) = (Vec::new(), Vec::new());
    for holder in 0..16 {
        let folder = ceremony.path(&format!("holder-{holder}"));
        fs::create_dir(&folder).unwrap();
        let made = keys(&["root", "--out", text_of(&folder)]);
        publics.push(format!("{:?}", value(&made, "public")));
        files.push(value(&made, "file"));
    }
    // All keys of a new root, and one key of the old root.
    files.push(text_of(&ceremony.roots[0].1).to_owned());
    let described = keys(&["manifest", "next", "--chain", text_of(&chain)]);
    let old: Vec<String> = ceremony.roots.iter().map(|(public, _)| format!("{public:?}")).collect();
    let (first, last) = (described.find(&old[0]).unwrap(), described.find(&old[2]).unwrap());
    let mut rotated = described.clone();
    rotated.replace_range(first..last + old[2].len(), &publics.join(", "));
    let description = ceremony.path("rotation.toml");
    fs::write(&description, rotated).unwrap();

    let sign = ["manifest", "sign", text_of(&description), "--chain", text_of(&chain)];
    let with = |count: usize| {
        let each = files[..count].iter().flat_map(|file| ["--key", file.as_str()]);
        sign.into_iter().chain(each).collect::<Vec<_>>()
    };
    let full = ceremony.path("full.jsonl");
    fs::write(&full, keys(&with(16))).unwrap();
    keys(&["manifest", "show", text_of(&full)]);
    let (code, message) = refused(&with(17));
    assert_eq!(code, 64, "{message}");
    assert!(message.contains("the record already has the maximum of 16 signatures"), "{message}");
}

#[test]
fn a_key_file_that_others_may_read_is_not_used() {
    let ceremony = Ceremony::new();
    let ann = &ceremony.roots[0].1;
    fs::set_permissions(ann, PermissionsExt::from_mode(0o644)).unwrap();
    let party = format!("salt = {{ party = \"{}\" }}", ceremony.witness.0);
    let description = ceremony.describe(&party, "active");
    let sign = ["manifest", "sign", text_of(&description), "--key", text_of(ann)];
    let (code, message) = refused(&sign);
    assert_eq!(code, 66);
    assert!(message.contains("chmod 600"), "{message}");
}

#[test]
fn the_example_of_a_description_is_written_out() {
    let example = keys(&["manifest", "example"]);
    for member in ["[root]", "[[receipt_keys]]", "[[epochs]]", "[[tenants]]", "[[builds]]"] {
        assert!(example.contains(member), "{member}");
    }
}

#[test]
fn the_root_is_rotated_by_keys_of_the_old_and_the_new() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let chain = ceremony.chain();
    let folder = ceremony.path("fay");
    fs::create_dir(&folder).unwrap();
    let made = keys(&["root", "--out", text_of(&folder)]);
    let (fay, fay_file) = (value(&made, "public"), value(&made, "file"));

    // Fay takes Ann's place in a description that was written from an earlier manifest.
    let described = keys(&["manifest", "next", "--chain", text_of(&chain)]);
    let (ann, bob) = (&ceremony.roots[0], &ceremony.roots[1]);
    assert!(described.contains(&ann.0));
    let description = ceremony.path("rotation.toml");
    fs::write(&description, described.replace(&ann.0, &fay)).unwrap();

    // Bob's signature alone is one of two under either root. With Ann's, the old root has two. With
    // Fay's, both roots have two.
    let draft = ceremony.path("draft.jsonl");
    let sign = ["manifest", "sign", text_of(&description), "--chain", text_of(&chain)];
    let bob = text_of(&bob.1);
    fs::write(&draft, keys(&[&sign[..], &["--key", bob]].concat())).unwrap();
    let before = fs::read_to_string(&chain).unwrap();
    let more = |key: &str| {
        let add = ["manifest", "add-signature", text_of(&draft), "--chain", text_of(&chain)];
        fs::write(&draft, keys(&[&add[..], &["--key", key]].concat())).unwrap();
    };
    let verdict = || {
        let whole = ceremony.path("whole.jsonl");
        fs::write(&whole, before.clone() + &fs::read_to_string(&draft).unwrap()).unwrap();
        let roots: Vec<&str> =
            ceremony.roots.iter().flat_map(|(public, _)| ["--root", public.as_str()]).collect();
        let show = ["manifest", "show", text_of(&whole), "--threshold", "2"];
        let output = run_keys(&[&show[..], &roots].concat());
        let last = text(&output).lines().last().unwrap().to_owned();
        (output.status.code().unwrap(), last)
    };
    assert!(verdict().1.contains("not signed by 2 of the 3 trusted root keys"));
    more(text_of(&ann.1));
    assert!(verdict().1.contains("names another root whose keys have not signed it"));
    more(&fay_file);
    assert_eq!(verdict().0, 0, "{}", verdict().1);
}

#[test]
fn a_file_without_a_record_shows_no_good_signatures() {
    let home = tempfile::tempdir().unwrap();
    let empty = home.path().join("manifests.jsonl");
    fs::write(&empty, "").unwrap();
    let file = text_of(&empty);
    // Any public key.
    let root = ["--root", "c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f"];
    for root in [&root[..], &[]] {
        let (code, told) = refused(&[&["manifest", "show", file], root].concat());
        assert_eq!((code, told), (65, format!("paigow-keys: {file}: the file has no record\n")));
    }
}

#[test]
fn an_operators_own_rules_are_named_by_their_files_in_the_next_description() {
    let ceremony = Ceremony::new();
    let (way, ruleset) = operator_rules::write(&ceremony.path("rules"));
    let (way, ruleset) = (text_of(&way), text_of(&ruleset));
    let party = format!("salt = {{ party = \"{}\" }}", ceremony.witness.0);
    let description = ceremony.describe(&party, "active");
    let lists = format!("rulesets = [\"mikes\", {ruleset:?}]\nhouse_ways = [\"mikes\", {way:?}]\n");
    let written = fs::read_to_string(&description).unwrap();
    fs::write(&description, lists.clone() + &written).unwrap();
    ceremony.publish(&description);

    let chain = ceremony.chain();
    let next = ["manifest", "next", "--chain", text_of(&chain)];
    let (code, message) = refused(&next);
    assert_eq!(code, 64);
    assert!(message.contains("ruleset our-express (hash "), "{message}");
    let files = ["--ruleset", ruleset, "--house-way", way];
    let described = keys(&[&next[..], &files].concat());
    assert!(described.contains(&lists), "{described}");
    fs::write(&description, described).unwrap();
    ceremony.publish(&description);
    let hashes = |line: &str| -> Vec<String> {
        let text = keys(&["manifest", "show", text_of(&chain)]);
        text.lines().filter(|shown| shown.starts_with(line)).map(str::to_owned).collect()
    };
    let (rulesets, ways) = (hashes("ruleset"), hashes("house way"));
    assert_eq!((rulesets.len(), ways.len()), (4, 4));
    assert_eq!((&rulesets[..2], &ways[..2]), (&rulesets[2..], &ways[2..]));
}
