"""A round over HTTP with JSON, by plain curl through Envoy's transcoder.

    json_over_http.py --server paigow-server --lab paigow-lab

The Envoy of the compose stack has a port where JSON comes in: POST, the path of a method, the request as the
JSON of proto3. Must hold: a round is dealt and settled, whoever has no gRPC; an error is `google.rpc.Status`
as JSON, with the reason, its metadata and the violations; a stream and other paths are not offered.
"""
import argparse
import base64
import json
import pathlib
import subprocess
import tempfile

from behind_proxies import Envoy
from common import SERVICE, Server, check, lab, main


def curl(url, body, *options):
    """Posts JSON; returns the status of HTTP, the headers and the answer."""
    ran = subprocess.run(["curl", "--silent", "--show-error", "--max-time", "20", "--include", "--data", "@-",
                          "--header", "content-type: application/json", *options, url],
                         input=json.dumps(body), capture_output=True, text=True)
    check(ran.returncode == 0, f"curl answers: {ran.stderr}")
    head, _, answer = ran.stdout.replace("\r\n", "\n").partition("\n\n")
    first, *lines = head.splitlines()
    headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
    is_json = headers.get("content-type", "").startswith("application/json")
    return int(first.split()[1]), headers, json.loads(answer) if is_json else answer


def run():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, help="the program paigow-server")
    parser.add_argument("--lab", required=True, help="the program paigow-lab")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="paigow-json-") as folder:
        home = pathlib.Path(folder)
        servers = [Server(options.server, home / "server-1", {"server.drain_ms": 0}).start()]
        for number in (2, 3):
            servers.append(Server(options.server, home / f"server-{number}", {"server.drain_ms": 0},
                                  keyring=servers[0].keyring).start())
        envoy = Envoy(home / "envoy", [server.port for server in servers])
        try:
            holds(options, f"http://127.0.0.1:{envoy.json}", servers[0].keyring, home)
        finally:
            envoy.stop()
            for server in servers:
                server.stop()


def holds(options, address, keyring, home):
    ask = lambda method, body, *more: curl(f"{address}/{SERVICE}/{method}", body, *more)
    deal = {"open": {"table": "curl", "roundNo": "1", "ruleset": "express"},
            "sheet": {"currency": {"code": "USD", "exponent": 2},
                      "wagers": [{"seat": 1, "bet": "base", "amountMinor": "2500"}]}}
    status, headers, dealt = ask("Deal", deal, "--header", "x-request-id: from-curl")
    check(status == 200 and len(dealt["hands"][0]["cards"]) == 7, f"the round is dealt: {status} {dealt}")
    check(headers.get("x-request-id") == "from-curl", f"the call is named as its caller names it: {headers}")
    status, _, settled = ask("Settle", {"records": dealt["records"], "decisions": [{"seat": 1, "houseWay": True}]})
    check(status == 200, f"the round is settled: {status} {settled}")
    nets = sum(int(net) for net in (settled["bank"]["netMinor"], settled["seats"][0]["netMinor"],
                                    settled["houseNetMinor"]))
    check(nets == 0 and len(settled["deck"]) == 53, f"the money adds up: {settled}")
    _, _, chain = ask("ListManifests", {"pageSize": 1000})
    records = [*chain["manifests"], *dealt["records"], *settled["records"]]
    transcript = home / "round.jsonl"
    transcript.write_bytes(b"".join(base64.b64decode(record["envelope"]) + b"\n" for record in records))
    # 3: all agrees, and the secret of the epoch is not in the file.
    lab(options.lab, "audit", transcript, "--root", keyring / "root.json", may_end_with=(3,))

    deal["sheet"]["wagers"][0]["amountMinor"] = "0"
    status, _, refused = ask("Deal", deal)
    check(status == 400 and "details" in refused, f"the error has details: {status} {refused}")
    details = {detail["@type"].rsplit(".", 1)[1]: detail for detail in refused["details"]}
    info, violation = details["ErrorInfo"], details["BadRequest"]["fieldViolations"][0]
    check((status, info["reason"], info["domain"]) == (400, "AMOUNT_LIMIT", "paigow.v1"), f"the reason: {refused}")
    check(info["metadata"]["bet"] == "base" and info["metadata"]["minimum"] == "1", f"its metadata: {info}")
    check((violation["field"], violation["reason"]) == ("sheet.wagers[0].amount_minor", "AMOUNT_LIMIT"),
          f"the field: {violation}")
    # The caller can correct the request with it.
    deal["sheet"]["wagers"][0]["amountMinor"] = info["metadata"]["minimum"]
    status, _, again = ask("Deal", deal)
    check(status == 200, f"the least amount is taken: {again}")
    for path in ("AuditStream", "NoSuchMethod"):
        status, _, _ = curl(f"{address}/{SERVICE}/{path}", {})
        check(status == 404, f"{path} is not offered: {status}")
    status, _, _ = curl(f"{address}/grpc.health.v1.Health/Check", {})
    check(status == 404, f"nothing else is offered: {status}")
    print("a round by curl is dealt, settled and audited; an error is read from its metadata")


if __name__ == "__main__":
    main(run)
