"""Checks a settlement before it is paid, with the verifier that is written from the specification."""
import dataclasses
import json
import pathlib

from ._verify.paigow_verify.audit import Audit
from ._verify.paigow_verify.rules import Rules
from .errors import NotVerified

# The checks that a settlement must pass before it is paid.
NEEDED = ("FORMAT", "CANONICAL", "MANIFEST_SIG", "MANIFEST_LINK", "SIGNATURES", "CHAIN", "POLICY", "ROUND_ID",
          "COMMIT", "REPLAY", "DECK_COMMIT", "CARDS_SHOWN", "RESULTS")


@dataclasses.dataclass(frozen=True)
class Root:
    """The root keys that a platform trusts, and how many of them must have signed."""

    keys: tuple
    threshold: int = 1

    @classmethod
    def read(cls, file):
        """Reads ``root.json`` of a key ceremony. Raises ``ValueError`` for any other file."""
        try:
            read = json.loads(pathlib.Path(file).read_text())
            return cls(tuple(read["keys"]), read["threshold"])
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{file} holds no root keys: root.json of the key ceremony is needed") from None


class SettlementCheck:
    """Checks settlements against the root keys and the published rules.

    ``rulesets`` and ``house_ways`` are files in addition to the published ones.
    """

    def __init__(self, root, rulesets=(), house_ways=()):
        self.root, self.rules = root, Rules(list(map(pathlib.Path, rulesets)), list(map(pathlib.Path, house_ways)))

    def check(self, manifests, round_records):
        """Raises ``NotVerified`` unless cards and money follow from ticket, locks and rules."""
        lines = [record.envelope for record in [*manifests, *round_records]]
        audit = Audit(self.rules, self.root.keys, self.root.threshold).run(lines)
        found = {check["code"]: check for check in audit.checks}
        failed = audit.code or next((code for code in NEEDED if found[code]["status"] != "passed"), None)
        if failed:
            check = found[failed]
            raise NotVerified(f"{failed} {check['status']}: {check.get('found', '')}".rstrip(": "), round_records)
