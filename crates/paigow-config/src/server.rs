//! `[server]`: the process and its limits.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::addresses::{AddressRange, NotAnAddressRange};
use super::faults::ConfigFaults;
use paigow_fairness::encoding::Identifier;

/// The profile of a deployment, which states its demands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Profile {
    /// A machine of a developer: everything has a default.
    Development,
    /// Play for money: an unsafe setting stops the start.
    Production,
}

/// Settings of the process.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The profile of the deployment.
    pub profile: Profile,
    /// The address and port to listen on.
    pub listen: SocketAddr,
    /// The address that serves health alone, in plaintext, for probes without TLS.
    pub health_listen: Option<SocketAddr>,
    /// The address that serves the verifier page over plain HTTP, if it is served.
    pub verifier_listen: Option<SocketAddr>,
    /// Whether plaintext may be served to other machines.
    pub allow_plaintext: bool,
    /// How many threads serve connections.
    pub workers: NonZeroUsize,
    /// How many connections may be open.
    pub max_connections: usize,
    /// How many connections one peer address may hold; [`None`] for no limit.
    pub max_connections_per_peer: Option<NonZeroUsize>,
    /// The proxies, for which `max_connections_per_peer` does not hold.
    pub proxies: Vec<AddressRange>,
    /// How long a connection may take until its first call can be made.
    pub handshake_timeout: Duration,
    /// How many calls may be open in the process.
    pub max_concurrent_calls: usize,
    /// How long a call may take.
    pub request_timeout: Duration,
    /// How long a whole `AuditStream` may take.
    pub audit_stream_timeout: Duration,
    /// How long the process still accepts calls after SIGTERM.
    pub drain: Duration,
    /// How long open calls may take to end after the drain.
    pub grace: Duration,
    /// When a connection is asked to reconnect.
    pub max_connection_age: Duration,
    /// How often a quiet connection is pinged.
    pub keepalive: Duration,
    /// How many calls one connection may have open.
    pub max_concurrent_streams: u32,
    /// The largest request of every method except the audits, in bytes.
    pub play_message_bytes: u32,
    /// The largest request of the audits, in bytes.
    pub audit_message_bytes: u32,
    /// How many bytes of requests of the audits the process may hold.
    pub audit_held_bytes: usize,
    /// How many bytes of answers that wait to be written the process may hold.
    pub unread_answer_bytes: usize,
    /// How many verifications of a signature with a key one audit may take.
    pub audit_verifications: u64,
    /// How many rounds one audit may have.
    pub audit_rounds: u64,
    /// The tenant of all callers if there is no access file.
    pub tenant: Identifier,
    /// Whether the reflection service describes the services to tools.
    pub reflection: bool,
    /// The origins whose pages may call by gRPC-Web; empty if gRPC-Web is off.
    pub grpc_web_origins: Vec<String>,
    /// Whether policies for development may be served to other machines.
    pub allow_dev_policy: bool,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawServer {
    profile: String,
    listen: String,
    health_listen: String,
    verifier_listen: String,
    allow_plaintext: bool,
    workers: usize,
    max_connections: usize,
    max_connections_per_peer: usize,
    proxies: String,
    handshake_timeout_ms: u64,
    max_concurrent_calls: usize,
    request_timeout_ms: u64,
    audit_stream_timeout_ms: u64,
    drain_ms: u64,
    grace_ms: u64,
    max_connection_age_s: u64,
    keepalive_s: u64,
    max_concurrent_streams: u32,
    play_message_bytes: u32,
    audit_message_bytes: u32,
    audit_held_bytes: usize,
    unread_answer_bytes: usize,
    audit_verifications: u64,
    audit_rounds: u64,
    tenant: String,
    reflection: bool,
    grpc_web_origins: String,
    allow_dev_policy: bool,
}

impl RawServer {
    pub(super) fn check(&self, faults: &mut ConfigFaults) -> ServerConfig {
        let profiles = [("development", Profile::Development), ("production", Profile::Production)];
        let profile = faults.one_of("server.profile", &self.profile, &profiles);
        let listen = self.listen.parse().unwrap_or_else(|_| {
            let what = format!("`{}` is not an address and port", self.listen);
            faults.add("server.listen", what);
            // Any address will do, because a fault prevents the start.
            SocketAddr::from(([127, 0, 0, 1], 0))
        });
        let health_listen = faults.address("server.health_listen", &self.health_listen);
        let verifier_listen = faults.address("server.verifier_listen", &self.verifier_listen);
        faults.within("server.workers", &self.workers, 0, 1024);
        faults.within("server.max_connections", &self.max_connections, 1, 1_000_000);
        let per_peer = self.max_connections_per_peer;
        faults.within("server.max_connections_per_peer", &per_peer, 0, 1_000_000);
        let mut proxies = Vec::new();
        for text in self.proxies.split_whitespace() {
            match text.parse() {
                Ok(range) => proxies.push(range),
                Err(NotAnAddressRange) => {
                    let what = format!("`{text}` is not an address or network, as 10.0.0.0/8");
                    faults.add("server.proxies", what);
                }
            }
        }
        faults.within("server.handshake_timeout_ms", &self.handshake_timeout_ms, 1, 60_000);
        faults.within("server.max_concurrent_calls", &self.max_concurrent_calls, 1, 1_000_000);
        faults.within("server.request_timeout_ms", &self.request_timeout_ms, 1, 60_000);
        let stream = self.audit_stream_timeout_ms;
        faults.within("server.audit_stream_timeout_ms", &stream, 1, 86_400_000);
        faults.within("server.drain_ms", &self.drain_ms, 0, 300_000);
        faults.within("server.grace_ms", &self.grace_ms, 0, 300_000);
        if self.request_timeout_ms > self.grace_ms {
            let what = "must be at most server.grace_ms, or calls are cut off at the end";
            faults.add("server.request_timeout_ms", what);
        }
        faults.within("server.max_connection_age_s", &self.max_connection_age_s, 1, 86_400);
        faults.within("server.keepalive_s", &self.keepalive_s, 1, 3_600);
        faults.within("server.max_concurrent_streams", &self.max_concurrent_streams, 1, 1 << 16);
        faults.within("server.play_message_bytes", &self.play_message_bytes, 1 << 10, 1 << 26);
        faults.within("server.audit_message_bytes", &self.audit_message_bytes, 1 << 10, 1 << 26);
        faults.within("server.audit_held_bytes", &self.audit_held_bytes, 1 << 11, 1 << 34);
        let twice = usize::try_from(self.audit_message_bytes).unwrap_or(usize::MAX / 2) * 2;
        if self.audit_held_bytes < twice {
            let what = "must be at least twice server.audit_message_bytes";
            faults.add("server.audit_held_bytes", what);
        }
        let unread = self.unread_answer_bytes;
        faults.within("server.unread_answer_bytes", &unread, 1 << 20, 1 << 34);
        if unread < twice / 2 {
            let what = "must be at least server.audit_message_bytes";
            faults.add("server.unread_answer_bytes", what);
        }
        faults.within("server.audit_verifications", &self.audit_verifications, 1, 1_000_000_000);
        faults.within("server.audit_rounds", &self.audit_rounds, 1, 1_000_000);
        let tenant = self.tenant.parse().unwrap_or_else(|_| {
            faults.add("server.tenant", "must be 1 to 64 characters of A-Z a-z 0-9 . _ : -");
            "dev".parse().expect("a name that a test reads")
        });
        let origins = self.grpc_web_origins.split_whitespace();
        let grpc_web_origins: Vec<String> = origins.map(str::to_owned).collect();
        for origin in &grpc_web_origins {
            if !is_origin(origin) {
                let what = format!("`{origin}` is not an origin, as https://play.example");
                faults.add("server.grpc_web_origins", what);
            }
        }
        ServerConfig {
            profile,
            listen,
            health_listen,
            verifier_listen,
            allow_plaintext: self.allow_plaintext,
            workers: workers(self.workers),
            max_connections: self.max_connections,
            max_connections_per_peer: NonZeroUsize::new(per_peer),
            proxies,
            handshake_timeout: Duration::from_millis(self.handshake_timeout_ms),
            max_concurrent_calls: self.max_concurrent_calls,
            request_timeout: Duration::from_millis(self.request_timeout_ms),
            audit_stream_timeout: Duration::from_millis(self.audit_stream_timeout_ms),
            drain: Duration::from_millis(self.drain_ms),
            grace: Duration::from_millis(self.grace_ms),
            max_connection_age: Duration::from_secs(self.max_connection_age_s),
            keepalive: Duration::from_secs(self.keepalive_s),
            max_concurrent_streams: self.max_concurrent_streams,
            play_message_bytes: self.play_message_bytes,
            audit_message_bytes: self.audit_message_bytes,
            audit_held_bytes: self.audit_held_bytes,
            unread_answer_bytes: self.unread_answer_bytes,
            audit_verifications: self.audit_verifications,
            audit_rounds: self.audit_rounds,
            tenant,
            reflection: self.reflection,
            grpc_web_origins,
            allow_dev_policy: self.allow_dev_policy,
        }
    }
}

/// Returns how many workers a setting requests: 0 is one for each processor.
fn workers(said: usize) -> NonZeroUsize {
    NonZeroUsize::new(said)
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// Whether a text is an origin as browsers send it: scheme, host in lower case, and a port unless
/// it is the scheme's own.
fn is_origin(text: &str) -> bool {
    let Ok(uri) = text.parse::<http::Uri>() else { return false };
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return false };
    let own_port = if scheme == "https" { 443 } else { 80 };
    ["https", "http"].contains(&scheme)
        && authority.port_u16() != Some(own_port)
        && !authority.as_str().contains('@')
        && text == format!("{scheme}://{}", authority.as_str().to_ascii_lowercase())
}
