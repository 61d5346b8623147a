//! Signatures, links and policy: the signers of the records, and their order.

use super::file::TranscriptLine;
use super::places;
use super::report::{Finding, joined};
use super::round::{RoundAudit, RoundClose};
use crate::client_seeds;
use crate::record::{Action, CloseLock, SettleRecord};
use crate::round::is_signed_action_while;
use crate::spent::absent_fault;
use paigow_fairness::beacon::Beacon;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{AbsentPolicy, ClientPolicy, ExternalPolicy, SeatAuth};
use paigow_fairness::seed::Coordinates;
use paigow_fairness::ticket::SeatKey;
use paigow_rules::cards::Seat;

/// The reason why `GENESIS` is skipped if the close that the ticket must follow is missing.
pub(super) const NO_ROUND_BEFORE: &str = "the round before is not in the file";

/// `SIGNATURES`: each record is signed by a key of its role. It may be unsigned only if the policy
/// allows that. A signature by a revoked receipt key does not count by itself.
pub(super) fn signatures(round: &RoundAudit<'_>) -> Finding {
    let (ticket, world) = match round.grounds() {
        Ok(grounds) => grounds,
        Err(skipped) => return skipped,
    };
    let engine_keys = round.context.standing(world.signed.manifest.receipt_public_keys());
    let lines = round.lines;
    let effort = &round.context.effort;
    let policy = world.tenant.policy;
    for line in
        [Some(&lines.ticket), lines.deal.as_ref(), lines.settle.as_ref()].into_iter().flatten()
    {
        if !line.envelope.is_signed() || !line.envelope.all_verify(effort.tried(&engine_keys)) {
            let expected = "a signature by a receipt key of the manifest";
            return Finding::failed(line.number, expected, "another, or none");
        }
    }
    for line in [&lines.wager_lock, &lines.close_lock].into_iter().flatten() {
        let missing = policy.lock_required && !line.envelope.is_signed();
        if missing || !line.envelope.all_verify(effort.tried(&world.tenant.ledger_keys)) {
            let expected = "a signature by a ledger key of the tenant";
            return Finding::failed(line.number, expected, "another, or none");
        }
    }
    // A spent lock settles nothing, so only the ledger's signature counts there.
    for spent in &lines.spent {
        let line = &spent.lock;
        if !line.envelope.is_signed()
            || !line.envelope.all_verify(effort.tried(&world.tenant.ledger_keys))
        {
            let expected = "a signature by a ledger key of the tenant";
            return Finding::failed(line.number, expected, "another, or none");
        }
    }
    let absent: &[Seat] = match &round.close_lock {
        Some(CloseLock::Final { absent, .. }) => absent,
        Some(CloseLock::Void { .. }) | None => &[],
    };
    for (line, (action, _)) in lines.actions.iter().zip(&round.actions) {
        let key = ticket.seat_keys.get(&action.seat).map(|seat| seat.key);
        let must_sign = (key.is_some() || policy.seat_auth == SeatAuth::Required)
            && !absent.contains(&action.seat);
        let ledger_keys = &world.tenant.ledger_keys;
        let may_verify = |count| effort.may_verify(count);
        if !is_signed_action_while(&may_verify, &line.envelope, key, must_sign, ledger_keys) {
            return Finding::failed(
                line.number,
                "a signature by the seat's key, and others by ledger keys only",
                "another, or none",
            );
        }
    }
    Finding::Passed
}

/// `CHAIN`: `prev`, `ticket`, `deal` and `round_id` links.
pub(super) fn chain(round: &RoundAudit<'_>) -> Finding {
    let ticket = match round.grounds() {
        Ok((ticket, _)) => ticket,
        Err(skipped) => return skipped,
    };
    if let Some(line) = round.lines.all().find(|line| round.refused.contains(&line.number)) {
        return Finding::skipped(format!("line {} was refused by an earlier check", line.number));
    }
    let lines = round.lines;
    let id = &ticket.round_id;
    let hash_of = |line: Option<&TranscriptLine>| line.map(|line| line.hash);
    let link = |number: usize, what: &str, expected: Option<Hash>, found: &Hash| {
        let expected_text = expected.map_or("a record before it".to_owned(), |h| h.to_string());
        if expected == Some(*found) {
            Finding::Passed
        } else {
            Finding::failed(number, format!("{what} {expected_text}"), found.to_string())
        }
    };
    let ticket_hash = Some(lines.ticket.hash);
    let lock_hash = hash_of(lines.wager_lock.as_ref());
    let deal_hash = hash_of(lines.deal.as_ref());
    let mut finding = Finding::Passed;
    if let (Some(line), Some(lock)) = (&lines.wager_lock, &round.wager_lock) {
        finding = finding
            .and(|| link(line.number, "round_id", Some(*id), &lock.round_id))
            .and(|| link(line.number, "prev", ticket_hash, &lock.prev));
    }
    if let (Some(line), Some(deal)) = (&lines.deal, &round.deal) {
        finding = finding
            .and(|| link(line.number, "round_id", Some(*id), &deal.round_id))
            .and(|| link(line.number, "ticket", ticket_hash, &deal.ticket))
            .and(|| link(line.number, "prev", lock_hash, &deal.prev));
    }
    let of_lock = |line: &TranscriptLine, lock: &CloseLock| {
        let (round_id, prev, expected) = match lock {
            CloseLock::Final { round_id, prev, .. } => (round_id, prev, deal_hash),
            CloseLock::Void { round_id, prev, .. } => {
                (round_id, prev, deal_hash.or(lock_hash).or(ticket_hash))
            }
        };
        link(line.number, "round_id", Some(*id), round_id)
            .and(|| link(line.number, "prev", expected, prev))
    };
    for (spent, lock) in lines.spent.iter().zip(&round.spent) {
        finding = finding.and(|| of_lock(&spent.lock, lock));
    }
    for (line, (action, _)) in lines.actions.iter().zip(&round.actions) {
        finding = finding.and(|| link(line.number, "prev", deal_hash, &action.prev));
    }
    if let (Some(line), Some(lock)) = (&lines.close_lock, &round.close_lock) {
        finding = finding.and(|| of_lock(line, lock));
    }
    if let (Some(line), Some(settle)) = (&lines.settle, &round.settle) {
        let close_hash = hash_of(lines.close_lock.as_ref());
        finding = finding
            .and(|| link(line.number, "round_id", Some(*id), settle.round_id()))
            .and(|| link(line.number, "ticket", ticket_hash, settle.ticket()))
            .and(|| link(line.number, "prev", close_hash, settle.prev()))
            .and(|| match settle {
                SettleRecord::Settled(settled) => {
                    link(line.number, "deal", deal_hash, &settled.deal)
                }
                SettleRecord::Void(_) => Finding::Passed,
            })
            .and(|| match (&round.close_lock, settle) {
                (Some(CloseLock::Final { .. }), SettleRecord::Settled(_)) => Finding::Passed,
                (Some(CloseLock::Void { reason, .. }), SettleRecord::Void(voided)) => {
                    let (lock, close) = (reason.name(), voided.reason.name());
                    Finding::equal(line.number, &lock, &close, "the reason of its lock,")
                }
                (_, SettleRecord::Settled(_)) => {
                    Finding::failed(line.number, "a final lock before it", "another lock")
                }
                (_, SettleRecord::Void(_)) => {
                    Finding::failed(line.number, "a void lock before it", "another lock")
                }
            });
    }
    finding
}

/// `POLICY`: everything that lock, chain, client and seat_auth demand is present.
pub(super) fn policy(round: &RoundAudit<'_>) -> Finding {
    let (ticket, world) = match round.grounds() {
        Ok(grounds) => grounds,
        Err(skipped) => return skipped,
    };
    let line = round.lines.ticket.number;
    let policy = world.tenant.policy;
    if ticket.policy != policy {
        return Finding::failed(line, "the policy of the manifest", "another policy");
    }
    if policy.chain_required && ticket.coordinates.round_no > 1 && ticket.prev == world.signed.hash
    {
        return Finding::failed(line, "a link to the close of the round before", "the manifest");
    }
    let chain = world.signed.manifest.beacon.as_ref().map(Beacon::chain);
    let is_as_the_policy = match (policy.external, ticket.external) {
        (ExternalPolicy::None, None) => true,
        (ExternalPolicy::Drand, Some(named)) => Some(named.chain) == chain,
        (ExternalPolicy::None, Some(_)) | (ExternalPolicy::Drand, None) => false,
    };
    if !is_as_the_policy {
        let expected =
            "a round of the manifest's beacon exactly if the policy says external: drand";
        return Finding::failed(line, expected, "another external");
    }
    if policy.client == ClientPolicy::Committed && ticket.client.is_empty() {
        return Finding::failed(line, "commitments to client seeds", "none");
    }
    if policy.seat_auth == SeatAuth::Off && !ticket.seat_keys.is_empty() {
        return Finding::failed(line, "no seat keys", "seat keys");
    }
    let mut keys = ticket.seat_keys.iter();
    let other_clause = keys.find(|(_, key)| match policy.absent {
        AbsentPolicy::Off => key.house_way_if_absent,
        AbsentPolicy::Optional => false,
        AbsentPolicy::Required => !key.house_way_if_absent,
    });
    if let Some((seat, _)) = other_clause {
        let expected = "the clause of absent seats as the policy has it";
        return Finding::failed(line, expected, format!("another of seat {seat}"));
    }
    for (seat, SeatKey { key, .. }) in &ticket.seat_keys {
        // A key that was good when the ticket took it stays good, whatever a later manifest says.
        if let Some((first, role)) = round.context.roles.get(key)
            && *first <= round.manifest_line(world)
        {
            let found = format!("seat {seat} with a {role} key");
            return Finding::failed(line, "seat keys that have no other role", found);
        }
    }
    if policy.seat_auth == SeatAuth::Required {
        let without = round.actions.iter().find(|(a, _)| !ticket.seat_keys.contains_key(&a.seat));
        if let Some((action, _)) = without {
            return Finding::failed(
                line,
                "a key of every seat that decides",
                format!("none of seat {}", action.seat),
            );
        }
    }
    if policy.lock_required && round.lines.deal.is_some() && round.lines.wager_lock.is_none() {
        return Finding::failed(line, "a lock of the wagers", "none");
    }
    places::fault(round).unwrap_or(Finding::Passed)
}

/// `ROUND_ID`: the id is that of the coordinates.
pub(super) fn round_id(round: &RoundAudit<'_>) -> Finding {
    match round.grounds() {
        Ok((ticket, _)) => Finding::equal(
            round.lines.ticket.number,
            &ticket.coordinates.round_id(),
            &ticket.round_id,
            "round_id",
        ),
        Err(skipped) => skipped,
    }
}

/// `GENESIS`: round 1 follows the manifest, any other the close of the round before.
pub(super) fn genesis(round: &RoundAudit<'_>, closes: &[RoundClose]) -> Finding {
    let (ticket, world) = match round.grounds() {
        Ok(grounds) => grounds,
        Err(skipped) => return skipped,
    };
    let line = round.lines.ticket.number;
    let coordinates = &ticket.coordinates;
    if coordinates.round_no == 1 {
        return Finding::equal(line, &world.signed.hash, &ticket.prev, "the manifest,");
    }
    if ticket.prev == world.signed.hash {
        // This is legal only if the chain is off, which POLICY has checked.
        return Finding::skipped("the chain is off: the round stands by itself");
    }
    let wanted = before(coordinates);
    if let Some(close) = round.context.terms.after.get(&wanted.round_id()) {
        return Finding::equal(line, close, &ticket.prev, "the close that was audited before,");
    }
    let found: Vec<Hash> =
        closes.iter().filter(|close| close.coordinates == wanted).map(|close| close.hash).collect();
    let Some(first) = found.first() else {
        return Finding::skipped(NO_ROUND_BEFORE);
    };
    if found.contains(&ticket.prev) {
        Finding::Passed
    } else {
        let expected = format!("the close of the round before, {first}");
        Finding::failed(line, expected, ticket.prev.to_string())
    }
}

/// Returns the place of the round before; `coordinates` are not those of round 1.
pub(super) fn before(coordinates: &Coordinates) -> Coordinates {
    Coordinates { round_no: coordinates.round_no - 1, ..coordinates.clone() }
}

/// `CLIENT_COMMIT`: client seeds open their commitments (D10).
pub(super) fn client_commit(round: &RoundAudit<'_>) -> Finding {
    let (ticket, world) = match round.grounds() {
        Ok(grounds) => grounds,
        Err(skipped) => return skipped,
    };
    let line = match round.usable(round.lines.wager_lock.as_ref(), "lock of the wagers") {
        Ok(line) => line,
        Err(skipped) => return skipped,
    };
    // Seeds that do not open their commitments can only be voided (D10). They are no fault if no
    // cards were dealt.
    let closes_as_void = matches!(round.close_lock, Some(CloseLock::Void { .. }));
    if closes_as_void && round.lines.deal.is_none() {
        return Finding::skipped("the round is void");
    }
    let Some(lock) = &round.wager_lock else { return Finding::skipped("no lock of the wagers") };
    let mut wagered: Vec<Seat> = lock.wagers.iter().map(|wager| wager.seat).collect();
    wagered.dedup();
    let faults = client_seeds::check(
        world.tenant.policy.client,
        &ticket.round_id,
        &ticket.client,
        wagered.iter().copied(),
        &lock.client_seeds,
    );
    match faults.first() {
        None => Finding::Passed,
        Some(fault) => {
            let expected = "seeds that open the ticket's commitments";
            Finding::failed(line, expected, fault.to_string())
        }
    }
}

/// `LOCK_COVERS_ACTIONS`: each final lock lists exactly its actions. The last one has one action
/// for each seat, and every absent seat has the clause.
pub(super) fn lock_covers_actions(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        for (spent, lock) in round.lines.spent.iter().zip(&round.spent) {
            round.usable(Some(&spent.lock), "lock that closes the round")?;
            let CloseLock::Final { actions, .. } = lock else { continue };
            // An action may be listed twice, which spends the lock. Its record occurs once.
            let once = actions.iter().enumerate().filter(|(i, hash)| !actions[..*i].contains(hash));
            let expected: Vec<Hash> = once.map(|(_, hash)| *hash).collect();
            let found: Vec<Hash> = spent.actions.iter().map(|line| line.hash).collect();
            if expected != found {
                let (expected, found) = (joined(&expected), joined(&found));
                let expected = format!("the actions {expected}");
                return Ok(Finding::failed(spent.lock.number, expected, found));
            }
        }
        last_lock_covers_actions(round)
    })
}

fn last_lock_covers_actions(round: &RoundAudit<'_>) -> Result<Finding, Finding> {
    let line = round.usable(round.lines.close_lock.as_ref(), "lock that closes the round")?;
    if let Some(action) = round.lines.actions.iter().find(|a| round.refused.contains(&a.number)) {
        let why = format!("line {} was refused by an earlier check", action.number);
        return Err(Finding::skipped(why));
    }
    match &round.close_lock {
        Some(CloseLock::Final { absent, actions, .. }) => {
            let seats: Vec<Seat> = round.actions.iter().map(|(action, _)| action.seat).collect();
            if !seats.windows(2).all(|pair| pair[0] < pair[1]) {
                let expected = "one action a seat, ascending";
                return Ok(Finding::failed(line, expected, joined(&seats)));
            }
            let found: Vec<Hash> = round.lines.actions.iter().map(|line| line.hash).collect();
            let covers =
                Finding::equal_as(line, actions, &found, "the actions", |hashes| joined(hashes));
            Ok(covers.unless_failed(|| {
                let (ticket, _) = round.grounds().ok()?;
                let taken: Vec<&Action> = round.actions.iter().map(|(action, _)| action).collect();
                let seat = absent_fault(absent, &taken, &ticket.seat_keys)?;
                let expected = "absent seats that registered the clause, by house way";
                Some(Finding::failed(line, expected, format!("seat {seat}")))
            }))
        }
        Some(CloseLock::Void { .. }) if round.actions.is_empty() => {
            Err(Finding::skipped("the round is void"))
        }
        Some(CloseLock::Void { .. }) => Ok(Finding::failed(line, "no action in a void", "actions")),
        None => Err(Finding::skipped("no lock that closes the round")),
    }
}
