"""Plays rounds of Pai Gow Poker against the paigow engine: locked, chained and checked.

A first round under a policy of production::

    from paigow import Engine, FileSigner, Ledger, Root, SqliteStore, Table
    from paigow.v1 import paigow_service_pb2 as pb

    engine = Engine("paigow.example:50051", ca="ca.pem", token="...")
    ledger = Ledger(FileSigner("ledger.key"), SqliteStore("ledger.db", "mark"))
    table = Table(engine, ledger, "T1", "express", Root.read("root.json"))

    round = table.next_round()
    round.open()
    dealt = round.deal(pb.WagerSheet(
        currency=pb.Currency(code="USD", exponent=2),
        wagers=[pb.Wager(seat=1, bet="base", amount_minor=25_00)]))
    print(dealt.hands[0].cards)
    round.decide(pb.Decision(seat=1, house_way=True))
    settled = round.settle()                  # checked against ticket, locks and cards
    print(settled.seats[0].net_minor)

Every step may be repeated after a crash or a lost answer: ``table.next_round()`` returns the round
that is not closed, with what its steps have come to.
"""
from .beacon import BeaconSettings
from .errors import (
    BadSignature, BeaconUnavailable, LedgerError, LedgerUnavailable, NoAnswer, NotTheRecord, NotVerified, PaigowError,
    Refused, Restored, SignedOtherwise, TooLate, WrongStep)
from .engine import Engine
from .ledger import FileSigner, KeySigner, Ledger
from .players import SeatKey, commitment, new_seed
from .round import Round
from .store import LedgerStore, PostgresStore, SqliteStore
from .table import Table
from .verify import Root

__all__ = [
    "BadSignature", "BeaconSettings", "BeaconUnavailable", "Engine", "FileSigner", "KeySigner", "Ledger", "LedgerError",
    "LedgerStore", "LedgerUnavailable", "NoAnswer", "NotTheRecord", "NotVerified", "PaigowError", "PostgresStore", "Refused",
    "Restored", "Root", "Round", "SeatKey", "SignedOtherwise", "SqliteStore", "Table", "TooLate", "WrongStep", "commitment",
    "new_seed"]
