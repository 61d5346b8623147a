//! The threads that serve connections, each with a runtime of its own.
//!
//! A call is microseconds of work, so it stays on the thread that read it. Measured, that
//! is a quarter cheaper than a runtime that moves work between threads. One acceptor gives each
//! connection to the worker with the fewest.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_stream::wrappers::ReceiverStream;

use super::ServeError;
use super::connection::{Connection, ConnectionSlot, address_of};
use super::peers::PeerLimit;
use super::tls;
use crate::telemetry::{ConnectionFailed, Meters};

/// How many new connections may wait for a worker.
const WAITING: usize = 1024;

/// How long to wait when the system has no descriptor for a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// How long abandoned work, such as an audit whose caller left, may hold a thread.
const LEFTOVERS: Duration = Duration::from_secs(1);

/// The parts that a connection is made with.
#[derive(Clone)]
pub(super) struct Handshakes {
    /// The certificates; [`None`] for plaintext.
    pub(super) tls: Option<Arc<ArcSwap<tls::Certificates>>>,
    /// How long a handshake and the preface may take.
    pub(super) limit: Duration,
    /// How old a connection may become.
    pub(super) oldest: Duration,
}

/// A connection that the system has accepted.
struct AcceptedConnection {
    stream: std::net::TcpStream,
    place: ConnectionSlot,
}

struct Worker {
    connections: mpsc::Sender<AcceptedConnection>,
    open: Arc<AtomicUsize>,
}

/// The results of the workers, each when its worker ends.
pub(super) struct WorkerEnds {
    results: mpsc::Receiver<Result<(), ServeError>>,
    left: usize,
}

impl WorkerEnds {
    /// Completes when all workers have ended, or at once when one has failed.
    pub(super) async fn all(&mut self) -> Result<(), ServeError> {
        while self.left > 0 {
            self.results.recv().await.unwrap_or(Err(ServeError::WorkerLost))?;
            self.left -= 1;
        }
        Ok(())
    }
}

/// The workers of a process.
pub(super) struct Workers {
    workers: Vec<Worker>,
    meters: Meters,
    /// Completes, for all, when connections are to be closed gracefully, and at once.
    close: watch::Sender<CloseStage>,
}

/// How connections are being closed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, PartialOrd)]
enum CloseStage {
    NotYet,
    Gracefully,
    AtOnce,
}

/// Completes when connections are to be closed in this way.
async fn time_to(mut close: watch::Receiver<CloseStage>, how: CloseStage) {
    // If the sender is gone, everything must close.
    drop(close.wait_for(|now| *now >= how).await);
}

impl Workers {
    /// Starts `count` threads. Each serves its connections with the future that `serve` returns,
    /// until the future that `serve` gets completes and all calls have ended.
    ///
    /// # Errors
    ///
    /// If the system has no more threads.
    pub(super) fn start<F, S>(
        count: NonZeroUsize,
        handshakes: &Handshakes,
        meters: Meters,
        serve: F,
    ) -> io::Result<(Self, WorkerEnds)>
    where
        F: Fn(Incoming, Closing) -> S + Clone + Send + 'static,
        S: Future<Output = Result<(), ServeError>>,
    {
        let (close, closed) = watch::channel(CloseStage::NotYet);
        let mut workers = Vec::new();
        let (ended, results) = mpsc::channel(count.get());
        for number in 0..count.get() {
            let (connections, accepted) = mpsc::channel(WAITING);
            let tell = ended.clone();
            let (handshakes, serve, closed) = (handshakes.clone(), serve.clone(), closed.clone());
            let meters = meters.clone();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            std::thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
                let served = catch_unwind(AssertUnwindSafe(|| {
                    runtime.block_on(async {
                        let incoming = incoming(accepted, handshakes, meters);
                        let closing = Box::pin(time_to(closed.clone(), CloseStage::Gracefully));
                        tokio::select! {
                            result = serve(incoming, closing) => result,
                            () = time_to(closed, CloseStage::AtOnce) => Ok(()),
                        }
                    })
                }));
                runtime.shutdown_timeout(LEFTOVERS);
                // There is room for one result of each worker. The receiver may be gone.
                drop(tell.try_send(served.unwrap_or(Err(ServeError::WorkerLost))));
            })?;
            workers.push(Worker { connections, open: Arc::default() });
        }
        let ends = WorkerEnds { results, left: count.get() };
        Ok((Self { workers, meters, close }, ends))
    }

    /// Accepts connections until `stop` completes, and gives them to workers. A connection above
    /// `most`, or above the limit of its peer, is closed at once.
    pub(super) async fn accept(
        &self,
        listener: TcpListener,
        most: usize,
        peers: &PeerLimit,
        stop: impl Future,
    ) {
        let places = Arc::new(Semaphore::new(most));
        tokio::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = &mut stop => return,
            };
            let (stream, peer) = match accepted {
                Ok((stream, address)) => (stream, address.ip()),
                Err(error) => {
                    // Out of descriptors, most likely: connections that close make room.
                    self.meters.connection_failed(ConnectionFailed::Accept);
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            let Some(of_peer) = peers.acquire(peer) else {
                self.meters.connection_failed(ConnectionFailed::PeerLimit);
                continue;
            };
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                self.meters.shed("CONNECTIONS", "");
                continue;
            };
            let fewest =
                self.workers.iter().min_by_key(|worker| worker.open.load(Ordering::Relaxed));
            let Some(worker) = fewest else { return };
            let (of_worker, of_peer) = (Arc::clone(&worker.open), Some(of_peer));
            let place = ConnectionSlot::new(of_worker, place, of_peer, self.meters.clone());
            if let Ok(stream) = stream.into_std() {
                // If a worker cannot keep up, new connections are closed, not queued.
                if worker.connections.try_send(AcceptedConnection { stream, place }).is_err() {
                    self.meters.connection_failed(ConnectionFailed::Busy);
                }
            }
        }
    }

    /// Closes connections gracefully: open calls can end.
    pub(super) fn close(&self) {
        self.close.send_replace(CloseStage::Gracefully);
    }

    /// Closes all connections at once.
    pub(super) fn cut_off(&self) {
        self.close.send_replace(CloseStage::AtOnce);
    }
}

/// The connections of a worker, ready for calls.
pub(super) type Incoming = ReceiverStream<Result<Connection, Infallible>>;

/// Completes when a worker is to close.
pub(super) type Closing = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// Performs the handshake of each connection concurrently, and hands the connection on when it is
/// ready.
fn incoming(
    mut accepted: mpsc::Receiver<AcceptedConnection>,
    handshakes: Handshakes,
    meters: Meters,
) -> Incoming {
    let (ready, incoming) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        while let Some(AcceptedConnection { stream, place }) = accepted.recv().await {
            let Ok(stream) = TcpStream::from_std(stream) else { continue };
            // Small answers are sent without delay.
            drop(stream.set_nodelay(true));
            let preface = Instant::now() + handshakes.limit;
            let oldest = handshakes.oldest;
            let Some(tls) = &handshakes.tls else {
                let connection = Connection::plain(stream, place, preface, oldest);
                if ready.send(Ok(connection)).await.is_err() {
                    return;
                }
                continue;
            };
            let acceptor = TlsAcceptor::from(Arc::clone(&tls.load().handshake));
            let (ready, meters) = (ready.clone(), meters.clone());
            let peer = address_of(&stream).map(tracing::field::display);
            tokio::spawn(async move {
                match timeout_at(preface, acceptor.accept(stream)).await {
                    Ok(Ok(stream)) => {
                        let connection = Connection::tls(stream, place, preface, oldest);
                        drop(ready.send(Ok(connection)).await);
                    }
                    Ok(Err(error)) => {
                        meters.connection_failed(in_handshake(&error));
                        tracing::info!(peer, %error, "a TLS handshake has failed");
                    }
                    Err(_) => {
                        meters.connection_failed(ConnectionFailed::Timeout);
                        tracing::info!(peer, "a TLS handshake took too long");
                    }
                }
            });
        }
    });
    ReceiverStream::new(incoming)
}

/// Classifies a failed handshake. A port probe closes the connection during it.
fn in_handshake(error: &io::Error) -> ConnectionFailed {
    let left = [
        io::ErrorKind::UnexpectedEof,
        io::ErrorKind::ConnectionReset,
        io::ErrorKind::ConnectionAborted,
        io::ErrorKind::BrokenPipe,
    ];
    if left.contains(&error.kind()) { ConnectionFailed::Left } else { ConnectionFailed::Tls }
}

/// Accepts plain connections on the runtime of the caller, `most` at a time and none older
/// than `age`. A further connection is closed at once.
pub(super) fn few(listener: TcpListener, most: usize, limit: Duration, age: Duration) -> Incoming {
    let (ready, incoming) = mpsc::channel(most);
    let places = Arc::new(Semaphore::new(most));
    tokio::spawn(async move {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = ready.closed() => return,
            };
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
                let place = ConnectionSlot::new(Arc::default(), place, None, Meters::off());
                let preface = Instant::now() + limit;
                let connection = Connection::plain(stream, place, preface, age);
                drop(ready.try_send(Ok(connection)));
            }
        }
    });
    ReceiverStream::new(incoming)
}
