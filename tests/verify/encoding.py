"""Bytes: tuples (PGE-FAIR-1, section 2), canonical JSON and DSSE envelopes (6.2), identifiers."""
import base64
import binascii
import hashlib
import hmac
import json
import re
import struct


class Bad(Exception):
    """Bytes that are not what the specification says they have to be."""


def enc(label, *fields):
    """The injective encoding of a tuple: explicit arity and lengths, little-endian."""
    head = bytes([len(label)]) + label.encode() + bytes([len(fields)])
    return head + b"".join(struct.pack("<I", len(field)) + field for field in fields)


def sha256(data):
    return hashlib.sha256(data).digest()


def mac(key, data):
    return hmac.digest(key, data, "sha256")


def u32(number):
    return struct.pack("<I", number)


def u64(number):
    return struct.pack("<Q", number)


IDENTIFIER = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)


def is_hex(value, size):
    """Whether the value is `size` bytes in lower-case hexadecimal digits."""
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{%d}" % (2 * size), value) is not None


def kid(public_key):
    """A lookup hint of eight bytes. It authenticates nothing (3.1)."""
    return sha256(enc("pge/v1/kid", public_key))[:8].hex()


def pae(payload_type, payload):
    """What a signature of a DSSE envelope signs, and what a record's hash is taken of."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def strict_base64(text):
    """Standard alphabet, padded, no other character, no stray bits (D14)."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Bad(f"base64: {error}") from None
    if base64.b64encode(data).decode() != text:
        raise Bad("base64: not in its one form")
    return data


def _pairs(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Bad("JSON: a member twice")
    return members


def _refuse(token):
    raise Bad(f"JSON: {token} is no integer")


def parse_json(data):
    """Reads JSON; a member twice, a float or a NaN is refused."""
    try:
        return json.loads(data.decode(), object_pairs_hook=_pairs, parse_float=_refuse,
                          parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Bad(f"JSON: {str(error)[:80]}") from None


def _within_profile(value):
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return abs(value) < 2**53
    if isinstance(value, str):
        return all(" " <= character <= "~" for character in value)
    if isinstance(value, list):
        return all(map(_within_profile, value))
    return isinstance(value, dict) and all(map(_within_profile, [*value, *value.values()]))


def canonical(value):
    """The one form of a value: sorted members, no spaces (6.2)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def is_canonical(data, value):
    """Whether the bytes are the one form of the value, and the value within the profile."""
    return _within_profile(value) and canonical(value) == data
