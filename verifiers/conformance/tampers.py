"""Tampered transcripts: the change, and the draft that it changes.

`COLLUDING` changes records before they are signed: every key holder helps the forger, and all
links are made anew. `OUTSIDE` changes the lines of a good transcript, without any key.
"""
import base64
import json

from issuer import Key, Ref, copy_of, issue
from paigow_verify.encoding import sha256


def find(drafts, name):
    return next(draft for draft in drafts if draft.name == name)


def body(name, change):
    """Changes one body, by a function of it."""
    def tamper(drafts, world):
        change(find(drafts, name).body)
        return drafts
    return tamper


def put(name, path, value):
    """Puts a value at a path of one body; a function is given the old value."""
    def change(members):
        for step in path[:-1]:
            members = members[step]
        members[path[-1]] = value(members[path[-1]]) if callable(value) else value
    return body(name, change)


def drop(*names):
    """Leaves records out of the file. Others still name them."""
    def tamper(drafts, world):
        for name in names:
            find(drafts, name).hidden = True
        return drafts
    return tamper


def unsigned(name, *keys):
    def tamper(drafts, world):
        find(drafts, name).keys = [Key(key) for key in keys]
        return drafts
    return tamper


def more(text):
    return str(int(text) + 1)


def swapped(items):
    return [items[1], items[0], *items[2:]]


def other_hash(_):
    return sha256(b"another").hex()


def paid_more(seat, line):
    """A line pays one unit more, and all sums follow: only the rules show that it is wrong."""
    def change(close):
        results = close["results"]
        entry = results["seats"][seat]
        entry["lines"][line]["return"] = more(entry["lines"][line]["return"])
        entry["net"] = more(entry["net"])
        results["bank"]["net"] = str(int(results["bank"]["net"]) - 1)
    return change


def reseeded(drafts, world):
    """Another server seed, ticket, deck and all: only the secret of the epoch contradicts it."""
    secret = world.secret
    world.secret = sha256(b"another secret")
    changed = world.manifests() + world.round(*world.example_arguments, **world.example_options)
    world.secret = secret
    fresh = {draft.name: draft for draft in changed if draft.kind != "manifest"}
    return [fresh.get(draft.name, draft) for draft in drafts]


def late_seed(drafts, world):
    """The seed of a seat is changed after its commitment, and the round replayed with it."""
    lock = find(drafts, "T1/1/wagers").body
    lock["seats"]["1"]["client_seed"] = sha256(b"late").hex()
    return drafts


def forked(drafts, world):
    """A second telling of the settled round, in which it is void (D1)."""
    void = world.round(*world.example_arguments, **world.example_options, stop=("void", "deal", "operator"))
    shared = copy_of([find(drafts, name) for name in ("T1/1/ticket", "T1/1/wagers", "T1/1/deal")])
    again = shared + void[-2:]
    for draft in again:
        draft.name = "fork " + draft.name
        for member, value in draft.body.items():
            if isinstance(value, Ref) and value.name.startswith("T1/1/"):
                draft.body[member] = Ref("fork " + value.name)
    return drafts + again


def in_turn(*tampers):
    """Several tampers, one after the other."""
    def tamper(drafts, world):
        for one in tampers:
            drafts = one(drafts, world)
        return drafts
    return tamper


# The close of the settled round states a void; its lock stays.
voided_close = body("T1/1/close", lambda b: [b.pop(m) for m in (
    "deal", "dealer", "deck", "results", "round_seed", "server_seed")] and b.update(
        disposition="void", reason="operator", returns={"1": "1600", "3": "500"}))


COLLUDING = {
    # Form.
    "ticket-extra-member": body("T1/1/ticket", lambda b: b.update(note="x")),
    "ticket-member-missing": body("T1/1/ticket", lambda b: b.pop("external")),
    "ticket-number-as-string": put("T1/1/ticket", ["epoch"], "1"),
    "ticket-round-zero": put("T1/1/ticket", ["round_no"], "0"),
    "stake-with-leading-zero": put("T1/1/wagers", ["seats", "1", "wagers", 0, "amount"], "01000"),
    "stake-above-the-largest": put("T1/1/wagers", ["seats", "1", "wagers", 0, "amount"], str(10**15 + 1)),
    "low-cards-descending": put("T1/1/action 1", ["low"], lambda low: low[::-1]),
    "low-and-house-way": body("T1/1/action 3", lambda b: b.update(low=[1, 2])),
    "manifest-asks-for-an-unknown-suite": put("manifest", ["epochs", 0, "suite"], "beacon"),
    "deck-card-twice": put("T1/1/close", ["deck"], lambda deck: [deck[1], *deck[1:]]),
    "deal-second-phase": put("T1/1/deal", ["phase"], 2),
    # Manifests.
    "manifest-by-another-root": unsigned("manifest", "stranger"),
    "manifest-unsigned": unsigned("manifest"),
    "manifest-seq-repeated": put("manifest", ["seq"], "1"),
    "manifest-seq-skipped": put("manifest", ["seq"], "3"),
    "manifest-prev-wrong": put("manifest", ["prev"], other_hash),
    "ticket-of-a-stranger-tenant": put("T1/1/ticket", ["tenant"], "mallory"),
    "ticket-of-an-unlisted-ruleset": put("T1/1/ticket", ["ruleset"], other_hash),
    "ticket-of-an-unlisted-epoch": put("T1/1/ticket", ["epoch"], 2),
    "ticket-of-another-engine": put("T1/1/ticket", ["engine"], "pge-2"),
    "ticket-of-another-suite": put("T1/1/ticket", ["suite"], "fresh"),
    "ticket-of-no-manifest": put("T1/1/ticket", ["manifest"], other_hash),
    "ticket-under-the-announcement": put("T1/1/ticket", ["manifest"], Ref("announcement")),
    "table-not-pinned": put("announcement", ["tenants", 0], lambda t: {**t, "tables": ["T9"]}),
    "rulesets-unlisted": put("manifest", ["rulesets"], []),
    # Signatures.
    "ticket-unsigned": unsigned("T1/1/ticket"),
    "ticket-by-the-ledger": unsigned("T1/1/ticket", "ledger"),
    "wagers-by-a-stranger": unsigned("T1/1/wagers", "stranger"),
    "wagers-by-the-engine": unsigned("T1/1/wagers", "receipt"),
    "deal-by-the-ledger": unsigned("T1/1/deal", "ledger"),
    "action-by-another-seat": unsigned("T1/1/action 1", "seat 3"),
    "action-by-a-seat-without-key": unsigned("T1/1/action 3", "seat 3"),
    "close-unsigned": unsigned("T1/1/close"),
    "close-by-a-stranger-too": unsigned("T1/1/close", "receipt", "stranger"),
    "final-by-the-seat": unsigned("T1/1/final", "seat 1"),
    "reveal-by-a-stranger": unsigned("reveal", "stranger"),
    # Links.
    "wagers-of-another-ticket": put("T1/1/wagers", ["prev"], other_hash),
    "deal-of-another-lock": put("T1/1/deal", ["prev"], other_hash),
    "deal-of-another-ticket": put("T1/1/deal", ["ticket"], other_hash),
    "action-on-the-ticket": put("T1/1/action 1", ["prev"], Ref("T1/1/ticket")),
    "final-on-the-wagers": put("T1/1/final", ["prev"], Ref("T1/1/wagers")),
    "close-on-the-deal": put("T1/1/close", ["prev"], Ref("T1/1/deal")),
    "close-of-another-deal": put("T1/1/close", ["deal"], other_hash),
    "wagers-of-another-round": put("T1/1/wagers", ["round_id"], other_hash),
    "close-of-another-round": put("T1/1/close", ["round_id"], other_hash),
    "settled-under-a-void-lock": body("T1/1/final", lambda b: (b.pop("actions"), b.update(
        step="void", reason="operator"))),
    "void-under-a-final-lock": voided_close,
    "void-under-a-final-lock-and-an-action-by-another-seat": in_turn(
        voided_close, unsigned("T1/1/action 1", "seat 3")),
    "wagers-left-out": drop("T1/1/wagers"),
    "final-left-out": drop("T1/1/final"),
    "second-round-without-the-first": put("T1/2/ticket", ["prev"], Ref("manifest")),
    "second-round-on-the-deal": put("T1/2/ticket", ["prev"], Ref("T1/1/deal")),
    "first-round-without-manifest": put("T1/1/ticket", ["prev"], other_hash),
    # Policy.
    "policy-relaxed": put("T1/1/ticket", ["policy", "lock"], "off"),
    "wagers-unsigned": unsigned("T1/1/wagers"),
    "final-unsigned": unsigned("T1/1/final"),
    "action-unsigned": unsigned("T1/1/action 1"),
    "round-id-free": lambda drafts, world: [
        put(d.name, ["round_id"], other_hash)([d], world)[0]
        if d.name.startswith("T1/1/") and d.kind not in ("action",) else d for d in drafts],
    "round-number-jumped": put("T1/1/ticket", ["round_no"], "5"),
    "table-renamed": put("T1/1/ticket", ["table"], "T2"),
    # Client seeds.
    "client-seed-late": late_seed,
    "client-seed-withheld": body("T1/1/wagers", lambda b: b["seats"]["1"].pop("client_seed")),
    "client-seed-uncommitted": body("T1/1/wagers", lambda b: b["seats"]["3"].update(client_seed="ab" * 32)),
    "client-commit-dropped": put("T1/1/ticket", ["client"], {}),
    # Decisions.
    "action-left-out": drop("T1/1/action 3"),
    "actions-exchanged": put("T1/1/final", ["actions"], swapped),
    "action-not-covered": put("T1/1/final", ["actions"], lambda hashes: hashes[:1]),
    "action-of-others-cards": put("T1/1/action 1", ["low"], [0, 1]),
    "action-of-one-card": put("T1/1/action 1", ["low"], lambda low: low[:1]),
    "action-of-another-house-way": put("T1/1/action 3", ["house_way"], other_hash),
    "action-of-another-house-way-beside-one-by-another-seat": in_turn(
        put("T1/1/action 3", ["house_way"], other_hash), unsigned("T1/1/action 1", "seat 3")),
    "action-double-down": body("T1/1/action 3", lambda b: b.update(double_down=True)),
    "action-hand-changed": put("T1/1/action 1", ["low"], None),
    # Seeds, deck, dice, cards.
    "server-seed-other": put("T1/1/close", ["server_seed"], other_hash),
    "commit-other": put("T1/1/ticket", ["commit"], other_hash),
    "round-seed-other": put("T1/1/close", ["round_seed"], other_hash),
    "deck-two-cards-exchanged": put("T1/1/close", ["deck"], swapped),
    "dice-other": put("T1/1/deal", ["dice"], lambda dice: [7 - die for die in dice]),
    "dice-none": put("T1/1/deal", ["dice"], []),
    "deck-commit-other": put("T1/1/deal", ["deck_commit"], other_hash),
    "cards-shown-exchanged": put("T1/1/deal", ["visible"], lambda v: {"1": v["3"], "3": v["1"]}),
    "cards-shown-in-another-order": put("T1/1/deal", ["visible", "1"], swapped),
    "cards-shown-of-the-dealer": put("T1/1/deal", ["visible", "7"], [0, 1, 2, 3, 4, 5, 6]),
    "dealer-other": put("T1/1/close", ["dealer"], swapped),
    # Money.
    "paid-one-unit-more": body("T1/1/close", paid_more("1", 0)),
    "bonus-paid-one-unit-more": body("T1/1/close", paid_more("1", 1)),
    "net-other": put("T1/1/close", ["results", "seats", "3", "net"], more),
    "house-net-other": put("T1/1/close", ["results", "house_net"], more),
    "commission-other": put("T1/1/close", ["results", "commission"], more),
    "outcome-other": put("T1/1/close", ["results", "seats", "3", "outcome"], lambda o: "win" if o != "win" else "push"),
    "foul-hidden": put("T1/1/close", ["results", "seats", "1", "foul"], lambda foul: not foul),
    "clause-other": put("T1/1/close", ["results", "bank", "clause"], "trump-plaza.no-pair "),
    "dealer-set-otherwise": put("T1/1/close", ["results", "bank", "low"], lambda low: low[:1]),
    "line-left-out": put("T1/1/close", ["results", "seats", "1", "lines"], lambda lines: lines[:-1]),
    "row-other": put("T1/1/close", ["results", "seats", "1", "lines", 1, "status"], "push"),
    "seat-left-out": body("T1/1/close", lambda b: b["results"]["seats"].pop("3")),
    "fees-invented": put("T1/1/deal", ["fees"], {"1": "100"}),
    "lines-invented": body("T1/1/deal", lambda b: b.update(lines=[])),
    "fees-forgotten": put("T1/2/deal", ["fees"], {}),
    "fee-other": put("T1/2/deal", ["fees", "0"], more),
    "stake-changed": put("T1/1/wagers", ["seats", "1", "wagers", 0, "amount"], "999"),
    "bet-unknown": put("T1/1/wagers", ["seats", "1", "wagers", 1, "bet"], "jackpot"),
    "bet-without-base": body("T1/1/wagers", lambda b: b["seats"]["1"]["wagers"].pop(0)),
    "wagers-in-another-order": put("T1/1/wagers", ["seats", "1", "wagers"], lambda w: w[::-1]),
    "no-wagers": put("T1/1/wagers", ["seats"], {}),
    "currency-other": put("T1/1/wagers", ["currency", "code"], "EUR"),
    "fact-unasked": put("T1/1/wagers", ["facts"], {"chip_minor": "100"}),
    "bank-bigger": put("T1/2/wagers", ["facts", "bank_minor"], "9000000"),
    "bank-missing": body("T1/2/wagers", lambda b: b["facts"].pop("bank_minor")),
    "action-pile-other": put("T1/2/wagers", ["facts", "action_pile"], lambda pile: (pile + 1) % 7),
    # Epochs.
    "secret-other": put("reveal", ["epoch_secret"], other_hash),
    "secret-of-an-unknown-epoch": put("reveal", ["epoch"], 9),
    "salt-other": put("manifest", ["epochs", 0, "salt"], other_hash),
    "salt-missing": body("manifest", lambda b: b["epochs"][0].pop("salt")),
    "salt-by-a-stranger": put("manifest", ["epochs", 0, "salt_source", "sig"], "00" * 64),
    "salt-value-other": put("manifest", ["epochs", 0, "salt_source", "value"], other_hash),
    "salt-none-instead": put("manifest", ["epochs", 0], lambda e: {
        **e, "salt": "00" * 32, "salt_source": {"type": "none"}}),
    "commit-changed-with-the-salt": put("announcement", ["epochs", 0, "commit"], other_hash),
    "window-changed-with-the-salt": put("announcement", ["epochs", 0, "open_from"], "1690000000"),
    "party-changed-with-the-salt": put("announcement", ["epochs", 0, "salt_source", "pk"], Key("stranger").public),
    "salt-announced-at-once": lambda drafts, world: put(
        "announcement", ["epochs"], find(drafts, "manifest").body["epochs"])(drafts, world),
    "seed-chosen": reseeded,
    # Forks.
    "settled-and-void": forked,
}


# Of a round that is void before its deal: its lock is well-formed, and what it took goes back (D5, D13).
VOIDED = {
    "void-seat-zero": put("T1/1/wagers", ["seats"], lambda seats: {"0": seats["2"]}),
    "void-seat-eight": put("T1/1/wagers", ["seats"], lambda seats: {"8": seats["2"]}),
    "void-bank-negative": put("T1/1/wagers", ["facts", "bank_minor"], "-5"),
    "void-bank-as-number": put("T1/1/wagers", ["facts", "bank_minor"], 5),
    "void-action-pile-seven": put("T1/1/wagers", ["facts", "action_pile"], 7),
    "void-action-pile-255": put("T1/1/wagers", ["facts", "action_pile"], 255),
    "void-banker-zero": put("T1/1/wagers", ["facts", "banker_seat"], 0),
    "void-banker-eight": put("T1/1/wagers", ["facts", "banker_seat"], 8),
    "void-fact-unknown": put("T1/1/wagers", ["facts", "limit_minor"], "5"),
    "void-no-facts": body("T1/1/wagers", lambda b: b.pop("facts")),
    "void-no-currency": body("T1/1/wagers", lambda b: b.pop("currency")),
    "void-currency-of-two-letters": put("T1/1/wagers", ["currency", "code"], "US"),
    "void-currency-of-nine-letters": put("T1/1/wagers", ["currency", "code"], "USDOLLARS"),
    "void-currency-of-small-letters": put("T1/1/wagers", ["currency", "code"], "usd"),
    "void-currency-exponent-five": put("T1/1/wagers", ["currency", "exponent"], 5),
    "void-no-seats-member": body("T1/1/wagers", lambda b: b.pop("seats")),
    "void-no-wagers-member": put("T1/1/wagers", ["seats", "2"], {}),
    "void-stake-zero": put("T1/1/wagers", ["seats", "2", "wagers", 0, "amount"], "0"),
    "void-stake-negative": put("T1/1/wagers", ["seats", "2", "wagers", 0, "amount"], "-500"),
    "void-choice-unknown": put("T1/1/wagers", ["seats", "2", "wagers", 0, "choice"], "green"),
    "void-client-seed-short": put("T1/1/wagers", ["seats", "2", "client_seed"], "ab" * 15),
    "void-reason-unknown": body("T1/1/void", lambda b: b.update(reason="rain")),
    "void-lock-by-a-stranger": unsigned("T1/1/wagers", "stranger"),
    "void-returns-less": put("T1/1/close", ["returns", "2"], "20499"),
    "void-returns-nothing": put("T1/1/close", ["returns"], {}),
    "void-returns-another-seat": put("T1/1/close", ["returns"], lambda back: {**back, "4": "1"}),
    "void-returns-a-nothing": put("T1/1/close", ["returns"], lambda back: {**back, "4": "0"}),
    "void-returns-negative": put("T1/1/close", ["returns", "2"], "-20500"),
}

# Of one that is void after its deal: the wagers are those that its rules take, and fees go back too.
VOIDED_DEALT = {
    "void-deal-fee-other": put("T1/1/deal", ["fees", "0"], more),
    "void-deal-fees-not-returned": put("T1/1/close", ["returns"], {"2": "20500", "3": "500"}),
    "void-deal-bet-unknown": put("T1/1/wagers", ["seats", "3", "wagers", 0, "bet"], "jackpot"),
    "void-deal-bank-missing": body("T1/1/wagers", lambda b: b["facts"].pop("bank_minor")),
    "void-deal-lines-invented": body("T1/1/deal", lambda b: b.update(lines=[])),
    "void-deal-seat-zero-shown": put("T1/1/deal", ["visible"], lambda shown: {**shown, "0": [0, 1, 2, 3, 4, 5, 6]}),
    "void-deal-by-the-ledger": unsigned("T1/1/deal", "ledger"),
    "void-deal-policy-dropped": body("T1/1/ticket", lambda b: b.pop("policy")),
    "void-deal-policy-and-currency-dropped": in_turn(
        body("T1/1/wagers", lambda b: b.pop("currency")), body("T1/1/ticket", lambda b: b.pop("policy"))),
    "void-deal-by-the-ledger-and-bet-unknown": in_turn(
        unsigned("T1/1/deal", "ledger"), put("T1/1/wagers", ["seats", "3", "wagers", 0, "bet"], "jackpot")),
}


def without_dealer(drafts, world):
    del find(drafts, "T1/1/deal").body["dealer"]
    return drafts


# Of a round that exposes the dealer's hand: the one that the deck deals, set by the house way.
EXPOSED = {
    "exposed-hand-missing": without_dealer,
    "exposed-hand-empty": put("T1/1/deal", ["dealer"], {"high": [], "low": []}),
    "exposed-hand-without-its-low-hand": body("T1/1/deal", lambda b: b["dealer"].pop("low")),
    "exposed-hand-with-more": body("T1/1/deal", lambda b: b["dealer"].update(clause="trump-plaza.no-pair")),
    "exposed-hand-set-otherwise": body("T1/1/deal", lambda b: b["dealer"].update(
        low=sorted([b["dealer"]["low"][0], b["dealer"]["high"][0]]),
        high=sorted([b["dealer"]["low"][1], *b["dealer"]["high"][1:]]))),
    "exposed-hand-of-a-player": body("T1/1/deal", lambda b: b.update(
        dealer={"high": sorted(b["visible"]["1"][:5]), "low": sorted(b["visible"]["1"][5:])})),
    "exposed-hand-in-another-order": put("T1/1/deal", ["dealer", "high"], lambda high: high[::-1]),
    "exposed-hand-in-dealt-order": body("T1/1/deal", lambda b: b.update(
        dealer=[*b["dealer"]["high"], *b["dealer"]["low"]])),
}


def exposed(world):
    """Rounds of a game that exposes the dealer's hand, settled and void, and one of a game that does not."""
    sheet = {1: [("base", 1000)], 3: [("base", 500)]}
    for about, stop in (("", None), ("-and-void", ("void", "deal", "operator"))):
        drafts = world.manifests() + world.round("face-up", sheet, stop=stop) + [world.reveal()]
        for name, tamper in EXPOSED.items():
            yield name + about, issue(tamper(copy_of(drafts), world))
    other = type(world)(world.rules, world.policy, listed=["express"])
    drafts = other.manifests() + other.round("express", sheet) + [other.reveal()]
    results = find(drafts, "T1/1/close").body["results"]["bank"]
    shown = put("T1/1/deal", ["dealer"], {"high": list(results["high"]), "low": list(results["low"])})
    yield "dealer-exposed-where-no-game-exposes-it", issue(shown(copy_of(drafts), other))


def line_of(lines, kind, nth=0):
    return [i for i, line in enumerate(lines) if f"pge.{kind}.v1" in line][nth]


def edit(kind, change, nth=0):
    """Changes a payload's text; its signature stays."""
    def tamper(lines):
        i = line_of(lines, kind, nth)
        envelope = json.loads(lines[i])
        payload = base64.b64decode(envelope["payload"]).decode()
        changed = change(payload)
        assert changed != payload
        envelope["payload"] = base64.b64encode(changed.encode()).decode()
        return lines[:i] + [json.dumps(envelope, separators=(",", ":"))] + lines[i + 1:]
    return tamper


def wrap(kind, change):
    """Changes an envelope."""
    def tamper(lines):
        i = line_of(lines, kind)
        envelope = json.loads(lines[i])
        change(envelope)
        return lines[:i] + [json.dumps(envelope, separators=(",", ":"))] + lines[i + 1:]
    return tamper


def without(kind, nth=0):
    return lambda lines: [line for i, line in enumerate(lines) if i != line_of(lines, kind, nth)]


def twice(kind):
    return lambda lines: [copy for i, line in enumerate(lines)
                          for copy in [line] * (2 if i == line_of(lines, kind) else 1)]


def exchanged(kind, nth=0):
    def tamper(lines):
        i = line_of(lines, kind, nth)
        return lines[:i] + [lines[i + 1], lines[i]] + lines[i + 2:]
    return tamper


OUTSIDE = {
    "rubbish-line": lambda lines: lines + ["rubbish"],
    "empty-line": lambda lines: lines[:3] + [""] + lines[3:],
    "line-cut": lambda lines: lines[:-1] + [lines[-1][:-9]],
    "member-of-an-envelope-twice": lambda lines: [lines[0].replace("{", '{"payloadType":"x",', 1), *lines[1:]],
    "envelope-extra-member": wrap("deal", lambda e: e.update(note="x")),
    "envelope-without-signatures": wrap("deal", lambda e: e.pop("signatures")),
    "unknown-kind": wrap("deal", lambda e: e.update(payloadType="application/vnd.pge.deals.v1+json")),
    "kind-of-another-version": wrap("deal", lambda e: e.update(payloadType="application/vnd.pge.deal.v2+json")),
    "base64-unpadded": wrap("ticket", lambda e: e.update(payload=e["payload"].rstrip("=") + ("" if e["payload"].endswith("=") else "="))),
    "base64-of-the-web": wrap("ticket", lambda e: e["signatures"][0].update(sig="-" + e["signatures"][0]["sig"][1:])),
    "signature-short": wrap("ticket", lambda e: e["signatures"][0].update(sig="AAAA")),
    "signature-of-nothing": wrap("ticket", lambda e: e["signatures"][0].update(sig=base64.b64encode(bytes(64)).decode())),
    "settled-twice": twice("settle"),
    "ticket-twice": twice("ticket"),
    "deal-twice": twice("deal"),
    "action-twice": twice("action"),
    "deal-before-wagers": exchanged("lock"),
    "close-before-final": exchanged("lock", 1),
    "actions-in-another-order": exchanged("action"),
    "ticket-left-out": without("ticket"),
    "deal-left-out": without("deal"),
    "manifest-left-out": without("manifest", 1),
    "manifests-exchanged": exchanged("manifest"),
    "payload-with-a-space": edit("ticket", lambda text: text.replace(",", ", ", 1)),
    "payload-member-twice": edit("ticket", lambda text: text.replace('{"algo"', '{"algo":"PGE-FAIR-1","algo"', 1)),
    "payload-float": edit("ticket", lambda text: text.replace('"epoch":1', '"epoch":1.0', 1)),
    "payload-null": edit("ticket", lambda text: text.replace('"epoch":1', '"epoch":null', 1)),
    "payload-escape": edit("ticket", lambda text: text.replace('"PGE', '"\\u0050GE', 1)),
    "payload-not-ascii": edit("ticket", lambda text: text.replace('"T1"', '"Té"', 1)),
    "payload-unsorted": edit("settle", lambda text: text.replace('"disposition":"settled",', "", 1).replace(
        "{", '{"disposition":"settled",', 1)),
    "stake-raised": edit("lock", lambda text: text.replace('"1000"', '"9000"', 1)),
    "net-raised": edit("settle", lambda text: text.replace('"net":"', '"net":"1', 1)),
    "seed-hex-changed": edit("settle", lambda text: text.replace('"server_seed":"', '"server_seed":"0', 1)[:-1]),
    "card-exchanged": edit("deal", lambda text: text.replace('"visible":{"1":[', '"visible":{"1":[53,', 1)),
    "manifest-other": edit("manifest", lambda text: text.replace('"open_until":"19', '"open_until":"18', 1), nth=1),
    "reveal-other": edit("epoch-reveal", lambda text: text.replace('"epoch":1', '"epoch":2', 1)),
}


def example(world):
    """The transcript that is tampered with: two rounds of one table, and the secret of their epoch."""
    world.example_arguments = ("express", {1: [("base", 1000), ("dynasty", 500), ("red_black", 100, "red")],
                                           3: [("base", 500)]})
    world.example_options = {"seeds": (1,), "seat_keys": (1,),
                             "decide": lambda seat, cards: (cards[:2],) if seat == 1 else None}
    return (world.manifests() + world.round(*world.example_arguments, **world.example_options)
            + world.round("mikes", {2: [("base", 20000), ("outlaw_9", 500)], 3: [("wrangler_push", 500)]},
                          {"bank_minor": 5000, "action_pile": 2}, round_no=2) + [world.reveal()])


def all_tampered(world):
    """Pairs of a name and the lines of a tampered transcript."""
    drafts = example(world)
    for name, tamper in COLLUDING.items():
        if name == "action-hand-changed":
            cards = find(drafts, "T1/1/deal").body["visible"]["1"]
            tamper = put("T1/1/action 1", ["low"], sorted(cards[2:4]))
        yield name, issue(tamper(copy_of(drafts), world))
    lines = issue(drafts)
    for name, tamper in OUTSIDE.items():
        yield name, tamper(lines)
    for last, tampered in (("wagers", VOIDED), ("deal", VOIDED_DEALT)):
        drafts = world.manifests() + world.round(
            "mikes", {2: [("base", 20000), ("outlaw_9", 500)], 3: [("wrangler_push", 500)]},
            {"bank_minor": 5000, "action_pile": 2}, stop=("void", last, "operator")) + [world.reveal()]
        for name, tamper in tampered.items():
            yield name, issue(tamper(copy_of(drafts), world))
