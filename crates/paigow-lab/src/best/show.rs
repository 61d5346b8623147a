//! Best play as text.

use std::io::{self, Write};

use super::super::rules::grouped;
use paigow_exact::{BestPlay, Played, SettingWorth};
use paigow_rules::cards::Card;
use paigow_rules::game::{Fraction, Ruleset};
use paigow_rules::house_way::HouseWay;

/// Writes the returns of best play and of the house way, and their differences, the most expensive
/// clause first.
pub(super) fn play(
    ruleset: &Ruleset,
    dealer: &HouseWay,
    play: &BestPlay,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "ruleset   {}", ruleset.id())?;
    writeln!(out, "dealer    sets by {}", dealer.id())?;
    writeln!(out, "pairs     {}", count(play.pairs))?;
    writeln!(
        out,
        "pays      {} for each unit of the stake, commission unrounded",
        play.terms.pays
    )?;
    writeln!(out, "\nplayer            house edge     deviation  exactly")?;
    let best = ("by best play", Some(&play.best));
    for (name, played) in [best, ("by house way", play.way.as_ref())] {
        let Some(returns) = played.and_then(|played| play.returns(played)) else { continue };
        let (Some(edge), Some(variance)) = (returns.edge(), returns.variance()) else { continue };
        let deviation = variance.square_root(12).map_or_else(String::new, |root| root.decimal(6));
        writeln!(out, "{name:13} {:>12} %  {deviation:>11}  {edge}", percent(edge))?;
    }
    for (name, played) in [best, ("by house way", play.way.as_ref())] {
        if let Some(Played { hands, doubled, .. }) = played.filter(|played| played.doubled > 0) {
            let share = Fraction::new(i128::from(*doubled), i128::from(*hands));
            writeln!(
                out,
                "{name}: doubled on {} % of hands",
                share.map_or_else(String::new, percent)
            )?;
        }
    }
    let mut differences: Vec<_> = play
        .differences
        .iter()
        .filter_map(|difference| Some((play.cost(difference)?, difference)))
        .collect();
    differences.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.clause.cmp(&b.1.clause)));
    writeln!(out, "\n{:40} {:>13} {:>13}  cost of the stake", "clause", "hands", "set otherwise")?;
    for (cost, difference) in differences {
        writeln!(
            out,
            "{:40} {:>13} {:>13}  {} %",
            difference.clause,
            count(difference.hands.into()),
            count(difference.best.hands.into()),
            percent(cost)
        )?;
    }
    Ok(())
}

/// Writes the settings of a hand.
pub(super) fn hand(
    hand: &[Card],
    settings: &[SettingWorth],
    dealer: &HouseWay,
    out: &mut dyn Write,
) -> io::Result<()> {
    let of_way = dealer.set(hand);
    writeln!(out, "low hand  expectation  dealer's hands won, lost{:12}", "")?;
    for setting in settings {
        let low: Vec<String> = setting.low.iter().map(ToString::to_string).collect();
        let pairs = format!("{}, {}", count(setting.won.into()), count(setting.lost.into()));
        let mut notes = Vec::new();
        if setting.doubled.is_some() {
            notes.push("double down".to_owned());
        }
        if let Some(way) = &of_way
            && way.low.as_slice() == setting.low
        {
            notes.push(format!("as {} sets it", dealer.id()));
        }
        let line = format!(
            "{:8}  {:>11}  {pairs:34}  {}",
            low.join(" "),
            setting.expectation.decimal(8),
            notes.join(", ")
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn count(pairs: u128) -> String {
    i128::try_from(pairs).map_or_else(|_| pairs.to_string(), grouped)
}

pub(crate) fn percent(share: Fraction) -> String {
    share.times(Fraction::from(100)).unwrap_or(share).decimal(6)
}
