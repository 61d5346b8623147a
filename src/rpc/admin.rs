//! The methods for operators: the state of a replica, its open tickets, the calls that it refused.
//!
//! An operator is a client of one tenant, and sees nothing of another tenant.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::stream;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio_stream::Stream;
use tonic::Status;

use super::{CallDeadline, Caller, LoadedEngine, ServiceState, UnshippedEvidence, status};
use crate::epochs;
use crate::refusals::{REMEMBERED, RefusalTail, RefusedCall};
use paigow_evidence::folder::{self, FolderCoverage, FolderPart, FolderQuery, FolderTicket};
use paigow_evidence::{SinkHealth, SinkTarget};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::Epoch;
use paigow_proto::v1 as pb;
use paigow_round::{CallerSwitch, Reason, Refusal, SwitchScope};

/// The most streams of a tenant that follow its refused calls.
const FOLLOWERS: usize = 4;

/// How long a caller should wait before it tries again to follow.
const PAUSE: Duration = Duration::from_secs(1);

/// How long before its deadline a stream that follows ends by itself.
const FAREWELL: Duration = Duration::from_secs(1);

/// How many parts of a list wait for their caller.
const PARTS: usize = 16;

/// The largest minimum age of a ticket, in seconds: a hundred years.
const OLDEST: i64 = 3_153_600_000;

/// The answers of a stream.
pub(super) type Answers<A> = Pin<Box<dyn Stream<Item = Result<A, Status>> + Send>>;

/// The places of calls that last.
#[derive(Debug)]
pub(super) struct AdminPlaces {
    /// The place of the one reader of the evidence files.
    reader: Arc<Semaphore>,
    /// How many streams of each tenant follow.
    followers: Mutex<BTreeMap<Identifier, usize>>,
}

impl Default for AdminPlaces {
    fn default() -> Self {
        Self { reader: Arc::new(Semaphore::new(1)), followers: Mutex::default() }
    }
}

/// The place of a stream that follows.
struct FollowerPlace {
    places: Arc<AdminPlaces>,
    tenant: Identifier,
}

impl AdminPlaces {
    fn followers(&self) -> MutexGuard<'_, BTreeMap<Identifier, usize>> {
        // Nothing under the lock can panic between two halves of a change.
        self.followers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn follow(self: &Arc<Self>, tenant: &Identifier) -> Option<FollowerPlace> {
        let mut followers = self.followers();
        let open = followers.entry(tenant.clone()).or_default();
        (*open < FOLLOWERS).then(|| {
            *open += 1;
            FollowerPlace { places: Arc::clone(self), tenant: tenant.clone() }
        })
    }
}

impl Drop for FollowerPlace {
    fn drop(&mut self) {
        if let Some(open) = self.places.followers().get_mut(&self.tenant) {
            *open = open.saturating_sub(1);
        }
    }
}

fn int64<N: TryInto<i64>>(number: N) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

fn int32<N: TryInto<i32>>(number: N) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

/// Returns the state of the replica, as far as it concerns the caller's tenant.
pub(super) fn status(state: &ServiceState, caller: &Caller) -> pb::GetStatusResponse {
    let (world, now) = (state.world.load(), (state.clock)());
    let newest = world.context.manifests.newest();
    let LoadedEngine { keys, .. } = &**world;
    let (facts, build) = (&state.replica, &state.build);
    let epoch = |epoch: &Epoch| pb::EpochHolding {
        epoch: int32(epoch.epoch),
        open_from: int64(epoch.open_from),
        open_until: int64(epoch.open_until),
        settle_until: int64(epoch.settle_until),
        held: epochs::is_held(epoch, keys),
        open: epochs::is_playable(epoch, keys, now) && epochs::is_open(epoch, now),
    };
    let receipts = newest.manifest.receipt_keys.iter().enumerate();
    let receipts = receipts.map(|(place, listed)| pb::ReceiptKeyHolding {
        public_key: listed.key.to_string(),
        held: keys.receipt_key(&listed.key).is_some(),
        signs: place == 0,
        revoked: listed.revoked,
    });
    let permit = &caller.permit;
    let switches =
        [("closed_to_new_rounds", &permit.closed_to_new_rounds), ("halted", &permit.halted)];
    pb::GetStatusResponse {
        version: build.version.to_owned(),
        git_revision: build.git_revision.to_owned(),
        executable_sha256: build.executable_sha256.map(|hash| hash.to_string()).unwrap_or_default(),
        instance: facts.instance.clone(),
        started_at: int64(facts.started_at),
        now: int64(now),
        obstacles: obstacles(state, caller, now).into_iter().map(Into::into).collect(),
        manifest: newest.hash.to_string(),
        manifest_sequence: int64(newest.manifest.seq),
        epochs: newest.manifest.epochs.iter().map(epoch).collect(),
        receipt_keys: receipts.collect(),
        verification: state
            .last_verification()
            .map(|last| pb::LastVerification { time: int64(last.time), passed: last.passed }),
        evidence: Some(evidence(state)),
        switches: switches
            .into_iter()
            .filter_map(|(name, switch)| in_force(name, switch))
            .collect(),
        changed_settings: facts.changed_settings.clone(),
    }
}

/// Returns the obstacles that keep new rounds of the caller's tenant from beginning.
fn obstacles(state: &ServiceState, caller: &Caller, now: u64) -> Vec<pb::NewRoundsObstacle> {
    use pb::NewRoundsObstacle as Obstacle;
    let (standing, permit) = (state.standing.now(), &caller.permit);
    let world = state.world.load();
    let listed = &world.context.manifests.newest().manifest.epochs;
    let is_open =
        |epoch| epochs::is_playable(epoch, &world.keys, now) && epochs::is_open(epoch, now);
    [
        (standing.unverified, Obstacle::Unverified),
        (standing.unrecorded, Obstacle::NotRecorded),
        (standing.no_entropy, Obstacle::NoEntropy),
        (standing.no_key_store, Obstacle::NoKeyStore),
        (*state.draining.borrow(), Obstacle::Draining),
        (permit.closed_to_new_rounds.every_ruleset.is_some(), Obstacle::ClosedToNewRounds),
        (permit.halted.every_ruleset.is_some(), Obstacle::Halted),
        (!listed.iter().any(is_open), Obstacle::NoOpenEpoch),
    ]
    .into_iter()
    .filter_map(|(stops, obstacle)| stops.then_some(obstacle))
    .collect()
}

/// Returns a switch if it holds for the caller's tenant.
fn in_force(name: &str, switch: &CallerSwitch) -> Option<pb::SwitchInForce> {
    let of_rulesets = (!switch.rulesets.is_empty()).then_some(SwitchScope::Ruleset);
    let scope = switch.every_ruleset.or(of_rulesets)?;
    Some(pb::SwitchInForce {
        name: name.to_owned(),
        scope: scope.name().to_owned(),
        rulesets: switch.rulesets.iter().cloned().collect(),
        reason: switch.why.clone(),
    })
}

fn evidence(state: &ServiceState) -> pb::EvidenceStatus {
    let unshipped = state.unshipped();
    pb::EvidenceStatus {
        target: match state.replica.evidence {
            SinkTarget::Off => pb::EvidenceTarget::Off,
            SinkTarget::Directory(_) => pb::EvidenceTarget::File,
            SinkTarget::Stdout => pb::EvidenceTarget::Stdout,
        }
        .into(),
        fail_closed: state.sink.is_fail_closed(),
        failing_since_ms: match state.sink.health() {
            SinkHealth::Sound => 0,
            SinkHealth::Failing { since, .. } => int64(since),
        },
        waiting_lines: int64(state.sink.figures().waiting),
        unacknowledged_losses: int32(state.sink.watch_losses().borrow().len()),
        unshipped_files: unshipped.map(|UnshippedEvidence { files, .. }| int64(files)),
        oldest_unshipped_seconds: unshipped.map_or(0, |unshipped| int64(unshipped.age.as_secs())),
    }
}

/// Lists the open tickets of the caller's tenant in the files of this replica, and the rounds that
/// they close.
pub(super) async fn list_open_tickets(
    state: Arc<ServiceState>,
    places: &AdminPlaces,
    caller: &Caller,
    request: &pb::ListOpenTicketsRequest,
) -> Result<Answers<pb::ListOpenTicketsResponse>, Status> {
    let age = request.minimum_age_seconds;
    let age = u64::try_from(age).ok().filter(|_| age <= OLDEST);
    let age = age.ok_or_else(|| out_of_range("minimum_age_seconds", OLDEST))?;
    let SinkTarget::Directory(directory) = state.replica.evidence.clone() else {
        return Err(status::evidence_not_in_files());
    };
    let opened_until = (state.clock)().saturating_sub(age).saturating_mul(1000);
    // Lines of this second are of the age 0.
    let opened_until = if age == 0 { u64::MAX } else { opened_until };
    let tenant = caller.client.tenant.tenant.clone();
    let query = FolderQuery { tenant, opened_until, most_waiting: folder::MOST_WAITING };
    let place = Arc::clone(&places.reader).acquire_owned().await;
    let place = place.map_err(|_| status::server_failed())?;
    let (sender, parts) = mpsc::channel(PARTS);
    let instance = state.replica.instance.clone();
    let thread = tokio::task::spawn_blocking(move || {
        let _until_the_end = place;
        read_folder(&directory, &query, &instance, &sender)
    });
    Ok(Box::pin(stream::try_unfold(FolderReading { parts, thread }, FolderReading::next)))
}

/// The reading of a folder, and the parts that wait for their caller.
struct FolderReading {
    parts: mpsc::Receiver<FolderPartAnswer>,
    thread: JoinHandle<std::io::Result<()>>,
}

impl FolderReading {
    /// Returns the next part. A reading that failed ends with an error, so that no caller takes a
    /// part of a list for the whole.
    async fn next(mut self) -> Result<Option<(FolderPartAnswer, Self)>, Status> {
        if let Some(part) = self.parts.recv().await {
            return Ok(Some((part, self)));
        }
        match self.thread.await {
            Ok(Ok(())) => Ok(None),
            Ok(Err(error)) => {
                tracing::error!(%error, "the files of evidence cannot be read");
                Err(status::server_failed())
            }
            Err(_) => {
                tracing::error!("reading the files of evidence has panicked");
                Err(status::server_failed())
            }
        }
    }
}

/// A part of a list as the contract writes it.
type FolderPartAnswer = pb::ListOpenTicketsResponse;

/// Reads a folder of evidence, until its caller has left.
fn read_folder(
    directory: &Path,
    query: &FolderQuery,
    instance: &str,
    parts: &mpsc::Sender<FolderPartAnswer>,
) -> std::io::Result<()> {
    folder::open_tickets(directory, query, |part| {
        let is_left = match part {
            Some(part) => parts.blocking_send(part_answer(part, instance)).is_err(),
            None => parts.is_closed(),
        };
        if is_left { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

fn part_answer(part: FolderPart, instance: &str) -> FolderPartAnswer {
    use pb::list_open_tickets_response::Item;
    let item = match part {
        FolderPart::Coverage(FolderCoverage { complete_since, files }) => {
            Item::Coverage(pb::EvidenceCoverage {
                complete_since_ms: int64(complete_since),
                files: int32(files),
                instance: instance.to_owned(),
            })
        }
        FolderPart::Open(ticket) => Item::Open(open_ticket(&ticket)),
        FolderPart::Closed(rounds) => Item::Closed(pb::ClosedRounds {
            round_ids: rounds.iter().map(Hash::to_string).collect(),
        }),
    };
    FolderPartAnswer { item: Some(item) }
}

fn open_ticket(found: &FolderTicket) -> pb::OpenTicket {
    let place = found.ticket.as_ref().map(|ticket| &ticket.coordinates);
    let records = found.records.iter();
    pb::OpenTicket {
        round_id: found.round_id.to_string(),
        ticket: found.hash.to_string(),
        tenant: place.map(|place| place.tenant.to_string()).unwrap_or_default(),
        table: place.map(|place| place.table.to_string()).unwrap_or_default(),
        round_no: place.map_or(0, |place| int64(place.round_no)),
        epoch: place.map_or(0, |place| int32(place.epoch)),
        opened_at_ms: int64(found.time),
        dealt: found.is_dealt,
        records: records
            .map(|record| pb::Record {
                envelope: record.to_line().into_bytes(),
                signatures: Vec::new(),
            })
            .collect(),
    }
}

/// Lists the refused calls of the caller's tenant, and those that follow.
pub(super) fn tail_refusals(
    state: &Arc<ServiceState>,
    places: &Arc<AdminPlaces>,
    caller: &Caller,
    request: &pb::TailRefusalsRequest,
    deadline: Option<CallDeadline>,
) -> Result<Answers<pb::TailRefusalsResponse>, Status> {
    let past = usize::try_from(request.past).ok().filter(|past| *past <= REMEMBERED);
    let past = past.ok_or_else(|| out_of_range("past", int64(REMEMBERED)))?;
    let tenant = &caller.client.tenant.tenant;
    let place = request
        .follow
        .then(|| places.follow(tenant).ok_or_else(|| status::tenant_concurrency(PAUSE)));
    let place = place.transpose()?;
    let mut tenants = vec![Some(tenant.to_string())];
    // An unidentified caller could belong to any of several tenants.
    tenants.extend(caller.is_of_only_tenant.then_some(None));
    let tail = RefusalFollower {
        tail: state.refusals.tail(tenants, past),
        draining: state.draining.subscribe(),
        deadline,
        place,
    };
    Ok(Box::pin(stream::unfold(tail, async |mut tail| Some((Ok(tail.next().await?), tail)))))
}

/// A stream of refused calls.
struct RefusalFollower {
    tail: RefusalTail,
    draining: tokio::sync::watch::Receiver<bool>,
    deadline: Option<CallDeadline>,
    /// Held while it follows; [`None`] if it ends with the past.
    place: Option<FollowerPlace>,
}

impl RefusalFollower {
    async fn next(&mut self) -> Option<pb::TailRefusalsResponse> {
        loop {
            if let Some((call, missed)) = self.tail.next() {
                return Some(pb::TailRefusalsResponse {
                    call: Some(refused_call(&call)),
                    missed: int64(missed),
                });
            }
            self.place.as_ref()?;
            let ends = self.deadline.and_then(|CallDeadline(ends)| ends.checked_sub(FAREWELL));
            let farewell = async {
                match ends {
                    Some(ends) => tokio::time::sleep_until(ends).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = self.tail.changed() => {}
                _ = self.draining.wait_for(|draining| *draining) => return None,
                () = farewell => return None,
            }
        }
    }
}

fn refused_call(call: &RefusedCall) -> pb::RefusedCall {
    pb::RefusedCall {
        time_ms: int64(call.time),
        method: call.method.to_owned(),
        code: call.code.to_owned(),
        reason: call.reason.clone(),
        field: call.field.clone(),
        tenant: call.tenant.clone().unwrap_or_default(),
        client: call.client.clone().unwrap_or_default(),
        peer: call.peer.clone().unwrap_or_default(),
        request_id: call.request_id.clone(),
    }
}

fn out_of_range(field: &str, maximum: i64) -> Status {
    let what = format!("must be 0 to {maximum}");
    status::of_refusal(&Refusal::at(Reason::NumberRange, field, what).within(0, maximum))
}
