//! A connection, plain or encrypted, with or without a client certificate. Its age is limited.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep};
use tokio_rustls::server::TlsStream;
use tonic::transport::server::Connected;

use super::control_frames::ControlFrames;
use super::peers::PeerSlot;
use crate::telemetry::{ConnectionFailed, Meters};

/// The length of the preface with which HTTP/2 begins (RFC 9113, section 3.4).
const PREFACE: usize = 24;

/// The other side of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Peer {
    /// The names in its certificate; none where it showed none.
    pub(super) names: Arc<[String]>,
    /// Its address, if the system reports it.
    pub(super) address: Option<IpAddr>,
}

impl Peer {
    /// Returns the address of the other side of the connection of a call.
    pub(super) fn address_of(extensions: &http::Extensions) -> Option<IpAddr> {
        extensions.get::<Self>()?.address
    }
}

/// The slot of a connection in the process, in its worker and of its peer. Dropping it frees the
/// slot.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    of_worker: Arc<AtomicUsize>,
    meters: Meters,
    _of_process: OwnedSemaphorePermit,
    _of_peer: Option<PeerSlot>,
}

impl ConnectionSlot {
    pub(super) fn new(
        of_worker: Arc<AtomicUsize>,
        of_process: OwnedSemaphorePermit,
        of_peer: Option<PeerSlot>,
        meters: Meters,
    ) -> Self {
        of_worker.fetch_add(1, Ordering::Relaxed);
        meters.connections(1);
        Self { of_worker, meters, _of_process: of_process, _of_peer: of_peer }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.of_worker.fetch_sub(1, Ordering::Relaxed);
        self.meters.connections(-1);
    }
}

/// The stream of a peer, in plaintext or over TLS.
enum PeerStream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// How long a peer may take to answer a keepalive ping, and to take a byte of the data that waits to
/// be written to it. A ping would wait behind that data.
pub(super) const KEEPALIVE_ANSWER: Duration = Duration::from_secs(20);

/// A connection.
///
/// Reading fails in three cases:
///
/// - The preface of HTTP/2 did not come in time.
/// - The connection is older than the maximum age. Without it, a peer that answers pings and reads
///   nothing could keep its calls open for ever.
/// - The peer floods the connection with control frames.
///
/// Writing fails at the same two time limits, and when the peer has taken no byte for
/// [`KEEPALIVE_ANSWER`]. While bytes wait to be written, nothing is read, and no ping or GOAWAY
/// gets through.
pub(super) struct Connection {
    stream: PeerStream,
    peer: Peer,
    /// How many bytes of the preface have come.
    begun: usize,
    frames: ControlFrames,
    opened: Instant,
    ends: Pin<Box<Sleep>>,
    /// Until when the peer has to take a byte of those that wait to be written.
    unread: Option<Pin<Box<Sleep>>>,
    /// How long it has for that.
    patience: Duration,
    oldest: Instant,
    place: ConnectionSlot,
}

impl Connection {
    /// Makes a plain connection whose preface must come before `preface`.
    pub(super) fn plain(
        stream: TcpStream,
        place: ConnectionSlot,
        preface: Instant,
        age: Duration,
    ) -> Self {
        let peer = Peer { names: Arc::default(), address: address_of(&stream) };
        Self::new(PeerStream::Plain(stream), peer, place, preface, age)
    }

    /// Makes an encrypted connection.
    pub(super) fn tls(
        stream: TlsStream<TcpStream>,
        place: ConnectionSlot,
        preface: Instant,
        age: Duration,
    ) -> Self {
        let shown = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
        let names = shown.map(super::tls::names).unwrap_or_default();
        let peer = Peer { names: names.into(), address: address_of(stream.get_ref().0) };
        Self::new(PeerStream::Tls(Box::new(stream)), peer, place, preface, age)
    }

    fn new(
        stream: PeerStream,
        peer: Peer,
        place: ConnectionSlot,
        preface: Instant,
        age: Duration,
    ) -> Self {
        let ends = Box::pin(tokio::time::sleep_until(preface));
        let opened = Instant::now();
        let (frames, oldest, patience) = (ControlFrames::default(), opened + age, KEEPALIVE_ANSWER);
        let unread = None;
        Self { stream, peer, begun: 0, frames, opened, ends, unread, patience, oldest, place }
    }

    fn count_written(&mut self, written: &Poll<io::Result<usize>>) {
        if let Poll::Ready(Ok(bytes)) = written {
            self.frames.wrote(*bytes);
        }
    }

    /// Returns the result of writing, or an error if it waits too long.
    fn in_time<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.unread = None;
            return written;
        }
        let begin = || Box::pin(tokio::time::sleep(self.patience));
        let unread = self.unread.get_or_insert_with(begin);
        // Both are polled, so that either wakes the task.
        let too_slow = unread.as_mut().poll(context).is_ready();
        let too_old = self.ends.as_mut().poll(context).is_ready();
        if too_slow || too_old {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }
}

/// Returns the address of the other side, if the system reports it.
pub(super) fn address_of(stream: &TcpStream) -> Option<IpAddr> {
    stream.peer_addr().ok().map(|address| address.ip())
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let too_old = this.begun >= PREFACE && this.ends.as_mut().poll(context).is_ready();
        if too_old {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = buffer.filled().len();
        let preface = PREFACE.saturating_sub(this.begun);
        let read = match &mut this.stream {
            PeerStream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            PeerStream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        };
        if this.begun < PREFACE {
            this.begun += buffer.filled().len() - before;
            if this.begun >= PREFACE {
                this.ends.as_mut().reset(this.oldest);
            } else if this.ends.as_mut().poll(context).is_ready() {
                // Checked after the read: bytes that came in time while this thread was busy
                // count.
                this.place.meters.connection_failed(ConnectionFailed::Timeout);
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        this.frames.read(buffer.filled()[before..].get(preface..).unwrap_or_default());
        if this.frames.is_flood(|| this.opened.elapsed()) {
            this.place.meters.connection_failed(ConnectionFailed::Flood);
            tracing::info!("a connection is closed: its peer floods it with control frames");
            return Poll::Ready(Err(io::Error::other("a flood of control frames")));
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match &mut self.stream {
            PeerStream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            PeerStream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        self.count_written(&written);
        self.in_time(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = match &mut self.stream {
            PeerStream::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            PeerStream::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        };
        self.count_written(&written);
        self.in_time(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            PeerStream::Plain(stream) => stream.is_write_vectored(),
            PeerStream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = match &mut self.stream {
            PeerStream::Plain(stream) => Pin::new(stream).poll_flush(context),
            PeerStream::Tls(stream) => Pin::new(stream).poll_flush(context),
        };
        self.in_time(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = match &mut self.stream {
            PeerStream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            PeerStream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        };
        self.in_time(shut, context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;
    use tokio::sync::Semaphore;

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    /// Returns the error that writing to a peer that reads nothing ends with.
    async fn written_to_the_end(age: Duration, patience: Duration) -> io::ErrorKind {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut peer = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let place = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let place = ConnectionSlot::new(Arc::default(), place, None, Meters::off());
        let mut connection = Connection::plain(stream, place, Instant::now() + LONG, age);
        connection.patience = patience;
        peer.write_all(&[0; PREFACE]).await.unwrap();
        connection.read_exact(&mut [0; PREFACE]).await.unwrap();
        loop {
            if let Err(error) = connection.write_all(&[0; 1 << 16]).await {
                return error.kind();
            }
        }
    }

    #[tokio::test]
    async fn a_peer_that_takes_no_byte_is_given_up() {
        let error = written_to_the_end(LONG, Duration::from_millis(50)).await;
        assert_eq!(error, io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_connection_that_waits_to_write_becomes_no_older_than_others() {
        let error = written_to_the_end(Duration::from_millis(50), LONG).await;
        assert_eq!(error, io::ErrorKind::TimedOut);
    }
}
