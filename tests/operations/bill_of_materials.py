#!/usr/bin/env python3
"""Compares a CycloneDX bill of materials with the crates that are built and with Cargo.lock.

    python tests/operations/bill_of_materials.py SBOM CRATES LOCK

CRATES has a name and a version a line, each crate once. The bill may name a few crates more
than are built (it is made from all features at once), none that the lock file does not have.
"""
import json
import pathlib
import sys
import tomllib

sbom = json.loads(pathlib.Path(sys.argv[1]).read_text())
built = {tuple(line.split()) for line in pathlib.Path(sys.argv[2]).read_text().splitlines()}
locked = {(one["name"], one["version"]): one.get("checksum")
          for one in tomllib.loads(pathlib.Path(sys.argv[3]).read_text())["package"]}
if sbom["bomFormat"] != "CycloneDX" or len(built) < 100:
    sys.exit(f"{sbom['bomFormat']}, {len(built)} crates")
listed = {(one["name"], one["version"]): {hash["content"] for hash in one.get("hashes", [])}
          for one in [sbom["metadata"]["component"], *sbom["components"]]}
wrong = [f"{name} {version} is built and not listed" for name, version in sorted(built - listed.keys())]
for (name, version), hashes in sorted(listed.items()):
    if (name, version) not in locked:
        wrong.append(f"{name} {version} is listed and not in the lock file")
    elif hashes != ({locked[name, version]} - {None}):
        wrong.append(f"{name} {version} has another hash in the lock file")
print(*wrong, sep="\n", end="", file=sys.stderr)
sys.exit(1 if wrong else 0)
