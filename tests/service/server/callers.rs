//! Which callers are accepted, over real handshakes: certificates, tokens, roles, tenants, limits.

mod disagreement;
mod resumption;

use std::path::Path;

use paigow::rpc::Method;
use paigow_client::PaiGowServiceClient;
use paigow_proto::v1 as pb;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tonic::metadata::MetadataValue;
use tonic::transport::{Channel, ClientTlsConfig};
use tonic::{Code, Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt as _;

use crate::server::certificates::{Authority, Signed};
use crate::server::running::{RunningServer, deal, eventually, reason_and_fields, settle};

/// SHA-256 of `the auditor's token`, by `printf "the auditor's token" | sha256sum`.
const TOKEN_HASH: &str = "ec92ec3f5b52012b08907464449641c8bddec4af3c924ca3fad521ed437214fb";

const ACCESS: &str = r#"
[[tenants]]
tenant = "dev"
[[tenants.clients]]
name = "dev-tables"
roles = ["table"]
certificate = "tables.dev.example"
[[tenants.clients]]
name = "dev-ops"
roles = ["ops"]
certificate = "spiffe://example/ops"
[[tenants.clients]]
name = "dev-audit"
roles = ["auditor"]
token_sha256 = "TOKENHASH"

[[tenants]]
tenant = "dev-locked"
[[tenants.clients]]
name = "locked-tables"
roles = ["table"]
certificate = "tables.locked.example"
"#;

/// A server with TLS, the authority of its callers, and the folder of its files.
struct Guarded {
    server: RunningServer,
    authority: Authority,
    home: TempDir,
}

impl Guarded {
    async fn with(client_certificates: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let authority = Authority::new("test authority");
        let [certificate, key] = authority.sign(&["localhost"]).write(home.path());
        let ca = home.path().join("ca.pem");
        std::fs::write(&ca, &authority.pem).unwrap();
        let access = write_access(home.path(), ACCESS);
        let settings = format!(
            "[tls]\ncertificate_file = {certificate:?}\nkey_file = {key:?}\n\
             client_ca_file = {ca:?}\nclient_certificates = {client_certificates:?}\n\
             [access]\nfile = {access:?}\n"
        );
        let server = RunningServer::on(&home.path().join("keys"), &settings).await;
        Self { server, authority, home }
    }

    async fn connect(&self, tls: ClientTlsConfig) -> Result<Channel, tonic::transport::Error> {
        let endpoint = Channel::from_shared(format!("https://{}", self.server.address)).unwrap();
        endpoint.tls_config(tls)?.connect().await
    }

    /// A client with a certificate of the right authority, or with none.
    async fn client(&self, own: Option<&Signed>) -> PaiGowServiceClient<Channel> {
        let channel = self.connect(self.authority.trusted(own)).await.unwrap();
        PaiGowServiceClient::new(channel).max_decoding_message_size(1 << 26)
    }

    async fn named(&self, name: &str) -> PaiGowServiceClient<Channel> {
        self.client(Some(&self.authority.sign(&[name]))).await
    }

    /// Returns the status that a caller with this certificate gets instead of an answer. The
    /// handshake may fail, or with TLS 1.3 the first call.
    async fn outside(&self, tls: ClientTlsConfig) -> Option<Status> {
        let status = match self.connect(tls).await {
            Err(_) => None,
            Ok(channel) => {
                let mut client = PaiGowServiceClient::new(channel);
                Some(client.get_engine(pb::GetEngineRequest::default()).await.unwrap_err())
            }
        };
        self.answers().await;
        status
    }

    /// Checks that it answers an accepted caller: a dead server accepts no caller either.
    async fn answers(&self) {
        let mut client = self.named("tables.dev.example").await;
        client.get_engine(pb::GetEngineRequest::default()).await.unwrap();
    }
}

fn write_access(folder: &Path, text: &str) -> std::path::PathBuf {
    let path = folder.join("access.toml");
    std::fs::write(&path, text.replace("TOKENHASH", TOKEN_HASH)).unwrap();
    path
}

fn with_token<M>(message: M, token: &str) -> Request<M> {
    let mut request = Request::new(message);
    let value: MetadataValue<_> = format!("Bearer {token}").parse().unwrap();
    request.metadata_mut().insert("authorization", value);
    request
}

#[track_caller]
fn assert_is(status: &Status, code: Code, reason: &str) {
    assert_eq!((status.code(), reason_and_fields(status).0.as_str()), (code, reason));
}

#[tokio::test]
async fn the_right_certificate_plays_a_round() {
    let guarded = Guarded::with("required").await;
    let mut client = guarded.named("tables.dev.example").await;
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    client.settle(settle(&dealt)).await.unwrap();
    let engine = client.get_engine(pb::GetEngineRequest::default()).await.unwrap().into_inner();
    assert_eq!(engine.tenant, "dev");
}

#[tokio::test]
async fn a_certificate_of_another_authority_an_expired_one_and_none_get_no_connection() {
    let guarded = Guarded::with("required").await;
    let stranger = Authority::new("another authority").sign(&["tables.dev.example"]);
    let expired = guarded.authority.sign_until(&["tables.dev.example"], 2021);
    for own in [Some(&stranger), Some(&expired), None] {
        let outside = guarded.outside(guarded.authority.trusted(own)).await;
        // It is the transport that fails: no status of ours, and nothing of the service.
        if let Some(status) = outside {
            assert!(status.get_details_error_info().is_none(), "{status:?}");
            let codes = [Code::Unavailable, Code::Unknown, Code::Cancelled];
            assert!(codes.contains(&status.code()), "{status:?}");
        }
    }
    // The server still works.
    guarded.named("tables.dev.example").await.deal(deal(1)).await.unwrap();
}

#[tokio::test]
async fn a_server_that_the_caller_does_not_trust_is_not_called() {
    let guarded = Guarded::with("optional").await;
    let other = Authority::new("another authority");
    assert!(guarded.connect(other.trusted(None)).await.is_err());
    let plain = Channel::from_shared(format!("http://{}", guarded.server.address)).unwrap();
    match plain.connect().await {
        Err(_) => {}
        Ok(channel) => {
            let mut client = PaiGowServiceClient::new(channel);
            let status = client.get_engine(pb::GetEngineRequest::default()).await.unwrap_err();
            assert!(status.get_details_error_info().is_none());
        }
    }
    guarded.answers().await;
}

#[tokio::test]
async fn a_known_authority_does_not_make_a_known_caller() {
    let guarded = Guarded::with("optional").await;
    let unknown = guarded.authority.sign(&["nobody.example"]);
    for own in [Some(&unknown), None] {
        let mut client = guarded.client(own).await;
        let status = client.deal(deal(1)).await.unwrap_err();
        assert_is(&status, Code::Unauthenticated, "CREDENTIALS");
        let status = client.deal(with_token(deal(1), "a guess")).await.unwrap_err();
        assert_is(&status, Code::Unauthenticated, "CREDENTIALS");
    }
    // A probe has no name, and gets an answer.
    let channel = guarded.connect(guarded.authority.trusted(None)).await.unwrap();
    HealthClient::new(channel).check(HealthCheckRequest::default()).await.unwrap();
}

#[tokio::test]
async fn a_round_of_one_tenant_is_nothing_to_another() {
    let guarded = Guarded::with("required").await;
    let mut ours = guarded.named("tables.dev.example").await;
    let mut theirs = guarded.named("tables.locked.example").await;
    let dealt = ours.deal(deal(1)).await.unwrap().into_inner();
    let status = theirs.settle(settle(&dealt)).await.unwrap_err();
    assert_is(&status, Code::PermissionDenied, "TENANT");
    ours.settle(settle(&dealt)).await.unwrap();
}

#[tokio::test]
async fn each_role_calls_what_is_its_own() {
    let guarded = Guarded::with("optional").await;
    let mut table = guarded.named("tables.dev.example").await;
    let mut ops = guarded.named("spiffe://example/ops").await;
    let mut nobody = guarded.client(None).await;
    let audit = || pb::AuditRequest {
        subject: Some(pb::audit_request::Subject::Transcript(Vec::new())),
        ..pb::AuditRequest::default()
    };
    let token = "the auditor's token";

    let status = table.audit(audit()).await.unwrap_err();
    assert_is(&status, Code::PermissionDenied, "ROLE");
    let status = table.verify_engine(pb::VerifyEngineRequest {}).await.unwrap_err();
    assert_is(&status, Code::PermissionDenied, "ROLE");
    let status = ops.deal(deal(1)).await.unwrap_err();
    assert_is(&status, Code::PermissionDenied, "ROLE");
    let status = nobody.deal(with_token(deal(1), token)).await.unwrap_err();
    assert_is(&status, Code::PermissionDenied, "ROLE");

    // The auditor gets as far as the transcript, in which there is nothing.
    let status = nobody.audit(with_token(audit(), token)).await.unwrap_err();
    assert_is(&status, Code::InvalidArgument, "TRANSCRIPT");
    let verified = ops.verify_engine(pb::VerifyEngineRequest {}).await.unwrap().into_inner();
    assert!(verified.passed && !verified.checks.is_empty(), "{verified:?}");
    for client in [&mut table, &mut ops] {
        client.get_engine(pb::GetEngineRequest::default()).await.unwrap();
    }
}

#[tokio::test]
async fn the_operators_limits_hold_for_new_rounds_and_not_for_open_ones() {
    let guarded = Guarded::with("required").await;
    let mut client = guarded.named("tables.dev.example").await;
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    let open = |round_no| match deal(round_no).start {
        Some(pb::deal_request::Start::Open(open)) => open,
        Some(pb::deal_request::Start::Ticket(_)) | None => panic!("opened inline"),
    };
    let start = Some(pb::deal_request::Start::Ticket(dealt.records[0].clone()));
    let ticket = pb::DealRequest { start, wagers: deal(1).wagers, beacon_signature: String::new() };
    let tenant = "tenant = \"dev\"\n";
    for (own, switch, value, scope) in [
        (
            "jurisdiction = \"nj\"\n",
            "closed_to_new_rounds",
            "jurisdictions = [\"nj\"]",
            "jurisdiction",
        ),
        ("", "closed_to_new_rounds", "engine = true", "engine"),
        ("", "closed_to_new_rounds", "tenants = [\"dev\"]", "tenant"),
        ("", "closed_to_new_rounds", "rulesets = [\"mikes\"]", "ruleset"),
        ("jurisdiction = \"nj\"\n", "halted", "jurisdictions = [\"nj\"]", "jurisdiction"),
        ("", "halted", "engine = true", "engine"),
        ("", "halted", "tenants = [\"dev\"]", "tenant"),
        ("", "halted", "rulesets = [\"mikes\"]", "ruleset"),
        ("rulesets = [\"online\"]\n", "", "", "RULESET_NOT_ALLOWED"),
        ("currencies = [\"EUR\"]\n", "", "", "CURRENCY_NOT_ALLOWED"),
    ] {
        // A table of TOML may not stand inside another: switches go to the end.
        let text = ACCESS.replacen(tenant, &format!("{tenant}{own}"), 1);
        let text = match switch {
            "" => text,
            switch => format!("{text}\n[{switch}]\nreason = \"a drill\"\n{value}\n"),
        };
        let (code, reason) = match switch {
            "" => (Code::PermissionDenied, scope.to_owned()),
            switch => (Code::FailedPrecondition, switch.to_uppercase()),
        };
        write_access(guarded.home.path(), &text);
        // The file is watched; how soon it is read is not for a test to say.
        let status = eventually(async || {
            let status = client.deal(deal(2)).await.err()?;
            let info = status.get_details_error_info()?;
            let told = info.metadata.get("scope").map_or("", String::as_str);
            let is_told = switch.is_empty() || told == scope;
            (info.reason == reason && is_told).then_some(status)
        })
        .await;
        assert_is(&status, code, &reason);
        assert_eq!(status.message().contains("a drill"), !switch.is_empty(), "{status:?}");
        let opened = client.open_round(open(2)).await;
        assert_eq!(opened.is_err(), reason != "CURRENCY_NOT_ALLOWED", "{reason}");
        // A round that was opened is dealt while new rounds are closed, and only then.
        let again = client.deal(ticket.clone()).await;
        assert_eq!(again.is_ok(), switch == "closed_to_new_rounds", "{reason}");
        client.settle(settle(&dealt)).await.unwrap();
        let void = pb::VoidRoundRequest {
            records: dealt.records[..1].to_vec(),
            reason: pb::VoidReason::Operator.into(),
            ..pb::VoidRoundRequest::default()
        };
        client.void_round(void).await.unwrap();
        let ruleset = pb::GetRulesetRequest { ruleset: "mikes".to_owned() };
        let told = client.get_ruleset(ruleset).await;
        if reason != "RULESET_NOT_ALLOWED" {
            let told = told.unwrap().into_inner().ruleset.unwrap();
            assert_eq!(told.open_for_new_rounds, switch.is_empty(), "{reason}");
        }
    }
    write_access(guarded.home.path(), ACCESS);
    eventually(async || client.deal(deal(1)).await.ok()).await;
}

#[tokio::test]
async fn a_tenant_that_calls_too_often_is_told_when_to_come_back() {
    let home = tempfile::tempdir().unwrap();
    let limits = "tenant = \"dev\"\ncalls_per_second = 1\nburst = 2\n";
    let access = write_access(home.path(), &ACCESS.replacen("tenant = \"dev\"\n", limits, 1));
    let settings = format!("[access]\nfile = {access:?}\n");
    let server = RunningServer::on(&home.path().join("keys"), &settings).await;
    let mut client = server.client().await;
    let token = "the auditor's token";
    let mut ask =
        async || client.get_engine(with_token(pb::GetEngineRequest::default(), token)).await;
    // However slow this machine is, two calls in one second come about.
    let status = eventually(async || ask().await.err()).await;
    assert_is(&status, Code::ResourceExhausted, "TENANT_RATE");
    let pause = status.get_details_retry_info().unwrap().retry_delay.unwrap();
    assert!(pause.as_millis() > 0 && pause.as_secs() <= 1, "{pause:?}");
    let pushback = status.metadata().get("grpc-retry-pushback-ms").unwrap();
    assert_eq!(pushback.to_str().unwrap(), pause.as_millis().to_string());
}

#[tokio::test]
async fn a_tenant_with_too_many_calls_open_is_told_so_and_one_that_ends_makes_room() {
    let home = tempfile::tempdir().unwrap();
    let limits = "tenant = \"dev\"\nconcurrent_calls = 1\n";
    let access = write_access(home.path(), &ACCESS.replacen("tenant = \"dev\"\n", limits, 1));
    let settings = format!("[access]\nfile = {access:?}\n");
    let server = RunningServer::on(&home.path().join("keys"), &settings).await;
    let token = "the auditor's token";
    // A stream of audits that asks nothing and does not end.
    let (open, requests) = tokio::sync::mpsc::channel::<pb::AuditStreamRequest>(1);
    let requests = tokio_stream::wrappers::ReceiverStream::new(requests);
    let mut first = server.client().await;
    let stream = first.audit_stream(with_token(requests, token)).await.unwrap();
    let mut second = server.client().await;
    let status =
        second.get_engine(with_token(pb::GetEngineRequest::default(), token)).await.unwrap_err();
    assert_is(&status, Code::ResourceExhausted, "TENANT_CONCURRENCY");
    assert!(status.get_details_retry_info().unwrap().retry_delay.is_some());
    drop((open, stream));
    eventually(async || {
        second.get_engine(with_token(pb::GetEngineRequest::default(), token)).await.ok()
    })
    .await;
}

#[tokio::test]
async fn every_method_but_those_of_its_role_is_closed_to_a_caller() {
    let guarded = Guarded::with("optional").await;
    let channel = guarded.connect(guarded.authority.trusted(None)).await.unwrap();
    let tables = guarded
        .connect(guarded.authority.trusted(Some(&guarded.authority.sign(&["tables.dev.example"]))));
    let ops = guarded.connect(
        guarded.authority.trusted(Some(&guarded.authority.sign(&["spiffe://example/ops"]))),
    );
    let of_tables = [
        "OpenRound",
        "Deal",
        "SetHouseWay",
        "EvaluateHands",
        "WeighSettings",
        "Settle",
        "VoidRound",
        "PrepareOpen",
        "PrepareDeal",
        "PrepareSettle",
        "PrepareVoid",
    ];
    let of_operators = [
        "VoidRound",
        "PrepareVoid",
        "VerifyEngine",
        "GetStatus",
        "ListOpenTickets",
        "TailRefusals",
    ];
    let callers = [
        (tables.await.unwrap(), None, of_tables.to_vec()),
        (ops.await.unwrap(), None, of_operators.to_vec()),
        (channel, Some("the auditor's token"), vec!["Audit", "AuditStream"]),
    ];
    let public = ["GetEngine", "ListManifests", "ListRulesets", "GetRuleset", "ListHouseWays"];
    for (channel, token, own) in callers {
        for method in Method::ALL {
            let mut grpc = tonic::client::Grpc::new(channel.clone());
            grpc.ready().await.unwrap();
            let codec =
                tonic_prost::ProstCodec::<pb::GetEngineRequest, pb::GetEngineRequest>::default();
            let ask = pb::GetEngineRequest::default();
            let request = token.map_or_else(|| Request::new(ask), |token| with_token(ask, token));
            let answer = grpc.unary(request, method.path().parse().unwrap(), codec).await;
            let reason = answer.err().and_then(|status| status.get_details_error_info());
            let is_closed = reason.is_some_and(|info| info.reason == "ROLE");
            let may = own.contains(&method.name()) || public.contains(&method.name());
            assert_eq!(is_closed, !may, "{} for those who may {own:?}", method.name());
        }
    }
}

#[tokio::test]
async fn certificates_that_are_asked_for_and_not_needed_are_checked_all_the_same() {
    let guarded = Guarded::with("optional").await;
    let stranger = Authority::new("another authority").sign(&["tables.dev.example"]);
    let expired = guarded.authority.sign_until(&["tables.dev.example"], 2021);
    for own in [&stranger, &expired] {
        let outside = guarded.outside(guarded.authority.trusted(Some(own))).await;
        assert!(outside.is_none_or(|status| status.get_details_error_info().is_none()));
    }
}

#[tokio::test]
async fn a_connection_that_is_old_is_told_to_go_and_loses_no_call() {
    let server = RunningServer::with("max_connection_age_s = 1").await;
    let tcp = TcpStream::connect(server.address).await.unwrap();
    let (_calls, connection) = h2::client::handshake(tcp).await.unwrap();
    // It gets a GOAWAY with NO_ERROR, and is then closed: that is not an error.
    let ended = tokio::time::timeout(std::time::Duration::from_secs(60), connection).await;
    ended.expect("it is told to go").unwrap();
    // The client then reconnects, and its calls do not notice.
    let mut client = server.client().await;
    for round in 1..=3 {
        client.deal(deal(round)).await.unwrap();
    }
}

#[tokio::test]
async fn certificates_are_read_again_without_a_connection_lost() {
    let guarded = Guarded::with("required").await;
    let mut before = guarded.named("tables.dev.example").await;
    before.deal(deal(1)).await.unwrap();
    // Another authority signs the next certificate: only a client that trusts it notices.
    let next = Authority::new("the next authority");
    let own = guarded.authority.sign(&["tables.dev.example"]);
    next.sign(&["localhost"]).write(guarded.home.path());
    let connected = async || guarded.connect(next.trusted(Some(&own))).await.ok();
    let channel = eventually(connected).await;
    PaiGowServiceClient::new(channel).deal(deal(3)).await.unwrap();
    before.deal(deal(4)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lab_plays_over_tls_by_certificate_and_by_token() {
    let guarded = Guarded::with("optional").await;
    let own = guarded.authority.sign(&["tables.dev.example"]);
    let folder = guarded.home.path();
    std::fs::write(folder.join("own.pem"), &own.certificate).unwrap();
    std::fs::write(folder.join("own.key"), &own.key).unwrap();
    std::fs::write(folder.join("token"), "the auditor's token\n").unwrap();
    let play = |credentials: &[&str]| {
        let output = std::process::Command::new(paigow_testkit::programs::lab())
            .current_dir(folder)
            .args(["play", "--quiet", "--ca", "ca.pem", "--ruleset", "mikes", "--server"])
            .arg(format!("https://localhost:{}", guarded.server.address.port()))
            .args(credentials)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(play(&["--certificate", "own.pem", "--key", "own.key"]), (Some(0), String::new()));
    let (status, told) = play(&["--token-file", "token"]);
    assert_ne!(status, Some(0));
    assert!(told.contains("ROLE"), "an auditor does not play: {told}");
    let (status, told) = play(&[]);
    assert_ne!(status, Some(0));
    assert!(told.contains("CREDENTIALS"), "{told}");
}

/// Returns the ids of the rulesets that a caller with this access sees, and of those that are open for
/// new rounds.
async fn rulesets_told(access: &str) -> (Vec<String>, Vec<String>) {
    let home = tempfile::tempdir().unwrap();
    let access = write_access(home.path(), access);
    let settings = format!("[access]\nfile = {access:?}\n");
    let server = RunningServer::on(&home.path().join("keys"), &settings).await;
    let request = with_token(pb::ListRulesetsRequest::default(), "the auditor's token");
    let answer = server.client().await.list_rulesets(request).await.unwrap().into_inner();
    let id = |ruleset: &pb::Ruleset| ruleset.id.clone();
    let open = answer.rulesets.iter().filter(|ruleset| ruleset.open_for_new_rounds);
    (answer.rulesets.iter().map(id).collect(), open.map(id).collect())
}

#[tokio::test]
async fn a_caller_is_told_which_of_its_rulesets_are_open_for_new_rounds() {
    let access = |switches: &str, limits: &str| {
        format!(
            "{switches}\n[[tenants]]\ntenant = \"dev\"\n{limits}\n[[tenants.clients]]\n\
             name = \"one\"\nroles = [\"ops\"]\ntoken_sha256 = \"TOKENHASH\"\n"
        )
    };
    let two = "rulesets = [\"mikes\", \"express\"]";
    let ids = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
    let both = || ids(&["express", "mikes"]);
    assert_eq!(rulesets_told(&access("", two)).await, (both(), both()));
    let closed = "[halted]\nrulesets = [\"express\"]\nreason = \"maintenance\"";
    assert_eq!(rulesets_told(&access(closed, two)).await, (both(), ids(&["mikes"])));
    let (all, open) = rulesets_told(&access(closed, "")).await;
    assert_eq!(all.len(), paigow_rules::game::shipped().len());
    let but: Vec<String> = all.into_iter().filter(|id| id != "express").collect();
    assert_eq!(open, but);
    let shut = "[closed_to_new_rounds]\nengine = true\nreason = \"maintenance\"";
    assert_eq!(rulesets_told(&access(shut, two)).await, (both(), ids(&[])));
}
