"""Plays rounds that wait for a beacon with the Python client, and has their source fail.

    beacon.py --server ADDRESS --ledger-key FILE --root FILE --database FILE --table NAME --locks FOLDER --kit FILE
        --transcript FILE [--dies yes]

FOLDER is where the ledger gives its locks to the log. FILE of the kit has the signatures of the beacon.

With --dies the process is killed (SIGKILL) while it waits for the value of round 1: the wagers are locked, and nothing is
dealt. The next process goes on with the same round of the beacon. Each prints the round that the ticket names.
"""
import argparse
import json
import os
import pathlib
import signal
import time

from paigow import (
    BeaconSettings, BeaconUnavailable, Engine, FileSigner, Ledger, PaigowError, Root, SqliteStore, Table, TooLate)
from paigow.beacon import round_of
from paigow.v1 import paigow_service_pb2 as pb

SHEET = pb.WagerSheet(currency=pb.Currency(code="USD", exponent=2),
                      wagers=[pb.Wager(seat=1, bet="base", amount_minor=2500)])


def check(held, what):
    if not held:
        raise SystemExit(what)


def must_fail(kind, words, step, *arguments):
    try:
        step(*arguments)
    except kind as error:
        return check(words in str(error), f"{kind.__name__} does not say {words!r}: {error}")
    raise SystemExit(f"no {kind.__name__}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("server", "ledger-key", "root", "database", "table", "kit", "transcript"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--locks", type=pathlib.Path, required=True)
    parser.add_argument("--dies")
    options = parser.parse_args()
    signatures = json.loads(pathlib.Path(options.kit).read_text())["signatures"]
    engine = Engine(options.server, plaintext=True, deadline=10, patience=60)
    store = SqliteStore(options.database, f"{options.database}.mark")
    ledger, root = Ledger(FileSigner(options.ledger_key), store), Root.read(options.root)

    def table(signature, now=time.time):
        # The lead is too short: the server says which rounds of the beacon it takes.
        beacon = BeaconSettings(signature, lead=0, records=options.locks, now=now)
        return Table(engine, ledger, options.table, "express", root, beacon=beacon)

    def down(number):
        raise OSError(f"the relay is down, asked for {number}")

    def dies(number):
        os.kill(os.getpid(), signal.SIGKILL)

    must_fail(PaigowError, "pass BeaconSettings", Table, engine, ledger, options.table, "express", root)
    first = table(dies if options.dies else down).next_round()
    first.open()
    number = round_of(first.ticket)
    print("waits for", number, flush=True)
    must_fail(BeaconUnavailable, "the relay is down", first.deal, SHEET)
    lock, = options.locks.iterdir()
    check(lock.read_bytes().count(b"\n") == 1, f"{lock} is not one line")
    # A relay that gives the value of another round.
    again = table(lambda number: signatures[str(number + 1)]).next_round()
    must_fail(BeaconUnavailable, "BEACON_SIGNATURE", again.deal)
    playing = table(lambda number: signatures[str(number)])
    first = playing.next_round()
    first.deal()
    first.decide(pb.Decision(seat=1, house_way=True))
    first.settle()
    # The value never comes.
    second = table(down).next_round()
    second.open()
    must_fail(BeaconUnavailable, "the relay is down", second.deal, SHEET)
    second.void()
    # Betting takes too long.
    late = table(down, lambda: time.time() + 1000).next_round()
    playing.next_round().open()
    must_fail(TooLate, "no wagers are locked", late.deal, SHEET)
    late.void()
    # Nobody has asked for the round.
    fourth = playing.next_round()
    fourth.void()
    check(not list(options.locks.iterdir()), "a file of a closed round is left")
    pathlib.Path(options.transcript).write_bytes(playing.transcript([first, second, late, fourth]))


if __name__ == "__main__":
    main()
