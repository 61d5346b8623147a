//! The deviation of the return of many wagers from its average.

use serde::Serialize;

use super::exact::{ParCount, ParFraction, ResultSpread};
use super::sheet::{BasePar, BetPar, ReadingPar};
use paigow_rules::game::Fraction;

/// The numbers of wagers that have intervals.
const WAGERS: [i64; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// How many decimal places the figures have.
const PLACES: usize = 6;

/// 90 % of a normal distribution is within this many standard deviations: 1.644853627.
const NINETY: (i128, i128) = (1_644_853_627, 1_000_000_000);

/// The same for 95 %: 1.959963985.
const NINETY_FIVE: (i128, i128) = (1_959_963_985, 1_000_000_000);

/// The number of expected results from which the normal distribution fits.
const EXPECTED: i64 = 10;

/// The return of many wagers on one bet, by the normal distribution.
#[derive(Clone, Debug, Serialize)]
pub struct ManyRoundsPar {
    /// The bet, and how it is played: `Base wager by best play`.
    pub bet: String,
    /// The standard deviation per unit staked, times 1.644853627, cut to six places. The return of
    /// 90 % of samples of n wagers is the average plus or minus this, divided by the square root of
    /// n.
    pub volatility_index: String,
    /// The number of wagers from which the rarest result is expected ten times. With fewer wagers,
    /// the intervals are too narrow.
    pub fit_from: ParCount,
    /// By the number of wagers, rising.
    pub intervals: Vec<ReturnInterval>,
}

/// The range in which 95 % of samples of this many wagers return.
#[derive(Clone, Debug, Serialize)]
pub struct ReturnInterval {
    /// How many wagers of one stake, each in a round of its own.
    pub wagers: ParCount,
    /// The least return per unit staked, to six places.
    pub low: String,
    /// The highest likewise.
    pub high: String,
}

/// Returns the figures of every bet whose variance is known.
pub(super) fn of(base: &BasePar, bonus_bets: &[BetPar]) -> Vec<ManyRoundsPar> {
    let reading = |name: &str, reading: &ReadingPar| {
        let rates = [reading.win_rate, reading.push_rate, reading.loss_rate];
        many_rounds(name, reading.returned, &reading.spread, rates)
    };
    let by_house_way = base.own.as_ref().and_then(|own| own.readings.first());
    let bonus = |bet: &BetPar| {
        let figures = bet.figures.as_ref()?;
        let rows = bet.rows.iter().filter_map(|row| Some(row.figures?.probability));
        let rates = rows.chain([figures.loss_rate]);
        many_rounds(&bet.title, figures.returned, &figures.spread, rates)
    };
    let by_house_way = by_house_way.and_then(|way| reading("Base wager by house way", way));
    let best = base.best_play.as_ref();
    let best = best.and_then(|best| reading("Base wager by best play", best));
    by_house_way.into_iter().chain(best).chain(bonus_bets.iter().filter_map(bonus)).collect()
}

fn many_rounds(
    bet: &str,
    returned: ParFraction,
    spread: &ResultSpread,
    rates: impl IntoIterator<Item = ParFraction>,
) -> Option<ManyRoundsPar> {
    let deviation = from_decimal(&spread.deviation)?;
    // To twelve places, because the fraction itself may be too large to compute with.
    let returned = from_decimal(&returned.0.decimal(12))?;
    let times = |(num, den)| deviation.times(Fraction::new(num, den)?);
    let rarest = rates.into_iter().map(|rate| rate.0).filter(|rate| rate.num() > 0);
    let rarest = rarest.min()?;
    let interval = |wagers: i64| {
        let root = Fraction::from(wagers).square_root(12)?;
        let half = times(NINETY_FIVE)?.times(Fraction::new(root.den(), root.num())?)?;
        // Rounded first, so that both ends have the same distance from the average.
        let half = from_decimal(&half.decimal(12))?;
        Some(ReturnInterval {
            wagers: ParCount(wagers.into()),
            low: returned.minus(half)?.decimal(PLACES),
            high: returned.plus(half)?.decimal(PLACES),
        })
    };
    let needed = rarest.den().checked_mul(EXPECTED.into())?;
    Some(ManyRoundsPar {
        bet: bet.to_owned(),
        volatility_index: times(NINETY)?.decimal(PLACES),
        fit_from: ParCount(needed.div_euclid(rarest.num()) + i128::from(needed % rarest.num() > 0)),
        intervals: WAGERS.into_iter().map(interval).collect::<Option<_>>()?,
    })
}

/// Reads a number with decimal places.
fn from_decimal(text: &str) -> Option<Fraction> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits: i128 = format!("{whole}{decimals}").parse().ok()?;
    Fraction::new(digits, 10_i128.checked_pow(u32::try_from(decimals.len()).ok()?)?)
}
