//! The typed requests to the engine. Each field is valid by itself.

use std::sync::Arc;

use super::operator_permit::OperatorPermit;
use paigow_fairness::beacon::BeaconSignature;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::ticket::SeatKey;
use paigow_rules::cards::{Card, Seat};
use paigow_rules::game::{Decision, WagerSheet};

/// The caller and the time. Every call that makes records has them.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// The authenticated identity of the caller.
    pub tenant: Identifier,
    /// The time in Unix seconds. It opens and closes gates and never reaches a record.
    pub now: u64,
    /// The operations that the operator permits to the caller.
    pub permit: Arc<OperatorPermit>,
}

/// The operating system has no entropy. The engine uses no weaker source instead.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NoEntropy;

/// 56 bytes from the operating system for one ticket of the fresh suite: a server seed and a nonce.
/// The derived suite uses none.
pub type TicketEntropy<'a> = &'a mut dyn FnMut() -> Result<zeroize::Zeroizing<[u8; 56]>, NoEntropy>;

/// Opens a round: asks for its ticket.
#[derive(Clone, Debug)]
pub struct OpenRound {
    /// The epoch; the policy `dev` may leave it to the engine.
    pub epoch: Option<u32>,
    /// The hash of the manifest; the policy `dev` may leave it to the engine.
    pub manifest: Option<Hash>,
    /// The sequence number of the manifest. With it, a replica can distinguish a manifest that it
    /// does not have yet from one that does not exist.
    pub manifest_sequence: Option<u64>,
    /// The table.
    pub table: Identifier,
    /// The number of the round at the table in the epoch, 1 to 2^63 - 1.
    pub round_no: u64,
    /// The ruleset, by id or by content hash.
    pub ruleset: String,
    /// The seats' commitments to their client seeds.
    pub client_commits: Vec<(Seat, Hash)>,
    /// The seats' keys.
    pub seat_keys: Vec<(Seat, SeatKey)>,
    /// The close of the round before, if the chain is required.
    pub prev: Option<RecordEnvelope>,
    /// The beacon's round that goes into the seed, from 1, if the policy has `external: drand`.
    pub beacon_round: Option<u64>,
}

/// How a deal begins.
#[derive(Clone, Debug)]
pub enum DealStart {
    /// Open the round in the same call (D11).
    Open(Box<OpenRound>),
    /// The ticket of a round opened before.
    Ticket(RecordEnvelope),
}

/// The wagers of a deal.
#[derive(Clone)]
pub enum Wagers {
    /// A typed sheet, if no lock is required.
    Sheet {
        /// The wagers and the table facts.
        sheet: WagerSheet,
        /// The client seeds of the seats that committed to one, each with the place of the wager
        /// that states it.
        client_seeds: Vec<(usize, Vec<u8>)>,
    },
    /// The ledger's lock.
    Lock(RecordEnvelope),
}

impl std::fmt::Debug for Wagers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sheet { .. } => f.write_str("Sheet(..)"),
            Self::Lock(lock) => write!(f, "Lock({lock:?})"),
        }
    }
}

/// Deals a round.
#[derive(Clone, Debug)]
pub struct Deal {
    /// The ticket, or the data for one.
    pub start: DealStart,
    /// The wagers.
    pub wagers: Wagers,
    /// The beacon's signature of the round that the ticket names, if it names one.
    pub beacon_signature: Option<BeaconSignature>,
}

/// The rules that set the hands of a `SetHouseWay` call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum HandSetter {
    /// A house way, by id or content hash.
    HouseWay(String),
    /// The dealer's house way of a ruleset, by id or content hash.
    Ruleset(String),
}

/// A request to set hands by a house way. A pure function of the given cards (D20).
#[derive(Clone)]
pub struct SetHouseWay {
    /// The hands, each of distinct cards.
    pub hands: Vec<Vec<Card>>,
    /// The rules.
    pub by: HandSetter,
}

impl std::fmt::Debug for SetHouseWay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SetHouseWay({} hands by {:?})", self.hands.len(), self.by)
    }
}

/// A hand to rank.
#[derive(Clone)]
pub struct HandToEvaluate {
    /// The cards of the hand.
    pub cards: Vec<Card>,
    /// The low hand, if one is given.
    pub low: Option<Vec<Card>>,
}

impl std::fmt::Debug for HandToEvaluate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HandToEvaluate({} cards)", self.cards.len())
    }
}

/// A request to rank hands by the rules. A pure function of the given cards (D20).
#[derive(Clone)]
pub struct EvaluateHands {
    /// The ruleset, by id or content hash.
    pub ruleset: String,
    /// The hands.
    pub hands: Vec<HandToEvaluate>,
    /// Whether every setting is wanted.
    pub all_settings: bool,
}

impl std::fmt::Debug for EvaluateHands {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EvaluateHands({} hands by {:?})", self.hands.len(), self.ruleset)
    }
}

/// A request to value each setting of a hand. A pure function of the given cards.
#[derive(Clone)]
pub struct WeighSettings {
    /// The ruleset, by id or content hash.
    pub ruleset: String,
    /// The cards of the hand.
    pub cards: Vec<Card>,
    /// The dealer's cards, if the player sees them; else empty.
    pub dealer_cards: Vec<Card>,
}

impl std::fmt::Debug for WeighSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WeighSettings({} cards by {:?})", self.cards.len(), self.ruleset)
    }
}

/// Why a round is voided.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum VoidReason {
    /// A client seed is missing or does not open its commitment.
    ClientSeed,
    /// A player left.
    PlayerLeft,
    /// Equipment failed.
    Equipment,
    /// The operator's decision.
    Operator,
    /// The epoch was revoked.
    EpochRevoked,
    /// The cards were dealt or shown otherwise than the rules state, at a table that shows the
    /// hands of this engine.
    Misdeal,
}

impl VoidReason {
    /// Every reason there is.
    pub const ALL: [Self; 6] = [
        Self::ClientSeed,
        Self::PlayerLeft,
        Self::Equipment,
        Self::Operator,
        Self::EpochRevoked,
        Self::Misdeal,
    ];

    /// Returns the word of the reason in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClientSeed => "client_seed",
            Self::PlayerLeft => "player_left",
            Self::Equipment => "equipment",
            Self::Operator => "operator",
            Self::EpochRevoked => "epoch_revoked",
            Self::Misdeal => "misdeal",
        }
    }

    /// Returns the reason that a word names.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// The decisions of the seats.
#[derive(Clone)]
pub enum SeatDecisions {
    /// Typed, if no lock is required.
    Typed(Vec<(Seat, Decision)>),
    /// As action records under the ledger's final lock.
    Locked {
        /// The seats' actions, ascending by seat.
        actions: Vec<RecordEnvelope>,
        /// The lock with step `final`.
        lock: RecordEnvelope,
    },
}

impl std::fmt::Debug for SeatDecisions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Typed(decisions) => write!(f, "Typed({} seats)", decisions.len()),
            Self::Locked { actions, lock } => write!(f, "Locked({actions:?}, {lock:?})"),
        }
    }
}

/// Settles a round.
#[derive(Clone, Debug)]
pub struct Settle {
    /// The records as Deal returned them: ticket, lock, deal.
    pub records: Vec<RecordEnvelope>,
    /// The decisions of the seats.
    pub decisions: SeatDecisions,
    /// The final locks that the lock supersedes, in order, each with its actions.
    pub spent: Vec<SpentLock>,
}

impl Settle {
    /// Settles a round in which no final lock was signed before.
    #[must_use]
    pub const fn new(records: Vec<RecordEnvelope>, decisions: SeatDecisions) -> Self {
        Self { records, decisions, spent: Vec::new() }
    }
}

/// The way in which a round to be voided is named.
#[derive(Clone, Debug)]
pub enum VoidStart {
    /// By the ticket, lock and deal, as far as they exist, in the order in which they were made.
    Records(Vec<RecordEnvelope>),
    /// By its opening, if the ticket is lost. Only in the derived suite.
    Open(Box<OpenRound>),
}

/// Voids a round: all stakes go back, and no secret is revealed.
#[derive(Clone, Debug)]
pub struct VoidRound {
    /// The round.
    pub start: VoidStart,
    /// The reason. The lock states it too, if there is one.
    pub reason: Option<VoidReason>,
    /// The lock with step `void`, if locks are required.
    pub lock: Option<RecordEnvelope>,
    /// The final locks that the lock supersedes, in order, each with its actions.
    pub spent: Vec<SpentLock>,
    /// The manifest that revokes the epoch or the receipt key of the round, for a void that
    /// supersedes a lock that is not spent.
    pub revoking_manifest: Option<RecordEnvelope>,
}

impl VoidRound {
    /// Voids a round by its records, in which no final lock was signed before.
    #[must_use]
    pub const fn new(
        records: Vec<RecordEnvelope>,
        reason: Option<VoidReason>,
        lock: Option<RecordEnvelope>,
    ) -> Self {
        let start = VoidStart::Records(records);
        Self { start, reason, lock, spent: Vec::new(), revoking_manifest: None }
    }
}

/// A request for the lock of the wagers of a round.
#[derive(Clone)]
pub struct PrepareDeal {
    /// The ticket.
    pub ticket: RecordEnvelope,
    /// The wagers and the table facts.
    pub sheet: WagerSheet,
    /// The client seeds of the seats that committed to one, each with the place of the wager that
    /// states it.
    pub client_seeds: Vec<(usize, Vec<u8>)>,
}

impl std::fmt::Debug for PrepareDeal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PrepareDeal({:?})", self.ticket)
    }
}

/// A request for the actions and the final lock of a dealt round.
#[derive(Clone)]
pub struct PrepareSettle {
    /// The records as Deal returned them: ticket, lock, deal.
    pub records: Vec<RecordEnvelope>,
    /// The decisions so far.
    pub decisions: Vec<(Seat, Decision)>,
    /// The seats whose players are absent.
    pub absent_seats: Vec<Seat>,
    /// The final locks that the lock supersedes, in order, each with its actions.
    pub spent: Vec<SpentLock>,
}

impl std::fmt::Debug for PrepareSettle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PrepareSettle({:?}, {} seats)", self.records, self.decisions.len())
    }
}

/// A final lock that can never settle, with the actions that it lists.
#[derive(Clone, Debug)]
pub struct SpentLock {
    /// The actions, in the order of the lock.
    pub actions: Vec<RecordEnvelope>,
    /// The lock.
    pub lock: RecordEnvelope,
}
