"""A locked, chained round with client seeds and signed decisions: the code of a platform.

    python locked_round.py ADDRESS CA LEDGER_KEY ROOT TOKEN
"""
import sys

from paigow import Engine, FileSigner, Ledger, Root, SeatKey, SqliteStore, Table, commitment, new_seed
from paigow.v1 import paigow_service_pb2 as pb

if len(sys.argv) != 6:
    sys.exit(__doc__)
address, ca, ledger_key, root, token = sys.argv[1:]
engine = Engine(address, ca=ca, token=token)
ledger = Ledger(FileSigner(ledger_key), SqliteStore("ledger.db", "mark"))
table = Table(engine, ledger, "T1", "express", Root.read(root))

# Each player's browser makes these.
seeds, keys = {1: new_seed(), 4: new_seed()}, {1: SeatKey(), 4: SeatKey()}

round_ = table.next_round()
prefixes = round_.commit_prefixes()
round_.open({seat: commitment(prefixes[seat], seed) for seat, seed in seeds.items()},
            {seat: key.public_key for seat, key in keys.items()})
dealt = round_.deal(pb.WagerSheet(
    currency=pb.Currency(code="USD", exponent=2),
    wagers=[pb.Wager(seat=1, bet="base", amount_minor=25_00), pb.Wager(seat=1, bet="dynasty", amount_minor=5_00),
            pb.Wager(seat=4, bet="base", amount_minor=100_00)]), seeds)
for hand in dealt.hands:
    print("seat", hand.seat, *hand.cards)
    to_sign = round_.decide(pb.Decision(seat=hand.seat, house_way=True))
    round_.sign(hand.seat, keys[hand.seat].sign(to_sign))
settled = round_.settle()
for seat in settled.seats:
    print("seat", seat.seat, "net", seat.net_minor)
