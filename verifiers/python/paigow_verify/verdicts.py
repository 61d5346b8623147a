"""Verdicts: the conclusions from the checks of a round and of a file, with their reasons (PGE-FAIR-1, D6)."""
from . import shuffle
from .rounds import UNREAD, UNVERIFIED
from .terms import day


def first_failed(checks):
    return next((check["code"] for check in checks if check["status"] == "failed"), "")


def of_round(audit, this):
    code, epoch = first_failed(this.checks), this.awaited
    if code:
        return "mismatch", f"{code} failed first"
    if this.is_partial:
        return "match", "another telling of the round has its close"
    results = next(check for check in this.checks if check["code"] == "RESULTS")
    # For unreadable wagers there is nothing to recompute: the ledger hands them back.
    if results["status"] != "passed" and results["found"] != UNREAD:
        return "incomplete", f"{this.where}: {results['found']}"
    if epoch is None:
        return "match", recomputed(this.checks)
    if is_overdue(audit, this):
        was_due = f"the secret of epoch {epoch['epoch']} was due on {day(int(epoch['settle_until']))}"
        return "incomplete", f"{was_due} and is not in this file"
    return "pending", f"everything computable agrees; {is_due(epoch)}"


def recomputed(checks):
    """Why everything matches. This verifier says which checks it leaves to others."""
    left = dict.fromkeys(check["code"] for check in checks if UNVERIFIED in check.get("found", ""))
    if left:
        return f"everything that was recomputed is as recorded; not checked: {', '.join(left)}, as {UNVERIFIED}"
    return "everything was recomputed and is as recorded"


def is_overdue(audit, this):
    """Whether the secret that a round waits for was due before the time of the audit."""
    as_of = audit.terms.as_of
    return this.awaited is not None and as_of is not None and as_of > int(this.awaited["settle_until"])


def is_due(epoch):
    return f"the secret of epoch {epoch['epoch']} is due after {day(int(epoch['settle_until']))}"


def of_file(audit):
    code = first_failed(audit.checks)
    if code:
        return "mismatch", f"{code} failed first"
    if not audit.rounds:
        # If FORMAT was skipped, the file is not a transcript.
        return "incomplete", audit.checks[0].get("found", "there is no round in the file")
    gaps = [gap for gap in (first_gap(*table) for table in audit.tables.items()) if gap]
    # A player may hold single rounds.
    gaps = [("incomplete", gap) for gap in gaps if audit.terms.my_seat is None]
    found = [this.verdict for this in audit.rounds]
    found = [one for one in found if one[0] == "incomplete"] + gaps + [one for one in found if one[0] == "pending"]
    # The file has one reason for a check that several rounds skip.
    every = [check for part in (audit, *audit.rounds) for check in part.checks]
    return next(iter(found), ("match", recomputed(every)))


def tables(rounds):
    """The numbers of the rounds of each table under `chain: required`, ascending, by epoch, tenant and
    table."""
    found = {}
    for this in rounds:
        if this.ticket and this.ticket["policy"]["chain"] == "required":
            *place, number = this.coordinates
            found.setdefault(tuple(place), set()).add(number)
    return {place: sorted(numbers) for place, numbers in sorted(found.items())}


def missing(table, first, last):
    """The rounds of a table that are missing, in words."""
    if first == last:
        return f"round {first} of table {table} is not in the file"
    return f"rounds {first} to {last} of table {table} are not in the file"


def first_gap(place, numbers):
    """The first numbers that are missing between others, in words; None if there is no gap."""
    return next((missing(place[2], before + 1, after - 1) for before, after in zip(numbers, numbers[1:])
                 if after > before + 1), None)


def round_missing(audit, this):
    """The missing rounds of a round's table, before its first round or in a gap, in words."""
    if not this.ticket:
        return "the ticket cannot be read"
    if this.ticket["policy"]["chain"] != "required":
        return "the chain is off: rounds may be left out"
    place = this.coordinates[:3]
    numbers = audit.tables[place]
    before = numbers[0] - 1
    if before and shuffle.round_id(*place, before).hex() not in audit.terms.after:
        return first_gap(place, numbers) or missing(place[2], 1, before)
    return first_gap(place, numbers)
