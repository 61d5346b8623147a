"""Cases of the public log: proofs that records are in it, and the signatures of its witnesses.

`cases` gives honest files, and `forged` those that have to be refused. This file states verdicts, claims, checks and
codes by hand, from the specification.
"""
from claims import ALL, LISTED, RECORDS, SALT, SEED, lacks, matches, played
from edges import later, under
from issuer import LOCKED, LOG, OFF, Draft, Key, Ref, World, issue
from public import Checkpointed, Log, Path, Root, cosigned
from seed_proofs import IDENTITY, NO_POINT, unread, void
from tampers import body, find, put, unsigned
from tellings import VOID, with_spent
from paigow_verify.encoding import enc, pae, sha256

# When the witness signs: a while after the epoch of a World opens.
TIME = 1700000100
STRANGER, SECOND, OTHER = Key("stranger"), Key("second witness"), Log("log.example/other", Key("other log"))
ROUND = ("T1/1/ticket", "T1/1/wagers", "T1/1/close")
IN_LOG = {"LOGGED": "passed", "LOCKED_BEFORE_BEACON": "skipped", "BEACON": "skipped"}
IN_NO_LOG = {**IN_LOG, "LOGGED": "skipped"}
LOGGED = {"logged"}
# The claims of a player's seat are not among these.
SHOWN = RECORDS | SEED | SALT | LISTED
NOT_CLOSED = "round 1: no settle record in the file"


def world_of(rules, policy=LOCKED, suite="derived", log=LOG, **options):
    return World(rules, policy, suite, listed=["express"], tables=["T1", "T2"], log=log, **options)


def proofs(world, drafts, names=ROUND, **options):
    return world.proofs(drafts, *names, **{"time": TIME, **options})


def changed(proof, **members):
    """A proof with other members, for which log and witnesses still sign. A function gets the old value."""
    for name, value in members.items():
        proof.body[name] = value(proof.body[name]) if callable(value) else value
    return proof


def under_log(world, log):
    """One more manifest, with another log or none."""
    change = (lambda m: m.update(log={"origin": log.origin, "pk": log.key.public})) if log else lambda m: m.pop("log")
    return [later(world, "m3", 3, "manifest", change)]


def cases(rules):
    """The description, the world, the lines of a transcript, the terms of the audit, its expected conclusion, and
    checks with their outcomes."""
    world = world_of(rules)
    full = {"witnesses": [world.witness.public], "my_seat": 1, "my_seat_key": world.seat_key(1).public}
    lab = {"witnesses": full["witnesses"]}
    logged = world.manifests() + played(world) + [world.reveal()]

    def case(about, drafts, expect=matches(ALL | LOGGED), checks=IN_LOG, terms=full, made=world):
        return f"log: {about}", made, issue(drafts), terms, expect, checks

    whole = proofs(world, logged)
    yield case("ticket, lock and close", logged + whole)
    about, made, lines, *more = case("the proofs first", logged + whole)
    yield about, made, lines[-3:] + lines[:-3], *more
    yield case("no seat is named", logged + whole, matches(SHOWN | LOGGED), terms=lab)
    for number, what in enumerate(("ticket", "lock", "close")):
        some = whole[:number] + whole[number + 1:]
        yield case(f"no proof of the {what}", logged + some, matches(ALL), IN_NO_LOG)
    yield case("no proof", logged, matches(ALL), IN_NO_LOG)
    yield case("no witness is named", logged + whole, matches(ALL - SALT), IN_NO_LOG, {**full, "witnesses": []})
    yield from _signers(world, case, logged, full)
    yield from _trees(world, case, logged)
    yield from _rounds(rules, world, case, lab)
    yield from _logs(world, case)


def _signers(world, case, logged, full):
    yield case("a witness that is not named has signed", logged + proofs(world, logged, witnesses=[STRANGER]),
               matches(ALL), IN_NO_LOG)
    yield case("no witness has signed", logged + [changed(one, cosignatures=[]) for one in proofs(world, logged)],
               matches(ALL), IN_NO_LOG)
    crowd = [Key(f"witness {number}") for number in range(15)]
    yield case("sixteen witnesses have signed, and the last is named", logged + proofs(
        world, logged, witnesses=[*crowd, world.witness]))
    both = {**full, "witnesses": [SECOND.public, world.witness.public]}
    yield case("two witnesses are named, and both have signed", logged + proofs(
        world, logged, witnesses=[world.witness, SECOND]), terms=both)
    yield case("another witness than that of the salt is named", logged + proofs(world, logged, witnesses=[SECOND]),
               matches((ALL - SALT) | LOGGED), terms={**full, "witnesses": [SECOND.public]})
    bad = {"pk": STRANGER.public, "sig": "00" * 64, "time": str(TIME)}
    yield case("the signature of a witness that is not named is bad", logged + [
        changed(one, cosignatures=lambda old: [bad, *old]) for one in proofs(world, logged)])
    for time in (0, 2**63 - 1):
        yield case(f"signed at {time}", logged + proofs(world, logged, time=time))


def _trees(world, case, logged):
    names = [draft.name for draft in logged]
    for sizes in ((1, 2, 3), (4, 5, 6), (7, 8, 9)):
        given = []
        for size, name in zip(sizes, ROUND):
            # The record is the last leaf, which may have no neighbour.
            entries = [draft for draft in logged if draft.name != name][:size - 1] + [find(logged, name)]
            given += proofs(world, entries, (name,))
        yield case("trees of {}, {} and {} leaves".format(*sizes), logged + given)
    every = [name for name in names if name not in ROUND]
    yield case("proofs of every record", logged + proofs(world, logged) + proofs(world, logged, every))
    yield case("two proofs of one record, of one checkpoint", logged + proofs(world, logged, ROUND + ROUND))
    # Each proof is judged by itself: nothing in the file shows which of the two trees is that of the log.
    turned = logged[::-1]
    yield case("two checkpoints of one size with different roots", logged + proofs(world, logged) + proofs(
        world, turned))
    yield case("different checkpoints for ticket, lock and close", logged + proofs(world, logged, ROUND[:1]) + proofs(
        world, turned, ROUND[1:2]) + proofs(world, logged[:9], ROUND[2:]))
    drafts = world.manifests() + with_entries(world) + [world.reveal()]
    long = [draft.name for draft in drafts if draft.name.startswith("long")]
    yield case("entries of 65,535 and of 65,536 bytes", drafts + proofs(world, drafts) + proofs(world, drafts, long))


def with_entries(world):
    """A round with two actions of a spent lock. The signed bytes of the first are 65,535, of the second 65,536."""
    head = len(pae("application/vnd.pge.action.v1+json", b"")) + 4

    def change(actions, lock):
        made = [Draft(f"long {number}", "action", b"x" * (65535 - head + number)) for number in range(2)]
        lock.body["actions"] = [Ref(draft.name) for draft in made]
        return made

    return with_spent(played(world), change)


def _rounds(rules, world, case, lab):
    reveal, deal = [world.reveal()], world.manifests() + played(world, stop="deal")
    for last, names in (("ticket", ROUND[::2]), ("wagers", ROUND), ("deal", ROUND)):
        drafts = world.manifests() + void(world, last) + reveal
        yield case(f"void after the {last}", drafts + proofs(world, drafts, names), matches(VOID | LOGGED))
    drafts = world.manifests() + unread(void(world, "wagers")) + reveal
    yield case("a lock of wagers that nobody reads, and its void", drafts + proofs(world, drafts),
               matches(VOID | LOGGED))
    shown = (SHOWN - {"outcome_recomputed"}) | LOGGED
    yield case("a round without its close", deal + reveal + proofs(world, deal, ROUND[:2]), lacks(NOT_CLOSED, shown),
               terms=lab)
    yield case("a ticket alone", deal[:3] + reveal + proofs(world, deal, ROUND[:1]), lacks(NOT_CLOSED, shown),
               terms=lab)
    two = world.manifests() + played(world) + played(world, 2) + reveal
    yield case("one round of two", two + proofs(world, two), matches(SHOWN), IN_NO_LOG, lab)
    for suite, claims in (("fresh", ALL - SEED - SALT), ("vrf", ALL)):
        made = world_of(rules, suite=suite)
        drafts = made.manifests() + played(made)
        yield case(f"the {suite} suite", drafts + proofs(made, drafts), matches(claims | LOGGED), made=made)
    soft = world_of(rules, {**OFF, "seat_auth": "optional"})
    drafts = soft.manifests() + played(soft) + [soft.reveal()]
    yield case("locks are off", drafts + proofs(soft, drafts), matches(SHOWN | LOGGED), terms=lab, made=soft)


def _logs(world, case):
    """Logs that manifests list one after the other."""
    def told(log, *more, moved=True):
        rounds = under(played(world), "m3") if moved else played(world)
        drafts = world.manifests() + under_log(world, log) + rounds + [world.reveal()]
        return drafts + sum((proofs(world, drafts, log=by) for by in more), [])

    none, first = matches(ALL), Log(LOG.origin, OTHER.key)
    yield case("another log than that of an earlier manifest", told(OTHER, OTHER))
    yield case("the log of an earlier manifest", told(OTHER, LOG), none, IN_NO_LOG)
    yield case("the log of a later manifest", told(OTHER, OTHER, moved=False), none, IN_NO_LOG)
    yield case("the logs of two manifests", told(OTHER, OTHER, LOG, moved=False))
    yield case("a log with another key", told(first, first))
    yield case("a log with another key, and a proof by its first", told(first, LOG), none, IN_NO_LOG)
    yield case("a manifest that lists a log no more", told(None, LOG), none, IN_NO_LOG)
    yield case("a later manifest that lists the log no more", told(None, LOG, moved=False))


def forged(rules):
    """The name, the checks that fail, of which the first is the code, the lines, and the terms of the audit."""
    world = world_of(rules)
    terms = {"witnesses": [world.witness.public]}
    logged = world.manifests() + played(world) + [world.reveal()]

    def case(name, given, failed="LOGGED", drafts=logged):
        return f"log-proof-{name}", failed, issue(drafts + given), terms

    def one(name, failed="LOGGED", **members):
        """The proof of the lock with other members, for which the log signs."""
        [proof] = proofs(world, logged, ROUND[1:2])
        return case(name, [changed(proof, **members)], failed)

    other = played(world, table="T2")
    for draft in other:
        draft.hidden = True
    yield case("of-a-record-of-another-file", proofs(world, logged + other, ("T2/1/wagers",)), drafts=logged + other)
    # The tree.
    yield one("at-another-index", index="4")
    yield one("at-the-index-of-the-size", index=str(len(logged)))
    for name, size in (("of-one-leaf", 1), ("of-twice-the-leaves", 2 * len(logged)), ("of-2-63-leaves", 2**63 - 1)):
        yield one(f"in-a-tree-{name}", size=str(size))
    yield one("of-another-record", record=Ref("T1/1/deal"))
    yield one("with-another-root", root="11" * 32)
    path = Path([draft.name for draft in logged], 3)
    for name, change in (("without-a-path", lambda _: []), ("with-a-path-too-short", lambda path: path[:-1]),
                         ("with-a-path-too-long", lambda path: [*path, "11" * 32]),
                         ("with-a-path-from-above", lambda path: path[::-1]),
                         ("with-another-path", lambda path: ["11" * 32, *path[1:]])):
        yield one(name, path=Changed(path, change))
    for name, made in (("without-the-zero-byte", sha256), ("of-a-node", lambda signed: sha256(b"\1" + signed)),
                       ("of-the-hash", lambda signed: sha256(b"\0" + sha256(signed))),
                       ("of-a-long-entry", lambda signed: sha256(b"\0" + enc("pge/v1/log-entry", sha256(signed))))):
        names = [draft.name for draft in logged]
        yield one(f"with-a-leaf-{name}", path=Path(names, 3, made), root=Root(names, made))
    drafts = world.manifests() + with_entries(world) + [world.reveal()]
    names = [draft.name for draft in drafts]
    [long] = proofs(world, drafts, ("long 1",))
    whole = lambda signed: sha256(b"\0" + signed)  # noqa: E731
    yield case("of-the-whole-of-a-long-entry", [changed(
        long, path=Path(names, names.index("long 1"), whole), root=Root(names, whole))], drafts=drafts)
    # The log.
    yield one("of-another-origin", origin=OTHER.origin)
    yield one("by-a-log-that-no-manifest-lists", origin=OTHER.origin, sig=Checkpointed(OTHER.key))
    yield one("by-another-key", sig=Checkpointed(OTHER.key))
    yield one("by-the-witness", sig=Checkpointed(world.witness))
    yield one("with-a-signature-of-zeros", sig="00" * 64)
    for name, form in (("without-its-last-line-feed", lambda text, _: text[:-1]),
                       ("with-another-line", lambda text, _: text + "extension\n"),
                       ("of-a-larger-tree", lambda text, _: text.replace(f"\n{len(logged)}\n", "\n99\n")),
                       ("with-a-signature-line", lambda text, _: text + "\n"),
                       ("as-of-a-witness", lambda text, _: cosigned(text, TIME))):
        yield one(f"for-a-checkpoint-{name}", sig=Checkpointed(LOG.key, form))
    unlisted = world_of(rules, log=None)
    drafts = unlisted.manifests() + played(unlisted) + [unlisted.reveal()]
    yield case("where-no-manifest-lists-a-log", proofs(unlisted, drafts, ROUND[:1], log=LOG), drafts=drafts)
    # The witness.
    good = {"pk": world.witness.public, "sig": Checkpointed(world.witness), "time": str(TIME)}
    for name, change in (
            ("of-zeros", {"sig": "00" * 64}), ("by-another-key", {"sig": Checkpointed(STRANGER)}),
            ("at-another-time", {"sig": Checkpointed(world.witness, lambda text, _: cosigned(text, TIME - 1))}),
            ("without-a-time", {"sig": Checkpointed(world.witness, lambda text, _: text)}),
            ("of-another-version", {"sig": Checkpointed(
                world.witness, lambda text, time: cosigned(text, time).replace("v1", "v2"))}),
            ("of-another-checkpoint", {"sig": Checkpointed(
                world.witness, lambda text, time: cosigned(text.replace("kit\n", "kit2\n"), time))})):
        yield one(f"with-a-cosignature-{name}", cosignatures=[{**good, **change}])
    [bad] = proofs(world, logged, ROUND[1:2])
    yield case("with-a-bad-cosignature-beside-good-proofs", proofs(world, logged) + [
        changed(bad, cosignatures=[{**good, "sig": "00" * 64}])])
    # The record.
    for name, keys in (("by-the-engine", [world.receipt]), ("by-the-log", [LOG.key])):
        [signed] = proofs(world, logged, ROUND[1:2])
        signed.keys = keys
        yield case(f"signed-{name}", [signed], "SIGNATURES")
    inside = world.manifests() + played(world)
    yield case("inside-a-round", [], "FORMAT", inside[:4] + proofs(world, inside[:4], ROUND[:1]) + inside[4:])
    for name, members in (
            ("size-zero", {"size": "0"}), ("size-as-a-number", {"size": 12}), ("index-as-a-number", {"index": 3}),
            ("index-below-zero", {"index": "-1"}), ("index-above-63-bits", {"index": str(2**63)}),
            ("path-of-64", {"path": ["11" * 32] * 64}), ("path-of-a-short-hash", {"path": ["11" * 31]}),
            ("root-in-capitals", {"root": "AB" * 32}), ("sig-of-63-bytes", {"sig": "00" * 63}),
            ("origin-empty", {"origin": ""}), ("origin-with-a-space", {"origin": "log example"}),
            ("origin-of-129-letters", {"origin": "x" * 129}), ("origin-with-a-plus", {"origin": "log+example"}),
            ("cosignatures-twice", {"cosignatures": [good, {**good, "time": str(TIME + 1)}]}),
            ("cosignatures-of-17", {"cosignatures": [
                {**good, "pk": Key(f"witness {number}").public} for number in range(17)]}),
            ("cosignature-time-as-a-number", {"cosignatures": [{**good, "time": TIME}]}),
            ("cosignature-of-no-point", {"cosignatures": [{**good, "pk": NO_POINT}]}),
            ("cosignature-of-small-order", {"cosignatures": [{**good, "pk": IDENTITY}]}),
            ("cosignature-with-more", {"cosignatures": [{**good, "kid": "00" * 8}]}),
            ("with-a-checkpoint", {"checkpoint": "x"})):
        yield one(f"malformed-{name}", "CANONICAL", **members)
    for name in ("cosignatures", "origin"):
        [proof] = proofs(world, logged, ROUND[:1])
        del proof.body[name]
        yield case(f"malformed-without-{name}", [proof], "CANONICAL")
    yield from _manifests(rules, world, terms)


class Changed(Path):
    """A path that is changed once it is known."""

    def __init__(self, path, change):
        super().__init__(path.names, path.at, path.made)
        self.change = change

    def resolved(self, signed):
        return self.change(super().resolved(signed))


def _manifests(rules, world, terms):
    """Manifests with a log that is malformed, or whose key has another role; and records of a log that are refused."""
    def told(name, failed, *tampers, made=world, drafts=None, given=()):
        drafts = made.manifests() + (drafts or played(made))
        for tamper in tampers:
            drafts = tamper(drafts, made)
        return f"log-{name}", failed, issue(drafts + list(given)), terms

    for name, log in (
            ("without-an-origin", {"pk": LOG.key.public}), ("without-a-key", {"origin": LOG.origin}),
            ("with-an-empty-origin", {"origin": "", "pk": LOG.key.public}),
            ("with-an-origin-of-two-lines", {"origin": "log\nexample", "pk": LOG.key.public}),
            ("with-an-origin-of-129-letters", {"origin": "x" * 129, "pk": LOG.key.public}),
            ("with-a-key-of-small-order", {"origin": LOG.origin, "pk": IDENTITY}),
            ("with-a-key-id", {"origin": LOG.origin, **LOG.key.listed()}), ("as-a-text", LOG.origin)):
        yield told(name, "CANONICAL", body("manifest", lambda m, log=log: m.update(log=log)))
    vrf = world_of(rules, suite="vrf")
    for made, role in ((world, "root"), (world, "receipt"), (world, "ledger"), (world, "witness"), (vrf, "vrf_key")):
        key = getattr(made, role)
        yield told(f"key-that-is-the-{role.replace('_', '-')}", "MANIFEST_RULES", *(
            put(name, ["log", "pk"], key.public) for name in ("announcement", "manifest")), made=made)

    def with_seat_key(drafts, _):
        find(drafts, "T1/1/ticket").body["seat_keys"]["1"] = {"key": LOG.key.public}
        find(drafts, "T1/1/action 1").keys = [LOG.key]
        return drafts

    yield told("key-as-a-seat-key", "POLICY", with_seat_key)
    # If the manifests are refused, no proof is checked.
    [bad] = proofs(world, world.manifests() + played(world), ROUND[:1])
    bad.keys, bad.body["root"] = [STRANGER], "11" * 32
    yield told("proof-that-is-bad-where-a-manifest-is-refused", "MANIFEST_SIG", unsigned("manifest", "stranger"),
               given=[bad])
    drafts = world.manifests() + played(world)
    yield told("lock-by-a-stranger", "SIGNATURES", unsigned("T1/1/wagers", "stranger"), given=proofs(world, drafts))
