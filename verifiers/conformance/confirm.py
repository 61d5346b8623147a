"""Asks the engine's own program, `paigow-lab`, for its answer to cases of the kit."""
import hashlib
import json
import pathlib
import subprocess
import tempfile
from collections import defaultdict
from datetime import UTC, datetime

STATUS = "CHECK_STATUS_"


def options(terms, folder):
    """The terms of an audit as the options of each program that makes one. Files of them go to the folder.
    Without a time they have a time at which nothing is overdue."""
    words = [word for key in terms.get("witnesses", ()) for word in ("--witness", key)]
    words += [word for chain in terms.get("beacons", ()) for word in ("--beacon", chain)]
    words += [word for pair in terms.get("after", {}).items() for word in ("--after", ":".join(pair))]
    words += ["--as-of", datetime.fromtimestamp(terms.get("as_of", 0), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")]
    if "manifest" in terms:
        words += ["--manifest", terms["manifest"]]
    if "my_seat" in terms:
        words += ["--my-seat", "=".join(map(str, filter(None, (terms["my_seat"], terms.get("my_seat_key")))))]
    if terms.get("proofs"):
        text = "".join(line + "\n" for line in terms["proofs"])
        file = pathlib.Path(folder, f"proofs-{hashlib.sha256(text.encode()).hexdigest()[:16]}")
        file.write_text(text)
        words += ["--proof", str(file)]
    for text in terms.get("log_copies", ()):
        file = pathlib.Path(folder, f"log-{hashlib.sha256(text.encode()).hexdigest()[:16]}")
        file.write_text(text)
        words += ["--log-copy", str(file)]
    return words


def _lines(command, asked):
    text = "".join(json.dumps(line) + "\n" for line in asked)
    ran = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def _differ(case, ours, theirs):
    if ours != theirs:
        raise SystemExit(f"{case['case']}: expected {ours}, the engine says {theirs}")


def _sets(lab, cases):
    by_way = defaultdict(list)
    for case in cases:
        by_way[case["input"]["house_way"]].append(case)
    for way, asked in by_way.items():
        found = _lines([lab, "set", way], [{"cards": case["input"]["cards"]} for case in asked])
        for case, answer in zip(asked, found, strict=True):
            wanted = case["expect"]
            _differ(case, (sorted(wanted["low"]), sorted(wanted["high"]), wanted["clause"]),
                    (sorted(answer["low"]), sorted(answer["high"]), answer["clause"]))


def _rows(lab, cases):
    by_ruleset = defaultdict(list)
    for case in cases:
        by_ruleset[case["input"]["ruleset"]].append(case)
    for ruleset, asked in by_ruleset.items():
        found = _lines([lab, "judge", ruleset],
                       [{name: case["input"][name] for name in ("cards", "choice") if name in case["input"]}
                        for case in asked])
        for case, answer in zip(asked, found, strict=True):
            bet = next(bet for bet in answer["bets"] if bet["bet"] == case["input"]["bet"])
            pays = bet["result"]
            if "pays" in bet:
                pays = f"{bet['pays']['num']}/{bet['pays']['den']}"
            elif "meter_share" in bet:
                pays = f"meter:{bet['meter_share']['num']}/{bet['meter_share']['den']}"
            _differ(case, (case["expect"].get("row"), case["expect"].get("pays", "lost")), (bet.get("row"), pays))


def _verdict(report):
    return report["verdict"].removeprefix("VERDICT_").lower()


def _audit(lab, case):
    given, wanted = case["input"], case["expect"]
    with tempfile.TemporaryDirectory() as folder:
        words = [word for key in given["root_keys"] for word in ("--root", key)] + options(given, folder)
        for option, name in (("--house-way", "house_ways"), ("--ruleset", "rulesets")):
            for i, text in enumerate(given.get(name, [])):
                path = pathlib.Path(folder) / f"{name}-{i}.toml"
                path.write_bytes(text.encode())
                words += [option, str(path)]
        ran = subprocess.run([lab, "audit", "-", *words, "--threshold", str(given["threshold"]), "--json"],
                             input="".join(line + "\n" for line in given["transcript"]), capture_output=True,
                             text=True, timeout=600)
    if ran.returncode not in (0, 1, 2, 3):
        raise SystemExit(f"{case['case']}: {ran.stderr}")
    found = json.loads(ran.stdout)
    checks = {check["code"]: check["status"].removeprefix(STATUS).lower() for check in found["checks"]}
    claims = {claim["name"]: claim["status"].removeprefix("CLAIM_STATUS_").lower() for claim in found["claims"]}
    _differ(case, (wanted["verdict"], wanted["code"], wanted["checks"], wanted["claims"]),
            (_verdict(found), found.get("code", ""), checks, claims))
    if "rounds" in wanted:
        theirs = []
        for this in found.get("rounds", []):
            entry = {"round_id": this["roundId"], "verdict": _verdict(this)}
            if "disposition" in this:
                entry["disposition"] = {"SETTLE": "settled", "VOID": "void"}[this["disposition"].split("_")[1]]
            if "bank" in this:
                entry |= {"bank_net": this["bank"].get("netMinor", "0"), "house_net": this.get("houseNetMinor", "0"),
                          "nets": {str(seat["seat"]): seat.get("netMinor", "0") for seat in this["seats"]}}
            theirs.append(entry)
        _differ(case, wanted["rounds"], theirs)


def confirm(lab, cases):
    """Compares the cases that the program can answer. Returns how many there are."""
    by_op = defaultdict(list)
    for case in cases:
        by_op[case["op"]].append(case)
    _sets(lab, by_op["set"])
    _rows(lab, by_op["row"])
    for case in by_op["audit"]:
        _audit(lab, case)
    return sum(len(by_op[op]) for op in ("set", "row", "audit"))
