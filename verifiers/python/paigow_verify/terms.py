"""The terms of an audit: everything that its caller trusts, without the root keys (PGE-FAIR-1, D6)."""
from dataclasses import dataclass, field
from datetime import UTC, datetime

from .records import HASH, is_public_key

TIME = "%Y-%m-%dT%H:%M:%SZ"


def need(condition, what):
    if not condition:
        raise ValueError(what)


@dataclass(frozen=True)
class Terms:
    """Each of them may be missing. Then checks are skipped, and claims are not shown."""

    # The public keys of witnesses, and the hash of the first manifest of the file.
    witnesses: tuple = ()
    manifest: str | None = None
    # The closes of rounds that were audited before, by the id of the round.
    after: dict = field(default_factory=dict)
    # The time of the audit, in seconds since 1970. Without it nothing is overdue.
    as_of: int | None = None
    # The caller's own seat, and the public key with which its decisions are signed.
    my_seat: int | None = None
    my_seat_key: str | None = None
    # Proofs that rounds are in the tree of the close of their epoch.
    proofs: tuple = ()
    # The chains of public randomness that are trusted beside quicknet, by their hashes.
    beacons: tuple = ()
    # Copies of public logs.
    logs: tuple = ()

    def __post_init__(self):
        keys = [*self.witnesses, *([] if self.my_seat_key is None else [self.my_seat_key])]
        hashes = [*self.after, *self.after.values(), *self.beacons, *([] if self.manifest is None else [self.manifest])]
        for key in keys:
            need(is_public_key(key), f"{key}: not an Ed25519 public key")
        for digest in hashes:
            need(HASH.fullmatch(digest), f"{digest}: not a hash of 64 hex digits")
        need(self.as_of is None or self.as_of >= 0, "the time of the audit is before 1970")
        need(self.my_seat is None or 1 <= self.my_seat <= 7, "a seat is 1 to 7")


def audited_close(text):
    """Reads ROUND_ID:HASH."""
    round_id, _, close = text.partition(":")
    return round_id, close


def own_seat(text):
    """Reads N or N=KEY."""
    seat, has_key, key = text.partition("=")
    return int(seat), key if has_key else None


def second(text):
    """Reads a time in UTC: seconds since 1970."""
    time = datetime.strptime(text, TIME).replace(tzinfo=UTC)
    need(time.strftime(TIME) == text, "a time like 2026-11-25T00:00:00Z")
    return int(time.timestamp())


def day(second):
    """The day of a second in UTC; beyond the year 9999 the second."""
    try:
        return str(datetime.fromtimestamp(second, UTC).date())
    except (ValueError, OverflowError, OSError):
        return f"second {second} of Unix time"
