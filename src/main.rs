//! The server: arguments, settings, log, run.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Parser;
use paigow::server::{self, ServeError, ServeOutcome, SettingsFrom, StartError, Surroundings};
use paigow::telemetry::{self, InstallError, InstanceFacts, LogOutput};
use paigow_config::{Config, ConfigError};
use paigow_evidence::SinkTarget;
use paigow_files::build::GIT_REVISION;

/// Measured, a tenth cheaper per call than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The arguments are wrong (`EX_USAGE` of sysexits.h).
const EX_USAGE: u8 = 64;

/// Settings or keys are at fault: a restart will not help (`EX_CONFIG` of sysexits.h).
const EX_CONFIG: u8 = 78;

/// How long abandoned work, such as an audit whose caller left, may keep the process running.
const LEFTOVERS: Duration = Duration::from_secs(1);

/// Deals, sets and settles rounds of Pai Gow Poker over gRPC.
///
/// Without any argument it listens on 127.0.0.1:50051 with a development keyring that it
/// makes in `.paigow-dev`. Settings: the defaults, then a file, then the environment, as
/// PAIGOW__SERVER__LISTEN. Exit status: 0 after a stop, 1 when a restart may help, 64 when
/// arguments are wrong, 78 when settings or keys are at fault.
#[derive(Parser)]
#[command(name = "paigow-server", version)]
struct ServerArguments {
    /// The file with settings. It needs only those that it changes.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Checks everything that a start would: the settings, in FILE where one is given, and
    /// every file that they name. Prints the settings by their kinds, or every fault; starts
    /// nothing and writes nothing.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "healthcheck")]
    check_config: Option<Option<PathBuf>>,
    /// With --check-config: checks the settings alone, and none of the files that they name.
    #[arg(long, requires = "check_config")]
    settings_only: bool,
    /// Asks the server that runs with these settings whether it serves, and ends.
    #[arg(long)]
    healthcheck: bool,
}

fn main() -> ExitCode {
    // Code that asks rustls for the default provider gets ours.
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
    let ended = match ServerArguments::try_parse() {
        Ok(arguments) => run(arguments),
        // Help and version are no errors; wrong arguments are.
        Err(error) if !error.use_stderr() => {
            error.print().and_then(|()| printed()).context("standard output")
        }
        Err(error) => {
            drop(error.print());
            return ExitCode::from(EX_USAGE);
        }
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If the message cannot be written, the exit code still shows the failure.
            drop(writeln!(io::stderr(), "paigow-server: {}", told(&error)));
            ExitCode::from(if is_lasting(&error) { EX_CONFIG } else { 1 })
        }
    }
}

/// Returns when all that was printed has left the process.
fn printed() -> io::Result<()> {
    io::stdout().flush()
}

/// Returns the message of an error, once: our own errors state their causes themselves.
fn told(error: &anyhow::Error) -> String {
    let is_ours = error.is::<ConfigError>() || error.is::<StartError>() || error.is::<ServeError>();
    if is_ours { error.to_string() } else { format!("{error:#}") }
}

/// Whether a restart cannot help.
fn is_lasting(error: &anyhow::Error) -> bool {
    error.is::<ConfigError>()
        || error.downcast_ref::<StartError>().is_some_and(StartError::is_of_configuration)
        || error.downcast_ref::<InstallError>().is_some_and(InstallError::is_of_configuration)
}

fn run(arguments: ServerArguments) -> anyhow::Result<()> {
    let file = arguments.config.or_else(|| arguments.check_config.clone().flatten());
    let config = Config::load(file.as_deref())?;
    // Before a key is read.
    let dumps = server::forbid_core_dumps();
    if arguments.check_config.is_some() {
        if !arguments.settings_only {
            server::check(&config)?;
        }
        let settings = config.by_kind();
        write!(io::stdout(), "{settings}").and_then(|()| printed()).context("standard output")?;
        return Ok(());
    }
    // Connections are served on threads of their own. This one accepts them and supervises.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = if arguments.healthcheck {
        runtime.block_on(server::check_health(probed(&config)?)).map_err(Into::into)
    } else {
        let mut instance = [0; 8];
        server::entropy(&mut instance)?;
        let facts = InstanceFacts {
            version: env!("CARGO_PKG_VERSION"),
            revision: GIT_REVISION,
            instance: hex::encode(instance),
        };
        // Evidence has the standard output to itself.
        let output = match config.evidence.target {
            SinkTarget::Stdout => LogOutput::Stderr,
            SinkTarget::Off | SinkTarget::Directory(_) => LogOutput::Stdout,
        };
        let telemetry = telemetry::install(&config.telemetry, &config.log, output, &facts)?;
        if let Err(error) = dumps {
            tracing::warn!(%error, "core dumps cannot be forbidden: one would hold every key");
        }
        // A pipe cannot be read again.
        let is_lasting = file.as_ref().is_none_or(|file| file.is_file());
        let surroundings = Surroundings {
            settings: match is_lasting {
                true => SettingsFrom::Sources(file),
                false => SettingsFrom::Program,
            },
            meters: telemetry.meters(),
            log_filter: Some(telemetry.log_filter()),
            instance: facts.instance,
        };
        let ended = runtime.block_on(serve(&config, surroundings));
        telemetry.shutdown(config.telemetry.otlp_timeout);
        ended
    };
    runtime.shutdown_timeout(LEFTOVERS);
    ended
}

/// Returns where health is asked for.
fn probed(config: &Config) -> anyhow::Result<SocketAddr> {
    let listen = config.server.health_listen;
    listen
        .or_else(|| config.tls.is_none().then_some(config.server.listen))
        .context("set server.health_listen: with TLS, health is asked for on a port of its own")
}

async fn serve(config: &Config, surroundings: Surroundings) -> anyhow::Result<()> {
    let changed = config.changed();
    if !changed.is_empty() {
        tracing::info!(changed = changed.join("; "), "starting with changed settings");
    }
    let service = server::prepare_in(config, surroundings)?;
    // Before the server announces that it listens, so that no signal comes too early.
    let stop = server::asked_to_stop().context("cannot listen to signals")?;
    let listener = match server::listen(&config.server).await {
        Ok(listener) => listener,
        Err(error) => {
            service.abandon().await;
            return Err(error.into());
        }
    };
    let address = listener.local_addr()?;
    if config.log.json || config.evidence.target == SinkTarget::Stdout {
        tracing::info!(%address, "listening");
    } else {
        // The banner is for people. If it cannot be written, the server still has callers.
        drop(write!(io::stdout(), "{}", server::banner(&service, address)));
    }
    match server::serve(listener, service, &config.server, stop).await? {
        ServeOutcome::Drained => tracing::info!("every call was answered"),
        ServeOutcome::CutOff => tracing::warn!("the grace period ended: open calls were cut off"),
    }
    Ok(())
}
