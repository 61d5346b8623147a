//! The event of an alarm on a real process: which distinguishes a fault of the engine from a stolen key.

use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::keys::KeyFile;
use paigow_proto::v1 as pb;
use paigow_round::record::DealRecord;
use tonic::Code;

use crate::server::logged::Logged;
use crate::server::running::{deal, reason_and_fields, settle};

#[tokio::test]
async fn a_deal_that_a_stolen_key_has_signed_is_told_with_what_identifies_it() {
    let home = tempfile::tempdir().unwrap();
    let server = Logged::start(home.path(), &[]);
    let mut client = server.client().await;
    let mut dealt = client.deal(deal(1)).await.unwrap().into_inner();

    let folder = std::fs::read_dir(home.path().join(".paigow-dev")).unwrap();
    let mut files = folder.map(|file| file.unwrap().path());
    let file =
        files.find(|path| path.file_name().unwrap().to_str().unwrap().starts_with("receipt-"));
    let KeyFile::Signing { key, .. } = KeyFile::read(&file.unwrap(), None).unwrap() else {
        panic!("the receipt key signs")
    };
    let signed = RecordEnvelope::parse(&dealt.records[2].envelope).unwrap();
    let mut forged = DealRecord::parse(signed.json().unwrap()).unwrap();
    let computed = forged.deck_commit;
    forged.deck_commit = Hash::ZERO;
    forged.dice = vec![6, 6, 6];
    let forged = RecordEnvelope::seal(RecordKind::Deal, &forged, &[&key]);
    dealt.records[2] =
        pb::Record { envelope: forged.to_line().into_bytes(), ..pb::Record::default() };
    let status = client.settle(settle(&dealt)).await.unwrap_err();
    assert_eq!(status.code(), Code::Internal);
    assert_eq!(reason_and_fields(&status).0, "DECK_MISMATCH");

    let facts = server.event("invariant_broken");
    for fact in [
        "reason=DECK_MISMATCH".to_owned(),
        format!("version={}", env!("CARGO_PKG_VERSION")),
        "record=deal".to_owned(),
        format!("record_hash={}", forged.hash()),
        format!("signed_by={}", key.public().kid()),
        format!("recorded_deck_commit={}", Hash::ZERO),
        format!("computed_deck_commit={computed}"),
        "computed_twice=same".to_owned(),
        "differs=deck_commit,dice".to_owned(),
    ] {
        assert!(facts.split(' ').any(|found| found == fact), "no {fact} in {facts}");
    }
    assert!(facts.contains(" executable="), "{facts}");
    // The caller learns none of it.
    assert!(!format!("{status:?}").contains("computed"), "{status:?}");
}
