//! The base game on a page.

use super::super::page::{ParBlock, ParSection, ParTable, ParTableRow, figures, words};
use super::super::plots::{BarPart, EdgeBar, Plot, PlotShape, ReturnBar};
use super::super::sheet::{Par, ReadingPar, SidePar, WayPar};
use super::{exact_line, exact_table, percent, shortened};
use crate::rules::figures::grouped;

pub(super) fn section(sheet: &Par) -> ParSection {
    let mut section = ParSection::new("base", "Base game");
    if let Some(why) = &sheet.base.without_figures {
        section = section.say(why.clone());
    }
    if let (None, Some(best)) = (&sheet.base.own, &sheet.base.best_play) {
        section = section
            .say(format!("{}.", best.words))
            .with(ParBlock::Table(exactly(std::slice::from_ref(best))));
    }
    if let Some(own) = &sheet.base.own {
        section = section
            .say(format!(
                "Counted over every pair of a player's and the dealer's hand, {} of them, both \
                 set by {}.",
                grouped(own.pairs.0),
                own.way.title
            ))
            .with(ParBlock::Table(readings(own)))
            .with(ParBlock::Plot(outcomes(own)));
        if own.readings.iter().any(|reading| reading.doubling.is_some()) {
            section = section.with(ParBlock::Table(doublings(own)));
        }
        section = section
            .with(ParBlock::Table(comparisons(own)))
            .with(ParBlock::Table(deals(own)))
            .with(ParBlock::Table(exactly(&own.readings)));
    }
    let [own, alike] = [&sheet.base.players, &sheet.base.alike];
    let dealer = &sheet.house_way.id;
    if !own.is_empty() {
        let title = format!("The player sets by another way, the dealer by {dealer}");
        section = section.with(ParBlock::Table(sides(own, &title))).with(ParBlock::Plot(edges(
            own,
            "base-players",
            &title,
            dealer,
        )));
    }
    if !alike.is_empty() {
        let title = "Player and dealer set by the same way";
        section = section.with(ParBlock::Table(sides(alike, title))).with(ParBlock::Plot(edges(
            alike,
            "base-alike",
            title,
            dealer,
        )));
    }
    section
}

fn rates(reading: &ReadingPar) -> [String; 6] {
    [
        percent(reading.win_rate, 6),
        percent(reading.push_rate, 6),
        percent(reading.loss_rate, 6),
        percent(reading.returned, 6),
        percent(reading.house_edge, 6),
        shortened(&reading.spread.deviation),
    ]
}

fn readings(own: &WayPar) -> ParTable {
    let line = |reading: &ReadingPar| {
        ParTableRow::plain([vec![reading.words.clone()], rates(reading).to_vec()].concat())
    };
    ParTable {
        caption: "As the ruleset plays, and otherwise, per unit of the base stake. The edge of a \
                  player who banks is what the other side keeps. A negative edge is the player's own."
            .to_owned(),
        columns: [vec![words("Reading")], rate_columns().to_vec()].concat(),
        rows: own.readings.iter().map(line).collect(),
    }
}

const fn rate_columns() -> [super::super::page::ParColumn; 6] {
    [
        figures("Win"),
        figures("Push"),
        figures("Lose"),
        figures("Return"),
        figures("Edge"),
        figures("Standard deviation"),
    ]
}

fn doublings(own: &WayPar) -> ParTable {
    let line = |reading: &ReadingPar| {
        let doubling = reading.doubling.as_ref()?;
        Some(ParTableRow::plain(vec![
            reading.words.clone(),
            percent(doubling.doubled, 6),
            percent(reading.house_edge, 6),
            percent(doubling.edge_per_staked, 6),
        ]))
    };
    ParTable {
        caption: "What the double down does. It pays on a hand if it wins more than it loses \
                  against every hand that the dealer, or who banks, may still hold."
            .to_owned(),
        columns: vec![
            words("Reading"),
            figures("Hands doubled on"),
            figures("Edge per base stake"),
            figures("Edge per unit staked"),
        ],
        rows: own.readings.iter().filter_map(line).collect(),
    }
}

fn comparisons(own: &WayPar) -> ParTable {
    let rows = own.comparisons.iter().map(|one| {
        let outcome = match (one.high, one.low) {
            ("win", "win") => "win",
            ("win", _) | (_, "win") => "push",
            _ => "lose",
        };
        ParTableRow::plain(vec![
            one.high.to_owned(),
            one.low.to_owned(),
            outcome.to_owned(),
            grouped(one.pairs.0),
            one.probability.0.decimal(12),
        ])
    });
    ParTable {
        caption: "How the hands compare, from the player's side; the dealer takes copies"
            .to_owned(),
        columns: vec![
            words("High hand"),
            words("Low hand"),
            words("Outcome"),
            figures("Pairs of hands"),
            figures("Probability"),
        ],
        rows: rows.collect(),
    }
}

fn deals(own: &WayPar) -> ParTable {
    let line = |reading: &ReadingPar| {
        let pairs = [reading.win, reading.push, reading.lose].map(|pairs| grouped(pairs.0));
        ParTableRow::plain([vec![reading.id.to_owned()], pairs.to_vec()].concat())
    };
    ParTable {
        caption: format!("Deals by the name of the reading, of {}", grouped(own.pairs.0)),
        columns: vec![words("Reading"), figures("Won"), figures("Pushed"), figures("Lost")],
        rows: own.readings.iter().map(line).collect(),
    }
}

fn exactly(readings: &[ReadingPar]) -> ParTable {
    let mut rows = Vec::new();
    for reading in readings {
        rows.push(exact_line(&format!("{}: edge", reading.id), reading.house_edge));
        rows.push(exact_line(&format!("{}: variance", reading.id), reading.spread.variance));
        rows.push(ParTableRow::plain(vec![
            format!("{}: standard deviation", reading.id),
            "root of the variance".to_owned(),
            reading.spread.deviation.clone(),
        ]));
    }
    exact_table("Edges, variances and standard deviations by the name of the reading", rows)
}

fn sides(sides: &[SidePar], title: &str) -> ParTable {
    let line = |side: &SidePar| {
        ParTableRow::plain([vec![side.player.clone()], rates(&side.as_played).to_vec()].concat())
    };
    ParTable {
        caption: format!("{title}, as the ruleset plays"),
        columns: [vec![words("House way")], rate_columns().to_vec()].concat(),
        rows: sides.iter().map(line).collect(),
    }
}

fn outcomes(own: &WayPar) -> Plot {
    let bar = |reading: &ReadingPar| ReturnBar {
        label: reading.id.to_owned(),
        parts: vec![
            BarPart { label: "Win".to_owned(), value: reading.win_rate.0 },
            BarPart { label: "Push".to_owned(), value: reading.push_rate.0 },
            BarPart { label: "Lose".to_owned(), value: reading.loss_rate.0 },
        ],
        figure: format!("edge {}", percent(reading.house_edge, 3)),
    };
    let bars: Vec<ReturnBar> = own.readings.iter().map(bar).collect();
    let told: Vec<String> = own
        .readings
        .iter()
        .map(|reading| {
            format!(
                "{}: win {}, push {}, lose {}",
                reading.id,
                percent(reading.win_rate, 2),
                percent(reading.push_rate, 2),
                percent(reading.loss_rate, 2)
            )
        })
        .collect();
    Plot {
        id: "base-outcomes".to_owned(),
        title: "Wins, pushes and losses by the name of the reading".to_owned(),
        description: format!("{}.", told.join("; ")),
        drawn: PlotShape::Shares(bars),
    }
}

fn edges(sides: &[SidePar], id: &str, title: &str, own: &str) -> Plot {
    let bars = sides.iter().map(|side| EdgeBar {
        label: side.player.clone(),
        edge: side.as_played.house_edge.0,
        is_own: side.player == own,
    });
    let told: Vec<String> = sides
        .iter()
        .map(|side| format!("{} {}", side.player, percent(side.as_played.house_edge, 4)))
        .collect();
    Plot {
        id: id.to_owned(),
        title: format!("House edge: {}", lower(title)),
        description: format!("House edges: {}.", told.join(", ")),
        drawn: PlotShape::Edges(bars.collect()),
    }
}

fn lower(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
