"""Plays tests/client/scenario.json with the Python client, from wherever an earlier process has come to.

    scenario.py --scenario FILE --server ADDRESS --ledger-key FILE --root FILE --database FILE
        --transcript FILE [--die-after N] [--postgres CONNINFO]

With --die-after the process is killed (SIGKILL) when the N-th answer has come, before it is looked at.

Before a round with a rotation it prints the number of the rotation, and waits for a line on standard input.
"""
import argparse
import hashlib
import json
import os
import pathlib
import signal
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from paigow import (
    BadSignature, Engine, FileSigner, Ledger, Refused, Root, Round, SqliteStore, Table, WrongStep, commitment)
from paigow.store import Place, PostgresStore
from paigow.v1 import paigow_service_pb2 as pb


def bytes_of(word):
    """32 bytes of a word of the scenario."""
    return hashlib.sha256(word.encode()).digest()


class DyingEngine(Engine):
    """An engine whose n-th answer kills this process."""

    left = None

    def call(self, method, request):
        answer = super().call(method, request)
        if self.left is not None:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return answer


def must_refuse(kind, step, *arguments):
    try:
        step(*arguments)
    except kind:
        return
    raise SystemExit(f"no {kind.__name__}")


def sheet_of(wagers):
    return pb.WagerSheet(currency=pb.Currency(code="USD", exponent=2), wagers=[
        pb.Wager(seat=seat, bet=bet, amount_minor=amount)
        for seat, bets in sorted(wagers.items()) for bet, amount in bets.items()])


def play(round_, plan):
    seats = {int(seat): facts for seat, facts in plan["seats"].items()}
    seeds = {seat: bytes_of(facts["seed"]) for seat, facts in seats.items() if "seed" in facts}
    keys = {seat: Ed25519PrivateKey.from_private_bytes(bytes_of(facts["key"]))
            for seat, facts in seats.items() if "key" in facts}
    # They decide, and go before they sign.
    absent = [seat for seat, facts in seats.items() if "absent" in facts]
    if round_.ticket is None:
        try:
            # Unless an earlier process has asked for the right one.
            round_.open({1: "no commitment"})
        except Refused as refused:
            if refused.code.name != "INVALID_ARGUMENT" or not refused.fields:
                raise
    if round_.ticket is None:
        prefixes = round_.commit_prefixes() if seeds else {}
        round_.open({seat: commitment(prefixes[seat], seed) for seat, seed in seeds.items()},
                    {seat: key.public_key().public_bytes_raw().hex() for seat, key in keys.items()}, absent)
    if plan["end"] == "void_opened":
        return round_.void()
    if "refused" in plan and round_.sheet is None:
        seat = min(seats)
        try:
            round_.deal(sheet_of({seat: plan["refused"]["wagers"]}))
            raise SystemExit("the wagers are not refused")
        except Refused as refused:
            if refused.reason != plan["refused"]["reason"] or not refused.fields:
                raise
    dealt = round_.deal(sheet_of({seat: facts["wagers"] for seat, facts in seats.items()}), seeds)
    if plan["end"] == "void_dealt":
        return round_.void()
    if round_.is_locked:
        return round_.settle()
    for seat, facts in sorted(seats.items()):
        hand = next(hand.cards for hand in dealt.hands if hand.seat == seat)
        decision = pb.Decision(seat=seat, house_way=True) if facts["decision"] == "house_way" else \
            pb.Decision(seat=seat, low=pb.LowHand(cards=hand[:2]))
        to_sign = round_.decide(decision)
        if seat in keys and seat not in absent:
            must_refuse(WrongStep, round_.settle)
            must_refuse(BadSignature, round_.sign, seat, bytes(64))
            round_.sign(seat, keys[seat].sign(to_sign))
    return round_.settle(absent)


def main():
    parser = argparse.ArgumentParser()
    for name in ("scenario", "ledger-key", "root", "database", "transcript"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--die-after", type=int)
    parser.add_argument("--postgres")
    options = parser.parse_args()
    scenario = json.loads(options.scenario.read_text())
    engine = DyingEngine(options.server, plaintext=True, deadline=10, patience=60)
    engine.left = options.die_after
    store = PostgresStore(options.postgres, options.database) if options.postgres else SqliteStore(options.database, f"{options.database}.mark")
    table = Table(engine, Ledger(FileSigner(options.ledger_key), store), scenario["table"], scenario["ruleset"],
                  Root.read(options.root))
    # A development server begins with epoch 1.
    epoch, number, rotations, rounds = 1, 0, 0, []
    for plan in scenario["rounds"]:
        if "rotation" in plan:
            rotations += 1
        if plan.get("rotation") == "epoch":
            epoch, number = epoch + 1, 0
        number += 1
        round_ = Round(table, Place(scenario["table"], epoch, number))
        rounds.append(round_)
        if round_.is_closed:
            continue
        if "rotation" in plan:
            print(f"rotation {rotations}", flush=True)
            sys.stdin.readline()
        next_round = table.next_round()
        if next_round.place != round_.place:
            raise SystemExit(f"the next round is {next_round.place}, not {round_.place}")
        play(next_round, plan)
    options.transcript.write_bytes(table.transcript(rounds))


if __name__ == "__main__":
    main()
