"""The chain of manifests (PGE-FAIR-1, 3.6, D2 and D18): the keys that may sign each kind of record, and when."""

ZEROS = "0" * 64


class Manifests:
    """Manifests in the order of the file, each signed by enough keys of the root before it; the
    first by enough of those that are trusted from the start."""

    def __init__(self, keys, threshold):
        self.trusted, self.keys, self.threshold = keys, keys, threshold
        # `whole`: whether there is a manifest and none was refused.
        self.chain, self.whole = [], False
        # Keys and threshold of the root before each manifest of the chain.
        self.roots = []

    def add_all(self, records, findings):
        if not records:
            return findings.skip("MANIFEST_SIG", None, "no manifest in the file")
        if any(record.refused for record in records):
            return findings.skip("MANIFEST_SIG", None, "a manifest was refused by CANONICAL")
        for record in records:
            if self.get(record.hash):
                continue
            fault = self.fault(record)
            if fault:
                return findings.fail("MANIFEST_SIG", f"line {record.number}",
                                     "a chain of manifests signed by the trusted root", fault)
            self.chain.append(record)
            self.roots.append((self.keys, self.threshold))
            # A root may hand over to another root, which signed this manifest too.
            self.keys, self.threshold = root_keys(record), record.body["root"]["threshold"]
        self.whole = True

    def fault(self, record):
        """Why a manifest does not follow the one before it, if it does not."""
        for one, (keys, threshold) in zip(self.chain, self.roots):
            if one.body["seq"] == record.body["seq"] and len(record.signers(keys)) >= threshold:
                return (f"a fork: two manifests of sequence number {one.body['seq']} under one root, "
                        f"{one.hash} and {record.hash}")
        if len(record.signers(self.keys)) < self.threshold:
            return f"not signed by {self.threshold} of the {len(self.keys)} trusted root keys"
        if not 1 <= record.body["root"]["threshold"] <= len(record.signers(root_keys(record))):
            return "names another root whose keys have not signed it"
        if not self.chain and not set(self.keys) & root_keys(record):
            # Otherwise one root could sign many chains, each with a salt of its own.
            return "the first manifest of the file names none of the trusted root keys"
        seq, prev = int(record.body["seq"]), record.body["prev"]
        if not self.chain:
            # A file may begin with a later manifest.
            return None if seq > 1 or seq == 1 and prev == ZEROS else "seq 1 has a prev of 64 zeros"
        before = self.chain[-1]
        if prev != before.hash:
            return f"prev {prev}, not {before.hash}"
        if seq != int(before.body["seq"]) + 1:
            return f"seq {seq} after {before.body['seq']}"
        return None

    def get(self, digest):
        return next((record for record in self.chain if record.hash == digest), None)

    def above(self, record):
        """The manifest that a ticket names, if it is reliable and above the ticket in the file."""
        manifest = self.get(record.body["manifest"]) if self.whole else None
        return manifest if manifest and manifest.number < record.number else None

    def receipt_keys(self, *records):
        """The receipt keys of these manifests that no manifest of the file revokes: a revoked key may have
        signed anything since (3.6)."""
        revoked = {key["pk"] for record in self.chain for key in record.body["receipt_keys"] if key.get("revoked")}
        return {key["pk"] for record in records for key in record.body["receipt_keys"]} - revoked

    def revealers(self, epoch):
        """The keys that may sign the secret or the close of an epoch: the trusted root's, and root and
        receipt keys of the manifests that list the epoch. If none lists it, those of all manifests count."""
        listing = [record for record, entry in self.listings(epoch) if entry] or self.chain
        return self.trusted.union(self.receipt_keys(*listing), *map(root_keys, listing))

    def witnesses(self):
        """The keys that the manifests list as witnesses of a salt."""
        sources = (epoch.get("salt_source", {}) for record in self.chain for epoch in record.body["epochs"])
        return {source["pk"] for source in sources if source.get("type") == "party"}

    def announcement(self, epoch):
        """The hash of the manifest that first lists the epoch, if it is known to be in the file."""
        place = next(i for i, (_, entry) in enumerate(self.listings(epoch)) if entry)
        first = self.chain[place]
        return first.hash if place > 0 or first.body["seq"] == "1" else None

    def listings(self, epoch):
        """Each manifest, and how it lists the epoch, if it does."""
        return [(record, next((entry for entry in record.body["epochs"] if entry["epoch"] == epoch), None))
                for record in self.chain]


def root_keys(record):
    return {key["pk"] for key in record.body["root"]["keys"]}


def ledger_keys(record, name):
    """The public keys that a manifest lists for the ledger of a tenant; empty if it does not list the tenant."""
    listed = (tenant["ledger_keys"] for tenant in record.body["tenants"] if tenant["tenant"] == name)
    return {key["pk"] for key in next(listed, [])}


def announced(epoch):
    """The members of an epoch that its announcement fixes for ever: all except its salt, the value that gives
    it, and its status (D2)."""
    source = {name: value for name, value in epoch.get("salt_source", {}).items()
              if name not in ("value", "sig", "signature")}
    return {name: value for name, value in epoch.items() if name not in ("salt", "status")} | {"salt_source": source}


def may_become(epoch, later):
    """Whether `later` lists the same epoch: completed at most once, and its status never going back."""
    now, then = epoch.get("status", "active"), later.get("status", "active")
    return (announced(epoch) == announced(later)
            and ("salt" not in epoch or all(epoch.get(m) == later.get(m) for m in ("salt", "salt_source")))
            and (now == "active" or then in (now, "revealed")))
