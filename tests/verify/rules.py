"""The published data files: rulesets, house ways, and their hashes (PGE-FAIR-1, D9)."""
import pathlib
import tomllib

from .encoding import enc, sha256
from .house_way import HouseWay

ROOT = pathlib.Path(__file__).resolve().parents[2] / "src"
RULESETS = [ROOT / "game/rulesets"]
HOUSE_WAYS = [ROOT / "house_way/charts", ROOT / "house_way/coded"]
LONGEST_FILE = 1 << 20


def load(label, path):
    """Reads a file: its members, and the hash under which records name it."""
    data = path.read_bytes()
    if len(data) > LONGEST_FILE:
        raise ValueError(f"{path}: longer than {LONGEST_FILE} bytes")
    file = tomllib.loads(data.decode())
    return file, sha256(enc(label, file["id"].encode(), data)).hex()


def _paths(folders, more):
    return [path for folder in folders for path in sorted(folder.glob("*.toml"))] + list(more)


class Rules:
    """All rules at hand, by their hashes."""

    def __init__(self, rulesets=(), house_ways=()):
        self.house_ways, self.rulesets = {}, {}
        for path in _paths(HOUSE_WAYS, house_ways):
            file, digest = load("pge/v1/house-way", path)
            self.house_ways[digest] = HouseWay(file, digest)
        for path in _paths(RULESETS, rulesets):
            file, digest = load("pge/v1/ruleset", path)
            self.rulesets[digest] = file

    def ruleset(self, name):
        """The ruleset of this id."""
        return next(file for file in self.rulesets.values() if file["id"] == name)

    def house_way(self, name):
        return next(way for way in self.house_ways.values() if way.id == name)
