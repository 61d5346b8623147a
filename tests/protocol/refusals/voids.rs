//! The requirements of a void, and the amounts that it gives back.

use paigow_fairness::json::{Json, WriteJson as _};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::record::DealRecord;
use paigow_round::{Reason, VoidReason};
use paigow_rules::game::Wager;

use crate::refusals::casino::{Casino, RoundPlan, receipt_key, seat};
use crate::refusals::{dealt, refused, void_round};

#[test]
fn a_void_takes_three_records_and_no_more() {
    for tenant in ["dev", "locked"] {
        let (casino, plan, dealt) = dealt(tenant);
        let with = |records: &[RecordEnvelope]| {
            void_round(&casino, tenant, &casino.void_request(&plan, records, VoidReason::Operator))
        };
        assert!(with(&dealt.records).is_ok());
        // Each of them once more, and all that a settlement adds.
        let settled = casino.settle(&plan, &dealt).records;
        for more in dealt.records.iter().chain(&settled) {
            let records = [&dealt.records[..], std::slice::from_ref(more)].concat();
            let refusal = refused(with(&records), Reason::Phase);
            assert_eq!(refusal.violations[0].field, "records");
        }
    }
}

/// Voids a round of `dev`, and returns what it hands back by position.
fn returns(casino: &Casino, plan: &RoundPlan, records: &[RecordEnvelope]) -> Vec<(u8, i64)> {
    let request = casino.void_request(plan, records, VoidReason::Equipment);
    let call = casino.call("dev");
    let answer = paigow_engine::void_round(&casino.context, &casino.keys, &call, &request).unwrap();
    let returns = answer.returns;
    let Json::Obj(members) = answer.records.last().unwrap().json().unwrap() else { panic!() };
    let recorded = returns.iter().map(|(seat, sum)| (seat.to_string(), Json::str(sum)));
    assert_eq!(members.get("returns"), Some(&Json::Obj(recorded.collect())));
    returns.into_iter().map(|(seat, sum)| (seat.number(), sum)).collect()
}

#[test]
fn a_void_hands_back_to_each_position_what_it_staked_and_paid() {
    let casino = Casino::new();
    let mut plan = RoundPlan { committed: Vec::new(), ..RoundPlan::random("dev", 1, None, 64) };
    let of = |number, bet: &str, amount_minor| Wager {
        seat: seat(number),
        bet: bet.to_owned().into(),
        amount_minor,
        choice: None,
    };
    plan.sheet.wagers = vec![
        of(1, "base", 1_000),
        of(1, "outlaw_9", 5),
        of(3, "base", 40_000),
        of(5, "outlaw_9", 7),
    ];
    let dealt = casino.deal(&plan);
    let with = |known: usize| returns(&casino, &plan, &dealt.records[..known]);
    assert!(with(1).is_empty());
    assert_eq!(with(2), [(1, 1_005), (3, 40_000), (5, 7)]);
    // Mike's collects 1.00 of a base wager up to 200.00 and 2.00 above, and nothing of a bonus bet. It
    // collects 5.00 of the player-dealer if the base wagers sum to more than 400.00.
    assert_eq!(with(3), [(0, 500), (1, 1_105), (3, 40_200), (5, 7)]);

    // A seat that gets nothing back is not listed, though a deal record names a fee of 0.
    let [ticket, lock, deal] = &dealt.records;
    let mut record = DealRecord::parse(deal.json().unwrap()).unwrap();
    record.fees.insert(seat(2), 0);
    record.fees.insert(seat(0), 0);
    let deal = RecordEnvelope::seal(RecordKind::Deal, &record.to_json(), &[&receipt_key()]);
    let records = [ticket.clone(), lock.clone(), deal];
    assert_eq!(returns(&casino, &plan, &records), [(1, 1_105), (3, 40_200), (5, 7)]);
}
