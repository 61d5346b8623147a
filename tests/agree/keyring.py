"""Keyrings as an operator makes them, with `paigow-keys`: one of each suite, and tenants of
every policy."""
import datetime
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/operations"), str(ROOT / "verifiers/conformance"), str(ROOT / "verifiers/python")]
from common import keys, witness  # noqa: E402
from issuer import Key  # noqa: E402

# Tenant: what its policy says of locks, chains, client seeds, and signatures of seats.
POLICIES = {
    "derived": {"strict": ("required", "required", "committed", "required"),
                "loose": ("off", "off", "optional", "optional"),
                "bare": ("required", "required", "none", "off")},
    "fresh": {"fresh-strict": ("required", "required", "committed", "required"),
              "fresh-optional": ("required", "required", "optional", "optional")},
    "vrf": {"vrf-optional": ("required", "required", "optional", "optional")},
}
EPOCH = {"derived": 7, "fresh": 9, "vrf": 11}
# The member by which a manifest announces an epoch's secret, by suite.
ANNOUNCED = {"derived": "commit", "vrf": "vrf_key"}
SHIPPED, EXAMPLES = ROOT / "crates/paigow-rules/src", ROOT / "examples/rules"
# The rules of an operator's own, beside all that are shipped.
OWN = {"rulesets": sorted(EXAMPLES.glob("rulesets/*.toml")), "house_ways": sorted(EXAMPLES.glob("house-ways/*.toml"))}
OWN_FILES = [word for kind, paths in OWN.items() for path in paths
             for word in ("--" + kind.replace("_", "-").removesuffix("s"), str(path))]
LISTED = {kind: sorted(path.stem for path in SHIPPED.glob(shipped)) + list(map(str, OWN[kind]))
          for kind, shipped in (("rulesets", "game/rulesets/*.toml"), ("house_ways", "house_way/*/*.toml"))}


class Keyring:
    """A folder that servers of one suite start with, and the secrets that callers hold."""

    def __init__(self, binary, folder, suite):
        self.lab, self.folder, self.suite, self.epoch = binary, folder, suite, EPOCH[suite]
        self.chain, self.ours = folder / "manifests.jsonl", folder.parent / f"{suite}-ours"
        for path in (folder, self.ours):
            path.mkdir(mode=0o700)
        self.root, self.ledger, self.witness = (self._made(role, self.ours) for role in ("root", "ledger", "witness"))
        self.receipt = self._made("receipt", folder)
        if suite in ANNOUNCED:
            self.secret = self._made("epoch", folder, "--epoch", self.epoch)
        else:
            self._made("token", folder)
        self._sign(self._description())
        if suite in ANNOUNCED:
            salts = self.ours / "given"
            salts.write_text(witness(binary, "--chain", self.chain, "--root", self.root["public"],
                                     "--epoch", self.epoch, "--key", self.witness["file"], "--list", self.ours / "salts"))
            following = keys(binary, "manifest", "next", "--chain", self.chain, "--salts", salts, *OWN_FILES)
            self._sign(following, "--chain", self.chain)

    def _made(self, role, folder, *more):
        said = keys(self.lab, role, "--out", folder, *more)
        return dict(line.split(maxsplit=1) for line in said.splitlines())

    def _sign(self, description, *more):
        path = self.ours / "manifest.toml"
        path.write_text(description)
        signed = keys(self.lab, "manifest", "sign", path, "--key", self.root["file"], *more)
        with open(self.chain, "a") as chain:
            chain.write(signed)

    def _description(self):
        today = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
        days = {"open_from": -1, "open_until": 5, "settle_until": 20}
        lines = [f"{kind} = {json.dumps(names)}" for kind, names in LISTED.items()]
        lines += ["[root]", "threshold = 1", f"keys = {json.dumps([self.root['public']])}",
                 "[[receipt_keys]]", f"public = {json.dumps(self.receipt['public'])}",
                 "[[epochs]]", f"epoch = {self.epoch}", f"suite = {json.dumps(self.suite)}"]
        lines += [f"{name} = {today + datetime.timedelta(days=count):%Y-%m-%dT%H:%M:%SZ}"
                  for name, count in days.items()]
        if announced := ANNOUNCED.get(self.suite):
            lines += [f"{announced} = {json.dumps(self.secret[announced])}",
                      f"salt = {{ party = {json.dumps(self.witness['public'])} }}"]
        for tenant, policy in POLICIES[self.suite].items():
            named = dict(zip(("lock", "chain", "client", "seat_auth"), policy), tenant=tenant)
            lines += ["[[tenants]]", *(f"{name} = {json.dumps(value)}" for name, value in named.items()),
                      f"ledger_keys = {json.dumps([self.ledger['public']])}"]
        return "\n".join(lines) + "\n"


def secret(made):
    """The 32 secret bytes of a key file."""
    return bytes.fromhex(re.search("(?m)^secret ([0-9a-f]{64})$", pathlib.Path(made["file"]).read_text())[1])


def signer(made):
    """The key of a key file."""
    return Key(None, secret(made))
