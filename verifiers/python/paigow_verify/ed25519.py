"""Ed25519 signatures, checked strictly (PGE-FAIR-1, 6.2; RFC 8032 section 5.1.7).

It requires canonical points, s below the order of the group, no key and no nonce point of small order,
and the equation without cofactor. Two verifiers that do this never disagree. Points are in extended
coordinates (X : Y : Z : T), x = X/Z, y = Y/Z, xy = T/Z.
"""
import hashlib
from functools import lru_cache

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
NEUTRAL = (0, 1, 1, 0)


def add(p, q):
    """The sum of two points (RFC 8032, 5.1.4)."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p):
    """The sum of a point with itself (RFC 8032, 5.1.4)."""
    a, b, sides = p[0] * p[0], p[1] * p[1], p[0] + p[1]
    h, g = a + b, a - b
    e, f = (h - sides * sides) % P, (2 * p[2] * p[2] + g) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def combined(s, p, k, q):
    """s times p and k times q, together, from the highest bit down."""
    total, sums = NEUTRAL, (NEUTRAL, p, q, add(p, q))
    for i in reversed(range(max(s.bit_length(), k.bit_length()))):
        total, bits = double(total), (s >> i & 1) + 2 * (k >> i & 1)
        if bits:
            total = add(total, sums[bits])
    return total


@lru_cache(maxsize=256)
def multiples(p):
    """The multiples of a point that `times` adds: row i has 1 to 15 times 16^i times the point.

    A point that is seen once costs as much as two signatures, so only keys have such a table."""
    rows = []
    for _ in range(64):
        row = [p]
        while len(row) < 15:
            row.append(add(row[-1], p))
        rows.append(row)
        p = add(row[-1], p)
    return rows


def times(n, p):
    """n times p, for n below 2^256, from the multiples of p."""
    total = NEUTRAL
    for i, row in enumerate(multiples(p)):
        if digit := n >> 4 * i & 15:
            total = add(total, row[digit - 1])
    return total


def equal(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def negative(p):
    return P - p[0], p[1], p[2], P - p[3]


def times_cofactor(p):
    return double(double(double(p)))


def encode(p):
    """The 32 bytes of a point (RFC 8032, 5.1.2)."""
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point of 32 bytes, of any order; None if they are not the canonical form of a point."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def decode_strictly(data):
    """The same, but None for a point of small order."""
    point = decode(data)
    return None if point is None or equal(times_cofactor(point), NEUTRAL) else point


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


@lru_cache(maxsize=4096)
def key(public):
    """The point of a public key; None if the key is not acceptable."""
    return decode_strictly(public) if len(public) == 32 else None


@lru_cache(maxsize=4096)
def verify(public, message, signature):
    """Whether the signature of the message was made with the key of `public`."""
    if key(public) is None or len(signature) != 64:
        return False
    nonce, s = decode_strictly(signature[:32]), int.from_bytes(signature[32:], "little")
    if nonce is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    k = int.from_bytes(digest, "little") % ORDER
    return equal(add(times(s, BASE), times(k, negative(key(public)))), nonce)
