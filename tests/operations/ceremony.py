"""The ceremony of docs/operate/keys.md for scripts, and the commands that pages show.

`Ceremony` runs the lines of that page once, from the keys to the completed epoch. Each `Shell` gets a copy
of its folders, and the functions of the page: `all`, `salt`, `publish`. A script
then runs the lines of another page unchanged.
"""
import os
import pathlib
import re
import shutil
import subprocess

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from common import ROOT, Calls, Failed, check, connect, pb, reason

EXPRESS = "express"
SEATS = (1, 4)
WAGERS = ((1, "base", 25_00), (1, "dynasty", 5_00), (4, "base", 100_00))


def lines_of(page, heading, since=None, until=None):
    """Returns the commands of the console blocks below a heading of a page: from the text `since` on, up to `until`."""
    text = (ROOT / page).read_text()
    found = re.search(rf"(?m)^(#+) {re.escape(heading)}\n", text)
    check(found, f"{page} has no heading {heading}")
    section = re.split(rf"(?m)^#{{1,{len(found[1])}}} ", text[found.end():])[0]
    for mark in (since, until):
        check(mark is None or section.count(mark) == 1, f"{page}, {heading}: {section.count(mark or '')} times {mark}")
    section = section[section.index(since):] if since else section
    section = section[:section.index(until)] if until else section
    blocks = re.findall(r"(?ms)^```console\n(.*?)^```$", section)
    commands = [line[2:] for block in blocks for line in block.splitlines() if line[:2] in ("$ ", "> ")]
    check(commands, f"{page}, {heading}: no command")
    return "\n".join(commands) + "\n"


# A verification that finds something open or lost ends with 2 or 1. The scripts check its findings.
VERIFY = """
paigow-lab() {
    command paigow-lab "$@" || { code=$?; [ "$1 $2" = "sink verify" ] && [ $code -le 2 ] || return $code; }
}
"""


class Shell:
    """A folder in which the lines of pages are run; a failed line fails the script."""

    def __init__(self, home, programs, defined="", surroundings=None):
        self.home, self.programs, self.defined = pathlib.Path(home), programs, defined
        self.surroundings = surroundings or {}

    def run(self, lines, strict=True, **variables):
        """Runs lines, and returns their standard output. Lines that are not `strict` show failures on purpose."""
        environment = {**os.environ, **self.surroundings, **{k: str(v) for k, v in variables.items()}}
        environment["PATH"] = os.pathsep.join([str(self.programs), environment["PATH"]])
        options = ["-euo", "pipefail"] if strict else ["-u"]
        ran = subprocess.run(["bash", *options, "-c", VERIFY + self.defined + lines + self.KEEP], cwd=self.home,
                             env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        check(ran.returncode == 0, f"lines of a page ended with {ran.returncode}: {lines}\n{ran.stderr[-2000:]}")
        said, self.defined = ran.stdout.split("\0")
        return said

    # Functions and variables of the lines, for those that follow.
    KEEP = r"""
        printf '\0'; declare -f; declare -p root 2>/dev/null || :
    """

    def public(self, name):
        """Returns the public keys in a file that `paigow-keys` printed."""
        return re.findall(r"(?m)^public +(\S+)$", (self.home / name).read_text())

    def key_file(self, folder):
        """Returns the only key file of a folder."""
        [file] = (self.home / folder).glob("*.key")
        return file


class Ceremony:
    """The ceremony of the page, run once in a folder of its own."""

    def __init__(self, home, programs):
        self.home, self.programs = home, programs
        home.mkdir()
        shell = Shell(home, programs)
        shell.run(lines_of("docs/operate/keys.md", "A ceremony, step by step", until="**Play.**"), strict=False)
        shell.run("paigow-keys manifest show keyring/manifests.jsonl $root > /dev/null")
        self.defined = shell.defined

    def copy(self, home, surroundings=None):
        """Returns a shell with a copy of everything that the ceremony made."""
        shutil.copytree(self.home, home)
        return Shell(home, self.programs, self.defined, surroundings)


def ledger_key(file):
    """Returns the key of a key file, to sign as a ledger does."""
    secret = re.search(r"(?m)^secret (\w+)$", file.read_text())[1]
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))


def signed(prepared, key):
    public = key.public_key().public_bytes_raw().hex()
    return pb.Record(envelope=prepared.record.envelope, signatures=[
        pb.Signature(public_key=public, signature=key.sign(prepared.to_sign))])


class Platform:
    """A table's server of the tenant: it opens, deals, settles and voids locked rounds at one replica."""

    def __init__(self, server, ledger):
        self.calls, self.ledger = Calls(connect(server.address, policy=False)), ledger

    def call(self, method, request, answer):
        return self.calls.call(method, request, answer, timeout=30)

    def open(self, table, number, prev=None):
        """Opens a round in the epoch that is open, under the newest manifest."""
        engine = self.calls.engine()
        check(engine.open_epochs, "an epoch is open")
        request = pb.OpenRoundRequest(
            table=table, round_no=number, ruleset=EXPRESS, prev=prev, epoch=engine.open_epochs[0].epoch,
            manifest=engine.manifest, manifest_sequence=engine.manifest_sequence)
        return self.call("OpenRound", request, pb.OpenRoundResponse).ticket

    def deal(self, ticket):
        """Deals to an open round; returns its records so far."""
        sheet = pb.WagerSheet(currency=pb.Currency(code="USD", exponent=2))
        for seat, bet, amount in WAGERS:
            sheet.wagers.add(seat=seat, bet=bet, amount_minor=amount)
        lock = self.call("PrepareDeal", pb.PrepareDealRequest(ticket=ticket, sheet=sheet), pb.PrepareDealResponse).lock
        request = pb.DealRequest(ticket=ticket, lock=signed(lock, self.ledger))
        return list(self.call("Deal", request, pb.DealResponse).records)

    def settle(self, records):
        """Settles a dealt round; returns all of its records."""
        decisions = [pb.Decision(seat=seat, house_way=True) for seat in SEATS]
        request = pb.PrepareSettleRequest(records=records, decisions=decisions)
        prepared = self.call("PrepareSettle", request, pb.PrepareSettleResponse)
        # The tenant's seats do not sign.
        actions = [pb.Record(envelope=one.action.record.envelope) for one in prepared.actions]
        request = pb.SettleRequest(records=records, actions=actions, lock=signed(prepared.lock, self.ledger))
        return [*records, *self.call("Settle", request, pb.SettleResponse).records]

    def void(self, records):
        """Voids a round; returns all of its records."""
        why = pb.VOID_REASON_OPERATOR
        request = pb.PrepareVoidRequest(records=records, reason=why)
        lock = self.call("PrepareVoid", request, pb.PrepareVoidResponse).lock
        request = pb.VoidRoundRequest(records=records, reason=why, lock=signed(lock, self.ledger))
        return [*records, *self.call("VoidRound", request, pb.VoidRoundResponse).records]

    def play(self, table, number, prev=None):
        return self.settle(self.deal(self.open(table, number, prev)))


def refusal(call, *arguments, **more):
    """Makes a call that has to be refused; returns the reason."""
    try:
        call(*arguments, **more)
    except grpc.RpcError as error:
        return reason(error) or f"{error.code().name}: {error.details()}"
    raise Failed(f"{call.__name__} was not refused")
