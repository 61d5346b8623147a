//! Rounds over a socket, and the answers to callers that make mistakes.

use std::collections::BTreeSet;

use paigow::rpc::{Method, SERVICE};
use paigow_proto::v1 as pb;
use tokio_stream::StreamExt as _;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;
use tonic_reflection::pb::{v1, v1alpha};
use tonic_types::StatusExt as _;

use crate::server::running::{RunningServer, deal, reason_and_fields, settle, transcript};

#[tokio::test]
async fn a_round_is_dealt_settled_and_audited() {
    let server = RunningServer::with("").await;
    let mut client = server.client().await;
    let engine = client.get_engine(pb::GetEngineRequest::default()).await.unwrap().into_inner();
    assert_eq!((engine.tenant.as_str(), engine.engine.as_str()), ("dev", "pge-1"));
    assert_eq!(engine.executable_sha256.len(), 64);
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    assert_eq!(dealt.hands.iter().map(|hand| hand.cards.len()).collect::<Vec<_>>(), [7]);
    let settled = client.settle(settle(&dealt)).await.unwrap().into_inner();

    let transcript = transcript(&mut client, &[dealt.records, settled.records]).await;
    let subject = Some(pb::audit_request::Subject::Transcript(transcript));
    let request = pb::AuditRequest { subject, ..pb::AuditRequest::default() };
    let audited = client.audit(request).await.unwrap().into_inner();
    assert_eq!((audited.verdict(), audited.code.as_str()), (pb::Verdict::Pending, ""));
}

#[tokio::test]
async fn two_servers_on_one_folder_answer_alike() {
    let home = tempfile::tempdir().unwrap();
    let keys = home.path().join("keys");
    let (one, other) = (RunningServer::on(&keys, "").await, RunningServer::on(&keys, "").await);
    let dealt = one.client().await.deal(deal(3)).await.unwrap().into_inner();
    let again = other.client().await.deal(deal(3)).await.unwrap().into_inner();
    assert!(dealt == again, "records, cards and commitments are the same");
    let settled = one.client().await.settle(settle(&again)).await.unwrap().into_inner();
    let again = other.client().await.settle(settle(&dealt)).await.unwrap().into_inner();
    assert!(settled == again);
}

#[tokio::test]
async fn every_violation_of_a_request_is_told_by_its_path() {
    let server = RunningServer::with("").await;
    let mut request = deal(0);
    if let Some(pb::deal_request::Wagers::Sheet(sheet)) = &mut request.wagers {
        sheet.wagers[0].seat = 8;
        sheet.wagers[0].client_seed = "no digits".to_owned();
    }
    let status = server.client().await.deal(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let (_, fields) = reason_and_fields(&status);
    for field in ["open.round_no", "sheet.wagers[0].seat", "sheet.wagers[0].client_seed"] {
        assert!(fields.iter().any(|told| told == field), "{field} in {fields:?}");
    }
}

#[tokio::test]
async fn a_closed_gate_is_a_failed_precondition() {
    let server = RunningServer::with("tenant = \"dev-locked\"").await;
    let mut client = server.client().await;
    let engine = client.get_engine(pb::GetEngineRequest::default()).await.unwrap().into_inner();
    assert_eq!(engine.tenant, "dev-locked");
    let mut request = deal(1);
    if let Some(pb::deal_request::Start::Open(open)) = &mut request.start {
        (open.epoch, open.manifest) = (Some(1), engine.manifest);
    }
    let status = client.deal(request).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition, "{status:?}");
    let details = status.get_error_details();
    let violation = &details.precondition_failure().unwrap().violations[0];
    assert_eq!(violation.r#type, details.error_info().unwrap().reason);
}

/// Sends `message` to a path, as if it were of the type that is due there.
async fn send<M>(server: &RunningServer, path: &'static str, message: M) -> Status
where
    M: prost::Message + Send + Sync + 'static,
{
    let mut grpc = Grpc::new(server.channel().await);
    grpc.ready().await.unwrap();
    let codec = ProstCodec::<M, pb::GetEngineResponse>::default();
    let path = PathAndQuery::from_static(path);
    grpc.unary(Request::new(message), path, codec).await.unwrap_err()
}

#[tokio::test]
async fn bytes_that_are_no_message_are_an_invalid_argument() {
    let server = RunningServer::with("").await;
    // Field 1 of a deal is a message, and these bytes begin none.
    let bytes = pb::Record { envelope: vec![0xff; 40], ..pb::Record::default() };
    let status = send(&server, "/paigow.v1.PaiGowService/Deal", bytes).await;
    assert_eq!(status.code(), Code::InvalidArgument);
    // They have no fields: the violation is of the whole.
    assert_eq!(reason_and_fields(&status), ("MESSAGE".to_owned(), vec![String::new()]));
    assert_eq!(status.message(), "the request body is not a valid message of the method");
    let violations = status.get_error_details().bad_request().unwrap().field_violations.clone();
    assert_eq!(violations[0].description, status.message());
}

#[tokio::test]
async fn a_method_that_does_not_exist_is_unimplemented() {
    let server = RunningServer::with("").await;
    for path in ["/paigow.v1.PaiGowService/Shuffle", "/some.Other/Method"] {
        let status = send(&server, path, pb::GetEngineRequest::default()).await;
        assert_eq!(status.code(), Code::Unimplemented);
        assert_eq!(reason_and_fields(&status).0, "METHOD");
    }
}

#[tokio::test]
async fn both_versions_of_reflection_list_the_services() {
    let server = RunningServer::with("").await;
    let expected = BTreeSet::from([SERVICE.to_owned(), "grpc.health.v1.Health".to_owned()]);

    use v1::server_reflection_request::MessageRequest;
    use v1::server_reflection_response::MessageResponse;
    let ask = v1::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut client =
        v1::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let answers = client.server_reflection_info(tokio_stream::once(ask)).await.unwrap();
    let answer = answers.into_inner().next().await.unwrap().unwrap();
    let Some(MessageResponse::ListServicesResponse(list)) = answer.message_response else {
        panic!("{answer:?}");
    };
    let names: BTreeSet<String> = list.service.into_iter().map(|service| service.name).collect();
    assert!(names.is_superset(&expected), "{names:?}");

    use v1alpha::server_reflection_request::MessageRequest as AlphaRequest;
    use v1alpha::server_reflection_response::MessageResponse as AlphaResponse;
    let ask = v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(AlphaRequest::FileContainingSymbol(
            Method::Deal.full_name().replace('/', "."),
        )),
    };
    let mut client =
        v1alpha::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let answers = client.server_reflection_info(tokio_stream::once(ask)).await.unwrap();
    let answer = answers.into_inner().next().await.unwrap().unwrap();
    assert!(matches!(
        answer.message_response,
        Some(AlphaResponse::FileDescriptorResponse(file)) if !file.file_descriptor_proto.is_empty()
    ));
}

#[tokio::test]
async fn reflection_can_be_left_out() {
    let server = RunningServer::with("reflection = false").await;
    let mut client =
        v1::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let ask = v1::ServerReflectionRequest::default();
    let status = client.server_reflection_info(tokio_stream::once(ask)).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
}
