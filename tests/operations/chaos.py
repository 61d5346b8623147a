"""Chaos: three replicas behind one proxy, while everything that may fail fails, and a tenant attacks.

    chaos.py --server paigow-server --lab paigow-lab [--seconds 60] [--seed N]

Two tenants play locked and chained rounds at several tables. Each table repeats the identical request until
it has an answer or a refusal. Two schedules run side by side, both drawn from the seed:

- processes: SIGKILL and restart; SIGTERM and restart; SIGSTOP and SIGCONT;
- files: the certificate, the access file, the manifest with its key are replaced; a disk is full; a disk is
  slow; the file of evidence that a replica is writing is deleted, or cut to half; a clock jumps by an hour.

Every action occurs at least once. Meanwhile a hostile tenant audits the largest messages without a pause.
Must hold at the end:

- no request got two different answers;
- every record that a table was given is in the evidence, or `paigow-lab sink verify` names it as missing;
- a replica raises an alarm for each file of evidence that the run destroys, which the run acknowledges;
- every round that was begun is settled or voided, and a sample of each table audits.

The summary also has the latency of the tables, which no test asserts. The disks are small file systems of
their own where the system allows mounts, else limits on the size of files. The slow disk and the clock need a
C compiler and a server that is linked dynamically.
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from chaos_actions import Actions
from chaos_evidence import Account
from chaos_players import Auditor, Book, Table, Tenant, large_transcript
from chaos_replicas import Ceremony, LimitedFiles, OwnDisk, Replica, TlsEnvoy, build_shim, replace, tables_of
from clients import authority
from common import ROOT, Failed, Worker, check, keys, lab, main, payload, record_hash, wait_until
from full_disk import own_mounts

REPLICAS = 3
# How long the tables play before the attack, in seconds.
CALM = 3.0
# How many rounds of each table are audited at the end, and by the verifier in Python, which is slow.
AUDITED, AUDITED_IN_PYTHON = 40, 2
LARGEST_AUDIT = (4 << 20) - 1024


def attack(options, address, ceremony, home):
    """Returns the hostile tenant, whose manifest has as many keys as a manifest may have."""
    public = lambda: Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    made = ceremony.make("root", ceremony.desk)
    root, key = made["public"], made["file"]
    text = ceremony.next_description()
    text = re.sub(r"^keys = .*$", f"keys = {json.dumps([root, *(public() for _ in range(15))])}", text, flags=re.M)
    head, rest = text.split("[[receipt_keys]]", 1)
    more = "".join(f'[[receipt_keys]]\npublic = "{public()}"\n\n' for _ in range(15 - rest.count("[[receipt_keys]]")))
    file = home / "hostile.toml"
    # An epoch without a commitment needs no salt.
    file.write_text(re.sub(r"^salt = .*$", 'salt = "none"', f"{head}{more}[[receipt_keys]]{rest}", flags=re.M))
    manifest = keys(options.lab, "manifest", "sign", file, "--key", key).encode()
    return Auditor(address, ceremony.hostile, large_transcript(manifest, LARGEST_AUDIT), [root])


def scenario(options, home, disk):
    began = time.monotonic()
    tenants, hostile = [Tenant("pinned"), Tenant("seats")], Tenant("hostile")
    ceremony = Ceremony(options.lab, home, tenants, hostile)
    ca, (pem, key), _ = authority(home / "tls")
    for made, used in ((key, "server.key"), (pem, "server.pem")):
        replace(home / used, made.read_bytes())
    shim = build_shim(home, options.server)
    settings = {
        "server.reflection": False, "server.drain_ms": 1500, "server.grace_ms": 10000,
        "tls.certificate_file": home / "server.pem", "tls.key_file": home / "server.key",
        "access.file": home / "access.toml", "keyring.generate": False, "keyring.root_keys": ceremony.root,
        "evidence.target": "file", "evidence.fail_closed": True, "log.filter": "warn,paigow=info"}
    book, tables, auditor, proxy, workers = Book(), [], None, None, []
    replicas = [Replica(options, home, number, settings, disk, shim) for number in range(1, REPLICAS + 1)]
    try:
        starts = [Worker(replica.start) for replica in replicas]
        place = ceremony.place()
        for start in starts:
            start.end()
        proxy = TlsEnvoy(home / "proxy", [replica.port for replica in replicas], ca)
        address = f"127.0.0.1:{proxy.port}"
        auditor = attack(options, address, ceremony, home)
        tables = [Table(address, tenant, name, options.seed, book, place)
                  for tenant in tenants for name in tables_of(tenant)]
        print(f"{REPLICAS} replicas, {len(tables)} tables of {len(tenants)} tenants, {disk.what}; seed {options.seed}; "
              f"started in {time.monotonic() - began:.1f} s", flush=True)
        players = [Worker(table.play) for table in tables]
        calm = time.monotonic() + CALM
        wait_until(lambda: book.faults or time.monotonic() > calm and all(table.ended for table in tables),
                   "every table has finished a round")

        book.attacked = True
        actions = Actions(home, ceremony, replicas, tables, ca, place, book, shim)
        workers = [Worker(auditor.attack, method) for method in ("Audit",) * 3 + ("AuditStream",) * 2]
        schedules = [
            Worker(actions.follow, actions.processes, random.Random(f"{options.seed} processes"), options.seconds),
            Worker(actions.follow, actions.files, random.Random(f"{options.seed} files"), options.seconds)]
        follow(schedules, book, options.seconds)
        book.over = True
        auditor.stop()
        for worker in [*schedules, *workers, *players]:
            finish(worker)
        for replica in replicas:
            replica.terminate()
        for replica in replicas:
            code = replica.wait()
            check(code == 0, f"replica {replica.number} ends with {code} after SIGTERM: {replica.tail()}")
        summary(options, home, ceremony, replicas, tables, book, auditor, actions)
    except Failed as failed:
        raise Failed(f"seed {options.seed}: {failed}") from None
    finally:
        book.over = True
        if auditor:
            auditor.stop()
        if proxy:
            proxy.stop()
        for replica in replicas:
            if replica.process:
                replica.process.send_signal(signal.SIGCONT)
            replica.stop()
            if options.keep and replica.log.exists():
                shutil.copytree(replica.evidence, options.keep / f"evidence-{replica.number}")
                shutil.copy(replica.log, options.keep / f"replica-{replica.number}.log")
            replica.disk.remove()


def follow(schedules, book, seconds):
    """Waits for the end of the schedules. A fault of a table ends them early."""
    patience = time.monotonic() + seconds + 300
    while any(worker.is_alive() for worker in schedules):
        if book.faults or any(worker.failure for worker in schedules):
            book.over = True
        check(time.monotonic() < patience, "the schedules do not end")
        time.sleep(0.1)


def finish(worker):
    """Waits for a worker, whose calls may take as long as a table repeats a request."""
    worker.join(180)
    worker.end()


def percentile(seconds, part):
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def latency(seconds):
    return f"99th percentile {percentile(seconds, 0.99) * 1000:.0f} ms, worst {max(seconds, default=0.0) * 1000:.0f} ms"


def summary(options, home, ceremony, replicas, tables, book, auditor, actions):
    """Prints the figures, and fails on those that must be 0."""
    folders = [replica.evidence for replica in replicas]
    # 1: the run has destroyed lines; 2: a killed process has left no last line.
    report = json.loads(lab(options.lab, "sink", "verify", "--json", *folders, may_end_with=(0, 1, 2)))
    account = Account(folders, actions.destroyer, book.given, report)
    others = [fault for fault in report["faults"] if not account.of_the_run(fault)]
    settled, voided = (sum(table.ended.count(how) for table in tables) for how in ("settled", "voided"))
    begun = sum(table.begun for table in tables)
    bad = audit(options, home, ceremony, tables)
    destroyed, files, alarms = len(account.destroyed), actions.destroyer.files, actions.destroyer.alarms
    count = ", ".join(f"{name} {times}" for name, times in sorted(actions.done.items()))
    print(f"""actions                     {count}
calls                       {book.calls}, {book.asked_again} of them asked again later
repeats                     {book.repeats}
double answers              {len(book.doubles)}, forks in the evidence {len(report["forks"])}
records given               {len(book.given)}
lost without an alarm       {len(account.lost)}
lost and named              {len(account.lost_and_named)}
destroyed by the run        {destroyed} in {files} files, with {alarms} alarms; named by no gap: {len(account.unnamed)}
rounds                      {begun}: {settled} settled, {voided} voided, {begun - settled - voided} stranded
audits that fail            {len(bad)}
latency before the attack   {latency(book.before)}
latency during the attack   {latency(book.during)}
the slowest call            {book.slowest[1]}
attack                      {auditor.answered} audits answered; turned away: {dict(auditor.turned_away)}""", flush=True)
    faults = [*book.faults, *bad]
    faults += [f"two answers to one {method}" for method in book.doubles[:5]]
    faults += [f"a fork in the evidence: {fork}" for fork in report["forks"][:3]]
    faults += [f"a fault that the run has not made: {fault}" for fault in others[:3]]
    faults += [f"the action {name} did not occur" for name in {**actions.processes, **actions.files}
               if name not in actions.done]
    if account.lost:
        faults.append(f"{len(account.lost)} records that were given are in no file, and nothing says so")
    if alarms < files:
        faults.append(f"a replica noticed only {alarms} of {files} destroyed files")
    if account.unnamed:
        faults.append(f"{len(account.unnamed)} destroyed records are named by no gap")
    if begun - settled - voided:
        faults.append(f"{begun - settled - voided} rounds are stranded")
    check(not faults, "; ".join(faults))


def audit(options, home, ceremony, tables):
    """Audits the last rounds of each table, and a few with the verifier in Python; returns what fails."""
    manifests, bad = ceremony.chain.read_bytes(), []
    verifier = [sys.executable, str(ROOT / "verifiers/python")]
    for table in tables:
        for command, count in (([options.lab, "audit"], AUDITED), (verifier, AUDITED_IN_PYTHON)):
            rounds = table.records[-count:]
            if not rounds:
                continue
            file = home / f"{table.name}.jsonl"
            file.write_bytes(manifests + b"".join(record.envelope + b"\n" for one in rounds for record in one))
            after = []
            if len(table.records) > len(rounds):
                close = table.records[-len(rounds) - 1][-1]
                after = ["--after", f"{payload(close)['round_id']}:{record_hash(close)}"]
            ran = subprocess.run([*map(str, command), file, "--root", ceremony.root, *after],
                                 capture_output=True, text=True)
            # 3: all agrees, and the secret of the epoch is not published yet.
            if ran.returncode != 3:
                bad.append(f"{table.name} audits with {ran.returncode}: {ran.stdout[-600:]}{ran.stderr[-300:]}")
    return bad


def run():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, help="the program paigow-server")
    parser.add_argument("--lab", required=True, help="the program paigow-lab")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the chaos lasts")
    parser.add_argument("--seed", type=int, help="the seed of the schedules; drawn if it is not given")
    parser.add_argument("--disk", choices=["own", "limit"], help="which, instead of the one that the system allows")
    parser.add_argument("--keep", type=pathlib.Path, help="a new folder for the logs and the evidence of the replicas")
    options = parser.parse_args()
    own = options.disk != "limit" and own_mounts()
    check(own or options.disk != "own", "the system allows no mounts")
    if options.keep:
        options.keep.mkdir()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 32)
    with tempfile.TemporaryDirectory(prefix="paigow-chaos-") as home:
        scenario(options, pathlib.Path(home), OwnDisk if own else LimitedFiles)


if __name__ == "__main__":
    main(run)
