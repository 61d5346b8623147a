//! The layout of a simulation: every bet of the ruleset at every seat.

use crate::CommandError;
use paigow_round::ListedGame;
use paigow_rules::cards::{BySeat, Seat};
use paigow_rules::game::{
    BetId, BonusBet, ColourChoice, Coverage, Currency, Decision, MAX_BANK, Ruleset, SettingChoice,
    TableFact, TableFacts, Wager, WagerSheet, WagerTable,
};

/// The stakes that are tried for each bet, in minor units. The first that the ruleset takes is
/// used. The largest are whole multiples of all odds and commissions in use, so that nothing is
/// rounded.
const STAKES: [i64; 10] = [10_000, 5_000, 2_500, 1_000, 500, 100, 25, 10, 5, 1];

/// A table whose seats 1 to `seats` all have every bet.
#[derive(Debug)]
pub(super) struct SimulationTable {
    pub(super) table: WagerTable,
    pub(super) decisions: BySeat<Decision>,
    /// Each bet with a stake, in the ruleset's order.
    pub(super) stakes: Vec<(BetId, i64)>,
}

/// Lays out every bet of the ruleset at seats 1 to `seats`. All of them set their hands by the
/// house way, and double down always or never.
pub(super) fn layout(
    game: &ListedGame,
    seats: u8,
    double: bool,
) -> Result<SimulationTable, CommandError> {
    let ruleset = &game.ruleset;
    if !(1..=ruleset.seats()).contains(&seats) {
        let what = format!("--seats {seats}: {} has seats 1 to {}", ruleset.id(), ruleset.seats());
        return Err(CommandError::Usage(what));
    }
    if double && ruleset.double_down().is_none() {
        return Err(CommandError::Usage(format!(
            "--double-down: {} has no double down",
            ruleset.id()
        )));
    }
    let bets = std::iter::once(BetId::BASE).chain(ruleset.bonus_bets().iter().map(|bet| bet.id));
    let mut stakes = vec![];
    for bet in bets {
        let takes = |stake: &i64| {
            let beside = stakes.first().copied().into_iter().chain([(bet, *stake)]);
            ruleset.check(&wagers(ruleset, 1, &beside.collect::<Vec<_>>())).is_ok()
        };
        let stake = STAKES.into_iter().find(takes).ok_or_else(|| {
            CommandError::Data(format!(
                "{} allows none of the stakes {STAKES:?} (minor units) on {}",
                ruleset.id(),
                bet.name()
            ))
        })?;
        stakes.push((bet, stake));
    }
    let table = checked(ruleset, &wagers(ruleset, seats, &stakes))?;
    Ok(SimulationTable { table, decisions: house_way_decisions(seats, double), stakes })
}

/// Checks wagers by the ruleset.
///
/// # Errors
///
/// Every fault that the ruleset finds, a line each.
pub(crate) fn checked(ruleset: &Ruleset, sheet: &WagerSheet) -> Result<WagerTable, CommandError> {
    ruleset.check(sheet).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        CommandError::Data(lines.join("\n"))
    })
}

/// Returns decisions by which seats 1 to `seats` set their hands by the house way, and double down
/// always or never.
pub(crate) fn house_way_decisions(seats: u8, double: bool) -> BySeat<Decision> {
    let decision = Decision { setting: SettingChoice::HouseWay, double_down: double };
    Seat::players(seats).map(|seat| (seat, decision.clone())).collect()
}

/// The wagers of seats 1 to `seats`, which all have the same stakes, at a table with a bank that
/// covers all of them.
pub(crate) fn wagers(ruleset: &Ruleset, seats: u8, stakes: &[(BetId, i64)]) -> WagerSheet {
    let asks = |fact: TableFact| ruleset.required_facts().contains(&fact);
    let facts = TableFacts {
        chip_minor: asks(TableFact::ChipMinor).then_some(1),
        table_min_minor: asks(TableFact::TableMinMinor).then_some(1),
        table_max_minor: asks(TableFact::TableMaxMinor).then_some(i64::from(u32::MAX)),
        // Large enough that every wager is covered.
        bank_minor: (ruleset.coverage() == Coverage::PlayerDealer).then_some(MAX_BANK),
        banker_seat: None,
        meter_minor: ruleset.meter().map(|meter| meter.seed),
        bet_limits: Vec::new(),
        action_pile: asks(TableFact::ActionPile).then_some(0),
    };
    let asks_colour = |bet: BetId| ruleset.bonus_bet(bet).is_some_and(BonusBet::asks_colour);
    let wager = |seat: Seat, (bet, stake): &(BetId, i64)| Wager {
        seat,
        bet: bet.to_string().into(),
        amount_minor: *stake,
        choice: asks_colour(*bet).then_some(ColourChoice::Red),
    };
    let wagers = Seat::players(seats).flat_map(|seat| stakes.iter().map(move |bet| (seat, bet)));
    let wagers = wagers.map(|(seat, bet)| wager(seat, bet));
    let currency = ruleset.currency().cloned();
    let any = || Currency::new("XXX", 2).expect("three letters and two places");
    WagerSheet { currency: currency.unwrap_or_else(any), wagers: wagers.collect(), facts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_round::Catalogue;

    #[test]
    fn every_shipped_ruleset_takes_every_bet_at_every_seat() {
        for game in Catalogue::shipped().games() {
            let seats = game.ruleset.seats();
            let layout = layout(game, seats, false).unwrap();
            assert_eq!(layout.stakes.len(), 1 + game.ruleset.bonus_bets().len());
            assert_eq!(layout.table.seats().count(), usize::from(seats));
            assert_eq!(layout.decisions.len(), usize::from(seats));
        }
    }
}
