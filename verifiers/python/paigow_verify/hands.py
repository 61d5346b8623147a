"""Cards, hands and how they compare (crates/paigow-rules/src/hands).

A card is a number: 13 x suit + rank, suits clubs, diamonds, hearts, spades, ranks deuce 0 to
ace 12; the joker is 52. It is an ace, or any card that completes a straight or a flush.
"""
from collections import Counter
from functools import lru_cache
from itertools import combinations

JOKER, ACE = 52, 12
RANKS = "23456789TJQKA"
NAMES = [rank + suit for suit in "cdhs" for rank in RANKS] + ["Jk"]
CATEGORIES = ["high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
              "four of a kind", "straight flush", "royal flush", "five aces"]
(HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL,
 FIVE_ACES) = range(11)
BY_SIZES = {(5,): FIVE_ACES, (4, 1): QUADS, (3, 2): FULL_HOUSE, (3, 1, 1): TRIPS, (2, 2, 1): TWO_PAIR,
            (2, 1, 1, 1): PAIR, (1, 1, 1, 1, 1): HIGH_CARD}

# The five ranks of each straight. A-2-3-4-5 comes first, for it is told apart by name.
WHEEL = frozenset((ACE, 0, 1, 2, 3))
STRAIGHTS = [WHEEL] + [frozenset(range(low, low + 5)) for low in range(9)]


def rank(card):
    """The rank of a card, the joker counting as an ace."""
    return ACE if card == JOKER else card % 13


def suit(card):
    """The suit of a card; the joker has none."""
    return None if card == JOKER else card // 13


def is_red(card):
    return suit(card) in (1, 2)


@lru_cache(maxsize=1 << 18)
def five_value(cards, wheel="second"):
    """The value of five cards (sorted tuple): (category, what decides within it)."""
    naturals = [card for card in cards if card != JOKER]
    ranks, joker = {card % 13 for card in naturals}, len(naturals) < 5
    suited = len({card // 13 for card in naturals}) == 1
    groups = sorted(((n, r) for r, n in Counter(map(rank, cards)).items()), reverse=True)
    values = [(BY_SIZES[tuple(n for n, _ in groups)], tuple(r for _, r in groups))]
    if len(ranks) == len(naturals):
        for straight in STRAIGHTS:
            # With the joker one rank is missing, or else its card is not among the others.
            if len(straight - ranks) == joker and ranks <= straight:
                category = STRAIGHT if not suited else ROYAL if straight == STRAIGHTS[-1] else STRAIGHT_FLUSH
                # A-2-3-4-5 is second to A-K-Q-J-T, or the lowest of all.
                top = max(straight) if straight != WHEEL else 11.5 if wheel == "second" else 3
                values.append((category, (top,)))
        if suited:
            best = ranks | {max(set(range(13)) - ranks)} if joker else ranks
            values.append((FLUSH, tuple(sorted(best, reverse=True))))
    return max(values)


def high_value(cards, wheel="second"):
    return five_value(tuple(sorted(cards)), wheel)


def best_value(cards, wheel="second"):
    """The value of the best five of the cards."""
    return max(five_value(five, wheel) for five in combinations(sorted(cards), 5))


def low_value(cards):
    """The value of a low hand. Of one card the joker is above the aces."""
    if len(cards) == 1:
        return HIGH_CARD, (13 if cards[0] == JOKER else rank(cards[0]),)
    high, low = sorted(map(rank, cards), reverse=True)
    return (PAIR, (high,)) if high == low else (HIGH_CARD, (high, low))


def is_foul(low, high, wheel="second"):
    """Whether the low hand is higher than the high hand as far as its cards go."""
    category, order = high_value(high, wheel)
    front = low_value(low) if len(low) == 2 else (HIGH_CARD, (rank(low[0]),))
    return category <= PAIR and (category, order[:len(front[1])]) < front


def category_name(value):
    return CATEGORIES[value[0]]
