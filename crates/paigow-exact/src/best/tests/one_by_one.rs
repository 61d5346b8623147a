//! Best play, counted one pair of hands after the other.

use super::*;

/// Every hand of a deck, counted one pair after the other. High and low hands are compared by their
/// places among all hands.
pub(super) struct OneByOne<const N: usize> {
    pub(super) cards: Vec<Card>,
    pub(super) terms: BestPlayTerms,
    pub(super) highs: Vec<HighHand>,
    pub(super) lows: Vec<LowHand>,
    /// The places of the dealer's hands, and whether they are marked.
    pub(super) spots: Vec<(u16, u16, bool)>,
    /// By the set of its cards: the place in `spots` of a hand of the dealer.
    pub(super) dealer: Vec<u16>,
    pub(super) hands: Vec<u32>,
}

impl<const N: usize> OneByOne<N> {
    pub(super) fn new(
        deck: &SymmetricDeck,
        dealer: &HouseWay,
        terms: BestPlayTerms,
        is_marked: impl Fn(&[Card; N], SetHand) -> bool,
    ) -> Self {
        let cards: Vec<Card> = deck.cards().collect();
        let sets = |len| (0..1 << cards.len()).filter(move |bits: &u32| bits.count_ones() == len);
        let hands: Vec<u32> = sets(u32::try_from(N).unwrap()).collect();
        let five = |bits| held(&cards, bits).try_into().unwrap();
        let mut highs: Vec<HighHand> =
            sets(5).map(|bits| HighHand::of(&five(bits), terms.ranking)).collect();
        let mut lows: Vec<LowHand> = sets(u32::try_from(N - 5).unwrap())
            .map(|bits| LowHand::of_cards(&held(&cards, bits), Wheel::Second).unwrap())
            .collect();
        highs.sort_unstable();
        highs.dedup();
        lows.sort_unstable();
        lows.dedup();
        let dealt = vec![0; 1 << cards.len()];
        let mut all = Self { cards, terms, highs, lows, spots: Vec::new(), dealer: dealt, hands };
        let set = |bits: &u32| {
            let cards: [Card; N] = held(&all.cards, *bits).try_into().unwrap();
            let set = dealer.set(&cards).unwrap();
            let low = LowHand::of_cards(&set.low, Wheel::Second).unwrap();
            let set = SetHand { high: HighHand::of(&set.high, all.terms.ranking), low };
            let (high, low) = all.places(set.high, low);
            (high, low, is_marked(&cards, set))
        };
        let dealt: Vec<(u16, u16, bool)> = all.hands.iter().map(set).collect();
        all.spots = dealt.clone();
        all.spots.sort_unstable();
        all.spots.dedup();
        for (bits, spot) in all.hands.iter().zip(&dealt) {
            let place = all.spots.binary_search(spot).unwrap();
            all.dealer[*bits as usize] = u16::try_from(place).unwrap();
        }
        all
    }

    pub(super) fn places(&self, high: HighHand, low: LowHand) -> (u16, u16) {
        let high = self.highs.binary_search(&high).unwrap();
        let low = self.lows.binary_search(&low).unwrap();
        (u16::try_from(high).unwrap(), u16::try_from(low).unwrap())
    }

    /// Returns the dealer's hands that share no card with a hand: their places, and their number.
    pub(super) fn others(&self, bits: u32) -> Vec<(u16, u16, bool, i64)> {
        let left: Vec<u32> = (0..self.cards.len()).map(|card| 1 << card).collect();
        let left: Vec<u32> = left.into_iter().filter(|card| bits & card == 0).collect();
        let mut others = vec![0; self.spots.len()];
        let mut stack = vec![(0, 0, 0)];
        while let Some((other, from, filled)) = stack.pop() {
            if filled == N {
                others[usize::from(self.dealer[other as usize])] += 1;
                continue;
            }
            for (place, card) in left.iter().enumerate().skip(from) {
                stack.push((other | card, place + 1, filled + 1));
            }
        }
        let with_count = |((high, low, is_marked), hands): (&(u16, u16, bool), i64)| {
            (hands > 0).then_some((*high, *low, *is_marked, hands))
        };
        self.spots.iter().zip(others).filter_map(with_count).collect()
    }

    /// Returns the legal settings of a hand.
    pub(super) fn settings(&self, bits: u32) -> Vec<(u16, u16)> {
        let cards = held(&self.cards, bits);
        let lows = (0..1_u32 << N).filter(|low| low.count_ones() as usize == N - 5);
        let set = |low: u32| {
            let (high, low) = (held(&cards, !low & ((1 << N) - 1)), held(&cards, low));
            let high = HighHand::of(&high.try_into().unwrap(), self.terms.ranking);
            let low = LowHand::of_cards(&low, Wheel::Second).unwrap();
            (!is_foul(low, high)).then(|| self.places(high, low))
        };
        let mut settings: Vec<(u16, u16)> = lows.filter_map(set).collect();
        settings.sort_unstable();
        settings.dedup();
        settings
    }

    /// Returns the results of a setting: won, lost, and of the marked hands won and lost.
    pub(super) fn against(
        &self,
        others: &[(u16, u16, bool, i64)],
        (high, low): (u16, u16),
    ) -> [i64; 4] {
        let mut sums = [0_i64; 4];
        for (other_high, other_low, is_marked, hands) in others {
            let won = i64::from(high > *other_high) & i64::from(low > *other_low);
            let lost = i64::from(high <= *other_high) & i64::from(low <= *other_low);
            let marked = i64::from(*is_marked);
            let settled = 1 - (marked & i64::from(self.terms.pushes()));
            sums[0] += (won & settled) * hands;
            sums[1] += (lost & settled) * hands;
            sums[2] += (won & marked) * hands;
            sums[3] += (lost & marked) * hands;
        }
        sums
    }

    /// Plays every hand as it is worth most. Of settings with equal worth, plays the one that wins
    /// least.
    pub(super) fn best(&self) -> Played {
        let mut sum = Played::default();
        for bits in &self.hands {
            let others = self.others(*bits);
            let each = self.settings(*bits).into_iter().map(|setting| {
                let [won, lost, twice_won, twice_lost] = self.against(&others, setting);
                let more = self.terms.worth(twice_won, twice_lost);
                let doubled = self.terms.doubles() && more > 0;
                let worth = self.terms.worth(won, lost) + if doubled { more } else { 0 };
                let twice = if doubled { (twice_won, twice_lost) } else { (0, 0) };
                (worth, std::cmp::Reverse(won + twice.0), won, lost, doubled, twice)
            });
            let (_, _, won, lost, doubled, twice) = each.max().unwrap();
            let count = |pairs: i64| u128::try_from(pairs).unwrap();
            sum += Played {
                hands: 1,
                won: count(won),
                lost: count(lost),
                doubled: u64::from(doubled),
                doubled_won: count(twice.0),
                doubled_lost: count(twice.1),
            };
        }
        sum
    }

    /// Plays every hand so that base wager and bet together are worth most. Both have the same
    /// stake.
    ///
    /// Returns the result of the base wager, and the number of hands that each row pays. The last
    /// number counts the hands that lose. `row` returns the row that pays a setting, and its win in
    /// halves of the stake.
    pub(super) fn joint(
        &self,
        row: impl Fn(HighHand, LowHand) -> Option<(usize, i64)>,
    ) -> (Played, [u64; 4]) {
        let (mut sum, mut rows) = (Played::default(), [0; 4]);
        for bits in &self.hands {
            let others = self.others(*bits);
            let all: i64 = others.iter().map(|(.., hands)| hands).sum();
            let each = self.settings(*bits).into_iter().map(|setting| {
                let paid =
                    row(self.highs[usize::from(setting.0)], self.lows[usize::from(setting.1)]);
                let [won, lost, twice_won, twice_lost] = self.against(&others, setting);
                let more = self.terms.worth(twice_won, twice_lost);
                let doubled = self.terms.doubles() && more > 0;
                let half = i128::from(all) * self.terms.pays.den();
                let bet = half * paid.map_or(-2, |(_, win)| i128::from(win));
                let base = self.terms.worth(won, lost) + if doubled { more } else { 0 };
                let worth = 2 * base + bet;
                let twice = if doubled { (twice_won, twice_lost) } else { (0, 0) };
                let first = std::cmp::Reverse(won);
                (worth, bet, first, won, lost, doubled, twice, paid.map_or(3, |(row, _)| row))
            });
            let (.., won, lost, doubled, twice, row) = each.max().unwrap();
            rows[row] += 1;
            let count = |pairs: i64| u128::try_from(pairs).unwrap();
            sum += Played {
                hands: 1,
                won: count(won),
                lost: count(lost),
                doubled: u64::from(doubled),
                doubled_won: count(twice.0),
                doubled_lost: count(twice.1),
            };
        }
        (sum, rows)
    }

    /// Plays every pair of hands as it is worth most to a player who sees both.
    pub(super) fn best_of_both(&self) -> Played {
        let mut sum = Played::default();
        for bits in &self.hands {
            let settings = self.settings(*bits);
            sum.hands += 1;
            for (other_high, other_low, is_marked, hands) in self.others(*bits) {
                if self.terms.pushes() && is_marked {
                    continue;
                }
                let worth = |(high, low): &(u16, u16)| {
                    i8::from(*high > other_high) + i8::from(*low > other_low) - 1
                };
                match settings.iter().map(worth).max().unwrap() {
                    1 => sum.won += u128::from(hands.unsigned_abs()),
                    -1 => sum.lost += u128::from(hands.unsigned_abs()),
                    _ => {}
                }
            }
        }
        sum
    }
}

/// Returns the cards whose places are the set bits.
pub(super) fn held(cards: &[Card], bits: u32) -> Vec<Card> {
    let places = (0..cards.len()).filter(|place| bits >> place & 1 == 1);
    places.map(|place| cards[place]).collect()
}
