"""The clients for platforms, in Python, TypeScript and Rust: packages, ledgers, and a scenario before three replicas.

    platform_clients.py --server paigow-server --lab paigow-lab [--long]

1. The packages are built and installed in empty environments. Those of Rust are unpacked in an empty folder, and the
   example is built there.
2. The ledger of each is killed, raced, restored and cut off from its database, with SQLite and with a
   real PostgreSQL (tests/client/*/ledger.*). Each says plainly that no engine answers (connection.*).
3. tests/client/scenario.json is played before three replicas behind a proxy. The transcript is the same,
   to the byte, of all clients: played in one go, by a client that is killed at its answers, while the
   replicas are killed one after the other, and with each database. `paigow-lab audit` finds nothing
   wrong in it.
4. The example of a locked round has less than 40 lines in each language, and plays over TLS.
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from behind_proxies import PROXIES
from clients import TOKEN, authority
from common import ROOT, Server, Worker, check, free_port, lab, main
from postgres import Postgres, execute

SCENARIO = ROOT / "tests/client/scenario.json"


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

    def ledger(self, server, *more):
        own = {"PATH": os.environ["PATH"], "GRPC_ENABLE_FORK_SUPPORT": "0", "TEST_POSTGRES": f"host={server} user=paigow"}
        return execute(self.python, ROOT / "tests/client/python/ledger.py", *more, env=own).stdout

    def connection(self):
        return execute(self.python, ROOT / "tests/client/python/connection.py").stdout

    def scenario(self, port):
        return [self.python, ROOT / "tests/client/python/scenario.py", "--server", f"127.0.0.1:{port}"]

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

    def scenario(self, port):
        return ["node", ROOT / "tests/client/typescript/scenario.mjs", "--client", self.client,
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
        check((self.programs / "client_ledger").exists(),
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
        # Always in one folder, so that cargo builds again only what has changed.
        folder, target = ROOT / "target/tmp/locked-round", ROOT / "target"
        self.copy_changes(unpacked, folder)
        execute("cargo", "build", "--quiet", "--offline", "--target-dir", target, cwd=folder)
        self.outside = target / "debug/locked-round"

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

    def scenario(self, port):
        return [self.programs / "client_scenario", "--server", f"127.0.0.1:{port}"]

    @staticmethod
    def database(server, database):
        return f"postgres://paigow@localhost/{database}?host={server}"

    def locked_round(self, port, *more, cwd):
        return execute(self.outside, f"localhost:{port}", *more, cwd=cwd).stdout


class Scenario:
    """The scenario before replicas behind a proxy."""

    def __init__(self, options, home):
        self.home = home
        keyring = home / "keyring"
        settings = {"server.tenant": "dev-locked", "server.drain_ms": 0}
        self.replicas = [Server(options.server, home / f"replica-{number}", settings, keyring=keyring)
                         for number in range(3)]
        for replica in self.replicas:
            replica.start()
        self.proxy = PROXIES["haproxy"](home / "proxy", [replica.port for replica in self.replicas])
        self.ledger_key, = (path for path in keyring.glob("ledger-*.key"))
        self.root = keyring / "root.json"

    def stop(self):
        self.proxy.stop()
        for replica in self.replicas:
            replica.stop()

    def command(self, client, name, *more):
        return [*client.scenario(self.proxy.port), "--scenario", SCENARIO, "--ledger-key", self.ledger_key,
                "--root", self.root, "--database", self.home / name, "--transcript", self.home / f"{name}.jsonl", *more]

    def play(self, client, name, *more):
        """Plays it in one go, and returns the transcript."""
        execute(*self.command(client, name, *more))
        return (self.home / f"{name}.jsonl").read_bytes()

    def play_dying(self, client, name, *more):
        """Plays it with a client that is killed again and again; returns the transcript and how often."""
        for killed in range(200):
            ran = execute(*self.command(client, name, *more, "--die-after", 4 + killed % 6),
                          may_end_with=(0, -signal.SIGKILL))
            if ran.returncode == 0:
                return (self.home / f"{name}.jsonl").read_bytes(), killed
        check(False, "the scenario does not end")

    def play_while_replicas_die(self, client, name):
        """Plays it while one replica after the other is killed and started again."""
        player = Worker(self.play, client, name)
        killed = 0
        while player.is_alive() or killed < 3:
            replica = self.replicas[killed % 3]
            replica.kill()
            replica.start()
            killed += 1
        player.end()
        return (self.home / f"{name}.jsonl").read_bytes(), killed


def run(options, home):
    clients = [kind(options, home) for kind in (Python, TypeScript, Rust)]
    postgres = Postgres(home / "postgres")
    scenario = Scenario(options, home)
    try:
        for client in clients:
            said = client.ledger(postgres.folder, *["--long"] * options.long)
            check(said.count("no step was signed twice") == 2, said)
            print(f"{client.name}:\n{said}{client.connection()}", end="")
        first = None
        for client in clients:
            name = f"played-{client.name.lower()}"
            played = scenario.play(client, name)
            first = first or played
            check(played == first, f"{client.name} plays other records than the first client")
            again, killed = scenario.play_dying(client, f"{name}-dying")
            check(again == first, f"{client.name}: a client that is killed plays other records")
            survived, replicas = scenario.play_while_replicas_die(client, f"{name}-replicas")
            check(survived == first, f"{client.name}: replicas that are killed make other records")
            database = f"scenario_{client.name.lower()}"
            postgres.make(database)
            database = client.database(postgres.folder, database)
            stored, more = scenario.play_dying(client, f"{name}-mark", "--postgres", database)
            check(stored == first, f"{client.name}: PostgreSQL makes other records")
            print(f"{client.name}: one transcript of {len(first.splitlines())} records: played in one go, by clients "
                  f"killed {killed} and {more} times, and while {replicas} replicas were killed")
        said = lab(options.lab, "audit", home / "played-python.jsonl", "--root", scenario.root, may_end_with=(3,))
        check("verdict: pending: everything computable agrees" in said, said)
        examples(options, clients, home / "example")
    finally:
        scenario.stop()
        postgres.stop()


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
