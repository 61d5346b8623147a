"""Holds the runbooks of docs/operate/runbooks against the alerts, the metrics and the programs.

    runbooks.py --server paigow-server --lab paigow-lab

Every alert has a `runbook_url` to a heading of its name, and every heading is an alert. Each runbook has a query or a
command, and says how the alert ends. Everything that a runbook names exists: metrics and labels, settings, names of the
sources, and commands with their options. Prometheus parses every query.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile
import tomllib

import yaml

from common import ROOT, check, main

FOLDER = "docs/operate/runbooks"
RULES = ROOT / "deploy/alerts/paigow.rules.yaml"
PROGRAMS = ("paigow-server", "paigow-lab", "paigow-keys", "paigow-witness")
# Functions and words of PromQL, and labels that a scrape or a resource brings.
PROMQL = set("absent and by count deriv group_left histogram_quantile increase max min offset on or rate sum time topk "
             "unless d h m s".split())
SCRAPED = {"instance", "job", "le", "service_name", "service_version", "vcs_ref_head_revision", "severity", "up",
           "target_info", "paigow_log_findings", "paigow_log_cosigned_timestamp_seconds"}
# Names of the cluster's objects that look like programs.
OBJECTS = {"paigow-0", "paigow-headless", "paigow-access", "paigow-tls", "paigow-evidence", "paigow-sink-verify",
           "paigow-sink-figures"}


def sections(text):
    """Returns heading and text of each section of the second level."""
    parts = re.split(r"(?m)^## (.+)$", text)
    return dict(zip(parts[1::2], parts[2::2]))


def blocks(text, kind):
    return re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", text)


def spans(text):
    """Returns the texts between backticks, broken lines joined."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]


def alerts():
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"] if "alert" in rule}


def series():
    """Returns the names of Prometheus for every metric, recorded rule and label, and those of the figures of
    `sink verify`."""
    found, labels = set(), set()
    for line in (ROOT / "docs/operate/metrics.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("| `"):
            continue
        name, kind, unit = cells[0].strip("`").replace(".", "_"), cells[1], cells[2].strip("`")
        name += {"s": "_seconds", "By": "_bytes"}.get(unit, "")
        ends = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_count", "_sum"]}[kind]
        found |= {name + end for end in ends}
        labels |= {label.replace(".", "_") for label in re.findall(r"`([a-z_.]+)`", cells[3])}
    check(len(found) > 50, f"{len(found)} series in metrics.md")
    found |= {f"paigow_sink_{name.removeprefix('_').removeprefix('paigow_sink_')}" for name in re.findall(
        r"`(paigow_sink_\w+|_\w+)`", (ROOT / "docs/operate/evidence.md").read_text().split("The figures are")[1][:400])}
    found |= set(re.findall(r"record: (\S+)", RULES.read_text()))
    return found, labels


def check_urls(pages):
    headings = {}
    for page, text in pages.items():
        for heading in sections(text):
            check(heading not in headings, f"{heading} has two runbooks")
            headings[heading] = f"{page}#{heading.lower()}"
    rules = alerts()
    check(set(rules) == set(headings), f"alerts and runbooks differ: {set(rules) ^ set(headings)}")
    for name, rule in rules.items():
        url = rule["annotations"].get("runbook_url")
        check(url == headings[name], f"{name}: runbook_url is {url}, and the runbook is {headings[name]}")


def check_form(page, text):
    for heading, section in sections(text).items():
        lines = len([line for line in section.splitlines() if line])
        check(4 <= lines <= 40, f"{page}, {heading}: {lines} lines")
        check(re.search(r"\bends\b.*\b(when|within|a day)\b", section), f"{page}, {heading}: how does it end?")
        refers = re.search(r"\(#paigow\w+\)", section)
        check(blocks(section, "promql") or blocks(section, "console") or refers, f"{page}, {heading}: nothing to look at")


def check_queries(pages, promtool):
    """Prometheus parses every query, and each of its names exists."""
    names, labels = series()
    queries = [query for text in pages.values() for query in blocks(text, "promql")]
    check(len(queries) > 30, f"{len(queries)} queries")
    rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump({"groups": [{"name": "runbooks", "rules": rules}]}, file)
        file.flush()
        ran = subprocess.run([promtool, "check", "rules", file.name], capture_output=True, text=True)
    check(ran.returncode == 0, f"promtool: {ran.stdout}{ran.stderr}")
    written = [(page, span) for page, text in pages.items() for span in spans(text) if re.match(r"paigow[_:]", span)]
    written += [("a query", query) for query in queries]
    for page, query in written:
        for word in re.findall(r"[a-zA-Z_][\w:]*", re.sub(r'"[^"]*"', "", query)):
            known = word in names or word in labels or word in PROMQL or word in SCRAPED
            check(known, f"{page}: no series or label {word}: {query}")
    return len(queries)


def helps(programs):
    known = {}

    def ask(program, words):
        key = (program, *words)
        if key not in known:
            ran = subprocess.run([programs[program], *words, "--help"], capture_output=True, text=True)
            check(ran.returncode == 0, f"no command {program} {' '.join(words)}")
            known[key] = {word.strip("[],.`") for word in ran.stdout.split()}
        return known[key]
    return ask


def check_commands(pages, ask):
    """Every command of our programs exists, with its options: in blocks, and between backticks."""
    count = 0
    for page, text in pages.items():
        lines = [line for block in blocks(text, "console") for line in
                 re.sub(r"\\\n> ", "", block).splitlines()]
        for line in [*lines, *spans(text)]:
            words = line.removeprefix("$ ").removeprefix("> ").split()
            starts = [at for at, word in enumerate(words) if word.rsplit("/", 1)[-1] in PROGRAMS
                      and (at == 0 or words[at - 1] in ("|", "--", "&&", ";"))]
            if not starts and words and words[0] == "sink":
                words, starts = ["paigow-lab", *words], [0]
            for at in starts:
                program = words[at].rsplit("/", 1)[-1]
                own = words[at + 1:]
                ends = [i for i, word in enumerate(own) if word in ("|", ">", ">>", "&&", ";", "<")]
                own = own[:ends[0]] if ends else own
                depth = 2 if own[:1] and own[0] in ("sink", "release", "manifest", "rng") else min(len(own), 1)
                depth = 0 if program in ("paigow-server", "paigow-witness") else depth
                known = ask(program, own[:depth])
                for word in own[depth:]:
                    flag = word.split("=")[0]
                    check(not flag.startswith("--") or flag in known, f"{page}: {program} has no {flag}: {line}")
                count += 1
    return count


def check_names(pages):
    """Settings are those of the server, and names with capitals or underscores are words of the sources."""
    defaults = tomllib.loads((ROOT / "deploy/config/default.toml").read_text())
    settings = {f"{section}.{key}" for section, keys in defaults.items() for key in keys}
    sources = " ".join(file.read_text() for folder in ("src", "crates", "proto", "deploy") for file in
                       sorted((ROOT / folder).rglob("*")) if file.suffix in (".rs", ".proto", ".toml", ".yaml"))
    words = set(re.findall(r"\w+", sources))
    series_names, labels = series()
    known = words | series_names | labels | SCRAPED
    for page, text in pages.items():
        for span in spans(text):
            name = re.match(r"([a-z]+\.[a-z_]+)( = \S+)?$", span)
            if name and name[1].split(".")[0] in defaults:
                check(name[1] in settings, f"{page}: no setting {span}")
            elif re.fullmatch(r"[a-z]+(_[a-z]+)+|[A-Z]{2,}(_[A-Z]+)*", span):
                check(span in known or span == "ROUND_ID", f"{page}: {span} is no name of the sources")
            elif re.fullmatch(r"paigow-[a-z0-9-]+", span):
                check(span in OBJECTS or span in PROGRAMS, f"{page}: {span} is neither a program nor an object")
        for event in re.findall(r'"event":"\(?([a-z_|]+)\)?"', text):
            for name in event.split("|"):
                check(f"{name}`" in (ROOT / "docs/operate/running.md").read_text(), f"{page}: no event {name}")


def run():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, type=pathlib.Path)
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    options = parser.parse_args()
    programs = {name: options.lab.resolve().with_name(name) for name in PROGRAMS}
    programs["paigow-server"] = options.server.resolve()
    found = {str(file.relative_to(ROOT)): file.read_text() for file in sorted((ROOT / FOLDER).glob("*.md"))}
    pages = {page: text for page, text in found.items() if not page.endswith("README.md")}
    check_urls(pages)
    for page, text in pages.items():
        check_form(page, text)
    queries = check_queries(pages, "promtool")
    ask = helps(programs)
    # The check finds an unknown option.
    try:
        check_commands({"": "`paigow-lab sink verify --nosuch`"}, ask)
    except Exception:
        pass
    else:
        check(False, "an unknown option is not found")
    commands = check_commands(found, ask)
    check_names(found)
    print(f"{len(alerts())} alerts have runbooks; {queries} queries and {commands} commands in them exist")


if __name__ == "__main__":
    main(run)
