//! The epochs that a tenant can open rounds in: the part of `OpenRound` that manifests and clock
//! alone decide.

use super::manifest_conditions::{self, EpochPurpose};
use super::{ENGINE, RoundContext};
use paigow_fairness::encoding::Identifier;
use paigow_fairness::manifest::{Epoch, EpochStatus};

/// Epochs of the newest manifest, in its order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TenantEpochs<'c> {
    /// Those in which a round can be opened now.
    pub open: Vec<&'c Epoch>,
    /// Those that open later, or once their salt is published.
    pub upcoming: Vec<&'c Epoch>,
}

impl RoundContext {
    /// Returns the epochs of a tenant at a time in Unix seconds. The lists are empty if no round of
    /// the tenant can be opened under the newest manifest.
    ///
    /// The keys that a replica holds do not matter here, nor do the operator's switches.
    #[must_use]
    pub fn tenant_epochs(&self, tenant: &Identifier, now: u64) -> TenantEpochs<'_> {
        let newest = &self.manifests.newest().manifest;
        let may_open = newest.engine == ENGINE
            && newest.tenant(tenant).is_some()
            && manifest_conditions::pass_keys(&self.manifests, newest, &[]).is_ok();
        let mut epochs = TenantEpochs::default();
        if !may_open {
            return epochs;
        }
        for epoch in &newest.epochs {
            if epoch.status != EpochStatus::Active || now >= epoch.open_until {
                continue;
            }
            let announcement = self.manifests.announcement(epoch.epoch);
            if announcement.is_some_and(|signed| signed.manifest.tenant(tenant).is_none()) {
                continue;
            }
            let passes =
                manifest_conditions::pass(&self.manifests, epoch, now, EpochPurpose::Open).is_ok();
            if passes && epoch.is_complete() {
                epochs.open.push(epoch);
            } else {
                epochs.upcoming.push(epoch);
            }
        }
        epochs
    }
}
