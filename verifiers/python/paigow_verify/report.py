"""The findings of an audit: as JSON, member for member as `paigow-lab audit --json` prints it, and as text."""
from .hands import NAMES
from .verdicts import first_failed


def _present(members):
    """Proto JSON leaves out what is empty, zero or false. Numbers of 64 bits are texts there."""
    def is_empty(name, value):
        is_number = name.endswith("Minor") or name in ("num", "den", "roundNo")
        return value in (None, "", 0, [], {}) or is_number and value == "0"
    return {name: value for name, value in members.items() if not is_empty(name, value)}


def _cards(numbers):
    return [NAMES[card] for card in numbers]


def _category(words):
    return "HAND_CATEGORY_" + words.upper().replace(" ", "_")


def _setting(side):
    return _present({"low": _cards(side["low"]), "high": _cards(side["high"]), "clauseId": side.get("clause"),
                     "lowCategory": _category(side["low_category"]),
                     "highCategory": _category(side["high_category"]),
                     "houseWay": "house_way" in side})


def _line(line):
    pays = line.get("pays") and {name: str(value) for name, value in line["pays"].items()}
    amounts = {f"{name}Minor": line.get(name) for name in ("stake", "win", "commission", "return", "uncovered")}
    return _present({"bet": line["bet"], "row": line.get("row"), "status": "LINE_STATUS_" + line["status"].upper(),
                     "pays": pays, "causedBySeat": line.get("caused_by_seat"), **amounts})


def _seat(seat, result, fees):
    fee = int(fees.get(seat, 0))
    # The part of a net that neither lines nor fee explain is the commission of the player who banks.
    of_lines = sum(int(line["return"]) - int(line["stake"]) for line in result["lines"])
    bank_commission = of_lines - fee - int(result["net"])
    base = None
    if "outcome" in result:
        base = _present({"high": "COMPARISON_" + result["high_result"].upper(), "foul": result["foul"],
                         "low": "COMPARISON_" + result["low_result"].upper(),
                         "outcome": "OUTCOME_" + result["outcome"].upper(), "setting": _setting(result)})
    return _present({"seat": int(seat), "base": base, "lines": list(map(_line, result["lines"])),
                     "netMinor": result["net"], "feeMinor": str(fee),
                     "bankCommissionMinor": str(bank_commission)})


def _checks(checks):
    return [_present({**check, "status": "CHECK_STATUS_" + check["status"].upper()}) for check in checks]


def _claims(claims):
    return [_present({**claim, "status": "CLAIM_STATUS_" + claim["status"].upper()}) for claim in claims]


def _round(this):
    ticket, close = this.ticket, this.get("settle")
    found = {"roundId": ticket["round_id"], "table": ticket["table"], "roundNo": ticket["round_no"],
             "verdict": "VERDICT_" + this.verdict[0].upper(), "code": first_failed(this.checks),
             "checks": _checks(this.checks), "claims": _claims(this.claims)}
    if this.has_ended:
        found["disposition"] = {"void": "DISPOSITION_VOID", "settled": "DISPOSITION_SETTLE"}[close.body["disposition"]]
    if this.deck is not None:
        found |= {"roundSeed": this.seed.hex(), "deck": _cards(this.deck), "dice": this.get("deal").body["dice"]}
    if this.results is not None:
        bank = this.results["bank"]
        found |= {"bank": _present({"cards": _cards(close.body["dealer"]), "setting": _setting(bank),
                                    "seat": this.banker, "netMinor": bank["net"]}),
                  "seats": [_seat(*pair, this.get("deal").body["fees"]) for pair in this.results["seats"].items()],
                  "commissionMinor": this.results["commission"], "feesMinor": this.results["fees"],
                  "houseNetMinor": this.results["house_net"]}
    return _present(found)


def as_json(audit):
    return _present({"verdict": "VERDICT_" + audit.verdict.upper(), "code": audit.code,
                     "because": audit.because, "checks": _checks(audit.checks), "claims": _claims(audit.claims),
                     "rounds": [_round(this) for this in audit.rounds if this.ticket],
                     "rootKeys": audit.root_keys, "threshold": audit.threshold,
                     "witnessKeys": list(audit.terms.witnesses),
                     "beaconChains": sorted(set(audit.terms.beacons))})


def as_text(audit):
    lines = []
    for this in audit.rounds:
        if this.results:
            nets = ", ".join(f"seat {seat} {result['net']}" for seat, result in this.results["seats"].items())
            lines.append(f"{this.where}: table {this.ticket['table']}, number {this.ticket['round_no']}: {nets}")
    for check in audit.checks:
        expected = f"expected {check['expected'][:160]}" if "expected" in check else None
        notes = filter(None, (check.get("where"), expected, check.get("found", "")[:240]))
        lines.append(f"{check['code']:<20} {check['status']:<8} {'; '.join(notes)}".rstrip())
    shows = {claim["name"]: claim["shows"] for claim in audit.known["claims"]}
    for claim in audit.claims:
        notes = [claim["why"]] if claim["status"] != "shown" else [shows[claim["name"]], claim["why"]]
        status = claim["status"].replace("_", " ")
        lines.append(f"{claim['name']:<24} {status:<10} {' '.join(notes)}".rstrip())
    return "\n".join([*lines, f"verdict: {audit.verdict}: {audit.because}"])
