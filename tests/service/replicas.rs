//! Separately started servers with one keyring are one server: the same request gets the
//! same record bytes from each, also after one of them was killed in mid-round.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;
use paigow_testkit::process;
use paigow_testkit::wire;

use casino::{SeededChoices, random_sheet};
use paigow_proto::v1 as pb;
use process::Process;
use wire::WireClient;

/// How many random rounds each of the tests plays.
const ROUNDS: i64 = 60;

async fn client(process: &Process) -> WireClient {
    WireClient::connect(format!("http://{}", process.address)).await.unwrap()
}

/// Names epoch and manifest, so that the promise of equal bytes holds under `dev` too.
async fn world(client: &mut WireClient) -> String {
    client.get_engine(pb::GetEngineRequest {}).await.unwrap().into_inner().manifest
}

fn deal_request(manifest: &str, round_no: i64) -> pb::DealRequest {
    let sheet = random_sheet(&mut SeededChoices(u64::try_from(round_no).unwrap() * 7919));
    let open = pb::OpenRoundRequest {
        epoch: Some(1),
        manifest: manifest.to_owned(),
        table: "replicas".to_owned(),
        round_no,
        ruleset: "mikes".to_owned(),
        ..pb::OpenRoundRequest::default()
    };
    pb::DealRequest {
        start: Some(pb::deal_request::Start::Open(open)),
        wagers: Some(pb::deal_request::Wagers::Sheet(wire::sheet(&sheet, &[]))),
        beacon_signature: String::new(),
    }
}

/// Every seat with a base wager: odd seats play their two first cards, the others the
/// house way.
fn settle_request(request: &pb::DealRequest, dealt: &pb::DealResponse) -> pb::SettleRequest {
    let Some(pb::deal_request::Wagers::Sheet(sheet)) = &request.wagers else { panic!() };
    let base = |seat| sheet.wagers.iter().any(|w| w.seat == seat && w.bet == "base");
    let decisions = dealt.hands.iter().filter(|hand| base(hand.seat)).map(|hand| pb::Decision {
        seat: hand.seat,
        setting: Some(if hand.seat % 2 == 0 {
            pb::decision::Setting::HouseWay(true)
        } else {
            pb::decision::Setting::Low(pb::LowHand { cards: hand.cards[..2].to_vec() })
        }),
        double_down: false,
    });
    pb::SettleRequest {
        records: dealt.records.clone(),
        decisions: decisions.collect(),
        ..pb::SettleRequest::default()
    }
}

#[tokio::test]
async fn two_servers_on_one_keyring_answer_with_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    let (one, two) = (Process::start(home.path()), Process::start(home.path()));
    assert_eq!(one.root, two.root);
    let (mut one, mut two) = (client(&one).await, client(&two).await);
    let manifest = world(&mut one).await;
    for round_no in 1..=ROUNDS {
        let request = deal_request(&manifest, round_no);
        let dealt = one.deal(request.clone()).await.unwrap().into_inner();
        assert_eq!(dealt, two.deal(request.clone()).await.unwrap().into_inner());
        prepared_alike(&mut one, &mut two, &request, &dealt).await;
        // One replica dealt the round, and the other settles it.
        let settle = settle_request(&request, &dealt);
        let settled = two.settle(settle.clone()).await.unwrap().into_inner();
        assert_eq!(settled, one.settle(settle).await.unwrap().into_inner());
    }
}

/// Holds that both servers prepare the same of a dealt round.
async fn prepared_alike(
    one: &mut WireClient,
    two: &mut WireClient,
    request: &pb::DealRequest,
    dealt: &pb::DealResponse,
) {
    use pb::deal_request::{Start, Wagers};
    let (Some(Start::Open(open)), Some(Wagers::Sheet(sheet))) =
        (request.start.clone(), request.wagers.clone())
    else {
        panic!("opened inline, with a sheet")
    };
    let open = pb::PrepareOpenRequest { open: Some(open) };
    let deal =
        pb::PrepareDealRequest { ticket: dealt.records.first().cloned(), sheet: Some(sheet) };
    let pb::SettleRequest { records, decisions, .. } = settle_request(request, dealt);
    let void = pb::PrepareVoidRequest {
        records: records.clone(),
        reason: pb::VoidReason::Equipment.into(),
        ..pb::PrepareVoidRequest::default()
    };
    let settle =
        pb::PrepareSettleRequest { records, decisions, ..pb::PrepareSettleRequest::default() };
    macro_rules! alike {
        ($method:ident, $request:expr) => {{
            let answer = one.$method($request.clone()).await.unwrap().into_inner();
            assert_eq!(answer, two.$method($request).await.unwrap().into_inner());
            answer
        }};
    }
    alike!(prepare_open, open);
    let lock = alike!(prepare_deal, deal).lock.unwrap();
    assert_eq!(lock.record.unwrap().envelope, dealt.records[1].envelope, "the lock of the deal");
    assert!(alike!(prepare_settle, settle).lock.is_some());
    assert!(alike!(prepare_void, void).lock.is_some());
}

#[tokio::test]
async fn a_server_killed_in_mid_round_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    let mut first = Process::start(home.path());
    let mut before = client(&first).await;
    let manifest = world(&mut before).await;
    let mut open = Vec::new();
    for round_no in 1..=ROUNDS {
        let request = deal_request(&manifest, round_no);
        let dealt = before.deal(request.clone()).await.unwrap().into_inner();
        open.push((request, dealt));
    }
    // Some were settled before the kill, their answers perhaps lost on the way.
    let mut answered = Vec::new();
    for (request, dealt) in open.iter().step_by(3) {
        answered.push(before.settle(settle_request(request, dealt)).await.unwrap().into_inner());
    }
    first.kill();
    let second = Process::start(home.path());
    assert_eq!(second.root, first.root);
    let mut after = client(&second).await;
    let mut again = Vec::new();
    for (i, (request, dealt)) in open.iter().enumerate() {
        assert_eq!(after.deal(request.clone()).await.unwrap().into_inner(), *dealt);
        let settled = after.settle(settle_request(request, dealt)).await.unwrap().into_inner();
        if i % 3 == 0 {
            again.push(settled);
        }
    }
    assert_eq!(again, answered);
}
