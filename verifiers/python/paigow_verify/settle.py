"""Dealing and settlement in exact integers (crates/paigow-rules/src/game).

`Round.results` is the `results` member of a settle record (PGE-FAIR-1, D5), recomputed.
"""
from collections import Counter
from fractions import Fraction
from math import ceil, floor

from . import bonus
from .hands import PAIR, RANKS, best_value, category_name, high_value, is_foul, low_value, ranking_of


def bases(wagers):
    """The base wagers by seat."""
    return {seat: bets["base"]["amount"] for seat, bets in wagers.items() if "base" in bets}


def positions(ruleset):
    """How many positions are dealt to: with hands of seven always seven, also if seats are empty."""
    return 7 if ruleset["hand"] == 7 else ruleset["seats"] + 1


def first_position(ruleset, dice):
    """The position that the dice name, counted over all of them; without dice seat 1."""
    return (sum(dice) - 1) % positions(ruleset) if ruleset["dealing"]["dice"] == "three" else 1


def order_of_deal(ruleset, dice, seats_with_base):
    """The positions in the order in which they are dealt to."""
    dealing, n, first = ruleset["dealing"], positions(ruleset), first_position(ruleset, dice)
    step = 1 if dealing["direction"] == "clockwise" else -1
    order = [(first + step * k) % n for k in range(n)]
    order = [q for q in order if q == 0 or q in seats_with_base or dealing["dead_hands"] == "all-positions"]
    # If the named seat is passed over, the next seat is the first. The dealer never is.
    return order[1:] + order[:1] if first and not order[0] else order


def deal(ruleset, deck, dice, facts, seats_with_base):
    """The cards of each position, in the order in which they are dealt."""
    dealing = ruleset["dealing"]
    if dealing["procedure"] == "zigzag":
        first = first_position(ruleset, dice)
        piles = [[deck[7 * r + (p if r % 2 == 0 else 6 - p)] for r in range(7)] for p in range(7)]
        return {q: piles[(facts["action_pile"] + q - first) % 7] for q in range(7)}
    order = order_of_deal(ruleset, dice, seats_with_base)
    hands, start = {q: [] for q in order}, 0
    for street in dealing.get("streets", [ruleset["hand"]]):
        for q in order:
            hands[q] += deck[start:start + street]
            start += street
    return hands


def fees(ruleset, bases):
    """The fee of each position before the deal, if any. `bases` are the base wagers by seat."""
    def fee(bands, amount):
        return next(band["fee_minor"] for band in bands if amount <= band.get("up_to_minor", amount))

    bands = ruleset.get("fees")
    if not bands or not bases:
        return {}
    due = {0: fee(bands["player_dealer"], sum(bases.values())),
           **{seat: fee(bands["player"], amount) for seat, amount in sorted(bases.items())}}
    return {position: fee for position, fee in due.items() if fee}


def rounded(exact, rounding):
    """Rounds an exact number to a whole one. A whole number needs no rounding, and may name none."""
    return {"half-up": floor(exact + Fraction(1, 2)), "up": ceil(exact)}.get(rounding, floor(exact))


def commission(rule, win, facts):
    """An exact share of a win, rounded by the rule, and never more than the win."""
    # To a multiple of a quarter of the lowest chip, if it says so; that quarter itself rounded up.
    step = ceil(Fraction(facts.get("chip_minor", 1), 4)) if rule["increment"] == "quarter-chip" else 1
    return min(win, step * rounded(Fraction(rule["rate"]) * win / step, rule["rounding"]))


class Setting:
    """A hand of one position as set: low, high, and its setter."""

    def __init__(self, ruleset, way, cards, low=None):
        self.ranking, self.by = ranking_of(ruleset), {}
        if low is None:
            self.low, self.high, clause = way.set(tuple(sorted(cards)))
            self.by = {"clause": clause, "house_way": way.hash}
        else:
            self.low, self.high = tuple(sorted(low)), tuple(sorted(set(cards) - set(low)))
        self.foul = is_foul(self.low, self.high, self.ranking)

    def record(self):
        return {"high": list(self.high), "low": list(self.low), **self.by,
                "high_category": category_name(high_value(self.high, self.ranking)),
                "low_category": category_name(low_value(self.low, self.ranking))}

    def dealt(self, cards):
        """These cards of the dealer, as they are set here."""
        return bonus.DealerHand(cards, self.low, self.high, self.ranking)

    @property
    def set(self):
        """The values of both hands."""
        return bonus.SetHands(self.low, self.high, self.ranking)

    def both(self, dealer):
        """This hand of a seat and the dealer's, set here, for a bet on both."""
        return bonus.Both(self.against(dealer), self.set, dealer.set)

    def against(self, bank):
        """Each hand: win only if strictly higher, copy if equal; a foul hand loses both."""
        if self.foul:
            return "lose", "lose", "lose"
        pairs = ((high_value(self.high, self.ranking), high_value(bank.high, bank.ranking)),
                 (low_value(self.low, self.ranking), low_value(bank.low, bank.ranking)))
        high, low = ("win" if own > other else "copy" if own == other else "lose" for own, other in pairs)
        return high, low, ("lose", "push", "win")[(high == "win") + (low == "win")]


class Line:
    """One wager and its result. A win by hands of other seats has no stake."""

    def __init__(self, bet, stake, status, row=None, pays=None, win=0, rounding=None, **more):
        self.bet, self.stake, self.status, self.row, self.pays, self.more = bet, stake, status, row, pays, more
        self.commission = self.uncovered = 0
        self.win = win if pays is None else rounded(stake * pays, rounding)
        self.collected = stake if status == "lost" else 0

    def cover(self, p, bank):
        """Coverage by a player-dealer whose purse is p now and was `bank`: the purse after."""
        if p in (0, 2 * bank):
            paid = taken = 0
            self.status, self.uncovered = "uncovered", self.win + self.collected
        else:
            paid, taken = min(self.win, p), min(self.collected, 2 * bank - p)
            self.uncovered = self.win - paid + self.collected - taken
        self.win, self.collected = paid, taken
        return p + taken - paid

    @property
    def net(self):
        return self.win - self.collected - self.commission

    def record(self):
        pays = {} if self.pays is None else {"pays": {"num": self.pays.numerator, "den": self.pays.denominator}}
        return {"bet": self.bet, "stake": str(self.stake), "status": self.status, "win": str(self.win),
                "commission": str(self.commission), "return": str(self.stake + self.net), **self.more, **pays,
                **({"row": self.row} if self.row else {}),
                **({"uncovered": str(self.uncovered)} if self.uncovered else {})}


def exposed(ruleset, way, hands):
    """The dealer's hand that the deal shows, set by the house way; None if the ruleset exposes none."""
    if ruleset.get("expose") != "dealer":
        return None
    dealer = Setting(ruleset, way, hands[0])
    return {"high": list(dealer.high), "low": list(dealer.low)}


def meter_share(row):
    """The share of the meter that a row pays; none if it pays odds, or pushes."""
    return Fraction(row["pays"].removeprefix("meter:")) if row["pays"].startswith("meter:") else None


def bonus_line(ruleset, bet, stake, row, of_meter=None):
    """`of_meter` has the win of a wager of each row from the meter."""
    if row is None:
        return Line(bet["id"], stake, "lost")
    if row["pays"] == "push":
        return Line(bet["id"], stake, "push", row["id"])
    if meter_share(row):
        return Line(bet["id"], stake, "won", row["id"], win=of_meter[row["id"]])
    return Line(bet["id"], stake, "won", row["id"], Fraction(row["pays"]), rounding=ruleset.get("rounding"))


def final_in_deal(ruleset, sheet, hands):
    """The lines that are final before the last cards, with their seats: those of bets on the first three."""
    bets = [bet for bet in ruleset.get("bets", []) if bet["looks_at"] == "first-three"]
    return [(seat, bonus_line(ruleset, bet, wagers[bet["id"]]["amount"],
                              bonus.row(bet, bonus.subject("first-three", hands[seat], ranking=ranking_of(ruleset)))))
            for seat, wagers in sheet.items() for bet in bets if bet["id"] in wagers]


class Round:
    """One round: its ruleset, the house way, the sheet, the hands and the decisions."""

    def __init__(self, ruleset, way, sheet, facts, hands, decisions, dice):
        self.ruleset, self.way, self.sheet, self.facts = ruleset, way, sheet, facts
        self.hands, self.decisions, self.dice, self.bases = hands, decisions, dice, bases(sheet)
        self.fees = fees(ruleset, self.bases)
        self.banker = facts.get("banker_seat") if "banking" in ruleset else None
        self.dealer = Setting(ruleset, way, hands[0])
        self.settings = {seat: Setting(ruleset, way, hands[seat], decisions[seat].get("low")) for seat in self.bases}

    def base_lines(self, seat):
        """The comparison of a seat and the lines of its base and double down."""
        base, setting, bank, cards = self.ruleset["base"], self.settings[seat], self.dealer, self.hands[0]
        if self.banker not in (None, seat):
            bank, cards = self.settings[self.banker], self.hands[self.banker]
        high, low, outcome = setting.against(bank)
        # All base wagers push on some hands of the dealer: in express, on a queen-high pai gow.
        pushes = "push_on_dealer" in base and (not setting.foul or base.get("push_beats_foul"))
        if pushes and bonus.holds(base["push_on_dealer"], self.dealer.dealt(self.hands[0])):
            outcome = "push"
        names, statuses = ["base"], [{"win": "won", "push": "push", "lose": "lost"}[outcome]]
        if self.decisions[seat].get("double_down"):
            # It plays if the bank's best five are a pair of fives or better.
            least = RANKS.index(self.ruleset["double_down"]["dealer_qualifies"][0])
            plays = best_value(cards, ranking_of(self.ruleset))[:2] >= (PAIR, (least,))
            names, statuses = [*names, "double_down"], [*statuses, statuses[0] if plays else "push"]
        pays = {"pays": Fraction(base["pays"]), "rounding": self.ruleset.get("rounding")}
        lines = [Line(name, self.bases[seat], status, **(pays if status == "won" else {}))
                 for name, status in zip(names, statuses)]
        self.take_commission(seat, lines)
        return {"foul": setting.foul, "high_result": high, "low_result": low, "outcome": outcome,
                **setting.record()}, lines

    def take_commission(self, seat, lines):
        """The commission on the win of base and double down together, shown on the lines that won it."""
        rule = (self.ruleset["base"].get("commission") if self.banker is None
                else self.ruleset["banking"]["commission"])
        # The player who banks pays commission on the round as a whole.
        if rule and seat != self.banker:
            whole = commission(rule, sum(line.win for line in lines), self.facts)
            for line in lines[:-1]:
                line.commission = commission(rule, line.win, self.facts)
            lines[-1].commission = whole - sum(line.commission for line in lines[:-1])

    def bonus_row(self, bet, seat, choice):
        """The row of a bet that pays the hand of a seat, or None."""
        if bet["looks_at"] == "house-way-hands":
            return bonus.row(bet, Setting(self.ruleset, self.way, self.hands[seat]).both(self.dealer))
        if bet["looks_at"] == "seat-set-hands":
            own = self.settings[seat]
            return None if own.foul else bonus.row(bet, own)
        cards = self.hands[0 if bet["looks_at"] == "dealer-hand" else seat]
        return bonus.row(bet, bonus.subject(bet["looks_at"], cards, choice, ranking_of(self.ruleset)))

    def of_meter(self, bet):
        """The win of each wager of a row from the meter, by row. The wagers divide it, the row that pays least comes
        first, and all together never win more than the meter has."""
        if "meter" not in bet:
            return {}
        rows = [self.bonus_row(bet, seat, None) for seat, wagers in self.sheet.items() if bet["id"] in wagers]
        wagers, wins, meter = Counter(row["id"] for row in rows if row), {}, self.facts["meter_minor"]
        left = meter
        for row in reversed(bet["rows"]):
            share, count = meter_share(row), wagers[row["id"]]
            if share and count:
                wins[row["id"]] = min(floor(share * meter), left) // count
                left -= wins[row["id"]] * count
        return wins

    def bonus_lines(self, seat):
        wagers, others = self.sheet[seat], []
        for bet in self.ruleset.get("bets", []):
            wager = wagers.get(bet["id"])
            if wager is None:
                continue
            choice = wager.get("choice")
            row = self.bonus_row(bet, seat, choice)
            yield bonus_line(self.ruleset, bet, wager["amount"], row, self.of_meter(bet))
            # Fixed amounts for the hands of the other players.
            if "others" in bet and wager["amount"] >= bet["others"]["threshold_minor"]:
                others += [(bet, other, choice) for other in sorted(self.bases) if other != seat]
        for bet, other, choice in others:
            row = self.bonus_row(bet, other, choice)
            if row and "others_minor" in row:
                yield Line(bet["others"]["bet"], 0, "won", row["id"], win=row["others_minor"], caused_by_seat=other)

    def cover(self, lines):
        """The gain of the player-dealer's purse. The player-dealer pays and collects no more than the purse. It goes
        clockwise from the action seat: the first seat dealt to, or the lowest seat if the player-dealer is first."""
        bank = purse = self.facts["bank_minor"]
        order = order_of_deal(self.ruleset, self.dice, self.bases)
        first = order[0] or min((q for q in order if q), default=1)
        for seat in sorted(lines, key=lambda seat: (seat < first, seat)):
            for line in lines[seat]:
                purse = line.cover(purse, bank)
        return purse - bank

    def results(self):
        seats, lines, base = {}, {}, {}
        for seat in sorted(self.sheet):
            seats[seat], base[seat] = self.base_lines(seat) if seat in self.bases else ({}, [])
            lines[seat] = [*base[seat], *self.bonus_lines(seat)]
        fee, share, every = sum(self.fees.values()), 0, sum(lines.values(), [])
        taken = sum(line.commission for line in every)
        if self.ruleset["coverage"] == "player-dealer":
            bank_net, house_net = self.cover(lines) - self.fees.get(0, 0), fee
        elif self.banker is None:
            bank_net, house_net = -sum(line.net + line.commission for line in every), taken + fee
        else:
            gains = {seat: sum(line.win - line.collected for line in base[seat]) for seat in base}
            own = gains.pop(self.banker)
            bank_net = -sum(gains.values())
            share = commission(self.ruleset["banking"]["commission"], max(0, own + bank_net), self.facts)
            taken += share
            house_net = taken - own - sum(line.net for seat in lines for line in lines[seat][len(base[seat]):])
        nets = {seat: sum(line.net for line in group) - self.fees.get(seat, 0) for seat, group in lines.items()}
        if self.banker is not None:
            nets[self.banker] -= share
        if sum(nets.values()) + bank_net + house_net != 0:
            raise ValueError("the money is not conserved")
        return {"bank": {**self.dealer.record(), "net": str(bank_net)}, "commission": str(taken),
                "fees": str(fee), "house_net": str(house_net),
                "seats": {str(seat): {**seats[seat], "net": str(nets[seat]),
                                      "lines": [line.record() for line in lines[seat]]} for seat in lines}}
