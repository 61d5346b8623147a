//! The summary of many rounds.

use std::io::Write;
use std::time::Duration;

use super::show::{money, net};
use super::table::PlayedRound;
use crate::CommandError;
use paigow_proto::v1 as pb;

/// Counts and sums over rounds; amounts in minor units.
#[derive(Debug, Default)]
pub(super) struct PlaySummary {
    /// The currency of the last round. Every round of a table has the same.
    currency: pb::Currency,
    rounds: u64,
    hands: u64,
    won: u64,
    lost: u64,
    pushed: u64,
    own: u64,
    staked: i64,
    seats: i64,
    bank: i64,
    house: i64,
}

impl PlaySummary {
    /// Adds a round.
    ///
    /// # Errors
    ///
    /// If the nets of seats, bank and house do not add up to zero, or if the sums overflow 64 bits.
    pub(super) fn add(&mut self, played: &PlayedRound) -> Result<(), CommandError> {
        let settle = &played.settle;
        let seats: i128 = settle.seats.iter().map(|seat| i128::from(seat.net_minor)).sum();
        let bank = settle.bank.as_ref().map_or(0, |bank| bank.net_minor);
        if seats + i128::from(bank) + i128::from(settle.house_net_minor) != 0 {
            let what = format!("round {}: the net results do not sum to zero", played.round_no);
            return Err(CommandError::Data(what));
        }
        let staked: i128 =
            played.sheet.wagers.iter().map(|wager| i128::from(wager.amount_minor)).sum();
        let too_much = || CommandError::Data("the totals exceed 64 bits".to_owned());
        let grow = |sum: &mut i64, by: i128| {
            *sum = i64::try_from(i128::from(*sum) + by).map_err(|_| too_much())?;
            Ok::<(), CommandError>(())
        };
        grow(&mut self.staked, staked)?;
        grow(&mut self.seats, seats)?;
        grow(&mut self.bank, bank.into())?;
        grow(&mut self.house, settle.house_net_minor.into())?;
        self.rounds += 1;
        self.currency = played.sheet.currency.clone().unwrap_or_default();
        for base in settle.seats.iter().filter_map(|seat| seat.base.as_ref()) {
            self.hands += 1;
            self.own += u64::from(base.setting.as_ref().is_some_and(|setting| !setting.house_way));
            match base.outcome() {
                pb::Outcome::Win => self.won += 1,
                pb::Outcome::Lose => self.lost += 1,
                pb::Outcome::Push => self.pushed += 1,
                pb::Outcome::Unspecified => {}
            }
        }
        Ok(())
    }

    /// Writes the summary.
    pub(super) fn write(
        &self,
        ruleset: &pb::Ruleset,
        table: &str,
        took: Duration,
        out: &mut dyn Write,
    ) -> Result<(), CommandError> {
        let pb::Currency { code, exponent } = &self.currency;
        let exponent = *exponent;
        let share = |count: u64| {
            let tenths = (count * 1000 + self.hands / 2).checked_div(self.hands).unwrap_or(0);
            format!("{count} ({}.{} %)", tenths / 10, tenths % 10)
        };
        let millis = took.as_millis().max(1);
        let a_second = u128::from(self.rounds) * 1000 / millis;
        let rounds = if self.rounds == 1 { "round" } else { "rounds" };
        writeln!(out, "{} {rounds} of {} at table {table}", self.rounds, ruleset.id)?;
        let mut row = |name: &str, value: String| writeln!(out, "  {name:<14} {value}");
        row("hands", format!("{}, {} of them set by the player", self.hands, self.own))?;
        row("won", share(self.won))?;
        row("lost", share(self.lost))?;
        row("pushed", share(self.pushed))?;
        row("staked", format!("{} {}", code, money(self.staked, exponent)))?;
        row("players net", net(self.seats, exponent))?;
        row("bank net", net(self.bank, exponent))?;
        row("house net", format!("{}: with the others it is zero", net(self.house, exponent)))?;
        row("took", format!("{millis} ms, {a_second} rounds a second"))?;
        Ok(())
    }
}
