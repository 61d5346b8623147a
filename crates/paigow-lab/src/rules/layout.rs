//! From the sheet of rules to a page: what stands where, for people.

use super::figures::{capital, grouped, in_units, money, odds, one_in, percent};
use super::page::{Block, Column, Name, Page, Section, Table, clean};
use super::sheet::{BetSheet, Counted, FeeBandSheet, Minor, Sheet};
use paigow_rules::game::{Currency, Fraction};

/// Lays out the rules; amounts are in `currency`.
pub(super) fn page(sheet: &Sheet, currency: Option<&Currency>) -> Page {
    let mut sections = vec![about(sheet)];
    if !sheet.notes.is_empty() {
        let notes: Vec<String> = sheet.notes.iter().map(|note| clean(note)).collect();
        sections.push(Section::new("Notes").with_points(&notes));
    }
    sections.push(Section::new("Cards").with_points(&sheet.deck.words));
    sections.push(hands(sheet));
    sections.push(Section::new("The deal").with_points(&sheet.dealing.words));
    sections.push(Section::new("Setting the hands").with_points(&sheet.setting));
    let base = Section::new("Base wager").with_points(&sheet.base.words);
    sections.push(base.with_points(&base_returns(sheet)));
    if let Some(double_down) = &sheet.double_down {
        sections.push(Section::new("Double down").with_points(&double_down.words));
    }
    if let Some(banking) = &sheet.banking {
        sections.push(Section::new("A player who banks").with_points(&banking.words));
    }
    if let Some(words) = &sheet.player_dealer {
        sections.push(Section::new("The player-dealer").with_points(words));
    }
    if let Some(fees) = &sheet.fees {
        sections.push(
            Section::new("Fees")
                .with_points(&fees.words)
                .with(fee_table("Base wager", &fees.player, currency))
                .with(fee_table("Sum of base wagers", &fees.player_dealer, currency)),
        );
    }
    if !sheet.bonus_bets.is_empty() {
        sections.push(Section::new("Bonus bets").with_points(&sheet.bonus_words));
        sections.extend(sheet.bonus_bets.iter().map(|bet| bonus_bet(bet, currency)));
    }
    sections.push(limits(sheet, currency));
    sections.push(facts(sheet));
    sections.push(Section::new("Void rounds").with_points(&sheet.void));
    sections.push(house_way(sheet));
    Page { title: clean(&sheet.ruleset.title), sections }
}

fn about(sheet: &Sheet) -> Section {
    let row = |name: &str, value: &str| vec![name.to_owned(), clean(value)];
    let about = Table {
        columns: vec![Column::words(""), Column::words("")],
        rows: vec![
            row("Ruleset", &sheet.ruleset.id),
            row("Ruleset hash", &sheet.ruleset.hash),
            row("Game", &sheet.ruleset.family),
            row("Source", &sheet.ruleset.source),
            row("House way", &sheet.house_way.id),
            row("House way hash", &sheet.house_way.hash),
        ],
    };
    Section::new("These rules").with(Block::Table(about)).with_points(&sheet.general)
}

fn hands(sheet: &Sheet) -> Section {
    let columns =
        vec![Column::figures(""), Column::words("High hand"), Column::words("What it is")];
    let rows = (1..).zip(&sheet.hands.categories).map(|(place, category)| {
        vec![format!("{place}."), capital(category.name), category.words.to_owned()]
    });
    Section::new("Ranking of hands")
        .with(Block::Table(Table { columns, rows: rows.collect() }))
        .with_points(&sheet.hands.words)
}

fn fee_table(of: &'static str, bands: &[FeeBandSheet], currency: Option<&Currency>) -> Block {
    let rows = bands.iter().map(|band| {
        let amount = match band.up_to_minor {
            Some(Minor(end)) => format!("up to {}", money(end, currency)),
            None => "any above".to_owned(),
        };
        vec![amount, money(band.fee_minor.0, currency)]
    });
    let columns = vec![Column::words(of), Column::figures("Fee")];
    Block::Table(Table { columns, rows: rows.collect() })
}

fn bonus_bet(bet: &BetSheet, currency: Option<&Currency>) -> Section {
    let conditions = Block::Defined {
        heads: ["Row", "When it holds"],
        items: bet
            .rows
            .iter()
            .map(|row| {
                let name = Name { id: row.id.clone(), title: Some(clean(&row.title)) };
                (name, row.words.clone())
            })
            .collect(),
    };
    let mut section = Section::part(format!("{} ({})", clean(&bet.title), bet.bet))
        .with_points(&bet.words)
        .with(pay_table(bet, currency))
        .with(conditions);
    if let Some(to_others) = &bet.to_others {
        section = section.with_points(&to_others.words);
    }
    section.with_points(&returns(bet))
}

fn pay_table(bet: &BetSheet, currency: Option<&Currency>) -> Block {
    let mut columns = vec![Column::words("Row"), Column::figures("Pays")];
    if let Some(to_others) = &bet.to_others {
        columns.push(Column::figures(if to_others.bet == "envy" { "Envy" } else { "Community" }));
    }
    if bet.figures.is_some() {
        columns.extend([Column::figures(counted(bet)), Column::figures("1 in")]);
    }
    let amount = |minor: i64| match currency {
        Some(currency) => in_units(minor, currency),
        None => grouped(minor),
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in &bet.rows {
        let pays = row.pays.map_or_else(|| "push".to_owned(), |pays| odds(pays.0));
        let mut cells = vec![clean(&row.title), pays];
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
    Block::Table(Table { columns, rows })
}

/// What the rows of a bet are counted by.
fn counted(bet: &BetSheet) -> &'static str {
    bet.figures.as_ref().map_or(Counted::Hands, |figures| figures.counted).title()
}

/// What the base wager returns, as far as it can be said.
fn base_returns(sheet: &Sheet) -> Vec<String> {
    let Some(figures) = &sheet.base.figures else { return Vec::new() };
    let share = |pairs: u64| {
        let share = Fraction::new(pairs.into(), figures.pairs.into());
        share.and_then(percent).unwrap_or_default()
    };
    let returned = figures.return_of_game.0;
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
            "Per unit of the base wager {} % comes back, exactly {returned}, if the player doubles \
             down on the hands on which it pays.",
            percent(returned).unwrap_or_default()
        )
    } else {
        format!(
            "It returns {} % on average, exactly {returned}, before any rounding and any fee.",
            percent(returned).unwrap_or_default()
        )
    });
    words
}

/// What a bet returns, as far as it can be said.
fn returns(bet: &BetSheet) -> Vec<String> {
    let Some(figures) = &bet.figures else { return bet.without_figures.iter().cloned().collect() };
    let table = figures.return_of_table.0;
    let kept = Fraction::ONE.minus(table).and_then(percent);
    let mut words = vec![format!(
        "Over all {} {} the pay table returns {} %, exactly {table}, and the house keeps {} %.",
        grouped(figures.hands),
        figures.counted.name(),
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
    let highest = figures.highest_return.0;
    if highest != table {
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

fn limits(sheet: &Sheet, currency: Option<&Currency>) -> Section {
    let amount = |limit: Option<Minor>| {
        limit.map_or_else(|| "none".to_owned(), |Minor(minor)| money(minor, currency))
    };
    let rows = sheet.limits.bets.iter().map(|limit| {
        let title = format!("{} ({})", clean(&limit.title), limit.bet);
        vec![title, amount(Some(limit.minimum_minor)), amount(limit.maximum_minor)]
    });
    let columns =
        vec![Column::words("Bet"), Column::figures("Minimum"), Column::figures("Maximum")];
    Section::new("Limits")
        .with(Block::Table(Table { columns, rows: rows.collect() }))
        .with_points(&sheet.limits.words)
}

fn facts(sheet: &Sheet) -> Section {
    let section = Section::new("Table facts");
    if sheet.facts.is_empty() {
        return section.with(Block::Paragraph("A round tells nothing of the table.".to_owned()));
    }
    let rows = sheet.facts.iter().map(|fact| {
        let required = if fact.required { "yes" } else { "no" };
        vec![fact.name.to_owned(), required.to_owned(), fact.words.clone()]
    });
    let columns =
        vec![Column::words("Fact"), Column::words("Required"), Column::words("What it is")];
    section
        .with(Block::Paragraph("What a round tells of its table, beside the wagers:".to_owned()))
        .with(Block::Table(Table { columns, rows: rows.collect() }))
}

fn house_way(sheet: &Sheet) -> Section {
    let way = &sheet.house_way;
    let clauses = way
        .clauses
        .iter()
        .map(|clause| (Name { id: clause.id.clone(), title: None }, clean(&clause.text)));
    let from = format!("{}. Source: {}.", clean(&way.title), clean(&way.source));
    Section::new(format!("House way {}", way.id))
        .with(Block::Paragraph(from))
        .with(Block::Paragraph(
            "Each hand is set by one of these sentences of the source, which is cited with it by \
             its id, or by two of them with a slash between."
                .to_owned(),
        ))
        .with(Block::Defined { heads: ["Clause", "Sentence"], items: clauses.collect() })
}
