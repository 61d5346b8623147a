#!/usr/bin/env python3
"""Makes the laboratory's pack with the programs under test, and recomputes what can be recomputed.

    python tests/operations/lab_pack.py --programs FOLDER

The short form packs two rulesets; `--rulesets all` packs every one. No program of the pack is asked where another
can answer: hashes are computed here, links are followed here, the verifier in Python audits every transcript, and
the rows that were paid are held against the files of the rulesets by deploy/lab-kit.
"""
import argparse
import base64
import csv
import hashlib
import html
import html.parser
import json
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "deploy"))
sys.dont_write_bytecode = True
import lab_pack_pages  # noqa: E402

# docs/certify/rng-tools.md has it: the first sample of 1 MB.
SAMPLE = "c6fa4adf95b1f5a337497f513ca8cbbf22c2896bc502704fbd94b799792ea778"
# The parts that the brief of a submission asks for, each with a file that the index must list.
LISTED = ["compliance.toml", "book/docs/certify/compliance.html", "book/docs/certify/rng.html",
          "book/docs/measurements/rng-batteries.html", "rng/tools.txt", "rng/sample.bin", "par/schema.json",
          "rules/readings.html", "source/tree.txt", "source/SHA256SUMS", "source/inputs", "programs/SHA256SUMS",
          "programs/toolchain.txt", "programs/build.html", "programs/sbom.cdx.json", "tests/report.txt",
          "book/CHANGELOG.html", "verifiers/commands.html", "transcripts/samples/root.json",
          "transcripts/forced/played.txt", "book/docs/certify/forced-outcomes.html"]


# A browser that resolves no name.
BROWSER = [ROOT / "target/tools/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom"]


def check(held, what):
    if not held:
        sys.exit(f"FAILED: {what}")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


class Page(html.parser.HTMLParser):
    """What a page links to, the anchors that it has, its text, and what it would load."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.text, self.loads, self.styles = [], set(), [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        facts = dict(attributes)
        self.styles = tag == "style"
        if "id" in facts:
            self.anchors.add(facts["id"])
        if tag == "a" and "href" in facts:
            self.links.append(facts["href"])
        elif tag in ("script", "iframe", "object") or "src" in facts or tag == "link" and "href" in facts:
            self.loads.append(tag)

    def handle_data(self, data):
        if not self.styles:
            self.text.append(data)

    def words(self):
        return re.findall(r"\w+", " ".join(self.text))


def sums(folder):
    """Each file is listed by its hash, once, and nothing else is."""
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    for name, algorithm in (("SHA256SUMS", "sha256"), ("SHA1SUMS", "sha1")):
        lines = [line.split("  ", 1) for line in (folder / name).read_text().splitlines()]
        check(sorted(path for _, path in lines) == sorted(files - {"SHA256SUMS", "SHA1SUMS"}), f"{name}: not every file once")
        for digest, path in lines:
            check(hashlib.new(algorithm, (folder / path).read_bytes()).hexdigest() == digest, f"{name}: {path}")
    check(run("sha256sum", "-c", "--quiet", "SHA256SUMS", cwd=folder).returncode == 0, "sha256sum -c")
    return len(files)


def links(folder):
    """Every link of every page leads to a file of the pack and to an anchor of it; nothing loads anything."""
    read = {path: Page((folder / path).read_text()) for path in
            (str(file.relative_to(folder)) for file in folder.rglob("*.html"))}
    own = {path: page for path, page in read.items() if not path.startswith("verifiers/page/")
           and path != "verifiers/verifier.html"}
    count = 0
    for path, page in own.items():
        check(not page.loads, f"{path} loads {page.loads}")
        for link in page.links:
            if link.startswith(("https://", "http://", "data:")):
                continue
            file, _, anchor = link.partition("#")
            where = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            check((folder / where).is_file(), f"{path}: {link} leads nowhere")
            check(not anchor or where not in read or anchor in read[where].anchors, f"{path}: {link}: no such anchor")
            count += 1
    check(set(LISTED) <= set(read["index.html"].links), f"the index lacks {set(LISTED) - set(read['index.html'].links)}")
    return count


def in_a_browser(folder, ids):
    """A real browser without a network shows a page of each kind. Returns how many."""
    paths = ("index.html", f"par/{ids[0]}.html", f"rules/{ids[0]}.html", "book/docs/certify/compliance.html",
             "verifiers/verifier.html")
    for path in paths:
        heading = re.search("<h1.*?</h1>", html.unescape((folder / path).read_text()), re.S)
        with tempfile.TemporaryDirectory() as profile:
            shown = run(*BROWSER, f"--user-data-dir={profile}", (folder / path).as_uri())
        check(heading and heading[0] in html.unescape(shown.stdout), f"{path} in a browser: {shown.stdout[:500]}{shown.stderr[-500:]}")
    return len(paths)


def words_of(markdown):
    """Returns the words of a text that a reader sees, without the converter."""
    markdown = re.sub(r"<!--.*?-->", "", markdown, flags=re.S)
    seen, in_code = [], False
    for line in markdown.splitlines():
        if line.startswith("```"):
            in_code = not in_code
            continue
        if not in_code:
            # The target of a link is not seen, and the numbers of a list are drawn by the browser.
            parts = re.split(r"(`[^`]*`)", re.sub(r"^\s*\d+\. ", "", line))
            line = "".join(part if part.startswith("`") else re.sub(r"\]\([^)\s]+\)", "]", part) for part in parts)
        seen += re.findall(r"\w+", line)
    return seen


def pages(folder):
    """No word of a page is lost."""
    count = 0
    for path in [*sorted((folder / "book").rglob("*.html"))]:
        source = ROOT / path.relative_to(folder / "book").with_suffix(".md")
        found = Page(path.read_text()).words()
        title = lab_pack_pages.page("", "", "")
        check(title.startswith("<!doctype html>"), "a page begins with its type")
        heading = next(line for line in source.read_text().splitlines() if line.startswith("# "))
        head = re.findall(r"\w+", heading.removeprefix("# ")) + ["Index", "of", "the", "pack"]
        wanted = head + words_of(source.read_text())
        check(sorted(found) == sorted(wanted), f"{path}: {set(found) ^ set(wanted)}")
        count += 1
    return count


def git(*arguments):
    done = run("git", "-C", ROOT, *arguments)
    check(done.returncode == 0, done.stderr)
    return done.stdout


def source(folder, programs):
    """Hashes of source and programs, computed again."""
    check((folder / "source/tree.txt").read_text() == git("ls-tree", "-r", "--full-tree", "HEAD"), "tree.txt")
    listed = dict(reversed(line.split("  ", 1)) for line in (folder / "source/SHA256SUMS").read_text().splitlines())
    check(sorted(listed) == sorted(path for path in git("ls-files").splitlines() if (ROOT / path).is_file()), "the files")
    for path, digest in listed.items():
        check(hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == digest, f"source/SHA256SUMS: {path}")
    critical = hashlib.sha256((folder / "source/inputs").read_bytes()).hexdigest()
    check(critical in (folder / "source/critical-hash.txt").read_text(), "the critical hash of two programs differs")
    index = (folder / "index.html").read_text()
    check(critical in index, "the index lacks the critical hash")
    inputs = programs / "inputs"
    built = hashlib.sha256(inputs.read_bytes()).hexdigest() if inputs.exists() else None
    says = "the same" if built == critical else f"{built}: not programs of this commit" if built else "not known"
    check(f"built from</td><td>{says}" in index, f"the index does not say of the programs: {says}")
    for line in (folder / "programs/SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        check(hashlib.sha256((programs / name).read_bytes()).hexdigest() == digest, f"programs/SHA256SUMS: {name}")
    locked = {(one["name"], one["version"]) for one in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]}
    bill = json.loads((folder / "programs/sbom.cdx.json").read_text())
    listed = {(one["name"], one["version"]) for one in bill["components"]}
    check(len(listed) > 100 and listed <= locked, f"not in Cargo.lock: {sorted(listed - locked)[:5]}")


def mathematics(folder, lab, ids):
    """The sheets are what the program says again, and their tables what the sheets say."""
    for id_ in ids:
        again = run(lab, "par", id_, "--json")
        check(json.loads(again.stdout) == json.loads((folder / f"par/{id_}.json").read_text()), f"par {id_}")
        tables = sorted((folder / "par/csv").glob(f"{id_}-*.csv"))
        check(tables, f"no table of {id_}")
        for path in tables:
            rows = list(csv.reader(path.read_text().splitlines()))
            check(len(rows) > 1 and len({len(row) for row in rows}) == 1, f"{path} is no table")
        ruleset = tomllib.loads((folder / f"rules/rulesets/{id_}.toml").read_text())
        check(ruleset["id"] == id_ and ruleset["title"] in (folder / f"rules/{id_}.html").read_text().replace("&amp;", "&"),
              f"rules of {id_}")
    sample = hashlib.sha256((folder / "rng/sample.bin").read_bytes()).hexdigest()
    check(sample == SAMPLE, f"the sample of 1 MB is {sample}")


def root_of(transcript):
    """Returns the public key of the root that signed the manifests of a transcript."""
    return json.loads((transcript.parent / "root.json").read_text())["keys"][0]


def rounds(folder, ids):
    """The verifier in Python says of each transcript that it matches, and of an altered one that it does not."""
    count = 0
    verifier = [sys.executable, folder / "verifiers/python"]
    for kind in ("samples", "forced"):
        for path in sorted((folder / "transcripts" / kind).glob("*.jsonl")):
            if path.name.endswith("-rows.jsonl"):
                continue
            found = run(*verifier, path, "--root", root_of(path))
            check(found.returncode == 0 and "verdict: match" in found.stdout, f"{path}: {found.stdout}{found.stderr}")
            count += 1
    altered = folder / f"transcripts/samples/{ids[0]}.jsonl"
    lines = altered.read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if ".settle." in json.loads(line)["payloadType"])
    envelope = json.loads(lines[place])
    record = json.loads(base64.b64decode(envelope["payload"]))
    record["deck"][0], record["deck"][1] = record["deck"][1], record["deck"][0]
    text = json.dumps(record, separators=(",", ":"), sort_keys=True).encode()
    envelope["payload"] = base64.b64encode(text).decode()
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(line + "\n" for line in [*lines[:place], json.dumps(envelope, separators=(",", ":")),
                                                   *lines[place + 1:]]))
        file.flush()
        found = run(*verifier, file.name, "--root", root_of(altered))
        check(found.returncode == 1, f"an altered deck: {found.returncode}: {found.stdout}{found.stderr}")
    return count


def rows(folder, ids):
    """Each row of each bonus bet was played, and the record of its round has it."""
    count = 0
    for id_ in ids:
        ruleset = tomllib.loads((ROOT / f"crates/paigow-rules/src/game/rulesets/{id_}.toml").read_text())
        wanted = sorted((bet["id"], row["id"]) for bet in ruleset.get("bets", []) for row in bet["rows"])
        if not wanted:
            continue
        played = [json.loads(line) for line in
                  (folder / f"transcripts/forced/{id_}-rows.jsonl").read_text().splitlines()]
        check(sorted((one["bet"], one["row"]) for one in played) == wanted, f"{id_}: not each row once")
        settled = {}
        for line in (folder / f"transcripts/forced/{id_}.jsonl").read_text().splitlines():
            envelope = json.loads(line)
            if ".settle." in envelope["payloadType"]:
                record = json.loads(base64.b64decode(envelope["payload"]))
                settled[record["round_id"]] = record
        for one in played:
            seat = settled[one["round_id"]]["results"]["seats"][str(one["seat"])]
            line = next(line for line in seat["lines"] if line["bet"] == one["bet"])
            check((line["row"], line["win"]) == (one["row"], str(one["win_minor"])), f"{id_}: {one}: {line}")
            count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--rulesets", default="nine-push,queen-push")
    parser.add_argument("--sbom", type=pathlib.Path)
    chosen = parser.parse_args()
    every = sorted(path.stem for path in (ROOT / "crates/paigow-rules/src/game/rulesets").glob("*.toml"))
    ids = every if chosen.rulesets == "all" else chosen.rulesets.split(",")
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "pack"
        made = run(ROOT / "deploy/lab-pack", folder, "--programs", chosen.programs, "--rulesets", ",".join(ids),
                   *(["--sbom", chosen.sbom] if chosen.sbom else []))
        check(made.returncode == 0, f"{made.stdout}{made.stderr}")
        check(run(ROOT / "deploy/lab-pack", folder, "--programs", chosen.programs).returncode == 2, "a folder that is full")
        files = sums(folder)
        followed, converted, opened = links(folder), pages(folder), in_a_browser(folder, ids)
        source(folder, chosen.programs)
        mathematics(folder, chosen.programs / "paigow-lab", ids)
        audited, paid = rounds(folder, ids), rows(folder, ids)
        # A byte that is altered shows in the list.
        shutil.copy(folder / "compliance.toml", folder / "rng/tools.txt")
        check(run("sha256sum", "-c", "--quiet", "SHA256SUMS", cwd=folder).returncode == 1, "an altered file is not found")
    print(f"a pack of {files} files: {followed} links resolve, {converted} pages lost no word, {opened} open in Chromium, "
          f"{audited} transcripts match in the Python verifier, {paid} rows were paid as their files say")


main()
