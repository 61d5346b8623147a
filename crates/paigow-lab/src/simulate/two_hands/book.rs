//! The tables that two hands are looked up in.

use super::counts::{ROWS, TwoHandCounts, every_comparison};
use super::halves;
use paigow_exact::Mark;
use paigow_round::ListedGame;
use paigow_rules::cards::{Card, DECK_LEN, Suit};
use paigow_rules::game::{
    Asked, BetEvidence, BetSubject, BonusBet, CardTerm, ColourChoice, DealtHand, PayRow, PokerHand,
    RankBits, Ruleset, SetHand, SetTerm, Showdown, ShowdownTerm,
};
use paigow_rules::hands::{HandClass, HandClasses, HandKey};
use paigow_rules::house_way::RulesFault;

/// A row that a class does not decide, so that the cards are tested.
const ASK: u64 = ROWS as u64 - 1;

/// The entry of a class.
///
/// From bit 0 the place of the high hand, from bit 13 that of the low hand. At bit 20 whether base
/// wagers push if the dealer holds it. From bit 21 on, five bits for each bonus bet: its row, from
/// 1, or 0 for none.
type ClassEntry = u64;
const LOW_AT: u32 = 13;
const PUSH_AT: u32 = 20;
const ROWS_AT: u32 = 21;
const ROW_BITS: u32 = 5;
/// So many bets have room.
const BETS: usize = ((u64::BITS - ROWS_AT) / ROW_BITS) as usize;

/// How many pairs of hands are looked up at once.
pub(super) const AT_ONCE: usize = 64;

/// The tables for two hands of `N` cards.
#[derive(Debug)]
pub(super) struct TwoHandBook<const N: usize> {
    classes: &'static HandClasses<N>,
    entries: Vec<ClassEntry>,
    /// The bets that look at the seat's cards, and those that look at the dealer's.
    of_seat: Vec<usize>,
    of_dealer: Vec<usize>,
    /// The bets on the seat's hands as the house way sets them, which a class decides.
    of_set_hands: Vec<usize>,
    /// Whether a bet on all cards tests whether they are of one colour.
    asks_one_colour: bool,
    others: Vec<(usize, OtherBetRows)>,
}

/// The rows of a bet that the class of one hand does not decide.
#[derive(Debug)]
enum OtherBetRows {
    /// The row by the first three cards as dealt.
    FirstThree(Box<[u8]>),
    /// The row by the number of cards of the colour named, red.
    NamedColour([u8; 8]),
    /// The row by the comparison of the hands and the terms that either meets.
    Showdown(ShowdownRows),
}

impl<const N: usize> TwoHandBook<N> {
    /// Looks up the decisions of every class for the bets of a game, whose hands are of `N` cards
    /// and in `classes`. Returns the reason if classes do not decide them.
    pub(super) fn new(game: &ListedGame, classes: &'static HandClasses<N>) -> Result<Self, String> {
        let ruleset = &game.ruleset;
        let compiled = game.house_way.compiled();
        let bonus = ruleset.bonus_bets();
        if compiled.undecided() > 0 || game.house_way.ranking() != ruleset.ranking() {
            return Err(format!(
                "house way {} does not set hands by their class alone",
                game.house_way.id()
            ));
        }
        if bonus.len() > BETS || bonus.iter().any(|bet| bet.rows.len() + 1 >= ROWS) {
            return Err(format!("{} has too many bets or rows", ruleset.id()));
        }
        if ruleset.base().push.is_some()
            && let Err(RulesFault { path, message }) = Mark::of(ruleset)
        {
            return Err(format!("{}: {path}: {message}", ruleset.id()));
        }
        let looks = |at: BetSubject| -> Vec<usize> {
            let at = |place: &usize| {
                bonus[*place].looks_at == at && !asks_named_colour_alone(&bonus[*place])
            };
            (0..bonus.len()).filter(at).collect()
        };
        let (of_seat, of_dealer) = (looks(BetSubject::SeatHand), looks(BetSubject::DealerHand));
        let of_set_hands = looks(BetSubject::SeatSetHands);
        let by_showdown = looks(BetSubject::Showdown);
        let by_place = |class: HandClass| {
            let answer = compiled.answers()[class.index()];
            let set = set(game, &classes.hand(class, Suit::ALL));
            set.map(|set| (answer.high_id(), answer.low_id(), set))
        };
        let sets: Vec<_> = if by_showdown.is_empty() {
            Vec::new()
        } else {
            classes.all().filter_map(by_place).collect()
        };
        let others = bonus
            .iter()
            .enumerate()
            .filter_map(|(place, bet)| Some((place, OtherBetRows::of(bet, &sets)?)));
        let entry = |class: HandClass| {
            let answer = compiled.answers()[class.index()];
            let hand = classes.hand(class, Suit::ALL);
            let mut entry = u64::from(answer.high_id()) | u64::from(answer.low_id()) << LOW_AT;
            let facts = classes.facts(class);
            // Rows may test which of its cards are real, and the cards beside it.
            let depends_on_suits = facts.has_straight_flush();
            for place in of_seat.iter().chain(&of_dealer) {
                let bet = &bonus[*place];
                let ask = depends_on_suits || !bet_terms(bet).all(is_of_class);
                let row = if ask { ASK } else { row_of_class(bet, &hand) };
                entry |= row << (ROWS_AT + shift(*place));
            }
            for place in &of_set_hands {
                let set = set(game, &hand);
                let row = place_of(&bonus[*place], &BetEvidence { set, ..BetEvidence::none() });
                entry |= u64::from(row) << (ROWS_AT + shift(*place));
            }
            entry | u64::from(pushes_on(game, &hand)) << PUSH_AT
        };
        Ok(Self {
            classes,
            entries: classes.all().map(entry).collect(),
            asks_one_colour: of_seat
                .iter()
                .chain(&of_dealer)
                .any(|bet| asks_one_colour(&bonus[*bet])),
            others: others.collect(),
            of_seat,
            of_dealer,
            of_set_hands,
        })
    }

    /// Counts the results of pairs of hands, the seat's before the dealer's.
    ///
    /// Each step is made for all pairs, at most [`AT_ONCE`], so that the look-ups of one pair need
    /// not wait for those of another.
    pub(super) fn look_up<const BOTH: usize>(
        &self,
        ruleset: &Ruleset,
        pairs: &[[Card; BOTH]],
        counts: &mut TwoHandCounts,
    ) {
        let mut classes = [[0; 2]; AT_ONCE];
        for (classes, cards) in classes.iter_mut().zip(pairs) {
            let (seat, dealer) = halves::<N>(cards);
            *classes = [seat, dealer].map(|hand| self.classes.class(HandKey::of(hand)).index());
        }
        let mut entries = [[0; 2]; AT_ONCE];
        for (entries, classes) in entries.iter_mut().zip(classes.iter().take(pairs.len())) {
            *entries = classes.map(|class| self.entries[class]);
        }
        for (cards, entries) in pairs.iter().zip(&entries) {
            self.count(ruleset, cards, *entries, counts);
        }
    }

    /// Counts the result of one pair of hands, whose classes have these entries.
    #[inline]
    fn count<const BOTH: usize>(
        &self,
        ruleset: &Ruleset,
        cards: &[Card; BOTH],
        [ours, theirs]: [ClassEntry; 2],
        counts: &mut TwoHandCounts,
    ) {
        let (seat, dealer) = halves::<N>(cards);
        let (high, low) =
            (compare(ours, theirs, 0, LOW_AT), compare(ours, theirs, LOW_AT, PUSH_AT));
        let ninth = 3 * high + low;
        counts.base[usize::from(theirs >> PUSH_AT & 1 == 1)][ninth] += 1;
        for (bets, cards, entry) in [(&self.of_seat, seat, ours), (&self.of_dealer, dealer, theirs)]
        {
            let ask = self.asks_one_colour && is_one_colour(cards);
            for place in bets {
                let row = entry >> (ROWS_AT + shift(*place)) & (ROWS as u64 - 1);
                let row = if ask || row == ASK {
                    row_of(&ruleset.bonus_bets()[*place], cards)
                } else {
                    row
                };
                counts.rows[*place][index(row)] += 1;
            }
        }
        for place in &self.of_set_hands {
            let row = ours >> (ROWS_AT + shift(*place)) & (ROWS as u64 - 1);
            counts.rows[*place][index(row)] += 1;
        }
        for (place, other) in &self.others {
            let row = match other {
                OtherBetRows::FirstThree(rows) => rows[three(seat)],
                OtherBetRows::NamedColour(rows) => rows[red(seat)],
                OtherBetRows::Showdown(rows) => rows.row(ninth, ours, theirs),
            };
            counts.rows[*place][usize::from(row)] += 1;
        }
    }
}

impl OtherBetRows {
    /// Returns the rows of a bet that does not look at all cards of one hand alone. `sets` are all
    /// hands as the house way sets them, by the places of both hands.
    fn of(bet: &BonusBet, sets: &[(u16, u8, SetHand)]) -> Option<Self> {
        let row = |evidence: &BetEvidence| place_of(bet, evidence);
        match bet.looks_at {
            BetSubject::SeatHand if asks_named_colour_alone(bet) => {
                let row = |held: usize| {
                    let is_met = |asked| {
                        let Asked::Cards(CardTerm::NamedColour(cards)) = asked else {
                            return false;
                        };
                        usize::from(cards) == held
                    };
                    let holds = |row: &PayRow| row.condition.holds_by(is_met);
                    bet.rows.iter().position(holds).map_or(0, number)
                };
                Some(Self::NamedColour(std::array::from_fn(row)))
            }
            BetSubject::SeatHand | BetSubject::DealerHand | BetSubject::SeatSetHands => None,
            BetSubject::FirstThree => {
                let mut rows = vec![0; DECK_LEN * DECK_LEN * DECK_LEN].into_boxed_slice();
                for a in Card::all() {
                    for b in Card::all() {
                        for c in Card::all() {
                            if a != b && b != c && a != c {
                                let first_three = DealtHand::of(&[a, b, c], bet.joker);
                                rows[three(&[a, b, c])] =
                                    row(&BetEvidence { first_three, ..BetEvidence::none() });
                            }
                        }
                    }
                }
                Some(Self::FirstThree(rows))
            }
            BetSubject::Showdown => Some(Self::Showdown(ShowdownRows::of(bet, sets))),
        }
    }
}

/// The terms on one side that the hands of that side meet.
#[derive(Debug)]
struct SideCells {
    /// By the place of a high hand, and by that of a low hand: which of the terms it meets.
    highs: Vec<usize>,
    lows: Vec<usize>,
    /// A hand of each cell, by the terms that both its hands meet.
    sets: Vec<Option<SetHand>>,
    low_cells: usize,
}

impl SideCells {
    fn of(terms: &[SetTerm], sets: &[(u16, u8, SetHand)]) -> Self {
        let is_on_low = |term: &SetTerm| match term {
            SetTerm::LowHighest(_) | SetTerm::LowPair(_) => true,
            SetTerm::High(_) | SetTerm::HighHighest(_) => false,
        };
        let (on_low, on_high): (Vec<SetTerm>, Vec<SetTerm>) =
            terms.iter().partition(|term| is_on_low(term));
        let met = |terms: &[SetTerm], set: SetHand| -> Vec<bool> {
            terms.iter().map(|term| term.holds(set)).collect()
        };
        let (mut high_cells, mut low_cells) = (Vec::new(), Vec::new());
        let (mut highs, mut lows) = (Vec::new(), Vec::new());
        let mut cells = Vec::new();
        for (high, low, set) in sets {
            let high_cell = number_in(&mut high_cells, met(&on_high, *set));
            let low_cell = number_in(&mut low_cells, met(&on_low, *set));
            put(&mut highs, usize::from(*high), high_cell);
            put(&mut lows, usize::from(*low), low_cell);
            cells.push((high_cell, low_cell, *set));
        }
        let mut one_of_each = vec![None; high_cells.len() * low_cells.len()];
        for (high, low, set) in cells {
            one_of_each[high * low_cells.len() + low] = Some(set);
        }
        Self { highs, lows, sets: one_of_each, low_cells: low_cells.len() }
    }

    #[inline]
    fn cell(&self, entry: ClassEntry) -> usize {
        let high = index(entry & ((1 << LOW_AT) - 1));
        let low = index(entry >> LOW_AT & ((1 << (PUSH_AT - LOW_AT)) - 1));
        self.highs[high] * self.low_cells + self.lows[low]
    }
}

/// Returns the place of a value in a list, and adds it if it is missing.
fn number_in<T: PartialEq>(values: &mut Vec<T>, value: T) -> usize {
    values.iter().position(|known| *known == value).unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    })
}

fn put(values: &mut Vec<usize>, place: usize, value: usize) {
    values.resize(values.len().max(place + 1), 0);
    values[place] = value;
}

/// The rows of a bet on both hands.
#[derive(Debug)]
struct ShowdownRows {
    seat: SideCells,
    dealer: SideCells,
    /// By the comparison of the hands, then by the cell of the seat, then by that of the dealer.
    rows: Box<[u8]>,
}

impl ShowdownRows {
    fn of(bet: &BonusBet, sets: &[(u16, u8, SetHand)]) -> Self {
        let terms = |of: fn(ShowdownTerm) -> Option<SetTerm>| -> Vec<SetTerm> {
            let asked = |asked| match asked {
                Asked::Showdown(term) => of(term),
                Asked::Cards(_) | Asked::Set(_) => None,
            };
            bet_terms(bet).filter_map(asked).collect()
        };
        let seat = SideCells::of(&terms(ShowdownTerm::of_seat), sets);
        let dealer = SideCells::of(&terms(ShowdownTerm::of_dealer), sets);
        let mut rows = Vec::with_capacity(9 * seat.sets.len() * dealer.sets.len());
        for (high, low) in every_comparison() {
            for seat in &seat.sets {
                for dealer in &dealer.sets {
                    let showdown = seat.zip(*dealer).map(|(seat, dealer)| Showdown {
                        high,
                        low,
                        seat,
                        dealer,
                    });
                    rows.push(place_of(bet, &BetEvidence { showdown, ..BetEvidence::none() }));
                }
            }
        }
        Self { seat, dealer, rows: rows.into_boxed_slice() }
    }

    #[inline]
    fn row(&self, ninth: usize, ours: ClassEntry, theirs: ClassEntry) -> u8 {
        let seat = ninth * self.seat.sets.len() + self.seat.cell(ours);
        self.rows[seat * self.dealer.sets.len() + self.dealer.cell(theirs)]
    }
}

/// Returns the number of the row that holds, from 1; 0 for none.
fn place_of(bet: &BonusBet, evidence: &BetEvidence) -> u8 {
    let held = bet.judge(evidence);
    held.and_then(|row| bet.rows.iter().position(|own| own.id == row.id)).map_or(0, number)
}

fn number(place: usize) -> u8 {
    u8::try_from(place + 1).expect("bets have fewer rows: it is checked")
}

/// The same by all cards of a hand, the seat's or the dealer's. The named colour is red.
#[cold]
fn row_of<const N: usize>(bet: &BonusBet, cards: &[Card; N]) -> u64 {
    let hand = DealtHand::of(cards, bet.joker);
    let choice = Some(ColourChoice::Red);
    let evidence = BetEvidence { hand, dealer: hand, choice, ..BetEvidence::none() };
    u64::from(place_of(bet, &evidence))
}

/// The same for all hands of a class except those of one colour, by one of them.
fn row_of_class<const N: usize>(bet: &BonusBet, cards: &[Card; N]) -> u64 {
    let hand = DealtHand::of(cards, bet.joker).expect("a hand of a class is different cards");
    let holds = |asked| match asked {
        Asked::Cards(CardTerm::OneColour) | Asked::Set(_) | Asked::Showdown(_) => false,
        Asked::Cards(term) => term.holds(&hand, None),
    };
    let row = bet.rows.iter().position(|row| row.condition.holds_by(holds));
    row.map_or(0, |place| u64::from(number(place)))
}

/// Returns the hands that the house way sets these cards in.
fn set<const N: usize>(game: &ListedGame, cards: &[Card; N]) -> Option<SetHand> {
    let setting = game.house_way.set(cards)?;
    Some(SetHand { high: setting.high_value, low: setting.low_value })
}

/// Returns whether base wagers push if the dealer holds these cards.
fn pushes_on<const N: usize>(game: &ListedGame, cards: &[Card; N]) -> bool {
    game.ruleset.base().push.is_some()
        && set(game, cards).is_some_and(|set| game.ruleset.pushes_on(cards, set))
}

fn bet_terms(bet: &BonusBet) -> impl Iterator<Item = Asked> {
    bet.rows.iter().flat_map(|row| row.condition.terms()).map(|term| term.asked)
}

fn asks_named_colour_alone(bet: &BonusBet) -> bool {
    bet_terms(bet).all(|asked| matches!(asked, Asked::Cards(CardTerm::NamedColour(_))))
}

fn asks_one_colour(bet: &BonusBet) -> bool {
    bet_terms(bet).any(|asked| asked == Asked::Cards(CardTerm::OneColour))
}

/// Returns whether a class decides a term: all its hands meet it, or none does. Hands with a
/// straight flush or of one colour are tested in any case.
fn is_of_class(asked: Asked) -> bool {
    let Asked::Cards(term) = asked else { return false };
    match term {
        CardTerm::FiveAces
        | CardTerm::Made(_)
        | CardTerm::PaiGow
        | CardTerm::Joker
        | CardTerm::Highest(_)
        | CardTerm::PairOf(_)
        | CardTerm::Pairs(_)
        | CardTerm::Run(_)
        | CardTerm::Ranks(_)
        | CardTerm::OneColour
        | CardTerm::RoyalFlushBeside(_) => true,
        CardTerm::Natural(made) => match made {
            PokerHand::Flush => false,
            PokerHand::RoyalFlush
            | PokerHand::StraightFlush
            | PokerHand::FiveOfAKind
            | PokerHand::FourOfAKind
            | PokerHand::FullHouse
            | PokerHand::Straight
            | PokerHand::ThreeOfAKind
            | PokerHand::TwoPair
            | PokerHand::Pair => true,
        },
        CardTerm::SuitedRun(cards) => cards >= 5,
        CardTerm::OneSuit(ranks, _) => ranks == WHEEL,
        CardTerm::Suited(_) | CardTerm::Colour(..) | CardTerm::NamedColour(_) => false,
    }
}

/// Two to five and the ace.
const WHEEL: RankBits = 0b1_0000_0000_1111;

/// The red cards, by their numbers.
const RED: u64 = {
    let mut mask = 0;
    let mut number = 0;
    while number < 52 {
        if let Some(card) = Card::from_number(number)
            && let Some(suit) = card.suit()
            && suit.is_red()
        {
            mask |= 1 << number;
        }
        number += 1;
    }
    mask
};
const BLACK: u64 = (1 << 52) - 1 - RED;

#[inline]
fn mask(cards: &[Card]) -> u64 {
    cards.iter().fold(0, |mask, card| mask | 1 << card.number())
}

#[inline]
fn is_one_colour(cards: &[Card]) -> bool {
    let mask = mask(cards);
    mask & RED == 0 || mask & BLACK == 0
}

#[inline]
fn red(cards: &[Card]) -> usize {
    (mask(cards) & RED).count_ones() as usize
}

/// The place of the first three cards, in their order.
#[inline]
fn three(cards: &[Card]) -> usize {
    cards.iter().take(3).fold(0, |place, card| place * DECK_LEN + usize::from(card.number()))
}

/// Returns how the bits from `low` to before `high` compare: 0 higher, 1 the same, 2 lower.
#[inline]
const fn compare(ours: ClassEntry, theirs: ClassEntry, low: u32, high: u32) -> usize {
    let mask = (1 << high) - (1 << low);
    let (ours, theirs) = (ours & mask, theirs & mask);
    (ours <= theirs) as usize + (ours < theirs) as usize
}

#[inline]
fn shift(place: usize) -> u32 {
    ROW_BITS * u32::try_from(place).unwrap_or(0)
}

/// Returns a few bits of an entry as a place.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the bits taken are few")]
const fn index(bits: u64) -> usize {
    bits as usize
}
