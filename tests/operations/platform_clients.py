"""The clients for platforms, in Python, TypeScript and Rust: packages, ledgers, and a scenario before three replicas.

    platform_clients.py --server paigow-server --lab paigow-lab [--long]

1. The packages are built and installed in empty environments. Those of Rust are unpacked in an empty folder, and
   have every file that the workspace builds them from. With --long the example is built there and run.
2. The ledger of each is killed, raced, restored and cut off from its database, with SQLite and with a real PostgreSQL
   (tests/client/*/ledger.*). No step is signed twice, and no record is followed by two locks. Each says plainly that
   no engine answers (connection.*).
3. tests/client/scenario.json is played before three replicas behind a proxy. The transcript is the same,
   to the byte, of all clients: played in one go, by a client that is killed at its answers, while the
   replicas are killed one after the other, and with each database. Before some rounds a receipt key
   and the epoch rotate. `paigow-lab audit` finds nothing wrong in it.
4. Rounds that wait for a beacon are played while the public log is written and witnessed (tests/client/*/beacon.*).
   Their source fails, and a client is killed while it waits. The audit shows that the wagers came before the value.
5. The example of a locked round has less than 40 lines in each language, and plays over TLS.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

from behind_proxies import PROXIES
from clients import TOKEN, authority
from common import (
    ROOT, Server, Worker, api, check, connect, free_port, keys, lab, main, pb, wait_until)
from postgres import Postgres, execute
from public_log import Operator, every_second, kill

SCENARIO = ROOT / "tests/client/scenario.json"
BEACON = ROOT / "verifiers/conformance/beacon.json"


class Python:
    """The Python client in an environment that has nothing else of this repository."""

    name, comment = "Python", "#"
    example = ROOT / "clients/python/examples/locked_round.py"

    def __init__(self, options, home):
        self.python = home / "environment/bin/python"
        wheels, source = home / "wheels", home / "source"
        # A copy: a build leaves files beside what it builds.
        for folder in ("clients/python", "proto", "verifiers/python", "crates/paigow-rules/src",
                       "crates/paigow-round/src/audit"):
            shutil.copytree(ROOT / folder, source / folder)
        execute(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
                "-w", wheels, source / "clients/python")
        execute(sys.executable, "-m", "venv", home / "environment")
        wheel, = wheels.glob("paigow-*.whl")
        execute(self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel,
                "psycopg[binary]==3.3.9")
        execute(self.python, "-m", "pydoc", "-w", "paigow", cwd=home)
        check("first round" in (home / "paigow.html").read_text().replace("&nbsp;", " "), "no documentation of Python")

    def ledger(self, server, *more):
        own = {"PATH": os.environ["PATH"], "GRPC_ENABLE_FORK_SUPPORT": "0", "TEST_POSTGRES": f"host={server} user=paigow"}
        return execute(self.python, ROOT / "tests/client/python/ledger.py", *more, env=own).stdout

    def connection(self):
        return execute(self.python, ROOT / "tests/client/python/connection.py").stdout

    def scenario(self, port, name="scenario"):
        return [self.python, ROOT / f"tests/client/python/{name}.py", "--server", f"127.0.0.1:{port}"]

    @staticmethod
    def database(server, database):
        return f"host={server} user=paigow dbname={database}"

    def locked_round(self, port, *more, cwd):
        return execute(self.python, self.example, f"localhost:{port}", *more, cwd=cwd).stdout


class TypeScript:
    """The TypeScript client in a folder that has nothing else of this repository."""

    name, comment = "TypeScript", "//"
    example = ROOT / "clients/typescript/examples/locked_round.mjs"

    def __init__(self, options, home):
        source, self.folder = home / "typescript", home / "installed"
        shutil.copytree(ROOT / "clients/typescript", source / "clients/typescript")
        shutil.copytree(ROOT / "proto", source / "proto")
        shutil.copyfile(ROOT / "buf.yaml", source / "buf.yaml")
        execute(options.lab, "page", home / "page")
        self.npm("install", cwd=source / "clients/typescript")
        execute("node", "build.mjs", home / "page", cwd=source / "clients/typescript")
        packed = self.npm("pack", "--pack-destination", home, cwd=source / "clients/typescript").stdout.split()[-1]
        self.folder.mkdir()
        (self.folder / "package.json").write_text("{}")
        self.npm("install", home / packed, "pg@8.23.1", cwd=self.folder)
        self.client = self.folder / "node_modules/@paigow/client"

    @staticmethod
    def npm(*command, **how):
        return execute("npm", *command, "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier",
                       "--loglevel=error", **how)

    def ledger(self, server, *more):
        own = {"PATH": os.environ["PATH"], "TEST_POSTGRES": str(server)}
        return execute("node", ROOT / "tests/client/typescript/ledger.mjs", self.client, *more, env=own).stdout

    def connection(self):
        return execute("node", ROOT / "tests/client/typescript/connection.mjs", self.client).stdout

    def scenario(self, port, name="scenario"):
        return ["node", ROOT / f"tests/client/typescript/{name}.mjs", "--client", self.client,
                "--server", f"http://127.0.0.1:{port}"]

    @staticmethod
    def database(server, database):
        return f"{server}:{database}"

    def locked_round(self, port, *more, cwd):
        copy = shutil.copy(self.example, self.folder)
        return execute("node", copy, f"https://localhost:{port}", *more, cwd=cwd).stdout


class Rust:
    """The Rust client as packages, in a folder that has nothing else of this repository. The programs of
    tests/client/rust are examples of the crate: cargo builds them for the tests, beside the server."""

    name, comment = "Rust", "//"
    example = ROOT / "crates/paigow-client/examples/locked_round.rs"
    crates = [f"paigow-{name}" for name in ("client", "exact", "fairness", "proto", "round", "rules")]

    def __init__(self, options, home):
        self.programs = options.server.resolve().parent / "examples"
        check(all((self.programs / name).exists() for name in ("client_ledger", "locked_round")),
              f"no programs in {self.programs}: cargo build -p paigow-client --all-features --examples")
        made = home / "rust"
        packages = [word for crate in self.crates for word in ("-p", crate)]
        execute("cargo", "package", "--quiet", "--offline", "--no-verify", "--exclude-lockfile", "--allow-dirty", *packages,
                "--target-dir", made, cwd=ROOT)
        unpacked = made / "unpacked"
        for package in made.glob("package/*.crate"):
            shutil.unpack_archive(package, unpacked / "packages", "gztar")
        (unpacked / "src").mkdir()
        shutil.copy(self.example, unpacked / "src/main.rs")
        shutil.copy(ROOT / "Cargo.lock", unpacked)
        # With the profile of the workspace the packages of the registry need not be built again.
        profile = (ROOT / "Cargo.toml").read_text().partition("[profile.dev]")
        patched = "".join(f'{crate} = {{ path = "packages/{crate}-0.1.0" }}\n' for crate in self.crates)
        (unpacked / "Cargo.toml").write_text(f"""[package]
name = "locked-round"
version = "0.1.0"
edition = "2024"

[dependencies]
paigow-client = "0.1.0"
tokio = {{ version = "1", features = ["macros", "rt-multi-thread"] }}

[patch.crates-io]
{patched}
[workspace]

{profile[1]}{profile[2]}""")
        self.outside = self.programs / "locked_round"
        if not options.long:
            return self.check_sources(unpacked / "packages")
        # Always in one folder, so that cargo builds again only what has changed.
        folder, target = ROOT / "target/tmp/locked-round", ROOT / "target"
        self.copy_changes(unpacked, folder)
        execute("cargo", "build", "--quiet", "--offline", "--target-dir", target, cwd=folder)
        self.outside = target / "debug/locked-round"

    def check_sources(self, packages):
        """Checks that the packages have every file of their folders, and that the compiler reads no other one for
        their libraries. To compile the packages takes minutes, and gives the example that the workspace has."""
        for crate in self.crates:
            folder, library = ROOT / "crates" / crate, crate.replace("-", "_")
            facts = [path.read_text() for path in sorted((self.programs.parent / "deps").glob(f"{library}-*.d"),
                                                         key=lambda path: path.stat().st_mtime)]
            # The newest of the library as the workspace builds it, where each file that was read has a line of its own.
            built = [text for text in facts if f"/lib{library}-" in text and f"\ncrates/{crate}/src/lib.rs:" in text]
            read = re.findall(r"^([^/\s]\S*):$", built[-1], re.M)
            # Clippy, whose facts may be the newest, reads the workspace's settings as well.
            outside = [path for path in read if not path.startswith(f"crates/{crate}/") and path != "Cargo.toml"]
            check(not outside, f"the compiler reads no file outside of {folder}: {outside}")
            files = [os.path.join(place, name) for place, _, names in os.walk(folder, followlinks=True) for name in names]
            missing = [path for path in files
                       if not (packages / f"{crate}-0.1.0" / os.path.relpath(path, folder)).is_file()]
            check(not missing, f"the package {crate} has every file of its folder: {missing}")

    @staticmethod
    def copy_changes(made, folder):
        """Makes a folder the copy of another one. A file that is as before keeps its time, by which cargo knows it."""
        names = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
        for path in [path for path in folder.rglob("*") if path.is_file() and path.relative_to(folder) not in names]:
            path.unlink()
        for name in names:
            content, copy = (made / name).read_bytes(), folder / name
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)

    def ledger(self, server, *more):
        own = {"PATH": os.environ["PATH"], "TEST_POSTGRES": str(server)}
        return execute(self.programs / "client_ledger", *more, env=own).stdout

    def connection(self):
        return execute(self.programs / "client_connection").stdout

    def scenario(self, port, name="scenario"):
        return [self.programs / f"client_{name}", "--server", f"127.0.0.1:{port}"]

    @staticmethod
    def database(server, database):
        return f"postgres://paigow@localhost/{database}?host={server}"

    def locked_round(self, port, *more, cwd):
        return execute(self.outside, f"localhost:{port}", *more, cwd=cwd).stdout


class Scenario:
    """The scenario before replicas behind a proxy."""

    def __init__(self, options, home):
        self.home, self.lab = home, options.lab
        self.keyring = home / "keyring"
        settings = {"server.tenant": "dev-locked", "server.drain_ms": 0}
        self.replicas = [Server(options.server, home / f"replica-{number}", settings, keyring=self.keyring)
                         for number in range(3)]
        for replica in self.replicas:
            replica.start()
        self.proxy = PROXIES["haproxy"](home / "proxy", [replica.port for replica in self.replicas])
        self.ledger_key, = self.keyring.glob("ledger-*.key")
        self.root, self.chain = self.keyring / "root.json", self.keyring / "manifests.jsonl"
        self.rotations = [plan["rotation"] for plan in json.loads(SCENARIO.read_text())["rounds"] if "rotation" in plan]

    def stop(self):
        self.proxy.stop()
        for replica in self.replicas:
            replica.stop()

    def rotate(self, rotation):
        """Publishes manifests with a new receipt key, or with a new epoch, and waits until each replica has them."""
        made = lambda *what: dict(line.split(None, 1) for line in keys(self.lab, *what).splitlines())
        chain = self.home / "chain.jsonl"
        shutil.copy(self.chain, chain)
        first = "[[receipt_keys]]\n"
        if rotation == "receipt key":
            new = made("receipt", "--out", self.keyring)["public"]
            self.sign(chain, lambda listed: listed.replace(first, f'{first}public = "{new}"\n\n{first}', 1))
        else:
            last = re.search(r"^epoch = (\d+)$", keys(self.lab, "manifest", "next", "--chain", chain), re.M)[1]
            number = int(last) + 1
            commit = made("epoch", "--epoch", number, "--out", self.keyring)["commit"]
            self.sign(chain, lambda listed: listed.replace(f"epoch = {last}\n", f'epoch = {last}\nstatus = "revealed"\n'))
            commits = re.compile(r"^commit = .*$", re.M)
            self.sign(chain, lambda listed: commits.sub(f'commit = "{commit}"', listed.replace(
                f"epoch = {last}\n", f"epoch = {number}\n").replace('status = "revealed"\n', "")))
        os.replace(chain, self.chain)
        count = len(self.chain.read_text().splitlines())
        for replica in self.replicas:
            with connect(replica.address) as channel:
                engine = api.PaiGowServiceStub(channel)
                wait_until(lambda: engine.GetEngine(pb.GetEngineRequest(), timeout=10).manifest_sequence == count,
                           f"a replica has manifest {count}")

    def sign(self, chain, change):
        """Adds the next manifest to a chain: the newest one with a change."""
        description, (root_key,) = self.home / "manifest.toml", self.keyring.glob("root-*.key")
        description.write_text(change(keys(self.lab, "manifest", "next", "--chain", chain)))
        record = keys(self.lab, "manifest", "sign", description, "--chain", chain, "--key", root_key)
        with open(chain, "a") as file:
            file.write(record)

    def play_while_replicas_die(self, play):
        """Plays while one replica after the other is killed and started again. Returns how many were."""
        player, killed = Worker(play), 0
        while player.is_alive() or killed < 1:
            replica = self.replicas[killed % 3]
            replica.kill()
            replica.start()
            killed += 1
        player.end()
        return killed


class Player:
    """A client that plays the scenario. It waits before each rotation. One that dies is killed at its answers."""

    def __init__(self, scenario, client, name, *more, dies=False):
        self.client, self.dies, self.killed, self.process, self.waits = client, dies, 0, None, False
        self.transcript, self.errors = scenario.home / f"{name}.jsonl", scenario.home / f"{name}.errors"
        self.command = [*client.scenario(scenario.proxy.port), "--scenario", SCENARIO, "--ledger-key", scenario.ledger_key,
                        "--root", scenario.root, "--database", scenario.home / name, "--transcript", self.transcript, *more]

    def start(self):
        dying = ["--die-after", 4 + self.killed % 6] if self.dies else []
        with open(self.errors, "w") as errors:
            self.process = subprocess.Popen([*map(str, [*self.command, *dying])], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=errors, text=True)

    def play(self, rotated):
        """Plays to the next rotation, or to the end. So many rotations have taken place."""
        if self.waits:
            self.go_on()
        while not self.transcript.exists():
            if not self.process:
                self.start()
            said = self.process.stdout.readline()
            if said.startswith("rotation "):
                self.waits = int(said.split()[1]) > rotated
                if self.waits:
                    return
                self.go_on()
                continue
            code = self.process.wait()
            check(code == 0 or self.dies and code == -signal.SIGKILL,
                  f"{self.client.name} ended with {code}: {said}{self.errors.read_text()[-2000:]}")
            check(self.killed < 200, "the scenario does not end")
            self.killed, self.process = self.killed + (code != 0), None

    def go_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def run(options, home):
    clients = [kind(options, home) for kind in (Python, TypeScript, Rust)]
    postgres = Postgres(home / "postgres")
    scenario = Scenario(options, home)
    try:
        for client in clients:
            said = client.ledger(postgres.folder, *["--long"] * options.long)
            check(said.count("no step was signed twice") == 2, said)
            print(f"{client.name}:\n{said}{client.connection()}", end="")
        play_scenario(options, scenario, clients, postgres)
        play_with_beacon(options, clients, home / "beacon")
        examples(options, clients, home / "example")
    finally:
        scenario.stop()
        postgres.stop()


def check_indexes(database):
    """Checks that SQLite finds the locks of a round and the open rounds of a table by an index. A ledger keeps all rounds."""
    of_table, of_round = "table_name = 'a' AND epoch >= 0", "table_name = 'a' AND epoch = 0 AND round_no = 1"
    for index, query in (
            ("paigow_locks_of_round", f"paigow_locks WHERE {of_round} AND step = 1 AND spent = 1"),
            ("paigow_open_rounds", f"paigow_rounds WHERE {of_table} AND closed IS NULL ORDER BY epoch, round_no LIMIT 1")):
        ledger = sqlite3.connect(database)
        plan = str(ledger.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {query}").fetchall())
        ledger.close()
        check(index in plan, f"{database}: {query}: {plan}")


def play_scenario(options, scenario, clients, postgres):
    players = {}
    for client in clients:
        name = client.name.lower()
        postgres.make(f"scenario_{name}")
        database = client.database(postgres.folder, f"scenario_{name}")
        players[client] = [Player(scenario, client, f"{name}-{which}", *more, dies=dies) for which, more, dies in (
            ("played", [], False), ("dying", [], True), ("stored", ["--postgres", database], True),
            ("replicas", [], False))]
    killed = dict.fromkeys(clients, 0)
    try:
        for rotated, rotation in enumerate([None, *scenario.rotations]):
            if rotation:
                scenario.rotate(rotation)
            for client in clients:
                *others, last = players[client]
                for player in others:
                    player.play(rotated)
                killed[client] += scenario.play_while_replicas_die(lambda: last.play(rotated))
    finally:
        for player in sum(players.values(), []):
            player.stop()
    first = players[clients[0]][0].transcript.read_bytes()
    for client in clients:
        check_indexes(scenario.home / f"{client.name.lower()}-played")
        for player in players[client]:
            check(player.transcript.read_bytes() == first, f"{player.transcript.stem} has other records")
        _, dying, stored, _ = players[client]
        print(f"{client.name}: one transcript of {len(first.splitlines())} records, over {len(scenario.rotations)} rotations: "
              f"played in one go, by clients killed {dying.killed} and {stored.killed} times, and while {killed[client]} "
              "replicas were killed")
    said = lab(options.lab, "audit", players[clients[0]][0].transcript, "--root", scenario.root, may_end_with=(3,))
    check("verdict: pending: everything computable agrees" in said, said)


def play_with_beacon(options, clients, home):
    """Each client plays at a table of its own, at the same time."""
    home.mkdir()
    operator = Operator(options, home)
    witness = operator.witness("--new")
    writer = every_second(operator, "--new")
    try:
        operator.serve(options.server)
        workers = [Worker(lambda client=client, table=table: play_at(operator, client, table))
                   for client, table in zip(clients, ("T1", "T2", "T3"), strict=True)]
        for worker in workers:
            worker.end()
    finally:
        for process in (writer, witness):
            kill(process)
        if hasattr(operator, "server"):
            operator.server.stop()


def play_at(operator, client, table):
    home = operator.home
    locks, transcript, proven = home / "locks" / table, f"{table}.jsonl", f"{table}-proven.jsonl"
    locks.mkdir()
    command = [*client.scenario(operator.server.port, "beacon"), "--ledger-key", "ledger.key", "--root",
               "keyring/root.json", "--database", f"{table}.db", "--table", table, "--locks", locks, "--kit", BEACON,
               "--transcript", transcript]
    ran = [subprocess.run([*command, *more], cwd=home, capture_output=True, text=True) for more in (["--dies", "yes"], [])]
    check([one.returncode for one in ran] == [-signal.SIGKILL, 0], f"{client.name}: {[one.stderr[-2000:] for one in ran]}")
    check(ran[0].stdout == ran[1].stdout, f"{client.name}: another round of the beacon: {[one.stdout for one in ran]}")
    prove = [operator.programs / "paigow-log", "prove", "--log", f"file://{home / 'published'}", "--transcript", transcript,
             "--out", proven]
    wait_until(lambda: subprocess.run(prove, cwd=home, capture_output=True).returncode == 0, f"{transcript} is witnessed")
    claims = operator.audit(home / proven)
    for name in ("logged", "decks_unknown_in_advance", "outcome_recomputed"):
        check(claims[name][0] == "CLAIM_STATUS_SHOWN", f"{client.name}: {name} is {claims[name]}")
    print(f"{client.name}: a round that waited for the beacon is settled, over a kill, a relay that was down and one that "
          "lied; three are void; the audit shows that nobody knew the deck before the wagers")


def examples(options, clients, folder):
    authority(folder)
    access = folder / "access.toml"
    access.write_text(f"""[[tenants]]
tenant = "dev-locked"
[[tenants.clients]]
name = "tables"
roles = ["table"]
token_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"
""")
    server = Server(options.server, folder / "server", {
        "server.tenant": "dev-locked", "tls.certificate_file": folder / "server.pem",
        "tls.key_file": folder / "server.key", "access.file": access,
        "server.health_listen": f"127.0.0.1:{free_port()}"})
    try:
        server.start()
        key, = server.keyring.glob("ledger-*.key")
        for client in clients:
            lines = [line.strip() for line in client.example.read_text().splitlines()]
            if client.name == "Python":
                lines = client.example.read_text().split('"""', 2)[2].splitlines()
            lines = [line for line in lines if line.strip() and not line.strip().startswith(client.comment)]
            check(len(lines) < 40, f"{client.example.name} has {len(lines)} lines")
            own = folder / client.name
            own.mkdir()
            said = client.locked_round(server.port, folder / "authority.pem", key, server.keyring / "root.json", TOKEN,
                                       cwd=own)
            check(said.count("net") == 2, said)
            print(f"{client.example.name}: {len(lines)} lines")
    finally:
        server.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, type=pathlib.Path)
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    arguments.lab = arguments.lab.resolve()
    with tempfile.TemporaryDirectory() as folder:
        main(lambda: run(arguments, pathlib.Path(folder)))
