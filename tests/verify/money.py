"""The checks CARDS_SHOWN and RESULTS: what was dealt and paid, recomputed from the records."""
from . import settle, sheet
from .audit import Failed, Skipped


DEFAULT = {"hand": 7, "seats": 6, "dealing": {
    "procedure": "packets", "direction": "clockwise", "dice": "three", "dead_hands": "all-positions"}}


def _rules(audit, this):
    """The ruleset and the house way that it names, from the published files."""
    ruleset = audit.rules.rulesets.get(this.ticket["ruleset"])
    if ruleset is None:
        raise Skipped("no ruleset file of this hash")
    way = audit.rules.house_ways.get(ruleset["house_way"]["hash"])
    if way is None:
        raise Skipped("no house way file of this hash")
    return ruleset, way


def _sheet(this):
    """Facts and wagers of the lock, as numbers."""
    lock = this.need("wagers", "lock of the wagers")
    facts = {name: int(value) for name, value in lock.get("facts", {}).items()}
    wagers = {int(seat): {w["bet"]: {**w, "amount": int(w["amount"])} for w in entry["wagers"]}
              for seat, entry in sorted(lock["seats"].items())}
    return lock, facts, wagers


def _sheet_fault(this, ruleset):
    """Why the ruleset does not take the wagers, if it does not."""
    lock, facts, wagers = _sheet(this)
    listed = [(int(seat), w["bet"], int(w["amount"]), w.get("choice"))
              for seat, entry in sorted(lock["seats"].items()) for w in entry["wagers"]]
    found = sheet.faults(ruleset, lock.get("currency", ruleset.get("currency", {"exponent": 0})), facts, listed)
    order = ["base"] + [bet["id"] for bet in ruleset.get("bets", [])]
    if not found and any(not bets or sorted(bets, key=order.index) != list(bets) for bets in wagers.values()):
        found = ["another order than the ruleset's"]
    return found[0] if found else None


def _bases(wagers):
    return {seat: bets["base"]["amount"] for seat, bets in wagers.items() if "base" in bets}


def _hands(this, ruleset, facts, wagers):
    deal = this.need("deal", "deal")
    if this.deck is None:
        raise Skipped("no deck replayed")
    return settle.deal(ruleset, this.deck, deal["dice"], facts, set(_bases(wagers)))


def cards_shown(audit, this):
    """The cards shown at the deal, and the dealer's at the close, are those of the deck."""
    deal = this.need("deal", "deal")
    close = this.need("settle", "close of the round")
    _, facts, wagers = _sheet(this)
    # Without its file a ruleset deals as the protocol does by default (5.4).
    ruleset = audit.rules.rulesets.get(this.ticket["ruleset"], DEFAULT)
    if this.deck is not None and ruleset is not DEFAULT and _sheet_fault(this, ruleset):
        raise Skipped("the wagers do not stand")
    hands = _hands(this, ruleset, facts, wagers)
    shown = {str(seat): hands[seat] for seat in wagers}
    if deal["visible"] != shown:
        raise Failed(this.get("deal"), f"visible {shown}", deal["visible"])
    if not this.void and close["dealer"] != hands[0]:
        raise Failed(this.get("settle"), f"dealer {hands[0]}", close["dealer"])


def _returns(ruleset, wagers, deal, actions):
    """What a void hands back: every stake, and the fees that were due (D13)."""
    back = {seat: sum(wager["amount"] for wager in bets.values()) for seat, bets in wagers.items()}
    bases = _bases(wagers)
    if deal is not None:
        for seat, fee in settle.fees(ruleset, bases).items():
            back[seat] = back.get(seat, 0) + fee
    for action in actions:
        if action.body.get("double_down"):
            back[action.body["seat"]] += bases.get(action.body["seat"], 0)
    return {str(seat): str(amount) for seat, amount in sorted(back.items())}


def results(audit, this):
    """Fees, settings, lines and money follow from the sheet, the decisions and the deck."""
    close = this.need("settle", "close of the round")
    if this.manifest is None:
        raise Skipped("no manifest to rely on")
    ruleset, way = _rules(audit, this)
    if this.void and this.get("wagers") is None:
        if close["returns"]:
            raise Failed(this.get("settle"), "returns {}", close["returns"])
        return
    _, facts, wagers = _sheet(this)
    fault = _sheet_fault(this, ruleset)
    if fault:
        raise Failed(this.get("wagers"), "wagers that the ruleset takes", fault)
    if this.void:
        wanted = _returns(ruleset, wagers, this.get("deal"), this.actions)
        if close["returns"] != wanted:
            raise Failed(this.get("settle"), f"returns {wanted}", close["returns"])
        return
    deal = this.need("deal", "deal")
    hands = _hands(this, ruleset, facts, wagers)
    if any(action.refused for action in this.actions):
        raise Skipped("an action was refused by an earlier check")
    fees = {str(seat): str(fee) for seat, fee in settle.fees(ruleset, _bases(wagers)).items()}
    if deal.get("fees") != fees:
        raise Failed(this.get("deal"), f"fees {fees}", deal.get("fees"))
    decisions = {action.body["seat"]: action.body for action in this.actions}
    found = list(sheet.decision_faults(ruleset, facts, hands, _bases(wagers), decisions))
    for action in this.actions:
        if action.body.get("house_way", way.hash) != way.hash:
            raise Failed(action, f"house way {way.hash}", action.body["house_way"])
    if found:
        raise Failed(this.get("settle"), "decisions that settle", found[0])
    game = settle.Round(ruleset, way, wagers, facts, hands, decisions, deal["dice"])
    lines = [{**line.record(), "seat": seat}
             for seat, line in settle.final_in_deal(ruleset, wagers, hands).items()]
    if deal.get("lines", []) != lines or (not lines and "lines" in deal):
        raise Failed(this.get("deal"), f"lines {lines}", deal.get("lines"))
    this.results, this.banker = game.results(), game.banker
    if close.get("results") != this.results:
        raise Failed(this.get("settle"), f"results {this.results}", close.get("results"))
