"""Public randomness: rounds that wait for the signature of a beacon (``external: drand``)."""
import contextlib
import dataclasses
import os
import pathlib
import secrets
import time
from collections.abc import Callable

from . import records as record_format
from .errors import BeaconUnavailable, LedgerUnavailable


@dataclasses.dataclass(frozen=True)
class BeaconSettings:
    """The source of a beacon's signatures, and what goes with it. A table needs it under ``external: drand``.

    ``signature(round)`` returns the beacon's signature of a round, 96 hexadecimal digits. It may wait until the beacon
    publishes the round. An error means that there is no signature yet.

    ``lead`` is the seconds from the opening of a round to its value. Betting has to end before.

    ``records`` is the folder that gives the locks of wagers to the writer of the public log. Without it the log has each
    lock after its deal, which is too late to show that the wagers came before the value.

    ``now()`` returns the seconds since 1970.
    """

    signature: Callable[[int], str]
    lead: int = 20
    records: str | os.PathLike | None = None
    now: Callable[[], float] = time.time

    def round(self, beacon):
        """Returns the first round that the beacon publishes after the lead."""
        after = max(0, int(self.now()) + self.lead - beacon.genesis)
        # Rounded up: the value comes after the lead.
        return -(-after // beacon.period) + 1

    def is_published(self, beacon, number):
        """Whether the beacon has published a round."""
        return self.now() >= beacon.genesis + (number - 1) * beacon.period

    def signature_of(self, number):
        """Returns the signature of a round, from the source. Raises ``BeaconUnavailable``."""
        try:
            return self.signature(number)
        except Exception as error:
            raise BeaconUnavailable(f"no signature of the beacon's round {number}: {error}") from error

    def give_lock(self, lock):
        """Gives the lock of a round's wagers to the writer of the log: a file of one line, whole."""
        file = self._file(lock.envelope)
        if file is None or file.exists():
            return
        # Another process may write the same file.
        new = file.with_suffix(f".{secrets.token_hex(8)}.new")
        try:
            with open(new, "xb") as written:
                written.write(lock.envelope + b"\n")
                written.flush()
                os.fsync(written.fileno())
            os.replace(new, file)
        except OSError as error:
            raise LedgerUnavailable(f"the folder of the locks: {error}") from error

    def forget_lock(self, lock):
        """Deletes the file of a closed round."""
        file = self._file(lock.envelope)
        if file is not None:
            with contextlib.suppress(FileNotFoundError):
                file.unlink()

    def _file(self, envelope):
        if self.records is None:
            return None
        round_id = bytes.fromhex(record_format.body(envelope)["round_id"]).hex()
        return pathlib.Path(self.records) / f"{round_id}.jsonl"


def round_of(ticket):
    """Returns the beacon's round that a ticket waits for, or nothing."""
    external = record_format.body(ticket.envelope)["external"]
    return int(external["round"]) if external["type"] == "drand" else None


def permitted(refused):
    """Returns the round to name instead of one that is refused (``BEACON_ROUND``): a round later than the first that is
    taken, since that one may come too soon for the next call."""
    return min(int(refused.metadata["minimum"]) + 1, int(refused.metadata["maximum"]))
