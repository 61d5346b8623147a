"""The public close of an epoch: whether the file has every round that it counts (PGE-FAIR-1, 6.5)."""
from . import shuffle
from .encoding import canonical, sha256
from .rounds import Failed, Skipped
from .verdicts import missing


def tree_hash(leaves):
    """The hash of the Merkle tree over leaves (RFC 9162, section 2.1.1)."""
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0])
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + tree_hash(leaves[:half]) + tree_hash(leaves[half:]))


def leaves_of(audit, epoch, tenant):
    """The leaf of each round of a tenant in an epoch, over all tellings in the file."""
    found, kinds = {}, {"ticket": "tickets", "lock": "locks", "deal": "deals", "settle": "closes"}
    for this in audit.rounds:
        if this.readable and this.coordinates[:2] == (epoch, tenant):
            *_, table, number = this.coordinates
            leaf = found.setdefault((table, number), {name: set() for name in kinds.values()})
            for record in this.records:
                if record.kind in kinds:
                    leaf[kinds[record.kind]].add(record.hash)
    return [canonical({**{name: sorted(hashes) for name, hashes in leaf.items()}, "epoch": epoch, "tenant": tenant,
                       "table": table, "round_no": str(number)})
            for (table, number), leaf in sorted(found.items(), key=lambda item: (item[0][0].encode(), item[0][1]))]


def held_of(audit, close):
    """What the file has of the rounds of a close: whether a witness that the caller named has signed it, the
    numbers of the tickets by table, how many leaves there are, and the hash of their tree."""
    place = epoch, tenant = close.body["epoch"], close.body["tenant"]
    if place not in audit.held:
        numbers, leaves = {}, leaves_of(audit, epoch, tenant)
        for this in audit.rounds:
            if this.ticket and this.coordinates[:2] == place:
                numbers.setdefault(this.coordinates[2], set()).add(this.coordinates[3])
        root = tree_hash(leaves).hex() if leaves else None
        audit.held[place] = bool(close.signers(audit.terms.witnesses)), numbers, len(leaves), root
    return audit.held[place]


def epoch_close(audit, this):
    """EPOCH_CLOSE: the file has every round that the public close of the epoch counts."""
    this.need_world()
    epoch, tenant, table, number = this.coordinates
    close = next((one for one in audit.epoch_closes
                  if (one.body["epoch"], one.body["tenant"]) == (epoch, tenant)), None)
    if close is None:
        raise Skipped("the close of the epoch is not in the file")
    ends = next((entry for entry in close.body["tables"] if entry["table"] == table), None)
    if ends is None or number > int(ends["last"]):
        raise Failed(this.get("ticket"), "a round that the close of its epoch counts", f"round {number} of {table}")
    last, settle = int(ends["last"]), this.get("settle")
    if number == last and "head" in ends and settle and not settle.refused and settle.hash != ends["head"]:
        raise Failed(settle, f"the close of the table's last round, {ends['head']}", settle.hash)
    is_witnessed, numbers, leaves, root = held_of(audit, close)
    if not is_witnessed:
        raise Skipped("no witness that you named has signed the close of the epoch")
    before = min(numbers[table]) - 1
    after = before if before and shuffle.round_id(epoch, tenant, table, before).hex() in audit.terms.after else 0
    there = [after, *sorted(one for one in numbers[table] if after < one <= last), last + 1]
    for one, other in zip(there, there[1:]):
        if other > one + 1:
            raise Skipped(missing(table, one + 1, other - 1))
    if after or leaves != int(close.body["leaves"]):
        raise Skipped(f"the file has {leaves} of the {close.body['leaves']} rounds of the epoch: "
                      "an inclusion proof is needed")
    if root != close.body["root"]:
        raise Skipped("the rounds of the file do not make the tree of the close")
