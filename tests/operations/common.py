"""Shared code of the scripts in this folder: servers as processes, rounds, health, waiting.

Every script is a command: it prints a short summary and ends with 0 if all held, 1 if not.
They start the real binaries on ports of this machine and need `grpcio` and `grpcio-tools`.
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

# gRPC acts in a forked child too, and can end it before it has become the program of a test.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
import grpc  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "proto"))
pb, api = grpc.protos_and_services("paigow/v1/paigow_service.proto")

SERVICE = "paigow.v1.PaiGowService"
# How long a script waits for something that must happen. Reaching it is a failure and never
# a measurement: machines that run tests are slow at times.
PATIENCE = 60.0


class Failed(Exception):
    """Something that must hold does not."""


def check(held, what):
    """Fails the script with `what` unless `held`."""
    if not held:
        raise Failed(what)


def wait_until(condition, what, limit=PATIENCE, every=0.02):
    """Waits until `condition()` is true and returns what it returned."""
    ends = time.monotonic() + limit
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > ends:
            raise Failed(f"waited {limit:.0f} s in vain: {what}")
        time.sleep(every)


def main(run):
    """Runs a script: 0 if everything held, 1 with one sentence if not.

    The programs that `tests/tools` installed come before those of the system.
    """
    ours = [str(ROOT / folder) for folder in ("target/tools/bin", "target/python/bin")]
    os.environ["PATH"] = os.pathsep.join([*ours, os.environ.get("PATH", os.defpath)])
    try:
        run()
    except Failed as failed:
        print(f"FAILED: {failed}", flush=True)
        sys.exit(1)


_reserved = []


def free_port():
    """Returns a TCP port of this machine on which no process listens, and that stays reserved.

    A socket that never listens stays bound to it. The system gives such a port to no process
    that asks for any port. A server that asks for this one, with SO_REUSEADDR, gets it.
    """
    reservation = socket.socket()
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reservation.bind(("127.0.0.1", 0))
    _reserved.append(reservation)
    return reservation.getsockname()[1]


def raise_file_limit():
    """Lets this process, and those it starts, open as many files as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Server:
    """A `paigow-server` process on a port of its own."""

    def __init__(self, binary, folder, settings=None, port=None, keyring=None, inherit=None,
                 surroundings=None):
        # A path, or a command with arguments.
        program, *arguments = binary if isinstance(binary, list) else [binary]
        self.command = [pathlib.Path(program).resolve(), *arguments]
        self.surroundings = surroundings or {}
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = port or free_port()
        self.keyring = pathlib.Path(keyring or self.folder / "keyring")
        self.settings = dict(settings or {})
        self.inherit = inherit
        self.log = self.folder / "server.log"
        self.process = None

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    @property
    def probe(self):
        """The address that serves health in plaintext."""
        return self.settings.get("server.health_listen", self.address)

    def environment(self):
        settings = {
            "server.listen": self.address,
            "keyring.directory": str(self.keyring),
            "log.format": "json",
        } | self.settings
        named = {f"PAIGOW__{name.upper().replace('.', '__')}": str(value).lower()
                 if isinstance(value, bool) else str(value) for name, value in settings.items()}
        return {"PATH": os.environ["PATH"]} | self.surroundings | named

    def start(self):
        """Starts the process and waits until its health says SERVING."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                stdout=log, stderr=subprocess.STDOUT, preexec_fn=self.inherit)
        wait_until(lambda: self.is_over() or health(self.probe) == "SERVING",
                   f"the server at {self.address} serves")
        check(not self.is_over(), f"the server ended: {self.tail()}")
        return self

    def is_over(self):
        return self.process.poll() is not None

    def tail(self):
        return self.log.read_text()[-2000:]

    def kill(self):
        """SIGKILL: no chance to clean up."""
        self.process.kill()
        self.process.wait()

    def terminate(self):
        """SIGTERM: the process drains. Does not wait."""
        self.process.send_signal(signal.SIGTERM)

    def wait(self, limit=PATIENCE):
        """Waits for the end and returns the exit code."""
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            raise Failed(f"the server at {self.address} does not end") from None

    def stop(self):
        if self.process and not self.is_over():
            self.kill()

    def resident_kib(self):
        """Returns the memory that the process holds, in KiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1))

    def connections(self):
        """Returns how many connections callers have open, as the system counts them: only root may
        list the files of a process that allows no core dump."""
        listening, port = "0A", f":{self.port:04X}"
        rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        # One that the process has closed has no inode.
        return sum(row[1].endswith(port) and row[3] != listening and row[9] != "0" for row in rows)


def knows_setting(binary, name):
    """Whether this build of the server has a setting, as `server.max_connections`."""
    printed = subprocess.run([binary, "--check-config"], env={"PATH": os.environ["PATH"]},
                             capture_output=True, text=True, cwd=tempfile.gettempdir())
    return any(line.startswith(f"{name} = ") for line in printed.stdout.splitlines())


STATUSES = {0: "UNKNOWN", 1: "SERVING", 2: "NOT_SERVING", 3: "SERVICE_UNKNOWN"}


def health(address, service=SERVICE, timeout=2.0):
    """Asks for a health and returns it by name, or None without an answer."""
    # grpc.health.v1: HealthCheckRequest.service = 1, HealthCheckResponse.status = 1.
    name = service.encode()
    request = b"\x0a" + bytes([len(name)]) + name if name else b""
    # Without its own pool a refused connection would be remembered, and backed off from.
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel(address, options=options) as channel:
        try:
            answer = channel.unary_unary("/grpc.health.v1.Health/Check")(request, timeout=timeout)
        except grpc.RpcError:
            return None
    return STATUSES[answer[1] if answer else 0]


def answered(metrics, method):
    """Returns how many calls of a method a server has answered, by the metrics at an address of its own."""
    with urllib.request.urlopen(f"http://{metrics}/metrics", timeout=PATIENCE) as page:
        text = page.read().decode()
    series = rf'^rpc_server_call_duration_seconds_count\{{[^}}]*"{re.escape(SERVICE)}/{method}"[^}}]*\}} (\d+)$'
    return sum(map(int, re.findall(series, text, re.M)))


def service_config():
    """Returns the published service config, with turns and the clients' retry policy, as JSON text."""
    return (ROOT / "deploy/client/service-config.json").read_text()


def connect(address, policy=True, credentials=None):
    """Returns a channel with connections of its own; `policy`: turns and retries as published."""
    options = [("grpc.use_local_subchannel_pool", 1),
               ("grpc.max_receive_message_length", 64 << 20),
               # A client of a load balancer that was down for a moment comes back soon.
               ("grpc.initial_reconnect_backoff_ms", 50), ("grpc.max_reconnect_backoff_ms", 500)]
    if policy:
        options.append(("grpc.service_config", service_config()))
    else:
        options.append(("grpc.enable_retries", 0))
    if credentials:
        return grpc.secure_channel(address, credentials, options=options)
    return grpc.insecure_channel(address, options=options)


class Calls:
    """The methods of the service with answers as received bytes, so that they can be
    compared with one another."""

    def __init__(self, channel):
        self.channel = channel
        self.methods = {}

    def raw(self, method, request, **how):
        """Calls `method` with a request in bytes and returns the answer in bytes."""
        if method not in self.methods:
            self.methods[method] = self.channel.unary_unary(f"/{SERVICE}/{method}")
        return self.methods[method](request, **how)

    def call(self, method, request, answer, **how):
        """Calls `method` and returns the answer parsed as `answer`."""
        return answer.FromString(self.raw(method, request.SerializeToString(), **how))

    def engine(self):
        return self.call("GetEngine", pb.GetEngineRequest(), pb.GetEngineResponse)

    def manifests(self):
        """Returns every manifest, page by page."""
        manifests, after = [], 0
        while True:
            request = pb.ListManifestsRequest(after_sequence=after)
            page = self.call("ListManifests", request, pb.ListManifestsResponse)
            manifests, after = manifests + list(page.manifests), page.next_after_sequence
            if not after:
                return manifests


def reason(error):
    """Returns `ErrorInfo.reason` of a failed call, or an empty text."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            # The reason is the first field of ErrorInfo; the domain follows it.
            found = re.search(rb"\n.([A-Z_]+)\x12.paigow\.v1", value, re.S)
            if found:
                return found.group(1).decode()
    return ""


def open_request(table, round_no, ruleset="mikes", epoch=None, manifest=""):
    return pb.OpenRoundRequest(table=table, round_no=round_no, ruleset=ruleset, epoch=epoch,
                               manifest=manifest)


def deal_request(table, round_no, **where):
    """A deal of two seats with two bets under `mikes`, opened inline."""
    return pb.DealRequest(
        open=open_request(table, round_no, **where),
        sheet=pb.WagerSheet(
            currency=pb.Currency(code="USD", exponent=2), bank_minor=500_00, action_pile=3,
            wagers=[pb.Wager(seat=1, bet="base", amount_minor=25_00),
                    pb.Wager(seat=1, bet="outlaw_9", amount_minor=5_00),
                    pb.Wager(seat=4, bet="base", amount_minor=100_00)]))


def settle_request(dealt):
    """Seat 1 puts two cards of its own in the low hand, seat 4 plays the house way."""
    one = dealt.hands[0]
    return pb.SettleRequest(
        records=dealt.records,
        decisions=[pb.Decision(seat=1, low=pb.LowHand(cards=one.cards[:2])),
                   pb.Decision(seat=4, house_way=True)])


def transcript(manifests, rounds):
    """Returns the transcript of rounds as (dealt, settled), in bytes."""
    records = list(manifests)
    for dealt, settled in rounds:
        records += [*dealt.records, *settled.records]
    return b"".join(record.envelope + b"\n" for record in records)


def lab(binary, *arguments, may_end_with=(0,)):
    """Runs `paigow-lab`, or another program, and returns what it printed."""
    ran = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True)
    check(ran.returncode in may_end_with,
          f"{pathlib.Path(binary).name} {' '.join(map(str, arguments))} ended with {ran.returncode}: "
          f"{ran.stdout[-1500:]}{ran.stderr[-1500:]}")
    return ran.stdout


def keys(lab_binary, *arguments):
    """Runs `paigow-keys`, which lies beside `paigow-lab`, and returns what it printed."""
    return lab(pathlib.Path(lab_binary).with_name("paigow-keys"), *arguments)


def witness(lab_binary, *arguments):
    """Runs `paigow-witness`, which lies beside `paigow-lab`, and returns what it printed."""
    return lab(pathlib.Path(lab_binary).with_name("paigow-witness"), *arguments)


def payload(record):
    """Returns the payload of a record as JSON."""
    return json.loads(base64.b64decode(json.loads(record.envelope)["payload"]))


def record_hash(record):
    """Returns the hash by which other records name this one: SHA-256 of the signed bytes (DSSE)."""
    envelope = json.loads(record.envelope)
    kind, body = envelope["payloadType"].encode(), base64.b64decode(envelope["payload"])
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(body), body)
    return hashlib.sha256(signed).hexdigest()


class Worker(threading.Thread):
    """A thread whose failure fails the script."""

    def __init__(self, work, *arguments):
        super().__init__(daemon=True)
        self.work, self.arguments, self.failure = work, arguments, None
        self.start()

    def run(self):
        try:
            self.work(*self.arguments)
        except Exception as failure:  # handed on by `end`
            self.failure = failure

    def end(self):
        self.join(PATIENCE)
        check(not self.is_alive(), "a worker does not end")
        if self.failure:
            raise self.failure
