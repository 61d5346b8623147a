"""Connections that grow old under load: the server closes them, and no caller notices.

    old_connections.py --server paigow-server

Callers with the published retry policy, each on one channel straight to one server, play while
every connection is told to go (GOAWAY) when it is a second old. Must hold, until each caller has
been told so five times: no call fails, and a question that is asked again has the same answer.
"""
import argparse
import pathlib
import tempfile

import grpc

from common import Calls, Server, Worker, check, connect, deal_request, main, wait_until

CALLERS = 4
# How often each caller is asked to reconnect.
TIMES = 5


class Caller:
    """Plays on one channel, and counts how often that lost its connection."""

    def __init__(self, address, table):
        self.channel, self.table = connect(address), table
        self.calls, self.gone, self.is_over, self.is_connected = 0, 0, False, False
        self.channel.subscribe(self.told)
        self.worker = Worker(self.play)

    def told(self, state):
        # A channel that is asked to reconnect has no connection until the next one is made.
        self.gone += self.is_connected and state != grpc.ChannelConnectivity.READY
        self.is_connected = state == grpc.ChannelConnectivity.READY

    def play(self):
        calls = Calls(self.channel)
        while not self.is_over:
            question = deal_request(self.table, self.calls + 1).SerializeToString()
            answers = {calls.raw("Deal", question) for _ in range(2)}
            check(len(answers) == 1, f"round {self.calls + 1} of {self.table} has two answers")
            self.calls += 1


def run():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="paigow-old-") as home:
        settings = {"server.max_connection_age_s": 1, "server.drain_ms": 0}
        server = Server(options.server, pathlib.Path(home) / "server", settings).start()
        try:
            callers = [Caller(server.address, f"table-{i + 1}") for i in range(CALLERS)]
            wait_until(lambda: all(caller.gone >= TIMES or caller.worker.failure
                                   for caller in callers),
                       f"each caller is told to go {TIMES} times", limit=60)
            for caller in callers:
                caller.is_over = True
            for caller in callers:
                caller.worker.end()
                caller.channel.close()
        finally:
            server.stop()
    print(f"{sum(caller.calls for caller in callers)} rounds of {CALLERS} callers, each dealt twice, "
          f"over {[caller.gone + 1 for caller in callers]} connections: no failed call, no second "
          "answer")


if __name__ == "__main__":
    main(run)
