"""Dealing and settlement in exact integers (rules/README.md, "Dealing" to "Money").

`settle` returns the `results` member of a settle record (PGE-FAIR-1, D5), recomputed.
"""
from fractions import Fraction

from . import bonus
from .hands import PAIR, RANKS, best_value, category_name, high_value, is_foul, low_value


def positions(ruleset):
    """How many positions the dice are counted over: seven, or the seats of mini and the dealer."""
    return ruleset["seats"] + 1


def first_position(ruleset, dice):
    return (sum(dice) - 1) % positions(ruleset)


def deal(ruleset, deck, dice, facts, seats_with_base):
    """The cards of each position, in the order in which they are dealt."""
    dealing, size, n = ruleset["dealing"], ruleset["hand"], positions(ruleset)
    if dealing["procedure"] == "zigzag":
        piles = [[deck[7 * r + (p if r % 2 == 0 else 6 - p)] for r in range(7)] for p in range(7)]
        first = first_position(ruleset, dice)
        return {q: piles[(facts["action_pile"] + q - first) % 7] for q in range(n)}
    if dealing["dice"] == "none":
        # Seats from 1 on, then the dealer, whoever sits.
        order = [*range(1, n), 0]
    else:
        step = 1 if dealing["direction"] == "clockwise" else -1
        order = [(first_position(ruleset, dice) + step * k) % n for k in range(n)]
    if dealing["dead_hands"] == "active-only":
        order = [q for q in order if q == 0 or q in seats_with_base]
    hands = {q: [] for q in order}
    start = 0
    for street in dealing.get("streets", [size]):
        for k, q in enumerate(order):
            hands[q] += deck[start + street * k:start + street * (k + 1)]
        start += street * len(order)
    return hands


def action_seat(ruleset, dice):
    """Where settlement begins, clockwise. The dice may name the player-dealer: then seat 1."""
    return first_position(ruleset, dice) or 1 if ruleset["dealing"]["dice"] == "three" else 1


def fees(ruleset, bases):
    """What each position pays before the deal; `bases` are the base wagers by seat."""
    bands = ruleset.get("fees")
    if not bands or not bases:
        return {}

    def fee(bands, amount):
        return next(band["fee_minor"] for band in bands
                    if "up_to_minor" not in band or amount <= band["up_to_minor"])

    due = {seat: fee(bands["player"], amount) for seat, amount in bases.items()}
    due[0] = fee(bands["player_dealer"], sum(bases.values()))
    return dict(sorted(due.items()))


def commission(rule, win, facts):
    """An exact share of a win, rounded as the rule says."""
    exact = Fraction(rule["rate"]) * win
    if rule["rounding"] == "half-up":
        return int(exact + Fraction(1, 2))
    # Up to a multiple of a quarter of the lowest chip; that quarter itself rounded up.
    step = -(-facts["chip_minor"] // 4)
    return -(-exact // step) * step


class Setting:
    """A hand of one position as it stands: low, high, and who set it."""

    def __init__(self, ruleset, way, cards, low=None):
        self.clause, self.way, self.wheel = None, None, ruleset["wheel"]
        if low is None:
            self.low, self.high, self.clause = way.set(tuple(sorted(cards)))
            self.way = way
        else:
            self.low = tuple(sorted(low))
            self.high = tuple(sorted(set(cards) - set(low)))
        self.foul = is_foul(self.low, self.high, self.wheel)

    def record(self):
        members = {"high": list(self.high), "low": list(self.low),
                   "high_category": category_name(high_value(self.high, self.wheel)),
                   "low_category": category_name(low_value(self.low))}
        if self.way:
            members |= {"clause": self.clause, "house_way": self.way.hash}
        return members

    def against(self, bank):
        """Each hand: win only if strictly higher, copy if equal; a foul hand loses both."""
        if self.foul:
            return "lose", "lose", "lose"

        def result(own, other):
            return "win" if own > other else "copy" if own == other else "lose"

        high = result(high_value(self.high, self.wheel), high_value(bank.high, bank.wheel))
        low = result(low_value(self.low), low_value(bank.low))
        wins = [high, low].count("win")
        return high, low, {2: "win", 1: "push", 0: "lose"}[wins]


class Line:
    """One wager and what became of it."""

    def __init__(self, bet, stake, result, row=None, pays=None, **more):
        self.bet, self.stake, self.status, self.more = bet, stake, result, more
        self.row, self.pays = row, pays
        self.commission = self.uncovered = 0
        self.win = more.pop("win", 0) if stake == 0 else 0
        if result == "won" and stake:
            win = stake * pays
            if win.denominator != 1:
                raise ValueError(f"{bet}: odds that need a rounding, which this verifier does not know")
            self.win = int(win)
        self.collected = stake if result == "lost" else 0

    def cover(self, p, bank):
        """Coverage by a player-dealer whose purse is p now and was `bank`: the purse after."""
        if p in (0, 2 * bank):
            self.uncovered = self.win if self.status == "won" else self.collected
            self.status, self.win, self.collected = "uncovered", 0, 0
        elif self.status == "won":
            paid = min(self.win, p)
            self.uncovered, self.win = self.win - paid, paid
        elif self.status == "lost":
            taken = min(self.stake, 2 * bank - p)
            self.uncovered, self.collected = self.stake - taken, taken
        return p + self.collected - self.win

    @property
    def net(self):
        return self.win - self.collected - self.commission

    def record(self):
        members = {"bet": self.bet, "stake": str(self.stake), "status": self.status,
                   "win": str(self.win), "commission": str(self.commission),
                   "return": str(self.stake + self.net), **self.more}
        if self.row:
            members["row"] = self.row
        if self.pays is not None:
            members["pays"] = {"num": self.pays.numerator, "den": self.pays.denominator}
        if self.uncovered:
            members["uncovered"] = str(self.uncovered)
        return members


def bonus_line(bet, stake, row):
    if row is None:
        return Line(bet["id"], stake, "lost")
    if row["pays"] == "push":
        return Line(bet["id"], stake, "push", row["id"])
    return Line(bet["id"], stake, "won", row["id"], Fraction(row["pays"]))


def final_in_deal(ruleset, sheet, hands):
    """The lines that are final before the last cards: those of the 3 Card Bonus."""
    lines = {}
    for bet in ruleset.get("bets", []):
        for seat, wagers in sheet.items():
            if bet["id"] == "three_card" and "three_card" in wagers:
                stake = wagers["three_card"]["amount"]
                lines[seat] = bonus_line(bet, stake, bonus.row(bet, hands[seat]))
    return lines


def qualifies(ruleset, bank_cards):
    """Whether the double down plays: the bank's best five are a pair of fives or better."""
    least = ruleset["double_down"]["dealer_qualifies"]
    return best_value(tuple(bank_cards), ruleset["wheel"])[:2] >= (PAIR, (RANKS.index(least[0]),))


class Round:
    """One round: its ruleset, the house way, the sheet, the hands and the decisions."""

    def __init__(self, ruleset, way, sheet, facts, hands, decisions, dice):
        self.ruleset, self.way, self.sheet, self.facts = ruleset, way, sheet, facts
        self.hands, self.decisions, self.dice = hands, decisions, dice
        self.bases = {seat: bets["base"]["amount"] for seat, bets in sheet.items() if "base" in bets}
        self.fees = fees(ruleset, self.bases)
        self.banker = facts.get("banker_seat") if "banking" in ruleset else None
        self.dealer = Setting(ruleset, way, hands[0])
        self.settings = {seat: Setting(ruleset, way, hands[seat], decisions[seat].get("low"))
                         for seat in self.bases}

    def bank_of(self, seat):
        """Whose hand a seat is settled against, and that position's cards."""
        if self.banker is None or seat == self.banker:
            return self.dealer, self.hands[0]
        return self.settings[self.banker], self.hands[self.banker]

    def queen_high(self):
        """Whether all base wagers push (express): the dealer has a queen-high pai gow."""
        condition = self.ruleset["base"].get("push_on_dealer")
        return condition is not None and bonus.row(
            {"id": "", "rows": [{"condition": condition}]}, self.hands[0]) is not None

    def base_lines(self, seat):
        """The comparison of a seat and the lines of its base and double down."""
        setting, (bank, bank_cards) = self.settings[seat], self.bank_of(seat)
        high, low, outcome = setting.against(bank)
        if self.queen_high() and (not setting.foul or self.ruleset["base"].get("push_beats_foul")):
            outcome = "push"
        status = {"win": "won", "push": "push", "lose": "lost"}[outcome]
        pays = Fraction(self.ruleset["base"]["pays"])
        lines = [Line("base", self.bases[seat], status, pays=pays if status == "won" else None)]
        if self.decisions[seat].get("double_down"):
            if not qualifies(self.ruleset, bank_cards):
                status = "push"
            lines.append(Line("double_down", self.bases[seat], status,
                              pays=pays if status == "won" else None))
        return {"foul": setting.foul, "high_result": high, "low_result": low, "outcome": outcome,
                **setting.record()}, lines

    def take_commission(self, seat, lines):
        """Of the win of base and double down together, shown on the lines that won it."""
        rule = self.ruleset["base"].get("commission")
        if self.banker is not None and seat != self.banker:
            rule = self.ruleset["banking"]["commission"]
        if rule:
            whole = commission(rule, sum(line.win for line in lines), self.facts)
            for line in lines[:-1]:
                line.commission = commission(rule, line.win, self.facts)
                whole -= line.commission
            lines[-1].commission = whole

    def bonus_lines(self, seat):
        for bet in self.ruleset.get("bets", []):
            wager = self.sheet[seat].get(bet["id"])
            if wager is None:
                continue
            if bet["id"] == "wrangler_push":
                own = Setting(self.ruleset, self.way, self.hands[seat])
                outcome = own.against(self.dealer)[2]
                row = bonus.wrangler_row(bet, outcome, (own.low, self.dealer.low))
            else:
                cards = self.hands[0 if bet["id"] == "queens_dragon" else seat]
                row = bonus.row(bet, cards, wager.get("choice"))
            yield bonus_line(bet, wager["amount"], row)

    def lines_of_others(self, seat):
        """Envy and community: fixed amounts for the hands of the other players."""
        for bet in self.ruleset.get("bets", []):
            others, wager = bet.get("others"), self.sheet[seat].get(bet["id"])
            if not others or wager is None or wager["amount"] < others["threshold_minor"]:
                continue
            for other in sorted(self.bases):
                row = bonus.row(bet, self.hands[other]) if other != seat else None
                if row and "others_minor" in row:
                    yield Line(others["bet"], 0, "won", row["id"], win=row["others_minor"],
                               caused_by_seat=other)

    def cover(self, lines):
        """The player-dealer pays and collects no more than he put up: what his purse gains."""
        bank = purse = self.facts["bank_minor"]
        first, n = action_seat(self.ruleset, self.dice), positions(self.ruleset)
        for seat in [(first + k) % n for k in range(n)]:
            for line in lines.get(seat, []):
                purse = line.cover(purse, bank)
        return purse - bank

    def results(self):
        seats, lines, base = {}, {}, {}
        for seat in sorted(self.sheet):
            seats[seat], base[seat] = self.base_lines(seat) if seat in self.bases else ({}, [])
            if base[seat]:
                self.take_commission(seat, base[seat])
            lines[seat] = [*base[seat], *self.bonus_lines(seat), *self.lines_of_others(seat)]
        taken = sum(line.commission for group in lines.values() for line in group)
        fee = sum(self.fees.values())
        if self.ruleset["coverage"] == "player-dealer":
            bank_net = self.cover(lines) - self.fees.get(0, 0)
            house_net = fee
        elif self.banker is None:
            bank_net = -sum(line.net + line.commission for group in lines.values() for line in group)
            house_net = taken + fee
        else:
            bank_net = -sum(line.win - line.collected for seat in base if seat != self.banker
                            for line in base[seat])
            own = sum(line.win - line.collected for line in base[self.banker])
            share = commission(self.ruleset["banking"]["commission"], max(0, own + bank_net), self.facts)
            taken += share
            house_net = taken - own - sum(line.net for seat in lines
                                          for line in lines[seat][len(base[seat]):])
        nets = {seat: sum(line.net for line in group) - self.fees.get(seat, 0)
                for seat, group in lines.items()}
        if self.banker is not None:
            nets[self.banker] -= share
        if sum(nets.values()) + bank_net + house_net != 0:
            raise ValueError("the money is not conserved")
        for seat, group in lines.items():
            seats[seat] |= {"lines": [line.record() for line in group], "net": str(nets[seat])}
        return {"bank": {**self.dealer.record(), "net": str(bank_net)}, "commission": str(taken),
                "fees": str(fee), "house_net": str(house_net),
                "seats": {str(seat): members for seat, members in seats.items()}}
