"""The checks CARDS_SHOWN, DEALER_SHOWN and RESULTS: the cards and the money, recomputed from the records."""
from . import settle, sheet
from .rounds import UNREAD, Failed, Skipped, same

# The outcome code that is written down here (D15): another may settle otherwise.
ENGINE = "pge-1"


def rules(audit, this):
    """The ruleset and the house way of the round, or why they are not available."""
    this.need_world()
    ruleset = audit.rules.rulesets.get(this.ticket["ruleset"])
    if ruleset is None:
        raise Skipped(f"ruleset {this.ticket['ruleset']} is not among the rule files")
    if this.ticket["engine"] != ENGINE:
        raise Skipped(f"the round belongs to engine {this.ticket['engine']}")
    return ruleset, audit.rules.house_ways[ruleset["house_way"]["hash"]]


def _hands(this, ruleset, facts, wagers):
    deal = this.need("deal")
    if this.deck is None:
        raise Skipped("no deck replayed")
    return settle.deal(ruleset, this.deck, deal["dice"], facts, set(settle.bases(wagers)))


def standing_wagers(ruleset, this):
    """The facts and the wagers by seat, for checks that leave their faults to RESULTS."""
    facts, wagers = this.sheet()
    if sheet.fault(ruleset, this.need("wagers"), facts):
        raise Skipped("the wagers do not stand")
    return facts, wagers


def cards_shown(audit, this):
    """The cards shown at the deal, and the dealer's at the close, are those of the deck."""
    deal, close = this.need("deal"), this.need("settle")
    if this.deck is None:
        raise Skipped("no deck replayed")
    ruleset, _ = rules(audit, this)
    facts, wagers = standing_wagers(ruleset, this)
    hands = _hands(this, ruleset, facts, wagers)
    shown, dealer = {str(seat): hands[seat] for seat in wagers}, hands[0]
    same(this.get("deal"), "visible", shown, deal["visible"])
    if not this.is_voided:
        same(this.get("settle"), "dealer", dealer, close["dealer"])


def dealer_shown(audit, this):
    """The deal shows the dealer's hand as set if the ruleset exposes it, and else nothing of it."""
    deal = this.need("deal")
    this.need("settle")
    if this.deck is None:
        raise Skipped("no deck replayed")
    ruleset, way = rules(audit, this)
    facts, wagers = standing_wagers(ruleset, this)
    hands = _hands(this, ruleset, facts, wagers)
    same(this.get("deal"), "dealer", settle.exposed(ruleset, way, hands), deal.get("dealer"))


def _void(audit, this):
    """The amounts that a void hands back: every stake, and the fees that the deal took (D13). A deal only
    follows wagers that the rules accept."""
    if this.has_unread_wagers:
        same(this.get("settle"), "returns", {}, this.need("settle")["returns"])
        raise Skipped(UNREAD)
    # A refused record does not show what goes back.
    _, deal = [this.need(slot) if this.get(slot) else {} for slot in ("wagers", "deal")]
    back = {}
    if deal:
        ruleset, _ = rules(audit, this)
        facts, wagers = _stand(ruleset, this)
        _same_fees(this, ruleset, wagers)
        # The cards are known only once the epoch's secret is.
        if this.deck is not None:
            _same_lines(this, ruleset, wagers, _hands(this, ruleset, facts, wagers))
    if this.get("wagers"):
        back = {seat: sum(int(wager["amount"]) for wager in entry["wagers"])
                for seat, entry in this.need("wagers")["seats"].items()}
    for seat, fee in deal.get("fees", {}).items():
        back[seat] = back.get(seat, 0) + int(fee)
    same(this.get("settle"), "returns", {seat: str(amount) for seat, amount in back.items() if amount},
         this.need("settle")["returns"])


def _stand(ruleset, this):
    """The facts and the wagers by seat, which the ruleset has to take."""
    facts, wagers = this.sheet()
    fault = sheet.fault(ruleset, this.need("wagers"), facts)
    if fault:
        raise Failed(this.get("wagers"), "wagers that the ruleset takes", fault)
    return facts, wagers


def _same_fees(this, ruleset, wagers):
    fees = {str(seat): str(fee) for seat, fee in settle.fees(ruleset, settle.bases(wagers)).items()}
    same(this.get("deal"), "fees", fees, this.need("deal")["fees"])


def _same_lines(this, ruleset, wagers, hands):
    lines = [{**line.record(), "seat": seat}
             for seat, line in settle.final_in_deal(ruleset, wagers, hands)]
    same(this.get("deal"), "lines", lines or None, this.need("deal").get("lines"))


def results(audit, this):
    """Fees, settings, lines and money follow from the sheet, the decisions and the deck."""
    this.need_world()
    close, record = this.need("settle"), this.get("settle")
    if this.is_voided:
        return _void(audit, this)
    ruleset, way = rules(audit, this)
    facts, wagers = _stand(ruleset, this)
    deal, hands, bases = this.need("deal"), _hands(this, ruleset, facts, wagers), settle.bases(wagers)
    _same_fees(this, ruleset, wagers)
    _same_lines(this, ruleset, wagers, hands)
    if any(action.refused for action in this.actions):
        raise Skipped("an action was refused by an earlier check")
    for action in this.actions:
        same(action, "house way", way.hash, action.body.get("house_way", way.hash))
    decisions = {action.body["seat"]: action.body for action in this.actions}
    fault = sheet.decision_fault(ruleset, facts, hands, bases, decisions)
    if fault:
        raise Failed(record, "decisions that settle", fault)
    game = settle.Round(ruleset, way, wagers, facts, hands, decisions, deal["dice"])
    this.results, this.banker = game.results(), game.banker
    same(record, "results", this.results, close["results"])
