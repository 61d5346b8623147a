//! From a ruleset file to a [`Ruleset`]: each key is read once, each fault is kept.

use std::collections::BTreeSet;

use super::reader::{Faults, Section};
use super::{Base, Coverage, HouseWayName, Procedure, Ruleset};
use crate::cards::DECK_LEN;
use crate::game::bets::{BetId, BonusBet, Condition, Limits, LooksAt, OneColour, Pays, Row};
use crate::game::fees::{FeeBand, FeeSchedule};
use crate::game::money::{Currency, MAX_ODDS, MAX_STAKE, Odds, Rounding};
use crate::game::sheet::Fact;
use crate::hands::Wheel;
use crate::house_way::Fault;

/// The schema that this engine reads.
const SCHEMA: i64 = 1;

/// Reads a ruleset file.
pub(super) fn ruleset(file: &str) -> Result<Ruleset, Vec<Fault>> {
    let mut faults = Faults::default();
    let entries = match file.parse::<toml::Table>() {
        Ok(entries) => entries,
        Err(error) => {
            let before = error.span().map_or(0, |span| span.start);
            let line = 1 + file.bytes().take(before).filter(|byte| *byte == b'\n').count();
            faults.add(format!("line {line}"), error.message());
            return Err(faults.into_vec());
        }
    };
    let mut section = Section::whole_file(entries);
    let ruleset = whole(&mut section, file, &mut faults);
    section.finish(&mut faults);
    match ruleset {
        Some(ruleset) if faults.len() == 0 => Ok(ruleset),
        // Whatever reads as nothing has left a fault.
        Some(_) | None => Err(faults.into_vec()),
    }
}

/// Reads every key before it gives up on any, so that all faults come at once.
fn whole(section: &mut Section, file: &str, faults: &mut Faults) -> Option<Ruleset> {
    let deck = i64::try_from(DECK_LEN).expect("a deck of 53 cards fits 64 bits");
    section.number("schema", SCHEMA..=SCHEMA, faults);
    let id = id(section, "id", '-', faults);
    section.word("family", &[("mikes", ())], faults);
    let title = section.text("title", faults);
    let source = section.text("source", faults);
    section.number("cards", deck..=deck, faults);
    let seats = section.number("seats", 1..=6, faults);
    section.word("joker", &[("semi-wild", ())], faults);
    let wheels = [("second", Wheel::Second), ("lowest", Wheel::Lowest)];
    let wheel = section.word("wheel", &wheels, faults);
    let house_way = house_way(section, faults);
    let coverage = section.word("coverage", &[("player-dealer", Coverage::PlayerDealer)], faults);
    let allow_player_advantage = section.flag("allow_player_advantage", faults);
    let max_payout = section.optional_number("max_payout_minor", 1..=i64::MAX, faults);
    let rounding = rounding(section, faults);
    let currency = currency(section, faults);
    let procedure = procedure(section, faults);
    let facts = facts(section, faults);
    let base = base(section, rounding, faults);
    let fees = fees(section, faults);
    let bonus_bets = bonus_bets(section, rounding, faults);

    let (required_facts, optional_facts) = facts?;
    let (player_fees, player_dealer_fees) = fees?;
    Some(Ruleset {
        file: file.to_owned(),
        id: id?,
        title: title?,
        source: source?,
        seats: u8::try_from(seats?).expect("at most six seats were read"),
        wheel: wheel?,
        house_way: house_way?,
        coverage: coverage?,
        allow_player_advantage: allow_player_advantage?,
        currency: currency?,
        procedure: procedure?,
        required_facts,
        optional_facts,
        max_payout,
        base: base?,
        player_fees,
        player_dealer_fees,
        bonus_bets: bonus_bets?,
    })
}

/// Reads an id: 1 to 64 lower-case letters and digits with `joint` between.
fn id(section: &mut Section, key: &str, joint: char, faults: &mut Faults) -> Option<String> {
    let text = section.text(key, faults)?;
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if text.len() <= 64 && text.split(joint).all(part) {
        return Some(text);
    }
    let message =
        format!("must be at most 64 lower-case letters and digits, parts joined by {joint:?}");
    faults.add(section.path(key), message);
    None
}

fn house_way(section: &mut Section, faults: &mut Faults) -> Option<HouseWayName> {
    let mut section = section.section("house_way", faults)?;
    let id = id(&mut section, "id", '-', faults);
    let hash = section.text("hash", faults).filter(|hash| {
        let lower_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        let sound = hash.len() == 64 && hash.bytes().all(lower_hex);
        if !sound {
            faults.add(section.path("hash"), "must be 64 lower-case hexadecimal digits");
        }
        sound
    });
    section.finish(faults);
    Some(HouseWayName { id: id?, hash: hash? })
}

/// Reads how a fraction of a minor unit is rounded; only odds that are not whole
/// need it.
fn rounding(section: &mut Section, faults: &mut Faults) -> Option<Rounding> {
    let words = [("down", Rounding::Down), ("half-up", Rounding::HalfUp), ("up", Rounding::Up)];
    if section.has("rounding") { section.word("rounding", &words, faults) } else { None }
}

fn currency(section: &mut Section, faults: &mut Faults) -> Option<Currency> {
    let mut section = section.section("currency", faults)?;
    let code = section.text("code", faults);
    let exponent = section.number("exponent", 0..=4, faults);
    let path = section.path("code");
    section.finish(faults);
    let exponent = u8::try_from(exponent?).expect("an exponent of at most 4 was read");
    match Currency::new(&code?, exponent) {
        Ok(currency) => Some(currency),
        Err(error) => {
            faults.add(path, error.to_string());
            None
        }
    }
}

fn procedure(section: &mut Section, faults: &mut Faults) -> Option<Procedure> {
    let mut section = section.section("dealing", faults)?;
    let procedure = section.word("procedure", &[("zigzag", Procedure::Zigzag)], faults);
    section.word("dice", &[("three", ())], faults);
    section.finish(faults);
    procedure
}

/// Reads which facts a sheet must and may tell.
fn facts(section: &mut Section, faults: &mut Faults) -> Option<(Vec<Fact>, Vec<Fact>)> {
    let mut section = section.section("facts", faults)?;
    let words = Fact::ALL.map(|fact| (fact.name(), fact));
    let required = section.words("required", &words, faults);
    let optional = section.words("optional", &words, faults);
    // Zigzag deals from the action pile, and a player-dealer has a bank.
    for needed in [Fact::ActionPile, Fact::BankMinor] {
        if required.as_ref().is_some_and(|required| !required.contains(&needed)) {
            let message = format!("must contain {}, which the rules use", needed.name());
            faults.add(section.path("required"), message);
        }
    }
    // What no rule uses would be recorded as if it had been applied.
    for unused in [Fact::BankerSeat, Fact::ChipMinor] {
        for (key, read) in [("required", &required), ("optional", &optional)] {
            if read.as_ref().is_some_and(|read| read.contains(&unused)) {
                let message = format!("contains {}, which no rule uses", unused.name());
                faults.add(section.path(key), message);
            }
        }
    }
    if let (Some(required), Some(optional)) = (&required, &optional) {
        for fact in required.iter().filter(|fact| optional.contains(fact)) {
            let message = format!("contains {}, which is required", fact.name());
            faults.add(section.path("optional"), message);
        }
    }
    section.finish(faults);
    Some((required?, optional?))
}

fn base(section: &mut Section, rounding: Option<Rounding>, faults: &mut Faults) -> Option<Base> {
    let mut section = section.section("base", faults)?;
    let pays = odds(&mut section, "pays", rounding, faults);
    let limits = limits(&mut section, faults);
    section.finish(faults);
    Some(Base { pays: pays?, limits: limits?, rounding: rounding.unwrap_or(Rounding::Down) })
}

fn odds(
    section: &mut Section,
    key: &str,
    rounding: Option<Rounding>,
    faults: &mut Faults,
) -> Option<Odds> {
    let text = section.text(key, faults)?;
    let Some(odds) = Odds::parse(&text) else {
        let message = format!(
            "must be odds as \"8/1\", in lowest terms and at most {MAX_ODDS}/1, not {text:?}"
        );
        faults.add(section.path(key), message);
        return None;
    };
    if !odds.is_whole() && rounding.is_none() {
        faults.add(section.path(key), "is not whole, and the ruleset names no rounding");
    }
    Some(odds)
}

/// Reads the limits of a bet; without a maximum the largest stake of all.
fn limits(section: &mut Section, faults: &mut Faults) -> Option<Limits> {
    let minimum = section.number("minimum_minor", 1..=MAX_STAKE, faults)?;
    let has_maximum = section.has("maximum_minor");
    let maximum = section.optional_number("maximum_minor", minimum..=MAX_STAKE, faults);
    if has_maximum {
        Some(Limits { minimum, maximum: maximum? })
    } else {
        Some(Limits { minimum, maximum: MAX_STAKE })
    }
}

fn fees(section: &mut Section, faults: &mut Faults) -> Option<(FeeSchedule, FeeSchedule)> {
    let mut section = section.section("fees", faults)?;
    let player = schedule(&mut section, "player", faults);
    let player_dealer = schedule(&mut section, "player_dealer", faults);
    section.finish(faults);
    Some((player?, player_dealer?))
}

fn schedule(section: &mut Section, key: &str, faults: &mut Faults) -> Option<FeeSchedule> {
    let path = section.path(key);
    let bands = section.sections(key, faults)?;
    let before = faults.len();
    let read: Vec<Option<FeeBand>> = bands
        .into_iter()
        .map(|mut band| {
            let up_to = band.optional_number("up_to_minor", 1..=i64::MAX, faults);
            let fee = band.number("fee_minor", 0..=MAX_STAKE, faults);
            band.finish(faults);
            Some(FeeBand { up_to, fee: fee? })
        })
        .collect();
    // A band that could not be read would be blamed a second time by the schedule.
    if faults.len() > before {
        return None;
    }
    match FeeSchedule::new(read.into_iter().collect::<Option<_>>()?) {
        Ok(schedule) => Some(schedule),
        Err(error) => {
            faults.add(path, error.to_string());
            None
        }
    }
}

fn bonus_bets(
    section: &mut Section,
    rounding: Option<Rounding>,
    faults: &mut Faults,
) -> Option<Vec<BonusBet>> {
    let bets = section.sections("bets", faults)?;
    let mut read = BTreeSet::new();
    let mut bonus_bets = Some(Vec::new());
    for mut bet in bets {
        let names = [BetId::WranglerPush, BetId::Outlaw9].map(|bet| (bet.name(), bet));
        let id = bet.word("id", &names, faults);
        if id.is_some_and(|id| !read.insert(id)) {
            faults.add(bet.path("id"), "is another bet's already");
        }
        let bonus = bonus_bet(&mut bet, id, rounding, faults);
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
    section: &mut Section,
    id: Option<BetId>,
    rounding: Option<Rounding>,
    faults: &mut Faults,
) -> Option<BonusBet> {
    let title = section.text("title", faults);
    let needs_base = section.flag("needs_base", faults);
    let limits = limits(section, faults);
    let id = id?;
    let conditions = conditions(section, id, faults);
    let rows = rows(section, &conditions, rounding, faults);
    Some(BonusBet {
        id,
        title: title?,
        limits: limits?,
        needs_base: needs_base?,
        rows: rows?,
        rounding: rounding.unwrap_or(Rounding::Down),
        to_others: None,
    })
}

/// Returns the conditions that rows of the bet may name; reads what else they hang
/// on.
fn conditions(section: &mut Section, bet: BetId, faults: &mut Faults) -> Vec<Condition> {
    let readings = [("any", OneColour::Any), ("no_pair", OneColour::NoPair)];
    let Some(looks_at) = bet.looks_at() else { return Vec::new() };
    let reading = match looks_at {
        LooksAt::SeatHand => {
            // Nobody sees the row of a ruleset whose reading is a fault.
            Some(section.word("one_colour", &readings, faults).unwrap_or(OneColour::NoPair))
        }
        LooksAt::DealerHand | LooksAt::FirstThree | LooksAt::Colour | LooksAt::Showdown => None,
    };
    Condition::all_for(looks_at, 7, reading)
}

/// Reads a pay table. Its rows are in paying order, so that the first that holds is
/// the one that pays most.
fn rows(
    section: &mut Section,
    conditions: &[Condition],
    rounding: Option<Rounding>,
    faults: &mut Faults,
) -> Option<Vec<Row>> {
    let path = section.path("rows");
    let sections = section.sections("rows", faults)?;
    if sections.is_empty() {
        faults.add(path, "must have a row");
        return None;
    }
    let words: Vec<(&str, Condition)> =
        conditions.iter().map(|&condition| (condition.name(), condition)).collect();
    let (mut ids, mut used) = (BTreeSet::new(), BTreeSet::new());
    let mut above: Option<Odds> = None;
    let mut read = Vec::new();
    for mut row in sections {
        let id = id(&mut row, "id", '-', faults);
        let title = row.text("title", faults);
        let pays = odds(&mut row, "pays", rounding, faults);
        let condition = row.word("condition", &words, faults);
        if id.as_ref().is_some_and(|id| !ids.insert(id.clone())) {
            faults.add(row.path("id"), "is another row's already");
        }
        if condition.is_some_and(|condition| !used.insert(condition.name())) {
            faults.add(row.path("condition"), "is another row's already");
        }
        if let (Some(pays), Some(above)) = (pays, above)
            && !above.pays_at_least(pays)
        {
            faults.add(row.path("pays"), format!("pays more than the row above, {above}"));
        }
        above = pays.or(above);
        row.finish(faults);
        read.push((|| {
            Some(Row {
                id: id?,
                title: title?,
                pays: Pays::Odds(pays?),
                condition: condition?,
                to_others: None,
            })
        })());
    }
    read.into_iter().collect()
}
