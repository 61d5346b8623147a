"""Finds each record of the chaos run: in the evidence, in a file that the run destroyed, or nowhere.

A record that a caller was given has to be in a file of a replica. If the run destroyed the line, a
verification has to name it as missing.
"""
import hashlib
import json
import re

from common import Failed, check, lab, wait_until

# The file that a server leaves beside its evidence when it has noticed a loss.
MARKER = "evidence-lost.txt"
# How long a server may take to notice a loss. Reaching it is a missing alarm and never a measurement.
NOTICED = 10.0


def read_lines(raw):
    """Yields (boot, seq, hash, records) of each whole line."""
    for line in raw.split(b"\n")[:-1]:
        try:
            members = json.loads(line)
            boot, seq = members["boot"], members["seq"]
        except (ValueError, KeyError, TypeError):
            # A part of a line; verification reports it.
            continue
        records = {json.dumps(record, sort_keys=True, separators=(",", ":")).encode()
                   for record in members.get("records", ())}
        yield boot, seq, hashlib.sha256(line).digest(), records


class Destroyer:
    """Destroys the file that a replica is writing, and keeps what was in it."""

    def __init__(self):
        # The bytes of each file as it was destroyed, and the deleted files, which are still open.
        self.copies, self.unlinked = [], []
        self.files = self.alarms = 0

    def destroy(self, replica, how, lab_binary):
        """Deletes or truncates the newest file of a replica, while the replica cannot write.

        Then waits for the alarm of the replica, and acknowledges it. Returns what happened.
        """
        with replica.stopped():
            file = replica.live_file()
            copy = file.read_bytes()
            self.copies.append(copy)
            self.files += 1
            if how == "delete":
                self.unlinked.append(open(file, "rb"))
                file.unlink()
            else:
                with open(file, "rb+") as opened:
                    opened.truncate(len(copy) // 2)
        said = f"replica {replica.number}, a file of {len(copy)} bytes"
        try:
            wait_until((replica.evidence / MARKER).exists, "the replica notices the loss", limit=NOTICED)
        except Failed:
            return f"{said}; no alarm"
        acknowledged = lab(lab_binary, "sink", "acknowledge", replica.evidence)
        check(file.name in acknowledged, f"the alarm names {file.name}: {acknowledged}")
        self.alarms += 1
        return f"{said}; the alarm is acknowledged"


class Account:
    """Compares the records that callers were given with the evidence."""

    def __init__(self, folders, destroyer, given, report):
        self.faults = report["faults"]
        live, kept = set(), set()
        for folder in folders:
            for file in sorted(folder.glob("*.jsonl")):
                for boot, seq, digest, records in read_lines(file.read_bytes()):
                    live.add((boot, seq, digest))
                    kept |= records
        destroyed, late = {}, {}
        for copy in destroyer.copies:
            self.add(destroyed, copy, live)
        for opened in destroyer.unlinked:
            self.add(late, opened.read(), live)
        self.destroyed_lines = {place for places in destroyed.values() for place in places}
        gone = given - kept
        self.destroyed = {record for record in gone if record in destroyed}
        lost = gone - self.destroyed
        self.unnamed = {record for record in self.destroyed if not self.all_named(destroyed[record])}
        # A line that was written to a file without a name counts as lost, unless a verification names it.
        self.lost_and_named = {record for record in lost if record in late and self.all_named(late[record])}
        self.lost = lost - self.lost_and_named

    @staticmethod
    def add(found, raw, live):
        for boot, seq, digest, records in read_lines(raw):
            if (boot, seq, digest) not in live:
                for record in records:
                    found.setdefault(record, set()).add((boot, seq))

    def all_named(self, places):
        return all(any(names(fault, *place) for fault in self.faults) for place in places)

    def of_the_run(self, fault):
        """Whether the run itself has done the damage that a fault states."""
        return any(boot == fault["boot"] for boot, _ in self.destroyed_lines)


def names(fault, boot, seq):
    """Whether a fault of a verification states that a line is missing."""
    if fault["boot"] != boot:
        return False
    if fault["kind"] in ("gap", "lost"):
        numbers = re.match(r"lines? (\d+)(?: to (\d+))? of the boot", fault["what"])
        check(numbers, f"a gap says which lines are missing: {fault}")
        return int(numbers[1]) <= seq <= int(numbers[2] or numbers[1])
    if fault["kind"] == "tail_dropped":
        return seq >= fault["seq"]
    return fault["kind"] == "boot_missing" or (fault["kind"] == "unreadable" and fault["seq"] == seq)
