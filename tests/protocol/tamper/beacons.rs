//! Forged transcripts of rounds whose seed waits for a beacon, with proofs of the public log.

use super::*;
use paigow_testkit::beacons::{beacon, beacon_signature};
use paigow_testkit::casino::{DRAND, NOW};
use paigow_testkit::logs::{log_proofs, proof_records};

/// Two settled rounds of the tenant with the beacon, the reveal, and a proof of each record.
pub(super) fn played(casino: &Casino) -> Vec<RecordEnvelope> {
    let of_drand = |round_no, prev| RoundPlan {
        tenant: DRAND.to_owned(),
        signing: Vec::new(),
        ..plan(round_no, prev)
    };
    let first = casino.play(&of_drand(1, None));
    let second = casino.play(&of_drand(2, first.last().cloned()));
    let records = [casino.manifests.clone(), first, second, vec![casino.reveal()]].concat();
    let proofs = proof_records(&log_proofs(&records, NOW - 1));
    [records, proofs].concat()
}

fn hexadecimal(bytes: &[u8]) -> Json {
    Json::str(hex::encode(bytes))
}

/// The changes of a forger to the records with a beacon and a log.
pub(super) const FORGERIES: &[Forgery] = &[
    ("a ticket that names a round of another chain, all signed again", CheckCode::Policy, |r| {
        r.truncate(TICKET + 1);
        let chain = beacon(NOW + 1).chain();
        collude(r, TICKET, |p| insert(obj(p, "external"), "chain", Json::str(chain)));
    }),
    (
        "a deal with the signature of another round of the beacon, all signed again",
        CheckCode::Beacon,
        |r| {
            r.truncate(DEAL + 1);
            collude(r, DEAL, |p| insert(p, "beacon", hexadecimal(&beacon_signature(2))));
        },
    ),
    (
        "a deal with a signature that the ticket does not ask for, all signed again",
        CheckCode::Beacon,
        |r| {
            *r = untouched(&Casino::new());
            collude(r, DEAL, |p| insert(p, "beacon", hexadecimal(&beacon_signature(1))));
        },
    ),
    ("a proof of the log for another record", CheckCode::Logged, |r| {
        let of_the_next = r[r.len() - 1].clone();
        r.truncate(SETTLE + NEXT);
        r.push(of_the_next);
    }),
    ("a proof of the log by a log that no manifest lists", CheckCode::Logged, |r| {
        let last = r.len() - 1;
        let mut payload = payload_of(&r[last]);
        insert(&mut payload, "origin", Json::str("log.example/other"));
        r[last] = unsigned_change(&r[last], &payload.to_bytes());
    }),
];

#[test]
fn every_forgery_is_refused_where_rounds_wait_for_a_beacon() {
    let casino = Casino::with_beacon(Suite::Derived);
    let untouched = played(&casino);
    assert_eq!(verdict(&text(&untouched)), (AuditVerdict::Match, None));
    let mut wrong = Vec::new();
    for (name, code, forge) in FORGERIES {
        let mut records = untouched.clone();
        forge(&mut records);
        let found = verdict(&text(&records));
        if found != (AuditVerdict::Mismatch, Some(*code)) {
            wrong.push(format!("{name}: expected {code:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
