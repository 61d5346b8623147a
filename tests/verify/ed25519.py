"""Ed25519 signatures, checked strictly (PGE-FAIR-1, 6.2; RFC 8032 section 5.1.7).

Canonical points, s below the order of the group, no key and no nonce point of small order, and
the equation without cofactor: two verifiers that do this never disagree. Points are in extended
coordinates (X : Y : Z : T), x = X/Z, y = Y/Z, xy = T/Z.
"""
import hashlib
from functools import lru_cache

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
NEUTRAL = (0, 1, 1, 0)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p):
    a, b, c = p[0] * p[0], p[1] * p[1], 2 * p[2] * p[2]
    h = a + b
    e, g = (h - (p[0] + p[1]) ** 2) % P, (a - b) % P
    f, h = (c + g) % P, h % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def equal(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def decode(data):
    """The point of 32 bytes; none if they are not the canonical form of one."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def has_small_order(point):
    return equal(double(double(double(point))), NEUTRAL)


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def table(point):
    """The multiples 0 to 15 of the point, of 16 times the point, of 16 x 16 times, and so on."""
    rows = []
    for _ in range(64):
        row = [NEUTRAL]
        for _ in range(15):
            row.append(add(row[-1], point))
        rows.append(row)
        point = add(row[-1], point)
    return rows


BASE_TABLE = table(BASE)


@lru_cache(maxsize=4096)
def key_point(public):
    """The point of a public key; none if that is no canonical point, or one of small order."""
    point = decode(public) if len(public) == 32 else None
    return None if point is None or has_small_order(point) else point


def is_key(public):
    return key_point(public) is not None


@lru_cache(maxsize=256)
def key_table(public):
    """The table of the negated point of a public key; none if that is no good key."""
    point = key_point(public)
    if point is None:
        return None
    return table((P - point[0], point[1], 1, P - point[3]))


def verify(public, message, signature):
    """Whether the signature of the message was made with the key of `public`."""
    minus = key_table(public)
    if minus is None or len(signature) != 64:
        return False
    nonce = decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if nonce is None or has_small_order(nonce) or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    k = int.from_bytes(digest, "little") % ORDER
    # s B - k A, four bits at a time, has to be the nonce point.
    total = NEUTRAL
    for base_row, minus_row in zip(BASE_TABLE, minus):
        total = add(add(total, base_row[s & 15]), minus_row[k & 15])
        s, k = s >> 4, k >> 4
    return equal(total, nonce)
