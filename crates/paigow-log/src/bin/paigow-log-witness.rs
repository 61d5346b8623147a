//! `paigow-log-witness`: an HTTP server that signs the checkpoints of logs.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use clap::Parser;
use paigow_fairness::log_proof::PublicLog;
use paigow_fairness::signature::PublicKey;
use paigow_files::command::{CommandError, CommandOutcome, passphrase, run_program, signing_key};
use paigow_files::keys::KeyRole;
use paigow_files::system;
use paigow_log::{LogWitness, StateFile, WitnessAnswer, WitnessKey};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

/// The longest request, in bytes.
const LONGEST_REQUEST: usize = 1 << 16;

/// The exit codes, as the help shows them.
const EXIT_CODES: &str = "\
Exit codes:
   0  SIGTERM or SIGINT has ended the server
  64  an argument is wrong
  65  the state does not fit, or another process holds it
  66  the key cannot be read
  69  the state cannot be read or written
  74  the address cannot be listened on";

/// Signs the checkpoints of public logs, as C2SP tlog-witness says.
///
/// The witness signs a checkpoint if its tree goes on from the one that it signed before. So it
/// signs one tree for each size, and no smaller one. Keep the state as carefully as the key: a
/// witness that forgets can be shown two trees. The server speaks plain HTTP; put a proxy with TLS
/// before it.
///
/// - `POST /add-checkpoint` asks for a signature.
/// - `GET /HASH/checkpoint` gives what was signed last of the log whose origin has this SHA-256.
#[derive(Parser)]
#[command(name = "paigow-log-witness", version, after_help = EXIT_CODES, verbatim_doc_comment)]
struct LogWitnessArguments {
    /// The address to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8484")]
    listen: SocketAddr,
    /// The name of the witness in its signatures, as witness.example/log.
    #[arg(long)]
    name: String,
    /// The key file of the witness, as `paigow-keys witness` makes it.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The file whose first line is the passphrase of the key file. `-` is standard input.
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// A log and its public key in 64 hex digits. Repeatable.
    #[arg(long = "log", value_name = "ORIGIN=KEY", required = true)]
    logs: Vec<ToldLog>,
    /// The file of the state: the last signed tree of each log.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Makes the state. Give it once, when the witness is new.
    #[arg(long)]
    new: bool,
}

/// A log of the command line.
#[derive(Clone)]
struct ToldLog(PublicLog);

impl FromStr for ToldLog {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (origin, key) = text.split_once('=').ok_or("write ORIGIN=KEY")?;
        let key = PublicKey::from_hex(key).map_err(|error| error.to_string())?;
        let origin = origin.parse().map_err(|error| format!("{origin}: {error}"))?;
        Ok(Self(PublicLog { origin, key }))
    }
}

fn main() -> ExitCode {
    run_program("paigow-log-witness", |arguments: LogWitnessArguments, out| {
        let LogWitnessArguments { listen, name, key, passphrase_file, logs, state, new } =
            arguments;
        let passphrase = passphrase_file.as_deref().map(passphrase).transpose()?;
        let secret = signing_key(&key, &[KeyRole::Witness], passphrase.as_ref())?;
        let key: WitnessKey =
            format!("{name}+{}", secret.public()).parse().map_err(CommandError::Usage)?;
        let logs = logs.into_iter().map(|ToldLog(log)| log).collect();
        let witness = LogWitness::open(key, secret, logs, StateFile::open(&state)?, new)?;
        let verifier = witness.key().clone();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = TcpListener::bind(listen).await?;
            writeln!(out, "listens on {}\nkey {verifier}", listener.local_addr()?)?;
            out.flush()?;
            serve(listener, witness).await
        })?;
        Ok(CommandOutcome::Well)
    })
}

type SharedWitness = Arc<Mutex<LogWitness>>;

async fn serve(listener: TcpListener, witness: LogWitness) -> std::io::Result<()> {
    let router = Router::new()
        .route("/add-checkpoint", post(add_checkpoint))
        .route("/{origin}/checkpoint", get(checkpoint))
        .layer(DefaultBodyLimit::max(LONGEST_REQUEST))
        .with_state(Arc::new(Mutex::new(witness)));
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    axum::serve(listener, router).with_graceful_shutdown(stop).await
}

async fn add_checkpoint(State(witness): State<SharedWitness>, body: Bytes) -> Response {
    answer(move || {
        let mut witness = witness.lock().unwrap_or_else(PoisonError::into_inner);
        witness.add_checkpoint(&body, system::now())
    })
    .await
}

async fn checkpoint(State(witness): State<SharedWitness>, Path(origin): Path<String>) -> Response {
    answer(move || {
        let witness = witness.lock().unwrap_or_else(PoisonError::into_inner);
        witness.checkpoint(&origin)
    })
    .await
}

/// Answers from a thread that may wait for the disk.
async fn answer(work: impl FnOnce() -> WitnessAnswer + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(WitnessAnswer { status, content_type, body }) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
