"""The callers of the chaos run: tables that play locked rounds, and a tenant that audits at its limits.

A table repeats the identical request until it gets an answer or a refusal. The book keeps every request
with its answer, so that a second answer to one request is found.
"""
import base64
import collections
import hashlib
import json
import random
import secrets
import threading
import time

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from common import Calls, Failed, check, connect, pb, reason

# How long one attempt may take. A replica that is stopped answers nothing for longer.
ATTEMPT = 2.0
# How long a table repeats one request. Reaching it is a failure.
PATIENCE = 120.0
AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED}
# A process that dies in the middle of an answer leaves one of these, without a reason of the engine.
TORN = {grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.CANCELLED}
RULESET = "express"
SEATS = (1, 4)
WAGERS = ((1, "base", 25_00), (1, "dynasty", 5_00), (4, "base", 100_00))


class Refused(Exception):
    """The engine refused a request. Repeating it does not help."""


class Book:
    """All requests of the tables, and their answers."""

    def __init__(self):
        self.lock = threading.Lock()
        self.answers = {}
        self.calls = self.repeats = self.asked_again = 0
        self.doubles, self.faults = [], []
        # Envelopes that a table was given.
        self.given = set()
        # Seconds from the first attempt to the answer, before the attack and since, and the longest.
        self.before, self.during, self.slowest = [], [], (0.0, "")
        self.attacked = self.over = False

    def learn(self, method, request, answer, seconds, failures, attacked):
        """Keeps an answer, and compares it with the one that the same request got before."""
        digest = hashlib.sha256(answer).digest()
        with self.lock:
            self.calls += 1
            self.repeats += len(failures)
            self.slowest = max(self.slowest, (seconds, f"{method} after {', '.join(failures) or 'no failure'}"))
            (self.during if attacked else self.before).append(seconds)
            known = self.answers.setdefault((method, hashlib.sha256(request).digest()), digest)
            if known != digest:
                self.doubles.append(method)

    def fault(self, what):
        with self.lock:
            self.faults.append(what)

    def give(self, records):
        with self.lock:
            self.given.update(record.envelope for record in records)


class Tenant:
    """A tenant of the manifest, its ledger key, and the token that its callers show."""

    def __init__(self, name, ledger=None):
        self.name, self.ledger, self.token = name, ledger, secrets.token_hex(16)


def public_key(key):
    return key.public_key().public_bytes_raw().hex()


def signed(prepared, *keys):
    return pb.Record(envelope=prepared.record.envelope, signatures=[
        pb.Signature(public_key=public_key(key), signature=key.sign(prepared.to_sign)) for key in keys])


class Table:
    """Plays one table round after round until the run is over, and ends the round that it has begun."""

    def __init__(self, address, tenant, name, seed, book, place):
        self.address, self.tenant, self.name, self.book, self.place = address, tenant, name, book, place
        self.calls = Calls(connect(address, policy=False))
        self.random = random.Random(f"{seed} {tenant.name} {name}")
        self.asked, self.begun = [], 0
        # The token of the call that is under way.
        self.showing = None
        # The disposition and the records of each finished round, in their order.
        self.ended, self.records = [], []

    def ask(self, method, request, answer):
        """Repeats a request until it has its answer."""
        raw = request.SerializeToString()
        got = self.until_answered(method, raw)
        self.asked.append((method, raw))
        # An earlier request of this table has to get the answer that it got then.
        if self.random.random() < 0.1:
            self.book.asked_again += 1
            self.until_answered(*self.random.choice(self.asked[-50:]))
        return answer.FromString(got)

    def until_answered(self, method, raw):
        began, failures, pause = time.monotonic(), [], 0.05
        attacked = self.book.attacked
        while True:
            self.showing = self.tenant.token
            try:
                got = self.calls.raw(method, raw, timeout=ATTEMPT,
                                     metadata=[("authorization", f"Bearer {self.showing}")])
            except grpc.RpcError as error:
                code, why = error.code(), reason(error)
                said = f"{self.tenant.name} {self.name} {method}: {code.name} {why}: {error.details()}"
                if not (code in AGAIN or code in TORN and not why):
                    raise Refused(said) from None
                if time.monotonic() > began + PATIENCE:
                    raise Failed(f"no answer for {PATIENCE:.0f} s: {said}") from None
                failures.append(why or code.name)
                time.sleep(pause)
                pause = min(0.5, 2 * pause)
            else:
                self.book.learn(method, raw, got, time.monotonic() - began, failures, attacked)
                return got

    def play(self):
        while not self.book.over:
            self.begun += 1
            try:
                disposition, records = self.play_round()
            except (Failed, Refused) as fault:
                self.book.fault(str(fault))
                return
            self.ended.append(disposition)
            self.records.append(records)
            # A pace: the processor belongs to the servers.
            time.sleep(self.random.random() * 0.05)

    def play_round(self):
        """Plays one round and returns how it ended, with its records from the ticket to the close."""
        place = pb.OpenRoundRequest(epoch=1, table=self.name, round_no=self.begun, ruleset=RULESET,
                                    prev=self.records[-1][-1] if self.records else None, **self.place)
        keys, seeds = {}, {}
        if self.tenant.name == "seats":
            keys = {seat: Ed25519PrivateKey.generate() for seat in SEATS}
            place.seat_keys.extend(pb.SeatKey(seat=seat, public_key=public_key(keys[seat])) for seat in SEATS)
            prefixes = self.ask("PrepareOpen", pb.PrepareOpenRequest(open=place), pb.PrepareOpenResponse).prefixes
            for one in prefixes:
                if one.seat in SEATS:
                    seeds[one.seat] = secrets.token_bytes(32)
                    commit = hashlib.sha256(one.prefix + seeds[one.seat]).hexdigest()
                    place.client_commits.add(seat=one.seat, commit=commit)
        ticket = self.ask("OpenRound", place, pb.OpenRoundResponse).ticket
        self.book.give([ticket])
        if self.random.random() < 0.08:
            return self.void([ticket])

        sheet = pb.WagerSheet(currency=pb.Currency(code="USD", exponent=2))
        for seat, bet, amount in WAGERS:
            sheet.wagers.add(seat=seat, bet=bet, amount_minor=amount, client_seed=seeds.pop(seat, b"").hex())
        lock = self.ask("PrepareDeal", pb.PrepareDealRequest(ticket=ticket, sheet=sheet), pb.PrepareDealResponse).lock
        dealt = self.ask("Deal", pb.DealRequest(ticket=ticket, lock=signed(lock, self.tenant.ledger)), pb.DealResponse)
        self.book.give(dealt.records)
        if self.random.random() < 0.04:
            return self.void(dealt.records)

        decisions = [pb.Decision(seat=seat, house_way=True) for seat in SEATS]
        prepared = self.ask("PrepareSettle", pb.PrepareSettleRequest(records=dealt.records, decisions=decisions),
                            pb.PrepareSettleResponse)
        actions = [signed(one.action, *([keys[one.seat]] if keys else [])) for one in prepared.actions]
        settled = self.ask("Settle", pb.SettleRequest(
            records=dealt.records, actions=actions, lock=signed(prepared.lock, self.tenant.ledger)), pb.SettleResponse)
        self.book.give(settled.records)
        return "settled", [*dealt.records, *settled.records]

    def void(self, records):
        why = pb.VOID_REASON_OPERATOR
        lock = self.ask("PrepareVoid", pb.PrepareVoidRequest(records=records, reason=why), pb.PrepareVoidResponse).lock
        voided = self.ask("VoidRound", pb.VoidRoundRequest(
            records=records, reason=why, lock=signed(lock, self.tenant.ledger)), pb.VoidRoundResponse)
        self.book.give(voided.records)
        return "voided", [*records, *voided.records]


def large_transcript(manifest, size):
    """Returns a transcript that is dear to audit: reveals, each with 16 signatures by keys that no manifest lists.

    `manifest` has as many root and receipt keys as a manifest may have.
    """
    strangers = [Ed25519PrivateKey.generate() for _ in range(16)]
    kind = b"application/vnd.pge.epoch-reveal.v1+json"
    lines = []
    for epoch in range(100):
        body = json.dumps({"epoch": epoch, "epoch_secret": "11" * 32}, separators=(",", ":")).encode()
        pae = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(body), body)
        signatures = [{"keyid": public_key(key)[:16], "sig": base64.b64encode(key.sign(pae)).decode()}
                      for key in strangers]
        lines.append(json.dumps({"payload": base64.b64encode(body).decode(), "payloadType": kind.decode(),
                                 "signatures": signatures}, separators=(",", ":")).encode() + b"\n")
    room, made = size - len(manifest), [manifest]
    for line in (line for _ in range(size) for line in lines):
        room -= len(line)
        if room < 0:
            return b"".join(made)
        made.append(line)


class Auditor:
    """A hostile tenant: audits without a pause, each time the largest message that a server takes."""

    def __init__(self, address, tenant, transcript, root_keys):
        self.address, self.tenant = address, tenant
        self.subject = {"transcript": transcript, "root_keys": root_keys}
        self.answered, self.turned_away = 0, collections.Counter()
        self.channels, self.over = [], False

    def attack(self, method):
        channel = connect(self.address, policy=False)
        self.channels.append(channel)
        calls, streamed = Calls(channel), channel.stream_stream("/paigow.v1.PaiGowService/AuditStream")
        one = pb.AuditRequest(**self.subject).SerializeToString()
        while not self.over:
            how = {"timeout": 10.0, "metadata": [("authorization", f"Bearer {self.tenant.token}")]}
            try:
                if method == "Audit":
                    calls.raw(method, one, **how)
                    self.answered += 1
                else:
                    self.answered += sum(1 for _ in streamed(iter([one] * 3), **how))
            except ValueError:
                check(self.over, "the connection of the attack is closed")
            except grpc.RpcError as error:
                check(error.code() not in (grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.INVALID_ARGUMENT),
                      f"the audits of the attack are refused: {error.code().name} {reason(error)}: {error.details()}")
                if not self.over:
                    self.turned_away[reason(error) or error.code().name] += 1
                    time.sleep(0.05)

    def stop(self):
        """Ends the attack at once, whatever it waits for."""
        self.over = True
        for channel in self.channels:
            channel.close()
