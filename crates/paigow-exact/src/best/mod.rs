//! The exact return of the base game for a player who sets every hand as it is worth most.
//!
//! The player knows his own cards alone. So each of his hands is weighed, with each of its legal
//! settings, against every hand of the cards that are left. The weight is a sum over the sets S of
//! cards of the hand. Each set adds `(-1)^|S|` times the dealer's hands that hold all of S and that
//! the setting beats, or loses to. Hands and sets that differ by a renaming of suits are the same
//! here.
//!
//! The sets are taken by their ranks. Each set of some ranks has its own table of the dealer's
//! hands. The player's hands that hold such a set have its ranks and others. A setting depends on
//! the class of a hand alone. So one look-up in a table serves all hands of a class.
//!
//! In some games the player sees the dealer's hand. There, a hand wins against each hand that one
//! of its settings beats. It loses to each hand that beats all of its settings.

mod counts;
mod dealer;
mod file;
mod hand;
mod joint;
mod player;
mod shared;
mod stored;
mod strategy;
mod tables;
#[cfg(test)]
mod tests;

use super::deck::SymmetricDeck;
use super::histogram::Histogram;
use super::holders::each_holder;
use super::mark::Mark;
use dealer::{DealerHands, DealerSpot, SettingPlace};
use paigow_rules::cards::Card;
use paigow_rules::game::{BetSubject, BonusBet, Fraction, Ruleset, SetHand};
use paigow_rules::hands::{HandClasses, Ranking};
use paigow_rules::house_way::HouseWay;
use player::{ClassHands, ClassedHands};
use shared::{SharedRanks, SuitPatterns};
use tables::DealerTable;

pub use counts::{BestPlay, ClauseDifference, Played};
pub use hand::{HandWorths, SettingWorth};
pub use joint::JointPlay;
pub(super) use player::legal_settings;
pub use stored::{best_play, best_plays, stored_best_play};
pub use strategy::PlayerStrategy;

/// The cards that a player knows when he sets his hand.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Sight {
    /// His own cards.
    OwnCards,
    /// His own cards, and the dealer's hand as it is set.
    BothHands,
}

/// The hands of the dealer that a base game settles otherwise.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum MarkedHands {
    /// None.
    Nothing,
    /// Every wager pushes on these.
    Push(Mark),
    /// These put a double down in action, at the odds of the base wager.
    Double(Mark),
}

/// The terms of a base game that the count needs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BestPlayTerms {
    /// Where A-2-3-4-5 ranks.
    pub ranking: Ranking,
    /// The payment of a win for each unit of the stake, before commission.
    pub pays: Fraction,
    /// Which hands of the dealer are settled otherwise, and how.
    pub marked: MarkedHands,
    /// The cards that the player knows.
    pub sight: Sight,
}

impl BestPlayTerms {
    /// Returns the terms of a ruleset's base game. Returns [`None`] if [`Mark::of`] refuses the
    /// ruleset, or if the terms overflow.
    #[must_use]
    pub fn of(ruleset: &Ruleset) -> Option<Self> {
        let mark = Mark::of(ruleset).ok()?;
        let base = ruleset.base();
        let pays = Fraction::new(base.pays.num().into(), base.pays.den().into())?;
        let kept = match base.commission {
            Some(commission) => {
                let rate =
                    Fraction::new(commission.rate.num().into(), commission.rate.den().into());
                Fraction::ONE.minus(rate?)?
            }
            None => Fraction::ONE,
        };
        Some(Self {
            ranking: ruleset.ranking(),
            pays: pays.times(kept)?,
            marked: match (&base.push, ruleset.double_down()) {
                (_, Some(_)) => MarkedHands::Double(mark),
                (Some(_), None) => MarkedHands::Push(mark),
                (None, None) => MarkedHands::Nothing,
            },
            sight: if ruleset.exposes_dealer() { Sight::BothHands } else { Sight::OwnCards },
        })
    }

    /// Returns the worth of a result, in parts of a stake that are equal for all hands.
    fn worth(&self, won: i64, lost: i64) -> i128 {
        i128::from(won) * self.pays.num() - i128::from(lost) * self.pays.den()
    }

    /// Returns how many sums each setting has: its wins and losses, and those of a double down.
    fn sums(&self) -> usize {
        if self.doubles() { 4 } else { 2 }
    }

    const fn pushes(&self) -> bool {
        matches!(self.marked, MarkedHands::Push(_))
    }

    const fn doubles(&self) -> bool {
        matches!(self.marked, MarkedHands::Double(_))
    }
}

/// A part of a count: some sets of shared cards.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct BestPlayTask {
    shared: usize,
    first: usize,
    end: usize,
}

/// The sums that some parts have computed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BestPlayPart(Vec<i32>);

impl BestPlayPart {
    /// Adds the sums of another part.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*more);
        }
    }
}

/// The count of best play against a dealer's house way, cut into tasks. They can run on many
/// threads, in any order, with the same result.
#[derive(Debug)]
pub struct BestPlayCount(CountedHands);

#[derive(Debug)]
enum CountedHands {
    Six(Count<6>),
    Seven(Count<7>),
}

impl BestPlayCount {
    /// Prepares the count of a ruleset's base game against `dealer`, and of the cost to a player
    /// who sets by `player` instead.
    ///
    /// Returns [`None`] if a way sets another number of cards than the ruleset deals, or if
    /// [`Mark::of`] refuses the ruleset.
    #[must_use]
    pub fn new(ruleset: &Ruleset, player: &HouseWay, dealer: &HouseWay) -> Option<Self> {
        Self::with_strategies(ruleset, player, dealer, &[])
    }

    /// Prepares the same count, and also that of some strategies: see [`Self::strategies`].
    ///
    /// Also returns [`None`] if a strategy sets another number of cards, or if its setting is foul.
    #[must_use]
    pub fn with_strategies(
        ruleset: &Ruleset,
        player: &HouseWay,
        dealer: &HouseWay,
        strategies: &[&dyn PlayerStrategy],
    ) -> Option<Self> {
        Self::prepared(ruleset, [player, dealer], strategies, None)
    }

    /// Prepares the count of a player who sets every hand as it is worth most for the base wager and a
    /// wager on `bet`, both of one stake: see [`Self::joint_play`].
    ///
    /// Returns [`None`] likewise, for a bet that looks at anything else than the seat's set hands, and
    /// where the player sees the dealer's hand.
    #[must_use]
    pub fn with_bet(ruleset: &Ruleset, dealer: &HouseWay, bet: &BonusBet) -> Option<Self> {
        let is_counted = bet.looks_at == BetSubject::SeatSetHands && !ruleset.exposes_dealer();
        if !is_counted {
            return None;
        }
        Self::prepared(ruleset, [dealer, dealer], &[], Some(bet))
    }

    fn prepared(
        ruleset: &Ruleset,
        ways: [&HouseWay; 2],
        strategies: &[&dyn PlayerStrategy],
        bet: Option<&BonusBet>,
    ) -> Option<Self> {
        let (mark, terms) = (Mark::of(ruleset).ok()?, BestPlayTerms::of(ruleset)?);
        let deck = SymmetricDeck::full();
        let counted = if ruleset.hand_cards() == 6 {
            let is_marked = |cards: &[_; 6], set| mark.is_on(ruleset, cards, set);
            let classes = HandClasses::<6>::get();
            let asked = (strategies, bet);
            CountedHands::Six(Count::new(deck, classes, ways, asked, terms, is_marked)?)
        } else {
            let is_marked = |cards: &[_; 7], set| mark.is_on(ruleset, cards, set);
            let classes = HandClasses::<7>::get();
            let asked = (strategies, bet);
            CountedHands::Seven(Count::new(deck, classes, ways, asked, terms, is_marked)?)
        };
        Some(Self(counted))
    }

    /// Returns the tasks.
    #[must_use]
    pub fn tasks(&self) -> Vec<BestPlayTask> {
        match &self.0 {
            CountedHands::Six(count) => count.tasks(),
            CountedHands::Seven(count) => count.tasks(),
        }
    }

    /// Returns the empty part: some hundreds of megabytes.
    #[must_use]
    pub fn nothing(&self) -> BestPlayPart {
        match &self.0 {
            CountedHands::Six(count) => count.nothing(),
            CountedHands::Seven(count) => count.nothing(),
        }
    }

    /// Runs one task and adds its result to `part`.
    pub fn run(&self, task: &BestPlayTask, part: &mut BestPlayPart) {
        match &self.0 {
            CountedHands::Six(count) => count.run(task, part),
            CountedHands::Seven(count) => count.run(task, part),
        }
    }

    /// Returns the counts from the sum of all parts.
    #[must_use]
    pub fn finish(&self, sum: &BestPlayPart) -> BestPlay {
        match &self.0 {
            CountedHands::Six(count) => count.finish(sum),
            CountedHands::Seven(count) => count.finish(sum),
        }
    }

    /// Returns the results of base wager and bet, from the sum of all parts. Returns [`None`] if
    /// the count has no bet, or if a figure overflows.
    #[must_use]
    pub fn joint_play(&self, sum: &BestPlayPart, bet: &BonusBet) -> Option<JointPlay> {
        match &self.0 {
            CountedHands::Six(count) => count.joint_play(sum, bet),
            CountedHands::Seven(count) => count.joint_play(sum, bet),
        }
    }

    /// Returns the result of each of the strategies, from the sum of all parts.
    /// [`BestPlay::returns`] computes an edge from it. Empty if the player sees the dealer's hand.
    #[must_use]
    pub fn strategies(&self, sum: &BestPlayPart) -> Vec<Played> {
        match &self.0 {
            CountedHands::Six(count) => count.strategies(sum),
            CountedHands::Seven(count) => count.strategies(sum),
        }
    }
}

/// The count over the hands of `N` cards of a deck.
#[derive(Debug)]
struct Count<const N: usize> {
    deck: SymmetricDeck,
    classes: &'static HandClasses<N>,
    terms: BestPlayTerms,
    dealer: DealerHands<N>,
    player: ClassedHands,
    /// By their number of cards.
    shared: Vec<Vec<SharedRanks>>,
    /// The same, without the joker.
    patterns: Vec<SuitPatterns>,
}

/// About how many tasks there are for each number of shared cards.
const TASKS: usize = 64;

/// The dealer's hands that hold a set of cards.
#[derive(Debug)]
struct Holders {
    /// Those against which a wager wins or loses.
    settled: DealerTable,
    /// Those that put a double down in action, if the game has one.
    marked: Option<DealerTable>,
}

impl<const N: usize> Count<N> {
    fn new(
        deck: SymmetricDeck,
        classes: &'static HandClasses<N>,
        [player, dealer]: [&HouseWay; 2],
        (strategies, bet): (&[&dyn PlayerStrategy], Option<&BonusBet>),
        terms: BestPlayTerms,
        is_marked: impl Fn(&[Card; N], SetHand) -> bool,
    ) -> Option<Self> {
        let dealer = DealerHands::of(classes, dealer, terms.ranking, is_marked)?;
        let ways = (player, strategies);
        let player = ClassedHands::of(&deck, classes, &dealer, ways, &terms, bet)?;
        Some(Self {
            shared: (0..N).map(|len| SharedRanks::all(&deck, len)).collect(),
            patterns: (0..N).map(SuitPatterns::of).collect(),
            deck,
            classes,
            terms,
            dealer,
            player,
        })
    }

    fn tasks(&self) -> Vec<BestPlayTask> {
        let of = |(shared, ranks): (usize, &Vec<SharedRanks>)| {
            let step = ranks.len().div_ceil(TASKS).max(1);
            let end = ranks.len();
            (0..end).step_by(step).map(move |first| BestPlayTask {
                shared,
                first,
                end: end.min(first + step),
            })
        };
        self.shared.iter().enumerate().flat_map(of).collect()
    }

    fn nothing(&self) -> BestPlayPart {
        BestPlayPart(vec![0; self.player.sums])
    }

    fn run(&self, task: &BestPlayTask, part: &mut BestPlayPart) {
        let mut histogram = Histogram::new(self.dealer.spots.len());
        for shared in &self.shared[task.shared][task.first..task.end] {
            self.add(shared, &mut histogram, &mut part.0);
        }
    }

    /// Adds the part of all sets of some ranks.
    fn add(&self, shared: &SharedRanks, histogram: &mut Histogram, sums: &mut [i32]) {
        let patterns = &self.patterns[shared.naturals()];
        // By pattern, then by table.
        let mut table_of: Vec<Option<usize>> = vec![None; patterns.patterns.len()];
        let mut tables: Vec<(u64, Holders)> = Vec::new();
        let mut places = Vec::new();
        let (mut values, mut value_of) = (Vec::new(), Vec::new());
        shared.each_more(&self.deck, N - shared.len(), &mut |hand| {
            let classes = self.player.of_shape(hand.shape(self.classes));
            if classes.is_empty() {
                return;
            }
            shared.places_in(hand, &mut places);
            for class in classes {
                values.clear();
                value_of.clear();
                value_of.resize(tables.len(), None);
                let width = class.width;
                let hands = &self.player.hands[class.first..][..class.len];
                let of_class = sums[class.first_sum..][..class.len * width].chunks_exact_mut(width);
                for ((suits, _), sums) in hands.iter().zip(of_class) {
                    for places in &places {
                        let pattern = patterns.number(*suits, &places[..shared.naturals()]);
                        let table = *table_of[pattern].get_or_insert_with(|| {
                            let suits = &patterns.patterns[pattern];
                            self.table(shared, suits, histogram, &mut tables)
                        });
                        if table >= value_of.len() {
                            value_of.resize(table + 1, None);
                        }
                        let first = *value_of[table].get_or_insert_with(|| {
                            let first = values.len();
                            self.weigh(class, &tables[table].1, shared.len(), &mut values);
                            first
                        });
                        for (sum, value) in sums.iter_mut().zip(&values[first..]) {
                            *sum = sum.wrapping_add(*value);
                        }
                    }
                }
            }
        });
    }

    /// Returns the number of the table of some cards, which is made if it does not exist.
    fn table(
        &self,
        shared: &SharedRanks,
        suits: &[u8],
        histogram: &mut Histogram,
        tables: &mut Vec<(u64, Holders)>,
    ) -> usize {
        let set = shared.set(&self.deck, suits);
        if let Some(known) = tables.iter().position(|(cards, _)| *cards == set.cards()) {
            return known;
        }
        each_holder(&self.deck, set, N, &self.dealer.lookup, &mut |spot, hands| {
            histogram.add(spot, hands)
        });
        let mut held = Vec::new();
        histogram.take(&mut held);
        let held: Vec<(DealerSpot, u32)> =
            held.iter().map(|(spot, hands)| (self.dealer.spots[*spot as usize], *hands)).collect();
        let of = |is_in: fn(&DealerSpot) -> bool| {
            let hands: Vec<_> = held.iter().filter(|(spot, _)| is_in(spot)).copied().collect();
            DealerTable::of(&hands, self.dealer.sizes())
        };
        let settled = if self.terms.pushes() { of(|spot| !spot.is_marked) } else { of(|_| true) };
        let marked = self.terms.doubles().then(|| of(|spot| spot.is_marked));
        tables.push((set.cards(), Holders { settled, marked }));
        tables.len() - 1
    }

    /// Appends the wins and losses of every setting of a class against some hands of the dealer,
    /// with the sign of the part.
    fn weigh(&self, class: &ClassHands, holders: &Holders, shared: usize, values: &mut Vec<i32>) {
        let sign = if shared.is_multiple_of(2) { 1 } else { -1 };
        let mut push = |(won, lost): (u32, u32)| {
            values.extend([won, lost].map(|hands| sign * hands.cast_signed()));
        };
        let settings = self.player.settings_of(class);
        if self.terms.sight == Sight::BothHands {
            return push(weigh_all(settings, |place| holders.settled.weigh(place)));
        }
        for setting in settings {
            push(holders.settled.weigh(*setting));
            if let Some(marked) = &holders.marked {
                push(marked.weigh(*setting));
            }
        }
    }

    /// Returns the wins and losses of the settings of a class against the same hand, as the dealer
    /// sets it.
    fn against_itself(&self, class: &ClassHands) -> Vec<i32> {
        let spot = self.dealer.of_class(class.class);
        let table = |is_in: bool| {
            let hands = if is_in { vec![(spot, 1)] } else { Vec::new() };
            DealerTable::of(&hands, self.dealer.sizes())
        };
        let holders = Holders {
            settled: table(!(self.terms.pushes() && spot.is_marked)),
            marked: self.terms.doubles().then(|| table(spot.is_marked)),
        };
        let mut values = Vec::new();
        self.weigh(class, &holders, N, &mut values);
        values
    }
}

/// Returns how many hands at least one of the settings beats, and how many hands beat all of them.
/// The settings are by rising high hand and falling low hand.
fn weigh_all(settings: &[SettingPlace], weigh: impl Fn(SettingPlace) -> (u32, u32)) -> (u32, u32) {
    let won: u32 = settings.iter().map(|setting| weigh(*setting).0).sum();
    // If two neighbours beat a hand, all settings between them beat it too.
    let twice =
        settings.windows(2).map(|pair| SettingPlace { high: pair[0].high, low: pair[1].low });
    let twice: u32 = twice.map(|both| weigh(both).0).sum();
    let highest = |of: fn(&SettingPlace) -> u16| settings.iter().map(of).max().unwrap_or_default();
    let (high, low) = (highest(|setting| setting.high), highest(|setting| setting.low.into()));
    let escape = SettingPlace { high, low: u8::try_from(low).unwrap_or(u8::MAX) };
    (won - twice, weigh(escape).1)
}
