//! The base game of a sheet, from the counts of pairs of hands.

use super::assembly::way_name;
use super::commission::WinLossRates;
use super::exact::{ParCount, ParFraction, ResultSpread};
use super::sheet::{BasePar, ComparisonPar, DoublingPar, ReadingPar, SidePar, WayPar};
use crate::rules::sheet::{NOT_COUNTED_EXPOSED, PayOdds};
use paigow_exact::{self, COMPARISONS, Doubling, Mark, PairCounts, Reading};
use paigow_round::ListedGame;
use paigow_rules::game::{Comparison, Fraction, Ruleset};
use paigow_rules::house_way::{self, HouseWay};

/// The base game, and the counts that other parts of a sheet need.
#[derive(Debug)]
pub(super) struct BaseGameCounts {
    pub(super) sheet: BasePar,
}

/// Returns the base game of a ruleset. `counted` are the counts of its house way on both sides, if
/// none are compiled in.
pub(super) fn base(game: &ListedGame, counted: Option<&PairCounts>) -> BaseGameCounts {
    let (ruleset, way) = (&game.ruleset, &game.house_way);
    let counted = counted.filter(|_| !ruleset.exposes_dealer());
    let counted = counted.and_then(|counts| paigow_exact::BaseGame::of(ruleset, counts));
    let base = counted.or_else(|| paigow_round::base_game(ruleset, way, way));
    let own = base.as_ref().and_then(|base| own(game, base));
    let sheet = BasePar {
        pays: PayOdds(ruleset.base().pays),
        without_figures: own.is_none().then(|| why_uncounted(ruleset)),
        own,
        best_play: best_play(game),
        players: sides(ruleset, |other| (other, way)),
        alike: sides(ruleset, |other| (other, other)),
    };
    BaseGameCounts { sheet }
}

/// Returns the reason why a sheet lacks the counts of the pairs of hands.
fn why_uncounted(ruleset: &Ruleset) -> String {
    if ruleset.exposes_dealer() {
        return NOT_COUNTED_EXPOSED.to_owned();
    }
    match Mark::of(ruleset) {
        Err(fault) => format!("The pairs of hands cannot be counted, by {fault}."),
        Ok(_) => "No counts of the pairs of hands under this house way and these rules are \
                  compiled in; paigow-lab par --count makes them."
            .to_owned(),
    }
}

impl BaseGameCounts {
    /// Returns how often a base wager wins and loses; [`None`] if it is not counted.
    pub(super) fn rates(&self) -> Option<WinLossRates> {
        let own = self.sheet.own.as_ref()?.readings.first()?;
        Some(WinLossRates { win: own.win_rate.0, lose: own.loss_rate.0 })
    }
}

/// Returns the results of each compiled-in way, if there are several for this number of cards.
/// `pair` makes a player's and a dealer's way of it.
fn sides<'a>(
    ruleset: &Ruleset,
    pair: impl Fn(&'a HouseWay) -> (&'a HouseWay, &'a HouseWay),
) -> Vec<SidePar> {
    let ways = house_way::shipped().iter().filter(|way| way.cards() == ruleset.hand_cards());
    let side = |way| {
        let (player, dealer) = pair(way);
        let base = paigow_round::base_game(ruleset, dealer, player)?;
        Some(SidePar {
            player: player.id().to_owned(),
            dealer: dealer.id().to_owned(),
            as_played: reading(base.readings.first()?, ruleset)?,
        })
    };
    let sides: Vec<SidePar> = ways.filter_map(side).collect();
    if sides.len() > 1 { sides } else { Vec::new() }
}

fn own(game: &ListedGame, base: &paigow_exact::BaseGame) -> Option<WayPar> {
    let all = pairs(base.counts.pairs())?;
    let mut comparisons = Vec::new();
    for high in COMPARISONS {
        for low in COMPARISONS {
            let pairs = pairs(base.compared(high, low))?;
            let probability = ParFraction(pairs.of(all)?);
            comparisons.push(ComparisonPar {
                high: name(high),
                low: name(low),
                pairs,
                probability,
            });
        }
    }
    let mut readings: Vec<ReadingPar> =
        base.readings.iter().map(|one| reading(one, &game.ruleset)).collect::<Option<_>>()?;
    // Behind the game by house way.
    readings.splice(1..1, best_play(game));
    Some(WayPar {
        way: way_name(&game.house_way_hash, &game.house_way),
        pairs: all,
        comparisons,
        readings,
    })
}

fn pairs(pairs: u128) -> Option<ParCount> {
    i128::try_from(pairs).ok().map(ParCount)
}

/// Returns the word for a comparison in a sheet.
const fn name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Win => "win",
        Comparison::Copy => "copy",
        Comparison::Lose => "lose",
    }
}

/// Returns the game of a player who sets every hand as it is worth most; [`None`] if it is not
/// counted.
fn best_play(game: &ListedGame) -> Option<ReadingPar> {
    let play = game.best_play()?;
    let pays = game.ruleset.base().pays;
    let pays = Fraction::new(pays.num().into(), pays.den().into())?;
    let kept = play.terms.pays.times(Fraction::new(pays.den(), pays.num())?)?;
    let doubled = Fraction::new(play.best.doubled.into(), play.best.hands.into())?;
    let played = Reading {
        id: "best-play",
        is_banker: false,
        commission: Fraction::ONE.minus(kept)?,
        doubling: game.ruleset.double_down().map(|_| Doubling::Optimal),
        doubled,
        returns: play.returns(&play.best)?,
    };
    reading(&played, &game.ruleset)
}

fn reading(reading: &Reading, ruleset: &Ruleset) -> Option<ReadingPar> {
    let (mut win, mut push, mut lose) = (0, 0, 0);
    for (net, pairs) in reading.returns.results() {
        *match net.cmp(&Fraction::ZERO) {
            std::cmp::Ordering::Greater => &mut win,
            std::cmp::Ordering::Equal => &mut push,
            std::cmp::Ordering::Less => &mut lose,
        } += pairs;
    }
    let all = pairs(reading.returns.pairs())?;
    let [win, push, lose] = [pairs(win)?, pairs(push)?, pairs(lose)?];
    let edge = reading.returns.edge()?;
    let doubling = match reading.doubling {
        None => None,
        Some(when) => Some(doubling(when, reading.doubled, edge)?),
    };
    Some(ReadingPar {
        id: reading.id,
        words: words(reading, ruleset),
        whose: if reading.is_banker { "banker" } else { "player" },
        commission: ParFraction(reading.commission),
        win,
        push,
        lose,
        win_rate: ParFraction(win.of(all)?),
        push_rate: ParFraction(push.of(all)?),
        loss_rate: ParFraction(lose.of(all)?),
        returned: ParFraction(Fraction::ONE.minus(edge)?),
        house_edge: ParFraction(edge),
        spread: ResultSpread::of(reading.returns.variance()?)?,
        doubling,
    })
}

fn doubling(when: Doubling, doubled: Fraction, edge: Fraction) -> Option<DoublingPar> {
    let staked = Fraction::ONE.plus(doubled)?;
    let per_staked = edge.times(Fraction::new(staked.den(), staked.num())?)?;
    Some(DoublingPar {
        when: match when {
            Doubling::Never => "never",
            Doubling::Always => "always",
            Doubling::Optimal => "optimal",
        },
        doubled: ParFraction(doubled),
        edge_per_staked: ParFraction(per_staked),
    })
}

/// Says what a reading is.
fn words(reading: &Reading, ruleset: &Ruleset) -> String {
    let whose = match (reading.id, reading.is_banker) {
        ("as-played", _) => "As the ruleset plays, by house way",
        ("best-play", _) if ruleset.exposes_dealer() => {
            "As the ruleset plays, by best play against the hand that the player sees"
        }
        ("best-play", _) => "As the ruleset plays, by best play",
        (id, false) if id.starts_with("banked") => "Against a player who banks",
        (_, false) => "A player's wager",
        (_, true) => "The one who banks, against one other seat",
    };
    let percent = reading.commission.times(Fraction::from(100));
    let commission = match percent {
        Some(percent) if percent.num() > 0 => {
            let digits = percent.decimal(6);
            let digits = digits.trim_end_matches('0').trim_end_matches('.').to_owned();
            format!("{digits} % of each win kept")
        }
        Some(_) | None => "no commission".to_owned(),
    };
    let push = match (reading.id, &ruleset.base().push) {
        ("push", _) | ("as-played" | "best-play", Some(_)) => {
            ", a push where the dealer's cards ask for it"
        }
        _ => "",
    };
    let doubled = match reading.doubling {
        None => "",
        Some(Doubling::Never) => ", never doubled",
        Some(Doubling::Always) => ", always doubled",
        Some(Doubling::Optimal) => ", doubled on the hands on which it pays",
    };
    format!("{whose}: {commission}{push}{doubled}")
}
