"""Two replicas share the calls of one client, as the published service config says.

    replicas_share.py --server paigow-server --node-modules PACKAGES

A client in Python and one in Node each name two real servers in their target, and make 144 calls
with deploy/client/service-config.json. Must hold: each replica has answered half of them, by its own
metrics. A client that has the same config without `loadBalancingConfig` is answered by one replica
alone, so that the figures tell the two apart.
"""
import argparse
import contextlib
import json
import pathlib
import subprocess
import tempfile

import grpc

from common import (PATIENCE, ROOT, Server, answered, api, check, free_port, main, pb, service_config,
                    wait_until)

CALLS = 144
# A connection that is made anew would begin the turn again.
ODD = 2


class Replica(Server):
    def __init__(self, program, home, name):
        self.metrics = f"127.0.0.1:{free_port()}"
        super().__init__(program, home / name, {"evidence.target": "off", "telemetry.prometheus_listen": self.metrics},
                         keyring=home / "keyring")

    def answered(self):
        return answered(self.metrics, "GetEngine")


@contextlib.contextmanager
def python(target, config, _):
    """Yields a function that makes calls, by gRPC's C core."""
    # Several addresses are no name that a server may be called by.
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.service_config", config), ("grpc.default_authority", "localhost")]
    with grpc.insecure_channel(target, options) as channel:
        engine = api.PaiGowServiceStub(channel)
        yield lambda calls: [engine.GetEngine(pb.GetEngineRequest(), timeout=PATIENCE) for _ in range(calls)]


@contextlib.contextmanager
def node(target, config, packages):
    """Yields a function that makes calls, by @grpc/grpc-js."""
    script = ROOT / "tests/operations/replicas_share.mjs"
    process = subprocess.Popen(["node", script, target, config, packages.resolve(strict=True)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def make(calls):
        process.stdin.write(f"{calls}\n")
        process.stdin.flush()
        said = process.stdout.readline()
        check(said == "done\n", f"the Node client makes {calls} calls: {said}{'' if said else process.wait(PATIENCE)}")

    try:
        yield make
        process.stdin.close()
        check(process.wait(PATIENCE) == 0, "the Node client ends")
    finally:
        process.kill()
        process.wait()


def shares(replicas, make, is_connected):
    """Returns how many of the calls each replica has answered, once the client has the connections that it wants."""
    def answers(calls):
        """Makes calls, and returns how many more each replica has answered when all are counted."""
        before = [replica.answered() for replica in replicas]
        make(calls)
        now = lambda: [replica.answered() - count for replica, count in zip(replicas, before)]
        return wait_until(lambda: sum(now()) >= calls and now(), "the answers are counted")

    seen = [0] * len(replicas)

    def connected():
        seen[:] = [sum(pair) for pair in zip(seen, answers(1))]
        return is_connected(seen)

    wait_until(connected, "the client has its connections")
    return answers(CALLS)


def run():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True)
    parser.add_argument("--node-modules", type=pathlib.Path, required=True, help="the packages of examples/node (npm ci)")
    options = parser.parse_args()
    published = json.loads(service_config())
    alone = json.dumps({key: value for key, value in published.items() if key != "loadBalancingConfig"})
    with tempfile.TemporaryDirectory(prefix="paigow-share-") as home, contextlib.ExitStack() as ends:
        replicas = []
        for name in ("one", "two"):
            replicas.append(Replica(options.server, pathlib.Path(home), name))
            ends.callback(replicas[-1].stop)
            replicas[-1].start()
        target = "ipv4:" + ",".join(replica.address for replica in replicas)
        for client in (python, node):
            with client(target, service_config(), options.node_modules) as make:
                found = shares(replicas, make, all)
            check(sum(found) == CALLS and max(found) - min(found) <= ODD, f"{client.__name__}: shares {found}")
            with client(target, alone, options.node_modules) as make:
                without = shares(replicas, make, any)
            check(sorted(without) == [0, CALLS], f"{client.__name__}, without a balancing config: shares {without}")
            print(f"{client.__name__}: {CALLS} calls: {found}; without loadBalancingConfig: {without}", flush=True)


if __name__ == "__main__":
    main(run)
