//! The player's hands up to a renaming of suits, by their ranks, with their settings.

use super::dealer::{DealerHands, SettingPlace};
use super::{BestPlayTerms, PlayerStrategy, Sight};
use crate::deck::{RepresentativeSet, SymmetricDeck};
use crate::set_bet::row_of;
use crate::spots::in_order;
use paigow_rules::cards::{Card, Rank, Suit};
use paigow_rules::game::{BonusBet, SetHand};
use paigow_rules::hands::{HandClass, HandClasses, HandKey, HighHand, LowHand, Ranking, is_foul};
use paigow_rules::house_way::{HouseWay, LowCards};

/// The hands of a class, which are set alike and are adjacent.
#[derive(Clone, Debug)]
pub(super) struct ClassHands {
    pub(super) class: HandClass,
    /// The place of the first hand.
    pub(super) first: usize,
    pub(super) len: usize,
    /// The place of the first setting, and how many there are.
    first_setting: usize,
    settings: usize,
    /// Which of them the house way makes.
    pub(super) of_way: usize,
    /// The number of the clause by which it does.
    pub(super) clause: usize,
    /// The place of the first sum, and how many each hand has.
    pub(super) first_sum: usize,
    pub(super) width: usize,
}

/// Every hand up to a renaming of suits.
#[derive(Debug)]
pub(super) struct ClassedHands {
    /// For each hand, the suits of its cards by rising rank, two bits each, and how many hands it
    /// stands for. The joker is the last card, and has no suit.
    pub(super) hands: Vec<(u16, u8)>,
    /// By rank shape.
    pub(super) classes: Vec<ClassHands>,
    /// By the number of a rank shape: the place of the first of its classes.
    shapes: Vec<usize>,
    settings: Vec<SettingPlace>,
    /// For each setting the row of a bet that pays it, if a bet is counted with the base wager.
    rows: Vec<Option<usize>>,
    /// By class, then by strategy.
    choices: Vec<StrategyChoice>,
    /// The clauses of the house way that set a hand.
    pub(super) clauses: Vec<String>,
    /// How many sums there are.
    pub(super) sums: usize,
}

/// The setting of a strategy for the hands of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct StrategyChoice {
    /// Which of the settings it makes.
    pub(super) setting: usize,
    /// Whether it doubles down; [`None`] if it does so when that pays.
    pub(super) doubles: Option<bool>,
}

/// The facts that a hand is listed by.
///
/// These are the number of its rank shape, its class, the suits of its cards by rising rank, and
/// the number of hands that it stands for.
type ListedHand = (usize, HandClass, u16, u8);

fn listed<const N: usize>(classes: &HandClasses<N>, set: &RepresentativeSet) -> ListedHand {
    let start = HandKey::EMPTY;
    let (mut key, mut by_rank) = if set.holds(Card::JOKER) {
        (start.plus(Card::JOKER), start.plus(Card::JOKER))
    } else {
        (start, start)
    };
    let (mut suits, mut place) = (0, 0);
    for rank in Rank::ALL {
        for suit in Suit::ALL {
            if set.ranks_of(suit) >> rank.index() & 1 == 1 {
                (key, by_rank) = (key.plus(Card::new(rank, suit)), by_rank.plus_rank(rank));
                suits |= (suit as u16) << place;
                place += 2;
            }
        }
    }
    let hands = u8::try_from(set.multiplicity()).unwrap_or(u8::MAX);
    (classes.class(by_rank).index(), classes.class(key), suits, hands)
}

impl ClassedHands {
    /// Lists the hands of a deck, and for each class the settings that include the best one.
    ///
    /// A setting that another one covers is left out. The settings of `way` and of the strategies
    /// stay, if the player chooses before he knows the dealer's hand.
    ///
    /// Returns [`None`] if the way or a strategy does not set `N` cards, or if a setting is foul.
    pub(super) fn of<const N: usize>(
        deck: &SymmetricDeck,
        classes: &'static HandClasses<N>,
        dealer: &DealerHands<N>,
        (way, strategies): (&HouseWay, &[&dyn PlayerStrategy]),
        terms: &BestPlayTerms,
        bet: Option<&BonusBet>,
    ) -> Option<Self> {
        let ranking = terms.ranking;
        let mut listed: Vec<ListedHand> =
            deck.sets(N).iter().map(|set| listed(classes, set)).collect();
        listed.sort_unstable();
        let mut player = Self {
            hands: listed.iter().map(|(_, _, suits, hands)| (*suits, *hands)).collect(),
            classes: Vec::new(),
            shapes: vec![0],
            settings: Vec::new(),
            rows: Vec::new(),
            choices: Vec::new(),
            clauses: Vec::new(),
            sums: 0,
        };
        for of_class in listed.chunk_by(|a, b| a.1 == b.1) {
            let (shape, class, ..) = of_class[0];
            player.shapes.resize(shape + 1, player.classes.len());
            let cards = classes.hand(class, Suit::ALL);
            let set = way.set(&cards)?;
            let clause = set.clause.id();
            let known = player.clauses.iter().position(|known| *known == clause);
            let clause = known.unwrap_or_else(|| {
                player.clauses.push(clause);
                player.clauses.len() - 1
            });
            let of_way = dealer
                .place(HighHand::of(&set.high, ranking), LowHand::of_cards(&set.low, ranking)?);
            let mut made = Vec::new();
            let mut doubles = Vec::new();
            if terms.sight == Sight::OwnCards {
                made.push(of_way);
                for strategy in strategies {
                    let low = strategy.low(&cards)?;
                    made.push(place(&cards, low, ranking, dealer)?);
                    doubles.push(strategy.doubles(&cards, low));
                }
            }
            let settings = settings(&cards, ranking, dealer, &made, bet);
            let number =
                |made: &SettingPlace| settings.iter().position(|setting| setting.place == *made);
            for (made, doubles) in made.iter().skip(1).zip(doubles) {
                player.choices.push(StrategyChoice { setting: number(made)?, doubles });
            }
            let width = match terms.sight {
                Sight::OwnCards => settings.len() * terms.sums(),
                Sight::BothHands => terms.sums(),
            };
            let of_way = number(&of_way);
            player.classes.push(ClassHands {
                class,
                first: player.classes.last().map_or(0, |last| last.first + last.len),
                len: of_class.len(),
                first_setting: player.settings.len(),
                settings: settings.len(),
                of_way: of_way.unwrap_or_default(),
                clause,
                first_sum: player.sums,
                width,
            });
            player.sums += of_class.len() * width;
            player.settings.extend(settings.iter().map(|setting| setting.place));
            player.rows.extend(settings.iter().map(|setting| setting.row));
        }
        player.shapes.resize(classes.rank_shapes() + 1, player.classes.len());
        Some(player)
    }

    /// Returns the classes of a rank shape.
    pub(super) fn of_shape(&self, shape: usize) -> &[ClassHands] {
        &self.classes[self.shapes[shape]..self.shapes[shape + 1]]
    }

    /// Returns the choices of the strategies for the class at a place.
    pub(super) fn choices_of(&self, class: usize) -> &[StrategyChoice] {
        let strategies = self.choices.len() / self.classes.len().max(1);
        &self.choices[class * strategies..][..strategies]
    }

    /// Returns the settings of a class.
    pub(super) fn settings_of(&self, class: &ClassHands) -> &[SettingPlace] {
        &self.settings[class.first_setting..][..class.settings]
    }

    /// Returns for each setting of a class the row of the bet that pays it.
    pub(super) fn rows_of(&self, class: &ClassHands) -> &[Option<usize>] {
        &self.rows[class.first_setting..][..class.settings]
    }
}

/// Returns the place of a legal setting.
fn place<const N: usize>(
    cards: &[Card; N],
    low: LowCards,
    ranking: Ranking,
    dealer: &DealerHands<N>,
) -> Option<SettingPlace> {
    let mut legal = legal_settings(cards, ranking);
    let (_, low, high) = legal.find(|(cards, ..)| LowCards::of(cards) == Some(low))?;
    Some(dealer.place(high, low))
}

/// A setting, and the row of the bet that pays it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct PaidSetting {
    place: SettingPlace,
    row: Option<usize>,
}

impl PaidSetting {
    /// Whether this setting does as well as `other` against every hand, and is paid as much.
    fn covers(self, other: Self) -> bool {
        // Rows are in paying order.
        let is_paid_as_much = match (self.row, other.row) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(ours), Some(theirs)) => ours <= theirs,
        };
        is_paid_as_much && self.place.covers(other.place)
    }
}

/// Returns the legal settings of a hand that no other setting covers, and those of `made`, each
/// once.
fn settings<const N: usize>(
    cards: &[Card; N],
    ranking: Ranking,
    dealer: &DealerHands<N>,
    made: &[SettingPlace],
    bet: Option<&BonusBet>,
) -> Vec<PaidSetting> {
    let setting = |(_, low, high): (_, LowHand, HighHand)| PaidSetting {
        place: dealer.place(high, low),
        row: bet.and_then(|bet| row_of(bet, SetHand { high, low })),
    };
    let legal = in_order(legal_settings(cards, ranking).map(setting));
    let is_covered = |setting: &PaidSetting| {
        legal.iter().any(|other| other != setting && other.covers(*setting))
    };
    let is_kept = |setting: &&PaidSetting| made.contains(&setting.place) || !is_covered(setting);
    legal.iter().filter(is_kept).copied().collect()
}

/// Returns the settings of six or seven cards that are not foul: the cards of the low hand, and both
/// hands.
pub(crate) fn legal_settings<const N: usize>(
    cards: &[Card; N],
    ranking: Ranking,
) -> impl Iterator<Item = (Vec<Card>, LowHand, HighHand)> {
    (0_u32..1 << N).filter(|low| low.count_ones() as usize == N - 5).filter_map(move |bits| {
        let side = |in_low: bool| {
            let held = (0..N).filter(move |place| (bits >> place & 1 == 1) == in_low);
            held.map(|place| cards[place])
        };
        let low: Vec<Card> = side(true).collect();
        let high: Vec<Card> = side(false).collect();
        let high = HighHand::of(&high.try_into().ok()?, ranking);
        let value = LowHand::of_cards(&low, ranking)?;
        (!is_foul(value, high)).then_some((low, value, high))
    })
}
