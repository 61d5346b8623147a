//! `NO_FORK`: two different records of one class for one round are evidence (D1).

use std::collections::BTreeMap;

use super::file::Line;
use super::report::Finding;
use super::round::RoundAudit;
use crate::fairness::encoding::Hash;
use crate::fairness::manifest::Suite;

/// Looks for forks over all rounds of the call.
///
/// Only records that no check refused count: a forged one is no evidence against its
/// supposed signer. In the fresh suite several tickets are normal after lost answers; two
/// locked ones are a fork (D3).
pub(super) fn check(rounds: &[RoundAudit<'_>]) -> Finding {
    let mut seen: BTreeMap<(Hash, &str), Hash> = BTreeMap::new();
    for round in rounds {
        let Some(ticket) = &round.ticket else { continue };
        let lines = round.lines;
        let loose = ticket.suite == Suite::Fresh && lines.wager_lock.is_none();
        let classes: [(&str, Option<&Line>); 5] = [
            ("ticket", Some(&lines.ticket).filter(|_| !loose)),
            ("phase 1 lock", lines.wager_lock.as_ref()),
            ("deal", lines.deal.as_ref()),
            ("phase 2 lock", lines.close_lock.as_ref()),
            ("close", lines.settle.as_ref()),
        ];
        for (class, line) in classes {
            let Some(line) = line.filter(|line| !round.refused.contains(&line.number)) else {
                continue;
            };
            let before = seen.entry((ticket.round_id, class)).or_insert(line.hash);
            if *before != line.hash {
                return Finding::failed(
                    line.number,
                    format!("one {class} for round {}", ticket.round_id),
                    format!("{before} and {}", line.hash),
                );
            }
        }
    }
    if rounds.is_empty() { Finding::skipped("no round in the file") } else { Finding::Passed }
}
