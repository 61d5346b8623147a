//! One round as a platform plays it: over TLS, with deadlines, retries and error details.
//!
//! ```console
//! $ cargo run --example play_round -- --server 10.0.0.1:50051,10.0.0.2:50051 \
//! >   --server-name localhost --ca ca.pem --transcript round.jsonl
//! ```
//!
//! A call may be repeated unchanged, at the same or another replica: the same request gets the same
//! records. tonic accepts no service config, so this file has the published policy as code. A
//! server in production requires credentials: `--certificate` and `--key`, or `--token-file`.

use std::collections::BTreeMap;
use std::error::Error;
use std::future::Future;
use std::time::{Duration, Instant};

use paigow_client::PaiGowServiceClient;
use paigow_proto::v1 as pb;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
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
    /// `Bearer ...`, for a caller with a token.
    token: Option<MetadataValue<Ascii>>,
}

impl Engine {
    /// Does not connect yet: a replica may be down now and up when it is needed.
    fn new(
        servers: &str,
        tls: Option<&ClientTlsConfig>,
        token: Option<MetadataValue<Ascii>>,
    ) -> Result<Self, Box<dyn Error>> {
        let scheme = if tls.is_some() { "https" } else { "http" };
        let mut channels = Vec::new();
        for server in servers.trim_start_matches("ipv4:").split(',') {
            let mut endpoint =
                Endpoint::from_shared(format!("{scheme}://{server}"))?.connect_timeout(DEADLINE);
            if let Some(tls) = tls {
                endpoint = endpoint.tls_config(tls.clone())?;
            }
            channels.push(endpoint.connect_lazy());
        }
        Ok(Self { channels, current: 0, token })
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
            if let Some(token) = &self.token {
                asked.metadata_mut().insert("authorization", token.clone());
            }
            let answered =
                tokio::time::timeout(DEADLINE, method(Client::new(channel), asked)).await;
            let status = match answered {
                Ok(Ok(answer)) => return Ok(answer.into_inner()),
                Ok(Err(status)) => status,
                Err(_) => Status::deadline_exceeded("no answer in time"),
            };
            let wait = pause.max(told_to_wait(&status).unwrap_or_default());
            if !is_worth_repeating(&status) || begun.elapsed().saturating_add(wait) > PATIENCE {
                return Err(status);
            }
            self.current = (self.current + 1) % self.channels.len();
            tokio::time::sleep(wait).await;
            pause = (2 * pause).min(Duration::from_secs(1));
        }
    }
}

/// Returns `ErrorInfo.reason` of an error that the engine made, or an empty text.
fn reason(status: &Status) -> String {
    let info = status.get_details_error_info();
    info.filter(|info| info.domain == "paigow.v1").map(|info| info.reason).unwrap_or_default()
}

/// Returns `RetryInfo.retry_delay` of an error: when to try again.
fn told_to_wait(status: &Status) -> Option<Duration> {
    status.get_details_retry_info().map(|info| info.retry_delay.unwrap_or_default())
}

/// Whether to repeat a call. UNKNOWN or INTERNAL without a reason: the server died while it sent the
/// response. A caller above its limits gets a time to wait. Without one it is a limit of another kind.
fn is_worth_repeating(status: &Status) -> bool {
    let torn = [Code::Unknown, Code::Internal, Code::Cancelled].contains(&status.code())
        && reason(status).is_empty();
    let above = status.code() == Code::ResourceExhausted && told_to_wait(status).is_some();
    torn || above || [Code::Unavailable, Code::DeadlineExceeded].contains(&status.code())
}

/// Returns the text of a refusal: code, reason, message, and every field of bad input. For a
/// connection that fails, adds the cause.
fn told(status: &Status) -> String {
    let mut text = format!("{} {}: {}", code_name(status.code()), reason(status), status.message());
    for field in status.get_details_bad_request().into_iter().flat_map(|bad| bad.field_violations) {
        text += &format!("\n  {}: {}", field.field, field.description);
    }
    with_causes(text, status.source())
}

/// Adds the causes of an error to its text.
fn with_causes(mut text: String, mut cause: Option<&(dyn Error + 'static)>) -> String {
    while let Some(error) = cause {
        // Some errors state their cause themselves.
        let told = format!(": {error}");
        if !text.ends_with(&told) {
            text += &told;
        }
        cause = error.source();
    }
    text
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
        beacon_signature: String::new(),
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
        // For tests: a test acts on the servers now, between the two calls.
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
    let mut manifests = Vec::new();
    let mut next = pb::ListManifestsRequest::default();
    loop {
        let page = engine
            .call(&next, |mut client, asked| async move { client.list_manifests(asked).await })
            .await?;
        manifests.extend(page.manifests);
        next.after_sequence = page.next_after_sequence;
        if next.after_sequence == 0 {
            break;
        }
    }
    let mut transcript = Vec::new();
    for record in manifests.iter().chain(&dealt.records).chain(&settled.records) {
        transcript.extend_from_slice(&record.envelope);
        transcript.push(b'\n');
    }
    Ok(transcript)
}

const USAGE: &str = "\
usage: cargo run --example play_round -- OPTION...

One round as a platform plays it: over TLS, with deadlines, retries and error details.

  --server ADDRESS    [default: localhost:50051]
  --server-name NAME  the name in the certificate, where addresses are given
  --ca FILE           the authority of the server's certificate (PEM)
  --certificate FILE  the caller's certificate (PEM)
  --key FILE          the key of that certificate (PEM)
  --token-file FILE   the caller's bearer token
  --plaintext         no TLS: in place of --ca
  --table NAME        [default: rust]
  --round N           [default: 1]
  --transcript FILE   [default: round.jsonl]
  --wait              wait for a line on the standard input after the deal
  --help              this text";

/// The options with a value.
const NAMED: [&str; 9] = [
    "--server",
    "--server-name",
    "--ca",
    "--certificate",
    "--key",
    "--token-file",
    "--table",
    "--round",
    "--transcript",
];
const FLAGS: [&str; 3] = ["--plaintext", "--wait", "--help"];

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
            return Err(format!("no option {name}"));
        };
        given.insert(name.clone(), value.ok_or(format!("{name} wants a value"))?);
    }
    let has = |name: &str| given.contains_key(name);
    if has("--help") {
        return Ok(given);
    }
    // The trusted authority has no default. In plaintext any server could answer.
    if has("--ca") == has("--plaintext") {
        return Err("--ca FILE, whose certificate signs the server's, or --plaintext".to_owned());
    }
    if has("--certificate") != has("--key") {
        return Err("--certificate and --key go together".to_owned());
    }
    if has("--plaintext") && (has("--certificate") || has("--token-file")) {
        let what = "--certificate and --token-file need TLS: --ca in place of --plaintext";
        return Err(what.to_owned());
    }
    Ok(given)
}

/// Reads the file that an option names, if it is given.
fn file(name: Option<&String>) -> Result<Option<String>, String> {
    let read =
        |path: &String| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    name.map(read).transpose()
}

/// Returns the TLS settings with the client's certificate, or [`None`] for plaintext.
fn tls(given: &BTreeMap<String, String>) -> Result<Option<ClientTlsConfig>, String> {
    let Some(ca) = file(given.get("--ca"))? else { return Ok(None) };
    let mut tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca));
    if let Some(name) = given.get("--server-name") {
        tls = tls.domain_name(name);
    }
    let own = (file(given.get("--certificate"))?, file(given.get("--key"))?);
    if let (Some(certificate), Some(key)) = own {
        tls = tls.identity(Identity::from_pem(certificate, key));
    }
    Ok(Some(tls))
}

/// Returns a token as a header value that no log of a library shows.
fn bearer(token: &str) -> Result<MetadataValue<Ascii>, &'static str> {
    let mut value: MetadataValue<Ascii> =
        format!("Bearer {}", token.trim_end()).parse().map_err(|_| "--token-file: not a token")?;
    value.set_sensitive(true);
    Ok(value)
}

async fn run(given: &BTreeMap<String, String>) -> Result<(), Box<dyn Error>> {
    let option = |name: &str, or| given.get(name).map_or(or, String::as_str);
    let token = file(given.get("--token-file"))?.map(|text| bearer(&text)).transpose()?;
    let mut engine =
        Engine::new(option("--server", "localhost:50051"), tls(given)?.as_ref(), token)?;
    let table = option("--table", "rust");
    let round_no = option("--round", "1").parse().map_err(|error| format!("--round: {error}"))?;
    let wait = given.contains_key("--wait");
    match play(&mut engine, table, round_no, wait).await {
        Ok(transcript) => {
            let path = option("--transcript", "round.jsonl");
            Ok(std::fs::write(path, transcript)?)
        }
        Err(status) => Err(told(&status).into()),
    }
}

#[tokio::main]
async fn main() {
    let given = options().unwrap_or_else(|error| {
        eprintln!("play_round: {error}\n\n{USAGE}");
        std::process::exit(64)
    });
    if given.contains_key("--help") {
        println!("{USAGE}");
        return;
    }
    if let Err(error) = run(&given).await {
        eprintln!("play_round: {}", with_causes(error.to_string(), error.source()));
        std::process::exit(1);
    }
}
