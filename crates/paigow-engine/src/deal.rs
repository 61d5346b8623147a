//! `Deal`: shows the players their cards and, if the ruleset exposes it, the dealer's hand.
//! `PrepareDeal`: writes its lock, and shows no card.

use super::open_round::{Opening, OpeningPurpose};
use super::server_seed;
use super::signing;
use crate::KeyRing;
use paigow_fairness::beacon::BeaconSignature;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{ClientPolicy, SeatAuth, Suite};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::ServerSeed;
use paigow_fairness::seed::{client_block, deck_commit};
use paigow_round::client_seeds;
use paigow_round::decisions;
use paigow_round::derived::DerivedRound;
use paigow_round::manifest_conditions::{self, EpochPurpose};
use paigow_round::record::{DealRecord, ExposedDealer, WagerLock};
use paigow_round::refusal::{FactKey, Reason, Refusal, Refusals};
use paigow_round::request::{
    CallContext, Deal, DealStart, OpenRound, PrepareDeal, TicketEntropy, Wagers,
};
use paigow_round::results::final_lines_json;
use paigow_round::round::{LockedRound, Round, RoundFacts, path_in_sheet, sheet_refusal};
use paigow_round::{ListedGame, RoundContext};
use paigow_rules::cards::{BySeat, Card, Seat};
use paigow_rules::game::{BetLine, ShownHand, TableDeal, WagerSheet};

/// A dealt round: the records, and their content.
#[derive(Clone)]
pub struct DealAnswer {
    /// Ticket, lock and deal.
    pub records: [RecordEnvelope; 3],
    /// The public id of the round.
    pub round_id: Hash,
    /// The commitment of the ticket.
    pub commit: Hash,
    /// The dice in the order drawn; empty if the ruleset has none.
    pub dice: Vec<u8>,
    /// Where settlement begins.
    pub action_seat: Seat,
    /// The cards of every seat with a wager, in dealt order.
    pub hands: BySeat<Vec<Card>>,
    /// The dealer's hand as set, if the ruleset exposes it.
    pub dealer: Option<ShownHand>,
    /// The commitment to the deck.
    pub deck_commit: Hash,
    /// The number of cards of each hand at the end of each street.
    pub street_ends: Vec<u8>,
    /// The lines that the deal makes final, by seat. `Settle` returns the same lines.
    pub final_lines: BySeat<Vec<BetLine>>,
    /// The fees due, by position.
    pub fees: BySeat<i64>,
    /// The public facts of the round, for metrics.
    pub facts: RoundFacts,
}

impl std::fmt::Debug for DealAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DealAnswer({})", self.round_id)
    }
}

/// A round as dealt, with the payload of its record.
pub(super) struct DealtRound {
    pub(super) dealt: TableDeal,
    pub(super) dealer: Option<ShownHand>,
    pub(super) final_lines: BySeat<Vec<BetLine>>,
    pub(super) record: DealRecord,
}

/// Deals a locked round from its derived deck, and writes the deal record's payload.
pub(super) fn deal_round(
    round: &Round<'_>,
    locked: &LockedRound<'_>,
    beacon: Option<BeaconSignature>,
    derived: &DerivedRound,
) -> Result<DealtRound, Refusal> {
    let ruleset = &locked.game.ruleset;
    let dealt = ruleset.deal(&locked.table, &derived.deck, derived.dice);
    let final_lines = ruleset
        .final_lines(&locked.table, &dealt)
        .map_err(|error| decisions::refusal(&error, |_| String::new()))?;
    let dealer = ruleset
        .exposed_hand(&locked.game.house_way, &dealt)
        .map_err(|error| decisions::refusal(&error, |_| String::new()))?;
    let record = DealRecord {
        beacon,
        dealer: dealer.as_ref().map(ExposedDealer::of),
        deck_commit: deck_commit(&derived.round_seed, &derived.deck[..]),
        dice: if ruleset.draws_dice() { dealt.dice.to_vec() } else { Vec::new() },
        fees: dealt.fees,
        lines: final_lines_json(&final_lines),
        prev: locked.envelope.hash(),
        round_id: round.ticket.round_id,
        ticket: round.ticket_hash,
        visible: dealt.visible().map(|(seat, cards)| (seat, cards.to_vec())).collect(),
    };
    Ok(DealtRound { dealt, dealer, final_lines, record })
}

/// Recomputes seeds, deck and dice of a locked round.
pub(super) fn derive(
    keys: &KeyRing,
    round: &Round<'_>,
    locked: &LockedRound<'_>,
    beacon: Option<&BeaconSignature>,
) -> Result<DerivedRound, Refusal> {
    let server_seed = match &round.server_seed {
        Some(seed) => seed.clone(),
        None => server_seed::of_ticket(keys, round)?,
    };
    Ok(derived_from(server_seed, round, locked, beacon))
}

/// Recomputes deck and dice of a locked round from its server seed.
pub(super) fn derived_from(
    server_seed: ServerSeed,
    round: &Round<'_>,
    locked: &LockedRound<'_>,
    beacon: Option<&BeaconSignature>,
) -> DerivedRound {
    let block = client_block(&locked.lock.client_seeds);
    let external = round.ticket.external_of(beacon);
    DerivedRound::from_seed(server_seed, &round.ticket.round_id, &block, &external)
}

/// Deals a round.
///
/// # Errors
///
/// Returns a fault of the request, a closed gate, or a key that this replica does not hold.
pub fn deal(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &Deal,
    entropy: TicketEntropy<'_>,
) -> Result<DealAnswer, Refusal> {
    let round = match &request.start {
        DealStart::Open(open) => open_inline(context, keys, call, open, entropy)
            .map_err(|refusal| refusal.under("open"))?,
        DealStart::Ticket(ticket) => Round::of_ticket(context, keys, call, ticket, "ticket")?,
    };
    let beacon = beacon_signature(&round, request)?;
    let game = round.game()?;
    let locked = match &request.wagers {
        Wagers::Sheet { .. } if round.policy().lock_required => {
            return Err(Refusal::of(
                Reason::LockRequired,
                "the tenant's policy requires a lock signed by the ledger",
            ));
        }
        Wagers::Sheet { sheet, client_seeds } => typed_lock(&round, game, sheet, client_seeds)?,
        Wagers::Lock(envelope) => {
            let lock = round.verify_wager_lock(envelope, "lock")?;
            round.check_lock(game, lock, envelope.clone(), "lock")?
        }
    };
    pass_gates(context, call, &round, &locked)?;
    manifest_conditions::pass_lock(
        &context.manifests,
        round.signed,
        round.tenant,
        &locked.envelope,
    )?;
    let derived = derive(keys, &round, &locked, beacon.as_ref())?;
    let DealtRound { dealt, dealer, final_lines, record } =
        deal_round(&round, &locked, beacon, &derived)?;
    let deal = signing::sign(keys, round.manifest(), RecordKind::Deal, &record)?;
    Ok(DealAnswer {
        facts: round.facts(Some(&locked)),
        round_id: round.ticket.round_id,
        commit: round.ticket.commit,
        dice: record.dice,
        action_seat: dealt.action_seat,
        hands: record.visible,
        dealer,
        deck_commit: record.deck_commit,
        street_ends: game.ruleset.street_ends(),
        final_lines,
        fees: dealt.fees,
        records: [round.ticket_envelope, locked.envelope, deal],
    })
}

/// Returns the beacon's signature of the round that the ticket names, if it names one.
fn beacon_signature(round: &Round<'_>, request: &Deal) -> Result<Option<BeaconSignature>, Refusal> {
    let field = "beacon_signature";
    match (&round.ticket.external, request.beacon_signature) {
        (None, None) => Ok(None),
        (None, Some(_)) => {
            let what = "the ticket names no round of a beacon";
            Err(Refusal::at(Reason::FieldInvalid, field, what))
        }
        (Some(named), None) => {
            let what = format!("the beacon's signature of its round {} is required", named.round);
            Err(Refusal::at(Reason::FieldMissing, field, what))
        }
        (Some(named), Some(signature)) => {
            let beacon = round.manifest().beacon.as_ref();
            if beacon.is_some_and(|beacon| beacon.verifies(named.round, &signature)) {
                return Ok(Some(signature));
            }
            let what = format!("not the beacon's signature of its round {}", named.round);
            Err(Refusal::at(Reason::BeaconSignature, field, what))
        }
    }
}

/// Returns the lock of the wagers for the ledger to sign. The function signs nothing, and `keys`
/// may be empty.
///
/// # Errors
///
/// Returns a fault of the request or a closed gate, as [`deal`].
pub fn prepare_deal(
    context: &RoundContext,
    keys: &KeyRing,
    call: &CallContext,
    request: &PrepareDeal,
) -> Result<RecordEnvelope, Refusal> {
    let round = Round::of_ticket(context, keys, call, &request.ticket, "ticket")?;
    let locked = typed_lock(&round, round.game()?, &request.sheet, &request.client_seeds)?;
    pass_gates(context, call, &round, &locked)?;
    Ok(locked.envelope)
}

/// Passes the gates of a deal: those of the seats, of the operator, of clock and revocation.
fn pass_gates(
    context: &RoundContext,
    call: &CallContext,
    round: &Round<'_>,
    locked: &LockedRound<'_>,
) -> Result<(), Refusal> {
    seats_can_sign(round, locked)?;
    call.permit.pass_deal(locked.game)?;
    call.permit.pass_currency(locked.table.currency().code())?;
    manifest_conditions::pass(&context.manifests, round.epoch, call.now, EpochPurpose::Play)?;
    let records = [&round.ticket_envelope];
    manifest_conditions::pass_keys(&context.manifests, round.manifest(), &records)
}

/// Opens a round inside Deal. That is safe if no seat commits to a seed and the epoch fixed the
/// server seed (D11).
fn open_inline<'c>(
    context: &'c RoundContext,
    keys: &'c KeyRing,
    call: &CallContext,
    open: &OpenRound,
    entropy: TicketEntropy<'_>,
) -> Result<Round<'c>, Refusal> {
    let signed = open
        .manifest
        .and_then(|hash| context.manifests.by_hash(&hash))
        .unwrap_or_else(|| context.manifests.newest());
    let manifest = &signed.manifest;
    let committed = manifest
        .tenant(&call.tenant)
        .is_some_and(|tenant| tenant.policy.client == ClientPolicy::Committed);
    let fresh = manifest.epochs.iter().any(|epoch| epoch.suite == Suite::Fresh);
    let waits = open.beacon_round.is_some();
    if committed || fresh || waits || !open.client_commits.is_empty() {
        return Err(Refusal::of(
            Reason::OpenFirst,
            "client seeds, a beacon and the fresh suite need OpenRound before Deal",
        ));
    }
    Opening::read(context, keys, call, open, OpeningPurpose::Open)?.commit(keys, entropy)
}

/// Refuses to deal to a seat that could never sign its decision. After its cards were seen, the
/// round could only be voided.
fn seats_can_sign(round: &Round<'_>, locked: &LockedRound<'_>) -> Result<(), Refusal> {
    if round.policy().seat_auth != SeatAuth::Required {
        return Ok(());
    }
    let mut with_base = locked
        .table
        .seats()
        .map(|(seat, _)| seat)
        .filter(|s| locked.table.base_stake(*s).is_some());
    match with_base.find(|seat| !round.ticket.seat_keys.contains_key(seat)) {
        None => Ok(()),
        Some(seat) => Err(Refusal::of(
            Reason::SeatAuthRequired,
            format!("seat {seat} decides and has no key in the ticket"),
        )
        .with(FactKey::Seat, seat)),
    }
}

/// Returns the unsigned lock of the typed sheet in the field `sheet` (D8).
fn typed_lock<'e>(
    round: &Round<'e>,
    game: &'e ListedGame,
    sheet: &WagerSheet,
    seeds_shown: &[(usize, Vec<u8>)],
) -> Result<LockedRound<'e>, Refusal> {
    let mut refusals = Refusals::default();
    let seeds = client_seeds::of_sheet(sheet, seeds_shown);
    let seeds = seeds.map_err(|twice| refusals.absorb(twice));
    let table = game.ruleset.check(sheet);
    let table = table.map_err(|faults| {
        refusals.absorb(sheet_refusal(&game.ruleset, sheet, &faults, path_in_sheet))
    });
    let (Ok(seeds), Ok(table)) = (seeds, table) else {
        return Err(refusals.finish(()).expect_err("there is a fault").under("sheet"));
    };
    let lock = WagerLock::of_table(round.ticket_hash, round.ticket.round_id, &table, seeds);
    let envelope = RecordEnvelope::unsigned(RecordKind::Lock, &lock);
    let path = |seat| client_seeds::path_in_sheet(sheet, seeds_shown, seat);
    round.locked(game, lock, envelope, table, path).map_err(|refusal| refusal.under("sheet"))
}
