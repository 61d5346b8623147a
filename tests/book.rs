//! The chapters for laboratories against what they describe.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "each test uses a part of the casino")]
#[path = "support/casino.rs"]
mod casino;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use casino::{Casino, Plan, announcement, complete, receipt_key, seat, witness_key};
use paigow::engine::audit::Code;
use paigow::engine::record::WagerLock;
use paigow::engine::{Reason, VoidReason};
use paigow::fairness::encoding::Hash;
use paigow::fairness::json::Json;
use paigow::fairness::manifest::{
    Build, Epoch, EpochStatus, Manifest, ReceiptKey, SaltSource, Suite, Tenant,
};
use paigow::fairness::record::{Envelope, Kind};
use paigow::game::{Facts, shipped};

const CHAPTERS: [&str; 4] = ["rng", "maths", "records", "verifier"];

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn chapter(name: &str) -> String {
    read(&format!("src/book/{name}.md"))
}

/// A text without its blocks of code.
fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// What stands between single backticks.
fn quoted(text: &str) -> Vec<String> {
    prose(text).split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The sections of a chapter: heading and text.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut sections = vec![(String::new(), String::new())];
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        match line.strip_prefix('#').filter(|_| !is_code) {
            Some(heading) => {
                let heading = heading.trim_start_matches('#').trim().to_owned();
                sections.push((heading, String::new()));
            }
            None => {
                let (_, text) = sections.last_mut().unwrap();
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    sections
}

/// The rows of the tables in a text, without their headers.
fn rows(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let line = line.trim_matches('|').replace("\\|", "/");
        line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    let is_rule = |line: &str| line.starts_with("|--") || line.starts_with("| --");
    let header = |at: usize| lines.get(at + 1).is_some_and(|next| is_rule(next));
    (0..lines.len())
        .filter(|at| !header(*at) && !is_rule(lines[*at]))
        .map(|at| cells(lines[at]))
        .collect()
}

/// The table below a heading.
fn table(chapter_name: &str, heading: &str) -> Vec<Vec<String>> {
    let found = sections(&chapter(chapter_name)).into_iter().find(|(name, _)| name == heading);
    rows(&found.unwrap_or_else(|| panic!("no section {heading}")).1)
}

fn first_cells(rows: &[Vec<String>]) -> Vec<String> {
    rows.iter().map(|row| row[0].trim_matches('`').to_owned()).collect()
}

/// Whether a Rust source defines a function or a constant of that name.
fn defines(source: &str, name: &str) -> bool {
    ["fn ", "const "].iter().any(|keyword| {
        source.match_indices(&format!("{keyword}{name}")).any(|(at, found)| {
            let next = source[at + found.len()..].chars().next();
            next.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })
    })
}

#[test]
fn every_file_and_test_that_a_chapter_cites_is_there() {
    let mut cited = 0;
    let mut wrong = Vec::new();
    for name in CHAPTERS {
        for token in quoted(&chapter(name)) {
            let is_path = ["src/", "tests/", "deploy/", "proto/", "benches/"]
                .iter()
                .any(|folder| token.starts_with(folder));
            if !is_path {
                continue;
            }
            let (path, item) = token.split_once("::").unwrap_or((&token, ""));
            let there = Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists();
            if !there || (!item.is_empty() && !defines(&read(path), item)) {
                wrong.push(format!("{name}: {token}"));
            }
            cited += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(cited > 150, "{cited} citations");
}

/// Whether a source has a test of this name: attributes stand between `#[test]` and it at most.
fn is_test(source: &str, name: &str) -> bool {
    let Some(at) = source.find(&format!("fn {name}(")) else { return false };
    let before = source[..at].trim_end();
    let before = before.strip_suffix("async").unwrap_or(before);
    let attributes = before.lines().rev().map(str::trim).skip_while(|line| line.is_empty());
    attributes
        .take_while(|line| line.starts_with("#["))
        .any(|line| line == "#[test]" || line.starts_with("#[tokio::test"))
}

#[test]
fn every_section_names_code_and_what_holds_it() {
    // Lists of members, which a test of this file compares, and what only introduces others.
    let exempt = ["Members", "Types", "Reasons for a void", "The checks", "Known limits"];
    let mut wrong = Vec::new();
    for name in CHAPTERS {
        for (heading, text) in sections(&chapter(name)) {
            let says = text.lines().any(|line| !line.is_empty() && !line.starts_with('|'));
            if !says || heading.is_empty() || exempt.contains(&heading.as_str()) {
                continue;
            }
            let quoted = quoted(&text);
            let is_forged = text.contains("\nForged: ");
            let code = text.contains("](crate::") || quoted.iter().any(|q| q.starts_with("src/"));
            // A test is named in a file of tests, or in a source after two colons.
            let held = quoted.iter().any(|q| {
                q.split_once("::")
                    .is_some_and(|(path, item)| path.ends_with(".rs") && is_test(&read(path), item))
            });
            let is_list = text.contains("| member | type |");
            if !(code && (held || is_list || is_forged)) && !text.contains("assert_eq!") {
                wrong.push(format!("{name}: {heading}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_checks_of_an_audit_are_those_of_the_code_in_their_order() {
    let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    let sections = sections(&chapter("verifier"));
    let from = sections.iter().position(|(heading, _)| heading == "The checks").unwrap();
    let headings: Vec<&str> = sections[from + 1..]
        .iter()
        .map(|(heading, _)| heading.as_str())
        .take_while(|heading| names.contains(heading))
        .collect();
    assert_eq!(headings, Code::ALL.iter().map(|code| code.name()).collect::<Vec<_>>());
    assert_eq!(names.len(), headings.len());
}

#[test]
fn the_forgeries_under_each_check_are_those_of_the_tests() {
    let source = read("tests/tamper.rs");
    let (_, forgeries) = source.split_once("const FORGERIES").unwrap();
    let (forgeries, _) = forgeries.split_once("\n];").unwrap();
    let mut tested: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, _) in forgeries.match_indices("Code::") {
        let (before, after) = forgeries.split_at(at);
        let name = before.rsplit('"').nth(1).unwrap();
        let code = after["Code::".len()..].split(',').next().unwrap();
        tested.entry(code.to_owned()).or_default().push(name.to_owned());
    }
    let sections: BTreeMap<String, String> = sections(&chapter("verifier")).into_iter().collect();
    for code in Code::ALL {
        let text = &sections[code.name()];
        let (_, listed) = text.split_once("\nForged: ").unwrap();
        let listed = listed.split("\n\n").next().unwrap().replace('\n', " ");
        let listed: Vec<&str> = listed.trim().trim_end_matches('.').split("; ").collect();
        assert_eq!(listed, tested[&format!("{code:?}")], "{}", code.name());
    }
}

#[test]
fn words_in_capitals_are_words_of_the_code() {
    let statuses = ["UNAVAILABLE", "INTERNAL", "FAILED_PRECONDITION", "INVALID_ARGUMENT"];
    let known: BTreeSet<&str> = Code::ALL
        .iter()
        .map(|code| code.name())
        .chain(Reason::ALL.iter().map(|reason| reason.as_str()))
        .chain(statuses)
        // A fault of a manifest.
        .chain(["UNSUPPORTED"])
        .collect();
    for name in CHAPTERS {
        let text = chapter(name);
        for token in quoted(&text) {
            let is_linked = text.contains(&format!("[`{token}`](crate::"));
            let is_word = !is_linked
                && token.len() > 4
                && token.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
                && token.bytes().any(|b| b.is_ascii_uppercase());
            assert!(!is_word || known.contains(token.as_str()), "{name}: {token}");
        }
    }
}

#[test]
fn the_kinds_of_records_are_those_of_the_code() {
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(first_cells(&table("records", "Kinds")), kinds);
}

#[test]
fn the_reasons_for_a_void_are_those_of_the_code() {
    let reasons: Vec<&str> = VoidReason::ALL.iter().map(|reason| reason.name()).collect();
    assert_eq!(first_cells(&table("records", "Reasons for a void")), reasons);
}

#[test]
fn every_requirement_on_randomness_has_an_answer() {
    let asked: Vec<String> = (1..=18).map(|n: u32| n.to_string()).collect();
    let rows = table("rng", "Requirements, clause by clause");
    assert_eq!(first_cells(&rows), asked);
    assert!(rows.iter().all(|row| row.len() == 5 && !row[2].is_empty()));
}

/// The published vectors, the payloads of the example read out.
fn published() -> String {
    let mut text = read("tests/vectors/fairness.json");
    for line in read("tests/vectors/transcript-example.jsonl").lines() {
        let envelope: serde_json::Value = serde_json::from_str(line).unwrap();
        let payload = envelope["payload"].as_str().unwrap();
        let payload = base64::engine::general_purpose::STANDARD.decode(payload).unwrap();
        text.push_str(&String::from_utf8(payload).unwrap());
    }
    // The key of the example's root stands beside it, not in it.
    text + "c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f"
}

#[test]
fn every_worked_number_is_a_published_one() {
    let published = published();
    let mut long = 0;
    for name in CHAPTERS {
        let text = chapter(name);
        for run in text.split(|c: char| !matches!(c, '0'..='9' | 'a'..='f')) {
            if run.len() >= 24 && run.bytes().any(|b| b.is_ascii_digit()) {
                assert!(published.contains(run), "{name}: {run}");
                long += 1;
            }
        }
    }
    assert!(long >= 12, "{long} numbers");
    // The short ones of the verifier's chapter.
    let vectors: serde_json::Value =
        serde_json::from_str(&read("tests/vectors/fairness.json")).unwrap();
    let round = &vectors["rounds"][0]["out"];
    let words: Vec<u64> = round["deck_keystream_words_0_7"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_u64().unwrap())
        .collect();
    let verifier = chapter("verifier");
    for word in &words[..3] {
        assert!(verifier.contains(&word.to_string()), "{word}");
    }
    let deck: Vec<u64> =
        round["deck"].as_array().unwrap().iter().map(|card| card.as_u64().unwrap()).collect();
    assert_eq!((words[0] % 53, 1 + words[1] % 52), (deck[0], deck[1]));
    assert_eq!((deck[0], deck[1]), (31, 23), "as the chapter says");
    assert!(round["deck_cards"].as_str().unwrap().starts_with("7h Qd "));
}

/// How often each member stands in each object of the payloads of one form.
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

/// The members of a table of the chapter, each behind `prefix`.
fn listed(heading: &str, prefix: &str) -> BTreeSet<(String, bool)> {
    let rows = table("records", heading);
    assert!(rows.iter().all(|row| row.len() == 5 && row[3] == "v1" && !row[1].is_empty()));
    let member = |row: &Vec<String>| {
        let (name, rest) = row[0].trim_start_matches('`').split_once('`').unwrap();
        (format!("{prefix}{name}"), rest.trim() == "?")
    };
    rows.iter().map(member).collect()
}

fn form(record: &Envelope, payload: &Json) -> &'static str {
    let Json::Obj(members) = payload else { panic!("no object") };
    let word = |key: &str| match members.get(key) {
        Some(Json::Str(word)) => &**word,
        _ => "",
    };
    match (record.kind(), word("step"), word("disposition")) {
        (Kind::Lock, "wagers", _) => "lock, step wagers",
        (Kind::Lock, "final", _) => "lock, step final",
        (Kind::Lock, "void", _) => "lock, step void",
        (Kind::Settle, _, "settled") => "settle, settled",
        (Kind::Settle, _, "void") => "settle, void",
        (kind, _, _) => kind.name(),
    }
}

/// Manifests with every member that there is.
fn manifests() -> Vec<Envelope> {
    let mut completed = announcement(Suite::Derived);
    complete(&mut completed);
    let epoch = completed.epochs[0].clone();
    let salt_source =
        Some(SaltSource::Drand { chain: [1; 32], round: 9, signature: Some([2; 48]) });
    let drand = Epoch { salt_source, status: EpochStatus::Revoked, ..epoch.clone() };
    let none = Epoch { salt_source: Some(SaltSource::None), ..epoch };
    let tenant = completed.tenants[0].clone();
    let full = Manifest {
        builds: Some(vec![Build { digest: Hash::ZERO, name: casino::id("server-1") }]),
        epochs: vec![completed.epochs[0].clone(), drand, none],
        receipt_keys: vec![
            ReceiptKey { key: receipt_key().public(), revoked: false },
            ReceiptKey { key: witness_key().public(), revoked: true },
        ],
        tenants: vec![Tenant { tables: Some(vec![casino::id("a")]), ..tenant.clone() }, tenant],
        ..completed
    };
    let fresh = announcement(Suite::Fresh);
    let all = [full, announcement(Suite::Derived), fresh];
    all.iter().map(casino::sign_manifest).collect()
}

/// Records of rounds of every shipped ruleset, settled and void, in both suites.
fn records() -> Vec<Envelope> {
    let derived = Casino::new();
    let mut records = manifests();
    for ruleset in shipped() {
        // Hands of other seats pay seldom.
        let rounds = if ruleset.id() == "mini-community" { 40 } else { 6 };
        for seed in 0..rounds {
            let tenant = ["dev", "seats"][usize::from(seed % 3 == 0)];
            let plan = Plan::random_of(ruleset.id(), tenant, 1, None, seed);
            records.extend(derived.play(&plan));
        }
    }
    for (casino, seed) in [(&derived, 1), (&Casino::fresh(), 2)] {
        let plan = Plan::random("locked", 1, None, seed);
        let dealt = casino.deal(&plan);
        let void = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
        let voided = casino.engine.settle(&casino.keys, &casino.call("locked"), &void).unwrap();
        records.extend([dealt.records.as_slice(), &voided.records].concat());
    }
    records.push(derived.reveal());
    records.push(every_fact(&derived));
    records
}

/// A lock that states every fact that there is.
fn every_fact(casino: &Casino) -> Envelope {
    let plan = Plan::random("locked", 1, None, 3);
    let ticket = casino.deal(&plan).records[0].clone();
    let facts = Facts {
        chip_minor: Some(1),
        table_min_minor: Some(1),
        table_max_minor: Some(1),
        bank_minor: Some(1),
        banker_seat: Some(seat(1)),
        action_pile: Some(1),
    };
    let lock = WagerLock { facts: Some(facts), ..casino.lock_payload(&plan, &ticket) };
    Envelope::seal(Kind::Lock, &lock, &[])
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
    ];
    assert_eq!(seen.keys().copied().collect::<BTreeSet<_>>(), BTreeSet::from(forms));
    let mut wrong = Vec::new();
    for form in forms {
        let mut found = seen[form].list();
        let mut listed_members = listed(form, "");
        if form == "deal" {
            // Few bets are final in the deal, so not every member of a line stands there.
            let lines = listed("lines", "lines[].");
            found.retain(|(path, _)| path == "lines[].seat" || !lines.iter().any(|l| l.0 == *path));
            listed_members.insert(("lines[].seat".to_owned(), false));
        }
        if form == "settle, settled" {
            listed_members.extend(listed("results", "results."));
            listed_members.extend(listed("lines", "results.seats.{seat}.lines[]."));
        }
        let differ = found.symmetric_difference(&listed_members);
        wrong
            .extend(differ.map(|(path, optional)| format!("{form}: {path}, optional: {optional}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_seeds_outnumber_the_decks() {
    // 53! in limbs of 32 bits, the lowest first.
    let mut limbs = vec![1_u64];
    for factor in 2..=53 {
        let mut carry = 0;
        for limb in &mut limbs {
            let product = *limb * factor + carry;
            *limb = product & 0xffff_ffff;
            carry = product >> 32;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let bits = 32 * (limbs.len() - 1) + (64 - limbs.last().unwrap().leading_zeros() as usize);
    assert_eq!(bits, 232, "at least 2^231 and below 2^232");
}

#[test]
fn a_deck_rejects_a_word_as_rarely_as_stated() {
    let words = 1_u64 << 32;
    let rejected: u64 = (2..=53).map(|bound| words % bound).sum();
    assert_eq!((rejected, words / rejected), (636, 6_753_093));
    let text = chapter("rng");
    assert!(text.contains("6,753,093") && text.contains("636"));
}

#[test]
fn the_dice_name_positions_as_often_as_stated() {
    let mut positions = [0; 7];
    for throw in 0..216 {
        let sum = 3 + throw % 6 + throw / 6 % 6 + throw / 36;
        positions[(sum - 1) % 7] += 1;
    }
    positions.sort_unstable();
    assert_eq!(positions, [30, 31, 31, 31, 31, 31, 31]);
}

/// The files below a folder with one of the endings.
fn files(folder: &Path, endings: &[&str], into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, endings, into);
        } else if endings.iter().any(|ending| path.extension().is_some_and(|e| e == *ending)) {
            into.push(path);
        }
    }
}

/// The decisions that a line names, as the 12 of "D12".
fn decisions(line: &str) -> impl Iterator<Item = u32> {
    line.split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|word| word.strip_prefix('D'))
        .filter(|digits| (1..=2).contains(&digits.len()))
        .filter_map(|digits| digits.parse().ok())
}

/// The sections that a text names right behind the protocol's name, as "3.3 and 3.4".
fn cited_sections(text: &str) -> Vec<String> {
    let mut cited = Vec::new();
    for (at, marker) in text.match_indices("PGE-FAIR-1, section") {
        let rest = text[at + marker.len()..].trim_start_matches('s');
        // Comments are broken where a line is full.
        let words = rest.split_whitespace().filter(|word| !word.starts_with("//"));
        for word in words {
            let number = word.trim_end_matches(|c: char| !c.is_ascii_digit());
            let is_number = number.chars().all(|c| c.is_ascii_digit() || c == '.');
            if is_number && !number.is_empty() {
                cited.push(number.to_owned());
            }
            // What follows a closed bracket or a full stop is no list of sections.
            let goes_on = word == number || matches!(word, "and" | "to");
            if !goes_on {
                break;
            }
        }
    }
    cited
}

#[test]
fn every_section_and_decision_that_is_cited_is_in_the_protocol() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let headings: BTreeSet<String> = sections(&chapter("protocol"))
        .iter()
        .filter_map(|(heading, _)| heading.split(' ').next())
        .map(|number| number.trim_end_matches('.').to_owned())
        .collect();
    assert!((1..=21).all(|n| headings.contains(&format!("D{n}"))), "{headings:?}");

    let mut sources = vec![root.join("README.md")];
    for folder in ["src", "proto", "tests", "benches", "verifiers"] {
        files(&root.join(folder), &["rs", "proto", "py", "js", "mjs"], &mut sources);
    }
    let (mut cited, mut wrong) = ([0, 0], Vec::new());
    for path in sources {
        let text = std::fs::read_to_string(&path).unwrap();
        let is_comment = |line: &&str| {
            let line = line.trim_start();
            line.starts_with("//") || line.starts_with('#') || line.starts_with('*')
        };
        for number in text.lines().filter(is_comment).flat_map(decisions) {
            cited[0] += 1;
            if !headings.contains(&format!("D{number}")) {
                wrong.push(format!("{}: D{number}", path.display()));
            }
        }
        for number in cited_sections(&text) {
            cited[1] += 1;
            if !headings.contains(&number) {
                wrong.push(format!("{}: section {number}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(cited[0] > 60 && cited[1] > 25, "{cited:?} citations");
}
