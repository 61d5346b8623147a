//! A ledger for tables whose policy demands one: it signs what was decided before anything
//! that follows from it is shown.
//!
//! A platform's ledger keeps a database and signs one lock a phase of a round, ever. This
//! one has no memory: it is for trying a deployment out.

use crate::CommandError;
use paigow_engine::SecretKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_proto::v1 as pb;
use paigow_round::record::{Action, CloseLock, WagerLock};
use paigow_rules::cards::{Card, Seat};
use paigow_rules::game::{ColourChoice, Currency, Decision, SettingChoice, TableFacts, Wager};

/// Signs the lock of phase 1: the wagers of a sheet for the round of a ticket.
///
/// The sheet has to list its wagers as a lock does: seats ascending, bets in the ruleset's
/// order.
///
/// # Errors
///
/// If the answer or the sheet is not of the form that a lock states.
pub(super) fn lock_wagers(
    key: &SecretKey,
    opened: &pb::OpenRoundResponse,
    sheet: &pb::WagerSheet,
) -> Result<pb::Record, CommandError> {
    let wagers = sheet.wagers.iter().map(wager).collect::<Result<Vec<_>, _>>()?;
    let currency = sheet.currency.as_ref().ok_or_else(|| odd("no currency"))?;
    let exponent = u8::try_from(currency.exponent).map_err(odd)?;
    let lock = WagerLock {
        prev: hash_of(opened.ticket.as_ref())?,
        round_id: opened.round_id.parse().map_err(odd)?,
        client_seeds: [].into(),
        seats: wagers.iter().map(|wager| (wager.seat, ())).collect(),
        wagers,
        currency: Currency::new(&currency.code, exponent).map_err(odd)?,
        facts: facts(sheet)?,
    };
    Ok(record(&RecordEnvelope::seal(RecordKind::Lock, &lock, &[key])))
}

/// Writes the decisions of a dealt round as actions, unsigned by their seats, and signs
/// the lock of phase 2 over them. `house_way` is the content hash of the ruleset's.
///
/// # Errors
///
/// If the answer or a decision is not of the form that a record states.
pub(super) fn lock_decisions(
    key: &SecretKey,
    deal: &pb::DealResponse,
    decisions: &[pb::Decision],
    house_way: &str,
) -> Result<(Vec<pb::Record>, pb::Record), CommandError> {
    let prev = hash_of(deal.records.last())?;
    let house_way: Hash = house_way.parse().map_err(odd)?;
    let action = |decided: &pb::Decision| {
        let (seat, decision) = (seat(decided.seat)?, decision(decided)?);
        let payload = Action { decision, prev, seat }.to_json(&house_way);
        Ok(RecordEnvelope::unsigned(RecordKind::Action, &payload))
    };
    let actions = decisions.iter().map(action).collect::<Result<Vec<_>, CommandError>>()?;
    let lock = CloseLock::Final {
        absent: Vec::new(),
        actions: actions.iter().map(RecordEnvelope::hash).collect(),
        prev,
        round_id: deal.round_id.parse().map_err(odd)?,
        supersedes: Vec::new(),
    };
    let lock = RecordEnvelope::seal(RecordKind::Lock, &lock, &[key]);
    Ok((actions.iter().map(record).collect(), record(&lock)))
}

fn odd(what: impl std::fmt::Display) -> CommandError {
    CommandError::Data(format!("cannot make a lock for this round: {what}"))
}

fn record(envelope: &RecordEnvelope) -> pb::Record {
    pb::Record { envelope: envelope.to_line_bytes() }
}

fn hash_of(record: Option<&pb::Record>) -> Result<Hash, CommandError> {
    let record = record.ok_or_else(|| odd("a record is missing"))?;
    RecordEnvelope::parse(&record.envelope).map(|envelope| envelope.hash()).map_err(odd)
}

fn seat(number: i32) -> Result<Seat, CommandError> {
    let seat = u8::try_from(number).ok().and_then(Seat::new);
    seat.ok_or_else(|| odd(format_args!("there is no seat {number}")))
}

fn wager(wager: &pb::Wager) -> Result<Wager, CommandError> {
    Ok(Wager {
        seat: seat(wager.seat)?,
        bet: wager.bet.clone().into(),
        amount_minor: wager.amount_minor,
        choice: match wager.choice() {
            pb::Choice::Red => Some(ColourChoice::Red),
            pb::Choice::Black => Some(ColourChoice::Black),
            pb::Choice::Unspecified => None,
        },
    })
}

fn facts(sheet: &pb::WagerSheet) -> Result<TableFacts, CommandError> {
    Ok(TableFacts {
        chip_minor: sheet.chip_minor,
        table_min_minor: sheet.table_min_minor,
        table_max_minor: sheet.table_max_minor,
        bank_minor: sheet.bank_minor,
        banker_seat: sheet.banker_seat.map(seat).transpose()?,
        action_pile: sheet.action_pile.map(u8::try_from).transpose().map_err(odd)?,
    })
}

fn decision(decided: &pb::Decision) -> Result<Decision, CommandError> {
    let setting = match &decided.setting {
        Some(pb::decision::Setting::Low(low)) => {
            let cards = low.cards.iter().map(|code| code.parse::<Card>());
            SettingChoice::Low(cards.collect::<Result<_, _>>().map_err(odd)?)
        }
        Some(pb::decision::Setting::HouseWay(_)) => SettingChoice::HouseWay,
        None => return Err(odd("a decision without a setting")),
    };
    Ok(Decision { setting, double_down: decided.double_down })
}
