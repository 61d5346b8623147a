//! Public randomness: the beacon's signature, and the records that were fixed before it was
//! published.

use super::logged;
use super::report::Finding;
use super::round::RoundAudit;
use paigow_fairness::beacon::{Beacon, BeaconRound};

/// The cost of one verification of a beacon's signature, in verifications of other signatures.
pub(super) const BLS_WORK: usize = 64;

/// The reason for a skipped check whose chain the caller does not trust.
const UNTRUSTED: &str = "the chain of the beacon is not among those given";

/// The reason for a skipped check of a round without public randomness.
const NO_BEACON: &str = "the ticket names no beacon round";

/// `BEACON`: the deal has the beacon's signature of the round that the ticket names.
pub(super) fn signature(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        round.usable(Some(&round.lines.ticket), "ticket")?;
        let line = round.usable(round.lines.deal.as_ref(), "deal")?;
        let (Some(ticket), Some(deal)) = (&round.ticket, &round.deal) else {
            return Err(Finding::skipped("no ticket or no deal"));
        };
        let (named, signature) = match (&ticket.external, &deal.beacon) {
            (None, None) => return Err(Finding::skipped(NO_BEACON)),
            (None, Some(_)) => {
                let expected = "no signature of a beacon, as the ticket names no round";
                return Ok(Finding::failed(line, expected, "a signature"));
            }
            (Some(_), None) => {
                return Ok(Finding::failed(line, "the beacon's signature of the round", "none"));
            }
            (Some(named), Some(signature)) => (named, signature),
        };
        let (_, world) = round.grounds()?;
        let beacon = world.signed.manifest.beacon.as_ref();
        let beacon = beacon.ok_or_else(|| Finding::skipped("the manifest lists no beacon"))?;
        if !round.context.effort.may_verify(BLS_WORK) {
            return Err(Finding::skipped("the audit takes too much work"));
        }
        if beacon.verifies(named.round, signature) {
            Ok(Finding::Passed)
        } else {
            Ok(Finding::failed(line, "the beacon's signature of the round", "another"))
        }
    })
}

/// Returns the beacon of the round's manifest, if the caller trusts its chain.
fn trusted<'a>(round: &RoundAudit<'a>, named: &BeaconRound) -> Result<&'a Beacon, Finding> {
    let (_, world) = round.grounds()?;
    let listed = world.signed.manifest.beacon.as_ref();
    let listed = listed.filter(|beacon| beacon.chain() == named.chain);
    let is_trusted = |_: &&Beacon| round.context.terms.trusts_beacon(&named.chain);
    listed.filter(is_trusted).ok_or_else(|| Finding::skipped(UNTRUSTED))
}

/// Checks that `time`, at which a pinned witness dated a record, is before a round of the beacon
/// was published. `what` is the record in words.
fn dated_before(
    time: Option<u64>,
    what: &str,
    beacon: &Beacon,
    named: &BeaconRound,
) -> Result<Finding, Finding> {
    let published = beacon.published_at(named.round);
    match time {
        Some(time) if time < published => Ok(Finding::Passed),
        Some(time) => Err(Finding::skipped(format!(
            "a witness dated {what} at {time}, and the beacon's round was published at {published}"
        ))),
        None => Err(Finding::skipped(format!("no pinned witness dated {what}"))),
    }
}

/// `LOCKED_BEFORE_BEACON`: a pinned witness dated the lock of the wagers before the beacon's round
/// was published. The caller trusts the chain of the beacon.
pub(super) fn locked_before(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let (ticket, _) = round.grounds()?;
        let named = ticket.external.ok_or_else(|| Finding::skipped(NO_BEACON))?;
        let beacon = trusted(round, &named)?;
        let lock = &round.lines.wager_lock;
        round.usable(lock.as_ref(), "lock of the wagers")?;
        let lock = lock.as_ref().ok_or_else(|| Finding::skipped("no lock of the wagers"))?;
        dated_before(logged::time_of(round, &lock.hash)?, "the wagers", beacon, &named)
    })
}

/// `SALT_AFTER_COMMIT` of a drand salt: a pinned witness dated the manifest that announced the epoch
/// before the salt's round was published.
pub(super) fn announced_before(
    round: &RoundAudit<'_>,
    announcement: usize,
    named: &BeaconRound,
) -> Result<Finding, Finding> {
    let beacon = trusted(round, named)?;
    let mut manifests = round.context.manifests.iter();
    let (_, announcing) = manifests
        .find(|(line, _)| *line == announcement)
        .ok_or_else(|| Finding::skipped("no manifest lists the epoch"))?;
    let time = round.context.logged.time(None, &announcing.hash);
    dated_before(time, "the announcement", beacon, named)
}
