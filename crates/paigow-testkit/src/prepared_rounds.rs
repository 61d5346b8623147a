//! Each `Prepare` call refuses what its call refuses, and its call accepts the prepared records once
//! they are signed.
//!
//! Random rounds with random mistakes. A refusal of one side is compared with the other: the same
//! reason, or one that the contract excepts.

use std::collections::BTreeMap;
use std::fmt::Debug;

use paigow_engine::{PreparedSettlement, SecretKey};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{AbsentPolicy, Suite};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::seed::client_commit;
use paigow_fairness::signature::Signer as _;
use paigow_round::record::{Action, CloseLock, WagerLock};
use paigow_round::{
    CallContext, Deal, DealStart, OpenRound, PrepareDeal, PrepareSettle, Reason, Refusal,
    SeatDecisions, Settle, SpentLock, VoidReason, VoidRound, VoidStart, Wagers,
};
use paigow_rules::cards::{Card, Seat};
use paigow_rules::game::{Currency, Decision, SettingChoice, WagerSheet};
use sha2::{Digest as _, Sha256};

use crate::casino::sheets::pick;
use crate::casino::{
    Casino, Choices, OPEN_FROM, OPEN_UNTIL, RoundPlan, SETTLE_UNTIL, SeededChoices, TENANTS,
    announcement, complete, entropy, filler, id, key, ledger_key, policy, registered_key, seat,
    seat_key, sign_manifest, successor,
};
use crate::contract_reasons::{assert_listed, excepted};

/// A casino whose seats may register the clause for absence.
pub fn casino() -> Casino {
    let mut announced = announcement(Suite::Derived);
    for tenant in &mut announced.tenants {
        if policy(tenant.tenant.as_str()).seat_auth != paigow_fairness::manifest::SeatAuth::Off {
            tenant.policy.absent = AbsentPolicy::Optional;
        }
    }
    let announced = sign_manifest(&announced);
    let mut completed = successor(&announced);
    complete(&mut completed);
    Casino::with_manifests(vec![announced, sign_manifest(&completed)])
}

/// How often a step was prepared, refused by both sides, and excepted.
#[derive(Debug, Default)]
pub struct Tally(pub BTreeMap<(&'static str, &'static str), u32>);

impl Tally {
    fn add(&mut self, call: &'static str, outcome: &'static str) {
        *self.0.entry((call, outcome)).or_default() += 1;
    }

    /// Compares the prepared records with the answer of the call.
    fn hold<P: Debug, C>(
        &mut self,
        call: &'static str,
        prepared: &Result<P, Refusal>,
        called: &Result<C, Refusal>,
    ) {
        let prepare = match call {
            "OpenRound" => "PrepareOpen",
            "Deal" => "PrepareDeal",
            "Settle" => "PrepareSettle",
            "VoidRound" => "PrepareVoid",
            _ => panic!("{call}"),
        };
        match (prepared, called) {
            (Ok(_), Ok(_)) => self.add(call, "prepared"),
            (Err(refusal), Err(called)) if excepted(prepare).contains(called.reason.as_str()) => {
                assert_listed(prepare, refusal.reason.as_str());
                self.add(call, "excepted");
            }
            (Err(prepared), Err(called)) => {
                assert_listed(prepare, prepared.reason.as_str());
                assert_eq!(prepared.reason, called.reason, "{prepared:?}\n{called:?}");
                self.add(call, prepared.reason.as_str());
            }
            (Ok(_), Err(called)) => {
                let reason = called.reason.as_str();
                assert!(excepted(prepare).contains(reason), "{prepare} is silent of {called:?}");
                self.add(call, "excepted");
            }
            (Err(prepared), Ok(_)) => panic!("{call} takes what {prepare} refuses: {prepared:?}"),
        }
    }
}

/// The record with a signature beside it, as the engine writes it into the envelope.
fn signed(unsigned: &RecordEnvelope, key: &SecretKey) -> RecordEnvelope {
    let mut record = unsigned.clone();
    record.attach(&key.public(), &key.sign(unsigned.to_sign())).unwrap();
    assert_eq!(record.hash(), unsigned.hash());
    record
}

/// A round in play, with all its parties.
struct Play<'a, C> {
    casino: &'a Casino,
    plan: RoundPlan,
    call: CallContext,
    choices: C,
    tally: &'a mut Tally,
}

impl<C: Choices> Play<'_, C> {
    fn errs(&mut self) -> bool {
        self.choices.one_in(3)
    }

    /// The time of one call: mostly the usual one, sometimes another.
    fn now(&mut self) -> CallContext {
        let times = [OPEN_FROM - 1, OPEN_UNTIL, SETTLE_UNTIL, self.call.now];
        let at = if self.choices.one_in(8) { pick(&mut self.choices, 4) } else { 3 };
        CallContext { now: times[at], ..self.call.clone() }
    }

    fn round(&mut self) {
        let Some((open, ticket)) = self.opened() else { return };
        if self.choices.one_in(6) {
            return self.voided(&[ticket], &open, &[]);
        }
        let Some(dealt) = self.dealt(&ticket) else {
            return self.voided(&[ticket], &open, &[]);
        };
        let spent = self.spent(&dealt);
        if self.choices.one_in(4) {
            let shown = 1 + pick(&mut self.choices, 3);
            return self.voided(&dealt[..shown], &open, &spent);
        }
        self.settled(&dealt, &spent);
    }

    fn opened(&mut self) -> Option<(OpenRound, RecordEnvelope)> {
        let Casino { context, keys, .. } = self.casino;
        let mut open = self.casino.open(&self.plan);
        for (_, key) in &mut open.seat_keys {
            key.house_way_if_absent = self.choices.one_in(2);
        }
        if self.errs() {
            self.mistake_opening(&mut open);
        }
        let call = self.now();
        let mut bare = open.clone();
        bare.client_commits.clear();
        let prepared = paigow_engine::prepare_open(context, keys, &call, &open);
        let called =
            paigow_engine::open_round(context, keys, &call, &open, &mut entropy(&self.plan));
        // Only the call needs the commitments.
        if open.client_commits.is_empty()
            && called.as_ref().is_err_and(|refusal| refusal.reason == Reason::ClientCommit)
        {
            assert!(prepared.is_ok() || call.now != self.call.now, "{prepared:?}");
            self.tally.add("OpenRound", "uncommitted");
            return None;
        }
        self.tally.hold("OpenRound", &prepared, &called);
        let (prepared, called) = (prepared.ok()?, called.ok()?);
        (self.plan.table, self.plan.round_no) = (open.table.to_string(), open.round_no);
        self.plan.signing = open.seat_keys.iter().map(|(seat, _)| *seat).collect();
        // The commitments follow from the answer, and do not change it.
        let again = paigow_engine::prepare_open(context, keys, &call, &bare).unwrap();
        assert_eq!(format!("{again:?}"), format!("{prepared:?}"));
        assert_eq!(prepared.round_id, called.round_id);
        for (seat, prefix) in &prepared.commit_prefixes {
            let seed = filler(u64::from(seat.number()));
            let digest = Sha256::new().chain_update(prefix).chain_update(seed).finalize();
            assert_eq!(&digest[..], client_commit(&called.round_id, seat, &seed).as_bytes());
        }
        Some((open, called.ticket))
    }

    fn mistake_opening(&mut self, open: &mut OpenRound) {
        let other: Identifier = id("elsewhere");
        match self.choices.below(11) {
            0 => open.epoch = Some(99),
            1 => open.epoch = None,
            2 => open.manifest = None,
            3 => open.manifest = Some(Hash::ZERO),
            4 => open.ruleset = "no-such-game".to_owned(),
            5 => open.client_commits.push((seat(7), Hash::ZERO)),
            6 => open.client_commits.clear(),
            7 => open.seat_keys.push((seat(1), registered_key(seat(1)))),
            8 => {
                let clause = self.choices.one_in(2);
                let key = paigow_fairness::ticket::SeatKey {
                    key: ledger_key().public(),
                    house_way_if_absent: clause,
                };
                open.seat_keys.push((seat(2), key));
            }
            9 => (open.table, open.round_no) = (other, 5),
            _ => open.prev = Some(self.casino.manifest().clone()),
        }
    }

    fn dealt(&mut self, ticket: &RecordEnvelope) -> Option<[RecordEnvelope; 3]> {
        let Casino { context, keys, .. } = self.casino;
        let (mut sheet, mut client_seeds) = (self.plan.sheet.clone(), self.plan.client_seeds());
        if self.errs() {
            self.mistake_sheet(&mut sheet, &mut client_seeds);
        }
        let ticket = if self.choices.one_in(20) {
            signed(&RecordEnvelope::unsigned(RecordKind::Ticket, &ticket.json().unwrap()), &key(9))
        } else {
            ticket.clone()
        };
        let call = self.now();
        let asked = PrepareDeal {
            ticket: ticket.clone(),
            sheet: sheet.clone(),
            client_seeds: client_seeds.clone(),
        };
        let prepared = paigow_engine::prepare_deal(context, keys, &call, &asked);
        let wagers = if policy(&self.plan.tenant).lock_required {
            let own = lock_of(&ticket, &self.plan, &sheet, &client_seeds);
            // An independent lock has the same content, if one can be made.
            if let (Ok(prepared), true) = (&prepared, sheet == self.plan.sheet) {
                assert_eq!(prepared.payload(), own.payload());
            }
            let lock = prepared.as_ref().map_or(own, Clone::clone);
            Wagers::Lock(signed(&lock, &ledger_key()))
        } else {
            Wagers::Sheet { sheet, client_seeds }
        };
        let deal = Deal { start: DealStart::Ticket(ticket), wagers, beacon_signature: None };
        let called = paigow_engine::deal(context, keys, &call, &deal, &mut entropy(&self.plan));
        self.tally.hold("Deal", &prepared, &called);
        let (prepared, called) = (prepared.ok()?, called.ok()?);
        assert_eq!(called.records[1].hash(), prepared.hash());
        Some(called.records)
    }

    fn mistake_sheet(&mut self, sheet: &mut WagerSheet, seeds: &mut Vec<(usize, Vec<u8>)>) {
        let at = pick(&mut self.choices, sheet.wagers.len());
        match self.choices.below(10) {
            0 => sheet.wagers[at].amount_minor = 1,
            1 => sheet.wagers[at].amount_minor = 900_000_000_000_000,
            2 => sheet.wagers[at].bet = "no-such-bet".into(),
            3 => sheet.currency = Currency::new("XTS", 3).unwrap(),
            4 => sheet.facts.action_pile = None,
            5 => sheet.facts.banker_seat = Some(seat(6)),
            6 => sheet.facts.table_min_minor = Some(1_000_000),
            7 => {
                seeds.pop();
            }
            8 => seeds.iter_mut().for_each(|(_, seed)| seed[0] ^= 1),
            _ => sheet.wagers.clear(),
        }
        seeds.retain(|(place, _)| *place < sheet.wagers.len());
    }

    /// The seats that decide, each with its cards.
    fn hands(&self, records: &[RecordEnvelope]) -> BTreeMap<Seat, Vec<Card>> {
        let deal = records[2].json().unwrap();
        let deal = paigow_round::record::DealRecord::parse(deal).unwrap();
        let table = self.plan.checked();
        let with_base = deal.visible.into_iter();
        with_base.filter(|(seat, _)| table.base_stake(*seat).is_some()).collect()
    }

    /// Final locks that the ledger signed before: none, one that is spent, or one that is not.
    fn spent(&mut self, records: &[RecordEnvelope]) -> Vec<SpentLock> {
        if !policy(&self.plan.tenant).lock_required || !self.choices.one_in(3) {
            return Vec::new();
        }
        let mut hands = self.hands(records).into_keys();
        let Some(first) = hands.next() else { return Vec::new() };
        // A lock without actions is spent if a seat decides. With all actions it can settle.
        let seats: Vec<Seat> =
            if self.choices.one_in(4) { hands.chain([first]).collect() } else { vec![first] };
        let mut seats = if self.choices.one_in(4) { Vec::new() } else { seats };
        seats.sort_unstable();
        let decisions: Vec<(Seat, Decision)> =
            seats.into_iter().map(|seat| (seat, by_house_way(false))).collect();
        let (actions, lock) = self.close_of(records, &decisions, &[], &[]);
        let (actions, lock) = (self.seats_sign(&actions, &[]), signed(&lock, &ledger_key()));
        let mut spent = vec![SpentLock { actions, lock }];
        if self.choices.one_in(3) {
            // Another lock, which keeps no action.
            let (_, lock) = self.close_of(records, &[], &[], &spent);
            spent.push(SpentLock { actions: Vec::new(), lock: signed(&lock, &ledger_key()) });
        }
        spent
    }

    fn settled(&mut self, records: &[RecordEnvelope; 3], spent: &[SpentLock]) {
        let Casino { context, keys, .. } = self.casino;
        let hands = self.hands(records);
        let mut decisions: Vec<(Seat, Decision)> = Vec::new();
        let mut absent: Vec<Seat> = Vec::new();
        for (seat, cards) in &hands {
            if self.choices.one_in(6) {
                absent.push(*seat);
            } else {
                decisions.push((*seat, self.decision(cards)));
            }
        }
        if self.errs() {
            self.mistake_decisions(&mut decisions, &mut absent);
        }
        let call = self.now();
        let asked = PrepareSettle {
            records: records.to_vec(),
            decisions: decisions.clone(),
            absent_seats: absent.clone(),
            spent: spent.to_vec(),
        };
        let prepared = paigow_engine::prepare_settle(context, keys, &call, &asked);
        let own = self.close_of(records, &decisions, &absent, spent);
        let (actions, lock) = match &prepared {
            Ok(PreparedSettlement { actions, lock: Some(lock), undecided_seats }) => {
                assert!(undecided_seats.is_empty());
                let actions: Vec<_> = actions.values().cloned().collect();
                // This side writes the same lock from the same decisions.
                assert_eq!(lock.payload(), own.1.payload());
                (actions, lock.clone())
            }
            Ok(PreparedSettlement { actions, lock: None, undecided_seats }) => {
                let decided = |seat: &Seat| actions.get(*seat).is_some();
                let left: Vec<Seat> = hands.keys().copied().filter(|s| !decided(s)).collect();
                assert_eq!((undecided_seats, left.is_empty()), (&left, false));
                own
            }
            Err(_) => own,
        };
        let decided: Vec<Seat> = decisions.iter().map(|(seat, _)| *seat).collect();
        // A policy without locks accepts actions too, and requires them of seats that sign.
        let has_keys = !self.plan.signing.is_empty() || !absent.is_empty();
        let decisions = if has_keys || policy(&self.plan.tenant).lock_required {
            let actions = self.seats_sign(&actions, &absent);
            SeatDecisions::Locked { actions, lock: signed(&lock, &ledger_key()) }
        } else {
            SeatDecisions::Typed(decisions)
        };
        let settle = Settle { spent: spent.to_vec(), ..Settle::new(records.to_vec(), decisions) };
        let called = paigow_engine::settle(context, keys, &call, &settle);
        let left_out = [Reason::DecisionMissing, Reason::DecisionDropped];
        let is_decided = |seat: &Seat| decided.contains(seat) || absent.contains(seat);
        if !hands.keys().all(is_decided)
            && called.as_ref().is_err_and(|refusal| left_out.contains(&refusal.reason))
        {
            // Only the call refuses a missing seat, or a missing earlier decision of a seat.
            assert!(prepared.is_err() || prepared.is_ok_and(|prepared| prepared.lock.is_none()));
            return self.tally.add("Settle", "undecided");
        }
        self.tally.hold("Settle", &prepared, &called);
    }

    fn decision(&mut self, cards: &[Card]) -> Decision {
        if self.choices.one_in(2) {
            return by_house_way(false);
        }
        let mut low = cards[..cards.len() - 5].to_vec();
        low.sort_unstable();
        Decision { setting: SettingChoice::Low(low), double_down: false }
    }

    fn mistake_decisions(&mut self, decisions: &mut Vec<(Seat, Decision)>, absent: &mut Vec<Seat>) {
        if decisions.is_empty() {
            return;
        }
        let at = pick(&mut self.choices, decisions.len());
        match self.choices.below(7) {
            0 => {
                decisions.remove(at);
            }
            1 => decisions[at].1.double_down = true,
            2 => {
                decisions[at].1.setting =
                    SettingChoice::Low(Card::from_number(3).into_iter().collect())
            }
            3 => {
                let low = [5, 9].into_iter().filter_map(Card::from_number).collect();
                decisions[at].1.setting = SettingChoice::Low(low);
            }
            4 => {
                let twice = decisions[at].clone();
                decisions.insert(at, twice);
            }
            5 => {
                let none = Seat::players(7).find(|s| decisions.iter().all(|(seat, _)| seat != s));
                let none = none.filter(|seat| !absent.contains(seat));
                decisions.extend(none.map(|seat| (seat, by_house_way(false))));
                decisions.sort_by_key(|(seat, _)| *seat);
            }
            _ => absent.push(decisions[at].0),
        }
        absent.sort_unstable();
    }

    fn voided(&mut self, records: &[RecordEnvelope], open: &OpenRound, spent: &[SpentLock]) {
        let Casino { context, keys, .. } = self.casino;
        let mut records = records.to_vec();
        if self.choices.one_in(8) {
            records.push(records[0].clone());
        }
        let last = records.last().unwrap().hash();
        let start = if records.len() == 1 && self.choices.one_in(2) {
            VoidStart::Open(Box::new(open.clone()))
        } else {
            VoidStart::Records(records)
        };
        let call = self.now();
        let reason = VoidReason::ALL[pick(&mut self.choices, 5)];
        let mut void = VoidRound {
            start,
            reason: Some(reason),
            lock: None,
            spent: spent.to_vec(),
            revoking_manifest: None,
        };
        let prepared = paigow_engine::prepare_void(context, keys, &call, &void);
        let own = CloseLock::Void {
            prev: last,
            reason,
            round_id: self.plan.coordinates().round_id(),
            supersedes: spent.iter().map(|spent| spent.lock.hash()).collect(),
        };
        let own = RecordEnvelope::unsigned(RecordKind::Lock, &own);
        if let Ok(prepared) = &prepared {
            assert_eq!(prepared.lock.payload(), own.payload());
        }
        void.lock = Some(signed(&own, &ledger_key()));
        let called = paigow_engine::void_round(context, keys, &call, &void);
        self.tally.hold("VoidRound", &prepared, &called);
        if let (Ok(prepared), Ok(called)) = (prepared, called) {
            assert_eq!(prepared.returns, called.returns);
        }
    }

    /// Actions and final lock as this side writes them, unsigned.
    fn close_of(
        &self,
        records: &[RecordEnvelope],
        decisions: &[(Seat, Decision)],
        absent: &[Seat],
        spent: &[SpentLock],
    ) -> (Vec<RecordEnvelope>, RecordEnvelope) {
        let game = self.casino.context.catalogue.game_named(&self.plan.ruleset).unwrap();
        let prev = records[2].hash();
        let mut all: Vec<(Seat, Decision)> = decisions.to_vec();
        all.extend(absent.iter().map(|seat| (*seat, by_house_way(false))));
        all.sort_by_key(|(seat, _)| *seat);
        let actions: Vec<RecordEnvelope> = all
            .into_iter()
            .map(|(seat, decision)| {
                let action = Action { decision, prev, seat }.to_json(&game.house_way_hash);
                RecordEnvelope::unsigned(RecordKind::Action, &action)
            })
            .collect();
        let lock = CloseLock::Final {
            absent: absent.to_vec(),
            actions: actions.iter().map(RecordEnvelope::hash).collect(),
            prev,
            round_id: self.plan.coordinates().round_id(),
            supersedes: spent.iter().map(|spent| spent.lock.hash()).collect(),
        };
        let lock = RecordEnvelope::unsigned(RecordKind::Lock, &lock);
        (actions, lock)
    }

    /// The actions, each signed by its seat if the seat has a key and is present.
    fn seats_sign(&self, actions: &[RecordEnvelope], absent: &[Seat]) -> Vec<RecordEnvelope> {
        let sign = |action: &RecordEnvelope| {
            let (read, _) = Action::parse(action.json().unwrap()).unwrap();
            let signs = self.plan.signing.contains(&read.seat) && !absent.contains(&read.seat);
            if signs { signed(action, &seat_key(read.seat)) } else { action.clone() }
        };
        actions.iter().map(sign).collect()
    }
}

fn by_house_way(double_down: bool) -> Decision {
    Decision { setting: SettingChoice::HouseWay, double_down }
}

/// The lock of a sheet as this side writes it: its wagers by seat, unchanged.
fn lock_of(
    ticket: &RecordEnvelope,
    plan: &RoundPlan,
    sheet: &WagerSheet,
    seeds: &[(usize, Vec<u8>)],
) -> RecordEnvelope {
    let lock = WagerLock {
        prev: ticket.hash(),
        round_id: plan.coordinates().round_id(),
        client_seeds: seeds.iter().map(|(at, s)| (sheet.wagers[*at].seat, s.clone())).collect(),
        seats: sheet.wagers.iter().map(|wager| (wager.seat, ())).collect(),
        wagers: sheet.wagers.clone(),
        currency: sheet.currency.clone(),
        facts: sheet.facts.clone(),
    };
    RecordEnvelope::unsigned(RecordKind::Lock, &lock)
}

/// Plays one round of a casino, which may have mistakes.
///
/// # Panics
///
/// If a `Prepare` call and its call do not agree.
pub fn play_round(casino: &Casino, plan: RoundPlan, choices: impl Choices, tally: &mut Tally) {
    let call = casino.call(&plan.tenant);
    Play { casino, plan, call, choices, tally }.round();
}

/// Plays one round of each tenant, by a seed.
///
/// # Panics
///
/// As [`play_round`].
pub fn play(seed: u64, tally: &mut Tally) {
    let casino = casino();
    let mut choices = SeededChoices(seed);
    for (turn, tenant) in TENANTS.into_iter().enumerate() {
        let round_no = u64::try_from(turn).unwrap() + choices.below(14) * 5;
        let mut plan = RoundPlan::random_of_all(tenant, round_no, None, choices.next());
        plan.round_no = 1;
        let own = SeededChoices(choices.next());
        play_round(&casino, plan, own, tally);
    }
}
