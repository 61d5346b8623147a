"""A medium of the evidence that hangs: a setting limits how long a call waits for it.

    slow_evidence.py --server paigow-server

The evidence goes to a pipe that nobody reads. Must hold: a call that signs something is refused
after `evidence.stall_ms`, which the log states, and when somebody reads the pipe the server plays
on. On a folder, a histogram counts the syncs.
"""
import argparse
import fcntl
import os
import pathlib
import tempfile

import grpc

from common import (
    SERVICE, Calls, Server, Worker, check, connect, deal_request, free_port, health, main, pb,
    reason, wait_until)
from lost_evidence import figure

STALL_MS = 137
COUNT = "paigow_evidence_sync_duration_seconds_count"


def read_all(pipe):
    while os.read(pipe, 1 << 16):
        pass


def stall(options, home):
    reads, writes = os.pipe()
    fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, 4096)
    server = Server(options.server, home, {
        "evidence.target": "stdout", "evidence.stall_ms": STALL_MS, "server.drain_ms": 0},
        inherit=lambda: os.dup2(writes, 1)).start()
    os.close(writes)
    reader = None
    try:
        calls = Calls(connect(server.address, policy=False))

        def refusal(round_no):
            try:
                calls.call("Deal", deal_request("table", round_no), pb.DealResponse, timeout=30)
            except grpc.RpcError as error:
                return error

        refused, round_no = None, 0
        while not refused:
            round_no += 1
            check(round_no < 1000, "a pipe that nobody reads is full at some time")
            refused = refusal(round_no)
        check((refused.code(), reason(refused)) == (grpc.StatusCode.UNAVAILABLE, "NOT_RECORDED"),
              f"a stall is answered {refused.code().name} {reason(refused)}")
        said = f"nothing was written for {STALL_MS} ms"
        wait_until(lambda: said in server.log.read_text(), f"the log states: {said}")
        reader = Worker(read_all, reads)
        wait_until(lambda: health(server.address, f"{SERVICE}/Deal") == "SERVING",
                   "new rounds are served again")
        # A machine that is slow may stall again.
        wait_until(lambda: not refusal(round_no), "the round that was refused is dealt")
        print(f"a call that waited for {STALL_MS} ms was refused", flush=True)
    finally:
        server.stop()
        if reader:
            reader.end()


def syncs(options, home):
    folder, metrics = home / "evidence", f"127.0.0.1:{free_port()}"
    folder.mkdir(parents=True)
    server = Server(options.server, home / "server", {
        "evidence.target": "file", "evidence.directory": folder, "evidence.stall_ms": 30_000,
        "telemetry.prometheus_listen": metrics}).start()
    try:
        calls = Calls(connect(server.address, policy=False))
        before = figure(metrics, COUNT)
        check(before, f"the first lines were synced: {before}")
        for round_no in range(1, 6):
            calls.call("Deal", deal_request("table", round_no), pb.DealResponse, timeout=30)
        after = figure(metrics, COUNT)
        check(after >= before + 5, f"5 calls in turn need 5 syncs, and {after - before} are counted")
        print(f"{after - before} syncs were counted for 5 calls", flush=True)
    finally:
        server.stop()


def run():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", required=True)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="paigow-slow-") as home:
        stall(options, pathlib.Path(home) / "stall")
        syncs(options, pathlib.Path(home) / "syncs")


if __name__ == "__main__":
    main(run)
