"""One table: its rounds in order, each linked to the close of the one before."""
from .errors import LedgerError, PaigowError
from .round import Round, close_of
from .store import Place
from .v1 import paigow_service_pb2 as pb
from .verify import SettlementCheck


class Table:
    """A table of a platform.

    ``ruleset`` is an id or a hash. With ``root`` every settlement is checked before it is returned;
    ``rulesets`` and ``house_ways`` are the operator's own files, if the table plays by them. ``beacon`` is
    a ``BeaconSettings``, the source of public randomness: the policy ``external: drand`` needs it.
    """

    def __init__(self, engine, ledger, name, ruleset, root=None, *, rulesets=(), house_ways=(), beacon=None):
        self.engine, self.ledger, self.name, self.ruleset = engine, ledger, name, ruleset
        self._check = SettlementCheck(root, rulesets, house_ways) if root else None
        self._manifests, self.policy, self.beacon, self._source = [], None, None, beacon
        self.refresh()

    @property
    def waits_for_beacon(self):
        """Whether the rounds that are opened now wait for a beacon."""
        return self.policy.external == pb.EXTERNAL_POLICY_DRAND

    @property
    def source(self):
        """The source of public randomness. Raises ``PaigowError`` if there is none."""
        if self._source is None:
            raise PaigowError("the policy is external: drand: pass BeaconSettings as `beacon` of Table")
        return self._source

    def forget_lock(self, lock):
        """Deletes what the source has of the wagers of a closed round."""
        if self._source is not None and lock is not None:
            self._source.forget_lock(lock)

    def refresh(self):
        """Asks the engine for policy, manifest and epochs again. ``next_round`` does it each time."""
        state = self.engine.state()
        self.policy, self.beacon = state.policy, state.beacon
        key = self.ledger.signer.public_key
        if state.policy.lock_required and key not in state.ledger_keys:
            raise LedgerError(f"the manifest does not list the ledger's key {key}")
        if self.waits_for_beacon:
            self.source  # Raises if it is missing, before a round is begun.
        return state

    def next_round(self):
        """Returns the round that is not closed, or the next one."""
        store, state = self.ledger.store, self.refresh()
        unfinished = store.unfinished(self.name)
        if unfinished:
            place, _ = unfinished
            if store.get(place, "opened") is not None:
                return Round(self, place)
        if not state.open_epochs:
            raise PaigowError("no epoch is open")
        last = store.last_closed(self.name)
        first = store.first_epoch()
        open_epochs = [epoch.epoch for epoch in state.open_epochs if epoch.epoch >= first]
        if not open_epochs:
            raise PaigowError(f"no epoch is open that this ledger signs: it was restored, and signs from {first} on")
        if unfinished and unfinished[0].epoch in open_epochs:
            # Nobody has asked for it yet: it may name a newer manifest.
            place = unfinished[0]
        elif last and last[0].epoch in open_epochs:
            place = Place(self.name, last[0].epoch, last[0].round_no + 1)
        else:
            # Each epoch has a chain of its own.
            place = Place(self.name, open_epochs[0], 1)
        request = pb.OpenRoundRequest(
            epoch=place.epoch, manifest=state.manifest, manifest_sequence=state.manifest_sequence, table=self.name,
            round_no=place.round_no, ruleset=self.ruleset)
        if self.policy.chain_required and place.round_no > 1:
            # The closing record stands last.
            request.prev.CopyFrom(close_of(last[1]).records[-1])
        written = request.SerializeToString(deterministic=True)
        store.begin(place, written)
        store.replace_place(place, written)
        return Round(self, place)

    def manifests(self):
        """Returns the signed manifests: a transcript begins with them."""
        self._manifests += self.engine.manifests(len(self._manifests))
        return self._manifests

    def check(self, round_records):
        """Raises ``NotVerified`` unless the records of a round make its money."""
        if self._check:
            self._check.check(self.manifests(), round_records)

    def transcript(self, rounds):
        """Returns the transcript of rounds, in bytes."""
        lines = [*self.manifests(), *(record for one in rounds for record in one.records())]
        return b"".join(record.envelope + b"\n" for record in lines)
