//! The facts that the records of a round prove, before any secret is used (D12, steps 1 to 4).

use super::client_seeds;
use super::record::{DealRecord, Lock, WagerLock};
use super::refusal::{FactKey, Reason, Refusal, Refusals};
use super::request::CallContext;
use super::{ENGINE, ListedGame, RoundContext};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::manifest::{Epoch, Manifest, ManifestTenant, Policy, SignedManifest, Suite};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::ServerSeed;
use paigow_fairness::signature::{PublicKey, Verifier};
use paigow_fairness::ticket::Ticket;
use paigow_rules::cards::Seat;
use paigow_rules::game::{
    BetId, Currency, Ruleset, SheetFault, SheetPlace, SheetRule, WagerSheet, WagerTable,
};

/// A round with a verified ticket, and the data that the ticket names.
#[derive(Clone, Debug)]
pub struct Round<'e> {
    /// The ticket, which is the engine's commitment.
    pub ticket: Ticket,
    /// The link to the ticket's record.
    pub ticket_hash: Hash,
    /// The ticket's record.
    pub ticket_envelope: RecordEnvelope,
    /// The manifest that the round is made under, as it was signed.
    pub signed: &'e SignedManifest,
    /// The epoch of the round.
    pub epoch: &'e Epoch,
    /// The tenant of the round.
    pub tenant: &'e ManifestTenant,
    /// Its rules, if they are loaded. A void needs none.
    pub game: Option<&'e ListedGame>,
    /// Its server seed, if this call has derived or drawn it for the ticket.
    pub server_seed: Option<ServerSeed>,
    /// The verifier of the receipts of the round.
    pub verifier: &'e dyn Verifier,
}

/// The public facts of a round, for metrics.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RoundFacts {
    /// The content hash of the ruleset.
    pub ruleset: Hash,
    /// The suite of the seed.
    pub suite: Suite,
    /// The currency of the wagers; [`None`] for a round that was voided.
    pub currency: Option<Currency>,
}

/// Wagers that have passed every check.
#[derive(Clone, Debug)]
pub struct LockedRound<'e> {
    /// The rules that took them.
    pub game: &'e ListedGame,
    /// The content of the lock.
    pub lock: WagerLock,
    /// The lock's record.
    pub envelope: RecordEnvelope,
    /// The seats that play, with their wagers.
    pub table: WagerTable,
}

/// Refuses a record of the wrong kind, blaming `field`.
fn expect_kind(envelope: &RecordEnvelope, kind: RecordKind, field: &str) -> Result<(), Refusal> {
    if envelope.kind() == kind {
        return Ok(());
    }
    Err(Refusal::at(
        Reason::Phase,
        field,
        format!("a {} record where a {} record belongs", envelope.kind().name(), kind.name()),
    )
    .with(FactKey::Expected, kind.name())
    .with(FactKey::Found, envelope.kind().name()))
}

/// Reads a record's payload with `parse`, blaming `field`.
fn payload<T>(
    envelope: &RecordEnvelope,
    kind: RecordKind,
    field: &str,
    parse: impl FnOnce(paigow_fairness::json::Json) -> Result<T, PayloadError>,
) -> Result<T, Refusal> {
    expect_kind(envelope, kind, field)?;
    envelope
        .json()
        .map_err(PayloadError::from)
        .and_then(parse)
        .map_err(|error| Refusal::at(Reason::Record, field, error.to_string()))
}

/// Refuses a record that does not link to what it should, blaming `field`.
///
/// # Errors
///
/// `CHAIN_BROKEN` at `field` unless `found` is `expected`.
pub fn expect_link(expected: &Hash, found: &Hash, field: &str, what: &str) -> Result<(), Refusal> {
    if expected == found {
        return Ok(());
    }
    let refusal = Refusal::at(Reason::ChainBroken, field, what);
    Err(refusal.with(FactKey::Expected, expected).with(FactKey::Found, found))
}

/// Returns whether an action has the signature of its seat, if it needs one, and no other except
/// the ledger's. The ledger signs each action that it accepts.
#[must_use]
pub fn is_signed_action(
    action: &RecordEnvelope,
    key: Option<PublicKey>,
    must_sign: bool,
    ledger_keys: &[PublicKey],
) -> bool {
    is_signed_action_while(&|_| true, action, key, must_sign, ledger_keys)
}

/// As [`is_signed_action`], but calls `may_verify` before it verifies signatures, with their
/// number. If `may_verify` returns false, the result is of no use.
pub(crate) fn is_signed_action_while(
    may_verify: &dyn Fn(usize) -> bool,
    action: &RecordEnvelope,
    key: Option<PublicKey>,
    must_sign: bool,
    ledger_keys: &[PublicKey],
) -> bool {
    let seat: Vec<PublicKey> = key.into_iter().collect();
    let one = |_: &&PublicKey| may_verify(1);
    if action.all_verify(seat.iter().take_while(one)) && (action.is_signed() || !must_sign) {
        return true;
    }
    let all = seat.iter().chain(ledger_keys).take_while(one);
    let each = |_: &&PublicKey| may_verify(action.signatures().len());
    action.all_verify(all) && (!must_sign || action.any_verifies(seat.iter().take_while(each)))
}

impl<'e> Round<'e> {
    /// Returns the manifest that the round is made under.
    #[must_use]
    pub fn manifest(&self) -> &'e Manifest {
        &self.signed.manifest
    }

    /// Returns the rules of the round, which its manifest lists.
    ///
    /// # Errors
    ///
    /// `RULESET_NOT_LOADED` if this replica lacks them. Another replica may have them.
    pub fn game(&self) -> Result<&'e ListedGame, Refusal> {
        self.game.ok_or_else(|| {
            Refusal::of(
                Reason::RulesetNotLoaded,
                format!("the ruleset {} of the round is not loaded here", self.ticket.ruleset),
            )
            .with(FactKey::Ruleset, self.ticket.ruleset)
        })
    }

    /// Returns the public facts of the round.
    #[must_use]
    pub fn facts(&self, locked: Option<&LockedRound<'_>>) -> RoundFacts {
        RoundFacts {
            ruleset: self.ticket.ruleset,
            suite: self.ticket.suite,
            currency: locked.map(|locked| locked.table.currency().clone()),
        }
    }

    /// Returns the policy of the tenant.
    #[must_use]
    pub const fn policy(&self) -> Policy {
        self.tenant.policy
    }

    /// Verifies a ticket that is shown: the manifest that it names is loaded, one of its
    /// receipt keys has signed it, and the caller is its tenant.
    ///
    /// # Errors
    ///
    /// Returns the first of these that does not hold, at `field`.
    pub fn of_ticket(
        context: &'e RoundContext,
        verifier: &'e dyn Verifier,
        call: &CallContext,
        envelope: &RecordEnvelope,
        field: &str,
    ) -> Result<Self, Refusal> {
        let ticket = payload(envelope, RecordKind::Ticket, field, Ticket::parse)?;
        let signed = context.manifests.by_hash(&ticket.manifest).ok_or_else(|| {
            Refusal::of(Reason::ManifestUnknown, "the ticket's manifest is not loaded here")
                .with_newest(&context.manifests)
        })?;
        let manifest = &signed.manifest;
        let keys = manifest.receipt_public_keys();
        if !envelope.is_signed() || !envelope.all_verify_by(verifier, &keys) {
            return Err(Refusal::at(
                Reason::BadSignature,
                field,
                "not signed by a receipt key of its manifest",
            ));
        }
        if ticket.coordinates.tenant != call.tenant {
            return Err(Refusal::of(Reason::Tenant, "the round belongs to another tenant"));
        }
        let tenant = manifest
            .tenant(&ticket.coordinates.tenant)
            .ok_or_else(|| Refusal::of(Reason::Tenant, "the manifest lists no such tenant"))?;
        if ticket.engine != ENGINE || manifest.engine != ticket.engine {
            return Err(Refusal::of(
                Reason::EngineNotHere,
                format!("the round belongs to engine {}", ticket.engine),
            )
            .with(FactKey::Engine, &ticket.engine));
        }
        let broken = |what: &str| Refusal::at(Reason::Record, field, what);
        if ticket.round_id != ticket.coordinates.round_id() {
            return Err(broken("round_id is not that of its coordinates"));
        }
        let epoch = manifest
            .epoch(ticket.coordinates.epoch)
            .ok_or_else(|| broken("its manifest lists no such epoch"))?;
        if epoch.suite != ticket.suite || ticket.policy != tenant.policy {
            return Err(broken("suite or policy is not its manifest's"));
        }
        if manifest.ruleset(&ticket.ruleset).is_none() {
            let what = "its manifest does not list its ruleset";
            return Err(Refusal::at(Reason::Ruleset, field, what));
        }
        let game = context.catalogue.game(&ticket.ruleset);
        Ok(Self {
            ticket,
            ticket_hash: envelope.hash(),
            ticket_envelope: envelope.clone(),
            signed,
            epoch,
            tenant,
            game,
            server_seed: None,
            verifier,
        })
    }

    /// Verifies the signatures of a lock or a void lock: the ledger's, if the policy requires them,
    /// and every other one in the record.
    ///
    /// # Errors
    ///
    /// Returns the fault of a signature, a member or a round, at `field`.
    pub fn verify_lock(&self, envelope: &RecordEnvelope, field: &str) -> Result<Lock, Refusal> {
        let lock = payload(envelope, RecordKind::Lock, field, Lock::parse)?;
        if self.policy().lock_required && !envelope.is_signed() {
            return Err(Refusal::of(
                Reason::LockRequired,
                "the tenant's policy requires the ledger's signature",
            ));
        }
        if !envelope.all_verify(&self.tenant.ledger_keys) {
            return Err(Refusal::at(
                Reason::BadSignature,
                field,
                "not signed by a ledger key of the tenant",
            ));
        }
        let (expected, found) = (&self.ticket.round_id, lock.round_id());
        expect_link(expected, found, field, "the lock is of another round")?;
        Ok(lock)
    }

    /// Verifies the signatures, the members and the link of a lock with step `wagers`.
    ///
    /// # Errors
    ///
    /// As [`Self::verify_lock`], and if the lock is of another step or does not follow the ticket.
    pub fn verify_wager_lock(
        &self,
        envelope: &RecordEnvelope,
        field: &str,
    ) -> Result<WagerLock, Refusal> {
        let Lock::Wagers(lock) = self.verify_lock(envelope, field)? else {
            return Err(Refusal::at(Reason::Phase, field, "the step of this lock is not wagers"));
        };
        let what = "the lock does not follow the ticket";
        expect_link(&self.ticket_hash, &lock.prev, field, what)?;
        Ok(lock)
    }

    /// Checks a verified lock against the rules of the round, commitments and form.
    ///
    /// # Errors
    ///
    /// Every wager that the rules do not take, and every client seed that does not open its
    /// commitment.
    pub fn check_lock(
        &self,
        game: &'e ListedGame,
        lock: WagerLock,
        envelope: RecordEnvelope,
        field: &str,
    ) -> Result<LockedRound<'e>, Refusal> {
        let sheet = lock.sheet();
        let table = game.ruleset.check(&sheet).map_err(|faults| {
            sheet_refusal(&game.ruleset, &sheet, &faults, |fault| match fault.place {
                SheetPlace::Currency => format!("{field}.currency"),
                SheetPlace::Fact(name) => format!("{field}.facts.{name}"),
                SheetPlace::BetLimit { index, member } => {
                    let member = if member == "max_minor" { "max" } else { member };
                    format!("{field}.bet_limits[{index}].{member}")
                }
                SheetPlace::Wager { index, member } => {
                    let member = if member == "amount_minor" { "amount" } else { member };
                    wager_path(&lock, index, field, member)
                }
                SheetPlace::Seat(seat) => format!("{field}.seats.{seat}.wagers"),
                SheetPlace::Sheet => format!("{field}.seats"),
            })
        })?;
        let canonical =
            WagerLock::of_table(lock.prev, lock.round_id, &table, lock.client_seeds.clone());
        if canonical.to_bytes() != envelope.payload() {
            return Err(Refusal::at(
                Reason::Record,
                field,
                "wagers stand in the ruleset's bet order, at seats with wagers only",
            ));
        }
        self.locked(game, lock, envelope, table, |seat| {
            format!("{field}.seats[{seat}].client_seed")
        })
    }

    /// Takes a lock of wagers in their order, and checks the client seeds. `path` returns the path
    /// of a seat's seed.
    ///
    /// # Errors
    ///
    /// Every client seed that does not open its commitment.
    pub fn locked(
        &self,
        game: &'e ListedGame,
        lock: WagerLock,
        envelope: RecordEnvelope,
        table: WagerTable,
        path: impl Fn(Seat) -> String,
    ) -> Result<LockedRound<'e>, Refusal> {
        let faults = client_seeds::check(
            self.policy().client,
            &self.ticket.round_id,
            &self.ticket.client,
            table.seats().map(|(seat, _)| seat),
            &lock.client_seeds,
        );
        client_seeds::pass(&faults, path)?;
        Ok(LockedRound { game, lock, envelope, table })
    }

    /// Verifies a deal record: a receipt key has signed it, and it follows the lock.
    ///
    /// # Errors
    ///
    /// If it is another record, is not signed so, or does not follow the lock; at `field`.
    pub fn verify_deal(
        &self,
        envelope: &RecordEnvelope,
        lock: &RecordEnvelope,
        field: &str,
    ) -> Result<DealRecord, Refusal> {
        let deal = payload(envelope, RecordKind::Deal, field, DealRecord::parse)?;
        let keys = self.manifest().receipt_public_keys();
        if !envelope.is_signed() || !envelope.all_verify_by(self.verifier, &keys) {
            return Err(Refusal::at(
                Reason::BadSignature,
                field,
                "not signed by a receipt key of the round's manifest",
            ));
        }
        let what = "the deal does not follow this ticket and lock";
        for (expected, found) in [
            (&self.ticket.round_id, &deal.round_id),
            (&self.ticket_hash, &deal.ticket),
            (&lock.hash(), &deal.prev),
        ] {
            expect_link(expected, found, field, what)?;
        }
        Ok(deal)
    }
}

/// Returns the path of a lock's wager: locks list wagers by seat.
fn wager_path(lock: &WagerLock, index: usize, field: &str, member: &str) -> String {
    let Some(wager) = lock.wagers.get(index) else { return format!("{field}.seats") };
    // In a lock, the seat is the key of the list of its wagers, not a member of them.
    if member == "seat" {
        return format!("{field}.seats[{}]", wager.seat);
    }
    let before = lock.wagers.iter().take(index).filter(|w| w.seat == wager.seat).count();
    format!("{field}.seats[{}].wagers[{before}].{member}", wager.seat)
}

/// Returns the path of a fault in a typed sheet.
#[must_use]
pub fn path_in_sheet(fault: &SheetFault) -> String {
    match fault.place {
        SheetPlace::Currency => "currency".to_owned(),
        SheetPlace::Fact(name) => name.to_owned(),
        SheetPlace::BetLimit { index, member } => format!("bet_limits[{index}].{member}"),
        SheetPlace::Wager { index, member } => format!("wagers[{index}].{member}"),
        SheetPlace::Seat(_) | SheetPlace::Sheet => "wagers".to_owned(),
    }
}

/// Makes one refusal of the faults that a ruleset finds in a sheet, each blamed by `path`.
pub fn sheet_refusal(
    ruleset: &Ruleset,
    sheet: &WagerSheet,
    faults: &[SheetFault],
    path: impl Fn(&SheetFault) -> String,
) -> Refusal {
    let mut refusals = Refusals::default();
    for fault in faults {
        let reason = match fault.rule {
            _ if matches!(fault.place, SheetPlace::BetLimit { .. }) => Reason::TableFact,
            SheetRule::CurrencyMismatch => Reason::Currency,
            SheetRule::AmountRange
            | SheetRule::AboveMaximum
            | SheetRule::BelowMinimum
            | SheetRule::MaxPayout
            | SheetRule::NotChipMultiple => Reason::AmountLimit,
            SheetRule::BankTooSmall
            | SheetRule::FactMissing
            | SheetRule::FactRange
            | SheetRule::FactUnexpected => Reason::TableFact,
            SheetRule::SeatRange => Reason::Seat,
            SheetRule::BaseMissing
            | SheetRule::ChoiceMissing
            | SheetRule::ChoiceUnexpected
            | SheetRule::DuplicateWager
            | SheetRule::NoWagers
            | SheetRule::UnknownBet => Reason::Wager,
        };
        let mut refusal = Refusal::at(reason, path(fault), fault.message.clone())
            .with_some(FactKey::Minimum, fault.limits.minimum)
            .with_some(FactKey::Maximum, fault.limits.maximum)
            .with_some(FactKey::MultipleOf, fault.limits.multiple_of);
        if let SheetPlace::Wager { index, .. } = fault.place
            && let Some(wager) = sheet.wagers.get(index)
        {
            // A name that is not that of a bet of the ruleset is the caller's own text.
            let has = |bet: &BetId| *bet == BetId::BASE || ruleset.bonus_bet(*bet).is_some();
            let bet = BetId::from_name(&wager.bet).filter(has);
            refusal = refusal.with(FactKey::Seat, wager.seat).with_some(FactKey::Bet, bet);
        }
        if let SheetPlace::Seat(seat) = fault.place {
            refusal = refusal.with(FactKey::Seat, seat);
        }
        if let (Reason::Currency, Some(currency)) = (reason, ruleset.currency()) {
            refusal = refusal
                .with(FactKey::Currency, currency.code())
                .with(FactKey::Exponent, currency.exponent());
        }
        refusals.absorb(refusal);
    }
    refusals.finish(()).expect_err("a refused sheet has faults")
}
