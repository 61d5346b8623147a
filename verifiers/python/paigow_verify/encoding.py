"""Bytes: tuples (PGE-FAIR-1, section 2), canonical JSON and the signed bytes of DSSE envelopes (6.2)."""
import base64
import hashlib
import json
import struct


# How many lists and objects may enclose a value.
DEPTH = 16


class Bad(Exception):
    """Bytes that violate the specification."""


def enc(label, *fields):
    """The injective encoding of a tuple: explicit arity and lengths, little-endian."""
    head = bytes([len(label)]) + label.encode() + bytes([len(fields)])
    return head + b"".join(struct.pack("<I", len(field)) + field for field in fields)


def sha256(data):
    return hashlib.sha256(data).digest()


def kid(public_key):
    """A lookup hint of eight bytes. It authenticates nothing (3.1)."""
    return sha256(enc("pge/v1/kid", public_key))[:8].hex()


def pae(payload_type, payload):
    """The bytes that a signature of a DSSE envelope covers. The hash of a record is over the same bytes."""
    return b"DSSEv1 %d %s %d %s" % (len(payload_type), payload_type.encode(), len(payload), payload)


def strict_base64(text):
    """Standard alphabet, padded, no other character, no stray bits (D14)."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Bad(f"base64: {error}") from None
    if base64.b64encode(data).decode() != text:
        raise Bad("base64: not in its one form")
    return data


def _object(pairs):
    if len(dict(pairs)) != len(pairs):
        raise Bad("JSON: a member twice")
    return dict(pairs)


def _refuse(token):
    raise Bad(f"JSON: {token} is no integer")


def _integer(token):
    if token.startswith("-") or len(token) > 16 or int(token) >= 2**53:
        raise Bad("JSON: an integer that is not 0 to 2^53 - 1")
    return int(token)


def parse_json(data):
    """Reads JSON. Refuses a repeated member, a null, a number of another kind, and too deep nesting."""
    try:
        value = json.loads(data.decode(), object_pairs_hook=_object, parse_int=_integer, parse_float=_refuse,
                           parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Bad(f"JSON: {str(error)[:80]}") from None
    if not _is_held(value, DEPTH):
        raise Bad("JSON: a null, or nested too deep")
    return value


def _is_held(value, depth):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value is not None and depth >= 0 and all(_is_held(item, depth - 1) for item in inner)


def canonical(value):
    """The one form of a value: sorted members, no spaces (6.2)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _is_within_profile(value):
    """Whether strings are printable ASCII. Numbers were checked when they were read."""
    if isinstance(value, (list, dict)):
        inner = [*value, *value.values()] if isinstance(value, dict) else value
        return all(map(_is_within_profile, inner))
    return not isinstance(value, str) or value.isascii() and value.isprintable()


def is_canonical(data, value):
    """Whether the bytes are the canonical form of the value, and the value is within the profile."""
    return _is_within_profile(value) and canonical(value) == data
