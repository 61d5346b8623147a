"""Rounds at one table under a production policy: locks, a chain, client seeds, signed decisions.

    python examples/python/locked_round.py --server localhost:50051 --ca ca.pem --token-file token \\
        --ledger-key ledger.key --rounds 3 --transcript rounds.jsonl

Four parties stand in this one program. Players make seeds and sign their decisions with keys of their own.
The ledger signs the wagers before the cards are dealt, and the decisions before the dealer's hand is shown.
The game server carries records between them and the engine. The engine writes everything that is to be signed.

A ledger of a platform reads what it signs, keeps it in a database before it sends it, and signs one lock a
step of a round, ever. This one does neither. It shows the calls.
"""
import hashlib
import pathlib
import secrets
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from round import DEFAULT, Refused, api, arguments, call, channel, manifests, pb

RULESET = "express"
SHEET = pb.WagerSheet(
    currency=pb.Currency(code="USD", exponent=2),
    wagers=[pb.Wager(seat=1, bet="base", amount_minor=25_00),
            pb.Wager(seat=1, bet="dynasty", amount_minor=5_00),
            pb.Wager(seat=4, bet="base", amount_minor=100_00)])
SEATS = (1, 4)


def public_key(key):
    return key.public_key().public_bytes_raw().hex()


def signed(prepared, *keys):
    """The record that the engine prepared, with signatures beside it."""
    return pb.Record(envelope=prepared.record.envelope, signatures=[
        pb.Signature(public_key=public_key(key), signature=key.sign(prepared.to_sign)) for key in keys])


def ledger_key(file):
    """The key of a key file: `paigow-key-1`, then a word and its value on each line."""
    members = dict(line.partition(" ")[::2] for line in file.read_text().splitlines())
    if members.get("role") != "ledger" or "secret" not in members:
        raise ValueError(f"{file}: not the key file of a ledger")
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(members["secret"]))


def play(engine, ledger, policy, place):
    """One round: its records, from the ticket to the settlement."""
    # The players: a key for the round, and a seed that the engine cannot know when it commits to its own.
    keys, seeds = {}, {}
    if policy.seat_auth != pb.SEAT_AUTH_POLICY_OFF:
        keys = {seat: Ed25519PrivateKey.generate() for seat in SEATS}
        place.seat_keys.extend(pb.SeatKey(seat=seat, public_key=public_key(key)) for seat, key in keys.items())
    prefixes = call(engine.PrepareOpen, pb.PrepareOpenRequest(open=place)).prefixes
    for one in prefixes:
        if one.seat in SEATS:
            seeds[one.seat] = secrets.token_bytes(32)
            commit = hashlib.sha256(one.prefix + seeds[one.seat]).hexdigest()
            place.client_commits.add(seat=one.seat, commit=commit)
    ticket = call(engine.OpenRound, place).ticket

    # The wagers are final. Now reveal the seeds, each with the first wager of its seat.
    sheet = pb.WagerSheet()
    sheet.CopyFrom(SHEET)
    for wager in sheet.wagers:
        wager.client_seed = seeds.pop(wager.seat, b"").hex()
    wagers = call(engine.PrepareDeal, pb.PrepareDealRequest(ticket=ticket, sheet=sheet)).lock
    dealt = call(engine.Deal, pb.DealRequest(ticket=ticket, lock=signed(wagers, ledger)))
    for hand in dealt.hands:
        print("seat", hand.seat, *hand.cards)

    # Each player decides and signs. The last answer has the final lock over all actions.
    decisions, actions = [], []
    for seat in SEATS:
        decisions.append(pb.Decision(seat=seat, house_way=True))
        prepared = call(engine.PrepareSettle, pb.PrepareSettleRequest(records=dealt.records, decisions=decisions))
        action = next(one.action for one in prepared.actions if one.seat == seat)
        actions.append(signed(action, keys[seat]) if keys else action.record)
    settled = call(engine.Settle, pb.SettleRequest(
        records=dealt.records, actions=actions, lock=signed(prepared.lock, ledger)))
    for seat in settled.seats:
        print("seat", seat.seat, pb.Outcome.Name(seat.base.outcome), "net", seat.net_minor)
    return [*dealt.records, *settled.records]


def play_all(engine, options):
    """The rounds at one table, each linked to the close of the one before, and their transcript."""
    ledger = ledger_key(options.ledger_key)
    world = call(engine.GetEngine, pb.GetEngineRequest())
    if not world.open_epochs:
        raise ValueError("no epoch is open")
    rules = call(engine.GetRuleset, pb.GetRulesetRequest(ruleset=RULESET)).ruleset
    if not rules.open_for_new_rounds:
        raise ValueError(f"{RULESET} is closed for new rounds")
    records, before = manifests(engine), None
    for round_no in range(1, options.rounds + 1):
        place = pb.OpenRoundRequest(
            epoch=world.open_epochs[0].epoch, manifest=world.manifest, manifest_sequence=world.manifest_sequence,
            table=options.table, round_no=round_no, ruleset=rules.hash, prev=before)
        played = play(engine, ledger, world.policy, place)
        records, before = records + played, played[-1]
    options.transcript.write_bytes(b"".join(record.envelope + b"\n" for record in records))


def add(parser):
    file = {"type": pathlib.Path, "metavar": "FILE"}
    parser.add_argument("--ledger-key", **file, required=True, help="the key file of the tenant's ledger")
    parser.add_argument("--rounds", metavar="N", type=int, default=1, help=DEFAULT)
    parser.add_argument("--transcript", **file, default="rounds.jsonl", help=DEFAULT)


def main():
    options = arguments(__doc__, add)
    try:
        with channel(options) as connected:
            play_all(api.PaiGowServiceStub(connected), options)
    except (Refused, OSError, ValueError) as failed:
        sys.exit(f"locked_round.py: {failed}")


if __name__ == "__main__":
    main()
