"""The answers of the Python verifier to each operation of the kit (FORMAT.md)."""
import functools

from paigow_verify import bonus, ed25519, settle, shuffle, vrf
from paigow_verify.audit import Audit, lines_of
from paigow_verify.beacons import UNVERIFIED
from paigow_verify.encoding import Bad, enc, is_canonical, kid, pae, parse_json, sha256, strict_base64
from paigow_verify.epoch_close import Proof, tree_hash
from paigow_verify.hands import NAMES, category_name, high_value, is_foul, low_value, ranking_of
from paigow_verify.log_copy import LogCopy
from paigow_verify.rules import Rules
from paigow_verify.terms import Terms

RULES = Rules()
NUMBER = {name: number for number, name in enumerate(NAMES)}


def numbers(names):
    return [NUMBER[name] for name in names]


def names(cards):
    return [NAMES[card] for card in cards]


def _bytes(text):
    return bytes.fromhex(text)


def base64(text):
    try:
        return {"valid": True, "bytes": strict_base64(text).hex()}
    except Bad:
        return {"valid": False}


def canonical(bytes):
    try:
        data = _bytes(bytes)
        return {"canonical": is_canonical(data, parse_json(data))}
    except Bad:
        return {"canonical": False}


def verified(public, alpha, proof):
    output = vrf.output(_bytes(public), _bytes(alpha), _bytes(proof))
    return {"valid": output is not None} | ({"beta": output.hex()} if output else {})


def round(suite, epoch, tenant, table, round_no, ruleset_hash, engine, client_seeds, server_seed=None,
          epoch_secret=None, epoch_salt=None, vrf_key=None, seed_proof=None):
    coords = (epoch, tenant, table, int(round_no))
    round_id = shuffle.round_id(*coords)
    seed = (shuffle.derived_seed(_bytes(epoch_secret), _bytes(epoch_salt), *coords) if suite == "derived"
            else shuffle.proven_seed(*map(_bytes, (vrf_key, epoch_salt, seed_proof)), *coords) if suite == "vrf"
            else _bytes(server_seed))
    seeds = {int(seat): _bytes(value) for seat, value in client_seeds.items()}
    return {"round_id": round_id.hex(), "server_seed": seed.hex(),
            "commit": shuffle.commitment(seed, round_id, _bytes(ruleset_hash), engine).hex(),
            "client_commits": {str(seat): shuffle.client_commitment(round_id, seat, value).hex()
                               for seat, value in seeds.items()},
            "round_seed": shuffle.round_seed(seed, round_id, seeds).hex()}


def rules_hash(kind, id):
    files = RULES.rulesets if kind == "ruleset" else {d: {"id": w.id} for d, w in RULES.house_ways.items()}
    return {"hash": next(digest for digest, file in files.items() if file["id"] == id)}


def uniform(words, bound):
    stream = iter(words)
    value = shuffle.uniform(stream, bound)
    return {"value": value, "words_used": len(words) - len(list(stream))}


def keystream(key, stream, count):
    words = shuffle.words(_bytes(key), stream.encode())
    return {"words": [next(words) for _ in range(count)]}


def deck(round_seed, cards):
    seed = _bytes(round_seed)
    order = shuffle.deck(seed, cards)
    return {"deck": order, "deck_commit": shuffle.deck_commitment(seed, order).hex()}


def rules_with(rulesets, house_ways):
    """The published rules and those of these texts."""
    return _rules_with(tuple(rulesets), tuple(house_ways)) if rulesets else RULES


@functools.cache
def _rules_with(rulesets, house_ways):
    return Rules([text.encode() for text in rulesets], [text.encode() for text in house_ways])


def deal(ruleset, deck, dice, facts, bases=None, rulesets=(), house_ways=()):
    file = rules_with(rulesets, house_ways).ruleset(ruleset)
    hands = settle.deal(file, deck, dice, facts, set(bases or range(1, file["seats"] + 1)))
    return {"hands": {str(q): names(cards) for q, cards in sorted(hands.items())}}


def _ranking(joker):
    """A-2-3-4-5 second, and the joker of a case: semi-wild by default."""
    return ranking_of({"wheel": "second", "joker": joker})


def _compared(own, other):
    return {"result": "win" if own > other else "copy" if own == other else "lose"}


def set_hand(house_way, cards):
    way = RULES.house_way(house_way)
    (low, high, clause), ranking = way.set(tuple(sorted(numbers(cards)))), way.ranking
    return {"low": names(low), "high": names(high), "clause": clause,
            "high_category": category_name(high_value(high, ranking)),
            "low_category": category_name(low_value(low, ranking))}


def row(ruleset, bet, cards, choice=None):
    file = RULES.ruleset(ruleset)
    rule = next(b for b in file["bets"] if b["id"] == bet)
    paid = bonus.row(rule, bonus.subject(rule["looks_at"], numbers(cards), choice, ranking_of(file)))
    return {"row": paid["id"], "pays": paid["pays"]} if paid else {}


def holds(condition, looks_at, cards, choice=None, dealer=None, house_way=None, joker="semi-wild"):
    if house_way is None:
        return {"holds": bonus.holds(condition, bonus.subject(looks_at, numbers(cards), choice,
                                                               _ranking(joker)))}
    way = RULES.house_way(house_way)
    own = settle.Setting({"wheel": "second", "joker": joker}, way, numbers(cards))
    if looks_at == bonus.PUSH:
        return {"holds": bonus.holds(condition, own.dealt(numbers(cards)))}
    if looks_at == "seat-set-hands":
        return {"holds": bonus.holds(condition, own)}
    other = settle.Setting({"wheel": "second", "joker": joker}, way, numbers(dealer))
    return {"holds": bonus.holds(condition, own.both(other))}


def settlement(ruleset, currency, facts, dice, hands, seats, decisions, rulesets=(), house_ways=()):
    rules = rules_with(rulesets, house_ways)
    file = rules.ruleset(ruleset)
    way = rules.house_ways[file["house_way"]["hash"]]
    sheet = {int(seat): {w["bet"]: {**w, "amount": int(w["amount"])} for w in entry["wagers"]}
             for seat, entry in seats.items()}
    cards = {int(position): numbers(hand) for position, hand in hands.items()}
    decided = {int(seat): {**d, "low": numbers(d["low"])} if "low" in d else d for seat, d in decisions.items()}
    game = settle.Round(file, way, sheet, {name: int(value) for name, value in facts.items()}, cards, decided, dice)
    answer = {"results": game.results(), "fees": {str(p): str(fee) for p, fee in game.fees.items()}}
    lines = settle.final_in_deal(file, sheet, cards)
    if lines:
        answer["lines"] = [{**line.record(), "seat": seat} for seat, line in lines]
    return answer


def audit(transcript, root_keys, threshold, rulesets=(), house_ways=(), tamper=None, proofs=(), log_copies=(), **terms):
    rules = rules_with(rulesets, house_ways)
    data = "".join(line + "\n" for line in transcript).encode()
    found = Audit(rules, root_keys, threshold, Terms(
        **terms, proofs=tuple(Proof(text.encode()) for text in proofs),
        logs=tuple(LogCopy(text.encode()) for text in log_copies))).run(lines_of(data))
    rounds = []
    for this in found.rounds:
        if this.get("ticket").body is None:
            continue
        entry = {"round_id": this.ticket["round_id"], "verdict": this.verdict[0]}
        close = this.get("settle")
        if this.readable and close is not None and not close.refused:
            entry["disposition"] = close.body["disposition"]
        if this.results is not None:
            entry |= {"bank_net": this.results["bank"]["net"], "house_net": this.results["house_net"],
                      "nets": {seat: result["net"] for seat, result in this.results["seats"].items()}}
        rounds.append(entry)
    places = [place.findings.found for place in (found, *found.rounds)]
    unverified = sorted({code for place in places for code, one in place.items() if one["found"] == UNVERIFIED})
    # The outcome of these checks if the signatures are good: the first of failed, passed and skipped.
    verified = {code: min((place[code]["status"] for place in places if code in place
                           and place[code]["found"] != UNVERIFIED), default="passed") for code in unverified}
    return {"verdict": found.verdict, "because": found.because, "code": found.code, "rounds": rounds,
            "checks": {check["code"]: check["status"] for check in found.checks},
            "claims": {claim["name"]: claim["status"] for claim in found.claims},
            **({"unverified": unverified, "verified": verified} if unverified else {})}


ANSWERS = {
    "enc": lambda label, fields: {"bytes": enc(label, *map(_bytes, fields)).hex()},
    "base64": base64, "canonical": canonical,
    "record_hash": lambda type, payload: {"hash": sha256(pae(type, _bytes(payload))).hex()},
    "kid": lambda public: {"kid": kid(_bytes(public))},
    "ed25519": lambda public, message, signature: {
        "valid": ed25519.verify(_bytes(public), _bytes(message), _bytes(signature))},
    "epoch_commit": lambda epoch, secret: {"commit": shuffle.epoch_commit(epoch, _bytes(secret)).hex()},
    "epoch_salt": lambda public, value: {"salt": shuffle.party_salt(_bytes(public), _bytes(value)).hex()},
    "vrf": verified,
    "merkle": lambda leaves: {"root": tree_hash(list(map(_bytes, leaves))).hex()},
    "round": round, "rules_hash": rules_hash, "uniform": uniform, "keystream": keystream, "deck": deck,
    "dice": lambda round_seed: {"dice": shuffle.dice(_bytes(round_seed))},
    "deal": deal,
    "condition": lambda condition, looks_at, hand: {"valid": bonus.is_condition(condition, looks_at, hand)},
    "high": lambda cards, joker="": {"category": category_name(high_value(numbers(cards), _ranking(joker)))},
    "compare_high": lambda own, other, joker="": _compared(
        high_value(numbers(own), _ranking(joker)), high_value(numbers(other), _ranking(joker))),
    "compare_low": lambda own, other, joker="": _compared(
        low_value(numbers(own), _ranking(joker)), low_value(numbers(other), _ranking(joker))),
    "foul": lambda low, high, joker="": {"foul": is_foul(numbers(low), numbers(high), _ranking(joker))},
    "set": set_hand, "row": row, "holds": holds, "settle": settlement, "audit": audit,
}


def answer(case):
    return ANSWERS[case["op"]](**case["input"])
