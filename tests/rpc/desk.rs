//! A casino behind the contract, and its plans as a caller writes them.

use std::sync::Arc;

use paigow::cards::{Card, Seat};
use paigow::engine::{DealAnswer, self_test};
use paigow::fairness::record::Envelope;
use paigow::game::{Decision, SettingChoice};
use paigow::rpc::{BuildFacts, PaiGow, State, pb};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

use crate::casino::{self, Casino, NOW, Plan};

/// Round 1's part of the operating system in `casino::entropy`.
fn entropy(bytes: &mut [u8]) {
    bytes.copy_from_slice(casino::entropy_of(1)().as_slice());
}

/// The service as `tenant` finds it.
pub(crate) fn service(casino: &Casino, tenant: &str) -> PaiGow {
    let engine = casino.engine.clone();
    let self_test_digest = self_test::run(&engine.catalogue).unwrap();
    PaiGow::new(Arc::new(State {
        engine,
        keys: casino.keys.clone(),
        tenant: casino::id(tenant),
        build: BuildFacts {
            version: "1.2.3",
            git_revision: "unknown",
            executable_sha256: None,
            self_test_digest,
        },
        clock: || NOW,
        entropy,
    }))
}

/// A record as it travels.
pub(crate) fn record(envelope: &Envelope) -> pb::Record {
    pb::Record { envelope: envelope.to_line().into_bytes() }
}

pub(crate) fn records(envelopes: &[Envelope]) -> Vec<pb::Record> {
    envelopes.iter().map(record).collect()
}

fn number(seat: Seat) -> i32 {
    i32::from(seat.number())
}

fn codes(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

/// The opening of a planned round.
pub(crate) fn open(casino: &Casino, plan: &Plan) -> pb::OpenRoundRequest {
    let open = casino.open(plan);
    pb::OpenRoundRequest {
        epoch: open.epoch.map(|epoch| i32::try_from(epoch).unwrap()),
        manifest: open.manifest.unwrap().to_string(),
        table: open.table.to_string(),
        round_no: i64::try_from(open.round_no).unwrap(),
        ruleset: open.ruleset,
        client_commits: open
            .client_commits
            .iter()
            .map(|(seat, commit)| pb::ClientCommit {
                seat: number(*seat),
                commit: commit.to_string(),
            })
            .collect(),
        seat_keys: open
            .seat_keys
            .iter()
            .map(|(seat, key)| pb::SeatKey {
                seat: number(*seat),
                public_key: hex::encode(key.to_bytes()),
            })
            .collect(),
        prev: open.prev.as_ref().map(record),
    }
}

/// The wagers of a planned round, each seat's client seed on its first.
pub(crate) fn sheet(plan: &Plan) -> pb::WagerSheet {
    let mut seeds = plan.client_seeds();
    let wager = |wager: &paigow::game::Wager| {
        let at = seeds.iter().position(|(seat, _)| *seat == wager.seat);
        let client_seed = at.map_or_else(String::new, |at| hex::encode(seeds.remove(at).1));
        pb::Wager {
            seat: number(wager.seat),
            bet: wager.bet.clone(),
            amount_minor: wager.amount_minor,
            choice: 0,
            client_seed,
        }
    };
    let wagers = plan.sheet.wagers.iter().map(wager).collect();
    let facts = &plan.sheet.facts;
    pb::WagerSheet {
        currency: Some(pb::Currency { code: "USD".to_owned(), exponent: 2 }),
        wagers,
        bank_minor: facts.bank_minor,
        action_pile: facts.action_pile.map(i32::from),
        ..pb::WagerSheet::default()
    }
}

/// The deal of a planned round as its policy wants it.
pub(crate) fn deal(casino: &Casino, plan: &Plan) -> pb::DealRequest {
    use paigow::engine::{Start, Wagers};
    use pb::deal_request as request;
    let asked = casino.deal_request(plan);
    let start = match &asked.start {
        Start::Open(_) => request::Start::Open(open(casino, plan)),
        Start::Ticket(ticket) => request::Start::Ticket(record(ticket)),
    };
    let wagers = match &asked.wagers {
        Wagers::Sheet { .. } => request::Wagers::Sheet(sheet(plan)),
        Wagers::Lock(lock) => request::Wagers::Lock(record(lock)),
    };
    pb::DealRequest { start: Some(start), wagers: Some(wagers) }
}

fn decision((seat, decision): &(Seat, Decision)) -> pb::Decision {
    use pb::decision::Setting;
    let setting = match &decision.setting {
        SettingChoice::Low(cards) => Setting::Low(pb::LowHand { cards: codes(cards) }),
        SettingChoice::HouseWay => Setting::HouseWay(true),
    };
    pb::Decision { seat: number(*seat), setting: Some(setting), double_down: decision.double_down }
}

/// The settlement of a dealt round as its policy wants it.
pub(crate) fn settle(casino: &Casino, plan: &Plan, dealt: &DealAnswer) -> pb::SettleRequest {
    let mut request = pb::SettleRequest {
        records: records(&dealt.records),
        disposition: pb::Disposition::Settle.into(),
        ..pb::SettleRequest::default()
    };
    if casino::policy(&plan.tenant).lock_required {
        let (actions, lock) = casino.close(plan, dealt);
        request.actions = records(&actions);
        request.lock = Some(record(&lock));
    } else {
        request.decisions = plan.decisions(dealt).iter().map(decision).collect();
    }
    request
}

/// Makes a request of the method it is for.
pub(crate) fn ask<M>(message: M) -> Request<M> {
    Request::new(message)
}

/// What a status says: its code, its reason, the fields that it blames.
pub(crate) fn blamed(status: &Status) -> (Code, String, Vec<String>) {
    let details = status.get_error_details();
    let info = details.error_info().expect("every error has a reason");
    assert_eq!(info.domain, "paigow.v1");
    let fields = details.bad_request().map_or_else(Vec::new, |bad| {
        bad.field_violations.iter().map(|violation| violation.field.clone()).collect()
    });
    (status.code(), info.reason.clone(), fields)
}
