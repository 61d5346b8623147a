//! Reads the terms of a ruleset file, each on its own.

use super::super::reader::{RulesetFaults, RulesetSection};
use super::super::{
    Banking, BaseTerms, Commission, Coverage, DeadHands, DealDirection, DealProcedure, DealTerms,
    DoubleDown, Fees, HouseWayName, Increment, PayoutLimits, PushEvent,
};
use super::condition::ConditionOf;
use super::{Frame, condition, id};
use crate::cards::Rank;
use crate::game::bets::StakeLimits;
use crate::game::fees::{FeeBand, FeeSchedule};
use crate::game::money::{MAX_ODDS, MAX_STAKE, Odds, Rounding};
use crate::game::sheet::TableFact;

pub(super) fn house_way(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> Option<HouseWayName> {
    let mut section = section.section("house_way", faults)?;
    let id = id(&mut section, "id", faults);
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

pub(super) fn coverage(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> Option<Coverage> {
    let words = [("house", Coverage::House), ("player-dealer", Coverage::PlayerDealer)];
    section.word("coverage", &words, faults)
}

/// Reads the part of the dealer's hand that the deal shows; [`None`] if the key is absent.
pub(super) fn exposes_dealer(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> Option<bool> {
    if !section.has("expose") {
        return Some(false);
    }
    section.word("expose", &[("dealer", true)], faults)
}

pub(super) fn rounding(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> Option<Rounding> {
    let words = Rounding::ALL.map(|rounding| (rounding.name(), rounding));
    section.word("rounding", &words, faults)
}

pub(super) fn dealing(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> Option<DealTerms> {
    let mut section = section.section("dealing", faults)?;
    let procedures = [("packets", "packets"), ("streets", "streets"), ("zigzag", "zigzag")];
    let procedure = section.word("procedure", &procedures, faults);
    let streets = if procedure == Some("streets") {
        section.numbers("streets", 1..=6, faults).map(Some)
    } else {
        Some(None)
    };
    let directions = [
        ("clockwise", DealDirection::Clockwise),
        ("counter-clockwise", DealDirection::CounterClockwise),
    ];
    let direction = section.word("direction", &directions, faults);
    let dice = section.word("dice", &[("three", true), ("none", false)], faults);
    let positions =
        [("all-positions", DeadHands::AllPositions), ("active-only", DeadHands::ActiveOnly)];
    let dead_hands = section.word("dead_hands", &positions, faults);
    section.finish(faults);
    let procedure = match (procedure?, streets?) {
        (_, Some(streets)) => DealProcedure::Streets(
            streets.into_iter().filter_map(|street| u8::try_from(street).ok()).collect(),
        ),
        ("zigzag", None) => DealProcedure::Zigzag,
        (_, None) => DealProcedure::Packets,
    };
    Some(DealTerms { procedure, direction: direction?, dice: dice?, dead_hands: dead_hands? })
}

/// Reads the facts that a sheet must and may state.
pub(super) fn facts(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> Option<(Vec<TableFact>, Vec<TableFact>)> {
    let mut section = section.section("facts", faults)?;
    let words = TableFact::ALL.map(|fact| (fact.name(), fact));
    let required = section.words("required", &words, faults);
    let optional = section.words("optional", &words, faults);
    section.finish(faults);
    Some((required?, optional?))
}

pub(super) fn base(
    section: &mut RulesetSection,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<BaseTerms> {
    let mut section = section.section("base", faults)?;
    let pays = odds(&mut section, "pays", frame, faults);
    let limits = limits(&mut section, frame, faults);
    let has_commission = section.has("commission");
    let commission = if has_commission { commission(&mut section, faults) } else { None };
    let has_push = section.has("push_on_dealer");
    let push = if has_push { push(&mut section, frame, faults) } else { None };
    section.finish(faults);
    if has_commission != commission.is_some() || has_push != push.is_some() {
        return None;
    }
    let rounding = frame.rounding.unwrap_or(Rounding::Down);
    Some(BaseTerms { pays: pays?, limits: limits?, rounding, commission, push })
}

fn commission(section: &mut RulesetSection, faults: &mut RulesetFaults) -> Option<Commission> {
    let mut section = section.section("commission", faults)?;
    let path = section.path("rate");
    let text = section.text("rate", faults);
    let rate = text.as_deref().and_then(Odds::parse).filter(|rate| Odds::EVEN.pays_at_least(*rate));
    if let (Some(text), None) = (&text, rate) {
        let message = format!(
            "must be a fraction of at most 1 in lowest terms, as \"1/20\" for 5 %, not {text:?}"
        );
        faults.add(path, message);
    }
    let rounding = rounding(&mut section, faults);
    let increments = Increment::ALL.map(|increment| (increment.name(), increment));
    let increment = section.word("increment", &increments, faults);
    section.finish(faults);
    Some(Commission { rate: rate?, rounding: rounding?, increment: increment? })
}

fn push(
    section: &mut RulesetSection,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<PushEvent> {
    let condition = condition::read(section, "push_on_dealer", ConditionOf::Push, frame, faults);
    let beats_foul = section.flag("push_beats_foul", faults);
    Some(PushEvent { condition: condition?, beats_foul: beats_foul? })
}

pub(super) fn double_down(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> Option<DoubleDown> {
    if !section.has("double_down") {
        return None;
    }
    let mut section = section.section("double_down", faults)?;
    let path = section.path("dealer_qualifies");
    let text = section.text("dealer_qualifies", faults);
    section.finish(faults);
    let text = text?;
    let mut letters = text.chars();
    let qualifying_pair = match (letters.next(), letters.next(), letters.next()) {
        (Some(a), Some(b), None) if a == b => Rank::from_letter(a),
        _ => None,
    };
    if qualifying_pair.is_none() {
        faults.add(path, format!("must be a pair as \"55\" or \"TT\", not {text:?}"));
    }
    qualifying_pair.map(|qualifying_pair| DoubleDown { qualifying_pair })
}

pub(super) fn banking(section: &mut RulesetSection, faults: &mut RulesetFaults) -> Option<Banking> {
    if !section.has("banking") {
        return None;
    }
    let mut section = section.section("banking", faults)?;
    section.word("banker_sets", &[("house-way", ())], faults);
    let bank_per_base = section.number("bank_per_base", 1..=100, faults);
    let commission = commission(&mut section, faults);
    section.finish(faults);
    Some(Banking { commission: commission?, bank_per_base: bank_per_base? })
}

/// Reads odds, which must be whole unless the file names a rounding.
pub(super) fn odds(
    section: &mut RulesetSection,
    key: &str,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<Odds> {
    let text = section.text(key, faults)?;
    let Some(odds) = Odds::parse(&text) else {
        let message = format!(
            "must be odds as \"8/1\", in lowest terms and at most {MAX_ODDS}/1, not {text:?}"
        );
        faults.add(section.path(key), message);
        return None;
    };
    if !odds.is_whole() && frame.rounding.is_none() {
        faults.add(section.path(key), "is not whole, and the ruleset names no rounding");
    }
    Some(odds)
}

/// Reads the limits of a bet. The default minimum is one minor unit, the default maximum the
/// largest stake of all.
pub(super) fn limits(
    section: &mut RulesetSection,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<StakeLimits> {
    let before = faults.len();
    let minimum = optional_amount(section, "minimum_minor", 1, frame, faults).unwrap_or(1);
    let maximum =
        section.optional_number("maximum_minor", minimum..=MAX_STAKE, faults).unwrap_or(MAX_STAKE);
    (faults.len() == before).then_some(StakeLimits { minimum, maximum })
}

/// Reads the most that wagers may win.
pub(super) fn payout_limits(
    section: &mut RulesetSection,
    faults: &mut RulesetFaults,
) -> PayoutLimits {
    let mut most = |key| section.optional_number(key, 1..=MAX_STAKE, faults);
    PayoutLimits {
        wager: most("max_payout_minor"),
        seat: most("max_seat_payout_minor"),
        round: most("max_round_payout_minor"),
    }
}

/// Reads an amount of at least `least`, if present. It has a meaning only in a currency.
pub(super) fn optional_amount(
    section: &mut RulesetSection,
    key: &str,
    least: i64,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<i64> {
    let amount = section.optional_number(key, least..=MAX_STAKE, faults)?;
    if frame.has_currency {
        return Some(amount);
    }
    faults.add(section.path(key), "is an amount, and the ruleset names no currency");
    None
}

pub(super) fn fees(
    section: &mut RulesetSection,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<Fees> {
    if !section.has("fees") {
        return None;
    }
    let path = section.path("fees");
    let mut section = section.section("fees", faults)?;
    if !frame.has_currency {
        faults.add(path, "are amounts, and the ruleset names no currency");
    }
    let player = schedule(&mut section, "player", faults);
    let player_dealer = schedule(&mut section, "player_dealer", faults);
    section.finish(faults);
    Some(Fees { player: player?, player_dealer: player_dealer? })
}

fn schedule(
    section: &mut RulesetSection,
    key: &str,
    faults: &mut RulesetFaults,
) -> Option<FeeSchedule> {
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
    // The schedule would report a band that could not be read a second time.
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
