"""Plays random rounds at one table against a server: wagers, facts, client seeds, signatures of
seats, decisions and voids, as far as ruleset and policy let them be."""
import base64
import random

import grpc
from common import api, payload, pb, record_hash
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from issuer import Key
from keyring import secret, signer
from paigow_verify import hands, shuffle
from paigow_verify.encoding import canonical, kid, pae, sha256

SEAT_KEYS = {seat: Key(f"seat {seat}") for seat in range(1, 8)}
REASONS = ("player_left", "equipment", "operator", "misdeal")


def record(kind, body, *keys):
    """A signed record as it is sent, and its hash."""
    kind, data = f"application/vnd.pge.{kind}.v1+json", canonical(body)
    signed = pae(kind, data)
    signatures = [{"keyid": kid(key.bytes), "sig": base64.b64encode(key.sign(signed)).decode()} for key in keys]
    envelope = {"payload": base64.b64encode(data).decode(), "payloadType": kind, "signatures": signatures}
    return pb.Record(envelope=canonical(envelope)), sha256(signed).hex()


def as_prepared(unsigned, kind, body, *keys):
    """The record that the engine has prepared, with its signatures beside it. It has to be the one that is
    written here from `body`, byte by byte."""
    own, digest = record(kind, body)
    signed = pae(f"application/vnd.pge.{kind}.v1+json", canonical(body))
    if (unsigned.record.envelope, unsigned.to_sign, unsigned.hash) != (own.envelope, signed, digest):
        raise AssertionError(f"prepared {unsigned.record.envelope}, not {own.envelope}")
    return pb.Record(envelope=unsigned.record.envelope, signatures=[
        pb.Signature(public_key=key.public, signature=key.sign(signed)) for key in keys])


def reason(error):
    """The machine-readable reason of a refusal."""
    for detail in rpc_status.from_call(error).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info.reason
    return None


class Player:
    """One table of one tenant under one ruleset."""

    def __init__(self, address, keyring, tenant, ruleset, seed):
        self.rng, self.keyring, self.tenant = random.Random(f"{seed} {tenant} {ruleset}"), keyring, tenant
        self.stub = api.PaiGowServiceStub(grpc.insecure_channel(address))
        engine = self.stub.GetEngine(pb.GetEngineRequest())
        self.manifests = self.stub.ListManifests(pb.ListManifestsRequest()).manifests
        self.manifest, self.lock_required = engine.manifest, engine.policy.lock_required
        self.client = pb.ClientPolicy.Name(engine.policy.client).removeprefix("CLIENT_POLICY_")
        self.seat_auth = pb.SeatAuthPolicy.Name(engine.policy.seat_auth).removeprefix("SEAT_AUTH_POLICY_")
        self.rules = self.stub.GetRuleset(pb.GetRulesetRequest(ruleset=ruleset)).ruleset
        self.ledger, self.table, self.number, self.before = signer(keyring.ledger), ruleset, 0, None
        self.refused = 0

    def transcript(self, rounds):
        """Plays so many rounds and returns all records, the secret of the epoch in the end."""
        lines = [manifest.envelope for manifest in self.manifests]
        for _ in range(rounds):
            lines += [one.envelope for one in self.round()]
        if self.keyring.suite == "derived":
            revealed = {"epoch": self.keyring.epoch, "epoch_secret": secret(self.keyring.secret).hex()}
            lines.append(record("epoch-reveal", revealed, signer(self.keyring.receipt))[0].envelope)
        return b"".join(line + b"\n" for line in lines)

    def round(self):
        """The records of one round that the engine has taken. A sheet that it refuses ends the
        table, and another is begun."""
        while True:
            self.number += 1
            ticket, body, sheet, bases = self.opened()
            void = self.rng.choice(("ticket", "lock", "deal")) if self.rng.random() < 0.08 else None
            try:
                records = [ticket] if void == "ticket" else self.dealt(ticket, body, sheet)
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.INVALID_ARGUMENT:
                    raise
                self.refused += 1
                self.table, self.number, self.before = f"{self.rules.id}.{self.refused}", 0, None
                continue
            records = records[:2] if void == "lock" else records
            records += self.voided(records) if void else self.settled(records, bases)
            self.before = records[-1]
            return records

    def dealt(self, ticket, body, sheet):
        """The records of a deal under the lock that the engine has prepared. Where it prepares none, the
        deal under a lock of this side is refused for the same reason."""
        keys = self.signing()
        try:
            prepared = self.stub.PrepareDeal(pb.PrepareDealRequest(ticket=ticket, sheet=sheet))
        except grpc.RpcError as error:
            try:
                self.stub.Deal(pb.DealRequest(ticket=ticket, lock=record("lock", body, *keys)[0]))
            except grpc.RpcError as second:
                if reason(second) == reason(error):
                    raise
            raise AssertionError(f"PrepareDeal refuses for {reason(error)}, Deal does not") from error
        lock = as_prepared(prepared.lock, "lock", body, *keys)
        return list(self.stub.Deal(pb.DealRequest(ticket=ticket, lock=lock)).records)

    def opened(self):
        """A ticket, the payload of the lock of the wagers, the typed sheet that says the same, and the seats
        with a base wager."""
        wagers, facts, limits = self.wagers()
        round_id = shuffle.round_id(self.keyring.epoch, self.tenant, self.table, self.number)
        seeds, keys = {}, {}
        for seat in map(int, wagers):
            if self.does(self.client):
                seeds[seat] = self.rng.randbytes(self.rng.randint(16, 64))
                wagers[str(seat)]["client_seed"] = seeds[seat].hex()
            if self.does(self.seat_auth):
                keys[seat] = SEAT_KEYS[seat]
        self.seat_keys = keys
        place = pb.OpenRoundRequest(
            epoch=self.keyring.epoch, manifest=self.manifest, table=self.table, round_no=self.number,
            ruleset=self.rules.id, prev=self.before,
            seat_keys=[pb.SeatKey(seat=seat, public_key=key.public) for seat, key in keys.items()])
        prepared = self.stub.PrepareOpen(pb.PrepareOpenRequest(open=place))
        seed = self.rng.randbytes(32)
        for one in prepared.prefixes:
            if sha256(one.prefix + seed) != shuffle.client_commitment(round_id, one.seat, seed):
                raise AssertionError(f"the prefix of seat {one.seat} commits to another seed")
        if prepared.round_id != round_id.hex() or self.client != "NONE" and len(prepared.prefixes) != self.rules.seats:
            raise AssertionError(f"prepared {prepared}")
        place.client_commits.extend(
            pb.ClientCommit(seat=seat, commit=shuffle.client_commitment(round_id, seat, seed).hex())
            for seat, seed in seeds.items())
        ticket = self.stub.OpenRound(place).ticket
        currency = {"code": "USD", "exponent": 2}
        if self.rules.family in ("online", "mania") and self.rng.random() < 0.3:
            currency = {"code": "JPY", "exponent": 0}
        body = {"currency": currency, "facts": facts, "prev": record_hash(ticket), "round_id": round_id.hex(),
                "seats": wagers, "step": "wagers", **({"bet_limits": limits} if limits else {})}
        bases = {int(seat): int(entry["wagers"][0]["amount"]) for seat, entry in wagers.items()
                 if entry["wagers"][0]["bet"] == "base"}
        return ticket, body, typed(body), bases

    def does(self, demand):
        return demand in ("REQUIRED", "COMMITTED") or demand == "OPTIONAL" and self.rng.random() < 0.5

    def signing(self):
        """The ledger signs where it must, and at times where it need not."""
        return [self.ledger] if self.lock_required or self.rng.random() < 0.3 else []

    def wagers(self):
        """The seats of a lock, its facts, and the posted limits of bets, which are not always there."""
        rng, family, facts, seats, chip = self.rng, self.rules.family, {}, {}, 1
        if family == "online":
            chip = rng.choice((1, 5, 7, 25, 100))
            facts["chip_minor"] = str(chip)
        for seat in sorted(rng.sample(range(1, self.rules.seats + 1), rng.randint(1, self.rules.seats))):
            base = rng.choice((rng.randint(1000, 30000), 20000, 20001, rng.randint(10, 400) * 100)) // chip * chip
            has_base = family != "mikes" or rng.random() < 0.85
            placed = [{"bet": "base", "amount": str(base)}] if has_base else []
            for bet in self.rules.bets:
                if bet.id in ("base", "double_down") or has_base and rng.random() < 0.4:
                    continue
                amount = min(rng.choice((rng.randint(100, 499), 500, rng.randint(501, 5000))), bet.maximum_minor)
                choice = {"choice": rng.choice(("red", "black"))} if bet.asks_choice else {}
                placed.append({"bet": bet.id, "amount": str(amount), **choice})
            seats[str(seat)] = {"wagers": placed}
        total = sum(int(entry["wagers"][0]["amount"]) for entry in seats.values())
        if family == "mikes":
            facts["action_pile"] = rng.randint(0, 6)
            facts["bank_minor"] = str(rng.choice((rng.randint(1, 20000), rng.randint(1, 200000), 10**7)))
        # The seed of a meter, or an odd amount above it.
        for bet in self.rules.bets:
            if bet.HasField("meter"):
                facts["meter_minor"] = str(bet.meter.seed_minor + rng.choice((0, rng.randint(1, 10**6))))
        if family == "mini" and rng.random() < 0.5:
            facts |= {"banker_seat": int(rng.choice(list(seats))), "bank_minor": str(2 * total + rng.randint(0, 1000))}
        for fact, amount in (("table_min_minor", 1000), ("table_max_minor", 10**6)):
            if rng.random() < 0.2:
                facts[fact] = str(amount)
        self.banker = facts.get("banker_seat")
        return seats, facts, self.limits(seats)

    def limits(self, seats):
        """Limits of some bets, at the largest stake of all seats; of a bet without one at times 0."""
        stakes = {}
        for entry in seats.values():
            for wager in entry["wagers"]:
                stakes[wager["bet"]] = max(stakes.get(wager["bet"], 0), int(wager["amount"]))
        bets = [bet.id for bet in self.rules.bets if bet.id != "double_down"]
        return [{"bet": bet, "max": str(stakes.get(bet, 0))} for bet in bets if self.rng.random() < 0.2]

    def settled(self, records, bases):
        """The records that settle: each seat by the house way or as chance will, fouls included."""
        deal, bodies, decisions = record_hash(records[-1]), [], []
        for seat in sorted(bases):
            body, cards = {"prev": deal, "seat": seat}, payload(records[-1])["visible"][str(seat)]
            if seat == self.banker or self.rng.random() < 0.5:
                body["house_way"] = self.rules.house_way_hash
            else:
                body["low"] = sorted(self.rng.sample(cards, len(cards) - 5))
            if self.rules.family == "mini" and self.rng.random() < 0.5:
                body["double_down"] = True
            bodies.append(body)
            chosen = {"low": pb.LowHand(cards=[hands.NAMES[card] for card in body["low"]])} if "low" in body else {"house_way": True}
            decisions.append(pb.Decision(seat=seat, double_down=body.get("double_down", False), **chosen))
        prepared = self.stub.PrepareSettle(pb.PrepareSettleRequest(records=records, decisions=decisions))
        actions = []
        for one, body in zip(prepared.actions, bodies, strict=True):
            keys = [self.seat_keys[one.seat]] if one.seat in self.seat_keys else []
            actions.append(as_prepared(one.action, "action", body, *keys))
        body = {"actions": [one.action.hash for one in prepared.actions], "prev": deal,
                "round_id": payload(records[0])["round_id"], "step": "final"}
        lock = as_prepared(prepared.lock, "lock", body, *self.signing())
        return self.stub.Settle(pb.SettleRequest(records=records, actions=actions, lock=lock)).records

    def voided(self, records):
        """The records that void, after whatever there is of the round."""
        why = self.rng.choice(REASONS)
        body = {"prev": record_hash(records[-1]), "reason": why, "round_id": payload(records[0])["round_id"],
                "step": "void"}
        why = getattr(pb, f"VOID_REASON_{why.upper()}")
        prepared = self.stub.PrepareVoid(pb.PrepareVoidRequest(records=records, reason=why))
        lock = as_prepared(prepared.lock, "lock", body, *self.signing())
        return self.stub.VoidRound(pb.VoidRoundRequest(records=records, lock=lock, reason=why)).records


def typed(body):
    """The wager sheet that says what the payload of a lock says."""
    wagers = []
    for seat, entry in sorted(body["seats"].items()):
        for place, wager in enumerate(entry["wagers"]):
            choice = f"CHOICE_{wager['choice'].upper()}" if "choice" in wager else 0
            wagers.append(pb.Wager(seat=int(seat), bet=wager["bet"], amount_minor=int(wager["amount"]), choice=choice,
                                   client_seed="" if place else entry.get("client_seed", "")))
    facts = {name: int(value) for name, value in body["facts"].items()}
    limits = [pb.BetLimit(bet=limit["bet"], max_minor=int(limit["max"])) for limit in reversed(body.get("bet_limits", []))]
    return pb.WagerSheet(currency=pb.Currency(**body["currency"]), wagers=wagers, bet_limits=limits, **facts)
