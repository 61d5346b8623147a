//! Messages that are too large, and calls that last too long.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use paigow_proto::v1 as pb;
use prost::Message;
use tokio::net::TcpStream;
use tokio_stream::StreamExt as _;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;
use tonic_types::StatusExt as _;

use crate::server::running::{
    RunningServer, deal, eventually, reason_and_fields, settle, transcript,
};

const KIB: usize = 1024;

/// A deal of about `bytes` bytes.
fn large_deal(bytes: usize) -> pb::DealRequest {
    let mut request = deal(1);
    if let Some(pb::deal_request::Start::Open(open)) = &mut request.start {
        open.table = "t".repeat(bytes);
    }
    request
}

fn blank(bytes: usize) -> Vec<u8> {
    vec![b' '; bytes]
}

fn audit(bytes: usize) -> pb::AuditRequest {
    let subject = Some(pb::audit_request::Subject::Transcript(blank(bytes)));
    pb::AuditRequest { subject, ..pb::AuditRequest::default() }
}

#[track_caller]
fn assert_too_large(status: &Status, maximum: &str) {
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    assert_eq!(reason_and_fields(status).0, "MESSAGE_SIZE");
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.metadata.get("maximumBytes").map(String::as_str), Some(maximum));
}

#[tokio::test]
async fn a_deal_has_the_smaller_limit() {
    let server = RunningServer::with("").await;
    let mut client = server.client().await;
    let status = client.deal(large_deal(256 * KIB)).await.unwrap_err();
    assert_too_large(&status, "262144");
    // Below the limit it is read, and found wrong.
    let status = client.deal(large_deal(255 * KIB)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(reason_and_fields(&status).1, ["open.table"]);
}

#[tokio::test]
async fn an_audit_has_the_larger_limit() {
    let server = RunningServer::with("").await;
    let mut client = server.client().await;
    let status = client.audit(audit(4096 * KIB)).await.unwrap_err();
    assert_too_large(&status, "4194304");
    match client.audit(audit(1024 * KIB)).await {
        Ok(answer) => assert_ne!(answer.into_inner().verdict(), pb::Verdict::Match),
        Err(status) => assert_eq!(status.code(), Code::InvalidArgument),
    }
    let item = |bytes| pb::AuditStreamRequest {
        subject: Some(pb::audit_stream_request::Subject::Transcript(blank(bytes))),
        ..pb::AuditStreamRequest::default()
    };
    let mut answers =
        client.audit_stream(tokio_stream::once(item(4096 * KIB))).await.unwrap().into_inner();
    let status = answers.next().await.unwrap().unwrap_err();
    assert_too_large(&status, "4194304");
}

/// The metadata of a refusal for its work.
#[track_caller]
fn work(status: &Status) -> [String; 3] {
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.reason, "AUDIT_WORK");
    ["work", "counted", "maximum"].map(|key| info.metadata[key].clone())
}

#[tokio::test]
async fn an_audit_that_takes_more_work_than_it_may_says_what_was_counted() {
    let server = RunningServer::with("audit_rounds = 1\naudit_verifications = 4").await;
    let mut client = server.client().await;
    let mut records = Vec::new();
    for round in 1..=2 {
        let dealt = client.deal(deal(round)).await.unwrap().into_inner();
        let settled = client.settle(settle(&dealt)).await.unwrap().into_inner();
        records.push([dealt.records, settled.records].concat());
    }
    let two = transcript(&mut client, &records).await;
    let one = transcript(&mut client, &records[..1]).await;
    let subject = Some(pb::audit_stream_request::Subject::Transcript(two.clone()));
    let request = pb::AuditStreamRequest { subject, ..pb::AuditStreamRequest::default() };
    let answers = client.audit_stream(tokio_stream::once(request)).await.unwrap();
    let status = answers.into_inner().next().await.unwrap().unwrap_err();
    assert_eq!(work(&status), ["rounds", "2", "1"]);
    assert_eq!(reason_and_fields(&status).1, ["requests[0]"]);

    let request = |transcript| {
        let subject = Some(pb::audit_request::Subject::Transcript(transcript));
        pb::AuditRequest { subject, ..pb::AuditRequest::default() }
    };
    let status = client.audit(request(two)).await.unwrap_err();
    assert_eq!(work(&status), ["rounds", "2", "1"]);
    // The manifest, the ticket, the deal and the close have a signature each, and one key may have
    // made it.
    let audited = client.audit(request(one.clone())).await.unwrap().into_inner();
    assert_eq!(audited.verdict(), pb::Verdict::Pending);
    let server = RunningServer::with("audit_verifications = 3").await;
    let request = pb::AuditRequest { root_keys: audited_root(&one), ..request(one) };
    let status = server.client().await.audit(request).await.unwrap_err();
    assert_eq!(work(&status), ["verifications", "4", "3"]);
}

/// The root keys of the first manifest of a transcript.
fn audited_root(transcript: &[u8]) -> Vec<String> {
    let line = transcript.split(|byte| *byte == b'\n').next().unwrap();
    let envelope: serde_json::Value = serde_json::from_slice(line).unwrap();
    let payload = STANDARD.decode(envelope["payload"].as_str().unwrap()).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&payload).unwrap();
    let keys = manifest["root"]["keys"].as_array().unwrap();
    keys.iter().map(|key| key["pk"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn limits_are_settings() {
    let server = RunningServer::with("play_message_bytes = 2048\naudit_message_bytes = 1024").await;
    let mut client = server.client().await;
    assert_too_large(&client.deal(large_deal(2048)).await.unwrap_err(), "2048");
    assert_too_large(&client.audit(audit(1024)).await.unwrap_err(), "1024");
}

/// Sends a deal that never comes, and waits for the answer.
async fn never_ending_deal(server: &RunningServer) -> Status {
    let mut grpc = Grpc::new(server.channel().await);
    grpc.ready().await.unwrap();
    let request = Request::new(tokio_stream::pending::<pb::DealRequest>());
    let codec = ProstCodec::<pb::DealRequest, pb::DealResponse>::default();
    let path = PathAndQuery::from_static("/paigow.v1.PaiGowService/Deal");
    grpc.client_streaming(request, path, codec).await.unwrap_err()
}

#[tokio::test]
async fn a_request_that_never_comes_ends_at_the_servers_limit() {
    let server = RunningServer::with("request_timeout_ms = 30").await;
    let status = never_ending_deal(&server).await;
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(reason_and_fields(&status).0, "DEADLINE");
}

#[tokio::test]
async fn a_caller_may_allow_less_time_than_the_server() {
    let server = RunningServer::with("").await;
    // tonic's client would end the call itself, and tonic's server answers CANCELLED.
    let stream = TcpStream::connect(server.address).await.unwrap();
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = http::Request::post("http://localhost/paigow.v1.PaiGowService/Deal")
        .header("content-type", "application/grpc")
        .header("grpc-timeout", "30m")
        .body(())
        .unwrap();
    let (answer, never_sent) = client.send_request(request, false).unwrap();
    let answer = answer.await.unwrap();
    let status = Status::from_header_map(answer.headers()).unwrap();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(reason_and_fields(&status).0, "DEADLINE");
    drop(never_sent);
    connection.abort();
}

#[tokio::test]
async fn a_stream_of_audits_has_its_own_time() {
    let server = RunningServer::with("audit_stream_timeout_ms = 30").await;
    let requests = tokio_stream::pending::<pb::AuditStreamRequest>();
    let answers = server.client().await.audit_stream(requests).await.unwrap();
    let status = answers.into_inner().next().await.unwrap().unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(reason_and_fields(&status).0, "DEADLINE");
}

/// One message as gRPC frames it.
fn framed(message: &impl Message) -> Vec<u8> {
    let bytes = message.encode_to_vec();
    let length = u32::try_from(bytes.len()).unwrap().to_be_bytes();
    [&[0], &length[..], &bytes].concat()
}

/// Streams audits, all in one frame of HTTP/2; returns the answers' labels and the status.
async fn audited_in_one_frame(server: &RunningServer, bytes: Vec<u8>) -> (Vec<String>, Status) {
    let stream = TcpStream::connect(server.address).await.unwrap();
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = http::Request::post("http://localhost/paigow.v1.PaiGowService/AuditStream")
        .header("content-type", "application/grpc")
        .body(())
        .unwrap();
    let (answer, mut body) = client.send_request(request, false).unwrap();
    body.send_data(bytes.into(), false).unwrap();
    let mut answer = answer.await.unwrap().into_body();
    let (mut read, mut labels) = (Vec::new(), Vec::new());
    while let Some(data) = answer.data().await {
        read.extend_from_slice(&data.unwrap());
    }
    let mut rest = &read[..];
    while let [_, a, b, c, d, after @ ..] = rest {
        let length = usize::try_from(u32::from_be_bytes([*a, *b, *c, *d])).unwrap();
        labels.push(pb::AuditStreamResponse::decode(&after[..length]).unwrap().label);
        rest = &after[length..];
    }
    let trailers = answer.trailers().await.unwrap().unwrap();
    connection.abort();
    (labels, Status::from_header_map(&trailers).unwrap())
}

/// Behind a proxy the calls of all tenants share connections.
#[tokio::test]
async fn a_stream_that_is_not_read_holds_up_no_other_call_of_its_connection() {
    let server = RunningServer::with("request_timeout_ms = 5000").await;
    let stream = TcpStream::connect(server.address).await.unwrap();
    // There is no room for an answer, so the server reads no request of the stream.
    let mut client = h2::client::Builder::new();
    client.initial_window_size(0);
    let (mut client, connection) = client.handshake::<_, Cursor<Vec<u8>>>(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut begin = |method: &str| {
        let path = format!("http://localhost/paigow.v1.PaiGowService/{method}");
        let request = http::Request::post(path).header("content-type", "application/grpc");
        client.send_request(request.body(()).unwrap(), false).unwrap()
    };
    let (_unread, mut audits) = begin("AuditStream");
    let subject = pb::audit_stream_request::Subject::Transcript(b"no record".to_vec());
    let request = framed(&pb::AuditStreamRequest {
        label: "l".repeat(256),
        subject: Some(subject),
        ..pb::AuditStreamRequest::default()
    });
    // More requests than a connection had room for, and more answers than the server keeps.
    audits.send_data(Cursor::new(request.repeat(10_000)), false).unwrap();
    // By and by the stream has sent as much as it may.
    for _ in 0..5000 {
        let (answer, mut deal) = begin("Deal");
        deal.send_data(Cursor::new(framed(&pb::DealRequest::default())), true).unwrap();
        let status = Status::from_header_map(answer.await.unwrap().headers()).unwrap();
        assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
    }
    connection.abort();
}

/// A peer leaves no room for its answers, in streams that announce nearly all that there is room for.
#[tokio::test]
async fn what_a_stream_holds_is_given_back_when_its_time_is_over_though_nobody_reads() {
    let settings = "audit_message_bytes = 1024\naudit_held_bytes = 2048\n\
                    audit_stream_timeout_ms = 2000";
    let server = RunningServer::with(settings).await;
    let stream = TcpStream::connect(server.address).await.unwrap();
    let mut unread = h2::client::Builder::new();
    // The server makes the first answer, and no other.
    unread.initial_window_size(1);
    let (mut unread, connection) = unread.handshake::<_, Cursor<Vec<u8>>>(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let small = framed(&pb::AuditStreamRequest {
        subject: Some(pb::audit_stream_request::Subject::Transcript(b"no record".to_vec())),
        ..pb::AuditStreamRequest::default()
    });
    let mut held = Vec::new();
    for _ in 0..2 {
        let request = http::Request::post("http://localhost/paigow.v1.PaiGowService/AuditStream")
            .header("content-type", "application/grpc");
        let (answer, mut body) = unread.send_request(request.body(()).unwrap(), false).unwrap();
        let bytes = [&small[..], &[0, 0, 0, 3, 232]].concat();
        body.send_data(Cursor::new(bytes), false).unwrap();
        let mut answer = answer.await.unwrap().into_body();
        // The first byte of the first answer: the second request has been paid for.
        answer.data().await.unwrap().unwrap();
        held.push((answer, body));
    }
    let mut client = server.client().await;
    let status = client.audit(audit(900)).await.unwrap_err();
    assert_eq!(reason_and_fields(&status).0, "OVERLOADED");
    eventually(async || client.audit(audit(900)).await.ok()).await;
    drop(held);
    connection.abort();
}

/// A peer reads one byte of each answer. Its tenant is refused until the peer disconnects, whether the
/// peer speaks gRPC or gRPC-Web in text, and whether it resets its calls or leaves.
#[tokio::test]
async fn an_answer_that_nobody_reads_is_paid_for_until_its_stream_is_gone() {
    let settings = "audit_message_bytes = 1024\naudit_held_bytes = 2048\n\
                    unread_answer_bytes = 1048576\ngrpc_web_origins = \"https://play.example\"";
    let server = RunningServer::with(settings).await;
    let mut client = server.client().await;
    for content_type in ["application/grpc", "application/grpc-web-text"] {
        let stream = TcpStream::connect(server.address).await.unwrap();
        let mut unread = h2::client::Builder::new();
        unread.initial_window_size(1);
        let (mut unread, connection) =
            unread.handshake::<_, Cursor<Vec<u8>>>(stream).await.unwrap();
        let connection = tokio::spawn(connection);
        let mut held = Vec::new();
        for _ in 0..100 {
            let request =
                http::Request::post("http://localhost/paigow.v1.PaiGowService/ListRulesets")
                    .header("content-type", content_type);
            let (answer, mut body) = unread.send_request(request.body(()).unwrap(), false).unwrap();
            let message = framed(&pb::ListRulesetsRequest::default());
            let message = match content_type {
                "application/grpc" => message,
                _ => base64::prelude::BASE64_STANDARD.encode(message).into_bytes(),
            };
            body.send_data(Cursor::new(message), true).unwrap();
            let mut answer = answer.await.unwrap().into_body();
            // A refused call has no first byte.
            drop(answer.data().await);
            held.push(answer);
        }
        let refused = client.list_rulesets(pb::ListRulesetsRequest::default()).await;
        assert_eq!(reason_and_fields(&refused.unwrap_err()).0, "OVERLOADED", "{content_type}");
        match content_type {
            "application/grpc" => held.clear(),
            _ => connection.abort(),
        }
        eventually(async || client.list_rulesets(pb::ListRulesetsRequest::default()).await.ok())
            .await;
    }
}

#[tokio::test]
async fn a_message_of_a_stream_has_the_time_of_a_call() {
    let server = RunningServer::with("request_timeout_ms = 200").await;
    let subject = pb::audit_stream_request::Subject::Transcript(b"no record".to_vec());
    let request = pb::AuditStreamRequest {
        label: "whole".to_owned(),
        subject: Some(subject),
        ..pb::AuditStreamRequest::default()
    };
    let whole = framed(&request);
    let bytes = [&whole, &whole[..whole.len() - 1]].concat();
    let (labels, status) = audited_in_one_frame(&server, bytes).await;
    assert_eq!(labels, ["whole"]);
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(reason_and_fields(&status).0, "DEADLINE");
}

#[tokio::test]
async fn what_ends_a_stream_leaves_the_answers_before_it_and_is_named_by_its_place() {
    let server = RunningServer::with("").await;
    let good = |label: &str| {
        let subject = pb::audit_stream_request::Subject::Transcript(b"no record".to_vec());
        framed(&pb::AuditStreamRequest {
            label: label.to_owned(),
            subject: Some(subject),
            ..Default::default()
        })
    };
    let two = [good("first"), good("second")].concat();
    let too_large = [&two[..], &[0, 0, 0x50, 0, 0]].concat();
    let (labels, status) = audited_in_one_frame(&server, too_large).await;
    assert_eq!(labels, ["first", "second"]);
    assert_too_large(&status, "4194304");
    assert_eq!(reason_and_fields(&status).1, ["requests[2]"]);

    let malformed = [&two[..], &[0, 0, 0, 0, 2, 0xff, 0xff]].concat();
    let (labels, status) = audited_in_one_frame(&server, malformed).await;
    assert_eq!(labels, ["first", "second"]);
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(reason_and_fields(&status), ("MESSAGE".to_owned(), vec!["requests[2]".to_owned()]));
}
