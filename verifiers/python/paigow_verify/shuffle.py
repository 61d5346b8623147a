"""Seeds, commitments, the shuffle and the dice (PGE-FAIR-1, sections 3, 5 and 6.1)."""
import hmac
import struct

from . import vrf
from .encoding import enc, sha256


def coordinates(epoch, tenant, table, round_no):
    return struct.pack("<I", epoch), tenant.encode(), table.encode(), struct.pack("<Q", round_no)


def round_id(*coords):
    return sha256(enc("pge/v1/round-id", *coordinates(*coords)))


def epoch_commit(epoch, secret):
    return sha256(enc("pge/v1/epoch-commit", struct.pack("<I", epoch), secret))


def derived_seed(secret, salt, *coords):
    """HKDF-Expand with one block (RFC 5869, 2.3): the server seed of the derived suite (3.3)."""
    return hmac.digest(secret, enc("pge/v1/server-seed", salt, *coordinates(*coords)) + b"\x01", "sha256")


def proven_seed(key, salt, proof, *coords):
    """The server seed of the vrf suite (3.3), if the proof shows it under the public key of the epoch; else None."""
    output = vrf.output(key, enc("pge/v1/vrf-input", salt, *coordinates(*coords)), proof)
    return output and sha256(enc("pge/v1/vrf-seed", output))


def commitment(server_seed, round_id, ruleset_hash, engine):
    return sha256(enc("pge/v1/commit", server_seed, round_id, ruleset_hash, engine.encode()))


def client_commitment(round_id, seat, seed):
    return sha256(enc("pge/v1/client-commit", round_id, bytes([seat]), seed))


def round_seed(server_seed, round_id, client_seeds, external=b""):
    """The key of the round (3.4): from `client_seeds` by seat, and the bytes of public randomness."""
    block = enc("pge/v1/client-seeds", *(bytes([seat]) + seed for seat, seed in sorted(client_seeds.items())))
    return hmac.digest(server_seed, enc("pge/v1/round-seed", round_id, block, external), "sha256")


def deck_commitment(seed, deck):
    return sha256(enc("pge/v1/deck-commit", seed, bytes(deck)))


def party_salt(public_key, value):
    return sha256(enc("pge/v1/epoch-salt-party", public_key, value))


def drand_salt(chain, round_no, signature):
    return sha256(enc("pge/v1/epoch-salt-drand", chain, struct.pack("<Q", round_no), signature))


def _quarter(s, a, b, c, d):
    for x, y, z, bits in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
        s[x] = (s[x] + s[y]) & 0xFFFFFFFF
        word = s[z] ^ s[x]
        s[z] = (word << bits | word >> 32 - bits) & 0xFFFFFFFF


def words(key, stream):
    """The ChaCha20 keystream as 32-bit words (5.1); `stream` is eight ASCII bytes."""
    counter = 0
    while True:
        block = b"expand 32-byte k" + key + struct.pack("<Q", counter) + stream
        start = struct.unpack("<16I", block)
        state = list(start)
        for _ in range(10):
            for i in range(4):
                _quarter(state, i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                _quarter(state, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(state, start))
        counter += 1


def uniform(stream, bound):
    """An integer below `bound` without bias (5.2): words past the last whole block are skipped."""
    limit = 2**32 - 2**32 % bound
    return next(word for word in stream if word < limit) % bound


def deck(seed, cards):
    """Forward Fisher-Yates on the identity deck (5.3)."""
    order, stream = list(range(cards)), words(seed, b"pge.deck")
    for i in range(cards - 1):
        j = i + uniform(stream, cards - i)
        order[i], order[j] = order[j], order[i]
    return order


def dice(seed):
    """Three dice (5.4)."""
    stream = words(seed, b"pge.dice")
    return [1 + uniform(stream, 6) for _ in range(3)]
