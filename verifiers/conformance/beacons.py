"""Cases of public randomness: rounds and salts that rest on the signatures of a drand chain.

`cases` gives honest files, and `forged` those that have to be refused. This file states verdicts, claims, checks and
codes by hand, from the specification, for a verifier that verifies BLS signatures.
"""
from claims import ALL, DECIDED, LAST_SECOND, OPEN, RECORDS, SALT, SEED, hash_of, lacks, matches, played, waits
from edges import EXPRESS, first_epoch, later, under
from issuer import DRAND, LOCKED, LOG, PLAY_ROUND, SALT_ROUND, World, issue
from logs import LOGGED, NOT_CLOSED, OTHER, ROUND, SECOND, SHOWN, STRANGER, VOID, changed, under_log
from public import KIT, QUICKNET, Beacon, Checkpointed
from seed_proofs import REPLAYED, void
from tampers import body, put
from tellings import again

DECKS = {"decks_unknown_in_advance"}
PUBLISHED, SALT_PUBLISHED = KIT.published(PLAY_ROUND), KIT.published(SALT_ROUND)
IN_TIME = {"BEACON": "passed", "LOCKED_BEFORE_BEACON": "passed", "LOGGED": "passed", "POLICY": "passed"}
LATE = {**IN_TIME, "LOCKED_BEFORE_BEACON": "skipped"}
SALTED = {"MANIFEST_RULES": "passed", "EPOCH_SALT": "passed", "SALT_AFTER_COMMIT": "passed"}
UNDATED = {**SALTED, "SALT_AFTER_COMMIT": "skipped"}
LAST_ROUND = 2**63 - 1


def world_of(rules, policy=DRAND, suite="derived", salt="party", beacon=KIT, log=LOG, **options):
    return World(rules, policy, suite, salt, listed=["express"], tables=["T1", "T2"], beacon=beacon, log=log, **options)


def terms_of(world):
    return {"witnesses": [world.witness.public], "beacons": [world.beacon.chain], "my_seat": 1,
            "my_seat_key": world.seat_key(1).public}


def proofs(world, drafts, names=ROUND, time=PUBLISHED - 1, **options):
    return world.proofs(drafts, *names, time=time, **options)


def reveal(world):
    return [world.reveal()] if world.suite == "derived" else []


def cases(rules):
    """The description, the world, the lines of a transcript, the terms of the audit, its expected conclusion, and
    checks with their outcomes."""
    world = world_of(rules)
    full = terms_of(world)

    def file(about, drafts, expect, checks=IN_TIME, terms=full, made=world):
        return f"beacon: {about}", made, issue(drafts), terms, expect, checks

    def case(about, expect=matches(ALL | LOGGED), checks=IN_TIME, terms=None, made=world, names=ROUND, ends=None,
             rounds=None, **options):
        """One round, or others, the reveal, and proofs of its records."""
        drafts = made.manifests() + (rounds or played(made)) + (reveal(made) if ends is None else ends)
        drafts += proofs(made, drafts, names, **options)
        return file(about, drafts, expect, checks, terms or terms_of(made), made)

    for suite, claims in (("derived", ALL), ("fresh", ALL - SEED - SALT), ("vrf", ALL)):
        yield case(f"the {suite} suite", matches(claims | LOGGED), made=world_of(rules, suite=suite))
    for suite, claims, number in (("derived", ALL, 123), ("fresh", ALL - SEED - SALT, 657413), ("vrf", ALL, 9683710)):
        made = world_of(rules, suite=suite, beacon=QUICKNET)
        yield case(f"round {number} of quicknet, which every verifier trusts, {suite}", matches(claims | LOGGED),
                   terms={**full, "beacons": []}, made=made, rounds=played(made, beacon_round=number),
                   time=QUICKNET.published(number) - 1)
    lab = {name: full[name] for name in ("witnesses", "beacons")}
    yield case("no seat is named", matches(SHOWN | LOGGED | DECKS), terms=lab)
    yield case("not revealed", waits((ALL - OPEN) | LOGGED, OPEN), ends=[])
    late = matches((ALL - DECKS) | LOGGED)
    for about, chains in (("no chain", []), ("another chain", [QUICKNET.chain])):
        yield case(f"{about} is named", late, LATE, terms={**full, "beacons": chains})
    yield from _times(world, case, file, full, late)
    yield from _chains(rules, world, case, lab)
    yield from _rounds(rules, world, case, file, lab)
    yield from _salts(rules)


def _times(world, case, file, full, late):
    none = {**IN_TIME, "LOGGED": "skipped"}
    for about, time in (("at no time", 0), ("two seconds before", PUBLISHED - 2)):
        yield case(f"the wagers are dated {about}", time=time)
    for about, time in (("at the second", PUBLISHED), ("a second after", PUBLISHED + 1), ("much later", LAST_SECOND)):
        yield case(f"the wagers are dated {about} of the publication", late, LATE, time=time)
    yield case("a proof of the lock alone", matches(ALL), none, names=ROUND[1:2])
    without = {**none, "LOCKED_BEFORE_BEACON": "skipped"}
    yield case("no proof of the lock", matches(ALL - DECKS), without, names=ROUND[::2])
    yield case("a witness that is not named has dated the wagers", matches(ALL - DECKS), without, witnesses=[STRANGER])
    drafts = world.manifests() + played(world) + reveal(world)
    second = {**full, "witnesses": [world.witness.public, SECOND.public]}
    for about, times, expect, checks in (
            ("the second before", (PUBLISHED, PUBLISHED - 1), matches(ALL | LOGGED), IN_TIME),
            ("both too late", (PUBLISHED, PUBLISHED + 1), late, LATE)):
        cosigned = [{"pk": key.public, "sig": Checkpointed(key), "time": str(time)}
                    for key, time in zip((world.witness, SECOND), times)]
        given = [changed(proof, cosignatures=cosigned) for proof in proofs(world, drafts)]
        yield file(f"two witnesses, {about}", drafts + given, expect, checks, second)
        if checks is IN_TIME:
            yield file("two witnesses, and only the late one is named", drafts + given, late, LATE)
    early = proofs(world, drafts, ROUND[1:2])
    yield file("two proofs of the lock, the second before", drafts + proofs(world, drafts, time=PUBLISHED) + early,
               matches(ALL | LOGGED))
    # The log that counts is that of the manifest of the round.
    moved = world.manifests() + under_log(world, OTHER) + under(played(world), "m3") + reveal(world)
    yield file("the wagers are dated in the log of an earlier manifest", moved + proofs(
        world, moved, time=PUBLISHED, log=OTHER) + proofs(world, moved, ROUND[1:2]), late, LATE)


def _chains(rules, world, case, lab):
    """Other chains: their hashes, and when their rounds are published."""
    for about, beacon in (("named default", KIT.having(id="default")), ("with one second", KIT.having(period=1)),
                          ("with one day", KIT.having(period=86400)), ("that begins at zero", KIT.having(genesis="0"))):
        made, time = world_of(rules, beacon=beacon), beacon.published(PLAY_ROUND) - 1
        yield case(f"a chain {about}", made=made, time=time)
    for about, beacon in (("the last round", KIT), ("the last round of long periods", KIT.having(period=86400)),
                          ("the last round of a chain that begins late", KIT.having(genesis=str(LAST_ROUND)))):
        made = world_of(rules, beacon=beacon.having({LAST_ROUND: "00" * 48}))
        yield case(about, matches(VOID | LOGGED), {**IN_TIME, "BEACON": "skipped"}, made=made, time=LAST_SECOND,
                   rounds=void(made, "wagers", beacon_round=LAST_ROUND))
    plain = world_of(rules, LOCKED)
    skipped = {**LATE, "BEACON": "skipped"}
    yield case("a policy without it", checks=skipped, made=plain)
    yield case("no log", matches(ALL - DECKS), {**LATE, "LOGGED": "skipped"}, made=world_of(rules, log=None), names=())
    grown = world_of(rules)
    drafts = grown.manifests()
    drafts[0].body.pop("beacon")
    drafts[0].body["tenants"][0]["policy"]["external"] = "none"
    grown.manifests = lambda: drafts
    yield case("a beacon and a policy that a later manifest adds", made=grown)


def _rounds(rules, world, case, file, lab):
    no_deal = {**IN_TIME, "BEACON": "skipped"}
    for last, names, checks in (("ticket", ROUND[::2], {**no_deal, "LOCKED_BEFORE_BEACON": "skipped"}),
                                ("wagers", ROUND, no_deal), ("deal", ROUND, {**IN_TIME, **REPLAYED})):
        yield case(f"void after the {last}", matches(VOID | LOGGED), checks, names=names, rounds=void(world, last))
    proving = world_of(rules, suite="vrf")
    rounds = void(proving, "deal")
    yield case("void after the deal, and the close, vrf", matches(VOID | LOGGED | {"nothing_left_out"}),
               {**IN_TIME, **REPLAYED}, made=proving, rounds=rounds, ends=[proving.close(rounds)])
    yield case("a round without its close", lacks(NOT_CLOSED, (SHOWN - {"outcome_recomputed"}) | LOGGED), IN_TIME,
               lab, rounds=played(world, stop="deal"), names=ROUND[:2])
    rounds = played(world, beacon_round=17) + played(world, 2, beacon_round=64)
    shown = SHOWN | LOGGED
    both = [*ROUND, *(name.replace("/1/", "/2/") for name in ROUND)]
    yield case("the first and the last round of an hour", matches(shown | DECKS), terms=lab, rounds=rounds, names=both,
               time=KIT.published(17) - 1)
    yield case("of two rounds one is dated late", matches(shown), LATE, lab, rounds=rounds, names=both,
               time=KIT.published(17))
    first = again(world.round(*EXPRESS, stop="ticket", beacon_round=PLAY_ROUND + 1), "first")
    yield case("a round that is opened again with another round of the beacon", matches(shown | DECKS),
               {**no_deal, "LOCKED_BEFORE_BEACON": "skipped"}, lab, rounds=first + world.round(*EXPRESS),
               names=("first T1/1/ticket", *ROUND))


def _salts(rules):
    """Salts that are rounds of the beacon, which are published after the announcement."""
    def case(about, expect=matches(ALL), checks=SALTED, time=SALT_PUBLISHED - 1, made=None, terms=(),
             names=("announcement",), **options):
        made = made or world_of(rules, LOCKED, salt="drand")
        drafts = made.manifests() + played(made) + reveal(made)
        drafts += proofs(made, drafts, names, time, **options)
        return f"drand salt: {about}", made, issue(drafts), {**terms_of(made), **dict(terms)}, expect, checks

    yield case("the derived suite")
    yield case("the vrf suite", made=world_of(rules, LOCKED, "vrf", "drand"))
    both = world_of(rules, salt="drand")
    yield case("and rounds of the same chain", matches(ALL | LOGGED), {**SALTED, **IN_TIME}, made=both,
               names=("announcement", *ROUND))
    quicknet = world_of(rules, LOCKED, salt="drand", beacon=QUICKNET, salt_round=657413)
    yield case("round 657413 of quicknet", made=quicknet, terms={"beacons": []}, time=QUICKNET.published(657413) - 1)
    none = matches(ALL - SALT)
    yield case("no proof of the announcement", none, UNDATED, names=())
    yield case("a proof of the manifest that completes it", none, UNDATED, names=("manifest",))
    for about, time in (("at the second", SALT_PUBLISHED), ("a day after", SALT_PUBLISHED + 86400)):
        yield case(f"the announcement is dated {about} of the publication", none, UNDATED, time)
    yield case("a witness that is not named has dated the announcement", none, UNDATED, witnesses=[STRANGER])
    yield case("the chain is not named", none, UNDATED, terms={"beacons": []})
    made = world_of(rules, LOCKED, salt="drand")
    made.manifests = lambda: moved(made)
    yield case("the log of the announcement is another", made=made)
    made = world_of(rules, LOCKED, salt="drand")
    lines = issue(made.manifests() + played(made) + reveal(made))
    terms = {**terms_of(made), "manifest": hash_of(lines[1])}
    yield ("drand salt: a later manifest first, which is named", made, lines[1:], terms,
           matches(RECORDS | DECIDED | SEED), UNDATED)


def moved(world):
    """Manifests, of which the second lists another log."""
    drafts = World.manifests(world)
    drafts[1].body["log"] = {"origin": OTHER.origin, "pk": OTHER.key.public}
    return drafts


# Invalid signatures of round 20, and public keys. The first point is the signature of that round plus r times the
# point of G1 with x = 4, where r is the order of the group. Without a check of the subgroup a pairing accepts it.
SIGNATURES = {
    "with-a-part-outside-the-group": "83cb89254eef6c5251d31d08e60327c0f082095796227f8b15982b0f6e86fd97"
                                     "a6168e31e912f7e2a9f73fce3e91993d",
    "of-another-round": KIT.signatures[PLAY_ROUND + 1],
    "of-another-chain": QUICKNET.signatures[123],
    "with-another-sign": "97" + KIT.signatures[PLAY_ROUND][2:],
    "that-is-the-identity": "c0" + "00" * 47,
    "of-a-point-outside-the-group": "80" + "00" * 46 + "04",
    "of-no-point": "80" + "00" * 46 + "01",
    "that-is-not-compressed": "37" + KIT.signatures[PLAY_ROUND][2:],
    "above-the-field": "9f" + "ff" * 47,
    "of-zeros": "00" * 48,
}
KEYS = {"that-is-the-identity": "c0" + "00" * 95, "of-another-chain": QUICKNET.members["pk"],
        "outside-the-group": "80" + "00" * 94 + "02", "that-is-no-point": "80" + "00" * 94 + "01",
        "of-zeros": "00" * 96}


class Unmixed(Beacon):
    """A chain whose signatures an engine leaves out of the seeds."""

    def external(self, number):
        return b""


def forged(rules):
    """The name, the checks that fail, of which the first is the code, the lines, and the terms of the audit."""
    world = world_of(rules)

    def case(name, failed, *tampers, made=world, ends=(), rounds=None, time=PUBLISHED - 1):
        drafts = made.manifests() + (rounds or played(made)) + reveal(made)
        for tamper in tampers:
            drafts = tamper(drafts, made)
        given = proofs(made, drafts, ROUND[1:2], time)
        return f"beacon-{name}", failed, issue(drafts + given + list(ends)), terms_of(world)

    # Everything follows from the signature, which is not that of the round.
    for name, signature in SIGNATURES.items():
        made = world_of(rules, beacon=KIT.having({PLAY_ROUND: signature}))
        yield case(f"signature-{name}", "BEACON", made=made)
    for name, pk in KEYS.items():
        yield case(f"key-{name}", "BEACON", made=world_of(rules, beacon=KIT.having(pk=pk)))
    both = KIT.having({PLAY_ROUND: SIGNATURES["that-is-the-identity"]}, pk=KEYS["that-is-the-identity"])
    yield case("key-and-signature-that-are-the-identity", "BEACON", made=world_of(rules, beacon=both))
    deal = "T1/1/deal"
    unmixed = world_of(rules, beacon=Unmixed(KIT.members, KIT.signatures))
    left_out = body(deal, lambda b: b.pop("beacon"))
    yield case("signature-left-out", "BEACON", left_out, made=unmixed)
    yield case("signature-left-out-of-the-deal", "REPLAY BEACON", left_out)
    yield case("signature-left-out-of-the-seed", "REPLAY", made=unmixed)
    yield case("signature-exchanged-after-the-deal", "REPLAY BEACON", put(deal, ["beacon"], KIT.signatures[21]))
    plain = world_of(rules, LOCKED)
    added = body(deal, lambda b: b.update(beacon=KIT.signatures[PLAY_ROUND]))
    yield case("signature-where-the-ticket-names-no-round", "BEACON", added, made=plain)
    lines = issue(added(plain.manifests() + played(plain), plain))
    yield "beacon-signature-where-no-manifest-is-known", "BEACON", lines[2:], terms_of(world)
    # Tickets.
    for name, external, made in (
            ("no-round-where-the-policy-says-drand", {"type": "none"}, world),
            ("a-round-where-the-policy-says-none", KIT.named(PLAY_ROUND), plain),
            ("a-round-of-another-chain", QUICKNET.named(123), world)):
        yield case(f"ticket-with-{name}", "POLICY", put("T1/1/ticket", ["external"], external), made=made)
    opened = world.round(*EXPRESS, stop=("void", "ticket", "operator"), beacon_round=PLAY_ROUND + 1)
    yield case("two-tickets-of-different-rounds", "NO_FORK", rounds=again(opened, "first") + world.round(*EXPRESS),
               time=PUBLISHED)
    # Manifests.
    rule, day = "MANIFEST_RULES", 86400
    unlisted = [body(name, lambda m: m.pop("beacon")) for name in ("announcement", "manifest")]
    yield case("policy-without-a-beacon", f"{rule} POLICY", *unlisted)
    yield case("policy-without-a-beacon-and-no-round", f"{rule} POLICY", *unlisted, put(
        "T1/1/ticket", ["external"], {"type": "none"}))
    yield case("policy-without-a-beacon-in-the-announcement", rule, unlisted[0])
    yield case("policy-without-locks", rule, made=world_of(rules, {**DRAND, "lock": "off"}))
    yield case("changed-at-completion", rule, put("announcement", ["beacon", "period"], 4))
    for name, change in (("group", {"group": "11" * 32}), ("genesis", {"genesis": "1"})):
        yield case(f"with-another-{name}-later", rule, ends=[
            later(world, "m3", 3, "manifest", lambda m, change=change: m["beacon"].update(change))])
    yield case("dropped-later", rule, made=plain, ends=[later(plain, "m3", 3, "manifest", lambda m: m.pop("beacon"))])
    yield from _salts_forged(rules)
    # Forms.
    for name, members in (
            ("period-zero", {"period": 0}), ("period-of-more-than-a-day", {"period": day + 1}),
            ("period-as-a-text", {"period": "3"}), ("genesis-as-a-number", {"genesis": 1699999952}),
            ("group-of-31-bytes", {"group": "11" * 31}), ("id-empty", {"id": ""}), ("id-with-a-slash", {"id": "a/b"}),
            ("key-of-95-bytes", {"pk": "80" * 95}), ("key-of-48-bytes", {"pk": "80" * 48}),
            ("key-in-capitals", {"pk": KIT.members["pk"].upper()}), ("scheme", {"scheme": "bls-unchained-g1-rfc9380"})):
        yield case(f"malformed-{name}", "CANONICAL", body("manifest", lambda m, new=members: m["beacon"].update(new)))
    yield case("malformed-without-a-group", "CANONICAL", body("manifest", lambda m: m["beacon"].pop("group")))
    named = KIT.named(PLAY_ROUND)
    for name, external in (
            ("round-zero", {**named, "round": "0"}), ("round-as-a-number", {**named, "round": PLAY_ROUND}),
            ("round-above-63-bits", {**named, "round": str(2**63)}),
            ("no-round", {"chain": KIT.chain, "type": "drand"}),
            ("no-chain", {"round": "20", "type": "drand"}), ("another-type", {**named, "type": "beacon"}),
            ("a-chain-of-type-none", {**named, "type": "none"}), ("a-signature", {**named, "signature": "00" * 48}),
            ("a-text", "drand")):
        yield case(f"malformed-ticket-with-{name}", "CANONICAL", put("T1/1/ticket", ["external"], external))
    for name, signature in (("of-47-bytes", "80" * 47), ("of-49-bytes", "80" * 49), ("empty", ""),
                            ("in-capitals", KIT.signatures[PLAY_ROUND].upper())):
        yield case(f"malformed-signature-{name}", "CANONICAL", put(deal, ["beacon"], signature))
    yield case("malformed-policy", "CANONICAL", put("manifest", ["tenants", 0, "policy", "external"], "beacon"))


def _salts_forged(rules):
    """Salts of drand that are not what they have to be, or that were known before the announcement."""
    world = world_of(rules, LOCKED, salt="drand")
    rule, epoch = "MANIFEST_RULES", ["epochs", 0]
    source = [*epoch, "salt_source"]

    def case(name, failed, *tampers, made=world, ends=()):
        drafts = made.manifests() + played(made) + reveal(made)
        for tamper in tampers:
            drafts = tamper(drafts, made)
        given = proofs(made, drafts, ("announcement",) if drafts[0].name == "announcement" else (), SALT_PUBLISHED - 1)
        return f"drand-salt-{name}", failed, issue(drafts + given + list(ends)), terms_of(world)

    both, all_three = f"{rule} EPOCH_SALT", f"{rule} EPOCH_SALT SALT_AFTER_COMMIT"
    for name in ("with-a-part-outside-the-group", "that-is-the-identity", "of-another-round"):
        made = world_of(rules, LOCKED, salt="drand", beacon=KIT.having({SALT_ROUND: SIGNATURES[name]}))
        yield case(f"with-a-signature-{name}", both, made=made)
    listed = [put(name, ["beacon"], dict(QUICKNET.members)) for name in ("announcement", "manifest")]
    yield case("of-another-chain", both, *listed)
    yield case("without-a-beacon", both, *(
        body(name, lambda m: m.pop("beacon")) for name in ("announcement", "manifest")))
    other = world_of(rules, LOCKED, salt="drand")
    other.salt = KIT.salt(8)
    yield case("of-another-round", both, made=other)
    yield case("left-out", f"{rule} MANIFEST_LINK", body("manifest", lambda m: m["epochs"][0].pop("salt")))
    changed_too = f"{rule} SALT_AFTER_COMMIT"
    signed = {**KIT.named(SALT_ROUND), "signature": KIT.signatures[SALT_ROUND]}
    yield case("announced-with-its-signature", changed_too, put("announcement", source, signed))
    at_once = world_of(rules, LOCKED, salt="drand")
    at_once.manifests = lambda: [later(at_once, "manifest", 1, "0" * 64)]
    yield case("in-the-first-manifest", changed_too, made=at_once)
    yield case("with-another-round-at-completion", changed_too, put("announcement", [*source, "round"], "8"))
    party = {"type": "party", "pk": world.witness.public}
    yield case("in-place-of-a-witness", changed_too, put("announcement", source, party))
    yield case("changed-later", changed_too, ends=[later(
        world, "m3", 3, "manifest", first_epoch(salt=KIT.salt(8).hex(), salt_source={
            **KIT.named(SALT_ROUND), "signature": KIT.signatures[8]}))])
    for name, change in (("round-zero", {"round": "0"}), ("a-short-signature", {"signature": "80" * 47}),
                         ("a-value", {"value": "11" * 32})):
        yield case(f"malformed-with-{name}", "CANONICAL", body(
            "manifest", lambda m, change=change: m["epochs"][0]["salt_source"].update(change)))
