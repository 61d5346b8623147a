"""Engine, Python and JavaScript on the same random rounds: every check, card and amount alike.

    python tests/agree/agree.py --lab PROGRAM --server PROGRAM [--rounds N] [--seed TEXT] [--keep FOLDER]
    python tests/agree/agree.py --lab PROGRAM --root KEY FILE...

The first makes a keyring of each suite with tenants of every policy, starts a real server for each tenant,
plays N random rounds under every ruleset, shipped or an example (400 make 2,400 under each), and has each transcript audited
by `paigow-lab audit`, `verifiers/python` and the page's `cli.mjs`. All have to find that it
matches, and the same in it: the status of each check, decks, dice, settings, clauses, lines and
money. At last `paigow-lab replay-all` goes through all of them at once. Texts are each one's own.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from keyring import EXAMPLES, LISTED, OWN, OWN_FILES, POLICIES, Keyring

from common import ROOT, Server, check, main
from player import Player


def audited(command):
    """What a verifier says, without the texts that are its own."""
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    check(ran.stdout and ran.returncode in (0, 1, 2, 3),
          f"{command[0]} ended with {ran.returncode}: {ran.stderr[-1500:]}")
    said = json.loads(ran.stdout)
    said.pop("because", None)
    for part in (said, *said.get("rounds", [])):
        part["checks"] = [(one["code"], one["status"]) for one in part["checks"]]
        part["claims"] = [(one["name"], one["status"]) for one in part["claims"]]
    return said


def difference(one, other, path="answer"):
    """The first place where two answers differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(set(one) | set(other)):
            if one.get(name) != other.get(name):
                return difference(one.get(name), other.get(name), f"{path}.{name}")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, pair in enumerate(zip(one, other)):
            if pair[0] != pair[1]:
                return difference(*pair, f"{path}[{i}]")
    return f"{path}: {str(one)[:200]} and {str(other)[:200]}"


def amounts(value):
    """How many amounts an answer states, those above or below 0."""
    if isinstance(value, list):
        return sum(map(amounts, value))
    if isinstance(value, dict):
        return sum(name.endswith("Minor") or amounts(inner) for name, inner in value.items())
    return 0


def compare(options, path, root):
    """Has one transcript audited by all three, and returns what they agree on."""
    # The files are named where they are needed: the engine counts their bets each time.
    own = OWN_FILES if any(path.stem.endswith(one.stem) for one in OWN["rulesets"]) else []
    answers = {
        "engine": audited([options.lab, "audit", path, "--root", root, "--json", *own]),
        "Python": audited([sys.executable, "verifiers/python", path, "--root", root, "--json", *own]),
        "JavaScript": audited([options.node, options.cli, path, "--root", root, *own]),
    }
    engine = answers.pop("engine")
    for name, answer in answers.items():
        check(answer == engine, f"{path}: engine and {name}: {difference(engine, answer)}")
    check(engine["verdict"] == "VERDICT_MATCH", f"{path}: {engine['verdict']} {engine.get('code', '')}")
    return engine


def played(options, folder):
    """Plays all rounds; transcripts with the root that they are audited against."""
    transcripts = []
    for suite, tenants in POLICIES.items():
        keyring = Keyring(options.lab, folder / suite, suite)
        for tenant in tenants:
            server = Server(options.server, folder / f"server-{tenant}", {
                "server.tenant": tenant, "server.allow_dev_policy": True, "keyring.generate": False,
                "rules.directory": EXAMPLES,
                "keyring.root_keys": keyring.root["public"]}, keyring=keyring.folder).start()
            try:
                for ruleset in (pathlib.Path(name).stem for name in LISTED["rulesets"]):
                    path = folder / f"{tenant}-{ruleset}.jsonl"
                    player = Player(server.address, keyring, tenant, ruleset, options.seed)
                    path.write_bytes(player.transcript(options.rounds))
                    transcripts.append((path, keyring.root["public"]))
            finally:
                server.stop()
    return transcripts


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--root", help="the root public key that FILEs are audited against")
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    parser.add_argument("--server", type=pathlib.Path)
    parser.add_argument("--node", default="node")
    parser.add_argument("--rounds", type=int, default=4, help="under each ruleset, for each tenant")
    parser.add_argument("--seed", default="1", help="what wagers and decisions are made from")
    parser.add_argument("--keep", type=pathlib.Path, help="a new folder for the transcripts")
    options = parser.parse_args()
    if bool(options.files) != bool(options.root) or bool(options.files) == bool(options.server):
        parser.error("either --server, or --root and FILEs")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        transcripts = [(path.resolve(), options.root) for path in options.files] or played(options, folder)
        # The page is compiled into the lab.
        subprocess.run([options.lab, "page", folder / "page"], check=True, stdout=subprocess.DEVNULL)
        options.cli = folder / "page/cli.mjs"
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            agreed = list(pool.map(lambda one: compare(options, *one), transcripts))
        replayed = replay(options, transcripts)
    rounds = [one for answer in agreed for one in answer["rounds"]]
    statuses = collections.Counter(status for answer in agreed for _, status in answer["checks"])
    lines = sum(len(seat["lines"]) for one in rounds for seat in one.get("seats", []))
    voids = sum(one["disposition"] == "DISPOSITION_VOID" for one in rounds)
    check(replayed == len(rounds), f"replay-all found {replayed} rounds of {len(rounds)}")
    print(f"{len(rounds)} rounds in {len(agreed)} transcripts, {voids} of them void: engine, Python and JavaScript "
          f"agree on every check ({statuses['CHECK_STATUS_PASSED']} passed, "
          f"{statuses['CHECK_STATUS_SKIPPED']} skipped), {lines} lines and {amounts(rounds)} amounts")


def replay(options, transcripts):
    """Replays all transcripts of each root at once, and returns how many rounds there were."""
    found = 0
    for root in dict.fromkeys(root for _, root in transcripts):
        files = [path for path, of in transcripts if of == root]
        said = subprocess.run([options.lab, "replay-all", *files, "--root", root, "--json", *OWN_FILES],
                              capture_output=True, text=True)
        check(said.returncode in (0, 2), f"replay-all ended with {said.returncode}: {said.stdout[-1000:]}")
        found += int(json.loads(said.stdout)["rounds"])
    return found


if __name__ == "__main__":
    main(run)
