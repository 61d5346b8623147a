"""A public log with real processes: server, writer, witness and monitor, killed and lied to.

    public_log.py --server paigow-server --lab paigow-lab

The keyring is made by the ceremony, with a beacon, a log and a tenant whose rounds wait for the beacon. Must hold:

1. Rounds that wait for the beacon are played, logged, witnessed and proven. Their audit shows `logged` and
   `decks_unknown_in_advance`, and the monitor finds nothing.
2. The writer and the witness are killed with SIGKILL while rounds are played. Both go on, and no record is missing.
3. A witness that is down is named, and delays neither the rounds nor the log.
4. A second log of the same key with other records is refused by the witness. The monitor that sees both names the
   split view. One that is shown an old checkpoint, or a log that was cut off, names that too.
"""
import argparse
import base64
import hashlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from ceremony import Platform, ledger_key, signed
from common import ROOT, Server, check, free_port, main, pb, wait_until

KIT = json.loads((ROOT / "verifiers/conformance/beacon.json").read_text())
ORIGIN = "log.example/paigow"
TABLE = "T1"
# The beacon's round comes so many seconds after the opening: without an access file the server wants 10.
LEAD = 11

CEREMONY = r"""
set -eu
mkdir -m 700 root laboratory wallet keyring log-key
paigow-keys root --out root > roots
paigow-keys witness --out laboratory > witness
paigow-keys ledger --out wallet > ledger
paigow-keys receipt --out keyring > receipt
paigow-keys log --out log-key > log
all() { awk -v name=$1 '$1 == name { print $2 }' $2; }
paigow-keys epochs --suite vrf --first 1 --count 1 --from $(date -u -d '-1 day' +%Y-%m-%dT00:00:00Z) --hours 72 \
  --witness $(all public witness) --out keyring > epochs
{
  printf '[root]\nthreshold = 1\nkeys = ["%s"]\n' $(all public roots)
  printf '[[receipt_keys]]\npublic = "%s"\n' $(all public receipt)
  printf '[beacon]\nid = "%s"\ngenesis = %s\ngroup = "%s"\nperiod = %s\npublic = "%s"\n' $BEACON
  printf '[log]\norigin = "%s"\npublic = "%s"\n' $ORIGIN $(all public log)
  cat epochs
  printf '[[tenants]]\ntenant = "dev"\nlock = "required"\nchain = "required"\nexternal = "drand"\n'
  printf 'client = "none"\nseat_auth = "off"\nledger_keys = ["%s"]\ntables = ["T1", "T2", "T3"]\n' $(all public ledger)
} > manifest-1.toml
paigow-keys manifest sign manifest-1.toml --key root/*.key > keyring/manifests.jsonl
paigow-witness --chain keyring/manifests.jsonl --root $(all public roots) --key laboratory/*.key --list salts > given
paigow-keys manifest next --chain keyring/manifests.jsonl --salts given > manifest-2.toml
paigow-keys manifest sign manifest-2.toml --chain keyring/manifests.jsonl --key root/*.key > whole
cat whole >> keyring/manifests.jsonl
printf '{"keys":["%s"],"threshold":1}' $(all public roots) > keyring/root.json
cp wallet/*.key ledger.key
cp laboratory/*.key witness.key
cp log-key/*.key log.key
"""


class Operator:
    """The folders, keys and processes of an operator, and the witness beside it."""

    def __init__(self, options, home):
        self.home, self.programs = home, pathlib.Path(options.lab).resolve().parent
        self.lab = str(pathlib.Path(options.lab).resolve())
        # Round 1 of the beacon is published in some seconds.
        self.genesis = int(time.time()) + 10
        beacon = KIT["beacon"]
        genesis = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.genesis))
        stated = [beacon["id"], genesis, beacon["group"], str(beacon["period"]), beacon["pk"]]
        environment = os.environ | {
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}", "BEACON": " ".join(stated), "ORIGIN": ORIGIN}
        subprocess.run(["bash", "-c", CEREMONY], cwd=home, env=environment, check=True)
        self.public = {name: public(home / name) for name in ("roots", "witness", "log")}
        for name in ("evidence", "locks", "published"):
            (home / name).mkdir()
        self.witness_port = free_port()
        self.witness_key = f"witness.example+{self.public['witness']}"
        self.rounds, self.prev, self.records = 0, None, []

    def serve(self, binary):
        self.server = Server(binary, self.home / "server", {
            "server.tenant": "dev", "evidence.target": "file", "evidence.directory": self.home / "evidence",
            "evidence.stall_ms": 30_000}, keyring=self.home / "keyring").start()
        self.platform = Platform(self.server, ledger_key(self.home / "ledger.key"))

    def start(self, *command):
        """Starts a program in the background; its output goes to a file that is named for it."""
        name = command[0] + ("-" + command[1] if command[0] == "paigow-lab" else "")
        with open(self.home / f"{name}.out", "ab") as out:
            return subprocess.Popen([self.programs / command[0], *command[1:]], cwd=self.home, stdout=out, stderr=out)

    def witness(self, *more):
        process = self.start(
            "paigow-log-witness", "--listen", f"127.0.0.1:{self.witness_port}", "--name", "witness.example", "--key",
            "witness.key", "--log", f"{ORIGIN}={self.public['log']}", "--state", "witness.state", *more)
        wait_until(lambda: is_open(self.witness_port), "the witness listens")
        return process

    def write(self, log="published", state="state", evidence="evidence", more=()):
        """The arguments of the writer."""
        return ["paigow-log", "write", "--log", f"file://{self.home / log}", "--origin", ORIGIN, "--key", "log.key",
                "--state", state, "--records", "keyring", *more, evidence]

    def with_witness(self):
        """The arguments by which the writer takes locks of the ledger and asks the witness."""
        return ["--records", "locks", "--witness", f"http://127.0.0.1:{self.witness_port}={self.witness_key}",
                "--witness-limit", "2"]

    def run(self, *command, ends_with):
        """Runs a program to its end; returns what it printed."""
        ran = subprocess.run([self.programs / command[0], *command[1:]], cwd=self.home, capture_output=True, text=True)
        said = ran.stdout + ran.stderr
        check(ran.returncode == ends_with, f"{command[:2]} ended with {ran.returncode}: {said[-2000:]}")
        return said

    def published_at(self, number):
        return self.genesis + 3 * (number - 1)

    def play(self):
        """Plays a round that waits for the beacon; its wagers are logged and witnessed before."""
        self.rounds += 1
        beacon_round = (int(time.time()) + LEAD - self.genesis) // 3 + 2
        engine = self.platform.calls.engine()
        request = pb.OpenRoundRequest(
            table=TABLE, round_no=self.rounds, ruleset="express", prev=self.prev, epoch=engine.open_epochs[0].epoch,
            manifest=engine.manifest, manifest_sequence=engine.manifest_sequence, beacon_round=beacon_round)
        ticket = self.platform.call("OpenRound", request, pb.OpenRoundResponse).ticket
        sheet = pb.WagerSheet(currency=pb.Currency(code="USD", exponent=2))
        sheet.wagers.add(seat=1, bet="base", amount_minor=1000)
        prepare = pb.PrepareDealRequest(ticket=ticket, sheet=sheet)
        prepared = self.platform.call("PrepareDeal", prepare, pb.PrepareDealResponse).lock
        lock = signed(prepared, self.platform.ledger)
        self.publish_lock(lock)
        wait_until(lambda: time.time() >= self.published_at(beacon_round), "the beacon's round is published")
        deal = pb.DealRequest(ticket=ticket, lock=lock, beacon_signature=KIT["signatures"][str(beacon_round)])
        dealt = list(self.platform.call("Deal", deal, pb.DealResponse).records)
        decisions = [pb.Decision(seat=1, house_way=True)]
        request = pb.PrepareSettleRequest(records=dealt, decisions=decisions)
        prepared = self.platform.call("PrepareSettle", request, pb.PrepareSettleResponse)
        actions = [pb.Record(envelope=one.action.record.envelope) for one in prepared.actions]
        request = pb.SettleRequest(records=dealt, actions=actions, lock=signed(prepared.lock, self.platform.ledger))
        settled = list(self.platform.call("Settle", request, pb.SettleResponse).records)
        self.prev = settled[-1]
        self.records += [*dealt, *settled]

    def publish_lock(self, lock):
        """The ledger gives the lock to the writer, whole: the evidence has it only after the deal."""
        record = json.loads(lock.envelope)
        signature = base64.b64encode(lock.signatures[0].signature).decode()
        record["signatures"] = [{"keyid": "ledger", "sig": signature}]
        name = f"{self.rounds:06}.jsonl"
        new = self.home / name
        new.write_text(json.dumps(record, separators=(",", ":")) + "\n")
        new.rename(self.home / "locks" / name)

    def transcript(self, name):
        lines = (self.home / "keyring" / "manifests.jsonl").read_text().splitlines()
        lines += [record.envelope.decode() for record in self.records]
        path = self.home / name
        path.write_text("\n".join(lines) + "\n")
        return path

    def monitor(self, *more, log="published", ends_with=0):
        return self.run("paigow-lab", "monitor", "--log", f"file://{self.home / log}", "--manifests",
                        "keyring/manifests.jsonl", "--root", self.public["roots"], "--witness", self.witness_key,
                        "--samples", "9", *more, ends_with=ends_with)

    def prove(self, name, ends_with=0):
        """Adds the proofs of its records to a transcript; returns the file."""
        file = self.transcript(f"{name}.jsonl")
        self.run("paigow-log", "prove", "--log", f"file://{self.home / 'published'}", "--transcript", file, "--out",
                 f"{name}-proven.jsonl", ends_with=ends_with)
        return self.home / f"{name}-proven.jsonl"

    def audit(self, file):
        """Audits a file; returns the status of each claim."""
        said = self.run("paigow-lab", "audit", file, "--root", self.public["roots"], "--witness",
                        self.public["witness"], "--beacon", self.chain(), "--json", ends_with=0)
        return {one["name"]: (one["status"], one.get("why", "")) for one in json.loads(said)["claims"]}

    def is_witnessed(self):
        """Whether the log has every record of the rounds so far, witnessed."""
        file = self.transcript("so-far.jsonl")
        ran = subprocess.run([self.programs / "paigow-log", "prove", "--log", f"file://{self.home / 'published'}",
                              "--transcript", file], cwd=self.home, capture_output=True)
        return ran.returncode == 0

    def chain(self):
        """drand's hash of the chain, computed from its members."""
        beacon = KIT["beacon"]
        text = (int(beacon["period"]).to_bytes(4, "big") + self.genesis.to_bytes(8, "big") + bytes.fromhex(beacon["pk"])
                + bytes.fromhex(beacon["group"]) + beacon["id"].encode())
        return hashlib.sha256(text).hexdigest()


def public(file):
    """Returns the public half that the ceremony has printed."""
    return next(line.split()[1] for line in file.read_text().splitlines() if line.startswith("public "))


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def kill(process):
    """SIGKILL: no chance to tidy up."""
    process.kill()
    process.wait()


def every_second(operator, *more):
    return operator.start(*operator.write(more=[*operator.with_witness(), "--every", "1", *more]))


def plays(operator):
    """1. Rounds are played, logged, witnessed and proven."""
    operator.play()
    wait_until(operator.is_witnessed, "the round is logged and witnessed")
    claims = operator.audit(operator.prove("first"))
    for name in ("logged", "decks_unknown_in_advance", "seed_not_chosen", "records_authentic", "outcome_recomputed"):
        check(claims[name][0] == "CLAIM_STATUS_SHOWN", f"{name} is {claims[name]}")
    operator.monitor("--state", "seen")
    print("a round that waited for the beacon is logged, witnessed, proven and watched")


def kills(operator, writer, witness):
    """2. Writer and witness are killed while rounds are played."""
    kill(writer)
    kill(witness)
    witness = operator.witness()
    writer = every_second(operator)
    operator.play()
    kill(writer)
    writer = every_second(operator)
    wait_until(operator.is_witnessed, "the log goes on after the kills")
    claims = operator.audit(operator.prove("killed"))
    check(claims["logged"][0] == "CLAIM_STATUS_SHOWN", f"logged is {claims['logged']}")
    operator.monitor("--state", "seen")
    print("writer and witness were killed; no record is missing")
    return writer, witness


def down(operator, witness):
    """3. A witness that is down is named, and delays nothing."""
    kill(witness)
    operator.play()
    said = wait_until(lambda: not operator.is_witnessed() and operator.monitor("--wanted", "1", ends_with=1),
                      "the monitor names the witness that is away")
    check("LOG_NOT_WITNESSED" in said, said)
    claims = operator.audit(operator.prove("unwitnessed", ends_with=1))
    status, why = claims["decks_unknown_in_advance"]
    check(status == "CLAIM_STATUS_NOT_SHOWN" and "no pinned witness dated the wagers" in why, f"{status}: {why}")
    witness = operator.witness()
    wait_until(operator.is_witnessed, "the witness signs what it has missed")
    # Too late for the beacon's round: the time of the signature is later.
    status, why = operator.audit(operator.prove("late"))["decks_unknown_in_advance"]
    check(status == "CLAIM_STATUS_NOT_SHOWN" and "was published at" in why, f"{status}: {why}")
    print("a witness was down; a round was played, and its audit says what is not shown")
    return witness


def lies(operator, writer):
    """4. Other trees under the same key, an old checkpoint, and a log that is cut off."""
    operator.monitor("--state", "seen")
    kill(writer)
    home = operator.home
    shutil.copytree(home / "published", home / "early")
    writer = every_second(operator)
    operator.play()
    wait_until(operator.is_witnessed, "the log goes on")
    operator.monitor("--state", "seen")
    kill(writer)
    # An operator with the log's key writes another history from the same evidence, with its last round left out.
    for name in ("other", "other-evidence"):
        (home / name).mkdir()
    for file in (home / "evidence").iterdir():
        lines = file.read_bytes().splitlines(keepends=True)
        (home / "other-evidence" / file.name).write_bytes(b"".join(lines[: len(lines) // 2]))
    other = ["other", "other-state", "other-evidence"]
    said = operator.run(*operator.write(*other, ["--new", *operator.with_witness()]), ends_with=65)
    check("the log would be forked" in said, f"the witness has signed another tree: {said}")
    operator.run(*operator.write(*other, ["--wanted", "0"]), ends_with=0)
    said = operator.monitor("--view", f"file://{home / 'other'}", ends_with=1)
    check("LOG_SPLIT_VIEW" in said, said)
    said = operator.monitor("--state", "seen", log="early", ends_with=1)
    check("LOG_ROLLED_BACK" in said, said)
    shutil.copytree(home / "published", home / "cut")
    shutil.copy(home / "early" / "checkpoint", home / "cut" / "checkpoint")
    said = operator.monitor("--state", "seen", log="cut", ends_with=1)
    check("LOG_ROLLED_BACK" in said, said)
    shutil.copy(home / "published" / "checkpoint", home / "cut" / "checkpoint")
    shutil.rmtree(home / "cut" / "tile" / "entries")
    said = operator.monitor(log="cut", ends_with=1)
    check("LOG_BROKEN" in said, said)
    # The old checkpoint in the place of the new one: the writer publishes the new one again, and signs no other tree.
    shutil.copy(home / "early" / "checkpoint", home / "published" / "checkpoint")
    operator.run(*operator.write(more=operator.with_witness()), ends_with=0)
    operator.monitor("--state", "seen")
    print("a split view, an old checkpoint and a cut log are named")


def run():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True)
    parser.add_argument("--lab", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        operator = Operator(options, pathlib.Path(home))
        witness = operator.witness("--new")
        writer = every_second(operator, "--new")
        try:
            operator.serve(options.server)
            plays(operator)
            writer, witness = kills(operator, writer, witness)
            witness = down(operator, witness)
            lies(operator, writer)
        finally:
            for process in (writer, witness):
                process.kill()
            if hasattr(operator, "server"):
                operator.server.stop()
    print(f"{operator.rounds} rounds: every fault of the log was found and named")


if __name__ == "__main__":
    main(run)
