"""A round: its records in their places, and how a check of it ends."""
from collections import namedtuple
from contextlib import suppress

from .encoding import Bad, canonical
from .records import MOST_SPENT

UNREAD = "the lock of the wagers cannot be read"
UNVERIFIED = "this verifier does not verify BLS signatures"
# The actions before a lock that closes the round, and that lock.
Group = namedtuple("Group", "actions lock")
PLACES = {"ticket": 0, "wagers": 1, "deal": 2, "action": 3, "close": 4, "settle": 5}


class Failed(Exception):
    """A check that failed: the record at fault, what was expected, and what was found."""


class Skipped(Exception):
    """A check that could not be made, and why."""


def same(record, what, wanted, found):
    """Fails the check unless the value found is the value wanted. Unlike in Python, 0 is not false."""
    if canonical(found) != canonical(wanted):
        raise Failed(record, f"{what} {wanted}", found)


class Findings:
    """The outcome of each check in one round, or in the file as a whole: the first failure, else the
    first skip."""

    def __init__(self):
        self.found = {}

    def fail(self, code, where, expected, found):
        if not self.has_failed(code):
            self.found[code] = {"code": code, "status": "failed", "where": where, "expected": expected,
                                "found": str(found)}

    def skip(self, code, where, reason):
        self.found.setdefault(code, {"code": code, "status": "skipped", "where": where, "found": reason})

    def has_failed(self, code):
        return code in self.found and self.found[code]["status"] == "failed"


class Round:
    """The records of one round in the order of the file, and the facts that checks find about it."""

    def __init__(self, ticket, number):
        self.where, self.readable, self.last = f"round {number}", True, 0
        # `actions` and the slot `close` are the last group. Those before it are spent.
        self.records, self.slots, self.actions, self.spent = [ticket], {"ticket": ticket}, [], []
        # Whether the ledger voided wagers that cannot be read; whether only another telling has the close.
        self.has_unread_wagers = self.is_partial = False
        # The lines of reveals and closes of the epoch that a check of this round refused.
        self.findings, self.refused_lines = Findings(), set()
        self.manifest = self.tenant = self.epoch = self.deck = self.seed = self.results = self.banker = None
        # How many tables the announcement of the epoch lists, where PLACE_LISTED passes.
        self.places = None

    def take(self, record):
        """Puts a record in its place, or raises `Bad` if it has none here."""
        slot = record.kind
        if slot == "lock":
            # A lock that CANONICAL will refuse gets the place of a lock at this point.
            slot = "close" if self.last else "wagers"
            with suppress(Bad):
                record.read()
                slot = "wagers" if record.body["step"] == "wagers" else "close"
        if slot in ("action", "close") and self.last == PLACES["close"]:
            self.begin_group()
        if PLACES[slot] < self.last or PLACES[slot] == self.last and slot != "action":
            raise Bad(f"a {record.kind} record out of its place, or a second one")
        if slot == "action":
            if "deal" not in self.slots or any(record.hash == other.hash for other in self.actions):
                raise Bad("an action without a deal, or a second time")
            self.actions.append(record)
        else:
            self.slots[slot] = record
        self.last = PLACES[slot]
        self.records.append(record)

    def begin_group(self):
        """Another lock is to follow the last one, which makes that one spent. No lock follows a void lock."""
        if self.void:
            raise Bad("a record behind a void lock that is not its close")
        if len(self.spent) == MOST_SPENT:
            raise Bad(f"more than {MOST_SPENT} spent locks")
        self.spent.append(Group(self.actions, self.slots.pop("close")))
        self.actions, self.last = [], PLACES["deal"]

    @property
    def locks(self):
        """The locks that follow the deal or void the round, in order. Only the last one can close it."""
        return [group.lock for group in self.spent] + ([self.slots["close"]] if "close" in self.slots else [])

    @property
    def asked(self):
        """The records whose payloads are checked, in their order. The actions of a spent lock need not be
        actions at all: that may be why it is spent."""
        head, tail = (map(self.get, slots) for slots in (("ticket", "wagers", "deal"), ("close", "settle")))
        locks = [group.lock for group in self.spent]
        return [record for record in (*head, *locks, *self.actions, *tail) if record]

    def get(self, slot):
        return self.slots.get(slot)

    def at(self, record):
        return f"{self.where}, line {record.number}" if record else self.where

    def need(self, slot):
        """The body of a record that is there and was not refused."""
        record = self.get(slot)
        if record is None:
            raise Skipped(f"no {slot} record in the file")
        if record.refused:
            raise Skipped(f"the {record.kind} was refused by an earlier check")
        if record.body is None:
            raise Skipped(UNREAD)
        return record.body

    def need_world(self):
        """The body of the ticket, if its manifest is reliable."""
        ticket = self.need("ticket")
        if self.manifest is None:
            raise Skipped("no manifest to rely on")
        return ticket

    @property
    def ticket(self):
        return self.slots["ticket"].body

    @property
    def coordinates(self):
        ticket = self.ticket
        return ticket["epoch"], ticket["tenant"], ticket["table"], int(ticket["round_no"])

    @property
    def void(self):
        """Whether its closing lock is a void lock."""
        lock = self.get("close")
        return bool(lock and lock.body and lock.body["step"] == "void")

    @property
    def is_voided(self):
        """Whether it has a readable close that is a void."""
        return self.get("settle").body["disposition"] == "void"

    @property
    def is_void(self):
        """Whether its lock or its close is a void, if the records can be read."""
        close = self.get("settle")
        return self.readable and (self.void or close is not None and close.body["disposition"] == "void")

    @property
    def has_ended(self):
        """Whether it has a close that no check refused."""
        close = self.get("settle")
        return self.readable and close is not None and not close.refused

    @property
    def absent(self):
        """The seats that the lock of a settlement lists as absent."""
        lock = self.get("close")
        return lock.body.get("absent", []) if lock and lock.body else []

    def seat_key(self, seat):
        """The ticket's entry for the key of a seat; an empty one if the seat has no key."""
        return self.ticket["seat_keys"].get(str(seat), {})

    def seeds(self):
        """The revealed client seeds by seat, from the lock."""
        return {int(seat): bytes.fromhex(entry["client_seed"])
                for seat, entry in self.need("wagers")["seats"].items() if "client_seed" in entry}

    def sheet(self):
        """The facts and the wagers by seat, from the lock."""
        lock = self.need("wagers")
        return ({name: int(value) for name, value in lock["facts"].items()},
                {int(seat): {w["bet"]: {**w, "amount": int(w["amount"])} for w in entry["wagers"]}
                 for seat, entry in sorted(lock["seats"].items())})
