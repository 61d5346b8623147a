"""python3 verifiers/conformance/run.py [--ask COMMAND] [FILE...]: runs the cases of the kit.

Without --ask the Python verifier answers. With it, any program answers that reads cases as JSON Lines and
writes its answers as JSON Lines in the same order. The status is 0 if every answer is as expected,
1 if one is not, and 2 if a case is not supported and --allow-unsupported is not given.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import threading

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "python")]


def cases(paths):
    for path in paths or sorted(FOLDER.glob("*.jsonl")):
        with open(path, encoding="ascii") as file:
            yield from map(json.loads, file)


def ask(command, asked):
    """One answer for each case, from a program."""
    process = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def write():
        with process.stdin:
            for case in asked:
                question = {name: case[name] for name in ("case", "op", "input")}
                process.stdin.write(json.dumps(question) + "\n")

    threading.Thread(target=write, daemon=True).start()
    for _ in asked:
        line = process.stdout.readline()
        if not line:
            raise SystemExit(f"the program ended with status {process.wait()} before its last answer")
        yield json.loads(line)
    process.wait()


def differences(expected, found):
    """The members that are not as expected; `row` may be absent, which is an answer too."""
    for name, value in expected.items():
        if found.get(name) != value:
            yield f"{name}: expected {json.dumps(value)[:200]}, found {json.dumps(found.get(name))[:200]}"
    if "row" in found and "row" not in expected and "verdict" not in expected:
        yield f"row: expected none, found {found['row']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--ask", metavar="COMMAND")
    parser.add_argument("--allow-unsupported", action="store_true",
                        help="status 0 also where cases are not supported, for a program of a few layers")
    options = parser.parse_args()
    asked = list(cases(options.files))
    if options.ask:
        found = ask(options.ask, asked)
    else:
        from answers import answer
        found = map(answer, asked)
    wrong = unsupported = 0
    for case, answered in zip(asked, found):
        if answered.get("unsupported"):
            unsupported += 1
            continue
        # A program states which checks it skipped because it lacks BLS. Everything else has to follow from that.
        is_blind = "unverified" in answered and "without_bls" in case
        faults = list(differences(case["without_bls" if is_blind else "expect"], answered))
        wrong += bool(faults)
        for fault in faults:
            print(f"{case['case']} ({case['op']}): {fault}")
    print(f"{len(asked)} cases, {wrong} wrong, {unsupported} not supported")
    return 1 if wrong else 2 if unsupported and not options.allow_unsupported else 0


if __name__ == "__main__":
    sys.exit(main())
