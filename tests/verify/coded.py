"""The two house ways that no chart can hold: mini and online (rules/house-ways.md, 1 and 3).

Each rule is named as there. A function returns low hand, high hand and the clause that decided.
"""
from itertools import combinations, product

from .hands import (ACE, FIVE_ACES, FLUSH, FULL_HOUSE, HIGH_CARD, JOKER, PAIR, QUADS, RANKS, ROYAL,
                    STRAIGHT, STRAIGHT_FLUSH, TRIPS, TWO_PAIR, best_value, high_value, low_value, rank,
                    suit)
from .house_way import c2, order_of_suit

TWO, THREE, FOUR, EIGHT, TEN, JACK, QUEEN, KING = map(RANKS.index, "2348TJQK")


def mini(dealt):
    """Six cards, one of which goes low. The candidates of the first rule that fits."""
    groups, single = dealt.groups, dealt.singletons

    def removal_leaves(categories):
        return [card for card in dealt.cards
                if high_value(dealt.split([card])[1], dealt.wheel)[0] in categories]

    def setting(rule, candidates):
        def preference(card):
            value = high_value(dealt.split([card])[1], dealt.wheel)
            return low_value((card,)), value, -order_of_suit(card)
        return (*dealt.split([max(candidates, key=preference)]), rule)

    by_groups = {"5+1": ("M1", single), "4+2": ("M2", groups[1]), "4+1+1": ("M3", single[:1]),
                 "3+3": ("M4", groups[0]), "3+2+1": ("M5", single), "2+2+2": ("M6", groups[0])}
    if dealt.sizes in by_groups:
        return setting(*by_groups[dealt.sizes])
    for rule, categories in (("M7", (STRAIGHT_FLUSH, ROYAL)), ("M8", (FLUSH,)), ("M9", (STRAIGHT,))):
        if dealt.best in categories:
            cards = removal_leaves(categories)
            # A six-card straight or flush; the joker and an ace count as two ranks.
            several = len({low_value((card,)) for card in cards}) > 1
            return setting(rule + ("a" if several else "b"), cards)
    rule, place = {"3+1+1+1": ("M10", 0), "2+2+1+1": ("M11", 0), "2+1+1+1+1": ("M12", 0),
                   "1+1+1+1+1+1": ("M13", 1)}[dealt.sizes]
    return setting(rule, [single[place]])


class Online:
    """The online chart for one hand. Rows are tried from the top, the first that fits decides."""

    def __init__(self, dealt):
        self.d = dealt
        self.sizes = [len(group) for group in dealt.groups]
        self.pairs = [group for group in dealt.groups if len(group) == 2]
        self.suit = next((s for s in range(4) if len(self.of_suit(s)) >= 5), None)
        # A + Jk are a pair that the joker makes; every other pair is natural.
        self.pair_with_joker = bool(self.pairs) and JOKER in self.pairs[0]

    def of_suit(self, s):
        return [card for card in self.d.cards if suit(card) == s or card == JOKER]

    # ---- fronts

    def legal(self, rule, low):
        """The split with this front, or none if it is foul."""
        split = self.d.choose([low])
        return split and (*split, rule)

    def two_of(self, rule, group):
        split = self.d.choose(combinations(group, 2))
        return split and (*split, rule)

    def one_of(self, rule, group):
        return (*self.d.choose((card, self.d.singletons[0]) for card in group), rule)

    def flush_row(self, rule):
        """F rows: by the number of cards of the flush suit."""
        suited = sorted(self.of_suit(self.suit), key=lambda card: (card != JOKER, -rank(card)))
        others = [card for card in self.d.cards if card not in suited]
        # The joker stands first among them, then the highest.
        low = (suited + others)[-2:] if len(suited) == 5 else ([suited[0]] + others + suited[1:])[:2]
        return self.legal(f"{rule}/F{len(suited)}" + ("J" if self.d.joker and len(suited) > 5 else ""), low)

    def straight_row(self, rule, in_suit=False):
        """S rows: by the longest window of successive positions, ace low 1 to ace high 14."""
        held = {position: [card for card in self.d.cards if card != JOKER
                           and rank(card) == (position - 2) % 13
                           and (not in_suit or suit(card) == self.suit)]
                for position in range(1, 15)}
        for length in 7, 6, 5:
            found = []
            for first in range(1, 16 - length):
                window = range(first, first + length)
                gaps = [position for position in window if not held[position]]
                if len(gaps) > self.d.joker:
                    continue
                for cards in product(*(held[position] or [JOKER] for position in window)):
                    found.append(self.window_row(first, cards))
            if found:
                split = c2([self.d.split(low) for _, low in found], self.d.wheel)
                rows = [row for row, low in found if tuple(sorted(low)) == split[0]]
                return (*split, f"{rule}/{min(rows, key=S_ROWS.index)}")
        raise ValueError("no window of five")

    def window_row(self, first, cards):
        """The first S row that fits one window, and its front."""
        rest = [card for card in self.d.cards if card not in cards]
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
        return {1: ("S7J1", [JOKER, cards[6]]), 2: ("S7J2", [JOKER, cards[0]]),
                7: ("S7J7", [JOKER, cards[5]]), 6: ("S7J6", [JOKER, cards[6]]),
                }.get(place, ("S7", cards[5:]))

    # ---- conditions

    def leaves(self, low, categories):
        """Whether what remains without these cards holds five of one of the categories."""
        remaining = [card for card in self.d.cards if card not in low]
        return any(high_value(five, self.d.wheel)[0] in categories for five in combinations(remaining, 5))

    def leaves_flush(self, low):
        remaining = set(self.d.cards) - set(low)
        return any(len(remaining & set(self.of_suit(s))) >= 5 for s in range(4))

    def leaves_straight(self, low):
        remaining = [card for card in self.d.cards if card not in low]
        return best_value(remaining, self.d.wheel)[0] >= STRAIGHT

    # ---- the sections, by the best five cards

    def setting(self):
        sizes, best = self.sizes, self.d.best
        if best == FIVE_ACES:
            if len(sizes) == 2 and rank(self.d.groups[1][0]) == KING:
                return self.legal("O1", self.d.groups[1])
            return self.two_of("O2", [card for card in self.d.groups[0] if card != JOKER])
        if best == ROYAL:
            if sizes[0] >= 3:
                return self.two_of("O3", self.d.groups[0]) or self.flush_row("O3x")
            return self.pair_row("O4") if self.pairs else self.flush_row("O5")
        if best == STRAIGHT_FLUSH:
            return self.straight_flush()
        if sizes == [3, 2, 1, 1] and self.leaves([], (FLUSH,)):
            return self.full_house_and("O21", "O22", "O23", (KING, QUEEN, JACK, TEN))
        if sizes == [3, 2, 1, 1] and self.leaves([], (STRAIGHT,)):
            return self.full_house_and("O27", "O28", "O29", (KING, QUEEN, JACK))
        return {QUADS: self.quads, FULL_HOUSE: self.full_house, FLUSH: self.flush,
                STRAIGHT: self.straight, TRIPS: self.trips, TWO_PAIR: self.few, PAIR: self.few,
                HIGH_CARD: self.few}[best]()

    def straight_flush(self):
        sizes, group = self.sizes, self.d.groups[0]
        if sizes == [3, 2, 1, 1]:
            return self.legal("O6" if rank(group[0]) == ACE else "O7", self.pairs[0])
        if sizes[0] >= 3:
            return self.two_of("O8", group) or self.straight_row("O8x", in_suit=True)
        if len(self.pairs) == 1:
            rule = "O9" if self.pair_with_joker else "O10"
            return self.legal(rule, self.pairs[0]) or self.straight_row(rule + "x", in_suit=True)
        return self.pair_row("O11") if self.pairs else self.straight_row("O12", in_suit=True)

    def full_house_and(self, aces, high, otherwise, split_ranks):
        trips = self.d.groups[0]
        if rank(trips[0]) == ACE:
            return self.legal(aces, self.pairs[0])
        if rank(trips[0]) in split_ranks:
            return self.two_of(high, trips)
        return self.legal(otherwise, self.pairs[0])

    def quads(self):
        first, second = self.d.groups[:2]
        higher = max(first, second, key=lambda group: rank(group[0]))
        if self.sizes == [4, 3]:
            adjacent = abs(rank(first[0]) - rank(second[0])) == 1
            return self.two_of("O13", second) if adjacent else self.two_of("O14", higher)
        if self.sizes == [4, 2, 1]:
            return self.two_of("O15" if higher is first else "O16", higher)
        return self.legal("O17", self.d.singletons[:2])

    def full_house(self):
        first = self.d.groups[0]
        if self.sizes == [3, 3, 1]:
            return self.two_of("O37", first)
        if self.sizes == [3, 2, 2]:
            if [rank(group[0]) for group in self.d.groups] == [ACE, THREE, TWO]:
                return self.two_of("O18", first)
            return self.legal("O19", self.pairs[0])
        return self.legal("O20", self.pairs[0])

    def flush(self):
        if self.sizes[0] == 3:
            return self.flush_row("O24")
        return self.pair_row("O25") if self.pairs else self.flush_row("O26")

    def pair_row(self, prefix):
        """The pair rows of royal flush, straight flush (i to k only) and flush."""
        single, joker = self.d.singletons, self.d.joker
        ranks = [rank(pair[0]) for pair in self.pairs]
        if len(ranks) == 3:
            return self.legal(prefix + "k", self.pairs[0])
        if len(ranks) == 2:
            if ranks[0] == ACE and ranks[1] in (TWO, KING):
                return self.flush_row(prefix + "i")
            return self.legal(prefix + "j", self.pairs[1])
        pair = self.pairs[0]
        if not joker:
            return self.flush_row(prefix + "f")
        if self.leaves_flush(pair):
            return self.legal(prefix + ("a" if self.pair_with_joker else "b"), pair)
        if self.leaves_flush([JOKER]):
            return self.flush_row(prefix + "c")
        if self.pair_with_joker and any(suit(card) == self.suit for card in pair):
            return self.legal(prefix + "d", single[:2])
        off = next(card for card in single if card != JOKER and suit(card) != self.suit)
        return self.legal(prefix + "e", [JOKER, off]) or self.flush_row(prefix + "ex")

    def straight(self):
        ranks = [rank(pair[0]) for pair in self.pairs]
        if self.sizes[0] == 3:
            return self.straight_row("O30")
        if len(ranks) == 3:
            return self.legal("O31k", self.pairs[0])
        if len(ranks) == 2:
            plain = not any(rank(card) == ACE for card in self.d.cards)
            if not self.leaves_straight(self.pairs[1]) and (
                    ranks[1] == TWO and ranks[0] in (THREE, FOUR) and plain):
                return self.straight_row("O31i")
            return self.legal("O31f" if self.leaves_straight(self.pairs[1]) else "O31j", self.pairs[1])
        return self.straight_and_pair(ranks[0]) if ranks else self.straight_row("O32")

    def straight_and_pair(self, pair_rank):
        pair, single = self.pairs[0], self.d.singletons
        if self.pair_with_joker:
            ace = next(card for card in pair if card != JOKER)
            if self.leaves_straight([ace]):
                return self.legal("O31a", [ace, single[0]]) or self.straight_row("O31ax")
        elif self.d.joker and self.leaves_straight(pair):
            return self.legal("O31b", pair)
        if pair_rank in (TEN, JACK, QUEEN, KING) and set(range(TEN, ACE + 1)) <= set(map(rank, self.d.cards)):
            # The two highest singletons: the ace or joker, and the queen or the king.
            return self.legal("O31c" if pair_rank == KING else "O31d", single[:2])
        return self.straight_row("O31e")

    def trips(self):
        first, single = self.d.groups[0], self.d.singletons
        if rank(first[0]) == ACE:
            return self.one_of("O33", first)
        if rank(first[0]) == KING:
            if rank(single[1]) >= TEN:
                return self.legal("O34", single[:2])
            return self.one_of("O35", first)
        return self.legal("O36", single[:2])

    def few(self):
        """Pairs or high card."""
        single = self.d.singletons
        if self.pairs:
            return {1: lambda: self.legal("O38", single[:2]), 2: lambda: self.legal("O39", self.pairs[1]),
                    3: lambda: self.legal("O40", self.pairs[0])}[len(self.pairs)]()
        first, second, third, fourth = map(rank, single[:4])
        if (first == ACE and second in (KING, QUEEN) and third in (EIGHT, EIGHT + 1, TEN)
                and fourth in (EIGHT - 1, EIGHT)):
            return self.legal("O41", [single[1], single[3]])
        return self.legal("O42", single[1:3])


S_ROWS = ["S5", "S6A", "S6J", "S6", "S7AJ", "S7A", "S7J1", "S7J2", "S7J7", "S7J6", "S7"]
WAYS = {"mini": mini, "online": lambda dealt: Online(dealt).setting()}
