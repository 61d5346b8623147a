//! Answers requests to sign: on the standard streams, or on a Unix socket.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use paigow_fairness::signature::PublicKey;
use paigow_files::command::CommandError;

use super::token::{Token, TokenError, TokenPlace};

/// The most bytes of a request: a manifest of some thousand epochs.
const REQUEST_BYTES: u64 = 16 << 20;

/// Answers on the standard streams until the input ends.
pub(crate) fn standard_streams(place: &TokenPlace) -> Result<(), CommandError> {
    let mut conversation = TokenConversation { place, token: None };
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    while let Some(request) = request(&mut input)? {
        let (answer, _) = conversation.answer(&request);
        writeln!(out, "{answer}").and_then(|()| out.flush())?;
    }
    Ok(())
}

/// Serves a Unix socket, each connection on a thread of its own, until the token fails. Returns the
/// failure.
pub(crate) fn socket(place: &TokenPlace, path: &Path) -> Result<TokenError, CommandError> {
    // A token that cannot sign gets no socket.
    if let Err(error) = place.open() {
        return Ok(error);
    }
    let cannot =
        |error: io::Error| CommandError::CannotCreate(format!("{}: {error}", path.display()));
    let is_served = UnixStream::connect(path).is_ok();
    if path.exists() && !is_served {
        fs::remove_file(path).map_err(cannot)?;
    }
    let listener = UnixListener::bind(path).map_err(cannot)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(cannot)?;
    let (failed, failure) = mpsc::channel();
    std::thread::scope(|scope| {
        let accept = failed.clone();
        scope.spawn(move || {
            for connection in listener.incoming() {
                let failed = failed.clone();
                match connection {
                    Ok(stream) => drop(scope.spawn(move || converse(place, &stream, &failed))),
                    Err(error) => drop(accept.send(TokenError::Failed(error.to_string()))),
                }
            }
        });
        let fault = failure.recv().unwrap_or_else(|_| TokenError::Failed("it ended".to_owned()));
        drop(fs::remove_file(path));
        // The other threads wait in a module that may never answer again.
        eprintln!("paigow-pkcs11: {fault}");
        std::process::exit(i32::from(CommandError::Unavailable(String::new()).code()));
    })
}

/// Answers on one connection. The failure of a token is reported once to the caller, then to the
/// whole process.
fn converse(place: &TokenPlace, stream: &UnixStream, failed: &mpsc::Sender<TokenError>) {
    let mut conversation = TokenConversation { place, token: None };
    let mut input = BufReader::new(stream);
    let mut out = stream;
    while let Ok(Some(request)) = request(&mut input) {
        let (answer, loss) = conversation.answer(&request);
        let written = writeln!(out, "{answer}").and_then(|()| out.flush());
        if let Some(loss) = loss {
            drop(failed.send(loss));
        }
        if written.is_err() {
            return;
        }
    }
}

/// Reads one line; [`None`] at the end of the input.
fn request(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let taken = io::Read::take(&mut *input, REQUEST_BYTES).read_line(&mut line)?;
    if taken > 0 && !line.ends_with('\n') {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a request above 16 MiB"));
    }
    Ok((taken > 0).then(|| line.trim_end().to_owned()))
}

/// One peer's conversation, with a session of the token for it.
struct TokenConversation<'p> {
    place: &'p TokenPlace,
    token: Option<Token>,
}

impl TokenConversation<'_> {
    /// Returns the line of the answer, and the error of a token that has failed.
    fn answer(&mut self, request: &str) -> (String, Option<TokenError>) {
        match self.try_answer(request) {
            Ok(answer) => (answer, None),
            Err(RequestError::Request(what)) => (format!("error BAD_REQUEST {what}"), None),
            Err(RequestError::Token(error)) => {
                let answer = format!("error {error}");
                self.token = None;
                (answer, error.is_loss().then_some(error))
            }
        }
    }

    fn try_answer(&mut self, request: &str) -> Result<String, RequestError> {
        let words: Vec<&str> = request.split(' ').collect();
        match words[..] {
            ["keys"] => {
                let keys = self.token()?.keys();
                let keys = keys.map(|key| format!(" {}:{}", key.role.name(), key.public));
                Ok(format!("keys{}", keys.collect::<String>()))
            }
            ["sign", public, message] => {
                let public = PublicKey::from_hex(public)
                    .map_err(|_| RequestError::Request("a public key is 64 hex digits"))?;
                let message = STANDARD
                    .decode(message)
                    .map_err(|_| RequestError::Request("the bytes are not base64"))?;
                let signature = self.token()?.sign(&public, &message)?;
                Ok(format!("signature {}", STANDARD.encode(signature)))
            }
            _ => Err(RequestError::Request("a request is: keys, or: sign KEY BYTES")),
        }
    }

    fn token(&mut self) -> Result<&Token, TokenError> {
        match &mut self.token {
            Some(token) => Ok(token),
            empty => Ok(empty.insert(self.place.open()?)),
        }
    }
}

/// The reason why a request gets no answer of its own.
enum RequestError {
    Request(&'static str),
    Token(TokenError),
}

impl From<TokenError> for RequestError {
    fn from(error: TokenError) -> Self {
        Self::Token(error)
    }
}
