//! `results`: the wins and losses, as the settle record states them (D5).

use std::collections::BTreeMap;

use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::payload::{card_list, seat_map};
use paigow_rules::cards::{BySeat, Card, Seat};
use paigow_rules::game::{
    BaseResult, BetLine, Comparison, LineStatus, Odds, SeatResult, Settlement, ShownHand,
};

/// Returns the word of a comparison in records: `win`, `lose` or `copy`.
#[must_use]
pub const fn comparison_name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Win => "win",
        Comparison::Lose => "lose",
        Comparison::Copy => "copy",
    }
}

/// Returns the word of a line's status in records.
#[must_use]
pub const fn status_name(status: LineStatus) -> &'static str {
    match status {
        LineStatus::Won => "won",
        LineStatus::Lost => "lost",
        LineStatus::Push => "push",
        LineStatus::Uncovered => "uncovered",
    }
}

/// Writes a settlement. `house_way` is the content hash of the house way that set hands.
#[must_use]
pub fn results_json(settlement: &Settlement, house_way: &Hash) -> Json<'static> {
    let bank = shown_json(&settlement.bank.setting, house_way)
        .with("net", Some(Json::str(settlement.bank.net)));
    Json::obj([
        ("bank", bank),
        ("commission", Json::str(settlement.commission)),
        ("fees", Json::str(settlement.fees)),
        ("house_net", Json::str(settlement.house_net)),
        ("seats", seat_map(&settlement.seats, |seat| seat_json(seat, house_way))),
    ])
}

fn shown_json(shown: &ShownHand, house_way: &Hash) -> Json<'static> {
    let set = |cards: &[Card]| card_list(cards);
    Json::obj([
        ("high", set(&shown.high)),
        ("high_category", Json::str(shown.high_category)),
        ("low", set(&shown.low)),
        ("low_category", Json::str(shown.low_category)),
    ])
    .with("clause", shown.clause.as_ref().map(Json::str))
    .with("house_way", shown.by_house_way.then(|| Json::hex(house_way.as_bytes())))
}

fn seat_json(seat: &SeatResult, house_way: &Hash) -> Json<'static> {
    let base = match &seat.base {
        None => Json::obj([]),
        Some(base) => base_json(base, house_way),
    };
    base.with("lines", Some(Json::arr(seat.lines.iter().map(line_json))))
        .with("net", Some(Json::str(seat.net)))
}

fn base_json(base: &BaseResult, house_way: &Hash) -> Json<'static> {
    shown_json(&base.shown, house_way)
        .with("foul", Some(Json::Bool(base.foul)))
        .with("high_result", Some(Json::text(comparison_name(base.high_result))))
        .with("low_result", Some(Json::text(comparison_name(base.low_result))))
        .with("outcome", Some(Json::text(base.outcome.name())))
}

fn line_json(line: &BetLine) -> Json<'static> {
    let pays = |odds: Odds| {
        let part = |n: i64| Json::Int(u64::try_from(n).expect("odds are positive"));
        Json::obj([("den", part(odds.den())), ("num", part(odds.num()))])
    };
    Json::obj([
        ("bet", Json::str(line.bet.name())),
        ("commission", Json::str(line.commission)),
        ("return", Json::str(line.returned)),
        ("stake", Json::str(line.stake)),
        ("status", Json::text(status_name(line.status))),
        ("win", Json::str(line.win)),
    ])
    .with("caused_by_seat", line.caused_by.map(|seat| Json::Int(u64::from(seat.number()))))
    .with("pays", line.pays.map(pays))
    .with("row", line.row.as_ref().map(Json::str))
    .with("uncovered", line.uncovered.map(Json::str))
}

/// Returns the lines that the deal makes final, seats ascending, each line with its `seat`.
///
/// Returns [`None`] if there are no such lines.
#[must_use]
pub fn final_lines_json(lines: &BySeat<Vec<BetLine>>) -> Option<Json<'static>> {
    let line = |seat: Seat, line: &BetLine| {
        line_json(line).with("seat", Some(Json::Int(u64::from(seat.number()))))
    };
    let all = lines.iter().flat_map(|(seat, lines)| lines.iter().map(move |one| line(seat, one)));
    (!lines.is_empty()).then(|| Json::arr(all))
}

/// Returns the path of the first member in which two values differ, or [`None`] if they are equal.
#[must_use]
pub fn first_difference(ours: &Json, theirs: &Json) -> Option<String> {
    fn walk(path: &str, ours: &Json, theirs: &Json) -> Option<String> {
        match (ours, theirs) {
            (Json::Obj(a), Json::Obj(b)) => {
                let keys: std::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
                keys.into_iter().find_map(|key| {
                    let path = format!("{path}.{key}");
                    match (a.get(key), b.get(key)) {
                        (Some(a), Some(b)) => walk(&path, a, b),
                        (Some(_), None) | (None, Some(_) | None) => Some(path),
                    }
                })
            }
            (Json::Arr(a), Json::Arr(b)) if a.len() == b.len() => a
                .iter()
                .zip(b)
                .enumerate()
                .find_map(|(i, (a, b))| walk(&format!("{path}[{i}]"), a, b)),
            (a, b) if a == b => None,
            (
                Json::Bool(_) | Json::Int(_) | Json::Str(_) | Json::Arr(_) | Json::Obj(_),
                Json::Bool(_) | Json::Int(_) | Json::Str(_) | Json::Arr(_) | Json::Obj(_),
            ) => Some(path.to_owned()),
        }
    }
    walk("results", ours, theirs)
}

/// Returns stakes and fees of a void round by position. All of them go back (D13).
pub fn void_returns(
    stakes: impl IntoIterator<Item = (Seat, i64)>,
    fees: Option<&BySeat<i64>>,
) -> Option<BTreeMap<Seat, i64>> {
    let mut returns = BTreeMap::new();
    let fees = fees.into_iter().flatten().map(|(seat, fee)| (seat, *fee));
    for (seat, amount) in stakes.into_iter().chain(fees) {
        let sum: &mut i64 = returns.entry(seat).or_insert(0);
        *sum = sum.checked_add(amount)?;
    }
    returns.retain(|_, amount| *amount != 0);
    Some(returns)
}
