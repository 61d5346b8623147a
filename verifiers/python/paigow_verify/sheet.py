"""Whether a ruleset accepts a sheet of wagers, and decisions (crates/paigow-rules/src/game/check).
The first fault is reported; in each table it is the first that applies."""
from fractions import Fraction
from math import floor

from .bonus import asks_colour
from .records import LARGEST_STAKE
from .settle import meter_share, rounded

# Twice of it fits 64 bits, as what the wagers of a house's table may move together has to.
LARGEST_BANK, LARGEST_SUM = 10**18, 2**63 - 1
RANGES = {"action_pile": (0, 6), "bank_minor": (1, LARGEST_BANK), "chip_minor": (1, LARGEST_STAKE),
          "table_max_minor": (1, LARGEST_STAKE), "table_min_minor": (1, LARGEST_STAKE)}


def _first(faults):
    return next((what for what, holds in faults.items() if holds), None)


def _is_within(ruleset, fact, value):
    seeds = [bet["meter"]["seed_minor"] for bet in ruleset.get("bets", []) if "meter" in bet]
    ranges = {**RANGES, "banker_seat": (1, ruleset["seats"]), "meter_minor": (min(seeds, default=1), LARGEST_STAKE)}
    least, most = ranges[fact]
    return least <= value <= most


def fault(ruleset, lock, facts):
    """Why the ruleset does not accept the wagers of a lock; None if it does."""
    wagers = [(int(seat), w["bet"], int(w["amount"]), w.get("choice"))
              for seat, entry in sorted(lock["seats"].items()) for w in entry["wagers"]]
    bases = {seat: amount for seat, bet, amount, _ in wagers if bet == "base"}
    bets = {"base": ruleset["base"], **{bet["id"]: bet for bet in ruleset.get("bets", [])}}
    posted = [(limit["bet"], int(limit["max"])) for limit in lock.get("bet_limits", [])]
    required, optional = (set(ruleset["facts"][kind]) for kind in ("required", "optional"))
    return _first({
        "another currency": ruleset.get("currency", lock.get("currency")) != lock.get("currency"),
        "a fact is missing": required - set(facts),
        "a fact that the ruleset does not ask for": set(facts) - required - optional,
        "a fact out of its range": not all(_is_within(ruleset, *fact) for fact in facts.items()),
        "a minimum of the table above its maximum": facts.get("table_min_minor", 1) > facts.get(
            "table_max_minor", LARGEST_STAKE),
        "a limit of a bet that the ruleset does not have": not all(bet in bets for bet, _ in posted),
        "limits in another order than the ruleset's, or twice": [bet for bet, _ in posted] != [
            bet for bet in bets if bet in dict(posted)],
        "a limit of a bet out of its range": not all(most <= LARGEST_STAKE for _, most in posted),
        "no wagers": not all(entry["wagers"] for entry in lock["seats"].values()) or not wagers,
    }) or _wager_fault(ruleset, facts, wagers, bases, bets, dict(posted)) or _bank_fault(ruleset, facts, bases)


def _bank_fault(ruleset, facts, bases):
    """A player who banks plays too, and the bank covers the others."""
    if "banking" not in ruleset or not {"bank_minor", "banker_seat"} & set(facts):
        return None
    banker, bank = facts.get("banker_seat"), facts.get("bank_minor")
    others = sum(amount for seat, amount in bases.items() if seat != banker)
    return _first({
        "a bank without a banker, or the other way round": None in (banker, bank),
        "the banker has no base wager": banker not in bases,
        "too small a bank": (bank or 0) < ruleset["banking"]["bank_per_base"] * others})


def _most_won(ruleset, facts, bet, amount):
    """The most that the wager may win."""
    shares = [meter_share(row) for row in bet.get("rows", [])]
    if any(shares):
        return floor(max(filter(None, shares)) * facts["meter_minor"])
    odds = [row["pays"] for row in bet["rows"] if row["pays"] != "push"] if "rows" in bet else [bet["pays"]]
    return rounded(amount * max(map(Fraction, odds)), ruleset.get("rounding"))


def _wager_fault(ruleset, facts, wagers, bases, bets, posted):
    order, before, moved, by_seat = list(bets), (0, -1), 0, {}
    for seat, bet, amount, choice in wagers:
        if bet not in bets:
            return f"{bet}: an unknown bet"
        terms, is_base = bets[bet], bet == "base"
        # The table's minimum is for the base alone, its maximum for every bet.
        least = max(terms.get("minimum_minor", 1), facts.get("table_min_minor", 1) if is_base else 1)
        most = min(terms.get("maximum_minor", LARGEST_STAKE), facts.get("table_max_minor", LARGEST_STAKE),
                   posted.get(bet, LARGEST_STAKE))
        place, won = (seat, order.index(bet)), _most_won(ruleset, facts, terms, amount)
        what = _first({
            "no such seat": seat > ruleset["seats"],
            "twice, or in another order than the ruleset's": place <= before,
            "no base wager beside it": terms.get("needs_base") and seat not in bases,
            "a colour, or none": bool(choice) != asks_colour(terms),
            "too small": amount < least,
            "too large": amount > most,
            "no multiple of the lowest chip": amount % facts.get("chip_minor", 1),
            "could win too much": won > ruleset.get("max_payout_minor", won)})
        if what:
            return f"{bet} of seat {seat}: {what}"
        times = 2 if is_base and "double_down" in ruleset else 1
        won = won * times + _most_by_others(ruleset, terms, amount)
        by_seat[seat] = by_seat.get(seat, 0) + won
        moved += amount * times + won
        before = place
    most_of_seat, most_of_round = (ruleset.get(f"max_{whose}_payout_minor") for whose in ("seat", "round"))
    return _first({
        "a seat could win too much": most_of_seat and max(by_seat.values()) > most_of_seat,
        "the round could win too much": most_of_round and sum(by_seat.values()) > most_of_round,
        # A limited bank bounds them by itself.
        "too much in all": ruleset["coverage"] == "house" and moved > LARGEST_SUM})


def _most_by_others(ruleset, bet, amount):
    """The most that the wager may win by the hands of all other seats."""
    if "others" not in bet or amount < bet["others"]["threshold_minor"]:
        return 0
    return max(row.get("others_minor", 0) for row in bet["rows"]) * (ruleset["seats"] - 1)


def decision_fault(ruleset, facts, hands, bases, decisions):
    """Why decisions by seat, {low or house_way, double_down?}, do not settle; None if they do."""
    for seat in sorted(set(bases) | set(decisions)):
        what = "no decision"
        if seat in decisions:
            what = seat_fault(ruleset, facts, hands.get(seat, []), bases, seat, decisions[seat])
        if what:
            return f"seat {seat}: {what}"
    return None


def seat_fault(ruleset, facts, hand, bases, seat, decision):
    """Why the decision of one seat, which holds these cards, does not settle; None if it does."""
    low = decision.get("low")
    return _first({
        "a decision without a base wager": seat not in bases,
        "the banker's hand is set by the house way": low is not None and seat == facts.get("banker_seat"),
        "not so many cards, or not his": low is not None and (
            len(low) != ruleset["hand"] - 5 or not set(low) <= set(hand) or len(hand) != ruleset["hand"]),
        "no double down here": decision.get("double_down") and "double_down" not in ruleset})
