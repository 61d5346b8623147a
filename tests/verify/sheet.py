"""Whether a ruleset takes a sheet of wagers, and decisions (rules/README.md, "Base wager and
its options"). Faults are named by path, as `wagers[0].amount_minor: BELOW_MINIMUM`."""
from .records import LARGEST_STAKE


def facts_faults(ruleset, facts):
    known = ruleset["facts"]
    required = set(known["required"])
    if "banker_seat" in facts and "banker_seat" in known["optional"]:
        required.add("bank_minor")
    for name in sorted(set(facts) | required):
        if name not in facts:
            yield f"facts.{name}: FACT_MISSING"
        elif name not in known["required"] + known["optional"]:
            yield f"facts.{name}: FACT_UNEXPECTED"
        elif name == "action_pile" and not 0 <= facts[name] <= ruleset["seats"]:
            yield f"facts.{name}: FACT_RANGE"
        elif name in ("bank_minor", "chip_minor") and facts[name] < 1:
            yield f"facts.{name}: FACT_RANGE"
        elif name == "banker_seat" and not 1 <= facts[name] <= ruleset["seats"]:
            yield f"facts.{name}: FACT_RANGE"


def wager_faults(ruleset, facts, wagers):
    """`wagers` is a list of (seat, bet, amount, choice)."""
    with_base = {seat for seat, bet, _, _ in wagers if bet == "base"}
    known = {"base": ruleset["base"], **{bet["id"]: bet for bet in ruleset.get("bets", [])}}
    seen = set()
    for i, (seat, bet, amount, choice) in enumerate(wagers):
        rule, colours = known.get(bet), bet == "red_black"
        # The table's minimum is for the base alone, its maximum for every bet.
        least = max(rule.get("minimum_minor", 1) if rule else 1,
                    facts.get("table_min_minor", 1) if bet == "base" else 1)
        most = facts.get("table_max_minor")
        if not 1 <= seat <= ruleset["seats"]:
            yield f"wagers[{i}].seat: SEAT_RANGE"
        elif rule is None:
            yield f"wagers[{i}].bet: UNKNOWN_BET"
        elif (seat, bet) in seen:
            yield f"wagers[{i}].bet: REPEATED"
        elif rule.get("needs_base") and seat not in with_base:
            yield f"wagers[{i}].bet: BASE_MISSING"
        elif choice and not colours:
            yield f"wagers[{i}].choice: CHOICE_UNEXPECTED"
        elif colours and not choice:
            yield f"wagers[{i}].choice: CHOICE_MISSING"
        elif not 1 <= amount <= LARGEST_STAKE:
            yield f"wagers[{i}].amount_minor: AMOUNT_RANGE"
        elif amount < least:
            yield f"wagers[{i}].amount_minor: BELOW_MINIMUM"
        elif most is not None and amount > most:
            yield f"wagers[{i}].amount_minor: ABOVE_MAXIMUM"
        elif facts.get("chip_minor") and "chip_minor" in ruleset["facts"]["required"] and (
                amount % facts["chip_minor"]):
            yield f"wagers[{i}].amount_minor: NOT_CHIP_MULTIPLE"
        seen.add((seat, bet))
    if not wagers:
        yield "sheet: NO_WAGERS"


def faults(ruleset, currency, facts, wagers):
    """All faults of a sheet."""
    wanted = ruleset.get("currency")
    found = []
    if wanted and currency != wanted or not 0 <= currency["exponent"] <= 4:
        found.append("currency: CURRENCY_MISMATCH")
    found += facts_faults(ruleset, facts)
    found += wager_faults(ruleset, facts, wagers)
    banker = facts.get("banker_seat")
    if not found and banker is not None:
        bases = {seat: amount for seat, bet, amount, _ in wagers if bet == "base"}
        if banker not in bases:
            found.append("facts.banker_seat: BANKER_WITHOUT_BASE")
        elif facts["bank_minor"] < ruleset["banking"]["bank_per_base"] * (sum(bases.values()) - bases[banker]):
            found.append("facts.bank_minor: BANK_TOO_SMALL")
    return found


def decision_faults(ruleset, facts, hands, bases, decisions):
    """`decisions` by seat: {low or house_way, double_down?}; `hands` by seat."""
    for seat in sorted(set(bases) | set(decisions)):
        decision = decisions.get(seat)
        if decision is None:
            yield f"{seat}: MISSING"
            continue
        low = decision.get("low")
        if seat not in bases:
            yield f"{seat}: UNEXPECTED"
        elif low is not None and seat == facts.get("banker_seat"):
            yield f"{seat}: BANKER_SETS_BY_HOUSE_WAY"
        elif low is not None and len(low) != ruleset["hand"] - 5:
            yield f"{seat}: LOW_COUNT"
        elif low is not None and len(set(low)) != len(low):
            yield f"{seat}: LOW_REPEATED"
        elif low is not None and not set(low) <= set(hands[seat]):
            yield f"{seat}: LOW_NOT_DEALT"
        elif decision.get("double_down") and "double_down" not in ruleset:
            yield f"{seat}: DOUBLE_DOWN_UNEXPECTED"
