//! `GetEngine` and `ListManifests`.

use super::{count, policy, record};
use crate::request::ListManifests;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{ALGO, Epoch, SaltSource, Suite};
use paigow_proto::v1 as pb;
use paigow_round::{ENGINE_ID, RoundContext};
use prost::Message;

/// What is running, as `GetEngine` states it.
#[derive(Clone, Debug)]
pub struct BuildFacts {
    /// The version of the software.
    pub version: &'static str,
    /// The commit that it was built from, or `unknown`.
    pub git_revision: &'static str,
    /// SHA-256 of the running executable, where the system lets it be read.
    pub executable_sha256: Option<Hash>,
    /// What the self-test at start has computed.
    pub self_test_digest: Hash,
}

/// The most bytes of a page, unless its first item alone is larger: below the 4 MiB that gRPC
/// clients take by default.
const PAGE_BYTES: usize = 3 << 20;

/// Returns how many of `items` make a page: at most `size`, at least one if there is one.
pub(super) fn page_len<'m, M: Message + 'm>(
    items: impl IntoIterator<Item = &'m M>,
    size: usize,
) -> usize {
    let mut bytes = 0_usize;
    let fits = |(place, item): &(usize, &M)| {
        // A tag and a length stand before each item.
        bytes = bytes.saturating_add(item.encoded_len()).saturating_add(8);
        *place == 0 || bytes <= PAGE_BYTES
    };
    items.into_iter().enumerate().take(size).take_while(fits).count()
}

/// Says what a replica is, and what `tenant` needs to open a round at a time in Unix seconds.
#[must_use]
pub fn engine(
    context: &RoundContext,
    build: &BuildFacts,
    tenant: &Identifier,
    now: u64,
) -> pb::GetEngineResponse {
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
        witness_keys: keys(&context.witness_keys()),
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
    }
}

fn epoch(context: &RoundContext, epoch: &Epoch) -> pb::Epoch {
    let announcement = context.manifests.announcement(epoch.epoch);
    pb::Epoch {
        epoch: i32::try_from(epoch.epoch).unwrap_or(i32::MAX),
        open_from: number(epoch.open_from),
        open_until: number(epoch.open_until),
        settle_until: number(epoch.settle_until),
        suite: match epoch.suite {
            Suite::Derived => pb::EpochSuite::Derived,
            Suite::Fresh => pb::EpochSuite::Fresh,
        }
        .into(),
        salt: salt_state(epoch).into(),
        commit: epoch.commit.map_or_else(String::new, |commit| commit.to_string()),
        announced_sequence: announcement.map_or(0, |signed| number(signed.manifest.seq)),
    }
}

const fn salt_state(epoch: &Epoch) -> pb::SaltState {
    match (epoch.suite, &epoch.salt_source) {
        (Suite::Fresh, _) => pb::SaltState::NotNeeded,
        (Suite::Derived, _) if epoch.salt.is_none() => pb::SaltState::Awaited,
        (Suite::Derived, Some(SaltSource::None)) => pb::SaltState::NotNeeded,
        (Suite::Derived, _) => pb::SaltState::Published,
    }
}

/// Lists a page of manifests.
#[must_use]
pub fn manifests(context: &RoundContext, request: ListManifests) -> pb::ListManifestsResponse {
    let after = |seq: u64| seq > request.after;
    let wanted = context.manifests.all().iter().filter(|signed| after(signed.manifest.seq));
    // One more than a page tells whether the page is the last.
    let wanted: Vec<_> = wanted.take(request.page_size.saturating_add(1)).collect();
    let mut manifests: Vec<pb::Record> =
        wanted.iter().map(|signed| record(&signed.envelope)).collect();
    let len = page_len(&manifests, request.page_size);
    manifests.truncate(len);
    let next_after_sequence = if len < wanted.len() {
        wanted[..len].last().map_or(0, |last| number(last.manifest.seq))
    } else {
        0
    };
    pb::ListManifestsResponse { manifests, next_after_sequence }
}

/// Returns a number as the contract writes it; what does not fit is not a real one.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_before_it_exceeds_its_bytes_and_has_one_item_at_least() {
        let record = |bytes: usize| pb::Record { envelope: vec![b'x'; bytes] };
        let small = [record(10), record(20), record(30)];
        assert_eq!(page_len(&small, 2), 2);
        assert_eq!(page_len(&small, 100), 3);
        let mebibyte = vec![record(1 << 20); 5];
        assert_eq!(page_len(&mebibyte, 100), 2, "each has a few bytes around it");
        assert_eq!(page_len(&[record(5 << 20), record(1)], 100), 1);
        assert_eq!(page_len::<pb::Record>([], 100), 0);
        let page =
            pb::ListManifestsResponse { manifests: mebibyte[..2].to_vec(), ..Default::default() };
        assert!(page.encoded_len() <= PAGE_BYTES);
    }
}
