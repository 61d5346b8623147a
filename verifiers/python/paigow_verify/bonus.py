"""Conditions: which hands a row of a bonus bet pays, and on which hands of the dealer all base wagers push.

A condition is made of terms: a word of the table below, after `no_` its opposite, behind a colon its argument.
Of the rows of a bet the first whose condition holds is paid.
"""
import re
from collections import Counter
from functools import lru_cache
from itertools import combinations, permutations

from .hands import (ACE, CATEGORIES, FIVE_ACES, FLUSH, FULL_HOUSE, HIGH_CARD, JOKER, PAIR, QUADS, RANKS, ROYAL,
                    STRAIGHT, STRAIGHT_FLUSH, STRAIGHTS, TRIPS, TWO_PAIR, five_value, high_value, is_red, is_wild, low_value,
                    rank, suit)

# The words that five cards of a category meet. Pairs are counted.
MADE = {FIVE_ACES: "five_of_a_kind four_of_a_kind three_of_a_kind", ROYAL: "royal_flush straight_flush flush straight",
        STRAIGHT_FLUSH: "straight_flush flush straight", QUADS: "four_of_a_kind three_of_a_kind",
        FULL_HOUSE: "full_house three_of_a_kind two_pair", FLUSH: "flush", STRAIGHT: "straight",
        TRIPS: "three_of_a_kind", TWO_PAIR: "two_pair", PAIR: "", HIGH_CARD: ""}

ROYAL_RANKS = STRAIGHTS[-1]


def _windows(size):
    """Whether there are this many successive ranks, the ace below the two or above the king."""
    order = [ACE, *range(13)]
    return [set(order[low:low + size]) for low in range(15 - size)]


def _made_by_three(cards):
    naturals = [card for card in cards if card != JOKER]
    ranks, flush = {card % 13 for card in naturals}, len(set(map(suit, naturals))) == 1
    straight = len(ranks) == len(naturals) and any(ranks <= window for window in _windows(3))
    words = {"straight": straight, "flush": flush, "straight_flush": straight and flush,
             "three_of_a_kind": len(set(map(rank, cards))) == 1}
    return [word for word, holds in words.items() if holds]


def _by_suit(cards):
    """The ranks of each suit, the joker left out."""
    return [{card % 13 for card in cards if suit(card) == s} for s in range(4)]


def _in_one_suit(cards, groups):
    """Whether the ranks of each group are there in one suit, each group in another suit."""
    groups = [set(map(RANKS.index, letters)) for letters in groups]
    return any(all(group <= held for group, held in zip(groups, suits))
               for suits in permutations(_by_suit(cards), len(groups)))


class Cards:
    """All cards of one hand, or its first three, and the colour that a wager names."""

    def __init__(self, cards, choice=None, ranking="second"):
        self.cards, self.joker, self.choice = frozenset(cards), JOKER in cards, choice
        self.naturals, self.ranks = self.cards - {JOKER}, Counter(map(rank, cards))
        self.suits, self.reds = _by_suit(cards), sum(map(is_red, cards))
        self.blacks, self.pairs = len(self.naturals) - self.reds, [r for r, n in self.ranks.items() if n >= 2]
        size = 3 if len(cards) == 3 else 5
        # Where the joker is wild the ranks are those of the other cards.
        self.wild = self.joker and is_wild(ranking)
        if self.wild:
            self.ranks = Counter(map(rank, self.naturals))
            self.pairs = [r for r, n in self.ranks.items() if n >= 2]
            self.pairs += [max(r for r, n in self.ranks.items() if n == 1)] if 1 in self.ranks.values() else []
            self.made = self._made_by_wild_joker(size)
        else:
            self.made = _made(self.cards, size)
        self.made_naturally = _made(self.naturals, size) if self.joker else self.made

    def _made_by_wild_joker(self, size):
        """The categories that the cards make with the joker as any card."""
        most, *others = sorted(self.ranks.values(), reverse=True)
        second = max(others, default=0)
        words = {"pair": True, "two_pair": len(self.pairs) >= 2, "three_of_a_kind": most >= 2,
                 "full_house": most >= 3 and second >= 1 or second >= 2, "four_of_a_kind": most >= 3,
                 "five_of_a_kind": most == 4, "straight": self.run(size), "flush": self.suited(size),
                 "straight_flush": self.suited_run(size),
                 "royal_flush": any(len(ranks & ROYAL_RANKS) == 4 or ranks >= ROYAL_RANKS for ranks in self.suits)}
        return {word for word, holds in words.items() if holds}

    def five_aces(self):
        return self.joker and self.ranks[ACE] == (4 if self.wild else 5)

    def highest(self):
        """The highest rank; the joker is an ace."""
        return ACE if self.joker else max(self.ranks)

    def suited(self, count):
        return max(map(len, self.suits)) + self.joker >= count

    def run(self, count):
        return self._runs(set().union(*self.suits), count)

    def suited_run(self, count):
        return any(self._runs(ranks, count) for ranks in self.suits)

    def _runs(self, ranks, count):
        return any(len(window & ranks) + self.joker >= count for window in _windows(count))

    def holds(self, letters):
        return (Counter(map(RANKS.index, letters)) - self.ranks).total() <= self.wild

    def royal_beside(self, letters):
        """A royal flush, the joker allowed, and two real cards of these ranks in one suit."""
        return any(five_value(five)[0] == ROYAL and _in_one_suit(self.cards - set(five), [letters])
                   for five in combinations(sorted(self.cards), 5))

    def of_colour(self):
        return self.reds if self.choice == "red" else self.blacks


def _made(cards, size):
    """The categories of each five of the cards, or of each three."""
    made = {word for some in combinations(sorted(cards), size)
            for word in (_made_by_three(some) if size == 3 else MADE[five_value(some)[0]].split())}
    return made | ({"pair"} if len(set(map(rank, cards))) < len(cards) else set())


class SetHands:
    """The values of the two hands in which some cards are set."""

    def __init__(self, low, high, ranking):
        self.high_hand, self.low_hand = high_value(high, ranking), low_value(low, ranking)


class DealerHand(Cards):
    """The dealer's cards, and the hands that the house way sets them in."""

    def __init__(self, cards, low, high, ranking):
        super().__init__(cards, ranking=ranking)
        self.set = SetHands(low, high, ranking)


class Both:
    """The hands of seat and dealer, both set by the house way, and how the seat's compare."""

    def __init__(self, results, seat, dealer):
        self.high, self.low, self.outcome = results
        self.set, self.dealer_set = seat, dealer


def _is_pair(low_hand, letter):
    return low_hand >= (PAIR, (RANKS.index(letter),))


def _is_highest(hand, letter):
    """Whether a hand is no pair or better, and this is its highest rank. The joker alone is an ace."""
    category, (highest, *_) = hand
    return category == HIGH_CARD and min(highest, ACE) == RANKS.index(letter)


def _category(text, size):
    return text in WRITTEN


def _none(text, size):
    return text is None


def _rank(text, size):
    return text in tuple(RANKS)


def _rank_or_none(text, size):
    return text is None or _rank(text, size)


def _to(most):
    return lambda text, size: text in map(str, range(most + 1))


def _count(text, size):
    return text in map(str, range(2, size + 1))


def _ranks(text, size):
    return text is not None and set(text) <= set(RANKS) and len(text) <= size


def _different(text):
    return set(text) <= set(RANKS) and len(text) == len(set(text)) >= 2


def _one_or_two_groups(text, size):
    groups = (text or "").split("+")
    return len(groups) <= 2 and all(map(_different, groups)) and sum(map(len, groups)) <= size


def _two_of_seven(text, size):
    return size == 7 and text is not None and len(text) == 2 and _different(text)


HAND = ("seat-hand", "dealer-hand")
CARDS, SEAT, SET, BOTH = (*HAND, "first-three"), HAND[:1], ("seat-set-hands",), ("house-way-hands",)
SUBJECTS = (*CARDS, *SET, *BOTH)
# A push of the base wager depends on the dealer's cards and on how the house way sets them.
PUSH = "push_on_dealer"
WRITTEN = [name.replace(" ", "_") for name in CATEGORIES]
KINDS = {"royal_flush": HAND, "straight_flush": CARDS, "four_of_a_kind": HAND, "full_house": HAND, "flush": CARDS,
         "straight": CARDS, "three_of_a_kind": CARDS, "two_pair": HAND}
# The words on two set hands: whether an argument is valid, and when they hold.
ON_SET_HANDS = {
    "low_pair": (_rank, lambda hands, letter: _is_pair(hands.low_hand, letter)),
    "low_highest": (_rank, lambda hands, letter: _is_highest(hands.low_hand, letter)),
    "high_highest": (_rank, lambda hands, letter: _is_highest(hands.high_hand, letter)),
    "high": (_category, lambda hands, word: hands.high_hand[0] == WRITTEN.index(word))}
# Each word: the subjects of bets with it, whether an argument is valid for the number of cards, and when it holds.
WORDS = {
    "five_aces": (HAND, _none, lambda hand, _: hand.five_aces()),
    "five_of_a_kind": (HAND, _none, lambda hand, _: "five_of_a_kind" in hand.made),
    **{kind: (subjects, _none, lambda hand, _, kind=kind: kind in hand.made) for kind, subjects in KINDS.items()},
    **{f"natural_{kind}": (subjects, _none, lambda hand, _, kind=kind: kind in hand.made_naturally)
       for kind, subjects in {**KINDS, "pair": CARDS}.items()},
    "pair": (CARDS, _rank_or_none,
             lambda hand, letter: max(hand.pairs, default=-1) >= RANKS.index(letter or RANKS[0])),
    "pai_gow": (CARDS, _none, lambda hand, _: not hand.made & {"pair", "straight", "flush"}),
    "joker": (CARDS, _none, lambda hand, _: hand.joker),
    "highest": (CARDS, _rank, lambda hand, letter: hand.highest() == RANKS.index(letter)),
    "pairs": (CARDS, _to(3), lambda hand, count: len(hand.pairs) == int(count)),
    "suited": (CARDS, _count, lambda hand, count: hand.suited(int(count))),
    "run": (CARDS, _count, lambda hand, count: hand.run(int(count))),
    "suited_run": (CARDS, _count, lambda hand, count: hand.suited_run(int(count))),
    "ranks": (CARDS, _ranks, lambda hand, letters: hand.holds(letters)),
    "one_suit": (CARDS, _one_or_two_groups, lambda hand, groups: _in_one_suit(hand.cards, groups.split("+"))),
    "royal_flush_beside": (HAND, _two_of_seven, lambda hand, letters: hand.royal_beside(letters)),
    "red": (CARDS, _to(7), lambda hand, count: hand.reds == int(count)),
    "black": (CARDS, _to(7), lambda hand, count: hand.blacks == int(count)),
    "one_colour": (CARDS, _none, lambda hand, _: 0 in (hand.reds, hand.blacks)),
    "named_colour": (SEAT, _to(7), lambda hand, count: hand.of_colour() == int(count)),
    **{word: (BOTH, _none, lambda both, _, word=word: both.outcome == word) for word in ("win", "push", "lose")},
    **{f"{part}_{word}": (BOTH, _none, lambda both, _, part=part, word=word: getattr(both, part) == word)
       for part in ("high", "low") for word in ("win", "copy", "lose")},
    **{word: ((*SET, *BOTH, PUSH), is_argument, lambda seen, argument, test=test: test(seen.set, argument))
       for word, (is_argument, test) in ON_SET_HANDS.items()},
    **{f"dealer_{word}": (BOTH, is_argument, lambda both, argument, test=test: test(both.dealer_set, argument))
       for word, (is_argument, test) in ON_SET_HANDS.items()}}
TERM = re.compile("(no_)?([a-z_]+)(?::(.+))?")


def _lists(condition):
    """The lists of terms. All terms of one list have to hold: a text is one term, a list of texts one list."""
    if not isinstance(condition, list):
        return [[condition]]
    return condition if all(isinstance(item, list) for item in condition) else [condition]


def _is_term(text, looks_at, size):
    term = TERM.fullmatch(text) if isinstance(text, str) else None
    if term is None or term[2] not in WORDS:
        return False
    subjects, is_argument, _ = WORDS[term[2]]
    is_known = looks_at in subjects or looks_at == PUSH and "dealer-hand" in subjects
    return is_known and is_argument(term[3], size)


def is_condition(value, looks_at, hand):
    """Whether a bet with this subject may have the condition, with hands of this many cards."""
    size, lists = 3 if looks_at == "first-three" else hand, _lists(value)
    return bool(lists) and all(terms and all(_is_term(term, looks_at, size) for term in terms) for terms in lists)


def words_of(bet):
    """The words of the terms of all rows."""
    return [TERM.fullmatch(term)[2] for row in bet.get("rows", ()) for terms in _lists(row["condition"]) for term in terms]


def asks_colour(bet):
    """Whether a wager on the bet names a colour."""
    return "named_colour" in words_of(bet)


def _term_holds(text, seen):
    opposite, word, argument = TERM.fullmatch(text).groups()
    return bool(WORDS[word][2](seen, argument)) != bool(opposite)


def holds(condition, seen):
    return any(all(_term_holds(term, seen) for term in terms) for terms in _lists(condition))


@lru_cache(maxsize=1 << 12)
def _hand(cards, choice, ranking):
    return Cards(cards, choice, ranking)


def subject(looks_at, cards, choice=None, ranking="second"):
    """The subject of the terms of a bet, from cards in the order in which they were dealt."""
    return _hand(tuple(sorted(cards[:3] if looks_at == "first-three" else cards)), choice, ranking)


def row(bet, seen):
    """The row that pays, or None."""
    return next((row for row in bet["rows"] if holds(row["condition"], seen)), None)
