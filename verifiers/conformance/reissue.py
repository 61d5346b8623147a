"""python3 verifiers/conformance/reissue.py REVISION: signs the page's test transcripts anew.

The rules files of the working tree may have other hashes than those of REVISION, by which the
transcripts were signed. Every hash of a ruleset or a house way, every link to a record and every signature is
replaced, and so are the commitment of every ticket, the tree of a close, and the tree and the signatures of each proof
of a log. The leaves of a log have to be the first records of the file. Seeds and their proofs, cards, decisions and
results stay as they are, and with them the expected reports. A key whose secret is not published is replaced by a test
key, in the expected report too.
"""
import base64
import json
import pathlib
import re
import subprocess
import sys

from issuer import LOG, Key, Tree, vrf_key
from paigow_verify.encoding import canonical, enc, kid, pae, sha256
from paigow_verify.rules import SOURCE, Rules
from paigow_verify.shuffle import commitment, coordinates, derived_seed, proven_seed
from public import Checkpointed, Path, Root, signed_proof

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "verifiers/web/tests/transcripts"
# The lists of a leaf, by the kinds of their records.
LISTS = {"ticket": "tickets", "lock": "locks", "deal": "deals", "settle": "closes"}


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


def new_hashes(revision):
    """The present hashes of rulesets and house ways, by their former ones."""
    rules, found = Rules(), {}
    now = {("house-way", way.id): way.hash for way in rules.house_ways.values()}
    now |= {("ruleset", ruleset["id"]): digest for digest, ruleset in rules.rulesets.items()}
    folder = str(SOURCE.relative_to(ROOT))
    for path in git("ls-tree", "-r", "--name-only", revision, "--", folder).decode().splitlines():
        if path.endswith(".toml"):
            text = git("show", f"{revision}:{path}")
            kind = "ruleset" if "/game/rulesets/" in path else "house-way"
            name = re.search(rb'^id = "(.*)"$', text, re.MULTILINE)[1]
            found[sha256(enc(f"pge/v1/{kind}", name, text)).hex()] = now[kind, name.decode()]
    return {before: after for before, after in found.items() if before != after}


def keys():
    """The published test keys and those of a World, by their ids."""
    def secrets(value):
        return [secret for one in value.values() for secret in secrets(one)] if isinstance(value, dict) else [value]

    published = json.loads((FOLDER / "keys.json").read_text())
    published = [bytes.fromhex(one) for one in secrets(published) if len(one) == 64]
    of_worlds = [LOG.key, *(Key(name) for name in ("root", "receipt", "ledger", "witness"))]
    of_worlds.append(vrf_key(sha256(b"pge conformance epoch secret 1")))
    return {kid(key.bytes): key for key in [*of_worlds, *(Key("", secret) for secret in published)]}


def replaced_keys(text, by_id):
    """Test keys for those of a transcript whose secrets are not published, by the keys that they replace."""
    signers = {one["keyid"] for line in text.splitlines() for one in json.loads(line)["signatures"]}
    named = {one for line in text.splitlines()
             for one in re.findall("[0-9a-f]{64}", base64.b64decode(json.loads(line)["payload"]).decode())}
    return {one: Key(one) for one in sorted(named) if kid(bytes.fromhex(one)) in signers - set(by_id)}


def salted(body, announcements, by_id):
    """A manifest whose salts are witnessed for the present announcements."""
    for epoch in body.get("epochs", ()):
        source = epoch.get("salt_source", {})
        if "sig" in source:
            key = by_id[kid(bytes.fromhex(source["pk"]))]
            message = enc("pge/v1/epoch-salt-party", epoch["epoch"].to_bytes(4, "little"), announcements[epoch["epoch"]],
                          bytes.fromhex(epoch.get("vrf_key") or epoch["commit"]), bytes.fromhex(source["value"]))
            source["sig"] = key.sign(message).hex()


def server_seeds(bodies, by_id):
    """The server seeds of the rounds that were settled, or whose epoch's secret is published."""
    secrets = {body["epoch"]: bytes.fromhex(body["epoch_secret"]) for body in bodies if "epoch_secret" in body}
    salts = {epoch["epoch"]: bytes.fromhex(epoch["salt"]) for body in bodies for epoch in body.get("epochs", ())
             if "salt" in epoch}
    derived = {body["round_id"]: derived_seed(secrets[body["epoch"]], salts[body["epoch"]], body["epoch"],
                                              body["tenant"], body["table"], int(body["round_no"]))
               for body in bodies if "commit" in body and body["epoch"] in secrets and body["suite"] == "derived"}
    vrf_keys = {epoch["epoch"]: bytes.fromhex(epoch["vrf_key"]) for body in bodies for epoch in body.get("epochs", ())
                if "vrf_key" in epoch}
    for body in bodies:
        public = vrf_keys.get(body["epoch"]) if body.get("suite") == "vrf" else None
        if public and kid(public) in by_id:
            salt, place = salts[body["epoch"]], (body["epoch"], body["tenant"], body["table"], int(body["round_no"]))
            proof = by_id[kid(public)].prove(enc("pge/v1/vrf-input", salt, *coordinates(*place)))
            derived[body["round_id"]] = proven_seed(public, salt, proof, *place)
    return derived | {body["round_id"]: bytes.fromhex(body["server_seed"]) for body in bodies if "server_seed" in body}


def logged(body, entries, logs, by_id):
    """A proof of a log whose leaves are the first of the entries, what is signed of each by its hash. `logs` are the
    keys of logs by their names."""
    names, at = list(entries)[:int(body["size"])], int(body["index"])
    if len(names) < int(body["size"]) or names[at] != body["record"]:
        raise SystemExit(f"the proof of record {body['record']} is of another log than the file")
    for one in body["cosignatures"]:
        one["sig"] = Checkpointed(by_id[kid(bytes.fromhex(one["pk"]))])
    sig = Checkpointed(by_id[kid(bytes.fromhex(logs[body["origin"]]))])
    root, path = Root(names).resolved(entries), Path(names, at).resolved(entries)
    return signed_proof({**body, "root": root, "path": path, "sig": sig})


def leaf_of(leaves, ticket):
    """The leaf of a ticket's round in the tree of a close, which lists the hashes of its records."""
    place = {name: ticket[name] for name in ("epoch", "tenant", "table", "round_no")}
    order = ticket["epoch"], ticket["tenant"], ticket["table"], int(ticket["round_no"])
    return leaves.setdefault(order, place | {name: set() for name in LISTS.values()})


def reissued(text, hashes, by_id):
    """The lines of a transcript, signed anew, and the keys that were replaced."""
    others = replaced_keys(text, by_id)
    keys = {kid(bytes.fromhex(old)): new for old, new in others.items()} | by_id
    others = {old: new.public for old, new in others.items()}
    others |= {kid(bytes.fromhex(old)): kid(bytes.fromhex(new)) for old, new in others.items()}
    hashes, announcements, lines, leaves, entries, logs = hashes | others, {}, [], {}, {}, {}
    bodies = [json.loads(base64.b64decode(json.loads(line)["payload"])) for line in text.splitlines()]
    seeds = server_seeds(bodies, by_id)
    for line in text.splitlines():
        envelope = json.loads(line)
        kind, old = envelope["payloadType"], base64.b64decode(envelope["payload"])
        payload = old.decode()
        for before, after in hashes.items():
            payload = payload.replace(before, after)
        body = json.loads(payload)
        if kind.startswith("application/vnd.pge.manifest."):
            salted(body, announcements, keys)
        if kind.startswith("application/vnd.pge.ticket.") and body["round_id"] in seeds:
            body["commit"] = commitment(seeds[body["round_id"]], bytes.fromhex(body["round_id"]),
                                        bytes.fromhex(body["ruleset"]), body["engine"]).hex()
        if kind.startswith("application/vnd.pge.epoch-close."):
            body["root"] = Tree([leaf for place, leaf in sorted(leaves.items())
                                 if place[:2] == (body["epoch"], body["tenant"])]).hash(str)
        if kind.startswith("application/vnd.pge.log-proof."):
            body = logged(body, entries, logs, keys)
        payload = canonical(body)
        signed = pae(kind, payload)
        digest = sha256(signed)
        if not kind.startswith("application/vnd.pge.log-proof."):
            entries[digest.hex()] = signed
        if "log" in body:
            logs[body["log"]["origin"]] = body["log"]["pk"]
        list_of = LISTS.get(kind.split(".")[2])
        if list_of == "tickets":
            leaf = leaf_of(leaves, body)
        if list_of:
            leaf[list_of].add(digest.hex())
        hashes[sha256(pae(kind, old)).hex()] = digest.hex()
        for epoch in body.get("epochs", ()) if kind.startswith("application/vnd.pge.manifest.") else ():
            announcements.setdefault(epoch["epoch"], digest)
        envelope["payload"] = base64.b64encode(payload).decode()
        for signature in envelope["signatures"]:
            key = keys[signature["keyid"]]
            signature |= {"keyid": kid(key.bytes), "sig": base64.b64encode(key.sign(signed)).decode()}
        lines.append(canonical(envelope).decode() + "\n")
    return "".join(lines), others


def main():
    hashes, by_id = new_hashes(sys.argv[1]), keys()
    for path in sorted(FOLDER.glob("*.jsonl")):
        text, others = reissued(path.read_text(), hashes, by_id)
        path.write_text(text)
        report = path.with_suffix(".expected.json")
        said = report.read_text()
        for old, new in others.items():
            said = said.replace(old, new)
        report.write_text(said)


if __name__ == "__main__":
    main()
