//! A casino behind the contract, and its plans as a caller writes them.

use std::sync::Arc;

use paigow::engine::self_test;
use paigow::rpc::{BuildFacts, PaiGow, State, pb};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

use crate::casino::{self, Casino, NOW, Plan};

pub(crate) use crate::wire::{
    deal_request as deal, open_request as open, record, records, settle_request as settle,
};

/// Round 1's part of the operating system in `casino::entropy`.
fn entropy(bytes: &mut [u8]) {
    bytes.copy_from_slice(casino::entropy_of(1)().as_slice());
}

/// The service as `tenant` finds it.
pub(crate) fn service(casino: &Casino, tenant: &str) -> PaiGow {
    let engine = casino.engine.clone();
    let self_test_digest = self_test::run().unwrap();
    PaiGow::new(Arc::new(State {
        engine,
        keys: casino.keys.clone(),
        tenant: casino::id(tenant),
        build: BuildFacts {
            version: "1.2.3",
            git_revision: "unknown",
            executable_sha256: None,
            self_test_digest,
        },
        clock: || NOW,
        entropy,
    }))
}

/// The wagers of a planned round, each seat's client seed on its first.
pub(crate) fn sheet(plan: &Plan) -> pb::WagerSheet {
    crate::wire::sheet(&plan.sheet, &plan.client_seeds())
}

/// Makes a request of the method it is for.
pub(crate) fn ask<M>(message: M) -> Request<M> {
    Request::new(message)
}

/// What a status says: its code, its reason, the fields that it blames.
pub(crate) fn blamed(status: &Status) -> (Code, String, Vec<String>) {
    let details = status.get_error_details();
    let info = details.error_info().expect("every error has a reason");
    assert_eq!(info.domain, "paigow.v1");
    let fields = details.bad_request().map_or_else(Vec::new, |bad| {
        bad.field_violations.iter().map(|violation| violation.field.clone()).collect()
    });
    (status.code(), info.reason.clone(), fields)
}
