//! A client of `paigow.v1.PaiGowService`: the stubs that the build script generates from
//! `proto/`, over the messages of [`paigow_proto`].

#[expect(
    unreachable_pub,
    unused_qualifications,
    clippy::missing_errors_doc,
    reason = "generated code, documented in the contract"
)]
mod stubs {
    tonic::include_proto!("paigow.v1");
}

pub use stubs::pai_gow_service_client::PaiGowServiceClient;
