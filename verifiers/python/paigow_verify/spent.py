"""The check SUPERSEDES, and when a final lock is spent (PGE-FAIR-1, D22). The actions of a spent lock alone prove
that it can never settle. So it closes nothing, and the next lock of the round supersedes it."""
from . import settle, sheet
from .money import rules, standing_wagers
from .records import MOST_SPENT
from .rounds import Failed, Group, Skipped, same


class Judge:
    """The facts by which the decisions of a dealt round are judged. They do not include the dealer's cards."""

    def __init__(self, audit, this):
        """Skips if one of the records or the rules is missing, or was refused: that spends no lock."""
        self.this, self.visible, self.deal = this, this.need("deal")["visible"], this.get("deal").hash
        self.ruleset, way = rules(audit, this)
        self.way = way.hash
        self.facts, wagers = standing_wagers(self.ruleset, this)
        self.bases = settle.bases(wagers)

    def fault(self, action):
        """Why an action is not legal by itself, whatever the other seats decide; None if it is legal."""
        body = action.body
        if body is None:
            return "no canonical action"
        if body["prev"] != self.deal:
            return "an action of another deal"
        if body.get("house_way", self.way) != self.way:
            return "another house way"
        hand = self.visible.get(str(body["seat"]), [])
        return sheet.seat_fault(self.ruleset, self.facts, hand, self.bases, body["seat"], body)

    def kept(self, groups):
        """The actions that locks after these groups keep, by seat: the first that is legal by itself."""
        found = {}
        for action in (action for group in groups for action in listed(group) if not self.fault(action)):
            found.setdefault(action.body["seat"], action.hash)
        return found

    def is_spent(self, group, before):
        """Whether the lock of a group is spent; `before` are the groups before it."""
        actions, lock = listed(group), group.lock
        if any(map(self.fault, actions)):
            return True
        seats = [action.body["seat"] for action in actions]
        is_one_a_seat = seats == sorted(set(seats)) == sorted(self.bases)
        is_absent_by_right = wrongly_absent(self.this, lock, actions) is None
        is_keeping = set(self.kept(before).values()) <= set(lock.body["actions"])
        return not (is_one_a_seat and is_absent_by_right and is_keeping)


def listed(group):
    """The actions of a group in the order in which its lock lists them."""
    known = {action.hash: action for action in group.actions}
    if not known.keys() >= set(group.lock.body["actions"]):
        raise Skipped("an action that a lock lists is not in the file")
    return [known[digest] for digest in group.lock.body["actions"]]


def wrongly_absent(this, lock, actions):
    """The first seat that a final lock wrongly lists as absent, or None. Its player has not registered
    the clause, or its action is missing, is not the house way, or doubles."""
    by_house_way = {action.body["seat"] for action in actions
                    if "house_way" in action.body and "double_down" not in action.body}
    return next((seat for seat in lock.body.get("absent", [])
                 if seat not in by_house_way or "absent" not in this.seat_key(seat)), None)


def can_settle(audit, this):
    """Whether the final lock at the end of a telling is known not to be spent."""
    try:
        return not Judge(audit, this).is_spent(Group(this.actions, this.get("close")), this.spent)
    except Skipped:
        return False


def _is_revoked(audit, this):
    """Whether the epoch is revoked, so that no engine settles the round any more. A ticket or deal by a
    revoked receipt key does not get here: SIGNATURES refused it."""
    return any(entry and entry.get("status") == "revoked" for _, entry in audit.manifests.listings(this.epoch["epoch"]))


def supersedes(audit, this):
    """Each lock that closes the round lists those before it, and they are spent. The last keeps what was legal."""
    this.need_world()
    locks, spent = this.locks, this.spent
    if not locks:
        raise Skipped("no lock that closes the round")
    if any(lock.refused for lock in locks):
        raise Skipped("a lock was refused by an earlier check")
    for i, lock in enumerate(locks):
        same(lock, "supersedes", [other.hash for other in locks[:i]], lock.body.get("supersedes", []))
        if i == MOST_SPENT and lock.body["step"] == "final":
            raise Failed(lock, f"a void lock after {MOST_SPENT} spent locks", "a final lock")
    if not spent:
        return
    judge = Judge(audit, this)
    for i, group in enumerate(spent):
        is_excused = this.void and group is spent[-1] and _is_revoked(audit, this)
        if not judge.is_spent(group, spent[:i]) and not is_excused:
            # If a telling ends with actions, no lock follows them.
            raise Failed([*locks, group.lock][i + 1], "a spent lock before it",
                         f"lock {group.lock.hash} can still be settled")
    if len(locks) > len(spent) and not this.void:
        for seat, digest in judge.kept(spent).items():
            if digest not in locks[-1].body["actions"]:
                raise Failed(locks[-1], "every legal action of the locks before it",
                             f"seat {seat} without its action {digest}")
