"""Writes records as the engine, its root, the ledger and the seats would, with public test keys.

It makes transcripts, good and tampered with, for forgers with any keys. A body names other records
by `Ref`, which becomes their hash only when the whole is issued. So a change anywhere can be signed
and linked anew, as if all key holders colluded.
"""
import base64
import copy
import functools
import hashlib
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
from paigow_verify import ed25519, settle, shuffle, vrf  # noqa: E402
from paigow_verify.encoding import canonical, enc, kid, pae, sha256  # noqa: E402
from paigow_verify.rules import Rules  # noqa: E402
from public import Checkpointed, Log, Path, Root, signed_proof  # noqa: E402

ENGINE = "pge-1"

# Most records of a transcript occur in others too: each is signed once, and verified once.
ed25519.verify = functools.lru_cache(1 << 16)(ed25519.verify)


class Key:
    """An Ed25519 key, made from its name if no secret is given. A signature by such a key proves
    nothing."""

    def __init__(self, name, secret=None):
        digest = hashlib.sha512(secret or sha256(b"pge conformance key " + name.encode())).digest()
        self.scalar = int.from_bytes(digest[:32], "little") & ~7 & (1 << 255) - 1 | 1 << 254
        self.prefix, self.bytes = digest[32:], times(self.scalar)
        self.public = self.bytes.hex()

    @functools.lru_cache(1 << 16)
    def sign(self, message):
        """RFC 8032, 5.1.6."""
        r = int.from_bytes(hashlib.sha512(self.prefix + message).digest(), "little") % ed25519.ORDER
        nonce = times(r)
        k = int.from_bytes(hashlib.sha512(nonce + self.bytes + message).digest(), "little")
        return nonce + ((r + k * self.scalar) % ed25519.ORDER).to_bytes(32, "little")

    @functools.lru_cache(1 << 16)
    def prove(self, alpha):
        """A proof of the verifiable random function: RFC 9381, 5.1, with the nonce of 5.4.2.2."""
        point = vrf.point_of(self.bytes, alpha)
        h, gamma = ed25519.encode(point), times(self.scalar, point)
        k = int.from_bytes(hashlib.sha512(self.prefix + h).digest(), "little") % ed25519.ORDER
        c = vrf.challenge(self.bytes, h, gamma, times(k), times(k, point))
        s = (k + int.from_bytes(c, "little") * self.scalar) % ed25519.ORDER
        return gamma + c + s.to_bytes(32, "little")

    def listed(self):
        return {"kid": kid(self.bytes), "pk": self.public}


def times(scalar, point=ed25519.BASE):
    """The bytes of the point that many times."""
    is_base = point is ed25519.BASE
    return ed25519.encode(ed25519.times(scalar, point) if is_base else ed25519.combined(scalar, point, 0, point))


@functools.lru_cache
def vrf_key(secret):
    """The key of an epoch of the vrf suite. It has no other role."""
    return Key("vrf", secret)


class Ref:
    """The hash of another record, by its name."""

    def __init__(self, name):
        self.name = name

    def __deepcopy__(self, _):
        return self


class Witnessed:
    """A witness's signature for an epoch, which covers the hash of the manifest that announces it."""

    def __init__(self, key, announcement, epoch, commit, value):
        self.key, self.announcement, self.fields = key, announcement, (struct.pack("<I", epoch), commit, value)

    def __deepcopy__(self, _):
        return self

    def sign(self, hashes):
        epoch, commit, value = self.fields
        announcement = bytes.fromhex(hashes.get(self.announcement, "00" * 32))
        return self.key.sign(enc("pge/v1/epoch-salt-party", epoch, announcement, commit, value)).hex()


class Tree:
    """The hash of the Merkle tree over leaves, whose lists of records are names until they are issued."""

    def __init__(self, leaves):
        self.leaves = leaves

    def __deepcopy__(self, _):
        return self

    def hash(self, hash_of):
        """RFC 9162, section 2.1.2: each leaf joins the full subtrees before it."""
        stack = []
        for size, leaf in enumerate(self.leaves, 1):
            named = {name: sorted(map(hash_of, value)) if isinstance(value, set) else value
                     for name, value in leaf.items()}
            stack.append(sha256(b"\0" + canonical(named)))
            while size % 2 == 0:
                right = stack.pop()
                stack.append(sha256(b"\1" + stack.pop() + right))
                size //= 2
        while len(stack) > 1:
            right = stack.pop()
            stack.append(sha256(b"\1" + stack.pop() + right))
        return stack[0].hex()


class Draft:
    """A record before its links are known: its name, kind, body and signers."""

    def __init__(self, name, kind, body, keys=()):
        self.name, self.kind, self.body, self.keys = name, kind, body, list(keys)
        self.hidden = False


def issue(drafts, unknown=None):
    """Links and signs: returns the lines of the transcript. `unknown` replaces the hash of a record that
    is named before it is made. Without `unknown` such a name is an error."""
    hashes, lines, bytes_of = {}, [], {}

    def hash_of(name):
        return hashes[name] if unknown is None else hashes.get(name, unknown)

    def resolve(value):
        if isinstance(value, Ref):
            return hash_of(value.name)
        if isinstance(value, Witnessed):
            return value.sign(hashes)
        if isinstance(value, Tree):
            return value.hash(hash_of)
        if isinstance(value, (Root, Path)):
            return value.resolved(bytes_of)
        if isinstance(value, Checkpointed) and draft.kind != "log-proof":
            return "00" * 64
        if isinstance(value, dict):
            return {name: resolve(item) for name, item in value.items()}
        return [resolve(item) for item in value] if isinstance(value, list) else value

    for draft in drafts:
        sealed = signed_proof if draft.kind == "log-proof" else dict
        payload = draft.body if isinstance(draft.body, bytes) else canonical(sealed(resolve(draft.body)))
        kind = f"application/vnd.pge.{draft.kind}.v1+json"
        signed = pae(kind, payload)
        hashes[draft.name], bytes_of[draft.name] = sha256(signed).hex(), signed
        signatures = [{"keyid": kid(key.bytes), "sig": base64.b64encode(key.sign(signed)).decode()}
                      for key in draft.keys]
        envelope = {"payload": base64.b64encode(payload).decode(), "payloadType": kind,
                    "signatures": signatures}
        if not draft.hidden:
            lines.append(canonical(envelope).decode())
    return lines


OFF = {"chain": "off", "client": "optional", "external": "none", "lock": "off", "seat_auth": "off"}
LOCKED = {"chain": "required", "client": "optional", "external": "none", "lock": "required",
          "seat_auth": "optional"}
# Locked, with public randomness in each round.
DRAND = {**LOCKED, "external": "drand"}
# The log that keeps the records of a World.
LOG = Log("log.example/kit", Key("log"))
# The default rounds of a beacon that salt an epoch and that go into rounds of play.
SALT_ROUND, PLAY_ROUND = 7, 20


class World:
    """Keys, an epoch and its manifests; deals and settles rounds as drafts."""

    def __init__(self, rules, policy=LOCKED, suite="derived", salt="party", tenant="acme", epoch=1,
                 listed=None, engine=ENGINE, tables=None, beacon=None, log=None, salt_round=SALT_ROUND):
        """`listed` are the ids of the rulesets in the manifest; all by default. `tables` are those that
        its manifests pin, if they pin any. `beacon` and `log` are those that they list."""
        self.listed, self.engine, self.tables = listed, engine, tables
        self.beacon, self.log, self.salt_round = beacon, log, salt_round
        self.rules, self.policy, self.suite, self.tenant, self.epoch = rules, policy, suite, tenant, epoch
        self.root, self.receipt, self.ledger, self.witness = map(Key, ("root", "receipt", "ledger", "witness"))
        self.secret = sha256(b"pge conformance epoch secret %d" % epoch)
        self.salt_kind, self.salt = salt, bytes(32)
        if salt == "party":
            self.value = sha256(b"pge conformance salt value")
            self.salt = shuffle.party_salt(self.witness.bytes, self.value)
        if salt == "drand":
            self.salt = beacon.salt(salt_round)
        self.last = {}

    def seat_key(self, seat):
        return Key(f"seat {seat}")

    @property
    def vrf_key(self):
        return vrf_key(self.secret)

    def vrf_input(self, table, round_no):
        coords = shuffle.coordinates(self.epoch, self.tenant, table, round_no)
        return enc("pge/v1/vrf-input", self.salt, *coords)

    def proof(self, table, round_no):
        """The proof of the server seed of a round in the vrf suite."""
        return self.vrf_key.prove(self.vrf_input(table, round_no))

    def server_seed(self, table, round_no, name):
        """The server seed of a round; in the fresh suite one that only the name of its drafts decides."""
        if self.suite == "vrf":
            point = ed25519.decode(self.proof(table, round_no)[:32])
            return sha256(enc("pge/v1/vrf-seed", vrf.output_of(point)))
        if self.suite == "derived":
            return shuffle.derived_seed(self.secret, self.salt, self.epoch, self.tenant, table, round_no)
        return sha256(b"pge conformance fresh seed " + name.encode())

    def _epoch(self, complete):
        later = 200000000 * (self.epoch - 1)
        entry = {"epoch": self.epoch, "open_from": str(1700000000 + later), "open_until": str(1900000000 + later),
                 "settle_until": str(1901000000 + later), "suite": self.suite}
        if self.suite == "fresh":
            return entry
        is_vrf = self.suite == "vrf"
        commit = self.vrf_key.bytes if is_vrf else shuffle.epoch_commit(self.epoch, self.secret)
        entry |= {"vrf_key" if is_vrf else "commit": commit.hex(), "salt_source": {"type": "none"}}
        if self.salt_kind == "party":
            entry["salt_source"] = {"type": "party", "pk": self.witness.public}
            if complete:
                # The witness signs for the manifest that announces the epoch, once its hash is known.
                entry["salt_source"] |= {"value": self.value.hex(), "sig": Witnessed(
                    self.witness, "announcement", self.epoch, commit, self.value)}
        if self.salt_kind == "drand":
            entry["salt_source"] = self.beacon.named(self.salt_round)
            if complete:
                entry["salt_source"]["signature"] = self.beacon.signatures[self.salt_round]
        if complete:
            entry["salt"] = self.salt.hex()
        return entry

    def _manifest(self, name, seq, prev, complete):
        rulesets = {digest: r for digest, r in self.rules.rulesets.items()
                    if self.listed is None or r["id"] in self.listed}
        ways = {r["house_way"]["id"]: r["house_way"]["hash"] for r in rulesets.values()}
        body = {"algo": "PGE-FAIR-1", "engine": self.engine, "epochs": [self._epoch(complete)], "prev": prev,
                "seq": str(seq), "receipt_keys": [self.receipt.listed()],
                "root": {"keys": [self.root.listed()], "threshold": 1},
                "house_ways": [{"hash": digest, "name": name} for name, digest in sorted(ways.items())],
                "rulesets": sorted(({"cards": r["cards"], "hash": digest, "name": r["id"]}
                                    for digest, r in rulesets.items()), key=lambda x: x["name"]),
                "tenants": [{"ledger_keys": [self.ledger.listed()], "policy": dict(self.policy),
                             "tenant": self.tenant, **({"tables": self.tables} if self.tables else {})}]}
        if self.beacon:
            body["beacon"] = dict(self.beacon.members)
        if self.log:
            body["log"] = {"origin": self.log.origin, "pk": self.log.key.public}
        return Draft(name, "manifest", body, [self.root])

    def manifests(self):
        if self.salt_kind == "none" or self.suite == "fresh":
            return [self._manifest("manifest", 1, "0" * 64, True)]
        return [self._manifest("announcement", 1, "0" * 64, False),
                self._manifest("manifest", 2, Ref("announcement"), True)]

    def reveal(self):
        return Draft("reveal", "epoch-reveal", {"epoch": self.epoch, "epoch_secret": self.secret.hex()},
                     [self.root])

    def close(self, drafts, name="epoch close", **change):
        """The public close of the epoch over the drafts of rounds; `change` replaces members."""
        leaves, ends, kinds = {}, {}, {"ticket": "tickets", "lock": "locks", "deal": "deals", "settle": "closes"}
        locked = set()
        for draft in drafts:
            if draft.kind == "ticket":
                place = (draft.body["table"], int(draft.body["round_no"]))
                leaf = leaves.setdefault(place, {one: set() for one in kinds.values()} | {
                    "epoch": self.epoch, "tenant": self.tenant, "table": place[0], "round_no": str(place[1])})
            elif draft.kind == "settle":
                ends.setdefault(place, []).append(draft)
            elif draft.name.endswith("/wagers") and draft.body["step"] == "wagers":
                locked.add(place)
            if draft.kind in kinds:
                leaf[kinds[draft.kind]].add(draft.name)
        settled = {place for place, closes in ends.items()
                   if any(one.body["disposition"] == "settled" for one in closes)}
        tables = []
        for table, last in sorted({table: number for table, number in sorted(leaves)}.items()):
            closes = ends.get((table, last), [])
            head = {"head": Ref(closes[0].name)} if len(closes) == 1 else {}
            tables.append({"table": table, "last": str(last), **head})
        body = {"epoch": self.epoch, "tenant": self.tenant, "leaves": str(len(leaves)), "tables": tables,
                "root": Tree([leaf for _, leaf in sorted(leaves.items())]),
                "rounds": {"settled": str(len(settled)), "voided": str(len(ends) - len(settled)),
                           "never_closed": str(len(leaves) - len(ends)),
                           "opened_again": str(sum(len(leaf["tickets"]) > 1 for leaf in leaves.values()))}}
        if self.suite == "vrf" and locked - settled:
            # Only this opens the seeds of these rounds.
            body["seed_proofs"] = [{"proof": self.proof(*place).hex(), "round_no": str(place[1]), "table": place[0]}
                                   for place in sorted(locked - settled)]
        return Draft(name, "epoch-close", body | change, [self.receipt, self.witness])

    def proofs(self, drafts, *names, time, witnesses=None, log=None):
        """Proofs that records are in a log, which has all of the drafts in their order. Its checkpoint is cosigned at
        a time."""
        log, entries = log or self.log, [draft.name for draft in drafts]
        cosigned = [{"pk": key.public, "sig": Checkpointed(key), "time": str(time)}
                    for key in witnesses or [self.witness]]
        return [Draft(f"proof of {name}", "log-proof", {
            "cosignatures": copy.deepcopy(cosigned), "index": str(entries.index(name)), "origin": log.origin,
            "path": Path(entries, entries.index(name)), "record": Ref(name), "root": Root(entries),
            "sig": Checkpointed(log.key), "size": str(len(entries))}) for name in names]

    def round(self, ruleset_id, sheet, facts=None, decide=None, table="T1", round_no=1, currency=None,
              seeds=(), seat_keys=(), prev=None, stop=None, name=None, beacon_round=PLAY_ROUND):
        """Drafts of one round. `sheet` is {seat: [(bet, amount[, choice])]}; `decide(seat, cards)`
        gives the low cards, None for the house way, or either with "double" beside it. `seeds` are the
        seats with a client seed, or their seeds by seat. `stop` may
        be "ticket", "deal" (unfinished), or ("void", where, reason), where `where` is the last record
        before the void: "ticket", "wagers" or "deal"."""
        ruleset = self.rules.ruleset(ruleset_id)
        digest = next(d for d, r in self.rules.rulesets.items() if r is ruleset)
        way = self.rules.house_ways[ruleset["house_way"]["hash"]]
        name, facts = name or f"{table}/{round_no}", dict(facts or {})
        prev = prev or ("manifest" if round_no == 1 else f"{table}/{round_no - 1}/close")
        round_id = shuffle.round_id(self.epoch, self.tenant, table, round_no)
        server_seed = self.server_seed(table, round_no, name)
        if not isinstance(seeds, dict):
            seeds = {seat: sha256(b"pge conformance client seed %d " % seat + name.encode()) for seat in seeds}
        has_beacon = self.policy["external"] == "drand" and self.beacon is not None
        external = self.beacon.named(beacon_round) if has_beacon else {"type": "none"}
        added = self.beacon.external(beacon_round) if has_beacon else b""
        seed = shuffle.round_seed(server_seed, round_id, seeds, added)
        ticket = {
            "algo": "PGE-FAIR-1", "engine": self.engine, "epoch": self.epoch, "external": external,
            "client": {str(s): shuffle.client_commitment(round_id, s, seed).hex() for s, seed in seeds.items()},
            "commit": shuffle.commitment(server_seed, round_id, bytes.fromhex(digest), self.engine).hex(),
            "manifest": Ref("manifest"), "policy": dict(self.policy), "prev": Ref(prev),
            "round_id": round_id.hex(), "round_no": str(round_no), "ruleset": digest, "suite": self.suite,
            "seat_keys": {str(seat): {"key": self.seat_key(seat).public} for seat in seat_keys},
            "table": table, "tenant": self.tenant}
        if self.suite == "fresh":
            ticket["sealed"] = (b"PGT1\x01" + hashlib.sha512(server_seed).digest() + bytes(16)).hex()
        drafts = [Draft(f"{name}/ticket", "ticket", ticket, [self.receipt])]
        locks = [self.ledger] if self.policy["lock"] == "required" else []
        wagers = {seat: {bet: {"amount": amount, "bet": bet, **({"choice": choice[0]} if choice else {})}
                         for bet, amount, *choice in bets} for seat, bets in sorted(sheet.items())}
        if not isinstance(stop, str) or stop != "ticket":
            if not (isinstance(stop, tuple) and stop[1] == "ticket"):
                drafts += self._deal(name, round_id, seed, seeds, ruleset, wagers, facts, currency, locks)
                if has_beacon:
                    drafts[-1].body["beacon"] = self.beacon.signatures[beacon_round]
                if isinstance(stop, tuple) and stop[1] == "wagers":
                    drafts.pop()
        if stop is None:
            drafts += self._close(name, round_id, server_seed, seed, ruleset, way, wagers, facts, decide,
                                  seat_keys, locks)
            if self.suite == "vrf":
                drafts[-1].body["seed_proof"] = self.proof(table, round_no).hex()
        elif stop[0] == "void":
            drafts += self._void(name, round_id, ruleset, wagers, stop[2], locks, stop[1])
        return drafts

    def _deal(self, name, round_id, seed, seeds, ruleset, wagers, facts, currency, locks):
        deck = shuffle.deck(seed, ruleset["cards"])
        dice = shuffle.dice(seed) if ruleset["dealing"]["dice"] == "three" else []
        bases = {seat: bets["base"]["amount"] for seat, bets in wagers.items() if "base" in bets}
        hands = settle.deal(ruleset, deck, dice, facts, set(bases))
        lock = {"currency": currency or ruleset.get("currency", {"code": "EUR", "exponent": 2}),
                "facts": {n: v if n in ("action_pile", "banker_seat") else str(v) for n, v in facts.items()},
                "prev": Ref(f"{name}/ticket"), "round_id": round_id.hex(), "step": "wagers",
                "seats": {str(seat): {"wagers": [{**w, "amount": str(w["amount"])} for w in bets.values()],
                                      **({"client_seed": seeds[seat].hex()} if seat in seeds else {})}
                          for seat, bets in wagers.items()}}
        deal = {"deck_commit": shuffle.deck_commitment(seed, deck).hex(), "dice": dice, "phase": 1,
                "fees": {str(s): str(f) for s, f in settle.fees(ruleset, bases).items()},
                "prev": Ref(f"{name}/wagers"), "round_id": round_id.hex(), "ticket": Ref(f"{name}/ticket"),
                "visible": {str(seat): hands[seat] for seat in wagers}}
        exposed = settle.exposed(ruleset, self.rules.house_ways[ruleset["house_way"]["hash"]], hands)
        if exposed:
            deal["dealer"] = exposed
        lines = settle.final_in_deal(ruleset, wagers, hands)
        if lines:
            deal["lines"] = [{**line.record(), "seat": seat} for seat, line in lines]
        return [Draft(f"{name}/wagers", "lock", lock, locks), Draft(f"{name}/deal", "deal", deal, [self.receipt])]

    def _close(self, name, round_id, server_seed, seed, ruleset, way, wagers, facts, decide, seat_keys, locks):
        deck = shuffle.deck(seed, ruleset["cards"])
        dice = shuffle.dice(seed) if ruleset["dealing"]["dice"] == "three" else []
        bases = {seat for seat, bets in wagers.items() if "base" in bets}
        hands = settle.deal(ruleset, deck, dice, facts, bases)
        decisions, actions = {}, []
        for seat in sorted(bases):
            low, *double = (decide(seat, hands[seat]) if decide else None) or (None,)
            body = {"seat": seat, "prev": Ref(f"{name}/deal")}
            body |= {"house_way": way.hash} if low is None else {"low": sorted(low)}
            body |= {"double_down": True} if double else {}
            decisions[seat] = body
            signers = [self.seat_key(seat)] if seat in seat_keys else []
            actions.append(Draft(f"{name}/action {seat}", "action", body, signers))
        final = {"actions": [Ref(action.name) for action in actions], "prev": Ref(f"{name}/deal"),
                 "round_id": round_id.hex(), "step": "final"}
        results = settle.Round(ruleset, way, wagers, facts, hands, decisions, dice).results()
        close = {"deal": Ref(f"{name}/deal"), "dealer": hands[0], "deck": deck, "disposition": "settled",
                 "prev": Ref(f"{name}/final"), "results": results, "round_id": round_id.hex(),
                 "round_seed": seed.hex(), "server_seed": server_seed.hex(), "ticket": Ref(f"{name}/ticket")}
        return [*actions, Draft(f"{name}/final", "lock", final, locks),
                Draft(f"{name}/close", "settle", close, [self.receipt])]

    def _void(self, name, round_id, ruleset, wagers, reason, locks, last):
        bases = {seat: bets["base"]["amount"] for seat, bets in wagers.items() if "base" in bets}
        returns = {}
        if last != "ticket":
            returns = {seat: sum(w["amount"] for w in bets.values()) for seat, bets in wagers.items()}
        if last == "deal":
            for seat, fee in settle.fees(ruleset, bases).items():
                returns[seat] = returns.get(seat, 0) + fee
        lock = {"prev": Ref(f"{name}/{last}"), "reason": reason, "round_id": round_id.hex(), "step": "void"}
        close = {"disposition": "void", "prev": Ref(f"{name}/void"), "reason": reason,
                 "returns": {str(seat): str(amount) for seat, amount in sorted(returns.items())},
                 "round_id": round_id.hex(), "ticket": Ref(f"{name}/ticket")}
        return [Draft(f"{name}/void", "lock", lock, locks), Draft(f"{name}/close", "settle", close, [self.receipt])]


def copy_of(drafts):
    return [Draft(draft.name, draft.kind, copy.deepcopy(draft.body), draft.keys) for draft in drafts]


__all__ = ["Draft", "Key", "LOCKED", "OFF", "Ref", "Rules", "World", "copy_of", "issue"]
