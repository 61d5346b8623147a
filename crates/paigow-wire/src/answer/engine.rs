//! `GetEngine` and `ListManifests`.

use super::rulesets::{DescribedRulesets, RulesetReader};
use super::{count, epoch_number, policy, record};
use crate::request::ListManifests;
use paigow_fairness::beacon::Beacon;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{ALGO, Epoch, SaltSource, Suite};
use paigow_proto::v1 as pb;
use paigow_round::{ENGINE_ID, RoundContext};
use prost::Message;

/// The running build, as `GetEngine` states it.
#[derive(Clone, Debug)]
pub struct BuildFacts {
    /// The version of the software.
    pub version: &'static str,
    /// The commit that it was built from, or `unknown`.
    pub git_revision: &'static str,
    /// SHA-256 of the running executable, if the system permits reading it.
    pub executable_sha256: Option<Hash>,
    /// The digest that the self-test at start computed.
    pub self_test_digest: Hash,
}

/// The most bytes of a page, unless its first item alone is larger. It is below the 4 MiB that gRPC
/// clients accept by default.
const PAGE_BYTES: usize = 3 << 20;

/// The space that is left on a page.
#[derive(Debug)]
pub(super) struct PageRoom {
    items: usize,
    bytes: usize,
    is_empty: bool,
}

impl PageRoom {
    /// Returns the room of an empty page of at most `size` items.
    pub(super) const fn new(size: usize) -> Self {
        Self { items: size, bytes: PAGE_BYTES, is_empty: true }
    }

    /// Returns whether the page takes another item, and reserves its room. The first item is always
    /// taken.
    pub(super) fn takes(&mut self, item: &impl Message) -> bool {
        // A tag and a length precede each item.
        let bytes = item.encoded_len().saturating_add(8);
        if !self.is_empty && (self.items == 0 || self.bytes < bytes) {
            return false;
        }
        self.is_empty = false;
        self.items = self.items.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes);
        true
    }
}

/// Writes the description of a replica, with the facts that the caller needs to open a round at a
/// time in Unix seconds. `rulesets` are those of `context`.
#[must_use]
pub fn engine(
    context: &RoundContext,
    rulesets: &DescribedRulesets,
    build: &BuildFacts,
    reader: RulesetReader<'_>,
    now: u64,
) -> pb::GetEngineResponse {
    let tenant = reader.tenant;
    let newest = context.manifests.newest();
    let listed = newest.manifest.tenant(tenant);
    let keys = |keys: &[paigow_fairness::signature::PublicKey]| {
        keys.iter().map(|key| hex::encode(key.to_bytes())).collect()
    };
    let epochs = context.tenant_epochs(tenant, now);
    let written = |epochs: Vec<&Epoch>| epochs.into_iter().map(|one| epoch(context, one)).collect();
    pb::GetEngineResponse {
        version: build.version.to_owned(),
        git_revision: build.git_revision.to_owned(),
        executable_sha256: build
            .executable_sha256
            .map_or_else(String::new, |hash| hash.to_string()),
        algorithm: ALGO.to_owned(),
        engine: ENGINE_ID.to_owned(),
        self_test_digest: build.self_test_digest.to_string(),
        root_keys: keys(&context.root.keys),
        root_threshold: count(context.root.threshold),
        witness_keys: keys(&context.manifests.witness_keys().copied().collect::<Vec<_>>()),
        manifest: newest.hash.to_string(),
        manifest_sequence: number(newest.manifest.seq),
        tenant: tenant.to_string(),
        policy: listed.map(|listed| policy::tenant_policy(listed.policy)),
        ledger_keys: listed.map_or_else(Vec::new, |listed| keys(&listed.ledger_keys)),
        pinned_tables: listed.and_then(|listed| listed.tables.as_ref()).map(|tables| {
            pb::PinnedTables { tables: tables.iter().map(Identifier::to_string).collect() }
        }),
        open_epochs: written(epochs.open),
        upcoming_epochs: written(epochs.upcoming),
        base_returns: rulesets.base_returns(context, reader),
        beacon: newest.manifest.beacon.as_ref().map(beacon),
    }
}

fn beacon(beacon: &Beacon) -> pb::Beacon {
    pb::Beacon {
        chain: beacon.chain().to_string(),
        id: beacon.id.to_string(),
        public_key: hex::encode(beacon.key),
        genesis: number(beacon.genesis),
        period: number(beacon.period),
    }
}

fn epoch(context: &RoundContext, epoch: &Epoch) -> pb::Epoch {
    let announcement = context.manifests.announcement(epoch.epoch);
    pb::Epoch {
        epoch: epoch_number(epoch.epoch),
        open_from: number(epoch.open_from),
        open_until: number(epoch.open_until),
        settle_until: number(epoch.settle_until),
        suite: match epoch.suite {
            Suite::Derived => pb::EpochSuite::Derived,
            Suite::Fresh => pb::EpochSuite::Fresh,
            Suite::Vrf => pb::EpochSuite::Vrf,
        }
        .into(),
        salt: salt_state(epoch).into(),
        commit: epoch.commit.map_or_else(String::new, |commit| commit.to_string()),
        vrf_key: epoch.vrf_key.map_or_else(String::new, |key| key.to_string()),
        announced_sequence: announcement.map_or(0, |signed| number(signed.manifest.seq)),
    }
}

const fn salt_state(epoch: &Epoch) -> pb::SaltState {
    match (epoch.suite, &epoch.salt_source) {
        (Suite::Fresh, _) => pb::SaltState::NotNeeded,
        (Suite::Derived | Suite::Vrf, _) if epoch.salt.is_none() => pb::SaltState::Awaited,
        (Suite::Derived | Suite::Vrf, Some(SaltSource::None)) => pb::SaltState::NotNeeded,
        (Suite::Derived | Suite::Vrf, _) => pb::SaltState::Published,
    }
}

/// Lists a page of manifests.
#[must_use]
pub fn manifests(context: &RoundContext, request: ListManifests) -> pb::ListManifestsResponse {
    let wanted =
        context.manifests.all().iter().filter(|signed| signed.manifest.seq > request.after);
    let mut room = PageRoom::new(request.page_size);
    let mut page = pb::ListManifestsResponse::default();
    let mut last = request.after;
    for signed in wanted {
        let manifest = record(&signed.envelope);
        if !room.takes(&manifest) {
            page.next_after_sequence = number(last);
            break;
        }
        page.manifests.push(manifest);
        last = signed.manifest.seq;
    }
    page
}

/// Returns a number in the type of the contract. A number that overflows is not a real one.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_before_it_exceeds_its_bytes_and_has_one_item_at_least() {
        let record =
            |bytes: usize| pb::Record { envelope: vec![b'x'; bytes], ..pb::Record::default() };
        let taken = |sizes: &[usize], most: usize| {
            let mut room = PageRoom::new(most);
            sizes.iter().take_while(|size| room.takes(&record(**size))).count()
        };
        assert_eq!(taken(&[10, 20, 30], 2), 2);
        assert_eq!(taken(&[10, 20, 30], 100), 3);
        assert_eq!(taken(&[], 100), 0);
        assert_eq!(taken(&[5 << 20, 1], 100), 1);
        // Each has a few bytes around it.
        assert_eq!(taken(&[1 << 20; 5], 100), 2);
        let manifests = vec![record((1 << 20) - 16); 3];
        assert_eq!(taken(&[(1 << 20) - 16; 5], 100), 3);
        let page = pb::ListManifestsResponse { manifests, next_after_sequence: i64::MAX };
        assert!(page.encoded_len() <= PAGE_BYTES + 16, "{}", page.encoded_len());
    }
}
