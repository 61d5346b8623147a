"""The ledger of the Python client: the part that must not sign twice.

    python tests/client/python/ledger.py [--long]

Runs with the client installed. For SQLite, and for PostgreSQL where TEST_POSTGRES names one:

1. A process is killed (SIGKILL) before any of its statements, commits and signatures. The next
   one goes on, and of each step one lock was signed.
2. Two processes race for one step with other wagers: one signs, the other is told what. PostgreSQL
   counts locks in the order in which they are committed.
3. The lock of the wagers and a void over the ticket alone exclude each other, in either order and
   in a race. A void over ticket and wagers is signed. After it nothing is dealt, and a deal that
   another process got is no record of the round.
4. A database that was restored from a backup signs nothing, until an operator says from which
   epoch on.
5. Without a database nothing is signed, and the ledger says so.
6. No clock is read.
7. Bytes that are not exactly the record that was asked for are refused.
"""
import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import types

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from paigow import (
    KeySigner, Ledger, LedgerUnavailable, NotTheRecord, Restored, Round, SignedOtherwise, SqliteStore, store)
from paigow import records
from paigow.store import CLOSE, WAGERS, Place, PostgresStore
from paigow.v1 import paigow_service_pb2 as pb

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PLACE = Place("T1", 1, 1)
ROOT = pathlib.Path(__file__).parents[3]


class Failed(Exception):
    """Something that must hold does not."""


def check(held, what):
    if not held:
        raise Failed(what)


def unsigned(payload, kind=records.LOCK):
    """A record as `Prepare...` returns it: a lock, or of another kind."""
    body = records.canonical(payload)
    envelope = json.dumps({"payload": base64.b64encode(body).decode(), "payloadType": kind,
                           "signatures": []}, separators=(",", ":")).encode()
    return pb.UnsignedRecord(record=pb.Record(envelope=envelope), to_sign=records.pae(kind, body))


def wagers(amount):
    sheet = pb.WagerSheet(currency=pb.Currency(code="USD", exponent=2),
                          wagers=[pb.Wager(seat=1, bet="base", amount_minor=amount),
                                  pb.Wager(seat=1, bet="dynasty", amount_minor=100),
                                  pb.Wager(seat=4, bet="base", amount_minor=amount)])
    payload = {**records.wagers_of(sheet), "prev": "a" * 64, "round_id": "b" * 64, "step": "wagers"}
    return sheet, payload


CLOSING = {"actions": ["c" * 64], "prev": "d" * 64, "round_id": "b" * 64, "step": "final"}
# A void over the ticket, which the wagers follow as well.
VOID = {"prev": "a" * 64, "reason": "operator", "round_id": "b" * 64, "step": "void"}


class Log:
    """The inputs of the signer, in a file: a signer forgets nothing."""

    def __init__(self, file):
        self.file = file

    def sign(self, to_sign):
        with open(self.file, "a") as file:
            file.write(to_sign.hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        return KEY.sign(to_sign)

    def signed(self):
        """The different bytes that were signed, by the step in them."""
        lines = self.file.read_text().split() if self.file.exists() else []
        found = {}
        for line in lines:
            payload = json.loads(bytes.fromhex(line).split(b" ", 4)[4])
            found.setdefault(payload["step"], set()).add(line)
        return found


class Sqlite:
    name = "SQLite"

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "ledger.db"

    def store(self, kind=SqliteStore):
        return kind(self.file, self.folder / "mark")

    @property
    def kind(self):
        return SqliteStore

    def back_up(self):
        made = self.store()
        made._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copyfile(self.file, self.folder / "backup")

    def restore(self):
        for end in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                pathlib.Path(f"{self.file}{end}").unlink()
        shutil.copyfile(self.folder / "backup", self.file)

    def accept(self, first_epoch):
        return SqliteStore.accept_restore(self.file, self.folder / "mark", first_epoch=first_epoch)

    def take_down(self, made):
        made._connection.close()
        for end in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                pathlib.Path(f"{self.file}{end}").unlink()
        self.file.mkdir()

    def bring_back(self):
        self.file.rmdir()


class Postgres:
    name = "PostgreSQL"

    def __init__(self, folder):
        import psycopg

        self.folder, self.psycopg = folder, psycopg
        self.server = os.environ["TEST_POSTGRES"]
        self.database = "ledger_" + os.urandom(6).hex()
        # The ledger's transactions do not depend on the default of the server.
        self._admin(f"CREATE DATABASE {self.database}",
                    f"ALTER DATABASE {self.database} SET default_transaction_isolation = 'repeatable read'")

    @property
    def conninfo(self):
        return f"{self.server} dbname={self.database}"

    def _admin(self, *statements):
        with self.psycopg.connect(f"{self.server} dbname=postgres", autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    @property
    def kind(self):
        return PostgresStore

    def store(self, kind=PostgresStore):
        return kind(self.conninfo, self.folder / "mark")

    def back_up(self):
        self._end()
        self._admin(f"DROP DATABASE IF EXISTS {self.database}_backup",
                    f"CREATE DATABASE {self.database}_backup TEMPLATE {self.database}")

    def restore(self):
        self._end()
        self._admin(f"DROP DATABASE {self.database}",
                    f"CREATE DATABASE {self.database} TEMPLATE {self.database}_backup")

    def _end(self):
        self._admin(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self.database}'")

    def accept(self, first_epoch):
        return PostgresStore.accept_restore(self.conninfo, self.folder / "mark", first_epoch=first_epoch)

    def take_down(self, made):
        self._end()
        self._admin(f"ALTER DATABASE {self.database} ALLOW_CONNECTIONS false")

    def bring_back(self):
        self._admin(f"ALTER DATABASE {self.database} ALLOW_CONNECTIONS true")


def ledger(made, log):
    public_key = KEY.public_key().public_bytes_raw().hex()
    return Ledger(KeySigner(public_key, log.sign), made)


def play(made, log, amount=500):
    """Locks both steps of a round, as a process that may have died in the middle before."""
    own = ledger(made, log)
    sheet, payload = wagers(amount)
    made.begin(PLACE, b"opening")
    made.put(PLACE, "ticket", b"ticket")
    if not own.stored(PLACE, WAGERS):
        own.lock(PLACE, WAGERS, unsigned(payload), payload, sheet.SerializeToString())
    made.put(PLACE, "dealt", b"dealt")
    if not own.stored(PLACE, CLOSE):
        own.lock(PLACE, CLOSE, unsigned(CLOSING), CLOSING, b"actions")
    made.put(PLACE, "closed", b"closed")


def in_child(work, *arguments):
    """Runs work in a process of its own; returns its process id."""
    child = os.fork()
    if child == 0:
        try:
            work(*arguments)
        except BaseException as error:
            print(f"child: {type(error).__name__}: {error}", flush=True)
            os._exit(1)
        os._exit(0)
    return child


def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def dying(kind, at):
    """A store that kills its process before its n-th statement, commit or signature."""
    count = [0]

    def step():
        count[0] += 1
        if count[0] == at:
            os.kill(os.getpid(), signal.SIGKILL)

    class Dying(kind):
        def _execute(self, *arguments):
            step()
            return super()._execute(*arguments)

        def _commit(self):
            step()
            super()._commit()
            step()

        def _write_mark(self, *arguments):
            step()
            super()._write_mark(*arguments)
            step()

    return Dying, step


class DyingLog(Log):
    def __init__(self, file, step):
        super().__init__(file)
        self.step = step

    def sign(self, to_sign):
        self.step()
        signature = super().sign(to_sign)
        self.step()
        return signature


def kills(make, every):
    """Kills a process at each of its steps; returns how many there were."""
    at = killed = 0
    while True:
        at += every
        with tempfile.TemporaryDirectory() as folder:
            place = make(pathlib.Path(folder))
            log = Log(pathlib.Path(folder) / "log")

            def work():
                kind, step = dying(place.kind, at)
                play(place.store(kind), DyingLog(log.file, step))

            code = ended(in_child(work))
            check(code in (0, -signal.SIGKILL), f"the child ended with {code}")
            # The one after it would like other wagers, and goes on with those that are locked.
            ending = ended(in_child(lambda: play(place.store(), log, amount=900)))
            check(ending == 0, f"killed at {at}: the next process ends with {ending}")
            signed = log.signed()
            check({step: len(bytes_) for step, bytes_ in signed.items()} == {"wagers": 1, "final": 1},
                  f"killed at {at}: signed {({step: len(bytes_) for step, bytes_ in signed.items()})}")
            mark, = os.listdir(pathlib.Path(folder) / "mark")
            # A claim that was rolled back leaves a gap in PostgreSQL's count.
            check(int(mark.partition("-")[2]) >= 2, f"killed at {at}: a lock was signed and the mark {mark} does not count it")
            if code == 0:
                return killed
            killed += 1


def wager_lock(amount):
    """The step, the payload and the content of a lock."""
    sheet, payload = wagers(amount)
    return WAGERS, payload, sheet.SerializeToString()


VOID_LOCK = CLOSE, VOID, b"operator"


def races(make, rounds, *locks):
    """Two processes lock at once, each one of two locks that exclude each other."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        place, log = make(folder), Log(folder / "log")
        place.store()
        for number in range(1, rounds + 1):
            at = Place("T1", 1, number)
            go, start = os.pipe()

            def work(which):
                own = ledger(place.store(), log)
                step, payload, content = locks[which]
                payload = {**payload, "round_id": f"{number:064x}"}
                os.read(go, 1)
                try:
                    own.lock(at, step, unsigned(payload), payload, content)
                    said = "signed"
                except SignedOtherwise as error:
                    check(error.locked == locks[1 - which][2], "the lock of the other")
                    said = "otherwise"
                (folder / f"{number}-{which}").write_text(said)

            children = [in_child(work, which) for which in (0, 1)]
            os.write(start, b"xx")
            check([ended(child) for child in children] == [0, 0], f"race {number}")
            said = sorted((folder / f"{number}-{which}").read_text() for which in (0, 1))
            check(said == ["otherwise", "signed"], f"race {number}: {said}")
            for end in (go, start):
                os.close(end)
        check(sum(map(len, log.signed().values())) == rounds, "one lock of each round was signed")


def excluded(make):
    """The wagers and a void over the ticket alone exclude each other. A void over ticket and wagers is signed."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        place, log = make(folder), Log(folder / "log")
        own = ledger(place.store(), log)

        def lock(at, step, payload, content):
            return own.lock(at, step, unsigned(payload), payload, content)

        def counts():
            return {step: len(bytes_) for step, bytes_ in log.signed().items()}

        made = lock(PLACE, *wager_lock(500))
        refused = raises(SignedOtherwise, lambda: lock(PLACE, *VOID_LOCK))
        check(refused.locked == made.content, "the void is told the wagers")
        check(counts() == {"wagers": 1}, "a void over the ticket was signed after the wagers")
        after = {**VOID, "prev": records.record_hash(made.envelope)}
        lock(PLACE, CLOSE, after, b"operator")
        check(lock(PLACE, *wager_lock(500)) == made, "the lock of the wagers is there")
        second = Place("T1", 1, 2)
        made = lock(second, *VOID_LOCK)
        for is_spent in (False, True):
            if is_spent:
                own.store.spend(second, CLOSE)
            refused = raises(SignedOtherwise, lambda: lock(second, *wager_lock(500)))
            check(refused.locked == made.content, "the wagers are told the void")
        check(counts() == {"wagers": 1, "void": 2}, "wagers were signed after a void over the ticket")


def void_locked(make):
    """Over a locked void nothing is dealt, and a deal that another process got is no record of the round."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        made = make(folder).store()
        own = ledger(made, Log(folder / "log"))
        ticket = unsigned({"round_id": "b" * 64}, "application/vnd.pge.ticket.v1+json").record
        deal = unsigned({"visible": {}}, "application/vnd.pge.deal.v1+json").record
        made.begin(PLACE, b"opening")
        made.put(PLACE, "ticket", ticket.SerializeToString())
        sheet, payload = wagers(500)
        payload["prev"] = records.record_hash(ticket.envelope)
        locked = own.lock(PLACE, WAGERS, unsigned(payload), payload, sheet.SerializeToString())
        after = {**VOID, "prev": records.record_hash(locked.envelope)}
        void = own.record(own.lock(PLACE, CLOSE, unsigned(after), after, b"operator"))
        # It has no engine: everything that it does works without a call.
        policy = types.SimpleNamespace(lock_required=True)
        one = Round(types.SimpleNamespace(engine=None, ledger=own, policy=policy), PLACE)
        refused = raises(SignedOtherwise, one.deal)
        check("void it" in str(refused) and refused.locked == b"operator", "the deal is told the void")
        begun = [ticket, own.record(locked)]
        made.put(PLACE, "dealt", pb.DealResponse(records=[*begun, deal]).SerializeToString())
        made.put(PLACE, "closed", b"V" + pb.VoidRoundResponse(records=[void]).SerializeToString())
        check(one.records() == [*begun, void], "the records of a void are those that it follows")


def counted_in_order():
    """A lock is counted after every lock that a backup can lack: claims of other rounds wait for its commit."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        place, log = Postgres(folder), Log(folder / "log")

        class Stopped(PostgresStore):
            is_claiming = False

            def claim(self, *arguments):
                self.is_claiming = True
                return super().claim(*arguments)

            def _commit(self):
                if self.is_claiming:
                    self.is_claiming = False
                    os.kill(os.getpid(), signal.SIGSTOP)
                super()._commit()

        _, payload = wagers(500)
        patient = PostgresStore(f"{place.conninfo} options='-c lock_timeout=100'", folder / "mark")
        second = Place("T2", 1, 1)
        child = in_child(lambda: ledger(place.store(Stopped), log).lock(PLACE, WAGERS, unsigned(payload), payload, b""))
        try:
            check(os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1]), "the child is not in its claim")
            raises(LedgerUnavailable, lambda: ledger(patient, log).lock(second, WAGERS, unsigned(payload), payload, b""))
        finally:
            os.kill(child, signal.SIGCONT)
        check(ended(child) == 0, "the first claim")
        ledger(patient, log).lock(second, WAGERS, unsigned(payload), payload, b"")


def restored(make):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        place, log = make(folder), Log(folder / "log")
        play(place.store(), log)
        place.back_up()
        own = place.store()
        sheet, payload = wagers(700)
        payload["round_id"] = "e" * 64
        second = Place("T1", 1, 2)
        ledger(own, log).lock(second, WAGERS, unsigned(payload), payload, b"")
        own._forget()
        before = log.file.read_text()
        place.restore()
        raises(Restored, place.store)
        # Also one that was open all the time.
        sheet, payload = wagers(300)
        raises(Restored, lambda: ledger(own, log).lock(second, WAGERS, unsigned(payload), payload, b""))
        check(log.file.read_text() == before, "a restored database has signed")
        raises(ValueError, lambda: place.accept(first_epoch=0))
        accepted = place.accept(first_epoch=2)
        payload["round_id"] = "f" * 64
        raises(Restored, lambda: ledger(accepted, log).lock(second, WAGERS, unsigned(payload), payload, b""))
        ledger(accepted, log).lock(Place("T1", 2, 1), WAGERS, unsigned(payload), payload, b"")
        place.store()
        # A missing mark proves nothing any more.
        shutil.rmtree(accepted.mark)
        raises(Restored, place.store)


def another_key(make):
    """A lock names the key that has signed it, whichever the ledger has now."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        place, log = make(folder), Log(folder / "log")
        made = place.store()
        _, payload = wagers(500)
        ledger(made, log).lock(PLACE, WAGERS, unsigned(payload), payload, b"")
        new = Ed25519PrivateKey.generate()
        later = Ledger(KeySigner(new.public_key().public_bytes_raw().hex(), new.sign), made)
        own, = json.loads(later.record(later.stored(PLACE, WAGERS)).envelope)["signatures"]
        KEY.public_key().verify(base64.b64decode(own["sig"]), unsigned(payload).to_sign)


def published_locks():
    """A signed lock is written as the engine writes it: as the locks of the published transcript."""
    lines = (ROOT / "tests/vectors/transcript-example.jsonl").read_bytes().splitlines()
    key, = (key["pk"] for tenant in records.body(lines[0])["tenants"] for key in tenant["ledger_keys"])
    locks = [line for line in lines if records.parse(line)[0] == records.LOCK]
    check(len(locks) == 2, "the published transcript has two locks")
    for line in locks:
        read = json.loads(line)
        signature = base64.b64decode(read["signatures"][0]["sig"])
        bare = json.dumps({**read, "signatures": []}).encode()
        check(records.signed(bare, key, signature) == line, "a signed lock is written otherwise")


def down(make):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        place, log = make(folder), Log(folder / "log")
        made = place.store()
        place.take_down(made)
        sheet, payload = wagers(500)
        for _ in range(2):
            raises(LedgerUnavailable, lambda: ledger(made, log).lock(PLACE, WAGERS, unsigned(payload), payload, b""))
        check(not log.file.exists(), "without a database something was signed")
        place.bring_back()


def without_a_clock(make):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        place, log = make(folder), Log(folder / "log")

        def work():
            def read(*_):
                raise Failed("a clock was read")

            made = place.store()
            # The clock is taken from the ledger alone: a driver of a database may wait by its own.
            for module in (store, records, sys.modules["paigow.ledger"]):
                for name, value in vars(module).items():
                    check(not (isinstance(value, types.ModuleType) and value.__name__ in ("time", "datetime")),
                          f"{module.__name__} has {name}")
            time.time = read
            play(made, log)

        check(ended(in_child(work)) == 0, "without a clock")


def raises(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise Failed(f"no {kind.__name__}")


def mutations(make):
    """Every part of a lock altered, one at a time: nothing of it is signed."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        log = Log(folder / "log")
        own = ledger(make(folder).store(), log)
        _, payload = wagers(500)
        count = 0
        for altered in alterations(payload):
            raises(NotTheRecord, lambda: own.lock(PLACE, WAGERS, unsigned(altered), payload, b""))
            count += 1
        good = unsigned(payload)
        for to_sign in (good.to_sign[:-1], good.to_sign + b" ", good.to_sign.replace(b"500", b"900", 1),
                        records.pae(records.ACTION, records.canonical(payload))):
            wrong = pb.UnsignedRecord(record=good.record, to_sign=to_sign)
            raises(NotTheRecord, lambda: own.lock(PLACE, WAGERS, wrong, payload, b""))
            count += 1
        check(not log.file.exists(), "an altered record was signed")
        return count


def alterations(payload):
    """Copies of a payload that differ in one place each."""
    def walk(value, path):
        if isinstance(value, dict):
            for name in value:
                yield from walk(value[name], [*path, name])
                yield path, lambda at, name=name: at.pop(name)
            yield path, lambda at: at.update(spare="1")
        elif isinstance(value, list):
            for place in range(len(value)):
                yield from walk(value[place], [*path, place])
            yield path, lambda at: at.append(at[0])
            yield path, lambda at: at.pop()
        else:
            other = value + 1 if isinstance(value, int) else value + "0"
            yield path[:-1], lambda at, name=path[-1]: at.__setitem__(name, other)

    for path, alter in walk(payload, []):
        copy = json.loads(json.dumps(payload))
        at = copy
        for name in path:
            at = at[name]
        alter(at)
        yield copy


def main():
    long = "--long" in sys.argv
    kinds = [Sqlite] + ([Postgres] if os.environ.get("TEST_POSTGRES") else [])
    try:
        published_locks()
        for kind in kinds:
            killed = kills(kind, 1 if long else 2 if kind is Sqlite else 7)
            races(kind, 100 if long else 20, wager_lock(500), wager_lock(900))
            races(kind, 100 if long else 20, wager_lock(500), VOID_LOCK)
            excluded(kind)
            void_locked(kind)
            if kind is Postgres:
                counted_in_order()
            restored(kind)
            another_key(kind)
            down(kind)
            without_a_clock(kind)
            altered = mutations(kind)
            print(f"{kind.name}: killed at {killed} places, raced, voided, restored, down, and {altered} altered records: "
                  "no step was signed twice, and no record was followed by two locks")
    except Failed as failed:
        print(f"FAILED: {failed}")
        sys.exit(1)


if __name__ == "__main__":
    main()
