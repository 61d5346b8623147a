//! One round under audit: its payloads, and the refused records.

use std::collections::BTreeSet;

use super::AuditContext;
use super::claims::ClaimFinding;
use super::file::{RoundLines, TranscriptLine, is_void_lock};
use super::report::{AuditCheck, CheckCode, Finding, ReplayedRound, RoundEnding, RoundReport};
use super::standing::VerdictReason;
use crate::record::{Action, CloseLock, DealRecord, Lock, SettleRecord, WagerLock};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::{Epoch, EpochStatus, ManifestTenant, SignedManifest, Suite};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::seed::Coordinates;
use paigow_fairness::ticket::Ticket;

/// The facts that the ticket's manifest states for a round.
#[derive(Clone, Copy)]
pub(super) struct AuditWorld<'a> {
    pub(super) signed: &'a SignedManifest,
    pub(super) epoch: &'a Epoch,
    pub(super) tenant: &'a ManifestTenant,
}

/// The close of a round, by the place of the round.
pub(super) struct RoundClose {
    pub(super) coordinates: Coordinates,
    pub(super) hash: Hash,
}

/// A round under audit.
pub(super) struct RoundAudit<'a> {
    pub(super) lines: &'a RoundLines,
    pub(super) context: &'a AuditContext<'a>,
    pub(super) refused: BTreeSet<usize>,
    /// Whether every payload is canonical.
    pub(super) is_readable: bool,
    pub(super) ticket: Option<Ticket>,
    pub(super) wager_lock: Option<WagerLock>,
    /// Whether the ledger signed a lock of wagers that cannot be read, and then voided the round.
    pub(super) has_unreadable_wagers: bool,
    pub(super) deal: Option<DealRecord>,
    /// The locks that a later lock follows. All are final.
    pub(super) spent: Vec<CloseLock>,
    pub(super) actions: Vec<(Action, Option<Hash>)>,
    pub(super) close_lock: Option<CloseLock>,
    pub(super) settle: Option<SettleRecord>,
    pub(super) world: Option<AuditWorld<'a>>,
    pub(super) replayed: Option<ReplayedRound>,
}

fn parse<T>(
    line: &TranscriptLine,
    parse: impl FnOnce(Json) -> Result<T, PayloadError>,
) -> Result<T, Finding> {
    line.envelope
        .json()
        .map_err(PayloadError::from)
        .and_then(parse)
        .map_err(|error| Finding::failed(line.number, "a canonical payload", error.to_string()))
}

impl<'a> RoundAudit<'a> {
    pub(super) fn new(lines: &'a RoundLines, context: &'a AuditContext<'a>) -> Self {
        Self {
            lines,
            context,
            refused: BTreeSet::new(),
            is_readable: false,
            ticket: None,
            wager_lock: None,
            has_unreadable_wagers: false,
            deal: None,
            spent: Vec::new(),
            actions: Vec::new(),
            close_lock: None,
            settle: None,
            world: None,
            replayed: None,
        }
    }

    /// Returns the close of the round, whatever its other faults.
    pub(super) fn close(&self) -> Option<RoundClose> {
        let coordinates = self.ticket.as_ref()?.coordinates.clone();
        Some(RoundClose { coordinates, hash: self.lines.settle.as_ref()?.hash })
    }

    /// Notes a finding, and refuses the record that it blames.
    pub(super) fn conclude(
        &mut self,
        code: CheckCode,
        finding: Finding,
        note: &mut dyn FnMut(CheckCode, Finding),
    ) {
        if let Finding::Failed(failure) = &finding {
            self.refused.extend(failure.line);
        }
        note(code, finding);
    }

    /// Checks that a record is present and that no earlier check has refused it. Returns the reason
    /// if not.
    pub(super) fn usable(
        &self,
        line: Option<&TranscriptLine>,
        what: &str,
    ) -> Result<usize, Finding> {
        match line {
            None => Err(Finding::skipped(format!("no {what} in the file"))),
            Some(line) if self.refused.contains(&line.number) => {
                Err(Finding::skipped(format!("the {what} was refused by an earlier check")))
            }
            Some(line) => Ok(line.number),
        }
    }

    /// Checks that the ticket can be relied on, and returns it with the facts of its manifest.
    pub(super) fn grounds(&self) -> Result<(&Ticket, AuditWorld<'a>), Finding> {
        self.usable(Some(&self.lines.ticket), "ticket")?;
        match (&self.ticket, self.world) {
            (Some(ticket), Some(world)) => Ok((ticket, world)),
            (None, _) | (_, None) => Err(Finding::skipped("no manifest to rely on")),
        }
    }

    /// Returns the line of the round's manifest.
    pub(super) fn manifest_line(&self, world: AuditWorld<'_>) -> usize {
        let mut manifests = self.context.manifests.iter();
        let found = manifests.find(|(_, signed)| signed.hash == world.signed.hash);
        found.map_or(self.lines.ticket.number, |(line, _)| *line)
    }

    /// Checks that the round has a close that can be relied on.
    pub(super) fn closed(&self) -> Result<(usize, &SettleRecord), Finding> {
        let line = self.usable(self.lines.settle.as_ref(), "close of the round")?;
        self.settle
            .as_ref()
            .map(|settle| (line, settle))
            .ok_or_else(|| Finding::skipped("no close of the round in the file"))
    }

    /// The check `CANONICAL`: reads every payload as its kind.
    pub(super) fn read_payloads(&mut self) -> Finding {
        let lines = self.lines;
        let mut read = || -> Result<(), Finding> {
            self.ticket = Some(parse(&lines.ticket, Ticket::parse)?);
            if let Some(line) = &lines.wager_lock {
                match parse(line, Lock::parse) {
                    Ok(Lock::Wagers(lock)) => self.wager_lock = Some(lock),
                    Ok(Lock::Close(_)) => {
                        return Err(Finding::failed(line.number, "step wagers", "another step"));
                    }
                    Err(_) if self.is_voided_unread(line) => self.has_unreadable_wagers = true,
                    Err(failed) => return Err(failed),
                }
            }
            if let Some(line) = &lines.deal {
                self.deal = Some(parse(line, DealRecord::parse)?);
            }
            // An action of a spent lock may be malformed. That may be why the lock is spent.
            for spent in &lines.spent {
                match parse(&spent.lock, Lock::parse)? {
                    Lock::Close(lock @ CloseLock::Final { .. }) => self.spent.push(lock),
                    Lock::Close(CloseLock::Void { .. }) | Lock::Wagers(_) => {
                        let number = spent.lock.number;
                        return Err(Finding::failed(number, "step final", "another step"));
                    }
                }
            }
            for line in &lines.actions {
                self.actions.push(parse(line, Action::parse)?);
            }
            if let Some(line) = &lines.close_lock {
                let Lock::Close(lock) = parse(line, Lock::parse)? else {
                    return Err(Finding::failed(line.number, "step final or void", "another step"));
                };
                self.close_lock = Some(lock);
            }
            if let Some(line) = &lines.settle {
                self.settle = Some(parse(line, SettleRecord::parse)?);
            }
            Ok(())
        };
        match read() {
            Ok(()) => {
                self.is_readable = true;
                Finding::Passed
            }
            Err(failed) => {
                // Every record that follows is checked against this one, so none of them can be
                // relied on.
                let all = lines.all().map(|line| line.number).collect::<Vec<_>>();
                self.refused.extend(all);
                failed
            }
        }
    }

    /// Returns whether a void lock follows a lock that cannot be read but has a signature of a
    /// ledger key of the tenant.
    ///
    /// No engine reads such a lock, and the ledger has to void it.
    fn is_voided_unread(&self, line: &TranscriptLine) -> bool {
        let lines = self.lines;
        let is_voided = lines.deal.is_none()
            && lines.spent.is_empty()
            && lines.actions.is_empty()
            && lines.close_lock.as_ref().is_some_and(is_void_lock);
        let ledger_keys = || {
            let ticket = self.ticket.as_ref()?;
            let above = self.context.manifests.iter().filter(|(at, _)| *at < lines.ticket.number);
            let (_, signed) = above.into_iter().find(|(_, one)| one.hash == ticket.manifest)?;
            let tenant = &ticket.coordinates.tenant;
            let mut tenants = signed.manifest.tenants.iter();
            Some(&tenants.find(|listed| listed.tenant == *tenant)?.ledger_keys)
        };
        let envelope = &line.envelope;
        is_voided
            && envelope.is_signed()
            && ledger_keys()
                .is_some_and(|keys| envelope.all_verify(self.context.effort.tried(keys)))
    }

    /// The check `MANIFEST_LINK`: finds the facts of the round in the ticket's manifest.
    pub(super) fn find_world(&mut self) -> Finding {
        if let Err(skipped) = self.usable(Some(&self.lines.ticket), "ticket") {
            return skipped;
        }
        let Some(ticket) = &self.ticket else { return Finding::skipped("no ticket") };
        let line = self.lines.ticket.number;
        let context = self.context;
        if context.manifests.is_empty() {
            return Finding::skipped("no manifest to rely on");
        }
        let above = context.manifests.iter().filter(|(at, _)| *at < line);
        let Some((_, signed)) = above.into_iter().find(|(_, m)| m.hash == ticket.manifest) else {
            return Finding::failed(
                line,
                "a manifest above it in the file",
                format!("manifest {}", ticket.manifest),
            );
        };
        let manifest = &signed.manifest;
        let missing =
            |what: &str| Finding::failed(line, format!("{what} listed in its manifest"), "another");
        if manifest.engine != ticket.engine {
            return missing("the engine");
        }
        let coordinates = &ticket.coordinates;
        let mut epochs = manifest.epochs.iter().filter(|e| e.epoch == coordinates.epoch);
        let mut tenants = manifest.tenants.iter().filter(|t| t.tenant == coordinates.tenant);
        let (Some(epoch), None, Some(tenant), None) =
            (epochs.next(), epochs.next(), tenants.next(), tenants.next())
        else {
            return missing("an epoch and a tenant, once,");
        };
        if manifest.ruleset(&ticket.ruleset).is_none() {
            return missing("a ruleset");
        }
        if let Some(game) = context.catalogue.game(&ticket.ruleset)
            && let Some(fault) = game.listing_fault(manifest)
        {
            return Finding::failed(line, "the ruleset listed as its file has it", fault);
        }
        if epoch.suite != ticket.suite || !epoch.is_complete() {
            return missing("the suite of a completed epoch");
        }
        if epoch.status != EpochStatus::Active {
            return missing("an epoch in force");
        }
        // No engine loads such a manifest (D3). Under it, no record would show that a round was
        // re-rolled.
        let policy = tenant.policy;
        if ticket.suite == Suite::Fresh && !(policy.lock_required && policy.chain_required) {
            let expected = "lock and chain required, as the fresh suite needs";
            return Finding::failed(line, expected, "a policy without");
        }
        self.world = Some(AuditWorld { signed, epoch, tenant });
        Finding::Passed
    }

    /// Returns the report of the round, if its ticket can be read at all.
    pub(super) fn into_report(
        self,
        reason: VerdictReason,
        checks: Vec<AuditCheck>,
        claims: Vec<ClaimFinding>,
    ) -> Option<RoundReport> {
        let ending = self.ending();
        let ticket = self.ticket?;
        Some(RoundReport {
            round_id: ticket.round_id,
            table: ticket.coordinates.table,
            round_no: ticket.coordinates.round_no,
            ending,
            replayed: self.replayed,
            reason,
            checks,
            claims,
        })
    }

    /// Returns the ending of the round, if it has a close that no check refused.
    pub(super) fn ending(&self) -> Option<RoundEnding> {
        match self.closed().ok()? {
            (_, SettleRecord::Settled(_)) => Some(RoundEnding::Settled),
            (_, SettleRecord::Void(_)) => Some(RoundEnding::Void),
        }
    }
}
