"""Measures a production round: locked by a ledger, chained to the round before, of two seats.

    target/python/bin/python benches/round.py          builds for release and measures
    ... benches/round.py --before COMMAND              an older build in the same turns
    ... benches/round.py --quick                       a tenth of the calls
    ... benches/round.py --evidence                    with every record kept in files
    ... benches/round.py --suites PAIGOW-LAB           the vrf suite now, the derived suite before

The calls of the round are `PrepareOpen`, `OpenRound`, `PrepareDeal`, `Deal`, `PrepareSettle` and `Settle`.
Each gets the same request again and again, and so gives the same answer. `benches/load.py` describes how a call
is measured.

A call cannot take less than an echo of its sizes and its unavoidable signatures. These are the signatures that
the engine makes, and those of others, here of the ledger, each verified once in every call that relies on it.
The sum over the calls of a round is the least that the round can take. The time above that is the figure to
improve.

With `--before`, the older server has the same keys. It must give the same answers, byte by byte. With `--suites`,
two servers of one build play the same round in turns, each in a suite of its own.
"""
import argparse
import base64
import functools
import os
import pathlib
import shlex
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/operations"), str(ROOT / "tests/agree")]

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: E402

import load  # noqa: E402
from keyring import EXAMPLES, Keyring  # noqa: E402
from common import (  # noqa: E402
    Calls, Server, check, connect, deal_request, free_port, json, main, open_request, pb, record_hash,
    settle_request, wait_until)

TARGET = 1.3


def ledger_key(folder):
    """Returns the key of the only ledger of a folder."""
    file, = folder.glob("ledger-*.key")
    members = dict(line.partition(" ")[::2] for line in file.read_text().splitlines())
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(members["secret"]))


def signed(unsigned, key):
    """Returns a prepared record with the signature of a key in its envelope."""
    envelope = json.loads(unsigned.record.envelope)
    # A key's id is a hint that no verifier relies on.
    signature = {"keyid": "ledger", "sig": base64.b64encode(key.sign(unsigned.to_sign)).decode()}
    envelope["signatures"] = [signature]
    return pb.Record(envelope=json.dumps(envelope, sort_keys=True, separators=(",", ":")).encode())


class LockedRound:
    """The requests of a round at a table, by method, and the record that closes it."""

    def __init__(self, calls, key, opening):
        self.requests = {}
        ask = functools.partial(self.ask, calls)
        ask("PrepareOpen", pb.PrepareOpenRequest(open=opening))
        ticket = ask("OpenRound", opening).ticket
        sheet = deal_request("", 0).sheet
        lock = signed(ask("PrepareDeal", pb.PrepareDealRequest(ticket=ticket, sheet=sheet)).lock, key)
        dealt = ask("Deal", pb.DealRequest(ticket=ticket, lock=lock))
        decisions = settle_request(dealt).decisions
        prepared = ask("PrepareSettle", pb.PrepareSettleRequest(records=dealt.records, decisions=decisions))
        actions = [one.action.record for one in prepared.actions]
        settled = ask("Settle", pb.SettleRequest(
            records=dealt.records, actions=actions, lock=signed(prepared.lock, key)))
        self.close = settled.records[-1]

    def ask(self, calls, method, request):
        self.requests[method] = request.SerializeToString()
        return calls.call(method, request, getattr(pb, f"{method}Response"))


# How many signatures of its own a call makes, and how many of the ledger it verifies.
MADE = {"OpenRound": 1, "Deal": 1, "Settle": 1}
VERIFIED = {"Deal": 1, "PrepareSettle": 1, "Settle": 2}


def cases(channel, key, epoch=1):
    """Prepares the calls of the second round of a table."""
    calls = Calls(channel)
    opening = open_request("round", 1, epoch=epoch, manifest=record_hash(calls.manifests()[-1]))
    first = LockedRound(calls, key, opening)
    opening.round_no = 2
    opening.prev.CopyFrom(first.close)
    second = LockedRound(calls, key, opening)
    return [load.Case(method, method, request, made=MADE.get(method, 0), verified=VERIFIED.get(method, 0))
            for method, request in second.requests.items()]


def least(case, echo, raw):
    """Returns the least that a call can take, in nanoseconds."""
    return echo + case.made * raw["sign_ns"] + case.verified * raw["verify_ns"]


def measure(benches, found, options, signs):
    """Measures the cases in turns, at each server. Returns the cost of bare signatures in each turn."""
    bare = []
    for case in found:
        case.before = []
        case.requests = getattr(case, "requests", [case.request] * len(benches))
    for turn in range(options.turns + 1):
        raw = signs()
        for case in found:
            calls = options.calls
            echo, _ = benches[0].load(case.echo_path, case.echo_message(), calls)
            own, *before = (bench.load(case.path, request, calls)[0]
                            for bench, request in zip(benches, case.requests))
            # The first turn warms caches up and is forgotten.
            if turn or options.smoke:
                case.echo.append(echo)
                case.own.append(own)
                case.before += before
        if turn or options.smoke:
            bare.append(raw)
    for case in found:
        benches[0].load(case.path, case.request, options.calls)
        case.rates.append(benches[0].rate)
        # One call after another: the server waits for the client as long as the client for it.
        spent, case.latencies = benches[0].load(
            case.path, case.request, options.calls * 5, clients=1, at_once=1)
        case.busy = spent * benches[0].rate / 1e9
    return bare


def us(nanoseconds):
    return f"{nanoseconds / 1000:.1f} us"


def table(found, bare, options):
    """Prints the table of docs/measurements/production-round.md."""
    made, verified = (statistics.median(raw[key] for raw in bare) for key in ("sign_ns", "verify_ns"))
    print(f"signature: made in {us(made)}, verified in {us(verified)}\n")
    print("| call | bytes in, out | signatures made, verified | echo | least | before | now | now / least "
          "| now / before | p50, p99, p99.9 at half load, and the load |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    # Of the round as well: each turn is a sum over its calls.
    rows = [(case.name, f"{len(case.request)}, {case.answer_bytes}", case.made, case.verified, case.echo,
             [least(case, *one) for one in zip(case.echo, bare)], case.before, case.own,
             ", ".join(f"{load.percentile(case.latencies, p)} us" for p in (50, 99, 99.9)) + f", {case.busy:.2f}")
            for case in found]
    sums = [[sum(turn) for turn in zip(*(row[at] for row in rows))] for at in (4, 5, 6, 7)]
    rows.append(("the round", "", sum(row[2] for row in rows), sum(row[3] for row in rows), *sums, ""))
    for name, size, own, others, echo, floor, before, now, latencies in rows:
        median, ratio = statistics.median, lambda one, other: f"{statistics.median(a / b for a, b in zip(one, other)):.2f}"
        print(f"| {name} | {size} | {own}, {others} | {us(median(echo))} | {us(median(floor))} "
              f"| {us(median(before)) if before else '-'} | {us(median(now))} | {ratio(now, floor)} "
              f"| {ratio(now, before) if before else '-'} | {latencies} |")
    print(f"\ntarget: the round takes at most {TARGET} of its least")
    seconds = sum(1 / case.rates[0] for case in found)
    print(f"{1 / seconds:,.0f} rounds a second with one processor for the server and one for its clients; "
          f"{1e9 / statistics.median(sums[3]):,.0f} by the server's processor time alone", flush=True)


def run():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--server", help="a command instead of what cargo builds")
    arguments.add_argument("--before", help="the command of an older build")
    arguments.add_argument("--suites", metavar="PAIGOW-LAB", help="compare two suites of the build")
    arguments.add_argument("--quick", action="store_true", help="a tenth of the calls")
    arguments.add_argument("--smoke", action="store_true", help="whether it works, no figures")
    arguments.add_argument("--evidence", action="store_true", help="keep records in files")
    options = arguments.parse_args()
    options.calls, options.turns = (400 if options.quick else 4_000), 25
    if options.smoke:
        options.calls, options.turns = 20, 0
    commands = [shlex.split(options.server) if options.server else load.built()]
    commands += [shlex.split(options.before)] if options.before else []
    commands += commands if options.suites else []
    with tempfile.TemporaryDirectory(prefix="paigow-round-") as home:
        folder, servers, benches = pathlib.Path(home), [], []
        processor, clients = load.processors()
        keyrings, keys, epochs = [folder / "keyring"] * 2, [folder / "keyring"] * 2, [1, 1]
        tenants = ["dev-locked"] * 2
        if options.suites:
            ring = Keyring(options.suites, folder / "vrf", "vrf")
            keyrings[0], keys[0], epochs[0], tenants[0] = ring.folder, ring.ours, ring.epoch, "vrf-optional"
        try:
            for number, command in enumerate(commands):
                metrics = f"127.0.0.1:{free_port()}"
                settings = {"telemetry.prometheus_listen": metrics, "log.filter": "warn", "server.drain_ms": 0,
                            "server.tenant": tenants[number]}
                if keyrings[number] != folder / "keyring":
                    settings |= {"keyring.generate": False, "keyring.root_keys": ring.root["public"],
                                 "rules.directory": EXAMPLES}
                if options.evidence:
                    evidence = folder / f"evidence-{number}"
                    evidence.mkdir()
                    settings |= {"evidence.target": "file", "evidence.directory": evidence}
                os.sched_setaffinity(0, processor)
                server = Server(command, folder / f"server-{number}", settings, keyring=keyrings[number],
                                surroundings={"TEST_LOAD": "serve"})
                servers.append(server)
                server.start()
                os.sched_setaffinity(0, clients)
                benches.append(load.Bench(server, folder, metrics))
            for server in servers if not options.smoke else []:
                wait_until(lambda: "house-ways" not in load.threads(server.process.pid),
                           "the house ways are compiled, which is not what is measured", limit=120)
            channels = [connect(server.address, policy=False) for server in servers]
            found, *others = (cases(channel, ledger_key(keys[number]), epochs[number])
                              for number, channel in enumerate(channels) if number == 0 or options.suites)
            for case in found:
                case.prove(channels[0])
            if options.suites:
                for case, other in zip(found, *others):
                    case.requests = [case.request, other.request]
            else:
                answers = [[case.ask(channel, case.path, case.request) for case in found] for channel in channels]
                check(all(those == answers[0] for those in answers), "both builds give the same answers")
            machine = load.machine()
            bare = measure(benches, found, options, functools.partial(load.bare_signatures, commands[0], processor))
            print(machine)
            table(found, bare, options)
        finally:
            for server in servers:
                server.stop()


if __name__ == "__main__":
    main(run)
