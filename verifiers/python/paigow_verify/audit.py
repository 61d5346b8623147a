"""The audit of a transcript: the checks of PGE-FAIR-1, D6, in their order.

A check is skipped with the reason if an input is missing or was refused by an earlier check. The
first check that fails gives the code of the verdict.
"""
from contextlib import suppress

from . import claims, logs, manifest_rules, shuffle, verdicts
from .beacons import UNVERIFIED
from .checks import CHECKS, revealed
from .encoding import Bad
from .forks import forks
from .manifests import Manifests, ledger_keys
from .records import Record, is_public_key, looks_like_an_envelope
from .rounds import Failed, Findings, Round, Skipped
from .terms import Terms

CODES = ["FORMAT", "CANONICAL", "MANIFEST_SIG", "MANIFEST_RULES", *CHECKS, "NO_FORK"]
NO_TRANSCRIPT = "this is not a transcript"


def lines_of(data):
    """The lines of a file. The last one may lack a line end. A file of one line end has no line."""
    data = data.removesuffix(b"\n")
    return data.split(b"\n") if data else []


def combined(*places):
    """Every check over several places: the worst outcome, and of equals the first."""
    def worst(code):
        found = [place.found[code] for place in places if code in place.found]
        failed = [one for one in found if one["status"] == "failed"]
        return next(iter(failed or found), {"code": code, "status": "passed"})

    return [worst(code) for code in CODES]


class Audit:
    """One transcript, checked against the trusted root keys, the loaded rules and the terms."""

    def __init__(self, rules, root_keys, threshold=1, terms=Terms()):
        for key in root_keys:
            if not is_public_key(key):
                raise ValueError(f"{key}: not an Ed25519 public key")
        if not 1 <= threshold <= len(set(root_keys)):
            raise ValueError("the threshold is 1 to the number of distinct root keys")
        self.rules, self.root_keys, self.threshold, self.terms = rules, list(root_keys), threshold, terms
        self.findings, self.manifests, self.known = Findings(), Manifests(set(root_keys), threshold), claims.load()
        # The reveals that count, and the last records of rounds by place: of a forked round all of them. For
        # each client seed in a lock the tickets under which it appears.
        self.reveals, self.closes, self.seeds, self.rounds = [], {}, {}, []
        # The closes of epochs that count, what the file has of the rounds of an epoch and tenant, and the
        # inclusion proofs by place.
        self.epoch_closes, self.held, self.proofs = [], {}, {}
        for proof in terms.proofs:
            self.proofs.setdefault(proof.place, []).append(proof)
        # Of each record the logs that have it, each with a time, by the good proofs of the file. The hashes of all
        # records except proofs, and the entries of copies of logs that the file lacks.
        self.logged, self.hashes, self.log_rests = {}, set(), {}

    def run(self, lines):
        """Makes every check, and returns the conclusion."""
        if any(map(looks_like_an_envelope, lines)):
            self.check(lines)
        else:
            for code in CODES:
                self.findings.skip(code, None, NO_TRANSCRIPT)
        self.checks = combined(self.findings, *(this.findings for this in self.rounds))
        ended = {this.ticket["round_id"] for this in self.rounds if this.has_ended}
        for this in self.rounds:
            this.is_partial = bool(this.ticket and not this.get("settle") and this.ticket["round_id"] in ended)
        self.code, self.tables = verdicts.first_failed(self.checks), verdicts.tables(self.rounds)
        for this in self.rounds:
            this.checks = combined(self.findings, this.findings)
            is_awaited = this.epoch and this.epoch["suite"] == "derived" and not revealed(self, this)
            this.awaited = this.epoch if is_awaited else None
            this.verdict, this.claims = verdicts.of_round(self, this), claims.of_round(self, this)
        (self.verdict, self.because), self.claims = verdicts.of_file(self), claims.of_file(self)
        return self

    def check(self, lines):
        manifests, reveals, closes, proofs = [], [], [], []
        try:
            self.read(lines, manifests, reveals, closes, proofs)
        except Bad as error:
            self.findings.fail("FORMAT", error.args[1], "records in the order made", error.args[0])
            self.rounds = []
            for code in CODES[1:]:
                self.findings.skip(code, None, "the file was refused by FORMAT")
            return
        for record in manifests + reveals + closes + proofs:
            self.canonical(self.findings, record, f"line {record.number}")
        self.manifests.add_all(manifests, self.findings)
        for this in self.rounds:
            self.read_round(this)
            self.note(this)
        # Without a chain of manifests there is no key to verify a reveal with.
        for record in reveals if self.manifests.whole else []:
            if not record.refused:
                self.reveal(record)
        for record in closes if self.manifests.whole else []:
            if not record.refused:
                self.epoch_close(record)
        told = [record for this in self.rounds for record in this.records]
        records = {record.hash: record for record in manifests + reveals + closes + told}
        self.hashes = set(records)
        for record in proofs if self.manifests.whole else []:
            if not record.refused:
                self.log_proof(record, records)
        self.manifest_rules()
        for this in self.rounds:
            self.audit_round(this)
        for where, expected, found in forks(self):
            self.findings.fail("NO_FORK", where, expected, found)
            break
        if not self.rounds:
            apart = manifests + reveals + closes + proofs
            made = ["CANONICAL"] * bool(apart) + ["EPOCH_COMMIT"] * bool(self.reveals)
            for code in {"CANONICAL", *CHECKS, "NO_FORK"}.difference(made):
                self.findings.skip(code, None, "nothing to check")

    def read(self, lines, manifests, reveals, closes, proofs):
        """FORMAT: every line a record, in the order in which they are made."""
        current, apart = None, {"manifest": manifests, "epoch-reveal": reveals, "epoch-close": closes,
                                "log-proof": proofs}
        for number, line in enumerate(lines, 1):
            try:
                record = Record(line, number)
                if record.kind in apart:
                    apart[record.kind].append(record)
                    current = None
                elif record.kind == "ticket":
                    # If something was dealt from it, it may begin another telling of the round.
                    if current and [record.hash] == [other.hash for other in current.records]:
                        raise Bad("the same ticket twice")
                    current = Round(record, len(self.rounds) + 1)
                    self.rounds.append(current)
                elif current is None:
                    raise Bad("a record of a round that does not follow its ticket")
                else:
                    current.take(record)
            except Bad as error:
                raise Bad(str(error), f"line {number}") from None

    def canonical(self, findings, record, where):
        try:
            record.read()
        except Bad as error:
            record.refused = True
            findings.fail("CANONICAL", where, "a canonical payload", error)
        return not record.refused

    def read_round(self, this):
        """CANONICAL: all payloads of a round except two kinds. The actions of a spent lock may be anything. So
        may a lock of wagers that the ledger signed and then voided: no engine deals to it."""
        ticket, *others = this.asked
        is_read = self.canonical(this.findings, ticket, this.at(ticket))
        this.has_unread_wagers = is_read and self.voids_unread(this)
        if this.has_unread_wagers:
            others.remove(this.get("wagers"))
        this.readable = all([is_read, *(self.canonical(this.findings, record, this.at(record)) for record in others)])
        for action in (action for group in this.spent for action in group.actions):
            with suppress(Bad):
                action.read()

    def voids_unread(self, this):
        """Whether the ledger signed a lock of wagers that cannot be read, and a void lock follows it."""
        lock, manifest = this.get("wagers"), self.manifests.above(this.get("ticket"))
        if lock is None or lock.body or manifest is None or this.get("deal") or this.spent or not this.void:
            return False
        return bool(lock.signatures) and lock.all_signed_by(ledger_keys(manifest, this.ticket["tenant"]))

    def note(self, this):
        """Notes the close and the client seeds of a round, for comparison with other rounds."""
        close, lock = this.get("settle"), this.get("wagers")
        if this.ticket and close:
            self.closes.setdefault(this.coordinates, []).append(close.hash)
        if this.ticket and lock and lock.body:
            for entry in lock.body["seats"].values():
                if "client_seed" in entry:
                    self.seeds.setdefault(entry["client_seed"], set()).add(this.get("ticket").hash)

    def reveal(self, record):
        """The secret of an epoch, signed by the root or by the engine (6.2)."""
        where, epoch = f"line {record.number}", record.body["epoch"]
        if not record.signatures or not record.all_signed_by(self.manifests.revealers(epoch)):
            return self.findings.fail("SIGNATURES", where, "a signature by a root or receipt key", "another, or none")
        commits = [entry["commit"] for _, entry in self.manifests.listings(epoch) if entry and "commit" in entry]
        opened = shuffle.epoch_commit(epoch, bytes.fromhex(record.body["epoch_secret"])).hex()
        if opened not in commits:
            return self.findings.fail("EPOCH_COMMIT", where, f"a commitment that a manifest lists: {commits}", opened)
        self.reveals.append(record)

    def epoch_close(self, record):
        """The public close of an epoch, signed as a reveal is, and by witnesses (6.5)."""
        revealers = self.manifests.revealers(record.body["epoch"])
        if not record.signers(revealers) or not record.all_signed_by(
                revealers | self.manifests.witnesses() | set(self.terms.witnesses)):
            return self.findings.fail("SIGNATURES", f"line {record.number}",
                                      "signatures by a receipt or root key, and by witnesses", "another, or none")
        if any(entry and record.body["tenant"] in [tenant["tenant"] for tenant in manifest.body["tenants"]]
               for manifest, entry in self.manifests.listings(record.body["epoch"])):
            # By table and number.
            record.seed_proofs = {(entry["table"], int(entry["round_no"])): entry["proof"]
                                  for entry in record.body.get("seed_proofs", ())}
            self.epoch_closes.append(record)

    def log_proof(self, record, records):
        """A proof that a record of the file is in a public log. It has no signature of its own: the log and its
        witnesses have signed the checkpoint in it."""
        where = f"line {record.number}"
        if record.signatures:
            return self.findings.fail("SIGNATURES", where, "no signature of a proof", "one")
        try:
            log, time = logs.judged(self, record, records)
        except Failed as failure:
            return self.findings.fail("LOGGED", where, *failure.args[1:])
        if time is not None:
            self.logged.setdefault(record.body["record"], []).append((log, time))

    def manifest_rules(self):
        """MANIFEST_RULES: the chain is one that a server loads. A failure refuses no record."""
        if not self.manifests.whole:
            return self.findings.skip("MANIFEST_RULES", None, "no manifest to rely on")
        first = self.manifests.chain[0]
        if first.body["seq"] != "1" and first.hash != self.terms.manifest:
            return self.findings.skip("MANIFEST_RULES", None, "the file does not begin with manifest 1")
        fault = next(manifest_rules.faults(self.manifests.chain), None) or manifest_rules.secret_twice(self.reveals)
        if fault:
            record, code, what = fault
            self.findings.fail("MANIFEST_RULES", f"line {record.number}", "a chain of manifests that a server loads",
                               f"{code}: {what}")
        elif manifest_rules.has_beacon_salt(self.manifests.chain):
            self.findings.skip("MANIFEST_RULES", None, UNVERIFIED)

    def audit_round(self, this):
        for code, check in CHECKS.items():
            try:
                if not this.readable:
                    raise Skipped("a record was refused by CANONICAL")
                check(self, this)
            except Skipped as reason:
                this.findings.skip(code, this.where, str(reason))
            except Failed as failure:
                record, expected, found = failure.args
                if record in this.records:
                    record.refused = True
                elif record:
                    # The records of an epoch are those of other rounds too.
                    this.refused_lines.add(record.number)
                this.findings.fail(code, this.at(record), expected, found)
