"""A log at the level of trace, in a folder that the server watches.

    trace_log.py --server paigow-server

Must hold: the log does not grow while nothing calls and nothing changes, although each of its
lines changes a file in a watched folder, nor when another file beside the watched ones changes;
a watched file is read again all the same. And `log.lines_per_second` drops what is above it,
counts it and states it, but never drops an error.
"""
import argparse
import hashlib
import json
import pathlib
import tempfile
import time

from common import (
    Calls, Server, Worker, check, connect, deal_request, free_port, main, pb, wait_until)
from lost_evidence import figure

# So often the log has the same size, one look after the other, when it does not grow.
SAME, EVERY = 25, 0.2
# A log that is larger grows for ever.
LARGEST = 64 << 20
TOKEN = "tables"
ACCESS = f"""
[[tenants]]
tenant = "dev"
[[tenants.clients]]
name = "tables"
roles = ["table"]
token_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"
"""


def stands_still(server):
    """Waits until the log stops growing, and returns its size."""
    sizes = []

    def is_still():
        sizes.append(server.log.stat().st_size)
        check(sizes[-1] < LARGEST, f"the log grows while nothing calls: {sizes[-1]} bytes")
        return len(set(sizes[-SAME:])) == 1 and len(sizes) >= SAME

    wait_until(is_still, "the log stops growing while nothing calls", every=EVERY)
    return sizes[-1]


def events(server, event):
    lines = [json.loads(line) for line in server.log.read_text().splitlines()
             if line.startswith("{")]
    return [line for line in lines if line.get("event") == event]


def quiet(options, home, beside):
    """The log lies beside the access file, or in the folder of the keys."""
    access, keyring = home / "access" / "access.toml", home / "keyring"
    access.parent.mkdir(parents=True)
    settings = {"log.filter": "trace", "access.file": access, "server.drain_ms": 0}
    access.write_text(ACCESS)
    first = Server(options.server, home / "first", {"server.drain_ms": 0}, keyring=keyring).start()
    first.terminate()
    first.wait()
    server = Server(options.server, home / "server", settings, keyring=keyring)
    server.log = (access.parent if beside == "access" else keyring) / "server.log"
    server.start()
    try:
        before = stands_still(server)
        check(before > 0, "the start is logged")
        other = access.with_name("other")
        for number in range(5):
            other.write_text(str(number))
        check(stands_still(server) == before, "a change beside the watched files is logged")
        access.write_text("fault")
        wait_until(lambda: events(server, "reload_refused"), "a changed file is read again")
        stands_still(server)
        print(f"{beside}: the log stood still at {before} bytes", flush=True)
    finally:
        server.stop()


def limit(options, home):
    metrics, access, faults = f"127.0.0.1:{free_port()}", home / "access.toml", 5
    access.write_text(ACCESS)
    server = Server(options.server, home / "server", {
        "log.filter": "trace", "log.lines_per_second": 20, "access.file": access,
        "telemetry.prometheus_listen": metrics})
    began = time.monotonic()
    server.start()
    over = False
    try:
        def play():
            calls, round_no = Calls(connect(server.address, policy=False)), 0
            while not over:
                round_no += 1
                calls.call("Deal", deal_request("table", round_no), pb.DealResponse, timeout=30,
                           metadata=[("authorization", f"Bearer {TOKEN}")])

        player = Worker(play)
        for number in range(faults):
            access.write_text(f"fault {number}")
            wait_until(lambda: len(events(server, "reload_refused")) > number or not player.is_alive(),
                       f"error {number + 1} is in the log")
        wait_until(lambda: figure(metrics, "paigow_log_dropped_total") > 1000, "lines are dropped")
        over = True
        player.end()

        def stated():
            lines = [json.loads(line) for line in server.log.read_text().splitlines()
                     if line.startswith("{")]
            return lines, sum(line["dropped"] for line in lines if "dropped" in line)

        # A scrape may be logged, and dropped, itself.
        wait_until(lambda: stated()[1] >= figure(metrics, "paigow_log_dropped_total") * 0.99,
                   "the log states how many lines were dropped")
        lines, _ = stated()
        seconds = int(time.monotonic() - began) + 1
        others = [line for line in lines if line["level"] != "ERROR" and "dropped" not in line]
        statements = sum("dropped" in line for line in lines)
        check(len(others) <= 20 * (seconds + 1), f"{len(others)} lines in {seconds} seconds")
        check(statements <= seconds, f"{statements} statements in {seconds} seconds")
        print(f"limit: {len(others)} lines and {faults} errors in the log, {stated()[1]} dropped",
              flush=True)
    finally:
        over = True
        server.stop()


def run():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", required=True)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="paigow-trace-") as home:
        waiting = [Worker(quiet, options, pathlib.Path(home) / beside, beside)
                   for beside in ("access", "keyring")]
        for worker in waiting:
            worker.end()
        (pathlib.Path(home) / "limit").mkdir()
        limit(options, pathlib.Path(home) / "limit")


if __name__ == "__main__":
    main(run)
