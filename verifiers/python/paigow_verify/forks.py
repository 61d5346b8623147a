"""NO_FORK: no two tellings of one round contradict each other (PGE-FAIR-1, D1 and D22)."""
from .manifests import ledger_keys
from .rounds import Skipped
from .spent import Judge, can_settle


class Telling:
    """One telling of a round: a ticket and the records after it. A record that a check refused is no evidence
    against its apparent signer."""

    def __init__(self, this):
        def counted(slot):
            record = this.get(slot)
            return None if record is None or record.refused else record

        self.this, self.round_id = this, this.ticket["round_id"]
        self.ticket, self.wagers, self.deal, self.settle = map(counted, ("ticket", "wagers", "deal", "settle"))
        self.locks, self.close = [lock for lock in this.locks if not lock.refused], counted("close")
        # Its last record before the locks that close the round.
        self.rank = 2 if self.deal else 1 if self.wagers else 0

    @property
    def is_locked(self):
        """Whether the ledger relied on the ticket, or without locks the engine."""
        locks = [*filter(None, [self.wagers]), *self.locks]
        if self.this.ticket["policy"]["lock"] == "required":
            return bool(locks)
        return bool(self.deal or self.settle or any(lock.signatures for lock in locks))

    def records(self):
        """The records of which a round has one, by their class, and its locks of phase 2."""
        one_each = (("ticket", self.ticket), ("phase-1 lock", self.wagers), ("deal", self.deal),
                    *(("phase-2 lock", lock) for lock in self.locks), ("close", self.settle))
        return [(kind, record) for kind, record in one_each if record]


def forks(audit):
    """The forks of a file: where, what was expected, and what was found."""
    tellings = [Telling(this) for this in audit.rounds if this.readable]
    yield from _twice(tellings)
    yield from _early_voids(audit, tellings)
    yield from _left_out(audit, tellings)
    closes = {}
    for record in audit.epoch_closes:
        place = f"epoch {record.body['epoch']} and tenant {record.body['tenant']}"
        before = closes.setdefault(place, record)
        if before.hash != record.hash:
            yield f"line {record.number}", f"one epoch-close of {place}", f"another in line {before.number}"


def _twice(tellings):
    """Two records of one class that exclude each other."""
    locked, seen = {told.ticket.hash for told in tellings if told.ticket and told.is_locked}, {}
    for told in tellings:
        for kind, record in told.records():
            # A telling may have several locks of phase 2: SUPERSEDES compares them.
            for before, other in seen.get((told.round_id, kind), {}).values():
                if before is not told and _exclude(kind, other, record, locked):
                    yield told.this.at(record), f"one {kind}", f"another in line {other.number}"
            # Of tickets that open the round again and are not locked, only the first counts.
            others = seen.setdefault((told.round_id, kind), {})
            if kind != "ticket" or not others or record.hash in locked:
                others.setdefault(record.hash, (told, record))


def _exclude(kind, one, other, locked):
    if one.hash == other.hash:
        return False
    if kind == "ticket":
        # A round may be opened again only if no player has committed to a seed (D3).
        is_bound = any(ticket.body["suite"] != "fresh" and ticket.body["client"] for ticket in (one, other))
        return is_bound or {one.hash, other.hash} <= locked
    return kind != "phase-2 lock" or not (one.hash in other.body.get("supersedes", [])
                                          or other.hash in one.body.get("supersedes", []))


def _early_voids(audit, tellings):
    """A void that covers less of the round than another telling of the same ticket shows."""
    reached = {}
    for told in tellings:
        if told.ticket and told.rank:
            wagers = told.wagers and told.wagers.hash
            reached.setdefault(told.ticket.hash, {}).setdefault((told.rank, wagers), told.deal or told.wagers)
    for told in tellings:
        if not (told.ticket and told.close and told.this.void):
            continue
        for (rank, wagers), record in reached.get(told.ticket.hash, {}).items():
            is_excused = told.rank == 1 and told.wagers.hash == wagers and _had_closed(audit, told)
            if rank > told.rank and not is_excused:
                yield (told.this.at(told.close), f"a void over the latest record of round {told.round_id}",
                       f"{record.kind} {record.hash} in another telling")


def _had_closed(audit, told):
    """Whether a later manifest stopped the engine from dealing to a lock of wagers: it revokes the epoch, or no
    longer lists a ledger key that signed the lock. A ticket by a revoked receipt key does not count."""
    this, tenant, later = told.this, told.this.ticket["tenant"], False
    known = ledger_keys(this.manifest, tenant) if this.manifest else set()
    for manifest, epoch in audit.manifests.listings(this.ticket["epoch"]):
        is_revoked = epoch and epoch.get("status") == "revoked"
        if later and (is_revoked or told.wagers.signers(known - ledger_keys(manifest, tenant))):
            return True
        later = later or manifest is this.manifest
    return False


def _left_out(audit, tellings):
    """An action that the ledger accepted, and a final lock of another telling that leaves it out and can settle."""
    finals = {}
    for told in tellings:
        if told.deal and told.close and not told.this.void:
            # Two tellings of one lock suffice: at least one of them differs from any third telling.
            tellers = finals.setdefault((told.round_id, told.deal.hash), {}).setdefault(told.close.hash, [])
            if len(tellers) < 2 and can_settle(audit, told.this):
                tellers.append(told)
    for told in tellings:
        for tellers in finals.get((told.round_id, told.deal and told.deal.hash), {}).values():
            final = next((other for other in tellers if other is not told), None)
            for action in told.this.actions if final else []:
                if action.hash not in final.close.body["actions"] and _is_accepted(audit, told.this, action):
                    yield (final.this.at(final.close),
                           f"a final lock that covers the countersigned action {action.hash}",
                           f"lock {final.close.hash}")


def _is_accepted(audit, this, action):
    """Whether the ledger countersigned an action that no check refused and that is legal by itself."""
    try:
        is_legal = not action.refused and not Judge(audit, this).fault(action)
    except Skipped:
        return False
    return is_legal and bool(action.signers(ledger_keys(this.manifest, this.ticket["tenant"])))
