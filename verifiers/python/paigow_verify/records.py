"""Records: envelopes, and the members of each payload (PGE-FAIR-1, 6.2, D5 and D14).
"""
import re

from . import ed25519
from .encoding import Bad, is_canonical, kid, pae, parse_json, sha256, strict_base64

LARGEST_STAKE = 10**15


def need(condition, what):
    if not condition:
        raise Bad(what)


def looks_like_an_envelope(line):
    """Whether a line is an object with the members of an envelope, whatever their values."""
    try:
        value = parse_json(line)
    except Bad:
        return False
    return isinstance(value, dict) and {"payload", "payloadType", "signatures"} <= set(value)


class Record:
    """One line of a transcript: an envelope whose payload is not read yet."""

    def __init__(self, line, number):
        self.number, self.body, self.refused = number, None, False
        envelope = parse_json(line)
        fits(envelope, {"payload": str, "payloadType": str, "signatures": [{"keyid": text("[!-~]{0,64}"), "sig": str}]})
        kind = re.fullmatch(r"application/vnd\.pge\.([a-z-]+)\.v1\+json", envelope["payloadType"])
        need(kind and kind[1] in SHAPES, "an unknown payload type")
        self.kind, self.payload = kind[1], strict_base64(envelope["payload"])
        self.signatures = [strict_base64(signature["sig"]) for signature in envelope["signatures"]]
        need(len(self.signatures) <= 16 and all(len(data) == 64 for data in self.signatures),
             "at most 16 signatures, each of 64 bytes")
        self.signed = pae(kind[0], self.payload)
        self.hash = sha256(self.signed).hex()

    def read(self):
        """Reads the payload, which has to be canonical and have the members of its kind."""
        if self.body is None:
            body = parse_json(self.payload)
            need(is_canonical(self.payload, body), "not in canonical form")
            shape = SHAPES[self.kind]
            fits(body, shape if isinstance(shape, dict) else shape(body if isinstance(body, dict) else {}))
            self.body = body

    def all_signed_by(self, keys):
        """Whether each signature is good and by one of the public keys (hex). One key may sign twice."""
        return all(any(ed25519.verify(bytes.fromhex(key), self.signed, data) for key in keys)
                   for data in self.signatures)

    def signers(self, keys):
        """Those of the public keys (hex) that signed."""
        return {key for key in keys
                if any(ed25519.verify(bytes.fromhex(key), self.signed, data) for data in self.signatures)}


def fits(value, shape, path="payload"):
    """Refuses a value that does not have the shape. A shape is a type; words in a tuple; a range of
    integers; a pattern of text; a list of a shape, and its lengths; members by name, those with `?` may
    be absent; an object by keys that match a pattern; or a function that returns whether the value is good."""
    if isinstance(shape, dict):
        need(isinstance(value, dict), f"{path} is no object")
        pattern = next((key for key in shape if isinstance(key, re.Pattern)), None)
        known = dict.fromkeys(value, shape[pattern]) if pattern else {n.rstrip("?"): s for n, s in shape.items()}
        required = set() if pattern else {name for name in shape if not name.endswith("?")}
        need(required <= set(value) <= set(known), f"{path} has missing or unknown members")
        for name, item in value.items():
            need(not pattern or pattern.fullmatch(name), f"{path}: {name!r} is no seat")
            fits(item, known[name], f"{path}.{name}")
        return
    if isinstance(shape, list):
        need(isinstance(value, list), f"{path} is no list")
        need(len(shape) == 1 or len(value) <= shape[1], f"{path} is too long a list")
        for i, item in enumerate(value):
            fits(item, shape[0], f"{path}[{i}]")
        return
    if isinstance(shape, re.Pattern):
        good = isinstance(value, str) and shape.fullmatch(value)
    elif isinstance(shape, (range, tuple)):
        good = isinstance(value, type(shape[0])) and not isinstance(value, bool) and value in shape
    else:
        good = isinstance(value, shape) if isinstance(shape, type) else shape(value)
    need(good, f"{path} is malformed: {str(value)[:80]!r}")


def text(pattern):
    return re.compile(pattern, re.ASCII)


def decimal(low, high):
    """An integer as a string (D14)."""
    return lambda value: isinstance(value, str) and bool(
        re.fullmatch("0|-?[1-9][0-9]{0,18}", value, re.ASCII)) and low <= int(value) <= high


def is_public_key(value):
    return isinstance(value, str) and bool(HASH.fullmatch(value)) and ed25519.key(bytes.fromhex(value)) is not None


def is_key(value, shape=None):
    """A listed key: its id is the one that follows from it."""
    fits(value, {"kid": KID, "pk": is_public_key, **(shape or {})}, "key")
    return value["kid"] == kid(bytes.fromhex(value["pk"]))


def cards(value):
    """Card numbers, each once."""
    return (isinstance(value, list) and all(type(card) is int and 0 <= card <= 52 for card in value)
            and len(set(value)) == len(value))


def card_set(value):
    """Card numbers, ascending."""
    return cards(value) and value == sorted(value)


HASH, KID, SIGNATURE, SEED, PROOF, POINT_1, POINT_2 = (
    text(f"([0-9a-f]{{2}}){{{size}}}") for size in ("32", "8", "64", "16,64", "80", "48", "96"))
NAME, SEATS, POSITIONS = text("[A-Za-z0-9._:-]{1,64}"), text("[1-7]"), text("[0-7]")
ORIGIN = text("[A-Za-z0-9._:/-]{1,128}")
COUNT, AMOUNT, STAKE = decimal(1, 2**63 - 1), decimal(0, 2**63 - 1), decimal(1, LARGEST_STAKE)
EPOCH, TRUE, ANY = range(2**31), lambda value: value is True, object
SUITE, ALGORITHM, NONE = ("derived", "fresh", "vrf"), ("PGE-FAIR-1",), {"type": ("none",)}
REASON = ("client_seed", "player_left", "equipment", "operator", "epoch_revoked", "misdeal")
POLICY = {"absent?": ("optional", "required"), "client": ("none", "optional", "committed"), "lock": ("off", "required"),
          "external": ("none", "drand"), "chain": ("off", "required"), "seat_auth": ("off", "optional", "required")}
MOST_KEYS, MOST_LISTED, MOST_SPENT = 16, 256, 8
KEYS = [is_key, MOST_KEYS]
SALT_SOURCES = {
    "none": NONE,
    "party": {"type": ("party",), "pk": is_public_key, "value?": HASH, "sig?": SIGNATURE},
    "drand": {"type": ("drand",), "chain": HASH, "round": COUNT, "signature?": POINT_1}}
BEACON = {"genesis": AMOUNT, "group": HASH, "id": NAME, "period": range(1, 86401), "pk": POINT_2}
EXTERNALS = {"none": NONE, "drand": {"type": ("drand",), "chain": HASH, "round": COUNT}}
MOST_COSIGNATURES, LONGEST_PATH = 16, 63
FACTS = {"action_pile?": range(7), "bank_minor?": AMOUNT, "banker_seat?": range(1, 8), "chip_minor?": AMOUNT,
         "meter_minor?": AMOUNT, "table_max_minor?": AMOUNT, "table_min_minor?": AMOUNT}
WAGER = {"amount": STAKE, "bet": text("[ -~]*"), "choice?": ("red", "black")}


def is_salt_source(value):
    fits(value, SALT_SOURCES.get(isinstance(value, dict) and str(value.get("type")), NONE), "salt_source")
    return ("value" in value) == ("sig" in value)


def is_external(value):
    """The further input to the seed of a round, after the seeds of server and seats: none, or a round of a beacon."""
    fits(value, EXTERNALS.get(isinstance(value, dict) and str(value.get("type")), NONE), "external")
    return True


def is_epoch(value):
    """The fresh suite has neither commitment nor salt (D3). In the vrf suite a public key is the commitment."""
    shape = {"epoch": EPOCH, "open_from": AMOUNT, "open_until": AMOUNT, "settle_until": AMOUNT,
             "status?": ("active", "revoked", "revealed"), "suite": SUITE}
    suite = isinstance(value, dict) and value.get("suite")
    if suite != "fresh":
        commitment = {"vrf_key": is_public_key} if suite == "vrf" else {"commit": HASH}
        shape |= {**commitment, "salt?": HASH, "salt_source": is_salt_source}
    fits(value, shape, "epoch")
    return True


def absent_seats(value):
    """Seats, ascending; the member is left out where there are none."""
    fits(value, [range(1, 8)], "absent")
    return value and value == sorted(set(value))


def superseded(value):
    """Locks, each once; left out where there are none."""
    fits(value, [HASH, MOST_SPENT], "supersedes")
    return value and len(set(value)) == len(value)


def bet_limits(value):
    """Posted limits of single bets: one or more."""
    fits(value, [{"bet": text("[ -~]*"), "max": AMOUNT}], "bet_limits")
    return bool(value)


def lock(body):
    common = {"prev": HASH, "round_id": HASH, "step": ("wagers", "final", "void")}
    if body.get("step") == "wagers":
        return common | {"currency": {"code": text("[A-Z]{3,8}"), "exponent": range(5)}, "facts": FACTS,
                         "bet_limits?": bet_limits, "seats": {SEATS: {"client_seed?": SEED, "wagers": [WAGER]}}}
    final = body.get("step") == "final"
    return common | {"supersedes?": superseded} | (
        {"absent?": absent_seats, "actions": [HASH]} if final else {"reason": REASON})


def action(body):
    need(("low" in body) != ("house_way" in body), "either low or house_way")
    return {"double_down?": TRUE, "house_way?": HASH, "prev": HASH, "seat": range(1, 8),
            "low?": card_set}


def settle(body):
    """Any results: they are recomputed and compared as a whole."""
    if body.get("disposition") == "void":
        return {"disposition": ("void",), "prev": HASH, "reason": REASON, "returns": {POSITIONS: AMOUNT},
                "round_id": HASH, "ticket": HASH}
    return {"deal": HASH, "dealer": cards, "deck": cards, "disposition": ("settled",), "prev": HASH,
            "results": ANY, "round_id": HASH, "round_seed": HASH, "seed_proof?": PROOF, "server_seed": HASH,
            "ticket": HASH}


def ticket(body):
    """The sealed seed is there in the fresh suite, and only there (D3)."""
    seat_key = {"absent?": ("house_way",), "key": is_public_key}
    shape = {"algo": ALGORITHM, "client": {SEATS: HASH}, "commit": HASH, "engine": NAME, "epoch": EPOCH,
             "external": is_external, "manifest": HASH, "policy": POLICY, "prev": HASH, "round_id": HASH,
             "round_no": COUNT, "ruleset": HASH, "seat_keys": {SEATS: seat_key}, "suite": SUITE,
             "table": NAME, "tenant": NAME}
    return shape | ({"sealed": text("[0-9a-f]{170}")} if body.get("suite") == "fresh" else {})


def epoch_close(body):
    """The tables ascend, and the counts of rounds add up. The proofs ascend too, each of a round that is counted."""
    shape = {"epoch": EPOCH, "leaves": COUNT, "root": HASH, "tenant": NAME,
             "rounds": {"never_closed": AMOUNT, "opened_again": AMOUNT, "settled": AMOUNT, "voided": AMOUNT},
             "seed_proofs?": [{"proof": PROOF, "round_no": COUNT, "table": NAME}],
             "tables": [{"head?": HASH, "last": COUNT, "table": NAME}, 65536]}
    fits(body, shape)
    names, rounds = [entry["table"] for entry in body["tables"]], body["rounds"]
    need(names and names == sorted(set(names)), "the tables do not ascend")
    ended = sum(int(rounds[name]) for name in ("never_closed", "settled", "voided"))
    need(ended == int(body["leaves"]), "the leaves are not the sum of the rounds")
    lasts = {entry["table"]: int(entry["last"]) for entry in body["tables"]}
    need(ended <= sum(lasts.values()), "there are more leaves than round numbers")
    if "seed_proofs" in body:
        proven = [(entry["table"], int(entry["round_no"])) for entry in body["seed_proofs"]]
        need(proven and proven == sorted(set(proven)), "the seed proofs do not ascend")
        need(all(number <= lasts.get(table, 0) for table, number in proven), "a seed proof of no round of the tables")
        need(len(proven) <= int(rounds["voided"]) + int(rounds["never_closed"]), "more seed proofs than such rounds")
    return shape


# A checkpoint of a log: its name, size and root, and who signed that.
CHECKPOINT = {"cosignatures": [{"pk": is_public_key, "sig": SIGNATURE, "time": AMOUNT}, MOST_COSIGNATURES],
              "origin": ORIGIN, "root": HASH, "sig": SIGNATURE, "size": COUNT}


def log_proof(body):
    """It has one cosignature of each witness."""
    shape = {**CHECKPOINT, "index": AMOUNT, "path": [HASH, LONGEST_PATH], "record": HASH}
    fits(body, shape)
    one_of_each_witness(body)
    return shape


def one_of_each_witness(checkpoint):
    keys = {entry["pk"] for entry in checkpoint["cosignatures"]}
    need(len(keys) == len(checkpoint["cosignatures"]), "two cosignatures with one key")


SHAPES = {
    "ticket": ticket, "lock": lock, "action": action, "settle": settle,
    "manifest": {
        "algo": ALGORITHM, "beacon?": BEACON, "builds?": [{"digest": HASH, "name": NAME}, 64], "engine": NAME,
        "epochs": [is_epoch, 400], "house_ways": [{"hash": HASH, "name": NAME}, MOST_LISTED],
        "log?": {"origin": ORIGIN, "pk": is_public_key}, "prev": HASH,
        "receipt_keys": [lambda value: is_key(value, {"revoked?": TRUE}), MOST_KEYS],
        "root": {"keys": KEYS, "threshold": range(17)}, "seq": AMOUNT,
        "rulesets": [{"cards": range(54), "hash": HASH, "name": NAME}, MOST_LISTED],
        "tenants": [{"ledger_keys": KEYS, "policy": POLICY, "tables?": [NAME, 1024], "tenant": NAME}, MOST_LISTED]},
    "deal": {
        "beacon?": POINT_1, "dealer?": {"high": card_set, "low": card_set}, "deck_commit": HASH,
        "dice": [range(1, 7)], "fees": {POSITIONS: AMOUNT}, "lines?": ANY, "phase": range(1, 2), "prev": HASH,
        "round_id": HASH, "ticket": HASH, "visible": {SEATS: cards}},
    "epoch-reveal": {"epoch": EPOCH, "epoch_secret": HASH},
    "epoch-close": epoch_close, "log-proof": log_proof}
