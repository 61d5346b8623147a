//! Reads the bonus bets and their pay tables.

use std::collections::BTreeSet;

use super::super::reader::{RulesetFaults, RulesetSection};
use super::terms::{limits, odds, optional_amount};
use super::{Frame, id};
use crate::game::bets::{
    BetId, BetSubject, BonusBet, Condition, OneColour, OtherSeatTerms, PayRow, RowPayment,
};
use crate::game::money::{MAX_STAKE, Rounding};

pub(super) fn bonus_bets(
    section: &mut RulesetSection,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<Vec<BonusBet>> {
    // A game may have no bonus bet.
    let bets = if section.has("bets") { section.sections("bets", faults)? } else { Vec::new() };
    let mut read = BTreeSet::new();
    let mut bonus_bets = Some(Vec::new());
    for mut bet in bets {
        let names: Vec<(&str, (BetId, BetSubject))> = BetId::ALL
            .into_iter()
            .filter_map(|bet| Some((bet.name(), (bet, bet.looks_at()?))))
            .collect();
        let id = bet.word("id", &names, faults);
        if id.is_some_and(|(id, _)| !read.insert(id)) {
            faults.add(bet.path("id"), "is another bet's already");
        }
        let bonus = bonus_bet(&mut bet, id, frame, faults);
        // Without an id it is unknown which keys the bet has.
        if id.is_some() {
            bet.finish(faults);
        }
        bonus_bets = bonus_bets.zip(bonus).map(|(mut bets, bonus)| {
            bets.push(bonus);
            bets
        });
    }
    bonus_bets
}

fn bonus_bet(
    section: &mut RulesetSection,
    id: Option<(BetId, BetSubject)>,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<BonusBet> {
    let title = section.text("title", faults);
    let needs_base = section.flag("needs_base", faults);
    let limits = limits(section, frame, faults);
    let (id, looks_at) = id?;
    let one_colour = if id == BetId::Outlaw9 {
        let readings = [("any", OneColour::Any), ("no_pair", OneColour::NoPair)];
        // Nobody sees the rows of a ruleset whose reading is a fault.
        Some(section.word("one_colour", &readings, faults).unwrap_or(OneColour::NoPair))
    } else {
        None
    };
    let has_others = section.has("others");
    let to_others = if has_others { to_others(section, id, frame, faults) } else { None };
    let conditions = Condition::all_for(looks_at, frame.hand.unwrap_or(7), one_colour);
    let rows = rows(section, &conditions, has_others, frame, faults);
    if has_others != to_others.is_some() {
        return None;
    }
    Some(BonusBet {
        id,
        title: title?,
        limits: limits?,
        needs_base: needs_base?,
        rows: rows?,
        rounding: frame.rounding.unwrap_or(Rounding::Down),
        to_others,
    })
}

/// Reads from which stake on the bet pays for other seats' hands too.
fn to_others(
    section: &mut RulesetSection,
    id: BetId,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<OtherSeatTerms> {
    let path = section.path("others");
    let mut section = section.section("others", faults)?;
    let Some(bet) = id.community() else {
        faults.add(path, format!("{} pays nothing for other seats' hands", id.name()));
        return None;
    };
    section.word("bet", &[(bet.name(), ())], faults);
    let has_threshold = section.has("threshold_minor");
    let threshold = optional_amount(&mut section, "threshold_minor", 1, frame, faults);
    if !has_threshold {
        faults.add(section.path("threshold_minor"), "missing");
    }
    section.finish(faults);
    Some(OtherSeatTerms { bet, threshold: threshold? })
}

/// Reads a pay table. Its rows are in paying order, so that the first that holds is
/// the one that pays most.
fn rows(
    section: &mut RulesetSection,
    conditions: &[Condition],
    has_others: bool,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<Vec<PayRow>> {
    let path = section.path("rows");
    let sections = section.sections("rows", faults)?;
    if sections.is_empty() {
        faults.add(path, "must have a row");
        return None;
    }
    let words: Vec<(&str, Condition)> =
        conditions.iter().map(|&condition| (condition.name(), condition)).collect();
    let (mut ids, mut used) = (BTreeSet::new(), BTreeSet::new());
    let mut above: Option<RowPayment> = None;
    let mut read = Vec::new();
    for mut row in sections {
        let id = id(&mut row, "id", faults);
        let title = row.text("title", faults);
        let pays = pays(&mut row, frame, faults);
        let mut condition = row.word("condition", &words, faults);
        // Rows of a bet without `others` have no such key, and finish() says so.
        let others = if has_others {
            row.optional_number("others_minor", 1..=MAX_STAKE, faults)
        } else {
            None
        };
        if id.as_ref().is_some_and(|id| !ids.insert(id.clone())) {
            faults.add(row.path("id"), "is another row's already");
        }
        if condition.is_some_and(|condition| !used.insert(condition.name())) {
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
                pays: pays?,
                condition: condition?,
                to_others: others,
            })
        })());
    }
    read.into_iter().collect()
}

/// Reads what a row pays: odds, or a push.
fn pays(row: &mut RulesetSection, frame: Frame, faults: &mut RulesetFaults) -> Option<RowPayment> {
    if row.is_text("pays", "push") {
        row.text("pays", faults)?;
        return Some(RowPayment::Push);
    }
    odds(row, "pays", frame, faults).map(RowPayment::Odds)
}
