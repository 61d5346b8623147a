"""House ways: the common part of all, and the charts (crates/paigow-rules/src/house_way). A chart is data: this module
reads the published file itself."""
from functools import cached_property, lru_cache
from itertools import combinations

from .hands import (ACE, CATEGORIES, FLUSH, JOKER, NAMES, PAIR, RANKS, ROYAL, STRAIGHT, STRAIGHT_FLUSH, best_value,
                    category_name, grouped, high_value, is_foul, low_value, rank, ranking_of, suit)
from .records import fits, need, text


def order_of_suit(card):
    """Clubs, diamonds, hearts, spades, then the joker."""
    return 4 if card == JOKER else suit(card)


class Dealt:
    """Dealt cards in groups of equal rank. A split is a low hand and a high hand, both ascending."""

    def __init__(self, cards, ranking="second"):
        self.cards, self.ranking, self.joker = tuple(sorted(cards)), ranking, JOKER in cards
        # How many cards go in front.
        self.front = len(self.cards) - 5
        # The largest first, of equal sizes the higher rank first.
        by_rank = sorted(grouped(self.cards, ranking).items(), key=lambda item: (-len(item[1]), -item[0]))
        self.groups = [group for _, group in by_rank]
        self.sizes = "+".join(str(len(group)) for group in self.groups)
        self.singletons = [group[0] for group in self.groups if len(group) == 1]

    @cached_property
    def best(self):
        """The category of the best five cards."""
        return best_value(self.cards, self.ranking)[0]

    @cached_property
    def complete_fives(self):
        """All fives that are a straight, a flush or both: there are some where S/F holds."""
        fives = ((five, high_value(five, self.ranking)) for five in combinations(self.cards, 5))
        return [(five, value) for five, value in fives if value[0] in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL)]

    def high(self, low):
        """The cards without these cards."""
        return tuple(card for card in self.cards if card not in low)

    def low(self, low):
        return low_value(low, self.ranking)

    def choose(self, lows):
        """C1, the choice between equal fronts: the split, or None if all are foul."""
        def preference(split):
            low, (category, order) = split[0], high_value(split[1], self.ranking)
            written = sorted(low, key=lambda card: (-rank(card), order_of_suit(card)))
            return -category, [-x for x in order], low.count(JOKER), list(map(order_of_suit, written))

        every = [(tuple(sorted(low)), self.high(low)) for low in lows]
        return min((s for s in every if not is_foul(*s, self.ranking)), key=preference, default=None)

    def highest(self, lows):
        """C2, the highest front of those that are not foul, then C1."""
        lows = [low for low in lows if not is_foul(low, self.high(low), self.ranking)]
        most = max(map(self.low, lows), default=None)
        return self.choose(low for low in lows if self.low(low) == most)

    def leaving(self, accept):
        """All fronts whose high hand has a category that is accepted."""
        return [low for low in combinations(self.cards, self.front)
                if accept(high_value(self.high(low), self.ranking)[0])]

    def lowest(self, lows):
        """The lowest front of those that are not foul, then C1."""
        lows = [low for low in lows if not is_foul(low, self.high(low), self.ranking)]
        least = min(map(self.low, lows), default=None)
        return self.choose(low for low in lows if self.low(low) == least)


def _at_least(cards, letters):
    """Whether the cards, highest first, are one by one at least these ranks."""
    ranks = sorted(map(rank, cards), reverse=True)
    return len(ranks) >= len(letters) and all(
        held >= RANKS.index(letter) for held, letter in zip(ranks, letters))


def _ace_high_by_joker_only(dealt):
    """All straights are A-K-Q-J-T with the joker, there is no other flush, and there is an ace too."""
    return any(card % 13 == ACE for card in dealt.cards if card != JOKER) and dealt.complete_fives and all(
        JOKER in five and value[0] != FLUSH and value[1] == (ACE,) for five, value in dealt.complete_fives)


STRAIGHT_OR_FLUSH = {"held": lambda dealt: dealt.complete_fives, "not-held": lambda dealt: not dealt.complete_fives,
                     "ace-high-by-joker-only": _ace_high_by_joker_only}
CONDITIONS = {
    "groups": lambda dealt, sizes: dealt.sizes in sizes,
    "first_rank": lambda dealt, letters: RANKS[rank(dealt.groups[0][0])] in letters,
    "second_rank": lambda dealt, letters: RANKS[rank(dealt.groups[1][0])] in letters,
    "singletons_at_least": lambda dealt, letters: _at_least(dealt.singletons, letters),
    "best": lambda dealt, names: category_name((dealt.best,)) in names,
    "straight_or_flush": lambda dealt, word: STRAIGHT_OR_FLUSH[word](dealt),
}
# The categories that a clause lists as best are the second argument.
FRONTS = {
    "first-group": lambda d, _: d.highest(combinations(d.groups[0], d.front)),
    "second-group": lambda d, _: d.highest(combinations(d.groups[1], d.front)),
    "first-group-and-highest": lambda d, _: d.choose(
        low for low in ((card, d.singletons[0]) for card in d.groups[0]) if d.low(low)[0] != PAIR),
    "two-highest": lambda d, _: d.choose([d.singletons[:2]]),
    "second-and-third": lambda d, _: d.choose([d.singletons[1:3]]),
    "highest": lambda d, _: d.choose([d.singletons[:1]]),
    "second-highest": lambda d, _: d.choose([d.singletons[1:2]]),
    "pair-leaving-complete": lambda d, _: d.highest(
        low for low in d.leaving(lambda category: category >= STRAIGHT) if d.low(low)[0] == PAIR),
    "highest-leaving-complete": lambda d, _: d.highest(d.leaving(lambda category: category >= STRAIGHT)),
    "highest-leaving-best": lambda d, _: d.highest(d.leaving(lambda category: category == d.best)),
    "highest-leaving-listed": lambda d, listed: d.highest(
        d.leaving(lambda category: category_name((category,)) in listed)),
    "lowest-leaving-listed": lambda d, listed: d.lowest(
        d.leaving(lambda category: category_name((category,)) in listed)),
}
NEED_LISTED = ("highest-leaving-listed", "lowest-leaving-listed")
ONLY_SIX = ("highest", "second-highest")
ONLY_SEVEN = ("first-group-and-highest", "two-highest", "second-and-third", "pair-leaving-complete")
LETTERS = text(f"[{RANKS}]+")
CLAUSE_ID = text("[A-Za-z0-9.-]{1,64}")


def _clause(cards):
    """The keys of a clause of a chart for so many cards."""
    fronts = tuple(name for name in FRONTS if name not in (ONLY_SEVEN if cards == 6 else ONLY_SIX))
    return {"id": CLAUSE_ID, "text": str, "groups": [text(r"[1-5](\+[1-4]){1,6}")],
            "first_rank?": LETTERS, "second_rank?": LETTERS, "singletons_at_least?": LETTERS,
            "best?": [tuple(CATEGORIES)], "straight_or_flush?": tuple(STRAIGHT_OR_FLUSH), "front": fronts,
            "front_at_least?": LETTERS, "front_beats?": fronts}


COMMON = {"id": str, "title": str, "source": str, "cards": range(6, 8), "wheel": ("second", "lowest"),
          "joker?": ("semi-wild", "wild")}


def is_house_way(file):
    """A chart, or the clauses of the way in coded.py, which only have their sentences."""
    if "code" in file:
        shape = {"code": ("online",), "clause": [{"id": CLAUSE_ID, "text": str}]}
    else:
        shape = {"clause": [_clause(file.get("cards"))]}
    fits(file, COMMON | shape, "file")
    # With six cards, and in the way in code, the joker is semi-wild.
    need(file.get("joker") != "wild" or file["cards"] == 7 and "code" not in file, "file.joker: must be semi-wild here")
    for i, clause in enumerate(file["clause"]):
        asked = {clause.get("front"), clause.get("front_beats")}
        need("best" in clause or not asked.intersection(NEED_LISTED), f"file.clause[{i}] needs best, the categories")
    return True


def chart_setting(dealt, clauses):
    """The split of the first clause that fits and gives one that is not foul, and the id of the clause."""
    for clause in clauses:
        if not all(holds(dealt, clause[key]) for key, holds in CONDITIONS.items() if key in clause):
            continue
        listed = clause.get("best", ())
        split = FRONTS[clause["front"]](dealt, listed)
        if split is None:
            continue
        front = dealt.low(split[0])
        if "front_at_least" in clause and front[0] != PAIR and not _at_least(split[0], clause["front_at_least"]):
            continue
        other = FRONTS[clause["front_beats"]](dealt, listed) if "front_beats" in clause else None
        if other is None or front > dealt.low(other[0]):
            return (*split, clause["id"])
    raise ValueError("no clause sets " + " ".join(NAMES[card] for card in dealt.cards))


class HouseWay:
    """A house way from its file: a chart, or the name of the way in coded.py."""

    def __init__(self, file, digest):
        from . import coded
        self.id, self.hash, self.cards = file["id"], digest, file["cards"]
        self.ranking, self.clauses = ranking_of(file), file["clause"]
        self.setting = coded.WAYS[file["code"]] if "code" in file else chart_setting
        # Cards (a sorted tuple) to low hand, high hand, clause.
        self.set = lru_cache(maxsize=1 << 12)(lambda cards: self.setting(Dealt(cards, self.ranking), self.clauses))
