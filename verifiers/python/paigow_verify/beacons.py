"""Public randomness: chains of drand with the scheme bls-unchained-g1-rfc9380 (PGE-FAIR-1).

BLS signatures are not verified here: a check that needs one is skipped.
"""
import struct

from .encoding import enc, sha256
from .logs import time_of
from .rounds import UNVERIFIED, Failed, Skipped

# The chain of drand's quicknet, which every verifier trusts.
QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"


def chain_of(beacon):
    """The hash of a chain, as drand computes it; all integers are big-endian. None if there is no beacon."""
    if beacon is None:
        return None
    name = b"" if beacon["id"] == "default" else beacon["id"].encode()
    numbers = struct.pack(">IQ", beacon["period"], int(beacon["genesis"]))
    return sha256(numbers + bytes.fromhex(beacon["pk"] + beacon["group"]) + name).hex()


def published(beacon, number):
    """When a round of the chain is published, in Unix seconds."""
    return int(beacon["genesis"]) + (int(number) - 1) * beacon["period"]


def external_of(ticket, deal):
    """The bytes that public randomness adds to the seed of a round; empty if ticket or deal has none."""
    named = ticket["external"]
    if named["type"] == "none" or "beacon" not in deal:
        return b""
    number = struct.pack("<Q", int(named["round"]))
    return enc("pge/v1/external-drand", bytes.fromhex(named["chain"]), number, bytes.fromhex(deal["beacon"]))


def beacon(audit, this):
    """BEACON: the deal has the signature of the round that the ticket names, as far as that shows without BLS."""
    if this.get("deal") is None:
        raise Skipped("no deal")
    ticket, deal = this.need("ticket"), this.need("deal")
    if ticket["external"]["type"] == "none":
        if "beacon" in deal:
            raise Failed(this.get("deal"), "no signature of a beacon: the ticket names no round", "a signature")
        raise Skipped("the ticket names no beacon round")
    if "beacon" not in deal:
        raise Failed(this.get("deal"), "the beacon's signature of the round that the ticket names", "none")
    this.need_world()
    raise Skipped(UNVERIFIED)


def trusted(audit, this, named):
    """The beacon of the round's manifest, if its chain is the one that is named and the caller trusts it."""
    listed = this.manifest.body.get("beacon")
    if named["chain"] not in (QUICKNET, *audit.terms.beacons) or named["chain"] != chain_of(listed):
        raise Skipped("the chain of the beacon is not among those given")
    return listed


def dated_before(time, record, what, listed, named):
    """Skips unless a pinned witness dated a record, and with it what it states, before the round of the beacon was
    published."""
    then = published(listed, named["round"])
    if time is None:
        raise Skipped(f"no pinned witness dated {record}")
    if time >= then:
        raise Skipped(f"a witness dated {what} at {time}, and the beacon's round was published at {then}")


def locked_before_beacon(audit, this):
    """LOCKED_BEFORE_BEACON: the wagers were final before anybody knew the value that the beacon adds to the seed."""
    named, record = this.need_world()["external"], this.get("wagers")
    if named["type"] == "none":
        raise Skipped("the ticket names no beacon round")
    listed, log = trusted(audit, this, named), this.manifest.body.get("log")
    if record is None:
        raise Skipped("no lock of the wagers")
    if record.refused:
        raise Skipped("the lock was refused by an earlier check")
    dated_before(log and time_of(audit, record, log), "the lock of the wagers", "the wagers", listed, named)
