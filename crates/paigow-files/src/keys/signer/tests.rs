use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use paigow_engine::SecretKey;
use paigow_fairness::signature::Signer as _;

use super::*;

/// The key of every signer here.
fn key() -> SecretKey {
    SecretKey::from_bytes(&[7; 32])
}

/// Serves a socket: `answer` gets the number of the request and the request. [`None`] ends the
/// connection.
fn serve(
    answer: impl Fn(usize, &str) -> Option<String> + Send + Sync + 'static,
) -> (tempfile::TempDir, SocketSigner, Arc<AtomicUsize>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("signer.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let (count, answer) = (Arc::clone(&connections), Arc::new(answer));
    thread::spawn(move || {
        let requests = Arc::new(AtomicUsize::new(0));
        for stream in listener.incoming() {
            count.fetch_add(1, Ordering::SeqCst);
            let (answer, requests) = (Arc::clone(&answer), Arc::clone(&requests));
            thread::spawn(move || {
                let stream = stream.unwrap();
                let mut out = stream.try_clone().unwrap();
                for line in BufReader::new(stream).lines() {
                    let number = requests.fetch_add(1, Ordering::SeqCst);
                    let Some(answer) = answer(number, &line.unwrap()) else { return };
                    out.write_all(answer.as_bytes()).unwrap();
                }
            });
        }
    });
    let signer = SocketSigner::new(&path, Duration::from_secs(30));
    (folder, signer, connections)
}

/// Returns the answers of a good signer.
fn good(request: &str) -> String {
    let words: Vec<&str> = request.split(' ').collect();
    match words[..] {
        ["keys"] => format!("keys receipt:{}\n", key().public()),
        ["sign", public, bytes] => {
            assert_eq!(public, key().public().to_string());
            let signature = key().sign(&STANDARD.decode(bytes).unwrap());
            format!("signature {}\n", STANDARD.encode(signature))
        }
        _ => panic!("{request}"),
    }
}

#[test]
fn a_signer_on_a_socket_lists_its_keys_and_signs_on_one_connection() {
    let (_folder, signer, connections) = serve(|_, request| Some(good(request)));
    let public = key().public();
    assert_eq!(signer.keys().unwrap(), [SignerKey { role: KeyRole::Receipt, public }]);
    signer.try_key(&public).unwrap();
    for message in [&b""[..], b"a record", &[0xff; 5000]] {
        assert_eq!(KeyStore::sign(&signer, &public, message).unwrap(), key().sign(message));
    }
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[test]
fn an_answer_that_is_none_of_a_signer_is_refused() {
    let public = key().public();
    for (answer, what) in [
        ("signature AAAA\n", "64 bytes in base64"),
        ("keys\n", "64 bytes in base64"),
        ("error\n", "the name of the error"),
        ("error wrong_pin no\n", "the name of the error"),
        ("\n", "64 bytes in base64"),
        ("signature\u{0}", "it ended"),
    ] {
        // The last answer has no line end: the connection closes after it.
        let (_folder, signer, _) = serve(move |number, _| match number {
            0 => Some(answer.to_owned()),
            _ => None,
        });
        if !answer.ends_with('\n') {
            continue;
        }
        let error = signer.with_conversation(|one| one.sign(&public, b"a")).unwrap_err();
        assert!(matches!(error, SignerError::Malformed(_)), "{answer:?}: {error}");
        assert!(error.to_string().contains(what), "{answer:?}: {error}");
    }
    for keys in ["keys root\n", "keys nobody:00\n", "keys root:zz\n"] {
        let (_folder, signer, _) = serve(move |_, _| Some(keys.to_owned()));
        assert!(matches!(signer.keys(), Err(SignerError::Malformed(_))), "{keys}");
    }
}

#[test]
fn a_refusal_is_named_and_its_text_is_one_plain_line() {
    let (_folder, signer, _) =
        serve(|_, _| Some("error WRONG_PIN the token\tsays\u{1b}[2J no\n".to_owned()));
    let error = signer.keys().unwrap_err();
    assert_eq!(error.to_string(), "WRONG_PIN: the token says [2J no");
}

#[test]
fn a_signature_that_is_not_the_keys_is_refused() {
    let other = STANDARD.encode(key().sign(b"another message"));
    let (_folder, signer, _) = serve(move |_, _| Some(format!("signature {other}\n")));
    let error = signer.with_conversation(|one| one.sign(&key().public(), b"a")).unwrap_err();
    assert!(matches!(error, SignerError::WrongSignature(_)), "{error}");
}

#[test]
fn a_key_with_two_signatures_for_one_message_is_refused() {
    // An Ed25519 signature with another nonce: R = rB, s = r + H(R, A, M) a, for an r that this
    // test chooses.
    use ed25519_dalek::hazmat::{ExpandedSecretKey, raw_sign};
    use sha2::Sha512;
    let sign = |nonce: u8| {
        let mut expanded = ExpandedSecretKey::from(&[7; 32]);
        expanded.hash_prefix = [nonce; 32];
        let verifying = ed25519_dalek::SigningKey::from_bytes(&[7; 32]).verifying_key();
        raw_sign::<Sha512>(&expanded, KEY_STORE_TRIAL, &verifying).to_bytes()
    };
    assert!(key().public().verifies(KEY_STORE_TRIAL, &sign(1)));
    let signatures = [1, 2].map(|nonce| STANDARD.encode(sign(nonce)));
    let (_folder, signer, _) =
        serve(move |number, _| Some(format!("signature {}\n", signatures[number % 2])));
    let error = signer.try_key(&key().public()).unwrap_err();
    assert!(matches!(error, SignerError::NotDeterministic(_)), "{error}");
}

#[test]
fn a_connection_that_ended_while_it_was_idle_is_made_again() {
    // The first connection ends after one answer.
    let (_folder, signer, connections) =
        serve(|number, request| (number != 1).then(|| good(request)));
    let public = key().public();
    signer.keys().unwrap();
    assert_eq!(KeyStore::sign(&signer, &public, b"a").unwrap(), key().sign(b"a"));
    assert_eq!(connections.load(Ordering::SeqCst), 2);
}

#[test]
fn a_signer_that_failed_is_left_alone_and_each_call_is_refused_at_once() {
    let (_folder, signer, connections) =
        serve(|_, _| Some("error UNAVAILABLE the cable is out\n".to_owned()));
    let public = key().public();
    for _ in 0..3 {
        let error = KeyStore::sign(&signer, &public, b"a").unwrap_err();
        assert_eq!(error.to_string(), "UNAVAILABLE: the cable is out");
    }
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[test]
fn a_signer_that_hangs_is_given_up_after_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("signer.sock");
    // The signer accepts connections and never answers.
    let _listener = UnixListener::bind(&path).unwrap();
    let signer = SocketSigner::new(&path, Duration::from_millis(20));
    assert!(matches!(signer.keys(), Err(SignerError::Unreachable(_))));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(signer.keys(), Err(SignerError::Unreachable(_))));
}

/// A program that has written these bytes, and ended before anybody wrote to it.
struct EndedProgram(&'static [u8]);

impl Read for EndedProgram {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for EndedProgram {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_a_program_said_before_it_ended_is_told_and_that_it_said_nothing() {
    for (said, told) in [
        (&b"error NO_SLOT no slot has a token"[..], "a line without an end"),
        (b"error NO_SLOT no slot has a token\n", "NO_SLOT: no slot has a token"),
        (b"", "it ended without an answer"),
    ] {
        let error = Conversation::new(EndedProgram(said)).keys().unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_program_signs_on_its_standard_streams_and_its_end_is_told() {
    let public = key().public();
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("signer");
    let answers = format!(
        "#!/bin/sh\nread -r line\necho \"keys root:{public}\"\nread -r line\necho \"signature {}\"\n",
        STANDARD.encode(key().sign(b"a record")),
    );
    std::fs::write(&script, answers).unwrap();
    let command = format!("sh {}", script.display());
    let mut signer = ProgramSigner::start(&command).unwrap();
    assert_eq!(signer.keys().unwrap(), [SignerKey { role: KeyRole::Root, public }]);
    assert_eq!(signer.sign(&public, b"a record").unwrap(), key().sign(b"a record"));
    assert!(matches!(signer.sign(&public, b"a record"), Err(SignerError::Unreachable(_))));
    assert!(matches!(ProgramSigner::start("/no/such/program"), Err(SignerError::Unreachable(_))));
    assert!(matches!(ProgramSigner::start(""), Err(SignerError::Unreachable(_))));
}
