"""The example clients of `examples` against real servers over TLS, through a server that is killed
between Deal and Settle: once beside a second replica on the same keyring, once alone and restarted.

Every round has to end settled, whatever was killed, and its transcript has to audit as a match with
the verifier of `tests/verify`, which shares no code with the engine.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

from common import PATIENCE, ROOT, SERVICE, Server, check, free_port, main

REPLACED = (  # scenario, replicas, whether the killed one is started again
    ("another replica answers", 2, False),
    ("the same server comes back", 1, True),
)


EXTENSIONS = """
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[server]
basicConstraints = critical, CA:FALSE
subjectAltName = DNS:localhost, IP:127.0.0.1
"""


def authority(home):
    """Makes an authority and a certificate of its own for this machine.

    Returns the authority's certificate, the server's and the server's key. They are two: a strict
    client takes no authority for a server.
    """
    home.mkdir(exist_ok=True)
    config = home / "openssl.cnf"
    config.write_text(EXTENSIONS)

    def make(name, *signed_by):
        pem, key = home / f"{name}.pem", home / f"{name}.key"
        subprocess.run(["openssl", "req", "-x509", "-config", config, "-extensions", name, "-newkey", "ec",
                        "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                        "-keyout", key, "-out", pem, *signed_by], check=True, capture_output=True)
        key.chmod(0o600)
        return pem, key

    ca, ca_key = make("authority")
    return ca, *make("server", "-CA", ca, "-CAkey", ca_key)


def replica(options, home, name, pem, key):
    return Server(options.server, home / name, {
        "tls.certificate_file": pem, "tls.key_file": key, "evidence.target": "off",
        "server.health_listen": f"127.0.0.1:{free_port()}"}, keyring=home / "keyring")


def node_client(home, packages):
    """The Node client as in a checkout where `npm ci` has run: it looks for packages beside itself,
    and the tests install none into the tree."""
    checkout = home / "checkout"
    beside = checkout / "examples/node"
    beside.mkdir(parents=True)
    for folder in ("proto", "deploy"):
        (checkout / folder).symlink_to(ROOT / folder)
    (beside / "node_modules").symlink_to(packages.resolve(strict=True))
    return shutil.copy(ROOT / "examples/node/round.mjs", beside)


def clients(options, home):
    """The commands of the clients that can run here."""
    yield "python", [sys.executable, str(ROOT / "examples/python/round.py")]
    if options.node_modules:
        yield "node", ["node", node_client(home, options.node_modules)]
    if options.rust:
        yield "rust", [options.rust]


def root_key(keyring):
    return json.loads((keyring / "root.json").read_text())["keys"][0]


def play(command, servers, pem, table, transcript, between):
    """One round; `between` is called when the cards are dealt and nothing is settled."""
    target = "ipv4:" + ",".join(server.address for server in servers)
    process = subprocess.Popen(
        [*command, "--server", target, "--server-name", "localhost", "--ca", str(pem), "--table", table,
         "--transcript", str(transcript), "--wait"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    watchdog = threading.Timer(2 * PATIENCE, process.kill)
    watchdog.start()
    said = []
    try:
        for line in process.stdout:
            said.append(line)
            if line == "dealt\n":
                between()
                process.stdin.write("\n")
                process.stdin.flush()
        check(process.wait() == 0, f"{' '.join(command[-1:])} ends well: {''.join(said)}")
    finally:
        watchdog.cancel()
        process.kill()
    check(sum("net" in line for line in said) == 2, f"both seats are settled: {''.join(said)}")


def audited(transcript, root):
    ran = subprocess.run([sys.executable, "-m", "verify", str(transcript), "--root", root],
                         cwd=ROOT / "tests", capture_output=True, text=True)
    check(ran.returncode == 0, f"{transcript.name} audits as a match: {ran.stdout}{ran.stderr}")


def refused(command, server, pem, home):
    """Bad input ends at once with the engine's reason and the path of the field."""
    ran = subprocess.run([*command, "--server", f"ipv4:{server.address}", "--server-name", "localhost",
                          "--ca", str(pem), "--table", "no such table", "--transcript", str(home / "none")],
                         capture_output=True, text=True, timeout=PATIENCE)
    check(ran.returncode == 1 and "INVALID_ARGUMENT FIELD_INVALID" in ran.stderr and "open.table" in ran.stderr,
          f"a refusal names reason and field: {ran.stdout}{ran.stderr}")


class Strangers:
    """Clients that trust another authority: each tries for as long as it would for a server that is
    away, so they try while the rounds are played, at a server of their own."""

    def __init__(self, options, home, pem, key, commands):
        other = authority(home / "stranger")[0]
        self.server = replica(options, home, "strangers", pem, key).start()
        self.processes = {
            name: subprocess.Popen(
                [*command, "--server", f"ipv4:{self.server.address}", "--server-name", "localhost",
                 "--ca", str(other), "--table", "t", "--transcript", str(home / "none")],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for name, command in commands}

    def have_given_up(self):
        for name, process in self.processes.items():
            said, _ = process.communicate(timeout=2 * PATIENCE)
            check(process.returncode == 1 and "certificate" in said.lower() and "seat" not in said,
                  f"{name} refuses a stranger's certificate: {said}")

    def stop(self):
        for process in self.processes.values():
            process.kill()
        self.server.stop()


def through_a_kill(name, command, servers, again, ca, home):
    """A round whose server is killed when the cards are dealt; what it told audits as a match."""
    returning = []

    def between():
        # With two replicas the first is the one that dealt.
        servers[0].kill()
        if again:
            # Late enough that the client finds nobody at first.
            returning.append(threading.Timer(1.5, servers[0].start))
            returning[0].start()

    try:
        for server in servers:
            server.start()
        transcript = home / f"{name}-{len(servers)}.jsonl"
        play(command, servers, ca, transcript.stem, transcript, between)
        for later in returning:
            later.join()
        audited(transcript, root_key(home / "keyring"))
        refused(command, servers[-1], ca, home)
    finally:
        for later in returning:
            later.join()
        for server in servers:
            server.stop()


def by_hand(server, ca, home):
    """A round with buf curl by the contract's files, and a call by what the server says of itself."""
    transcript, at = home / "buf.jsonl", f"https://{server.address}"
    ran = subprocess.run([ROOT / "examples/buf/round", at, transcript, "--cacert", ca], capture_output=True, text=True)
    check(ran.returncode == 0 and " net " in ran.stdout, f"buf curl plays: {ran.stdout}{ran.stderr}")
    audited(transcript, root_key(home / "keyring"))
    ran = subprocess.run(["buf", "curl", "--protocol", "grpc", "--cacert", ca, f"{at}/{SERVICE}/GetEngine"],
                         capture_output=True, text=True)
    check(ran.returncode == 0 and "manifests" in json.loads(ran.stdout), f"reflection serves: {ran.stderr}")
    print("buf curl: settled and audited", flush=True)


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="the program paigow-server")
    parser.add_argument("--node-modules", type=pathlib.Path,
                        help="the packages of examples/node (npm ci): runs that client too")
    parser.add_argument("--rust", help="the program built from examples/play_round.rs")
    parser.add_argument("--buf", action="store_true", help="buf and jq are on the path: runs examples/buf/round too")
    options = parser.parse_args()
    rounds = 0
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        ca, pem, key = authority(home / "tls")
        commands = list(clients(options, home))
        strangers = Strangers(options, home, pem, key, commands)
        try:
            for scenario, replicas, again in REPLACED:
                for name, command in commands:
                    servers = [replica(options, home, f"{name}-{replicas}-{i}", pem, key) for i in range(replicas)]
                    through_a_kill(name, command, servers, again, ca, home)
                    rounds += 1
                    print(f"{name}: {scenario}: settled and audited", flush=True)
            if options.buf:
                by_hand(strangers.server, ca, home)
            strangers.have_given_up()
        finally:
            strangers.stop()
    print(f"clients: {rounds} rounds through a killed server, all settled", flush=True)


if __name__ == "__main__":
    main(run)
