"""Backup, restore, lost keys and a lost region, as docs/operate/recovery.md and lost-keys.md say.

    recovery.py --server paigow-server --lab paigow-lab [DRILL ...]

Each drill runs the commands of the pages as they stand there, on the keyring of docs/operate/keys.md, with
real servers and a real object store (SeaweedFS). The tenant's policy requires locks and chains. Must hold:

    backup    A machine is destroyed with a round dealt. The restored server settles it, and the round audits.
              Evidence that was shipped verifies, and what was not shipped is named.
    root      A root key of three is lost: the two others sign another root. Two are lost: no manifest is
              signed, a server refuses one with too few signatures, and open rounds are settled.
    receipt   The file is lost: a running server goes on, and none starts. With a new key new rounds are
              played. Rounds under the lost key can be neither settled nor voided.
    ledger    The key is lost: rounds that it has locked cannot be ended. A spare key that was listed settles.
    witness   Epochs without a salt are given up, and others take their windows.
    epoch     The secret is lost: its rounds can only be voided. The next epoch plays.
    token     The token key of the fresh suite is lost: its rounds can only be voided. A new one plays.
    region    One of two groups of replicas is lost with rounds open: the other settles them. Only lines
              that were not shipped are missing.
"""
import argparse
import concurrent.futures
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from ceremony import Ceremony, Platform, Shell, ledger_key, lines_of, refusal
from chaos_replicas import build_shim
from common import ROOT, Server, check, free_port, lab, main, pb, payload, wait_until
from lost_evidence import figure
from object_store import ObjectStore

sys.path.insert(0, str(ROOT / "tests/agree"))
from keyring import Keyring  # noqa: E402

BUCKET = "paigow-evidence"
ADDRESS = f"s3://{BUCKET}/lines"
LOST_KEYS, RECOVERY = "docs/operate/lost-keys.md", "docs/operate/recovery.md"


class Replica(Server):
    """A server of the ceremony's operator: its settings, its keyring, and evidence of its own."""

    def __init__(self, options, shell, name="replica", evidence=None, surroundings=None, **settings):
        self.metrics, home = f"127.0.0.1:{free_port()}", shell.home
        self.evidence = evidence or home / f"evidence-{name}"
        self.evidence.mkdir(exist_ok=True)
        super().__init__(options.server, home / name, {
            "keyring.generate": False, "keyring.root_keys": ",".join(shell.public("roots")),
            "keyring.threshold": 2, "server.tenant": "acme", "server.reflection": False, "server.drain_ms": 0,
            "evidence.target": "file", "evidence.directory": self.evidence, "evidence.stall_ms": 30_000,
            "telemetry.instance": name, "telemetry.prometheus_listen": self.metrics, **settings},
            keyring=home / "keyring", surroundings=surroundings)

    def figure(self, name, labels=""):
        return figure(self.metrics, name + labels)

    def events(self):
        """Returns the events of the log, in their order."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [line["event"] for line in lines if "event" in line]

    def refuses_to_start(self, why):
        """Starts the process, which has to end with 78 and say why."""
        ran = subprocess.run(self.command, cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=60)
        said = ran.stdout + ran.stderr
        check(ran.returncode == 78 and why in said, f"the start ended with {ran.returncode}: {said[-2000:]}")

    def takes(self, count):
        """Waits until so many changed keyrings are in force."""
        wait_until(lambda: self.events().count("manifest_loaded") == count, f"{count} keyrings are taken")

    def refuses_the_keyring(self):
        refused = 'paigow_reload_refused{paigow_reload_part="keyring"}'
        wait_until(lambda: self.figure(refused) == 1, "the keyring that is in place is refused")
        wait_until(lambda: "reload_refused" in self.events(), "the log has the refusal")

    def end(self):
        self.terminate()
        check(self.wait() == 0, f"the server ends well: {self.tail()}")


def audit(options, shell, records, code):
    """Audits a round, which has to end with the exit code. Returns the output."""
    chain = (shell.home / "keyring/manifests.jsonl").read_bytes()
    file = shell.home / "round.jsonl"
    file.write_bytes(chain + b"".join(record.envelope + b"\n" for record in records))
    roots = shell.public("roots")
    trusted = [word for key in roots for word in ("--root", key)]
    return lab(options.lab, "audit", file, *trusted, "--threshold", min(2, len(roots)), may_end_with=(code,))


def verified(options, store, *sources, known=None, may_end_with=(0, 2)):
    """Verifies evidence, and returns the report."""
    more = ["--known", known] if known else []
    ran = subprocess.run([options.lab, "sink", "verify", "--json", *map(str, [*more, *sources])],
                         capture_output=True, text=True, env=store.environment())
    check(ran.returncode in may_end_with, f"sink verify ended with {ran.returncode}: {ran.stdout[-2000:]}{ran.stderr}")
    return json.loads(ran.stdout)


def lab_plays(options, shell, server, table, transcript):
    """Two locked rounds of `paigow-lab play`."""
    lab(options.lab, "play", "--server", f"http://{server.address}", "--ledger-key", shell.key_file("wallet"),
        "--ruleset", "express", "--rounds", "2", "--quiet", "--table", table, "--transcript", shell.home / transcript)


def backup(options, ceremony, home):
    store = ObjectStore(home / "store", BUCKET).start()
    server = None
    try:
        store.make_bucket()
        shell = ceremony.copy(home / "site", store.environment())
        (shell.home / "server.toml").touch()
        server = shipping(options, shell, "replica", shell.home / "evidence").start()
        lab_plays(options, shell, server, "T1", "monday.jsonl")
        platform = Platform(server, ledger_key(shell.key_file("wallet")))
        last = None
        for number in range(1, 21):
            last = platform.play("T2", number, last)[-1]
        shell.run(lines_of(RECOVERY, "Backup"))
        dealt = platform.deal(platform.open("T2", 21, last))
        waiting = platform.open("T3", 1)
        shipped = {name: file.read_bytes() for name, file in files(server.evidence).items()
                   if file.with_name(f"{name}.shipped").exists()}
        check(shipped, "nothing is shipped")
        server.kill()
        for name in ("keyring", "evidence"):
            shutil.rmtree(shell.home / name)
        (shell.home / "server.toml").unlink()

        said = shell.run(lines_of(RECOVERY, "Restore", until="Start the server"))
        check("signatures  good" in said, f"the restored chain is signed: {said}")
        server = shipping(options, shell, "replica", shell.home / "evidence").start()
        platform = Platform(server, ledger_key(shell.key_file("wallet")))
        for records in (platform.settle(dealt), platform.settle(platform.deal(waiting))):
            audit(options, shell, records, 3)
        server.end()
        shell.run(lines_of(RECOVERY, "Restore", since="Start the server"))
        restored = {name: file.read_bytes() for name, file in files(shell.home / "restored").items()}
        check(restored == shipped, f"{sorted(restored)} are restored, and shipped were {sorted(shipped)}")
        report = verified(options, store, ADDRESS, server.evidence, known=shell.home / "report.json",
                          may_end_with=(1,))
        [fault] = report["faults"]
        check(fault["kind"] == "tail_dropped", f"the end of one boot is missing: {fault}")
        missing = {one["round_id"] for one in report["missing_records"]}
        rounds = {payload(records)["round_id"] for records in (dealt[0], waiting)}
        check(missing and missing <= rounds, f"missing are records of {missing}")
    finally:
        if server:
            server.stop()
        store.stop()


def root(options, ceremony, home):
    shell = ceremony.copy(home / "one")
    server = Replica(options, shell).start()
    try:
        shutil.rmtree(shell.home / "bob")
        said = shell.run(lines_of(LOST_KEYS, "A root key of three"))
        check("good" in said, f"the new root: {said}")
        server.takes(1)
        platform = Platform(server, ledger_key(shell.key_file("wallet")))
        records = platform.play("T1", 1)
        audit(options, shell, records, 3)
        # The lost key is worth nothing from now on, and the new one signs with either.
        description = shell.run("paigow-keys manifest next --chain keyring/manifests.jsonl")
        check(shell.public("roots")[1] not in description, "the lost key is a root key still")
    finally:
        server.stop()

    shell = ceremony.copy(home / "two")
    server = Replica(options, shell).start()
    try:
        platform = Platform(server, ledger_key(shell.key_file("wallet")))
        dealt = platform.deal(platform.open("T1", 1))
        for holder in ("bob", "eve"):
            shutil.rmtree(shell.home / holder)
        shell.run("""
            paigow-keys manifest next --chain keyring/manifests.jsonl > manifest-3.toml
            paigow-keys manifest sign manifest-3.toml --chain keyring/manifests.jsonl --key ann/*.key > half
            cp keyring/manifests.jsonl whole
            cat whole half > next/manifests.jsonl
            mv next/manifests.jsonl keyring/manifests.jsonl
        """)
        server.refuses_the_keyring()
        records = platform.settle(dealt)
        shell.run("mv whole keyring/manifests.jsonl")
        audit(options, shell, records, 3)
        platform.play("T2", 1)
        # One root key can sign a reveal. In life the clock allows it.
        later = int(time.time()) + 30 * 86400
        shell.run(f"paigow-keys reveal --keyring keyring --epoch 1 --key ann/*.key --now {later} > reveal.jsonl")
        reveal = pb.Record(envelope=(shell.home / "reveal.jsonl").read_bytes().strip())
        said = audit(options, shell, [*records, reveal], 0)
        check("verdict: match" in said, f"the revealed round: {said}")
    finally:
        server.stop()


def receipt(options, ceremony, home):
    shell = ceremony.copy(home / "site")
    [file] = (shell.home / "keyring").glob("receipt-*.key")
    server = Replica(options, shell).start()
    try:
        platform = Platform(server, ledger_key(shell.key_file("wallet")))
        closed = platform.play("T1", 1)
        played, dealt, opened = (platform.open("T1", 2, closed[-1]), platform.deal(platform.open("T2", 1)),
                                 platform.open("T3", 1))
        # A running server keeps the key, and a backup ends the alert.
        file.rename(home / file.name)
        server.refuses_the_keyring()
        played = platform.settle(platform.deal(played))
        shutil.copy(home / file.name, file)
        wait_until(lambda: server.figure('paigow_reload_refused{paigow_reload_part="keyring"}') == 0, "it is there again")
        file.unlink()
        server.refuses_the_keyring()
        server.end()
        server.refuses_to_start("which signs, is not there")
        shell.run(lines_of(LOST_KEYS, "The receipt key"))
        server.start()
        platform = Platform(server, platform.ledger)
        for call, records in ((platform.settle, dealt), (platform.void, dealt), (platform.void, [opened])):
            check(refusal(call, records) == "KEY_NOT_LOADED", f"{call.__name__}: {refusal(call, records)}")
        check(refusal(platform.deal, opened) == "KEY_NOT_LOADED", "a deal needs the key")
        audit(options, shell, platform.play("T1", 3, played[-1]), 3)
        audit(options, shell, platform.play("T3", 1), 3)
        check(refusal(platform.open, "T2", 2, None) == "CHAIN_REQUIRED", "the table of the dealt round waits")
        # The key is found.
        shutil.copy(home / file.name, file)
        server.takes(1)
        audit(options, shell, platform.settle(dealt), 3)
    finally:
        server.stop()


def ledger(options, ceremony, home):
    shell = ceremony.copy(home / "site")
    server = Replica(options, shell).start()
    try:
        first = Platform(server, ledger_key(shell.key_file("wallet")))
        stranded, opened = first.deal(first.open("T1", 1)), first.open("T3", 1)
        shell.run(lines_of(LOST_KEYS, "A ledger key", until="Rounds that were opened under"))
        server.takes(1)
        dealt = first.deal(first.open("T2", 1))
        shutil.rmtree(shell.home / "wallet")
        spare = Platform(server, ledger_key(shell.key_file("spare")))
        shell.run(lines_of(LOST_KEYS, "A ledger key", since="Rounds that were opened under"))
        server.takes(2)
        settled = spare.settle(dealt)
        audit(options, shell, settled, 3)
        for call in (spare.settle, spare.void):
            check(refusal(call, stranded) == "BAD_SIGNATURE", f"{call.__name__}: {refusal(call, stranded)}")
        check(refusal(first.deal, first.open("T2", 2, settled[-1])) == "BAD_SIGNATURE", "the lost key locks nothing new")
        audit(options, shell, spare.play("T3", 1), 3)
        audit(options, shell, spare.play("T2", 2, settled[-1]), 3)
    finally:
        server.stop()


def witness(options, ceremony, home):
    shell = ceremony.copy(home / "site")
    key = ledger_key(shell.key_file("wallet"))
    server = Replica(options, shell, surroundings=clock(options, home)).start()
    try:
        platform = Platform(server, key)
        dealt = platform.deal(platform.open("T1", 1))
        shutil.rmtree(shell.home / "laboratory")
        said = shell.run(lines_of(LOST_KEYS, "The witness key"))
        check(said.split()[1].rstrip(",") == "4", f"epoch 4 is complete: {said}")
        wait_until(lambda: platform.calls.engine().manifest_sequence == 6, "the last manifest is in force")
        audit(options, shell, platform.settle(dealt), 3)
        plays_in_the_next_epoch(options, shell, home, server, key, 4)
    finally:
        server.stop()


def epoch(options, ceremony, home):
    shell = ceremony.copy(home / "site")
    key = ledger_key(shell.key_file("wallet"))
    server = Replica(options, shell, surroundings=clock(options, home)).start()
    try:
        platform = Platform(server, key)
        dealt = platform.deal(platform.open("T1", 1))
        opened, kept = platform.open("T2", 1), platform.open("T3", 1)
        (shell.home / "keyring/epoch-1.key").unlink()
        server.refuses_the_keyring()
        settled = platform.settle(platform.deal(kept))
        server.end()
        server.start()
        platform = Platform(server, key)
        wait_until(lambda: "the keyring does not hold its secret" in server.log.read_text(), "the log names the secret")
        for call, request in ((platform.settle, dealt), (platform.deal, opened)):
            check(refusal(call, request) == "KEY_NOT_LOADED", f"{call.__name__}: {refusal(call, request)}")
        check(refusal(platform.open, "T3", 2, settled[-1]) == "KEY_NOT_LOADED", "no round begins")
        voided = platform.void([opened])
        shell.run(lines_of(LOST_KEYS, "The secret of an epoch"))
        server.takes(1)
        check(refusal(platform.settle, dealt) == "EPOCH_REVOKED", "it can only be voided")
        audit(options, shell, platform.void(dealt), 3)
        audit(options, shell, voided, 3)
        said = audit(options, shell, settled, 3)
        check("pending" in said, f"a closed round stays pending: {said}")
        plays_in_the_next_epoch(options, shell, home, server, key, 2)
    finally:
        server.stop()


def clock(options, home):
    """Returns the environment of a server whose clock can be moved; empty if it would not load the library."""
    shim = build_shim(home, options.server)
    (home / "faults").write_bytes(bytes(16))
    return {"LD_PRELOAD": shim, "CHAOS_FAULTS": str(home / "faults")} if shim else {}


def plays_in_the_next_epoch(options, shell, home, server, key, number):
    if not server.surroundings:
        return
    server.end()
    # A day later.
    (home / "faults").write_bytes(struct.pack("=qq", 86400, 0))
    server.start()
    platform = Platform(server, key)
    [open_now] = platform.calls.engine().open_epochs
    check(open_now.epoch == number, f"open is epoch {open_now.epoch}")
    audit(options, shell, platform.play("T1", 1), 3)


def token(options, ceremony, home):
    made = Keyring(options.lab, home / "keyring", "fresh")
    (home / "roots").write_text(f"public  {made.root['public']}\n")
    shell = Shell(home, ceremony.programs)
    server = Replica(options, shell, **{"keyring.threshold": 1, "server.tenant": "fresh-optional"}).start()
    try:
        platform = Platform(server, ledger_key(pathlib.Path(made.ledger["file"])))
        dealt, opened = platform.deal(platform.open("T1", 1)), platform.open("T2", 1)
        [file] = (home / "keyring").glob("token-*.key")
        file.unlink()
        server.refuses_the_keyring()
        kept = platform.play("T3", 1)
        server.end()
        server.refuses_to_start("the fresh suite needs a token key")
        shell.run(lines_of(LOST_KEYS, "A token key"))
        server.start()
        platform = Platform(server, platform.ledger)
        for call, request in ((platform.settle, dealt), (platform.deal, opened)):
            check(refusal(call, request) == "KEY_NOT_LOADED", f"{call.__name__}: {refusal(call, request)}")
        audit(options, shell, platform.void(dealt), 0)
        audit(options, shell, platform.void([opened]), 0)
        audit(options, shell, platform.play("T3", 2, kept[-1]), 0)
    finally:
        server.stop()


def region(options, ceremony, home):
    store = ObjectStore(home / "store", BUCKET).start()
    replicas = []
    try:
        store.make_bucket()
        shell = ceremony.copy(home / "site", store.environment())
        a = shipping(options, shell, "a", shell.home / "evidence-a").start()
        replicas.append(a)
        b = shipping(options, shell, "b", shell.home / "evidence-b").start()
        replicas.append(b)
        one, other = (Platform(server, ledger_key(shell.key_file("wallet"))) for server in (a, b))
        last = None
        for number in range(1, 16):
            # Opened in one region and dealt in the other.
            last = one.settle(other.deal(one.open("T1", number, last)))[-1]
        for name, server in (("a", a), ("b", b)):
            sink(options, store, "ship", server.evidence, "--to", f"{ADDRESS}/{name}")
        report = verified(options, store, ADDRESS, a.evidence, b.evidence)
        (shell.home / "report.json").write_text(json.dumps(report))
        dealt, opened = one.deal(one.open("T1", 16, last)), one.open("T2", 1)
        a.kill()
        audit(options, shell, other.settle(dealt), 3)
        audit(options, shell, other.settle(other.deal(opened)), 3)
        b.end()
        sink(options, store, "ship", b.evidence, "--to", f"{ADDRESS}/b")
        # The folder of the lost region is not there to be read.
        shell.run(lines_of(RECOVERY, "Loss of a region", until="Lost are only"))
        report = verified(options, store, ADDRESS, b.evidence, known=shell.home / "report.json", may_end_with=(1,))
        kept = {json.loads(line)["boot"]: line for file in files(a.evidence).values()
                for line in file.read_text().splitlines()[:1]}
        [boot] = kept
        check({fault["boot"] for fault in report["faults"]} == {boot}, f"faults of other boots: {report['faults']}")
        missing = {one["round_id"] for one in report["missing_records"]}
        unshipped = "".join(file.read_text() for name, file in files(a.evidence).items()
                            if not file.with_name(f"{name}.shipped").exists())
        check(payload(opened)["round_id"] in missing and all(one in unshipped for one in missing),
              f"missing are records of {missing}")
        # It comes back with its folder.
        a.start()
        a.end()
        shell.run(lines_of(RECOVERY, "Loss of a region", since="Lost are only"))
        report = verified(options, store, ADDRESS, b.evidence, known=shell.home / "report.json")
        check(not report["faults"] and not report["missing_records"], f"it is back: {report['faults']}")
    finally:
        for server in replicas:
            server.stop()
        store.stop()


def sink(options, store, *arguments):
    ran = subprocess.run([options.lab, "sink", *map(str, arguments)], capture_output=True, text=True,
                         env=store.environment())
    check(ran.returncode == 0, f"sink {arguments} ended with {ran.returncode}: {ran.stdout}{ran.stderr}")


def files(folder):
    """Returns the files of evidence in a folder, by name."""
    return {file.name: file for file in sorted(folder.glob("*.jsonl"))}


def shipping(options, shell, name, evidence):
    """A replica whose files are shipped, each of them small."""
    return Replica(options, shell, name, evidence=evidence,
                   **{"evidence.shipped": True, "evidence.rotate_bytes": 1 << 16})


# The longest first.
DRILLS = [region, backup, epoch, receipt, witness, root, ledger, token]


def run():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, type=pathlib.Path)
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    parser.add_argument("drills", nargs="*", metavar="DRILL", help=", ".join(one.__name__ for one in DRILLS))
    options = parser.parse_args()
    options.server, options.lab = options.server.resolve(), options.lab.resolve()
    chosen = [one for one in DRILLS if one.__name__ in (options.drills or [drill.__name__ for drill in DRILLS])]
    check(chosen, f"no drill {options.drills}")
    with tempfile.TemporaryDirectory(prefix="paigow-recovery-") as folder:
        home = pathlib.Path(folder)
        ceremony = Ceremony(home / "ceremony", options.lab.parent)

        def of_its_own(drill):
            (home / drill.__name__).mkdir()
            drill(options, ceremony, home / drill.__name__)
            print(f"{drill.__name__}: holds", flush=True)

        # A drill waits for processes and disks most of its time.
        with concurrent.futures.ThreadPoolExecutor(max_workers=3) as lanes:
            for done in [lanes.submit(of_its_own, drill) for drill in chosen]:
                done.result()
    print(f"{len(chosen)} drills: what the pages say was done, and holds")


if __name__ == "__main__":
    main(run)
