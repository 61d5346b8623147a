//! Published figures beside the exact ones.

use serde::Serialize;

use super::exact::ParFraction;
use super::published::{PublishedFigure, PublishedTable, sources};
use crate::rules::figures::grouped;
use paigow_exact::{Outcomes, base_game, stored_counts};
use paigow_rules::game::{
    BetId, BetSubject, BonusBet, Condition, Fraction, PayRow, RowCounts, RowPayment, Ruleset, Term,
    Titles,
};
use paigow_rules::hands::Wheel;
use paigow_rules::house_way;

/// The figures that the sources print of a ruleset.
#[derive(Debug, Serialize)]
pub struct Reconciliation {
    /// How many equal the exact one to the last printed digit.
    pub matching: usize,
    /// How many differ with an explanation.
    pub explained: usize,
    /// How many differ without an explanation.
    pub differing: usize,
    /// The figures in the order of the sources.
    pub figures: Vec<ReconciledFigure>,
}

/// A published figure beside the exact one.
#[derive(Debug, Serialize)]
pub struct ReconciledFigure {
    /// The source that prints it.
    pub source: String,
    /// The place in the source.
    pub table: String,
    /// The bet.
    pub bet: String,
    /// Which hands it is of.
    pub of: String,
    /// The kind of the figure.
    pub figure: String,
    /// The printed text.
    pub printed: String,
    /// The exact value; null if the ruleset has no such figure.
    pub exact: Option<ParFraction>,
    /// The exact value in the form and to the last digit of the printed text.
    pub as_printed: Option<String>,
    /// Whether they are the same.
    pub verdict: ReconciliationVerdict,
    /// The explanation of a difference.
    pub why: Option<String>,
}

/// Whether a printed figure is the exact one.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReconciliationVerdict {
    /// To its last digit.
    Matches,
    /// It differs, with an explanation.
    Explained,
    /// It is not.
    Differs,
}

impl ReconciliationVerdict {
    /// Returns the word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Matches => "matches",
            Self::Explained => "explained",
            Self::Differs => "differs",
        }
    }
}

impl Reconciliation {
    /// Compares every published figure of a ruleset with its exact value, by its id.
    pub(super) fn of(ruleset: &Ruleset) -> Self {
        let mut figures = Vec::new();
        for source in sources() {
            let tables = source.tables.iter();
            for table in tables.filter(|table| table.rulesets.iter().any(|id| id == ruleset.id())) {
                figures.extend(table.figures.iter().map(|figure| {
                    let exact = match BetId::from_name(&table.bet) {
                        Some(BetId::BASE) if figure.figure == "edge" => base_edge(ruleset),
                        Some(BetId::BASE) => of_house_way(figure),
                        Some(bet) => ruleset
                            .bonus_bet(bet)
                            .and_then(|bet| value(figure, table, bet, ruleset.hand_cards())),
                        None => None,
                    };
                    reconciled(&source.source, table, figure, exact)
                }));
            }
        }
        let how_many = |verdict| {
            figures.iter().filter(|one: &&ReconciledFigure| one.verdict == verdict).count()
        };
        Self {
            matching: how_many(ReconciliationVerdict::Matches),
            explained: how_many(ReconciliationVerdict::Explained),
            differing: how_many(ReconciliationVerdict::Differs),
            figures,
        }
    }
}

fn reconciled(
    source: &str,
    table: &PublishedTable,
    figure: &PublishedFigure,
    exact: Option<Fraction>,
) -> ReconciledFigure {
    let as_printed = exact.and_then(|exact| as_printed(exact, &figure.printed));
    let verdict = if as_printed.as_deref() == Some(figure.printed.as_str()) {
        ReconciliationVerdict::Matches
    } else if as_printed.is_some() && as_printed == figure.exact {
        ReconciliationVerdict::Explained
    } else {
        ReconciliationVerdict::Differs
    };
    ReconciledFigure {
        source: source.to_owned(),
        table: table.title.clone(),
        bet: table.bet.clone(),
        of: figure.of.clone(),
        figure: figure.figure.clone(),
        printed: figure.printed.clone(),
        exact: exact.map(ParFraction),
        as_printed,
        verdict,
        why: figure.why.clone().filter(|_| verdict == ReconciliationVerdict::Explained),
    }
}

/// Returns the value in the form of a printed figure: with the same decimal places, as a
/// percentage, or as a whole number with commas.
fn as_printed(value: Fraction, printed: &str) -> Option<String> {
    let (digits, percent) = match printed.strip_suffix('%') {
        Some(digits) => (digits, "%"),
        None => (printed, ""),
    };
    let scaled = if percent.is_empty() { value } else { value.times(Fraction::from(100))? };
    match digits.split_once('.') {
        Some((_, decimals)) => Some(format!("{}{percent}", scaled.decimal(decimals.len()))),
        None if scaled.den() == 1 => Some(format!("{}{percent}", grouped(scaled.num()))),
        None => None,
    }
}

/// Returns the house edge of the base wager, the ruleset's house way setting both hands.
fn base_edge(ruleset: &Ruleset) -> Option<Fraction> {
    let way = house_way::shipped().iter().find(|way| way.id() == ruleset.house_way().id)?;
    base_game(ruleset, way, way)?.readings.first()?.returns.edge()
}

/// Returns the exact value of a figure of a house way that sets both hands.
fn of_house_way(figure: &PublishedFigure) -> Option<Fraction> {
    let (id, wheel) = match figure.of.strip_suffix(" lowest") {
        Some(id) => (id, Wheel::Lowest),
        None => (figure.of.as_str(), Wheel::Second),
    };
    let counts = stored_counts().iter().find(|counts| {
        counts.player == id && counts.dealer == id && counts.ranking == wheel.into()
    })?;
    let outcomes = Outcomes::of(&counts.grids.all);
    let share = |pairs: u128| {
        Fraction::new(i128::try_from(pairs).ok()?, i128::try_from(outcomes.pairs()).ok()?)
    };
    match figure.figure.as_str() {
        "win" => share(outcomes.win),
        "push" => share(outcomes.push),
        "lose" => share(outcomes.lose),
        "edge_with_commission" => {
            share(outcomes.lose)?.minus(share(outcomes.win)?.times(Fraction::new(19, 20)?)?)
        }
        _ => None,
    }
}

/// Returns the exact value of a printed figure, or [`None`] if the bet has no such figure.
fn value(
    figure: &PublishedFigure,
    table: &PublishedTable,
    bet: &BonusBet,
    cards: usize,
) -> Option<Fraction> {
    if let Some(players) = figure.figure.strip_prefix("edge_of_players ") {
        let others: u8 = players.parse::<u8>().ok()?.checked_sub(1)?;
        return Fraction::ONE.minus(bet.exact_return(cards)?.plus(to_others(bet, cards, others)?)?);
    }
    let counts = bet.row_counts(cards)?;
    let share = |hands: u64| Fraction::new(hands.into(), counts.total.into());
    match figure.figure.as_str() {
        "hands" => Fraction::new(hands(figure, table, bet, &counts, cards)?.into(), 1),
        "probability" => share(hands(figure, table, bet, &counts, cards)?),
        "edge" => Fraction::ONE.minus(bet.exact_return(cards)?),
        "return_with_stake" => {
            let row = row_of(figure, bet)?;
            share(counts.rows[row])?.times(bet.rows[row].pays.handed_back()?)
        }
        "net" => net(figure, table, bet, &counts, cards),
        "to_others" => match figure.of.as_str() {
            "all" => to_others(bet, cards, 1),
            "no_others" => Some(Fraction::ZERO),
            _ => {
                let row = row_of(figure, bet)?;
                let amount = bet.rows[row].to_others.unwrap_or(0);
                let threshold = bet.to_others.as_ref()?.threshold;
                share(counts.rows[row])?.times(Fraction::new(amount.into(), threshold.into())?)
            }
        },
        _ => None,
    }
}

/// Returns the average that the hands of other seats win per unit of the least stake that
/// qualifies.
pub(super) fn to_others(bet: &BonusBet, cards: usize, others: u8) -> Option<Fraction> {
    let stake = bet.to_others.as_ref()?.threshold.max(bet.limits.minimum);
    bet.exact_to_others(cards)?.times(Fraction::new(others.into(), stake.into())?)
}

fn net(
    figure: &PublishedFigure,
    table: &PublishedTable,
    bet: &BonusBet,
    counts: &RowCounts,
    cards: usize,
) -> Option<Fraction> {
    if figure.of == "all" {
        return bet.exact_return(cards)?.minus(Fraction::ONE);
    }
    let hands = hands(figure, table, bet, counts, cards)?;
    let each = match row_of(figure, bet) {
        Some(row) => bet.rows[row].pays.won()?,
        None => Fraction::from(-1),
    };
    Fraction::new(hands.into(), counts.total.into())?.times(each)
}

fn row_of(figure: &PublishedFigure, bet: &BonusBet) -> Option<usize> {
    bet.rows.iter().position(|row| row.id == figure.of)
}

/// Returns the number of hands of a figure.
fn hands(
    figure: &PublishedFigure,
    table: &PublishedTable,
    bet: &BonusBet,
    counts: &RowCounts,
    cards: usize,
) -> Option<u64> {
    match figure.of.as_str() {
        "all" => Some(counts.total),
        "losing" => Some(counts.losing),
        "losing rest" => {
            let named = table.figures.iter().filter_map(|other| {
                let condition = other.of.strip_prefix("losing ")?;
                (other.figure == figure.figure && condition != "rest").then_some(condition)
            });
            let mut rest = counts.losing;
            for condition in named {
                rest = rest.checked_sub(losing_with(condition, bet, cards)?)?;
            }
            Some(rest)
        }
        "no_others" => {
            let rows = bet.rows.iter().zip(&counts.rows);
            let others: u64 =
                rows.filter(|(row, _)| row.to_others.is_none()).map(|(_, hands)| *hands).sum();
            Some(others + counts.losing)
        }
        of => match of.strip_prefix("losing ") {
            Some(condition) => losing_with(condition, bet, cards),
            None => row_of(figure, bet).map(|row| counts.rows[row]),
        },
    }
}

/// Returns how many losing hands meet all of some terms, with ` and ` between them. A row below all
/// others would pay these hands.
fn losing_with(terms: &str, bet: &BonusBet, cards: usize) -> Option<u64> {
    let hand_cards = u8::try_from(cards).ok()?;
    let term = |text: &str| Term::parse(text, BetSubject::SeatHand, hand_cards);
    let terms = terms.split(" and ").map(term).collect::<Option<Vec<Term>>>()?;
    let condition = Condition::new([terms])?;
    let mut with_row = bet.clone();
    with_row.rows.push(PayRow {
        id: String::new(),
        title: String::new(),
        titles: Titles::new(),
        pays: RowPayment::Push,
        condition,
        to_others: None,
        notify_floor: false,
    });
    with_row.row_counts(cards)?.rows.last().copied()
}
