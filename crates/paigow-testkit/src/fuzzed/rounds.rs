//! Rounds that the bytes choose.

use std::sync::LazyLock;

use paigow_fairness::manifest::Suite;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::transcript;
use paigow_round::VoidReason;
use paigow_round::audit::{AuditReport, AuditVerdict, ReplayedRound, RoundEnding, audit};
use paigow_rules::game::{Settlement, shipped};

use super::CASINO;
use crate::casino::sheets::pick;
use crate::casino::{ByteChoices, Casino, Choices, RoundPlan, SeededChoices, TENANTS, policy};
use crate::prepared_rounds::{self, Tally};

/// Plays a round with mistakes. Each `Prepare` call agrees with its call.
pub fn prepare_agrees(bytes: &[u8]) {
    static SHARED: LazyLock<Casino> = LazyLock::new(prepared_rounds::casino);
    let mut choices = ByteChoices::new(bytes);
    let plan = plan(1, TENANTS[pick(&mut choices, TENANTS.len())], None, &mut choices);
    prepared_rounds::play_round(&SHARED, plan, choices, &mut Tally::default());
}

fn plan(
    round_no: u64,
    tenant: &str,
    prev: Option<RecordEnvelope>,
    choices: &mut ByteChoices<'_>,
) -> RoundPlan {
    let ruleset = shipped()[pick(choices, shipped().len())].id();
    let plan = RoundPlan::chosen(ruleset, tenant, round_no, prev, choices);
    RoundPlan { choices: SeededChoices(choices.below(1 << 16)), ..plan }
}

/// The end of a round, as in its answer.
enum PlayedEnd {
    Settled(Box<Settlement>),
    Void,
    Open,
}

/// Plays up to three rounds of one table. The audit proves them, and computes the amounts of the
/// answers. With one bit changed it proves nothing.
pub fn audit_agrees(bytes: &[u8]) {
    static FRESH: LazyLock<Casino> = LazyLock::new(Casino::fresh);
    static VRF: LazyLock<Casino> = LazyLock::new(Casino::vrf);
    let mut choices = ByteChoices::new(bytes);
    let suite = [Suite::Fresh, Suite::Vrf, Suite::Derived][pick(&mut choices, 3)];
    let (casino, tenants): (&Casino, _) = match suite {
        Suite::Fresh => (&FRESH, &TENANTS[2..]),
        Suite::Vrf => (&VRF, &TENANTS[..]),
        Suite::Derived => (&CASINO, &TENANTS[..]),
    };
    let tenant = tenants[pick(&mut choices, tenants.len())];
    let (mut records, mut ends) = (Vec::new(), Vec::new());
    for round_no in 1..=1 + choices.below(3) {
        let prev = records.last().cloned().filter(|_| policy(tenant).chain_required);
        let plan = plan(round_no, tenant, prev, &mut choices);
        let (played, end) = round(casino, &plan, &mut choices);
        records.extend(played);
        ends.push(end);
        if matches!(ends.last(), Some(PlayedEnd::Open)) {
            break;
        }
    }
    let is_revealed = suite == Suite::Derived && choices.one_in(2);
    let is_open = matches!(ends.last(), Some(PlayedEnd::Open));
    let reveal = is_revealed.then(|| casino.reveal());
    let text = transcript::write(casino.manifests.iter().chain(&records).chain(&reveal));
    let report = audited(casino, text.as_bytes());
    let expected = match suite {
        _ if is_open => AuditVerdict::Incomplete,
        Suite::Derived if !is_revealed => AuditVerdict::Pending,
        Suite::Derived | Suite::Fresh | Suite::Vrf => AuditVerdict::Match,
    };
    assert_eq!(report.verdict(), expected, "{:?}", report.checks);
    assert_eq!(report.rounds.len(), ends.len());
    for (round, end) in report.rounds.iter().zip(&ends) {
        let settlement = round.replayed.as_ref().and_then(|r: &ReplayedRound| r.settlement.clone());
        match end {
            PlayedEnd::Settled(settled) => {
                assert_eq!(round.ending, Some(RoundEnding::Settled));
                assert_eq!(settlement.as_ref(), Some(&**settled));
                let nets: i64 = settled.seats.values().map(|seat| seat.net).sum();
                assert_eq!(nets + settled.bank.net + settled.house_net, 0);
            }
            PlayedEnd::Void => assert_eq!(round.ending, Some(RoundEnding::Void)),
            PlayedEnd::Open => assert_eq!(round.ending, None),
        }
    }
    let changed = with_one_bit_changed(&text, &mut choices);
    if !is_same(text.as_bytes(), &changed) {
        let report = audited(casino, &changed);
        assert_ne!(report.verdict(), AuditVerdict::Match, "{:?}", report.checks);
    }
}

/// Plays a round until its end, or leaves it dealt.
fn round(
    casino: &Casino,
    plan: &RoundPlan,
    choices: &mut ByteChoices<'_>,
) -> (Vec<RecordEnvelope>, PlayedEnd) {
    let dealt = casino.deal(plan);
    match choices.below(8) {
        0 => (dealt.records[..1 + pick(choices, 3)].to_vec(), PlayedEnd::Open),
        1 => {
            let known = &dealt.records[..1 + pick(choices, 3)];
            let void = casino.void_request(plan, known, VoidReason::Operator);
            let call = casino.call(&plan.tenant);
            let void = paigow_engine::void_round(&casino.context, &casino.keys, &call, &void);
            let void = void.unwrap();
            let stakes: i64 = plan.sheet.wagers.iter().map(|wager| wager.amount_minor).sum();
            let fees: i64 = dealt.fees.values().sum();
            let due = [0, stakes, stakes + fees][known.len() - 1];
            assert_eq!(void.returns.values().sum::<i64>(), due);
            ([known, &void.records].concat(), PlayedEnd::Void)
        }
        _ => {
            let settled = casino.settle(plan, &dealt);
            let records = [&dealt.records[..], &settled.records].concat();
            (records, PlayedEnd::Settled(Box::new(settled.settled.settlement)))
        }
    }
}

fn audited(casino: &Casino, text: &[u8]) -> AuditReport {
    audit(text, &casino.terms(), &casino.context.catalogue)
}

fn with_one_bit_changed(text: &str, choices: &mut ByteChoices<'_>) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let at = pick(choices, bytes.len());
    bytes[at] ^= 1 << choices.below(8);
    bytes
}

/// Whether two transcripts hold the same records. The name of a key in a signature is a hint.
fn is_same(text: &[u8], other: &[u8]) -> bool {
    let read = |text: &[u8]| {
        let records = transcript::parse(text).ok()?;
        let signed = |record: &RecordEnvelope| {
            let signatures: Vec<_> = record.signatures().iter().map(|s| s.sig).collect();
            (record.hash(), signatures)
        };
        Some(records.iter().map(signed).collect::<Vec<_>>())
    };
    read(text) == read(other)
}
