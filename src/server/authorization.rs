//! Identifies the caller of each call, checks its role, and acquires the slot of the call.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Request};
use tokio::time::Instant;
use tonic::Status;

use super::connection::Peer;
use super::tenant_limits::{CallSlot, LimitExceeded, TenantLimits};
use crate::capacity::{CallBytes, HeldBytes};
use crate::rpc::{Caller, Method, status};
use crate::telemetry::{CallIdentity, Meters};
use paigow_config::access::{Access, AccessClient, ClientRole};

/// The configured callers, each with the rounds that it may begin.
#[derive(Debug)]
pub(super) struct CallerTable {
    access: Access,
    /// The number of tenants.
    pub(super) tenants: usize,
    callers: BTreeMap<String, Caller>,
}

impl CallerTable {
    /// Creates the table of an access file.
    pub(super) fn new(access: Access) -> Self {
        let caller =
            |client: &Arc<AccessClient>| (client.name.clone(), Caller::new(client, &access));
        let callers = access.clients().map(caller).collect();
        let tenants = access.tenants().count();
        Self { access, tenants, callers }
    }

    /// Returns the access that the table was created from.
    pub(super) const fn access(&self) -> &Access {
        &self.access
    }

    /// Returns the caller that the certificate of the connection and the token of the call name.
    /// If neither names one, returns the caller that is configured for everybody.
    ///
    /// # Errors
    ///
    /// The status of `CREDENTIALS` if they name no client, or more than one.
    fn caller(&self, peer: Option<&Peer>, headers: &HeaderMap) -> Result<&Caller, Status> {
        let disagree = status::credentials_disagree;
        let names: &[String] = peer.map_or(&[], |peer| &peer.names);
        let by_certificate = self.access.by_certificate(names).map_err(|_| {
            disagree("the certificate has names of different clients: it must name one client")
        })?;
        let token = bearer_token(headers);
        let by_token = token.and_then(|token| self.access.by_token(token));
        let client = match (by_certificate, by_token) {
            (Some(client), None) if token.is_none() => client,
            (Some(_), None) => {
                return Err(disagree(
                    "the certificate names a client, and the bearer token beside it is not known \
                     here: send the certificate alone",
                ));
            }
            (Some(client), Some(other)) if client.name != other.name => {
                return Err(disagree(
                    "the certificate names one client and the bearer token another: send one of \
                     the two",
                ));
            }
            (Some(client), Some(_)) | (None, Some(client)) => client,
            (None, None) => self.access.everybody().ok_or_else(status::unknown_caller)?,
        };
        self.callers.get(&client.name).ok_or_else(status::unknown_caller)
    }
}

/// Returns the token of `authorization: Bearer TOKEN` (RFC 6750, section 2.1).
fn bearer_token(headers: &HeaderMap) -> Option<&[u8]> {
    let value = headers.get(AUTHORIZATION)?.as_bytes();
    let (scheme, token) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
}

/// An RPC that needs an identified caller.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ProtectedRpc {
    /// A method of the contract.
    Method(Method),
    /// A path of [`Authorization::extra_paths`].
    Extra,
}

/// Returns the roles that may call an RPC: a caller needs one of them.
const fn roles(rpc: ProtectedRpc) -> &'static [ClientRole] {
    match rpc {
        ProtectedRpc::Method(
            Method::OpenRound
            | Method::Deal
            | Method::SetHouseWay
            | Method::EvaluateHands
            | Method::WeighSettings
            | Method::Settle
            | Method::PrepareOpen
            | Method::PrepareDeal
            | Method::PrepareSettle,
        ) => &[ClientRole::Table],
        // A table that disappeared cannot void the rounds that it left behind.
        ProtectedRpc::Method(Method::VoidRound | Method::PrepareVoid) => {
            &[ClientRole::Table, ClientRole::Ops]
        }
        ProtectedRpc::Method(Method::Audit | Method::AuditStream) => &[ClientRole::Auditor],
        ProtectedRpc::Method(
            Method::VerifyEngine
            | Method::GetStatus
            | Method::ListOpenTickets
            | Method::TailRefusals,
        ) => &[ClientRole::Ops],
        ProtectedRpc::Method(
            Method::GetEngine
            | Method::ListManifests
            | Method::ListRulesets
            | Method::GetRuleset
            | Method::ListHouseWays,
        )
        | ProtectedRpc::Extra => &ClientRole::ALL,
    }
}

/// Decides whether a call may reach its handler.
#[derive(Clone, Debug)]
pub(super) struct Authorization {
    pub(super) callers: Arc<ArcSwap<CallerTable>>,
    pub(super) tenant_limits: Arc<TenantLimits>,
    pub(super) audit_bytes: Arc<HeldBytes>,
    /// The bytes of answers that wait to be written.
    pub(super) answer_bytes: Arc<HeldBytes>,
    /// The paths of services outside the contract, which a caller of any role may call.
    pub(super) extra_paths: &'static [&'static str],
    pub(super) meters: Meters,
}

impl Authorization {
    /// Returns the RPC at a path, or [`None`] for a path without an entry.
    pub(super) fn rpc(&self, path: &str) -> Option<ProtectedRpc> {
        let extra = || self.extra_paths.contains(&path).then_some(ProtectedRpc::Extra);
        Method::from_path(path).map(ProtectedRpc::Method).or_else(extra)
    }

    /// Returns the status of a call to a path without an entry. A caller without credentials
    /// does not learn which paths have one.
    pub(super) fn refuse_unknown<B>(&self, request: &Request<B>) -> Status {
        let peer = request.extensions().get::<Peer>();
        match self.callers.load().caller(peer, request.headers()) {
            Ok(_) => status::unknown_method(),
            Err(status) => status,
        }
    }

    /// Authorizes a call: inserts its [`Caller`] into the request, for an audit its
    /// [`CallBytes`] too, and returns its slot and the account of its answer.
    ///
    /// # Errors
    ///
    /// The status of the refusal: `CREDENTIALS`, `ROLE`, or a limit of the tenant or the
    /// process.
    pub(super) fn authorize<B>(
        &self,
        request: &mut Request<B>,
        rpc: ProtectedRpc,
        is_stream: bool,
    ) -> Result<(CallSlot, Arc<CallBytes>), Status> {
        let callers = self.callers.load();
        let peer = request.extensions().get::<Peer>();
        let caller = callers.caller(peer, request.headers())?;
        if let Some(identity) = request.extensions().get::<CallIdentity>() {
            identity.identify(caller.client.tenant.tenant.as_str(), &caller.client.name);
        }
        if roles(rpc).iter().all(|role| !caller.client.roles.contains(role)) {
            return Err(status::no_role());
        }
        let tenant = &caller.client.tenant;
        let slot = self.tenant_limits.acquire(tenant, callers.tenants, is_stream, Instant::now());
        let slot = slot.map_err(|exceeded| {
            let (reason, status) = match exceeded {
                LimitExceeded::TenantRate(pause) => ("TENANT_RATE", status::tenant_rate(pause)),
                LimitExceeded::TenantConcurrency(pause) => {
                    ("TENANT_CONCURRENCY", status::tenant_concurrency(pause))
                }
                LimitExceeded::Overloaded(pause) => ("OVERLOADED", status::overloaded(pause)),
            };
            self.meters.shed(reason, tenant.tenant.as_str());
            status
        })?;
        if let ProtectedRpc::Method(Method::Audit | Method::AuditStream) = rpc {
            let bytes = self.audit_bytes.call(&tenant.tenant, callers.tenants);
            request.extensions_mut().insert(bytes);
        }
        request.extensions_mut().insert(caller.clone());
        Ok((slot, self.answer_bytes.call(&tenant.tenant, callers.tenants)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Returns the names of the methods that a role may call.
    fn may_call(role: ClientRole) -> Vec<&'static str> {
        let may = |method: &Method| roles(ProtectedRpc::Method(*method)).contains(&role);
        Method::ALL.into_iter().filter(may).map(Method::name).collect()
    }

    #[test]
    fn what_moves_money_is_for_tables_and_what_audits_for_auditors() {
        let public = ["GetEngine", "ListManifests", "ListRulesets", "GetRuleset", "ListHouseWays"];
        let and = |own: &[&'static str]| [&public, own].concat();
        let table = [
            "OpenRound",
            "Deal",
            "SetHouseWay",
            "EvaluateHands",
            "WeighSettings",
            "Settle",
            "VoidRound",
            "PrepareOpen",
            "PrepareDeal",
            "PrepareSettle",
            "PrepareVoid",
        ];
        assert_eq!(may_call(ClientRole::Table), and(&table));
        assert_eq!(may_call(ClientRole::Auditor), and(&["Audit", "AuditStream"]));
        let ops = ["VoidRound", "PrepareVoid", "VerifyEngine"];
        let of_operators = ["GetStatus", "ListOpenTickets", "TailRefusals"];
        assert_eq!(may_call(ClientRole::Ops), and(&[&ops[..], &of_operators].concat()));
    }

    #[test]
    fn every_method_of_the_contract_has_an_entry_with_a_role() {
        let authorization = Authorization {
            callers: Arc::new(ArcSwap::from_pointee(CallerTable::new(Access::default()))),
            audit_bytes: HeldBytes::new(100, Meters::off()),
            answer_bytes: HeldBytes::new(100, Meters::off()),
            tenant_limits: TenantLimits::new(1),
            extra_paths: &[],
            meters: Meters::off(),
        };
        let pool = prost_reflect::DescriptorPool::decode(paigow_proto::DESCRIPTORS).unwrap();
        let mut methods = 0;
        for service in pool.services() {
            for method in service.methods() {
                let path = format!("/{}/{}", service.full_name(), method.name());
                let rpc = authorization.rpc(&path).unwrap_or_else(|| panic!("{path}: no entry"));
                assert!(!roles(rpc).is_empty(), "{path}");
                methods += 1;
            }
        }
        assert_eq!(methods, Method::ALL.len());
        for path in ["/paigow.v1.PaiGowService/Shuffle", "/some.Other/Method", "/"] {
            assert_eq!(authorization.rpc(path), None, "{path}");
        }
    }

    #[test]
    fn the_documented_role_table_is_the_one_in_force() {
        let chapter = include_str!("../../docs/operate/callers.md");
        let table = chapter.split("| Role | May call |\n|---|---|\n").nth(1).unwrap();
        let rows: Vec<(&str, Vec<&str>)> = table
            .lines()
            .take_while(|line| line.starts_with('|'))
            .map(|line| {
                let mut words: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
                let role = words.remove(0);
                words.sort_unstable();
                (role, words)
            })
            .collect();
        let expected = ClientRole::ALL.map(|role| {
            let mut names = may_call(role);
            names.sort_unstable();
            (role.name(), names)
        });
        assert_eq!(rows, expected);
    }
}
