"""One tenant audits the most expensive transcripts, while another audits and plays on.

    hostile_audits.py --server paigow-server

The hostile tenant signs a chain of manifests under a root of its own, each with sixteen receipt
keys, and many reveals whose signatures no key has made: each has to be tried with every key. It
sends as much of it as one message may have, by as many streams as it gets. Must hold: each of
these audits is refused, and says what was counted; no small audit of the other tenant fails; its
rounds go on; and the memory of the process stays below the limit of the pod that is shipped, which
a cgroup enforces where this machine lets us make one. Then the hostile tenant reads one byte of each
answer, and the same must hold.
"""
import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import secrets
import struct
import tempfile
import time

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from common import ROOT, Calls, Failed, Server, Worker, check, connect, main, payload, pb, reason, wait_until
from hostile_peers import ACCESS, BAD_TOKEN, GOOD_TOKEN, OK, WellBehaved
from peer import DATA, END_STREAM, Peer, framed

MANIFESTS, KEYS, SIGNATURES = 100, 16, 16
# The largest request of an audit as the server is shipped.
LARGEST = 4 << 20
# How many streams the hostile tenant opens, and how many small audits the other tenant makes.
STREAMS, SMALL = 192, 6
# On how many connections it asks for answers that it does not read, and for how many on each. All of
# them together need more memory than the pod has.
UNREAD_CONNECTIONS, UNREAD_STREAMS = 160, 256
SETTINGS = {"server.drain_ms": 0}
GOOD = [("authorization", f"Bearer {GOOD_TOKEN}")]
HOSTILE = [("authorization", f"Bearer {BAD_TOKEN}")]


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def key_entry(public):
    """A key with its id, as a manifest lists it (PGE-FAIR-1, encoding of tuples)."""
    label = b"pge/v1/kid"
    encoded = bytes([len(label)]) + label + bytes([1]) + struct.pack("<I", len(public)) + public
    return {"kid": hashlib.sha256(encoded).hexdigest()[:16], "pk": public.hex()}


def new_key():
    key = Ed25519PrivateKey.generate()
    return key, key_entry(key.public_key().public_bytes_raw())


def to_sign(kind, body):
    name = f"application/vnd.pge.{kind}.v1+json".encode()
    return b"DSSEv1 %d %s %d %s" % (len(name), name, len(body), body)


def line(kind, body, signatures):
    return canonical({
        "payload": base64.b64encode(body).decode(),
        "payloadType": f"application/vnd.pge.{kind}.v1+json",
        "signatures": [{"keyid": "", "sig": base64.b64encode(one).decode()} for one in signatures],
    }) + b"\n"


def attack(manifest):
    """Returns a transcript of nearly the largest size, and the root key that it is audited with."""
    root, root_entry = new_key()
    lines, previous = [], "0" * 64
    for number in range(1, MANIFESTS + 1):
        body = canonical(manifest | {
            "seq": str(number), "prev": previous, "root": {"keys": [root_entry], "threshold": 1},
            "receipt_keys": [new_key()[1] for _ in range(KEYS)]})
        signed = to_sign("manifest", body)
        lines.append(line("manifest", body, [root.sign(signed)]))
        previous = hashlib.sha256(signed).hexdigest()
    left = LARGEST - 1024 - sum(map(len, lines))
    while True:
        body = canonical({"epoch": 1, "epoch_secret": secrets.token_hex(32)})
        # Well-formed, but by no key: the point of one signature, the number of another.
        signatures = [root.sign(secrets.token_bytes(8))[:32] + root.sign(b"")[32:] for _ in range(SIGNATURES)]
        reveal = line("epoch-reveal", body, signatures)
        left -= len(reveal)
        if left < 0:
            return b"".join(lines), root_entry["pk"]
        lines.append(reveal)


class Memory:
    """A memory cgroup with the limit of the pod that is shipped, where this machine lets us."""

    def __init__(self):
        deployment = (ROOT / "deploy/k8s/base/statefulset.yaml").read_text()
        mebibytes = re.search(r"limits: \{ memory: (\d+)Mi \}", deployment).group(1)
        self.limit = int(mebibytes) << 20
        self.folder = None
        for text in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, place = text.split(":", 2)
            if controllers == "memory":
                base, name = pathlib.Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"
            elif not controllers and pathlib.Path("/sys/fs/cgroup/cgroup.controllers").exists():
                base, name = pathlib.Path("/sys/fs/cgroup"), "memory.max"
            else:
                continue
            folder = base / place.lstrip("/") / f"paigow-{os.getpid()}"
            try:
                folder.mkdir()
                (folder / name).write_text(str(self.limit))
                self.folder = folder
            except OSError:
                if folder.exists():
                    folder.rmdir()

    def enter(self):
        if self.folder:
            (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def end(self):
        if self.folder:
            wait_until(lambda: not (self.folder / "cgroup.procs").read_text(), "the cgroup is empty")
            self.folder.rmdir()


def peak_kib(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1))


class Hostile:
    """Streams of the hostile tenant, each on a connection of its own; every answer is counted."""

    def __init__(self, address, request):
        self.address, self.request = address, request
        self.answers, self.over = {}, False

    def flood(self, streams):
        return [Worker(self.stream) for _ in range(streams)]

    def stream(self):
        with connect(self.address, policy=False) as channel:
            audits = channel.stream_stream("/paigow.v1.PaiGowService/AuditStream")
            while not self.over:
                try:
                    for _ in audits(iter([self.request]), metadata=HOSTILE, timeout=120):
                        pass
                    said = "OK"
                except grpc.RpcError as error:
                    said = f"{error.code().name} {reason(error)}"
                self.answers[said] = self.answers.get(said, 0) + 1
                # No longer than RetryInfo says.
                time.sleep(0.5)


def leave_unread(port):
    """Asks for answers of 20 KiB and reads one byte of each, until a call is refused. Returns the
    connections, and how many answers nobody reads."""
    one_byte, peers, unread = struct.pack(">HI", 4, 1), [], 0
    while len(peers) < UNREAD_CONNECTIONS:
        peer = Peer(port, settings=one_byte, full=True)
        peers.append(peer)
        for _ in range(UNREAD_STREAMS):
            stream = peer.begin("ListRulesets", HOSTILE)
            peer.send(peer.frame(DATA, END_STREAM, stream, framed(b"")))

        def is_answered():
            peer.read(0.1)
            return len(peer.answers) == UNREAD_STREAMS and all(
                answer.data or answer.grpc for answer in peer.answers.values())

        wait_until(lambda: is_answered() or peer.over, "each call has an answer or the first byte of one")
        refused = [answer for answer in peer.answers.values() if answer.grpc]
        unread += len(peer.answers) - len(refused)
        if refused:
            wrong = [str(answer) for answer in refused if answer.reason != "OVERLOADED"]
            check(not wrong, f"refused with {wrong[:1]}")
            return peers, unread
    raise Failed(f"{unread} answers that nobody reads, and no call was refused")


def small_audits(calls, hostile):
    """Audits of three bytes, which end at once when it is their turn, until the hostile tenant has
    another answer and there were enough."""
    request, before, count = pb.AuditRequest(transcript=b"{}\n"), sum(hostile.answers.values()), 0
    while count < SMALL or sum(hostile.answers.values()) == before:
        try:
            calls.call("Audit", request, pb.AuditResponse, metadata=GOOD, timeout=30)
        except grpc.RpcError as error:
            raise Failed(f"small audit {count + 1} failed: {error.code().name} {reason(error)}") from None
        count += 1
    return count


def run():
    options = argparse.ArgumentParser()
    options.add_argument("--server", required=True)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as home:
        home, memory = pathlib.Path(home), Memory()
        (home / "access.toml").write_text(ACCESS)
        server = Server(options.server, home / "server",
                        SETTINGS | {"access.file": home / "access.toml"}, inherit=memory.enter)
        good, hostile, workers = None, None, []
        try:
            server.start()
            calls = Calls(connect(server.address))
            page = calls.call("ListManifests", pb.ListManifestsRequest(), pb.ListManifestsResponse, metadata=GOOD)
            transcript, root = attack(payload(page.manifests[0]))
            request = pb.AuditStreamRequest(transcript=transcript, root_keys=[root]).SerializeToString()
            check(len(request) <= LARGEST, "the attack is no larger than a message may be")
            good = WellBehaved(server.address, "calm")
            good.plays_on()

            hostile = Hostile(server.address, request)
            workers = hostile.flood(4)
            small = small_audits(calls, hostile)
            good.plays_on()

            workers += hostile.flood(STREAMS)
            wait_until(lambda: sum(hostile.answers.values()) > STREAMS or server.is_over(),
                       "the streams of the hostile tenant were answered")
            check(not server.is_over(), "the server has died: its memory?")
            small += small_audits(calls, hostile)
            good.plays_on()

            peers, unread = leave_unread(server.port)
            small += small_audits(calls, hostile)
            good.plays_on()
            for peer in peers:
                peer.close()
            other = Peer(server.port)
            wait_until(lambda: other.call("ListRulesets", b"", HOSTILE).grpc == OK,
                       "the hostile tenant is answered again", every=0.2)
            other.close()
            hostile.over = True
            for worker in workers:
                worker.end()
            good.end()
            peak = peak_kib(server)
        finally:
            if hostile:
                hostile.over = True
            if good:
                good.over = True
            server.stop()
            memory.end()
        check(any(said.endswith(" AUDIT_WORK") for said in hostile.answers), f"no audit was refused for its work: {hostile.answers}")
        # While it waits for its own turn its time may be over.
        unexpected = set(hostile.answers) - {
            "RESOURCE_EXHAUSTED AUDIT_WORK", "UNAVAILABLE OVERLOADED", "DEADLINE_EXCEEDED DEADLINE"}
        check(not unexpected, f"the hostile tenant was answered {hostile.answers}")
        check(peak * 1024 < memory.limit, f"{peak >> 10} MiB, and the pod has {memory.limit >> 20} MiB")
        said = ", ".join(f"{count} {answer}" for answer, count in sorted(hostile.answers.items()))
        print(f"{small} small audits and {good.rounds} rounds beside {said}, "
              f"and beside {unread} answers that nobody reads; "
              f"at most {peak >> 10} MiB of {memory.limit >> 20}, {'enforced' if memory.folder else 'not enforced here'}")


if __name__ == "__main__":
    main(run)
