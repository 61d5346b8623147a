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
    """What the file has of the rounds of a close: whether a witness that the caller named has signed it; of each
    table whether earlier rounds were audited before, and the rounds that are missing; how many leaves there are,
    and the hash of their tree. It is the same for all rounds of the close."""
    place = epoch, tenant = close.body["epoch"], close.body["tenant"]
    if place not in audit.held:
        numbers, leaves = {}, leaves_of(audit, epoch, tenant)
        for this in audit.rounds:
            if this.ticket and this.coordinates[:2] == place:
                numbers.setdefault(this.coordinates[2], set()).add(this.coordinates[3])
        tables = {entry["table"]: table_of(audit, place, entry, numbers[entry["table"]])
                  for entry in close.body["tables"] if entry["table"] in numbers}
        root = tree_hash(leaves).hex() if leaves else None
        audit.held[place] = bool(close.signers(audit.terms.witnesses)), tables, len(leaves), root
    return audit.held[place]


def table_of(audit, place, entry, numbers):
    """The table's entry in the close, whether the close of the round before the first of the file was named, and
    the first rounds that are missing, or None."""
    before, last = min(numbers) - 1, int(entry["last"])
    is_continued = bool(before) and shuffle.round_id(*place, entry["table"], before).hex() in audit.terms.after
    there = [before if is_continued else 0, *sorted(one for one in numbers if one <= last), last + 1]
    gaps = (missing(entry["table"], one + 1, other - 1) for one, other in zip(there, there[1:]) if other > one + 1)
    return entry, is_continued, next(gaps, None)


def epoch_close(audit, this):
    """EPOCH_CLOSE: the file has every round that the public close of the epoch counts."""
    this.need_world()
    epoch, tenant, table, number = this.coordinates
    close = next((one for one in audit.epoch_closes
                  if (one.body["epoch"], one.body["tenant"]) == (epoch, tenant)), None)
    if close is None:
        raise Skipped("the close of the epoch is not in the file")
    is_witnessed, tables, leaves, root = held_of(audit, close)
    entry, is_continued, gap = tables.get(table, (None, False, None))
    if entry is None or number > int(entry["last"]):
        raise Failed(this.get("ticket"), "a round that the close of its epoch counts", f"round {number} of {table}")
    settle = this.get("settle")
    if number == int(entry["last"]) and "head" in entry and settle and not settle.refused \
            and settle.hash != entry["head"]:
        raise Failed(settle, f"the close of the table's last round, {entry['head']}", settle.hash)
    if not is_witnessed:
        raise Skipped("no witness that you named has signed the close of the epoch")
    if gap:
        raise Skipped(gap)
    if is_continued or leaves != int(close.body["leaves"]):
        raise Skipped(f"the file has {leaves} of the {close.body['leaves']} rounds of the epoch: "
                      "an inclusion proof is needed")
    if root != close.body["root"]:
        raise Skipped("the rounds of the file do not make the tree of the close")
