"""The live file of evidence is deleted, cut off or replaced while a server plays.

    lost_evidence.py --server paigow-server --lab paigow-lab

Must hold, for each kind of loss: the server goes on playing; every record that a caller was given
after the loss is in some file; the new file begins with the event `evidence_lost`, which names the
file, the kind of loss and the lines; a gauge and a marker file keep the loss raised, also after
a restart, until `paigow-lab sink acknowledge`; and `paigow-lab sink verify` names the missing
lines as those of the lost file. A loss is noticed without a call.
"""
import argparse
import json
import os
import pathlib
import shutil
import tempfile
import urllib.request

from common import (
    Calls, Server, check, connect, deal_request, free_port, lab, main, pb, settle_request,
    wait_until)
from full_disk import kept

ROUNDS = 50
GAUGE = "paigow_evidence_lost_unacknowledged"


def delete(live):
    live.unlink()


def empty(live):
    os.truncate(live, 0)


def cut_in_a_line(live):
    os.truncate(live, live.stat().st_size - 100)


def replace(live):
    copy = live.with_name("copy")
    shutil.copyfile(live, copy)
    copy.rename(live)


# How a file is lost, the server's finding, and whether lines are missing afterwards.
LOSSES = [(delete, "deleted", True), (empty, "truncated", True),
          (cut_in_a_line, "truncated", True), (replace, "replaced", False)]


class Scenario:
    """A server that keeps evidence in a folder of its own."""

    def __init__(self, options, home):
        self.options, self.home = options, home
        self.folder = home / "evidence"
        self.folder.mkdir()
        self.metrics, self.rounds = f"127.0.0.1:{free_port()}", 0
        self.server = Server(options.server, home / "server", {
            "evidence.target": "file", "evidence.directory": self.folder, "server.drain_ms": 0,
            # A machine that runs tests is slow at times, and a stall is no loss.
            "evidence.stall_ms": 30_000,
            "telemetry.prometheus_listen": self.metrics})

    def start(self):
        self.server.start()
        self.calls = Calls(connect(self.server.address, policy=False))

    def play(self, count):
        """Plays rounds and returns the records of their answers."""
        given = []
        for _ in range(count):
            self.rounds += 1
            dealt = self.calls.call("Deal", deal_request("table", self.rounds), pb.DealResponse,
                                    timeout=30)
            settled = self.calls.call("Settle", settle_request(dealt), pb.SettleResponse,
                                      timeout=30)
            given += [record.envelope for record in (*dealt.records, *settled.records)]
        return given

    def live(self):
        """Returns the file that the server writes to."""
        # Boots of one second have names in any order.
        return max(self.folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime_ns)

    def gauge(self):
        return figure(self.metrics, GAUGE)

    def logged(self, event):
        lines = [json.loads(line) for line in self.server.log.read_text().splitlines()
                 if line.startswith("{")]
        return [line for line in lines if line.get("event") == event]

    def verified(self, code):
        said = lab(self.options.lab, "sink", "verify", "--json", self.folder, may_end_with=(code,))
        return json.loads(said)


def figure(address, series):
    """Returns the whole number that a series without labels has, or None where there is none."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(series + " ")), None)


def lines(file):
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def scenario(options, home, lose, found, missing):
    it = Scenario(options, home)
    it.start()
    try:
        it.play(3)
        wait_until(lambda: it.gauge() == 0, "no loss is raised at the start")
        live = it.live()
        last = lines(live)[-1]["seq"]
        lose(live)
        given = it.play(ROUNDS)
        in_sink = kept(it.folder)
        absent = sum(record not in in_sink for record in given)
        check(not absent, f"{lose.__name__}: {absent} of {len(given)} records that were given after "
                          f"the loss are in no file")
        new = it.live()
        check(new != live, f"{lose.__name__}: the server has begun no new file")
        first = lines(new)[0]
        check(first.get("event") == "evidence_lost", f"the new file begins with {first}")
        wanted = {"file": live.name, "found": found, "first_seq": "0", "last_seq": str(last)}
        check(first["facts"] == wanted, f"{first['facts']} is not {wanted}")

        wait_until(lambda: it.gauge() == 1, "the gauge raises the loss")
        [line] = it.logged("evidence_lost")
        check(line["level"] == "ERROR" and live.name in line["facts"], f"logged as {line}")
        report = it.verified(1 if missing else 2)
        check([loss["file"] for loss in report["losses"]] == [live.name], "verify lists the loss")
        lost = [fault for fault in report["faults"] if fault["kind"] == "lost"]
        check(lost == report["faults"] and len(lost) == missing, f"faults: {report['faults']}")
        check(all(live.name in fault["what"] and found in fault["what"] for fault in lost),
              f"verify names the lost file: {lost}")

        # A restart forgets nothing.
        it.server.terminate()
        check(it.server.wait() == 0, f"the server stops on SIGTERM: {it.server.tail()}")
        it.start()
        wait_until(lambda: it.gauge() == 1, "the loss stays raised after a restart")
        said = lab(options.lab, "sink", "acknowledge", it.folder)
        check(live.name in said and found in said, f"acknowledge says {said}")
        wait_until(lambda: it.gauge() == 0, "the server notices the acknowledgement")
        wait_until(lambda: it.logged("evidence_loss_acknowledged"), "it is logged")
        events = [line.get("event") for line in lines(it.live())]
        wait_until(lambda: "evidence_loss_acknowledged" in
                   [line.get("event") for line in lines(it.live())], f"it is in {events}")
        again = lab(options.lab, "sink", "acknowledge", it.folder)
        check("no loss" in again, f"a second acknowledgement says {again}")
        it.server.terminate()
        check(it.server.wait() == 0, f"the server stops on SIGTERM: {it.server.tail()}")
        print(f"{lose.__name__}: {ROUNDS} rounds after the loss, all {len(set(given))} records in "
              f"the files", flush=True)
    finally:
        it.server.stop()


def without_a_call(options, home):
    it = Scenario(options, home)
    it.start()
    try:
        first = it.live()
        first.unlink()
        wait_until(lambda: it.gauge() == 1, "a loss is noticed without a call")
        # The folder goes, and comes back: nothing is answered without a file, nothing is forgotten.
        # An answer shows that the new file has lines which count.
        it.play(1)
        second = it.live()
        it.folder.rename(home / "gone")
        it.folder.mkdir()
        wait_until(lambda: it.gauge() == 2, "both losses are raised")
        given = it.play(3)
        in_sink = kept(it.folder)
        check(all(record in in_sink for record in given), "the rounds are in the new folder")
        said = wait_until(lambda: "no loss" not in (
            said := lab(options.lab, "sink", "acknowledge", it.folder)) and said, "the marker")
        check(first.name in said and second.name in said, f"acknowledge says {said}")
        wait_until(lambda: it.gauge() == 0, "the server notices the acknowledgement")
        # The second file recorded the first loss, and is gone too.
        kinds = [fault["kind"] for fault in it.verified(1)["faults"]]
        check(kinds == ["gap", "lost"], f"verify finds {kinds}")
        print("without a call: the loss of a file and of the folder were noticed", flush=True)
    finally:
        it.server.stop()


def run():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", required=True)
    arguments.add_argument("--lab", required=True)
    options = arguments.parse_args()
    for lose, found, missing in LOSSES:
        with tempfile.TemporaryDirectory(prefix="paigow-lost-") as home:
            scenario(options, pathlib.Path(home), lose, found, missing)
    with tempfile.TemporaryDirectory(prefix="paigow-lost-") as home:
        without_a_call(options, pathlib.Path(home))


if __name__ == "__main__":
    main(run)
