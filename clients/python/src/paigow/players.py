"""The player's side: a seed, and a key for the round. A browser makes them with WebCrypto."""
import hashlib
import secrets

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def new_seed():
    """Returns 32 random bytes: the client seed of a seat, for one round."""
    return secrets.token_bytes(32)


def commitment(prefix, seed):
    """Returns the commitment to a seed; ``prefix`` is the seat's, of ``Round.commit_prefixes``."""
    return hashlib.sha256(prefix + seed).hexdigest()


class SeatKey:
    """The key with which a player signs the decisions of one round."""

    def __init__(self):
        self._key = Ed25519PrivateKey.generate()

    @property
    def public_key(self):
        """The public half, 64 hexadecimal digits."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, to_sign):
        """Returns the signature of ``to_sign``, 64 bytes."""
        return self._key.sign(to_sign)
