//! The handlers: parse, compute, convert.
//!
//! A whole deal takes microseconds, so it is computed on the thread of the call. So is a round that
//! is replayed from its seed. The time of an audit grows with its transcript, and weighing the
//! settings of a hand takes milliseconds. Both run on threads that may block, on half of the
//! processors at most, so that they never delay play. Tenants take turns with them. An audit whose
//! caller no longer waits is abandoned.

use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::stream;
use tokio_stream::Stream;
use tonic::{Request, Response, Status, Streaming};
use zeroize::Zeroizing;

use super::admin::{self, AdminPlaces, Answers};
use super::service_stubs::pai_gow_service_server::PaiGowService;
use super::turns::Turns;
use super::{
    CallDeadline, Caller, LoadedEngine, Method, ServiceState, figures, status, verification,
};
use crate::capacity::CallBytes;
use crate::telemetry::span;
use paigow_evidence::{Event, Significant};
use paigow_proto::v1 as pb;
use paigow_round::audit::{self, AuditBudget, AuditTerms, UnfinishedAudit};
use paigow_round::{CallContext, NoEntropy, Refusal};
use paigow_wire::request::Subject;
use paigow_wire::{answer, request};

/// The service.
#[derive(Clone, Debug)]
pub struct PaiGow {
    state: Arc<ServiceState>,
    /// Where audits of transcripts and weighed hands wait for a processor.
    turns: Arc<Turns>,
    /// The places of operators' calls that last.
    admin: Arc<AdminPlaces>,
    limits: AuditLimits,
}

/// The limits of one audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditLimits {
    /// The most work of an audit of a transcript.
    pub budget: AuditBudget,
    /// How long a request of a stream may take from when it was read until its answer.
    pub time: Duration,
}

impl PaiGow {
    /// Makes the service that answers from `state`. By default audits have no limits.
    #[must_use]
    pub fn new(state: Arc<ServiceState>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let limits = AuditLimits { budget: AuditBudget::UNLIMITED, time: Duration::MAX };
        let turns = Turns::new((processors / 2).max(1));
        Self { state, turns, admin: Arc::default(), limits }
    }

    /// Limits each audit.
    #[must_use]
    pub fn with_audit_limits(self, limits: AuditLimits) -> Self {
        Self { limits, ..self }
    }

    /// Returns a caller in the form that the engine needs.
    fn call(&self, caller: &Caller) -> CallContext {
        let tenant = caller.client.tenant.tenant.clone();
        CallContext { tenant, now: (self.state.clock)(), permit: Arc::clone(&caller.permit) }
    }

    /// Draws the random bytes for one ticket of the fresh suite.
    fn draw(&self) -> Result<Zeroizing<[u8; 56]>, NoEntropy> {
        let mut bytes = Zeroizing::new([0; 56]);
        let drawn = (self.state.entropy)(bytes.as_mut_slice());
        if self.state.standing.set(|now| now.no_entropy = drawn.is_err()) && drawn.is_err() {
            self.state.tell(Event::new(Significant::EntropyFailed));
        }
        drawn.map(|()| bytes)
    }
}

impl PaiGow {
    /// Returns the engine's answer, or the status of its refusal.
    fn answered<A>(&self, answer: Result<A, Refusal>) -> Result<A, Status> {
        answer.map_err(|refusal| {
            self.state.note(&refusal);
            status::of_refusal(&refusal)
        })
    }
}

/// Returns the caller as a reader of rulesets.
fn reader(caller: &Caller) -> answer::RulesetReader<'_> {
    answer::RulesetReader { tenant: &caller.client.tenant.tenant, permit: &caller.permit }
}

/// How many audits of one stream are computed before other streams have their turn.
const AUDITS_AT_ONCE: u64 = 16;

impl PaiGow {
    /// Audits one request of `caller`. `place` is its place in a stream.
    async fn audit_one(
        &self,
        auditor: &AuditCaller,
        request: pb::AuditRequest,
        place: Option<u64>,
    ) -> Result<pb::AuditResponse, Status> {
        let under = |refusal: Refusal| match place {
            Some(place) => refusal.under(&format!("requests[{place}]")),
            None => refusal,
        };
        let world = self.state.world.load_full();
        let request::Audit { label, subject, terms } =
            self.answered(request::audit(request, &world.context.root).map_err(under))?;
        let answer = match subject {
            Subject::Transcript(text) => {
                self.audit_aside(auditor, label, text, terms, world, place).await?
            }
            Subject::Replay(replay) => {
                let replayed = audit::replay(&world.context.catalogue, &replay);
                let replayed =
                    self.answered(replayed.map_err(|refusal| under(refusal.under("replay"))))?;
                answer::replayed(label, &replay, &replayed, &terms.root)
            }
        };
        self.state.meters.audit(figures::verdict_name(answer.verdict()));
        Ok(answer)
    }

    /// Does long work on a thread that may block, when it is the turn of the caller's tenant. `held`
    /// are the bytes of the request, if they are counted. The work can ask whether the caller still
    /// waits.
    async fn aside<A: Send + 'static>(
        &self,
        caller: &Caller,
        held: Option<Arc<CallBytes>>,
        work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> A + Send + 'static,
    ) -> Result<A, Status> {
        let turn = self.turns.take(&caller.client.tenant.tenant).await;
        let wanted = CallerInterest::default();
        let is_wanted = Arc::clone(&wanted.0);
        let done = tokio::task::spawn_blocking(move || {
            // The place is free, and the bytes are given back, when the thread ends, not when the
            // caller leaves.
            let _until_the_end = (turn, held);
            work(&|| is_wanted.load(Ordering::Relaxed))
        });
        done.await.map_err(|_| {
            tracing::error!("a call panicked on its own thread");
            status::server_failed()
        })
    }

    /// Audits a transcript on a thread that may block.
    async fn audit_aside(
        &self,
        auditor: &AuditCaller,
        label: String,
        transcript: Vec<u8>,
        terms: AuditTerms,
        world: Arc<LoadedEngine>,
        place: Option<u64>,
    ) -> Result<pb::AuditResponse, Status> {
        let budget = self.limits.budget;
        let audit = move |is_wanted: &(dyn Fn() -> bool + Sync)| {
            let catalogue = &world.context.catalogue;
            audit::audit_within(budget, is_wanted, &transcript, &terms, catalogue)
                .map(|report| answer::audited(label, &report, &terms))
        };
        let answer = self.aside(&auditor.caller, auditor.held.clone(), audit).await?;
        answer.map_err(|unfinished| match unfinished {
            UnfinishedAudit::GivenUp => status::given_up(),
            UnfinishedAudit::OverBudget { work, counted, maximum } => {
                let status = status::audit_work(work, counted, maximum);
                match place {
                    Some(place) => status::in_stream(status, place),
                    None => status,
                }
            }
        })
    }
}

/// A caller that audits.
#[derive(Clone, Debug)]
struct AuditCaller {
    caller: Caller,
    /// The bytes of its requests, where the server counts them.
    held: Option<Arc<CallBytes>>,
}

impl AuditCaller {
    fn of<T>(request: &Request<T>) -> Result<Self, Status> {
        let held = request.extensions().get::<Arc<CallBytes>>().cloned();
        Ok(Self { caller: Caller::of(request)?, held })
    }
}

/// Whether the caller still waits for the answer. It is dropped when the caller disconnects or
/// its deadline passes; the thread of the audit polls it, as nothing can stop a thread.
#[derive(Debug)]
struct CallerInterest(Arc<AtomicBool>);

impl Default for CallerInterest {
    fn default() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }
}

impl Drop for CallerInterest {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[tonic::async_trait]
impl PaiGowService for PaiGow {
    async fn get_engine(
        &self,
        request: Request<pb::GetEngineRequest>,
    ) -> Result<Response<pb::GetEngineResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load();
        let (context, build, now) = (&world.context, &self.state.build, (self.state.clock)());
        let engine = answer::engine(context, world.rulesets(), build, reader(&caller), now);
        Ok(Response::new(engine))
    }

    async fn list_manifests(
        &self,
        request: Request<pb::ListManifestsRequest>,
    ) -> Result<Response<pb::ListManifestsResponse>, Status> {
        let page = self.answered(request::list_manifests(request.get_ref()))?;
        let world = self.state.world.load();
        Ok(Response::new(answer::manifests(&world.context, page)))
    }

    async fn list_rulesets(
        &self,
        request: Request<pb::ListRulesetsRequest>,
    ) -> Result<Response<pb::ListRulesetsResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load();
        let page = request::list_rulesets(request.get_ref())
            .and_then(|page| world.rulesets().list(&world.context, reader(&caller), page));
        Ok(Response::new(self.answered(page)?))
    }

    async fn get_ruleset(
        &self,
        request: Request<pb::GetRulesetRequest>,
    ) -> Result<Response<pb::GetRulesetResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load();
        let ruleset = request::get_ruleset(request.get_ref())
            .and_then(|name| world.rulesets().get(&world.context, reader(&caller), &name));
        Ok(Response::new(self.answered(ruleset)?))
    }

    async fn list_house_ways(
        &self,
        _: Request<pb::ListHouseWaysRequest>,
    ) -> Result<Response<pb::ListHouseWaysResponse>, Status> {
        Ok(Response::new(answer::house_ways(&self.state.world.load().context)))
    }

    async fn open_round(
        &self,
        request: Request<pb::OpenRoundRequest>,
    ) -> Result<Response<pb::OpenRoundResponse>, Status> {
        let caller = Caller::of(&request)?;
        self.state.standing.pass()?;
        let world = self.state.world.load_full();
        let LoadedEngine { context, keys, .. } = &*world;
        let opened = request::open_round(request.get_ref()).and_then(|open| {
            paigow_engine::open_round(context, keys, &self.call(&caller), &open, &mut || {
                self.draw()
            })
        });
        let answer = self.answered(opened)?;
        let records = std::slice::from_ref(&answer.ticket);
        self.state.keep(Method::OpenRound, &caller, answer.round_id, records, 0).await?;
        Ok(Response::new(answer::opened(answer)))
    }

    async fn deal(
        &self,
        request: Request<pb::DealRequest>,
    ) -> Result<Response<pb::DealResponse>, Status> {
        let caller = Caller::of(&request)?;
        self.state.standing.pass()?;
        let world = self.state.world.load_full();
        let LoadedEngine { context, keys, .. } = &*world;
        let dealt = request::deal(request.get_ref()).and_then(|deal| {
            paigow_engine::deal(context, keys, &self.call(&caller), &deal, &mut || self.draw())
        });
        let answer = self.answered(dealt)?;
        let ticket = matches!(request.get_ref().start, Some(pb::deal_request::Start::Ticket(_)));
        let brought = usize::from(ticket);
        self.state.keep(Method::Deal, &caller, answer.round_id, &answer.records, brought).await?;
        figures::dealt(&self.state, &context.catalogue, &answer);
        Ok(Response::new(answer::dealt(answer)))
    }

    async fn set_house_way(
        &self,
        request: Request<pb::SetHouseWayRequest>,
    ) -> Result<Response<pb::SetHouseWayResponse>, Status> {
        let world = self.state.world.load();
        let context = &world.context;
        let set = request::set_house_way(request.get_ref())
            .and_then(|hands| context.set_house_way(&hands));
        let hands = self.answered(set)?;
        figures::set(&self.state, &context.catalogue, &hands);
        Ok(Response::new(answer::settings(&hands)))
    }

    async fn evaluate_hands(
        &self,
        request: Request<pb::EvaluateHandsRequest>,
    ) -> Result<Response<pb::EvaluateHandsResponse>, Status> {
        let world = self.state.world.load();
        let evaluated = request::evaluate_hands(request.get_ref())
            .and_then(|hands| world.context.evaluate_hands(&hands));
        Ok(Response::new(answer::evaluated(&self.answered(evaluated)?)))
    }

    async fn weigh_settings(
        &self,
        request: Request<pb::WeighSettingsRequest>,
    ) -> Result<Response<pb::WeighSettingsResponse>, Status> {
        let caller = Caller::of(&request)?;
        let hand = self.answered(request::weigh_settings(request.get_ref()))?;
        let world = self.state.world.load_full();
        let weigh = move |_: &(dyn Fn() -> bool + Sync)| world.context.weigh_settings(&hand);
        let weighed = self.aside(&caller, None, weigh).await?;
        Ok(Response::new(answer::weighed(&self.answered(weighed)?)))
    }

    async fn settle(
        &self,
        request: Request<pb::SettleRequest>,
    ) -> Result<Response<pb::SettleResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load_full();
        let LoadedEngine { context, keys, .. } = &*world;
        let settled = request::settle(request.get_ref())
            .and_then(|settle| paigow_engine::settle(context, keys, &self.call(&caller), &settle));
        let answer = self.answered(settled)?;
        self.state.keep(Method::Settle, &caller, answer.round_id, &answer.records, 0).await?;
        let tenant = caller.client.tenant.tenant.as_str();
        figures::settled(&self.state, context, tenant, &answer);
        Ok(Response::new(answer::settled(answer)))
    }

    async fn void_round(
        &self,
        request: Request<pb::VoidRoundRequest>,
    ) -> Result<Response<pb::VoidRoundResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load_full();
        let LoadedEngine { context, keys, .. } = &*world;
        let voided = request::void_round(request.get_ref())
            .and_then(|void| paigow_engine::void_round(context, keys, &self.call(&caller), &void));
        let answer = self.answered(voided)?;
        let records: Vec<_> = answer.undealt.iter().chain(&answer.records).cloned().collect();
        self.state.keep(Method::VoidRound, &caller, answer.round_id, &records, 0).await?;
        let tenant = caller.client.tenant.tenant.as_str();
        figures::voided(&self.state, context, tenant, &answer);
        Ok(Response::new(answer::voided(answer)))
    }

    async fn prepare_open(
        &self,
        request: Request<pb::PrepareOpenRequest>,
    ) -> Result<Response<pb::PrepareOpenResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load();
        let LoadedEngine { context, keys, .. } = &**world;
        let prepared = request::prepare_open(request.get_ref()).and_then(|open| {
            paigow_engine::prepare_open(context, keys, &self.call(&caller), &open)
                .map_err(|refusal| refusal.under("open"))
        });
        Ok(Response::new(answer::prepared_open(self.answered(prepared)?)))
    }

    async fn prepare_deal(
        &self,
        request: Request<pb::PrepareDealRequest>,
    ) -> Result<Response<pb::PrepareDealResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load();
        let LoadedEngine { context, keys, .. } = &**world;
        let prepared = request::prepare_deal(request.get_ref()).and_then(|deal| {
            paigow_engine::prepare_deal(context, keys, &self.call(&caller), &deal)
        });
        Ok(Response::new(answer::prepared_deal(&self.answered(prepared)?)))
    }

    async fn prepare_settle(
        &self,
        request: Request<pb::PrepareSettleRequest>,
    ) -> Result<Response<pb::PrepareSettleResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load();
        let LoadedEngine { context, keys, .. } = &**world;
        let prepared = request::prepare_settle(request.get_ref()).and_then(|settle| {
            paigow_engine::prepare_settle(context, keys, &self.call(&caller), &settle)
        });
        Ok(Response::new(answer::prepared_settle(&self.answered(prepared)?)))
    }

    async fn prepare_void(
        &self,
        request: Request<pb::PrepareVoidRequest>,
    ) -> Result<Response<pb::PrepareVoidResponse>, Status> {
        let caller = Caller::of(&request)?;
        let world = self.state.world.load();
        let LoadedEngine { context, keys, .. } = &**world;
        let prepared = request::prepare_void(request.into_inner()).and_then(|void| {
            paigow_engine::prepare_void(context, keys, &self.call(&caller), &void)
        });
        Ok(Response::new(answer::prepared_void(&self.answered(prepared)?)))
    }

    async fn audit(
        &self,
        request: Request<pb::AuditRequest>,
    ) -> Result<Response<pb::AuditResponse>, Status> {
        let auditor = AuditCaller::of(&request)?;
        let answer = self.audit_one(&auditor, request.into_inner(), None).await?;
        span::audited(figures::verdict_name(answer.verdict()), answer.rounds.len());
        Ok(Response::new(answer))
    }

    type AuditStreamStream =
        Pin<Box<dyn Stream<Item = Result<pb::AuditStreamResponse, Status>> + Send>>;

    async fn audit_stream(
        &self,
        request: Request<Streaming<pb::AuditStreamRequest>>,
    ) -> Result<Response<Self::AuditStreamStream>, Status> {
        // The next audit begins when the transport takes its answer: a slow reader slows
        // the audits. The first request in error ends the stream.
        let auditor = AuditCaller::of(&request)?;
        let begin = (self.clone(), auditor, request.into_inner(), 0_u64);
        let answers =
            stream::try_unfold(begin, |(service, auditor, mut requests, place)| async move {
                if place > 0 && place % AUDITS_AT_ONCE == 0 {
                    tokio::task::yield_now().await;
                }
                let read = requests.message().await;
                let read = read.map_err(|theirs| status::in_stream(theirs, place))?;
                let Some(request) = read else { return Ok(None) };
                let answer = service.audit_one(&auditor, request.into(), Some(place));
                let answer = tokio::time::timeout(service.limits.time, answer).await;
                let answer = answer.unwrap_or_else(|_| Err(status::deadline_exceeded()))?;
                if let Some(held) = &auditor.held {
                    held.give_back_oldest();
                }
                Ok(Some((answer.into(), (service, auditor, requests, place + 1))))
            });
        Ok(Response::new(Box::pin(answers)))
    }

    async fn verify_engine(
        &self,
        _: Request<pb::VerifyEngineRequest>,
    ) -> Result<Response<pb::VerifyEngineResponse>, Status> {
        let checks = self.state.verify().await.ok_or_else(status::server_failed)?;
        Ok(Response::new(verification::verified(&checks)))
    }

    async fn get_status(
        &self,
        request: Request<pb::GetStatusRequest>,
    ) -> Result<Response<pb::GetStatusResponse>, Status> {
        Ok(Response::new(admin::status(&self.state, &Caller::of(&request)?)))
    }

    type ListOpenTicketsStream = Answers<pb::ListOpenTicketsResponse>;

    async fn list_open_tickets(
        &self,
        request: Request<pb::ListOpenTicketsRequest>,
    ) -> Result<Response<Self::ListOpenTicketsStream>, Status> {
        let (caller, state) = (Caller::of(&request)?, Arc::clone(&self.state));
        let list = admin::list_open_tickets(state, &self.admin, &caller, request.get_ref());
        Ok(Response::new(list.await?))
    }

    type TailRefusalsStream = Answers<pb::TailRefusalsResponse>;

    async fn tail_refusals(
        &self,
        request: Request<pb::TailRefusalsRequest>,
    ) -> Result<Response<Self::TailRefusalsStream>, Status> {
        let caller = Caller::of(&request)?;
        let deadline = request.extensions().get::<CallDeadline>().copied();
        let (places, request) = (&self.admin, request.get_ref());
        Ok(Response::new(admin::tail_refusals(&self.state, places, &caller, request, deadline)?))
    }
}
