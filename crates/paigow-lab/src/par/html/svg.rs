//! Plots as SVG in the page. Every length is a fraction of the width, in whole numbers. The style
//! sheet has colours and type.

use super::escaped;
use super::log::{DECADE, rarity};
use crate::par::plots::{EdgeBar, Plot, PlotShape, ResultBar, ReturnBar};
use crate::rules::figures::grouped;
use paigow_rules::game::{BaseOutcome, Fraction};

/// The width of a picture.
const WIDTH: i64 = 760;
/// The start of the bars, behind their names.
const LEFT: i64 = 190;
/// The length of the longest bar, before its figure.
const LENGTH: i64 = 450;
/// From bar to bar.
const STEP: i64 = 30;
/// How high a bar is.
const BAR: i64 = 20;
/// The approximate width of a letter.
const LETTER: i64 = 7;

/// Writes a plot with its title, and its text for readers who do not see it.
pub(super) fn figure(plot: &Plot, page: &str) -> String {
    let id = format!("{page}-{}", escaped(&plot.id));
    let (height, drawn) = match &plot.drawn {
        PlotShape::Returns(bars) => stacked(bars, true),
        PlotShape::Shares(bars) => stacked(bars, false),
        PlotShape::Results(bars) => results(bars),
        PlotShape::Edges(bars) => edges(bars),
    };
    let (title, description) = (escaped(&plot.title), escaped(&plot.description));
    format!(
        "<figure>\n<figcaption>{title}</figcaption>\n<div class=\"plot\">\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-t {id}-d\">\n<title id=\"{id}-t\">{title}</title>\n\
         <desc id=\"{id}-d\">{description}</desc>\n{drawn}</svg>\n</div>\n</figure>\n"
    )
}

/// Returns a share of the longest bar, with one decimal place.
fn length(share: Fraction) -> Fraction {
    share.times(Fraction::from(LENGTH)).unwrap_or(Fraction::ZERO)
}

fn at(x: Fraction) -> String {
    Fraction::from(LEFT).plus(x).map_or_else(|| LEFT.to_string(), |x| x.decimal(1))
}

fn name(label: &str, y: i64) -> String {
    format!(
        "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>\n",
        LEFT - 10,
        y + 14,
        escaped(&cut(label, 26))
    )
}

/// Returns a label of at most this many letters.
fn cut(label: &str, most: usize) -> String {
    if label.chars().count() <= most {
        return label.to_owned();
    }
    let head: String = label.chars().take(most - 1).collect();
    format!("{}\u{2026}", head.trim_end())
}

fn behind(words: &str, y: i64, x: &str) -> String {
    format!("<text class=\"value\" x=\"{x}\" y=\"{}\" dx=\"8\">{}</text>\n", y + 14, escaped(words))
}

/// Draws bars of shares of 1. In bars of returns, the rest is the house's.
fn stacked(bars: &[ReturnBar], has_house: bool) -> (i64, String) {
    let mut text = String::new();
    let mut top = 24;
    let ticks = [(0, "0"), (25, "25 %"), (50, "50 %"), (75, "75 %"), (100, "100 %")];
    let bottom = top + STEP * i64::try_from(bars.len()).unwrap_or(0);
    for (percent, words) in ticks {
        let x = at(length(Fraction::new(percent, 100).unwrap_or(Fraction::ZERO)));
        text += &format!(
            "<line class=\"grid\" x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{bottom}\"/>\n\
             <text class=\"tick\" x=\"{x}\" y=\"14\">{words}</text>\n",
            top - 4
        );
    }
    for bar in bars {
        text += &name(&bar.label, top);
        let mut from = Fraction::ZERO;
        for (place, part) in bar.parts.iter().enumerate() {
            let class = match part.label.as_str() {
                "Win" if !has_house => "won",
                "Push" => "push",
                "Lose" => "lost",
                _ if place % 2 == 0 => "won",
                _ => "won other",
            };
            text += &segment(class, &part.label, from, part.value, top);
            from = from.plus(part.value).unwrap_or(from);
        }
        if has_house && let Some(house) = Fraction::ONE.minus(from).filter(|left| left.num() > 0) {
            text += &segment("house", "House", from, house, top);
        }
        text += &behind(&bar.figure, top, &at(length(from.max(Fraction::ONE))));
        top += STEP;
    }
    (bottom + 4, text)
}

fn segment(class: &str, label: &str, from: Fraction, share: Fraction, y: i64) -> String {
    let (x, width) = (at(length(from)), length(share));
    let percent = share.times(Fraction::from(100)).map_or_else(String::new, |p| p.decimal(2));
    let told = format!("{label} {percent} %");
    let mut text = format!(
        "<g class=\"{class}\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" \
         height=\"{BAR}\"/>",
        escaped(&told),
        width.decimal(1)
    );
    let room = |words: &str| {
        let letters = i64::try_from(words.chars().count()).unwrap_or(i64::MAX);
        Fraction::from(letters.saturating_mul(LETTER).saturating_add(8)) <= width
    };
    if room(label)
        && let Some(middle) = Fraction::new(1, 2)
            .and_then(|half| width.times(half))
            .and_then(|h| h.plus(length(from)))
    {
        let words = if room(&told) { &told } else { label };
        text += &format!("<text x=\"{}\" y=\"{}\">{}</text>", at(middle), y + 14, escaped(words));
    }
    text + "</g>\n"
}

/// Bars of probabilities on a scale of powers of ten.
fn results(bars: &[ResultBar]) -> (i64, String) {
    let seen: Vec<(&ResultBar, u64)> =
        bars.iter().filter_map(|bar| Some((bar, rarity(bar.probability)?))).collect();
    let rarest = seen.iter().map(|(_, rarity)| *rarity).max().unwrap_or(0);
    // The rarest result still has a visible bar.
    let decades = (rarest + DECADE / 8) / DECADE + 1;
    let place = |rarity: u64| {
        let span = decades * DECADE;
        Fraction::new(i128::from(span - rarity), span.into()).map_or(Fraction::ZERO, length)
    };
    let mut text = String::new();
    let mut top = 24;
    let bottom = top + STEP * i64::try_from(seen.len()).unwrap_or(0);
    for decade in 0..=decades {
        let x = at(place(decade * DECADE));
        text += &format!(
            "<line class=\"grid\" x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{bottom}\"/>\n\
             <text class=\"tick\" x=\"{x}\" y=\"14\">{}</text>\n",
            top - 4,
            power(decade)
        );
    }
    for (bar, rarity) in seen {
        let class = match bar.outcome {
            BaseOutcome::Win => "won",
            BaseOutcome::Push => "push",
            BaseOutcome::Lose => "lost",
        };
        let width = place(rarity);
        text += &name(&bar.label, top);
        text += &format!(
            "<g class=\"{class}\"><rect x=\"{LEFT}\" y=\"{top}\" width=\"{}\" height=\"{BAR}\"/>\
             </g>\n",
            width.decimal(1)
        );
        text += &behind(&one_in(bar.probability), top, &at(width));
        top += STEP;
    }
    (bottom + 4, text)
}

/// Returns a power of ten below 1 in letters.
fn power(decade: u64) -> String {
    const RAISED: [char; 10] = [
        '\u{2070}', '\u{b9}', '\u{b2}', '\u{b3}', '\u{2074}', '\u{2075}', '\u{2076}', '\u{2077}',
        '\u{2078}', '\u{2079}',
    ];
    if decade == 0 {
        return "1".to_owned();
    }
    let digits = decade.to_string();
    let raised = digits.chars().filter_map(|digit| {
        digit.to_digit(10).and_then(|digit| RAISED.get(usize::try_from(digit).ok()?))
    });
    format!("10\u{207b}{}", raised.collect::<String>())
}

fn one_in(probability: Fraction) -> String {
    let rarity = Fraction::new(probability.den(), probability.num()).unwrap_or(Fraction::ZERO);
    let places = usize::from(rarity < Fraction::from(100));
    let text = rarity.decimal(places);
    let (whole, tenth) = text.split_once('.').unwrap_or((&text, ""));
    let point = if tenth.is_empty() { "" } else { "." };
    format!("1 in {}{point}{tenth}", grouped(whole.parse::<i128>().unwrap_or(0)))
}

/// Draws bars of edges from 0. Those of the player's advantage go to the left.
fn edges(bars: &[EdgeBar]) -> (i64, String) {
    let most = bars.iter().map(|bar| bar.edge).max().unwrap_or(Fraction::ZERO).max(Fraction::ZERO);
    let least = bars.iter().map(|bar| bar.edge).min().unwrap_or(Fraction::ZERO).min(Fraction::ZERO);
    let span = most.minus(least).filter(|span| span.num() > 0).unwrap_or(Fraction::ONE);
    let scaled = |edge: Fraction| {
        let whole = Fraction::new(span.den(), span.num())?;
        edge.times(whole).map(length)
    };
    let zero = Fraction::ZERO.minus(least).and_then(scaled).unwrap_or(Fraction::ZERO);
    let mut text = String::new();
    let mut top = 6;
    let bottom = top + STEP * i64::try_from(bars.len()).unwrap_or(0);
    for bar in bars {
        let width = scaled(bar.edge).unwrap_or(Fraction::ZERO);
        let size = if width.num() < 0 { Fraction::ZERO.minus(width) } else { Some(width) };
        let from = if width.num() < 0 { zero.plus(width) } else { Some(zero) };
        let (size, from) = (size.unwrap_or(Fraction::ZERO), from.unwrap_or(zero));
        let class = if bar.is_own { "house" } else { "house other" };
        let percent =
            bar.edge.times(Fraction::from(100)).map_or_else(String::new, |p| p.decimal(4));
        text += &name(&bar.label, top);
        text += &format!(
            "<g class=\"{class}\"><rect x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{BAR}\"/></g>\n",
            at(from),
            size.decimal(1)
        );
        let end = from.plus(size).unwrap_or(from);
        text += &behind(&format!("{percent} %"), top, &at(end));
        top += STEP;
    }
    let x = at(zero);
    text += &format!("<line class=\"axis\" x1=\"{x}\" x2=\"{x}\" y1=\"2\" y2=\"{bottom}\"/>\n");
    (bottom + 4, text)
}
