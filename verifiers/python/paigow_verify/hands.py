"""Cards, hands and how they compare (crates/paigow-rules/src/hands).

A card is a number: 13 x suit + rank, suits clubs, diamonds, hearts, spades, ranks deuce 0 to
ace 12; the joker is 52. One that is semi-wild is an ace, or any card that completes a straight or a flush. A wild
one is any card besides those of the hand, or the fifth of a rank.

A ranking is the name of an order of hands: the place of A-2-3-4-5 ("second" or "lowest"), followed by "-wild" if the
joker is wild.
"""
from functools import lru_cache
from itertools import combinations

JOKER, ACE = 52, 12
RANKS = "23456789TJQKA"
NAMES = [rank + suit for suit in "cdhs" for rank in RANKS] + ["Jk"]
CATEGORIES = ["high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
              "four of a kind", "straight flush", "royal flush", "five of a kind", "five aces"]
(HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL,
 FIVE_OF_A_KIND, FIVE_ACES) = range(12)
BY_SIZES = {(5,): FIVE_OF_A_KIND, (4, 1): QUADS, (3, 2): FULL_HOUSE, (3, 1, 1): TRIPS, (2, 2, 1): TWO_PAIR,
            (2, 1, 1, 1): PAIR, (1, 1, 1, 1, 1): HIGH_CARD}

# The five ranks of each straight. A-2-3-4-5 comes first, because it is recognised by its place.
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


def ranking_of(file):
    """The ranking of a ruleset or of a house way, whose file may leave out that the joker is semi-wild."""
    return file["wheel"] + ("-wild" if file.get("joker") == "wild" else "")


def is_wild(ranking):
    return ranking.endswith("-wild")


def grouped(cards, ranking):
    """The cards by rank, each group in the order of the cards. The joker is among the aces or, where it is wild, in
    the largest group, of several the highest."""
    groups = {}
    for card in cards:
        if card != JOKER:
            groups.setdefault(card % 13, []).append(card)
    if JOKER in cards:
        joins = max(groups, key=lambda r: (len(groups[r]), r)) if is_wild(ranking) and groups else ACE
        groups.setdefault(joins, []).append(JOKER)
    return groups


@lru_cache(maxsize=1 << 18)
def five_value(cards, ranking="second"):
    """The value of five cards (sorted tuple): (category, the order within it)."""
    naturals = [card for card in cards if card != JOKER]
    ranks, joker = {card % 13 for card in naturals}, len(naturals) < 5
    suited = len({card // 13 for card in naturals}) == 1
    groups = sorted(((len(group), r) for r, group in grouped(cards, ranking).items()), reverse=True)
    category = FIVE_ACES if groups[0] == (5, ACE) else BY_SIZES[tuple(n for n, _ in groups)]
    values = [(category, tuple(r for _, r in groups))]
    if len(ranks) == len(naturals):
        for straight in STRAIGHTS:
            # With the joker one rank is missing. Otherwise its card is not among the others.
            if len(straight - ranks) == joker and ranks <= straight:
                category = STRAIGHT if not suited else ROYAL if straight == STRAIGHTS[-1] else STRAIGHT_FLUSH
                # A-2-3-4-5 is second to A-K-Q-J-T, or the lowest of all.
                top = max(straight) if straight != WHEEL else 11.5 if ranking.startswith("second") else 3
                values.append((category, (top,)))
        if suited:
            best = ranks | {max(set(range(13)) - ranks)} if joker else ranks
            values.append((FLUSH, tuple(sorted(best, reverse=True))))
    return max(values)


def high_value(cards, ranking="second"):
    return five_value(tuple(sorted(cards)), ranking)


def best_value(cards, ranking="second"):
    """The value of the best five of the cards."""
    return max(five_value(five, ranking) for five in combinations(sorted(cards), 5))


def low_value(cards, ranking="second"):
    """The value of a low hand. In a hand of one card the joker is above the aces. A wild joker pairs the other card."""
    if len(cards) == 1:
        return HIGH_CARD, (13 if cards[0] == JOKER else rank(cards[0]),)
    if is_wild(ranking) and JOKER in cards:
        return PAIR, (rank(min(cards)),)
    high, low = sorted(map(rank, cards), reverse=True)
    return (PAIR, (high,)) if high == low else (HIGH_CARD, (high, low))


def is_foul(low, high, ranking="second"):
    """Whether the low hand is higher than the high hand as far as its cards go."""
    category, order = high_value(high, ranking)
    front = low_value(low, ranking) if len(low) == 2 else (HIGH_CARD, (rank(low[0]),))
    return category <= PAIR and (category, order[:len(front[1])]) < front


def category_name(value):
    return CATEGORIES[value[0]]
