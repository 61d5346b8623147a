"""Evidence that is shipped to object storage, and the faults that it survives there.

    shipping.py --server paigow-server --lab paigow-lab

Two replicas keep their evidence in folders of their own; `paigow-lab sink ship` ships what they
do not write any more to a bucket with a retention lock (SeaweedFS). Must hold:

1. The bucket keeps each version: its default is read back, and a delete is refused.
2. A file that is shipped twice is there once. `sink verify` over bucket and folders finds every
   line once, and every record that a caller was given is in it.
3. A replica that is killed goes on in its folder. A folder that is lost after it was shipped is not
   missed; what was not shipped is named, by the report of an earlier verification.
4. A shipper that looks again and again ships all of a server that ends, and then ends itself.
5. While the store is down nothing is lost: files wait, which a figure states, until the folder
   holds `evidence.folder_bytes`. Then calls end UNAVAILABLE / NOT_RECORDED. When the store is
   back, files are shipped and pruned, and the replica goes on by itself.
6. What is restored from the store is what was written, to the byte.
7. Rounds, wagers and money out of the bucket, read by DuckDB, are those that callers were given. A
   round that is disputed is found by its table and number, told with its cards and money, and its
   files audit.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile

import duckdb
import grpc

from common import (
    Calls, Server, check, connect, deal_request, free_port, main, open_request, payload, pb, reason,
    settle_request, wait_until)
from lost_evidence import figure
from object_store import ObjectStore

BUCKET = "paigow-evidence"
ADDRESS = f"s3://{BUCKET}/lines"
# Some fifty rounds.
FOLDER_BYTES = 1 << 20


class Replica:
    """A server with evidence of its own, which is shipped."""

    def __init__(self, options, home, name, keyring, store, **settings):
        self.options, self.name, self.store = options, name, store
        self.folder, self.metrics = home / f"evidence-{name}", f"127.0.0.1:{free_port()}"
        self.folder.mkdir()
        self.rounds = 0
        self.server = Server(options.server, home / name, {
            "evidence.target": "file", "evidence.directory": self.folder, "server.drain_ms": 0,
            "evidence.rotate_bytes": 1 << 16, "evidence.shipped": True, "telemetry.instance": name,
            # A machine that runs tests is slow at times, and a stall is no loss.
            "evidence.stall_ms": 30_000,
            "telemetry.prometheus_listen": self.metrics, **settings}, keyring=keyring)

    def start(self):
        self.server.start()
        self.calls = Calls(connect(self.server.address, policy=False))
        return self

    def play(self, other=None):
        """Plays a round, opened at another replica if there is one; returns its records."""
        self.rounds += 1
        table = f"table-{self.name}"
        start = open_request(table, self.rounds)
        opened = (other or self).calls.call("OpenRound", start, pb.OpenRoundResponse, timeout=30)
        deal = pb.DealRequest(ticket=opened.ticket, sheet=deal_request(table, self.rounds).sheet)
        dealt = self.calls.call("Deal", deal, pb.DealResponse, timeout=30)
        settled = self.calls.call("Settle", settle_request(dealt), pb.SettleResponse, timeout=30)
        return [*dealt.records, *settled.records]

    def sink(self, command, *arguments, may_end_with=(0,)):
        """Runs a command on the folder, and returns its output."""
        return sink(self.options, self.store, command, self.folder, "--to", f"{ADDRESS}/{self.name}",
                    *arguments, may_end_with=may_end_with)[1]

    def ship(self, may_end_with=(0,)):
        return self.sink("ship", may_end_with=may_end_with)

    def end(self):
        """SIGTERM, and waits: every file is sealed then."""
        self.server.terminate()
        self.server.wait()

    def unshipped(self):
        return figure(self.metrics, "paigow_evidence_unshipped_files")


def sink(options, store, *arguments, may_end_with=(0,)):
    """Runs `paigow-lab sink`. Returns its exit code and its output."""
    command = [options.lab, "sink", *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=store.environment())
    said = ran.stdout + ran.stderr
    check(ran.returncode in may_end_with, f"{command} ended with {ran.returncode}: {said[-2000:]}")
    return ran.returncode, said


def verified(options, store, *sources, known=None, may_end_with=(0, 2)):
    """Verifies sources, and returns the report."""
    more = ["--known", known] if known else []
    return json.loads(sink(options, store, "verify", "--json", *more, *sources, may_end_with=may_end_with)[1])


def run(options, home):
    store = ObjectStore(home / "store", BUCKET).start()
    replicas = []
    try:
        store.make_bucket()
        one = Replica(options, home, "one", home / "keyring", store).start()
        replicas.append(one)
        two = Replica(options, home, "two", home / "keyring", store, **{"evidence.folder_bytes": FOLDER_BYTES}).start()
        replicas.append(two)
        given = is_shipped_twice_and_there_once(options, home, store, one, two)
        is_read_by_others(options, home, store, one, two, given)
        survives_a_kill_and_a_lost_folder(options, home, store, one, two)
        ships_until_it_is_stopped(options, home, store, two)
        waits_while_the_store_is_down(options, store, two)
        is_restored_to_the_byte(options, home, store, two)
    finally:
        for replica in replicas:
            replica.server.stop()
        store.stop()


def is_shipped_twice_and_there_once(options, home, store, one, two):
    given = [one.play(other=two) for _ in range(30)]
    said = one.ship()
    check("not shipped" not in said and said.count("shipped: ") > 1, f"first: {said}")
    wait_until(lambda: one.unshipped() == 0, "the replica notices that all is shipped")
    versions = store.versions()
    check(versions and len(versions) == len(set(versions)), f"versions: {versions}")
    for name, version in versions:
        status = store.delete(name, version)
        check(status == 403, f"{name} was deleted: {status}")
    for marker in one.folder.glob("*.shipped"):
        marker.unlink()
    again = one.ship()
    check(again.count("was there: ") == said.count("shipped: ") and store.versions() == versions,
          f"shipped again: {again}")
    two.ship()

    # Every line is in a folder, and most are in the bucket as well.
    report = verified(options, store, ADDRESS, one.folder, two.folder)
    local = verified(options, store, one.folder, two.folder)
    for name in ("lines", "records", "rounds", "faults", "forks", "missing_records", "boots"):
        check(report[name] == local[name], f"{name}: {report[name]}, in folders alone {local[name]}")
    check(not report["faults"] and not report["missing_records"] and report["rounds"] == 30, f"{report}")
    rounds = {ticket["round_id"] for ticket in report["open_tickets"]}
    check(not rounds, f"every round is closed: {rounds}")
    (home / "report.json").write_text(json.dumps(report))
    # Of one round, every record that its callers were given.
    round_id = payload(given[0][0])["round_id"]
    _, transcript = sink(options, store, "transcript", "--round", round_id, ADDRESS, one.folder, two.folder)
    missing = {record.envelope.decode() for record in given[0]} - set(transcript.splitlines())
    check(not missing, f"{len(missing)} records of a round are not in its transcript")
    return given


def is_read_by_others(options, home, store, one, two, given):
    """Tables and a dispute, held against the records that callers were given."""
    sources = [ADDRESS, one.folder, two.folder]
    sink(options, store, "export", "--to", home / "tables", *sources)
    wagers, money = [], []
    for round_ in given:
        settled = payload(round_[-1])
        for seat, result in settled["results"]["seats"].items():
            money.append((settled["round_id"], "seat", int(seat), int(result["net"])))
            for line in result["lines"]:
                wagers.append((settled["round_id"], int(seat), line["bet"], int(line["stake"]), line["status"],
                               int(line["return"]), line.get("row")))
        money.append((settled["round_id"], "bank", None, int(settled["results"]["bank"]["net"])))
        money.append((settled["round_id"], "house", None, int(settled["results"]["house_net"])))
    read = duckdb.connect()
    table = {name: home / "tables" / f"{name}.parquet" for name in ("rounds", "wagers", "money")}
    found = read.sql(f"select round_id, seat, bet, stake_minor, status, return_minor, row from '{table['wagers']}'")
    check(sorted(found.fetchall(), key=str) == sorted(wagers, key=str), "wagers are not those of the callers")
    found = read.sql(f"select round_id, account, seat, net_minor from '{table['money']}'").fetchall()
    check(sorted(found, key=str) == sorted(money, key=str), "money is not that of the callers")
    found = read.sql(f"""select count(*), count(distinct round_id), min(disposition), min(tenant), min(currency),
        min(exponent), min(round_no), max(round_no), bool_and(opened_at <= closed_at) from '{table['rounds']}'""")
    check(found.fetchall() == [(30, 30, "settled", "dev", "USD", 2, 1, 30, True)], f"rounds: {found}")
    joined = read.sql(f"""select r.table_id, sum(m.net_minor) from '{table['rounds']}' r join '{table['money']}' m
        using (round_id) group by 1""").fetchall()
    check(joined == [("table-one", 0)], f"money adds up to 0 at each table: {joined}")

    root = home / "keyring" / "root.json"
    folder = home / "dispute"
    code, said = sink(options, store, "dispute", "--table", "table-one", "--number", "7", "--root", root,
                      "--write", folder, *sources, may_end_with=(3,))
    dealt, settled = given[6], payload(given[6][-1])
    ranks, suits = "23456789TJQKA", "cdhs"
    seat = payload(dealt[2])["visible"]["1"]
    cards = " ".join("Jk" if card == 52 else ranks[card % 13] + suits[card // 13] for card in seat)
    net = int(settled["results"]["seats"]["1"]["net"])
    amount = f"{'+' if net > 0 else '-' if net < 0 else ''}{abs(net) // 100}.{abs(net) % 100:02}"
    for words in ("Round 7 at table table-one of dev", f"  id       {settled['round_id']}", f"  dealt    {cards}",
                  f"  net      {amount}", "verdict: pending: everything computable agrees"):
        check(words in said, f"the dispute does not say {words!r}: {said[:2000]}")
    check((folder / "round.txt").read_text() in said, "round.txt is what was printed")
    check(json.loads((folder / "findings.json").read_text())["verdict"] == "VERDICT_PENDING", "findings.json")
    check((folder / "verifier.html").exists(), "the page is beside them")
    audited = subprocess.run([options.lab, "audit", folder / "transcript.jsonl", "--root", root], capture_output=True)
    check(audited.returncode == code, f"its transcript audits with {audited.returncode}")
    _, said = sink(options, store, "dispute", "--table", "table-one", "--number", "31", "--root", root, *sources,
                   may_end_with=(65,))
    check("no round 31 at table table-one" in said, said)


def survives_a_kill_and_a_lost_folder(options, home, store, one, two):
    one.server.kill()
    one.start()
    for _ in range(5):
        one.play(other=two)
    one.end()
    said = one.ship()
    check("not shipped" not in said, f"after a kill: {said}")
    report = verified(options, store, ADDRESS, two.folder, known=home / "report.json")
    check(not report["faults"] and not report["missing_records"], f"after a kill: {report['faults']}")
    kept = home / "lost"
    shutil.move(one.folder, kept)
    # All of it is in the bucket.
    report = verified(options, store, ADDRESS, two.folder, known=home / "report.json")
    check(not report["faults"] and not report["missing_records"] and not report["absent"],
          f"the folder is lost: {report}")
    (home / "later.json").write_text(json.dumps(report))
    # Files that are not shipped are lost with their folder. The verification names them.
    one.folder.mkdir()
    one.start()
    for _ in range(5):
        one.play()
    one.end()
    seen = verified(options, store, ADDRESS, one.folder, two.folder)
    (home / "seen.json").write_text(json.dumps(seen))
    shutil.rmtree(one.folder)
    report = verified(options, store, ADDRESS, two.folder, known=home / "seen.json")
    boots = {boot["boot"] for boot in seen["boots"]} - {boot["boot"] for boot in report["boots"]}
    check(len(boots) == 1 and boots == {boot["boot"] for boot in report["absent"]},
          f"the boot that is lost is not named: {report['absent']}")


def ships_until_it_is_stopped(options, home, store, two):
    """As beside a server in a pod: it searches repeatedly, and once more when it is asked to end."""
    with open(home / "shipper.log", "wb") as log:
        shipper = subprocess.Popen(
            [options.lab, "sink", "ship", two.folder, "--to", f"{ADDRESS}/{two.name}", "--every", "1"],
            env=store.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        for _ in range(20):
            two.play()
        wait_until(lambda: two.unshipped() == 0, "the shipper ships what is sealed")
        two.end()
        shipper.terminate()
        check(shipper.wait(60) == 0, f"the shipper ends well: {(home / 'shipper.log').read_text()[-2000:]}")
    finally:
        shipper.kill()
    waiting = [file.name for file in two.folder.glob("*.jsonl") if not file.with_name(f"{file.name}.shipped").exists()]
    check(not waiting, f"its last look leaves nothing: {waiting}")
    two.start()


def waits_while_the_store_is_down(options, store, two):
    store.stop()
    refused = None
    for _ in range(1000):
        try:
            two.play()
        except grpc.RpcError as error:
            refused = error
            break
    check(refused is not None and reason(refused) == "NOT_RECORDED", f"the folder has no bound: {refused}")
    said = two.ship(may_end_with=(1,))
    check("not shipped: " in said, f"the store is down: {said}")
    wait_until(lambda: two.unshipped() > 3, "the figure of files that wait grows")
    wait_until(lambda: figure(two.metrics, "paigow_evidence_failing") == 1, "the replica says that it keeps nothing")
    before = sorted(two.folder.glob("*.jsonl"))
    store.start()
    two.ship()
    two.sink("prune", "--after-hours", "0")
    left = sorted(two.folder.glob("*.jsonl"))
    check(len(left) < len(before) and left[-1] == before[-1], f"{len(left)} of {len(before)} files are left")
    wait_until(lambda: figure(two.metrics, "paigow_evidence_failing") == 0, "the replica goes on")
    two.play()


def is_restored_to_the_byte(options, home, store, two):
    two.end()
    copies = {file.name: file.read_bytes() for file in two.folder.glob("*.jsonl")}
    two.ship()
    two.sink("prune", "--after-hours", "0")
    # Another store has none of them yet.
    other = home / "other"
    other.mkdir()
    _, said = sink(options, store, "ship", two.folder, "--to", f"file://{other}")
    check(said.count("shipped: ") == len(list(two.folder.glob("*.jsonl"))), f"to another store: {said}")
    left = list(two.folder.glob("*.jsonl"))
    check(len(left) == 1, f"the newest file stays: {left}")
    restored = home / "restored"
    restored.mkdir()
    sink(options, store, "restore", f"{ADDRESS}/two", restored)
    for name, copy in copies.items():
        check((restored / name).read_bytes() == copy, f"{name} is not what was written")
    # Altered in the folder, it is not taken for the one in the store.
    name = min(copies)
    (restored / name).write_bytes(copies[name][:-1])
    _, said = sink(options, store, "restore", f"{ADDRESS}/two", restored, may_end_with=(73,))
    check("another file is there" in said, said)
    report = verified(options, store, ADDRESS, restored, may_end_with=(1,))
    check(report["faults"], "an altered copy is found")
    print("shipped, lost, refused, restored: every record is in the bucket, or named as missing")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, type=pathlib.Path)
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.lab = arguments.lab.resolve()
    with tempfile.TemporaryDirectory() as folder:
        main(lambda: run(arguments, pathlib.Path(folder)))
