//! A replica without a listener: its user hands it calls, and tells it when files have changed.

use std::fmt;
use std::sync::Arc;

use super::health::Health;
use super::reload::{ReloadTargets, Sources};
use super::services::{ReplicaCalls, WorkerServices};
use super::{ServeError, Service, authorization, evidence};
use crate::rpc::ServiceState;
use paigow_config::ServerConfig;

/// A replica without a listener and without threads of its own.
///
/// It answers a call as [`serve`](super::serve) does, with the same limits. A simulation brings the
/// calls and changes the files.
pub struct InProcessReplica {
    state: Arc<ServiceState>,
    calls: ReplicaCalls,
    reload: Option<(Sources, ReloadTargets)>,
}

impl fmt::Debug for InProcessReplica {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProcessReplica").field("state", &self.state).finish_non_exhaustive()
    }
}

impl InProcessReplica {
    /// Makes a replica that serves.
    ///
    /// # Errors
    ///
    /// If the descriptors that are compiled in cannot be read.
    pub async fn new(service: Service, config: &ServerConfig) -> Result<Self, ServeError> {
        let Service { state, callers, tls, sources, others, .. } = service;
        let (others, extra_paths) = others.unwrap_or_default();
        let health = Health::new(state.standing.watch()).await;
        let authorization = authorization(&state, &callers, config, extra_paths);
        let services = WorkerServices::new(config, authorization, &state, &health, others)?;
        health.serving().await;
        let targets = ReloadTargets { state: Arc::clone(&state), callers, tls };
        let reload = sources.map(|sources| (sources, targets));
        Ok(Self { state, calls: services.without_connection(), reload })
    }

    /// Returns the service of its calls.
    #[must_use]
    pub fn calls(&self) -> ReplicaCalls {
        self.calls.clone()
    }

    /// Returns the state from which calls are answered.
    #[must_use]
    pub const fn state(&self) -> &Arc<ServiceState> {
        &self.state
    }

    /// Returns the futures that watch the evidence while the replica serves, for ever.
    pub fn watch_evidence(&self) -> impl Future<Output = ()> + Send + 'static {
        let (health, losses) = (Arc::clone(&self.state), Arc::clone(&self.state));
        async move {
            tokio::join!(evidence::follow(health), evidence::follow_losses(losses));
        }
    }

    /// Reads the files of [`Service::reading_again`] again, as at SIGHUP. Returns whether new
    /// manifests are in force. Blocks.
    pub fn read_files_again(&mut self) -> bool {
        self.reload.as_mut().is_some_and(|(sources, targets)| sources.read_once(targets))
    }
}
