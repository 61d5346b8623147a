"""Measures the calls of a server beside an echo of the same size on the same server.

    target/python/bin/python benches/load.py              builds for release and measures
    ... benches/load.py --quick                           a tenth of the calls
    ... benches/load.py --evidence                        with every record kept in files

`h2load` sends prepared frames to the real server, which has an echo service beside it, behind the
same layers: authorisation, limits, spans, metrics. For each method the figure is the processor
time of the server process per call, by the clock that the kernel keeps for the process. The server
has one processor, with one worker, and the clients have the others. Bare signatures, the method, and
an echo of the same request and answer size are measured in many short turns, so that all have the same
neighbours. The ratios are medians of the turns. Latencies come from a run of their own with two calls at a
time. Those of a stream come from a real client, which sends a message when it has the answer to the one
before. The target of Deal is 1.15 times the echo, and 1.1 times the bare signatures of the call. An echo
that makes and verifies as many signatures, and does nothing else, is measured in the same turns and
stated beside it. The target of AuditStream is ten times the rate of Audit, for one auditor on one
connection: one call after another beside one stream.

h2load counts HTTP statuses only. So each frame is first sent by a real client, which must get OK
and an answer, and afterwards the server's own counters must show as many calls ended with OK as
were sent.
"""
import argparse
import functools
import json
import os
import pathlib
import platform
import queue
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/operations"))

import grpc  # noqa: E402

from common import (  # noqa: E402
    SERVICE, Calls, Server, check, connect, deal_request, free_port, main, pb, settle_request,
    transcript, wait_until)

ECHO = "paigow.bench.v1.Echo"
TARGET_OF_ECHO, TARGET_OF_SIGNATURES = 1.15, 1.10
# A stream takes part in one of this many turns.
STREAM_EVERY = 5


def varint(number):
    encoded = b""
    while number > 0x7F:
        encoded += bytes([number & 0x7F | 0x80])
        number >>= 7
    return encoded + bytes([number])


def padded(size, before=b""):
    """Returns a message of `size` bytes that ends with a field 2 of padding, or 1 without
    anything before it."""
    tag = b"\x12" if before else b"\x0a"
    for length in range(max(0, size - len(before) - 6), size):
        message = before + tag + varint(length) + b"x" * length
        if len(message) >= size:
            return message, length
    return before, 0


def echo_request(request_bytes, answer_bytes, made=0, verified=0):
    """Returns an echo's request of a size, for an answer of a size. Before the answer the echo makes and
    verifies the given numbers of bare signatures."""
    fields = b"\x08" + varint(padded(answer_bytes)[1])
    for tag, count in ((b"\x18", made), (b"\x20", verified)):
        fields += tag + varint(count) if count else b""
    return padded(request_bytes, fields)[0]


def framed(message):
    return b"\0" + len(message).to_bytes(4, "big") + message


class Case:
    """A measured call, and the echo that is measured beside it."""

    def __init__(self, name, method, request, made=0, verified=0, messages=1):
        self.name, self.method, self.request = name, method, request
        # Signatures that one message makes and verifies.
        self.made, self.verified = made, verified
        # How many messages a stream has; 1 is a unary call.
        self.messages = messages
        self.streams = messages > 1
        self.answer_bytes = 0
        self.own, self.echo, self.signing, self.latencies, self.rates = [], [], [], [], []

    @property
    def path(self):
        return f"/{SERVICE}/{self.method}"

    @property
    def echo_path(self):
        return f"/{ECHO}/{'Stream' if self.streams else 'Unary'}"

    def prove(self, channel):
        """Sends the frame by a real client: it must be answered. Notes the answer's size."""
        self.answer_bytes = len(self.ask(channel, self.path, self.request))
        echoed = self.ask(channel, self.echo_path, self.echo_message())
        check(len(echoed) == self.answer_bytes and len(self.echo_message()) == len(self.request),
              f"the echo of {self.name} has its sizes")

    def ask(self, channel, path, request):
        try:
            if self.streams:
                *_, last = channel.stream_stream(path)(iter([request] * 3), timeout=60)
                return last
            return channel.unary_unary(path)(request, timeout=60)
        except grpc.RpcError as error:
            raise SystemExit(f"FAILED: {path}: {error.code().name} {error.details()}")

    def echo_message(self, signs=False):
        of_signatures = (self.made, self.verified) if signs else ()
        return echo_request(len(self.request), self.answer_bytes, *of_signatures)

    def durations(self, channel, messages):
        """Sends messages on one stream, each when the one before is answered, and returns how
        long each took in microseconds, the client's share included."""
        asked, durations = queue.SimpleQueue(), []
        answers = channel.stream_stream(self.path)(iter(asked.get, None), timeout=600)
        for _ in range(messages):
            begin = time.perf_counter_ns()
            asked.put(self.request)
            next(answers)
            durations.append((time.perf_counter_ns() - begin) // 1000)
        asked.put(None)
        check(next(answers, None) is None, "the stream ends when its requests have")
        return durations


def signatures(records):
    """Counts the signatures in records."""
    return sum(len(json.loads(record.envelope)["signatures"]) for record in records)


def cases(channel, messages):
    """Prepares the measured round: two seats and three wagers, under `mikes`."""
    calls = Calls(channel)
    manifests = calls.manifests()
    deal = deal_request("load", 1, epoch=1)
    dealt = calls.call("Deal", deal, pb.DealResponse)
    ticket, _, dealt_record = dealt.records
    settle = settle_request(dealt)
    settled = calls.call("Settle", settle, pb.SettleResponse)
    hands = [pb.Hand(cards=cards.split()) for cards in (
        "As 2s 3s 4s 5s Ah Qh", "Kd Kh 7c 7d 2s 9h Tc", "Jk 3d 4c 5h 9s Jd Qd", "8c 8d 8h 8s Ac Kc Qc",
        "2c 4d 6h 8s Th Qs Ad", "Jc Js 5d 5c 3h 3s 2d")]
    house_way = pb.SetHouseWayRequest(hands=hands, house_way="mikes")
    lines = transcript(manifests, [(dealt, settled)])
    replay = pb.Replay(round_seed=settled.round_seed, ruleset="mikes", sheet=deal.sheet,
                       decisions=settle.decisions)
    audited = signatures(manifests) + signatures(dealt.records) + signatures(settled.records)
    made_by_settle = signatures(settled.records)
    return [
        # Opened inline: the engine makes the ticket itself, and verifies none.
        Case("Deal, opened inline", "Deal", deal, made=signatures(dealt.records)),
        Case("Deal of a ticket", "Deal", pb.DealRequest(ticket=ticket, sheet=deal.sheet),
             made=signatures([dealt_record]), verified=signatures([ticket])),
        Case("Settle", "Settle", settle, made=made_by_settle, verified=signatures(dealt.records)),
        Case("SetHouseWay, 6 hands", "SetHouseWay", house_way),
        Case("Audit of seeds", "Audit", pb.AuditRequest(replay=replay)),
        Case("Audit of a transcript", "Audit", pb.AuditRequest(transcript=lines), verified=audited),
        Case("AuditStream of seeds", "AuditStream", pb.AuditStreamRequest(replay=replay),
             messages=messages),
        Case("AuditStream of transcripts", "AuditStream", pb.AuditStreamRequest(transcript=lines),
             verified=audited, messages=messages),
    ]


class Bench:
    """A server under measurement."""

    def __init__(self, server, folder, metrics):
        self.server, self.folder, self.metrics = server, folder, metrics
        # Messages a second of the last load.
        self.rate = 0.0

    def processor_ns(self):
        """Returns the processor time of the server so far, in nanoseconds, threads that have
        ended included: the clock of its process (clock_getcpuclockid(3) is this arithmetic)."""
        return time.clock_gettime_ns(~self.server.process.pid << 3 | 2)

    def ended_well(self):
        """Returns how many calls the server has counted as ended with OK, by method."""
        with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=10) as page:
            text = page.read().decode()
        counts = {}
        for labels, count in re.findall(
                r"^rpc_server_call_duration_seconds_count\{(.*)\} (\d+)$", text, re.M):
            found = dict(re.findall(r'(\w+)="([^"]*)"', labels))
            status = next(value for name, value in found.items() if name.endswith("status_code"))
            if status == "OK":
                counts[found["rpc_method"]] = int(count)
        return counts

    def load(self, path, message, calls, messages=1, clients=4, at_once=8):
        """Makes `calls` calls, and returns nanoseconds of the server per message and the
        durations of the calls in microseconds."""
        frame, log = self.folder / "frame", self.folder / "log"
        frame.write_bytes(framed(message) * messages)
        log.unlink(missing_ok=True)
        method = path[1:] if SERVICE in path else "_OTHER"
        counted = self.ended_well().get(method, 0)
        clients = min(clients, calls)
        before = self.processor_ns()
        ran = subprocess.run(
            ["h2load", "-n", str(calls), "-c", str(clients), "-m", str(at_once), "-t", "1",
             "-w", "30", "-W", "30", "-d", frame, "-H", "content-type: application/grpc",
             "-H", "te: trailers", "--log-file", log, f"http://{self.server.address}{path}"],
            capture_output=True, text=True)
        spent = self.processor_ns() - before
        said = re.search(r"requests: (\d+) total, \d+ started, (\d+) done, (\d+) succeeded",
                         ran.stdout)
        check(said and set(said.groups()) == {str(calls)}, f"h2load: {ran.stdout}{ran.stderr}")
        wait_until(lambda: self.ended_well().get(method, 0) == counted + calls,
                   f"all {calls} calls of {path} ended with OK", limit=15)
        durations = [int(line.split("\t")[2]) for line in log.read_text().splitlines()]
        took, unit = re.search(r"finished in ([\d.]+)(us|ms|s)", ran.stdout).groups()
        self.rate = calls * messages / (float(took) * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit])
        return spent / (calls * messages), durations


def percentile(durations, of_hundred):
    return sorted(durations)[min(len(durations) - 1, int(len(durations) * of_hundred / 100))]


def bare_signatures(command, servers):
    """Returns the cost of signatures on the processor of the server, made and verified."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, servers)
    ran = subprocess.run(command, env={"TEST_LOAD": "signatures"}, text=True,
                         capture_output=True, check=True)
    os.sched_setaffinity(0, before)
    return json.loads(re.search(r"\{.*\}", ran.stdout).group(0))


def measure(bench, channel, found, options, signs):
    """Measures the cases, and returns the cost of bare signatures in each turn, as from `signs`."""
    calls, turns, bare = options.calls, options.turns, []
    for turn in range(turns + 1):
        raw = signs()
        if turn or options.smoke:
            bare.append(raw)
        for case in found:
            # A stream has many messages, so it takes part in few of the turns.
            if case.streams and turn % STREAM_EVERY:
                continue
            n = max(4, calls // case.messages)
            echo, _ = bench.load(case.echo_path, case.echo_message(), n, case.messages)
            own, _ = bench.load(case.path, case.request, n, case.messages)
            signing, _ = (bench.load(case.echo_path, case.echo_message(signs=True), n)
                          if case.method == "Deal" else (None, None))
            # The first turn warms caches up and is forgotten.
            if turn or options.smoke:
                case.own.append(own)
                case.echo.append(echo)
                case.signing.append(signing)
    apart = max(50, calls * turns // 20)
    for case in found:
        if case.streams:
            case.latencies = case.durations(channel, apart)
        else:
            _, case.latencies = bench.load(case.path, case.request, apart, clients=2, at_once=1)
    for case in found:
        if case.method in ("Audit", "AuditStream"):
            for turn in range(turns // STREAM_EVERY + 1):
                n = max(2, apart // case.messages)
                bench.load(case.path, case.request, n, case.messages, clients=1, at_once=1)
                if turn or options.smoke:
                    case.rates.append(bench.rate)
    return bare


def target(case, echo, raw):
    """Returns the most that a call may take, in nanoseconds."""
    signatures = case.made * raw["sign_ns"] + case.verified * raw["verify_ns"]
    return TARGET_OF_ECHO * echo + TARGET_OF_SIGNATURES * signatures


def table(found, bare, options):
    """Prints the table of docs/measurements/grpc-load.md."""
    made, verified = (statistics.median(raw[key] for raw in bare)
                      for key in ("sign_ns", "verify_ns"))
    print(f"signature: made in {made / 1000:.1f} us, verified in {verified / 1000:.1f} us")
    print()
    print("| call | bytes in, out | signatures made, verified | server CPU | echo of that size | "
          "call / echo | target | call / target | p50 | p99 | p99.9 |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    leasts = []
    for case in found:
        own, echo = statistics.median(case.own), statistics.median(case.echo)
        ratio = statistics.median(o / e for o, e in zip(case.own, case.echo))
        most, of_most = "-", "-"
        if case.method == "Deal":
            targets = [target(case, *one) for one in zip(case.echo, bare)]
            most = f"{statistics.median(targets) / 1000:.1f} us"
            of_most = f"{statistics.median(o / t for o, t in zip(case.own, targets)):.2f}"
            least = statistics.median(s / t for s, t in zip(case.signing, targets))
            leasts.append(f"{case.name}: an echo that makes and verifies as many bare signatures "
                          f"takes {statistics.median(case.signing) / 1000:.1f} us, {least:.2f} of "
                          "the target")
        times = [f"{percentile(case.latencies, p)} us" if case.latencies else "-"
                 for p in (50, 99, 99.9)]
        print(f"| {case.name} | {len(case.request)}, {case.answer_bytes} "
              f"| {case.made}, {case.verified} | {own / 1000:.1f} us | {echo / 1000:.1f} us "
              f"| {ratio:.2f} | {most} | {of_most} | {' | '.join(times)} |")
    print("", *leasts, sep="\n")
    print()
    rates = {case.name: statistics.median(case.rates) for case in found if case.rates}
    for one, stream in (("Audit of seeds", "AuditStream of seeds"),
                        ("Audit of a transcript", "AuditStream of transcripts")):
        print(f"{stream}: {rates[stream]:,.0f} a second on one stream, {rates[one]:,.0f} one call "
              f"after another: {rates[stream] / rates[one]:.1f} times", flush=True)


def processors():
    """Returns the processor of the server and those of its clients. On a shared processor they would
    displace each other between two calls, and the server's clock counts that as its own time."""
    first, *others = sorted(os.sched_getaffinity(0))
    return {first}, set(others) or {first}


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    count = len(re.findall(r"^processor", pathlib.Path("/proc/cpuinfo").read_text(), re.M))
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    return (f"{count} processors, {model.group(1) if model else platform.machine()}, "
            f"Linux {platform.release()}, load {load} before")


def threads(process):
    """Returns the names of a process's threads."""
    names = set()
    for comm in pathlib.Path(f"/proc/{process}/task").glob("*/comm"):
        try:
            names.add(comm.read_text().strip())
        except (FileNotFoundError, ProcessLookupError):
            pass  # It has just ended.
    return names


def built():
    """Builds the server for release and returns its path."""
    ran = subprocess.run(
        ["cargo", "bench", "--locked", "--bench", "load_server", "--no-run",
         "--message-format", "json"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    check(ran.returncode == 0, "cargo builds the server")
    messages = [json.loads(line) for line in ran.stdout.splitlines()]
    return [next(message["executable"] for message in messages
                 if message.get("target", {}).get("name") == "load_server"
                 and message.get("executable"))]


def run():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", help="a command instead of what cargo builds")
    arguments.add_argument("--quick", action="store_true", help="a tenth of the calls")
    arguments.add_argument("--smoke", action="store_true", help="whether it works, no figures")
    arguments.add_argument("--evidence", action="store_true", help="keep records in files")
    options = arguments.parse_args()
    # Many short turns: the load of neighbours of a virtual machine changes within seconds.
    options.calls = 4_000 if not options.quick else 400
    options.turns, messages = 25, 2_000
    if options.smoke:
        options.calls, options.turns, messages = 100, 0, 25
    command = shlex.split(options.server) if options.server else built()
    with tempfile.TemporaryDirectory(prefix="paigow-load-") as home:
        folder, metrics = pathlib.Path(home), f"127.0.0.1:{free_port()}"
        settings = {"telemetry.prometheus_listen": metrics, "log.filter": "warn",
                    "server.drain_ms": 0}
        if options.evidence:
            (folder / "evidence").mkdir()
            settings |= {"evidence.target": "file", "evidence.directory": folder / "evidence"}
        before, (servers, clients) = machine(), processors()
        os.sched_setaffinity(0, servers)
        server = Server(command, folder / "server", settings,
                        surroundings={"TEST_LOAD": "serve"}).start()
        os.sched_setaffinity(0, clients)
        try:
            channel = connect(server.address, policy=False)
            if not options.smoke:
                wait_until(lambda: "house-ways" not in threads(server.process.pid),
                           "the house ways are compiled, which is not what is measured", limit=120)
            bench, found = Bench(server, folder, metrics), cases(channel, messages)
            for case in found:
                case.request = case.request.SerializeToString()
                case.prove(channel)
            signs = functools.partial(bare_signatures, command, servers)
            bare = measure(bench, channel, found, options, signs)
            answers = [case.ask(channel, case.path, case.request) for case in found]
            check([len(answer) for answer in answers] == [case.answer_bytes for case in found],
                  "the answers are what they were before")
            print(before)
            table(found, bare, options)
            server.terminate()
            check(server.wait() == 0, f"the server stops on SIGTERM: {server.tail()}")
        finally:
            server.stop()


if __name__ == "__main__":
    main(run)
