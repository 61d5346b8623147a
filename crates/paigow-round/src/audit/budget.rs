//! The limit of the work of one audit. A few megabytes may list so many keys and signatures that
//! their verification takes minutes.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::signature::PublicKey;

/// The most work of one audit. The caller limits the bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AuditBudget {
    /// The most verifications of a signature with a key.
    pub verifications: u64,
    /// The most rounds.
    pub rounds: u64,
}

impl AuditBudget {
    /// The budget of an audit without other waiting callers: no limit.
    pub const UNLIMITED: Self = Self { verifications: u64::MAX, rounds: u64::MAX };
}

/// The reason why an audit has no report.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum UnfinishedAudit {
    /// The caller no longer wants the report.
    #[error("the caller no longer wants the report")]
    GivenUp,
    /// The audit takes more work than its budget.
    #[error("{counted} {work}, at most {maximum}")]
    OverBudget {
        /// The kind of work that was counted.
        work: AuditWork,
        /// The count: of all rounds, or of the verifications up to the one that was not made.
        counted: u64,
        /// The limit of the count.
        maximum: u64,
    },
}

/// The work that an audit counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AuditWork {
    /// Verifications of a signature with a key.
    Verifications,
    /// Rounds.
    Rounds,
}

impl AuditWork {
    /// Returns the word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verifications => "verifications",
            Self::Rounds => "rounds",
        }
    }
}

impl fmt::Display for AuditWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The work of an audit so far.
///
/// Once the budget is used up, no signature counts as verified. All later findings are of no use,
/// and [`AuditEffort::check`] returns an error.
pub(super) struct AuditEffort<'a> {
    is_wanted: &'a (dyn Fn() -> bool + Sync),
    budget: AuditBudget,
    verifications: AtomicU64,
}

impl<'a> AuditEffort<'a> {
    pub(super) const fn new(is_wanted: &'a (dyn Fn() -> bool + Sync), budget: AuditBudget) -> Self {
        Self { is_wanted, budget, verifications: AtomicU64::new(0) }
    }

    /// Takes `count` verifications from the budget; returns false if they must not be made.
    pub(super) fn may_verify(&self, count: usize) -> bool {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let before = self.verifications.fetch_add(count, Ordering::Relaxed);
        before.saturating_add(count) <= self.budget.verifications && (self.is_wanted)()
    }

    /// Returns `keys` as long as each may be tried with a signature.
    pub(super) fn tried<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k PublicKey, IntoIter: Clone>,
    ) -> impl Iterator<Item = &'k PublicKey> + Clone {
        keys.into_iter().take_while(|_| self.may_verify(1))
    }

    /// Returns `keys` as long as each may be tried with every signature of a record.
    pub(super) fn tried_with_all<'k>(
        &self,
        envelope: &RecordEnvelope,
        keys: impl IntoIterator<Item = &'k PublicKey>,
    ) -> impl Iterator<Item = &'k PublicKey> {
        let signatures = envelope.signatures().len();
        keys.into_iter().take_while(move |_| self.may_verify(signatures))
    }

    /// Returns an error if the audit must not continue with `rounds` rounds.
    pub(super) fn check(&self, rounds: usize) -> Result<(), UnfinishedAudit> {
        let counted = |work, counted, maximum| {
            let is_over = counted > maximum;
            is_over.then_some(UnfinishedAudit::OverBudget { work, counted, maximum })
        };
        let rounds = u64::try_from(rounds).unwrap_or(u64::MAX);
        let verifications = self.verifications.load(Ordering::Relaxed);
        let AuditBudget { verifications: most, rounds: most_rounds } = self.budget;
        let over = counted(AuditWork::Rounds, rounds, most_rounds)
            .or_else(|| counted(AuditWork::Verifications, verifications, most));
        match over {
            Some(over) => Err(over),
            None if (self.is_wanted)() => Ok(()),
            None => Err(UnfinishedAudit::GivenUp),
        }
    }
}
