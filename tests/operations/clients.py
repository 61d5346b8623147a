"""The example clients of `examples` against real servers over TLS, through a server that is killed
between Deal and Settle: once beside a second replica on the same keyring, once alone and restarted;
against servers that ask who calls, by a certificate or a token, and that demand a ledger's locks; and
against one that takes a call a second of a tenant, so that each round meets its limit.

Every round has to end settled, whatever was killed, and its transcript has to audit as pending with
the verifier in `verifiers/python`, which shares no code with the engine.
"""
import argparse
import base64
import contextlib
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from common import PATIENCE, ROOT, SERVICE, Server, answered, check, free_port, main, wait_until

REPLACED = (  # scenario, replicas, whether the killed one is started again
    ("another replica answers", 2, False),
    ("the same server comes back", 1, True),
)

METRICS = "telemetry.prometheus_listen"

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
[tables]
basicConstraints = critical, CA:FALSE
subjectAltName = DNS:tables.dev.example
"""

TOKEN, LOCKED_TOKEN = "token-of-the-tables", "token-of-the-locked-tables"
ACCESS = f"""
[[tenants]]
tenant = "dev"
[[tenants.clients]]
name = "tables"
roles = ["table"]
certificate = "tables.dev.example"
[[tenants.clients]]
name = "more-tables"
roles = ["table"]
token_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"

[[tenants]]
tenant = "dev-locked"
[[tenants.clients]]
name = "locked-tables"
roles = ["table"]
token_sha256 = "{hashlib.sha256(LOCKED_TOKEN.encode()).hexdigest()}"
"""
# The same, but each tenant may call once a second.
TIGHT = re.sub(r"^tenant = .*$", r"\g<0>\ncalls_per_second = 1\nburst = 1", ACCESS, flags=re.M)


def authority(home):
    """Makes an authority and certificates for this machine's servers and for their callers.

    Returns the authority's certificate, and the other two each with its key. The server has one of
    its own: a strict client takes no authority for a server.
    """
    home.mkdir(exist_ok=True)
    (home / "openssl.cnf").write_text(EXTENSIONS)
    ca, ca_key = make_certificate(home, "authority")
    return ca, *(make_certificate(home, name, "-CA", ca, "-CAkey", ca_key) for name in ("server", "tables"))


def make_certificate(home, name, *signed_by):
    """Makes a key and a certificate in the folder of an authority; returns their files."""
    pem, key = home / f"{name}.pem", home / f"{name}.key"
    subprocess.run(["openssl", "req", "-x509", "-config", home / "openssl.cnf", "-extensions", name, "-newkey", "ec",
                    "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                    "-keyout", key, "-out", pem, *signed_by], check=True, capture_output=True)
    key.chmod(0o600)
    return pem, key


def replica(options, home, name, certificate, settings=None):
    pem, key = certificate
    return Server(options.server, home / name, {
        "tls.certificate_file": pem, "tls.key_file": key, "evidence.target": "off",
        "server.health_listen": f"127.0.0.1:{free_port()}",
        METRICS: f"127.0.0.1:{free_port()}"} | (settings or {}), keyring=home / "keyring")


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


def to(servers, ca):
    """The options that name servers and their authority."""
    target = "ipv4:" + ",".join(server.address for server in servers)
    return ["--server", target, "--server-name", "localhost", "--ca", str(ca)]


def play(command, transcript, between=lambda: None):
    """One round; `between` is called when the cards are dealt and nothing is settled."""
    process = subprocess.Popen(
        [*command, "--table", transcript.stem, "--transcript", str(transcript), "--wait"],
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
        check(process.wait() == 0, f"{transcript.stem} ends well: {''.join(said)}")
    finally:
        watchdog.cancel()
        process.kill()
    check(sum("net" in line for line in said) == 2, f"both seats are settled: {''.join(said)}")


def audited(transcript, root):
    ran = subprocess.run([sys.executable, str(ROOT / "verifiers/python"), str(transcript), "--root", root],
                         capture_output=True, text=True)
    # 3: all agrees, and the secret of the epoch is not published yet.
    check(ran.returncode == 3, f"{transcript.name} audits as pending: {ran.stdout}{ran.stderr}")


def refused(command, home, *words):
    """A refusal ends at once, with a message that states why."""
    ran = subprocess.run([*command, "--transcript", str(home / "none")],
                         capture_output=True, text=True, timeout=PATIENCE)
    check(ran.returncode == 1 and all(word in ran.stderr for word in words),
          f"a refusal says {' '.join(words)}: {ran.stdout}{ran.stderr}")


class Strangers:
    """Clients that get no connection: they trust another authority, or show no certificate to a server
    that wants one. Each tries for as long as it would for a server that is away, so they try while the
    rounds are played."""

    def __init__(self, server, ca, home, commands):
        other = authority(home / "stranger")[0]
        self.processes = [
            (f"{name}, {why}", word, subprocess.Popen(
                [*command, *to([server], trusted), "--table", "t", "--transcript", str(home / "none")],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
            for name, command in commands
            for why, trusted, word in (("who knows another authority", other, "certificate"),
                                       ("without a certificate", ca, ""))]

    def have_given_up(self):
        for who, word, process in self.processes:
            said, _ = process.communicate(timeout=2 * PATIENCE)
            check(process.returncode == 1 and word in said.lower() and "seat" not in said,
                  f"{who}, gets no connection: {said}")

    def stop(self):
        for _, _, process in self.processes:
            process.kill()


def through_a_kill(name, command, servers, again, ca, home):
    """A round whose server is killed when the cards are dealt. Its records audit as a match."""
    returning = []

    def between():
        # A client uses the replicas in turn.
        dealt = wait_until(lambda: [one for one in servers if answered(one.settings[METRICS], "Deal")],
                           "a replica has dealt")
        dealt[0].kill()
        if again:
            # Late enough that the client finds no server at first.
            returning.append(threading.Timer(1.5, dealt[0].start))
            returning[0].start()

    try:
        for server in servers:
            server.start()
        transcript = home / f"{name}-{len(servers)}.jsonl"
        play([*command, *to(servers, ca)], transcript, between)
        for later in returning:
            later.join()
        audited(transcript, root_key(home / "keyring"))
        alive = [one for one in servers if not one.is_over()]
        refused([*command, *to(alive, ca), "--table", "no such table"], home,
                "INVALID_ARGUMENT FIELD_INVALID", "open.table")
    finally:
        for later in returning:
            later.join()
        for server in servers:
            server.stop()


def token_file(home, token):
    file = home / f"{token}.txt"
    file.write_text(token + "\n")
    return str(file)


def let_in(name, command, with_certificate, with_token, home):
    """A round at a server that asks for certificates, and one at a server that asks for tokens."""
    for kind, shown in (("certificate", with_certificate), ("token", with_token)):
        transcript = home / f"{name}-{kind}.jsonl"
        play([*command, *shown], transcript)
        audited(transcript, root_key(home / "keyring"))
    nothing = with_token[:with_token.index("--token-file")]
    refused([*command, *nothing], home, "UNAUTHENTICATED CREDENTIALS")
    print(f"{name}: certificate and token: settled and audited", flush=True)


def usage(name, command):
    """Help is printed, and invalid options are refused before any call."""
    wrong = (["--no-such-option"], ["--certificate", "a.pem", "--ca", "a.pem"],
             ["--token-file", "token", "--plaintext"])
    asked = [subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
             for options in (["--help"], *wrong)]
    (help_text, _), *refusals = [process.communicate(timeout=PATIENCE) for process in asked]
    check(asked[0].returncode == 0 and "--token-file FILE" in help_text, f"{name} helps: {help_text}")
    for process, (out, error) in zip(asked[1:], refusals):
        # argparse has a status of its own for it.
        check(process.returncode in (2, 64) and not out and error.count("usage: ") == 1,
              f"{name} tells its usage: {process.returncode} {out}{error}")


LOCKED = [sys.executable, str(ROOT / "examples/python/locked_round.py")]


def play_locked(shown, home, rounds, transcript):
    """Rounds under a policy that demands locks and a chain."""
    key = next((home / "keyring").glob("ledger-*.key"))
    ran = subprocess.run([*LOCKED, *shown, "--ledger-key", key, "--rounds", str(rounds), "--transcript", transcript],
                         capture_output=True, text=True, timeout=2 * PATIENCE)
    check(ran.returncode == 0 and ran.stdout.count(" net ") == 2 * rounds, f"locked: {ran.stdout}{ran.stderr}")
    audited(transcript, root_key(home / "keyring"))
    kinds = [(one["kind"], one["payload"], one["signatures"]) for one in map(opened, transcript.open())]
    tickets = [payload for kind, payload, _ in kinds if kind == "ticket"]
    check(len(tickets) == rounds and all(len(one["client"]) == len(one["seat_keys"]) == 2 for one in tickets),
          f"each round has client seeds and keys of its seats: {tickets}")
    check(all(signatures for _, _, signatures in kinds), "every record of a locked round is signed")


def opened(line):
    """A record of a transcript: its kind, its payload, its signatures."""
    envelope = json.loads(line)
    kind = envelope["payloadType"].removeprefix("application/vnd.pge.").removesuffix(".v1+json")
    return {"kind": kind, "payload": json.loads(base64.b64decode(envelope["payload"])),
            "signatures": envelope["signatures"]}


def writes_no_record():
    """The engine writes what is signed: the client has no JSON and no base64, and hashes but its players' seeds."""
    source = pathlib.Path(LOCKED[1]).read_text()
    imported = set(re.findall(r"^(?:import|from) ([\w.]+)", source, flags=re.M))
    ours = {"hashlib", "pathlib", "secrets", "sys", "round", "cryptography.hazmat.primitives.asymmetric.ed25519"}
    check(imported == ours and source.count("hashlib.") == 1, f"{imported}")


def locked(shown, home):
    """Locked rounds; by another ledger's key, none."""
    writes_no_record()
    command = [*LOCKED, *shown]
    play_locked(shown, home, 3, home / "locked.jsonl")
    other = home / "other.key"
    other.write_text(f"paigow-key-1\nrole ledger\nsecret {'5a' * 32}\n")
    refused([*command, "--ledger-key", str(other)], home, "INVALID_ARGUMENT BAD_SIGNATURE")
    usage("locked rounds", [*command[:2], "--ledger-key", str(other)])
    print("python: three locked rounds: settled and audited", flush=True)


def at_its_limit(name, server, calls, play_one):
    """A round of so many calls that meets its tenant's limit between them, and waits each time as the server asks."""
    turned_away = lambda: server.log.read_text().count('"TENANT_RATE"')
    before = turned_away()
    play_one()
    # Each of its calls but the first is too early once, and hardly ever twice: the delay is exact.
    times = turned_away() - before
    check(calls - 1 <= times <= 2 * calls, f"{name} is turned away at its limit, and waits: {times} times")
    print(f"{name}: at its tenant's limit: settled and audited", flush=True)


def by_hand(server, ca, own, home):
    """A round with buf curl by the contract's files, and a call by the server's reflection."""
    transcript, at = home / "buf.jsonl", f"https://{server.address}"
    shown = ["--cacert", ca, "--cert", own[0], "--key", own[1]]
    ran = subprocess.run([ROOT / "examples/buf/round", at, transcript, *shown], capture_output=True, text=True)
    check(ran.returncode == 0 and " net " in ran.stdout, f"buf curl plays: {ran.stdout}{ran.stderr}")
    audited(transcript, root_key(home / "keyring"))
    ran = subprocess.run(["buf", "curl", "--protocol", "grpc", *shown, f"{at}/{SERVICE}/GetEngine"],
                         capture_output=True, text=True)
    check(ran.returncode == 0 and "manifest" in json.loads(ran.stdout), f"reflection serves: {ran.stderr}")
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
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as ends:
        home = pathlib.Path(folder)
        ca, certificate, own = authority(home / "tls")
        commands = list(clients(options, home))
        access = home / "access.toml"
        access.write_text(ACCESS)
        certified = replica(options, home, "certified", certificate, {
            "access.file": access, "tls.client_ca_file": ca, "tls.client_certificates": "required"})
        tokens = replica(options, home, "tokens", certificate, {"access.file": access})
        tight = home / "tight.toml"
        tight.write_text(TIGHT)
        limited = replica(options, home, "limited", certificate, {"access.file": tight})
        for server in (certified, tokens, limited):
            ends.callback(server.stop)
            server.start()
        strangers = Strangers(certified, ca, home, commands)
        ends.callback(strangers.stop)
        for scenario, replicas, again in REPLACED:
            for name, command in commands:
                servers = [replica(options, home, f"{name}-{replicas}-{i}", certificate) for i in range(replicas)]
                through_a_kill(name, command, servers, again, ca, home)
                rounds += 1
                print(f"{name}: {scenario}: settled and audited", flush=True)
        with_certificate = [*to([certified], ca), "--certificate", str(own[0]), "--key", str(own[1])]
        with_token = [*to([tokens], ca), "--token-file", token_file(home, TOKEN)]
        for name, command in commands:
            let_in(name, command, with_certificate, with_token, home)
            usage(name, command)
        with_locked_token = ["--token-file", token_file(home, LOCKED_TOKEN)]
        locked([*to([tokens], ca), *with_locked_token], home)
        for name, command in commands:
            transcript = home / f"{name}-limited.jsonl"
            shown = [*to([limited], ca), "--token-file", token_file(home, TOKEN)]
            at_its_limit(name, limited, 3, lambda: play([*command, *shown], transcript))
            audited(transcript, root_key(home / "keyring"))
        at_its_limit("locked rounds", limited, 10, lambda: play_locked(
            [*to([limited], ca), *with_locked_token], home, 1, home / "locked-limited.jsonl"))
        if options.buf:
            by_hand(certified, ca, own, home)
        strangers.have_given_up()
    print(f"clients: {rounds} rounds through a killed server, all settled; callers by certificate and token, "
          "and at their tenant's limit", flush=True)


if __name__ == "__main__":
    main(run)
