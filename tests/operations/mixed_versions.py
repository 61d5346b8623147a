"""Replicas of two builds side by side: an upgrade, and its rollback.

    mixed_versions.py --old paigow-server --new paigow-server --lab paigow-lab

`--new` is built from the tree that `next_version` makes of the source of `--old`: it has one more optional field in
`GetEngineResponse`, and one more operational setting. Keys and manifests are those of docs/operate/keys.md. Must hold:

1. A round that one build has opened is dealt by the other and settled by the first, in both directions, and audits.
   Both give the identical answer to one request.
2. A caller that knows the old contract reads the answer with the new field. The old build answers a request with a
   field that it does not know.
3. The old build refuses the new setting by its name, from a file and from the environment, with exit code 78.
4. Binaries and then settings, one replica after the other, and back in the reverse order: a round that was dealt
   before each step is settled after it.
5. One release record lists both binaries, and both builds verify themselves by it: the new setting is operational.
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

from ceremony import Ceremony, Platform, ledger_key, lines_of
from common import ROOT, check, keys, lab, main, pb, wait_until
from recovery import LOST_KEYS, Replica, audit

SETTING = "log.next_version"


def run():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("old", "new", "lab"):
        parser.add_argument(f"--{name}", required=True, type=lambda given: pathlib.Path(given).resolve())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="paigow-versions-") as folder:
        home = pathlib.Path(folder)
        ceremony = Ceremony(home / "ceremony", options.lab.parent)
        refuses_the_setting_by_its_name(options, home)
        for drill in (side_by_side, rolls_out_and_back, one_record_lists_both):
            drill(options, ceremony.copy(home / drill.__name__))
            print(f"{drill.__name__.replace('_', ' ')}: holds", flush=True)


class Site:
    """Two replicas of one operator, each of either build."""

    def __init__(self, options, shell):
        self.options, self.shell = options, shell
        self.ledger = ledger_key(shell.key_file("wallet"))
        self.replicas = {}

    def start(self, name, build, **settings):
        """Starts a replica, or replaces it: the old process drains, and its evidence goes on."""
        before = self.replicas.get(name)
        if before:
            before.end()
        options = argparse.Namespace(server=build, lab=self.options.lab)
        self.replicas[name] = Replica(options, self.shell, name, **settings).start()
        return Platform(self.replicas[name], self.ledger)

    def stop(self):
        for replica in self.replicas.values():
            replica.stop()


def refuses_the_setting_by_its_name(options, home):
    file = home / "settings.toml"
    file.write_text("[log]\nnext_version = 1\n")
    named = "PAIGOW__LOG__NEXT_VERSION"
    for how, arguments, environment in (("a file", [file], {}), ("the environment", [], {named: "1"})):
        codes = {}
        for build in (options.old, options.new):
            ran = subprocess.run([build, "--check-config", *arguments], env=environment, cwd=home, capture_output=True,
                                 text=True)
            codes[build] = (ran.returncode, "next_version" in (ran.stdout + ran.stderr).lower())
        check(codes == {options.old: (78, True), options.new: (0, True)}, f"by {how}: {codes}")
    print("the old build refuses the new setting by its name", flush=True)


def side_by_side(options, shell):
    site = Site(options, shell)
    try:
        old, new = site.start("old", options.old), site.start("new", options.new)
        for table, one, other in (("T1", old, new), ("T2", new, old)):
            last = None
            for number in range(1, 4):
                records = one.settle(other.deal(one.open(table, number, last)))
                last = records[-1]
                audit(options, shell, records, 3)
        # One question to both.
        ticket = old.open("T3", 1)
        check(old.deal(ticket) == new.deal(ticket), "the builds deal differently")

        raw = {name: one.calls.raw("GetEngine", b"") for name, one in (("old", old), ("new", new))}
        added = b"\x9a\x01\x04next"
        check(added in raw["new"] and added not in raw["old"], "the new build alone has the field")
        read = {name: pb.GetEngineResponse.FromString(answer) for name, answer in raw.items()}
        check(read["new"].manifest == read["old"].manifest and read["new"].policy == read["old"].policy,
              "a caller with the old contract reads the new answer")
        check(old.calls.raw("GetEngine", added) == raw["old"], "the old build ignores a field that it does not know")

        # Both load the next manifest.
        shell.run(lines_of(LOST_KEYS, "A root key of three"))
        for replica in site.replicas.values():
            replica.takes(1)
        audit(options, shell, new.settle(old.deal(new.open("T3", 2, new.settle(new.deal(ticket))[-1]))), 3)
    finally:
        site.stop()


def rolls_out_and_back(options, shell):
    """Each step replaces one replica. The new replica settles the rounds that were dealt before."""
    site = Site(options, shell)
    steps = [("a", options.new, {}), ("b", options.new, {}),
             ("a", options.new, {SETTING: 1}), ("b", options.new, {SETTING: 1}),
             ("a", options.new, {}), ("b", options.new, {}),
             ("a", options.old, {}), ("b", options.old, {})]
    try:
        at = {name: site.start(name, options.old) for name in ("a", "b")}
        last = None
        for number, (name, build, settings) in enumerate(steps, 1):
            other = "b" if name == "a" else "a"
            dealt = at[name].deal(at[other].open("T1", number, last))
            at[name] = site.start(name, build, **settings)
            records = at[name].settle(dealt)
            audit(options, shell, records, 3)
            last = records[-1]
        # The old build refuses the setting before and after.
        refused = Replica(argparse.Namespace(server=options.old, lab=options.lab), shell, "c", **{SETTING: 1})
        refused.refuses_to_start("LOG__NEXT_VERSION")
        folders = [replica.evidence for replica in site.replicas.values()]
        for replica in site.replicas.values():
            replica.end()
        report = json.loads(lab(options.lab, "sink", "verify", "--json", *folders))
        check(not report["faults"] and not report["open_tickets"], f"evidence of both builds: {report}")
    finally:
        site.stop()


def one_record_lists_both(options, shell):
    """The record of both binaries, made with the `paigow-lab` of the old build."""
    site = Site(options, shell)
    try:
        binaries = []
        for name, build in (("paigow-server", options.old), ("paigow-server-next", options.new)):
            (shell.home / name).write_bytes(build.read_bytes())
            (shell.home / name).chmod(0o755)
            binaries.append(shell.home / name)
        verdicts = {}
        for binary in binaries:
            replica = Replica(argparse.Namespace(server=binary, lab=options.lab), shell,
                              f"replica-{binary.name}", **{"verification.release_file": shell.home / f"{binary.name}.jsonl"})
            sign(options, shell, binaries, replica)
            site.replicas[binary.name] = replica.start()
            wait_until(lambda: {"verified", "verification_failed"} & set(replica.events()), "it verifies itself")
            lines = [json.loads(line) for line in replica.log.read_text().splitlines() if line.startswith("{")]
            facts = [line.get("facts", "") for line in lines if line.get("event") == "verification_failed"]
            passed = replica.figure("paigow_verification_passed")
            verdicts[binary.name] = (passed, sorted(set(re.findall(r"\b(?:EXECUTABLE|BUILD|SHARED_OBJECTS|RULESETS|"
                                                                   r"CONFIGURATION|KNOWN_ANSWERS)\b", "".join(facts)))))
        wanted = {"paigow-server": (1, []), "paigow-server-next": (1, [])}
        check(verdicts == wanted, f"verifications by the record of the old build: {verdicts}")
    finally:
        site.stop()


def sign(options, shell, binaries, replica):
    """Makes the record of both binaries for the settings of a replica, and has two holders sign it."""
    settings, draft = shell.home / "empty.toml", shell.home / "draft"
    settings.write_text("")
    libraries = set()
    for binary in binaries:
        linked = subprocess.run(["ldd", binary], capture_output=True, text=True).stdout
        libraries |= set(re.findall(r"(/\S+)", linked))
    files = [word for binary in binaries for word in ("--binary", binary)]
    files += [word for library in sorted(libraries) for word in ("--library", library)]
    ran = subprocess.run([options.lab, "release", "make", "--source", ROOT, *files, "--config", settings,
                          "--created", "2026-12-01", "--out", draft], env=replica.environment(), capture_output=True,
                         text=True)
    check(ran.returncode == 0, f"release make: {ran.stdout}{ran.stderr}")
    half = shell.home / "half-release"
    half.write_text(keys(options.lab, "sign-release", draft, "--key", shell.key_file("ann")))
    record = replica.settings["verification.release_file"]
    record.write_text(keys(options.lab, "sign-release", half, "--key", shell.key_file("bob")))
    draft.unlink()


if __name__ == "__main__":
    main(run)
