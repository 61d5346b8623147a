//! A bonus bet on a page.

use super::super::page::{ParBlock, ParSection, ParTable, ParTableRow, figures, words};
use super::super::plots::{EdgeBar, Plot, PlotShape, ResultBar};
use super::super::sheet::{BetFigures, BetPar, MeterPar, Par, RowPar, SetByPlayerPar, ToOthersPar};
use super::{exact_line, exact_table, none, percent};
use crate::rules::figures::{grouped, payment};
use paigow_rules::game::{BaseOutcome, Fraction};

pub(super) fn section(bet: &BetPar, sheet: &Par) -> ParSection {
    let mut section = ParSection::new(&bet.bet, bet.title.clone())
        .say(format!("Judged on {}.", bet.judged_on))
        .with(ParBlock::Table(rows(bet)));
    if let Some(why) = &bet.without_figures {
        section = section.say(why.clone());
    }
    if let Some(figures) = &bet.figures {
        section = section
            .with(ParBlock::Plot(results(bet, figures)))
            .with(ParBlock::Table(summary(bet, figures)));
    }
    if let Some(set) = &bet.set_by_player {
        section = section.with(ParBlock::Table(set_by_player(bet, set)));
        if let Some(why) = set.without_base {
            section = section.say(format!("{SET_FOR_BOTH}: {why}."));
        }
    }
    if let Some(of_meter) = &bet.meter {
        section = section.with(ParBlock::Table(meter(bet, of_meter))).say(METER_TERMS);
    }
    if let Some(others) = &bet.to_others {
        section = section
            .say(format!(
                "The hand of each other seat wins {} on average, in minor units, to a wager of at \
                 least {}.",
                others.one_other_minor.0.decimal(6),
                grouped(others.threshold_minor.0)
            ))
            .with(ParBlock::Table(by_players(others)))
            .with(ParBlock::Plot(edges(bet, others)));
    }
    match &bet.rounding {
        Some(rounding) => section.with(ParBlock::Table(exact_table(
            "The stakes that rounding serves worst and best",
            [("Worst", rounding.worst), ("Best", rounding.best)]
                .into_iter()
                .map(|(name, stake)| {
                    let name = format!("{name}: house edge of {}", grouped(stake.stake_minor.0));
                    exact_line(&name, stake.house_edge)
                })
                .collect(),
        ))),
        None if bet.figures.is_some() && sheet.commissions.is_empty() => {
            section.say("Every stake wins whole minor units: rounding takes nothing.")
        }
        None => section.say("Every stake wins whole minor units: nothing of this bet is rounded."),
    }
}

fn pays(row: &RowPar) -> String {
    payment(row.pays, row.meter_share)
}

fn rows(bet: &BetPar) -> ParTable {
    let has_others = bet.to_others.is_some();
    let mut columns = vec![
        words("Row"),
        figures("Pays"),
        figures(bet.counted.title()),
        figures("Probability"),
        figures("1 in"),
        figures("Hands back"),
        figures("Wins"),
    ];
    if has_others {
        columns.push(figures("To others"));
    }
    let mut rows: Vec<ParTableRow> = bet
        .rows
        .iter()
        .map(|row| {
            let counted = row.figures.map_or_else(
                || vec![none(); 5],
                |figures| {
                    vec![
                        grouped(figures.combinations.0),
                        figures.probability.0.decimal(12),
                        one_in(figures.probability.0),
                        percent(figures.returned, 6),
                        percent(figures.won, 6),
                    ]
                },
            );
            let mut cells = vec![row.title.clone(), pays(row)];
            cells.extend(counted);
            if has_others {
                cells.push(row.to_others_minor.map_or_else(none, |minor| grouped(minor.0)));
            }
            ParTableRow::plain(cells)
        })
        .collect();
    if let Some(figures) = &bet.figures {
        let lost = Fraction::ZERO.minus(figures.loss_rate.0).map(super::ParFraction);
        let mut losing = vec![
            "All other".to_owned(),
            "lose".to_owned(),
            grouped(figures.losing.0),
            figures.loss_rate.0.decimal(12),
            one_in(figures.loss_rate.0),
            none(),
            lost.map_or_else(none, |lost| percent(lost, 6)),
        ];
        let net = figures.returned.0.minus(Fraction::ONE).map(super::ParFraction);
        let mut total = vec![
            "Total".to_owned(),
            none(),
            grouped(figures.combinations.0),
            Fraction::ONE.decimal(12),
            none(),
            percent(figures.returned, 6),
            net.map_or_else(none, |net| percent(net, 6)),
        ];
        if has_others {
            losing.push(none());
            total.push(none());
        }
        rows.push(ParTableRow::plain(losing));
        rows.push(ParTableRow::total(total));
    }
    let others = if has_others { " Amounts to others are in minor units." } else { "" };
    let seed = if bet.meter.is_some() { " The meter holds its seed." } else { "" };
    ParTable {
        caption: format!(
            "{}: what pays, how often, and how much of a stake.{seed}{others}",
            bet.title
        ),
        columns,
        rows,
    }
}

fn one_in(probability: Fraction) -> String {
    Fraction::new(probability.den(), probability.num()).map_or_else(none, |rarity| {
        let text = rarity.decimal(1);
        let (whole, tenth) = text.split_once('.').unwrap_or((&text, "0"));
        whole.parse::<i128>().map_or_else(|_| none(), |whole| format!("{}.{tenth}", grouped(whole)))
    })
}

fn summary(bet: &BetPar, figures: &BetFigures) -> ParTable {
    let mut rows = vec![
        exact_line("Return", figures.returned),
        exact_line("House edge", figures.house_edge),
        exact_line("Hit rate", figures.hit_rate),
        exact_line("Push rate", figures.push_rate),
        exact_line("Loss rate", figures.loss_rate),
        exact_line("Variance", figures.spread.variance),
    ];
    rows.push(ParTableRow::plain(vec![
        "Standard deviation".to_owned(),
        "root of the variance".to_owned(),
        figures.spread.deviation.clone(),
    ]));
    if let Some(others) = &bet.to_others {
        rows.push(exact_line("Hand of one other seat, minor units", others.one_other_minor));
        rows.push(exact_line("The same per unit of the least stake", others.one_other));
    }
    exact_table(&format!("{}, per unit staked", bet.title), rows)
}

/// The terms under which the figures of a meter hold.
const METER_TERMS: &str = "The figures are of a wager that shares its row with no other. In the long run: \
    the casino adds every contribution to the meter, takes what the meter pays out of it, and sets it \
    back to the seed after its whole was paid.";

/// Returns the results of a progressive bet by the content of its meter.
fn meter(bet: &BetPar, of_meter: &MeterPar) -> ParTable {
    let whole =
        |name: &str, minor: i64| exact_line(name, super::ParFraction(Fraction::from(minor)));
    let contribution = of_meter.contribution.0;
    let part = Fraction::new(contribution.num().into(), contribution.den().into());
    let mut rows = vec![
        whole("Seed, minor units", of_meter.seed_minor.0),
        whole("Stake, minor units", of_meter.stake_minor.0),
    ];
    rows.extend(part.map(|part| exact_line("Contribution", super::ParFraction(part))));
    rows.extend([
        exact_line("Return at the seed", of_meter.return_at_seed),
        exact_line("Return of each minor unit in the meter", of_meter.return_of_each_minor_unit),
        exact_line("Break-even meter, minor units", of_meter.break_even_minor),
        exact_line("Return in the long run", of_meter.long_run_return),
    ]);
    exact_table(&format!("{}: by what the meter holds", bet.title), rows)
}

/// How a player sets who has staked the same on the base wager.
const SET_FOR_BOTH: &str = "Set for this bet and a base wager of the same stake";

/// Returns the returns of a bet on set hands, by the house way and by players.
fn set_by_player(bet: &BetPar, set: &SetByPlayerPar) -> ParTable {
    let mut rows = Vec::new();
    if let Some(figures) = &bet.figures {
        rows.push(exact_line("Set by the house way", figures.returned));
    }
    if let Some(joint) = &set.with_base {
        rows.push(exact_line(SET_FOR_BOTH, joint.returned));
        rows.push(exact_line("The base wager then", joint.base_returned));
    }
    rows.push(exact_line("Set for this bet alone: no player gets more", set.for_it_alone));
    exact_table(&format!("{}: the return by who sets the hands", bet.title), rows)
}

fn results(bet: &BetPar, figures: &BetFigures) -> Plot {
    let mut bars: Vec<ResultBar> = Vec::new();
    for row in &bet.rows {
        let Some(counted) = row.figures else { continue };
        let outcome = if row.result == "push" { BaseOutcome::Push } else { BaseOutcome::Win };
        let label = pays(row);
        // Rows that pay the same are one result.
        match bars.last_mut().filter(|bar| bar.label == label) {
            Some(bar) => {
                let sum = bar.probability.plus(counted.probability.0);
                bar.probability = sum.unwrap_or(bar.probability);
            }
            None => bars.push(ResultBar { label, probability: counted.probability.0, outcome }),
        }
    }
    bars.push(ResultBar {
        label: "lose".to_owned(),
        probability: figures.loss_rate.0,
        outcome: BaseOutcome::Lose,
    });
    let told: Vec<String> =
        bars.iter().map(|bar| format!("{} 1 in {}", bar.label, one_in(bar.probability))).collect();
    Plot {
        id: format!("{}-results", bet.bet),
        title: "How likely each result is, on a scale of powers of ten".to_owned(),
        description: format!("{}.", told.join(", ")),
        drawn: PlotShape::Results(bars),
    }
}

fn by_players(others: &ToOthersPar) -> ParTable {
    let rows = others.by_players.iter().map(|beside| {
        ParTableRow::plain(vec![
            beside.players.to_string(),
            percent(beside.returned, 6),
            percent(beside.house_edge, 6),
            beside.house_edge.0.to_string(),
            beside.paid_a_round_minor.0.decimal(super::super::exact::PLACES),
            beside.paid_a_round_minor.0.to_string(),
            grouped(beside.paid_at_most_a_hand_minor.0),
        ])
    });
    ParTable {
        caption: format!(
            "By how many seats play, each with a stake of {} minor units. Paid: what the house pays for \
             hands of others, in minor units, in a round on average and for one hand of the highest row",
            grouped(others.threshold_minor.0)
        ),
        columns: vec![
            figures("Seats played"),
            figures("Return"),
            figures("House edge"),
            figures("House edge exactly"),
            figures("Paid a round"),
            figures("Paid a round exactly"),
            figures("Paid at most for a hand"),
        ],
        rows: rows.collect(),
    }
}

fn edges(bet: &BetPar, others: &ToOthersPar) -> Plot {
    let bars: Vec<EdgeBar> = others
        .by_players
        .iter()
        .map(|beside| EdgeBar {
            label: match beside.players {
                1 => "1 seat".to_owned(),
                players => format!("{players} seats"),
            },
            edge: beside.house_edge.0,
            is_own: true,
        })
        .collect();
    let told: Vec<String> = others
        .by_players
        .iter()
        .map(|beside| format!("{} at {}", percent(beside.house_edge, 2), beside.players))
        .collect();
    Plot {
        id: format!("{}-players", bet.bet),
        title: "House edge by seats played".to_owned(),
        description: format!("House edge by seats played: {}.", told.join(", ")),
        drawn: PlotShape::Edges(bars),
    }
}
