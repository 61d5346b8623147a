"""The place of a round: whether the operator could choose it by its cards (PGE-FAIR-1, D6)."""
from .rounds import Skipped

NOT_ANNOUNCED = "the manifest that announced the epoch is not in the file"


def _tenants(audit, this):
    """The tenants of the manifest that announced the epoch of a round, if it is known."""
    announcement = audit.manifests.get(audit.manifests.announcement(this.epoch["epoch"]))
    return announcement and announcement.body["tenants"]


def _own(tenants, ticket):
    return next((tenant for tenant in tenants if tenant["tenant"] == ticket["tenant"]), None)


def is_announced(audit, this):
    """Whether the announcement of the epoch lists the tenant, and the table if it pins tables of it. Not
    checked if the announcement is not known."""
    tenants, ticket = _tenants(audit, this), this.ticket
    if tenants is None:
        return True
    own = _own(tenants, ticket)
    return own is not None and ticket["table"] in own.get("tables", [ticket["table"]])


def place_listed(audit, this):
    """The table was listed before the salt was known. Never fails, because POLICY fails instead."""
    ticket, tenants = this.need_world(), _tenants(audit, this)
    if tenants is None:
        raise Skipped(NOT_ANNOUNCED)
    if "tables" not in _own(tenants, ticket):
        raise Skipped("the announcement of the epoch pins no tables of the tenant")
    for tenant in tenants:
        if "tables" not in tenant and tenant["policy"]["client"] != "committed":
            raise Skipped(f"tenant {tenant['tenant']} may use any name of a table")
    this.places = len({(tenant["tenant"], table) for tenant in tenants for table in tenant.get("tables", [])})


def place_not_chosen(audit, this):
    """The caller's seat put a seed into the deck that no other ticket of the file has.
    Never fails: a seed that a player used twice accuses nobody."""
    ticket, seat = this.need_world(), audit.terms.my_seat
    if seat is None:
        raise Skipped("no seat is named as yours")
    if _tenants(audit, this) is None:
        raise Skipped(NOT_ANNOUNCED)
    seed = this.need("wagers")["seats"].get(str(seat), {}).get("client_seed")
    if this.void:
        raise Skipped("the round is void")
    if seed is None or str(seat) not in ticket["client"]:
        raise Skipped(f"seat {seat} has committed to no seed")
    if len(audit.seeds[seed]) > 1:
        raise Skipped(f"the seed of seat {seat} stands under another ticket too")
