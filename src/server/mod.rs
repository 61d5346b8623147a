//! The process: start, listen, limits, health, reflection, and an orderly end.

mod answer_body;
mod authorization;
mod banner;
mod call_limits;
mod connection;
mod control_frames;
mod core_dumps;
mod descriptors;
mod evidence;
mod follow;
mod health;
mod host;
mod message_size;
mod page;
mod parts;
mod peers;
mod public_method;
mod reload;
mod replica;
mod services;
mod start;
mod tenant_limits;
mod tls;
mod unwritten;
mod verification;
mod workers;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

pub use banner::banner;
pub use core_dumps::forbid as forbid_core_dumps;
pub use health::{HealthError, check as check_health};
pub use host::{entropy, now};
pub use replica::InProcessReplica;
pub use services::ReplicaCalls;
pub use start::{Service, StartError, Surroundings, check, prepare, prepare_in};
pub use verification::{EngineVerifier, SettingsFrom, VerificationReport};

use crate::capacity::HeldBytes;
use crate::rpc::{LoadedEngine, ServiceState};
use authorization::{Authorization, CallerTable};
use health::Health;
use paigow_config::ServerConfig;
use paigow_engine::ReceiptSigner;
use paigow_evidence::{Event, Significant};
use paigow_files::keys::KEY_STORE_TRIAL;
use peers::PeerLimit;
use reload::ReloadTargets;
use services::WorkerServices;
use tenant_limits::TenantLimits;
use workers::{Handshakes, Workers};

/// How many connections may wait to be accepted; the system may allow fewer. When a replica
/// is lost, its clients come here all at once. A client that finds no room waits a second.
const BACKLOG: u32 = 4096;

/// How long to wait before asking a system without entropy again.
const ENTROPY_AGAIN: Duration = Duration::from_secs(1);

/// How long to wait before asking a key store that does not sign again.
const KEY_STORE_AGAIN: Duration = Duration::from_secs(1);

/// The origin of a request to stop the process.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stop {
    /// An orchestrator, SIGTERM: load balancers must notice before the listener closes.
    Terminated,
    /// A person at a keyboard, SIGINT: there is no load balancer to inform.
    Interrupted,
}

/// How the server stopped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ServeOutcome {
    /// The server answered every call.
    Drained,
    /// Calls or connections were still open when the grace period ended.
    CutOff,
}

/// Why serving stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The descriptors that are compiled in cannot be read.
    #[error("cannot describe the services: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport failed.
    #[error("cannot serve: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// The system gives no thread or socket.
    #[error("cannot serve: {0}")]
    System(#[from] std::io::Error),
    /// The address for health alone cannot be listened on.
    #[error("server.health_listen: cannot listen on {address}: {error}")]
    Health {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The address for the verifier page cannot be listened on.
    #[error("server.verifier_listen: cannot listen on {address}: {error}")]
    Page {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A thread that serves has panicked.
    #[error("a worker thread panicked")]
    WorkerLost,
}

/// Binds the configured address.
///
/// # Errors
///
/// If the system refuses it.
pub async fn listen(config: &ServerConfig) -> Result<TcpListener, StartError> {
    let address = config.listen;
    bind(address).map_err(|error| StartError::Listen { address, error })
}

fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A restart does not wait until the connections of the previous process time out.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Completes when the process is asked to end, by SIGTERM or SIGINT.
///
/// # Errors
///
/// If the system does not allow to listen to signals.
pub fn asked_to_stop() -> std::io::Result<impl Future<Output = Stop>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => Stop::Terminated,
            _ = interrupt.recv() => Stop::Interrupted,
        }
    })
}

/// Serves until `stop` completes, then drains.
///
/// 1. Health turns `NOT_SERVING`. Calls are still answered for `config.drain`, while load
///    balancers and clients turn to other replicas. [`Stop::Interrupted`] skips this step.
/// 2. The listeners close, and connections are sent GOAWAY. Open calls get `config.grace` to end,
///    and so do downloads of the verifier page.
///
/// # Errors
///
/// If the descriptors, the transport or the system's threads are unusable.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    config: &ServerConfig,
    stop: impl Future<Output = Stop>,
) -> Result<ServeOutcome, ServeError> {
    let state = Arc::clone(&service.state);
    let ended = run(listener, service, config, stop).await;
    state.tell(Event::new(Significant::Stopped));
    if evidence::close(&state.sink).await { ended } else { ended.map(|_| ServeOutcome::CutOff) }
}

/// Does the work of [`serve`], except that it does not end the evidence.
async fn run(
    listener: TcpListener,
    service: Service,
    config: &ServerConfig,
    stop: impl Future<Output = Stop>,
) -> Result<ServeOutcome, ServeError> {
    let Service { state, callers, tls, sources, verify_every, shipped_from, others } = service;
    let most = descriptors::connections(config);
    let peers = PeerLimit::new(config);
    let health = Health::new(state.standing.watch()).await;
    let probes = match config.health_listen {
        Some(address) => Some(health.listen(address, config).await?),
        None => None,
    };
    let (page_open, page_closing) = oneshot::channel::<()>();
    let mut page = JoinSet::new();
    if let Some(address) = config.verifier_listen {
        page.spawn(page::listen(address, page_closing).await?);
    }
    let (others, extra_paths) = others.unwrap_or_default();
    let authorization = authorization(&state, &callers, config, extra_paths);
    let part = config.audit_held_bytes / 2 / callers.load().tenants.max(1);
    if u32::try_from(part).is_ok_and(|part| part < config.audit_message_bytes) {
        tracing::warn!(
            "server.audit_held_bytes" = config.audit_held_bytes,
            part,
            "a tenant's part has no room for the largest request of an audit"
        );
    }
    let services = WorkerServices::new(config, authorization, &state, &health, others)?;
    let handshakes = Handshakes {
        tls: tls.clone(),
        limit: config.handshake_timeout,
        // With the time that a connection still has after GOAWAY.
        oldest: config.max_connection_age + config.audit_stream_timeout + config.grace,
    };
    let (workers, mut ends) = Workers::start(
        config.workers,
        &handshakes,
        state.meters.clone(),
        move |incoming, closing| services.clone().serve(incoming, closing),
    )?;
    // They end with this call.
    let mut aside = JoinSet::new();
    compile_house_ways(&state)?;
    if let Some(every) = verify_every {
        // Nothing is dealt before the first verification.
        state.verify().await;
        aside.spawn(verification::repeat(Arc::clone(&state), every));
    }
    if !state.sink.is_off() {
        aside.spawn(evidence::follow(Arc::clone(&state)));
        aside.spawn(evidence::follow_losses(Arc::clone(&state)));
        aside.spawn(evidence::count(Arc::clone(&state)));
    }
    if let Some(directory) = shipped_from {
        aside.spawn(evidence::count_unshipped(Arc::clone(&state), directory));
    }
    if let Some(sources) = sources {
        let state = Arc::clone(&state);
        let (sender, caught_up) = oneshot::channel();
        aside.spawn(sources.follow(ReloadTargets { state, callers, tls }, sender));
        // A caller that gets an answer can rely on this: a changed file is read. It is never read
        // between the first and the last byte of the first change.
        drop(caught_up.await);
    }
    if let Some(probes) = probes {
        aside.spawn(probes);
    }
    aside.spawn(entropy_comes_back(Arc::clone(&state)));
    aside.spawn(key_store_comes_back(Arc::clone(&state)));
    aside.spawn(health.clone().follow());

    health.serving().await;
    state.tell(Event::new(Significant::Started));
    let drained = async {
        let stop = stop.await;
        state.tell(Event::new(Significant::Draining));
        state.draining.send_replace(true);
        health.not_serving().await;
        if stop == Stop::Terminated {
            sleep(config.drain).await;
        }
    };
    let ended = tokio::select! {
        () = workers.accept(listener, most, &peers, drained) => {
            workers.close();
            drop(page_open);
            let all = async {
                let ended = ends.all().await;
                while page.join_next().await.is_some() {}
                ended
            };
            // A worker waits for ever for a peer that never leaves.
            match timeout(config.grace, all).await {
                Ok(ended) => ended.map(|()| ServeOutcome::Drained),
                Err(_) => Ok(ServeOutcome::CutOff),
            }
        }
        // A worker ended without a request to stop: it failed, and the service ends with it.
        ended = ends.all() => ended.map(|()| ServeOutcome::Drained),
    };
    workers.cut_off();
    ended
}

fn authorization(
    state: &ServiceState,
    callers: &Arc<ArcSwap<CallerTable>>,
    config: &ServerConfig,
    extra_paths: &'static [&'static str],
) -> Authorization {
    Authorization {
        callers: Arc::clone(callers),
        tenant_limits: TenantLimits::new(config.max_concurrent_calls),
        audit_bytes: HeldBytes::new(config.audit_held_bytes, state.meters.clone()),
        answer_bytes: HeldBytes::new(config.unread_answer_bytes, state.meters.clone()),
        extra_paths,
        meters: state.meters.clone(),
    }
}

/// Compiles the house ways into tables, beside the calls. Until a table is there, the clauses of the
/// house way are evaluated, with the same answers.
fn compile_house_ways(state: &ServiceState) -> std::io::Result<()> {
    let world = state.world.load_full();
    let compile = move || {
        for (_, way) in world.context.catalogue.house_ways() {
            way.compile_now();
        }
    };
    // Nothing waits for this thread, not even the end of the process.
    std::thread::Builder::new().name("house-ways".to_owned()).spawn(compile).map(drop)
}

/// Asks the system again for entropy while it had none when last asked, for ever. Otherwise a
/// balancer that sends no more calls would never learn that entropy is back.
async fn entropy_comes_back(state: Arc<ServiceState>) {
    let mut changes = state.standing.watch();
    loop {
        // If the sender is gone, so is the state.
        if changes.wait_for(|now| now.no_entropy).await.is_err() {
            return;
        }
        sleep(ENTROPY_AGAIN).await;
        if (state.entropy)(&mut [0; 8]).is_ok() {
            state.standing.set(|now| now.no_entropy = false);
        }
    }
}

/// Tries a key store again that did not sign when it was last asked, for ever. Otherwise a balancer
/// that sends no more calls would never learn that the key store is back.
async fn key_store_comes_back(state: Arc<ServiceState>) {
    let mut changes = state.standing.watch();
    loop {
        // If the sender is gone, so is the state.
        if changes.wait_for(|now| now.no_key_store).await.is_err() {
            return;
        }
        sleep(KEY_STORE_AGAIN).await;
        let world = state.world.load_full();
        // The answer may be slow. The thread that accepts and drains must not wait for it.
        let signs = tokio::task::spawn_blocking(move || signs(&world)).await;
        if matches!(signs, Ok(true)) && state.standing.set(|now| now.no_key_store = false) {
            state.tell(Event::new(Significant::KeyStoreRecovered));
        }
    }
}

/// Whether the receipt key that signs under the newest manifest signs now.
fn signs(world: &LoadedEngine) -> bool {
    let newest = &world.context.manifests.newest().manifest;
    let signing = newest.receipt_keys.first();
    match signing.and_then(|listed| world.keys.receipt_key(&listed.key)) {
        Some(ReceiptSigner::Stored { public, store }) => {
            store.sign(public, KEY_STORE_TRIAL).is_ok()
        }
        Some(ReceiptSigner::Held(_)) | None => true,
    }
}
