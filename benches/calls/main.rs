//! Measures the calls without a network: the handlers as the service runs them, in one
//! thread, and their parts. The figures are processor time, medians of turns.
//!
//! ```console
//! $ cargo bench --bench calls
//! $ cargo bench --bench calls -- Settle 100000
//! ```
//!
//! A name selects the calls that begin with it, and a number is how often each is made
//! in a turn. The calls that begin with `policy` are those of one locked round, with and without
//! public randomness.

#![expect(clippy::float_arithmetic, reason = "times are shown with decimals")]

use paigow_fairness::signature::Signer;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

use paigow::rpc::pai_gow_service_server::PaiGowService;
use paigow::rpc::{BuildFacts, Caller, LoadedEngine, PaiGow, ServiceState};
use paigow_config::access::Access;
use paigow_engine::self_test;
use paigow_engine::{KeyRing, SecretKey, VrfSecretKey};
use paigow_fairness::beacon::Beacon;
use paigow_fairness::encoding::{Hash, hex_bytes};
use paigow_fairness::manifest::Suite;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::secret::EpochSecret;
use paigow_files::keys::open_dev;
use paigow_proto::v1 as pb;
use paigow_round::{Catalogue, NoEntropy, RoundContext};
use paigow_testkit::beacons;
use paigow_testkit::casino::{self, Casino, DRAND, RoundPlan};
use paigow_testkit::messages;
use prost::Message as _;
use tonic::Request;

/// The servers' allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A moment in the development epoch.
const NOW: u64 = 1_795_132_800;
/// A minute before the beacon of the casino publishes its first round.
const BEFORE_BEACON: u64 = casino::NOW - 60;
/// How often each call is measured; the median is shown.
const TURNS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let calls = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(5_000);
    let name = arguments.iter().find(|argument| argument.parse::<u64>().is_err());
    let bench = Bench { name: name.map_or("", String::as_str), calls };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(&bench))
}

/// The selected calls, and how often each is made.
struct Bench<'a> {
    name: &'a str,
    calls: u32,
}

impl Bench<'_> {
    /// Measures `call` and prints its median.
    async fn time<F: Future<Output = ()>>(&self, name: &str, mut call: impl FnMut() -> F) {
        if !name.starts_with(self.name) {
            return;
        }
        let mut times = Vec::new();
        for _ in 0..TURNS {
            let begin = processor_time();
            for _ in 0..self.calls {
                call().await;
            }
            times.push(processor_time().saturating_sub(begin));
        }
        times.sort_unstable();
        let each = times[TURNS / 2] as f64 / f64::from(self.calls) / 1000.0;
        println!("{name:44} {each:9.2} us");
    }
}

/// Reads how long this thread has had a processor, in nanoseconds.
fn processor_time() -> u64 {
    let figures = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    figures.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(0)
}

fn entropy(bytes: &mut [u8]) -> Result<(), NoEntropy> {
    bytes.fill(7);
    Ok(())
}

/// The service for one tenant of all callers, as the server would make it.
fn service_of(
    context: RoundContext,
    keys: KeyRing,
    tenant: &str,
    clock: fn() -> u64,
) -> Result<(PaiGow, Caller), Box<dyn Error>> {
    for (_, way) in context.catalogue.house_ways() {
        way.compile_now();
    }
    let build = BuildFacts {
        version: "bench",
        git_revision: "unknown",
        executable_sha256: None,
        self_test_digest: self_test::run()?,
    };
    let access = Access::of_everybody(tenant.parse()?);
    let everybody = access.everybody().ok_or("everybody is somebody")?;
    let caller = Caller::new(everybody, &access);
    let state = ServiceState::new(LoadedEngine::new(context, keys), build, clock, entropy);
    Ok((PaiGow::new(Arc::new(state)), caller))
}

/// The service of the development keyring.
fn service() -> Result<(PaiGow, Caller), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("paigow-calls-{}", std::process::id()));
    let catalogue = Catalogue::shipped();
    let mut next = 0_u8;
    let mut bytes = |buffer: &mut [u8]| {
        next += 1;
        buffer.fill(next);
        Ok(())
    };
    let loaded = open_dev(&folder, &catalogue, NOW, &mut bytes)
        .map_err(|faults| format!("the development keyring: {faults:?}"))?;
    std::fs::remove_dir_all(&folder)?;
    let context = RoundContext { root: loaded.root, catalogue, manifests: loaded.manifests };
    service_of(context, loaded.keys, "dev", || NOW)
}

/// Two seats with three wagers under `mikes`, opened inline.
fn deal_request() -> pb::DealRequest {
    let wager = |seat, bet: &str, amount_minor| pb::Wager {
        seat,
        bet: bet.to_owned(),
        amount_minor,
        ..pb::Wager::default()
    };
    pb::DealRequest {
        beacon_signature: String::new(),
        start: Some(pb::deal_request::Start::Open(pb::OpenRoundRequest {
            epoch: Some(1),
            table: "bench".to_owned(),
            round_no: 1,
            ruleset: "mikes".to_owned(),
            ..pb::OpenRoundRequest::default()
        })),
        wagers: Some(pb::deal_request::Wagers::Sheet(pb::WagerSheet {
            currency: Some(pb::Currency { code: "USD".to_owned(), exponent: 2 }),
            bank_minor: Some(50_000),
            action_pile: Some(3),
            wagers: vec![
                wager(1, "base", 2_500),
                wager(1, "outlaw_9", 500),
                wager(4, "base", 10_000),
            ],
            ..pb::WagerSheet::default()
        })),
    }
}

fn settle_request(dealt: &pb::DealResponse) -> pb::SettleRequest {
    let low = dealt.hands[0].cards[..2].to_vec();
    let how = |setting| pb::Decision { setting: Some(setting), ..pb::Decision::default() };
    pb::SettleRequest {
        records: dealt.records.clone(),
        decisions: vec![
            pb::Decision { seat: 1, ..how(pb::decision::Setting::Low(pb::LowHand { cards: low })) },
            pb::Decision { seat: 4, ..how(pb::decision::Setting::HouseWay(true)) },
        ],
        ..pb::SettleRequest::default()
    }
}

fn hands() -> Vec<pb::Hand> {
    [
        "As 2s 3s 4s 5s Ah Qh",
        "Kd Kh 7c 7d 2s 9h Tc",
        "Jk 3d 4c 5h 9s Jd Qd",
        "8c 8d 8h 8s Ac Kc Qc",
        "2c 4d 6h 8s Th Qs Ad",
        "Jc Js 5d 5c 3h 3s 2d",
    ]
    .into_iter()
    .map(|cards| pb::Hand { cards: cards.split(' ').map(str::to_owned).collect() })
    .collect()
}

// The answer of a method of the service to a request of the caller.
macro_rules! ask {
    ($service:expr, $caller:expr, $method:ident, $request:expr) => {{
        let mut request = Request::new($request);
        request.extensions_mut().insert($caller.clone());
        $service.$method(request)
    }};
}

// As the transport runs it: bytes in, bytes out.
macro_rules! time {
    ($bench:expr, $service:expr, $caller:expr, $name:expr, $method:ident, $kind:ident, $request:expr) => {{
        let bytes = $request.encode_to_vec();
        $bench
            .time($name, || async {
                let request = pb::$kind::decode(black_box(&bytes[..])).unwrap_or_default();
                if let Ok(answer) = ask!($service, $caller, $method, request).await {
                    black_box(answer.into_inner().encode_to_vec());
                }
            })
            .await;
    }};
}

/// One locked round, with and without public randomness, in the suites that derive their seeds.
async fn measure_policies(bench: &Bench<'_>) -> Result<(), Box<dyn Error>> {
    for suite in [Suite::Derived, Suite::Vrf] {
        let casino = Casino::with_beacon(suite);
        for tenant in ["locked", DRAND] {
            let keys = casino.keys.clone();
            let (service, caller) =
                &service_of(casino.context.clone(), keys, tenant, || BEFORE_BEACON)?;
            let plan = RoundPlan::random(tenant, 1, None, 11);
            let name = |call| format!("policy: {suite:?}, {tenant}, {call}").to_lowercase();

            let open = messages::open_request(&casino, &plan);
            ask!(service, caller, open_round, open.clone()).await?;
            time!(bench, service, caller, &name("open"), open_round, OpenRoundRequest, open);
            let deal = messages::deal_request(&casino, &plan);
            ask!(service, caller, deal, deal.clone()).await?;
            time!(bench, service, caller, &name("deal"), deal, DealRequest, deal);
            let settle = messages::settle_request(&casino, &plan, &casino.deal(&plan));
            ask!(service, caller, settle, settle.clone()).await?;
            time!(bench, service, caller, &name("settle"), settle, SettleRequest, settle);
        }
    }
    Ok(())
}

async fn measure(bench: &Bench<'_>) -> Result<(), Box<dyn Error>> {
    let (service, caller) = &service()?;
    let deal = deal_request();
    let dealt = ask!(service, caller, deal, deal.clone()).await?.into_inner();
    let settle = settle_request(&dealt);
    let settled = ask!(service, caller, settle, settle.clone()).await?.into_inner();
    let replay = pb::Replay {
        seed: Some(pb::replay::Seed::RoundSeed(settled.round_seed.clone())),
        ruleset: "mikes".to_owned(),
        sheet: match &deal.wagers {
            Some(pb::deal_request::Wagers::Sheet(sheet)) => Some(sheet.clone()),
            Some(pb::deal_request::Wagers::Lock(_)) | None => None,
        },
        decisions: settle.decisions.clone(),
    };
    let replay = pb::AuditRequest {
        subject: Some(pb::audit_request::Subject::Replay(replay)),
        ..pb::AuditRequest::default()
    };
    ask!(service, caller, audit, replay.clone()).await?;
    let house_way = pb::SetHouseWayRequest {
        hands: hands(),
        by: Some(pb::set_house_way_request::By::HouseWay("mikes".to_owned())),
    };
    ask!(service, caller, set_house_way, house_way.clone()).await?;

    let start = pb::deal_request::Start::Ticket(dealt.records[0].clone());
    let of_ticket = pb::DealRequest { start: Some(start), ..deal.clone() };
    ask!(service, caller, deal, of_ticket.clone()).await?;

    time!(bench, service, caller, "Deal", deal, DealRequest, deal);
    time!(bench, service, caller, "Deal of a ticket", deal, DealRequest, of_ticket);
    time!(bench, service, caller, "Settle", settle, SettleRequest, settle);
    time!(
        bench,
        service,
        caller,
        "SetHouseWay, 6 hands",
        set_house_way,
        SetHouseWayRequest,
        house_way
    );
    time!(bench, service, caller, "Audit of a seed", audit, AuditRequest, replay);

    measure_policies(bench).await?;

    let line = dealt.records[2].envelope.clone();
    let record = RecordEnvelope::parse(&line)?;
    let key = SecretKey::from_bytes(&[7; 32]);
    let (public, message) = (key.public(), record.payload());
    let signature = key.sign(message);
    bench
        .time("part: a signature made", || async {
            black_box(key.sign(black_box(message)));
        })
        .await;
    bench
        .time("part: a signature verified", || async {
            black_box(public.verifies(black_box(message), &signature));
        })
        .await;
    let secret = VrfSecretKey::new(&EpochSecret::new([7; 32]));
    let (vrf_key, input) = (secret.public(), &message[..128]);
    let (_, proof) = secret.prove(input);
    bench
        .time("part: a VRF output computed", || async {
            black_box(secret.output(black_box(input)));
        })
        .await;
    bench
        .time("part: a VRF proof made", || async {
            black_box(secret.prove(black_box(input)));
        })
        .await;
    bench
        .time("part: a VRF proof verified", || async {
            black_box(proof.verify(&vrf_key, black_box(input)));
        })
        .await;
    // Each replaces the other among the signatures that the process remembers.
    let (quicknet, of_quicknet) = (quicknet()?, hex_bytes(QUICKNET_123)?);
    let (other, of_other) = (beacons::beacon(casino::NOW), beacons::beacon_signature(59));
    bench
        .time("part: two signatures of beacons verified", || async {
            black_box(quicknet.verifies(black_box(123), &of_quicknet));
            black_box(other.verifies(black_box(59), &of_other));
        })
        .await;
    bench
        .time("part: a beacon's signature remembered", || async {
            black_box(other.verifies(black_box(59), &of_other));
        })
        .await;
    bench
        .time("part: a deal record hashed", || async {
            black_box(Hash::of(black_box(message)));
        })
        .await;
    bench
        .time("part: a deal record read", || async {
            let read = RecordEnvelope::parse(black_box(&line));
            drop(black_box(read.as_ref().map(RecordEnvelope::json)));
        })
        .await;
    bench
        .time("part: a deal record written", || async {
            black_box(record.to_line());
        })
        .await;
    Ok(())
}

/// The signature of round 123 of quicknet, as `https://api.drand.sh/CHAIN/public/123` serves it.
const QUICKNET_123: &str = "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d\
                            3546d23c4b13e0dfc92";

fn quicknet() -> Result<Beacon, Box<dyn Error>> {
    let group = "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e".parse()?;
    let (genesis, id, key) = (1_692_803_367, "quicknet".parse()?, Beacon::QUICKNET_KEY);
    Ok(Beacon { genesis, group, id, period: 3, key })
}
