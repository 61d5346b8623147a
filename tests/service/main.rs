//! The service: calls, limits, transport, evidence, replicas.
#![allow(clippy::unwrap_used)]

mod evidence;
mod replicas;
mod rpc;
mod server;
