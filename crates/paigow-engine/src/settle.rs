//! `Settle`: decisions in, all secrets of the round out (D12). `PrepareSettle`: writes the records
//! to be signed.

use std::collections::BTreeMap;

use super::deal::{DealtRound, deal_round, derive, derived_from};
use super::deck_mismatch;
use super::server_seed;
use super::signing;
use super::spent::SpentLocks;
use crate::KeyRing;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::manifest::SeatAuth;
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::{RoundSeed, ServerSeed};
use paigow_fairness::vrf::VrfProof;
use paigow_round::RoundContext;
use paigow_round::decisions;
use paigow_round::manifest_conditions::{self, EpochPurpose};
use paigow_round::record::{Action, CloseLock, DealRecord, Lock, SettleRecord, SettledRecord};
use paigow_round::refusal::{FactKey, Reason, Refusal, Refusals};
use paigow_round::request::{CallContext, PrepareSettle, SeatDecisions, Settle};
use paigow_round::results::results_json;
use paigow_round::round::{LockedRound, Round, RoundFacts, expect_link, is_signed_action};
use paigow_round::spent::{DecisionTerms, absent_fault};
use paigow_rules::cards::{BySeat, Card, Seat};
use paigow_rules::game::{Decision, DecisionRule, SettingChoice, Settlement};

/// The content of a settled round. Its `Debug` prints no seed and no card.
#[derive(Clone)]
pub struct SettledRound {
    /// The cards of position 0, in dealt order.
    pub dealer: Vec<Card>,
    /// The whole deck.
    pub deck: Vec<Card>,
    /// The wins and losses.
    pub settlement: Settlement,
    /// The content hash of the house way that set hands.
    pub house_way: Hash,
    /// The server seed, revealed.
    pub server_seed: ServerSeed,
    /// The round seed, revealed.
    pub round_seed: RoundSeed,
    /// The proof of the server seed, in the vrf suite.
    pub seed_proof: Option<VrfProof>,
}

impl std::fmt::Debug for SettledRound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SettledRound").finish_non_exhaustive()
    }
}

/// A settled round.
#[derive(Clone, Debug)]
pub struct SettleAnswer {
    /// The public id of the round.
    pub round_id: Hash,
    /// The public facts of the round, for metrics.
    pub facts: RoundFacts,
    /// Each spent lock behind its actions; then actions, lock and settle.
    pub records: Vec<RecordEnvelope>,
    /// All that the round shows.
    pub settled: SettledRound,
}

/// The actions of a round and the final lock over them, to be signed.
#[derive(Clone, Debug)]
pub struct PreparedSettlement {
    /// The actions of the seats that have decided or are absent, unsigned.
    pub actions: BySeat<RecordEnvelope>,
    /// The lock with step `final`, unsigned; [`None`] while seats are undecided.
    pub lock: Option<RecordEnvelope>,
    /// The seats that have to decide and have not, ascending.
    pub undecided_seats: Vec<Seat>,
}

/// Settles a round under the ledger keys of its ticket's manifest, whatever the newest lists. A
/// dealt round ends as it began.
///
/// # Errors
///
/// Returns a fault of the request, a closed gate, or a key that this replica does not hold.
pub fn settle(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &Settle,
) -> Result<SettleAnswer, Refusal> {
    let dealt = DealtRecords::verify(context, keys, call, &request.records)?;
    let spent = SpentLocks::verify(&dealt.round, &dealt.terms(), &request.spent)?;
    let decided = match &request.decisions {
        SeatDecisions::Typed(decisions) => {
            let policy = dealt.round.policy();
            if policy.lock_required {
                return Err(Refusal::of(
                    Reason::LockRequired,
                    "the tenant's policy requires a final lock signed by the ledger",
                ));
            }
            let mut seats = decisions.iter().map(|(seat, _)| seat);
            if let Some(seat) = seats.find(|seat| must_sign(&dealt.round, **seat)) {
                return Err(Refusal::of(
                    Reason::SeatAuthRequired,
                    format!("seat {seat} signs its own action"),
                )
                .with(FactKey::Seat, seat));
            }
            let written = WrittenDecisions::of(&dealt, decisions, &[])?;
            written.locked(&dealt, &spent)
        }
        SeatDecisions::Locked { actions, lock } => verify_locked(&dealt, actions, lock, &spent)?,
    };
    let actions: Vec<Hash> = decided.actions.iter().map(RecordEnvelope::hash).collect();
    spent.pass_count()?;
    spent.pass_kept(|_, kept| actions.contains(kept), |_| "lock".to_owned())?;
    dealt.pass_gates(context, call)?;
    dealt.pass_decisions(&decided.decisions, true, |seat| decided.path(seat))?;
    let mut answer = settle_round(keys, &dealt, decided)?;
    answer.records.splice(..0, spent.into_records());
    Ok(answer)
}

/// Writes the actions of a dealt round, and its final lock once every seat has decided. Checks
/// decisions against the cards that the deal shows. No card of the dealer is derived.
///
/// The function signs nothing. `keys` may be empty: a key that is held recognises its own
/// signatures faster.
///
/// # Errors
///
/// Returns a fault of the request or a closed gate, as [`settle`].
pub fn prepare_settle(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &PrepareSettle,
) -> Result<PreparedSettlement, Refusal> {
    let dealt = DealtRecords::verify(context, keys, call, &request.records)?;
    let spent = SpentLocks::verify(&dealt.round, &dealt.terms(), &request.spent)?;
    let written = WrittenDecisions::of(&dealt, &request.decisions, &request.absent_seats)?;
    dealt.pass_absent(&written.absent)?;
    spent.pass_count()?;
    // A seat that has not decided yet can still keep its earlier decision.
    let is_kept = |seat: Seat, kept: &Hash| {
        written.actions.get(seat).is_none_or(|action| action.hash() == *kept)
    };
    spent.pass_kept(is_kept, |seat| written.path(seat))?;
    dealt.pass_gates(context, call)?;
    dealt.pass_decisions(&written.decisions, false, |seat| written.path(seat))?;
    let with_base = dealt.locked.table.seats().map(|(seat, _)| seat);
    let with_base = with_base.filter(|seat| dealt.locked.table.base_stake(*seat).is_some());
    let undecided_seats: Vec<Seat> =
        with_base.filter(|seat| written.decisions.get(*seat).is_none()).collect();
    let actions = written.actions.clone();
    let lock = undecided_seats.is_empty().then(|| written.locked(&dealt, &spent).lock);
    Ok(PreparedSettlement { actions, lock, undecided_seats })
}

/// The verified records of a dealt round.
struct DealtRecords<'c> {
    round: Round<'c>,
    locked: LockedRound<'c>,
    deal: RecordEnvelope,
    shown: DealRecord,
}

impl<'c> DealtRecords<'c> {
    fn verify(
        context: &'c RoundContext,
        keys: &'c KeyRing,
        call: &CallContext,
        records: &[RecordEnvelope],
    ) -> Result<Self, Refusal> {
        let Some((ticket, rest)) = records.split_first() else {
            return Err(Refusal::at(
                Reason::FieldMissing,
                "records",
                "the records that Deal returned are required",
            ));
        };
        let round = Round::of_ticket(context, keys, call, ticket, "records[0]")?;
        let [lock, deal] = rest else {
            return Err(Refusal::at(
                Reason::Phase,
                "records",
                "a settlement takes ticket, lock and deal, in this order",
            ));
        };
        let wagers = round.verify_wager_lock(lock, "records[1]")?;
        let shown = round.verify_deal(deal, lock, "records[2]")?;
        let locked = round.check_lock(round.game()?, wagers, lock.clone(), "records[1]")?;
        Ok(Self { round, locked, deal: deal.clone(), shown })
    }

    fn terms(&self) -> DecisionTerms<'_> {
        decision_terms(&self.round, &self.locked, &self.deal, &self.shown)
    }

    /// Checks decisions against the rules and the cards shown. A missing decision is a fault only
    /// if all seats have to have decided.
    fn pass_decisions(
        &self,
        decisions: &BySeat<Decision>,
        all_decided: bool,
        path: impl Fn(Seat) -> String,
    ) -> Result<(), Refusal> {
        let LockedRound { game, table, .. } = &self.locked;
        let mut faults = game.ruleset.decision_faults(table, &self.shown.visible, decisions);
        faults.retain(|fault| all_decided || fault.rule != DecisionRule::Missing);
        decisions::pass(&faults, path)
    }

    /// Refuses seats as absent whose tickets do not have the clause.
    fn pass_absent(&self, absent: &BTreeMap<Seat, usize>) -> Result<(), Refusal> {
        let mut refusals = Refusals::default();
        for (seat, place) in absent {
            let key = self.round.ticket.seat_keys.get(seat);
            if !key.is_some_and(|key| key.house_way_if_absent) {
                let what = format!("seat {seat} has no clause for absence in the ticket");
                let field = format!("absent_seats[{place}]");
                let refusal = Refusal::at(Reason::AbsentSeat, field, what);
                refusals.absorb(refusal.with(FactKey::Seat, seat));
            }
        }
        refusals.finish(())
    }

    /// Passes the gates of a settlement: clock and revocation.
    fn pass_gates(&self, context: &RoundContext, call: &CallContext) -> Result<(), Refusal> {
        let (manifests, round) = (&context.manifests, &self.round);
        manifest_conditions::pass(manifests, round.epoch, call.now, EpochPurpose::Play)?;
        let records = [&round.ticket_envelope, &self.deal];
        manifest_conditions::pass_keys(manifests, round.manifest(), &records)
    }
}

/// Whether the action of a seat needs the signature of the seat's key.
fn must_sign(round: &Round<'_>, seat: Seat) -> bool {
    round.ticket.seat_keys.contains_key(&seat) || round.policy().seat_auth == SeatAuth::Required
}

/// Returns the terms that decisions of the round are checked against.
pub(super) fn decision_terms<'a>(
    round: &'a Round<'_>,
    locked: &'a LockedRound<'_>,
    deal: &RecordEnvelope,
    dealt: &'a DealRecord,
) -> DecisionTerms<'a> {
    DecisionTerms {
        game: locked.game,
        table: &locked.table,
        deal: deal.hash(),
        visible: &dealt.visible,
        seat_keys: &round.ticket.seat_keys,
    }
}

/// The decisions of a round with every action and the final lock, verified or written.
struct DecidedRound {
    decisions: BySeat<Decision>,
    actions: Vec<RecordEnvelope>,
    lock: RecordEnvelope,
    /// The path of a seat's decision in the request.
    paths: BTreeMap<Seat, String>,
    /// The list in which the decision of a seat without one belongs.
    list: &'static str,
}

impl DecidedRound {
    fn path(&self, seat: Seat) -> String {
        self.paths.get(&seat).cloned().unwrap_or_else(|| self.list.to_owned())
    }
}

/// Typed decisions, and the actions that state them (D8): unsigned.
struct WrittenDecisions {
    decisions: BySeat<Decision>,
    actions: BySeat<RecordEnvelope>,
    /// The absent seats, each with its place in the request.
    absent: BTreeMap<Seat, usize>,
    paths: BTreeMap<Seat, String>,
}

impl WrittenDecisions {
    /// Writes the actions of `typed`, and of the `absent` seats, whose hands the house way sets.
    fn of(
        dealt: &DealtRecords<'_>,
        typed: &[(Seat, Decision)],
        absent: &[Seat],
    ) -> Result<Self, Refusal> {
        let house_way = Decision { setting: SettingChoice::HouseWay, double_down: false };
        let typed = typed.iter().enumerate().map(|(i, (seat, decision))| {
            (*seat, decision, format!("decisions[{i}]"), format!("decisions[{i}].seat"))
        });
        let by_house_way = absent.iter().enumerate().map(|(i, seat)| {
            (*seat, &house_way, format!("absent_seats[{i}]"), format!("absent_seats[{i}]"))
        });
        let (mut decisions, mut paths) = (BySeat::new(), BTreeMap::new());
        let mut refusals = Refusals::default();
        for (seat, decision, path, field) in typed.chain(by_house_way) {
            if seat.is_dealer() {
                refusals.add(Reason::DecisionUnexpected, field, "position 0 decides nothing");
            } else if decisions.insert(seat, decision.clone()).is_some() {
                let what = "the seat has decided already";
                let refusal = Refusal::at(Reason::TwoActionsOneSeat, field, what);
                refusals.absorb(refusal.with(FactKey::Seat, seat));
            } else {
                paths.insert(seat, path);
            }
        }
        refusals.finish(())?;
        let prev = dealt.deal.hash();
        let house_way_hash = &dealt.locked.game.house_way_hash;
        let actions = decisions.iter().map(|(seat, decision)| {
            let action = Action { decision: decision.clone(), prev, seat };
            let action = action.to_json(house_way_hash);
            (seat, RecordEnvelope::unsigned(RecordKind::Action, &action))
        });
        let actions = actions.collect();
        let absent = absent.iter().enumerate().map(|(place, seat)| (*seat, place)).collect();
        Ok(Self { decisions, actions, absent, paths })
    }

    fn path(&self, seat: Seat) -> String {
        self.paths.get(&seat).cloned().unwrap_or_else(|| "decisions".to_owned())
    }

    /// Writes the final lock over the actions, unsigned.
    fn locked(self, dealt: &DealtRecords<'_>, spent: &SpentLocks) -> DecidedRound {
        let actions: Vec<RecordEnvelope> =
            self.actions.iter().map(|(_, one)| one.clone()).collect();
        let lock = CloseLock::Final {
            absent: self.absent.keys().copied().collect(),
            actions: actions.iter().map(RecordEnvelope::hash).collect(),
            prev: dealt.deal.hash(),
            round_id: dealt.round.ticket.round_id,
            supersedes: spent.hashes().to_vec(),
        };
        let lock = RecordEnvelope::unsigned(RecordKind::Lock, &lock);
        let Self { decisions, paths, .. } = self;
        DecidedRound { decisions, actions, lock, paths, list: "decisions" }
    }
}

/// Verifies action records and the final lock over exactly them.
fn verify_locked(
    dealt: &DealtRecords<'_>,
    actions: &[RecordEnvelope],
    lock: &RecordEnvelope,
    spent: &SpentLocks,
) -> Result<DecidedRound, Refusal> {
    let round = &dealt.round;
    let Lock::Close(CloseLock::Final { absent, actions: covered, prev, supersedes, .. }) =
        round.verify_lock(lock, "lock")?
    else {
        return Err(Refusal::at(Reason::Phase, "lock", "the step of this lock is not final"));
    };
    expect_link(&dealt.deal.hash(), &prev, "lock", "the lock does not follow the deal")?;
    spent.expect(&supersedes, "lock")?;
    let (mut taken, mut paths) = (Vec::new(), BTreeMap::new());
    for (i, envelope) in actions.iter().enumerate() {
        let path = format!("actions[{i}]");
        let action = verify_action(dealt, envelope, &absent, &path)?;
        if let Some(before) = taken.last().map(|before: &Action| before.seat)
            && before >= action.seat
        {
            let seat = action.seat;
            return Err(if taken.iter().any(|before| before.seat == seat) {
                let what = format!("seat {seat} has decided already");
                Refusal::at(Reason::TwoActionsOneSeat, path, what).with(FactKey::Seat, seat)
            } else {
                Refusal::at(Reason::Phase, path, "actions ascend by seat")
            });
        }
        paths.insert(action.seat, path);
        taken.push(action);
    }
    if !covered.iter().eq(actions.iter().map(RecordEnvelope::hash).collect::<Vec<_>>().iter()) {
        return Err(Refusal::at(
            Reason::LockCoversActions,
            "lock",
            "the lock does not cover exactly the actions shown",
        ));
    }
    let by_reference: Vec<&Action> = taken.iter().collect();
    if let Some(seat) = absent_fault(&absent, &by_reference, &round.ticket.seat_keys) {
        let what = format!(
            "seat {seat}: absent needs the clause in the ticket, and an action by house way"
        );
        return Err(Refusal::at(Reason::AbsentSeat, "lock", what).with(FactKey::Seat, seat));
    }
    let decisions = taken.into_iter().map(|action| (action.seat, action.decision)).collect();
    let (actions, lock) = (actions.to_vec(), lock.clone());
    Ok(DecidedRound { decisions, actions, lock, paths, list: "actions" })
}

/// Verifies one action: its seat signed it, unless the final lock lists the seat as absent, and it
/// follows the deal.
fn verify_action(
    dealt: &DealtRecords<'_>,
    envelope: &RecordEnvelope,
    absent: &[Seat],
    path: &str,
) -> Result<Action, Refusal> {
    let round = &dealt.round;
    if envelope.kind() != RecordKind::Action {
        return Err(Refusal::at(Reason::Phase, path, "not an action record"));
    }
    let (action, house_way) =
        envelope
            .json()
            .map_err(PayloadError::from)
            .and_then(Action::parse)
            .map_err(|error| Refusal::at(Reason::Record, path, error.to_string()))?;
    let seat = action.seat;
    let key = round.ticket.seat_keys.get(&seat).map(|seat| seat.key);
    let must_sign = must_sign(round, seat) && !absent.contains(&seat);
    if must_sign && !envelope.is_signed() {
        let what = format!("seat {seat} signs its own action");
        return Err(Refusal::of(Reason::SeatAuthRequired, what).with(FactKey::Seat, seat));
    }
    if !is_signed_action(envelope, key, must_sign, &round.tenant.ledger_keys) {
        return Err(Refusal::at(Reason::BadSignature, path, "not signed by the seat's key"));
    }
    let what = "the action does not follow the deal";
    expect_link(&dealt.deal.hash(), &action.prev, path, what)?;
    if house_way.is_some_and(|hash| hash != dealt.locked.game.house_way_hash) {
        return Err(Refusal::at(Reason::HouseWay, path, "not the house way of the ruleset"));
    }
    Ok(action)
}

fn settle_round(
    keys: &KeyRing,
    dealt: &DealtRecords<'_>,
    decided: DecidedRound,
) -> Result<SettleAnswer, Refusal> {
    let DealtRecords { round, locked, deal, shown } = dealt;
    let (server_seed, seed_proof) = server_seed::proven_of_ticket(keys, round)?;
    let beacon = shown.beacon;
    let derived = derived_from(server_seed, round, locked, beacon.as_ref());
    let DealtRound { dealt, record, .. } = deal_round(round, locked, beacon, &derived)?;
    if record.to_bytes() != deal.payload() {
        let again = derive(keys, round, locked, beacon.as_ref())
            .and_then(|derived| deal_round(round, locked, beacon, &derived))
            .map(|again| again.record.to_bytes());
        return Err(deck_mismatch::of_deal(round, deal, &record, again.ok()));
    }
    let game = locked.game;
    let settlement = game
        .ruleset
        .settle(&game.house_way, &locked.table, &dealt, &decided.decisions)
        .map_err(|error| decisions::refusal(&error, |seat| decided.path(seat)))?;
    let settled = SettledRound {
        dealer: dealt.dealer().to_vec(),
        deck: derived.deck.to_vec(),
        settlement,
        house_way: game.house_way_hash,
        server_seed: derived.server_seed,
        round_seed: derived.round_seed,
        seed_proof,
    };
    let record = SettledRecord {
        deal: deal.hash(),
        dealer: settled.dealer.clone(),
        deck: settled.deck.clone(),
        prev: decided.lock.hash(),
        results: results_json(&settled.settlement, &game.house_way_hash),
        round_id: round.ticket.round_id,
        round_seed: settled.round_seed.clone(),
        seed_proof: settled.seed_proof,
        server_seed: settled.server_seed.clone(),
        ticket: round.ticket_hash,
    };
    let record = SettleRecord::Settled(Box::new(record));
    let settle = signing::sign(keys, round.manifest(), RecordKind::Settle, &record)?;
    let mut records = decided.actions;
    records.extend([decided.lock, settle]);
    let (round_id, facts) = (round.ticket.round_id, round.facts(Some(locked)));
    Ok(SettleAnswer { facts, round_id, records, settled })
}
