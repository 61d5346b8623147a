"""Cases of the vrf suite, in which each settlement proves its seed (PGE-FAIR-1, 3.3; RFC 9381).

`of_the_function` gives proofs of the function itself. `cases` gives honest files, and `forged` those that have to be
refused. This file states verdicts, claims, checks and codes by hand, from the specification.
"""
from itertools import count

from claims import ALL, DECIDED, LAST_SECOND, LISTED, RECORDS, SALT, SEED, hash_of, lacks, left_out, matches, played
from edges import EXPRESS, MANIA, first_epoch, later, two_epochs
from issuer import LOCKED, OFF, Key, Witnessed, World, copy_of, issue, times
from tampers import COLLUDING, body, example, find, put, swapped, unsigned
from tellings import VOID, again
from paigow_verify import ed25519, shuffle, vrf
from paigow_verify.encoding import sha256

# RFC 9381, appendix B.3: public key, input, proof and output of examples 16, 17 and 18.
RFC = [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f26f8a57ccaed74ee"
     "1b190bed1f479d9727d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805",
     "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff"
     "66b71dda49d2de59d03450451af026798e8f81cd2e333de5cdf4f3e140fdd8ae"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed5933bf0864a62558b3e"
     "d7f2fea45c92a465301b3bbf5e3e54ddf2d935be3b67926da3ef39226bbc355bdc9850112c8f4b02",
     "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb"
     "5e33821bc613efb94db5e5b54c70a848a0bef4553a41befc57663b56373a5031"),
    ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf8096bb474e53895c36"
     "2d8628ee9f9ea3c0e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e",
     "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c45"
     "2118fec1219202a0edcf038bb6373241578be7217ba85a2687f7a0310b2df19f"),
]
# The secret key of example 17.
SECRET = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")

# Points of small order, and the identity again in two forms that are not canonical.
IDENTITY, ORDER_2, ORDER_4 = "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "00" * 32
ORDER_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
Y_TOO_LARGE, ZERO_WITH_A_SIGN = "ee" + "ff" * 30 + "7f", "01" + "00" * 30 + "80"
NO_POINT = "02" + "00" * 31


def _point(text):
    return ed25519.decode(bytes.fromhex(text))


def crafted(key, alpha, part=IDENTITY, public=None, scalar=None):
    """A proof by a key whose point, or the point of the proof, has a part of small order. The equations still hold if
    eight divides the challenge, so nonces are tried until it does."""
    public, scalar = public or key.bytes, key.scalar if scalar is None else scalar
    point = vrf.point_of(public, alpha)
    h, gamma = ed25519.encode(point), ed25519.combined(scalar, point, 1, _point(part))
    for k in count(1):
        c = vrf.challenge(public, h, ed25519.encode(gamma), times(k), times(k, point))
        if c[0] % 8 == 0:
            s = (k + int.from_bytes(c, "little") * scalar) % ed25519.ORDER
            return ed25519.encode(gamma) + c + s.to_bytes(32, "little")


def of_the_function():
    """The subject of a case, its public key, input and proof, and the known answer: the output, or its validity."""
    for number, (public, alpha, proof, beta) in enumerate(RFC, 16):
        yield f"RFC 9381, example {number}", public, alpha, proof, {"valid": True, "beta": beta}
    key, (public, alpha, proof, beta), refused = Key("vrf", SECRET), RFC[1], {"valid": False}
    gamma, c, s = proof[:64], proof[64:96], proof[96:]
    large = int.from_bytes(bytes.fromhex(s), "little") + ed25519.ORDER
    yield "another input", public, "73", proof, refused
    yield "no input", public, "", proof, refused
    yield "another key", RFC[0][0], alpha, proof, refused
    for part, at in (("the point", 0), ("the sign of the point", 31), ("the challenge", 32), ("s", 48)):
        changed = bytearray.fromhex(proof)
        changed[at] ^= 0x80
        yield f"one bit of {part}", public, alpha, changed.hex(), refused
    yield "s plus the order of the group", public, alpha, gamma + c + large.to_bytes(32, "little").hex(), refused
    yield "s is the order of the group", public, alpha, gamma + c + ed25519.ORDER.to_bytes(32, "little").hex(), refused
    yield "s is zero", public, alpha, gamma + c + "00" * 32, refused
    yield "the challenge from its other end", public, alpha, gamma + bytes.fromhex(c)[::-1].hex() + s, refused
    for about, point in (
            ("y = p + 1", Y_TOO_LARGE), ("the largest y", "ff" * 31 + "7f"), ("no point", NO_POINT),
            ("y = 1 and the sign bit", ZERO_WITH_A_SIGN), ("y = -1 and the sign bit", "ec" + "ff" * 31),
            ("the identity", IDENTITY), ("a point of order two", ORDER_2), ("a point of order four", ORDER_4)):
        yield f"the point of the proof: {about}", public, alpha, point + c + s, refused
    for about, changed in (("79 bytes", proof[:-2]), ("81 bytes", proof + "00"), ("no byte", ""), ("zeros", "00" * 80)):
        yield about, public, alpha, changed, refused
    # A verifier without checks of keys accepts these: the secret key is zero.
    for about, weak in (
            ("the identity", IDENTITY), ("order two", ORDER_2), ("order four", ORDER_4), ("order eight", ORDER_8),
            ("y = p + 1", Y_TOO_LARGE), ("y = 1 and the sign bit", ZERO_WITH_A_SIGN)):
        made = crafted(None, b"r", public=bytes.fromhex(weak), scalar=0)
        yield f"a key of small order: {about}", weak, alpha, made.hex(), refused
    yield "a key that is no point", NO_POINT, alpha, proof, refused
    # The RFC accepts these. The cofactor clears the part, so the output is that of every other proof.
    for order, part in ((2, ORDER_2), (8, ORDER_8)):
        yield (f"the point of the proof with a part of order {order}", public, alpha, crafted(key, b"r", part).hex(),
               {"valid": True, "beta": beta})
    mixed = ed25519.encode(ed25519.combined(1, _point(public), 1, _point(ORDER_8)))
    made = crafted(key, b"r", public=mixed)
    yield "a key with a part of small order", mixed.hex(), alpha, made.hex(), {"valid": True}
    for about, data in (("an input of thirteen tries", b"2957"), ("a long input", b"long" * 256)):
        yield about, public, data.hex(), key.prove(data).hex(), {"valid": True}


EVERYTHING = ALL | {"nothing_left_out"}
# The claims of a file whose only round is void, where it has the close of its epoch.
VOID_AND_CLOSED = VOID | {"nothing_left_out"}
PROVEN = {"SEED_PROOF": "passed", "EPOCH_COMMIT": "skipped", "SEED_WAS_NOT_CHOSEN": "skipped"}
UNPROVEN = {**PROVEN, "SEED_PROOF": "skipped"}
REPLAYED = dict.fromkeys(("REPLAY", "DECK_COMMIT", "CARDS_SHOWN", "RESULTS"), "passed")


def void(world, last, number=1, **options):
    return played(world, number, stop=("void", last, "operator"), **options)


def unread(drafts):
    """A void whose lock of the wagers is unreadable."""
    find(drafts, "T1/1/wagers").body, drafts[-1].body["returns"] = {"step": "odd"}, {}
    return drafts


def cases(rules):
    """The description, the world, the lines of a transcript, the terms of the audit, its expected conclusion, and
    checks with their outcomes."""
    world = World(rules, LOCKED, "vrf", listed=["express"], tables=["T1", "T2"])
    full = {"witnesses": [world.witness.public], "my_seat": 1, "my_seat_key": world.seat_key(1).public}
    lab = {"witnesses": full["witnesses"]}

    def case(about, drafts, expect, checks, terms=full, made=world):
        return f"vrf: {about}", made, issue(made.manifests() + drafts), terms, expect, checks

    whole = issue(world.manifests() + played(world))
    salted = {"EPOCH_SALT": "passed", "SALT_AFTER_COMMIT": "passed"}
    yield case("right after the round", played(world), matches(ALL), PROVEN | salted)
    yield case("the root alone", played(world), matches(RECORDS | SEED | LISTED), PROVEN, {})
    yield case("much later", played(world), matches(ALL), PROVEN, {**full, "as_of": LAST_SECOND})
    yield case("another witness", played(world), matches(ALL - SALT), PROVEN,
               {**full, "witnesses": [Key("stranger").public]})
    none = World(rules, LOCKED, "vrf", "none", listed=["express"], tables=["T1"])
    yield case("no salt", played(none), matches(ALL - SALT), PROVEN | {"EPOCH_SALT": "passed"}, made=none)
    soft = World(rules, {**OFF, "seat_auth": "optional"}, "vrf", listed=["express"], tables=["T1"])
    yield case("locks and chain are off", played(soft), matches(RECORDS | SEED | SALT | LISTED), PROVEN, lab, soft)
    about, second = "vrf: a later manifest first", {**full, "manifest": hash_of(whole[1])}
    yield about + ", which is not named", world, whole[1:], full, matches(RECORDS | DECIDED), PROVEN
    yield about + ", which is named", world, whole[1:], second, matches(RECORDS | DECIDED | SEED), PROVEN
    yield case("one round of three, and its player", left_out(
        played(world) + played(world, 2) + played(world, 3), "T1/1/", "T1/3/"), matches(ALL), PROVEN)
    manifests, first, other, _ = two_epochs(rules, "vrf")
    yield "vrf: two epochs", world, issue(manifests + first + other), lab, matches(RECORDS | SEED | SALT), PROVEN
    yield "vrf: one file twice", world, whole + whole, full, matches(ALL), PROVEN
    shown = RECORDS | SEED | SALT | LISTED
    yield case("a round that is opened again", again(world.round(*EXPRESS, seat_keys=(2,), stop="ticket"), "first")
               + world.round(*EXPRESS), matches(shown), UNPROVEN)
    drafts = played(world)
    drafts[-1].body["seed_proof"] = crafted(world.vrf_key, world.vrf_input("T1", 1), ORDER_8).hex()
    yield case("another proof of the same seed", drafts, matches(ALL), PROVEN)
    yield case("a round without its close", played(world, stop="deal"), lacks(
        "round 1: no settle record in the file", {"records_authentic"} | SALT | LISTED), UNPROVEN)
    yield from _voids(world, case, lab, shown)
    yield from _closes(rules, world, case, lab, shown)


def _voids(world, case, lab, shown):
    """Rounds that are void: only the close of the epoch opens their seeds."""
    for last in ("ticket", "wagers", "deal"):
        yield case(f"void after the {last}", void(world, last), matches(VOID), UNPROVEN | {"REPLAY": "skipped"})
    nothing_locked = void(world, "ticket")
    yield case("void after the ticket, and the close", nothing_locked + [world.close(nothing_locked)],
               matches(VOID_AND_CLOSED), UNPROVEN)
    dealt = void(world, "deal")
    for last, drafts, checks in (("wagers", void(world, "wagers"), {"REPLAY": "skipped"}), ("deal", dealt, REPLAYED)):
        yield case(f"void after the {last}, and the close", drafts + [world.close(drafts)], matches(VOID_AND_CLOSED),
                   PROVEN | checks)
    proof = [{"proof": world.proof("T1", 1).hex(), "round_no": "1", "table": "T1"}]
    yield case("void after the ticket, and a close that proves its seed all the same",
               nothing_locked + [world.close(nothing_locked, seed_proofs=proof)], matches(VOID_AND_CLOSED), PROVEN)
    proof[0]["proof"] = crafted(world.vrf_key, world.vrf_input("T1", 1), ORDER_2).hex()
    yield case("void, and a close with another proof of the same seed",
               dealt + [world.close(dealt, seed_proofs=proof)], matches(VOID_AND_CLOSED), PROVEN | REPLAYED)
    # The seed of unreadable wagers may be proven, but need not be.
    drafts = unread(void(world, "wagers"))
    about, skipped = "a lock of wagers that nobody reads, its void, and the close", {"RESULTS": "skipped"}
    yield case(about, drafts + [world.close(drafts)], matches(VOID_AND_CLOSED), UNPROVEN | skipped)
    yield case(f"{about} with its seed proof", drafts + [world.close(drafts, seed_proofs=proof)],
               matches(VOID_AND_CLOSED), PROVEN | skipped)
    revoked = later(world, "m3", 3, "manifest", first_epoch(status="revoked"))
    drafts = played(world, stop=("void", "deal", "epoch_revoked"))
    yield case("void of an epoch that is revoked, and its early close", drafts + [revoked, world.close(drafts)],
               matches(VOID_AND_CLOSED), PROVEN | REPLAYED)
    # The operator's signature counts for the seed, and the witness's for what was left out.
    own = world.close(dealt)
    own.keys = [world.receipt]
    skipped = {**PROVEN, **REPLAYED, "EPOCH_CLOSE": "skipped"}
    yield case("void, and a close that no witness has signed", dealt + [own], matches(VOID), skipped)
    yield case("void, and a close whose witness is not named", dealt + [world.close(dealt)], matches(VOID), skipped, {})
    other = world.close(dealt, tenant="acme2")
    yield case("void, and the close of another tenant", dealt + [other], matches(VOID), UNPROVEN)
    both = played(world) + void(world, "deal", 2)
    yield case("one round of two is void, and the close", both + [world.close(both)],
               matches(shown | {"nothing_left_out"}), PROVEN | REPLAYED, lab)


def _closes(rules, world, case, lab, shown):
    drafts = played(world)
    yield case("every round and the close", drafts + [world.close(drafts)], matches(EVERYTHING), PROVEN)
    # Proofs of a void behind a lock and of a round that was never closed, and none of the others.
    drafts = [*played(world), *void(world, "wagers", 2), *void(world, "ticket", 3), *played(world, 4, stop="deal"),
              *void(world, "deal", table="T2")]
    yield case("rounds of every end at two tables, and the close", drafts + [world.close(drafts)],
               lacks("round 4: no settle record in the file", VOID_AND_CLOSED | SALT | LISTED),
               {**UNPROVEN, "EPOCH_CLOSE": "passed"}, lab)
    # Round 10 comes after round 9, and table T10 before table T2.
    soft = World(rules, {**OFF, "seat_auth": "optional"}, "vrf", listed=["express"], tables=["T10", "T2"])
    places = (("T10", 9), ("T10", 10), ("T2", 1))
    drafts = sum((void(soft, "deal", number, table=table, prev="manifest") for table, number in places), [])
    close = soft.close(drafts)
    assert [(one["table"], int(one["round_no"])) for one in close.body["seed_proofs"]] == list(places)
    yield case("seed proofs in the order of numbers", drafts + [close], matches(VOID),
               {**PROVEN, **REPLAYED, "EPOCH_CLOSE": "skipped"}, lab, soft)


# Tampers of the derived suite, and all checks that fail under the vrf suite. The first is the code.
AS_DERIVED = {
    "salt-other": "MANIFEST_RULES EPOCH_SALT SEED_PROOF", "salt-missing": "MANIFEST_RULES MANIFEST_LINK",
    "salt-by-a-stranger": "MANIFEST_RULES EPOCH_SALT", "salt-value-other": "MANIFEST_RULES EPOCH_SALT",
    "salt-none-instead": "MANIFEST_RULES SALT_AFTER_COMMIT SEED_PROOF",
    "window-changed-with-the-salt": "MANIFEST_RULES SALT_AFTER_COMMIT",
    "party-changed-with-the-salt": "MANIFEST_RULES SALT_AFTER_COMMIT",
    "salt-announced-at-once": "MANIFEST_RULES SALT_AFTER_COMMIT",
    "table-not-pinned": "POLICY", "table-renamed": "ROUND_ID", "ticket-of-another-suite": "CANONICAL",
    "ticket-under-the-announcement": "MANIFEST_LINK", "server-seed-other": "COMMIT", "commit-other": "COMMIT",
    "round-seed-other": "REPLAY", "deck-two-cards-exchanged": "REPLAY", "seed-chosen": "SEED_PROOF",
    "settled-and-void": "NO_FORK"}


def forged(rules):
    """The name, the checks that fail, of which the first is the code, and the lines."""
    world = World(rules, LOCKED, "vrf", listed=["express", "mikes"])
    drafts = example(world)[:-1]
    for name, failed in AS_DERIVED.items():
        yield f"vrf-{name}", failed, issue(COLLUDING[name](copy_of(drafts), world))
    for group in (_settlements, _forged_voids, _forged_closes, _chains, _forms, _forks):
        yield from group(rules)


def _world(rules, suite="vrf", **options):
    return World(rules, LOCKED, suite, listed=["express"], tables=["T1", "T2"], **options)


def _other_secret(rules):
    """The world of an operator that holds another secret than the one of the manifest."""
    world = _world(rules)
    world.secret = sha256(b"another secret")
    return world


def _file(world, drafts, *tampers):
    drafts = world.manifests() + drafts
    for tamper in tampers:
        drafts = tamper(drafts, world)
    return issue(drafts)


def _flipped(proof, at=0):
    return proof[:at] + bytes([proof[at] ^ 1]) + proof[at + 1:]


def _plus_order(proof):
    return proof[:48] + (int.from_bytes(proof[48:], "little") + ed25519.ORDER).to_bytes(32, "little")


def _settlements(rules):
    """The seed of a settlement is chosen, and what the settle record says of it."""
    world, other, seed = _world(rules), _other_secret(rules), "SEED_PROOF"
    good, strange = world.proof("T1", 1), other.proof("T1", 1)

    def with_proof(proof, drafts=None):
        return _file(world, drafts or played(world), put("T1/1/close", ["seed_proof"], proof.hex()))

    # The chosen seed has its own deck, cards and results.
    yield "vrf-another-seed-with-the-proof-as-it-was", seed, with_proof(good, played(other))
    yield "vrf-another-seed-with-a-proof-by-another-key", seed, _file(world, played(other))
    yield "vrf-seed-proof-by-another-key", seed, with_proof(strange)
    yield "vrf-seed-proof-left-out", seed, _file(
        world, played(world), body("T1/1/close", lambda b: b.pop("seed_proof")))
    yield "vrf-seed-proof-of-another-round", seed, with_proof(world.proof("T1", 2))
    yield "vrf-seed-proof-of-another-table", seed, with_proof(world.proof("T2", 1))
    yield "vrf-seed-and-proof-of-another-table", seed, _moved(world, "T2")
    unsalted = _world(rules, salt="none")
    yield "vrf-seed-and-proof-of-another-salt", seed, _file(world, played(unsalted))
    for part, at in (("point", 0), ("challenge", 32), ("s", 48)):
        yield f"vrf-seed-proof-with-another-{part}", seed, with_proof(_flipped(good, at))
    yield "vrf-seed-proof-with-s-plus-the-order", seed, with_proof(_plus_order(good))
    yield "vrf-seed-proof-with-a-point-that-is-not-canonical", seed, with_proof(bytes.fromhex(Y_TOO_LARGE) + good[32:])
    for name, of in (("left-as-it-is", lambda beta: beta[:32]), ("without-its-label", sha256)):
        made = _world(rules)
        output = of(vrf.output(made.vrf_key.bytes, made.vrf_input("T1", 1), good))
        made.server_seed = lambda *_, output=output: output
        yield f"vrf-output-{name}-as-the-seed", seed, _file(world, played(made))
    for suite in ("derived", "fresh"):
        made = _world(rules, suite)
        yield f"seed-proof-in-the-{suite}-suite", seed, _file(
            made, played(made), put("T1/1/close", ["seed_proof"], good.hex()))
    derived = _world(rules, "derived")
    yield "seed-proof-in-the-derived-suite-and-revealed", seed, _file(
        derived, played(derived) + [derived.reveal()], put("T1/1/close", ["seed_proof"], good.hex()))
    for size in (79, 81):
        yield f"vrf-seed-proof-of-{size}-bytes", "CANONICAL", with_proof((good + b"\0")[:size])
    yield "vrf-seed-proof-in-capitals", "CANONICAL", _file(
        world, played(world), put("T1/1/close", ["seed_proof"], good.hex().upper()))
    yield "vrf-seed-proof-in-a-void", "CANONICAL", _file(
        world, void(world, "deal"), body("T1/1/close", lambda b: b.update(seed_proof=good.hex())))


def _moved(world, table):
    """A round with the server seed of the same number at another table."""
    made = World(world.rules, LOCKED, "vrf", listed=["express"], tables=["T1", "T2"])
    made.server_seed = lambda _, number, name: world.server_seed(table, number, name)
    return _file(world, played(made), put("T1/1/close", ["seed_proof"], world.proof(table, 1).hex()))


def _forged_voids(rules):
    """The seed of a void is not the one that the close of the epoch proves."""
    world, other = _world(rules), _other_secret(rules)
    good = world.proof("T1", 1)
    for last in ("wagers", "deal"):
        rounds = void(world, last)

        def closed(proof, drafts=None, rounds=rounds):
            close = world.close(rounds)
            close.body["seed_proofs"][0]["proof"] = proof.hex()
            return _file(world, [*(drafts or rounds), close])

        for name, proof in (("of-another-round", world.proof("T1", 2)), ("by-another-key", other.proof("T1", 1)),
                            ("with-another-s", _flipped(good, 48)), ("with-s-plus-the-order", _plus_order(good))):
            yield f"vrf-void-after-the-{last}-with-a-seed-proof-{name}", "SEED_PROOF", closed(proof)
        yield f"vrf-void-after-the-{last}-of-another-seed", "SEED_PROOF", closed(good, void(other, last))
    # The first close counts, even if the second proves something else.
    bad, close = world.close(rounds, "bad"), world.close(rounds)
    bad.body["seed_proofs"][0]["proof"] = _flipped(good, 48).hex()
    yield "vrf-void-with-a-bad-close-before-a-good-one", "SEED_PROOF NO_FORK", _file(world, [*rounds, bad, close])
    yield "vrf-void-with-a-good-close-before-a-bad-one", "NO_FORK", _file(world, [*rounds, close, bad])
    stranger = unsigned("bad", "stranger")
    yield "vrf-void-with-the-bad-close-of-a-stranger-first", "SIGNATURES", _file(world, [*rounds, bad, close], stranger)
    # With the deck of a void its cards and its lines are recomputed.
    cards = put("T1/1/deal", ["visible"], lambda shown: {"1": shown["3"], "3": shown["1"]})
    for name, code, tamper in (
            ("other-dice", "REPLAY", put("T1/1/deal", ["dice"], lambda dice: [7 - die for die in dice])),
            ("another-deck", "DECK_COMMIT", put("T1/1/deal", ["deck_commit"], "11" * 32)),
            ("cards-exchanged", "CARDS_SHOWN", cards)):
        yield f"vrf-void-with-{name}", code, _file(world, [*void(world, "deal"), close], tamper)
    mania = World(rules, LOCKED, "vrf", listed=["mania"])
    rounds = mania.round(*MANIA, stop=("void", "deal", "operator"))
    yield "vrf-void-with-forged-lines", "RESULTS", _file(mania, [*rounds, mania.close(rounds)], body(
        "T1/1/deal", lambda b: b["lines"][0].update({"return": "999999", "win": "999499", "status": "won"})))


def _forged_closes(rules):
    """The close of the epoch, and which seed proofs it has."""
    world, code = _world(rules), "EPOCH_CLOSE"

    def closed(drafts, **change):
        close = world.close(drafts)
        close.body |= change
        if close.body.get("seed_proofs") == []:
            del close.body["seed_proofs"]
        return _file(world, [*drafts, close])

    for last in ("wagers", "deal"):
        yield f"vrf-void-after-the-{last}-without-its-seed-proof", code, closed(void(world, last), seed_proofs=[])
    two = void(world, "deal") + void(world, "wagers", 2) + void(world, "deal", table="T2")
    proofs = world.close(two).body["seed_proofs"]
    yield "vrf-one-void-of-three-without-its-seed-proof", code, closed(two, seed_proofs=proofs[::2])
    for suite in ("derived", "fresh"):
        made = _world(rules, suite)
        drafts = void(made, "deal")
        yield f"seed-proofs-in-a-close-of-the-{suite}-suite", code, _file(
            made, [*drafts, made.close(drafts, seed_proofs=proofs[:1])])
    settled = played(world) + void(world, "deal", 2)
    own = world.close(settled).body["seed_proofs"]
    for name, listed in (
            ("in-another-order", swapped(proofs)), ("of-tables-in-another-order", proofs[2:] + proofs[:2]),
            ("twice", proofs[:1] * 2), ("of-one-round-twice", [proofs[0], proofs[0] | {"proof": proofs[1]["proof"]}]),
            ("of-another-table", [proofs[0] | {"table": "T3"}]), ("of-a-later-round", [proofs[0] | {"round_no": "3"}]),
            ("of-round-zero", [proofs[0] | {"round_no": "0"}]), ("of-79-bytes", [proofs[0] | {"proof": "00" * 79}]),
            ("with-a-member-more", [proofs[0] | {"epoch": 1}]), ("without-a-table", [
                {name: value for name, value in proofs[0].items() if name != "table"}])):
        yield f"vrf-seed-proofs-{name}", "CANONICAL", closed(two, seed_proofs=listed)
    none = world.close(two)
    none.body["seed_proofs"] = []
    yield "vrf-no-seed-proofs-in-words", "CANONICAL", _file(world, [*two, none])
    yield "vrf-more-seed-proofs-than-such-rounds", "CANONICAL", closed(settled, seed_proofs=[proofs[0], *own])


def _chains(rules):
    """Manifests with keys of the vrf suite that no server loads."""
    world, day = _world(rules), 24 * 3600
    rules_code, changed, key = "MANIFEST_RULES", "MANIFEST_RULES SALT_AFTER_COMMIT", world.vrf_key
    for role, add in {"root": lambda m: m["root"]["keys"].append(key.listed()),
                      "receipt": lambda m: m["receipt_keys"].append(key.listed()),
                      "ledger": lambda m: m["tenants"][0]["ledger_keys"].append(key.listed())}.items():
        yield f"vrf-key-as-a-{role}-key", rules_code, _file(world, played(world), body("manifest", add))
    own = _world(rules)
    own.witness, own.salt = key, shuffle.party_salt(key.bytes, own.value)
    yield "vrf-key-as-the-witness-key", rules_code, _file(own, played(own))
    opens = int(world._epoch(False)["open_until"])
    after = {"open_from": str(opens), "open_until": str(opens + 9), "settle_until": str(opens + 8 * day)}

    def listing(**members):
        return lambda m: m["epochs"].append({**world._epoch(False), **after, "epoch": 2, **members})

    both = [body(name, listing()) for name in ("announcement", "manifest")]
    yield "vrf-two-epochs-with-one-key", rules_code, _file(world, played(world), *both)
    revealed = later(world, "m3", 3, "manifest", first_epoch(status="revealed"))
    dropped = later(world, "m4", 4, "m3", lambda m: m.update(epochs=[{**world._epoch(False), **after, "epoch": 2}]))
    yield "vrf-key-of-an-epoch-that-was-dropped", rules_code, _file(world, [*played(world), revealed, dropped])
    commit = {"commit": "11" * 32, "suite": "derived"}
    mixed = body("manifest", lambda m: (listing(**commit)(m), m["epochs"][1].pop("vrf_key")))
    yield "vrf-and-a-derived-epoch", rules_code, _file(world, played(world), mixed)
    other = _other_secret(rules).vrf_key
    yield "vrf-key-changed-at-completion", changed, _file(
        world, played(world), put("announcement", ["epochs", 0, "vrf_key"], other.public))
    yield "vrf-key-changed-later", changed, _file(world, [
        *played(world), later(world, "m3", 3, "manifest", first_epoch(vrf_key=other.public))])
    yield "vrf-epoch-that-was-derived", changed, _file(world, played(world), body("announcement", lambda m: (
        m["epochs"][0].update(commit), m["epochs"][0].pop("vrf_key"))))
    signed = Witnessed(world.witness, "announcement", 1, other.bytes, world.value)
    yield "vrf-salt-signed-for-another-key", "MANIFEST_RULES EPOCH_SALT", _file(
        world, played(world), put("manifest", ["epochs", 0, "salt_source", "sig"], signed))
    yield "vrf-epoch-dropped-later", changed, _file(world, [
        *played(world), later(world, "m3", 3, "manifest", first_epoch(epoch=9, vrf_key=other.public))])
    at_once = later(world, "manifest", 1, "0" * 64)
    yield "vrf-salt-in-the-first-manifest", "MANIFEST_RULES EPOCH_SALT SALT_AFTER_COMMIT", issue(
        [at_once] + played(world))
    yield "vrf-table-added-after-the-announcement", "POLICY", _file(
        world, played(world), put("announcement", ["tenants", 0, "tables"], ["T2"]))
    yield "vrf-tenant-added-after-the-announcement", "POLICY", _file(
        world, played(world), put("announcement", ["tenants", 0, "tenant"], "mallory"))

    def with_seat_key(drafts, _):
        find(drafts, "T1/1/ticket").body["seat_keys"]["1"] = {"key": key.public}
        find(drafts, "T1/1/action 1").keys = [key]
        return drafts

    yield "vrf-seat-key-that-is-the-vrf-key", "POLICY", _file(world, played(world), with_seat_key)
    yield "vrf-epoch-revealed", "EPOCH_COMMIT", _file(world, played(world) + [world.reveal()])


def _forms(rules):
    """Epochs and tickets whose members are those of another suite, and keys that are none."""
    world, code = _world(rules), "CANONICAL"

    def changed(made, change):
        return _file(made, played(made), body("manifest", lambda m: change(m["epochs"][0])))

    yield "vrf-epoch-with-a-commitment", code, changed(world, lambda epoch: epoch.update(commit="11" * 32))
    yield "vrf-epoch-with-a-commitment-alone", code, changed(
        world, lambda epoch: epoch.update(commit=epoch.pop("vrf_key")))
    for member in ("vrf_key", "salt_source"):
        yield f"vrf-epoch-without-{member.replace('_', '-')}", code, changed(
            world, lambda epoch, member=member: epoch.pop(member))
    for suite in ("derived", "fresh"):
        yield f"{suite}-epoch-with-a-vrf-key", code, changed(
            _world(rules, suite), lambda epoch: epoch.update(vrf_key=world.vrf_key.public))
    for name, key in (("of-small-order", ORDER_8), ("that-is-the-identity", IDENTITY), ("that-is-no-point", NO_POINT),
                      ("that-is-not-canonical", Y_TOO_LARGE)):
        yield f"vrf-key-{name}", code, changed(world, lambda epoch, key=key: epoch.update(vrf_key=key))
    yield "vrf-ticket-with-a-sealed-seed", code, _file(
        world, played(world), body("T1/1/ticket", lambda b: b.update(sealed="00" * 85)))
    yield "vrf-ticket-of-the-derived-suite", "MANIFEST_LINK", _file(
        world, played(world), put("T1/1/ticket", ["suite"], "derived"))
    derived = _world(rules, "derived")
    yield "derived-ticket-of-the-vrf-suite", "MANIFEST_LINK", _file(
        derived, played(derived), put("T1/1/ticket", ["suite"], "vrf"))


def _forks(rules):
    """Two tellings of a round, and two closes of an epoch."""
    world, code = _world(rules), "NO_FORK"
    ticket = again(played(world, stop="ticket"), "first")
    ticket[0].body["seat_keys"] = {}
    yield "vrf-opened-again-with-a-client-commitment", code, _file(world, ticket + played(world))
    rounds = void(world, "deal")
    close, other = world.close(rounds), world.close(rounds, "another")
    other.body["seed_proofs"][0]["proof"] = crafted(world.vrf_key, world.vrf_input("T1", 1), ORDER_8).hex()
    yield "vrf-closes-with-two-proofs-of-one-seed", code, _file(world, [*rounds, close, other])
    hidden = void(world, "ticket")
    yield "vrf-void-over-the-ticket-of-a-round-that-was-dealt", code, _file(
        world, [*hidden, *again(played(world, stop="deal"), "dealt"), world.close(hidden)])
