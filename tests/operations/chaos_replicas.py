"""Replicas as production runs them, for the chaos run: their keys and files, and the proxy before them."""
import contextlib
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import threading
import time

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from behind_proxies import Envoy
from common import (
    ROOT, Calls, Server, connect, free_port, keys, pb, record_hash, wait_until, witness)

# How many tables each tenant has.
TABLES = 3


class Ceremony:
    """The keys, the manifests and the access file that all replicas share."""

    def __init__(self, lab_binary, home, tenants, hostile):
        self.lab, self.tenants, self.hostile = lab_binary, tenants, hostile
        self.keyring, self.access = home / "keyring", home / "access.toml"
        self.chain, self.desk = self.keyring / "manifests.jsonl", home / "desk"
        self.old_tokens = []
        for folder in (self.keyring, self.desk):
            folder.mkdir(mode=0o700)
        root, receipt, salts = self.make("root", self.desk), self.make("receipt", self.keyring), self.make(
            "witness", self.desk)
        epoch = self.value(keys(self.lab, "epoch", "--epoch", 1, "--out", self.keyring), "commit")
        self.root = root["public"]
        self.root_file = root["file"]
        day = lambda days: time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime(time.time() + days * 86400))
        lines = ["[root]", "threshold = 1", f'keys = ["{self.root}"]',
                 "[[receipt_keys]]", f'public = "{receipt["public"]}"',
                 "[[epochs]]", "epoch = 1", 'suite = "derived"', f'commit = "{epoch}"', f"open_from = {day(-2)}",
                 f"open_until = {day(3)}", f"settle_until = {day(10)}", f'salt = {{ party = "{salts["public"]}" }}']
        for tenant in [*tenants, hostile]:
            key = self.make("ledger", self.desk)
            tenant.ledger = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(
                re.search(r"^secret (\w+)$", pathlib.Path(key["file"]).read_text(), re.M)[1]))
            client, seat_auth = ("committed", "required") if tenant.name == "seats" else ("none", "off")
            lines += ["[[tenants]]", f'tenant = "{tenant.name}"', 'lock = "required"', 'chain = "required"',
                      f'client = "{client}"', f'seat_auth = "{seat_auth}"',
                      f'ledger_keys = ["{key["public"]}"]', f"tables = {json.dumps(tables_of(tenant))}"]
        self.publish("\n".join(lines) + "\n")
        salt = witness(self.lab, "--chain", self.chain, "--root", self.root, "--epoch", 1, "--key", salts["file"],
                       "--list", self.desk / "salts").strip().replace("1 = ", "salt = ")
        completed = re.sub(r"^salt = .*$", lambda _: salt, self.next_description(), flags=re.M)
        self.publish(completed)
        self.write_access()

    @staticmethod
    def value(printed, name):
        return re.search(rf"^{name} +(\S+)$", printed, re.M)[1]

    def make(self, role, folder):
        printed = keys(self.lab, role, "--out", folder)
        return {name: self.value(printed, name) for name in ("public", "file")}

    def next_description(self):
        return keys(self.lab, "manifest", "next", "--chain", self.chain)

    def publish(self, description):
        """Signs a description as the next manifest, and replaces the chain by one that has it."""
        file = self.desk / "manifest.toml"
        file.write_text(description)
        before = ["--chain", self.chain] if self.chain.exists() else []
        one = keys(self.lab, "manifest", "sign", file, *before, "--key", self.root_file)
        chain = self.chain.read_text() if self.chain.exists() else ""
        replace(self.chain, chain + one)

    def rotate(self):
        """Adds a receipt key, which signs from now on, and publishes the manifest that lists it."""
        new = self.make("receipt", self.keyring)["public"]
        first = "[[receipt_keys]]\n"
        head, *listed = self.next_description().split(first)
        # A manifest lists at most 16 keys.
        del listed[8:-1]
        self.publish(head + "".join(first + one for one in [f'public = "{new}"\n\n', *listed]))
        return self.place()

    def place(self):
        """Returns the newest manifest as a request names it."""
        lines = self.chain.read_bytes().splitlines()
        return {"manifest": record_hash(pb.Record(envelope=lines[-1])), "manifest_sequence": len(lines)}

    def write_access(self, more=()):
        """Writes the access file: each tenant with its token and, until they are dropped, with more."""
        text = ""
        for tenant in [*self.tenants, self.hostile]:
            text += f'[[tenants]]\ntenant = "{tenant.name}"\n'
            role = "auditor" if tenant is self.hostile else "table"
            for number, token in enumerate([tenant.token, *(new for of, new in more if of is tenant)]):
                text += (f'[[tenants.clients]]\nname = "{tenant.name}-{number}"\nroles = ["{role}"]\n'
                         f'token_sha256 = "{hashlib.sha256(token.encode()).hexdigest()}"\n')
        replace(self.access, text)


def tables_of(tenant):
    return [f"{tenant.name}-{number}" for number in range(1, TABLES + 1)]


def replace(file, text):
    """Replaces a file at a stroke, as an operator does."""
    replace_all({file: text})


def replace_all(files):
    """Replaces files one right after the other: a server that starts meanwhile would refuse a half of them."""
    written = []
    for file, text in files.items():
        new = file.with_name(f".{file.name}.new")
        new.write_text(text) if isinstance(text, str) else new.write_bytes(text)
        new.chmod(0o600)
        written.append((new, file))
    for new, file in written:
        new.rename(file)


class OwnDisk:
    """A small file system for the evidence of one replica. It is full when its files reach its size."""

    what, command = "disks of their own", []

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1g", "none", folder], check=True)

    def resize(self, size):
        subprocess.run(["mount", "-o", f"remount,size={size}", self.folder], check=True)

    def fill(self, replica):
        # No size is below what the disk holds.
        with replica.stopped():
            used = os.statvfs(self.folder)
            self.resize((used.f_blocks - used.f_bfree) * used.f_frsize)

    def make_room(self, replica):
        self.resize("1g")

    def remove(self):
        subprocess.run(["umount", "--lazy", self.folder], check=True)


class LimitedFiles:
    """A limit on how large the files of a replica may become."""

    what = "limits on the size of files"
    # A write above the limit fails, and does not end the process.
    command = ["env", "--ignore-signal=XFSZ"]

    def __init__(self, folder):
        folder.mkdir()

    def limit(self, replica, size):
        resource.prlimit(replica.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def fill(self, replica):
        self.limit(replica, replica.live_file().stat().st_size)

    def make_room(self, replica):
        self.limit(replica, resource.RLIM_INFINITY)

    def remove(self):
        """Nothing to remove."""


class Replica(Server):
    """A server as production runs it, on a disk of its own, with a disk and a clock that can be disturbed."""

    def __init__(self, options, home, number, settings, disk, shim):
        folder = home / f"replica-{number}"
        folder.mkdir()
        self.number, self.disk, self.busy = number, disk(folder / "disk"), threading.Lock()
        self.evidence, self.faults = folder / "disk/evidence", folder / "faults"
        self.evidence.mkdir()
        self.disturb()
        surroundings = {"LD_PRELOAD": shim, "CHAOS_FAULTS": str(self.faults)} if shim else {}
        command = [*disk.command, str(pathlib.Path(options.server).resolve())]
        command[0] = shutil.which(command[0])
        super().__init__(command, folder, settings | {
            "evidence.directory": self.evidence, "telemetry.instance": f"replica-{number}",
            "server.health_listen": f"127.0.0.1:{free_port()}"},
            keyring=home / "keyring", surroundings=surroundings)

    def live_file(self):
        """Returns the file of evidence that the replica is writing: the names follow the time."""
        return max(self.evidence.glob("*.jsonl"))

    def disturb(self, clock_offset_s=0, sync_delay_ms=0):
        """Disturbs the clock and the disk of the running process. Without arguments they work normally."""
        if not self.faults.exists():
            self.faults.write_bytes(bytes(16))
        with open(self.faults, "rb+") as file:
            file.write(struct.pack("=qq", clock_offset_s, sync_delay_ms))

    @contextlib.contextmanager
    def stopped(self):
        """SIGSTOP until the end of the block."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            state = lambda: pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            wait_until(lambda: state() == "T", f"replica {self.number} is stopped")
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def ask(self, ca, token, method, request, answer):
        """Asks this replica and no other; `None` if it does not answer."""
        credentials = grpc.ssl_channel_credentials(ca.read_bytes())
        with connect(self.address, policy=False, credentials=credentials) as channel:
            try:
                return Calls(channel).call(method, request, answer, timeout=2.0,
                                           metadata=[("authorization", f"Bearer {token}")])
            except grpc.RpcError:
                return None

    def certificate(self, ca):
        """Returns the certificate that the replica shows, or `None`."""
        context = ssl.create_default_context(cafile=ca)
        context.set_alpn_protocols(["h2"])
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2.0) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as connected:
                    return connected.getpeercert(True)
        except OSError:
            return None


class TlsEnvoy(Envoy):
    """The shipped configuration of Envoy, with TLS to the replicas."""

    def __init__(self, folder, ports, ca):
        self.ca = ca
        super().__init__(folder, ports)

    def names(self):
        timeout = "      connect_timeout: 0.5s\n"
        tls = f"""      transport_socket:
        name: envoy.transport_sockets.tls
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
          sni: localhost
          common_tls_context:
            alpn_protocols: [h2]
            validation_context:
              trusted_ca: {{ filename: {self.ca} }}
              match_typed_subject_alt_names: [{{ san_type: DNS, matcher: {{ exact: localhost }} }}]
"""
        return super().names() | {timeout: timeout + tls}


def build_shim(home, server):
    """Builds the library of the slow disk and the clock; `None` where the server would not load it."""
    if b"ld-linux" not in pathlib.Path(server).read_bytes():
        print("the server is linked statically: no slow disk, no clock", flush=True)
        return None
    shim = home / "chaos_faults.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, ROOT / "tests/operations/chaos_faults.c"], check=True)
    return str(shim)
