"""A public log on object storage, over S3 (SeaweedFS): two writers never fork it, and a lost answer stops nobody.

    log_store.py --lab paigow-lab

`paigow-log` and `paigow-keys` lie beside paigow-lab. Each writer calls the store through a proxy of its own, which holds
the request that publishes a checkpoint, or loses the answer to it. Must hold:

1. Two writers make one log. Their requests wait side by side. The first one makes the log. The second one ends with 65 and
   names the other process.
2. Two writers go on from one state, with other records. The first request wins again, and the other writer ends with 65.
   It stays out until its state is made anew, and then goes on.
3. The store has made the log, or has swapped, and the proxy answers with an error, or with nothing. The writer finds its
   own checkpoint and ends with 0.
4. Every checkpoint that the bucket ever had is kept by its versions. Each size has one root, and the newest root is that
   of the entries.
"""
import argparse
import base64
import hashlib
import http.client
import http.server
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading

from common import ROOT, check, main, wait_until
from object_store import ObjectStore

BUCKET = "paigow-log"
ADDRESS = f"s3://{BUCKET}/main"
ORIGIN = "log.example/paigow"
CHECKPOINT = f"/{BUCKET}/main/checkpoint"
KIT = ROOT / "verifiers/conformance/records.jsonl"
TICKET = "application/vnd.pge.ticket.v1+json"


class Proxy:
    """Forwards requests to the store. `hold` stops the next publication until `go`. `lose` says how its answer is lost."""

    def __init__(self, store):
        self.hold, self.lose, self.lost = False, None, 0
        self.held, self.go = threading.Event(), threading.Event()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                proxy.forward(store, self)

            do_GET = do_PUT = do_DELETE = do_POST = do_HEAD = forward

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def forward(self, store, request):
        body = request.rfile.read(int(request.headers.get("content-length", 0)))
        publishes = request.command == "PUT" and request.path == CHECKPOINT
        if publishes and self.hold:
            self.held.set()
            self.go.wait()
        connection = http.client.HTTPConnection("127.0.0.1", store.ports["s3.port"], timeout=60)
        # The signature covers the host that the writer has called.
        connection.request(request.command, request.path, body, dict(request.headers))
        answer = connection.getresponse()
        status, said, headers = answer.status, answer.read(), answer.getheaders()
        connection.close()
        if publishes and status == 200 and self.lose:
            how, self.lose, self.lost = self.lose, None, self.lost + 1
            if how == "nothing":
                request.close_connection = True
                return
            status, said, headers = 500, b"", []
        request.send_response(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                request.send_header(name, value)
        length = dict(answer.getheaders()).get("Content-Length", "0") if request.command == "HEAD" else len(said)
        request.send_header("content-length", str(length))
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(said)


class Writer:
    """A writer with a state and records of its own, behind a proxy."""

    def __init__(self, options, home, store, name):
        self.folder, self.programs, self.store = home / name, options.lab.parent, store
        for part in ("evidence", "records"):
            (self.folder / part).mkdir(parents=True)
        self.key, self.state = home / "log.key", self.folder / "state"
        self.proxy = Proxy(store)

    def give(self, tickets):
        """Adds records to a file of their own."""
        number = len(list((self.folder / "records").iterdir()))
        (self.folder / "records" / f"{number}.jsonl").write_text("".join(tickets))

    def start(self, *more):
        command = [self.programs / "paigow-log", "write", "--log", ADDRESS, "--origin", ORIGIN, "--key", self.key,
                   "--state", self.state, "--records", self.folder / "records", "--wanted", "0", *more,
                   self.folder / "evidence"]
        environment = self.store.environment() | {"AWS_ENDPOINT": self.proxy.endpoint}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True)

    def ends_with(self, code):
        said, _ = self.process.communicate(timeout=60)
        check(self.process.returncode == code, f"{self.folder.name} ended with {self.process.returncode}: {said}")
        return said

    def run(self, *more, code=0):
        self.start(*more)
        return self.ends_with(code)


def tickets():
    """The tickets of the conformance kit, each once."""
    found = {}
    for case in KIT.read_text().splitlines():
        for line in json.loads(case)["input"].get("transcript", []):
            if f'"{TICKET}"' in line:
                found.setdefault(json.loads(line)["payload"], line.rstrip("\n") + "\n")
    return list(found.values())


def hash_of(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def root_of(leaves):
    """RFC 9162, section 2.1.1."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return hash_of(b"\x01", root_of(leaves[:split]), root_of(leaves[split:]))


def get(store, name, version=None):
    query = {"versionId": version} if version else {}
    status, said = store.request("GET", f"/{BUCKET}/{name}", query)
    check(status == 200, f"{name}: {status}")
    return said


def read_checkpoint(text):
    origin, size, root, *_ = text.split("\n")
    check(origin == ORIGIN, f"another log: {origin}")
    return int(size), base64.b64decode(root)


def is_one_log(store, size):
    """Checks that each size has one root, and that the newest is that of the entries."""
    roots = {}
    for name, version in store.versions():
        if name == "main/checkpoint":
            one, root = read_checkpoint(get(store, name, version))
            check(roots.setdefault(one, root) == root, f"two roots of {one} entries")
    newest, root = read_checkpoint(get(store, "main/checkpoint"))
    check(newest == max(roots) == size, f"the log has {newest} entries, not {size}: {sorted(roots)}")
    bundle, entries = store.bytes_of(f"/{BUCKET}/main/tile/entries/000.p/{size}"), []
    while bundle:
        length = int.from_bytes(bundle[:2], "big")
        entries.append(bundle[2:2 + length])
        bundle = bundle[2 + length:]
    check(root_of([hash_of(b"\x00", entry) for entry in entries]) == root, "the entries do not give the root")
    return entries


def side_by_side(first, second):
    """Starts two writers whose publications wait at the store, and lets the first one go before the second."""
    for writer, more in (first, second):
        writer.proxy.hold = True
        writer.start(*more)
    for writer, _ in (first, second):
        wait_until(lambda: writer.proxy.held.is_set() or writer.process.poll() is not None, "a writer publishes")
    said = []
    for (writer, _), code in ((first, 0), (second, 65)):
        writer.proxy.hold = False
        writer.proxy.go.set()
        said.append(writer.ends_with(code))
        writer.proxy.held.clear()
        writer.proxy.go.clear()
    check("another process writes this log" in said[1], said[1])


def run(options, home):
    subprocess.run([options.lab.parent / "paigow-keys", "log", "--out", home], check=True, capture_output=True)
    next(home.glob("log-*.key")).rename(home / "log.key")
    given = tickets()
    check(len(given) > 20, f"the kit has {len(given)} tickets")
    store = ObjectStore(home / "store", BUCKET).start()
    try:
        store.make_bucket()
        one, two = (Writer(options, home, store, name) for name in ("one", "two"))
        one.give(given[:3])
        two.give(given[3:5])
        # The answer to the request that makes the log is lost, too.
        one.proxy.lose = "error"
        side_by_side((one, ["--new"]), (two, ["--new"]))
        check(one.proxy.lost == 1, "no answer was lost")
        is_one_log(store, 3)

        # Both go on from the state that won.
        shutil.copy(one.state, two.state)
        two.give(given[5:7])
        one.give(given[7:8])
        side_by_side((two, []), (one, []))
        is_one_log(store, 7)
        said = one.run(code=65)
        check("another process writes this log" in said, said)
        one.state.unlink()
        said = one.run("--recover")
        check(said.startswith("1 appended\n8 entries are published"), said)
        is_one_log(store, 8)

        # Answers are lost after the store has swapped.
        for number, how in enumerate(("error", "nothing")):
            one.give(given[8 + number:9 + number])
            one.proxy.lose = how
            said = one.run()
            check(one.proxy.lost == number + 2, f"no answer was lost: {said}")
            check(said.startswith(f"1 appended\n{9 + number} entries are published"), said)
        entries = is_one_log(store, 10)
        check(len(set(entries)) == 10, "an entry is there twice")
    finally:
        store.stop()
    print("two writers on one bucket: one wins, the other is named, nothing forks; lost answers are resolved")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.lab = arguments.lab.resolve()
    with tempfile.TemporaryDirectory() as folder:
        main(lambda: run(arguments, pathlib.Path(folder)))
