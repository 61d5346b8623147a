//! Turns the faults that the game finds in decisions into refusals of the request.

use super::refusal::{FactKey, Reason, Refusal, Refusals};
use paigow_rules::cards::Seat;
use paigow_rules::game::{DecisionFault, DecisionRule, SettleError};

/// Passes decisions without faults. `path` returns the path of a seat's decision.
///
/// # Errors
///
/// Returns one refusal that lists every fault.
pub fn pass(faults: &[DecisionFault], path: impl Fn(Seat) -> String) -> Result<(), Refusal> {
    let mut refusals = Refusals::default();
    for fault in faults {
        let path = path(fault.seat);
        let (reason, field) = match fault.rule {
            DecisionRule::Missing => (Reason::DecisionMissing, path),
            DecisionRule::Unexpected => (Reason::DecisionUnexpected, path),
            DecisionRule::DoubleDownUnexpected => {
                (Reason::DecisionUnexpected, format!("{path}.double_down"))
            }
            DecisionRule::BankerSetsByHouseWay => {
                (Reason::DecisionUnexpected, format!("{path}.low"))
            }
            DecisionRule::LowCount { .. }
            | DecisionRule::LowNotDealt
            | DecisionRule::LowRepeated => (Reason::LowCards, format!("{path}.low")),
        };
        let expected = match fault.rule {
            DecisionRule::LowCount { cards } => Some(cards),
            DecisionRule::BankerSetsByHouseWay
            | DecisionRule::DoubleDownUnexpected
            | DecisionRule::LowNotDealt
            | DecisionRule::LowRepeated
            | DecisionRule::Missing
            | DecisionRule::Unexpected => None,
        };
        let what = format!("seat {}: {}", fault.seat, fault.rule);
        let refusal = Refusal::at(reason, field, what)
            .with(FactKey::Seat, fault.seat)
            .with_some(FactKey::Expected, expected);
        refusals.absorb(refusal);
    }
    refusals.finish(())
}

/// Makes a refusal of an error of the game. `path` returns the path of a seat's decision.
pub fn refusal(error: &SettleError, path: impl Fn(Seat) -> String) -> Refusal {
    let SettleError::Decisions { faults } = error else {
        // A broken invariant. An INTERNAL status has one fixed sentence; the log has this text.
        return Refusal::of(Reason::Conservation, error.to_string());
    };
    pass(faults, path).expect_err("refused decisions have faults")
}

#[cfg(test)]
mod tests;
