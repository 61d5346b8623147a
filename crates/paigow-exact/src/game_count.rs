//! The count for a ruleset and a pair of house ways.

use super::commissions::commissions;
use super::count::{CountPlan, CountTask};
use super::deck::SymmetricDeck;
use super::doubling::{DoubledHands, PlayerHands, WeighedHands};
use super::grid::Grids;
use super::mark::Mark;
use super::pair_counts::PairCounts;
use super::showdowns::Showdowns;
use paigow_rules::game::{Fraction, Ruleset};
use paigow_rules::hands::{HandClasses, Ranking};
use paigow_rules::house_way::HouseWay;

/// The whole count over all pairs of hands, cut into independent tasks. They can run on many
/// threads, in any order, with the same result.
#[derive(Debug)]
pub struct GameCount {
    plan: CountPlan,
    showdowns: CountedPairs,
    /// The player's hands, if the game has a double down.
    hands: Option<PlayerHands>,
    commissions: Vec<Fraction>,
    player: String,
    dealer: String,
    ranking: Ranking,
    mark: Mark,
}

#[derive(Debug)]
enum CountedPairs {
    Six(Showdowns<6>),
    Seven(Showdowns<7>),
}

/// The result of a part of the count.
#[derive(Clone, Debug)]
pub struct CountPart {
    grids: Grids<i128>,
    weighed: Option<WeighedHands>,
}

impl CountPart {
    /// Adds the result of another part.
    pub fn add(&mut self, other: &Self) {
        self.grids += other.grids;
        if let (Some(sum), Some(more)) = (&mut self.weighed, &other.weighed) {
            *sum += more;
        }
    }
}

impl GameCount {
    /// Prepares the count of a ruleset's base game. Player and dealer set by these ways.
    ///
    /// Returns [`None`] if a way sets another number of cards than the ruleset deals, or if
    /// [`Mark::of`] refuses the ruleset.
    #[must_use]
    pub fn new(ruleset: &Ruleset, player: &HouseWay, dealer: &HouseWay) -> Option<Self> {
        let (ranking, mark) = (ruleset.ranking(), Mark::of(ruleset).ok()?);
        let plan = CountPlan::new(&SymmetricDeck::full(), ruleset.hand_cards())?;
        let showdowns = if ruleset.hand_cards() == 6 {
            let is_marked = |cards: &[_; 6], set| mark.is_on(ruleset, cards, set);
            CountedPairs::Six(Showdowns::of(
                HandClasses::<6>::get(),
                player,
                dealer,
                ranking,
                is_marked,
            )?)
        } else {
            let is_marked = |cards: &[_; 7], set| mark.is_on(ruleset, cards, set);
            CountedPairs::Seven(Showdowns::of(
                HandClasses::<7>::get(),
                player,
                dealer,
                ranking,
                is_marked,
            )?)
        };
        let commissions = commissions(ruleset)?;
        Some(Self {
            hands: (!commissions.is_empty()).then(|| PlayerHands::of(&plan)),
            plan,
            showdowns,
            commissions,
            player: player.id().to_owned(),
            dealer: dealer.id().to_owned(),
            ranking,
            mark,
        })
    }

    /// Returns the tasks.
    #[must_use]
    pub fn tasks(&self) -> &[CountTask] {
        self.plan.tasks()
    }

    /// Returns the empty part.
    #[must_use]
    pub fn nothing(&self) -> CountPart {
        let weighed = self.hands.as_ref().map(PlayerHands::unweighed);
        CountPart { grids: Grids::default(), weighed }
    }

    /// Runs one task and adds its result to `part`.
    pub fn run(&self, task: &CountTask, part: &mut CountPart) {
        match &self.showdowns {
            CountedPairs::Six(showdowns) => self.run_with(task, showdowns, part),
            CountedPairs::Seven(showdowns) => self.run_with(task, showdowns, part),
        }
    }

    fn run_with<const N: usize>(
        &self,
        task: &CountTask,
        showdowns: &Showdowns<N>,
        part: &mut CountPart,
    ) {
        let spots = showdowns.spots();
        part.grids += self.plan.count(task, spots, showdowns.lookup());
        if let (Some(hands), Some(weighed)) = (&self.hands, &mut part.weighed) {
            self.plan.weigh(task, spots, showdowns.lookup(), hands, weighed);
        }
    }

    /// Returns the counts from the sum of all parts. Returns [`None`] unless it is that of every
    /// task, once each.
    #[must_use]
    pub fn finish(&self, sum: &CountPart) -> Option<PairCounts> {
        let mut is_whole = sum.grids.all.iter().sum::<i128>() == self.plan.pairs();
        let grids = sum.grids.map(|count| {
            is_whole &= count >= 0;
            count.unsigned_abs()
        });
        let doubled: Vec<DoubledHands> = match (&self.hands, &sum.weighed) {
            (Some(hands), Some(weighed)) => {
                self.commissions.iter().map(|rate| hands.doubled(weighed, *rate)).collect()
            }
            (None, _) | (_, None) => Vec::new(),
        };
        is_whole.then(|| PairCounts {
            player: self.player.clone(),
            dealer: self.dealer.clone(),
            ranking: self.ranking,
            mark: self.mark.clone(),
            grids,
            doubled,
        })
    }
}
