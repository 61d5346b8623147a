//! `Deal` and `PrepareDeal`, and the wager sheet.

use super::fields::{At, Fields, Noted, read};
use super::open_round::opening;
use paigow_fairness::encoding::hex_bytes;
use paigow_fairness::seed::is_client_seed;
use paigow_proto::v1 as pb;
use paigow_proto::v1::deal_request;
use paigow_round::{Deal, DealStart, PrepareDeal, Reason, Refusal, Wagers};
use paigow_rules::cards::Seat;
use paigow_rules::game::{
    BetLimit, ColourChoice, Currency, CurrencyError, TableFacts, Wager, WagerSheet,
};

/// More bets than any layout has.
const MAX_BETS: usize = 16;

/// More wagers than any layout holds: seven seats with sixteen bets each.
const MAX_WAGERS: usize = 7 * MAX_BETS;

/// The client seeds of the seats that have one.
type ClientSeeds = Vec<(usize, Vec<u8>)>;

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn deal(request: &pb::DealRequest) -> Result<Deal, Refusal> {
    read(|fields, at| {
        let start = match &request.start {
            Some(deal_request::Start::Open(open)) => {
                opening(fields, at.then("open"), open).map(|open| DealStart::Open(Box::new(open)))
            }
            Some(deal_request::Start::Ticket(ticket)) => {
                fields.record(at.then("ticket"), ticket).map(DealStart::Ticket)
            }
            None => {
                let message = "one of open and ticket is required";
                Err(fields.refuse(Reason::FieldMissing, at.then("start"), message))
            }
        };
        let wagers = match &request.wagers {
            Some(deal_request::Wagers::Sheet(sheet)) => {
                wager_sheet(fields, at.then("sheet"), sheet)
                    .map(|(sheet, client_seeds)| Wagers::Sheet { sheet, client_seeds })
            }
            Some(deal_request::Wagers::Lock(lock)) => {
                fields.record(at.then("lock"), lock).map(Wagers::Lock)
            }
            None => {
                let message = "one of sheet and lock is required";
                Err(fields.refuse(Reason::FieldMissing, at.then("wagers"), message))
            }
        };
        let beacon_signature = match request.beacon_signature.as_str() {
            "" => Ok(None),
            text => hex_bytes(text).map(Some).map_err(|_| {
                let message = "not 48 bytes in lower-case hexadecimal";
                fields.refuse(Reason::FieldInvalid, at.then("beacon_signature"), message)
            }),
        };
        Ok(Deal { start: start?, wagers: wagers?, beacon_signature: beacon_signature? })
    })
}

/// Reads the request.
///
/// # Errors
///
/// Every fault of its fields.
pub fn prepare_deal(request: &pb::PrepareDealRequest) -> Result<PrepareDeal, Refusal> {
    read(|fields, at| {
        let ticket = fields.required_record(at.then("ticket"), request.ticket.as_ref());
        let sheet = match &request.sheet {
            Some(sheet) => wager_sheet(fields, at.then("sheet"), sheet),
            None => Err(fields.missing(at.then("sheet"))),
        };
        let (sheet, client_seeds) = sheet?;
        Ok(PrepareDeal { ticket: ticket?, sheet, client_seeds })
    })
}

/// Reads the wager sheet at `at`, and the client seeds on it.
pub(super) fn wager_sheet(
    fields: &mut Fields,
    at: At<'_>,
    sheet: &pb::WagerSheet,
) -> Result<(WagerSheet, ClientSeeds), Noted> {
    let currency = match &sheet.currency {
        Some(currency) => read_currency(fields, at.then("currency"), currency),
        None => Err(fields.missing(at.then("currency"))),
    };
    let most = (MAX_WAGERS, Reason::Wager);
    let wagers = fields.list(at.then("wagers"), &sheet.wagers, most, wager);
    let facts = table_facts(fields, at, sheet);
    let (currency, wagers, facts) = (currency?, wagers?, facts?);
    let (wagers, seeds): (Vec<_>, Vec<_>) = wagers.into_iter().unzip();
    let seeds = (0..).zip(seeds).filter_map(|(place, seed)| Some((place, seed?))).collect();
    Ok((WagerSheet { currency, wagers, facts }, seeds))
}

fn read_currency(
    fields: &mut Fields,
    at: At<'_>,
    currency: &pb::Currency,
) -> Result<Currency, Noted> {
    // Any exponent outside 8 bits is as wrong as 255.
    let exponent = u8::try_from(currency.exponent).unwrap_or(u8::MAX);
    Currency::new(&currency.code, exponent).map_err(|error| match error {
        CurrencyError::Code if currency.code.is_empty() => fields.missing(at.then("code")),
        CurrencyError::Code => {
            fields.refuse(Reason::FieldInvalid, at.then("code"), error.to_string())
        }
        CurrencyError::Exponent => {
            fields.out_of_range(at.then("exponent"), 0..=i64::from(Currency::MAX_EXPONENT))
        }
    })
}

fn wager(
    fields: &mut Fields,
    at: At<'_>,
    wager: &pb::Wager,
) -> Result<(Wager, Option<Vec<u8>>), Noted> {
    let seat = fields.seat(at.then("seat"), wager.seat);
    let bet = fields.text(at.then("bet"), &wager.bet);
    let choice = fields.optional_enum(at.then("choice"), wager.choice);
    let choice = choice.map(|choice| match choice {
        Some(pb::Choice::Red) => Some(ColourChoice::Red),
        Some(pb::Choice::Black) => Some(ColourChoice::Black),
        Some(pb::Choice::Unspecified) | None => None,
    });
    let seed = client_seed(fields, at.then("client_seed"), &wager.client_seed);
    let wager =
        Wager { seat: seat?, bet: bet?.into(), amount_minor: wager.amount_minor, choice: choice? };
    Ok((wager, seed?))
}

fn client_seed(fields: &mut Fields, at: At<'_>, text: &str) -> Result<Option<Vec<u8>>, Noted> {
    if text.is_empty() {
        return Ok(None);
    }
    let upper = text.bytes().any(|b| b.is_ascii_uppercase());
    let seed = hex::decode(text).ok().filter(|seed| !upper && is_client_seed(seed));
    seed.map(Some).ok_or_else(|| {
        let message = "not 16 to 64 bytes in lower-case hexadecimal";
        fields.refuse(Reason::FieldInvalid, at, message)
    })
}

fn bet_limit(fields: &mut Fields, at: At<'_>, limit: &pb::BetLimit) -> Result<BetLimit, Noted> {
    let bet = fields.text(at.then("bet"), &limit.bet)?;
    Ok(BetLimit { bet: bet.into(), max_minor: limit.max_minor })
}

fn table_facts(
    fields: &mut Fields,
    at: At<'_>,
    sheet: &pb::WagerSheet,
) -> Result<TableFacts, Noted> {
    let banker_seat = sheet.banker_seat.map(|seat| {
        u8::try_from(seat).ok().and_then(Seat::new).filter(|seat| !seat.is_dealer()).ok_or_else(
            || {
                fields.refuse(
                    Reason::TableFact,
                    at.then("banker_seat"),
                    "a seat is at least 1, and at most 7 in any game",
                )
            },
        )
    });
    let most = (MAX_BETS, Reason::TableFact);
    let action_pile = sheet.action_pile.map(|pile| {
        u8::try_from(pile).ok().filter(|pile| *pile <= 6).ok_or_else(|| {
            fields.refuse(Reason::TableFact, at.then("action_pile"), "must be 0 to 6")
        })
    });
    Ok(TableFacts {
        chip_minor: sheet.chip_minor,
        table_min_minor: sheet.table_min_minor,
        table_max_minor: sheet.table_max_minor,
        bank_minor: sheet.bank_minor,
        banker_seat: banker_seat.transpose()?,
        meter_minor: sheet.meter_minor,
        action_pile: action_pile.transpose()?,
        bet_limits: fields.list(at.then("bet_limits"), &sheet.bet_limits, most, bet_limit)?,
    })
}
