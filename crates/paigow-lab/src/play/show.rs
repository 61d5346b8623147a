//! A round in text for people.

use std::io::{self, Write};

use super::table::{ClauseSettings, PlayedRound};
use paigow_proto::v1 as pb;

/// Writes an amount of minor units as a decimal number.
pub(crate) fn money(minor: i64, exponent: i32) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let places = usize::try_from(exponent).unwrap_or(0);
    let digits = format!("{:0>width$}", minor.unsigned_abs(), width = places + 1);
    let (whole, cents) = digits.split_at(digits.len() - places);
    if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{cents}") }
}

/// Writes an amount with its sign, as a win or a loss.
pub(crate) fn net(minor: i64, exponent: i32) -> String {
    let plus = if minor > 0 { "+" } else { "" };
    format!("{plus}{}", money(minor, exponent))
}

/// Writes a round: the cards, the settings and their clauses, and every wager.
pub(super) fn round(
    played: &PlayedRound,
    clauses: &ClauseSettings,
    ruleset: &pb::Ruleset,
    out: &mut dyn Write,
) -> io::Result<()> {
    let PlayedRound { deal, settle, .. } = played;
    let currency = played.sheet.currency.clone().unwrap_or_default();
    let exponent = currency.exponent;
    writeln!(out, "round {}  {}, amounts in {}", played.round_no, ruleset.title, currency.code)?;
    writeln!(out, "  id       {}", deal.round_id)?;
    writeln!(out, "  commit   {}", deal.commit)?;
    writeln!(out, "  seed     {}", settle.server_seed)?;
    if !deal.dice.is_empty() {
        let dice: Vec<String> = deal.dice.iter().map(ToString::to_string).collect();
        let first = position(deal.action_seat);
        writeln!(out, "  dice     {}: action begins at {first}", dice.join(" "))?;
    }
    if let Some(bank_minor) = played.sheet.bank_minor {
        let banker = played.sheet.banker_seat.map(|seat| format!(" by seat {seat}"));
        let banker = banker.unwrap_or_default();
        writeln!(out, "  bank     {} put up{banker}", money(bank_minor, exponent))?;
    }
    if let Some(dealer) = &deal.dealer {
        writeln!(
            out,
            "  exposed  low {}, high {}: shown before the players decide",
            dealer.low.join(" "),
            dealer.high.join(" ")
        )?;
    }
    if let Some(bank) = &settle.bank {
        writeln!(out, "  dealer   dealt {}", bank.cards.join(" "))?;
        if let Some(setting) = &bank.setting {
            write_setting(0, setting, clauses, out)?;
        }
    }
    for seat in &settle.seats {
        write_seat(seat, played, clauses, ruleset, out)?;
    }
    let bank = settle.bank.as_ref().map_or(0, |bank| bank.net_minor);
    let (fees, house) = (settle.fees_minor, settle.house_net_minor);
    writeln!(
        out,
        "  money    bank {}, house {} (fees {}, commission {})\n",
        net(bank, exponent),
        net(house, exponent),
        money(fees, exponent),
        money(settle.commission_minor, exponent)
    )
}

fn position(position: i32) -> String {
    if position == 0 { "the dealer".to_owned() } else { format!("seat {position}") }
}

fn write_seat(
    result: &pb::SeatResult,
    played: &PlayedRound,
    clauses: &ClauseSettings,
    ruleset: &pb::Ruleset,
    out: &mut dyn Write,
) -> io::Result<()> {
    let exponent = played.sheet.currency.as_ref().map_or(0, |currency| currency.exponent);
    if let Some(hand) = played.deal.hands.iter().find(|hand| hand.seat == result.seat) {
        writeln!(out, "  seat {}   dealt {}", result.seat, hand.cards.join(" "))?;
    }
    if let Some(base) = &result.base {
        if let Some(setting) = &base.setting {
            write_setting(result.seat, setting, clauses, out)?;
        }
        let foul = if base.foul { "foul: " } else { "" };
        let high = comparison(base.high());
        let low = comparison(base.low());
        let outcome = word(base.outcome().as_str_name(), "OUTCOME_");
        writeln!(out, "           {foul}high hand {high}, low hand {low}: {outcome}")?;
    }
    for line in &result.lines {
        write_line(line, ruleset, exponent, out)?;
    }
    let fee: i64 =
        played.deal.fees.iter().filter(|fee| fee.seat == result.seat).map(|f| f.amount_minor).sum();
    let fee =
        if fee > 0 { format!(" after a fee of {}", money(fee, exponent)) } else { String::new() };
    writeln!(out, "           net {}{fee}", net(result.net_minor, exponent))
}

fn write_line(
    line: &pb::Line,
    ruleset: &pb::Ruleset,
    exponent: i32,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Envy and community have their rows in the bet that they belong to.
    let pays_for_others = |bet: &&pb::Bet| {
        bet.other_seats.as_ref().is_some_and(|other_seats| other_seats.bet == line.bet)
    };
    let bet = ruleset.bets.iter().find(|bet| bet.id == line.bet);
    let with_rows = bet.or_else(|| ruleset.bets.iter().find(pays_for_others));
    let title = match (bet, line.bet.as_str()) {
        (Some(bet), _) => bet.title.as_str(),
        (None, "double_down") => "Double down",
        (None, other) => other,
    };
    let row = with_rows.and_then(|bet| bet.rows.iter().find(|row| row.id == line.row));
    let mut told = word(line.status().as_str_name(), "LINE_STATUS_");
    if let Some(pays) = &line.pays {
        told += &format!(" at {}/{}", pays.num, pays.den);
    }
    if let Some(row) = row {
        told += &format!(" by \"{}\"", row.title);
    }
    if let Some(seat) = line.caused_by_seat {
        told += &format!(" of seat {seat}");
    }
    if line.commission_minor > 0 {
        told += &format!(" less {} commission", money(line.commission_minor, exponent));
    }
    if let Some(uncovered) = line.uncovered_minor {
        told += &format!(", {} not covered by the bank", money(uncovered, exponent));
    }
    let stake = money(line.stake_minor, exponent);
    let back = money(line.return_minor, exponent);
    writeln!(out, "           {title:<24} {stake:>9} {told}; {back} comes back")
}

fn write_setting(
    position: i32,
    setting: &pb::Setting,
    clauses: &ClauseSettings,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "           low   {:<15} {}\n           high  {:<15} {}",
        setting.low.join(" "),
        category(setting.low_category()),
        setting.high.join(" "),
        category(setting.high_category())
    )?;
    if !setting.house_way {
        return writeln!(out, "           set by the player");
    }
    let sentence = clauses.sentence(position, &setting.clause_id).unwrap_or_default();
    writeln!(out, "           by house way, {}: {sentence}", setting.clause_id)
}

const fn comparison(comparison: pb::Comparison) -> &'static str {
    match comparison {
        pb::Comparison::Unspecified => "not compared",
        pb::Comparison::Win => "wins",
        pb::Comparison::Lose => "loses",
        pb::Comparison::Copy => "copies, which loses",
    }
}

/// The words of a category: `HAND_CATEGORY_TWO_PAIR` is `two pair`.
fn category(category: pb::HandCategory) -> String {
    word(category.as_str_name(), "HAND_CATEGORY_").replace('_', " ")
}

/// The word of an enum's value: `LINE_STATUS_WON` is `won`.
fn word(name: &str, prefix: &str) -> String {
    name.strip_prefix(prefix).unwrap_or(name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_decimals_of_their_currency() {
        for (minor, exponent, text) in [
            (0, 2, "0.00"),
            (5, 2, "0.05"),
            (-1050, 2, "-10.50"),
            (7, 0, "7"),
            (1_234_567, 3, "1234.567"),
            (i64::MIN, 4, "-922337203685477.5808"),
        ] {
            assert_eq!(money(minor, exponent), text);
        }
        assert_eq!((net(1, 0), net(0, 0), net(-1, 0)), ("+1".into(), "0".into(), "-1".into()));
    }
}
