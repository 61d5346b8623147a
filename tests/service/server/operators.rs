//! The questions of operators to a replica, and that the answers have nothing of other tenants.

use paigow::server::Stop;
use paigow_client::PaiGowServiceClient;
use paigow_proto::v1 as pb;
use tempfile::TempDir;
use tokio_stream::StreamExt as _;
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;
use tonic::{Code, Request, Status, Streaming};

use crate::server::certificates::Authority;
use crate::server::running::{RunningServer, deal, eventually, reason_and_fields, settle};

/// The placeholders of the hashes of the tokens `ours`, `theirs` and `table`.
const HASHES: [&str; 3] = ["OURS", "THEIRS", "TABLE"];

const TWO_TENANTS: &str = r#"
[[tenants]]
tenant = "dev"
jurisdiction = "nj"
[[tenants.clients]]
name = "dev-ops"
roles = ["ops"]
token_sha256 = "OURS"
[[tenants.clients]]
name = "dev-tables"
roles = ["table"]
token_sha256 = "TABLE"

[[tenants]]
tenant = "dev-locked"
[[tenants.clients]]
name = "locked-ops"
roles = ["ops", "table"]
token_sha256 = "THEIRS"
"#;

/// A server of two tenants with its evidence in files.
struct Watched {
    server: RunningServer,
    home: TempDir,
}

fn hash_of(token: &str) -> String {
    paigow_fairness::encoding::Hash::of(token.as_bytes()).to_string()
}

impl Watched {
    async fn start() -> Self {
        Self::with(TWO_TENANTS, "").await
    }

    async fn with(access: &str, settings: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let evidence = home.path().join("evidence");
        std::fs::create_dir(&evidence).unwrap();
        let file = home.path().join("access.toml");
        write_access(&home, access);
        let settings = format!(
            "{settings}\n[access]\nfile = {file:?}\n[evidence]\ntarget = \"file\"\n\
             directory = {evidence:?}\nfsync = \"never\"\n[telemetry]\ninstance = \"replica-7\"\n"
        );
        let server = RunningServer::on(&home.path().join("keys"), &settings).await;
        Self { server, home }
    }

    async fn client(&self) -> PaiGowServiceClient<Channel> {
        self.server.client().await
    }

    /// Everything that a list of open tickets has for the owner of a token.
    async fn tickets(&self, token: &str, age: i64) -> (Vec<pb::OpenTicket>, Vec<String>) {
        use pb::list_open_tickets_response::Item;
        let request = pb::ListOpenTicketsRequest { minimum_age_seconds: age };
        let answer = self.client().await.list_open_tickets(by(token, request)).await;
        let mut parts = answer.unwrap().into_inner();
        let first = parts.next().await.unwrap().unwrap().item;
        let Some(Item::Coverage(coverage)) = first else { panic!("{first:?}") };
        assert_eq!((coverage.complete_since_ms, coverage.files), (0, 1));
        assert_eq!(coverage.instance, "replica-7");
        let (mut open, mut closed) = (Vec::new(), Vec::new());
        while let Some(part) = parts.next().await {
            match part.unwrap().item.unwrap() {
                Item::Coverage(_) => panic!("covered once"),
                Item::Open(ticket) => open.push(ticket),
                Item::Closed(rounds) => closed.extend(rounds.round_ids),
            }
        }
        (open, closed)
    }

    async fn tail(
        &self,
        token: &str,
        past: i32,
        follow: bool,
    ) -> Streaming<pb::TailRefusalsResponse> {
        self.try_tail(token, past, follow).await.unwrap()
    }

    async fn try_tail(
        &self,
        token: &str,
        past: i32,
        follow: bool,
    ) -> Result<Streaming<pb::TailRefusalsResponse>, Status> {
        let request = by(token, pb::TailRefusalsRequest { past, follow });
        self.client().await.tail_refusals(request).await.map(tonic::Response::into_inner)
    }

    /// The refused calls that the owner of a token sees.
    async fn refusals(&self, token: &str) -> Vec<pb::RefusedCall> {
        let calls: Vec<_> = self.tail(token, 1000, false).await.collect().await;
        calls
            .into_iter()
            .map(|call: Result<pb::TailRefusalsResponse, _>| call.unwrap().call.unwrap())
            .collect()
    }

    async fn status(&self, token: &str) -> pb::GetStatusResponse {
        let answer = self.client().await.get_status(by(token, pb::GetStatusRequest {})).await;
        answer.unwrap().into_inner()
    }

    /// Makes a call of a table that is refused; `seat` is out of range.
    async fn refused(&self, token: &str) {
        let mut wrong = deal(1);
        if let Some(pb::deal_request::Wagers::Sheet(sheet)) = &mut wrong.wagers {
            sheet.wagers[0].seat = 99;
        }
        self.client().await.deal(by(token, wrong)).await.unwrap_err();
    }
}

fn write_access(home: &TempDir, text: &str) {
    let text = HASHES.iter().fold(text.to_owned(), |text, name| {
        text.replace(&format!("\"{name}\""), &format!("{:?}", hash_of(&name.to_lowercase())))
    });
    std::fs::write(home.path().join("access.toml"), text).unwrap();
}

fn by<M>(token: &str, message: M) -> Request<M> {
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
async fn a_replica_says_how_it_does() {
    let watched = Watched::start().await;
    let status = watched.status("ours").await;
    let engine = watched.client().await.get_engine(by("ours", pb::GetEngineRequest {})).await;
    let engine = engine.unwrap().into_inner();
    assert_eq!((&status.version, &status.git_revision), (&engine.version, &engine.git_revision));
    assert_eq!(status.executable_sha256, engine.executable_sha256);
    assert_eq!((&status.manifest, status.manifest_sequence), (&engine.manifest, 1));
    assert_eq!(status.instance, "replica-7");
    assert!(status.started_at > 1_700_000_000 && status.now >= status.started_at, "{status:?}");
    assert_eq!(status.obstacles, Vec::<i32>::new());
    let [epoch] = &status.epochs[..] else { panic!("{:?}", status.epochs) };
    assert!(epoch.held && epoch.open && epoch.epoch == 1, "{epoch:?}");
    let open = &engine.open_epochs[0];
    assert_eq!((epoch.open_from, epoch.open_until), (open.open_from, open.open_until));
    let [key] = &status.receipt_keys[..] else { panic!("{:?}", status.receipt_keys) };
    assert!(key.held && key.signs && !key.revoked && key.public_key.len() == 64, "{key:?}");
    let last = status.verification.unwrap();
    assert!(last.passed && last.time >= status.started_at, "{last:?}");
    let evidence = status.evidence.unwrap();
    assert_eq!(evidence.target(), pb::EvidenceTarget::File);
    assert!(evidence.fail_closed && evidence.failing_since_ms == 0, "{evidence:?}");
    assert_eq!((evidence.unacknowledged_losses, evidence.unshipped_files), (0, None));
    let name = "telemetry.instance = \"replica-7\"".to_owned();
    assert!(status.changed_settings.contains(&name), "{:?}", status.changed_settings);
}

#[tokio::test]
async fn a_switch_is_told_to_the_tenants_that_it_holds_for() {
    let watched = Watched::start().await;
    let switch = |name: &str, value: &str| {
        write_access(
            &watched.home,
            &format!("{TWO_TENANTS}\n[{name}]\nreason = \"a drill\"\n{value}\n"),
        );
    };
    for (name, value, scope, obstacle) in [
        ("halted", "engine = true", "engine", Some(pb::NewRoundsObstacle::Halted)),
        (
            "closed_to_new_rounds",
            "jurisdictions = [\"nj\"]",
            "jurisdiction",
            Some(pb::NewRoundsObstacle::ClosedToNewRounds),
        ),
        ("halted", "rulesets = [\"mikes\"]", "ruleset", None),
        ("halted", "tenants = [\"dev\"]", "tenant", Some(pb::NewRoundsObstacle::Halted)),
    ] {
        switch(name, value);
        // The file is watched; how soon it is read is not for a test to say.
        let status = eventually(async || {
            let status = watched.status("ours").await;
            status.switches.first().is_some_and(|one| one.scope == scope).then_some(status)
        })
        .await;
        let [one] = &status.switches[..] else { panic!("{:?}", status.switches) };
        assert_eq!((one.name.as_str(), one.reason.as_str()), (name, "a drill"));
        assert_eq!(one.rulesets.len(), usize::from(scope == "ruleset"));
        assert_eq!(
            status.obstacles().collect::<Vec<_>>(),
            obstacle.into_iter().collect::<Vec<_>>()
        );
    }
    // The last one names another tenant, whose reason only that tenant sees.
    let status = watched.status("theirs").await;
    assert_eq!((status.switches, status.obstacles), (vec![], vec![]));
}

#[tokio::test]
async fn open_tickets_are_those_of_the_callers_tenant_with_the_records_that_it_got() {
    let watched = Watched::start().await;
    let mut client = watched.client().await;
    let dealt = client.deal(by("table", deal(1))).await.unwrap().into_inner();
    let closed = client.deal(by("table", deal(2))).await.unwrap().into_inner();
    client.settle(by("table", settle(&closed))).await.unwrap();

    let (open, closed_rounds) = watched.tickets("ours", 0).await;
    let [ticket] = &open[..] else { panic!("{open:?}") };
    assert_eq!(closed_rounds, [closed.round_id]);
    assert_eq!(ticket.records, dealt.records);
    assert_eq!((&ticket.round_id, ticket.dealt), (&dealt.round_id, true));
    assert_eq!((ticket.tenant.as_str(), ticket.table.as_str()), ("dev", "t1"));
    assert_eq!((ticket.round_no, ticket.epoch), (1, 1));
    assert!(ticket.opened_at_ms > 1_700_000_000_000, "{ticket:?}");
    // An hour has not passed.
    assert_eq!(watched.tickets("ours", 3600).await.0, []);
    assert_eq!(watched.tickets("theirs", 0).await, (vec![], vec![]));

    // An operator voids it; its table does not come back.
    let void = pb::VoidRoundRequest {
        records: ticket.records.clone(),
        reason: pb::VoidReason::Operator.into(),
        ..pb::VoidRoundRequest::default()
    };
    let refused = client.void_round(by("theirs", void.clone())).await.unwrap_err();
    assert_is(&refused, Code::PermissionDenied, "TENANT");
    client.void_round(by("ours", void)).await.unwrap();
    let (open, closed) = watched.tickets("ours", 0).await;
    assert_eq!((open, closed.len()), (vec![], 2));

    let request = pb::ListOpenTicketsRequest { minimum_age_seconds: -1 };
    let refused = client.list_open_tickets(by("ours", request)).await.unwrap_err();
    assert_is(&refused, Code::InvalidArgument, "NUMBER_RANGE");
}

#[tokio::test]
async fn evidence_that_is_in_no_files_has_no_tickets_to_list() {
    let server = RunningServer::with("").await;
    let mut client = server.client().await;
    let refused =
        client.list_open_tickets(pb::ListOpenTicketsRequest::default()).await.unwrap_err();
    assert_is(&refused, Code::FailedPrecondition, "EVIDENCE_NOT_IN_FILES");
    let status = client.get_status(pb::GetStatusRequest {}).await.unwrap().into_inner();
    assert_eq!(status.evidence.unwrap().target(), pb::EvidenceTarget::Off);
}

#[tokio::test]
async fn only_operators_ask_over_tls_and_tables_do_not() {
    let home = tempfile::tempdir().unwrap();
    let authority = Authority::new("authority");
    let [certificate, key] = authority.sign(&["localhost"]).write(home.path());
    write_access(&home, TWO_TENANTS);
    let access = home.path().join("access.toml");
    let settings = format!(
        "[tls]\ncertificate_file = {certificate:?}\nkey_file = {key:?}\n[access]\nfile = {access:?}\n"
    );
    let server = RunningServer::on(&home.path().join("keys"), &settings).await;
    let endpoint = Channel::from_shared(format!("https://{}", server.address)).unwrap();
    let channel = endpoint.tls_config(authority.trusted(None)).unwrap().connect().await.unwrap();
    let mut client = PaiGowServiceClient::new(channel);
    let tail = pb::TailRefusalsRequest { past: 10, follow: false };
    let list = pb::ListOpenTicketsRequest::default();
    for (token, code, reason) in [
        ("table", Code::PermissionDenied, "ROLE"),
        ("nobody", Code::Unauthenticated, "CREDENTIALS"),
    ] {
        let refused = client.get_status(by(token, pb::GetStatusRequest {})).await.unwrap_err();
        assert_is(&refused, code, reason);
        let refused = client.list_open_tickets(by(token, list)).await.unwrap_err();
        assert_is(&refused, code, reason);
        let refused = client.tail_refusals(by(token, tail)).await.unwrap_err();
        assert_is(&refused, code, reason);
    }
    client.get_status(by("ours", pb::GetStatusRequest {})).await.unwrap();
    let told: Vec<_> =
        client.tail_refusals(by("ours", tail)).await.unwrap().into_inner().collect().await;
    assert_eq!(told.len(), 3, "{told:?}");
}

#[tokio::test]
async fn a_refused_call_is_told_to_its_tenant_alone_and_an_unknown_callers_to_a_sole_tenant() {
    let watched = Watched::start().await;
    watched.refused("table").await;
    watched.refused("nobody").await;
    let told = watched.refusals("ours").await;
    let [call] = &told[..] else { panic!("{told:?}") };
    assert!(call.time_ms > 1_700_000_000_000 && !call.request_id.is_empty(), "{call:?}");
    let facts = [
        &call.method,
        &call.code,
        &call.reason,
        &call.field,
        &call.tenant,
        &call.client,
        &call.peer,
    ];
    let expected = [
        "paigow.v1.PaiGowService/Deal",
        "INVALID_ARGUMENT",
        "SEAT",
        "sheet.wagers[0].seat",
        "dev",
        "dev-tables",
        "127.0.0.1",
    ];
    assert_eq!(facts, expected);
    assert_eq!(watched.refusals("theirs").await, []);

    let one = TWO_TENANTS.split("[[tenants]]\ntenant = \"dev-locked\"").next().unwrap();
    let watched = Watched::with(one, "").await;
    watched.refused("table").await;
    watched.refused("nobody").await;
    let told = watched.refusals("ours").await;
    let reasons: Vec<&str> = told.iter().map(|call| call.reason.as_str()).collect();
    assert_eq!(reasons, ["SEAT", "CREDENTIALS"]);
    assert_eq!((told[1].tenant.as_str(), told[1].client.as_str()), ("", ""));
}

#[tokio::test]
async fn a_stream_that_follows_gets_what_comes_and_ends_with_the_drain() {
    let mut watched = Watched::with(TWO_TENANTS, "drain_ms = 300000").await;
    watched.refused("table").await;
    let mut tail = watched.tail("ours", 0, true).await;
    let mut with_past = watched.tail("ours", 5, true).await;
    assert_eq!(with_past.next().await.unwrap().unwrap().call.unwrap().reason, "SEAT");
    // Nothing of another tenant comes between.
    watched.refused("theirs").await;
    let void = by("table", pb::VoidRoundRequest::default());
    watched.client().await.void_round(void).await.unwrap_err();
    for stream in [&mut tail, &mut with_past] {
        let next = stream.next().await.unwrap().unwrap();
        assert_eq!(next.missed, 0);
        assert_eq!(next.call.unwrap().method, "paigow.v1.PaiGowService/VoidRound");
    }
    watched.server.stop(Stop::Terminated);
    assert!(tail.next().await.is_none());
    assert!(with_past.next().await.is_none());
    // Calls are still answered.
    let status = watched.status("ours").await;
    assert_eq!(status.obstacles, [i32::from(pb::NewRoundsObstacle::Draining)]);
}

#[tokio::test]
async fn a_stream_that_follows_ends_well_before_its_time_is_over() {
    let watched = Watched::with(TWO_TENANTS, "audit_stream_timeout_ms = 1500").await;
    let mut tail = watched.tail("ours", 0, true).await;
    assert!(tail.next().await.is_none());
    assert_eq!(watched.refusals("ours").await, []);
}

#[tokio::test]
async fn the_last_thousand_are_remembered_and_few_streams_follow() {
    let watched = Watched::start().await;
    let mut client = watched.client().await;
    for _ in 0..1003 {
        client.void_round(by("table", pb::VoidRoundRequest::default())).await.unwrap_err();
    }
    watched.refused("table").await;
    let told = watched.refusals("ours").await;
    assert_eq!(told.len(), 1000);
    assert_eq!(told[999].reason, "SEAT");
    assert!(told[..999].iter().all(|call| call.method.ends_with("/VoidRound")));

    let mut following = Vec::new();
    for _ in 0..4 {
        following.push(watched.tail("ours", 0, true).await);
    }
    let refused = watched.try_tail("ours", 0, true).await.unwrap_err();
    assert_is(&refused, Code::ResourceExhausted, "TENANT_CONCURRENCY");
    // One that does not follow takes no place, and another tenant has its own.
    watched.tail("ours", 1, false).await;
    watched.tail("theirs", 0, true).await;
    following.pop();
    eventually(async || watched.try_tail("ours", 0, true).await.ok()).await;
    for past in [-1, 1001] {
        let refused = watched.try_tail("ours", past, false).await.unwrap_err();
        assert_is(&refused, Code::InvalidArgument, "NUMBER_RANGE");
    }
}
