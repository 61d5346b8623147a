"""The checks of one round (PGE-FAIR-1, D6). Each passes silently, or raises Failed or Skipped."""
from . import manifest_rules, shuffle
from .beacons import UNVERIFIED, beacon, chain_of, dated_before, external_of, locked_before_beacon, trusted
from .epoch_close import epoch_close, usable_close
from .logs import logged, time_of
from .manifests import ledger_keys, may_become
from .money import cards_shown, dealer_shown, results
from .places import NOT_ANNOUNCED, is_announced, place_listed, place_not_chosen
from .rounds import Failed, Skipped, same
from .spent import supersedes, wrongly_absent


def _hex(text):
    return bytes.fromhex(text)


def manifest_link(audit, this):
    """The ticket's manifest is above it in the file and lists what the ticket names."""
    ticket, record = this.ticket, this.get("ticket")
    if not audit.manifests.whole:
        raise Skipped("no manifest to rely on")
    manifest = audit.manifests.above(record)
    if manifest is None:
        raise Failed(record, "a manifest above it in the file", ticket["manifest"])
    body = manifest.body

    def listed(entries, name, value, once=True):
        found = [entry for entry in body[entries] if entry[name] == value]
        if not found or once and len(found) > 1:
            raise Failed(record, f"one of the {entries} of the manifest, once", value)
        return found[0]

    same(record, "engine", body["engine"], ticket["engine"])
    epoch = listed("epochs", "epoch", ticket["epoch"])
    same(record, "suite", epoch["suite"], ticket["suite"])
    same(record, "status", "active", epoch.get("status", "active"))
    if ticket["suite"] != "fresh" and "salt" not in epoch:
        raise Failed(record, "an epoch that the manifest completes", "one without its salt")
    tenant = listed("tenants", "tenant", ticket["tenant"])
    if ticket["suite"] == "fresh":
        # Otherwise no engine would have used the manifest (D3).
        same(record, "lock and chain", ["required"] * 2, [tenant["policy"][switch] for switch in ("lock", "chain")])
    this.listed = listed("rulesets", "hash", ticket["ruleset"], once=False)
    ruleset = audit.rules.rulesets.get(ticket["ruleset"])
    if ruleset is not None:
        same(record, "a ruleset with cards and id", (ruleset["cards"], ruleset["id"]),
             (this.listed["cards"], this.listed["name"]))
        way = ruleset["house_way"]["hash"]
        if way not in [entry["hash"] for entry in body["house_ways"]]:
            raise Failed(record, "the house way of the ruleset, listed", way)
    this.manifest, this.epoch, this.tenant = manifest, epoch, tenant


def signatures(audit, this):
    """Every signature shown verifies with a key of its role. Locks and actions may have none
    if the policy allows it. In a spent group only the lock is checked, which the ledger signed."""
    this.need_world()
    rule, ledger = this.tenant["policy"], ledger_keys(this.manifest, this.ticket["tenant"])
    receipt = audit.manifests.receipt_keys(this.manifest)
    asked = [(this.get(slot), receipt, "a receipt key of the manifest", True) for slot in ("ticket", "deal", "settle")]
    asked += [(this.get(slot), ledger, "a ledger key of the tenant", rule["lock"] == "required")
              for slot in ("wagers", "close")]
    asked += [(group.lock, ledger, "a ledger key of the tenant", True) for group in this.spent]
    for record, keys, role, needed in asked:
        if record and (not record.all_signed_by(keys) or needed and not record.signatures):
            raise Failed(record, f"a signature by {role}", "another, or none")
    for action in this.actions:
        seat = action.body["seat"]
        entry = this.seat_key(seat)
        own = {entry["key"]} if entry else set()
        # The ledger countersigns the actions that it accepts. Its signature does not replace a player's.
        needed = (own or rule["seat_auth"] == "required") and seat not in this.absent
        if not action.all_signed_by(own | ledger) or needed and not action.signers(own):
            raise Failed(action, "a signature by the seat's key, and others by ledger keys only", "another, or none")


def chain(audit, this):
    """Each record names the one before it, the ticket, the deal and the round."""
    this.need_world()
    ticket, wagers, deal, close = map(this.get, ("ticket", "wagers", "deal", "close"))
    refused = [record for record in this.asked if record.refused]
    if refused:
        raise Skipped(f"the {refused[0].kind} was refused by an earlier check")

    def names(record, member, target):
        same(record, member, target and target.hash, record.body[member])

    for record in this.asked[1:]:
        if record.body is None:
            # Wagers that cannot be read are not checked.
            continue
        same(record, "round_id", this.ticket["round_id"], record.body.get("round_id", this.ticket["round_id"]))
        before = {"deal": wagers, "settle": close, "action": deal, "lock": ticket if record is wagers else deal}
        if record is close and this.void:
            # A void follows the records of the round that exist (D13).
            before["lock"] = deal or wagers or ticket
        names(record, "prev", before[record.kind])
        if record.kind in ("deal", "settle"):
            names(record, "ticket", ticket)
        if record.kind == "settle":
            same(record, "disposition", "void" if this.void else "settled", record.body["disposition"])
            if this.void:
                same(record, "reason", close.body["reason"], record.body["reason"])
            else:
                names(record, "deal", deal)


def policy(audit, this):
    """Everything that the tenant's policy demands is there. A ticket without it proves nothing."""
    ticket, rule = this.need_world(), this.tenant["policy"]
    external = ticket["external"]
    # A later manifest cannot make a key bad that was good when the ticket named it.
    chain, seat_keys = audit.manifests.chain, {entry["key"] for entry in ticket["seat_keys"].values()}
    clauses = {"absent" in entry for entry in ticket["seat_keys"].values()}
    other_role = bool(seat_keys) and any(
        key in seat_keys for record in chain[:chain.index(this.manifest) + 1]
        for key, _ in manifest_rules.keys_by_role(record.body))
    for missing, what in (
            (ticket["policy"] != rule, "the policy of the manifest"),
            (external["type"] != rule["external"], "the external randomness that the policy says"),
            (external["type"] == "drand" and external["chain"] != chain_of(this.manifest.body.get("beacon")),
             "a round of the manifest's beacon"),
            (rule["client"] == "committed" and not ticket["client"], "commitments to client seeds"),
            (rule["seat_auth"] == "off" and ticket["seat_keys"], "no seat keys"),
            ("absent" not in rule and True in clauses, "no seat registered as absent: house_way"),
            (rule.get("absent") == "required" and False in clauses, "every seat registered as absent: house_way"),
            (other_role, "seat keys that have no other role"),
            (rule["seat_auth"] == "required" and any(
                str(action.body["seat"]) not in ticket["seat_keys"] for action in this.actions),
             "a key of every seat that decides"),
            (rule["chain"] == "required" and ticket["round_no"] != "1" and ticket["prev"] == ticket["manifest"],
             "a link to the close of the round before"),
            (rule["lock"] == "required" and this.get("deal") and not this.get("wagers"), "a lock of the wagers"),
            (not is_announced(audit, this), "a tenant and a table that the announcement of the epoch lists")):
        if missing:
            raise Failed(this.get("ticket"), what, "another, or none")


def round_id(audit, this):
    ticket = this.need_world()
    same(this.get("ticket"), "round_id", shuffle.round_id(*this.coordinates).hex(), ticket["round_id"])


def genesis(audit, this):
    """Round 1 follows the manifest. Every other round follows the close of the round before: the one that
    the caller names, else one of the file."""
    ticket, (*place, number) = this.need_world(), this.coordinates
    if number == 1:
        return same(this.get("ticket"), "prev", ticket["manifest"], ticket["prev"])
    if ticket["prev"] == ticket["manifest"]:
        raise Skipped("the chain is off, or POLICY has failed: the round stands by itself")
    known = audit.terms.after.get(shuffle.round_id(*place, number - 1).hex())
    before = audit.closes.get((*place, number - 1)) if known is None else [known]
    if before is None:
        raise Skipped("the round before is not in the file")
    if ticket["prev"] not in before:
        raise Failed(this.get("ticket"), f"prev {' or '.join(before)}", ticket["prev"])


def client_commit(audit, this):
    """D10: the seats that committed are those that revealed, and the seeds open the commitments."""
    ticket, lock = this.need_world(), this.get("wagers")
    if this.void and this.get("deal") is None:
        raise Skipped("the round is void")
    seeds = this.seeds()
    wagering = {seat for seat, wagers in this.sheet()[1].items() if wagers}
    committed = {int(seat) for seat in ticket["client"]}
    stands = {"none": not committed, "optional": committed <= wagering, "committed": committed == wagering}
    if not stands[this.tenant["policy"]["client"]] or set(seeds) != committed:
        raise Failed(lock, f"the seeds of seats {sorted(committed)}", f"those of seats {sorted(seeds)}")
    for seat, seed in seeds.items():
        found = shuffle.client_commitment(_hex(ticket["round_id"]), seat, seed).hex()
        same(lock, f"a seed of seat {seat} for", ticket["client"][str(seat)], found)


def lock_covers_actions(audit, this):
    """Each final lock lists exactly its actions; the last one a seat, and its absent seats by right."""
    for group in this.spent:
        if group.lock.refused:
            raise Skipped("the lock was refused by an earlier check")
        # An action that is listed twice, which spends the lock, is in the file once.
        same(group.lock, "the actions", list(dict.fromkeys(group.lock.body["actions"])),
             [action.hash for action in group.actions])
    body, lock = this.need("close"), this.get("close")
    if any(action.refused for action in this.actions):
        raise Skipped("an action was refused by an earlier check")
    if this.void and not this.actions:
        raise Skipped("the round is void")
    seats = [action.body["seat"] for action in this.actions]
    same(lock, "one action a seat, ascending:", sorted(set(seats)), seats)
    same(lock, "actions", [action.hash for action in this.actions], body.get("actions", "none: it is void"))
    # Only a reliable ticket shows which players registered the clause.
    seat = None if this.manifest is None or this.get("ticket").refused else wrongly_absent(this, lock, this.actions)
    if seat is not None:
        raise Failed(lock, "absent seats whose players registered the clause, by house way without a double down",
                     f"seat {seat}")


def _commitment(ticket, server_seed):
    return shuffle.commitment(server_seed, _hex(ticket["round_id"]), _hex(ticket["ruleset"]), ticket["engine"]).hex()


def commit(audit, this):
    ticket, close = this.need_world(), this.need("settle")
    if this.is_voided:
        raise Skipped("the round is void: nothing is revealed")
    same(this.get("settle"), "commit", ticket["commit"], _commitment(ticket, _hex(close["server_seed"])))


def revealed(audit, this):
    """The reveal of the ticket's epoch, if this round has not refused it."""
    return next((record for record in audit.reveals if record.body["epoch"] == this.ticket["epoch"]
                 and record.number not in this.refused_lines), None)


def _reveal(audit, this):
    """The same reveal for a check that needs it. Only the derived suite has one (D3)."""
    if this.ticket["suite"] != "derived":
        raise Skipped(f"this check is not for the {this.ticket['suite']} suite")
    reveal = revealed(audit, this)
    if reveal is None:
        raise Skipped("not revealed")
    return reveal


def _derived(audit, this):
    secret = _hex(_reveal(audit, this).body["epoch_secret"])
    return shuffle.derived_seed(secret, _hex(this.epoch["salt"]), *this.coordinates)


def _proven(this, proof):
    """The server seed that a proof shows, or None."""
    return shuffle.proven_seed(_hex(this.epoch["vrf_key"]), _hex(this.epoch["salt"]), _hex(proof), *this.coordinates)


def _proven_void(audit, this):
    """The close of the epoch, and the server seed of a void that one of its proofs shows. The seed is None if the
    proof is bad, or if the seed does not open the commitment."""
    close = usable_close(audit, this)
    proof = close.seed_proofs.get(this.coordinates[2:])
    if proof is None:
        raise Skipped("the close of the epoch has no seed proof of this round")
    seed = _proven(this, proof)
    return close, seed if seed and _commitment(this.ticket, seed) == this.ticket["commit"] else None


def _void_seed(audit, this):
    """The server seed of a void, which opens the commitment: from the secret or from the close of the epoch."""
    if this.ticket["suite"] == "vrf":
        seed = _proven_void(audit, this)[1]
        if seed is None:
            raise Skipped("the proof does not give the seed that the ticket commits to: see SEED_PROOF")
        return seed
    seed = _derived(audit, this)
    if _commitment(this.ticket, seed) != this.ticket["commit"]:
        raise Skipped("the secret does not open the ticket's commitment: see SEED_WAS_NOT_CHOSEN")
    return seed


def replay(audit, this):
    """Round seed, deck and dice from the revealed seeds. The server seed of a void round is known only
    from the secret or the close of its epoch (4.4)."""
    ticket, close, deal, record = this.need_world(), this.need("settle"), this.need("deal"), this.get("settle")
    seeds = this.seeds()
    server_seed = _void_seed(audit, this) if this.is_voided else _hex(close["server_seed"])
    seed = shuffle.round_seed(server_seed, _hex(ticket["round_id"]), seeds, external_of(ticket, deal))
    deck, dice = shuffle.deck(seed, this.listed["cards"]), shuffle.dice(seed)
    if not this.is_voided:
        same(record, "round_seed", seed.hex(), close["round_seed"])
        same(record, "deck", deck, close["deck"])
    ruleset = audit.rules.rulesets.get(ticket["ruleset"])
    # Without the rules it is unknown whether the game has dice.
    has_dice = deal["dice"] if ruleset is None else ruleset["dealing"]["dice"] == "three"
    same(this.get("deal"), "dice", dice if has_dice else [], deal["dice"])
    this.seed, this.deck = seed, deck


def deck_commit(audit, this):
    deal = this.need("deal")
    if this.deck is None:
        raise Skipped("no deck replayed")
    same(this.get("deal"), "deck_commit", shuffle.deck_commitment(this.seed, this.deck).hex(), deal["deck_commit"])


def epoch_commit(audit, this):
    ticket, reveal = this.need_world(), _reveal(audit, this)
    found = shuffle.epoch_commit(ticket["epoch"], _hex(reveal.body["epoch_secret"])).hex()
    if found != this.epoch["commit"]:
        this.refused_lines.add(reveal.number)
    same(None, "commit", this.epoch["commit"], found)


def epoch_salt(audit, this):
    """The salt is the value that its source gives (3.2, D2)."""
    if this.need_world()["suite"] == "fresh":
        raise Skipped("not in the fresh suite")
    announcement, source = audit.manifests.announcement(this.epoch["epoch"]), this.epoch["salt_source"]
    wanted, is_signed = manifest_rules.salt(this.epoch, announcement)
    if not is_signed or wanted is None:
        raise Failed(None, "a salt source with its value, signed by its party", "another")
    if source["type"] == "drand":
        same(None, "the chain of the manifest's beacon,", chain_of(this.manifest.body.get("beacon")), source["chain"])
    same(None, "salt", wanted, this.epoch["salt"])
    if source["type"] == "drand":
        raise Skipped(UNVERIFIED)
    if announcement is None and source["type"] == "party":
        raise Skipped(NOT_ANNOUNCED)


def salt_after_commit(audit, this):
    """The first manifest that lists the epoch announces it without its salt. Later ones change only
    its completion and its status (D2). All list it until it is revealed."""
    if this.need_world()["suite"] == "fresh":
        raise Skipped("not in the fresh suite")
    first = before = None
    for record, epoch in audit.manifests.listings(this.epoch["epoch"]):
        if epoch is None and before is not None and before.get("status") != "revealed":
            raise Failed(None, f"the epoch, listed in line {record.number} too", "a manifest without it")
        if epoch is not None and before is not None and not may_become(before, epoch):
            raise Failed(None, "the epoch as it was announced", f"another in line {record.number}")
        first, before = first or (epoch and record), epoch or before
    source = this.epoch["salt_source"]
    if source["type"] == "none":
        raise Skipped("the epoch has no salt: salt_source none")
    if audit.manifests.announcement(this.epoch["epoch"]) is None:
        raise Skipped(NOT_ANNOUNCED)
    listed = next(entry for entry in first.body["epochs"] if entry["epoch"] == this.epoch["epoch"])
    if "salt" in listed or {"value", "signature"} & set(listed["salt_source"]):
        raise Failed(None, "an epoch that is announced before it has its salt", "one listed with its salt at once")
    if source["type"] == "drand":
        beacon = trusted(audit, this, source)
        return dated_before(time_of(audit, first), "the announcement", "the announcement", beacon, source)
    # An operator can be its own witness.
    if source["pk"] not in audit.terms.witnesses:
        raise Skipped("the key of the epoch's witness is not among those given")


def seed_proof(audit, this):
    """In the vrf suite a proof shows the server seed: the settlement's own, or for a void one of the epoch's close."""
    ticket, record = this.need_world(), this.get("settle")
    if ticket["suite"] != "vrf":
        if record and not record.refused and "seed_proof" in record.body:
            raise Failed(record, f"no proof of a seed in the {ticket['suite']} suite", "one")
        raise Skipped(f"this check is not for the {ticket['suite']} suite")
    close = this.need("settle")
    if this.is_voided:
        epoch_close, seed = _proven_void(audit, this)
        if seed is None:
            raise Failed(epoch_close, "a proof of the seed that the ticket commits to", "another")
        return
    seed = _proven(this, close.get("seed_proof", ""))
    if seed is None:
        raise Failed(record, "a proof of the server seed", "another" if "seed_proof" in close else "none")
    same(record, "server_seed", seed.hex(), close["server_seed"])


def seed_was_not_chosen(audit, this):
    """The revealed secret derives the server seed. For a void round, the seed that the ticket commits to."""
    ticket, close = this.need_world(), this.get("settle")
    seed = _derived(audit, this)
    if close is not None and not close.refused and not this.is_voided:
        same(close, "server_seed", seed.hex(), close.body["server_seed"])
    same(this.get("ticket"), "commit", _commitment(ticket, seed), ticket["commit"])


CHECKS = {
    "MANIFEST_LINK": manifest_link, "SIGNATURES": signatures, "CHAIN": chain, "POLICY": policy,
    "ROUND_ID": round_id, "GENESIS": genesis, "CLIENT_COMMIT": client_commit,
    "LOCK_COVERS_ACTIONS": lock_covers_actions, "SUPERSEDES": supersedes, "COMMIT": commit,
    "REPLAY": replay, "DECK_COMMIT": deck_commit, "CARDS_SHOWN": cards_shown,
    "DEALER_SHOWN": dealer_shown, "RESULTS": results, "BEACON": beacon,
    "EPOCH_COMMIT": epoch_commit, "EPOCH_SALT": epoch_salt, "SALT_AFTER_COMMIT": salt_after_commit,
    "SEED_PROOF": seed_proof, "SEED_WAS_NOT_CHOSEN": seed_was_not_chosen,
    "PLACE_LISTED": place_listed, "PLACE_NOT_CHOSEN": place_not_chosen, "LOGGED": logged,
    "LOCKED_BEFORE_BEACON": locked_before_beacon, "EPOCH_CLOSE": epoch_close,
}
