"""One round, step by step. Every step may be repeated: after a lost answer, a crash, in another process."""
import grpc
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from . import beacon, records
from .errors import BadSignature, BeaconUnavailable, Refused, SignedOtherwise, TooLate, WrongStep
from .store import CLOSE, WAGERS
from .v1 import paigow_service_pb2 as pb

VOID_REASONS = {pb.VOID_REASON_CLIENT_SEED: "client_seed", pb.VOID_REASON_PLAYER_LEFT: "player_left",
                pb.VOID_REASON_EQUIPMENT: "equipment", pb.VOID_REASON_OPERATOR: "operator",
                pb.VOID_REASON_EPOCH_REVOKED: "epoch_revoked", pb.VOID_REASON_MISDEAL: "misdeal"}


# How a round has ended, before the answer that ended it.
CLOSES = {b"S": pb.SettleResponse, b"V": pb.VoidRoundResponse}


def parsed(kind, value):
    return kind.FromString(value) if value is not None else None


def close_of(stored):
    """Returns the answer that has closed a round: of ``Settle``, or of ``VoidRound``."""
    return CLOSES[stored[:1]].FromString(stored[1:])


class Round:
    """A round at a table, made by ``Table.next_round()``.

    ``open``, ``deal``, ``decide`` and ``settle`` come in this order; ``void`` ends a round at any
    step before it is settled. A step that is done already returns its result again.
    """

    def __init__(self, table, place):
        self._table, self._engine, self._ledger = table, table.engine, table.ledger
        self._store, self.place = table.ledger.store, place

    # The results of the steps

    @property
    def ticket(self):
        return parsed(pb.Record, self._store.get(self.place, "ticket"))

    @property
    def dealt(self):
        """The answer of the deal, or ``None``."""
        return parsed(pb.DealResponse, self._store.get(self.place, "dealt"))

    @property
    def sheet(self):
        """The wagers, once they are final."""
        lock = self._store.lock(self.place, WAGERS)
        return parsed(pb.WagerSheet, lock.content if lock else self._store.get(self.place, "sheet"))

    @property
    def is_closed(self):
        return self._store.get(self.place, "closed") is not None

    @property
    def is_locked(self):
        """Whether the ledger has locked the decisions: only ``settle`` is left."""
        return self._store.lock(self.place, CLOSE) is not None

    @property
    def step(self):
        """The step that comes next: ``open``, ``deal``, ``settle`` or ``closed``."""
        if self.is_closed:
            return "closed"
        if self.dealt:
            return "settle"
        return "deal" if self.ticket else "open"

    # Open

    def _opening(self):
        return pb.OpenRoundRequest.FromString(self._store.get(self.place, "place"))

    def commit_prefixes(self):
        """Returns the prefix of each seat's commitment: a player commits to SHA-256(prefix, seed)."""
        prepared = self._prepare_open(self._opening())
        return {one.seat: one.prefix for one in prepared.prefixes}

    def _prepare_open(self, request):
        """Has the engine check an opening. Sets a round of the beacon that the engine takes, where the policy wants one."""
        if self._table.waits_for_beacon:
            request.beacon_round = self._table.source.round(self._table.beacon)
        try:
            return self._engine.call("PrepareOpen", pb.PrepareOpenRequest(open=request))
        except Refused as refused:
            if refused.reason != "BEACON_ROUND":
                raise
            request.beacon_round = beacon.permitted(refused)
            return self._engine.call("PrepareOpen", pb.PrepareOpenRequest(open=request))

    def open(self, commits=None, seat_keys=None, house_way_if_absent=()):
        """Opens the round. ``commits`` and ``seat_keys`` are by seat, in hexadecimal. ``house_way_if_absent``
        are the seats whose hands the house way sets if their players are gone. Returns the ticket."""
        if self.ticket:
            return self.ticket
        request = self._opening()
        for seat, commit in sorted((commits or {}).items()):
            request.client_commits.add(seat=seat, commit=commit)
        for seat, key in sorted((seat_keys or {}).items()):
            request.seat_keys.add(seat=seat, public_key=key, house_way_if_absent=seat in house_way_if_absent)
        if self._table.waits_for_beacon and self._store.get(self.place, "opened") is None:
            self._prepare_open(request)
        # Stored before the request: another opening with commitments would be a fork of the round.
        request = self._store.put(self.place, "opened", request.SerializeToString(deterministic=True))
        try:
            opened = self._engine.call("OpenRound", pb.OpenRoundRequest.FromString(request))
        except Refused as refused:
            if refused.code == grpc.StatusCode.INVALID_ARGUMENT:
                self._store.forget_opening(self.place)
            raise
        self._store.put(self.place, "ticket", opened.ticket.SerializeToString())
        return self.ticket

    # Deal

    def deal(self, sheet=None, seeds=None):
        """Locks the wagers and deals. ``seeds`` are the client seeds by seat, in bytes. Without a sheet
        it goes on with the wagers that were locked. Returns the answer with the players' cards.

        Raises ``SignedOtherwise`` if other wagers are final, or if a void is locked. A round that waits for a beacon
        raises ``BeaconUnavailable`` while its signature is not there, and ``TooLate`` if its value is public
        and no wagers are locked.
        """
        if self.dealt:
            self._is_same_sheet(self._with_seeds(sheet, seeds))
            return self.dealt
        ticket, sheet = self._needs(self.ticket, "open"), self._with_seeds(sheet, seeds)
        if self._table.policy.lock_required:
            lock = self._ledger.record(self._wager_lock(ticket, sheet))
            number = beacon.round_of(ticket)
            signature = ""
            if number is not None:
                self._table.source.give_lock(lock)
                signature = self._table.source.signature_of(number)
            void = self._store.lock(self.place, CLOSE)
            if void:
                raise SignedOtherwise("the void of the round is locked: void it", void.content)
            request = pb.DealRequest(ticket=ticket, lock=lock, beacon_signature=signature)
        else:
            sheet = self._needs(sheet or self.sheet, "deal with a sheet")
            self._store.put(self.place, "sheet", sheet.SerializeToString(deterministic=True))
            self._is_same_sheet(sheet)
            request = pb.DealRequest(ticket=ticket, sheet=sheet)
        try:
            dealt = self._engine.call("Deal", request)
        except Refused as refused:
            if refused.reason == "BEACON_SIGNATURE":
                raise BeaconUnavailable(f"no signature of the beacon's round {number}: {refused}") from refused
            raise
        self._store.put(self.place, "dealt", dealt.SerializeToString())
        return self.dealt

    def _wager_lock(self, ticket, sheet):
        lock = self._ledger.stored(self.place, WAGERS)
        if lock:
            self._is_same_sheet(sheet)
            return lock
        sheet = self._needs(sheet, "deal with a sheet")
        prepared = self._engine.call("PrepareDeal", pb.PrepareDealRequest(ticket=ticket, sheet=sheet)).lock
        ticket_body = records.body(ticket.envelope)
        expected = {**records.wagers_of(sheet), "prev": records.record_hash(ticket.envelope),
                    "round_id": ticket_body["round_id"], "step": "wagers"}
        number = beacon.round_of(ticket)
        if number is not None and self._table.source.is_published(self._table.beacon, number):
            raise TooLate(f"the beacon has published its round {number}, and no wagers are locked: void the round")
        content = sheet.SerializeToString(deterministic=True)
        return self._ledger.lock(self.place, WAGERS, prepared, expected, content)

    def _is_same_sheet(self, sheet):
        locked = self.sheet
        if sheet is not None and locked is not None and sheet != locked:
            raise SignedOtherwise("the wagers of the round are final, and others", locked)

    @staticmethod
    def _with_seeds(sheet, seeds):
        if sheet is None:
            return None
        made, seeds = pb.WagerSheet(), dict(seeds or {})
        made.CopyFrom(sheet)
        # A seed is sent with the first wager of its seat.
        for wager in made.wagers:
            if wager.seat in seeds:
                wager.client_seed = seeds.pop(wager.seat).hex()
        return made

    # Decide

    def _decided(self):
        return parsed(pb.SettleRequest, self._store.get(self.place, "decisions")) or pb.SettleRequest()

    def decide(self, decision, absent=()):
        """Takes the decision of a seat. Returns the bytes that the player signs, if the seat has a key:
        hand the signature to ``sign``. A later decision of a seat replaces an earlier one."""
        dealt = self._needs(self.dealt, "deal")
        if self._store.lock(self.place, CLOSE):
            raise WrongStep("the decisions are locked")
        decided = self._decided()
        others = [one for one in decided.decisions if one.seat != decision.seat]
        prepared = self._prepare_settle(dealt, [*others, decision], absent)
        action = next(one.action for one in prepared.actions if one.seat == decision.seat)
        self._check_action(dealt, action, decision)
        actions = [one for one in decided.actions if records.body(one.envelope)["seat"] != decision.seat]
        made = pb.SettleRequest(decisions=[*others, decision], actions=[*actions, action.record])
        self._store.replace_decisions(self.place, made.SerializeToString())
        return action.to_sign

    def sign(self, seat, signature):
        """Takes the signature of a seat's decision, 64 bytes. Raises ``BadSignature`` if it does not verify
        under the key of the seat: a lock over it could not settle."""
        decided, key = self._decided(), self._seat_keys().get(seat)
        action = next((one for one in decided.actions if records.body(one.envelope)["seat"] == seat), None)
        if action is None or key is None:
            raise WrongStep(f"seat {seat} has {'no key' if action else 'not decided'}")
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
                signature, records.pae(*records.parse(action.envelope)))
        except InvalidSignature:
            raise BadSignature(f"the key of seat {seat} has not made this signature") from None
        del action.signatures[:]
        action.signatures.add(public_key=key, signature=signature)
        self._store.replace_decisions(self.place, decided.SerializeToString())

    def _seat_keys(self):
        opened = pb.OpenRoundRequest.FromString(self._store.get(self.place, "opened"))
        return {key.seat: key.public_key for key in opened.seat_keys}

    def _prepare_settle(self, dealt, decisions, absent):
        return self._engine.call("PrepareSettle", pb.PrepareSettleRequest(
            records=dealt.records, decisions=sorted(decisions, key=lambda one: one.seat), absent_seats=sorted(absent),
            spent=self._spent()))

    @staticmethod
    def _check_action(dealt, action, decision):
        """The player signs these bytes: they are the player's decision, and nothing else."""
        deal = records.record_hash(dealt.records[2].envelope)
        hand = next(hand for hand in dealt.hands if hand.seat == decision.seat)
        # The deal lists the card numbers in the order in which the answer lists the card codes.
        numbers = records.body(dealt.records[2].envelope)["visible"][str(decision.seat)]
        number_of = dict(zip(hand.cards, numbers))
        expected = {"prev": deal, "seat": decision.seat}
        if decision.double_down:
            expected["double_down"] = True
        if decision.HasField("low"):
            expected["low"] = sorted(number_of[card] for card in decision.low.cards)
        else:
            expected["house_way"] = records.body(action.record.envelope).get("house_way")
        records.check_to_sign(action, records.ACTION, expected)

    # Settle

    def settle(self, absent=()):
        """Locks the decisions, settles, and checks the settlement. ``absent`` are the seats of players who
        are gone. Returns the answer; raises ``NotVerified`` if it must not be paid."""
        if self.is_closed:
            return self._closed(pb.SettleResponse)
        dealt = self._needs(self.dealt, "deal")
        request = pb.SettleRequest(records=dealt.records, spent=self._spent())
        if self._table.policy.lock_required:
            lock, locked = self._final_lock(dealt, absent)
            request.actions.extend(locked.actions)
            request.lock.CopyFrom(self._ledger.record(lock))
        else:
            decided = self._final_decisions(absent)
            if any(action.signatures for action in decided.actions):
                request.actions.extend(decided.actions)
            else:
                request.decisions.extend(decided.decisions)
        settled = self._engine.call("Settle", request)
        self._table.check([*dealt.records, *settled.records])
        self._close(b"S", settled)
        return self._closed(pb.SettleResponse)

    def _final_decisions(self, absent):
        """The decisions without unsigned ones of absent seats."""
        decided, keys, made = self._decided(), self._seat_keys(), pb.SettleRequest()
        made.decisions.extend(one for one in decided.decisions if one.seat not in absent)
        for action in decided.actions:
            seat = records.body(action.envelope)["seat"]
            if seat in absent and action.signatures:
                raise WrongStep(f"seat {seat} has signed its decision: it is not absent")
            if seat not in absent and seat in keys and not action.signatures:
                # The lock would cover an action that can never settle.
                raise WrongStep(f"seat {seat} has not signed its decision")
            if seat not in absent:
                made.actions.append(action)
        return made

    def _final_lock(self, dealt, absent):
        lock = self._ledger.stored(self.place, CLOSE)
        if lock:
            if records.body(lock.envelope)["step"] == "void":
                raise SignedOtherwise("the void of the round is locked: void it", lock.content)
            return lock, pb.SettleRequest.FromString(lock.content)
        decided = self._final_decisions(absent)
        prepared = self._prepare_settle(dealt, decided.decisions, absent)
        if prepared.undecided_seats:
            seats = ", ".join(map(str, prepared.undecided_seats))
            raise WrongStep(f"seats that have not decided: {seats}")
        own = {records.record_hash(action.envelope): action for action in decided.actions}
        hashes = [records.record_hash(one.action.record.envelope) for one in prepared.actions]
        # The engine writes the action of an absent seat. The actions of others are those that they decided.
        actions = [own.get(name) or one.action.record for name, one in zip(hashes, prepared.actions)]
        decided_seats = {one.seat for one in decided.decisions}
        strange = [one.seat for name, one in zip(hashes, prepared.actions)
                   if one.seat in decided_seats and name not in own]
        if strange:
            raise WrongStep(f"the decisions of seats {strange} have changed: decide again")
        deal = dealt.records[2].envelope
        expected = {"actions": hashes, "prev": records.record_hash(deal),
                    "round_id": records.body(deal)["round_id"], "step": "final"}
        if absent:
            expected["absent"] = sorted(absent)
        self._add_superseded(expected)
        content = pb.SettleRequest(actions=actions)
        lock = self._ledger.lock(self.place, CLOSE, prepared.lock, expected, content.SerializeToString())
        return lock, content

    def mend(self, decision):
        """Decides again after the engine has refused a locked decision: the lock is spent then, and the
        next one supersedes it. Returns what ``decide`` returns."""
        self._store.spend(self.place, CLOSE)
        return self.decide(decision)

    def _spent(self):
        made = []
        for lock in self._store.spent(self.place, CLOSE):
            actions = pb.SettleRequest.FromString(lock.content).actions
            made.append(pb.SpentLock(actions=actions, lock=self._ledger.record(lock)))
        return made

    def _add_superseded(self, expected):
        spent = [records.record_hash(lock.envelope) for lock in self._store.spent(self.place, CLOSE)]
        if spent:
            expected["supersedes"] = spent

    # Void

    def void(self, reason=pb.VOID_REASON_OPERATOR):
        """Voids the round: stakes and fees go back, nothing is revealed. Returns the answer.

        If the wagers are locked, it deals first, so that the void names the deal that another process may have.

        Raises ``SignedOtherwise`` if the decisions are locked, or if the wagers were locked meanwhile. In the
        second case void it again: that void is over ticket and wagers.
        """
        if self.is_closed:
            return self._closed(pb.VoidRoundResponse)
        self._deal_locked_wagers()
        request = pb.VoidRoundRequest(reason=reason, spent=self._spent())
        prepare = pb.PrepareVoidRequest(reason=reason, spent=self._spent())
        for one in (request, prepare):
            if self.ticket:
                one.records.extend(self._void_records())
            else:
                one.open.CopyFrom(self._unopened())
        if self._table.policy.lock_required:
            lock = self._ledger.stored(self.place, CLOSE)
            if not lock:
                prepared = self._engine.call("PrepareVoid", prepare).lock
                body = records.body(prepared.record.envelope)
                last = request.records[-1].envelope if request.records else None
                expected = {"prev": records.record_hash(last) if last else body["prev"],
                            "reason": VOID_REASONS[reason], "step": "void",
                            "round_id": records.body(request.records[0].envelope)["round_id"] if last
                            else body["round_id"]}
                self._add_superseded(expected)
                content = pb.VoidRoundRequest(reason=reason).SerializeToString()
                lock = self._ledger.lock(self.place, CLOSE, prepared, expected, content)
            elif records.body(lock.envelope)["step"] != "void":
                raise SignedOtherwise("the decisions of the round are locked: settle it", None)
            # The reason of the lock, if a void with another one was locked before.
            request.reason = pb.VoidRoundRequest.FromString(lock.content).reason
            request.lock.CopyFrom(self._ledger.record(lock))
        voided = self._engine.call("VoidRound", request)
        self._close(b"V", voided)
        return self._closed(pb.VoidRoundResponse)

    def _unopened(self):
        """The opening of a round without a ticket. One that names a round of the beacon is stored: the void names the ticket
        that the engine makes of it. The engine opens no round without commitments where the policy wants them: then
        nothing is stored."""
        opened = self._store.get(self.place, "opened")
        if opened is None:
            request = self._opening()
            if not self._table.waits_for_beacon or self._table.policy.client == pb.CLIENT_POLICY_COMMITTED:
                return request
            request.beacon_round = self._table.source.round(self._table.beacon)
            opened = self._store.put(self.place, "opened", request.SerializeToString(deterministic=True))
        return pb.OpenRoundRequest.FromString(opened)

    def _deal_locked_wagers(self):
        """Deals if the wagers are locked and the close is not. If the engine refuses the
        deal, or its value does not come, no later record names a deal."""
        has_wagers = self.ticket and self._store.lock(self.place, WAGERS)
        if has_wagers and not self.dealt and not self.is_locked:
            try:
                self.deal()
            except (Refused, BeaconUnavailable):
                pass

    def _void_records(self):
        """The ticket, and the records that follow it: the lock of the wagers, the deal."""
        if self.dealt:
            return list(self.dealt.records)
        lock = self._store.lock(self.place, WAGERS)
        return [self.ticket, self._ledger.record(self._ledger.stored(self.place, WAGERS))] if lock else [self.ticket]

    # Records

    def records(self):
        """Returns the records of the round, in the order of a transcript. For a closed round these are the records
        that its close follows. A deal that another process got after the void was locked is not among them."""
        closed = self._store.get(self.place, "closed")
        if closed is None:
            return self._void_records()
        answered = list(close_of(closed).records)
        has_ticket = records.parse(answered[0].envelope)[0].startswith("application/vnd.pge.ticket.")
        if has_ticket or not self.ticket:
            return answered
        before, follows = self._void_records(), records.body(answered[0].envelope)["prev"]
        hashes = [records.record_hash(record.envelope) for record in before]
        return [*before[:hashes.index(follows) + 1 if follows in hashes else len(before)], *answered]

    def _close(self, kind, answer):
        self._store.put(self.place, "closed", kind + answer.SerializeToString())
        self._table.forget_lock(self._store.lock(self.place, WAGERS))

    def _closed(self, kind):
        answer = close_of(self._store.get(self.place, "closed"))
        if not isinstance(answer, kind):
            raise WrongStep("the round is void" if kind is pb.SettleResponse else "the round is settled")
        return answer

    @staticmethod
    def _needs(value, step):
        if value is None:
            raise WrongStep(f"first: {step}")
        return value
