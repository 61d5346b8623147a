"""The records that a ledger signs, read by this package's own parser, never trusted as they come.

A record is a DSSE envelope over canonical JSON. What is signed is its pre-authentication encoding.
"""
import base64
import hashlib
import json

from ._verify.paigow_verify.encoding import kid
from .errors import NotTheRecord

LOCK = "application/vnd.pge.lock.v1+json"
ACTION = "application/vnd.pge.action.v1+json"


def pae(kind, payload):
    """Returns the bytes that are signed of a payload."""
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)


def parse(envelope):
    """Returns the type and the payload in bytes of a record."""
    read = json.loads(envelope)
    return read["payloadType"], base64.b64decode(read["payload"], validate=True)


def body(envelope):
    """Returns the payload of a record as JSON."""
    return json.loads(parse(envelope)[1])


def record_hash(envelope):
    """Returns the hash by which other records name a record."""
    return hashlib.sha256(pae(*parse(envelope))).hexdigest()


def signed(envelope, public_key, signature):
    """Returns a record with a signature in its envelope, as the engine writes it."""
    kind, payload = parse(envelope)
    own = {"keyid": kid(bytes.fromhex(public_key)), "sig": base64.b64encode(signature).decode()}
    return canonical({"payload": base64.b64encode(payload).decode(), "payloadType": kind, "signatures": [own]})


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def check_to_sign(unsigned, kind, expected):
    """Checks that the bytes to sign are exactly the record with the payload ``expected``.

    ``expected`` is the payload as JSON. Raises ``NotTheRecord``.
    """
    found, payload = parse(unsigned.record.envelope)
    if found != kind or unsigned.to_sign != pae(kind, payload):
        raise NotTheRecord("the bytes to sign are not those of the record")
    if payload != canonical(json.loads(payload)):
        raise NotTheRecord("the record is not in its one spelling")
    if in_any_order(json.loads(payload)) != in_any_order(expected):
        names = ", ".join(sorted(different(json.loads(payload), expected)))
        raise NotTheRecord(f"the record differs from what was asked for: {names}")
    return payload


def different(one, other):
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def wagers_of(sheet):
    """Returns the part of a wager sheet that a lock has: currency, facts, seats and limits of bets."""
    facts = {name: str(getattr(sheet, name)) if name.endswith("_minor") else getattr(sheet, name)
             for name in ("chip_minor", "table_min_minor", "table_max_minor", "bank_minor", "banker_seat",
                          "action_pile", "meter_minor") if sheet.HasField(name)}
    seats = {}
    for wager in sheet.wagers:
        seat = seats.setdefault(str(wager.seat), {"wagers": []})
        one = {"amount": str(wager.amount_minor), "bet": wager.bet}
        if wager.choice:
            one["choice"] = {1: "red", 2: "black"}[wager.choice]
        seat["wagers"].append(one)
        if wager.client_seed:
            seat["client_seed"] = wager.client_seed
    limits = [{"bet": limit.bet, "max": str(limit.max_minor)} for limit in sheet.bet_limits]
    return {"currency": {"code": sheet.currency.code, "exponent": sheet.currency.exponent}, "facts": facts,
            "seats": seats, **({"bet_limits": limits} if limits else {})}


def in_any_order(value):
    """Returns a payload with its wagers and limits sorted. They are in the ruleset's order of bets, which
    the engine knows and a ledger does not need."""
    if isinstance(value, dict):
        return {name: in_any_order(inner) for name, inner in value.items()}
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return sorted(value, key=canonical)
    return value
