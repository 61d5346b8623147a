//! From a ruleset file to a [`Ruleset`]: each key is read once, each fault is kept.
//!
//! A TOML file with these keys. Amounts are in minor units of `currency`; without one, those that
//! are the most of something are in minor units of whatever currency a sheet names.
//!
//! | key | meaning |
//! |---|---|
//! | `schema` | 1 |
//! | `id` | the name in requests and records: lower-case letters, digits, hyphens |
//! | `family` | the game that this is a configuration of, for people: written as an `id` |
//! | `title`, `source` | for people: the name, and the document that the rules come from |
//! | `notes` | sentences for people, on jurisdictions and the like; may be left out |
//! | `cards` | 53: the only deck of this schema |
//! | `joker` | `"semi-wild"`, or `"wild"` with hands of seven; the house way has the same |
//! | `hand` | cards dealt to a position: 7 (five high, two low) or 6 (five and one) |
//! | `seats` | players' seats: 1 to 6, with hands of six to 7 |
//! | `wheel` | where A-2-3-4-5 ranks among straights: `second` or `lowest` |
//! | `house_way` | `id` and `hash` of the house way that sets the dealer's hand |
//! | `coverage` | who pays: `house`, or `player-dealer` with a limited bank |
//! | `expose` | `dealer`: the deal shows the dealer's hand as set; left out if it shows nothing of it |
//! | `allow_player_advantage` | whether a bet may return more than 100 % |
//! | `max_payout_minor` | the most that one wager may win; may be left out |
//! | `max_seat_payout_minor`, `max_round_payout_minor` | the most that the wagers of one seat, and of a round, may win together; may be left out |
//! | `rounding` | of odds that are not whole: `down`, `half-up`, `up`; else left out |
//! | `currency` | `code` and `exponent` of every amount; left out where no amount but a maximum is named, and then any currency is taken |
//! | `dealing` | `procedure` (`packets`, `streets`, `zigzag`), `streets` (cards in each, only there), `direction` (`clockwise`, `counter-clockwise`), `dice` (`three`, `none`), `dead_hands` (`all-positions`, `active-only`) |
//! | `facts` | `required` and `optional` table facts of a sheet |
//! | `base` | `pays`, limits, `commission`, `push_on_dealer` with `push_beats_foul` |
//! | `double_down` | `dealer_qualifies`: the pair, as `"55"`; may be left out |
//! | `banking` | `banker_sets` (`house-way`), `bank_per_base`, `commission`; may be left out |
//! | `fees` | `player` and `player_dealer`: bands of `up_to_minor` and `fee_minor`; only with a player-dealer |
//! | `bets` | the bonus bets, in the order of settlement |
//!
//! Limits are `minimum_minor` and `maximum_minor`; either may be left out. A commission
//! has `rate` (as `"1/20"`), `rounding` and `increment` (`minor-unit`, `quarter-chip`).
//!
//! A bet has these keys:
//!
//! | key | meaning |
//! |---|---|
//! | `id` | its name in requests and records: lower-case letters, digits and underscores, at most 32; not `base` or `double_down`, which every ruleset has |
//! | `title` | its name on the layout |
//! | `titles` | the same in other languages, by language tag, as `{ es = "Bono" }`; may be left out |
//! | `looks_at` | the cards that decide it: `seat-hand` and `dealer-hand`, all cards dealt, however they are set; `first-three`, the first three cards of the seat; `seat-set-hands`, the hands of the seat as they are set; `house-way-hands`, the hands of seat and dealer, both set by the house way |
//! | `needs_base` | whether a seat may place it only beside a base wager |
//! | `minimum_minor`, `maximum_minor` | its limits |
//! | `others` | what the hands of other seats win: `bet` (the id of their lines), `title`, `titles` and `threshold_minor`, the least stake that wins it; may be left out |
//! | `meter` | the meter of a progressive bet: `seed_minor`, what it holds after its whole was paid, and `contribution`, what part of each stake the casino adds to it, as `"1/10"`; may be left out |
//! | `rows` | in paying order: `id`, `title`, `titles`, `condition`, `pays` (odds as `"8/1"`, `"push"`, or a share of the meter as `"meter:1/10"`), `others_minor`, what such a hand of another seat wins, and `notify_floor`, whether a floor person is told before it is paid; left out if not |
//!
//! A `condition`, and `push_on_dealer`, is a term, a list of terms that all hold, or a list of such
//! lists of which one holds. `docs/write-rules/bets.md` has the terms.

mod bets;
mod condition;
mod consistency;
mod terms;

use super::Ruleset;
use super::reader::{RulesetFaults, RulesetSection};
use crate::cards::DECK_LEN;
use crate::game::money::{Currency, Rounding};
use crate::hands::{JokerUse, Ranking, Wheel};
use crate::house_way::{RulesFault, habit_of_an_editor};

/// The schema that this engine reads.
const SCHEMA: i64 = 1;

/// The facts about the whole file that the readers of its parts need.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Whether there is a currency, so that amounts mean something.
    has_currency: bool,
    /// Cards dealt to a position, where they could be read.
    hand: Option<usize>,
    /// Which cards the joker may stand for, where it could be read.
    joker: Option<JokerUse>,
    /// The rounding of a fraction of a minor unit, if the file states it.
    rounding: Option<Rounding>,
}

/// Reads a ruleset file.
pub(super) fn ruleset(file: &str) -> Result<Ruleset, Vec<RulesFault>> {
    let mut faults = RulesetFaults::default();
    if let Some(fault) = habit_of_an_editor(file) {
        return Err(vec![fault]);
    }
    let entries = match file.parse::<toml::Table>() {
        Ok(entries) => entries,
        Err(error) => {
            let before = error.span().map_or(0, |span| span.start);
            let line = 1 + file.bytes().take(before).filter(|byte| *byte == b'\n').count();
            faults.add(format!("line {line}"), error.message());
            return Err(faults.into_vec());
        }
    };
    let mut section = RulesetSection::whole_file(entries);
    let ruleset = whole(&mut section, file, &mut faults);
    section.finish(&mut faults);
    if let Some(ruleset) = &ruleset {
        consistency::check(ruleset, &mut faults);
    }
    match ruleset {
        Some(ruleset) if faults.len() == 0 => Ok(ruleset),
        // A part that could not be read has left a fault.
        Some(_) | None => Err(faults.into_vec()),
    }
}

/// Reads every key before it gives up on any, so that all faults come at once.
fn whole(section: &mut RulesetSection, file: &str, faults: &mut RulesetFaults) -> Option<Ruleset> {
    let deck = i64::try_from(DECK_LEN).expect("a deck of 53 cards fits 64 bits");
    section.number("schema", SCHEMA..=SCHEMA, faults);
    let [id, family] = ["id", "family"].map(|key| id(section, key, faults));
    let title = section.text("title", faults);
    let source = section.text("source", faults);
    let notes = section.optional_texts("notes", faults);
    section.number("cards", deck..=deck, faults);
    let hand = section.number("hand", 6..=7, faults).and_then(|hand| usize::try_from(hand).ok());
    let most_seats = if hand == Some(6) { 7 } else { 6 };
    let seats = section.number("seats", 1..=most_seats, faults);
    let wheels = [("second", Wheel::Second), ("lowest", Wheel::Lowest)];
    let wheel = section.word("wheel", &wheels, faults);
    let jokers = [("semi-wild", JokerUse::SemiWild), ("wild", JokerUse::Wild)];
    let joker = section.word("joker", &jokers, faults);
    let house_way = terms::house_way(section, faults);
    let coverage = terms::coverage(section, faults);
    let exposes_dealer = terms::exposes_dealer(section, faults);
    let allow_player_advantage = section.flag("allow_player_advantage", faults);
    let rounding = if section.has("rounding") { terms::rounding(section, faults) } else { None };
    let has_currency = section.has("currency");
    let currency = if has_currency { currency(section, faults) } else { None };
    let frame = Frame { has_currency, hand, joker, rounding };
    let payout_limits = terms::payout_limits(section, faults);
    let dealing = terms::dealing(section, faults);
    let facts = terms::facts(section, faults);
    let base = terms::base(section, frame, faults);
    let before = faults.len();
    let double_down = terms::double_down(section, faults);
    let banking = terms::banking(section, faults);
    let fees = terms::fees(section, frame, faults);
    let are_read = faults.len() == before;
    let bonus_bets = bets::bonus_bets(section, frame, faults);
    // If an optional part is present but could not be read, there is no complete ruleset to check.
    if !are_read {
        return None;
    }

    let (required_facts, optional_facts) = facts?;
    Some(Ruleset {
        file: file.to_owned(),
        id: id?,
        family: family?,
        title: title?,
        source: source?,
        notes: notes?,
        hand: hand?,
        seats: u8::try_from(seats?).expect("at most seven seats were read"),
        ranking: Ranking { wheel: wheel?, joker: joker? },
        house_way: house_way?,
        coverage: coverage?,
        exposes_dealer: exposes_dealer?,
        allow_player_advantage: allow_player_advantage?,
        currency,
        dealing: dealing?,
        required_facts,
        optional_facts,
        payout_limits,
        base: base?,
        double_down,
        banking,
        fees,
        bonus_bets: bonus_bets?,
    })
}

/// Reads an id: 1 to 64 lower-case letters and digits with hyphens between.
fn id(section: &mut RulesetSection, key: &str, faults: &mut RulesetFaults) -> Option<String> {
    let text = section.text(key, faults)?;
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if text.len() <= 64 && text.split('-').all(part) {
        return Some(text);
    }
    let message = "must be at most 64 lower-case letters and digits, parts joined by '-'";
    faults.add(section.path(key), message);
    None
}

fn currency(section: &mut RulesetSection, faults: &mut RulesetFaults) -> Option<Currency> {
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
