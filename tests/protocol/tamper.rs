//! Forged transcripts: each is refused, by the check that should be the first to notice.
//!
//! Some forgers flip bits; most hold every key of one party, or of all parties together,
//! sign every changed record again, and repair every later link.
#![allow(clippy::unwrap_used)]

use paigow_fairness::signature::Signer;
use paigow_testkit::casino;
#[path = "tamper/beacons.rs"]
mod beacons;
#[path = "tamper/claims.rs"]
mod claims;
#[path = "tamper/verdicts.rs"]
mod verdicts;
#[path = "tamper/vrf.rs"]
mod vrf;

use casino::{
    Casino, NOW, RoundPlan, announcement, key, ledger_key, receipt_key, root_key, seat, seat_key,
    sign_manifest, successor, witness_key,
};
use paigow_engine::SecretKey;
use paigow_fairness::beacon::BeaconRound;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json;
use paigow_fairness::manifest::{Manifest, Root, SaltSource, Suite};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::{EpochSecret, RoundSeed};
use paigow_fairness::seed::{
    epoch_commit, epoch_salt_drand, epoch_salt_party, epoch_salt_statement, round_commit,
};
use paigow_fairness::ticket::Ticket;
use paigow_round::audit::{
    AuditCheck, AuditReport, AuditTerms, AuditVerdict, CheckCode, CheckStatus, ReplayRequest,
    ReplaySeed, ReplayedRound, audit, replay,
};
use paigow_round::record::{Action, CloseLock, SettleRecord};
use paigow_round::{Catalogue, Reason, Refusal, VoidReason};
use paigow_rules::game::{Currency, Decision, SettingChoice, TableFacts, Wager, WagerSheet};

/// A value that is changed borrows nothing of the record that it was.
type Json = json::Json<'static>;

// The lines of the untouched file.
const ANNOUNCED: usize = 0;
const COMPLETED: usize = 1;
const TICKET: usize = 2;
const LOCK: usize = 3;
const DEAL: usize = 4;
const ACTION_1: usize = 5;
const ACTION_2: usize = 6;
const FINAL: usize = 7;
const SETTLE: usize = 8;
const NEXT: usize = 7;
const REVEAL: usize = 16;

fn wager(number: u8, bet: &str, amount_minor: i64) -> Wager {
    Wager { seat: seat(number), bet: bet.to_owned().into(), amount_minor, choice: None }
}

fn plan(round_no: u64, prev: Option<RecordEnvelope>) -> RoundPlan {
    let sheet = WagerSheet {
        currency: Currency::new("USD", 2).unwrap(),
        wagers: vec![
            wager(1, "base", 2500),
            wager(1, "wrangler_push", 500),
            wager(2, "base", 1000),
            wager(2, "outlaw_9", 300),
        ],
        facts: TableFacts {
            bank_minor: Some(1_000_000),
            action_pile: Some(3),
            ..TableFacts::default()
        },
    };
    RoundPlan {
        sheet,
        committed: vec![seat(1), seat(2)],
        signing: vec![seat(1), seat(2)],
        ..RoundPlan::random("strict", round_no, prev, 99)
    }
}

fn untouched(casino: &Casino) -> Vec<RecordEnvelope> {
    let first = casino.play(&plan(1, None));
    let second = casino.play(&plan(2, first.last().cloned()));
    [casino.manifests.clone(), first, second, vec![casino.reveal()]].concat()
}

fn obj<'j>(json: &'j mut Json, key: &str) -> &'j mut Json {
    let Json::Obj(members) = json else { panic!("no object above {key}") };
    members.get_mut(key).unwrap_or_else(|| panic!("no member {key}"))
}

fn item(json: &mut Json, index: usize) -> &mut Json {
    let Json::Arr(items) = json else { panic!("no array") };
    &mut items[index]
}

/// Mike's as a manifest lists it.
fn listed_mikes(manifest: &mut Json) -> &mut Json {
    let Json::Arr(rulesets) = obj(manifest, "rulesets") else { panic!("no array") };
    let is_mikes = |listed: &&mut Json| {
        let Json::Obj(members) = &**listed else { panic!("no object") };
        members.get("name") == Some(&Json::str("mikes"))
    };
    rulesets.iter_mut().find(is_mikes).unwrap()
}

fn insert(json: &mut Json, key: &str, value: Json) {
    let Json::Obj(members) = json else { panic!("no object") };
    members.insert(key.to_owned(), value);
}

fn remove(json: &mut Json, key: &str) {
    let Json::Obj(members) = json else { panic!("no object") };
    assert!(members.remove(key).is_some(), "no member {key}");
}

fn payload_of(record: &RecordEnvelope) -> Json {
    record.json().unwrap().into_owned()
}

/// Every key that signs a record of this kind in the untouched file.
fn signer(kind: RecordKind, payload: &json::Json<'_>) -> SecretKey {
    match kind {
        RecordKind::Manifest => root_key(),
        RecordKind::Ticket
        | RecordKind::Deal
        | RecordKind::Settle
        | RecordKind::EpochReveal
        | RecordKind::EpochClose
        | RecordKind::LogProof => receipt_key(),
        RecordKind::Lock => ledger_key(),
        RecordKind::Action => {
            let json::Json::Obj(members) = payload else { panic!("no object") };
            let Some(json::Json::Int(number)) = members.get("seat") else { panic!("no seat") };
            seat_key(seat(u8::try_from(*number).unwrap()))
        }
    }
}

/// Writes a payload into an envelope under the old signatures.
fn unsigned_change(record: &RecordEnvelope, payload: &[u8]) -> RecordEnvelope {
    use base64::Engine as _;
    let b64 = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let line = record.to_line().replace(&b64(record.payload()), &b64(payload));
    RecordEnvelope::parse(line.as_bytes()).unwrap()
}

/// Changes one record without a new signature.
fn flip(records: &mut [RecordEnvelope], at: usize, edit: impl FnOnce(&mut Json)) {
    let mut payload = payload_of(&records[at]);
    edit(&mut payload);
    records[at] = unsigned_change(&records[at], &payload.to_bytes());
}

/// Changes one record. Its signer signs again, and no other key holder helps.
fn resign(records: &mut [RecordEnvelope], at: usize, edit: impl FnOnce(&mut Json)) {
    let mut payload = payload_of(&records[at]);
    edit(&mut payload);
    let kind = records[at].kind();
    records[at] = RecordEnvelope::seal(kind, &payload, &[&signer(kind, &payload)]);
}

/// Changes one record. Every key holder signs again, and every later link is repaired.
fn collude(records: &mut [RecordEnvelope], at: usize, edit: impl FnOnce(&mut Json)) {
    let old = records[at].hash().to_string();
    resign(records, at, edit);
    let new = records[at].hash().to_string();
    relink(&mut records[at + 1..], old, new);
}

/// Replaces a hash wherever records name it, and repairs every later link.
fn relink(records: &mut [RecordEnvelope], old: String, new: String) {
    let mut changed = vec![(old, new)];
    for record in records {
        let mut text = String::from_utf8(record.payload().to_vec()).unwrap();
        for (old, new) in &changed {
            text = text.replace(old, new);
        }
        if text.as_bytes() != record.payload() {
            let old = record.hash().to_string();
            let payload = json::Json::parse_canonical(text.as_bytes()).unwrap();
            *record =
                RecordEnvelope::seal(record.kind(), &payload, &[&signer(record.kind(), &payload)]);
            changed.push((old, record.hash().to_string()));
        }
    }
}

/// Signs a record again with another key.
fn sign_as(records: &mut [RecordEnvelope], at: usize, key: &SecretKey) {
    let payload = payload_of(&records[at]);
    records[at] = RecordEnvelope::seal(records[at].kind(), &payload, &[key]);
}

fn text(lines: &[RecordEnvelope]) -> Vec<String> {
    lines.iter().map(RecordEnvelope::to_line).collect()
}

fn verdict(lines: &[String]) -> (AuditVerdict, Option<CheckCode>) {
    let casino = Casino::new();
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let report = audit(text.as_bytes(), &casino.terms(), &Catalogue::shipped());
    (report.verdict(), report.code())
}

type Forgery = (&'static str, CheckCode, fn(&mut Vec<RecordEnvelope>));

/// The forgeries of the records.
const FORGERIES: &[Forgery] = &[
    ("a settle record twice", CheckCode::Format, |r| r.insert(SETTLE, r[SETTLE].clone())),
    ("a deal before its lock", CheckCode::Format, |r| r.swap(LOCK, DEAL)),
    ("no ticket", CheckCode::Format, |r| {
        r.remove(TICKET);
    }),
    ("an action twice", CheckCode::Format, |r| r.insert(ACTION_1, r[ACTION_1].clone())),
    ("a manifest inside a round", CheckCode::Format, |r| {
        let manifest = sign_manifest(&successor(&r[COMPLETED]));
        r.insert(DEAL, manifest);
    }),
    ("a reveal before the round ends", CheckCode::Format, |r| {
        let reveal = r.remove(REVEAL);
        r.insert(DEAL, reveal);
    }),
    ("an unknown member, all signed again", CheckCode::Canonical, |r| {
        collude(r, DEAL, |p| insert(p, "extra", Json::Int(1)));
    }),
    ("a stake as a number, all signed again", CheckCode::Canonical, |r| {
        collude(r, LOCK, |p| {
            let wager = item(obj(obj(obj(p, "seats"), "1"), "wagers"), 0);
            insert(wager, "amount", Json::Int(2500));
        });
    }),
    ("a stake with a leading zero, all signed again", CheckCode::Canonical, |r| {
        collude(r, LOCK, |p| {
            let wager = item(obj(obj(obj(p, "seats"), "1"), "wagers"), 0);
            insert(wager, "amount", Json::str("02500"));
        });
    }),
    ("a card twice in the deck, all signed again", CheckCode::Canonical, |r| {
        collude(r, SETTLE, |p| {
            let deck = obj(p, "deck");
            let first = item(deck, 0).clone();
            *item(deck, 1) = first;
        });
    }),
    ("a missing member, all signed again", CheckCode::Canonical, |r| {
        collude(r, TICKET, |p| remove(p, "commit"));
    }),
    ("low cards out of order, all signed again", CheckCode::Canonical, |r| {
        collude(r, ACTION_1, |p| {
            remove_if_there(p, "house_way");
            insert(p, "low", Json::arr([Json::Int(9), Json::Int(3)]));
        });
    }),
    ("a commitment left out at completion, all signed again", CheckCode::Canonical, |r| {
        collude(r, COMPLETED, |p| remove(item(obj(p, "epochs"), 0), "commit"));
    }),
    ("a manifest changed, unsigned", CheckCode::ManifestSig, |r| {
        flip(r, COMPLETED, |p| insert(p, "seq", Json::str("3")));
    }),
    ("a manifest signed by the engine", CheckCode::ManifestSig, |r| {
        sign_as(r, ANNOUNCED, &receipt_key());
    }),
    ("a manifest without signatures", CheckCode::ManifestSig, |r| {
        let payload = payload_of(&r[COMPLETED]);
        r[COMPLETED] = RecordEnvelope::unsigned(RecordKind::Manifest, &payload);
    }),
    ("a manifest that skips a number, all signed again", CheckCode::ManifestSig, |r| {
        collude(r, COMPLETED, |p| insert(p, "seq", Json::str("3")));
    }),
    ("a manifest that follows another, all signed again", CheckCode::ManifestSig, |r| {
        let zeros = "0".repeat(64);
        collude(r, COMPLETED, |p| insert(p, "prev", Json::str(zeros)));
    }),
    ("a manifest that names a new root which has not signed", CheckCode::ManifestSig, |r| {
        collude(r, COMPLETED, |p| {
            let key = key(200).public();
            let entry = Json::obj([("kid", Json::str(key.kid())), ("pk", Json::str(key))]);
            insert(obj(p, "root"), "keys", Json::arr([entry]));
        });
    }),
    ("the ticket's manifest left out", CheckCode::ManifestLink, |r| {
        r.remove(COMPLETED);
    }),
    ("another epoch, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, TICKET, |p| insert(p, "epoch", Json::Int(8)));
    }),
    ("another ruleset, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, TICKET, |p| insert(p, "ruleset", Json::str("ab".repeat(32))));
    }),
    ("another engine, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, TICKET, |p| insert(p, "engine", Json::str("pge-2")));
    }),
    ("a tenant that is not listed, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, TICKET, |p| insert(p, "tenant", Json::str("nobody")));
    }),
    ("another suite, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, TICKET, |p| {
            insert(p, "suite", Json::str("fresh"));
            insert(p, "sealed", Json::str("00".repeat(85)));
        });
    }),
    ("a card shown changed, unsigned", CheckCode::Signatures, |r| {
        flip(r, DEAL, |p| {
            let cards = obj(obj(p, "visible"), "1");
            let first = item(cards, 0).clone();
            let second = std::mem::replace(item(cards, 1), first);
            *item(cards, 0) = second;
        });
    }),
    ("the ticket signed by the ledger", CheckCode::Signatures, |r| {
        sign_as(r, TICKET, &ledger_key())
    }),
    ("the close signed by the ledger", CheckCode::Signatures, |r| {
        sign_as(r, SETTLE, &ledger_key())
    }),
    ("the wagers locked by the engine", CheckCode::Signatures, |r| {
        sign_as(r, LOCK, &receipt_key())
    }),
    ("the final lock without a signature", CheckCode::Signatures, |r| {
        let payload = payload_of(&r[FINAL]);
        r[FINAL] = RecordEnvelope::unsigned(RecordKind::Lock, &payload);
    }),
    ("an action signed by another seat", CheckCode::Signatures, |r| {
        sign_as(r, ACTION_1, &seat_key(seat(2)));
    }),
    ("an action without a signature", CheckCode::Signatures, |r| {
        let payload = payload_of(&r[ACTION_2]);
        r[ACTION_2] = RecordEnvelope::unsigned(RecordKind::Action, &payload);
    }),
    ("an action signed by seat and stranger", CheckCode::Signatures, |r| {
        r[ACTION_2].add_signature(&key(99));
    }),
    ("a reveal signed by the ledger", CheckCode::Signatures, |r| sign_as(r, REVEAL, &ledger_key())),
    ("a receipt key that a later manifest revokes", CheckCode::Signatures, |r| {
        let mut manifest = successor(&r[COMPLETED]);
        manifest.receipt_keys[0].revoked = true;
        r.insert(COMPLETED + 1, sign_manifest(&manifest));
    }),
    ("the wagers of another round", CheckCode::Chain, |r| r.swap(LOCK, LOCK + NEXT)),
    ("the deal of another round", CheckCode::Chain, |r| r[DEAL] = r[DEAL + NEXT].clone()),
    ("the close of another round", CheckCode::Chain, |r| r.swap(SETTLE, SETTLE + NEXT)),
    ("an action of another round", CheckCode::Chain, |r| r[ACTION_1] = r[ACTION_1 + NEXT].clone()),
    ("wagers locked again after the deal", CheckCode::Chain, |r| {
        resign(r, LOCK, |p| {
            let wager = item(obj(obj(obj(p, "seats"), "1"), "wagers"), 0);
            insert(wager, "amount", Json::str("250000"));
        });
    }),
    ("no final lock", CheckCode::Chain, |r| {
        r.remove(FINAL);
    }),
    ("no lock of the wagers", CheckCode::Chain, |r| {
        r.remove(LOCK);
    }),
    ("a void over a final lock", CheckCode::Chain, |r| {
        resign(r, SETTLE, |p| {
            let take = |p: &mut Json, key: &str| obj(p, key).clone();
            *p = Json::obj([
                ("disposition", Json::str("void")),
                ("prev", take(p, "prev")),
                ("reason", Json::str("operator")),
                ("returns", Json::obj([])),
                ("round_id", take(p, "round_id")),
                ("ticket", take(p, "ticket")),
            ]);
        });
    }),
    ("a close that names another deal", CheckCode::Chain, |r| {
        collude(r, SETTLE, |p| insert(p, "deal", Json::str("cd".repeat(32))));
    }),
    ("a ticket that states a softer policy, all signed again", CheckCode::Policy, |r| {
        collude(r, TICKET, |p| insert(obj(p, "policy"), "lock", Json::str("off")));
    }),
    ("a second round that starts over, all signed again", CheckCode::Policy, |r| {
        let manifest = r[COMPLETED].hash();
        collude(r, TICKET + NEXT, |p| insert(p, "prev", Json::str(manifest)));
    }),
    ("a ticket without client commitments, all signed again", CheckCode::Policy, |r| {
        collude(r, TICKET, |p| insert(p, "client", Json::obj([])));
    }),
    ("another round number, all signed again", CheckCode::RoundId, |r| {
        collude(r, TICKET + NEXT, |p| insert(p, "round_no", Json::str("9")));
    }),
    ("another table, all signed again", CheckCode::RoundId, |r| {
        collude(r, TICKET, |p| insert(p, "table", Json::str("table-2")));
    }),
    (
        "a first round that does not follow the manifest, all signed again",
        CheckCode::Genesis,
        |r| {
            collude(r, TICKET, |p| insert(p, "prev", Json::str("ef".repeat(32))));
        },
    ),
    ("a second round that skips the first, all signed again", CheckCode::Genesis, |r| {
        collude(r, TICKET + NEXT, |p| insert(p, "prev", Json::str("ef".repeat(32))));
    }),
    ("another client seed, all signed again", CheckCode::ClientCommit, |r| {
        collude(r, LOCK, |p| {
            insert(obj(obj(p, "seats"), "1"), "client_seed", Json::str("00".repeat(16)));
        });
    }),
    ("a client seed left out, all signed again", CheckCode::ClientCommit, |r| {
        collude(r, LOCK, |p| remove(obj(obj(p, "seats"), "2"), "client_seed"));
    }),
    ("a commitment of a seat without a wager, all signed again", CheckCode::ClientCommit, |r| {
        collude(r, TICKET, |p| insert(obj(p, "client"), "5", Json::str("12".repeat(32))));
    }),
    ("an action changed after the lock", CheckCode::LockCoversActions, |r| {
        resign(r, ACTION_1, |p| {
            remove_if_there(p, "low");
            remove_if_there(p, "house_way");
            let house_way = Catalogue::shipped().game_named("mikes").unwrap().house_way_hash;
            let other = Json::obj([("house_way", Json::str(house_way))]);
            let Json::Obj(other) = other else { panic!() };
            for (key, value) in other {
                insert(p, &key, value);
            }
            insert(p, "double_down", Json::Bool(true));
        });
    }),
    ("an action left out", CheckCode::LockCoversActions, |r| {
        r.remove(ACTION_2);
    }),
    ("two actions of one seat, both locked", CheckCode::LockCoversActions, |r| {
        let house_way = Catalogue::shipped().game_named("mikes").unwrap().house_way_hash;
        let deal = r[DEAL].hash();
        let second = Json::obj([
            ("double_down", Json::Bool(true)),
            ("house_way", Json::str(house_way)),
            ("prev", Json::str(deal)),
            ("seat", Json::Int(2)),
        ]);
        let second = RecordEnvelope::seal(RecordKind::Action, &second, &[&seat_key(seat(2))]);
        let hash = second.hash();
        collude(r, FINAL, |p| {
            let Json::Arr(actions) = obj(p, "actions") else { panic!() };
            actions.push(Json::str(hash));
        });
        r.insert(FINAL, second);
    }),
    ("a good final lock that another supersedes, all signed again", CheckCode::Supersedes, |r| {
        let group = r[ACTION_1..=FINAL].to_vec();
        let superseded = Json::arr([Json::str(r[FINAL].hash())]);
        collude(r, FINAL, |p| insert(p, "supersedes", superseded));
        r.splice(ACTION_1..ACTION_1, group);
    }),
    (
        "a final lock that leaves out the lock before it, all signed again",
        CheckCode::Supersedes,
        |r| {
            let mut group = r[ACTION_1..=FINAL].to_vec();
            group.remove(0);
            resign(&mut group, 1, |p| {
                let Json::Arr(actions) = obj(p, "actions") else { panic!() };
                actions.remove(0);
            });
            r.splice(ACTION_1..ACTION_1, group);
        },
    ),
    ("a legal decision of a spent lock changed, all signed again", CheckCode::Supersedes, |r| {
        let mut group = r[ACTION_1..=FINAL].to_vec();
        group.remove(1);
        resign(&mut group, 1, |p| {
            let Json::Arr(actions) = obj(p, "actions") else { panic!() };
            actions.remove(1);
        });
        let superseded = Json::arr([Json::str(group[1].hash())]);
        let house_way = Catalogue::shipped().game_named("mikes").unwrap().house_way_hash;
        collude(r, ACTION_1, |p| {
            remove_if_there(p, "low");
            insert(p, "house_way", Json::str(house_way));
        });
        collude(r, FINAL, |p| insert(p, "supersedes", superseded));
        r.splice(ACTION_1..ACTION_1, group);
    }),
    ("another server seed, all signed again", CheckCode::Commit, |r| {
        collude(r, SETTLE, |p| insert(p, "server_seed", Json::str("11".repeat(32))));
    }),
    ("another commitment, all signed again", CheckCode::Commit, |r| {
        collude(r, TICKET, |p| insert(p, "commit", Json::str("11".repeat(32))));
    }),
    ("another round seed, all signed again", CheckCode::Replay, |r| {
        collude(r, SETTLE, |p| insert(p, "round_seed", Json::str("11".repeat(32))));
    }),
    ("two cards of the deck exchanged, all signed again", CheckCode::Replay, |r| {
        collude(r, SETTLE, |p| {
            let Json::Arr(deck) = obj(p, "deck") else { panic!() };
            deck.swap(10, 11);
        });
    }),
    ("other dice, all signed again", CheckCode::Replay, |r| {
        collude(r, DEAL, |p| {
            let die = item(obj(p, "dice"), 0);
            *die = Json::Int(if *die == Json::Int(6) { 1 } else { 6 });
        });
    }),
    ("another deck commitment, all signed again", CheckCode::DeckCommit, |r| {
        collude(r, DEAL, |p| insert(p, "deck_commit", Json::str("11".repeat(32))));
    }),
    ("two seats' cards exchanged, all signed again", CheckCode::CardsShown, |r| {
        collude(r, DEAL, |p| {
            let visible = obj(p, "visible");
            let (one, two) = (obj(visible, "1").clone(), obj(visible, "2").clone());
            insert(visible, "1", two);
            insert(visible, "2", one);
        });
    }),
    ("a seat without a wager shown, all signed again", CheckCode::CardsShown, |r| {
        let other = payload_of(&r[SETTLE]);
        let Json::Obj(other) = other else { panic!() };
        let dealer = other.get("dealer").unwrap().clone();
        collude(r, DEAL, |p| insert(obj(p, "visible"), "6", dealer));
    }),
    ("the dealer's cards in another order, all signed again", CheckCode::CardsShown, |r| {
        collude(r, SETTLE, |p| {
            let Json::Arr(dealer) = obj(p, "dealer") else { panic!() };
            dealer.reverse();
        });
    }),
    ("another action pile, all signed again", CheckCode::CardsShown, |r| {
        collude(r, LOCK, |p| insert(obj(p, "facts"), "action_pile", Json::Int(4)));
    }),
    (
        "the dealer's hand shown where no game exposes it, all signed again",
        CheckCode::DealerShown,
        |r| {
            let settled = payload_of(&r[SETTLE]);
            let Json::Obj(settled) = settled else { panic!() };
            let mut bank = settled.get("results").unwrap().clone();
            let (high, low) = {
                let bank = obj(&mut bank, "bank");
                (obj(bank, "high").clone(), obj(bank, "low").clone())
            };
            collude(r, DEAL, |p| insert(p, "dealer", Json::obj([("high", high), ("low", low)])));
        },
    ),
    ("a larger stake, all signed again", CheckCode::Results, |r| {
        collude(r, LOCK, |p| {
            let wager = item(obj(obj(obj(p, "seats"), "1"), "wagers"), 0);
            insert(wager, "amount", Json::str("2600"));
        });
    }),
    ("a smaller bank, all signed again", CheckCode::Results, |r| {
        collude(r, LOCK, |p| insert(obj(p, "facts"), "bank_minor", Json::str("1")));
    }),
    ("another currency, all signed again", CheckCode::Results, |r| {
        collude(r, LOCK, |p| insert(obj(p, "currency"), "code", Json::str("EUR")));
    }),
    ("a stake below the minimum, all signed again", CheckCode::Results, |r| {
        collude(r, LOCK, |p| {
            let wager = item(obj(obj(obj(p, "seats"), "2"), "wagers"), 0);
            insert(wager, "amount", Json::str("999"));
        });
    }),
    ("a seat's net one cent higher, all signed again", CheckCode::Results, |r| {
        collude(r, SETTLE, |p| {
            let net = obj(obj(obj(obj(p, "results"), "seats"), "1"), "net");
            let Json::Str(text) = net else { panic!() };
            *text = (text.parse::<i64>().unwrap() + 1).to_string().into();
        });
    }),
    ("a line with another status, all signed again", CheckCode::Results, |r| {
        collude(r, SETTLE, |p| {
            let seat = obj(obj(obj(p, "results"), "seats"), "2");
            insert(item(obj(seat, "lines"), 0), "status", Json::str("void"));
        });
    }),
    ("another clause, all signed again", CheckCode::Results, |r| {
        collude(r, SETTLE, |p| insert(obj(obj(p, "results"), "bank"), "clause", Json::str("K0")));
    }),
    ("another house way for the dealer, all signed again", CheckCode::Results, |r| {
        collude(r, SETTLE, |p| {
            insert(obj(obj(p, "results"), "bank"), "house_way", Json::str("11".repeat(32)));
        });
    }),
    ("no results, all signed again", CheckCode::Canonical, |r| {
        collude(r, SETTLE, |p| remove(p, "results"));
    }),
    ("a fee left out, all signed again", CheckCode::Results, |r| {
        collude(r, DEAL, |p| remove(obj(p, "fees"), "1"));
    }),
    ("another epoch secret revealed", CheckCode::EpochCommit, |r| {
        resign(r, REVEAL, |p| insert(p, "epoch_secret", Json::str("11".repeat(32))));
    }),
    ("another salt, all signed again", CheckCode::ManifestRules, |r| {
        collude(r, COMPLETED, |p| {
            insert(item(obj(p, "epochs"), 0), "salt", Json::str("11".repeat(32)));
        });
    }),
    ("a salt that its witness has not signed, all signed again", CheckCode::ManifestRules, |r| {
        collude(r, COMPLETED, |p| {
            let source = obj(item(obj(p, "epochs"), 0), "salt_source");
            insert(source, "value", Json::str("11".repeat(32)));
        });
    }),
    ("an epoch committed to after the salt, all signed again", CheckCode::ManifestRules, |r| {
        collude(r, ANNOUNCED, |p| {
            insert(item(obj(p, "epochs"), 0), "commit", Json::str("11".repeat(32)));
        });
    }),
    ("a longer window at completion, all signed again", CheckCode::ManifestRules, |r| {
        collude(r, ANNOUNCED, |p| {
            insert(item(obj(p, "epochs"), 0), "open_until", Json::str(NOW + 1));
        });
    }),
    ("a salt chosen after the rounds, all signed again", CheckCode::SeedWasNotChosen, |r| {
        let manifest = Manifest::parse(payload_of(&r[COMPLETED])).unwrap();
        let commit = manifest.epochs[0].commitment().unwrap();
        let value = [0x31; 32];
        let witness = witness_key();
        let announced = r[ANNOUNCED].hash();
        let number = manifest.epochs[0].epoch;
        let sig = witness.sign(&epoch_salt_statement(number, &announced, &commit, &value));
        let salt = epoch_salt_party(&witness.public().to_bytes(), &value);
        collude(r, COMPLETED, |p| {
            let epoch = item(obj(p, "epochs"), 0);
            insert(epoch, "salt", Json::str(salt));
            let source = obj(epoch, "salt_source");
            insert(source, "value", Json::str(hex::encode(value)));
            insert(source, "sig", Json::str(hex::encode(sig)));
        });
    }),
    (
        "an epoch that has its salt when it is first listed, all signed again",
        CheckCode::ManifestRules,
        |r| {
            let mut completed = payload_of(&r[COMPLETED]);
            let epochs = obj(&mut completed, "epochs").clone();
            collude(r, ANNOUNCED, |p| insert(p, "epochs", epochs));
        },
    ),
    ("an epoch that was never announced, all signed again", CheckCode::ManifestRules, |r| {
        collude(r, ANNOUNCED, |p| insert(p, "epochs", Json::arr([])));
    }),
    ("a salt promised and then left out, all signed again", CheckCode::ManifestRules, |r| {
        collude(r, COMPLETED, |p| {
            let epoch = item(obj(p, "epochs"), 0);
            insert(epoch, "salt", Json::str("0".repeat(64)));
            insert(epoch, "salt_source", Json::obj([("type", Json::str("none"))]));
        });
    }),
    ("a later manifest that commits to another secret", CheckCode::ManifestRules, |r| {
        let mut manifest = successor(&r[COMPLETED]);
        manifest.epochs[0].commit = Some(Hash::of(b"another"));
        r.insert(COMPLETED + 1, sign_manifest(&manifest));
    }),
    ("a later manifest that drops the epoch", CheckCode::ManifestRules, |r| {
        let mut manifest = successor(&r[COMPLETED]);
        manifest.epochs.clear();
        r.insert(COMPLETED + 1, sign_manifest(&manifest));
    }),
    ("another salt and no announcement, all signed again", CheckCode::EpochSalt, |r| {
        collude(r, COMPLETED, |p| {
            insert(item(obj(p, "epochs"), 0), "salt", Json::str("11".repeat(32)));
        });
        r.remove(ANNOUNCED);
    }),
    (
        "a later manifest that drops an epoch without its announcement",
        CheckCode::SaltAfterCommit,
        |r| {
            let mut manifest = successor(&r[COMPLETED]);
            manifest.epochs.clear();
            r.insert(COMPLETED + 1, sign_manifest(&manifest));
            r.remove(ANNOUNCED);
        },
    ),
    ("a receipt key that is the ledger's too, all signed again", CheckCode::ManifestRules, |r| {
        collude(r, COMPLETED, |p| {
            let ledger = item(obj(item(obj(p, "tenants"), 0), "ledger_keys"), 0).clone();
            let Json::Arr(keys) = obj(p, "receipt_keys") else { panic!() };
            keys.push(ledger);
        });
    }),
    ("forty epochs with one window, all signed again", CheckCode::ManifestRules, |r| {
        for at in [ANNOUNCED, COMPLETED] {
            collude(r, at, |p| {
                let Json::Arr(epochs) = obj(p, "epochs") else { panic!() };
                let mut first = epochs[0].clone();
                remove_if_there(&mut first, "salt");
                remove_if_there(obj(&mut first, "salt_source"), "value");
                remove_if_there(obj(&mut first, "salt_source"), "sig");
                for number in 100..139 {
                    insert(&mut first, "epoch", Json::Int(number));
                    epochs.push(first.clone());
                }
            });
        }
    }),
    ("a seat key that is the witness's, all signed again", CheckCode::Policy, |r| {
        let key = witness_key().public();
        collude(r, TICKET, |p| {
            insert(obj(p, "seat_keys"), "1", Json::obj([("key", Json::str(key))]))
        });
        let is_action = |record: &&mut RecordEnvelope| record.kind() == RecordKind::Action;
        for action in r[..=SETTLE].iter_mut().filter(is_action) {
            let payload = payload_of(action);
            if Action::parse(payload.clone()).unwrap().0.seat == seat(1) {
                *action = RecordEnvelope::seal(RecordKind::Action, &payload, &[&witness_key()]);
            }
        }
    }),
    ("a table that the announcement does not list, all signed again", CheckCode::Policy, |r| {
        collude(r, ANNOUNCED, |p| {
            let Json::Arr(tenants) = obj(p, "tenants") else { panic!() };
            for tenant in tenants {
                insert(tenant, "tables", Json::arr([Json::str("table-9")]));
            }
        });
        witness_again(r);
    }),
    ("a round of a revoked epoch, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, COMPLETED, |p| {
            insert(item(obj(p, "epochs"), 0), "status", Json::str("revoked"));
        });
    }),
    ("a ticket of an epoch whose secret is out, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, COMPLETED, |p| {
            insert(item(obj(p, "epochs"), 0), "status", Json::str("revealed"));
        });
    }),
    ("the manifest behind the rounds that name it", CheckCode::ManifestLink, |r| {
        let manifest = r.remove(COMPLETED);
        r.push(manifest);
    }),
    ("a ruleset listed under another name, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, COMPLETED, |p| insert(listed_mikes(p), "name", Json::str("fair")));
    }),
    ("a ruleset listed with another deck, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, COMPLETED, |p| insert(listed_mikes(p), "cards", Json::Int(52)));
    }),
    ("a house way that is not listed, all signed again", CheckCode::ManifestLink, |r| {
        collude(r, COMPLETED, |p| insert(p, "house_ways", Json::arr([])));
    }),
    ("a tenant listed twice, all signed again", CheckCode::ManifestRules, |r| {
        collude(r, COMPLETED, |p| {
            let Json::Arr(tenants) = obj(p, "tenants") else { panic!() };
            let mut softer = tenants.last().unwrap().clone();
            insert(obj(&mut softer, "policy"), "lock", Json::str("off"));
            tenants.push(softer);
        });
    }),
    ("a ticket that states no policy, all signed again", CheckCode::Canonical, |r| {
        collude(r, TICKET, |p| remove(p, "policy"));
    }),
    ("a sealed seed in a derived ticket, all signed again", CheckCode::Canonical, |r| {
        collude(r, TICKET, |p| insert(p, "sealed", Json::str("00".repeat(85))));
    }),
    ("a negative fee, all signed again", CheckCode::Canonical, |r| {
        collude(r, DEAL, |p| insert(obj(p, "fees"), "1", Json::str("-100")));
    }),
    ("the same ticket twice", CheckCode::Format, |r| r.insert(TICKET, r[TICKET].clone())),
    ("a deal after the close", CheckCode::Format, |r| {
        let deal = r.remove(DEAL);
        r.insert(SETTLE, deal);
    }),
    ("the rounds in another order, the second linked to nothing", CheckCode::Genesis, |r| {
        collude(r, TICKET + NEXT, |p| insert(p, "prev", Json::str("ef".repeat(32))));
        let first: Vec<RecordEnvelope> = r.drain(TICKET..=SETTLE).collect();
        r.splice(SETTLE + 1..SETTLE + 1, first);
    }),
    ("a second reveal with another secret", CheckCode::EpochCommit, |r| {
        let mut second = vec![r[REVEAL].clone()];
        resign(&mut second, 0, |p| insert(p, "epoch_secret", Json::str("11".repeat(32))));
        r.extend(second);
    }),
    ("a reveal of an epoch that nobody announced", CheckCode::EpochCommit, |r| {
        let mut second = vec![r[REVEAL].clone()];
        resign(&mut second, 0, |p| insert(p, "epoch", Json::Int(99)));
        r.extend(second);
    }),
    ("rounds played from another secret, all signed again", CheckCode::SeedWasNotChosen, |r| {
        let other = Casino::with_secret(EpochSecret::new([9; 32]));
        let chosen = untouched(&other);
        let (old, new) = (chosen[COMPLETED].hash(), r[COMPLETED].hash());
        r.splice(TICKET..REVEAL, chosen[TICKET..REVEAL].iter().cloned());
        relink(&mut r[TICKET..REVEAL], old.to_string(), new.to_string());
    }),
    (
        "a head that is not the close of the last round, all signed again",
        CheckCode::EpochClose,
        |r| {
            r.push(Casino::new().close_epoch_as(&r[..REVEAL], |mut close| {
                close.tables[0].head = Some(r[SETTLE].hash());
                close
            }));
        },
    ),
    (
        "a table that the close of its epoch leaves out, all signed again",
        CheckCode::EpochClose,
        |r| {
            r.push(Casino::new().close_epoch_as(&r[..REVEAL], |mut close| {
                close.tables[0].table = casino::id("table-9");
                close
            }));
        },
    ),
    ("a round both settled and void", CheckCode::NoFork, |r| {
        let casino = Casino::new();
        let void = casino.void_request(&plan(1, None), &r[TICKET..=DEAL], VoidReason::Operator);
        let call = casino.call("strict");
        let voided =
            paigow_engine::void_round(&casino.context, &casino.keys, &call, &void).unwrap();
        let mut second = r[TICKET..=DEAL].to_vec();
        second.extend(voided.records);
        r.splice(REVEAL..REVEAL, second);
    }),
    ("two tickets of one round", CheckCode::NoFork, |r| {
        let casino = Casino::new();
        let mut other = plan(1, None);
        other.committed = vec![seat(1), seat(2), seat(3)];
        let open = casino.open(&other);
        let call = casino.call("strict");
        let mut entropy = casino::entropy(&other);
        let opened =
            paigow_engine::open_round(&casino.context, &casino.keys, &call, &open, &mut entropy)
                .unwrap();
        r.insert(REVEAL, opened.ticket);
    }),
];

/// Has the witness sign the salt again, for the announcement as it now is.
fn witness_again(records: &mut [RecordEnvelope]) {
    let manifest = Manifest::parse(payload_of(&records[COMPLETED])).unwrap();
    let epoch = &manifest.epochs[0];
    let Some(SaltSource::Party { value: Some((value, _)), .. }) = epoch.salt_source else {
        panic!("completed by a party")
    };
    let announced = records[ANNOUNCED].hash();
    let commit = epoch.commitment().unwrap();
    let sig = witness_key().sign(&epoch_salt_statement(epoch.epoch, &announced, &commit, &value));
    collude(records, COMPLETED, |p| {
        insert(obj(item(obj(p, "epochs"), 0), "salt_source"), "sig", Json::str(hex::encode(sig)));
    });
}

fn remove_if_there(json: &mut Json, key: &str) {
    let Json::Obj(members) = json else { panic!("no object") };
    members.remove(key);
}

#[test]
fn the_untouched_transcript_matches() {
    let records = untouched(&Casino::new());
    assert_eq!(records.len(), REVEAL + 1);
    assert_eq!(verdict(&text(&records)), (AuditVerdict::Match, None));
}

#[test]
fn every_forgery_is_refused_by_the_first_check_that_should_notice() {
    assert!(FORGERIES.len() >= 40);
    let casino = Casino::new();
    let mut wrong = Vec::new();
    for (name, code, forge) in FORGERIES {
        let mut records = untouched(&casino);
        forge(&mut records);
        let found = verdict(&text(&records));
        if found != (AuditVerdict::Mismatch, Some(*code)) {
            wrong.push(format!("{name}: expected {code:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // No check of the protocol that can fail is without a forgery that it is the first to notice.
    let all = FORGERIES.iter().chain(vrf::FORGERIES).chain(beacons::FORGERIES);
    let noticed: std::collections::BTreeSet<CheckCode> = all.map(|f| f.1).collect();
    let never_fails =
        [CheckCode::PlaceListed, CheckCode::PlaceNotChosen, CheckCode::LockedBeforeBeacon];
    assert_eq!(noticed.len(), CheckCode::ALL.len() - never_fails.len());
}

#[test]
fn a_file_that_is_not_records_is_refused_as_such() {
    let lines = text(&untouched(&Casino::new()));
    let mut forged: Vec<(&str, Vec<String>)> = Vec::new();
    let mut change = |name, at: usize, edit: &dyn Fn(&str) -> String| {
        let mut changed = lines.clone();
        changed[at] = edit(&changed[at]);
        assert_ne!(changed, lines, "{name}");
        forged.push((name, changed));
    };
    change("a line cut short", DEAL, &|l| l[..l.len() - 2].to_owned());
    change("an empty line", DEAL, &|_| String::new());
    change("an unknown kind", DEAL, &|l| l.replace("pge.deal.v1", "pge.deal.v2"));
    change("a reserved kind", DEAL, &|l| l.replace("pge.deal", "pge.advance"));
    change("URL base64", SETTLE, &|l| l.replace('+', "-").replace('/', "_"));
    change("another envelope member", TICKET, &|l| l.replacen('{', "{\"a\":1,", 1));
    for (name, changed) in forged {
        assert_eq!(verdict(&changed), (AuditVerdict::Mismatch, Some(CheckCode::Format)), "{name}");
    }
}

#[test]
fn another_spelling_of_a_payload_is_refused_even_if_its_key_signed_it() {
    let records = untouched(&Casino::new());
    let canonical = String::from_utf8(records[DEAL].payload().to_vec()).unwrap();
    for spelt in [
        canonical.replacen(':', ": ", 1),
        canonical.replacen("{\"deck_commit\"", "{\"phase\":1,\"deck_commit\"", 1),
        format!(" {canonical}"),
    ] {
        let mut forged = records.clone();
        forged[DEAL] = unsigned_change(&records[DEAL], spelt.as_bytes());
        // The engine's own key over the odd spelling.
        let key = receipt_key();
        let pae = format!(
            "DSSEv1 {} {} {} {spelt}",
            RecordKind::Deal.payload_type().len(),
            RecordKind::Deal.payload_type(),
            spelt.len()
        );
        use base64::Engine as _;
        let b64 = base64::engine::general_purpose::STANDARD;
        let (old, new) = (forged[DEAL].signatures()[0].sig, b64.encode(key.sign(pae.as_bytes())));
        let line = forged[DEAL].to_line().replace(&b64.encode(old), &new);
        forged[DEAL] = RecordEnvelope::parse(line.as_bytes()).unwrap();
        assert!(forged[DEAL].all_verify(&[key.public()]));
        assert_eq!(verdict(&text(&forged)), (AuditVerdict::Mismatch, Some(CheckCode::Canonical)));
    }
}

#[test]
fn a_void_is_audited_to_the_last_unit_and_the_last_card() {
    let casino = Casino::new();
    let plan = plan(1, None);
    let dealt = casino.deal(&plan);
    let void = casino.void_request(&plan, &dealt.records, VoidReason::PlayerLeft);
    let voided =
        paigow_engine::void_round(&casino.context, &casino.keys, &casino.call("strict"), &void)
            .unwrap();
    let mut records = [casino.manifests.as_slice(), &dealt.records, &voided.records].concat();
    assert_eq!(verdict(&text(&records)), (AuditVerdict::Pending, None));
    let (deal, settle) = (DEAL, records.len() - 1);
    records.push(casino.reveal());
    let forged = |edit: &dyn Fn(&mut Vec<RecordEnvelope>)| {
        let mut forged = records.clone();
        edit(&mut forged);
        verdict(&text(&forged))
    };
    assert_eq!(forged(&|_| {}), (AuditVerdict::Match, None));
    let returns = |amount: &'static str| {
        move |p: &mut Json| insert(obj(p, "returns"), "1", Json::str(amount))
    };
    let mismatch = |code| (AuditVerdict::Mismatch, Some(code));
    assert_eq!(forged(&|r| collude(r, settle, returns("1"))), mismatch(CheckCode::Results));
    assert_eq!(forged(&|r| collude(r, settle, returns("-1"))), mismatch(CheckCode::Canonical));
    // A fee that the rules do not know, handed back as it was taken.
    let inflated = |r: &mut Vec<RecordEnvelope>| {
        collude(r, deal, |p| insert(obj(p, "fees"), "1", Json::str("100000")));
        collude(r, settle, returns("103000"));
    };
    assert_eq!(forged(&inflated), mismatch(CheckCode::Results));
    // The reveal opens a void round too: its deck is what the deal committed to.
    let other_deck = |r: &mut Vec<RecordEnvelope>| {
        collude(r, deal, |p| insert(p, "deck_commit", Json::str("11".repeat(32))));
    };
    assert_eq!(forged(&other_deck), mismatch(CheckCode::DeckCommit));
    let other_cards = |r: &mut Vec<RecordEnvelope>| {
        collude(r, deal, |p| {
            let Json::Arr(cards) = obj(obj(p, "visible"), "1") else { panic!() };
            cards.swap(0, 1);
        });
    };
    assert_eq!(forged(&other_cards), mismatch(CheckCode::CardsShown));
    // Cards were shown of a deck that the seats' committed seeds had no part in.
    let no_seed = |r: &mut Vec<RecordEnvelope>| {
        collude(r, LOCK, |p| remove(obj(obj(p, "seats"), "2"), "client_seed"));
    };
    assert_eq!(forged(&no_seed), mismatch(CheckCode::ClientCommit));
    // Where nothing was dealt it is what the round was voided for.
    let lock = [casino.manifests.clone(), dealt.records[..2].to_vec()].concat();
    let undealt = || {
        let mut records = lock.clone();
        no_seed(&mut records);
        let void = casino.void_request(&plan, &records[TICKET..], VoidReason::ClientSeed);
        let voided =
            paigow_engine::void_round(&casino.context, &casino.keys, &casino.call("strict"), &void)
                .unwrap();
        verdict(&text(&[records, voided.records].concat()))
    };
    assert_eq!(undealt(), (AuditVerdict::Pending, None));
}

#[test]
fn an_epoch_that_was_never_announced_has_a_salt_that_could_be_chosen() {
    // The first manifest of all both announces and completes: no engine loads it, and nothing
    // that is left out of the file could have announced it.
    let mut manifest = announcement(Suite::Derived);
    casino::complete(&mut manifest);
    assert!(matches!(manifest.epochs[0].salt_source, Some(SaltSource::Party { .. })));
    let manifest = sign_manifest(&manifest);
    let casino = Casino::new();
    let mut records = untouched(&casino);
    let (old, new) = (records[COMPLETED].hash(), manifest.hash());
    relink(&mut records[TICKET..REVEAL], old.to_string(), new.to_string());
    records.splice(ANNOUNCED..=COMPLETED, [manifest]);
    let text = text(&records).join("\n");
    let report = audit(text.as_bytes(), &casino.terms(), &Catalogue::shipped());
    assert_eq!(
        (report.verdict(), report.code()),
        (AuditVerdict::Mismatch, Some(CheckCode::ManifestRules))
    );
}

#[test]
fn what_the_fresh_suite_needs_is_held_against_its_manifest_and_ticket() {
    let casino = Casino::fresh();
    let records = [casino.manifests.clone(), casino.play(&plan(1, None))].concat();
    assert_eq!(verdict(&text(&records)), (AuditVerdict::Match, None));
    // The fresh casino has one manifest.
    let (manifest, ticket) = (ANNOUNCED, TICKET - 1);
    let forged = |at: usize, edit: fn(&mut Json)| {
        let mut forged = records.clone();
        collude(&mut forged, at, edit);
        forged
    };
    let found = |forged: Vec<RecordEnvelope>| verdict(&text(&forged));
    let mismatch = |code| (AuditVerdict::Mismatch, Some(code));
    let shorter = forged(ticket, |p| insert(p, "sealed", Json::str("00".repeat(84))));
    assert_eq!(found(shorter), mismatch(CheckCode::Canonical));
    let longer = forged(ticket, |p| insert(p, "sealed", Json::str("00".repeat(86))));
    assert_eq!(found(longer), mismatch(CheckCode::Canonical));
    let committed = |p: &mut Json| {
        insert(item(obj(p, "epochs"), 0), "commit", Json::str("11".repeat(32)));
    };
    assert_eq!(found(forged(manifest, committed)), mismatch(CheckCode::Canonical));
    // Without locks or a chain a round could be opened until its cards are liked.
    for switch in ["lock", "chain"] {
        let mut softer = records.clone();
        let turn_off = |p: &mut Json| insert(obj(p, "policy"), switch, Json::str("off"));
        collude(&mut softer, manifest, |p| {
            let Json::Arr(tenants) = obj(p, "tenants") else { panic!("no array") };
            tenants.iter_mut().for_each(turn_off);
        });
        collude(&mut softer, ticket, turn_off);
        assert_eq!(found(softer), mismatch(CheckCode::ManifestRules), "{switch}");
    }
}

#[test]
fn a_reveal_stands_that_a_root_signs_which_the_chain_passed_the_trust_to() {
    let casino = Casino::new();
    let mut records = untouched(&casino);
    let reveal = records.pop().unwrap();
    let heir = key(200);
    let mut passed_on = successor(&records[COMPLETED]);
    passed_on.root = Root { keys: vec![heir.public()], threshold: 1 };
    let signers = [&root_key(), &heir];
    records.push(RecordEnvelope::seal(RecordKind::Manifest, &passed_on.to_json(), &signers));
    let signed_by = |key: &SecretKey| {
        let mut records = records.clone();
        records.push(RecordEnvelope::seal(RecordKind::EpochReveal, &payload_of(&reveal), &[key]));
        verdict(&text(&records))
    };
    assert_eq!(signed_by(&heir), (AuditVerdict::Match, None));
    assert_eq!(signed_by(&root_key()), (AuditVerdict::Match, None));
    assert_eq!(signed_by(&key(201)), (AuditVerdict::Mismatch, Some(CheckCode::Signatures)));
}

#[test]
fn a_void_after_a_deal_is_not_said_to_match_without_its_rules() {
    let casino = Casino::new();
    let plan = plan(1, None);
    let dealt = casino.deal(&plan);
    let void = casino.void_request(&plan, &dealt.records, VoidReason::Equipment);
    let voided =
        paigow_engine::void_round(&casino.context, &casino.keys, &casino.call("strict"), &void)
            .unwrap();
    let mut records = [casino.manifests.as_slice(), &dealt.records, &voided.records].concat();
    let audited = |records: &[RecordEnvelope], catalogue: &Catalogue| {
        let report = audit(text(records).join("\n").as_bytes(), &casino.terms(), catalogue);
        (report.verdict(), report.code())
    };
    let (with, without) = (Catalogue::shipped(), Catalogue::default());
    assert_eq!(audited(&records, &with), (AuditVerdict::Pending, None));
    assert_eq!(audited(&records, &without), (AuditVerdict::Incomplete, None));
    // A fee that was never due cannot be recognised.
    let close = records.len() - 1;
    collude(&mut records, DEAL, |p| insert(obj(p, "fees"), "1", Json::str("100000")));
    collude(&mut records, close, |p| insert(obj(p, "returns"), "1", Json::str("103000")));
    assert_eq!(audited(&records, &without), (AuditVerdict::Incomplete, None));
    assert_eq!(audited(&records, &with), (AuditVerdict::Mismatch, Some(CheckCode::Results)));
}

#[test]
fn a_salt_that_could_have_been_chosen_is_never_said_to_be_younger_than_the_commitment() {
    // No engine loads the manifests; an audit is for those that one does not trust. No manifest lists
    // the chain, so the signature may be any of as many as one has tried.
    let named = BeaconRound { chain: Hash::from_bytes([1; 32]), round: 1000 };
    let signature = [0x42; 48];
    let source = |signature| Some(SaltSource::Drand { named, signature });
    let mut announced = announcement(Suite::Derived);
    announced.epochs[0].salt_source = source(None);
    let announced = sign_manifest(&announced);
    let mut completed = successor(&announced);
    completed.epochs[0].salt_source = source(Some(signature));
    completed.epochs[0].salt = Some(epoch_salt_drand(&named, &signature));
    let completed = sign_manifest(&completed);
    let casino = Casino::new();
    let mut records = untouched(&casino);
    let (old, new) = (records[COMPLETED].hash(), completed.hash());
    relink(&mut records[TICKET..REVEAL], old.to_string(), new.to_string());
    let text = text(&[announced, completed, records[TICKET].clone()]).join("\n");
    let report = audit(text.as_bytes(), &casino.terms(), &Catalogue::shipped());
    let status = |code| report.checks.iter().find(|check| check.code == code).unwrap();
    for code in [CheckCode::ManifestRules, CheckCode::EpochSalt] {
        assert_eq!(status(code).status, CheckStatus::Failed);
    }
    let after = status(CheckCode::SaltAfterCommit);
    assert_eq!(after.status, CheckStatus::Skipped);
    assert!(after.found.contains("chain of the beacon"), "{after:?}");
}

/// A round of Mania whose deal makes two 3 Card bets final.
fn mania(casino: &Casino) -> Vec<RecordEnvelope> {
    let sheet = WagerSheet {
        currency: Currency::new("USD", 2).unwrap(),
        wagers: vec![
            wager(1, "base", 2500),
            wager(1, "three_card", 500),
            wager(2, "base", 1000),
            wager(2, "three_card", 300),
        ],
        facts: TableFacts::default(),
    };
    let plan = RoundPlan {
        sheet,
        committed: vec![seat(1), seat(2)],
        signing: vec![seat(1), seat(2)],
        ..RoundPlan::random_of("mania", "strict", 1, None, 99)
    };
    [casino.manifests.clone(), casino.play(&plan), vec![casino.reveal()]].concat()
}

#[test]
fn what_the_deal_calls_final_is_recomputed() {
    let casino = Casino::new();
    let good = mania(&casino);
    assert_eq!(verdict(&text(&good)), (AuditVerdict::Match, None));
    let forgeries: [Forgery; 5] = [
        ("a larger win in the deal", CheckCode::Results, |r| {
            collude(r, DEAL, |p| *obj(item(obj(p, "lines"), 0), "win") = Json::str("15000"));
        }),
        ("a line of another seat", CheckCode::Results, |r| {
            collude(r, DEAL, |p| *obj(item(obj(p, "lines"), 0), "seat") = Json::Int(2));
        }),
        ("a line less", CheckCode::Results, |r| {
            collude(r, DEAL, |p| {
                let Json::Arr(lines) = obj(p, "lines") else { panic!("no array") };
                lines.pop();
            });
        }),
        ("no lines at all", CheckCode::Results, |r| collude(r, DEAL, |p| remove(p, "lines"))),
        ("another line in the results", CheckCode::Results, |r| {
            collude(r, SETTLE, |p| {
                let lines = obj(obj(obj(obj(p, "results"), "seats"), "1"), "lines");
                assert_eq!(obj(item(lines, 1), "bet"), &Json::str("three_card"));
                *obj(item(lines, 1), "return") = Json::str("99999");
            });
        }),
    ];
    for (what, code, forge) in forgeries {
        let mut records = good.clone();
        forge(&mut records);
        assert_ne!(text(&records), text(&good), "{what}");
        assert_eq!(verdict(&text(&records)), (AuditVerdict::Mismatch, Some(code)), "{what}");
    }
}
