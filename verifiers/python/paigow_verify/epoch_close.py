"""The public close of an epoch: whether the file has every round that it counts (PGE-FAIR-1, 6.5)."""
from itertools import accumulate

from . import shuffle
from .encoding import canonical, is_canonical, parse_json, sha256
from .records import AMOUNT, COUNT, EPOCH, HASH, NAME, fits, need
from .rounds import Failed, Skipped
from .verdicts import missing


def tree_hash(leaves):
    """The hash of the Merkle tree over leaves (RFC 9162, section 2.1.1)."""
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0])
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + tree_hash(leaves[:half]) + tree_hash(leaves[half:]))


def root_of_path(leaf, index, size, path):
    """The hash of the tree to which a path leads from a leaf (RFC 9162, section 2.1.3.2); None if the path does
    not fit a tree of that size."""
    if index >= size:
        return None
    place, last, found = index, size - 1, sha256(b"\0" + leaf)
    for other in path:
        if last == 0:
            return None
        if place % 2 or place == last:
            found = sha256(b"\1" + other + found)
            # A subtree without a neighbour on its right moves up unchanged.
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            found = sha256(b"\1" + found + other)
        place, last = place // 2, last // 2
    return found if last == 0 else None


class Proof:
    """An inclusion proof: an input of an audit, not a record."""

    def __init__(self, text):
        body = parse_json(text)
        need(is_canonical(text, body), "not in canonical form")
        fits(body, {"index": AMOUNT, "leaf": LEAF, "path": [HASH, 63]}, "proof")
        for name in ("closes", "deals", "locks", "tickets"):
            listed = body["leaf"][name]
            need(listed == sorted(set(listed)), f"the {name} of the leaf do not ascend")
        leaf = body["leaf"]
        self.place = leaf["epoch"], leaf["tenant"], leaf["table"], int(leaf["round_no"])
        self.closes, self.leaf, self.index = leaf["closes"], canonical(leaf), int(body["index"])
        self.path = list(map(bytes.fromhex, body["path"]))

    def leads_to(self, close):
        found = root_of_path(self.leaf, self.index, int(close["leaves"]), self.path)
        return found is not None and found.hex() == close["root"]


LEAF = {"closes": [HASH], "deals": [HASH], "epoch": EPOCH, "locks": [HASH], "round_no": COUNT, "table": NAME,
        "tenant": NAME, "tickets": [HASH]}


def proofs_of(data):
    """The proofs of a file, one a line."""
    return [Proof(line) for line in data.split(b"\n") if line]


def leaves_of(audit, epoch, tenant):
    """The leaf of each round of a tenant in an epoch by table and number, over all tellings in the file."""
    found, kinds = {}, {"ticket": "tickets", "lock": "locks", "deal": "deals", "settle": "closes"}
    for this in audit.rounds:
        if this.readable and this.coordinates[:2] == (epoch, tenant):
            *_, table, number = this.coordinates
            leaf = found.setdefault((table, number), {name: set() for name in kinds.values()})
            for record in this.records:
                if record.kind in kinds:
                    leaf[kinds[record.kind]].add(record.hash)
    return {(table, number): canonical({**{name: sorted(hashes) for name, hashes in leaf.items()}, "epoch": epoch,
                                        "tenant": tenant, "table": table, "round_no": str(number)})
            for (table, number), leaf in sorted(found.items(), key=lambda item: (item[0][0].encode(), item[0][1]))}


def held_of(audit, close):
    """The rounds of a close that the file has. It is the same for all rounds of the close. It states whether a
    witness that the caller named signed it. For each table it states whether earlier rounds were audited before, the
    missing rounds, and where the leaf of round 1 may be. It also has the leaves, and the hash of their tree."""
    place = epoch, tenant = close.body["epoch"], close.body["tenant"]
    if place not in audit.held:
        numbers, leaves = {}, leaves_of(audit, epoch, tenant)
        for this in audit.rounds:
            if this.ticket and this.coordinates[:2] == place:
                numbers.setdefault(this.coordinates[2], set()).add(this.coordinates[3])
        lasts = [int(entry["last"]) for entry in close.body["tables"]]
        # How many numbers have no leaf: each of them may have moved later leaves one place forward.
        unused = sum(lasts) - int(close.body["leaves"])
        tables = {entry["table"]: (*table_of(audit, place, entry, numbers[entry["table"]]),
                                   range(start - unused, start + 1))
                  for entry, start in zip(close.body["tables"], accumulate(lasts, initial=0))
                  if entry["table"] in numbers}
        root = tree_hash(list(leaves.values())).hex() if leaves else None
        audit.held[place] = bool(close.signers(audit.terms.witnesses)), tables, leaves, root
    return audit.held[place]


def table_of(audit, place, entry, numbers):
    """The table's entry in the close, whether the close of the round before the first of the file was named, and
    the first rounds that are missing, or None."""
    before, last = min(numbers) - 1, int(entry["last"])
    is_continued = bool(before) and shuffle.round_id(*place, entry["table"], before).hex() in audit.terms.after
    there = [before if is_continued else 0, *sorted(one for one in numbers if one <= last), last + 1]
    gaps = (missing(entry["table"], one + 1, other - 1) for one, other in zip(there, there[1:]) if other > one + 1)
    return entry, is_continued, next(gaps, None)


def proven(audit, this, close, span):
    """The proof that shows the leaf of a round: its path leads to the tree, and the leaf is where the tables of
    the close put it, the last of the places that it may have. So a round has one leaf."""
    number = this.coordinates[3]
    found = [one for one in audit.proofs.get(this.coordinates, ()) if one.leads_to(close.body)]
    for proof in found:
        if proof.index - number + 1 not in span:
            raise Failed(close, f"the leaf of the round at place {span[-1] + number - 1} of the tree", proof.index)
    return next((proof for proof in found if proof.index - number + 1 == span[-1]), None)


def usable_close(audit, this):
    """The close that counts for the epoch and the tenant of a round, if no check of the round refused it."""
    place = this.coordinates[:2]
    close = next((one for one in audit.epoch_closes if (one.body["epoch"], one.body["tenant"]) == place), None)
    if close is None:
        raise Skipped("the close of the epoch is not in the file")
    if close.number in this.refused_lines:
        raise Skipped("the close of the epoch was refused by an earlier check")
    return close


def _same_proofs(this, close):
    """In the vrf suite, and only there, a close has the seed proof of each void after a lock of the wagers. An
    unreadable lock needs no proof."""
    settle, wagers, is_vrf = this.get("settle"), this.get("wagers"), this.epoch["suite"] == "vrf"
    if not is_vrf and "seed_proofs" in close.body:
        raise Failed(close, f"no seed proofs in the {this.epoch['suite']} suite", "some")
    is_locked = wagers and wagers.body and not wagers.refused
    is_void = settle and not settle.refused and this.is_voided
    if is_vrf and is_locked and is_void and this.coordinates[2:] not in close.seed_proofs:
        raise Failed(close, f"a seed proof of {this.where}, which is void behind a lock of the wagers", "none")


def epoch_close(audit, this):
    """EPOCH_CLOSE: the file has every round that the public close of the epoch counts."""
    this.need_world()
    _, _, table, number = this.coordinates
    close = usable_close(audit, this)
    is_witnessed, tables, leaves, root = held_of(audit, close)
    entry, is_continued, gap, span = tables.get(table, (None, False, None, range(0)))
    if entry is None or number > int(entry["last"]):
        raise Failed(this.get("ticket"), "a round that the close of its epoch counts", f"round {number} of {table}")
    settle = this.get("settle")
    if number == int(entry["last"]) and "head" in entry and settle and not settle.refused \
            and settle.hash != entry["head"]:
        raise Failed(settle, f"the close of the table's last round, {entry['head']}", settle.hash)
    _same_proofs(this, close)
    proof = proven(audit, this, close, span)
    if proof and proof.closes and settle and not settle.refused and settle.hash not in proof.closes:
        raise Failed(settle, f"a close that the leaf lists: {proof.closes}", settle.hash)
    if not is_witnessed:
        raise Skipped("no witness that you named has signed the close of the epoch")
    if gap:
        raise Skipped(gap + ("; this round is in the tree" if proof else ""))
    has_all = not is_continued and len(leaves) == int(close.body["leaves"])
    if has_all and root == close.body["root"]:
        return
    if proof is None:
        raise Skipped("the inclusion proof does not lead to the round's place in the tree"
                      if this.coordinates in audit.proofs else
                      "the rounds of the file do not make the tree of the close" if has_all else
                      f"the file has {len(leaves)} of the {close.body['leaves']} rounds of the epoch: "
                      "an inclusion proof is needed")
    if leaves.get((table, number)) != proof.leaf:
        raise Skipped("the leaf of the round lists other records than the file")
