//! The services behind one port, as each worker serves them.

use std::sync::Arc;
use std::time::Duration;

use http::{HeaderName, HeaderValue, Method as HttpMethod, Request, Response};
use tonic::body::Body;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_web::GrpcWebLayer;
use tower::layer::layer_fn;
use tower::layer::util::Stack;
use tower::util::{BoxCloneSyncService, option_layer};
use tower::{BoxError, Layer as _, ServiceExt as _};
use tower_http::cors::CorsLayer;

use super::ServeError;
use super::authorization::Authorization;
use super::call_limits::CallLimitsLayer;
use super::connection::{KEEPALIVE_ANSWER, Peer};
use super::health::Health;
use super::host;
use super::unwritten::GiveBack;
use super::workers::{Closing, Incoming};
use crate::rpc::AuditLimits;
use crate::rpc::pai_gow_service_server::PaiGowServiceServer;
use crate::rpc::{Method, PaiGow, ServiceState, status};
use crate::telemetry::CallLayer;
use paigow_config::ServerConfig;
use paigow_round::audit::AuditBudget;

/// The largest headers of a call, in bytes: ours are small, and a client's credentials are
/// at most a few KiB.
const HEADER_BYTES: u32 = 16 << 10;

/// Returns the name of the method at a path, for spans and metrics.
fn method_name(path: &str) -> Option<&'static str> {
    Method::from_path(path).map(Method::full_name)
}

/// Lets pages of these origins call by gRPC-Web, and read the status.
fn cors(origins: &[String]) -> CorsLayer {
    let origins: Vec<HeaderValue> =
        origins.iter().filter_map(|origin| origin.parse().ok()).collect();
    let sent = ["content-type", "x-grpc-web", "x-user-agent", "grpc-timeout", "authorization"];
    let read = ["grpc-status", "grpc-message", "grpc-status-details-bin", "grpc-retry-pushback-ms"];
    let names = |names: &[&'static str]| -> Vec<HeaderName> {
        let both = ["x-request-id"].iter().chain(names);
        both.map(|name| HeaderName::from_static(name)).collect()
    };
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([HttpMethod::POST])
        .allow_headers(names(&sent))
        .expose_headers(names(&read))
        .max_age(PREFLIGHT_AGE)
}

/// How long a browser may cache the answer to a preflight request.
const PREFLIGHT_AGE: Duration = Duration::from_secs(3600);

/// How many bytes of a call the server takes before the handler reads them.
const STREAM_WINDOW: u32 = 128 << 10;

/// Returns how many such bytes of all calls of a connection the server takes. It is as many as all
/// calls together may send, so that a call that is not read does not block others. At most 2^31 - 1
/// (RFC 9113, section 6.9.1).
fn connection_window(max_concurrent_streams: u32) -> u32 {
    STREAM_WINDOW.saturating_mul(max_concurrent_streams).min((1 << 31) - 1)
}

/// The service of a replica's calls, independent of the transport.
pub type ReplicaCalls = BoxCloneSyncService<Request<Body>, Response<Body>, BoxError>;

/// The services and layers with which a worker serves its connections.
#[derive(Clone)]
pub(super) struct WorkerServices {
    config: ServerConfig,
    calls: CallLayer,
    limits: CallLimitsLayer,
    routes: Routes,
}

impl WorkerServices {
    /// # Errors
    ///
    /// If the descriptors that are compiled in cannot be read.
    pub(super) fn new(
        config: &ServerConfig,
        authorization: Authorization,
        state: &Arc<ServiceState>,
        health: &Health,
        others: Routes,
    ) -> Result<Self, ServeError> {
        let described = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(paigow_proto::DESCRIPTORS)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        // The call limits refuse a message that is too large for its method before tonic does.
        let largest = config.play_message_bytes.max(config.audit_message_bytes);
        let largest = usize::try_from(largest).unwrap_or(usize::MAX);
        let audits = AuditLimits {
            budget: AuditBudget {
                verifications: config.audit_verifications,
                rounds: config.audit_rounds,
            },
            time: config.request_timeout,
        };
        let service = PaiGow::new(Arc::clone(state)).with_audit_limits(audits);
        let service = PaiGowServiceServer::new(service).max_decoding_message_size(largest);
        let mut routes = others.add_service(health.service());
        if config.reflection {
            routes = routes.add_service(described().build_v1()?);
            // Python's client uses the older version.
            routes = routes.add_service(described().build_v1alpha()?);
        }
        Ok(Self {
            config: config.clone(),
            calls: CallLayer::new(
                method_name,
                status::reason,
                Peer::address_of,
                state.meters.clone(),
            )
            .remembering(state.refusals.clone(), status::field, host::now_ms),
            limits: CallLimitsLayer::new(config, authorization),
            routes: routes.add_service(service).prepare(),
        })
    }

    /// Returns the layers that every call passes before its handler: metrics first, then limits.
    fn layers(&self) -> Stack<CallLimitsLayer, CallLayer> {
        Stack::new(self.limits.clone(), self.calls.clone())
    }

    /// Returns the service for calls without a connection.
    pub(super) fn without_connection(&self) -> ReplicaCalls {
        BoxCloneSyncService::new(self.layers().layer(self.routes.clone()).map_err(Into::into))
    }

    /// Serves connections until `closing` completes and their calls have ended.
    pub(super) async fn serve(
        self,
        incoming: Incoming,
        closing: Closing,
    ) -> Result<(), ServeError> {
        let browsers = (!self.config.grpc_web_origins.is_empty())
            .then(|| (cors(&self.config.grpc_web_origins), GrpcWebLayer::new()));
        Server::builder()
            .max_concurrent_streams(self.config.max_concurrent_streams)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(connection_window(self.config.max_concurrent_streams))
            .max_connection_age(self.config.max_connection_age)
            .http2_keepalive_interval(Some(self.config.keepalive))
            .http2_keepalive_timeout(Some(KEEPALIVE_ANSWER))
            .http2_max_header_list_size(HEADER_BYTES)
            .layer(layer_fn(GiveBack))
            .layer(option_layer(browsers))
            .layer(self.layers())
            .add_routes(self.routes)
            .serve_with_incoming_shutdown(incoming, closing)
            .await?;
        Ok(())
    }
}
