//! `Settle`: decisions in, everything revealed (D12).

use std::collections::BTreeMap;

use super::deal::{DealtRound, deal_round, derive};
use super::signing;
use super::spent::SpentLocks;
use super::void::void;
use crate::KeyRing;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::manifest::SeatAuth;
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::{RoundSeed, ServerSeed};
use paigow_round::decisions;
use paigow_round::manifest_conditions::{self, EpochPurpose};
use paigow_round::record::{
    Action, CloseLock, DealRecord, Lock, SettleRecord, SettledRecord, VoidedRecord,
};
use paigow_round::refusal::{Reason, Refusal, Refusals};
use paigow_round::request::{CallContext, Disposition, Settle, SpentLock};
use paigow_round::results::results_json;
use paigow_round::round::{LockedRound, Round, RoundFacts, expect_link, is_signed_action};
use paigow_round::spent::{DecisionTerms, absent_fault};
use paigow_round::{ListedGame, RoundContext};
use paigow_rules::cards::{BySeat, Card, Seat};
use paigow_rules::game::{Decision, Settlement};

/// What a settled round shows. Its `Debug` prints no seed and no card.
#[derive(Clone)]
pub struct SettledRound {
    /// The cards of position 0, in dealt order.
    pub dealer: Vec<Card>,
    /// The whole deck.
    pub deck: Vec<Card>,
    /// What was won and lost.
    pub settlement: Settlement,
    /// The content hash of the house way that set hands.
    pub house_way: Hash,
    /// The server seed, revealed.
    pub server_seed: ServerSeed,
    /// The round seed, revealed.
    pub round_seed: RoundSeed,
}

impl std::fmt::Debug for SettledRound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SettledRound").finish_non_exhaustive()
    }
}

/// How a round was closed. Both are legal outcomes: a void gives every wager back.
#[derive(Clone, Debug)]
pub enum Close {
    /// It was settled, and everything was revealed.
    Settled(Box<SettledRound>),
    /// It was voided, with what goes back to each seat.
    Voided(VoidedRecord),
}

/// A closed round.
#[derive(Clone, Debug)]
pub struct SettleAnswer {
    /// The public id of the round.
    pub round_id: Hash,
    /// What the round is, for those who count.
    pub facts: RoundFacts,
    /// Actions, lock and settle; a void has no actions.
    pub records: Vec<RecordEnvelope>,
    /// How the round was closed.
    pub close: Close,
}

/// Closes a round, under the ledger keys of its ticket's manifest whatever the newest lists:
/// a round that was dealt ends as it began.
///
/// # Errors
///
/// What the request gets wrong, a closed gate, or a key that is not held here.
pub fn settle(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &Settle,
) -> Result<SettleAnswer, Refusal> {
    let Some((ticket, rest)) = request.records.split_first() else {
        return Err(Refusal::at(
            Reason::FieldMissing,
            "records",
            "the records that Deal returned are required",
        ));
    };
    let round = Round::of_ticket(context, call, ticket, "records[0]")?;
    match &request.disposition {
        Disposition::Void { reason, lock } => {
            void(context, keys, call, &round, rest, request, (*reason, lock.as_ref()))
        }
        Disposition::Decided(decisions) => {
            settle_with(context, keys, call, &round, rest, &request.spent, |game, deal, spent| {
                typed_close(&round, game, deal, decisions, spent)
            })
        }
        Disposition::Locked { actions, lock } => {
            settle_with(context, keys, call, &round, rest, &request.spent, |game, deal, spent| {
                verify_close(&round, game, deal, actions, lock, spent)
            })
        }
    }
}

fn settle_with(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    round: &Round<'_>,
    rest: &[RecordEnvelope],
    spent: &[SpentLock],
    close: impl FnOnce(&ListedGame, &RecordEnvelope, &SpentLocks) -> Result<DecidedRound, Refusal>,
) -> Result<SettleAnswer, Refusal> {
    let [lock, deal] = rest else {
        return Err(Refusal::at(
            Reason::Phase,
            "records",
            "a settlement takes ticket, lock and deal, in this order",
        ));
    };
    let wagers = round.verify_wager_lock(lock, "records[1]")?;
    let dealt = round.verify_deal(deal, lock, "records[2]")?;
    let game = round.game()?;
    let locked = round.check_lock(game, wagers, lock.clone(), "records[1]")?;
    let terms = decision_terms(round, &locked, deal, &dealt);
    let spent = SpentLocks::verify(round, &terms, spent)?;
    let close = close(game, deal, &spent)?;
    let actions: Vec<Hash> = close.actions.iter().map(RecordEnvelope::hash).collect();
    spent.pass_final(&actions, "lock")?;
    manifest_conditions::pass(&context.manifests, round.epoch, call.now, EpochPurpose::Play)?;
    let records = [&round.ticket_envelope, deal];
    manifest_conditions::pass_keys(&context.manifests, round.manifest(), &records)?;
    let mut answer = settle_round(keys, round, &locked, deal, close)?;
    answer.records.splice(..0, spent.into_records());
    Ok(answer)
}

/// Returns what decisions of the round are held against.
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

/// A round with every decision taken, verified or written.
struct DecidedRound {
    decisions: BySeat<Decision>,
    actions: Vec<RecordEnvelope>,
    lock: RecordEnvelope,
    /// The path of a seat's decision in the request.
    paths: BTreeMap<Seat, String>,
    /// Where the decision of a seat belongs that has none.
    list: &'static str,
}

/// Writes actions and final lock of typed decisions (D8): unsigned, which is legal only
/// where the policy asks for no signature.
fn typed_close(
    round: &Round<'_>,
    game: &ListedGame,
    deal: &RecordEnvelope,
    decisions: &[(Seat, Decision)],
    spent: &SpentLocks,
) -> Result<DecidedRound, Refusal> {
    let policy = round.policy();
    if policy.lock_required {
        return Err(Refusal::of(
            Reason::LockRequired,
            "the tenant's policy requires a final lock signed by the ledger",
        ));
    }
    let (mut by_seat, mut paths) = (BySeat::new(), BTreeMap::new());
    let mut refusals = Refusals::default();
    for (i, (seat, decision)) in decisions.iter().enumerate() {
        let path = format!("decisions[{i}]");
        if round.ticket.seat_keys.contains_key(seat) || policy.seat_auth == SeatAuth::Required {
            return Err(Refusal::of(
                Reason::SeatAuthRequired,
                format!("seat {seat} signs its own action"),
            ));
        }
        if seat.is_dealer() {
            refusals.add(
                Reason::DecisionUnexpected,
                format!("{path}.seat"),
                "position 0 decides nothing",
            );
        } else if by_seat.insert(*seat, decision.clone()).is_some() {
            refusals.add(
                Reason::TwoActionsOneSeat,
                format!("{path}.seat"),
                "the seat has decided already",
            );
        }
        paths.insert(*seat, path);
    }
    refusals.finish(())?;
    let actions: Vec<RecordEnvelope> = by_seat
        .iter()
        .map(|(seat, decision)| {
            let action = Action { decision: decision.clone(), prev: deal.hash(), seat };
            RecordEnvelope::unsigned(RecordKind::Action, &action.to_json(&game.house_way_hash))
        })
        .collect();
    let lock = CloseLock::Final {
        absent: Vec::new(),
        actions: actions.iter().map(RecordEnvelope::hash).collect(),
        prev: deal.hash(),
        round_id: round.ticket.round_id,
        supersedes: spent.hashes().to_vec(),
    };
    let lock = RecordEnvelope::unsigned(RecordKind::Lock, &lock);
    Ok(DecidedRound { decisions: by_seat, actions, lock, paths, list: "decisions" })
}

/// Verifies action records and the final lock over exactly them.
fn verify_close(
    round: &Round<'_>,
    game: &ListedGame,
    deal: &RecordEnvelope,
    actions: &[RecordEnvelope],
    lock: &RecordEnvelope,
    spent: &SpentLocks,
) -> Result<DecidedRound, Refusal> {
    let Lock::Close(CloseLock::Final { absent, actions: covered, prev, supersedes, .. }) =
        round.verify_lock(lock, "lock")?
    else {
        return Err(Refusal::at(Reason::Phase, "lock", "the step of this lock is not final"));
    };
    expect_link(prev == deal.hash(), "lock", "the lock does not follow the deal")?;
    spent.expect(&supersedes, "lock")?;
    let (mut taken, mut paths) = (Vec::new(), BTreeMap::new());
    for (i, envelope) in actions.iter().enumerate() {
        let path = format!("actions[{i}]");
        let action = verify_action(round, game, deal, envelope, &absent, &path)?;
        if let Some(before) = taken.last().map(|before: &Action| before.seat)
            && before >= action.seat
        {
            let seat = action.seat;
            return Err(if taken.iter().any(|before| before.seat == seat) {
                let what = format!("seat {seat} has decided already");
                Refusal::at(Reason::TwoActionsOneSeat, path, what)
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
        return Err(Refusal::at(Reason::AbsentSeat, "lock", what));
    }
    let decisions = taken.into_iter().map(|action| (action.seat, action.decision)).collect();
    let (actions, lock) = (actions.to_vec(), lock.clone());
    Ok(DecidedRound { decisions, actions, lock, paths, list: "actions" })
}

/// Verifies one action: its seat signed it, unless the final lock lists the seat as absent, and it
/// follows the deal.
fn verify_action(
    round: &Round<'_>,
    game: &ListedGame,
    deal: &RecordEnvelope,
    envelope: &RecordEnvelope,
    absent: &[Seat],
    path: &str,
) -> Result<Action, Refusal> {
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
    let signs = key.is_some() || round.policy().seat_auth == SeatAuth::Required;
    let must_sign = signs && !absent.contains(&seat);
    if must_sign && !envelope.is_signed() {
        let what = format!("seat {seat} signs its own action");
        return Err(Refusal::of(Reason::SeatAuthRequired, what));
    }
    if !is_signed_action(envelope, key, must_sign, &round.tenant.ledger_keys) {
        return Err(Refusal::at(Reason::BadSignature, path, "not signed by the seat's key"));
    }
    expect_link(action.prev == deal.hash(), path, "the action does not follow the deal")?;
    if house_way.is_some_and(|hash| hash != game.house_way_hash) {
        return Err(Refusal::at(Reason::HouseWay, path, "not the house way of the ruleset"));
    }
    Ok(action)
}

fn path_of(close: &DecidedRound, seat: Seat) -> String {
    close.paths.get(&seat).cloned().unwrap_or_else(|| close.list.to_owned())
}

fn settle_round(
    keys: &KeyRing,
    round: &Round<'_>,
    locked: &LockedRound<'_>,
    deal: &RecordEnvelope,
    close: DecidedRound,
) -> Result<SettleAnswer, Refusal> {
    let derived = derive(keys, round, locked)?;
    let DealtRound { dealt, record, .. } = deal_round(round, locked, &derived)?;
    if record.to_bytes() != deal.payload() {
        return Err(Refusal::of(
            Reason::DeckMismatch,
            "the deal recomputed is not the deal that was signed",
        ));
    }
    let game = locked.game;
    let settlement = game
        .ruleset
        .settle(&game.house_way, &locked.table, &dealt, &close.decisions)
        .map_err(|error| decisions::refusal(&error, |seat| path_of(&close, seat)))?;
    let dealer = dealt.dealer().to_vec();
    let record = SettledRecord {
        deal: deal.hash(),
        dealer: dealer.clone(),
        deck: derived.deck.to_vec(),
        prev: close.lock.hash(),
        results: results_json(&settlement, &game.house_way_hash),
        round_id: round.ticket.round_id,
        round_seed: derived.round_seed.clone(),
        server_seed: derived.server_seed.clone(),
        ticket: round.ticket_hash,
    };
    let record = SettleRecord::Settled(Box::new(record));
    let settle = signing::sign(keys, round.manifest(), RecordKind::Settle, &record)?;
    let mut records = close.actions;
    records.extend([close.lock, settle]);
    Ok(SettleAnswer {
        facts: round.facts(Some(locked)),
        round_id: round.ticket.round_id,
        records,
        close: Close::Settled(Box::new(SettledRound {
            dealer,
            deck: derived.deck.to_vec(),
            settlement,
            house_way: game.house_way_hash,
            server_seed: derived.server_seed,
            round_seed: derived.round_seed,
        })),
    })
}
