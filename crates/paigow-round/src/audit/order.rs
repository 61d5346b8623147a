//! The order of a round's checks (D6).

use super::report::{Code, Finding};
use super::round::{Close, RoundAudit};
use super::{epochs, links, outcome};

/// One check of a round, given the closes of all rounds of the file.
type Step<'a> = fn(&mut RoundAudit<'a>, &[Close]) -> Finding;

/// Makes every check of a round in order, after its payloads were read; `closes` are those
/// of all rounds of the file.
pub(super) fn run<'a>(
    round: &mut RoundAudit<'a>,
    closes: &[Close],
    note: &mut dyn FnMut(Code, Finding),
) {
    let steps: [(Code, Step<'a>); 17] = [
        (Code::ManifestLink, |round, _| round.find_world()),
        (Code::Signatures, |round, _| links::signatures(round)),
        (Code::Chain, |round, _| links::chain(round)),
        (Code::Policy, |round, _| links::policy(round)),
        (Code::RoundId, |round, _| links::round_id(round)),
        (Code::Genesis, |round, closes| links::genesis(round, closes)),
        (Code::ClientCommit, |round, _| links::client_commit(round)),
        (Code::LockCoversActions, |round, _| links::lock_covers_actions(round)),
        (Code::Commit, |round, _| outcome::commit(round)),
        (Code::Replay, |round, _| outcome::replay(round)),
        (Code::DeckCommit, |round, _| outcome::deck_commit(round)),
        (Code::CardsShown, |round, _| outcome::cards_shown(round)),
        (Code::Results, |round, _| outcome::results(round)),
        (Code::EpochCommit, |round, _| epochs::commit(round)),
        (Code::EpochSalt, |round, _| epochs::salt(round)),
        (Code::SaltAfterCommit, |round, _| epochs::salt_after_commit(round)),
        (Code::SeedWasNotChosen, |round, _| epochs::seed_was_not_chosen(round)),
    ];
    for (code, step) in steps {
        let finding = step(round, closes);
        round.conclude(code, finding, note);
    }
}
