"""The checks of one round (PGE-FAIR-1, D6). Each passes silently, or raises Failed or Skipped."""
from . import ed25519, shuffle
from .audit import Failed, Skipped
from .encoding import enc
from .money import cards_shown, results


def _hex(text):
    return bytes.fromhex(text)


def manifest_link(audit, this):
    """The ticket's manifest is above it in the file and lists what the ticket names."""
    ticket, record = this.ticket, this.get("ticket")
    record.refused = True
    manifest = audit.manifests.good.get(ticket["manifest"])
    if not audit.manifests.whole:
        raise Skipped("no manifest to rely on")
    if manifest is None or manifest.number > record.number:
        raise Failed(record, "a manifest above it in the file", f"manifest {ticket['manifest']}")
    body = manifest.body
    this.manifest = manifest
    this.epoch = next((e for e in body["epochs"] if e["epoch"] == ticket["epoch"]), None)
    this.tenant = next((t for t in body["tenants"] if t["tenant"] == ticket["tenant"]), None)
    this.listed = next((r for r in body["rulesets"] if r["hash"] == ticket["ruleset"]), None)
    if this.epoch is None or this.epoch["suite"] != ticket["suite"]:
        raise Failed(record, "an epoch and suite that the manifest lists", ticket["epoch"])
    if ticket["suite"] == "derived" and "salt" not in this.epoch:
        raise Failed(record, "an epoch that the manifest completes", "one without its salt")
    if this.tenant is None:
        raise Failed(record, "a tenant that the manifest lists", ticket["tenant"])
    if "tables" in this.tenant and ticket["table"] not in this.tenant["tables"]:
        raise Failed(record, "a table that the manifest lists", ticket["table"])
    if this.listed is None:
        raise Failed(record, "a ruleset that the manifest lists", ticket["ruleset"])
    ruleset = audit.rules.rulesets.get(ticket["ruleset"])
    if ruleset is not None and (ruleset["cards"], ruleset["id"]) != (this.listed["cards"], this.listed["name"]):
        raise Failed(record, "the ruleset listed as its file has it", this.listed)
    if ticket["engine"] != body["engine"]:
        raise Failed(record, f"engine {body['engine']}", ticket["engine"])
    record.refused = False


def _ticket(this):
    if this.manifest is None and this.get("ticket").refused:
        raise Skipped("no manifest to rely on")
    return this.need("ticket", "ticket")


def signatures(audit, this):
    """Every signature shown verifies with a key of its role. Locks and actions may have none
    where the policy says so."""
    ticket, rule = _ticket(this), this.tenant["policy"]
    # A revoked key may have signed anything since (3.6).
    receipt = {key["pk"] for key in this.manifest.body["receipt_keys"] if not key.get("revoked")}
    ledger = {key["pk"] for key in this.tenant["ledger_keys"]}
    for record in this.records:
        if record.kind == "lock":
            keys, role = ledger, "a ledger key of the tenant"
            needed = rule["lock"] == "required"
        elif record.kind == "action":
            seat = str(record.body["seat"])
            keys, role = {ticket["seat_keys"].get(seat)} - {None}, "the seat's key"
            needed = rule["seat_auth"] == "required" or bool(keys)
        else:
            keys, role, needed = receipt, "a receipt key of the manifest", True
        good = all(any(ed25519.verify(_hex(key), record.signed, data) for key in keys)
                   for data in record.signatures)
        if not good or needed and not record.signatures:
            raise Failed(record, f"a signature by {role}", "another, or none")


def chain(audit, this):
    """Each record names the one before it, the ticket, the deal and the round."""
    _ticket(this)
    ticket, wagers, deal, close = map(this.get, ("ticket", "wagers", "deal", "close"))
    refused = [record for record in this.records if record.refused]

    def expect(record, member, target):
        wanted = target.hash if target else "a record before it"
        # What names a record that was refused already is not blamed for it.
        if record.body[member] != wanted and target not in refused:
            raise Failed(record, f"{member} {wanted}", record.body[member])

    for i, record in enumerate(this.records[1:], 1):
        if record in refused:
            continue
        if record.body.get("round_id", ticket.body["round_id"]) != ticket.body["round_id"]:
            raise Failed(record, f"round_id {ticket.body['round_id']}", record.body["round_id"])
        if record is wagers:
            expect(record, "prev", ticket)
        elif record is deal:
            expect(record, "prev", wagers)
            expect(record, "ticket", ticket)
        elif record.kind == "action":
            expect(record, "prev", deal)
        elif record is close:
            # A void follows whatever there is of the round (D13).
            last = [r for r in this.records[:i] if r.kind != "action"][-1]
            expect(record, "prev", deal if record.body["step"] == "final" else last)
        else:
            expect(record, "prev", close)
            expect(record, "ticket", ticket)
            if record.body["disposition"] == "settled":
                expect(record, "deal", deal)
            if (close.body["step"] == "void") != (record.body["disposition"] == "void"):
                raise Failed(record, "a close as its lock says", record.body["disposition"])
    if refused:
        raise Skipped(f"the {refused[0].kind} was refused by an earlier check")


def policy(audit, this):
    """What the policy of the tenant demands is there. A ticket that lacks it proves nothing."""
    ticket = _ticket(this)
    record, rule = this.get("ticket"), this.tenant["policy"]
    wagers, deal, fault = this.get("wagers"), this.get("deal"), None
    if ticket.get("policy", rule) != rule:
        fault = "the policy of the manifest", ticket["policy"]
    elif rule["client"] == "none" and ticket["client"]:
        fault = "no client commitment", ticket["client"]
    elif rule["seat_auth"] == "off" and ticket["seat_keys"]:
        fault = "no seat keys", ticket["seat_keys"]
    elif rule["chain"] == "required" and int(ticket["round_no"]) > 1 and ticket["prev"] == ticket["manifest"]:
        fault = "a link to the close of the round before", "the manifest"
    elif rule["lock"] == "required" and deal is not None and wagers is None:
        fault = "a lock of the wagers", "none"
    if fault:
        raise Failed(record, *fault)


def _coordinates(ticket):
    return ticket["epoch"], ticket["tenant"], ticket["table"], int(ticket["round_no"])


def round_id(audit, this):
    ticket = _ticket(this)
    wanted = shuffle.round_id(*_coordinates(ticket)).hex()
    if ticket["round_id"] != wanted:
        raise Failed(this.get("ticket"), f"round_id {wanted}", ticket["round_id"])


def genesis(audit, this):
    """Round 1 follows the manifest; every other the close of the round before."""
    ticket, record = _ticket(this), this.get("ticket")
    place = _coordinates(ticket)
    if place[3] == 1:
        if ticket["prev"] != ticket["manifest"]:
            raise Failed(record, f"prev {ticket['manifest']}, the manifest", ticket["prev"])
        return
    if this.tenant["policy"]["chain"] == "off" and ticket["prev"] == ticket["manifest"]:
        raise Skipped("the chain is off and the ticket names no round before")
    before = audit.closes.get((*place[:3], place[3] - 1))
    if before is None:
        raise Skipped("the round before is not in the file")
    if ticket["prev"] != before:
        raise Failed(record, f"prev {before}, the close before", ticket["prev"])


def client_commit(audit, this):
    """D10: which seats have committed, which have revealed, and that the seeds open it."""
    ticket, sheet = _ticket(this), {seat for seat, bets in this.sheet().items() if bets}
    if this.void:
        raise Skipped("the round is void")
    lock = this.get("wagers")
    seeds = {int(seat): entry["client_seed"] for seat, entry in lock.body["seats"].items()
             if "client_seed" in entry}
    committed, revealed, wagering = set(map(int, ticket["client"])), set(seeds), sheet
    stands = {"none": committed == revealed == set(),
              "optional": revealed == committed <= wagering,
              "committed": revealed == committed == wagering}[this.tenant["policy"]["client"]]
    if not stands:
        raise Failed(lock, f"the seeds of seats {sorted(committed)}", f"those of seats {sorted(revealed)}")
    for seat, seed in seeds.items():
        wanted = shuffle.client_commitment(_hex(ticket["round_id"]), seat, _hex(seed)).hex()
        if ticket["client"].get(str(seat)) != wanted:
            raise Failed(lock, f"a seed of seat {seat} that was committed to", seed)


def lock_covers_actions(audit, this):
    lock = this.get("close")
    if lock is None:
        raise Skipped("no lock that closes the round in the file")
    if lock.refused or any(action.refused for action in this.actions):
        raise Skipped("a lock or action was refused by an earlier check")
    if lock.body["step"] == "void":
        if this.actions:
            raise Failed(lock, "no action in a void", "actions")
        raise Skipped("the round is void")
    seats, hashes = ([action.body["seat"] for action in this.actions],
                     [action.hash for action in this.actions])
    if seats != sorted(set(seats)):
        raise Failed(lock, "one action a seat, ascending", seats)
    if lock.body["actions"] != hashes:
        raise Failed(lock, f"the actions {hashes}", lock.body["actions"])


def commit(audit, this):
    ticket, settle = _ticket(this), this.need("settle", "close of the round")
    if this.void:
        raise Skipped("the round is void: nothing is revealed")
    found = shuffle.commitment(_hex(settle["server_seed"]), _hex(ticket["round_id"]),
                               _hex(ticket["ruleset"]), ticket["engine"]).hex()
    if found != ticket["commit"]:
        raise Failed(this.get("settle"), f"commit {ticket['commit']}", found)


def _server_seed(audit, this, ticket, close):
    """From the settle record; that of a void round only from the secret of its epoch (4.4)."""
    if not this.void:
        return _hex(close["server_seed"])
    if ticket["suite"] == "fresh" or ticket["epoch"] not in audit.reveals:
        raise Skipped("the round is void: nothing is revealed")
    return _derived(audit, this, ticket)


def _derived(audit, this, ticket):
    return shuffle.derived_seed(_secret(audit, ticket), _hex(this.epoch["salt"]), *_coordinates(ticket))


def replay(audit, this):
    """Round seed, deck and dice from the revealed seeds."""
    ticket, close = _ticket(this), this.need("settle", "close of the round")
    lock = this.need("wagers", "lock of the wagers")
    deal = this.need("deal", "deal")
    server_seed = _server_seed(audit, this, ticket, close)
    seeds = {int(seat): _hex(entry["client_seed"]) for seat, entry in lock["seats"].items()
             if "client_seed" in entry}
    seed = shuffle.round_seed(server_seed, _hex(ticket["round_id"]), seeds)
    if not this.void and seed.hex() != close["round_seed"]:
        raise Failed(this.get("settle"), f"round_seed {seed.hex()}", close["round_seed"])
    deck = shuffle.deck(seed, this.listed["cards"])
    if not this.void and deck != close["deck"]:
        raise Failed(this.get("settle"), f"deck {deck}", close["deck"])
    ruleset = audit.rules.rulesets.get(ticket["ruleset"])
    drawn = shuffle.dice(seed)
    wanted = deal["dice"] and drawn if ruleset is None else (
        drawn if ruleset["dealing"]["dice"] == "three" else [])
    if deal["dice"] != wanted:
        raise Failed(this.get("deal"), f"dice {wanted}", deal["dice"])
    this.seed, this.deck = seed, deck


def deck_commit(audit, this):
    deal = this.need("deal", "deal")
    if this.deck is None:
        raise Skipped("no deck replayed")
    wanted = shuffle.deck_commitment(this.seed, this.deck).hex()
    if deal["deck_commit"] != wanted:
        raise Failed(this.get("deal"), f"deck_commit {wanted}", deal["deck_commit"])


def epoch_commit(audit, this):
    ticket = _ticket(this)
    secret = _secret(audit, ticket)
    found = shuffle.epoch_commit(ticket["epoch"], secret).hex()
    if found != this.epoch["commit"]:
        audit.refused_reveals.add(ticket["epoch"])
        raise Failed(None, f"commit {this.epoch['commit']}", found)


def _secret(audit, ticket):
    """The revealed secret of the ticket's epoch. The fresh suite has none (D3)."""
    if ticket["suite"] == "fresh":
        raise Skipped("fresh")
    if ticket["epoch"] not in audit.reveals:
        raise Skipped("not revealed")
    if ticket["epoch"] in audit.refused_reveals:
        raise Skipped("the reveal was refused by an earlier check")
    return audit.reveals[ticket["epoch"]]


def epoch_salt(audit, this):
    """The salt is what its source gives (3.2, D2)."""
    ticket = _ticket(this)
    if ticket["suite"] == "fresh":
        raise Skipped("fresh")
    epoch, source = this.epoch, this.epoch["salt_source"]
    if source["type"] == "none":
        wanted = bytes(32)
    elif source["type"] == "drand":
        wanted = shuffle.drand_salt(_hex(source["chain"]), int(source["round"]), _hex(source.get("signature", "")))
    else:
        if "value" not in source:
            raise Failed(this.get("ticket"), "a salt source with its value", "one without")
        key, value = _hex(source["pk"]), _hex(source["value"])
        signed = enc("pge/v1/epoch-salt-party", _hex(epoch["commit"]), value)
        if not ed25519.verify(key, signed, _hex(source["sig"])):
            raise Failed(None, "a salt signed by its party", "another signature")
        wanted = shuffle.party_salt(key, value)
    if epoch["salt"] != wanted.hex():
        raise Failed(None, f"salt {wanted.hex()}", epoch["salt"])


def salt_after_commit(audit, this):
    """An earlier manifest announced the same epoch without its salt (D2)."""
    ticket = _ticket(this)
    if ticket["suite"] == "fresh":
        raise Skipped("fresh")
    source = this.epoch["salt_source"]
    first, announced = audit.manifests.first_listing(ticket["epoch"])
    if source["type"] == "none" and announced["salt_source"]["type"] == "none":
        raise Skipped("the epoch has no salt: salt_source none")
    if "salt" in announced or "value" in announced["salt_source"]:
        # The file may begin after the announcement; what has no manifest before it was not announced.
        if first is audit.manifests.chain[0] and (first is this.manifest or first.body["seq"] != "1"):
            raise Skipped("the manifest that announced the epoch is not in the file")
        raise Failed(None, "an epoch that is announced before it has its salt", "one listed with its salt at once")
    for member in ("commit", "open_from", "open_until", "settle_until", "suite"):
        if announced[member] != this.epoch[member]:
            raise Failed(None, f"{member} {announced[member]}", this.epoch[member])
    if announced["salt_source"].get("pk") != source.get("pk"):
        raise Failed(None, "the party that was announced", source.get("pk"))


def seed_was_not_chosen(audit, this):
    """The revealed secret derives the server seed; of a void round, what the ticket commits to."""
    ticket = _ticket(this)
    seed = _derived(audit, this, ticket)
    close = this.get("settle")
    if close is not None and not close.refused and not this.void and close.body["server_seed"] != seed.hex():
        raise Failed(close, f"server_seed {seed.hex()}", close.body["server_seed"])
    found = shuffle.commitment(seed, _hex(ticket["round_id"]), _hex(ticket["ruleset"]), ticket["engine"])
    if found.hex() != ticket["commit"]:
        raise Failed(this.get("ticket"), f"commit {found.hex()}", ticket["commit"])


CHECKS = {
    "MANIFEST_LINK": manifest_link, "SIGNATURES": signatures, "CHAIN": chain, "POLICY": policy,
    "ROUND_ID": round_id, "GENESIS": genesis, "CLIENT_COMMIT": client_commit,
    "LOCK_COVERS_ACTIONS": lock_covers_actions, "COMMIT": commit, "REPLAY": replay,
    "DECK_COMMIT": deck_commit, "CARDS_SHOWN": cards_shown, "RESULTS": results,
    "EPOCH_COMMIT": epoch_commit, "EPOCH_SALT": epoch_salt, "SALT_AFTER_COMMIT": salt_after_commit,
    "SEED_WAS_NOT_CHOSEN": seed_was_not_chosen,
}
