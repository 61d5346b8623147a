"""Three replicas behind an L7 proxy, under load, while they come and go.

    behind_proxies.py --server paigow-server --lab paigow-lab --proxy nginx|haproxy|envoy

Callers with the published retry policy play round after round and ask earlier questions
again. Meanwhile a careless one floods the proxy with calls that every replica refuses as if the
replica were at fault: they name a manifest that nobody has, or are compressed. Then one replica
is killed (SIGKILL), one is drained (SIGTERM), and all are restarted one by one with a rotated
manifest, which has a new receipt key. Must hold:

- no call fails that the retry policy does not absorb (for torn answers see below);
- no question ever gets two different answers, whichever replica is asked and when;
- no answer is wrong: every settled round is audited offline with `paigow-lab audit`;
- every replica is given calls, and again after each restart;
- no replica is left out for a caller's mistakes.

The callers name epoch and manifest, as every policy but `dev` demands, and name the new
manifest only when every replica has it: that order is what makes a rotation silent.

Torn answers: a process that is killed may have sent the head of an answer and not its end. gRPC
repeats no call whose answer has begun (gRFC A6), so here the caller asks again itself, as it may
always do. That is allowed only to calls that were under way when the SIGKILL fell, and counted.
"""
import argparse
import csv
import io
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request

import grpc

from common import (
    Calls, Failed, ROOT, Server, Worker, api, check, connect, deal_request, free_port, health,
    keys, lab, main, open_request, payload, pb, reason, record_hash, settle_request, transcript,
    wait_until)

CALLERS = 4
# How long each call may take in all, attempts and pauses included.
DEADLINE = 10.0
# Calls of the careless caller: at once, and with each mistake.
BURST, MISTAKES = 100, 1000
# Rounds at each stage, and calls that each replica must have been given since its start.
ROUNDS, SHARE = 150, 40
CONFIGURATIONS = ROOT / "tests/operations/proxies"


class Proxy:
    """A proxy process before three replicas, with its counts of each."""

    file, command = "", []

    def __init__(self, folder, ports):
        self.folder, self.ports = folder, ports
        self.port, self.admin = free_port(), free_port()
        folder.mkdir()
        text = (CONFIGURATIONS / self.file).read_text()
        for shipped, ours in self.names().items():
            check(shipped in text, f"{self.file} says {shipped}")
            text = text.replace(shipped, ours)
        check("paigow-1:" not in text, f"every name in {self.file} is replaced")
        configuration = folder / self.file
        configuration.write_text(text)
        with open(folder / "output.log", "wb") as output:
            self.process = subprocess.Popen(
                [word.format(folder=folder, file=configuration) for word in self.command],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        address = f"127.0.0.1:{self.port}"
        wait_until(lambda: self.process.poll() is not None or health(address) == "SERVING",
                   f"{self.file} passes calls on")
        check(self.process.poll() is None, (folder / "output.log").read_text()[-2000:])

    def names(self):
        names = {f"paigow-{i}:50051": f"127.0.0.1:{port}" for i, port in enumerate(self.ports, 1)}
        return names | {"0.0.0.0:50050": f"127.0.0.1:{self.port}"}

    def calls(self):
        """Returns how many calls each replica was given so far, in order."""
        raise NotImplementedError

    def left_out(self):
        """Returns how often the proxy ejected a replica because of its answers, or because it did not answer."""
        raise NotImplementedError

    def page(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}{path}", timeout=5) as page:
            return page.read().decode()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Nginx(Proxy):
    file = "nginx.conf"
    command = ["nginx", "-p", "{folder}", "-c", "{file}", "-e", "error.log"]

    def __init__(self, folder, ports):
        self.read, self.counts = 0, [0, 0, 0]
        super().__init__(folder, ports)

    def calls(self):
        with open(self.folder / "access.log") as log:
            log.seek(self.read)
            while (line := log.readline()).endswith("\n"):
                self.read = log.tell()
                # "a, b" where a could not be reached and b answered.
                address = line.split(" 2", 1)[0].split(", ")[-1]
                port = int(address.rsplit(":", 1)[1]) if ":" in address else 0
                if port in self.ports:
                    self.counts[self.ports.index(port)] += 1
        return list(self.counts)

    def left_out(self):
        return (self.folder / "error.log").read_text().count("temporarily disabled")


class Haproxy(Proxy):
    file = "haproxy.cfg"
    command = ["haproxy", "-f", "{file}"]

    def names(self):
        return super().names() | {"127.0.0.1:8404": f"127.0.0.1:{self.admin}"}

    def each(self, figure):
        rows = csv.DictReader(io.StringIO(self.page("/statistics;csv")[2:]))
        found = {row["svname"]: row[figure] for row in rows if row["pxname"] == "calls"}
        return [int(found[name]) for name in ("one", "two", "three")]

    def calls(self):
        return self.each("stot")

    def left_out(self):
        return sum(self.each("chkdown"))


class Envoy(Proxy):
    file = "envoy.yaml"
    command = ["envoy", "-c", "{file}", "--use-dynamic-base-id", "--log-level", "warning",
               "--concurrency", "2"]

    def names(self):
        names = {f"address: paigow-{i}, port_value: 50051":
                 f"address: 127.0.0.1, port_value: {port}" for i, port in enumerate(self.ports, 1)}
        self.json = free_port()
        return names | {
            "address: 0.0.0.0, port_value: 50050": f"address: 127.0.0.1, port_value: {self.port}",
            "address: 0.0.0.0, port_value: 50080": f"address: 127.0.0.1, port_value: {self.json}",
            "/etc/envoy/paigow.binpb": str(ROOT / "deploy/client/paigow.binpb"),
            "address: 127.0.0.1, port_value: 9901": f"address: 127.0.0.1, port_value: {self.admin}"}

    def calls(self):
        found = dict(re.findall(r"^paigow::127\.0\.0\.1:(\d+)::rq_total::(\d+)$",
                                self.page("/clusters"), re.M))
        return [int(found[str(port)]) for port in self.ports]

    def left_out(self):
        counter = "cluster.paigow.outlier_detection.ejections_enforced_total"
        return int(self.page(f"/stats?filter={counter}").rsplit(":", 1)[1])


PROXIES = {"nginx": Nginx, "haproxy": Haproxy, "envoy": Envoy}


class Book:
    """Every request with its answer, and the faults."""

    def __init__(self):
        self.lock = threading.Lock()
        self.answers = {}
        self.questions = []
        self.settled = {}
        self.parked = {}
        self.calls = self.repeats = 0
        self.faults = []
        # When the SIGKILL fell: not before the first, at the latest at the second.
        self.kill_began, self.kill_ended = math.inf, math.inf
        self.torn = 0
        self.over = False

    def wrong(self, what):
        with self.lock:
            self.faults.append(what)
            self.over = True

    def learn(self, method, request, answer):
        """Keeps an answer, or compares it with the one that the same request got before."""
        with self.lock:
            self.calls += 1
            known = self.answers.get((method, request))
            if known is None:
                self.answers[method, request] = answer
                self.questions.append((method, request))
                return
            self.repeats += 1
        if known != answer:
            self.wrong(f"two answers to one {method}")


class Caller:
    """Plays one table round after round, with a connection of its own."""

    def __init__(self, address, table, book, place):
        self.calls = Calls(connect(address))
        self.table, self.book, self.place = table, book, place
        self.random = random.Random(table)

    def ask(self, method, request):
        """Sends a request through the proxy and keeps the answer, in bytes. `None` ends the work."""
        began = time.monotonic()
        try:
            got = self.calls.raw(method, request, timeout=DEADLINE)
        except grpc.RpcError as error:
            at_the_kill = began < self.book.kill_ended and self.book.kill_began < time.monotonic()
            if error.initial_metadata() and at_the_kill:
                with self.book.lock:
                    self.book.torn += 1
                return self.ask(method, request)
            self.book.wrong(f"{method} failed with {error.code().name} {reason(error)}: "
                            f"{error.details()}")
            return None
        self.book.learn(method, request, got)
        return got

    def play(self):
        try:
            self.play_on()
        except Exception as fault:
            self.book.wrong(f"a caller broke: {fault!r}")
            raise

    def play_on(self):
        round_no = 0
        while not self.book.over:
            round_no += 1
            deal = deal_request(self.table, round_no, epoch=1, manifest=self.place["manifest"])
            answer = self.ask("Deal", deal.SerializeToString())
            if answer is None:
                return
            dealt = pb.DealResponse.FromString(answer)
            # Some rounds stay open and are settled at the very end, after all disturbances.
            if round_no % 25 == 1:
                with self.book.lock:
                    self.book.parked[self.table, round_no] = dealt
            elif not self.settle(round_no, dealt):
                return
            if self.random.random() < 0.5:
                with self.book.lock:
                    method, request = self.random.choice(self.book.questions)
                if self.ask(method, request) is None:
                    return
            # A pace, to leave time for other users of the machine.
            time.sleep(self.random.random() * 0.006)

    def settle(self, round_no, dealt):
        answer = self.ask("Settle", settle_request(dealt).SerializeToString())
        if answer is None:
            return False
        settled = pb.SettleResponse.FromString(answer)
        nets = settled.bank.net_minor + settled.house_net_minor
        if nets + sum(seat.net_minor for seat in settled.seats) != 0:
            self.book.wrong(f"the nets of round {round_no} at {self.table} do not add up")
        with self.book.lock:
            self.book.settled[self.table, round_no] = (dealt, settled)
        return True


def careless(address):
    """Makes the same mistakes again and again, without retries: each has to get its answer."""
    mistakes = (("UNAVAILABLE MANIFEST_UNKNOWN", grpc.Compression.NoCompression),
                ("UNIMPLEMENTED COMPRESSION", grpc.Compression.Gzip))
    with connect(address, policy=False) as channel:
        engine = api.PaiGowServiceStub(channel)
        request = open_request("careless", 1, epoch=1, manifest="00" * 32)
        for wanted, compression in mistakes:
            for _ in range(MISTAKES // BURST):
                calls = [engine.OpenRound.future(request, timeout=DEADLINE, compression=compression)
                         for _ in range(BURST)]
                for call in calls:
                    error = call.exception()
                    got = f"{error.code().name} {reason(error)}" if error else "an answer"
                    check(got == wanted, f"a careless caller gets {got}, not {wanted}")


def rotate(lab_binary, keyring, folder):
    """Copies a keyring to `folder` and rotates it there: a new receipt key that signs from now
    on, the old one still listed, and a second manifest that says so."""
    shutil.copytree(keyring, folder)
    made = keys(lab_binary, "receipt", "--out", folder)
    new = re.search(r"^public +(\w+)$", made, re.M).group(1)
    chain = folder / "manifests.jsonl"
    manifest = payload(pb.Record(envelope=chain.read_bytes().splitlines()[0]))
    root_key, = folder.glob("root-*.key")
    public = lambda listed: [key["pk"] for key in listed]
    lines = ["[root]", f"threshold = {manifest['root']['threshold']}",
             f"keys = {json.dumps(public(manifest['root']['keys']))}"]
    for key in [new, *public(manifest["receipt_keys"])]:
        lines += ["[[receipt_keys]]", f'public = "{key}"']
    for epoch in manifest["epochs"]:
        lines += ["[[epochs]]", f"epoch = {epoch['epoch']}", f'suite = "{epoch["suite"]}"',
                  f'commit = "{epoch["commit"]}"', 'salt = "none"']
        for name in ("open_from", "open_until", "settle_until"):
            at = time.gmtime(int(epoch[name]))
            lines.append(f"{name} = {time.strftime('%Y-%m-%dT%H:%M:%SZ', at)}")
    for tenant in manifest["tenants"]:
        lines += ["[[tenants]]", f'tenant = "{tenant["tenant"]}"',
                  f"ledger_keys = {json.dumps(public(tenant['ledger_keys']))}"]
        lines += [f'{name} = "{tenant["policy"][name]}"'
                  for name in ("lock", "chain", "client", "seat_auth")]
    description = folder.with_suffix(".toml")
    description.write_text("\n".join(lines) + "\n")
    signed = keys(lab_binary, "manifest", "sign", description, "--chain", chain,
                 "--key", root_key)
    with open(chain, "a") as file:
        file.write(signed)


class Table:
    """The replicas, the proxy and the callers of one scenario, and waits for their conditions."""

    def __init__(self, replicas, proxy, book):
        self.replicas, self.proxy, self.book = replicas, proxy, book

    def until(self, condition, what):
        """Waits for a condition while play goes on; a fault of the play ends it all."""
        wait_until(lambda: self.book.over or condition(), what, every=0.1)
        self.stop_on_faults()

    def stop_on_faults(self):
        with self.book.lock:
            check(not self.book.faults, "; ".join(self.book.faults[:5]))

    def rounds(self, more):
        enough = len(self.book.settled) + more
        self.until(lambda: len(self.book.settled) >= enough, f"{more} more rounds are settled")

    def used(self, which, of_all=None):
        """Waits until the proxy has given a replica its share of calls from now on."""
        before = (of_all or self.proxy.calls())[which]
        self.until(lambda: self.proxy.calls()[which] >= before + SHARE,
                   f"replica {which + 1} is given calls")

    def drained(self, which):
        """SIGTERM: the replica has to end by itself, every call answered."""
        replica = self.replicas[which]
        replica.terminate()
        self.until(replica.is_over, f"replica {which + 1} ends after SIGTERM")
        check(replica.wait() == 0, f"replica {which + 1} ended with {replica.wait()}: "
                                   f"{replica.tail()}")

    def manifests(self, which):
        with connect(self.replicas[which].address, policy=False) as channel:
            return Calls(channel).manifests()


def scenario(options, home):
    settings = {"server.drain_ms": 1500, "server.grace_ms": 10000,
                # The server also asks connections to reconnect during the test, not only at a restart.
                "server.max_connection_age_s": 5}
    replicas = [Server(options.server, home / f"replica-{i}", settings) for i in (1, 2, 3)]
    book, callers, proxy = Book(), [], None
    try:
        replicas[0].start()
        for replica in replicas[1:]:
            shutil.copytree(replicas[0].keyring, replica.keyring)
            replica.start()
        rotated = home / "rotated"
        rotate(options.lab, replicas[0].keyring, rotated)
        proxy = PROXIES[options.proxy](home / "proxy", [replica.port for replica in replicas])
        table = Table(replicas, proxy, book)
        first = table.manifests(0)
        place = {"manifest": record_hash(first[0])}
        for i in range(CALLERS):
            caller = Caller(f"127.0.0.1:{proxy.port}", f"table-{i + 1}", book, place)
            callers.append((caller, Worker(caller.play)))

        start = [0, 0, 0]
        for which in range(3):
            table.used(which, of_all=start)
        table.rounds(ROUNDS)

        careless(f"127.0.0.1:{proxy.port}")
        table.stop_on_faults()
        check(not proxy.left_out(), f"{proxy.left_out()} times a replica was left out for a caller's mistakes")

        # Down for long enough that health checks, rests and retries all have their say.
        book.kill_began = time.monotonic()
        replicas[0].kill()
        book.kill_ended = time.monotonic()
        table.rounds(6 * ROUNDS)
        replicas[0].start()
        table.used(0)

        table.drained(1)
        table.rounds(ROUNDS)
        replicas[1].start()
        table.used(1)

        # One replica has the new manifest, two do not; then all have it; then it is named.
        for which in (2, 0, 1):
            table.drained(which)
            replicas[which].keyring = rotated
            replicas[which].start()
            check(len(table.manifests(which)) == 2, "the new manifest is there")
            table.used(which)
            table.rounds(ROUNDS // 2)
        second = table.manifests(0)
        place["manifest"] = record_hash(second[1])
        table.rounds(ROUNDS)

        # The rounds that were dealt before any of this are settled now.
        book.over = True
        for _, worker in callers:
            worker.end()
        table.stop_on_faults()
        caller = callers[0][0]
        parked = list(book.parked.items())
        for (name, round_no), dealt in parked:
            caller.table = name
            caller.settle(round_no, dealt)
        for method, request in random.Random(1).sample(book.questions, 200):
            caller.ask(method, request)
        table.stop_on_faults()
        audit(options.lab, home, second, book)
        by_manifest = count_by_manifest(book)
        check(set(by_manifest) == {record_hash(record) for record in second}
              and min(by_manifest.values()) >= ROUNDS // 2, f"rounds of both: {by_manifest}")
        print(f"{options.proxy}: {book.calls} calls of {CALLERS} callers, "
              f"{len(book.settled)} rounds settled and audited ({len(parked)} of them held open "
              f"from start to end, {list(by_manifest.values())} by manifest), {book.repeats} "
              f"repeated questions, one SIGKILL ({book.torn} torn answers), four drains, five "
              f"restarts: no failed call, no second answer. Calls by replica: {proxy.calls()}",
              flush=True)
    except Failed as failed:
        output = home / "proxy/output.log"
        said = output.read_text()[-1500:] if output.exists() else ""
        raise Failed(f"{failed}\n{options.proxy} said: {said}") from None
    finally:
        book.over = True
        if proxy:
            proxy.stop()
        for replica in replicas:
            replica.stop()


def count_by_manifest(book):
    counts = {}
    for dealt, _ in book.settled.values():
        manifest = payload(dealt.records[0])["manifest"]
        counts[manifest] = counts.get(manifest, 0) + 1
    return counts


def audit(lab_binary, home, manifests, book):
    """Recomputes every round offline: signatures, links, deck, cards, wins and money."""
    rounds = [book.settled[key] for key in sorted(book.settled)]
    file = home / "rounds.jsonl"
    file.write_bytes(transcript(manifests, rounds))
    root = json.loads((home / "rotated/root.json").read_text())
    roots = [word for key in root["keys"] for word in ("--root", key)]
    # 3: all agrees, and the secret of the epoch is not published yet.
    said = lab(lab_binary, "audit", file, *roots, may_end_with=(3,))
    check(said.count("\nround ") + said.startswith("round ") >= len(rounds), "all rounds audited")


def run():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", required=True)
    arguments.add_argument("--lab", required=True)
    arguments.add_argument("--proxy", required=True, choices=PROXIES)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="paigow-proxies-") as home:
        # nginx gives up root for its workers, and they write here too.
        pathlib.Path(home).chmod(0o755)
        scenario(options, pathlib.Path(home))


if __name__ == "__main__":
    main(run)
