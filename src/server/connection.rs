//! A connection: plain or encrypted, of a caller whose certificate is known or not, and
//! never for ever.

use std::io;
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

use crate::telemetry::Meters;

/// The length of the preface with which HTTP/2 begins (RFC 9113, section 3.4).
const PREFACE: usize = 24;

/// The names in the certificate of the other side; none where it showed none.
#[derive(Clone, Debug)]
pub(super) struct Peer(pub(super) Arc<[String]>);

/// A place among the connections of the process and of a worker.
#[derive(Debug)]
pub(super) struct Place {
    of_worker: Arc<AtomicUsize>,
    meters: Meters,
    _of_process: OwnedSemaphorePermit,
}

impl Place {
    pub(super) fn new(
        of_worker: Arc<AtomicUsize>,
        of_process: OwnedSemaphorePermit,
        meters: Meters,
    ) -> Self {
        of_worker.fetch_add(1, Ordering::Relaxed);
        meters.connections(1);
        Self { of_worker, meters, _of_process: of_process }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.of_worker.fetch_sub(1, Ordering::Relaxed);
        self.meters.connections(-1);
    }
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connection. Reading fails when the preface of HTTP/2 has not come in time, and when
/// the connection is older than any may become: a peer that answers pings and reads
/// nothing would else keep its calls open for ever.
pub(super) struct Connection {
    stream: Stream,
    peer: Peer,
    /// How much of the preface has come.
    begun: usize,
    ends: Pin<Box<Sleep>>,
    oldest: Instant,
    _place: Place,
}

impl Connection {
    /// Makes a plain connection whose preface must come before `preface`.
    pub(super) fn plain(stream: TcpStream, place: Place, preface: Instant, age: Duration) -> Self {
        Self::new(Stream::Plain(stream), Peer(Arc::default()), place, preface, age)
    }

    /// Makes an encrypted connection.
    pub(super) fn tls(
        stream: TlsStream<TcpStream>,
        place: Place,
        preface: Instant,
        age: Duration,
    ) -> Self {
        let shown = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
        let names = shown.map(super::tls::names).unwrap_or_default();
        Self::new(Stream::Tls(Box::new(stream)), Peer(names.into()), place, preface, age)
    }

    fn new(stream: Stream, peer: Peer, place: Place, preface: Instant, age: Duration) -> Self {
        let ends = Box::pin(tokio::time::sleep_until(preface));
        Self { stream, peer, begun: 0, ends, oldest: Instant::now() + age, _place: place }
    }
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
        let read = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        };
        if this.begun < PREFACE {
            this.begun += buffer.filled().len() - before;
            if this.begun >= PREFACE {
                this.ends.as_mut().reset(this.oldest);
            } else if this.ends.as_mut().poll(context).is_ready() {
                // Looked at after the read: what came in time while this thread was busy
                // counts.
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
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
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Stream::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
