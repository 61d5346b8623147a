"""Hostile peers against one server, while a well-behaved caller plays on.

    hostile_peers.py --server paigow-server [--connections 10000]

Slow peers, silent ones, thousands of idle ones, floods of streams, resets and control frames,
oversized headers and messages, impossible deadlines, garbage, connections shut half way; and more
idle peers than there are file descriptors. Must hold: every call of the well-behaved caller succeeds,
every answer to the others is the one that
docs/operate/load.md names, who is slow or silent is cut off, memory stays bounded, and at the end the
server is as it was and stops on SIGTERM with exit code 0.
"""
import argparse
import hashlib
import pathlib
import random
import resource
import select
import socket
import ssl
import struct
import subprocess
import tempfile
import time
import urllib.request

import grpc

from common import (
    Calls, Failed, Server, Worker, check, connect, deal_request, free_port, health, main, pb,
    raise_file_limit, reason, settle_request, wait_until)
from peer import (
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PING,
    PREFACE, PRIORITY, REFUSED_STREAM, RST_STREAM, SETTINGS, WINDOW_UPDATE, Peer, framed)

HEALTH = "/grpc.health.v1.Health"
OK, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNIMPLEMENTED, UNAVAILABLE, UNAUTHENTICATED = (
    "0", "4", "8", "12", "14", "16")
# How many calls a connection and the process may have open.
STREAMS, ROOM = 64, 256
# How many calls a peer leaves in their middle.
TORN = 8
# How many frames a flood has, and how many control frames an eager caller sends.
FLOOD, EAGER = 200_000, 50_000
SETTINGS_OF_SERVER = {
    "server.handshake_timeout_ms": 1000,
    "server.keepalive_s": 1,
    "server.request_timeout_ms": 5000,
    "server.max_concurrent_streams": STREAMS,
    "server.max_concurrent_calls": ROOM,
    "server.drain_ms": 0,
    # They all come from one address.
    "server.max_connections_per_peer": 0,
}
# How many files a process may have that may have few, and one that may have all.
FEW_FILES, ALL_FILES = 256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
# The most memory that the server may hold: in MiB at rest, and in KiB for each connection.
MEMORY_MIB, MEMORY_KIB_EACH = 192, 32

GOOD_TOKEN, BAD_TOKEN = "token-of-the-well-behaved", "token-of-the-flood"
ACCESS = f"""
[[tenants]]
tenant = "dev"
[[tenants.clients]]
name = "well-behaved"
roles = ["table", "auditor", "ops"]
token_sha256 = "{hashlib.sha256(GOOD_TOKEN.encode()).hexdigest()}"

[[tenants]]
tenant = "dev-locked"
[[tenants.clients]]
name = "flood"
roles = ["table", "auditor", "ops"]
token_sha256 = "{hashlib.sha256(BAD_TOKEN.encode()).hexdigest()}"
"""
# SetHouseWay of one hand: a small request of a method that takes hardly any time.
ONE_HAND = pb.SetHouseWayRequest(house_way="mikes", hands=[
    pb.Hand(cards=["As", "2s", "3s", "4s", "5s", "Ah", "Qh"])]).SerializeToString()
HOSTILE = [("authorization", f"Bearer {BAD_TOKEN}")]


class WellBehaved:
    """A caller that plays round after round and must not notice anything."""

    def __init__(self, address, table, credentials=None):
        self.calls = Calls(connect(address, credentials=credentials))
        self.table, self.rounds, self.over = table, 0, False
        self.worker = Worker(self.play)

    def play(self):
        metadata = [("authorization", f"Bearer {GOOD_TOKEN}")]
        while not self.over:
            try:
                dealt = self.calls.call("Deal", deal_request(self.table, self.rounds + 1),
                                        pb.DealResponse, metadata=metadata, timeout=30)
                self.calls.call("Settle", settle_request(dealt), pb.SettleResponse,
                                metadata=metadata, timeout=30)
            except grpc.RpcError as error:
                raise Failed(f"a well-behaved call failed: {error.code().name} {reason(error)} "
                             f"{error.details()}") from None
            self.rounds += 1
            time.sleep(0.01)

    def plays_on(self):
        """Waits until a round was played from here on."""
        enough = self.rounds + 2
        wait_until(lambda: self.rounds >= enough or self.worker.failure,
                   "the well-behaved caller plays on")
        if self.worker.failure:
            raise self.worker.failure

    def end(self):
        self.over = True
        self.worker.end()


class Trickle:
    """Sends bytes one by one to several peers until each is cut off, in a thread."""

    def __init__(self):
        self.peers, self.over = [], False
        self.worker = Worker(self.work)

    def add(self, name, peer, raw):
        self.peers.append((name, peer, iter(raw)))

    def work(self):
        while not self.over:
            for _, peer, raw in list(self.peers):
                if not peer.is_cut() and (byte := next(raw, None)) is not None:
                    peer.send(bytes([byte]))
            time.sleep(0.05)

    def left(self):
        return [name for name, peer, _ in self.peers if not peer.over]

    def end(self):
        self.over = True
        self.worker.end()


def expect(answer, status, wanted, what):
    check((answer.grpc, answer.reason) == (status, wanted),
          f"{what}: wanted status {status} {wanted}, got {answer}")


def slow_peers(server, trickle):
    """Peers that send one byte after the other, or none. A call that is too slow gets an answer;
    a peer that never completes a call is disconnected."""
    trickle.add("a silent peer", Peer(server.port, hello=False), b"")
    trickle.add("a slow preface", Peer(server.port, hello=False), PREFACE)

    headers = Peer(server.port, mute=True)
    block = headers.head("Deal", [("x-padding", "x" * 4000)])
    trickle.add("slow headers", headers, headers.frame(HEADERS, END_HEADERS, 1, block))

    pieces = Peer(server.port, mute=True)
    block = pieces.head("Deal", [(f"x-{i}", "x" * 20) for i in range(200)])
    raw = pieces.frame(HEADERS, 0, 1, block[:10]) + b"".join(
        pieces.frame(CONTINUATION, 0, 1, bytes([byte])) for byte in block[10:])
    trickle.add("headers in slow pieces", pieces, raw)


def slow_body(server):
    """Bodies that trickle, from a peer that answers pings: the calls end in time."""
    for path in ("Deal", f"{HEALTH}/Check"):
        peer = Peer(server.port)
        stream = peer.begin(path, HOSTILE)
        peer.send(peer.frame(DATA, 0, stream, b"\0" + struct.pack(">I", 1000)))
        ends = time.monotonic() + 60
        while not peer.answers.get(stream) or not peer.answers[stream].ended:
            check(not peer.over and time.monotonic() < ends, f"a slow body of {path} is answered")
            peer.send(peer.frame(DATA, 0, stream, b"\n"))
            peer.read(0.1)
        expect(peer.answers[stream], DEADLINE_EXCEEDED, "DEADLINE", f"a body of {path} that trickles")
        peer.close()


def reads_nothing(server):
    """Peers that make calls and leave no room for the answers: when the time of those calls is
    over they hold no place any more, and the same tenant is served again."""
    no_window = struct.pack(">HI", 4, 0)
    readers = [Peer(server.port, settings=no_window) for _ in range(ROOM // STREAMS)]
    for reader in readers:
        for _ in range(STREAMS):
            stream = reader.begin("SetHouseWay", HOSTILE)
            reader.send(reader.frame(DATA, END_STREAM, stream, framed(ONE_HAND)))
    other = Peer(server.port)
    wait_until(lambda: other.call("SetHouseWay", ONE_HAND, HOSTILE).grpc == OK,
               "a tenant with calls whose answers nobody reads is served again", every=0.2)
    for peer in (*readers, other):
        peer.close()


def half_closed(server):
    """A peer that shuts its side after a whole request."""
    peer = Peer(server.port)
    stream = peer.begin("SetHouseWay", HOSTILE)
    peer.send(peer.frame(DATA, END_STREAM, stream, framed(ONE_HAND)))
    peer.socket.shutdown(socket.SHUT_WR)
    wait_until(peer.is_cut, "a connection shut after a request is closed")
    peer.close()


def torn_off(server):
    """Peers that leave in the middle of requests, by shutting their side and by cancelling: they
    have given up, and nothing has failed."""
    def shuts(peer, _):
        peer.socket.shutdown(socket.SHUT_WR)
        wait_until(peer.is_cut, "a connection shut within requests is closed")

    def cancels(peer, streams):
        for stream in streams:
            peer.send(peer.frame(RST_STREAM, 0, stream, struct.pack(">I", 8)))

    for leaves in (shuts, cancels):
        before = server_metrics(server)
        peer, streams = Peer(server.port), []
        for _ in range(TORN):
            streams.append(peer.begin("Deal", HOSTILE))
            peer.send(peer.frame(DATA, 0, streams[-1], b"\0\0\0"))
        # The server forgets a stream that ends before it was looked at. The other caller has one
        # call open at most.
        wait_until(lambda: float(server_metrics(server)["paigow_calls_in_flight"]) >= TORN,
                   "requests that have not ended are open calls")
        leaves(peer, streams)
        wait_until(lambda: given_up(server_metrics(server)) >= given_up(before) + TORN - 1,
                   "who leaves in the middle of a request has given up")
        peer.close()
        check(failures(server_metrics(server)) == failures(before), "nothing has failed for it")


def server_metrics(server):
    """Returns the value of each series by its name and labels."""
    with urllib.request.urlopen(f"http://{server.metrics}/metrics", timeout=10) as page:
        lines = page.read().decode().splitlines()
    return dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))


def failures(metrics):
    """Returns how many calls the server calls its own failure, and how many malformed."""
    return {name: value for name, value in metrics.items() if "requests_refused" in name
            and ('"SERVER"' in name or '"MESSAGE"' in name)}


def given_up(metrics):
    """Returns how many calls of Deal ended as given up by their caller."""
    return sum(int(value) for name, value in metrics.items()
               if name.startswith("rpc_server_call_duration_seconds_count{")
               and 'rpc_method="paigow.v1.PaiGowService/Deal"' in name and '"CANCELLED"' in name)


def garbage(server):
    """Bytes that are no HTTP/2."""
    noise = random.Random(53)
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + noise.randbytes(500)
    for name, raw in (
            ("noise", noise.randbytes(5000)),
            ("HTTP/1.1", b"POST / HTTP/1.1\r\nhost: paigow\r\ncontent-length: 5\r\n\r\nhello"),
            ("a TLS hello", hello),
            ("noise after the preface", PREFACE + noise.randbytes(5000)),
            ("a frame beyond its limit", PREFACE + Peer.frame(SETTINGS, 0, 0)
             + Peer.frame(DATA, 0, 1, bytes(20_000))),
            ("a header block that does not decode", PREFACE + Peer.frame(SETTINGS, 0, 0)
             + Peer.frame(HEADERS, END_HEADERS, 1, b"\xff" * 100))):
        peer = Peer(server.port, hello=False)
        peer.send(raw)
        wait_until(peer.is_cut, f"a connection with {name} is closed")
        peer.close()


def oversized(server):
    """Messages above the limit of their method, announced and not sent: refused at once."""
    play, audit = 262_144, 4_194_304
    methods = {"GetEngine": play, "ListManifests": play, "ListRulesets": play, "GetRuleset": play,
               "ListHouseWays": play, "OpenRound": play, "Deal": play, "SetHouseWay": play,
               "EvaluateHands": play, "Settle": play, "Audit": audit, "AuditStream": audit}
    peer = Peer(server.port)
    for method, most in methods.items():
        for length in (most + 1, 2**32 - 1):
            stream = peer.begin(method, HOSTILE)
            peer.send(peer.frame(DATA, 0, stream, b"\0" + struct.pack(">I", length)))
            expect(peer.answer(stream), RESOURCE_EXHAUSTED, "MESSAGE_SIZE", f"a large {method}")
    for method in ("Check", "Watch"):
        stream = peer.begin(f"{HEALTH}/{method}")
        peer.send(peer.frame(DATA, 0, stream, b"\0" + struct.pack(">I", 16_385)))
        expect(peer.answer(stream), RESOURCE_EXHAUSTED, "MESSAGE_SIZE", f"a large {method}")
    # Still the same connection.
    expect(peer.call("SetHouseWay", ONE_HAND, HOSTILE), OK, "", "a call after large ones")
    peer.close()
    large = Peer(server.port)
    stream = large.begin("GetEngine", [*HOSTILE, ("x-large", "x" * 40_000)])
    answer = large.answer(stream)
    check(answer.http == "431", f"headers of 40 KB: {answer}")
    large.close()
    return len(methods) * 2 + 3


def deadlines(server):
    """Callers that allow a millisecond, or nothing: the answer in time, or the deadline."""
    peer = Peer(server.port)
    for timeout in ("1m", "1u", "1n", "0n"):
        answer = peer.call("SetHouseWay", ONE_HAND, [*HOSTILE, ("grpc-timeout", timeout)])
        check((answer.grpc, answer.reason) in {(OK, ""), (DEADLINE_EXCEEDED, "DEADLINE")},
              f"a deadline of {timeout}: {answer}")
    stream = peer.begin("Deal", [*HOSTILE, ("grpc-timeout", "1m")])
    expect(peer.answer(stream), DEADLINE_EXCEEDED, "DEADLINE", "a millisecond for a whole deal")
    peer.close()


def strangers(server):
    """Unknown callers, and unknown methods."""
    peer = Peer(server.port)
    expect(peer.call("Deal", b""), UNAUTHENTICATED, "CREDENTIALS", "a caller without a token")
    wrong = [("authorization", "Bearer " + "x" * 64)]
    expect(peer.call("Deal", b"", wrong), UNAUTHENTICATED, "CREDENTIALS", "an unknown token")
    expect(peer.call("Cheat", b"", HOSTILE), UNIMPLEMENTED, "METHOD", "a method that is none")
    peer.close()


def streams_beyond_the_limit(server):
    """More calls than a connection may have open: those above are refused, nothing else is."""
    peer = Peer(server.port)
    streams = [peer.begin("Deal", HOSTILE) for _ in range(STREAMS + 36)]
    for stream in streams[STREAMS:]:
        answer = peer.answer(stream)
        check(answer.reset == REFUSED_STREAM, f"a stream above the limit: {answer}")
    peer.close()
    return len(streams)


def calls_beyond_the_room(server, caller):
    """Calls that never end, over many connections: one tenant cannot take all the room."""
    peers = [Peer(server.port) for _ in range(8)]
    held = [(peer, peer.begin("Deal", HOSTILE)) for peer in peers for _ in range(STREAMS)]
    caller.plays_on()
    shed = 0
    for peer, stream in held:
        answer = peer.answer(stream)
        allowed = {(UNAVAILABLE, "OVERLOADED"), (DEADLINE_EXCEEDED, "DEADLINE")}
        check((answer.grpc, answer.reason) in allowed, f"a call beyond the room: {answer}")
        if answer.grpc == UNAVAILABLE:
            shed += 1
            check("grpc-retry-pushback-ms" in answer.fields, "a shed call is told when to retry")
    check(0 < shed < len(held), f"{shed} of {len(held)} calls were shed")
    for peer in peers:
        peer.close()
    return shed


def floods(server):
    """Cheap frames without end. Each connection is closed, and nothing else is."""
    def resets(peer):
        stream = peer.new_stream()
        return (peer.frame(HEADERS, END_HEADERS, stream, peer.head("Deal", HOSTILE))
                + peer.frame(RST_STREAM, 0, stream, struct.pack(">I", 8)))

    def pings(peer):
        return peer.frame(PING, 0, 0, b"pingpong")

    def settings(peer):
        return peer.frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535))

    def window_updates(peer):
        return peer.frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))

    def priorities(peer):
        return peer.frame(PRIORITY, 0, 1, struct.pack(">IB", 0, 16))

    def empty_data(peer):
        return peer.frame(DATA, 0, 1)

    def continuations(peer):
        return peer.frame(CONTINUATION, 0, 1, bytes(100))

    counted, before = (pings, settings, window_updates, priorities), closed_as_floods(server)
    ended = {}
    for flood, begin in ((resets, None), *((flood, None) for flood in counted),
                         (empty_data, END_HEADERS), (continuations, 0)):
        peer = Peer(server.port)
        if begin is not None:
            peer.begin("Deal", HOSTILE, begin)
        for _ in range(FLOOD // 100):
            if not peer.send(b"".join(flood(peer) for _ in range(100))) or peer.is_cut():
                break
        # The closing may overtake the GOAWAY before it.
        check(peer.over or not peer.heard(), f"a flood of {flood.__name__} is cut off")
        ended[flood.__name__] = peer.goaway or "closed"
        peer.close()
    wait_until(lambda: closed_as_floods(server) == before + len(counted),
               "floods of control frames are counted")
    return ended


def closed_as_floods(server):
    return int(server_metrics(server)['paigow_connections_failed_total{paigow_reason="FLOOD"}'])


def eager(server):
    """A caller that pings with each call and leaves little room for answers, so that it makes room
    twice for each kilobyte: more control frames than a flood may have, and it plays on."""
    before, peer = closed_as_floods(server), Peer(server.port, settings=struct.pack(">HI", 4, 1024))
    calls, control = 0, 0
    while control < EAGER:
        control += 1
        check(peer.heard(), f"a ping is answered after {control} control frames")
        answer = peer.call("ListRulesets", b"", HOSTILE)
        expect(answer, OK, "", f"a call after {control} control frames")
        calls, control = calls + 1, control + 2 * (len(answer.data) // 1024)
    peer.close()
    check(closed_as_floods(server) == before, "an eager caller is no flood")
    return calls, control


class Idle:
    """Connections that say hello and then nothing, not even in answer to a ping."""

    # How many are begun at a time: less than the shortest queue that a system has for those
    # that are not accepted yet.
    AT_A_TIME = 64

    def __init__(self, server, count):
        """Opens `count` connections, each until the server has said hello too."""
        self.poll, self.sockets, self.closed = select.epoll(), {}, 0
        self.opened, begun = 0, 0
        hello = PREFACE + Peer.frame(SETTINGS, 0, 0)
        ends = time.monotonic() + 120
        while self.opened + self.closed < count:
            check(time.monotonic() < ends, f"only {self.opened} of {count} connections opened")
            while begun < count and begun - self.opened - self.closed < self.AT_A_TIME:
                connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
                connection.sendall(hello)
                connection.setblocking(False)
                self.sockets[connection.fileno()] = connection
                self.poll.register(connection, select.EPOLLIN | select.EPOLLRDHUP)
                begun += 1
            for number, event in self.poll.poll(1.0):
                if event & (select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR):
                    self.drop(number)
                else:
                    self.poll.modify(number, select.EPOLLRDHUP)
                    self.opened += 1

    def drop(self, number):
        self.poll.unregister(number)
        self.sockets.pop(number).close()
        self.closed += 1

    def left(self):
        """Returns how many the server has not closed yet."""
        for number, _ in self.poll.poll(0, len(self.sockets) or 1):
            self.drop(number)
        return len(self.sockets)

    def end(self):
        for connection in self.sockets.values():
            connection.close()


def peak_mib(server):
    """Returns the most memory that the server ever held, in MiB."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def plaintext(options, home):
    access = home / "access.toml"
    access.write_text(ACCESS)
    metrics = f"127.0.0.1:{free_port()}"
    server = Server(options.server, home / "server", SETTINGS_OF_SERVER | {
        "access.file": access, "server.max_connections": options.connections + 1000,
        "telemetry.prometheus_listen": metrics},
        # Fewer than the callers need, though the process may have more.
        inherit=lambda: limit_files(FEW_FILES, ALL_FILES)).start()
    server.metrics = metrics
    caller, trickle, idle = None, None, None
    try:
        at_rest = peak_mib(server)
        caller = WellBehaved(server.address, "quiet")
        caller.plays_on()
        trickle = Trickle()
        slow_peers(server, trickle)
        idle = Idle(server, options.connections)
        check(idle.opened == options.connections, f"{idle.opened} connections opened")
        caller.plays_on()
        full = peak_mib(server)

        slow_body(server)
        half_closed(server)
        torn_off(server)
        garbage(server)
        large = oversized(server)
        deadlines(server)
        strangers(server)
        refused = streams_beyond_the_limit(server)
        shed = calls_beyond_the_room(server, caller)
        reads_nothing(server)
        ended = floods(server)
        eager_calls, control = eager(server)
        caller.plays_on()

        wait_until(lambda: not trickle.left(), "slow peers are cut off", limit=90)
        wait_until(lambda: not idle.left(), "idle peers that answer no ping are cut off", limit=90)
        caller.plays_on()
        # The well-behaved caller has one.
        wait_until(lambda: server.connections() <= 1, "every connection is closed")
        bound = MEMORY_MIB + MEMORY_KIB_EACH * options.connections // 1024
        check(peak_mib(server) <= bound, f"{peak_mib(server)} MiB at most, not {bound}")
        check(health(server.address) == "SERVING", "the server serves")
        caller.end()
        server.terminate()
        check(server.wait() == 0, f"the server stops on SIGTERM: {server.tail()}")
        print(f"hostile peers: {caller.rounds} rounds of a well-behaved caller, no failed call; "
              f"{idle.opened} idle connections, {large} oversized "
              f"requests, {refused} streams on one connection, {shed} calls shed; {control} "
              f"control frames beside {eager_calls} calls; floods and the GOAWAY they got: {ended}; "
              f"memory {at_rest} MiB at rest, {full} with all connections",
              flush=True)
    finally:
        for part in (trickle, idle):
            if part:
                part.over = True
        if caller:
            caller.over = True
        server.stop()


def encrypted(options, home):
    """The same slowness before and within a TLS handshake."""
    certificate, key = home / "certificate.pem", home / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    key.chmod(0o600)
    most = 40
    server = Server(options.server, home / "encrypted", SETTINGS_OF_SERVER | {
        "tls.certificate_file": certificate, "tls.key_file": key,
        "server.max_connections": most,
        "server.health_listen": f"127.0.0.1:{free_port()}"}).start()
    caller, trickle = None, None
    try:
        credentials = grpc.ssl_channel_credentials(certificate.read_bytes())
        caller = WellBehaved(server.address, "quiet", credentials)
        caller.plays_on()
        trickle = Trickle()
        tls = ssl.create_default_context(cafile=certificate)
        tls.set_alpn_protocols(["h2"])
        trickle.add("a silent peer", Peer(server.port, hello=False), b"")
        trickle.add("a slow TLS hello", Peer(server.port, hello=False), tls_hello(tls))
        trickle.add("no preface in TLS", Peer(server.port, tls=tls, hello=False), b"")
        trickle.add("a slow preface in TLS", Peer(server.port, tls=tls, hello=False), PREFACE)
        garbage = Peer(server.port, hello=False)
        garbage.send(PREFACE + Peer.frame(SETTINGS, 0, 0))
        wait_until(garbage.is_cut, "plaintext to an encrypted port is closed")

        # More connections than there is room for: those above are closed at once.
        beyond = [Peer(server.port, hello=False) for _ in range(3 * most)]
        wait_until(lambda: sum(not peer.is_cut() for peer in beyond) <= most,
                   "connections above server.max_connections are closed")
        caller.plays_on()
        wait_until(lambda: not trickle.left(), "slow peers are cut off")
        wait_until(lambda: all(peer.is_cut() for peer in beyond), "silent peers are cut off")
        caller.plays_on()
        # The well-behaved caller has one.
        wait_until(lambda: server.connections() <= 1, "every connection is closed")
        caller.end()
        server.terminate()
        check(server.wait() == 0, f"the server stops on SIGTERM: {server.tail()}")
        print(f"hostile peers, TLS: {caller.rounds} rounds of a well-behaved caller, no failed "
              f"call; slow and silent handshakes cut off, {3 * most} connections where {most} "
              f"may be", flush=True)
    finally:
        for part in (trickle, caller):
            if part:
                part.over = True
        server.stop()


def few_files(options, home):
    """More idle peers than the system gives file descriptors: those for whom there is no place
    are closed at once, and everything else that needs a file has one."""
    evidence, idle_peers = home / "evidence", 300
    evidence.mkdir()
    server = Server(options.server, home / "few", SETTINGS_OF_SERVER | {
        # They stay: idle connections are not closed here.
        "server.handshake_timeout_ms": 60_000, "server.keepalive_s": 3600,
        "server.health_listen": f"127.0.0.1:{free_port()}",
        "evidence.target": "file", "evidence.directory": evidence,
        "evidence.rotate_bytes": 65_536},
        inherit=lambda: limit_files(FEW_FILES, FEW_FILES)).start()
    caller, idle = None, None
    try:
        told = server.log.read_text()
        check('"server.max_connections":20000' in told, f"too few files are told: {told}")
        caller = WellBehaved(server.address, "quiet")
        caller.plays_on()
        idle = Idle(server, idle_peers)
        check(0 < idle.closed < idle_peers, f"{idle.closed} of {idle_peers} closed at once")
        kept = idle.left()
        caller.plays_on()
        files = len(list(evidence.iterdir()))
        wait_until(lambda: caller.worker.failure or len(list(evidence.iterdir())) > files + 1,
                   "evidence goes on in new files")
        caller.plays_on()
        found = caller.calls.call("VerifyEngine", pb.VerifyEngineRequest(),
                                  pb.VerifyEngineResponse, timeout=30)
        check(found.passed, f"the server verifies itself: {found}")
        check(health(server.probe) == "SERVING", "a probe is answered")
        check("cannot accept a connection" not in server.log.read_text(), "every peer is accepted")
        check(idle.left() == kept, "who had a place kept it")
        caller.end()
        server.terminate()
        check(server.wait() == 0, f"the server stops on SIGTERM: {server.tail()}")
        print(f"hostile peers, {FEW_FILES} files: {caller.rounds} rounds of a well-behaved caller, "
              f"no failed call; {kept} of {idle_peers} idle peers have a place", flush=True)
    finally:
        if caller:
            caller.over = True
        if idle:
            idle.end()
        server.stop()


def limit_files(soft, hard):
    """Limits the files of the process that is about to be the server."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def tls_hello(context):
    """Returns the bytes with which a client begins TLS."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def run():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", required=True)
    arguments.add_argument("--connections", type=int, default=10_000)
    options = arguments.parse_args()
    raise_file_limit()
    with tempfile.TemporaryDirectory(prefix="paigow-hostile-") as home:
        plaintext(options, pathlib.Path(home))
        encrypted(options, pathlib.Path(home))
        few_files(options, pathlib.Path(home))


if __name__ == "__main__":
    main(run)
