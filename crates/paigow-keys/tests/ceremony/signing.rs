//! `paigow-keys manifest sign` refuses every manifest that no server would load.

use std::fs;
use std::path::{Path, PathBuf};

use crate::epochs::{Ceremony, keys, refused, text_of, value};

impl Ceremony {
    /// The salt of an announcement.
    fn announced_salt(&self) -> String {
        format!("salt = {{ party = \"{}\" }}", self.witness.0)
    }

    /// Writes a description of the epoch announced, changed by `edit`.
    fn described(&self, status: &str, edit: impl FnOnce(String) -> String) -> PathBuf {
        let path = self.describe(&self.announced_salt(), status);
        let text = fs::read_to_string(&path).unwrap();
        let edited = edit(text.clone());
        assert!(status != "active" || edited != text);
        fs::write(&path, edited).unwrap();
        path
    }

    /// Signs a description that has to be refused, and returns the message.
    fn unsigned(&self, description: &Path, chain: Option<&Path>) -> String {
        let ann = text_of(&self.roots[0].1);
        let mut sign = vec!["manifest", "sign", text_of(description), "--key", ann];
        sign.extend(chain.into_iter().flat_map(|chain| ["--chain", text_of(chain)]));
        let (code, message) = refused(&sign);
        assert_eq!(code, 65, "{message}");
        message
    }
}

/// A description without its epoch.
fn without_epoch(text: &str) -> String {
    let (before, epoch) = text.split_once("[[epochs]]").unwrap();
    let (_, after) = epoch.split_once("[[tenants]]").unwrap();
    format!("{before}[[tenants]]{after}")
}

#[test]
fn an_epoch_that_was_dropped_is_not_listed_again() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    ceremony.publish(&ceremony.described("revealed", |text| text));
    ceremony.publish(&ceremony.described("active", |text| without_epoch(&text)));
    let chain = ceremony.chain();
    let other = ceremony.path("other");
    fs::create_dir(&other).unwrap();
    let other = value(&keys(&["epoch", "--epoch", "1", "--out", text_of(&other)]), "commit");
    assert_ne!(other, ceremony.commit);
    let same = ceremony.describe(&ceremony.announced_salt(), "active");
    let refusal = "epoch 1: listed again after it was dropped";
    let said = ceremony.unsigned(&same, Some(&chain));
    assert!(said.contains(refusal), "{said}");
    let changed = ceremony.described("active", |text| text.replace(&ceremony.commit, &other));
    let said = ceremony.unsigned(&changed, Some(&chain));
    assert!(said.contains(refusal), "{said}");
}

#[test]
fn a_chain_that_begins_later_is_not_signed_on() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    ceremony.publish(&ceremony.described("revealed", |text| text));
    let whole = fs::read_to_string(ceremony.chain()).unwrap();
    let later = ceremony.path("later.jsonl");
    fs::write(&later, whole.lines().next_back().unwrap()).unwrap();
    let next = ceremony.describe(&ceremony.announced_salt(), "revealed");
    let said = ceremony.unsigned(&next, Some(&later));
    assert!(
        said.contains("manifest 1 is missing from the chain, or does not follow the one before"),
        "{said}"
    );
}

#[test]
fn a_chain_of_two_suites_is_not_signed() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let fresh = r#"
            [[epochs]]
            epoch = 2
            suite = "fresh"
            open_from = 2026-12-02T06:00:00Z
            open_until = 2026-12-03T06:00:00Z
            settle_until = 2026-12-10T06:00:00Z

            [[tenants]]"#;
    let mixed = ceremony.described("active", |text| text.replacen("[[tenants]]", fresh, 1));
    let chain = ceremony.chain();
    for chain in [None, Some(chain.as_path())] {
        let said = ceremony.unsigned(&mixed, chain);
        assert!(said.contains("one chain of manifests serves one suite"), "{said}");
    }
    // The suite does not change either after the epochs of the old suite are gone.
    ceremony.publish(&ceremony.described("revealed", |text| text));
    let changed =
        ceremony.described("active", |text| without_epoch(&text).replacen("[[tenants]]", fresh, 1));
    let said = ceremony.unsigned(&changed, Some(&chain));
    assert!(said.contains("one chain of manifests serves one suite"), "{said}");
}

#[test]
fn a_list_longer_than_is_read_is_not_signed() {
    let ceremony = Ceremony::new();
    let tables = |count: u32| {
        let tables: Vec<String> = (0..count).map(|table| format!("T{table}")).collect();
        ceremony.described("active", |text| format!("{text}\n            tables = {tables:?}\n"))
    };
    let said = ceremony.unsigned(&tables(1025), None);
    assert!(said.contains("tenants[0].tables: more than a manifest takes"), "{said}");
    ceremony.publish(&tables(1024));
}
