//! `paigow-keys epochs`: the secrets of future epochs, and their entries in a description.

use std::io::Write;

use super::{KeyOutput, draw};
use paigow_engine::VrfSecretKey;
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;
use paigow_fairness::signature::PublicKey;
use paigow_files::command::CommandError;
use paigow_files::keys::{KeyEntropy, KeyFile};
use paigow_files::utc;

/// The highest number of an epoch.
const LAST: u32 = i32::MAX.unsigned_abs();

/// Epochs of one suite that follow one another.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EpochPlan {
    /// The number of the first, 0 to 2^31 - 1.
    pub first: u32,
    /// How many.
    pub count: u32,
    /// When rounds of the first can begin, in Unix seconds.
    pub open_from: u64,
    /// For how many hours rounds of each can begin.
    pub hours: u32,
    /// For how many days after that rounds of each can be settled.
    pub settle_days: u32,
    /// The key of the witness that gives each its salt.
    pub witness: PublicKey,
    /// The suite of the server seeds.
    pub suite: PlannedSuite,
}

/// A suite whose epochs have secrets.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum PlannedSuite {
    /// The secret is published after the epoch.
    #[default]
    Derived,
    /// The secret is the key of a verifiable random function, and stays secret.
    Vrf,
}

/// Makes the secret of each epoch of a plan, and writes the epochs to `out` as a description lists
/// them.
///
/// # Errors
///
/// If the numbers or times leave their range, or as [`new_key`](super::new_key). The files of
/// earlier epochs then exist.
pub fn epochs(
    plan: &EpochPlan,
    to: &KeyOutput,
    entropy: KeyEntropy<'_>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let usage = |what: &str| Err(CommandError::Usage(what.to_owned()));
    if plan.count == 0 || plan.hours == 0 {
        return usage("--count and --hours: at least 1");
    }
    if plan.first.checked_add(plan.count - 1).is_none_or(|last| last > LAST) {
        return usage("--first and --count: the number of an epoch is at most 2147483647");
    }
    for index in 0..plan.count {
        let epoch = plan.first + index;
        let secret = EpochSecret::new(*draw::draw(&to.dir, to.mix.as_deref(), entropy)?);
        let (suite, commitment) = match plan.suite {
            PlannedSuite::Derived => {
                ("derived", format!("commit = \"{}\"", epoch_commit(epoch, &secret)))
            }
            PlannedSuite::Vrf => {
                let key = VrfSecretKey::new(&secret).public();
                ("vrf", format!("vrf_key = \"{key}\""))
            }
        };
        to.write(&KeyFile::Epoch { epoch, secret }, entropy)?;
        let open = u64::from(plan.hours) * 3600;
        let from = plan.open_from + u64::from(index) * open;
        let until = from + open;
        let settle = until + u64::from(plan.settle_days) * 24 * 3600;
        writeln!(out, "[[epochs]]\nepoch = {epoch}\nsuite = \"{suite}\"\n{commitment}")?;
        for (name, time) in [("open_from", from), ("open_until", until), ("settle_until", settle)] {
            writeln!(out, "{name} = {}", utc::toml(time))?;
        }
        writeln!(out, "salt = {{ party = \"{}\" }}\n", plan.witness)?;
    }
    Ok(())
}
