//! A casino that serves the contract, and its plans as a caller writes them.

use std::sync::Arc;

use paigow::rpc::pai_gow_service_server::PaiGowService;
use paigow::rpc::{BuildFacts, Caller, LoadedEngine, PaiGow, ServiceState};
use paigow_config::access::Access;
use paigow_engine::self_test;
use paigow_proto::v1 as pb;
use paigow_round::NoEntropy;
use tonic::{Code, Request, Response, Status};
use tonic_types::StatusExt;

use crate::rpc::casino::{self, Casino, NOW, RoundPlan};
use crate::rpc::contract_reasons::assert_listed;

pub(crate) use crate::rpc::wire::{
    deal_request as deal, open_request as open, record, records, settle_request as settle,
};

/// Round 1's part of the operating system in `casino::entropy`.
fn entropy(bytes: &mut [u8]) -> Result<(), NoEntropy> {
    bytes.copy_from_slice(casino::entropy_of(1)()?.as_slice());
    Ok(())
}

/// The service as one caller finds it: what a server notes of a caller is noted here.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) service: PaiGow,
    pub(crate) state: Arc<ServiceState>,
    caller: Caller,
}

/// The service as `tenant` finds it.
pub(crate) fn service(casino: &Casino, tenant: &str) -> Desk {
    service_with(casino, tenant, entropy)
}

/// The service as `tenant` finds it on a machine with this entropy.
pub(crate) fn service_with(
    casino: &Casino,
    tenant: &str,
    entropy: fn(&mut [u8]) -> Result<(), NoEntropy>,
) -> Desk {
    let build = BuildFacts {
        version: "1.2.3",
        git_revision: "unknown",
        executable_sha256: None,
        self_test_digest: self_test::run().unwrap(),
    };
    let world = LoadedEngine::new(casino.context.clone(), casino.keys.clone());
    let state = Arc::new(ServiceState::new(world, build, || NOW, entropy));
    Desk { service: PaiGow::new(Arc::clone(&state)), state, caller: caller(tenant) }
}

fn caller(tenant: &str) -> Caller {
    let access = Access::of_everybody(casino::id(tenant));
    Caller::new(access.everybody().unwrap(), &access)
}

impl Desk {
    /// The same service as another tenant finds it.
    pub(crate) fn as_another(&self, tenant: &str) -> Self {
        Self { caller: caller(tenant), ..self.clone() }
    }
}

macro_rules! asked_by_the_caller {
    ($($method:ident: $request:ident -> $response:ident;)*) => {
        impl Desk {
            $(pub(crate) async fn $method(
                &self,
                mut request: Request<pb::$request>,
            ) -> Result<Response<pb::$response>, Status> {
                request.extensions_mut().insert(self.caller.clone());
                let answer = PaiGowService::$method(&self.service, request).await;
                answer.inspect_err(|status| {
                    let (_, reason, _) = blamed(status);
                    let request = stringify!($request);
                    let method = request.strip_suffix("Request").unwrap();
                    assert_listed(method, &reason);
                })
            })*
        }
    };
}

asked_by_the_caller! {
    get_engine: GetEngineRequest -> GetEngineResponse;
    list_manifests: ListManifestsRequest -> ListManifestsResponse;
    list_rulesets: ListRulesetsRequest -> ListRulesetsResponse;
    get_ruleset: GetRulesetRequest -> GetRulesetResponse;
    list_house_ways: ListHouseWaysRequest -> ListHouseWaysResponse;
    open_round: OpenRoundRequest -> OpenRoundResponse;
    deal: DealRequest -> DealResponse;
    set_house_way: SetHouseWayRequest -> SetHouseWayResponse;
    evaluate_hands: EvaluateHandsRequest -> EvaluateHandsResponse;
    weigh_settings: WeighSettingsRequest -> WeighSettingsResponse;
    settle: SettleRequest -> SettleResponse;
    void_round: VoidRoundRequest -> VoidRoundResponse;
    prepare_open: PrepareOpenRequest -> PrepareOpenResponse;
    prepare_deal: PrepareDealRequest -> PrepareDealResponse;
    prepare_settle: PrepareSettleRequest -> PrepareSettleResponse;
    prepare_void: PrepareVoidRequest -> PrepareVoidResponse;
    audit: AuditRequest -> AuditResponse;
}

/// The wagers of a planned round, each seat's client seed on its first.
pub(crate) fn sheet(plan: &RoundPlan) -> pb::WagerSheet {
    crate::rpc::wire::sheet(&plan.sheet, &plan.client_seeds())
}

/// Makes a request of the method it is for.
pub(crate) fn ask<M>(message: M) -> Request<M> {
    Request::new(message)
}

/// Returns the code of a status, its reason, and the fields that it blames.
pub(crate) fn blamed(status: &Status) -> (Code, String, Vec<String>) {
    let details = status.get_error_details();
    let info = details.error_info().expect("every error has a reason");
    assert_eq!(info.domain, "paigow.v1");
    let fields = details.bad_request().map_or_else(Vec::new, |bad| {
        bad.field_violations.iter().map(|violation| violation.field.clone()).collect()
    });
    (status.code(), info.reason.clone(), fields)
}
