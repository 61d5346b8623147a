//! The members of every record: the list, the page that is written from it, and the records of the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use paigow_fairness::beacon::BeaconRound;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::{
    AbsentPolicy, Build, Epoch, EpochStatus, Manifest, ManifestTenant, Policy, ReceiptKey,
    SaltSource, Suite,
};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;
use paigow_round::VoidReason;
use paigow_round::record::{CloseLock, WagerLock};
use paigow_rules::game::{BetLimit, TableFacts, shipped};
use paigow_testkit::beacons::beacon;
use paigow_testkit::casino::DRAND;
use paigow_testkit::logs::{log_proofs, proof_records, public_log};

use crate::docs::casino::{
    self, Casino, RoundPlan, announcement, complete, receipt_key, seat, witness_key,
};
use crate::docs::generated::{cell, hold, origin};
use crate::docs::read;

const SOURCE: &str = "docs/protocol/members.toml";
const PAGE: &str = "docs/protocol/members.md";

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberList {
    form: Vec<RecordForm>,
}

/// A kind of record, one of its forms, or an object in it.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordForm {
    name: String,
    note: Option<String>,
    members: Vec<RecordMember>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordMember {
    name: String,
    r#type: String,
    #[serde(default)]
    optional: bool,
    meaning: String,
    code: String,
    file: String,
}

fn forms() -> Vec<RecordForm> {
    toml::from_str::<MemberList>(&read(SOURCE)).unwrap().form
}

/// How often each member occurs in each object of the payloads of one form.
#[derive(Default)]
struct Seen {
    objects: BTreeMap<String, u32>,
    members: BTreeMap<String, u32>,
    by_seat: BTreeSet<String>,
}

impl Seen {
    fn see(&mut self, path: &str, json: &Json) {
        match json {
            Json::Obj(members) => {
                let is_seat = |key: &str| matches!(key.as_bytes(), [b'0'..=b'7']);
                let seats = members.keys().next().is_some() && members.keys().all(is_seat);
                if !seats {
                    *self.objects.entry(path.to_owned()).or_default() += 1;
                }
                for (key, value) in members.iter() {
                    let key = if seats { "{seat}" } else { key };
                    let path =
                        if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                    if !seats {
                        *self.members.entry(path.clone()).or_default() += 1;
                    } else if !matches!(value, Json::Obj(_)) {
                        self.by_seat.insert(path.clone());
                    }
                    self.see(&path, value);
                }
            }
            Json::Arr(items) => {
                for item in items {
                    self.see(&format!("{path}[]"), item);
                }
            }
            Json::Bool(_) | Json::Int(_) | Json::Str(_) => {}
        }
    }

    /// Each member, and whether it may be absent.
    fn list(&self) -> BTreeSet<(String, bool)> {
        let may_be_absent = |path: &str, count: u32| {
            let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
            count < self.objects[parent]
        };
        let members = self.members.iter().map(|(path, n)| (path.clone(), may_be_absent(path, *n)));
        members.chain(self.by_seat.iter().map(|path| (path.clone(), false))).collect()
    }
}

/// The members of a form, each after `prefix`, and whether it may be absent.
fn listed(forms: &[RecordForm], name: &str, prefix: &str) -> BTreeSet<(String, bool)> {
    let form = forms.iter().find(|form| form.name == name).unwrap_or_else(|| panic!("no {name}"));
    form.members.iter().map(|one| (format!("{prefix}{}", one.name), one.optional)).collect()
}

fn form(record: &RecordEnvelope, payload: &Json) -> &'static str {
    let Json::Obj(members) = payload else { panic!("no object") };
    let word = |key: &str| match members.get(key) {
        Some(Json::Str(word)) => &**word,
        _ => "",
    };
    match (record.kind(), word("step"), word("disposition")) {
        (RecordKind::Lock, "wagers", _) => "lock, step wagers",
        (RecordKind::Lock, "final", _) => "lock, step final",
        (RecordKind::Lock, "void", _) => "lock, step void",
        (RecordKind::Settle, _, "settled") => "settle, settled",
        (RecordKind::Settle, _, "void") => "settle, void",
        (kind, _, _) => kind.name(),
    }
}

/// Manifests with every member that there is.
fn manifests() -> Vec<RecordEnvelope> {
    let mut completed = announcement(Suite::Derived);
    complete(&mut completed);
    let epoch = completed.epochs[0].clone();
    let named = BeaconRound { chain: Hash::ZERO, round: 9 };
    let salt_source = Some(SaltSource::Drand { named, signature: Some([2; 48]) });
    let drand = Epoch { salt_source, status: EpochStatus::Revoked, ..epoch.clone() };
    let none = Epoch { salt_source: Some(SaltSource::None), ..epoch };
    let tenant = completed.tenants[0].clone();
    let full = Manifest {
        beacon: Some(beacon(0)),
        log: Some(public_log()),
        builds: Some(vec![Build { digest: Hash::ZERO, name: casino::id("server-1") }]),
        epochs: vec![completed.epochs[0].clone(), drand, none],
        receipt_keys: vec![
            ReceiptKey { key: receipt_key().public(), revoked: false },
            ReceiptKey { key: witness_key().public(), revoked: true },
        ],
        tenants: vec![
            ManifestTenant { tables: Some(vec![casino::id("a")]), ..tenant.clone() },
            ManifestTenant {
                policy: Policy { absent: AbsentPolicy::Optional, ..tenant.policy },
                ..tenant
            },
        ],
        ..completed
    };
    let [fresh, vrf] = [Suite::Fresh, Suite::Vrf].map(announcement);
    let all = [full, announcement(Suite::Derived), fresh, vrf];
    all.iter().map(casino::sign_manifest).collect()
}

/// Records of rounds of every shipped ruleset, settled and void, in every suite.
fn records() -> Vec<RecordEnvelope> {
    let derived = Casino::new();
    let mut records = manifests();
    for ruleset in shipped() {
        // Hands of other seats pay seldom.
        let rounds = if ruleset.id() == "mini-community" { 40 } else { 6 };
        for seed in 0..rounds {
            let tenant = ["dev", "seats"][usize::from(seed % 3 == 0)];
            let plan = RoundPlan::random_of(ruleset.id(), tenant, 1, None, seed);
            records.extend(derived.play(&plan));
        }
    }
    let vrf = Casino::vrf();
    for (casino, seed) in [(&derived, 1), (&Casino::fresh(), 2), (&vrf, 1)] {
        let plan = RoundPlan::random("locked", 1, None, seed);
        let dealt = casino.deal(&plan);
        let void = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
        let voided =
            paigow_engine::void_round(&casino.context, &casino.keys, &casino.call("locked"), &void)
                .unwrap();
        let voided = [dealt.records.as_slice(), &voided.records].concat();
        // Of the vrf suite it has a proof of the void.
        records.push(casino.close_epoch(&voided));
        records.extend(voided);
    }
    records.extend(vrf.play(&RoundPlan::random("locked", 1, None, 3)));
    let waiting = Casino::with_beacon(Suite::Derived);
    records.extend(waiting.play(&RoundPlan::random(DRAND, 1, None, 3)));
    records.extend(proof_records(&log_proofs(&waiting.manifests, 1)));
    records.push(derived.reveal());
    // One table ends with a close, the other with a round that has none.
    let at =
        |table: &str| RoundPlan { table: table.to_owned(), ..RoundPlan::random("dev", 1, None, 4) };
    let (closed, open) = (derived.play(&at("closed")), derived.deal(&at("open")));
    records.push(derived.close_epoch(&[closed, open.records[..1].to_vec()].concat()));
    records.push(every_fact(&derived));
    records.extend(absence(&derived));
    records
}

/// A ticket with a clause for absence, and locks of phase 2 that use it and supersede others.
fn absence(casino: &Casino) -> Vec<RecordEnvelope> {
    let plan = RoundPlan::random("strict", 1, None, 3);
    let ticket = casino.deal(&plan).records[0].clone();
    let mut ticket = Ticket::parse(ticket.json().unwrap()).unwrap();
    ticket.policy.absent = AbsentPolicy::Optional;
    ticket.seat_keys.values_mut().next().unwrap().house_way_if_absent = true;
    let (prev, round_id) = (Hash::ZERO, ticket.round_id);
    let supersedes = vec![Hash::ZERO];
    let last = CloseLock::Final {
        absent: vec![seat(1)],
        actions: vec![Hash::ZERO],
        prev,
        round_id,
        supersedes: supersedes.clone(),
    };
    let void = CloseLock::Void { prev, reason: VoidReason::Operator, round_id, supersedes };
    let locks = [last, void].map(|lock| RecordEnvelope::unsigned(RecordKind::Lock, &lock));
    [vec![RecordEnvelope::unsigned(RecordKind::Ticket, &ticket)], locks.to_vec()].concat()
}

/// A lock that states every fact that there is.
fn every_fact(casino: &Casino) -> RecordEnvelope {
    let plan = RoundPlan::random("locked", 1, None, 3);
    let ticket = casino.deal(&plan).records[0].clone();
    let facts = TableFacts {
        chip_minor: Some(1),
        table_min_minor: Some(1),
        table_max_minor: Some(1),
        bank_minor: Some(1),
        banker_seat: Some(seat(1)),
        action_pile: Some(1),
        meter_minor: Some(1),
        bet_limits: vec![BetLimit { bet: "base".into(), max_minor: 1 }],
    };
    let lock = WagerLock { facts, ..casino.lock_payload(&plan, &ticket) };
    RecordEnvelope::unsigned(RecordKind::Lock, &lock)
}

#[test]
fn every_member_of_every_record_is_listed() {
    let mut seen: BTreeMap<&str, Seen> = BTreeMap::new();
    for record in records() {
        let payload = record.json().unwrap();
        seen.entry(form(&record, &payload)).or_default().see("", &payload);
    }
    let forms = [
        "manifest",
        "ticket",
        "lock, step wagers",
        "lock, step final",
        "lock, step void",
        "deal",
        "action",
        "settle, settled",
        "settle, void",
        "epoch-reveal",
        "epoch-close",
        "log-proof",
    ];
    assert_eq!(seen.keys().copied().collect::<BTreeSet<_>>(), BTreeSet::from(forms));
    let (mut wrong, list) = (Vec::new(), self::forms());
    for form in forms {
        let mut found = seen[form].list();
        let mut listed_members = listed(&list, form, "");
        if form == "deal" {
            // Few bets are final in the deal, so not every member of a line is there.
            let lines = listed(&list, "lines", "lines[].");
            found.retain(|(path, _)| path == "lines[].seat" || !lines.iter().any(|l| l.0 == *path));
            listed_members.insert(("lines[].seat".to_owned(), false));
        }
        if form == "settle, settled" {
            listed_members.extend(listed(&list, "results", "results."));
            listed_members.extend(listed(&list, "lines", "results.seats.{seat}.lines[]."));
        }
        let differ = found.symmetric_difference(&listed_members);
        wrong
            .extend(differ.map(|(path, optional)| format!("{form}: {path}, optional: {optional}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_page_of_members_is_written_from_its_source() {
    let mut page = format!("# The members of every record\n\n{}\n\n", origin(SOURCE));
    page += "A `?` marks a member that is present only where it applies. `[]` stands for every item of an array. \
             `{seat}` stands for\nevery member of an object whose keys are seats. [Records](records.md#types) \
             describes the types. All members are there since v1\nof their kind. The last column names the Rust \
             code that reads or writes the value.\n";
    for form in forms() {
        write!(page, "\n## {}\n\n", form.name).unwrap();
        if let Some(note) = &form.note {
            write!(page, "{note}\n\n").unwrap();
        }
        page += "| member | type | meaning | code |\n|---|---|---|---|\n";
        for one in &form.members {
            let mark = if one.optional { " ?" } else { "" };
            let (meaning, code, file) = (cell(&one.meaning), cell(&one.code), &one.file);
            let (name, of_type) = (cell(&one.name), cell(&one.r#type));
            writeln!(page, "| `{name}`{mark} | {of_type} | {meaning} | [`{code}`](../../{file}) |")
                .unwrap();
        }
    }
    hold(PAGE, &page);
}
