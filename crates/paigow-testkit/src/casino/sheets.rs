//! Random sheets and decisions that a ruleset accepts, for any game.

use paigow_rules::cards::{Card, Seat};
use paigow_rules::game::{
    ColourChoice, Coverage, Currency, Decision, Ruleset, SettingChoice, StakeLimits, TableFact,
    TableFacts, Wager, WagerSheet, WagerTable,
};

use super::Choices;

/// A copy of `ruleset` that accepts the largest possible amounts: without largest stakes, and without
/// bounds of wins. The stake of a bet with a meter stays fixed.
pub fn without_limits(ruleset: &Ruleset) -> Ruleset {
    let text = ruleset.text();
    let mut file = String::new();
    for table in text.split_inclusive("\n\n") {
        let has_meter = table.contains("\nmeter = ");
        let is_kept = |line: &&str| has_meter || !line.starts_with("max");
        file.extend(table.split_inclusive('\n').filter(is_kept));
    }
    Ruleset::parse(&file).unwrap()
}

/// A sheet of at least one seat. It may have bonus bets alone where the ruleset allows that. A
/// player-dealer's bank may not cover all wagers; a banker's always does.
pub fn random_sheet_of(ruleset: &Ruleset, choices: &mut impl Choices) -> WagerSheet {
    let asks = |fact: TableFact| ruleset.required_facts().contains(&fact);
    let chip = if asks(TableFact::ChipMinor) { [1, 5, 10, 25, 100][pick(choices, 5)] } else { 1 };
    let mut wagers = Vec::new();
    let only = pick(choices, usize::from(ruleset.seats()));
    for seat in Seat::players(ruleset.seats()) {
        if usize::from(seat.number()) != only + 1 && choices.one_in(2) {
            continue;
        }
        seat_wagers(ruleset, seat, chip, choices, &mut wagers);
    }
    let mut facts = TableFacts::default();
    if asks(TableFact::ChipMinor) {
        facts.chip_minor = Some(chip);
    }
    if asks(TableFact::ActionPile) {
        facts.action_pile = Some(u8::try_from(choices.below(7)).unwrap());
    }
    if let Some(meter) = ruleset.meter() {
        facts.meter_minor = Some(meter.seed + i64::try_from(choices.below(1_000_000)).unwrap());
    }
    if ruleset.coverage() == Coverage::PlayerDealer {
        let most = if choices.one_in(2) { 20_000 } else { 5_000_000 };
        facts.bank_minor = Some(1 + i64::try_from(choices.below(most)).unwrap());
    }
    if ruleset.banking().is_some() && choices.one_in(2) {
        let base: Vec<&Wager> = wagers.iter().filter(|wager| wager.bet == "base").collect();
        if !base.is_empty() {
            let sum: i64 = base.iter().map(|wager| wager.amount_minor).sum();
            facts.banker_seat = Some(base[pick(choices, base.len())].seat);
            facts.bank_minor = Some(2 * sum);
        }
    }
    let own = ruleset.currency().cloned();
    let any = || Currency::new("EUR", u8::try_from(choices.below(5)).unwrap()).unwrap();
    WagerSheet { currency: own.unwrap_or_else(any), wagers, facts }
}

fn seat_wagers(
    ruleset: &Ruleset,
    seat: Seat,
    chip: i64,
    choices: &mut impl Choices,
    wagers: &mut Vec<Wager>,
) {
    let mut amount = |limits: StakeLimits| {
        let more = i64::try_from(choices.below(60_000)).unwrap();
        let stake = (limits.minimum + more + chip - 1) / chip * chip;
        stake.min(limits.maximum / chip * chip)
    };
    let mut place = |bet: &str, amount_minor, choice| {
        wagers.push(Wager { seat, bet: bet.to_owned().into(), amount_minor, choice });
    };
    let base = amount(ruleset.base().limits);
    let stakes: Vec<i64> = ruleset.bonus_bets().iter().map(|bet| amount(bet.limits)).collect();
    let with_base = choices.below(4) > 0 || ruleset.bonus_bets().iter().all(|bet| bet.needs_base);
    let mut placed = with_base;
    if with_base {
        place("base", base, None);
    }
    for (bet, stake) in ruleset.bonus_bets().iter().zip(stakes) {
        let may = with_base || !bet.needs_base;
        // A seat without a base wager has another wager. Otherwise it would not be on the sheet.
        if !may || (placed && choices.one_in(2)) {
            continue;
        }
        let colour = [ColourChoice::Red, ColourChoice::Black][pick(choices, 2)];
        let choice = bet.asks_colour().then_some(colour);
        place(bet.id.name(), stake, choice);
        placed = true;
    }
}

/// A decision for a seat's hand: the house way, or any cards, fouls included. For a player who banks
/// it is the house way.
pub fn random_decision(
    ruleset: &Ruleset,
    table: &WagerTable,
    seat: Seat,
    hand: &[Card],
    choices: &mut impl Choices,
) -> Decision {
    let banks = table.banker() == Some(seat);
    let setting = if choices.one_in(2) || banks {
        SettingChoice::HouseWay
    } else {
        let mut low: Vec<Card> = Vec::new();
        while low.len() < ruleset.low_cards() {
            let card = hand[pick(choices, hand.len())];
            if !low.contains(&card) {
                low.push(card);
            }
        }
        low.sort_unstable();
        SettingChoice::Low(low)
    };
    let double_down = ruleset.double_down().is_some() && choices.one_in(3);
    Decision { setting, double_down }
}

/// Returns a number below `bound`.
pub fn pick(choices: &mut impl Choices, bound: usize) -> usize {
    usize::try_from(choices.below(u64::try_from(bound).unwrap())).unwrap()
}
