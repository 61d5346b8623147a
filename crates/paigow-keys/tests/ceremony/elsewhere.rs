//! Keys on another machine: the bytes go out, and the signature comes in.

use std::fs;
use std::path::Path;

use paigow_fairness::signature::Signer as _;
use paigow_files::keys::KeyFile;

use crate::epochs::{Ceremony, keys, refused, text_of};

/// Signs the bytes of a file as another machine does, with the key of a file.
fn sign(bytes: &Path, key: &Path, signature: &Path) {
    let KeyFile::Signing { key, .. } = KeyFile::read(key, None).unwrap() else {
        panic!("a signing key");
    };
    fs::write(signature, key.sign(&fs::read(bytes).unwrap())).unwrap();
}

#[test]
fn a_witness_elsewhere_signs_the_value_that_the_list_has() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let (bytes, signature) = (ceremony.path("bytes"), ceremony.path("signature"));
    let mut asking = ceremony.asking(&ceremony.chain());
    let place = asking.iter().position(|argument| argument == "--key").unwrap();
    asking.splice(place..place + 2, ["--public".to_owned(), ceremony.witness.0.clone()]);
    let with =
        |more: [&str; 2]| crate::witness::ran(&[&asking[..], &more.map(str::to_owned)].concat());

    let written = with(["--to-sign", text_of(&bytes)]);
    assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
    // A repeated call writes the same bytes. No call overwrites a file.
    let again = ceremony.path("again");
    assert!(with(["--to-sign", text_of(&again)]).status.success());
    assert_eq!(fs::read(&again).unwrap(), fs::read(&bytes).unwrap());
    assert_eq!(with(["--to-sign", text_of(&bytes)]).status.code(), Some(73));

    sign(&bytes, &ceremony.roots[0].1, &signature);
    assert_eq!(with(["--signature", text_of(&signature)]).status.code(), Some(65));
    sign(&bytes, &ceremony.witness.1, &signature);
    let given = with(["--signature", text_of(&signature)]);
    assert!(given.status.success(), "{given:?}");
    // A call with the key itself gets the same salt.
    assert_eq!(given.stdout, ceremony.ask_for_salt().stdout);
    let salt = String::from_utf8(given.stdout).unwrap();
    ceremony.publish(&ceremony.describe(&salt.replace("1 = ", "salt = "), "active"));
}

#[test]
fn a_signature_is_taken_in_each_spelling_and_for_its_bytes_alone() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let chain = ceremony.chain();
    let salt = ceremony.salt();
    let description = ceremony.describe(&salt, "active");
    let (ann, file) = &ceremony.roots[0];
    let (bytes, signature) = (ceremony.path("bytes"), ceremony.path("signature"));
    let command =
        ["manifest", "sign", text_of(&description), "--chain", text_of(&chain), "--public", ann];
    keys(&[&command[..], &["--to-sign", text_of(&bytes)]].concat());
    sign(&bytes, file, &signature);
    let raw = fs::read(&signature).unwrap();
    let taken = [&command[..], &["--signature", text_of(&signature)]].concat();
    let record = keys(&taken);
    let with_file =
        ["manifest", "sign", text_of(&description), "--chain", text_of(&chain), "--key"];
    assert_eq!(record, keys(&[&with_file[..], &[text_of(file)]].concat()));
    for text in [hex::encode(&raw) + "\n", base64(&raw)] {
        fs::write(&signature, text).unwrap();
        assert_eq!(keys(&taken), record);
    }
    fs::write(&signature, &raw[1..]).unwrap();
    assert_eq!(refused(&taken).0, 65);
    // Another description has other bytes.
    fs::write(&signature, &raw).unwrap();
    let other = ceremony.describe(&salt, "revoked");
    let (code, said) = refused(&[&taken[..2], &[text_of(&other)], &taken[3..]].concat());
    assert_eq!(code, 65, "{said}");
    assert!(said.contains("not the signature of this key over the bytes of --to-sign"), "{said}");
}

#[test]
fn keys_are_named_in_one_way_at_a_time() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let salt = ceremony.salt();
    let description = ceremony.describe(&salt, "active");
    let (ann, file) = (&ceremony.roots[0].0, text_of(&ceremony.roots[0].1));
    let (bytes, chain) = (ceremony.path("bytes"), ceremony.chain());
    for (arguments, what) in [
        (&[][..], "name a key"),
        (&["--public", ann], "name a key"),
        (&["--key", file, "--public", ann, "--to-sign", text_of(&bytes)], "for one key"),
        (&["--to-sign", text_of(&bytes)], "--public"),
        (&["--signer", "true"], "it ended without an answer"),
    ] {
        let sign = ["manifest", "sign", text_of(&description), "--chain", text_of(&chain)];
        let (code, said) = refused(&[&sign[..], arguments].concat());
        assert!(said.contains(what), "{arguments:?}: {said}");
        assert!([64, 69].contains(&code), "{arguments:?}: {code}");
    }
}

#[test]
fn salts_that_no_epoch_waits_for_are_refused() {
    let ceremony = Ceremony::new();
    ceremony.announce();
    let salt = ceremony.salt().replace("salt = ", "");
    let (chain, file) = (ceremony.chain(), ceremony.path("salts.toml"));
    let next = |text: String| {
        fs::write(&file, text).unwrap();
        let arguments = ["manifest", "next", "--chain", text_of(&chain), "--salts", text_of(&file)];
        crate::run_keys(&arguments)
    };
    for (text, what) in [
        (format!("2 = {salt}"), "no epoch 2 of the newest manifest waits for a salt"),
        (
            format!("1 = {}", salt.replace(&ceremony.witness.0, &ceremony.roots[0].0)),
            "another witness",
        ),
        (format!("1 = {}", salt.replace("value = \"", "value = \"0")), "a value is 64 hex digits"),
        ("1 = 2".to_owned(), "expected"),
    ] {
        let output = next(text);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(65), "{said}");
        assert!(said.contains(what), "{what}: {said}");
    }
    assert!(next(format!("1 = {salt}")).status.success());
}

/// Writes base64 as RFC 4648, section 4, has it.
fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
