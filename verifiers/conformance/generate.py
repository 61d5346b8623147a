"""python3 verifiers/conformance/generate.py [--check] [--confirm LAB]: makes the files of the kit.

Expected values come from known answers (tests/vectors), from rounds settled by hand (tests/golden)
and from the tables of the rules if they have the case. The others are the answers of the Python verifier.
--confirm asks the engine's `paigow-lab` for its own answer to every hand set, bonus row
and transcript, and fails if the two differ. --check writes nothing and compares.
"""
import argparse
import json
import pathlib
import random
import sys
import tomllib
from itertools import chain

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "python")]

import beacons  # noqa: E402
import claims  # noqa: E402
import conditions  # noqa: E402
import confirm  # noqa: E402
import edges  # noqa: E402
import log_copies  # noqa: E402
import logs  # noqa: E402
import seed_proofs  # noqa: E402
import tampers  # noqa: E402
import tellings  # noqa: E402
from answers import NUMBER, RULES, answer, names, rules_with  # noqa: E402
from paigow_verify import claims as of_verifier  # noqa: E402
from issuer import LOCKED, OFF, Key, World, issue  # noqa: E402
from paigow_verify import ed25519  # noqa: E402
from paigow_verify.bonus import asks_colour  # noqa: E402
from paigow_verify.encoding import enc  # noqa: E402
from paigow_verify.hands import NAMES  # noqa: E402
from paigow_verify.records import LARGEST_STAKE  # noqa: E402
from paigow_verify.rules import SOURCE  # noqa: E402
from paigow_verify.shuffle import coordinates  # noqa: E402
from paigow_verify.verdicts import recomputed  # noqa: E402

TESTS = FOLDER.parents[1] / "tests"
VECTORS, GOLDEN, EXAMPLES = TESTS / "vectors", TESTS / "golden", FOLDER.parents[1] / "examples/rules"
KNOWN = json.loads((VECTORS / "fairness.json").read_text())
SEVEN_CARDS = ["mania", "mikes", "online", "express"]


class Layer:
    """The cases of one file, numbered as they come."""

    def __init__(self, name):
        self.name, self.cases = name, []

    def add(self, op, about=None, expect=None, checks=(), **given):
        """A case. Known expected members are compared with the answer, and so are known outcomes of
        checks."""
        case = {"case": f"{self.name}-{len(self.cases) + 1:04}", "op": op, "input": given}
        found = answer(case)
        if "unverified" in found:
            case["without_bls"] = found
            found = with_bls(case, found, expect or {}, dict(checks))
        for member, value in (expect or {}).items():
            if found.get(member) != value:
                raise SystemExit(f"{case['case']} {op}: {member} is known to be {value}, not {found.get(member)}")
        if dict(checks).items() - found.get("checks", {}).items():
            raise SystemExit(f"{case['case']}, {about}: expected {checks}, found {found['checks']}")
        case["expect"] = found
        # Sentences are each verifier's own.
        for said in (found, case.get("without_bls", {})):
            said.pop("because", None)
        if about:
            case["about"] = about
        self.cases.append(case)

    def text(self):
        return "".join(json.dumps(case, sort_keys=True, separators=(",", ":")) + "\n" for case in self.cases)


def with_bls(case, found, known, checks):
    """The answer of a verifier that verifies BLS signatures. `found` is that of one which does not. The signatures are
    good, or the outcomes of the checks are known. A claim that rests on them has to be known."""
    def fault(what):
        raise SystemExit(f"{case['case']}, {case['input'].get('tamper')}: {what}")

    unverified, verified = found["unverified"], found.pop("verified")
    if found["verdict"] == "match" and not all(code in found["because"] for code in unverified):
        fault(f"a match does not name what was not checked: {found['because']}")
    whole = {name: value for name, value in found.items() if name != "unverified"}
    whole["checks"] = found["checks"] | verified | {code: checks[code] for code in unverified if code in checks}
    failed = [code for code, status in whole["checks"].items() if status == "failed"]
    if failed:
        whole |= {"verdict": "mismatch", "code": failed[0], "because": f"{failed[0]} failed first"}
    elif whole["verdict"] == "match":
        whole["because"] = recomputed([])
    whole["claims"] = dict(known.get("claims", found["claims"]))
    for claim in of_verifier.load()["claims"]:
        name = claim["name"]
        others = (claim.get(kind, {}).values() for kind in ("checks_of_suite", "checks_of_external"))
        every = [claim["checks"], *chain.from_iterable(others)]
        # Which of the lists counts depends on the round.
        lists = [codes for codes in every if set(codes) & set(unverified)]
        if len(lists) == len(every) and found["claims"][name] == "shown":
            fault(f"{name} rests on a signature that was not verified")
        if any(set(codes) & set(failed) for codes in every):
            whole["claims"][name] = "not_shown"
        elif not lists and found["claims"][name] != whole["claims"][name]:
            fault(f"{name} is {found['claims'][name]}")
        if "claims" not in known and any(all(whole["checks"][code] == "passed" for code in codes) for codes in lists):
            fault(f"{name} is not known")
    return whole


def encoding():
    layer = Layer("encoding")
    for case in KNOWN["enc"]:
        layer.add("enc", label=case["label"], fields=case["fields"], expect={"bytes": case["out"]})
    for text, valid, about in (
            ("", True, None), ("AA==", True, None), ("AA", False, "no padding"), ("AB==", False, "stray bits"),
            ("AA==\n", False, "a line feed"), ("-_-_", False, "the alphabet of the web"), ("+/+/", True, None),
            ("A===", False, None), ("AAAA====", False, "too much padding")):
        layer.add("base64", about, text=text, expect={"valid": valid})
    for text, good, about in (
            ('{"a":1,"b":[true,false,"x"]}', True, None), ('{"b":1,"a":1}', False, "unsorted"),
            ('{"a": 1}', False, "a space"), ('{"a":1.0}', False, "a float"), ('{"a":null}', False, "null"),
            ('{"a":1e3}', False, "an exponent"), ('{"a":1,"a":1}', False, "a member twice"),
            ('{"a":"\\u0062"}', False, "an escape"), ('{"a":"\\"\\\\"}', True, "the two escapes there are"),
            ('{"a":"/"}', True, None), ('{"a":"\\/"}', False, None), ('{"a":"é"}', False, "not ASCII"),
            ('{"a":9007199254740991}', True, "2^53 - 1"), ('{"a":9007199254740992}', False, "2^53"),
            ('{"a":01}', False, None), ('{"a":-0}', False, None), ('{"a":1}\n', False, None), ('', False, None),
            ('{"a":"\x7f"}', False, "a control character"), ("[" * 100000, False, "deep")):
        layer.add("canonical", about, bytes=text.encode().hex(), expect={"canonical": good})
    receipt, lines = KNOWN["receipt"], (VECTORS / "transcript-example.jsonl").read_text().splitlines()
    for line, digest in zip(lines, receipt["record_hashes"]):
        envelope = json.loads(line)
        layer.add("record_hash", type=envelope["payloadType"], expect={"hash": digest},
                  payload=answer({"op": "base64", "input": {"text": envelope["payload"]}})["bytes"])
    layer.add("kid", public=receipt["public_key"], expect={"kid": receipt["kid"]})
    signatures(layer)
    return layer


def signatures(layer):
    """Ed25519: the first vectors of RFC 8032, 7.1, and what a strict check has to refuse."""
    rfc = [("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b"),
           ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00")]
    for public, message, signature in rfc:
        layer.add("ed25519", "RFC 8032", public=public, message=message, signature=signature, expect={"valid": True})
    public, message, signature = rfc[1]
    s = int.from_bytes(bytes.fromhex(signature[64:]), "little")
    larger = signature[:64] + (s + ed25519.ORDER).to_bytes(32, "little").hex()
    identity, order_two = "01" + "00" * 31, "ec" + "ff" * 30 + "7f"
    for about, key, text, sig in (
            ("another message", public, "73", signature),
            ("s plus the order of the group", public, message, larger),
            ("a key of small order, for which s = 0 would pass without that check", identity, message,
             identity + "00" * 32),
            ("a key of order two", order_two, message, identity + "00" * 32),
            ("a nonce of small order", public, message, identity + signature[64:]),
            ("a key that is no canonical point: y = p + 1", "ee" + "ff" * 30 + "7f", message, signature),
            ("a key that is no point", "02" + "00" * 31, message, signature),
            ("too short a signature", public, message, signature[:-2]),
            ("nothing signed", public, message, "00" * 64)):
        layer.add("ed25519", about, public=key, message=text, signature=sig, expect={"valid": False})


def merkle(layer):
    """Trees over the inputs of the tests of Certificate Transparency, whose roots are published there."""
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    roots = ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
             "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
             "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
             "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
             "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
             "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
             "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
             "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"]
    for count, root in enumerate(roots, 1):
        layer.add("merkle", "RFC 9162", leaves=inputs[:count], expect={"root": root})


def seeds():
    layer = Layer("seeds")
    for case in KNOWN["rounds"]:
        given, out = case["in"], case["out"]
        if given["external"] or given["suite"] not in ("derived", "fresh"):
            continue
        wanted = {name: given[name] for name in ("suite", "epoch", "tenant", "table", "round_no", "ruleset_hash",
                                                 "engine", "client_seeds")}
        wanted |= ({"epoch_secret": given["epoch_secret"], "epoch_salt": given["epoch_salt"]}
                   if given["suite"] == "derived" else {"server_seed": out["server_seed"]})
        layer.add("round", case["title"], **wanted, expect={
            name: out[name] for name in ("round_id", "server_seed", "commit", "client_commits", "round_seed")})
        if given["suite"] == "derived":
            layer.add("epoch_commit", epoch=given["epoch"], secret=given["epoch_secret"],
                      expect={"commit": out["epoch_commit"]})
    layer.add("epoch_salt", public=Key("witness").public, value="ab" * 32)
    for digest, way in sorted(RULES.house_ways.items(), key=lambda item: item[1].id):
        layer.add("rules_hash", kind="house-way", id=way.id)
    for digest, ruleset in sorted(RULES.rulesets.items(), key=lambda item: item[1]["id"]):
        layer.add("rules_hash", kind="ruleset", id=ruleset["id"])
    merkle(layer)
    for about, public, alpha, proof, known in seed_proofs.of_the_function():
        layer.add("vrf", about, public=public, alpha=alpha, proof=proof, expect=known)
    proven_rounds(layer)
    return layer


def proven_rounds(layer):
    """The rounds of the derived suite with their secret as the secret of a VRF. Values that depend on no seed stay."""
    for case in KNOWN["rounds"]:
        given, out = case["in"], case["out"]
        if given["external"] or given["suite"] != "derived":
            continue
        key, salt = Key("vrf", bytes.fromhex(given["epoch_secret"])), bytes.fromhex(given["epoch_salt"])
        place = {name: given[name] for name in ("epoch", "tenant", "table", "round_no")}
        epoch, tenant, table, number = place.values()
        alpha = enc("pge/v1/vrf-input", salt, *coordinates(epoch, tenant, table, int(number)))
        layer.add("round", f"{case['title']}, vrf", suite="vrf", **place, ruleset_hash=given["ruleset_hash"],
                  engine=given["engine"], client_seeds=given["client_seeds"], vrf_key=key.public,
                  epoch_salt=given["epoch_salt"], seed_proof=key.prove(alpha).hex(),
                  expect={name: out[name] for name in ("round_id", "client_commits")})


def shuffle():
    layer = Layer("shuffle")
    for case in KNOWN["uniform"]:
        layer.add("uniform", words=case["words"], bound=case["m"],
                  expect={"value": case["value"], "words_used": case["words_used"]})
    for case in KNOWN["lab_replay"]:
        seed = case["round_seed"]
        layer.add("keystream", case["title"], key=seed, stream="pge.deck", count=4,
                  expect={"words": case["deck_words_0_3"]})
        layer.add("deck", round_seed=seed, cards=53, expect={"deck": case["deck"]})
        layer.add("dice", round_seed=seed, expect={"dice": case["dice"]})
    for case in KNOWN["rounds"]:
        seed, out = case["out"]["round_seed"], case["out"]
        layer.add("deck", case["title"], round_seed=seed, cards=case["in"]["cards"],
                  expect={"deck": out["deck"], "deck_commit": out["deck_commit"]})
        layer.add("dice", round_seed=seed, expect={"dice": out["dice"]})
    layer.add("keystream", "over the end of a block", key="00" * 32, stream="pge.dice", count=40)
    return layer


def dealing():
    """The identity deck shows the procedure; every total of the dice; every pile of zigzag."""
    layer, deck = Layer("dealing"), list(range(53))
    for name in ("mini", *SEVEN_CARDS):
        ruleset = RULES.ruleset(name)
        if ruleset["dealing"]["dice"] == "none":
            layer.add("deal", ruleset=name, deck=deck, dice=[], facts={})
            continue
        for total in range(3, 19):
            dice = [min(6, max(1, total - 2 - k)) if k == 0 else 1 for k in range(3)]
            dice[1] = min(6, max(1, total - dice[0] - 1))
            dice[2] = total - dice[0] - dice[1]
            facts = {"action_pile": total % 7} if name == "mikes" else {}
            layer.add("deal", ruleset=name, deck=deck, dice=dice, facts=facts)
    for pile in range(7):
        layer.add("deal", ruleset="mikes", deck=deck, dice=[2, 3, 4], facts={"action_pile": pile})
    # Only to seats with a base wager: which positions are dealt to, in order, is stated by hand.
    for name, bases, dice, order in (
            ("harbour", [1, 2, 3, 4, 5, 6], [1, 1, 2], [3, 4, 5, 6, 0, 1, 2]), ("harbour", [4], [1, 1, 2], [4, 0]),
            ("harbour", [3, 5], [1, 1, 2], [3, 5, 0]), ("harbour", [2, 5], [2, 2, 3], [2, 5, 0]),
            ("harbour", [2, 5], [2, 3, 3], [0, 2, 5]), ("harbour", [1, 2], [1, 1, 2], [1, 2, 0]),
            ("lantern", [2, 6], [1, 1, 3], [6, 0, 2]), ("lantern", [2, 3], [1, 1, 3], [2, 3, 0])):
        own = own_rules({"ruleset": name})
        streets = tomllib.loads(own["rulesets"][0])["dealing"].get("streets", [6])
        hands, rest = {str(position): [] for position in order}, [NAMES[card] for card in deck]
        for street in streets:
            for position in order:
                hands[str(position)] += rest[:street]
                del rest[:street]
        layer.add("deal", about="only to seats with a base wager", ruleset=name, deck=deck, dice=dice, facts={},
                  bases=bases, **own, expect={"hands": hands})
    return layer


def hands():
    layer = Layer("hands")
    for cards, category in (
            ("Ac Ad Ah As Jk", "five aces"), ("Ts Js Qs Ks As", "royal flush"), ("Ts Js Qs Ks Jk", "royal flush"),
            ("As 2s 3s 4s 5s", "straight flush"), ("2s 3s 4s 5s Jk", "straight flush"),
            ("Kc Kd Kh Ks Jk", "four of a kind"), ("Ac Ad Ah Jk 2c", "four of a kind"),
            ("Ac Ad Jk Kc Kd", "full house"), ("2c 5c 9c Jc Jk", "flush"), ("9c Td Jh Qs Jk", "straight"),
            ("Ac Kd Qh Js Jk", "straight"), ("Kc Kd Kh Jk 2d", "three of a kind"), ("Kc Kd Ac Jk 2d", "two pair"),
            ("Kc Kd Jk 9h 2d", "pair"), ("Jk Kd 9h 5c 2d", "high card"), ("Ac Kd 9h 5c 2d", "high card")):
        layer.add("high", cards=cards.split(), expect={"category": category})
    for own, other, result in (
            ("Ac 2d 3h 4s 5c", "9c Td Jh Qs Kc", "win"), ("Ac 2d 3h 4s 5c", "Tc Jd Qh Ks Ac", "lose"),
            ("As 2s 3s 4s 5s", "9h Th Jh Qh Kh", "win"), ("2c 5c 9c Jc Jk", "2d 5d 9d Jd Ad", "copy"),
            ("Ac Kc 9c 5c Jk", "Ad Kd Qd 9d 5d", "copy"), ("Ac Kc 9c 5c Jk", "Ad Kd Qd 9d 4d", "win"),
            ("Kc Kd Jk 9h 2d", "Kh Ks Ac 9s 2c", "copy"), ("Kc Kd 9h 3c 2d", "Kh Ks 9s 4c 2c", "lose"),
            ("Jk 2c 3d 4h 6s", "2d 3c 4c 5h 6d", "copy"), ("Ac Ad Ah As Jk", "Ts Js Qs Ks As", "win")):
        layer.add("compare_high", own=own.split(), other=other.split(), expect={"result": result})
    for own, other, result in (
            ("Jk", "Ac", "win"), ("Ac", "Jk", "lose"), ("Ac", "Ad", "copy"), ("2c", "2d", "copy"),
            ("Ac Jk", "Kc Kd", "win"), ("Ac Kd", "Jk Kc", "copy"), ("2c 2d", "Ac Kd", "win"),
            ("Ac Qd", "Ad Kc", "lose")):
        layer.add("compare_low", own=own.split(), other=other.split(), expect={"result": result})
    for low, high, foul in (
            ("Ac Ad", "Kc Qd 9h 5s 2c", True), ("Qc Qd", "Qh Qs 9h 5s 2c", False), ("Ac Ad", "Kc Kd 9h 5s 2c", True),
            ("Kc Qd", "Ac Jd 9h 5s 2c", False), ("Ac Kd", "Ad Qd 9h 5s 2c", True), ("Ac Jk", "2c 2d 3h 3s 4c", False),
            ("Jk", "Ac Kd 9h 5s 2c", False), ("Jk", "Kc Qd 9h 5s 2c", True), ("Ac", "Kc Qd 9h 5s 2c", True),
            ("Ac", "2c 2d 9h 5s 3c", False), ("Jk Kh", "As Ks 9d 6c 4d", False)):
        layer.add("foul", low=low.split(), high=high.split(), expect={"foul": foul})
    wild = {"joker": "wild"}
    for cards, category in (
            ("Ac Ad Ah As Jk", "five aces"), ("Kc Kd Kh Ks Jk", "five of a kind"), ("Ts Js Qs Ks Jk", "royal flush"),
            ("2s 3s 4s 5s Jk", "straight flush"), ("Kc Kd Kh Jk 2d", "four of a kind"), ("Kc Kd 2c 2d Jk", "full house"),
            ("2c 5c 9c Jc Jk", "flush"), ("9c Td Jh Qs Jk", "straight"), ("Kc Kd Jk 9h 2d", "three of a kind"),
            ("2c 2d Jk Kh 9s", "three of a kind"), ("Jk Kd 9h 5c 2d", "pair"), ("Kc Kd 9h 9c 2d", "two pair")):
        layer.add("high", cards=cards.split(), **wild, expect={"category": category})
    for own, other, result in (
            ("Ac Ad Ah As Jk", "Kc Kd Kh Ks Jk", "win"), ("2c 2d 2h 2s Jk", "Tc Jc Qc Kc Ac", "win"),
            ("2c 2d 2h 2s Jk", "Kc Kd Kh Ks Jk", "lose"), ("Kc Kd 2h 2s Jk", "Kh Ks Jk 2c 2d", "copy"),
            ("Kc Kd Jk 9h 2d", "Kh Ks Ac Ad 2c", "win"), ("Kc Qd Jk 9h 2d", "Kh Ks Qc 9d 2c", "copy"),
            ("Kc Qd Jk 9h 2d", "Ac 3d 4h 5s 7c", "win"), ("2c 5c 9c Jc Jk", "2d 5d 9d Jd Ad", "copy")):
        layer.add("compare_high", own=own.split(), other=other.split(), **wild, expect={"result": result})
    for own, other, result in (
            ("7c Jk", "7d 7h", "copy"), ("7c Jk", "6d 6h", "win"), ("Ac Jk", "Kc Kd", "win"), ("2c Jk", "Ac Kd", "win"),
            ("2c Jk", "3c 3d", "lose")):
        layer.add("compare_low", own=own.split(), other=other.split(), **wild, expect={"result": result})
    for low, high, foul in (
            ("7c Jk", "Ac Kd 9h 5s 2c", True), ("7c Jk", "6c 6d 9h 5s 2c", True), ("7c Jk", "7d 7h Ac 5s 2c", False),
            ("7c 6d", "Jk 5d 4h 3s 9c", False), ("9c 7d", "Jk 8d 5h 3s 2c", False)):
        layer.add("foul", low=low.split(), high=high.split(), **wild, expect={"foul": foul})
    return layer


def dealt_at_random(rng, size):
    """Any cards, or cards of few ranks, of few suits or with the joker: the rare hands too."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.sample(range(53), size)
    if kind == 1:
        return [52, *rng.sample(range(52), size - 1)]
    if kind == 2:
        ranks = rng.sample(range(13), 4)
        return rng.sample([13 * suit + r for suit in range(4) for r in ranks] + [52], size)
    start, suits = rng.randrange(6), rng.choice((1, 2, 4))
    pool = [13 * suit + r for suit in range(suits) for r in range(start, start + 8)] + [52]
    return rng.sample(pool, size)


def house_ways():
    layer, rng = Layer("house-ways"), random.Random(6)
    for name in ("mini", "mikes", "online"):
        for line in (VECTORS / f"house-ways-{name}.jsonl").read_text().splitlines():
            case = json.loads(line)
            layer.add("set", case["id"], house_way=name, cards=case["cards"], expect={
                "low": names(sorted(NUMBER[c] for c in case["low"])), "clause": case["clause"],
                "high_category": case["high_category"]})
    for way in sorted(RULES.house_ways.values(), key=lambda way: way.id):
        for _ in range(120):
            layer.add("set", house_way=way.id, cards=names(dealt_at_random(rng, way.cards)))
    return layer


# rules/bets.md, section 4: a hand, and its rows of Dynasty table 1, Dynasty 2-7, Protection, Outlaw 9.
WORTH_A_TEST = """
As Ks Qs Js Jk Ah Qh|natural-royal-flush-with-aq-suited|royal-flush-a-qs||royal-flush
As Ks Qs Js Ts Jk Qh|royal-flush|royal-flush||royal-flush
As Ks Qs Js Ts Kh Qh|royal-flush|royal-flush||royal-flush-and-royal-match
As 2s 3s 4s 5s Jk 9d|straight-flush|straight-flush||straight-flush
As 2s 3s 4s 5s 6s Kd|luhn-tao-wheel|straight-flush|a-5-natural-straight-flush|straight-flush
As 2s 3s 4s 5s Ah Qh|natural-luhn-tao-wheel-with-aq-suited|straight-flush|a-5-natural-straight-flush|straight-flush
As 2s 3s 4s 5s 6s 7s|seven-card-natural-straight-flush|natural-7-card-s-f||7-card-straight-flush
As 2s 3s 4s 5s 6s Jk|seven-card-wild-straight-flush|wild-7-card-s-f||7-card-straight-flush-with-joker
8s 9s Ts Js Qs Ks As|seven-card-natural-straight-flush|natural-7-card-s-f||7-card-straight-flush
5s 5h 5d 6c 7s 8d 9c|three-of-a-kind|3-of-a-kind||three-of-a-kind
As Jk Kc Kh 4c 4d 9s||three-pair||three-pairs
Kc Kd 7c 7d 3h 3s Jk||three-pair||three-pairs
Ac Jk 2c 2d 3h 3s 4h|straight|straight||straight
Jk 2s 4h 6d 8c Ts Qh|||ace-high|
Jk Ac Ad Kc Kd 7h 7d|full-house|full-house||full-house
Jk Ah Ad Kh Kd 7d 6h|full-house|full-house||full-house
2h 3h 4d 5d 7h 8h 9d|||9-high-pai-gow|9-high-seven-cards
2h 3d 4d 5h 7h 8d Td|||ten-high|10-high-seven-cards
2h 2d 9h 9d Kh Kd 4d||three-pair||three-pairs
2h 3h 4h 5d 6d 7d Kd|straight|straight||straight
Jk 3h 4h 5h 9d Td Kd|||ace-high|seven-cards-all-red-or-black-with-a-joker
Jk Ah 4h 5h 9d Td 2d|straight|straight||straight
"""


def bonus_rows():
    layer, rng = Layer("bonus-rows"), random.Random(7)
    for line in WORTH_A_TEST.split("\n")[1:-1]:
        cards, *rows = line.split("|")
        for row, (ruleset, bet) in zip(rows, (("express", "dynasty"), ("express-2", "dynasty"),
                                              ("express", "protection"), ("mikes", "outlaw_9"))):
            layer.add("row", "rules/bets.md, section 4", ruleset=ruleset, bet=bet, cards=cards.split(),
                      expect={"row": row or None})
    for ruleset in sorted(RULES.rulesets.values(), key=lambda ruleset: ruleset["id"]):
        for bet in ruleset.get("bets", []):
            if bet["looks_at"] == "house-way-hands":
                continue
            for _ in range(40):
                choice = {"choice": rng.choice(["red", "black"])} if asks_colour(bet) else {}
                layer.add("row", ruleset=ruleset["id"], bet=bet["id"], **choice,
                          cards=names(dealt_at_random(rng, ruleset["hand"])))
    conditions.add_to(layer)
    return layer


def line_text(seat, line):
    """A line in the form of the rounds settled by hand."""
    text = f"{seat} {line['bet']} {line['status']} {line['stake']}"
    for member in "row", "pays", "win", "commission", "return", "uncovered":
        value = line.get(member)
        if isinstance(value, dict):
            value = f"{value['num']}/{value['den']}"
        if value is not None and (value != "0" or member == "return"):
            text += f" {member} {value}"
    return text + (f" from {line['caused_by_seat']}" if "caused_by_seat" in line else "")


def own_rules(book):
    """The texts of a ruleset that is not shipped, and of its house way if that is not shipped."""
    path = EXAMPLES / f"rulesets/{book['ruleset']}.toml"
    replaced = book.get("copy", {}).get("replace", ())
    if not path.exists() and not replaced:
        return {}
    text = (path if path.exists() else SOURCE / f"game/rulesets/{book['ruleset']}.toml").read_text()
    for old, new in replaced:
        if text.count(old) != 1:
            raise SystemExit(f"{book['ruleset']}: {text.count(old)} times: {old}")
        text = text.replace(old, new)
    way = EXAMPLES / f"house-ways/{tomllib.loads(text)['house_way']['id']}.toml"
    return {"rulesets": [text], "house_ways": [way.read_text()] if way.exists() else []}


def settlements():
    """The rounds of tests/golden, which were settled by hand. A case that alters its ruleset by itself is left out."""
    layer = Layer("settlements")
    for game in ("mini", *SEVEN_CARDS, "face-up", "set-bets", "dealer-bets", "comparison-bets", "six-card-charts",
                 "meter-rows"):
        book = tomllib.loads((GOLDEN / f"{game}.toml").read_text())
        own = own_rules(book)
        for case in book["case"]:
            if "copy" in case or "lines" not in case:
                continue
            seats, decisions = {}, {}
            for wager in case["wagers"]:
                seat, bet, amount, *choice = wager.split()
                seats.setdefault(seat, {"wagers": []})["wagers"].append(
                    {"amount": amount, "bet": bet, **({"choice": choice[0]} if choice else {})})
            for decision in case["decisions"]:
                seat, *words = decision.split()
                double = {"double_down": True} if "double_down" in words else {}
                words = [word for word in words if word != "double_down"]
                decisions[seat] = {"house_way": True, **double} if words[0] == "house_way" else {
                    "low": words[1:], **double}
            ruleset = tomllib.loads(own["rulesets"][0])["id"] if own else case.get("ruleset", book["ruleset"])
            rules = rules_with(**own) if own else RULES
            dice = case.get("dice", [2, 2, 3] if rules.ruleset(ruleset)["dealing"]["dice"] == "three" else [])
            code, exponent = case["currency"].split("/")
            facts = {name: value if name in ("action_pile", "banker_seat") else str(value)
                     for name, value in case.get("facts", {}).items()}
            layer.add("settle", f"{case['name']} ({case['source']})", ruleset=ruleset, facts=facts, dice=dice,
                      currency={"code": code, "exponent": int(exponent)}, seats=seats, decisions=decisions,
                      hands={position: hand.split() for position, hand in case["hands"].items()}, **own)
            found = layer.cases[-1]["expect"]["results"]
            by_hand = (sorted(case["lines"]), {str(s): str(net) for s, net in case["nets"].items()},
                       str(case["bank"]), str(case["house"]), str(case["commission"]))
            lines = sorted(line_text(seat, line) for seat, result in found["seats"].items()
                           for line in result["lines"])
            computed = (lines, {s: r["net"] for s, r in found["seats"].items()}, found["bank"]["net"],
                        found["house_net"], found["commission"])
            if by_hand != computed:
                raise SystemExit(f"{game}: {case['name']}: by hand {by_hand}, computed {computed}")
            low, high = case.get("exposed", "low  high ").removeprefix("low ").split(" high ")
            exposed = [sorted(map(NUMBER.get, hand.split())) for hand in (low, high)]
            if low and exposed != [found["bank"]["low"], found["bank"]["high"]]:
                raise SystemExit(f"{game}: {case['name']}: exposed by hand {exposed}, computed {found['bank']}")
    return layer


FACTS = {"mikes": {"bank_minor": 40000, "action_pile": 3}, "online": {"chip_minor": 100},
         "classic-progressive": {"meter_minor": 7654321}}


def sheet_at_random(rng, ruleset):
    sheet = {}
    for seat in sorted(rng.sample(range(1, ruleset["seats"] + 1), rng.randint(1, 4))):
        bets = [("base", 1000 * rng.randint(1, 40))]
        for bet in ruleset.get("bets", []):
            if rng.random() < 0.6:
                choice = (rng.choice(["red", "black"]),) if asks_colour(bet) else ()
                amount = min(100 * rng.randint(1, 20), bet.get("maximum_minor", LARGEST_STAKE))
                bets.append((bet["id"], amount, *choice))
        sheet[seat] = bets
    return sheet


def records():
    """Rounds of every ruleset, locked and not, of each suite; void and unfinished ones."""
    layer, rng = Layer("records"), random.Random(8)
    first_worlds = (("derived, locked, salted", LOCKED, "derived", "party"),
                    ("derived, development", OFF, "derived", "none"), ("fresh, locked", LOCKED, "fresh", "party"))
    # The chapter on records takes this one apart.
    world = World(RULES, LOCKED, listed=["express"])
    pair = {1: [("base", 2500)], 2: [("base", 1000), ("dynasty", 500)]}
    audit_case(layer, "one round of two seats", issue(world.manifests() + world.round(
        "express", pair, decide=lambda seat, cards: (cards[:2],), seeds=(1, 2), seat_keys=(1, 2))
        + [world.reveal()]), world)
    def rounds_of(ruleset, worlds=first_worlds):
        name = ruleset["id"]
        for title, policy, suite, salt in worlds:
            world = World(RULES, policy, suite, salt, listed=[name])
            drafts = world.manifests()
            for number in (1, 2):
                sheet, facts = sheet_at_random(rng, ruleset), dict(FACTS.get(name, {}))
                if ruleset["family"] == "mini" and number == 2:
                    others = sum(bets[0][1] for bets in sheet.values())
                    facts = {"banker_seat": min(sheet), "bank_minor": 2 * others}
                seeds = [seat for seat in sheet if rng.random() < 0.5]
                keys = [seat for seat in sheet if policy is LOCKED and rng.random() < 0.5]
                size, doubles = ruleset["hand"] - 5, "double_down" in ruleset
                choices = {seat: (rng.random() < 0.5 and seat != facts.get("banker_seat"),
                                  doubles and rng.random() < 0.5) for seat in sheet}

                def decide(seat, cards):
                    own, double = choices[seat]
                    return (cards[:size] if own else None, *(("double",) if double else ()))

                drafts += world.round(name, sheet, facts, decide, round_no=number, seeds=seeds, seat_keys=keys)
            if suite == "derived":
                drafts.append(world.reveal())
            audit_case(layer, f"{name}: {title}", issue(drafts), world)

    by_id = sorted(RULES.rulesets.values(), key=lambda ruleset: ruleset["id"])
    for ruleset in by_id:
        if "expose" not in ruleset:
            rounds_of(ruleset)
    sheet = {1: [("base", 2000)], 2: [("base", 3000), ("wrangler_push", 500)]}
    for title, stop in (("void after the deal", ("void", "deal", "player_left")), ("unfinished", "deal"),
                        ("void after the ticket", ("void", "ticket", "equipment")),
                        ("void of a misdeal", ("void", "deal", "misdeal")), ("a ticket alone", "ticket")):
        for revealed in (False, True):
            world = World(RULES, LOCKED, listed=["mikes"])
            drafts = world.manifests() + world.round("mikes", sheet, FACTS["mikes"], stop=stop)
            audit_case(layer, title + (", revealed" if revealed else ""),
                       issue(drafts + ([world.reveal()] if revealed else [])), world)
    world = World(RULES, LOCKED, listed=["mikes"])
    whole = issue(world.manifests() + world.round("mikes", sheet, FACTS["mikes"]))
    audit_case(layer, "the manifests alone", whole[:2], world)
    audit_case(layer, "no manifest", whole[2:], world)
    audit_case(layer, "the manifests twice", whole[:2] + whole, world)
    audit_case(layer, "the announcement left out", whole[1:], world)
    audit_case(layer, "nothing", [], world)
    voided(layer, sheet)
    world = World(RULES, LOCKED, listed=["mikes"])
    for about, lines in edges.honest(RULES):
        audit_case(layer, about, lines, world)
        must_not_fail(layer.cases[-1])
    for about, own, lines, rulesets, house_ways in edges.own_rules():
        files = {"rulesets": rulesets, "house_ways": house_ways} if rulesets else {}
        audit_case(layer, about, lines, own, **files)
        # Without the rules money is not checked, and nobody is accused.
        must_not_fail(layer.cases[-1])
    for about, own, lines, text, is_taken in edges.at_limits():
        audit_case(layer, about, lines, own, rulesets=[text], house_ways=[])
        if (layer.cases[-1]["expect"]["code"] == "") != is_taken:
            raise SystemExit(f"{about}: {layer.cases[-1]['expect']['code']}")
    for about, made, lines, terms, expect in (*claims.cases(RULES), *tellings.cases(RULES)):
        audit_case(layer, about, lines, made, expect, **{"witnesses": [], **terms})
    for ruleset in by_id:
        if "expose" in ruleset:
            rounds_of(ruleset)
    for last in ("deal", "wagers"):
        for revealed in (False, True):
            world = World(RULES, LOCKED, listed=["face-up"])
            drafts = world.manifests() + world.round("face-up", {1: [("base", 2000)], 4: [("base", 500)]},
                                                     stop=("void", last, "operator"))
            audit_case(layer, f"face-up: void after the {last}" + (", revealed" if revealed else ""),
                       issue(drafts + ([world.reveal()] if revealed else [])), world)
    # Of the vrf suite: right after the rounds, the verdict is a match.
    begin, proving = len(layer.cases), (("vrf, locked, salted", LOCKED, "vrf", "party"),
                                        ("vrf, development", OFF, "vrf", "none"))
    for name in ("mini", "mikes", "mania", "online", "classic-progressive", "face-up"):
        rounds_of(RULES.ruleset(name), proving)
    for case in layer.cases[begin:]:
        if (case["expect"]["verdict"], case["expect"]["claims"]["seed_not_chosen"]) != ("match", "shown"):
            raise SystemExit(f"{case['case']}, {case['about']}: {case['expect']}")
    for about, made, lines, terms, expect, checks in (
            *seed_proofs.cases(RULES), *logs.cases(RULES), *beacons.cases(RULES), *log_copies.cases(RULES)):
        audit_case(layer, about, lines, made, expect, checks, **{"witnesses": [], **terms})
    return layer


# Locks that no ruleset deals to: what changes in the lock's body, and what goes back by seat.
BASE, PUSH = {"amount": "2000", "bet": "base"}, {"amount": "500", "bet": "wrangler_push"}
UNPLAYABLE = {
    "nothing else": ({}, {"1": "2000", "2": "3500"}),
    "a stake below the minimum": ({"seats": {"1": {"wagers": [{**BASE, "amount": "1"}]}}}, {"1": "1"}),
    "a bet that no ruleset has": ({"seats": {"3": {"wagers": [{**PUSH, "bet": "no_such_bet"}]}}}, {"3": "500"}),
    "a bet without a name": ({"seats": {"3": {"wagers": [{**PUSH, "bet": ""}]}}}, {"3": "500"}),
    "a bonus bet alone": ({"seats": {"2": {"wagers": [PUSH]}}}, {"2": "500"}),
    "a seat above the table's": ({"seats": {"7": {"wagers": [BASE]}}}, {"7": "2000"}),
    "bets in another order": ({"seats": {"2": {"wagers": [PUSH, BASE]}}}, {"2": "2500"}),
    "one bet three times": ({"seats": {"1": {"wagers": [BASE] * 3}}}, {"1": "6000"}),
    "a choice where none is asked": ({"seats": {"1": {"wagers": [{**BASE, "choice": "red"}]}}}, {"1": "2000"}),
    "a seat without wagers": ({"seats": {"1": {"wagers": []}, "2": {"wagers": [BASE]}}}, {"2": "2000"}),
    "no seats": ({"seats": {}}, {}),
    "another currency": ({"currency": {"code": "TOKENS", "exponent": 0}}, {"1": "2000", "2": "3500"}),
    "no facts that the ruleset asks for": ({"facts": {}}, {"1": "2000", "2": "3500"}),
    "a bank of 64 bits": ({"facts": {"action_pile": 6, "bank_minor": str(2**63 - 1)}}, {"1": "2000", "2": "3500"}),
    "a client seed that nobody committed to": (
        {"seats": {"1": {"client_seed": "ab" * 16, "wagers": [BASE]}}}, {"1": "2000"}),
}


def voided(layer, sheet):
    """Rounds that were never dealt: the ledger took the stakes of the lock, and all of them go back, even if
    the rules do not accept them (D13)."""
    for title, (change, returns) in UNPLAYABLE.items():
        for policy in (LOCKED, OFF) if title == "nothing else" else (LOCKED,):
            world = World(RULES, policy, listed=["mikes"])
            drafts = world.manifests() + world.round(
                "mikes", sheet, FACTS["mikes"], stop=("void", "wagers", "operator"))
            tampers.find(drafts, "T1/1/wagers").body |= change
            tampers.find(drafts, "T1/1/close").body["returns"] = returns
            audit_case(layer, f"void after the lock of the wagers: {title}",
                       issue(drafts + [world.reveal()]), world)
            if layer.cases[-1]["expect"]["verdict"] != "match":
                raise SystemExit(f"{title}: {layer.cases[-1]['expect']}")


def must_not_fail(case):
    if case["expect"]["code"]:
        raise SystemExit(f"{case['case']}, {case['about']}: {case['expect']['code']}")


def audit_case(layer, about, lines, world, expect=None, checks=(), **more):
    """A case of an audit. It trusts the witness of the world if its terms name none."""
    if world.suite != "fresh" and world.salt_kind == "party":
        more.setdefault("witnesses", [world.witness.public])
    layer.add("audit", about, expect, checks, transcript=lines, root_keys=[world.root.public], threshold=1, **more)


def tampered():
    layer = Layer("tampered")
    world = World(RULES, LOCKED, listed=["express", "mikes"])
    told = {name: (code, lines) for name, code, lines in tellings.forged(RULES)}
    for name, lines in [*tampers.all_tampered(world), *edges.forged(RULES), *claims.forged_closes(RULES),
                        *edges.forked(RULES), *((name, lines) for name, (_, lines) in told.items()),
                        *tampers.exposed(World(RULES, LOCKED, listed=["face-up"]))]:
        audit_case(layer, None, lines, world, tamper=name)
        case = layer.cases[-1]
        if case["expect"]["verdict"] != "mismatch" or name in told and case["expect"]["code"] != told[name][0]:
            raise SystemExit(f"{name}: {case['expect']['verdict']}, {case['expect']['code']}")
        case["expect"] = {name: case["expect"][name] for name in ("verdict", "code", "checks", "claims")}
    for name, wanted, lines in seed_proofs.forged(RULES):
        audit_case(layer, None, lines, world, {"verdict": "mismatch", "code": wanted.split()[0]}, tamper=name)
        case = layer.cases[-1]
        failed = {code for code, status in case["expect"]["checks"].items() if status == "failed"}
        if failed != set(wanted.split()):
            raise SystemExit(f"{name}: expected {wanted}, found {failed}")
        del case["expect"]["rounds"]
    for name, wanted, lines, terms in (*logs.forged(RULES), *beacons.forged(RULES)):
        checks = dict.fromkeys(wanted.split(), "failed")
        audit_case(layer, None, lines, world, {"verdict": "mismatch", "code": next(iter(checks))}, checks, tamper=name,
                   **terms)
        case = layer.cases[-1]
        failed = {code for code, status in case["expect"]["checks"].items() if status == "failed"}
        if failed != set(checks):
            raise SystemExit(f"{name}: expected {wanted}, found {failed}")
        for said in (case["expect"], case.get("without_bls", {})):
            said.pop("rounds", None)
    return layer


LAYERS = (encoding, seeds, shuffle, dealing, hands, house_ways, bonus_rows, settlements, records, tampered)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    parser.add_argument("--confirm", metavar="LAB", help="the engine's paigow-lab, to be asked too")
    options = parser.parse_args()
    changed = []
    for make in LAYERS:
        layer = make()
        path = FOLDER / f"{layer.name}.jsonl"
        if options.confirm:
            print(f"{layer.name}: {confirm.confirm(options.confirm, layer.cases)} confirmed of {len(layer.cases)}")
        if options.check:
            changed += [] if path.exists() and path.read_text() == layer.text() else [layer.name]
        else:
            path.write_text(layer.text())
    for name in changed:
        print(f"{name}.jsonl is not what the generator makes")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
