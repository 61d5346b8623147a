//! Who comes in: the caller is found out, its role looked at, room made for its call.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Request};
use tokio::time::Instant;
use tonic::Status;

use super::admission::{Admission, Admitted, Turned};
use super::connection::Peer;
use crate::access::{Access, Client, Role};
use crate::rpc::{Caller, status};
use crate::telemetry::Meters;

/// Who may come in, with what each may begin worked out.
#[derive(Debug)]
pub(super) struct Doors {
    access: Access,
    /// How many tenants there are.
    tenants: usize,
    callers: BTreeMap<String, Caller>,
}

impl Doors {
    pub(super) fn new(access: Access) -> Self {
        let caller = |client: &Arc<Client>| (client.name.clone(), Caller::new(client, &access));
        let callers = access.clients().map(caller).collect();
        let tenants = access.tenants().count();
        Self { access, tenants, callers }
    }

    /// Returns the access that this was made of.
    pub(super) const fn access(&self) -> &Access {
        &self.access
    }

    /// Returns who calls: by the certificate of the connection, else by the token of the
    /// call, else whoever everybody is here.
    fn caller(&self, peer: Option<&Peer>, headers: &HeaderMap) -> Option<&Caller> {
        let by_certificate = peer.and_then(|peer| self.access.by_certificate(&peer.0));
        let client = by_certificate
            .or_else(|| self.access.by_token(bearer_token(headers)?))
            .or_else(|| self.access.everybody())?;
        self.callers.get(&client.name)
    }
}

/// Returns the token of `authorization: Bearer TOKEN` (RFC 6750, section 2.1).
fn bearer_token(headers: &HeaderMap) -> Option<&[u8]> {
    let value = headers.get(AUTHORIZATION)?.as_bytes();
    let (scheme, token) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
}

/// Returns the roles that may call a path; of no method, any.
fn roles(path: &str) -> &'static [Role] {
    match path.strip_prefix("/paigow.v1.PaiGowService/") {
        Some("OpenRound" | "Deal" | "SetHouseWay" | "Settle") => &[Role::Table],
        Some("Audit" | "AuditStream") => &[Role::Auditor],
        Some("VerifyEngine") => &[Role::Ops],
        Some(_) | None => &Role::ALL,
    }
}

/// The gate that every call passes.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub(super) doors: Arc<ArcSwap<Doors>>,
    pub(super) admission: Arc<Admission>,
    pub(super) meters: Meters,
}

impl Gate {
    /// Lets a call in, and notes in it who calls; `streams` says that it may stay long.
    ///
    /// # Errors
    ///
    /// The status of a call that stays outside.
    pub(super) fn enter<B>(
        &self,
        request: &mut Request<B>,
        streams: bool,
    ) -> Result<Admitted, Status> {
        let doors = self.doors.load();
        let peer = request.extensions().get::<Peer>();
        let caller = doors.caller(peer, request.headers()).ok_or_else(status::unknown_caller)?;
        let may = roles(request.uri().path());
        if may.iter().all(|role| !caller.client.roles.contains(role)) {
            return Err(status::no_role());
        }
        let tenant = &caller.client.tenant;
        let admitted = self.admission.admit(tenant, doors.tenants, streams, Instant::now());
        let admitted = admitted.map_err(|turned| {
            let (reason, status) = match turned {
                Turned::TenantRate(pause) => ("TENANT_RATE", status::tenant_rate(pause)),
                Turned::TenantConcurrency(pause) => {
                    ("TENANT_CONCURRENCY", status::tenant_concurrency(pause))
                }
                Turned::Overloaded(pause) => ("OVERLOADED", status::overloaded(pause)),
            };
            self.meters.shed(reason, tenant.tenant.as_str());
            status
        })?;
        request.extensions_mut().insert(caller.clone());
        Ok(admitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::METHODS;

    #[test]
    fn a_bearer_token_is_read_in_either_case_and_nothing_else_is_one() {
        let token = |value: &str| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, value.parse().unwrap())]);
            bearer_token(&headers).map(|token| String::from_utf8(token.to_vec()).unwrap())
        };
        assert_eq!(token("Bearer abc"), Some("abc".to_owned()));
        assert_eq!(token("bearer abc"), Some("abc".to_owned()));
        for other in ["Basic abc", "Bearer", "abc", ""] {
            assert_eq!(token(other), None, "{other:?}");
        }
        assert_eq!(bearer_token(&HeaderMap::new()), None);
    }

    #[test]
    fn what_moves_money_is_for_tables_and_what_audits_for_auditors() {
        let of = |role| {
            let may = |method: &&&str| roles(&format!("/{method}")).contains(&role);
            let names = METHODS.iter().filter(may).map(|method| method.rsplit('/').next().unwrap());
            names.collect::<Vec<_>>()
        };
        assert_eq!(of(Role::Table), ["GetEngine", "OpenRound", "Deal", "SetHouseWay", "Settle"]);
        assert_eq!(of(Role::Auditor), ["GetEngine", "Audit", "AuditStream"]);
        assert_eq!(of(Role::Ops), ["GetEngine", "VerifyEngine"]);
    }
}
