//! The sections of the royal flush, the straight flush and the flush.

use super::{Id, OnlineHand, OnlineSetting, RankPattern};
use crate::cards::{Card, Rank};

/// The rows for one pair beside a royal flush or a flush.
struct OnePair {
    a: Id,
    b: Id,
    c: Id,
    d: Id,
    e: Id,
    ex: Id,
    f: Id,
}

/// The rows for more pairs beside a royal flush, a straight flush or a flush.
struct MorePairs {
    i: Id,
    j: Id,
    k: Id,
}

const BESIDE_ROYAL_FLUSH: (OnePair, MorePairs) = (
    OnePair {
        a: Id::O4a,
        b: Id::O4b,
        c: Id::O4c,
        d: Id::O4d,
        e: Id::O4e,
        ex: Id::O4ex,
        f: Id::O4f,
    },
    MorePairs { i: Id::O4i, j: Id::O4j, k: Id::O4k },
);
const BESIDE_STRAIGHT_FLUSH: MorePairs = MorePairs { i: Id::O11i, j: Id::O11j, k: Id::O11k };
const BESIDE_FLUSH: (OnePair, MorePairs) = (
    OnePair {
        a: Id::O25a,
        b: Id::O25b,
        c: Id::O25c,
        d: Id::O25d,
        e: Id::O25e,
        ex: Id::O25ex,
        f: Id::O25f,
    },
    MorePairs { i: Id::O25i, j: Id::O25j, k: Id::O25k },
);

impl OnlineHand<'_> {
    pub(super) fn royal_flush(&self) -> Option<OnlineSetting> {
        match self.beside {
            RankPattern::ThreeOrMore | RankPattern::ThreeAndTwo => {
                Id::O3.by(self.pair_of_group(0)).or_else(|| Id::O3x.with(self.flush_row()))
            }
            RankPattern::OnePair => self.one_pair(&BESIDE_ROYAL_FLUSH.0),
            RankPattern::TwoPairs | RankPattern::ThreePairs => {
                self.more_pairs(&BESIDE_ROYAL_FLUSH.1)
            }
            RankPattern::NoPair => Id::O5.with(self.flush_row()),
        }
    }

    pub(super) fn straight_flush(&self) -> Option<OnlineSetting> {
        let row = || self.straight_row(self.flush);
        match self.beside {
            RankPattern::ThreeAndTwo if self.hand.group(0) == Some(Rank::Ace) => {
                Id::O6.by(self.pair_of_group(1))
            }
            // Of four ranks a straight flush needs the joker beside a natural ace.
            RankPattern::ThreeAndTwo => Id::O7.by(self.pair_of(Rank::Ace)),
            RankPattern::ThreeOrMore => {
                Id::O8.by(self.pair_of_group(0)).or_else(|| Id::O8x.with(row()))
            }
            RankPattern::OnePair if self.is_pair_by_joker() => {
                Id::O9.by(self.pair_of(Rank::Ace)).or_else(|| Id::O9x.with(row()))
            }
            RankPattern::OnePair => {
                Id::O10.by(self.pair_of_group(0)).or_else(|| Id::O10x.with(row()))
            }
            RankPattern::TwoPairs | RankPattern::ThreePairs => {
                self.more_pairs(&BESIDE_STRAIGHT_FLUSH)
            }
            RankPattern::NoPair => Id::O12.with(row()),
        }
    }

    pub(super) fn full_house_with_flush(&self) -> Option<OnlineSetting> {
        let three = self.hand.group(0)?;
        if three == Rank::Ace {
            Id::O21.by(self.pair_of_group(1))
        } else if three >= Rank::Ten {
            Id::O22.by(self.pair_of(three))
        } else {
            Id::O23.by(self.pair_of(Rank::Ace))
        }
    }

    pub(super) fn flush(&self) -> Option<OnlineSetting> {
        match self.beside {
            RankPattern::ThreeOrMore | RankPattern::ThreeAndTwo => Id::O24.with(self.flush_row()),
            RankPattern::OnePair => self.one_pair(&BESIDE_FLUSH.0),
            RankPattern::TwoPairs | RankPattern::ThreePairs => self.more_pairs(&BESIDE_FLUSH.1),
            RankPattern::NoPair => Id::O26.with(self.flush_row()),
        }
    }

    fn one_pair(&self, rows: &OnePair) -> Option<OnlineSetting> {
        if self.jokers == 0 {
            return rows.f.with(self.flush_row());
        }
        let pair = self.hand.group(0)?;
        let suited = |card: &&Card| card.suit() == self.flush;
        let of_flush = self.hand.cards().iter().filter(suited).count();
        let of_flush_beside_pair = self
            .hand
            .cards()
            .iter()
            .filter(suited)
            .filter(|card| card.rank() != Some(pair))
            .count();
        if self.is_pair_by_joker() && of_flush_beside_pair >= 5 {
            return rows.a.by(self.pair_of(Rank::Ace));
        }
        // The joker is left, and is of the flush.
        if !self.is_pair_by_joker() && of_flush_beside_pair + 1 >= 5 {
            return rows.b.by(self.pair_of(pair));
        }
        if of_flush >= 5 {
            return rows.c.with(self.flush_row());
        }
        let ace = self.natural_ace();
        if self.is_pair_by_joker() && ace.is_some_and(|ace| ace.suit() == self.flush) {
            return rows.d.by(self.singletons(0, 1));
        }
        let highest = (0..7)
            .map_while(|place| self.singleton(place))
            .find(|card| !card.is_joker() && card.suit() != self.flush);
        let with_joker = highest.and_then(|card| self.front([Card::JOKER, card]));
        rows.e.by(with_joker).or_else(|| rows.ex.with(self.flush_row()))
    }

    fn more_pairs(&self, rows: &MorePairs) -> Option<OnlineSetting> {
        let (higher, lower) = (self.hand.group(0)?, self.hand.group(1)?);
        if self.beside == RankPattern::ThreePairs {
            // Of four ranks a flush needs the joker beside a natural ace.
            rows.k.by(self.pair_of(Rank::Ace))
        } else if higher == Rank::Ace && (lower == Rank::Two || lower == Rank::King) {
            rows.i.with(self.flush_row())
        } else {
            rows.j.by(self.pair_of(lower))
        }
    }
}
