"""Plays random rounds at one table against a server: wagers, facts, client seeds, signatures of
seats, decisions and voids, as far as ruleset and policy let them be."""
import base64
import random

import grpc
from common import api, payload, pb, record_hash
from issuer import Key
from keyring import secret, signer
from paigow_verify import shuffle
from paigow_verify.encoding import canonical, kid, pae, sha256

SEAT_KEYS = {seat: Key(f"seat {seat}") for seat in range(1, 8)}
REASONS = ("player_left", "equipment", "operator")


def record(kind, body, *keys):
    """A signed record as it is sent, and its hash."""
    kind, data = f"application/vnd.pge.{kind}.v1+json", canonical(body)
    signed = pae(kind, data)
    signatures = [{"keyid": kid(key.bytes), "sig": base64.b64encode(key.sign(signed)).decode()} for key in keys]
    envelope = {"payload": base64.b64encode(data).decode(), "payloadType": kind, "signatures": signatures}
    return pb.Record(envelope=canonical(envelope)), sha256(signed).hex()


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
            ticket, lock, bases = self.opened()
            void = self.rng.choice(("ticket", "lock", "deal")) if self.rng.random() < 0.08 else None
            try:
                records = [ticket] if void == "ticket" else list(
                    self.stub.Deal(pb.DealRequest(ticket=ticket, lock=lock)).records)
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.INVALID_ARGUMENT:
                    raise
                self.refused += 1
                self.table, self.number, self.before = f"{self.rules.id}.{self.refused}", 0, None
                continue
            records = records[:2] if void == "lock" else records
            request = self.voided(records) if void else self.decided(records, bases)
            records += self.stub.Settle(request).records
            self.before = records[-1]
            return records

    def opened(self):
        """A ticket, the lock of the wagers and the seats with a base wager."""
        wagers, facts = self.wagers()
        round_id = shuffle.round_id(self.keyring.epoch, self.tenant, self.table, self.number)
        seeds, keys = {}, {}
        for seat in map(int, wagers):
            if self.does(self.client):
                seeds[seat] = self.rng.randbytes(self.rng.randint(16, 64))
                wagers[str(seat)]["client_seed"] = seeds[seat].hex()
            if self.does(self.seat_auth):
                keys[seat] = SEAT_KEYS[seat]
        self.seat_keys = keys
        ticket = self.stub.OpenRound(pb.OpenRoundRequest(
            epoch=self.keyring.epoch, manifest=self.manifest, table=self.table, round_no=self.number,
            ruleset=self.rules.id, prev=self.before,
            client_commits=[pb.ClientCommit(seat=seat, commit=shuffle.client_commitment(round_id, seat, seed).hex())
                            for seat, seed in seeds.items()],
            seat_keys=[pb.SeatKey(seat=seat, public_key=key.public) for seat, key in keys.items()])).ticket
        currency = {"code": "USD", "exponent": 2}
        if self.rules.family in ("online", "mania") and self.rng.random() < 0.3:
            currency = {"code": "JPY", "exponent": 0}
        body = {"currency": currency, "facts": facts, "prev": record_hash(ticket), "round_id": round_id.hex(),
                "seats": wagers, "step": "wagers"}
        bases = {int(seat): int(entry["wagers"][0]["amount"]) for seat, entry in wagers.items()
                 if entry["wagers"][0]["bet"] == "base"}
        return ticket, record("lock", body, *self.signing())[0], bases

    def does(self, demand):
        return demand in ("REQUIRED", "COMMITTED") or demand == "OPTIONAL" and self.rng.random() < 0.5

    def signing(self):
        """The ledger signs where it must, and at times where it need not."""
        return [self.ledger] if self.lock_required or self.rng.random() < 0.3 else []

    def wagers(self):
        """The seats of a lock, and its facts."""
        rng, family, facts, seats, chip = self.rng, self.rules.family, {}, {}, 1
        if family == "online":
            chip = rng.choice((1, 5, 7, 25, 100))
            facts["chip_minor"] = str(chip)
        for seat in sorted(rng.sample(range(1, self.rules.seats + 1), rng.randint(1, self.rules.seats))):
            base = rng.choice((rng.randint(1000, 30000), 30000, 30001, rng.randint(10, 400) * 100)) // chip * chip
            has_base = family != "mikes" or rng.random() < 0.85
            placed = [{"bet": "base", "amount": str(base)}] if has_base else []
            for bet in self.rules.bets:
                if bet.id in ("base", "double_down") or has_base and rng.random() < 0.4:
                    continue
                amount = rng.choice((rng.randint(100, 499), 500, rng.randint(501, 5000)))
                choice = {"choice": rng.choice(("red", "black"))} if bet.asks_choice else {}
                placed.append({"bet": bet.id, "amount": str(amount), **choice})
            seats[str(seat)] = {"wagers": placed}
        total = sum(int(entry["wagers"][0]["amount"]) for entry in seats.values())
        if family == "mikes":
            facts["action_pile"] = rng.randint(0, 6)
            facts["bank_minor"] = str(rng.choice((rng.randint(1, 20000), rng.randint(1, 200000), 10**7)))
        if family == "mini" and rng.random() < 0.5:
            facts |= {"banker_seat": int(rng.choice(list(seats))), "bank_minor": str(2 * total + rng.randint(0, 1000))}
        for fact, amount in (("table_min_minor", 1000), ("table_max_minor", 10**6)):
            if rng.random() < 0.2:
                facts[fact] = str(amount)
        self.banker = facts.get("banker_seat")
        return seats, facts

    def decided(self, records, bases):
        """The request that settles: each seat by the house way or as chance will, fouls included."""
        deal, actions = record_hash(records[-1]), []
        for seat in sorted(bases):
            body, cards = {"prev": deal, "seat": seat}, payload(records[-1])["visible"][str(seat)]
            if seat == self.banker or self.rng.random() < 0.5:
                body["house_way"] = self.rules.house_way_hash
            else:
                body["low"] = sorted(self.rng.sample(cards, len(cards) - 5))
            if self.rules.family == "mini" and self.rng.random() < 0.5:
                body["double_down"] = True
            keys = [self.seat_keys[seat]] if seat in self.seat_keys else []
            actions.append(record("action", body, *keys))
        body = {"actions": [digest for _, digest in actions], "prev": deal,
                "round_id": payload(records[0])["round_id"], "step": "final"}
        return pb.SettleRequest(records=records, actions=[action for action, _ in actions],
                                lock=record("lock", body, *self.signing())[0], disposition=pb.DISPOSITION_SETTLE)

    def voided(self, records):
        """The request that voids, after whatever there is of the round."""
        reason = self.rng.choice(REASONS)
        body = {"prev": record_hash(records[-1]), "reason": reason, "round_id": payload(records[0])["round_id"],
                "step": "void"}
        return pb.SettleRequest(records=records, disposition=pb.DISPOSITION_VOID,
                                lock=record("lock", body, *self.signing())[0],
                                void_reason=getattr(pb, f"VOID_REASON_{reason.upper()}"))
