"""Claims: conclusions from the checks of a round, which state no more than was checked (PGE-FAIR-1, D6)."""
import json

from .log_copy import end_of
from .rounds import UNREAD
from .rules import PRODUCT, SHIPPED
from .verdicts import is_due, is_overdue, round_missing

# A release has the file beside the rules; in the repository it is the engine's.
REPOSITORY = PRODUCT.parents[1] / "crates/paigow-round/src/audit"
FILE = (SHIPPED if SHIPPED.is_dir() else REPOSITORY) / "claims.json"
WEAKEST_FIRST = ("not_shown", "pending", "shown")


def load():
    return json.loads(FILE.read_text())


def _seat_key(audit, this):
    """Why the caller's seat does not act with the key that the caller names, if it does not."""
    seat, key = audit.terms.my_seat, audit.terms.my_seat_key
    if seat is None or key is None:
        return "rests on the ledger's key: no key of a seat is named as yours"
    if not this.ticket or this.seat_key(seat).get("key") != key:
        return f"rests on the ledger's key: the key of seat {seat} is another or none"
    if not any(action.body and action.body["seat"] == seat and not action.refused for action in this.actions):
        return f"seat {seat} has no decision in the round"
    if seat in this.absent:
        return f"seat {seat} is listed as absent: its decision needs no signature"
    return None


def _end_of_log(audit, this):
    return end_of(audit, this)[1]


NEEDS = {"seat_key": _seat_key, "every_round": round_missing, "end_of_log": _end_of_log}


def of_round(audit, this):
    """Each claim that applies to a round. To a void, or to a telling whose close is elsewhere, few apply."""
    found = []
    for claim in audit.known["claims"]:
        if claim["rounds"] == "all" or not (this.is_void or this.is_partial):
            found.append({"name": claim["name"], **_weighed(audit, this, claim)})
        elif this.has_unread_wagers and "RESULTS" in _checks(this, claim):
            found.append({"name": claim["name"], "status": "not_shown", "why": f"RESULTS: {UNREAD}"})
    return found


def _checks(this, claim):
    """The checks that a claim rests on in a round: public randomness decides before the suite."""
    if this.ticket is None:
        return claim["checks"]
    of_suite = claim.get("checks_of_suite", {}).get(this.ticket["suite"], claim["checks"])
    return claim.get("checks_of_external", {}).get(this.ticket["external"]["type"], of_suite)


def _weighed(audit, this, claim):
    unmet = next(filter(None, (NEEDS[need](audit, this) for need in claim["needs"])), None)
    if unmet:
        return {"status": "not_shown", "why": unmet}
    made = {check["code"]: check for check in this.checks}
    left = [code for code in _checks(this, claim) if made[code]["status"] != "passed"]
    if not left:
        if "end_of_log" in claim["needs"]:
            return {"status": "shown", "why": end_of(audit, this)[0]}
        is_counted = "PLACE_LISTED" in _checks(this, claim)
        return {"status": "shown", "why": f"one of {this.places} tables" if is_counted else ""}
    excused = audit.known["after_the_reveal"] if this.awaited and not is_overdue(audit, this) else []
    for code in left:
        if made[code]["status"] == "failed":
            return {"status": "not_shown", "why": f"{code} failed"}
        if code not in excused:
            return {"status": "not_shown", "why": f"{code}: {made[code]['found']}"}
    return {"status": "pending", "why": is_due(this.awaited)}


def of_file(audit):
    """Each claim with the weakest status among the rounds that it applies to."""
    failed = [check["code"] for check in audit.checks if check["status"] == "failed"]
    return [{"name": claim["name"], **_weakest(audit.rounds, claim, failed)} for claim in audit.known["claims"]]


def _weakest(rounds, claim, failed):
    others = [codes for kind in ("checks_of_suite", "checks_of_external") for codes in claim.get(kind, {}).values()]
    bad = next((code for codes in (claim["checks"], *others) for code in codes if code in failed), None)
    if bad:
        return {"status": "not_shown", "why": f"{bad} failed"}
    found = [(this.where, one) for this in rounds for one in this.claims if one["name"] == claim["name"]]
    if not found:
        return {"status": "not_shown", "why": "no round that it applies to"}
    where, one = min(found, key=lambda pair: WEAKEST_FIRST.index(pair[1]["status"]))
    return {"status": one["status"], "why": one["why"] if one["status"] == "shown" else f"{where}: {one['why']}"}
