"""A full disk under the audit sink: no record, no answer; and nothing is lost.

    full_disk.py --server paigow-server --lab paigow-lab

A server keeps its evidence on a small disk that callers fill by playing. Must hold: from then on
what would be signed is UNAVAILABLE / NOT_RECORDED, health says NOT_SERVING for new rounds and
SERVING for the rest, and everything that signs nothing is answered; when there is room again the
server goes on by itself, and answers what it had refused; `paigow-lab sink verify` finds the
chain whole; and every record that any caller was ever given is in it.

The disk is a small file system of its own where the system lets this process have one (a mount
in its own namespace), else a limit on the size of files.
"""
import argparse
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

import grpc

from common import (
    SERVICE, Calls, Server, Worker, check, connect, deal_request, health, lab, main, pb, reason,
    settle_request, transcript, wait_until)

UNSHARED = "TEST_OWN_MOUNTS"
CALLERS = 3
# Room for some hundreds of rounds.
ROOM_KIB, BALLAST_KIB = 2048, 6144


class SmallDisk:
    """A file system in memory with a ballast file on it, whose removal makes room."""

    what = "a disk of its own"

    def __init__(self, folder):
        size = ROOM_KIB + BALLAST_KIB
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", folder],
                       check=True)
        self.ballast = folder / "ballast"
        self.ballast.write_bytes(bytes(BALLAST_KIB * 1024))
        self.folder = folder / "evidence"
        self.folder.mkdir()

    @staticmethod
    def inherit():
        """Runs in the process of the server before it starts. Here it does nothing."""

    def make_room(self, server):
        self.ballast.unlink()


class SmallFiles:
    """A limit on how large the files of the server may become, which can be lifted."""

    what = "a limit on the size of files"

    def __init__(self, folder):
        self.folder = folder / "evidence"
        self.folder.mkdir()

    @staticmethod
    def inherit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM_KIB * 1024, resource.RLIM_INFINITY))

    def make_room(self, server):
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)


class Table:
    """Deals and settles at one table and keeps the records that it gets."""

    def __init__(self, address, name):
        self.calls, self.name = Calls(connect(address, policy=False)), name
        self.dealt, self.settled, self.refused, self.over = {}, {}, 0, False
        self.deals = self.settles = 0

    def deal(self, round_no):
        if round_no not in self.dealt:
            self.dealt[round_no] = self.calls.call(
                "Deal", deal_request(self.name, round_no), pb.DealResponse, timeout=30)

    def settle(self, round_no):
        if round_no not in self.settled:
            self.settled[round_no] = self.calls.call(
                "Settle", settle_request(self.dealt[round_no]), pb.SettleResponse, timeout=30)

    def play(self):
        """Plays until the disk is full, and then asks for the same a few times more."""
        round_no = 1
        while not self.over:
            try:
                self.deal(round_no)
                self.settle(round_no)
                round_no += 1
            except grpc.RpcError as error:
                check_refusal(error)
                self.refused += 1
                time.sleep(0.02)


def check_refusal(error):
    check((error.code(), reason(error)) == (grpc.StatusCode.UNAVAILABLE, "NOT_RECORDED"),
          f"a full disk is answered {error.code().name} {reason(error)}: {error.details()}")


def is_refused(call):
    try:
        call()
    except grpc.RpcError as error:
        check_refusal(error)
        return True
    return False


def kept(folder):
    """Returns the records in the sink, each as the bytes that were signed and sent."""
    records = set()
    for file in folder.glob("*.jsonl"):
        # A part of a line has no end, and counts for nothing.
        for line in file.read_bytes().split(b"\n")[:-1]:
            for record in json.loads(line).get("records", ()):
                records.add(json.dumps(record, sort_keys=True, separators=(",", ":")).encode())
    return records


def scenario(options, home, disk):
    server = Server(options.server, home / "server", {
        "evidence.target": "file", "evidence.directory": disk.folder, "server.drain_ms": 0,
        # The log has warnings alone, so that other output stays away from it.
        "log.filter": "warn"}, inherit=disk.inherit).start()
    tables = [Table(server.address, f"table-{i + 1}") for i in range(CALLERS)]
    try:
        # A round that is open when the disk fills.
        waiting = Table(server.address, "waiting")
        waiting.deal(1)
        workers = [Worker(table.play) for table in tables]
        running = lambda: all(worker.is_alive() for worker in workers)
        full = lambda: all(table.refused >= 5 for table in tables)
        wait_until(lambda: full() or not running(), "the disk is full")
        for worker in workers if not running() else ():
            worker.end()

        before = sum(len(table.settled) for table in tables)
        check(before > 0, "rounds were played before")
        check(is_refused(lambda: waiting.settle(1)), "an open round is not settled unrecorded")
        # A short line may still fit, and the sink be sound until the next deal.
        wait_until(lambda: health(server.address, f"{SERVICE}/Deal") == "NOT_SERVING",
                   "no new rounds")
        check(health(server.address) == health(server.address, "") == "SERVING", "health")
        calls = waiting.calls
        manifests = calls.manifests()
        hands = [pb.Hand(cards=["As", "2s", "3s", "4s", "5s", "Ah", "Qh"])]
        set_hands = calls.call("SetHouseWay", pb.SetHouseWayRequest(
            hands=hands, house_way="mikes"), pb.SetHouseWayResponse)
        check(len(set_hands.settings) == 1, "SetHouseWay is answered")
        one = next((table.dealt[n], table.settled[n]) for table in tables for n in table.settled)
        audited = calls.call("Audit", pb.AuditRequest(transcript=transcript(manifests, [one])),
                             pb.AuditResponse)
        check(len(audited.rounds) == 1, "Audit is answered")

        disk.make_room(server)
        wait_until(lambda: health(server.address, f"{SERVICE}/Deal") == "SERVING",
                   "new rounds are served again")
        waiting.settle(1)
        enough = before + 30
        wait_until(lambda: sum(len(table.settled) for table in tables) >= enough or not running(),
                   "rounds go on")
        for table in tables:
            table.over = True
        for worker in workers:
            worker.end()
        refused = sum(table.refused for table in tables)
        for table in tables:
            for round_no in table.dealt:
                table.settle(round_no)

        server.terminate()
        check(server.wait() == 0, f"the server stops on SIGTERM: {server.tail()}")
        said = lab(options.lab, "sink", "verify", disk.folder)
        given = [record.envelope for table in (*tables, waiting)
                 for answers in (table.dealt, table.settled)
                 for answer in answers.values() for record in answer.records]
        in_sink = kept(disk.folder)
        missing = sum(record not in in_sink for record in given)
        check(given and not missing, f"{missing} of {len(given)} records given are not in the sink")
        rounds = sum(len(table.settled) for table in tables) + 1
        print(f"full disk ({disk.what}): {before} rounds until it was full, {refused} calls "
              f"refused, {rounds - before} rounds after; all {len(set(given))} records that were "
              f"given are in the sink, {said.strip().splitlines()[-1]}", flush=True)
    finally:
        for table in tables:
            table.over = True
        server.stop()


def own_mounts():
    """Starts this script again in a mount namespace of its own, where that is allowed."""
    allowed = UNSHARED not in os.environ and subprocess.run(
        ["unshare", "--mount", "true"], capture_output=True).returncode == 0
    if allowed:
        os.environ[UNSHARED] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    return UNSHARED in os.environ


def run():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", required=True)
    arguments.add_argument("--lab", required=True)
    arguments.add_argument("--disk", choices=["own", "limit"],
                           help="which, instead of the one that the system allows")
    options = arguments.parse_args()
    own = options.disk != "limit" and own_mounts()
    check(own or options.disk != "own", "the system allows no mounts")
    with tempfile.TemporaryDirectory(prefix="paigow-disk-") as home:
        folder = pathlib.Path(home) / "disk"
        folder.mkdir()
        try:
            scenario(options, pathlib.Path(home), (SmallDisk if own else SmallFiles)(folder))
        finally:
            if own:
                subprocess.run(["umount", "--lazy", folder], check=True)


if __name__ == "__main__":
    main(run)
