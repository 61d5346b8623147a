//! A casino to test with: root, engine, ledgers, seats and their keys, all in memory.
//!
//! Everything is a function of fixed keys and of a small counter-based generator, so that
//! a failure can be reproduced.

pub mod sheets;

use crate::beacons::{beacon, beacon_signature};
use crate::logs::public_log;
use paigow_engine::KeyRing;
use paigow_engine::SecretKey;
use paigow_engine::TokenKey;
use paigow_engine::VrfSecretKey;
use paigow_engine::{DealAnswer, SettleAnswer};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{
    AbsentPolicy, ClientPolicy, Epoch, EpochStatus, ExternalPolicy, ListedHouseWay, ListedRuleset,
    Manifest, ManifestChain, ManifestTenant, Policy, ReceiptKey, Root, SaltSource, SeatAuth, Suite,
};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::{
    Coordinates, client_commit, epoch_commit, epoch_salt_party, epoch_salt_statement,
};
use paigow_fairness::signature::Signer;
use paigow_fairness::ticket::{SeatKey, Ticket};
use paigow_round::audit::AuditTerms;
use paigow_round::record::{
    Action, CloseLock, EpochClose, EpochRounds, LeafRecord, SeedPlace, SeedProof, WagerLock,
};
use paigow_round::{
    CallContext, Catalogue, Deal, DealStart, ENGINE_ID, OpenRound, RoundContext, SeatDecisions,
    Settle, VoidReason, VoidRound, Wagers,
};
use paigow_rules::cards::Seat;
use paigow_rules::game::{Decision, Ruleset, WagerSheet, WagerTable, shipped};

/// The epoch that rounds are played in.
pub const EPOCH: u32 = 7;
/// When its window opens; everything happens an hour later.
pub const OPEN_FROM: u64 = 1_800_000_000;
/// The default time of calls.
pub const NOW: u64 = OPEN_FROM + 3600;
/// When its window closes.
pub const OPEN_UNTIL: u64 = OPEN_FROM + 86_400;
/// Until when its rounds can be settled.
pub const SETTLE_UNTIL: u64 = OPEN_UNTIL + 7 * 86_400;

/// A small generator for choices: SplitMix64. Not for decks.
#[derive(Clone, Debug)]
pub struct SeededChoices(pub u64);

impl SeededChoices {
    /// Returns the next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`. The bias does not matter here.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Returns true once in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Makes choices.
pub trait Choices {
    /// Returns a number below `bound`, which is at least 1.
    fn below(&mut self, bound: u64) -> u64;

    /// Returns true once in `n`.
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

impl Choices for SeededChoices {
    fn below(&mut self, bound: u64) -> u64 {
        Self::below(self, bound)
    }
}

/// Choices from bytes, each by one byte or a few. After the last byte [`SeededChoices`] follow.
#[derive(Clone, Debug)]
pub struct ByteChoices<'b> {
    bytes: &'b [u8],
    after: SeededChoices,
}

impl<'b> ByteChoices<'b> {
    /// Makes choices by these bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, after: SeededChoices(0) }
    }
}

impl Choices for ByteChoices<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        let largest = (bound - 1).to_le_bytes();
        let len = 1 + largest.iter().rposition(|byte| *byte > 0).unwrap_or(0);
        let Some((taken, rest)) = self.bytes.split_at_checked(len) else {
            self.bytes = &[];
            return self.after.below(bound);
        };
        self.bytes = rest;
        taken.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)) % bound
    }
}

/// Root, engine, ledger and seats.
#[derive(Clone, Debug)]
pub struct Casino {
    /// The rules and the manifests of the engine.
    pub context: RoundContext,
    /// The secret keys of the engine.
    pub keys: KeyRing,
    /// The manifests, oldest first.
    pub manifests: Vec<RecordEnvelope>,
    /// The secret of the epoch.
    pub secret: EpochSecret,
}

/// 32 bytes that look random and are a function of `seed`.
pub fn filler(seed: u64) -> [u8; 32] {
    let mut choices = SeededChoices(seed);
    std::array::from_fn(|_| choices.next().to_le_bytes()[0])
}

/// Makes a key for tests.
pub fn key(byte: u8) -> SecretKey {
    SecretKey::from_bytes(&filler(u64::from(byte)))
}

/// The root's key.
pub fn root_key() -> SecretKey {
    key(1)
}

/// The engine's receipt key.
pub fn receipt_key() -> SecretKey {
    key(2)
}

/// The key of every tenant's ledger.
pub fn ledger_key() -> SecretKey {
    key(3)
}

/// The engine's token key.
pub fn token_key() -> [u8; 32] {
    filler(5)
}

/// The witness that signs the epoch's salt.
pub fn witness_key() -> SecretKey {
    key(4)
}

/// A seat's key.
pub fn seat_key(seat: Seat) -> SecretKey {
    key(0x40 + seat.number())
}

/// A seat's key as a ticket has it, without a clause for absence.
pub fn registered_key(seat: Seat) -> SeatKey {
    SeatKey { key: seat_key(seat).public(), house_way_if_absent: false }
}

/// A seat's client seed in a round.
pub fn client_seed(round_no: u64, seat: Seat) -> Vec<u8> {
    let bytes = filler(round_no * 8 + u64::from(seat.number()) + 1000).repeat(2);
    bytes[..16 + usize::from(seat.number()) * 6].to_vec()
}

/// Makes an identifier.
pub fn id(text: &str) -> Identifier {
    text.parse().unwrap()
}

/// Makes a seat.
pub fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// The tenants: one for each bundle of switches.
pub const TENANTS: [&str; 5] = ["dev", "base", "locked", "seats", "strict"];

/// The tenant of [`Casino::with_beacon`] whose rounds wait for public randomness.
pub const DRAND: &str = "drand";

/// Returns the switches of a tenant.
pub fn policy(tenant: &str) -> Policy {
    let (client, lock_required, chain_required, seat_auth) = match tenant {
        "dev" => return Policy::DEV,
        "base" => (ClientPolicy::None, false, true, SeatAuth::Off),
        "locked" | DRAND => (ClientPolicy::Optional, true, true, SeatAuth::Off),
        "seats" => (ClientPolicy::Optional, true, true, SeatAuth::Optional),
        "strict" => (ClientPolicy::Committed, true, true, SeatAuth::Required),
        _ => panic!("no such tenant"),
    };
    let external = if tenant == DRAND { ExternalPolicy::Drand } else { ExternalPolicy::None };
    let absent = AbsentPolicy::Off;
    Policy { client, lock_required, chain_required, seat_auth, absent, external }
}

/// A witness's value and signature for an epoch and the manifest that announces it.
fn witness(epoch: u32, announcement: &Hash, commit: &Hash) -> ([u8; 32], [u8; 64]) {
    let value = [0x77; 32];
    let statement = epoch_salt_statement(epoch, announcement, commit, &value);
    (value, witness_key().sign(&statement))
}

/// The first manifest, which announces the epoch.
pub fn announcement(suite: Suite) -> Manifest {
    announcement_of(&Catalogue::shipped(), suite)
}

/// The first manifest of a casino that deals a catalogue.
fn announcement_of(catalogue: &Catalogue, suite: Suite) -> Manifest {
    let is_salted = suite != Suite::Fresh;
    let tenants = TENANTS.iter().filter(|t| is_salted || policy(t).lock_required);
    Manifest {
        beacon: None,
        log: None,
        builds: None,
        engine: id(ENGINE_ID),
        epochs: vec![Epoch {
            epoch: EPOCH,
            suite,
            commit: (suite == Suite::Derived).then(|| epoch_commit(EPOCH, &epoch_secret())),
            vrf_key: (suite == Suite::Vrf).then(|| VrfSecretKey::new(&epoch_secret()).public()),
            salt_source: is_salted
                .then(|| SaltSource::Party { key: witness_key().public(), value: None }),
            salt: None,
            open_from: OPEN_FROM,
            open_until: OPEN_UNTIL,
            settle_until: SETTLE_UNTIL,
            status: EpochStatus::Active,
        }],
        house_ways: catalogue
            .house_ways()
            .into_iter()
            .map(|(hash, way)| ListedHouseWay { hash, name: id(way.id()) })
            .collect(),
        prev: Hash::ZERO,
        receipt_keys: vec![ReceiptKey { key: receipt_key().public(), revoked: false }],
        root: Root { keys: vec![root_key().public()], threshold: 1 },
        rulesets: catalogue
            .games()
            .into_iter()
            .map(|game| ListedRuleset { cards: 53, hash: game.hash, name: id(game.ruleset.id()) })
            .collect(),
        seq: 1,
        tenants: tenants
            .map(|name| ManifestTenant {
                ledger_keys: vec![ledger_key().public()],
                policy: policy(name),
                tables: None,
                tenant: id(name),
            })
            .collect(),
    }
}

/// The secret of the epoch.
pub fn epoch_secret() -> EpochSecret {
    EpochSecret::new(std::array::from_fn(|i| u8::try_from(i * 7 + 11).unwrap()))
}

/// Whether the seed of a planned round waits for the beacon's round of the same number.
fn is_external(plan: &RoundPlan) -> bool {
    policy(&plan.tenant).external == ExternalPolicy::Drand
}

/// Signs a manifest with the root's key.
pub fn sign_manifest(manifest: &Manifest) -> RecordEnvelope {
    RecordEnvelope::seal(RecordKind::Manifest, &manifest.to_json(), &[&root_key()])
}

/// Returns the manifest that follows `before`, for a test to change.
pub fn successor(before: &RecordEnvelope) -> Manifest {
    let manifest = Manifest::parse(before.json().unwrap()).unwrap();
    Manifest { seq: manifest.seq + 1, prev: before.hash(), ..manifest }
}

/// Completes the epoch with the witness's salt; the manifest before announces it.
pub fn complete(manifest: &mut Manifest) {
    let epoch = &mut manifest.epochs[0];
    let (value, sig) = witness(epoch.epoch, &manifest.prev, &epoch.commitment().unwrap());
    let key = witness_key().public();
    epoch.salt_source = Some(SaltSource::Party { key, value: Some((value, sig)) });
    epoch.salt = Some(epoch_salt_party(&key.to_bytes(), &value));
}

/// Returns the rounds of the tenant of the first ticket in its epoch, as a close counts them.
///
/// # Panics
///
/// If there is no ticket.
pub fn rounds_of(records: &[RecordEnvelope]) -> EpochRounds {
    let mut rounds: Option<EpochRounds> = None;
    let mut place: Option<Coordinates> = None;
    for record in records {
        if record.kind() == RecordKind::Ticket {
            place = Some(Ticket::parse(record.json().unwrap()).unwrap().coordinates);
        }
        let Some(place) = &place else { continue };
        let own = rounds.get_or_insert_with(|| EpochRounds::new(place.epoch, place.tenant.clone()));
        if let Some(record) = LeafRecord::of(record) {
            own.add(&place.table, place.round_no, record);
        }
    }
    rounds.unwrap()
}

impl Casino {
    /// Closes the epoch of the tenant of the first ticket, over the tickets and the records after
    /// them. The engine and the witness sign.
    ///
    /// # Panics
    ///
    /// If there is no ticket.
    pub fn close_epoch(&self, records: &[RecordEnvelope]) -> RecordEnvelope {
        self.close_epoch_as(records, |close| close)
    }

    /// The same with a payload that `edit` changed.
    ///
    /// # Panics
    ///
    /// As [`Casino::close_epoch`].
    pub fn close_epoch_as(
        &self,
        records: &[RecordEnvelope],
        edit: impl FnOnce(EpochClose) -> EpochClose,
    ) -> RecordEnvelope {
        let rounds = rounds_of(records);
        let mut close = rounds.close().unwrap();
        let listed = self.context.manifests.newest().manifest.epoch(close.epoch).unwrap();
        if listed.suite == Suite::Vrf {
            let salt = listed.salt.unwrap();
            let proof = |place: SeedPlace| {
                let SeedPlace { table, round_no } = place;
                let (epoch, tenant) = (close.epoch, close.tenant.clone());
                let place = Coordinates { epoch, tenant, table: table.clone(), round_no };
                let key = VrfSecretKey::new(&self.secret);
                let (_, proof) = key.prove(&place.vrf_input(&salt));
                SeedProof { table, round_no, proof }
            };
            close.seed_proofs = rounds.without_settlement().into_iter().map(proof).collect();
        }
        let close = edit(close);
        let keys = [&receipt_key(), &witness_key()];
        RecordEnvelope::seal(RecordKind::EpochClose, &close.to_json(), &keys)
    }

    /// Returns terms of an audit that trust its root and its witness.
    pub fn terms(&self) -> AuditTerms {
        let witnesses = [witness_key().public()].into();
        AuditTerms { witnesses, ..AuditTerms::of(self.context.root.clone()) }
    }

    /// A casino of the derived suite: the epoch announced, then completed.
    pub fn new() -> Self {
        let announced = sign_manifest(&announcement(Suite::Derived));
        let mut completed = successor(&announced);
        complete(&mut completed);
        Self::with_manifests(vec![announced, sign_manifest(&completed)])
    }

    /// A casino of the vrf suite: the epoch announced, then completed.
    pub fn vrf() -> Self {
        Self::vrf_with_secret(epoch_secret())
    }

    /// A casino of the vrf suite whose epoch has another secret.
    pub fn vrf_with_secret(secret: EpochSecret) -> Self {
        let mut announced = announcement(Suite::Vrf);
        announced.epochs[0].vrf_key = Some(VrfSecretKey::new(&secret).public());
        Self::with_epoch(&announced, secret)
    }

    /// A casino of a suite with a beacon, a public log and the tenant [`DRAND`].
    pub fn with_beacon(suite: Suite) -> Self {
        let mut announced = announcement(suite);
        announced.beacon = Some(beacon(NOW));
        announced.log = Some(public_log());
        announced.tenants.push(ManifestTenant {
            ledger_keys: vec![ledger_key().public()],
            policy: policy(DRAND),
            tables: None,
            tenant: id(DRAND),
        });
        if suite == Suite::Fresh {
            return Self::with_manifests(vec![sign_manifest(&announced)]);
        }
        Self::with_epoch(&announced, epoch_secret())
    }

    /// A casino that has announced and completed an epoch with this secret.
    fn with_epoch(announced: &Manifest, secret: EpochSecret) -> Self {
        let announced = sign_manifest(announced);
        let mut completed = successor(&announced);
        complete(&mut completed);
        let mut casino = Self::with_manifests(vec![announced, sign_manifest(&completed)]);
        casino.keys.add_epoch(EPOCH, secret.clone());
        Self { secret, ..casino }
    }

    /// A casino of the derived suite that deals a catalogue.
    pub fn with_catalogue(catalogue: Catalogue) -> Self {
        let announced = sign_manifest(&announcement_of(&catalogue, Suite::Derived));
        let mut completed = successor(&announced);
        complete(&mut completed);
        let mut casino = Self::with_manifests(vec![announced, sign_manifest(&completed)]);
        casino.context.catalogue = catalogue;
        casino
    }

    /// A casino of the derived suite whose epoch has another secret.
    pub fn with_secret(secret: EpochSecret) -> Self {
        let mut announced = announcement(Suite::Derived);
        announced.epochs[0].commit = Some(epoch_commit(EPOCH, &secret));
        Self::with_epoch(&announced, secret)
    }

    /// A casino of the fresh suite.
    pub fn fresh() -> Self {
        Self::with_manifests(vec![sign_manifest(&announcement(Suite::Fresh))])
    }

    /// A casino that has loaded these manifests.
    pub fn with_manifests(manifests: Vec<RecordEnvelope>) -> Self {
        let root = Root { keys: vec![root_key().public()], threshold: 1 };
        let chain = ManifestChain::load(&root, &manifests).unwrap();
        let mut keys = KeyRing::default();
        keys.add_epoch(EPOCH, epoch_secret());
        keys.add_receipt_key(receipt_key());
        keys.add_token_key(*b"tokenkey", TokenKey::new(token_key()));
        let context = RoundContext { catalogue: Catalogue::shipped(), manifests: chain, root };
        Self { context, keys, manifests, secret: epoch_secret() }
    }

    /// A call of a tenant.
    pub fn call(&self, tenant: &str) -> CallContext {
        CallContext { tenant: id(tenant), now: NOW, permit: std::sync::Arc::default() }
    }

    /// The newest manifest.
    pub fn manifest(&self) -> &RecordEnvelope {
        self.manifests.last().unwrap()
    }

    /// A request to open a round, complete for every policy.
    pub fn open(&self, plan: &RoundPlan) -> OpenRound {
        let coordinates = plan.coordinates();
        let round_id = coordinates.round_id();
        OpenRound {
            epoch: Some(EPOCH),
            manifest: Some(self.manifest().hash()),
            manifest_sequence: Some(self.context.manifests.newest().manifest.seq),
            table: id(&plan.table),
            round_no: plan.round_no,
            ruleset: plan.ruleset.clone(),
            client_commits: plan
                .committed
                .iter()
                .map(|s| (*s, client_commit(&round_id, *s, &client_seed(plan.round_no, *s))))
                .collect(),
            seat_keys: plan.signing.iter().map(|s| (*s, registered_key(*s))).collect(),
            prev: plan.prev.clone(),
            beacon_round: is_external(plan).then_some(plan.round_no),
        }
    }

    /// The ledger's lock of a plan's wagers.
    pub fn lock(&self, plan: &RoundPlan, ticket: &RecordEnvelope) -> RecordEnvelope {
        RecordEnvelope::seal(RecordKind::Lock, &self.lock_payload(plan, ticket), &[&ledger_key()])
    }

    /// The payload of that lock.
    pub fn lock_payload(&self, plan: &RoundPlan, ticket: &RecordEnvelope) -> WagerLock {
        let table = plan.checked();
        let seeds = plan.seeds().collect();
        let round_id = Ticket::parse(ticket.json().unwrap()).unwrap().round_id;
        WagerLock::of_table(ticket.hash(), round_id, &table, seeds)
    }

    /// The actions and the final lock of a plan's decisions.
    pub fn close(
        &self,
        plan: &RoundPlan,
        dealt: &DealAnswer,
    ) -> (Vec<RecordEnvelope>, RecordEnvelope) {
        let house_way = self.context.catalogue.game_named(&plan.ruleset).unwrap().house_way_hash;
        let deal = dealt.records[2].hash();
        let actions: Vec<RecordEnvelope> = plan
            .decisions(dealt)
            .into_iter()
            .map(|(seat, decision)| {
                let action = Action { decision, prev: deal, seat };
                let key = seat_key(seat);
                let keys: &[&SecretKey] = if plan.signing.contains(&seat) { &[&key] } else { &[] };
                RecordEnvelope::seal(RecordKind::Action, &action.to_json(&house_way), keys)
            })
            .collect();
        let lock = CloseLock::Final {
            absent: Vec::new(),
            actions: actions.iter().map(RecordEnvelope::hash).collect(),
            prev: deal,
            round_id: dealt.round_id,
            supersedes: Vec::new(),
        };
        let lock = RecordEnvelope::seal(RecordKind::Lock, &lock, &[&ledger_key()]);
        (actions, lock)
    }

    /// Opens and deals a planned round as its policy requires.
    pub fn deal(&self, plan: &RoundPlan) -> DealAnswer {
        paigow_engine::deal(
            &self.context,
            &self.keys,
            &self.call(&plan.tenant),
            &self.deal_request(plan),
            &mut entropy(plan),
        )
        .unwrap()
    }

    /// The request of that deal.
    pub fn deal_request(&self, plan: &RoundPlan) -> Deal {
        let call = self.call(&plan.tenant);
        let open = self.open(plan);
        let opened =
            paigow_engine::open_round(&self.context, &self.keys, &call, &open, &mut entropy(plan))
                .unwrap();
        if policy(&plan.tenant).lock_required {
            let lock = self.lock(plan, &opened.ticket);
            return Deal {
                start: DealStart::Ticket(opened.ticket),
                wagers: Wagers::Lock(lock),
                beacon_signature: is_external(plan).then(|| beacon_signature(plan.round_no)),
            };
        }
        let start = if plan.committed.is_empty() {
            DealStart::Open(Box::new(open))
        } else {
            DealStart::Ticket(opened.ticket)
        };
        let (sheet, client_seeds) = (plan.sheet.clone(), plan.client_seeds());
        Deal { start, wagers: Wagers::Sheet { sheet, client_seeds }, beacon_signature: None }
    }

    /// The request that settles a dealt round.
    pub fn settle_request(&self, plan: &RoundPlan, dealt: &DealAnswer) -> Settle {
        let decisions = if policy(&plan.tenant).lock_required {
            let (actions, lock) = self.close(plan, dealt);
            SeatDecisions::Locked { actions, lock }
        } else {
            SeatDecisions::Typed(plan.decisions(dealt))
        };
        Settle::new(dealt.records.to_vec(), decisions)
    }

    /// Settles a dealt round.
    pub fn settle(&self, plan: &RoundPlan, dealt: &DealAnswer) -> SettleAnswer {
        let request = self.settle_request(plan, dealt);
        paigow_engine::settle(&self.context, &self.keys, &self.call(&plan.tenant), &request)
            .unwrap()
    }

    /// The request that voids a round from the records given.
    pub fn void_request(
        &self,
        plan: &RoundPlan,
        records: &[RecordEnvelope],
        reason: VoidReason,
    ) -> VoidRound {
        let round_id = plan.coordinates().round_id();
        let prev = records.last().unwrap().hash();
        let lock = CloseLock::Void { prev, reason, round_id, supersedes: Vec::new() };
        let lock = policy(&plan.tenant)
            .lock_required
            .then(|| RecordEnvelope::seal(RecordKind::Lock, &lock, &[&ledger_key()]));
        VoidRound::new(records.to_vec(), Some(reason), lock)
    }

    /// Plays a planned round to its end and returns its records after the manifests.
    pub fn play(&self, plan: &RoundPlan) -> Vec<RecordEnvelope> {
        let dealt = self.deal(plan);
        let settled = self.settle(plan, &dealt);
        [dealt.records.as_slice(), &settled.records].concat()
    }

    /// The reveal of the epoch's secret, signed by the engine.
    pub fn reveal(&self) -> RecordEnvelope {
        let reveal =
            paigow_round::record::EpochReveal { epoch: EPOCH, secret: self.secret.clone() };
        RecordEnvelope::seal(RecordKind::EpochReveal, &reveal.to_json(), &[&receipt_key()])
    }
}

/// The entropy of the operating system for a fresh ticket: here a function of the plan.
pub fn entropy(
    plan: &RoundPlan,
) -> impl FnMut() -> Result<zeroize::Zeroizing<[u8; 56]>, paigow_round::NoEntropy> {
    entropy_of(plan.round_no)
}

/// The same, by the number of the round.
pub fn entropy_of(
    round_no: u64,
) -> impl FnMut() -> Result<zeroize::Zeroizing<[u8; 56]>, paigow_round::NoEntropy> {
    let (seed, nonce) = (filler(round_no + (1 << 40)), filler(round_no + (1 << 41)));
    move || {
        let byte = |i: usize| if i < 32 { seed[i] } else { nonce[i - 32] };
        Ok(zeroize::Zeroizing::new(std::array::from_fn(byte)))
    }
}

/// The plan of one round: what its players do.
#[derive(Clone, Debug)]
pub struct RoundPlan {
    /// The caller.
    pub tenant: String,
    /// The table.
    pub table: String,
    /// The round.
    pub round_no: u64,
    /// The close of the round before.
    pub prev: Option<RecordEnvelope>,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The wagers.
    pub sheet: WagerSheet,
    /// The seats that commit to a client seed.
    pub committed: Vec<Seat>,
    /// The seats that sign.
    pub signing: Vec<Seat>,
    /// Decides how seats set their hands.
    pub choices: SeededChoices,
}

impl RoundPlan {
    /// A random plan of Mike's that the tenant's policy allows.
    pub fn random(tenant: &str, round_no: u64, prev: Option<RecordEnvelope>, seed: u64) -> Self {
        Self::random_of("mikes", tenant, round_no, prev, seed)
    }

    /// A random plan of one of the shipped rulesets, each in turn.
    pub fn random_of_all(
        tenant: &str,
        round_no: u64,
        prev: Option<RecordEnvelope>,
        seed: u64,
    ) -> Self {
        let all = shipped();
        let turn = usize::try_from(round_no).unwrap() % all.len();
        Self::random_of(all[turn].id(), tenant, round_no, prev, seed)
    }

    /// A random plan of a shipped ruleset that the tenant's policy allows.
    pub fn random_of(
        ruleset: &str,
        tenant: &str,
        round_no: u64,
        prev: Option<RecordEnvelope>,
        seed: u64,
    ) -> Self {
        let mut choices = SeededChoices(seed ^ round_no.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let plan = Self::chosen(ruleset, tenant, round_no, prev, &mut choices);
        Self { choices, ..plan }
    }

    /// A plan of a shipped ruleset that the tenant's policy allows. Its own choices are those of
    /// seed 0.
    pub fn chosen(
        ruleset: &str,
        tenant: &str,
        round_no: u64,
        prev: Option<RecordEnvelope>,
        choices: &mut impl Choices,
    ) -> Self {
        let sheet = sheets::random_sheet_of(ruleset_named(ruleset), choices);
        let mut seats: Vec<Seat> = sheet.wagers.iter().map(|w| w.seat).collect();
        seats.sort();
        seats.dedup();
        let rules = policy(tenant);
        let committed = match rules.client {
            ClientPolicy::None => Vec::new(),
            ClientPolicy::Optional => seats.iter().copied().filter(|_| choices.one_in(2)).collect(),
            ClientPolicy::Committed => seats.clone(),
        };
        let signing = match rules.seat_auth {
            SeatAuth::Off => Vec::new(),
            SeatAuth::Optional => seats.iter().copied().filter(|_| choices.one_in(2)).collect(),
            SeatAuth::Required => seats,
        };
        let (tenant, table) = (tenant.to_owned(), "table-1".to_owned());
        let ruleset = ruleset.to_owned();
        let choices = SeededChoices(0);
        Self { tenant, table, round_no, prev, ruleset, sheet, committed, signing, choices }
    }

    /// The place of the round.
    pub fn coordinates(&self) -> Coordinates {
        Coordinates {
            epoch: EPOCH,
            tenant: id(&self.tenant),
            table: id(&self.table),
            round_no: self.round_no,
        }
    }

    /// The seeds of the seats that committed to one.
    fn seeds(&self) -> impl Iterator<Item = (Seat, Vec<u8>)> {
        self.committed.iter().map(|seat| (*seat, client_seed(self.round_no, *seat)))
    }

    /// The seeds as a typed sheet has them: each at the first wager of its seat.
    pub fn client_seeds(&self) -> Vec<(usize, Vec<u8>)> {
        let first = |seat| self.sheet.wagers.iter().position(|wager| wager.seat == seat);
        self.seeds().filter_map(|(seat, seed)| Some((first(seat)?, seed))).collect()
    }

    /// The wagers as the ruleset takes them.
    pub fn checked(&self) -> WagerTable {
        ruleset_named(&self.ruleset).check(&self.sheet).unwrap()
    }

    /// The decisions on the cards dealt: house way, or any cards, fouls included.
    pub fn decisions(&self, dealt: &DealAnswer) -> Vec<(Seat, Decision)> {
        let mut choices = self.choices.clone();
        let (ruleset, table) = (ruleset_named(&self.ruleset), self.checked());
        let seats = table.seats().map(|(seat, _)| seat);
        seats
            .filter(|seat| table.base_stake(*seat).is_some())
            .map(|seat| {
                let hand = &dealt.hands[seat];
                let decision = sheets::random_decision(ruleset, &table, seat, hand, &mut choices);
                (seat, decision)
            })
            .collect()
    }
}

fn ruleset_named(id: &str) -> &'static Ruleset {
    shipped().iter().find(|ruleset| ruleset.id() == id).unwrap()
}

/// A sheet of Mike's of 1 to 6 seats, some with bonus bets only, and a bank that may not
/// cover them.
pub fn random_sheet(choices: &mut SeededChoices) -> WagerSheet {
    sheets::random_sheet_of(ruleset_named("mikes"), choices)
}
