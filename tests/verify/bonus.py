"""Bonus bets: the conditions of their rows (rules/bets.md, sections 2 and 3).

A ruleset names, for each row, one of these conditions; the first row that holds is paid.
"""
from collections import Counter
from functools import lru_cache
from itertools import combinations

from .hands import (ACE, CATEGORIES, FLUSH, JOKER, PAIR, RANKS, ROYAL, STRAIGHT, STRAIGHT_FLUSH,
                    WHEEL, five_value, is_red, low_value, rank, suit)

KING, QUEEN, THREE = RANKS.index("K"), RANKS.index("Q"), RANKS.index("3")
# Windows of seven successive ranks, A-7 up to 8-A.
SEVENS = [frozenset((ACE, *range(6)))] + [frozenset(range(low, low + 7)) for low in range(7)]


class Cards:
    """All cards of one hand, six or seven, and what some five of them make."""

    def __init__(self, cards):
        self.cards = frozenset(cards)
        self.joker = JOKER in self.cards
        self.naturals = sorted(self.cards - {JOKER})
        self.fives = list(combinations(sorted(self.cards), 5))
        self.made = {five_value(five)[0] for five in self.fives}
        self.ranks = Counter(map(rank, self.cards))

    def category(self, name):
        """A royal flush is the highest straight flush."""
        if name == "straight flush":
            return bool(self.made & {STRAIGHT_FLUSH, ROYAL})
        return CATEGORIES.index(name) in self.made

    def complete(self):
        return bool(self.made & {STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL})

    def no_pair_high(self, letter):
        """A pai gow hand of this height: seven ranks, no straight, no flush, joker or not."""
        top = RANKS.index(letter)
        return len(self.ranks) == len(self.cards) and not self.complete() and max(self.ranks) == top

    def seven_card_straight_flush(self, joker):
        ranks = {card % 13 for card in self.naturals}
        return (len(self.cards) == 7 and self.joker == joker
                and len({suit(card) for card in self.naturals}) == 1
                and any(ranks <= window for window in SEVENS))

    def royal_beside(self, *ranks):
        """A royal flush, the joker allowed, and two real cards of these ranks in one suit."""
        for five in self.fives:
            rest = sorted(self.cards - set(five))
            if (five_value(five)[0] == ROYAL and len(rest) == 2 and JOKER not in rest
                    and suit(rest[0]) == suit(rest[1]) and {card % 13 for card in rest} == set(ranks)):
                return True
        return False

    def wheel(self):
        """The cards beside a natural A-2-3-4-5 of one suit, no joker in the hand; else none."""
        for s in range(4):
            low_five = {13 * s + r for r in WHEEL}
            if not self.joker and low_five <= self.cards:
                return sorted(self.cards - low_five)
        return None

    def wheel_with_ace_queen(self):
        rest = self.wheel()
        return bool(rest) and suit(rest[0]) == suit(rest[1]) and {c % 13 for c in rest} == {ACE, QUEEN}

    def three_pair(self):
        return (list(self.ranks.values()).count(2) == 3 and max(self.ranks.values()) == 2
                and not self.complete())

    def one_colour(self, reading, joker):
        """One colour without straight or flush; with `no_pair` also seven different ranks."""
        return (self.joker == joker and len({is_red(card) for card in self.naturals}) == 1
                and not self.complete()
                and (reading == "any" or len(self.ranks) == len(self.cards)))

    def of_colour(self, count, choice):
        """The joker is of neither colour."""
        return sum(is_red(card) == (choice == "red") for card in self.naturals) == count


HEIGHTS = {"nine_high": "9", "ten_high": "T", "jack_high": "J", "queen_high": "Q", "king_high": "K",
           "ace_high": "A"}
COLOURS = {"seven_of_colour": 7, "six_of_colour": 6, "five_of_colour": 5, "four_of_colour": 4}
SHAPES = {
    "natural_seven_card_straight_flush": lambda hand: hand.seven_card_straight_flush(joker=False),
    "joker_seven_card_straight_flush": lambda hand: hand.seven_card_straight_flush(joker=True),
    "royal_flush_with_ace_queen": lambda hand: hand.royal_beside(ACE, QUEEN),
    "royal_match": lambda hand: hand.royal_beside(KING, QUEEN),
    "luhn_tao_wheel": lambda hand: hand.wheel() is not None,
    "luhn_tao_wheel_with_ace_queen": Cards.wheel_with_ace_queen,
    "natural_ace_to_five_straight_flush": lambda hand: (
        hand.wheel() is not None and not hand.seven_card_straight_flush(joker=False)),
    "three_pair": Cards.three_pair,
}


def _holds(hand, condition, bet, choice):
    if condition in HEIGHTS:
        return hand.no_pair_high(HEIGHTS[condition])
    if condition in COLOURS:
        return hand.of_colour(COLOURS[condition], choice)
    if condition in SHAPES:
        return SHAPES[condition](hand)
    if condition in ("one_colour", "one_colour_with_joker"):
        return hand.one_colour(bet["one_colour"], joker=condition != "one_colour")
    return hand.category(condition.replace("_", " "))


def _three_cards(cards):
    """The conditions that three cards satisfy (001, 3 Card Bonus)."""
    naturals = [card for card in cards if card != JOKER]
    joker, held = len(naturals) < 3, set()
    ranks, counts = {card % 13 for card in naturals}, Counter(map(rank, cards))
    suited = len({suit(card) for card in naturals}) == 1
    windows = [{ACE, 0, 1}] + [set(range(low, low + 3)) for low in range(11)]
    straight = len(ranks) == len(naturals) and any(ranks <= window for window in windows)
    held |= {"straight"} if straight else set()
    held |= {"flush"} if suited else set()
    held |= {"straight_flush"} if straight and suited else set()
    held |= {"natural_straight_flush"} if straight and suited and not joker else set()
    held |= {"pair"} if max(counts.values()) >= 2 else set()
    return held | ({"three_of_a_kind"} if max(counts.values()) == 3 else set())


@lru_cache(maxsize=1 << 12)
def _hand(cards):
    return Cards(cards)


def row(bet, cards, choice=None):
    """The row that pays, for the cards that the bet looks at; none if none does."""
    if bet["id"] == "three_card":
        held = _three_cards(cards[:3])
        return next((row for row in bet["rows"] if row["condition"] in held), None)
    hand = _hand(tuple(sorted(cards)))
    return next((row for row in bet["rows"] if _holds(hand, row["condition"], bet, choice)), None)


def wrangler_row(bet, outcome, lows):
    """Wrangler Push: both hands are set by the house way, and neither wins both."""
    threes = any(low_value(low) >= (PAIR, (THREE,)) for low in lows)
    held = {"push": outcome == "push", "push_with_threes_or_better": outcome == "push" and threes}
    return next((row for row in bet["rows"] if held[row["condition"]]), None)
