"""Bonus bets: the conditions of their rows (crates/paigow-rules/src/game/bets).

A ruleset names, for each row, one of these conditions; the first row that holds is paid.
"""
from collections import Counter
from functools import lru_cache
from itertools import combinations

from .hands import (ACE, CATEGORIES, FLUSH, JOKER, PAIR, RANKS, ROYAL, STRAIGHT, STRAIGHT_FLUSH, WHEEL,
                    five_value, is_red, low_value, rank, suit)

KING, QUEEN, THREE = map(RANKS.index, "KQ3")
# Windows of seven successive ranks, A-7 up to 8-A, and of three.
SEVENS = [{ACE, *range(6)}] + [set(range(low, low + 7)) for low in range(7)]
THREES = [{ACE, 0, 1}] + [set(range(low, low + 3)) for low in range(11)]


class Cards:
    """All cards of one hand, six or seven, and what some five of them make."""

    def __init__(self, cards):
        self.cards, self.joker = frozenset(cards), JOKER in cards
        self.naturals = sorted(self.cards - {JOKER})
        self.fives = {five: five_value(five)[0] for five in combinations(sorted(cards), 5)}
        self.made, self.ranks = set(self.fives.values()), Counter(map(rank, cards))
        self.complete = bool(self.made & {STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL})

    def no_pair_high(self, letter):
        """A pai gow hand of this height: seven ranks, no straight, no flush, joker or not."""
        return self.all_differ() and not self.complete and max(self.ranks) == RANKS.index(letter)

    def all_differ(self):
        return len(self.ranks) == len(self.cards)

    def seven_card_straight_flush(self, joker):
        ranks = {card % 13 for card in self.naturals}
        return (len(self.cards) == 7 and self.joker == joker and len(set(map(suit, self.naturals))) == 1
                and any(ranks <= window for window in SEVENS))

    def royal_beside(self, *ranks):
        """A royal flush, the joker allowed, and two real cards of these ranks in one suit."""
        return any(category == ROYAL and _one_suit(self.cards - set(five), ranks)
                   for five, category in self.fives.items())

    def beside_wheel(self):
        """The cards beside a natural A-2-3-4-5 of one suit, no joker in the hand; else none."""
        wheels = ({13 * s + r for r in WHEEL} for s in range(4))
        return next((self.cards - wheel for wheel in wheels if not self.joker and wheel <= self.cards), None)

    def three_pair(self):
        return sorted(self.ranks.values())[-3:] == [2, 2, 2] and not self.complete

    def one_colour(self, reading, joker):
        """One colour without straight or flush; with `no_pair` also seven different ranks."""
        return (self.joker == joker and len(set(map(is_red, self.naturals))) == 1 and not self.complete
                and (reading == "any" or self.all_differ()))

    def of_colour(self, count, choice):
        """The joker is of neither colour."""
        return sum(is_red(card) == (choice == "red") for card in self.naturals) == count


def _one_suit(cards, ranks):
    """Whether two real cards have these ranks and one suit."""
    return len(cards) == 2 and any(cards == {13 * s + r for r in ranks} for s in range(4))


HEIGHTS = dict(zip(("nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high"), "9TJQKA"))
COLOURS = {"seven_of_colour": 7, "six_of_colour": 6, "five_of_colour": 5, "four_of_colour": 4}
SHAPES = {
    "natural_seven_card_straight_flush": lambda hand: hand.seven_card_straight_flush(joker=False),
    "joker_seven_card_straight_flush": lambda hand: hand.seven_card_straight_flush(joker=True),
    "royal_flush_with_ace_queen": lambda hand: hand.royal_beside(ACE, QUEEN),
    "royal_match": lambda hand: hand.royal_beside(KING, QUEEN),
    "luhn_tao_wheel": lambda hand: hand.beside_wheel() is not None,
    "luhn_tao_wheel_with_ace_queen": lambda hand: _one_suit(hand.beside_wheel() or (), (ACE, QUEEN)),
    "natural_ace_to_five_straight_flush": lambda hand: (
        hand.beside_wheel() is not None and not hand.seven_card_straight_flush(joker=False)),
    "three_pair": Cards.three_pair,
    # A royal flush is the highest straight flush.
    "straight_flush": lambda hand: bool(hand.made & {STRAIGHT_FLUSH, ROYAL}),
}


ON_HANDS = (*HEIGHTS, *SHAPES, *(name.replace(" ", "_") for name in CATEGORIES[2:] if name != "straight flush"))
OF_ONE_COLOUR = ("one_colour", "one_colour_with_joker")
# By the cards that decide a bet, the conditions that its rows may name.
CONDITIONS = {
    "seat-hand": ON_HANDS, "dealer-hand": ON_HANDS, "named-colour": tuple(COLOURS),
    "house-way-hands": ("push", "push_with_threes_or_better"),
    "first-three": ("natural_straight_flush", "three_of_a_kind", "straight_flush", "straight", "flush", "pair")}


def _holds(hand, condition, bet, choice):
    if condition in HEIGHTS:
        return hand.no_pair_high(HEIGHTS[condition])
    if condition in COLOURS:
        return hand.of_colour(COLOURS[condition], choice)
    if condition in OF_ONE_COLOUR:
        return hand.one_colour(bet["one_colour"], joker=condition != "one_colour")
    if condition in SHAPES:
        return SHAPES[condition](hand)
    return CATEGORIES.index(condition.replace("_", " ")) in hand.made


def _three_cards(cards):
    """The conditions that three cards satisfy (001, 3 Card Bonus)."""
    naturals = [card for card in cards if card != JOKER]
    ranks, most = {card % 13 for card in naturals}, max(Counter(map(rank, cards)).values())
    suited = len(set(map(suit, naturals))) == 1
    straight = len(ranks) == len(naturals) and any(ranks <= window for window in THREES)
    held = {"straight": straight, "flush": suited, "straight_flush": straight and suited, "pair": most >= 2,
            "natural_straight_flush": straight and suited and len(naturals) == 3, "three_of_a_kind": most == 3}
    return {condition for condition, holds in held.items() if holds}


@lru_cache(maxsize=1 << 12)
def _hand(cards):
    return Cards(cards)


def row(bet, cards, choice=None):
    """The row that pays, for the cards that the bet looks at; none if none does."""
    if bet["looks_at"] == "first-three":
        held = _three_cards(cards[:3])
        return next((row for row in bet["rows"] if row["condition"] in held), None)
    hand = _hand(tuple(sorted(cards)))
    return next((row for row in bet["rows"] if _holds(hand, row["condition"], bet, choice)), None)


def row_of_both(bet, outcome, lows):
    """The row that pays of a bet on both hands: they are set by the house way, and neither wins both."""
    threes = any(low_value(low) >= (PAIR, (THREE,)) for low in lows)
    held = {"push": outcome == "push", "push_with_threes_or_better": outcome == "push" and threes}
    return next((row for row in bet["rows"] if held[row["condition"]]), None)
