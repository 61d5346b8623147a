#!/usr/bin/env python3
"""Computes the critical hash of a source tree: docs/certify/critical-hash.md defines it.

    critical_hash.py TREE            prints the hash of each part, then of all inputs
    critical_hash.py TREE --inputs   prints the lines that are hashed

Needs Python 3.11 and nothing else. It shares no code with `paigow-lab release inputs`.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import tomllib
from decimal import Decimal
from functools import reduce
from pathlib import Path

TABLES = ["patch", "profile", "replace", "workspace.metadata.certified",
          "workspace.package.edition", "workspace.resolver"]
LEFT_OUT = re.compile(r"/(tests|benches|examples)/|/tests\.rs$")  # Step 2.


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def toml(path: Path) -> dict:
    return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)


def canonical(value) -> bytes:
    """Step 5. `json` refuses a Decimal (a float of the file) and a date with a TypeError."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return (text + "\n").encode()


def files_below(tree: Path, folder: str) -> list[str]:
    """All files and links below a folder, or the file itself."""
    top = tree / folder
    if top.is_dir() and not top.is_symlink():
        return [path for name in os.listdir(top) for path in files_below(tree, f"{folder}/{name}")]
    return [folder] if os.path.lexists(top) else []


def file_text(tree: Path, path: str) -> str:
    place = tree / path
    if not place.is_symlink():
        return f"file {sha256(place.read_bytes())} {path}"
    target = os.readlink(place)
    leads_to = os.path.normpath(os.path.join(os.path.dirname(path), target))
    if leads_to.split("/")[0] != "proto":
        sys.exit(f"{path}: a symbolic link to {target}, which is outside proto/")
    return f"link {sha256(target.encode())} {path}"


def packages(lock: dict, crate: str, names: set[str], certified: list[str]) -> set[str]:
    """Steps 6 and 7."""
    def find(reference: str) -> dict:
        name, version, source = (reference.split(" ", 2) + [None, None])[:3]
        found = [p for p in lock["package"] if p["name"] == name
                 and version in (None, p["version"])
                 and (source is None or source == f"({p.get('source')})")]
        if len(found) != 1:
            sys.exit(f"Cargo.lock: {len(found)} packages {reference}")
        return found[0]

    [own] = [p for p in lock["package"] if p["name"] == crate and "source" not in p]
    first = [find(reference) for reference in own.get("dependencies", [])]
    queue = [(crate, package) for package in first if package["name"] in names]
    if missing := names - {package["name"] for _, package in queue}:
        sys.exit(f"Cargo.lock: {crate} does not list {missing}")
    texts = set()
    while queue:
        dependent, package = queue.pop()
        if "source" not in package:
            if package["name"] not in certified:
                sys.exit(f"{dependent} is certified, {package['name']} is not")
            continue
        text = f"package {package['name']} {package['version']} {package['source']} {package['checksum']}"
        if text not in texts:
            texts.add(text)
            queue += [(package["name"], find(r)) for r in package.get("dependencies", [])]
    return texts


def input_texts(tree: Path) -> list[str]:
    root, lock = toml(tree / "Cargo.toml"), toml(tree / "Cargo.lock")
    certified = root["workspace"]["metadata"]["certified"]["crates"]
    root["workspace"]["resolver"]  # Step 4: it must exist.
    paths = [path for place in (".cargo", "proto", "rust-toolchain", "rust-toolchain.toml")
             for path in files_below(tree, place)]
    texts, tables = set(), set(TABLES)
    for crate in certified:
        folder = f"crates/{crate}"
        manifest = toml(tree / folder / "Cargo.toml")
        assert manifest["package"]["name"] == crate, folder
        paths += [path for path in files_below(tree, folder) if path != f"{folder}/Cargo.toml"
                  and not LEFT_OUT.search(path.removeprefix(folder))]
        # Step 3.
        targets = manifest.get("target", {})
        for table in [manifest, *targets.values()]:
            table.pop("dev-dependencies", None)
            assert "dev_dependencies" not in table and "build_dependencies" not in table, folder
        built = [table.get(kind, {}) for table in [manifest, *targets.values()]
                 for kind in ("dependencies", "build-dependencies")]
        manifest["target"] = {name: table for name, table in targets.items() if table}
        if not manifest["target"]:
            del manifest["target"]
        texts.add(f"manifest {sha256(canonical(manifest))} {folder}/Cargo.toml")
        # Steps 4 and 6.
        names = set()
        for key, entry in (pair for table in built for pair in table.items()):
            if isinstance(entry, dict) and "workspace" in entry:
                tables.add(f"workspace.dependencies.{key}")
                entry = root["workspace"]["dependencies"][key]
            names.add(entry.get("package", key) if isinstance(entry, dict) else key)
        texts |= packages(lock, crate, names, certified)
    texts |= {file_text(tree, path) for path in paths}
    for name in tables:
        value = reduce(lambda table, key: (table or {}).get(key), name.split("."), root)
        if value is not None:
            texts.add(f"table {sha256(canonical(value))} {name}")
    return sorted(texts, key=str.encode)


def part(text: str) -> str:
    """Step 9."""
    kind, _, name = text.split(" ", 2)
    if kind == "package":
        return "packages"
    if kind != "table" and name.startswith("crates/"):
        return "/".join(name.split("/")[:2])
    return "proto" if kind != "table" and name.startswith("proto/") else "workspace"


def lines(texts: list[str]) -> bytes:
    """Step 8."""
    return "".join(f"{len(text.encode())} {text}\n" for text in texts).encode()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Computes the critical hash of a source tree.")
    arguments.add_argument("tree", type=Path, help="the folder of the sources")
    arguments.add_argument("--inputs", action="store_true", help="print the lines that are hashed")
    given = arguments.parse_args()
    if not (given.tree / "Cargo.toml").is_file():
        sys.exit(f"{given.tree}: no Cargo.toml: not a source tree")
    all_texts = input_texts(given.tree)
    if given.inputs:
        sys.exit(print(lines(all_texts).decode(), end=""))
    for name in sorted({part(text) for text in all_texts}):
        print(sha256(lines([text for text in all_texts if part(text) == name])), name)
    print(sha256(lines(all_texts)), "critical")
