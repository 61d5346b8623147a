"""A copy of a public log: its checkpoint and all its entries (PGE-FAIR-1, 6.6). It is an input of an audit, no record."""
from . import ed25519
from .encoding import Bad, enc, is_canonical, parse_json, sha256
from .epoch_close import tree_hash
from .logs import checkpoint, cosigned, entry_of
from .records import CHECKPOINT, HASH, Record, fits, need, one_of_each_witness
from .terms import day
from .verdicts import missing


class LogCopy:
    """The first line of the text is the checkpoint. Each other line is the record of an entry, unsigned; or its hash,
    where the entry is the hash of a record that is too long."""

    def __init__(self, text):
        head, *lines = text.removesuffix(b"\n").split(b"\n")
        self.head = parse_json(head)
        need(is_canonical(head, self.head), "line 1: not in canonical form")
        fits(self.head, CHECKPOINT, "checkpoint")
        one_of_each_witness(self.head)
        need(len(lines) == int(self.head["size"]), f"{len(lines)} entries, and the checkpoint counts {self.head['size']}")
        self.entries = [_entry(line, number) for number, line in enumerate(lines, 2)]
        root = tree_hash([_leaf(entry) for entry in self.entries]).hex()
        need(root == self.head["root"], "the entries do not make the root of the checkpoint")


def _entry(line, number):
    value = parse_json(line)
    if isinstance(value, str):
        need(HASH.fullmatch(value) and is_canonical(line, value), f"line {number}: neither a record nor a hash")
        return value
    record = Record(line, number)
    need(not record.signatures, f"line {number}: a signature")
    return record


def _leaf(entry):
    return enc("pge/v1/log-entry", bytes.fromhex(entry)) if isinstance(entry, str) else entry_of(entry)


class LogRest:
    """The tickets, locks of wagers and closes in a copy that the file lacks."""

    def __init__(self, audit, copy):
        # Why the rest is not known; and of each round of the file another record.
        self.unknown, self.others = None, {}
        places = {this.get("ticket").hash: this.coordinates for this in audit.rounds if this.ticket}
        # The last round of each table in the file.
        self.held = lasts(places.values())
        rest = []
        for index, entry in enumerate(copy.entries):
            if (entry if isinstance(entry, str) else entry.hash) in audit.hashes:
                continue
            if not isinstance(entry, str) and entry.kind not in ("ticket", "lock", "settle"):
                continue
            if isinstance(entry, str) or not _is_read(entry):
                self.note_unknown(f"entry {index} of the log cannot be read")
            elif entry.kind == "ticket":
                places[entry.hash] = place_of(entry.body)
                rest.append((index, "ticket", entry, entry.hash))
            elif entry.kind == "settle":
                rest.append((index, "close", entry, entry.body["ticket"]))
            elif entry.body["step"] == "wagers":
                rest.append((index, "lock of the wagers", entry, entry.body["prev"]))
        # The last round of each table in the file or in the log.
        self.lasts = lasts(places.values())
        for index, what, entry, ticket in rest:
            if ticket not in places:
                self.note_unknown(f"entry {index} of the log follows a ticket that neither log nor file has")
            else:
                self.others.setdefault(places[ticket], f"the log has another {what} of the round, {entry.hash}")

    def note_unknown(self, why):
        self.unknown = self.unknown or why


def lasts(places):
    """The highest number of each table."""
    found = {}
    for *table, number in places:
        found[tuple(table)] = max(number, found.get(tuple(table), 0))
    return found


def place_of(ticket):
    return ticket["epoch"], ticket["tenant"], ticket["table"], int(ticket["round_no"])


def _is_read(entry):
    try:
        entry.read()
    except Bad:
        return False
    return True


def _is_signed(key, text, signature):
    return ed25519.verify(bytes.fromhex(key), text, bytes.fromhex(signature))


def end_of(audit, this):
    """Up to where the file has every record of the log about the table of a round: a pair of that in words and None, or
    of None and why it does not."""
    if this.manifest is None:
        return None, "no manifest to rely on"
    log = this.manifest.body.get("log")
    if log is None:
        return None, "the manifest lists no log"
    copy = next((copy for copy in audit.terms.logs if copy.head["origin"] == log["origin"]
                 and _is_signed(log["pk"], checkpoint(copy.head), copy.head["sig"])), None)
    if copy is None:
        return None, "no copy of the log was given"
    times = [int(one["time"]) for one in copy.head["cosignatures"] if one["pk"] in audit.terms.witnesses
             and _is_signed(one["pk"], cosigned(copy.head, one["time"]), one["sig"])]
    if not times:
        return None, "no pinned witness has signed the checkpoint of the copy"
    if id(copy) not in audit.log_rests:
        audit.log_rests[id(copy)] = LogRest(audit, copy)
    rest, table = audit.log_rests[id(copy)], this.coordinates[:3]
    held, last = rest.held[table], rest.lasts[table]
    if rest.unknown or this.coordinates in rest.others:
        return None, rest.unknown or rest.others[this.coordinates]
    if last > held:
        return None, f"the log goes on: {missing(table[2], held + 1, last)}"
    return f"the first {copy.head['size']} entries of the log, as a witness signed on {day(min(times))}", None
