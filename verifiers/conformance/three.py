"""Asks the engine, the Python verifier and the JavaScript verifier about the same transcripts."""
import json
import pathlib
import re
import subprocess
import tempfile

from collections import defaultdict

from confirm import options
from issuer import Rules
from paigow_verify.audit import Audit, lines_of
from paigow_verify.beacons import UNVERIFIED
from paigow_verify.epoch_close import Proof
from paigow_verify.log_copy import LogCopy
from paigow_verify.report import as_json
from paigow_verify.terms import Terms

RULES = Rules()
# The time of an audit that names none, so that no answer depends on the clock.
AS_OF = 1800000000


class Verifiers:
    """The three verifiers: `paigow-lab` as a program, the modules of its page under Node, and Python
    in this process."""

    def __init__(self, lab, page):
        """Writes the modules of the page, as a release ships them, to the folder `page`."""
        self.lab, self.page = lab, page
        subprocess.run([lab, "page", page], check=True, stdout=subprocess.DEVNULL)

    def reports(self, transcripts, root, terms=None):
        """The reports about each transcript, a list of lines: those of the engine, Python and JavaScript.
        `terms` are those of each audit, as a case of the kit has them."""
        terms = [{"as_of": AS_OF, **each} for each in terms or [{}] * len(transcripts)]
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"{i}.jsonl") for i in range(len(transcripts))]
            for file, lines in zip(files, transcripts):
                file.write_text("".join(line + "\n" for line in lines))
            asked = [(file, ("--root", root, *options(each, folder), "--json")) for file, each in zip(files, terms)]
            javascript = self._javascript(asked)
            return [{"engine": self._engine(*one), "Python": python(one[0].read_bytes(), root, each),
                     "JavaScript": javascript[one[0]]} for one, each in zip(asked, terms)]

    def _engine(self, file, words):
        said = subprocess.run([self.lab, "audit", str(file), *words], capture_output=True, text=True)
        if said.returncode > 3:
            raise SystemExit(f"{file.name}: {said.stderr}")
        return json.loads(said.stdout)

    def _javascript(self, asked):
        """The reports by file. One process answers for all files of the same terms."""
        groups, reports = defaultdict(list), {}
        for file, words in asked:
            groups[words].append(file)
        for words, files in groups.items():
            command = ["node", f"{self.page}/cli.mjs", *map(str, files), *words]
            said = subprocess.run(command, capture_output=True, text=True)
            lines = said.stdout.splitlines()
            if len(lines) != len(files):
                raise SystemExit(said.stderr)
            reports |= zip(files, map(json.loads, lines))
        return reports


def python(data, root, terms):
    terms = {**terms, "proofs": tuple(Proof(text.encode()) for text in terms.get("proofs", ())),
             "logs": tuple(LogCopy(text.encode()) for text in terms.get("log_copies", ()))}
    terms.pop("log_copies", None)
    return as_json(Audit(RULES, [root], terms=Terms(**terms)).run(lines_of(data)))


def facts(report):
    """The facts that have to be equal: the verdict, the first failing check, every status, every claim, and the same
    of the rounds with all recomputed values. The sentences are each verifier's own."""
    rounds = [{**this, "checks": statuses(this, "checks", "code"), "claims": statuses(this, "claims", "name")}
              for this in report.get("rounds", [])]
    return {"verdict": report["verdict"], "code": report.get("code", ""), "rounds": rounds, "rule": rule(report),
            "checks": statuses(report, "checks", "code"), "claims": statuses(report, "claims", "name")}


def differing(reports):
    """The facts in which two verifiers differ; None if all agree. Python verifies no BLS signature. So checks of
    them, and facts that rest on them alone, are not compared."""
    engine, python = reports["engine"], reports["Python"]
    told = {name: facts(reports[name]) for name in ("engine", "JavaScript")}
    if told["engine"] != told["JavaScript"]:
        return told
    told = dict(zip(("engine", "Python"), without_bls(engine, python)))
    return told if told["engine"] != told["Python"] else None


def without_bls(engine, python):
    """The facts of both reports without the checks that Python skipped because it does not verify BLS, the claims that
    rest on them, and the consequences of their failure."""
    def unverified(part):
        return {check["code"] for check in part["checks"] if UNVERIFIED in check.get("found", "")}

    pair, rounds = (facts(engine), facts(python)), list(zip(engine.get("rounds", []), python.get("rounds", [])))
    everywhere = unverified(python).union(*(unverified(theirs) for _, theirs in rounds))
    # A deal whose signature the engine refuses is no evidence of a fork.
    forks = {"NO_FORK"} if any(status(ours, "BEACON") == FAILED and "BEACON" in unverified(theirs)
                               for ours, theirs in rounds) else set()
    _hide(pair, (engine, python), everywhere | forks)
    for told, parts in zip(zip(*(one["rounds"] for one in pair)), rounds):
        _hide(told, parts, unverified(parts[1]) | forks)
    found = [check.get("found", "") for check in engine["checks"] if check["code"] == "MANIFEST_RULES"]
    if "MANIFEST_RULES" in everywhere or any(NOT_OF_THE_BEACON in text for text in found):
        for one in pair:
            one["rule"] = ""
    return pair


FAILED = "CHECK_STATUS_FAILED"
# The fault of the rule SALT that Python does not detect.
NOT_OF_THE_BEACON = "the signature is not the beacon's of that round"


def status(part, code):
    return next(check["status"] for check in part["checks"] if check["code"] == code)


def _hide(told, parts, codes):
    """Leaves out checks of a file or of a round, of both verifiers, except those that fail in Python."""
    codes = {code for code in codes if code == "NO_FORK" or status(parts[1], code) != FAILED}
    claims = {claim["name"] for part in parts for claim in part["claims"]
              if any(re.search(rf"\b{code}\b", claim.get("why", "")) for code in codes)}
    has_hidden = False
    for one, part in zip(told, parts):
        failed = [check["code"] for check in part["checks"] if check["status"] == FAILED]
        left = [code for code in failed if code not in codes]
        has_hidden = has_hidden or bool(failed) and not left
        one["code"] = (left or [""])[0]
        for name, hidden in (("checks", codes), ("claims", claims)):
            one[name] = {key: value for key, value in one[name].items() if key not in hidden}
    if has_hidden:
        # Nothing else has failed: the verdict is that of the hidden checks.
        for one in told:
            one["verdict"] = ""


def statuses(report, member, name):
    return {one[name]: one["status"] for one in report[member]}


def rule(report):
    """The broken rule for manifests, if any: the first word of the finding."""
    found = [check["found"] for check in report["checks"]
             if check["code"] == "MANIFEST_RULES" and check["status"] == "CHECK_STATUS_FAILED"]
    return found[0].partition(":")[0] if found else ""
