//! Manifests that are well signed and continue those in force, but that this server cannot
//! use: the log reports each refusal, and the old ones stay.

use paigow_fairness::manifest::Manifest;

use super::{Logged, facts_of, next_manifest, replace, seq};
use crate::server::running::{deal, settle};

/// A change of the next manifest.
type Edit = fn(&mut Manifest);

/// Waits until a keyring has been refused with the fault `told`.
fn refused(server: &Logged, told: &str) {
    server.line(|line| {
        let facts = facts_of(line);
        line["event"] == "reload_refused" && facts.contains("part=keyring") && facts.contains(told)
    });
}

#[tokio::test]
async fn a_manifest_that_this_server_cannot_work_by_is_refused_and_the_old_one_stays() {
    let home = tempfile::tempdir().unwrap();
    let server = Logged::start(home.path(), &[]);
    let folder = home.path().join(".paigow-dev");
    let chain = folder.join(paigow_files::keys::MANIFESTS);
    let good = std::fs::read_to_string(&chain).unwrap();
    let mut client = server.client().await;
    let edits: [(Edit, &str); 3] = [
        (
            |manifest| manifest.engine = "pge-2".parse().unwrap(),
            "the manifest is for engine pge-2, this build is pge-1",
        ),
        (
            |manifest| manifest.rulesets.clear(),
            "this build has none of the rulesets that the manifest lists",
        ),
        (
            |manifest| manifest.tenants.retain(|tenant| tenant.tenant.as_str() != "dev"),
            "server.tenant: the manifest lists no tenant dev",
        ),
    ];
    for (round_no, (edit, told)) in (1..).zip(edits) {
        next_manifest(&folder, edit);
        refused(&server, told);
        assert_eq!(seq(&mut client).await, 1, "{told}");
        let dealt = client.deal(deal(round_no)).await.unwrap().into_inner();
        client.settle(settle(&dealt)).await.unwrap();
        replace(&chain, &good);
    }
    // None of them is in force: the next one continues the first.
    next_manifest(&folder, |_| {});
    server.event("manifest_loaded");
    assert_eq!(seq(&mut client).await, 2);
}
