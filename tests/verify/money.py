"""The checks CARDS_SHOWN and RESULTS: what was dealt and paid, recomputed from the records."""
from . import settle, sheet
from .rounds import Failed, Skipped, same

# How a ruleset deals whose file is not at hand: the protocol's default (5.4).
DEFAULT = {"hand": 7, "seats": 6, "dealing": {
    "procedure": "packets", "direction": "clockwise", "dice": "three", "dead_hands": "all-positions"}}


def _hands(this, ruleset, facts, wagers):
    deal = this.need("deal")
    if this.deck is None:
        raise Skipped("no deck replayed")
    return settle.deal(ruleset, this.deck, deal["dice"], facts, set(settle.bases(wagers)))


def cards_shown(audit, this):
    """The cards shown at the deal, and the dealer's at the close, are those of the deck."""
    deal, close, (facts, wagers) = this.need("deal"), this.need("settle"), this.sheet()
    ruleset = audit.rules.rulesets.get(this.ticket["ruleset"], DEFAULT)
    if this.deck is not None and ruleset is not DEFAULT and sheet.fault(ruleset, this.need("wagers"), facts):
        raise Skipped("the wagers do not stand")
    hands = _hands(this, ruleset, facts, wagers)
    same(this.get("deal"), "visible", {str(seat): hands[seat] for seat in wagers}, deal["visible"])
    if not this.void:
        same(this.get("settle"), "dealer", hands[0], close["dealer"])


def _returns(this, ruleset, wagers):
    """What a void hands back: every stake, and the fees that were due (D13)."""
    bases = settle.bases(wagers)
    back = {seat: sum(wager["amount"] for wager in bets.values()) for seat, bets in wagers.items()}
    for seat, fee in settle.fees(ruleset, bases).items() if this.get("deal") else []:
        back[seat] = back.get(seat, 0) + fee
    for action in this.actions:
        if action.body.get("double_down"):
            back[action.body["seat"]] += bases.get(action.body["seat"], 0)
    return {str(seat): str(amount) for seat, amount in sorted(back.items())}


def results(audit, this):
    """Fees, settings, lines and money follow from the sheet, the decisions and the deck."""
    close, record = this.need("settle"), this.get("settle")
    if this.manifest is None:
        raise Skipped("no manifest to rely on")
    ruleset = audit.rules.rulesets.get(this.ticket["ruleset"])
    way = ruleset and audit.rules.house_ways.get(ruleset["house_way"]["hash"])
    if way is None:
        raise Skipped("no ruleset or house way file of this hash")
    if this.void and this.get("wagers") is None:
        return same(record, "returns", {}, close["returns"])
    facts, wagers = this.sheet()
    fault = sheet.fault(ruleset, this.need("wagers"), facts)
    if fault:
        raise Failed(this.get("wagers"), "wagers that the ruleset takes", fault)
    if this.void:
        return same(record, "returns", _returns(this, ruleset, wagers), close["returns"])
    deal, hands, bases = this.need("deal"), _hands(this, ruleset, facts, wagers), settle.bases(wagers)
    if any(action.refused for action in this.actions):
        raise Skipped("an action was refused by an earlier check")
    fees = {str(seat): str(fee) for seat, fee in settle.fees(ruleset, bases).items()}
    same(this.get("deal"), "fees", fees, deal.get("fees"))
    for action in this.actions:
        same(action, "house way", way.hash, action.body.get("house_way", way.hash))
    decisions = {action.body["seat"]: action.body for action in this.actions}
    fault = sheet.decision_fault(ruleset, facts, hands, bases, decisions)
    if fault:
        raise Failed(record, "decisions that settle", fault)
    game = settle.Round(ruleset, way, wagers, facts, hands, decisions, deal["dice"])
    lines = [{**line.record(), "seat": seat}
             for seat, line in settle.final_in_deal(ruleset, wagers, hands).items()]
    same(this.get("deal"), "lines", lines or None, deal.get("lines"))
    this.results, this.banker = game.results(), game.banker
    same(record, "results", this.results, close.get("results"))
