"""One round as a platform plays it: over TLS, with deadlines, retries and error details.

    python examples/python/round.py --server localhost:50051 --ca ca.pem --transcript round.jsonl

Any number of replicas may stand behind the name; several may be named instead, as
ipv4:10.0.0.1:50051,10.0.0.2:50051 with --server-name. A call may be repeated as it was, here or
at another replica: the same request gets the same records. A server in production wants a certificate or a token:
--certificate and --key, or --token-file.
"""
import argparse
import pathlib
import sys
import time

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "proto"))
pb, api = grpc.protos_and_services("paigow/v1/paigow_service.proto")

DEADLINE = 2.0
# How long one step of a round may take in all, over every repetition.
PATIENCE = 30.0
AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


class Refused(Exception):
    """A refusal of the engine: its reason, every field of bad input, and when to try again if it states that."""

    def __init__(self, error):
        self.code, self.reason, self.fields, self.wait = error.code(), "", [], None
        status = rpc_status.from_call(error)
        for detail in status.details if status else ():
            info, bad, retry = (error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(),
                                error_details_pb2.RetryInfo())
            if detail.Unpack(info) and info.domain == "paigow.v1":
                self.reason = info.reason
            elif detail.Unpack(bad):
                self.fields = [(violation.field, violation.description) for violation in bad.field_violations]
            elif detail.Unpack(retry):
                self.wait = retry.retry_delay.ToNanoseconds() / 1e9
        fields = "".join(f"\n  {field}: {what}" for field, what in self.fields)
        super().__init__(f"{self.code.name} {self.reason}: {error.details()}{fields}")


def channel(options):
    settings = [("grpc.service_config", (ROOT / "deploy/client/service-config.json").read_text()),
                ("grpc.max_reconnect_backoff_ms", 1000)]
    if options.server_name:
        settings.append(("grpc.ssl_target_name_override", options.server_name))
    if options.plaintext:
        return grpc.insecure_channel(options.server, settings)
    ca, key, certificate = (file.read_bytes() if file else None
                            for file in (options.ca, options.key, options.certificate))
    credentials = grpc.ssl_channel_credentials(ca, key, certificate)
    if options.token_file:
        # `authorization: Bearer ...` with every call; gRPC itself sends it over TLS alone.
        token = grpc.access_token_call_credentials(options.token_file.read_text().rstrip())
        credentials = grpc.composite_channel_credentials(credentials, token)
    return grpc.secure_channel(options.server, credentials, settings)


def call(method, request):
    """Calls until there is an answer or a refusal. The request is the same each time."""
    ends = time.monotonic() + PATIENCE
    pause = 0.05
    while True:
        try:
            return method(request, timeout=DEADLINE)
        except grpc.RpcError as error:
            refused = Refused(error)
            # UNKNOWN or INTERNAL without a reason: the server died while it sent the response.
            torn = not refused.reason and refused.code in (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL,
                                                           grpc.StatusCode.CANCELLED)
            # A caller above its limits gets a time to wait. Without one it is a limit of another kind.
            above = refused.code == grpc.StatusCode.RESOURCE_EXHAUSTED and refused.wait is not None
            wait = max(pause, refused.wait or 0)
            if not (refused.code in AGAIN or torn or above) or time.monotonic() + wait > ends:
                raise refused from None
            time.sleep(wait)
            pause = min(1.0, 2 * pause)


def play(engine, table, round_no, between):
    dealt = call(engine.Deal, pb.DealRequest(
        open=pb.OpenRoundRequest(table=table, round_no=round_no, ruleset="express"),
        sheet=pb.WagerSheet(
            currency=pb.Currency(code="USD", exponent=2),
            wagers=[pb.Wager(seat=1, bet="base", amount_minor=25_00),
                    pb.Wager(seat=1, bet="dynasty", amount_minor=5_00),
                    pb.Wager(seat=4, bet="base", amount_minor=100_00)])))
    for hand in dealt.hands:
        print("seat", hand.seat, *hand.cards)
    between()
    settled = call(engine.Settle, pb.SettleRequest(
        records=dealt.records,
        decisions=[pb.Decision(seat=1, house_way=True), pb.Decision(seat=4, house_way=True)]))
    for seat in settled.seats:
        print("seat", seat.seat, pb.Outcome.Name(seat.base.outcome), "net", seat.net_minor)
    return [*dealt.records, *settled.records]


def manifests(engine):
    """All manifests, page by page: a transcript begins with them."""
    chain, after = [], 0
    while True:
        page = call(engine.ListManifests, pb.ListManifestsRequest(after_sequence=after))
        chain, after = chain + list(page.manifests), page.next_after_sequence
        if not after:
            return chain


def wait_for_a_line():
    """For tests: a test acts on the servers now, between the two calls."""
    print("dealt", flush=True)
    sys.stdin.readline()


DEFAULT = "[default: %(default)s]"


def arguments(description, add):
    """The options of a client: those of the connection, and what `add` adds to the parser."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    file = {"type": pathlib.Path, "metavar": "FILE"}
    parser.add_argument("--server", metavar="ADDRESS", default="localhost:50051", help=DEFAULT)
    parser.add_argument("--server-name", metavar="NAME", help="the name in the certificate, where addresses are given")
    parser.add_argument("--ca", **file, help="the authority of the server's certificate (PEM); default: those of the system")
    parser.add_argument("--certificate", **file, help="the caller's certificate (PEM)")
    parser.add_argument("--key", **file, help="the key of that certificate (PEM)")
    parser.add_argument("--token-file", **file, help="the caller's bearer token")
    parser.add_argument("--plaintext", action="store_true", help="no TLS")
    parser.add_argument("--table", metavar="NAME", default="python", help=DEFAULT)
    add(parser)
    options = parser.parse_args()
    if bool(options.certificate) != bool(options.key):
        parser.error("--certificate and --key go together")
    if options.plaintext and (options.certificate or options.token_file):
        parser.error("--certificate and --token-file need TLS: leave out --plaintext")
    return options


def add(parser):
    parser.add_argument("--round", metavar="N", type=int, default=1, help=DEFAULT)
    parser.add_argument("--transcript", metavar="FILE", type=pathlib.Path, default="round.jsonl", help=DEFAULT)
    parser.add_argument("--wait", action="store_true", help="wait for a line on the standard input after the deal")


def main():
    options = arguments(__doc__, add)
    try:
        with channel(options) as connected:
            engine = api.PaiGowServiceStub(connected)
            records = play(engine, options.table, options.round, wait_for_a_line if options.wait else lambda: None)
            chain = manifests(engine)
    except (Refused, OSError) as failed:
        sys.exit(f"round.py: {failed}")
    options.transcript.write_bytes(b"".join(record.envelope + b"\n" for record in [*chain, *records]))


if __name__ == "__main__":
    main()
