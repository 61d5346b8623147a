"""Cases on which verifiers differed: forgeries of more than one manifest, epoch or round, honest files
that look odd, and an operator's own rules.

`forged` gives pairs of a name and the lines of a transcript that has to be refused. `honest` gives those
of one that must not be refused. `own_rules` gives them with the texts of the files that they need.
"""
import json
import pathlib

from issuer import LOCKED, OFF, Draft, Key, Ref, World, issue
from tampers import body, drop, other_hash, put
from paigow_verify import shuffle
from paigow_verify.encoding import enc, sha256
from paigow_verify.rules import SOURCE, Rules

EXPRESS = ("express", {1: [("base", 1000), ("dynasty", 500)], 3: [("base", 500)]})
MIKES = ("mikes", {2: [("base", 20000), ("outlaw_9", 500)]}, {"bank_minor": 5000, "action_pile": 2})
MANIA = ("mania", {1: [("base", 1000), ("three_card", 500)]})
VOID = ("void", "deal", "operator")
SHIPPED = ["express", "mania", "mikes", "online"]


def later(world, name, seq, prev, change=lambda members: None, keys=None):
    """One more manifest of the chain."""
    draft = world._manifest(name, seq, prev if prev.startswith("0") else Ref(prev), True)
    change(draft.body)
    draft.keys = keys or draft.keys
    return draft


def under(drafts, manifest):
    """Rounds that are made under another manifest."""
    for draft in drafts:
        if draft.kind == "ticket":
            for member in ("manifest", "prev"):
                if draft.body[member].name == "manifest":
                    draft.body[member] = Ref(manifest)
    return drafts


def hidden(drafts):
    """Records that others name, and that are not in the file."""
    for draft in drafts:
        draft.hidden = True
    return drafts


def first_epoch(**members):
    return lambda manifest: manifest["epochs"][0].update(members)


def _revoking(world):
    return lambda manifest: manifest.update(
        receipt_keys=[Key("another receipt").listed(), {**world.receipt.listed(), "revoked": True}])


def _rotated(world, reveal_by):
    """A root hands over to another, which signs the reveal."""
    new = Key("new root")
    hand_over = later(world, "handover", 3, "manifest", lambda manifest: manifest.update(
        root={"keys": [new.listed()], "threshold": 1}), [world.root, new])
    reveal = Draft("reveal", "epoch-reveal", world.reveal().body, [Key(reveal_by)])
    return world.manifests() + [hand_over] + world.round(*EXPRESS) + [reveal]


def two_epochs(rules, suite="derived"):
    """The manifests of two epochs, and how rounds are played in each."""
    first, second = World(rules, suite=suite, listed=SHIPPED), World(rules, suite=suite, epoch=2, listed=SHIPPED)

    def both(name, seq, prev, complete):
        draft = first._manifest(name, seq, prev, complete)
        draft.body["epochs"] += second._manifest(name, seq, prev, complete).body["epochs"]
        return draft

    manifests = [both("announcement", 1, "0" * 64, False), both("manifest", 2, Ref("announcement"), True)]
    return (manifests, first.round(*EXPRESS, name="a1", prev="manifest"),
            second.round(*EXPRESS, name="b1", prev="manifest"),
            lambda prev: second.round(*EXPRESS, round_no=2, name="b2", prev=prev))


def _changed(drafts, world, *tampers):
    for tamper in tampers:
        drafts = tamper(drafts, world)
    return issue(drafts)


def _other_salt(rules):
    """The party signed a second value, and a later manifest uses it."""
    world = World(rules, listed=SHIPPED)
    world.value = sha256(b"a second value")
    world.salt = shuffle.party_salt(world.witness.bytes, world.value)
    return world


def _other_secret(rules):
    world = World(rules, listed=SHIPPED)
    world.secret = sha256(b"another secret")
    return world


def _against_the_rules(world):
    """Chains that no server loads, signed by all who have to sign, with a round that is right."""
    day = 24 * 3600
    epoch, played = world._epoch(False), world.round(*EXPRESS)

    def chain(change, name="manifest"):
        manifests = world.manifests()
        for draft in manifests if name == "both" else [d for d in manifests if d.name == name]:
            change(draft.body)
        return issue(manifests + played)

    def listed(**members):
        return lambda manifest: manifest["epochs"].append({**epoch, "epoch": 2, **members})

    yield "no-receipt-key-in-the-announcement", chain(lambda m: m.update(receipt_keys=[]), "announcement")
    opens = int(epoch["open_until"])
    yield "window-that-runs-backwards", chain(listed(open_from=str(opens + 9), open_until=str(opens + 9)), "both")
    yield "settled-for-less-than-seven-days", chain(listed(
        open_from=str(opens), open_until=str(opens + 9), settle_until=str(opens + 8 + 7 * day)), "both")
    yield "windows-that-overlap", chain(listed(open_from=str(opens - 1), open_until=str(opens + 9)), "both")
    yield "forty-epochs-of-one-window", chain(lambda m: m["epochs"].extend(
        {**epoch, "epoch": number} for number in range(2, 41)), "both")
    yield "salt-that-nobody-verifies", chain(listed(
        open_from=str(opens), open_until=str(opens + 9),
        salt_source={"type": "drand", "chain": "11" * 32, "round": "7"}), "both")
    for entries in ("rulesets", "house_ways"):
        yield f"{entries.replace('_', '-')}-listed-twice", chain(
            lambda m, entries=entries: m[entries].append({**m[entries][0], "hash": "11" * 32}))
    yield "locks-that-nobody-can-sign", chain(lambda m: m["tenants"].append(
        {**m["tenants"][0], "tenant": "other", "ledger_keys": []}))
    yield "an-epoch-of-another-suite", chain(lambda m: m["epochs"].append(
        {"epoch": 2, "open_from": str(opens), "open_until": str(opens + 9), "settle_until": str(opens + 8 * day),
         "suite": "fresh"}))
    roles = {"root": lambda m, key: m["root"]["keys"].append(key),
             "receipt": lambda m, key: m["receipt_keys"].append(key),
             "ledger": lambda m, key: m["tenants"][0]["ledger_keys"].append(key)}
    for role, add in roles.items():
        for other in ("root", "receipt", "ledger", "witness"):
            if other != role:
                yield f"{other}-key-as-a-{role}-key", chain(
                    lambda m, add=add, other=other: add(m, getattr(world, other).listed()))
    yield "seat-key-that-is-the-receipt-key", issue(world.manifests() + _with_seat_key(world, world.receipt))
    yield "seat-key-that-is-the-witness-key", issue(world.manifests() + _with_seat_key(world, world.witness))
    again = Draft("again", "epoch-reveal", {"epoch": 2, "epoch_secret": world.secret.hex()}, [world.root])
    commit = shuffle.epoch_commit(2, world.secret).hex()
    manifests = world.manifests()
    for draft in manifests:
        draft.body["epochs"].append({**epoch, "epoch": 2, "commit": commit, "open_from": str(opens),
                                     "open_until": str(opens + 9), "settle_until": str(opens + 8 * day)})
    yield "two-epochs-with-one-secret", issue(manifests + played + [world.reveal(), again])


def _with_seat_key(world, key):
    """A round in which a key of another role signs for a seat."""
    drafts = world.round(*EXPRESS, seat_keys=(1,))
    for draft in drafts:
        if draft.kind == "ticket":
            draft.body["seat_keys"]["1"] = {"key": key.public}
        if draft.kind == "action" and draft.body["seat"] == 1:
            draft.keys = [key]
    return drafts


def forged(rules):
    world = World(rules, listed=SHIPPED)
    manifests, played, void = world.manifests, lambda: world.round(*EXPRESS), lambda: world.round(*EXPRESS, stop=VOID)

    def change(*tampers, drafts=None):
        return _changed(drafts or manifests() + played(), world, *tampers)

    # Manifests before and after the round's own.
    yield "receipt-key-revoked-later", issue(manifests() + [later(world, "m3", 3, "manifest", _revoking(world))] + played())
    for status in ("revoked", "revealed"):
        yield f"ticket-of-an-epoch-{status}", change(body("manifest", first_epoch(status=status)))
    salted = _other_salt(rules)
    yield "salted-twice", issue(manifests() + [later(salted, "m3", 3, "manifest")] + under(salted.round(*EXPRESS), "m3"))
    yield "committed-anew-later", issue(
        manifests() + [later(_other_secret(rules), "m3", 3, "manifest")] + played())
    yield "epoch-dropped-later", issue(manifests() + [later(world, "m3", 3, "manifest", first_epoch(epoch=9))] + played())
    yield "revoked-and-active-again", issue(manifests() + [
        later(world, "m3", 3, "manifest", first_epoch(status="revoked")), later(world, "m4", 4, "m3")] + played())
    announced = manifests()
    announced[0].body["epochs"][0]["salt_source"] = dict(announced[1].body["epochs"][0]["salt_source"])
    yield "announced-with-its-value", issue(announced + played())
    at_once = later(world, "manifest", 1, "0" * 64)
    yield "salt-in-the-first-manifest", issue([at_once] + played())
    yield "salt-in-the-first-manifest-of-two", issue([at_once, later(world, "m2", 2, "manifest")] + played())
    yield "tenant-listed-twice", change(body("manifest", lambda m: m.update(tenants=m["tenants"] * 2)))
    yield "epoch-listed-twice", change(body("manifest", lambda m: m.update(epochs=m["epochs"] * 2)))
    yield "house-way-unlisted", change(put("manifest", ["house_ways"], []))
    yield "first-manifest-with-a-prev", change(put("announcement", ["prev"], other_hash))
    yield "kid-of-another-key", change(put("manifest", ["receipt_keys", 0, "kid"], "00" * 8))
    unsalted = World(rules, salt="none", listed=SHIPPED)
    for member in ("commit", "salt_source"):
        yield f"derived-epoch-without-{member.replace('_', '-')}", _changed(
            unsalted.manifests() + unsalted.round(*EXPRESS), unsalted,
            body("manifest", lambda m, member=member: m["epochs"][0].pop(member)))
    fresh = World(rules, suite="fresh", listed=SHIPPED)
    for member, value in (("commit", "11" * 32), ("salt", "11" * 32), ("salt_source", {"type": "none"})):
        yield f"fresh-epoch-with-{member.replace('_', '-')}", _changed(
            fresh.manifests() + fresh.round(*EXPRESS), fresh, body("manifest", first_epoch(**{member: value})))
    for size in (0, 84, 86):
        yield f"sealed-of-{size}-bytes", _changed(
            fresh.manifests() + fresh.round(*EXPRESS), fresh, put("T1/1/ticket", ["sealed"], "00" * size))
    for missing in ("lock", "chain"):
        soft = World(rules, {**LOCKED, missing: "off"}, "fresh", listed=SHIPPED)
        yield f"fresh-without-{missing}", issue(soft.manifests() + soft.round(*EXPRESS))

    yield from _against_the_rules(world)

    # Reveals.
    again = Draft("again", "epoch-reveal", {"epoch": 1, "epoch_secret": "11" * 32}, [world.root])
    yield "revealed-again-with-another-secret", issue(manifests() + played() + [world.reveal(), again])
    yield "revealed-by-a-revoked-key", issue(
        manifests() + [later(world, "m3", 3, "manifest", _revoking(world)),
                       Draft("reveal", "epoch-reveal", world.reveal().body, [world.receipt])])
    yield "revealed-by-a-stranger-after-a-handover", issue(_rotated(world, "stranger"))
    late = Key("late receipt")
    yield "revealed-by-a-key-of-a-manifest-without-the-epoch", issue(manifests() + [
        later(world, "m3", 3, "manifest", first_epoch(status="revealed")),
        later(world, "m4", 4, "m3", lambda m: m.update(epochs=[], receipt_keys=[late.listed()]))] + played() + [
            Draft("reveal", "epoch-reveal", world.reveal().body, [late])])
    yield "void-with-another-secret", change(
        put("reveal", ["epoch_secret"], "11" * 32), drafts=manifests() + void() + [world.reveal()])

    # Rounds.
    for name in ("__proto__", "constructor", "toString"):
        yield f"a-member-named-{name}", change(body("T1/1/ticket", lambda t, name=name: t.update({name: "x"})))
        yield f"a-fact-named-{name}", change(put("T1/1/wagers", ["facts", name], "1"))
    yield "void-without-its-lock", change(drop("T1/1/void"), drafts=manifests() + world.round(
        *EXPRESS, seeds=(1,), stop=("void", "wagers", "operator")))
    epochs, a1, b1, b2 = two_epochs(rules)
    yield "follows-a-round-of-another-epoch", issue(epochs + a1 + b1 + b2("a1/close"))
    yield "ticket-without-policy", change(body("T1/1/ticket", lambda t: t.pop("policy")))
    yield "void-for-another-reason", change(put("T1/1/close", ["reason"], "equipment"), drafts=manifests() + void())
    yield "void-with-forged-fees", change(
        put("T1/1/deal", ["fees"], {"0": "1"}), drafts=manifests() + world.round(*MIKES, stop=VOID))
    yield "void-with-forged-lines", change(
        body("T1/1/deal", lambda d: d["lines"][0].update({"return": "999999", "win": "999499", "status": "won"})),
        drafts=manifests() + world.round(*MANIA, stop=VOID) + [world.reveal()])
    yield "zero-for-false", change(put("T1/1/close", ["results", "seats", "1", "foul"], 0))
    yield "bonus-above-the-table", issue(manifests() + world.round(
        "express", {1: [("base", 1000), ("dynasty", 5000)]}, {"table_max_minor": 2000}))
    yield "bank-too-large", issue(manifests() + world.round(
        *MIKES[:2], {"bank_minor": 10**18 + 1, "action_pile": 2}))
    yield "table-minimum-above-its-maximum", issue(manifests() + world.round(
        "mikes", {2: [("outlaw_9", 500)]}, {**MIKES[2], "table_min_minor": 600, "table_max_minor": 500}))
    for name, limits in {
            "bet-above-its-limit": [("dynasty", 499)],
            "bet-that-the-table-does-not-offer": [("dynasty", 0)], "limit-of-an-unknown-bet": [("dynasti", 500)],
            "limits-of-one-bet": [("dynasty", 500), ("dynasty", 500)], "limits-of-no-bet": [],
            "limits-in-another-order": [("dynasty", 500), ("base", 1000)],
            "limit-above-every-stake": [("dynasty", 10**15 + 1)]}.items():
        yield name, change(posted(limits))
    yield "wagers-above-every-limit", issue(manifests() + world.round(
        "express", {seat: [("base", 10**15), ("dynasty", 10**15)] for seat in range(1, 7)}))
    yield "seat-without-wagers", change(body("T1/1/wagers", lambda lock: lock["seats"].update({"5": {"wagers": []}})))
    for policy, seeds in (("none", (1,)), ("committed", ()), ("committed", (1,))):
        strict = World(rules, {**LOCKED, "client": policy}, listed=SHIPPED)
        yield f"client-{policy}-with-{len(seeds)}", issue(strict.manifests() + strict.round(*EXPRESS, seeds=seeds))
    signed = World(rules, {**LOCKED, "seat_auth": "required"}, listed=SHIPPED)
    yield "seat-without-a-key", issue(signed.manifests() + signed.round(*EXPRESS, seat_keys=(1,)))
    yield "deck-of-ten-cards", change(put("T1/1/close", ["deck"], lambda deck: deck[:10]))
    yield "dealer-shown-at-the-deal", change(body("T1/1/deal", lambda d: d["visible"].update({"0": [0, 1, 2, 3, 4, 5, 6]})))
    yield "negative-number", change(body("T1/1/close", lambda c: c["results"].update(x=-1)))
    deep = []
    for _ in range(20):
        deep = [deep]
    yield "nested-too-deep", change(body("T1/1/close", lambda c: c["results"].update(x=deep)))
    yield "final-lock-of-wagers", change(body("T1/1/final", lambda f: (f.pop("actions"), f.update(step="wagers", seats={}))))

    # Forks, in whatever order the files were put together.
    settled, voided = issue(manifests() + played()), issue(manifests() + void())
    yield "settled-then-void", settled + voided[2:]
    yield "settled-and-void-in-two-files", settled + voided
    yield "void-and-settled-in-two-files", voided + settled
    yield "bare-ticket-twice-and-the-round", settled[:3] + settled[2:]

    # Envelopes.
    def hint(keyid):
        envelope = json.loads(settled[2])
        envelope["signatures"][0]["keyid"] = keyid
        return settled[:2] + [json.dumps(envelope, separators=(",", ":"))] + settled[3:]

    yield "keyid-too-long", hint("x" * 65)
    yield "keyid-not-ascii", hint("\u00e9")
    yield "keyid-with-a-space", hint("a b")

    # Places that the announcement of the epoch does not list.
    pinned = World(rules, listed=SHIPPED, tables=["T2"])
    yield "table-added-after-the-announcement", _changed(
        pinned.manifests() + pinned.round(*EXPRESS), pinned, put("manifest", ["tenants", 0, "tables"], ["T2", "T1"]))
    yield "tenant-added-after-the-announcement", change(put("announcement", ["tenants", 0, "tenant"], "mallory"))
    fresh = World(rules, suite="fresh", listed=SHIPPED, tables=["T2"])
    yield "fresh-table-that-is-not-listed", issue(fresh.manifests() + fresh.round(*EXPRESS))


def forked(rules):
    """Two manifests of one number, both signed by the root; and a root behind many chains."""
    world = World(rules, listed=SHIPPED)
    manifests, played = world.manifests, lambda: world.round(*EXPRESS)

    def also(manifest):
        manifest.update(builds=[{"digest": "11" * 32, "name": "also"}])

    yield "two-manifests-of-one-number", issue(
        manifests() + [later(world, "again", 2, "announcement", also)] + played())
    yield "two-first-manifests", issue(
        manifests()[:1] + [later(world, "again", 1, "0" * 64, also)] + manifests()[1:] + played())
    yield "an-earlier-number-again", issue(
        manifests() + [later(world, "m3", 3, "manifest"), later(world, "again", 2, "announcement", also)] + played())
    handover = _rotated(world, "root")
    yield "an-earlier-number-after-a-handover", issue(
        handover[:3] + [later(world, "again", 2, "announcement", also)] + handover[3:])
    # The trusted root signs a manifest that names another root: as many chains as there are others.
    other = Key("another root")
    instead = manifests()
    for draft in instead:
        draft.body["root"]["keys"] = [other.listed()]
        draft.keys = [world.root, other]
    yield "first-manifest-of-another-root", issue(instead + played())


def posted(limits):
    """Puts posted limits of bets into the lock of the wagers."""
    return put("T1/1/wagers", ["bet_limits"], [{"bet": bet, "max": str(most)} for bet, most in limits])


def honest(rules):
    world = World(rules, listed=SHIPPED)
    manifests, played = world.manifests, lambda: world.round(*EXPRESS)
    epochs, a1, b1, b2 = two_epochs(rules)
    yield "two epochs of one table, the second from its round 2", issue(epochs + a1 + hidden(b1) + b2("b1/close"))
    yield "a file that begins with a later manifest", issue(
        hidden(manifests()[:1]) + manifests()[1:] + [later(world, "m3", 3, "manifest")] + under(played(), "m3"))
    yield "a file that begins with the third manifest", issue(
        hidden(manifests()) + [later(world, "m3", 3, "manifest")] + under(played(), "m3"))
    yield "an epoch that is revoked after the round", issue(
        manifests() + played() + [later(world, "m3", 3, "manifest", first_epoch(status="revoked"))])
    yield "an epoch that is revealed and then dropped", issue(
        manifests() + played() + [later(world, "m3", 3, "manifest", first_epoch(status="revealed")),
                                  later(world, "m4", 4, "m3", lambda m: m.update(epochs=[]))])
    yield "a reveal by the root that has taken over", issue(_rotated(world, "new root"))
    yield "a reveal by the root that has handed over", issue(_rotated(world, "root"))
    yield "a reveal without a round", issue(manifests() + [world.reveal()])
    yield "a reveal that its key has signed twice", issue(
        manifests() + played() + [Draft("reveal", "epoch-reveal", world.reveal().body, [world.root] * 2)])
    yield "a currency of four letters", issue(manifests() + world.round(
        "online", {1: [("base", 1000)]}, {"chip_minor": 100}, currency={"code": "USDT", "exponent": 4}))
    yield "posted limits of two bets, which the wagers keep", issue(
        posted([("base", 1000), ("dynasty", 500)])(manifests() + played(), world))
    lines = issue(manifests() + played())
    yield "escapes in the envelopes", [line.replace("+", "\\u002B").replace("/", "\\/") for line in lines]
    yield "lines that end with a carriage return", [line + "\r" for line in lines]
    yield "a line with many blanks", [lines[0].replace("{", "{" + " " * 5000, 1), *lines[1:]]
    yield "one file twice", lines + lines
    yield "one round told twice", lines + lines[2:]
    yield "a bare ticket, and later its round", lines[:3] + lines[:2] + lines[2:]
    yield "a file of one newline", [""]
    # The outcome code that settled it may have had other rules (D15).
    other = World(rules, listed=SHIPPED, engine="pge-2")
    yield "a round of another engine", issue(other.manifests() + other.round(*EXPRESS))
    fresh = World(rules, suite="fresh", listed=SHIPPED)
    lost = fresh.round(*EXPRESS, stop="ticket", name="lost")
    yield "fresh, after an answer that was lost", issue(fresh.manifests() + lost + fresh.round(*EXPRESS))
    alone = World(rules, OFF, listed=SHIPPED)
    yield "a second round that stands by itself", issue(
        alone.manifests() + alone.round(*EXPRESS) + alone.round(*EXPRESS, round_no=2, prev="manifest"))


def _ruleset(shipped, name, *changes):
    """A shipped ruleset under another name, with other terms."""
    text = (SOURCE / "game/rulesets" / f"{shipped}.toml").read_text()
    for old, new in ((f'id = "{shipped}"', f'id = "{name}"'),
                     ("allow_player_advantage = false", "allow_player_advantage = true"), *changes):
        if old not in text:
            raise SystemExit(f"{name}: {shipped} has no {old}")
        text = text.replace(old, new, 1)
    return text


GROUPS = ["5+2", "5+1+1", "4+3", "4+2+1", "4+1+1+1", "3+3+1", "3+2+2", "3+2+1+1", "3+1+1+1+1", "2+2+2+1",
          "2+2+1+1+1", "2+1+1+1+1+1", "1+1+1+1+1+1+1"]
# The text is part of frozen cases: its `source` stays, although this file has moved since.
CHART = f"""id = "own-best"
title = "The highest front beside the best hand"
source = "tests/conformance/edges.py"
cards = 7
wheel = "second"

[[clause]]
id = "B1"
text = "The best hand of five behind, and the highest front that it leaves."
groups = {json.dumps(GROUPS)}
front = "highest-leaving-best"
"""


# The example of the docs, and wagers on each kind of its bets.
LANTERN = pathlib.Path(__file__).resolve().parents[2] / "examples/rules/rulesets/lantern.toml"
LANTERN_SHEET = {1: [("base", 1000), ("lantern", 500), ("dark_lantern", 300), ("first_light", 200),
                     ("day_or_night", 100, "red"), ("calm", 700)],
                 3: [("base", 2000), ("lantern", 499), ("first_light", 900), ("day_or_night", 400, "black"),
                     ("front_light", 300)],
                 6: [("base", 500), ("lantern", 2500), ("calm", 100), ("front_light", 250)]}


PUSH = 'push_on_dealer = ["pai_gow", "highest:Q"]'


def at_limits():
    """Descriptions, a ruleset text, the lines of a transcript and whether its wagers are accepted: at the most
    that may be won, and one minor unit above it."""
    def limited(ruleset, more=""):
        lines = [line for line in _ruleset(ruleset, "own-rules").splitlines() if not line.startswith("max")]
        return "\n".join(lines).replace('wheel = "second"', f'wheel = "second"\n{more}')

    # Seat 1 may win its base wager, 2,000 times 5.00 and 500.00 for each of five others: with 10.00 on
    # the base 12,510.00. Seat 3 is below the threshold: 9,990.00 with 10.00.
    express = limited("express", "max_seat_payout_minor = 1251000\nmax_round_payout_minor = 2250001")
    mini = limited("mini", "max_seat_payout_minor = 100000")
    most = [("base", 10**15), ("dynasty", 10**15)]
    envied = {1: [("base", 1000), ("dynasty", 500)]}
    for about, text, taken, refused in (
            ("a seat may win together", express, envied, {1: [("base", 1001), ("dynasty", 500)]}),
            ("a round may win together", express, {**envied, 3: [("base", 1001), ("dynasty", 499)]},
             {**envied, 3: [("base", 1002), ("dynasty", 499)]}),
            ("a seat may win together if it doubles", mini, {1: [("base", 50000)]}, {1: [("base", 50001)]}),
            ("64 bits hold", limited("express"), dict.fromkeys(range(1, 5), most), dict.fromkeys(range(1, 6), most))):
        world = World(Rules([text.encode()]), listed=["own-rules"])
        for name, sheet, is_taken in ((f"what {about}", taken, True), (f"more than {about}", refused, False)):
            yield name, world, issue(world.manifests() + world.round("own-rules", sheet)), text, is_taken


def own_rules():
    """Descriptions, the lines of a transcript, ruleset texts and house-way texts."""
    active = ('dead_hands = "all-positions"', 'dead_hands = "active-only"')
    way = sha256(enc("pge/v1/house-way", b"own-best", CHART.encode())).hex()
    published = Rules().rulesets
    shipped = Rules().house_way("trump-plaza").hash
    sheet = {seat: [("base", 1000 + 37 * seat)] for seat in (2, 3, 5)}
    families = {
        "mini, only to active seats": (_ruleset("mini", "own-mini", active), {}),
        "mini, by dice, only to active seats": (_ruleset(
            "mini", "own-mini", ('dice = "none"', 'dice = "three"'), active), {}),
        "express, a push on a king-high pai gow, foul hands too": (_ruleset(
            "express", "own-express", (PUSH, PUSH.replace("highest:Q", "highest:K")),
            ("push_beats_foul = false", "push_beats_foul = true"), active), {}),
        "express, five seats of seven positions": (_ruleset(
            "express", "own-express", ("seats = 6", "seats = 5"), active), {}),
        "express, odds that are rounded": (_ruleset("express", "own-express", (
            'wheel = "second"', 'wheel = "second"\nrounding = "half-up"'), ('[base]\npays = "1/1"', '[base]\npays = "19/20"')), {}),
        "express, a largest payout and a largest wager": (_ruleset("express", "own-express", (
            "max_payout_minor = 500000000", "max_payout_minor = 250000000"),
            ("maximum_minor = 10000000", "maximum_minor = 5000")), {}),
        "mania, a commission rounded down": (_ruleset("mania", "own-mania", (
            'rounding = "half-up"', 'rounding = "down"')), {}),
        "mania, a commission rounded up": (_ruleset("mania", "own-mania", ('rounding = "half-up"', 'rounding = "up"')), {}),
        "online, half up to a quarter of a chip": (_ruleset("online", "own-online", (
            'rounding = "up"', 'rounding = "half-up"'), ("seats = 6", "seats = 5")), {"chip_minor": 1}),
        "mikes, packets and no fee for small wagers": (_ruleset("mikes", "own-mikes", (
            'procedure = "zigzag"', 'procedure = "packets"'), ('["action_pile", "bank_minor"]', '["bank_minor"]'),
            ("up_to_minor = 20000, fee_minor = 100", "up_to_minor = 20000, fee_minor = 0")), {"bank_minor": 3000}),
        "express, a house way of one's own": (_ruleset(
            "express", "own-express", (f'id = "trump-plaza", hash = "{shipped}"', f'id = "own-best", hash = "{way}"')), {}),
        "express, the dealer's hand exposed, a push on an ace-high pai gow": (_ruleset("express", "own-express", (
            'coverage = "house"', 'coverage = "house"\nexpose = "dealer"'),
            (PUSH, PUSH.replace("highest:Q", "highest:A"))), {}),
        "bets of every kind under ids and titles of one's own": (LANTERN.read_text(), {}, LANTERN_SHEET),
    }
    for about, (text, facts, *bets) in families.items():
        ways = [CHART] if way in text else []
        rules = Rules([text.encode()], [chart.encode() for chart in ways])
        name = next(file["id"] for digest, file in rules.rulesets.items() if digest not in published)
        world = World(rules, listed=[name])
        drafts = world.manifests()
        for number in range(1, 5):
            drafts += world.round(name, bets[0] if bets else sheet, facts, lambda seat, cards: (cards[:rules.ruleset(name)["hand"] - 5],)
                                  if seat == 3 else None, round_no=number)
        yield about, world, issue(drafts), [text], ways
    world = World(Rules([families["mini, only to active seats"][0].encode()]), listed=["own-mini"])
    for about, stop in (("settled", None), ("void", VOID), ("void after the ticket", ("void", "ticket", "operator"))):
        drafts = world.manifests() + world.round("own-mini", sheet, stop=stop)
        yield f"{about}, rules not at hand", world, issue(drafts), [], []
        yield f"{about}, revealed, rules not at hand", world, issue(drafts + [world.reveal()]), [], []
