//! One round as a platform plays it: over TLS, with deadlines, retries and error details.
//!
//! ```console
//! $ cargo run --example play_round -- --server 10.0.0.1:50051,10.0.0.2:50051 \
//! >   --server-name localhost --ca ca.pem --transcript round.jsonl
//! ```
//!
//! A call may be repeated as it was, here or at another replica: the same request gets the same
//! records. tonic takes no service config, so the published policy stands here as code.

use std::collections::BTreeMap;
use std::error::Error;
use std::future::Future;
use std::io::Write as _;
use std::time::{Duration, Instant};

use paigow::rpc::pb;
use pb::pai_gow_service_client::PaiGowServiceClient;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Response, Status};
use tonic_types::StatusExt as _;

const DEADLINE: Duration = Duration::from_secs(2);
/// How long one step of a round may take in all, over every repetition.
const PATIENCE: Duration = Duration::from_secs(30);

type Client = PaiGowServiceClient<Channel>;

/// The replicas, tried in turn.
struct Engine {
    channels: Vec<Channel>,
    current: usize,
}

impl Engine {
    /// Connects to nobody yet: a replica may be away now and back when it is needed.
    fn new(servers: &str, name: Option<&str>, ca: Option<&[u8]>) -> Result<Self, Box<dyn Error>> {
        let mut channels = Vec::new();
        for server in servers.trim_start_matches("ipv4:").split(',') {
            let scheme = if ca.is_some() { "https" } else { "http" };
            let mut endpoint =
                Endpoint::from_shared(format!("{scheme}://{server}"))?.connect_timeout(DEADLINE);
            if let Some(pem) = ca {
                let mut tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem));
                if let Some(name) = name {
                    tls = tls.domain_name(name);
                }
                endpoint = endpoint.tls_config(tls)?;
            }
            channels.push(endpoint.connect_lazy());
        }
        Ok(Self { channels, current: 0 })
    }

    /// Calls until there is an answer or a refusal. The request is the same each time.
    async fn call<Q, A, F, Fut>(&mut self, request: &Q, method: F) -> Result<A, Status>
    where
        Q: Clone,
        F: Fn(Client, Request<Q>) -> Fut,
        Fut: Future<Output = Result<Response<A>, Status>>,
    {
        let begun = Instant::now();
        let mut pause = Duration::from_millis(50);
        loop {
            let channel = self.channels[self.current].clone();
            let mut asked = Request::new(request.clone());
            asked.set_timeout(DEADLINE);
            let answered =
                tokio::time::timeout(DEADLINE, method(Client::new(channel), asked)).await;
            let status = match answered {
                Ok(Ok(answer)) => return Ok(answer.into_inner()),
                Ok(Err(status)) => status,
                Err(_) => Status::deadline_exceeded("no answer in time"),
            };
            if !is_worth_repeating(&status) || begun.elapsed() > PATIENCE {
                return Err(status);
            }
            self.current = (self.current + 1) % self.channels.len();
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(Duration::from_secs(1));
        }
    }
}

/// Returns `ErrorInfo.reason` of an error that the engine made, or an empty text.
fn reason(status: &Status) -> String {
    let info = status.get_details_error_info();
    info.filter(|info| info.domain == "paigow.v1").map(|info| info.reason).unwrap_or_default()
}

/// UNKNOWN or INTERNAL without a reason is an answer that a dying process has torn.
fn is_worth_repeating(status: &Status) -> bool {
    let torn = [Code::Unknown, Code::Internal, Code::Cancelled].contains(&status.code())
        && reason(status).is_empty();
    torn || [Code::Unavailable, Code::DeadlineExceeded].contains(&status.code())
}

fn tell(status: &Status) {
    eprintln!("play_round: {} {}: {}", code_name(status.code()), reason(status), status.message());
    for field in status.get_details_bad_request().into_iter().flat_map(|bad| bad.field_violations) {
        eprintln!("  {}: {}", field.field, field.description);
    }
}

/// The name that gRPC has for a code: `INVALID_ARGUMENT`.
fn code_name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

fn wager(seat: i32, bet: &str, amount_minor: i64) -> pb::Wager {
    pb::Wager { seat, bet: bet.to_owned(), amount_minor, ..Default::default() }
}

fn deal_request(table: &str, round_no: i64) -> pb::DealRequest {
    let open = pb::OpenRoundRequest {
        table: table.to_owned(),
        round_no,
        ruleset: "express".to_owned(),
        ..Default::default()
    };
    let sheet = pb::WagerSheet {
        currency: Some(pb::Currency { code: "USD".to_owned(), exponent: 2 }),
        wagers: vec![wager(1, "base", 2500), wager(1, "dynasty", 500), wager(4, "base", 10_000)],
        ..Default::default()
    };
    pb::DealRequest {
        start: Some(pb::deal_request::Start::Open(open)),
        wagers: Some(pb::deal_request::Wagers::Sheet(sheet)),
    }
}

fn settle_request(records: Vec<pb::Record>) -> pb::SettleRequest {
    let by_house_way = |seat| pb::Decision {
        seat,
        setting: Some(pb::decision::Setting::HouseWay(true)),
        ..Default::default()
    };
    pb::SettleRequest {
        records,
        decisions: vec![by_house_way(1), by_house_way(4)],
        disposition: pb::Disposition::Settle.into(),
        ..Default::default()
    }
}

/// Plays the round and returns its transcript.
async fn play(
    engine: &mut Engine,
    table: &str,
    round_no: i64,
    wait: bool,
) -> Result<Vec<u8>, Status> {
    let dealt = engine
        .call(&deal_request(table, round_no), |mut client, asked| async move {
            client.deal(asked).await
        })
        .await?;
    for hand in &dealt.hands {
        println!("seat {} {}", hand.seat, hand.cards.join(" "));
    }
    if wait {
        // For tests: what happens to the servers between the two calls happens now.
        println!("dealt");
        let read = std::io::stdin().read_line(&mut String::new());
        read.map_err(|error| Status::aborted(error.to_string()))?;
    }
    let settled = engine
        .call(&settle_request(dealt.records.clone()), |mut client, asked| async move {
            client.settle(asked).await
        })
        .await?;
    for seat in &settled.seats {
        println!("seat {} net {}", seat.seat, seat.net_minor);
    }
    let about = engine
        .call(&pb::GetEngineRequest::default(), |mut client, asked| async move {
            client.get_engine(asked).await
        })
        .await?;
    let mut transcript = Vec::new();
    for record in about.manifests.iter().chain(&dealt.records).chain(&settled.records) {
        transcript.extend_from_slice(&record.envelope);
        transcript.push(b'\n');
    }
    Ok(transcript)
}

/// The options with a value; of the others `--plaintext` takes the place of `--ca`.
const NAMED: [&str; 6] =
    ["--server", "--server-name", "--ca", "--table", "--round", "--transcript"];
const FLAGS: [&str; 2] = ["--plaintext", "--wait"];

/// Options by name; a flag has no value.
fn options() -> Result<BTreeMap<String, String>, String> {
    let mut given = BTreeMap::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = if FLAGS.contains(&name.as_str()) {
            Some(String::new())
        } else if NAMED.contains(&name.as_str()) {
            arguments.next()
        } else {
            return Err(format!("no option {name}: {NAMED:?}, {FLAGS:?}"));
        };
        given.insert(name.clone(), value.ok_or(format!("{name} wants a value"))?);
    }
    // Whom to trust is never guessed: in plaintext anybody may answer.
    if given.contains_key("--ca") == given.contains_key("--plaintext") {
        return Err("--ca FILE, whose certificate signs the server's, or --plaintext".to_owned());
    }
    Ok(given)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let given = options()?;
    let option = |name: &str| given.get(name).map(String::as_str);
    let ca = option("--ca").map(std::fs::read).transpose()?;
    let servers = option("--server").unwrap_or("localhost:50051");
    let mut engine = Engine::new(servers, option("--server-name"), ca.as_deref())?;
    let table = option("--table").unwrap_or("rust");
    let round_no = option("--round").unwrap_or("1").parse()?;
    match play(&mut engine, table, round_no, option("--wait").is_some()).await {
        Ok(transcript) => {
            let path = option("--transcript").unwrap_or("round.jsonl");
            std::fs::File::create(path)?.write_all(&transcript)?;
            Ok(())
        }
        Err(status) => {
            tell(&status);
            std::process::exit(1)
        }
    }
}
