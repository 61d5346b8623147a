//! `OpenRound`: commits to a round. `PrepareOpen`: returns what that would commit to.

use std::collections::{BTreeMap, BTreeSet};

use super::server_seed;
use super::signing;
use crate::KeyRing;
use crate::sealed;
use paigow_fairness::beacon::BeaconRound;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{
    AbsentPolicy, ClientPolicy, Epoch, ExternalPolicy, ManifestTenant, SeatAuth, SignedManifest,
    Suite,
};
use paigow_fairness::record::{EnvelopeSignature, RecordEnvelope, RecordKind};
use paigow_fairness::secret::ServerSeed;
use paigow_fairness::seed::{Coordinates, client_commit_prefix, round_commit};
use paigow_fairness::signature::{PublicKey, Verifier};
use paigow_fairness::ticket::{SeatKey, Ticket};
use paigow_round::manifest_conditions::{self, EpochPurpose};
use paigow_round::record::SettleRecord;
use paigow_round::refusal::{FactKey, Reason, Refusal, Refusals};
use paigow_round::request::{CallContext, NoEntropy, OpenRound, TicketEntropy};
use paigow_round::round::{Round, expect_link};
use paigow_round::{ENGINE, ListedGame, RoundContext};
use paigow_rules::cards::{BySeat, Seat};

/// An opened round.
#[derive(Clone, Debug)]
pub struct OpenAnswer {
    /// The signed ticket.
    pub ticket: RecordEnvelope,
    /// The public id of the round.
    pub round_id: Hash,
    /// The commitment.
    pub commit: Hash,
}

/// The public terms of an opening that was not made yet.
#[derive(Clone, Debug)]
pub struct PreparedOpening {
    /// The epoch.
    pub epoch: u32,
    /// The hash of the manifest.
    pub manifest: Hash,
    /// The public id of the round.
    pub round_id: Hash,
    /// The bytes before a client seed of 32 bytes in the input of its commitment, by seat. Empty if
    /// the policy takes no client seeds.
    pub commit_prefixes: BySeat<Vec<u8>>,
}

/// The purpose that an opening is read for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum OpeningPurpose {
    /// A ticket.
    Open,
    /// The public terms of a ticket: client commitments may be missing.
    Prepare,
    /// The ticket of a round that is about to be voided. It was made once, so a gate that has
    /// closed since does not matter.
    Void,
}

/// An opening that has passed every check.
pub(super) struct Opening<'c> {
    signed: &'c SignedManifest,
    tenant: &'c ManifestTenant,
    epoch: &'c Epoch,
    game: &'c ListedGame,
    client: BTreeMap<Seat, Hash>,
    seat_keys: BTreeMap<Seat, SeatKey>,
    external: Option<BeaconRound>,
    coordinates: Coordinates,
    prev: Hash,
    verifier: &'c dyn Verifier,
}

/// Opens a round. The same request gets the same ticket, except in the fresh suite.
///
/// # Errors
///
/// Returns a fault of the request, a closed gate, or a key that this replica does not hold.
pub fn open_round(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &OpenRound,
    entropy: TicketEntropy<'_>,
) -> Result<OpenAnswer, Refusal> {
    let opening = Opening::read(context, keys, call, request, OpeningPurpose::Open)?;
    let Round { ticket, ticket_envelope, .. } = opening.commit(keys, entropy)?;
    let (round_id, commit) = (ticket.round_id, ticket.commit);
    Ok(OpenAnswer { ticket: ticket_envelope, round_id, commit })
}

/// Returns what an opening would commit to. Client commitments may be missing. The function signs
/// nothing, and `keys` may be empty.
///
/// # Errors
///
/// Returns a fault of the request or a closed gate, as [`open_round`].
pub fn prepare_open(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &OpenRound,
) -> Result<PreparedOpening, Refusal> {
    let opening = Opening::read(context, keys, call, request, OpeningPurpose::Prepare)?;
    let round_id = opening.coordinates.round_id();
    let seats = Seat::ALL
        .into_iter()
        .filter(|seat| !seat.is_dealer() && seat.number() <= opening.game.ruleset.seats());
    let commit_prefixes = match opening.tenant.policy.client {
        ClientPolicy::None => BySeat::new(),
        ClientPolicy::Optional | ClientPolicy::Committed => {
            seats.map(|seat| (seat, client_commit_prefix(&round_id, seat))).collect()
        }
    };
    let (epoch, manifest) = (opening.epoch.epoch, opening.signed.hash);
    Ok(PreparedOpening { epoch, manifest, round_id, commit_prefixes })
}

impl<'c> Opening<'c> {
    /// Reads an opening, and passes the gates for its purpose.
    pub(super) fn read(
        context: &'c RoundContext,
        verifier: &'c dyn Verifier,
        call: &CallContext,
        request: &OpenRound,
        purpose: OpeningPurpose,
    ) -> Result<Self, Refusal> {
        let world = World::of(context, call, request, purpose)?;
        let (client, seat_keys) = seat_lists(context, &world, request, purpose)?;
        let external = external(&world, request)?;
        let coordinates = Coordinates {
            epoch: world.epoch.epoch,
            tenant: call.tenant.clone(),
            table: request.table.clone(),
            round_no: request.round_no,
        };
        let prev = previous(context, verifier, &world, &coordinates, request, purpose)?;
        if purpose != OpeningPurpose::Void {
            let (manifests, now) = (&context.manifests, call.now);
            manifest_conditions::pass(manifests, world.epoch, now, EpochPurpose::Open)?;
            if let (Some(named), Some(beacon)) = (&external, &world.signed.manifest.beacon) {
                let settle_until = world.epoch.settle_until;
                call.permit.pass_beacon(beacon, named.round, now, settle_until)?;
            }
        }
        let World { signed, tenant, epoch, game } = world;
        Ok(Self {
            signed,
            tenant,
            epoch,
            game,
            client,
            seat_keys,
            external,
            coordinates,
            prev,
            verifier,
        })
    }

    /// Commits to the server seed, and returns the round as reading its ticket would. The signature
    /// that this call has just made is not verified again.
    pub(super) fn commit(
        self,
        keys: &KeyRing,
        entropy: TicketEntropy<'_>,
    ) -> Result<Round<'c>, Refusal> {
        let (round_id, ruleset) = (self.coordinates.round_id(), self.game.hash);
        let (server_seed, commit, sealed) = match self.epoch.suite {
            suite @ (Suite::Derived | Suite::Vrf) => {
                let of_suite = match suite {
                    Suite::Vrf => server_seed::vrf_output,
                    Suite::Derived | Suite::Fresh => server_seed::derive,
                };
                let seed = of_suite(keys, self.epoch, &self.coordinates)?;
                let commit = round_commit(&seed, &round_id, &ruleset, &ENGINE);
                (seed, commit, None)
            }
            Suite::Fresh => {
                let (kid, key) = keys.sealing_key().ok_or_else(|| {
                    Refusal::of(Reason::KeyNotLoaded, "this replica holds no token key")
                })?;
                let drawn = entropy().map_err(|NoEntropy| {
                    Refusal::of(Reason::Entropy, "the system has no entropy for a new seed")
                })?;
                let (seed, nonce) = drawn.split_at(32);
                let seed = ServerSeed::new(seed.try_into().expect("32 of 56 bytes"));
                let nonce = nonce.try_into().expect("24 of 56 bytes");
                let commit = round_commit(&seed, &round_id, &ruleset, &ENGINE);
                let blob = sealed::seal(key, *kid, nonce, &round_id, &commit, &seed);
                (seed, commit, Some(blob))
            }
        };
        let Self { signed, tenant, epoch, game, coordinates, prev, verifier, .. } = self;
        let Self { client, seat_keys, external, .. } = self;
        let ticket = Ticket {
            client,
            commit,
            engine: ENGINE,
            external,
            manifest: signed.hash,
            policy: tenant.policy,
            prev,
            round_id,
            ruleset,
            sealed,
            seat_keys,
            suite: epoch.suite,
            coordinates,
        };
        let envelope = signing::sign(keys, &signed.manifest, RecordKind::Ticket, &ticket)?;
        let ticket_hash = envelope.hash();
        Ok(Round {
            ticket,
            ticket_hash,
            ticket_envelope: envelope,
            signed,
            epoch,
            tenant,
            game: Some(game),
            server_seed: Some(server_seed),
            verifier,
        })
    }
}

/// The context that a request names, after its gates.
struct World<'c> {
    signed: &'c SignedManifest,
    tenant: &'c ManifestTenant,
    epoch: &'c Epoch,
    game: &'c ListedGame,
}

impl<'c> World<'c> {
    /// Reads the context that a request names. The newest manifest and the operator can refuse it,
    /// but not for a round to be voided.
    fn of(
        context: &'c RoundContext,
        call: &CallContext,
        request: &OpenRound,
        purpose: OpeningPurpose,
    ) -> Result<Self, Refusal> {
        let signed = named_manifest(context, request)?;
        let manifest = &signed.manifest;
        let tenant = manifest.tenant(&call.tenant).ok_or_else(not_listed)?;
        if manifest.engine != ENGINE {
            return Err(Refusal::of(
                Reason::EngineNotHere,
                format!("the manifest is for engine {}", manifest.engine),
            )
            .with(FactKey::Engine, &manifest.engine));
        }

        let mut refusals = Refusals::default();
        if purpose == OpeningPurpose::Void || !tenant.policy.is_dev() {
            for (missing, field) in
                [(request.epoch.is_none(), "epoch"), (request.manifest.is_none(), "manifest")]
            {
                if missing {
                    refusals.add(
                        Reason::FieldMissing,
                        field,
                        "required except under a policy for development",
                    );
                }
            }
        }
        let listed = context.catalogue.game_listed(manifest, &request.ruleset);
        let listed = listed.map_err(|error| error.refusal());
        if let Err(refusal) = &listed
            && refusal.reason == Reason::Ruleset
        {
            refusals.absorb(refusal.clone());
        }
        let epoch = match request.epoch {
            Some(number) => manifest.epoch(number),
            None => manifest
                .epochs
                .iter()
                .find(|epoch| (epoch.open_from..epoch.open_until).contains(&call.now)),
        };
        if epoch.is_none() && request.epoch.is_some() {
            refusals.add(Reason::FieldInvalid, "epoch", "the manifest lists no such epoch");
        }
        if purpose == OpeningPurpose::Void && epoch.is_some_and(|epoch| epoch.suite == Suite::Fresh)
        {
            let what = "the fresh suite draws its seeds: only the ticket itself names the round";
            refusals.add(Reason::FieldInvalid, "epoch", what);
        }
        refusals.finish(())?;
        let epoch =
            epoch.ok_or_else(|| Refusal::of(Reason::EpochNotOpen, "no epoch is open now"))?;
        let is_new = purpose != OpeningPurpose::Void;
        let newest = context.manifests.newest();
        if is_new {
            let tenant_now = newest.manifest.tenant(&call.tenant).ok_or_else(not_listed)?;
            let manifests = &context.manifests;
            manifest_conditions::pass_policy(manifests, tenant.policy, tenant_now.policy)?;
            manifest_conditions::pass_ledger_keys(manifests, tenant, tenant_now)?;
            pass_pins(tenant_now, request)?;
        }
        pass_pins(tenant, request)?;
        // An audit fails a round at a table that the announcement of its epoch does not list.
        if let Some(announcement) = context.manifests.announcement(epoch.epoch) {
            let tenants = &announcement.manifest.tenants;
            let announced = tenants.iter().find(|listed| listed.tenant == tenant.tenant);
            let is_listed = announced.is_some_and(|tenant| {
                tenant.tables.as_ref().is_none_or(|tables| tables.contains(&request.table))
            });
            if !is_listed {
                return Err(Refusal::of(
                    Reason::TableNotListed,
                    "the manifest that announced the epoch does not list the tenant with this \
                     table",
                ));
            }
        }
        // Conditions that another replica may meet are checked last, after those that hold for all.
        let game = listed?;
        if is_new {
            if newest.manifest.ruleset(&game.hash).is_none() {
                let what = "the newest manifest no longer lists the ruleset";
                let refusal = Refusal::of(Reason::RulesetDisabled, what);
                return Err(refusal.with(FactKey::Ruleset, game.hash));
            }
            call.permit.pass_opening(game)?;
            manifest_conditions::pass_keys(&context.manifests, manifest, &[])?;
        }
        if !epoch.is_complete() {
            return Err(Refusal::of(
                Reason::EpochNotOpen,
                "the manifest announces the epoch; a later one has its salt",
            )
            .with(FactKey::Epoch, epoch.epoch));
        }
        Ok(Self { signed, tenant, epoch, game })
    }
}

/// Returns the manifest that a request names, or the newest.
fn named_manifest<'c>(
    context: &'c RoundContext,
    request: &OpenRound,
) -> Result<&'c SignedManifest, Refusal> {
    let manifests = &context.manifests;
    let Some(hash) = &request.manifest else { return Ok(manifests.newest()) };
    let Some(signed) = manifests.by_hash(hash) else {
        // A replica that is behind cannot know it yet. Another replica will never have it.
        let seq = request.manifest_sequence;
        let refusal = if seq.is_some_and(|seq| seq <= manifests.newest().manifest.seq) {
            let what = "no manifest of the chain is the one that is named";
            Refusal::of(Reason::ManifestNotListed, what)
        } else {
            Refusal::of(Reason::ManifestUnknown, "the manifest is not loaded here")
        };
        return Err(refusal.with_newest(manifests));
    };
    if request.manifest_sequence.is_some_and(|seq| seq != signed.manifest.seq) {
        let what = "not the sequence number of the manifest that is named";
        return Err(Refusal::at(Reason::FieldInvalid, "manifest_sequence", what));
    }
    Ok(signed)
}

fn not_listed() -> Refusal {
    Refusal::of(Reason::Tenant, "the manifest lists no such tenant")
}

/// Refuses a table that the manifest does not list, if it pins tables.
fn pass_pins(tenant: &ManifestTenant, request: &OpenRound) -> Result<(), Refusal> {
    if tenant.tables.as_ref().is_none_or(|tables| tables.contains(&request.table)) {
        return Ok(());
    }
    Err(Refusal::of(
        Reason::TableNotListed,
        "the manifest pins the tenant's tables, and this table is not among them",
    ))
}

/// Returns the link to the round before: its close if the request has it, else the manifest
/// (PGE-FAIR-1, section 4.7).
fn previous(
    context: &RoundContext,
    verifier: &dyn Verifier,
    world: &World<'_>,
    coordinates: &Coordinates,
    request: &OpenRound,
    purpose: OpeningPurpose,
) -> Result<Hash, Refusal> {
    let Some(envelope) = &request.prev else {
        if coordinates.round_no > 1 && world.tenant.policy.chain_required {
            return Err(Refusal::of(
                Reason::ChainRequired,
                "the tenant's policy requires the close of the round before",
            ));
        }
        return Ok(world.signed.hash);
    };
    let broken = |what: &str| Refusal::at(Reason::ChainBroken, "prev", what);
    if coordinates.round_no == 1 {
        return Err(broken("round 1 has no round before it"));
    }
    if envelope.kind() != RecordKind::Settle {
        return Err(broken("the round before ends with a settle record"));
    }
    // The close may have been made under any manifest of the chain, most likely under a late one. A
    // verification is expensive, so keys that the next manifest also lists are not tried again.
    let mut tried = Vec::new();
    let signed_under = |signed: &&SignedManifest| {
        let keys = signed.manifest.receipt_public_keys();
        let verifies = keys != tried && envelope.all_verify_by(verifier, &keys);
        tried = keys;
        verifies
    };
    let signed = context.manifests.all().iter().rev().find(signed_under);
    let Some(signed) = signed.filter(|_| envelope.is_signed()) else {
        return Err(unverified(context, envelope));
    };
    if purpose != OpeningPurpose::Void {
        manifest_conditions::pass_close(&context.manifests, &signed.manifest, envelope)?;
    }
    let close = envelope
        .json()
        .map_err(paigow_fairness::payload::PayloadError::from)
        .and_then(SettleRecord::parse)
        .map_err(|error| Refusal::at(Reason::Record, "prev", error.to_string()))?;
    let before = Coordinates { round_no: coordinates.round_no - 1, ..coordinates.clone() };
    let what = "not the close of the round before";
    expect_link(&before.round_id(), close.round_id(), "prev", what)?;
    Ok(envelope.hash())
}

/// Returns the reason why a close shows no good signature. A replica that is behind a rotation
/// knows no key with the ids in it, but another replica may. An id is an unsigned hint (PGE-FAIR-1,
/// section 3.1). It only chooses between two refusals.
fn unverified(context: &RoundContext, close: &RecordEnvelope) -> Refusal {
    let listed = context.manifests.all().iter().flat_map(|signed| &signed.manifest.receipt_keys);
    let kids: BTreeSet<String> = listed
        .map(|listed| listed.key)
        .collect::<BTreeSet<_>>()
        .iter()
        .map(PublicKey::kid)
        .collect();
    let is_known = |signature: &EnvelopeSignature| kids.contains(&*signature.keyid);
    if close.is_signed() && !close.signatures().iter().any(is_known) {
        let what = "prev is signed by a key that no manifest loaded here lists";
        return Refusal::of(Reason::ManifestUnknown, what).with_newest(&context.manifests);
    }
    let what = "not signed by a receipt key of the loaded manifests";
    Refusal::at(Reason::BadSignature, "prev", what)
}

/// Returns the beacon's round that goes into the seed, as the policy demands.
fn external(world: &World<'_>, request: &OpenRound) -> Result<Option<BeaconRound>, Refusal> {
    let beacon = world.signed.manifest.beacon.as_ref();
    match (world.tenant.policy.external, request.beacon_round) {
        (ExternalPolicy::None, None) => Ok(None),
        (ExternalPolicy::None, Some(_)) => {
            let what = "the policy takes no public randomness";
            Err(Refusal::at(Reason::FieldInvalid, "beacon_round", what))
        }
        (ExternalPolicy::Drand, None) => {
            let what = "the policy wants a round of the beacon";
            Err(Refusal::at(Reason::FieldMissing, "beacon_round", what))
        }
        (ExternalPolicy::Drand, Some(round)) => {
            Ok(beacon.map(|beacon| BeaconRound { chain: beacon.chain(), round }))
        }
    }
}

type SeatLists = (BTreeMap<Seat, Hash>, BTreeMap<Seat, SeatKey>);

/// Checks the seats' commitments and keys against table and policy (D10).
fn seat_lists(
    context: &RoundContext,
    world: &World<'_>,
    request: &OpenRound,
    purpose: OpeningPurpose,
) -> Result<SeatLists, Refusal> {
    fn collect<T: Clone>(
        items: &[(Seat, T)],
        list: &str,
        seats: u8,
        refusals: &mut Refusals,
    ) -> BTreeMap<Seat, T> {
        let mut out = BTreeMap::new();
        for (i, (seat, item)) in items.iter().enumerate() {
            let field = format!("{list}[{i}].seat");
            if seat.is_dealer() || seat.number() > seats {
                let refusal = Refusal::at(Reason::Seat, field, format!("seats are 1 to {seats}"));
                refusals.absorb(refusal.within(1, seats));
            } else if out.insert(*seat, item.clone()).is_some() {
                let refusal = Refusal::at(Reason::Seat, field, "the seat is named twice");
                refusals.absorb(refusal.with(FactKey::Seat, seat));
            }
        }
        out
    }
    let mut refusals = Refusals::default();
    let client = collect(
        &request.client_commits,
        "client_commits",
        world.game.ruleset.seats(),
        &mut refusals,
    );
    let keys = collect(&request.seat_keys, "seat_keys", world.game.ruleset.seats(), &mut refusals);
    let policy = world.tenant.policy;
    if policy.client == ClientPolicy::None && !client.is_empty() {
        refusals.add(Reason::ClientCommit, "client_commits", "the policy takes no client seeds");
    }
    let may_miss = purpose == OpeningPurpose::Prepare;
    if policy.client == ClientPolicy::Committed && client.is_empty() && !may_miss {
        refusals.add(Reason::ClientCommit, "client_commits", "the policy wants a commitment");
    }
    for (place, (_, SeatKey { key, .. })) in request.seat_keys.iter().enumerate() {
        if let Some(role) = context.manifests.role(key) {
            let field = format!("seat_keys[{place}].public_key");
            let what = format!("a seat's key has no other role, and this is a {role} key");
            refusals.add(Reason::FieldInvalid, field, what);
        }
    }
    if policy.seat_auth == SeatAuth::Off && !keys.is_empty() {
        refusals.add(Reason::FieldInvalid, "seat_keys", "the policy takes no seat keys");
    }
    for (place, (_, key)) in request.seat_keys.iter().enumerate() {
        let what = match (policy.absent, key.house_way_if_absent) {
            (AbsentPolicy::Off, true) => "the policy takes no clause for absent seats",
            (AbsentPolicy::Required, false) => "the policy wants the clause for absent seats",
            (AbsentPolicy::Off | AbsentPolicy::Optional, false)
            | (AbsentPolicy::Optional | AbsentPolicy::Required, true) => continue,
        };
        let field = format!("seat_keys[{place}].house_way_if_absent");
        refusals.add(Reason::FieldInvalid, field, what);
    }
    refusals.finish((client, keys))
}
