"""The house way that no chart can hold: online (crates/paigow-rules/src/house_way/coded).

Each rule is named as there. A function returns low hand, high hand and the clause that decided.
"""
from itertools import combinations, product

from .hands import (ACE, FIVE_ACES, FLUSH, FULL_HOUSE, JOKER, QUADS, RANKS, ROYAL, STRAIGHT, STRAIGHT_FLUSH,
                    TRIPS, best_value, rank, suit)

TWO, THREE, FOUR, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING = map(RANKS.index, "234789TJQK")


class Online:
    """The online chart for one hand. Rows are tried from the top, the first that fits decides."""

    def __init__(self, dealt):
        self.d, self.groups, self.single = dealt, dealt.groups, dealt.singletons
        self.sizes = [len(group) for group in dealt.groups]
        self.ranks = [rank(group[0]) for group in dealt.groups]
        self.pairs = [group for group in dealt.groups if len(group) == 2]
        self.suit = next((s for s in range(4) if len(self.of_suit(s)) >= 5), None)
        # A + Jk are a pair that the joker makes; every other pair is natural.
        self.pair_with_joker = bool(self.pairs) and JOKER in self.pairs[0]

    def of_suit(self, s):
        return [card for card in self.d.cards if suit(card) == s or card == JOKER]

    # ---- fronts: the split with the rule that decided, or None if it is foul

    def front(self, rule, *lows):
        split = self.d.choose(lows)
        return split and (*split, rule)

    def two_of(self, rule, group):
        return self.front(rule, *combinations(group, 2))

    def flush_row(self, rule):
        """F rows: by the number of cards of the flush suit."""
        suited = sorted(self.of_suit(self.suit), key=lambda card: (card != JOKER, -rank(card)))
        others = [card for card in self.d.cards if card not in suited]
        # The joker stands first among them, then the highest.
        low = others if len(suited) == 5 else ([suited[0]] + others + suited[1:])[:2]
        return self.front(f"{rule}/F{len(suited)}" + ("J" if self.d.joker and len(suited) > 5 else ""), low)

    def straight_row(self, rule, in_suit=False):
        """S rows: by the longest window of successive positions, ace low 1 to ace high 14."""
        held = {place: [card for card in self.d.cards if card != JOKER and rank(card) == (place - 2) % 13
                        and (not in_suit or suit(card) == self.suit)] for place in range(1, 15)}
        for length in 7, 6, 5:
            found = []
            for first in range(1, 16 - length):
                window = [held[place] for place in range(first, first + length)]
                if window.count([]) <= self.d.joker:
                    found += [self.window_row(first, cards) for cards in product(*(each or [JOKER] for each in window))]
            if found:
                split = self.d.highest(low for _, low in found)
                rows = [row for row, low in found if tuple(sorted(low)) == split[0]]
                return (*split, f"{rule}/{min(rows, key=S_ROWS.index)}")
        raise ValueError("no window of five")

    def window_row(self, first, cards):
        """The first S row that fits one window, and its front."""
        rest = list(self.d.high(cards))
        low_ace = first == 1 and cards[0] != JOKER
        place = cards.index(JOKER) + 1 if JOKER in cards else 0
        if len(cards) == 5:
            return "S5", rest
        if len(cards) == 6:
            if low_ace:
                return "S6A", [cards[0], *rest]
            return ("S6J", [JOKER, *rest]) if place in (1, 6) else ("S6", [cards[-1], *rest])
        if low_ace:
            return ("S7AJ", [cards[0], JOKER]) if place in (2, 7) else ("S7A", [cards[0], cards[-1]])
        return {1: ("S7J1", [JOKER, cards[6]]), 2: ("S7J2", [JOKER, cards[0]]), 6: ("S7J6", [JOKER, cards[6]]),
                7: ("S7J7", [JOKER, cards[5]])}.get(place, ("S7", cards[5:]))

    # ---- conditions

    def holds(self, category):
        return any(value[0] == category for _, value in self.d.complete_fives)

    def leaves_flush(self, low):
        return any(len(set(self.of_suit(s)) - set(low)) >= 5 for s in range(4))

    def leaves_straight(self, low):
        return best_value(self.d.high(low), self.d.ranking)[0] >= STRAIGHT

    # ---- the sections, by the best five cards

    def setting(self):
        sizes, best, first = self.sizes, self.d.best, self.groups[0]
        if best == FIVE_ACES:
            if self.ranks == [ACE, KING]:
                return self.front("O1", self.groups[1])
            return self.two_of("O2", [card for card in first if card != JOKER])
        if best == ROYAL:
            if sizes[0] >= 3:
                return self.two_of("O3", first) or self.flush_row("O3x")
            return self.pair_row("O4") if self.pairs else self.flush_row("O5")
        if best == STRAIGHT_FLUSH:
            return self.straight_flush()
        if sizes == [3, 2, 1, 1] and self.holds(FLUSH):
            return self.full_house_and("O21", "O22", "O23", (KING, QUEEN, JACK, TEN))
        if sizes == [3, 2, 1, 1] and self.holds(STRAIGHT):
            return self.full_house_and("O27", "O28", "O29", (KING, QUEEN, JACK))
        return {QUADS: self.quads, FULL_HOUSE: self.full_house, FLUSH: self.flush, STRAIGHT: self.straight,
                TRIPS: self.trips}.get(best, self.few)()

    def straight_flush(self):
        if self.sizes == [3, 2, 1, 1]:
            return self.front("O6" if self.ranks[0] == ACE else "O7", self.pairs[0])
        if self.sizes[0] >= 3:
            return self.two_of("O8", self.groups[0]) or self.straight_row("O8x", in_suit=True)
        if len(self.pairs) == 1:
            rule = "O9" if self.pair_with_joker else "O10"
            return self.front(rule, self.pairs[0]) or self.straight_row(rule + "x", in_suit=True)
        return self.pair_row("O11") if self.pairs else self.straight_row("O12", in_suit=True)

    def full_house_and(self, aces, high, otherwise, split_ranks):
        if self.ranks[0] in split_ranks:
            return self.two_of(high, self.groups[0])
        return self.front(aces if self.ranks[0] == ACE else otherwise, self.pairs[0])

    def quads(self):
        (first, second), ranks = self.groups[:2], self.ranks
        higher = first if ranks[0] > ranks[1] else second
        if self.sizes == [4, 3]:
            return self.two_of("O13", second) if abs(ranks[0] - ranks[1]) == 1 else self.two_of("O14", higher)
        if self.sizes == [4, 2, 1]:
            return self.two_of("O15" if higher is first else "O16", higher)
        return self.front("O17", self.single[:2])

    def full_house(self):
        if self.sizes == [3, 3, 1]:
            return self.two_of("O37", self.groups[0])
        if self.ranks == [ACE, THREE, TWO]:
            return self.two_of("O18", self.groups[0])
        return self.front("O19" if self.sizes == [3, 2, 2] else "O20", self.pairs[0])

    def flush(self):
        if self.sizes[0] == 3:
            return self.flush_row("O24")
        return self.pair_row("O25") if self.pairs else self.flush_row("O26")

    def pair_row(self, prefix):
        """The pair rows of royal flush, straight flush (i to k only) and flush."""
        if len(self.pairs) == 3:
            return self.front(prefix + "k", self.pairs[0])
        if len(self.pairs) == 2:
            if self.ranks[0] == ACE and self.ranks[1] in (TWO, KING):
                return self.flush_row(prefix + "i")
            return self.front(prefix + "j", self.pairs[1])
        pair = self.pairs[0]
        if not self.d.joker:
            return self.flush_row(prefix + "f")
        if self.leaves_flush(pair):
            return self.front(prefix + ("a" if self.pair_with_joker else "b"), pair)
        if self.leaves_flush([JOKER]):
            return self.flush_row(prefix + "c")
        if self.pair_with_joker and any(suit(card) == self.suit for card in pair):
            return self.front(prefix + "d", self.single[:2])
        off = next(card for card in self.single if card != JOKER and suit(card) != self.suit)
        return self.front(prefix + "e", [JOKER, off]) or self.flush_row(prefix + "ex")

    def straight(self):
        ranks, pairs = self.ranks, self.pairs
        if self.sizes[0] == 3:
            return self.straight_row("O30")
        if len(pairs) == 3:
            return self.front("O31k", pairs[0])
        if len(pairs) == 2:
            if self.leaves_straight(pairs[1]):
                return self.front("O31f", pairs[1])
            if ranks[1] == TWO and ranks[0] in (THREE, FOUR) and ACE not in ranks:
                return self.straight_row("O31i")
            return self.front("O31j", pairs[1])
        return self.straight_and_pair() if pairs else self.straight_row("O32")

    def straight_and_pair(self):
        pair, single = self.pairs[0], self.single
        if self.pair_with_joker:
            if self.leaves_straight(pair[:1]):
                return self.front("O31a", [pair[0], single[0]]) or self.straight_row("O31ax")
        elif self.d.joker and self.leaves_straight(pair):
            return self.front("O31b", pair)
        if self.ranks[0] in (TEN, JACK, QUEEN, KING) and {TEN, JACK, QUEEN, KING, ACE} <= set(self.ranks):
            # The two highest singletons: the ace or joker, and the queen or the king.
            return self.front("O31c" if self.ranks[0] == KING else "O31d", single[:2])
        return self.straight_row("O31e")

    def trips(self):
        first, single = self.groups[0], self.single
        if self.ranks[0] == KING and rank(single[1]) >= TEN:
            return self.front("O34", single[:2])
        if self.ranks[0] in (ACE, KING):
            return self.front("O33" if self.ranks[0] == ACE else "O35", *((card, single[0]) for card in first))
        return self.front("O36", single[:2])

    def few(self):
        """Pairs or high card."""
        if len(self.pairs) == 1:
            return self.front("O38", self.single[:2])
        if self.pairs:
            return self.front("O39", self.pairs[1]) if len(self.pairs) == 2 else self.front("O40", self.pairs[0])
        if (self.ranks[0] == ACE and self.ranks[1] in (KING, QUEEN) and self.ranks[2] in (EIGHT, NINE, TEN)
                and self.ranks[3] in (SEVEN, EIGHT)):
            return self.front("O41", [self.single[1], self.single[3]])
        return self.front("O42", self.single[1:3])


S_ROWS = ["S5", "S6A", "S6J", "S6", "S7AJ", "S7A", "S7J1", "S7J2", "S7J7", "S7J6", "S7"]
WAYS = {"online": lambda dealt, _: Online(dealt).setting()}
