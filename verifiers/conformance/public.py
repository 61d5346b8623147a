"""The beacons and the public log of the kit: their entries in manifests, their signatures, and proofs.

BLS signatures are not made here. Those of `KIT` are in beacon.json, and those of `QUICKNET` were published.
"""
import base64
import json
import pathlib
import struct

from collections import namedtuple

from paigow_verify.encoding import enc, pae, sha256


class Beacon:
    """A chain of drand: its members in a manifest, and signatures of its rounds in hexadecimal."""

    def __init__(self, members, signatures):
        self.members, self.signatures = members, signatures

    @property
    def chain(self):
        """The chain hash, as drand computes it."""
        one = self.members
        numbers = struct.pack(">I", one["period"]) + struct.pack(">Q", int(one["genesis"]))
        name = "" if one["id"] == "default" else one["id"]
        return sha256(numbers + bytes.fromhex(one["pk"] + one["group"]) + name.encode()).hex()

    def published(self, number):
        return int(self.members["genesis"]) + (number - 1) * self.members["period"]

    def named(self, number):
        """A round, as a ticket and the source of a salt name it."""
        return {"chain": self.chain, "round": str(number), "type": "drand"}

    def fields(self, number):
        return bytes.fromhex(self.chain), struct.pack("<Q", number), bytes.fromhex(self.signatures[number])

    def external(self, number):
        """The bytes that the signature of a round adds to the seed of a round of play."""
        return enc("pge/v1/external-drand", *self.fields(number))

    def salt(self, number):
        return sha256(enc("pge/v1/epoch-salt-drand", *self.fields(number)))

    def having(self, signatures=(), **members):
        """The same with other members, or with other signatures of some rounds."""
        return Beacon({**self.members, **members}, {**self.signatures, **dict(signatures)})


def _kit():
    file = json.loads((pathlib.Path(__file__).parent / "beacon.json").read_text())
    beacon = Beacon(file["beacon"], {int(number): one for number, one in file["signatures"].items()})
    assert beacon.chain == file["chain"]
    return beacon


# Rounds 1 to 16 are published before the first epoch of a World opens.
KIT = _kit()
# The quicknet of the League of Entropy. Round 123 is from the tests of drand-verify 0.6.2 (src/verify.rs). Round 657413
# is from the README of python-drand-verify (github.com/mcdcam/python-drand-verify). Round 9683710 and the members are
# from the tests of a pallet for drand (github.com/ideal-lab5/pallets, pallets/drand/src/tests.rs).
QUICKNET = Beacon(
    {"genesis": "1692803367", "group": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
     "id": "quicknet", "period": 3,
     "pk": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
           "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"},
    {123: "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
     657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
     9683710: "b0a8b04e009cf72534321aca0f50048da596a3feec1172a0244d9a4a623a3123d0402da79854d4c705e94bc73224c342"})
# The chain hash that drand publishes.
assert QUICKNET.chain == "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"

# A log, by its name and the key that signs its checkpoints.
Log = namedtuple("Log", "origin key")


def path_of(hashes, at):
    """From the leaf up: at each level the hash of the neighbour, if there is one. A last node without a
    neighbour moves up unchanged."""
    path = []
    while len(hashes) > 1:
        if at ^ 1 < len(hashes):
            path.append(hashes[at ^ 1])
        hashes, at = above(hashes), at // 2
    return path


def above(hashes):
    """The next level of a tree."""
    return [sha256(b"\1" + pair[0] + pair[1]) if len(pair) == 2 else pair[0]
            for pair in (hashes[place:place + 2] for place in range(0, len(hashes), 2))]


def leaf_of(signed):
    """The leaf of a record in a log, from the bytes that its signatures sign."""
    return sha256(b"\0" + (signed if len(signed) < 1 << 16 else enc("pge/v1/log-entry", sha256(signed))))


class Leaves:
    """The leaves of a log, whose records are names until they are issued. `made` makes a leaf of what is signed."""

    def __init__(self, names, made=leaf_of):
        self.names, self.made = list(names), made

    def __deepcopy__(self, _):
        return self

    def hashes(self, signed):
        return [self.made(signed.get(name, b"")) for name in self.names]


class Root(Leaves):
    """The hash of the tree."""

    def resolved(self, signed):
        hashes = self.hashes(signed)
        while len(hashes) > 1:
            hashes = above(hashes)
        return hashes[0].hex()


class Path(Leaves):
    """The path from the leaf of one record to the root."""

    def __init__(self, names, at, made=leaf_of):
        super().__init__(names, made)
        self.at = at

    def resolved(self, signed):
        return [one.hex() for one in path_of(self.hashes(signed), self.at)]


class Checkpointed:
    """A signature by the log, or by a witness at a time, over the checkpoint that the members of a proof state. `form`
    makes what is signed of the text and the time."""

    def __init__(self, key, form=None):
        self.key, self.form = key, form or (lambda text, time: text if time is None else cosigned(text, time))

    def __deepcopy__(self, _):
        return self

    def sign(self, text, time):
        return self.key.sign(self.form(text, time).encode()).hex()


def cosigned(text, time):
    """The bytes that a witness signs for the text of a checkpoint (C2SP tlog-cosignature)."""
    return f"cosignature/v1\ntime {time}\n{text}"


def checkpoint(body):
    """The text of a checkpoint (C2SP tlog-checkpoint). For malformed members any text."""
    try:
        root = bytes.fromhex(body["root"])
    except (KeyError, TypeError, ValueError):
        root = b""
    return f"{body.get('origin')}\n{body.get('size')}\n{base64.b64encode(root).decode()}\n"


def log_copy(lines, log, witnesses, time, **changed):
    """A copy of a log: a checkpoint, signed by the log and by witnesses at a time, and entries. `lines` are those of
    records, or hashes of records that are too long. `changed` are other members of the checkpoint, which is signed with
    them."""
    entries, leaves = [], []
    for line in lines:
        if len(line) == 64:
            entries.append(f'"{line}"')
            leaves.append(sha256(b"\0" + enc("pge/v1/log-entry", bytes.fromhex(line))))
        else:
            envelope = json.loads(line)
            entries.append(json.dumps({**envelope, "signatures": []}, sort_keys=True, separators=(",", ":")))
            leaves.append(leaf_of(pae(envelope["payloadType"], base64.b64decode(envelope["payload"]))))
    while len(leaves) > 1:
        leaves = above(leaves)
    head = {"cosignatures": [{"pk": key.public, "sig": Checkpointed(key), "time": str(time)} for key in witnesses],
            "origin": log.origin, "root": leaves[0].hex(), "sig": Checkpointed(log.key), "size": str(len(lines))}
    head = signed_proof(head | changed)
    return "".join(f"{line}\n" for line in (json.dumps(head, sort_keys=True, separators=(",", ":")), *entries))


def signed_proof(body):
    """The members of a proof, with the signatures of the log and of witnesses."""
    text = checkpoint(body)

    def signed(value, time=None):
        if isinstance(value, Checkpointed):
            return value.sign(text, time)
        if isinstance(value, dict):
            return {name: signed(item, value.get("time")) for name, item in value.items()}
        return [signed(item, time) for item in value] if isinstance(value, list) else value

    return signed(body)
