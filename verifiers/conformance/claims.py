"""Cases of the terms of an audit, its verdicts and its claims: each with and without its grounds.

`cases` gives the description, the world, the lines of a transcript, the terms of the audit, and its
expected conclusion. This file states that by hand, from the specification (PGE-FAIR-1, D6).
"""
import base64
import json

from edges import EXPRESS, first_epoch, later, two_epochs
from issuer import LOCKED, OFF, Key, Ref, World, issue
from tampers import put, unsigned
from paigow_verify import shuffle
from paigow_verify.encoding import pae, sha256

CLAIMS = ("records_authentic", "outcome_recomputed", "seed_not_chosen", "salt_independent", "place_listed",
          "place_not_chosen", "decided_before_reveal", "nothing_left_out", "nothing_left_out_of_log", "logged",
          "decks_unknown_in_advance")
# Without the close of the epoch nothing_left_out is pending at the best. Most files have no proof and no copy of a log.
ALL = set(CLAIMS) - {"nothing_left_out", "nothing_left_out_of_log", "logged"}
RECORDS, DECIDED, SALT = {"records_authentic", "outcome_recomputed"}, {"decided_before_reveal"}, {"salt_independent"}
SEED, LISTED, OWN_SEED = {"seed_not_chosen"}, {"place_listed"}, {"place_not_chosen", "decks_unknown_in_advance"}
OPEN = SEED | {"nothing_left_out"}

# The end of settling of epoch 1 of a world, and the last second of the year 9999.
DUE, LAST_SECOND = 1901000000, 253402300799
RECOMPUTED = "everything was recomputed and is as recorded"
WAITS = "everything computable agrees; the secret of epoch 1 is due after 2030-03-29"
OVERDUE = "the secret of epoch 1 was due on 2030-03-29 and is not in this file"


def comes_to(verdict, because, shown, pending=(), code=""):
    """The answer that is expected. A claim that is neither shown nor pending is not shown."""
    return {"verdict": verdict, "because": because, "code": code, "claims": {
        name: "shown" if name in shown else "pending" if name in pending else "not_shown" for name in CLAIMS}}


def matches(shown):
    return comes_to("match", RECOMPUTED, shown)


def waits(shown, pending, because=WAITS):
    return comes_to("pending", because, shown, pending)


def lacks(because, shown, pending=()):
    return comes_to("incomplete", because, shown, pending)


def fails(code, shown, pending=()):
    return comes_to("mismatch", f"{code} failed first", shown, pending, code)


def hash_of(line):
    envelope = json.loads(line)
    return sha256(pae(envelope["payloadType"], base64.b64decode(envelope["payload"]))).hex()


def played(world, number=1, **options):
    """A round in which seat 1 has put in a seed and decides with its own key."""
    options = {"seeds": (1,), "seat_keys": (1,), **options}
    return world.round(*EXPRESS, decide=lambda seat, cards: (cards[:2],) if seat == 1 else None,
                       round_no=number, **options)


def left_out(drafts, *names):
    """Without the records whose names begin with these; others still name them."""
    for draft in drafts:
        draft.hidden = draft.hidden or draft.name.startswith(names)
    return drafts


def cases(rules):
    world = World(rules, LOCKED, listed=["express"], tables=["T1", "T2"])
    full = {"witnesses": [world.witness.public], "my_seat": 1, "my_seat_key": world.seat_key(1).public}
    whole = issue(world.manifests() + played(world) + [world.reveal()])
    yield "every term", world, whole, full, matches(ALL)
    yield "the root alone", world, whole, {}, matches(RECORDS | SEED | LISTED)
    for group in (_witnesses, _first_manifest, _times, _numbers, _before_the_first, _seats, _seeds, _places,
                  _no_transcript, _rounds, _closes):
        yield from group(rules, world, whole, full)


def _witnesses(rules, world, whole, full):
    stranger, witness = Key("stranger").public, world.witness.public
    yield "another witness", world, whole, {**full, "witnesses": [stranger]}, matches(ALL - SALT)
    two = {**full, "witnesses": [stranger, witness]}
    yield "two witnesses, of which one has signed", world, whole, two, matches(ALL)
    own = World(rules, LOCKED, listed=["express"], tables=["T1"])
    own.witness = Key("the operator's witness")
    own.salt = shuffle.party_salt(own.witness.bytes, own.value)
    none = World(rules, LOCKED, salt="none", listed=["express"], tables=["T1"])
    for about, other in (("an operator that is its own witness", own), ("no salt", none)):
        yield about, other, issue(other.manifests() + played(other) + [other.reveal()]), full, matches(ALL - SALT)


def _first_manifest(rules, world, whole, full):
    first, second = map(hash_of, whole[:2])
    # Salt and place rest on the announcement, which is in the file or is not known.
    shown = RECORDS | DECIDED
    first, second = {**full, "manifest": first}, {**full, "manifest": second}
    yield "a later manifest first, which is not named", world, whole[1:], full, matches(shown)
    yield "a later manifest first, which is named", world, whole[1:], second, matches(shown | SEED)
    yield "a later manifest first, and another is named", world, whole[1:], first, matches(shown)
    yield "manifest 1 first, and another is named", world, whole, second, matches(ALL)


def _times(rules, world, whole, full):
    waiting, late = issue(world.manifests() + played(world)), {**full, "as_of": DUE + 1}
    yield "not revealed, at no time", world, waiting, full, waits(ALL - OPEN, OPEN)
    yield "not revealed, when settling ends", world, waiting, {**full, "as_of": DUE}, waits(ALL - OPEN, OPEN)
    yield "not revealed, a second later", world, waiting, late, lacks(OVERDUE, ALL - OPEN)
    yield "revealed, a second later", world, whole, late, matches(ALL)
    revoked = later(world, "m3", 3, "manifest", first_epoch(status="revoked"))
    lines = issue(world.manifests() + played(world) + [revoked])
    yield "not revealed after it was revoked", world, lines, late, lacks(OVERDUE, ALL - OPEN)
    for until, told in ((LAST_SECOND, "9999-12-31"), (LAST_SECOND + 1, "second 253402300800 of Unix time")):
        drafts = world.manifests() + played(world)
        for draft in drafts[:2]:
            draft.body["epochs"][0]["settle_until"] = str(until)
        because = WAITS.replace("2030-03-29", told)
        yield f"settling ends at {until}", world, issue(drafts), full, waits(ALL - OPEN, OPEN, because)
    epochs, first, second, _ = two_epochs(rules)
    late = {"witnesses": full["witnesses"], "as_of": DUE + 1}
    because = "everything computable agrees; the secret of epoch 2 is due after 2036-07-30"
    lines = issue(epochs + first + second + [world.reveal()])
    yield "the first of two epochs is revealed", world, lines, late, waits(RECORDS | SALT, SEED, because)
    lines = issue(epochs + first + second + [World(rules, epoch=2).reveal()])
    yield "the second of two epochs is revealed", world, lines, late, lacks(OVERDUE, RECORDS | SALT)


def _numbers(rules, world, whole, full):
    witness, reveal = {"witnesses": full["witnesses"]}, [world.reveal()]

    def rounds(*numbers, table="T1"):
        return sum((played(world, number, table=table) for number in numbers), [])

    shown, manifests = RECORDS | SEED | SALT | LISTED, world.manifests
    gap = issue(left_out(manifests() + rounds(1, 2, 3) + reveal, "T1/2/"))
    yield "a round is missing", world, gap, witness, lacks("round 2 of table T1 is not in the file", shown)
    yield "a round is missing, and a seat is named", world, gap, full, matches(ALL)
    gap = issue(left_out(manifests() + rounds(1, 2, 3, 4), "T1/2/", "T1/3/"))
    yield "rounds are missing before the reveal, and a seat is named", world, gap, full, waits(ALL - OPEN, SEED)
    last = 2**63 - 1
    ends = manifests() + rounds(1, last - 1, last) + reveal
    gap = issue(left_out(ends, f"T1/{last - 1}/"), unknown="00" * 32)
    yield "all rounds but the first and the last are missing", world, gap, witness, lacks(
        f"rounds 2 to {last - 1} of table T1 are not in the file", shown)
    gap = issue(left_out(manifests() + rounds(1, 2) + rounds(1, 2, 3, table="T2") + reveal, "T2/2/"))
    yield "a round of another table is missing", world, gap, witness, lacks(
        "round 2 of table T2 is not in the file", shown)
    lines = issue(manifests() + rounds(1) + rounds(1, table="T2") + rounds(2) + rounds(2, table="T2"))
    yield "two tables by turns", world, lines, full, waits(ALL - OPEN, OPEN)
    soft = World(rules, {**OFF, "seat_auth": "optional"}, listed=["express"], tables=["T1"])
    lines = issue(soft.manifests() + played(soft) + played(soft, 3, prev="manifest"))
    yield "the chain is off", soft, lines, witness, waits((ALL - OPEN) & shown, SEED)


def _before_the_first(rules, world, whole, full):
    drafts = world.manifests() + played(world) + played(world, 2) + played(world, 3)
    lines = issue(drafts)
    close = next(hash_of(line) for draft, line in zip(drafts, lines) if draft.name == "T1/2/close")
    late = issue(left_out(drafts, "T1/1/", "T1/2/"))

    def named(table, number, close):
        return {**full, "after": {shuffle.round_id(1, "acme", table, number).hex(): close}}

    about = "rounds before the first are missing"
    yield about, world, late, full, waits(ALL - OPEN, SEED)
    yield f"{about}, and the close of the last is named", world, late, named("T1", 2, close), waits(ALL - OPEN, OPEN)
    for table, number in (("T1", 1), ("T2", 2)):
        yield f"{about}, and the close of round {number} of {table} is named", world, late, named(
            table, number, close), waits(ALL - OPEN, SEED)
    # The ticket is refused, and with it everything that is checked against it.
    refused = fails("GENESIS", {"records_authentic"}, SEED)
    yield "another close of the round before the first is named", world, late, named("T1", 2, "11" * 32), refused
    yield "another close of a round is named than that of the file", world, lines, named("T1", 2, "11" * 32), refused


def _seats(rules, world, whole, full):
    def seat(number, key=None):
        return {"witnesses": full["witnesses"], "my_seat": number, **({"my_seat_key": key.public} if key else {})}

    yield "a seat without its key", world, whole, seat(1), matches(ALL - DECIDED)
    yield "a seat with another key", world, whole, seat(1, Key("stranger")), matches(ALL - DECIDED)
    yield "a seat without a seed", world, whole, seat(3, world.seat_key(1)), matches(ALL - DECIDED - OWN_SEED)
    yield "a seat that nobody sits at", world, whole, seat(7), matches(ALL - DECIDED - OWN_SEED)
    idle = issue(world.manifests() + played(world, seat_keys=(1, 2)) + [world.reveal()])
    yield "a seat that decides nothing", world, idle, seat(2, world.seat_key(2)), matches(ALL - DECIDED - OWN_SEED)


def _seeds(rules, world, whole, full):
    seed = sha256(b"a seed that is used twice")

    def file(*others, seeds=None):
        return issue(world.manifests() + played(world, seeds=seeds or {1: seed}) + sum(others, []) + [world.reveal()])

    other_table = played(world, table="T2", seeds={1: sha256(b"another"), 3: seed})
    void = played(world, 2, seeds={1: seed}, stop=("void", "wagers", "operator"))
    yield "a seed in two rounds", world, file(played(world, 2, seeds={1: seed})), full, matches(ALL - OWN_SEED)
    yield "a seed at another seat and table", world, file(other_table), full, matches(ALL - OWN_SEED)
    yield "a seed in a round that is void", world, file(void), full, matches(ALL - OWN_SEED)
    yield "a seed at two seats of a round", world, file(seeds={1: seed, 3: seed}), full, matches(ALL)
    yield "a seed in a round that is told twice", world, whole[:-1] + whole[2:], full, matches(ALL)


def _places(rules, world, whole, full):
    def made(about, shown, change=lambda announcement, manifest: None, tables=None):
        world = World(rules, LOCKED, listed=["express"], tables=tables)
        drafts = world.manifests()
        change(*(draft.body["tenants"] for draft in drafts))
        return about, world, issue(drafts + played(world) + [world.reveal()]), full, matches(shown)

    def tenant(**members):
        def change(*manifests):
            for tenants in manifests:
                tenants.append({**tenants[0], "tenant": "other"})
                tenants[-1].pop("tables")
                tenants[-1].update(members)
        return change

    def pinned_later(_, manifest):
        manifest[0]["tables"] = ["T1"]

    def pinned_first(announcement, _):
        announcement[0]["tables"] = ["T1", "T2"]

    yield made("no tables", ALL - LISTED)
    yield made("tables that only the completion lists", ALL - LISTED, pinned_later)
    yield made("tables that only the announcement lists", ALL, pinned_first)
    yield made("another tenant without tables", ALL - LISTED, tenant(), ["T1"])
    yield made("another tenant with tables", ALL, tenant(tables=["T1", "T7"]), ["T1"])
    yield made("another tenant with no table", ALL, tenant(tables=[]), ["T1"])
    yield made("another tenant with client seeds", ALL, tenant(policy={**LOCKED, "client": "committed"}), ["T1"])


def _no_transcript(rules, world, whole, full):
    for about, lines in (("a text", ["Pai Gow Poker", "", "A game of two hands."]), ("an empty file", []),
                         ("other JSON", ["{}", "[1,2]", '{"payload":"","signatures":[]}', "true"]),
                         ("a null is no JSON here", ['{"payload":null,"payloadType":"","signatures":[]}'])):
        yield about, world, lines, full, lacks("this is not a transcript", ())
    for about, lines in (("an envelope of nothing", ['{"payload":0,"payloadType":[],"signatures":{}}']),
                         ("a text with a record", ["Pai Gow Poker", whole[0]])):
        yield about, world, lines, full, fails("FORMAT", ())
    lines = [*whole[:2], whole[-1]]
    yield "manifests and a reveal", world, lines, full, lacks("there is no round in the file", ())


def _rounds(rules, world, whole, full):
    manifests, reveal = world.manifests, [world.reveal()]
    for last in ("ticket", "wagers", "deal"):
        lines = issue(manifests() + played(world, stop=("void", last, "operator")) + reveal)
        yield f"all rounds are void, after the {last}", world, lines, full, matches({"records_authentic"})
    lines = issue(manifests() + played(world, stop=("void", "deal", "operator")))
    yield "all rounds are void, not revealed", world, lines, full, waits({"records_authentic"}, {"nothing_left_out"})
    lines = issue(manifests() + played(world, stop=("void", "ticket", "operator")) + played(world, 2) + reveal)
    yield "one round of two is void", world, lines, full, matches(ALL)
    lines = issue(manifests() + played(world) + played(world, 2, stop="deal") + reveal)
    yield "a round without its close", world, lines, full, lacks(
        "round 2: no settle record in the file", {"records_authentic"} | SEED | SALT | LISTED)
    lines = issue(unsigned("T1/1/final")(manifests() + played(world) + reveal, world))
    yield "a final lock that nobody has signed", world, lines, full, fails("SIGNATURES", ALL - RECORDS - DECIDED)
    # The reveal is refused. The epoch waits for another, and the close with it.
    lines = issue(put("reveal", ["epoch_secret"], "11" * 32)(manifests() + played(world) + reveal, world))
    yield "another secret is revealed", world, lines, full, fails("EPOCH_COMMIT", ALL - OPEN, OPEN - SEED)
    fresh = World(rules, LOCKED, "fresh", listed=["express"], tables=["T1"])
    for about, terms in (("the fresh suite", full), ("the fresh suite, much later", {**full, "as_of": LAST_SECOND})):
        yield about, fresh, issue(fresh.manifests() + played(fresh)), terms, matches(ALL - SEED - SALT)


def _closes(rules, world, whole, full):
    """The public close of the epoch: files that show that nothing was left out, and files that do not."""
    everything = ALL | {"nothing_left_out"}
    # A laboratory has no seat.
    lab = {"witnesses": full["witnesses"]}
    shown = RECORDS | SEED | SALT | LISTED
    first, second, third = (played(world, number) for number in (1, 2, 3))
    rounds, reveal = first + second + third, [world.reveal()]

    def told(drafts, close, ends=reveal):
        return issue(world.manifests() + drafts + ends + [close])

    close = world.close(rounds)
    yield "every round, the reveal and the close", world, told(rounds, close), full, matches(everything)
    yield "every round and the close, before the reveal", world, told(rounds, close, []), full, waits(
        everything - SEED, SEED)
    yield "the close of a table whose last round is missing", world, told(
        left_out(first + second + played(world, 3), "T1/3/"), close), lab, matches(shown)
    yield "the close of a table whose first round is missing", world, told(
        left_out(played(world, 1) + second + third, "T1/1/"), close), lab, matches(shown)
    yield "the close of a table whose second round is missing", world, told(
        left_out(first + played(world, 2) + third, "T1/2/"), close), lab, lacks(
            "round 2 of table T1 is not in the file", shown)
    after = {"after": {shuffle.round_id(1, "acme", "T1", 1).hex(): hash_of(issue(world.manifests() + first)[-1])}}
    yield "the close, and the first round audited before", world, told(
        left_out(played(world, 1) + second + third, "T1/1/"), close), {**lab, **after}, matches(shown)
    own = world.close(rounds)
    own.keys = [world.receipt]
    yield "a close that no witness has signed", world, told(rounds, own), full, matches(ALL)
    yield "a close by the root and the witness", world, told(
        rounds, unsigned("epoch close", "root", "witness")([world.close(rounds)], world)[0]), full, matches(everything)
    yield "a close whose witness is not named", world, told(rounds, close), {
        **full, "witnesses": []}, matches(ALL - SALT)
    two = rounds + played(world, 1, table="T2")
    yield "two tables and their close", world, told(two, world.close(two)), full, matches(everything)
    yield "one table of two that the close counts", world, told(
        left_out(first + second + third + played(world, 1, table="T2"), "T2/"), world.close(two)), full, matches(ALL)
    void = first + played(world, 2, stop=("void", "deal", "operator")) + played(world, 3)
    yield "a void is counted", world, told(void, world.close(void)), lab, matches(
        shown | {"nothing_left_out"})
    never = first + second + played(world, 3, stop="deal")
    yield "a round that was never closed is counted", world, told(never, world.close(never)), lab, lacks(
        "round 3: no settle record in the file", SALT | SEED | LISTED | {"records_authentic", "nothing_left_out"})
    other = world.close(rounds, tenant="acme2")
    yield "the close of a tenant that no manifest lists", world, told(rounds, other), full, matches(ALL)
    fresh = World(rules, LOCKED, "fresh", listed=["express"], tables=["T1"])
    fresh_rounds = played(fresh)
    yield "the close of a fresh epoch", fresh, issue(
        fresh.manifests() + fresh_rounds + [fresh.close(fresh_rounds)]), full, matches(everything - SEED - SALT)


def forged_closes(rules):
    """Closes that fail an audit: a name, and the lines."""
    world = World(rules, LOCKED, listed=["express", "mikes"])
    rounds = played(world, 1) + played(world, 2)
    ends = [world.reveal()]

    def told(*closes, drafts=rounds):
        return issue(world.manifests() + drafts + ends + list(closes))

    close = world.close(rounds)
    yield "epoch-close-by-the-ledger", told(unsigned("epoch close", "ledger")([world.close(rounds)], world)[0])
    yield "epoch-close-by-the-ledger-too", told(
        unsigned("epoch close", "receipt", "ledger")([world.close(rounds)], world)[0])
    yield "epoch-close-unsigned", told(unsigned("epoch close")([world.close(rounds)], world)[0])
    yield "epoch-closes-that-differ", told(close, world.close(rounds, "another", root="ab" * 32))
    yield "epoch-close-with-tables-in-descending-order", told(world.close(
        rounds, tables=[{"table": "T2", "last": "1"}, {"table": "T1", "last": "2"}]))
    yield "epoch-close-without-tables", told(world.close(rounds, tables=[]))
    yield "epoch-close-with-counts-that-do-not-add-up", told(world.close(rounds, leaves="3"))
    first = {"head": Ref("T1/1/close"), "last": "2", "table": "T1"}
    yield "epoch-close-with-the-head-of-another-round", told(world.close(rounds, tables=[first]))
    yield "epoch-close-without-the-table", told(world.close(rounds, tables=[{"table": "T2", "last": "2"}]))
    other = {"table": "T2", "last": "1"}
    yield "epoch-close-that-ends-before-the-last-round", told(world.close(
        rounds, tables=[{"table": "T1", "last": "1"}, other]))
    yield "epoch-close-with-more-leaves-than-round-numbers", told(world.close(
        rounds, tables=[{"table": "T1", "last": "1"}]))
    yield "epoch-close-inside-a-round", told(drafts=rounds[:3] + [world.close(rounds[:2])] + rounds[3:])
