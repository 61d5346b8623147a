"""Cases of copies of the public log: whether a file has every round of its tables that the log has.

`cases` gives files and copies. What each comes to is stated here by hand, from the specification.
"""
import base64
import json

from claims import ALL, hash_of, lacks, matches, played
from edges import under
from issuer import LOCKED, LOG, issue
from logs import NOT_CLOSED, OTHER, SECOND, SHOWN, STRANGER, TIME, under_log, world_of
from public import log_copy

END = {"nothing_left_out_of_log"}


def kind_of(line):
    return json.loads(line)["payloadType"].split(".")[2]


def is_logged(line):
    return kind_of(line) in ("manifest", "ticket", "lock", "settle", "epoch-reveal")


def body(line):
    return json.loads(base64.b64decode(json.loads(line)["payload"]))


def other(line, **members):
    """A record with other members."""
    return record(kind_of(line), json.dumps(body(line) | members, sort_keys=True, separators=(",", ":")).encode())


def record(kind, payload):
    """A record with any payload."""
    return json.dumps({"payload": base64.b64encode(payload).decode(), "payloadType": f"application/vnd.pge.{kind}.v1+json",
                       "signatures": []})


def cases(rules):
    """As those of `claims`, with checks of which nothing is said."""
    world = world_of(rules)
    full = {"witnesses": [world.witness.public], "my_seat": 1, "my_seat_key": world.seat_key(1).public}
    lab = {"witnesses": full["witnesses"]}
    one, two = played(world), played(world, 2)
    lines = issue(world.manifests() + one + [world.reveal()])
    both = issue(world.manifests() + one + two + [world.reveal()])
    own = list(filter(is_logged, lines))

    def case(about, entries, shown=True, file=lines, terms=full, claims=ALL, copies=None, expect=None, made=world):
        copies = copies or [log_copy(entries, LOG, [world.witness], TIME)]
        return (f"copy of the log: {about}", made, file, {**terms, "log_copies": copies},
                expect or matches(claims | END if shown else claims), {})

    yield case("everything of the file that a log takes", own)
    yield case("every record of the file", lines)
    yield case("in another order", own[::-1])
    yield case("one entry, the first manifest", own[:1])
    yield case("an entry twice", own + own[2:3])
    # The signers of the checkpoint.
    yield case("no witness has signed", own, False, copies=[log_copy(own, LOG, [], TIME)])
    yield case("a witness that is not named has signed", own, False, copies=[log_copy(own, LOG, [STRANGER], TIME)])
    yield case("no witness is named", own, False, terms={**full, "witnesses": []}, claims=ALL - {"salt_independent"})
    bad = {"pk": world.witness.public, "sig": "00" * 64, "time": str(TIME)}
    yield case("the signature of the named witness is bad", own, False,
               copies=[log_copy(own, LOG, [], TIME, cosignatures=[bad])])
    yield case("another log", own, False, copies=[log_copy(own, OTHER, [world.witness], TIME)])
    yield case("the log with another key", own, False, copies=[
        log_copy(own, OTHER._replace(origin=LOG.origin), [world.witness], TIME)])
    yield case("the second of two copies is of the log", own, copies=[
        log_copy(own, OTHER, [world.witness], TIME), log_copy(own, LOG, [SECOND, world.witness], TIME)])
    yield case("of two copies the first counts", own, False, copies=[
        log_copy(both, LOG, [world.witness], TIME), log_copy(own, LOG, [world.witness], TIME)])
    # Entries that the file lacks.
    yield case("a later round of the table", list(filter(is_logged, both)), False)
    yield case("a later round of the table, by its ticket", own + [line for line in both if line not in lines][:1], False)
    yield case("a round of another table", own + issue(world.manifests() + played(world, table="T2"))[2:])
    yield case("both rounds, and the file has both", both, file=both, terms=lab, claims=SHOWN)
    [ticket], [wagers, final], [close] = ([line for line in lines if kind_of(line) == kind]
                                          for kind in ("ticket", "lock", "settle"))
    yield case("another ticket of the round", own + [other(ticket, prev="11" * 32)], False)
    yield case("another lock of the wagers of the round", own + [other(wagers, round_id="11" * 32)], False)
    yield case("another close of the round", own + [other(close, prev="11" * 32)], False)
    yield case("a lock of the wagers that follows no ticket", own + [other(wagers, prev="11" * 32)], False)
    yield case("a close that follows no ticket", own + [other(close, ticket="11" * 32)], False)
    yield case("another final lock", own + [other(final, prev="11" * 32)])
    yield case("both rounds, and the file has the second", both, file=both[:2] + [
        line for line in both[2:] if line not in lines] + both[-1:], terms={**lab, "after": {body(ticket)["round_id"]: hash_of(close)}}, claims=SHOWN)
    # Entries that say nothing, and entries that nobody reads.
    yield case("a deal, an action and a reveal that nobody reads", own + [
        record(kind, b"{}") for kind in ("deal", "action", "epoch-reveal")])
    for kind in ("ticket", "lock", "settle"):
        yield case(f"a {kind} that nobody reads", own + [record(kind, b"{}")], False)
    yield case("the hash of a long record", own + ["22" * 32], False)
    yield case("a record of the file by its hash", own + [hash_of(close)])
    # Under another manifest.
    off = world_of(rules, {**LOCKED, "chain": "off"})
    file = issue(off.manifests() + played(off) + [off.reveal()])
    yield case("the chain is off", file, False, file=file, made=off)
    moved = issue(world.manifests() + under_log(world, OTHER) + under(played(world), "m3") + [world.reveal()])
    yield case("the log of a later manifest", moved, file=moved, copies=[
        log_copy(moved, OTHER, [world.witness], TIME)])
    yield case("the log of an earlier manifest", moved, False, file=moved)
    none = issue(world.manifests() + under_log(world, None) + under(played(world), "m3") + [world.reveal()])
    yield case("the manifest lists no log", none, False, file=none)
    open_round = issue(world.manifests() + played(world, stop="deal") + [world.reveal()])
    shown = (SHOWN - {"outcome_recomputed"}) | END
    yield case("a round without its close", open_round, file=open_round, terms=lab, expect=lacks(NOT_CLOSED, shown))
