"""How many bytes of evidence a round takes: OpenRound, Deal and Settle, two seats.

    python benches/evidence_bytes.py PROGRAM...

Each PROGRAM is a `paigow-server`, such as the previous build and the present one. Prints the growth of
its folder over 200 rounds, per round.
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/operations"))
import grpc  # noqa: E402
from common import Server, api, deal_request, main, open_request, pb, settle_request  # noqa: E402

ROUNDS = 200


def size(folder):
    return sum(file.stat().st_size for file in folder.iterdir())


def measure(program, home):
    evidence = home / "evidence"
    evidence.mkdir()
    server = Server(program, home / "server", {"evidence.target": "file", "evidence.directory": evidence})
    try:
        server.start()
        before = size(evidence)
        with grpc.insecure_channel(server.address) as channel:
            engine = api.PaiGowServiceStub(channel)
            for number in range(1, ROUNDS + 1):
                ticket = engine.OpenRound(open_request("table", number)).ticket
                dealt = engine.Deal(pb.DealRequest(ticket=ticket, sheet=deal_request("table", number).sheet))
                engine.Settle(settle_request(dealt))
        print(f"{program}: {(size(evidence) - before) / ROUNDS:.0f} bytes a round")
    finally:
        server.stop()


def run():
    for program in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as home:
            measure(program, pathlib.Path(home))


if __name__ == "__main__":
    main(run)
