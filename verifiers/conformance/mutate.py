"""Mutates transcripts and asks all three verifiers about each: they have to agree.

    python3 verifiers/conformance/mutate.py --lab LAB [--count N] [--seed SEED] [--keep DIR]

A structured mutation changes records and then signs and links all of them anew, as if every key
holder helped the forger. A byte mutation changes the lines of a signed transcript. The seed is
printed; the same seed makes the same mutations. LAB is the program `paigow-lab`; `node` runs the
verifier in JavaScript. The exit status is 1 if two verifiers differ. Each such transcript is
then in DIR.
"""
import argparse
import collections
import concurrent.futures
import copy
import functools
import json
import os
import pathlib
import random
import sys
import tempfile

import beacons
import edges
import log_copies
import logs
import tellings
from claims import played
from issuer import DRAND, LOCKED, LOG, OFF, PLAY_ROUND, SALT_ROUND, Key, Ref, World, copy_of, issue
from paigow_verify import shuffle
from paigow_verify.encoding import Bad
from paigow_verify.records import Record
from public import KIT, QUICKNET, Checkpointed, Log, Path, log_copy
from three import RULES, Verifiers, differing, facts

ROOT = Key("root").public
BATCH = 200
# The kinds of records outside rounds.
APART = ("manifest", "epoch-reveal", "epoch-close", "log-proof")

# The terms of an audit. They are few, since JavaScript starts once for each of them in a batch.
WITNESS = {"witnesses": [Key("witness").public], "beacons": [KIT.chain]}
SEAT = {"my_seat": 1, "my_seat_key": Key("seat 1").public}
OVERDUE = {"as_of": 1901000001}
AFTER = {"after": {shuffle.round_id(1, "acme", "T1", 1).hex(): "11" * 32}}
TERMS = ({}, WITNESS, {**WITNESS, **SEAT}, {**WITNESS, **SEAT, **OVERDUE}, {"my_seat": 3, **AFTER, **OVERDUE},
         {"witnesses": [logs.SECOND.public, Key("witness").public]})

# Names that a program may confuse with its own, and names of members where they do not belong.
NAMES = ("__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "extra", "policy", "salt", "status",
         "lines", "fees", "dealer", "house_way", "client_seed", "revoked", "double_down", "builds", "tables", "sealed",
         "commit", "vrf_key", "seed_proof", "seed_proofs", "beacon", "log", "external", "chain", "round", "signature",
         "origin", "cosignatures", "size")
NUMBERS = (0, 1, 2, 7, 8, 52, 53, 54, 2**31 - 1, 2**31, 2**53 - 1, 2**53)
WORDS = ("", "0", "00", "01", "-1", "1", "1000", str(2**63 - 1), str(2**63), "00" * 32, "none", "off", "optional",
         "required", "committed", "void", "final", "wagers", "settled", "revoked", "revealed", "fresh", "derived",
         "vrf", "drand", "default", "base", "EUR", "operator", "T1", "constructor")


# Seed proofs: of round 1 and of another round, by another key, with another s, and of zeros.
PROVING = World(RULES, suite="vrf", listed=[])
PROOFS = [PROVING.proof("T1", 1), PROVING.proof("T2", 1), World(RULES, suite="vrf", epoch=2, listed=[]).proof("T1", 1)]
PROOFS = [proof.hex() for proof in (*PROOFS, PROOFS[0][:79] + bytes([PROOFS[0][79] ^ 1]), bytes(80))]
# The values that take the place of members of beacons and of proofs of a log, by the members' names.
SIGNATURES = [KIT.signatures[PLAY_ROUND], KIT.signatures[SALT_ROUND], *beacons.SIGNATURES.values()]
PUBLIC = {
    "beacon": SIGNATURES, "signature": SIGNATURES, "chain": [KIT.chain, QUICKNET.chain, "11" * 32],
    "round": ["1", str(SALT_ROUND), str(PLAY_ROUND), "64", "0", str(2**63 - 1)],
    "external": [{"type": "none"}, KIT.named(PLAY_ROUND), QUICKNET.named(123)],
    "period": [0, 1, 3, 86400, 86401], "genesis": ["0", KIT.members["genesis"], str(2**63 - 1)],
    "id": ["default", "quicknet", "paigow-kit"], "index": ["0", "1", "3", "8", str(2**63 - 1)],
    "size": ["0", "1", "8", "9", "10", str(2**63 - 1)], "origin": [LOG.origin, logs.OTHER.origin, ""],
    "time": [str(KIT.published(number) - early) for number in (SALT_ROUND, PLAY_ROUND) for early in (0, 1)],
    "sig": [Checkpointed(Key(name)) for name in ("log", "other log", "witness", "stranger")],
    "pk": [Key(name).public for name in ("log", "other log", "witness", "second witness", "stranger")]}
# Entries of a log beside those of a transcript.
LOGGED = logs.world_of(RULES)
ENTRIES = ["11" * 32, *(log_copies.record(kind, b"{}") for kind in ("ticket", "lock", "settle", "deal")), *issue(
    LOGGED.manifests() + played(LOGGED) + played(LOGGED, 2) + played(LOGGED, table="T2"))]
TIMES = (0, logs.TIME, 2**63 - 1)


def transcripts():
    """The drafts that are mutated, each with the world that made them."""
    express = ("express", {1: [("base", 1000), ("dynasty", 500)], 3: [("base", 500)]})
    mikes = ("mikes", {2: [("base", 20000), ("wrangler_push", 500)]}, {"bank_minor": 5000, "action_pile": 2})
    options = {"seeds": (1,), "seat_keys": (1,), "decide": lambda seat, cards: (cards[:2],) if seat == 1 else None}
    world = World(RULES, LOCKED, listed=["express", "mikes"])
    rounds = world.round(*express, **options)
    yield world.manifests() + rounds + [world.reveal(), world.close(rounds)]
    yield world.manifests() + world.round(*express, **options)
    rounds = world.round(*mikes) + world.round(*express, round_no=2)
    yield world.manifests() + rounds + [world.reveal(), world.close(rounds)]
    for last in ("ticket", "wagers", "deal"):
        yield world.manifests() + world.round(*mikes, stop=("void", last, "operator")) + [world.reveal()]
    yield world.manifests() + world.round(*mikes, stop="deal")
    epochs, first, second, _ = edges.two_epochs(RULES)
    yield epochs + first + second + [world.reveal(), World(RULES, epoch=2).reveal()]
    revoked = edges.later(world, "m3", 3, "manifest", edges.first_epoch(status="revoked"))
    yield world.manifests() + world.round(*mikes) + [revoked, edges.later(world, "m4", 4, "m3")]
    off = World(RULES, OFF, salt="none", listed=["express"])
    yield off.manifests() + off.round(*express) + [off.reveal()]
    fresh = World(RULES, LOCKED, "fresh", listed=["express"])
    yield fresh.manifests() + fresh.round(*express)
    pinned = World(RULES, LOCKED, listed=["express"], tables=["T1", "T2"])
    yield pinned.manifests() + pinned.round(*express, **options) + pinned.round(*express, round_no=2, **options) + [
        pinned.reveal()]
    # A game that exposes the dealer's hand, settled and void.
    exposing = World(RULES, LOCKED, listed=["face-up"])
    face_up = ("face-up", {1: [("base", 1000)], 3: [("base", 500)]})
    yield exposing.manifests() + exposing.round(*face_up, **options) + [exposing.reveal()]
    yield exposing.manifests() + exposing.round(*face_up, stop=("void", "deal", "operator")) + [exposing.reveal()]
    # Spent locks, absent players, and rounds with more than one telling.
    played = lambda: world.round(*express, **options)  # noqa: E731
    without, start, end = tellings.without, world.manifests(), [world.reveal()]
    spent = lambda *changes: tellings.with_spent(played(), *changes)  # noqa: E731
    yield start + spent(without(1)) + end
    yield start + spent(without(1), tellings.put(1, seat=5), without(0))
    yield start + tellings.voided_over(spent(without(1), without(0)), world) + end
    yield start + tellings.voided_over(spent(lambda actions, lock: None), world) + [revoked] + end
    mild = World(RULES, tellings.ABSENT, listed=["express"])
    seats = tellings.with_clause(mild.round(*express, seat_keys=(1, 3)), 1, 3)
    yield mild.manifests() + tellings.absent(seats, 3) + [mild.reveal()]
    accepted = tellings.again(tellings.countersigned(played()[:5], world), "accepted")
    yield start + played() + accepted + end
    yield start + spent(without(1)) + accepted + end
    first = tellings.again(world.round(*mikes, stop="ticket"), "first")
    yield start + first + world.round(*express) + end
    void = world.round(*express, stop=("void", "wagers", "operator"))
    yield start + void + tellings.again(world.round(*express, stop="deal"), "dealt") + [revoked] + end
    # Settlements that prove their seeds, and closes that prove those of voids.
    proving = World(RULES, LOCKED, "vrf", listed=["express", "mikes"])
    yield proving.manifests() + proving.round(*express, **options)
    rounds = (proving.round(*express) + proving.round(*mikes, round_no=2, stop=("void", "deal", "operator"))
              + proving.round(*express, round_no=3, stop=("void", "wagers", "operator")))
    yield proving.manifests() + rounds + [proving.close(rounds)]
    rounds = proving.round(*express, stop=("void", "deal", "operator"))
    revoked = edges.later(proving, "m3", 3, "manifest", edges.first_epoch(status="revoked"))
    yield proving.manifests() + rounds + [revoked, proving.close(rounds)]
    epochs, first, second, _ = edges.two_epochs(RULES, "vrf")
    yield epochs + first + second
    # Rounds and salts of a beacon, and proofs that records are in a log.
    bad = [KIT.having({number: SIGNATURES[-1]}) for number in (PLAY_ROUND, SALT_ROUND)]
    for suite, salt, beacon in (("derived", "drand", KIT), ("vrf", "party", KIT), ("vrf", "party", bad[0]),
                                ("derived", "drand", bad[1]), ("fresh", "party", KIT)):
        public = World(RULES, DRAND, suite, salt, listed=["express"], tables=["T1"], beacon=beacon, log=LOG)
        drafts = public.manifests() + public.round(*express, **options)
        salted = public.proofs(drafts, "announcement", time=KIT.published(SALT_ROUND) - 1) if salt == "drand" else []
        yield drafts + beacons.reveal(public) + salted + beacons.proofs(public, drafts)
    drafts = public.manifests() + public.round(*express, stop=("void", "deal", "operator"))
    yield drafts + beacons.proofs(public, drafts, witnesses=[logs.SECOND, public.witness])
    logged = logs.world_of(RULES)
    drafts = logged.manifests() + logs.under_log(logged, logs.OTHER) + logged.round(*express, **options)
    yield drafts + logs.proofs(logged, drafts) + logs.proofs(logged, drafts, log=logs.OTHER)


def places(value):
    """Every container of a body with a key or an index in it."""
    found, waiting = [], [value]
    while waiting:
        container = waiting.pop()
        for key in container if isinstance(container, dict) else range(len(container)):
            found.append((container, key))
            if isinstance(container[key], (dict, list)):
                waiting.append(container[key])
    return found


def containers(value):
    inner = [container[key] for container, key in places(value) if isinstance(container[key], (dict, list))]
    return [value, *inner]


def is_record(line):
    """Whether an entry of a log may be a line: a record, or the hash of one."""
    try:
        return len(line) == 64 or bool(Record(line.encode(), 0))
    except Bad:
        return False


class Mutation:
    """The random changes of one transcript."""

    def __init__(self, rng, bases):
        self.rng, self.drafts, self.terms = rng, copy_of(rng.choice(bases)), rng.choice(TERMS)
        self.notes = [f"terms {TERMS.index(self.terms)}"]

    def lines(self):
        rng = self.rng
        changes = (self.value, self.value, self.link, self.member, self.items, self.other, self.other, self.record,
                   self.signers, self.twice, self.telling, self.telling, self.proof, self.public,
                   self.public)
        if rng.random() < 0.8:
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                change = rng.choice(changes)
                self.notes.append(change.__name__)
                change()
        lines = issue(self.drafts, unknown="00" * 32)
        has_log = any("log" in draft.body for draft in self.drafts if draft.kind == "manifest" and draft.body)
        if rng.random() < (0.15 if has_log else 0.01):
            self.notes.append("copy")
            self.terms = {**self.terms, "log_copies": [self.copy(lines) for _ in range(rng.choice((1, 1, 2)))]}
        while len(self.notes) == 1 or rng.random() < 0.05:
            lines = self.bytes(lines)
        return lines

    def bodies(self):
        return [draft.body for draft in self.drafts if draft.body]

    def body(self):
        return self.rng.choice(self.bodies())

    def value(self):
        """Replaces a value."""
        container, key = self.rng.choice(places(self.body()))
        old = container[key]
        if isinstance(old, Ref):
            new = [Ref(self.rng.choice(self.drafts).name), "11" * 32]
        elif isinstance(old, bool):
            new = [not old, 1, "true"]
        elif isinstance(old, int):
            new = [*NUMBERS, old + 1, max(0, old - 1), str(old), True]
        elif isinstance(old, str):
            new = [*WORDS, old + "0", old[:-1], old[::-1], old.upper(), old + " ", len(old)]
        else:
            new = [{}, [], 0, "", [old]]
        container[key] = self.rng.choice(new)

    def link(self):
        """Makes one record name another."""
        links = [(body, key) for body in self.bodies() for body, key in places(body) if isinstance(body[key], Ref)]
        if links:
            container, key = self.rng.choice(links)
            container[key] = Ref(self.rng.choice(self.drafts).name)

    def other(self):
        """Puts a value of the same type from another place there."""
        container, key = self.rng.choice(places(self.body()))
        same = [there[at] for there, at in places(self.body()) if type(there[at]) is type(container[key])]
        if same:
            container[key] = copy.deepcopy(self.rng.choice(same))

    def proof(self):
        """Replaces a seed proof, or adds one."""
        found = [place for body in self.bodies() for place in places(body)]
        there = [(inner, key) for inner, key in found if key in ("proof", "seed_proof")]
        known = [*PROOFS, *(inner[key] for inner, key in there)]
        if there and self.rng.random() < 0.7:
            inner, key = self.rng.choice(there)
            inner[key] = self.rng.choice(known)
        body = self.body()
        if "server_seed" in body:
            body["seed_proof"] = self.rng.choice(known)
        elif "leaves" in body:
            body["seed_proofs"] = [{"proof": self.rng.choice(known), "round_no": "1", "table": "T1"}]

    def public(self):
        """Replaces a value of a beacon or of a proof of a log, or adds a beacon's signature."""
        there = [(inner, key) for body in self.bodies() for inner, key in places(body) if isinstance(inner[key], Path)
                 or key in PUBLIC and (key != "sig" or isinstance(inner[key], Checkpointed))]
        if there:
            name = self.rng.choice(sorted({key for _, key in there}, key=str))
            inner, key = self.rng.choice([place for place in there if place[1] == name])
            change = self.rng.choice((lambda path: path[1:], lambda path: path[::-1], lambda path: [*path, "11" * 32]))
            inner[key] = (logs.Changed(inner[key], change) if isinstance(inner[key], Path)
                          else copy.deepcopy(self.rng.choice(PUBLIC[key])))
        deals = [draft.body for draft in self.drafts if draft.kind == "deal"]
        if deals and self.rng.random() < 0.1:
            self.rng.choice(deals)["beacon"] = self.rng.choice(SIGNATURES)

    def member(self):
        """Adds, removes or renames a member."""
        objects = [one for one in containers(self.body()) if isinstance(one, dict)]
        members = self.rng.choice(objects)
        removed = members.pop(self.rng.choice(list(members))) if members and self.rng.random() < 0.7 else None
        if removed is None or self.rng.random() < 0.5:
            value = self.rng.choice((True, 0, "", "00" * 32, [], {})) if removed is None else removed
            members[self.rng.choice(NAMES)] = value

    def items(self):
        """Repeats, leaves out or moves items of a list."""
        lists = [one for one in containers(self.body()) if isinstance(one, list) and one]
        if lists:
            items = self.rng.choice(lists)
            at = self.rng.randrange(len(items))
            self.rng.choice((lambda: items.append(copy.deepcopy(items[at])), lambda: items.pop(at), items.reverse,
                             lambda: items.insert(0, items.pop(at))))()

    def record(self):
        """Leaves a record out, repeats it or moves it."""
        at = self.rng.randrange(len(self.drafts))
        draft = self.drafts[at]
        what = self.rng.randrange(4)
        if what == 0:
            draft.hidden = True
        elif what == 1:
            self.drafts.insert(at, copy_of([draft])[0])
        else:
            to = self.rng.randrange(len(self.drafts)) if what == 2 else max(0, at - 1)
            self.drafts.insert(to, self.drafts.pop(at))

    def signers(self):
        """Makes others sign a record, or nobody, or signs it twice."""
        draft = self.rng.choice(self.drafts)
        role = Key(self.rng.choice(("root", "receipt", "ledger", "witness", "seat 1", "stranger")))
        draft.keys = self.rng.choice(([], [role], [*draft.keys, role], draft.keys * 2, draft.keys * 17))

    def twice(self):
        """Signs a manifest, a reveal or a close of an epoch twice with its key, which is not a fault."""
        draft = self.rng.choice([draft for draft in self.drafts if draft.kind in APART])
        draft.keys = draft.keys * 2

    def telling(self):
        """Repeats a round, or its beginning, after the others."""
        rounds = [draft for draft in self.drafts if draft.kind not in APART]
        if rounds:
            again = copy_of(rounds)[: self.rng.randint(1, len(rounds))]
            if self.rng.random() < 0.5:
                again = [draft for draft in again if self.rng.random() < 0.9]
            if self.rng.random() < 0.5 and again:
                container, key = self.rng.choice(places(self.rng.choice(again).body))
                container[key] = self.rng.choice(("11" * 32, 1, "1"))
            self.drafts += again

    def copy(self, lines):
        """A copy of a log that has some of the records, and maybe others."""
        rng = self.rng
        entries = [line for line in lines if rng.random() < 0.9] + rng.sample(ENTRIES, rng.choice((0, 0, 1, 2)))
        if rng.random() < 0.3:
            rng.shuffle(entries)
        log = rng.choice((LOG, LOG, LOG, logs.OTHER, Log(LOG.origin, logs.OTHER.key)))
        witnesses = [Key(name) for name in rng.choice((["witness"], ["witness"], ["stranger", "witness"], ["stranger"], []))]
        return log_copy(list(filter(is_record, entries)) or ENTRIES[:1], log, witnesses, rng.choice(TIMES))

    def bytes(self, lines):
        """Changes the text of a transcript."""
        self.notes.append("bytes")
        rng = self.rng
        at = rng.randrange(len(lines)) if lines else 0
        what = rng.randrange(8) if lines else 7
        if what == 0:
            return lines[:at] + lines[at + 1:]
        if what == 1:
            return lines[:at] + [lines[at]] + lines[at:]
        if what == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
            return lines
        if what == 7:
            return lines + [rng.choice(("", "{}", "rubbish", '{"payload":"","payloadType":"","signatures":[]}'))]
        line, spot = lines[at], rng.randrange(len(lines[at]) + 1)
        letter = rng.choice('AZaz09+/= "\\{}[],:')
        changed = {3: line[:spot] + letter + line[spot + 1:], 4: line[:spot] + line[spot + 1:],
                   5: line[:spot] + letter + line[spot:], 6: line[:spot]}[what]
        return [*lines[:at], changed, *lines[at + 1:]]


def batch(verifiers, seed, numbers):
    """Makes the mutations of these numbers and asks the verifiers. Returns counts of verdicts, and the differences."""
    bases, found, verdicts = list(transcripts()), [], collections.Counter()
    mutations = [Mutation(random.Random(f"{seed}/{number}"), bases) for number in numbers]
    texts, terms = [mutation.lines() for mutation in mutations], [mutation.terms for mutation in mutations]
    for number, mutation, text, reports in zip(numbers, mutations, texts, verifiers.reports(texts, ROOT, terms)):
        told = facts(reports["engine"])
        verdicts[told["verdict"], told["code"]] += 1
        told = differing(reports)
        if told:
            found.append((str(number), mutation.notes, told, text))
    return verdicts, found


def leaves(value, path=""):
    """Every leaf of a report by its path."""
    if isinstance(value, (dict, list)) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        return {at: leaf for key, inner in pairs for at, leaf in leaves(inner, f"{path}/{key}").items()}
    return {path: value}


def difference(told):
    """The leaves that differ, by verifier."""
    flat = {name: leaves(report) for name, report in told.items()}
    paths = sorted({path for report in flat.values() for path in report})
    return {path: {name: report.get(path) for name, report in flat.items()} for path in paths
            if len({json.dumps(report.get(path)) for report in flat.values()}) > 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", required=True, help="the program paigow-lab")
    parser.add_argument("--count", type=int, default=2000, help="how many transcripts")
    parser.add_argument("--seed", default=None, help="of an earlier run, to repeat it")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the transcripts that verifiers differ over")
    options = parser.parse_args()
    seed = options.seed or os.urandom(8).hex()
    print(f"seed {seed}", flush=True)
    batches = [range(i, min(i + BATCH, options.count)) for i in range(0, options.count, BATCH)]
    verdicts, differ = collections.Counter(), []
    with concurrent.futures.ProcessPoolExecutor() as pool, tempfile.TemporaryDirectory() as page:
        ask = functools.partial(batch, Verifiers(options.lab, page), seed)
        for counted, found in pool.map(ask, batches):
            verdicts += counted
            differ += found
    for name, notes, told, text in differ:
        print(f"{name} ({', '.join(notes)}): {json.dumps(difference(told))[:2000]}")
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{name}.jsonl").write_text("".join(line + "\n" for line in text))
    by_code = ", ".join(f"{' '.join(filter(None, key)).removeprefix('VERDICT_')} {count}"
                        for key, count in sorted(verdicts.items()))
    print(f"{options.count} transcripts: {by_code}")
    print(f"{len(differ)} differ" if differ else "engine, Python and JavaScript agree on every one")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
