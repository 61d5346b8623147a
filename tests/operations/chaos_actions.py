"""The actions of the chaos run, by a schedule that is drawn from a seed."""
import contextlib
import ssl
import time

from chaos_evidence import Destroyer
from chaos_players import Tenant
from chaos_replicas import replace_all
from clients import make_certificate
from common import check, pb, wait_until

# How far apart the actions of one schedule are, in seconds.
PACE = 8.0


class Actions:
    """The actions. Each ends when the replicas are as they were."""

    def __init__(self, home, ceremony, replicas, tables, ca, place, book, shim):
        self.home, self.ceremony, self.replicas = home, ceremony, replicas
        self.tables, self.ca, self.place, self.book = tables, ca, place, book
        self.destroyer = Destroyer()
        self.done = {}
        self.processes = {"kill": self.kill, "terminate": self.terminate, "stop": self.stop}
        self.files = {"certificate": self.certificate, "access": self.access, "manifest": self.manifest,
                      "full-disk": self.full_disk, "delete-evidence": self.delete, "truncate-evidence": self.truncate}
        if shim:
            self.files |= {"slow-disk": self.slow_disk, "clock": self.clock}

    @contextlib.contextmanager
    def one(self, chance):
        """Takes a replica that the other schedule leaves alone; the seed draws the order of preference."""
        order = chance.sample(self.replicas, len(self.replicas))
        replica = wait_until(lambda: next((one for one in order if one.busy.acquire(blocking=False)), None),
                             "a replica is free")
        try:
            yield replica
        finally:
            replica.busy.release()

    def pause(self, seconds):
        """Lets a fault last. Nothing waits for an event here."""
        time.sleep(seconds)

    def kill(self, chance):
        with self.one(chance) as replica:
            replica.kill()
            self.pause(chance.uniform(0.0, 1.5))
            replica.start()
            return f"replica {replica.number}"

    def terminate(self, chance):
        with self.one(chance) as replica:
            replica.terminate()
            code = replica.wait()
            check(code == 0, f"replica {replica.number} ends with {code} after SIGTERM: {replica.tail()}")
            replica.start()
            return f"replica {replica.number}"

    def stop(self, chance):
        with self.one(chance) as replica, replica.stopped():
            seconds = chance.uniform(0.5, 3.0)
            self.pause(seconds)
            return f"replica {replica.number}, {seconds:.1f} s"

    def certificate(self, chance):
        pem, key = make_certificate(self.ca.parent, "server", *self.signed_by)
        replace_all({self.home / used: made.read_bytes() for made, used in ((key, "server.key"), (pem, "server.pem"))})
        shown = ssl.PEM_cert_to_DER_cert(pem.read_text())
        wait_until(lambda: all(one.certificate(self.ca) == shown for one in self.replicas),
                   "every replica shows the new certificate", every=0.2)

    @property
    def signed_by(self):
        return "-CA", self.ca, "-CAkey", self.ca.with_suffix(".key")

    def access(self, chance):
        """New tokens, which are good beside the old ones until every caller has them."""
        new = [(tenant, Tenant(tenant.name).token) for tenant in self.ceremony.tenants]
        self.ceremony.write_access(new)
        for _, token in new:
            wait_until(lambda: all(self.takes(one, token) for one in self.replicas),
                       "every replica takes the new tokens", every=0.2)
        old = [tenant.token for tenant, _ in new]
        for tenant, token in new:
            tenant.token = token
        wait_until(lambda: not any(table.showing in old for table in self.tables),
                   "no call is under way with an old token")
        self.ceremony.write_access()
        wait_until(lambda: not any(self.takes(one, token) for one in self.replicas for token in old),
                   "no replica takes the old tokens", every=0.2)

    def takes(self, replica, token):
        return replica.ask(self.ca, token, "GetEngine", pb.GetEngineRequest(), pb.GetEngineResponse)

    def manifest(self, chance):
        """The tables name the new manifest when every replica has it."""
        place = self.ceremony.rotate()
        token = self.ceremony.tenants[0].token
        newest = lambda one: getattr(self.takes(one, token), "manifest", None)
        wait_until(lambda: all(newest(one) == place["manifest"] for one in self.replicas),
                   "every replica has the new manifest", every=0.2)
        self.place.update(place)
        return f"manifest {place['manifest_sequence']}"

    def full_disk(self, chance):
        with self.one(chance) as replica:
            replica.disk.fill(replica)
            seconds = chance.uniform(1.0, 3.0)
            self.pause(seconds)
            replica.disk.make_room(replica)
            return f"replica {replica.number}, {seconds:.1f} s"

    def slow_disk(self, chance):
        with self.one(chance) as replica:
            # Below and above `evidence.stall_ms`, after which a disk counts as one that fails.
            delay, seconds = chance.choice((100, 300, 900)), chance.uniform(1.0, 3.0)
            replica.disturb(sync_delay_ms=delay)
            self.pause(seconds)
            replica.disturb()
            return f"replica {replica.number}, {delay} ms, {seconds:.1f} s"

    def clock(self, chance):
        with self.one(chance) as replica:
            offset, seconds = chance.choice((-3600, 3600)), chance.uniform(1.0, 3.0)
            replica.disturb(clock_offset_s=offset)
            self.pause(seconds)
            replica.disturb()
            return f"replica {replica.number}, {offset:+} s, {seconds:.1f} s"

    def delete(self, chance):
        return self.destroy(chance, "delete")

    def truncate(self, chance):
        return self.destroy(chance, "truncate")

    def destroy(self, chance, how):
        with self.one(chance) as replica:
            return self.destroyer.destroy(replica, how, self.ceremony.lab)

    def follow(self, actions, chance, seconds):
        """Runs every action of a schedule, shuffled anew each time, until the time is over."""
        began = time.monotonic()
        slots = max(len(actions), round(seconds / PACE))
        order = []
        while len(order) < slots:
            order += chance.sample(sorted(actions), len(actions))
        for slot, name in enumerate(order[:slots]):
            due = began + slot * max(0.0, seconds - PACE / 2) / slots
            while not self.book.over and time.monotonic() < due:
                time.sleep(0.02)
            if self.book.over:
                return
            said = actions[name](chance)
            self.done[name] = self.done.get(name, 0) + 1
            print(f"{time.monotonic() - began:6.1f} s  {name}{f': {said}' if said else ''}", flush=True)
        while not self.book.over and time.monotonic() < began + seconds:
            time.sleep(0.02)
