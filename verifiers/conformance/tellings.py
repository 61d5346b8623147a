"""Cases of locks that are spent, of absent players, and of rounds with more than one telling in a file.

`cases` gives the description, the world, the lines of a transcript, the terms of the audit, and its expected
conclusion. `forged` gives the name, the code of the check that has to notice it first, and the lines. This file
states all of that by hand, from the specification (PGE-FAIR-1, D1, D6, D22 and D23).
"""
from claims import ALL, DECIDED, comes_to, fails, hash_of, matches, played, waits
from edges import EXPRESS, first_epoch, later
from issuer import LOCKED, OFF, Draft, Key, Ref, Tree, World, copy_of, issue
from public import path_of
from paigow_verify import shuffle
from paigow_verify.encoding import canonical, sha256

ABSENT = {**LOCKED, "absent": "optional"}
OTHER = sha256(b"another").hex()
# The claims that rest on locks that cover every decision.
LOCKED_IN = {"outcome_recomputed", *DECIDED}
# The claims of a file whose only round is void.
VOID = {"records_authentic"}


def find(drafts, name):
    return next(draft for draft in drafts if draft.name == name)


def close_lock(drafts):
    return next(draft for draft in reversed(drafts) if draft.kind == "lock")


def with_spent(drafts, *changes):
    """The round with spent groups before the group of its last lock. Each change gets the actions and the
    final lock of its group."""
    deal = next(place for place, draft in enumerate(drafts) if draft.kind == "deal")
    group = [draft for draft in drafts if draft.kind == "action" or draft.name.endswith("/final")]
    before = [draft.name for draft in drafts[:deal + 1]]
    names, groups = [], []
    for number, change in enumerate(changes, 1):
        *actions, lock = copy_of(group)
        for draft in (*actions, lock):
            draft.name = f"spent {number} {draft.name}"
        lock.body["supersedes"] = [Ref(name) for name in names]
        lock.body["actions"] = None
        actions = change(actions, lock) or actions
        if lock.body["actions"] is None:
            lock.body["actions"] = [Ref(action.name) for action in actions]
        if not lock.body["supersedes"]:
            del lock.body["supersedes"]
        names.append(lock.name)
        groups += [*actions, lock]
    last = close_lock(drafts)
    if names:
        last.body["supersedes"] = [Ref(name) for name in names]
    return [*(find(drafts, name) for name in before), *groups, *drafts[deal + 1:]]


def put(place, **members):
    """Changes one action of a group; a member that is `None` is left out."""
    def change(actions, lock):
        body = actions[place].body
        body |= members
        for name in [name for name, value in body.items() if value is None]:
            del body[name]
    return change


def low(*cards):
    return put(1, house_way=None, low=sorted(cards))


def without(place):
    return lambda actions, lock: [action for at, action in enumerate(actions) if at != place]


def bytes_of(place, payload):
    def change(actions, lock):
        actions[place].body = payload
    return change


def lock_with(**members):
    return lambda actions, lock: lock.body.update(members)


def again(drafts, name):
    """Another telling of a round: the same records under other names, whose links stay among them."""
    known, told = {draft.name for draft in drafts}, copy_of(drafts)
    for draft in told:
        draft.name = f"{name} {draft.name}"
        for member, value in draft.body.items():
            draft.body[member] = _renamed(value, known, name)
    return told


def _renamed(value, known, name):
    if isinstance(value, Ref):
        return Ref(f"{name} {value.name}") if value.name in known else value
    return [_renamed(item, known, name) for item in value] if isinstance(value, list) else value


def countersigned(drafts, world):
    for draft in drafts:
        if draft.kind == "action":
            draft.keys = [*draft.keys, world.ledger]
    return drafts


def with_clause(drafts, *seats):
    ticket = drafts[0].body
    for seat in seats:
        ticket["seat_keys"][str(seat)]["absent"] = "house_way"
    return drafts


def absent(drafts, *seats):
    """The final lock lists the seats as absent; nobody signs for them."""
    close_lock(drafts).body["absent"] = list(seats)
    for draft in drafts:
        if draft.kind == "action" and draft.body["seat"] in seats:
            draft.keys = []
    return drafts


def cases(rules):
    world = World(rules, LOCKED, listed=["express"], tables=["T1", "T2"])
    full = {"witnesses": [world.witness.public], "my_seat": 1, "my_seat_key": world.seat_key(1).public}

    def file(drafts, *more, made=world, reveal=True):
        return issue(made.manifests() + drafts + list(more) + ([made.reveal()] if reveal else []))

    yield from _proofs(world, full)
    yield from _places(world, full)
    for about, made, lines, expect in (*_spent(rules, world, file), *_absent(rules, file),
                                       *_tellings(rules, world, file)):
        yield about, made, lines, full, expect


def _spent(rules, world, file):
    hand = find(played(world), "T1/1/deal").body["visible"]
    own, others = hand["3"], hand["1"]

    def spent(about, *changes, expect=matches(ALL), drafts=None):
        return f"spent: {about}", world, file(with_spent(drafts or played(world), *changes)), expect

    yield spent("no action at all is one of text", bytes_of(1, b"none"))
    yield spent("an action with a member too many", put(1, note="x"))
    yield spent("an action of another deal", put(1, prev=OTHER))
    yield spent("seats that descend", lambda actions, lock: actions[::-1])
    yield spent("one action listed twice", lambda actions, lock: lock.body.update(
        actions=[Ref(actions[0].name), Ref(actions[1].name), Ref(actions[1].name)]))
    yield spent("another house way", put(1, house_way=OTHER))
    yield spent("a seat without a wager", put(1, seat=5))
    yield spent("a seat that is missing", without(1))
    yield spent("no seat at all", lambda actions, lock: actions.clear() or [])
    yield spent("a double down where there is none", put(1, double_down=True))
    yield spent("three low cards", low(*own[:3]))
    yield spent("one low card", low(own[0]))
    yield spent("low cards of another seat", low(*others[:2]))
    yield spent("a seat that is absent without a clause", lock_with(absent=[3]))
    yield spent("an action that was not signed", lambda actions, lock: (
        put(1, seat=5)(actions, lock), [setattr(action, "keys", []) for action in actions])[0])
    # The first decision of a seat that is legal counts: the second of the two is not kept.
    second = {"prev": Ref("T1/1/deal"), "seat": 3, "low": sorted(own[:2])}
    yield spent("two legal actions of one seat", lambda actions, lock: [
        *actions, Draft("spent 1 second", "action", dict(second))])
    yield spent("seven locks", *[without(1)] * 6, without(0))
    yield spent("the same action in each of three groups", without(1), without(1), without(0))
    yield spent("a lock that drops a legal action", without(0), low(*own[:2]))
    # A void after spent locks.
    for number in (1, 8):
        drafts = with_spent(played(world), *[without(1)] * number)
        drafts = voided_over(drafts, world)
        yield f"spent: {number} locks, and a void", world, file(drafts), matches(VOID)
    revoked = later(world, "m3", 3, "manifest", first_epoch(status="revoked"))
    drafts = voided_over(with_spent(played(world), lambda actions, lock: None), world)
    yield "a void over a good final lock of an epoch that is revoked", world, file(drafts, revoked), matches(VOID)
    for step in ("wagers", "odd"):
        drafts = played(world, stop=("void", "wagers", "operator"))
        find(drafts, "T1/1/wagers").body = {"step": step}
        drafts[-1].body["returns"] = {}
        yield f"a lock of wagers that nobody reads, of step {step}, and its void", world, file(drafts), matches(VOID)
    drafts[-3].body = b"\xff not a text"
    yield "a lock of wagers that is no JSON, and its void", world, file(drafts), matches(VOID)


def voided_over(drafts, world, reason="operator"):
    """A void in place of the close, over the same deal and the same locks."""
    lock = close_lock(drafts)
    spent = lock.body.get("supersedes")
    void = played(world, stop=("void", "deal", reason))[-2:]
    if spent:
        void[0].body["supersedes"] = spent
    actions = [draft for draft in drafts if draft.kind == "action" and not draft.name.startswith("spent")]
    return [draft for draft in drafts[:-2] if draft not in actions] + void


def _absent(rules, file):
    world = World(rules, ABSENT, listed=["express"], tables=["T1", "T2"])
    required = World(rules, {**ABSENT, "absent": "required"}, listed=["express"], tables=["T1", "T2"])

    def made(**options):
        return played(world, seat_keys=(1, 3), **options)

    yield "a clause that was not needed", world, file(with_clause(made(), 3), made=world), matches(ALL)
    yield "a seat that is absent", world, file(absent(with_clause(made(), 3), 3), made=world), matches(ALL)
    drafts = with_clause(played(required, seat_keys=(1, 3)), 1, 3)
    yield "clauses that are required", required, file(absent(drafts, 3), made=required), matches(ALL)
    mine = world.round(*EXPRESS, seeds=(1,), seat_keys=(1, 3))
    yield "the seat of the player is absent", world, file(
        absent(with_clause(mine, 1, 3), 1), made=world), matches(ALL - DECIDED)
    yield "two seats that are absent", world, file(
        absent(with_clause(world.round(*EXPRESS, seeds=(1,), seat_keys=(1, 3)), 1, 3), 1, 3), made=world), matches(
            ALL - DECIDED)
    signed = with_clause(made(), 3)
    close_lock(signed).body["absent"] = [3]
    yield "a seat that is absent and signed all the same", world, file(signed, made=world), matches(ALL)
    wrongly = lambda actions, lock: lock.body.update(absent=[1])  # noqa: E731
    yield "spent: a seat that is absent with low cards", world, file(
        with_spent(with_clause(made(), 1), wrongly), made=world), matches(ALL)
    yield "actions that the ledger countersigned", world, file(countersigned(made(), world), made=world), matches(ALL)
    drafts = played(world, seat_keys=())
    drafts = countersigned(drafts, world)
    yield "actions that the ledger alone signed", world, file(drafts, made=world), matches(ALL - DECIDED)


def _tellings(rules, world, file):
    # A round that is opened again with another ruleset, without client commitments.
    both = World(rules, LOCKED, listed=["express", "mikes"], tables=["T1", "T2"])
    shown = {"records_authentic", "outcome_recomputed", "seed_not_chosen", "place_listed", "salt_independent"}

    def opened(made, name="first", **options):
        sheet = {2: [("base", 20000)]}
        return again(made.round("mikes", sheet, {"bank_minor": 5000, "action_pile": 2}, stop="ticket", **options), name)

    def plain():
        return both.round(*EXPRESS)

    yield "a round that is opened again", both, file(opened(both), *plain(), made=both), matches(shown)
    yield "a round that is opened again, told the other way round", both, file(
        plain(), *opened(both), made=both), matches(shown)
    yield "a round that is opened again, not revealed", both, file(
        opened(both), *plain(), made=both, reveal=False), waits(
            shown - {"seed_not_chosen"}, {"seed_not_chosen", "nothing_left_out"})
    yield "a round that is opened three times", both, file(
        opened(both), *opened(both, "second", seat_keys=(2,)), *plain(), made=both), matches(shown)
    yield "no telling has a close", both, file(
        opened(both), *both.round(*EXPRESS, stop="deal"), made=both), comes_to(
            "incomplete", "round 1: no settle record in the file",
            {"records_authentic", "seed_not_chosen", "place_listed", "salt_independent"})
    off = World(rules, OFF, listed=["express", "mikes"], tables=["T1", "T2"])
    yield "a round that is opened again where locks are off", off, file(
        opened(off), *off.round(*EXPRESS), made=off), matches(shown)
    # Tellings of one ticket with fewer records.
    full = played(world)
    for stop in (2, 3, 4, 5, 6):
        yield f"the first {stop} records of a round, and the round", world, file(
            again(full[:stop], "part"), *played(world)), matches(ALL)
    accepted = again(countersigned(played(world)[:5], world), "accepted")
    yield "actions that the ledger accepted, and the round", world, file(accepted, *played(world)), matches(ALL)
    illegal = again(countersigned(played(world)[:5], world), "accepted")
    illegal[-1].body |= {"house_way": OTHER}
    yield "an action that the ledger accepted though the rules refuse it", world, file(
        illegal, *played(world)), matches(ALL)
    missing = with_spent(played(world), without(1))
    yield "an action that the ledger accepted, and a spent lock without it", world, file(accepted, *missing), matches(ALL)
    # It is unknown which action the spent lock kept, and whether the lock after it can settle. So no fork is shown.
    unknown = with_spent(played(world), lambda actions, lock: lock.body.update(actions=[OTHER]) or actions.clear())
    decided = again(countersigned(played(world)[:5], world), "accepted")
    decided[-1].body = {"prev": decided[-1].body["prev"], "seat": 3,
                        "low": sorted(find(decided, "accepted T1/1/deal").body["visible"]["3"][:2])}
    yield "an action that the ledger accepted, and a spent lock whose action is not in the file", world, file(
        decided, *unknown), fails("LOCK_COVERS_ACTIONS", ALL - LOCKED_IN)
    # One telling of phase 2 as far as a spent lock, and one to its end.
    told = with_spent(played(world), without(1))
    cut = again(told[:5], "part")
    yield "a spent lock alone, and the round", world, file(cut, *told), matches(ALL)
    # Voids.
    revoked = later(world, "m3", 3, "manifest", first_epoch(status="revoked"))
    dropped = later(world, "m3", 3, "manifest", lambda m: m["tenants"][0].update(ledger_keys=[Key("new ledger").listed()]))
    unlisted = later(world, "m3", 3, "manifest", lambda m: m.update(tenants=[]))
    for about, manifest in (("revokes the epoch", revoked), ("drops the ledger's key", dropped),
                            ("drops the tenant", unlisted)):
        void = played(world, stop=("void", "wagers", "operator"))
        dealt = again(played(world, stop="deal"), "dealt")
        yield f"a void over the wagers, a deal, and a manifest that {about}", world, file(
            void, *dealt, manifest), matches(VOID)


def proven(world, drafts, close):
    """The lines of a file with all of it, by the names of their records, and the proof of each round."""
    whole = [*world.manifests(), *drafts, world.reveal(), close]
    lines = dict(zip((draft.name for draft in whole), issue(whole)))
    hashes = {name: hash_of(line) for name, line in lines.items()}
    leaves = [{name: sorted(map(hashes.get, value)) if isinstance(value, set) else value
               for name, value in leaf.items()} for leaf in close.body["root"].leaves]
    tops = [sha256(b"\0" + canonical(leaf)) for leaf in leaves]
    proofs = [{"index": str(at), "leaf": leaf, "path": [one.hex() for one in path_of(tops, at)]}
              for at, leaf in enumerate(leaves)]
    return lines, proofs


def text(proof):
    return canonical(proof).decode()


def _proofs(world, full):
    """Proofs that rounds are in the tree of the close: the file has one table of two."""
    one = sum((played(world, number) for number in (1, 2, 3)), [])
    two = sum((played(world, number, table="T2") for number in (1, 2)), [])
    lines, proofs = proven(world, one + two, world.close(one + two))
    everything, lab = ALL | {"nothing_left_out"}, {"witnesses": full["witnesses"]}
    shown = {"records_authentic", "outcome_recomputed", "seed_not_chosen", "salt_independent", "place_listed"}

    def file(*names):
        return [line for name, line in lines.items() if not name.startswith(("T1/", "T2/")) or name.startswith(names)]

    def case(about, names, given, expect, terms=full):
        return f"inclusion: {about}", world, file(*names), {**terms, "proofs": given}, expect

    texts = list(map(text, proofs))
    yield case("each round of a table", ("T1/",), texts[:3], matches(everything))
    yield case("each round of the other table", ("T2/",), texts, matches(everything))
    yield case("the proof of a round is missing", ("T1/",), texts[:2], matches(ALL))
    yield case("no proof", ("T1/",), [], matches(ALL))
    yield case("each round of the epoch, and proofs besides", ("T1/", "T2/"), texts, matches(everything))
    yield case("one round and its proof", ("T1/2/",), texts[1:2], matches(ALL), full)
    yield case("the last rounds and their proofs", ("T1/2/", "T1/3/"), texts, matches(shown), lab)
    before = {"after": {shuffle.round_id(1, "acme", "T1", 1).hex(): hash_of(lines["T1/1/close"])}}
    yield case("the last rounds and their proofs, and the first audited before", ("T1/2/", "T1/3/"), texts,
               matches(shown | {"nothing_left_out"}), {**lab, **before})
    for about, change in (("another index", {"index": "4"}), ("an index beyond the tree", {"index": "5"}),
                          ("a path too short", {"path": proofs[0]["path"][:-1]}),
                          ("a path too long", {"path": [*proofs[0]["path"], OTHER]}),
                          ("a path in another order", {"path": proofs[0]["path"][::-1]}),
                          ("another path", {"path": [OTHER, *proofs[0]["path"][1:]]}),
                          ("another leaf", {"leaf": {**proofs[0]["leaf"], "deals": []}})):
        yield case(about, ("T1/",), [text(proofs[0] | change), *texts[1:3]], matches(ALL))
    good = [text(proofs[0] | {"index": "4"}), *texts[:3]]
    yield case("a proof that does not hold beside one that does", ("T1/",), good, matches(everything))
    stranger = {**full, "witnesses": [Key("stranger").public]}
    yield case("a witness that is not named", ("T1/",), texts, matches(ALL - {"salt_independent"}), stranger)
    # Another telling with a record that the leaf does not list.
    reopened = issue(world.manifests() + [draft for draft in again(one[:1], "again")])[-1]
    yield (*case("a ticket that the leaf lists already", ("T1/",), texts[:3], matches(everything))[:2],
           [*file("T1/"), reopened], {**full, "proofs": texts[:3]}, matches(everything))


def _places(world, full):
    """Trees in which a leaf is not where the tables of the close put it, or lists other records: table T1
    has three rounds, table T2 two. Another telling of round 2 of T1 is void."""
    rounds = [played(world, number) for number in (1, 2, 3)]
    others = [played(world, number, table="T2") for number in (1, 2)]
    void = played(world, 2, name="void T1/2", stop=("void", "deal", "operator"))
    drafts = [*sum(rounds + others, []), *void]
    honest = world.close(sum(rounds + others, []))
    own = honest.body["root"].leaves
    other = {**own[1], "tickets": set(), "locks": set(), "deals": set(), "closes": set()}
    for draft in void:
        if draft.kind in ("ticket", "lock", "deal"):
            other[f"{draft.kind}s"] = other[f"{draft.kind}s"] | {draft.name}
        elif draft.kind == "settle":
            other["closes"] = {draft.name}

    def case(about, leaves, given, expect, terms=full, names=("T1/",), **change):
        """The close of a tree of these leaves. The player has the rounds of `names`, and the proofs of the
        leaves at the places `given`."""
        count = {**honest.body["rounds"], "settled": str(len(leaves))}
        body = honest.body | {"leaves": str(len(leaves)), "root": Tree(leaves), "rounds": count} | change
        close = Draft("epoch close", "epoch-close", body, honest.keys)
        lines, proofs = proven(world, drafts, close)
        file = [line for name, line in lines.items()
                if not name.startswith(("T1/", "T2/", "void ")) or name.startswith(names)]
        return f"place of a leaf: {about}", world, file, {**terms, "proofs": [text(proofs[at]) for at in given]}, expect

    everything, mismatch = matches(ALL | {"nothing_left_out"}), fails("EPOCH_CLOSE", ALL)
    yield case("all as it should be", own, [0, 1, 2], everything)
    # Two leaves of one round: the holder of the second sees a place that no honest tree gives it.
    two = [own[0], own[1], own[2], other, own[4]]
    yield case("a second leaf of a round, and the player has the first", two, [0, 1, 2], everything)
    yield case("a second leaf of a round, and the player has the second", two, [0, 3], mismatch,
               names=("T1/1/", "void "))
    yield case("a second leaf of a round, and both proofs", two, [1, 3], mismatch, names=("T1/2/",))
    between = [own[0], own[1], other, own[2], own[3]]
    yield case("a second leaf beside the first puts later leaves behind their places", between, [0, 1, 3], mismatch)
    yield case("the same, without a witness", between, [0, 1, 3], fails("EPOCH_CLOSE", ALL - {"salt_independent"}),
               {**full, "witnesses": []})
    turned = [own[3], own[4], own[0], own[1], own[2]]
    yield case("the tables in another order, behind their places", turned, [2, 3, 4], mismatch)
    yield case("the tables in another order, before their places", turned, [0, 1], mismatch, names=("T2/",))
    # Evidence that was lost leaves a number without a leaf: later leaves move one place forward.
    lost = [own[0], own[2], own[3], own[4]]
    yield case("a number without a leaf, and a table behind it", lost, [2, 3], matches(ALL), names=("T2/",))
    yield case("a number without a leaf, and no proof", lost, [], matches(ALL), names=("T2/",))
    further = [own[0], own[3], own[4], own[2]]
    yield case("a leaf further before its place than numbers are without a leaf", further, [1, 2], mismatch,
               names=("T2/",))
    # Leaves that list other records.
    for about, leaf, expect in (
            ("another close", {"closes": other["closes"]}, mismatch),
            ("the close and another", {"closes": own[1]["closes"] | other["closes"]}, matches(ALL)),
            ("no close", {"closes": set()}, matches(ALL)),
            ("one more ticket", {"tickets": own[1]["tickets"] | other["tickets"]}, matches(ALL)),
            ("another deal", {"deals": other["deals"]}, matches(ALL))):
        leaves = [own[0], {**own[1], **leaf}, *own[2:]]
        yield case(f"the leaf lists {about}", leaves, [0, 1, 2], expect)
    for about, change in (("another epoch", {"epoch": 2}), ("another tenant", {"tenant": "acme2"}),
                          ("another table", {"table": "T3"}), ("another round", {"round_no": "4"})):
        leaves = [{**own[0], **change}, *own[1:]]
        yield case(f"a proof of {about} in the place of the round", leaves, [0, 1, 2], matches(ALL))


def forged(rules):
    world = World(rules, LOCKED, listed=["express"], tables=["T1", "T2"])
    hand = find(played(world), "T1/1/deal").body["visible"]["3"]

    def file(drafts, *more, made=world):
        return issue(made.manifests() + drafts + list(more) + [made.reveal()])

    def spent(*changes, last=None, **options):
        drafts = with_spent(played(world, **options), *changes)
        if last:
            last(close_lock(drafts).body)
        return file(drafts)

    good = lambda actions, lock: None  # noqa: E731
    # A lock that is superseded and can still be settled.
    yield "spent-lock-that-can-be-settled", "SUPERSEDES", spent(good)
    yield "spent-lock-whose-actions-are-unsigned", "SUPERSEDES", spent(
        lambda actions, lock: [setattr(action, "keys", []) for action in actions] and None)
    yield "spent-lock-whose-actions-a-stranger-signed", "SUPERSEDES", spent(
        lambda actions, lock: [setattr(action, "keys", [Key("stranger")]) for action in actions] and None)
    yield "spent-lock-of-a-foul-hand", "SUPERSEDES", spent(low(*_foul(hand)))
    yield "spent-lock-behind-a-good-one", "SUPERSEDES", spent(good, without(1))
    yield "void-over-a-good-lock", "SUPERSEDES", file(voided_over(with_spent(played(world), good), world))
    # The list of superseded locks.
    yield "supersedes-left-out", "SUPERSEDES", spent(without(1), last=lambda body: body.pop("supersedes"))
    yield "supersedes-another-lock", "SUPERSEDES", spent(without(1), last=lambda body: body.update(supersedes=[OTHER]))
    yield "supersedes-in-another-order", "SUPERSEDES", spent(
        without(1), without(0), last=lambda body: body["supersedes"].reverse())
    yield "supersedes-only-the-last", "SUPERSEDES", spent(
        without(1), without(0), last=lambda body: body["supersedes"].pop(0))
    yield "supersedes-where-no-lock-was", "SUPERSEDES", spent(last=lambda body: body.update(supersedes=[OTHER]))
    yield "the-second-spent-lock-lists-none", "SUPERSEDES", spent(without(1), lock_with(supersedes=[]))
    yield "supersedes-none-in-words", "CANONICAL", spent(last=lambda body: body.update(supersedes=[]))
    yield "supersedes-a-lock-twice", "CANONICAL", spent(
        without(1), last=lambda body: body.update(supersedes=body["supersedes"] * 2))
    yield "supersedes-nine-locks", "CANONICAL", spent(last=lambda body: body.update(
        supersedes=[sha256(b"%d" % number).hex() for number in range(9)]))
    yield "a-final-lock-after-eight-that-are-spent", "SUPERSEDES", spent(*[without(1)] * 8)
    yield "nine-spent-locks", "FORMAT", spent(*[without(1)] * 9)
    # The actions that a later lock keeps.
    yield "legal-action-changed-after-a-spent-lock", "SUPERSEDES", spent(
        lambda actions, lock: (low(*hand[:2])(actions, lock), actions[1:])[1])
    # Form of the groups.
    yield "an-action-twice-in-a-group", "FORMAT", spent(
        lambda actions, lock: [*actions, *copy_of(actions[:1])])
    yield "an-action-behind-a-void-lock", "FORMAT", file(
        played(world, stop=("void", "deal", "operator"))[:-1] + played(world)[3:4])
    void = played(world, stop=("void", "deal", "operator"))[:-1]
    yield "a-lock-behind-a-void-lock", "FORMAT", file(
        [*void, Draft("another", "lock", {**void[-1].body, "reason": "equipment"}, [world.ledger])])
    yield "a-deal-behind-a-spent-lock", "FORMAT", file(
        with_spent(played(world), without(1))[:5] + again(played(world)[2:3], "late"))
    yield "a-spent-lock-that-cannot-be-read", "CANONICAL", spent(lock_with(note="x"))
    yield "an-action-that-a-spent-lock-does-not-list", "LOCK_COVERS_ACTIONS", spent(
        lambda actions, lock: lock.body.update(actions=[Ref(actions[0].name)]))
    yield "an-action-of-a-spent-lock-left-out", "LOCK_COVERS_ACTIONS", spent(
        lambda actions, lock: setattr(actions[1], "hidden", True))
    yield "a-spent-lock-that-follows-the-wagers", "CHAIN", spent(
        lambda actions, lock: lock.body.update(prev=Ref("T1/1/wagers")) or without(1)(actions, lock))
    yield "a-spent-lock-of-another-round", "CHAIN", spent(
        lambda actions, lock: lock.body.update(round_id=OTHER) or without(1)(actions, lock))
    yield "a-spent-lock-by-a-stranger", "SIGNATURES", spent(
        lambda actions, lock: setattr(lock, "keys", [Key("stranger")]) or without(1)(actions, lock))
    yield "a-spent-lock-unsigned", "SIGNATURES", spent(
        lambda actions, lock: setattr(lock, "keys", []) or without(1)(actions, lock))
    off = World(rules, {**OFF, "chain": "required"}, listed=["express"], tables=["T1", "T2"])
    yield "a-spent-lock-unsigned-where-locks-are-off", "SIGNATURES", file(with_spent(off.round(*EXPRESS), without(1)), made=off)
    drafts = voided_over(with_spent(played(world), without(1)), world)
    drafts[-2].body["prev"] = Ref("spent 1 T1/1/final")
    yield "a-void-that-follows-a-spent-lock", "CHAIN", file(drafts)
    # Unreadable wagers.
    for name, code, change in (
            ("unsigned", "CANONICAL", lambda drafts: setattr(drafts[1], "keys", [])),
            ("by-a-stranger", "CANONICAL", lambda drafts: setattr(drafts[1], "keys", [Key("stranger")])),
            ("with-returns", "RESULTS", lambda drafts: drafts[-1].body.update(returns={"1": "1500"}))):
        drafts = played(world, stop=("void", "wagers", "operator"))
        drafts[1].body, drafts[-1].body["returns"] = {"step": "odd"}, {}
        change(drafts)
        yield f"unreadable-wagers-{name}", code, file(drafts)
    drafts = played(world)
    drafts[1].body = {"step": "odd"}
    yield "unreadable-wagers-that-were-dealt", "CANONICAL", file(drafts)
    yield from _forged_absences(rules, file)
    yield from _forged_tellings(rules, world, file)


def _foul(cards):
    """Two cards that outrank the others: a foul hand if there is one. A foul hand is still legal."""
    return sorted(cards, key=lambda card: (card == 52, card % 13 or 13))[-2:]


def _forged_absences(rules, file):
    world = World(rules, ABSENT, listed=["express"], tables=["T1", "T2"])
    plain = World(rules, LOCKED, listed=["express"], tables=["T1", "T2"])
    required = World(rules, {**ABSENT, "absent": "required"}, listed=["express"], tables=["T1", "T2"])

    def made(**options):
        return played(world, seat_keys=(1, 3), **options)

    yield "absent-without-a-clause", "LOCK_COVERS_ACTIONS", file(absent(made(), 3), made=world)
    yield "absent-with-low-cards", "LOCK_COVERS_ACTIONS", file(absent(with_clause(made(), 1), 1), made=world)
    yield "absent-seat-that-nobody-sits-at", "LOCK_COVERS_ACTIONS", file(absent(with_clause(made(), 3), 5), made=world)
    drafts = absent(with_clause(made(), 3), 3)
    drafts[4].body["double_down"] = True
    yield "absent-with-a-double-down", "LOCK_COVERS_ACTIONS", file(drafts, made=world)
    drafts = absent(with_clause(made(), 3), 3)
    del close_lock(drafts).body["absent"]
    yield "absent-and-not-listed", "SIGNATURES", file(drafts, made=world)
    for name, seats in (("none", []), ("twice", [3, 3]), ("descending", [3, 1]), ("zero", [0]), ("eight", [8])):
        drafts = with_clause(made(), 1, 3)
        close_lock(drafts).body["absent"] = seats
        yield f"absent-seats-{name}", "CANONICAL", file(drafts, made=world)
    drafts = absent(with_clause(made(), 3), 3)
    drafts[4].keys = [Key("stranger")]
    yield "absent-and-signed-by-a-stranger", "SIGNATURES", file(drafts, made=world)
    yield "clause-without-the-policy", "POLICY", file(
        with_clause(played(plain, seat_keys=(1, 3)), 3), made=plain)
    yield "clause-missing-where-required", "POLICY", file(
        with_clause(played(required, seat_keys=(1, 3)), 3), made=required)
    for name, word in (("off", "off"), ("low", "low")):
        drafts = made()
        drafts[0].body["seat_keys"]["3"]["absent"] = word
        yield f"clause-of-another-word-{name}", "CANONICAL", file(drafts, made=world)
    drafts = made()
    drafts[0].body["seat_keys"]["3"] = drafts[0].body["seat_keys"]["3"]["key"]
    yield "seat-key-as-a-text", "CANONICAL", file(drafts, made=world)
    for name, change in (("off", {"absent": "off"}), ("house-way", {"absent": "house_way"})):
        odd = World(rules, {**LOCKED, **change}, listed=["express"], tables=["T1", "T2"])
        yield f"policy-absent-{name}", "CANONICAL", file(played(odd), made=odd)
    for name, change in (("without-seat-keys", {"seat_auth": "off"}), ("without-locks", {"lock": "off"})):
        odd = World(rules, {**ABSENT, **change}, listed=["express"], tables=["T1", "T2"])
        yield f"policy-absent-{name}", "MANIFEST_RULES", file(odd.round(*EXPRESS), made=odd)
    # Countersignatures.
    drafts = countersigned(made(), world)
    drafts[3].keys = [world.ledger]
    yield "countersigned-without-the-seat", "SIGNATURES", file(drafts, made=world)
    drafts = made()
    drafts[3].keys = [*drafts[3].keys, world.receipt]
    yield "countersigned-by-the-engine", "SIGNATURES", file(drafts, made=world)
    required = World(rules, {**LOCKED, "seat_auth": "required"}, listed=["express"], tables=["T1", "T2"])
    drafts = countersigned(played(required, seat_keys=(1, 3)), required)
    drafts[4].keys = [required.ledger]
    yield "signed-by-the-ledger-alone-where-seats-must", "SIGNATURES", file(drafts, made=required)


def _forged_tellings(rules, world, file):
    hand = find(played(world), "T1/1/deal").body["visible"]["3"]
    full = played(world)

    def other_final(change, *more):
        """Another telling, with another decision of seat 3 in its final lock."""
        drafts = copy_of(played(world)[:6])
        change(drafts)
        return again(drafts, "other")

    def changed(drafts):
        del drafts[4].body["house_way"]
        drafts[4].body["low"] = sorted(hand[:2])

    yield "two-final-locks-in-two-tellings", "NO_FORK", file(full, *other_final(changed))
    void = played(world, stop=("void", "deal", "operator"))
    yield "a-final-lock-and-a-void-lock", "NO_FORK", file(full[:6], *again(void, "void"))
    # Actions that the ledger accepted.
    accepted = other_final(changed)[:5]
    for draft in accepted[3:]:
        draft.keys = [*draft.keys, world.ledger]
    yield "a-countersigned-decision-that-was-changed", "NO_FORK", file(full, *accepted)
    absent_world = World(rules, ABSENT, listed=["express"], tables=["T1", "T2"])
    drafts = absent(with_clause(played(absent_world, seat_keys=(1, 3)), 3), 3)
    told = again(copy_of(with_clause(played(absent_world, seat_keys=(1, 3)), 3)[:5]), "accepted")
    told[4].body |= {"low": sorted(find(drafts, "T1/1/deal").body["visible"]["3"][:2])}
    del told[4].body["house_way"]
    told[4].keys = [*told[4].keys, absent_world.ledger]
    yield "a-countersigned-decision-of-a-seat-that-is-listed-as-absent", "NO_FORK", file(drafts, *told, made=absent_world)
    # Tickets.
    ticket = again(played(world, stop="ticket"), "first")
    ticket[0].body["seat_keys"] = {}
    yield "opened-again-with-a-client-commitment", "NO_FORK", file(ticket, *full)
    first = again(world.round("express", {2: [("base", 700)]}, stop=("void", "ticket", "operator")), "first")
    first[0].body["seat_keys"] = {"2": {"key": world.seat_key(2).public}}
    yield "two-tickets-that-are-locked", "NO_FORK", file(first, *world.round(*EXPRESS))
    off = World(rules, {**OFF, "seat_auth": "optional"}, listed=["express"], tables=["T1", "T2"])
    first = again(off.round(*EXPRESS, stop="deal"), "first")
    first[0].body["seat_keys"] = {"2": {"key": world.seat_key(2).public}}
    yield "two-tickets-that-were-dealt-where-locks-are-off", "NO_FORK", file(first, *off.round(*EXPRESS), made=off)
    fresh = World(rules, suite="fresh", listed=["express"], tables=["T1", "T2"])
    first = fresh.round(*EXPRESS, stop="deal", name="first")
    yield "two-fresh-tickets-that-are-locked", "NO_FORK", issue(fresh.manifests() + first + fresh.round(*EXPRESS))
    # Voids that cover less than was played.
    for last, shown in (("ticket", 2), ("ticket", 3), ("wagers", 3)):
        void = played(world, stop=("void", last, "operator"))
        told = again(full[:shown], "played")
        yield f"a-void-over-the-{last}-and-{shown}-records", "NO_FORK", file(void, *told)
    void, told = played(world, stop=("void", "ticket", "operator")), again(full[:2], "played")
    revoked = later(world, "m3", 3, "manifest", first_epoch(status="revoked"))
    yield "a-void-over-the-ticket-of-a-revoked-epoch-and-2-records", "NO_FORK", file(void, *told, revoked)
    off = World(rules, OFF, listed=["express"], tables=["T1", "T2"])
    void = off.round(*EXPRESS, stop=("void", "ticket", "operator"))
    yield "a-void-over-the-ticket-where-locks-are-off", "NO_FORK", file(
        void, *again(off.round(*EXPRESS, stop="deal"), "dealt"), made=off)
