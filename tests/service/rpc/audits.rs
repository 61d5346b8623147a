//! Audits, one by one over the handlers and in a stream over a socket.

use std::time::Duration;

use futures_util::FutureExt as _;
use paigow_engine::SecretKey;
use paigow_fairness::manifest::ReceiptKey;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::signature::PublicKey;
use paigow_fairness::transcript;
use paigow_proto::v1 as pb;
use pb::audit_request::Subject;
use tonic::Code;

use crate::rpc::casino::{
    Casino, EPOCH, RoundPlan, root_key, sign_manifest, successor, witness_key,
};
use crate::rpc::desk::{ask, blamed, service, settle, sheet};
use crate::rpc::wire::{connect, decision, start};

/// The transcript of a round that `tenant` has played.
fn played(casino: &Casino, tenant: &str) -> Vec<u8> {
    let records = casino.play(&RoundPlan::random(tenant, 1, None, 6));
    transcript::write(casino.manifests.iter().chain(&records)).into_bytes()
}

fn of(subject: Subject) -> pb::AuditRequest {
    pb::AuditRequest { label: "a label".to_owned(), subject: Some(subject), ..Default::default() }
}

#[tokio::test]
async fn a_played_round_is_pending_with_the_reveal_a_match_and_changed_a_mismatch() {
    let casino = Casino::new();
    let service = service(&casino, "dev");
    let text = played(&casino, "strict");
    let answer = service.audit(ask(of(Subject::Transcript(text.clone())))).await.unwrap();
    let answer = answer.into_inner();
    assert_eq!((answer.verdict(), answer.label.as_str()), (pb::Verdict::Pending, "a label"));
    assert_eq!((answer.code.as_str(), answer.threshold), ("", 1));
    assert!(answer.because.contains("the secret of epoch"), "{}", answer.because);
    assert_eq!(answer.checks[0].code, "FORMAT");
    let [round] = &answer.rounds[..] else { panic!("one round") };
    assert_eq!((round.disposition(), round.deck.len()), (pb::Disposition::Settle, 53));
    assert_eq!((round.verdict(), round.checks.len()), (pb::Verdict::Pending, 31));
    let status = |claims: &[pb::Claim], name: &str| {
        claims.iter().find(|claim| claim.name == name).map(pb::Claim::status)
    };
    for claims in [&answer.claims, &round.claims] {
        assert_eq!(status(claims, "outcome_recomputed"), Some(pb::ClaimStatus::Shown));
        assert_eq!(status(claims, "seed_not_chosen"), Some(pb::ClaimStatus::Pending));
        assert_eq!(status(claims, "salt_independent"), Some(pb::ClaimStatus::NotShown));
    }

    // The terms of the request count: its witness, and its time.
    let terms = pb::AuditRequest {
        witness_keys: vec![witness_key().public().to_string()],
        as_of: i64::MAX,
        ..of(Subject::Transcript(text.clone()))
    };
    let late = service.audit(ask(terms)).await.unwrap().into_inner();
    assert_eq!(late.verdict(), pb::Verdict::Incomplete);
    assert!(late.because.contains("was due on"), "{}", late.because);
    assert_eq!(status(&late.claims, "salt_independent"), Some(pb::ClaimStatus::Shown));
    let revealed = [text.clone(), casino.reveal().to_line().into_bytes()].concat();
    let whole = service.audit(ask(of(Subject::Transcript(revealed)))).await.unwrap().into_inner();
    assert_eq!(whole.verdict(), pb::Verdict::Match);
    let nets: i64 = round.seats.iter().map(|seat| seat.net_minor).sum();
    assert_eq!(nets + round.bank.as_ref().unwrap().net_minor + round.house_net_minor, 0);

    // Without its lock the round no longer links.
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let without = [&lines[..3], &lines[4..]].concat().concat();
    let answer = service.audit(ask(of(Subject::Transcript(without)))).await.unwrap().into_inner();
    assert_eq!((answer.verdict(), answer.code.as_str()), (pb::Verdict::Mismatch, "CHAIN"));
    let failed: Vec<_> =
        answer.checks.iter().filter(|c| c.status() == pb::CheckStatus::Failed).collect();
    assert!(failed.iter().all(|check| !check.r#where.is_empty() && !check.expected.is_empty()));

    let other = SecretKey::from_bytes(&[9; 32]).public();
    let keys = |key: PublicKey| vec![hex::encode(key.to_bytes())];
    for (root_keys, verdict) in
        [(keys(root_key().public()), pb::Verdict::Pending), (keys(other), pb::Verdict::Mismatch)]
    {
        let request = pb::AuditRequest { root_keys, ..of(Subject::Transcript(text.clone())) };
        let answer = service.audit(ask(request.clone())).await.unwrap().into_inner();
        assert_eq!(answer.verdict(), verdict);
        assert_eq!(answer.root_keys, request.root_keys);
    }
}

/// One place after another becomes free, and goes to the tenants in turn: the second tenant's
/// only transcript does not wait for all of the first's.
#[tokio::test]
async fn a_tenant_with_many_transcripts_does_not_hold_up_anothers() {
    let many = 50 * std::thread::available_parallelism().unwrap().get();
    let casino = Casino::new();
    let big = service(&casino, "dev");
    let small = big.as_another("strict");
    let text = played(&casino, "strict");
    let (ended, mut order) = tokio::sync::mpsc::unbounded_channel();
    let audits = (0..=many).map(|place| {
        let desk = if place < many { big.clone() } else { small.clone() };
        let (text, ended) = (text.clone(), ended.clone());
        // The requests arrive in this order, because the runtime of the tests has one thread.
        tokio::spawn(async move {
            let answer = desk.audit(ask(of(Subject::Transcript(text)))).await.unwrap();
            assert_eq!(answer.into_inner().verdict(), pb::Verdict::Pending);
            ended.send(place < many).unwrap();
        })
    });
    for audit in audits.collect::<Vec<_>>() {
        audit.await.unwrap();
    }
    drop(ended);
    let mut before = 0;
    while order.recv().await.expect("the small one's ended") {
        before += 1;
    }
    assert!(before < many / 2, "{before} of {many} others ended before");
}

/// A transcript whose verification takes minutes: reveals by a stranger, and a chain that lists
/// many keys that it might be.
fn long_to_verify(casino: &Casino) -> Vec<u8> {
    let mut manifests = casino.manifests.clone();
    for seed in 1..=80_u8 {
        let mut next = successor(manifests.last().unwrap());
        let listed = (0..16).map(|at| {
            let mut bytes = [seed; 32];
            bytes[0] = at;
            ReceiptKey { key: SecretKey::from_bytes(&bytes).public(), revoked: false }
        });
        next.receipt_keys = listed.collect();
        manifests.push(sign_manifest(&next));
    }
    let payload = casino.reveal();
    let payload = payload.json().unwrap().into_owned();
    let stranger = SecretKey::from_bytes(&[200; 32]);
    let reveal = RecordEnvelope::seal(RecordKind::EpochReveal, &payload, &[&stranger]);
    let reveals = std::iter::repeat_n(&reveal, 5_000);
    transcript::write(manifests.iter().chain(reveals)).into_bytes()
}

#[tokio::test]
async fn an_audit_that_nobody_waits_for_is_given_up() {
    let casino = Casino::new();
    let service = service(&casino, "dev");
    let long = long_to_verify(&casino);
    // As many as there may be places.
    for _ in 0..std::thread::available_parallelism().unwrap().get() {
        let mut audit = Box::pin(service.audit(ask(of(Subject::Transcript(long.clone())))));
        assert!((&mut audit).now_or_never().is_none(), "it has begun, or waits");
    }
    let short = service.audit(ask(of(Subject::Transcript(played(&casino, "strict")))));
    let answer = tokio::time::timeout(Duration::from_secs(60), short).await;
    let answer = answer.expect("the places are free again").unwrap();
    assert_eq!(answer.into_inner().verdict(), pb::Verdict::Pending);
}

#[tokio::test]
async fn a_replay_from_any_of_its_seeds_is_the_round_that_was_played() {
    // Every seat of the strict tenant has put a seed of its own in.
    for (casino, tenant) in
        [(Casino::new(), "dev"), (Casino::new(), "strict"), (Casino::fresh(), "strict")]
    {
        let service = service(&casino, tenant);
        let plan = RoundPlan::random(tenant, 1, None, 8);
        assert!(tenant == "dev" || !plan.client_seeds().is_empty());
        let dealt = casino.deal(&plan);
        let request = settle(&casino, &plan, &dealt);
        let settled = service.settle(ask(request)).await.unwrap().into_inner();
        let decided = plan.decisions(&dealt);

        for seed in seeds(&casino, &plan, &settled) {
            let what = format!("{tenant}, {seed:?}");
            let replay = pb::Replay {
                seed: Some(seed.clone()),
                ruleset: plan.ruleset.clone(),
                sheet: Some(sheet(&plan)),
                decisions: decided.iter().map(|(seat, made)| decision(*seat, made)).collect(),
            };
            let request = ask(of(Subject::Replay(replay)));
            let answer = service.audit(request).await.unwrap().into_inner();
            assert_eq!(answer.verdict(), pb::Verdict::Incomplete);
            assert!(answer.checks.is_empty());
            let [round] = &answer.rounds[..] else { panic!("one round") };
            assert_eq!(round.round_seed, settled.round_seed, "{what}");
            assert_eq!((&round.deck, &round.seats), (&settled.deck, &settled.seats), "{what}");
            assert_eq!((&round.bank, round.fees_minor), (&settled.bank, settled.fees_minor));
            let has_no_id = matches!(seed, pb::replay::Seed::RoundSeed(_));
            assert_eq!(round.round_id, if has_no_id { "" } else { &settled.round_id }, "{what}");
        }
    }
}

/// Every seed that a settled round can be replayed from.
fn seeds(casino: &Casino, plan: &RoundPlan, settled: &pb::SettleResponse) -> Vec<pb::replay::Seed> {
    let server = pb::ServerSeedReplay {
        server_seed: settled.server_seed.clone(),
        round_id: settled.round_id.clone(),
    };
    let manifest: serde_json::Value = serde_json::from_slice(casino.manifest().payload()).unwrap();
    // An epoch of the fresh suite has no salt, and none of its rounds depends on a secret.
    let epoch = manifest["epochs"][0]["salt"].as_str().map(|salt| pb::EpochReplay {
        epoch_secret: hex::encode(casino.secret.expose()),
        epoch_salt: salt.to_owned(),
        epoch: i32::try_from(EPOCH).unwrap(),
        tenant: plan.tenant.clone(),
        table: plan.table.clone(),
        round_no: 1,
    });
    let mut seeds = vec![
        pb::replay::Seed::RoundSeed(settled.round_seed.clone()),
        pb::replay::Seed::ServerSeed(server),
    ];
    seeds.extend(epoch.map(pb::replay::Seed::Epoch));
    seeds
}

#[tokio::test]
async fn a_replay_that_cannot_be_is_blamed_under_its_field() {
    let casino = Casino::new();
    let plan = RoundPlan::random("dev", 1, None, 8);
    let mut wrong = sheet(&plan);
    wrong.wagers[0].bet = "dynasty".to_owned();
    let replay = pb::Replay {
        seed: Some(pb::replay::Seed::RoundSeed("11".repeat(32))),
        ruleset: "mikes".to_owned(),
        sheet: Some(wrong),
        decisions: Vec::new(),
    };
    let status = service(&casino, "dev").audit(ask(of(Subject::Replay(replay)))).await.unwrap_err();
    assert_eq!(blamed(&status).2[0], "replay.sheet.wagers[0].bet");
}

fn streamed(label: &str, transcript: Vec<u8>) -> pb::AuditStreamRequest {
    use pb::audit_stream_request::Subject;
    let subject = Some(Subject::Transcript(transcript));
    pb::AuditStreamRequest { label: label.to_owned(), subject, ..Default::default() }
}

#[tokio::test]
async fn a_stream_is_answered_in_order_until_a_request_is_in_error() {
    let casino = Casino::new();
    let server = start(&casino, "dev").await;
    let mut client = connect(&server).await;

    let text = played(&casino, "locked");
    let requests = [
        streamed("first", text.clone()),
        streamed("second", br#"{"payload":0,"payloadType":0,"signatures":0}"#.to_vec()),
        streamed("third", Vec::new()),
        streamed("fourth", text),
    ];
    let mut answers = client.audit_stream(tokio_stream::iter(requests)).await.unwrap().into_inner();
    let first = answers.message().await.unwrap().unwrap();
    assert_eq!((first.label.as_str(), first.verdict()), ("first", pb::Verdict::Pending));
    let second = answers.message().await.unwrap().unwrap();
    assert_eq!((second.label.as_str(), second.code.as_str()), ("second", "FORMAT"));
    let status = answers.message().await.unwrap_err();
    let expected =
        (Code::InvalidArgument, "TRANSCRIPT".to_owned(), vec!["requests[2].transcript".to_owned()]);
    assert_eq!(blamed(&status), expected);
}
