"""Asks the engine, the Python verifier and the JavaScript verifier about the same transcripts."""
import json
import pathlib
import subprocess
import tempfile

from issuer import Rules
from paigow_verify.audit import Audit, lines_of
from paigow_verify.report import as_json

RULES = Rules()


class Verifiers:
    """The three verifiers: `paigow-lab` as a program, the modules of its page under Node, and Python
    in this process."""

    def __init__(self, lab, page):
        """Writes the modules of the page, as a release ships them, to the folder `page`."""
        self.lab, self.page = lab, page
        subprocess.run([lab, "page", page], check=True, stdout=subprocess.DEVNULL)

    def reports(self, transcripts, root):
        """The reports about each transcript, a list of lines: those of the engine, Python and JavaScript."""
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"{i}.jsonl") for i in range(len(transcripts))]
            for file, lines in zip(files, transcripts):
                file.write_text("".join(line + "\n" for line in lines))
            javascript = self._javascript(files, root)
            return [{"engine": self._engine(file, root), "Python": python(file.read_bytes(), root), "JavaScript": theirs}
                    for file, theirs in zip(files, javascript)]

    def _engine(self, file, root):
        said = subprocess.run([self.lab, "audit", str(file), "--root", root, "--json"], capture_output=True, text=True)
        if said.returncode > 2:
            raise SystemExit(f"{file.name}: {said.stderr}")
        return json.loads(said.stdout)

    def _javascript(self, files, root):
        command = ["node", f"{self.page}/cli.mjs", *map(str, files), "--root", root, "--json"]
        said = subprocess.run(command, capture_output=True, text=True)
        reports = [json.loads(line) for line in said.stdout.splitlines()]
        if len(reports) != len(files):
            raise SystemExit(said.stderr)
        return reports


def python(data, root):
    return as_json(Audit(RULES, [root]).run(lines_of(data)))


def facts(report):
    """What has to be the same: the verdict, the first failing check, every status, and the rounds."""
    return {"verdict": report["verdict"], "code": report.get("code", ""), "rounds": report.get("rounds", []),
            "checks": {check["code"]: check["status"] for check in report["checks"]}, "rule": rule(report)}


def rule(report):
    """The rule for manifests that is broken, if one is: the first word of what was found."""
    found = [check["found"] for check in report["checks"]
             if check["code"] == "MANIFEST_RULES" and check["status"] == "CHECK_STATUS_FAILED"]
    return found[0].partition(":")[0] if found else ""
