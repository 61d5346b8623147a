//! Tickets that were not dealt: they are in the evidence, or they are not answered.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use paigow_client::PaiGowServiceClient;
use paigow_evidence::LineBody;
use paigow_evidence::verify::EvidenceVerdict;
use paigow_fairness::record::RecordEnvelope;
use paigow_proto::v1 as pb;
use tonic::Code;
use tonic::transport::Channel;

use super::{Server, kept, report, whole_lines};
use paigow_testkit::running::{deal, settle};

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
    let record = RecordEnvelope::parse(envelope).unwrap();
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

#[tokio::test(flavor = "multi_thread")]
async fn wagers_that_were_locked_and_never_dealt_are_in_the_evidence_of_their_void() {
    let home = tempfile::tempdir().unwrap();
    let evidence = home.path().join("evidence");
    let server = Server::start(home.path(), &evidence);
    let mut client = client(&server.url).await;
    let opened = client.open_round(open(1)).await.unwrap().into_inner();
    let Some(pb::deal_request::Wagers::Sheet(sheet)) = deal(1).wagers else { panic!("no sheet") };
    let ticket = opened.ticket.clone();
    let request = pb::PrepareDealRequest { ticket: ticket.clone(), sheet: Some(sheet) };
    let lock = client.prepare_deal(request).await.unwrap().into_inner().lock.unwrap();
    let lock = lock.record.unwrap();
    // No replica has dealt, so none has kept the lock.
    let request = pb::VoidRoundRequest {
        records: vec![ticket.unwrap(), lock.clone()],
        reason: pb::VoidReason::Operator.into(),
        ..pb::VoidRoundRequest::default()
    };
    for _ in 0..2 {
        client.void_round(request.clone()).await.unwrap();
    }
    server.stop();

    let lock = RecordEnvelope::parse(&lock.envelope).unwrap().to_line();
    assert!(kept(&evidence).contains(&lock));
    let lines = whole_lines(&evidence);
    let counts: Vec<(usize, usize)> = lines
        .iter()
        .filter_map(|line| match &line.body {
            LineBody::Record(entry) => Some((entry.records.len(), entry.kept.len())),
            LineBody::Start(_) | LineBody::Event(_) | LineBody::Manifest(_) | LineBody::Stop => {
                None
            }
        })
        .collect();
    // The ticket; the lock of the wagers, that of the void and the close; their names.
    assert_eq!(counts, [(1, 0), (3, 0), (0, 3)]);
    assert_eq!(sink(&["verify"], &[&evidence]).0, Some(0));
    let (code, transcript) = sink(&["transcript", "--round", &opened.round_id], &[&evidence]);
    assert_eq!(code, Some(0), "{transcript}");
    assert!(transcript.contains(lock.trim()), "{transcript}");
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
    // A method that signs nothing is answered.
    client.get_engine(pb::GetEngineRequest::default()).await.unwrap();
    server.kill();
    assert!(!answered.is_empty() && answered.is_subset(&kept(&evidence)));
}

/// Runs a command of `paigow-lab sink` over folders of evidence.
fn sink(arguments: &[&str], folders: &[&Path]) -> (Option<i32>, String) {
    let output = Command::new(paigow_testkit::programs::lab())
        .arg("sink")
        .args(arguments)
        .args(folders)
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(told).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_payload_stands_in_one_line_though_calls_are_made_again_and_by_two_replicas() {
    let home = tempfile::tempdir().unwrap();
    let folders = ["a", "b"].map(|name| home.path().join(name));
    let [opens, plays] = folders.each_ref().map(|folder| Server::start(home.path(), folder));
    let ticket = client(&opens.url).await.open_round(open(1)).await.unwrap().into_inner();
    let mut client = client(&plays.url).await;
    let mut deal = deal(1);
    let sealed = ticket.ticket.clone().unwrap();
    deal.start = Some(pb::deal_request::Start::Ticket(sealed));
    let dealt = client.deal(deal.clone()).await.unwrap().into_inner();
    client.deal(deal).await.unwrap();
    let settled = client.settle(settle(&dealt)).await.unwrap().into_inner();
    client.settle(settle(&dealt)).await.unwrap();
    opens.stop();
    plays.stop();

    let [a, b] = folders.each_ref().map(|folder| folder.as_path());
    let lines = [a, b].map(whole_lines).concat();
    let entries = lines.iter().filter_map(|line| match &line.body {
        LineBody::Record(entry) => Some(entry),
        LineBody::Start(_) | LineBody::Event(_) | LineBody::Manifest(_) | LineBody::Stop => None,
    });
    let records: Vec<String> =
        entries.clone().flat_map(|one| &one.records).map(|record| record.to_line()).collect();
    let once: BTreeSet<&String> = records.iter().collect();
    // The ticket, the lock and the deal; an action, the final lock and the close.
    assert_eq!((records.len(), once.len()), (6, 6));
    let answered = [&dealt.records, &settled.records].into_iter().flatten();
    for record in answered {
        let line = RecordEnvelope::parse(&record.envelope).unwrap().to_line();
        assert!(once.contains(&line), "{line}");
    }
    let kept: Vec<usize> = entries.map(|entry| entry.kept.len()).collect();
    assert_eq!(kept, [0, 1, 3, 0, 2]);

    assert_eq!(sink(&["verify"], &[a, b]).0, Some(0));
    let round = ["transcript", "--round", &ticket.round_id];
    assert_eq!(sink(&round, &[a, b]).0, Some(0));
    // The replica that has dealt names a ticket that it does not have.
    let (code, told) = sink(&["verify"], &[b]);
    assert_eq!(code, Some(2), "{told}");
    assert!(
        told.contains("records that a line names, and that no line in these files has"),
        "{told}"
    );
    let close = ["close", "--epoch", "1", "--tenant", "dev", "--now", "9999999999"];
    for command in [&round[..], &close] {
        let (code, told) = sink(command, &[b]);
        assert_eq!(code, Some(65), "{told}");
        assert!(told.contains("give the evidence of all replicas"), "{told}");
        assert_eq!(sink(command, &[a, b]).0, Some(0));
    }
}
