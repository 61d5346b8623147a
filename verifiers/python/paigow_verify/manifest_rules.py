"""The rules for a chain of manifests: a server loads no chain that breaks one, and an audit fails it."""
from . import ed25519, shuffle
from .beacons import chain_of
from .encoding import enc, kid
from .manifests import may_become

SEVEN_DAYS = 7 * 24 * 3600


def faults(chain):
    """The faults of a chain that begins with manifest 1, or with one that the caller named, oldest
    manifest first: each a record, the code of the rule, and a description."""
    # Each epoch that was ever listed, with the hash of the manifest that announced it, if it is known.
    listed, roles, owners, suite, beacon, before = {}, {}, {}, None, None, []
    for record in chain:
        manifest = record.body
        # Its epochs were announced before, or may have been.
        begins_later = record is chain[0] and manifest["seq"] != "1"
        for code, what in _alone(manifest, listed):
            yield record, code, what
        epochs = {epoch["epoch"]: epoch for epoch in manifest["epochs"]}
        for old in before:
            new = epochs.get(old["epoch"])
            if new and not may_become(old, new):
                yield record, "EPOCH_CHANGED", f"epoch {old['epoch']}"
            if not new and old.get("status") != "revealed":
                yield record, "EPOCH_DROPPED", f"epoch {old['epoch']}"
        beacon = beacon or manifest.get("beacon")
        if manifest.get("beacon") != beacon:
            yield record, "BEACON_CHANGED", "another beacon than before, or none"
        earlier = {epoch["epoch"] for epoch in before}
        for epoch in manifest["epochs"]:
            if epoch["epoch"] not in earlier:
                is_salted = epoch.get("salt_source", {}).get("type") in ("party", "drand") and "salt" in epoch
                if is_salted and not begins_later:
                    yield record, "SALT_BEFORE_ANNOUNCEMENT", f"epoch {epoch['epoch']}"
                if epoch["epoch"] in listed:
                    yield record, "LISTED_AGAIN", f"epoch {epoch['epoch']}"
        announcement = None if begins_later else record.hash
        listed |= {number: announcement for number in epochs if number not in listed}
        suites = {epoch["suite"] for epoch in manifest["epochs"]}
        suite = suite or (manifest["epochs"][0]["suite"] if suites else None)
        if suites - {suite}:
            yield record, "ONE_SUITE", "two suites"
        for key, role in keys_by_role(manifest):
            known = roles.setdefault(key, [])
            if role not in known:
                known.append(role)
                if len(known) > 1:
                    yield record, "KEY_ROLES", f"key {kid(bytes.fromhex(key))}: {role}, and {known[0]} too"
        for epoch in manifest["epochs"]:
            # The epoch that listed the VRF key first.
            owner = owners.setdefault(epoch["vrf_key"], epoch["epoch"]) if "vrf_key" in epoch else epoch["epoch"]
            if owner != epoch["epoch"]:
                yield record, "SECRET_TWICE", f"epochs {owner} and {epoch['epoch']}"
        before = manifest["epochs"]


def keys_by_role(manifest):
    """The keys that a manifest lists, each with its role."""
    lists = [("root", manifest["root"]["keys"]), ("receipt", manifest["receipt_keys"]),
             *(("ledger", tenant["ledger_keys"]) for tenant in manifest["tenants"]),
             ("witness", [epoch["salt_source"] for epoch in manifest["epochs"]
                          if epoch.get("salt_source", {}).get("type") == "party"]),
             ("vrf", [{"pk": epoch["vrf_key"]} for epoch in manifest["epochs"] if "vrf_key" in epoch]),
             ("log", [manifest["log"]] if "log" in manifest else [])]
    return [(key["pk"], role) for role, keys in lists for key in keys]


def secret_twice(reveals):
    """Two epochs with one secret: their rounds would have one server seed for two ids."""
    for i, reveal in enumerate(reveals):
        for other in reveals[:i]:
            if (other.body["epoch"] != reveal.body["epoch"]
                    and other.body["epoch_secret"] == reveal.body["epoch_secret"]):
                return reveal, "SECRET_TWICE", f"epochs {other.body['epoch']} and {reveal.body['epoch']}"
    return None


def _alone(manifest, announced):
    """The faults of one manifest by itself; `announced` has the announcements of epochs before it."""
    if not manifest["receipt_keys"]:
        yield "RECEIPT_KEYS", "none"
    for epoch in manifest["epochs"]:
        for code, what in _epoch(epoch, announced.get(epoch["epoch"]), manifest.get("beacon")):
            yield code, f"epoch {epoch['epoch']}: {what}"
    windows = sorted((int(epoch["open_from"]), int(epoch["open_until"]), epoch["epoch"]) for epoch in manifest["epochs"])
    if any(after[0] < before[1] for before, after in zip(windows, windows[1:])):
        yield "WINDOWS_OVERLAP", "two windows overlap"
    for entries, name in (("epochs", "epoch"), ("tenants", "tenant"), ("rulesets", "name"), ("house_ways", "name")):
        names = [entry[name] for entry in manifest[entries]]
        if len(set(names)) < len(names):
            yield "LISTED_TWICE", f"one of the {entries}"
    fresh = any(epoch["suite"] == "fresh" for epoch in manifest["epochs"])
    for tenant in manifest["tenants"]:
        policy = tenant["policy"]
        if fresh and (policy["lock"], policy["chain"]) != ("required", "required"):
            yield "FRESH_POLICY", f"tenant {tenant['tenant']}"
        if "absent" in policy and (policy["lock"] != "required" or policy["seat_auth"] == "off"):
            yield "ABSENT_POLICY", f"tenant {tenant['tenant']}: absent needs lock required and seats that sign"
        if policy["external"] == "drand" and (policy["lock"] != "required" or "beacon" not in manifest):
            yield "EXTERNAL_POLICY", (f"tenant {tenant['tenant']}: external: drand needs lock: required, and a beacon "
                                      "in the manifest")
        if policy["lock"] == "required" and not tenant["ledger_keys"]:
            yield "LEDGER_KEYS", f"tenant {tenant['tenant']}"


def _epoch(epoch, announcement, beacon):
    if epoch["suite"] != "fresh":
        source = epoch["salt_source"]
        if source["type"] == "drand" and source["chain"] != chain_of(beacon):
            yield "SALT_SOURCE", "a drand salt of another chain than the beacon of the manifest"
        wanted, good = salt(epoch, announcement)
        if not good:
            yield "SALT", "another signature"
        else:
            if "salt" in epoch and epoch["salt"] != wanted:
                yield "SALT", "not what its source gives"
            if ("value" in source or "signature" in source) and "salt" not in epoch:
                yield "SALT", "a value without its salt"
    opens, closes, settles = (int(epoch[member]) for member in ("open_from", "open_until", "settle_until"))
    if not (opens < closes and closes + SEVEN_DAYS <= settles):
        yield "WINDOW", "open_from, open_until, settle_until"


def has_beacon_salt(chain):
    """Whether a beacon signed the salt of an epoch. If so, this verifier cannot show that the rule SALT is kept."""
    return any("signature" in epoch.get("salt_source", {}) for record in chain for epoch in record.body["epochs"])


def salt(epoch, announcement):
    """The salt that the source of an epoch gives, if it has one already, and whether its signature is good.
    That is not known without the hash of the manifest that announces the epoch. The signature of a beacon is
    not verified."""
    source = epoch["salt_source"]
    if source["type"] == "none":
        return bytes(32).hex(), True
    if source["type"] == "party" and "value" in source:
        key, value = bytes.fromhex(source["pk"]), bytes.fromhex(source["value"])
        is_signed = announcement is None or ed25519.verify(
            key, statement(epoch, announcement, value), bytes.fromhex(source["sig"]))
        return shuffle.party_salt(key, value).hex(), is_signed
    if source["type"] == "drand" and "signature" in source:
        chain, signature = bytes.fromhex(source["chain"]), bytes.fromhex(source["signature"])
        return shuffle.drand_salt(chain, int(source["round"]), signature).hex(), True
    return None, True


def statement(epoch, announcement, value):
    """The bytes that a witness signs (D2). They have the commitment to the secret, in the vrf suite the public key."""
    return enc("pge/v1/epoch-salt-party", epoch["epoch"].to_bytes(4, "little"), bytes.fromhex(announcement),
               bytes.fromhex(epoch["vrf_key"] if epoch["suite"] == "vrf" else epoch["commit"]), value)
