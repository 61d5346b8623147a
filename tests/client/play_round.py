"""Plays one round in two calls, Deal and Settle, and keeps its transcript."""
import sys

import grpc

sys.path.insert(0, "proto")
pb, api = grpc.protos_and_services("paigow/v1/paigow_service.proto")
address, transcript = sys.argv[1:] if len(sys.argv) == 3 else ("127.0.0.1:50051", "round.jsonl")
engine = api.PaiGowServiceStub(grpc.insecure_channel(address))

dealt = engine.Deal(pb.DealRequest(
    open=pb.OpenRoundRequest(table="python", round_no=1, ruleset="mikes"),
    sheet=pb.WagerSheet(
        currency=pb.Currency(code="USD", exponent=2), bank_minor=500_00, action_pile=3,
        wagers=[pb.Wager(seat=1, bet="base", amount_minor=25_00),
                pb.Wager(seat=1, bet="outlaw_9", amount_minor=5_00),
                pb.Wager(seat=4, bet="base", amount_minor=100_00)])))
one, four = dealt.hands
print("dice", *dealt.dice, "| seat 1:", *one.cards, "| seat 4:", *four.cards)

# Seat 1 puts two cards of its own in the low hand, seat 4 plays the house way.
settled = engine.Settle(pb.SettleRequest(
    records=dealt.records,
    decisions=[pb.Decision(seat=1, low=pb.LowHand(cards=one.cards[:2])),
               pb.Decision(seat=4, house_way=True)]))
print("dealer:", *settled.bank.cards, "| clause", settled.bank.setting.clause_id)
for seat in settled.seats:
    print("seat", seat.seat, pb.Outcome.Name(seat.base.outcome), "net", seat.net_minor)
print("bank net", settled.bank.net_minor, "| house net", settled.house_net_minor)

manifests, page = [], None
while page is None or page.next_after_sequence:
    page = engine.ListManifests(pb.ListManifestsRequest(after_sequence=page and page.next_after_sequence))
    manifests += page.manifests
with open(transcript, "wb") as file:
    for record in [*manifests, *dealt.records, *settled.records]:
        file.write(record.envelope + b"\n")
