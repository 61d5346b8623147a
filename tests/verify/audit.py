"""The audit of a transcript: the checks of PGE-FAIR-1, D6, in their order.

A check that cannot be made, since what it needs is missing or was refused by an earlier one, is
skipped with the reason. The first that fails names the verdict.
"""
from .encoding import Bad, is_hex
from .ed25519 import is_key
from .manifests import Manifests
from .records import Record

CODES = ("FORMAT CANONICAL MANIFEST_SIG MANIFEST_LINK SIGNATURES CHAIN POLICY ROUND_ID GENESIS "
         "CLIENT_COMMIT LOCK_COVERS_ACTIONS COMMIT REPLAY DECK_COMMIT CARDS_SHOWN RESULTS EPOCH_COMMIT "
         "EPOCH_SALT SALT_AFTER_COMMIT SEED_WAS_NOT_CHOSEN NO_FORK").split()
OF_A_ROUND = CODES[3:20]
LONGEST_LINE = 4 << 20


class Failed(Exception):
    """A check that failed: the record, what was expected, and what was found."""

    def __init__(self, record, expected, found):
        super().__init__(expected)
        self.record, self.expected, self.found = record, expected, found


class Skipped(Exception):
    """A check that could not be made, and why."""


class Findings:
    """What became of each check: the first failure, else the first skip, else passed."""

    def __init__(self):
        self.failed, self.skipped = {}, {}

    def fail(self, code, where, expected, found):
        self.failed.setdefault(code, (where, expected, str(found)))

    def skip(self, code, where, reason):
        self.skipped.setdefault(code, (where, None, reason))

    def status(self, code):
        return "failed" if code in self.failed else "skipped" if code in self.skipped else "passed"

    def checks(self):
        for code in CODES:
            where, expected, found = self.failed.get(code) or self.skipped.get(code) or (None, None, None)
            yield {"code": code, "status": self.status(code), "where": where, "expected": expected,
                   "found": found}


class Round:
    """The records of one round in the order of the file."""

    SLOTS = {"ticket": 0, "wagers": 1, "deal": 2, "action": 3, "close": 4, "settle": 5}

    def __init__(self, ticket, number):
        self.number, self.where = number, f"round {number}"
        self.records, self.slots, self.actions = [ticket], {"ticket": ticket}, []
        self.readable, self.last = True, 0
        self.manifest = self.tenant = self.epoch = self.deck = self.seed = self.results = self.banker = None

    def get(self, slot):
        return self.slots.get(slot)

    def take(self, record):
        """Puts a record in its place, or says that it has none here."""
        slot = record.kind
        if slot == "lock":
            slot = "close" if self.last else "wagers"
            try:
                record.read()
                slot = "wagers" if record.body["step"] == "wagers" else "close"
            except Bad:
                # CANONICAL will say so. Its place is that of a lock at this point.
                pass
        place = self.SLOTS[slot]
        if place < self.last or place == self.last != self.SLOTS["action"]:
            raise Bad(f"a {record.kind} record out of its place, or a second one")
        self.last = place
        self.records.append(record)
        if slot == "action":
            if "deal" not in self.slots or any(record.hash == other.hash for other in self.actions):
                raise Bad("an action without a deal, or a second time")
            self.actions.append(record)
        else:
            self.slots[slot] = record

    def at(self, record):
        return f"{self.where}, line {record.number}" if record else self.where

    def need(self, slot, what):
        """The body of a record that is there and was not refused."""
        record = self.get(slot)
        if record is None:
            raise Skipped(f"no {what} in the file")
        if record.refused:
            raise Skipped(f"the {record.kind} was refused by an earlier check")
        return record.body

    @property
    def ticket(self):
        return self.slots["ticket"].body

    @property
    def void(self):
        lock = self.get("close")
        return lock is not None and lock.body["step"] == "void"

    def sheet(self):
        """The wagers by seat, from the lock."""
        return {int(seat): {w["bet"]: w for w in entry["wagers"]}
                for seat, entry in self.need("wagers", "lock of the wagers")["seats"].items()}


class Audit:
    """One transcript, checked against the trusted root keys and the rules at hand."""

    def __init__(self, rules, root_keys, threshold=1):
        for key in root_keys:
            if not is_hex(key, 32) or not is_key(bytes.fromhex(key)):
                raise ValueError(f"{key}: not an Ed25519 public key")
        if not 1 <= threshold <= len(set(root_keys)):
            raise ValueError("the threshold is 1 to the number of distinct root keys")
        self.rules, self.findings = rules, Findings()
        self.root_keys, self.threshold = list(root_keys), threshold
        self.manifests, self.reveals = Manifests(set(root_keys), threshold), {}
        self.rounds, self.closes, self.refused_reveals = [], {}, set()

    # ---- reading

    def read(self, lines):
        """FORMAT: every line a record, in the order in which they are made."""
        manifests, reveals, current = [], [], None
        for number, line in enumerate(lines, 1):
            try:
                if len(line) > LONGEST_LINE:
                    raise Bad("too long a line")
                record = Record(line, number)
                if record.kind in ("manifest", "epoch-reveal"):
                    (manifests if record.kind == "manifest" else reveals).append(record)
                    current = None
                elif record.kind == "ticket":
                    if any(record.hash == other.slots["ticket"].hash for other in self.rounds[-1:]):
                        raise Bad("the same ticket twice")
                    current = Round(record, len(self.rounds) + 1)
                    self.rounds.append(current)
                elif current is None:
                    raise Bad("a record of a round that does not follow its ticket")
                else:
                    current.take(record)
            except Bad as error:
                self.findings.fail("FORMAT", f"line {number}", "records in the order made", error)
                return None
        return manifests, reveals

    def run(self, lines):
        found = self.read(lines)
        if found is None:
            self.rounds = []
            for code in CODES[1:]:
                self.findings.skip(code, None, "the file was refused by FORMAT")
            return self
        manifests, reveals = found
        if not (manifests or reveals or self.rounds):
            self.findings.skip("CANONICAL", None, "nothing to check")
        for record in manifests + reveals:
            self.canonical(record, f"line {record.number}")
        for this in self.rounds:
            for record in this.records:
                this.readable &= self.canonical(record, this.at(record))
            ticket, close = this.get("ticket"), this.get("settle")
            if ticket.body and close:
                place = tuple(ticket.body[name] for name in ("epoch", "tenant", "table"))
                self.closes.setdefault((*place, int(ticket.body["round_no"])), close.hash)
        self.manifests.add_all(manifests, self.findings)
        for record in reveals:
            self.reveal(record)
        for this in self.rounds:
            self.audit_round(this)
        if not self.rounds:
            for code in OF_A_ROUND:
                self.findings.skip(code, None, "nothing to check")
        self.no_fork()
        return self

    def canonical(self, record, where):
        try:
            record.read()
        except Bad as error:
            record.refused = True
            self.findings.fail("CANONICAL", where, "a canonical payload", error)
        return not record.refused

    def reveal(self, record):
        """The secret of an epoch, signed by the root or by the engine (6.2)."""
        # Without a chain of manifests there is no key to hold it against.
        if record.refused or not self.manifests.whole:
            return
        if not record.signatures or len(record.signers(self.manifests.revealers())) < len(record.signatures):
            record.refused = True
            self.findings.fail("SIGNATURES", f"line {record.number}", "a signature by a root or receipt key",
                               "another, or none")
            return
        epoch = record.body["epoch"]
        if not self.manifests.commits_to(epoch):
            self.findings.fail("EPOCH_COMMIT", f"line {record.number}", "an epoch that a manifest commits to",
                               f"epoch {epoch}")
        self.reveals.setdefault(epoch, bytes.fromhex(record.body["epoch_secret"]))

    # ---- one round

    def audit_round(self, this):
        from .checks import CHECKS
        if not this.readable:
            for code in OF_A_ROUND:
                self.findings.skip(code, this.where, "a record was refused by CANONICAL")
            return
        for code in OF_A_ROUND:
            try:
                CHECKS[code](self, this)
            except Skipped as reason:
                self.findings.skip(code, this.where, str(reason))
            except Failed as failure:
                if failure.record:
                    failure.record.refused = True
                self.findings.fail(code, this.at(failure.record), failure.expected, failure.found)

    def no_fork(self):
        """No round may have two different records of one class (D1), over all rounds of the file."""
        if not self.rounds:
            return self.findings.skip("NO_FORK", None, "no round in the file")
        seen = {}
        for this in self.rounds:
            if not this.readable:
                continue
            for record in this.records:
                if record.kind == "action":
                    continue
                body, cls = record.body, record.kind
                if cls == "lock":
                    cls = "phase-1 lock" if body["step"] == "wagers" else "phase-2 lock"
                if cls == "ticket" and body["suite"] == "fresh":
                    # Several tickets are normal there after lost answers; two locked ones are not (D3).
                    if this.get("wagers") is None:
                        continue
                before = seen.setdefault((body["round_id"], cls), record)
                if before.hash != record.hash:
                    self.findings.fail("NO_FORK", this.at(record), f"one {cls}", f"another in line {before.number}")

    # ---- the answer

    @property
    def code(self):
        return next((code for code in CODES if code in self.findings.failed), "")

    @property
    def verdict(self):
        if self.code:
            return "mismatch"
        open_rounds = [this for this in self.rounds if this.get("settle") is None]
        complete = self.rounds and not open_rounds and self.findings.status("RESULTS") == "passed"
        return "match" if complete else "incomplete"
