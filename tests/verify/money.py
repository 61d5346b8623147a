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


def _returns(this, fees):
    """What a void hands back: every stake that was locked, and the fees of a deal (D13). Where
    nothing was dealt no rules are asked: the ledger took the stakes, whatever they say of them."""
    back = {str(seat): fee for seat, fee in fees.items()}
    for seat, entry in this.need("wagers")["seats"].items() if this.get("wagers") else ():
        back[seat] = back.get(seat, 0) + sum(int(wager["amount"]) for wager in entry["wagers"])
    return {seat: str(amount) for seat, amount in sorted(back.items()) if amount}


def _final_lines(ruleset, wagers, hands):
    """The lines of the deal that are final then, none if there are none."""
    lines = settle.final_in_deal(ruleset, wagers, hands)
    return [{**line.record(), "seat": seat} for seat, line in lines.items()] or None


def results(audit, this):
    """Fees, settings, lines and money follow from the sheet, the decisions and the deck."""
    close, record = this.need("settle"), this.get("settle")
    if this.manifest is None:
        raise Skipped("no manifest to rely on")
    this.need("ticket")
    if this.void and this.get("deal") is None:
        return same(record, "returns", _returns(this, {}), close["returns"])
    ruleset = audit.rules.rulesets.get(this.ticket["ruleset"])
    way = ruleset and audit.rules.house_ways.get(ruleset["house_way"]["hash"])
    if way is None:
        raise Skipped("no ruleset or house way file of this hash")
    facts, wagers = this.sheet()
    fault = sheet.fault(ruleset, this.need("wagers"), facts)
    if fault:
        raise Failed(this.get("wagers"), "wagers that the ruleset takes", fault)
    deal, bases = this.need("deal"), settle.bases(wagers)
    fees = settle.fees(ruleset, bases)
    written = {str(seat): str(fee) for seat, fee in fees.items()}
    if this.void:
        same(this.get("deal"), "fees", written, deal.get("fees"))
        # The cards of a void round are known only once its epoch's secret is.
        if this.deck is not None:
            lines = _final_lines(ruleset, wagers, _hands(this, ruleset, facts, wagers))
            same(this.get("deal"), "lines", lines, deal.get("lines"))
        return same(record, "returns", _returns(this, fees), close["returns"])
    hands = _hands(this, ruleset, facts, wagers)
    if any(action.refused for action in this.actions):
        raise Skipped("an action was refused by an earlier check")
    same(this.get("deal"), "fees", written, deal.get("fees"))
    for action in this.actions:
        same(action, "house way", way.hash, action.body.get("house_way", way.hash))
    decisions = {action.body["seat"]: action.body for action in this.actions}
    fault = sheet.decision_fault(ruleset, facts, hands, bases, decisions)
    if fault:
        raise Failed(record, "decisions that settle", fault)
    game = settle.Round(ruleset, way, wagers, facts, hands, decisions, deal["dice"])
    same(this.get("deal"), "lines", _final_lines(ruleset, wagers, hands), deal.get("lines"))
    this.results, this.banker = game.results(), game.banker
    same(record, "results", this.results, close.get("results"))
