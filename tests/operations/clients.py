"""The example clients of `examples` against real servers over TLS, through a server that is killed
between Deal and Settle: once beside a second replica on the same keyring, once alone and restarted.

Every round has to end settled, whatever was killed, and its transcript has to audit as a match with
the verifier of `tests/verify`, which shares no code with the engine.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

from common import PATIENCE, ROOT, Server, check, free_port, main

REPLACED = (  # scenario, replicas, whether the killed one is started again
    ("another replica answers", 2, False),
    ("the same server comes back", 1, True),
)


def certificate(home):
    """A certificate of its own authority, for this machine."""
    pem, key = home / "certificate.pem", home / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", pem],
                   check=True, capture_output=True)
    key.chmod(0o600)
    return pem, key


def replica(options, home, name, pem, key):
    return Server(options.server, home / name, {
        "tls.certificate_file": pem, "tls.key_file": key, "evidence.target": "off",
        "server.health_listen": f"127.0.0.1:{free_port()}"}, keyring=home / "keyring")


def clients(options):
    """The commands of the clients that can run here."""
    yield "python", [sys.executable, str(ROOT / "examples/python/round.py")]
    if options.node_modules:
        yield "node", [options.node, str(ROOT / "examples/node/round.mjs")]
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


def untrusted(command, server, home):
    """Without the authority's certificate there is no round."""
    other = home / "other"
    other.mkdir(exist_ok=True)
    ran = subprocess.Popen([*command, "--server", f"ipv4:{server.address}", "--server-name", "localhost", "--ca",
                            str(certificate(other)[0]), "--table", "t", "--transcript", str(home / "none")],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said, _ = ran.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        ran.kill()
        said = ran.communicate()[0]
    check(ran.returncode != 0 and "seat" not in said, f"a stranger's certificate is refused: {said}")


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="the program paigow-server")
    parser.add_argument("--node", default="node")
    parser.add_argument("--node-modules", action="store_true",
                        help="examples/node has its packages (npm ci): run that client too")
    parser.add_argument("--rust", help="the program built from examples/play_round.rs")
    options = parser.parse_args()
    rounds = 0
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        pem, key = certificate(home)
        for scenario, replicas, again in REPLACED:
            for name, command in clients(options):
                servers = []
                try:
                    for i in range(replicas):
                        servers.append(replica(options, home, f"{name}-{replicas}-{i}", pem, key).start())
                    returning = []

                    def between():
                        # With two replicas the first is the one that dealt.
                        servers[0].kill()
                        if again:
                            later = threading.Timer(1.5, servers[0].start)
                            later.start()
                            returning.append(later)

                    transcript = home / f"{name}-{replicas}.jsonl"
                    play(command, servers, pem, f"{name}-{replicas}", transcript, between)
                    for later in returning:
                        later.join()
                    audited(transcript, root_key(home / "keyring"))
                    refused(command, servers[-1], pem, home)
                    if not again:
                        untrusted(command, servers[-1], home)
                    rounds += 1
                    print(f"{name}: {scenario}: settled and audited", flush=True)
                finally:
                    for server in servers:
                        server.stop()
    print(f"clients: {rounds} rounds through a killed server, all settled", flush=True)


if __name__ == "__main__":
    main(run)
