"""Engine, Python and JavaScript on rounds that nobody has seen before: of every ruleset some are played
against a server, with wagers, decisions and seeds made up, and all three have to tell the same
verdict, the same status of every check, and the same cards, settings and money.

`--rounds N` plays N of each ruleset; 720 make 10,000 in all.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from common import Calls, ROOT, Server, check, connect, lab, main


def report(*command):
    """What one implementation says, and how long it took: sentences apart, which differ."""
    began = time.monotonic()
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True,
                         env=os.environ | {"PYTHONPATH": str(ROOT / "tests")})
    took = time.monotonic() - began
    check(ran.returncode == 0, f"{' '.join(map(str, command[:3]))} ends with a match: {ran.stdout[:500]}{ran.stderr}")
    said = json.loads(ran.stdout)
    statuses = [(one["code"], one["status"]) for one in said["checks"]]
    return said["verdict"], statuses, said["rounds"], took


def difference(ours, theirs, path=""):
    """Where two answers differ first."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        return next(filter(None, (difference(ours[name], theirs[name], f"{path}.{name}") for name in ours)), None)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs))
        return next(filter(None, (difference(*pair, f"{path}[{i}]") for i, pair in pairs)), None)
    return None if ours == theirs else f"{path}: {ours} and {theirs}"


def kept(file, unlike):
    """Keeps the transcript of a difference, since its cards will not come again."""
    if unlike is None:
        return file
    (ROOT / "target/tmp").mkdir(exist_ok=True)
    return shutil.copy(file, ROOT / "target/tmp")


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="the program paigow-server")
    parser.add_argument("--lab", required=True, help="the program paigow-lab")
    parser.add_argument("--rounds", type=int, default=5, help="how many of each ruleset")
    options = parser.parse_args()
    took = dict.fromkeys(("engine", "python", "javascript"), 0.0)
    rounds = 0
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        server = Server(options.server, home, {"evidence.target": "off"}).start()
        try:
            with connect(server.address) as channel:
                about = Calls(channel).engine()
            root = about.root_keys[0]
            for ruleset in sorted(one.id for one in about.rulesets):
                file = home / f"{ruleset}.jsonl"
                lab(options.lab, "play", "--server", f"http://{server.address}", "--quiet", "--ruleset", ruleset,
                    "--rounds", options.rounds, "--seed-of-choices", random.randrange(2**32),
                    "--transcript", file)
                said = {
                    "engine": report(options.lab, "audit", file, "--root", root, "--json"),
                    "python": report(sys.executable, "-m", "verify", file, "--root", root, "--json"),
                    "javascript": report("node", "deploy/verifier/cli.mjs", file, "--root", root),
                }
                for name, (*answer, seconds) in said.items():
                    took[name] += seconds
                    unlike = difference(answer, list(said["engine"][:3]))
                    check(unlike is None, f"{name} agrees with the engine on {kept(file, unlike)}: {unlike}")
                rounds += len(said["engine"][2])
                file.unlink()
        finally:
            server.stop()
    check(rounds == options.rounds * len(about.rulesets), f"every round is told: {rounds}")
    times = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in took.items())
    print(f"agreement: {rounds} rounds of {len(about.rulesets)} rulesets, all told the same ({times})", flush=True)


if __name__ == "__main__":
    main(run)
