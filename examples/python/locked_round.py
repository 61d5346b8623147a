"""Rounds at one table whose policy demands a ledger's locks and a chain, as policies in production do.

    python examples/python/locked_round.py --server localhost:50051 --ca ca.pem --token-file token \\
        --ledger-key ledger.key --rounds 3 --transcript rounds.jsonl

The ledger signs what is decided before anything that follows from it is shown: the wagers before the
cards, the decisions before the dealer's hand. A platform's ledger keeps a database and signs one lock a
step of a round, ever. This one has no memory, but the same round at the same table has the same locks.
"""
import base64
import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from round import DEFAULT, Refused, api, arguments, call, channel, manifests, pb

RULESET = "express"


def canonical(value):
    """The one spelling of JSON that is signed and hashed: members sorted, no spaces. With integers and
    printable ASCII alone, as here, this is all that docs/protocol/records.md asks."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def signed(kind, payload):
    """What a signature signs and a hash is taken of (DSSE): the kind is in it, so that nothing signed as
    one kind of record is read as another."""
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)


def parts(record):
    """The kind and the payload of a record."""
    envelope = json.loads(record.envelope)
    return envelope["payloadType"], base64.b64decode(envelope["payload"])


def record_hash(record):
    """What other records name this one by. Its signatures are not in it."""
    return hashlib.sha256(signed(*parts(record))).hexdigest()


def made(kind, key=None, **members):
    """A record, signed if there is a key."""
    kind, payload = f"application/vnd.pge.{kind}.v1+json", canonical(members)
    signatures = []
    if key:
        # The id of a key is a hint that no check relies on: enc("pge/v1/kid", public key) of the protocol.
        named = b"\x0apge/v1/kid\x01\x20\x00\x00\x00" + key.public_key().public_bytes_raw()
        signatures.append({"keyid": hashlib.sha256(named).hexdigest()[:16],
                           "sig": base64.b64encode(key.sign(signed(kind, payload))).decode()})
    return pb.Record(envelope=canonical(
        {"payload": base64.b64encode(payload).decode(), "payloadType": kind, "signatures": signatures}))


def ledger_key(file):
    """The key of a key file: `paigow-key-1`, then a word and its value on each line."""
    members = dict(line.partition(" ")[::2] for line in file.read_text().splitlines())
    if members.get("role") != "ledger" or "secret" not in members:
        raise ValueError(f"{file}: not the key file of a ledger")
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(members["secret"]))


def play(engine, ledger, place, house_way):
    """One round: its records, from the ticket to the settlement."""
    opened = call(engine.OpenRound, place)
    wagers = made(
        "lock", ledger, step="wagers", prev=record_hash(opened.ticket), round_id=opened.round_id,
        currency={"code": "USD", "exponent": 2}, facts={},
        seats={"1": {"wagers": [{"bet": "base", "amount": "2500"}, {"bet": "dynasty", "amount": "500"}]},
               "4": {"wagers": [{"bet": "base", "amount": "10000"}]}})
    dealt = call(engine.Deal, pb.DealRequest(ticket=opened.ticket, lock=wagers))
    for hand in dealt.hands:
        print("seat", hand.seat, *hand.cards)
    deal = record_hash(dealt.records[-1])
    # Who sets a hand alone has `low` in place of `house_way`: the numbers of its cards, ascending.
    actions = [made("action", seat=seat, prev=deal, house_way=house_way) for seat in (1, 4)]
    final = made("lock", ledger, step="final", prev=deal, round_id=opened.round_id,
                 actions=[record_hash(action) for action in actions])
    settled = call(engine.Settle, pb.SettleRequest(
        records=dealt.records, actions=actions, lock=final, disposition=pb.DISPOSITION_SETTLE))
    for seat in settled.seats:
        print("seat", seat.seat, pb.Outcome.Name(seat.base.outcome), "net", seat.net_minor)
    return [*dealt.records, *settled.records]


def play_all(engine, options):
    """The rounds at one table, each linked to the close of the one before, and their transcript."""
    ledger = ledger_key(options.ledger_key)
    world = call(engine.GetEngine, pb.GetEngineRequest())
    if not world.open_epochs:
        raise ValueError("no epoch is open")
    epoch, manifest = world.open_epochs[0].epoch, world.manifest
    rules = call(engine.GetRuleset, pb.GetRulesetRequest(ruleset=RULESET)).ruleset
    if not rules.open_for_new_rounds:
        raise ValueError(f"{RULESET} is closed for new rounds")
    records, before = manifests(engine), None
    for round_no in range(1, options.rounds + 1):
        place = pb.OpenRoundRequest(epoch=epoch, manifest=manifest, table=options.table, round_no=round_no,
                                    ruleset=rules.hash, prev=before)
        played = play(engine, ledger, place, rules.house_way_hash)
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
