//! The order of a round's checks (D6).

use super::closes::ClosedEpochs;
use super::places::LockedSeeds;
use super::report::{CheckCode, Finding};
use super::round::{RoundAudit, RoundClose};
use super::{beacons, closes, epochs, links, logged, outcome, places, supersedes};

/// The other rounds of the file, as far as checks of a round need them.
#[derive(Default)]
pub(super) struct OtherRounds {
    /// The closes of all rounds of the file.
    pub(super) closes: Vec<RoundClose>,
    /// The client seeds of all rounds of the file.
    pub(super) seeds: LockedSeeds,
    /// The rounds of the file whose epoch has a close.
    pub(super) closed: ClosedEpochs,
}

/// One check of a round, given the other rounds of the file.
type Step<'a> = fn(&mut RoundAudit<'a>, &OtherRounds) -> Finding;

/// Makes every check of a round in order, after its payloads were read.
pub(super) fn run<'a>(
    round: &mut RoundAudit<'a>,
    others: &OtherRounds,
    note: &mut dyn FnMut(CheckCode, Finding),
) {
    let steps: [(CheckCode, Step<'a>); 26] = [
        (CheckCode::ManifestLink, |round, _| round.find_world()),
        (CheckCode::Signatures, |round, _| links::signatures(round)),
        (CheckCode::Chain, |round, _| links::chain(round)),
        (CheckCode::Policy, |round, _| links::policy(round)),
        (CheckCode::RoundId, |round, _| links::round_id(round)),
        (CheckCode::Genesis, |round, others| links::genesis(round, &others.closes)),
        (CheckCode::ClientCommit, |round, _| links::client_commit(round)),
        (CheckCode::LockCoversActions, |round, _| links::lock_covers_actions(round)),
        (CheckCode::Supersedes, |round, _| supersedes::check(round)),
        (CheckCode::Commit, |round, _| outcome::commit(round)),
        (CheckCode::Replay, |round, _| outcome::replay(round)),
        (CheckCode::DeckCommit, |round, _| outcome::deck_commit(round)),
        (CheckCode::CardsShown, |round, _| outcome::cards_shown(round)),
        (CheckCode::DealerShown, |round, _| outcome::dealer_shown(round)),
        (CheckCode::Results, |round, _| outcome::results(round)),
        (CheckCode::Beacon, |round, _| beacons::signature(round)),
        (CheckCode::EpochCommit, |round, _| epochs::commit(round)),
        (CheckCode::EpochSalt, |round, _| epochs::salt(round)),
        (CheckCode::SaltAfterCommit, |round, _| epochs::salt_after_commit(round)),
        (CheckCode::SeedProof, |round, _| epochs::seed_proof(round)),
        (CheckCode::SeedWasNotChosen, |round, _| epochs::seed_was_not_chosen(round)),
        (CheckCode::PlaceListed, |round, _| places::listed(round)),
        (CheckCode::PlaceNotChosen, |round, others| places::not_chosen(round, &others.seeds)),
        (CheckCode::Logged, |round, _| logged::check(round)),
        (CheckCode::LockedBeforeBeacon, |round, _| beacons::locked_before(round)),
        (CheckCode::EpochClose, |round, others| closes::check(round, &others.closed)),
    ];
    for (code, step) in steps {
        let finding = step(round, others);
        round.conclude(code, finding, note);
    }
}
