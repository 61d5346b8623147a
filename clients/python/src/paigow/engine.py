"""The connection to the engine: TLS, deadlines, retries, typed refusals."""
import json
import logging
import pathlib
import random
import time

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from .errors import NoAnswer, Refused
from .v1 import paigow_service_pb2 as pb
from .v1 import paigow_service_pb2_grpc as api

SERVICE = "paigow.v1.PaiGowService"
# The published service config: gRPC takes the replicas in turn, and repeats a call at another one.
SERVICE_CONFIG = json.dumps({
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [{
        "name": [{"service": SERVICE}],
        "retryPolicy": {"maxAttempts": 4, "initialBackoff": "0.05s", "maxBackoff": "1s", "backoffMultiplier": 2,
                        "retryableStatusCodes": ["UNAVAILABLE"]}}]})
AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
# Without a reason these mean that the server died while it sent the response.
TORN = {grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.CANCELLED}

_LOG = logging.getLogger("paigow")


def _read(file):
    return pathlib.Path(file).read_bytes() if file else None


class Engine:
    """A connection to one or more replicas.

    ``address`` is ``host:port``, or ``ipv4:10.0.0.1:50051,10.0.0.2:50051`` with ``server_name``.
    ``ca``, ``certificate`` and ``key`` are PEM files; ``token`` is a bearer token. ``deadline`` is
    the time of one call and ``patience`` that of all its repetitions, in seconds.
    """

    def __init__(self, address, *, ca=None, certificate=None, key=None, token=None, server_name=None,
                 plaintext=False, deadline=2.0, patience=30.0):
        self.deadline, self.patience = deadline, patience
        options = [("grpc.service_config", SERVICE_CONFIG), ("grpc.max_reconnect_backoff_ms", 1000)]
        if server_name:
            options.append(("grpc.ssl_target_name_override", server_name))
        if plaintext:
            if token or certificate:
                raise ValueError("token and certificate need TLS")
            self._channel = grpc.insecure_channel(address, options)
        else:
            credentials = grpc.ssl_channel_credentials(_read(ca), _read(key), _read(certificate))
            if token:
                call = grpc.access_token_call_credentials(token.strip())
                credentials = grpc.composite_channel_credentials(credentials, call)
            self._channel = grpc.secure_channel(address, credentials, options)
        self.stub = api.PaiGowServiceStub(self._channel)

    def close(self):
        self._channel.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, request):
        """Calls ``method``, as ``"Deal"``, until there is an answer or a refusal.

        The request is the same each time, so a repeated call is answered as the first one.
        Logs the first repetition as a warning. Raises ``Refused`` or ``NoAnswer``.
        """
        ends, pause, call = time.monotonic() + self.patience, 0.05, getattr(self.stub, method)
        while True:
            try:
                return call(request, timeout=self.deadline)
            except grpc.RpcError as error:
                refused = refusal(error)
                is_torn = not refused.reason and refused.code in TORN
                is_busy = refused.code == grpc.StatusCode.RESOURCE_EXHAUSTED and refused.retry_after is not None
                if not (refused.code in AGAIN or is_torn or is_busy):
                    raise refused from None
                wait = max(pause * random.uniform(0.5, 1), refused.retry_after or 0)
                if time.monotonic() + wait > ends:
                    raise NoAnswer(f"{method}: {refused}") from None
                if pause == 0.05:
                    _LOG.warning("%s has no answer yet (%s): the client repeats it for %g s", method, refused,
                                 self.patience)
                time.sleep(wait)
                pause = min(1.0, 2 * pause)

    def state(self):
        """Returns the engine's description of itself: policy, manifest, open epochs."""
        return self.call("GetEngine", pb.GetEngineRequest())

    def manifests(self, after=0):
        """Returns the signed manifests after a sequence number, oldest first."""
        found = []
        while True:
            page = self.call("ListManifests", pb.ListManifestsRequest(after_sequence=after))
            found, after = found + list(page.manifests), page.next_after_sequence
            if not after:
                return found


def refusal(error):
    """Returns the refusal in an error of gRPC."""
    reason, metadata, fields, retry_after = "", {}, [], None
    status = rpc_status.from_call(error)
    for detail in status.details if status else ():
        info, bad, retry = (error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(),
                            error_details_pb2.RetryInfo())
        if detail.Unpack(info) and info.domain == "paigow.v1":
            reason, metadata = info.reason, dict(info.metadata)
        elif detail.Unpack(bad):
            fields = [(violation.field, violation.description) for violation in bad.field_violations]
        elif detail.Unpack(retry):
            retry_after = retry.retry_delay.ToNanoseconds() / 1e9
    return Refused(error.code(), reason, error.details(), fields, metadata, retry_after)
