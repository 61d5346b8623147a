"""The public log of records: proofs that a record is in it, and since when (PGE-FAIR-1).

The tree is that of RFC 9162; checkpoints and cosignatures are those of C2SP (tlog-checkpoint, tlog-cosignature).
"""
import base64

from . import ed25519
from .encoding import enc
from .epoch_close import root_of_path
from .rounds import Failed, Skipped

# A bundle of entries writes the length of each in 16 bits.
LONGEST_ENTRY = 65535


def entry_of(record):
    """The entry of a record in a log: what its signatures sign, or its hash if that is too long."""
    if len(record.signed) <= LONGEST_ENTRY:
        return record.signed
    return enc("pge/v1/log-entry", bytes.fromhex(record.hash))


def checkpoint(proof):
    """The text of the checkpoint of a proof, which the log signs."""
    root = base64.b64encode(bytes.fromhex(proof["root"])).decode()
    return f"{proof['origin']}\n{proof['size']}\n{root}\n".encode()


def cosigned(proof, time):
    """What a witness signs at a time for the checkpoint of a proof."""
    return f"cosignature/v1\ntime {time}\n".encode() + checkpoint(proof)


def _signs(key, message, signature):
    return ed25519.verify(bytes.fromhex(key), message, bytes.fromhex(signature))


def judged(audit, proof, records):
    """Checks a proof. Returns the name and the key of its log, and the earliest time at which a pinned witness signed
    for its checkpoint. There is no time if no such witness signed. `records` are those of the file by their hashes."""
    body, text = proof.body, checkpoint(proof.body)
    record, root = records.get(body["record"]), bytes.fromhex(body["root"])
    if record is None:
        raise Failed(proof, "a proof of a record of this file", "one of another")
    path = list(map(bytes.fromhex, body["path"]))
    if root_of_path(entry_of(record), int(body["index"]), int(body["size"]), path) != root:
        raise Failed(proof, "a path to the root of the checkpoint", "another")
    logs = (manifest.body.get("log", {}) for manifest in audit.manifests.chain)
    keys = dict.fromkeys(log["pk"] for log in logs if log.get("origin") == body["origin"])
    key = next((key for key in keys if _signs(key, text, body["sig"])), None)
    if key is None:
        raise Failed(proof, "the signature of a log that a manifest lists", "another, or none")
    pinned = [one for one in body["cosignatures"] if one["pk"] in audit.terms.witnesses]
    for one in pinned:
        if not _signs(one["pk"], cosigned(body, one["time"]), one["sig"]):
            raise Failed(proof, "the cosignature of the witness", "another")
    return (body["origin"], key), min((int(one["time"]) for one in pinned), default=None)


def time_of(audit, record, log=None):
    """The earliest time at which a pinned witness signed for a checkpoint of a log that has the record, by the good
    proofs of the file; None if no witness did. `log` is the entry of a manifest; without it any log counts."""
    named = log and (log["origin"], log["pk"])
    return min((time for proven, time in audit.logged.get(record.hash, ()) if named in (None, proven)), default=None)


def logged(audit, this):
    """LOGGED: the log of the round's manifest has the ticket, the lock of the wagers and the close."""
    this.need_world()
    log = this.manifest.body.get("log")
    if log is None:
        raise Skipped("the manifest lists no log")
    for slot, what in (("ticket", "the ticket"), ("wagers", "the lock of the wagers"), ("settle", "the close")):
        record = this.get(slot)
        if record and time_of(audit, record, log) is None:
            raise Skipped(f"no proof of a pinned witness has {what}")
