"""A real Prometheus scrapes the real server: every dashboard query and every alert runs.

    python tests/operations/prometheus.py --server PATH --lab PATH [--prometheus PATH]

1. Each name in a query is one that the server exports, by src/telemetry/names.rs.
2. Rounds are played at one server. A second one turns callers away, refuses a changed file
   and cannot write its evidence; a third has a certificate, and a peer that speaks no TLS; a fourth
   answers though its evidence is full, and drops lines. Each query of a dashboard is answered with data.
3. Each selector of each rule finds series, every alternative of its label values for itself:
   a value that nobody exports is an alert that never comes. Each alert's expression has a
   value once its comparisons hold always. What can have none here is listed with the reason.
4. The server's expected returns and deviations equal those computed here from the pay tables.
5. Beside the servers two feeds are scraped, drawn from a pay table: a fair one, and one where
   1 losing wager in 20 is paid. The second trips the alert on returns, the first does not,
   nor does a third one with too few wagers or a fourth whose bet has no expected return.
"""
import argparse
import base64
import fractions
import hashlib
import http.server
import itertools
import json
import math
import pathlib
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

import common
import grpc
import yaml
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from common import (
    ROOT, Failed, Server, api, check, deal_request, free_port, pb, reason, settle_request,
    wait_until)

DASHBOARDS = ROOT / "deploy/compose/grafana/dashboards"
RULES = ROOT / "deploy/alerts/paigow.rules.yaml"

# The values that a dashboard would give its variables.
VARIABLES = {"$__rate_interval": "15s", "$__range": "1h", "$window": "1d",
             "$ruleset": ".*", "$bet": ".*", "$currency": ".*"}
# Reasons that no part of this run can bring about: they are exported, and stay at zero.
IMPOSSIBLE = {
    "DECK_MISMATCH": "a server whose own records contradict it",
    "CONSERVATION": "a settlement that does not add up",
    "SERVER": "a fault of the server",
    "ENTROPY": "a system without random bytes",
}
# Alerts that have no value here even if their comparisons hold always.
SILENT = {
    "PaigowReturnOffExpectedMonth": "its figures are taken at whole hours (return-month.yaml)",
    "PaigowAllDown": "it asks for what is missing, and nothing is (service.yaml)",
    "PaigowEvidenceNeverChecked": "it asks for what is missing, and nothing is (evidence.yaml)",
    "PaigowEvidenceAbsent": "it compares with the night before (evidence.yaml)",
    "PaigowEpochSecretMissing": "its gauge has no value where no secret is missing (fairness.yaml)",
}
# Gauges without a value here, of the alerts above.
WITHOUT_VALUE = {"paigow_epoch_secret_missing_seconds"}
# Exported by Prometheus itself, by the exporter's library, by sink verify and by the monitor of the public log.
FOREIGN = {"up", "target_info"} | {f"paigow_sink_{figure}" for figure in (
    "lines", "faults", "forks", "reopens", "open_tickets", "old_tickets", "absent_boots", "missing_records", "verified_timestamp_seconds")} | {"paigow_log_findings"}
# Words of the query language that look like names.
WORDS = set("""abs absent and avg bool by clamp clamp_min count group_left group_right histogram_quantile
    increase ignoring last_over_time max min offset on or predict_linear rate resets round sqrt sum sum_over_time time topk unless
    vector without le code""".split())


# Queries

def dashboard_queries():
    """Returns (dashboard, panel, query) of all queries, those of variables included."""
    for file in sorted(DASHBOARDS.glob("*.json")):
        dashboard = json.loads(file.read_text())
        for panel in dashboard["panels"]:
            for target in panel.get("targets", []):
                yield dashboard["uid"], panel["title"], target["expr"]


def rules():
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def filled(query):
    for name, value in VARIABLES.items():
        query = query.replace(name, value)
    check("$" not in query, f"a variable that nobody fills: {query}")
    return query


def exported_names():
    """Returns the metrics and the attributes of names.rs, as Prometheus spells them."""
    text = (ROOT / "src/telemetry/names.rs").read_text()
    names = {name.replace(".", "_") for name in re.findall(r'"([a-z_]+(?:\.[a-z_]+)+)"', text)}
    check("paigow_stake" in names and "paigow_ruleset_id" in names, "names.rs is not read right")
    return names


def check_names(queries, recorded):
    """Checks that no query asks for a metric that is not exported: a typing error is an empty panel."""
    known = exported_names() | {"instance", "job"}
    for where, query in queries:
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", query)
        bare = re.sub(r"\[[^\]]*\]|\boffset \d+\w", "", bare)
        for name in set(re.findall(r"[a-zA-Z_][\w:]*", bare)) - WORDS:
            if name in FOREIGN | recorded:
                continue
            base = re.sub(r"(_seconds|_bytes)?(_total|_bucket|_sum|(?<!thread)(?<!descriptor)_count)?$", "", name)
            check(base in known, f"{where}: nobody exports {name}")


def without_clauses(query):
    """Returns a query without ranges, offsets and lists of labels: words and selectors are left."""
    query = re.sub(r"\[[^\]]*\]|\boffset \d+\w", "", query)
    return re.sub(r"\b(by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)", " ", query)


def alternatives(value):
    """Returns the alternatives of a pattern: `a|b` and `x(a|b)`."""
    grouped = re.fullmatch(r"(.*)\((.*)\)(.*)", value)
    before, among, after = grouped.groups() if grouped else ("", value, "")
    return [before + one + after for one in among.split("|")]


def selectors(query):
    """Returns the selectors of a query as (name, matchers), one for each combination of the
    alternatives of its patterns."""
    found = set()
    for name, labels in re.findall(r"(?<![\w:.])([a-zA-Z_:][\w:]*)(\{[^{}]*\})?", without_clauses(query)):
        if name in WORDS:
            continue
        matchers = re.findall(r'(\w+)(=~|!~|!=|=)"([^"]*)"', labels)
        each = [[(label, sign, one) for one in (alternatives(value) if sign == "=~" else [value])]
                for label, sign, value in matchers]
        found |= {(name, chosen) for chosen in itertools.product(*each)}
    return found


def written(selector):
    name, matchers = selector
    return name + "{" + ",".join(f'{label}{sign}"{value}"' for label, sign, value in matchers) + "}"


def evidence_of(selector):
    """Returns a query that shows that a selector finds its series: a counter has counted."""
    name, matchers = selector
    counts = name.endswith(("_total", "_count", "_bucket"))
    zero = any(label == "paigow_reason" and value in IMPOSSIBLE for label, _, value in matchers)
    return f"{written(selector)} > 0" if counts and not zero else written(selector)


def always(query):
    """Returns an alert's expression with a value, 0 or 1, for every comparison."""
    query = re.sub(r"\boffset \d+\w", "", query)
    return re.sub(r'\{[^{}]*\}|(==|!=|>=|<=|>|<)',
                  lambda found: f"{found[1]} bool" if found[1] else found[0], query)


def check_reasons(queries):
    """Checks that every reason that is asked for, each alternative of a pattern, is one of the
    contract's."""
    text = (ROOT / "proto/paigow/v1/error_reason.proto").read_text()
    known = set(re.findall(r" ERROR_REASON_(\w+) = ", text))
    asked = 0
    for where, query in queries:
        for value in re.findall(r'paigow_reason=~?"([^"]*)"', query):
            for one in alternatives(value):
                check(any(re.fullmatch(one, name) for name in known), f"{where}: no reason {one}")
                asked += 1
    check(asked > 10, "reasons are not read right")


class Prometheus:
    """A Prometheus process, asked through its HTTP API."""

    def __init__(self, binary, folder, jobs):
        self.port = free_port()
        settings = {
            "global": {"scrape_interval": "2s", "scrape_timeout": "2s", "evaluation_interval": "2s"},
            "rule_files": [str(RULES)],
            "scrape_configs": [{"job_name": job, "static_configs": [{"targets": targets}]}
                               for job, targets in jobs.items()],
        }
        file = folder / "prometheus.yaml"
        file.write_text(yaml.safe_dump(settings))
        self.log = folder / "prometheus.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [binary, f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}",
                 f"--web.listen-address=127.0.0.1:{self.port}", "--enable-feature=exemplar-storage"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        wait_until(self.is_ready, "Prometheus is ready")

    def is_ready(self):
        check(self.process.poll() is None, f"Prometheus ended: {self.log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/-/ready", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def get(self, path, **parameters):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise Failed(f"{parameters or path}: {error.read().decode()}") from None

    def query(self, query):
        """Returns the samples of a query as (labels, value), without those that are NaN."""
        data = self.get("query", query=query)
        samples = [({}, data["result"][1])] if data["resultType"] == "scalar" else \
            [(sample["metric"], sample["value"][1]) for sample in data["result"]]
        return [(labels, float(value)) for labels, value in samples if value != "NaN"]

    def all_of(self, query, count):
        """Returns the samples of a query that has `count`. There may be fewer for a moment: a
        scrape that takes too long leaves a gap in every series."""
        def complete():
            samples = self.query(query)
            return len(samples) >= count and samples

        return wait_until(complete, f"{count} series of {query}")

    def firing(self, name):
        """Returns the labels of an alert's firing instances."""
        return [alert["labels"] for alert in self.get("alerts")["alerts"]
                if alert["labels"]["alertname"] == name and alert["state"] == "firing"]

    def stop(self):
        self.process.kill()
        self.process.wait()


# Feeds

class Page:
    """Serves one text, as the page of an exporter."""

    def __init__(self, text):
        page = self
        self.text = text

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = page.text.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class PayTable:
    """A pay table with the count of hands of each row, from the published figures."""

    def __init__(self, name):
        tables = json.loads((ROOT / "tests/vectors/published-bets.json").read_text())["tables"]
        table = next(table for table in tables if table["id"] == name)
        self.bet = table["bet"]
        self.all = math.comb(53, table["cards"])
        self.rows = [(1 if row["pays"] == "push" else fractions.Fraction(row["pays"]) + 1, row["hands"])
                     for row in table["rows"]]
        self.expected = sum(pays * hands for pays, hands in self.rows) / self.all
        squares = sum(pays * pays * hands for pays, hands in self.rows) / fractions.Fraction(self.all)
        self.deviation = math.sqrt(squares - fractions.Fraction(self.expected) ** 2)

    def draw(self, wagers, seed, mercy=0.0):
        """Returns what `wagers` wagers of one unit give back; `mercy`: the share of losing
        ones that get their stake and as much again."""
        chance = random.Random(seed)
        counts = [hands for _, hands in self.rows]
        pays = [float(pays) for pays, _ in self.rows] + [0.0]
        drawn = chance.choices(pays, [*counts, self.all - sum(counts)], k=wagers)
        return sum(2.0 if not paid and chance.random() < mercy else paid for paid in drawn)


STAKE = 100  # minor units


def feed(ruleset, bet, theory, wagers, returned):
    """Returns the page of an exporter with the money of one bet, under the server's names."""
    labels = f'paigow_ruleset_id="{ruleset}",paigow_bet="{bet}"'
    money = f'{labels},paigow_currency="USD"'
    lines = [
        f"paigow_wagers_total{{{money}}} {wagers}",
        f"paigow_stake_total{{{money}}} {wagers * STAKE}",
        f"paigow_return_total{{{money}}} {returned * STAKE}",
        f"paigow_stake_squares_total{{{money}}} {wagers * STAKE * STAKE}",
    ]
    if theory:
        lines += [f"paigow_bet_return_expected{{{labels}}} {float(theory.expected)!r}",
                  f"paigow_bet_return_deviation{{{labels}}} {theory.deviation!r}"]
    return "".join(f"{line}\n" for line in lines)


def feeds():
    """Returns feeds by name: before and after their wagers, and whether they must trip."""
    table = PayTable("express-protection")
    many = 400_000
    fair, biased = table.draw(many, seed=1), table.draw(many, seed=1, mercy=0.05)
    few = table.draw(5_000, seed=2, mercy=0.5)
    return {
        name: (feed(name, table.bet, theory, 0, 0.0), feed(name, table.bet, theory, wagers, returned), trips)
        for name, theory, wagers, returned, trips in (
            ("feed-fair", table, many, fair, False),
            ("feed-biased", table, many, biased, True),
            ("feed-few", table, 5_000, few, False),
            ("feed-no-theory", None, many, biased, False))}


# The run

def play(lab, server, ruleset, rounds, transcript=None):
    command = [lab, "play", "--server", f"http://{server.address}", "--ruleset", ruleset,
               "--rounds", str(rounds), "--quiet"]
    if transcript:
        command += ["--transcript", str(transcript)]
    played = subprocess.run(command, capture_output=True, text=True, timeout=300)
    check(played.returncode == 0, f"play: {played.stderr}")


def of_another_engine(ticket, keyring):
    """Returns a ticket as another outcome engine would have signed it with the same key."""
    envelope = json.loads(ticket.envelope)
    payload = base64.b64decode(envelope["payload"]).replace(b'"engine":"pge-1"', b'"engine":"pge-2"')
    file, = keyring.glob("receipt-*.key")
    secret = re.search(r"^secret (\w+)$", file.read_text(), re.M)[1]
    kind = envelope["payloadType"].encode()
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
    signature = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)).sign(signed)
    envelope["payload"] = base64.b64encode(payload).decode()
    envelope["signatures"][0]["sig"] = base64.b64encode(signature).decode()
    return pb.Record(envelope=json.dumps(envelope, separators=(",", ":")).encode())


def refuse(server):
    """Makes calls that the server refuses: one malformed, one at a gate, one of another engine."""
    with grpc.insecure_channel(server.address) as channel:
        engine = api.PaiGowServiceStub(channel)
        place = pb.OpenRoundRequest(table="t", round_no=1, ruleset="mikes")
        foreign = of_another_engine(engine.OpenRound(place).ticket, server.keyring)
        for call, request, wanted in (
                (engine.OpenRound, pb.OpenRoundRequest(table="t", round_no=0, ruleset="no such"), "NUMBER_RANGE"),
                (engine.OpenRound, pb.OpenRoundRequest(table="t", round_no=1, ruleset="mikes", manifest="ab" * 32),
                 "MANIFEST_UNKNOWN"),
                (engine.Deal, pb.DealRequest(ticket=foreign, sheet=deal_request("t", 1).sheet), "ENGINE_NOT_HERE")):
            try:
                call(request)
            except grpc.RpcError as error:
                check(reason(error) == wanted, f"refused with {reason(error)}, not {wanted}: {error.details()}")
                continue
            raise Failed("the server takes anything")


def set_by_a_player(server, round_no):
    with grpc.insecure_channel(server.address) as channel:
        engine = api.PaiGowServiceStub(channel)
        dealt = engine.Deal(deal_request("players", round_no))
        request = settle_request(dealt)
        # The first two cards may make a foul. The house way gives two that make none.
        hand, = engine.SetHouseWay(pb.SetHouseWayRequest(
            hands=[pb.Hand(cards=dealt.hands[0].cards)], ruleset="mikes")).settings
        request.decisions[0].low.cards[:] = hand.low
        engine.Settle(request)


def set_hands(server):
    with grpc.insecure_channel(server.address) as channel:
        hand = pb.Hand(cards=["As", "2s", "3s", "4s", "5s", "Ah", "Qh"])
        api.PaiGowServiceStub(channel).SetHouseWay(pb.SetHouseWayRequest(hands=[hand], house_way="mikes"))


class Strained:
    """A second server, which refuses what the first one does not: it knows its callers, limits
    them, cannot write its evidence, and has been given a bad file to read."""

    ACCESS = """
[[tenants]]
tenant = "dev"
calls_per_second = 4
burst = 4
[[tenants.clients]]
name = "tables"
roles = ["table"]
token_sha256 = "{tables}"
[[tenants.clients]]
name = "auditors"
roles = ["auditor"]
token_sha256 = "{auditors}"
[[tenants]]
tenant = "dev-locked"
[[tenants.clients]]
name = "strangers"
roles = ["table"]
token_sha256 = "{strangers}"
"""

    def __init__(self, binary, folder):
        self.evidence, self.access = folder / "evidence", folder / "access.toml"
        self.evidence.mkdir(parents=True)
        hashes = {name: hashlib.sha256(name.encode()).hexdigest()
                  for name in ("tables", "auditors", "strangers")}
        self.access.write_text(self.ACCESS.format(**hashes))
        self.faults = 0
        self.metrics = f"127.0.0.1:{free_port()}"
        self.server = Server(binary, folder, {
            "telemetry.prometheus_listen": self.metrics, "access.file": self.access,
            "evidence.target": "file", "evidence.directory": self.evidence,
            # The limit on files is for the evidence.
            "log.filter": "off"}, inherit=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))

    def start(self, other):
        """Starts it with the keyring of another server, one of whose rounds it knows then."""
        shutil.copytree(other.keyring, self.server.keyring)
        self.server.start()
        with grpc.insecure_channel(other.address) as channel:
            self.dealt = api.PaiGowServiceStub(channel).Deal(deal_request("other", 1))
        # From here on no file of this process grows beyond what the evidence has now.
        full = max(file.stat().st_size for file in self.evidence.iterdir())
        pid = self.server.process.pid
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))

    def refuse(self):
        """Gets forbidden calls, more calls than it allows, and a bad file."""
        self.faults += 1
        self.access.write_text(f"fault {self.faults}\n")
        with grpc.insecure_channel(self.server.address) as channel:
            engine = api.PaiGowServiceStub(channel)
            deal = deal_request("strained", 1)
            self.is_refused(engine.Deal, deal, None, {"CREDENTIALS"})
            self.is_refused(engine.Deal, deal, "auditors", {"ROLE", "TENANT_RATE"})
            self.is_refused(engine.Settle, settle_request(self.dealt), "strangers", {"TENANT"})
            for _ in range(8):
                self.is_refused(engine.Deal, deal, "tables", {"NOT_RECORDED", "TENANT_RATE"})

    def is_refused(self, call, request, token, expected):
        caller = [("authorization", f"Bearer {token}")] if token else []
        try:
            call(request, metadata=caller)
        except grpc.RpcError as error:
            check(reason(error) in expected,
                  f"{token} is refused with {reason(error)}: {error.details()} {self.server.tail()}")
            return
        raise Failed(f"{token} is not refused")


def careless(binary, folder, metrics):
    """Returns a server that answers without its evidence, in a folder that is soon full."""
    evidence = folder / "evidence"
    evidence.mkdir(parents=True)
    return Server(binary, folder, {
        "telemetry.prometheus_listen": metrics, "evidence.target": "file", "evidence.directory": evidence,
        "evidence.fail_closed": False, "evidence.folder_bytes": 1 << 20, "log.filter": "off"})


def fill_up(server):
    """Deals more rounds than wait for the disk: the lines of the others are dropped."""
    with grpc.insecure_channel(server.address) as channel:
        engine = api.PaiGowServiceStub(channel)
        for first in range(1, 10_001, 100):
            calls = [engine.Deal.future(deal_request("careless", number)) for number in range(first, first + 100)]
            for call in calls:
                call.result()


def with_tls(binary, folder, metrics):
    """Returns a third server, which has a certificate. Nobody makes a call at it."""
    folder.mkdir()
    certificate, key = folder / "tls.crt", folder / "tls.key"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", key, "-out", certificate], capture_output=True, text=True, timeout=60)
    check(made.returncode == 0, f"openssl: {made.stderr}")
    return Server(binary, folder, {
        "telemetry.prometheus_listen": metrics, "tls.certificate_file": certificate,
        "tls.key_file": key, "server.health_listen": f"127.0.0.1:{free_port()}"})


def fail_a_handshake(secure):
    """Sends bytes that are not TLS to the server with a certificate, and waits until it disconnects."""
    with socket.create_connection(("127.0.0.1", secure.port), timeout=20) as peer:
        peer.sendall(b"GET / HTTP/1.1\r\n\r\n")
        while peer.recv(1024):
            pass


def audit(server, transcript):
    """Has a transcript audited as it is, and with the first signature of its last record altered."""
    whole = transcript.read_bytes()
    *before, last = whole.splitlines()
    record = json.loads(last)
    signature = record["signatures"][0]["sig"]
    record["signatures"][0]["sig"] = ("B" if signature[0] == "A" else "A") + signature[1:]
    forged = b"".join(line + b"\n" for line in [*before, json.dumps(record, separators=(",", ":")).encode()])
    with grpc.insecure_channel(server.address) as channel:
        engine = api.PaiGowServiceStub(channel)
        for sent, verdict in ((whole, pb.VERDICT_PENDING), (forged, pb.VERDICT_MISMATCH)):
            answer = engine.Audit(pb.AuditRequest(transcript=sent))
            check(answer.checks, "the audit checked nothing")
            check(answer.verdict == verdict, f"an audit said {pb.Verdict.Name(answer.verdict)}: {answer.checks}")


def run(arguments, folder):
    queries = [(f"{uid}, {panel}", filled(query)) for uid, panel, query in dashboard_queries()]
    all_rules = rules()
    recorded = {rule["record"] for rule in all_rules if "record" in rule}
    names = [(f"rule {rule.get('alert') or rule['record']}", rule["expr"]) for rule in all_rules]
    reopens = [name for name, query in names if "paigow_sink_reopens" in query]
    check(not reopens, f"an honest operator may open a round again, and is not called for it: {reopens}")
    check_names(queries + names, recorded)
    check_reasons(queries + names)

    metrics = f"127.0.0.1:{free_port()}"
    evidence = folder / "evidence"
    evidence.mkdir()
    server = Server(arguments.server, folder / "server", {
        "telemetry.prometheus_listen": metrics,
        # No collector listens there: calls are sampled, and their traces dropped.
        "telemetry.otlp_endpoint": f"http://127.0.0.1:{free_port()}", "telemetry.otlp_timeout_ms": 100,
        "evidence.target": "file", "evidence.directory": str(evidence), "evidence.shipped": True})
    strained = Strained(arguments.server, folder / "strained")
    encrypted = f"127.0.0.1:{free_port()}"
    secure = with_tls(arguments.server, folder / "secure", encrypted)
    heedless = f"127.0.0.1:{free_port()}"
    dropping = careless(arguments.server, folder / "careless", heedless)
    prepared = feeds()
    pages = {name: Page(before) for name, (before, _, _) in prepared.items()}
    sink = Page("")
    monitored = f"127.0.0.1:{free_port()}"
    prometheus = monitor = None
    try:
        server.start()
        monitor = watch(arguments, server, folder, monitored)
        strained.start(server)
        secure.start()
        dropping.start()
        prometheus = Prometheus(arguments.prometheus, folder, {
            "paigow": [metrics, strained.metrics, heedless], "feeds": [page.address for page in pages.values()],
            "sink": [sink.address], "log": [monitored], # As a PodMonitor names a job.
            "casino/paigow": [encrypted]})
        # Every series of the feeds has been seen at zero before it grows.
        wait_until(lambda: len(prometheus.query('paigow_stake_total{paigow_ruleset_id=~"feed-.*"} == 0')) == len(pages),
                   "the feeds are scraped")
        for name, (_, after, _) in prepared.items():
            pages[name].text = after

        fill_up(dropping)
        transcript = folder / "round.jsonl"
        play_everything(arguments, server, transcript, evidence, folder, sink)
        evaluate(arguments, server, strained, secure, transcript, prometheus, queries, all_rules)
        is_well(prometheus, metrics, queries)
        lead_to_traces(prometheus)
        compare_theory(prometheus)
        trip(prometheus, prepared)
        print(f"{len(RULESETS)} games played, {len(queries)} dashboard queries and {len(all_rules)} rules evaluated; "
              "the biased feed tripped the alert on returns, the fair one did not")
    finally:
        if prometheus:
            prometheus.stop()
        if monitor:
            monitor.kill()
        server.stop()
        strained.server.stop()
        secure.stop()
        dropping.stop()


def watch(arguments, server, folder, address):
    """Starts a monitor of a public log, which the development keyring does not have: its figures say so."""
    (folder / "log").mkdir()
    return subprocess.Popen(
        [arguments.lab, "monitor", "--log", f"file://{folder / 'log'}", "--manifests", server.keyring / "manifests.jsonl",
         "--root", server.keyring / "root.json", "--every", "1", "--listen", address], stdout=subprocess.DEVNULL)


RULESETS = ("express", "mania", "mikes", "mini-b", "online")


def play_everything(arguments, server, transcript, evidence, folder, sink):
    """Plays each game, so that every series exists; verifies the sink."""
    for ruleset in RULESETS:
        play(arguments.lab, server, ruleset, 20, transcript if ruleset == "mikes" else None)
    refuse(server)
    figures = folder / "paigow_sink.prom"
    verified = subprocess.run(
        [arguments.lab, "sink", "verify", str(evidence), "--prometheus", str(figures)],
        capture_output=True, text=True, timeout=120)
    # 2: nothing is wrong and something is open, the server for one.
    check(verified.returncode in (0, 2), f"sink verify: {verified.stdout}{verified.stderr}")
    sink.text = figures.read_text()


def evaluate(arguments, server, strained, secure, transcript, prometheus, queries, all_rules):
    """Asks every query until it has an answer; keeps playing, since a rate needs two."""
    asked = {selector for rule in all_rules for selector in selectors(rule["expr"])}
    late = {selector for selector in asked if selector[0].endswith("30d") or selector[0] in WITHOUT_VALUE}
    left = set(queries)
    left |= {("selector of a rule", evidence_of(selector)) for selector in asked - late}
    left |= {(f"alert {rule['alert']}", always(rule["expr"])) for rule in all_rules
             if rule.get("alert") and rule["alert"] not in SILENT}
    turns = itertools.count(1)

    def answered():
        turn = next(turns)
        play(arguments.lab, server, RULESETS[turn % len(RULESETS)], 5)
        set_by_a_player(server, turn)
        refuse(server)
        set_hands(server)
        audit(server, transcript)
        strained.refuse()
        fail_a_handshake(secure)
        for one in list(left):
            if prometheus.query(one[1]):
                left.discard(one)
        return not left

    try:
        wait_until(answered, "", limit=300)
    except Failed as failed:
        missing = "".join(f"\n{where}: {query}" for where, query in sorted(left))
        raise Failed(f"{failed}\nno data so far for:{missing}") from None
    for rule in all_rules:
        prometheus.query(rule["expr"])
    for name, what in IMPOSSIBLE.items():
        seen = prometheus.query(f'paigow_requests_refused_total{{paigow_reason="{name}"}} > 0')
        check(not seen, f"{name} has come about: {seen}")
        print(f"not brought about: {name}: it takes {what}")
    print(f"no series here: {', '.join(sorted(map(written, late)))}: taken at whole hours")
    for alert, why in SILENT.items():
        print(f"no value here: {alert}: {why}")
    groups = prometheus.get("rules")["groups"]
    bad = [f"{rule['name']}: {rule['lastError']}" for group in groups for rule in group["rules"]
           if rule.get("lastError")]
    check(not bad, f"rules fail: {bad}")
    # The API's own list of the values of a dashboard's variables.
    for label in ("paigow_ruleset_id", "paigow_bet", "paigow_currency"):
        check(prometheus.get(f"label/{label}/values"), f"no values of {label}")


def is_well(prometheus, instance, queries):
    """Metrics that must stay at zero exist, and are zero, on the healthy server."""
    query = next(query for where, query in queries if where == "paigow-fairness, Refused by the engine itself")
    reasons = alternatives(re.search(r'paigow_reason=~"([^"]*)"', query)[1])
    found = prometheus.all_of(query.replace("{", f'{{instance="{instance}",', 1), len(reasons))
    check({labels["paigow_reason"] for labels, _ in found} == set(reasons), f"{query}: {found}")
    check(not any(value for _, value in found), f"a healthy server: {found}")
    # The other one cannot write its evidence, which is seen.
    wait_until(lambda: any(value for _, value in prometheus.query(query)), f"something of {query}")


def lead_to_traces(prometheus):
    """The buckets of the duration of calls have exemplars, each with the id of a trace."""
    found = prometheus.get("query_exemplars", start=0, end=2_000_000_000,
                           query='rpc_server_call_duration_seconds_bucket{rpc_method=~".*/Deal"}')
    traces = {exemplar["labels"]["trace_id"] for series in found for exemplar in series["exemplars"]}
    check(traces and all(re.fullmatch("[0-9a-f]{32}", trace) for trace in traces), f"no exemplars: {found}")


def compare_theory(prometheus):
    """The engine's exact figures are those computed here from the published counts."""
    for name, ruleset in (("express-protection", "express"), ("express-queens-dragon", "express"),
                          ("mikes-outlaw-9", "mikes"), ("mania-pai-gow-bonus", "mania")):
        table = PayTable(name)
        which = f'{{paigow_ruleset_id="{ruleset}",paigow_bet="{table.bet}",job="paigow"}}'
        for metric, figure in (("expected", float(table.expected)), ("deviation", table.deviation)):
            found = prometheus.all_of(f"paigow_bet_return_{metric}{which}", 3)
            check(len(found) == 3 and all(math.isclose(one, figure, rel_tol=1e-9) for _, one in found),
                  f"{metric} of {name}: {found}, not {figure}")


def trip(prometheus, prepared):
    must = {name for name, (_, _, trips) in prepared.items() if trips}

    def seen():
        """All four have been taken into the figures that the alert looks at."""
        counted = prometheus.query('paigow:stake:increase1d{paigow_ruleset_id=~"feed-.*"} > 0')
        return len(counted) == len(prepared) and prometheus.firing("PaigowReturnOffExpectedDay")

    fired = wait_until(seen, "the alert on returns fires")
    rulesets = {labels["paigow_ruleset_id"] for labels in fired}
    check(rulesets == must, f"tripped: {sorted(rulesets)}, not {sorted(must)}")
    of_feeds = 'paigow:return_z:1d{paigow_ruleset_id=~"feed-.*"}'
    scores = {labels["paigow_ruleset_id"]: value for labels, value in prometheus.all_of(of_feeds, 3)}
    check(abs(scores["feed-fair"]) < 4 and scores["feed-biased"] > 6 and scores["feed-few"] > 6
          and "feed-no-theory" not in scores, f"z-scores: {scores}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, type=pathlib.Path)
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    parser.add_argument("--prometheus", type=pathlib.Path, default=ROOT / "target/tools/bin/prometheus")
    arguments = parser.parse_args()
    arguments.lab = arguments.lab.resolve()
    with tempfile.TemporaryDirectory() as folder:
        common.main(lambda: run(arguments, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
