"""The chain of manifests (PGE-FAIR-1, 3.6, D2 and D18): who may sign what, and when."""


class Manifests:
    """Manifests in the order of the file, each signed by enough keys of the root before it; the
    first by enough of those that are trusted from the start."""

    def __init__(self, keys, threshold):
        self.keys, self.threshold = keys, threshold
        # `whole`: whether there is a manifest and none was refused.
        self.good, self.chain, self.whole = {}, [], False

    def add_all(self, records, findings):
        for record in records:
            if record.hash in self.good:
                continue
            fault = "refused by CANONICAL" if record.refused else self.fault(record)
            if record.refused:
                findings.skip("MANIFEST_SIG", None, "the manifest was refused by CANONICAL")
                break
            if fault:
                findings.fail("MANIFEST_SIG", f"line {record.number}",
                              "a chain of manifests signed by the trusted root", fault)
                break
            self.good[record.hash] = record
            self.chain.append(record)
            # A root may hand over to another, which has signed this manifest too.
            root = record.body.get("root")
            if root:
                self.keys, self.threshold = {key["pk"] for key in root["keys"]}, root["threshold"]
        else:
            self.whole = bool(records)
        if not records:
            findings.skip("MANIFEST_SIG", None, "no manifest in the file")

    def fault(self, record):
        """Why a manifest does not follow the one before it, if it does not."""
        if len(record.signers(self.keys)) < self.threshold:
            return f"not signed by {self.threshold} of the {len(self.keys)} trusted root keys"
        root = record.body.get("root")
        if root and not 1 <= root["threshold"] <= len(record.signers({key["pk"] for key in root["keys"]})):
            return "names another root whose keys have not signed it"
        if self.chain:
            before = self.chain[-1]
            if record.body["prev"] != before.hash:
                return f"prev {record.body['prev']}, not {before.hash}"
            if int(record.body["seq"]) != int(before.body["seq"]) + 1:
                return f"seq {record.body['seq']} after {before.body['seq']}"
        return None

    def revealers(self):
        """The keys that may sign the secret of an epoch: the root's and all receipt keys."""
        receipts = {key["pk"] for record in self.chain for key in record.body["receipt_keys"]}
        roots = {key["pk"] for record in self.chain
                 for key in record.body.get("root", {"keys": []})["keys"]}
        return self.keys | roots | receipts

    def commits_to(self, epoch):
        return any(entry["epoch"] == epoch and "commit" in entry
                   for record in self.chain for entry in record.body["epochs"])

    def first_listing(self, epoch):
        """The first manifest of the chain that lists the epoch, and how."""
        for record in self.chain:
            for entry in record.body["epochs"]:
                if entry["epoch"] == epoch:
                    return record, entry
        return None, None
