"""The chain of manifests (PGE-FAIR-1, 3.6, D2 and D18): who may sign what, and when."""


class Manifests:
    """Manifests in the order of the file, each signed by enough keys of the root before it; the
    first by enough of those that are trusted from the start."""

    def __init__(self, keys, threshold):
        self.keys, self.threshold = keys, threshold
        # `whole`: whether there is a manifest and none was refused.
        self.chain, self.whole = [], False

    def add_all(self, records, findings):
        if not records:
            findings.skip("MANIFEST_SIG", None, "no manifest in the file")
        for record in records:
            if record.refused:
                return findings.skip("MANIFEST_SIG", None, "the manifest was refused by CANONICAL")
            if self.get(record.hash):
                continue
            fault = self.fault(record)
            if fault:
                return findings.fail("MANIFEST_SIG", f"line {record.number}",
                                     "a chain of manifests signed by the trusted root", fault)
            self.chain.append(record)
            # A root may hand over to another, which has signed this manifest too.
            if "root" in record.body:
                self.keys, self.threshold = root_keys(record), record.body["root"]["threshold"]
        self.whole = bool(records)

    def fault(self, record):
        """Why a manifest does not follow the one before it, if it does not."""
        if len(record.signers(self.keys)) < self.threshold:
            return f"not signed by {self.threshold} of the {len(self.keys)} trusted root keys"
        if "root" in record.body and not (
                1 <= record.body["root"]["threshold"] <= len(record.signers(root_keys(record)))):
            return "names another root whose keys have not signed it"
        before = self.chain[-1] if self.chain else None
        if before and record.body["prev"] != before.hash:
            return f"prev {record.body['prev']}, not {before.hash}"
        if before and int(record.body["seq"]) != int(before.body["seq"]) + 1:
            return f"seq {record.body['seq']} after {before.body['seq']}"
        return None

    def get(self, digest):
        return next((record for record in self.chain if record.hash == digest), None)

    def revealers(self):
        """The keys that may sign the secret of an epoch: the root's and all receipt keys."""
        return self.keys.union(*(root_keys(record) | {key["pk"] for key in record.body["receipt_keys"]}
                                 for record in self.chain))

    def listings(self, epoch):
        """The manifests that list the epoch, and how."""
        return [(record, entry) for record in self.chain for entry in record.body["epochs"]
                if entry["epoch"] == epoch]


def root_keys(record):
    return {key["pk"] for key in record.body.get("root", {"keys": []})["keys"]}
