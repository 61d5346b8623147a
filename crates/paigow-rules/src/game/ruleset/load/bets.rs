//! Reads the bonus bets and their pay tables.

use std::collections::BTreeSet;

use super::super::reader::{RulesetFaults, RulesetSection};
use super::condition::ConditionOf;
use super::terms::{limits, odds, optional_amount};
use super::{Frame, condition, id};
use crate::game::bets::{
    BetId, BetSubject, BonusBet, Meter, MeterShare, OtherSeatTerms, PayRow, RowPayment,
    StakeLimits, Titles,
};
use crate::game::money::{MAX_STAKE, Odds, Rounding};

/// The prefix of a row that pays a share of the meter, as in `meter:1/10`.
const METER: &str = "meter:";

pub(super) fn bonus_bets(
    section: &mut RulesetSection,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<Vec<BonusBet>> {
    // A game may have no bonus bet.
    let bets = if section.has("bets") { section.sections("bets", faults)? } else { Vec::new() };
    let mut ids = BTreeSet::from([BetId::BASE, BetId::DOUBLE_DOWN]);
    let mut bonus_bets = Some(Vec::new());
    for mut bet in bets {
        let bonus = bonus_bet(&mut bet, &mut ids, frame, faults);
        bet.finish(faults);
        bonus_bets = bonus_bets.zip(bonus).map(|(mut bets, bonus)| {
            bets.push(bonus);
            bets
        });
    }
    bonus_bets
}

/// Reads a bet; `ids` are those of the bets before it, to which it adds its own.
fn bonus_bet(
    section: &mut RulesetSection,
    ids: &mut BTreeSet<BetId>,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<BonusBet> {
    let id = bet_id(section, "id", ids, faults);
    let (title, titles) = title(section, faults);
    let subjects = BetSubject::ALL.map(|subject| (subject.name(), subject));
    let looks_at = section.word("looks_at", &subjects, faults);
    let needs_base = section.flag("needs_base", faults);
    let limits = limits(section, frame, faults);
    let has_others = section.has("others");
    let to_others = if has_others { to_others(section, ids, frame, faults) } else { None };
    let has_meter = section.has("meter");
    let meter = if has_meter { meter(section, limits, frame, faults) } else { None };
    // Without its subject it is unknown which conditions the rows may have.
    let Some(looks_at) = looks_at else {
        section.pass_over("rows");
        return None;
    };
    // A meter that cannot be read has left a fault. The rows that pay of it would only leave more.
    if has_meter && meter.is_none() {
        section.pass_over("rows");
        return None;
    }
    let rows = rows(section, looks_at, has_others, meter, frame, faults)?;
    if has_others != to_others.is_some() {
        return None;
    }
    Some(BonusBet {
        joker: frame.joker?,
        id: id?,
        title: title?,
        titles: titles?,
        looks_at,
        limits: limits?,
        needs_base: needs_base?,
        rows,
        rounding: frame.rounding.unwrap_or(Rounding::Down),
        to_others,
        meter: meter.map(|(meter, _)| meter),
    })
}

/// Reads a meter, and returns it with the fixed stake of its bet.
fn meter(
    section: &mut RulesetSection,
    limits: Option<StakeLimits>,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<(Meter, i64)> {
    let path = section.path("meter");
    let mut section = section.section("meter", faults)?;
    let has_seed = section.has("seed_minor");
    let seed = optional_amount(&mut section, "seed_minor", 1, frame, faults);
    if !has_seed {
        faults.add(section.path("seed_minor"), "missing");
    }
    let contribution = part_of_one(&mut section, "contribution", "the stake", faults);
    section.finish(faults);
    let limits = limits?;
    if limits.minimum != limits.maximum {
        let message = "goes with a fixed stake: minimum_minor and maximum_minor must be the same";
        faults.add(path, message);
        return None;
    }
    Some((Meter { seed: seed?, contribution: contribution? }, limits.minimum))
}

/// Reads a part of `whole` as a fraction below 1.
fn part_of_one(
    section: &mut RulesetSection,
    key: &str,
    whole: &str,
    faults: &mut RulesetFaults,
) -> Option<Odds> {
    let text = section.text(key, faults)?;
    let part = Odds::parse(&text).filter(|part| !part.pays_at_least(Odds::EVEN));
    if part.is_none() {
        let message = format!(
            "must be a part of {whole} below 1 in lowest terms, as \"1/10\" for 10 %, not {text:?}"
        );
        faults.add(section.path(key), message);
    }
    part
}

/// Reads the stake from which the bet also pays for other seats' hands.
fn to_others(
    section: &mut RulesetSection,
    ids: &mut BTreeSet<BetId>,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<OtherSeatTerms> {
    let mut section = section.section("others", faults)?;
    let bet = bet_id(&mut section, "bet", ids, faults);
    let (title, titles) = title(&mut section, faults);
    let has_threshold = section.has("threshold_minor");
    let threshold = optional_amount(&mut section, "threshold_minor", 1, frame, faults);
    if !has_threshold {
        faults.add(section.path("threshold_minor"), "missing");
    }
    section.finish(faults);
    Some(OtherSeatTerms { bet: bet?, title: title?, titles: titles?, threshold: threshold? })
}

/// Reads the id of a bet and adds it to `ids`. An id that is among them already is a fault.
fn bet_id(
    section: &mut RulesetSection,
    key: &str,
    ids: &mut BTreeSet<BetId>,
    faults: &mut RulesetFaults,
) -> Option<BetId> {
    let text = section.text(key, faults)?;
    let Some(id) = BetId::from_name(&text) else {
        let message = format!(
            "must be at most {} lower-case letters and digits, parts joined by '_', a letter first",
            BetId::MAX_LEN
        );
        faults.add(section.path(key), message);
        return None;
    };
    if !ids.insert(id) {
        faults.add(section.path(key), "is another bet's already");
        return None;
    }
    Some(id)
}

/// Reads a title, and the same in other languages.
fn title(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> (Option<String>, Option<Titles>) {
    let title = section.text("title", faults);
    let titles = if section.has("titles") {
        section.texts_by_language("titles", faults)
    } else {
        Some(Titles::new())
    };
    (title, titles)
}

/// Reads a pay table. Its rows are in paying order, so that the first that holds is
/// the one that pays most.
fn rows(
    section: &mut RulesetSection,
    looks_at: BetSubject,
    has_others: bool,
    meter: Option<(Meter, i64)>,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<Vec<PayRow>> {
    let path = section.path("rows");
    let sections = section.sections("rows", faults)?;
    if sections.is_empty() {
        faults.add(path, "must have a row");
        return None;
    }
    let (mut ids, mut used) = (BTreeSet::new(), BTreeSet::new());
    let mut above: Option<RowPayment> = None;
    let mut read = Vec::new();
    for mut row in sections {
        let id = id(&mut row, "id", faults);
        let (title, titles) = title(&mut row, faults);
        let pays = pays(&mut row, meter, frame, faults);
        let mut condition =
            condition::read(&mut row, "condition", ConditionOf::Bet(looks_at), frame, faults);
        // Rows of a bet without `others` have no such key, and finish() says so.
        let others = if has_others {
            row.optional_number("others_minor", 1..=MAX_STAKE, faults)
        } else {
            None
        };
        let notify_floor =
            if row.has("notify_floor") { row.flag("notify_floor", faults) } else { Some(false) };
        if id.as_ref().is_some_and(|id| !ids.insert(id.clone())) {
            faults.add(row.path("id"), "is another row's already");
        }
        if condition.as_ref().is_some_and(|condition| !used.insert(condition.clone())) {
            faults.add(row.path("condition"), "is another row's already");
            condition = None;
        }
        if let (Some(pays), Some(above)) = (pays, above)
            && !above.pays_at_least(pays)
        {
            let message = format!(
                "{pays} is more than the row above pays, {above}: rows stand in paying order, \
                 so that the first that holds pays most"
            );
            faults.add(row.path("pays"), message);
        }
        above = pays.or(above);
        row.finish(faults);
        read.push((|| {
            Some(PayRow {
                id: id?,
                title: title?,
                titles: titles?,
                pays: pays?,
                condition: condition?,
                to_others: others,
                notify_floor: notify_floor?,
            })
        })());
    }
    read.into_iter().collect()
}

/// Reads the payment of a row: odds, a push, or a share of the meter.
fn pays(
    row: &mut RulesetSection,
    meter: Option<(Meter, i64)>,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<RowPayment> {
    if row.is_text("pays", "push") {
        row.text("pays", faults)?;
        return Some(RowPayment::Push);
    }
    if !row.text_starts("pays", METER) {
        return odds(row, "pays", frame, faults).map(RowPayment::Odds);
    }
    let text = row.text("pays", faults)?;
    let Some((meter, stake)) = meter else {
        faults.add(row.path("pays"), "pays of a meter, and the bet has no meter");
        return None;
    };
    let share = text.strip_prefix(METER).and_then(Odds::parse);
    let paid = share.and_then(|share| MeterShare::new(share, meter, stake));
    if paid.is_none() {
        let message = format!(
            "must be a share of at most 1 in lowest terms, as \"meter:1/10\", and at least one \
             minor unit of the seed, not {text:?}"
        );
        faults.add(row.path("pays"), message);
    }
    paid.map(RowPayment::Meter)
}
