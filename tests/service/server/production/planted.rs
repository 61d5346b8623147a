//! Files that a production folder may not hold, at the start and while the server runs.

use paigow::server::{self, Stop, prepare};
use paigow_config::Config;
use paigow_engine::SecretKey;
use paigow_fairness::manifest::{Epoch, ListedRuleset, Manifest, SaltSource};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;
use paigow_files::keys::{self, KeyFile, KeyRole};
use paigow_files::rules_folder;
use paigow_round::Catalogue;

use super::{ACCESS, Deployment, derived};
use crate::server::running::eventually;

#[test]
fn a_key_that_no_replica_needs_keeps_it_from_starting() {
    for (role, name) in
        [(KeyRole::Root, "root"), (KeyRole::Ledger, "ledger"), (KeyRole::Witness, "witness")]
    {
        let deployment = Deployment::new();
        let folder = deployment.path("keys");
        let key = SecretKey::from_bytes(&[4; 32]);
        KeyFile::Signing { role, key }.write_new(&folder).unwrap();
        let told = format!(
            "keyring.directory: {} holds a {name} key: that is a development keyring, or one \
             person with every key (server.profile = \"production\")",
            folder.display()
        );
        assert_eq!(deployment.faults(&[]), [told]);
    }
}

#[test]
fn a_switch_that_names_no_ruleset_keeps_it_from_starting() {
    let deployment = Deployment::new();
    let with = |names: &str| {
        let switches = format!("[halted]\nreason = \"a drill\"\nrulesets = {names}\n");
        std::fs::write(deployment.path("access.toml"), format!("{ACCESS}{switches}")).unwrap();
        deployment.faults(&[])
    };
    let faults = with("[\"mikes\", \"mikey\", \"minni\"]");
    assert_eq!(faults.len(), 2, "{faults:?}");
    for (fault, name) in faults.iter().zip(["mikey", "minni"]) {
        assert!(fault.starts_with("access.file: "), "{fault}");
        assert!(fault.contains("halted.rulesets: "), "{fault}");
        assert!(fault.contains(&format!("\"{name}\"")), "{fault}");
    }
    assert_eq!(with("[\"mikes\"]"), Vec::<String>::new());
}

/// A change of the next manifest.
type Edit = fn(&mut Manifest);

/// Returns the evidence so far.
fn evidence(deployment: &Deployment) -> String {
    let files = std::fs::read_dir(deployment.path("evidence")).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_that_would_not_have_started_is_not_taken_while_it_runs() {
    let mut deployment = Deployment::new();
    let rules = deployment.path("rules");
    std::fs::create_dir_all(rules.join("rulesets")).unwrap();
    let own = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/paigow-rules/src/game/rulesets/online.toml"
    ));
    let own = own.replacen("id = \"online\"", "id = \"our-online\"", 1);
    std::fs::write(rules.join("rulesets/our-online.toml"), own).unwrap();
    let catalogue: Catalogue = rules_folder::catalogue(&rules).unwrap();
    let hash = catalogue.game_named("our-online").unwrap().hash;
    let listed = ListedRuleset { cards: 53, hash, name: "our-online".parse().unwrap() };
    deployment.manifest.rulesets.push(listed);
    // Announced: the derived suite lets a policy for development through the chain's own
    // checks.
    let witness = SecretKey::from_bytes(&[4; 32]).public();
    let source = SaltSource::Party { key: witness, value: None };
    deployment.manifest.epochs[0] = Epoch { salt: None, ..derived(source) };
    deployment.publish();
    let secret = KeyFile::Epoch { epoch: 1, secret: EpochSecret::new([8; 32]) };
    secret.write_new(&deployment.path("keys")).unwrap();
    let folder = format!("{rules:?}");
    assert_eq!(deployment.faults(&[("rules.directory", &folder)]), Vec::<String>::new());

    let config = Config::load(Some(&deployment.path("settings.toml"))).unwrap();
    let service = prepare(&config).unwrap();
    let listener = server::listen(&config.server).await.unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let ended = tokio::spawn(async move {
        let stop = async { stopped.await.unwrap_or(Stop::Interrupted) };
        server::serve(listener, service, &config.server, stop).await
    });

    let chain = deployment.path("keys").join(keys::MANIFESTS);
    let first = std::fs::read_to_string(&chain).unwrap();
    let publish = |edit: Edit| {
        let before = RecordEnvelope::parse(first.trim_end().as_bytes()).unwrap();
        let mut next = Manifest { seq: 2, prev: before.hash(), ..deployment.manifest.clone() };
        edit(&mut next);
        let record =
            RecordEnvelope::seal(RecordKind::Manifest, &next.to_json(), &[&deployment.root]);
        std::fs::write(chain.with_extension("new"), format!("{first}{}\n", record.to_line()))
            .unwrap();
        std::fs::rename(chain.with_extension("new"), &chain).unwrap();
    };
    let edits: [(Edit, &str); 2] = [
        (
            |manifest| {
                let policy = &mut manifest.tenants[0].policy;
                (policy.lock_required, policy.chain_required) = (false, false);
            },
            "tenant acme has lock: off",
        ),
        (
            |manifest| manifest.rulesets.retain(|listed| listed.name.as_str() != "our-online"),
            "the manifest does not list ruleset our-online",
        ),
    ];
    for (edit, told) in edits {
        publish(edit);
        eventually(async || {
            let said = evidence(&deployment);
            (said.contains("\"reload_refused\"") && said.contains(told)).then_some(())
        })
        .await;
        assert!(!evidence(&deployment).contains("\"manifest_loaded\""), "{told}");
    }
    publish(|_| {});
    eventually(async || evidence(&deployment).contains("\"manifest_loaded\"").then_some(())).await;
    stop.send(Stop::Interrupted).unwrap();
    ended.await.unwrap().unwrap();
}
