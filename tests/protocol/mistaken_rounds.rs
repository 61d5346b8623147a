//! A platform makes every mistake with decisions, and an honest ledger still closes each round.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use paigow_engine::{DealAnswer, SettleAnswer, VoidAnswer};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::{AbsentPolicy, EpochStatus, Suite};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_round::audit::{AuditReport, AuditVerdict, CheckCode, audit};
use paigow_round::record::{Action, CloseLock};
use paigow_round::{
    Catalogue, Deal, DealStart, Reason, Refusal, SeatDecisions, Settle, SpentLock, VoidReason,
    VoidRound, Wagers,
};
use paigow_rules::cards::{Card, Seat};
use paigow_rules::game::{Decision, Ruleset, SettingChoice, WagerTable, shipped};
use paigow_testkit::casino::sheets::{pick, random_decision};
use paigow_testkit::casino::{
    Casino, RoundPlan, SeededChoices, announcement, complete, entropy, key, ledger_key, seat_key,
    sign_manifest, successor,
};
use paigow_testkit::contract_reasons;
use proptest::prelude::*;

/// A casino whose seats may register the clause for absence.
fn casino() -> Casino {
    let mut announced = announcement(Suite::Derived);
    for tenant in &mut announced.tenants {
        if tenant.tenant.as_str() == "seats" || tenant.tenant.as_str() == "strict" {
            tenant.policy.absent = AbsentPolicy::Optional;
        }
    }
    let announced = sign_manifest(&announced);
    let mut completed = successor(&announced);
    complete(&mut completed);
    Casino::with_manifests(vec![announced, sign_manifest(&completed)])
}

/// A mistake of a platform.
#[derive(Clone, Copy, Debug)]
enum Mistake {
    LowOfOthers,
    LowTooLong,
    DoubleDown,
    OtherHouseWay,
    OtherDeal,
    NoAction,
    Missing,
    Extra,
    Twice,
    SameTwice,
    Descending,
    AbsentWithoutClause,
    AbsentWithLow,
    Dropped,
}

const MISTAKES: [Mistake; 14] = [
    Mistake::LowOfOthers,
    Mistake::LowTooLong,
    Mistake::DoubleDown,
    Mistake::OtherHouseWay,
    Mistake::OtherDeal,
    Mistake::NoAction,
    Mistake::Missing,
    Mistake::Extra,
    Mistake::Twice,
    Mistake::SameTwice,
    Mistake::Descending,
    Mistake::AbsentWithoutClause,
    Mistake::AbsentWithLow,
    Mistake::Dropped,
];

/// A decision on its way into a lock.
#[derive(Clone)]
struct Entry {
    seat: Seat,
    record: RecordEnvelope,
    /// Whether it is legal by itself.
    is_legal: bool,
    is_absent: bool,
}

/// A dealt round and everybody at it.
struct DealtTable<'a> {
    casino: &'a Casino,
    plan: RoundPlan,
    clauses: Vec<Seat>,
    dealt: DealAnswer,
    wagers: WagerTable,
    ruleset: &'static Ruleset,
    house_way: Hash,
    choices: SeededChoices,
    /// The locks that the ledger has signed and that settle nothing.
    spent: Vec<SpentLock>,
    /// The entries that a later lock has to keep.
    kept: BTreeMap<Seat, Entry>,
}

impl<'a> DealtTable<'a> {
    fn deal(casino: &'a Casino, plan: RoundPlan, choices: SeededChoices) -> Self {
        let mut choices = choices;
        let mut open = casino.open(&plan);
        let absent = casino.context.manifests.newest().manifest.tenant(&open_tenant(&plan));
        let takes_clause = absent.unwrap().policy.absent != AbsentPolicy::Off;
        let mut clauses = Vec::new();
        for (seat, key) in &mut open.seat_keys {
            key.house_way_if_absent = takes_clause && choices.one_in(2);
            clauses.extend(Some(*seat).filter(|_| key.house_way_if_absent));
        }
        let call = casino.call(&plan.tenant);
        let (context, keys) = (&casino.context, &casino.keys);
        let opened =
            paigow_engine::open_round(context, keys, &call, &open, &mut entropy(&plan)).unwrap();
        let lock = casino.lock(&plan, &opened.ticket);
        let deal = Deal {
            start: DealStart::Ticket(opened.ticket),
            wagers: Wagers::Lock(lock),
            beacon_signature: None,
        };
        let dealt = paigow_engine::deal(context, keys, &call, &deal, &mut entropy(&plan)).unwrap();
        let ruleset = shipped().iter().find(|ruleset| ruleset.id() == plan.ruleset).unwrap();
        let house_way = context.catalogue.game_named(&plan.ruleset).unwrap().house_way_hash;
        let wagers = plan.checked();
        let (spent, kept) = (Vec::new(), BTreeMap::new());
        Self { casino, plan, clauses, dealt, wagers, ruleset, house_way, choices, spent, kept }
    }

    fn deciding(&self) -> Vec<Seat> {
        let seats = self.wagers.seats().map(|(seat, _)| seat);
        seats.filter(|seat| self.wagers.base_stake(*seat).is_some()).collect()
    }

    fn signed(&self, seat: Seat, payload: &Json) -> RecordEnvelope {
        let key = seat_key(seat);
        let signs = self.plan.signing.contains(&seat);
        let keys: &[_] = if signs { &[&key] } else { &[] };
        RecordEnvelope::seal(RecordKind::Action, payload, keys)
    }

    fn payload(&self, seat: Seat, decision: Decision) -> Json<'static> {
        let prev = self.dealt.records[2].hash();
        Action { decision, prev, seat }.to_json(&self.house_way)
    }

    fn entry(&self, seat: Seat, decision: Decision) -> Entry {
        let record = self.signed(seat, &self.payload(seat, decision));
        Entry { seat, record, is_legal: true, is_absent: false }
    }

    /// The decisions as they should be: kept ones, absent seats by house way, and what the
    /// others like.
    fn decisions(&mut self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for seat in self.deciding() {
            if let Some(kept) = self.kept.get(&seat) {
                entries.push(kept.clone());
            } else if self.clauses.contains(&seat) && self.choices.one_in(3) {
                let payload = self.payload(seat, house_way(false));
                let record = RecordEnvelope::unsigned(RecordKind::Action, &payload);
                entries.push(Entry { seat, record, is_legal: true, is_absent: true });
            } else {
                let hand = &self.dealt.hands[seat];
                let choices = &mut self.choices;
                let decision = random_decision(self.ruleset, &self.wagers, seat, hand, choices);
                entries.push(self.entry(seat, decision));
            }
        }
        entries
    }

    /// Makes a mistake. Returns false if it is not a mistake in this round.
    fn err(&mut self, mistake: Mistake, entries: &mut Vec<Entry>, absent: &mut Vec<Seat>) -> bool {
        if entries.is_empty() {
            return false;
        }
        let at = pick(&mut self.choices, entries.len());
        let seat = entries[at].seat;
        // A seat that another mistake brought in has no cards.
        let Some(hand) = self.dealt.hands.get(seat).cloned() else { return false };
        let size = self.ruleset.low_cards();
        let illegal = |record| Entry { seat, record, is_legal: false, is_absent: false };
        match mistake {
            Mistake::LowOfOthers => {
                let other = (0..52).filter_map(Card::from_number);
                let mut low: Vec<Card> =
                    other.filter(|card| !hand.contains(card)).take(size).collect();
                low.sort_unstable();
                let decision = low_hand(low);
                entries[at] = illegal(self.signed(seat, &self.payload(seat, decision)));
            }
            Mistake::LowTooLong => {
                let mut low = hand[..=size].to_vec();
                low.sort_unstable();
                let decision = low_hand(low);
                entries[at] = illegal(self.signed(seat, &self.payload(seat, decision)));
            }
            Mistake::DoubleDown if self.ruleset.double_down().is_none() => {
                let decision = house_way(true);
                entries[at] = illegal(self.signed(seat, &self.payload(seat, decision)));
            }
            Mistake::OtherHouseWay => {
                let prev = self.dealt.records[2].hash();
                let action = Action { decision: house_way(false), prev, seat };
                let payload = action.to_json(&self.dealt.deck_commit);
                entries[at] = illegal(self.signed(seat, &payload));
            }
            Mistake::OtherDeal => {
                let prev = self.dealt.records[0].hash();
                let payload =
                    Action { decision: house_way(false), prev, seat }.to_json(&self.house_way);
                entries[at] = illegal(self.signed(seat, &payload));
            }
            Mistake::NoAction => {
                let payload = Json::obj([("seat", Json::str(seat.to_string()))]);
                entries[at] = illegal(self.signed(seat, &payload));
            }
            Mistake::Missing => {
                entries.remove(at);
            }
            Mistake::Extra => {
                let deciding = self.deciding();
                let Some(extra) = Seat::players(7).find(|seat| !deciding.contains(seat)) else {
                    return false;
                };
                let record = self.signed(extra, &self.payload(extra, house_way(false)));
                let entry = Entry { seat: extra, record, is_legal: false, is_absent: false };
                let place = entries.iter().position(|entry| entry.seat > extra);
                entries.insert(place.unwrap_or(entries.len()), entry);
            }
            Mistake::Twice | Mistake::Dropped => {
                if self.wagers.banker() == Some(seat) {
                    return false;
                }
                let mut low = hand[..size].to_vec();
                low.sort_unstable();
                let mut entry = self.entry(seat, low_hand(low));
                if entry.record.hash() == entries[at].record.hash() {
                    entry = self.entry(seat, house_way(false));
                }
                if matches!(mistake, Mistake::Twice) {
                    entries.insert(at + 1, entry);
                } else if self.kept.contains_key(&seat) {
                    entries[at] = entry;
                } else {
                    return false;
                }
            }
            Mistake::SameTwice => entries.insert(at, entries[at].clone()),
            Mistake::Descending if entries.len() > 1 => entries.reverse(),
            Mistake::AbsentWithoutClause if !self.clauses.contains(&seat) => absent.push(seat),
            Mistake::AbsentWithLow
                if self.clauses.contains(&seat)
                    && self.wagers.banker() != Some(seat)
                    && !self.kept.contains_key(&seat) =>
            {
                let mut low = hand[..size].to_vec();
                low.sort_unstable();
                entries[at] = self.entry(seat, low_hand(low));
                absent.push(seat);
            }
            Mistake::DoubleDown
            | Mistake::Descending
            | Mistake::AbsentWithoutClause
            | Mistake::AbsentWithLow => return false,
        }
        true
    }

    /// The lock that an honest ledger signs: it lists every lock that it has signed before.
    fn final_lock(&self, entries: &[Entry], absent: &[Seat]) -> RecordEnvelope {
        let lock = CloseLock::Final {
            absent: absent.to_vec(),
            actions: entries.iter().map(|entry| entry.record.hash()).collect(),
            prev: self.dealt.records[2].hash(),
            round_id: self.dealt.round_id,
            supersedes: self.superseded(),
        };
        RecordEnvelope::seal(RecordKind::Lock, &lock, &[&ledger_key()])
    }

    fn superseded(&self) -> Vec<Hash> {
        self.spent.iter().map(|spent| spent.lock.hash()).collect()
    }

    fn request(&self, decisions: SeatDecisions) -> Settle {
        Settle { spent: self.spent.clone(), ..Settle::new(self.dealt.records.to_vec(), decisions) }
    }

    fn void_request(&self, lock: RecordEnvelope) -> VoidRound {
        let void = VoidRound::new(self.dealt.records.to_vec(), None, Some(lock));
        VoidRound { spent: self.spent.clone(), ..void }
    }

    fn call(&self, request: &Settle) -> Result<SettleAnswer, Refusal> {
        let call = self.casino.call(&self.plan.tenant);
        let answer = paigow_engine::settle(&self.casino.context, &self.casino.keys, &call, request);
        answer.inspect_err(|refusal| {
            contract_reasons::assert_listed("Settle", refusal.reason.as_str());
        })
    }

    fn call_void(&self, request: &VoidRound) -> Result<VoidAnswer, Refusal> {
        let call = self.casino.call(&self.plan.tenant);
        let Casino { context, keys, .. } = self.casino;
        paigow_engine::void_round(context, keys, &call, request).inspect_err(|refusal| {
            contract_reasons::assert_listed("VoidRound", refusal.reason.as_str());
        })
    }

    fn void(&self) -> VoidAnswer {
        let lock = CloseLock::Void {
            prev: self.dealt.records[2].hash(),
            reason: VoidReason::Operator,
            round_id: self.dealt.round_id,
            supersedes: self.superseded(),
        };
        let lock = RecordEnvelope::seal(RecordKind::Lock, &lock, &[&ledger_key()]);
        let answer = self.call_void(&self.void_request(lock)).unwrap();
        let stakes: i64 = self.plan.sheet.wagers.iter().map(|wager| wager.amount_minor).sum();
        let fees: i64 = self.dealt.fees.values().sum();
        assert_eq!(answer.returns.values().sum::<i64>(), stakes + fees);
        answer
    }

    /// Tries to settle until the round is closed; returns the records that close it.
    fn close(&mut self) -> Vec<RecordEnvelope> {
        for attempt in 0..=8 {
            if attempt == 8 || attempt > 0 && self.choices.one_in(8) {
                return self.void().records;
            }
            let mut entries = self.decisions();
            let mut absent: Vec<Seat> =
                entries.iter().filter(|e| e.is_absent).map(|e| e.seat).collect();
            let mut mistakes = Vec::new();
            while self.choices.one_in(2) && mistakes.len() < 3 {
                let mistake = MISTAKES[pick(&mut self.choices, MISTAKES.len())];
                if self.err(mistake, &mut entries, &mut absent) {
                    mistakes.push(mistake);
                }
            }
            absent.retain(|seat| entries.iter().any(|entry| entry.seat == *seat));
            absent.sort_unstable();
            absent.dedup();
            let lock = self.final_lock(&entries, &absent);
            let actions: Vec<_> = entries.iter().map(|entry| entry.record.clone()).collect();
            let with = |actions: &[RecordEnvelope]| SeatDecisions::Locked {
                actions: actions.to_vec(),
                lock: lock.clone(),
            };
            if mistakes.is_empty() {
                self.without_signatures(&entries, &with);
                self.unspent_is_not_superseded(&entries, &lock);
            }
            let answer = self.call(&self.request(with(&actions)));
            match answer {
                Ok(answer) => return answer.records,
                Err(refusal) => {
                    assert!(!mistakes.is_empty(), "{refusal:?}");
                    assert_ne!(refusal.reason, Reason::BadSignature, "{mistakes:?}");
                }
            }
            for entry in entries.iter().filter(|entry| entry.is_legal) {
                self.kept.entry(entry.seat).or_insert_with(|| entry.clone());
            }
            let mut once: Vec<RecordEnvelope> = Vec::new();
            for action in actions {
                if !once.iter().any(|before| before.hash() == action.hash()) {
                    once.push(action);
                }
            }
            self.spent.push(SpentLock { actions: once, lock });
        }
        unreachable!("the ninth attempt voids")
    }

    /// A signature that is late or wrong is no reason to sign another lock: the same lock settles
    /// when the signature has come.
    fn without_signatures(
        &self,
        entries: &[Entry],
        with: &dyn Fn(&[RecordEnvelope]) -> SeatDecisions,
    ) {
        let Some(at) = entries.iter().position(|entry| entry.record.is_signed()) else { return };
        let payload = entries[at].record.json().unwrap();
        let late = RecordEnvelope::unsigned(RecordKind::Action, &payload);
        let wrong = RecordEnvelope::seal(RecordKind::Action, &payload, &[&key(77)]);
        for (record, reason) in [(late, Reason::SeatAuthRequired), (wrong, Reason::BadSignature)] {
            let mut actions: Vec<_> = entries.iter().map(|entry| entry.record.clone()).collect();
            actions[at] = record;
            let refusal = self.call(&self.request(with(&actions))).unwrap_err();
            assert_eq!(refusal.reason, reason, "{refusal:?}");
        }
    }

    /// A lock that can settle exists: no other may follow it.
    fn unspent_is_not_superseded(&self, entries: &[Entry], lock: &RecordEnvelope) {
        let actions: Vec<_> = entries.iter().map(|entry| entry.record.clone()).collect();
        let mut spent = self.spent.clone();
        spent.push(SpentLock { actions: actions.clone(), lock: lock.clone() });
        if spent.len() > 8 {
            return;
        }
        let next = CloseLock::Void {
            prev: self.dealt.records[2].hash(),
            reason: VoidReason::Operator,
            round_id: self.dealt.round_id,
            supersedes: spent.iter().map(|spent| spent.lock.hash()).collect(),
        };
        let next = RecordEnvelope::seal(RecordKind::Lock, &next, &[&ledger_key()]);
        let request = VoidRound { spent, ..self.void_request(next) };
        let refusal = self.call_void(&request).unwrap_err();
        assert_eq!(refusal.reason, Reason::LockNotSpent, "{refusal:?}");
    }
}

fn open_tenant(plan: &RoundPlan) -> paigow_fairness::encoding::Identifier {
    plan.coordinates().tenant
}

fn house_way(double_down: bool) -> Decision {
    Decision { setting: SettingChoice::HouseWay, double_down }
}

fn low_hand(low: Vec<Card>) -> Decision {
    Decision { setting: SettingChoice::Low(low), double_down: false }
}

/// Plays rounds in a chain with mistakes in them; returns their records, how many locks were
/// spent, and how many rounds were void.
fn play(casino: &Casino, tenant: &str, rounds: u64, seed: u64) -> (Vec<RecordEnvelope>, usize) {
    let (mut records, mut spent) = (Vec::new(), 0);
    let mut prev: Option<RecordEnvelope> = None;
    for round_no in 1..=rounds {
        let plan = RoundPlan::random_of_all(tenant, round_no, prev.take(), seed);
        let choices = SeededChoices(seed ^ round_no);
        let mut table = DealtTable::deal(casino, plan, choices);
        let close = table.close();
        spent += table.spent.len();
        records.extend(table.dealt.records.iter().cloned());
        prev = close.last().cloned();
        records.extend(close);
    }
    (records, spent)
}

fn audited(casino: &Casino, records: &[RecordEnvelope]) -> AuditReport {
    let reveal = casino.reveal();
    let all = casino.manifests.iter().chain(records).chain([&reveal]);
    audit(transcript::write(all).as_bytes(), &casino.terms(), &Catalogue::shipped())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_dealt_round_can_always_be_closed(seed in any::<u64>(), turn in 0_usize..3) {
        let casino = casino();
        let (records, _) = play(&casino, ["locked", "seats", "strict"][turn], 4, seed);
        let report = audited(&casino, &records);
        prop_assert_eq!(report.verdict(), AuditVerdict::Match, "{:?}", report.checks);
    }
}

#[test]
fn the_mistakes_of_the_property_spend_locks() {
    let casino = casino();
    let (records, spent) = play(&casino, "seats", 40, 11);
    assert!(spent > 20, "{spent}");
    let locks = records.iter().filter(|record| record.kind() == RecordKind::Lock).count();
    // One lock of the wagers and one of the close in each round, and the spent ones.
    assert_eq!(locks, 80 + spent);
}

#[test]
#[ignore = "some minutes: the long form"]
fn a_thousand_chains_of_mistaken_rounds_are_closed() {
    let casino = casino();
    for seed in 0..1000 {
        for tenant in ["locked", "seats", "strict"] {
            let (records, _) = play(&casino, tenant, 28, seed);
            let report = audited(&casino, &records);
            assert_eq!(report.verdict(), AuditVerdict::Match, "{seed} {tenant}: {report:?}");
        }
    }
}

#[test]
fn a_good_final_lock_of_a_revoked_epoch_is_superseded_by_a_void_that_names_the_manifest() {
    let casino = casino();
    let plan = RoundPlan::random("locked", 1, None, 5);
    let mut table = DealtTable::deal(&casino, plan, SeededChoices(5));
    let entries = table.decisions();
    let lock = table.final_lock(&entries, &[]);
    let actions: Vec<_> = entries.iter().map(|entry| entry.record.clone()).collect();
    let mut revoking = successor(casino.manifest());
    revoking.epochs[0].status = EpochStatus::Revoked;
    let revoking = sign_manifest(&revoking);
    let mut manifests = casino.manifests.clone();
    manifests.push(revoking.clone());
    let revoked = Casino::with_manifests(manifests);
    table.casino = &revoked;

    let decisions = SeatDecisions::Locked { actions: actions.clone(), lock: lock.clone() };
    let refusal = table.call(&table.request(decisions)).unwrap_err();
    assert_eq!(refusal.reason, Reason::EpochRevoked);

    table.spent.push(SpentLock { actions, lock });
    let void = CloseLock::Void {
        prev: table.dealt.records[2].hash(),
        reason: VoidReason::EpochRevoked,
        round_id: table.dealt.round_id,
        supersedes: table.superseded(),
    };
    let void = RecordEnvelope::seal(RecordKind::Lock, &void, &[&ledger_key()]);
    let mut request = table.void_request(void);
    assert_eq!(table.call_void(&request).unwrap_err().reason, Reason::LockNotSpent);
    request.revoking_manifest = Some(casino.manifest().clone());
    assert_eq!(table.call_void(&request).unwrap_err().reason, Reason::FieldInvalid);
    request.revoking_manifest = Some(revoking);
    let answer = table.call_void(&request).unwrap();

    let records = [table.dealt.records.as_slice(), &answer.records].concat();
    assert_eq!(audited(&revoked, &records).verdict(), AuditVerdict::Match);
    // Without the manifest that revokes the epoch, the lock could still be settled.
    assert_eq!(audited(&casino, &records).code(), Some(CheckCode::Supersedes));
}

#[test]
fn a_lock_of_wagers_that_no_engine_reads_is_voided_with_it() {
    let casino = casino();
    let plan = RoundPlan::random("locked", 1, None, 5);
    let call = casino.call("locked");
    let (context, keys) = (&casino.context, &casino.keys);
    let open = casino.open(&plan);
    let opened =
        paigow_engine::open_round(context, keys, &call, &open, &mut entropy(&plan)).unwrap();
    let unread = Json::obj([("step", Json::str("wagers"))]);
    let lock = RecordEnvelope::seal(RecordKind::Lock, &unread, &[&ledger_key()]);
    let void = CloseLock::Void {
        prev: lock.hash(),
        reason: VoidReason::Operator,
        round_id: plan.coordinates().round_id(),
        supersedes: Vec::new(),
    };
    let void = RecordEnvelope::seal(RecordKind::Lock, &void, &[&ledger_key()]);
    let request = |lock: RecordEnvelope, void: &RecordEnvelope| {
        VoidRound::new(vec![opened.ticket.clone(), lock], None, Some(void.clone()))
    };
    let unsigned = RecordEnvelope::unsigned(RecordKind::Lock, &unread);
    let voided = |request: &VoidRound| paigow_engine::void_round(context, keys, &call, request);
    assert_eq!(voided(&request(unsigned, &void)).unwrap_err().reason, Reason::Record);

    let answer = voided(&request(lock.clone(), &void)).unwrap();
    assert!(answer.returns.is_empty());
    let records = [vec![opened.ticket.clone(), lock], answer.records].concat();
    let report = audited(&casino, &records);
    assert_eq!(report.verdict(), AuditVerdict::Match, "{:?}", report.checks);
    let claim = report.claims.iter().find(|one| one.claim.name == "outcome_recomputed").unwrap();
    assert_eq!(claim.status, paigow_round::audit::ClaimStatus::NotShown);
}

#[test]
fn every_fault_of_spent_locks_is_refused_by_its_name() {
    let casino = casino();
    let plan = RoundPlan::random_of("mikes", "seats", 1, None, 5);
    let mut table = DealtTable::deal(&casino, plan, SeededChoices(5));
    let good = table.decisions();
    let absent: Vec<Seat> = good.iter().filter(|e| e.is_absent).map(|e| e.seat).collect();
    assert!(good.len() > 1, "two seats or more");
    let (first, rest) = good.split_at(1);
    let records = |entries: &[Entry]| -> Vec<RecordEnvelope> {
        entries.iter().map(|entry| entry.record.clone()).collect()
    };
    let spent_absent: Vec<Seat> =
        absent.iter().copied().filter(|seat| *seat == first[0].seat).collect();
    let spent = SpentLock { actions: records(first), lock: table.final_lock(first, &spent_absent) };
    let settle = |table: &DealtTable<'_>, entries: &[Entry], lock: RecordEnvelope| {
        let decisions = SeatDecisions::Locked { actions: records(entries), lock };
        table.call(&table.request(decisions)).unwrap_err()
    };
    let refused = |refusal: &Refusal, reason: Reason, field: &str| {
        assert_eq!(refusal.reason, reason, "{refusal:?}");
        let fields: Vec<&str> = refusal.violations.iter().map(|one| one.field.as_str()).collect();
        assert_eq!(fields, [field], "{refusal:?}");
    };

    // A lock that lists none, and a request that shows one.
    let unlisted = table.final_lock(&good, &absent);
    table.spent.push(spent.clone());
    refused(&settle(&table, &good, unlisted), Reason::Supersedes, "lock");
    // And the other way round.
    let listed = table.final_lock(&good, &absent);
    table.spent.clear();
    refused(&settle(&table, &good, listed.clone()), Reason::Supersedes, "lock");

    // The decision of the first seat was legal by itself.
    let seat = first[0].seat;
    let hand = &table.dealt.hands[seat];
    let size = table.ruleset.low_cards();
    let low = |at: usize| {
        let mut low = hand[at..at + size].to_vec();
        low.sort_unstable();
        table.entry(seat, low_hand(low))
    };
    let others = [low(0), low(1)];
    let other = others.into_iter().find(|one| one.record.hash() != first[0].record.hash());
    let changed = [vec![other.unwrap()], rest.to_vec()].concat();
    let still_absent: Vec<Seat> = absent.iter().copied().filter(|one| *one != seat).collect();
    table.spent.push(spent.clone());
    let lock = table.final_lock(&changed, &still_absent);
    refused(&settle(&table, &changed, lock), Reason::DecisionDropped, "lock");

    // The spent lock: unsigned, without an action, of another step, after another record.
    let mut unsigned = spent.clone();
    unsigned.lock = RecordEnvelope::unsigned(RecordKind::Lock, &spent.lock.json().unwrap());
    table.spent = vec![unsigned];
    let refusal = settle(&table, &good, listed.clone());
    assert_eq!(refusal.reason, Reason::LockRequired, "{refusal:?}");
    table.spent = vec![SpentLock { actions: Vec::new(), ..spent.clone() }];
    refused(&settle(&table, &good, listed.clone()), Reason::LockCoversActions, "spent[0].lock");
    table.spent = vec![SpentLock { lock: table.dealt.records[1].clone(), ..spent.clone() }];
    refused(&settle(&table, &good, listed.clone()), Reason::Phase, "spent[0].lock");
    table.spent = vec![SpentLock { actions: vec![spent.lock.clone()], ..spent.clone() }];
    refused(&settle(&table, &good, listed.clone()), Reason::Phase, "spent[0].actions[0]");

    // A seat that is listed as absent without the clause.
    table.spent = vec![spent];
    let without = good.iter().map(|entry| entry.seat).find(|seat| !table.clauses.contains(seat));
    let mut named = absent.clone();
    named.push(without.unwrap());
    named.sort_unstable();
    let lock = table.final_lock(&good, &named);
    refused(&settle(&table, &good, lock), Reason::AbsentSeat, "lock");

    // Nothing was spent by all of this: the good lock settles.
    let decisions = SeatDecisions::Locked { actions: records(&good), lock: listed };
    assert!(table.call(&table.request(decisions)).is_ok());
}
