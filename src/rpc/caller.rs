//! The caller of a request. The server identifies it and puts it into the request's extensions. A
//! handler that finds no caller there fails the call.

use std::sync::Arc;

use tokio::time::Instant;
use tonic::{Request, Status};

use super::status;
use paigow_config::access::{Access, AccessClient};
use paigow_round::OperatorPermit;

/// An authenticated caller, and what it may begin.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The client that calls, and its tenant.
    pub client: Arc<AccessClient>,
    /// The rounds that the operator lets it begin.
    pub permit: Arc<OperatorPermit>,
    /// Whether the access file has no other tenant.
    pub is_of_only_tenant: bool,
}

/// When a call ends at the latest. The server puts it into the request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct CallDeadline(pub Instant);

impl Caller {
    /// Makes the caller for `client`, under the switches of `access`.
    #[must_use]
    pub fn new(client: &Arc<AccessClient>, access: &Access) -> Self {
        let (tenant, switches) = (&client.tenant, &access.switches);
        let permit = OperatorPermit {
            closed_to_new_rounds: switches.closed_to_new_rounds.of_tenant(tenant),
            halted: switches.halted.of_tenant(tenant),
            rulesets: tenant.rulesets.clone(),
            currencies: tenant.currencies.clone(),
            minimum_beacon_lead: tenant.minimum_beacon_lead,
        };
        let is_of_only_tenant = access.tenants().count() == 1;
        Self { client: Arc::clone(client), permit: Arc::new(permit), is_of_only_tenant }
    }

    /// Returns the caller of a request.
    pub(super) fn of<T>(request: &Request<T>) -> Result<Self, Status> {
        request.extensions().get::<Self>().cloned().ok_or_else(status::unknown_caller)
    }
}
