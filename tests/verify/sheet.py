"""Whether a ruleset takes a sheet of wagers, and decisions (rules/README.md, "Base wager and
its options"). The first fault is told; in each table it is the first that holds."""
from .records import LARGEST_STAKE


def _first(faults):
    return next((what for what, holds in faults.items() if holds), None)


def fault(ruleset, lock, facts):
    """Why the ruleset does not take the wagers of a lock; none if it does."""
    wagers = [(int(seat), w["bet"], int(w["amount"]), w.get("choice"))
              for seat, entry in sorted(lock["seats"].items()) for w in entry["wagers"]]
    bases = {seat: amount for seat, bet, amount, _ in wagers if bet == "base"}
    banker, bank = facts.get("banker_seat"), facts.get("bank_minor", 0)
    required, optional = (set(ruleset["facts"][kind]) for kind in ("required", "optional"))
    if "banker_seat" in facts:
        required.add("bank_minor")
    return _first({
        "another currency": lock.get("currency", ruleset.get("currency")) != ruleset.get(
            "currency", lock.get("currency")),
        "a fact is missing": required - set(facts),
        "a fact that the ruleset does not ask for": set(facts) - required - optional,
        "a fact out of its range": facts.get("action_pile", 0) > ruleset["seats"] or (
            banker or 1) > ruleset["seats"] or 0 in (facts.get("bank_minor"), facts.get("chip_minor")),
        "no wagers": not all(entry["wagers"] for entry in lock["seats"].values()) or not wagers,
    }) or _wager_fault(ruleset, facts, wagers, bases) or (banker and _first({
        "the banker has no base wager": banker not in bases,
        "too small a bank": bank < ruleset["banking"]["bank_per_base"] * (sum(bases.values()) - bases.get(banker, 0)),
    }))


def _wager_fault(ruleset, facts, wagers, bases):
    bets = {"base": ruleset["base"], **{bet["id"]: bet for bet in ruleset.get("bets", [])}}
    order, before = list(bets), (0, -1)
    chip = facts.get("chip_minor", 1) if "chip_minor" in ruleset["facts"]["required"] else 1
    for seat, bet, amount, choice in wagers:
        if bet not in bets:
            return f"{bet}: an unknown bet"
        # The table's minimum is for the base alone, its maximum for every bet.
        least = max(bets[bet].get("minimum_minor", 1), facts.get("table_min_minor", 1) if bet == "base" else 1)
        place = seat, order.index(bet)
        what = _first({
            "no such seat": seat > ruleset["seats"],
            "twice, or in another order than the ruleset's": place <= before,
            "no base wager beside it": bets[bet].get("needs_base") and seat not in bases,
            "a colour, or none": bool(choice) != (bet == "red_black"),
            "too small": amount < least,
            "too large": amount > min(LARGEST_STAKE, facts.get("table_max_minor", LARGEST_STAKE)),
            "no multiple of the lowest chip": amount % chip})
        if what:
            return f"{bet} of seat {seat}: {what}"
        before = place
    return None


def decision_fault(ruleset, facts, hands, bases, decisions):
    """Why decisions by seat, {low or house_way, double_down?}, do not settle; none if they do."""
    for seat in sorted(set(bases) | set(decisions)):
        decision = decisions.get(seat, {})
        low = decision.get("low")
        what = _first({
            "no decision": not decision,
            "a decision without a base wager": seat not in bases,
            "the banker's hand is set by the house way": low is not None and seat == facts.get("banker_seat"),
            "not so many cards, or not his": low is not None and seat in bases and (
                len(low) != ruleset["hand"] - 5 or not set(low) <= set(hands[seat])),
            "no double down here": decision.get("double_down") and "double_down" not in ruleset})
        if what:
            return f"seat {seat}: {what}"
    return None
