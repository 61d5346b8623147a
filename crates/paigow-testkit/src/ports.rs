//! Ports for programs that need a fixed port.

use std::net::SocketAddr;

use tokio::net::TcpSocket;

/// A port of this machine that the system gives to no program that asks for any port.
///
/// A socket that never listens is bound to it. A server that asks for this port, with `SO_REUSEADDR`
/// as servers do, gets it.
#[derive(Debug)]
pub struct ReservedPort {
    /// The address with the port.
    pub address: SocketAddr,
    _socket: TcpSocket,
}

impl ReservedPort {
    /// Reserves one until this is dropped.
    pub fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        Self { address: socket.local_addr().unwrap(), _socket: socket }
    }
}
