//! Plans as messages of the contract.

use paigow_engine::DealAnswer;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Suite;
use paigow_fairness::record::RecordEnvelope;
use paigow_proto::v1 as pb;
use paigow_round::{DealStart, RoundFacts, VoidReason, Wagers};
use paigow_rules::cards::{BySeat, Card, Seat};
use paigow_rules::game::{ColourChoice, Decision, SettingChoice, WagerSheet};

use super::casino::{Casino, RoundPlan, policy};

/// A record on the wire.
pub fn record(envelope: &RecordEnvelope) -> pb::Record {
    pb::Record { envelope: envelope.to_line().into_bytes(), signatures: Vec::new() }
}

/// Records on the wire.
pub fn records(envelopes: &[RecordEnvelope]) -> Vec<pb::Record> {
    envelopes.iter().map(record).collect()
}

/// Records off the wire.
pub fn envelopes(records: &[pb::Record]) -> Vec<RecordEnvelope> {
    records.iter().map(|r| RecordEnvelope::parse(&r.envelope).unwrap()).collect()
}

/// The request that opens a planned round.
pub fn open_request(casino: &Casino, plan: &RoundPlan) -> pb::OpenRoundRequest {
    let open = casino.open(plan);
    pb::OpenRoundRequest {
        epoch: open.epoch.map(|e| i32::try_from(e).unwrap()),
        manifest: open.manifest.unwrap().to_string(),
        manifest_sequence: i64::try_from(open.manifest_sequence.unwrap()).unwrap(),
        table: open.table.to_string(),
        round_no: i64::try_from(open.round_no).unwrap(),
        beacon_round: open.beacon_round.map_or(0, |round| i64::try_from(round).unwrap()),
        ruleset: open.ruleset,
        client_commits: open
            .client_commits
            .iter()
            .map(|(seat, commit)| pb::ClientCommit {
                seat: seat.number().into(),
                commit: commit.to_string(),
            })
            .collect(),
        seat_keys: open
            .seat_keys
            .iter()
            .map(|(seat, key)| pb::SeatKey {
                seat: seat.number().into(),
                public_key: key.key.to_string(),
                house_way_if_absent: key.house_way_if_absent,
            })
            .collect(),
        prev: open.prev.as_ref().map(record),
    }
}

/// A sheet on the wire. A seat's client seed is on its first wager.
pub fn sheet(sheet: &WagerSheet, seeds: &[(usize, Vec<u8>)]) -> pb::WagerSheet {
    let wagers = sheet.wagers.iter().enumerate().map(|(place, wager)| {
        let seed = seeds.iter().find(|(of, _)| *of == place);
        pb::Wager {
            seat: wager.seat.number().into(),
            bet: wager.bet.clone().into(),
            amount_minor: wager.amount_minor,
            choice: match wager.choice {
                Some(ColourChoice::Red) => pb::Choice::Red.into(),
                Some(ColourChoice::Black) => pb::Choice::Black.into(),
                None => pb::Choice::Unspecified.into(),
            },
            client_seed: seed.map(|(_, seed)| hex::encode(seed)).unwrap_or_default(),
        }
    });
    let wagers = wagers.collect();
    let limits = sheet
        .facts
        .bet_limits
        .iter()
        .map(|limit| pb::BetLimit { bet: limit.bet.clone().into(), max_minor: limit.max_minor });
    pb::WagerSheet {
        currency: Some(pb::Currency {
            code: sheet.currency.code().to_owned(),
            exponent: sheet.currency.exponent().into(),
        }),
        wagers,
        chip_minor: sheet.facts.chip_minor,
        table_min_minor: sheet.facts.table_min_minor,
        table_max_minor: sheet.facts.table_max_minor,
        bank_minor: sheet.facts.bank_minor,
        banker_seat: sheet.facts.banker_seat.map(|seat| seat.number().into()),
        meter_minor: sheet.facts.meter_minor,
        action_pile: sheet.facts.action_pile.map(i32::from),
        bet_limits: limits.collect(),
    }
}

/// The request that deals a planned round, opened inline or before, as its policy requires.
pub fn deal_request(casino: &Casino, plan: &RoundPlan) -> pb::DealRequest {
    let request = casino.deal_request(plan);
    let start = match request.start {
        DealStart::Open(_) => pb::deal_request::Start::Open(open_request(casino, plan)),
        DealStart::Ticket(ticket) => pb::deal_request::Start::Ticket(record(&ticket)),
    };
    let wagers = match request.wagers {
        Wagers::Sheet { sheet: typed, client_seeds } => {
            pb::deal_request::Wagers::Sheet(sheet(&typed, &client_seeds))
        }
        Wagers::Lock(lock) => pb::deal_request::Wagers::Lock(record(&lock)),
    };
    let beacon_signature = request.beacon_signature.map_or_else(String::new, hex::encode);
    pb::DealRequest { start: Some(start), wagers: Some(wagers), beacon_signature }
}

/// A decision on the wire.
pub fn decision(seat: Seat, decision: &Decision) -> pb::Decision {
    let setting = match &decision.setting {
        SettingChoice::Low(cards) => pb::decision::Setting::Low(pb::LowHand {
            cards: cards.iter().map(ToString::to_string).collect(),
        }),
        SettingChoice::HouseWay => pb::decision::Setting::HouseWay(true),
    };
    pb::Decision {
        seat: seat.number().into(),
        setting: Some(setting),
        double_down: decision.double_down,
    }
}

/// The request that settles a dealt round as its policy requires.
pub fn settle_request(casino: &Casino, plan: &RoundPlan, dealt: &DealAnswer) -> pb::SettleRequest {
    let mut request =
        pb::SettleRequest { records: records(&dealt.records), ..pb::SettleRequest::default() };
    if policy(&plan.tenant).lock_required {
        let (actions, lock) = casino.close(plan, dealt);
        request.actions = records(&actions);
        request.lock = Some(record(&lock));
    } else {
        request.decisions = plan.decisions(dealt).iter().map(|(s, d)| decision(*s, d)).collect();
    }
    request
}

/// The request that voids a dealt round as its policy requires.
pub fn void_request(casino: &Casino, plan: &RoundPlan, dealt: &DealAnswer) -> pb::VoidRoundRequest {
    let void = casino.void_request(plan, &dealt.records, VoidReason::Operator);
    pb::VoidRoundRequest {
        records: records(&dealt.records),
        reason: pb::VoidReason::Operator.into(),
        lock: void.lock.as_ref().map(record),
        ..pb::VoidRoundRequest::default()
    }
}

/// One request of each `Prepare` call about a dealt round.
#[derive(Clone, Debug)]
pub struct PrepareRequests {
    /// Its opening.
    pub open: pb::PrepareOpenRequest,
    /// Its wagers.
    pub deal: pb::PrepareDealRequest,
    /// Its decisions.
    pub settle: pb::PrepareSettleRequest,
    /// Its end as a void.
    pub void: pb::PrepareVoidRequest,
}

/// The requests that prepare a round which was dealt as planned.
pub fn prepare_requests(casino: &Casino, plan: &RoundPlan, dealt: &DealAnswer) -> PrepareRequests {
    let open = open_request(casino, plan);
    let pb::VoidRoundRequest { records, reason, .. } = void_request(casino, plan, dealt);
    let decisions = plan.decisions(dealt).iter().map(|(s, d)| decision(*s, d)).collect();
    PrepareRequests {
        open: pb::PrepareOpenRequest { open: Some(open) },
        deal: pb::PrepareDealRequest {
            ticket: records.first().cloned(),
            sheet: Some(sheet(&plan.sheet, &plan.client_seeds())),
        },
        settle: pb::PrepareSettleRequest {
            records: records.clone(),
            decisions,
            ..pb::PrepareSettleRequest::default()
        },
        void: pb::PrepareVoidRequest { records, reason, ..pb::PrepareVoidRequest::default() },
    }
}

/// The part of a deal off the wire that a settlement needs.
pub fn dealt(dealt: &pb::DealResponse) -> DealAnswer {
    let cards = |codes: &[String]| codes.iter().map(|code| code.parse::<Card>().unwrap()).collect();
    let hand = |hand: &pb::DealtHand| {
        (Seat::new(u8::try_from(hand.seat).unwrap()).unwrap(), cards(&hand.cards))
    };
    DealAnswer {
        records: envelopes(&dealt.records).try_into().unwrap(),
        round_id: dealt.round_id.parse().unwrap(),
        commit: dealt.commit.parse().unwrap(),
        dice: Vec::new(),
        action_seat: Seat::DEALER,
        hands: dealt.hands.iter().map(hand).collect(),
        dealer: None,
        deck_commit: dealt.deck_commit.parse().unwrap(),
        street_ends: Vec::new(),
        final_lines: BySeat::new(),
        fees: BySeat::new(),
        facts: RoundFacts { ruleset: Hash::ZERO, suite: Suite::Derived, currency: None },
    }
}
