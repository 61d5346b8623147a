//! `NO_FORK`: two different records of one class for one round are evidence (D1).

use std::collections::BTreeMap;

use super::file::TranscriptLine;
use super::report::Finding;
use super::round::RoundAudit;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Suite;

/// A class of which a round has one record.
pub(super) const CLASSES: [&str; 5] = ["ticket", "phase 1 lock", "deal", "phase 2 lock", "close"];

/// Returns the record of each class that counts, in the order of [`CLASSES`].
///
/// Only records that no check refused count: a forged one is no evidence against its
/// supposed signer. In the fresh suite several tickets are normal after lost answers; two
/// locked ones are a fork (D3).
pub(super) fn counted<'r>(round: &'r RoundAudit<'_>) -> [Option<&'r TranscriptLine>; 5] {
    let Some(ticket) = &round.ticket else { return [None; 5] };
    let lines = round.lines;
    let loose = ticket.suite == Suite::Fresh && lines.wager_lock.is_none();
    [
        Some(&lines.ticket).filter(|_| !loose),
        lines.wager_lock.as_ref(),
        lines.deal.as_ref(),
        lines.close_lock.as_ref(),
        lines.settle.as_ref(),
    ]
    .map(|line| line.filter(|line| !round.refused.contains(&line.number)))
}

/// What is wrong with a second record of a class.
pub(super) fn fork(
    class: &str,
    round_id: &Hash,
    before: &Hash,
    line: usize,
    now: &Hash,
) -> Finding {
    Finding::failed(
        line,
        format!("one {class} for round {round_id}"),
        format!("{before} and {now}"),
    )
}

/// Looks for forks over all rounds of the call.
pub(super) fn check(rounds: &[RoundAudit<'_>]) -> Finding {
    let mut seen: BTreeMap<(Hash, &str), Hash> = BTreeMap::new();
    for round in rounds {
        let Some(ticket) = &round.ticket else { continue };
        for (class, line) in CLASSES.into_iter().zip(counted(round)) {
            let Some(line) = line else { continue };
            let before = seen.entry((ticket.round_id, class)).or_insert(line.hash);
            if *before != line.hash {
                return fork(class, &ticket.round_id, before, line.number, &line.hash);
            }
        }
    }
    if rounds.is_empty() { Finding::skipped("no round in the file") } else { Finding::Passed }
}
