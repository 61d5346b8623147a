//! The settlement of a round as the page shows it: hand by hand, with clause and money.

use std::collections::BTreeMap;

use paigow_client::{ClientError, Engine, Place};
use paigow_proto::v1::{
    self as pb, Comparison, EvaluatedSetting, LineStatus, Outcome, SeatResult, SetHouseWayRequest,
    Setting, SettleResponse, set_house_way_request,
};
use serde_json::{Value, json};

use crate::rules::{TableRules, odds};
use crate::state::RoundName;

/// Returns the name of the file with the transcript of a round, below the verifier page.
pub(crate) fn transcript_file(place: &Place) -> String {
    format!("rounds/{}-{}-{}.jsonl", place.table, place.epoch, place.round_no)
}

/// Returns a settlement in the words of the page. `names` are the players, `absent` the seats of disconnected players.
pub(crate) async fn settled(
    engine: &Engine,
    rules: &TableRules,
    place: &Place,
    response: &SettleResponse,
    names: &BTreeMap<i32, String>,
    absent: &[i32],
) -> Result<Value, ClientError> {
    let bank = response.bank.clone().unwrap_or_default();
    let of_dealer = bank.setting.clone().unwrap_or_default();
    let of_seats: Vec<&Setting> =
        response.seats.iter().filter_map(|seat| seat.base.as_ref()?.setting.as_ref()).collect();
    let settings: Vec<&Setting> = std::iter::once(&of_dealer).chain(of_seats).collect();
    let said = Said::of(engine, rules, &settings).await?;
    let seats: Vec<Value> =
        response.seats.iter().map(|seat| seat_view(rules, &said, seat, names, absent)).collect();
    let mut dealer = said.hand(&of_dealer);
    dealer["cards"] = json!(bank.cards);
    Ok(json!({
        "round": RoundName::from(place),
        "end": "settled",
        "reason": null,
        "file": transcript_file(place),
        "logged": false,
        "dealer": dealer,
        "bank_net_minor": bank.net_minor,
        "seats": seats,
    }))
}

/// Returns the end of a round without a settlement.
pub(crate) fn voided(place: &Place, reason: &str, names: &BTreeMap<i32, String>) -> Value {
    let seats: Vec<Value> = names
        .iter()
        .map(|(seat, name)| json!({"seat": seat, "name": name, "lines": [], "fee_minor": 0, "net_minor": 0}))
        .collect();
    json!({
        "round": RoundName::from(place),
        "end": "void",
        "reason": reason,
        "file": transcript_file(place),
        "logged": false,
        "dealer": null,
        "bank_net_minor": 0,
        "seats": seats,
    })
}

/// The words of the engine for hands: their names, and the clauses of the house way.
struct Said {
    names: Vec<EvaluatedSetting>,
    clauses: BTreeMap<String, String>,
}

impl Said {
    async fn of(
        engine: &Engine,
        rules: &TableRules,
        settings: &[&Setting],
    ) -> Result<Self, ClientError> {
        let cards = |setting: &Setting| [&setting.low[..], &setting.high[..]].concat();
        let hands = settings
            .iter()
            .map(|setting| pb::HandToEvaluate {
                cards: cards(setting),
                low: Some(pb::LowHand { cards: setting.low.clone() }),
            })
            .collect();
        let evaluated = engine
            .evaluate_hands(pb::EvaluateHandsRequest {
                ruleset: rules.ruleset.hash.clone(),
                hands,
                ..Default::default()
            })
            .await?;
        let by_house_way: Vec<pb::Hand> = settings
            .iter()
            .filter(|setting| setting.house_way)
            .map(|setting| pb::Hand { cards: cards(setting) })
            .collect();
        let mut clauses = BTreeMap::new();
        if !by_house_way.is_empty() {
            let by = Some(set_house_way_request::By::Ruleset(rules.ruleset.hash.clone()));
            let set = engine.set_house_way(SetHouseWayRequest { hands: by_house_way, by }).await?;
            clauses.extend(set.settings.into_iter().map(|one| (one.clause_id, one.clause_text)));
        }
        let names = evaluated.hands.into_iter().filter_map(|hand| hand.setting).collect();
        Ok(Self { names, clauses })
    }

    fn hand(&self, setting: &Setting) -> Value {
        let named =
            self.names.iter().find(|one| one.low == setting.low && one.high == setting.high);
        json!({
            "low": setting.low,
            "high": setting.high,
            "low_name": named.map_or("", |one| &one.low_name),
            "high_name": named.map_or("", |one| &one.high_name),
            "by": if setting.house_way { "house way" } else { "player" },
            "clause": setting.clause_id,
            "clause_text": self.clauses.get(&setting.clause_id).map_or("", String::as_str),
        })
    }
}

fn seat_view(
    rules: &TableRules,
    said: &Said,
    seat: &SeatResult,
    names: &BTreeMap<i32, String>,
    absent: &[i32],
) -> Value {
    let mut view = match &seat.base {
        Some(base) => {
            let mut hand = said.hand(&base.setting.clone().unwrap_or_default());
            hand["foul"] = json!(base.foul);
            hand["high_result"] = json!(comparison(base.high()));
            hand["low_result"] = json!(comparison(base.low()));
            hand["outcome"] = json!(outcome(base.outcome()));
            hand
        }
        None => json!({}),
    };
    view["seat"] = json!(seat.seat);
    view["name"] = json!(names.get(&seat.seat).map_or("", String::as_str));
    view["absent"] = json!(absent.contains(&seat.seat));
    view["lines"] = seat
        .lines
        .iter()
        .map(|line| {
            json!({
                "bet": line.bet,
                "title": rules.bet_title(&line.bet),
                "stake_minor": line.stake_minor,
                "status": status(line.status()),
                "row": rules.row_title(&line.row),
                "pays": line.pays.as_ref().map(odds),
                "win_minor": line.win_minor,
                "commission_minor": line.commission_minor,
                "return_minor": line.return_minor,
                "caused_by_seat": line.caused_by_seat,
            })
        })
        .collect();
    view["fee_minor"] = json!(seat.fee_minor);
    view["net_minor"] = json!(seat.net_minor);
    view
}

fn comparison(value: Comparison) -> &'static str {
    match value {
        Comparison::Win => "win",
        Comparison::Lose | Comparison::Unspecified => "lose",
        Comparison::Copy => "copy",
    }
}

fn outcome(value: Outcome) -> &'static str {
    match value {
        Outcome::Win => "win",
        Outcome::Lose | Outcome::Unspecified => "lose",
        Outcome::Push => "push",
    }
}

fn status(value: LineStatus) -> &'static str {
    match value {
        LineStatus::Won => "won",
        LineStatus::Lost | LineStatus::Unspecified => "lost",
        LineStatus::Push => "push",
        LineStatus::Returned => "returned",
        LineStatus::Uncovered => "uncovered",
        LineStatus::Void => "void",
    }
}
