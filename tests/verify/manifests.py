"""The chain of manifests (PGE-FAIR-1, 3.6, D2 and D18): who may sign what, and when."""


class Manifests:
    """Manifests in the order of the file, each signed by enough of the trusted root keys."""

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
        else:
            self.whole = bool(records)
        if not records:
            findings.skip("MANIFEST_SIG", None, "no manifest in the file")

    def fault(self, record):
        """Why a manifest does not follow the one before it, if it does not."""
        if len(record.signers(self.keys)) < self.threshold:
            return f"not signed by {self.threshold} of the {len(self.keys)} trusted root keys"
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
        return self.keys | receipts

    def commits_to(self, epoch):
        return any(entry["epoch"] == epoch and "commit" in entry
                   for record in self.chain for entry in record.body["epochs"])

    def announcement(self, epoch, before):
        """The earliest manifest that lists the epoch, if it is before the given one."""
        for record in self.chain:
            if record is before:
                return None
            for entry in record.body["epochs"]:
                if entry["epoch"] == epoch:
                    return entry
        return None
