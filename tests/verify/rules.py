"""The published data files: rulesets, house ways, and their hashes (PGE-FAIR-1, D9)."""
import pathlib
import tomllib

from .encoding import enc, sha256
from .house_way import HouseWay

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"


def load(label, shipped, more):
    """Reads files: their members by the hash under which records name them."""
    found = {}
    for path in [*sorted(SOURCE.glob(shipped)), *more]:
        data = path.read_bytes()
        file = tomllib.loads(data.decode())
        found[sha256(enc(label, file["id"].encode(), data)).hex()] = file
    return found


class Rules:
    """All rules at hand, by their hashes; files of an operator besides those that are published."""

    def __init__(self, rulesets=(), house_ways=()):
        self.rulesets = load("pge/v1/ruleset", "game/rulesets/*.toml", rulesets)
        ways = load("pge/v1/house-way", "house_way/*/*.toml", house_ways)
        self.house_ways = {digest: HouseWay(file, digest) for digest, file in ways.items()}

    def ruleset(self, name):
        """The ruleset of this id."""
        return next(file for file in self.rulesets.values() if file["id"] == name)

    def house_way(self, name):
        return next(way for way in self.house_ways.values() if way.id == name)
