"""The verifiable random function ECVRF-EDWARDS25519-SHA512-TAI, checked strictly (PGE-FAIR-1, 3.3; RFC 9381).

A key and an input have one output, and a proof shows it. It requires canonical points, s below the order of the
group, and no key of small order. Two verifiers that do this never disagree.
"""
import hashlib
from functools import lru_cache

from . import ed25519

SUITE = b"\x03"


def _hash(use, *parts):
    """The hash of the parts for one use in the suite (RFC 9381, 5.2 to 5.4)."""
    return hashlib.sha512(SUITE + use + b"".join(parts) + b"\x00").digest()


def point_of(public, alpha):
    """The point of an input under a key, by try and increment (RFC 9381, 5.4.1.1); None if no try gives one."""
    for counter in range(256):
        point = ed25519.decode(_hash(b"\x01", public, alpha, bytes([counter]))[:32])
        point = point and ed25519.times_cofactor(point)
        if point and not ed25519.equal(point, ed25519.NEUTRAL):
            return point
    return None


def challenge(*points):
    """16 bytes that bind five points, each as its bytes (RFC 9381, 5.4.3)."""
    return _hash(b"\x02", *points)[:16]


@lru_cache(maxsize=4096)
def output(public, alpha, proof):
    """The 64 bytes that the function of a public key gives for an input, if the proof shows them (RFC 9381, 5.3);
    else None."""
    key = ed25519.key(public)
    if key is None or len(proof) != 80:
        return None
    gamma, c, s = ed25519.decode(proof[:32]), proof[32:48], int.from_bytes(proof[48:], "little")
    h = point_of(public, alpha)
    if gamma is None or s >= ed25519.ORDER or h is None:
        return None
    n = int.from_bytes(c, "little")
    u = ed25519.add(ed25519.times(s, ed25519.BASE), ed25519.times(n, ed25519.negative(key)))
    v = ed25519.combined(s, h, n, ed25519.negative(gamma))
    if challenge(public, ed25519.encode(h), proof[:32], ed25519.encode(u), ed25519.encode(v)) != c:
        return None
    return output_of(gamma)


def output_of(gamma):
    """The output that the point of a proof stands for (RFC 9381, 5.2)."""
    return _hash(b"\x03", ed25519.encode(ed25519.times_cofactor(gamma)))
