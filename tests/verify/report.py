"""What an audit found: as JSON, member for member as `paigow-lab audit --json` prints it, and as text."""
from .hands import NAMES


def _present(members):
    """Proto JSON leaves out what is empty, zero or false."""
    return {name: value for name, value in members.items() if value not in (None, "", "0", 0, False, [], {})}


def _cards(numbers):
    return [NAMES[card] for card in numbers]


def _setting(side):
    return _present({"low": _cards(side["low"]), "high": _cards(side["high"]),
                     "lowCategory": side["low_category"], "highCategory": side["high_category"],
                     "clauseId": side.get("clause"), "houseWay": "house_way" in side})


def _line(line):
    pays = line.get("pays") and {name: str(value) for name, value in line["pays"].items()}
    return _present({"bet": line["bet"], "stakeMinor": line["stake"], "row": line.get("row"),
                     "status": "LINE_STATUS_" + line["status"].upper(), "pays": pays,
                     "winMinor": line["win"], "commissionMinor": line["commission"],
                     "returnMinor": line["return"], "uncoveredMinor": line.get("uncovered"),
                     "causedBySeat": line.get("caused_by_seat")})


def _seat(seat, result):
    base = None
    if "outcome" in result:
        base = _present({"high": "COMPARISON_" + result["high_result"].upper(), "foul": result["foul"],
                         "low": "COMPARISON_" + result["low_result"].upper(),
                         "outcome": "OUTCOME_" + result["outcome"].upper(), "setting": _setting(result)})
    return _present({"seat": int(seat), "base": base, "lines": list(map(_line, result["lines"])),
                     "netMinor": result["net"]})


def _round(this):
    if this.get("ticket").body is None:
        return None
    ticket, close, deal = this.ticket, this.get("settle"), this.get("deal")
    found = {"roundId": ticket["round_id"], "table": ticket["table"], "roundNo": ticket["round_no"]}
    if this.readable and close is not None and not close.refused:
        found["disposition"] = "DISPOSITION_VOID" if this.void else "DISPOSITION_SETTLE"
    if this.deck is not None:
        found |= {"roundSeed": this.seed.hex(), "deck": _cards(this.deck), "dice": deal.body["dice"]}
    if this.results is not None:
        bank = this.results["bank"]
        found |= {"bank": _present({"cards": _cards(close.body["dealer"]), "setting": _setting(bank), "seat": this.banker,
                                    "netMinor": bank["net"]}),
                  "seats": [_seat(*pair) for pair in this.results["seats"].items()],
                  "commissionMinor": this.results["commission"], "feesMinor": this.results["fees"],
                  "houseNetMinor": this.results["house_net"]}
    return _present(found)


def as_json(audit):
    checks = [_present({**check, "status": "CHECK_STATUS_" + check["status"].upper()})
              for check in audit.findings.checks()]
    return _present({"verdict": "VERDICT_" + audit.verdict.upper(), "code": audit.code, "checks": checks,
                     "rounds": [found for found in map(_round, audit.rounds) if found],
                     "rootKeys": audit.root_keys, "threshold": audit.threshold})


PASSED = {
    "FORMAT": "every line is a record, in its order",
    "CANONICAL": "every payload is in the one form that is signed",
    "MANIFEST_SIG": "enough trusted root keys signed the manifests",
    "MANIFEST_LINK": "the manifest lists epoch, tenant, ruleset and engine",
    "SIGNATURES": "every record is signed by a key of its role",
    "CHAIN": "the records of each round link to one another",
    "POLICY": "what the tenant's policy demands is there",
    "ROUND_ID": "each round's id follows from its place",
    "GENESIS": "each round follows the close before, or the manifest",
    "CLIENT_COMMIT": "the client seeds were committed to before the deal",
    "LOCK_COVERS_ACTIONS": "the final lock covers exactly the decisions",
    "COMMIT": "the server seed was committed to before the deal",
    "REPLAY": "seed, deck and dice follow from the revealed seeds",
    "DECK_COMMIT": "the deck was fixed when the first cards were shown",
    "CARDS_SHOWN": "the cards shown are those that the deck deals",
    "RESULTS": "hands, wins and money follow from the rules",
    "EPOCH_COMMIT": "the epoch's secret is the one committed to",
    "EPOCH_SALT": "the epoch's salt is what its source gives",
    "SALT_AFTER_COMMIT": "the salt came after the commitment",
    "SEED_WAS_NOT_CHOSEN": "each server seed was derived, not chosen",
    "NO_FORK": "no round has two different records of one kind",
}


def as_text(audit):
    lines = []
    for this in audit.rounds[:20]:
        if this.readable:
            nets = this.results and ", ".join(
                f"seat {seat} {result['net']}" for seat, result in this.results["seats"].items())
            lines.append(f"{this.where}: table {this.ticket['table']}, number {this.ticket['round_no']}: "
                         f"{nets or 'nothing recomputed'}")
    if len(audit.rounds) > 20:
        lines.append(f"... and {len(audit.rounds) - 20} rounds more")
    for check in audit.findings.checks():
        note = PASSED[check["code"]]
        if check["status"] != "passed":
            where = f"{check['where']}: " if check["where"] else ""
            wanted = f"; expected {check['expected'][:160]}" if check["expected"] else ""
            note = f"{where}{check['found'][:160]}{wanted}"
        lines.append(f"{check['code']:<20} {check['status']:<8} {note}")
    return "\n".join([*lines, f"verdict: {audit.verdict}" + (f" ({audit.code})" if audit.code else "")])
