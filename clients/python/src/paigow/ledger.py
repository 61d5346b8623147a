"""The ledger: reads what it signs, keeps it before it sends it, and signs one lock of a step of a round."""
import pathlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from . import records
from .errors import LedgerError, SignedOtherwise
from .v1 import paigow_service_pb2 as pb


class KeySigner:
    """Signs with a function over bytes: a KMS, an HSM, another process.

    ``sign(to_sign)`` returns 64 bytes, Ed25519. ``limit`` is the most bytes that it takes: a KMS
    may sign at most 4,096, and a lock of seven seats with all bets has up to some 3,500.
    """

    def __init__(self, public_key, sign, limit=None):
        self.public_key, self._sign, self.limit = public_key, sign, limit

    def sign(self, to_sign):
        if self.limit is not None and len(to_sign) > self.limit:
            raise LedgerError(f"the lock has {len(to_sign)} bytes, and the signer takes {self.limit}")
        signature = self._sign(to_sign)
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.public_key)).verify(signature, to_sign)
        except InvalidSignature:
            raise LedgerError("the signer has made a signature that its public key does not verify") from None
        return signature


class FileSigner(KeySigner):
    """Signs with a key file of ``paigow-keys`` (``paigow-key-1``, role ``ledger``)."""

    def __init__(self, file):
        lines = pathlib.Path(file).read_text().splitlines()
        members = dict(line.partition(" ")[::2] for line in lines)
        if members.get("role") != "ledger" or "secret" not in members:
            raise LedgerError(f"{file}: not the key file of a ledger")
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(members["secret"]))
        super().__init__(key.public_key().public_bytes_raw().hex(), key.sign)


class Ledger:
    """Signs locks with ``signer`` and keeps them in ``store``."""

    def __init__(self, signer, store):
        self.signer, self.store = signer, store

    def stored(self, place, step):
        """Returns the signed lock of a step, or ``None`` if the step has no lock yet. A lock that a crash
        left without its signature is signed now: it is the lock that was requested."""
        lock = self.store.lock(place, step)
        return lock and self._signed(lock)

    def lock(self, place, step, unsigned, expected, content):
        """Signs the lock of a step, or returns the one that was signed.

        ``unsigned`` is what ``Prepare...`` returned, ``expected`` the payload that the platform asked
        for, made without the engine. ``content`` is stored with the lock. Raises ``NotTheRecord`` if
        the bytes are another record, and ``SignedOtherwise`` if the step has another lock, or if a lock
        of the other step follows the same record.
        """
        records.check_to_sign(unsigned, records.LOCK, expected)
        lock = self.store.claim(place, step, unsigned.record.envelope, unsigned.to_sign, content)
        if lock.to_sign != unsigned.to_sign:
            raise SignedOtherwise(f"round {place.round_no} at {place.table} is locked otherwise", lock.content)
        return self._signed(lock)

    def _signed(self, lock):
        if lock.signature is None:
            self.store.mark_locks()
            lock = self.store.signed(lock, self.signer.public_key, self.signer.sign(lock.to_sign))
        return lock

    def record(self, lock):
        """Returns a signed lock in the form of calls and transcripts: its signature is in the envelope."""
        if lock.signature is None:
            raise LedgerError("the lock has no signature")
        return pb.Record(envelope=records.signed(lock.envelope, lock.public_key, lock.signature))
