"""The published data files: rulesets, house ways, and their hashes (PGE-FAIR-1, D9). They are read
strictly, as the engine reads them: an unknown key or word could mean anything."""
import pathlib
import re
import tomllib
from fractions import Fraction

from .bonus import PUSH, SUBJECTS, is_condition, words_of
from .encoding import Bad, enc, sha256
from .house_way import HouseWay, is_house_way
from .records import ANY, FACTS, HASH, LARGEST_STAKE, fits, text

PRODUCT = pathlib.Path(__file__).resolve().parents[1]
# A release has the files beside the package; in the repository they are those of the engine.
SHIPPED, REPOSITORY = PRODUCT / "rules", PRODUCT.parents[1] / "crates/paigow-rules/src"
SOURCE = SHIPPED if SHIPPED.is_dir() else REPOSITORY

ID, ODDS = text("[a-z0-9]+(-[a-z0-9]+)*"), text("[1-9][0-9]{0,8}/[1-9][0-9]{0,8}")
CURRENCY, AMOUNT = {"code": text("[A-Z]{3,8}"), "exponent": range(5)}, range(LARGEST_STAKE + 1)
ROUNDING = ("down", "half-up", "up")
LIMITS = {"minimum_minor?": AMOUNT, "maximum_minor?": AMOUNT}
COMMISSION = {"rate": ODDS, "rounding": ROUNDING, "increment": ("minor-unit", "quarter-chip")}
BANDS = [{"up_to_minor?": range(2**63), "fee_minor": AMOUNT}]
FACT_NAMES = [tuple(name.rstrip("?") for name in FACTS)]


# Every ruleset has the first two. A language tag has two or three letters, and subtags of two to eight.
BET = text("(?!(base|double_down)$)(?=.{1,32}$)[a-z][a-z0-9]*(_[a-z0-9]+)*")
TITLES = {"title": str, "titles?": {text("[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"): str}}


def is_part(text):
    """Whether odds are a part of a whole: below 1, or 1/1."""
    return ODDS.fullmatch(text) and (Fraction(text) < 1 or text == "1/1")


def is_payment(pays, has_meter):
    """Whether a row may have these odds."""
    share = pays.removeprefix("meter:")
    return pays == "push" or (has_meter and is_part(share) if share != pays else ODDS.fullmatch(pays))


def is_bet(value):
    has_meter = "meter" in value
    fits(value, {
        "id": BET, **TITLES, "looks_at": SUBJECTS, "needs_base": bool, **LIMITS,
        "others?": {"bet": BET, **TITLES, "threshold_minor": AMOUNT},
        "meter?": {"seed_minor": AMOUNT, "contribution": lambda part: is_part(part) and part != "1/1"},
        "rows": [{"id": ID, **TITLES, "condition": ANY, "others_minor?": AMOUNT, "notify_floor?": bool,
                  "pays": lambda pays: is_payment(pays, has_meter)}]}, "bet")
    # A seat without a base wager sets no hands.
    if value["looks_at"] == "seat-set-hands" and not value["needs_base"]:
        return False
    # The cards of other seats are paid, and those seats have named no colour.
    if "others" in value and value["looks_at"] != "seat-hand":
        return False
    # A share of the meter does not grow with the stake: that is fixed.
    is_fixed = value.get("minimum_minor", 1) == value.get("maximum_minor", LARGEST_STAKE)
    return not has_meter or value["looks_at"] == "seat-hand" and is_fixed


def names_one_colour(bet):
    """Whether the colour that a player names is asked for alone."""
    words = set(words_of(bet))
    return "named_colour" not in words or not ({"red", "black"} & words or {"others", "meter"} & set(bet))


def states_its_meter(file):
    """Whether the sheet of a table states the one meter, the house's, if there is one."""
    meters = sum("meter" in bet for bet in file.get("bets", []))
    return meters == ("meter_minor" in file["facts"]["required"]) and (not meters or file["coverage"] == "house")


def has_its_joker(file):
    """Whether a wild joker is used only with hands of seven."""
    return file["joker"] == "semi-wild" or file["hand"] == 7


RULESET = {
    "schema": range(1, 2), "id": ID, "title": str,
    "family": ID, "source": str, "notes?": [str], "cards": range(53, 54), "joker": ("semi-wild", "wild"), "hand": range(6, 8),
    "seats": range(1, 8), "wheel": ("second", "lowest"), "house_way": {"id": ID, "hash": HASH},
    "coverage": ("house", "player-dealer"), "expose?": ("dealer",), "allow_player_advantage": bool,
    "max_payout_minor?": AMOUNT, "max_seat_payout_minor?": AMOUNT, "max_round_payout_minor?": AMOUNT,
    "rounding?": ROUNDING, "currency?": CURRENCY,
    "dealing": {"procedure": ("packets", "streets", "zigzag"), "streets?": [range(1, 7)],
                "direction": ("clockwise", "counter-clockwise"), "dice": ("three", "none"),
                "dead_hands": ("all-positions", "active-only")},
    "facts": {"required": FACT_NAMES, "optional": FACT_NAMES},
    "base": {"pays": ODDS, **LIMITS, "commission?": COMMISSION, "push_on_dealer?": ANY, "push_beats_foul?": bool},
    "double_down?": {"dealer_qualifies": lambda pair: bool(re.fullmatch(r"([2-9TJQKA])\1", pair))},
    "banking?": {"banker_sets": ("house-way",), "bank_per_base": range(1, 101), "commission": COMMISSION},
    "fees?": {"player": BANDS, "player_dealer": BANDS}, "bets?": [is_bet]}


def is_ruleset(file):
    """Checks the members, then the conditions: their valid terms depend on other members."""
    fits(file, RULESET, "file")
    conditions = [(f"bets[{i}].rows[{k}].condition", bet["looks_at"], row["condition"])
                  for i, bet in enumerate(file.get("bets", [])) for k, row in enumerate(bet["rows"])]
    if "push_on_dealer" in file["base"]:
        conditions.append(("base.push_on_dealer", PUSH, file["base"]["push_on_dealer"]))
    for path, looks_at, condition in conditions:
        fits(condition, lambda value: is_condition(value, looks_at, file["hand"]), f"file.{path}")
    for i, bet in enumerate(file.get("bets", [])):
        fits(bet, names_one_colour, f"file.bets[{i}]")
    fits(file, states_its_meter, "file")
    fits(file, has_its_joker, "file")
    return True


class BadRules(Exception):
    """The file is not a rules file, or it has an unknown key or word."""


def load(label, shape, shipped, more):
    """Reads files, by their paths or given as bytes: their members by the hash under which records
    name them."""
    found = {}
    for path in [*sorted(SOURCE.glob(shipped)), *more]:
        data = path if isinstance(path, bytes) else path.read_bytes()
        try:
            file = tomllib.loads(data.decode())
            fits(file, shape, "file")
        except (Bad, AttributeError, TypeError, ValueError) as error:
            raise BadRules(f"{'a file' if isinstance(path, bytes) else path}: {error}") from None
        found[sha256(enc(label, file["id"].encode(), data)).hex()] = file
    return found


class Rules:
    """All loaded rules, by their hashes: the published files, and those of an operator."""

    def __init__(self, rulesets=(), house_ways=()):
        ways = load("pge/v1/house-way", is_house_way, "house_way/*/*.toml", house_ways)
        self.house_ways = {digest: HouseWay(file, digest) for digest, file in ways.items()}
        self.rulesets = load("pge/v1/ruleset", is_ruleset, "game/rulesets/*.toml", rulesets)
        for file in self.rulesets.values():
            if file["house_way"]["hash"] not in self.house_ways:
                raise BadRules(f"{file['id']}: its house way {file['house_way']['id']} is not among the rule files")

    def ruleset(self, name):
        """The ruleset of this id."""
        return next(file for file in self.rulesets.values() if file["id"] == name)

    def house_way(self, name):
        return next(way for way in self.house_ways.values() if way.id == name)
