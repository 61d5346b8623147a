//! Nothing leaks before Settle, and nothing ever into logs and spans (D21).
//!
//! Three thousand rounds over a real socket, or thirty thousand where they are asked for, every
//! crate logging at TRACE. Before a round is settled, no answer holds eight bytes in a row of a
//! secret, in any spelling, or a card that its player may not see. No line of the log ever does. A canary in any marked field of a request is found in no status and no line of the log.
#![allow(clippy::unwrap_used)]

mod canaries;

use paigow_testkit::casino;
use paigow_testkit::taints;
use paigow_testkit::wire;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, mpsc};

use aho_corasick::AhoCorasick;
use base64::Engine as _;
use casino::{Casino, RoundPlan, client_seed, epoch_secret};
use paigow_engine::DealAnswer;
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_proto::v1 as pb;
use paigow_rules::cards::Card;
use paigow_rules::game::{Ruleset, shipped};
use prost::Message as _;
use sha2::{Digest as _, Sha512};
use taints::{assert_clean, card_pairs, spellings};

/// How many rounds are played between two scans of the log.
const BATCH: u64 = 100;

/// The log of the whole process.
#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The bytes of an answer, with its records' payloads opened.
fn opened(answer: &impl prost::Message, records: &[pb::Record]) -> Vec<u8> {
    let mut bytes = answer.encode_to_vec();
    for record in records {
        bytes.push(b'\n');
        bytes.extend_from_slice(RecordEnvelope::parse(&record.envelope).unwrap().payload());
    }
    bytes
}

/// Every number in card-typed members of a payload before the close.
fn cards_of(payload: &Json) -> Vec<u64> {
    fn numbers(json: &Json, out: &mut Vec<u64>) {
        match json {
            Json::Int(n) => out.push(*n),
            Json::Arr(items) => items.iter().for_each(|item| numbers(item, out)),
            // Of a line that the deal makes final: whose it is, and its odds.
            Json::Obj(members) => members
                .iter()
                .filter(|(name, _)| !["seat", "pays"].contains(name))
                .for_each(|(_, value)| numbers(value, out)),
            Json::Bool(_) | Json::Str(_) => {}
        }
    }
    let Json::Obj(members) = payload else { panic!("no object") };
    let mut out = Vec::new();
    for (name, value) in members.iter() {
        // Small numbers that are no cards, by name; anything else might be one.
        if !["dice", "phase", "epoch", "facts", "currency", "policy", "seat"].contains(&name) {
            numbers(value, &mut out);
        }
    }
    out
}

/// The output of the process over some rounds, and the secrets that must not be in it.
#[derive(Default)]
struct Batch {
    answers: Vec<u8>,
    answer_taints: BTreeSet<Vec<u8>>,
    log: Vec<u8>,
    log_taints: BTreeSet<Vec<u8>>,
}

impl Batch {
    /// Begins with the secrets that outlive a round.
    fn with(standing: &BTreeSet<Vec<u8>>) -> Self {
        let (answer_taints, log_taints) = (standing.clone(), standing.clone());
        Self { answer_taints, log_taints, ..Self::default() }
    }

    fn assert_clean(&self) {
        assert_clean("an answer before Settle", &self.answers, &self.answer_taints);
        assert!(self.log.len() > 100_000, "every crate logs at TRACE");
        assert_clean("the log", &self.log, &self.log_taints);
    }
}

/// A round as the wire shows it, and what must not be seen of it.
struct Played {
    before: Vec<u8>,
    seen: BTreeSet<Card>,
    secrets: BTreeSet<Vec<u8>>,
    hands: BTreeSet<Vec<u8>>,
}

/// Holds an answer before the close against the cards that players may see: those of their
/// seats and, in a game that exposes it, the dealer's hand.
fn check_cards(
    played: &mut Played,
    dealt: &pb::DealResponse,
    exposes_dealer: bool,
    records: &[pb::Record],
    deck: &[Card],
) {
    let codes = |codes: &[String]| -> Vec<Card> {
        codes.iter().map(|code| code.parse::<Card>().unwrap()).collect()
    };
    for hand in &dealt.hands {
        played.seen.extend(codes(&hand.cards));
    }
    assert_eq!(dealt.dealer.is_some(), exposes_dealer, "the dealer's hand in the answer");
    if let Some(dealer) = &dealt.dealer {
        let cards = [codes(&dealer.low), codes(&dealer.high)].concat();
        assert_eq!(cards.len(), 7, "the whole hand of the dealer");
        played.seen.extend(cards);
    }
    let hidden: BTreeSet<u64> = deck
        .iter()
        .filter(|card| !played.seen.contains(card))
        .map(|card| u64::from(card.number()))
        .collect();
    let least = if exposes_dealer { 4 } else { 11 };
    assert!(hidden.len() >= least, "the discards are hidden, and the dealer's cards elsewhere");
    for record in records {
        let record = RecordEnvelope::parse(&record.envelope).unwrap();
        assert_ne!(record.kind(), RecordKind::Settle);
        for number in cards_of(&record.json().unwrap()) {
            assert!(
                !hidden.contains(&number),
                "a hidden card in a {} record",
                record.kind().name()
            );
        }
    }
}

fn ruleset(id: &str) -> &'static Ruleset {
    shipped().iter().find(|ruleset| ruleset.id() == id).unwrap()
}

async fn play(
    client: &mut wire::WireClient,
    casino: &Casino,
    plan: &RoundPlan,
    prev: &mut Option<RecordEnvelope>,
) -> Played {
    let mut before = Vec::new();
    // A refusal first: its status is an answer too.
    let mut wrong = wire::deal_request(casino, plan);
    if let Some(pb::deal_request::Wagers::Sheet(sheet)) = &mut wrong.wagers {
        sheet.action_pile = Some(99);
        let status = client.deal(wrong).await.unwrap_err();
        before.extend_from_slice(status.message().as_bytes());
        before.extend_from_slice(status.details());
    }
    let dealt = client.deal(wire::deal_request(casino, plan)).await.unwrap().into_inner();
    before.extend(opened(&dealt, &dealt.records));
    let answer = wire::dealt(&dealt);
    // A prepared record has only what was sent or shown already, so one round in four is enough.
    let prepared = if plan.round_no % 4 == 1 {
        prepare(client, casino, plan, &answer, &mut before).await
    } else {
        Vec::new()
    };
    let request = wire::settle_request(casino, plan, &answer);
    // One more refusal between deal and close.
    let mut early = request.clone();
    early.records.pop();
    let status = client.settle(early).await.unwrap_err();
    before.extend_from_slice(status.message().as_bytes());
    before.extend_from_slice(status.details());
    let settled = client.settle(request).await.unwrap().into_inner();
    *prev = wire::envelopes(&settled.records).pop();

    let mut secrets = BTreeSet::new();
    spellings(&hex::decode(&settled.server_seed).unwrap(), &mut secrets);
    spellings(&hex::decode(&settled.round_seed).unwrap(), &mut secrets);
    // Of the vrf suite: a holder of the proof has the seed.
    spellings(&hex::decode(&settled.seed_proof).unwrap(), &mut secrets);
    let deck: Vec<Card> = settled.deck.iter().map(|code| code.parse().unwrap()).collect();
    let mut pairs = BTreeSet::new();
    let dealer: Vec<Card> =
        settled.bank.unwrap().cards.iter().map(|code| code.parse().unwrap()).collect();
    card_pairs(&dealer, &mut pairs);
    card_pairs(&deck, &mut pairs);
    for hand in answer.hands.values() {
        card_pairs(hand, &mut pairs);
    }
    let mut played = Played { before, seen: BTreeSet::new(), secrets, hands: pairs };
    let exposes_dealer = ruleset(&plan.ruleset).exposes_dealer();
    let records = [dealt.records.clone(), prepared].concat();
    check_cards(&mut played, &dealt, exposes_dealer, &records, &deck);
    played
}

/// Asks each `Prepare` call about a dealt round; adds the answers to `before`, and returns the
/// records in them.
async fn prepare(
    client: &mut wire::WireClient,
    casino: &Casino,
    plan: &RoundPlan,
    dealt: &DealAnswer,
    before: &mut Vec<u8>,
) -> Vec<pb::Record> {
    let asked = wire::prepare_requests(casino, plan, dealt);
    let open = client.prepare_open(asked.open).await.unwrap().into_inner();
    let deal = client.prepare_deal(asked.deal).await.unwrap().into_inner();
    let settle = client.prepare_settle(asked.settle).await.unwrap().into_inner();
    let void = client.prepare_void(asked.void).await.unwrap().into_inner();
    let actions = settle.actions.iter().filter_map(|one| one.action.clone());
    let locks = [deal.lock.clone(), settle.lock.clone(), void.lock.clone()].into_iter().flatten();
    let records: Vec<pb::Record> = actions.chain(locks).filter_map(|one| one.record).collect();
    assert!(records.len() >= 3, "three locks at least");
    before.extend(open.encode_to_vec());
    before.extend(opened(&deal, &records));
    before.extend(settle.encode_to_vec());
    before.extend(void.encode_to_vec());
    records
}

#[test]
fn nothing_leaks_over_three_thousand_rounds() {
    nothing_leaks(3_000);
}

#[test]
#[ignore = "takes minutes"]
fn nothing_leaks_over_thirty_thousand_rounds() {
    nothing_leaks(30_000);
}

/// Plays so many rounds, a tenth of them by sealed seeds under locks and a tenth by proven seeds, and searches all that
/// leaves the process. A leak in every round would show in the first; the many are for what
/// depends on cards and amounts. Once a process: there is one log.
fn nothing_leaks(rounds: u64) {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(tracing_subscriber::fmt::format::FmtSpan::FULL)
        .with_writer(move || writer.clone())
        .finish();
    // No filter, and for every thread of the process.
    tracing::subscriber::set_global_default(subscriber).unwrap();

    let mut standing = BTreeSet::new();
    spellings(epoch_secret().expose(), &mut standing);
    // The scalar and the prefix of the nonces that the vrf suite makes of it.
    spellings(&Sha512::digest(epoch_secret().expose()), &mut standing);
    spellings(&casino::token_key(), &mut standing);
    spellings(casino::receipt_key().expose(), &mut standing);
    standing.extend(canaries::taints());

    let mut repeated = BTreeSet::new();
    // The rounds of the next batch are played meanwhile: a scan takes as long as they do.
    let (batches, played) = mpsc::sync_channel::<Batch>(1);
    let scan = std::thread::spawn(move || played.iter().for_each(|batch| batch.assert_clean()));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        for (casino, tenant, rounds) in [
            (Casino::new(), "dev", rounds - rounds / 5),
            (Casino::fresh(), "locked", rounds / 10),
            (Casino::vrf(), "locked", rounds / 10),
        ] {
            let running = wire::start(&casino, tenant).await;
            let mut client = wire::connect(&running).await;
            let (mut prev, mut batch) = (None, Batch::with(&standing));
            let plan = RoundPlan::random_of_all(tenant, 1, None, 78);
            let (canaries, told) = canaries::send(&mut client, &casino, &plan).await;
            assert!(canaries > 30, "{canaries} fields with a canary");
            repeated.extend(told);
            for round_no in 1..=rounds {
                let chained = prev.take().filter(|_| casino::policy(tenant).chain_required);
                let plan = RoundPlan::random_of_all(tenant, round_no, chained, 77);
                let played = play(&mut client, &casino, &plan, &mut prev).await;
                batch.answers.extend(played.before);
                for seat in &plan.committed {
                    spellings(&client_seed(round_no, *seat), &mut batch.log_taints);
                }
                batch.log_taints.extend(played.hands);
                batch.log_taints.extend(played.secrets.iter().cloned());
                batch.answer_taints.extend(played.secrets);
                if round_no % BATCH == 0 {
                    batch.log = std::mem::take(&mut *log.0.lock().unwrap());
                    let full = std::mem::replace(&mut batch, Batch::with(&standing));
                    // Nobody takes them any more: the scan has found something.
                    if batches.send(full).is_err() {
                        return;
                    }
                }
            }
        }
    });
    drop(batches);
    if let Err(found) = scan.join() {
        std::panic::resume_unwind(found);
    }
    assert_eq!(repeated, BTreeSet::from(canaries::REPEATED), "the fields that statuses repeat");
}

#[test]
fn the_scan_finds_what_it_looks_for() {
    let secret: Vec<u8> = casino::filler(1).to_vec();
    let mut taints = BTreeSet::new();
    spellings(&secret, &mut taints);
    let patterns: Vec<&Vec<u8>> = taints.iter().collect();
    let automaton = AhoCorasick::new(&patterns).unwrap();
    let base64 = base64::engine::general_purpose::STANDARD;
    let planted = [
        secret[3..11].to_vec(),
        format!("x{}x", hex::encode(&secret[9..20])).into_bytes(),
        format!("{:?}", &secret[1..12]).into_bytes(),
        format!("b\"{}\"", secret[5..15].escape_ascii()).into_bytes(),
        base64.encode([b"{\"a\":\"", secret.as_slice()].concat()).into_bytes(),
        base64.encode([b"{\"ab\":\"", secret.as_slice()].concat()).into_bytes(),
        base64.encode([b"{\"abc\":\"", secret.as_slice()].concat()).into_bytes(),
    ];
    for (i, bytes) in planted.iter().enumerate() {
        assert!(automaton.find(bytes).is_some(), "plant {i}");
    }
    assert!(automaton.find(&secret[3..10]).is_none(), "seven bytes are no window");
    let mut pairs = BTreeSet::new();
    card_pairs(&["Ah".parse().unwrap(), "Jk".parse().unwrap()], &mut pairs);
    let logged = format!("{:?}", ["Ah", "Jk"]).into_bytes();
    assert!(pairs.iter().any(|pair| logged.windows(pair.len()).any(|w| w == pair.as_slice())));
}
