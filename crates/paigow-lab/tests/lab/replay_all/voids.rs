//! Voids that depend on the cards, and voids that do not.

use paigow_engine::SettleAnswer;
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_round::{SeatDecisions, Settle, VoidReason};
use paigow_rules::cards::Seat;
use paigow_rules::game::{Decision, SettingChoice};
use serde_json::Value;

use crate::replay_all::binary::{run, text};
use crate::replay_all::casino::{Casino, RoundPlan, key, root_key};

const ROUNDS: u64 = 120;

/// Settles a dealt round. The house way sets every hand.
fn settled(casino: &Casino, plan: &RoundPlan, records: &[RecordEnvelope]) -> SettleAnswer {
    let table = plan.checked();
    let seats = table.seats().map(|(seat, _)| seat);
    let decide =
        |seat: Seat| (seat, Decision { setting: SettingChoice::HouseWay, double_down: false });
    let decisions = seats.filter(|seat| table.base_stake(*seat).is_some()).map(decide).collect();
    let request = Settle::new(records.to_vec(), SeatDecisions::Typed(decisions));
    paigow_engine::settle(&casino.context, &casino.keys, &casino.call("base"), &request).unwrap()
}

/// Returns the net win of dealer and house in a settle record.
fn house_net(answer: &SettleAnswer) -> i64 {
    let record = answer.records.last().unwrap().json().unwrap();
    let amount = |path: &[&str]| {
        let found = path.iter().fold(&record, |json, member| {
            let Json::Obj(members) = json else { panic!("no object") };
            members.get(member).unwrap()
        });
        let Json::Str(text) = found else { panic!("no text") };
        text.parse::<i64>().unwrap()
    };
    amount(&["results", "bank", "net"]) + amount(&["results", "house_net"])
}

/// Plays rounds of one table. Voids those that `is_voided` selects by number and by the win of the
/// house. Returns the file, and the win of the house in the voided rounds.
fn play(is_voided: &dyn Fn(u64, i64) -> bool) -> (String, u64, i64) {
    play_in(&Casino::new(), |casino, _| casino.reveal(), is_voided)
}

/// Plays the same in a casino, and adds the record that ends its epoch.
fn play_in(
    casino: &Casino,
    end: impl Fn(&Casino, &[RecordEnvelope]) -> RecordEnvelope,
    is_voided: &dyn Fn(u64, i64) -> bool,
) -> (String, u64, i64) {
    let (mut records, mut prev) = (casino.manifests.clone(), None::<RecordEnvelope>);
    let (mut voids, mut kept_from) = (0, 0);
    for round_no in 1..=ROUNDS {
        let plan = RoundPlan::random_of("express", "base", round_no, prev.take(), 5);
        let dealt = casino.deal(&plan);
        let settled = settled(casino, &plan, &dealt.records);
        let net = house_net(&settled);
        let close = if is_voided(round_no, net) {
            (voids, kept_from) = (voids + 1, kept_from + net);
            let request = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
            let call = casino.call("base");
            let voided = paigow_engine::void_round(&casino.context, &casino.keys, &call, &request);
            voided.unwrap().records
        } else {
            settled.records
        };
        records.extend(dealt.records);
        records.extend(close);
        prev = records.last().cloned();
    }
    records.push(end(casino, &records));
    (transcript::write(&records), voids, kept_from)
}

fn counted(file: &str, more: &[&str]) -> Value {
    let root = hex::encode(root_key().public().to_bytes());
    let arguments = [&["replay-all", "-", "--root", &root, "--voids", "--json"], more].concat();
    let output = run(&arguments, file.as_bytes());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["voids"].clone()
}

/// Returns the sum over all tables: the win of the house, its rank, and the number of sums.
fn all(voids: &Value) -> (i64, u64, u64) {
    let all = &voids["all"][0];
    let net = all["house_net_minor"].as_str().unwrap().parse().unwrap();
    (net, all["at_most"].as_u64().unwrap(), all["sums"].as_u64().unwrap())
}

#[test]
fn voids_that_spare_the_house_are_among_the_lowest_sums() {
    let (file, voids, net) = play(&|_, net| net < 0);
    let count = counted(&file, &["--voids-samples", "499"]);
    assert_eq!((&count["void"], &count["never_closed"]), (&voids.into(), &0.into()));
    // The engine settles the same rounds with the same results.
    let (real, rank, sums) = all(&count);
    assert!(voids > 20 && net < 0, "{voids} {net}");
    assert_eq!((real, sums), (net, 500));
    assert!(rank <= 10, "{count}");
}

#[test]
fn the_close_of_an_epoch_of_the_vrf_suite_opens_its_voids() {
    let spares = |_, net| net < 0;
    let close = |casino: &Casino, records: &[RecordEnvelope]| casino.close_epoch(records);
    let (file, voids, net) = play_in(&Casino::vrf(), close, &spares);
    let count = counted(&file, &["--voids-samples", "499"]);
    let (real, rank, sums) = all(&count);
    assert!(voids > 20 && net < 0 && rank <= 10, "{count}");
    assert_eq!((real, sums, &count["all"][0]["not_computable"]), (net, 500, &0.into()));
    // Without the close nobody can compute them.
    let lines: Vec<&str> = file.lines().collect();
    let count = counted(&lines[..lines.len() - 1].join("\n"), &["--voids-samples", "9"]);
    assert_eq!(count["all"][0]["not_computable"], voids);
}

#[test]
fn voids_by_the_number_of_the_round_are_not() {
    let (file, voids, net) = play(&|round_no, _| round_no % 5 == 0);
    let count = counted(&file, &["--voids-samples", "499"]);
    let (real, rank, sums) = all(&count);
    assert_eq!((real, voids, sums), (net, 24, 500));
    assert!((25..=475).contains(&rank), "{count}");
    // The answer does not depend on the number of threads.
    assert_eq!(counted(&file, &["--voids-samples", "499", "--threads", "1"]), count);
}

#[test]
fn a_round_without_its_secret_or_with_wagers_that_cannot_be_read_is_not_computable() {
    let (file, voids, _) = play(&|round_no, _| round_no % 40 == 0);
    assert_eq!(voids, 3);
    let lines: Vec<&str> = file.lines().collect();
    let hidden = lines[..lines.len() - 1].join("\n");
    let count = counted(&hidden, &["--voids-samples", "9"]);
    assert_eq!((&count["void"], &count["all"][0]["not_computable"]), (&3.into(), &3.into()));
    // The last round ends after its deal: it was never closed.
    let close = lines.len() - 3;
    let kinds: Vec<RecordKind> = lines[close - 3..]
        .iter()
        .map(|line| RecordEnvelope::parse(line.as_bytes()).unwrap().kind())
        .collect();
    assert_eq!(kinds[3..], [RecordKind::Lock, RecordKind::Settle, RecordKind::EpochReveal]);
    let cut = [&lines[..close], &lines[lines.len() - 1..]].concat();
    let count = counted(&cut.join("\n"), &["--voids-samples", "9"]);
    assert_eq!((&count["void"], &count["never_closed"]), (&2.into(), &1.into()));
    assert_eq!(count["all"][0]["not_computable"], 0);
    // A record that is not a lock, in a round that the ledger voided.
    let casino = Casino::new();
    let plan = RoundPlan::random_of("express", "locked", 1, None, 5);
    let ticket = casino.deal(&plan).records[0].clone();
    let odd = Json::obj([("step", Json::str("odd"))]);
    let lock = RecordEnvelope::seal(RecordKind::Lock, &odd, &[&key(3)]);
    let records = [casino.manifests.clone(), vec![ticket, lock, casino.reveal()]].concat();
    let count = counted(&transcript::write(&records), &["--voids-samples", "9"]);
    assert_eq!(
        (&count["never_closed"], &count["all"][0]["not_computable"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn the_sums_are_told_to_people() {
    let (file, _, _) = play(&|round_no, _| round_no % 40 == 0);
    let root = hex::encode(root_key().public().to_bytes());
    let arguments = ["replay-all", "-", "--root", &root, "--voids", "--voids-samples", "9"];
    let told = text(&run(&arguments, file.as_bytes()));
    assert!(told.contains("3 of 120 rounds have locked wagers and no settlement"), "{told}");
    assert!(told.contains("  tenant base, table table-1: 3 rounds, 0 not computable; "), "{told}");
    assert!(told.contains("lowest of 10 sums"), "{told}");
}
