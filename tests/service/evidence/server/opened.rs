//! Tickets that nobody has dealt: they are in the evidence, or they are not answered.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use paigow_client::PaiGowServiceClient;
use paigow_evidence::verify::EvidenceVerdict;
use paigow_proto::v1 as pb;
use tonic::Code;
use tonic::transport::Channel;

use super::{Server, kept, report};

async fn client(url: &str) -> PaiGowServiceClient<Channel> {
    let channel = Channel::from_shared(url.to_owned()).unwrap().connect().await.unwrap();
    PaiGowServiceClient::new(channel).max_decoding_message_size(1 << 26)
}

fn open(round_no: i64) -> pb::OpenRoundRequest {
    let (table, ruleset) = ("t1".to_owned(), "mikes".to_owned());
    pb::OpenRoundRequest { table, round_no, ruleset, ..pb::OpenRoundRequest::default() }
}

/// The ticket of an answer, as the evidence publishes it.
fn ticket(opened: &pb::OpenRoundResponse) -> String {
    let envelope = &opened.ticket.as_ref().unwrap().envelope;
    let record = paigow_fairness::record::RecordEnvelope::parse(envelope).unwrap();
    record.to_line()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_without_a_deal_is_in_the_evidence_and_told_as_open() {
    let home = tempfile::tempdir().unwrap();
    let evidence = home.path().join("evidence");
    let server = Server::start(home.path(), &evidence);
    let opened = client(&server.url).await.open_round(open(1)).await.unwrap().into_inner();
    server.stop();
    assert!(kept(&evidence).contains(&ticket(&opened)));
    let report = report(&evidence);
    let open: Vec<String> =
        report.open_tickets.iter().map(|ticket| ticket.round_id.to_string()).collect();
    assert_eq!((open, report.verdict()), (vec![opened.round_id.clone()], EvidenceVerdict::Open));

    let output = Command::new(paigow_testkit::programs::lab())
        .args(["sink", "verify"])
        .arg(&evidence)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    let line = format!("{}  tenant dev, table t1, round 1, ", opened.round_id);
    assert!(told.contains("tickets without a close") && told.contains(&line), "{told}");
}

/// Starts a server whose files cannot grow for ever, as on a disk that fills up.
fn bounded(home: &Path, evidence: &Path) -> Server {
    // Unheard, the signal leaves the error to the write. The unit is 512 bytes or 1024.
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 256; exec \"$0\""]);
    shell.arg(paigow_testkit::programs::server());
    let unsynced = ("PAIGOW__EVIDENCE__FSYNC", "never".to_owned());
    Server::start_by(shell, unsynced, home, evidence)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_that_cannot_be_kept_is_not_answered() {
    let home = tempfile::tempdir().unwrap();
    let evidence = home.path().join("evidence");
    let server = bounded(home.path(), &evidence);
    let mut client = client(&server.url).await;
    // A file of 256 KiB has no room for a thousand tickets, each above 256 bytes.
    let mut answered = BTreeSet::new();
    let mut refused = None;
    for round_no in 1..1000 {
        match client.open_round(open(round_no)).await {
            Ok(opened) => {
                let line = ticket(&opened.into_inner());
                assert!(line.len() > 256);
                answered.insert(line);
            }
            Err(status) => {
                refused = Some(status);
                break;
            }
        }
    }
    let refused = refused.expect("no room for a thousand tickets");
    let reason = |status: &tonic::Status| paigow::rpc::status::reason(status);
    assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
    assert_eq!(reason(&refused).as_deref(), Some("NOT_RECORDED"));
    let again = client.open_round(open(1001)).await.unwrap_err();
    assert_eq!(reason(&again).as_deref(), Some("NOT_RECORDED"));
    // What signs nothing is answered.
    client.get_engine(pb::GetEngineRequest::default()).await.unwrap();
    server.kill();
    assert!(!answered.is_empty() && answered.is_subset(&kept(&evidence)));
}
