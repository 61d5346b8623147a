//! `paigow-witness` gives one salt for each root and epoch, whatever the requests are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use paigow_fairness::encoding::{Hash, hex_bytes};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::seed::epoch_salt_statement;
use paigow_fairness::signature::PublicKey;

use crate::epochs::{Ceremony, keys, text_of, value};
use crate::text;

impl Ceremony {
    /// The arguments that ask for the salt of epoch 1 from a chain, under the root of the ceremony.
    pub(crate) fn asking(&self, chain: &Path) -> Vec<String> {
        let list = self.list();
        let roots = self.roots.iter().flat_map(|(public, _)| ["--root", public]);
        let own = [
            "--threshold",
            "2",
            "--chain",
            text_of(chain),
            "--epoch",
            "1",
            "--key",
            text_of(&self.witness.1),
            "--list",
            text_of(&list),
        ];
        roots.chain(own).map(str::to_owned).collect()
    }

    pub(crate) fn ask_for_salt(&self) -> Output {
        ran(&self.asking(&self.chain()))
    }

    fn list(&self) -> PathBuf {
        self.path("laboratory/salts")
    }

    /// Moves the manifests away, so that the next published manifest is the first.
    fn begin_again(&self, kept: &str) -> PathBuf {
        let path = self.path(kept);
        fs::rename(self.chain(), &path).unwrap();
        path
    }

    fn hashes(&self) -> Vec<Hash> {
        let text = fs::read(self.chain()).unwrap();
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| RecordEnvelope::parse(line).unwrap().hash()).collect()
    }

    /// Returns the refusal of the witness, which must not change the list.
    fn refused(&self) -> String {
        let before = fs::read(self.list()).unwrap_or_default();
        let (code, message) = refusal(&self.ask_for_salt());
        assert_eq!(code, 65, "{message}");
        assert_eq!(fs::read(self.list()).unwrap_or_default(), before);
        message
    }

    /// Publishes a manifest that changes the tenant and not the epoch.
    fn rename_tenant(&self, salt: &str, name: &str) {
        let path = self.describe(salt, "active");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("\"acme\""));
        fs::write(&path, text.replace("\"acme\"", &format!("{name:?}"))).unwrap();
        self.publish(&path);
    }

    fn party(&self) -> String {
        format!("salt = {{ party = \"{}\" }}", self.witness.0)
    }
}

fn program(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_paigow-witness"));
    command.args(arguments).stdin(Stdio::null());
    command
}

pub(crate) fn ran(arguments: &[String]) -> Output {
    program(arguments).output().unwrap()
}

fn refusal(output: &Output) -> (i32, String) {
    assert!(output.stdout.is_empty(), "{}", text(output));
    (output.status.code().unwrap(), String::from_utf8(output.stderr.clone()).unwrap())
}

/// The lines of a list that begin with a word.
fn lines_of(list: &Path, word: &str) -> Vec<String> {
    let text = fs::read_to_string(list).unwrap();
    text.lines().filter(|line| line.starts_with(word)).map(str::to_owned).collect()
}

#[test]
fn the_same_announcement_gets_the_same_salt_as_often_as_it_is_asked() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let salt = ceremony.salt();
    let list = fs::read(ceremony.list()).unwrap();
    assert_eq!(ceremony.salt(), salt);
    assert_eq!(fs::read(ceremony.list()).unwrap(), list);
    // The salt is the same when the epoch is complete, and under later manifests. The list
    // remembers it.
    ceremony.publish(&ceremony.describe(&salt, "active"));
    assert_eq!(ceremony.salt(), salt);
    ceremony.publish(&ceremony.describe(&salt, "revoked"));
    assert_eq!(ceremony.salt(), salt);
    let (witness, kept) = (&ceremony.witness.0, ceremony.list());
    assert_eq!(lines_of(&kept, "paigow-"), [format!("paigow-witness-list-1 {witness}")]);
    let hashes = ceremony.hashes();
    let roots: Vec<&str> = ceremony.roots.iter().map(|(public, _)| public.as_str()).collect();
    let manifests: Vec<String> = (1..)
        .zip(&hashes)
        .map(|(seq, hash)| format!("manifest {} {seq} {hash} {}", hashes[0], roots.join(",")))
        .collect();
    assert_eq!(lines_of(&kept, "manifest "), manifests);
    let [given] = &lines_of(&kept, "salt ")[..] else { panic!("one salt") };
    let words: Vec<&str> = given.split(' ').collect();
    let first = hashes[0].to_string();
    assert_eq!(words[..5], ["salt", &first, "1", &first, &ceremony.commit]);
    assert!(salt.contains(words[5]) && salt.contains(words[6]));
    let commit: Hash = ceremony.commit.parse().unwrap();
    let statement = epoch_salt_statement(1, &hashes[0], &commit, &hex_bytes(words[5]).unwrap());
    let key = PublicKey::from_hex(witness).unwrap();
    assert!(key.verifies(&statement, &hex_bytes(words[6]).unwrap()));
}

#[test]
fn a_second_announcement_gets_no_salt() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    ceremony.salt();
    let first = ceremony.hashes()[0];
    // Another commitment makes another manifest 1.
    ceremony.begin_again("before.jsonl");
    let folder = ceremony.path("other");
    fs::create_dir(&folder).unwrap();
    let other = value(&keys(&["epoch", "--epoch", "1", "--out", text_of(&folder)]), "commit");
    let path = ceremony.describe(&ceremony.party(), "active");
    let description = fs::read_to_string(&path).unwrap();
    fs::write(&path, description.replace(&ceremony.commit, &other)).unwrap();
    ceremony.publish(&path);
    let told = ceremony.refused();
    assert!(told.contains("epoch 1: a second announcement gets no salt"), "{told}");
    for fact in [&first.to_string(), &ceremony.commit, &ceremony.hashes()[0].to_string(), &other] {
        assert!(told.contains(fact), "{told}");
    }
    // The same commitment in another manifest: its tables can be others.
    ceremony.begin_again("second.jsonl");
    ceremony.rename_tenant(&ceremony.party(), "umbrella");
    let told = ceremony.refused();
    assert!(told.contains("a second announcement gets no salt"), "{told}");
    assert!(told.contains(&ceremony.hashes()[0].to_string()), "{told}");
}

#[test]
fn two_manifests_of_one_number_under_one_root_are_a_fork() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let salt = ceremony.salt();
    let first = fs::read(ceremony.chain()).unwrap();
    ceremony.rename_tenant(&salt, "umbrella");
    ceremony.salt();
    let one = ceremony.hashes()[1];
    fs::write(ceremony.chain(), &first).unwrap();
    ceremony.rename_tenant(&salt, "initech");
    let other = ceremony.hashes()[1];
    let told = ceremony.refused();
    let fork = "a fork: two manifests of sequence number 2 under one root";
    let fork = format!("{fork}, {one} in the list and {other} in the file");
    assert!(told.contains(&fork), "{told}");
    // The witness continues to serve the chain that stands.
    fs::write(ceremony.chain(), &first).unwrap();
    ceremony.rename_tenant(&salt, "umbrella");
    assert_eq!(ceremony.salt(), salt);
}

#[test]
fn a_root_that_shares_one_key_is_no_other_root() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    ceremony.salt();
    let first = ceremony.hashes()[0];
    ceremony.begin_again("before.jsonl");
    // Ann and Bob sign too. Nobody knows the key in Eve's place.
    let folder = ceremony.path("fay");
    fs::create_dir(&folder).unwrap();
    let fay = value(&keys(&["root", "--out", text_of(&folder)]), "public");
    let path = ceremony.describe(&ceremony.party(), "active");
    let description = fs::read_to_string(&path).unwrap();
    let eve = &ceremony.roots[2].0;
    fs::write(&path, description.replace(eve, &fay)).unwrap();
    ceremony.publish(&path);
    // The manifest has good signatures under the old root, and it names another root.
    let told = ceremony.refused();
    assert!(told.contains("manifest 1 names another root than --root"), "{told}");
    let mut asking = ceremony.asking(&ceremony.chain());
    let place = asking.iter().position(|argument| argument == eve).unwrap();
    asking[place] = fay;
    let before = fs::read(ceremony.list()).unwrap();
    let (code, told) = refusal(&ran(&asking));
    assert_eq!(code, 65);
    assert!(told.contains("a second announcement gets no salt"), "{told}");
    assert!(told.contains(&first.to_string()), "{told}");
    assert_eq!(fs::read(ceremony.list()).unwrap(), before);
}

#[test]
fn another_operator_gets_a_salt_from_the_same_list() {
    let (ours, theirs) = (Ceremony::new(), Ceremony::new());
    ours.announce();
    let salt = ours.salt();
    // The other operator names our witness.
    let party = ours.party();
    theirs.publish(&theirs.describe(&party, "active"));
    let asking = |own: &Ceremony| -> Vec<String> {
        let theirs = [own.witness.1.clone(), own.list()];
        let ours = [ours.witness.1.clone(), ours.list()];
        let asked = own.asking(&own.chain()).into_iter().map(|argument| {
            let place = theirs.iter().position(|path| text_of(path) == argument);
            place.map_or(argument, |place| text_of(&ours[place]).to_owned())
        });
        asked.collect()
    };
    let other = ran(&asking(&theirs));
    assert!(other.status.success(), "{}", String::from_utf8_lossy(&other.stderr));
    assert_ne!(text(&other), salt);
    assert_eq!(text(&ran(&asking(&theirs))), text(&other));
    assert_eq!(ours.salt(), salt);
    assert_eq!(lines_of(&ours.list(), "salt ").len(), 2);
}

#[test]
fn runs_at_once_draw_one_salt() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let asking = ceremony.asking(&ceremony.chain());
    let start = |_| program(&asking).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let running: Vec<_> = (0..16).map(start).collect();
    let told: Vec<String> = running
        .into_iter()
        .map(|process| {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            text(&output)
        })
        .collect();
    assert!(told[0].contains("value"));
    assert!(told.iter().all(|salt| *salt == told[0]), "{told:?}");
    assert_eq!(lines_of(&ceremony.list(), "salt ").len(), 1);
}

#[test]
fn a_list_that_is_cut_off_anywhere_is_refused_and_gets_no_second_salt() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let salt = ceremony.salt();
    let whole = fs::read(ceremony.list()).unwrap();
    // Cuts the list at every seventh byte, and beside every end of a line.
    let ends = (0..whole.len()).filter(|at| whole[*at] == b'\n').flat_map(|at| [at, at + 2]);
    let lengths = (1..whole.len()).step_by(7).chain(ends);
    let mut refused = 0;
    for length in lengths.filter(|length| *length < whole.len()) {
        let cut = &whole[..length];
        if cut.ends_with(b"\n") {
            continue;
        }
        fs::write(ceremony.list(), cut).unwrap();
        let told = ceremony.refused();
        assert!(told.contains(": the line is cut off"), "{length}: {told}");
        refused += 1;
    }
    assert!(refused > 80, "{refused}");
    fs::write(ceremony.list(), &whole).unwrap();
    assert_eq!(ceremony.salt(), salt);
}

#[test]
fn a_list_that_was_altered_or_is_not_whole_is_refused() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let salt = ceremony.salt();
    let whole = fs::read_to_string(ceremony.list()).unwrap();
    let given = lines_of(&ceremony.list(), "salt ").remove(0);
    let value = given.split(' ').nth(5).unwrap();
    let (witness, other) = (&ceremony.witness.0, &ceremony.roots[0].0);
    for (text, what) in [
        (whole.replace(value, &"11".repeat(32)), "line 3: the signature is not one of the witness"),
        (whole.replace(witness, other), "line 1: not a list of the witness key"),
        (whole.replace("manifest ", "manifest  "), "line 2: neither a manifest nor a salt"),
        (whole.replace(" 1 ", " 01 "), "line 2: not in its one spelling"),
        (whole.clone() + "\n", "line 4: neither a manifest nor a salt"),
        (whole.replace('\n', "\r\n"), "line 1: not a list of the witness key"),
    ] {
        assert_ne!(text, whole, "{what}");
        fs::write(ceremony.list(), text).unwrap();
        let told = ceremony.refused();
        assert!(told.contains(what), "{what}: {told}");
    }
    // The list was lost after the salt was published.
    ceremony.publish(&ceremony.describe(&salt, "active"));
    fs::remove_file(ceremony.list()).unwrap();
    let told = ceremony.refused();
    assert!(told.contains("a salt of epoch 1 by this key that is not in the list"), "{told}");
    fs::write(ceremony.list(), &whole).unwrap();
    assert_eq!(ceremony.salt(), salt);
}

#[test]
fn a_list_that_cannot_be_written_gives_no_salt() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let mut asking = ceremony.asking(&ceremony.chain());
    let last = asking.len() - 1;
    for list in ["/dev/full", "/no/such/folder/salts"] {
        asking[last] = list.to_owned();
        let (code, told) = refusal(&ran(&asking));
        assert_eq!(code, 73, "{told}");
        assert!(told.contains(list), "{told}");
    }
    // The disk is full in the middle of a line: the witness cuts off the part that was written.
    let theirs = Ceremony::new();
    theirs.publish(&theirs.describe(&ceremony.party(), "active"));
    ceremony.salt();
    let before = fs::read(ceremony.list()).unwrap();
    assert!((600..1024).contains(&before.len()), "{}", before.len());
    let mut asking = theirs.asking(&theirs.chain());
    let place = asking.iter().position(|argument| argument == "--key").unwrap() + 1;
    asking[place] = text_of(&ceremony.witness.1).to_owned();
    asking[last] = text_of(&ceremony.list()).to_owned();
    // One block is 1,024 bytes. The signal is ignored, so the write fails.
    let full = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let mut bash = Command::new("bash");
    bash.args(["-c", full, "bash", env!("CARGO_BIN_EXE_paigow-witness")]).args(&asking);
    let (code, told) = refusal(&bash.output().unwrap());
    assert_eq!(code, 73, "{told}");
    assert_eq!(fs::read(ceremony.list()).unwrap(), before);
    assert!(ran(&asking).status.success());
}

#[test]
fn only_the_named_witness_salts_and_only_a_whole_chain_under_its_root() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let folder = ceremony.path("laboratory");
    let other = value(&keys(&["witness", "--out", text_of(&folder)]), "file");
    let asking = ceremony.asking(&ceremony.chain());
    let with = |old: &str, new: &str| {
        assert!(asking.iter().any(|argument| argument == old));
        let asked = asking.iter().map(|one| if one == old { new } else { one }.to_owned());
        refusal(&ran(&asked.collect::<Vec<_>>()))
    };
    let (code, told) = with(text_of(&ceremony.witness.1), &other);
    assert_eq!(code, 64);
    assert!(told.contains("names another witness key"), "{told}");
    let (code, told) = with(text_of(&ceremony.witness.1), text_of(&ceremony.roots[0].1));
    assert_eq!(code, 64);
    assert!(told.contains("not a witness key"), "{told}");
    let (code, told) = with("1", "2");
    assert_eq!(code, 64);
    assert!(told.contains("epoch 2: the newest manifest does not list it"), "{told}");
    let stranger = Ceremony::new();
    let (code, told) = with(&ceremony.roots[0].0, &stranger.roots[0].0);
    assert_eq!(code, 65);
    assert!(told.contains("not signed by 2 of the 3 trusted root keys"), "{told}");
    let without: Vec<String> = asking.iter().skip(8).cloned().collect();
    let (code, told) = refusal(&ran(&without));
    assert_eq!(code, 64);
    assert!(told.contains("missing --root"), "{told}");
    // The second manifest alone.
    let salt = ceremony.salt();
    ceremony.publish(&ceremony.describe(&salt, "active"));
    let chain = fs::read_to_string(ceremony.chain()).unwrap();
    fs::write(ceremony.chain(), chain.lines().nth(1).unwrap()).unwrap();
    assert!(ceremony.refused().contains("give all manifests, from manifest 1 on"));
}
