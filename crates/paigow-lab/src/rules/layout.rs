//! From the sheet of rules to a page for people.

use super::figures::{capital, grouped, in_units, is_low, money, one_in, payment, percent};
use super::page::{
    DefinedName, SheetBlock, SheetColumn, SheetPage, SheetSection, SheetTable, clean,
};
use super::sheet::{BetSheet, CountedDeals, FeeBandSheet, MinorUnits, Sheet, SheetFraction};
use crate::readings::ReadingEntry;
use paigow_rules::game::{Currency, Fraction};

/// Lays out the rules; amounts are in `currency`.
pub(super) fn page(sheet: &Sheet, currency: Option<&Currency>) -> SheetPage {
    let mut sections = vec![about(sheet)];
    if !sheet.notes.is_empty() {
        let notes: Vec<String> = sheet.notes.iter().map(|note| clean(note)).collect();
        sections.push(SheetSection::new("Notes").with_points(&notes));
    }
    sections.push(SheetSection::new("Cards").with_points(&sheet.deck.words));
    sections.push(hands(sheet));
    sections.push(SheetSection::new("The deal").with_points(&sheet.dealing.words));
    sections.push(SheetSection::new("Setting the hands").with_points(&sheet.setting));
    let base = SheetSection::new("Base wager").with_points(&sheet.base.words);
    sections.push(base.with_points(&base_returns(sheet)));
    if let Some(double_down) = &sheet.double_down {
        sections.push(SheetSection::new("Double down").with_points(&double_down.words));
    }
    if let Some(banking) = &sheet.banking {
        sections.push(SheetSection::new("A player who banks").with_points(&banking.words));
    }
    if let Some(words) = &sheet.player_dealer {
        sections.push(SheetSection::new("The player-dealer").with_points(words));
    }
    if let Some(fees) = &sheet.fees {
        sections.push(
            SheetSection::new("Fees")
                .with_points(&fees.words)
                .with(fee_table("Base wager", &fees.player, currency))
                .with(fee_table("Sum of base wagers", &fees.player_dealer, currency)),
        );
    }
    if !sheet.bonus_bets.is_empty() {
        sections.push(SheetSection::new("Bonus bets").with_points(&sheet.bonus_words));
        sections.extend(sheet.bonus_bets.iter().map(|bet| bonus_bet(bet, currency)));
    }
    sections.push(limits(sheet, currency));
    sections.push(facts(sheet));
    sections.push(SheetSection::new("Void rounds").with_points(&sheet.void));
    if !sheet.readings.is_empty() {
        let points: Vec<String> = sheet.readings.iter().map(reading).collect();
        sections.push(SheetSection::new("Open readings of the sources").with_points(&points));
    }
    sections.push(house_way(sheet));
    SheetPage { title: clean(&sheet.ruleset.title), sections }
}

fn reading(reading: &ReadingEntry) -> String {
    let of = reading.bet.as_deref().unwrap_or("house way");
    let ReadingEntry { text, here, other, key, settled_by, .. } = reading;
    format!(
        "{of}: \"{text}\". Here: {here} The other reading: {other} {} Key: {key}. Could be settled by: {settled_by}.",
        reading.effect()
    )
}

fn about(sheet: &Sheet) -> SheetSection {
    let row = |name: &str, value: &str| vec![name.to_owned(), clean(value)];
    let about = SheetTable {
        columns: vec![SheetColumn::words(""), SheetColumn::words("")],
        rows: vec![
            row("Ruleset", &sheet.ruleset.id),
            row("Ruleset hash", &sheet.ruleset.hash),
            row("Game", &sheet.ruleset.family),
            row("Source", &sheet.ruleset.source),
            row("House way", &sheet.house_way.id),
            row("House way hash", &sheet.house_way.hash),
        ],
    };
    SheetSection::new("These rules").with(SheetBlock::Table(about)).with_points(&sheet.general)
}

fn hands(sheet: &Sheet) -> SheetSection {
    let columns = vec![
        SheetColumn::figures(""),
        SheetColumn::words("High hand"),
        SheetColumn::words("What it is"),
    ];
    let rows = (1..).zip(&sheet.hands.categories).map(|(place, category)| {
        vec![format!("{place}."), capital(category.name), category.words.to_owned()]
    });
    SheetSection::new("Ranking of hands")
        .with(SheetBlock::Table(SheetTable { columns, rows: rows.collect() }))
        .with_points(&sheet.hands.words)
}

fn fee_table(of: &'static str, bands: &[FeeBandSheet], currency: Option<&Currency>) -> SheetBlock {
    let rows = bands.iter().map(|band| {
        let amount = match band.up_to_minor {
            Some(MinorUnits(end)) => format!("up to {}", money(end, currency)),
            None => "any above".to_owned(),
        };
        vec![amount, money(band.fee_minor.0, currency)]
    });
    let columns = vec![SheetColumn::words(of), SheetColumn::figures("Fee")];
    SheetBlock::Table(SheetTable { columns, rows: rows.collect() })
}

fn bonus_bet(bet: &BetSheet, currency: Option<&Currency>) -> SheetSection {
    let conditions = SheetBlock::Defined {
        heads: ["Row", "When it holds"],
        items: bet
            .rows
            .iter()
            .map(|row| {
                let name = DefinedName { id: row.id.clone(), title: Some(clean(&row.title)) };
                (name, row.words.clone())
            })
            .collect(),
    };
    let mut section = SheetSection::part(format!("{} ({})", clean(&bet.title), bet.bet))
        .with_points(&bet.words)
        .with(pay_table(bet, currency))
        .with(conditions);
    if let Some(to_others) = &bet.to_others {
        section = section.with_points(&to_others.words);
    }
    section.with_points(&returns(bet))
}

fn pay_table(bet: &BetSheet, currency: Option<&Currency>) -> SheetBlock {
    let mut columns = vec![SheetColumn::words("Row"), SheetColumn::figures("Pays")];
    if let Some(to_others) = &bet.to_others {
        columns.push(SheetColumn::figures(&clean(&to_others.title)));
    }
    if bet.figures.is_some() {
        columns.extend([SheetColumn::figures(counted(bet)), SheetColumn::figures("1 in")]);
    }
    let amount = |minor: i64| match currency {
        Some(currency) => in_units(minor, currency),
        None => grouped(minor),
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in &bet.rows {
        let mut cells = vec![clean(&row.title), payment(row.pays, row.meter_share)];
        if bet.to_others.is_some() {
            cells.push(row.to_others_minor.map_or_else(String::new, |minor| amount(minor.0)));
        }
        if bet.figures.is_some() {
            cells.push(row.hands.map_or_else(String::new, grouped));
            cells.push(row.one_in.clone().unwrap_or_default());
        }
        rows.push(cells);
    }
    let mut others = vec!["All other hands".to_owned(), "lose".to_owned()];
    if bet.to_others.is_some() {
        others.push(String::new());
    }
    if let Some(figures) = &bet.figures {
        others.push(grouped(figures.losing));
        others.push(one_in(figures.losing, figures.hands).unwrap_or_default());
    }
    rows.push(others);
    SheetBlock::Table(SheetTable { columns, rows })
}

/// Returns the unit of the counts of a bet's rows.
fn counted(bet: &BetSheet) -> &'static str {
    bet.figures.as_ref().map_or(CountedDeals::Hands, |figures| figures.counted).title()
}

/// Returns the sentences on the return of the base wager, as far as it is known.
fn base_returns(sheet: &Sheet) -> Vec<String> {
    let Some(figures) = &sheet.base.figures else {
        return sheet.base.without_figures.iter().cloned().chain(best_play(sheet)).collect();
    };
    let share = |pairs: u64| {
        let share = Fraction::new(pairs.into(), figures.pairs.into());
        share.and_then(percent).unwrap_or_default()
    };
    let returned = figures.return_by_house_way.0;
    let mut words = vec![format!(
        "Over all {} pairs of a player's and the dealer's hand, both set by the house way, it wins \
         {} %, pushes {} % and loses {} % of the time.",
        grouped(figures.pairs),
        share(figures.win),
        share(figures.push),
        share(figures.lose)
    )];
    words.push(if sheet.double_down.is_some() {
        format!(
            "By house way {} % of the base wager comes back, exactly {returned}, if the player \
             doubles down on the hands on which it pays.",
            percent(returned).unwrap_or_default()
        )
    } else {
        format!(
            "By house way it returns {} % on average, exactly {returned}, before any rounding and any \
             fee.",
            percent(returned).unwrap_or_default()
        )
    });
    words.extend(best_play(sheet));
    words
}

/// Returns the sentences on the return of the base wager by best play, as far as it is known.
fn best_play(sheet: &Sheet) -> Vec<String> {
    let Some(SheetFraction(returned)) = sheet.base.return_by_best_play else {
        return vec!["What it returns by best play is not counted.".to_owned()];
    };
    let knows = if sheet.dealing.exposes_dealer {
        "sees the dealer's hand"
    } else {
        "knows his own cards alone"
    };
    let doubles = if sheet.double_down.is_some() { " and doubles down" } else { "" };
    let mut words = vec![format!(
        "By best play it returns {} %, exactly {returned}: the player sets every hand{doubles} as it is \
         worth most, and {knows}.",
        percent(returned).unwrap_or_default()
    )];
    if let Some(edge) = Fraction::ONE.minus(returned)
        && is_low(edge)
    {
        words.push(format!(
            "Note: best play leaves the house {} % of the base wager, which is less than 0.5 %.",
            percent(edge).unwrap_or_default()
        ));
    }
    words
}

/// Returns the sentences on the return of a bet, as far as it is known.
fn returns(bet: &BetSheet) -> Vec<String> {
    let Some(figures) = &bet.figures else { return bet.without_figures.iter().cloned().collect() };
    let table = figures.return_of_table.0;
    let kept = Fraction::ONE.minus(table).and_then(percent);
    let mut words = vec![format!(
        "Over all {} {} {}the pay table returns {} %, exactly {table}, and the house keeps {} %.",
        grouped(figures.hands),
        figures.counted.name(),
        if figures.meter.is_some() { "and with the meter at its seed " } else { "" },
        percent(table).unwrap_or_default(),
        kept.unwrap_or_default()
    )];
    if let Some(to_others) = &figures.to_others_minor {
        words.push(format!(
            "The hand of each other player wins a qualifying wager {} minor units on average, \
             exactly {}.",
            to_others.0.decimal(6),
            to_others.0
        ));
    }
    if let Some(meter) = &figures.meter {
        words.push(format!(
            "It returns all that is staked at a meter of {} minor units, and {} % in the long run, \
             exactly {}: the casino adds its part of each stake to the meter, takes what the meter pays \
             out of it, and sets it back to the seed after its whole was paid. These figures are of a \
             wager that shares its row with no other.",
            meter.break_even_minor.0.decimal(2),
            percent(meter.long_run_return.0).unwrap_or_default(),
            meter.long_run_return.0
        ));
    }
    let highest = figures.highest_return.0;
    if highest != table && figures.meter.is_none() {
        let percent = percent(highest).unwrap_or_default();
        words.push(if figures.to_others_minor.is_some() {
            format!(
                "The highest return of any stake is {percent} %, exactly {highest}: that of the \
                 least stake that qualifies, with every other seat played."
            )
        } else {
            format!("With the most that rounding can add, at the least stake, it is {percent} %.")
        });
    }
    words
}

fn limits(sheet: &Sheet, currency: Option<&Currency>) -> SheetSection {
    let amount = |limit: Option<MinorUnits>| {
        limit.map_or_else(|| "none".to_owned(), |MinorUnits(minor)| money(minor, currency))
    };
    let rows = sheet.limits.bets.iter().map(|limit| {
        let title = format!("{} ({})", clean(&limit.title), limit.bet);
        vec![title, amount(Some(limit.minimum_minor)), amount(limit.maximum_minor)]
    });
    let columns = vec![
        SheetColumn::words("Bet"),
        SheetColumn::figures("Minimum"),
        SheetColumn::figures("Maximum"),
    ];
    SheetSection::new("Limits")
        .with(SheetBlock::Table(SheetTable { columns, rows: rows.collect() }))
        .with_points(&sheet.limits.words)
}

fn facts(sheet: &Sheet) -> SheetSection {
    let section = SheetSection::new("Table facts");
    if sheet.facts.is_empty() {
        return section
            .with(SheetBlock::Paragraph("A round tells nothing of the table.".to_owned()));
    }
    let rows = sheet.facts.iter().map(|fact| {
        let required = if fact.required { "yes" } else { "no" };
        vec![fact.name.to_owned(), required.to_owned(), fact.words.clone()]
    });
    let columns = vec![
        SheetColumn::words("Fact"),
        SheetColumn::words("Required"),
        SheetColumn::words("What it is"),
    ];
    section
        .with(SheetBlock::Paragraph(
            "What a round tells of its table, beside the wagers:".to_owned(),
        ))
        .with(SheetBlock::Table(SheetTable { columns, rows: rows.collect() }))
}

fn house_way(sheet: &Sheet) -> SheetSection {
    let way = &sheet.house_way;
    let clauses = way
        .clauses
        .iter()
        .map(|clause| (DefinedName { id: clause.id.clone(), title: None }, clean(&clause.text)));
    let from = format!("{}. Source: {}.", clean(&way.title), clean(&way.source));
    SheetSection::new(format!("House way {}", way.id))
        .with(SheetBlock::Paragraph(from))
        .with(SheetBlock::Paragraph(
            "Each hand is set by one of these sentences of the source, which is cited with it by \
             its id, or by two of them with a slash between."
                .to_owned(),
        ))
        .with(SheetBlock::Defined { heads: ["Clause", "Sentence"], items: clauses.collect() })
}
