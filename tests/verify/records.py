"""Records: envelopes, and the members of each payload (PGE-FAIR-1, 6.2, D5 and D14).

A shape is a function that raises `Bad` for a value that is not of it. Some members may be
absent although the engine writes them: the published example shows a subset, and their absence
is found by the check that needs them.
"""
import re

from . import ed25519
from .encoding import IDENTIFIER, Bad, is_canonical, is_hex, pae, parse_json, sha256, strict_base64

KINDS = ("manifest", "ticket", "lock", "deal", "action", "settle", "epoch-reveal")
TYPES = {f"application/vnd.pge.{kind}.v1+json": kind for kind in KINDS}
LARGEST_STAKE = 10**15


class Record:
    """One line of a transcript: an envelope whose payload is not read yet."""

    def __init__(self, line, number):
        self.number, self.body, self.refused = number, None, False
        envelope = parse_json(line)
        if not isinstance(envelope, dict) or set(envelope) != {"payload", "payloadType", "signatures"}:
            raise Bad("the members of an envelope are payload, payloadType and signatures")
        kind, signatures = envelope["payloadType"], envelope["signatures"]
        if not isinstance(kind, str) or kind not in TYPES:
            raise Bad("an unknown payload type")
        if not isinstance(envelope["payload"], str) or not isinstance(signatures, list):
            raise Bad("an envelope's payload is a string, its signatures are a list")
        self.kind, self.payload = TYPES[kind], strict_base64(envelope["payload"])
        self.signatures = [self._signature(signature) for signature in signatures]
        self.signed = pae(kind, self.payload)
        self.hash = sha256(self.signed).hex()

    @staticmethod
    def _signature(signature):
        if (not isinstance(signature, dict) or set(signature) != {"keyid", "sig"}
                or not all(isinstance(member, str) for member in signature.values())):
            raise Bad("a signature has the members keyid and sig")
        data = strict_base64(signature["sig"])
        if len(data) != 64:
            raise Bad("a signature has 64 bytes")
        return data

    def read(self):
        """Reads the payload, which has to be canonical and have the members of its kind."""
        if self.body is not None:
            return
        body = parse_json(self.payload)
        if not is_canonical(self.payload, body):
            raise Bad("not in canonical form")
        SHAPES[self.kind](body)
        self.body = body

    def signers(self, keys):
        """Those of the public keys (hex) that signed."""
        return {key for key in set(keys)
                if any(ed25519.verify(bytes.fromhex(key), self.signed, data) for data in self.signatures)}


# ---- shapes

def need(condition, what):
    if not condition:
        raise Bad(what)


def text(pattern):
    def check(value):
        need(isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII), f"{value!r} is malformed")
    return check


def word(*words):
    return lambda value: need(value in words and isinstance(value, str), f"{value!r} is none of {words}")


def number(low, high):
    def check(value):
        need(isinstance(value, int) and not isinstance(value, bool) and low <= value <= high,
             f"{value!r} is no integer from {low} to {high}")
    return check


def decimal(low, high):
    """An integer as a string (D14)."""
    def check(value):
        need(isinstance(value, str) and re.fullmatch(r"0|-?[1-9][0-9]{0,18}", value, re.ASCII)
             and low <= int(value) <= high, f"{value!r} is no integer from {low} to {high}")
    return check


def hexadecimal(size):
    return lambda value: need(is_hex(value, size), f"{str(value)[:80]!r} is not {size} bytes in hex")


def array(shape, least=0, most=1 << 16):
    def check(value):
        need(isinstance(value, list) and least <= len(value) <= most, "not a list of so many")
        for item in value:
            shape(item)
    return check


def ascending(shape):
    def check(value):
        array(shape)(value)
        need(value == sorted(set(value)), "a set is ascending, each once")
    return check


def members(**shapes):
    """An object with these members; those whose name ends in `_` may be absent."""
    required = {name for name in shapes if not name.endswith("_")}
    known = {name.rstrip("_"): shape for name, shape in shapes.items()}

    def check(value):
        need(isinstance(value, dict), "not an object")
        need(required <= set(value), f"missing: {', '.join(sorted(required - set(value)))}")
        need(set(value) <= set(known), f"unknown: {', '.join(sorted(set(value) - set(known)))[:80]}")
        for name, item in value.items():
            known[name](item)
    return check


def seats(shape, first=1):
    """An object whose keys are seats."""
    def check(value):
        need(isinstance(value, dict), "not an object")
        for seat, item in value.items():
            need(re.fullmatch(f"[{first}-7]", seat, re.ASCII), f"{seat!r} is not a seat")
            shape(item)
    return check


def dealt(value):
    array(number(0, 52), most=53)(value)
    need(len(set(value)) == len(value), "a card twice")


def whole_deck(value):
    dealt(value)
    need(sorted(value) == list(range(len(value))) and len(value) in (52, 53), "not a whole deck")


def public_key(value):
    HASH(value)
    need(ed25519.is_key(bytes.fromhex(value)), f"{value} is no Ed25519 public key")


HASH, KEY = hexadecimal(32), public_key
NAME, SEAT = text(IDENTIFIER.pattern), number(1, 7)
AMOUNT, NET = decimal(0, 2**63 - 1), decimal(-2**63, 2**63 - 1)
STAKE, TIME = decimal(1, LARGEST_STAKE), decimal(0, 2**63 - 1)
SUITE, ALGORITHM = word("derived", "fresh"), word("PGE-FAIR-1")
POLICY = members(client=word("none", "optional", "committed"), lock=word("off", "required"),
                 chain=word("off", "required"), seat_auth=word("off", "optional", "required"),
                 external=word("none"))
KEYS = array(members(kid=hexadecimal(8), pk=KEY))


def salt_source(value):
    need(isinstance(value, dict), "not an object")
    if value.get("type") == "party":
        members(type=word("party"), pk=KEY, value_=HASH, sig_=hexadecimal(64))(value)
        need(("value" in value) == ("sig" in value), "a value comes with its signature")
    elif value.get("type") == "drand":
        # Reserved (D2): the published example has it. Its BLS signature is not checked.
        members(type=word("drand"), chain=HASH, round=decimal(1, 2**63 - 1), signature_=hexadecimal(48))(value)
    else:
        members(type=word("none"))(value)


def epoch(value):
    """The fresh suite has neither commitment nor salt (D3)."""
    shapes = {"epoch": number(0, 2**31 - 1), "open_from": TIME, "open_until": TIME, "settle_until": TIME,
              "status_": word("active", "revoked", "revealed"), "suite": SUITE}
    if isinstance(value, dict) and value.get("suite") != "fresh":
        shapes |= {"commit": HASH, "salt_": HASH, "salt_source": salt_source}
    members(**shapes)(value)


def lock(value):
    step = value.get("step") if isinstance(value, dict) else None
    common = {"prev": HASH, "round_id": HASH, "step": word("wagers", "final", "void")}
    if step == "wagers":
        wager = members(amount=STAKE, bet=text("[ -~]*"), choice_=word("red", "black"))
        common |= {
            "currency_": members(code=text("[A-Z]{3,8}"), exponent=number(0, 4)),
            "facts_": members(action_pile_=number(0, 6), bank_minor_=AMOUNT, banker_seat_=SEAT,
                             chip_minor_=AMOUNT, table_max_minor_=AMOUNT, table_min_minor_=AMOUNT),
            "seats": seats(members(client_seed_=text("([0-9a-f]{2}){16,64}"), wagers=array(wager)))}
    elif step == "final":
        common["actions"] = array(HASH)
    else:
        common["reason"] = REASON
    members(**common)(value)


def action(value):
    members(double_down_=word_true, house_way_=HASH, low_=ascending(number(0, 52)), prev=HASH, seat=SEAT)(value)
    need(("low" in value) != ("house_way" in value), "either low or house_way")


REASON = word("client_seed", "player_left", "equipment", "operator", "epoch_revoked")


def settle(value):
    if isinstance(value, dict) and value.get("disposition") == "void":
        members(disposition=word("void"), prev=HASH, reason=REASON, returns=seats(AMOUNT, first=0),
                round_id=HASH, ticket=HASH)(value)
    else:
        # What the results have to be is computed: they are compared whole.
        members(deal=HASH, dealer=dealt, deck=whole_deck, disposition=word("settled"), prev=HASH,
                results_=_any,
                round_id=HASH, round_seed=HASH, server_seed=HASH, ticket=HASH)(value)


def word_true(value):
    need(value is True, "true or absent")


def _any(_):
    pass


def ticket(value):
    """The sealed seed is there in the fresh suite, and only there (D3)."""
    shapes = {
        "algo": ALGORITHM, "client": seats(HASH), "commit": HASH, "engine": NAME,
        "epoch": number(0, 2**31 - 1), "external": members(type=word("none")), "manifest": HASH,
        "policy_": POLICY, "prev": HASH, "round_id": HASH, "round_no": decimal(1, 2**63 - 1),
        "ruleset": HASH, "seat_keys": seats(KEY), "suite": SUITE, "table": NAME, "tenant": NAME}
    if isinstance(value, dict) and value.get("suite") == "fresh":
        shapes["sealed"] = hexadecimal(85)
    members(**shapes)(value)


SHAPES = {
    "manifest": members(
        algo=ALGORITHM, engine=NAME, epochs=array(epoch), prev=HASH, builds_=array(_any), seq=decimal(0, 2**63 - 1),
        house_ways_=array(members(hash=HASH, name=NAME)),
        receipt_keys=array(members(kid=hexadecimal(8), pk=KEY, revoked_=word_true)),
        root_=members(keys=KEYS, threshold=number(0, 2**31 - 1)),
        rulesets=array(members(cards=number(0, 53), hash=HASH, name=NAME)),
        tenants=array(members(ledger_keys=KEYS, policy=POLICY, tables_=array(NAME), tenant=NAME))),
    "ticket": ticket,
    "lock": lock,
    "deal": members(
        deck_commit=HASH, dice=array(number(1, 6)), fees_=seats(AMOUNT, first=0), lines_=array(_any),
        phase=number(1, 1), prev=HASH, round_id=HASH, ticket=HASH, visible=seats(dealt)),
    "action": action,
    "settle": settle,
    "epoch-reveal": members(epoch=number(0, 2**31 - 1), epoch_secret=HASH),
}
