//! Programs that sign: the client side.
//!
//! A signer is any program that keeps keys elsewhere: in an HSM, in a KMS, behind a prompt. It
//! reads one line for each request and answers with one line:
//!
//! ```text
//! keys                               keys root:<64 hex> receipt:<64 hex>
//! sign <64 hex> <bytes in base64>    signature <64 bytes in base64>
//!                                    error WRONG_PIN the token refuses the PIN
//! ```
//!
//! `sign` names the key by its public half. The bytes are what Ed25519 signs, not a hash of them. An
//! error is a name of capital letters, digits and underscores, and a text that people read. A program talks on its
//! standard input and output, or serves a Unix socket. `paigow-pkcs11` is one, for tokens that
//! speak PKCS #11.
//!
//! Every signature is verified here before it is used.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use paigow_engine::{KeyStore, KeyStoreUnavailable};
use paigow_fairness::signature::PublicKey;

use super::KeyRole;

/// The most bytes of one answer: `keys` of some hundred keys.
const ANSWER_BYTES: u64 = 16 << 10;

/// The text that a key store signs to prove that it signs. It is not a record or a statement of the
/// protocol, since those begin otherwise.
pub const KEY_STORE_TRIAL: &[u8] = b"paigow key store test";

/// How long no call uses a signer that has failed.
const REST: Duration = Duration::from_secs(1);

/// A key that a signer holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SignerKey {
    /// The role of the key.
    pub role: KeyRole,
    /// Its public half.
    pub public: PublicKey,
}

/// The reason why a signer gave no signature.
#[derive(Debug, thiserror::Error)]
pub enum SignerError {
    /// It cannot be started, reached, written to or read from.
    #[error("cannot be reached: {0}")]
    Unreachable(#[from] io::Error),
    /// It refused, and named the error.
    #[error("{name}: {text}")]
    Refused {
        /// The name, as `WRONG_PIN`.
        name: String,
        /// The signer's text for people.
        text: String,
    },
    /// Its answer does not have the form of the protocol.
    #[error("the answer is not one of a signer: {0}")]
    Malformed(&'static str),
    /// It signed something else, or with another key.
    #[error("the signature does not verify under key {0}")]
    WrongSignature(PublicKey),
    /// It gives two signatures for one message.
    #[error("key {0} gives two signatures for one message: the same request would get other bytes")]
    NotDeterministic(PublicKey),
}

/// A conversation with a signer, one request at a time.
struct Conversation<S: Read + Write>(BufReader<S>);

impl<S: Read + Write> Conversation<S> {
    fn new(stream: S) -> Self {
        Self(BufReader::new(stream))
    }

    /// Sends one line, and returns the first word of the answer and the rest.
    fn ask(&mut self, request: &str) -> Result<(String, String), SignerError> {
        match self.send(request) {
            // The program has ended. Its output has all that it wrote before, if anything.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            sent => sent?,
        }
        let mut line = Vec::new();
        let taken = (&mut self.0).take(ANSWER_BYTES).read_until(b'\n', &mut line)?;
        if taken == 0 {
            let gone = io::Error::new(io::ErrorKind::UnexpectedEof, "it ended without an answer");
            return Err(gone.into());
        }
        let line = String::from_utf8(line).map_err(|_| SignerError::Malformed("not UTF-8"))?;
        let Some(line) = line.strip_suffix('\n') else {
            return Err(SignerError::Malformed("a line without an end, or above 16 KiB"));
        };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "error" {
            let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
            return Err(refused(name, text));
        }
        Ok((word.to_owned(), rest.to_owned()))
    }

    fn send(&mut self, request: &str) -> io::Result<()> {
        let stream = self.0.get_mut();
        stream.write_all(request.as_bytes())?;
        stream.write_all(b"\n")?;
        stream.flush()
    }

    fn keys(&mut self) -> Result<Vec<SignerKey>, SignerError> {
        let (word, rest) = self.ask("keys")?;
        if word != "keys" {
            return Err(SignerError::Malformed("the answer to keys begins with keys"));
        }
        rest.split_ascii_whitespace().map(listed_key).collect()
    }

    fn sign(&mut self, key: &PublicKey, message: &[u8]) -> Result<[u8; 64], SignerError> {
        let (word, rest) = self.ask(&format!("sign {key} {}", STANDARD.encode(message)))?;
        let signature = STANDARD.decode(rest).ok().and_then(|bytes| bytes.try_into().ok());
        let (true, Some(signature)) = (word == "signature", signature) else {
            return Err(SignerError::Malformed("the answer to sign is 64 bytes in base64"));
        };
        let signature: [u8; 64] = signature;
        if key.verifies(message, &signature) {
            Ok(signature)
        } else {
            Err(SignerError::WrongSignature(*key))
        }
    }

    /// Lets the signer sign a trial text twice.
    fn try_key(&mut self, key: &PublicKey) -> Result<(), SignerError> {
        let first = self.sign(key, KEY_STORE_TRIAL)?;
        if self.sign(key, KEY_STORE_TRIAL)? == first {
            Ok(())
        } else {
            Err(SignerError::NotDeterministic(*key))
        }
    }
}

/// Makes the error of a refusal. Someone else wrote the program, so only plain text of one line is
/// accepted.
fn refused(name: &str, text: &str) -> SignerError {
    let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if name.is_empty() || name.len() > 32 || !name.bytes().all(is_name) {
        return SignerError::Malformed("the name of the error is not as WRONG_PIN");
    }
    let text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
    SignerError::Refused { name: name.to_owned(), text }
}

fn listed_key(text: &str) -> Result<SignerKey, SignerError> {
    let read = || {
        let (role, public) = text.split_once(':')?;
        let role = KeyRole::ALL.into_iter().find(|known| known.name() == role)?;
        Some(SignerKey { role, public: PublicKey::from_hex(public).ok()? })
    };
    read().ok_or(SignerError::Malformed("a key is listed as role:<64 hex>"))
}

/// A program's standard input and output.
struct ProgramPipes {
    child: Child,
}

impl Read for ProgramPipes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.child.stdout.as_mut().map_or(Ok(0), |output| output.read(buffer))
    }
}

impl Write for ProgramPipes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.child.stdin.as_mut().map_or(Ok(0), |input| input.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.child.stdin.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for ProgramPipes {
    /// Lets the program end by itself, when it reads the end of its input.
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

/// A signer that is a program on this machine. It runs as long as this value lives.
///
/// An answer has no time limit, since a person may have to touch a device.
pub struct ProgramSigner(Conversation<ProgramPipes>);

impl fmt::Debug for ProgramSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgramSigner(..)")
    }
}

impl ProgramSigner {
    /// Starts a command: a program and its arguments, separated by spaces. No shell reads it.
    ///
    /// # Errors
    ///
    /// If the command is empty or the system does not start it.
    pub fn start(command: &str) -> Result<Self, SignerError> {
        let mut words = command.split_ascii_whitespace();
        let program = words.next().unwrap_or_default();
        let child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        Ok(Self(Conversation::new(ProgramPipes { child })))
    }

    /// Returns the keys that the program can sign with.
    ///
    /// # Errors
    ///
    /// If it returns no list.
    pub fn keys(&mut self) -> Result<Vec<SignerKey>, SignerError> {
        self.0.keys()
    }

    /// Signs `message` with a key.
    ///
    /// # Errors
    ///
    /// If the program gives no signature that verifies.
    pub fn sign(&mut self, key: &PublicKey, message: &[u8]) -> Result<[u8; 64], SignerError> {
        self.0.sign(key, message)
    }
}

/// A signer that serves a Unix socket, for a server that signs all the time.
///
/// Calls on several threads use a connection each. After a failure every call is refused at once
/// for one second. So a signer that does not answer blocks no thread for longer than one time limit
/// in each second.
#[derive(Debug)]
pub struct SocketSigner {
    path: PathBuf,
    time_limit: Duration,
    idle: Mutex<Vec<SocketConversation>>,
    failed: Mutex<Option<Failure>>,
}

struct SocketConversation(Conversation<UnixStream>);

impl fmt::Debug for SocketConversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SocketConversation(..)")
    }
}

/// The time and the error of a signer's failure.
#[derive(Clone, Debug)]
struct Failure {
    at: Instant,
    cause: String,
}

impl SocketSigner {
    /// Names the socket of a signer, without a connection. An answer and a new connection may each
    /// take `time_limit`.
    #[must_use]
    pub fn new(path: &Path, time_limit: Duration) -> Self {
        Self { path: path.to_owned(), time_limit, idle: Mutex::default(), failed: Mutex::default() }
    }

    /// Returns the path of the socket.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the keys that the signer can sign with.
    ///
    /// # Errors
    ///
    /// If it cannot be reached or returns no list.
    pub fn keys(&self) -> Result<Vec<SignerKey>, SignerError> {
        self.with_conversation(Conversation::keys)
    }

    /// Lets the signer sign a trial text twice with a key.
    ///
    /// # Errors
    ///
    /// If the signer gives no signatures that verify, or two that differ.
    pub fn try_key(&self, key: &PublicKey) -> Result<(), SignerError> {
        self.with_conversation(|conversation| conversation.try_key(key))
    }

    /// Uses an idle connection or a new one. An idle connection may have ended with its signer.
    /// Then the request is made again on a new connection. That is safe, because one message has
    /// one signature.
    fn with_conversation<T>(
        &self,
        mut ask: impl FnMut(&mut Conversation<UnixStream>) -> Result<T, SignerError>,
    ) -> Result<T, SignerError> {
        let idle = locked(&self.idle).pop();
        if let Some(SocketConversation(mut conversation)) = idle {
            match ask(&mut conversation) {
                Err(SignerError::Unreachable(error)) if !timed_out(&error) => {}
                answer => return self.put_back(conversation, answer),
            }
        }
        let mut conversation = Conversation::new(self.connect()?);
        let answer = ask(&mut conversation);
        self.put_back(conversation, answer)
    }

    /// Keeps a healthy connection for the next request.
    fn put_back<T>(
        &self,
        conversation: Conversation<UnixStream>,
        answer: Result<T, SignerError>,
    ) -> Result<T, SignerError> {
        match &answer {
            Ok(_) | Err(SignerError::Refused { .. }) => {
                locked(&self.idle).push(SocketConversation(conversation));
            }
            // The next line on it may be the answer to this request.
            Err(_) => {}
        }
        answer
    }

    fn connect(&self) -> io::Result<UnixStream> {
        let stream = UnixStream::connect(&self.path)?;
        stream.set_read_timeout(Some(self.time_limit))?;
        stream.set_write_timeout(Some(self.time_limit))?;
        Ok(stream)
    }
}

impl KeyStore for SocketSigner {
    fn sign(&self, key: &PublicKey, message: &[u8]) -> Result<[u8; 64], KeyStoreUnavailable> {
        if let Some(failure) = locked(&self.failed).as_mut() {
            if failure.at.elapsed() < REST {
                return Err(KeyStoreUnavailable::new(&failure.cause));
            }
            // One caller tries. The others are refused until it has the result.
            failure.at = Instant::now();
        }
        let signed = self.with_conversation(|conversation| conversation.sign(key, message));
        let mut failed = locked(&self.failed);
        match signed {
            Ok(signature) => {
                *failed = None;
                Ok(signature)
            }
            Err(error) => {
                let cause = error.to_string();
                *failed = Some(Failure { at: Instant::now(), cause: cause.clone() });
                Err(KeyStoreUnavailable::new(cause))
            }
        }
    }
}

/// No code under these locks can panic in the middle of a change.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn timed_out(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests;
